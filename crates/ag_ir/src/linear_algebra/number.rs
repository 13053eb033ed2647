//! What an algorithm asks of a number, which is real or complex.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use num_complex::Complex64;

/// A real or a complex number in double precision.
pub(super) trait Number:
    Copy
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    const ZERO: Self;
    const ONE: Self;

    /// The number whose real part this is.
    fn real(value: f64) -> Self;
    /// The real part.
    fn re(self) -> f64;
    /// Whether it has no imaginary part.
    fn is_real(self) -> bool;
    fn is_finite(self) -> bool;
    /// The conjugate; a real number is its own.
    fn conjugate(self) -> Self;
    /// The product with a real number.
    fn times(self, factor: f64) -> Self;
    /// The quotient by a real number.
    fn over(self, divisor: f64) -> Self;
    /// The quotient, without overflow in between.
    fn quotient(self, divisor: Self) -> Self;
    /// `|x|²`
    fn square(self) -> f64;
    /// `|x|`
    fn modulus(self) -> f64;
    /// The sum of the sizes of the parts, by which LAPACK chooses pivots (`izamax`).
    fn size_of_parts(self) -> f64;
    /// The size of the larger part.
    fn largest_part(self) -> f64;
    /// A real number and a number of modulus 1, whose product it is. A real number keeps its sign.
    fn split(self) -> (f64, Self);
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline(always)]
    fn real(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn re(self) -> f64 {
        self
    }
    #[inline(always)]
    fn is_real(self) -> bool {
        true
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        Self::is_finite(self)
    }
    #[inline(always)]
    fn conjugate(self) -> Self {
        self
    }
    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        self * factor
    }
    #[inline(always)]
    fn over(self, divisor: f64) -> Self {
        self / divisor
    }
    #[inline(always)]
    fn quotient(self, divisor: Self) -> Self {
        self / divisor
    }
    #[inline(always)]
    fn square(self) -> f64 {
        self * self
    }
    #[inline(always)]
    fn modulus(self) -> f64 {
        self.abs()
    }
    #[inline(always)]
    fn size_of_parts(self) -> f64 {
        self.abs()
    }
    #[inline(always)]
    fn largest_part(self) -> f64 {
        self.abs()
    }
    #[inline(always)]
    fn split(self) -> (f64, Self) {
        (self, 1.0)
    }
}

impl Number for Complex64 {
    const ZERO: Self = Self::new(0.0, 0.0);
    const ONE: Self = Self::new(1.0, 0.0);

    #[inline(always)]
    fn real(value: f64) -> Self {
        Self::new(value, 0.0)
    }
    #[inline(always)]
    fn re(self) -> f64 {
        self.re
    }
    #[inline(always)]
    fn is_real(self) -> bool {
        self.im == 0.0
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }
    #[inline(always)]
    fn conjugate(self) -> Self {
        self.conj()
    }
    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        self * factor
    }
    #[inline(always)]
    fn over(self, divisor: f64) -> Self {
        self / divisor
    }
    /// Smith's division: the smaller part of the divisor is divided by the larger one first.
    #[inline(always)]
    fn quotient(self, divisor: Self) -> Self {
        if divisor.re.abs() >= divisor.im.abs() {
            let ratio = divisor.im / divisor.re;
            let scale = divisor.re + divisor.im * ratio;
            Self::new((self.re + self.im * ratio) / scale, (self.im - self.re * ratio) / scale)
        } else {
            let ratio = divisor.re / divisor.im;
            let scale = divisor.re * ratio + divisor.im;
            Self::new((self.re * ratio + self.im) / scale, (self.im * ratio - self.re) / scale)
        }
    }
    #[inline(always)]
    fn square(self) -> f64 {
        self.norm_sqr()
    }
    #[inline(always)]
    fn modulus(self) -> f64 {
        self.norm()
    }
    #[inline(always)]
    fn size_of_parts(self) -> f64 {
        self.l1_norm()
    }
    #[inline(always)]
    fn largest_part(self) -> f64 {
        self.re.abs().max(self.im.abs())
    }
    #[inline(always)]
    fn split(self) -> (f64, Self) {
        let size = self.norm();
        (size, if size == 0.0 { Self::ONE } else { self / size })
    }
}
