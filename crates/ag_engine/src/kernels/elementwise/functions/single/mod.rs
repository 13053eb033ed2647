//! Functions of `f32`.
//!
//! Results are at most two units in the last place off (`tan`, `tanh` and the inverse hyperbolic functions three),
//! with fused multiply-add and without. Where a function needs it (`tan`, `pow`, `cbrt`), there is none
//! without.

mod arithmetic;
mod circular;
mod exponential;
mod inverse_circular;
mod logarithm;
mod power;
mod root;
#[cfg(test)]
mod tests;

use ag_ir::{BinaryOp, UnaryOp};

use super::arithmetic::Single;

/// The function of an op of one operand, and whether the operand is far; none if there is none here.
#[inline(always)]
pub(in super::super) fn of_one<const FMA: bool>(op: UnaryOp, x: f32) -> Option<(f32, bool)> {
    let result = match op {
        UnaryOp::Arcsin => inverse_circular::arcsin::<FMA>(x),
        UnaryOp::Arccos => inverse_circular::arccos::<FMA>(x),
        UnaryOp::Arctan => inverse_circular::arctan::<FMA>(x),
        UnaryOp::Exp => exponential::exp::<FMA>(x),
        UnaryOp::Exp2 => exponential::exp2::<FMA>(x),
        UnaryOp::Expm1 => exponential::expm1::<FMA>(x),
        UnaryOp::Sinh => exponential::sinh::<FMA>(x),
        UnaryOp::Cosh => exponential::cosh::<FMA>(x),
        UnaryOp::Tanh => exponential::tanh::<FMA>(x),
        UnaryOp::Log => logarithm::log::<FMA>(x),
        UnaryOp::Log2 => logarithm::log2::<FMA>(x),
        UnaryOp::Log10 => logarithm::log10::<FMA>(x),
        UnaryOp::Log1p => logarithm::log1p::<FMA>(x),
        UnaryOp::Arcsinh => logarithm::arcsinh::<FMA>(x),
        UnaryOp::Arccosh => logarithm::arccosh::<FMA>(x),
        UnaryOp::Arctanh => logarithm::arctanh::<FMA>(x),
        UnaryOp::Cbrt if FMA => root::cbrt(x),
        UnaryOp::Tan if FMA => return Some((circular::tan(x), circular::is_far(x))),
        UnaryOp::Sin if FMA => return Some((circular::sin(x), circular::is_far(x))),
        UnaryOp::Cos if FMA => return Some((circular::cos(x), circular::is_far(x))),
        _ => return None,
    };
    Some((result, false))
}

/// The function of an op of an operand that is a positive normal number, or that has a normal number's magnitude
/// where the sign is no matter, and whether the operand is another; none if there is none here.
#[inline(always)]
pub(in super::super) fn of_usual<const FMA: bool>(op: UnaryOp, x: f32) -> Option<(f32, bool)> {
    const LEAST: u32 = f32::MIN_POSITIVE.to_bits();
    const RANGE: u32 = f32::INFINITY.to_bits() - LEAST;
    let is_beyond = |x: f32| x.to_bits().wrapping_sub(LEAST) >= RANGE;
    Some(match op {
        UnaryOp::Log => (logarithm::usual_log::<FMA>(x), is_beyond(x)),
        UnaryOp::Log2 => (logarithm::usual_log2::<FMA>(x), is_beyond(x)),
        UnaryOp::Log10 => (logarithm::usual_log10::<FMA>(x), is_beyond(x)),
        UnaryOp::Cbrt if FMA => (root::usual_cbrt(x), is_beyond(x.abs())),
        _ => return None,
    })
}

/// As [`of_one`], of two operands.
#[inline(always)]
pub(in super::super) fn of_two<const FMA: bool>(op: BinaryOp, x: f32, y: f32) -> Option<(f32, bool)> {
    Some(match op {
        BinaryOp::Arctan2 => (inverse_circular::arctan2::<FMA>(x, y), false),
        BinaryOp::Pow if FMA => (power::pow(x, y), power::is_far(x, y)),
        BinaryOp::ScalarPow if FMA => {
            (power::pow(x, y), power::is_far(x, y) || super::power::has_own_function(f64::from(y)))
        }
        BinaryOp::Hypot if FMA => {
            let (x, y) = (f64::from(x), f64::from(y));
            (super::hypotenuse::hypot::<Single>(x, y) as f32, super::hypotenuse::is_far(x, y))
        }
        _ => return None,
    })
}
