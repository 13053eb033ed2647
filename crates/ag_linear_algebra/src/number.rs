//! What an algorithm asks of a number, which is real or complex.

use std::cell::RefCell;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use num_complex::Complex64;
use pulp::Simd;

use crate::triangular::Triangle;
use crate::vectors::in_vectors;
use crate::{products, triangular, vectors};

/// A real or a complex number in double precision.
pub(crate) trait Number:
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
    /// Real numbers in it.
    const PARTS: usize;

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

    /// Does something with the memory that the thread keeps; nothing when it ends.
    fn with_pieces(work: impl FnOnce(&mut Vec<Vec<Self>>));
    /// An element of the real matrix of `PARTS` rows that multiplies as the number does.
    fn part(self, row: usize, column: usize) -> f64;
    /// A row of these matrices, beside each other.
    fn pack_row(to: &mut [f64], from: &[Self], row: usize, is_conjugate: bool);
    /// The number of these parts.
    fn of_parts(parts: &[f64]) -> Self;
    /// Adds numbers whose parts are in vectors, of which the last may be longer.
    fn add_vectors<S: Simd>(simd: S, to: &mut [Self], sums: &[S::f64s]);
    /// `conj(a)ᵀ b`
    fn inner(a: &[Self], b: &[Self]) -> Self;
    /// `to += factor * from`
    fn add_row(to: &mut [Self], factor: Self, from: &[Self]);
    /// `to[i] = conj(rowᵢ)ᵀ x` for rows of as many numbers as `x` has, which are `stride` apart.
    fn rows_by_vector(to: &mut [Self], rows: &[Self], stride: usize, x: &[Self]);
    /// `to += Σ factorᵢ rowᵢ`
    fn add_all_rows(to: &mut [Self], factors: &[Self], rows: &[Self], stride: usize);
    /// `to += A x` for a Hermitian matrix, of which the upper triangle is read.
    fn hermitian_by_vector(to: &mut [Self], a: &[Self], stride: usize, x: &[Self]);
    /// Divides the numbers of a column below a place by the one there, and subtracts that times the number at
    /// this place from each other column.
    fn eliminate(column: &mut [Self], others: &mut [Self], place: usize);
    /// Solves a triangular system of a few rows in place: see [`triangular::solve`].
    fn solve_few(triangle: &Triangle<Self>, kind: (usize, bool), x: (&mut [Self], usize, usize));
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const PARTS: usize = 1;

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
    fn with_pieces(work: impl FnOnce(&mut Vec<Vec<Self>>)) {
        thread_local! {
            static KEPT: RefCell<Vec<Vec<f64>>> = const { RefCell::new(Vec::new()) };
        }
        // An error says that the thread ends.
        let _ = KEPT.try_with(|kept| work(&mut kept.borrow_mut()));
    }
    #[inline(always)]
    fn part(self, _: usize, _: usize) -> f64 {
        self
    }
    #[inline(always)]
    fn pack_row(to: &mut [f64], from: &[Self], _: usize, _: bool) {
        to.copy_from_slice(from);
    }
    #[inline(always)]
    fn of_parts(parts: &[f64]) -> Self {
        parts[0]
    }
    fn hermitian_by_vector(to: &mut [Self], a: &[Self], stride: usize, x: &[Self]) {
        vectors::symmetric_by_vector(to, a, stride, x);
    }
    #[inline(always)]
    fn add_vectors<S: Simd>(simd: S, to: &mut [Self], sums: &[S::f64s]) {
        products::add_reals(simd, to, sums);
    }
    fn inner(a: &[Self], b: &[Self]) -> Self {
        vectors::inner(a, b)
    }
    fn add_row(to: &mut [Self], factor: Self, from: &[Self]) {
        vectors::add_rows(to, [factor], [from]);
    }
    fn rows_by_vector(to: &mut [Self], rows: &[Self], stride: usize, x: &[Self]) {
        vectors::rows_by_vector(to, rows, stride, x);
    }
    fn add_all_rows(to: &mut [Self], factors: &[Self], rows: &[Self], stride: usize) {
        vectors::add_all_rows(to, factors, rows, stride);
    }
    fn eliminate(column: &mut [Self], others: &mut [Self], place: usize) {
        vectors::eliminate(column, others, place);
    }
    fn solve_few(triangle: &Triangle<Self>, kind: (usize, bool), x: (&mut [Self], usize, usize)) {
        triangular::solve_reals(triangle, kind, x);
    }
}

impl Number for Complex64 {
    const ZERO: Self = Self::new(0.0, 0.0);
    const ONE: Self = Self::new(1.0, 0.0);
    const PARTS: usize = 2;

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
    fn with_pieces(work: impl FnOnce(&mut Vec<Vec<Self>>)) {
        thread_local! {
            static KEPT: RefCell<Vec<Vec<Complex64>>> = const { RefCell::new(Vec::new()) };
        }
        // An error says that the thread ends.
        let _ = KEPT.try_with(|kept| work(&mut kept.borrow_mut()));
    }
    #[inline(always)]
    fn part(self, row: usize, column: usize) -> f64 {
        match (row, column) {
            (0, 1) => self.im,
            (1, 0) => -self.im,
            _ => self.re,
        }
    }
    #[inline(always)]
    fn pack_row(to: &mut [f64], from: &[Self], row: usize, is_conjugate: bool) {
        let sign = if is_conjugate { -1.0 } else { 1.0 };
        for (pair, one) in to.chunks_exact_mut(2).zip(from) {
            let (re, im) = (one.re, sign * one.im);
            (pair[0], pair[1]) = if row == 0 { (re, im) } else { (-im, re) };
        }
    }
    #[inline(always)]
    fn of_parts(parts: &[f64]) -> Self {
        Self::new(parts[0], parts[1])
    }
    fn hermitian_by_vector(to: &mut [Self], a: &[Self], stride: usize, x: &[Self]) {
        in_vectors(
            #[inline(always)]
            || {
                for (place, row) in a.chunks(stride).enumerate().take(x.len()) {
                    let row = &row[place..x.len()];
                    // The diagonal is real.
                    to[place] += x[place] * row[0].re;
                    let mut sum = Self::ZERO;
                    for ((one, to), x_of) in row[1..].iter().zip(&mut to[place + 1..]).zip(&x[place + 1..]) {
                        sum += *one * *x_of;
                        *to += one.conj() * x[place];
                    }
                    to[place] += sum;
                }
            },
        );
    }
    #[inline(always)]
    fn add_vectors<S: Simd>(_: S, to: &mut [Self], sums: &[S::f64s]) {
        products::add_pairs::<S>(to, sums);
    }
    fn inner(a: &[Self], b: &[Self]) -> Self {
        in_vectors(
            #[inline(always)]
            || complex_inner(a, b),
        )
    }
    fn add_row(to: &mut [Self], factor: Self, from: &[Self]) {
        in_vectors(
            #[inline(always)]
            || to.iter_mut().zip(from).for_each(|(one, other)| *one += factor * *other),
        );
    }
    fn rows_by_vector(to: &mut [Self], rows: &[Self], stride: usize, x: &[Self]) {
        in_vectors(
            #[inline(always)]
            || {
                for (one, row) in to.iter_mut().zip(rows.chunks(stride)) {
                    *one = complex_inner(&row[..x.len()], x);
                }
            },
        );
    }
    fn add_all_rows(to: &mut [Self], factors: &[Self], rows: &[Self], stride: usize) {
        in_vectors(
            #[inline(always)]
            || {
                for (factor, row) in factors.iter().zip(rows.chunks(stride)) {
                    to.iter_mut().zip(row).for_each(|(one, other)| *one += *factor * *other);
                }
            },
        );
    }
    fn eliminate(column: &mut [Self], others: &mut [Self], place: usize) {
        let (above, below) = column.split_at_mut(place + 1);
        let pivot = above[place];
        in_vectors(
            #[inline(always)]
            || {
                below.iter_mut().for_each(|one| *one = one.quotient(pivot));
                for other in others.chunks_exact_mut(place + 1 + below.len()) {
                    let factor = other[place];
                    other[place + 1..]
                        .iter_mut()
                        .zip(&*below)
                        .for_each(|(one, known)| *one -= factor * *known);
                }
            },
        );
    }
    fn solve_few(triangle: &Triangle<Self>, kind: (usize, bool), x: (&mut [Self], usize, usize)) {
        in_vectors(
            #[inline(always)]
            || triangular::solve_numbers(triangle, kind, x),
        );
    }
}

/// How many sums a sum of products is split into, so that they can be added in vectors.
const LANES: usize = 8;

/// `conj(a)ᵀ b`
#[inline(always)]
fn complex_inner(a: &[Complex64], b: &[Complex64]) -> Complex64 {
    let mut sums = [Complex64::ZERO; LANES];
    let (xs, ys) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = xs.remainder().iter().zip(ys.remainder());
    let rest = rest.fold(Complex64::ZERO, |sum, (x, y)| sum + x.conj() * *y);
    for (x, y) in xs.zip(ys) {
        for lane in 0..LANES {
            sums[lane] += x[lane].conj() * y[lane];
        }
    }
    sums.iter().fold(rest, |sum, one| sum + *one)
}
