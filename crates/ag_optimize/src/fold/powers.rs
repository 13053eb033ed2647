//! An array raised to a known number is a product, a root or a reciprocal.
//!
//! ```text
//! %1: f64[] = constant 3.0                   %3: f64[9] = mul %0, %0
//! %2: f64[9] = scalar_pow %0, %1      →      %2: f64[9] = mul %3, %0
//! ```
//!
//! It holds to the bit, since the op is defined so (`ag_ir/src/functions.rs`): 2, 0.5 and -1 as NumPy has them.

use ag_ir::{BinaryOp, Node, Op, Overflow, UnaryOp, ValueId};

use super::Fold;

impl Fold<'_> {
    pub(super) fn expand_powers(&mut self, node: &mut Node, kept: &mut Vec<Node>) {
        let (Op::Binary(BinaryOp::ScalarPow, _), [x, y], [result]) =
            (&node.op, &node.operands[..], &node.results[..])
        else {
            return;
        };
        let (x, result, Some(exponent)) = (*x, *result, self.float(*y)) else { return };
        if self.unchanged(x, result).is_none() {
            return;
        }
        let times = Op::Binary(BinaryOp::Mul, Overflow::Wrap);
        let (op, operands) = match exponent {
            2.0 => (times, vec![x, x]),
            3.0 => (times, vec![self.squared(x, node, kept), x]),
            4.0 => {
                let square = self.squared(x, node, kept);
                (times, vec![square, square])
            }
            0.5 => (Op::Unary(UnaryOp::Sqrt, Overflow::Wrap), vec![x]),
            -1.0 => {
                let one = self.literal(*y, 1.0, node.location, kept);
                (Op::Binary(BinaryOp::Div, Overflow::Wrap), vec![one, x])
            }
            _ => return,
        };
        (node.op, node.operands) = (op, operands);
    }

    /// A new node, `x * x`.
    fn squared(&mut self, x: ValueId, node: &Node, kept: &mut Vec<Node>) -> ValueId {
        let square = self.function.new_value(self.function.ty(x).clone());
        kept.push(Node {
            op: Op::Binary(BinaryOp::Mul, Overflow::Wrap),
            operands: vec![x, x],
            results: vec![square],
            regions: Vec::new(),
            location: node.location,
        });
        square
    }
}
