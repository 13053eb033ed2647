//! `tanh` of `f64` as polynomials that compile to vector code.
//!
//! One branch-free function, like those of `f32`, for processors with fused multiply-add. Other processors
//! and scalars use the C library's, so that a scalar equals `math.tanh`. The range reduction and the rational
//! function are those of the Cephes library. NaN, infinities and signed zeros are right; the error is
//! measured in the tests below (3 ulp at most).

#![expect(clippy::excessive_precision, reason = "the polynomials are written as they were published")]

/// Adding and then subtracting this rounds to an integer; after the addition it is in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
const LN_2_HIGH: f64 = 6.931_457_519_531_25e-1;
const LN_2_LOW: f64 = 1.428_606_820_309_417_232_12e-6;

/// Beyond it the result rounds to 1.
const LARGEST: f64 = 22.0;

/// The Taylor coefficients of `e ** r`, highest first, down to that of `r ** 2`: for `|r| <= ln(2) / 2`
/// the rest is below 1e-16.
const EXP: [f64; 11] = [
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

/// `e ** x` for `x` between 0 and twice [`LARGEST`].
#[inline(always)]
fn exp_of_moderate(x: f64) -> f64 {
    let shifted = x.mul_add(std::f64::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    let exponent = (shifted.to_bits() as i64).wrapping_sub(ROUND.to_bits() as i64);
    let r = whole.mul_add(-LN_2_HIGH, x);
    let r = whole.mul_add(-LN_2_LOW, r);
    let mut p = EXP[0];
    for coefficient in &EXP[1..] {
        p = p.mul_add(r, *coefficient);
    }
    let y = p.mul_add(r * r, r) + 1.0;
    // A NaN gives an arbitrary exponent, and stays a NaN whatever it is multiplied by.
    y * f64::from_bits((exponent.wrapping_add(1023) << 52) as u64)
}

/// Hyperbolic tangent.
#[inline(always)]
pub(crate) fn tanh_f64<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.tanh();
    }
    let a = x.abs();
    let a = if a > LARGEST { LARGEST } else { a };
    let is_small = a < 0.625;
    let square = a * a;
    let mut p: f64 = -9.643_991_794_250_522_386_28e-1;
    p = p.mul_add(square, -9.928_772_310_019_185_865_64e1);
    p = p.mul_add(square, -1.614_687_684_417_084_479_52e3);
    let mut q = square + 1.128_116_784_916_329_314_02e2;
    q = q.mul_add(square, 2.235_488_390_601_004_485_83e3);
    q = q.mul_add(square, 4.844_063_053_251_254_860_48e3);
    let e = exp_of_moderate(a + a);
    // One division for both: `a + a * square * p / q`, and `1 - 2 / (e + 1)`.
    let (above, below) = if is_small { (a * square * p, q) } else { (-2.0, e + 1.0) };
    let base = if is_small { a } else { 1.0 };
    (base + above / below).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::tanh_f64;

    fn check(x: f64) {
        let (got, want) = (tanh_f64::<true>(x), x.tanh());
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
            check(x);
            check(-x);
        });
    }

    #[test]
    fn tanh_of_all_exponents_and_special_values() {
        let patterns = (0..500_000_u64).map(|i| f64::from_bits(i.wrapping_mul(36_893_488_147_419)));
        patterns.for_each(check);
        [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE, 5e-324, 0.625, 22.0]
            .into_iter()
            .for_each(check);
    }
}
