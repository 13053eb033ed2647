//! Singular values and the eigenvalues of symmetric and Hermitian matrices: what is around the two
//! iterations.
//!
//! A matrix with a NaN or an infinity gives NaN everywhere, and so does one for which the rotations do not
//! converge.

use crate::Failure;
use crate::bidiagonal::Bidiagonal;
use crate::number::Number;
use crate::orthogonal::{Reduced, identity, transpose_to, transposed};
use crate::tridiagonal::{Spectrum, Tridiagonal};
use crate::{Answer, Decomposition, Progress, Room, copied, room_for, zeros};

type Triple<N> = (Room<N>, Vec<f64>, Room<N>);

fn is_finite<N: Number>(matrix: &[N]) -> bool {
    matrix.iter().all(|one| one.is_finite())
}

/// The matrix divided by a power of two so that its largest element is about 1, and that power: otherwise
/// squares of tiny or huge elements would underflow or overflow.
fn scaled<N: Number>(mut a: Room<N>) -> (Room<N>, f64) {
    let most = a.iter().fold(0.0_f64, |most, one| most.max(one.largest_part()));
    let is_ordinary = most == 0.0 || (1e-100..1e100).contains(&most);
    let factor =
        if is_ordinary { 1.0 } else { 2.0_f64.powi((most.log2().floor() as i32).clamp(-1000, 1000)) };
    if factor != 1.0 {
        a.iter_mut().for_each(|one| *one = one.over(factor));
    }
    (a, factor)
}

/// The indices that sort the values in descending order.
fn descending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*other].total_cmp(&values[*one]));
    order
}

/// Turns a vector so that its first element is real, as LAPACK's are; returns the number of modulus 1 that
/// does.
fn steadied<N: Number>(vector: &mut [N]) -> N {
    let Some(first) = vector.first() else { return N::ONE };
    // The size of a number with few digits has few digits too.
    let phase = first.times(f64::powi(2.0, 500)).split().1.conjugate();
    vector.iter_mut().for_each(|one| *one = phase * *one);
    vector[0] = N::real(vector[0].re());
    phase
}

/// The conjugate of each element.
fn conjugated<N: Number>(mut numbers: Room<N>) -> Room<N> {
    numbers.iter_mut().for_each(|one| *one = one.conjugate());
    numbers
}

/// The singular value decomposition of a matrix with `height >= width > 0`: `wanted` orthonormal columns
/// (`height × wanted`) that begin with the left vectors, the values, and the right vectors as rows.
fn of_tall<N: Number>(
    (height, width): (usize, usize),
    wanted: usize,
    matrix: Room<N>,
    progress: &mut Progress<'_>,
) -> Result<Option<Triple<N>>, Failure> {
    let (reduced, square) = square_of((height, width), matrix, progress)?;
    let found = Bidiagonal::of(width, square, progress)?.solved(true, progress)?;
    let Some((values, mut left, mut right)) = found else { return Ok(None) };
    let order = descending(&values);
    if N::PARTS > 1 {
        for (left, right) in left.chunks_exact_mut(width).zip(right.chunks_exact_mut(width)) {
            let phase = steadied(right);
            left.iter_mut().for_each(|one| *one = phase * *one);
        }
    }
    let left = in_order(width, &order, &left)?;
    let right = in_order(width, &order, &right)?;
    let values = order.iter().map(|one| values[*one]).collect();
    let mut columns = zeros(height * wanted)?;
    transpose_to((&mut columns, wanted), (&left, width), (width, width));
    if let Some(reduced) = reduced {
        for row in width..wanted {
            columns[row * wanted + row] = N::ONE;
        }
        reduced.apply(&mut columns, wanted, progress)?;
    }
    Ok(Some((columns, values, right)))
}

/// The rows of a matrix in an order.
fn in_order<N: Number>(width: usize, order: &[usize], rows: &[N]) -> Answer<N> {
    let mut sorted = room_for(rows.len())?;
    order.iter().for_each(|one| sorted.extend_from_slice(&rows[one * width..(one + 1) * width]));
    Ok(sorted)
}

/// A matrix with `height >= width` as reflections, none if it is square, and a matrix of `width` rows, which
/// stands above zeros.
fn square_of<N: Number>(
    (height, width): (usize, usize),
    matrix: Room<N>,
    progress: &mut Progress<'_>,
) -> Result<(Option<Reduced<N>>, Room<N>), Failure> {
    if height == width {
        return Ok((None, matrix));
    }
    let reduced = Reduced::of(height, width, matrix, progress)?;
    let mut square = room_for(width * width)?;
    reduced.push_triangle(width, &mut square);
    Ok((Some(reduced), square))
}

/// The matrix or its conjugate transpose, whichever is tall.
fn tall<N: Number>(m: usize, n: usize, a: Room<N>) -> Answer<N> {
    if m >= n { Ok(a) } else { Ok(conjugated(transposed(m, n, &a)?)) }
}

/// Left vectors, values, right vectors (as rows, conjugated).
pub(crate) fn svd<N: Number>(
    m: usize,
    n: usize,
    is_full: bool,
    matrix: Room<N>,
    progress: &mut Progress<'_>,
) -> Answer<N> {
    let k = m.min(n);
    let kind = if is_full { Decomposition::FullSvd } else { Decomposition::Svd };
    if k == 0 {
        let mut parts = Room::default();
        if is_full {
            parts.extend_from_slice(&identity(m, m)?);
            parts.extend_from_slice(&identity(n, n)?);
        }
        return Ok(parts);
    }
    let none = || not_found(kind.length(m, n));
    if !is_finite(&matrix) {
        return none();
    }
    let (a, factor) = scaled(matrix);
    let (rows, columns) = if is_full { (m, n) } else { (k, k) };
    let a = tall(m, n, a)?;
    let mut parts = room_for(kind.length(m, n))?;
    if m >= n {
        let Some((left, values, right)) = of_tall((m, n), rows, a, progress)? else { return none() };
        parts.extend_from_slice(&left);
        parts.extend(values.iter().map(|one| N::real(one * factor)));
        parts.extend_from_slice(&conjugated(right));
    } else {
        let Some((right, values, left)) = of_tall((n, m), columns, a, progress)? else { return none() };
        parts.extend_from_slice(&transposed(m, m, &left)?);
        parts.extend(values.iter().map(|one| N::real(one * factor)));
        parts.extend_from_slice(&conjugated(transposed(n, columns, &right)?));
    }
    Ok(parts)
}

/// Values as numbers.
fn reals<N: Number>(values: &[f64]) -> Answer<N> {
    let mut numbers = room_for(values.len())?;
    numbers.extend(values.iter().map(|one| N::real(*one)));
    Ok(numbers)
}

/// Parts filled with NaN, for a matrix without a decomposition.
fn not_found<N: Number>(count: usize) -> Answer<N> {
    let mut parts = zeros(count)?;
    parts.fill(N::real(f64::NAN));
    Ok(parts)
}

/// The singular values in descending order.
pub(crate) fn singular_values<N: Number>(
    m: usize,
    n: usize,
    matrix: Room<N>,
    progress: &mut Progress<'_>,
) -> Answer<N> {
    let k = m.min(n);
    let none = || not_found(k);
    if !is_finite(&matrix) {
        return none();
    }
    let (a, factor) = scaled(matrix);
    if k == 0 {
        return Ok(Room::default());
    }
    let (_, square) = square_of((m.max(n), k), tall(m, n, a)?, progress)?;
    let Some((values, ..)) = Bidiagonal::of(k, square, progress)?.solved(false, progress)? else {
        return none();
    };
    let mut values: Vec<f64> = values.into_iter().map(|one| one * factor).collect();
    values.sort_by(|one, other| other.total_cmp(one));
    reals(&values)
}

/// The Hermitian matrix whose lower triangle is that of `matrix`; its diagonal is real.
fn hermitian<N: Number>(n: usize, matrix: &[N]) -> Answer<N> {
    let mut whole = transposed(n, n, matrix)?;
    for row in 0..n {
        whole[row * n..row * n + row].copy_from_slice(&matrix[row * n..row * n + row]);
        whole[row * n + row] = N::real(matrix[row * n + row].re());
        if N::PARTS > 1 {
            whole[row * n + row + 1..(row + 1) * n].iter_mut().for_each(|one| *one = one.conjugate());
        }
    }
    Ok(whole)
}

/// Eigenvalues in ascending order, then the vectors as columns.
pub(crate) fn eigh<N: Number>(n: usize, matrix: &[N], progress: &mut Progress<'_>) -> Answer<N> {
    if let [only] = matrix {
        return copied(&[N::real(only.re()), N::ONE]);
    }
    let Some((values, mut vectors)) = spectrum(n, matrix, true, progress)? else {
        return not_found(n + n * n);
    };
    if N::PARTS > 1 {
        vectors.chunks_exact_mut(n.max(1)).for_each(|one| {
            steadied(one);
        });
    }
    let mut order = descending(&values);
    order.reverse();
    let mut parts = room_for(n + n * n)?;
    parts.extend(order.iter().map(|one| N::real(values[*one])));
    parts.resize(n + n * n, N::ZERO);
    transpose_to((&mut parts[n..], n), (&in_order(n, &order, &vectors)?, n), (n, n));
    Ok(parts)
}

/// Eigenvalues in ascending order.
pub(crate) fn eigenvalues<N: Number>(n: usize, matrix: &[N], progress: &mut Progress<'_>) -> Answer<N> {
    if let [only] = matrix {
        return copied(&[N::real(only.re())]);
    }
    let Some((mut values, _)) = spectrum(n, matrix, false, progress)? else { return not_found(n) };
    values.sort_by(f64::total_cmp);
    reals(&values)
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
        return Ok((n == 0).then(|| (Vec::new(), Room::default())));
    }
    let (a, factor) = scaled(whole);
    let found = Tridiagonal::of(n, a, progress)?.solved(with_vectors, progress)?;
    Ok(found.map(|(values, vectors)| (values.into_iter().map(|one| one * factor).collect(), vectors)))
}
