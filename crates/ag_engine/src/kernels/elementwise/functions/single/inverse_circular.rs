//! `arcsin`, `arccos`, `arctan` and `arctan2`.

use std::f32::consts::FRAC_PI_2;

use super::arithmetic::{fma, polynomial};

/// What the rounding of π/2 loses.
const HALF_PI_LOST: f32 = -4.371_139e-8;

/// `(arcsin(s) / s - 1) / s²` for `s² <= 1/4`, in powers of `s²`.
const ARCSIN: [f32; 5] = [0.042_211_81, 0.024_152_09, 0.045_476_04, 0.074_952_52, 0.166_667_54];
/// `(arctan(t) / t - 1) / t²` for `|t| <= 1`, in powers of `t²`.
const ARCTAN: [f32; 8] = [
    0.002_920_652,
    -0.016_367_77,
    0.043_211_605,
    -0.075_521_93,
    0.106_659_95,
    -0.142_110_53,
    0.199_937_73,
    -0.333_331_53,
];

/// For `a <= 1/2`: `a` and `arcsin(a) - a`. Else the same of `s = sqrt((1 - a) / 2)`, so that `arcsin(a)` is
/// `π/2 - 2 arcsin(s)`.
#[inline(always)]
fn arcsin_parts<const FMA: bool>(a: f32) -> (f32, f32) {
    let is_large = a > 0.5;
    let z = if is_large { fma::<FMA>(-0.5, a, 0.5) } else { a * a };
    let root = z.sqrt();
    let s = if is_large { root } else { a };
    // What the rounding of the root loses; the divisor is never 0.
    let lost = fma::<FMA>(-root, root, z) / (root + root + f32::MIN_POSITIVE);
    (s, fma::<FMA>(s * z, polynomial::<FMA, 5>(&ARCSIN, z), if is_large { lost } else { 0.0 }))
}

/// The inverse sine. A number outside of -1 to 1 gives NaN.
#[inline(always)]
pub(super) fn arcsin<const FMA: bool>(x: f32) -> f32 {
    let a = x.abs();
    let (s, more) = arcsin_parts::<FMA>(a);
    let large = fma::<FMA>(-2.0, s, FRAC_PI_2) + fma::<FMA>(-2.0, more, HALF_PI_LOST);
    (if a > 0.5 { large } else { s + more }).copysign(x)
}

/// The inverse cosine. A number outside of -1 to 1 gives NaN.
#[inline(always)]
pub(super) fn arccos<const FMA: bool>(x: f32) -> f32 {
    let (s, more) = arcsin_parts::<FMA>(x.abs());
    let is_large = x.abs() > 0.5;
    // `base - factor · (s + more)` for a factor with the sign of `x`
    let left = if x < 0.0 { 2.0 } else { 0.0 };
    let quarters = if is_large { left } else { 1.0 };
    let factor = (if is_large { -2.0_f32 } else { 1.0 }).copysign(if is_large { -x } else { x });
    let head = fma::<FMA>(-factor, s, quarters * FRAC_PI_2);
    head + fma::<FMA>(-factor, more, quarters * HALF_PI_LOST)
}

/// `arctan(t) - t` for `|t| <= 1`.
#[inline(always)]
fn arctan_less<const FMA: bool>(t: f32) -> f32 {
    let z = t * t;
    (t * z) * polynomial::<FMA, 8>(&ARCTAN, z)
}

/// The inverse tangent.
#[inline(always)]
pub(super) fn arctan<const FMA: bool>(x: f32) -> f32 {
    let a = x.abs();
    // `arctan(a)` is `π/2 + arctan(-1 / a)`. A NaN stays.
    let is_large = a > 1.0;
    let t = (if is_large { -1.0 } else { a }) / (if is_large { a } else { 1.0 });
    let more = arctan_less::<FMA>(t);
    let head = if is_large { t + FRAC_PI_2 } else { t };
    (head + (if is_large { more + HALF_PI_LOST } else { more })).copysign(x)
}

/// The angle of a point.
#[inline(always)]
pub(super) fn arctan2<const FMA: bool>(y: f32, x: f32) -> f32 {
    let (b, a) = (y.abs(), x.abs());
    let is_steep = b > a;
    let (large, small) = if is_steep { (b, a) } else { (a, b) };
    let t = small / large;
    let t = if large == 0.0 { 0.0 } else { t };
    let t = if small == f32::INFINITY { 1.0 } else { t };
    // The angle turned by a quarter if it is steep, and by a half if `x` is negative.
    let is_left = x.is_sign_negative();
    let left = if is_left { 2.0 } else { 0.0 };
    let quarters = if is_steep { 1.0 } else { left };
    let sign = if is_steep != is_left { -1.0 } else { 1.0 };
    let head = fma::<FMA>(quarters, FRAC_PI_2, sign * t);
    let more = fma::<FMA>(quarters, HALF_PI_LOST, sign * arctan_less::<FMA>(t));
    let result = (head + more).copysign(y);
    if y.is_nan() || x.is_nan() { f32::NAN } else { result }
}
