//! `pow`.
//!
//! ```text
//! x ** y = 2 ** (y · log2 x)        the logarithm in two numbers
//! ```

use super::arithmetic::{nearest_of, polynomial, sum_of};

/// The middle of the values of `log2((1 + s) / (1 - s)) / s` for `|s| <= 0.101`.
const FACTOR: f32 = 2.890_332_9;
/// The values less the middle, in powers of `s²`.
const LESS_FACTOR: [f32; 4] = [0.414_722_4, 0.577_100_16, 0.961_796_5, -0.004_942_855_3];
/// `(2 ** r - 1) / r` for `|r| <= 0.74`.
const EXP2: [f32; 7] = [
    1.513_093_4e-5,
    0.000_155_364_18,
    0.001_333_523_5,
    0.009_617_739,
    0.055_504_065,
    0.240_226_54,
    std::f32::consts::LN_2,
];
/// `sqrt(2/3)`
const ROOT_OF_TWO_THIRDS: f32 = 0.816_496_6;
/// `log2(4/3)` in two parts: a head whose sum with an exponent is exact, and the rest.
const LOG2_OF_THIRDS: [f32; 2] = [0.414_916_992_187_5, 0.000_120_507_09];

/// The logarithm to base 2 of a positive normal number as a sum of two numbers, 33 bits; the second is at
/// most the 500th part of it.
///
/// ```text
/// x = 2 ** e · m        sqrt(2/3) <= m < 2 sqrt(2/3); times 3/4 where it is above 6/5
/// ```
#[inline(always)]
fn log2_of(x: f32) -> (f32, f32) {
    let bits = x.to_bits().wrapping_sub(ROOT_OF_TWO_THIRDS.to_bits()) & 0xff80_0000;
    let m = f32::from_bits(x.to_bits().wrapping_sub(bits));
    let e = (bits as i32 >> 23) as f32;
    let is_above = m > 1.2;
    let f = m.mul_add(if is_above { 0.75 } else { 1.0 }, -1.0);
    let [head, tail] = if is_above { LOG2_OF_THIRDS } else { [0.0; 2] };
    // `s = f / (2 + f)`
    let below = 2.0 + f;
    let inverse = 1.0 / below;
    let s = f * inverse;
    let lost = inverse * s.mul_add((below - 2.0) - f, s.mul_add(-below, f));
    let product = s * FACTOR;
    let (sum, of_sum) = sum_of(e + head, product);
    // The smallest first.
    let small = lost.mul_add(FACTOR, s.mul_add(FACTOR, -product)) + (tail + of_sum);
    (sum, s.mul_add(polynomial::<true, 4>(&LESS_FACTOR, s * s), small))
}

/// Whether [`pow`] cannot have these: zeros, subnormal numbers, infinities and NaN.
#[inline(always)]
pub(super) fn is_far(x: f32, y: f32) -> bool {
    let least = f32::MIN_POSITIVE.to_bits();
    let is_normal = x.abs().to_bits().wrapping_sub(least) < f32::INFINITY.to_bits() - least;
    !(is_normal && y.abs() < f32::INFINITY)
}

/// `x ** y`, by fused multiply-add.
#[inline(always)]
pub(super) fn pow(x: f32, y: f32) -> f32 {
    let (log, rest) = log2_of(x.abs());
    let product = y * log;
    let rest = y.mul_add(rest, y.mul_add(log, -product));
    let (whole, power) = nearest_of::<true>(product, 1.0);
    let r = (product - whole) + rest;
    let size = power.times(polynomial::<true, 7>(&EXP2, r).mul_add(r, 1.0));
    // Beyond these bounds it is neither a number nor right.
    let size = if product > 160.0 { f32::INFINITY } else { size };
    let size = if product < -160.0 { 0.0 } else { size };
    let half = 0.5 * y;
    let is_integer = y.round_ties_even() == y;
    let is_odd = is_integer && half.round_ties_even() != half;
    let signed = if x < 0.0 && is_odd { -size } else { size };
    let value = if x < 0.0 && !is_integer { f32::NAN } else { signed };
    // The last bit of a number that is only raised to 1 is not lost.
    if y == 1.0 { x } else { value }
}
