//! Running graphs on NumPy's buffers.

use std::sync::Arc;

use ag_ir::{Array, DType, Failure, Function, Host, HostError, RunError};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PyTuple};

use crate::graph::{Graph, numpy_name};

pyo3::create_exception!(
    _core,
    GraphFailure,
    PyException,
    "A graph that stopped: kind, number of the location or None, details."
);

/// The Python around a run: it shows what `print` nodes print, and is asked for signals.
pub(crate) struct PythonHost {
    pub(crate) show: Py<PyAny>,
}

impl Host for PythonHost {
    fn print(&mut self, site: u32, values: &[Array]) -> Result<(), HostError> {
        Python::attach(|py| {
            let arrays = array_list(py, values)?;
            self.show.call1(py, (site, arrays)).map(|_| ())
        })
        .map_err(|error| Box::new(error) as HostError)
    }

    fn poll(&mut self) -> Result<(), HostError> {
        Python::attach(|py| py.check_signals()).map_err(|error| Box::new(error) as HostError)
    }
}

/// NumPy arrays of the values of a graph.
fn array_list<'py>(py: Python<'py>, values: &[Array]) -> PyResult<Bound<'py, PyList>> {
    let numpy = py.import("numpy")?;
    let list = PyList::empty(py);
    for value in values {
        let options = PyDict::new(py);
        options.set_item("dtype", numpy_name(value.dtype))?;
        // A bytearray, so that the array is writable, as NumPy's own are.
        let buffer = PyByteArray::new(py, &value.bytes);
        let flat = if value.bytes.is_empty() {
            numpy.call_method("empty", (0,), Some(&options))?
        } else {
            numpy.call_method("frombuffer", (buffer,), Some(&options))?
        };
        list.append(flat.call_method1("reshape", (PyTuple::new(py, &value.sizes)?,))?)?;
    }
    Ok(list)
}

/// The exception for a failed run.
pub(crate) fn run_failure(py: Python<'_>, error: RunError) -> PyErr {
    let location = error.location.map(|location| location.0);
    let details: PyResult<(&str, Py<PyAny>)> = match error.failure {
        Failure::Host(raised) => match raised.downcast::<PyErr>() {
            Ok(raised) => return *raised,
            Err(_) => Ok(("host", py.None())),
        },
        Failure::Check { error, message, site, values } => array_list(py, &values).and_then(|arrays| {
            let details = (error.to_string(), message.to_string(), site, arrays);
            Ok(("check", details.into_pyobject(py)?.into_any().unbind()))
        }),
        Failure::Index { index, axis, size } => {
            (index, axis, size).into_pyobject(py).map(|details| ("index", details.into_any().unbind()))
        }
        Failure::Overflow => Ok(("overflow", py.None())),
        Failure::NegativePower => Ok(("negative_power", py.None())),
        Failure::OutOfMemory { bytes } => {
            (bytes,).into_pyobject(py).map(|details| ("memory", details.into_any().unbind()))
        }
    };
    match details {
        Ok((kind, details)) => GraphFailure::new_err((kind, location, details)),
        Err(error) => error,
    }
}

/// The dtype of a buffer, by its format of the `struct` module.
fn dtype_of(buffer: &PyUntypedBuffer) -> PyResult<DType> {
    match (buffer.format().to_bytes(), buffer.item_size()) {
        (b"?", 1) => Ok(DType::Bool),
        (b"B", 1) => Ok(DType::U8),
        (b"i" | b"l", 4) => Ok(DType::I32),
        (b"l" | b"q", 8) => Ok(DType::I64),
        (b"f", 4) => Ok(DType::F32),
        (b"d", 8) => Ok(DType::F64),
        _ => Err(PyTypeError::new_err("an array of a dtype that graphs do not have")),
    }
}

/// A C-contiguous buffer with its type, checked against what a graph expects.
pub(crate) struct Checked {
    pub(crate) buffer: PyUntypedBuffer,
    pub(crate) dtype: DType,
}

impl Checked {
    pub(crate) fn new(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(array)?;
        if !buffer.is_c_contiguous() {
            return Err(PyValueError::new_err("an array that is not C-contiguous"));
        }
        let dtype = dtype_of(&buffer)?;
        Ok(Self { buffer, dtype })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        if self.buffer.len_bytes() == 0 {
            return &[];
        }
        // SAFETY: the buffer is C-contiguous, `len_bytes` long, and stays exported, hence alive and
        // unmoved, as long as `self`. That no other thread writes it during a run is the caller's
        // duty, as for NumPy's own functions that release the interpreter lock.
        unsafe { std::slice::from_raw_parts(self.buffer.buf_ptr().cast::<u8>(), self.buffer.len_bytes()) }
    }

    fn to_array(&self) -> Array {
        Array { dtype: self.dtype, sizes: self.buffer.shape().to_vec(), bytes: self.bytes().to_vec() }
    }
}

fn check_inputs(function: &Function, inputs: &[Checked]) -> PyResult<()> {
    let params = &function.body.params;
    let fits = params.len() == inputs.len()
        && params.iter().zip(inputs).all(|(param, input)| {
            let ty = function.ty(*param);
            ty.dtype == input.dtype && ty.sizes().as_deref() == Some(input.buffer.shape())
        });
    if fits { Ok(()) } else { Err(PyTypeError::new_err("inputs that are not the graph's")) }
}

#[pymethods]
impl Graph {
    /// Runs the graph with the reference interpreter: slow, and the meaning of every op.
    fn interpret<'py>(
        &self,
        py: Python<'py>,
        inputs: Vec<Bound<'py, PyAny>>,
        show: Py<PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let inputs: Vec<Checked> = inputs.iter().map(Checked::new).collect::<PyResult<_>>()?;
        check_inputs(&self.function, &inputs)?;
        let arrays: Vec<Array> = inputs.iter().map(Checked::to_array).collect();
        let function = Arc::clone(&self.function);
        let results = ag_ir::interpret(&function, &arrays, &mut PythonHost { show })
            .map_err(|error| run_failure(py, error))?;
        array_list(py, &results)
    }
}
