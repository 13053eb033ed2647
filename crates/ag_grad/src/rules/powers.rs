//! The derivatives of `x ** y`.
//!
//! ```text
//! by x       y * x ** (y - 1)
//! by y       log(x) * x ** y
//! ```
//!
//! Where `x` is 0 and `y` is not negative, the power counts as independent of `y`: `0 ** y` is 0 next to any
//! `y` above 0. So each derivative by `y` is 0 there, also one of a derivative by `x`.
//!
//! What a first derivative is computed with is not what its derivatives are taken of ([`Site::with_slope`]):
//! where a value is known, as 0 is for `y == 0`, its derivative may be another than that of a constant. Each
//! case has operands of its own there, which are harmless where another case applies.

use ag_ir::{BinaryOp, CompareOp, Op, Overflow, UnaryOp, ValueId};

use super::Emitted;
use crate::site::Site;

/// The derivative by the base.
pub(super) fn by_base(site: &mut Site<'_>) -> Emitted {
    let (base, exponent) = (site.operand(0), site.operand(1));
    let (zero, one) = (site.number(base, 0.0)?, site.number(base, 1.0)?);
    let is_none = site.compare(CompareOp::Eq, exponent, zero)?;
    // `0 * 0 ** -1` would be NaN.
    let safe = site.choose(is_none, one, base)?;
    let product = scaled(site, exponent, safe)?;
    let value = site.choose(is_none, zero, product)?;
    if site.builder.is_literal(site.node.operands[1]) {
        return Ok(value);
    }
    let is_flat = is_flat(site, base, exponent)?;
    let flat = of_zero(site, base, exponent, (is_flat, is_none))?;
    let none = without_exponent(site, base, exponent, (is_flat, is_none))?;
    let other = site.choose(is_flat, one, safe)?;
    let usual = scaled(site, exponent, other)?;
    let slope = site.choose(is_none, none, usual)?;
    let slope = site.choose(is_flat, flat, slope)?;
    site.with_slope(value, slope)
}

/// `y * x ** (y - 1)`
fn scaled(site: &mut Site<'_>, exponent: ValueId, base: ValueId) -> Emitted {
    let less = site.plus(-1.0, exponent)?;
    // An array that is raised to one number has such a derivative.
    let op = if site.node.op == Op::Binary(BinaryOp::ScalarPow, Overflow::Wrap) {
        BinaryOp::ScalarPow
    } else {
        BinaryOp::Pow
    };
    let power = site.binary(op, base, less)?;
    site.mul(exponent, power)
}

/// The derivative by a base that is 0, for exponents that count as constants.
fn of_zero(
    site: &mut Site<'_>,
    base: ValueId,
    exponent: ValueId,
    (is_flat, is_none): (ValueId, ValueId),
) -> Emitted {
    let (zero, one) = (site.number(base, 0.0)?, site.number(base, 1.0)?);
    let exponent = site.constant(exponent)?;
    let less = site.plus(-1.0, exponent)?;
    let less = site.choose(is_none, zero, less)?;
    let less = site.choose(is_flat, less, zero)?;
    let base = site.choose(is_flat, base, one)?;
    let power = site.binary(BinaryOp::Pow, base, less)?;
    site.mul(exponent, power)
}

/// `y * x ** y / x` for exponents that are 0: derivatives of `0 * x ** -1` by `x` may overflow.
fn without_exponent(
    site: &mut Site<'_>,
    base: ValueId,
    exponent: ValueId,
    (is_flat, is_none): (ValueId, ValueId),
) -> Emitted {
    let (zero, one) = (site.number(base, 0.0)?, site.number(base, 1.0)?);
    let base = site.choose(is_flat, one, base)?;
    let base = site.choose(is_none, base, one)?;
    let exponent = site.choose(is_none, exponent, zero)?;
    let power = site.binary(BinaryOp::Pow, base, exponent)?;
    let product = site.mul(exponent, power)?;
    site.div(product, base)
}

/// The derivative by the exponent. The logarithm of 0 counts as 0.
pub(super) fn by_exponent(site: &mut Site<'_>) -> Emitted {
    let (base, exponent, power) = (site.operand(0), site.operand(1), site.result(0));
    let (zero, one) = (site.number(base, 0.0)?, site.number(base, 1.0)?);
    let is_zero = site.compare(CompareOp::Eq, base, zero)?;
    let safe = site.choose(is_zero, one, base)?;
    let logarithm = site.unary(UnaryOp::Log, safe)?;
    let value = site.mul(logarithm, power)?;

    let is_flat = is_flat(site, base, exponent)?;
    let other = site.choose(is_flat, one, base)?;
    let logarithm = site.unary(UnaryOp::Log, other)?;
    let power = site.binary(BinaryOp::Pow, other, exponent)?;
    let product = site.mul(logarithm, power)?;
    let slope = site.choose(is_flat, zero, product)?;
    site.with_slope(value, slope)
}

/// Whether a power counts as independent of its exponent.
fn is_flat(site: &mut Site<'_>, base: ValueId, exponent: ValueId) -> Emitted {
    let zero = site.number(base, 0.0)?;
    let (is_zero, is_natural) =
        (site.compare(CompareOp::Eq, base, zero)?, site.compare(CompareOp::Ge, exponent, zero)?);
    site.binary(BinaryOp::BitAnd, is_zero, is_natural)
}
