//! Parts of arrays: whether slices, blocks and indices fit an array.

use super::shapes::agreed;
use super::{InferError, broadcast_shapes, check_axis, refuse, shape_text};
use crate::op::Indexed;
use crate::types::{Dim, Shape, TensorType};

/// Whether `size` elements from `start` on by `step` lie within an axis of this dimension.
fn slice_fits(dim: Dim, start: i64, size: Dim, step: i64) -> bool {
    let (Dim::Known(extent), Dim::Known(size)) = (dim, size) else {
        // Only the whole of an unknown axis is sure to be there.
        return size == Dim::Known(0) || (dim == size && start == 0 && step == 1);
    };
    if size == 0 {
        return true;
    }
    let (Ok(extent), Ok(size)) = (i64::try_from(extent), i64::try_from(size)) else { return false };
    let last = step.checked_mul(size - 1).and_then(|distance| start.checked_add(distance));
    let in_range = |index: i64| (0..extent).contains(&index);
    step != 0 && in_range(start) && last.is_some_and(in_range)
}

pub(super) fn check_slice(
    operand: &TensorType,
    start: &[i64],
    size: &[Dim],
    step: &[i64],
) -> Result<(), InferError> {
    let rank = operand.rank();
    if start.len() != rank || size.len() != rank || step.len() != rank {
        return refuse(format!("a slice of {} axes needs as many starts, sizes and steps", rank));
    }
    for axis in 0..rank {
        if !slice_fits(operand.shape[axis], start[axis], size[axis], step[axis]) {
            return refuse(format!(
                "slice of {} elements from {} by {} is out of bounds for axis {axis} with size {}",
                size[axis], start[axis], step[axis], operand.shape[axis]
            ));
        }
    }
    Ok(())
}

/// Refuses a block of so many elements of an axis that has fewer.
pub(super) fn check_block(axis: usize, size: usize, operand: &TensorType) -> Result<(), InferError> {
    check_axis(axis, operand)?;
    match operand.shape[axis] {
        Dim::Known(extent) if size > extent => {
            refuse(format!("slice of {size} elements of axis {axis} with size {extent}"))
        }
        Dim::Known(_) | Dim::Unknown => Ok(()),
    }
}

/// Refuses a new block that is longer than an array along an axis, or not as long along the others.
pub(super) fn check_new_block(
    axis: usize,
    operand: &TensorType,
    update: &TensorType,
) -> Result<(), InferError> {
    check_axis(axis, operand)?;
    let fits = update.rank() == operand.rank()
        && (0..operand.rank()).all(|position| match (update.shape[position], operand.shape[position]) {
            (Dim::Known(size), Dim::Known(extent)) if position == axis => size <= extent,
            _ if position == axis => true,
            (size, extent) => agreed(size, extent).is_some(),
        });
    if fits {
        return Ok(());
    }
    refuse(format!(
        "a block of shape {} does not fit along axis {axis} of shape {}",
        shape_text(&update.shape),
        shape_text(&operand.shape)
    ))
}

/// Refuses a new slice of another shape.
pub(super) fn check_new_slice(
    start: &[i64],
    step: &[i64],
    operand: &TensorType,
    update: &TensorType,
) -> Result<(), InferError> {
    if operand.has_unknown_sizes() || update.has_unknown_sizes() {
        return refuse(format!("a slice update of {operand} by {update}, whose sizes only the run knows"));
    }
    check_slice(operand, start, &update.shape, step)
}

/// Refuses indices for more axes than an array has.
pub(super) fn check_indices(indexed: Indexed, operands: &[&TensorType]) -> Result<(), InferError> {
    let Indexed { axis, count, first } = indexed;
    let (operand, indices) = (operands[0], operands.len().saturating_sub(first));
    let is_inside = axis.checked_add(count).is_some_and(|end| end <= operand.rank());
    if count > 0 && indices == count && is_inside {
        return Ok(());
    }
    refuse(format!("too many indices: {indices} for axes from {axis} of {operand}"))
}

/// The shape of the elements that indices read.
pub(super) fn picked(indexed: Indexed, operands: &[&TensorType]) -> Result<Shape, InferError> {
    check_indices(indexed, operands)?;
    let Indexed { axis, count, first } = indexed;
    let shapes: Vec<&[Dim]> = operands[first..].iter().map(|index| index.shape.as_slice()).collect();
    let around = &operands[0].shape;
    Ok([&around[..axis], &broadcast_shapes(&shapes)?, &around[axis + count..]].concat())
}
