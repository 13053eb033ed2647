//! Result types of ops on shapes with unknown sizes.
//!
//! ```text
//! f64[?, 1] + f64[4]     f64[?, 4]
//! f64[?] + f64[3]        f64[3]: fails when it runs, unless there are 3 or 1
//! ```

use super::{
    InferError, Inferred, InferredTensor, check_axis, check_start, exactly, only_tensor, refuse, shape_text,
};
use crate::op::WithShape;
use crate::types::{DType, Dim, Shape, TensorType, Type};

/// The size of two dimensions that must be equal; none if they cannot be.
pub(super) fn agreed(one: Dim, other: Dim) -> Option<Dim> {
    match (one, other) {
        (Dim::Unknown, known) | (known, Dim::Unknown) => Some(known),
        _ => (one == other).then_some(one),
    }
}

/// The size of two batch axes of a product. An unknown one may be 1; its one matrix is then used for all of
/// the other's.
pub(super) fn stacked(one: Dim, other: Dim) -> Option<Dim> {
    match (one, other) {
        (Dim::Unknown, Dim::Known(1)) | (Dim::Known(1), Dim::Unknown) => Some(Dim::Unknown),
        _ => agreed(one, other),
    }
}

/// Whether an array of this shape may broadcast to the target.
pub(super) fn may_broadcast(shape: &[Dim], target: &[Dim]) -> bool {
    shape.len() <= target.len()
        && shape
            .iter()
            .zip(&target[target.len() - shape.len()..])
            .all(|(size, wanted)| *size == Dim::Known(1) || agreed(*size, *wanted).is_some())
}

/// Adds the size of another array to an axis of a shape; returns whether the other axes agree.
pub(super) fn join(shape: &mut Shape, other: &[Dim], axis: usize) -> Result<bool, InferError> {
    if shape.len() != other.len() {
        return Ok(false);
    }
    for (position, (size, more)) in shape.iter_mut().zip(other).enumerate() {
        let both = match (*size, *more) {
            (Dim::Known(size), Dim::Known(more)) if position == axis => match size.checked_add(more) {
                Some(sum) => Some(Dim::Known(sum)),
                None => return refuse("concatenation of too many elements"),
            },
            _ if position == axis => Some(Dim::Unknown),
            (size, more) => agreed(size, more),
        };
        let Some(both) = both else { return Ok(false) };
        *size = both;
    }
    Ok(true)
}

/// Refuses operands unless there is one integer for each unknown size.
fn check_sizes(shape: &[Dim], numbers: &[&TensorType]) -> Result<(), InferError> {
    let unknown = shape.iter().filter(|dim| **dim == Dim::Unknown).count();
    if unknown != numbers.len() {
        return refuse(format!("{} numbers for the {unknown} unknown sizes of a shape", numbers.len()));
    }
    match numbers.iter().find(|number| ***number != TensorType::scalar(DType::I64)) {
        Some(number) => refuse(format!("a size is i64[], not {number}")),
        None => Ok(()),
    }
}

pub(super) fn infer_broadcast(shape: &Shape, operands: &[&TensorType]) -> InferredTensor {
    let Some((operand, numbers)) = operands.split_first() else { return refuse("broadcast of nothing") };
    check_sizes(shape, numbers)?;
    if !may_broadcast(&operand.shape, shape) {
        return refuse(format!(
            "shape {} cannot be broadcast to {}",
            shape_text(&operand.shape),
            shape_text(shape)
        ));
    }
    Ok(TensorType::new(operand.dtype, shape.clone()))
}

fn element_count(shape: &[Dim]) -> Option<usize> {
    shape.iter().try_fold(1_usize, |count, dim| count.checked_mul(dim.known()?))
}

pub(super) fn infer_reshape(shape: &Shape, operands: &[&TensorType]) -> InferredTensor {
    let Some((operand, numbers)) = operands.split_first() else { return refuse("reshape of nothing") };
    check_sizes(shape, numbers)?;
    let (from, to) = (element_count(&operand.shape), element_count(shape));
    let is_open = operand.has_unknown_sizes() || shape.contains(&Dim::Unknown);
    if !is_open && (from != to || from.is_none()) {
        return refuse(format!(
            "cannot reshape array of shape {} into shape {}",
            shape_text(&operand.shape),
            shape_text(shape)
        ));
    }
    Ok(TensorType::new(operand.dtype, shape.clone()))
}

pub(super) fn infer_iota_to(dtype: DType, operands: &[&TensorType]) -> InferredTensor {
    let [count] = exactly(operands)?;
    check_start(count)?;
    Ok(TensorType::new(dtype, vec![Dim::Unknown]))
}

pub(super) fn infer_size(axis: usize, operands: &[&TensorType]) -> InferredTensor {
    let [operand] = exactly(operands)?;
    check_axis(axis, operand)?;
    Ok(TensorType::scalar(DType::I64))
}

pub(super) fn infer_with_shape(wanted: &WithShape, operands: &[&TensorType]) -> InferredTensor {
    let [operand] = exactly(operands)?;
    let WithShape { shape, .. } = wanted;
    let may_be = operand.rank() == shape.len()
        && operand.shape.iter().zip(shape).all(|(size, wanted)| agreed(*size, *wanted).is_some());
    if !may_be {
        return refuse(format!("shape {} is not {}", shape_text(&operand.shape), shape_text(shape)));
    }
    Ok(TensorType::new(operand.dtype, shape.clone()))
}

pub(super) fn infer_slice_range(axis: usize, operands: &[&TensorType]) -> InferredTensor {
    let [operand, bounds @ ..] = operands else { return refuse("a slice of nothing") };
    check_axis(axis, operand)?;
    for bound in exactly::<_, 3>(bounds)? {
        check_start(bound)?;
    }
    let mut shape = operand.shape.clone();
    shape[axis] = Dim::Unknown;
    Ok(TensorType::new(operand.dtype, shape))
}

pub(super) fn infer_nonzero(operands: &[&Type]) -> Inferred {
    let [operand] = exactly(operands)?;
    let operand = only_tensor(operand)?;
    if operand.dtype != DType::Bool || operand.is_scalar() {
        return refuse(format!("the true elements of a {operand}"));
    }
    Ok(vec![Type::new(DType::I64, vec![Dim::Unknown]); operand.rank()])
}
