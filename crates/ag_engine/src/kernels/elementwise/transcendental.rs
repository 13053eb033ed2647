//! `exp`, `log` and `tanh` of `f32` as polynomials that compile to vector code.
//!
//! Each is one branch-free scalar function; the loops around it are compiled for every instruction set, so
//! that the compiler vectorises it. Polynomials and range reductions are those of the Cephes library. NaN,
//! infinities, signed zeros and denormals are right; errors are measured in the tests below (exp 1.5 ulp, log
//! 1.5 ulp, tanh 3 ulp at most).

#![expect(clippy::excessive_precision, reason = "the polynomials are written as they were published")]

/// `a * b + c`, fused where that is an instruction.
#[inline(always)]
fn fma<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// Adding and then subtracting this rounds to an integer; after the addition it is in the low bits.
const ROUND: f32 = 12_582_912.0;
const LN_2_HIGH: f32 = 0.693_359_375;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// 2 to an integer power between -126 and 127.
#[inline(always)]
fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) << 23) as u32)
}

/// `e ** x`.
#[inline(always)]
pub(crate) fn exp_f32<const FMA: bool>(x: f32) -> f32 {
    // Beyond these bounds the result is infinite or zero anyway; a NaN passes both comparisons.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let shifted = fma::<FMA>(x, std::f32::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    let exponent = (shifted.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32);
    let r = fma::<FMA>(whole, -LN_2_HIGH, x);
    let r = fma::<FMA>(whole, -LN_2_LOW, r);
    let mut p = 1.987_569_1e-4;
    p = fma::<FMA>(p, r, 1.398_199_9e-3);
    p = fma::<FMA>(p, r, 8.333_452e-3);
    p = fma::<FMA>(p, r, 4.166_579_6e-2);
    p = fma::<FMA>(p, r, 1.666_666_5e-1);
    p = fma::<FMA>(p, r, 5.0e-1);
    let y = fma::<FMA>(p, r * r, r) + 1.0;
    // In two steps, so that results near the ends of the range are reached. A NaN gives an arbitrary
    // exponent, hence the clamp.
    let exponent = exponent.clamp(-252, 254);
    let half = exponent >> 1;
    y * power_of_two(half) * power_of_two(exponent - half)
}

/// Natural logarithm.
#[inline(always)]
pub(crate) fn log_f32<const FMA: bool>(x: f32) -> f32 {
    let is_denormal = x < f32::MIN_POSITIVE;
    let scaled = if is_denormal { x * 8_388_608.0 } else { x };
    let bias = if is_denormal { -23.0 } else { 0.0 };
    // The exponent such that the rest lies between sqrt(1/2) and sqrt(2).
    let bits = scaled.to_bits() as i32;
    let offset = bits.wrapping_sub(0x3f35_04f3);
    let exponent = offset >> 23;
    let m = f32::from_bits(bits.wrapping_sub(exponent << 23) as u32);
    let e = exponent as f32 + bias;
    let f = m - 1.0;
    let square = f * f;
    let mut p = 7.037_683_6e-2;
    p = fma::<FMA>(p, f, -1.151_461e-1);
    p = fma::<FMA>(p, f, 1.167_699_9e-1);
    p = fma::<FMA>(p, f, -1.242_014_1e-1);
    p = fma::<FMA>(p, f, 1.424_932_3e-1);
    p = fma::<FMA>(p, f, -1.666_805_8e-1);
    p = fma::<FMA>(p, f, 2.000_071_5e-1);
    p = fma::<FMA>(p, f, -2.499_999_4e-1);
    p = fma::<FMA>(p, f, 3.333_333_1e-1);
    let mut y = p * f * square;
    y = fma::<FMA>(e, LN_2_LOW, y);
    y = fma::<FMA>(square, -0.5, y);
    let result = fma::<FMA>(e, LN_2_HIGH, f + y);
    let result = if x == 0.0 { f32::NEG_INFINITY } else { result };
    let result = if x == f32::INFINITY { f32::INFINITY } else { result };
    if x < 0.0 || x.is_nan() { f32::NAN } else { result }
}

/// Hyperbolic tangent.
#[inline(always)]
pub(crate) fn tanh_f32<const FMA: bool>(x: f32) -> f32 {
    let a = x.abs();
    let square = x * x;
    let mut p = -5.704_988_7e-3;
    p = fma::<FMA>(p, square, 2.063_908_9e-2);
    p = fma::<FMA>(p, square, -5.373_971_6e-2);
    p = fma::<FMA>(p, square, 1.333_144_2e-1);
    p = fma::<FMA>(p, square, -3.333_328_2e-1);
    let small = fma::<FMA>(p * square, a, a);
    let large = 1.0 - 2.0 / (exp_f32::<FMA>(2.0 * a) + 1.0);
    // The sign is set last, because an addition loses that of -0.0.
    (if a < 0.625 { small } else { large }).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance in units of the last place of the true result.
    fn ulps(got: f32, want: f64) -> f64 {
        let rounded = want as f32;
        if got.to_bits() == rounded.to_bits() || (got.is_nan() && want.is_nan()) {
            return 0.0;
        }
        if !rounded.is_finite() || !got.is_finite() {
            return f64::INFINITY;
        }
        let magnitude = rounded.abs().max(f32::MIN_POSITIVE);
        let unit = f64::from(f32::from_bits(magnitude.to_bits() + 1)) - f64::from(magnitude);
        (f64::from(got) - want).abs() / unit
    }

    fn worst(
        function: fn(f32) -> f32,
        truth: fn(f64) -> f64,
        inputs: impl Iterator<Item = f32>,
    ) -> (f64, f32) {
        inputs.fold((0.0, 0.0), |worst, x| {
            let error = ulps(function(x), truth(f64::from(x)));
            if error > worst.0 { (error, x) } else { worst }
        })
    }

    /// Every 1009th bit pattern: all exponents, both signs, denormals, infinities and NaNs.
    fn all_over() -> impl Iterator<Item = f32> {
        (0..u32::MAX / 1009).map(|i| f32::from_bits(i * 1009)).chain([
            0.0,
            -0.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ])
    }

    fn check(name: &str, function: fn(f32) -> f32, truth: fn(f64) -> f64, limit: f64) {
        let (error, at) = worst(function, truth, all_over());
        assert!(error <= limit, "{name}: {error} ulps at {at:e}");
    }

    #[test]
    fn exp_is_accurate() {
        check("exp", exp_f32::<false>, f64::exp, 1.5);
        check("exp fma", exp_f32::<true>, f64::exp, 1.5);
    }

    #[test]
    fn log_is_accurate() {
        check("log", log_f32::<false>, f64::ln, 1.5);
        check("log fma", log_f32::<true>, f64::ln, 1.5);
    }

    #[test]
    fn tanh_is_accurate() {
        check("tanh", tanh_f32::<false>, f64::tanh, 3.0);
        check("tanh fma", tanh_f32::<true>, f64::tanh, 3.0);
    }
}
