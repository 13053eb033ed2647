//! Running graphs on NumPy's buffers.

use std::ptr::NonNull;

use ag_engine::{ListResult, copy_dense};
use ag_ir::{Array, DType, Failure, Function, Host, HostError, RunError, TensorType, Type};
use numpy::npyffi::{NPY_ORDER, PY_ARRAY_API};
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PyTuple};

use crate::aligned_arrays::empty_array;
use crate::graph_types::numpy_name;
use crate::operands::few;

pyo3::create_exception!(
    _core,
    GraphFailure,
    PyException,
    "A graph that stopped: kind, number of the location or None, details, numbers of the locations of its calls, \
     innermost first, and by slot the arrays that were kept."
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

    fn call(&mut self, site: u32, values: &[Array]) -> Result<Vec<Array>, HostError> {
        Python::attach(|py| {
            let given = self.show.call1(py, (site, array_list(py, values)?))?;
            let arrays: PyResult<Vec<Array>> =
                given.bind(py).try_iter()?.map(|array| Checked::new(&array?)?.to_array()).collect();
            arrays
        })
        .map_err(|error: PyErr| Box::new(error) as HostError)
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
    let calls: Vec<u32> = error.calls.iter().map(|location| location.0).collect();
    let kept: Vec<(u32, Array)> = error.kept;
    let details: PyResult<(&str, Py<PyAny>)> = match error.failure {
        Failure::Host(raised) => match raised.downcast::<PyErr>() {
            Ok(raised) => Ok(("host", raised.into_value(py).into_any())),
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
        Failure::Recursion => Ok(("recursion", py.None())),
        Failure::NegativePower => Ok(("negative_power", py.None())),
        Failure::Fault(words) => {
            (&*words,).into_pyobject(py).map(|details| ("fault", details.into_any().unbind()))
        }
        Failure::OutOfMemory { bytes } => {
            (bytes,).into_pyobject(py).map(|details| ("memory", details.into_any().unbind()))
        }
    };
    match details {
        Ok((kind, details)) => {
            let slots: Vec<u32> = kept.iter().map(|(slot, _)| *slot).collect();
            let arrays: Vec<Array> = kept.into_iter().map(|(_, array)| array).collect();
            match array_list(py, &arrays) {
                Ok(arrays) => GraphFailure::new_err((kind, location, details, calls, slots, arrays.unbind())),
                Err(error) => error,
            }
        }
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

    /// A buffer that may be written.
    pub(crate) fn new_writable(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let checked = Self::new(array)?;
        if checked.buffer.readonly() {
            return Err(PyValueError::new_err("an output that is read-only"));
        }
        Ok(checked)
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        if self.buffer.len_bytes() == 0 {
            // SAFETY: no bytes at a pointer that is not null and aligned for every dtype.
            return unsafe { std::slice::from_raw_parts_mut(NonNull::<u64>::dangling().as_ptr().cast(), 0) };
        }
        // SAFETY: as for `bytes`; the buffer is writable, and outputs are arrays that the caller has
        // just made for this run, so nothing else refers to their memory.
        unsafe { std::slice::from_raw_parts_mut(self.buffer.buf_ptr().cast::<u8>(), self.buffer.len_bytes()) }
    }

    /// A copy.
    fn to_array(&self) -> PyResult<Array> {
        Ok(Array { dtype: self.dtype, sizes: self.buffer.shape().to_vec(), bytes: self.bytes().to_vec() })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        if self.buffer.len_bytes() == 0 {
            // SAFETY: as in `bytes_mut`.
            return unsafe { std::slice::from_raw_parts(NonNull::<u64>::dangling().as_ptr().cast(), 0) };
        }
        // SAFETY: the buffer is C-contiguous, `len_bytes` long, and stays exported, hence alive and
        // unmoved, as long as `self`. That no other thread writes it during a run is the caller's
        // duty, as for NumPy's own functions that release the interpreter lock.
        unsafe { std::slice::from_raw_parts(self.buffer.buf_ptr().cast::<u8>(), self.buffer.len_bytes()) }
    }

    /// The first dimension, which a list leaves open.
    pub(crate) fn length(&self) -> usize {
        self.buffer.shape().first().copied().unwrap_or(0)
    }

    /// The dimensions of an operand of this type that the buffer holds.
    pub(crate) fn sizes_as(&self, ty: &Type) -> Vec<usize> {
        match ty.stacked(self.length()) {
            Some(ty) if ty.has_unknown_sizes() => self.buffer.shape().to_vec(),
            ty => ty.and_then(|ty| ty.sizes()).unwrap_or_default(),
        }
    }

    /// Whether the buffer holds an array of these dimensions. A scalar comes as an array of one
    /// element, since PyO3 refuses buffers without a shape.
    pub(crate) fn has_sizes(&self, sizes: &[usize]) -> bool {
        let shape = self.buffer.shape();
        shape == sizes || (sizes.is_empty() && shape == [1])
    }

    /// Whether the buffer holds an array of this type.
    pub(crate) fn is_of(&self, ty: &TensorType) -> bool {
        ty.dtype == self.dtype && (ty.fits(self.buffer.shape()) || (ty.is_scalar() && self.has_sizes(&[])))
    }
}

/// Whether arrays are what a graph takes.
pub(crate) fn check_inputs(function: &Function, inputs: &[Checked]) -> PyResult<()> {
    let params = &function.body.params;
    let fits = params.len() == inputs.len()
        && params.iter().zip(inputs).all(|(param, input)| {
            let ty = function.ty(*param).stacked(input.length());
            ty.is_some_and(|ty| input.is_of(&ty))
        });
    if fits { Ok(()) } else { Err(PyTypeError::new_err("inputs that are not the graph's")) }
}

/// Runs a graph with the reference interpreter.
pub(crate) fn interpret<'py>(
    py: Python<'py>,
    function: &Function,
    inputs: &[Bound<'py, PyAny>],
    show: Py<PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let inputs: Vec<Checked> = inputs.iter().map(Checked::new).collect::<PyResult<_>>()?;
    check_inputs(function, &inputs)?;
    let arrays: Vec<Array> = function
        .body
        .params
        .iter()
        .zip(&inputs)
        .map(|(param, input)| Array {
            dtype: input.dtype,
            sizes: input.sizes_as(function.ty(*param)),
            bytes: input.bytes().to_vec(),
        })
        .collect();
    let results = ag_ir::interpret(function, &arrays, &mut PythonHost { show })
        .map_err(|error| run_failure(py, error))?;
    array_list(py, &results)
}

/// The memory of a C-contiguous NumPy array with `length` bytes.
pub(crate) fn array_bytes<'a>(array: &'a Bound<'_, PyUntypedArray>, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the array is alive as long as it is borrowed, and NumPy neither moves nor shrinks the
    // memory of an array to which others refer. Its length is that of its dtype and dimensions,
    // which the caller has compared. For other threads see `Checked::bytes`.
    unsafe {
        let data = (*array.as_array_ptr()).fields.data;
        std::slice::from_raw_parts(data.cast::<u8>(), length)
    }
}

/// A new NumPy array with data that a run has computed.
pub(crate) fn array_of<'py>(
    dtype: &Bound<'py, PyArrayDescr>,
    sizes: &[usize],
    given: &ListResult,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let mut array = empty_array(dtype, sizes)?;
    let bytes = given.bytes();
    new_array_bytes(&mut array, bytes.len()).copy_from_slice(bytes);
    Ok(array)
}

/// The memory, of `length` bytes, of an array that [`empty_array`] has just made.
pub(crate) fn new_array_bytes<'a>(array: &'a mut Bound<'_, PyUntypedArray>, length: usize) -> &'a mut [u8] {
    if length == 0 {
        return &mut [];
    }
    // SAFETY: as for `array_bytes`; nothing else refers to an array that has just been made.
    unsafe {
        let data = (*array.as_array_ptr()).fields.data;
        std::slice::from_raw_parts_mut(data.cast::<u8>(), length)
    }
}

/// Lends a run the memory, of `length` bytes, of an array that [`empty_array`] has just made. The array must
/// be kept as long as `made`.
pub(crate) fn lend_array(made: &mut ListResult, array: &mut Bound<'_, PyUntypedArray>, length: usize) {
    // SAFETY: NumPy aligns the memory to the elements, nobody else has seen the array, and the caller keeps
    // it.
    unsafe { made.lend(new_array_bytes(array, length)) };
}

/// A copy of an array that is C-contiguous and aligned.
pub(crate) fn contiguous_copy<'py>(
    array: &Bound<'py, PyUntypedArray>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let (py, dtype, sizes) = (array.py(), array.dtype(), array.shape());
    let element = dtype.itemsize();
    let unit = element.cast_signed().max(1);
    let is_whole = array.strides().iter().all(|stride| stride % unit == 0);
    if array.is_aligned() && is_whole && matches!(element, 1 | 4 | 8) {
        let strides = few(array.strides().iter().map(|stride| stride / unit));
        let mut made = empty_array(&dtype, sizes)?;
        let to = new_array_bytes(&mut made, sizes.iter().product::<usize>() * element);
        // SAFETY: NumPy's strides reach the elements of the array, which is alive as long as it is borrowed, and they
        // are aligned, as are those of the new array.
        unsafe { copy_dense(element, sizes, &strides, (*array.as_array_ptr()).fields.data.cast(), to) };
        return Ok(made);
    }
    // SAFETY: the array is alive as long as it is borrowed; NumPy returns a new reference to a new array
    // of the same dtype and dimensions, or null with an exception set.
    unsafe {
        let made = PY_ARRAY_API.PyArray_NewCopy(py, array.as_array_ptr(), NPY_ORDER::NPY_CORDER);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked())
    }
}
