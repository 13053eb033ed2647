//! Products with few columns, where packing for a general product costs more than the product.
//!
//! Four methods, by the layout of the left operand ([`super::narrow`] has two more for vectors):
//! - *dots*: its rows are contiguous; vectors run along the inner axis, with the right operand
//!   transposed (once, it is small). `x @ w` of a batch and a classifier; matrix times vector.
//! - *tall*: its columns are contiguous; vectors run along the rows of the result. `x.T @ g`.
//! - *rows*: anything; vectors run along the columns of the result.
//!
//! - *outer*: the inner axis has one element; vectors run along the columns of the result.
//!
//! All but the last keep a block of results in registers over the whole inner axis.

#![expect(clippy::needless_range_loop, reason = "loops over registers are unrolled; indices show which")]

use super::shape::Matrix;
use super::simd::Simd;
use crate::kernels::ahead::ask_for;
use crate::kernels::elementwise::Number;

/// # Safety
/// `pointer` may be offset by `index * stride` elements.
#[inline(always)]
pub(super) unsafe fn at<T>(pointer: *const T, index: usize, stride: isize) -> *const T {
    // SAFETY: the caller's.
    unsafe { pointer.offset(index.cast_signed() * stride) }
}

/// Writes an element of the result, or adds to it.
///
/// # Safety
/// The element is writable, and readable if it is added to.
#[inline(always)]
pub(super) unsafe fn put<T: Number>(to: *mut T, value: T, adds: bool) {
    // SAFETY: the caller's.
    unsafe { to.write(if adds { to.read().add(value) } else { value }) }
}

/// See the module. The products are rounded before they are added, as NumPy's are.
///
/// # Safety
/// That of [`super::shape::MatrixFn`], and the processor has the instructions.
#[inline(always)]
pub(super) unsafe fn outer<T: Number>(shape: &Matrix, left: *const T, right: *const T, result: *mut T) {
    // SAFETY: the caller's; the left operand is dense where the function is for it.
    unsafe {
        match (shape.left[0], shape.columns) {
            (1, 2) => narrow_outer::<T, 2>(shape, left, right, result),
            (1, 3) => narrow_outer::<T, 3>(shape, left, right, result),
            (1, 4) => narrow_outer::<T, 4>(shape, left, right, result),
            _ => wide_outer(shape, left, right, result),
        }
    }
}

/// [`outer`], row by row.
///
/// # Safety
/// As [`outer`].
#[inline(always)]
unsafe fn wide_outer<T: Number>(shape: &Matrix, left: *const T, right: *const T, result: *mut T) {
    for row in 0..shape.rows {
        // SAFETY: the caller's; the result overlaps no operand (K4).
        let (factor, right, result) = unsafe {
            (
                at(left, row, shape.left[0]).read(),
                std::slice::from_raw_parts(right, shape.columns),
                std::slice::from_raw_parts_mut(result.add(row * shape.columns), shape.columns),
            )
        };
        // The sum starts at zero, as in the other methods, so that a product of -0.0 gives 0.0.
        if shape.adds {
            for (to, value) in result.iter_mut().zip(right) {
                *to = to.add(T::ZERO.add(factor.mul(*value)));
            }
        } else {
            for (to, value) in result.iter_mut().zip(right) {
                *to = T::ZERO.add(factor.mul(*value));
            }
        }
    }
}

/// [`outer`] with so few columns that vectors run along several rows.
///
/// # Safety
/// As [`outer`], with a dense left operand and so many columns.
#[inline(always)]
unsafe fn narrow_outer<T: Number, const COLUMNS: usize>(
    shape: &Matrix,
    left: *const T,
    right: *const T,
    result: *mut T,
) {
    // SAFETY: the caller's; the result overlaps no operand (K4).
    let (left, right, result) = unsafe {
        (
            std::slice::from_raw_parts(left, shape.rows),
            right.cast::<[T; COLUMNS]>().read(),
            std::slice::from_raw_parts_mut(result.cast::<[T; COLUMNS]>(), shape.rows),
        )
    };
    if shape.adds {
        for (to, factor) in result.iter_mut().zip(left) {
            for column in 0..COLUMNS {
                to[column] = to[column].add(T::ZERO.add(factor.mul(right[column])));
            }
        }
    } else {
        for (to, factor) in result.iter_mut().zip(left) {
            for column in 0..COLUMNS {
                to[column] = T::ZERO.add(factor.mul(right[column]));
            }
        }
    }
}

/// Rows of left times rows of transposed right, `ROWS x COLUMNS` of them.
///
/// # Safety
/// All rows are readable for `inner` elements, the results writable; the processor has the
/// instructions.
#[inline(always)]
unsafe fn dots_block<S: Simd, const ROWS: usize, const COLUMNS: usize>(
    (left, left_stride): (*const S::Element, isize),
    (right, right_stride): (*const S::Element, isize),
    inner: usize,
    (result, result_stride): (*mut S::Element, usize),
    adds: bool,
) {
    // SAFETY: the caller's; the last vector reads only what is left of a row (K9).
    unsafe {
        let mut sums = [[S::zero(); COLUMNS]; ROWS];
        let mut k = 0;
        while k + S::LANES <= inner {
            let mut b = [S::zero(); COLUMNS];
            for column in 0..COLUMNS {
                b[column] = S::load(at(right, column, right_stride).add(k));
            }
            for row in 0..ROWS {
                let line = at(left, row, left_stride).add(k);
                let a = S::load(line);
                // The next block of rows: the processor does not predict the jump from row to row.
                let next = line.wrapping_offset(left_stride.wrapping_mul(ROWS as isize));
                ask_for::<false>(next.cast());
                for column in 0..COLUMNS {
                    sums[row][column] = a.multiply_add(b[column], sums[row][column]);
                }
            }
            k += S::LANES;
        }
        let rest = inner - k;
        if rest > 0 {
            for row in 0..ROWS {
                let a = S::load_first(at(left, row, left_stride).add(k), rest);
                for column in 0..COLUMNS {
                    let b = S::load_first(at(right, column, right_stride).add(k), rest);
                    sums[row][column] = a.multiply_add(b, sums[row][column]);
                }
            }
        }
        for (row, sums) in sums.into_iter().enumerate() {
            for (column, sum) in sums.into_iter().enumerate() {
                put(result.add(row * result_stride + column), sum.sum(), adds);
            }
        }
    }
}

/// See the module. `right` has contiguous columns.
///
/// # Safety
/// That of [`super::shape::MatrixFn`], and the processor has the instructions.
#[inline(always)]
pub(super) unsafe fn dots<S: Simd, const ROWS: usize>(
    shape: &Matrix,
    left: *const S::Element,
    (right, right_stride): (*const S::Element, isize),
    result: *mut S::Element,
) {
    let (columns, inner, adds) = (shape.columns, shape.inner, shape.adds);
    let mut row = 0;
    while row < shape.rows {
        let is_full = row + ROWS <= shape.rows;
        // SAFETY: within the operands (K2, K9).
        unsafe {
            let left = (at(left, row, shape.left[0]), shape.left[0]);
            let mut column = 0;
            while column < columns {
                let right = (at(right, column, right_stride), right_stride);
                let to = (result.add(row * columns + column), columns);
                let width = (columns - column).min(5);
                match (is_full, width) {
                    (true, 5) => dots_block::<S, ROWS, 5>(left, right, inner, to, adds),
                    (true, 4) => dots_block::<S, ROWS, 4>(left, right, inner, to, adds),
                    (true, 3) => dots_block::<S, ROWS, 3>(left, right, inner, to, adds),
                    (true, 2) => dots_block::<S, ROWS, 2>(left, right, inner, to, adds),
                    (true, _) => dots_block::<S, ROWS, 1>(left, right, inner, to, adds),
                    (false, 5) => dots_block::<S, 1, 5>(left, right, inner, to, adds),
                    (false, 4) => dots_block::<S, 1, 4>(left, right, inner, to, adds),
                    (false, 3) => dots_block::<S, 1, 3>(left, right, inner, to, adds),
                    (false, 2) => dots_block::<S, 1, 2>(left, right, inner, to, adds),
                    (false, _) => dots_block::<S, 1, 1>(left, right, inner, to, adds),
                }
                column += width;
            }
        }
        row += if is_full { ROWS } else { 1 };
    }
}

/// Loads a vector, or its first `count` elements.
///
/// # Safety
/// That of [`Simd::load_first`].
#[inline(always)]
unsafe fn load_up_to<S: Simd>(from: *const S::Element, count: usize) -> S {
    // SAFETY: the caller's.
    unsafe { if count >= S::LANES { S::load(from) } else { S::load_first(from, count) } }
}

/// Computes `VECTORS` vectors of rows, of which only `rows` rows are used, by `COLUMNS` columns.
///
/// # Safety
/// The operands are readable as the shape says, the results writable; the processor has the
/// instructions.
#[inline(always)]
unsafe fn tall_block<S: Simd, const VECTORS: usize, const COLUMNS: usize>(
    shape: &Matrix,
    left: *const S::Element,
    right: *const S::Element,
    result: *mut S::Element,
    rows: usize,
) {
    // SAFETY: the caller's; vectors read only the rows that are used (K9).
    unsafe {
        let mut sums = [[S::zero(); VECTORS]; COLUMNS];
        let is_full = rows == VECTORS * S::LANES;
        for k in 0..shape.inner {
            let line = at(left, k, shape.left[1]);
            let mut a = [S::zero(); VECTORS];
            for vector in 0..VECTORS {
                let from = line.add(vector * S::LANES);
                a[vector] = if is_full { S::load(from) } else { load_up_to(from, rows - vector * S::LANES) };
            }
            let line = at(right, k, shape.right[0]);
            for column in 0..COLUMNS {
                let b = S::splat(at(line, column, shape.right[1]).read());
                for vector in 0..VECTORS {
                    sums[column][vector] = a[vector].multiply_add(b, sums[column][vector]);
                }
            }
        }
        let mut lanes = [<S::Element as Number>::ZERO; 16];
        for (column, sums) in sums.into_iter().enumerate() {
            for (vector, sum) in sums.into_iter().enumerate() {
                sum.store(lanes.as_mut_ptr());
                let first = vector * S::LANES;
                for lane in 0..S::LANES.min(rows.saturating_sub(first)) {
                    put(result.add((first + lane) * shape.columns + column), lanes[lane], shape.adds);
                }
            }
        }
    }
}

/// See the module. `left` has contiguous columns.
///
/// # Safety
/// That of [`super::shape::MatrixFn`], and the processor has the instructions.
#[inline(always)]
pub(super) unsafe fn tall<S: Simd, const VECTORS: usize>(
    shape: &Matrix,
    left: *const S::Element,
    right: *const S::Element,
    result: *mut S::Element,
) {
    let mut row = 0;
    while row < shape.rows {
        let is_full = row + VECTORS * S::LANES <= shape.rows;
        let rows = if is_full { VECTORS * S::LANES } else { S::LANES.min(shape.rows - row) };
        let mut column = 0;
        while column < shape.columns {
            let width = (shape.columns - column).min(5);
            // SAFETY: within the operands (K2, K9).
            unsafe {
                let left = left.add(row);
                let right = at(right, column, shape.right[1]);
                let to = result.add(row * shape.columns + column);
                match (is_full, width) {
                    (true, 5) => tall_block::<S, VECTORS, 5>(shape, left, right, to, rows),
                    (true, 4) => tall_block::<S, VECTORS, 4>(shape, left, right, to, rows),
                    (true, 3) => tall_block::<S, VECTORS, 3>(shape, left, right, to, rows),
                    (true, 2) => tall_block::<S, VECTORS, 2>(shape, left, right, to, rows),
                    (true, _) => tall_block::<S, VECTORS, 1>(shape, left, right, to, rows),
                    (false, 5) => tall_block::<S, 1, 5>(shape, left, right, to, rows),
                    (false, 4) => tall_block::<S, 1, 4>(shape, left, right, to, rows),
                    (false, 3) => tall_block::<S, 1, 3>(shape, left, right, to, rows),
                    (false, 2) => tall_block::<S, 1, 2>(shape, left, right, to, rows),
                    (false, _) => tall_block::<S, 1, 1>(shape, left, right, to, rows),
                }
            }
            column += width;
        }
        row += rows;
    }
}

/// `ROWS` rows of the result, one vector of at most `width` columns.
///
/// # Safety
/// The operands are readable as the shape says, the results writable; the processor has the
/// instructions.
#[inline(always)]
unsafe fn rows_block<S: Simd, const ROWS: usize>(
    shape: &Matrix,
    left: *const S::Element,
    right: *const S::Element,
    result: *mut S::Element,
    width: usize,
) {
    // SAFETY: the caller's.
    unsafe {
        let mut sums = [S::zero(); ROWS];
        for k in 0..shape.inner {
            let b = load_up_to::<S>(at(right, k, shape.right[0]), width);
            let line = at(left, k, shape.left[1]);
            for (row, sum) in sums.iter_mut().enumerate() {
                *sum = S::splat(at(line, row, shape.left[0]).read()).multiply_add(b, *sum);
            }
        }
        let mut lanes = [<S::Element as Number>::ZERO; 16];
        for (row, sum) in sums.into_iter().enumerate() {
            sum.store(lanes.as_mut_ptr());
            for (column, value) in lanes.iter().enumerate().take(width.min(S::LANES)) {
                put(result.add(row * shape.columns + column), *value, shape.adds);
            }
        }
    }
}

/// See the module. `right` has contiguous rows.
///
/// # Safety
/// That of [`super::shape::MatrixFn`], and the processor has the instructions.
#[inline(always)]
pub(super) unsafe fn rows<S: Simd>(
    shape: &Matrix,
    left: *const S::Element,
    right: *const S::Element,
    result: *mut S::Element,
) {
    let mut row = 0;
    while row < shape.rows {
        let is_full = row + 8 <= shape.rows;
        let mut column = 0;
        while column < shape.columns {
            let width = (shape.columns - column).min(S::LANES);
            // SAFETY: within the operands (K2, K9).
            unsafe {
                let left = at(left, row, shape.left[0]);
                let to = result.add(row * shape.columns + column);
                if is_full {
                    rows_block::<S, 8>(shape, left, right.add(column), to, width);
                } else {
                    rows_block::<S, 1>(shape, left, right.add(column), to, width);
                }
            }
            column += width;
        }
        row += if is_full { 8 } else { 1 };
    }
}
