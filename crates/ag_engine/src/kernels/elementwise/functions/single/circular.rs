//! `sin`, `cos` and `tan`.
//!
//! ```text
//! x = n · π/2 + r + rest     n an integer, |r| <= π/4
//! ```

use super::arithmetic::polynomial;

/// Adding and then subtracting this rounds to an integer, whose lowest bits are those of the sum.
const ROUND: f32 = 12_582_912.0;

/// π/2 in three parts: the rounded value, its rounding error, and the rounding error of that.
const HALF_PI: [f32; 3] = [std::f32::consts::FRAC_PI_2, -4.371_139e-8, -1.715_124_5e-15];
/// The largest argument that is reduced here: `n` times the first part, less `x`, has no more than 24 digits.
const LARGEST: f32 = 131_072.0;

/// `(tan(r) / r - 1) / r²`, in powers of `r²`.
const TAN: [f32; 7] =
    [0.004_441_832_7, -4.619_033_6e-5, 0.010_945_545, 0.021_238_61, 0.054_068_65, 0.133_325_83, 0.333_333_52];
/// `(sin(r) / r - 1) / r²`, in powers of `r²`.
const SIN: [f32; 3] = [-1.951_726_7e-4, 8.332_178e-3, -0.166_666_55];
/// `(cos(r) - 1 + r² / 2) / r⁴`, likewise.
const COS: [f32; 3] = [2.443_841_5e-5, -1.388_736_8e-3, 4.166_664_6e-2];

/// Whether the argument is too large.
#[inline(always)]
pub(super) fn is_far(x: f32) -> bool {
    x.abs() > LARGEST
}

/// `n` as a shifted number, whose lowest bits are those of `n`, and `r`, by fused multiply-add.
#[inline(always)]
fn reduced(x: f32) -> (u32, f32) {
    let shifted = x.mul_add(std::f32::consts::FRAC_2_PI, ROUND);
    let whole = shifted - ROUND;
    let first = whole.mul_add(-HALF_PI[0], x);
    // Each of two roundings loses half a unit of `r` at most.
    (shifted.to_bits(), whole.mul_add(-HALF_PI[2], whole.mul_add(-HALF_PI[1], first)))
}

/// The sine of `x + quarters · π/2`, by fused multiply-add.
#[inline(always)]
fn turned(x: f32, quarters: u32) -> f32 {
    let (quarter, r) = reduced(x);
    let z = r * r;
    let sine = polynomial::<true, 3>(&SIN, z).mul_add(z * r, r);
    let cosine = polynomial::<true, 3>(&COS, z).mul_add(z * z, (-0.5_f32).mul_add(z, 1.0));
    let quarter = quarter.wrapping_add(quarters);
    let value = if quarter & 1 == 0 { sine } else { cosine };
    f32::from_bits(value.to_bits() ^ ((quarter & 2) << 30))
}

/// The sine, by fused multiply-add.
#[inline(always)]
pub(super) fn sin(x: f32) -> f32 {
    // An addition loses the sign of -0.0.
    if x == 0.0 { x } else { turned(x, 0) }
}

/// The cosine, by fused multiply-add.
#[inline(always)]
pub(super) fn cos(x: f32) -> f32 {
    turned(x, 1)
}

/// The tangent, by fused multiply-add.
#[inline(always)]
pub(super) fn tan(x: f32) -> f32 {
    let (quarter, r) = reduced(x);
    let z = r * r;
    let tangent = polynomial::<true, 7>(&TAN, z).mul_add(z * r, r);
    let is_odd = quarter & 1 == 1;
    let quotient = (if is_odd { -1.0 } else { tangent }) / (if is_odd { tangent } else { 1.0 });
    // An addition loses the sign of -0.0.
    if x == 0.0 { x } else { quotient }
}
