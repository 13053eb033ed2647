//! Division by a power of two is multiplication by its reciprocal.
//!
//! ```text
//! %1: f64[] = constant 2.0                   %3: f64[] = constant 0.5
//! %2: f64[9] = div %0, %1             →      %2: f64[9] = mul %0, %3
//! ```
//!
//! Both round the same number, since the reciprocal is exact, so this holds to the bit: for zeros, infinities,
//! NaN and results that are subnormal too.

use ag_ir::{BinaryOp, DType, Node, Op, Overflow};

use super::Fold;

impl Fold<'_> {
    pub(super) fn divide_by_powers_of_two(&mut self, node: &mut Node, kept: &mut Vec<Node>) {
        let (Op::Binary(BinaryOp::Div, _), [x, y], [result]) =
            (&node.op, &node.operands[..], &node.results[..])
        else {
            return;
        };
        // A scalar takes the place of the divisor, which may be the larger array.
        if self.function.ty(*x) != self.function.ty(*result) {
            return;
        }
        let (x, y) = (*x, *y);
        let Some(dtype) = self.function.dtype_of(y) else { return };
        let Some(inverse) = self.float(y).and_then(|number| reciprocal(dtype, number)) else { return };
        let value = self.literal(y, inverse, node.location, kept);
        node.op = Op::Binary(BinaryOp::Mul, Overflow::Wrap);
        node.operands = vec![x, value];
    }
}

/// The reciprocal of a float of this dtype, if both are powers of two, and normal.
fn reciprocal(dtype: DType, number: f64) -> Option<f64> {
    let is_power = |number: f64| number.to_bits() & 0x000f_ffff_ffff_ffff == 0;
    let is_normal = |number: f64| match dtype {
        DType::F32 => (number as f32).is_normal(),
        _ => number.is_normal(),
    };
    let inverse = 1.0 / number;
    (is_power(number) && is_normal(number) && is_normal(inverse)).then_some(inverse)
}
