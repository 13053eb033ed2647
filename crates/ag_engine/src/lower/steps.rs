//! Generates the steps of a plan: kernels, views, elements, checks.

use std::mem::{offset_of, size_of};

use ag_ir::{Effect, LocationId, Node, Op, Store, ValueId};
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::cold_call::ColdCall;
use super::lowerer::{Lowerer, flags};
use super::ranges::Range;
use super::scalar_type::scalar_type;
use crate::error::CompileError;
use crate::kernels::scatter_add::add_fn;
use crate::lists::DATA;
use crate::plan::ids::{BlockId, KernelId};
use crate::plan::step::{CellIndex, KernelStep, Operand, ScalarIndex, Step};
use crate::runtime::calls;
use crate::runtime::context::{self, FailureCode, KeptPlace};

impl Lowerer<'_, '_> {
    pub(super) fn lower_step(&mut self, block: BlockId, index: usize) -> Result<(), CompileError> {
        let (plan, tree) = (self.plan, self.tree);
        let node = tree.node(block, index);
        match &plan.steps[block][index] {
            Step::Nothing => Ok(()),
            Step::Scalar => self.lower_scalar(node),
            Step::Constant(offset) => {
                let address = self.constants.wrapping_add(*offset).addr();
                let pointer = self.int(types::I64, address.cast_signed() as i64);
                self.set(node.results[0], pointer);
                Ok(())
            }
            Step::Kernel(step) => match node.op {
                Op::Keep(slot) if !self.is_scalar(node.operands[0]) => self.lower_keep(step, node, slot),
                _ => self.lower_kernel(step, node),
            },
            Step::View { base, offset } => self.lower_view(*base, *offset, node.results[0]),
            Step::SliceView { base, start, size } => {
                let index = self.get(start.index)?;
                self.check_index(index, index, start, *size, node.location);
                let pointer = self.get(*base)?;
                let offset = self.builder.ins().imul_imm_s(index, start.stride as i64);
                let view = self.builder.ins().iadd(pointer, offset);
                self.set(node.results[0], view);
                Ok(())
            }
            Step::Element { base, indices } => {
                let pointer = self.get(*base)?;
                let element = self.element(pointer, indices, node.location)?;
                self.set_from_memory(node.results[0], element);
                Ok(())
            }
            Step::StoreElement { value, indices, copied, bytes, store } => {
                let to = self.place_with_copy(node.results[0], *copied, node.location)?;
                let element = self.element(to, indices, node.location)?;
                self.write_element(*value, element, *bytes, *store)?;
                self.set(node.results[0], to);
                Ok(())
            }
            Step::CellElement(index) => {
                let cell = self.get(index.array)?;
                let element = self.cell_element(cell, index, node.location)?;
                self.set_from_memory(node.results[0], element);
                Ok(())
            }
            Step::CellStore { value, index, copied, store } => {
                let cell = self.place_with_copy(node.results[0], *copied, node.location)?;
                let element = self.cell_element(cell, index, node.location)?;
                self.write_element(*value, element, index.bytes, *store)?;
                self.set(node.results[0], cell);
                Ok(())
            }
            Step::Size(axis) => self.lower_size(node, *axis),
            Step::Contents(step) => {
                self.lower_kernel(step, node)?;
                self.lower_contents(node)
            }
            Step::List(step) => self.lower_list(node, step),
            Step::Check(step) => self.lower_check(node, step),
            Step::Tape { is_there } => self.lower_tape(node, *is_there),
            Step::Call(donated) => self.lower_call(node, donated),
            Step::If => self.lower_if(block, index),
            Step::Loop(loop_plan) => self.lower_loop(block, index, loop_plan),
        }
    }

    /// Writes an element or a sub-array, or adds to it.
    fn write_element(
        &mut self,
        value: ValueId,
        to: Value,
        bytes: usize,
        store: Store,
    ) -> Result<(), CompileError> {
        if store == Store::Replace {
            return self.write_in(value, to, bytes);
        }
        let (from, dtype) = (self.get(value)?, self.dtype(value));
        if bytes == dtype.size() {
            let code = scalar_type(dtype);
            let from = if self.is_scalar(value) { from } else { self.load(code, from, 0) };
            let old = self.load(code, to, 0);
            let sum = if dtype.is_float() {
                self.builder.ins().fadd(old, from)
            } else {
                self.builder.ins().iadd(old, from)
            };
            self.builder.ins().store(flags(), sum, to, 0);
            return Ok(());
        }
        let count = self.int(types::I64, (bytes / dtype.size()) as i64);
        self.call(add_fn(dtype, self.isa) as *const u8, &[types::I64; 3], None, &[to, from, count]);
        Ok(())
    }

    /// Defines a value by the memory at a pointer: a scalar is loaded, an array is the pointer.
    pub(super) fn set_from_memory(&mut self, value: ValueId, pointer: Value) {
        let code = if self.is_scalar(value) {
            self.load(scalar_type(self.dtype(value)), pointer, 0)
        } else {
            pointer
        };
        self.set(value, code);
    }

    fn lower_view(&mut self, base: ValueId, offset: usize, result: ValueId) -> Result<(), CompileError> {
        let from = self.get(base)?;
        if self.is_scalar(base) {
            self.set(result, from);
            return Ok(());
        }
        let pointer = self.add_bytes(from, offset);
        self.set_from_memory(result, pointer);
        Ok(())
    }

    /// The pointer to a result's place. First copies the operand that the node updates there, if it has to.
    pub(super) fn place_with_copy(
        &mut self,
        result: ValueId,
        copied: Option<ValueId>,
        location: Option<LocationId>,
    ) -> Result<Value, CompileError> {
        let to = self.place(result)?;
        if let Some(value) = copied {
            let from = self.get(value)?;
            self.copy_value(value, to, from, location)?;
        }
        Ok(to)
    }

    fn lower_kernel(&mut self, step: &KernelStep, node: &Node) -> Result<(), CompileError> {
        let mut made = Vec::new();
        for (number, operand) in step.operands.iter().enumerate() {
            let pointer = match operand {
                Operand::Value(value) if self.is_scalar(*value) => {
                    let scalar = self.get(*value)?;
                    self.spill(scalar, number)
                }
                Operand::Value(value) => self.get(*value)?,
                Operand::Result(value) if self.is_scalar(*value) => {
                    let pointer = self.scalar_address(number);
                    made.push((*value, pointer));
                    pointer
                }
                Operand::Result(value) => {
                    let pointer = self.place_with_copy(*value, step.copied, node.location)?;
                    made.push((*value, pointer));
                    pointer
                }
                Operand::Scratch(memory) => self.memory(*memory),
            };
            self.builder.ins().stack_store(types::I64, pointer, self.pointers, number as i32 * 8);
        }
        if node.op.effect() == Effect::Host {
            self.run_host_kernel(step.kernel);
        } else {
            self.run_kernel(step.kernel);
        }
        for (result, pointer) in made {
            self.set_from_memory(result, pointer);
        }
        Ok(())
    }

    /// Stores where the operand of a `keep` is, so that its value can be reported if the run fails.
    fn lower_keep(&mut self, step: &KernelStep, node: &Node, slot: u32) -> Result<(), CompileError> {
        let operand = self.get(node.operands[0])?;
        let first = self.load(types::I64, self.context, context::KEPT);
        let kernel = self.int(types::I64, (self.first_kernel + step.kernel.index()) as i64 + 1);
        let place = slot as i32 * size_of::<KeptPlace>() as i32;
        self.builder.ins().store(flags(), operand, first, place + offset_of!(KeptPlace, operand) as i32);
        self.builder.ins().store(flags(), kernel, first, place + offset_of!(KeptPlace, kernel) as i32);
        Ok(())
    }

    /// Runs a kernel that calls the host. A loop that does so once in many iterations keeps its floats in
    /// registers.
    fn run_host_kernel(&mut self, kernel: KernelId) {
        let number = self.int(types::I64, (self.first_kernel + kernel.index()) as i64);
        let operands = self.builder.ins().stack_addr(types::I64, self.pointers, 0);
        self.call_coldly(ColdCall::RunKernel, &[number, operands]);
    }

    pub(super) fn run_kernel(&mut self, kernel: KernelId) {
        let number = self.int(types::I64, (self.first_kernel + kernel.index()) as i64);
        let operands = self.builder.ins().stack_addr(types::I64, self.pointers, 0);
        let function = if ag_ir::checks_itself() {
            calls::run_checked_kernel as *const u8
        } else {
            calls::run_kernel as *const u8
        };
        let args = [self.context, number, operands];
        if let Some(status) = self.call(function, &[types::I64; 3], Some(types::I32), &args) {
            self.leave_if(status);
        }
    }

    /// The address of an element, or sub-array, at scalar indices of leading axes of an array in a cell.
    fn cell_element(
        &mut self,
        cell: Value,
        picked: &CellIndex,
        location: Option<LocationId>,
    ) -> Result<Value, CompileError> {
        let mut place = self.int(types::I64, 0);
        for (axis, index) in picked.indices.iter().enumerate() {
            let given = self.get(*index)?;
            let given = self.widen(given, self.dtype(*index));
            let size = self.size_in_cell(picked.array, cell, axis);
            let is_negative = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, given, 0);
            let from_end = self.builder.ins().iadd(given, size);
            let inside = self.builder.ins().select(is_negative, from_end, given);
            let is_outside = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, inside, size);
            let number = self.int(types::I64, axis as i64);
            self.fail_if(is_outside, FailureCode::Index, location, &[given, number, size]);
            let before = self.builder.ins().imul(place, size);
            place = if axis == 0 { inside } else { self.builder.ins().iadd(before, inside) };
        }
        let data = self.load(types::I64, cell, DATA);
        let offset = self.builder.ins().imul_imm_s(place, picked.bytes as i64);
        Ok(self.builder.ins().iadd(data, offset))
    }

    /// Stores a scalar in memory for a call, and returns its address.
    pub(super) fn spill(&mut self, scalar: Value, number: usize) -> Value {
        self.builder.ins().stack_store(types::I64, scalar, self.scalars, number as i32 * 8);
        self.scalar_address(number)
    }

    pub(super) fn scalar_address(&mut self, number: usize) -> Value {
        self.builder.ins().stack_addr(types::I64, self.scalars, number as i32 * 8)
    }

    fn lower_check(&mut self, node: &Node, step: &KernelStep) -> Result<(), CompileError> {
        if self.surely_holds(node.operands[0]) {
            return Ok(());
        }
        let holds = self.get(node.operands[0])?;
        let (failing, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(failing);
        self.builder.ins().brif(holds, next, &[], failing, &[]);
        self.builder.switch_to_block(failing);
        self.lower_kernel(step, node)?;
        self.builder.ins().jump(self.leave, &[]);
        self.builder.switch_to_block(next);
        Ok(())
    }

    /// Fails unless `0 <= index < limit.size`; the message shows the index that the program gave.
    fn check_index(
        &mut self,
        index: Value,
        given: Value,
        limit: &ScalarIndex,
        size: usize,
        location: Option<LocationId>,
    ) {
        let is_outside =
            self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, index, limit.size as i64);
        let (failing, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(failing);
        self.builder.ins().brif(is_outside, failing, &[], next, &[]);
        self.builder.switch_to_block(failing);
        let code = self.int(types::I64, FailureCode::Index as i64);
        let (axis, size) = (self.int(types::I64, limit.axis as i64), self.int(types::I64, size as i64));
        self.fail_with(code, location, &[given, axis, size]);
        self.builder.switch_to_block(next);
    }

    /// An index that counts from the start; fails if it is not in the axis.
    fn checked_index(
        &mut self,
        index: &ScalarIndex,
        location: Option<LocationId>,
    ) -> Result<Value, CompileError> {
        let given = self.get(index.index)?;
        let given = self.widen(given, self.dtype(index.index));
        let (range, size) = (self.range(index.index), index.size as i64);
        if range.is_within(Range { least: 0, most: size - 1 }) {
            return Ok(given);
        }
        let mut inside = given;
        if range.least < 0 {
            let is_negative = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, given, 0);
            let from_end = self.builder.ins().iadd_imm_s(given, size);
            inside = self.builder.ins().select(is_negative, from_end, given);
        }
        if !range.is_within(Range { least: -size, most: size - 1 }) {
            self.check_index(inside, given, index, index.size, location);
        }
        Ok(inside)
    }

    /// The address of an element, or sub-array, at scalar indices of leading axes.
    fn element(
        &mut self,
        pointer: Value,
        indices: &[ScalarIndex],
        location: Option<LocationId>,
    ) -> Result<Value, CompileError> {
        let mut pointer = pointer;
        for index in indices {
            let inside = self.checked_index(index, location)?;
            let offset = self.builder.ins().imul_imm_s(inside, index.stride as i64);
            pointer = self.builder.ins().iadd(pointer, offset);
        }
        Ok(pointer)
    }
}
