//! `log`, `log2`, `log10`, `log1p` and the inverse hyperbolic functions.
//!
//! ```text
//! x = 2 ** e · (1 + f)        sqrt(1/2) <= 1 + f < sqrt(2)
//! log(1 + f) = f - f²/2 + s · (f²/2 + R(s²))        s = f / (2 + f)
//! ```
//!
//! Source of the double one: FreeBSD's libm, `k_log.h` and `e_log2.c`.

use super::arithmetic::{Digits, float_of, polynomial, product_of, sum_of, sum_of_any};
use super::exponential::LN_2;

/// `R` of the formula above, in powers of `s²`.
const R: [f64; 7] = [
    1.479_819_860_511_658_591e-1,
    1.531_383_769_920_937_332e-1,
    1.818_357_216_161_805_012e-1,
    2.222_219_843_214_978_396e-1,
    2.857_142_874_366_239_149e-1,
    3.999_999_999_940_941_908e-1,
    6.666_666_666_666_735_130e-1,
];
/// `(log(1 + f) - f) / f²` for `1 + f` from `sqrt(1/2)` to `sqrt(2)`.
const SINGLE: [f64; 10] = [
    0.06769024113816001,
    -0.11557287882015821,
    0.1181213614232965,
    -0.12420814467908906,
    0.1423231785955222,
    -0.16667536772428632,
    0.2000144672220023,
    -0.25000010940100675,
    0.333333227936071,
    -0.4999999994349637,
];
/// `1 / ln 2` and its rounding error.
const OF_2: [f64; 2] = [std::f64::consts::LOG2_E, 2.035_527_374_093_103_3e-17];
/// `1 / ln 10` and its rounding error.
const OF_10: [f64; 2] = [std::f64::consts::LOG10_E, 1.098_319_650_216_765e-17];
/// `log10 2` in two parts: a head whose product with an exponent is exact, and the rest.
const LOG10_2: [f64; 2] = [0.301_029_995_663_839_14, 1.420_502_322_726_61e-13];
/// The bits of the square root of 1/2.
const ROOT_OF_HALF: i64 = 0x3fe6_a09e_667f_3bcd;

/// `e` as an integer and as a float, and `1 + f`, of a positive number.
#[inline(always)]
pub(super) fn split(x: f64) -> (i64, f64, f64) {
    let is_denormal = x < f64::MIN_POSITIVE;
    let normal = if is_denormal { x * 18_014_398_509_481_984.0 } else { x };
    let bits = normal.to_bits() as i64;
    let exponent = bits.wrapping_sub(ROOT_OF_HALF) >> 52;
    let m = f64::from_bits(bits.wrapping_sub(exponent << 52) as u64);
    let e = float_of(exponent) + if is_denormal { -54.0 } else { 0.0 };
    (exponent, e, m)
}

/// `log(1 + f + rest)` and what its rounding loses.
#[inline(always)]
fn near_one<D: Digits>(f: f64, rest: f64) -> (f64, f64) {
    if !D::ARE_ALL {
        return (polynomial(&SINGLE, f).mul_add(f * f, f), 0.0);
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let (half_square, lost) = product_of(0.5 * f, f);
    let head = f - half_square;
    let tail = (f - head) - half_square;
    let inner = s.mul_add(z.mul_add(polynomial(&R, z), half_square), rest - lost);
    (head, tail + inner)
}

/// A logarithm at 0, at infinity, below 0 and at NaN, and `result` elsewhere.
#[inline(always)]
fn at_ends(x: f64, result: f64) -> f64 {
    let result = if x == 0.0 { f64::NEG_INFINITY } else { result };
    let result = if x == f64::INFINITY { x } else { result };
    if x < 0.0 || x.is_nan() { f64::NAN } else { result }
}

/// `whole + (head + tail) * of`, where `whole` is not smaller than the rest, or 0.
#[inline(always)]
fn in_base<D: Digits>(whole: f64, low: f64, f: f64, of: [f64; 2]) -> f64 {
    let (head, tail) = near_one::<D>(f, 0.0);
    if !D::ARE_ALL {
        return head.mul_add(of[0], whole + low);
    }
    let (product, lost) = product_of(head, of[0]);
    let rest = tail.mul_add(of[0], head.mul_add(of[1], lost)) + low;
    let (sum, lost) = sum_of(whole, product);
    sum + (lost + rest)
}

/// `log(2 ** e · (1 + f + rest))`
#[inline(always)]
fn log_of_parts<D: Digits>(e: f64, f: f64, rest: f64) -> f64 {
    let (head, tail) = near_one::<D>(f, rest);
    let (whole, lost) = sum_of(e * LN_2[0], head);
    whole + (lost + e.mul_add(LN_2[1], tail))
}

/// The natural logarithm, in full digits; what rounding loses is less than half a unit of the result.
#[inline(always)]
pub(crate) fn log(x: f64) -> f64 {
    let (_, e, m) = split(x);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let half_square = 0.5 * f * f;
    let rest = s.mul_add(z.mul_add(polynomial(&R, z), half_square), e * LN_2[1]);
    at_ends(x, e.mul_add(LN_2[0], f - (half_square - rest)))
}

/// `log(2 x)` for `x > 0`; infinite for infinity.
#[inline(always)]
fn log_of_twice<D: Digits>(x: f64) -> f64 {
    let (_, e, m) = split(x);
    let result = log_of_parts::<D>(e + 1.0, m - 1.0, 0.0);
    if x == f64::INFINITY { x } else { result }
}

/// The logarithm to base 2.
#[inline(always)]
pub(super) fn log2<D: Digits>(x: f64) -> f64 {
    let (_, e, m) = split(x);
    at_ends(x, in_base::<D>(e, 0.0, m - 1.0, OF_2))
}

/// The logarithm to base 10.
#[inline(always)]
pub(super) fn log10<D: Digits>(x: f64) -> f64 {
    let (_, e, m) = split(x);
    at_ends(x, in_base::<D>(e * LOG10_2[0], e * LOG10_2[1], m - 1.0, OF_10))
}

/// `log(1 + x + rest)` for `x > -1` and a small `rest`.
#[inline(always)]
fn log_of_sum<D: Digits>(x: f64, rest: f64) -> f64 {
    let (sum, lost) = sum_of_any(1.0, x);
    let (exponent, e, m) = split(sum);
    // What the sum has lost, in the scale of `m`; beyond that scale it is nothing.
    let scale =
        f64::from_bits((1023_i64.wrapping_sub(if exponent > 200 { 200 } else { exponent }) << 52) as u64);
    let (f, low) = sum_of_any(m - 1.0, (lost + rest) * scale);
    log_of_parts::<D>(e, f, low - low * f)
}

/// `log(1 + x)`, precise also for small `x`.
#[inline(always)]
pub(super) fn log1p<D: Digits>(x: f64) -> f64 {
    let result = at_ends(1.0 + x, log_of_sum::<D>(x, 0.0));
    if x.abs() < 1e-17 { x } else { result }
}

/// The inverse hyperbolic sine.
#[inline(always)]
pub(super) fn arcsinh<D: Digits>(x: f64) -> f64 {
    let a = x.abs();
    let is_large = a > 1e9;
    let b = if is_large { 1.0 } else { a };
    // `log(1 + b + b² / (1 + sqrt(1 + b²)))`
    let root = b.mul_add(b, 1.0).sqrt();
    let near = log_of_sum::<D>(b + b * b / (1.0 + root), 0.0);
    let result = if is_large { log_of_twice::<D>(a) } else { near };
    (if a < 1e-9 { a } else { result }).copysign(x)
}

/// The inverse hyperbolic cosine. A number below 1 gives NaN.
#[inline(always)]
pub(super) fn arccosh<D: Digits>(x: f64) -> f64 {
    let is_large = x > 1e9;
    let above = if is_large { 1.0 } else { x } - 1.0;
    let near = log_of_sum::<D>(above + (above * (2.0 + above)).sqrt(), 0.0);
    let result = if is_large { log_of_twice::<D>(x) } else { near };
    if x < 1.0 || x.is_nan() { f64::NAN } else { result }
}

/// The inverse hyperbolic tangent. A number outside of -1 to 1 gives NaN.
#[inline(always)]
pub(super) fn arctanh<D: Digits>(x: f64) -> f64 {
    let a = x.abs();
    // `log(1 + 2a / (1 - a)) / 2`
    let result = 0.5 * log_of_sum::<D>((a + a) / (1.0 - a), 0.0);
    let result = if a == 1.0 { f64::INFINITY } else { result };
    let result = if a < 1e-17 { a } else { result };
    if a > 1.0 || a.is_nan() { f64::NAN } else { result.copysign(x) }
}

#[cfg(test)]
mod tests {
    use super::super::super::exact::{self, Exact, patterns};
    use super::*;

    #[test]
    fn log_is_accurate() {
        let near_one = (0..400_000).map(|i| 0.5 + f64::from(i) * 4e-6);
        exact::check("log", log, Exact::log, near_one.chain(patterns()), 1.0);
    }
}
