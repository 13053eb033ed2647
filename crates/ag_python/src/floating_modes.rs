//! Checks that NumPy's floating-point modes and Python's warning filters do not ask to report floating-point
//! errors.
//!
//! ```text
//! with np.errstate(divide="raise"): f(x)      other modes than those looked at last: Python looks again
//! ```
//!
//! Every call of a compiled function checks this, so the usual case runs no Python.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Modes and filters that were found to report nothing.
struct Looked {
    modes: Py<PyAny>,
    filters: Py<PyList>,
    count: usize,
    first: Option<Py<PyAny>>,
}

/// Decides whether a graph may run.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct FloatingModes {
    /// Returns NumPy's current modes; another object if they have changed.
    present: Py<PyAny>,
    /// The variables of the module `warnings`.
    warnings: Py<PyDict>,
    /// Examines both, and returns whether they report nothing.
    look: Py<PyAny>,
    looked: Mutex<Option<Looked>>,
}

#[pymethods]
impl FloatingModes {
    #[new]
    fn new(present: Py<PyAny>, warnings: Py<PyDict>, look: Py<PyAny>) -> Self {
        Self { present, warnings, look, looked: Mutex::new(None) }
    }

    /// Whether a graph may run: neither modes nor filters ask to report floating-point errors.
    pub(crate) fn are_obeyed(&self, py: Python<'_>) -> PyResult<bool> {
        let modes = self.present.bind(py).call0()?;
        let filters = self.warnings.bind(py).get_item(intern!(py, "filters"))?;
        let filters = filters.and_then(|found| found.cast_into::<PyList>().ok());
        if let Some(filters) = &filters
            && self.lock().as_ref().is_some_and(|looked| looked.are(&modes, filters))
        {
            return Ok(true);
        }
        if !self.look.bind(py).call0()?.is_truthy()? {
            return Ok(false);
        }
        let before = filters.map(|filters| Looked {
            modes: modes.unbind(),
            count: filters.len(),
            first: filters.get_item(0).ok().map(Bound::unbind),
            filters: filters.unbind(),
        });
        // The old objects are dropped after the lock, since that may run Python.
        let gone = std::mem::replace(&mut *self.lock(), before);
        drop(gone);
        Ok(true)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.present)?;
        visit.call(&self.warnings)?;
        visit.call(&self.look)?;
        let Ok(looked) = self.looked.try_lock() else { return Ok(()) };
        let Some(looked) = &*looked else { return Ok(()) };
        visit.call(&looked.modes)?;
        visit.call(&looked.filters)?;
        visit.call(&looked.first)
    }
}

impl FloatingModes {
    fn lock(&self) -> MutexGuard<'_, Option<Looked>> {
        self.looked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Looked {
    /// Whether these are the examined modes and filters; `filterwarnings` inserts a filter in front of the
    /// others.
    fn are(&self, modes: &Bound<'_, PyAny>, filters: &Bound<'_, PyList>) -> bool {
        modes.is(&self.modes)
            && filters.is(&self.filters)
            && filters.len() == self.count
            && match &self.first {
                Some(first) => filters.get_item(0).is_ok_and(|present| present.is(first)),
                None => true,
            }
    }
}
