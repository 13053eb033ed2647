//! The error function: `2 / sqrt(pi)` times the integral of `exp(-t * t)` from 0 to `x`.
//!
//! - Near 0 it is the Taylor series about 0. There the relative error matters, and the first term is nearly
//!   all.
//! - Elsewhere it is the Taylor series about the nearest of some tabulated points. With `h` the distance from
//!   such a point `c`, it is `erf(c) + slope(c) * h * (1 + w1 / 2 + w2 / 3 + …)`, with the terms
//!   `w1 = -2 c h` and `w(n+1) = (-2 c h * w(n) - 2 h * h * w(n-1)) / (n + 1)` (the recurrence of Hermite's
//!   polynomials).
//! - From [`END`] on, 1 is the nearest double.
//!
//! It is within one unit in the last place of what C libraries give.

use std::f64::consts::FRAC_2_SQRT_PI;

/// `2 / sqrt(pi) - 1`, and the other coefficients of the series about 0, in powers of `x * x`.
const NEAR_ZERO: [f64; 10] = [
    0.1283791670955126,
    -0.37612638903183754,
    0.11283791670955126,
    -0.026866170645131252,
    0.005223977625442188,
    -0.0008548327023450853,
    0.00012055332981789664,
    -1.492565035840625e-05,
    1.6462114365889248e-06,
    -1.6365844691234924e-07,
];

/// The series about 0 is used up to here.
const NEAR: f64 = 0.25;

/// From here on the result is 1.
const END: f64 = 5.9375;

/// Tabulated points per unit.
const PLACES: f64 = 8.0;

/// Terms of a series about a tabulated point.
const TERMS: usize = 10;

/// The function and its derivative at 0, 1 / 8, 2 / 8, …, computed to 80 digits and rounded.
const AT_PLACES: [(f64, f64); 48] = [
    (0.0, FRAC_2_SQRT_PI),
    (0.1403162048013338, 1.1108852695966625),
    (0.27632639016823696, 1.0600141293761143),
    (0.4041169094348223, 0.9803528095459079),
    (0.5204998778130465, 0.8787825789354448),
    (0.623240882188418, 0.7634995357606049),
    (0.7111556336535151, 0.6429310691952074),
    (0.7840750610598597, 0.5247450452901482),
    (0.8427007929497149, 0.4151074974205947),
    (0.8883882317017078, 0.3182739585007693),
    (0.9229001282564583, 0.2365211224472908),
    (0.9481700727820903, 0.1703597736875156),
    (0.9661051464753108, 0.11893028922362937),
    (0.9784437332399837, 0.08047225902251116),
    (0.9866716712191824, 0.05277499593015037),
    (0.9919900576701199, 0.03354582842421607),
    (0.9953222650189527, 0.020666985354092053),
    (0.9973459706405177, 0.012340820614333696),
    (0.9985372834133188, 0.007142319022017983),
    (0.9992170617821089, 0.004006477861670219),
    (0.999593047982555, 0.0021782842303527095),
    (0.9997946242638588, 0.001147875125882675),
    (0.9998993780778803, 0.0005862772470937923),
    (0.9999521451602562, 0.00029022828286249803),
    (0.9999779095030014, 0.00013925305194674786),
    (0.9999901032653747, 6.475868323471298e-05),
    (0.9999956972205363, 2.9189025383581702e-05),
    (0.9999981847185726, 1.2751740799765088e-05),
    (0.9999992569016276, 5.399426777384783e-06),
    (0.9999997048598075, 2.2159202846331124e-06),
    (0.9999998862727434, 8.814321912318039e-07),
    (0.999999957486056, 3.398223817809154e-07),
    (0.9999999845827421, 1.2698234671866558e-07),
    (0.9999999945765992, 4.598995828846052e-08),
    (0.9999999981494259, 1.6143993719507412e-08),
    (0.9999999993875167, 5.492717228853464e-09),
    (0.9999999998033839, 1.81130589590869e-09),
    (0.9999999999387839, 5.789281366587474e-10),
    (0.9999999999815149, 1.7934357034341337e-10),
    (0.9999999999945866, 5.384870492099458e-11),
    (0.9999999999984626, 1.5670866531017336e-11),
    (0.9999999999995766, 4.4201708693385726e-12),
    (0.9999999999998869, 1.2084074716006755e-12),
    (0.9999999999999707, 3.2019610382476225e-13),
    (0.9999999999999927, 8.223316045262922e-14),
    (0.9999999999999982, 2.046945208423793e-14),
    (0.9999999999999996, 4.938485140964219e-15),
    (0.9999999999999999, 1.154807464350253e-15),
];

/// The error function.
pub(crate) fn erf(x: f64) -> f64 {
    let a = x.abs();
    if a < NEAR {
        let square = a * a;
        let tail = NEAR_ZERO.iter().rev().fold(0.0, |sum, coefficient| sum * square + coefficient);
        return (a + a * tail).copysign(x);
    }
    if a >= END {
        return 1.0_f64.copysign(x);
    }
    if x.is_nan() {
        return x;
    }
    let number = (a * PLACES + 0.5) as usize;
    let place = number as f64 / PLACES;
    let (value, slope) = AT_PLACES[number];
    let h = a - place;
    let (once, twice) = (-2.0 * place * h, -2.0 * h * h);
    let (mut before, mut term, mut sum) = (1.0, once, 0.5 * once);
    for n in 2..=TERMS {
        (before, term) = (term, (once * term + twice * before) / n as f64);
        sum += term / (n + 1) as f64;
    }
    (value + slope * (h + h * sum)).copysign(x)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_2_SQRT_PI;

    use super::erf;

    #[test]
    fn ends_and_known_values() {
        assert_eq!(erf(0.0).to_bits(), 0.0_f64.to_bits());
        assert_eq!(erf(-0.0).to_bits(), (-0.0_f64).to_bits());
        assert_eq!([erf(f64::INFINITY), erf(f64::NEG_INFINITY), erf(6.0)], [1.0, -1.0, 1.0]);
        assert!(erf(f64::NAN).is_nan());
        assert_eq!(erf(f64::MIN_POSITIVE / 4.0), f64::MIN_POSITIVE / 4.0 * FRAC_2_SQRT_PI);
        assert!((erf(1.0) - 0.842_700_792_949_714_9).abs() < 1e-16);
    }

    #[test]
    fn the_parts_join_and_it_grows() {
        let mut last = -1.0;
        for step in -60_000..=60_000 {
            let value = erf(f64::from(step) / 10_000.0);
            assert!(value >= last, "at {step}");
            last = value;
        }
    }
}
