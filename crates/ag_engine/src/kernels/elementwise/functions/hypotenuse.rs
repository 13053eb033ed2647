//! `hypot`: the root of a sum of squares, where the squares are neither too large nor too small.

use super::arithmetic::{Digits, product_of, sum_of};

/// The two numbers, the one of the larger size first; the second one first if a number is NaN.
#[inline(always)]
fn by_size(x: f64, y: f64) -> (f64, f64) {
    if x.abs() > y.abs() { (x.abs(), y.abs()) } else { (y.abs(), x.abs()) }
}

/// Whether a square leaves the range of normal numbers, or a number is infinite or NaN.
#[inline(always)]
pub(super) fn is_far(x: f64, y: f64) -> bool {
    let (size, _) = by_size(x, y);
    !(size <= 1e150 && (size >= 1e-140 || size == 0.0))
}

/// `sqrt(x * x + y * y)`. What rounding loses of the squares, of their sum and of the root is less than half
/// a unit of the result, and is added to it.
#[inline(always)]
pub(super) fn hypot<D: Digits>(x: f64, y: f64) -> f64 {
    let (large, small) = by_size(x, y);
    if !D::ARE_ALL {
        return large.mul_add(large, small * small).sqrt();
    }
    let ((square, lost), (other, of_other)) = (product_of(large, large), product_of(small, small));
    let (sum, of_sum) = sum_of(square, other);
    let root = sum.sqrt();
    let rest = root.mul_add(-root, sum) + (of_sum + (lost + of_other));
    if root == 0.0 { root } else { root + rest / (root + root) }
}
