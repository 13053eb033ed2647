//! `QR` by Householder's reflections, with the signs that LAPACK gives; reflections are applied many at a
//! time.

use crate::Failure;
use crate::number::Number;
use crate::products::{Needed, Products, View};
use crate::vectors::in_vectors;
use crate::{Answer, Progress, Room, room_for, some_numbers, zeros};

/// Reflections that are applied together.
pub(crate) const TOGETHER: usize = 32;

/// A product of reflections and an upper triangle: the matrix is the first by the second, with zeros below.
pub(crate) struct Reduced<N: Number> {
    m: usize,
    n: usize,
    blocks: Vec<Block<N>>,
    /// An `m × n` matrix, of which the upper triangle counts.
    r: Room<N>,
}

impl<N: Number> Reduced<N> {
    /// Of an `m × n` matrix.
    ///
    /// Column `j` is reflected onto `beta e_j` with `beta = -sign(alpha) * norm`, so that no digits cancel. A
    /// column that is already real and zero below the diagonal is left alone, as in LAPACK's `larfg`. `beta`
    /// is real, and the sign that of the real part of `alpha`.
    pub(crate) fn of(
        m: usize,
        n: usize,
        mut r: Room<N>,
        progress: &mut Progress<'_>,
    ) -> Result<Self, Failure> {
        let mut products = Products::default();
        let mut blocks = Vec::new();
        for first in (0..m.min(n)).step_by(TOGETHER) {
            let end = (first + TOGETHER).min(m.min(n));
            let (count, height) = (end - first, m - first);
            let mut vectors: Room<N> = some_numbers(count * height)?;
            transpose_to((&mut vectors, height), (&r[first * n + first..], n), (height, count));
            let mut taus = [N::ZERO; TOGETHER];
            for column in 0..count {
                let (own, others) = vectors[column * height..].split_at_mut(height);
                let (above, own) = own.split_at_mut(column);
                for (row, one) in above.iter_mut().enumerate() {
                    r[(first + row) * n + first + column] = *one;
                    *one = N::ZERO;
                }
                let (tau, beta) = make_reflection(own);
                taus[column] = tau;
                r[(first + column) * n + first + column] = N::real(beta);
                // `A = H R` with `H = 1 - tau v vᴴ`, so `R` is `Hᴴ A`.
                let mut factors = [N::ZERO; TOGETHER];
                let factors = &mut factors[..count - column - 1];
                if !factors.is_empty() {
                    N::rows_by_vector(factors, &others[column..], height, own);
                }
                for (other, factor) in others.chunks_exact_mut(height).zip(factors) {
                    N::add_row(&mut other[column..], -(tau * *factor).conjugate(), own);
                }
                progress(height * (count - column))?;
            }
            let block = Block::of(&mut products, height, vectors, &taus[..count])?;
            block.apply(&mut products, true, (&mut r[first * n + end..], n, n - end), progress)?;
            blocks.push(block);
        }
        Ok(Self { m, n, blocks, r })
    }

    /// Applies the reflections to a matrix of `m` rows of `width` numbers from the left.
    pub(crate) fn apply(
        &self,
        a: &mut [N],
        width: usize,
        progress: &mut Progress<'_>,
    ) -> Result<(), Failure> {
        let mut products = Products::default();
        for (number, block) in self.blocks.iter().enumerate().rev() {
            let first = number * TOGETHER * width;
            block.apply(&mut products, false, (&mut a[first..], width, width), progress)?;
        }
        Ok(())
    }

    /// The first `width` columns of the product of the reflections, an `m × width` matrix; with room for
    /// more.
    fn columns(&self, width: usize, more: usize, progress: &mut Progress<'_>) -> Answer<N> {
        let mut q = room_for(self.m * width + more)?;
        q.resize(self.m * width, N::ZERO);
        for diagonal in 0..width {
            q[diagonal * width + diagonal] = N::ONE;
        }
        let mut products = Products::default();
        for (number, block) in self.blocks.iter().enumerate().rev() {
            let first = number * TOGETHER;
            let rest = (&mut q[first * width + first..], width, width - first);
            block.apply_to_identity(&mut products, rest, progress)?;
        }
        Ok(q)
    }

    /// Appends the first rows of the triangle, with the zeros below the diagonal.
    pub(crate) fn push_triangle(&self, rows: usize, to: &mut Vec<N>) {
        for row in 0..rows {
            let zeros = row.min(self.n);
            to.resize(to.len() + zeros, N::ZERO);
            to.extend_from_slice(&self.r[row * self.n + zeros..(row + 1) * self.n]);
        }
    }
}

/// `Q` (`m × width`), then `R` (`width × n`). `width` is `min(m, n)` or `m`.
pub(crate) fn qr<N: Number>(
    m: usize,
    n: usize,
    width: usize,
    matrix: Room<N>,
    progress: &mut Progress<'_>,
) -> Answer<N> {
    let reduced = Reduced::of(m, n, matrix, progress)?;
    let mut q = reduced.columns(width, width * n, progress)?;
    reduced.push_triangle(width, &mut q);
    Ok(q)
}

/// The product of a few reflections, the first one on the left: `1 - V T Vᴴ`.
pub(crate) struct Block<N: Number> {
    height: usize,
    count: usize,
    /// The columns of `V`, as rows of `height` numbers.
    vectors: Room<N>,
    /// `T`, an upper triangle.
    factor: Room<N>,
}

impl<N: Number> Block<N> {
    /// Of vectors of `height` numbers, one after the other, and the factor of each.
    pub(crate) fn of(
        products: &mut Products,
        height: usize,
        vectors: Room<N>,
        taus: &[N],
    ) -> Result<Self, Failure> {
        let count = taus.len();
        let mut squares = zeros(count * count)?;
        let columns = View::of(&vectors, height);
        let operands = (columns.conjugate(), columns.transposed());
        products.add((&mut squares, count), (count, count, height), operands, 1.0, Needed::All)?;
        let mut factor: Room<N> = zeros(count * count)?;
        for (column, tau) in taus.iter().enumerate() {
            for row in 0..column {
                let known = &factor[row * count + row..row * count + column];
                let beside = (row..column).map(|place| squares[place * count + column]);
                let sum = known.iter().zip(beside).fold(N::ZERO, |sum, (x, y)| sum + *x * y);
                factor[row * count + column] = -(*tau * sum);
            }
            factor[column * count + column] = *tau;
        }
        Ok(Self { height, count, vectors, factor })
    }

    /// Applies it to a matrix of `width` columns from the left, or its conjugate transpose.
    pub(crate) fn apply(
        &self,
        products: &mut Products,
        is_adjoint: bool,
        (a, stride, width): (&mut [N], usize, usize),
        progress: &mut Progress<'_>,
    ) -> Result<(), Failure> {
        if width == 0 || self.count == 0 {
            return Ok(());
        }
        let columns = View::of(&self.vectors, self.height);
        let mut sums = zeros(self.count * width)?;
        let operands = (columns.conjugate(), View::of(a, stride));
        products.add((&mut sums, width), (self.count, width, self.height), operands, 1.0, Needed::All)?;
        self.subtract(products, is_adjoint, &sums, (a, stride, width), progress)
    }

    /// Applies it to a matrix whose first columns, as many as there are reflections, are those of the
    /// identity, and whose others have zeros in the first rows.
    fn apply_to_identity(
        &self,
        products: &mut Products,
        (a, stride, width): (&mut [N], usize, usize),
        progress: &mut Progress<'_>,
    ) -> Result<(), Failure> {
        let (height, count) = (self.height, self.count);
        let columns = View::of(&self.vectors, height);
        let mut sums = zeros(count * width)?;
        for row in 0..count {
            for column in 0..count {
                sums[row * width + column] = columns.at(row, column).conjugate();
            }
        }
        if width > count {
            let below = View::of(&a[count * stride + count..], stride);
            let operands = (columns.conjugate().from(0, count), below);
            let size = (count, width - count, height - count);
            products.add((&mut sums[count..], width), size, operands, 1.0, Needed::All)?;
        }
        self.subtract(products, false, &sums, (a, stride, width), progress)
    }

    /// Subtracts `V T sums` from a matrix, or `V Tᴴ sums`.
    fn subtract(
        &self,
        products: &mut Products,
        is_adjoint: bool,
        sums: &[N],
        (a, stride, width): (&mut [N], usize, usize),
        progress: &mut Progress<'_>,
    ) -> Result<(), Failure> {
        let (height, count) = (self.height, self.count);
        let factor = View::of(&self.factor, count);
        let factor = if is_adjoint { factor.transposed().conjugate() } else { factor };
        let mut turned = zeros(count * width)?;
        let operands = (factor, View::of(sums, width));
        products.add((&mut turned, width), (count, width, count), operands, 1.0, Needed::All)?;
        let operands = (View::of(&self.vectors, height).transposed(), View::of(&turned, width));
        products.add((a, stride), (height, width, count), operands, -1.0, Needed::All)?;
        progress(height * width * count / 4).map_err(Failure::from)
    }
}

/// The product of reflections, the first one on the left, an `n × n` matrix. The vector of reflection `i`
/// begins in the row `i + offset`.
pub(crate) fn product_of<N: Number>(
    n: usize,
    reflections: &[(Room<N>, N)],
    offset: usize,
    progress: &mut Progress<'_>,
) -> Answer<N> {
    let mut columns = identity(n, n)?;
    let mut products = Products::default();
    for (number, own) in reflections.chunks(TOGETHER).enumerate().rev() {
        let first = number * TOGETHER + offset;
        let height = own[0].0.len();
        let mut vectors = zeros(own.len() * height)?;
        let mut taus = [N::ZERO; TOGETHER];
        for (number, (vector, tau)) in own.iter().enumerate() {
            vectors[number * height + number..(number + 1) * height].copy_from_slice(vector);
            taus[number] = *tau;
        }
        let block = Block::of(&mut products, height, vectors, &taus[..own.len()])?;
        let rest = (&mut columns[first * n + first..], n, n - first);
        block.apply_to_identity(&mut products, rest, progress)?;
    }
    Ok(columns)
}

/// Makes a vector that is not empty the vector `v` of a reflection `H = 1 - tau v vᴴ`, with a leading 1;
/// returns the factor `tau` and the real `beta`, with `Hᴴ x = beta e`.
///
/// A vector of numbers so small that they have few digits is enlarged first, as in LAPACK's `larfg`:
/// otherwise the reflection would not be orthogonal.
pub(crate) fn make_reflection<N: Number>(v: &mut [N]) -> (N, f64) {
    let squares = N::inner(v, v).re();
    // No square that matters has vanished, and none is too large.
    if squares > LEAST_SQUARES && squares < MOST_SQUARES {
        return make_ordinary(v);
    }
    let most = v.iter().fold(0.0_f64, |most, one| most.max(one.largest_part()));
    if most > 0.0 && most < LEAST {
        v.iter_mut().for_each(|one| *one = one.times(ENLARGED));
        let (tau, beta) = make_ordinary(v);
        return (tau, beta / ENLARGED);
    }
    make_ordinary(v)
}

/// Below this a number may have too few digits for quotients of such numbers.
const LEAST: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// A power of two that makes every number below [`LEAST`] an ordinary one.
const ENLARGED: f64 = 1.0 / (f64::MIN_POSITIVE / f64::EPSILON);

fn make_ordinary<N: Number>(v: &mut [N]) -> (N, f64) {
    let alpha = std::mem::replace(&mut v[0], N::ONE);
    let below = &mut v[1..];
    let rest = norm(below);
    if rest == 0.0 && alpha.is_real() {
        below.fill(N::ZERO);
        return (N::ZERO, alpha.re());
    }
    let beta = -alpha.modulus().hypot(rest).copysign(alpha.re());
    let from = alpha - N::real(beta);
    in_vectors(
        #[inline(always)]
        || below.iter_mut().for_each(|one| *one = one.quotient(from)),
    );
    ((N::real(beta) - alpha).over(beta), beta)
}

/// The first `width` columns of the identity of `m` rows.
pub(crate) fn identity<N: Number>(m: usize, width: usize) -> Answer<N> {
    let mut matrix = zeros(m * width)?;
    (0..m.min(width)).for_each(|place| matrix[place * width + place] = N::ONE);
    Ok(matrix)
}

/// Rows and columns that are transposed at a time: their lines of the nearest cache stay there.
const SQUARE: usize = 8;

/// Writes the transpose of a matrix of `m` rows and `n` columns. Rows are so many numbers apart as the
/// strides say.
pub(crate) fn transpose_to<N: Number>(
    (to, to_stride): (&mut [N], usize),
    (from, stride): (&[N], usize),
    (m, n): (usize, usize),
) {
    in_vectors(
        #[inline(always)]
        || {
            for first in (0..m).step_by(SQUARE) {
                for begin in (0..n).step_by(SQUARE) {
                    let rows = SQUARE.min(m - first);
                    let columns = SQUARE.min(n - begin);
                    let (to, from) = (&mut to[begin * to_stride + first..], &from[first * stride + begin..]);
                    if rows == SQUARE && columns == SQUARE {
                        let mut square = [[N::ZERO; SQUARE]; SQUARE];
                        for row in 0..SQUARE {
                            for (column, one) in from[row * stride..row * stride + SQUARE].iter().enumerate()
                            {
                                square[column][row] = *one;
                            }
                        }
                        for (column, numbers) in square.iter().enumerate() {
                            to[column * to_stride..column * to_stride + SQUARE].copy_from_slice(numbers);
                        }
                        continue;
                    }
                    for row in 0..rows {
                        for (column, one) in from[row * stride..row * stride + columns].iter().enumerate() {
                            to[column * to_stride + row] = *one;
                        }
                    }
                }
            }
        },
    );
}

/// The columns of an `m × n` matrix as rows.
pub(crate) fn transposed<N: Number>(m: usize, n: usize, matrix: &[N]) -> Answer<N> {
    let mut columns: Room<N> = some_numbers(m * n)?;
    transpose_to((&mut columns, m), (matrix, n), (m, n));
    Ok(columns)
}

/// Between these, a sum of squares has lost no digits.
const LEAST_SQUARES: f64 = 1e-200;
const MOST_SQUARES: f64 = 1e300;

/// The Euclidean norm, scaled so that it neither overflows nor vanishes.
fn norm<N: Number>(values: &[N]) -> f64 {
    let squares = N::inner(values, values).re();
    if squares > LEAST_SQUARES && squares < MOST_SQUARES {
        return squares.sqrt();
    }
    let scale = values
        .iter()
        .map(|one| one.largest_part())
        .fold(0.0_f64, |most, one| if one.is_nan() { one } else { most.max(one) });
    if scale == 0.0 || !scale.is_finite() {
        return values.iter().fold(scale, |sum, one| sum + one.modulus());
    }
    scale * values.iter().map(|one| one.over(scale).square()).sum::<f64>().sqrt()
}
