//! Singular values and the eigenvalues of symmetric matrices, by `nalgebra`.
//!
//! A matrix that holds a NaN or an infinity gives NaN everywhere, and so does one for which the
//! iteration does not come to an end.

use nalgebra::{DMatrix, SVD, SymmetricEigen};

use super::Decomposition;
use super::orthogonal::completed;

/// Steps of an iteration after which it is given up; LAPACK gives up after 30 a value.
const fn most_steps(size: usize) -> usize {
    1000 + 60 * size
}

fn is_finite(matrix: &[f64]) -> bool {
    matrix.iter().all(|one| one.is_finite())
}

/// `matrix` scaled by a power of two to have its largest element about 1, and the factor to scale
/// values back by: squares of tiny or huge elements would leave the range of doubles.
fn scaled(m: usize, n: usize, matrix: &[f64]) -> (DMatrix<f64>, f64) {
    let most = matrix.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
    let factor = if most == 0.0 || (1e-100..1e100).contains(&most) {
        1.0
    } else {
        2.0_f64.powi((most.log2().floor() as i32).clamp(-1000, 1000))
    };
    (DMatrix::from_row_iterator(m, n, matrix.iter().map(|one| one / factor)), factor)
}

/// The numbers of the values in descending order.
fn descending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*other].total_cmp(&values[*one]));
    order
}

/// Left vectors, values, right vectors (transposed).
pub(super) fn svd(m: usize, n: usize, is_full: bool, matrix: &[f64]) -> Vec<f64> {
    let k = m.min(n);
    let kind = if is_full { Decomposition::FullSvd } else { Decomposition::Svd };
    let none = || vec![f64::NAN; kind.length(m, n)];
    if !is_finite(matrix) {
        return none();
    }
    if k == 0 {
        return [identity(if is_full { m } else { 0 }), identity(if is_full { n } else { 0 })].concat();
    }
    let (a, factor) = scaled(m, n, matrix);
    let found = SVD::try_new_unordered(a, true, true, f64::EPSILON, most_steps(k));
    let Some(SVD { u: Some(u), v_t: Some(v_t), singular_values }) = found else { return none() };
    let order = descending(singular_values.as_slice());
    let left: Vec<f64> =
        (0..m).flat_map(|row| order.iter().map(move |one| (row, *one))).map(|at| u[at]).collect();
    let right: Vec<f64> =
        order.iter().flat_map(|one| (0..n).map(move |column| (*one, column))).map(|at| v_t[at]).collect();
    let values: Vec<f64> = order.iter().map(|one| singular_values[*one] * factor).collect();
    if !is_full {
        return [left, values, right].concat();
    }
    let columns = transposed(k, n, &right);
    let right = transposed(n, n, &completed(n, k, &columns));
    [completed(m, k, &left), values, right].concat()
}

fn identity(n: usize) -> Vec<f64> {
    (0..n * n).map(|place| if place / n == place % n { 1.0 } else { 0.0 }).collect()
}

fn transposed(m: usize, n: usize, matrix: &[f64]) -> Vec<f64> {
    (0..n).flat_map(|column| (0..m).map(move |row| row * n + column)).map(|place| matrix[place]).collect()
}

/// The singular values in descending order.
pub(super) fn singular_values(m: usize, n: usize, matrix: &[f64]) -> Vec<f64> {
    let k = m.min(n);
    if !is_finite(matrix) {
        return vec![f64::NAN; k];
    }
    let (a, factor) = scaled(m, n, matrix);
    match SVD::try_new_unordered(a, false, false, f64::EPSILON, most_steps(k)) {
        Some(found) => {
            let values = found.singular_values.as_slice();
            descending(values).into_iter().map(|one| values[one] * factor).collect()
        }
        None => vec![f64::NAN; k],
    }
}

/// The symmetric matrix whose lower triangle is that of `matrix`.
fn symmetric(n: usize, matrix: &[f64]) -> Vec<f64> {
    (0..n * n)
        .map(|place| {
            let (row, column) = (place / n, place % n);
            matrix[row.max(column) * n + row.min(column)]
        })
        .collect()
}

/// Eigenvalues in ascending order, then the vectors as columns.
pub(super) fn eigh(n: usize, matrix: &[f64]) -> Vec<f64> {
    if let [only] = matrix {
        return vec![*only, 1.0];
    }
    let lower = symmetric(n, matrix);
    let none = || vec![f64::NAN; n + n * n];
    if !is_finite(&lower) {
        return none();
    }
    let (a, factor) = scaled(n, n, &lower);
    let Some(found) = SymmetricEigen::try_new(a, f64::EPSILON, most_steps(n)) else { return none() };
    let mut order = descending(found.eigenvalues.as_slice());
    order.reverse();
    let mut parts: Vec<f64> = order.iter().map(|one| found.eigenvalues[*one] * factor).collect();
    for row in 0..n {
        parts.extend(order.iter().map(|one| found.eigenvectors[(row, *one)]));
    }
    parts
}

/// Eigenvalues in ascending order.
pub(super) fn eigenvalues(n: usize, matrix: &[f64]) -> Vec<f64> {
    let mut parts = eigh(n, matrix);
    parts.truncate(n);
    parts
}
