//! Whether the sizes of operands fit an op in a run, with NumPy's messages where they do not.

use ag_linear_algebra::Decomposition;

use super::{common, failure, listed, not_broadcast, text, tuple, value_error};
use crate::op::{Condition, DotAxes, Indexed, ReduceOp, SizeRule};
use crate::run::Failure;
use crate::types::Dim;

type Checked = Result<(), Failure>;

/// Fails if the operands do not fit the op, where its sizes do not show that.
pub(super) fn check(rule: SizeRule<'_>, operands: &[&[usize]]) -> Checked {
    match rule {
        SizeRule::Operand(_, condition) => check_condition(condition, operands),
        SizeRule::Declared(wanted) => check_declared(operands[0], &wanted.shape, &wanted.message),
        SizeRule::Concatenate(axis) => check_joins(axis, operands),
        SizeRule::Reduce { op, axes, .. } => check_reduced(op, axes, operands[0]),
        SizeRule::ArgReduce { op, axis } => match operands[0][axis] {
            0 => value_error(format!("attempt to get arg{} of an empty sequence", op.name())),
            _ => Ok(()),
        },
        SizeRule::Dot(axes) => check_product(axes, operands[0], operands[1]),
        SizeRule::Lines(_) => check_lines(operands[0], operands[1]),
        SizeRule::Decompose(kind) => match operands[0] {
            [.., m, n] if kind.is_of_square() && m != n => {
                value_error("Last 2 dimensions of the array must be square")
            }
            [.., m, n] if !kind.takes(*m) || !kind.takes(*n) => {
                value_error("a complex matrix has two rows and two columns for each element")
            }
            _ => Ok(()),
        },
        SizeRule::Known(_)
        | SizeRule::Broadcast
        | SizeRule::Given(..)
        | SizeRule::BroadcastTo(_)
        | SizeRule::Reshape(_)
        | SizeRule::Count
        | SizeRule::Transpose(_)
        | SizeRule::Slice { .. }
        | SizeRule::Range(_)
        | SizeRule::Block(..)
        | SizeRule::Gather(_) => Ok(()),
    }
}

fn check_condition(condition: Condition<'_>, operands: &[&[usize]]) -> Checked {
    match condition {
        Condition::FitsBlock(axis) => check_new_block(axis, operands[0], operands[1]),
        Condition::FitsPlaces(indexed) => check_new_elements(indexed, operands),
        Condition::FitsFactors => check_factors(operands[0], operands[1]),
        Condition::FitsLines => check_lines(operands[0], operands[1]),
        Condition::HasBounds(_) if operands[2] != operands[3] => {
            value_error(format!("bounds of integers have the shapes {}", listed(&operands[2..4])))
        }
        Condition::HasBounds(_) => Ok(()),
        // Types say all of these.
        Condition::Nothing | Condition::HasAxis(_) | Condition::IsPairs | Condition::FitsSlice(..) => Ok(()),
    }
}

fn check_declared(sizes: &[usize], shape: &[Dim], message: &str) -> Checked {
    let holds = shape.iter().zip(sizes).all(|(dim, size)| dim.known().is_none_or(|known| known == *size));
    if holds { Ok(()) } else { value_error(message) }
}

/// Whether an array of these sizes broadcasts to the target.
fn broadcasts(sizes: &[usize], target: &[usize]) -> bool {
    common(&[sizes, target]).as_deref() == Some(target)
}

pub(super) fn check_broadcast_to(sizes: &[usize], wanted: &[usize]) -> Checked {
    if broadcasts(sizes, wanted) {
        return Ok(());
    }
    value_error(format!(
        "operands could not be broadcast together with remapped shapes [original->remapped]: {}  and \
         requested shape {}",
        text(sizes),
        text(wanted)
    ))
}

/// Fails if a new block has other sizes than an array, but along an axis.
fn check_new_block(axis: usize, sizes: &[usize], block: &[usize]) -> Checked {
    let mut place = sizes.to_vec();
    place[axis] = block[axis];
    if place == block {
        return Ok(());
    }
    let (block, place) = (text(block), text(&place));
    value_error(format!("could not broadcast input array from shape {block} into shape {place}"))
}

/// Fails if new elements do not broadcast to what indices read.
fn check_new_elements(indexed: Indexed, operands: &[&[usize]]) -> Checked {
    let Indexed { axis, count, first } = indexed;
    let indices = &operands[first..];
    let Some(shape) = common(indices) else { return Err(not_indexed(indices)) };
    let place = [&operands[0][..axis], &shape, &operands[0][axis + count..]].concat();
    if broadcasts(operands[1], &place) {
        return Ok(());
    }
    value_error(format!(
        "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
        text(operands[1]),
        text(&place)
    ))
}

fn not_indexed(indices: &[&[usize]]) -> Failure {
    failure(
        "IndexError",
        format!(
            "shape mismatch: indexing arrays could not be broadcast together with shapes {}",
            listed(indices)
        ),
    )
}

/// The failure of operands of which two sizes do not broadcast.
pub(super) fn not_joined(rule: SizeRule<'_>, operands: &[&[usize]]) -> Failure {
    match rule {
        SizeRule::Gather(indexed) => not_indexed(&operands[indexed.first..]),
        SizeRule::Dot(axes) => not_stacked(axes, operands[0], operands[1]),
        SizeRule::Known(_)
        | SizeRule::Operand(..)
        | SizeRule::Declared(_)
        | SizeRule::Broadcast
        | SizeRule::Given(..)
        | SizeRule::BroadcastTo(_)
        | SizeRule::Reshape(_)
        | SizeRule::Count
        | SizeRule::Transpose(_)
        | SizeRule::Slice { .. }
        | SizeRule::Range(_)
        | SizeRule::Block(..)
        | SizeRule::Concatenate(_)
        | SizeRule::Reduce { .. }
        | SizeRule::ArgReduce { .. }
        | SizeRule::Lines(_)
        | SizeRule::Decompose(_) => not_broadcast(operands),
    }
}

fn check_joins(axis: usize, operands: &[&[usize]]) -> Checked {
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
    Ok(())
}

/// Fails if nothing is reduced by an op that needs an element.
fn check_reduced(op: ReduceOp, axes: &[usize], sizes: &[usize]) -> Checked {
    // NumPy refuses also where the result would have no elements.
    let is_empty = axes.iter().any(|axis| sizes[*axis] == 0);
    if is_empty && op.of_nothing().is_none() {
        let name = op.step().builder_name();
        return value_error(format!("zero-size array to reduction operation {name} which has no identity"));
    }
    Ok(())
}

fn check_product(axes: &DotAxes, left: &[usize], right: &[usize]) -> Checked {
    let mut summed = axes.left_contract.iter().zip(&axes.right_contract);
    match summed.find(|(l, r)| left[**l] != right[**r]) {
        Some((l, r)) => value_error(format!(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \
             (n?,k),(k,m?)->(n?,m?) (size {} is different from {})",
            right[*r], left[*l]
        )),
        None => Ok(()),
    }
}

/// The failure of a product of stacks that do not broadcast.
fn not_stacked(axes: &DotAxes, left: &[usize], right: &[usize]) -> Failure {
    let along = |sizes: &[usize], axes: &[usize]| axes.iter().map(|axis| sizes[*axis]).collect::<Vec<_>>();
    let free = |sizes: &[usize], batch: &[usize], contract: &[usize]| -> Vec<usize> {
        let is_free = |axis: &usize| !batch.contains(axis) && !contract.contains(axis);
        along(sizes, &(0..sizes.len()).filter(is_free).collect::<Vec<_>>())
    };
    let mut core = free(left, &axes.left_batch, &axes.left_contract);
    core.extend(free(right, &axes.right_batch, &axes.right_contract));
    let batches = [along(left, &axes.left_batch), along(right, &axes.right_batch)];
    stacks_differ(&[(left, &batches[0]), (right, &batches[1])], &core)
}

/// NumPy's words for stacks of matrices that do not broadcast.
fn stacks_differ(operands: &[(&[usize], &[usize])], core: &[usize]) -> Failure {
    let remapped = operands.iter().map(|(sizes, stack)| {
        let mut items: Vec<String> = stack.iter().map(ToString::to_string).collect();
        items.extend(core.iter().map(|_| "newaxis".to_owned()));
        format!("{}->{} ", text(sizes), tuple(&items))
    });
    let message = format!(
        "operands could not be broadcast together with remapped shapes [original->remapped]: {} and requested \
         shape {}",
        remapped.collect::<String>(),
        text(core)
    );
    failure("ValueError", message)
}

fn check_lines(one: &[usize], other: &[usize]) -> Checked {
    match (one, other) {
        ([stack @ .., _], [others @ .., _]) if stack != others => {
            value_error(format!("lines of shape {} beside lines of shape {}", text(one), text(other)))
        }
        _ => Ok(()),
    }
}

fn check_factors(factors: &[usize], side: &[usize]) -> Checked {
    let (stack, [others @ .., n, columns]) = (&factors[..factors.len() - 1], side) else {
        return Ok(());
    };
    if factors[stack.len()] != Decomposition::Lu.length(*n, *n) {
        return value_error("a solution needs triangular factors of the size of its right sides");
    }
    if stack == others {
        return Ok(());
    }
    let matrices = [stack, &[*n, *n]].concat();
    Err(stacks_differ(&[(&matrices, stack), (side, others)], &[*n, *columns]))
}
