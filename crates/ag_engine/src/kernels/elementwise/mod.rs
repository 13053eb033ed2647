//! Element-wise functions as loops over dense tiles.

mod binary;
mod cast;
#[cfg(test)]
mod exact;
mod functions;
mod number;
mod sides;
mod unary;
mod versions;

pub(crate) use binary::{binary, compare, select};
pub(crate) use cast::cast;
pub(crate) use number::{Float, Number};
pub(crate) use sides::Sides;
pub(crate) use unary::unary;
pub(crate) use versions::{ScalarFn, TileFn};

use ag_ir::{DType, Op};

use crate::isa::Isa;

/// The loop of an element-wise op whose operand (for `where`: the second one) has this type. None if the op
/// is not defined on the type, or is not element-wise.
pub(crate) fn function_of(op: &Op, dtype: DType, isa: Isa) -> Option<TileFn> {
    match op {
        Op::Unary(op, overflow) => unary(*op, *overflow, dtype, isa),
        Op::Binary(op, overflow) => binary(*op, *overflow, dtype, isa),
        Op::Compare(op) => Some(compare(*op, dtype, isa)),
        Op::Select => Some(select(dtype.size(), isa)),
        Op::Cast(to) => Some(cast(dtype, *to, isa)),
        _ => None,
    }
}

/// The other loops of an op on operands of this type, from the sides of the first operand and the second.
pub(crate) fn sides_of(op: &Op, dtype: DType, isa: Isa) -> [Sides; 2] {
    match op {
        Op::Binary(op, _) => binary::sides(*op, dtype, isa),
        Op::Compare(op) => binary::sides_of_comparison(*op, dtype, isa),
        _ => Default::default(),
    }
}

/// The function of scalars of an op that gives a float of its operands, which are floats of this type: the
/// bits of [`function_of`]. None of other ops.
pub(crate) fn scalar_function_of(op: &Op, dtype: DType, isa: Isa) -> Option<ScalarFn> {
    match op {
        Op::Unary(op, _) => unary::unary_scalar(*op, dtype, isa),
        Op::Binary(op, _) => binary::binary_scalar(*op, dtype, isa),
        _ => None,
    }
}

/// Whether an element-wise op on elements of this type can fail.
pub(crate) const fn can_fail(op: &Op, dtype: DType) -> bool {
    op.is_elementwise() && op.may_fail(Some(dtype))
}
