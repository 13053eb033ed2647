//! Whether graphs that are recorded on this thread are to be exact, stored here so that a call can check it
//! without Python.

use std::cell::Cell;

use pyo3::prelude::*;

thread_local! {
    static IS_EXACT: Cell<bool> = const { Cell::new(false) };
}

/// Sets whether graphs that this thread records and runs are exact; returns what was set before.
#[pyfunction]
pub(crate) fn set_exact(is_exact: bool) -> bool {
    IS_EXACT.replace(is_exact)
}

/// Whether graphs that this thread records and runs are exact.
#[pyfunction]
pub(crate) fn is_exact() -> bool {
    IS_EXACT.get()
}
