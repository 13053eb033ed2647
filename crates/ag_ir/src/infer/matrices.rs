//! Result types of decompositions, linear systems and random draws.

use super::sizes::agreed;
use super::{InferredTensor, exactly, refuse, same_dtype};
use crate::linear_algebra::Decomposition;
use crate::random::Draw;
use crate::types::{DType, Dim, Shape, TensorType};

pub(super) fn infer_decompose(kind: Decomposition, operands: &[&TensorType]) -> InferredTensor {
    let [matrix] = exactly(operands)?;
    if !matrix.dtype.is_float() {
        return refuse(format!("a decomposition of {}", matrix.dtype));
    }
    let [stack @ .., m, n] = &matrix.shape[..] else {
        return refuse("a decomposition needs two dimensions at least");
    };
    if kind.is_of_square() && agreed(*m, *n).is_none() {
        return refuse("Last 2 dimensions of the array must be square");
    }
    let mut shape = stack.to_vec();
    shape.push(length_of(kind, *m, *n));
    Ok(TensorType::new(matrix.dtype, shape))
}

pub(super) fn infer_solve_lu(operands: &[&TensorType]) -> InferredTensor {
    let [lu, side] = exactly(operands)?;
    same_dtype("solution", lu, side)?;
    if !side.dtype.is_float() {
        return refuse(format!("a solution of {}", side.dtype));
    }
    let ([stack @ .., length], [others @ .., n, _]) = (&lu.shape[..], &side.shape[..]) else {
        return refuse("a solution needs factors and right sides");
    };
    let agrees = stack.len() == others.len()
        && stack.iter().zip(others).all(|(one, other)| agreed(*one, *other).is_some());
    if !agrees || agreed(*length, length_of(Decomposition::Lu, *n, *n)).is_none() {
        return refuse("a solution needs as many triangular factors as right sides, and of their size");
    }
    Ok(side.clone())
}

/// The total size of the parts of one matrix.
fn length_of(kind: Decomposition, m: Dim, n: Dim) -> Dim {
    match (m, n) {
        (Dim::Known(m), Dim::Known(n)) => Dim::Known(kind.length(m, n)),
        _ => Dim::Unknown,
    }
}

pub(super) fn infer_random(
    draw: Draw,
    dtype: DType,
    shape: &Shape,
    operands: &[&TensorType],
) -> InferredTensor {
    let result = TensorType::new(dtype, shape.clone());
    let is_integers = draw == Draw::Integers;
    if dtype.is_float() == is_integers || (is_integers && dtype != DType::I64) {
        return refuse(format!("there is no {} of {dtype}", draw.name()));
    }
    let ([key, counter], rest) = operands.split_at_checked(2).map_or_else(
        || refuse("a random draw needs a key and a counter"),
        |(state, rest)| Ok((exactly::<_, 2>(state)?, rest)),
    )?;
    let state = TensorType::scalar(DType::I64);
    let open = shape.iter().filter(|dim| **dim == Dim::Unknown).count();
    let (count, wanted) = if is_integers { (2, &result) } else { (open, &state) };
    let has_rest = rest.len() == count && rest.iter().all(|one| *one == wanted);
    if *key != state || *counter != state || !has_rest {
        return refuse(
            "a random draw needs a key, a counter, and for integers two bounds of its shape, for others a number \
             for each unknown size",
        );
    }
    Ok(result)
}
