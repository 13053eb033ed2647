//! Generates code (lowering): the plan of a function becomes one native function.
//!
//! Scalars are values of the code, in registers; arrays are pointers. `x = x * 2 + i` with a
//! scalar `x` in a loop becomes three instructions, with an array `x` a call of one kernel.
//!
//! The main function is `fn(context, inputs, outputs, arena) -> status`; for the others see `calls`.

mod callee;
mod calls;
mod carry_ranges;
mod checks;
mod choice;
mod cold_call;
mod control_flow;
mod convert;
mod fuel;
mod integers;
mod light;
mod lists;
mod lowerer;
mod part;
mod probe;
mod profiling;
mod ranges;
mod rows;
mod scalar_type;
mod scalars;
mod steps;
mod tapes;
mod value_ranges;
mod while_loops;

use std::collections::HashMap;

pub(crate) use self::callee::{Callee, call_signature};
pub(crate) use self::cold_call::{ColdCalls, cold_calls, measuring_calls};
pub(crate) use self::light::light_functions;
pub(crate) use self::part::Part;
pub(crate) use self::probe::{Measured, blocks_of};

use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, StackSlotData, StackSlotKind, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;

use self::lowerer::{FUEL, Lowerer};
use self::probe::Probe;
use self::ranges::Ranges;
use crate::error::CompileError;
use crate::isa::Isa;
use crate::values::ValueMap;

/// The signature of the main function: context, inputs, outputs and arena, with a status as result.
pub(crate) fn entry_signature(call_conv: CallConv) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params.extend([AbiParam::new(types::I64); 4]);
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

/// Generates the code of a planned function: the main one, whose operands come as lists of
/// pointers, or one that is called. `number` is that of the function, the main one being 0; `measured` what is
/// measured of the graph, if anything is.
#[allow(clippy::too_many_arguments, reason = "what a function is generated from")]
pub(crate) fn lower<'p>(
    mut builder: FunctionBuilder<'_>,
    part: &'p Part<'p>,
    number: usize,
    measured: &mut Option<Measured>,
    callees: Vec<Callee<'p>>,
    isa: Isa,
    frontend: cranelift_codegen::isa::TargetFrontendConfig,
    cold_calls: &'static ColdCalls,
) -> Result<(), CompileError> {
    let Part { plan, tree, constants, first_kernel, most_operands, tapes } = part;
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let params = builder.block_params(entry).to_vec();
    let (leave, failing) = (builder.create_block(), builder.create_block());
    builder.set_cold_block(leave);
    builder.set_cold_block(failing);
    let most = (*most_operands).max(callee::most_results(tree)).max(4) as u32;
    let mut slot =
        |bytes| builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3));
    let (pointers, scalars, kept_context) = (slot(most * 8), slot(most * 8), slot(8));
    builder.ins().stack_store(types::I64, params[0], kept_context, 0);
    let fuel = builder.declare_var(types::I64);
    let full = builder.ins().iconst(types::I64, FUEL);
    builder.def_var(fuel, full);
    let mut lowerer = Lowerer {
        values: ValueMap::of(tree.function, None),
        known: HashMap::new(),
        ranges: Ranges::default(),
        slots: HashMap::new(),
        signatures: Vec::new(),
        cold_calls,
        cold_signatures: [None; cold_call::COUNT],
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
        kept_context,
        arena: params[0],
        fuel,
        collected: None,
        leave,
        failing,
        pointers,
        scalars,
        probe: measured.take().map(|measured| Probe::new(measured, number, tree)),
    };
    if number == 0 {
        lowerer.lower_entry(&params)?
    } else {
        lowerer.lower_callee(&params)?
    }
    *measured = lowerer.probe.take().map(Probe::measured);
    lowerer.builder.seal_all_blocks();
    lowerer.builder.finalize(frontend);
    Ok(())
}
