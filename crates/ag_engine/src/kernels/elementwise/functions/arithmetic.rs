//! What the functions have in common: to how many digits they compute, and arithmetic that keeps what rounding
//! loses.

/// To how many digits a function is computed.
pub(crate) trait Digits {
    /// Whether to those of `f64`.
    const ARE_ALL: bool;
}

/// The digits of `f64`.
pub(crate) struct Double;
/// The digits of `f32`.
pub(crate) struct Single;

impl Digits for Double {
    const ARE_ALL: bool = true;
}

impl Digits for Single {
    const ARE_ALL: bool = false;
}

/// Adding and then subtracting this rounds to an integer; after the addition it is in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// The integer nearest to a number below `2 ** 51`, as a float and as an integer.
#[inline(always)]
pub(super) fn nearest(x: f64) -> (f64, i64) {
    let shifted = x + ROUND;
    (shifted - ROUND, (shifted.to_bits() as i64).wrapping_sub(ROUND.to_bits() as i64))
}

/// An integer below `2 ** 51` as a float.
#[inline(always)]
pub(super) fn float_of(integer: i64) -> f64 {
    f64::from_bits((ROUND.to_bits() as i64).wrapping_add(integer) as u64) - ROUND
}

/// 2 to an integer power of a normal number.
#[inline(always)]
pub(super) fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits((exponent.wrapping_add(1023) << 52) as u64)
}

/// `y * 2 ** exponent`, rounded once; infinite beyond the range.
#[inline(always)]
pub(super) fn scaled(y: f64, exponent: i64) -> f64 {
    let half = exponent >> 1;
    y * power_of_two(half) * power_of_two(exponent.wrapping_sub(half))
}

/// A polynomial; the coefficient of the highest power first.
#[inline(always)]
pub(super) fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    if N < 8 {
        return coefficients[1..].iter().fold(coefficients[0], |sum, next| sum.mul_add(x, *next));
    }
    // Even and odd powers apart, so that two chains of dependent steps run side by side.
    let square = x * x;
    let (mut one, mut other) = (coefficients[0], coefficients[1]);
    for pair in coefficients[2..].chunks(2) {
        one = one.mul_add(square, pair[0]);
        if let Some(next) = pair.get(1) {
            other = other.mul_add(square, *next);
        }
    }
    if N.is_multiple_of(2) { one.mul_add(x, other) } else { other.mul_add(x, one) }
}

/// `a + b` and what its rounding loses, if `a` is 0 or not smaller than `b`.
#[inline(always)]
pub(super) fn sum_of(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, (a - sum) + b)
}

/// `a + b` and what its rounding loses.
#[inline(always)]
pub(super) fn sum_of_any(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// `a * b` and what its rounding loses.
#[inline(always)]
pub(super) fn product_of(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

/// `above / below` of numbers with what their rounding lost; the result likewise.
#[inline(always)]
pub(super) fn quotient_of(above: (f64, f64), below: (f64, f64)) -> (f64, f64) {
    let inverse = 1.0 / below.0;
    let quotient = above.0 * inverse;
    let rest = quotient.mul_add(-below.0, above.0) + quotient.mul_add(-below.1, above.1);
    (quotient, rest * inverse)
}
