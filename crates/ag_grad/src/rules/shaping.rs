//! Tangents of ops that move elements: the same op on the tangent.

use ag_ir::{Op, Type, ValueId};

use super::extents::Sizes;
use super::{Emitted, Tangents};
use crate::site::Site;

/// Ops with one operand.
pub(super) fn of_one(site: &mut Site<'_>, tangents: &[Option<ValueId>]) -> Tangents {
    let Some(t) = tangents[0] else { return Ok(vec![None]) };
    Ok(vec![Some(site.emit(site.node.op.clone(), &[t])?)])
}

/// Ops with integer operands for sizes: uses those of the result.
pub(super) fn resized(site: &mut Site<'_>, tangents: &[Option<ValueId>]) -> Tangents {
    let Some(t) = tangents[0] else { return Ok(vec![None]) };
    let sizes = site.open_sizes(site.node.results[0]);
    Ok(vec![Some(site.emit(site.node.op.clone(), &[&[t], &sizes[..]].concat())?)])
}

pub(super) fn concatenated(site: &mut Site<'_>, tangents: &[Option<ValueId>]) -> Tangents {
    let parts = or_zeros(site, tangents, 0..tangents.len())?;
    Ok(vec![Some(site.emit(site.node.op.clone(), &parts)?)])
}

/// The tangents of these operands, with zeros for those that have none.
pub(super) fn or_zeros(
    site: &mut Site<'_>,
    tangents: &[Option<ValueId>],
    operands: std::ops::Range<usize>,
) -> Result<Vec<ValueId>, crate::GradientError> {
    operands
        .map(|number| match tangents[number] {
            Some(t) => Ok(t),
            None => site.zeros_like(site.node.operands[number]),
        })
        .collect()
}

/// The tangent of an operand, broadcast to the result.
pub(super) fn stretched(site: &mut Site<'_>, t: ValueId, operand: usize) -> Emitted {
    let (value, result) = (site.node.operands[operand], site.node.results[0]);
    let function = site.builder.function();
    let (ty, wanted) = (function.ty(value), function.ty(result));
    let is_same = ty == wanted && {
        let mut sizes = Sizes::default();
        sizes.learn_forward(function, site.node);
        sizes.of(function, value) == sizes.of(function, result)
    };
    let Type::Tensor(wanted) = wanted.clone() else { return Ok(t) };
    if is_same {
        return Ok(t);
    }
    let sizes = site.open_sizes(result);
    site.emit(Op::Broadcast(wanted.shape), &[&[t], &sizes[..]].concat())
}
