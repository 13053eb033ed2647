//! Functions of floats that compile to vector code.
//!
//! Each is one definition without branches for a type of elements. Those of `f64` compute in double precision
//! with fused multiply-add, and keep what rounding loses of intermediate results in a second number. Those of
//! `f32` ([`single`]) compute in single precision likewise, most without fused multiply-add too; `hypot` of `f32`
//! computes in double precision, to a few bits more than those of `f32`.
//!
//! docs/numbers.md says how near the results are (`tests/test_functions.py`, against `mpmath`). The
//! polynomials are minimax approximations on the ranges that their comments say, the older ones Chebyshev's.
//! An argument for which a function says that it is *far* is computed by the scalar function in the row of
//! the op; so are those without fused multiply-add where there is none here.

#![expect(clippy::excessive_precision, reason = "coefficients are written with all digits of their doubles")]

mod arithmetic;
mod circular;
mod exponential;
mod hypotenuse;
mod inverse_circular;
mod logarithm;
mod power;
mod remainder;
mod root;
pub(super) mod single;

use ag_ir::{BinaryOp, UnaryOp};
use arithmetic::Double;

pub(super) use remainder::{is_far_quotient, remainder};

/// The function of an op of one operand, and whether the operand is far; none if there is none here.
#[inline(always)]
pub(super) fn of_one<const FMA: bool>(op: UnaryOp, x: f64) -> Option<(f64, bool)> {
    if !FMA {
        return None;
    }
    Some(match op {
        UnaryOp::Sin => (circular::sin(x), circular::is_far(x)),
        UnaryOp::Cos => (circular::cos(x), circular::is_far(x)),
        UnaryOp::Tan => (circular::tan(x), circular::is_far(x)),
        UnaryOp::Arcsin => (inverse_circular::arcsin(x), false),
        UnaryOp::Arccos => (inverse_circular::arccos(x), false),
        UnaryOp::Arctan => (inverse_circular::arctan(x), false),
        UnaryOp::Exp => (exponential::exp(x), false),
        UnaryOp::Exp2 => (exponential::exp2(x), false),
        UnaryOp::Expm1 => (exponential::expm1(x), false),
        UnaryOp::Sinh => (exponential::sinh(x), false),
        UnaryOp::Cosh => (exponential::cosh(x), false),
        UnaryOp::Tanh => (exponential::tanh(x), false),
        UnaryOp::Log => (logarithm::log(x), false),
        UnaryOp::Log2 => (logarithm::log2(x), false),
        UnaryOp::Log10 => (logarithm::log10(x), false),
        UnaryOp::Log1p => (logarithm::log1p(x), false),
        UnaryOp::Arcsinh => (logarithm::arcsinh(x), false),
        UnaryOp::Arccosh => (logarithm::arccosh(x), false),
        UnaryOp::Arctanh => (logarithm::arctanh(x), false),
        UnaryOp::Cbrt => (root::cbrt(x), false),
        _ => return None,
    })
}

/// The function of an op of an operand that is a positive normal number, or that has a normal number's magnitude
/// where the sign is no matter, and whether the operand is another; none if there is none here.
#[inline(always)]
pub(super) fn of_usual<const FMA: bool>(op: UnaryOp, x: f64) -> Option<(f64, bool)> {
    const LEAST: u64 = f64::MIN_POSITIVE.to_bits();
    const RANGE: u64 = f64::INFINITY.to_bits() - LEAST;
    if !FMA {
        return None;
    }
    let is_beyond = |x: f64| x.to_bits().wrapping_sub(LEAST) >= RANGE;
    Some(match op {
        UnaryOp::Log => (logarithm::usual_log(x), is_beyond(x)),
        UnaryOp::Log2 => (logarithm::usual_log2(x), is_beyond(x)),
        UnaryOp::Log10 => (logarithm::usual_log10(x), is_beyond(x)),
        UnaryOp::Cbrt => (root::usual_cbrt(x), is_beyond(x.abs())),
        _ => return None,
    })
}

/// As [`of_one`], of two operands.
#[inline(always)]
pub(super) fn of_two<const FMA: bool>(op: BinaryOp, x: f64, y: f64) -> Option<(f64, bool)> {
    if !FMA {
        return None;
    }
    Some(match op {
        BinaryOp::Pow => (power::pow(x, y), power::is_far(x, y)),
        BinaryOp::ScalarPow => (power::pow(x, y), power::is_far(x, y) || power::has_own_function(y)),
        BinaryOp::Hypot => (hypotenuse::hypot::<Double>(x, y), hypotenuse::is_far(x, y)),
        BinaryOp::Arctan2 => (inverse_circular::arctan2(x, y), inverse_circular::is_far(x, y)),
        _ => return None,
    })
}
