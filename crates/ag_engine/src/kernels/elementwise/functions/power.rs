//! `pow`.

use super::arithmetic::{Digits, nearest, polynomial, product_of, sum_of};
use super::exponential::{LN_2, exp_of};
use super::logarithm::split;

/// `(log((1 + s) / (1 - s)) - 2s - 2/3 s³) / s⁵` for `1 + f` from `sqrt(1/2)` to `sqrt(2)`, in powers of `s²`.
const LOG: [f64; 8] = [
    0.11724327060846747,
    0.11706126464563398,
    0.1333480879881234,
    0.1538459488700718,
    0.18181818336099848,
    0.22222222221652765,
    0.2857142857142937,
    0.4,
];
/// `(log(1 + f) - f) / f²`, to some digits more than those of `f32`: an exponent multiplies its error.
const LOG_SINGLE: [f64; 14] = [
    0.04401389354079551,
    -0.08455956060315396,
    0.08638210264361985,
    -0.0829876343877989,
    0.08977418561671953,
    -0.09992408221841106,
    0.1111734070794527,
    -0.1250061067413648,
    0.1428554864896886,
    -0.16666650688241824,
    0.20000001922095367,
    -0.25000000137191386,
    0.33333333326737463,
    -0.49999999999820455,
];
/// 2/3 and its rounding error.
const TWO_THIRDS: [f64; 2] = [2.0 / 3.0, 3.700_743_415_417_188e-17];

/// The natural logarithm of a positive number, and what its rounding loses: 65 bits.
#[inline(always)]
fn log_of<D: Digits>(x: f64) -> (f64, f64) {
    let (_, e, m) = split(x);
    let f = m - 1.0;
    if !D::ARE_ALL {
        let near = polynomial(&LOG_SINGLE, f).mul_add(f * f, f);
        return (e.mul_add(std::f64::consts::LN_2, near), 0.0);
    }
    let below = 2.0 + f;
    let inverse = 1.0 / below;
    let s = f * inverse;
    let s_lost = inverse * (s.mul_add(-below, f) - s * ((2.0 - below) + f));
    let (z, z_lost) = product_of(s, s);
    let z_lost = (s + s).mul_add(s_lost, z_lost);
    let (cube, cube_lost) = product_of(z, s);
    let cube_lost = z.mul_add(s_lost, z_lost.mul_add(s, cube_lost));
    let (third, third_lost) = product_of(TWO_THIRDS[0], cube);
    let third_lost = TWO_THIRDS[0].mul_add(cube_lost, TWO_THIRDS[1].mul_add(cube, third_lost));
    let rest = (z * z) * s * polynomial(&LOG, z);
    let (low, low_lost) = product_of(e, LN_2[1]);
    let (sum, lost_1) = sum_of(e * LN_2[0], s + s);
    let (sum, lost_2) = sum_of(sum, third);
    let (sum, lost_3) = sum_of(sum, low);
    let lost = ((s_lost + s_lost) + (third_lost + low_lost)) + (lost_1 + lost_2 + lost_3 + rest);
    sum_of(sum, lost)
}

/// Whether [`pow`] cannot have these: zeros, infinities and NaN, and exponents that are very large.
#[inline(always)]
pub(super) fn is_far(x: f64, y: f64) -> bool {
    !(x.abs() > 0.0 && x.abs() < f64::INFINITY && y.abs() < 1e15)
}

/// Whether an array raised to this number is a product, a root or a reciprocal.
#[inline(always)]
pub(super) fn has_own_function(y: f64) -> bool {
    y == 2.0 || y == 3.0 || y == 4.0 || y == 0.5 || y == -1.0
}

/// `x ** y`.
#[inline(always)]
pub(super) fn pow<D: Digits>(x: f64, y: f64) -> f64 {
    let (log, lost) = log_of::<D>(x.abs());
    let (product, more) = product_of(y, log);
    let rest = if D::ARE_ALL { y.mul_add(lost, more) } else { 0.0 };
    let size = exp_of::<D>(product, rest);
    let (whole, integer) = nearest(y);
    let is_odd = integer & 1 == 1;
    let signed = if x < 0.0 && is_odd { -size } else { size };
    if x < 0.0 && whole != y { f64::NAN } else { signed }
}
