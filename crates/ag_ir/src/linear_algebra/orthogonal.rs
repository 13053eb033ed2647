//! `QR` by Householder's reflections, with the signs that LAPACK gives; reflections are applied many at a time.

use super::number::Number;
use super::products::{Needed, Products, View};
use super::vectors::in_vectors;
use super::{Answer, Progress, copied, room_for, zeros};
use crate::run::Failure;

/// Reflections that are applied together.
pub(super) const TOGETHER: usize = 32;

/// `Q` (`m × width`), then `R` (`width × n`). `width` is `min(m, n)` or `m`.
///
/// Column `j` is reflected onto `beta e_j` with `beta = -sign(alpha) * norm`, so that no digits cancel. A
/// column that is already real and zero below the diagonal is left alone, as in LAPACK's `larfg`. `beta` is
/// real, and the sign that of the real part of `alpha`.
pub(super) fn qr<N: Number>(
    m: usize,
    n: usize,
    width: usize,
    matrix: &[N],
    progress: &mut Progress<'_>,
) -> Answer<N> {
    let mut r = copied(matrix)?;
    let mut products = Products::default();
    let mut blocks = Vec::new();
    for first in (0..m.min(n)).step_by(TOGETHER) {
        let end = (first + TOGETHER).min(m.min(n));
        let (count, height) = (end - first, m - first);
        let mut vectors = zeros(count * height)?;
        transpose_to((&mut vectors, height), (&r[first * n + first..], n), (height, count));
        let mut taus = [N::ZERO; TOGETHER];
        for column in 0..count {
            let (own, others) = vectors[column * height..].split_at_mut(height);
            let own = &mut own[column..];
            let (tau, beta) = make_reflection(own);
            taus[column] = tau;
            // `A = H R` with `H = 1 - tau v vᴴ`, so `R` is `Hᴴ A`.
            for other in others.chunks_exact_mut(height) {
                let other = &mut other[column..];
                N::add_row(other, -(tau.conjugate() * N::inner(own, other)), own);
            }
            let above = &mut vectors[column * height..];
            for row in 0..column {
                r[(first + row) * n + first + column] = above[row];
            }
            above[..column].fill(N::ZERO);
            r[(first + column) * n + first + column] = N::real(beta);
            for row in first + column + 1..m {
                r[row * n + first + column] = N::ZERO;
            }
            progress(4 * height * (count - column))?;
        }
        let block = Block::of(&mut products, height, vectors, &taus[..count])?;
        let rest = (&mut r[first * n + end.min(n)..], n, n - end);
        block.apply(&mut products, true, rest, progress)?;
        blocks.push(block);
    }
    let mut q = room_for(m * width + width * n)?;
    q.resize(m * width, N::ZERO);
    for diagonal in 0..width {
        q[diagonal * width + diagonal] = N::ONE;
    }
    for (number, block) in blocks.iter().enumerate().rev() {
        let first = number * TOGETHER;
        block.apply(
            &mut products,
            false,
            (&mut q[first * width + first..], width, width - first),
            progress,
        )?;
    }
    q.extend_from_slice(&r[..width * n]);
    Ok(q)
}

/// The product of a few reflections, the first one on the left: `1 - V T Vᴴ`.
pub(super) struct Block<N> {
    height: usize,
    count: usize,
    /// The columns of `V`, as rows of `height` numbers.
    vectors: Vec<N>,
    /// `T`, an upper triangle.
    factor: Vec<N>,
}

impl<N: Number> Block<N> {
    /// Of vectors of `height` numbers, one after the other, and the factor of each.
    pub(super) fn of(
        products: &mut Products,
        height: usize,
        vectors: Vec<N>,
        taus: &[N],
    ) -> Result<Self, Failure> {
        let count = taus.len();
        let mut squares = zeros(count * count)?;
        let columns = View::of(&vectors, height);
        let operands = (columns.conjugate(), columns.transposed());
        products.add((&mut squares, count), (count, count, height), operands, 1.0, Needed::All)?;
        let mut factor: Vec<N> = zeros(count * count)?;
        for (column, tau) in taus.iter().enumerate() {
            for row in 0..column {
                let known = &factor[row * count + row..row * count + column];
                let beside = (row..column).map(|place| squares[place * count + column]);
                let sum = known.iter().zip(beside).fold(N::ZERO, |sum, (x, y)| sum + *x * y);
                factor[row * count + column] = -(*tau * sum);
            }
            factor[column * count + column] = *tau;
        }
        Ok(Self { height, count, vectors, factor })
    }

    /// Applies it to a matrix of `width` columns from the left, or its conjugate transpose.
    pub(super) fn apply(
        &self,
        products: &mut Products,
        is_adjoint: bool,
        (a, stride, width): (&mut [N], usize, usize),
        progress: &mut Progress<'_>,
    ) -> Result<(), Failure> {
        if width == 0 || self.count == 0 {
            return Ok(());
        }
        let (height, count) = (self.height, self.count);
        let columns = View::of(&self.vectors, height);
        let factor = View::of(&self.factor, count);
        let factor = if is_adjoint { factor.transposed().conjugate() } else { factor };
        let mut sums = zeros(2 * count * width)?;
        let (first, second) = sums.split_at_mut(count * width);
        let operands = (columns.conjugate(), View::of(a, stride));
        products.add((first, width), (count, width, height), operands, 1.0, Needed::All)?;
        let operands = (factor, View::of(first, width));
        products.add((second, width), (count, width, count), operands, 1.0, Needed::All)?;
        let operands = (columns.transposed(), View::of(second, width));
        products.add((a, stride), (height, width, count), operands, -1.0, Needed::All)?;
        progress(4 * height * width * count / 8).map_err(Failure::from)
    }
}

/// Applies the product of reflections, the first one on the left, to a matrix from the left. The vector of reflection
/// `i` begins in the row `i + offset`; the columns before the first one's row are left alone.
pub(super) fn reflect_all<N: Number>(
    reflections: &[(Vec<N>, N)],
    offset: usize,
    (a, n): (&mut [N], usize),
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    let mut products = Products::default();
    let starts: Vec<usize> = (0..reflections.len()).step_by(TOGETHER).collect();
    for start in starts.into_iter().rev() {
        let own = &reflections[start..(start + TOGETHER).min(reflections.len())];
        let first = start + offset;
        let height = own[0].0.len();
        let mut vectors = zeros(own.len() * height)?;
        let mut taus = [N::ZERO; TOGETHER];
        for (number, (vector, tau)) in own.iter().enumerate() {
            vectors[number * height + number..(number + 1) * height].copy_from_slice(vector);
            taus[number] = *tau;
        }
        let block = Block::of(&mut products, height, vectors, &taus[..own.len()])?;
        block.apply(&mut products, false, (&mut a[first * n + first..], n, n - first), progress)?;
    }
    Ok(())
}

/// Makes a vector that is not empty the vector `v` of a reflection `H = 1 - tau v vᴴ`, with a leading 1; returns the
/// factor `tau` and the real `beta`, with `Hᴴ x = beta e`.
///
/// A vector of numbers so small that they have few digits is enlarged first, as in LAPACK's `larfg`: otherwise the
/// reflection would not be orthogonal.
pub(super) fn make_reflection<N: Number>(v: &mut [N]) -> (N, f64) {
    let squares = N::inner(v, v).re();
    // No square that matters has vanished, and none is too large.
    if squares > LEAST_SQUARES && squares < MOST_SQUARES {
        return make_ordinary(v);
    }
    let most = v.iter().fold(0.0_f64, |most, one| most.max(one.largest_part()));
    if most > 0.0 && most < LEAST {
        v.iter_mut().for_each(|one| *one = one.times(ENLARGED));
        let (tau, beta) = make_ordinary(v);
        return (tau, beta / ENLARGED);
    }
    make_ordinary(v)
}

/// Below this a number may have too few digits for quotients of such numbers.
const LEAST: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// A power of two that makes every number below [`LEAST`] an ordinary one.
const ENLARGED: f64 = 1.0 / (f64::MIN_POSITIVE / f64::EPSILON);

fn make_ordinary<N: Number>(v: &mut [N]) -> (N, f64) {
    let alpha = std::mem::replace(&mut v[0], N::ONE);
    let below = &mut v[1..];
    let rest = norm(below);
    if rest == 0.0 && alpha.is_real() {
        below.fill(N::ZERO);
        return (N::ZERO, alpha.re());
    }
    let beta = -alpha.modulus().hypot(rest).copysign(alpha.re());
    let from = alpha - N::real(beta);
    in_vectors(|| below.iter_mut().for_each(|one| *one = one.quotient(from)));
    ((N::real(beta) - alpha).over(beta), beta)
}

/// The first `width` columns of the identity of `m` rows.
pub(super) fn identity<N: Number>(m: usize, width: usize) -> Answer<N> {
    let mut matrix = zeros(m * width)?;
    (0..m.min(width)).for_each(|place| matrix[place * width + place] = N::ONE);
    Ok(matrix)
}

/// Rows and columns that are transposed at a time: their lines of the nearest cache stay there.
const SQUARE: usize = 8;

/// Writes the transpose of a matrix of `m` rows and `n` columns. Rows are so many numbers apart as the strides say.
pub(super) fn transpose_to<N: Copy>(
    (to, to_stride): (&mut [N], usize),
    (from, stride): (&[N], usize),
    (m, n): (usize, usize),
) {
    for first in (0..m).step_by(SQUARE) {
        let rows = SQUARE.min(m - first);
        for begin in (0..n).step_by(SQUARE) {
            let columns = SQUARE.min(n - begin);
            for column in begin..begin + columns {
                let to = &mut to[column * to_stride + first..][..rows];
                let from = from[first * stride + column..].iter().step_by(stride.max(1));
                to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            }
        }
    }
}

/// The columns of an `m × n` matrix as rows.
pub(super) fn transposed<N: Number>(m: usize, n: usize, matrix: &[N]) -> Answer<N> {
    let mut columns = zeros(m * n)?;
    transpose_to((&mut columns, m), (matrix, n), (m, n));
    Ok(columns)
}

/// Between these, a sum of squares has lost no digits.
const LEAST_SQUARES: f64 = 1e-200;
const MOST_SQUARES: f64 = 1e300;

/// The Euclidean norm, scaled so that it neither overflows nor vanishes.
fn norm<N: Number>(values: &[N]) -> f64 {
    let squares = N::inner(values, values).re();
    if squares > LEAST_SQUARES && squares < MOST_SQUARES {
        return squares.sqrt();
    }
    let scale = values
        .iter()
        .map(|one| one.largest_part())
        .fold(0.0_f64, |most, one| if one.is_nan() { one } else { most.max(one) });
    if scale == 0.0 || !scale.is_finite() {
        return values.iter().fold(scale, |sum, one| sum + one.modulus());
    }
    scale * values.iter().map(|one| one.over(scale).square()).sum::<f64>().sqrt()
}
