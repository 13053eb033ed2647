//! Singular values of square matrices: reflections from both sides make the matrix bidiagonal and real, rotations
//! make that diagonal (implicit QR by Golub and Reinsch).

use super::number::Number;
use super::orthogonal::{identity, reflect, reflection_of, transposed};
use super::products::{add_row, in_vectors, inner};
use super::turns::{Turn, towards, turn_rows};
use super::{Progress, room_for, zeros};
use crate::run::Failure;

/// The most sweeps for one singular value before giving up; two are usual.
const MOST_SWEEPS: usize = 80;

/// A real bidiagonal matrix, and the reflections from the left and from the right of which the matrix was made.
pub(super) struct Bidiagonal<N> {
    diagonal: Vec<f64>,
    above: Vec<f64>,
    left: Vec<(Vec<N>, N)>,
    right: Vec<(Vec<N>, N)>,
}

/// Singular values in no order, left vectors as rows, right vectors as rows.
pub(super) type Found<N> = (Vec<f64>, Vec<N>, Vec<N>);

impl<N: Number> Bidiagonal<N> {
    /// Of an `n × n` matrix.
    pub(super) fn of(n: usize, mut a: Vec<N>, progress: &mut Progress<'_>) -> Result<Self, Failure> {
        let (mut diagonal, mut above) = (room_for(n)?, room_for(n)?);
        let mut left: Vec<(Vec<N>, N)> = room_for(n)?;
        let mut right: Vec<(Vec<N>, N)> = room_for(n)?;
        // To be subtracted from the rows that are left: `products uᴴ`, with `u` the last reflection from the right.
        let mut products: Vec<N> = Vec::new();
        for place in 0..n {
            let rows = &mut a[place * n..];
            let mut column = room_for(n - place)?;
            column.extend(rows.chunks_exact(n).enumerate().map(|(row, numbers)| match right.last() {
                Some((u, _)) => numbers[place] - products[row] * u[0].conjugate(),
                None => numbers[place],
            }));
            let (v, tau, beta) = reflection_of(column);
            diagonal.push(beta);
            let mut sums = zeros(n - place - 1)?;
            in_vectors(|| {
                for ((number, row), v) in rows.chunks_exact_mut(n).enumerate().zip(&v) {
                    let row = &mut row[place + 1..];
                    if let Some((u, _)) = right.last() {
                        let factor = products[number];
                        for (one, u) in row.iter_mut().zip(&u[1..]) {
                            *one -= factor * u.conjugate();
                        }
                    }
                    add_row(&mut sums, v.conjugate(), row);
                }
            });
            let factor = tau.conjugate();
            sums.iter_mut().for_each(|sum| *sum = factor * *sum);
            if place + 1 < n {
                let mut row = room_for(n - place - 1)?;
                let first = &rows[place + 1..n];
                row.extend(first.iter().zip(&sums).map(|(one, sum)| (*one - *sum).conjugate()));
                let (u, tau_of_row, beta) = reflection_of(row);
                above.push(beta);
                products = zeros(n - place - 1)?;
                in_vectors(|| {
                    let rows = rows.chunks_exact_mut(n).skip(1);
                    for ((row, v), product) in rows.zip(&v[1..]).zip(&mut products) {
                        let row = &mut row[place + 1..];
                        for (one, sum) in row.iter_mut().zip(&sums) {
                            *one -= *v * *sum;
                        }
                        *product = tau_of_row * inner(row, &u);
                    }
                });
                right.push((u, tau_of_row));
            }
            left.push((v, tau));
            progress(6 * (n - place) * (n - place))?;
        }
        above.push(0.0);
        Ok(Self { diagonal, above, left, right })
    }

    /// The singular values, and the vectors if `with_vectors`.
    pub(super) fn solved(
        self,
        with_vectors: bool,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Found<N>>, Failure> {
        let n = self.diagonal.len();
        let mut vectors = [Vec::new(), Vec::new()];
        if with_vectors {
            for (side, reflections, first) in [(0, &self.left, 0), (1, &self.right, 1)] {
                let mut columns = identity(n, n)?;
                for (place, (v, tau)) in reflections.iter().enumerate().rev() {
                    reflect(&mut columns, n, place + first, (v, *tau), progress)?;
                }
                vectors[side] = transposed(n, n, &columns)?;
            }
        }
        let [left, right] = vectors;
        let mut iteration = Iteration {
            n,
            values: self.diagonal,
            above: self.above,
            left,
            right,
            with_vectors,
            turns: [room_for(n)?, room_for(n)?],
        };
        Ok(iteration.run(progress)?.then_some((iteration.values, iteration.left, iteration.right)))
    }
}

/// The state of the iteration: `above[i]` stands above `values[i + 1]`, and the last is zero.
struct Iteration<N> {
    n: usize,
    values: Vec<f64>,
    above: Vec<f64>,
    left: Vec<N>,
    right: Vec<N>,
    with_vectors: bool,
    turns: [Vec<Turn>; 2],
}

impl<N: Number> Iteration<N> {
    /// Whether all values were found.
    fn run(&mut self, progress: &mut Progress<'_>) -> Result<bool, Failure> {
        let (mut end, mut sweeps) = (self.n, 0);
        while end > 1 {
            let first = self.block_start(end);
            if first == end - 1 {
                (end, sweeps) = (end - 1, 0);
                continue;
            }
            sweeps += 1;
            if sweeps > MOST_SWEEPS {
                return Ok(false);
            }
            let zero = (first..end).rev().find(|place| self.is_negligible(first, *place));
            match zero {
                Some(place) if place + 1 == end => self.clear_column(first, place),
                Some(place) => self.clear_row(place, end),
                None => self.sweep(first, end),
            }
            progress(if self.with_vectors { 16 * self.n * (end - first) } else { 16 * (end - first) })?;
        }
        for place in 0..self.n {
            if self.values[place] < 0.0 || self.values[place].is_sign_negative() {
                self.values[place] = -self.values[place];
                if self.with_vectors {
                    let row = &mut self.right[place * self.n..(place + 1) * self.n];
                    row.iter_mut().for_each(|one| *one = -*one);
                }
            }
        }
        Ok(true)
    }

    /// The first row of the block that ends before a row; the element before it becomes zero.
    fn block_start(&mut self, end: usize) -> usize {
        for place in (0..end - 1).rev() {
            let around = self.values[place].abs() + self.values[place + 1].abs();
            if self.above[place].abs() <= 0.5 * f64::EPSILON * around {
                self.above[place] = 0.0;
                return place + 1;
            }
        }
        0
    }

    /// Whether a value of the block counts as zero; it then is.
    fn is_negligible(&mut self, first: usize, place: usize) -> bool {
        let before = if place > first { self.above[place - 1].abs() } else { 0.0 };
        let is_zero = self.values[place].abs() <= 0.5 * f64::EPSILON * (self.above[place].abs() + before);
        if is_zero {
            self.values[place] = 0.0;
        }
        is_zero
    }

    /// Rotates what stands above a zero at the end of a block away, from the right.
    fn clear_column(&mut self, first: usize, last: usize) {
        let mut rest = self.above[last - 1];
        self.above[last - 1] = 0.0;
        for place in (first..last).rev() {
            let (cosine, sine, length) = towards(self.values[place], rest);
            self.values[place] = length;
            if place > first {
                rest = -sine * self.above[place - 1];
                self.above[place - 1] *= cosine;
            }
            if self.with_vectors {
                turn_two(&mut self.right, self.n, (place, last), (cosine, sine));
            }
        }
    }

    /// Rotates what stands beside a zero in a block away, from the left.
    fn clear_row(&mut self, zero: usize, end: usize) {
        let mut rest = self.above[zero];
        self.above[zero] = 0.0;
        for place in zero + 1..end {
            let (cosine, sine, length) = towards(self.values[place], rest);
            self.values[place] = length;
            rest = -sine * self.above[place];
            self.above[place] *= cosine;
            if self.with_vectors {
                turn_two(&mut self.left, self.n, (zero, place), (cosine, -sine));
            }
        }
    }

    /// One sweep of implicit QR over the rows `first..end`.
    fn sweep(&mut self, first: usize, end: usize) {
        let (values, above) = (&mut self.values, &mut self.above);
        let (mut f, mut g) = start(values, above, first, end);
        let [on_right, on_left] = &mut self.turns;
        on_right.clear();
        on_left.clear();
        for place in first..end - 1 {
            let (cosine, sine, length) = towards(f, g);
            if place > first {
                above[place - 1] = length;
            }
            f = cosine * values[place] + sine * above[place];
            above[place] = cosine * above[place] - sine * values[place];
            g = sine * values[place + 1];
            values[place + 1] *= cosine;
            on_right.push(Turn { place, cosine, sine });
            let (cosine, sine, length) = towards(f, g);
            values[place] = length;
            f = cosine * above[place] + sine * values[place + 1];
            values[place + 1] = cosine * values[place + 1] - sine * above[place];
            g = sine * above[place + 1];
            above[place + 1] *= cosine;
            on_left.push(Turn { place, cosine, sine });
        }
        above[end - 2] = f;
        if self.with_vectors {
            turn_rows(&mut self.right, self.n, on_right);
            turn_rows(&mut self.left, self.n, on_left);
        }
    }
}

/// The first rotation of a sweep, by a shift from the last two rows.
fn start(values: &[f64], above: &[f64], first: usize, end: usize) -> (f64, f64) {
    let numbers = [values[end - 1], values[end - 2], above[end - 2], values[first], above[first]];
    let scale = numbers.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
    let [last, before, beside, head, next] = numbers.map(|one| one / scale);
    let b = ((before + last) * (before - last) + beside * beside) / 2.0;
    let c = (last * beside) * (last * beside);
    let root = (b * b + c).sqrt().copysign(b);
    let shift = if b == 0.0 && c == 0.0 { 0.0 } else { c / (b + root) };
    ((head + last) * (head - last) + shift, head * next)
}

/// Rotates two rows: `x, y` become `c x + s y` and `c y - s x`.
fn turn_two<N: Number>(
    rows: &mut [N],
    width: usize,
    (one, other): (usize, usize),
    (cosine, sine): (f64, f64),
) {
    let (before, after) = rows.split_at_mut(other * width);
    for (x, y) in before[one * width..(one + 1) * width].iter_mut().zip(&mut after[..width]) {
        (*x, *y) = (x.times(cosine) + y.times(sine), y.times(cosine) - x.times(sine));
    }
}
