//! Element-wise functions of one operand: which loop an op and an element type mean.

use std::marker::PhantomData;

use ag_ir::{DType, Overflow, UnaryOp};

use super::number::{Float, Integer, Library, Number};
use super::versions::{One, TileFn, of_one};
use crate::isa::Isa;

macro_rules! functions {
    ($bound:ident: $($name:ident => $result:ty, |$a:ident| $body:expr;)*) => {$(
        struct $name<T>(PhantomData<T>);
        impl<T: $bound> One for $name<T> {
            type Operand = T;
            type Result = $result;
            #[inline(always)]
            fn apply<const FMA: bool>($a: T) -> ($result, bool) {
                ($body, false)
            }
        }
    )*};
}

functions! { Number:
    Neg => T, |a| a.neg();
    Abs => T, |a| a.abs();
    Sign => T, |a| a.sign();
    IsNan => u8, |a| u8::from(a.is_nan());
    Copy => T, |a| a;
}

functions! { Integer:
    BitNot => T, |a| a.not();
}

functions! { Float:
    Sqrt => T, |a| a.sqrt();
    Exp => T, |a| a.exp::<FMA>();
    Log => T, |a| a.log::<FMA>();
    Tanh => T, |a| a.tanh::<FMA>();
    Floor => T, |a| a.floor();
    Ceil => T, |a| a.ceil();
    Trunc => T, |a| a.trunc();
    Rint => T, |a| a.rint();
    IsInf => u8, |a| u8::from(a.is_inf());
    IsFinite => u8, |a| u8::from(a.is_finite());
}

/// A function of the C library, by its number in [`Library`].
struct FromLibrary<T, const FUNCTION: u8>(PhantomData<T>);

const LIBRARY: [Library; 14] = [
    Library::Exp2,
    Library::Expm1,
    Library::Log2,
    Library::Log10,
    Library::Log1p,
    Library::Tan,
    Library::Arcsin,
    Library::Arccos,
    Library::Arctan,
    Library::Sinh,
    Library::Cosh,
    Library::Arcsinh,
    Library::Arccosh,
    Library::Arctanh,
];

impl<T: Float, const FUNCTION: u8> One for FromLibrary<T, FUNCTION> {
    type Operand = T;
    type Result = T;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T) -> (T, bool) {
        (a.library(const { LIBRARY[FUNCTION as usize] }), false)
    }
}

macro_rules! repaired {
    ($($name:ident => $method:ident;)*) => {$(
        /// In vector code, but for large arguments.
        struct $name<T>(PhantomData<T>);
        impl<T: Float> One for $name<T> {
            type Operand = T;
            type Result = T;
            const IS_REPAIRED: bool = true;
            #[inline(always)]
            fn apply<const FMA: bool>(a: T) -> (T, bool) {
                a.$method::<FMA>()
            }
            fn repaired(a: T) -> T {
                a.library(Library::$name)
            }
        }
    )*};
}

repaired! {
    Sin => sin;
    Cos => cos;
}

struct LogicalNot;
impl One for LogicalNot {
    type Operand = u8;
    type Result = u8;
    #[inline(always)]
    fn apply<const FMA: bool>(a: u8) -> (u8, bool) {
        (u8::from(a == 0), false)
    }
}

/// Constant functions of integers: `isnan` and `isinf` are false, `isfinite` is true.
struct Always<T, const ANSWER: u8>(PhantomData<T>);
impl<T: Number, const ANSWER: u8> One for Always<T, ANSWER> {
    type Operand = T;
    type Result = u8;
    #[inline(always)]
    fn apply<const FMA: bool>(_: T) -> (u8, bool) {
        (ANSWER, false)
    }
}

struct NegChecked;
impl One for NegChecked {
    type Operand = i64;
    type Result = i64;
    #[inline(always)]
    fn apply<const FMA: bool>(a: i64) -> (i64, bool) {
        a.overflowing_neg()
    }
}

struct AbsChecked;
impl One for AbsChecked {
    type Operand = i64;
    type Result = i64;
    #[inline(always)]
    fn apply<const FMA: bool>(a: i64) -> (i64, bool) {
        a.overflowing_abs()
    }
}

fn of_float<T: Float>(op: UnaryOp, isa: Isa) -> Option<TileFn> {
    Some(match op {
        UnaryOp::Sqrt => of_one::<Sqrt<T>>(isa),
        UnaryOp::Exp => of_one::<Exp<T>>(isa),
        UnaryOp::Log => of_one::<Log<T>>(isa),
        UnaryOp::Tanh => of_one::<Tanh<T>>(isa),
        UnaryOp::Floor => of_one::<Floor<T>>(isa),
        UnaryOp::Ceil => of_one::<Ceil<T>>(isa),
        UnaryOp::Trunc => of_one::<Trunc<T>>(isa),
        UnaryOp::Rint => of_one::<Rint<T>>(isa),
        UnaryOp::IsNan => of_one::<IsNan<T>>(isa),
        UnaryOp::IsInf => of_one::<IsInf<T>>(isa),
        UnaryOp::IsFinite => of_one::<IsFinite<T>>(isa),
        UnaryOp::Exp2 => of_one::<FromLibrary<T, 0>>(Isa::Base),
        UnaryOp::Expm1 => of_one::<FromLibrary<T, 1>>(Isa::Base),
        UnaryOp::Log2 => of_one::<FromLibrary<T, 2>>(Isa::Base),
        UnaryOp::Log10 => of_one::<FromLibrary<T, 3>>(Isa::Base),
        UnaryOp::Log1p => of_one::<FromLibrary<T, 4>>(Isa::Base),
        UnaryOp::Sin => of_one::<Sin<T>>(isa),
        UnaryOp::Cos => of_one::<Cos<T>>(isa),
        UnaryOp::Tan => of_one::<FromLibrary<T, 5>>(Isa::Base),
        UnaryOp::Arcsin => of_one::<FromLibrary<T, 6>>(Isa::Base),
        UnaryOp::Arccos => of_one::<FromLibrary<T, 7>>(Isa::Base),
        UnaryOp::Arctan => of_one::<FromLibrary<T, 8>>(Isa::Base),
        UnaryOp::Sinh => of_one::<FromLibrary<T, 9>>(Isa::Base),
        UnaryOp::Cosh => of_one::<FromLibrary<T, 10>>(Isa::Base),
        UnaryOp::Arcsinh => of_one::<FromLibrary<T, 11>>(Isa::Base),
        UnaryOp::Arccosh => of_one::<FromLibrary<T, 12>>(Isa::Base),
        UnaryOp::Arctanh => of_one::<FromLibrary<T, 13>>(Isa::Base),
        _ => return of_number::<T>(op, isa),
    })
}

fn of_integer<T: Integer>(op: UnaryOp, isa: Isa) -> Option<TileFn> {
    match op {
        UnaryOp::BitNot => Some(of_one::<BitNot<T>>(isa)),
        UnaryOp::IsNan | UnaryOp::IsInf => Some(of_one::<Always<T, 0>>(isa)),
        UnaryOp::IsFinite => Some(of_one::<Always<T, 1>>(isa)),
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::Rint => Some(of_one::<Copy<T>>(isa)),
        _ => of_number::<T>(op, isa),
    }
}

fn of_number<T: Number>(op: UnaryOp, isa: Isa) -> Option<TileFn> {
    match op {
        UnaryOp::Neg => Some(of_one::<Neg<T>>(isa)),
        UnaryOp::Abs => Some(of_one::<Abs<T>>(isa)),
        UnaryOp::Sign => Some(of_one::<Sign<T>>(isa)),
        _ => None,
    }
}

fn of_bool(op: UnaryOp, isa: Isa) -> Option<TileFn> {
    match op {
        UnaryOp::LogicalNot | UnaryOp::BitNot => Some(of_one::<LogicalNot>(isa)),
        UnaryOp::Abs => Some(of_one::<Copy<u8>>(isa)),
        UnaryOp::IsNan | UnaryOp::IsInf => Some(of_one::<Always<u8, 0>>(isa)),
        UnaryOp::IsFinite => Some(of_one::<Always<u8, 1>>(isa)),
        _ => None,
    }
}

/// The loop of an op on elements of a type, if the type has that op.
pub(crate) fn unary(op: UnaryOp, overflow: Overflow, dtype: DType, isa: Isa) -> Option<TileFn> {
    if overflow == Overflow::Check && dtype == DType::I64 {
        match op {
            UnaryOp::Neg => return Some(of_one::<NegChecked>(isa)),
            UnaryOp::Abs => return Some(of_one::<AbsChecked>(isa)),
            _ => {}
        }
    }
    match dtype {
        DType::F64 => of_float::<f64>(op, isa),
        DType::F32 => of_float::<f32>(op, isa),
        DType::I64 => of_integer::<i64>(op, isa),
        DType::I32 => of_integer::<i32>(op, isa),
        DType::U8 => of_integer::<u8>(op, isa),
        DType::Bool => of_bool(op, isa),
    }
}
