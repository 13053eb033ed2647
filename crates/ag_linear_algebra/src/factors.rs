//! Triangular factors: LU with row exchanges, and Cholesky.

use crate::Failure;
use crate::number::Number;
use crate::orthogonal::transpose_to;
use crate::products::{Needed, Products, View};
use crate::triangular::{Kind, solve};
use crate::vectors::in_vectors;
use crate::{Answer, Progress, Room, room_for, some_numbers};

/// Columns that are factorised before the rest of the matrix hears of them.
const PANEL: usize = 32;

/// Columns that are factorised one after the other.
const FEW: usize = 8;

/// LU factors: `L` below the diagonal of `U`, and for each row the number of the matrix' row that was moved
/// there. A column without a pivot leaves a zero on the diagonal.
///
/// A panel of columns is factorised at a time, turned so that its columns are in one piece; the matrix to the
/// right of it then loses one product.
pub(crate) fn lu<N: Number>(
    n: usize,
    mut a: Room<N>,
    progress: &mut Progress<'_>,
) -> Result<(Room<N>, Vec<usize>), Failure> {
    let mut order: Vec<usize> = (0..n).collect();
    let mut products = Products::default();
    let mut columns: Room<N> = some_numbers(PANEL.min(n) * n)?;
    for first in (0..n).step_by(PANEL) {
        let end = (first + PANEL).min(n);
        let (width, height) = (end - first, n - first);
        let panel = &mut columns[..width * height];
        transpose_to((panel, height), (&a[first * n + first..], n), (height, width));
        let mut pivots = [0; PANEL];
        factorise_columns(&mut products, panel, height, (0, width), &mut pivots)?;
        for (column, pivot) in pivots[..width].iter().enumerate().filter(|(column, pivot)| **pivot != *column)
        {
            let (one, other) = (first + column, first + pivot);
            let (above, below) = a.split_at_mut(other * n);
            above[one * n..(one + 1) * n].swap_with_slice(&mut below[..n]);
            order.swap(one, other);
        }
        transpose_to((&mut a[first * n + first..], n), (panel, height), (width, height));
        progress(height * PANEL * PANEL)?;
        if end < n {
            let (rows, below) = a[first * n..].split_at_mut(width * n);
            let lower = View::of(panel, height).transposed();
            let right = n - end;
            solve(&mut products, Kind::UnitLower, (width, lower), (&mut rows[end..], n, right))?;
            let operands = (lower.from(width, 0), View::of(&rows[end..], n));
            products.add((&mut below[end..], n), (right, right, width), operands, -1.0, Needed::All)?;
            progress(right * right * PANEL)?;
        }
    }
    Ok((a, order))
}

/// Factorises the columns `from..to` of a panel, which stand as rows of `height` numbers: columns before have
/// contributed already. Writes down which row each pivot came from, and exchanges numbers in all columns.
fn factorise_columns<N: Number>(
    products: &mut Products,
    panel: &mut [N],
    height: usize,
    (from, to): (usize, usize),
    pivots: &mut [usize; PANEL],
) -> Result<(), Failure> {
    if to - from <= FEW {
        for column in from..to {
            let pivot = column + largest(&panel[column * height..][column..height]);
            pivots[column] = pivot;
            if pivot != column {
                panel.chunks_exact_mut(height).for_each(|numbers| numbers.swap(column, pivot));
            }
            let (done, rest) = panel.split_at_mut((column + 1) * height);
            let own = &mut done[column * height..];
            if own[column] != N::ZERO {
                N::eliminate(own, &mut rest[..(to - column - 1) * height], column);
            }
        }
        return Ok(());
    }
    let middle = from + ((to - from) / 2).next_multiple_of(FEW);
    factorise_columns(products, panel, height, (from, middle), pivots)?;
    let (left, right) = panel.split_at_mut(middle * height);
    let (width, count) = (middle - from, to - middle);
    let mut above = [N::ZERO; PANEL * PANEL / 4];
    for (number, column) in right[..count * height].chunks_exact_mut(height).enumerate() {
        let own = &mut column[from..middle];
        for place in 0..width {
            let factor = own[place];
            let known = &left[(from + place) * height + from..][..width];
            for row in place + 1..width {
                own[row] -= factor * known[row];
            }
        }
        above[number * width..(number + 1) * width].copy_from_slice(own);
    }
    let operands = (View::of(&above, width), View::of(left, height).from(from, middle));
    let size = (count, height - middle, width);
    products.add((&mut right[middle..], height), size, operands, -1.0, Needed::All)?;
    factorise_columns(products, panel, height, (middle, to), pivots)
}

/// The place of the largest number; the first of equals, and the first of all if that is a NaN.
fn largest<N: Number>(numbers: &[N]) -> usize {
    let Some(first) = numbers.first() else { return 0 };
    let first = first.size_of_parts();
    if first.is_nan() {
        return 0;
    }
    let most = in_vectors(
        #[inline(always)]
        || {
            let mut most = [first; 16];
            let chunks = numbers.chunks_exact(16);
            let rest = chunks.remainder();
            for chunk in chunks {
                for (most, one) in most.iter_mut().zip(chunk) {
                    let size = one.size_of_parts();
                    *most = if size > *most { size } else { *most };
                }
            }
            let most = most.iter().fold(first, |most, one| most.max(*one));
            rest.iter().fold(most, |most, one| most.max(one.size_of_parts()))
        },
    );
    numbers.iter().position(|one| one.size_of_parts() == most).unwrap_or(0)
}

/// Solves for all columns of `side`, given the result of [`lu`].
pub(crate) fn solve_lu(
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
    if columns == 1 {
        solve_vector(n, a, &mut x);
        progress(2 * n * n)?;
        return Ok(x);
    }
    let mut products = Products::default();
    let factors = (n, View::of(a, n));
    for kind in [Kind::UnitLower, Kind::Upper] {
        // Columns are solved for apart from each other: so many that the work can be interrupted.
        for first in (0..columns).step_by(COLUMNS) {
            let count = COLUMNS.min(columns - first);
            solve(&mut products, kind, factors, (&mut x[first..], columns, count))?;
            progress(n * n * count)?;
        }
    }
    Ok(x)
}

/// Right sides that are solved for together.
const COLUMNS: usize = 768;

/// Solves for one right side: rows by the vector, a block of rows at a time.
fn solve_vector(n: usize, a: &[f64], x: &mut [f64]) {
    let mut sums = [0.0; FEW];
    for first in (0..n).step_by(FEW) {
        let (known, own) = x.split_at_mut(first);
        let own = &mut own[..FEW.min(n - first)];
        let sums = &mut sums[..own.len()];
        f64::rows_by_vector(sums, &a[first * n..], n, known);
        for row in 0..own.len() {
            let beside = &a[(first + row) * n + first..];
            own[row] -= sums[row];
            own[row] = (0..row).fold(own[row], |one, place| one - beside[place] * own[place]);
        }
    }
    for first in (0..n).step_by(FEW).rev() {
        let end = (first + FEW).min(n);
        let (own, known) = x.split_at_mut(end);
        let own = &mut own[first..];
        let sums = &mut sums[..own.len()];
        // The last row of the matrix may have nothing there.
        f64::rows_by_vector(sums, a.get(first * n + end..).unwrap_or_default(), n, known);
        for row in (0..own.len()).rev() {
            let beside = &a[(first + row) * n + first..];
            own[row] -= sums[row];
            let rest = (row + 1..own.len()).fold(own[row], |one, place| one - beside[place] * own[place]);
            own[row] = rest / beside[row];
        }
    }
}

/// The lower triangle `L` with `L Lᴴ` equal to the matrix, of which only the lower triangle is read. It is
/// all zero from the first column on whose pivot is not positive.
///
/// What is computed is `Lᴴ`, whose rows are in one piece.
pub(crate) fn cholesky<N: Number>(n: usize, matrix: &[N], progress: &mut Progress<'_>) -> Answer<N> {
    let mut upper: Room<N> = some_numbers(n * n)?;
    for first in (0..n).step_by(PANEL) {
        let end = (first + PANEL).min(n);
        let to = &mut upper[first * n + first..];
        transpose_to((to, n), (&matrix[first * n + first..], n), (n - first, end - first));
    }
    if N::PARTS > 1 {
        upper.iter_mut().for_each(|one| *one = one.conjugate());
    }
    let mut room = room_for((n / 2 + FEW).pow(2))?;
    let known = factorise(&mut Products::default(), (&mut upper, n, n), &mut room, progress)?;
    let mut l: Room<N> = some_numbers(n * n)?;
    for first in (0..n).step_by(PANEL) {
        let end = (first + PANEL).min(n);
        // The rows of `L` from `first` to `end`: what stands above them in columns of `Lᴴ`.
        transpose_to((&mut l[first * n..], n), (&upper[first..], n), (end, end - first));
    }
    for (row, numbers) in l.chunks_exact_mut(n.max(1)).enumerate() {
        let kept = (row + 1).min(known);
        if N::PARTS > 1 {
            numbers[..kept].iter_mut().for_each(|one| *one = one.conjugate());
        }
        numbers[kept..].fill(N::ZERO);
    }
    Ok(l)
}

/// Factorises the upper triangle of a matrix of `n` rows in place; returns how many rows have a positive
/// pivot.
fn factorise<N: Number>(
    products: &mut Products,
    (a, stride, n): (&mut [N], usize, usize),
    room: &mut Room<N>,
    progress: &mut Progress<'_>,
) -> Result<usize, Failure> {
    if n <= FEW {
        return Ok(factorise_few(a, stride, n));
    }
    let half = (n / 2).next_multiple_of(FEW);
    let (above, below) = a.split_at_mut(half * stride);
    let known = factorise(products, (above, stride, half), room, progress)?;
    room.clear();
    above.chunks(stride).take(known).for_each(|row| room.extend(row[..known].iter().copied()));
    let factor = View::of(room, known).transposed().conjugate();
    let count = n - half;
    solve(products, Kind::Lower, (known, factor), (&mut above[half..], stride, count))?;
    progress(half * half * count)?;
    if known < half {
        return Ok(known);
    }
    let right = View::of(&above[half..], stride);
    let operands = (right.transposed().conjugate(), right);
    products.add((&mut below[half..], stride), (count, count, half), operands, -1.0, Needed::Upper)?;
    progress(half * count * count)?;
    Ok(half + factorise(products, (&mut below[half..], stride, count), room, progress)?)
}

/// [`factorise`] for a few rows.
fn factorise_few<N: Number>(a: &mut [N], stride: usize, n: usize) -> usize {
    for row in 0..n {
        let pivot = a[row * stride + row].re();
        if pivot <= 0.0 {
            return row;
        }
        let root = pivot.sqrt();
        a[row * stride + row] = N::real(root);
        for column in row + 1..n {
            a[row * stride + column] = a[row * stride + column].over(root);
        }
        for other in row + 1..n {
            let factor = a[row * stride + other].conjugate();
            for column in other..n {
                let known = a[row * stride + column];
                a[other * stride + column] -= factor * known;
            }
        }
    }
    n
}
