//! Element-wise functions of two operands, comparisons and `where`.

use std::marker::PhantomData;

use ag_ir::{BinaryOp, CompareOp, DType, Overflow};

use super::functions;
use super::number::{Element, Float, Integer, Number};
use super::sides::Sides;
use super::versions::{
    ScalarFn, Three, TileFn, Two, of_three, of_two, of_two_scalars, scalar_two_base, two_base,
};
use crate::isa::Isa;

macro_rules! functions {
    ($bound:ident: $($name:ident => $result:ty, |$a:ident, $b:ident| $body:expr;)*) => {$(
        struct $name<T>(PhantomData<T>);
        impl<T: $bound> Two for $name<T> {
            type Operand = T;
            type Result = $result;
            #[inline(always)]
            fn apply<const FMA: bool>($a: T, $b: T) -> ($result, bool) {
                ($body, false)
            }
        }
    )*};
}

functions! { Number:
    Add => T, |a, b| a.add(b);
    Sub => T, |a, b| a.sub(b);
    Mul => T, |a, b| a.mul(b);
    Maximum => T, |a, b| a.maximum(b);
    Minimum => T, |a, b| a.minimum(b);
    Eq => u8, |a, b| u8::from(a == b);
    Ne => u8, |a, b| u8::from(a != b);
    Lt => u8, |a, b| u8::from(a < b);
    Le => u8, |a, b| u8::from(a <= b);
    Gt => u8, |a, b| u8::from(a > b);
    Ge => u8, |a, b| u8::from(a >= b);
}

functions! { Integer:
    FloorDiv => T, |a, b| a.floor_div(b);
    Mod => T, |a, b| a.modulo(b);
    Fmod => T, |a, b| a.fmod(b);
    BitAnd => T, |a, b| a.and(b);
    BitOr => T, |a, b| a.or(b);
    BitXor => T, |a, b| a.xor(b);
    ShiftLeft => T, |a, b| a.shift_left(b);
    ShiftRight => T, |a, b| a.shift_right(b);
}

functions! { Float:
    Div => T, |a, b| a.div(b);
}

/// The function in the row of an op, or the vector code for it; `OP` is the number of the op.
struct OfRow<T, const OP: u8>(PhantomData<T>);

impl<T, const OP: u8> OfRow<T, OP> {
    const OP: BinaryOp = BinaryOp::ALL[OP as usize];
}

impl<T: Float, const OP: u8> Two for OfRow<T, OP> {
    type Operand = T;
    type Result = T;
    const IS_REPAIRED: bool = true;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T, b: T) -> (T, bool) {
        match a.of_vector_with::<FMA>(Self::OP, b) {
            Some(result) => result,
            None => (a.of_row_with(Self::OP, b), false),
        }
    }
    fn repaired(a: T, b: T) -> T {
        a.of_row_with(Self::OP, b)
    }
}

/// The function in the row of an op, as the interpreter computes it.
struct Exactly<T, const OP: u8>(PhantomData<T>);

impl<T: Float, const OP: u8> Two for Exactly<T, OP> {
    type Operand = T;
    type Result = T;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T, b: T) -> (T, bool) {
        (a.of_row_with(OfRow::<T, OP>::OP, b), false)
    }
}

/// A function of the remainder of a division; `OP` is the number of the op.
struct OfRemainder<T, const OP: u8>(PhantomData<T>);

impl<T, const OP: u8> OfRemainder<T, OP> {
    const OP: BinaryOp = BinaryOp::ALL[OP as usize];
}

impl<T: Float, const OP: u8> Two for OfRemainder<T, OP> {
    type Operand = T;
    type Result = T;
    const IS_REPAIRED: bool = true;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T, b: T) -> (T, bool) {
        if !FMA {
            return (a.of_row_with(Self::OP, b), false);
        }
        let (x, y) = (a.double(), b.double());
        let rest = T::of_double(functions::remainder(x, y));
        let value = match Self::OP {
            BinaryOp::FloorDiv => a.floor_div_with(b, rest),
            BinaryOp::Mod => rest.modulo_with(b),
            _ => rest,
        };
        (value, functions::is_far_quotient(x, y))
    }
    fn repaired(a: T, b: T) -> T {
        a.of_row_with(Self::OP, b)
    }
}

/// Integer power; a negative exponent fails.
struct PowInteger<T>(PhantomData<T>);
impl<T: Integer> Two for PowInteger<T> {
    type Operand = T;
    type Result = T;
    #[inline(always)]
    fn apply<const FMA: bool>(a: T, b: T) -> (T, bool) {
        let power = a.power(b);
        (power.unwrap_or(T::ZERO), power.is_none())
    }
}

macro_rules! checked {
    ($($name:ident => |$a:ident, $b:ident| $body:expr;)*) => {$(
        struct $name;
        impl Two for $name {
            type Operand = i64;
            type Result = i64;
            #[inline(always)]
            fn apply<const FMA: bool>($a: i64, $b: i64) -> (i64, bool) {
                $body
            }
        }
    )*};
}

checked! {
    AddChecked => |a, b| a.overflowing_add(b);
    SubChecked => |a, b| a.overflowing_sub(b);
    MulChecked => |a, b| a.overflowing_mul(b);
    FloorDivChecked => |a, b| (a.floor_div(b), a == i64::MIN && b == -1);
    ShiftLeftChecked => |a, b| {
        let shifted = a.shift_left(b);
        (shifted, if (0..64).contains(&b) { (shifted >> b) != a } else { a != 0 })
    };
    PowChecked => |a, b| match u32::try_from(b) {
        Ok(exponent) => a.overflowing_pow(exponent),
        // With a huge exponent, only these three bases stay in range. The caller looks for negative exponents
        // first.
        Err(_) => match a {
            0 | 1 => (a, b < 0),
            -1 => (if b & 1 == 0 { 1 } else { -1 }, b < 0),
            _ => (0, true),
        },
    };
}

struct Where<T>(PhantomData<T>);
impl<T: Element> Three for Where<T> {
    type Operand = T;
    #[inline(always)]
    fn apply(condition: u8, a: T, b: T) -> T {
        if condition != 0 { a } else { b }
    }
}

fn of_number<T: Number>(op: BinaryOp, isa: Isa) -> Option<TileFn> {
    Some(match op {
        BinaryOp::Add => of_two::<Add<T>>(isa),
        BinaryOp::Sub => of_two::<Sub<T>>(isa),
        BinaryOp::Mul => of_two::<Mul<T>>(isa),
        BinaryOp::Maximum => of_two::<Maximum<T>>(isa),
        BinaryOp::Minimum => of_two::<Minimum<T>>(isa),
        _ => return None,
    })
}

fn of_integer<T: Integer>(op: BinaryOp, isa: Isa) -> Option<TileFn> {
    Some(match op {
        BinaryOp::FloorDiv => of_two::<FloorDiv<T>>(Isa::Base),
        BinaryOp::Mod => of_two::<Mod<T>>(Isa::Base),
        BinaryOp::Fmod => of_two::<Fmod<T>>(Isa::Base),
        BinaryOp::BitAnd => of_two::<BitAnd<T>>(isa),
        BinaryOp::BitOr => of_two::<BitOr<T>>(isa),
        BinaryOp::BitXor => of_two::<BitXor<T>>(isa),
        BinaryOp::ShiftLeft => of_two::<ShiftLeft<T>>(isa),
        BinaryOp::ShiftRight => of_two::<ShiftRight<T>>(isa),
        BinaryOp::Pow => of_two::<PowInteger<T>>(Isa::Base),
        _ => return of_number::<T>(op, isa),
    })
}

fn of_float<T: Float>(op: BinaryOp, isa: Isa) -> Option<TileFn> {
    match op {
        BinaryOp::Div => Some(of_two::<Div<T>>(isa)),
        BinaryOp::FloorDiv => Some(of_two::<OfRemainder<T, { BinaryOp::FloorDiv as u8 }>>(isa)),
        BinaryOp::Mod => Some(of_two::<OfRemainder<T, { BinaryOp::Mod as u8 }>>(isa)),
        BinaryOp::Fmod => Some(of_two::<OfRemainder<T, { BinaryOp::Fmod as u8 }>>(isa)),
        _ => of_number::<T>(op, isa).or_else(|| of_row::<T>(op, isa)),
    }
}

/// The other loops of an op of floats, for those ops for which a copy would take about as long as they do.
pub(crate) fn sides(op: BinaryOp, dtype: DType, isa: Isa) -> [Sides; 2] {
    match dtype {
        DType::F32 => sides_of::<f32>(op, isa),
        DType::F64 => sides_of::<f64>(op, isa),
        _ => Default::default(),
    }
}

fn sides_of<T: Float>(op: BinaryOp, isa: Isa) -> [Sides; 2] {
    match op {
        BinaryOp::Add => Sides::of_two::<T, Add<T>>(isa),
        BinaryOp::Sub => Sides::of_two::<T, Sub<T>>(isa),
        BinaryOp::Mul => Sides::of_two::<T, Mul<T>>(isa),
        BinaryOp::Div => Sides::of_two::<T, Div<T>>(isa),
        BinaryOp::Maximum => Sides::of_two::<T, Maximum<T>>(isa),
        BinaryOp::Minimum => Sides::of_two::<T, Minimum<T>>(isa),
        _ => Default::default(),
    }
}

/// The same of a comparison of floats.
pub(crate) fn sides_of_comparison(op: CompareOp, dtype: DType, isa: Isa) -> [Sides; 2] {
    match dtype {
        DType::F32 => compared::<f32>(op, isa),
        DType::F64 => compared::<f64>(op, isa),
        _ => Default::default(),
    }
}

fn compared<T: Float>(op: CompareOp, isa: Isa) -> [Sides; 2] {
    match op {
        CompareOp::Eq => Sides::of_comparison::<Eq<T>>(isa),
        CompareOp::Ne => Sides::of_comparison::<Ne<T>>(isa),
        CompareOp::Lt => Sides::of_comparison::<Lt<T>>(isa),
        CompareOp::Le => Sides::of_comparison::<Le<T>>(isa),
        CompareOp::Gt => Sides::of_comparison::<Gt<T>>(isa),
        CompareOp::Ge => Sides::of_comparison::<Ge<T>>(isa),
    }
}

/// The instruction set for the function in a row: what is not vector code is the same for all.
fn row_isa<T: Float>(op: BinaryOp, isa: Isa) -> Isa {
    if T::ZERO.of_vector_with::<true>(op, T::ZERO).is_some() { isa } else { Isa::Base }
}

macro_rules! rows {
    ($($(#[$about:meta])* $op:ident { $($columns:tt)* })*) => {
        /// The loop over the function in the row of an op.
        fn of_row<T: Float>(op: BinaryOp, isa: Isa) -> Option<TileFn> {
            if isa == Isa::Exact {
                return match op {
                    $(BinaryOp::$op => Some(two_base::<Exactly<T, { BinaryOp::$op as u8 }>>),)*
                };
            }
            let isa = row_isa::<T>(op, isa);
            match op {
                $(BinaryOp::$op => Some(of_two::<OfRow<T, { BinaryOp::$op as u8 }>>(isa)),)*
            }
        }

        /// That function of scalars.
        fn scalar_of_row<T: Float>(op: BinaryOp, isa: Isa) -> Option<ScalarFn> {
            if isa == Isa::Exact {
                return match op {
                    $(BinaryOp::$op => {
                        Some(ScalarFn(scalar_two_base::<Exactly<T, { BinaryOp::$op as u8 }>> as *const u8))
                    })*
                };
            }
            let isa = row_isa::<T>(op, isa);
            match op {
                $(BinaryOp::$op => Some(of_two_scalars::<OfRow<T, { BinaryOp::$op as u8 }>>(isa)),)*
            }
        }
    };
}
ag_ir::binary_ops!(rows);

fn scalar_of_float<T: Float>(op: BinaryOp, isa: Isa) -> Option<ScalarFn> {
    match op {
        BinaryOp::FloorDiv => Some(of_two_scalars::<OfRemainder<T, { BinaryOp::FloorDiv as u8 }>>(isa)),
        BinaryOp::Mod => Some(of_two_scalars::<OfRemainder<T, { BinaryOp::Mod as u8 }>>(isa)),
        BinaryOp::Fmod => Some(of_two_scalars::<OfRemainder<T, { BinaryOp::Fmod as u8 }>>(isa)),
        _ => scalar_of_row::<T>(op, isa),
    }
}

/// The function of an op on floats.
pub(crate) fn binary_scalar(op: BinaryOp, dtype: DType, isa: Isa) -> Option<ScalarFn> {
    match dtype {
        DType::F64 => scalar_of_float::<f64>(op, isa),
        DType::F32 => scalar_of_float::<f32>(op, isa),
        _ => None,
    }
}

fn of_bool(op: BinaryOp, isa: Isa) -> Option<TileFn> {
    match op {
        BinaryOp::Add | BinaryOp::BitOr | BinaryOp::Maximum => Some(of_two::<BitOr<u8>>(isa)),
        BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::Minimum => Some(of_two::<BitAnd<u8>>(isa)),
        BinaryOp::BitXor => Some(of_two::<BitXor<u8>>(isa)),
        _ => None,
    }
}

fn of_checked(op: BinaryOp, isa: Isa) -> Option<TileFn> {
    Some(match op {
        BinaryOp::Add => of_two::<AddChecked>(isa),
        BinaryOp::Sub => of_two::<SubChecked>(isa),
        BinaryOp::Mul => of_two::<MulChecked>(isa),
        BinaryOp::FloorDiv => of_two::<FloorDivChecked>(Isa::Base),
        BinaryOp::ShiftLeft => of_two::<ShiftLeftChecked>(Isa::Base),
        BinaryOp::Pow => of_two::<PowChecked>(Isa::Base),
        _ => return None,
    })
}

/// The loop of an op on elements of a type, if the type has that op.
pub(crate) fn binary(op: BinaryOp, overflow: Overflow, dtype: DType, isa: Isa) -> Option<TileFn> {
    if !op.takes().holds(dtype) {
        return None;
    }
    if overflow == Overflow::Check
        && dtype == DType::I64
        && let Some(function) = of_checked(op, isa)
    {
        return Some(function);
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

fn compare_of<T: Number>(op: CompareOp, isa: Isa) -> TileFn {
    match op {
        CompareOp::Eq => of_two::<Eq<T>>(isa),
        CompareOp::Ne => of_two::<Ne<T>>(isa),
        CompareOp::Lt => of_two::<Lt<T>>(isa),
        CompareOp::Le => of_two::<Le<T>>(isa),
        CompareOp::Gt => of_two::<Gt<T>>(isa),
        CompareOp::Ge => of_two::<Ge<T>>(isa),
    }
}

/// The loop of a comparison; its result is `bool`.
pub(crate) fn compare(op: CompareOp, dtype: DType, isa: Isa) -> TileFn {
    match dtype {
        DType::F64 => compare_of::<f64>(op, isa),
        DType::F32 => compare_of::<f32>(op, isa),
        DType::I64 => compare_of::<i64>(op, isa),
        DType::I32 => compare_of::<i32>(op, isa),
        DType::U8 | DType::Bool => compare_of::<u8>(op, isa),
    }
}

/// The loop of `where`. Operands: the condition, and two arrays whose elements have this size in bytes.
pub(crate) fn select(element_size: usize, isa: Isa) -> TileFn {
    match element_size {
        1 => of_three::<Where<u8>>(isa),
        4 => of_three::<Where<i32>>(isa),
        _ => of_three::<Where<i64>>(isa),
    }
}
