//! Derivatives and batching of nodes that a [`ag_ir::Builder`] has recorded.
//!
//! ```text
//! %1: f64[] = identity %0          // with respect to this
//! %2: f64[] = sin %1
//!                                    vjp of %2 with respect to %1, adjoint %3
//! %4: f64[] = cos %1
//! %5: f64[] = mul %3, %4           // the adjoint of %1
//! ```
//!
//! - A derivative is taken of nodes in an open block, and its nodes are emitted after them. So derivatives
//!   nest to any order, and values from outside are constants.
//! - Each op has one rule (`rules`): its tangent in terms of the tangents of its operands. The adjoints
//!   follow by transposing the nodes that the rule emits. A rule asks for the operands, results or sizes that
//!   it needs.
//! - The values of a loop, a branch or a call that the backward pass needs are saved on tapes; no others are
//!   saved.

mod activity;
mod adjoints;
mod batch;
mod captures;
mod checkpoint;
mod closed;
mod dependence;
mod detached;
mod emit;
mod error;
mod forward;
mod inline;
mod reverse;
mod roots;
mod ruled;
mod rules;
mod site;

use ag_ir::{Builder, ValueId};

pub use batch::{Operand, vmap};
pub use checkpoint::{Policy, Products, checkpoint};
pub use closed::closed;
pub use detached::{Detached, detach, inline, require_forward_rules, transposed};
pub use error::GradientError;
pub use forward::jvp;
pub use reverse::vjp;
pub use roots::Roots;
pub use ruled::apply_rules;

/// Zeros of the type and sizes of a value.
///
/// # Errors
/// If it is neither an array of floats nor a list of floats.
pub fn zeros_like(builder: &mut Builder, value: ValueId) -> Result<ValueId, GradientError> {
    emit::zeros_like(builder, value)
}

/// A range of nodes in one open block: from the one that binds `first` to the one that binds `last`, both
/// included; without `last`, to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// A result of the first node.
    pub first: ValueId,
    /// A result of the last node.
    pub last: Option<ValueId>,
}
