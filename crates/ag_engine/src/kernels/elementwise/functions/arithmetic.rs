//! What the functions have in common: to how many digits they compute, and arithmetic that keeps what
//! rounding loses.

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

/// [`ROUND`], leaving the integer with twice the bias of exponents in the low bits.
const ROUND_BIASED: f64 = ROUND + 2046.0;

/// 2 to an integer power.
#[derive(Clone, Copy)]
pub(super) struct Power {
    /// The power, between -2044 and 2046, with twice the bias of exponents, where numbers have their
    /// exponents.
    bits: u64,
}

impl Power {
    /// `2 ** (n + more)`, a normal number.
    #[inline(always)]
    pub(super) fn times_two_to(self, more: i64) -> f64 {
        f64::from_bits(self.bits.wrapping_add(((more - 1023) << 52) as u64))
    }

    /// `2 ** (more - min(n, 64))`, a normal number.
    #[inline(always)]
    pub(super) fn inverse_times_two_to(self, more: i64) -> f64 {
        const MOST: u64 = (2046 + 64) << 52;
        let bits = if self.bits > MOST { MOST } else { self.bits };
        f64::from_bits((((1023 + 2046 + more) as u64) << 52).wrapping_sub(bits))
    }

    /// `y · 2 ** n`, rounded once; infinite beyond the range. No factor leaves the normal numbers.
    #[inline(always)]
    pub(super) fn times(self, y: f64) -> f64 {
        let half = (self.bits >> 1) & (0xfff << 52);
        y * f64::from_bits(half) * f64::from_bits(self.bits.wrapping_sub(half))
    }
}

/// The integer nearest to `a * b`, which is below `2 ** 50`, and 2 to its power if that is between -2044 and
/// 2046.
#[inline(always)]
pub(super) fn nearest_of(a: f64, b: f64) -> (f64, Power) {
    let shifted = a.mul_add(b, ROUND_BIASED);
    // The bits of the constant are beyond the shift.
    (shifted - ROUND_BIASED, Power { bits: shifted.to_bits() << 52 })
}

/// The bits of the sum of [`ROUND`] and a small integer, less that integer.
const ROUND_BITS: u64 = ROUND.to_bits();

/// `e` and `m` of a positive normal number `2 ** e · m`, where `m` is from `least`, which is below 1, to
/// twice that; and the bits of `2 ** e` without its bias.
#[inline(always)]
pub(super) fn split(x: f64, least: f64) -> (f64, f64, u64) {
    let bits = x.to_bits().wrapping_sub(least.to_bits()) & (0xfff << 52);
    let biased = bits.wrapping_add(1023 << 52) >> 52;
    let e = f64::from_bits(ROUND_BITS | biased) - (ROUND + 1023.0);
    (e, f64::from_bits(x.to_bits().wrapping_sub(bits)), bits)
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
