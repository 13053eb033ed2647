//! Sizes in a run: those of an op's result, and whether the operands' sizes fit.
//!
//! ```text
//! add of (3,) and (4,)       ValueError: operands could not be broadcast together with shapes (3,) (4,)
//! reshape of (6,) to (2, -1) (2, 3)
//! ```
//!
//! Known sizes were checked by type inference. Unknown ones are checked here by NumPy's rules, with NumPy's
//! messages; the interpreter and the engine both call this module.

use crate::infer::TOO_BIG;
use crate::linear_algebra::Decomposition;
use crate::op::{DotAxes, Op, ReduceOp, SizeRule};
use crate::random::Draw;
use crate::run::Failure;
use crate::types::{DType, Dim, has_room};

type Sizes = Result<Vec<usize>, Failure>;

/// A failure with NumPy's message.
fn failure(error: &str, message: String) -> Failure {
    Failure::Check { error: error.into(), message: message.into(), site: None, values: Vec::new() }
}

fn value_error<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(failure("ValueError", message.into()))
}

/// Sizes as NumPy writes them in a message: `(3,)`, `(2,4)`.
fn text(sizes: &[usize]) -> String {
    let numbers: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    tuple(&numbers)
}

fn tuple(items: &[String]) -> String {
    match items {
        [only] => format!("({only},)"),
        _ => format!("({})", items.join(",")),
    }
}

/// The sizes of the array that an op returns, from those of the operands. `number` reads an operand that is
/// an `i64[]`. The op may still fail on elements, for example on an index out of range.
///
/// # Errors
/// If the sizes do not fit, with NumPy's message.
pub fn sizes_of_result(op: &Op, operands: &[&[usize]], number: &dyn Fn(usize) -> i64) -> Sizes {
    let sizes = unbounded(op, operands, number)?;
    // For the largest element type, so that no op on an array of these sizes overflows when it counts bytes.
    if has_room(DType::F64, sizes.iter().copied()) { Ok(sizes) } else { value_error(TOO_BIG) }
}

fn unbounded(op: &Op, operands: &[&[usize]], number: &dyn Fn(usize) -> i64) -> Sizes {
    Ok(match op {
        Op::Constant(constant) => constant.sizes.clone(),
        Op::Random { draw, shape, .. } => return drawn(*draw, shape, operands, number),
        Op::Iota { size, .. } => vec![*size],
        Op::IotaTo(_) => vec![usize::try_from(number(0)).unwrap_or(0)],
        Op::Size(_) => Vec::new(),
        Op::WithShape(wanted) => return with_shape(operands[0], &wanted.shape, &wanted.message),
        Op::Broadcast(shape) => return broadcast_to(operands[0], shape, number),
        Op::Reshape(shape) => return reshape(operands[0], shape, number),
        Op::Transpose(permutation) => permutation.iter().map(|axis| operands[0][*axis]).collect(),
        Op::Slice { size, .. } => filled(size, operands[0]),
        Op::SliceRange { axis } => return slice_range(operands[0], *axis, [number(1), number(2), number(3)]),
        Op::DynamicSlice { axis, size } => with_axis(operands[0], *axis, *size),
        Op::DynamicUpdateSlice { axis } => return updated(operands[0], operands[1], *axis),
        Op::Gather { axis, count } => return gathered(operands[0], *axis, *count, &operands[1..]),
        Op::Scatter { axis, count } | Op::ScatterAdd { axis, count } => {
            let place = gathered(operands[0], *axis, *count, &operands[2..])?;
            if !broadcasts(operands[1], &place) {
                return value_error(format!(
                    "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
                    text(operands[1]),
                    text(&place)
                ));
            }
            operands[0].to_vec()
        }
        Op::Concatenate(axis) => return concatenated(*axis, operands),
        Op::Reduce { op, axes, keepdims } => return reduced(*op, axes, *keepdims, operands[0]),
        Op::ArgReduce { op, axis } => return arg_reduced(*op, *axis, operands[0]),
        Op::Dot(axes) => return product(axes, operands[0], operands[1]),
        Op::Decompose(kind) => match operands[0] {
            [.., m, n] if kind.is_of_square() && m != n => {
                return value_error("Last 2 dimensions of the array must be square");
            }
            [stack @ .., m, n] => [stack, &[kind.length(*m, *n)]].concat(),
            other => other.to_vec(),
        },
        Op::SolveLu => return solved(operands[0], operands[1]),
        op => match op.size_rule() {
            SizeRule::Operand(number) => operands[number].to_vec(),
            SizeRule::Broadcast => return broadcast(operands),
            SizeRule::Numbers(_) | SizeRule::Own => {
                unreachable!("{} gives no array, or says its sizes above", op.name())
            }
        },
    })
}

/// The sizes that arrays broadcast to.
///
/// # Errors
/// If they do not broadcast, with NumPy's message.
pub fn broadcast(operands: &[&[usize]]) -> Sizes {
    common(operands).ok_or_else(|| {
        failure(
            "ValueError",
            format!("operands could not be broadcast together with shapes {}", listed(operands)),
        )
    })
}

/// Shapes one after the other, each followed by a blank.
fn listed(operands: &[&[usize]]) -> String {
    operands.iter().map(|sizes| text(sizes) + " ").collect()
}

fn common(operands: &[&[usize]]) -> Option<Vec<usize>> {
    let rank = operands.iter().map(|sizes| sizes.len()).max().unwrap_or(0);
    let mut result = vec![1; rank];
    for sizes in operands {
        for (slot, size) in result[rank - sizes.len()..].iter_mut().zip(*sizes) {
            if *slot == 1 {
                *slot = *size;
            } else if *size != 1 && size != slot {
                return None;
            }
        }
    }
    Some(result)
}

/// Whether an array of these sizes broadcasts to the target.
fn broadcasts(sizes: &[usize], target: &[usize]) -> bool {
    common(&[sizes, target]).as_deref() == Some(target)
}

/// A shape whose unknown sizes are read from the integer operands from `operand` on.
fn numbered(shape: &[Dim], mut operand: usize, number: &dyn Fn(usize) -> i64) -> Vec<i64> {
    let mut next = || {
        operand += 1;
        number(operand - 1)
    };
    shape
        .iter()
        .map(|dim| dim.known().map_or_else(&mut next, |size| i64::try_from(size).unwrap_or(i64::MAX)))
        .collect()
}

/// A shape with the sizes of an array in place of its unknown ones.
fn filled(shape: &[Dim], sizes: &[usize]) -> Vec<usize> {
    shape.iter().zip(sizes).map(|(dim, size)| dim.known().unwrap_or(*size)).collect()
}

/// As [`numbered`], but refuses negative sizes.
fn natural(shape: &[Dim], operand: usize, number: &dyn Fn(usize) -> i64) -> Sizes {
    let sizes: Result<_, _> = numbered(shape, operand, number).into_iter().map(usize::try_from).collect();
    sizes.or_else(|_| value_error("negative dimensions are not allowed"))
}

/// The sizes of a random draw; for integers, those of the bounds.
fn drawn(draw: Draw, shape: &[Dim], operands: &[&[usize]], number: &dyn Fn(usize) -> i64) -> Sizes {
    match operands {
        [_, _, low, high] if draw == Draw::Integers => {
            if low == high {
                return Ok(low.to_vec());
            }
            value_error(format!("bounds of integers have the shapes {}", listed(&[low, high])))
        }
        _ => natural(shape, 2, number),
    }
}

fn broadcast_to(sizes: &[usize], shape: &[Dim], number: &dyn Fn(usize) -> i64) -> Sizes {
    let wanted = natural(shape, 1, number)?;
    if broadcasts(sizes, &wanted) {
        return Ok(wanted);
    }
    value_error(format!(
        "operands could not be broadcast together with remapped shapes [original->remapped]: {}  and \
         requested shape {}",
        text(sizes),
        text(&wanted)
    ))
}

fn reshape(sizes: &[usize], shape: &[Dim], number: &dyn Fn(usize) -> i64) -> Sizes {
    let count: usize = sizes.iter().product();
    let wanted = numbered(shape, 1, number);
    let open = wanted.iter().filter(|size| **size < 0).count();
    if open > 1 {
        return value_error("can only specify one unknown dimension");
    }
    let others = wanted
        .iter()
        .filter(|size| **size >= 0)
        .try_fold(1_usize, |product, size| product.checked_mul(usize::try_from(*size).ok()?));
    let left = match others {
        Some(others) if open == 0 && others == count => Some(1),
        Some(others) if open == 1 && others > 0 && count.is_multiple_of(others) => Some(count / others),
        _ => None,
    };
    let Some(left) = left else {
        return value_error(format!(
            "cannot reshape array of size {count} into shape {}",
            wanted_text(&wanted)
        ));
    };
    Ok(wanted.into_iter().map(|size| usize::try_from(size).unwrap_or(left)).collect())
}

/// A shape that NumPy could not make: an open dimension is `newaxis`, or left out where it is the first.
fn wanted_text(wanted: &[i64]) -> String {
    let word = |size: &i64| if *size < 0 { "newaxis".to_owned() } else { size.to_string() };
    let rest = wanted.iter().position(|size| *size >= 0).map_or(&[][..], |first| &wanted[first..]);
    let items: Vec<String> = rest.iter().map(word).collect();
    if rest.len() < wanted.len() { format!("({})", items.join(",")) } else { tuple(&items) }
}

fn with_shape(sizes: &[usize], shape: &[Dim], message: &str) -> Sizes {
    let holds = shape.iter().zip(sizes).all(|(dim, size)| dim.known().is_none_or(|known| known == *size));
    if holds { Ok(sizes.to_vec()) } else { value_error(message) }
}

fn with_axis(sizes: &[usize], axis: usize, size: usize) -> Vec<usize> {
    let mut sizes = sizes.to_vec();
    sizes[axis] = size;
    sizes
}

/// The elements at `range(start, stop, step)`, all of which are there.
fn slice_range(sizes: &[usize], axis: usize, [start, stop, step]: [i64; 3]) -> Sizes {
    if step == 0 {
        return value_error("slice step cannot be zero");
    }
    let distance = if step > 0 { stop.saturating_sub(start) } else { start.saturating_sub(stop) };
    if distance <= 0 {
        return Ok(with_axis(sizes, axis, 0));
    }
    let count = (distance as u64).div_ceil(step.unsigned_abs());
    let last = i128::from(start) + i128::from(step) * (i128::from(count) - 1);
    let extent = i128::try_from(sizes[axis]).unwrap_or(i128::MAX);
    for index in [i128::from(start), last] {
        if !(0..extent).contains(&index) {
            let index = i64::try_from(index).unwrap_or(i64::MAX);
            return Err(Failure::Index { index, axis, size: sizes[axis] });
        }
    }
    Ok(with_axis(sizes, axis, usize::try_from(count).unwrap_or(usize::MAX)))
}

/// The sizes of an array of which a block is replaced, which may be smaller along one axis.
fn updated(sizes: &[usize], block: &[usize], axis: usize) -> Sizes {
    let place = with_axis(sizes, axis, block[axis]);
    if place == block {
        return Ok(sizes.to_vec());
    }
    let (block, place) = (text(block), text(&place));
    value_error(format!("could not broadcast input array from shape {block} into shape {place}"))
}

fn gathered(sizes: &[usize], axis: usize, count: usize, indices: &[&[usize]]) -> Sizes {
    let Some(shape) = common(indices) else {
        return Err(failure(
            "IndexError",
            format!(
                "shape mismatch: indexing arrays could not be broadcast together with shapes {}",
                listed(indices)
            ),
        ));
    };
    Ok([&sizes[..axis], &shape, &sizes[axis + count..]].concat())
}

fn concatenated(axis: usize, operands: &[&[usize]]) -> Sizes {
    let first = operands[0];
    for (number, other) in operands.iter().enumerate() {
        let differs =
            (0..first.len()).find(|position| *position != axis && first[*position] != other[*position]);
        if let Some(position) = differs {
            return value_error(format!(
                "all the input array dimensions except for the concatenation axis must match exactly, but \
                 along dimension {position}, the array at index 0 has size {} and the array at index {number} \
                 has size {}",
                first[position], other[position]
            ));
        }
    }
    let sum = operands.iter().try_fold(0_usize, |sum, sizes| sum.checked_add(sizes[axis]));
    Ok(with_axis(first, axis, sum.unwrap_or(usize::MAX)))
}

fn reduced(op: ReduceOp, axes: &[usize], keepdims: bool, sizes: &[usize]) -> Sizes {
    let of = |kept: bool| sizes.iter().enumerate().filter(move |(axis, _)| axes.contains(axis) != kept);
    // NumPy refuses also where the result would have no elements.
    let is_empty = of(false).any(|(_, size)| *size == 0);
    if is_empty && op.of_nothing().is_none() {
        let name = op.step().builder_name();
        return value_error(format!("zero-size array to reduction operation {name} which has no identity"));
    }
    if keepdims {
        let kept = |(axis, size): (usize, &usize)| if axes.contains(&axis) { 1 } else { *size };
        return Ok(sizes.iter().enumerate().map(kept).collect());
    }
    Ok(of(true).map(|(_, size)| *size).collect())
}

fn arg_reduced(op: ReduceOp, axis: usize, sizes: &[usize]) -> Sizes {
    let mut rest = sizes.to_vec();
    rest.remove(axis);
    if sizes[axis] == 0 {
        return value_error(format!("attempt to get arg{} of an empty sequence", op.name()));
    }
    Ok(rest)
}

/// The sizes of one operand's axes.
fn along(sizes: &[usize], axes: &[usize]) -> Vec<usize> {
    axes.iter().map(|axis| sizes[*axis]).collect()
}

fn product(axes: &DotAxes, left: &[usize], right: &[usize]) -> Sizes {
    let summed = axes.left_contract.iter().zip(&axes.right_contract);
    for (l, r) in summed {
        if left[*l] != right[*r] {
            return value_error(format!(
                "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \
                 (n?,k),(k,m?)->(n?,m?) (size {} is different from {})",
                right[*r], left[*l]
            ));
        }
    }
    let free = |sizes: &[usize], batch: &[usize], contract: &[usize]| -> Vec<usize> {
        let is_free = |axis: &usize| !batch.contains(axis) && !contract.contains(axis);
        along(sizes, &(0..sizes.len()).filter(is_free).collect::<Vec<_>>())
    };
    let rows = free(left, &axes.left_batch, &axes.left_contract);
    let columns = free(right, &axes.right_batch, &axes.right_contract);
    let batches = [along(left, &axes.left_batch), along(right, &axes.right_batch)];
    let Some(batch) = common(&[&batches[0], &batches[1]]) else {
        let core = [&rows[..], &columns].concat();
        return stacks_differ(&[(left, &batches[0]), (right, &batches[1])], &core);
    };
    Ok([batch, rows, columns].concat())
}

/// NumPy's words for stacks of matrices that do not broadcast.
fn stacks_differ<T>(operands: &[(&[usize], &[usize])], core: &[usize]) -> Result<T, Failure> {
    let remapped = operands.iter().map(|(sizes, stack)| {
        let mut items: Vec<String> = stack.iter().map(ToString::to_string).collect();
        items.extend(core.iter().map(|_| "newaxis".to_owned()));
        format!("{}->{} ", text(sizes), tuple(&items))
    });
    value_error(format!(
        "operands could not be broadcast together with remapped shapes [original->remapped]: {} and requested \
         shape {}",
        remapped.collect::<String>(),
        text(core)
    ))
}

fn solved(factors: &[usize], side: &[usize]) -> Sizes {
    let (stack, [others @ .., n, columns]) = (&factors[..factors.len() - 1], side) else {
        return Ok(side.to_vec());
    };
    if factors[stack.len()] != Decomposition::Lu.length(*n, *n) {
        return value_error("a solution needs triangular factors of the size of its right sides");
    }
    if stack == others {
        return Ok(side.to_vec());
    }
    let matrices = [stack, &[*n, *n]].concat();
    stacks_differ(&[(&matrices, stack), (side, others)], &[*n, *columns])
}
