//! Tangents of reading and writing parts of arrays: the same op on the tangents, at the same indices.

use ag_ir::{DType, Dim, Op, ValueId};

use super::Tangents;
use super::shaping::or_zeros;
use crate::emit;
use crate::error::GradientError;
use crate::site::Site;

/// The index operands.
fn places(site: &mut Site<'_>, from: usize) -> Vec<ValueId> {
    (from..site.node.operands.len()).map(|number| site.operand(number)).collect()
}

/// `x[i]`
pub(super) fn read(site: &mut Site<'_>, tangents: &[Option<ValueId>]) -> Tangents {
    let Some(t) = tangents[0] else { return Ok(vec![None]) };
    let places = places(site, 1);
    Ok(vec![Some(site.emit(site.node.op.clone(), &[&[t], &places[..]].concat())?)])
}

/// `sort(x)`: the tangents at the places where the elements were.
pub(super) fn ordered(site: &mut Site<'_>, order: Op, axis: usize, tangents: &[Option<ValueId>]) -> Tangents {
    let Some(t) = tangents[0] else { return Ok(vec![None]) };
    let x = site.operand(0);
    let order = site.emit(order, &[x])?;
    Ok(vec![Some(along(site, t, x, order, axis)?)])
}

/// The elements of `t` at positions along an axis; `x` is an array of its sizes.
pub(super) fn along(
    site: &mut Site<'_>,
    t: ValueId,
    x: ValueId,
    positions: ValueId,
    axis: usize,
) -> Result<ValueId, GradientError> {
    let mut operands = vec![t];
    for number in 0..site.shape(x).len() {
        operands.push(if number == axis { positions } else { counting(site, x, number)? });
    }
    let count = operands.len() - 1;
    site.emit(Op::Gather { axis: 0, count }, &operands)
}

/// 0, 1, 2, … along an axis of an array; the other axes have size 1.
pub(super) fn counting(site: &mut Site<'_>, x: ValueId, axis: usize) -> Result<ValueId, GradientError> {
    let shape = site.shape(x);
    let size = (shape[axis] == Dim::Unknown).then(|| emit::size(site.builder, x, axis));
    let places = match (shape[axis], size) {
        (Dim::Known(size), _) => site.emit(Op::Iota { dtype: DType::I64, size }, &[])?,
        (Dim::Unknown, size) => site.emit(Op::IotaTo(DType::I64), &size.into_iter().collect::<Vec<_>>())?,
    };
    let mut own = vec![Dim::Known(1); shape.len()];
    own[axis] = shape[axis];
    let operands: Vec<ValueId> = [places].into_iter().chain(size).collect();
    site.emit(Op::Reshape(own), &operands)
}

/// `x[i] = v`, `x[i] += v`
pub(super) fn written(site: &mut Site<'_>, tangents: &[Option<ValueId>]) -> Tangents {
    let mut operands = or_zeros(site, tangents, 0..1)?;
    let broadcasts = matches!(site.node.op, Op::Scatter { .. });
    operands.push(match tangents[1] {
        Some(u) => u,
        // The written value broadcasts.
        None if broadcasts => site.number(operands[0], 0.0)?,
        None => site.zeros_like(site.node.operands[1])?,
    });
    operands.extend(places(site, 2));
    Ok(vec![Some(site.emit(site.node.op.clone(), &operands)?)])
}
