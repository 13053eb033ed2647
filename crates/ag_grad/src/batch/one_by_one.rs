//! Runs a region row by row, in a loop, if it cannot be vectorised: sizes or steps differ between rows.
//!
//! ```text
//! (%0: f64[3]) { %1 = gt %0, %c  %2: i64[?] = nonzero %1  …  yield %9: f64[] }
//!
//! %9: f64[n] = for 0, n, 1, %zeros body(%row, %all) {
//!   %0: f64[3] = gather %x, %row
//!   …                                  // as the region has it
//!   yield scatter %all, %9, %row
//! }
//! ```
//!
//! The whole region runs row by row, not a part of it, so that each row pops what it has pushed on a tape.
//! The results of all rows must have the same sizes, which is checked in the run.

use std::collections::BTreeSet;

use ag_ir::{Block, CompareOp, DType, Dim, Identity, ListOp, LocationId, Node, Op, Type, ValueId};

use super::rows::leaf_types;
use super::{Batcher, Operand};
use crate::error::GradientError;

/// A result of the region that the loop carries, for all rows.
struct Carried {
    result: ValueId,
    /// The type in one row; for a list, that of the array of its values.
    ty: Type,
    is_list: bool,
    location: Option<LocationId>,
}

impl Batcher<'_> {
    pub(super) fn one_by_one(
        &mut self,
        region: &Block,
        operands: &[Operand],
    ) -> Result<Vec<(ValueId, bool)>, GradientError> {
        let carried = self.carried(region)?;
        let types: Vec<Type> =
            carried.iter().map(|carried| leaf_types(&carried.ty, &[self.dim()])[0].clone().into()).collect();
        let mut bounds = vec![self.integer(0), self.count(), self.integer(1)];
        for carried in &carried {
            bounds.extend(self.empty(&carried.ty)?);
        }
        self.builder.open();
        let row = self.builder.param(Type::scalar(DType::I64));
        let params: Vec<ValueId> = types.into_iter().map(|ty| self.builder.param(ty)).collect();
        self.bind_row(region, operands, row)?;
        for node in &region.nodes {
            self.builder.push(node.clone());
        }
        let mut written = Vec::new();
        for (carried, all) in carried.iter().zip(params) {
            self.location = carried.location;
            written.push(self.with_row(carried, all, row)?);
        }
        self.location = None;
        let body = self.builder.close(written);
        let all = self.emit_with(Op::For, &bounds, vec![body])?;
        region.results.iter().map(|result| self.given(*result, region, operands, &carried, &all)).collect()
    }

    /// The results that the region computes.
    fn carried(&self, region: &Block) -> Result<Vec<Carried>, GradientError> {
        let bound: BTreeSet<ValueId> =
            region.nodes.iter().flat_map(|node| node.results.iter().copied()).collect();
        let mut carried: Vec<Carried> = Vec::new();
        for result in &region.results {
            let is_new = !carried.iter().any(|carried| carried.result == *result);
            if !is_new || !bound.contains(result) {
                continue;
            }
            let ty = self.builder.function().ty(*result).clone();
            let (ty, is_list) = match &ty {
                Type::Tensor(_) => (ty, false),
                Type::List(element) => match &**element {
                    Type::Tensor(tensor) => {
                        let shape = [&[Dim::Unknown], &tensor.shape[..]].concat();
                        (Type::new(tensor.dtype, shape), true)
                    }
                    Type::List(_) => return self.refuse("a batched list of lists"),
                },
            };
            let node = region.nodes.iter().find(|node| node.results.contains(result));
            let location = node.and_then(|node| node.location);
            carried.push(Carried { result: *result, ty, is_list, location });
        }
        Ok(carried)
    }

    /// Binds the region's parameters to the values of one row. They keep their numbers, because functions
    /// that the region calls may capture them.
    fn bind_row(&mut self, region: &Block, operands: &[Operand], row: ValueId) -> Result<(), GradientError> {
        for (param, operand) in region.params.iter().zip(operands) {
            let own = match self.builder.function().ty(operand.value) {
                _ if !operand.is_batched => operand.value,
                Type::Tensor(_) => self.picked(&[operand.value], row)?[0],
                Type::List(_) => {
                    let values = self.emit(Op::List(ListOp::Stack { size: None }), &[operand.value])?;
                    let values = self.emit(Op::Gather { axis: 1, count: 1 }, &[values, row])?;
                    self.emit(Op::List(ListOp::Unstack), &[values])?
                }
            };
            let own = match self.builder.function().ty(*param).clone() {
                Type::Tensor(ty) => self.shaped(own, &ty.shape)?,
                Type::List(_) => own,
            };
            self.builder.push(Node {
                op: Op::Identity(Identity::Plain),
                operands: vec![own],
                results: vec![*param],
                regions: Vec::new(),
                location: self.location,
            });
        }
        Ok(())
    }

    /// Writes the result of one row into the result for all rows.
    fn with_row(&mut self, carried: &Carried, all: ValueId, row: ValueId) -> Result<ValueId, GradientError> {
        let mut own = carried.result;
        if carried.is_list {
            own = self.emit(Op::List(ListOp::Stack { size: None }), &[own])?;
        }
        let rank = self.builder.function().tensor(own).rank();
        let own = self.with_axes(own, 0, rank + 1)?;
        let picks = self.with_axes(row, 0, 1)?;
        let base = if carried.ty.has_unknown_sizes() {
            // The first row determines the sizes.
            let zero = self.integer(0);
            let is_later = self.compare(CompareOp::Gt, row, zero)?;
            self.base(&carried.ty, is_later, &[all], &[own])?
        } else {
            vec![all]
        };
        Ok(self.put(&carried.ty, &base, picks, &[own])?[0])
    }

    /// Returns a result of the batched function.
    fn given(
        &mut self,
        result: ValueId,
        region: &Block,
        operands: &[Operand],
        carried: &[Carried],
        all: &[ValueId],
    ) -> Result<(ValueId, bool), GradientError> {
        if let Some(number) = region.params.iter().position(|param| *param == result) {
            return Ok((operands[number].value, operands[number].is_batched));
        }
        match carried.iter().position(|carried| carried.result == result) {
            Some(number) if carried[number].is_list => Ok((self.batches(all[number])?, true)),
            Some(number) => Ok((all[number], true)),
            None => Ok((result, false)),
        }
    }
}
