//! `log`, `log2`, `log10`, `log1p` and the inverse hyperbolic functions.
//!
//! ```text
//! x = 2 ** e · (1 + f)        sqrt(1/2) <= 1 + f < sqrt(2)
//! log(1 + f) = f - f²/2 + s · (f²/2 + R(s²))        s = f / (2 + f)
//! ```
//!
//! Source of the double one: FreeBSD's libm, `k_log.h` and `e_log2.c`.

use super::arithmetic::{polynomial, product_of, split, sum_of};
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
/// `1 / ln 2` and its rounding error.
const OF_2: [f64; 2] = [std::f64::consts::LOG2_E, 2.035_527_374_093_103_3e-17];
/// `1 / ln 10` and its rounding error.
const OF_10: [f64; 2] = [std::f64::consts::LOG10_E, 1.098_319_650_216_765e-17];
/// `log10 2` in two parts: a head whose product with an exponent is exact, and the rest.
const LOG10_2: [f64; 2] = [0.301_029_995_663_839_14, 1.420_502_322_726_61e-13];
/// `sqrt(1/2)`
const ROOT_OF_HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// `e` and `f` of a positive number.
#[inline(always)]
fn parts(x: f64) -> (f64, f64) {
    let is_denormal = x < f64::MIN_POSITIVE;
    let (factor, bias) = if is_denormal { (18_014_398_509_481_984.0, 54.0) } else { (1.0, 0.0) };
    let (e, m, _) = split(x * factor, ROOT_OF_HALF);
    (e - bias, m - 1.0)
}

/// `e` and `f` of a positive normal number.
#[inline(always)]
fn usual_parts(x: f64) -> (f64, f64) {
    let (e, m, _) = split(x, ROOT_OF_HALF);
    (e, m - 1.0)
}

/// `log(1 + f) - f`
#[inline(always)]
fn less_linear(f: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    let half_square = 0.5 * f * f;
    s.mul_add(z.mul_add(polynomial(&R, z), half_square), -half_square)
}

/// A logarithm at 0, at infinity, below 0 and at NaN, and `result` elsewhere.
#[inline(always)]
fn at_ends(x: f64, result: f64) -> f64 {
    let result = if x < f64::INFINITY { result } else { x };
    let below = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    if x <= 0.0 { below } else { result }
}

/// `whole + low + of · log(1 + f)`, where `whole` is not smaller than the rest, or 0.
#[inline(always)]
fn in_base(whole: f64, low: f64, f: f64, of: [f64; 2]) -> f64 {
    let (product, of_product) = product_of(f, of[0]);
    let (sum, of_sum) = sum_of(whole, product);
    sum + less_linear(f).mul_add(of[0], f.mul_add(of[1], of_product + (of_sum + low)))
}

/// `log(2 ** e · (1 + f + rest))` for a small `rest`; what rounding loses is less than half a unit of the
/// result.
#[inline(always)]
fn log_of_parts(e: f64, f: f64, rest: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    let half_square = 0.5 * f * f;
    let rest = s.mul_add(z.mul_add(polynomial(&R, z), half_square), e.mul_add(LN_2[1], rest));
    e.mul_add(LN_2[0], f - (half_square - rest))
}

/// The natural logarithm.
#[inline(always)]
pub(crate) fn log(x: f64) -> f64 {
    let (e, f) = parts(x);
    at_ends(x, log_of_parts(e, f, 0.0))
}

/// The same of a positive normal number.
#[inline(always)]
pub(super) fn usual_log(x: f64) -> f64 {
    let (e, f) = usual_parts(x);
    log_of_parts(e, f, 0.0)
}

/// `log(2 x)` for a large `x`; infinite for infinity.
#[inline(always)]
fn log_of_twice(x: f64) -> f64 {
    let (e, m, _) = split(x, ROOT_OF_HALF);
    let result = log_of_parts(e + 1.0, m - 1.0, 0.0);
    if x == f64::INFINITY { x } else { result }
}

/// `log2(2 ** e · (1 + f))`
#[inline(always)]
fn log2_of_parts((e, f): (f64, f64)) -> f64 {
    in_base(e, 0.0, f, OF_2)
}

/// `log10(2 ** e · (1 + f))`
#[inline(always)]
fn log10_of_parts((e, f): (f64, f64)) -> f64 {
    in_base(e * LOG10_2[0], e * LOG10_2[1], f, OF_10)
}

/// The logarithm to base 2.
#[inline(always)]
pub(super) fn log2(x: f64) -> f64 {
    at_ends(x, log2_of_parts(parts(x)))
}

/// The same of a positive normal number.
#[inline(always)]
pub(super) fn usual_log2(x: f64) -> f64 {
    log2_of_parts(usual_parts(x))
}

/// The logarithm to base 10.
#[inline(always)]
pub(super) fn log10(x: f64) -> f64 {
    at_ends(x, log10_of_parts(parts(x)))
}

/// The same of a positive normal number.
#[inline(always)]
pub(super) fn usual_log10(x: f64) -> f64 {
    log10_of_parts(usual_parts(x))
}

/// `log(1 + x)` for `x > -1`, not too tiny.
#[inline(always)]
fn log_of_sum(x: f64) -> f64 {
    let (e, _, bits) = split(1.0 + x, ROOT_OF_HALF);
    // `(1 + x) / 2 ** e - 1`, and what its rounding loses. By quarters, since `2 ** -1024` is no normal
    // number.
    let shrunk = f64::from_bits((1025_u64 << 52).wrapping_sub(bits));
    let less = shrunk.mul_add(0.25, -1.0);
    let f = (0.25 * x).mul_add(shrunk, less);
    let lost = (0.25 * x).mul_add(shrunk, less - f);
    log_of_parts(e, f, lost)
}

/// `log(1 + x)`, precise also for small `x`.
#[inline(always)]
pub(super) fn log1p(x: f64) -> f64 {
    let result = at_ends(1.0 + x, log_of_sum(x));
    if x.abs() < 1e-17 { x } else { result }
}

/// The inverse hyperbolic sine.
#[inline(always)]
pub(super) fn arcsinh(x: f64) -> f64 {
    let a = x.abs();
    let is_large = a > 1e9;
    let b = if is_large { 1.0 } else { a };
    // `log(1 + b + b² / (1 + sqrt(1 + b²)))`
    let root = b.mul_add(b, 1.0).sqrt();
    let near = log_of_sum(b + b * b / (1.0 + root));
    let result = if is_large { log_of_twice(a) } else { near };
    (if a < 1e-9 { a } else { result }).copysign(x)
}

/// The inverse hyperbolic cosine. A number below 1 gives NaN.
#[inline(always)]
pub(super) fn arccosh(x: f64) -> f64 {
    let is_large = x > 1e9;
    let above = if is_large { 1.0 } else { x } - 1.0;
    let near = log_of_sum(above + (above * (2.0 + above)).sqrt());
    let result = if is_large { log_of_twice(x) } else { near };
    if x < 1.0 || x.is_nan() { f64::NAN } else { result }
}

/// The inverse hyperbolic tangent. A number outside of -1 to 1 gives NaN.
#[inline(always)]
pub(super) fn arctanh(x: f64) -> f64 {
    let a = x.abs();
    // `log(1 + 2a / (1 - a)) / 2`
    let result = 0.5 * log_of_sum((a + a) / (1.0 - a));
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
