//! `exp`, `exp2`, `expm1` and the hyperbolic functions.
//!
//! ```text
//! x = n · ln 2 + r        n an integer, |r| <= ln(2) / 2
//! e ** x = 2 ** n · (1 + r + r² · P(r))
//! ```

use super::arithmetic::{Power, nearest_of, polynomial, sum_of, sum_of_any};

/// `ln 2` in two parts: a head whose product with an exponent is exact, and the rest.
pub(super) const LN_2: [f64; 2] = [6.931_471_803_691_238_164_90e-1, 1.908_214_929_270_587_700_02e-10];
/// `ln 2`, and its rounding error.
const LN_2_ROUNDED: [f64; 2] = [std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17];

/// `(e ** r - 1 - r) / r²` for `|r| <= ln(2) / 2`.
const EXP: [f64; 11] = [
    2.091468013569995e-09,
    2.5105207436985358e-08,
    2.755727365952505e-07,
    2.755725542319278e-06,
    2.48015873255348e-05,
    0.00019841269874802504,
    0.0013888888888883752,
    0.008333333333326141,
    0.04166666666666667,
    0.1666666666666667,
    0.5,
];
/// `(2 ** r - 1 - r ln 2) / r²` for `|r| <= 0.522`.
const EXP2: [f64; 11] = [
    1.851_949_005_760_291_7e-11,
    4.448_795_649_247_856_5e-10,
    7.060_662_597_320_947e-9,
    1.017_810_716_133_153_5e-7,
    1.321_546_974_810_668_5e-6,
    1.525_273_371_577_862_5e-5,
    1.540_353_041_608_594e-4,
    1.333_355_814_653_582_7e-3,
    9.618_129_107_615_501e-3,
    5.550_410_866_482_118e-2,
    2.402_265_069_591_009_4e-1,
];
/// `(sinh(r) / r - 1) / r²`, in powers of `r²`.
const SINH: [f64; 5] = [
    2.518_981_535_243_666_5e-8,
    2.755_700_860_931_528e-6,
    1.984_127_012_262_017e-4,
    8.333_333_333_228_297e-3,
    1.666_666_666_666_679e-1,
];
/// `(cosh(r) - 1 - r² / 2) / r⁴`, in powers of `r²`.
const COSH: [f64; 6] = [
    -1.705_744_885_859_619_6e-9,
    2.760_212_114_702_142_5e-9,
    2.754_726_135_709_872e-7,
    2.480_159_439_860_482_5e-5,
    1.388_888_888_656_529_5e-3,
    4.166_666_666_666_942e-2,
];

/// `(tanh(a) / a - 1) / a²` for `a < 0.625`, in powers of `a²`, as a quotient.
const TANH_ABOVE: [f64; 3] =
    [-9.643_991_794_250_522_386_28e-1, -9.928_772_310_019_185_865_64e1, -1.614_687_684_417_084_479_52e3];
const TANH_BELOW: [f64; 4] =
    [1.0, 1.128_116_784_916_329_314_02e2, 2.235_488_390_601_004_485_83e3, 4.844_063_053_251_254_860_48e3];

/// A number as `n · ln 2 + r + rest`.
struct Reduced {
    /// `2 ** n`.
    power: Power,
    /// `r`.
    r: f64,
    /// What the rounding of `r` loses.
    rest: f64,
}

#[inline(always)]
fn reduced(x: f64) -> Reduced {
    let (whole, power) = nearest_of(x, std::f64::consts::LOG2_E);
    let first = whole.mul_add(-LN_2[0], x);
    let r = whole.mul_add(-LN_2[1], first);
    Reduced { power, r, rest: whole.mul_add(-LN_2[1], first - r) }
}

/// `e ** x`, in full digits; what rounding loses of `r` is less than half a unit of the result.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    // Beyond these bounds the result is infinite or zero anyway; a NaN passes both comparisons.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let Reduced { power, r, .. } = reduced(x);
    power.times(polynomial(&EXP, r).mul_add(r * r, r) + 1.0)
}

/// `power · 2 ** r` for `|r| <= 0.522`.
#[inline(always)]
pub(super) fn exp2_of(power: Power, r: f64) -> f64 {
    let sum = r.mul_add(LN_2_ROUNDED[0], 1.0);
    let lost = r.mul_add(LN_2_ROUNDED[1], r.mul_add(LN_2_ROUNDED[0], 1.0 - sum));
    power.times(sum + polynomial(&EXP2, r).mul_add(r * r, lost))
}

/// `2 ** x`.
#[inline(always)]
pub(super) fn exp2(x: f64) -> f64 {
    let x = if x > 1025.0 { 1025.0 } else { x };
    let x = if x < -1076.0 { -1076.0 } else { x };
    let (whole, power) = nearest_of(x, 1.0);
    exp2_of(power, x - whole)
}

/// `e ** x - 1`, precise also for small `x`.
#[inline(always)]
pub(super) fn expm1(x: f64) -> f64 {
    let y = if x > 710.0 { 710.0 } else { x };
    let y = if y < -40.0 { -40.0 } else { y };
    let Reduced { power, r, rest } = reduced(y);
    let (head, tail) = sum_of(r, polynomial(&EXP, r).mul_add(r * r, rest));
    // By halves, since `2 ** 1024` is no number.
    let half = power.times_two_to(-1);
    let (sum, lost) = sum_of_any(half - 0.5, half * head);
    let result = 2.0 * (sum + half.mul_add(tail, lost));
    if x.abs() < 1e-17 { x } else { result }
}

/// The hyperbolic tangent, in full digits, at most three units off.
///
/// Source of the rational function: the Cephes library, `tanh.c`.
#[inline(always)]
pub(crate) fn tanh(x: f64) -> f64 {
    let a = x.abs();
    // Beyond it the result rounds to 1.
    let a = if a > 22.0 { 22.0 } else { a };
    let square = a * a;
    let p = polynomial(&TANH_ABOVE, square);
    let q = polynomial(&TANH_BELOW, square);
    let Reduced { power, r, .. } = reduced(a + a);
    let e = (polynomial(&EXP, r).mul_add(r * r, r) + 1.0) * power.times_two_to(0);
    // One division for both: `a + a * square * p / q`, and `1 - 2 / (e + 1)`.
    let is_small = a < 0.625;
    let (above, below) = if is_small { (a * square * p, q) } else { (-2.0, e + 1.0) };
    let base = if is_small { a } else { 1.0 };
    (base + above / below).copysign(x)
}

/// `2 ** (n - 2)`, `2 ** (-n - 2)`, `cosh(r) - 1`, `r`, and `sinh(r) - r`, of a number that is not negative.
///
/// ```text
/// sinh(x) = 2 ** (n - 1) · (cosh r + sinh r) - 2 ** (-n - 1) · (cosh r - sinh r)
/// ```
#[inline(always)]
fn hyperbolic(a: f64) -> [f64; 5] {
    let a = if a > 710.6 { 710.6 } else { a };
    let Reduced { power, r, rest } = reduced(a);
    let z = r * r;
    let sine = polynomial(&SINH, z).mul_add(z * r, rest);
    let cosine = polynomial(&COSH, z).mul_add(z * z, 0.5 * z);
    // From `2 ** -64` on, the second is nothing beside the first.
    [power.times_two_to(-2), power.inverse_times_two_to(-2), cosine, r, sine]
}

/// The hyperbolic sine.
#[inline(always)]
pub(super) fn sinh(x: f64) -> f64 {
    let [grown, shrunk, cosine, r, sine] = hyperbolic(x.abs());
    let (sum, difference) = (grown + shrunk, grown - shrunk);
    let head = sum.mul_add(r, difference);
    // What the rounding of the difference and of the head loses.
    let lost = sum.mul_add(r, difference - head) + ((grown - difference) - shrunk);
    let rest = sum.mul_add(sine, difference.mul_add(cosine, lost));
    let result = 2.0 * (head + rest);
    if x.abs() < 1e-17 { x } else { result.copysign(x) }
}

/// The hyperbolic cosine.
#[inline(always)]
pub(super) fn cosh(x: f64) -> f64 {
    let [grown, shrunk, cosine, r, sine] = hyperbolic(x.abs());
    let head = grown.mul_add(r, grown);
    let lost = grown.mul_add(r, grown - head) + shrunk;
    let rest = shrunk.mul_add((cosine - sine) - r, lost);
    2.0 * (head + grown.mul_add(cosine + sine, rest))
}

#[cfg(test)]
mod tests {
    use super::super::super::exact::{self, Exact, patterns};
    use super::*;

    #[test]
    fn exp_is_accurate() {
        let near = (0..400_000).map(|i| f64::from(i) * 0.00373 - 746.0);
        let small = (0..200_000).map(|i| (f64::from(i) - 1e5) * 1.7e-5);
        exact::check("exp", exp, Exact::exp, near.chain(small).chain(patterns()), 1.0);
    }

    fn check_tanh(x: f64) {
        let (got, want) = (tanh(x), x.tanh());
        if want.is_nan() {
            assert!(got.is_nan(), "tanh({x:e}) is {got:e}");
            return;
        }
        // The library's own result is a little more than half a unit off.
        let unit = f64::from_bits(want.abs().max(f64::MIN_POSITIVE).to_bits() + 1) - want.abs();
        let unit = unit.max(f64::from_bits(1));
        assert!((got - want).abs() <= 3.0 * unit, "tanh({x:e}) is {got:e}, not {want:e}");
        assert_eq!(got.is_sign_negative(), want.is_sign_negative(), "the sign of tanh({x:e})");
    }

    #[test]
    fn tanh_is_accurate() {
        (0..2_000_000).map(|i| f64::from(i) * 1.2e-5).for_each(|x| {
            check_tanh(x);
            check_tanh(-x);
        });
    }

    #[test]
    fn tanh_of_all_exponents_and_special_values() {
        let patterns = (0..500_000_u64).map(|i| f64::from_bits(i.wrapping_mul(36_893_488_147_419)));
        patterns.for_each(check_tanh);
        [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE, 5e-324, 0.625, 22.0]
            .into_iter()
            .for_each(check_tanh);
    }
}
