//! Whether sizes that are unknown until the run may make a node fail.
//!
//! ```text
//! %1: f64[?] = mul %0, %0       // one array has one size: never fails
//! %2: f64[?] = add %0, %9       // may fail
//! %3: f64[] = sum %0 axes=[0]   // never fails
//! %4: f64[] = max %0 axes=[0]   // may fail: of nothing there is no maximum
//! ```

use crate::function::{Function, Node, ValueId};
use crate::op::{Condition, SizeRule};
use crate::types::{Dim, Shape};

/// Whether the sizes of the operands may not fit in the run.
pub(super) fn may_not_fit(node: &Node, function: &Function) -> bool {
    // The regions of other ops, or the functions that they call, decide; or they take values of any size.
    let Some(rule) = node.op.results().sizes() else { return false };
    let shape = |id: ValueId| function.ty(id).tensor().map(|ty| &ty.shape);
    let operands: Vec<(ValueId, &Shape)> =
        node.operands.iter().filter_map(|id| Some((*id, shape(*id)?))).collect();
    let Some((_, first)) = operands.first() else { return false };
    let is_open = |shape: &Shape| shape.contains(&Dim::Unknown);
    match rule {
        SizeRule::Operand(_, condition) => match condition {
            Condition::FitsFactors | Condition::FitsLines | Condition::HasBounds(_) => {
                operands.iter().any(|(_, shape)| is_open(shape))
            }
            // `Op::may_fail` covers these: they fail for some indices too.
            Condition::FitsBlock(_) | Condition::FitsPlaces(_) => false,
            // Types say all of these.
            Condition::Nothing | Condition::HasAxis(_) | Condition::IsPairs | Condition::FitsSlice(..) => {
                false
            }
        },
        SizeRule::Broadcast => may_not_broadcast(&operands),
        // The integer operand for a size may be negative, or too large.
        SizeRule::Given(shape, _) => is_open(shape),
        SizeRule::BroadcastTo(shape) | SizeRule::Reshape(shape) => is_open(shape) || is_open(first),
        SizeRule::Declared(wanted) => {
            first.iter().zip(&wanted.shape).any(|(size, wanted)| *size == Dim::Unknown && *wanted != *size)
        }
        SizeRule::Concatenate(axis) => operands.iter().any(|(id, other)| {
            let differ =
                |position: &usize| *position != axis && may_differ(first[*position], other[*position]);
            *id != operands[0].0 && (0..first.len()).any(|position| differ(&position))
        }),
        SizeRule::Reduce { op, axes, .. } => {
            op.of_nothing().is_none() && axes.iter().any(|axis| first[*axis] == Dim::Unknown)
        }
        SizeRule::ArgReduce { axis, .. } => first[axis] == Dim::Unknown,
        SizeRule::Dot(_) | SizeRule::Lines(_) => operands.iter().any(|(_, shape)| is_open(shape)),
        // Some take square matrices only, some an even number of rows and of columns.
        SizeRule::Decompose(kind) => {
            let [.., m, n] = first[..] else { return false };
            (kind.is_of_square() || kind.block() > 1) && may_differ(m, n)
        }
        // `Op::may_fail` covers these: they fail for some indices too.
        SizeRule::Range(_) | SizeRule::Block(..) | SizeRule::Gather(_) => false,
        // These accept any unknown size, or do not depend on it.
        SizeRule::Known(_) | SizeRule::Count | SizeRule::Transpose(_) | SizeRule::Slice { .. } => false,
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
