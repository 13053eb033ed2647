//! Reads and changes one value of a list with a few instructions; only growing the list is a call.

use ag_ir::{ListOp, LocationId, Node, Op, ValueId};
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::lowerer::{Lowerer, flags};
use crate::error::CompileError;
use crate::lists::{CAPACITY, CELL_BYTES, DATA, Element, LENGTH, SIZES};
use crate::plan::ids::BlockId;
use crate::plan::step::{InnerAccess, ListAccess, ListStep, LoopPlan, Put};
use crate::runtime::context::FailureCode;
use crate::runtime::lists;

impl Lowerer<'_, '_> {
    pub(super) fn lower_list(&mut self, node: &Node, step: &ListStep) -> Result<(), CompileError> {
        let (list, result) = (node.operands[0], node.results[0]);
        let (element, location) = (step.element, node.location);
        let is_change = matches!(
            step.access,
            ListAccess::Set
                | ListAccess::Append
                | ListAccess::Pop
                | ListAccess::Inner(InnerAccess::Set | InnerAccess::Append | InnerAccess::Pop)
        );
        let cell = if is_change {
            let cell = self.place_with_copy(result, step.copied, location)?;
            self.set(result, cell);
            cell
        } else {
            self.get(list)?
        };
        let inside = match step.access {
            ListAccess::Length => InnerAccess::Length,
            ListAccess::Get => InnerAccess::Get,
            ListAccess::Set => InnerAccess::Set,
            ListAccess::Append => InnerAccess::Append,
            ListAccess::Pop => InnerAccess::Pop,
            ListAccess::Inner(access) => {
                let index = self.get(node.operands[1])?;
                let inner = self.checked_value(cell, index, element.stride(), FailureCode::ListGet, location);
                return self.access(inner, element.inner(), (access, false), &node.operands[2..], node);
            }
        };
        self.access(cell, element, (inside, step.is_there), &node.operands[1..], node)
    }

    /// Generates one access of the list in a cell. For a change, the result has its final place already, and
    /// so may the value that is appended.
    fn access(
        &mut self,
        cell: Value,
        element: Element,
        (access, is_there): (InnerAccess, bool),
        operands: &[ValueId],
        node: &Node,
    ) -> Result<(), CompileError> {
        let (size, location) = (element.stride(), node.location);
        match access {
            InnerAccess::Length => {
                let length = self.load(types::I64, cell, LENGTH);
                self.set(node.results[0], length);
                Ok(())
            }
            InnerAccess::Get => {
                let index = self.get(operands[0])?;
                let value = self.checked_value(cell, index, size, FailureCode::ListGet, location);
                self.read_out(node.results[0], value, element, location)
            }
            InnerAccess::Set => {
                let index = self.get(operands[0])?;
                let place = self.checked_value(cell, index, size, FailureCode::ListSet, location);
                if element.depth > 0 {
                    let from = self.get(operands[1])?;
                    let function = lists::copy_list as *const u8;
                    self.copy_cell(function, [place, from], element.inner().code(), location);
                    return Ok(());
                }
                self.write_in(operands[1], place, size)
            }
            InnerAccess::Append if is_there => {
                let length = self.load(types::I64, cell, LENGTH);
                let longer = self.builder.ins().iadd_imm_s(length, 1);
                self.builder.ins().store(flags(), longer, cell, LENGTH);
                Ok(())
            }
            InnerAccess::Append => self.append(cell, operands[0], element, location),
            InnerAccess::Pop => {
                let length = self.load(types::I64, cell, LENGTH);
                let is_empty = self.builder.ins().icmp_imm_s(IntCC::Equal, length, 0);
                self.fail_if(is_empty, FailureCode::ListPop, location, &[]);
                let shorter = self.builder.ins().iadd_imm_s(length, -1);
                self.builder.ins().store(flags(), shorter, cell, LENGTH);
                let value = self.value_at(cell, shorter, size);
                self.read_out(node.results[1], value, element, location)
            }
        }
    }

    fn append(
        &mut self,
        cell: Value,
        value: ValueId,
        element: Element,
        location: Option<LocationId>,
    ) -> Result<(), CompileError> {
        if element.depth > 0 {
            let from = self.get(value)?;
            self.copy_cell(lists::append_list as *const u8, [cell, from], element.code(), location);
            return Ok(());
        }
        let (size, length) = (element.bytes, self.load(types::I64, cell, LENGTH));
        self.ensure_room(cell, length, size, location);
        let place = self.value_at(cell, length, size);
        self.write_in(value, place, size)?;
        let longer = self.builder.ins().iadd_imm_s(length, 1);
        self.builder.ins().store(flags(), longer, cell, LENGTH);
        Ok(())
    }

    /// The address of the value at an index, without a bounds check.
    fn value_at(&mut self, cell: Value, index: Value, size: usize) -> Value {
        let data = self.load(types::I64, cell, DATA);
        let offset = self.builder.ins().imul_imm_s(index, size as i64);
        self.builder.ins().iadd(data, offset)
    }

    fn checked_value(
        &mut self,
        cell: Value,
        index: Value,
        size: usize,
        code: FailureCode,
        location: Option<LocationId>,
    ) -> Value {
        let length = self.load(types::I64, cell, LENGTH);
        let is_outside = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, length);
        self.fail_if(is_outside, code, location, &[]);
        self.value_at(cell, index, size)
    }

    /// Reads a value out of a list: copies it to the place of a result, unless that is a view.
    fn read_out(
        &mut self,
        result: ValueId,
        value: Value,
        element: Element,
        location: Option<LocationId>,
    ) -> Result<(), CompileError> {
        if self.is_scalar(result) || self.plan.places[result].is_none() {
            self.set_from_memory(result, value);
            return Ok(());
        }
        let to = self.place(result)?;
        if element.depth > 0 {
            self.copy_cell(lists::copy_list as *const u8, [to, value], element.inner().code(), location);
        } else {
            self.copy(to, value, element.bytes);
        }
        self.set(result, to);
        Ok(())
    }

    pub(super) fn write_in(&mut self, value: ValueId, place: Value, size: usize) -> Result<(), CompileError> {
        let from = self.get(value)?;
        if self.is_scalar(value) {
            self.builder.ins().store(flags(), from, place, 0);
        } else {
            self.copy(place, from, size);
        }
        Ok(())
    }

    /// The address behind the last value of a list, where there is room for one more.
    pub(super) fn end_of(&mut self, list: ValueId, put: Put) -> Result<Value, CompileError> {
        let cell = self.get(list)?;
        let length = self.load(types::I64, cell, LENGTH);
        self.ensure_room(cell, length, put.bytes, put.location);
        Ok(self.value_at(cell, length, put.bytes))
    }

    /// Makes room, before a `for` loop starts, for what each iteration appends to its lists.
    pub(super) fn reserve(&mut self, body: BlockId, plan: &LoopPlan, slots: &[Value], count: Value) {
        for (carry, slot) in plan.carries.iter().enumerate() {
            let Some(slot) = slot else { continue };
            let list = self.tree.blocks[body].block.results[carry];
            let element = self.tree.function.ty(list).element().and_then(Element::of);
            let Some(Element { depth: 0, bytes }) = element else { continue };
            let appended = self.appended(body, carry);
            if appended == 0 || bytes == 0 {
                continue;
            }
            let values = self.builder.ins().imul_imm_s(count, appended);
            let bytes = self.int(types::I64, bytes as i64);
            let function = lists::reserve as *const u8;
            self.call(function, &[types::I64; 3], None, &[slots[slot.index()], values, bytes]);
        }
    }

    /// How many values each iteration of a `for` loop appends to the list that is carry `carry`, if it does
    /// nothing else that changes its length.
    fn appended(&self, body: BlockId, carry: usize) -> i64 {
        let block = self.tree.blocks[body].block;
        let (mut list, mut count) = (block.results[carry], 0);
        while list != block.params[1 + carry] {
            let maker = block.nodes.iter().rfind(|node| node.results.contains(&list));
            let Some((Op::List(op), maker)) = maker.map(|maker| (&maker.op, maker)) else { return 0 };
            match op {
                ListOp::Append => count += 1,
                ListOp::Set => {}
                _ => return 0,
            }
            list = maker.operands[0];
        }
        count
    }

    /// Makes room for one more value than `length`.
    fn ensure_room(&mut self, cell: Value, length: Value, size: usize, location: Option<LocationId>) {
        let used = self.builder.ins().imul_imm_s(length, size as i64);
        let wanted = self.builder.ins().iadd_imm_s(used, size as i64);
        let capacity = self.load(types::I64, cell, CAPACITY);
        let is_short = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, wanted, capacity);
        let (growing, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(growing);
        self.builder.ins().brif(is_short, growing, &[], next, &[]);
        self.builder.switch_to_block(growing);
        let location = self.location(location);
        let function = lists::make_room as *const u8;
        let args = [self.context, cell, wanted, location];
        if let Some(status) = self.call(function, &[types::I64; 4], Some(types::I32), &args) {
            self.leave_if(status);
        }
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(next);
    }

    /// Initialises the cells of this call as empty lists.
    pub(super) fn open_cells(&mut self) {
        self.for_cells(lists::open_cells as *const u8);
    }

    /// Frees what the cells of this call own.
    pub(super) fn free_cells(&mut self) {
        self.for_cells(lists::free_cells as *const u8);
    }

    fn for_cells(&mut self, function: *const u8) {
        let count = (self.plan.arena_bytes - self.plan.first_cell) / CELL_BYTES;
        if count > 0 {
            let first = self.add_bytes(self.arena, self.plan.first_cell);
            let count = self.int(types::I64, count as i64);
            self.call(function, &[types::I64; 2], None, &[first, count]);
        }
    }

    /// Copies a value to other memory: the bytes of an array, or the values of a list.
    pub(super) fn copy_value(
        &mut self,
        value: ValueId,
        to: Value,
        from: Value,
        location: Option<LocationId>,
    ) -> Result<(), CompileError> {
        if to == from {
            return Ok(());
        }
        let ty = self.tree.function.ty(value);
        if ty.has_unknown_sizes() {
            let size = self.dtype(value).size();
            self.copy_cell(lists::copy_array as *const u8, [to, from], size as i64, location);
            return Ok(());
        }
        let Some(element) = ty.element() else {
            self.copy(to, from, self.bytes(value));
            return Ok(());
        };
        let Some(element) = Element::of(element) else {
            return Err(CompileError::new("a list of what has no size is not compiled", location));
        };
        self.copy_cell(lists::copy_list as *const u8, [to, from], element.code(), location);
        Ok(())
    }

    /// Calls `function` to copy from one cell to another, or into a cell. `size` is the bytes of a value, or
    /// the code of a list's element type.
    fn copy_cell(
        &mut self,
        function: *const u8,
        [to, from]: [Value; 2],
        size: i64,
        location: Option<LocationId>,
    ) {
        let (size, location) = (self.int(types::I64, size), self.location(location));
        let args = [self.context, to, from, size, location];
        if let Some(status) = self.call(function, &[types::I64; 5], Some(types::I32), &args) {
            self.leave_if(status);
        }
    }

    /// The size of an axis of an array.
    pub(super) fn lower_size(&mut self, node: &Node, axis: usize) -> Result<(), CompileError> {
        let (array, result) = (node.operands[0], node.results[0]);
        let cell = self.get(array)?;
        let size = self.size_in_cell(array, cell, axis);
        self.set(result, size);
        Ok(())
    }

    /// The size of an axis of an array that may be in a cell.
    pub(super) fn size_in_cell(&mut self, array: ValueId, cell: Value, axis: usize) -> Value {
        match self.tree.function.tensor(array).shape.get(axis).and_then(|dim| dim.known()) {
            Some(size) => self.int(types::I64, size as i64),
            None => self.load(types::I64, cell, SIZES + axis as i32 * 8),
        }
    }

    /// The elements of an array in a cell, after the kernel has checked that its sizes are the expected ones.
    pub(super) fn lower_contents(&mut self, node: &Node) -> Result<(), CompileError> {
        let cell = self.get(node.operands[0])?;
        let data = self.load(types::I64, cell, DATA);
        self.set_from_memory(node.results[0], data);
        Ok(())
    }
}
