//! Nodes that rules and passes emit often.

use ag_ir::{
    BinaryOp, Builder, Constant, DType, Dim, InferError, ListOp, Op, Overflow, TensorType, Type, UnaryOp,
    ValueId, WithShape,
};

use crate::error::GradientError;

/// Emits a node with one result, without a location.
pub(crate) fn one(builder: &mut Builder, op: Op, operands: &[ValueId]) -> Result<ValueId, InferError> {
    let name = op.name();
    let results = builder.emit(op, operands, None)?;
    results.first().copied().ok_or_else(|| InferError(format!("{name} gives nothing")))
}

/// Emits a scalar; `number` is truncated for integers and bools.
pub(crate) fn scalar(builder: &mut Builder, dtype: DType, number: f64) -> Result<ValueId, InferError> {
    one(builder, Op::Constant(constant(dtype, number)), &[])
}

fn constant(dtype: DType, number: f64) -> Constant {
    let bytes: Vec<u8> = match dtype {
        DType::Bool => vec![u8::from(number != 0.0)],
        DType::U8 => vec![number as u8],
        DType::I32 => (number as i32).to_ne_bytes().to_vec(),
        DType::I64 => (number as i64).to_ne_bytes().to_vec(),
        DType::F32 => (number as f32).to_ne_bytes().to_vec(),
        DType::F64 => number.to_ne_bytes().to_vec(),
    };
    Constant { dtype, sizes: Vec::new(), bytes: bytes.into() }
}

/// Emits an integer for a size or an index.
pub(crate) fn integer(builder: &mut Builder, number: i64) -> ValueId {
    let constant =
        Constant { dtype: DType::I64, sizes: Vec::new(), bytes: number.to_ne_bytes().as_slice().into() };
    emit_fitting(builder, Op::Constant(constant), &[])
}

/// Integer arithmetic on sizes and indices.
pub(crate) fn arithmetic(builder: &mut Builder, op: BinaryOp, left: ValueId, right: ValueId) -> ValueId {
    emit_fitting(builder, Op::Binary(op, Overflow::Wrap), &[left, right])
}

/// The same for ops with one operand.
pub(crate) fn unary(builder: &mut Builder, op: UnaryOp, operand: ValueId) -> ValueId {
    emit_fitting(builder, Op::Unary(op, Overflow::Wrap), &[operand])
}

/// Converts a value to a type that knows more or fewer of its sizes.
pub(crate) fn with_type(builder: &mut Builder, value: ValueId, ty: &Type) -> Result<ValueId, GradientError> {
    match ty {
        Type::Tensor(tensor) if builder.function().ty(value) != ty => {
            let shape = WithShape { shape: tensor.shape.clone(), message: "".into() };
            Ok(one(builder, Op::WithShape(shape), &[value])?)
        }
        _ => Ok(value),
    }
}

/// Emits a node whose operands fit, as the caller guarantees.
fn emit_fitting(builder: &mut Builder, op: Op, operands: &[ValueId]) -> ValueId {
    let name = op.name();
    match one(builder, op, operands) {
        Ok(value) => value,
        Err(error) => unreachable!("{name} of operands that fit: {error}"),
    }
}

/// The size of an axis, an `i64[]`.
pub(crate) fn size(builder: &mut Builder, value: ValueId, axis: usize) -> ValueId {
    let known = builder.function().tensor(value).shape[axis].known();
    match known {
        Some(size) => integer(builder, i64::try_from(size).unwrap_or(i64::MAX)),
        None => emit_fitting(builder, Op::Size(axis), &[value]),
    }
}

/// The unknown sizes of a value, in order.
pub(crate) fn open_sizes(builder: &mut Builder, value: ValueId) -> Vec<ValueId> {
    let shape = builder.function().tensor(value).shape.clone();
    let open = (0..shape.len()).filter(|axis| shape[*axis] == Dim::Unknown);
    open.map(|axis| size(builder, value, axis)).collect()
}

/// An array filled with one number; `sizes` are the unknown sizes of its type.
pub(crate) fn filled(
    builder: &mut Builder,
    ty: &TensorType,
    sizes: &[ValueId],
    number: f64,
) -> Result<ValueId, GradientError> {
    let scalar = scalar(builder, ty.dtype, number)?;
    if ty.is_scalar() {
        return Ok(scalar);
    }
    let operands = [&[scalar], sizes].concat();
    Ok(one(builder, Op::Broadcast(ty.shape.clone()), &operands)?)
}

/// Zeros of the type and sizes of a value.
pub(crate) fn zeros_like(builder: &mut Builder, value: ValueId) -> Result<ValueId, GradientError> {
    match builder.function().ty(value).clone() {
        Type::Tensor(ty) => {
            let sizes = open_sizes(builder, value);
            filled(builder, &ty, &sizes, 0.0)
        }
        Type::List(_) => Ok(one(builder, Op::List(ListOp::Zeros), &[value])?),
    }
}

/// The sum of two derivatives of one value, which have the same type and sizes.
pub(crate) fn sum(builder: &mut Builder, left: ValueId, right: ValueId) -> Result<ValueId, GradientError> {
    match builder.function().ty(left).clone() {
        Type::Tensor(_) => Ok(one(builder, Op::Binary(BinaryOp::Add, Overflow::Wrap), &[left, right])?),
        Type::List(_) => sum_of_lists(builder, left, right),
    }
}

/// `[x + y for x, y in zip(left, right)]`
fn sum_of_lists(builder: &mut Builder, left: ValueId, right: ValueId) -> Result<ValueId, GradientError> {
    let ty = builder.function().ty(left).clone();
    let (start, step) = (integer(builder, 0), integer(builder, 1));
    let length = one(builder, Op::List(ListOp::Length), &[left])?;
    builder.open();
    let index = builder.param(Type::scalar(DType::I64));
    let list = builder.param(ty);
    let (x, y) = (
        one(builder, Op::List(ListOp::Get), &[list, index])?,
        one(builder, Op::List(ListOp::Get), &[right, index])?,
    );
    let both = sum(builder, x, y)?;
    let list = one(builder, Op::List(ListOp::Set), &[list, index, both])?;
    let body = builder.close(vec![list]);
    let results = builder.emit_with_regions(Op::For, &[start, length, step, left], vec![body], None)?;
    Ok(results[0])
}

/// An array filled with one number, of the type and sizes of a value.
pub(crate) fn filled_like(
    builder: &mut Builder,
    value: ValueId,
    number: f64,
) -> Result<ValueId, GradientError> {
    let ty = builder.function().tensor(value).clone();
    let sizes = open_sizes(builder, value);
    filled(builder, &ty, &sizes, number)
}
