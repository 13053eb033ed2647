//! Modified Bessel functions of the first kind, of integer orders, and those scaled by `exp(-abs(x))`.
//!
//! - Numbers up to 30 are Taylor's series about 0, whose terms have one sign.
//! - Larger ones are the asymptotic series of Hankel, where its terms get small enough before they grow.
//! - Elsewhere, for large orders, the recurrence `I(n-1) = 2 n / x * I(n) + I(n+1)` is followed downwards, and
//!   `I(0) + 2 * I(1) + 2 * I(2) + …` is `exp(x)`.

use std::f64::consts::TAU;

/// The largest order: the number of steps is as large.
const MOST: f64 = 1000.0;

/// `I(n, x)`. The order is an integer; another number is rounded down.
pub(crate) fn bessel_i(order: f64, x: f64) -> f64 {
    let (n, size) = (order.floor().abs(), x.abs());
    let value = if size <= 30.0 && n <= MOST { series(n, size) } else { size.exp() * scaled(n, size) };
    if n % 2.0 != 0.0 && x < 0.0 { -value } else { value }
}

/// `exp(-abs(x)) * I(n, x)`. The order is an integer; another number is rounded down.
pub(crate) fn bessel_i_scaled(order: f64, x: f64) -> f64 {
    let (n, size) = (order.floor().abs(), x.abs());
    let value = scaled(n, size);
    if n % 2.0 != 0.0 && x < 0.0 { -value } else { value }
}

/// `exp(-x) * I(n, x)`, of numbers that are not negative.
fn scaled(n: f64, x: f64) -> f64 {
    if n.is_nan() || n > MOST || x.is_nan() {
        f64::NAN
    } else if x.is_infinite() {
        0.0
    } else if x <= 30.0 {
        (-x).exp() * series(n, x)
    } else if n * n <= x {
        asymptotic(n, x)
    } else {
        downwards(n, x)
    }
}

fn series(n: f64, x: f64) -> f64 {
    let half = 0.5 * x;
    let square = half * half;
    // Each factor of a term has lost this part of it.
    let lost = if square > 0.0 { half.mul_add(half, -square) / square } else { 0.0 };
    let (mut term, mut k) = (1.0, 1.0);
    // A double, and what it lacks.
    let (mut sum, mut rest) = (1.0, 0.0);
    while term > 1e-19 * sum {
        term *= square / (k * (n + k));
        let next = sum + term;
        rest += term - (next - sum) + term * (k * lost);
        sum = next;
        k += 1.0;
    }
    let (mut first, mut k) = (1.0, 1.0);
    while k <= n && first != 0.0 {
        first *= half / k;
        k += 1.0;
    }
    first * (sum + rest)
}

fn asymptotic(n: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0, 1.0, 1.0);
    loop {
        let odd = 2.0 * k - 1.0;
        let next = -term * (4.0 * n * n - odd * odd) / (8.0 * k * x);
        if next.abs() < 1e-18 || next.abs() > f64::abs(term) {
            return sum / (TAU * x).sqrt();
        }
        term = next;
        sum += term;
        k += 1.0;
    }
}

fn downwards(n: f64, x: f64) -> f64 {
    let mut k = (n + 20.0 + 12.0 * x.max(n).sqrt()).ceil();
    let (mut above, mut value, mut sum, mut wanted) = (0.0, 1e-300, 0.0, 0.0);
    while k > 0.0 {
        if k == n {
            wanted = value;
        }
        sum += 2.0 * value;
        (above, value) = (value, 2.0 * k / x * value + above);
        k -= 1.0;
        if value > 1e250 {
            (above, value, sum, wanted) = (above * 1e-250, value * 1e-250, sum * 1e-250, wanted * 1e-250);
        }
    }
    if n == 0.0 {
        wanted = value;
    }
    wanted / (sum + value)
}
