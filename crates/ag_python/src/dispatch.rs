//! Calls of compiled functions without running Python: `f(a, b, c)` to its native code and back.
//!
//! [`Dispatcher`] is the base of `autograph.function.Function`. It keeps the specialisations whose
//! arguments and results are flat, finds the one of a call, checks its guards, runs it on NumPy's
//! memory and makes the results. Every other call goes to the method `_call`, written in Python,
//! which traces, compiles and afterwards adds what it may with `_add_fast`.
//!
//! ```text
//! f(a, b, c)      signature -> guards -> np.empty of the results -> native code -> result
//! ```
//!
//! Invariants: a call gives what `_call` would give; no Python runs while the list is locked.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ag_engine::{Input, ListResult, OperandError, Output};
use ag_ir::DType;
use numpy::{PyArrayDescr, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::executable::Executable;
use crate::guards::{GuardParts, Guards};
use crate::run::{PythonHost, array_bytes, array_of, empty_array, new_array_bytes, run_failure};
use crate::signature::{Signature, fit};

/// The type of an operand.
struct Operand {
    dtype: DType,
    sizes: Sizes,
}

/// The sizes of an operand.
enum Sizes {
    /// They are part of the graph; with the bytes that it takes.
    Known(Vec<usize>, usize),
    /// Some are the run's.
    Open(Vec<Option<usize>>),
}

/// What an output of the graph is made into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An array.
    Array,
    /// A NumPy scalar.
    Scalar,
    /// A Python number.
    Python,
}

/// How one leaf of the result is made.
enum Leaf {
    /// From the next output, an array of this dtype.
    Output(Kind, Py<PyArrayDescr>),
    /// It is an argument.
    Argument(usize),
    /// It is the same object at every call.
    Constant(Py<PyAny>),
}

/// A specialisation with all that a call of it needs.
struct Fast {
    signature: Signature,
    guards: Guards,
    /// Positions of the arguments that are inputs of the graph.
    inputs: Vec<usize>,
    /// Arrays that are inputs after these.
    captured: Vec<Py<PyUntypedArray>>,
    operands: Vec<Operand>,
    outputs: Vec<Operand>,
    leaves: Vec<Leaf>,
    is_tuple: bool,
    executable: Py<Executable>,
    /// The `ConcreteFunction`.
    concrete: Py<PyAny>,
    /// Shows what the graph prints.
    show: Py<PyAny>,
    /// The thread's recording back-ends.
    active: Py<PyAny>,
}

/// Memory of one output.
enum Made<'a, 'py> {
    /// Of these sizes, with the bytes that it takes.
    Array(Bound<'py, PyUntypedArray>, &'a [usize], usize),
    /// Of sizes that the run gives, with so many dimensions.
    Sized(usize, ListResult),
}

/// The same during a run.
enum Target<'a> {
    Bytes(&'a [usize], &'a mut [u8]),
    Sized(usize, &'a mut ListResult),
}

/// Memory of one input: an array's own, or a copy of a scalar.
enum Given<'py> {
    Array(Bound<'py, PyUntypedArray>),
    Number(Number),
}

/// One input during a run.
struct Source<'a> {
    dtype: DType,
    sizes: Cow<'a, [usize]>,
    bytes: &'a [u8],
}

/// The bytes of a number, aligned for every dtype.
#[repr(align(8))]
struct Number([u8; 8]);

/// Callable base of staged functions.
#[pyclass(module = "autograph._core", subclass, frozen)]
pub(crate) struct Dispatcher {
    /// The specialisation used last comes first.
    entries: Mutex<Vec<Arc<Fast>>>,
}

#[pymethods]
impl Dispatcher {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self { entries: Mutex::new(Vec::new()) }
    }

    /// Runs a specialisation for these arguments, or has `_call` find or make one.
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if kwargs.is_none_or(|named| named.is_empty()) {
            let arguments: Vec<Bound<'py, PyAny>> = args.iter().collect();
            if let Some(fast) = slf.get().find(&arguments)
                && fast.may_run(py)?
                && let Some(given) = fast.given(py, &arguments)?
            {
                return fast.run(py, &arguments, &given).map_err(|error| located(slf, &fast, error));
            }
        }
        let empty = PyDict::new(py);
        slf.call_method1(intern!(py, "_call"), (args, kwargs.unwrap_or(&empty)))
    }

    /// Adds a specialisation; `leaves` tells of each leaf of the result how it is made.
    #[pyo3(signature = (args, concrete, executable, show, active, inputs, captured, leaves, is_tuple, guards))]
    #[allow(clippy::too_many_arguments)]
    fn _add_fast(
        &self,
        args: &Bound<'_, PyTuple>,
        concrete: Py<PyAny>,
        executable: Py<Executable>,
        show: Py<PyAny>,
        active: Py<PyAny>,
        inputs: Vec<usize>,
        captured: Vec<Py<PyUntypedArray>>,
        leaves: Vec<(Bound<'_, PyString>, Bound<'_, PyAny>)>,
        is_tuple: bool,
        guards: GuardParts,
    ) -> PyResult<()> {
        let arguments: Vec<Bound<'_, PyAny>> = args.iter().collect();
        let (operands, outputs) = operands(executable.get())?;
        let mut signature = Signature::of(&arguments, &inputs);
        for (place, operand) in inputs.iter().zip(&operands) {
            if let Sizes::Open(sizes) = &operand.sizes {
                signature.open(args.py(), *place, sizes);
            }
        }
        let leaves = leaves.iter().map(|(kind, value)| leaf(kind, value)).collect::<PyResult<_>>()?;
        let fast = Fast {
            signature,
            guards: Guards { globals: guards.0, cells: guards.1, mappings: guards.2, holds: guards.3 },
            inputs,
            captured,
            operands,
            outputs,
            leaves,
            is_tuple,
            executable,
            concrete,
            show,
            active,
        };
        self.lock().insert(0, Arc::new(fast));
        Ok(())
    }

    /// Removes the specialisations that are not among these.
    fn _keep_fast(&self, concrete: Vec<Bound<'_, PyAny>>) {
        let is_kept = |fast: &Arc<Fast>| concrete.iter().any(|kept| kept.is(&fast.concrete));
        let mut entries = self.lock();
        let (kept, removed): (Vec<_>, Vec<_>) = std::mem::take(&mut *entries).into_iter().partition(is_kept);
        *entries = kept;
        // What is removed may run Python when it goes.
        drop(entries);
        drop(removed);
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // Where the list is in use, the collector is told less, and so collects less.
        let Ok(entries) = self.entries.try_lock() else { return Ok(()) };
        entries.iter().try_for_each(|fast| fast.traverse(&visit))
    }

    fn __clear__(&self) {
        let entries = std::mem::take(&mut *self.lock());
        drop(entries);
    }
}

impl Dispatcher {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Fast>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The specialisation for these arguments, which becomes the first.
    fn find(&self, arguments: &[Bound<'_, PyAny>]) -> Option<Arc<Fast>> {
        let mut entries = self.lock();
        let place = entries.iter().position(|fast| fast.signature.matches(arguments))?;
        entries[..=place].rotate_right(1);
        entries.first().map(Arc::clone)
    }
}

impl Fast {
    /// Whether nothing asks for Python and nothing that was read while tracing has changed.
    fn may_run(&self, py: Python<'_>) -> PyResult<bool> {
        if self.active.bind(py).getattr(intern!(py, "stack"))?.is_truthy()? {
            return Ok(false);
        }
        // Read at every call: a search of the process's own environment costs no Python object.
        if std::env::var_os("AUTOGRAPH_DISABLE").is_some() {
            return Ok(false);
        }
        self.guards.hold(py)
    }

    /// The memory of the inputs, or none if an array has to be copied first.
    fn given<'py>(
        &self,
        py: Python<'py>,
        arguments: &[Bound<'py, PyAny>],
    ) -> PyResult<Option<Vec<Given<'py>>>> {
        let mut given = Vec::with_capacity(self.operands.len());
        for (place, operand) in self.inputs.iter().zip(&self.operands) {
            let argument = &arguments[*place];
            given.push(match argument.cast_exact::<PyUntypedArray>() {
                Ok(array) => Given::Array(array.clone()),
                Err(_) => Given::Number(number(argument, operand.dtype)?),
            });
        }
        given.extend(self.captured.iter().map(|array| Given::Array(array.bind(py).clone())));
        let is_ready = |(given, operand): (&Given<'_>, &Operand)| match given {
            Given::Number(_) => true,
            Given::Array(array) => {
                array.is_c_contiguous() && array.is_aligned() && operand.sizes.are(array.shape())
            }
        };
        Ok(given.iter().zip(&self.operands).all(is_ready).then_some(given))
    }

    fn run<'py>(
        &self,
        py: Python<'py>,
        arguments: &[Bound<'py, PyAny>],
        given: &[Given<'py>],
    ) -> PyResult<Bound<'py, PyAny>> {
        let dtypes = self.leaves.iter().filter_map(|leaf| match leaf {
            Leaf::Output(_, dtype) => Some(dtype.bind(py)),
            _ => None,
        });
        let mut made: Vec<Made<'_, 'py>> = dtypes
            .zip(&self.outputs)
            .map(|(dtype, output)| match &output.sizes {
                Sizes::Open(sizes) => Ok(Made::Sized(sizes.len(), ListResult::new(output.dtype.size()))),
                Sizes::Known(sizes, bytes) => {
                    empty_array(dtype, sizes).map(|array| Made::Array(array, sizes, *bytes))
                }
            })
            .collect::<PyResult<_>>()?;
        self.run_native(py, given, &mut made)?;
        let mut made = made.into_iter();
        let mut result = Vec::with_capacity(self.leaves.len());
        for leaf in &self.leaves {
            result.push(match leaf {
                Leaf::Argument(place) => arguments[*place].clone(),
                Leaf::Constant(value) => value.bind(py).clone(),
                Leaf::Output(kind, dtype) => match made.next() {
                    Some(Made::Array(array, ..)) => finished(array, *kind)?,
                    Some(Made::Sized(rank, made)) => {
                        array_of(dtype.bind(py), made.sizes(rank), &made)?.into_any()
                    }
                    None => return Err(PyTypeError::new_err("not as many outputs as results")),
                },
            });
        }
        if self.is_tuple {
            return Ok(PyTuple::new(py, result)?.into_any());
        }
        result.pop().ok_or_else(|| PyTypeError::new_err("no result"))
    }

    /// Runs the native code with the interpreter lock released.
    fn run_native(&self, py: Python<'_>, given: &[Given<'_>], made: &mut [Made<'_, '_>]) -> PyResult<()> {
        let sources: Vec<Source<'_>> =
            given.iter().zip(&self.operands).map(|(given, operand)| operand.source(given)).collect();
        let targets: Vec<(DType, Target<'_>)> = made
            .iter_mut()
            .zip(&self.outputs)
            .map(|(made, output)| match made {
                Made::Array(array, sizes, bytes) => {
                    (output.dtype, Target::Bytes(sizes, new_array_bytes(array, *bytes)))
                }
                Made::Sized(rank, made) => (output.dtype, Target::Sized(*rank, made)),
            })
            .collect();
        let mut host = PythonHost { show: self.show.clone_ref(py) };
        let engine = &self.executable.get().engine;
        let ran = py.detach(|| {
            let inputs: Vec<Input<'_>> = sources
                .iter()
                .map(|source| Input::new(source.dtype, &source.sizes, source.bytes))
                .collect::<Result<_, _>>()?;
            let mut outputs: Vec<Output<'_>> = targets
                .into_iter()
                .map(|(dtype, target)| match target {
                    Target::Bytes(sizes, bytes) => Output::new(dtype, sizes, bytes),
                    Target::Sized(rank, made) => Output::sized(dtype, rank, made),
                })
                .collect::<Result<_, _>>()?;
            Ok::<_, OperandError>(engine.run(&inputs, &mut outputs, &mut host))
        });
        ran.map_err(|error| PyTypeError::new_err(error.to_string()))?.map_err(|error| run_failure(py, error))
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.signature.traverse(visit)?;
        self.guards.traverse(visit)?;
        for array in &self.captured {
            visit.call(array)?;
        }
        for leaf in &self.leaves {
            match leaf {
                Leaf::Output(_, dtype) => visit.call(dtype)?,
                Leaf::Constant(value) => visit.call(value)?,
                Leaf::Argument(_) => {}
            }
        }
        visit.call(&self.executable)?;
        visit.call(&self.concrete)?;
        visit.call(&self.show)?;
        visit.call(&self.active)
    }
}

impl Operand {
    /// What a run reads of an input of this type.
    fn source<'a>(&'a self, given: &'a Given<'_>) -> Source<'a> {
        let dtype = self.dtype;
        match (given, &self.sizes) {
            (Given::Number(number), _) => {
                Source { dtype, sizes: Cow::Borrowed(&[]), bytes: &number.0[..dtype.size()] }
            }
            (Given::Array(array), Sizes::Known(sizes, bytes)) => {
                Source { dtype, sizes: Cow::Borrowed(sizes), bytes: array_bytes(array, *bytes) }
            }
            (Given::Array(array), Sizes::Open(_)) => {
                // A copy: during the run another thread may give the array another shape.
                let sizes = array.shape().to_vec();
                let bytes = array_bytes(array, sizes.iter().product::<usize>() * dtype.size());
                Source { dtype, sizes: Cow::Owned(sizes), bytes }
            }
        }
    }
}

impl Sizes {
    /// Whether an array of these sizes may be the operand.
    fn are(&self, given: &[usize]) -> bool {
        match self {
            Self::Known(sizes, _) => sizes == given,
            Self::Open(sizes) => fit(sizes, given),
        }
    }
}

/// The types of the inputs and outputs of a compiled graph.
fn operands(executable: &Executable) -> PyResult<(Vec<Operand>, Vec<Operand>)> {
    let function = &executable.function;
    let operand = |value: &ag_ir::ValueId| {
        let tensor = function.ty(*value).tensor();
        let ty = tensor.ok_or_else(|| PyTypeError::new_err("a graph that takes or gives a list"))?;
        let sizes = match ty.sizes() {
            Some(sizes) => {
                let bytes = sizes.iter().product::<usize>() * ty.dtype.size();
                Sizes::Known(sizes, bytes)
            }
            None => Sizes::Open(ty.shape.iter().map(|dim| dim.known()).collect()),
        };
        Ok(Operand { dtype: ty.dtype, sizes })
    };
    let all = |values: &[ag_ir::ValueId]| values.iter().map(operand).collect::<PyResult<Vec<_>>>();
    Ok((all(&function.body.params)?, all(&function.body.results)?))
}

/// How a leaf is made, from a word and what belongs to it.
fn leaf(kind: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<Leaf> {
    let output = |kind| Ok(Leaf::Output(kind, value.cast::<PyArrayDescr>()?.clone().unbind()));
    match kind.to_cow()?.as_ref() {
        "array" => output(Kind::Array),
        "scalar" => output(Kind::Scalar),
        "python" => output(Kind::Python),
        "argument" => Ok(Leaf::Argument(value.extract()?)),
        _ => Ok(Leaf::Constant(value.clone().unbind())),
    }
}

/// The bytes of a scalar argument of the graph.
fn number(argument: &Bound<'_, PyAny>, dtype: DType) -> PyResult<Number> {
    let mut bytes = [0; 8];
    match dtype {
        DType::F64 => bytes = argument.extract::<f64>()?.to_ne_bytes(),
        DType::I64 => bytes = argument.extract::<i64>()?.to_ne_bytes(),
        // A float32 is a float64 too, so nothing is rounded.
        DType::F32 => bytes[..4].copy_from_slice(&(argument.extract::<f64>()? as f32).to_ne_bytes()),
        DType::I32 => bytes[..4].copy_from_slice(&argument.extract::<i32>()?.to_ne_bytes()),
        DType::U8 => bytes[0] = argument.extract::<u8>()?,
        DType::Bool => bytes[0] = u8::from(argument.is_truthy()?),
    }
    Ok(Number(bytes))
}

/// The Python object that an output becomes.
fn finished<'py>(array: Bound<'py, PyUntypedArray>, kind: Kind) -> PyResult<Bound<'py, PyAny>> {
    match kind {
        Kind::Array => Ok(array.into_any()),
        Kind::Scalar => array.get_item(PyTuple::empty(array.py())),
        Kind::Python => array.call_method0(intern!(array.py(), "item")),
    }
}

/// The error of a run, as `_call` would raise it: located, and without frames of ours.
fn located(dispatcher: &Bound<'_, Dispatcher>, fast: &Fast, error: PyErr) -> PyErr {
    let py = dispatcher.py();
    if !error.is_instance_of::<PyException>(py) {
        return error;
    }
    let raised = error.into_value(py);
    match dispatcher.call_method1(intern!(py, "_raised"), (&fast.concrete, raised)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
