//! The native engine: a graph becomes one native function.
//!
//! [`Executable::compile`] plans memory (`plan`), chooses kernels for array operations
//! (`kernels`) and generates code for control flow and scalars with Cranelift (`lower`).
//! [`Executable::run`] calls it; a steady loop neither allocates nor leaves native code.
//!
//! ```text
//! for i in range(n):          block with i, w in parameters
//!     w = w - lr * g(w, i)      call of a few kernels; w is updated in place
//! ```
//!
//! `AUTOGRAPH_ISA=base|avx2|avx512` forces an instruction set; the default is the processor's best.
//!
//! The functions that generated code calls are in `runtime`.
//!
//! A function that the graph calls becomes a native function of its own. A graph with calls runs on a stack
//! that the engine allocates (`stack`), so that only memory limits recursion. An argument that a function
//! returns changed is changed in place (`plan::donation`).
//!
//! Values that a forward pass saves for its backward pass are on tapes (`tapes`).
//!
//! [`ProfiledExecutable`] is a second compilation that measures itself (`profile`).
//!
//! Invariants: `unsafe` stays in the kernels, in the memory they work on and in the calls between
//! generated code and Rust; no panic crosses generated code.

mod arena;
mod code;
mod dense;
mod error;
mod executable;
mod isa;
mod kernels;
mod lists;
mod lower;
mod memory;
mod operands;
mod plan;
mod profile;
mod profiled;
mod runtime;
mod stack;
mod tapes;
#[cfg(test)]
mod tests;
mod values;

pub use dense::copy_dense;
pub use error::CompileError;
pub use executable::Executable;
pub use lists::ListResult;
pub use operands::{Input, OperandError, Output};
pub use profile::{Event, Profile, StepProfile, UnitProfile};
pub use profiled::{Busy, ProfiledExecutable};
