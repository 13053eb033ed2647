//! Singular values of a bidiagonal matrix without their vectors: differences of quotients, shifted (dqds, by
//! Fernando and Parlett). No roots, and one quotient for each row of a sweep.

use crate::Failure;
use crate::{Progress, list_for};

/// The most sweeps for one value, on average; three are usual.
const MOST_SWEEPS: usize = 20;

/// What is so small beside a square does not change its root.
const NEGLIGIBLE: f64 = 0.25 * f64::EPSILON * f64::EPSILON;

/// Rows of the matrix that nothing connects with the others; `shift` was subtracted from the squares of their
/// values.
struct Part {
    first: usize,
    end: usize,
    shift: Sum,
}

/// A sum with what was rounded off.
#[derive(Clone, Copy, Default)]
struct Sum {
    value: f64,
    rest: f64,
}

impl Sum {
    fn plus(self, one: f64) -> Self {
        let one = one + self.rest;
        let value = self.value + one;
        let rest = if self.value > one { one - (value - self.value) } else { self.value - (value - one) };
        Self { value, rest }
    }
}

/// The singular values in no order; none if there are zeros in the way, or they were not found.
pub(crate) fn values_of(
    diagonal: &[f64],
    above: &[f64],
    progress: &mut Progress<'_>,
) -> Result<Option<Vec<f64>>, Failure> {
    let n = diagonal.len();
    let (mut q, mut e): (Vec<f64>, Vec<f64>) = (list_for(n)?, list_for(n)?);
    q.extend(diagonal.iter().map(|one| one * one));
    e.extend(above[..n].iter().map(|one| one * one));
    let (mut next_q, mut next_e) = (q.clone(), e.clone());
    let mut values = list_for(n)?;
    let mut parts = vec![Part { first: 0, end: n, shift: Sum::default() }];
    let mut sweeps = 0;
    while let Some(Part { mut first, mut end, mut shift }) = parts.pop() {
        // Small values are found first, at the end.
        if end > first + 1 && 1.5 * q[first] < q[end - 1] {
            q[first..end].reverse();
            e[first..end - 1].reverse();
        }
        while end > first {
            let last = end - 1;
            if last == first || e[last - 1] <= NEGLIGIBLE * (shift.value + q[last]) {
                values.push((q[last] + shift.rest + shift.value).sqrt());
                end = last;
                continue;
            }
            let is_apart = |place: &usize| e[*place] <= NEGLIGIBLE * q[*place].max(shift.value);
            if let Some(place) = (first..last - 1).rev().find(is_apart) {
                parts.push(Part { first, end: place + 1, shift });
                first = place + 1;
                continue;
            }
            let mut tau = guess(&q[first..end], &e[first..end]);
            let mut tries = 0;
            loop {
                sweeps += 1;
                if sweeps > MOST_SWEEPS * n {
                    return Ok(None);
                }
                progress(4 * (end - first))?;
                let to = (&mut next_q[first..end], &mut next_e[first..end]);
                let (least, last) = sweep(&q[first..end], &e[first..end], to, tau);
                if least >= 0.0 {
                    break;
                }
                // The shift was too large, or there is a NaN.
                if least.is_nan() || last.is_nan() || tau == 0.0 {
                    return Ok(None);
                }
                tries += 1;
                tau = match tries {
                    // Only the last row is below zero: by as much as the shift is too large, nearly.
                    1 if least == last => ((tau + last) * (1.0 - 4.0 * f64::EPSILON)).max(0.0),
                    1 | 2 => tau / 4.0,
                    _ => 0.0,
                };
            }
            q[first..end].copy_from_slice(&next_q[first..end]);
            e[first..end - 1].copy_from_slice(&next_e[first..end - 1]);
            shift = shift.plus(tau);
        }
    }
    Ok(values.iter().all(|one: &f64| one.is_finite()).then_some(values))
}

/// A shift that is about the smallest eigenvalue: that of the last two rows, less what the others may change.
fn guess(q: &[f64], e: &[f64]) -> f64 {
    let last = q.len() - 1;
    let before = if last > 1 { e[last - 2] } else { 0.0 };
    let (a, c) = (q[last - 1] + before, q[last] + e[last - 1]);
    let square = q[last - 1] * e[last - 1];
    let half = (a - c) / 2.0;
    let larger = (a + c) / 2.0 + (half * half + square).sqrt();
    if larger == 0.0 {
        return 0.0;
    }
    // The determinant, without differences.
    let smaller = (q[last - 1] * q[last] + before * c) / larger;
    let part = square + (a - smaller) * (a - smaller);
    let share = if last > 1 && part > 0.0 { q[last - 2] * before * (square / part) } else { 0.0 };
    (smaller - share.sqrt()).max(0.0)
}

/// Subtracts a shift from the squares of all values; returns the smallest number on the way, and the last
/// one.
fn sweep(q: &[f64], e: &[f64], (to_q, to_e): (&mut [f64], &mut [f64]), tau: f64) -> (f64, f64) {
    let last = q.len() - 1;
    let mut d = q[0] - tau;
    let mut least = d;
    for (((e, next), to_q), to_e) in e.iter().zip(&q[1..]).zip(&mut *to_q).zip(to_e) {
        *to_q = d + e;
        let ratio = next / *to_q;
        *to_e = e * ratio;
        d = d * ratio - tau;
        least = if d < least { d } else { least };
    }
    to_q[last] = d;
    (if d.is_nan() { d } else { least }, d)
}
