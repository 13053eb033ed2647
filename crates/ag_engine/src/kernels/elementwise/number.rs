//! Arithmetic of one element, as NumPy has it, for every element type.
//!
//! `bool` is stored as a byte 0 or 1 and uses the functions of `u8` that keep it so.
//! Nothing here panics: division by zero and overflow have NumPy's results.

use ag_ir::{BinaryOp, UnaryOp};

use super::functions::{self, single};

/// A type of elements.
pub(crate) trait Element: Copy + Default + PartialEq + PartialOrd + Send + Sync + 'static {}

/// Element types with arithmetic. Integers wrap.
pub(crate) trait Number: Element {
    /// Whether it is a floating-point number.
    const IS_FLOAT: bool;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The value below all others: the start of a maximum.
    const LOWEST: Self;
    /// The value above all others: the start of a minimum.
    const HIGHEST: Self;
    /// `a + b`.
    fn add(self, other: Self) -> Self;
    /// `a - b`.
    fn sub(self, other: Self) -> Self;
    /// `a * b`.
    fn mul(self, other: Self) -> Self;
    /// `-a`.
    fn neg(self) -> Self;
    /// `abs(a)`.
    fn abs(self) -> Self;
    /// -1, 0 or 1; NaN stays.
    fn sign(self) -> Self;
    /// The larger; NaN wins.
    fn maximum(self, other: Self) -> Self;
    /// The smaller; NaN wins.
    fn minimum(self, other: Self) -> Self;
    /// Whether it is a NaN.
    fn is_nan(self) -> bool;
}

/// Integer element types.
pub(crate) trait Integer: Number {
    /// Python's `a // b`; by zero it is 0.
    fn floor_div(self, other: Self) -> Self;
    /// Python's `a % b`; by zero it is 0.
    fn modulo(self, other: Self) -> Self;
    /// C's `fmod`; by zero it is 0.
    fn fmod(self, other: Self) -> Self;
    /// `a & b`.
    fn and(self, other: Self) -> Self;
    /// `a | b`.
    fn or(self, other: Self) -> Self;
    /// `a ^ b`.
    fn xor(self, other: Self) -> Self;
    /// `~a`.
    fn not(self) -> Self;
    /// `a << b`; 0 from the width on.
    fn shift_left(self, count: Self) -> Self;
    /// `a >> b`; the sign from the width on.
    fn shift_right(self, count: Self) -> Self;
    /// `a ** b`, wrapping; `None` for a negative power.
    fn power(self, exponent: Self) -> Option<Self>;
}

macro_rules! integer {
    ($t:ty, $signed:literal) => {
        impl Element for $t {}

        impl Number for $t {
            const IS_FLOAT: bool = false;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const LOWEST: Self = <$t>::MIN;
            const HIGHEST: Self = <$t>::MAX;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn neg(self) -> Self {
                (0 as $t).wrapping_sub(self)
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn abs(self) -> Self {
                if self < 0 { (0 as $t).wrapping_sub(self) } else { self }
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn sign(self) -> Self {
                if self > 0 {
                    1
                } else if self < 0 {
                    (0 as $t).wrapping_sub(1)
                } else {
                    0
                }
            }
            #[inline(always)]
            fn maximum(self, other: Self) -> Self {
                if self >= other { self } else { other }
            }
            #[inline(always)]
            fn minimum(self, other: Self) -> Self {
                if self <= other { self } else { other }
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                false
            }
        }

        impl Integer for $t {
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn floor_div(self, other: Self) -> Self {
                if other == 0 {
                    return 0;
                }
                let quotient = self.wrapping_div(other);
                let rest = self.wrapping_rem(other);
                if rest != 0 && ((rest < 0) != (other < 0)) { quotient.wrapping_sub(1) } else { quotient }
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn modulo(self, other: Self) -> Self {
                if other == 0 {
                    return 0;
                }
                let rest = self.wrapping_rem(other);
                if rest != 0 && ((rest < 0) != (other < 0)) { rest.wrapping_add(other) } else { rest }
            }
            #[inline(always)]
            fn fmod(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_rem(other) }
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn not(self) -> Self {
                !self
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn shift_left(self, count: Self) -> Self {
                if count >= 0 && count < <$t>::BITS as $t { self.wrapping_shl(count as u32) } else { 0 }
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn shift_right(self, count: Self) -> Self {
                if count >= 0 && count < <$t>::BITS as $t {
                    self.wrapping_shr(count as u32)
                } else if self < 0 {
                    (0 as $t).wrapping_sub(1)
                } else {
                    0
                }
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn power(self, exponent: Self) -> Option<Self> {
                if exponent < 0 {
                    return None;
                }
                let (mut base, mut left, mut result) = (self, exponent, 1 as $t);
                while left > 0 {
                    if left & 1 == 1 {
                        result = result.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    left >>= 1;
                }
                Some(result)
            }
        }
    };
}

integer!(u8, false);
integer!(i32, true);
integer!(i64, true);

/// Floating-point element types. `FMA` says whether the code is compiled for a processor that has
/// a fused multiply-add: without one it would be a call.
pub(crate) trait Float: Number {
    /// `a / b`.
    fn div(self, other: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Whether it is infinite.
    fn is_inf(self) -> bool;
    /// Whether it is neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// Towards minus infinity.
    fn floor(self) -> Self;
    /// Towards infinity.
    fn ceil(self) -> Self;
    /// Towards zero.
    fn trunc(self) -> Self;
    /// Half to even.
    fn rint(self) -> Self;
    /// Computes an op by the function that compiles to vector code, if there is one; and whether the operand
    /// is far (see [`functions`]).
    fn of_vector<const FMA: bool>(self, op: UnaryOp) -> Option<(Self, bool)>;
    /// The same for an operand that is as most are, where there is a function for such; and whether the operand is
    /// another.
    fn of_usual<const FMA: bool>(self, op: UnaryOp) -> Option<(Self, bool)>;
    /// As [`Self::of_vector`], of two operands.
    fn of_vector_with<const FMA: bool>(self, op: BinaryOp, other: Self) -> Option<(Self, bool)>;
    /// The number as a double.
    fn double(self) -> f64;
    /// The nearest number to a double.
    fn of_double(number: f64) -> Self;
    /// `a // b`, from the remainder of the division; `b` is not 0.
    fn floor_div_with(self, other: Self, rest: Self) -> Self;
    /// `a % b`, of the remainder of the division; `b` is not 0.
    fn modulo_with(self, other: Self) -> Self;
    /// Computes an op by the scalar function in its row of the table of ops.
    fn of_row(self, op: UnaryOp) -> Self;
    /// The same for two operands.
    fn of_row_with(self, op: BinaryOp, other: Self) -> Self;
}

macro_rules! float {
    ($t:ty, $of:ident, $functions:ident) => {
        impl Element for $t {}

        impl Number for $t {
            const IS_FLOAT: bool = true;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const LOWEST: Self = <$t>::NEG_INFINITY;
            const HIGHEST: Self = <$t>::INFINITY;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn neg(self) -> Self {
                -self
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$t>::abs(self)
            }
            #[inline(always)]
            fn sign(self) -> Self {
                if self > 0.0 {
                    1.0
                } else if self < 0.0 {
                    -1.0
                } else if self == 0.0 {
                    0.0
                } else {
                    self
                }
            }
            #[inline(always)]
            fn maximum(self, other: Self) -> Self {
                if self >= other || self.is_nan() { self } else { other }
            }
            #[inline(always)]
            fn minimum(self, other: Self) -> Self {
                if self <= other || self.is_nan() { self } else { other }
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                <$t>::is_nan(self)
            }
        }

        impl Float for $t {
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                self / other
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
            #[inline(always)]
            fn is_inf(self) -> bool {
                self.is_infinite()
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                <$t>::is_finite(self)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                <$t>::floor(self)
            }
            #[inline(always)]
            fn ceil(self) -> Self {
                <$t>::ceil(self)
            }
            #[inline(always)]
            fn trunc(self) -> Self {
                <$t>::trunc(self)
            }
            #[inline(always)]
            fn rint(self) -> Self {
                self.round_ties_even()
            }
            #[inline(always)]
            fn of_vector<const FMA: bool>(self, op: UnaryOp) -> Option<(Self, bool)> {
                $functions::of_one::<FMA>(op, self)
            }
            #[inline(always)]
            fn of_usual<const FMA: bool>(self, op: UnaryOp) -> Option<(Self, bool)> {
                $functions::of_usual::<FMA>(op, self)
            }
            #[inline(always)]
            fn of_vector_with<const FMA: bool>(self, op: BinaryOp, other: Self) -> Option<(Self, bool)> {
                $functions::of_two::<FMA>(op, self, other)
            }
            #[inline(always)]
            fn double(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn of_double(number: f64) -> Self {
                number as Self
            }
            #[inline(always)]
            fn floor_div_with(self, other: Self, rest: Self) -> Self {
                let quotient = (self - rest) / other;
                let is_over = rest != 0.0 && ((other < 0.0) != (rest < 0.0));
                let quotient = if is_over { quotient - 1.0 } else { quotient };
                let floor = quotient.floor();
                let whole = if quotient - floor > 0.5 { floor + 1.0 } else { floor };
                if quotient == 0.0 { <$t>::copysign(0.0, self / other) } else { whole }
            }
            #[inline(always)]
            fn modulo_with(self, other: Self) -> Self {
                let turned = if (other < 0.0) != (self < 0.0) { self + other } else { self };
                if self == 0.0 { <$t>::copysign(0.0, other) } else { turned }
            }
            #[inline(always)]
            fn of_row(self, op: UnaryOp) -> Self {
                match op.$of(self) {
                    Some(number) => number,
                    None => unreachable!("a test gives a bool"),
                }
            }
            #[inline(always)]
            fn of_row_with(self, op: BinaryOp, other: Self) -> Self {
                op.$of(self, other)
            }
        }
    };
}

float!(f32, of_f32, single);
float!(f64, of_f64, functions);
