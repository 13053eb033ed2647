//! Tangents of reading and writing parts of arrays: the same op on the tangents, at the same indices.

use ag_ir::{DType, Dim, Op, ValueId};

use super::Tangents;
use super::shaping::or_zeros;
use crate::emit;
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
    let shape = site.shape(x);
    let mut operands = vec![t];
    for (number, dim) in shape.iter().enumerate() {
        if number == axis {
            operands.push(order);
            continue;
        }
        let places = match dim {
            Dim::Known(size) => site.emit(Op::Iota { dtype: DType::I64, size: *size }, &[])?,
            Dim::Unknown => {
                let size = emit::size(site.builder, x, number);
                site.emit(Op::IotaTo(DType::I64), &[size])?
            }
        };
        // Along its own axis.
        let mut own = vec![Dim::Known(1); shape.len()];
        own[number] = *dim;
        let size = (*dim == Dim::Unknown).then(|| emit::size(site.builder, x, number));
        let operand: Vec<ValueId> = [places].into_iter().chain(size).collect();
        operands.push(site.emit(Op::Reshape(own), &operand)?);
    }
    Ok(vec![Some(site.emit(Op::Gather { axis: 0, count: shape.len() }, &operands)?)])
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
