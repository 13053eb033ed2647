//! Products in the order of the interpreter: each element is the sum of its products one after the other, in
//! double precision.

use super::shape::Matrix;
use crate::kernels::elementwise::{Float, Number};

/// How many columns are summed at a time: their sums stay in registers and in the nearest cache.
const COLUMNS: usize = 64;

/// The product of floats.
///
/// # Safety
/// That of [`super::shape::MatrixFn`].
pub(super) unsafe fn product<T: Float>(
    shape: &Matrix,
    left: *const u8,
    right: *const u8,
    result: *mut u8,
    _: *mut u8,
) {
    if shape.rows * shape.columns == 0 {
        return;
    }
    let (left, right) = (left.cast::<T>(), right.cast::<T>());
    // SAFETY: the result is dense and of this size (K2).
    let result = unsafe { std::slice::from_raw_parts_mut(result.cast::<T>(), shape.rows * shape.columns) };
    for (row, result) in result.chunks_exact_mut(shape.columns.max(1)).enumerate() {
        for (number, result) in result.chunks_mut(COLUMNS).enumerate() {
            let mut sums = [0.0_f64; COLUMNS];
            for inner in 0..shape.inner {
                let offset = row.cast_signed() * shape.left[0] + inner.cast_signed() * shape.left[1];
                let line = inner.cast_signed() * shape.right[0];
                // SAFETY: within the operand (K2, K9).
                let factor = unsafe { left.offset(offset).read() }.double();
                for (column, sum) in sums[..result.len()].iter_mut().enumerate() {
                    let column = (number * COLUMNS + column).cast_signed();
                    // SAFETY: within the operand (K2, K9).
                    let value = unsafe { right.offset(line + column * shape.right[1]).read() }.double();
                    let product = factor * value;
                    *sum = if shape.sums || inner > 0 { *sum + product } else { product };
                }
            }
            for (result, sum) in result.iter_mut().zip(sums) {
                let sum = T::of_double(sum);
                *result = if shape.adds { Number::add(*result, sum) } else { sum };
            }
        }
    }
}
