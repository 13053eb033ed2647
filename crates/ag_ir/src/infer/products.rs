//! Linear algebra: whether matrices fit products, decompositions and systems.

use ag_linear_algebra::Decomposition;

use super::shapes::agreed;
use super::{InferError, refuse, shape_text};
use crate::op::DotAxes;
use crate::types::{Dim, TensorType};

/// The size of two batch axes of a product. An unknown one may be 1; its one matrix is then used for all of
/// the other's.
fn stacked(one: Dim, other: Dim) -> Option<Dim> {
    match (one, other) {
        (Dim::Unknown, Dim::Known(1)) | (Dim::Known(1), Dim::Unknown) => Some(Dim::Unknown),
        _ => agreed(one, other),
    }
}

/// Refuses axes that do not pair up.
pub(super) fn check_product(axes: &DotAxes, operands: &[&TensorType]) -> Result<(), InferError> {
    let [left, right] = operands else { return refuse("a product of two arrays") };
    let pairs = |first: &[usize], second: &[usize], fit: fn(Dim, Dim) -> Option<Dim>| {
        first.len() == second.len()
            && first.iter().zip(second).all(|(l, r)| {
                let (dim, other) = (left.shape.get(*l), right.shape.get(*r));
                dim.zip(other).is_some_and(|(dim, other)| fit(*dim, *other).is_some())
            })
    };
    let has_stacks = pairs(&axes.left_batch, &axes.right_batch, stacked);
    if !has_stacks || !pairs(&axes.left_contract, &axes.right_contract, agreed) {
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
    Ok(())
}

/// Refuses what is no stack of matrices, or not of square ones where they must be.
pub(super) fn check_decomposed(kind: Decomposition, operand: &TensorType) -> Result<(), InferError> {
    match operand.shape[..] {
        [] | [_] => refuse("a decomposition needs two dimensions at least"),
        [.., m, n] if kind.is_of_square() && agreed(m, n).is_none() => {
            refuse("Last 2 dimensions of the array must be square")
        }
        [.., m, n] if [m, n].iter().any(|dim| dim.known().is_some_and(|size| !kind.takes(size))) => {
            refuse("a complex matrix has two rows and two columns for each element")
        }
        [.., _, _] => Ok(()),
    }
}

/// Refuses triangular factors that are not those of as many right sides.
pub(super) fn check_factors(lu: &TensorType, side: &TensorType) -> Result<(), InferError> {
    let ([stack @ .., length], [others @ .., n, _]) = (&lu.shape[..], &side.shape[..]) else {
        return refuse("a solution needs factors and right sides");
    };
    let agrees = stack.len() == others.len()
        && stack.iter().zip(others).all(|(one, other)| agreed(*one, *other).is_some());
    if agrees && agreed(*length, length_of(Decomposition::Lu, *n, *n)).is_some() {
        return Ok(());
    }
    refuse("a solution needs as many triangular factors as right sides, and of their size")
}

/// The total size of the parts of one matrix.
pub(super) fn length_of(kind: Decomposition, m: Dim, n: Dim) -> Dim {
    match (m, n) {
        (Dim::Known(m), Dim::Known(n)) => Dim::Known(kind.length(m, n)),
        _ => Dim::Unknown,
    }
}
