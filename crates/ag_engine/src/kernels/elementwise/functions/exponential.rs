//! `exp`, `exp2`, `expm1` and the hyperbolic functions.
//!
//! ```text
//! x = n · ln 2 + r        n an integer, |r| <= ln(2) / 2
//! e ** x = 2 ** n · (1 + r + r² · P(r))
//! ```

use super::arithmetic::{Digits, nearest, polynomial, power_of_two, product_of, scaled, sum_of, sum_of_any};

/// `ln 2` in two parts: a head whose product with an exponent is exact, and the rest.
pub(super) const LN_2: [f64; 2] = [6.931_471_803_691_238_164_90e-1, 1.908_214_929_270_587_700_02e-10];
/// `ln 2`, and its rounding error.
const LN_2_ROUNDED: [f64; 2] = [std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17];

/// `(e ** r - 1 - r) / r²` for `|r| <= ln(2) / 2`.
const DOUBLE: [f64; 11] = [
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
const SINGLE: [f64; 6] = [
    0.00019890981865197644,
    0.0013933641928378377,
    0.008333310933552192,
    0.041666464997965724,
    0.16666666681615153,
    0.5000000013458535,
];
/// `(sinh(a) / a - 1) / a²` for `|a| <= 1`, in powers of `a²`.
const SINH_DOUBLE: [f64; 7] = [
    7.746178593018827e-13,
    1.6057679623801638e-10,
    2.5052117695907823e-08,
    2.7557319191381816e-06,
    0.00019841269841324198,
    0.008333333333333299,
    0.16666666666666666,
];
const SINH_SINGLE: [f64; 4] =
    [2.8062802582276946e-06, 0.00019838101968683888, 0.00833333967591706, 0.16666666646842135];

/// `(tanh(a) / a - 1) / a²` for `a < 0.625`, in powers of `a²`, as a quotient.
const TANH_ABOVE: [f64; 3] =
    [-9.643_991_794_250_522_386_28e-1, -9.928_772_310_019_185_865_64e1, -1.614_687_684_417_084_479_52e3];
const TANH_BELOW: [f64; 4] =
    [1.0, 1.128_116_784_916_329_314_02e2, 2.235_488_390_601_004_485_83e3, 4.844_063_053_251_254_860_48e3];

/// A number as `n · ln 2 + r + rest`.
pub(super) struct Reduced {
    /// `n`.
    pub(super) exponent: i64,
    /// `r`.
    pub(super) r: f64,
    /// What the rounding of `r` loses.
    pub(super) rest: f64,
}

#[inline(always)]
pub(super) fn reduced(x: f64) -> Reduced {
    let (whole, exponent) = nearest(x * std::f64::consts::LOG2_E);
    let first = whole.mul_add(-LN_2[0], x);
    let r = whole.mul_add(-LN_2[1], first);
    Reduced { exponent, r, rest: whole.mul_add(-LN_2[1], first - r) }
}

/// `e ** (r + rest) - 1` and what its rounding loses.
#[inline(always)]
fn less_one<D: Digits>(r: f64, rest: f64) -> (f64, f64) {
    if D::ARE_ALL {
        return sum_of(r, polynomial(&DOUBLE, r).mul_add(r * r, rest));
    }
    (polynomial(&SINGLE, r).mul_add(r * r, r), 0.0)
}

/// `e ** (r + rest)`.
#[inline(always)]
fn of_reduced<D: Digits>(r: f64, rest: f64) -> f64 {
    let (head, tail) = less_one::<D>(r, 0.0);
    if D::ARE_ALL {
        let (sum, lost) = sum_of(1.0, head);
        return sum + (lost + rest.mul_add(sum, tail));
    }
    1.0 + head
}

/// `e ** (x + rest)` for a small `rest`.
#[inline(always)]
pub(super) fn exp_of<D: Digits>(x: f64, rest: f64) -> f64 {
    // Beyond these bounds the result is infinite or zero anyway; a NaN passes both comparisons.
    let (x, rest) = if x > 710.0 { (710.0, 0.0) } else { (x, rest) };
    let (x, rest) = if x < -746.0 { (-746.0, 0.0) } else { (x, rest) };
    let parts = reduced(x);
    scaled(of_reduced::<D>(parts.r, parts.rest + rest), parts.exponent)
}

/// `e ** x`, in full digits; what rounding loses of `r` is less than half a unit of the result.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    // Beyond these bounds the result is infinite or zero anyway; a NaN passes both comparisons.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let Reduced { exponent, r, .. } = reduced(x);
    scaled(polynomial(&DOUBLE, r).mul_add(r * r, r) + 1.0, exponent)
}

/// `2 ** x`.
#[inline(always)]
pub(super) fn exp2<D: Digits>(x: f64) -> f64 {
    let x = if x > 1025.0 { 1025.0 } else { x };
    let x = if x < -1076.0 { -1076.0 } else { x };
    let (whole, exponent) = nearest(x);
    let r = x - whole;
    let (t, lost) = product_of(r, LN_2_ROUNDED[0]);
    scaled(of_reduced::<D>(t, r.mul_add(LN_2_ROUNDED[1], lost)), exponent)
}

/// `e ** x - 1`, precise also for small `x`.
#[inline(always)]
pub(super) fn expm1<D: Digits>(x: f64) -> f64 {
    let y = if x > 710.0 { 710.0 } else { x };
    let y = if y < -40.0 { -40.0 } else { y };
    let Reduced { exponent, r, rest } = reduced(y);
    let (head, tail) = less_one::<D>(r, rest);
    // By halves, since `2 ** 1024` is no number.
    let half = power_of_two(exponent - 1);
    let result = if D::ARE_ALL {
        let (sum, lost) = sum_of_any(half - 0.5, half * head);
        2.0 * (sum + half.mul_add(tail, lost))
    } else {
        2.0 * half.mul_add(head, half - 0.5)
    };
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
    let Reduced { exponent, r, .. } = reduced(a + a);
    let e = (polynomial(&DOUBLE, r).mul_add(r * r, r) + 1.0) * power_of_two(exponent);
    // One division for both: `a + a * square * p / q`, and `1 - 2 / (e + 1)`.
    let is_small = a < 0.625;
    let (above, below) = if is_small { (a * square * p, q) } else { (-2.0, e + 1.0) };
    let base = if is_small { a } else { 1.0 };
    (base + above / below).copysign(x)
}

/// Half of `e ** a` and of `e ** -a` for `a >= 0`, each halved once more, with what their rounding loses.
#[inline(always)]
fn quarters<D: Digits>(a: f64) -> [(f64, f64); 2] {
    let a = if a > 710.6 { 710.6 } else { a };
    let Reduced { exponent, r, rest } = reduced(a);
    let (head, tail) = less_one::<D>(r, rest);
    let (up, lost) = sum_of(1.0, head);
    let lost = lost + tail;
    let inverse = 1.0 / up;
    let of_inverse = if D::ARE_ALL { inverse * (up.mul_add(-inverse, 1.0) - inverse * lost) } else { 0.0 };
    let grown = power_of_two(exponent - 2);
    // Beyond this, the second is nothing beside the first.
    let shrunk = power_of_two(-(if exponent > 64 { 64 } else { exponent }) - 2);
    [(up * grown, lost * grown), (inverse * shrunk, of_inverse * shrunk)]
}

/// The hyperbolic sine.
#[inline(always)]
pub(super) fn sinh<D: Digits>(x: f64) -> f64 {
    let a = x.abs();
    let [up, down] = quarters::<D>(a);
    let (difference, lost) = sum_of(up.0, -down.0);
    let large = 2.0 * (difference + (lost + (up.1 - down.1)));
    let square = a * a;
    let p = if D::ARE_ALL { polynomial(&SINH_DOUBLE, square) } else { polynomial(&SINH_SINGLE, square) };
    let small = (a * square).mul_add(p, a);
    (if a < 1.0 { small } else { large }).copysign(x)
}

/// The hyperbolic cosine.
#[inline(always)]
pub(super) fn cosh<D: Digits>(x: f64) -> f64 {
    let [up, down] = quarters::<D>(x.abs());
    let (sum, lost) = sum_of(up.0, down.0);
    2.0 * (sum + (lost + (up.1 + down.1)))
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
