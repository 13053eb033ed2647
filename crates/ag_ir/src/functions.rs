//! Scalar functions that the standard library lacks, or computes less accurately.
//!
//! The rows of `op/table.rs` name them, so that the interpreter and the engine use the same functions.

mod bessel;
mod erf;
mod erfc;
mod gamma;

pub(crate) use self::bessel::{bessel_i, bessel_i_scaled};
pub(crate) use self::erf::erf;
pub(crate) use self::erfc::{erfc, erfcx, erfinv, ndtri};
pub(crate) use self::gamma::{beta, betaln, gamma, gammaln, polygamma};

/// Floats for which a function is computed in double precision.
pub(crate) trait InDouble: Sized {
    /// Applies `function` to the number as a double, and rounds the result back.
    fn in_double(self, function: fn(f64) -> f64) -> Self;

    /// Applies `function` to two numbers as doubles, and rounds the result back.
    fn in_double_with(self, other: Self, function: fn(f64, f64) -> f64) -> Self;
}

impl InDouble for f32 {
    #[inline(always)]
    fn in_double(self, function: fn(f64) -> f64) -> Self {
        function(f64::from(self)) as Self
    }

    #[inline(always)]
    fn in_double_with(self, other: Self, function: fn(f64, f64) -> f64) -> Self {
        function(f64::from(self), f64::from(other)) as Self
    }
}

impl InDouble for f64 {
    #[inline(always)]
    fn in_double(self, function: fn(f64) -> f64) -> Self {
        function(self)
    }

    #[inline(always)]
    fn in_double_with(self, other: Self, function: fn(f64, f64) -> f64) -> Self {
        function(self, other)
    }
}

/// Python's `divmod` of floats, as `float_floor_div` of CPython and `npy_divmod` of NumPy compute it.
pub(crate) trait FloorDivmod: Sized {
    /// The quotient, rounded down, and the remainder.
    fn floor_divmod(self, other: Self) -> (Self, Self);
}

macro_rules! floor_divmod {
    ($($type:ident),*) => {$(
        impl FloorDivmod for $type {
            #[inline(always)]
            fn floor_divmod(self, other: Self) -> (Self, Self) {
                let mut remainder = self % other;
                if other == 0.0 {
                    return (self / other, remainder);
                }
                let mut quotient = (self - remainder) / other;
                if remainder == 0.0 {
                    remainder = Self::copysign(0.0, other);
                } else if (other < 0.0) != (remainder < 0.0) {
                    remainder += other;
                    quotient -= 1.0;
                }
                if quotient == 0.0 {
                    return (Self::copysign(0.0, self / other), remainder);
                }
                let floor = quotient.floor();
                (if quotient - floor > 0.5 { floor + 1.0 } else { floor }, remainder)
            }
        }
    )*};
}
floor_divmod!(f32, f64);

/// Powers of an array with a scalar exponent: by 2, 0.5 and -1 as NumPy computes them.
pub(crate) trait ScalarPower: Sized {
    /// `self ** exponent`, by products, a root or a reciprocal where that is near: 4 of `f64` is 1.5 ulp off.
    fn scalar_power(self, exponent: Self) -> Self;
}

macro_rules! scalar_power {
    ($($type:ident),*) => {$(
        impl ScalarPower for $type {
            #[inline(always)]
            fn scalar_power(self, exponent: Self) -> Self {
                if exponent == 2.0 {
                    self * self
                } else if exponent == 3.0 {
                    self * self * self
                } else if exponent == 4.0 {
                    (self * self) * (self * self)
                } else if exponent == 0.5 {
                    self.sqrt()
                } else if exponent == -1.0 {
                    1.0 / self
                } else {
                    self.powf(exponent)
                }
            }
        }
    )*};
}
scalar_power!(f32, f64);

/// `arcsinh` that is right for small, large and signed arguments alike; the standard library's
/// loses the low digits of small arguments and the sign of zero.
pub(crate) fn arcsinh(x: f64) -> f64 {
    let a = x.abs();
    let magnitude = if a < 1e-9 {
        a
    } else if a > 1e9 {
        a.ln() + std::f64::consts::LN_2
    } else {
        let square = a * a;
        (a + square / (1.0 + (square + 1.0).sqrt())).ln_1p()
    };
    magnitude.copysign(x)
}

/// `arccosh` from `log1p`, accurate near 1; NaN below 1.
pub(crate) fn arccosh(x: f64) -> f64 {
    if x < 1.0 {
        return f64::NAN;
    }
    if x > 1e9 {
        return x.ln() + std::f64::consts::LN_2;
    }
    let above = x - 1.0;
    (above + (2.0 * above + above * above).sqrt()).ln_1p()
}

/// `arctanh` from `log1p`, accurate near 0 and keeping its sign; infinite at 1, NaN beyond.
pub(crate) fn arctanh(x: f64) -> f64 {
    let a = x.abs();
    (0.5 * (2.0 * a / (1.0 - a)).ln_1p()).copysign(x)
}
