//! Tapes: values of known size are pushed and popped by instructions, all others by calls of the runtime.

use ag_ir::{LocationId, Node, Op, Type, ValueId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::lowerer::{Lowerer, flags};
use crate::error::CompileError;
use crate::lists::Element;
use crate::plan::step::Put;
use crate::runtime::context;
use crate::runtime::tapes;
use crate::tapes::{BASE, END, TAPE_BYTES, TOP};

impl Lowerer<'_, '_> {
    /// A push, a pop, or the bytes of a whole tape.
    pub(super) fn lower_tape(&mut self, node: &Node, is_there: bool) -> Result<(), CompileError> {
        let location = node.location;
        match &node.op {
            Op::TapePush(tape) if is_there => {
                let (tapes, at) = self.tape_at(self.tape(*tape, location)?);
                let (value, bytes) = (self.get(node.operands[0])?, self.bytes(node.operands[0]));
                let top = self.add_bytes(value, bytes);
                self.builder.ins().store(flags(), top, tapes, at + TOP);
                Ok(())
            }
            Op::TapePush(tape) => self.lower_push(self.tape(*tape, location)?, node),
            Op::TapePop(pop) => self.lower_pop(self.tape(pop.tape, location)?, node),
            Op::TapeSave(tape) => {
                let (tape, bytes) = (self.tape(*tape, location)?, self.place(node.results[0])?);
                self.move_cell(tapes::save as *const u8, (tape, bytes, 0), node.location);
                self.set(node.results[0], bytes);
                Ok(())
            }
            Op::TapeLoad(tape) => {
                let (tape, bytes) = (self.tape(*tape, location)?, self.get(node.operands[0])?);
                self.move_cell(tapes::load as *const u8, (tape, bytes, 0), node.location);
                Ok(())
            }
            _ => Err(CompileError::new("no op of tapes", node.location)),
        }
    }

    /// The index of a tape among those of the run.
    fn tape(&self, number: u32, location: Option<LocationId>) -> Result<usize, CompileError> {
        let found = self.tapes.binary_search(&number);
        found.map_err(|_| CompileError::new(format!("tape {number} is not counted"), location))
    }

    fn lower_push(&mut self, tape: usize, node: &Node) -> Result<(), CompileError> {
        let (value, location) = (node.operands[0], node.location);
        if let Some((code, [push, _])) = self.cell_on_tape(value, location)? {
            let cell = self.get(value)?;
            self.move_cell(push, (tape, cell, code), location);
            return Ok(());
        }
        let bytes = self.bytes(value);
        if bytes == 0 {
            return Ok(());
        }
        let top = self.room_on(tape, Put { bytes, location });
        let (tapes, at) = self.tape_at(tape);
        self.write_in(value, top, bytes)?;
        let top = self.add_bytes(top, bytes);
        self.builder.ins().store(flags(), top, tapes, at + TOP);
        Ok(())
    }

    /// The top of a tape, where there is room for a value.
    pub(super) fn top_of(&mut self, tape: u32, put: Put) -> Result<Value, CompileError> {
        let tape = self.tape(tape, put.location)?;
        Ok(self.room_on(tape, put))
    }

    /// Makes room for a value on a tape, and returns the address of its top.
    fn room_on(&mut self, tape: usize, Put { bytes, location }: Put) -> Value {
        let (tapes, at) = self.tape_at(tape);
        let top = self.load(types::I64, tapes, at + TOP);
        let end = self.load(types::I64, tapes, at + END);
        let room = self.builder.ins().isub(end, top);
        let is_short = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, room, bytes as i64);
        let (growing, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.append_block_param(next, types::I64);
        self.builder.set_cold_block(growing);
        self.builder.ins().brif(is_short, growing, &[], next, &[top.into()]);
        self.builder.switch_to_block(growing);
        let args = [tape as i64, bytes as i64].map(|number| self.int(types::I64, number));
        let args = [self.context, args[0], args[1], self.location(location)];
        if let Some(top) = self.call(tapes::grow as *const u8, &[types::I64; 4], Some(types::I64), &args) {
            self.builder.ins().brif(top, next, &[top.into()], self.leave, &[]);
        }
        self.builder.switch_to_block(next);
        self.builder.block_params(next)[0]
    }

    fn lower_pop(&mut self, tape: usize, node: &Node) -> Result<(), CompileError> {
        let (result, location) = (node.results[0], node.location);
        if let Some((code, [_, pop])) = self.cell_on_tape(result, location)? {
            let cell = self.place(result)?;
            self.move_cell(pop, (tape, cell, code), location);
            self.set(result, cell);
            return Ok(());
        }
        let bytes = self.bytes(result);
        if bytes == 0 {
            let place = self.place(result)?;
            self.set(result, place);
            return Ok(());
        }
        let (tapes, at) = self.tape_at(tape);
        let top = self.load(types::I64, tapes, at + TOP);
        let base = self.load(types::I64, tapes, at + BASE);
        let is_empty = self.builder.ins().icmp(IntCC::Equal, top, base);
        let (shrinking, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.append_block_param(next, types::I64);
        self.builder.set_cold_block(shrinking);
        self.builder.ins().brif(is_empty, shrinking, &[], next, &[top.into()]);
        self.builder.switch_to_block(shrinking);
        let args = [self.context, self.int(types::I64, tape as i64), self.location(location)];
        if let Some(status) = self.call(tapes::shrink as *const u8, &[types::I64; 3], Some(types::I32), &args)
        {
            self.leave_if(status);
        }
        let top = self.load(types::I64, tapes, at + TOP);
        self.builder.ins().jump(next, &[top.into()]);
        self.builder.switch_to_block(next);
        let top = self.builder.block_params(next)[0];
        let top = self.builder.ins().iadd_imm_s(top, -(bytes as i64));
        self.builder.ins().store(flags(), top, tapes, at + TOP);
        if self.is_scalar(result) || self.plan.places[result].is_none() {
            self.set_from_memory(result, top);
            return Ok(());
        }
        let place = self.place(result)?;
        self.copy(place, top, bytes);
        self.set(result, place);
        Ok(())
    }

    /// The pointer to the tapes of the run, and the offset of one tape.
    fn tape_at(&mut self, tape: usize) -> (Value, i32) {
        let tapes = self.load(types::I64, self.context, context::TAPES);
        (tapes, (tape * TAPE_BYTES) as i32)
    }

    /// For a value in a cell: the code of its type, and the runtime functions that push and pop it.
    fn cell_on_tape(
        &self,
        value: ValueId,
        location: Option<LocationId>,
    ) -> Result<Option<(i64, [*const u8; 2])>, CompileError> {
        match self.tree.function.ty(value) {
            Type::Tensor(ty) if ty.has_unknown_sizes() => {
                let code = tapes::array_code(ty.rank(), ty.dtype.size());
                Ok(Some((code, [tapes::push_array as *const u8, tapes::pop_array as *const u8])))
            }
            Type::Tensor(_) => Ok(None),
            Type::List(inner) => {
                let Some(element) = Element::of(inner) else {
                    return Err(CompileError::new("a list of what has no size is not compiled", location));
                };
                Ok(Some((element.code(), [tapes::push_list as *const u8, tapes::pop_list as *const u8])))
            }
        }
    }

    fn move_cell(
        &mut self,
        function: *const u8,
        (tape, cell, code): (usize, Value, i64),
        location: Option<LocationId>,
    ) {
        let args = [tape as i64, code].map(|number| self.int(types::I64, number));
        let args = [self.context, args[0], cell, args[1], self.location(location)];
        if let Some(status) = self.call(function, &[types::I64; 5], Some(types::I32), &args) {
            self.leave_if(status);
        }
    }
}
