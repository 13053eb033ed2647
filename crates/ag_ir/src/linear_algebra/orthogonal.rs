//! `QR` by Householder's reflections, with the signs that LAPACK gives.

use super::{Answer, Progress, copied, room_for, zeros};
use crate::run::Failure;

/// `Q` (`m × width`), then `R` (`width × n`). `width` is `min(m, n)` or `m`.
///
/// Column `j` is reflected onto `beta e_j` with `beta = -sign(alpha) * norm`, so that no digits cancel. A
/// column that is already zero below the diagonal is left alone, as in LAPACK's `larfg`.
pub(super) fn qr(m: usize, n: usize, width: usize, matrix: &[f64], progress: &mut Progress<'_>) -> Answer {
    let mut r = copied(matrix)?;
    let mut reflections: Vec<(Vec<f64>, f64)> = Vec::new();
    for column in 0..m.min(n) {
        let (v, tau) = reflection(&r, m, n, column)?;
        reflect(&mut r, n, column, (&v, tau), progress)?;
        for row in column + 1..m {
            r[row * n + column] = 0.0;
        }
        reflections.push((v, tau));
    }
    let mut q = room_for(m * width + width * n)?;
    q.resize(m * width, 0.0);
    for diagonal in 0..width {
        q[diagonal * width + diagonal] = 1.0;
    }
    for (column, (v, tau)) in reflections.iter().enumerate().rev() {
        reflect(&mut q, width, column, (v, *tau), progress)?;
    }
    q.extend_from_slice(&r[..width * n]);
    Ok(q)
}

/// The vector, with a leading 1, and the factor of the reflection `1 - tau v vᵀ` for a column.
fn reflection(r: &[f64], m: usize, n: usize, column: usize) -> Result<(Vec<f64>, f64), Failure> {
    let mut v = room_for(m - column)?;
    v.push(1.0);
    v.extend((column + 1..m).map(|row| r[row * n + column]));
    let (alpha, below) = (r[column * n + column], &mut v[1..]);
    let rest = norm(below);
    if rest == 0.0 {
        below.fill(0.0);
        return Ok((v, 0.0));
    }
    let beta = -alpha.hypot(rest).copysign(alpha);
    below.iter_mut().for_each(|one| *one /= alpha - beta);
    Ok((v, (beta - alpha) / beta))
}

/// The Euclidean norm, scaled so that it neither overflows nor vanishes.
fn norm(values: &[f64]) -> f64 {
    let scale =
        values.iter().fold(0.0_f64, |most, one| if one.is_nan() { *one } else { most.max(one.abs()) });
    if scale == 0.0 || !scale.is_finite() {
        return values.iter().fold(scale, |sum, one| sum + one.abs());
    }
    scale * values.iter().map(|one| (one / scale) * (one / scale)).sum::<f64>().sqrt()
}

/// Applies a reflection of the rows from `first` on to the columns from `first` on, in place.
fn reflect(
    a: &mut [f64],
    width: usize,
    first: usize,
    (v, tau): (&[f64], f64),
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    if tau == 0.0 {
        return Ok(());
    }
    if first >= width {
        return Ok(());
    }
    let mut sums = zeros(width - first)?;
    let rows = &mut a[first * width..];
    for (row, one) in rows.chunks_exact(width).zip(v) {
        for (sum, x) in sums.iter_mut().zip(&row[first..]) {
            *sum += one * x;
        }
    }
    for (row, one) in rows.chunks_exact_mut(width).zip(v) {
        for (x, sum) in row[first..].iter_mut().zip(&sums) {
            *x -= tau * sum * one;
        }
    }
    progress(4 * v.len() * (width - first)).map_err(Failure::from)
}

/// Extends the orthonormal columns of `part` (`m × k`) to `width` orthonormal columns (`m × width`).
pub(super) fn completed(
    (m, width): (usize, usize),
    k: usize,
    part: Vec<f64>,
    progress: &mut Progress<'_>,
) -> Answer {
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
