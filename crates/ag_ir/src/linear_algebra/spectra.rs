//! Singular values and the eigenvalues of symmetric matrices, by Jacobi's rotations.
//!
//! Rotations are slower than LAPACK's methods for large matrices, but the code is short, and results are
//! exact to the last digits: `nalgebra` 0.35, tried first, gives 3.65 for the singular value 2.83 of a 2 × 4
//! matrix of ones.
//!
//! A matrix with a NaN or an infinity gives NaN everywhere, and so does one for which the rotations do not
//! converge.

use super::orthogonal::completed;
use super::{Answer, Decomposition, Progress, copied, room_for, zeros};
use crate::run::Failure;

type Pair = (Vec<f64>, Vec<f64>);
type Triple = (Vec<f64>, Vec<f64>, Vec<f64>);

/// The most sweeps over all pairs before giving up; fewer than ten are usual.
const MOST_SWEEPS: usize = 80;

fn is_finite(matrix: &[f64]) -> bool {
    matrix.iter().all(|one| one.is_finite())
}

/// The matrix divided by a power of two so that its largest element is about 1, and that power: otherwise
/// squares of tiny or huge elements would underflow or overflow.
fn scaled(matrix: &[f64]) -> Result<(Vec<f64>, f64), Failure> {
    let most = matrix.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
    let is_ordinary = most == 0.0 || (1e-100..1e100).contains(&most);
    let factor =
        if is_ordinary { 1.0 } else { 2.0_f64.powi((most.log2().floor() as i32).clamp(-1000, 1000)) };
    let mut a = copied(matrix)?;
    a.iter_mut().for_each(|one| *one /= factor);
    Ok((a, factor))
}

/// The indices that sort the values in descending order.
fn descending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*other].total_cmp(&values[*one]));
    order
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// `row[p], row[q] = c row[p] - s row[q], s row[p] + c row[q]`, for rows of `width` elements.
fn rotate(rows: &mut [f64], width: usize, (p, q): (usize, usize), (c, s): (f64, f64)) {
    let (before, after) = rows.split_at_mut(q * width);
    let first = &mut before[p * width..(p + 1) * width];
    for (x, y) in first.iter_mut().zip(&mut after[..width]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}

/// Cosine and sine of the rotation that makes `[[a, b], [b, d]]` diagonal.
fn angle(a: f64, b: f64, d: f64) -> (f64, f64) {
    let zeta = (d - a) / (2.0 * b);
    let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + 1.0_f64.hypot(zeta));
    let cosine = 1.0 / 1.0_f64.hypot(tangent);
    (cosine, cosine * tangent)
}

fn identity(n: usize) -> Answer {
    let mut matrix = zeros(n * n)?;
    (0..n).for_each(|place| matrix[place * n + place] = 1.0);
    Ok(matrix)
}

fn transposed(m: usize, n: usize, matrix: &[f64]) -> Answer {
    let mut columns = room_for(m * n)?;
    for column in 0..n {
        columns.extend((0..m).map(|row| matrix[row * n + column]));
    }
    Ok(columns)
}

/// Rotates the columns of a matrix (given as rows of `height`) until they are orthogonal. Returns the
/// columns, and the product of the rotations (its columns as rows too).
fn orthogonalised(
    height: usize,
    width: usize,
    columns: Vec<f64>,
    progress: &mut Progress<'_>,
) -> Result<Option<Pair>, Failure> {
    let (mut columns, mut v) = (columns, identity(width)?);
    // A column below this is rounding error; rotating it would never end.
    let least = f64::EPSILON * f64::EPSILON * product(&columns, &columns);
    for _ in 0..MOST_SWEEPS {
        let mut is_done = true;
        for p in 0..width {
            for q in p + 1..width {
                let (first, second) = (&columns[p * height..][..height], &columns[q * height..][..height]);
                let (a, b, d) = (product(first, first), product(first, second), product(second, second));
                if a.min(d) <= least || b.abs() <= f64::EPSILON * (a * d).sqrt() {
                    continue;
                }
                is_done = false;
                let turn = angle(a, b, d);
                rotate(&mut columns, height, (p, q), turn);
                rotate(&mut v, width, (p, q), turn);
            }
            progress(4 * height * (width - p))?;
        }
        if is_done {
            return Ok(Some((columns, v)));
        }
    }
    Ok(None)
}

/// The singular value decomposition of a matrix with `height >= width`: `wanted` orthonormal columns
/// (`height × wanted`) that begin with the left vectors, the values, and the right vectors as columns.
fn of_tall(
    (height, width): (usize, usize),
    wanted: usize,
    columns: Vec<f64>,
    progress: &mut Progress<'_>,
) -> Result<Option<Triple>, Failure> {
    let Some((columns, v)) = orthogonalised(height, width, columns, progress)? else { return Ok(None) };
    let norms: Vec<f64> = columns.chunks_exact(height).map(|one| product(one, one).sqrt()).collect();
    let order = descending(&norms);
    let least = norms[order[0]] * f64::EPSILON * height as f64;
    let rank = order.iter().filter(|one| norms[**one] > least).count();
    let mut left = zeros(height * rank)?;
    for (place, one) in order[..rank].iter().enumerate() {
        for row in 0..height {
            left[row * rank + place] = columns[one * height + row] / norms[*one];
        }
    }
    let values = order.iter().map(|one| norms[*one]).collect();
    let mut right = room_for(width * width)?;
    order.iter().for_each(|one| right.extend_from_slice(&v[one * width..(one + 1) * width]));
    drop(columns);
    let left = completed((height, wanted), rank, left, progress)?;
    Ok(Some((left, values, transposed(width, width, &right)?)))
}

/// Left vectors, values, right vectors (transposed).
pub(super) fn svd(m: usize, n: usize, is_full: bool, matrix: &[f64], progress: &mut Progress<'_>) -> Answer {
    let k = m.min(n);
    let kind = if is_full { Decomposition::FullSvd } else { Decomposition::Svd };
    if k == 0 {
        return Ok(if is_full { [identity(m)?, identity(n)?].concat() } else { Vec::new() });
    }
    let none = || not_found(kind.length(m, n));
    if !is_finite(matrix) {
        return none();
    }
    let (a, factor) = scaled(matrix)?;
    let (rows, columns) = if is_full { (m, n) } else { (k, k) };
    let found = if m >= n {
        let columns = transposed(m, n, &a)?;
        drop(a);
        of_tall((m, n), rows, columns, progress)?
    } else {
        of_tall((n, m), columns, a, progress)?.map(|(right, values, left)| (left, values, right))
    };
    let Some((left, values, right)) = found else { return none() };
    let mut parts = room_for(kind.length(m, n))?;
    parts.extend(left);
    parts.extend(values.iter().map(|one| one * factor));
    parts.extend(transposed(n, columns, &right)?);
    Ok(parts)
}

/// Parts filled with NaN, for a matrix without a decomposition.
fn not_found(count: usize) -> Answer {
    let mut parts = zeros(count)?;
    parts.fill(f64::NAN);
    Ok(parts)
}

/// The singular values in descending order.
pub(super) fn singular_values(m: usize, n: usize, matrix: &[f64], progress: &mut Progress<'_>) -> Answer {
    let k = m.min(n);
    let none = || not_found(k);
    if !is_finite(matrix) {
        return none();
    }
    let (a, factor) = scaled(matrix)?;
    let (height, columns) = if m >= n { (m, transposed(m, n, &a)?) } else { (n, a) };
    let Some((columns, _)) = orthogonalised(height, k, columns, progress)? else { return none() };
    let mut values: Vec<f64> =
        columns.chunks_exact(height).map(|one| product(one, one).sqrt() * factor).collect();
    values.sort_by(|one, other| other.total_cmp(one));
    Ok(values)
}

/// The symmetric matrix whose lower triangle is that of `matrix`.
fn symmetric(n: usize, matrix: &[f64]) -> Answer {
    let mirrored = |place: usize| {
        let (row, column) = (place / n, place % n);
        matrix[row.max(column) * n + row.min(column)]
    };
    let mut whole = room_for(n * n)?;
    whole.extend((0..n * n).map(mirrored));
    Ok(whole)
}

/// Rotates a symmetric matrix until it is diagonal. Returns the diagonal matrix, and the eigenvectors as
/// rows.
fn diagonalised(n: usize, matrix: Vec<f64>, progress: &mut Progress<'_>) -> Result<Option<Pair>, Failure> {
    let (mut a, mut vectors) = (matrix, identity(n)?);
    let least = 0.1 * f64::EPSILON * product(&a, &a).sqrt();
    for _ in 0..MOST_SWEEPS {
        let mut is_done = true;
        for p in 0..n {
            for q in p + 1..n {
                let off = a[p * n + q];
                if off.abs() <= least {
                    continue;
                }
                is_done = false;
                let (c, s) = angle(a[p * n + p], off, a[q * n + q]);
                rotate(&mut a, n, (p, q), (c, s));
                for row in a.chunks_exact_mut(n) {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                (a[p * n + q], a[q * n + p]) = (0.0, 0.0);
                rotate(&mut vectors, n, (p, q), (c, s));
            }
            progress(8 * n * (n - p))?;
        }
        if is_done {
            return Ok(Some((a, vectors)));
        }
    }
    Ok(None)
}

/// Eigenvalues in ascending order, then the vectors as columns.
pub(super) fn eigh(n: usize, matrix: &[f64], progress: &mut Progress<'_>) -> Answer {
    if let [only] = matrix {
        return Ok(vec![*only, 1.0]);
    }
    let lower = symmetric(n, matrix)?;
    let none = || not_found(n + n * n);
    if !is_finite(&lower) {
        return none();
    }
    let (a, factor) = scaled(&lower)?;
    let Some((a, vectors)) = diagonalised(n, a, progress)? else { return none() };
    let values: Vec<f64> = (0..n).map(|one| a[one * n + one]).collect();
    let mut order = descending(&values);
    order.reverse();
    let mut parts: Vec<f64> = order.iter().map(|one| values[*one] * factor).collect();
    for row in 0..n {
        parts.extend(order.iter().map(|one| vectors[one * n + row]));
    }
    Ok(parts)
}

/// Eigenvalues in ascending order.
pub(super) fn eigenvalues(n: usize, matrix: &[f64], progress: &mut Progress<'_>) -> Answer {
    let mut parts = eigh(n, matrix, progress)?;
    parts.truncate(n);
    Ok(parts)
}
