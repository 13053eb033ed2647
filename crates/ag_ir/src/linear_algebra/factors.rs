//! Triangular factors: LU with row exchanges, and Cholesky.

use super::number::Number;
use super::{Answer, Progress, copied, room_for, zeros};
use crate::run::Failure;

/// LU factors: `L` below the diagonal of `U`, and for each row the number of the matrix' row that was moved
/// there. A column without a pivot leaves a zero on the diagonal.
pub(super) fn lu<N: Number>(
    n: usize,
    matrix: &[N],
    progress: &mut Progress<'_>,
) -> Result<(Vec<N>, Vec<usize>), Failure> {
    let mut a = copied(matrix)?;
    let mut order: Vec<usize> = (0..n).collect();
    for column in 0..n {
        let pivot = largest(n, &a, column);
        if pivot != column {
            for j in 0..n {
                a.swap(pivot * n + j, column * n + j);
            }
            order.swap(pivot, column);
        }
        let head = a[column * n + column];
        if head == N::ZERO {
            continue;
        }
        let (above, below) = a.split_at_mut((column + 1) * n);
        let pivot_row = &above[column * n + column + 1..];
        for row in below.chunks_exact_mut(n) {
            let factor = row[column].quotient(head);
            row[column] = factor;
            for (one, pivot) in row[column + 1..].iter_mut().zip(pivot_row) {
                *one -= factor * *pivot;
            }
        }
        progress((n - column) * (n - column))?;
    }
    Ok((a, order))
}

/// The pivot: the row, from the diagonal down, with the largest element of a column; the first of equals.
fn largest<N: Number>(n: usize, a: &[N], column: usize) -> usize {
    let mut best = column;
    for row in column + 1..n {
        if a[row * n + column].size_of_parts() > a[best * n + column].size_of_parts() {
            best = row;
        }
    }
    best
}

/// Solves for all columns of `side`, given the result of [`lu`].
pub(super) fn solve_lu(
    n: usize,
    columns: usize,
    lu: &[f64],
    side: &[f64],
    progress: &mut Progress<'_>,
) -> Answer {
    let (a, order) = lu.split_at(n * n);
    let mut x = room_for(n * columns)?;
    for row in order {
        // Row numbers are exact in a double; none is a NaN.
        let row = (*row as usize).min(n - 1);
        x.extend_from_slice(&side[row * columns..(row + 1) * columns]);
    }
    for row in 0..n {
        for earlier in 0..row {
            subtract(&mut x, columns, row, earlier, a[row * n + earlier]);
        }
        progress(row * columns)?;
    }
    for row in (0..n).rev() {
        for later in row + 1..n {
            subtract(&mut x, columns, row, later, a[row * n + later]);
        }
        for one in &mut x[row * columns..(row + 1) * columns] {
            *one /= a[row * n + row];
        }
        progress((n - row) * columns)?;
    }
    Ok(x)
}

/// `x[row] -= factor * x[other]`.
fn subtract(x: &mut [f64], columns: usize, row: usize, other: usize, factor: f64) {
    let (first, second) = x.split_at_mut(row.max(other) * columns);
    let (low, high) = (&mut first[row.min(other) * columns..][..columns], &mut second[..columns]);
    let (to, from) = if row > other { (high, low) } else { (low, high) };
    for (one, other) in to.iter_mut().zip(from) {
        *one -= factor * *other;
    }
}

/// The lower triangle `L` with `L Lᴴ` equal to the matrix, of which only the lower triangle is read. It is
/// all zero from the first column on whose pivot is not positive.
pub(super) fn cholesky<N: Number>(n: usize, matrix: &[N], progress: &mut Progress<'_>) -> Answer<N> {
    let mut l = zeros(n * n)?;
    for column in 0..n {
        let known = |row: usize, l: &[N]| -> N {
            let (own, other) = (&l[row * n..][..column], &l[column * n..][..column]);
            let products = own.iter().zip(other).map(|(x, y)| *x * y.conjugate());
            matrix[row * n + column] - products.fold(N::ZERO, |sum, one| sum + one)
        };
        let pivot = known(column, &l).re();
        if pivot <= 0.0 {
            break;
        }
        let head = pivot.sqrt();
        l[column * n + column] = N::real(head);
        for row in column + 1..n {
            l[row * n + column] = known(row, &l).over(head);
        }
        progress((n - column) * (column + 1))?;
    }
    Ok(l)
}
