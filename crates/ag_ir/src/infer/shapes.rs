//! The shapes of arrays, where the type may know a size or not.
//!
//! ```text
//! f64[?, 1] + f64[4]     f64[?, 4]
//! f64[?] + f64[3]        f64[3]: fails when it runs, unless there are 3 or 1
//! ```

use ag_linear_algebra::Decomposition;

use super::conditions::check_lines;
use super::indexing::{check_block, check_indices, check_slice};
use super::products::{check_decomposed, check_product, length_of};
use super::{InferError, check_axis, check_condition, nth, refuse, shape_text};
use crate::op::{SizeRule, WithShape};
use crate::size_rules::{SizeDomain, sizes_by_rule};
use crate::types::{Dim, Shape, TensorType};

/// The shape of the array that an op returns.
pub(super) fn infer_shape(rule: SizeRule<'_>, operands: &[&TensorType]) -> Result<Shape, InferError> {
    match rule {
        SizeRule::Known(_) | SizeRule::Broadcast | SizeRule::Count => {}
        SizeRule::Operand(_, condition) => check_condition(condition, operands)?,
        SizeRule::Declared(WithShape { shape, .. }) => {
            check_declared(nth(operands, 0)?, shape)?;
            return Ok(shape.clone());
        }
        SizeRule::Given(shape, first) => check_sizes(shape, operands.len().saturating_sub(first))?,
        SizeRule::BroadcastTo(shape) => check_broadcast_to(nth(operands, 0)?, shape, operands.len() - 1)?,
        SizeRule::Reshape(shape) => check_reshape(nth(operands, 0)?, shape, operands.len() - 1)?,
        SizeRule::Transpose(axes) => check_permutation(axes, nth(operands, 0)?)?,
        SizeRule::Slice { start, size, step } => check_slice(nth(operands, 0)?, start, size, step)?,
        SizeRule::Range(axis) | SizeRule::ArgReduce { axis, .. } => check_axis(axis, nth(operands, 0)?)?,
        SizeRule::Block(axis, size) => check_block(axis, size, nth(operands, 0)?)?,
        SizeRule::Gather(indexed) => check_indices(indexed, operands)?,
        SizeRule::Concatenate(axis) => check_joins(axis, operands)?,
        SizeRule::Reduce { axes, .. } => check_axes(axes, nth(operands, 0)?)?,
        SizeRule::Lines(_) => check_lines(nth(operands, 0)?, nth(operands, 1)?)?,
        SizeRule::Dot(axes) => check_product(axes, operands)?,
        SizeRule::Decompose(kind) => check_decomposed(kind, nth(operands, 0)?)?,
    }
    sizes_by_rule(rule, &mut Dims { rule, operands })
}

/// The sizes that types know.
struct Dims<'a> {
    rule: SizeRule<'a>,
    operands: &'a [&'a TensorType],
}

impl SizeDomain for Dims<'_> {
    type Size = Dim;
    type Failure = InferError;

    fn operand_count(&self) -> usize {
        self.operands.len()
    }

    fn rank(&self, operand: usize) -> usize {
        self.operands[operand].rank()
    }

    fn size(&self, operand: usize, axis: usize) -> Dim {
        self.operands[operand].shape[axis]
    }

    fn known(&mut self, size: usize) -> Dim {
        Dim::Known(size)
    }

    fn joined(&mut self, _: usize, one: Dim, other: Dim) -> Result<Dim, InferError> {
        joined(one, other).map_or_else(
            || {
                let first = if let SizeRule::Gather(indexed) = self.rule { indexed.first } else { 0 };
                let shapes: Vec<&[Dim]> = self.operands[first..].iter().map(|ty| &ty.shape[..]).collect();
                refuse(not_broadcast(&shapes))
            },
            Ok,
        )
    }

    fn agreed(&mut self, one: Dim, other: Dim) -> Dim {
        agreed(one, other).unwrap_or(one)
    }

    fn number(&mut self, _: usize, _: usize) -> Result<Dim, InferError> {
        Ok(Dim::Unknown)
    }

    fn count(&mut self) -> Dim {
        Dim::Unknown
    }

    fn reshaped(&mut self, shape: &Shape) -> Result<Shape, InferError> {
        Ok(shape.clone())
    }

    fn range(&mut self, _: usize) -> Result<Dim, InferError> {
        Ok(Dim::Unknown)
    }

    fn sum(&mut self, axis: usize) -> Result<Dim, InferError> {
        let sum = self.operands.iter().try_fold(Some(0_usize), |sum, ty| match (sum, ty.shape[axis]) {
            (Some(sum), Dim::Known(size)) => sum.checked_add(size).map(Some),
            (None, _) | (_, Dim::Unknown) => Some(None),
        });
        match sum {
            Some(sum) => Ok(sum.map_or(Dim::Unknown, Dim::Known)),
            None => refuse("concatenation of too many elements"),
        }
    }

    fn parts(&mut self, kind: Decomposition, _: usize, [m, n]: [Dim; 2]) -> Dim {
        length_of(kind, m, n)
    }
}

/// The size of two dimensions that must be equal; none if they cannot be.
pub(super) fn agreed(one: Dim, other: Dim) -> Option<Dim> {
    match (one, other) {
        (Dim::Unknown, known) | (known, Dim::Unknown) => Some(known),
        _ => (one == other).then_some(one),
    }
}

/// The size to which two dimensions broadcast; none if they do not. An unknown size may be 1 or equal the
/// other, which is checked in the run.
fn joined(one: Dim, other: Dim) -> Option<Dim> {
    match (one, other) {
        (Dim::Known(1), size) | (size, Dim::Known(1)) => Some(size),
        _ => agreed(one, other),
    }
}

/// The shape that shapes broadcast to, by NumPy's rule.
///
/// # Errors
/// If two dimensions differ and neither is 1.
pub fn broadcast_shapes(shapes: &[&[Dim]]) -> Result<Shape, InferError> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut result = vec![Dim::Known(1); rank];
    for shape in shapes {
        for (slot, dim) in result[rank - shape.len()..].iter_mut().zip(*shape) {
            *slot = joined(*slot, *dim).ok_or_else(|| InferError(not_broadcast(shapes)))?;
        }
    }
    Ok(result)
}

fn not_broadcast(shapes: &[&[Dim]]) -> String {
    let all: Vec<String> = shapes.iter().map(|shape| shape_text(shape)).collect();
    format!("operands could not be broadcast together with shapes {}", all.join(" "))
}

/// Whether an array of this shape may broadcast to the target.
pub(super) fn may_broadcast(shape: &[Dim], target: &[Dim]) -> bool {
    shape.len() <= target.len()
        && shape
            .iter()
            .zip(&target[target.len() - shape.len()..])
            .all(|(size, wanted)| *size == Dim::Known(1) || agreed(*size, *wanted).is_some())
}

/// Refuses operands unless there is one integer for each unknown size.
fn check_sizes(shape: &[Dim], numbers: usize) -> Result<(), InferError> {
    let unknown = shape.iter().filter(|dim| **dim == Dim::Unknown).count();
    if unknown == numbers {
        return Ok(());
    }
    refuse(format!("{numbers} numbers for the {unknown} unknown sizes of a shape"))
}

/// Refuses an array that cannot have these sizes.
fn check_declared(operand: &TensorType, wanted: &Shape) -> Result<(), InferError> {
    let mut pairs = operand.shape.iter().zip(wanted);
    if operand.rank() == wanted.len() && pairs.all(|(size, wanted)| agreed(*size, *wanted).is_some()) {
        return Ok(());
    }
    refuse(format!("shape {} is not {}", shape_text(&operand.shape), shape_text(wanted)))
}

fn check_broadcast_to(operand: &TensorType, shape: &Shape, numbers: usize) -> Result<(), InferError> {
    check_sizes(shape, numbers)?;
    if may_broadcast(&operand.shape, shape) {
        return Ok(());
    }
    refuse(format!("shape {} cannot be broadcast to {}", shape_text(&operand.shape), shape_text(shape)))
}

fn element_count(shape: &[Dim]) -> Option<usize> {
    shape.iter().try_fold(1_usize, |count, dim| count.checked_mul(dim.known()?))
}

fn check_reshape(operand: &TensorType, shape: &Shape, numbers: usize) -> Result<(), InferError> {
    check_sizes(shape, numbers)?;
    let (from, to) = (element_count(&operand.shape), element_count(shape));
    let is_open = operand.has_unknown_sizes() || shape.contains(&Dim::Unknown);
    if is_open || (from == to && from.is_some()) {
        return Ok(());
    }
    refuse(format!(
        "cannot reshape array of shape {} into shape {}",
        shape_text(&operand.shape),
        shape_text(shape)
    ))
}

fn check_permutation(axes: &[usize], operand: &TensorType) -> Result<(), InferError> {
    let is_there = |axis: usize| axes.contains(&axis);
    if axes.len() == operand.rank() && (0..operand.rank()).all(is_there) {
        return Ok(());
    }
    refuse(format!("axes {axes:?} are not a permutation of {} axes", operand.rank()))
}

fn check_axes(axes: &[usize], operand: &TensorType) -> Result<(), InferError> {
    let ascending = axes.windows(2).all(|pair| pair[0] < pair[1]);
    if ascending && axes.last().is_none_or(|axis| *axis < operand.rank()) {
        return Ok(());
    }
    refuse(format!("axes {axes:?} do not fit an array of dimension {}", operand.rank()))
}

/// Refuses arrays that do not join along an axis.
fn check_joins(axis: usize, operands: &[&TensorType]) -> Result<(), InferError> {
    let Some((first, rest)) = operands.split_first() else {
        return refuse("need at least one array to concatenate");
    };
    check_axis(axis, first)?;
    for other in rest {
        let fits = other.rank() == first.rank()
            && (0..first.rank())
                .all(|place| place == axis || agreed(first.shape[place], other.shape[place]).is_some());
        if !fits {
            return refuse(format!(
                "all the input array dimensions except for the concatenation axis must match exactly, got {} and {}",
                shape_text(&first.shape),
                shape_text(&other.shape)
            ));
        }
    }
    Ok(())
}
