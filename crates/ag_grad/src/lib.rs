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

mod activity;
mod adjoints;
mod batch;
mod captures;
mod checkpoint;
mod emit;
mod error;
mod forward;
mod inline;
mod reverse;
mod rules;
mod site;

use ag_ir::{Builder, ValueId};

pub use batch::{Operand, vmap};
pub use checkpoint::checkpoint;
pub use error::GradientError;
pub use forward::jvp;
pub use reverse::vjp;

/// Zeros like a value that is at hand.
///
/// # Errors
/// When it is no value of floats or of lists of floats.
pub fn zeros_like(builder: &mut Builder, value: ValueId) -> Result<ValueId, GradientError> {
    emit::zeros_like(builder, value)
}

/// Nodes of one open block: from the one that binds `first` to the one that binds `last`, both included;
/// without a last one, to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// A result of the first node.
    pub first: ValueId,
    /// A result of the last node.
    pub last: Option<ValueId>,
}
