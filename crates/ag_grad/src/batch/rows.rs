//! The active rows, and the batched counterpart of each value on them.
//!
//! ```text
//! %x: f64[8]                            // level 0: all rows
//! if any %test {
//!   %rows: i64[?] = nonzero %test       // level 1: the rows that take the branch
//!   %y: f64[?] = gather %x, %rows       // %x at level 1, made when it is first asked for
//! ```
//!
//! - A batched value belongs to a level. A nested block with fewer rows gathers its part of the value.
//! - A batch of arrays of type `T[s]` is one array `T[n, s]`; for lists, see `ragged`. It has exactly the
//!   type that [`Batcher::types`] returns, so that the types at the borders of regions agree.
//! - Bindings of a block are dropped when the block is left.

use ag_ir::{Builder, Dim, Op, TensorType, Type, ValueId, WithShape};

use super::{Arg, Batcher, Operand};
use crate::emit;
use crate::error::GradientError;

/// A level: a subset of the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// The number of rows, if it is known.
    pub(super) dim: Dim,
    /// The number of rows as a value, if it is unknown.
    pub(super) count: Option<ValueId>,
    /// The row numbers in the enclosing level, ascending; none for the first level.
    pub(super) picks: Option<ValueId>,
}

/// The counterpart of a value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// One array, or the arrays that represent a list.
    leaves: Vec<ValueId>,
    /// The level whose rows it has; none if it is the same for all rows.
    level: Option<usize>,
}

impl Rows {
    /// The rows of batched operands.
    pub(super) fn of_operands(builder: &mut Builder, operands: &[Operand]) -> Self {
        let mut rows = Self { dim: Dim::Known(1), count: None, picks: None };
        for operand in operands.iter().filter(|operand| operand.is_batched) {
            let ty = match builder.function().ty(operand.value) {
                Type::Tensor(tensor) => Some(tensor),
                Type::List(element) => element.tensor(),
            };
            let dim = ty.and_then(|tensor| tensor.shape.first().copied());
            match dim {
                Some(Dim::Known(_)) | None => {
                    return Self { dim: dim.unwrap_or(Dim::Known(1)), count: None, picks: None };
                }
                Some(Dim::Unknown) => {
                    let count = emit::size(builder, operand.value, 0);
                    rows = Self { dim: Dim::Unknown, count: Some(count), picks: None };
                }
            }
        }
        rows
    }
}

/// The types of the arrays that represent a batch of such values, with these leading dimensions.
pub(super) fn leaf_types(ty: &Type, lead: &[Dim]) -> Vec<TensorType> {
    match ty {
        Type::Tensor(tensor) => {
            vec![TensorType::new(tensor.dtype, [lead, &tensor.shape].concat())]
        }
        Type::List(element) => {
            let mut leaves = vec![TensorType::new(ag_ir::DType::I64, lead.to_vec())];
            leaves.extend(leaf_types(element, &[lead, &[Dim::Unknown]].concat()));
            leaves
        }
    }
}

impl Batcher<'_> {
    fn level(&self) -> usize {
        self.rows.len() - 1
    }

    fn here(&self) -> Rows {
        self.rows[self.level()]
    }

    /// The number of rows, if it is known.
    pub(super) fn dim(&self) -> Dim {
        self.here().dim
    }

    /// The number of active rows, as an `i64[]`.
    pub(super) fn count(&mut self) -> ValueId {
        match self.here() {
            Rows { dim: Dim::Known(size), .. } => self.integer(i64::try_from(size).unwrap_or(i64::MAX)),
            Rows { count: Some(count), .. } => count,
            Rows { count: None, .. } => self.integer(1),
        }
    }

    /// The number of active rows as an operand, if the leading dimension of a shape is `?`.
    pub(super) fn open_count(&mut self) -> Vec<ValueId> {
        match self.dim() {
            Dim::Known(_) => Vec::new(),
            Dim::Unknown => vec![self.count()],
        }
    }

    /// 0, 1, 2, … for the active rows.
    pub(super) fn numbers(&mut self) -> Result<ValueId, GradientError> {
        match self.dim() {
            Dim::Known(size) => self.emit(Op::Iota { dtype: ag_ir::DType::I64, size }, &[]),
            Dim::Unknown => {
                let count = self.count();
                self.emit(Op::IotaTo(ag_ir::DType::I64), &[count])
            }
        }
    }

    /// The shape of rows, with the batch in front.
    pub(super) fn batched(&self, shape: &[Dim]) -> Vec<Dim> {
        [&[self.dim()], shape].concat()
    }

    /// The types of the leaves of a batch of this value.
    pub(super) fn types(&self, value: ValueId) -> Vec<TensorType> {
        leaf_types(self.builder.function().ty(value), &[self.dim()])
    }

    /// Marks the current bindings, to return to them with [`Batcher::leave`].
    pub(super) const fn enter(&self) -> usize {
        self.undo.len()
    }

    pub(super) fn leave(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some((value, Some(entry))) => drop(self.values.insert(value, entry)),
                Some((value, None)) => drop(self.values.remove(&value)),
                None => return,
            }
        }
    }

    fn set(&mut self, value: ValueId, entry: Entry) {
        let before = self.values.insert(value, entry);
        self.undo.push((value, before));
    }

    /// Makes the rows for which a mask is true the active ones.
    pub(super) fn take_rows(&mut self, mask: ValueId) -> Result<ValueId, GradientError> {
        let picks = self.emit(Op::Nonzero, &[mask])?;
        self.push_rows(picks);
        Ok(picks)
    }

    /// Makes some of the active rows the active ones.
    pub(super) fn push_rows(&mut self, picks: ValueId) {
        let count = self.size_of(picks, 0);
        self.rows.push(Rows { dim: Dim::Unknown, count: Some(count), picks: Some(picks) });
    }

    pub(super) fn pop_rows(&mut self) {
        self.rows.pop();
    }

    /// Binds a value that is the same for all rows.
    pub(super) fn bind_same(&mut self, value: ValueId, stands: ValueId) {
        self.set(value, Entry { leaves: vec![stands], level: None });
    }

    /// Binds a batched value.
    pub(super) fn bind(&mut self, value: ValueId, leaves: Vec<ValueId>) -> Result<(), GradientError> {
        let types = self.types(value);
        let leaves = self.typed(leaves, &types)?;
        // All but the last, which are the values, are lengths.
        for lengths in &leaves[..leaves.len() - 1] {
            self.builder.note_lengths(*lengths);
        }
        self.set(value, Entry { leaves, level: Some(self.level()) });
        Ok(())
    }

    /// Binds a value to the leaves of a region's parameter or result.
    pub(super) fn bind_as(
        &mut self,
        value: ValueId,
        leaves: Vec<ValueId>,
        is_batched: bool,
    ) -> Result<(), GradientError> {
        if is_batched {
            return self.bind(value, leaves);
        }
        self.bind_same(value, leaves[0]);
        Ok(())
    }

    /// Converts arrays to types that know more or fewer of their sizes.
    pub(super) fn typed(
        &mut self,
        leaves: Vec<ValueId>,
        types: &[TensorType],
    ) -> Result<Vec<ValueId>, GradientError> {
        let pairs = leaves.into_iter().zip(types);
        pairs.map(|(leaf, ty)| self.shaped(leaf, &ty.shape)).collect()
    }

    /// Converts an array to a type with these sizes.
    pub(super) fn shaped(&mut self, value: ValueId, shape: &[Dim]) -> Result<ValueId, GradientError> {
        if self.builder.function().tensor(value).shape == shape {
            return Ok(value);
        }
        let message = "vmap: rows have different sizes".into();
        self.emit(Op::WithShape(WithShape { shape: shape.to_vec(), message }), &[value])
    }

    /// Whether the counterpart of a value differs between rows.
    pub(super) fn is_batched(&self, value: ValueId) -> bool {
        self.values.get(&value).is_some_and(|entry| entry.level.is_some())
    }

    /// The counterpart of a value for all active rows.
    fn entry(&mut self, value: ValueId) -> Result<Entry, GradientError> {
        let Some(entry) = self.values.get(&value).cloned() else {
            return Ok(Entry { leaves: vec![value], level: None });
        };
        let (Some(level), here) = (entry.level, self.level()) else { return Ok(entry) };
        if level == here {
            return Ok(entry);
        }
        let mut leaves = entry.leaves;
        for further in level + 1..=here {
            let Some(picks) = self.rows[further].picks else { continue };
            leaves = self.picked(&leaves, picks)?;
        }
        let entry = Entry { leaves, level: Some(here) };
        self.set(value, entry.clone());
        Ok(entry)
    }

    /// Binds a value to the counterpart of another one.
    pub(super) fn alias(&mut self, value: ValueId, other: ValueId) -> Result<(), GradientError> {
        let entry = self.entry(other)?;
        self.set(value, entry);
        Ok(())
    }

    /// Gathers some rows of arrays.
    pub(super) fn picked(
        &mut self,
        leaves: &[ValueId],
        picks: ValueId,
    ) -> Result<Vec<ValueId>, GradientError> {
        let gather = Op::Gather { axis: 0, count: 1 };
        leaves.iter().map(|leaf| self.emit(gather.clone(), &[*leaf, picks])).collect()
    }

    /// The counterpart of a value that is the same for all rows.
    pub(super) fn same(&mut self, value: ValueId) -> Result<ValueId, GradientError> {
        match self.entry(value)? {
            Entry { leaves, level: None } => Ok(leaves[0]),
            Entry { .. } => {
                self.refuse(&format!("%{} differs between rows, which was not foreseen", value.0))
            }
        }
    }

    /// The leaves of a value as a batch; a value that is the same for all rows is repeated.
    pub(super) fn in_rows(&mut self, value: ValueId) -> Result<Vec<ValueId>, GradientError> {
        let Entry { leaves, level } = self.entry(value)?;
        if level.is_some() {
            return Ok(leaves);
        }
        match self.builder.function().ty(value).clone() {
            Type::Tensor(_) => Ok(vec![self.repeated(leaves[0])?]),
            Type::List(element) => {
                let leaves = self.repeated_list(&element, leaves[0])?;
                let types = self.types(value);
                self.typed(leaves, &types)
            }
        }
    }

    /// Repeats an array for each row.
    pub(super) fn repeated(&mut self, value: ValueId) -> Result<ValueId, GradientError> {
        let shape = self.builder.function().tensor(value).shape.clone();
        let mut operands = vec![value];
        operands.extend(self.open_count());
        operands.extend(emit::open_sizes(self.builder, value));
        let shape = self.batched(&shape);
        self.emit(Op::Broadcast(shape), &operands)
    }

    /// The leaves of a value, as a batch or not.
    pub(super) fn leaves(&mut self, value: ValueId, is_batched: bool) -> Result<Vec<ValueId>, GradientError> {
        if is_batched { self.in_rows(value) } else { Ok(vec![self.same(value)?]) }
    }

    /// As [`Batcher::leaves`], for several values, one after the other.
    pub(super) fn all_leaves(
        &mut self,
        values: &[ValueId],
        are_batched: &[bool],
    ) -> Result<Vec<ValueId>, GradientError> {
        let mut leaves = Vec::new();
        for (value, is_batched) in values.iter().zip(are_batched) {
            leaves.extend(self.leaves(*value, *is_batched)?);
        }
        Ok(leaves)
    }

    /// Binds values to leaves, one after the other; further leaves are ignored.
    pub(super) fn bind_all(
        &mut self,
        values: &[ValueId],
        are_batched: &[bool],
        leaves: &[ValueId],
    ) -> Result<(), GradientError> {
        let mut rest = leaves.iter().copied();
        for (value, is_batched) in values.iter().zip(are_batched) {
            let count = self.width(*value, *is_batched);
            let own: Vec<ValueId> = rest.by_ref().take(count).collect();
            self.bind_as(*value, own, *is_batched)?;
        }
        Ok(())
    }

    /// The number of leaves of a value.
    pub(super) fn width(&self, value: ValueId, is_batched: bool) -> usize {
        if is_batched { self.types(value).len() } else { 1 }
    }

    /// The types of the leaves of values.
    pub(super) fn all_types(&self, values: &[ValueId], are_batched: &[bool]) -> Vec<Type> {
        let mut types = Vec::new();
        for (value, is_batched) in values.iter().zip(are_batched) {
            if *is_batched {
                types.extend(self.types(*value).into_iter().map(Type::from));
            } else {
                types.push(self.builder.function().ty(*value).clone());
            }
        }
        types
    }

    /// Adds parameters to the innermost open block for values, and binds the values to them.
    pub(super) fn bind_params(
        &mut self,
        values: &[ValueId],
        are_batched: &[bool],
    ) -> Result<Vec<ValueId>, GradientError> {
        let types = self.all_types(values, are_batched);
        let params: Vec<ValueId> = types.into_iter().map(|ty| self.builder.param(ty)).collect();
        self.bind_all(values, are_batched, &params)?;
        Ok(params)
    }

    /// The counterpart of an operand of an op on arrays.
    pub(super) fn arg(&mut self, value: ValueId) -> Result<Arg, GradientError> {
        let rank = self.builder.function().tensor(value).rank();
        let Entry { leaves, level } = self.entry(value)?;
        Ok(Arg { value: leaves[0], is_batched: level.is_some(), rank })
    }

    /// An operand as a batch.
    pub(super) fn rows_of(&mut self, arg: Arg) -> Result<ValueId, GradientError> {
        if arg.is_batched { Ok(arg.value) } else { self.repeated(arg.value) }
    }
}
