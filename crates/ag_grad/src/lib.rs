//! Derivatives and batching of what a [`ag_ir::Builder`] has recorded.
//!
//! ```text
//! %1: f64[] = identity %0          // with respect to this
//! %2: f64[] = sin %1
//!                                    vjp of %2 with respect to %1, adjoint %3
//! %4: f64[] = cos %1
//! %5: f64[] = mul %3, %4           // the adjoint of %1
//! ```
//!
//! - A derivative is taken of nodes where they stand, in an open block, and its nodes are emitted after
//!   them. So derivatives nest to any order, and what is around a function is a constant.
//! - Each op has one rule (`rules`), its tangent in terms of those of its operands; the adjoints follow
//!   by transposing what the rule emits. A rule asks for what it needs: operands, results, or sizes.
//! - What the backward pass needs of a loop, a branch or a call is put on a tape, value by value; all
//!   else is not saved.

mod adjoints;
mod batch;
mod emit;
mod error;
mod rules;
mod site;

pub use batch::{Operand, vmap};
pub use error::GradientError;
