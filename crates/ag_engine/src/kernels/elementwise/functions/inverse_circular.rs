//! `arcsin`, `arccos`, `arctan` and `arctan2`.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::arithmetic::{polynomial, quotient_of, sum_of};

/// What the rounding of π/2 loses.
const HALF_PI_LOST: f64 = 6.123_233_995_736_766e-17;

/// `(arcsin(s) / s - 1) / s²` for `s² <= 1/4`, in powers of `s²`.
const ARCSIN: [f64; 13] = [
    0.02877844261259304,
    -0.014881409392818066,
    0.017419357964884856,
    0.00545087818772055,
    0.010324318288744113,
    0.011478952690257387,
    0.013971235301124539,
    0.017352391265909227,
    0.022372173002005596,
    0.030381944137085216,
    0.04464285714637338,
    0.07499999999998425,
    0.16666666666666669,
];
/// `(arctan(t) / t - 1) / t²` for `|t| <= tan(π/8)`, in powers of `t²`.
const ARCTAN: [f64; 11] = [
    -0.019175404711104935,
    0.03923044778479309,
    -0.050854078345894844,
    0.05858140904866328,
    -0.06664510525508936,
    0.07692183125376892,
    -0.0909090457530649,
    0.11111111015187018,
    -0.14285714284665682,
    0.19999999999995516,
    -0.3333333333333333,
];
/// `tan(π/8)`
const TAN_OF_EIGHTH: f64 = 0.414_213_562_373_095_05;

/// For `a <= 1/2`: `a` and `arcsin(a) - a`. Else the same of `s = sqrt((1 - a) / 2)`, so that `arcsin(a)` is
/// `π/2 - 2 arcsin(s)`.
#[inline(always)]
fn arcsin_parts(a: f64) -> (f64, f64) {
    let is_large = a > 0.5;
    let z = if is_large { 0.5 - 0.5 * a } else { a * a };
    let root = z.sqrt();
    let s = if is_large { root } else { a };
    // What the rounding of the root loses; the divisor is never 0.
    let lost = (-root).mul_add(root, z) / (root + root + f64::MIN_POSITIVE);
    (s, (s * z).mul_add(polynomial(&ARCSIN, z), if is_large { lost } else { 0.0 }))
}

/// The inverse sine. A number outside of -1 to 1 gives NaN.
#[inline(always)]
pub(super) fn arcsin(x: f64) -> f64 {
    let a = x.abs();
    let (s, more) = arcsin_parts(a);
    let (head, tail) = sum_of(FRAC_PI_2, -2.0 * s);
    let large = head + (tail + (-2.0_f64).mul_add(more, HALF_PI_LOST));
    (if a > 0.5 { large } else { s + more }).copysign(x)
}

/// The inverse cosine. A number outside of -1 to 1 gives NaN.
#[inline(always)]
pub(super) fn arccos(x: f64) -> f64 {
    let (s, more) = arcsin_parts(x.abs());
    let is_large = x.abs() > 0.5;
    let (s, more) = if is_large { (2.0 * s, 2.0 * more) } else { (s.copysign(-x), more.copysign(-x)) };
    let base = if !is_large {
        FRAC_PI_2
    } else if x > 0.0 {
        0.0
    } else {
        PI
    };
    let lost = if !is_large {
        HALF_PI_LOST
    } else if x > 0.0 {
        0.0
    } else {
        2.0 * HALF_PI_LOST
    };
    let (s, more) = if is_large && x < 0.0 { (-s, -more) } else { (s, more) };
    let (head, tail) = sum_of(base, s);
    head + (tail + (more + lost))
}

/// `arctan(above / below) + base` for a quotient of at most `tan(π/8)`; all with what their rounding lost.
#[inline(always)]
fn arctan_of(above: (f64, f64), below: (f64, f64), base: (f64, f64)) -> f64 {
    let (t, lost) = quotient_of(above, below);
    let z = t * t;
    let more = (t * z).mul_add(polynomial(&ARCTAN, z), lost + base.1);
    let (head, tail) = sum_of(base.0, t);
    head + (tail + more)
}

/// The inverse tangent.
#[inline(always)]
pub(super) fn arctan(x: f64) -> f64 {
    let a = x.abs();
    // The products of a quotient with an infinity are no numbers. A NaN stays.
    let a = if a > 1e300 { 1e300 } else { a };
    let (less, more) = (a - 1.0, a + 1.0);
    let (is_large, is_middle) = (a > 1.0 / TAN_OF_EIGHTH, a > TAN_OF_EIGHTH);
    let small = (a, 0.0);
    let above = if is_middle { (less, (-1.0 - less) + a) } else { small };
    let below = if is_middle { (more, (1.0 - more) + a) } else { (1.0, 0.0) };
    let base = if is_middle { (FRAC_PI_4, 0.5 * HALF_PI_LOST) } else { (0.0, 0.0) };
    let above = if is_large { (-1.0, 0.0) } else { above };
    let below = if is_large { small } else { below };
    let base = if is_large { (FRAC_PI_2, HALF_PI_LOST) } else { base };
    arctan_of(above, below, base).copysign(x)
}

/// Whether [`arctan2`] cannot have these: infinities, and numbers whose products are out of range.
#[inline(always)]
pub(super) fn is_far(y: f64, x: f64) -> bool {
    let is_out = |number: f64| number > 1e150 || (number < 1e-150 && number != 0.0);
    is_out(y.abs()) || is_out(x.abs())
}

/// The angle of a point.
#[inline(always)]
pub(super) fn arctan2(y: f64, x: f64) -> f64 {
    let (b, a) = (y.abs(), x.abs());
    let is_steep = b > a;
    let (large, small) = if is_steep { (b, a) } else { (a, b) };
    let is_middle = small > TAN_OF_EIGHTH * large;
    let (less, more) = (small - large, small + large);
    let above = if is_middle { (less, (-large - less) + small) } else { (small, 0.0) };
    let below = if is_middle { (more, (large - more) + small) } else { (large, 0.0) };
    let below = if large == 0.0 { (1.0, 0.0) } else { below };
    // The base of the angle `π/4 + t` or `t`; turned by a quarter if it is steep, and by a half if `x` is
    // negative.
    let base = if is_middle { (FRAC_PI_4, 0.5 * HALF_PI_LOST) } else { (0.0, 0.0) };
    let is_left = x.is_sign_negative();
    let (start, lost) = if is_steep {
        (FRAC_PI_2, HALF_PI_LOST)
    } else if is_left {
        (PI, 2.0 * HALF_PI_LOST)
    } else {
        (0.0, 0.0)
    };
    let is_back = is_steep != is_left;
    let sign = if is_back { -1.0 } else { 1.0 };
    let above = (sign * above.0, sign * above.1);
    let (head, tail) = sum_of(start, sign * base.0);
    let base = (head, tail + sign.mul_add(base.1, lost));
    arctan_of(above, below, base).copysign(y)
}
