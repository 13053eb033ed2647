//! Calls of functions of the graph.
//!
//! A callee is `fn(context, arena, arguments…, results…) -> (status, scalar)`. Scalar arguments are in
//! registers as far as the calling convention has some, arrays are pointers. If the first result is a scalar,
//! it comes back in a register; all other results are written to addresses that the caller passes:
//!
//! ```text
//! %4: i64[] = call %3 callee=0            status, v4 = f0(context, 0, v3)
//! %5: f64[9], %6: i64[] = call callee=1   status = f1(context, arena, place of %5, slot)
//! ```
//!
//! No address is passed for a result that takes over the memory of an argument: the caller finds it there.
//!
//! A callee's arena is in its own stack frame if it is small, else the caller allocates it for the time of
//! the call. Each call first checks the stack limit, and now and then asks the host whether to go on.

use ag_ir::{LocationId, Node, Op};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value, types};

use super::callee::{Callee, has_scalar_result};
use super::lowerer::{Lowerer, flags};
use super::scalar_type::scalar_type;
use crate::error::CompileError;
use crate::memory::ALIGNMENT;
use crate::plan::ids::BODY;
use crate::plan::step::Donated;
use crate::runtime::{calls, context};

/// Arenas up to this size are in the callee's stack frame. The stack has more than this left beyond the limit
/// that is checked.
const LARGEST_FRAME: usize = 64 * 1024;

impl Lowerer<'_, '_> {
    /// The body of a function that is called.
    pub(super) fn lower_callee(&mut self, params: &[Value]) -> Result<(), CompileError> {
        let function = self.tree.function;
        let body = &function.body;
        let (arguments, places) = params[2..].split_at(body.params.len());
        self.arena = self.frame_or(params[1])?;
        for (param, argument) in body.params.iter().zip(arguments) {
            self.set(*param, *argument);
        }
        let in_register = usize::from(has_scalar_result(function));
        let mut places = places.iter().copied();
        for number in 0..body.results.len() {
            let output = match self.plan.taken.get(number).copied().flatten() {
                Some(param) => arguments[param],
                // A result in a register has no address; any pointer will do.
                None if number < in_register => params[0],
                None => places.next().unwrap_or(params[0]),
            };
            self.outputs.push(output);
        }
        self.open_cells();
        self.count_run(BODY);
        self.enter_function();
        self.lower_block(BODY)?;
        let mut returned = vec![self.int(types::I32, 0)];
        if in_register > 0 {
            returned.push(self.get(body.results[0])?);
        }
        self.write_results(in_register)?;
        self.free_cells();
        self.builder.ins().return_(&returned);
        self.begin_leaving();
        self.free_cells();
        let mut stopped = vec![self.int(types::I32, 1)];
        if in_register > 0 {
            stopped.push(self.nothing(scalar_type(self.dtype(body.results[0]))));
        }
        self.builder.ins().return_(&stopped);
        Ok(())
    }

    /// Writes the results to their places. Staged results are first copied aside, because other results are
    /// written over them. Results with memory of their own come before those that take over a parameter's
    /// memory, in which they may still lie.
    pub(super) fn write_results(&mut self, in_register: usize) -> Result<(), CompileError> {
        let results = &self.tree.function.body.results;
        let mut waiting = Vec::new();
        for (number, result) in results.iter().enumerate() {
            let mut from = self.get(*result)?;
            if let Some(memory) = self.plan.staged[number] {
                let place = self.memory(memory);
                self.copy_value(*result, place, from, None)?;
                from = place;
            }
            waiting.push(from);
        }
        for is_taken in [false, true] {
            for (number, result) in results.iter().enumerate().skip(in_register) {
                let (from, to) = (waiting[number], self.outputs[number]);
                if self.plan.taken.get(number).is_some_and(Option::is_some) != is_taken {
                    continue;
                }
                if self.is_scalar(*result) {
                    self.builder.ins().store(flags(), from, to, 0);
                } else {
                    self.copy_value(*result, to, from, None)?;
                }
            }
        }
        Ok(())
    }

    /// The arena of this function: in its frame if it is small, else as the caller gives it.
    fn frame_or(&mut self, given: Value) -> Result<Value, CompileError> {
        let bytes = self.plan.arena_bytes;
        if bytes == 0 || bytes > LARGEST_FRAME {
            return Ok(given);
        }
        let size = u32::try_from(bytes + ALIGNMENT)
            .map_err(|_| CompileError::new("a frame that is too large", None))?;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3);
        let slot = self.builder.create_sized_stack_slot(data);
        let start = self.builder.ins().stack_addr(types::I64, slot, 0);
        let end = self.builder.ins().iadd_imm_s(start, ALIGNMENT as i64 - 1);
        Ok(self.builder.ins().band_imm_s(end, -(ALIGNMENT as i64)))
    }

    /// The scalar that a failed call returns; nobody reads it.
    fn nothing(&mut self, ty: cranelift_codegen::ir::Type) -> Value {
        match ty {
            types::F32 => self.builder.ins().f32const(0.0),
            types::F64 => self.builder.ins().f64const(0.0),
            _ => self.int(ty, 0),
        }
    }

    pub(super) fn lower_call(&mut self, node: &Node, donated: &[Donated]) -> Result<(), CompileError> {
        let Op::Call(call) = &node.op else {
            return Err(CompileError::new("not a call", node.location));
        };
        let Some(Callee { reference, function, arena_bytes, taken }) = self.callees.get(call.callee) else {
            return Err(CompileError::new("a call of no function", node.location));
        };
        let (reference, function, arena_bytes, taken) = (*reference, *function, *arena_bytes, *taken);
        self.ask_before_call(node.location);
        let has_arena = arena_bytes > LARGEST_FRAME;
        let arena =
            if has_arena { self.push_arena(arena_bytes, node.location) } else { self.int(types::I64, 0) };
        let mut args = vec![self.context, arena];
        args.extend(self.get_all(&node.operands)?);
        for Donated { argument, result, copied } in donated {
            args[2 + argument] = self.place_with_copy(node.results[*result], *copied, node.location)?;
        }
        let in_register = usize::from(has_scalar_result(function));
        let mut places = Vec::new();
        for (number, result) in node.results.iter().enumerate().skip(in_register) {
            let argument = taken.get(number).copied().flatten();
            let place = match argument {
                Some(argument) => args[2 + argument],
                None if self.is_scalar(*result) => self.scalar_address(number),
                None => self.place(*result)?,
            };
            places.push((place, argument.is_none()));
        }
        args.extend(places.iter().filter(|(_, is_given)| *is_given).map(|(place, _)| *place));
        let made = self.builder.ins().call(reference, &args);
        let returned = self.builder.inst_results(made).to_vec();
        self.leave_call_if(returned[0], node.location);
        if has_arena {
            self.call(calls::pop_arena as *const u8, &[types::I64], None, &[self.context]);
        }
        for (number, result) in node.results.iter().enumerate() {
            let value = if number < in_register {
                returned[1]
            } else if self.is_scalar(*result) {
                self.load(scalar_type(self.dtype(*result)), places[number - in_register].0, 0)
            } else {
                places[number - in_register].0
            };
            self.set(*result, value);
        }
        Ok(())
    }

    /// Returns from the function, with the call's location noted, if the status of a call is not 0.
    fn leave_call_if(&mut self, status: Value, location: Option<LocationId>) {
        let (failing, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(failing);
        self.builder.ins().brif(status, failing, &[], next, &[]);
        self.builder.switch_to_block(failing);
        let (location, context) = (self.location(location), self.context_again());
        let function = calls::leave_call as *const u8;
        self.call(function, &[types::I64; 2], None, &[context, location]);
        self.builder.ins().jump(self.leave, &[]);
        self.builder.switch_to_block(next);
    }

    /// Fails if there is no stack left for another call; now and then asks the host whether to go on.
    fn ask_before_call(&mut self, location: Option<LocationId>) {
        let stack = self.builder.ins().get_stack_pointer(types::I64);
        let limit = self.load(types::I64, self.context, context::STACK_LIMIT);
        let is_deep = self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, stack, limit);
        self.ask_if(is_deep, calls::deepen as *const u8, &[stack], location);
        let fuel = self.load(types::I64, self.context, context::FUEL);
        let left = self.builder.ins().iadd_imm_s(fuel, -1);
        self.builder.ins().store(flags(), left, self.context, context::FUEL);
        let is_out = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0);
        self.ask_if(is_out, calls::poll_calls as *const u8, &[], location);
    }

    /// Calls a runtime function in the rare case that a condition holds; its status says whether to go on.
    fn ask_if(
        &mut self,
        condition: Value,
        function: *const u8,
        numbers: &[Value],
        location: Option<LocationId>,
    ) {
        let (asking, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(asking);
        self.builder.ins().brif(condition, asking, &[], next, &[]);
        self.builder.switch_to_block(asking);
        let (location, context) = (self.location(location), self.context_again());
        let args = [&[context], numbers, &[location]].concat();
        if let Some(status) = self.call(function, &vec![types::I64; args.len()], Some(types::I32), &args) {
            self.leave_if(status);
        }
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(next);
    }

    fn push_arena(&mut self, bytes: usize, location: Option<LocationId>) -> Value {
        let bytes = self.int(types::I64, bytes as i64);
        let location = self.location(location);
        let args = [self.context, bytes, location];
        let function = calls::push_arena as *const u8;
        let Some(arena) = self.call(function, &[types::I64; 3], Some(types::I64), &args) else {
            return bytes;
        };
        let next = self.builder.create_block();
        self.builder.ins().brif(arena, next, &[], self.leave, &[]);
        self.builder.switch_to_block(next);
        arena
    }
}
