//! The runtime: the functions that generated code calls, and the context that it passes them.
//!
//! The functions are `extern "C"` and return a status: 0 to go on, anything else to return to the caller. The
//! reason is in the [`context::RunContext`]. A panic in a kernel, in the host or here does not unwind through
//! generated code: it is caught and becomes the failure of the run ([`ag_ir::Failure::Fault`]).

pub(crate) mod calls;
pub(crate) mod context;
pub(crate) mod lists;
pub(crate) mod tapes;
