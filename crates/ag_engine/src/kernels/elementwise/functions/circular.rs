//! `sin`, `cos` and `tan`.
//!
//! ```text
//! x = n · π/2 + r + rest     n an integer, |r| <= π/4
//! ```
//!
//! Arguments beyond a million need more digits of π/2: they are far. The double polynomials are those of
//! FreeBSD's libm.

use super::arithmetic::{nearest, polynomial, quotient_of, sum_of};

/// π/2 in three parts: the rounded value, its rounding error, and the rounding error of that.
const HALF_PI: [f64; 3] =
    [std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17, -1.497_384_904_859_183_3e-33];
/// The largest argument that is reduced here.
const LARGEST: f64 = 1_048_576.0;

const SIN: [f64; 6] = [
    1.589_690_995_211_550_102_21e-10,
    -2.505_076_025_340_686_341_95e-8,
    2.755_731_370_707_006_767_89e-6,
    -1.984_126_982_985_794_931_34e-4,
    8.333_333_333_322_489_461_24e-3,
    -1.666_666_666_666_663_243_48e-1,
];
const COS: [f64; 6] = [
    -1.135_964_755_778_819_482_65e-11,
    2.087_572_321_298_174_827_90e-9,
    -2.755_731_435_139_066_330_35e-7,
    2.480_158_728_947_672_941_78e-5,
    -1.388_888_888_887_410_957_49e-3,
    4.166_666_666_666_660_190_37e-2,
];

/// Whether the argument is too large.
#[inline(always)]
pub(super) fn is_far(x: f64) -> bool {
    x.abs() > LARGEST
}

/// `n`, `r` and `rest`.
#[inline(always)]
fn reduced(x: f64) -> (i64, f64, f64) {
    let (whole, quarter) = nearest(x * std::f64::consts::FRAC_2_PI);
    let first = whole.mul_add(-HALF_PI[0], x);
    // The low-order parts of the product and of the difference, with their rounding errors.
    let product = whole * HALF_PI[1];
    let lost = whole.mul_add(HALF_PI[1], -product);
    let r = first - product;
    let part = r - first;
    let rest = (first - (r - part)) - (product + part);
    (quarter, r, whole.mul_add(-HALF_PI[2], rest - lost))
}

/// The sine of `r + rest`, and what its rounding loses.
#[inline(always)]
fn sine(r: f64, rest: f64) -> (f64, f64) {
    let z = r * r;
    sum_of(r, (z * r).mul_add(polynomial(&SIN, z), rest * (-0.5_f64).mul_add(z, 1.0)))
}

/// The cosine of `r + rest`, and what its rounding loses.
#[inline(always)]
fn cosine(r: f64, rest: f64) -> (f64, f64) {
    let z = r * r;
    let lost = r.mul_add(r, -z);
    let (head, tail) = sum_of(1.0, -0.5 * z);
    sum_of(head, tail + ((z * z).mul_add(polynomial(&COS, z), -r * rest) - 0.5 * lost))
}

/// The sine of `x + quarters · π/2`.
#[inline(always)]
fn turned(x: f64, quarters: i64) -> f64 {
    let (quarter, r, rest) = reduced(x);
    let quarter = quarter.wrapping_add(quarters);
    let value = if quarter & 1 == 0 { sine(r, rest).0 } else { cosine(r, rest).0 };
    if quarter & 2 == 0 { value } else { -value }
}

/// The sine.
#[inline(always)]
pub(super) fn sin(x: f64) -> f64 {
    // An addition loses the sign of -0.0.
    if x == 0.0 { x } else { turned(x, 0) }
}

/// The cosine.
#[inline(always)]
pub(super) fn cos(x: f64) -> f64 {
    turned(x, 1)
}

/// The tangent.
#[inline(always)]
pub(super) fn tan(x: f64) -> f64 {
    let (quarter, r, rest) = reduced(x);
    let (sine, cosine) = (sine(r, rest), cosine(r, rest));
    let is_even = quarter & 1 == 0;
    let above = if is_even { sine } else { (-cosine.0, -cosine.1) };
    let below = if is_even { cosine } else { sine };
    let (quotient, lost) = quotient_of(above, below);
    if x == 0.0 { x } else { quotient + lost }
}

#[cfg(test)]
mod tests {
    use super::super::super::exact::{self, Exact, patterns};
    use super::*;

    /// Many turns, all exponents, and the doubles next to multiples of π/2.
    fn arguments() -> impl Iterator<Item = f64> {
        let turns = (0..300_000).map(|i| (f64::from(i) - 15e4) * 0.000_731);
        let far = (0..100_000).map(|i| (f64::from(i) - 5e4) * 20.9);
        let zeros = (0..600_000).step_by(7).map(|i| f64::from(i) * HALF_PI[0]);
        turns.chain(far).chain(zeros).chain(patterns()).filter(|x| !is_far(*x) && x.is_finite())
    }

    #[test]
    fn sin_is_accurate() {
        exact::check("sin", sin, Exact::sin, arguments(), 1.0);
        assert!(sin(-0.0).is_sign_negative());
        assert!(sin(f64::NAN).is_nan());
    }

    #[test]
    fn cos_is_accurate() {
        exact::check("cos", cos, Exact::cos, arguments(), 1.0);
        assert!(cos(f64::NAN).is_nan());
    }
}
