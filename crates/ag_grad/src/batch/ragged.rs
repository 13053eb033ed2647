//! Storage of a list of each row: an array of lengths, and an array of values with room for the longest list.
//!
//! ```text
//! list<f64[3]> of each row           lengths i64[n], values f64[n, ?, 3]
//! list<list<f64[]>> of each row      lengths i64[n], lengths i64[n, ?], values f64[n, ?, ?]
//! ```
//!
//! - Values past the end of a list are arbitrary: nothing reads them.
//! - So rows may have lists of different lengths, and a subset of the rows can be gathered and scattered.
//! - Outside of the batched function, a batch of lists is one list of batches, `list<f64[n, 3]>`: then all
//!   rows have the same length.

use ag_ir::{BinaryOp, Check, CompareOp, DType, Dim, ListOp, Op, ReduceOp, Store, TensorType, Type, ValueId};

use super::Batcher;
use super::rows::leaf_types;
use crate::emit;
use crate::error::GradientError;

impl Batcher<'_> {
    /// Scatters some rows into `base`, which has all active rows.
    pub(super) fn put(
        &mut self,
        ty: &Type,
        base: &[ValueId],
        picks: ValueId,
        rows: &[ValueId],
    ) -> Result<Vec<ValueId>, GradientError> {
        let scatter = Op::Scatter { axis: 0, count: 1, store: Store::Replace };
        let types = leaf_types(ty, &[self.dim()]);
        let mut written = Vec::new();
        for (depth, (base, row)) in base.iter().zip(rows).enumerate() {
            let (mut base, mut row) = (*base, *row);
            if matches!(ty, Type::List(_)) {
                for axis in 1..=depth {
                    [base, row] = self.evened([base, row], axis)?;
                }
            } else {
                self.demand_sizes(base, row)?;
            }
            written.push(self.emit(scatter.clone(), &[base, row, picks])?);
        }
        self.typed(written, &types)
    }

    /// Fails if rows of an array differ in size from the others.
    fn demand_sizes(&mut self, base: ValueId, row: ValueId) -> Result<(), GradientError> {
        let rank = self.builder.function().tensor(base).rank();
        for axis in 1..rank {
            if ![base, row].iter().any(|value| self.is_open(*value, axis)) {
                continue;
            }
            let (one, other) = (self.size_of(base, axis), self.size_of(row, axis));
            let is_equal = self.compare(CompareOp::Eq, one, other)?;
            self.demand(is_equal, "GraphValueError", "vmap: rows have different sizes")?;
        }
        Ok(())
    }

    fn is_open(&self, value: ValueId, axis: usize) -> bool {
        self.builder.function().tensor(value).shape[axis] == Dim::Unknown
    }

    pub(super) fn demand(&mut self, ok: ValueId, error: &str, message: &str) -> Result<(), GradientError> {
        let check = Check { error: error.into(), message: message.into(), site: None };
        self.emit_all(Op::Check(check), &[ok]).map(|_| ())
    }

    /// Pads two arrays to the same size along an axis.
    pub(super) fn evened(
        &mut self,
        [one, other]: [ValueId; 2],
        axis: usize,
    ) -> Result<[ValueId; 2], GradientError> {
        let (first, second) = (self.size_of(one, axis), self.size_of(other, axis));
        let most = self.integers(BinaryOp::Maximum, first, second)?;
        Ok([self.padded(one, axis, most)?, self.padded(other, axis, most)?])
    }

    /// Pads an axis of an array with zeros to `wanted`, if it is shorter.
    pub(super) fn padded(
        &mut self,
        value: ValueId,
        axis: usize,
        wanted: ValueId,
    ) -> Result<ValueId, GradientError> {
        let open = self.opened(value, axis)?;
        let has = self.size_of(open, axis);
        let is_short = self.compare(CompareOp::Lt, has, wanted)?;
        self.builder.open();
        let more = self.minus(wanted, has)?;
        let longer = self.lengthened(open, axis, more)?;
        let then = self.builder.close(vec![longer]);
        self.builder.open();
        let otherwise = self.builder.close(vec![open]);
        Ok(self.emit_with(Op::If, &[is_short], vec![then, otherwise])?[0])
    }

    /// Appends this many zeros to an axis of unknown size.
    pub(super) fn lengthened(
        &mut self,
        value: ValueId,
        axis: usize,
        more: ValueId,
    ) -> Result<ValueId, GradientError> {
        let ty = self.builder.function().tensor(value).clone();
        let mut sizes = Vec::new();
        for other in (0..ty.rank()).filter(|other| ty.shape[*other] == Dim::Unknown) {
            sizes.push(if other == axis { more } else { self.size_of(value, other) });
        }
        let zeros = self.zeros(&ty, &sizes)?;
        self.emit(Op::Concatenate(axis), &[value, zeros])
    }

    /// Forgets the size of an axis in the type of an array.
    pub(super) fn opened(&mut self, value: ValueId, axis: usize) -> Result<ValueId, GradientError> {
        let mut shape = self.builder.function().tensor(value).shape.clone();
        shape[axis] = Dim::Unknown;
        self.shaped(value, &shape)
    }

    /// The length of the longest list; 0 if there are no rows.
    pub(super) fn longest(&mut self, lengths: ValueId) -> Result<ValueId, GradientError> {
        let zero = self.integer(0);
        let zero = self.with_axes(zero, 0, 1)?;
        let all = self.emit(Op::Concatenate(0), &[lengths, zero])?;
        self.over_all(ReduceOp::Max, all)
    }

    /// The list of one row.
    pub(super) fn one_list(&mut self, element: &Type, own: &[ValueId]) -> Result<ValueId, GradientError> {
        let (Type::Tensor(_), [length, values]) = (element, own) else {
            return self.refuse("a list of lists which differs between rows is not shown");
        };
        let (start, step) = (self.integer(0), self.integer(1));
        let values = self.emit(Op::SliceRange { axis: 0 }, &[*values, start, *length, step])?;
        self.emit(Op::List(ListOp::Unstack), &[values])
    }

    /// Repeats a list that is the same for all rows, for each row.
    pub(super) fn repeated_list(
        &mut self,
        element: &Type,
        list: ValueId,
    ) -> Result<Vec<ValueId>, GradientError> {
        let leaves = match element {
            Type::Tensor(_) => vec![
                self.emit(Op::List(ListOp::Length), &[list])?,
                self.emit(Op::List(ListOp::Stack { size: None }), &[list])?,
            ],
            Type::List(inner) => match &**inner {
                Type::Tensor(tensor) => self.arrays_of_lists(tensor, list)?,
                Type::List(_) => {
                    return self.refuse_at_once("lists of lists of lists which differ between rows");
                }
            },
        };
        leaves.into_iter().map(|leaf| self.repeated(leaf)).collect()
    }

    /// The length, the inner lengths and the values of a list of lists.
    fn arrays_of_lists(&mut self, inner: &TensorType, list: ValueId) -> Result<Vec<ValueId>, GradientError> {
        let count = self.emit(Op::List(ListOp::Length), &[list])?;
        let (zero, one) = (self.integer(0), self.integer(1));
        let index = Type::scalar(DType::I64);
        // The greatest inner length.
        self.builder.open();
        let (at, most) = (self.builder.param(index.clone()), self.builder.param(index.clone()));
        let length = self.emit(Op::List(ListOp::LengthIn), &[list, at])?;
        let most = self.integers(BinaryOp::Maximum, most, length)?;
        let body = self.builder.close(vec![most]);
        let room = self.emit_with(Op::For, &[zero, count, one, zero], vec![body])?[0];
        // The values, list by list.
        let lengths_type = TensorType::new(DType::I64, vec![Dim::Unknown]);
        let values_type =
            TensorType::new(inner.dtype, [&[Dim::Unknown, Dim::Unknown], &inner.shape[..]].concat());
        let lengths = self.zeros(&lengths_type, &[count])?;
        let values = self.zeros(&values_type, &[count, room])?;
        self.builder.open();
        let at = self.builder.param(index);
        let (all_lengths, all_values) =
            (self.builder.param(lengths_type.into()), self.builder.param(values_type.into()));
        let own = self.emit(Op::List(ListOp::Get), &[list, at])?;
        let length = self.emit(Op::List(ListOp::Length), &[own])?;
        let rows = self.emit(Op::List(ListOp::Stack { size: None }), &[own])?;
        let rows = self.padded(rows, 0, room)?;
        let put = Op::Scatter { axis: 0, count: 1, store: Store::Replace };
        let all_lengths = self.emit(put.clone(), &[all_lengths, length, at])?;
        let all_values = self.emit(put, &[all_values, rows, at])?;
        let body = self.builder.close(vec![all_lengths, all_values]);
        let filled = self.emit_with(Op::For, &[zero, count, one, lengths, values], vec![body])?;
        Ok(vec![count, filled[0], filled[1]])
    }

    /// Converts a list of batches to a list of each row.
    pub(super) fn list_of_batches(&mut self, list: ValueId) -> Result<Vec<ValueId>, GradientError> {
        let ty = self.builder.function().ty(list).clone();
        let Some(element) = ty.element().and_then(Type::tensor) else {
            return self.refuse("a batched list of lists");
        };
        let rank = element.rank();
        let length = self.emit(Op::List(ListOp::Length), &[list])?;
        let stacked = self.emit(Op::List(ListOp::Stack { size: None }), &[list])?;
        let axes = [1, 0].into_iter().chain(2..=rank).collect();
        Ok(vec![self.repeated(length)?, self.permuted(stacked, axes)?])
    }

    /// Converts a list of each row to a list of batches.
    pub(super) fn batches_of_list(
        &mut self,
        element: &Type,
        leaves: &[ValueId],
    ) -> Result<ValueId, GradientError> {
        let Type::Tensor(_) = element else { return self.refuse("a batched list of lists") };
        let values = self.rectangle(leaves)?;
        self.batches(values)
    }

    /// Converts an array of the values of each row to a list of batches.
    pub(super) fn batches(&mut self, values: ValueId) -> Result<ValueId, GradientError> {
        if self.dim() == Dim::Unknown {
            return self.refuse("a list of arrays for each row: how many rows there are has to be known");
        }
        let rank = self.builder.function().tensor(values).rank();
        let axes = [1, 0].into_iter().chain(2..rank).collect();
        let values = self.permuted(values, axes)?;
        self.emit(Op::List(ListOp::Unstack), &[values])
    }

    /// The values of lists that must all have one length.
    pub(super) fn rectangle(&mut self, leaves: &[ValueId]) -> Result<ValueId, GradientError> {
        let longest = self.longest(leaves[0])?;
        let are_equal = self.compare(CompareOp::Eq, leaves[0], longest)?;
        let all = self.over_all(ReduceOp::All, are_equal)?;
        self.demand(all, "GraphValueError", "vmap: rows have lists of different lengths")?;
        let (start, step) = (self.integer(0), self.integer(1));
        self.emit(Op::SliceRange { axis: 1 }, &[leaves[1], start, longest, step])
    }

    /// The room for values in each row.
    pub(super) fn room(&mut self, leaves: &[ValueId]) -> ValueId {
        emit::size(self.builder, leaves[1], 1)
    }
}
