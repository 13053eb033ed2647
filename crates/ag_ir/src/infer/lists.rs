//! Result types of list ops.

use super::{InferError, Inferred, check_start, exactly, only_tensor, refuse};
use crate::op::ListOp;
use crate::types::{DType, Dim, TensorType, Type};

pub(super) fn infer_list(op: &ListOp, operands: &[&Type]) -> Inferred {
    match op {
        ListOp::Make(element) => {
            check_element(element)?;
            for operand in operands {
                check_value(element, operand)?;
            }
            return Ok(vec![Type::list_of(element.clone())]);
        }
        ListOp::Unstack => {
            let [array] = exactly(operands)?;
            let row = row(only_tensor(array)?)?.into();
            check_element(&row)?;
            return Ok(vec![Type::list_of(row)]);
        }
        _ => {}
    }
    let Some((list, rest)) = operands.split_first() else { return refuse("needs a list") };
    let Some(element) = list.element() else { return refuse(format!("needs a list, got a {list}")) };
    let same = || vec![(*list).clone()];
    Ok(match op {
        ListOp::Append => {
            let [value] = exactly(rest)?;
            check_value(element, value)?;
            same()
        }
        ListOp::Pop => {
            let [] = exactly(rest)?;
            vec![(*list).clone(), element.clone()]
        }
        ListOp::Get => {
            check_indices::<1>(rest)?;
            vec![element.clone()]
        }
        ListOp::Set | ListOp::Insert => {
            let [index, value] = exactly(rest)?;
            check_indices::<1>(&[index])?;
            check_value(element, value)?;
            same()
        }
        ListOp::Delete => {
            check_indices::<1>(rest)?;
            same()
        }
        ListOp::Concatenate => {
            let [other] = exactly(rest)?;
            if *other != **list {
                return refuse(format!("a {list} and a {other}"));
            }
            same()
        }
        ListOp::Slice => {
            check_indices::<3>(rest)?;
            same()
        }
        ListOp::Reverse | ListOp::Zeros => {
            let [] = exactly(rest)?;
            same()
        }
        ListOp::Length => {
            let [] = exactly(rest)?;
            vec![Type::scalar(DType::I64)]
        }
        ListOp::Stack { size } => {
            let [] = exactly(rest)?;
            let rows = size.map_or(Dim::Unknown, Dim::Known);
            match element.tensor() {
                Some(tensor) => {
                    let shape = std::iter::once(rows).chain(tensor.shape.iter().copied()).collect();
                    vec![Type::new(tensor.dtype, shape)]
                }
                None => return refuse(format!("a {list} does not become one array")),
            }
        }
        ListOp::GetIn => {
            check_indices::<2>(rest)?;
            vec![inner(list, element)?.clone()]
        }
        ListOp::SetIn => {
            let [index, place, value] = exactly(rest)?;
            check_indices::<2>(&[index, place])?;
            check_value(inner(list, element)?, value)?;
            same()
        }
        ListOp::AppendIn => {
            let [index, value] = exactly(rest)?;
            check_indices::<1>(&[index])?;
            check_value(inner(list, element)?, value)?;
            same()
        }
        ListOp::PopIn => {
            check_indices::<1>(rest)?;
            vec![(*list).clone(), inner(list, element)?.clone()]
        }
        ListOp::LengthIn => {
            check_indices::<1>(rest)?;
            inner(list, element)?;
            vec![Type::scalar(DType::I64)]
        }
        ListOp::Flatten => {
            let [] = exactly(rest)?;
            inner(list, element)?;
            vec![element.clone()]
        }
        ListOp::Make(_) | ListOp::Unstack => Vec::new(),
    })
}

/// The element type of the inner lists of a list of lists.
fn inner<'a>(list: &Type, element: &'a Type) -> Result<&'a Type, InferError> {
    element.element().ok_or_else(|| InferError(format!("needs a list of lists, got a {list}")))
}

/// Refuses a value that cannot be passed to the host, in a `print` or an error: there it must be one array.
pub(super) fn check_can_leave(operand: &Type) -> Result<(), InferError> {
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

fn check_value(element: &Type, value: &Type) -> Result<(), InferError> {
    if element == value {
        return Ok(());
    }
    refuse(format!("a {value} in a list of {element}"))
}

fn check_indices<const N: usize>(operands: &[&Type]) -> Result<(), InferError> {
    let indices: [&Type; N] = exactly(operands)?;
    for index in indices {
        check_start(only_tensor(index)?)?;
    }
    Ok(())
}

/// The type of the sub-array at one index of the first axis.
fn row(array: &TensorType) -> Result<TensorType, InferError> {
    match &array.shape[..] {
        [_, rest @ ..] => Ok(TensorType::new(array.dtype, rest.to_vec())),
        [] => refuse("iteration over a 0-d array"),
    }
}
