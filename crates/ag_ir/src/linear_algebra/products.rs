//! Sums and products of rows, which the compiler makes vector code of.
//!
//! A product is rounded before it is added, whatever the processor has, so that all processors compute the same
//! bits.

use pulp::Arch;

use super::number::Number;
use super::{Answer, zeros};

/// Does the work in code for the widest vectors of this processor. What the work calls must be inlined into it.
#[inline(always)]
pub(super) fn in_vectors<R>(work: impl FnOnce() -> R) -> R {
    Arch::new().dispatch(work)
}

/// Columns of one strip of a [`Packed`] matrix: two vectors of doubles, or four.
const STRIP: usize = 8;

/// Rows that are computed together.
const ROWS: usize = 4;

/// How many sums a sum of products is split into, so that they can be added in vectors.
const LANES: usize = 8;

/// `aᵀ b`
#[inline(always)]
pub(super) fn inner<N: Number>(a: &[N], b: &[N]) -> N {
    let mut sums = [N::ZERO; LANES];
    let (xs, ys) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = xs.remainder().iter().zip(ys.remainder()).fold(N::ZERO, |sum, (x, y)| sum + *x * *y);
    for (x, y) in xs.zip(ys) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().fold(rest, |sum, one| sum + *one)
}

/// `to += factor * from`
#[inline(always)]
pub(super) fn add_row<N: Number>(to: &mut [N], factor: N, from: &[N]) {
    for (one, other) in to.iter_mut().zip(from) {
        *one += factor * *other;
    }
}

/// A matrix as the right operand of products: strips of columns, each strip row by row.
pub(super) struct Packed<N> {
    numbers: Vec<N>,
    columns: usize,
}

impl<N: Number> Packed<N> {
    /// The matrix of this size with these elements.
    pub(super) fn of(
        (rows, columns): (usize, usize),
        element: impl Fn(usize, usize) -> N,
    ) -> Result<Self, crate::run::Failure> {
        let strips = columns.div_ceil(STRIP);
        let mut numbers: Vec<N> = zeros(strips * rows * STRIP)?;
        for row in 0..rows {
            for column in 0..columns {
                numbers[((column / STRIP) * rows + row) * STRIP + column % STRIP] = element(row, column);
            }
        }
        Ok(Self { numbers, columns })
    }

    /// Adds the products of rows of `depth` numbers to the rows of a matrix, of `width` numbers each, from the
    /// column `first` on. Of row `i` it need compute only the first `needed(i)` columns.
    pub(super) fn add_to(
        &self,
        (width, first): (usize, usize),
        sums: &mut [N],
        (depth, rows): (usize, &[N]),
        needed: impl Fn(usize) -> usize,
    ) {
        if depth == 0 || width == 0 {
            return;
        }
        in_vectors(|| {
            for (group, (to, from)) in
                sums.chunks_mut(ROWS * width).zip(rows.chunks(ROWS * depth)).enumerate()
            {
                let columns = needed(group * ROWS + from.len() / depth - 1).min(self.columns);
                let strips = self.numbers.chunks_exact(depth * STRIP).take(columns.div_ceil(STRIP));
                for (place, strip) in strips.enumerate() {
                    let start = first + place * STRIP;
                    let end = (start + STRIP).min(first + self.columns);
                    if from.len() == ROWS * depth {
                        let found = of_strip::<N, ROWS>(depth, from, strip);
                        for (row, sums) in to.chunks_exact_mut(width).zip(&found) {
                            row[start..end].iter_mut().zip(sums).for_each(|(one, sum)| *one += *sum);
                        }
                        continue;
                    }
                    for (row, from) in to.chunks_exact_mut(width).zip(from.chunks_exact(depth)) {
                        let [sums] = of_strip::<N, 1>(depth, from, strip);
                        row[start..end].iter_mut().zip(&sums).for_each(|(one, sum)| *one += *sum);
                    }
                }
            }
        });
    }
}

/// The products of `COUNT` rows of `depth` numbers with a strip.
#[inline(always)]
fn of_strip<N: Number, const COUNT: usize>(depth: usize, rows: &[N], strip: &[N]) -> [[N; STRIP]; COUNT] {
    let mut sums = [[N::ZERO; STRIP]; COUNT];
    let rows: [&[N]; COUNT] = std::array::from_fn(|row| &rows[row * depth..(row + 1) * depth]);
    for (place, factors) in strip.chunks_exact(STRIP).enumerate().take(depth) {
        for row in 0..COUNT {
            let one = rows[row][place];
            for lane in 0..STRIP {
                sums[row][lane] += one * factors[lane];
            }
        }
    }
    sums
}

/// The product of an `m × k` matrix with a `k × n` one.
pub(super) fn product<N: Number>((m, k, n): (usize, usize, usize), a: &[N], b: &[N]) -> Answer<N> {
    let mut sums = zeros(m * n)?;
    Packed::of((k, n), |row, column| b[row * n + column])?.add_to((n, 0), &mut sums, (k, a), |_| n);
    Ok(sums)
}
