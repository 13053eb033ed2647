//! `tan`.
//!
//! ```text
//! x = n · π/2 + r + rest     n an integer, |r| <= π/4
//! ```

use super::arithmetic::{difference_of, polynomial};

/// π/2 in three parts: the rounded value, its rounding error, and the rounding error of that.
const HALF_PI: [f32; 3] = [std::f32::consts::FRAC_PI_2, -4.371_139e-8, -1.715_124_5e-15];
/// The largest argument that is reduced here: `n` times the first part, less `x`, has no more than 24 digits.
const LARGEST: f32 = 131_072.0;

/// `(tan(r) / r - 1) / r²`, in powers of `r²`.
const TAN: [f32; 7] =
    [0.004_441_832_7, -4.619_033_6e-5, 0.010_945_545, 0.021_238_61, 0.054_068_65, 0.133_325_83, 0.333_333_52];

/// Whether the argument is too large.
#[inline(always)]
pub(super) fn is_far(x: f32) -> bool {
    x.abs() > LARGEST
}

/// The tangent, by fused multiply-add.
#[inline(always)]
pub(super) fn tan(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    let shifted = x.mul_add(std::f32::consts::FRAC_2_PI, ROUND);
    let whole = shifted - ROUND;
    let first = whole.mul_add(-HALF_PI[0], x);
    // The low-order parts of the product and of the difference, with their rounding errors.
    let product = whole * HALF_PI[1];
    let lost = whole.mul_add(HALF_PI[1], -product);
    let (r, rest) = difference_of(first, product);
    let rest = whole.mul_add(-HALF_PI[2], rest - lost);
    let z = r * r;
    let tail = polynomial::<true, 7>(&TAN, z).mul_add(z * r, rest);
    let tangent = r + tail;
    let is_odd = shifted.to_bits() & 1 == 1;
    let lost = if is_odd { tail - (tangent - r) } else { 0.0 };
    let quotient = (if is_odd { -1.0 } else { tangent }) / (if is_odd { tangent } else { 1.0 });
    let result = (quotient * lost).mul_add(quotient, quotient);
    // An addition loses the sign of -0.0.
    if x == 0.0 { x } else { result }
}
