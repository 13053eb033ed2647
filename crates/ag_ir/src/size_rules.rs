//! The sizes of an op's result, by its rule, in terms of the sizes of its operands.
//!
//! ```text
//! reduce axes=[1] of (3, 4)        (3,)
//! reduce axes=[1] of (?, 4)        (?,)
//! reduce axes=[1] of (s0, s1)      (s0,)
//! ```
//!
//! What a size is, the caller says: a dimension of a type, a number in a run, or a name.

use ag_linear_algebra::Decomposition;

use crate::op::{DotAxes, Indexed, SizeRule};
use crate::types::{Dim, Shape};

/// A kind of sizes, and those of one node's operands.
///
/// The operands are those of the node, by number; an axis that is no operand's is the result's.
pub trait SizeDomain {
    /// A size.
    type Size: Clone;
    /// The reason why there is no such size.
    type Failure;

    /// The number of operands.
    fn operand_count(&self) -> usize;
    /// The number of axes of an operand.
    fn rank(&self, operand: usize) -> usize;
    /// The size of an axis of an operand.
    fn size(&self, operand: usize, axis: usize) -> Self::Size;
    /// A size that is known when the graph is made.
    fn known(&mut self, size: usize) -> Self::Size;
    /// The size of an axis to which two sizes broadcast.
    ///
    /// # Errors
    /// If they do not.
    fn joined(
        &mut self,
        axis: usize,
        one: Self::Size,
        other: Self::Size,
    ) -> Result<Self::Size, Self::Failure>;
    /// The size of an axis of two operands that have the same one.
    fn agreed(&mut self, one: Self::Size, other: Self::Size) -> Self::Size;
    /// The size of an axis that an integer operand says.
    ///
    /// # Errors
    /// If it is no size.
    fn number(&mut self, operand: usize, axis: usize) -> Result<Self::Size, Self::Failure>;
    /// The size that the first operand, an integer, says, or 0 if that is negative.
    fn count(&mut self) -> Self::Size;
    /// The sizes of a reshaped array.
    ///
    /// # Errors
    /// If the elements do not fit.
    fn reshaped(&mut self, shape: &Shape) -> Result<Vec<Self::Size>, Self::Failure>;
    /// The length of `range(start, stop, step)` of the second to the fourth operand, along an axis.
    ///
    /// # Errors
    /// If the axis does not have these indices.
    fn range(&mut self, axis: usize) -> Result<Self::Size, Self::Failure>;
    /// The sum of the sizes of an axis of all operands.
    ///
    /// # Errors
    /// If there is no such number.
    fn sum(&mut self, axis: usize) -> Result<Self::Size, Self::Failure>;
    /// The total size of the parts of a matrix of these sizes; an axis of the result.
    fn parts(&mut self, kind: Decomposition, axis: usize, matrix: [Self::Size; 2]) -> Self::Size;
}

type Found<D> = Result<Vec<<D as SizeDomain>::Size>, <D as SizeDomain>::Failure>;

/// The sizes of the array that an op returns. The operands have the axes that the op names.
///
/// # Errors
/// If the sizes do not fit, as far as the domain can tell; conditions of the rule are not checked.
pub fn sizes_by_rule<D: SizeDomain>(rule: SizeRule<'_>, domain: &mut D) -> Found<D> {
    Ok(match rule {
        SizeRule::Known(sizes) => sizes.iter().map(|size| domain.known(*size)).collect(),
        SizeRule::Operand(number, _) => operand(domain, number),
        SizeRule::Declared(_) => operand(domain, 0),
        SizeRule::Broadcast => return broadcast(domain, 0, 0),
        SizeRule::Given(shape, first) => return given(domain, shape, first),
        SizeRule::BroadcastTo(shape) => return given(domain, shape, 1),
        SizeRule::Reshape(shape) => return domain.reshaped(shape),
        SizeRule::Count => vec![domain.count()],
        SizeRule::Transpose(axes) => axes.iter().map(|axis| domain.size(0, *axis)).collect(),
        SizeRule::Slice { size, .. } => {
            let each = size.iter().enumerate();
            // A slice takes the whole of an axis of unknown size.
            each.map(|(axis, dim)| match dim {
                Dim::Known(size) => domain.known(*size),
                Dim::Unknown => domain.size(0, axis),
            })
            .collect()
        }
        SizeRule::Range(axis) => {
            let size = domain.range(axis)?;
            with_axis(operand(domain, 0), axis, size)
        }
        SizeRule::Block(axis, size) => {
            let size = domain.known(size);
            with_axis(operand(domain, 0), axis, size)
        }
        SizeRule::Lines(size) => {
            let (sizes, size) = (operand(domain, 0), domain.known(size));
            let last = sizes.len() - 1;
            with_axis(sizes, last, size)
        }
        SizeRule::Gather(indexed) => return gathered(domain, indexed),
        SizeRule::Concatenate(axis) => {
            let mut sizes = operand(domain, 0);
            for (place, size) in sizes.iter_mut().enumerate().filter(|(place, _)| *place != axis) {
                for number in 1..domain.operand_count() {
                    let other = domain.size(number, place);
                    *size = domain.agreed(size.clone(), other);
                }
            }
            let sum = domain.sum(axis)?;
            with_axis(sizes, axis, sum)
        }
        SizeRule::Reduce { axes, keepdims, .. } => (0..domain.rank(0))
            .filter_map(|axis| match axes.contains(&axis) {
                true => keepdims.then(|| domain.known(1)),
                false => Some(domain.size(0, axis)),
            })
            .collect(),
        SizeRule::ArgReduce { axis, .. } => {
            (0..domain.rank(0)).filter(|other| *other != axis).map(|axis| domain.size(0, axis)).collect()
        }
        SizeRule::Dot(axes) => return product(domain, axes),
        SizeRule::Decompose(kind) => {
            let mut sizes = operand(domain, 0);
            if let (Some(n), Some(m)) = (sizes.pop(), sizes.pop()) {
                sizes.push(domain.parts(kind, sizes.len(), [m, n]));
            }
            sizes
        }
    })
}

fn operand<D: SizeDomain>(domain: &D, number: usize) -> Vec<D::Size> {
    (0..domain.rank(number)).map(|axis| domain.size(number, axis)).collect()
}

fn with_axis<S>(mut sizes: Vec<S>, axis: usize, size: S) -> Vec<S> {
    sizes[axis] = size;
    sizes
}

/// The sizes of a shape, with an integer operand for each that it does not know.
fn given<D: SizeDomain>(domain: &mut D, shape: &Shape, first: usize) -> Found<D> {
    let mut operand = first;
    let mut sizes = Vec::with_capacity(shape.len());
    for (axis, dim) in shape.iter().enumerate() {
        sizes.push(match dim {
            Dim::Known(size) => domain.known(*size),
            Dim::Unknown => {
                operand += 1;
                domain.number(operand - 1, axis)?
            }
        });
    }
    Ok(sizes)
}

/// The sizes to which the operands from a number on broadcast, for the axes of the result from `start` on.
fn broadcast<D: SizeDomain>(domain: &mut D, first: usize, start: usize) -> Found<D> {
    let operands = first..domain.operand_count();
    let Some(longest) = operands.clone().max_by_key(|number| domain.rank(*number)) else {
        return Ok(Vec::new());
    };
    let mut sizes = operand(domain, longest);
    for other in operands.filter(|number| *number != longest) {
        let before = sizes.len() - domain.rank(other);
        for (axis, size) in sizes[before..].iter_mut().enumerate() {
            let own = domain.size(other, axis);
            *size = domain.joined(start + before + axis, size.clone(), own)?;
        }
    }
    Ok(sizes)
}

fn gathered<D: SizeDomain>(domain: &mut D, Indexed { axis, count, first }: Indexed) -> Found<D> {
    let indices = broadcast(domain, first, axis)?;
    let mut sizes = Vec::with_capacity(domain.rank(0) + indices.len() - count);
    sizes.extend((0..axis).map(|axis| domain.size(0, axis)));
    sizes.extend(indices);
    sizes.extend((axis + count..domain.rank(0)).map(|axis| domain.size(0, axis)));
    Ok(sizes)
}

fn product<D: SizeDomain>(domain: &mut D, axes: &DotAxes) -> Found<D> {
    let mut sizes = Vec::with_capacity(domain.rank(0) + domain.rank(1) - axes.left_contract.len());
    for (axis, (left, right)) in axes.left_batch.iter().zip(&axes.right_batch).enumerate() {
        let (one, other) = (domain.size(0, *left), domain.size(1, *right));
        sizes.push(domain.joined(axis, one, other)?);
    }
    let free =
        |axis: &usize, batch: &[usize], contract: &[usize]| !batch.contains(axis) && !contract.contains(axis);
    let rows = (0..domain.rank(0)).filter(|axis| free(axis, &axes.left_batch, &axes.left_contract));
    sizes.extend(rows.map(|axis| domain.size(0, axis)));
    let columns = (0..domain.rank(1)).filter(|axis| free(axis, &axes.right_batch, &axes.right_contract));
    sizes.extend(columns.map(|axis| domain.size(1, axis)));
    Ok(sizes)
}
