//! The complement of the error function, that of it scaled, and inverse functions.
//!
//! - `erfcx(x)` is `exp(x * x) * erfc(x)`. Its derivatives of order `n` from 2 on follow from
//!   `y(n) = 2 x y(n-1) + 2 (n-1) y(n-2)`. Where the terms cancel, for numbers above 1, their quotients are a
//!   continued fraction: `q(n) = y(n) / y(n-1) = -n / (x - q(n+1) / 2)`.
//! - `erfinv` and `ndtri` begin with a formula of M. Giles ("Approximating the erfinv function", 2010), which has
//!   seven digits, and take steps of Halley's method; in the tails steps of Newton's, of the logarithm.

use std::f64::consts::{FRAC_2_SQRT_PI, SQRT_2};

use super::erf;

/// The largest order: the number of steps is as large.
const MOST: f64 = 1000.0;

/// `1 - erf(x)`.
pub(crate) fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// The derivative of `exp(x * x) * erfc(x)` of an order, which is an integer (another number is rounded down).
pub(crate) fn erfcx(order: f64, x: f64) -> f64 {
    let order = order.floor();
    let mut last = scaled(x);
    if order == 0.0 {
        return last;
    }
    if !(0.0..=MOST).contains(&order) || x.is_nan() {
        return f64::NAN;
    }
    if x >= 1.0 {
        let count = order + 30.0 + (18.0 / x).powi(2).ceil();
        let (mut quotient, mut n) = (0.0, count);
        let mut product = last;
        while n >= 1.0 {
            quotient = -n / (x - 0.5 * quotient);
            if n <= order {
                product *= quotient;
            }
            n -= 1.0;
        }
        return product;
    }
    let mut value = 2.0 * x * last - FRAC_2_SQRT_PI;
    let mut n = 2.0;
    while n <= order {
        (value, last) = (2.0 * x * value + 2.0 * (n - 1.0) * last, value);
        n += 1.0;
    }
    value
}

fn scaled(x: f64) -> f64 {
    if x > 10.0 {
        let square = 0.5 / (x * x);
        let series = (1..12).rev().fold(1.0, |sum, k| 1.0 - f64::from(2 * k - 1) * square * sum);
        return 0.5 * FRAC_2_SQRT_PI / x * series;
    }
    if x < -27.0 {
        return f64::INFINITY;
    }
    // The part of the square that a double cannot hold would be as many digits of the exponential.
    let square = x * x;
    let rest = x.mul_add(x, -square);
    let power = square.exp();
    if power.is_infinite() {
        return power;
    }
    (power + power * rest) * erfc(x)
}

/// The inverse of the error function. -1 and 1 give infinities, what is beyond NaN.
pub(crate) fn erfinv(x: f64) -> f64 {
    let size = x.abs();
    if size >= 1.0 {
        return if size == 1.0 { f64::INFINITY.copysign(x) } else { f64::NAN };
    }
    if x == 0.0 {
        return 0.0; // SciPy's has no sign.
    }
    if size < 1e-9 {
        return x / FRAC_2_SQRT_PI;
    }
    if size > 0.999 {
        return inverse_of_erfc(1.0 - size).copysign(x);
    }
    let mut y = seven_digits(size, 1.0 - size);
    for _ in 0..2 {
        let missing = if size < 0.5 { size - erf(y) } else { erfc(y) - (1.0 - size) };
        let step = missing / (FRAC_2_SQRT_PI * (-y * y).exp());
        y += step / (1.0 - y * step);
    }
    y.copysign(x)
}

/// Giles's formula for `erfinv` of a positive number, given what it lacks to 1.
fn seven_digits(size: f64, rest: f64) -> f64 {
    const NEAR: [f64; 9] = [
        1.501_409_41,
        0.246_640_727,
        -0.004_177_681_64,
        -0.001_253_725_03,
        0.000_218_580_87,
        -4.391_506_54e-6,
        -3.523_387_7e-6,
        3.432_739_39e-7,
        2.810_226_36e-8,
    ];
    const FAR: [f64; 9] = [
        2.832_976_82,
        1.001_674_06,
        0.009_438_870_47,
        -0.007_622_461_3,
        0.005_739_507_73,
        -0.003_673_428_44,
        0.001_349_343_22,
        0.000_100_950_558,
        -0.000_200_214_257,
    ];
    let tail = -(rest * (1.0 + size)).ln();
    let (at, terms) = if tail < 5.0 { (tail - 2.5, NEAR) } else { (tail.sqrt() - 3.0, FAR) };
    size * terms.iter().rev().fold(0.0, |sum, term| sum * at + term)
}

/// The inverse of the distribution function of the normal distribution.
pub(crate) fn ndtri(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if (0.25..=0.75).contains(&p) {
        return SQRT_2 * erfinv(2.0 * p - 1.0);
    }
    if p > 0.75 { SQRT_2 * inverse_of_erfc(2.0 * (1.0 - p)) } else { -SQRT_2 * inverse_of_erfc(2.0 * p) }
}

/// The number whose `erfc` is this one, which is at most 1/2.
fn inverse_of_erfc(value: f64) -> f64 {
    if value == 0.0 {
        return f64::INFINITY;
    }
    let wanted = value.ln();
    let mut y = if value > 1e-6 {
        seven_digits(1.0 - value, value)
    } else {
        // `erfc(y)` is about `exp(-y * y) / (y * sqrt(pi))`.
        let first = (-wanted).sqrt();
        (-wanted - (first / (0.5 * FRAC_2_SQRT_PI)).ln()).sqrt()
    };
    for _ in 0..4 {
        let scaled = scaled(y);
        let error = scaled.ln() - y * y - wanted;
        y += error * scaled / FRAC_2_SQRT_PI;
    }
    y
}
