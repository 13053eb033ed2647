//! Tangents of element-wise ops.
//!
//! ```text
//! exp(x)       t * exp(x)              // saves its result
//! x / y        t / y - u * (x / y) / y // of x nothing is saved, unless y has a tangent
//! ```
//!
//! Where a derivative is undefined, it is that of JAX, see `docs/gradients.md`.

use std::f64::consts::{PI, TAU};

use ag_ir::{BinaryOp, CompareOp, DType, Op, UnaryOp, ValueId};

use super::{Emitted, Tangents, powers, shaping, special};
use crate::error::GradientError;
use crate::site::Site;

pub(super) fn unary(site: &mut Site<'_>, op: UnaryOp, tangents: &[Option<ValueId>]) -> Tangents {
    let Some(t) = tangents[0] else { return Ok(vec![None]) };
    let tangent = match rate(site, op)? {
        Rate::Minus => site.neg(t)?,
        Rate::Factor(factor) => site.mul(t, factor)?,
        Rate::Divisor(divisor) => site.div(t, divisor)?,
        Rate::Zero => return Ok(vec![None]),
    };
    Ok(vec![Some(tangent)])
}

/// The derivative of an op with one operand.
enum Rate {
    /// -1.
    Minus,
    /// A factor.
    Factor(ValueId),
    /// 1 divided by this.
    Divisor(ValueId),
    /// 0 everywhere.
    Zero,
}

fn rate(site: &mut Site<'_>, op: UnaryOp) -> Result<Rate, GradientError> {
    Ok(match op {
        UnaryOp::Neg => Rate::Minus,
        UnaryOp::Exp => Rate::Factor(site.result(0)),
        UnaryOp::Exp2 => {
            let power = site.result(0);
            Rate::Factor(site.times(std::f64::consts::LN_2, power)?)
        }
        UnaryOp::Expm1 => {
            let less = site.result(0);
            Rate::Factor(site.plus(1.0, less)?)
        }
        UnaryOp::Tan => {
            let tangent = site.result(0);
            let square = site.mul(tangent, tangent)?;
            Rate::Factor(site.plus(1.0, square)?)
        }
        UnaryOp::Tanh => {
            let tangent = site.result(0);
            Rate::Factor(site.one_minus_square(tangent)?)
        }
        UnaryOp::Abs => Rate::Factor(of_operand(site, UnaryOp::Sign)?),
        UnaryOp::Sin => Rate::Factor(of_operand(site, UnaryOp::Cos)?),
        UnaryOp::Cos => {
            let sine = of_operand(site, UnaryOp::Sin)?;
            Rate::Factor(site.neg(sine)?)
        }
        UnaryOp::Sinh => Rate::Factor(of_operand(site, UnaryOp::Cosh)?),
        UnaryOp::Cosh => Rate::Factor(of_operand(site, UnaryOp::Sinh)?),
        UnaryOp::Erf => Rate::Factor(special::of_erf(site, std::f64::consts::FRAC_2_SQRT_PI)?),
        UnaryOp::Erfc => Rate::Factor(special::of_erf(site, -std::f64::consts::FRAC_2_SQRT_PI)?),
        UnaryOp::Erfinv => Rate::Factor(special::of_inverse(site, 1.0, 0.5 * PI.sqrt())?),
        UnaryOp::Ndtri => Rate::Factor(special::of_inverse(site, 0.5, TAU.sqrt())?),
        UnaryOp::Gammaln => Rate::Factor(special::of_gammaln(site)?),
        UnaryOp::Gamma => Rate::Factor(special::of_gamma(site)?),
        UnaryOp::Sqrt => {
            let root = site.result(0);
            Rate::Divisor(site.add(root, root)?)
        }
        UnaryOp::Cbrt => {
            let (x, root) = (site.operand(0), site.result(0));
            let square = site.mul(root, root)?;
            let divisor = site.times(3.0, square)?;
            // At 0 all derivatives are those to the right of it, of a power of the size.
            let (zero, less) = (site.number(x, 0.0)?, site.neg(x)?);
            let is_below = site.compare(CompareOp::Lt, x, zero)?;
            let (size, exponent) = (site.choose(is_below, less, x)?, site.number(x, 2.0 / 3.0)?);
            let power = site.binary(BinaryOp::Pow, size, exponent)?;
            let slope = site.times(3.0, power)?;
            Rate::Divisor(site.with_slope(divisor, slope)?)
        }
        UnaryOp::Log => Rate::Divisor(site.operand(0)),
        UnaryOp::Log2 => {
            let x = site.operand(0);
            Rate::Divisor(site.times(std::f64::consts::LN_2, x)?)
        }
        UnaryOp::Log10 => {
            let x = site.operand(0);
            Rate::Divisor(site.times(std::f64::consts::LN_10, x)?)
        }
        UnaryOp::Log1p => {
            let x = site.operand(0);
            Rate::Divisor(site.plus(1.0, x)?)
        }
        UnaryOp::Arcsin => Rate::Divisor(root_of_one_minus_square(site)?),
        UnaryOp::Arccos => {
            let root = root_of_one_minus_square(site)?;
            Rate::Divisor(site.neg(root)?)
        }
        UnaryOp::Arctan => {
            let x = site.operand(0);
            let far = site.is_beyond(x, VANISHES.arctan)?;
            let sum = plus_square(site, 1.0, x)?;
            let near = within(site, x, far)?;
            let slope = plus_square(site, 1.0, near)?;
            Rate::Divisor(site.with_slope(sum, slope)?)
        }
        UnaryOp::Arcsinh => {
            let x = site.operand(0);
            let size = site.unary(UnaryOp::Abs, x)?;
            Rate::Divisor(root_of_square(site, 1.0, x, size)?)
        }
        UnaryOp::Arccosh => {
            let x = site.operand(0);
            let (less, more) = (site.plus(-1.0, x)?, site.plus(1.0, x)?);
            // Two roots, so that their product is NaN below 1, as `arccosh` is.
            let (less, more) = (site.unary(UnaryOp::Sqrt, less)?, site.unary(UnaryOp::Sqrt, more)?);
            let product = site.mul(less, more)?;
            let slope = root_of_square(site, -1.0, x, x)?;
            Rate::Divisor(site.with_slope(product, slope)?)
        }
        UnaryOp::Arctanh => {
            let x = site.operand(0);
            Rate::Divisor(site.one_minus_square(x)?)
        }
        UnaryOp::Sign
        | UnaryOp::LogicalNot
        | UnaryOp::BitNot
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc
        | UnaryOp::Rint
        | UnaryOp::IsNan
        | UnaryOp::IsInf
        | UnaryOp::IsFinite => Rate::Zero,
    })
}

fn root_of_one_minus_square(site: &mut Site<'_>) -> Emitted {
    let x = site.operand(0);
    let square = site.one_minus_square(x)?;
    site.unary(UnaryOp::Sqrt, square)
}

/// `number + x * x`
fn plus_square(site: &mut Site<'_>, number: f64, x: ValueId) -> Emitted {
    let square = site.mul(x, x)?;
    site.plus(number, square)
}

/// `sqrt(number + x * x)`, and `size` where the number is lost beside the square, which may overflow.
fn root_of_square(site: &mut Site<'_>, number: f64, x: ValueId, size: ValueId) -> Emitted {
    let far = site.is_beyond(x, (1e10, 1e6))?;
    let two = site.number(x, 2.0)?;
    let near = site.choose(far, two, x)?;
    let square = plus_square(site, number, near)?;
    let root = site.unary(UnaryOp::Sqrt, square)?;
    site.choose(far, size, root)
}

/// `exp(-x * x)`
pub(super) fn bell(site: &mut Site<'_>, x: ValueId) -> Emitted {
    let square = site.mul(x, x)?;
    let below = site.neg(square)?;
    site.unary(UnaryOp::Exp, below)
}

/// Bounds beyond which the second derivative, and each of higher order, is less than the least number: of
/// `f64`, and of `f32`. As `x` goes to infinity they are products of 0 and infinity.
pub(super) struct Vanishes {
    pub(super) erf: (f64, f64),
    arctan: (f64, f64),
}

pub(super) const VANISHES: Vanishes = Vanishes { erf: (30.0, 30.0), arctan: (1e110, 1e16) };

/// `x`, and the constant 0 where it is far off.
pub(super) fn within(site: &mut Site<'_>, x: ValueId, far: ValueId) -> Emitted {
    let zero = site.number(x, 0.0)?;
    site.choose(far, zero, x)
}

fn of_operand(site: &mut Site<'_>, op: UnaryOp) -> Emitted {
    let x = site.operand(0);
    site.unary(op, x)
}

pub(super) fn binary(site: &mut Site<'_>, op: BinaryOp, tangents: &[Option<ValueId>]) -> Tangents {
    let (t, u) = (tangents[0], tangents[1]);
    let tangent = match (op, t, u) {
        (BinaryOp::Add, Some(t), Some(u)) => Some(site.add(t, u)?),
        (BinaryOp::Sub, Some(t), Some(u)) => Some(site.sub(t, u)?),
        (BinaryOp::Add | BinaryOp::Sub, Some(t), None) => Some(shaping::stretched(site, t, 0)?),
        (BinaryOp::Add, None, Some(u)) => Some(shaping::stretched(site, u, 1)?),
        (BinaryOp::Sub, None, Some(u)) => {
            let u = site.neg(u)?;
            Some(shaping::stretched(site, u, 1)?)
        }
        _ => {
            let left = t.map(|t| along_left(site, op, t)).transpose()?.flatten();
            let right = u.map(|u| along_right(site, op, u)).transpose()?;
            site.sum_of([left, right])?
        }
    };
    Ok(vec![tangent])
}

/// The term of the left operand's tangent; none if the operand is an order.
fn along_left(site: &mut Site<'_>, op: BinaryOp, t: ValueId) -> Result<Option<ValueId>, GradientError> {
    let factor = match op {
        BinaryOp::Mul => site.operand(1),
        BinaryOp::Div => {
            let divisor = site.operand(1);
            return site.div(t, divisor).map(Some);
        }
        BinaryOp::Mod | BinaryOp::Fmod => return shaping::stretched(site, t, 0).map(Some),
        BinaryOp::Pow | BinaryOp::ScalarPow => powers::by_base(site)?,
        BinaryOp::Maximum | BinaryOp::Minimum => share(site, op, 0)?,
        BinaryOp::Arctan2 => of_angle(site, 1)?,
        BinaryOp::Hypot => of_hypotenuse(site, 0)?,
        BinaryOp::Beta | BinaryOp::Betaln => special::of_beta(site, op, 0)?,
        BinaryOp::Polygamma | BinaryOp::Erfcx | BinaryOp::BesselI | BinaryOp::BesselIScaled => {
            return Ok(None);
        }
        // Their derivative is zero, or was added above.
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::FloorDiv
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight => return site.refuse("it has no rule for a derivative"),
    };
    site.mul(t, factor).map(Some)
}

/// The term of the right operand's tangent.
fn along_right(site: &mut Site<'_>, op: BinaryOp, u: ValueId) -> Emitted {
    let factor = match op {
        BinaryOp::Mul => site.operand(0),
        BinaryOp::Div => {
            let (quotient, divisor) = (site.result(0), site.operand(1));
            let factor = site.div(quotient, divisor)?;
            site.neg(factor)?
        }
        BinaryOp::Mod | BinaryOp::Fmod => of_divisor(site, op)?,
        BinaryOp::Pow | BinaryOp::ScalarPow => powers::by_exponent(site)?,
        BinaryOp::Maximum | BinaryOp::Minimum => share(site, op, 1)?,
        BinaryOp::Arctan2 => {
            let factor = of_angle(site, 0)?;
            site.neg(factor)?
        }
        BinaryOp::Hypot => of_hypotenuse(site, 1)?,
        BinaryOp::Beta | BinaryOp::Betaln => special::of_beta(site, op, 1)?,
        BinaryOp::Polygamma | BinaryOp::Erfcx => special::of_next_order(site, op)?,
        BinaryOp::BesselI | BinaryOp::BesselIScaled => special::of_bessel(site, op)?,
        // Their derivative is zero, or was added above.
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::FloorDiv
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight => return site.refuse("it has no rule for a derivative"),
    };
    site.mul(u, factor)
}

/// The share of the tangent of an operand: 1 if the operand is the result, 1/2 if both are equal, else 0.
fn share(site: &mut Site<'_>, op: BinaryOp, number: usize) -> Emitted {
    let (mine, other) = (site.operand(number), site.operand(1 - number));
    let beats = if op == BinaryOp::Maximum { CompareOp::Gt } else { CompareOp::Lt };
    let (wins, ties) = (site.compare(beats, mine, other)?, site.compare(CompareOp::Eq, mine, other)?);
    let (all, half, none) = (site.number(mine, 1.0)?, site.number(mine, 0.5)?, site.number(mine, 0.0)?);
    let otherwise = site.choose(ties, half, none)?;
    site.choose(wins, all, otherwise)
}

/// One operand of `arctan2` over the sum of both squares, `y² + x²`, which is divided by the larger operand so
/// that no square overflows or underflows.
fn of_angle(site: &mut Site<'_>, number: usize) -> Emitted {
    let (y, x) = (site.operand(0), site.operand(1));
    let (height, width) = (site.unary(UnaryOp::Abs, y)?, site.unary(UnaryOp::Abs, x)?);
    let is_wide = site.compare(CompareOp::Ge, width, height)?;
    let (large, small) = (site.choose(is_wide, x, y)?, site.choose(is_wide, y, x)?);
    let ratio = site.div(small, large)?;
    let rest = site.mul(small, ratio)?;
    let sum = site.add(large, rest)?;
    let one = site.number(ratio, 1.0)?;
    let part = if number == 0 { (ratio, one) } else { (one, ratio) };
    let part = site.choose(is_wide, part.0, part.1)?;
    site.div(part, sum)
}

/// One operand of `hypot` over its result; the constant 0 where both are 0.
fn of_hypotenuse(site: &mut Site<'_>, number: usize) -> Emitted {
    let (side, length) = (site.operand(number), site.result(0));
    let (zero, one) = (site.number(length, 0.0)?, site.number(length, 1.0)?);
    let is_zero = site.compare(CompareOp::Eq, length, zero)?;
    let length = site.choose(is_zero, one, length)?;
    let quotient = site.div(side, length)?;
    site.choose(is_zero, zero, quotient)
}

/// `x % y` is `x - y * floor(x / y)`; its derivative with respect to `y` is `-floor(x / y)`. For `fmod`,
/// truncation replaces the floor.
fn of_divisor(site: &mut Site<'_>, op: BinaryOp) -> Emitted {
    let (x, y) = (site.operand(0), site.operand(1));
    let times = if op == BinaryOp::Mod {
        site.binary(BinaryOp::FloorDiv, x, y)?
    } else {
        let quotient = site.div(x, y)?;
        site.unary(UnaryOp::Trunc, quotient)?
    };
    site.neg(times)
}

/// The tangent of the operand that is selected.
pub(super) fn select(site: &mut Site<'_>, tangents: &[Option<ValueId>]) -> Tangents {
    let (t, u) = (tangents[1], tangents[2]);
    let test = site.operand(0);
    let tangent = match (t, u) {
        (Some(t), Some(u)) => site.choose(test, t, u)?,
        (Some(t), None) => {
            let t = shaping::stretched(site, t, 1)?;
            let zero = site.number(t, 0.0)?;
            site.choose(test, t, zero)?
        }
        (None, Some(u)) => {
            let u = shaping::stretched(site, u, 2)?;
            let zero = site.number(u, 0.0)?;
            site.choose(test, zero, u)?
        }
        (None, None) => return Ok(vec![None]),
    };
    Ok(vec![Some(tangent)])
}

pub(super) fn cast(site: &mut Site<'_>, dtype: DType, tangents: &[Option<ValueId>]) -> Tangents {
    let Some(t) = tangents[0] else { return Ok(vec![None]) };
    Ok(vec![Some(site.emit(Op::Cast(dtype), &[t])?)])
}
