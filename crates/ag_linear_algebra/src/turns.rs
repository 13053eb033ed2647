//! Rotations of neighbouring vectors: an iteration on a few diagonals notes them, and they are applied to the
//! vectors many sweeps at a time.

use pulp::Simd;

use crate::Failure;
use crate::number::Number;
use crate::vectors::with_vectors;
use crate::{Answer, Room, some_numbers, zeros};

/// A rotation by an angle with this cosine and sine.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) cosine: f64,
    pub(crate) sine: f64,
}

/// Rotations one after the other, each of which shares a vector with the one before: vectors `first` and its
/// neighbour, then the neighbour and the next one. `x, y` become `c x + s y` and `c y - s x`, where `x` is
/// before `y`.
#[derive(Clone, Copy)]
struct Sweep {
    first: usize,
    count: usize,
    rises: bool,
}

/// Numbers of a strip: two vectors, or four, so that a rotation need not wait for the one before.
const STRIP: usize = 16;

/// Rotations that are noted before they are applied: their memory is that of so many vectors.
const NOTED: usize = 8;

/// Vectors, cut into strips: so the rotations of many sweeps find the numbers they turn in the nearest cache.
pub(crate) struct Vectors {
    /// Strip by strip, and in a strip vector by vector.
    numbers: Room<f64>,
    count: usize,
    turns: Vec<Turn>,
    sweeps: Vec<Sweep>,
}

impl Vectors {
    /// The columns of an `n × n` matrix.
    pub(crate) fn of_columns<N: Number>(n: usize, matrix: &[N]) -> Result<Self, Failure> {
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
    pub(crate) fn none() -> Self {
        Self { numbers: Room::default(), count: 0, turns: Vec::new(), sweeps: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The vectors as rows, when all rotations have been applied.
    pub(crate) fn rows<N: Number>(mut self) -> Answer<N> {
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

    /// Notes a sweep that begins with the vectors `first` and the next one, or the one before if it does not
    /// rise.
    pub(crate) fn turn(&mut self, first: usize, rises: bool, turns: &[Turn]) -> Result<(), Failure> {
        if self.is_empty() || turns.is_empty() {
            return Ok(());
        }
        if self.turns.len() + turns.len() > NOTED * self.count {
            self.apply();
        }
        let bytes = size_of_val(turns);
        self.turns.try_reserve(turns.len()).map_err(|_| Failure::OutOfMemory { bytes })?;
        // A sweep that falls meets the two vectors of a rotation in the other order.
        let sign = if rises { 1.0 } else { -1.0 };
        self.turns.extend(turns.iter().map(|turn| Turn { sine: sign * turn.sine, ..*turn }));
        self.sweeps.push(Sweep { first, count: turns.len(), rises });
        Ok(())
    }

    /// Rotates two vectors, the first of which is before the other.
    pub(crate) fn turn_two(&mut self, (one, other): (usize, usize), (cosine, sine): (f64, f64)) {
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
    pub(crate) fn reverse(&mut self) {
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
                    match S::F64_LANES {
                        8 => turn_strip::<S, 2>(simd, strip, turns, sweeps),
                        4 => turn_strip::<S, 4>(simd, strip, turns, sweeps),
                        2 => turn_strip::<S, 8>(simd, strip, turns, sweeps),
                        _ => turn_strip::<S, STRIP>(simd, strip, turns, sweeps),
                    }
                }
            });
        }
        self.turns.clear();
        self.sweeps.clear();
    }
}

/// Applies sweeps to a strip, two at a time where the second one follows the first.
#[inline(always)]
fn turn_strip<S: Simd, const VECTORS: usize>(simd: S, strip: &mut [f64], turns: &[Turn], sweeps: &[Sweep]) {
    let (numbers, _) = S::as_mut_simd_f64s(strip);
    let (mut rest, mut place) = (turns, 0);
    while let Some(sweep) = sweeps.get(place) {
        let (own, others) = rest.split_at(sweep.count);
        if let Some((behind, next)) = sweeps.get(place + 1).and_then(|next| Some((sweep.behind(next)?, next)))
        {
            let (following, others) = others.split_at(next.count);
            turn_twice::<S, VECTORS>(simd, numbers, *sweep, own, behind, following);
            (rest, place) = (others, place + 2);
        } else {
            turn_once::<S, VECTORS>(simd, numbers, *sweep, own);
            (rest, place) = (others, place + 1);
        }
    }
}

impl Sweep {
    /// How many vectors of this sweep come before the first of the next one, if that meets no others than
    /// this one, in the same order.
    #[inline(always)]
    fn behind(&self, next: &Self) -> Option<usize> {
        let behind = if self.rises {
            next.first.checked_sub(self.first)?
        } else {
            self.first.checked_sub(next.first)?
        };
        (self.rises == next.rises && behind + next.count <= self.count && next.count > 0).then_some(behind)
    }

    /// Where the vector of a step begins, in numbers of `VECTORS`.
    #[inline(always)]
    fn at<const VECTORS: usize>(&self, step: usize) -> usize {
        VECTORS * if self.rises { self.first + step } else { self.first - step }
    }

    /// Puts the vector of a step back.
    #[inline(always)]
    fn store<V: Copy, const VECTORS: usize>(&self, numbers: &mut [V], step: usize, done: [V; VECTORS]) {
        let to = self.at::<VECTORS>(step);
        numbers[to..to + VECTORS].copy_from_slice(&done);
    }
}

/// Rotates a vector, which is shared with the rotation before, and the next one: what remains of the first,
/// and what is shared with the next rotation.
#[inline(always)]
fn turned<S: Simd, const VECTORS: usize>(
    simd: S,
    turn: &Turn,
    shared: [S::f64s; VECTORS],
    next: [S::f64s; VECTORS],
) -> ([S::f64s; VECTORS], [S::f64s; VECTORS]) {
    let (cosine, sine) = (simd.splat_f64s(turn.cosine), simd.splat_f64s(turn.sine));
    let (mut done, mut rest) = (shared, shared);
    for vector in 0..VECTORS {
        done[vector] = simd.mul_add_e_f64s(cosine, shared[vector], simd.mul_f64s(sine, next[vector]));
        rest[vector] = simd.negate_mul_add_e_f64s(sine, shared[vector], simd.mul_f64s(cosine, next[vector]));
    }
    (done, rest)
}

#[inline(always)]
fn load<S: Simd, const VECTORS: usize>(simd: S, numbers: &[S::f64s], at: usize) -> [S::f64s; VECTORS] {
    let mut loaded = [simd.splat_f64s(0.0); VECTORS];
    loaded.copy_from_slice(&numbers[at..at + VECTORS]);
    loaded
}

#[inline(always)]
fn turn_once<S: Simd, const VECTORS: usize>(simd: S, numbers: &mut [S::f64s], sweep: Sweep, turns: &[Turn]) {
    let mut shared = load::<S, VECTORS>(simd, numbers, sweep.at::<VECTORS>(0));
    for (step, turn) in turns.iter().enumerate() {
        let next = load(simd, numbers, sweep.at::<VECTORS>(step + 1));
        let (done, rest) = turned(simd, turn, shared, next);
        sweep.store(numbers, step, done);
        shared = rest;
    }
    sweep.store(numbers, turns.len(), shared);
}

/// Applies two sweeps, of which the second begins `behind` vectors later, and one step after the first has
/// passed.
#[inline(always)]
fn turn_twice<S: Simd, const VECTORS: usize>(
    simd: S,
    numbers: &mut [S::f64s],
    sweep: Sweep,
    turns: &[Turn],
    behind: usize,
    following: &[Turn],
) {
    let mut shared = load::<S, VECTORS>(simd, numbers, sweep.at::<VECTORS>(0));
    for (step, turn) in turns[..behind].iter().enumerate() {
        let (done, rest) = turned(simd, turn, shared, load(simd, numbers, sweep.at::<VECTORS>(step + 1)));
        sweep.store(numbers, step, done);
        shared = rest;
    }
    let next = load(simd, numbers, sweep.at::<VECTORS>(behind + 1));
    let (mut second, rest) = turned(simd, &turns[behind], shared, next);
    shared = rest;
    let own = &turns[behind + 1..];
    let both = own.len().min(following.len());
    for (number, (turn, after)) in own[..both].iter().zip(&following[..both]).enumerate() {
        let step = behind + 1 + number;
        let (done, rest) = turned(simd, turn, shared, load(simd, numbers, sweep.at::<VECTORS>(step + 1)));
        shared = rest;
        let (done, rest) = turned(simd, after, second, done);
        sweep.store(numbers, step - 1, done);
        second = rest;
    }
    if both < following.len() {
        // The second sweep ends with the first one's last vector.
        let (done, rest) = turned(simd, &following[both], second, shared);
        sweep.store(numbers, behind + both, done);
        sweep.store(numbers, behind + both + 1, rest);
        return;
    }
    sweep.store(numbers, behind + both, second);
    for (number, turn) in own[both..].iter().enumerate() {
        let step = behind + 1 + both + number;
        let (done, rest) = turned(simd, turn, shared, load(simd, numbers, sweep.at::<VECTORS>(step + 1)));
        sweep.store(numbers, step, done);
        shared = rest;
    }
    sweep.store(numbers, turns.len(), shared);
}

/// Below this, squares may have too few digits for a rotation by a quotient of them to keep lengths.
const LEAST: f64 = 1e-140;

/// A power of two that makes the squares of all numbers below [`LEAST`] that matter ordinary ones.
const ENLARGED: f64 =
    1.0 / (f64::MIN_POSITIVE * (1_u128 << 120) as f64 * (1_u128 << 120) as f64 * (1_u128 << 120) as f64);

/// Cosine, sine and length: the rotation that turns `(x, y)` to `(length, 0)`. Squares do not overflow:
/// matrices are scaled before.
pub(crate) fn towards(x: f64, y: f64) -> (f64, f64, f64) {
    let squares = x * x + y * y;
    if squares > LEAST * LEAST {
        let length = squares.sqrt();
        return (x / length, y / length, length);
    }
    let (x, y) = (x * ENLARGED, y * ENLARGED);
    let length = (x * x + y * y).sqrt();
    if length == 0.0 { (1.0, 0.0, 0.0) } else { (x / length, y / length, length / ENLARGED) }
}
