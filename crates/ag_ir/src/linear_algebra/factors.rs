//! Triangular factors: LU with row exchanges, and Cholesky.

use std::ops::Range;

use super::number::Number;
use super::products::{Packed, add_row, in_vectors, inner};
use super::{Answer, Progress, copied, room_for};
use crate::run::Failure;

/// Columns that are factorised before the rest of the matrix hears of them: their rows fit the nearest cache.
const PANEL: usize = 32;

/// LU factors: `L` below the diagonal of `U`, and for each row the number of the matrix' row that was moved
/// there. A column without a pivot leaves a zero on the diagonal.
///
/// A panel of columns is factorised at a time; the matrix to the right of it then loses one product.
pub(super) fn lu<N: Number>(
    n: usize,
    matrix: &[N],
    progress: &mut Progress<'_>,
) -> Result<(Vec<N>, Vec<usize>), Failure> {
    let mut a = copied(matrix)?;
    let mut order: Vec<usize> = (0..n).collect();
    for first in (0..n).step_by(PANEL) {
        let end = (first + PANEL).min(n);
        for column in first..end {
            let pivot = largest(n, &a, column);
            if pivot != column {
                let (above, below) = a.split_at_mut(pivot * n);
                above[column * n..(column + 1) * n].swap_with_slice(&mut below[..n]);
                order.swap(pivot, column);
            }
            in_vectors(|| eliminate(&mut a, n, column, end));
        }
        progress((n - first) * PANEL * PANEL)?;
        if end < n {
            subtract_panel(&mut a, n, (first, end))?;
            progress((n - end) * (n - end) * PANEL)?;
        }
    }
    Ok((a, order))
}

/// Subtracts multiples of the row of a pivot from the rows below, in the columns of the panel that ends before `end`.
#[inline(always)]
fn eliminate<N: Number>(a: &mut [N], n: usize, column: usize, end: usize) {
    let (above, below) = a.split_at_mut((column + 1) * n);
    let pivot_row = &above[column * n..][..end];
    let head = pivot_row[column];
    if head == N::ZERO {
        return;
    }
    for row in below.chunks_exact_mut(n) {
        let factor = row[column].quotient(head);
        row[column] = factor;
        add_row(&mut row[column + 1..end], -factor, &pivot_row[column + 1..]);
    }
}

/// The panel's rows of `U` to the right of it; then subtracts their product with the panel's `L` from the rows below.
fn subtract_panel<N: Number>(a: &mut [N], n: usize, (first, end): (usize, usize)) -> Result<(), Failure> {
    let depth = end - first;
    let (panel, below) = a[first * n..].split_at_mut(depth * n);
    in_vectors(|| {
        for row in 1..depth {
            let (known, rest) = panel.split_at_mut(row * n);
            let (factors, own) = rest[..n].split_at_mut(end);
            for (factor, known) in factors[first..].iter().zip(known.chunks_exact(n)) {
                add_row(own, -*factor, &known[end..]);
            }
        }
    });
    let upper = Packed::of((depth, n - end), |row, column| panel[row * n + end + column])?;
    let mut factors = room_for((n - end) * depth)?;
    below.chunks_exact(n).for_each(|row| factors.extend(row[first..end].iter().map(|one| -*one)));
    upper.add_to((n, end), below, (depth, &factors), |_| n);
    Ok(())
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
    for first in (0..n).step_by(PANEL) {
        let end = (first + PANEL).min(n);
        in_vectors(|| {
            for row in first..end {
                let (known, rest) = x.split_at_mut(row * columns);
                subtract_rows(
                    &mut rest[..columns],
                    &a[row * n + first..row * n + row],
                    &known[first * columns..],
                );
            }
        });
        subtract_known(&mut x, (n, columns), a, (first, end), end..n)?;
        progress(PANEL * (n - first) * columns)?;
    }
    for first in (0..n).step_by(PANEL).rev() {
        let end = (first + PANEL).min(n);
        in_vectors(|| {
            for row in (first..end).rev() {
                let (rest, known) = x.split_at_mut((row + 1) * columns);
                let own = &mut rest[row * columns..];
                subtract_rows(own, &a[row * n + row + 1..row * n + end], known);
                own.iter_mut().for_each(|one| *one /= a[row * n + row]);
            }
        });
        subtract_known(&mut x, (n, columns), a, (first, end), 0..first)?;
        progress(PANEL * end * columns)?;
    }
    Ok(x)
}

/// Subtracts the products of factors with the rows of `known`, one row for a factor.
#[inline(always)]
fn subtract_rows(own: &mut [f64], factors: &[f64], known: &[f64]) {
    if let [only] = own {
        *only -= inner(factors, &known[..factors.len()]);
        return;
    }
    for (factor, known) in factors.iter().zip(known.chunks_exact(own.len())) {
        add_row(own, -*factor, known);
    }
}

/// Subtracts from the rows `others` of `x` what its known rows `first..end` contribute to them.
fn subtract_known(
    x: &mut [f64],
    (n, columns): (usize, usize),
    a: &[f64],
    (first, end): (usize, usize),
    others: Range<usize>,
) -> Result<(), Failure> {
    let depth = end - first;
    if columns == 1 {
        let known: [f64; PANEL] =
            std::array::from_fn(|place| if place < depth { x[first + place] } else { 0.0 });
        in_vectors(|| {
            for row in others {
                x[row] -= inner(&a[row * n + first..row * n + end], &known[..depth]);
            }
        });
        return Ok(());
    }
    let known = Packed::of((depth, columns), |row, column| x[(first + row) * columns + column])?;
    let mut factors = room_for(others.len() * depth)?;
    let rows = others.clone().map(|row| &a[row * n + first..row * n + end]);
    rows.for_each(|row| factors.extend(row.iter().map(|one| -*one)));
    let own = &mut x[others.start * columns..others.end * columns];
    known.add_to((columns, 0), own, (depth, &factors), |_| columns);
    Ok(())
}

/// The lower triangle `L` with `L Lᴴ` equal to the matrix, of which only the lower triangle is read. It is
/// all zero from the first column on whose pivot is not positive.
pub(super) fn cholesky<N: Number>(n: usize, matrix: &[N], progress: &mut Progress<'_>) -> Answer<N> {
    let mut l = copied(matrix)?;
    let mut known = n;
    for first in (0..n).step_by(PANEL) {
        let end = (first + PANEL).min(n);
        if let Some(column) = in_vectors(|| factorise(&mut l, n, (first, end))) {
            known = column;
            break;
        }
        progress((n - first) * PANEL * PANEL)?;
        if end < n {
            let below = &mut l[end * n..];
            let mut rows = room_for((n - end) * (end - first))?;
            below.chunks_exact(n).for_each(|row| rows.extend(row[first..end].iter().map(|one| -*one)));
            let width = end - first;
            let size = (width, n - end);
            let upper = Packed::of(size, |row, column| -rows[column * width + row].conjugate())?;
            upper.add_to((n, end), below, (width, &rows), |row| row + 1);
            progress((n - end) * (n - end) * PANEL / 2)?;
        }
    }
    for (row, numbers) in l.chunks_exact_mut(n.max(1)).enumerate() {
        numbers[(row + 1).min(known)..].fill(N::ZERO);
    }
    Ok(l)
}

/// Factorises a panel of columns, to which nothing to the left of it contributes any more; returns the first column
/// whose pivot is not positive, which ends the factor.
#[inline(always)]
fn factorise<N: Number>(l: &mut [N], n: usize, (first, end): (usize, usize)) -> Option<usize> {
    // The conjugate transpose of the panel's square, so that what a number contributes stands in a row.
    let mut upper = [[N::ZERO; PANEL]; PANEL];
    let mut known = end - first;
    for (row, numbers) in l[first * n..].chunks_exact_mut(n).enumerate() {
        let own = &mut numbers[first..end];
        let count = known.min(row);
        for column in 0..count {
            let one = own[column].over(upper[column][column].re());
            own[column] = one;
            add_row(&mut own[column + 1..count], -one, &upper[column][column + 1..count]);
        }
        if row < known {
            let pivot = own[row].re() - own[..row].iter().map(|one| one.square()).sum::<f64>();
            if pivot <= 0.0 {
                known = row;
                continue;
            }
            own[row] = N::real(pivot.sqrt());
            for (column, one) in own[..=row].iter().enumerate() {
                upper[column][row] = one.conjugate();
            }
        }
    }
    (known < end - first).then_some(first + known)
}
