//! What the functions of `f32` have in common.

/// `a * b + c`, fused where that is an instruction.
#[inline(always)]
pub(super) fn fma<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// Adding and then subtracting this rounds to an integer.
const ROUND: f32 = 12_582_912.0;
/// The same, leaving the integer with twice the bias of exponents in the low bits.
const ROUND_BIASED: f32 = ROUND + 254.0;

/// 2 to an integer power.
#[derive(Clone, Copy)]
pub(super) struct Power {
    /// The power, between -252 and 254, with twice the bias of exponents, where numbers have their exponents.
    bits: u32,
}

impl Power {
    /// `2 ** (n + more)`, a normal number.
    #[inline(always)]
    pub(super) fn times_two_to(self, more: i32) -> f32 {
        f32::from_bits(self.bits.wrapping_add(((more - 127) << 23) as u32))
    }

    /// `y · 2 ** n`, rounded once; infinite beyond the range. No factor leaves the normal numbers.
    #[inline(always)]
    pub(super) fn times(self, y: f32) -> f32 {
        let half = (self.bits >> 1) & 0xff80_0000;
        y * f32::from_bits(half) * f32::from_bits(self.bits.wrapping_sub(half))
    }

    /// `2 ** -min(n, 64)` times 2 to the power of `more`.
    #[inline(always)]
    pub(super) fn inverse_times_two_to(self, more: i32) -> f32 {
        const MOST: u32 = (254 + 64) << 23;
        let bits = if self.bits > MOST { MOST } else { self.bits };
        f32::from_bits((((127 + 254 + more) as u32) << 23).wrapping_sub(bits))
    }
}

/// The integer nearest to `a * b`, which is below `2 ** 21`, and 2 to its power.
#[inline(always)]
pub(super) fn nearest_of<const FMA: bool>(a: f32, b: f32) -> (f32, Power) {
    let shifted = fma::<FMA>(a, b, ROUND_BIASED);
    // The bits of the constant are beyond the shift.
    (shifted - ROUND_BIASED, Power { bits: shifted.to_bits() << 23 })
}

/// A polynomial; the coefficient of the highest power first.
#[inline(always)]
pub(super) fn polynomial<const FMA: bool, const N: usize>(coefficients: &[f32; N], x: f32) -> f32 {
    if N < 5 {
        return coefficients[1..].iter().fold(coefficients[0], |sum, next| fma::<FMA>(sum, x, *next));
    }
    // Even and odd powers apart, so that two chains of dependent steps run side by side.
    let square = x * x;
    let (mut one, mut other) = (coefficients[0], coefficients[1]);
    for pair in coefficients[2..].chunks(2) {
        one = fma::<FMA>(one, square, pair[0]);
        if let Some(next) = pair.get(1) {
            other = fma::<FMA>(other, square, *next);
        }
    }
    if N.is_multiple_of(2) { fma::<FMA>(one, x, other) } else { fma::<FMA>(other, x, one) }
}

/// `a + b` and what its rounding loses, if `a` is 0 or not smaller than `b`.
#[inline(always)]
pub(super) fn sum_of(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    (sum, (a - sum) + b)
}
