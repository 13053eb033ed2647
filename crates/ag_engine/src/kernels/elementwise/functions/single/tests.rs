//! Each function of `f32` against the library's of `f64`, with fused multiply-add and without.

use super::*;

/// The distance in units of the last place of the true result.
fn ulps(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if got.to_bits() == rounded.to_bits() || (got.is_nan() && want.is_nan()) {
        return 0.0;
    }
    if !rounded.is_finite() || !got.is_finite() || got.is_sign_negative() != rounded.is_sign_negative() {
        return f64::INFINITY;
    }
    let magnitude = rounded.abs().max(f32::MIN_POSITIVE);
    let unit = f64::from(f32::from_bits(magnitude.to_bits() + 1)) - f64::from(magnitude);
    (f64::from(got) - want).abs() / unit
}

/// Every 1009th bit pattern, all exponents, both signs, subnormal numbers and NaN among them; numbers where
/// results overflow, vanish and change their formula; and special values.
fn all_over() -> impl Iterator<Item = f32> {
    let near =
        [88.72284, -87.33655, -103.97208, 89.41599, 128.0, -126.0, -149.0, -150.0, 0.5, 1.0, 9.1, 17.3];
    let near = near.into_iter().flat_map(|x: f32| {
        (0..200_u32).flat_map(move |i| {
            let bits = x.to_bits() - 100 + i;
            [f32::from_bits(bits), -f32::from_bits(bits)]
        })
    });
    let special = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, -1e-45, f32::MAX, f32::MIN];
    (0..u32::MAX / 1009).map(|i| f32::from_bits(i * 1009)).chain(near).chain(special)
}

fn check<const FMA: bool>(op: UnaryOp, truth: fn(f64) -> f64, limit: f64) {
    let mut worst = (0.0, 0.0);
    for x in all_over() {
        let Some((got, is_far)) = of_one::<FMA>(op, x) else { return assert!(!FMA, "{op:?}") };
        let error = if is_far { 0.0 } else { ulps(got, truth(f64::from(x))) };
        if error > worst.0 {
            worst = (error, x);
        }
    }
    assert!(worst.0 <= limit, "{op:?}: {} ulps at {:e}", worst.0, worst.1);
}

fn check_both(op: UnaryOp, truth: fn(f64) -> f64, limit: f64) {
    check::<false>(op, truth, limit);
    check::<true>(op, truth, limit);
}

#[test]
fn exponential_functions_are_accurate() {
    check_both(UnaryOp::Exp, f64::exp, 1.5);
    check_both(UnaryOp::Exp2, f64::exp2, 1.5);
    check_both(UnaryOp::Expm1, f64::exp_m1, 1.5);
}

#[test]
fn hyperbolic_functions_are_accurate() {
    check_both(UnaryOp::Sinh, f64::sinh, 1.5);
    check_both(UnaryOp::Cosh, f64::cosh, 1.5);
    check_both(UnaryOp::Tanh, f64::tanh, 3.0);
}

#[test]
fn logarithms_are_accurate() {
    check_both(UnaryOp::Log, f64::ln, 1.5);
    check_both(UnaryOp::Log2, f64::log2, 2.0);
    check_both(UnaryOp::Log10, f64::log10, 2.0);
    check_both(UnaryOp::Log1p, f64::ln_1p, 2.0);
}

#[test]
fn inverse_functions_are_accurate() {
    check_both(UnaryOp::Arcsin, f64::asin, 2.0);
    check_both(UnaryOp::Arccos, f64::acos, 2.0);
    check_both(UnaryOp::Arctan, f64::atan, 2.0);
    check_both(UnaryOp::Arcsinh, |x| x.abs().asinh().copysign(x), 3.0);
    check_both(UnaryOp::Arccosh, f64::acosh, 3.0);
    check_both(UnaryOp::Arctanh, f64::atanh, 3.0);
}

#[test]
fn circular_functions_and_the_cube_root_are_accurate() {
    check_both(UnaryOp::Sin, f64::sin, 2.0);
    check_both(UnaryOp::Cos, f64::cos, 2.0);
    check_both(UnaryOp::Tan, f64::tan, 3.0);
    check_both(UnaryOp::Cbrt, f64::cbrt, 1.0);
}

/// Pairs of all signs and exponents, of moderate sizes, and with powers near the ends of the range.
fn pairs() -> impl Iterator<Item = (f32, f32)> {
    let mut state = 88_172_645_463_325_252_u64;
    (0..2_000_000).map(move |i| {
        for (left, right) in [(13, 0), (0, 7), (17, 0)] {
            state ^= if left > 0 { state << left } else { state >> right };
        }
        let (low, high) = (state as u32, (state >> 32) as u32);
        let x = if i % 3 == 0 { f32::from_bits(low) } else { (low >> 8) as f32 * 1e-6 };
        let power = (high as i32) as f32 * 7e-8;
        match i % 5 {
            0 => (x, f32::from_bits(high)),
            1 => (x, power),
            2 => (x, power.round()),
            3 => (-x, power.round()),
            _ => (x, power / x.abs().log2()),
        }
    })
}

fn check_two<const FMA: bool>(op: BinaryOp, truth: fn(f64, f64) -> f64, limit: f64) {
    for (x, y) in pairs() {
        let Some((got, is_far)) = of_two::<FMA>(op, x, y) else { return assert!(!FMA, "{op:?}") };
        let error = if is_far { 0.0 } else { ulps(got, truth(f64::from(x), f64::from(y))) };
        assert!(error <= limit, "{op:?} of {x:e} and {y:e} is {got:e}: {error} ulps off");
    }
}

#[test]
fn functions_of_two_numbers_are_accurate() {
    check_two::<true>(BinaryOp::Pow, f64::powf, 2.0);
    check_two::<true>(BinaryOp::Hypot, f64::hypot, 1.0);
    check_two::<true>(BinaryOp::Arctan2, f64::atan2, 2.0);
    check_two::<false>(BinaryOp::Arctan2, f64::atan2, 2.0);
}
