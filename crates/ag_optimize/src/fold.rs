//! Constant folding: computes at compile time what is known then.
//!
//! ```text
//! %1: f64[] = constant 2.0                       %3: f64[] = constant 4.0
//! %2: f64[] = constant 1.0                       %4: f64[] = mul %0, %3
//! %3: f64[] = mul %1, %1                    →    return %4
//! %4: f64[] = mul %0, %3
//! %5: f64[] = mul %4, %2
//! return %5
//! ```
//!
//! (The constants that are left over are dropped by [`crate::dead_code`].)
//!
//! - Small nodes whose operands are constants become constants, computed by the interpreter; a node that
//!   fails stays, and fails in the run. Only ops that every machine rounds alike are computed, see
//!   [`constants`].
//! - Identities hold to the bit: `x * 1`, `x + -0.0` and `x - 0.0` are `x`, but `x + 0.0` is not
//!   (`-0.0 + 0.0` is `0.0`). See [`identities`].
//! - Division by a power of two becomes multiplication, which is exact too, see [`divisions`].
//! - A branch whose condition is known replaces its `if`; a loop that never runs, and a check that always
//!   holds, are dropped. The condition of an `if` is known inside its branches, and that of a check after it.
//! - A result of an `if` that is the same outer value in both branches is that value; one that is true in the one
//!   and false in the other is the condition.
//! - The size of an axis is replaced by the value that the array was made with, see [`sizes`].
//! - Indexing with a known index in range becomes a slice, which cannot fail.

mod constants;
mod divisions;
mod identities;
mod indexing;
mod powers;
mod sizes;

use std::collections::HashMap;

use ag_ir::{Block, Constant, Function, Node, Op, UnaryOp, ValueId};

use crate::replace::Replacements;

pub(crate) fn run(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let mut fold = Fold {
        function,
        constants: HashMap::new(),
        makers: HashMap::new(),
        sized: HashMap::new(),
        replacements: Replacements::default(),
        known: HashMap::new(),
        learned: Vec::new(),
    };
    fold.block(&mut body);
    function.body = body;
}

struct Fold<'a> {
    function: &'a mut Function,
    /// Values that are constants.
    constants: HashMap<ValueId, Constant>,
    /// The op and operands that made a value, for values that identities look at.
    makers: HashMap<ValueId, (Op, Vec<ValueId>)>,
    /// The same for arrays with unknown sizes.
    sized: HashMap<ValueId, (Op, Vec<ValueId>)>,
    replacements: Replacements,
    /// Conditions that are known to be true or false wherever the current node runs.
    known: HashMap<ValueId, bool>,
    /// The known conditions in the order in which they were learned, to be forgotten when a block ends.
    learned: Vec<ValueId>,
}

/// What a node simplifies to.
enum Simpler {
    /// An existing value.
    Value(ValueId),
    /// Another op.
    Op(Op, Vec<ValueId>),
}

impl Fold<'_> {
    fn block(&mut self, block: &mut Block) {
        self.block_where(block, None);
    }

    /// Folds a block that runs only if a condition has this value.
    fn block_where(&mut self, block: &mut Block, condition: Option<(ValueId, bool)>) {
        let already_learned = self.learned.len();
        if let Some((condition, holds)) = condition {
            self.learn(condition, holds);
        }
        let mut kept = Vec::with_capacity(block.nodes.len());
        for node in std::mem::take(&mut block.nodes) {
            self.node(node, &mut kept);
        }
        self.replacements.resolve_all(&mut block.results);
        self.yield_literals(block, &mut kept);
        block.nodes = kept;
        for condition in self.learned.split_off(already_learned) {
            self.known.remove(&condition);
        }
    }

    /// Notes that a condition is known from here to the end of the block.
    fn learn(&mut self, condition: ValueId, holds: bool) {
        if self.known.contains_key(&condition) {
            return;
        }
        self.known.insert(condition, holds);
        self.learned.push(condition);
        if let Some((Op::Unary(UnaryOp::LogicalNot, _), operands)) = self.makers.get(&condition) {
            self.learn(operands[0], !holds);
        }
    }

    /// Folds a node, and appends what is left of it.
    fn node(&mut self, mut node: Node, kept: &mut Vec<Node>) {
        self.replacements.resolve_all(&mut node.operands);
        match node.op {
            Op::If => self.branch(node, kept),
            Op::While => self.unbounded(node, kept),
            Op::For => self.counted(node, kept),
            Op::Check(_) if self.truth(node.operands[0]) == Some(true) => {}
            Op::Check(_) => {
                self.learn(node.operands[0], true);
                kept.push(node);
            }
            _ => self.simple(node, kept),
        }
    }

    fn branch(&mut self, mut node: Node, kept: &mut Vec<Node>) {
        let Some(test) = self.truth(node.operands[0]) else {
            let condition = node.operands[0];
            for (number, region) in node.regions.iter_mut().enumerate() {
                self.block_where(region, Some((condition, number == 0)));
            }
            self.same_in_both(&node);
            return kept.push(node);
        };
        let taken = node.regions.swap_remove(usize::from(!test));
        for inner in taken.nodes {
            self.node(inner, kept);
        }
        self.replacements.add_all(&node.results, &taken.results);
    }

    /// Yields a literal in place of a condition that is known at the end of a block.
    fn yield_literals(&mut self, block: &mut Block, kept: &mut Vec<Node>) {
        for result in &mut block.results {
            if let Some(truth) = self.known.get(result).copied() {
                *result = self.literal(*result, f64::from(truth), None, kept);
            }
        }
    }

    /// Replaces results that both branches take from outside, and those that are the condition; the results
    /// themselves are left to [`crate::dead_code`].
    fn same_in_both(&mut self, node: &Node) {
        let ends = node.regions[0].results.iter().zip(&node.regions[1].results);
        for (result, (then, otherwise)) in node.results.iter().zip(ends) {
            let is_condition = self.function.ty(*result) == self.function.ty(node.operands[0]);
            if then == otherwise {
                self.replacements.add(*result, *then);
            } else if is_condition
                && [then, otherwise].map(|end| self.truth(*end)) == [Some(true), Some(false)]
            {
                self.replacements.add(*result, node.operands[0]);
            }
        }
    }

    fn unbounded(&mut self, mut node: Node, kept: &mut Vec<Node>) {
        node.regions.iter_mut().for_each(|region| self.block(region));
        let test = &node.regions[0];
        let never_runs = self.truth(test.results[0]) == Some(false)
            && test.nodes.iter().all(|inner| inner.is_pure(self.function));
        // The result of the test must be known for every value of the carries, as a constant is.
        if never_runs {
            return self.replacements.add_all(&node.results, &node.operands);
        }
        kept.push(node);
    }

    fn counted(&mut self, mut node: Node, kept: &mut Vec<Node>) {
        let bounds: Vec<Option<i64>> = node.operands[..3].iter().map(|id| self.integer(*id)).collect();
        if let [Some(start), Some(stop), Some(step)] = bounds[..]
            && ((step > 0 && start >= stop) || (step < 0 && start <= stop))
        {
            return self.replacements.add_all(&node.results, &node.operands[3..]);
        }
        node.regions.iter_mut().for_each(|region| self.block(region));
        kept.push(node);
    }

    fn simple(&mut self, mut node: Node, kept: &mut Vec<Node>) {
        self.index_by_constants(&mut node, kept);
        while let Some(simpler) = self.simplify(&node) {
            match simpler {
                Simpler::Value(value) => return self.replacements.add_all(&node.results, &[value]),
                Simpler::Op(op, operands) => (node.op, node.operands) = (op, operands),
            }
        }
        self.expand_powers(&mut node, kept);
        self.divide_by_powers_of_two(&mut node, kept);
        if let Some(constant) = self.computed(&node) {
            (node.op, node.operands) = (Op::Constant(constant), Vec::new());
        }
        if let [result] = node.results[..] {
            if sizes::tells_sizes(&node.op) && self.has_unknown_sizes(&node) {
                self.sized.insert(result, (node.op.clone(), node.operands.clone()));
            }
            match &node.op {
                Op::Constant(constant) => {
                    self.constants.insert(result, constant.clone());
                }
                Op::Reshape(_) | Op::Transpose(_) | Op::Broadcast(_) | Op::Unary(..)
                    if !self.has_unknown_sizes(&node) =>
                {
                    self.makers.insert(result, (node.op.clone(), node.operands.clone()));
                }
                _ => {}
            }
        }
        kept.push(node);
    }
}
