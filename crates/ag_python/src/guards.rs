//! What a trace read around itself, checked before its graph runs again.
//!
//! ```text
//! def f(x): return x * scale      a guard: the globals of `f` bind `scale` to the object met
//! ```
//!
//! Invariant: the check is exact; a variable bound to another object is always found.

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// A global variable: its namespace, its name, and the object it was bound to.
pub(crate) type GlobalGuard = (Py<PyDict>, Py<PyString>, Py<PyAny>);

/// Guards as Python gives them: those of global variables, of cells, and of objects.
pub(crate) type GuardParts = (Vec<GlobalGuard>, Vec<(Py<PyAny>, Py<PyAny>)>, Option<Py<PyAny>>);

/// Variables and objects whose change makes a graph stale.
pub(crate) struct Guards {
    /// Global variables.
    pub(crate) globals: Vec<GlobalGuard>,
    /// Closure cells and what they held.
    pub(crate) cells: Vec<(Py<PyAny>, Py<PyAny>)>,
    /// Answers whether the objects that were read are as they were; none if nothing is watched.
    pub(crate) holds: Option<Py<PyAny>>,
}

impl Guards {
    /// Whether everything is as it was.
    pub(crate) fn hold(&self, py: Python<'_>) -> PyResult<bool> {
        for (variables, name, value) in &self.globals {
            match variables.bind(py).get_item(name)? {
                Some(current) if current.is(value) => {}
                _ => return Ok(false),
            }
        }
        for (cell, value) in &self.cells {
            // An emptied cell raises ValueError: it does not hold what it held.
            match cell.bind(py).getattr(intern!(py, "cell_contents")) {
                Ok(current) if current.is(value) => {}
                _ => return Ok(false),
            }
        }
        self.holds.as_ref().map_or(Ok(true), |holds| holds.bind(py).call0()?.is_truthy())
    }

    /// Shows the garbage collector what is held.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for (variables, name, value) in &self.globals {
            visit.call(variables)?;
            visit.call(name)?;
            visit.call(value)?;
        }
        for (cell, value) in &self.cells {
            visit.call(cell)?;
            visit.call(value)?;
        }
        visit.call(&self.holds)
    }
}
