//! Concatenations of concatenations, whose parts are copied once: `np.pad`, `np.block`.
//!
//! ```text
//! %3 = concatenate[1] %left, %x, %right           one copy: %top, then the rows of %left, %x and %right, then
//! %6 = concatenate[0] %top, %3, %bottom           %bottom, each to its place in %6; %3 is never stored
//! ```

use ag_ir::{Op, ValueId};

use super::fuse::{Fusion, User};
use super::ids::BlockId;
use super::planner::Planner;
use super::step::Step;
use super::tree::Tree;
use crate::kernels::layout::dense_strides;
use crate::kernels::slice::{Copies, Part};
use crate::kernels::strided::StridedCopy;
use crate::values::ValueMap;

/// The most concatenations that run as one.
const MOST_JOINED: usize = 64;

impl Fusion {
    /// Finds the concatenations of a block that are only a part of another.
    pub(super) fn join_concatenations(
        &mut self,
        tree: &Tree<'_>,
        users: &ValueMap<Vec<User>>,
        block: BlockId,
    ) {
        // Backwards, so that the place of each user is known.
        for index in (0..tree.blocks[block].block.nodes.len()).rev() {
            let Some(result) = concatenated(tree, block, index) else { continue };
            let [User::Node(user_block, user)] = users[result][..] else { continue };
            if user_block != block || concatenated(tree, block, user).is_none() {
                continue;
            }
            let root = self.runs_at[block][user];
            if self.groups[block][root].len() < MOST_JOINED {
                self.runs_at[block][index] = root;
                self.groups[block][root].insert(0, index);
            }
        }
    }
}

/// The result of a node that is a concatenation of arrays whose sizes are known.
fn concatenated(tree: &Tree<'_>, block: BlockId, index: usize) -> Option<ValueId> {
    let node = tree.node(block, index);
    let is_open = |value: &ValueId| tree.function.ty(*value).has_unknown_sizes();
    let is_one =
        matches!(node.op, Op::Concatenate(_)) && !node.operands.iter().chain(&node.results).any(is_open);
    node.results.first().copied().filter(|_| is_one)
}

/// The copies of a joined concatenation.
struct Parts {
    values: Vec<ValueId>,
    copies: Vec<Part>,
    /// The bytes of an element, and the strides of the whole result.
    element_size: usize,
    strides: Vec<isize>,
    /// The number of the result, which comes after all values.
    result: usize,
}

impl Planner<'_> {
    /// A concatenation that others are part of: the parts of them all are copied to their places in its result.
    pub(super) fn plan_joined(&mut self, block: BlockId, index: usize) -> Step {
        let node = self.tree.node(block, index);
        let (dtype, sizes) = self.dtype_and_sizes(node.results[0]);
        let members = &self.fusion.groups[block][index];
        let operands: usize =
            members.iter().map(|member| self.tree.node(block, *member).operands.len()).sum();
        let mut parts = Parts {
            values: Vec::new(),
            copies: Vec::new(),
            element_size: dtype.size(),
            strides: dense_strides(&sizes),
            // Each member but the last is an operand that is no value.
            result: operands + 1 - members.len(),
        };
        self.add_parts(block, index, 0, &mut parts);
        self.plan_kernel(Box::new(Copies(parts.copies)), &parts.values, 0, block, index)
    }

    /// Adds the copies of a concatenation that begins at an element of the whole result.
    fn add_parts(&self, block: BlockId, index: usize, start: isize, parts: &mut Parts) {
        let node = self.tree.node(block, index);
        let Op::Concatenate(axis) = node.op else { return };
        let mut at = start;
        for operand in &node.operands {
            let sizes = self.sizes(*operand);
            let maker = self.fusion.groups[block][self.fusion.runs_at[block][index]]
                .iter()
                .find(|member| **member != index && self.tree.node(block, **member).results[0] == *operand);
            match maker {
                Some(maker) => self.add_parts(block, *maker, at, parts),
                None => {
                    let (dense, element) = (dense_strides(&sizes), parts.element_size);
                    let copy = StridedCopy::new(element, &sizes, &dense, &parts.strides);
                    let offset = at * element.cast_signed();
                    parts.copies.push(Part {
                        from: (parts.values.len(), 0),
                        to: (parts.result, offset),
                        copy,
                    });
                    parts.values.push(*operand);
                }
            }
            at += sizes[axis].cast_signed() * parts.strides[axis];
        }
    }
}
