//! Forms of arguments: what a derivative has a text of its own for.
//!
//! ```text
//! dfdx(x, w)      an array of `float64` and shape (16, 16), and a `float`
//! ```
//!
//! Invariant: a guard holds for exactly these classes, dtypes and shapes; objects of subclasses have other forms.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use numpy::{PyArrayDescr, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

/// What is known of an argument.
#[derive(FromPyObject)]
enum Form {
    /// An array: dtype and shape.
    Array(Py<PyArrayDescr>, Vec<usize>),
    /// Its class.
    Class(Py<PyType>),
}

/// A variable: its namespace, its name, and its value, if it had one.
type Variable = (Py<PyDict>, Py<PyString>, Option<Py<PyAny>>);

/// The forms of all arguments; none of one that may be anything.
type Forms = Vec<Option<Form>>;

impl Form {
    fn is_of(&self, value: &Bound<'_, PyAny>) -> bool {
        match self {
            Self::Array(dtype, shape) => value
                .cast_exact::<PyUntypedArray>()
                .is_ok_and(|array| array.shape() == shape.as_slice() && array.dtype().is(dtype)),
            Self::Class(class) => value.get_type().is(class),
        }
    }
}

fn are_of(forms: &Forms, arguments: &Bound<'_, PyTuple>) -> bool {
    forms.len() == arguments.len()
        && forms
            .iter()
            .zip(arguments.iter_borrowed())
            .all(|(form, value)| form.as_ref().is_none_or(|form| form.is_of(&value)))
}

/// Whether a debugger, or a tool for coverage, sees the lines that run: it is shown the general text, and no function that
/// makes another.
fn is_traced(py: Python<'_>) -> bool {
    static GETTRACE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let tracer = GETTRACE
        .get_or_try_init(py, || py.import("sys")?.getattr("gettrace").map(Bound::unbind))
        .and_then(|gettrace| gettrace.call0(py));
    tracer.is_ok_and(|tracer| !tracer.is_none(py))
}

/// Whether arguments have the forms that it is made with: a tuple of dtype and shape for an array, a class, or `None` for
/// what may be anything. And whether variables are what they were: each a namespace, a name, and its value if it had one.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct FormGuard {
    forms: Forms,
    variables: Vec<Variable>,
}

#[pymethods]
impl FormGuard {
    #[new]
    fn new(forms: Forms, variables: Vec<Variable>) -> Self {
        Self { forms, variables }
    }

    #[pyo3(signature = (*arguments))]
    fn __call__(&self, arguments: &Bound<'_, PyTuple>) -> PyResult<bool> {
        if !are_of(&self.forms, arguments) {
            return Ok(false);
        }
        for (namespace, name, value) in &self.variables {
            let current = namespace.bind(arguments.py()).get_item(name)?;
            if current.as_ref().map(Bound::as_ptr) != value.as_ref().map(Py::as_ptr) {
                return Ok(false);
            }
        }
        Ok(!is_traced(arguments.py()))
    }
}

/// Whether arguments have forms that have not been seen, or there were so many calls with forms that have been.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct FormWatch {
    seen: Mutex<Vec<Forms>>,
    calls: AtomicU32,
    most: u32,
}

#[pymethods]
impl FormWatch {
    #[new]
    fn new(most: u32) -> Self {
        Self { seen: Mutex::default(), calls: AtomicU32::new(0), most }
    }

    /// Notes forms as seen.
    fn add(&self, forms: Forms) {
        self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(forms);
    }

    #[pyo3(signature = (*arguments))]
    fn __call__(&self, arguments: &Bound<'_, PyTuple>) -> bool {
        let is_seen = {
            let seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            seen.iter().any(|forms| are_of(forms, arguments))
        };
        let is_asked = !is_seen || self.calls.fetch_add(1, Ordering::Relaxed) + 1 >= self.most;
        is_asked && !is_traced(arguments.py())
    }
}
