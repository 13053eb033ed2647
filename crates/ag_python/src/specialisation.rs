//! A specialisation: a compiled function with everything that a call needs to prepare memory, run it, and
//! build results.
//!
//! ```text
//! guards -> memory of the inputs -> np.empty of the results -> native code -> leaves -> result
//! ```

use ag_engine::{Input, ListResult, OperandError, Output};
use ag_ir::DType;
use numpy::{PyArrayDescr, PyUntypedArray};
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::aligned_arrays::empty_array;
use crate::complex_parts::{joined, separated};
use crate::executable::Executable;
use crate::guards::{GuardParts, Guards};
use crate::operands::{Few, Given, Operand, Sizes, operands};
use crate::profile::Code;
use crate::recording::is_recording;
use crate::result_shape::ResultShape;
use crate::run::{PythonHost, new_array_bytes, run_failure};
use crate::signature::Signature;
use crate::sized_result::{LastSizes, SizedResult};

/// The kind of Python object that an output of the graph becomes.
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
    /// From the next output, an array of this dtype with its axes in this order.
    Turned(Py<PyArrayDescr>, Py<PyTuple>),
    /// From the next two outputs, the real and the imaginary parts, which are of the first dtype.
    Complex(Kind, Py<PyArrayDescr>, Py<PyArrayDescr>),
    /// The argument at this place.
    Argument(usize),
    /// The same object at every call.
    Constant(Py<PyAny>),
}

/// A specialisation.
pub(crate) struct Specialisation {
    /// The required leaves of the arguments.
    pub(crate) signature: Signature,
    guards: Guards,
    /// Positions of the arguments that are inputs of the graph.
    inputs: Vec<usize>,
    /// The attribute of each that is the input, for complex arguments.
    parts: Vec<Option<Py<PyString>>>,
    /// Captured arrays, which are inputs after the arguments.
    captured: Vec<Py<PyUntypedArray>>,
    operands: Vec<Operand>,
    outputs: Vec<Operand>,
    /// The sizes that each output had last, if the run determines them.
    last_sizes: Vec<LastSizes>,
    leaves: Vec<Leaf>,
    shape: Py<ResultShape>,
    executable: Py<Executable>,
    /// The `ConcreteFunction`.
    pub(crate) concrete: Py<PyAny>,
    /// Shows what the graph prints.
    show: Py<PyAny>,
    /// Whether it is for calls that are to be exact; none if the function says so itself.
    is_exact: Option<bool>,
}

/// A specialisation as Python passes it; see `FastParts` in `autograph._src.concrete`.
#[derive(FromPyObject)]
pub(crate) struct Parts<'py> {
    executable: Py<Executable>,
    show: Py<PyAny>,
    inputs: Vec<usize>,
    parts: Vec<Option<Py<PyString>>>,
    captured: Vec<Py<PyUntypedArray>>,
    leaves: Vec<(Bound<'py, PyString>, Bound<'py, PyAny>)>,
    shape: Py<ResultShape>,
    guards: GuardParts,
    is_exact: Option<bool>,
}

/// Memory of one output.
enum Made<'a, 'py> {
    /// An array of these sizes, with its bytes.
    Array(Bound<'py, PyUntypedArray>, &'a [usize], usize),
    /// An array whose sizes the run determines.
    Sized(SizedResult<'py>),
}

/// The memory of one output during a run.
enum Target<'a> {
    Bytes(&'a [usize], &'a mut [u8]),
    Sized(usize, &'a mut ListResult),
}

impl Specialisation {
    /// Whether a run may fail where Python would not.
    pub(crate) fn may_fail_alone(&self, py: Python<'_>) -> PyResult<bool> {
        self.concrete.bind(py).getattr(intern!(py, "may_fail_alone"))?.is_truthy()
    }

    /// Makes a specialisation from the parts that Python passes, for leaves like these.
    pub(crate) fn new(
        py: Python<'_>,
        arguments: &[Bound<'_, PyAny>],
        concrete: Py<PyAny>,
        parts: Parts<'_>,
    ) -> PyResult<Self> {
        let Parts { executable, show, inputs, parts, captured, leaves, shape, guards, is_exact } = parts;
        let (operands, outputs) = operands(executable.get())?;
        let mut signature = Signature::of(arguments, &inputs);
        for (place, operand) in inputs.iter().zip(&operands) {
            if let Sizes::Open(sizes) = &operand.sizes {
                signature.open(py, *place, sizes);
            }
        }
        let leaves = leaves.iter().map(|(kind, value)| leaf(kind, value)).collect::<PyResult<_>>()?;
        let (modes, globals, cells, mappings, holds) = guards;
        let guards = Guards { modes, globals, cells, mappings, holds };
        Ok(Self {
            signature,
            guards,
            inputs,
            parts,
            captured,
            operands,
            last_sizes: outputs.iter().map(|_| LastSizes::default()).collect(),
            outputs,
            leaves,
            shape,
            executable,
            concrete,
            show,
            is_exact,
        })
    }

    /// Whether it is for calls that are to be exact, or for those that are not.
    pub(crate) fn is_for(&self, is_exact: bool) -> bool {
        self.is_exact.is_none_or(|own| own == is_exact)
    }

    /// Whether the call needs no Python, and nothing that was read while tracing has changed.
    pub(crate) fn may_run(&self, py: Python<'_>) -> PyResult<bool> {
        if is_recording() {
            return Ok(false);
        }
        // Read at every call: looking into the process's environment makes no Python object.
        if std::env::var_os("AUTOGRAPH_DISABLE").is_some() {
            return Ok(false);
        }
        self.guards.hold(py)
    }

    /// The memory of the inputs; none if one does not match the graph.
    pub(crate) fn given<'py>(
        &self,
        py: Python<'py>,
        arguments: &[Bound<'py, PyAny>],
    ) -> PyResult<Option<Few<Given<'py>>>> {
        let mut given = Few::with_capacity(self.operands.len());
        let mut operands = self.operands.iter();
        // The imaginary part, if the input before was the real one of the same argument.
        let mut imaginary = None;
        for (number, (place, operand)) in self.inputs.iter().zip(operands.by_ref()).enumerate() {
            let argument = &arguments[*place];
            let given_one = match &self.parts[number] {
                None => operand.given(argument)?,
                Some(_) if imaginary.is_some() => {
                    imaginary.take().and_then(|part| operand.given_array(&part))
                }
                Some(part) => match separated(argument)? {
                    Some([real, other]) if self.inputs.get(number + 1) == Some(place) => {
                        imaginary = Some(other);
                        operand.given_array(&real)
                    }
                    _ => operand.given(&argument.getattr(part)?)?,
                },
            };
            let Some(one) = given_one else { return Ok(None) };
            given.push(one);
        }
        for (array, operand) in self.captured.iter().zip(operands) {
            let Some(one) = operand.given_array(array.bind(py)) else { return Ok(None) };
            given.push(one);
        }
        Ok(Some(given))
    }

    /// Runs the graph and makes the result.
    pub(crate) fn run<'py>(
        &self,
        py: Python<'py>,
        arguments: &[Bound<'py, PyAny>],
        given: &[Given<'py>],
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run_code(py, &self.executable.get().engine, arguments, given)
    }

    /// Runs code of the graph and makes the result.
    pub(crate) fn run_code<'py>(
        &self,
        py: Python<'py>,
        code: &impl Code,
        arguments: &[Bound<'py, PyAny>],
        given: &[Given<'py>],
    ) -> PyResult<Bound<'py, PyAny>> {
        let dtypes = self.leaves.iter().flat_map(|leaf| {
            let (dtype, count) = match leaf {
                Leaf::Output(_, dtype) | Leaf::Turned(dtype, _) => (Some(dtype.bind(py)), 1),
                Leaf::Complex(_, dtype, _) => (Some(dtype.bind(py)), 2),
                Leaf::Argument(_) | Leaf::Constant(_) => (None, 0),
            };
            dtype.into_iter().cycle().take(count)
        });
        let mut made: Vec<Made<'_, 'py>> = dtypes
            .zip(self.outputs.iter().zip(&self.last_sizes))
            .map(|(dtype, (output, last))| match &output.sizes {
                Sizes::Open(sizes) => {
                    SizedResult::new(dtype, sizes.len(), output.dtype.size(), last).map(Made::Sized)
                }
                Sizes::Known(sizes, bytes) => {
                    empty_array(dtype, sizes).map(|array| Made::Array(array, sizes, *bytes))
                }
            })
            .collect::<PyResult<_>>()?;
        self.run_native(py, code, given, &mut made)?;
        let mut made = made.into_iter().zip(&self.last_sizes);
        let mut array = |dtype: &Py<PyArrayDescr>| match made.next() {
            Some((Made::Array(array, ..), _)) => Ok(array),
            Some((Made::Sized(made), last)) => made.array(dtype.bind(py), last),
            None => Err(PyTypeError::new_err("not as many outputs as results")),
        };
        let mut result = Few::with_capacity(self.leaves.len());
        for leaf in &self.leaves {
            result.push(match leaf {
                Leaf::Argument(place) => arguments[*place].clone(),
                Leaf::Constant(value) => value.bind(py).clone(),
                Leaf::Output(kind, dtype) => finished(array(dtype)?, *kind)?,
                Leaf::Turned(dtype, axes) => {
                    array(dtype)?.call_method1(intern!(py, "transpose"), axes.bind(py).clone())?
                }
                Leaf::Complex(kind, part, whole) => {
                    let parts = [array(part)?, array(part)?];
                    finished(joined(parts, whole.bind(py))?, *kind)?
                }
            });
        }
        self.shape.get().build(py, result)
    }

    /// Runs the native code with the interpreter lock released.
    fn run_native(
        &self,
        py: Python<'_>,
        code: &impl Code,
        given: &[Given<'_>],
        made: &mut [Made<'_, '_>],
    ) -> PyResult<()> {
        // These are copies, since another thread may reshape an array during the run.
        let open: Vec<Vec<usize>> = given
            .iter()
            .zip(&self.operands)
            .filter_map(|(given, operand)| operand.open_sizes(given))
            .collect();
        let mut open = open.iter();
        let inputs: Vec<Input<'_>> = given
            .iter()
            .zip(&self.operands)
            .map(|(given, operand)| operand.input(given, &mut open))
            .collect::<Result<_, _>>()
            .map_err(not_an_operand)?;
        let targets: Vec<(DType, Target<'_>)> = made
            .iter_mut()
            .zip(&self.outputs)
            .map(|(made, output)| match made {
                Made::Array(array, sizes, bytes) => {
                    (output.dtype, Target::Bytes(sizes, new_array_bytes(array, *bytes)))
                }
                Made::Sized(sized) => (output.dtype, Target::Sized(sized.rank(), &mut sized.made)),
            })
            .collect();
        let mut host = PythonHost { show: self.show.clone_ref(py) };
        let ran = py.detach(|| {
            let mut outputs: Vec<Output<'_>> = targets
                .into_iter()
                .map(|(dtype, target)| match target {
                    Target::Bytes(sizes, bytes) => Output::new(dtype, sizes, bytes),
                    Target::Sized(rank, made) => Output::sized(dtype, rank, made),
                })
                .collect::<Result<_, _>>()?;
            Ok(code.run(&inputs, &mut outputs, &mut host))
        });
        ran.map_err(not_an_operand)?.map_err(|error| run_failure(py, error))
    }

    /// Visits the held objects for the garbage collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.signature.traverse(visit)?;
        self.guards.traverse(visit)?;
        for array in &self.captured {
            visit.call(array)?;
        }
        for leaf in &self.leaves {
            match leaf {
                Leaf::Output(_, dtype) | Leaf::Turned(dtype, _) => visit.call(dtype)?,
                Leaf::Complex(_, part, whole) => {
                    visit.call(part)?;
                    visit.call(whole)?;
                }
                Leaf::Constant(value) => visit.call(value)?,
                Leaf::Argument(_) => {}
            }
        }
        visit.call(&self.shape)?;
        visit.call(&self.executable)?;
        visit.call(&self.concrete)?;
        visit.call(&self.show)
    }
}

/// Reads how a leaf is made, from a word and the object that belongs to it.
fn leaf(kind: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<Leaf> {
    let output = |kind| Ok(Leaf::Output(kind, value.cast::<PyArrayDescr>()?.clone().unbind()));
    let complex = |kind| value.extract().map(|(part, whole)| Leaf::Complex(kind, part, whole));
    match kind.to_cow()?.as_ref() {
        "array" => output(Kind::Array),
        "turned array" => value.extract().map(|(dtype, axes)| Leaf::Turned(dtype, axes)),
        "scalar" => output(Kind::Scalar),
        "python" => output(Kind::Python),
        "complex array" => complex(Kind::Array),
        "complex scalar" => complex(Kind::Scalar),
        "complex python" => complex(Kind::Python),
        "argument" => Ok(Leaf::Argument(value.extract()?)),
        _ => Ok(Leaf::Constant(value.clone().unbind())),
    }
}

/// The error for memory that the engine does not accept.
fn not_an_operand(error: OperandError) -> PyErr {
    PyTypeError::new_err(error.to_string())
}

/// The Python object that an output becomes.
fn finished<'py>(array: Bound<'py, PyUntypedArray>, kind: Kind) -> PyResult<Bound<'py, PyAny>> {
    match kind {
        Kind::Array => Ok(array.into_any()),
        Kind::Scalar => array.get_item(PyTuple::empty(array.py())),
        Kind::Python => array.call_method0(intern!(array.py(), "item")),
    }
}
