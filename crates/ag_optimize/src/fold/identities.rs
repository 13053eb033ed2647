//! Identities that hold to the bit.
//!
//! | node | is |
//! | --- | --- |
//! | `x * 1`, `x / 1`, integer `x // 1`, integer `x ** 1` | `x` |
//! | integer `x + 0`, float `x + -0.0`, `x - 0`, `x << 0`, `x >> 0` | `x` |
//! | `x \| 0`, `x ^ 0`, `x & -1`, `x \| x`, `x & x`, `maximum(x, x)`, `minimum(x, x)` | `x` |
//! | `-(-x)` that wraps, `~~x`, `not not x` | `x` |
//! | `select(true, x, y)`, `select(c, x, x)` | `x`, broadcast if it must be |
//! | a cast to its own dtype, a broadcast, reshape, transpose or slice that does nothing | `x` |
//! | a reshape of a reshape, a transpose of a transpose, a broadcast of a broadcast | one of them |

use ag_ir::{BinaryOp, DType, Node, Op, Overflow, UnaryOp, ValueId};

use super::constants::number;
use super::{Fold, Simpler};

impl Fold<'_> {
    pub(super) fn simplify(&self, node: &Node) -> Option<Simpler> {
        let [result] = node.results[..] else { return None };
        if let Some(simpler) = self.simpler_sizes(node, result) {
            return Some(simpler);
        }
        // Unknown sizes may not fit, which must be checked, and may make the result larger.
        if node.may_fail(self.function) && self.has_unknown_sizes(node) {
            return None;
        }
        match (&node.op, &node.operands[..]) {
            (Op::Binary(op, _), [x, y]) => self.binary(*op, *x, *y, result),
            (Op::Unary(op, overflow), [x]) => self.twice(*op, *overflow, *x),
            (Op::Select, [test, x, y]) => self.select(*test, *x, *y, result),
            (Op::Reshape(shape), [x]) => self.unchanged(*x, result).or_else(|| match self.makers.get(x) {
                Some((Op::Reshape(_), inner)) => Some(Simpler::Op(Op::Reshape(shape.clone()), inner.clone())),
                _ => None,
            }),
            (Op::Broadcast(shape), [x]) => self.unchanged(*x, result).or_else(|| match self.makers.get(x) {
                Some((Op::Broadcast(_), inner)) => {
                    Some(Simpler::Op(Op::Broadcast(shape.clone()), inner.clone()))
                }
                _ => None,
            }),
            (Op::Transpose(permutation), [x]) => self.transpose(permutation, *x),
            (Op::Slice { start, step, .. }, [x])
                if start.iter().all(|first| *first == 0) && step.iter().all(|step| *step == 1) =>
            {
                self.unchanged(*x, result)
            }
            (Op::Cast(_) | Op::Concatenate(_), [x]) => self.unchanged(*x, result),
            _ => None,
        }
    }

    /// `x`, if it has the type of the result.
    pub(super) fn unchanged(&self, x: ValueId, result: ValueId) -> Option<Simpler> {
        (self.function.ty(x) == self.function.ty(result)).then_some(Simpler::Value(x))
    }

    fn binary(&self, op: BinaryOp, x: ValueId, y: ValueId, result: ValueId) -> Option<Simpler> {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Maximum, Minimum, Mul};
        let neutral = neutral(op, self.function.tensor(x).dtype);
        let is_neutral = |id: ValueId| neutral.is_some() && self.uniform(id) == neutral.as_deref();
        if is_neutral(y) || (x == y && matches!(op, BitAnd | BitOr | Maximum | Minimum)) {
            return self.unchanged(x, result);
        }
        let is_either = matches!(op, Add | Mul | BitAnd | BitOr | BitXor);
        if is_neutral(x) && is_either { self.unchanged(y, result) } else { None }
    }

    /// Cancels an op that undoes itself.
    fn twice(&self, op: UnaryOp, overflow: Overflow, x: ValueId) -> Option<Simpler> {
        let undoes = matches!(op, UnaryOp::Neg | UnaryOp::LogicalNot | UnaryOp::BitNot);
        let (inner, operands) = self.makers.get(&x)?;
        (undoes && overflow == Overflow::Wrap && *inner == Op::Unary(op, overflow))
            .then(|| Simpler::Value(operands[0]))
    }

    /// Whether an operand or the result has unknown sizes.
    pub(super) fn has_unknown_sizes(&self, node: &Node) -> bool {
        node.operands.iter().chain(&node.results).any(|id| self.function.ty(*id).has_unknown_sizes())
    }

    fn select(&self, test: ValueId, x: ValueId, y: ValueId, result: ValueId) -> Option<Simpler> {
        let picked = match self.truth(test) {
            Some(true) => x,
            Some(false) => y,
            None if x == y => x,
            None => return None,
        };
        self.unchanged(picked, result).or_else(|| {
            let ty = self.function.tensor(result);
            let broadcast = || Simpler::Op(Op::Broadcast(ty.shape.clone()), vec![picked]);
            (!ty.has_unknown_sizes()).then(broadcast)
        })
    }

    fn transpose(&self, permutation: &[usize], x: ValueId) -> Option<Simpler> {
        if permutation.iter().copied().eq(0..permutation.len()) {
            return Some(Simpler::Value(x));
        }
        let (Op::Transpose(inner), operands) = self.makers.get(&x)? else { return None };
        let composed = permutation.iter().map(|axis| inner[*axis]).collect();
        Some(Simpler::Op(Op::Transpose(composed), operands.clone()))
    }
}

/// The right operand that leaves the left one as it is.
fn neutral(op: BinaryOp, dtype: DType) -> Option<Vec<u8>> {
    use BinaryOp::{
        Add, BitAnd, BitOr, BitXor, Div, FloorDiv, Mul, Pow, ScalarPow, ShiftLeft, ShiftRight, Sub,
    };
    match op {
        Mul | Div => Some(number(dtype, 1.0)),
        Pow | ScalarPow => Some(number(dtype, 1.0)),
        FloorDiv if !dtype.is_float() => Some(number(dtype, 1.0)),
        Add if dtype.is_float() => Some(number(dtype, -0.0)),
        Add | Sub | BitOr | BitXor | ShiftLeft | ShiftRight => Some(number(dtype, 0.0)),
        BitAnd if dtype == DType::Bool => Some(vec![1]),
        BitAnd => Some(vec![0xff; dtype.size()]),
        _ => None,
    }
}
