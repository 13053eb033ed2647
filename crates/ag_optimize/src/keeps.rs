//! Drops a `keep` if nothing can fail before the next `keep` of its slot.
//!
//! ```text
//! %2: f64[9] = add %0, %1
//! keep %2 slot=0             dropped: nothing fails until the function ends
//! return %2
//! ```
//!
//! Where a loop starts another iteration or a function is called, the host may end the run; this counts as a
//! possible failure.

use std::collections::BTreeSet;

use ag_ir::{Block, Function, Node, Op, ValueId};

pub(crate) fn run(function: &mut Function) {
    let mut slots = BTreeSet::new();
    collect(&function.body, &mut slots);
    if slots.is_empty() {
        return;
    }
    let mut body = std::mem::take(&mut function.body);
    let mut search = Search { function, slots: &slots, live: BTreeSet::new() };
    // After a call, the caller keeps the results of the function.
    search.block(&mut body, BTreeSet::new());
    let live = search.live;
    without_ends(&mut body, &live);
    function.body = body;
}

type Slots = BTreeSet<u32>;

fn collect(block: &Block, slots: &mut Slots) {
    for node in &block.nodes {
        if let Op::Keep(slot) | Op::KeepEnd(slot) = node.op {
            slots.insert(slot);
        }
        node.regions.iter().for_each(|region| collect(region, slots));
    }
}

struct Search<'a> {
    function: &'a Function,
    slots: &'a Slots,
    /// The kept values that are needed, with their slots.
    live: BTreeSet<(u32, ValueId)>,
}

impl Search<'_> {
    /// Drops the nodes of a block that are not needed. `needed` are the slots that a failure after the block
    /// may report; returns those that a failure in the block or after it may report.
    fn block(&mut self, block: &mut Block, mut needed: Slots) -> Slots {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes).into_iter().rev() {
            if let Op::Keep(slot) = node.op {
                if !needed.remove(&slot) {
                    continue;
                }
                self.live.extend(node.operands.iter().map(|value| (slot, *value)));
            } else {
                needed = self.before(&mut node, needed);
            }
            nodes.push(node);
        }
        nodes.reverse();
        block.nodes = nodes;
        needed
    }

    fn before(&mut self, node: &mut Node, needed: Slots) -> Slots {
        match node.op {
            Op::KeepEnd(_) => needed,
            Op::If => {
                let branches = node.regions.iter_mut().map(|region| self.block(region, needed.clone()));
                branches.flatten().collect()
            }
            Op::While | Op::For | Op::Scope(_) => {
                for region in &mut node.regions {
                    self.block(region, self.slots.clone());
                }
                self.slots.clone()
            }
            _ if node.has_effect() || node.may_fail(self.function) => self.slots.clone(),
            _ => needed,
        }
    }
}

fn without_ends(block: &mut Block, live: &BTreeSet<(u32, ValueId)>) {
    block.nodes.retain(|node| match node.op {
        Op::KeepEnd(slot) => node.operands.iter().any(|value| live.contains(&(slot, *value))),
        _ => true,
    });
    for node in &mut block.nodes {
        node.regions.iter_mut().for_each(|region| without_ends(region, live));
    }
}
