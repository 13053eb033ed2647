//! Whether sizes that only the run knows may make a node fail.
//!
//! ```text
//! %1: f64[?] = mul %0, %0       // one array has one size: never fails
//! %2: f64[?] = add %0, %9       // may fail
//! %3: f64[] = sum %0 axes=[0]   // never fails
//! %4: f64[] = max %0 axes=[0]   // may fail: of nothing there is no maximum
//! ```

use crate::function::{Function, Node, ValueId};
use crate::op::{Op, ReduceOp};
use crate::types::{Dim, Shape};

/// Whether the sizes of the operands may turn out not to fit.
pub(super) fn may_not_fit(node: &Node, function: &Function) -> bool {
    let shape = |id: ValueId| function.ty(id).tensor().map(|ty| &ty.shape);
    let operands: Vec<(ValueId, &Shape)> =
        node.operands.iter().filter_map(|id| Some((*id, shape(*id)?))).collect();
    let Some((_, first)) = operands.first() else { return false };
    let is_open = |shape: &Shape| shape.contains(&Dim::Unknown);
    match &node.op {
        Op::Binary(..) | Op::Compare(_) | Op::Select => may_not_broadcast(&operands),
        // A number for a size may be negative, or too large.
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
        Op::Reduce { op: ReduceOp::Max | ReduceOp::Min, axes, .. } => {
            axes.iter().any(|axis| first[*axis] == Dim::Unknown)
        }
        Op::ArgReduce { axis, .. } => first[*axis] == Dim::Unknown,
        Op::Dot(_) | Op::SolveLu => operands.iter().any(|(_, shape)| is_open(shape)),
        _ => false,
    }
}

/// Whether two sizes that are to be equal may not be.
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
