//! `cbrt`.

use super::arithmetic::polynomial;

/// What a third of the bits of a number is subtracted from for those of its inverse cube root, in units of
/// the 8th bit; and the shift that makes an integer of the difference.
const GUESS: f32 = 12_582_912.0 + ((0x5493_fa8c_u32 - 0x4000_0000) >> 8) as f32;
/// From a guess `g` to the inverse cube root: a factor in powers of `1 - x g³`, 15 bits.
const STEP: [f32; 3] = [0.372_004_42, 0.301_343_43, 1.002_071_9];

/// The cube root, by fused multiply-add.
#[inline(always)]
pub(super) fn cbrt(x: f32) -> f32 {
    let a = x.abs();
    let is_denormal = a < f32::MIN_POSITIVE;
    let (factor, of_root) = if is_denormal { (16_777_216.0, 0.003_906_25) } else { (1.0, 1.0) };
    let size = a * factor;
    let root = root_of(size);
    (if a < f32::INFINITY { root * of_root } else { a }).copysign(x)
}

/// The same of a normal number.
#[inline(always)]
pub(super) fn usual_cbrt(x: f32) -> f32 {
    root_of(x.abs()).copysign(x)
}

/// The cube root of a positive normal number.
#[inline(always)]
fn root_of(size: f32) -> f32 {
    // The bits of a number are nearly its logarithm.
    let third = ((size.to_bits() >> 8) as f32).mul_add(-1.0 / 3.0, GUESS);
    let guess = f32::from_bits(third.to_bits() << 8);
    let rest = (size * guess).mul_add(-(guess * guess), 1.0);
    let inverse = guess * polynomial::<true, 3>(&STEP, rest);
    // One step of Newton's method.
    let square = inverse * inverse;
    let root = size * square;
    let excess = (root * root).mul_add(root, -size);
    (excess * square).mul_add(-1.0 / 3.0, root)
}
