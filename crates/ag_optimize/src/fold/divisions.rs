//! Division by a power of two is multiplication by its reciprocal.
//!
//! ```text
//! %1: f64[] = constant 2.0                   %3: f64[] = constant 0.5
//! %2: f64[9] = div %0, %1             →      %2: f64[9] = mul %0, %3
//! ```
//!
//! Both round the same number, since the reciprocal is exact, so this holds to the bit: for zeros, infinities,
//! NaN and results that are subnormal too.

use ag_ir::{BinaryOp, Constant, DType, Node, Op, Overflow, Type};

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
        let Some((dtype, bytes)) = self.uniform(*y).and_then(reciprocal) else { return };
        let x = *x;
        let value = self.function.new_value(Type::scalar(dtype));
        let constant = Constant { dtype, sizes: Vec::new(), bytes: bytes.into() };
        self.constants.insert(value, constant.clone());
        kept.push(Node {
            op: Op::Constant(constant),
            operands: Vec::new(),
            results: vec![value],
            regions: Vec::new(),
            location: node.location,
        });
        node.op = Op::Binary(BinaryOp::Mul, Overflow::Wrap);
        node.operands = vec![x, value];
    }
}

/// The bytes of the reciprocal of a float, if both are powers of two, and normal.
fn reciprocal(bytes: &[u8]) -> Option<(DType, Vec<u8>)> {
    match *bytes {
        [a, b, c, d] => {
            let number = f32::from_ne_bytes([a, b, c, d]);
            let is_power = number.to_bits() & 0x007f_ffff == 0 && number.is_normal();
            let inverse = 1.0 / number;
            (is_power && inverse.is_normal()).then(|| (DType::F32, inverse.to_ne_bytes().to_vec()))
        }
        [a, b, c, d, e, f, g, h] => {
            let number = f64::from_ne_bytes([a, b, c, d, e, f, g, h]);
            let is_power = number.to_bits() & 0x000f_ffff_ffff_ffff == 0 && number.is_normal();
            let inverse = 1.0 / number;
            (is_power && inverse.is_normal()).then(|| (DType::F64, inverse.to_ne_bytes().to_vec()))
        }
        _ => None,
    }
}
