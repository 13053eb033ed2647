//! The conditions of ops whose results have the sizes of an operand.

use super::indexing::{check_new_block, check_new_slice, picked};
use super::products::check_factors;
use super::shapes::may_broadcast;
use super::{InferError, check_axis, nth, refuse, shape_text};
use crate::op::Condition;
use crate::types::{DType, Dim, Shape, TensorType};

/// Refuses operands that do not fulfil a condition.
pub(super) fn check_condition(condition: Condition<'_>, operands: &[&TensorType]) -> Result<(), InferError> {
    let operand = |number: usize| nth(operands, number);
    match condition {
        Condition::Nothing => Ok(()),
        Condition::HasAxis(axis) => check_axis(axis, operand(0)?),
        Condition::IsPairs => match operand(0)?.shape[..] {
            [.., Dim::Known(2), Dim::Known(1..)] => Ok(()),
            _ => refuse(format!("a Fourier transform of {}", operand(0)?)),
        },
        Condition::FitsSlice(start, step) => check_new_slice(start, step, operand(0)?, operand(1)?),
        Condition::FitsBlock(axis) => check_new_block(axis, operand(0)?, operand(1)?),
        Condition::FitsPlaces(indexed) => check_new_elements(operand(1)?, &picked(indexed, operands)?),
        Condition::FitsFactors => check_factors(operand(0)?, operand(1)?),
        Condition::FitsLines => check_lines(operand(0)?, operand(1)?),
        Condition::HasBounds(shape) => match operands {
            [_, _, low, high] if low == high && low.dtype == DType::I64 && low.shape == *shape => Ok(()),
            _ => refuse("a random draw of integers needs two bounds of its shape"),
        },
    }
}

/// Refuses stacks of lines of which one has more lines than the other.
pub(super) fn check_lines(one: &TensorType, other: &TensorType) -> Result<(), InferError> {
    let differ = || refuse(format!("lines of {one} beside lines of {other}"));
    let ([stack @ .., _], [others @ .., _]) = (&one.shape[..], &other.shape[..]) else { return differ() };
    let may_be_one = |(one, other): (&Dim, &Dim)| one == other || [one, other].contains(&&Dim::Unknown);
    if stack.len() == others.len() && stack.iter().zip(others).all(may_be_one) {
        return Ok(());
    }
    differ()
}

/// Refuses new elements that do not broadcast to what indices read.
fn check_new_elements(update: &TensorType, place: &Shape) -> Result<(), InferError> {
    if may_broadcast(&update.shape, place) {
        return Ok(());
    }
    refuse(format!(
        "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
        shape_text(&update.shape),
        shape_text(place)
    ))
}
