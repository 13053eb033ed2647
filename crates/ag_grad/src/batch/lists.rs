//! Batched list ops; `ragged` describes how a list of each row is stored.
//!
//! ```text
//! %2 = list_append %1, %0           // of one row
//!
//! if any %lengths == room { room += 4 }
//! %values2 = scatter %values, %0, %row_numbers, %lengths
//! %lengths2 = add %lengths, 1
//! ```
//!
//! The failures are those of a single list: if any row fails, the op fails with Python's message.

use ag_ir::{
    BinaryOp, Check, CompareOp, Dim, Failure, ListFailure, ListOp, Node, Op, ReduceOp, Store, Type, ValueId,
};

use super::Batcher;
use super::rows::leaf_types;
use crate::error::GradientError;

/// The least growth of the room for values; otherwise it doubles.
const MORE_ROOM: i64 = 4;

/// The arrays that represent a list, see `ragged`.
pub(super) type Leaves = Vec<ValueId>;

impl Batcher<'_> {
    pub(super) fn list(&mut self, node: &Node, op: &ListOp) -> Result<(), GradientError> {
        let results = self.list_results(node, op)?;
        for (result, leaves) in node.results.iter().zip(results) {
            self.bind(*result, leaves)?;
        }
        Ok(())
    }

    fn list_results(&mut self, node: &Node, op: &ListOp) -> Result<Vec<Leaves>, GradientError> {
        match op {
            ListOp::Make(element) => return Ok(vec![self.list_make(node, element)?]),
            ListOp::Unstack => {
                let rows = self.in_rows(node.operands[0])?[0];
                let length = self.size_of(rows, 1);
                return Ok(vec![vec![self.repeated(length)?, rows]]);
            }
            ListOp::Get if !self.is_batched(node.operands[0]) => {
                if let Some(value) = self.get_of_one(node)? {
                    return Ok(vec![vec![value]]);
                }
            }
            _ => {}
        }
        let mut operands: Vec<Leaves> = Vec::new();
        for operand in &node.operands {
            operands.push(self.in_rows(*operand)?);
        }
        let Some((list, rest)) = operands.split_first() else { return self.refuse("a list is needed") };
        let first = |number: usize| rest[number][0];
        Ok(match op {
            ListOp::Append => vec![self.append(list, &rest[0])?],
            ListOp::Pop => {
                let (list, last) = self.pop(list)?;
                vec![list, last]
            }
            ListOp::Get => vec![self.get(list, first(0), ListFailure::Get)?],
            ListOp::Set => vec![self.set_value(list, first(0), &rest[1])?],
            ListOp::Insert => vec![self.insert(list, first(0), &rest[1])?],
            ListOp::Delete => vec![self.delete(list, first(0))?],
            ListOp::Concatenate => vec![self.joined(list, &rest[0])?],
            ListOp::Slice => vec![self.sliced(list, [first(0), first(1), first(2)])?],
            ListOp::Reverse => vec![self.reversed(list)?],
            ListOp::Length => vec![vec![list[0]]],
            ListOp::Stack { size } => vec![vec![self.stacked_lists(node, list, *size)?]],
            ListOp::GetIn => {
                let inner = self.get(list, first(0), ListFailure::Get)?;
                vec![self.get(&inner, first(1), ListFailure::Get)?]
            }
            ListOp::SetIn => {
                let inner = self.get(list, first(0), ListFailure::Get)?;
                let inner = self.set_value(&inner, first(1), &rest[2])?;
                vec![self.set_value(list, first(0), &inner)?]
            }
            ListOp::AppendIn => {
                let inner = self.get(list, first(0), ListFailure::Get)?;
                let inner = self.append(&inner, &rest[1])?;
                vec![self.set_value(list, first(0), &inner)?]
            }
            ListOp::PopIn => {
                let inner = self.get(list, first(0), ListFailure::Get)?;
                let (inner, last) = self.pop(&inner)?;
                vec![self.set_value(list, first(0), &inner)?, last]
            }
            ListOp::LengthIn => vec![vec![self.get(list, first(0), ListFailure::Get)?[0]]],
            ListOp::Flatten => vec![self.flat(list)?],
            ListOp::Zeros => vec![self.zeroed(node, list)?],
            ListOp::Make(_) | ListOp::Unstack => Vec::new(),
        })
    }

    fn list_make(&mut self, node: &Node, element: &Type) -> Result<Leaves, GradientError> {
        let mut columns: Vec<Leaves> = Vec::new();
        for operand in &node.operands {
            columns.push(self.in_rows(*operand)?);
        }
        let count = self.integer(i64::try_from(columns.len()).unwrap_or(i64::MAX));
        let mut leaves = vec![self.repeated(count)?];
        for depth in 0..leaf_types(element, &[]).len() {
            let mut parts: Vec<ValueId> = columns.iter().map(|column| column[depth]).collect();
            for axis in 1..=depth {
                let mut room = self.integer(0);
                for part in &parts {
                    let own = self.size_of(*part, axis);
                    room = self.integers(BinaryOp::Maximum, room, own)?;
                }
                for part in &mut parts {
                    *part = self.padded(*part, axis, room)?;
                }
            }
            for part in &mut parts {
                let rank = self.builder.function().tensor(*part).rank();
                *part = self.with_axes(*part, 1, rank + 1)?;
            }
            leaves.push(self.emit(Op::Concatenate(1), &parts)?);
        }
        Ok(leaves)
    }

    /// Reads a list of arrays that is the same for all rows, at an index of each row.
    fn get_of_one(&mut self, node: &Node) -> Result<Option<ValueId>, GradientError> {
        let list = self.same(node.operands[0])?;
        let element = self.builder.function().ty(list).element().cloned();
        if !matches!(element, Some(Type::Tensor(_))) {
            return Ok(None);
        }
        let index = self.in_rows(node.operands[1])?[0];
        let length = self.emit(Op::List(ListOp::Length), &[list])?;
        self.demand_inside(index, length, ListFailure::Get)?;
        let values = self.emit(Op::List(ListOp::Stack { size: None }), &[list])?;
        Ok(Some(self.emit(Op::Gather { axis: 0, count: 1 }, &[values, index])?))
    }

    /// Fails with Python's message unless all indices are below the lengths and not negative.
    pub(super) fn demand_inside(
        &mut self,
        index: ValueId,
        length: ValueId,
        failure: ListFailure,
    ) -> Result<(), GradientError> {
        let zero = self.integer(0);
        let (above, below) =
            (self.compare(CompareOp::Ge, index, zero)?, self.compare(CompareOp::Lt, index, length)?);
        let inside = self.integers(BinaryOp::BitAnd, above, below)?;
        self.demand_all(inside, failure)
    }

    pub(super) fn demand_all(&mut self, mask: ValueId, failure: ListFailure) -> Result<(), GradientError> {
        let all = self.over_all(ReduceOp::All, mask)?;
        let Failure::Check { error, message, .. } = Failure::from(failure) else { return Ok(()) };
        self.emit_all(Op::Check(Check { error, message, site: None }), &[all]).map(|_| ())
    }

    /// The values at an index of each row, or at several.
    pub(super) fn taken(&mut self, list: &[ValueId], index: ValueId) -> Result<Leaves, GradientError> {
        let rank = self.builder.function().tensor(index).rank() - 1;
        let rows = self.row_indices(rank)?;
        let gather = Op::Gather { axis: 0, count: 2 };
        list[1..].iter().map(|leaf| self.emit(gather.clone(), &[*leaf, rows, index])).collect()
    }

    fn get(
        &mut self,
        list: &[ValueId],
        index: ValueId,
        failure: ListFailure,
    ) -> Result<Leaves, GradientError> {
        let index = self.inside(index, list[0], failure)?;
        self.taken(list, index)
    }

    /// An index of each row that is below the length of its list.
    ///
    /// Where no row has a list there is no room, and no index may be read from it: so an index that is the
    /// same for all rows of an outer batch must become one of each.
    fn inside(
        &mut self,
        index: ValueId,
        length: ValueId,
        failure: ListFailure,
    ) -> Result<ValueId, GradientError> {
        self.demand_inside(index, length, failure)?;
        self.integers(BinaryOp::Minimum, index, length)
    }

    fn set_value(
        &mut self,
        list: &[ValueId],
        index: ValueId,
        value: &[ValueId],
    ) -> Result<Leaves, GradientError> {
        let index = self.inside(index, list[0], ListFailure::Set)?;
        self.written(list, index, value)
    }

    /// Writes a value at an index of each row, for which there is room.
    pub(super) fn written(
        &mut self,
        list: &[ValueId],
        index: ValueId,
        value: &[ValueId],
    ) -> Result<Leaves, GradientError> {
        let rows = self.row_indices(0)?;
        let mut leaves = vec![list[0]];
        for (depth, (leaf, own)) in list[1..].iter().zip(value).enumerate() {
            let (mut leaf, mut own) = (*leaf, *own);
            // Inner lists: both get as much room.
            for axis in 1..=depth {
                let (all, one) = (self.size_of(leaf, axis + 1), self.size_of(own, axis));
                let room = self.integers(BinaryOp::Maximum, all, one)?;
                (leaf, own) = (self.padded(leaf, axis + 1, room)?, self.padded(own, axis, room)?);
            }
            leaves.push(
                self.emit(
                    Op::Scatter { axis: 0, count: 2, store: Store::Replace },
                    &[leaf, own, rows, index],
                )?,
            );
        }
        Ok(leaves)
    }

    fn append(&mut self, list: &[ValueId], value: &[ValueId]) -> Result<Leaves, GradientError> {
        let list = self.with_room(list)?;
        let written = self.written(&list, list[0], value)?;
        self.of_length(written, 1)
    }

    /// The list with its lengths increased by `more`.
    pub(super) fn of_length(&mut self, mut list: Leaves, more: i64) -> Result<Leaves, GradientError> {
        let more = self.integer(more);
        list[0] = self.plus(list[0], more)?;
        Ok(list)
    }

    /// A list with room for one more value in each row.
    pub(super) fn with_room(&mut self, list: &[ValueId]) -> Result<Leaves, GradientError> {
        let mut open = Vec::new();
        for leaf in &list[1..] {
            open.push(self.opened(*leaf, 1)?);
        }
        let room = self.size_of(open[0], 1);
        let is_full = self.compare(CompareOp::Eq, list[0], room)?;
        let any = self.any(is_full)?;
        self.builder.open();
        let more = self.integer(MORE_ROOM);
        let more = self.plus(room, more)?;
        let mut longer = Vec::new();
        for leaf in &open {
            longer.push(self.lengthened(*leaf, 1, more)?);
        }
        let then = self.builder.close(longer);
        self.builder.open();
        let otherwise = self.builder.close(open);
        let mut leaves = vec![list[0]];
        leaves.extend(self.emit_with(Op::If, &[any], vec![then, otherwise])?);
        Ok(leaves)
    }

    fn pop(&mut self, list: &[ValueId]) -> Result<(Leaves, Leaves), GradientError> {
        let zero = self.integer(0);
        let has_one = self.compare(CompareOp::Gt, list[0], zero)?;
        self.demand_all(has_one, ListFailure::Pop)?;
        let shorter = self.of_length(list.to_vec(), -1)?;
        let last = self.taken(list, shorter[0])?;
        Ok((shorter, last))
    }

    /// The values of lists that must all have one length.
    fn stacked_lists(
        &mut self,
        node: &Node,
        list: &[ValueId],
        size: Option<usize>,
    ) -> Result<ValueId, GradientError> {
        let values = match size {
            None => self.rectangle(list)?,
            Some(size) => {
                let wanted = self.integer(i64::try_from(size).unwrap_or(i64::MAX));
                let fits = self.compare(CompareOp::Eq, list[0], wanted)?;
                let all = self.over_all(ReduceOp::All, fits)?;
                let message =
                    format!("a list in a row has not the {size} values that the graph was made for");
                self.demand(all, "GraphValueError", &message)?;
                // If there are no rows, there is no room either.
                let values = self.padded(list[1], 1, wanted)?;
                let (start, step) = (self.integer(0), self.integer(1));
                self.emit(Op::SliceRange { axis: 1 }, &[values, start, wanted, step])?
            }
        };
        let shape = self.types(node.results[0])[0].shape.clone();
        self.shaped(values, &shape)
    }

    /// Concatenates all inner lists of a list of lists.
    fn flat(&mut self, list: &[ValueId]) -> Result<Leaves, GradientError> {
        let [lengths, inner, values] = list else {
            return self.refuse_at_once("list_flatten: a list of lists of lists which differs between rows");
        };
        // The length of each inner list; 0 past the end.
        let along = self.counting(*inner, 1)?;
        let end = self.column(*lengths)?;
        let is_there = self.compare(CompareOp::Lt, along, end)?;
        let zero = self.integer(0);
        let counts = self.select(is_there, *inner, zero)?;
        let ends = self.emit(Op::Cumulative { op: ReduceOp::Sum, axis: 1 }, &[counts])?;
        let starts = self.minus(ends, counts)?;
        let total = self.emit(Op::Reduce { op: ReduceOp::Sum, axes: vec![1], keepdims: false }, &[counts])?;
        let longest = self.longest(total)?;
        // Each existing value goes to its position.
        let places = self.counting(*values, 2)?;
        let column = self.with_axes(counts, 2, 3)?;
        let is_value = self.compare(CompareOp::Lt, places, column)?;
        let found = self.emit_all(Op::Nonzero, &[is_value])?;
        let own = self.emit(Op::Gather { axis: 0, count: 3 }, &[*values, found[0], found[1], found[2]])?;
        let start = self.emit(Op::Gather { axis: 0, count: 2 }, &[starts, found[0], found[1]])?;
        let place = self.plus(start, found[2])?;
        let mut ty = self.builder.function().tensor(*values).clone();
        ty.shape.remove(1);
        ty.shape[1] = Dim::Unknown;
        let sizes = [&self.open_count()[..], &[longest]].concat();
        let zeros = self.zeros(&ty, &sizes)?;
        let flat = self
            .emit(Op::Scatter { axis: 0, count: 2, store: Store::Replace }, &[zeros, own, found[0], place])?;
        Ok(vec![total, flat])
    }

    fn zeroed(&mut self, node: &Node, list: &[ValueId]) -> Result<Leaves, GradientError> {
        let ty = self.builder.function().ty(node.results[0]).clone();
        let zeros = self.empty_like(&ty, list)?;
        // The lengths stay; the last array has the values.
        let values = zeros.len() - 1;
        Ok(list[..values].iter().copied().chain([zeros[values]]).collect())
    }
}
