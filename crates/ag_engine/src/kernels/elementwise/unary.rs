//! Element-wise functions of one operand: the loop for an op and an element type.

use std::marker::PhantomData;

use ag_ir::{DType, Overflow, UnaryOp};

use super::functions;
use super::number::{Float, Integer, Number};
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

/// The scalar function in the row of an op; `OP` is the number of the op.
struct OfRow<T, const OP: u8>(PhantomData<T>);

impl<T: Float, const OP: u8> One for OfRow<T, OP> {
    type Operand = T;
    type Result = T;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T) -> (T, bool) {
        (a.of_row(const { UnaryOp::ALL[OP as usize] }), false)
    }
}

macro_rules! in_double {
    ($($name:ident => $function:ident, |$x:ident| $is_far:expr;)*) => {$(
        /// Vector code for all but far arguments.
        struct $name<T>(PhantomData<T>);
        impl<T: Float> One for $name<T> {
            type Operand = T;
            type Result = T;
            const IS_REPAIRED: bool = true;
            #[inline(always)]
            fn apply<const FMA: bool>(a: T) -> (T, bool) {
                if !FMA {
                    return (a.of_row(UnaryOp::$name), false);
                }
                let $x = a.double();
                (T::of_double(functions::$function::<T::Digits>($x)), $is_far)
            }
            fn repaired(a: T) -> T {
                a.of_row(UnaryOp::$name)
            }
        }
    )*};
}

in_double! {
    Sin => sin, |x| functions::is_far(x);
    Cos => cos, |x| functions::is_far(x);
    Tan => tan, |x| functions::is_far(x);
    Arcsin => arcsin, |_x| false;
    Arccos => arccos, |_x| false;
    Arctan => arctan, |_x| false;
    Exp2 => exp2, |_x| false;
    Expm1 => expm1, |_x| false;
    Sinh => sinh, |_x| false;
    Cosh => cosh, |_x| false;
    Log2 => log2, |_x| false;
    Log10 => log10, |_x| false;
    Log1p => log1p, |_x| false;
    Arcsinh => arcsinh, |_x| false;
    Arccosh => arccosh, |_x| false;
    Arctanh => arctanh, |_x| false;
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
        UnaryOp::Sin => of_one::<Sin<T>>(isa),
        UnaryOp::Cos => of_one::<Cos<T>>(isa),
        UnaryOp::Tan => of_one::<Tan<T>>(isa),
        UnaryOp::Arcsin => of_one::<Arcsin<T>>(isa),
        UnaryOp::Arccos => of_one::<Arccos<T>>(isa),
        UnaryOp::Arctan => of_one::<Arctan<T>>(isa),
        UnaryOp::Exp2 => of_one::<Exp2<T>>(isa),
        UnaryOp::Expm1 => of_one::<Expm1<T>>(isa),
        UnaryOp::Sinh => of_one::<Sinh<T>>(isa),
        UnaryOp::Cosh => of_one::<Cosh<T>>(isa),
        UnaryOp::Log2 => of_one::<Log2<T>>(isa),
        UnaryOp::Log10 => of_one::<Log10<T>>(isa),
        UnaryOp::Log1p => of_one::<Log1p<T>>(isa),
        UnaryOp::Arcsinh => of_one::<Arcsinh<T>>(isa),
        UnaryOp::Arccosh => of_one::<Arccosh<T>>(isa),
        UnaryOp::Arctanh => of_one::<Arctanh<T>>(isa),
        _ => return of_number::<T>(op, isa).or_else(|| of_row::<T>(op)),
    })
}

macro_rules! rows {
    (
        functions { $($(#[$about:meta])* $op:ident { $($columns:tt)* })* }
        tests { $($(#[$test_about:meta])* $test:ident { $($test_columns:tt)* })* }
    ) => {
        /// The loop over the scalar function of an op that has no vector code.
        fn of_row<T: Float>(op: UnaryOp) -> Option<TileFn> {
            match op {
                $(UnaryOp::$op => Some(of_one::<OfRow<T, { UnaryOp::$op as u8 }>>(Isa::Base)),)*
                $(UnaryOp::$test)|* => None,
            }
        }
    };
}
ag_ir::unary_ops!(rows);

fn of_integer<T: Integer>(op: UnaryOp, isa: Isa) -> Option<TileFn> {
    match op {
        UnaryOp::BitNot => Some(of_one::<BitNot<T>>(isa)),
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
        _ => None,
    }
}

/// The loop of an op on elements of a type, if the type has that op.
pub(crate) fn unary(op: UnaryOp, overflow: Overflow, dtype: DType, isa: Isa) -> Option<TileFn> {
    if !op.takes().holds(dtype) {
        return None;
    }
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
