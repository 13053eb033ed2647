//! Systems with triangular matrices: a block of rows is solved in registers, what it contributes to the
//! others is a product.

use pulp::Simd;

use crate::Failure;
use crate::number::Number;
use crate::products::{Needed, Products, View};
use crate::vectors::with_vectors;

/// Rows that are solved in registers.
pub(crate) const ROWS: usize = 8;

/// A triangle of a few rows, of which the numbers beside it are zero.
pub(crate) type Triangle<N> = [[N; ROWS]; ROWS];

/// Which triangular matrix it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A lower triangle with ones on the diagonal, which are not read.
    UnitLower,
    Lower,
    Upper,
}

/// Solves `T X = B` in place: `x` begins with `B`, `n` rows of `columns` numbers, which are `stride` apart.
pub(crate) fn solve<N: Number>(
    products: &mut Products,
    kind: Kind,
    (n, triangle): (usize, View<'_, N>),
    (x, stride, columns): (&mut [N], usize, usize),
) -> Result<(), Failure> {
    if columns == 0 || n == 0 {
        return Ok(());
    }
    if n <= ROWS {
        let mut own = [[N::ZERO; ROWS]; ROWS];
        for (row, numbers) in own.iter_mut().enumerate().take(n) {
            let (from, to) = if kind == Kind::Upper { (row, n) } else { (0, row + 1) };
            for (column, one) in numbers.iter_mut().enumerate().take(to).skip(from) {
                *one = triangle.at(row, column);
            }
            if kind == Kind::UnitLower {
                numbers[row] = N::ONE;
            }
        }
        N::solve_few(&own, (n, kind == Kind::Upper), (x, stride, columns));
        return Ok(());
    }
    let half = (n / 2).next_multiple_of(ROWS);
    let (above, below) = x.split_at_mut(half * stride);
    let size = (half, n - half);
    let rest = triangle.from(half, half);
    if kind == Kind::Upper {
        solve(products, kind, (size.1, rest), (below, stride, columns))?;
        let beside = (triangle.from(0, half), View::of(below, stride));
        products.add((above, stride), (size.0, columns, size.1), beside, -1.0, Needed::All)?;
        return solve(products, kind, (size.0, triangle), (above, stride, columns));
    }
    solve(products, kind, (size.0, triangle), (above, stride, columns))?;
    let beside = (triangle.from(half, 0), View::of(above, stride));
    products.add((below, stride), (size.1, columns, size.0), beside, -1.0, Needed::All)?;
    solve(products, kind, (size.1, rest), (below, stride, columns))
}

/// Solves for the columns of a few rows, for real numbers.
pub(crate) fn solve_reals(
    triangle: &Triangle<f64>,
    (n, is_upper): (usize, bool),
    (x, stride, columns): (&mut [f64], usize, usize),
) {
    with_vectors!(|simd: S,
                   triangle: &'w Triangle<f64>,
                   n: usize,
                   is_upper: bool,
                   x: &'w mut [f64],
                   stride: usize,
                   columns: usize|
     -> () {
        let lanes = S::F64_LANES;
        for first in (0..columns).step_by(lanes) {
            let end = (first + lanes).min(columns);
            let mut own = [simd.splat_f64s(0.0); ROWS];
            for row in 0..ROWS {
                if row < n {
                    own[row] = simd.partial_load_f64s(&x[row * stride + first..row * stride + end]);
                }
            }
            if is_upper {
                solve_backwards(simd, triangle, n, &mut own);
            } else {
                solve_forwards(simd, triangle, n, &mut own);
            }
            for row in 0..ROWS {
                if row < n {
                    simd.partial_store_f64s(&mut x[row * stride + first..row * stride + end], own[row]);
                }
            }
        }
    });
}

#[inline(always)]
fn solve_forwards<S: Simd>(simd: S, triangle: &Triangle<f64>, n: usize, x: &mut [S::f64s; ROWS]) {
    for row in 0..ROWS {
        if row < n {
            x[row] = divided(simd, x[row], triangle[row][row]);
            for other in row + 1..ROWS {
                let factor = simd.splat_f64s(-triangle[other][row]);
                x[other] = simd.mul_add_e_f64s(factor, x[row], x[other]);
            }
        }
    }
}

#[inline(always)]
fn solve_backwards<S: Simd>(simd: S, triangle: &Triangle<f64>, n: usize, x: &mut [S::f64s; ROWS]) {
    for row in (0..ROWS).rev() {
        if row < n {
            x[row] = divided(simd, x[row], triangle[row][row]);
            for other in 0..row {
                let factor = simd.splat_f64s(-triangle[other][row]);
                x[other] = simd.mul_add_e_f64s(factor, x[row], x[other]);
            }
        }
    }
}

#[inline(always)]
fn divided<S: Simd>(simd: S, x: S::f64s, divisor: f64) -> S::f64s {
    if divisor == 1.0 { x } else { simd.div_f64s(x, simd.splat_f64s(divisor)) }
}

/// Solves for the columns of a few rows, for any numbers.
#[inline(always)]
pub(crate) fn solve_numbers<N: Number>(
    triangle: &Triangle<N>,
    (n, is_upper): (usize, bool),
    (x, stride, columns): (&mut [N], usize, usize),
) {
    let rows: [usize; ROWS] =
        std::array::from_fn(|row| if is_upper { (n - 1).saturating_sub(row) } else { row });
    for (place, row) in rows.into_iter().take(n).enumerate() {
        let pivot = triangle[row][row];
        if pivot != N::ONE {
            x[row * stride..row * stride + columns].iter_mut().for_each(|one| *one = one.quotient(pivot));
        }
        for other in rows.into_iter().take(n).skip(place + 1) {
            let factor = triangle[other][row];
            for column in 0..columns {
                let known = x[row * stride + column];
                x[other * stride + column] -= factor * known;
            }
        }
    }
}
