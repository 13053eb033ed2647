//! Batched indexing: the row number becomes one more index.
//!
//! ```text
//! gather %x, %i              // rows f64[5] and i64[], both batched
//! %1: i64[n] = iota
//! %2: f64[n] = gather %x, %1, %i
//! ```

use ag_ir::{BinaryOp, CompareOp, DType, Op, ReduceOp, Store, ValueId};

use super::{Arg, Batcher};
use crate::error::GradientError;

/// The axes that a gather or a scatter indexes: the first, and their number.
type Indexed = (usize, usize);

impl Batcher<'_> {
    pub(super) fn gather(
        &mut self,
        axis: usize,
        count: usize,
        x: Arg,
        picks: &[Arg],
    ) -> Result<ValueId, GradientError> {
        let rank = picks.iter().map(|pick| pick.rank).max().unwrap_or(0);
        if !picks.iter().any(|pick| pick.is_batched) {
            let picks = picks.iter().map(|pick| pick.value);
            let operands: Vec<ValueId> = std::iter::once(x.value).chain(picks).collect();
            return self.emit(Op::Gather { axis: axis + 1, count }, &operands);
        }
        let indices: Vec<ValueId> =
            picks.iter().map(|pick| self.aligned(*pick, rank)).collect::<Result<_, _>>()?;
        if !x.is_batched {
            let operands = [&[x.value], &indices[..]].concat();
            let picked = self.emit(Op::Gather { axis, count }, &operands)?;
            return self.fronted(picked, axis);
        }
        let x_first = self.indexed_first(x.value, (axis, count))?;
        let operands = [&[x_first, self.row_indices(rank)?], &indices[..]].concat();
        let picked = self.emit(Op::Gather { axis: 0, count: count + 1 }, &operands)?;
        // The order of axes: batch, picked, those before the indexed ones, those after.
        let total = self.builder.function().tensor(picked).rank();
        let axes = [
            &[0],
            &range(1 + rank, axis)[..],
            &range(1, rank),
            &range(1 + rank + axis, total - 1 - rank - axis),
        ];
        self.permuted(picked, axes.concat())
    }

    pub(super) fn scatter(
        &mut self,
        store: Store,
        indexed: Indexed,
        x: Arg,
        v: Arg,
        picks: &[Arg],
    ) -> Result<ValueId, GradientError> {
        let (axis, count) = indexed;
        let op = |axis, count| Op::Scatter { axis, count, store };
        let base = self.rows_of(x)?;
        let rank = picks.iter().map(|pick| pick.rank).max().unwrap_or(0);
        // The axes of one row's result: before, picked, after.
        let total = x.rank - count + rank;
        if !picks.iter().any(|pick| pick.is_batched) {
            let update = self.aligned(v, total)?;
            let picks = picks.iter().map(|pick| pick.value);
            let operands: Vec<ValueId> = [base, update].into_iter().chain(picks).collect();
            return self.emit(op(axis + 1, count), &operands);
        }
        let mut operands = vec![self.indexed_first(base, indexed)?, self.update_first(v, axis, rank, total)?];
        operands.push(self.row_indices(rank)?);
        for pick in picks {
            operands.push(self.aligned(*pick, rank)?);
        }
        let written = self.emit(op(0, count + 1), &operands)?;
        // Back to the order batch, before, indexed, after.
        let after = x.rank - axis - count;
        let axes = [&[0], &range(1 + count, axis)[..], &range(1, count), &range(1 + count + axis, after)];
        self.permuted(written, axes.concat())
    }

    /// Transposes `(n, before, indexed, after)` to `(n, indexed, before, after)`.
    fn indexed_first(&mut self, x: ValueId, (axis, count): Indexed) -> Result<ValueId, GradientError> {
        let total = self.builder.function().tensor(x).rank();
        let end = 1 + axis + count;
        let axes = [&[0], &range(1 + axis, count)[..], &range(1, axis), &range(end, total - end)];
        self.permuted(x, axes.concat())
    }

    /// The written value, with its axes in the order picked, before, after.
    fn update_first(
        &mut self,
        v: Arg,
        axis: usize,
        rank: usize,
        total: usize,
    ) -> Result<ValueId, GradientError> {
        let front = usize::from(v.is_batched);
        if axis == 0 {
            return self.aligned(v, total);
        }
        let full = self.with_axes(v.value, front, front + total)?;
        let axes = [
            &range(0, front)[..],
            &range(front + axis, rank),
            &range(front, axis),
            &range(front + axis + rank, total - axis - rank),
        ];
        self.permuted(full, axes.concat())
    }

    /// The row numbers, with axes of size 1 to broadcast with indices of this rank.
    pub(super) fn row_indices(&mut self, rank: usize) -> Result<ValueId, GradientError> {
        let numbers = self.numbers()?;
        self.with_axes(numbers, 1, 1 + rank)
    }

    pub(super) fn dynamic_slice(
        &mut self,
        axis: usize,
        size: usize,
        x: Arg,
        start: Arg,
    ) -> Result<ValueId, GradientError> {
        if !start.is_batched {
            return self.emit(Op::DynamicSlice { axis: axis + 1, size }, &[x.value, start.value]);
        }
        let extent = self.size_of(x.value, axis + usize::from(x.is_batched));
        let length = self.integer(i64::try_from(size).unwrap_or(i64::MAX));
        self.fail_where_outside(start.value, extent, length, |batcher, row| {
            let x = if x.is_batched { batcher.picked(&[x.value], row)?[0] } else { x.value };
            let start = batcher.picked(&[start.value], row)?[0];
            batcher.emit(Op::DynamicSlice { axis, size }, &[x, start])
        })?;
        let along = self.emit(Op::Iota { dtype: DType::I64, size }, &[])?;
        let places = self.places_from(start.value, along)?;
        self.gather(axis, 1, x, &[places])
    }

    pub(super) fn dynamic_update_slice(
        &mut self,
        axis: usize,
        x: Arg,
        v: Arg,
        start: Arg,
    ) -> Result<ValueId, GradientError> {
        if !start.is_batched {
            let (base, update) = (self.rows_of(x)?, self.rows_of(v)?);
            return self.emit(Op::DynamicUpdateSlice { axis: axis + 1 }, &[base, update, start.value]);
        }
        let length = self.size_of(v.value, axis + usize::from(v.is_batched));
        let extent = self.size_of(x.value, axis + usize::from(x.is_batched));
        self.fail_where_outside(start.value, extent, length, |batcher, row| {
            let mut one = |arg: Arg| -> Result<ValueId, GradientError> {
                Ok(if arg.is_batched { batcher.picked(&[arg.value], row)?[0] } else { arg.value })
            };
            let operands = [one(x)?, one(v)?, one(start)?];
            batcher.emit(Op::DynamicUpdateSlice { axis }, &operands)
        })?;
        let along = self.counting(v.value, axis + usize::from(v.is_batched))?;
        let places = self.places_from(start.value, along)?;
        self.scatter(Store::Replace, (axis, 1), x, v, &[places])
    }

    /// `start[:, None] + along`
    fn places_from(&mut self, start: ValueId, along: ValueId) -> Result<Arg, GradientError> {
        let starts = self.with_axes(start, 1, 2)?;
        Ok(Arg { value: self.plus(starts, along)?, is_batched: true, rank: 1 })
    }

    /// If a block lies outside its axis for any row, runs the op for the first such row alone, which fails
    /// with the op's own message.
    fn fail_where_outside(
        &mut self,
        start: ValueId,
        extent: ValueId,
        length: ValueId,
        op: impl FnOnce(&mut Self, ValueId) -> Result<ValueId, GradientError>,
    ) -> Result<(), GradientError> {
        let zero = self.integer(0);
        let last = self.minus(extent, length)?;
        let (below, above) =
            (self.compare(CompareOp::Lt, start, zero)?, self.compare(CompareOp::Gt, start, last)?);
        let outside = self.integers(BinaryOp::BitOr, below, above)?;
        let any = self.any(outside)?;
        self.builder.open();
        let row = self.first_row(outside)?;
        op(self, row)?;
        let then = self.builder.close(Vec::new());
        self.builder.open();
        let otherwise = self.builder.close(Vec::new());
        self.emit_with(Op::If, &[any], vec![then, otherwise])?;
        Ok(())
    }

    /// Whether a mask is true for any row.
    pub(super) fn any(&mut self, mask: ValueId) -> Result<ValueId, GradientError> {
        self.over_all(ReduceOp::Any, mask)
    }

    /// Reduces a mask over all its axes.
    pub(super) fn over_all(&mut self, op: ReduceOp, mask: ValueId) -> Result<ValueId, GradientError> {
        let rank = self.builder.function().tensor(mask).rank();
        self.emit(Op::Reduce { op, axes: (0..rank).collect(), keepdims: false }, &[mask])
    }

    /// The number of the first row for which a mask is true; there is one.
    pub(super) fn first_row(&mut self, mask: ValueId) -> Result<ValueId, GradientError> {
        let found = self.emit(Op::Nonzero, &[mask])?;
        let zero = self.integer(0);
        Ok(self.picked(&[found], zero)?[0])
    }
}

fn range(start: usize, count: usize) -> Vec<usize> {
    (start..start + count).collect()
}
