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
//! `AUTOGRAPH_ISA=base|avx2|avx512` forces a set of vector instructions; the processor's best is the
//! default.
//!
//! What generated code calls is in `runtime`.
//!
//! A function that the graph calls is native code of its own; a graph with calls runs on a stack of
//! ours (`stack`), so that a recursion is limited by memory. What it is given and gives back changed stays
//! where it is (`plan::donation`).
//!
//! What a forward pass saves for its backward pass is on tapes (`tapes`).
//!
//! Invariants: `unsafe` stays in the kernels, in the memory they work on and in the calls between
//! generated code and Rust; no panic crosses generated code.

mod code;
mod error;
mod executable;
mod isa;
mod kernels;
mod lists;
mod lower;
mod memory;
mod operands;
mod plan;
mod runtime;
mod stack;
mod tapes;
#[cfg(test)]
mod tests;
mod values;

pub use error::CompileError;
pub use executable::Executable;
pub use lists::ListResult;
pub use operands::{Input, OperandError, Output};
