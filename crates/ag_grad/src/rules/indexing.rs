//! Tangents of reading and writing parts of arrays: the same op on the tangents, at the same indices.

use ag_ir::{Op, ValueId};

use super::Tangents;
use super::shaping::or_zeros;
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
