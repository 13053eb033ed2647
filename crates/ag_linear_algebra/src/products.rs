//! Products of matrices: blocks of both operands are packed, and tiles of the result are summed in registers.
//!
//! The terms of an element are added in an order that depends on their number only. A complex matrix is a
//! real one here: a number of the left operand is a row of two, one of the right operand a block of two by
//! two, one of the result two neighbours.

use num_complex::Complex64;
use pulp::{Simd, WithSimd};

use crate::Failure;
use crate::number::Number;
use crate::vectors::arch;
use crate::{Room, some_numbers};

/// Terms that are summed in registers before they are added to the result: strips of them fit the nearest
/// cache.
const DEPTH: usize = 192;

/// Columns of the right operand, in real numbers, that are packed together; a multiple of each kind of strip.
const COLUMNS: usize = 768;

/// A matrix in a list of numbers, or its conjugate: the distances between rows, and between columns.
#[derive(Clone, Copy)]
pub(crate) struct View<'a, N> {
    numbers: &'a [N],
    row: usize,
    column: usize,
    is_conjugate: bool,
}

impl<'a, N: Number> View<'a, N> {
    /// A matrix in C order, whose rows are so many numbers apart.
    pub(crate) fn of(numbers: &'a [N], stride: usize) -> Self {
        Self { numbers, row: stride, column: 1, is_conjugate: false }
    }

    pub(crate) fn transposed(self) -> Self {
        Self { row: self.column, column: self.row, ..self }
    }

    pub(crate) fn conjugate(self) -> Self {
        Self { is_conjugate: !self.is_conjugate, ..self }
    }

    #[inline(always)]
    pub(crate) fn at(&self, row: usize, column: usize) -> N {
        let number = self.numbers[row * self.row + column * self.column];
        if self.is_conjugate { number.conjugate() } else { number }
    }

    /// The matrix that begins at an element of this one; none if there is nothing.
    pub(crate) fn from(self, row: usize, column: usize) -> Self {
        let start = (row * self.row + column * self.column).min(self.numbers.len());
        Self { numbers: &self.numbers[start..], ..self }
    }
}

/// Which elements of a product are needed; others may be computed too, but not all are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needed {
    All,
    /// Those on the diagonal and above.
    Upper,
}

/// Products, and the memory for packed operands.
#[derive(Default)]
pub(crate) struct Products {
    packed: Room<f64>,
}

/// One addition of a product.
struct Addition<'a, N> {
    to: &'a mut [N],
    stride: usize,
    size: (usize, usize, usize),
    left: View<'a, N>,
    right: View<'a, N>,
    sign: f64,
    needed: Needed,
    packed: &'a mut [f64],
}

impl Products {
    /// `to += sign * left right`: `to` has `m` rows of `n` numbers, which are `stride` apart, and `left` `k`
    /// columns.
    pub(crate) fn add<N: Number>(
        &mut self,
        (to, stride): (&mut [N], usize),
        (m, n, k): (usize, usize, usize),
        (left, right): (View<'_, N>, View<'_, N>),
        sign: f64,
        needed: Needed,
    ) -> Result<(), Failure> {
        if m == 0 || n == 0 || k == 0 {
            return Ok(());
        }
        // A strip is at most 64 numbers wide, and the last one is filled up.
        let room = DEPTH.min(k * N::PARTS) * (COLUMNS.min(n * N::PARTS) + 64 + MOST_ROWS);
        if self.packed.len() < room {
            self.packed = some_numbers(room)?;
        }
        let packed = &mut self.packed[..];
        arch().dispatch(Addition { to, stride, size: (m, n, k), left, right, sign, needed, packed });
        Ok(())
    }
}

impl<N: Number> WithSimd for Addition<'_, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        // Sums, a row of the right operand and a number of the left one: 32 registers, or 16.
        match S::F64_LANES {
            8 => self.run::<S, 8, 4, 3>(simd),
            4 => self.run::<S, 4, 2, 3>(simd),
            _ => self.run::<S, 4, 2, 4>(simd),
        }
    }
}

impl<N: Number> Addition<'_, N> {
    /// Tiles have `ROWS` rows, or `LOW` if there are no more, of at most `VECTORS` vectors.
    #[inline(always)]
    fn run<S: Simd, const ROWS: usize, const LOW: usize, const VECTORS: usize>(&mut self, simd: S) {
        let (m, n, k) = self.size;
        let width = VECTORS * S::F64_LANES;
        let (columns, depth) = (COLUMNS / N::PARTS, DEPTH / N::PARTS);
        let packed = std::mem::take(&mut self.packed);
        let (left, right) = packed.split_at_mut(DEPTH.min(k * N::PARTS) * MOST_ROWS);
        for from in (0..n).step_by(columns) {
            let count = columns.min(n - from);
            let reals = count * N::PARTS;
            for start in (0..k).step_by(depth) {
                let own = depth.min(k - start);
                let terms = own * N::PARTS;
                self.pack_right::<S>(right, width, (start, own), (from, count));
                for row in (0..m).step_by(ROWS) {
                    let rows = ROWS.min(m - row);
                    let is_low = rows <= LOW;
                    let high = if is_low { LOW } else { ROWS };
                    let factors = &mut left[..terms * high];
                    self.pack_left(factors, high, (row, rows), (start, own));
                    for (strip, first) in (0..reals).step_by(width).enumerate() {
                        let wide = width.min(reals - first);
                        let place = (row, rows, from + first / N::PARTS, wide / N::PARTS);
                        if !self.is_needed(place) {
                            continue;
                        }
                        let numbers = &right[strip * terms * width..];
                        let to = (&mut *self.to, self.stride);
                        match (is_low, wide.div_ceil(S::F64_LANES)) {
                            (false, 1) => add_tile::<N, S, ROWS, 1>(simd, to, place, factors, numbers),
                            (false, 2) => add_tile::<N, S, ROWS, 2>(simd, to, place, factors, numbers),
                            (false, _) => add_tile::<N, S, ROWS, VECTORS>(simd, to, place, factors, numbers),
                            (true, 1) => add_tile::<N, S, LOW, 1>(simd, to, place, factors, numbers),
                            (true, 2) => add_tile::<N, S, LOW, 2>(simd, to, place, factors, numbers),
                            (true, _) => add_tile::<N, S, LOW, VECTORS>(simd, to, place, factors, numbers),
                        }
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn is_needed(&self, (row, _, column, columns): Place) -> bool {
        match self.needed {
            Needed::All => true,
            Needed::Upper => column + columns > row,
        }
    }

    /// Packs rows `start..` and columns `from..` of the right operand: strips of columns, each row by row.
    /// The last one is filled up to vectors.
    #[inline(always)]
    fn pack_right<S: Simd>(
        &self,
        packed: &mut [f64],
        width: usize,
        (start, own): (usize, usize),
        (from, count): (usize, usize),
    ) {
        let (reals, terms, right) = (count * N::PARTS, own * N::PARTS, self.right);
        for (strip, first) in (0..reals).step_by(width).enumerate() {
            let wide = width.min(reals - first);
            // Of three vectors or four, a strip that is not one or two has all.
            let filled = match wide.div_ceil(S::F64_LANES) {
                few @ (1 | 2) => few * S::F64_LANES,
                _ => width,
            };
            let numbers = &mut packed[strip * terms * width..][..terms * filled];
            let column = from + first / N::PARTS;
            for (term, to) in numbers.chunks_exact_mut(filled).enumerate() {
                let (row, part) = (start + term / N::PARTS, term % N::PARTS);
                let (to, rest) = to.split_at_mut(wide);
                rest.fill(0.0);
                if right.column == 1 {
                    let begin = row * right.row + column;
                    let from = &right.numbers[begin..begin + wide / N::PARTS];
                    N::pack_row(to, from, part, right.is_conjugate);
                } else {
                    for (place, to) in to.chunks_exact_mut(N::PARTS).enumerate() {
                        N::pack_row(to, &[right.at(row, column + place)], part, false);
                    }
                }
            }
        }
    }

    /// Packs rows of the left operand, as many as a tile has, column by column.
    #[inline(always)]
    fn pack_left(
        &self,
        factors: &mut [f64],
        high: usize,
        (row, rows): (usize, usize),
        (start, own): (usize, usize),
    ) {
        if rows < high {
            factors.fill(0.0);
        }
        let left = self.left;
        let sign = self.sign;
        let mut put = |number: usize, term: usize, one: N| {
            let one = if left.is_conjugate { one.conjugate() } else { one };
            for part in 0..N::PARTS {
                factors[(term * N::PARTS + part) * high + number] = sign * one.part(0, part);
            }
        };
        if left.column == 1 {
            for number in 0..rows {
                let begin = (row + number) * left.row + start;
                let from = &left.numbers[begin..begin + own];
                from.iter().enumerate().for_each(|(term, one)| put(number, term, *one));
            }
        } else if left.row == 1 {
            for term in 0..own {
                let begin = row + (start + term) * left.column;
                for (number, one) in left.numbers[begin..begin + rows].iter().enumerate() {
                    put(number, term, *one);
                }
            }
        } else {
            for term in 0..own {
                for number in 0..rows {
                    put(number, term, left.numbers[(row + number) * left.row + (start + term) * left.column]);
                }
            }
        }
    }
}

/// The most rows of a tile.
const MOST_ROWS: usize = 8;

/// The most vectors of a row of a tile.
const MOST_VECTORS: usize = 4;

/// Of a tile: its first row and their number, its first column and their number.
type Place = (usize, usize, usize, usize);

/// Adds the products of packed rows and columns to a tile.
#[inline(always)]
fn add_tile<N: Number, S: Simd, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    (to, stride): (&mut [N], usize),
    (row, rows, column, columns): Place,
    factors: &[f64],
    numbers: &[f64],
) {
    let mut sums = [[simd.splat_f64s(0.0); VECTORS]; ROWS];
    let (numbers, _) = S::as_simd_f64s(numbers);
    for (factors, numbers) in factors.chunks_exact(ROWS).zip(numbers.chunks_exact(VECTORS)) {
        for row in 0..ROWS {
            let factor = simd.splat_f64s(factors[row]);
            for vector in 0..VECTORS {
                sums[row][vector] = simd.mul_add_e_f64s(factor, numbers[vector], sums[row][vector]);
            }
        }
    }
    for (number, sums) in sums.iter().enumerate().take(rows) {
        let begin = (row + number) * stride + column;
        N::add_vectors(simd, &mut to[begin..begin + columns], sums);
    }
}

/// Adds vectors of real numbers to complex ones.
#[inline(always)]
pub(crate) fn add_pairs<S: Simd>(to: &mut [Complex64], sums: &[S::f64s]) {
    let mut parts = [0.0; MOST_VECTORS * 8];
    let (vectors, _) = S::as_mut_simd_f64s(&mut parts);
    vectors.iter_mut().zip(sums).for_each(|(to, from)| *to = *from);
    for (to, pair) in to.iter_mut().zip(parts.chunks_exact(2)) {
        *to += Complex64::new(pair[0], pair[1]);
    }
}

/// Adds vectors to real numbers; the last may be longer than what is there.
#[inline(always)]
pub(crate) fn add_reals<S: Simd>(simd: S, to: &mut [f64], sums: &[S::f64s]) {
    let (whole, rest) = S::as_mut_simd_f64s(to);
    whole.iter_mut().zip(sums).for_each(|(to, sum)| *to = simd.add_f64s(*to, *sum));
    if let Some(sum) = sums.get(whole.len()).filter(|_| !rest.is_empty()) {
        let own = simd.partial_load_f64s(rest);
        simd.partial_store_f64s(rest, simd.add_f64s(own, *sum));
    }
}
