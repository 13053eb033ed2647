//! The derivative of each primitive op.
//!
//! ```text
//! %2: f64[] = mul %0, %1
//!                              its tangent, of the tangents %3 of %0 and %4 of %1
//! %5: f64[] = mul %3, %1
//! %6: f64[] = mul %0, %4
//! %7: f64[] = add %5, %6
//!                              its pullback, of the adjoint %8 of %2
//! %9: f64[] = mul %8, %0       // that of %1
//! %10: f64[] = mul %8, %1      // that of %0
//! ```
//!
//! - An op has one rule, its tangent. The nodes that the rule emits are linear in the tangents; `pullback`
//!   emits them separately and transposes them.
//! - A rule asks for as little of the forward pass as the mathematics needs, since everything it asks for is
//!   saved.
//! - A tangent has the type and the sizes of its value; none stands for zero.
//! - Rules emit only ops that have rules, so derivatives have derivatives.

mod arithmetic;
mod decompositions;
mod elementwise;
mod extents;
mod indexing;
mod lists;
mod matrices;
mod powers;
mod products;
mod pullback;
mod reductions;
mod shaping;
mod special;
mod transpose;

#[cfg(test)]
mod tests;

pub(crate) use self::extents::Sizes;
use ag_ir::{Derivative, Identity, Op, ValueId};

use crate::adjoints::Adjoints;
use crate::error::GradientError;
use crate::site::Site;

/// The tangent of each result of a node, none if it is zero.
type Tangents = Result<Vec<Option<ValueId>>, GradientError>;

/// A value that was emitted.
type Emitted = Result<ValueId, GradientError>;

/// The tangents of a node's results from those of its operands. None is a zero.
pub(crate) fn tangent(site: &mut Site<'_>, tangents: &[Option<ValueId>]) -> Tangents {
    let results = site.node.results.len();
    if !has_derivative(&site.node.op) || tangents.iter().all(Option::is_none) {
        return Ok(vec![None; results]);
    }
    let op = &site.node.op;
    match op {
        Op::Unary(op, _) => elementwise::unary(site, *op, tangents),
        Op::Binary(op, _) => elementwise::binary(site, *op, tangents),
        Op::Select => elementwise::select(site, tangents),
        Op::Cast(dtype) => elementwise::cast(site, *dtype, tangents),
        Op::Identity(Identity::WithSlope) => Ok(vec![tangents[1]]),
        Op::Identity(_) => Ok(vec![tangents[0]]),
        Op::WithShape(_) | Op::Transpose(_) | Op::Slice { .. } | Op::Fourier { .. } => {
            shaping::of_one(site, tangents)
        }
        Op::Broadcast(_) | Op::Reshape(_) => shaping::resized(site, tangents),
        Op::Concatenate(_) => shaping::concatenated(site, tangents),
        Op::SliceRange { .. } | Op::DynamicSlice { .. } | Op::Gather { .. } => indexing::read(site, tangents),
        Op::UpdateSlice { .. } | Op::DynamicUpdateSlice { .. } | Op::Scatter { .. } => {
            indexing::written(site, tangents)
        }
        Op::Reduce { op, axes, keepdims } => reductions::reduced(site, *op, axes, *keepdims, tangents),
        Op::Sort(axis) => indexing::ordered(site, Op::ArgSort(*axis), *axis, tangents),
        Op::Partition { axis, ranks } => {
            let order = Op::ArgPartition { axis: *axis, ranks: ranks.clone() };
            indexing::ordered(site, order, *axis, tangents)
        }
        Op::Cumulative { op, axis } => reductions::cumulative(site, *op, *axis, tangents),
        Op::Dot(_) | Op::Correlate { .. } => products::of_two(site, tangents),
        Op::Decompose(kind) => decompositions::parts(site, *kind, tangents),
        Op::SolveLu => decompositions::solution(site, tangents),
        Op::List(op) => lists::tangent(site, op, tangents),
        Op::Callback(_) => site.refuse("what runs outside of the graph has no derivative"),
        // The passes themselves handle these.
        Op::If | Op::While | Op::For | Op::Scope(_) | Op::Call(_) | Op::TapePush(_) | Op::TapePop(_) => {
            site.refuse("it has no rule for a derivative")
        }
        // Their derivative is zero, so no pass asks for it.
        Op::Constant(_)
        | Op::Iota { .. }
        | Op::IotaTo(_)
        | Op::Size(_)
        | Op::Compare(_)
        | Op::Nonzero
        | Op::ArgReduce { .. }
        | Op::ArgSort(_)
        | Op::ArgPartition { .. }
        | Op::Search { .. }
        | Op::MulAddMod
        | Op::Random { .. }
        | Op::TapeSave(_)
        | Op::TapeLoad(_)
        | Op::Check(_)
        | Op::Print { .. }
        | Op::Keep(_)
        | Op::KeepEnd(_) => site.refuse("it has no rule for a derivative"),
    }
}

/// Adds to the adjoints of the node's active operands, given the adjoints of its results. `sizes` is what is
/// known of unknown sizes from other nodes of the program.
pub(crate) fn pullback(
    site: &mut Site<'_>,
    adjoints: &mut Adjoints,
    is_active: &dyn Fn(usize) -> bool,
    sizes: &Sizes<'_>,
) -> Result<(), GradientError> {
    pullback::pullback(site, adjoints, is_active, sizes)
}

/// Whether an op has a derivative with respect to floats that is not zero everywhere.
pub(crate) fn has_derivative(op: &Op) -> bool {
    op.derivative() != Derivative::Zero
}
