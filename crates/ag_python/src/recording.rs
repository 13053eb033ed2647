//! Whether a back-end records on this thread, stored here so that a call can check it without Python.
//!
//! ```text
//! with activated(backend): f(x)      `f` is recorded by the back-end, and its compiled graph does not run
//! ```

use std::cell::Cell;

use pyo3::prelude::*;

thread_local! {
    static BACKENDS: Cell<usize> = const { Cell::new(0) };
}

/// Sets how many back-ends are active on this thread; the innermost records.
#[pyfunction]
pub(crate) fn count_backends(active: usize) {
    BACKENDS.set(active);
}

/// Whether a back-end is active on this thread.
pub(crate) fn is_recording() -> bool {
    BACKENDS.get() > 0
}
