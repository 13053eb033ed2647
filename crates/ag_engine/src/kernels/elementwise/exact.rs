//! Reference values for the tests of `exp`, `log`, `sin` and `cos`: their series in double-double arithmetic,
//! where the second double is the rounding error of the first; about 30 digits.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, LN_2};

/// A sum of two numbers, times a power of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact {
    high: f64,
    low: f64,
    exponent: i32,
}

impl Exact {
    fn new(value: f64) -> Self {
        Self { high: value, low: 0.0, exponent: 0 }
    }

    fn sum(high: f64, low: f64) -> Self {
        let total = high + low;
        let part = total - high;
        Self { high: total, low: (high - (total - part)) + (low - part), exponent: 0 }
    }

    fn plus(self, other: Self) -> Self {
        let total = Self::sum(self.high, other.high);
        let total = Self::sum(total.high, total.low + (self.low + other.low));
        Self::sum(total.high, total.low)
    }

    fn times(self, other: Self) -> Self {
        let product = self.high * other.high;
        let rest = self.high.mul_add(other.high, -product);
        Self::sum(product, rest + (self.high * other.low + self.low * other.high))
    }

    fn over(self, divisor: f64) -> Self {
        let first = self.high / divisor;
        let rest = (-first).mul_add(divisor, self.high) + self.low;
        Self::sum(first, rest / divisor)
    }

    /// `x ** first / first! + x ** (first + step) / (first + step)! …`, the signs as `sign` says.
    fn series(self, first: u32, step: u32, sign: f64) -> Self {
        let (mut power, mut total) = (Self::new(1.0), Self::new(if first == 0 { 1.0 } else { 0.0 }));
        let mut factor = 1.0;
        for number in 1..40 {
            power = power.times(self).over(f64::from(number));
            if number >= first && (number - first).is_multiple_of(step) {
                factor = if number == first { 1.0 } else { factor * sign };
                let term = Self { high: power.high * factor, low: power.low * factor, exponent: 0 };
                total = total.plus(term);
            }
        }
        total
    }

    pub(super) fn exp(x: f64) -> Self {
        let x = x.clamp(-800.0, 800.0);
        let whole = (x / LN_2).round();
        let r = Self::new((-whole).mul_add(LN_2, x))
            .plus(Self::new(-whole).times(Self::sum(2.319_046_813_846_299_6e-17, 5.707_708_438_416_212e-34)));
        Self { exponent: whole as i32, ..r.series(0, 1, 1.0) }
    }

    /// One Newton step from the library's result.
    pub(super) fn log(x: f64) -> Self {
        let first = x.ln();
        let Self { high, low, exponent } = Self::exp(-first);
        let inverse = Self { high, low, exponent: 0 };
        let near_one = Self::new(scaled(x, exponent)).times(inverse).plus(Self::new(-1.0));
        // log(1 + d), for a tiny d.
        let d = near_one.high;
        Self::new(first).plus(near_one).plus(Self::new(-d * d / 2.0 + d * d * d / 3.0))
    }

    fn turned(x: f64, quarters: i64) -> Self {
        let whole = (x * FRAC_2_PI).round();
        let rest = Self::new(6.123_233_995_736_766e-17).plus(Self::new(-1.497_384_904_859_183_3e-33));
        let r = Self::new((-whole).mul_add(FRAC_PI_2, x)).plus(Self::new(-whole).times(rest));
        let quarter = whole as i64 + quarters;
        let value = r.series(if quarter & 1 == 0 { 1 } else { 0 }, 2, -1.0);
        let sign = if quarter & 2 == 0 { 1.0 } else { -1.0 };
        Self { high: sign * value.high, low: sign * value.low, exponent: 0 }
    }

    pub(super) fn sin(x: f64) -> Self {
        Self::turned(x, 0)
    }

    pub(super) fn cos(x: f64) -> Self {
        Self::turned(x, 1)
    }

    /// The error of a result, in units in its last place.
    fn ulps(self, got: f64) -> f64 {
        let rounded = scaled(self.high, self.exponent);
        if rounded.is_infinite() || got.is_infinite() {
            return if rounded == got { 0.0 } else { f64::INFINITY };
        }
        let unit = f64::from_bits(rounded.abs().max(f64::MIN_POSITIVE).to_bits() & (0x7ff << 52));
        let unit = scaled(unit, -52 - self.exponent);
        ((scaled(got, -self.exponent) - self.high) - self.low).abs() / unit
    }
}

/// `x · 2 ** exponent`, in steps that stay in range.
fn scaled(x: f64, exponent: i32) -> f64 {
    let (mut x, mut left) = (x, exponent);
    while left != 0 {
        let step = left.clamp(-512, 512);
        x *= 2.0_f64.powi(step);
        left -= step;
    }
    x
}

/// Numbers of all exponents and both signs, and the special ones.
pub(super) fn patterns() -> impl Iterator<Item = f64> {
    let spread = (0..200_000_u64).map(|i| f64::from_bits(i.wrapping_mul(92_233_720_368_547)));
    let small = (0..2_000_u64).map(|i| f64::from_bits(i * 2_251_799_813_685));
    let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324, -5e-324];
    let ends = [709.782_712_893_384, 709.782_712_893_385, -745.133_219_101_941, -745.2, -708.4, 1e308];
    spread.chain(small).chain(special).chain(ends)
}

/// Checks a function against the reference; for NaN and infinities, against the library's result.
pub(super) fn check(
    name: &str,
    function: fn(f64) -> f64,
    truth: fn(f64) -> Exact,
    arguments: impl Iterator<Item = f64>,
    most: f64,
) {
    let library = |x: f64| match name {
        "exp" => x.exp(),
        "log" => x.ln(),
        "sin" => x.sin(),
        _ => x.cos(),
    };
    for x in arguments {
        let (got, known) = (function(x), library(x));
        if !known.is_finite() || known == 0.0 {
            let is_same = got.to_bits() == known.to_bits() || (got.is_nan() && known.is_nan());
            assert!(is_same, "{name}({x:e}) is {got:e}, not {known:e}");
            continue;
        }
        let error = truth(x).ulps(got);
        assert!(error <= most, "{name}({x:e}) is {got:e}: {error} ulps off");
    }
}
