//! Decides which values of lists and tapes stay where they are: those that are read are views of the list or
//! the tape, those that are put there are made where it will hold them.
//!
//! ```text
//! %2: f64[9] = list_get %0, %1       a view: %0 is not changed before the last use of %2
//! %3: f64[9] = sin %2
//! %4: f64[9] = mul %3, %3            made at the end of %5's memory, in which there is room before it runs
//! %6: list<f64[9]> = list_append %5, %4       one value longer: nothing is copied
//! ```
//!
//! - A value and what may lie in its memory is followed to its last use in its block. One that leaves the
//!   block, or that a region, a call or a `keep` takes, is copied.
//! - Whatever changes a list makes a new value of its type. So a list is not changed where no node makes a
//!   list of that type, whichever lists share a cell.
//! - These are decisions about time. That nothing is overwritten which is still read does not rest on them in
//!   lists: such a view is in the alias classes of its list, and a list that cannot be changed in place is
//!   copied. Tapes are no values, so there it does.

use std::collections::HashMap;

use ag_ir::{ListOp, Op, Type, ValueId};

use super::fuse::{Fusion, User, collect_users};
use super::ids::BlockId;
use super::tree::Tree;
use crate::values::ValueMap;

/// More values than this in one value's memory are not followed.
const MOST_FOLLOWED: usize = 16;

/// Where a value is made, so that it is not copied when it is put there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// At the end of a list, to which this node appends it.
    List(ValueId, usize),
    /// At the top of a tape, on which this node pushes it.
    Tape(u32, usize),
}

/// The decisions for one function.
pub(super) struct Stays {
    /// Values that are read from a list or a tape without being copied.
    pub(super) views: ValueMap<bool>,
    /// Values that are made where they are put next.
    pub(super) made_at: ValueMap<Option<Destination>>,
}

impl Stays {
    pub(super) fn decide(tree: &Tree<'_>, fusion: &Fusion) -> Self {
        let mut stays =
            Self { views: ValueMap::of(tree.function, false), made_at: ValueMap::of(tree.function, None) };
        let moves = Moves::of(tree);
        let has_lists = tree.function.values.iter().any(|value| matches!(value.ty, Type::List(_)));
        if moves.at.is_empty() && !has_lists {
            return stays;
        }
        let flow = Flow { tree, fusion, moves, users: collect_users(tree), made: positions(tree) };
        for block in tree.blocks.keys() {
            for index in 0..tree.blocks[block].block.nodes.len() {
                if let Some(read) = flow.read_in_place(block, index) {
                    stays.views[read] = true;
                }
                if let Some((value, destination)) = flow.made_in_place(block, index) {
                    stays.made_at[value] = Some(destination);
                }
            }
        }
        stays
    }
}

/// What a node may move or write over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Moved<'f> {
    /// Lists of this type: it makes one.
    Lists(&'f Type),
    /// The values on a tape: it puts some there or takes some off.
    Tape(u32),
    /// What has been taken off any tape: something is put on one, and may take its room.
    Popped,
    /// Values on any tape: a function is called.
    AnyTape,
}

/// For each block, the nodes that move something, nodes in their regions included.
struct Moves<'f> {
    at: HashMap<(BlockId, Moved<'f>), Vec<usize>>,
}

impl<'f> Moves<'f> {
    fn of(tree: &Tree<'f>) -> Self {
        let mut moves = Self { at: HashMap::new() };
        for (block, entry) in tree.blocks.iter() {
            for (index, node) in entry.block.nodes.iter().enumerate() {
                match &node.op {
                    Op::TapePush(tape) | Op::TapeLoad(tape) => {
                        moves.note(tree, block, index, Moved::Tape(*tape));
                        moves.note(tree, block, index, Moved::Popped);
                    }
                    Op::TapeSave(tape) => moves.note(tree, block, index, Moved::Tape(*tape)),
                    Op::TapePop(pop) => moves.note(tree, block, index, Moved::Tape(pop.tape)),
                    Op::Call(_) => {
                        moves.note(tree, block, index, Moved::AnyTape);
                        moves.note(tree, block, index, Moved::Popped);
                    }
                    _ => {}
                }
                for result in &node.results {
                    if let ty @ Type::List(_) = tree.function.ty(*result) {
                        moves.note(tree, block, index, Moved::Lists(ty));
                    }
                }
            }
        }
        moves.at.values_mut().for_each(|nodes| nodes.sort_unstable());
        moves
    }

    fn note(&mut self, tree: &Tree<'_>, block: BlockId, index: usize, moved: Moved<'f>) {
        let (mut block, mut index) = (block, index);
        loop {
            let nodes = self.at.entry((block, moved)).or_default();
            if nodes.last() != Some(&index) {
                nodes.push(index);
            }
            let Some(parent) = tree.blocks[block].parent else { return };
            (block, index) = parent;
        }
    }

    /// Whether a node after `first` and before `end` moves something.
    fn any(&self, moved: Moved<'f>, block: BlockId, first: usize, end: usize) -> bool {
        let Some(nodes) = self.at.get(&(block, moved)) else { return false };
        nodes.get(nodes.partition_point(|node| *node <= first)).is_some_and(|node| *node < end)
    }
}

/// Where each value that a node makes is made, in its block.
fn positions(tree: &Tree<'_>) -> ValueMap<Option<usize>> {
    let mut made = ValueMap::of(tree.function, None);
    for entry in tree.blocks.values() {
        for (index, node) in entry.block.nodes.iter().enumerate() {
            node.results.iter().for_each(|result| made[*result] = Some(index));
        }
    }
    made
}

/// Where the values of a function are made, read and moved.
struct Flow<'a, 'f> {
    tree: &'a Tree<'f>,
    fusion: &'a Fusion,
    moves: Moves<'f>,
    users: ValueMap<Vec<User>>,
    made: ValueMap<Option<usize>>,
}

impl Flow<'_, '_> {
    /// The value that a node reads from a list or a tape, if it can stay there until its last use.
    fn read_in_place(&self, block: BlockId, index: usize) -> Option<ValueId> {
        let (node, function) = (self.tree.node(block, index), self.tree.function);
        let read = match &node.op {
            Op::List(ListOp::Get) | Op::TapePop(_) => node.results[0],
            Op::List(ListOp::Pop) => node.results[1],
            Op::List(ListOp::Stack { size: Some(_) }) => node.results[0],
            _ => return None,
        };
        if !self.has_elements(read) {
            return None;
        }
        let moved = match &node.op {
            Op::TapePop(_) => Moved::Popped,
            _ => Moved::Lists(function.ty(node.operands[0])),
        };
        // A list that is dead is not changed; what the memory holds is read only through its view.
        let is_stack = matches!(node.op, Op::List(ListOp::Stack { .. }));
        if is_stack && !self.tree.is_live_after(node.operands[0], block, index) {
            return Some(read);
        }
        let last = self.last_use(read, block)?.max(index);
        (!self.moves.any(moved, block, index, last + 1)).then_some(read)
    }

    /// The value that a node puts into a list or on a tape, if it can be made there.
    fn made_in_place(&self, block: BlockId, index: usize) -> Option<(ValueId, Destination)> {
        let node = self.tree.node(block, index);
        let (value, moved, destination) = match &node.op {
            Op::List(ListOp::Append) => {
                let (list, value) = (node.operands[0], node.operands[1]);
                let moved = Moved::Lists(self.tree.function.ty(list));
                (value, moved, Destination::List(list, index))
            }
            Op::TapePush(tape) => (node.operands[0], Moved::Tape(*tape), Destination::Tape(*tape, index)),
            _ => return None,
        };
        let made = self.made[value].filter(|_| self.tree.defining_block(value) == block)?;
        let maker = self.tree.node(block, made);
        let is_kernel = maker.regions.is_empty()
            && !matches!(maker.op, Op::List(_) | Op::TapePop(_) | Op::TapeSave(_) | Op::Call(_));
        if !is_kernel || self.fusion.is_part(block, made) || !self.has_elements(value) {
            return None;
        }
        let last = self.last_use(value, block)?;
        let stays = match destination {
            // What follows may change the list, which would move the value.
            Destination::List(list, _) => {
                let list_is_made = self.tree.defining_block(list) != block
                    || self.made[list].is_none_or(|position| position < made);
                list_is_made && last == index && !self.moves.any(moved, block, made, index)
            }
            // A value on a tape is never moved, but others may be put over it once it is taken off.
            Destination::Tape(..) => {
                !self.moves.any(Moved::AnyTape, block, made, last + 1)
                    && !self.moves.any(moved, block, made, index)
                    && !self.moves.any(moved, block, index, last + 1)
            }
        };
        stays.then_some((value, destination))
    }

    /// Whether a value is an array of some elements, whose sizes are known.
    fn has_elements(&self, value: ValueId) -> bool {
        let tensor = self.tree.function.ty(value).tensor();
        let sizes = tensor.filter(|tensor| !tensor.is_scalar()).and_then(|tensor| tensor.sizes());
        sizes.is_some_and(|sizes| !sizes.contains(&0))
    }

    /// The last node of a block at which a value that is made there may be read, also through views of it;
    /// none if that is not known.
    fn last_use(&self, value: ValueId, block: BlockId) -> Option<usize> {
        let mut last = self.made[value]?;
        let mut followed = vec![value];
        let mut next = 0;
        while let Some(one) = followed.get(next).copied() {
            next += 1;
            if self.tree.defining_block(one) == block
                && let Some(used) = self.tree.last_use(one, block)
            {
                last = last.max(used);
            }
            for user in &self.users[one] {
                let User::Node(user_block, user) = user else { return None };
                let node = self.tree.node(*user_block, *user);
                if !node.regions.is_empty() || matches!(node.op, Op::Call(_) | Op::Keep(_)) {
                    return None;
                }
                if !reads_only(&node.op) {
                    let arrays = node.results.iter().copied();
                    followed.extend(arrays.filter(|result| !self.tree.function.ty(*result).is_scalar()));
                }
            }
            if followed.len() > MOST_FOLLOWED {
                return None;
            }
        }
        Some(last).filter(|last| *last != usize::MAX)
    }
}

/// Whether the results of an op are never views of an array operand. Of what is not listed, they may be.
fn reads_only(op: &Op) -> bool {
    op.is_elementwise()
        || matches!(
            op,
            Op::Dot(_)
                | Op::Reduce { .. }
                | Op::Concatenate(_)
                | Op::TapePush(_)
                | Op::Check(_)
                | Op::Print { .. }
                | Op::Callback(_)
                | Op::List(ListOp::Append | ListOp::Set | ListOp::Insert | ListOp::Make(_))
        )
}
