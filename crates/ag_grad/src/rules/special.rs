//! Derivatives of the functions of `scipy.special` that are ops.
//!
//! ```text
//! gammaln(x)            t * polygamma(0, x)
//! polygamma(n, x)       t * polygamma(n + 1, x)
//! bessel_i(n, x)        t * (bessel_i(n - 1, x) + bessel_i(n + 1, x)) / 2
//! ```
//!
//! An op of an order is of the integer below it, so by the order its derivative is 0.

use ag_ir::{BinaryOp, UnaryOp, ValueId};

use super::Emitted;
use super::elementwise::{VANISHES, bell, within};
use crate::site::Site;

/// `factor * exp(-x * x)`
pub(super) fn of_erf(site: &mut Site<'_>, factor: f64) -> Emitted {
    let x = site.operand(0);
    let far = site.is_beyond(x, VANISHES.erf)?;
    let value = bell(site, x)?;
    let near = within(site, x, far)?;
    let slope = bell(site, near)?;
    let value = site.with_slope(value, slope)?;
    site.times(factor, value)
}

/// `factor * exp(rate * y * y)` of the result `y`
pub(super) fn of_inverse(site: &mut Site<'_>, rate: f64, factor: f64) -> Emitted {
    let y = site.result(0);
    let square = site.mul(y, y)?;
    let exponent = site.times(rate, square)?;
    let power = site.unary(UnaryOp::Exp, exponent)?;
    site.times(factor, power)
}

pub(super) fn of_gammaln(site: &mut Site<'_>) -> Emitted {
    let x = site.operand(0);
    digamma(site, x)
}

pub(super) fn of_gamma(site: &mut Site<'_>) -> Emitted {
    let (x, value) = (site.operand(0), site.result(0));
    let rate = digamma(site, x)?;
    site.mul(value, rate)
}

fn digamma(site: &mut Site<'_>, x: ValueId) -> Emitted {
    let zero = site.number(x, 0.0)?;
    site.binary(BinaryOp::Polygamma, zero, x)
}

/// The same function of the next order.
pub(super) fn of_next_order(site: &mut Site<'_>, op: BinaryOp) -> Emitted {
    let (order, x) = (site.operand(0), site.operand(1));
    let next = site.plus(1.0, order)?;
    site.binary(op, next, x)
}

/// Half the sum of those of the orders beside it; less the sign of `x` times itself if it is scaled.
pub(super) fn of_bessel(site: &mut Site<'_>, op: BinaryOp) -> Emitted {
    let (order, x) = (site.operand(0), site.operand(1));
    let (below, above) = (site.plus(-1.0, order)?, site.plus(1.0, order)?);
    let (below, above) = (site.binary(op, below, x)?, site.binary(op, above, x)?);
    let sum = site.add(below, above)?;
    let mean = site.times(0.5, sum)?;
    if op == BinaryOp::BesselI {
        return Ok(mean);
    }
    let (value, sign) = (site.result(0), site.unary(UnaryOp::Sign, x)?);
    let growth = site.mul(sign, value)?;
    site.sub(mean, growth)
}

/// `digamma(x) - digamma(x + y)`, times the result for `beta`.
pub(super) fn of_beta(site: &mut Site<'_>, op: BinaryOp, number: usize) -> Emitted {
    let (x, y) = (site.operand(0), site.operand(1));
    let sum = site.add(x, y)?;
    let mine = site.operand(number);
    let (mine, both) = (digamma(site, mine)?, digamma(site, sum)?);
    let rate = site.sub(mine, both)?;
    if op == BinaryOp::Betaln {
        return Ok(rate);
    }
    let value = site.result(0);
    site.mul(value, rate)
}
