//! Guards: the variables and objects that a trace has read, checked before its graph runs again.
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

use crate::floating_modes::FloatingModes;

/// A global variable: its namespace, its name, and the object it was bound to.
pub(crate) type GlobalGuard = (Py<PyDict>, Py<PyString>, Py<PyAny>);

/// Guards as Python passes them: the modes, and those of global variables, of cells, and of objects.
pub(crate) type GuardParts =
    (Py<FloatingModes>, Vec<GlobalGuard>, Vec<(Py<PyAny>, Py<PyAny>)>, Vec<Mapping>, Option<Py<PyAny>>);

/// A dict, with the keys and the values that it had, in order.
pub(crate) type Mapping = (Py<PyDict>, Vec<Py<PyAny>>, Vec<Py<PyAny>>);

/// Variables and objects whose change makes a graph stale.
pub(crate) struct Guards {
    /// The floating-point modes, which must not ask to report errors.
    pub(crate) modes: Py<FloatingModes>,
    /// Global variables.
    pub(crate) globals: Vec<GlobalGuard>,
    /// Closure cells and what they held.
    pub(crate) cells: Vec<(Py<PyAny>, Py<PyAny>)>,
    /// Attributes and elements: a dict, its keys and its values.
    pub(crate) mappings: Vec<Mapping>,
    /// A Python function that checks whether other objects are unchanged; none if there are no such objects.
    pub(crate) holds: Option<Py<PyAny>>,
}

impl Guards {
    /// Whether nothing has changed, and no floating-point errors are to be reported.
    pub(crate) fn hold(&self, py: Python<'_>) -> PyResult<bool> {
        if !self.modes.get().are_obeyed(py)? {
            return Ok(false);
        }
        for (variables, name, value) in &self.globals {
            match variables.bind(py).get_item(name)? {
                Some(current) if current.is(value) => {}
                _ => return Ok(false),
            }
        }
        for (cell, value) in &self.cells {
            // An empty cell raises ValueError: its content has changed.
            match cell.bind(py).getattr(intern!(py, "cell_contents")) {
                Ok(current) if current.is(value) => {}
                _ => return Ok(false),
            }
        }
        for (dict, keys, values) in &self.mappings {
            let dict = dict.bind(py);
            let held = keys.iter().zip(values);
            // Nothing runs Python here, so the dict stays as it is while it is read.
            let is_same = dict.len() == keys.len()
                && dict
                    .iter()
                    .zip(held)
                    .all(|((key, value), (old_key, old_value))| key.is(old_key) && value.is(old_value));
            if !is_same {
                return Ok(false);
            }
        }
        self.holds.as_ref().map_or(Ok(true), |holds| holds.bind(py).call0()?.is_truthy())
    }

    /// Visits the held objects for the garbage collector.
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
        for (dict, keys, values) in &self.mappings {
            visit.call(dict)?;
            keys.iter().chain(values).try_for_each(|object| visit.call(object))?;
        }
        visit.call(&self.modes)?;
        visit.call(&self.holds)
    }
}
