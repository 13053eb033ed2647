//! Type inference: the types of a node's results from its op and the types of its operands.
//!
//! What an op takes is in `op/forms.rs`, what it returns in `op/results.rs`; here is what those rules mean.
//! Messages name shapes as NumPy prints them, since they reach the user.

mod conditions;
mod indexing;
mod operands;
mod products;
mod regions;
mod shapes;

use std::fmt;

use self::conditions::check_condition;
pub(crate) use self::operands::check_element;
use self::operands::{check_operands, only_tensor};
use self::regions::{infer_for, infer_if, infer_scope, infer_while};
pub use self::shapes::broadcast_shapes;
use self::shapes::infer_shape;
use crate::op::{DTypeRule, Op, ResultRule, ValueRule};
use crate::random::Draw;
use crate::types::{DType, Dim, TensorType, Type};

/// The reason why operands do not fit an op; one line, in terms of shapes and dtypes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferError(pub String);

impl fmt::Display for InferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InferError {}

/// The result of inference: the result types, or the reason why there are none.
pub type Inferred = Result<Vec<Type>, InferError>;

fn refuse<T>(message: impl Into<String>) -> Result<T, InferError> {
    Err(InferError(message.into()))
}

/// A shape as NumPy prints it: `(2, 3)`, `(4,)`, `()`.
#[must_use]
pub fn shape_text(shape: &[Dim]) -> String {
    let dims: Vec<String> = shape.iter().map(ToString::to_string).collect();
    match dims.as_slice() {
        [only] => format!("({only},)"),
        _ => format!("({})", dims.join(", ")),
    }
}

/// The types of a region's parameters and results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionTypes {
    /// Types of its parameters.
    pub params: Vec<Type>,
    /// Types of its results.
    pub results: Vec<Type>,
}

/// The types of a node's results. For control flow, `regions` gives the types of each region's
/// parameters and results.
///
/// # Errors
/// If the operands do not fit the op, or no memory can hold a result.
pub fn infer(op: &Op, operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    check_operands(op, operands)?;
    let types = infer_types(op, operands, regions)?;
    types.iter().try_for_each(check_memory)?;
    Ok(types)
}

/// NumPy's words for an array that no memory can hold.
pub(crate) const TOO_BIG: &str =
    "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.";

/// Refuses a type whose values no memory can hold, so that products of the sizes of all others do not
/// overflow.
pub(crate) fn check_memory(ty: &Type) -> Result<(), InferError> {
    match ty {
        Type::Tensor(tensor) if !tensor.fits_memory() => refuse(TOO_BIG),
        Type::Tensor(_) => Ok(()),
        Type::List(element) => check_memory(element),
    }
}

/// The types that the rule of an op says, for operands of the kinds that it takes.
fn infer_types(op: &Op, operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    let one = |ty: Type| Ok(vec![ty]);
    match op.results() {
        ResultRule::Array(dtype, sizes) => {
            let tensors: Vec<&TensorType> =
                operands.iter().map(|operand| only_tensor(operand)).collect::<Result<_, _>>()?;
            let shape = infer_shape(sizes, &tensors)?;
            one(Type::new(infer_dtype(dtype, &tensors)?, shape))
        }
        ResultRule::Size(axis) => {
            check_axis(axis, only_tensor(nth(operands, 0)?)?)?;
            one(Type::scalar(DType::I64))
        }
        ResultRule::Length => one(Type::scalar(DType::I64)),
        ResultRule::Positions => {
            let operand = only_tensor(nth(operands, 0)?)?;
            if operand.is_scalar() {
                return refuse(format!("the true elements of a {operand}"));
            }
            Ok(vec![Type::new(DType::I64, vec![Dim::Unknown]); operand.rank()])
        }
        ResultRule::Values(rules) => rules.iter().map(|rule| infer_value(*rule, operands)).collect(),
        ResultRule::Types(types) => Ok(types.to_vec()),
        ResultRule::ListOf(element) => {
            check_element(element)?;
            operands.iter().try_for_each(|value| operands::check_value(element, value))?;
            one(Type::list_of(element.clone()))
        }
        ResultRule::ListOfRows => {
            let array = only_tensor(nth(operands, 0)?)?;
            let [_, rest @ ..] = &array.shape[..] else { return refuse("iteration over a 0-d array") };
            let row = Type::new(array.dtype, rest.to_vec());
            check_element(&row)?;
            one(Type::list_of(row))
        }
        ResultRule::Stack(size) => {
            let list = nth(operands, 0)?;
            let Some(row) = list.element().and_then(Type::tensor) else {
                return refuse(format!("a {list} does not become one array"));
            };
            let rows = size.map_or(Dim::Unknown, Dim::Known);
            one(Type::new(row.dtype, std::iter::once(rows).chain(row.shape.iter().copied()).collect()))
        }
        ResultRule::If => infer_if(regions),
        ResultRule::While => infer_while(operands, regions),
        ResultRule::For => infer_for(operands, regions),
        ResultRule::Scope => infer_scope(op, operands, regions),
    }
}

/// The operand of a number that the rule of an op speaks of.
fn nth<'a, T>(operands: &[&'a T], number: usize) -> Result<&'a T, InferError> {
    operands.get(number).copied().ok_or_else(|| InferError(format!("needs {} operands", number + 1)))
}

fn infer_value(rule: ValueRule, operands: &[&Type]) -> Result<Type, InferError> {
    let first = || nth(operands, 0);
    let ty = match rule {
        ValueRule::First => return first().cloned(),
        ValueRule::Element => first()?.element(),
        ValueRule::InnerElement => first()?.element().and_then(Type::element),
        ValueRule::Integer => return Ok(Type::scalar(DType::I64)),
        ValueRule::Bytes => return Ok(Type::bytes().clone()),
    };
    ty.cloned().ok_or_else(|| InferError(format!("a {} has no such values", operands[0])))
}

fn infer_dtype(rule: DTypeRule, operands: &[&TensorType]) -> Result<DType, InferError> {
    match rule {
        DTypeRule::Is(dtype) => Ok(dtype),
        DTypeRule::Same(number) => Ok(nth(operands, number)?.dtype),
        DTypeRule::Drawn(draw, dtype) => match draw {
            Draw::Integers if dtype == DType::I64 => Ok(dtype),
            Draw::Uniform | Draw::Normal | Draw::Exponential if dtype.is_float() => Ok(dtype),
            Draw::Integers | Draw::Uniform | Draw::Normal | Draw::Exponential => {
                refuse(format!("there is no {} of {dtype}", draw.name()))
            }
        },
    }
}

fn check_axis(axis: usize, operand: &TensorType) -> Result<(), InferError> {
    if axis < operand.rank() {
        return Ok(());
    }
    refuse(format!("axis {axis} is out of bounds for array of dimension {}", operand.rank()))
}
