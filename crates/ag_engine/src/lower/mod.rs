//! Generates code: the plan of a function becomes one native function.
//!
//! Scalars are values of the code, in registers; arrays are pointers. `x = x * 2 + i` with a
//! scalar `x` in a loop becomes three instructions, with an array `x` a call of one kernel.
//!
//! The main function is `fn(context, inputs, outputs, arena) -> status`; for the others see `calls`.

mod calls;
mod choice;
mod control_flow;
mod convert;
mod integers;
mod lists;
mod scalars;
mod steps;
mod tapes;

use std::collections::HashMap;

pub(crate) use self::calls::{Callee, call_signature};

use ag_ir::{DType, LocationId, ValueId};
use cranelift_codegen::ir::{
    self, AbiParam, Block, InstBuilder, MemFlagsData, Signature, StackSlot, StackSlotData, StackSlotKind,
    Type, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};

use crate::code::Part;
use crate::context::{self, FailureCode};
use crate::error::CompileError;
use crate::isa::Isa;
use crate::lists::CELL_BYTES;
use crate::plan::tree::Tree;
use crate::plan::{Memory, Place, Plan};

/// Iterations of an empty loop between two questions to the host; about a millisecond.
const FUEL: i64 = 1 << 21;

/// The state of code generation.
pub(crate) struct Lowerer<'p, 'b> {
    builder: FunctionBuilder<'b>,
    plan: &'p Plan,
    tree: &'p Tree<'p>,
    isa: Isa,
    call_conv: CallConv,
    constants: *const u8,
    first_kernel: usize,
    callees: Vec<Callee<'p>>,
    tapes: &'p [u32],
    values: Vec<Option<Value>>,
    /// Integers that are known now.
    known: HashMap<ValueId, i64>,
    /// The least and the most that integers can be.
    ranges: HashMap<ValueId, (i64, i64)>,
    /// Pointers of the slots of each open loop.
    slots: HashMap<usize, Vec<Value>>,
    signatures: Vec<(Signature, ir::SigRef)>,
    context: Value,
    outputs: Vec<Value>,
    arena: Value,
    fuel: Variable,
    /// In a branch that is run without asking: its overflows, which count only if it is chosen.
    collected: Option<Vec<(Value, Option<LocationId>)>>,
    leave: Block,
    pointers: StackSlot,
    scalars: StackSlot,
}

/// The type of a scalar.
pub(crate) const fn scalar_type(dtype: DType) -> Type {
    match dtype {
        DType::Bool | DType::U8 => types::I8,
        DType::I32 => types::I32,
        DType::I64 => types::I64,
        DType::F32 => types::F32,
        DType::F64 => types::F64,
    }
}

/// Memory that is there and aligned.
fn flags() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// The signature of the native function.
pub(crate) fn entry_signature(call_conv: CallConv) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params.extend([AbiParam::new(types::I64); 4]);
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

/// Generates the code of a planned function: the main one, whose operands come as lists of
/// pointers, or one that is called.
pub(crate) fn lower<'p>(
    mut builder: FunctionBuilder<'_>,
    part: &'p Part<'p>,
    is_entry: bool,
    callees: Vec<Callee<'p>>,
    isa: Isa,
    frontend: cranelift_codegen::isa::TargetFrontendConfig,
) -> Result<(), CompileError> {
    let Part { plan, tree, constants, first_kernel, most_operands, tapes } = part;
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let params = builder.block_params(entry).to_vec();
    let leave = builder.create_block();
    builder.set_cold_block(leave);
    let most = (*most_operands).max(calls::most_results(tree)).max(4) as u32;
    let mut slot =
        |bytes| builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3));
    let (pointers, scalars) = (slot(most * 8), slot(most * 8));
    let fuel = builder.declare_var(types::I64);
    let full = builder.ins().iconst(types::I64, FUEL);
    builder.def_var(fuel, full);
    let mut lowerer = Lowerer {
        values: vec![None; tree.function.values.len()],
        known: HashMap::new(),
        ranges: HashMap::new(),
        slots: HashMap::new(),
        signatures: Vec::new(),
        outputs: Vec::new(),
        call_conv: builder.func.signature.call_conv,
        builder,
        plan,
        tree,
        isa,
        constants: *constants,
        first_kernel: *first_kernel,
        callees,
        tapes,
        context: params[0],
        arena: params[0],
        fuel,
        collected: None,
        leave,
        pointers,
        scalars,
    };
    if is_entry {
        lowerer.lower_entry(&params)?
    } else {
        lowerer.lower_callee(&params)?
    }
    lowerer.builder.seal_all_blocks();
    lowerer.builder.finalize(frontend);
    Ok(())
}

impl Lowerer<'_, '_> {
    fn lower_entry(&mut self, params: &[Value]) -> Result<(), CompileError> {
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
        self.lower_block(0)?;
        self.write_results(0)?;
        let done = self.int(types::I32, 0);
        self.builder.ins().return_(&[done]);
        self.builder.switch_to_block(self.leave);
        let stopped = self.int(types::I32, 1);
        self.builder.ins().return_(&[stopped]);
        Ok(())
    }

    fn lower_block(&mut self, block: usize) -> Result<(), CompileError> {
        for index in 0..self.plan.steps[block].len() {
            self.lower_step(block, index)?;
        }
        Ok(())
    }

    fn get(&self, value: ValueId) -> Result<Value, CompileError> {
        self.values[value.0 as usize]
            .ok_or_else(|| CompileError::new(format!("value {} is used before it is made", value.0), None))
    }

    fn set(&mut self, value: ValueId, code: Value) {
        self.values[value.0 as usize] = Some(code);
    }

    fn is_scalar(&self, value: ValueId) -> bool {
        self.tree.function.ty(value).is_scalar()
    }

    fn dtype(&self, value: ValueId) -> DType {
        self.tree.function.tensor(value).dtype
    }

    fn bytes(&self, value: ValueId) -> usize {
        let function = self.tree.function;
        if function.ty(value).has_unknown_sizes() {
            return CELL_BYTES;
        }
        function.dtype_of(value).map_or(CELL_BYTES, |dtype| {
            crate::plan::fuse::sizes_of(function, value).iter().product::<usize>() * dtype.size()
        })
    }

    fn int(&mut self, ty: Type, value: i64) -> Value {
        self.builder.ins().iconst(ty, value)
    }

    fn load(&mut self, ty: Type, pointer: Value, offset: i32) -> Value {
        self.builder.ins().load(ty, flags(), pointer, offset)
    }

    fn add_bytes(&mut self, pointer: Value, bytes: usize) -> Value {
        if bytes == 0 { pointer } else { self.builder.ins().iadd_imm_s(pointer, bytes as i64) }
    }

    /// The pointer to a piece of memory.
    fn memory(&mut self, memory: usize) -> Value {
        match self.plan.memory[memory] {
            Memory::Arena(offset) => self.add_bytes(self.arena, offset),
            Memory::Output(output) => self.outputs[output],
        }
    }

    /// The pointer to the place of a value that a kernel makes.
    fn place(&mut self, value: ValueId) -> Result<Value, CompileError> {
        match self.plan.places[value.0 as usize] {
            Some(Place::Memory(memory)) => Ok(self.memory(memory)),
            Some(Place::Same(other)) => self.get(other),
            Some(Place::Slot(number, slot)) => self
                .slots
                .get(&number)
                .and_then(|slots| slots.get(slot))
                .copied()
                .ok_or_else(|| CompileError::new(format!("loop {number} has no slot {slot}"), None)),
            None => Err(CompileError::new(format!("value {} has no place", value.0), None)),
        }
    }

    /// Calls a Rust function.
    fn call(
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

    fn copy(&mut self, to: Value, from: Value, bytes: usize) {
        let bytes = self.int(types::I64, bytes as i64);
        let function = context::copy_bytes as *const u8;
        self.call(function, &[types::I64; 3], None, &[to, from, bytes]);
    }

    /// Leaves if the status is not 0.
    fn leave_if(&mut self, status: Value) {
        let next = self.builder.create_block();
        self.builder.ins().brif(status, self.leave, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    /// Fails if the condition holds.
    fn fail_if(
        &mut self,
        condition: Value,
        code: FailureCode,
        location: Option<LocationId>,
        numbers: [Value; 3],
    ) {
        let (failing, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(failing);
        self.builder.ins().brif(condition, failing, &[], next, &[]);
        self.builder.switch_to_block(failing);
        let code = self.int(types::I64, code as i64);
        self.fail_with(code, location, numbers);
        self.builder.switch_to_block(next);
    }

    /// Fails, in a block of its own.
    fn fail_with(&mut self, code: Value, location: Option<LocationId>, [a, b, c]: [Value; 3]) {
        let location = self.location(location);
        let function = context::fail as *const u8;
        self.call(function, &[types::I64; 6], None, &[self.context, code, location, a, b, c]);
        self.builder.ins().jump(self.leave, &[]);
    }

    /// A location as a number, -1 for none.
    fn location(&mut self, location: Option<LocationId>) -> Value {
        self.int(types::I64, location.map_or(-1, |location| i64::from(location.0)))
    }

    /// Fails without numbers if the condition holds.
    fn overflow_if(&mut self, condition: Value, location: Option<LocationId>) {
        if let Some(collected) = &mut self.collected {
            collected.push((condition, location));
            return;
        }
        // The context stands for numbers that nobody reads: it is at hand and costs nothing.
        self.fail_if(condition, FailureCode::Overflow, location, [self.context; 3]);
    }
}
