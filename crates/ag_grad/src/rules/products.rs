//! The tangent of products of matrices.

use ag_ir::{DotAxes, Op, ValueId};

use super::Tangents;
use crate::site::Site;

/// `t y + x u`
pub(super) fn dot(site: &mut Site<'_>, axes: &DotAxes, tangents: &[Option<ValueId>]) -> Tangents {
    let left = match tangents[0] {
        Some(t) => {
            let right = site.operand(1);
            Some(site.emit(Op::Dot(axes.clone()), &[t, right])?)
        }
        None => None,
    };
    let right = match tangents[1] {
        Some(u) => {
            let left = site.operand(0);
            Some(site.emit(Op::Dot(axes.clone()), &[left, u])?)
        }
        None => None,
    };
    Ok(vec![site.sum_of([left, right])?])
}
