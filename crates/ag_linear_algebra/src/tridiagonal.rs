//! Eigenvalues of symmetric and Hermitian matrices: reflections make the matrix tridiagonal and real,
//! rotations make that diagonal (implicit QL).

use crate::Failure;
use crate::number::Number;
use crate::orthogonal::{make_reflection, product_of};
use crate::products::{Needed, Products, View};
use crate::turns::{Turn, Vectors, towards};
use crate::{Progress, Room, copied, list_for, room_for, zeros};

/// The most sweeps for one eigenvalue before giving up; two are usual.
const MOST_SWEEPS: usize = 80;

/// Eigenvalues in no order, and the eigenvectors as rows.
pub(crate) type Spectrum<N> = (Vec<f64>, Room<N>);

/// A real tridiagonal matrix, and the reflections of which the matrix was made: each is `1 - tau v vᴴ` and
/// leaves the first rows alone.
pub(crate) struct Tridiagonal<N: Number> {
    diagonal: Vec<f64>,
    beside: Vec<f64>,
    reflections: Vec<(Room<N>, N)>,
}

/// How many columns are reduced before the rest of a matrix hears of them: it is read for each, and written
/// once.
pub(crate) fn panel_of(n: usize) -> usize {
    match n {
        0..64 => 8,
        64..256 => 16,
        _ => 32,
    }
}

impl<N: Number> Tridiagonal<N> {
    /// Of a Hermitian matrix, of which the upper triangle is read.
    pub(crate) fn of(n: usize, mut a: Room<N>, progress: &mut Progress<'_>) -> Result<Self, Failure> {
        let (mut diagonal, mut beside, mut reflections) = (list_for(n)?, vec![0.0; n], list_for(n)?);
        let panel = panel_of(n);
        let mut products = Products::default();
        // What is still to be subtracted from the matrix: `v wᴴ + w vᴴ` for each row of both.
        let (mut vs, mut ws): (Room<N>, Room<N>) = (zeros(panel * n)?, zeros(panel * n)?);
        for first in (0..n).step_by(panel) {
            let end = (first + panel).min(n);
            for place in first..end {
                let known = place - first;
                let mut column = room_for(n - place)?;
                column.extend(a[place * n + place..(place + 1) * n].iter().map(|one| one.conjugate()));
                let of_row = |rows: &[N]| -> [N; MOST_PENDING] {
                    std::array::from_fn(|row| {
                        if row < known { -rows[row * n + place].conjugate() } else { N::ZERO }
                    })
                };
                let (by_v, by_w) = (of_row(&vs), of_row(&ws));
                N::add_all_rows(&mut column, &by_v[..known], &ws[place..], n);
                N::add_all_rows(&mut column, &by_w[..known], &vs[place..], n);
                diagonal.push(column[0].re());
                if place + 1 == n {
                    break;
                }
                let mut v = copied(&column[1..])?;
                let (tau, beta) = make_reflection(&mut v);
                beside[place] = beta;
                let mut w = zeros(n - place - 1)?;
                N::hermitian_by_vector(&mut w, &a[(place + 1) * (n + 1)..], n, &v);
                let (mut of_v, mut of_w) = ([N::ZERO; MOST_PENDING], [N::ZERO; MOST_PENDING]);
                let begin = place + 1;
                N::rows_by_vector(&mut of_v[..known], &vs[begin..], n, &v);
                N::rows_by_vector(&mut of_w[..known], &ws[begin..], n, &v);
                for one in of_v.iter_mut().chain(&mut of_w) {
                    *one = -*one;
                }
                N::add_all_rows(&mut w, &of_w[..known], &vs[begin..], n);
                N::add_all_rows(&mut w, &of_v[..known], &ws[begin..], n);
                w.iter_mut().for_each(|one| *one = tau * *one);
                let half = N::inner(&w, &v);
                N::add_row(&mut w, -(tau * half).times(0.5), &v);
                for (rows, own) in [(&mut vs, &v), (&mut ws, &w)] {
                    let row = &mut rows[known * n..(known + 1) * n];
                    row[..begin].fill(N::ZERO);
                    row[begin..].copy_from_slice(own);
                }
                reflections.push((v, tau));
                progress(2 * (n - place) * (n - place))?;
            }
            if end < n {
                let (v, w) = (View::of(&vs, n).from(0, end), View::of(&ws, n).from(0, end));
                for (left, right) in [(v, w), (w, v)] {
                    let to = (&mut a[end * (n + 1)..], n);
                    let operands = (left.transposed(), right.conjugate());
                    products.add(to, (n - end, n - end, end - first), operands, -1.0, Needed::Upper)?;
                }
                progress((n - end) * (n - end) * panel)?;
            }
        }
        Ok(Self { diagonal, beside, reflections })
    }

    /// The eigenvalues in no order, and the eigenvectors as rows if `with_vectors`.
    pub(crate) fn solved(
        self,
        with_vectors: bool,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Spectrum<N>>, Failure> {
        let n = self.diagonal.len();
        let (mut values, mut beside) = (self.diagonal, self.beside);
        if !with_vectors {
            let is_found = find_values(&mut values, &mut beside, progress)?;
            return Ok(is_found.then(|| (values, Room::default())));
        }
        let mut vectors = Vectors::of_columns(n, &product_of(n, &self.reflections, 1, progress)?)?;
        // QL finds small values first, and those at the top; a matrix with its small ones at the bottom is
        // turned over.
        if values.last().zip(values.first()).is_some_and(|(last, first)| last.abs() < first.abs()) {
            values.reverse();
            beside[..n - 1].reverse();
            vectors.reverse();
        }
        let most = values.iter().chain(&beside).fold(0.0_f64, |most, one| most.max(one.abs()));
        let least = f64::EPSILON * f64::EPSILON * most;
        let mut turns: Vec<Turn> = list_for(n)?;
        for first in 0..n {
            let mut sweeps = 0;
            loop {
                let last = block_end(&values, &beside, first, least);
                if last == first {
                    break;
                }
                sweeps += 1;
                if sweeps > MOST_SWEEPS {
                    return Ok(None);
                }
                turns.clear();
                sweep(&mut values, &mut beside, (first, last), |turn| turns.push(turn));
                vectors.turn(last, false, &turns)?;
                let work = 8 * (last - first);
                progress(work * n / 8)?;
            }
        }
        Ok(Some((values, vectors.rows()?)))
    }
}

/// The most columns of a panel.
const MOST_PENDING: usize = 32;

/// The last row of the block that begins at a row: the element beside the next row's diagonal is negligible.
fn block_end(values: &[f64], beside: &[f64], first: usize, least: f64) -> usize {
    (first..values.len() - 1)
        .find(|place| {
            let around = values[*place].abs() + values[place + 1].abs();
            beside[*place].abs() <= least.max(0.5 * f64::EPSILON * around)
        })
        .unwrap_or(values.len() - 1)
}

/// One sweep of implicit QL over the rows `first..=last`.
fn sweep(values: &mut [f64], beside: &mut [f64], (first, last): (usize, usize), mut note: impl FnMut(Turn)) {
    let slope = (values[first + 1] - values[first]) / (2.0 * beside[first]);
    let root = slope.hypot(1.0).copysign(slope);
    let mut g = values[last] - values[first] + beside[first] / (slope + root);
    let (mut sine, mut cosine, mut shift) = (1.0, 1.0, 0.0);
    for place in (first..last).rev() {
        let (f, b) = (sine * beside[place], cosine * beside[place]);
        let (toward, across, length) = towards(g, f);
        beside[place + 1] = length;
        if length == 0.0 {
            values[place + 1] -= shift;
            beside[last] = 0.0;
            return;
        }
        (sine, cosine) = (across, toward);
        g = values[place + 1] - shift;
        let rest = (values[place] - g) * sine + 2.0 * cosine * b;
        shift = sine * rest;
        values[place + 1] = g + shift;
        g = cosine * rest - b;
        note(Turn { cosine, sine: -sine });
    }
    values[first] -= shift;
    beside[first] = g;
    beside[last] = 0.0;
}

/// Makes the diagonal that of the eigenvalues; returns whether all were found. The same iteration on squares
/// of what is beside the diagonal, without roots (Pal, Walker and Kahan).
fn find_values(values: &mut [f64], beside: &mut [f64], progress: &mut Progress<'_>) -> Result<bool, Failure> {
    let n = values.len();
    if values.last().zip(values.first()).is_some_and(|(last, first)| last.abs() < first.abs()) {
        values.reverse();
        beside[..n - 1].reverse();
    }
    let most = values.iter().chain(&*beside).fold(0.0_f64, |most, one| most.max(one.abs()));
    let least = (f64::EPSILON * f64::EPSILON * most).powi(2);
    beside.iter_mut().for_each(|one| *one *= *one);
    let squares = beside;
    for first in 0..n {
        let mut sweeps = 0;
        loop {
            let is_negligible = |place: &usize| {
                let around = 0.5 * f64::EPSILON * (values[*place].abs() + values[place + 1].abs());
                squares[*place] <= least.max(around * around)
            };
            let last = (first..n - 1).find(is_negligible).unwrap_or(n - 1);
            if last == first {
                break;
            }
            sweeps += 1;
            if sweeps > MOST_SWEEPS {
                return Ok(false);
            }
            sweep_of_squares(values, squares, (first, last));
            progress(4 * (last - first))?;
        }
    }
    Ok(true)
}

/// One sweep over the rows `first..=last`.
fn sweep_of_squares(values: &mut [f64], squares: &mut [f64], (first, last): (usize, usize)) {
    let root = squares[first].sqrt();
    let slope = (values[first + 1] - values[first]) / (2.0 * root);
    let shift = values[first] - root / (slope + slope.hypot(1.0).copysign(slope));
    let (mut cosine, mut sine) = (1.0, 0.0);
    let mut gamma = values[last] - shift;
    let mut p = gamma * gamma;
    for place in (first..last).rev() {
        let square = squares[place];
        let sum = p + square;
        if place + 1 < last {
            squares[place + 1] = sine * sum;
        }
        let before = cosine;
        (cosine, sine) = if sum == 0.0 { (1.0, 0.0) } else { (p / sum, square / sum) };
        let old = gamma;
        let value = values[place];
        gamma = cosine * (value - shift) - sine * old;
        values[place + 1] = old + (value - gamma);
        p = if cosine == 0.0 { before * square } else { gamma * gamma / cosine };
    }
    squares[first] = sine * p;
    values[first] = shift + gamma;
}
