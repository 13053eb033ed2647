//! A compiled function: code, kernels, constants, and the memory of its runs.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ag_ir::{DType, Failure, Function, Host, RunError, Type};

use crate::code::Code;
use crate::context::{Ending, RunContext};
use crate::error::CompileError;
use crate::isa::Isa;
use crate::kernels::strided::MAXIMUM_RANK;
use crate::memory::AlignedBytes;
use crate::operands::{Input, OperandError, Output};
use crate::plan::{self, KernelEntry};

/// A function compiled for this machine.
///
/// It may be run from several threads at once: each run has its own memory, which is kept for
/// later runs.
pub struct Executable {
    code: Code,
    kernels: Vec<KernelEntry>,
    /// Generated code points into it.
    constants: AlignedBytes,
    arena_bytes: usize,
    arenas: Mutex<Vec<AlignedBytes>>,
    inputs: Vec<(DType, Vec<usize>)>,
    outputs: Vec<(DType, Vec<usize>)>,
    isa: Isa,
    compile_time: Duration,
}

/// At most so many arenas are kept between runs.
const KEPT_ARENAS: usize = 8;

impl Executable {
    /// Compiles a verified function whose dimensions are all known.
    ///
    /// # Errors
    /// If a dimension is a symbol, or an op is not defined on its operands' types.
    pub fn compile(function: &Function) -> Result<Self, CompileError> {
        Self::compile_for(function, Isa::current())
    }

    pub(crate) fn compile_for(function: &Function, isa: Isa) -> Result<Self, CompileError> {
        let start = Instant::now();
        check_types(function)?;
        let (plan, tree) = plan::plan(function, isa)?;
        let constants = AlignedBytes::copy_of(&plan.constants)
            .ok_or_else(|| CompileError::new("no memory for the literals", None))?;
        let code = Code::generate(&plan, &tree, isa, constants.pointer())?;
        let types = |values: &[ag_ir::ValueId]| {
            values
                .iter()
                .map(|value| (function.tensor(*value).dtype, plan::fuse::sizes_of(function, *value)))
                .collect()
        };
        Ok(Self {
            code,
            kernels: plan.kernels,
            constants,
            arena_bytes: plan.arena_bytes,
            arenas: Mutex::new(Vec::new()),
            inputs: types(&function.body.params),
            outputs: types(&function.body.results),
            isa,
            compile_time: start.elapsed(),
        })
    }

    /// Runs the function. Inputs are read and outputs written where they are.
    ///
    /// # Errors
    /// What the graph raises; the outputs' contents are then unspecified. Also if an operand is of
    /// another type than the function's: [`Failure::Host`] with an [`OperandError`].
    pub fn run(
        &self,
        inputs: &[Input<'_>],
        outputs: &mut [Output<'_>],
        host: &mut dyn Host,
    ) -> Result<(), RunError> {
        self.check_operands(inputs, outputs)
            .map_err(|error| RunError { failure: Failure::Host(Box::new(error)), location: None })?;
        let input_pointers: Vec<*const u8> = inputs.iter().map(Input::pointer).collect();
        let output_pointers: Vec<*mut u8> = outputs.iter_mut().map(Output::pointer).collect();
        let mut arena = self.take_arena()?;
        let mut context = RunContext { kernels: &self.kernels, host, ending: None };
        // SAFETY: the operands have been checked against what the code was generated for, and the
        // arena is as large as was planned.
        let status = unsafe {
            self.code.run(
                &mut context,
                input_pointers.as_ptr(),
                output_pointers.as_ptr(),
                arena.pointer_mut(),
            )
        };
        let ending = context.ending.take();
        self.give_arena_back(arena);
        match (status, ending) {
            (0, _) => Ok(()),
            (_, Some(Ending::Failed(error))) => Err(error),
            (_, Some(Ending::Panicked(payload))) => std::panic::resume_unwind(payload),
            (_, None) => Err(RunError { failure: Failure::Overflow, location: None }),
        }
    }

    fn check_operands(&self, inputs: &[Input<'_>], outputs: &[Output<'_>]) -> Result<(), OperandError> {
        let given = inputs.iter().map(|input| (input.dtype(), input.sizes()));
        crate::operands::check("input", &self.inputs, given)?;
        let given = outputs.iter().map(|output| (output.dtype(), output.sizes()));
        crate::operands::check("output", &self.outputs, given)
    }

    fn take_arena(&self) -> Result<AlignedBytes, RunError> {
        let kept = self.arenas.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match kept {
            Some(arena) => Ok(arena),
            None => AlignedBytes::new(self.arena_bytes).ok_or(RunError {
                failure: Failure::OutOfMemory { bytes: self.arena_bytes },
                location: None,
            }),
        }
    }

    fn give_arena_back(&self, arena: AlignedBytes) {
        let mut arenas = self.arenas.lock().unwrap_or_else(PoisonError::into_inner);
        if arenas.len() < KEPT_ARENAS {
            arenas.push(arena);
        }
    }

    /// A few figures about the compiled function, for people.
    #[must_use]
    pub fn report(&self) -> String {
        format!(
            "arena {} bytes, constants {} bytes, {} kernels, code {} bytes, {}, compiled in {:.2} ms",
            self.arena_bytes,
            self.constants.len(),
            self.kernels.len(),
            self.code.bytes(),
            self.isa.name(),
            self.compile_time.as_secs_f64() * 1e3,
        )
    }
}

fn check_types(function: &Function) -> Result<(), CompileError> {
    for value in &function.values {
        let refusal = match &value.ty {
            Type::List(_) => "is a list, of which there is no compiled form",
            Type::Tensor(ty) if ty.sizes().is_none() => "has a dimension that is not known",
            Type::Tensor(ty) if ty.rank() > MAXIMUM_RANK => "has too many dimensions",
            Type::Tensor(_) => continue,
        };
        let name = value.name.as_deref().unwrap_or("a value");
        return Err(CompileError::new(format!("{name} of type {} {refusal}", value.ty), None));
    }
    Ok(())
}
