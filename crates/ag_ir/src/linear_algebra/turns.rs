//! Rotations of neighbouring vectors: an iteration on a few diagonals notes them, and they are applied to the
//! vectors a sweep at a time.

use super::number::Number;
use super::products::in_vectors;

/// A rotation of the vectors `place` and `place + 1` by an angle with this cosine and sine.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) place: usize,
    pub(super) cosine: f64,
    pub(super) sine: f64,
}

/// Columns that go through a sweep together, in registers.
const STRIP: usize = 16;

/// Rotates rows of `width` numbers by a sweep, each of whose rotations shares a row with the one before: places
/// rise by one, or fall by one. `x, y` become `c x + s y` and `c y - s x`.
pub(super) fn turn_rows<N: Number>(rows: &mut [N], width: usize, sweep: &[Turn]) {
    let (Some(first), Some(last)) = (sweep.first(), sweep.last()) else { return };
    let rises = first.place <= last.place;
    let offsets = if rises { (0, 1, 1.0) } else { (1, 0, -1.0) };
    in_vectors(|| {
        let whole = width - width % STRIP;
        for start in (0..whole).step_by(STRIP) {
            turn_strip::<N, STRIP>(rows, width, start, sweep, offsets);
        }
        for start in whole..width {
            turn_strip::<N, 1>(rows, width, start, sweep, offsets);
        }
    });
}

/// Rotates `COUNT` columns. The row that the next rotation shares is not written before that.
#[inline(always)]
fn turn_strip<N: Number, const COUNT: usize>(
    rows: &mut [N],
    width: usize,
    start: usize,
    sweep: &[Turn],
    (shared, other, sign): (usize, usize, f64),
) {
    let strip_of = |row: usize| row * width + start..row * width + start + COUNT;
    let mut carried = [N::ZERO; COUNT];
    carried.copy_from_slice(&rows[strip_of(sweep[0].place + shared)]);
    for turn in sweep {
        let (cosine, sine) = (turn.cosine, sign * turn.sine);
        let mut next = [N::ZERO; COUNT];
        next.copy_from_slice(&rows[strip_of(turn.place + other)]);
        let mut done = [N::ZERO; COUNT];
        for column in 0..COUNT {
            done[column] = carried[column].times(cosine) + next[column].times(sine);
            carried[column] = next[column].times(cosine) - carried[column].times(sine);
        }
        rows[strip_of(turn.place + shared)].copy_from_slice(&done);
    }
    let last = sweep[sweep.len() - 1].place + other;
    rows[strip_of(last)].copy_from_slice(&carried);
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
