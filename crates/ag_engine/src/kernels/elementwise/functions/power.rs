//! `pow`.
//!
//! ```text
//! x ** y = 2 ** (y · log2 x)        the logarithm and the product in two numbers each
//! ```

use super::arithmetic::{nearest_of, polynomial, product_of, split, sum_of};
use super::exponential::exp2_of;

/// `sqrt(2/3)`
const ROOT_OF_TWO_THIRDS: f64 = 0.816_496_580_927_726;
/// `log2(4/3)` in two parts: a head whose sum with an exponent is exact, and the rest.
const LOG2_OF_THIRDS: [f64; 2] = [0.415_037_499_278_696_5, 1.473_318_198_578_196_6e-13];
/// `2 / ln 2` and its rounding error.
const TWO_OF_LN_2: [f64; 2] = [2.885_390_081_777_926_8, 4.071_054_748_186_206_6e-17];
/// A third of it, and its rounding error.
const THIRD: [f64; 2] = [0.961_796_693_925_975_6, 5.057_761_664_812_590_7e-17];
/// `(log2((1 + s) / (1 - s)) / s - (1 + s² / 3) · 2 / ln 2) / s⁴` for `|s| <= 0.101`, in powers of `s²`.
const LOG2: [f64; 6] = [
    0.202_956_994_860_530_23,
    0.221_720_498_840_738_47,
    0.262_310_620_303_464_75,
    0.320_598_885_046_648_96,
    0.412_198_583_144_147_9,
    0.577_078_016_355_554_3,
];

/// The logarithm to base 2 of a positive normal number as a sum of two numbers, 65 bits; the second is at
/// most 1/50,000 of it.
///
/// ```text
/// x = 2 ** e · m        sqrt(2/3) <= m < 2 sqrt(2/3); times 3/4 where it is above 6/5
/// ```
#[inline(always)]
fn log2_of(x: f64) -> (f64, f64) {
    let (e, m, _) = split(x, ROOT_OF_TWO_THIRDS);
    let is_above = m > 1.2;
    let f = m.mul_add(if is_above { 0.75 } else { 1.0 }, -1.0);
    let [head, tail] = if is_above { LOG2_OF_THIRDS } else { [0.0; 2] };
    // `s = f / (2 + f)`
    let below = 2.0 + f;
    let inverse = 1.0 / below;
    let s = f * inverse;
    let s_lost = inverse * s.mul_add((below - 2.0) - f, s.mul_add(-below, f));
    let (z, z_lost) = product_of(s, s);
    let z_lost = (s + s).mul_add(s_lost, z_lost);
    let (third, third_lost) = product_of(z, THIRD[0]);
    let third_lost = z_lost.mul_add(THIRD[0], z.mul_add(THIRD[1], third_lost));
    let rest = polynomial(&LOG2, z).mul_add(z * z, third_lost + TWO_OF_LN_2[1]);
    // `log2((1 + s) / (1 - s)) = s · (factor + rest)`
    let (factor, lost) = sum_of(TWO_OF_LN_2[0], third);
    let rest = rest + lost;
    let (product, lost) = product_of(s, factor);
    let low = s.mul_add(rest, s_lost.mul_add(factor, lost));
    let (sum, lost) = sum_of(e + head, product);
    (sum, low + (lost + tail))
}

/// Whether [`pow`] cannot have these: zeros, subnormal numbers, infinities and NaN.
#[inline(always)]
pub(super) fn is_far(x: f64, y: f64) -> bool {
    !(x.abs() >= f64::MIN_POSITIVE && x.abs() < f64::INFINITY && y.abs() < f64::INFINITY)
}

/// Whether an array raised to this number is a product, a root or a reciprocal.
#[inline(always)]
pub(super) fn has_own_function(y: f64) -> bool {
    y == 2.0 || y == 3.0 || y == 4.0 || y == 0.5 || y == -1.0
}

/// `x ** y`.
#[inline(always)]
pub(super) fn pow(x: f64, y: f64) -> f64 {
    let (log, lost) = log2_of(x.abs());
    let (product, more) = product_of(y, log);
    let rest = y.mul_add(lost, more);
    let (whole, power) = nearest_of(product, 1.0);
    let size = exp2_of(power, (product - whole) + rest);
    // Beyond these bounds it is neither a number nor right.
    let size = if product > 1100.0 { f64::INFINITY } else { size };
    let size = if product < -1100.0 { 0.0 } else { size };
    let half = 0.5 * y;
    let is_integer = y.round_ties_even() == y;
    let is_odd = is_integer && half.round_ties_even() != half;
    let signed = if x < 0.0 && is_odd { -size } else { size };
    if x < 0.0 && !is_integer { f64::NAN } else { signed }
}
