//! Tangents of list ops: the same op on lists of tangents, which have the same lengths.

use ag_ir::{ListOp, Op, ValueId};

use super::Tangents;
use super::shaping::or_zeros;
use crate::error::GradientError;
use crate::site::Site;

pub(super) fn tangent(site: &mut Site<'_>, op: &ListOp, tangents: &[Option<ValueId>]) -> Tangents {
    // Indices have no tangents.
    let operands: Vec<ValueId> = (0..tangents.len())
        .map(|number| match tangents[number] {
            None if !site.operand_type(number).has_tangent() => Ok(site.operand(number)),
            _ => Ok(or_zeros(site, tangents, number..number + 1)?[0]),
        })
        .collect::<Result<_, GradientError>>()?;
    let location = site.location();
    let results = site.builder.emit(Op::List(op.clone()), &operands, location)?;
    Ok(results.into_iter().map(Some).collect())
}
