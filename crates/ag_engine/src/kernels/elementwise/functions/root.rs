//! `cbrt`.

use super::arithmetic::polynomial;

/// What a third of the bits of a number is subtracted from for those of its inverse cube root, in units of
/// the 12th bit; and the shift that makes an integer of the difference.
const GUESS: f64 =
    6_755_399_441_055_744.0 - ((0x8000_0000_0000_0000_u64 - 0x553c_70ff_0000_0000) >> 12) as f64;
/// Bits below 2 to the power of 52 as a number.
const UNITS: f64 = 4_503_599_627_370_496.0;
/// From a guess `g` to the inverse cube root: a factor in powers of `1 - x g³`, 20 bits.
const STEP: [f64; 4] = [0.501_180_02, 0.059_320_258, 0.365_472_055, 0.997_735_87];

/// The cube root.
#[inline(always)]
pub(super) fn cbrt(x: f64) -> f64 {
    let a = x.abs();
    let is_denormal = a < f64::MIN_POSITIVE;
    let (factor, of_root) =
        if is_denormal { (18_014_398_509_481_984.0, 1.0 / 262_144.0) } else { (1.0, 1.0) };
    let size = a * factor;
    let root = root_of(size);
    (if a < f64::INFINITY { root * of_root } else { a }).copysign(x)
}

/// The same of a normal number.
#[inline(always)]
pub(super) fn usual_cbrt(x: f64) -> f64 {
    root_of(x.abs()).copysign(x)
}

/// The cube root of a positive normal number.
#[inline(always)]
fn root_of(size: f64) -> f64 {
    // The bits of a number are nearly its logarithm.
    let bits = f64::from_bits((size.to_bits() >> 12) | UNITS.to_bits());
    let third = (bits - UNITS).mul_add(-1.0 / 3.0, GUESS);
    let guess = f64::from_bits(third.to_bits() << 12);
    let rest = (size * guess).mul_add(-(guess * guess), 1.0);
    let first = guess * polynomial(&STEP, rest);
    // A step of Newton's method for the inverse, and one for the root.
    let rest = (size * first).mul_add(-(first * first), 1.0);
    let inverse = (first * rest).mul_add(1.0 / 3.0, first);
    let square = inverse * inverse;
    let root = size * square;
    let excess = (root * root).mul_add(root, -size);
    (excess * square).mul_add(-1.0 / 3.0, root)
}
