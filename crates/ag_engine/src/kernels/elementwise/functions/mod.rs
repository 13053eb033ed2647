//! Functions of floats that compile to vector code, for processors with fused multiply-add.
//!
//! Each is one definition in double precision without branches, for `f64` and for `f32`:
//!
//! | digits | the polynomials | beside them |
//! | --- | --- | --- |
//! | [`Double`] | to the last bit of `f64` | what rounding loses of intermediate results is kept in a second number |
//! | [`Single`] | to a few bits more than those of `f32` | nothing: `f64` has bits to spare |
//!
//! Errors are below one unit in the last place (`tests/test_functions.py`, against `mpmath`). The polynomials
//! are Chebyshev's approximations on the ranges that their comments say. An argument for which a function says
//! that it is *far* is computed by the scalar function in the row of the op; so are all without fused
//! multiply-add.

#![expect(clippy::excessive_precision, reason = "coefficients are written with all digits of their doubles")]

mod arithmetic;
mod circular;
mod exponential;
mod inverse_circular;
mod logarithm;
mod power;
mod remainder;

pub(super) use arithmetic::{Digits, Double, Single};
pub(super) use circular::{cos, is_far, sin, tan};
pub(super) use exponential::{cosh, exp2, expm1, sinh};
pub(super) use inverse_circular::{arccos, arcsin, arctan, arctan2, is_far_point};
pub(super) use logarithm::{arccosh, arcsinh, arctanh, log1p, log2, log10};
pub(super) use power::{has_own_function, is_far_power, pow};
pub(super) use remainder::{is_far_quotient, remainder};
