//! Native code in memory: what Cranelift makes of a plan.

use cranelift_codegen::ir::{self, FuncRef};
use cranelift_codegen::isa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

use crate::error::CompileError;
use crate::isa::Isa;
use crate::lower::{self, Callee, Measured, Part};
use crate::plan::step::Step;
use crate::runtime::context::RunContext;

type Entry = unsafe extern "C" fn(*mut RunContext<'_>, *const *const u8, *const *mut u8, *mut u8) -> i32;

/// A function with more steps than this is compiled with less optimisation: compile time grows faster than
/// the code.
const MANY_STEPS: usize = 1500;

/// The native code of a graph.
pub(crate) struct Code {
    module: Option<JITModule>,
    entry: Entry,
    bytes: usize,
}

// SAFETY: the code is finished and only read; the module is kept to free it.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

fn refusal(error: impl std::fmt::Display) -> CompileError {
    CompileError::new(format!("code generation: {error}"), None)
}

/// A reference to a function for a caller that may be anywhere in memory: in a process with much memory, the
/// functions of a graph may lie farther apart than the two gigabytes that a near call reaches.
fn far_reference(module: &mut JITModule, name: FuncId, caller: &mut ir::Function) -> FuncRef {
    let reference = module.declare_func_in_func(name, caller);
    caller.dfg.ext_funcs[reference].colocated = false;
    reference
}

/// What is asked of code besides running.
#[derive(Default)]
pub(crate) struct Asked {
    /// What it measures, if it does.
    pub(crate) measured: Option<Measured>,
    /// Whether it is generated for a processor that is the same everywhere, to be read and not to be run.
    pub(crate) is_listed: bool,
    /// The instructions of each function, if it is.
    pub(crate) listings: Vec<String>,
}

/// A target that is the same on each machine: a processor with AVX2.
fn fixed_target() -> Result<isa::Builder, CompileError> {
    let mut target = isa::lookup_by_name("x86_64").map_err(refusal)?;
    let features =
        ["sse3", "ssse3", "sse41", "sse42", "avx", "avx2", "fma", "bmi1", "bmi2", "lzcnt", "popcnt"];
    for feature in features {
        target.enable(&format!("has_{feature}")).map_err(refusal)?;
    }
    Ok(target)
}

/// A module for code. A large function is compiled with less optimisation.
fn new_module(is_large: bool, is_listed: bool) -> Result<JITModule, CompileError> {
    let mut flags = settings::builder();
    flags.set("opt_level", if is_large { "none" } else { "speed" }).map_err(refusal)?;
    let allocator = if is_large { "single_pass" } else { "backtracking" };
    flags.set("regalloc_algorithm", allocator).map_err(refusal)?;
    let verifies = if ag_ir::checks_itself() { "true" } else { "false" };
    flags.set("enable_verifier", verifies).map_err(refusal)?;
    let target = if is_listed { fixed_target()? } else { cranelift_native::builder().map_err(refusal)? };
    let target = target.finish(settings::Flags::new(flags)).map_err(refusal)?;
    Ok(JITModule::new(JITBuilder::with_isa(target, default_libcall_names())))
}

impl Code {
    /// Generates the code of all functions of a graph.
    pub(crate) fn generate(parts: &[Part<'_>], isa: Isa, asked: &mut Asked) -> Result<Self, CompileError> {
        let all = parts.iter().flat_map(|part| part.plan.steps.values().flatten());
        let steps = all.filter(|step| !matches!(step, Step::Nothing)).count();
        let mut module = new_module(steps > MANY_STEPS, asked.is_listed)?;
        let cold_calls = lower::cold_calls(|| new_module(false, false))?;
        if let Some(measured) = &mut asked.measured {
            measured.calls = Some(lower::measuring_calls(|| new_module(false, false))?);
            measured.light = lower::light_functions(parts);
        }
        let convention = module.isa().default_call_conv();
        let mut names = Vec::with_capacity(parts.len());
        for (number, part) in parts.iter().enumerate() {
            let signature = match number {
                0 => lower::entry_signature(convention),
                _ => lower::call_signature(convention, part.tree.function, &part.plan.taken),
            };
            let name = module.declare_function(&format!("f{number}"), Linkage::Local, &signature);
            names.push((name.map_err(refusal)?, signature));
        }
        let mut bytes = 0;
        let mut functions = FunctionBuilderContext::new();
        for (number, (part, (name, signature))) in parts.iter().zip(&names).enumerate() {
            let mut context = module.make_context();
            context.func.signature = signature.clone();
            let callees = names[1..].iter().zip(&parts[1..]).map(|((name, _), part)| Callee {
                reference: far_reference(&mut module, *name, &mut context.func),
                function: part.tree.function,
                arena_bytes: part.plan.arena_bytes,
                taken: &part.plan.taken,
            });
            let callees = callees.collect();
            let builder = FunctionBuilder::new(&mut context.func, &mut functions);
            let frontend = module.target_config();
            lower::lower(builder, part, number, &mut asked.measured, callees, isa, frontend, cold_calls)?;
            context.set_disasm(asked.is_listed);
            module.define_function(*name, &mut context).map_err(|error| refusal(format!("{error:?}")))?;
            asked.listings.extend(context.compiled_code().and_then(|code| code.vcode.clone()));
            bytes += context.compiled_code().map_or(0, |code| code.code_buffer().len());
        }
        module.finalize_definitions().map_err(refusal)?;
        let address = module.get_finalized_function(names[0].0);
        // SAFETY: the function was declared with the signature of Entry.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        Ok(Self { module: Some(module), entry, bytes })
    }

    /// Bytes of code.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Runs the code.
    ///
    /// # Safety
    /// The pointers are to as many operands as the function has, each as large and aligned as its type says.
    /// The arena has the size of the plan; constants and kernels are alive.
    pub(crate) unsafe fn run(
        &self,
        context: &mut RunContext<'_>,
        inputs: *const *const u8,
        outputs: *const *mut u8,
        arena: *mut u8,
    ) -> i32 {
        // SAFETY: the caller's promise.
        unsafe { (self.entry)(context, inputs, outputs, arena) }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nobody runs the code any more: runs borrow the executable.
            unsafe { module.free_memory() };
        }
    }
}
