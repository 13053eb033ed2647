//! Whether operands are of the kinds that an op takes.

use super::{InferError, refuse};
use crate::op::{Op, OperandKind, Takes};
use crate::types::{DType, TensorType, Type};

/// Refuses operands of other kinds, or another number of them.
pub(super) fn check_operands(op: &Op, operands: &[&Type]) -> Result<(), InferError> {
    let names = op.operand_names();
    if !names.fit(operands.len()) {
        let least = if names.rest.is_some() { "at least " } else { "" };
        return refuse(format!("needs {least}{} operands, got {}", names.fixed.len(), operands.len()));
    }
    (0..operands.len()).try_for_each(|number| check_operand(op, operands, number))
}

fn check_operand(op: &Op, operands: &[&Type], number: usize) -> Result<(), InferError> {
    let operand = operands[number];
    match op.operand_kind(number) {
        OperandKind::Any => Ok(()),
        OperandKind::Array => only_tensor(operand).map(|_| ()),
        OperandKind::Of(takes) => check_taken(op, number, takes, only_tensor(operand)?.dtype),
        OperandKind::Checked(takes) => match only_tensor(operand)?.dtype {
            dtype @ DType::I64 => check_taken(op, number, takes, dtype),
            dtype => refuse(format!("checked arithmetic is for i64, not {dtype}")),
        },
        OperandKind::Same(other) => {
            let (own, other) = (only_tensor(operand)?.dtype, only_tensor(operands[other])?.dtype);
            if own == other { Ok(()) } else { refuse(format!("{} of {other} and {own}", op.name())) }
        }
        OperandKind::Integer => check_index(only_tensor(operand)?),
        OperandKind::Truth if *operand == Type::scalar(DType::Bool) => Ok(()),
        OperandKind::Truth => refuse(format!("the condition is bool[], not {operand}")),
        OperandKind::Bytes if operand == Type::bytes() => Ok(()),
        OperandKind::Bytes => refuse(format!("saved values are {}, not {operand}", Type::bytes())),
        OperandKind::First if operand == operands[0] => Ok(()),
        OperandKind::First => refuse(format!("a {} and a {operand}", operands[0])),
        OperandKind::List => element_of(operand).map(|_| ()),
        OperandKind::ListOfLists => inner_element_of(operand).map(|_| ()),
        OperandKind::Element => check_value(element_of(operands[0])?, operand),
        OperandKind::InnerElement => check_value(inner_element_of(operands[0])?, operand),
        OperandKind::Shown => check_shown(operand),
    }
}

pub(super) fn only_tensor(operand: &Type) -> Result<&TensorType, InferError> {
    operand.tensor().ok_or_else(|| InferError(format!("needs an array, got a {operand}")))
}

fn check_taken(op: &Op, number: usize, takes: Takes, dtype: DType) -> Result<(), InferError> {
    if takes.holds(dtype) {
        return Ok(());
    }
    let name = op.operand_names().name(number).unwrap_or_default();
    refuse(format!("{} takes no {dtype} as `{name}`", op.name()))
}

fn check_index(index: &TensorType) -> Result<(), InferError> {
    if index.dtype == DType::I64 && index.is_scalar() {
        return Ok(());
    }
    refuse(format!("a start index is i64[], not {index}"))
}

/// The type of the values in a list.
fn element_of(list: &Type) -> Result<&Type, InferError> {
    list.element().ok_or_else(|| InferError(format!("needs a list, got a {list}")))
}

/// The type of the values in the lists in a list.
fn inner_element_of(list: &Type) -> Result<&Type, InferError> {
    let inner = element_of(list)?.element();
    inner.ok_or_else(|| InferError(format!("needs a list of lists, got a {list}")))
}

/// Refuses a value that is not of the element type of a list.
pub(super) fn check_value(element: &Type, value: &Type) -> Result<(), InferError> {
    if element == value {
        return Ok(());
    }
    refuse(format!("a {value} in a list of {element}"))
}

/// Refuses a value that cannot be passed to the host, in a `print` or an error: there it must be one array.
fn check_shown(operand: &Type) -> Result<(), InferError> {
    match operand.stacked(0) {
        Some(_) => Ok(()),
        None => refuse(format!("a {operand} has no form outside of a graph")),
    }
}

/// Refuses an element type whose values differ in size.
pub(crate) fn check_element(element: &Type) -> Result<(), InferError> {
    match element {
        Type::List(inner) => check_element(inner),
        Type::Tensor(tensor) if tensor.has_unknown_sizes() => {
            refuse(format!("a list of {element}, whose sizes only the run knows"))
        }
        Type::Tensor(_) => Ok(()),
    }
}
