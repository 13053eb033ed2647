//! The gamma function, its logarithm, and the derivatives of that.
//!
//! - `gamma` and `gammaln` are `libm`'s, with SciPy's value at `-inf`.
//! - `digamma` is its Taylor series about the positive root, which other numbers up to 10 reach by
//!   `digamma(x + 1) = digamma(x) + 1 / x`; beyond that it is the asymptotic series. Numbers below 0 are reflected.
//! - `polygamma` of a positive order is Hurwitz's zeta function, by the formula of Euler and Maclaurin.
//! - `betaln` of two large numbers subtracts the large parts of Stirling's formula before it rounds them.

use std::f64::consts::{LN_2, PI};

/// The positive root of `digamma`, as a double and what it lacks.
const ROOT: (f64, f64) = (1.4616321449683622, 9.549995429965697e-17);

/// The coefficients of `digamma` about its root, from that of the first power on.
const ABOUT_ROOT: [f64; 40] = [
    0.9676722454476212,
    -0.4427631689835921,
    0.258499760955651,
    -0.16394270544240652,
    0.10782405069126237,
    -0.07219956125645471,
    0.04880428816414311,
    -0.03316112647484736,
    0.022597648232218104,
    -0.01542476590494896,
    0.010538791616612175,
    -0.007204534386356869,
    0.004926781395729853,
    -0.003369801655439328,
    0.002305126326734928,
    -0.0015769367714301972,
    0.0010788252019162967,
    -0.0007380709389960052,
    0.000504953265834602,
    -0.0003454680251063077,
    0.00023635601564027053,
    -0.00016170622091974803,
    0.0001106337276874741,
    -7.569179582195066e-05,
    5.178575795222081e-05,
    -3.5430070947659604e-05,
    2.424006611860132e-05,
    -1.6584242271854135e-05,
    1.134638458466385e-05,
    -7.762817668462094e-06,
    5.3110609208898636e-06,
    -3.6336507898010456e-06,
    2.486022733129538e-06,
    -1.7008538854332607e-06,
    1.1636675363548843e-06,
    -7.96142543124197e-07,
    5.446941930669446e-07,
    -3.7266161283438227e-07,
    2.549626552021554e-07,
    -1.7443695117727745e-07,
];

/// The same of the first negative root.
const NEGATIVE_ROOT: (f64, f64) = (-0.5040830082644554, -8.15428206243813e-18);

const ABOUT_NEGATIVE_ROOT: [f64; 40] = [
    8.939798558792134,
    -0.8093454625306507,
    32.258572064915505,
    -2.761011648790828,
    128.27342343090902,
    -14.70672173553036,
    513.2704629562862,
    -75.37700066344631,
    2055.5357119463315,
    -368.5783503832191,
    8234.667099203069,
    -1743.364608867363,
    32997.785655255044,
    -8051.818155363498,
    132262.95480834588,
    -36529.94596948565,
    530280.3912420176,
    -163451.79342700253,
    2126602.3725968753,
    -723318.8861804305,
    8530604.878543982,
    -3172131.3155744765,
    34228316.69580112,
    -13807481.997263888,
    137373435.87411496,
    -59721085.411294304,
    551481251.858545,
    -256915093.79875362,
    2214464568.013911,
    -1100067148.941634,
    8894384049.698206,
    -4691108165.464208,
    35733149689.19971,
    -19932951831.31562,
    143593265361.61188,
    -84427777205.99586,
    577169303800.4995,
    -356587583747.61346,
    2320479554068.2524,
    -1502246808129.2256,
];

/// `B(2k) / (2k)`, for `k` from 1 on, where `B` are Bernoulli's numbers.
const BERNOULLI_OVER_INDEX: [f64; 8] = [
    1.0 / 12.0,
    -1.0 / 120.0,
    1.0 / 252.0,
    -1.0 / 240.0,
    1.0 / 132.0,
    -691.0 / 32760.0,
    1.0 / 12.0,
    -3617.0 / 8160.0,
];

/// The gamma function. At 0 it is infinite, of the sign of 0; at negative integers NaN.
pub(crate) fn gamma(x: f64) -> f64 {
    libm::tgamma(x)
}

/// The logarithm of the absolute value of the gamma function. SciPy has `-inf` at `-inf`.
pub(crate) fn gammaln(x: f64) -> f64 {
    if x == f64::NEG_INFINITY { x } else { libm::lgamma(x) }
}

/// The derivative of `gammaln`. At 0 it is infinite, of the other sign than 0; at negative integers NaN.
fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY.copysign(-x);
    }
    if x < 0.0 {
        let part = x - x.floor();
        if part == 0.0 || x == f64::NEG_INFINITY {
            return f64::NAN;
        }
        if (x - NEGATIVE_ROOT.0).abs() < 0.2 {
            return about(NEGATIVE_ROOT, &ABOUT_NEGATIVE_ROOT, x);
        }
        if x > -1.0 {
            return digamma(x + 1.0) - 1.0 / x; // The tangent of the reflection would lose the digits of `x`.
        }
        return digamma(1.0 - x) - PI * cotangent(part);
    }
    if x >= 10.0 {
        let square = 1.0 / (x * x);
        let series = BERNOULLI_OVER_INDEX.iter().rev().fold(0.0, |sum, term| square * (term + sum));
        return x.ln() - 0.5 / x - series;
    }
    if x < 0.96 {
        return digamma(x + 1.0) - 1.0 / x;
    }
    let (mut x, mut sum) = (x, 0.0);
    while x >= 1.96 {
        x -= 1.0;
        sum += 1.0 / x;
    }
    about(ROOT, &ABOUT_ROOT, x) + sum
}

/// A series about a root.
fn about(root: (f64, f64), terms: &[f64], x: f64) -> f64 {
    let from_root = x - root.0 - root.1;
    from_root * terms.iter().rev().fold(0.0, |sum, term| sum * from_root + term)
}

/// `1 / tan(pi * part)` of a number from 0 to 1.
fn cotangent(part: f64) -> f64 {
    if part <= 0.25 {
        1.0 / (PI * part).tan()
    } else if part >= 0.75 {
        -1.0 / (PI * (1.0 - part)).tan()
    } else {
        (PI * (0.5 - part)).tan()
    }
}

/// The derivative of `digamma` of an order, which is an integer (another number is rounded down). Poles are
/// infinite: of a negative number of even order, too.
pub(crate) fn polygamma(order: f64, x: f64) -> f64 {
    let order = order.floor();
    if order == 0.0 {
        return digamma(x);
    }
    if order.is_nan() || order < 0.0 || x.is_nan() {
        return f64::NAN;
    }
    if order > 170.0 && x > 0.0 {
        return (if order % 2.0 == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY }) * x.powf(-order);
    }
    let size = gamma(order + 1.0) * zeta((order + 1.0).min(172.0), x);
    if order % 2.0 == 0.0 { -size } else { size }
}

/// The sum of `(x + k) ** -s` over the integers `k` from 0 on, of an integer `s` from 2 on.
fn zeta(s: f64, x: f64) -> f64 {
    if x == f64::INFINITY {
        return 0.0;
    }
    if x > 0.0 {
        return zeta_of_positive(s, x);
    }
    let floor = x.floor();
    if floor == x {
        return f64::INFINITY;
    }
    // The terms of negative numbers are those from `ceil(x) - x` on, without those from `1 - x` on. Where they
    // cancel with those of positive numbers, as halfway between integers, they do so before the rest is added.
    let sign = if s % 2.0 == 0.0 { 1.0 } else { -1.0 };
    let beside = zeta_of_positive(s, x - floor) + sign * zeta_of_positive(s, x.ceil() - x);
    beside - sign * zeta_of_positive(s, 1.0 - x)
}

fn zeta_of_positive(s: f64, x: f64) -> f64 {
    let first = x.powf(-s);
    if first.is_infinite() {
        return first;
    }
    let start = s + 10.0;
    // The least terms are added first.
    let count = if x < start { (start - x).ceil() } else { 0.0 };
    let mut sum = zeta_tail(s, x + count);
    let mut k = count;
    while k > 0.0 {
        k -= 1.0;
        sum += (x + k).powf(-s);
    }
    sum
}

/// The same of a number that is large beside `s`.
fn zeta_tail(s: f64, x: f64) -> f64 {
    let power = x.powf(-s);
    let square = 1.0 / (x * x);
    let mut tail = 0.0;
    // `B(2k) / (2k)!`, times `s (s + 1) …` of `2k - 1` factors.
    let mut factor = s / x;
    let mut factorial = 1.0;
    for (place, term) in BERNOULLI_OVER_INDEX.iter().enumerate() {
        let k = 2.0 * place as f64 + 2.0;
        tail += term * factor / factorial;
        factor *= (s + k - 1.0) * (s + k) * square;
        factorial *= k * (k + 1.0);
    }
    power * tail + 0.5 * power + x.powf(1.0 - s) / (s - 1.0)
}

/// The beta function, `gamma(a) * gamma(b) / gamma(a + b)`.
pub(crate) fn beta(a: f64, b: f64) -> f64 {
    match at_pole(a, b) {
        Pole::None => {}
        Pole::Infinite => return f64::INFINITY,
        Pole::Even(a, b) => return beta(a, b),
        Pole::Odd(a, b) => return -beta(a, b),
    }
    let sum = a + b;
    if sum <= 0.0 && sum == sum.floor() {
        return 0.0;
    }
    let most = a.abs().max(b.abs()).max(sum.abs());
    if most < 170.0 {
        let (small, large) = if a.abs() < b.abs() { (a, b) } else { (b, a) };
        let product = gamma(small) * (gamma(large) / gamma(sum));
        if product != 0.0 && product.is_finite() {
            return product;
        }
    }
    let sign = sign_of_gamma(a) * sign_of_gamma(b) * sign_of_gamma(sum);
    sign * betaln(a, b).exp()
}

fn sign_of_gamma(x: f64) -> f64 {
    if x < 0.0 && x.floor() % 2.0 != 0.0 { -1.0 } else { 1.0 }
}

/// Whether a number is 0 or a negative integer, where the gamma function has a pole.
enum Pole {
    None,
    Infinite,
    /// The poles of numerator and denominator cancel: the function is that of other numbers, or its negative.
    Even(f64, f64),
    Odd(f64, f64),
}

fn at_pole(a: f64, b: f64) -> Pole {
    let is_pole = |x: f64| x <= 0.0 && x == x.floor();
    let (a, b) = if is_pole(a) { (a, b) } else { (b, a) };
    if !is_pole(a) {
        return Pole::None;
    }
    let other = 1.0 - a - b;
    // SciPy's are of 32 bits.
    let is_int = |x: f64| x == x.floor() && x.abs() <= 2_147_483_647.0;
    match () {
        () if !is_int(a) || !is_int(b) || other <= 0.0 => Pole::Infinite,
        () if b % 2.0 == 0.0 => Pole::Even(other, b),
        () => Pole::Odd(other, b),
    }
}

/// The logarithm of the absolute value of the beta function.
pub(crate) fn betaln(a: f64, b: f64) -> f64 {
    match at_pole(a, b) {
        Pole::None => {}
        Pole::Infinite => return f64::INFINITY,
        Pole::Even(a, b) | Pole::Odd(a, b) => return betaln(a, b),
    }
    let (p, q) = if a < b { (a, b) } else { (b, a) };
    let sum = p + q;
    if sum <= 0.0 && sum == sum.floor() {
        return f64::NEG_INFINITY;
    }
    if p.is_nan() || q.is_nan() || p == f64::INFINITY {
        return f64::NAN;
    }
    if q == f64::INFINITY {
        return if p > 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if p >= 10.0 {
        let rest = stirling_rest(p) + stirling_rest(q) - stirling_rest(sum);
        let share = p / sum;
        return -0.5 * q.ln() + 0.5 * (PI.ln() + LN_2) + rest + (p - 0.5) * share.ln() + q * (-share).ln_1p();
    }
    if p > 0.0 && q >= 10.0 {
        let rest = stirling_rest(q) - stirling_rest(sum);
        return gammaln(p) + rest + p - p * sum.ln() + (q - 0.5) * (-p / sum).ln_1p();
    }
    if q > 1e6 && q > 1e6 * p.abs() {
        let first = gammaln(p) - p * q.ln() + p * (1.0 - p) / (2.0 * q);
        return first + p * (1.0 - p) * (1.0 - 2.0 * p) / (12.0 * q * q);
    }
    if p.abs() < 170.0 && q.abs() < 170.0 && sum.abs() < 170.0 {
        let (small, large) = if p.abs() < q.abs() { (p, q) } else { (q, p) };
        let product = (gamma(small) * (gamma(large) / gamma(sum))).abs();
        if product != 0.0 && product.is_finite() {
            return product.ln();
        }
    }
    gammaln(p) + (gammaln(q) - gammaln(sum))
}

/// `gammaln(x) - ((x - 1/2) * log(x) - x + log(2 * pi) / 2)`, of a number from 10 on.
fn stirling_rest(x: f64) -> f64 {
    let square = 1.0 / (x * x);
    let mut sum = 0.0;
    for (place, term) in BERNOULLI_OVER_INDEX.iter().enumerate().rev() {
        sum = sum * square + term / (2.0 * place as f64 + 1.0);
    }
    sum / x
}
