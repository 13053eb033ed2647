//! Batched tapes: the rows that push a value also pop it, since pops mirror pushes.
//!
//! A tape is batched if any value on it is. It is then replaced by tapes of batches, one for each leaf of a
//! value; a value that is the same for all rows is repeated for the active rows.

use ag_ir::{Dim, Node, Op, TapePop, Type, ValueId};

use super::Batcher;
use super::rows::leaf_types;
use crate::error::GradientError;

impl Batcher<'_> {
    /// The tapes that replace a tape.
    fn tapes_of(&mut self, tape: u32, count: usize) -> Vec<u32> {
        let numbers = self.tapes.entry(tape).or_default();
        while numbers.len() < count {
            numbers.push(self.builder.new_tape());
        }
        numbers.clone()
    }

    pub(super) fn tape_push(&mut self, node: &Node, tape: u32) -> Result<(), GradientError> {
        let value = node.operands[0];
        if !self.varying.is_tape_batched(tape) {
            let (stands, numbers) = (self.same(value)?, self.tapes_of(tape, 1));
            self.emit_all(Op::TapePush(numbers[0]), &[stands])?;
            return Ok(());
        }
        let leaves = self.in_rows(value)?;
        let ty = self.builder.function().ty(value).clone();
        // The number of active rows differs between pushes.
        let leaves = self.typed(leaves, &leaf_types(&ty, &[Dim::Unknown]))?;
        let numbers = self.tapes_of(tape, leaves.len());
        for (leaf, number) in leaves.into_iter().zip(numbers) {
            self.emit_all(Op::TapePush(number), &[leaf])?;
        }
        Ok(())
    }

    pub(super) fn tape_pop(&mut self, node: &Node, pop: &TapePop) -> Result<(), GradientError> {
        if !self.varying.is_tape_batched(pop.tape) {
            let tape = self.tapes_of(pop.tape, 1)[0];
            let value = self.emit(Op::TapePop(TapePop { tape, ty: pop.ty.clone() }), &[])?;
            self.bind_same(node.results[0], value);
            return Ok(());
        }
        let types = leaf_types(&pop.ty, &[Dim::Unknown]);
        let numbers = self.tapes_of(pop.tape, types.len());
        let mut leaves: Vec<ValueId> = Vec::new();
        for (ty, tape) in types.into_iter().zip(numbers) {
            leaves.push(self.emit(Op::TapePop(TapePop { tape, ty: Type::from(ty) }), &[])?);
        }
        self.bind(node.results[0], leaves)
    }

    /// A tape is saved at the end of a whole graph, where nothing is batched any more.
    pub(super) fn tape_save(&mut self, node: &Node, tape: u32) -> Result<(), GradientError> {
        if self.varying.is_tape_batched(tape) {
            return self.refuse("rows save tapes of different sizes");
        }
        let numbers = self.tapes_of(tape, 1);
        let bytes = self.emit(Op::TapeSave(numbers[0]), &[])?;
        self.bind_same(node.results[0], bytes);
        Ok(())
    }

    /// The values of a saved tape are the same for all rows.
    pub(super) fn tape_load(&mut self, node: &Node, tape: u32) -> Result<(), GradientError> {
        if self.is_batched(node.operands[0]) || self.varying.is_tape_batched(tape) {
            return self.refuse("a saved tape that differs between rows");
        }
        let (bytes, numbers) = (self.same(node.operands[0])?, self.tapes_of(tape, 1));
        self.emit_all(Op::TapeLoad(numbers[0]), &[bytes]).map(|_| ())
    }
}
