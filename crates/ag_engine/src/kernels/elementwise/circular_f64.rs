//! `sin` and `cos` of `f64` as polynomials that compile to vector code.
//!
//! ```text
//! x = n · π/2 + r + rest     n an integer, |r| <= π/4: the sine or the cosine of r, or its negative
//! ```
//!
//! Branch-free functions for processors with fused multiply-add. Other processors and scalars use the C
//! library's functions, and so do arguments beyond a million, for which π/2 needs more digits. The
//! polynomials are those of FreeBSD's libm. Errors are below one unit in the last place (see the tests).

#![expect(clippy::excessive_precision, reason = "the polynomials are written as they were published")]

use super::exponential_f64::ROUND;

/// π/2 in three parts: the rounded value, its rounding error, and the rounding error of that.
const HALF_PI: [f64; 3] =
    [std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17, -1.497_384_904_859_183_3e-33];
/// The largest argument that is reduced here.
const LARGEST: f64 = 1_048_576.0;

const SIN: [f64; 6] = [
    -1.666_666_666_666_663_243_48e-1,
    8.333_333_333_322_489_461_24e-3,
    -1.984_126_982_985_794_931_34e-4,
    2.755_731_370_707_006_767_89e-6,
    -2.505_076_025_340_686_341_95e-8,
    1.589_690_995_211_550_102_21e-10,
];
const COS: [f64; 6] = [
    4.166_666_666_666_660_190_37e-2,
    -1.388_888_888_887_410_957_49e-3,
    2.480_158_728_947_672_941_78e-5,
    -2.755_731_435_139_066_330_35e-7,
    2.087_572_321_298_174_827_90e-9,
    -1.135_964_755_778_819_482_65e-11,
];

/// Whether the argument is too large for [`sin_f64`] and [`cos_f64`].
#[inline(always)]
pub(super) fn is_far(x: f64) -> bool {
    x.abs() > LARGEST
}

/// The sine of `x + quarters · π/2`.
#[inline(always)]
fn turned(x: f64, quarters: u64) -> f64 {
    let shifted = x.mul_add(std::f64::consts::FRAC_2_PI, ROUND);
    let whole = shifted - ROUND;
    let quarter = shifted.to_bits().wrapping_add(quarters);
    let first = whole.mul_add(-HALF_PI[0], x);
    // The low-order parts of the product and of the difference, with their rounding errors.
    let product = whole * HALF_PI[1];
    let lost = whole.mul_add(HALF_PI[1], -product);
    let r = first - product;
    let part = r - first;
    let rest = (first - (r - part)) - (product + part);
    let rest = whole.mul_add(-HALF_PI[2], rest - lost);
    let z = r * r;
    let v = z * r;
    let tail = |c: &[f64; 6], from: usize| {
        let mut p = c[5];
        for coefficient in c[from..5].iter().rev() {
            p = p.mul_add(z, *coefficient);
        }
        p
    };
    let sine = r - ((z * (0.5 * rest - v * tail(&SIN, 1)) - rest) - v * SIN[0]);
    let half = 0.5 * z;
    let most = 1.0 - half;
    let cosine = most + (((1.0 - most) - half) + (z * (z * tail(&COS, 0)) - r * rest));
    let value = if quarter & 1 == 0 { sine } else { cosine };
    // The sign flips in the second half of a turn.
    f64::from_bits(value.to_bits() ^ ((quarter & 2) << 62))
}

/// Sine, unless the argument [is far](is_far).
#[inline(always)]
pub(super) fn sin_f64<const FMA: bool>(x: f64) -> f64 {
    if FMA { turned(x, 0) } else { x.sin() }
}

/// Cosine, unless the argument [is far](is_far).
#[inline(always)]
pub(super) fn cos_f64<const FMA: bool>(x: f64) -> f64 {
    if FMA { turned(x, 1) } else { x.cos() }
}

#[cfg(test)]
mod tests {
    use super::super::exact::{self, Exact, patterns};
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
        exact::check("sin", sin_f64::<true>, Exact::sin, arguments(), 1.0);
        assert!(sin_f64::<true>(-0.0).is_sign_negative());
        assert!(sin_f64::<true>(f64::NAN).is_nan());
    }

    #[test]
    fn cos_is_accurate() {
        exact::check("cos", cos_f64::<true>, Exact::cos, arguments(), 1.0);
        assert!(cos_f64::<true>(f64::NAN).is_nan());
    }
}
