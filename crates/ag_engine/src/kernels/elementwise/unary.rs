//! Element-wise functions of one operand: the loop for an op and an element type.

use std::marker::PhantomData;

use ag_ir::{DType, Overflow, UnaryOp};

use super::number::{Float, Integer, Number};
use super::versions::{One, ScalarFn, TileFn, of_one, of_one_scalar, one_base, scalar_one_base};
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
    Floor => T, |a| a.floor();
    Ceil => T, |a| a.ceil();
    Trunc => T, |a| a.trunc();
    Rint => T, |a| a.rint();
    IsInf => u8, |a| u8::from(a.is_inf());
    IsFinite => u8, |a| u8::from(a.is_finite());
}

/// The function in the row of an op, or the vector code for it; `OP` is the number of the op.
struct OfRow<T, const OP: u8>(PhantomData<T>);

impl<T, const OP: u8> OfRow<T, OP> {
    const OP: UnaryOp = UnaryOp::ALL[OP as usize];
}

impl<T: Float, const OP: u8> One for OfRow<T, OP> {
    type Operand = T;
    type Result = T;
    const IS_REPAIRED: bool = true;
    const HAS_USUAL: bool = matches!(Self::OP, UnaryOp::Log | UnaryOp::Log2 | UnaryOp::Log10 | UnaryOp::Cbrt);
    #[inline(always)]
    fn apply<const FMA: bool>(a: T) -> (T, bool) {
        match a.of_vector::<FMA>(Self::OP) {
            Some(result) => result,
            None => (a.of_row(Self::OP), false),
        }
    }
    #[inline(always)]
    fn usual<const FMA: bool>(a: T) -> (T, bool) {
        match a.of_usual::<FMA>(Self::OP) {
            Some(result) => result,
            None => Self::apply::<FMA>(a),
        }
    }
    fn repaired(a: T) -> T {
        a.of_row(Self::OP)
    }
}

/// The function in the row of an op, as the interpreter computes it.
struct Exactly<T, const OP: u8>(PhantomData<T>);

impl<T: Float, const OP: u8> One for Exactly<T, OP> {
    type Operand = T;
    type Result = T;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T) -> (T, bool) {
        (a.of_row(OfRow::<T, OP>::OP), false)
    }
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
        UnaryOp::Floor => of_one::<Floor<T>>(isa),
        UnaryOp::Ceil => of_one::<Ceil<T>>(isa),
        UnaryOp::Trunc => of_one::<Trunc<T>>(isa),
        UnaryOp::Rint => of_one::<Rint<T>>(isa),
        UnaryOp::IsNan => of_one::<IsNan<T>>(isa),
        UnaryOp::IsInf => of_one::<IsInf<T>>(isa),
        UnaryOp::IsFinite => of_one::<IsFinite<T>>(isa),
        _ => return of_number::<T>(op, isa).or_else(|| of_row::<T>(op, isa)),
    })
}

/// The instruction set for the function in a row: what is not vector code is the same for all.
fn row_isa<T: Float>(op: UnaryOp, isa: Isa) -> Isa {
    if T::ZERO.of_vector::<true>(op).is_some() { isa } else { Isa::Base }
}

macro_rules! rows {
    (
        functions { $($(#[$about:meta])* $op:ident { $($columns:tt)* })* }
        tests { $($(#[$test_about:meta])* $test:ident { $($test_columns:tt)* })* }
    ) => {
        /// The loop over the function in the row of an op.
        fn of_row<T: Float>(op: UnaryOp, isa: Isa) -> Option<TileFn> {
            if isa == Isa::Exact {
                return match op {
                    $(UnaryOp::$op => Some(one_base::<Exactly<T, { UnaryOp::$op as u8 }>>),)*
                    $(UnaryOp::$test)|* => None,
                };
            }
            let isa = row_isa::<T>(op, isa);
            match op {
                $(UnaryOp::$op => Some(of_one::<OfRow<T, { UnaryOp::$op as u8 }>>(isa)),)*
                $(UnaryOp::$test)|* => None,
            }
        }

        /// That function of a scalar.
        fn scalar_of_row<T: Float>(op: UnaryOp, isa: Isa) -> Option<ScalarFn> {
            if isa == Isa::Exact {
                return match op {
                    $(UnaryOp::$op => {
                        Some(ScalarFn(scalar_one_base::<Exactly<T, { UnaryOp::$op as u8 }>> as *const u8))
                    })*
                    $(UnaryOp::$test)|* => None,
                };
            }
            let isa = row_isa::<T>(op, isa);
            match op {
                $(UnaryOp::$op => Some(of_one_scalar::<OfRow<T, { UnaryOp::$op as u8 }>>(isa)),)*
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

/// The function of an op on a float, if it is one that gives a float.
pub(crate) fn unary_scalar(op: UnaryOp, dtype: DType, isa: Isa) -> Option<ScalarFn> {
    match dtype {
        DType::F64 => scalar_of_row::<f64>(op, isa),
        DType::F32 => scalar_of_row::<f32>(op, isa),
        _ => None,
    }
}
