//! Conversions between element types, as `ndarray.astype` does them.
//!
//! A float outside of the range of an integer type, or a NaN, gives what the processor gives, and therefore
//! NumPy: the smallest integer of 32 or 64 bits; `uint8` takes the low byte of that.

use std::marker::PhantomData;

use ag_ir::DType;

use super::number::{Element, Number};
use super::versions::{One, TileFn, of_one};
use crate::isa::Isa;

/// Conversion of one element.
trait Convert<R> {
    /// Converts to the other type.
    fn convert(self) -> R;
}

macro_rules! plain {
    ($($from:ty => $($to:ty),*;)*) => {$($(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self) -> $to {
                self as $to
            }
        }
    )*)*};
}

plain! {
    u8 => u8, i32, i64, f32, f64;
    i32 => u8, i32, i64, f32, f64;
    i64 => u8, i32, i64, f32, f64;
    f32 => f32, f64;
    f64 => f32, f64;
}

macro_rules! to_integer {
    ($($from:ty => $to:ty, $limit:literal;)*) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self) -> $to {
                if (-$limit..$limit).contains(&self) {
                    // SAFETY: the number is finite, and in the range of the type when it is cut to an
                    // integer. (`as` looks at the range once more.)
                    unsafe { self.to_int_unchecked() }
                } else {
                    <$to>::MIN
                }
            }
        }
    )*};
}

to_integer! {
    f32 => i32, 2_147_483_648.0;
    f64 => i32, 2_147_483_648.0;
    f32 => i64, 9_223_372_036_854_775_808.0;
    f64 => i64, 9_223_372_036_854_775_808.0;
}

impl Convert<u8> for f32 {
    #[inline(always)]
    fn convert(self) -> u8 {
        Convert::<i32>::convert(self) as u8
    }
}

impl Convert<u8> for f64 {
    #[inline(always)]
    fn convert(self) -> u8 {
        Convert::<i32>::convert(self) as u8
    }
}

struct Cast<A, R>(PhantomData<(A, R)>);
impl<A: Element + Convert<R>, R: Element> One for Cast<A, R> {
    type Operand = A;
    type Result = R;
    #[inline(always)]
    fn apply<const FMA: bool>(a: A) -> (R, bool) {
        (a.convert(), false)
    }
}

struct ToBool<A>(PhantomData<A>);
impl<A: Number> One for ToBool<A> {
    type Operand = A;
    type Result = u8;
    #[inline(always)]
    fn apply<const FMA: bool>(a: A) -> (u8, bool) {
        (u8::from(a != A::ZERO), false)
    }
}

fn cast_from<A>(to: DType, isa: Isa) -> TileFn
where
    A: Number + Convert<u8> + Convert<i32> + Convert<i64> + Convert<f32> + Convert<f64>,
{
    match to {
        DType::Bool => of_one::<ToBool<A>>(isa),
        DType::U8 => of_one::<Cast<A, u8>>(isa),
        DType::I32 => of_one::<Cast<A, i32>>(isa),
        DType::I64 => of_one::<Cast<A, i64>>(isa),
        DType::F32 => of_one::<Cast<A, f32>>(isa),
        DType::F64 => of_one::<Cast<A, f64>>(isa),
    }
}

/// The loop that converts elements of one type to another.
pub(crate) fn cast(from: DType, to: DType, isa: Isa) -> TileFn {
    match from {
        DType::Bool | DType::U8 => cast_from::<u8>(to, isa),
        DType::I32 => cast_from::<i32>(to, isa),
        DType::I64 => cast_from::<i64>(to, isa),
        DType::F32 => cast_from::<f32>(to, isa),
        DType::F64 => cast_from::<f64>(to, isa),
    }
}
