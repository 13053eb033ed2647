//! Functions of floats that compile to vector code, for processors with fused multiply-add.
//!
//! Each is one definition in double precision without branches, for `f64` and for `f32`:
//!
//! | digits | the polynomials | beside them |
//! | --- | --- | --- |
//! | [`Double`] | to the last bit of `f64` | what rounding loses of intermediate results is kept in a second number |
//! | [`Single`] | to a few bits more than those of `f32` | nothing: `f64` has bits to spare |
//!
//! docs/numbers.md says how near the results are (`tests/test_functions.py`, against `mpmath`). The
//! polynomials are Chebyshev's approximations on the ranges that their comments say. An argument for which a
//! function says that it is *far* is computed by the scalar function in the row of the op; so are all without
//! fused multiply-add.

#![expect(clippy::excessive_precision, reason = "coefficients are written with all digits of their doubles")]

mod arithmetic;
mod circular;
mod exponential;
mod hypotenuse;
mod inverse_circular;
mod logarithm;
mod power;
mod remainder;

use ag_ir::{BinaryOp, UnaryOp};

pub(super) use arithmetic::{Digits, Double, Single};
pub(super) use exponential::{exp, tanh};
pub(super) use logarithm::log;
pub(super) use remainder::{is_far_quotient, remainder};

/// The function of an op of one operand, and whether the operand is far; none if there is none here.
#[inline(always)]
pub(super) fn of_one<D: Digits>(op: UnaryOp, x: f64) -> Option<(f64, bool)> {
    Some(match op {
        UnaryOp::Sin => (circular::sin::<D>(x), circular::is_far(x)),
        UnaryOp::Cos => (circular::cos::<D>(x), circular::is_far(x)),
        UnaryOp::Tan => (circular::tan::<D>(x), circular::is_far(x)),
        UnaryOp::Arcsin => (inverse_circular::arcsin::<D>(x), false),
        UnaryOp::Arccos => (inverse_circular::arccos::<D>(x), false),
        UnaryOp::Arctan => (inverse_circular::arctan::<D>(x), false),
        UnaryOp::Exp2 => (exponential::exp2::<D>(x), false),
        UnaryOp::Expm1 => (exponential::expm1::<D>(x), false),
        UnaryOp::Sinh => (exponential::sinh::<D>(x), false),
        UnaryOp::Cosh => (exponential::cosh::<D>(x), false),
        UnaryOp::Log2 => (logarithm::log2::<D>(x), false),
        UnaryOp::Log10 => (logarithm::log10::<D>(x), false),
        UnaryOp::Log1p => (logarithm::log1p::<D>(x), false),
        UnaryOp::Arcsinh => (logarithm::arcsinh::<D>(x), false),
        UnaryOp::Arccosh => (logarithm::arccosh::<D>(x), false),
        UnaryOp::Arctanh => (logarithm::arctanh::<D>(x), false),
        _ => return None,
    })
}

/// As [`of_one`], of two operands.
#[inline(always)]
pub(super) fn of_two<D: Digits>(op: BinaryOp, x: f64, y: f64) -> Option<(f64, bool)> {
    Some(match op {
        BinaryOp::Pow => (power::pow::<D>(x, y), power::is_far(x, y)),
        BinaryOp::ScalarPow => (power::pow::<D>(x, y), power::is_far(x, y) || power::has_own_function(y)),
        BinaryOp::Hypot => (hypotenuse::hypot::<D>(x, y), hypotenuse::is_far(x, y)),
        BinaryOp::Arctan2 => (inverse_circular::arctan2::<D>(x, y), inverse_circular::is_far(x, y)),
        _ => return None,
    })
}
