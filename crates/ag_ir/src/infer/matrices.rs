//! Types of decompositions, solutions and random draws.

use super::sizes::agreed;
use super::{InferredTensor, exactly, refuse, same_dtype};
use crate::linear_algebra::Decomposition;
use crate::random::Draw;
use crate::types::{DType, Dim, TensorType};

pub(super) fn infer_decompose(kind: Decomposition, operands: &[&TensorType]) -> InferredTensor {
    let [matrix] = exactly(operands)?;
    if !matrix.dtype.is_float() {
        return refuse(format!("a decomposition of {}", matrix.dtype));
    }
    let [stack @ .., Dim::Known(m), Dim::Known(n)] = &matrix.shape[..] else {
        return refuse("a decomposition needs two dimensions of known sizes at least");
    };
    if kind.is_of_square() && m != n {
        return refuse("Last 2 dimensions of the array must be square");
    }
    let mut shape = stack.to_vec();
    shape.push(Dim::Known(kind.length(*m, *n)));
    Ok(TensorType::new(matrix.dtype, shape))
}

pub(super) fn infer_solve_lu(operands: &[&TensorType]) -> InferredTensor {
    let [lu, side] = exactly(operands)?;
    same_dtype("solution", lu, side)?;
    if !side.dtype.is_float() {
        return refuse(format!("a solution of {}", side.dtype));
    }
    let ([stack @ .., Dim::Known(length)], [others @ .., Dim::Known(n), Dim::Known(_)]) =
        (&lu.shape[..], &side.shape[..])
    else {
        return refuse("a solution needs dimensions of known sizes");
    };
    let agrees = stack.len() == others.len()
        && stack.iter().zip(others).all(|(one, other)| agreed(*one, *other).is_some());
    if !agrees || *length != Decomposition::Lu.length(*n, *n) {
        return refuse("a solution needs as many triangular factors as right sides, and of their size");
    }
    Ok(side.clone())
}

pub(super) fn infer_random(
    draw: Draw,
    dtype: DType,
    sizes: &[usize],
    operands: &[&TensorType],
) -> InferredTensor {
    let result = TensorType::known(dtype, sizes);
    let is_integers = draw == Draw::Integers;
    if dtype.is_float() == is_integers || (is_integers && dtype != DType::I64) {
        return refuse(format!("there is no {} of {dtype}", draw.name()));
    }
    let ([key, counter], bounds) = operands.split_at_checked(2).map_or_else(
        || refuse("a random draw needs a key and a counter"),
        |(state, bounds)| Ok((exactly::<_, 2>(state)?, bounds)),
    )?;
    let state = TensorType::scalar(DType::I64);
    let has_bounds =
        bounds.len() == if is_integers { 2 } else { 0 } && bounds.iter().all(|one| **one == result);
    if *key != state || *counter != state || !has_bounds {
        return refuse("a random draw needs a key, a counter, and for integers two bounds of its shape");
    }
    Ok(result)
}
