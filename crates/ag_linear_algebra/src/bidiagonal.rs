//! Singular values of square matrices: reflections from both sides make the matrix bidiagonal and real,
//! rotations make that diagonal (implicit QR by Golub and Reinsch).

use crate::Failure;
use crate::number::Number;
use crate::orthogonal::{make_reflection, product_of};
use crate::products::{Needed, Products, View};
use crate::quotients::values_of;
use crate::tridiagonal::panel_of;
use crate::turns::{Turn, Vectors, towards};
use crate::{Progress, Room, copied, list_for, room_for, zeros};

/// The most sweeps for one singular value before giving up; two are usual.
const MOST_SWEEPS: usize = 80;

/// A real bidiagonal matrix, and the reflections from the left and from the right of which the matrix was
/// made.
pub(crate) struct Bidiagonal<N: Number> {
    diagonal: Vec<f64>,
    above: Vec<f64>,
    left: Vec<(Room<N>, N)>,
    right: Vec<(Room<N>, N)>,
}

/// Singular values in no order, left vectors as rows, right vectors as rows.
pub(crate) type Found<N> = (Vec<f64>, Room<N>, Room<N>);

/// What is still to be subtracted from a matrix: a column times a row, for each row of both.
struct Pending<N: Number> {
    width: usize,
    count: usize,
    columns: Room<N>,
    rows: Room<N>,
}

/// The most products that are pending: two for each column of a panel.
const MOST_PENDING: usize = 64;

impl<N: Number> Pending<N> {
    fn of(width: usize, most: usize) -> Result<Self, Failure> {
        Ok(Self { width, count: 0, columns: zeros(most * width)?, rows: zeros(most * width)? })
    }

    /// Adds the product of a column and a row, which begin at these places.
    fn push(&mut self, (column, first): (&[N], usize), (row, beside): (&[N], usize)) {
        let own = self.count * self.width..(self.count + 1) * self.width;
        for (to, numbers, first) in [(&mut self.columns, column, first), (&mut self.rows, row, beside)] {
            let to = &mut to[own.clone()];
            to[..first].fill(N::ZERO);
            to[first..].copy_from_slice(numbers);
        }
        self.count += 1;
    }

    /// Minus the numbers of a place in each row.
    fn minus(&self, rows: &[N], place: usize) -> [N; MOST_PENDING] {
        std::array::from_fn(|row| if row < self.count { -rows[row * self.width + place] } else { N::ZERO })
    }

    /// Subtracts from a column of the matrix, from a row on.
    fn subtract_column(&self, place: usize, first: usize, column: &mut [N]) {
        let factors = self.minus(&self.rows, place);
        N::add_all_rows(column, &factors[..self.count], &self.columns[first..], self.width);
    }

    /// Subtracts from a row of the matrix, from a column on.
    fn subtract_row(&self, place: usize, first: usize, row: &mut [N]) {
        let factors = self.minus(&self.columns, place);
        N::add_all_rows(row, &factors[..self.count], &self.rows[first..], self.width);
    }

    /// Subtracts from `vᴴ A`: from the column `first` on, for a vector that begins at a row.
    fn subtract_before(&self, (v, row): (&[N], usize), first: usize, sums: &mut [N]) {
        let mut factors = [N::ZERO; MOST_PENDING];
        let factors = &mut factors[..self.count];
        N::rows_by_vector(factors, &self.columns[row..], self.width, v);
        factors.iter_mut().for_each(|one| *one = -one.conjugate());
        N::add_all_rows(sums, factors, &self.rows[first..], self.width);
    }

    /// Subtracts from `A u`, given the conjugate of `u`, which begins at a column: from the row `first` on.
    fn subtract_after(&self, (conjugate, column): (&[N], usize), first: usize, sums: &mut [N]) {
        let mut factors = [N::ZERO; MOST_PENDING];
        let factors = &mut factors[..self.count];
        N::rows_by_vector(factors, &self.rows[column..], self.width, conjugate);
        factors.iter_mut().for_each(|one| *one = -one.conjugate());
        N::add_all_rows(sums, factors, &self.columns[first..], self.width);
    }

    /// Subtracts from the matrix, from the row and the column `first` on.
    fn subtract_all(&mut self, products: &mut Products, a: &mut [N], first: usize) -> Result<(), Failure> {
        let n = self.width;
        let columns = View::of(&self.columns, n).from(0, first).transposed();
        let operands = (columns, View::of(&self.rows, n).from(0, first));
        let size = (n - first, n - first, self.count);
        self.count = 0;
        products.add((&mut a[first * (n + 1)..], n), size, operands, -1.0, Needed::All)
    }
}

impl<N: Number> Bidiagonal<N> {
    /// Of an `n × n` matrix.
    pub(crate) fn of(n: usize, mut a: Room<N>, progress: &mut Progress<'_>) -> Result<Self, Failure> {
        let (mut diagonal, mut above) = (list_for(n)?, list_for(n)?);
        let mut left: Vec<(Room<N>, N)> = list_for(n)?;
        let mut right: Vec<(Room<N>, N)> = list_for(n)?;
        let panel = panel_of(n);
        let mut pending = Pending::of(n, 2 * panel.min(n))?;
        let mut products = Products::default();
        for place in 0..n {
            let next = place + 1;
            let mut v = room_for(n - place)?;
            v.extend((place..n).map(|row| a[row * n + place]));
            pending.subtract_column(place, place, &mut v);
            let (tau, beta) = make_reflection(&mut v);
            diagonal.push(beta);
            if next == n {
                left.push((v, tau));
                break;
            }
            // What the reflection subtracts is `v sums`.
            let mut sums = zeros(n - next)?;
            let mut conjugate = copied(&v)?;
            conjugate.iter_mut().for_each(|one| *one = one.conjugate());
            N::add_all_rows(&mut sums, &conjugate, &a[place * n + next..], n);
            pending.subtract_before((&v, place), next, &mut sums);
            let factor = tau.conjugate();
            sums.iter_mut().for_each(|sum| *sum = factor * *sum);
            pending.push((&v, place), (&sums, next));

            let mut u = copied(&a[place * n + next..next * n])?;
            pending.subtract_row(place, next, &mut u);
            u.iter_mut().for_each(|one| *one = one.conjugate());
            let (tau_of_row, beta) = make_reflection(&mut u);
            above.push(beta);
            let mut conjugate = copied(&u)?;
            conjugate.iter_mut().for_each(|one| *one = one.conjugate());
            let mut by_row = zeros(n - next)?;
            N::rows_by_vector(&mut by_row, &a[next * (n + 1)..], n, &conjugate);
            by_row.iter_mut().for_each(|one| *one = one.conjugate());
            pending.subtract_after((&conjugate, next), next, &mut by_row);
            by_row.iter_mut().for_each(|one| *one = tau_of_row * *one);
            pending.push((&by_row, next), (&conjugate, next));
            left.push((v, tau));
            right.push((u, tau_of_row));
            progress((n - place) * (n - place))?;
            if next.is_multiple_of(panel) {
                pending.subtract_all(&mut products, &mut a, next)?;
                progress((n - next) * (n - next) * panel / 4)?;
            }
        }
        above.push(0.0);
        Ok(Self { diagonal, above, left, right })
    }

    /// The singular values, and the vectors if `with_vectors`.
    pub(crate) fn solved(
        self,
        with_vectors: bool,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Found<N>>, Failure> {
        let n = self.diagonal.len();
        if !with_vectors && let Some(values) = values_of(&self.diagonal, &self.above, progress)? {
            return Ok(Some((values, Room::default(), Room::default())));
        }
        let mut vectors = [Vectors::none(), Vectors::none()];
        if with_vectors {
            for (side, reflections, first) in [(0, &self.left, 0), (1, &self.right, 1)] {
                vectors[side] = Vectors::of_columns(n, &product_of(n, reflections, first, progress)?)?;
            }
        }
        let [left, right] = vectors;
        let mut iteration = Iteration {
            n,
            values: self.diagonal,
            above: self.above,
            left,
            right,
            turns: [list_for(n)?, list_for(n)?],
        };
        if !iteration.run(progress)? {
            return Ok(None);
        }
        let (left, mut right) = (iteration.left.rows()?, iteration.right.rows::<N>()?);
        for (place, value) in iteration.values.iter_mut().enumerate() {
            if value.is_sign_negative() {
                *value = -*value;
                if with_vectors {
                    right[place * n..(place + 1) * n].iter_mut().for_each(|one| *one = -*one);
                }
            }
        }
        Ok(Some((iteration.values, left, right)))
    }
}

/// The state of the iteration: `above[i]` stands above `values[i + 1]`, and the last is zero.
struct Iteration {
    n: usize,
    values: Vec<f64>,
    above: Vec<f64>,
    left: Vectors,
    right: Vectors,
    turns: [Vec<Turn>; 2],
}

impl Iteration {
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
                None => self.sweep(first, end)?,
            }
            let work = 16 * (end - first);
            progress(if self.left.is_empty() { work } else { work * self.n / 8 })?;
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
            self.right.turn_two((place, last), (cosine, sine));
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
            self.left.turn_two((zero, place), (cosine, -sine));
        }
    }

    /// One sweep of implicit QR over the rows `first..end`.
    fn sweep(&mut self, first: usize, end: usize) -> Result<(), Failure> {
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
            on_right.push(Turn { cosine, sine });
            let (cosine, sine, length) = towards(f, g);
            values[place] = length;
            f = cosine * above[place] + sine * values[place + 1];
            values[place + 1] = cosine * values[place + 1] - sine * above[place];
            g = sine * above[place + 1];
            above[place + 1] *= cosine;
            on_left.push(Turn { cosine, sine });
        }
        above[end - 2] = f;
        self.right.turn(first, true, on_right)?;
        self.left.turn(first, true, on_left)
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
