//! Loop-invariant code motion: a node that is the same in every iteration runs once, before the loop.
//!
//! ```text
//! %4: f64[], %5: f64[] = while %0, %1 test(%6: f64[], %7: f64[]) {
//!   %8: f64[] = constant 2.0
//!   %9: bool[] = lt %6, %8
//!   yield %9
//! } body(%10: f64[], %11: f64[]) {
//!   %12: f64[] = exp %11                       // %11 is always %1
//!   %13: f64[] = add %10, %12
//!   yield %13, %11
//! }
//! ```
//!
//! becomes
//!
//! ```text
//! %8: f64[] = constant 2.0
//! %12: f64[] = exp %1
//! %4: f64[] = while %0 test(%6: f64[]) {
//!   %9: bool[] = lt %6, %8
//!   yield %9
//! } body(%10: f64[]) {
//!   %13: f64[] = add %10, %12
//!   yield %13
//! }
//! ```
//!
//! - A node is moved if all values that it needs, also in its regions, are bound outside of the loop. It must
//!   be pure, since the loop may not run it at all, and must not be or contain a loop: the bounds of that may
//!   be checked by a node that stays.
//! - Nodes inside a branch stay there, so that the loop does not pay for branches it does not take.
//! - A carry that every iteration yields unchanged equals its initial value, and becomes a captured value.
//!   Inner loops are visited first, so a node that leaves one may leave the outer loop as well.

use ag_ir::{Block, Function, Node, Op, ValueId};

use crate::replace::Replacements;

pub(crate) fn run(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let mut hoisting = Hoisting { function, is_inside: vec![false; function.values.len()] };
    hoisting.block(&mut body);
    function.body = body;
}

struct Hoisting<'a> {
    function: &'a Function,
    /// Whether a value is bound inside the current loop and stays there.
    is_inside: Vec<bool>,
}

impl Hoisting<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut replacements = Replacements::default();
        let mut kept = Vec::with_capacity(block.nodes.len());
        for mut node in std::mem::take(&mut block.nodes) {
            replacements.resolve_all(&mut node.operands);
            for region in &mut node.regions {
                replacements.apply(region);
                self.block(region);
            }
            if is_loop(&node) {
                drop_unchanged_carries(&mut node, &mut replacements);
                self.hoist(&mut node, &mut kept);
            }
            kept.push(node);
        }
        block.nodes = kept;
        replacements.resolve_all(&mut block.results);
    }

    /// Moves invariant nodes of the regions of a loop to the end of `before`.
    fn hoist(&mut self, node: &mut Node, before: &mut Vec<Node>) {
        for region in &node.regions {
            self.set_inside(region, true);
        }
        for region in &mut node.regions {
            let mut kept = Vec::with_capacity(region.nodes.len());
            for inner in std::mem::take(&mut region.nodes) {
                if self.is_invariant(&inner) {
                    inner.results.iter().for_each(|id| self.is_inside[id.0 as usize] = false);
                    before.push(inner);
                } else {
                    kept.push(inner);
                }
            }
            region.nodes = kept;
        }
        for region in &node.regions {
            self.set_inside(region, false);
        }
    }

    /// Marks only the values of the loop's own blocks: those of nested regions belong to their nodes.
    fn set_inside(&mut self, region: &Block, inside: bool) {
        let bound = region.params.iter().chain(region.nodes.iter().flat_map(|node| &node.results));
        for id in bound {
            self.is_inside[id.0 as usize] = inside;
        }
    }

    fn is_invariant(&self, node: &Node) -> bool {
        !holds_loop(node) && node.is_pure(self.function) && self.needs_nothing_inside(node)
    }

    fn needs_nothing_inside(&self, node: &Node) -> bool {
        let is_outside = |id: &ValueId| !self.is_inside[id.0 as usize];
        node.operands.iter().all(is_outside)
            && node.regions.iter().all(|region| {
                region.results.iter().all(is_outside)
                    && region.nodes.iter().all(|inner| self.needs_nothing_inside(inner))
            })
    }
}

const fn is_loop(node: &Node) -> bool {
    matches!(node.op, Op::While | Op::For)
}

fn holds_loop(node: &Node) -> bool {
    is_loop(node) || node.regions.iter().any(|region| region.nodes.iter().any(holds_loop))
}

/// Removes the carries that every iteration yields unchanged.
fn drop_unchanged_carries(node: &mut Node, after: &mut Replacements) {
    let first = node.operands.len() - node.results.len();
    for carry in (0..node.results.len()).rev() {
        let Some(body) = node.regions.last() else { return };
        let start = node.operands[first + carry];
        let handed_on = body.results[carry];
        let param = body.params[body.params.len() - node.results.len() + carry];
        if handed_on != param && handed_on != start {
            continue;
        }
        let mut inside = Replacements::default();
        let count = node.results.len();
        let is_while = node.op == Op::While;
        for (number, region) in node.regions.iter_mut().enumerate() {
            inside.add(region.params.remove(region.params.len() - count + carry), start);
            if !(is_while && number == 0) {
                region.results.remove(carry);
            }
            inside.apply(region);
        }
        node.operands.remove(first + carry);
        after.add(node.results.remove(carry), start);
    }
}
