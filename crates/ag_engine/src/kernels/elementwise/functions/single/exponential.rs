//! `exp`, `exp2`, `expm1` and the hyperbolic functions.
//!
//! ```text
//! x = n · ln 2 + r        n an integer, |r| <= ln(2) / 2
//! ```

use super::arithmetic::{Power, fma, nearest_of, polynomial};

/// `ln 2` in two parts: a head whose product with an exponent is exact, and the rest.
const LN_2: [f32; 2] = [0.693_359_375, -2.121_944_4e-4];

/// `(2 ** r - 1) / r` for `|r| <= 1/2`.
const EXP2: [f32; 6] =
    [0.000_153_267_96, 0.001_339_102_4, 0.009_618_506, 0.055_503_596, 0.240_226_48, std::f32::consts::LN_2];
/// `(e ** r - 1 - r) / r²`
const EXP: [f32; 5] = [0.001_394_010_4, 0.008_366_773, 0.041_666_41, 0.166_665_42, 0.5];
/// `(sinh(r) / r - 1) / r²`, in powers of `r²`.
const SINH: [f32; 3] = [0.000_199_729_94, 0.008_333_176, 0.166_666_67];
/// `(cosh(r) - 1) / r²`, in powers of `r²`.
const COSH: [f32; 3] = [0.001_393_584_7, 0.041_666_456, 0.5];

/// `power · 2 ** r`.
#[inline(always)]
pub(super) fn exp2_of<const FMA: bool>(power: Power, r: f32) -> f32 {
    power.times(fma::<FMA>(polynomial::<FMA, 6>(&EXP2, r), r, 1.0))
}

/// `2 ** x`.
#[inline(always)]
pub(super) fn exp2<const FMA: bool>(x: f32) -> f32 {
    // Beyond these bounds the result is infinite or zero anyway; a NaN passes both comparisons.
    let x = if x > 129.0 { 129.0 } else { x };
    let x = if x < -151.0 { -151.0 } else { x };
    let (whole, power) = nearest_of::<FMA>(x, 1.0);
    exp2_of::<FMA>(power, x - whole)
}

/// `2 ** n`, `r`, and what the rounding of `r` loses.
#[inline(always)]
fn reduced<const FMA: bool>(x: f32) -> (Power, f32, f32) {
    let (whole, power) = nearest_of::<FMA>(x, std::f32::consts::LOG2_E);
    let first = fma::<FMA>(whole, -LN_2[0], x);
    let r = fma::<FMA>(whole, -LN_2[1], first);
    (power, r, fma::<FMA>(whole, -LN_2[1], first - r))
}

/// `e ** x`.
#[inline(always)]
pub(in super::super) fn exp<const FMA: bool>(x: f32) -> f32 {
    // Beyond these bounds the result is infinite or zero anyway; a NaN passes both comparisons.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let (whole, power) = nearest_of::<FMA>(x, std::f32::consts::LOG2_E);
    let r = fma::<FMA>(whole, -LN_2[1], fma::<FMA>(whole, -LN_2[0], x));
    power.times(fma::<FMA>(polynomial::<FMA, 5>(&EXP, r), r * r, r) + 1.0)
}

/// `(e ** x - 1) · scale`, where the second number is `2 ** n · scale`.
#[inline(always)]
fn less_one<const FMA: bool>(r: f32, rest: f32, grown: f32, scale: f32) -> f32 {
    let tail = fma::<FMA>(polynomial::<FMA, 5>(&EXP, r), r * r, rest);
    fma::<FMA>(grown, tail, fma::<FMA>(grown, r, grown - scale))
}

/// `e ** x - 1`, precise also for small `x`.
#[inline(always)]
pub(super) fn expm1<const FMA: bool>(x: f32) -> f32 {
    let y = if x > 89.0 { 89.0 } else { x };
    let y = if y < -18.0 { -18.0 } else { y };
    let (power, r, rest) = reduced::<FMA>(y);
    // By halves, since `2 ** 128` is no number.
    let result = 2.0 * less_one::<FMA>(r, rest, power.times_two_to(-1), 0.5);
    if x.abs() < 1e-9 { x } else { result }
}

/// The hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh<const FMA: bool>(x: f32) -> f32 {
    let a = x.abs();
    // Beyond it the result rounds to 1.
    let a = if a > 9.1 { 9.1 } else { a };
    // What the rounding of `r` loses is little beside what the quotient loses.
    let (power, r, _) = reduced::<FMA>(a + a);
    let less = less_one::<FMA>(r, 0.0, power.times_two_to(0), 1.0);
    (less / (less + 2.0)).copysign(x)
}

/// `2 ** (n - 2)`, `2 ** (-n - 2)`, `cosh(r) - 1`, `r`, and `sinh(r) - r`, of a number that is not negative.
///
/// ```text
/// sinh(x) = 2 ** (n - 1) · (cosh r + sinh r) - 2 ** (-n - 1) · (cosh r - sinh r)
/// ```
#[inline(always)]
fn hyperbolic<const FMA: bool>(a: f32) -> [f32; 5] {
    let a = if a > 89.5 { 89.5 } else { a };
    let (power, r, rest) = reduced::<FMA>(a);
    let z = r * r;
    let sine = fma::<FMA>(polynomial::<FMA, 3>(&SINH, z), z * r, rest);
    let cosine = z * polynomial::<FMA, 3>(&COSH, z);
    // From `2 ** -64` on, the second is nothing beside the first.
    [power.times_two_to(-2), power.inverse_times_two_to(-2), cosine, r, sine]
}

/// The hyperbolic sine.
#[inline(always)]
pub(super) fn sinh<const FMA: bool>(x: f32) -> f32 {
    let [grown, shrunk, cosine, r, sine] = hyperbolic::<FMA>(x.abs());
    let (sum, difference) = (grown + shrunk, grown - shrunk);
    let rest = fma::<FMA>(sum, sine, cosine * difference);
    let result = 2.0 * (fma::<FMA>(sum, r, difference) + rest);
    if x.abs() < 1e-9 { x } else { result.copysign(x) }
}

/// The hyperbolic cosine.
#[inline(always)]
pub(super) fn cosh<const FMA: bool>(x: f32) -> f32 {
    let [grown, shrunk, cosine, r, sine] = hyperbolic::<FMA>(x.abs());
    let sine = r + sine;
    let rest = fma::<FMA>(grown, cosine + sine, fma::<FMA>(shrunk, cosine - sine, shrunk));
    2.0 * (grown + rest)
}
