//! Type inference: the types of a node's results from its op and the types of its operands.
//!
//! Messages name shapes as NumPy prints them, since they reach the user.

mod lists;
mod matrices;
mod sizes;

pub(crate) use self::lists::check_element;
use std::fmt;

use crate::op::{BinaryOp, DotAxes, Op, Overflow, ReduceOp, Takes, UnaryOp};
use crate::types::{DType, Dim, Shape, TensorType, Type};

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

type InferredTensor = Result<TensorType, InferError>;

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

/// The shape that shapes broadcast to, by NumPy's rule. An unknown size may be 1 or equal the others, which
/// is checked in the run.
///
/// # Errors
/// If two dimensions differ and neither is 1.
pub fn broadcast_shapes(shapes: &[&[Dim]]) -> Result<Shape, InferError> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut result = vec![Dim::Known(1); rank];
    for shape in shapes {
        let offset = rank - shape.len();
        for (position, dim) in shape.iter().enumerate() {
            let slot = &mut result[offset + position];
            if *slot == Dim::Known(1) {
                *slot = *dim;
            } else if *dim == Dim::Known(1) {
            } else if let Some(both) = sizes::agreed(*slot, *dim) {
                *slot = both;
            } else {
                let all: Vec<String> = shapes.iter().map(|shape| shape_text(shape)).collect();
                return refuse(format!(
                    "operands could not be broadcast together with shapes {}",
                    all.join(" ")
                ));
            }
        }
    }
    Ok(result)
}

/// The types of a node's results. For control flow, `regions` gives the types of each region's
/// parameters and results.
///
/// # Errors
/// If the operands do not fit the op, or no memory can hold a result.
pub fn infer(op: &Op, operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
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

/// Refuses a number of operands that the op does not take.
fn check_count(op: &Op, count: usize) -> Result<(), InferError> {
    let names = op.operand_names();
    if names.fit(count) {
        return Ok(());
    }
    let least = if names.rest.is_some() { "at least " } else { "" };
    refuse(format!("needs {least}{} operands, got {count}", names.fixed.len()))
}

fn infer_types(op: &Op, operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    check_count(op, operands.len())?;
    match op {
        Op::If => infer_if(operands, regions),
        Op::While => infer_while(operands, regions),
        Op::For => infer_for(operands, regions),
        Op::Call(call) => Ok(call.results.clone()),
        Op::Callback(callback) => {
            operands.iter().try_for_each(|operand| lists::check_can_leave(operand))?;
            callback.results.iter().try_for_each(|result| only_tensor(result).map(|_| ()))?;
            Ok(callback.results.clone())
        }
        Op::List(op) => lists::infer_list(op, operands),
        Op::Identity(_) => exactly(operands).map(|[operand]| vec![operand.clone()]),
        Op::TapePush(_) => exactly(operands).map(|[_]| vec![]),
        Op::TapePop(pop) => exactly(operands).map(|[]| vec![pop.ty.clone()]),
        Op::Scope(_) => infer_scope(op.region_count(), operands, regions),
        Op::Nonzero => sizes::infer_nonzero(operands),
        Op::Check(_) => match operands.first() {
            Some(ok) if **ok == Type::scalar(DType::Bool) => {
                operands.iter().try_for_each(|operand| lists::check_can_leave(operand)).map(|()| vec![])
            }
            _ => refuse("a check needs a scalar bool"),
        },
        Op::Keep(_) | Op::KeepEnd(_) => exactly(operands).map(|[_]| vec![]),
        Op::Print { .. } => {
            operands.iter().try_for_each(|operand| lists::check_can_leave(operand)).map(|()| vec![])
        }
        op => {
            let tensors: Vec<&TensorType> =
                operands.iter().map(|operand| only_tensor(operand)).collect::<Result<_, _>>()?;
            Ok(vec![infer_tensor(op, &tensors)?.into()])
        }
    }
}

fn only_tensor(operand: &Type) -> Result<&TensorType, InferError> {
    operand.tensor().ok_or_else(|| InferError(format!("needs an array, got a {operand}")))
}

/// The result type of an op that takes arrays and returns one.
fn infer_tensor(op: &Op, operands: &[&TensorType]) -> InferredTensor {
    match op {
        Op::Constant(constant) => Ok(TensorType::known(constant.dtype, &constant.sizes)),
        Op::Iota { dtype, size } => Ok(TensorType::known(*dtype, &[*size])),
        Op::IotaTo(dtype) => sizes::infer_iota_to(*dtype, operands),
        Op::Size(axis) => sizes::infer_size(*axis, operands),
        Op::WithShape(shape) => sizes::infer_with_shape(shape, operands),
        Op::Unary(op, overflow) => infer_unary(*op, *overflow, operands),
        Op::Binary(op, overflow) => infer_binary(*op, *overflow, operands),
        Op::Compare(_) => {
            let [left, right] = exactly(operands)?;
            same_dtype("comparison", left, right)?;
            Ok(TensorType::new(DType::Bool, broadcast_shapes(&[&left.shape, &right.shape])?))
        }
        Op::Select => infer_select(operands),
        Op::Cast(dtype) => {
            let [operand] = exactly(operands)?;
            Ok(TensorType::new(*dtype, operand.shape.clone()))
        }
        Op::Broadcast(shape) => sizes::infer_broadcast(shape, operands),
        Op::Reshape(shape) => sizes::infer_reshape(shape, operands),
        Op::Transpose(permutation) => infer_transpose(permutation, operands),
        Op::Slice { start, size, step } => infer_slice(start, size, step, operands),
        Op::SliceRange { axis } => sizes::infer_slice_range(*axis, operands),
        Op::DynamicSlice { axis, size } => infer_dynamic_slice(*axis, *size, operands),
        Op::UpdateSlice { start, step } => infer_update_slice(start, step, operands),
        Op::DynamicUpdateSlice { axis } => infer_dynamic_update_slice(*axis, operands),
        Op::Gather { axis, count } => infer_gather(*axis, *count, operands),
        Op::Scatter { axis, count } => infer_scatter(*axis, *count, operands),
        Op::ScatterAdd { axis, count } => match infer_scatter(*axis, *count, operands)? {
            result if result.dtype == DType::Bool => refuse("bool arrays are not added to"),
            result => Ok(result),
        },
        Op::Concatenate(axis) => infer_concatenate(*axis, operands),
        Op::Reduce { op, axes, keepdims } => infer_reduce(*op, axes, *keepdims, operands),
        Op::ArgReduce { op, axis } => infer_arg_reduce(*op, *axis, operands),
        Op::ArgSort(axis) => infer_arg_sort(*axis, operands),
        Op::Cumulative { op, axis } => infer_cumulative(*op, *axis, operands),
        Op::Dot(axes) => infer_dot(axes, operands),
        Op::Decompose(kind) => matrices::infer_decompose(*kind, operands),
        Op::SolveLu => matrices::infer_solve_lu(operands),
        Op::Fourier { .. } => infer_fourier(operands),
        Op::Random { draw, dtype, shape } => matrices::infer_random(*draw, *dtype, shape, operands),
        Op::If
        | Op::While
        | Op::For
        | Op::Identity(_)
        | Op::TapePush(_)
        | Op::TapePop(_)
        | Op::Scope(_)
        | Op::List(_)
        | Op::Call(_)
        | Op::Callback(_)
        | Op::Check(_)
        | Op::Nonzero
        | Op::Print { .. }
        | Op::Keep(_)
        | Op::KeepEnd(_) => refuse(format!("{} is no op of arrays", op.name())),
    }
}

fn infer_fourier(operands: &[&TensorType]) -> InferredTensor {
    let [numbers] = exactly(operands)?;
    match &numbers.shape[..] {
        [.., Dim::Known(2), Dim::Known(1..)] if numbers.dtype.is_float() => Ok((*numbers).clone()),
        _ => refuse(format!("a Fourier transform of {numbers}")),
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

fn exactly<'a, T, const N: usize>(operands: &[&'a T]) -> Result<[&'a T; N], InferError> {
    operands.try_into().or_else(|_| refuse(format!("needs {N} operands, got {}", operands.len())))
}

fn same_dtype(what: &str, left: &TensorType, right: &TensorType) -> Result<(), InferError> {
    if left.dtype == right.dtype {
        return Ok(());
    }
    refuse(format!("{what} of {} and {}", left.dtype, right.dtype))
}

fn check_overflow(overflow: Overflow, dtype: DType) -> Result<(), InferError> {
    if overflow == Overflow::Check && dtype != DType::I64 {
        return refuse(format!("checked arithmetic is for i64, not {dtype}"));
    }
    Ok(())
}

fn check_taken(op: impl fmt::Debug, takes: Takes, dtype: DType) -> Result<(), InferError> {
    if takes.holds(dtype) { Ok(()) } else { refuse(format!("{op:?} is not defined for {dtype}")) }
}

fn infer_unary(op: UnaryOp, overflow: Overflow, operands: &[&TensorType]) -> InferredTensor {
    let [operand] = exactly(operands)?;
    check_overflow(overflow, operand.dtype)?;
    check_taken(op, op.takes(), operand.dtype)?;
    Ok(TensorType::new(op.gives(operand.dtype), operand.shape.clone()))
}

fn infer_binary(op: BinaryOp, overflow: Overflow, operands: &[&TensorType]) -> InferredTensor {
    let [left, right] = exactly(operands)?;
    same_dtype(&format!("{op:?}"), left, right)?;
    check_overflow(overflow, left.dtype)?;
    check_taken(op, op.takes(), left.dtype)?;
    Ok(TensorType::new(left.dtype, broadcast_shapes(&[&left.shape, &right.shape])?))
}

fn infer_select(operands: &[&TensorType]) -> InferredTensor {
    let [test, left, right] = exactly(operands)?;
    if test.dtype != DType::Bool {
        return refuse(format!("the condition of a select is {}, not bool", test.dtype));
    }
    same_dtype("select", left, right)?;
    Ok(TensorType::new(left.dtype, broadcast_shapes(&[&test.shape, &left.shape, &right.shape])?))
}

fn infer_transpose(permutation: &[usize], operands: &[&TensorType]) -> InferredTensor {
    let [operand] = exactly(operands)?;
    let mut seen = permutation.to_vec();
    seen.sort_unstable();
    if seen != (0..operand.rank()).collect::<Vec<_>>() {
        return refuse(format!("axes {permutation:?} are not a permutation of {} axes", operand.rank()));
    }
    let shape = permutation.iter().map(|axis| operand.shape[*axis]).collect();
    Ok(TensorType::new(operand.dtype, shape))
}

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

fn check_slice(operand: &TensorType, start: &[i64], size: &[Dim], step: &[i64]) -> Result<(), InferError> {
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

fn infer_slice(start: &[i64], size: &[Dim], step: &[i64], operands: &[&TensorType]) -> InferredTensor {
    let [operand] = exactly(operands)?;
    check_slice(operand, start, size, step)?;
    Ok(TensorType::new(operand.dtype, size.to_vec()))
}

fn check_axis(axis: usize, operand: &TensorType) -> Result<(), InferError> {
    if axis < operand.rank() {
        return Ok(());
    }
    refuse(format!("axis {axis} is out of bounds for array of dimension {}", operand.rank()))
}

fn check_start(start: &TensorType) -> Result<(), InferError> {
    if *start == TensorType::scalar(DType::I64) {
        return Ok(());
    }
    refuse(format!("a start index is i64[], not {start}"))
}

fn infer_dynamic_slice(axis: usize, size: usize, operands: &[&TensorType]) -> InferredTensor {
    let [operand, start] = exactly(operands)?;
    check_axis(axis, operand)?;
    check_start(start)?;
    if let Dim::Known(extent) = operand.shape[axis]
        && size > extent
    {
        return refuse(format!("slice of {size} elements of axis {axis} with size {extent}"));
    }
    let mut shape = operand.shape.clone();
    shape[axis] = Dim::Known(size);
    Ok(TensorType::new(operand.dtype, shape))
}

fn infer_update_slice(start: &[i64], step: &[i64], operands: &[&TensorType]) -> InferredTensor {
    let [operand, update] = exactly(operands)?;
    same_dtype("slice update", operand, update)?;
    if operand.has_unknown_sizes() || update.has_unknown_sizes() {
        return refuse(format!("a slice update of {operand} by {update}, whose sizes only the run knows"));
    }
    check_slice(operand, start, &update.shape, step)?;
    Ok(operand.clone())
}

fn infer_dynamic_update_slice(axis: usize, operands: &[&TensorType]) -> InferredTensor {
    let [operand, update, start] = exactly(operands)?;
    check_axis(axis, operand)?;
    check_start(start)?;
    same_dtype("slice update", operand, update)?;
    let fits = update.rank() == operand.rank()
        && (0..operand.rank()).all(|position| match (&update.shape[position], &operand.shape[position]) {
            (Dim::Known(size), Dim::Known(extent)) if position == axis => size <= extent,
            _ if position == axis => true,
            (size, extent) => sizes::agreed(*size, *extent).is_some(),
        });
    if !fits {
        return refuse(format!(
            "a block of shape {} does not fit along axis {axis} of shape {}",
            shape_text(&update.shape),
            shape_text(&operand.shape)
        ));
    }
    Ok(operand.clone())
}

fn gathered(
    axis: usize,
    count: usize,
    operand: &TensorType,
    indices: &[&TensorType],
) -> Result<TensorType, InferError> {
    let is_inside = axis.checked_add(count).is_some_and(|end| end <= operand.rank());
    if count == 0 || indices.len() != count || !is_inside {
        return refuse(format!("too many indices: {} for axes from {axis} of {operand}", indices.len()));
    }
    if let Some(index) = indices.iter().find(|index| !index.dtype.is_integer()) {
        return refuse(format!("arrays used as indices must be of integer type, not {}", index.dtype));
    }
    let shapes: Vec<&[Dim]> = indices.iter().map(|index| index.shape.as_slice()).collect();
    let mut shape = operand.shape[..axis].to_vec();
    shape.extend(broadcast_shapes(&shapes)?);
    shape.extend_from_slice(&operand.shape[axis + count..]);
    Ok(TensorType::new(operand.dtype, shape))
}

fn infer_gather(axis: usize, count: usize, operands: &[&TensorType]) -> InferredTensor {
    let Some((operand, indices)) = operands.split_first() else { return refuse("gather of nothing") };
    gathered(axis, count, operand, indices)
}

fn infer_scatter(axis: usize, count: usize, operands: &[&TensorType]) -> InferredTensor {
    let [operand, update, indices @ ..] = operands else { return refuse("scatter of nothing") };
    let place = gathered(axis, count, operand, indices)?;
    same_dtype("scatter", operand, update)?;
    if !sizes::may_broadcast(&update.shape, &place.shape) {
        return refuse(format!(
            "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
            shape_text(&update.shape),
            shape_text(&place.shape)
        ));
    }
    Ok((*operand).clone())
}

fn infer_concatenate(axis: usize, operands: &[&TensorType]) -> InferredTensor {
    let Some((first, rest)) = operands.split_first() else {
        return refuse("need at least one array to concatenate");
    };
    check_axis(axis, first)?;
    let mut shape = first.shape.clone();
    for operand in rest {
        same_dtype("concatenate", first, operand)?;
        if !sizes::join(&mut shape, &operand.shape, axis)? {
            return refuse(format!(
                "all the input array dimensions except for the concatenation axis must match exactly, got {} and {}",
                shape_text(&first.shape),
                shape_text(&operand.shape)
            ));
        }
    }
    Ok(TensorType::new(first.dtype, shape))
}

fn infer_reduce(op: ReduceOp, axes: &[usize], keepdims: bool, operands: &[&TensorType]) -> InferredTensor {
    let [operand] = exactly(operands)?;
    check_taken(op, op.takes(), operand.dtype)?;
    let ascending = axes.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascending || axes.last().is_some_and(|axis| *axis >= operand.rank()) {
        return refuse(format!("axes {axes:?} do not fit an array of dimension {}", operand.rank()));
    }
    let mut shape = Vec::new();
    for (axis, dim) in operand.shape.iter().enumerate() {
        if !axes.contains(&axis) {
            shape.push(*dim);
        } else if keepdims {
            shape.push(Dim::Known(1));
        }
    }
    Ok(TensorType::new(operand.dtype, shape))
}

fn infer_arg_reduce(op: ReduceOp, axis: usize, operands: &[&TensorType]) -> InferredTensor {
    let [operand] = exactly(operands)?;
    check_axis(axis, operand)?;
    if !op.has_arg() {
        return refuse(format!("there is no arg-{op:?}"));
    }
    let mut shape = operand.shape.clone();
    shape.remove(axis);
    Ok(TensorType::new(DType::I64, shape))
}

fn infer_arg_sort(axis: usize, operands: &[&TensorType]) -> InferredTensor {
    let [operand] = operands else { return refuse("argsort takes one operand") };
    if axis >= operand.shape.len() {
        return refuse(format!("axis {axis} of a {operand}"));
    }
    Ok(TensorType { dtype: DType::I64, ..(*operand).clone() })
}

fn infer_cumulative(op: ReduceOp, axis: usize, operands: &[&TensorType]) -> InferredTensor {
    let [operand] = exactly(operands)?;
    check_axis(axis, operand)?;
    if !op.is_cumulative() || !op.takes().holds(operand.dtype) {
        return refuse(format!("there is no cumulative {op:?} of {}", operand.dtype));
    }
    Ok(operand.clone())
}

fn infer_dot(axes: &DotAxes, operands: &[&TensorType]) -> InferredTensor {
    let [left, right] = exactly(operands)?;
    same_dtype("product", left, right)?;
    if left.dtype == DType::Bool {
        return refuse("a product of bool arrays: cast first");
    }
    let pairs = |first: &[usize], second: &[usize]| {
        first.len() == second.len()
            && first.iter().zip(second).all(|(l, r)| {
                let (dim, other) = (left.shape.get(*l), right.shape.get(*r));
                dim.zip(other).is_some_and(|(dim, other)| sizes::agreed(*dim, *other).is_some())
            })
    };
    let stacks = axes.left_batch.len() == axes.right_batch.len()
        && axes.left_batch.iter().zip(&axes.right_batch).all(|(l, r)| {
            let (dim, other) = (left.shape.get(*l), right.shape.get(*r));
            dim.zip(other).is_some_and(|(dim, other)| sizes::stacked(*dim, *other).is_some())
        });
    if !stacks || !pairs(&axes.left_contract, &axes.right_contract) {
        return refuse(format!(
            "matmul: shapes {} and {} do not fit together",
            shape_text(&left.shape),
            shape_text(&right.shape)
        ));
    }
    let repeats = |batch: &[usize], contract: &[usize]| {
        let mut axes = [batch, contract].concat();
        axes.sort_unstable();
        axes.windows(2).any(|pair| pair[0] == pair[1])
    };
    if repeats(&axes.left_batch, &axes.left_contract) || repeats(&axes.right_batch, &axes.right_contract) {
        return refuse("matmul: an axis is named twice");
    }
    let free = |operand: &TensorType, batch: &[usize], contract: &[usize]| -> Vec<Dim> {
        let is_free = |axis: &usize| !batch.contains(axis) && !contract.contains(axis);
        (0..operand.rank()).filter(is_free).map(|axis| operand.shape[axis]).collect()
    };
    let mut shape: Shape = Shape::new();
    for (l, r) in axes.left_batch.iter().zip(&axes.right_batch) {
        shape.extend(sizes::stacked(left.shape[*l], right.shape[*r]));
    }
    shape.extend(free(left, &axes.left_batch, &axes.left_contract));
    shape.extend(free(right, &axes.right_batch, &axes.right_contract));
    Ok(TensorType::new(left.dtype, shape))
}

fn same_types(what: &str, left: &[Type], right: &[&Type]) -> Result<(), InferError> {
    if left.len() != right.len() {
        return refuse(format!("{what}: {} values against {}", left.len(), right.len()));
    }
    match left.iter().zip(right).find(|(l, r)| *l != **r) {
        Some((l, r)) => refuse(format!("{what}: {l} against {r}")),
        None => Ok(()),
    }
}

fn infer_if(operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    let [test] = exactly(operands)?;
    let [then, otherwise] = regions else { return refuse("an if has two regions") };
    if *test != Type::scalar(DType::Bool) {
        return refuse(format!("the condition of an if is bool[], not {test}"));
    }
    if !then.params.is_empty() || !otherwise.params.is_empty() {
        return refuse("the regions of an if take no parameters");
    }
    same_types("branches of an if", &then.results, &otherwise.results.iter().collect::<Vec<_>>())?;
    Ok(then.results.clone())
}

fn infer_while(operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    let [test, body] = regions else { return refuse("a while has two regions") };
    same_types("test of a while", &test.params, operands)?;
    same_types("entry of a while", &body.params, operands)?;
    same_types("iteration of a while", &body.results, operands)?;
    if test.results != [Type::scalar(DType::Bool)] {
        return refuse("the test of a while gives one bool[]");
    }
    Ok(body.results.clone())
}

fn infer_for(operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    let [start, stop, step, carries @ ..] = operands else {
        return refuse("a for takes start, stop and step");
    };
    let [body] = regions else { return refuse("a for has one region") };
    for bound in [start, stop, step] {
        check_start(only_tensor(bound)?)?;
    }
    let index = Type::scalar(DType::I64);
    let entered: Vec<&Type> = std::iter::once(&index).chain(carries.iter().copied()).collect();
    same_types("entry of a for", &body.params, &entered)?;
    same_types("iteration of a for", &body.results, carries)?;
    Ok(body.results.clone())
}

fn infer_scope(count: usize, operands: &[&Type], regions: &[RegionTypes]) -> Inferred {
    if regions.len() != count {
        return refuse(format!("a scope has {count} regions, here are {}", regions.len()));
    }
    let primal = &regions[0];
    same_types("entry of a scope", &primal.params, operands)?;
    let tangents = |types: &[Type]| types.iter().filter(|ty| ty.has_tangent()).cloned().collect::<Vec<_>>();
    if let [_, forward, backward] = regions {
        same_types("forward rule", &forward.params, operands)?;
        let Some((results, residuals)) = forward.results.split_at_checked(primal.results.len()) else {
            return refuse("a forward rule gives less than its function");
        };
        same_types("forward rule", results, &primal.results.iter().collect::<Vec<_>>())?;
        let entered = [residuals, &tangents(results)].concat();
        same_types("backward rule", &backward.params, &entered.iter().collect::<Vec<_>>())?;
        let adjoints = tangents(&primal.params);
        same_types("backward rule", &backward.results, &adjoints.iter().collect::<Vec<_>>())?;
    } else if let [_, tangent] = regions {
        let entered = [&primal.params[..], &tangents(&primal.params)].concat();
        same_types("tangent rule", &tangent.params, &entered.iter().collect::<Vec<_>>())?;
        let given = [&primal.results[..], &tangents(&primal.results)].concat();
        same_types("tangent rule", &tangent.results, &given.iter().collect::<Vec<_>>())?;
    }
    Ok(primal.results.clone())
}
