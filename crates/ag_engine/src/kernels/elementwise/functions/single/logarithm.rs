//! `log`, `log2`, `log10`, `log1p` and the inverse hyperbolic functions.
//!
//! ```text
//! x = 2 ** e · (1 + f)        sqrt(1/2) <= 1 + f < sqrt(2)
//! ```

use super::arithmetic::{fma, polynomial};

/// `(log(1 + f) - f) / f²`
const LOG: [f32; 9] = [
    -0.078_614_6,
    0.128_816_99,
    -0.131_279_51,
    0.141_811_03,
    -0.166_246_41,
    0.200_022_97,
    -0.250_008_08,
    0.333_333_16,
    -0.5,
];
/// `log2(1 + f) / f - log2(e)`, for the rounded value of the last.
const LOG2: [f32; 10] = [
    -0.109_838_59,
    0.186_877_38,
    -0.191_450_3,
    0.204_522_03,
    -0.239_564_87,
    0.288_569_57,
    -0.360_698_7,
    0.480_898_23,
    -0.721_347_33,
    1.920_059_7e-8,
];
/// `log10(1 + f) / f - log10(e)`, likewise.
const LOG10: [f32; 10] = [
    -0.033_028_618,
    0.056_153_737,
    -0.057_595_473,
    0.061_579_693,
    -0.072_121_82,
    0.086_867_68,
    -0.108_580_9,
    0.144_764_8,
    -0.217_147_19,
    -1.012_082_1e-8,
];
/// `ln 2` in two parts: a head whose product with an exponent is exact, and the rest.
const LN_2: [f32; 2] = [0.693_359_375, -2.121_944_4e-4];
/// `log10 2` likewise.
const LOG10_2: [f32; 2] = [0.301_025_39, 4.605_039e-6];
/// The bits of the square root of 1/2.
const ROOT_OF_HALF: u32 = 0x3f35_04f3;

/// The bits of the exponent and `1 + f`, of a positive normal number.
#[inline(always)]
fn split(x: f32) -> (i32, f32) {
    let bits = x.to_bits().wrapping_sub(ROOT_OF_HALF) & 0xff80_0000;
    (bits as i32, f32::from_bits(x.to_bits().wrapping_sub(bits)))
}

/// `e` and `1 + f` of a positive number.
#[inline(always)]
fn parts(x: f32) -> (f32, f32) {
    let is_denormal = x < f32::MIN_POSITIVE;
    let (factor, bias) = if is_denormal { (8_388_608.0, 23.0) } else { (1.0, 0.0) };
    let (bits, m) = split(x * factor);
    ((bits >> 23) as f32 - bias, m)
}

/// A logarithm at 0, at infinity, below 0 and at NaN, and `result` elsewhere.
#[inline(always)]
fn at_ends(x: f32, result: f32) -> f32 {
    let result = if x < f32::INFINITY { result } else { x };
    let below = if x == 0.0 { f32::NEG_INFINITY } else { f32::NAN };
    if x <= 0.0 { below } else { result }
}

/// `e` and `1 + f` of a positive normal number.
#[inline(always)]
fn usual_parts(x: f32) -> (f32, f32) {
    let (bits, m) = split(x);
    ((bits >> 23) as f32, m)
}

/// `log2(2 ** e · m)`
#[inline(always)]
fn log2_of_parts<const FMA: bool>((e, m): (f32, f32)) -> f32 {
    let f = m - 1.0;
    e + fma::<FMA>(f, std::f32::consts::LOG2_E, polynomial::<FMA, 10>(&LOG2, f) * f)
}

/// `log10(2 ** e · m)`
#[inline(always)]
fn log10_of_parts<const FMA: bool>((e, m): (f32, f32)) -> f32 {
    let f = m - 1.0;
    let rest = fma::<FMA>(polynomial::<FMA, 10>(&LOG10, f), f, e * LOG10_2[1]);
    let near = fma::<FMA>(f, std::f32::consts::LOG10_E, rest);
    fma::<FMA>(e, LOG10_2[0], near)
}

/// The logarithm to base 2.
#[inline(always)]
pub(super) fn log2<const FMA: bool>(x: f32) -> f32 {
    at_ends(x, log2_of_parts::<FMA>(parts(x)))
}

/// The same of a positive normal number.
#[inline(always)]
pub(super) fn usual_log2<const FMA: bool>(x: f32) -> f32 {
    log2_of_parts::<FMA>(usual_parts(x))
}

/// The logarithm to base 10.
#[inline(always)]
pub(super) fn log10<const FMA: bool>(x: f32) -> f32 {
    at_ends(x, log10_of_parts::<FMA>(parts(x)))
}

/// The same of a positive normal number.
#[inline(always)]
pub(super) fn usual_log10<const FMA: bool>(x: f32) -> f32 {
    log10_of_parts::<FMA>(usual_parts(x))
}

/// `log(2 ** e · (1 + f))`
#[inline(always)]
fn log_of_parts<const FMA: bool>(e: f32, f: f32) -> f32 {
    let rest = fma::<FMA>(polynomial::<FMA, 9>(&LOG, f), f * f, e * LN_2[1]);
    fma::<FMA>(e, LN_2[0], f + rest)
}

/// The natural logarithm.
#[inline(always)]
pub(in super::super) fn log<const FMA: bool>(x: f32) -> f32 {
    let (e, m) = parts(x);
    at_ends(x, log_of_parts::<FMA>(e, m - 1.0))
}

/// The same of a positive normal number.
#[inline(always)]
pub(super) fn usual_log<const FMA: bool>(x: f32) -> f32 {
    let (e, m) = usual_parts(x);
    log_of_parts::<FMA>(e, m - 1.0)
}

/// `log(1 + x)` for `-1 < x` and not too tiny.
#[inline(always)]
fn log_of_sum<const FMA: bool>(x: f32) -> f32 {
    let (bits, _) = split(1.0 + x);
    // `(1 + x) / 2 ** e - 1`, rounded once. By quarters, since `2 ** -128` is no normal number.
    let shrunk = f32::from_bits((129_u32 << 23).wrapping_sub(bits as u32));
    let f = fma::<FMA>(0.25 * x, shrunk, fma::<FMA>(0.25, shrunk, -1.0));
    log_of_parts::<FMA>((bits >> 23) as f32, f)
}

/// `log(1 + x)`, precise also for small `x`.
#[inline(always)]
pub(super) fn log1p<const FMA: bool>(x: f32) -> f32 {
    let result = at_ends(1.0 + x, log_of_sum::<FMA>(x));
    if x.abs() < 1e-8 { x } else { result }
}

/// `log(2 x)` for a large `x`; infinite for infinity.
#[inline(always)]
fn log_of_twice<const FMA: bool>(x: f32) -> f32 {
    let (bits, m) = split(x);
    let result = log_of_parts::<FMA>((bits >> 23) as f32 + 1.0, m - 1.0);
    if x == f32::INFINITY { x } else { result }
}

/// The inverse hyperbolic sine.
#[inline(always)]
pub(super) fn arcsinh<const FMA: bool>(x: f32) -> f32 {
    let a = x.abs();
    let is_large = a > 1e9;
    let b = if is_large { 1.0 } else { a };
    // `log(1 + b + b² / (1 + sqrt(1 + b²)))`
    let root = fma::<FMA>(b, b, 1.0).sqrt();
    let near = log_of_sum::<FMA>(b + b * b / (1.0 + root));
    let result = if is_large { log_of_twice::<FMA>(a) } else { near };
    (if a < 1e-4 { a } else { result }).copysign(x)
}

/// The inverse hyperbolic cosine. A number below 1 gives NaN.
#[inline(always)]
pub(super) fn arccosh<const FMA: bool>(x: f32) -> f32 {
    let is_large = x > 1e9;
    let above = if is_large { 1.0 } else { x } - 1.0;
    let near = log_of_sum::<FMA>(above + (above * (2.0 + above)).sqrt());
    let result = if is_large { log_of_twice::<FMA>(x) } else { near };
    let result = if x == 1.0 { 0.0 } else { result };
    if x < 1.0 || x.is_nan() { f32::NAN } else { result }
}

/// The inverse hyperbolic tangent. A number outside of -1 to 1 gives NaN.
#[inline(always)]
pub(super) fn arctanh<const FMA: bool>(x: f32) -> f32 {
    let a = x.abs();
    // `log(1 + 2a / (1 - a)) / 2`
    let result = 0.5 * log_of_sum::<FMA>((a + a) / (1.0 - a));
    let result = if a == 1.0 { f32::INFINITY } else { result };
    let result = if a < 1e-4 { a } else { result };
    if a > 1.0 || a.is_nan() { f32::NAN } else { result.copysign(x) }
}
