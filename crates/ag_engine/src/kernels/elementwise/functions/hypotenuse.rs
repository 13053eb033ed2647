//! `hypot`: the root of a sum of squares, where the squares are neither too large nor too small.

/// The larger size of two numbers; the second one's if a number is NaN.
#[inline(always)]
fn larger(x: f64, y: f64) -> f64 {
    if x.abs() > y.abs() { x.abs() } else { y.abs() }
}

/// Whether a square leaves the range of normal numbers, or a number is infinite or NaN.
#[inline(always)]
pub(super) fn is_far(x: f64, y: f64) -> bool {
    let size = larger(x, y);
    !(size <= 1e150 && (size >= 1e-140 || size == 0.0))
}

/// `sqrt(x * x + y * y)`, at most one unit off.
#[inline(always)]
pub(super) fn hypot(x: f64, y: f64) -> f64 {
    let (large, small) = if x.abs() > y.abs() { (x, y) } else { (y, x) };
    large.mul_add(large, small * small).sqrt()
}
