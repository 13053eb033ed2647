//! Eigenvalues of symmetric and Hermitian matrices: reflections make the matrix tridiagonal and real, rotations
//! make that diagonal (implicit QL).

use super::number::Number;
use super::orthogonal::{identity, reflect, reflection_of, transposed};
use super::products::{add_row, in_vectors, inner};
use super::turns::{Turn, towards, turn_rows};
use super::{Progress, copied, room_for, zeros};
use crate::run::Failure;

/// The most sweeps for one eigenvalue before giving up; two are usual.
const MOST_SWEEPS: usize = 80;

/// Eigenvalues in no order, and the eigenvectors as rows.
pub(super) type Spectrum<N> = (Vec<f64>, Vec<N>);

/// A real tridiagonal matrix, and the reflections of which the matrix was made: each is `1 - tau v vᴴ` and leaves the
/// first rows alone.
pub(super) struct Tridiagonal<N> {
    diagonal: Vec<f64>,
    beside: Vec<f64>,
    reflections: Vec<(Vec<N>, N)>,
}

/// What is still to be subtracted from the rows of a matrix: `v wᴴ + w vᴴ`.
struct Pending<N> {
    v: Vec<N>,
    w: Vec<N>,
}

impl<N: Number> Pending<N> {
    /// Subtracts from a row, whose first number stands in the column `skipped` of the pending products.
    #[inline(always)]
    fn subtract(&self, row: usize, skipped: usize, numbers: &mut [N]) {
        let (x, y) = (self.v[row], self.w[row]);
        for ((one, v), w) in numbers.iter_mut().zip(&self.v[skipped..]).zip(&self.w[skipped..]) {
            *one -= x * w.conjugate() + y * v.conjugate();
        }
    }
}

impl<N: Number> Tridiagonal<N> {
    /// Of a Hermitian matrix, both of whose triangles are given.
    pub(super) fn of(n: usize, mut a: Vec<N>, progress: &mut Progress<'_>) -> Result<Self, Failure> {
        let (mut diagonal, mut beside, mut reflections) = (room_for(n)?, zeros(n)?, room_for(n)?);
        let mut pending: Option<Pending<N>> = None;
        for place in 0..n {
            let (done, rest) = a.split_at_mut((place + 1) * n);
            let row = &mut done[place * n + place..];
            if let Some(pending) = &pending {
                pending.subtract(0, 0, row);
            }
            diagonal.push(row[0].re());
            if place + 1 == n {
                break;
            }
            let mut column = room_for(n - place - 1)?;
            column.extend(row[1..].iter().map(|one| one.conjugate()));
            let (v, tau, beta) = reflection_of(column);
            beside[place] = beta;
            let mut w = zeros(n - place - 1)?;
            in_vectors(|| {
                for (number, (row, product)) in rest.chunks_exact_mut(n).zip(&mut w).enumerate() {
                    let row = &mut row[place + 1..];
                    if let Some(pending) = &pending {
                        pending.subtract(number + 1, 1, row);
                    }
                    *product = inner(row, &v);
                }
                w.iter_mut().for_each(|one| *one = tau * *one);
                let half = w.iter().zip(&v).fold(N::ZERO, |sum, (w, v)| sum + w.conjugate() * *v);
                add_row(&mut w, -(tau * half).times(0.5), &v);
            });
            reflections.push((copied(&v)?, tau));
            pending = Some(Pending { v, w });
            progress(4 * (n - place) * (n - place))?;
        }
        Ok(Self { diagonal, beside, reflections })
    }

    /// The eigenvalues in no order, and the eigenvectors as rows if `with_vectors`.
    pub(super) fn solved(
        self,
        with_vectors: bool,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Spectrum<N>>, Failure> {
        let n = self.diagonal.len();
        let mut rows = Vec::new();
        if with_vectors {
            let mut vectors = identity(n, n)?;
            for (place, (v, tau)) in self.reflections.iter().enumerate().rev() {
                reflect(&mut vectors, n, place + 1, (v, *tau), progress)?;
            }
            rows = transposed(n, n, &vectors)?;
        }
        let (mut values, mut beside) = (self.diagonal, self.beside);
        // QL finds small values first, and those at the top; a matrix with its small ones at the bottom is turned over.
        if values.last().zip(values.first()).is_some_and(|(last, first)| last.abs() < first.abs()) {
            values.reverse();
            beside[..n - 1].reverse();
            rows = rows.chunks_exact(n).rev().flatten().copied().collect();
        }
        let most = values.iter().chain(&beside).fold(0.0_f64, |most, one| most.max(one.abs()));
        let least = f64::EPSILON * f64::EPSILON * most;
        let mut turns: Vec<Turn> = room_for(n)?;
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
                let mut work = 8 * (last - first);
                if with_vectors {
                    turn_rows(&mut rows, n, &turns);
                    work *= n;
                }
                progress(work)?;
            }
        }
        Ok(Some((values, rows)))
    }
}

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
        note(Turn { place, cosine, sine: -sine });
    }
    values[first] -= shift;
    beside[first] = g;
    beside[last] = 0.0;
}
