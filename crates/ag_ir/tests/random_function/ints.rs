//! Sums and products of ints under a remainder or a mask.

use ag_ir::{BinaryOp, DType, Op, Overflow, TensorType, UnaryOp, ValueId};

use super::Maker;

impl Maker<'_> {
    /// A remainder or a mask of an int that may have left 64 bits, or `mul_add_mod` itself.
    pub(super) fn reduced_int(&mut self) {
        let by = self.an_int();
        if self.choices.below(4) == 0 {
            let [a, b, c] = [(); 3].map(|()| self.an_int());
            self.emit(Op::MulAddMod, &[a, b, c, by]);
            return;
        }
        let whole = self.whole_int(0);
        let op = if self.choices.below(2) == 0 { BinaryOp::Mod } else { BinaryOp::BitAnd };
        let operands = if self.choices.below(4) == 0 { [by, whole] } else { [whole, by] };
        self.emit(Op::Binary(op, Overflow::Check), &operands);
    }

    fn an_int(&mut self) -> ValueId {
        const LITERALS: [i64; 9] = [0, 1, -1, 7, 31, 1 << 20, (1 << 48) - 1, i64::MAX, i64::MIN];
        if self.choices.below(2) == 0 {
            let literal = self.choices.one_of(&LITERALS);
            return self.integer(literal);
        }
        let int = TensorType::scalar(DType::I64);
        self.of_type(&int)
    }

    /// An int made by checked ops; other nodes may use its parts only if they are bound.
    fn whole_int(&mut self, depth: usize) -> ValueId {
        let op = self.choices.one_of(&[
            BinaryOp::Mul,
            BinaryOp::Mul,
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::BitXor,
        ]);
        let operand = |maker: &mut Self| match maker.choices.below(3) {
            0 if depth < 3 => maker.whole_int(depth + 1),
            _ => maker.an_int(),
        };
        let operands = [operand(self), operand(self)];
        let made = self.builder.emit(Op::Binary(op, Overflow::Check), &operands, None);
        let mut value = made.map_or(operands[0], |results| results[0]);
        if self.choices.below(6) == 0
            && let Ok(results) = self.builder.emit(Op::Unary(UnaryOp::Neg, Overflow::Check), &[value], None)
        {
            value = results[0];
        }
        if self.choices.below(4) == 0 {
            self.bind(value);
        }
        value
    }
}
