//! Matrix products that accumulate into an array instead of being stored.
//!
//! ```text
//! %2: f64[3, 4] = dot %0, %1             %3 takes the memory of %9 if that dies here; the product is
//! %3: f64[3, 4] = add %9, %2             added to it where it is made, and never stored
//! ```
//!
//! A transposed product is treated in the same way: it is the product of the transposed operands in the other
//! order.

use ag_ir::{BinaryOp, DotAxes, Op, ValueId};

use super::fuse::{AddedProduct, Fusion, User};
use super::ids::BlockId;
use super::planner::Planner;
use super::step::{Operand, Step};
use super::tree::Tree;
use crate::kernels::dot::Dot;
use crate::values::ValueMap;

impl Fusion {
    /// Finds the products of a block whose only use is an addition of the same type.
    pub(super) fn join_products(&mut self, tree: &Tree<'_>, users: &ValueMap<Vec<User>>, block: BlockId) {
        // Backwards, so that the group of an addition's user is known.
        for index in (0..tree.blocks[block].block.nodes.len()).rev() {
            let Some(product) = self.added_product(tree, users, block, index) else { continue };
            let mut group = product.members.clone();
            for member in &group {
                self.runs_at[block][*member] = index;
            }
            group.push(index);
            self.groups[block][index] = group;
            self.products.insert((block, index), product);
        }
    }

    fn added_product(
        &self,
        tree: &Tree<'_>,
        users: &ValueMap<Vec<User>>,
        block: BlockId,
        index: usize,
    ) -> Option<AddedProduct> {
        let (function, node) = (tree.function, tree.node(block, index));
        let (Op::Binary(BinaryOp::Add, _), [first, second], [result]) =
            (&node.op, &node.operands[..], &node.results[..])
        else {
            return None;
        };
        let ty = function.ty(*result);
        if ty.is_scalar() || ty.has_unknown_sizes() || self.joins_others(tree, users, block, *result) {
            return None;
        }
        [(*first, *second), (*second, *first)].into_iter().find_map(|(sum, product)| {
            let has_place = function.ty(sum) == ty && self.views[sum].is_none();
            if sum == product || !has_place || function.ty(product) != ty {
                return None;
            }
            let mut members = Vec::new();
            let mut made = made_for_one(tree, users, block, product)?;
            members.push(made);
            let mut turned = None;
            if let Op::Transpose(permutation) = &tree.node(block, made).op {
                turned = Some(permutation);
                made = made_for_one(tree, users, block, tree.node(block, made).operands[0])?;
                members.insert(0, made);
            }
            let dot = tree.node(block, made);
            let Op::Dot(axes) = &dot.op else { return None };
            let (left, right) = (dot.operands[0], dot.operands[1]);
            if [left, right].iter().any(|operand| function.ty(*operand).has_unknown_sizes()) {
                return None;
            }
            let Some(permutation) = turned else {
                return Some(AddedProduct { sum, left, right, axes: axes.clone(), members });
            };
            // The left operand's free axes must come after the right one's.
            let free = function.tensor(left).rank() - axes.left_contract.len();
            let rank = permutation.len();
            let is_swap = permutation.iter().copied().eq((free..rank).chain(0..free));
            let axes = DotAxes {
                left_batch: vec![],
                right_batch: vec![],
                left_contract: axes.right_contract.clone(),
                right_contract: axes.left_contract.clone(),
            };
            let has_batch = free + function.tensor(right).rank() - axes.left_contract.len() != rank;
            (is_swap && !has_batch).then_some(AddedProduct { sum, left: right, right: left, axes, members })
        })
    }

    /// Whether a sum is better fused into the element-wise node that is its only user. It is not if that user
    /// adds another product to it.
    fn joins_others(
        &self,
        tree: &Tree<'_>,
        users: &ValueMap<Vec<User>>,
        block: BlockId,
        result: ValueId,
    ) -> bool {
        let [User::Node(user_block, user)] = users[result][..] else { return false };
        let node = tree.node(user_block, user);
        let is_alike = user_block == block
            && node.op.is_elementwise()
            && tree.function.tensor(node.results[0]).shape == tree.function.tensor(result).shape;
        is_alike && self.products.get(&(block, user)).is_none_or(|product| product.sum != result)
    }
}

/// The node that makes a value, if the value has one use and that is in the same block.
fn made_for_one(
    tree: &Tree<'_>,
    users: &ValueMap<Vec<User>>,
    block: BlockId,
    value: ValueId,
) -> Option<usize> {
    let [User::Node(user_block, _)] = users[value][..] else { return None };
    if user_block != block || tree.defining_block(value) != block {
        return None;
    }
    tree.blocks[block].block.nodes.iter().position(|node| node.results.contains(&value))
}

impl Planner<'_> {
    /// The kernel that adds a product to an array.
    pub(super) fn plan_added_product(
        &mut self,
        product: &AddedProduct,
        block: BlockId,
        index: usize,
    ) -> Step {
        let node = self.tree.node(block, index);
        let result = node.results[0];
        let (left, left_view) = self.view_of(product.left);
        let (right, right_view) = self.view_of(product.right);
        let dtype = self.function.tensor(result).dtype;
        let kernel = Dot::new(dtype, &product.axes, &left_view, &right_view, self.isa).added();
        let copied = self.place_update(result, product.sum, &[left, right], block, index);
        let mut operands = vec![Operand::Value(left), Operand::Value(right), Operand::Result(result)];
        let scratch = kernel.scratch_bytes();
        if scratch > 0 {
            operands.push(Operand::Scratch(self.scratch(scratch, block, index)));
        }
        Step::Kernel(self.kernel_step(Box::new(kernel), operands, copied, node.location))
    }
}
