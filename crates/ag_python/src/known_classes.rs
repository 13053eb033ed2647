//! Classes whose objects are trees of arguments and can be read without Python: `NamedTuple`s and
//! dataclasses.
//!
//! ```text
//! class Layer(NamedTuple): ...       its elements are read by tuple's own `__iter__`
//! @dataclass class Model: ...        `model.rate` is what the object itself holds
//! ```
//!
//! A class may be changed later: if a field becomes a property, reading it runs Python code. So the
//! attributes that decide this are compared at every call.
//!
//! Invariant: where [`KnownClass::is_of`] holds, reading an object of the class runs no Python.

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

/// An attribute of one class: its namespace, its name, and its value, if it has one.
type ClassVariable = (Py<PyDict>, Py<PyString>, Option<Py<PyAny>>);

/// A class as Python passes it: the class, the order of its bases, and the attributes that matter. A value is
/// given as a list, which is empty if the attribute is missing.
pub(crate) type ClassParts = (Py<PyType>, Py<PyTuple>, Vec<(Py<PyDict>, Py<PyString>, Vec<Py<PyAny>>)>);

/// A class, with the attributes that decide how its objects are read.
pub(crate) struct KnownClass {
    kind: Py<PyType>,
    /// Whether it is a `NamedTuple`.
    pub(crate) is_tuple: bool,
    bases: Py<PyTuple>,
    variables: Vec<ClassVariable>,
}

impl KnownClass {
    pub(crate) fn new(py: Python<'_>, (kind, bases, variables): ClassParts) -> PyResult<Self> {
        let is_tuple = kind.bind(py).is_subclass_of::<PyTuple>()?;
        let variables = variables
            .into_iter()
            .map(|(namespace, name, mut value)| (namespace, name, value.pop()))
            .collect();
        Ok(Self { kind, is_tuple, bases, variables })
    }

    /// Whether it is this class.
    pub(crate) fn is(&self, kind: &Bound<'_, PyAny>) -> bool {
        kind.is(&self.kind)
    }

    /// Whether it is the same class with the same attributes.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.kind.is(&other.kind)
            && self.bases.is(&other.bases)
            && self.variables.len() == other.variables.len()
            && self.variables.iter().zip(&other.variables).all(|(one, other)| {
                let value = |variable: &ClassVariable| variable.2.as_ref().map(Py::as_ptr);
                one.0.is(&other.0) && one.1.is(&other.1) && value(one) == value(other)
            })
    }

    /// Whether a value is of this class, and its objects are still read in the same way.
    pub(crate) fn is_of(&self, value: &Bound<'_, PyAny>) -> bool {
        let kind = value.get_type();
        let py = kind.py();
        kind.is(&self.kind)
            && kind.getattr(intern!(py, "__mro__")).is_ok_and(|bases| bases.is(&self.bases))
            && self.variables.iter().all(|(namespace, name, known)| {
                let found = namespace.bind(py).get_item(name).ok().flatten();
                match (found, known) {
                    (None, None) => true,
                    (Some(found), Some(known)) => found.is(known),
                    _ => false,
                }
            })
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.kind)?;
        visit.call(&self.bases)?;
        self.variables.iter().try_for_each(|(namespace, _, value)| {
            visit.call(namespace)?;
            visit.call(value)
        })
    }
}
