//! The remainder of a division, exactly.
//!
//! ```text
//! a = trunc(a / b) · b + rest        one fused multiply-add computes the rest without an error
//! ```

/// Whether [`remainder`] cannot have these: a divisor of 0, infinities, NaN, and very large quotients.
#[inline(always)]
pub(crate) fn is_far_quotient(a: f64, b: f64) -> bool {
    !((a / b).abs() < 1e15 && b.abs() < f64::INFINITY)
}

/// C's `fmod`.
#[inline(always)]
pub(crate) fn remainder(a: f64, b: f64) -> f64 {
    let rest = (a / b).trunc().mul_add(-b, a);
    // The quotient may have been rounded up to an integer: then the rest has the other sign.
    let is_over = (rest < 0.0 && a > 0.0) || (rest > 0.0 && a < 0.0);
    let rest = if is_over { rest + b.abs().copysign(a) } else { rest };
    rest.copysign(a)
}
