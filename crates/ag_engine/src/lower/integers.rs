//! Integer and `bool` arithmetic of two scalars.

use ag_ir::{BinaryOp, DType, Node, Op, Overflow};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use super::lowerer::Lowerer;
use super::ranges::is_exact;
use super::scalar_type::scalar_type;
use crate::error::CompileError;
use crate::runtime::calls;

impl Lowerer<'_, '_> {
    pub(super) fn binary_integer(
        &mut self,
        op: BinaryOp,
        overflow: Overflow,
        a: Value,
        b: Value,
        node: &Node,
    ) -> Option<Value> {
        let dtype = self.dtype(node.operands[0]);
        if dtype == DType::Bool {
            return match op {
                BinaryOp::Add | BinaryOp::BitOr | BinaryOp::Maximum => Some(self.builder.ins().bor(a, b)),
                BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::Minimum => Some(self.builder.ins().band(a, b)),
                BinaryOp::BitXor => Some(self.builder.ins().bxor(a, b)),
                _ => None,
            };
        }
        let is_checked = overflow == Overflow::Check && dtype == DType::I64;
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul
                if is_checked && self.is_in_known_range(op, a, b, node) =>
            {
                self.binary_integer(op, Overflow::Wrap, a, b, node)
            }
            BinaryOp::Add if is_checked => {
                let (value, has_left) = self.builder.ins().sadd_overflow(a, b);
                self.overflow_if(has_left, node.location);
                Some(value)
            }
            BinaryOp::Sub if is_checked => {
                let (value, has_left) = self.builder.ins().ssub_overflow(a, b);
                self.overflow_if(has_left, node.location);
                Some(value)
            }
            BinaryOp::Mul if is_checked => {
                let (value, has_left) = self.builder.ins().smul_overflow(a, b);
                self.overflow_if(has_left, node.location);
                Some(value)
            }
            BinaryOp::Add => Some(self.builder.ins().iadd(a, b)),
            BinaryOp::Sub => Some(self.builder.ins().isub(a, b)),
            BinaryOp::Mul => Some(self.multiply(a, b, node)),
            BinaryOp::BitAnd => Some(self.builder.ins().band(a, b)),
            BinaryOp::BitOr => Some(self.builder.ins().bor(a, b)),
            BinaryOp::BitXor => Some(self.builder.ins().bxor(a, b)),
            BinaryOp::Maximum | BinaryOp::Minimum => {
                let wins = match (op == BinaryOp::Maximum, dtype == DType::U8) {
                    (true, true) => IntCC::UnsignedGreaterThan,
                    (true, false) => IntCC::SignedGreaterThan,
                    (false, true) => IntCC::UnsignedLessThan,
                    (false, false) => IntCC::SignedLessThan,
                };
                let takes = self.builder.ins().icmp(wins, a, b);
                Some(self.builder.ins().select(takes, a, b))
            }
            BinaryOp::FloorDiv | BinaryOp::Mod | BinaryOp::Fmod => self.divide(op, is_checked, a, b, node),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !is_checked || op == BinaryOp::ShiftRight => {
                Some(self.shift(op, dtype, a, b))
            }
            _ => None,
        }
    }

    /// Whether the result stays in 64 bits, as the ranges of the operands say, or because one operand is
    /// known and the other is compared with the range in which it does: such a comparison does not depend on
    /// the arithmetic.
    fn is_in_known_range(&mut self, op: BinaryOp, a: Value, b: Value, node: &Node) -> bool {
        let ranges = [0, 1].map(|operand| self.range(node.operands[operand]));
        if is_exact(op, ranges[0], ranges[1]) {
            return true;
        }
        let known = |operand: usize| self.known.get(&node.operands[operand]).copied();
        let (other, range, known) = match (known(1), known(0)) {
            (Some(known), _) => (a, ranges[0], known),
            (None, Some(known)) if op != BinaryOp::Sub => (b, ranges[1], known),
            _ => return false,
        };
        let (low, high) = match op {
            BinaryOp::Add => (i64::MIN.saturating_sub(known.min(0)), i64::MAX.saturating_sub(known.max(0))),
            BinaryOp::Sub => (i64::MIN.saturating_add(known.max(0)), i64::MAX.saturating_add(known.min(0))),
            BinaryOp::Mul if known > 0 => (i64::MIN / known, i64::MAX / known),
            // The op needs its own overflow check.
            _ => return false,
        };
        let operand = node.operands[usize::from(other == b)];
        let of_product = self.collected.as_mut().and_then(|checks| checks.of_product(operand, [low, high]));
        if let Some((other, [low, high])) = of_product {
            let is_outside = self.is_outside(other, low, high);
            self.overflow_if(is_outside, node.location);
            return true;
        }
        let is_outside = match (low <= range.least, range.most <= high) {
            (true, true) => return true,
            (true, false) => self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, other, high),
            (false, true) => self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, other, low),
            (false, false) => self.is_outside(other, low, high),
        };
        self.overflow_if(is_outside, node.location);
        if op == BinaryOp::Mul
            && let Some(checks) = &mut self.collected
        {
            checks.note_product(node.results[0], known, other, [low, high]);
        }
        true
    }

    /// Whether a number is not between two.
    fn is_outside(&mut self, number: Value, low: i64, high: i64) -> Value {
        let from_low = self.builder.ins().iadd_imm_s(number, low.wrapping_neg());
        let width = high.wrapping_sub(low);
        self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, from_low, width)
    }

    /// Multiplies; by 3, 5 or 9 with one address computation (`lea`).
    fn multiply(&mut self, a: Value, b: Value, node: &Node) -> Value {
        let known = |operand: usize| self.known.get(&node.operands[operand]).copied();
        for (known, other) in [(known(0), b), (known(1), a)] {
            let shift = match known {
                Some(3) => 1,
                Some(5) => 2,
                Some(9) => 3,
                _ => continue,
            };
            let shifted = self.builder.ins().ishl_imm_s(other, shift);
            return self.builder.ins().iadd(other, shifted);
        }
        self.builder.ins().imul(a, b)
    }

    /// `(a * b + c) % m`: with 64 bits where they suffice, else by a function that has 128.
    pub(super) fn mul_add_mod(&mut self, node: &Node) -> Result<Value, CompileError> {
        let operands: Result<Vec<Value>, CompileError> = self.get_all(&node.operands);
        let [a, b, c, m] = operands?[..] else {
            return Err(CompileError::new("`mul_add_mod` has four operands", node.location));
        };
        let (product, product_left) = self.builder.ins().smul_overflow(a, b);
        let (sum, sum_left) = self.builder.ins().sadd_overflow(product, c);
        let has_left = self.builder.ins().bor(product_left, sum_left);
        let [narrow, wide, next] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(wide);
        let result = self.builder.append_block_param(next, types::I64);
        self.builder.ins().brif(has_left, wide, &[], narrow, &[]);
        self.builder.switch_to_block(wide);
        let value =
            self.call(calls::mul_add_mod as *const u8, &[types::I64; 4], Some(types::I64), &[a, b, c, m]);
        let value = value.unwrap_or(a);
        self.builder.ins().jump(next, &[BlockArg::Value(value)]);
        self.builder.switch_to_block(narrow);
        // The sum is natural if all operands are.
        let least = node.operands[..3].iter().copied().min_by_key(|operand| self.range(*operand).least);
        let operands = least.into_iter().chain([node.operands[3]]).collect();
        let division = Node { operands, op: Op::Binary(BinaryOp::Mod, Overflow::Check), ..node.clone() };
        let value = self.divide(BinaryOp::Mod, true, sum, m, &division).unwrap_or(sum);
        self.builder.ins().jump(next, &[BlockArg::Value(value)]);
        self.builder.switch_to_block(next);
        Ok(result)
    }

    fn shift(&mut self, op: BinaryOp, dtype: DType, a: Value, count: Value) -> Value {
        let ty = scalar_type(dtype);
        let width = i64::from(ty.bits());
        // The comparison is unsigned, so that a negative count is too large as well.
        let is_inside = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, count, width);
        let (shifted, beyond) = match (op, dtype) {
            (BinaryOp::ShiftLeft, _) => (self.builder.ins().ishl(a, count), self.int(ty, 0)),
            (_, DType::U8) => (self.builder.ins().ushr(a, count), self.int(ty, 0)),
            _ => (self.builder.ins().sshr(a, count), self.builder.ins().sshr_imm_s(a, width - 1)),
        };
        self.builder.ins().select(is_inside, shifted, beyond)
    }

    /// `//`, `%` and `fmod`. Division by zero gives 0, and division by -1 does not trap.
    fn divide(&mut self, op: BinaryOp, is_checked: bool, a: Value, b: Value, node: &Node) -> Option<Value> {
        let dtype = self.dtype(node.operands[0]);
        if dtype == DType::U8 {
            return None;
        }
        let known = self.known.get(&node.operands[1]).copied();
        if let Some(divisor) = known.filter(|divisor| *divisor > 0) {
            let is_natural = self.range(node.operands[0]).least >= 0;
            return Some(self.divide_by_known(op, a, b, divisor, is_natural));
        }
        if dtype == DType::I64 {
            return Some(self.divide_small_or_any(op, is_checked, [a, b], node));
        }
        Some(self.divide_any(op, is_checked, [a, b], node))
    }

    /// Two natural numbers of 32 bits are divided as such: the processor divides 64 bits in twice the time. They
    /// need nothing else that division needs, but for a test of the divisor.
    fn divide_small_or_any(
        &mut self,
        op: BinaryOp,
        is_checked: bool,
        [a, b]: [Value; 2],
        node: &Node,
    ) -> Value {
        let both = self.builder.ins().bor(a, b);
        let beyond = self.builder.ins().ushr_imm_u(both, 32);
        let mut is_other = self.builder.ins().icmp_imm_s(IntCC::NotEqual, beyond, 0);
        if self.range(node.operands[1]).least <= 0 {
            let is_zero = self.builder.ins().icmp_imm_s(IntCC::Equal, b, 0);
            is_other = self.builder.ins().bor(is_other, is_zero);
        }
        let [other, small, next] = [(); 3].map(|()| self.builder.create_block());
        let result = self.builder.append_block_param(next, types::I64);
        self.builder.ins().brif(is_other, other, &[], small, &[]);
        self.builder.switch_to_block(small);
        let (a32, b32) =
            (self.builder.ins().ireduce(types::I32, a), self.builder.ins().ireduce(types::I32, b));
        let value = match op {
            BinaryOp::FloorDiv => self.builder.ins().udiv(a32, b32),
            _ => self.builder.ins().urem(a32, b32),
        };
        let value = self.builder.ins().uextend(types::I64, value);
        self.builder.ins().jump(next, &[BlockArg::Value(value)]);
        self.builder.switch_to_block(other);
        let value = self.divide_any(op, is_checked, [a, b], node);
        self.builder.ins().jump(next, &[BlockArg::Value(value)]);
        self.builder.switch_to_block(next);
        result
    }

    fn divide_any(&mut self, op: BinaryOp, is_checked: bool, [a, b]: [Value; 2], node: &Node) -> Value {
        if self.range(node.operands[1]).least > 0 {
            return self.divide_by_positive(op, a, b, self.range(node.operands[0]).least >= 0);
        }
        let ty = scalar_type(self.dtype(node.operands[0]));
        let (zero, one) = (self.int(ty, 0), self.int(ty, 1));
        let is_zero = self.builder.ins().icmp(IntCC::Equal, b, zero);
        let is_minus_one = self.builder.ins().icmp_imm_s(IntCC::Equal, b, -1);
        if is_checked && op == BinaryOp::FloorDiv {
            let is_least = self.builder.ins().icmp_imm_s(IntCC::Equal, a, i64::MIN);
            let leaves = self.builder.ins().band(is_least, is_minus_one);
            self.overflow_if(leaves, node.location);
        }
        let is_special = self.builder.ins().bor(is_zero, is_minus_one);
        let divisor = self.builder.ins().select(is_special, one, b);
        let value = self.divide_plainly(op, a, divisor);
        if op != BinaryOp::FloorDiv {
            // The divisors 0 and -1 were replaced by 1: its remainder 0 is the right one for both.
            return value;
        }
        let opposite = self.builder.ins().ineg(a);
        let value = self.builder.ins().select(is_minus_one, opposite, value);
        self.builder.ins().select(is_zero, zero, value)
    }

    /// Divides by a divisor that is neither 0 nor -1.
    fn divide_plainly(&mut self, op: BinaryOp, a: Value, divisor: Value) -> Value {
        let rest = self.builder.ins().srem(a, divisor);
        if op == BinaryOp::Fmod {
            return rest;
        }
        // The processor rounds towards zero, Python down: they differ if remainder and divisor have different
        // signs.
        let signs = self.builder.ins().bxor(rest, divisor);
        let differ = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
        let is_uneven = self.builder.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
        let adjusts = self.builder.ins().band(differ, is_uneven);
        if op == BinaryOp::Mod {
            let adjusted = self.builder.ins().iadd(rest, divisor);
            return self.builder.ins().select(adjusts, adjusted, rest);
        }
        let quotient = self.builder.ins().sdiv(a, divisor);
        let lower = self.builder.ins().iadd_imm_s(quotient, -1);
        self.builder.ins().select(adjusts, lower, quotient)
    }

    /// `n // 2` is a shift and `n % 2` a mask, also for negative numbers; `n // 10` is a product.
    fn divide_by_known(&mut self, op: BinaryOp, a: Value, b: Value, divisor: i64, is_natural: bool) -> Value {
        let is_power = divisor & (divisor - 1) == 0;
        match op {
            BinaryOp::FloorDiv if is_power => {
                self.builder.ins().sshr_imm_s(a, i64::from(divisor.trailing_zeros()))
            }
            BinaryOp::Mod if is_power => self.builder.ins().band_imm_s(a, divisor - 1),
            _ => self.divide_by_positive(op, a, b, is_natural),
        }
    }

    /// The processor rounds towards zero, Python down: they differ if there is a negative remainder, which a
    /// natural number has not.
    fn divide_by_positive(&mut self, op: BinaryOp, a: Value, b: Value, is_natural: bool) -> Value {
        if op == BinaryOp::FloorDiv && is_natural {
            return self.builder.ins().sdiv(a, b);
        }
        let rest = self.builder.ins().srem(a, b);
        if op == BinaryOp::Fmod || is_natural {
            return rest;
        }
        // All ones if the remainder is negative.
        let width = i64::from(self.builder.func.dfg.value_type(a).bits());
        let sign = self.builder.ins().sshr_imm_s(rest, width - 1);
        if op == BinaryOp::Mod {
            let missing = self.builder.ins().band(sign, b);
            return self.builder.ins().iadd(rest, missing);
        }
        let quotient = self.builder.ins().sdiv(a, b);
        self.builder.ins().iadd(quotient, sign)
    }

    /// An integer as `i64`.
    pub(super) fn widen(&mut self, value: Value, dtype: DType) -> Value {
        match dtype {
            DType::I64 => value,
            DType::I32 => self.builder.ins().sextend(types::I64, value),
            _ => self.builder.ins().uextend(types::I64, value),
        }
    }
}
