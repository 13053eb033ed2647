//! What generated code calls, and what it is called with.
//!
//! All of these are `extern "C"` and answer with a status: 0 to go on, anything else to leave. The
//! reason is kept in the [`context::RunContext`]. A panic of a kernel, of the host or of what is here does not
//! cross generated code: it is caught, and is the failure of the run ([`ag_ir::Failure::Fault`]).

pub(crate) mod calls;
pub(crate) mod context;
pub(crate) mod lists;
pub(crate) mod tapes;
