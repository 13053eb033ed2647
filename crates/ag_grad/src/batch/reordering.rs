//! Batched list ops that move values: each row computes which of its values goes where.
//!
//! ```text
//! list_delete %0, %i             place k takes the value k, or k + 1 from %i on
//! ```

use ag_ir::{BinaryOp, CompareOp, DType, ListFailure, Op, Overflow, UnaryOp, ValueId};

use super::Batcher;
use super::lists::Leaves;
use crate::error::GradientError;

impl Batcher<'_> {
    /// Reorders `length` values of each row: value `k` of the result is the value at `place(k)`.
    fn reordered(
        &mut self,
        list: &[ValueId],
        lengths: ValueId,
        place: impl FnOnce(&mut Self, ValueId) -> Result<ValueId, GradientError>,
    ) -> Result<Leaves, GradientError> {
        let longest = self.longest(lengths)?;
        let along = self.emit(Op::IotaTo(DType::I64), &[longest])?;
        let places = place(self, along)?;
        // Positions past the end of a list may hold anything.
        let (zero, one) = (self.integer(0), self.integer(1));
        let room = self.room(list);
        let last = self.minus(room, one)?;
        let places = self.integers(BinaryOp::Minimum, places, last)?;
        let places = self.integers(BinaryOp::Maximum, places, zero)?;
        let mut leaves = vec![lengths];
        leaves.extend(self.taken(list, places)?);
        Ok(leaves)
    }

    /// One number for each row, as a column that broadcasts with numbers along an axis.
    pub(super) fn column(&mut self, numbers: ValueId) -> Result<ValueId, GradientError> {
        self.with_axes(numbers, 1, 2)
    }

    fn mask_as_number(&mut self, mask: ValueId) -> Result<ValueId, GradientError> {
        self.emit(Op::Cast(DType::I64), &[mask])
    }

    pub(super) fn insert(
        &mut self,
        list: &[ValueId],
        index: ValueId,
        value: &[ValueId],
    ) -> Result<Leaves, GradientError> {
        let zero = self.integer(0);
        let index = self.integers(BinaryOp::Maximum, index, zero)?;
        let index = self.integers(BinaryOp::Minimum, index, list[0])?;
        // Grow first: an empty list has no value to move.
        let list = self.with_room(list)?;
        let lengths = self.of_length(list.clone(), 1)?[0];
        let moved = self.reordered(&list, lengths, |batcher, along| {
            let at = batcher.column(index)?;
            let is_behind = batcher.compare(CompareOp::Gt, along, at)?;
            let is_behind = batcher.mask_as_number(is_behind)?;
            batcher.minus(along, is_behind)
        })?;
        self.written(&moved, index, value)
    }

    pub(super) fn delete(&mut self, list: &[ValueId], index: ValueId) -> Result<Leaves, GradientError> {
        self.demand_inside(index, list[0], ListFailure::Set)?;
        let lengths = self.of_length(list.to_vec(), -1)?[0];
        self.reordered(list, lengths, |batcher, along| {
            let at = batcher.column(index)?;
            let is_behind = batcher.compare(CompareOp::Ge, along, at)?;
            let is_behind = batcher.mask_as_number(is_behind)?;
            batcher.plus(along, is_behind)
        })
    }

    pub(super) fn joined(&mut self, list: &[ValueId], other: &[ValueId]) -> Result<Leaves, GradientError> {
        let mut both = vec![list[0]];
        for (depth, (one, other)) in list[1..].iter().zip(&other[1..]).enumerate() {
            let (mut one, mut other) = (*one, *other);
            for axis in 2..depth + 2 {
                [one, other] = self.evened([one, other], axis)?;
            }
            both.push(self.emit(Op::Concatenate(1), &[one, other])?);
        }
        let lengths = self.plus(list[0], other[0])?;
        let room = self.room(list);
        self.reordered(&both, lengths, |batcher, along| {
            // The values of the other list come after the room of the first one.
            let end = batcher.column(list[0])?;
            let is_behind = batcher.compare(CompareOp::Ge, along, end)?;
            let gap = batcher.minus(room, end)?;
            let further = batcher.plus(along, gap)?;
            batcher.select(is_behind, further, along)
        })
    }

    pub(super) fn sliced(
        &mut self,
        list: &[ValueId],
        [start, stop, step]: [ValueId; 3],
    ) -> Result<Leaves, GradientError> {
        let (zero, one) = (self.integer(0), self.integer(1));
        let moves = self.compare(CompareOp::Ne, step, zero)?;
        self.demand_all(moves, ListFailure::Step)?;
        // len(range(start, stop, step)): ceil((stop - start) / step), but at least 0.
        let distance = self.minus(start, stop)?;
        let count = self.integers(BinaryOp::FloorDiv, distance, step)?;
        let count = self.emit(Op::Unary(UnaryOp::Neg, Overflow::Wrap), &[count])?;
        let lengths = self.integers(BinaryOp::Maximum, count, zero)?;
        let last = self.minus(lengths, one)?;
        let last = self.times(last, step)?;
        let last = self.plus(start, last)?;
        let is_empty = self.compare(CompareOp::Eq, lengths, zero)?;
        for index in [start, last] {
            let (above, below) =
                (self.compare(CompareOp::Ge, index, zero)?, self.compare(CompareOp::Lt, index, list[0])?);
            let inside = self.integers(BinaryOp::BitAnd, above, below)?;
            let fits = self.integers(BinaryOp::BitOr, inside, is_empty)?;
            self.demand_all(fits, ListFailure::Get)?;
        }
        self.reordered(list, lengths, |batcher, along| {
            let (start, step) = (batcher.column(start)?, batcher.column(step)?);
            let distance = batcher.times(along, step)?;
            batcher.plus(distance, start)
        })
    }

    pub(super) fn reversed(&mut self, list: &[ValueId]) -> Result<Leaves, GradientError> {
        self.reordered(list, list[0], |batcher, along| {
            let one = batcher.integer(1);
            let last = batcher.minus(list[0], one)?;
            let last = batcher.column(last)?;
            batcher.minus(last, along)
        })
    }
}
