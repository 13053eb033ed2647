//! Singular values and the eigenvalues of symmetric and Hermitian matrices: what is around the two iterations.
//!
//! A matrix with a NaN or an infinity gives NaN everywhere, and so does one for which the rotations do not
//! converge.

use std::cmp::Ordering;

use super::bidiagonal::Bidiagonal;
use super::number::Number;
use super::orthogonal::{identity, qr, transposed};
use super::products::product;
use super::tridiagonal::{Spectrum, Tridiagonal};
use super::{Answer, Decomposition, Progress, copied, room_for, zeros};
use crate::run::Failure;

type Triple<N> = (Vec<N>, Vec<f64>, Vec<N>);

fn is_finite<N: Number>(matrix: &[N]) -> bool {
    matrix.iter().all(|one| one.is_finite())
}

/// The matrix divided by a power of two so that its largest element is about 1, and that power: otherwise
/// squares of tiny or huge elements would underflow or overflow.
fn scaled<N: Number>(matrix: &[N]) -> Result<(Vec<N>, f64), Failure> {
    let most = matrix.iter().fold(0.0_f64, |most, one| most.max(one.largest_part()));
    let is_ordinary = most == 0.0 || (1e-100..1e100).contains(&most);
    let factor =
        if is_ordinary { 1.0 } else { 2.0_f64.powi((most.log2().floor() as i32).clamp(-1000, 1000)) };
    let mut a = copied(matrix)?;
    a.iter_mut().for_each(|one| *one = one.over(factor));
    Ok((a, factor))
}

/// The indices that sort the values in descending order.
fn descending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*other].total_cmp(&values[*one]));
    order
}

/// Turns a vector so that its first element is real, as LAPACK's are; returns the number of modulus 1 that does.
fn steadied<N: Number>(vector: &mut [N]) -> N {
    let Some(first) = vector.first() else { return N::ONE };
    // The size of a number with few digits has few digits too.
    let phase = first.times(f64::powi(2.0, 500)).split().1.conjugate();
    vector.iter_mut().for_each(|one| *one = phase * *one);
    vector[0] = N::real(vector[0].re());
    phase
}

/// The conjugate of each element.
fn conjugated<N: Number>(mut numbers: Vec<N>) -> Vec<N> {
    numbers.iter_mut().for_each(|one| *one = one.conjugate());
    numbers
}

/// The singular value decomposition of a matrix with `height >= width > 0`: `wanted` orthonormal columns
/// (`height × wanted`) that begin with the left vectors, the values, and the right vectors as rows.
fn of_tall<N: Number>(
    (height, width): (usize, usize),
    wanted: usize,
    matrix: Vec<N>,
    progress: &mut Progress<'_>,
) -> Result<Option<Triple<N>>, Failure> {
    let (basis, square) = square_of((height, width), wanted, matrix, progress)?;
    let found = Bidiagonal::of(width, square, progress)?.solved(true, progress)?;
    let Some((values, left, mut right)) = found else { return Ok(None) };
    let phases: Vec<N> = right.chunks_exact_mut(width).map(steadied).collect();
    let order = descending(&values);
    let mut turned = zeros(width * width)?;
    for (place, one) in order.iter().enumerate() {
        for row in 0..width {
            turned[row * width + place] = phases[*one] * left[one * width + row];
        }
    }
    let mut sorted = room_for(width * width)?;
    order.iter().for_each(|one| sorted.extend_from_slice(&right[one * width..(one + 1) * width]));
    let values = order.iter().map(|one| values[*one]).collect();
    let Some(mut basis) = basis else { return Ok(Some((turned, values, sorted))) };
    let mut begin = room_for(height * width)?;
    basis.chunks_exact(wanted).for_each(|row| begin.extend_from_slice(&row[..width]));
    progress(height * width * width)?;
    let begin = product((height, width, width), &begin, &turned)?;
    for (row, begin) in basis.chunks_exact_mut(wanted).zip(begin.chunks_exact(width)) {
        row[..width].copy_from_slice(begin);
    }
    Ok(Some((basis, values, sorted)))
}

/// A matrix with `height >= width` as a product of `wanted` orthonormal columns, none if it is square, and a matrix of
/// `width` rows, which stands above zeros.
fn square_of<N: Number>(
    (height, width): (usize, usize),
    wanted: usize,
    matrix: Vec<N>,
    progress: &mut Progress<'_>,
) -> Result<(Option<Vec<N>>, Vec<N>), Failure> {
    if height == width {
        return Ok((None, matrix));
    }
    let mut parts = qr(height, width, wanted, &matrix, progress)?;
    let square = copied(&parts[height * wanted..height * wanted + width * width])?;
    parts.truncate(height * wanted);
    Ok((Some(parts), square))
}

/// The matrix or its conjugate transpose, whichever is tall.
fn tall<N: Number>(m: usize, n: usize, a: Vec<N>) -> Answer<N> {
    if m >= n { Ok(a) } else { Ok(conjugated(transposed(m, n, &a)?)) }
}

/// Left vectors, values, right vectors (as rows, conjugated).
pub(super) fn svd<N: Number>(
    m: usize,
    n: usize,
    is_full: bool,
    matrix: &[N],
    progress: &mut Progress<'_>,
) -> Answer<N> {
    let k = m.min(n);
    let kind = if is_full { Decomposition::FullSvd } else { Decomposition::Svd };
    if k == 0 {
        return Ok(if is_full { [identity(m, m)?, identity(n, n)?].concat() } else { Vec::new() });
    }
    let none = || not_found(kind.length(m, n));
    if !is_finite(matrix) {
        return none();
    }
    let (a, factor) = scaled(matrix)?;
    let (rows, columns) = if is_full { (m, n) } else { (k, k) };
    let a = tall(m, n, a)?;
    let mut parts = room_for(kind.length(m, n))?;
    if m >= n {
        let Some((left, values, right)) = of_tall((m, n), rows, a, progress)? else { return none() };
        parts.extend(left);
        parts.extend(values.iter().map(|one| N::real(one * factor)));
        parts.extend(conjugated(right));
    } else {
        let Some((right, values, left)) = of_tall((n, m), columns, a, progress)? else { return none() };
        parts.extend(transposed(m, m, &left)?);
        parts.extend(values.iter().map(|one| N::real(one * factor)));
        parts.extend(conjugated(transposed(n, columns, &right)?));
    }
    Ok(parts)
}

/// Parts filled with NaN, for a matrix without a decomposition.
fn not_found<N: Number>(count: usize) -> Answer<N> {
    let mut parts = zeros(count)?;
    parts.fill(N::real(f64::NAN));
    Ok(parts)
}

/// The singular values in descending order.
pub(super) fn singular_values<N: Number>(
    m: usize,
    n: usize,
    matrix: &[N],
    progress: &mut Progress<'_>,
) -> Answer<N> {
    let k = m.min(n);
    let none = || not_found(k);
    if !is_finite(matrix) {
        return none();
    }
    let (a, factor) = scaled(matrix)?;
    if k == 0 {
        return Ok(Vec::new());
    }
    let (_, square) = square_of((m.max(n), k), k, tall(m, n, a)?, progress)?;
    let Some((values, ..)) = Bidiagonal::of(k, square, progress)?.solved(false, progress)? else {
        return none();
    };
    let mut values: Vec<f64> = values.into_iter().map(|one| one * factor).collect();
    values.sort_by(|one, other| other.total_cmp(one));
    Ok(values.into_iter().map(N::real).collect())
}

/// The Hermitian matrix whose lower triangle is that of `matrix`; its diagonal is real.
fn hermitian<N: Number>(n: usize, matrix: &[N]) -> Answer<N> {
    let mirrored = |place: usize| {
        let (row, column) = (place / n, place % n);
        match row.cmp(&column) {
            Ordering::Less => matrix[column * n + row].conjugate(),
            Ordering::Equal => N::real(matrix[place].re()),
            Ordering::Greater => matrix[place],
        }
    };
    let mut whole = room_for(n * n)?;
    whole.extend((0..n * n).map(mirrored));
    Ok(whole)
}

/// Eigenvalues in ascending order, then the vectors as columns.
pub(super) fn eigh<N: Number>(n: usize, matrix: &[N], progress: &mut Progress<'_>) -> Answer<N> {
    if let [only] = matrix {
        return Ok(vec![N::real(only.re()), N::ONE]);
    }
    let Some((values, mut vectors)) = spectrum(n, matrix, true, progress)? else {
        return not_found(n + n * n);
    };
    vectors.chunks_exact_mut(n.max(1)).for_each(|one| {
        steadied(one);
    });
    let mut order = descending(&values);
    order.reverse();
    let mut parts = room_for(n + n * n)?;
    parts.extend(order.iter().map(|one| N::real(values[*one])));
    for row in 0..n {
        parts.extend(order.iter().map(|one| vectors[one * n + row]));
    }
    Ok(parts)
}

/// Eigenvalues in ascending order.
pub(super) fn eigenvalues<N: Number>(n: usize, matrix: &[N], progress: &mut Progress<'_>) -> Answer<N> {
    if let [only] = matrix {
        return Ok(vec![N::real(only.re())]);
    }
    let Some((mut values, _)) = spectrum(n, matrix, false, progress)? else { return not_found(n) };
    values.sort_by(f64::total_cmp);
    Ok(values.into_iter().map(N::real).collect())
}

/// The eigenvalues in no order, and the vectors as rows if `with_vectors`.
fn spectrum<N: Number>(
    n: usize,
    matrix: &[N],
    with_vectors: bool,
    progress: &mut Progress<'_>,
) -> Result<Option<Spectrum<N>>, Failure> {
    let whole = hermitian(n, matrix)?;
    if n == 0 || !is_finite(&whole) {
        return Ok((n == 0).then(|| (Vec::new(), Vec::new())));
    }
    let (a, factor) = scaled(&whole)?;
    let found = Tridiagonal::of(n, a, progress)?.solved(with_vectors, progress)?;
    Ok(found.map(|(values, vectors)| (values.into_iter().map(|one| one * factor).collect(), vectors)))
}
