//! Whether sizes that are unknown until the run may make a node fail.
//!
//! ```text
//! %1: f64[?] = mul %0, %0       // one array has one size: never fails
//! %2: f64[?] = add %0, %9       // may fail
//! %3: f64[] = sum %0 axes=[0]   // never fails
//! %4: f64[] = max %0 axes=[0]   // may fail: of nothing there is no maximum
//! ```

use crate::function::{Function, Node, ValueId};
use crate::op::Op;
use crate::types::{Dim, Shape};

/// Whether the sizes of the operands may not fit in the run.
pub(super) fn may_not_fit(node: &Node, function: &Function) -> bool {
    let shape = |id: ValueId| function.ty(id).tensor().map(|ty| &ty.shape);
    let operands: Vec<(ValueId, &Shape)> =
        node.operands.iter().filter_map(|id| Some((*id, shape(*id)?))).collect();
    let Some((_, first)) = operands.first() else { return false };
    let is_open = |shape: &Shape| shape.contains(&Dim::Unknown);
    match &node.op {
        Op::Binary(..) | Op::Compare(_) | Op::Select => may_not_broadcast(&operands),
        // The integer operand for a size may be negative, or too large.
        Op::Broadcast(shape) => is_open(shape) || is_open(first),
        Op::Reshape(shape) => is_open(shape) || is_open(first),
        Op::WithShape(wanted) => {
            first.iter().zip(&wanted.shape).any(|(size, wanted)| *size == Dim::Unknown && *wanted != *size)
        }
        Op::Concatenate(axis) => operands.iter().any(|(id, other)| {
            let differ =
                |position: &usize| position != axis && may_differ(first[*position], other[*position]);
            *id != operands[0].0 && (0..first.len()).any(|position| differ(&position))
        }),
        Op::Reduce { op, axes, .. } => {
            op.of_nothing().is_none() && axes.iter().any(|axis| first[*axis] == Dim::Unknown)
        }
        Op::ArgReduce { axis, .. } => first[*axis] == Dim::Unknown,
        Op::Dot(_) | Op::SolveLu => operands.iter().any(|(_, shape)| is_open(shape)),
        // Some take square matrices only.
        Op::Decompose(kind) => {
            let [.., m, n] = first[..] else { return false };
            kind.is_of_square() && may_differ(m, n)
        }
        // The two bounds may have different sizes, and the integer operand for a size may be negative.
        Op::Random { shape, .. } => is_open(shape),
        // These may fail for elements too, so `Op::may_fail` covers them.
        Op::SliceRange { .. }
        | Op::DynamicSlice { .. }
        | Op::DynamicUpdateSlice { .. }
        | Op::Gather { .. }
        | Op::Scatter { .. }
        | Op::ScatterAdd { .. } => false,
        // These accept any unknown size, or do not depend on it.
        Op::Constant(_)
        | Op::Iota { .. }
        | Op::IotaTo(_)
        | Op::Size(_)
        | Op::Unary(..)
        | Op::Cast(_)
        | Op::Transpose(_)
        | Op::Slice { .. }
        | Op::UpdateSlice { .. }
        | Op::Nonzero
        | Op::ArgSort(_)
        | Op::Cumulative { .. }
        | Op::Fourier { .. } => false,
        // Their regions, or the called function, decide; or they return their operands unchanged.
        Op::If
        | Op::While
        | Op::For
        | Op::Scope(_)
        | Op::Call(_)
        | Op::Identity(_)
        | Op::TapePush(_)
        | Op::TapePop(_)
        | Op::Callback(_)
        | Op::Check(_)
        | Op::Print { .. }
        | Op::Keep(_)
        | Op::KeepEnd(_) => false,
        // `ListOp::may_fail` covers indices and lengths.
        Op::List(_) => false,
    }
}

/// Whether two sizes that must be equal may differ.
fn may_differ(one: Dim, other: Dim) -> bool {
    one == Dim::Unknown || other == Dim::Unknown
}

fn may_not_broadcast(operands: &[(ValueId, &Shape)]) -> bool {
    let rank = operands.iter().map(|(_, shape)| shape.len()).max().unwrap_or(0);
    (0..rank).any(|from_end| {
        let mut others: Vec<(ValueId, Dim)> = operands
            .iter()
            .filter_map(|(id, shape)| Some((*id, shape[shape.len().checked_sub(from_end + 1)?])))
            .filter(|(_, size)| *size != Dim::Known(1))
            .collect();
        others.dedup();
        others.len() > 1 && others.iter().any(|(_, size)| *size == Dim::Unknown)
    })
}
