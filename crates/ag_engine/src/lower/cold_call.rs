//! Calls on paths that are hardly ever taken, which keep all registers.
//!
//! ```text
//! loop:  fuel = fuel - 1                      once in a million iterations:
//!        if fuel < 0 → asking                 asking:  poll(context, location)
//!        sum = sum + x[i]                              if stopped → leave
//! ```
//!
//! A call of the C convention overwrites all registers of floats. `sum` would be in memory in every
//! iteration, which takes twice as long as the addition, for the sake of a call that hardly happens. So the
//! call goes to a function that saves the registers first; so does one of the host, which takes far longer
//! than that. They are generated once per process, because only a code generator knows which registers its
//! code uses.

use std::sync::OnceLock;

use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};

use crate::error::CompileError;
use crate::profile::meter::{self, Meter};
use crate::runtime::{calls, context};

/// The functions that are called so. Each takes numbers or addresses, the first of them the context, and
/// returns a status.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColdCall {
    /// [`calls::poll`]
    Poll,
    /// [`calls::run_kernel`] or [`calls::run_checked_kernel`], of a kernel that calls the host.
    RunKernel,
    /// [`meter::tick`], which has no status, nor have the next two. They take a meter in the place of the context.
    Tick,
    /// [`meter::note`]
    Note,
    /// [`meter::add_work`]
    AddWork,
}

/// How many there are.
pub(super) const COUNT: usize = 5;
/// How many arguments each takes.
const ARGUMENTS: [usize; COUNT] = [2, 3, 2, 4, 3];

impl ColdCall {
    fn address(self) -> *const u8 {
        match self {
            Self::Poll => calls::poll as *const u8,
            Self::RunKernel if ag_ir::checks_itself() => calls::run_checked_kernel as *const u8,
            Self::RunKernel => calls::run_kernel as *const u8,
            Self::Tick => meter::tick as *const u8,
            Self::Note => meter::note as *const u8,
            Self::AddWork => meter::add_work as *const u8,
        }
    }

    const fn has_status(self) -> bool {
        matches!(self, Self::Poll | Self::RunKernel)
    }
}

/// Ends the units of these numbers.
pub(crate) type TwoTicks = unsafe extern "C" fn(*mut Meter, u64, u64);

/// The code of these functions that keeps all registers.
pub(crate) struct ColdCalls {
    addresses: [*const u8; COUNT],
    /// Code that ends two units, one after the other, as generated code does; none if it ends none.
    pub(crate) two_ticks: Option<TwoTicks>,
    /// Keeps the code.
    _module: JITModule,
}

// SAFETY: the code is finished and only read; the module is there to keep it.
unsafe impl Send for ColdCalls {}
// SAFETY: as above.
unsafe impl Sync for ColdCalls {}

impl ColdCalls {
    /// The address of a function, which must be among those that were generated.
    pub(super) const fn address(&self, call: ColdCall) -> *const u8 {
        self.addresses[call as usize]
    }
}

/// The signature of such a function. It has no result: the context has the status.
pub(super) fn kept_signature(call: ColdCall) -> Signature {
    let mut signature = Signature::new(CallConv::PreserveAll);
    signature.params.extend(vec![AbiParam::new(types::I64); ARGUMENTS[call as usize]]);
    signature
}

/// The functions that any graph calls; `module` makes the module that their code is put into.
pub(crate) fn cold_calls(
    module: impl FnOnce() -> Result<JITModule, CompileError>,
) -> Result<&'static ColdCalls, CompileError> {
    static CALLS: OnceLock<ColdCalls> = OnceLock::new();
    once(&CALLS, module, &[ColdCall::Poll, ColdCall::RunKernel])
}

/// The functions that graphs call which measure themselves.
pub(crate) fn measuring_calls(
    module: impl FnOnce() -> Result<JITModule, CompileError>,
) -> Result<&'static ColdCalls, CompileError> {
    static CALLS: OnceLock<ColdCalls> = OnceLock::new();
    once(&CALLS, module, &[ColdCall::Tick, ColdCall::Note, ColdCall::AddWork])
}

fn once(
    calls: &'static OnceLock<ColdCalls>,
    module: impl FnOnce() -> Result<JITModule, CompileError>,
    all: &[ColdCall],
) -> Result<&'static ColdCalls, CompileError> {
    if let Some(calls) = calls.get() {
        return Ok(calls);
    }
    // Two threads may both generate them; one of them wins.
    let made = generate(module()?, all)?;
    Ok(calls.get_or_init(|| made))
}

fn refusal(error: impl std::fmt::Display) -> CompileError {
    CompileError::new(error.to_string(), None)
}

fn generate(mut module: JITModule, all: &[ColdCall]) -> Result<ColdCalls, CompileError> {
    let mut names = Vec::new();
    for call in all {
        names.push((*call, generate_one(&mut module, *call)?));
    }
    let twice = names.iter().find(|(call, _)| matches!(call, ColdCall::Tick)).map(|(_, name)| *name);
    let twice = twice.map(|tick| generate_two_ticks(&mut module, tick)).transpose()?;
    module.finalize_definitions().map_err(refusal)?;
    let mut addresses = [std::ptr::null(); COUNT];
    for (call, name) in names {
        addresses[call as usize] = module.get_finalized_function(name);
    }
    // SAFETY: the function has the signature of the type.
    let two_ticks = twice.map(|name| unsafe {
        std::mem::transmute::<*const u8, TwoTicks>(module.get_finalized_function(name))
    });
    Ok(ColdCalls { addresses, two_ticks, _module: module })
}

fn generate_two_ticks(module: &mut JITModule, tick: FuncId) -> Result<FuncId, CompileError> {
    let mut whole = module.make_context();
    let mut signature = Signature::new(module.isa().default_call_conv());
    signature.params.extend([AbiParam::new(types::I64); 3]);
    whole.func.signature = signature;
    let name = module.declare_anonymous_function(&whole.func.signature).map_err(refusal)?;
    let tick = module.declare_func_in_func(tick, &mut whole.func);
    let mut functions = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut whole.func, &mut functions);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let arguments = builder.block_params(entry).to_vec();
    builder.ins().call(tick, &[arguments[0], arguments[1]]);
    builder.ins().call(tick, &[arguments[0], arguments[2]]);
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(module.target_config());
    module.define_function(name, &mut whole).map_err(refusal)?;
    Ok(name)
}

fn generate_one(module: &mut JITModule, call: ColdCall) -> Result<FuncId, CompileError> {
    let mut whole = module.make_context();
    whole.func.signature = kept_signature(call);
    let name = module.declare_anonymous_function(&whole.func.signature).map_err(refusal)?;
    let mut functions = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut whole.func, &mut functions);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let arguments = builder.block_params(entry).to_vec();
    let mut plain = Signature::new(module.isa().default_call_conv());
    plain.params.extend(vec![AbiParam::new(types::I64); arguments.len()]);
    plain.returns.extend(call.has_status().then_some(AbiParam::new(types::I32)));
    let plain = builder.import_signature(plain);
    let address = builder.ins().iconst(types::I64, call.address().addr().cast_signed() as i64);
    let called = builder.ins().call_indirect(plain, address, &arguments);
    if let Some(status) = builder.inst_results(called).first().copied() {
        builder.ins().store(MemFlagsData::trusted(), status, arguments[0], context::STATUS);
    }
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(module.target_config());
    module.define_function(name, &mut whole).map_err(refusal)?;
    Ok(name)
}
