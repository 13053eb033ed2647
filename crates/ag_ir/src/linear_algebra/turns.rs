//! Rotations of neighbouring vectors: an iteration on a few diagonals notes them, and they are applied to the
//! vectors many sweeps at a time.

use pulp::Simd;

use super::number::Number;
use super::vectors::with_vectors;
use super::{Answer, Room, some_numbers, zeros};
use crate::run::Failure;

/// A rotation by an angle with this cosine and sine.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) cosine: f64,
    pub(super) sine: f64,
}

/// Rotations one after the other, each of which shares a vector with the one before: vectors `first` and its
/// neighbour, then the neighbour and the next one. `x, y` become `c x + s y` and `c y - s x`, where `x` is before `y`.
#[derive(Clone, Copy)]
struct Sweep {
    first: usize,
    count: usize,
    rises: bool,
}

/// Numbers of a strip: two vectors, or four.
const STRIP: usize = 16;

/// Rotations that are noted before they are applied: their memory is that of so many vectors.
const NOTED: usize = 8;

/// Vectors, cut into strips: so the rotations of many sweeps find the numbers they turn in the nearest cache.
pub(super) struct Vectors {
    /// Strip by strip, and in a strip vector by vector.
    numbers: Room<f64>,
    count: usize,
    turns: Vec<Turn>,
    sweeps: Vec<Sweep>,
}

impl Vectors {
    /// The columns of an `n × n` matrix.
    pub(super) fn of_columns<N: Number>(n: usize, matrix: &[N]) -> Result<Self, Failure> {
        let width = n * N::PARTS;
        let mut numbers = zeros(width.next_multiple_of(STRIP) * n)?;
        let own = STRIP / N::PARTS;
        for (strip, rows) in numbers.chunks_exact_mut((n * STRIP).max(1)).zip(matrix.chunks(own * n.max(1))) {
            for (place, row) in rows.chunks_exact(n).enumerate() {
                for (to, from) in strip.chunks_exact_mut(STRIP).zip(row) {
                    for part in 0..N::PARTS {
                        to[place * N::PARTS + part] = from.part(0, part);
                    }
                }
            }
        }
        Ok(Self { numbers, count: n, turns: Vec::new(), sweeps: Vec::new() })
    }

    /// No vectors: rotations are forgotten.
    pub(super) fn none() -> Self {
        Self { numbers: Room::default(), count: 0, turns: Vec::new(), sweeps: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The vectors as rows, when all rotations have been applied.
    pub(super) fn rows<N: Number>(mut self) -> Answer<N> {
        self.apply();
        let (n, own) = (self.count, STRIP / N::PARTS);
        let mut rows: Room<N> = some_numbers(n * n)?;
        for (number, strip) in self.numbers.chunks_exact((n * STRIP).max(1)).enumerate() {
            for (row, from) in rows.chunks_exact_mut(n).zip(strip.chunks_exact(STRIP)) {
                let to = row[number * own..].iter_mut();
                to.zip(from.chunks_exact(N::PARTS)).for_each(|(to, parts)| *to = N::of_parts(parts));
            }
        }
        Ok(rows)
    }

    /// Notes a sweep that begins with the vectors `first` and the next one, or the one before if it does not rise.
    pub(super) fn turn(&mut self, first: usize, rises: bool, turns: &[Turn]) -> Result<(), Failure> {
        if self.is_empty() || turns.is_empty() {
            return Ok(());
        }
        if self.turns.len() + turns.len() > NOTED * self.count {
            self.apply();
        }
        let bytes = size_of_val(turns);
        self.turns.try_reserve(turns.len()).map_err(|_| Failure::OutOfMemory { bytes })?;
        self.turns.extend_from_slice(turns);
        self.sweeps.push(Sweep { first, count: turns.len(), rises });
        Ok(())
    }

    /// Rotates two vectors, the first of which is before the other.
    pub(super) fn turn_two(&mut self, (one, other): (usize, usize), (cosine, sine): (f64, f64)) {
        if self.is_empty() {
            return;
        }
        self.apply();
        for strip in self.numbers.chunks_exact_mut(self.count * STRIP) {
            let (before, after) = strip.split_at_mut(other * STRIP);
            for (x, y) in before[one * STRIP..(one + 1) * STRIP].iter_mut().zip(&mut after[..STRIP]) {
                (*x, *y) = (*x * cosine + *y * sine, *y * cosine - *x * sine);
            }
        }
    }

    /// Turns the order of the vectors over.
    pub(super) fn reverse(&mut self) {
        self.apply();
        for strip in self.numbers.chunks_exact_mut((self.count * STRIP).max(1)) {
            for place in 0..self.count / 2 {
                let (before, after) = strip.split_at_mut((self.count - 1 - place) * STRIP);
                before[place * STRIP..(place + 1) * STRIP].swap_with_slice(&mut after[..STRIP]);
            }
        }
    }

    /// Applies what has been noted.
    fn apply(&mut self) {
        let (numbers, turns, sweeps) = (&mut self.numbers[..], &self.turns[..], &self.sweeps[..]);
        let length = (self.count * STRIP).max(1);
        if !turns.is_empty() {
            with_vectors!(|simd: S,
                           numbers: &'w mut [f64],
                           turns: &'w [Turn],
                           sweeps: &'w [Sweep],
                           length: usize|
             -> () {
                for strip in numbers.chunks_exact_mut(length) {
                    let mut rest = turns;
                    for sweep in sweeps {
                        let (own, others) = rest.split_at(sweep.count);
                        rest = others;
                        match S::F64_LANES {
                            8 => turn_strip::<S, 2>(simd, strip, *sweep, own),
                            4 => turn_strip::<S, 4>(simd, strip, *sweep, own),
                            2 => turn_strip::<S, 8>(simd, strip, *sweep, own),
                            _ => turn_strip::<S, STRIP>(simd, strip, *sweep, own),
                        }
                    }
                }
            });
        }
        self.turns.clear();
        self.sweeps.clear();
    }
}

/// Applies a sweep to a strip. The vector that the next rotation shares stays in registers.
#[inline(always)]
fn turn_strip<S: Simd, const VECTORS: usize>(simd: S, strip: &mut [f64], sweep: Sweep, turns: &[Turn]) {
    let (numbers, _) = S::as_mut_simd_f64s(strip);
    let Sweep { first, count, rises } = sweep;
    // Vectors in the order of the sweep: the first one is shared by no rotation before.
    let (low, high) = if rises { (first, first + count) } else { (first - count, first) };
    let numbers = &mut numbers[low * VECTORS..(high + 1) * VECTORS];
    let sign = if rises { 1.0 } else { -1.0 };
    let place_of = |step: usize| if rises { step * VECTORS } else { (count - step) * VECTORS };
    let mut carried = [simd.splat_f64s(0.0); VECTORS];
    carried.copy_from_slice(&numbers[place_of(0)..place_of(0) + VECTORS]);
    for (step, turn) in turns.iter().enumerate() {
        let (cosine, sine) = (simd.splat_f64s(turn.cosine), simd.splat_f64s(sign * turn.sine));
        let minus = simd.splat_f64s(-sign * turn.sine);
        let (to, from) = (place_of(step), place_of(step + 1));
        for vector in 0..VECTORS {
            let next = numbers[from + vector];
            numbers[to + vector] = simd.mul_add_e_f64s(cosine, carried[vector], simd.mul_f64s(sine, next));
            carried[vector] = simd.mul_add_e_f64s(minus, carried[vector], simd.mul_f64s(cosine, next));
        }
    }
    let last = place_of(count);
    numbers[last..last + VECTORS].copy_from_slice(&carried);
}

/// Below this, squares may have too few digits for a rotation by a quotient of them to keep lengths.
const LEAST: f64 = 1e-140;

/// A power of two that makes the squares of all numbers below [`LEAST`] that matter ordinary ones.
const ENLARGED: f64 =
    1.0 / (f64::MIN_POSITIVE * (1_u128 << 120) as f64 * (1_u128 << 120) as f64 * (1_u128 << 120) as f64);

/// Cosine, sine and length: the rotation that turns `(x, y)` to `(length, 0)`. Squares do not overflow: matrices are
/// scaled before.
pub(super) fn towards(x: f64, y: f64) -> (f64, f64, f64) {
    let factor = if x.abs().max(y.abs()) < LEAST { ENLARGED } else { 1.0 };
    let (x, y) = (x * factor, y * factor);
    let length = (x * x + y * y).sqrt();
    if length == 0.0 { (1.0, 0.0, 0.0) } else { (x / length, y / length, length / factor) }
}
