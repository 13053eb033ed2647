//! Calls on paths that are hardly ever taken, which keep all registers.
//!
//! ```text
//! loop:  fuel = fuel - 1                      once in a million iterations:
//!        if fuel < 0 → asking                 asking:  poll(context, location)
//!        sum = sum + x[i]                              if stopped → leave
//! ```
//!
//! A call of the C convention overwrites all registers of floats. `sum` would be in memory in every iteration,
//! which takes twice as long as the addition, for the sake of a call that hardly happens. So the call goes to a
//! function that saves the registers first. It is generated once per process, because only a code generator
//! knows which registers its code uses.

use std::sync::OnceLock;

use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{Linkage, Module};

use super::lowerer::{Lowerer, flags};
use crate::error::CompileError;
use crate::runtime::{calls, context};

/// The code of [`calls::poll`] that keeps all registers.
struct KeptPoll {
    address: *const u8,
    /// Keeps the code.
    _module: JITModule,
}

// SAFETY: the code is finished and only read; the module is there to keep it.
unsafe impl Send for KeptPoll {}
// SAFETY: as above.
unsafe impl Sync for KeptPoll {}

/// The signature of the function: the context and a location. It has no result: the context has the status.
fn kept_signature() -> Signature {
    let mut signature = Signature::new(CallConv::PreserveAll);
    signature.params.extend([AbiParam::new(types::I64); 2]);
    signature
}

/// The address of the function; `module` makes the module that its code is put into.
pub(crate) fn kept_poll(
    module: impl FnOnce() -> Result<JITModule, CompileError>,
) -> Result<*const u8, CompileError> {
    static POLL: OnceLock<KeptPoll> = OnceLock::new();
    if let Some(poll) = POLL.get() {
        return Ok(poll.address);
    }
    // Two threads may both generate it; one of them wins.
    let made = generate(module()?)?;
    Ok(POLL.get_or_init(|| made).address)
}

fn generate(mut module: JITModule) -> Result<KeptPoll, CompileError> {
    let refusal = |error: cranelift_module::ModuleError| CompileError::new(format!("{error}"), None);
    let mut whole = module.make_context();
    whole.func.signature = kept_signature();
    let name = module.declare_function("poll", Linkage::Local, &whole.func.signature).map_err(refusal)?;
    let mut functions = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut whole.func, &mut functions);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let arguments = builder.block_params(entry).to_vec();
    let mut plain = Signature::new(module.isa().default_call_conv());
    plain.params.extend([AbiParam::new(types::I64); 2]);
    plain.returns.push(AbiParam::new(types::I32));
    let plain = builder.import_signature(plain);
    let address = builder.ins().iconst(types::I64, (calls::poll as *const u8).addr().cast_signed() as i64);
    let call = builder.ins().call_indirect(plain, address, &arguments);
    let status = builder.inst_results(call)[0];
    builder.ins().store(MemFlagsData::trusted(), status, arguments[0], context::STATUS);
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(module.target_config());
    module.define_function(name, &mut whole).map_err(refusal)?;
    module.finalize_definitions().map_err(refusal)?;
    Ok(KeptPoll { address: module.get_finalized_function(name), _module: module })
}

impl Lowerer<'_, '_> {
    /// Asks the host whether to go on, and leaves if it does not. No register is overwritten.
    pub(super) fn poll_coldly(&mut self, location: Value) {
        let signature = match self.kept_poll_signature {
            Some(signature) => signature,
            None => *self.kept_poll_signature.insert(self.builder.import_signature(kept_signature())),
        };
        let address = self.int(types::I64, self.kept_poll.addr().cast_signed() as i64);
        self.builder.ins().call_indirect(signature, address, &[self.context, location]);
        let status = self.builder.ins().load(types::I32, flags(), self.context, context::STATUS);
        self.leave_if(status);
    }
}
