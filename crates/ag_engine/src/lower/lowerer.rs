//! The state of code generation, and its basic operations: pointers, loads, calls, failures.

use std::collections::HashMap;

use ag_ir::{DType, LocationId, ValueId};
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::{
    self, AbiParam, Block, InstBuilder, MemFlagsData, Signature, StackSlot, Type, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};

use super::callee::Callee;
use super::checks::Checks;
use super::cold_call::{COUNT, ColdCall, ColdCalls, kept_signature};
use super::probe::Probe;
use super::ranges::Ranges;
use super::scalar_type::scalar_type;
use crate::error::CompileError;
use crate::isa::Isa;
use crate::lists::CELL_BYTES;
use crate::plan::Plan;
use crate::plan::ids::{BODY, BlockId, LoopId, MemoryId};
use crate::plan::step::{Memory, Place};
use crate::plan::tree::Tree;
use crate::profile::layout::{RESULTS, SETUP};
use crate::runtime::calls;
use crate::runtime::context::{self, FailureCode};
use crate::values::ValueMap;

/// How many iterations of an empty loop run before the host is asked whether to go on; about a millisecond.
pub(super) const FUEL: i64 = 1 << 21;

/// The state of code generation.
pub(crate) struct Lowerer<'p, 'b> {
    pub(super) builder: FunctionBuilder<'b>,
    pub(super) plan: &'p Plan,
    pub(super) tree: &'p Tree<'p>,
    pub(super) isa: Isa,
    pub(super) call_conv: CallConv,
    pub(super) constants: *const u8,
    pub(super) first_kernel: usize,
    pub(super) callees: Vec<Callee<'p>>,
    pub(super) tapes: &'p [u32],
    pub(super) values: ValueMap<Option<Value>>,
    /// Integer values that are known while generating code.
    pub(super) known: HashMap<ValueId, i64>,
    /// The least and the greatest that integers can be.
    pub(super) ranges: Ranges,
    /// Pointers of the slots of each open loop.
    pub(super) slots: HashMap<LoopId, Vec<Value>>,
    pub(super) signatures: Vec<(Signature, ir::SigRef)>,
    /// Functions that keep all registers, and the signatures of those that have been called.
    pub(super) cold_calls: &'static ColdCalls,
    pub(super) cold_signatures: [Option<ir::SigRef>; COUNT],
    pub(super) context: Value,
    /// Where the context is once more, for [`Lowerer::context_again`].
    pub(super) kept_context: StackSlot,
    pub(super) outputs: Vec<Value>,
    pub(super) arena: Value,
    pub(super) fuel: Variable,
    /// In a branch that is computed before it is chosen: its overflow checks, which count only if it is
    /// chosen.
    pub(super) collected: Option<Checks>,
    pub(super) leave: Block,
    /// Ends the run with the failure that the context names, and leaves.
    pub(super) failing: Block,
    pub(super) pointers: StackSlot,
    pub(super) scalars: StackSlot,
    /// What is measured, if the graph is profiled.
    pub(super) probe: Option<Probe>,
}

/// The flags of a load or store that cannot trap and is aligned.
pub(super) fn flags() -> MemFlagsData {
    MemFlagsData::trusted()
}

impl Lowerer<'_, '_> {
    pub(super) fn lower_entry(&mut self, params: &[Value]) -> Result<(), CompileError> {
        let [_, inputs, outputs, arena] = params[..] else {
            return Err(CompileError::new("the entry has four parameters", None));
        };
        self.arena = arena;
        let body = &self.tree.function.body;
        for (number, param) in body.params.iter().enumerate() {
            let pointer = self.load(types::I64, inputs, number as i32 * 8);
            let value = if self.is_scalar(*param) {
                self.load(scalar_type(self.dtype(*param)), pointer, 0)
            } else {
                pointer
            };
            self.set(*param, value);
        }
        for number in 0..body.results.len() {
            let pointer = self.load(types::I64, outputs, number as i32 * 8);
            self.outputs.push(pointer);
        }
        self.end_unit_outside(SETUP);
        self.count_run(BODY);
        self.lower_block(BODY)?;
        self.write_results(0)?;
        self.end_unit_outside(RESULTS);
        let done = self.int(types::I32, 0);
        self.builder.ins().return_(&[done]);
        self.begin_leaving();
        let stopped = self.int(types::I32, 1);
        self.builder.ins().return_(&[stopped]);
        Ok(())
    }

    pub(super) fn lower_block(&mut self, block: BlockId) -> Result<(), CompileError> {
        if self.measures_units() {
            return self.lower_in_units(block);
        }
        self.lower_steps(block, self.plan.steps[block].len())
    }

    /// The first steps of a block.
    pub(super) fn lower_steps(&mut self, block: BlockId, count: usize) -> Result<(), CompileError> {
        for index in 0..count {
            self.lower_step(block, index)?;
            self.note_range(self.tree.node(block, index));
        }
        Ok(())
    }

    pub(super) fn get(&self, value: ValueId) -> Result<Value, CompileError> {
        self.values[value]
            .ok_or_else(|| CompileError::new(format!("value {} is used before it is made", value.0), None))
    }

    pub(super) fn set(&mut self, value: ValueId, code: Value) {
        self.values[value] = Some(code);
    }

    pub(super) fn is_scalar(&self, value: ValueId) -> bool {
        self.tree.function.ty(value).is_scalar()
    }

    pub(super) fn dtype(&self, value: ValueId) -> DType {
        self.tree.function.tensor(value).dtype
    }

    pub(super) fn bytes(&self, value: ValueId) -> usize {
        let function = self.tree.function;
        if function.ty(value).has_unknown_sizes() {
            return CELL_BYTES;
        }
        function.dtype_of(value).map_or(CELL_BYTES, |dtype| {
            crate::plan::fuse::sizes_of(function, value).iter().product::<usize>() * dtype.size()
        })
    }

    pub(super) fn int(&mut self, ty: Type, value: i64) -> Value {
        self.builder.ins().iconst(ty, value)
    }

    pub(super) fn load(&mut self, ty: Type, pointer: Value, offset: i32) -> Value {
        self.builder.ins().load(ty, flags(), pointer, offset)
    }

    pub(super) fn add_bytes(&mut self, pointer: Value, bytes: usize) -> Value {
        if bytes == 0 { pointer } else { self.builder.ins().iadd_imm_s(pointer, bytes as i64) }
    }

    /// The pointer to a piece of memory.
    pub(super) fn memory(&mut self, memory: MemoryId) -> Value {
        match self.plan.memory[memory] {
            Memory::Arena(offset) => self.add_bytes(self.arena, offset),
            Memory::Output(output) => self.outputs[output],
        }
    }

    /// The pointer to the place of a value that a node makes.
    pub(super) fn place(&mut self, value: ValueId) -> Result<Value, CompileError> {
        match self.plan.places[value] {
            Some(Place::Memory(memory)) => Ok(self.memory(memory)),
            Some(Place::Same(other)) => self.get(other),
            Some(Place::Slot(number, slot)) => self
                .slots
                .get(&number)
                .and_then(|slots| slots.get(slot.index()))
                .copied()
                .ok_or_else(|| CompileError::new(format!("{number} has no {slot}"), None)),
            Some(Place::End(list, put)) => self.end_of(list, put),
            Some(Place::Top(tape, put)) => self.top_of(tape, put),
            None => Err(CompileError::new(format!("value {} has no place", value.0), None)),
        }
    }

    /// Calls a Rust function.
    pub(super) fn call(
        &mut self,
        function: *const u8,
        params: &[Type],
        result: Option<Type>,
        args: &[Value],
    ) -> Option<Value> {
        let mut signature = Signature::new(self.call_conv);
        signature.params.extend(params.iter().copied().map(AbiParam::new));
        signature.returns.extend(result.map(AbiParam::new));
        let known = self.signatures.iter().find(|(known, _)| *known == signature).map(|(_, number)| *number);
        let number = known.unwrap_or_else(|| {
            let number = self.builder.import_signature(signature.clone());
            self.signatures.push((signature, number));
            number
        });
        let address = self.int(types::I64, function.addr().cast_signed() as i64);
        let call = self.builder.ins().call_indirect(number, address, args);
        self.builder.inst_results(call).first().copied()
    }

    /// The context, for a path that is hardly ever taken.
    ///
    /// An argument of a call has to be in one register. A value that is one on such a path would be moved there
    /// and back in every iteration of the loop around it; what the path loads is only there.
    pub(super) fn context_again(&mut self) -> Value {
        self.builder.ins().stack_load(types::I64, types::I64, self.kept_context, 0)
    }

    /// Calls a function that overwrites no register with the context and these, and leaves if it fails. What
    /// follows is as cold.
    pub(super) fn call_coldly(&mut self, call: ColdCall, arguments: &[Value]) {
        let context = self.context_again();
        self.call_keeping(self.cold_calls, call, &[&[context], arguments].concat());
        let status = self.builder.ins().load(types::I32, flags(), context, context::STATUS);
        self.leave_if(status);
    }

    /// Calls a function that overwrites no register.
    pub(super) fn call_keeping(&mut self, calls: &ColdCalls, call: ColdCall, arguments: &[Value]) {
        let number = call as usize;
        let signature = match self.cold_signatures[number] {
            Some(signature) => signature,
            None => {
                let signature = self.builder.import_signature(kept_signature(call));
                *self.cold_signatures[number].insert(signature)
            }
        };
        let address = self.int(types::I64, calls.address(call).addr().cast_signed() as i64);
        self.builder.ins().call_indirect(signature, address, arguments);
    }

    pub(super) fn copy(&mut self, to: Value, from: Value, bytes: usize) {
        let bytes = self.int(types::I64, bytes as i64);
        let function = calls::copy_bytes as *const u8;
        self.call(function, &[types::I64; 3], None, &[to, from, bytes]);
    }

    /// Jumps to the exit of the function if the status is not 0.
    pub(super) fn leave_if(&mut self, status: Value) {
        let next = self.builder.create_block();
        self.builder.ins().brif(status, self.leave, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    /// Fails if the condition holds. The message has these numbers.
    pub(super) fn fail_if(
        &mut self,
        condition: Value,
        code: FailureCode,
        location: Option<LocationId>,
        numbers: &[Value],
    ) {
        let (failing, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(failing);
        self.builder.ins().brif(condition, failing, &[], next, &[]);
        self.builder.switch_to_block(failing);
        let code = self.int(types::I64, code as i64);
        self.fail_with(code, location, numbers);
        self.builder.switch_to_block(next);
    }

    /// Notes a failure and jumps to the exit; the current block ends.
    pub(super) fn fail_with(&mut self, code: Value, location: Option<LocationId>, numbers: &[Value]) {
        let (location, context) = (self.location(location), self.context_again());
        for (number, value) in [code, location].iter().chain(numbers).enumerate() {
            self.builder.ins().store(flags(), *value, context, context::FAILING + number as i32 * 8);
        }
        self.builder.ins().jump(self.failing, &[]);
    }

    /// Generates the block that notes failures, and goes to that which leaves the function.
    pub(super) fn begin_leaving(&mut self) {
        self.builder.switch_to_block(self.failing);
        let context = self.context_again();
        self.call(calls::fail as *const u8, &[types::I64], None, &[context]);
        self.builder.ins().jump(self.leave, &[]);
        self.builder.switch_to_block(self.leave);
    }

    /// A location as a number, -1 for none.
    pub(super) fn location(&mut self, location: Option<LocationId>) -> Value {
        self.int(types::I64, location.map_or(-1, |location| i64::from(location.0)))
    }

    /// Fails with an overflow if the condition holds. In a branch that is computed before it is chosen, only
    /// notes the condition.
    pub(super) fn overflow_if(&mut self, condition: Value, location: Option<LocationId>) {
        if let Some(collected) = &mut self.collected {
            collected.add(condition, location);
            return;
        }
        self.fail_if(condition, FailureCode::Overflow, location, &[]);
    }
}
