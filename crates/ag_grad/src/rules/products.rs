//! The tangent of products of matrices, and of lines with shifts of others.

use ag_ir::ValueId;

use super::Tangents;
use crate::site::Site;

/// `t y + x u`
pub(super) fn of_two(site: &mut Site<'_>, tangents: &[Option<ValueId>]) -> Tangents {
    let op = site.node.op.clone();
    let left = match tangents[0] {
        Some(t) => {
            let right = site.operand(1);
            Some(site.emit(op.clone(), &[t, right])?)
        }
        None => None,
    };
    let right = match tangents[1] {
        Some(u) => {
            let left = site.operand(0);
            Some(site.emit(op, &[left, u])?)
        }
        None => None,
    };
    Ok(vec![site.sum_of([left, right])?])
}
