//! A compiled graph: code, kernels, constants, and the memory of its runs.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ag_ir::{Failure, Function, Host, RunError, Type, VerifyError, verify};
use smallvec::SmallVec;

use crate::arena::Arena;
use crate::code::{Asked, Code};
use crate::error::CompileError;
use crate::isa::Isa;
use crate::kernels::KernelEntry;
use crate::kernels::strided::MAXIMUM_RANK;
use crate::lists::{Cell, MOST_SIZES};
use crate::lower::Part;
use crate::memory::AlignedBytes;
use crate::operands::{Input, OperandError, OperandType, Output};
use crate::plan;
use crate::plan::donation::Donations;
use crate::runtime::context::RunContext;
use crate::stack::{self, Stack, StackLimits};
use crate::tapes::{self, Tapes};

/// A function compiled for this machine.
///
/// It may be run from several threads at once: each run has its own memory, which is kept for
/// later runs.
pub struct Executable {
    code: Code,
    kernels: Vec<KernelEntry>,
    /// The literal arrays, which generated code points to.
    constants: Vec<AlignedBytes>,
    /// Stacks for graphs with calls, reused between runs.
    stacks: Mutex<Vec<Stack>>,
    has_calls: bool,
    arena_bytes: usize,
    arenas: Mutex<Vec<Arena>>,
    /// The number of tapes.
    tape_count: usize,
    /// Empty tapes, reused between runs.
    tapes: Mutex<Option<Tapes>>,
    /// Where in the arena the cells of lists start.
    first_cell: usize,
    inputs: Vec<OperandType>,
    outputs: Vec<OperandType>,
    isa: Isa,
    compile_time: Duration,
}

/// Inputs, outputs and arena of a run.
type Operands<'o> = (&'o [*const u8], &'o [*mut u8], *mut u8);
/// A list with one item for each operand: mostly few, so that a run allocates nothing. Items are pushed,
/// because `collect` is not inlined here and takes as long as an allocation.
type Few<T> = SmallVec<[T; 8]>;
/// The status of a run, and how it ended early.
type Ended = (i32, Option<RunError>);

/// The most arenas, and the most stacks, that are kept between runs.
const KEPT_ARENAS: usize = 8;

impl Executable {
    /// Compiles a function.
    ///
    /// # Errors
    /// If the function is not valid, an array has too many dimensions, or an op is not defined on its
    /// operands' types.
    pub fn compile(function: &Function) -> Result<Self, CompileError> {
        Self::compile_for(function, Isa::of(function))
    }

    pub(crate) fn compile_for(function: &Function, isa: Isa) -> Result<Self, CompileError> {
        Self::compile_with(function, isa, &mut Asked::default())
    }

    /// Compiles a function, with what is asked of its code besides.
    pub(crate) fn compile_with(
        function: &Function,
        isa: Isa,
        asked: &mut Asked,
    ) -> Result<Self, CompileError> {
        let start = Instant::now();
        // Generated code trusts the graph, so a graph that breaks a rule would write anywhere: check all of
        // them.
        verify(function).map_err(|errors| not_valid(&errors))?;
        let tapes = tapes::numbers(function)?;
        let (mut parts, mut constants, mut kernels) = (Vec::new(), Vec::new(), Vec::new());
        let donations = Donations::of(function);
        let called = function.functions.iter().enumerate();
        let all = std::iter::once((None, function)).chain(called.map(|(number, one)| (Some(number), one)));
        for (number, one) in all {
            check_types(one)?;
            let (mut plan, tree) = plan::plan(one, number, &donations, isa)?;
            let own = AlignedBytes::copy_of(&plan.constants)
                .ok_or_else(|| CompileError::new("no memory for the literals", None))?;
            let most_operands = plan.kernels.values().map(|entry| entry.operands.len()).max().unwrap_or(0);
            let first_kernel = kernels.len();
            kernels.extend(std::mem::take(&mut plan.kernels).into_iter().map(|(_, entry)| entry));
            let (constants_at, tapes) = (own.pointer(), &tapes[..]);
            parts.push(Part { plan, tree, constants: constants_at, first_kernel, most_operands, tapes });
            constants.push(own);
        }
        let code = Code::generate(&parts, isa, asked)?;
        let types = |values: &[ag_ir::ValueId]| {
            values.iter().map(|value| operand_type(function.ty(*value))).collect::<Result<_, _>>()
        };
        Ok(Self {
            code,
            kernels,
            constants,
            stacks: Mutex::new(Vec::new()),
            has_calls: !function.functions.is_empty(),
            arena_bytes: parts[0].plan.arena_bytes,
            arenas: Mutex::new(Vec::new()),
            tape_count: tapes.len(),
            tapes: Mutex::new(None),
            first_cell: parts[0].plan.first_cell,
            inputs: types(&function.body.params)?,
            outputs: types(&function.body.results)?,
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
            .map_err(|error| RunError::new(Failure::Host(Box::new(error)), None))?;
        let given = || inputs.iter().zip(&self.inputs);
        let cells: Vec<Cell> =
            given().filter(|(_, ty)| ty.is_cell()).map(|(input, ty)| borrowed(input, ty)).collect();
        let mut unread = cells.iter();
        let mut input_pointers: Few<*const u8> = Few::new();
        for (input, ty) in given() {
            let cell = if ty.is_cell() { unread.next() } else { None };
            input_pointers.push(cell.map_or(input.pointer(), |cell| std::ptr::from_ref(cell).cast()));
        }
        let mut output_pointers: Few<*mut u8> = Few::new();
        for output in outputs {
            output_pointers.push(output.pointer());
        }
        let mut arena = self.take_arena()?;
        let operands = (input_pointers.as_slice(), output_pointers.as_slice(), arena.pointer_mut());
        let ended = if self.has_calls {
            self.run_on_own_stack(operands, host)
        } else {
            Ok(self.run_here(operands, host, StackLimits::NONE).0)
        };
        arena.clear();
        let (status, ending) = ended?;
        self.give_arena_back(arena);
        match (status, ending) {
            (0, _) => Ok(()),
            (_, Some(error)) => Err(error),
            (_, None) => Err(RunError::new(Failure::Overflow, None)),
        }
    }

    /// Runs the code on the current stack. Returns the status, the failure if any, and whether the calls went
    /// deep.
    fn run_here(&self, operands: Operands<'_>, host: &mut dyn Host, limits: StackLimits) -> (Ended, bool) {
        let (inputs, outputs, arena) = operands;
        let mut context = RunContext::new(&self.kernels, host, limits, self.take_tapes());
        if ag_ir::checks_itself() {
            context.buffers = self.buffers(operands);
        }
        // SAFETY: the operands have been checked against what the code was generated for, and the
        // arena is as large as was planned.
        let status = unsafe { self.code.run(&mut context, inputs.as_ptr(), outputs.as_ptr(), arena) };
        let was_deep = context.stack_limit != limits.first;
        let ending = context.ending.take();
        self.give_tapes_back(context.tapes);
        ((status, ending), was_deep)
    }

    /// The known address ranges of a run: arguments, results, arena, literals.
    fn buffers(&self, (inputs, outputs, arena): Operands<'_>) -> Vec<Range<usize>> {
        let buffer = |start: *const u8, bytes: usize| start.addr()..start.addr().saturating_add(bytes);
        let inputs = inputs.iter().zip(&self.inputs).map(|(start, ty)| buffer(*start, ty.bytes()));
        let outputs = outputs.iter().zip(&self.outputs).map(|(start, ty)| buffer(*start, ty.bytes()));
        let literals = self.constants.iter().map(|own| buffer(own.pointer(), own.len()));
        let arena = buffer(arena, self.arena_bytes);
        let mut all = Vec::with_capacity(inputs.len() + outputs.len() + literals.len() + 1);
        all.extend(inputs.chain(outputs).chain(literals).chain([arena]));
        all
    }

    /// Takes empty tapes. A run that finds none makes its own.
    fn take_tapes(&self) -> Tapes {
        if self.tape_count == 0 {
            return Tapes::new(0);
        }
        let kept = self.tapes.lock().unwrap_or_else(PoisonError::into_inner).take();
        kept.unwrap_or_else(|| Tapes::new(self.tape_count))
    }

    fn give_tapes_back(&self, mut tapes: Tapes) {
        if self.tape_count > 0 {
            tapes.clear();
            *self.tapes.lock().unwrap_or_else(PoisonError::into_inner) = Some(tapes);
        }
    }

    /// Runs the code on a stack of its own.
    fn run_on_own_stack(&self, operands: Operands<'_>, host: &mut dyn Host) -> Result<Ended, RunError> {
        let kept = self.stacks.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut stack = kept
            .or_else(Stack::new)
            .ok_or_else(|| RunError::new(Failure::OutOfMemory { bytes: stack::most_memory() }, None))?;
        let limits = stack.limits();
        let mut ended = None;
        let status = stack.run(host, |host| {
            let (end, was_deep) = self.run_here(operands, host, limits);
            ended = Some((end.1, was_deep));
            end.0
        });
        let (ending, was_deep) = ended.unwrap_or((None, true));
        let mut stacks = self.stacks.lock().unwrap_or_else(PoisonError::into_inner);
        if !was_deep && stacks.len() < KEPT_ARENAS {
            stacks.push(stack);
        }
        Ok((status, ending))
    }

    fn check_operands(&self, inputs: &[Input<'_>], outputs: &[Output<'_>]) -> Result<(), OperandError> {
        crate::operands::check("input", &self.inputs, inputs.iter().map(Input::given))?;
        crate::operands::check("output", &self.outputs, outputs.iter().map(Output::given))
    }

    fn take_arena(&self) -> Result<Arena, RunError> {
        let kept = self.arenas.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match kept {
            Some(arena) => Ok(arena),
            None => Arena::new(self.arena_bytes, self.first_cell)
                .ok_or_else(|| RunError::new(Failure::OutOfMemory { bytes: self.arena_bytes }, None)),
        }
    }

    fn give_arena_back(&self, arena: Arena) {
        let mut arenas = self.arenas.lock().unwrap_or_else(PoisonError::into_inner);
        if arenas.len() < KEPT_ARENAS {
            arenas.push(arena);
        }
    }

    /// How many kernels the function has, and the bytes of its arena.
    #[cfg(test)]
    pub(crate) fn sizes(&self) -> [usize; 2] {
        [self.kernels.len(), self.arena_bytes]
    }

    /// A few figures about the compiled function, for people.
    #[must_use]
    pub fn report(&self) -> String {
        format!(
            "arena {} bytes, constants {} bytes, {} kernels, code {} bytes, {}, compiled in {:.2} ms",
            self.arena_bytes,
            self.constants.iter().map(AlignedBytes::len).sum::<usize>(),
            self.kernels.len(),
            self.code.bytes(),
            self.isa.name(),
            self.compile_time.as_secs_f64() * 1e3,
        )
    }
}

/// The error for a graph that breaks a rule of the verifier: a fault of the code that made it.
fn not_valid(errors: &[VerifyError]) -> CompileError {
    let first = errors.first();
    let words = first.map_or_else(String::new, ToString::to_string);
    CompileError::new(format!("the graph is not valid: {words}"), first.and_then(|error| error.location))
}

/// The type of an input or output.
fn operand_type(ty: &Type) -> Result<OperandType, CompileError> {
    let tensor = ty.element().unwrap_or(ty).tensor();
    let tensor =
        tensor.ok_or_else(|| CompileError::new("a list of lists has no form outside of a graph", None))?;
    Ok(OperandType { ty: tensor.clone(), is_list: ty.element().is_some() })
}

/// The cell of an array, or of the list of its rows, which borrows the input.
fn borrowed(input: &Input<'_>, ty: &OperandType) -> Cell {
    if ty.is_sized() {
        return Cell::borrowed_array(input.pointer(), input.sizes());
    }
    Cell::borrowed(input.pointer(), input.sizes().first().copied().unwrap_or(0))
}

fn check_types(function: &Function) -> Result<(), CompileError> {
    for value in &function.values {
        let refusal = match &value.ty {
            Type::List(_) => continue,
            Type::Tensor(ty) if ty.has_unknown_sizes() && ty.rank() > MOST_SIZES => {
                "has too many dimensions for an array whose sizes only the run knows"
            }
            Type::Tensor(ty) if ty.rank() > MAXIMUM_RANK => "has too many dimensions",
            Type::Tensor(_) => continue,
        };
        let name = value.name.as_deref().unwrap_or("a value");
        return Err(CompileError::new(format!("{name} of type {} {refusal}", value.ty), None));
    }
    Ok(())
}
