//! `QR` by Householder's reflections, with the signs that LAPACK gives.

use super::number::Number;
use super::products::{add_row, in_vectors};
use super::{Answer, Progress, copied, room_for, zeros};
use crate::run::Failure;

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
    let mut reflections: Vec<(Vec<N>, N)> = Vec::new();
    for column in 0..m.min(n) {
        let (v, tau) = reflection(&r, m, n, column)?;
        // `A = H R` with `H = 1 - tau v vᴴ`, so `R` is `Hᴴ A`.
        reflect(&mut r, n, column, (&v, tau.conjugate()), progress)?;
        let head = &mut r[column * n + column];
        *head = N::real(head.re());
        for row in column + 1..m {
            r[row * n + column] = N::ZERO;
        }
        reflections.push((v, tau));
    }
    let mut q = room_for(m * width + width * n)?;
    q.resize(m * width, N::ZERO);
    for diagonal in 0..width {
        q[diagonal * width + diagonal] = N::ONE;
    }
    for (column, (v, tau)) in reflections.iter().enumerate().rev() {
        reflect(&mut q, width, column, (v, *tau), progress)?;
    }
    q.extend_from_slice(&r[..width * n]);
    Ok(q)
}

/// The reflection for the column `column`, from the diagonal down: see [`reflection_of`].
fn reflection<N: Number>(r: &[N], m: usize, n: usize, column: usize) -> Result<(Vec<N>, N), Failure> {
    let mut v = room_for(m - column)?;
    v.extend((column..m).map(|row| r[row * n + column]));
    let (v, tau, _) = reflection_of(v);
    Ok((v, tau))
}

/// The vector `v`, with a leading 1, the factor `tau` of the reflection `H = 1 - tau v vᴴ`, and the real `beta`,
/// with `Hᴴ x = beta e`, for a vector `x` that is not empty.
///
/// A vector of numbers so small that they have few digits is enlarged first, as in LAPACK's `larfg`: otherwise the
/// reflection would not be orthogonal.
pub(super) fn reflection_of<N: Number>(mut v: Vec<N>) -> (Vec<N>, N, f64) {
    let most = v.iter().fold(0.0_f64, |most, one| most.max(one.largest_part()));
    if most > 0.0 && most < LEAST {
        v.iter_mut().for_each(|one| *one = one.times(ENLARGED));
        let (v, tau, beta) = reflection_of_ordinary(v);
        return (v, tau, beta / ENLARGED);
    }
    reflection_of_ordinary(v)
}

/// Below this a number may have too few digits for quotients of such numbers.
const LEAST: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// A power of two that makes every number below [`LEAST`] an ordinary one.
const ENLARGED: f64 = 1.0 / (f64::MIN_POSITIVE / f64::EPSILON);

fn reflection_of_ordinary<N: Number>(mut v: Vec<N>) -> (Vec<N>, N, f64) {
    let alpha = std::mem::replace(&mut v[0], N::ONE);
    let below = &mut v[1..];
    let rest = norm(below);
    if rest == 0.0 && alpha.is_real() {
        below.fill(N::ZERO);
        return (v, N::ZERO, alpha.re());
    }
    let beta = -alpha.modulus().hypot(rest).copysign(alpha.re());
    let from = alpha - N::real(beta);
    below.iter_mut().for_each(|one| *one = one.quotient(from));
    (v, (N::real(beta) - alpha).over(beta), beta)
}

/// The first `width` columns of the identity of `m` rows.
pub(super) fn identity<N: Number>(m: usize, width: usize) -> Answer<N> {
    let mut matrix = zeros(m * width)?;
    (0..m.min(width)).for_each(|place| matrix[place * width + place] = N::ONE);
    Ok(matrix)
}

/// The columns of an `m × n` matrix as rows.
pub(super) fn transposed<N: Number>(m: usize, n: usize, matrix: &[N]) -> Answer<N> {
    let mut columns = room_for(m * n)?;
    for column in 0..n {
        columns.extend((0..m).map(|row| matrix[row * n + column]));
    }
    Ok(columns)
}

/// The Euclidean norm, scaled so that it neither overflows nor vanishes.
fn norm<N: Number>(values: &[N]) -> f64 {
    let scale = values
        .iter()
        .map(|one| one.largest_part())
        .fold(0.0_f64, |most, one| if one.is_nan() { one } else { most.max(one) });
    if scale == 0.0 || !scale.is_finite() {
        return values.iter().fold(scale, |sum, one| sum + one.modulus());
    }
    scale * values.iter().map(|one| one.over(scale).square()).sum::<f64>().sqrt()
}

/// Applies a reflection of the rows from `first` on to the columns from `first` on, in place.
pub(super) fn reflect<N: Number>(
    a: &mut [N],
    width: usize,
    first: usize,
    (v, tau): (&[N], N),
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    if tau == N::ZERO {
        return Ok(());
    }
    if first >= width {
        return Ok(());
    }
    let mut sums = zeros(width - first)?;
    let rows = &mut a[first * width..];
    in_vectors(|| {
        for (row, one) in rows.chunks_exact(width).zip(v) {
            add_row(&mut sums, one.conjugate(), &row[first..]);
        }
        sums.iter_mut().for_each(|sum| *sum = -(tau * *sum));
        for (row, one) in rows.chunks_exact_mut(width).zip(v) {
            add_row(&mut row[first..], *one, &sums);
        }
    });
    progress(4 * v.len() * (width - first)).map_err(Failure::from)
}
