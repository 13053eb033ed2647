//! Decides which element-wise nodes run together (fusion), and which views are read lazily instead of copied.
//!
//! An element-wise value that is used once, by an element-wise node of the same block and the same result
//! shape, is not stored: its node becomes part of its user. `y = exp(x - m) * s` is one group, run where the
//! multiplication stands.
//!
//! Two pairs of nodes run as one if nothing else uses the indices: `x[argsort(x)]` of a line sorts the line
//! directly, and `x[mask]` copies the chosen elements in one pass, without the indices of the mask's true elements.
//!
//! A matrix product whose only use is an addition is accumulated into the sum, see `products`. A group whose
//! result is only reduced runs in the reduction, see `reductions`. A concatenation that is only a part of another one
//! is copied there, see `joins`.
//!
//! A transpose that only products use, and a broadcast or slice that only element-wise nodes and reductions
//! use, is a lazy view: its users read the original with strides.

use std::collections::HashMap;

use ag_ir::{DotAxes, Function, Node, Op, TensorType, ValueId};
use cranelift_codegen::entity::PrimaryMap;

use super::ids::BlockId;
use super::tree::Tree;
use crate::kernels::elementwise::can_fail;
use crate::kernels::layout::count;
use crate::kernels::view::View;
use crate::values::ValueMap;

/// The most nodes of a group.
const LONGEST_GROUP: usize = 24;
/// Smaller arrays are stored before they are reduced: they stay in the cache, and pieces would cost more than
/// they save.
const LEAST_REDUCED: usize = 2048;

/// A view that is not copied: its users read another value's memory with strides.
#[derive(Clone, Debug)]
pub(crate) struct LazyView {
    /// The value whose memory is read.
    pub(crate) base: ValueId,
    /// How it is read: offset, sizes and strides.
    pub(crate) view: View,
}

/// The decisions for one function.
#[derive(Debug)]
pub(crate) struct Fusion {
    /// For each block and node: the node where it runs, itself if it is not part of a group.
    pub(crate) runs_at: PrimaryMap<BlockId, Vec<usize>>,
    /// For each block and node: the nodes that run there, in order, itself last; reductions that run together
    /// are the last ones, itself first.
    pub(crate) groups: PrimaryMap<BlockId, Vec<Vec<usize>>>,
    /// The views that are not copied.
    pub(crate) views: ValueMap<Option<LazyView>>,
    /// Indices (of `nonzero`) that are not made: the mask whose true elements they number.
    pub(crate) masks: ValueMap<Option<ValueId>>,
    /// Orders (of `argsort`) that are not made: the one gather that reads such an order sorts the array
    /// instead.
    pub(crate) orders: ValueMap<bool>,
    /// Partitions of which only so many first elements are read.
    pub(crate) heads: ValueMap<Option<usize>>,
    /// Additions that run as a matrix product which accumulates, by block and node.
    pub(crate) products: HashMap<(BlockId, usize), AddedProduct>,
}

/// An addition that runs as a matrix product which accumulates.
#[derive(Clone, Debug)]
pub(crate) struct AddedProduct {
    /// The other operand of the addition.
    pub(super) sum: ValueId,
    pub(super) left: ValueId,
    pub(super) right: ValueId,
    pub(super) axes: DotAxes,
    /// The nodes of the product, in order.
    pub(super) members: Vec<usize>,
}

/// A user of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum User {
    Node(BlockId, usize),
    Results,
}

/// The sizes of a value; empty for a list and for an array in a cell.
pub(crate) fn sizes_of(function: &Function, value: ValueId) -> Vec<usize> {
    function.ty(value).tensor().and_then(TensorType::sizes).unwrap_or_default()
}

impl Fusion {
    /// Decides for a function. Also notes every use of a value in the tree, at the node where it happens.
    pub(crate) fn decide(tree: &mut Tree<'_>) -> Self {
        let users = collect_users(tree);
        let mut fusion = Self {
            runs_at: tree.blocks.values().map(|entry| (0..entry.block.nodes.len()).collect()).collect(),
            groups: tree
                .blocks
                .values()
                .map(|entry| (0..entry.block.nodes.len()).map(|index| vec![index]).collect())
                .collect(),
            views: ValueMap::of(tree.function, None),
            masks: ValueMap::of(tree.function, None),
            orders: ValueMap::of(tree.function, false),
            heads: ValueMap::of(tree.function, None),
            products: HashMap::new(),
        };
        for block in tree.blocks.keys() {
            for index in 0..tree.blocks[block].block.nodes.len() {
                let node = tree.node(block, index);
                if let [result] = node.results[..] {
                    fusion.views[result] = lazy_view(tree, &users, block, index);
                    fusion.masks[result] = mask_of(tree, &users, block, index);
                    fusion.orders[result] = is_order(tree, &users, block, index);
                    fusion.heads[result] = head_of(tree, &users, block, index);
                }
            }
            fusion.join_products(tree, &users, block);
            fusion.join_concatenations(tree, &users, block);
            fusion.join_reductions(tree, &users, block);
            fusion.fuse_block(tree, &users, block);
        }
        fusion.note_uses(tree);
        fusion
    }

    fn fuse_block(&mut self, tree: &Tree<'_>, users: &ValueMap<Vec<User>>, block: BlockId) {
        let function = tree.function;
        let nodes = &tree.blocks[block].block.nodes;
        let is_open = |node: &Node| {
            node.operands.iter().chain(&node.results).any(|value| function.ty(*value).has_unknown_sizes())
        };
        let has_effect = |index: usize| {
            let node = &nodes[index];
            let fails_by_element = node.operands.last().is_some_and(|operand| {
                node.op.is_elementwise() && can_fail(&node.op, function.tensor(*operand).dtype)
            });
            // Lists and nodes with regions are not examined: they may fail.
            let may_stop = node.op.has_effect()
                || node.op.region_count() > 0
                || matches!(node.op, Op::List(_))
                || (!node.op.is_elementwise() && node.op.may_fail(None));
            fails_by_element || may_stop || (is_open(node) && node.may_fail(function))
        };
        // A failing element must not be lost: in a group whose result is empty, no element is computed.
        let fails_alone = |node: &Node| {
            let dtype = |operand: &ValueId| function.tensor(*operand).dtype;
            is_open(node) && node.operands.last().is_some_and(|last| can_fail(&node.op, dtype(last)))
        };
        // Backwards, so that the place of each user is known.
        for index in (0..nodes.len()).rev() {
            let node = &nodes[index];
            let [result] = node.results[..] else { continue };
            if !node.op.is_elementwise() || function.tensor(result).is_scalar() {
                continue;
            }
            let Some(user) = self.only_user(tree, &users[result], block) else { continue };
            if [index, user].iter().any(|one| self.products.contains_key(&(block, *one))) {
                continue;
            }
            let root = self.runs_at[block][user];
            let is_same_shape = is_reduction(tree, block, user)
                || function.tensor(nodes[user].results[0]).shape == function.tensor(result).shape;
            let moves_failure = has_effect(index) && (index + 1..root).any(has_effect);
            let must_be_stored = is_reduction(tree, block, root) && (has_effect(index) || is_open(node));
            if !is_same_shape
                || moves_failure
                || must_be_stored
                || fails_alone(node)
                || self.groups[block][root].len() >= LONGEST_GROUP
            {
                continue;
            }
            self.runs_at[block][index] = root;
            self.groups[block][root].insert(0, index);
        }
    }

    /// The element-wise node, or the first of reductions that run together, that alone uses a value of a
    /// block.
    fn only_user(&self, tree: &Tree<'_>, users: &[User], block: BlockId) -> Option<usize> {
        let mut only = None;
        for user in users {
            let User::Node(user_block, user) = *user else { return None };
            if user_block != block {
                return None;
            }
            let user = if is_reduction(tree, block, user) {
                self.runs_at[block][user]
            } else if tree.node(block, user).op.is_elementwise() {
                user
            } else {
                return None;
            };
            if only.is_some_and(|only| only != user) {
                return None;
            }
            only = Some(user);
        }
        only
    }

    /// Notes every use at the node where it happens: for a member, where its group runs; for a lazy view, as
    /// a use of its base.
    fn note_uses(&self, tree: &mut Tree<'_>) {
        for block in tree.blocks.keys().collect::<Vec<_>>() {
            let entry = tree.blocks[block].block;
            for (index, node) in entry.nodes.iter().enumerate() {
                for operand in &node.operands {
                    self.note_use(tree, *operand, block, self.runs_at[block][index]);
                }
            }
            for result in &entry.results {
                self.note_use(tree, *result, block, usize::MAX);
            }
        }
    }

    fn note_use(&self, tree: &mut Tree<'_>, value: ValueId, block: BlockId, index: usize) {
        tree.add_use(value, block, index);
        if let Some(view) = &self.views[value] {
            tree.add_use(view.base, block, index);
        }
        if let Some(mask) = self.masks[value] {
            tree.add_use(mask, block, index);
        }
    }

    /// Whether a node runs as part of a later one.
    pub(crate) fn is_part(&self, block: BlockId, index: usize) -> bool {
        self.runs_at[block][index] != index
    }
}

/// Whether node `index` is a reduction that reads pieces: of an array of sizes that are known, and not small.
pub(super) fn is_reduction(tree: &Tree<'_>, block: BlockId, index: usize) -> bool {
    let node = tree.node(block, index);
    let mut values = node.operands.iter().chain(&node.results);
    matches!(node.op, Op::Reduce { .. })
        && !tree.keeps_order
        && !values.any(|value| tree.function.ty(*value).has_unknown_sizes())
        && count(&sizes_of(tree.function, node.operands[0])) >= LEAST_REDUCED
}

pub(super) fn collect_users(tree: &Tree<'_>) -> ValueMap<Vec<User>> {
    let mut users = ValueMap::of(tree.function, Vec::new());
    for (block, entry) in tree.blocks.iter() {
        for (index, node) in entry.block.nodes.iter().enumerate() {
            for operand in &node.operands {
                users[*operand].push(User::Node(block, index));
            }
        }
        for result in &entry.block.results {
            users[*result].push(User::Results);
        }
    }
    users
}

/// The mask, if this node is a `nonzero` whose result only a gather of the same block reads.
fn mask_of(tree: &Tree<'_>, users: &ValueMap<Vec<User>>, block: BlockId, index: usize) -> Option<ValueId> {
    let node = tree.node(block, index);
    let ([mask], [result], Op::Nonzero) = (&node.operands[..], &node.results[..], &node.op) else {
        return None;
    };
    let [User::Node(user_block, user)] = users[*result][..] else { return None };
    let gather = tree.node(user_block, user);
    let reads = matches!(gather.op, Op::Gather { axis: 0, count: 1 }) && gather.operands[1] == *result;
    (user_block == block && reads).then_some(*mask)
}

/// Whether this node is an `argsort` whose result only a gather of the same array and block reads.
fn is_order(tree: &Tree<'_>, users: &ValueMap<Vec<User>>, block: BlockId, index: usize) -> bool {
    let node = tree.node(block, index);
    let ([line], [result], Op::ArgSort(0)) = (&node.operands[..], &node.results[..], &node.op) else {
        return false;
    };
    let [User::Node(user_block, user)] = users[*result][..] else { return false };
    let gather = tree.node(user_block, user);
    user_block == block
        && tree.function.tensor(*line).rank() == 1
        && matches!(gather.op, Op::Gather { axis: 0, count: 1 })
        && gather.operands == [*line, *result]
}

/// How many first elements are read, if this node is a partition of a line whose users are all slices from its
/// start: `np.argpartition(x, 5)[:5]`.
fn head_of(tree: &Tree<'_>, users: &ValueMap<Vec<User>>, block: BlockId, index: usize) -> Option<usize> {
    let node = tree.node(block, index);
    let [result] = node.results[..] else { return None };
    if !matches!(node.op, Op::Partition { .. } | Op::ArgPartition { .. })
        || tree.function.tensor(result).rank() != 1
    {
        return None;
    }
    let mut most = 0;
    for user in &users[result] {
        let User::Node(user_block, user) = *user else { return None };
        let user = tree.node(user_block, user);
        let is_head =
            matches!(&user.op, Op::Slice { start, step, .. } if start[..] == [0] && step[..] == [1]);
        let sizes = sizes_of(tree.function, *user.results.first()?);
        most = most.max(*sizes.first().filter(|_| is_head)?);
    }
    (most > 0).then_some(most)
}

fn lazy_view(tree: &Tree<'_>, users: &ValueMap<Vec<User>>, block: BlockId, index: usize) -> Option<LazyView> {
    let function = tree.function;
    let node = tree.node(block, index);
    let (result, base) = (*node.results.first()?, *node.operands.first()?);
    let all_users_are = |accepts: &dyn Fn(&Node) -> bool| {
        let of = &users[result];
        !of.is_empty()
            && of.iter().all(|user| match user {
                User::Node(block, index) => accepts(tree.node(*block, *index)),
                User::Results => false,
            })
    };
    // Strides need sizes that are known now.
    let is_open = |value: &ValueId| function.ty(*value).has_unknown_sizes();
    if is_open(&result) || node.operands.iter().any(is_open) {
        return None;
    }
    let (sizes, result_sizes) = (sizes_of(function, base), sizes_of(function, result));
    // The sizes of what a reduction reads are those of the view, which are known.
    let is_reduced = !tree.keeps_order && count(&result_sizes) >= LEAST_REDUCED;
    let is_array_op =
        |node: &Node| node.op.is_elementwise() || (is_reduced && matches!(node.op, Op::Reduce { .. }));
    // A product of an array of unknown size gets its operands as they lie in memory.
    let is_product = |node: &Node| matches!(node.op, Op::Dot(_)) && !node.operands.iter().any(is_open);
    if result_sizes.is_empty() {
        return None;
    }
    let view = match &node.op {
        Op::Transpose(permutation) if all_users_are(&is_product) => View::transposed(&sizes, permutation),
        Op::Broadcast(_) if all_users_are(&is_array_op) => View::broadcast(&sizes, &result_sizes),
        Op::Slice { start, step, .. } if all_users_are(&is_array_op) => {
            View::sliced(&sizes, start, step, &result_sizes)
        }
        _ => return None,
    };
    Some(LazyView { base, view })
}
