//! Compiled graphs: run with the interpreter lock released, on NumPy's own memory.

use std::sync::Arc;

use ag_engine::{Input, ListResult, OperandError, Output};
use ag_ir::{DType, Function, Type};
use numpy::PyArrayDescr;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::graph_types::numpy_name;
use crate::profile::Code;
use crate::run::{Checked, PythonHost, array_of, check_inputs, run_failure};

/// A graph compiled to machine code.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct Executable {
    pub(crate) function: Arc<Function>,
    pub(crate) engine: ag_engine::Executable,
}

impl Executable {
    /// Optimises a function and compiles it.
    pub(crate) fn compile(py: Python<'_>, function: &Arc<Function>) -> PyResult<Self> {
        let compiled = py.detach(|| {
            let optimised = ag_optimize::optimize(Function::clone(function));
            ag_engine::Executable::compile(&optimised)
        });
        let engine = compiled.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Self { function: Arc::clone(function), engine })
    }
}

/// The place of one result.
struct Target {
    sizes: Vec<usize>,
    dtype: DType,
    memory: TargetMemory,
}

/// The memory of a result.
enum TargetMemory {
    /// An array of the caller.
    Array(Checked),
    /// A list of values of the target's type.
    List(ListResult),
    /// An array of this rank, whose sizes the run determines.
    Sized(usize, ListResult),
}

/// The memory of a result during a run.
struct Borrowed<'a> {
    sizes: &'a [usize],
    dtype: DType,
    memory: BorrowedMemory<'a>,
}

enum BorrowedMemory<'a> {
    Array(&'a mut [u8]),
    List(&'a mut ListResult),
    Sized(usize, &'a mut ListResult),
}

impl Target {
    fn new(ty: &Type, output: &Bound<'_, PyAny>) -> PyResult<Self> {
        let refusal = || PyTypeError::new_err("an array of another type than the graph's");
        let tensor = ty.element().unwrap_or(ty).tensor().ok_or_else(refusal)?;
        let dtype = tensor.dtype;
        if ty.has_unknown_sizes() {
            let memory = TargetMemory::Sized(tensor.rank(), ListResult::new(dtype.size()));
            return Ok(Self { sizes: Vec::new(), dtype, memory });
        }
        let sizes = tensor.sizes().ok_or_else(refusal)?;
        if ty.element().is_some() {
            let bytes = sizes.iter().product::<usize>() * dtype.size();
            return Ok(Self { sizes, dtype, memory: TargetMemory::List(ListResult::new(bytes)) });
        }
        let array = Checked::new_writable(output)?;
        if !array.has_sizes(&sizes) || array.dtype != dtype {
            return Err(refusal());
        }
        Ok(Self { sizes, dtype, memory: TargetMemory::Array(array) })
    }

    fn borrowed(&mut self) -> Borrowed<'_> {
        let memory = match &mut self.memory {
            TargetMemory::Array(array) => BorrowedMemory::Array(array.bytes_mut()),
            TargetMemory::List(list) => BorrowedMemory::List(list),
            TargetMemory::Sized(rank, array) => BorrowedMemory::Sized(*rank, array),
        };
        Borrowed { sizes: &self.sizes, dtype: self.dtype, memory }
    }

    /// A new array for a list's values, or for an array of unknown sizes; none if the result is in an array
    /// of the caller.
    fn array<'py>(self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (list, sizes) = match self.memory {
            TargetMemory::Array(_) => return Ok(None),
            TargetMemory::List(list) => {
                let sizes: Vec<usize> = std::iter::once(list.length()).chain(self.sizes).collect();
                (list, sizes)
            }
            TargetMemory::Sized(rank, array) => {
                let sizes = array.sizes(rank).to_vec();
                (array, sizes)
            }
        };
        let dtype = PyArrayDescr::new(py, numpy_name(self.dtype))?;
        Ok(Some(array_of(&dtype, &sizes, &list)?.into_any()))
    }
}

impl<'a> Borrowed<'a> {
    fn output(self) -> Result<Output<'a>, OperandError> {
        match self.memory {
            BorrowedMemory::Array(bytes) => Output::new(self.dtype, self.sizes, bytes),
            BorrowedMemory::List(list) => Output::list(self.dtype, self.sizes, list),
            BorrowedMemory::Sized(rank, array) => Output::sized(self.dtype, rank, array),
        }
    }
}

#[pymethods]
impl Executable {
    /// Runs the graph and returns all results. Arrays are written to `outputs`, which has `None` for each
    /// list and each array of unknown sizes; these are returned as new arrays. Prints call
    /// `show(site, arrays)`.
    fn run<'py>(
        &self,
        py: Python<'py>,
        inputs: Vec<Bound<'py, PyAny>>,
        outputs: Vec<Bound<'py, PyAny>>,
        show: Py<PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        run_code(py, &self.function, &self.engine, inputs, outputs, show)
    }

    /// Short figures about the compiled code, for people.
    fn report(&self) -> String {
        self.engine.report()
    }
}

/// Runs the code of a graph on arrays, and returns all results; see [`Executable::run`].
pub(crate) fn run_code<'py>(
    py: Python<'py>,
    function: &Function,
    code: &impl Code,
    inputs: Vec<Bound<'py, PyAny>>,
    outputs: Vec<Bound<'py, PyAny>>,
    show: Py<PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let inputs: Vec<Checked> = inputs.iter().map(Checked::new).collect::<PyResult<_>>()?;
    check_inputs(function, &inputs)?;
    let results = &function.body.results;
    if outputs.len() != results.len() {
        return Err(PyTypeError::new_err("not as many arrays as the graph has outputs"));
    }
    let mut targets: Vec<Target> = results
        .iter()
        .zip(&outputs)
        .map(|(result, output)| Target::new(function.ty(*result), output))
        .collect::<PyResult<_>>()?;
    let params = function.body.params.iter();
    let sizes: Vec<Vec<usize>> =
        params.zip(&inputs).map(|(param, input)| input.sizes_as(function.ty(*param))).collect();
    let sources: Vec<_> = inputs.iter().map(|input| (input.dtype, input.bytes())).collect();
    let borrowed: Vec<_> = targets.iter_mut().map(Target::borrowed).collect();
    let mut host = PythonHost { show };
    let ran = py.detach(|| {
        let given: Result<Vec<_>, _> = sources
            .iter()
            .zip(&sizes)
            .map(|((dtype, bytes), sizes)| Input::new(*dtype, sizes, bytes))
            .collect();
        let taken: Result<Vec<_>, _> = borrowed.into_iter().map(Borrowed::output).collect();
        Ok::<_, OperandError>(code.run(&given?, &mut taken?, &mut host))
    });
    let result = ran.map_err(|error| PyTypeError::new_err(error.to_string()))?;
    result.map_err(|error| run_failure(py, error))?;
    let list = PyList::empty(py);
    for (target, output) in targets.into_iter().zip(outputs) {
        list.append(target.array(py)?.unwrap_or(output))?;
    }
    Ok(list)
}
