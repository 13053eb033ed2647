//! `QR` by Householder's reflections, with the signs that LAPACK gives.

use super::number::Number;
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

/// The vector, with a leading 1, and the factor of the reflection `1 - tau v vᴴ` for a column.
fn reflection<N: Number>(r: &[N], m: usize, n: usize, column: usize) -> Result<(Vec<N>, N), Failure> {
    let mut v = room_for(m - column)?;
    v.push(N::ONE);
    v.extend((column + 1..m).map(|row| r[row * n + column]));
    let (alpha, below) = (r[column * n + column], &mut v[1..]);
    let rest = norm(below);
    if rest == 0.0 && alpha.is_real() {
        below.fill(N::ZERO);
        return Ok((v, N::ZERO));
    }
    let beta = -alpha.modulus().hypot(rest).copysign(alpha.re());
    let from = alpha - N::real(beta);
    below.iter_mut().for_each(|one| *one = one.quotient(from));
    Ok((v, (N::real(beta) - alpha).over(beta)))
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
fn reflect<N: Number>(
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
    for (row, one) in rows.chunks_exact(width).zip(v) {
        for (sum, x) in sums.iter_mut().zip(&row[first..]) {
            *sum += one.conjugate() * *x;
        }
    }
    for (row, one) in rows.chunks_exact_mut(width).zip(v) {
        for (x, sum) in row[first..].iter_mut().zip(&sums) {
            *x -= tau * *sum * *one;
        }
    }
    progress(4 * v.len() * (width - first)).map_err(Failure::from)
}

/// Extends the orthonormal columns of `part` (`m × k`) to `width` orthonormal columns (`m × width`).
pub(super) fn completed<N: Number>(
    (m, width): (usize, usize),
    k: usize,
    part: Vec<N>,
    progress: &mut Progress<'_>,
) -> Answer<N> {
    if k == width {
        return Ok(part);
    }
    let mut basis = qr(m, k, width, &part, progress)?;
    basis.truncate(m * width);
    for row in 0..m {
        basis[row * width..row * width + k].copy_from_slice(&part[row * k..(row + 1) * k]);
    }
    Ok(basis)
}
