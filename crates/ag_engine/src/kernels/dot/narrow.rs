//! Products of a vector and a matrix of a few columns: `h @ w` and `w @ z` of a layer with two outputs.
//!
//! The elements of a column are a few apart. They are read in whole vectors and parted, so that one vector holds
//! elements of one column. The order of a sum is that of the other methods: [`of_vector`] adds up in the lanes of
//! a vector as `skinny::dots` does, [`by_vector`] one product after the other as `skinny::rows` does.

#![expect(clippy::needless_range_loop, reason = "loops over registers are unrolled; indices show which")]

use std::ops::RangeInclusive;

use super::shape::Matrix;
use super::simd::Simd;
use super::skinny::{at, put};
use crate::kernels::elementwise::Number;

/// How many columns are a few.
pub(super) const FEW: RangeInclusive<usize> = 2..=5;
/// Most lanes of a vector.
const MOST_LANES: usize = 16;

/// The first `count` rows of a dense matrix of `COLUMNS` columns, at most as many as a vector has lanes: a
/// vector for each column, with zeros where there is no row.
///
/// # Safety
/// The rows are readable; the processor has the instructions.
#[inline(always)]
unsafe fn columns<S: Simd, const COLUMNS: usize>(from: *const S::Element, count: usize) -> [S; COLUMNS] {
    let mut parted = [[<S::Element as Number>::ZERO; MOST_LANES]; COLUMNS];
    // SAFETY: the caller's; all lanes of `parted` are there.
    unsafe {
        if count == S::LANES {
            for lane in 0..S::LANES {
                for column in 0..COLUMNS {
                    parted[column][lane] = from.add(lane * COLUMNS + column).read();
                }
            }
        } else {
            for lane in 0..count {
                for column in 0..COLUMNS {
                    parted[column][lane] = from.add(lane * COLUMNS + column).read();
                }
            }
        }
        let mut vectors = [S::zero(); COLUMNS];
        for column in 0..COLUMNS {
            vectors[column] = S::load(parted[column].as_ptr());
        }
        vectors
    }
}

/// Sums the columns of the matrix, each times the vector. The matrix is the left operand, turned: `left` is
/// `[1, rows]`; the vector is dense.
///
/// # Safety
/// That of [`super::shape::MatrixFn`], and the processor has the instructions.
#[inline(always)]
pub(super) unsafe fn of_vector<S: Simd>(
    shape: &Matrix,
    left: *const S::Element,
    right: *const S::Element,
    result: *mut S::Element,
) {
    // SAFETY: the caller's.
    unsafe {
        match shape.rows {
            2 => sums_of_columns::<S, 2>(shape, left, right, result),
            3 => sums_of_columns::<S, 3>(shape, left, right, result),
            4 => sums_of_columns::<S, 4>(shape, left, right, result),
            _ => sums_of_columns::<S, 5>(shape, left, right, result),
        }
    }
}

/// # Safety
/// That of [`of_vector`].
#[inline(always)]
unsafe fn sums_of_columns<S: Simd, const COLUMNS: usize>(
    shape: &Matrix,
    matrix: *const S::Element,
    vector: *const S::Element,
    result: *mut S::Element,
) {
    // SAFETY: the caller's; the last rows are those that are left (K9).
    unsafe {
        let mut sums = [S::zero(); COLUMNS];
        let mut k = 0;
        while k + S::LANES <= shape.inner {
            let a = S::load(vector.add(k));
            let b = columns::<S, COLUMNS>(matrix.add(k * COLUMNS), S::LANES);
            for column in 0..COLUMNS {
                sums[column] = a.multiply_add(b[column], sums[column]);
            }
            k += S::LANES;
        }
        let rest = shape.inner - k;
        if rest > 0 {
            let a = S::load_first(vector.add(k), rest);
            let b = columns::<S, COLUMNS>(matrix.add(k * COLUMNS), rest);
            for column in 0..COLUMNS {
                sums[column] = a.multiply_add(b[column], sums[column]);
            }
        }
        for column in 0..COLUMNS {
            put(result.add(column), sums[column].sum(), shape.adds);
        }
    }
}

/// Sums the elements of each row, times those of the vector. The matrix is the left operand: `left` is
/// `[inner, 1]`.
///
/// # Safety
/// That of [`super::shape::MatrixFn`], and the processor has the instructions.
#[inline(always)]
pub(super) unsafe fn by_vector<S: Simd>(
    shape: &Matrix,
    left: *const S::Element,
    right: *const S::Element,
    result: *mut S::Element,
) {
    // SAFETY: the caller's.
    unsafe {
        match shape.inner {
            2 => sums_of_rows::<S, 2>(shape, left, right, result),
            3 => sums_of_rows::<S, 3>(shape, left, right, result),
            4 => sums_of_rows::<S, 4>(shape, left, right, result),
            _ => sums_of_rows::<S, 5>(shape, left, right, result),
        }
    }
}

/// # Safety
/// That of [`by_vector`].
#[inline(always)]
unsafe fn sums_of_rows<S: Simd, const COLUMNS: usize>(
    shape: &Matrix,
    matrix: *const S::Element,
    vector: *const S::Element,
    result: *mut S::Element,
) {
    // SAFETY: the caller's; the last rows are those that are left (K9).
    unsafe {
        let mut factors = [S::zero(); COLUMNS];
        for column in 0..COLUMNS {
            factors[column] = S::splat(at(vector, column, shape.right[0]).read());
        }
        let mut row = 0;
        while row < shape.rows {
            let count = S::LANES.min(shape.rows - row);
            let a = columns::<S, COLUMNS>(matrix.add(row * COLUMNS), count);
            let mut sum = S::zero();
            for column in 0..COLUMNS {
                sum = factors[column].multiply_add(a[column], sum);
            }
            let to = result.add(row);
            if count == S::LANES && !shape.adds {
                sum.store(to);
            } else {
                let mut lanes = [<S::Element as Number>::ZERO; MOST_LANES];
                sum.store(lanes.as_mut_ptr());
                for lane in 0..count {
                    put(to.add(lane), lanes[lane], shape.adds);
                }
            }
            row += count;
        }
    }
}
