//! Common subexpression elimination: a value that has been computed is not computed again.
//!
//! ```text
//! %2: f64[] = mul %0, %1                    %2: f64[] = mul %0, %1
//! check %3 error="E" message="once"         check %3 error="E" message="once"
//! %4: f64[] = if %3 then {             →    %4: f64[] = if %3 then {
//!   check %3 error="E" message="twice"        yield %2
//!   %5: f64[] = mul %0, %1                  } else {
//!   yield %5                                  yield %0
//! } else {                                  }
//!   yield %0
//! }
//! ```
//!
//! - A node is dropped if an equal one precedes it in the same block or in an enclosing one, so that it has
//!   always run. Two nodes are equal if they have the same op, to the bits of constants, and the same
//!   operands.
//! - Nodes with an effect stay. Nodes that may fail are merged: if the first has not failed, the second does
//!   not fail either. Checks of the same condition are merged too, whatever their messages.
//! - Nodes with regions stay, their regions are searched.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use ag_ir::{Block, Function, Node, Op, ValueId};

use crate::replace::Replacements;

pub(crate) fn run(function: &mut Function) {
    let mut search = Search::default();
    search.block(&mut function.body);
}

#[derive(Debug, Default)]
struct Search {
    /// Nodes that have run, by their hash. It is only looked up, never iterated, so results do not depend on
    /// its order.
    seen: HashMap<u64, Vec<Seen>>,
    replacements: Replacements,
}

#[derive(Debug)]
struct Seen {
    op: Op,
    operands: Vec<ValueId>,
    results: Vec<ValueId>,
}

impl Search {
    fn block(&mut self, block: &mut Block) {
        let mut added = Vec::new();
        let mut kept = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes) {
            self.replacements.resolve_all(&mut node.operands);
            for region in &mut node.regions {
                self.block(region);
            }
            if !node.regions.is_empty() || node.op.has_effect() {
                kept.push(node);
                continue;
            }
            let hash = hash_of(&node);
            if let Some(results) = self.find(hash, &node) {
                self.replacements.add_all(&node.results, &results);
                continue;
            }
            added.push(hash);
            let seen =
                Seen { op: node.op.clone(), operands: node.operands.clone(), results: node.results.clone() };
            self.seen.entry(hash).or_default().push(seen);
            kept.push(node);
        }
        block.nodes = kept;
        self.replacements.resolve_all(&mut block.results);
        for hash in added.iter().rev() {
            if let Some(list) = self.seen.get_mut(hash) {
                list.pop();
            }
        }
    }

    /// The results of an equal node that has run.
    fn find(&self, hash: u64, node: &Node) -> Option<Vec<ValueId>> {
        let list = self.seen.get(&hash)?;
        let found = list.iter().find(|seen| match (&seen.op, &node.op) {
            (Op::Check(_), Op::Check(_)) => seen.operands[0] == node.operands[0],
            (op, other) => op == other && seen.operands == node.operands,
        })?;
        Some(found.results.clone())
    }
}

fn hash_of(node: &Node) -> u64 {
    let mut hasher = DefaultHasher::new();
    std::mem::discriminant(&node.op).hash(&mut hasher);
    match &node.op {
        Op::Check(_) => node.operands[0].hash(&mut hasher),
        Op::Constant(constant) => (constant.dtype, &constant.sizes, &constant.bytes).hash(&mut hasher),
        Op::Unary(op, _) => (op, &node.operands).hash(&mut hasher),
        Op::Binary(op, _) => (op, &node.operands).hash(&mut hasher),
        _ => node.operands.hash(&mut hasher),
    }
    hasher.finish()
}
