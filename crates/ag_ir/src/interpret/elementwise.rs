//! Element-wise ops, one element at a time: the specification of each.

use super::data::{Data, Elements, map_dtype};
use crate::op::{BinaryOp, CompareOp, DTypeRule, Overflow, UnaryOp};
use crate::run::Failure;
use crate::types::DType;

type Computed<T> = Result<T, Failure>;

/// Arithmetic of integers.
trait Integer: Copy + Ord {
    const BITS: u32;
    const ZERO: Self;
    const ONE: Self;
    fn wrapping_add(self, other: Self) -> Self;
    fn wrapping_sub(self, other: Self) -> Self;
    fn wrapping_mul(self, other: Self) -> Self;
    fn checked_add(self, other: Self) -> Option<Self>;
    fn checked_sub(self, other: Self) -> Option<Self>;
    fn checked_mul(self, other: Self) -> Option<Self>;
    fn checked_neg(self) -> Option<Self>;
    fn wrapping_neg(self) -> Self;
    /// Truncated division; the divisor is not zero. Wraps at the one overflow.
    fn truncated_div(self, other: Self) -> Self;
    /// Truncated remainder; the divisor is not zero.
    fn truncated_rem(self, other: Self) -> Self;
    fn shift_left(self, count: u32) -> Self;
    fn shift_right(self, count: u32) -> Self;
    fn as_i64(self) -> i64;
}

macro_rules! integer {
    ($($type:ident),*) => {$(
        impl Integer for $type {
            const BITS: u32 = $type::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            fn wrapping_add(self, other: Self) -> Self { self.wrapping_add(other) }
            fn wrapping_sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            fn wrapping_mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            fn checked_add(self, other: Self) -> Option<Self> { self.checked_add(other) }
            fn checked_sub(self, other: Self) -> Option<Self> { self.checked_sub(other) }
            fn checked_mul(self, other: Self) -> Option<Self> { self.checked_mul(other) }
            fn checked_neg(self) -> Option<Self> { self.checked_neg() }
            fn wrapping_neg(self) -> Self { self.wrapping_neg() }
            fn truncated_div(self, other: Self) -> Self { self.wrapping_div(other) }
            fn truncated_rem(self, other: Self) -> Self { self.wrapping_rem(other) }
            fn shift_left(self, count: u32) -> Self { self.wrapping_shl(count) }
            fn shift_right(self, count: u32) -> Self { self.wrapping_shr(count) }
            fn as_i64(self) -> i64 { i64::from(self) }
        }
    )*};
}
integer!(u8, i32, i64);

fn or_overflow<T>(value: Option<T>) -> Computed<T> {
    value.ok_or(Failure::Overflow)
}

fn integer_unary<T: Integer>(x: T, op: UnaryOp, overflow: Overflow) -> Computed<T> {
    let negated = |value: T| match overflow {
        Overflow::Check => or_overflow(value.checked_neg()),
        Overflow::Wrap => Ok(value.wrapping_neg()),
    };
    match op {
        UnaryOp::Neg => negated(x),
        UnaryOp::Abs if x < T::ZERO => negated(x),
        UnaryOp::Abs => Ok(x),
        UnaryOp::Sign if x < T::ZERO => Ok(T::ZERO.wrapping_sub(T::ONE)),
        UnaryOp::Sign if x > T::ZERO => Ok(T::ONE),
        UnaryOp::Sign => Ok(T::ZERO),
        UnaryOp::BitNot => Ok(T::ZERO.wrapping_sub(T::ONE).wrapping_sub(x)),
        op => unreachable!("{} of integers in a verified graph", op.name()),
    }
}

fn integer_binary<T: Integer>(x: T, y: T, op: BinaryOp, overflow: Overflow) -> Computed<T> {
    let checks = overflow == Overflow::Check;
    Ok(match op {
        BinaryOp::Add if checks => or_overflow(x.checked_add(y))?,
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub if checks => or_overflow(x.checked_sub(y))?,
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul if checks => or_overflow(x.checked_mul(y))?,
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::FloorDiv | BinaryOp::Mod | BinaryOp::Fmod if y == T::ZERO => T::ZERO,
        BinaryOp::FloorDiv => {
            let quotient = x.truncated_div(y);
            if checks && y < T::ZERO && x < T::ZERO && quotient < T::ZERO {
                return Err(Failure::Overflow);
            }
            let remainder = x.truncated_rem(y);
            let below = remainder != T::ZERO && (remainder < T::ZERO) != (y < T::ZERO);
            if below { quotient.wrapping_sub(T::ONE) } else { quotient }
        }
        BinaryOp::Mod => {
            let remainder = x.truncated_rem(y);
            let below = remainder != T::ZERO && (remainder < T::ZERO) != (y < T::ZERO);
            if below { remainder.wrapping_add(y) } else { remainder }
        }
        BinaryOp::Fmod => x.truncated_rem(y),
        BinaryOp::Pow => integer_power(x, y, overflow)?,
        BinaryOp::Maximum => x.max(y),
        BinaryOp::Minimum => x.min(y),
        BinaryOp::ShiftLeft if checks => {
            let shifted = shift(x, y, op);
            let is_whole = shift(shifted, y, BinaryOp::ShiftRight) == x;
            or_overflow(is_whole.then_some(shifted))?
        }
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => shift(x, y, op),
        op => unreachable!("{} of integers in a verified graph", op.name()),
    })
}

/// `(a * b + c) % m` of Python's ints; 0 if `m` is 0.
#[must_use]
pub fn mul_add_mod(a: i64, b: i64, c: i64, m: i64) -> i64 {
    // Twice 63 bits and one more.
    let sum = i128::from(a) * i128::from(b) + i128::from(c);
    let m = i128::from(m);
    let remainder = sum.checked_rem(m).unwrap_or(0);
    let is_below = remainder != 0 && (remainder < 0) != (m < 0);
    // It is nearer to 0 than `m`.
    i64::try_from(if is_below { remainder + m } else { remainder }).unwrap_or(0)
}

fn shift<T: Integer>(x: T, y: T, op: BinaryOp) -> T {
    let count = u32::try_from(y.as_i64()).ok().filter(|count| *count < T::BITS);
    match (op, count) {
        (BinaryOp::ShiftLeft, Some(count)) => x.shift_left(count),
        (BinaryOp::ShiftLeft, None) => T::ZERO,
        (BinaryOp::ShiftRight, Some(count)) => x.shift_right(count),
        (BinaryOp::ShiftRight, None) if x < T::ZERO => T::ZERO.wrapping_sub(T::ONE),
        (BinaryOp::ShiftRight, None) => T::ZERO,
        (op, _) => unreachable!("{} is no shift", op.name()),
    }
}

fn integer_power<T: Integer>(base: T, exponent: T, overflow: Overflow) -> Computed<T> {
    if exponent < T::ZERO {
        return Err(Failure::NegativePower);
    }
    let multiply = |x: T, y: T| match overflow {
        Overflow::Check => or_overflow(x.checked_mul(y)),
        Overflow::Wrap => Ok(x.wrapping_mul(y)),
    };
    let (mut result, mut square) = (T::ONE, base);
    let mut left = exponent.as_i64();
    while left > 0 {
        if left & 1 == 1 {
            result = multiply(result, square)?;
        }
        left >>= 1;
        if left > 0 {
            square = multiply(square, square)?;
        }
    }
    Ok(result)
}

pub(super) fn unary(op: UnaryOp, overflow: Overflow, x: &Data) -> Computed<Data> {
    let integers = |list: &Vec<i64>| -> Computed<Vec<i64>> {
        list.iter().map(|one| integer_unary(*one, op, overflow)).collect()
    };
    let elements = match &x.elements {
        Elements::F32(list) => float_unary(op, list, Elements::F32, UnaryOp::of_f32),
        Elements::F64(list) => float_unary(op, list, Elements::F64, UnaryOp::of_f64),
        Elements::I64(list) => Elements::I64(integers(list)?),
        Elements::I32(list) => {
            let each = list.iter().map(|one| integer_unary(*one, op, Overflow::Wrap));
            Elements::I32(each.collect::<Computed<_>>()?)
        }
        Elements::U8(list) => {
            let each = list.iter().map(|one| integer_unary(*one, op, Overflow::Wrap));
            Elements::U8(each.collect::<Computed<_>>()?)
        }
        Elements::Bool(list) => match op {
            UnaryOp::LogicalNot | UnaryOp::BitNot => Elements::Bool(list.iter().map(|one| !one).collect()),
            UnaryOp::Abs => Elements::Bool(list.clone()),
            op => unreachable!("{} of bool in a verified graph", op.name()),
        },
    };
    Ok(Data::new(x.sizes.clone(), elements))
}

/// A function of floats, or a test of them.
fn float_unary<T: Copy + Into<f64>>(
    op: UnaryOp,
    list: &[T],
    wrap: fn(Vec<T>) -> Elements,
    meaning: fn(UnaryOp, T) -> Option<T>,
) -> Elements {
    match op.gives() {
        DTypeRule::Is(_) => {
            Elements::Bool(list.iter().map(|one| op.holds_for((*one).into()) == Some(true)).collect())
        }
        DTypeRule::Same(_) | DTypeRule::Drawn(..) => {
            wrap(list.iter().filter_map(|one| meaning(op, *one)).collect())
        }
    }
}

/// Both operands have the same shape: the caller broadcasts.
pub(super) fn binary(op: BinaryOp, overflow: Overflow, x: &Data, y: &Data) -> Computed<Data> {
    use BinaryOp::{BitAnd, BitOr, BitXor};
    macro_rules! pairs {
        ($left:expr, $right:expr, $wrap:path, $each:expr) => {
            $wrap($left.iter().zip($right).map(|(a, b)| $each(*a, *b)).collect())
        };
    }
    macro_rules! integers {
        ($left:expr, $right:expr, $wrap:path) => {
            match op {
                BitAnd => pairs!($left, $right, $wrap, |a, b| a & b),
                BitOr => pairs!($left, $right, $wrap, |a, b| a | b),
                BitXor => pairs!($left, $right, $wrap, |a, b| a ^ b),
                _ => {
                    let each = $left.iter().zip($right).map(|(a, b)| integer_binary(*a, *b, op, overflow));
                    $wrap(each.collect::<Computed<_>>()?)
                }
            }
        };
    }
    let elements = match (&x.elements, &y.elements) {
        (Elements::F32(a), Elements::F32(b)) => pairs!(a, b, Elements::F32, |a, b| op.of_f32(a, b)),
        (Elements::F64(a), Elements::F64(b)) => pairs!(a, b, Elements::F64, |a, b| op.of_f64(a, b)),
        (Elements::I64(a), Elements::I64(b)) => integers!(a, b, Elements::I64),
        (Elements::I32(a), Elements::I32(b)) => integers!(a, b, Elements::I32),
        (Elements::U8(a), Elements::U8(b)) => integers!(a, b, Elements::U8),
        (Elements::Bool(a), Elements::Bool(b)) => pairs!(a, b, Elements::Bool, |a, b| match op {
            BinaryOp::Mul | BitAnd | BinaryOp::Minimum => a & b,
            BitXor => a ^ b,
            BinaryOp::Add | BitOr | BinaryOp::Maximum => a | b,
            op => unreachable!("{} of bool in a verified graph", op.name()),
        }),
        _ => unreachable!("{} of two dtypes in a verified graph", op.name()),
    };
    Ok(Data::new(x.sizes.clone(), elements))
}

pub(super) fn compare(op: CompareOp, x: &Data, y: &Data) -> Data {
    fn each<T: PartialOrd>(op: CompareOp, a: &[T], b: &[T]) -> Elements {
        let holds = |(x, y): (&T, &T)| op.holds_for(x, y);
        Elements::Bool(a.iter().zip(b).map(holds).collect())
    }
    let elements = match (&x.elements, &y.elements) {
        (Elements::Bool(a), Elements::Bool(b)) => each(op, a, b),
        (Elements::U8(a), Elements::U8(b)) => each(op, a, b),
        (Elements::I32(a), Elements::I32(b)) => each(op, a, b),
        (Elements::I64(a), Elements::I64(b)) => each(op, a, b),
        (Elements::F32(a), Elements::F32(b)) => each(op, a, b),
        (Elements::F64(a), Elements::F64(b)) => each(op, a, b),
        _ => unreachable!("{} of two dtypes in a verified graph", op.name()),
    };
    Data::new(x.sizes.clone(), elements)
}

pub(super) fn select(test: &Data, x: &Data, y: &Data) -> Data {
    let Elements::Bool(tests) = &test.elements else { return x.clone() };
    let count = tests.len();
    let chosen: Vec<usize> = (0..count).filter(|place| tests[*place]).collect();
    y.put(&chosen, &x.take(vec![chosen.len()], &chosen))
}

/// `ndarray.astype`: floats truncate to integers. Out of range, NumPy's result depends on the
/// machine; here it is what x86-64 gives: the smallest integer for 32 and 64 bits, and the low byte
/// of that conversion for `u8`.
pub(super) fn cast(dtype: DType, x: &Data) -> Data {
    fn to_i64(value: f64) -> i64 {
        let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value);
        if fits { value as i64 } else { i64::MIN }
    }
    fn to_i32(value: f64) -> i32 {
        let fits = value > -2_147_483_649.0 && value < 2_147_483_648.0;
        if fits { value as i32 } else { i32::MIN }
    }
    macro_rules! from_integers {
        ($list:expr) => {
            match dtype {
                DType::Bool => Elements::Bool($list.iter().map(|one| *one != 0).collect()),
                DType::U8 => Elements::U8($list.iter().map(|one| *one as u8).collect()),
                DType::I32 => Elements::I32($list.iter().map(|one| *one as i32).collect()),
                DType::I64 => Elements::I64($list.iter().map(|one| *one as i64).collect()),
                DType::F32 => Elements::F32($list.iter().map(|one| *one as f32).collect()),
                DType::F64 => Elements::F64($list.iter().map(|one| *one as f64).collect()),
            }
        };
    }
    macro_rules! from_floats {
        ($list:expr) => {
            match dtype {
                DType::Bool => Elements::Bool($list.iter().map(|one| *one != 0.0).collect()),
                DType::U8 => Elements::U8($list.iter().map(|one| to_i32(f64::from(*one)) as u8).collect()),
                DType::I32 => Elements::I32($list.iter().map(|one| to_i32(f64::from(*one))).collect()),
                DType::I64 => Elements::I64($list.iter().map(|one| to_i64(f64::from(*one))).collect()),
                DType::F32 => Elements::F32($list.iter().map(|one| *one as f32).collect()),
                DType::F64 => Elements::F64($list.iter().map(|one| f64::from(*one)).collect()),
            }
        };
    }
    let elements = match &x.elements {
        Elements::Bool(list) => {
            let list: Vec<u8> = list.iter().map(|one| u8::from(*one)).collect();
            from_integers!(list)
        }
        Elements::U8(list) => from_integers!(list),
        Elements::I32(list) => from_integers!(list),
        Elements::I64(list) => from_integers!(list),
        Elements::F32(list) => from_floats!(list),
        Elements::F64(list) => from_floats!(list),
    };
    Data::new(x.sizes.clone(), elements)
}

/// The elements of several values, one after the other, for `concatenate`.
pub(super) fn chain(values: &[&Data]) -> Elements {
    let mut result = map_dtype!(&values[0].elements, list => list[..0].to_vec());
    for value in values {
        macro_rules! extend {
            ($($variant:ident),*) => {
                match (&mut result, &value.elements) {
                    $((Elements::$variant(all), Elements::$variant(more)) => all.extend_from_slice(more),)*
                    _ => {}
                }
            };
        }
        extend!(Bool, U8, I32, I64, F32, F64);
    }
    result
}
