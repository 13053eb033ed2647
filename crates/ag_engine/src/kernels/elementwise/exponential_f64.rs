//! `exp` and `log` of `f64` as polynomials that compile to vector code.
//!
//! Branch-free functions for processors with fused multiply-add; other processors, and scalars, use the C
//! library's functions. The logarithm is that of FreeBSD's libm. NaN, infinities, zeros, overflow and
//! denormals are right; errors are below one unit in the last place (see the tests).

#![expect(clippy::excessive_precision, reason = "the polynomials are written as they were published")]

/// Adding and then subtracting this rounds to an integer; after the addition it is in the low bits.
pub(super) const ROUND: f64 = 6_755_399_441_055_744.0;
/// The logarithm of 2, and its rounding error.
const LN_2: [f64; 2] = [std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17];

/// The Taylor coefficients of `e ** r`, highest first, down to that of `r ** 2`: for `|r| <= ln(2) / 2`
/// the rest is below 2e-17.
const EXP: [f64; 12] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    1.0 / 2.0,
];

/// 2 to an integer power of a normal number.
#[inline(always)]
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits((exponent.wrapping_add(1023) << 52) as u64)
}

/// `e ** x`.
#[inline(always)]
pub(super) fn exp_f64<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.exp();
    }
    // Beyond these bounds the result is infinite or zero anyway; a NaN passes both comparisons.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let shifted = x.mul_add(std::f64::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    let exponent = (shifted.to_bits() as i64).wrapping_sub(ROUND.to_bits() as i64);
    let r = whole.mul_add(-LN_2[1], whole.mul_add(-LN_2[0], x));
    // Even and odd powers apart, so that two dependency chains run side by side.
    let square = r * r;
    let (mut even, mut odd) = (EXP[1], EXP[0]);
    for pair in EXP[2..].chunks_exact(2) {
        odd = odd.mul_add(square, pair[0]);
        even = even.mul_add(square, pair[1]);
    }
    let p = odd.mul_add(r, even);
    let y = p.mul_add(square, r) + 1.0;
    // In two steps, so that results near the ends of the range are reached, and rounded once. A NaN stays a
    // NaN whatever it is multiplied by.
    let half = exponent >> 1;
    y * power_of_two(half) * power_of_two(exponent.wrapping_sub(half))
}

/// The coefficients of `log(1 + f)` in powers of the square of `f / (2 + f)`.
const LOG: [f64; 7] = [
    6.666_666_666_666_735_130e-1,
    3.999_999_999_940_941_908e-1,
    2.857_142_874_366_239_149e-1,
    2.222_219_843_214_978_396e-1,
    1.818_357_216_161_805_012e-1,
    1.531_383_769_920_937_332e-1,
    1.479_819_860_511_658_591e-1,
];
/// The logarithm of 2 in two parts: a head whose product with an exponent is exact, and the rest.
const LN_2_SPLIT: [f64; 2] = [6.931_471_803_691_238_164_90e-1, 1.908_214_929_270_587_700_02e-10];
/// The bits of the square root of 1/2.
const ROOT_OF_HALF: i64 = 0x3fe6_a09e_667f_3bcd;

/// Natural logarithm.
#[inline(always)]
pub(super) fn log_f64<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.ln();
    }
    let is_denormal = x < f64::MIN_POSITIVE;
    let scaled = if is_denormal { x * 18_014_398_509_481_984.0 } else { x };
    let bias = if is_denormal { -54.0 } else { 0.0 };
    // The exponent such that the rest lies between sqrt(1/2) and sqrt(2).
    let bits = scaled.to_bits() as i64;
    let exponent = bits.wrapping_sub(ROOT_OF_HALF) >> 52;
    let m = f64::from_bits(bits.wrapping_sub(exponent << 52) as u64);
    let whole = f64::from_bits((ROUND.to_bits() as i64).wrapping_add(exponent) as u64) - ROUND;
    let e = whole + bias;
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let odd = w * w.mul_add(w.mul_add(LOG[5], LOG[3]), LOG[1]);
    let even = z * w.mul_add(w.mul_add(w.mul_add(LOG[6], LOG[4]), LOG[2]), LOG[0]);
    let half_square = 0.5 * f * f;
    let rest = s.mul_add(half_square + (odd + even), e * LN_2_SPLIT[1]);
    let result = e.mul_add(LN_2_SPLIT[0], f - (half_square - rest));
    let result = if x == 0.0 { f64::NEG_INFINITY } else { result };
    let result = if x == f64::INFINITY { x } else { result };
    if x < 0.0 || x.is_nan() { f64::NAN } else { result }
}

#[cfg(test)]
mod tests {
    use super::super::exact::{self, Exact, patterns};
    use super::*;

    #[test]
    fn exp_is_accurate() {
        let near = (0..400_000).map(|i| f64::from(i) * 0.00373 - 746.0);
        let small = (0..200_000).map(|i| (f64::from(i) - 1e5) * 1.7e-5);
        exact::check("exp", exp_f64::<true>, Exact::exp, near.chain(small).chain(patterns()), 1.0);
    }

    #[test]
    fn log_is_accurate() {
        let near_one = (0..400_000).map(|i| 0.5 + f64::from(i) * 4e-6);
        exact::check("log", log_f64::<true>, Exact::log, near_one.chain(patterns()), 1.0);
    }
}
