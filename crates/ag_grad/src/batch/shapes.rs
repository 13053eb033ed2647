//! Batched ops that change shapes or work along axes: the batch is one more axis in front.
//!
//! ```text
//! sum axis=0 of rows f64[3]        sum axis=1 of f64[n, 3]
//! ```
//!
//! All rows have the same sizes, so a size that differs between rows is refused.

use ag_ir::{DType, Dim, Op, Store, TensorType, ValueId, WithShape};

use super::{Arg, Batcher};
use crate::emit;
use crate::error::GradientError;

impl Batcher<'_> {
    /// Integer operands for sizes or bounds, which must be the same for all rows.
    fn shared(&mut self, what: &str, numbers: &[Arg]) -> Result<Vec<ValueId>, GradientError> {
        if numbers.iter().any(|number| number.is_batched) {
            return self.refuse_at_once(&format!("{what}: rows would have different sizes"));
        }
        Ok(numbers.iter().map(|number| number.value).collect())
    }

    pub(super) fn with_shape(&mut self, wanted: &WithShape, x: Arg) -> Result<ValueId, GradientError> {
        let (shape, message) = (self.batched(&wanted.shape), wanted.message.clone());
        self.emit(Op::WithShape(WithShape { shape, message }), &[x.value])
    }

    pub(super) fn broadcast(
        &mut self,
        shape: &[Dim],
        x: Arg,
        sizes: &[Arg],
    ) -> Result<ValueId, GradientError> {
        let sizes = self.shared("broadcast", sizes)?;
        if !x.is_batched {
            return self.refuse_at_once("broadcast: rows would have different sizes");
        }
        let aligned = self.aligned(x, shape.len())?;
        let operands = [&[aligned], &self.open_count()[..], &sizes].concat();
        self.emit(Op::Broadcast(self.batched(shape)), &operands)
    }

    pub(super) fn reshape_rows(
        &mut self,
        shape: &[Dim],
        x: Arg,
        sizes: &[Arg],
    ) -> Result<ValueId, GradientError> {
        let sizes = self.shared("reshape", sizes)?;
        let operands = [&[x.value], &self.open_count()[..], &sizes].concat();
        self.emit(Op::Reshape(self.batched(shape)), &operands)
    }

    pub(super) fn transpose(&mut self, permutation: &[usize], x: Arg) -> Result<ValueId, GradientError> {
        let axes = std::iter::once(0).chain(permutation.iter().map(|axis| axis + 1)).collect();
        self.permuted(x.value, axes)
    }

    /// An array with its axes in another order.
    pub(super) fn permuted(&mut self, value: ValueId, axes: Vec<usize>) -> Result<ValueId, GradientError> {
        if axes.iter().enumerate().all(|(place, axis)| place == *axis) {
            return Ok(value);
        }
        self.emit(Op::Transpose(axes), &[value])
    }

    /// An array with an axis moved to the front.
    pub(super) fn fronted(&mut self, value: ValueId, axis: usize) -> Result<ValueId, GradientError> {
        let rank = self.builder.function().tensor(value).rank();
        let axes = std::iter::once(axis).chain((0..rank).filter(|other| *other != axis)).collect();
        self.permuted(value, axes)
    }

    pub(super) fn slice(
        &mut self,
        start: &[i64],
        size: &[Dim],
        step: &[i64],
        x: Arg,
    ) -> Result<ValueId, GradientError> {
        let op = Op::Slice {
            start: [&[0], start].concat(),
            size: self.batched(size),
            step: [&[1], step].concat(),
        };
        self.emit(op, &[x.value])
    }

    pub(super) fn slice_range(
        &mut self,
        axis: usize,
        x: Arg,
        bounds: &[Arg],
    ) -> Result<ValueId, GradientError> {
        let bounds = self.shared("slice_range", bounds)?;
        self.emit(Op::SliceRange { axis: axis + 1 }, &[&[x.value], &bounds[..]].concat())
    }

    /// An update of a slice, if all sizes are known; else a scatter at the indices of the slice.
    pub(super) fn update_slice(
        &mut self,
        start: &[i64],
        step: &[i64],
        x: Arg,
        v: Arg,
    ) -> Result<ValueId, GradientError> {
        let (base, update) = (self.rows_of(x)?, self.rows_of(v)?);
        let shape = self.builder.function().tensor(update).shape.clone();
        if x.rank == 0 {
            return Ok(update);
        }
        if !shape.contains(&Dim::Unknown) {
            let op = Op::UpdateSlice { start: [&[0], start].concat(), step: [&[1], step].concat() };
            return self.emit(op, &[base, update]);
        }
        let mut operands = vec![base, update];
        for axis in 0..x.rank {
            let places = self.places_along(update, axis + 1, start[axis], step[axis])?;
            operands.push(self.with_axes(places, 1, x.rank - axis)?);
        }
        self.emit(Op::Scatter { axis: 1, count: x.rank, store: Store::Replace }, &operands)
    }

    /// `start + step * k` for each position `k` of an axis.
    fn places_along(
        &mut self,
        value: ValueId,
        axis: usize,
        start: i64,
        step: i64,
    ) -> Result<ValueId, GradientError> {
        let places = self.counting(value, axis)?;
        let (start, step) = (self.integer(start), self.integer(step));
        let scaled = self.times(places, step)?;
        self.plus(scaled, start)
    }

    /// 0, 1, 2, … along an axis.
    pub(super) fn counting(&mut self, value: ValueId, axis: usize) -> Result<ValueId, GradientError> {
        match self.builder.function().tensor(value).shape[axis] {
            Dim::Known(size) => self.emit(Op::Iota { dtype: DType::I64, size }, &[]),
            Dim::Unknown => {
                let size = self.size_of(value, axis);
                self.emit(Op::IotaTo(DType::I64), &[size])
            }
        }
    }

    pub(super) fn concatenate(&mut self, axis: usize, parts: &[Arg]) -> Result<ValueId, GradientError> {
        let parts: Vec<ValueId> = parts.iter().map(|part| self.rows_of(*part)).collect::<Result<_, _>>()?;
        self.emit(Op::Concatenate(axis + 1), &parts)
    }

    pub(super) fn along_axes(&mut self, op: &Op, x: Arg) -> Result<ValueId, GradientError> {
        let op = match op {
            Op::Reduce { op, axes, keepdims } => {
                let axes = axes.iter().map(|axis| axis + 1).collect();
                Op::Reduce { op: *op, axes, keepdims: *keepdims }
            }
            Op::ArgReduce { op, axis } => Op::ArgReduce { op: *op, axis: axis + 1 },
            Op::Cumulative { op, axis } => Op::Cumulative { op: *op, axis: axis + 1 },
            Op::ArgSort(axis) => Op::ArgSort(axis + 1),
            Op::Sort(axis) => Op::Sort(axis + 1),
            Op::ArgPartition { axis, ranks } => Op::ArgPartition { axis: axis + 1, ranks: ranks.clone() },
            Op::Partition { axis, ranks } => Op::Partition { axis: axis + 1, ranks: ranks.clone() },
            other => other.clone(),
        };
        self.emit(op, &[x.value])
    }

    /// Zeros of a type; `sizes` are its unknown sizes.
    pub(super) fn zeros(&mut self, ty: &TensorType, sizes: &[ValueId]) -> Result<ValueId, GradientError> {
        emit::filled(self.builder, ty, sizes, 0.0)
    }
}
