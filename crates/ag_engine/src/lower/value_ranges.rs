//! What integers can be: the least and the greatest number, from how a value is made and from the tests on
//! the way to it.
//!
//! ```text
//! for i in range(1, n):               // 1 <= i <= n - 1
//!     j = i - 1                       // 0 <= j <= n - 2
//!     while j >= 0 and x[j] > v:      // j only falls: j <= n - 2; in the body j >= 0, too
//!         x[j + 1] = x[j]
//!         j -= 1
//! ```
//!
//! An index within the array is not compared with its bounds, one that is not negative does not count from
//! the end, and a sum within 64 bits is not checked.
//!
//! A range is of a value wherever it is used. What a test says narrows it in the region that the test leads
//! to. Those of the carries of loops are in `carry_ranges.rs`.

use ag_ir::{BinaryOp, CompareOp, DType, Identity, ListOp, Node, Op, Overflow, UnaryOp, ValueId};

use super::lowerer::Lowerer;
use super::ranges::{Range, binary, clamped};

/// How many tests are looked at that one test is made of.
const MOST_TESTS: usize = 64;

impl Lowerer<'_, '_> {
    /// What a value can be.
    pub(super) fn range(&self, value: ValueId) -> Range {
        let literal = || self.literal_of(value).map(Range::one);
        let known = self.known.get(&value).copied().map(Range::one);
        known
            .or_else(|| self.ranges.get(value))
            .or_else(literal)
            .unwrap_or_else(|| self.tree.function.dtype_of(value).map_or(Range::ALL, Range::of))
    }

    pub(super) fn set_range(&mut self, value: ValueId, range: Range) {
        self.ranges.set(value, range);
    }

    pub(super) fn maker(&self, value: ValueId) -> Option<&Node> {
        self.tree.maker(value).map(|(block, index)| self.tree.node(block, index))
    }

    /// The integer of a literal, also of one for which no code has been generated yet.
    pub(super) fn literal_of(&self, value: ValueId) -> Option<i64> {
        match &self.maker(value)?.op {
            Op::Constant(constant) if constant.dtype == DType::I64 => {
                constant.bytes[..].try_into().ok().map(i64::from_ne_bytes)
            }
            _ => None,
        }
    }

    /// What a node's integer can be, from its operands.
    pub(super) fn note_range(&mut self, node: &Node) {
        let [result] = node.results[..] else { return };
        let Some(dtype) = self.tree.function.dtype_of(result) else { return };
        if dtype.is_float() || !self.is_scalar(result) {
            return;
        }
        let range = |operand: usize| self.range(node.operands[operand]);
        let made = match &node.op {
            Op::Size(_) | Op::List(ListOp::Length | ListOp::LengthIn) => {
                Some(Range { least: 0, most: i64::MAX })
            }
            Op::Binary(op, overflow) => {
                let within = Range::of(dtype);
                match binary(*op, range(0), range(1), within) {
                    // What leaves 64 bits fails.
                    None if *overflow == Overflow::Check && dtype == DType::I64 => {
                        clamped(*op, range(0), range(1))
                    }
                    made => made,
                }
            }
            Op::Unary(UnaryOp::Neg, _) => {
                let a = range(0);
                Range::between(-i128::from(a.most), -i128::from(a.least), Range::of(dtype))
            }
            Op::Select => Some(range(1).or(range(2))),
            Op::MulAddMod => binary(BinaryOp::Mod, Range::ALL, range(3), Range::ALL),
            Op::Cast(_) | Op::Identity(Identity::Plain) => {
                let from = self.tree.function.dtype_of(node.operands[0]);
                let is_integer =
                    from.is_some_and(|from| !from.is_float()) && self.is_scalar(node.operands[0]);
                Some(range(0)).filter(|range| is_integer && range.is_within(Range::of(dtype)))
            }
            _ => None,
        };
        if let Some(made) = made {
            self.set_range(result, made);
        }
    }

    /// What a comparison of integers gives, if their ranges say it.
    pub(super) fn truth_of(&self, op: CompareOp, node: &Node) -> Option<bool> {
        let [a, b] = node.operands[..] else { return None };
        if !self.is_integer(a) || !self.is_integer(b) {
            return None;
        }
        let (a, b) = (self.range(a), self.range(b));
        let is_apart = a.most < b.least || b.most < a.least;
        match op {
            CompareOp::Lt => decided(a.most < b.least, a.least >= b.most),
            CompareOp::Le => decided(a.most <= b.least, a.least > b.most),
            CompareOp::Gt => decided(a.least > b.most, a.most <= b.least),
            CompareOp::Ge => decided(a.least >= b.most, a.most < b.least),
            CompareOp::Eq => decided(false, is_apart),
            CompareOp::Ne => decided(is_apart, false),
        }
    }

    /// Whether a condition is known to hold, as a literal or by the ranges of what it compares.
    pub(super) fn surely_holds(&self, condition: ValueId) -> bool {
        let Some(node) = self.maker(condition) else { return false };
        match &node.op {
            Op::Compare(op) => self.truth_of(*op, node) == Some(true),
            _ => self.bool_of(condition) == Some(true),
        }
    }

    /// Narrows ranges by a test, until they are forgotten.
    pub(super) fn assume(&mut self, test: ValueId, holds: bool) {
        self.assume_with(test, holds, &mut { MOST_TESTS });
    }

    /// As [`Self::assume`]; `left` is how many more tests that it is made of are looked at.
    fn assume_with(&mut self, test: ValueId, holds: bool, left: &mut usize) {
        let Some((block, index)) = self.tree.maker(test).filter(|_| *left > 0) else { return };
        *left -= 1;
        let node = self.tree.node(block, index);
        match &node.op {
            Op::Compare(op) if self.tree.function.dtype_of(node.operands[0]) == Some(DType::I64) => {
                self.assume_compared(
                    if holds { *op } else { opposite(*op) },
                    node.operands[0],
                    node.operands[1],
                );
            }
            Op::Unary(UnaryOp::LogicalNot, _) => self.assume_with(node.operands[0], !holds, left),
            Op::Binary(BinaryOp::BitAnd, _) if holds => {
                node.operands.iter().for_each(|operand| self.assume_with(*operand, true, left));
            }
            Op::Binary(BinaryOp::BitOr, _) if !holds => {
                node.operands.iter().for_each(|operand| self.assume_with(*operand, false, left));
            }
            Op::If => self.assume_chosen(node, test, holds, left),
            _ => {}
        }
    }

    /// `a and b` is a branch on `a`; so is `a or b`.
    fn assume_chosen(&mut self, node: &Node, test: ValueId, holds: bool, left: &mut usize) {
        let Some(number) = node.results.iter().position(|result| *result == test) else { return };
        let [then, otherwise] = [0, 1].map(|region: usize| node.regions[region].results[number]);
        let condition = node.operands[0];
        // What a branch yields where it is known: its condition is true in one branch and false in the other.
        let yields = |value: ValueId, in_branch: bool| match value == condition {
            true => Some(in_branch),
            false => self.bool_of(value),
        };
        let is_then_possible = yields(then, true) != Some(!holds);
        let is_else_possible = yields(otherwise, false) != Some(!holds);
        match (is_then_possible, is_else_possible) {
            (true, false) => {
                self.assume_with(condition, true, left);
                self.assume_with(then, holds, left);
            }
            (false, true) => {
                self.assume_with(condition, false, left);
                self.assume_with(otherwise, holds, left);
            }
            _ if then == otherwise => self.assume_with(then, holds, left),
            _ => {}
        }
    }

    /// The truth of a literal, also of one for which no code has been generated yet.
    pub(super) fn bool_of(&self, value: ValueId) -> Option<bool> {
        match &self.maker(value)?.op {
            Op::Constant(constant) if constant.dtype == DType::Bool => {
                constant.bytes.first().map(|byte| *byte != 0)
            }
            _ => None,
        }
    }

    fn assume_compared(&mut self, op: CompareOp, a: ValueId, b: ValueId) {
        let (one, other) = (self.range(a), self.range(b));
        let below = |most: i64| Range { least: i64::MIN, most };
        let above = |least: i64| Range { least, most: i64::MAX };
        let (of_a, of_b) = match op {
            CompareOp::Lt => (below(other.most.saturating_sub(1)), above(one.least.saturating_add(1))),
            CompareOp::Le => (below(other.most), above(one.least)),
            CompareOp::Gt => (above(other.least.saturating_add(1)), below(one.most.saturating_sub(1))),
            CompareOp::Ge => (above(other.least), below(one.most)),
            CompareOp::Eq => (other, one),
            CompareOp::Ne => return,
        };
        self.ranges.narrow(a, one.and(of_a));
        self.ranges.narrow(b, other.and(of_b));
    }

    /// The indices of a `for` loop.
    pub(super) fn set_index_range(&mut self, index: ValueId, bounds: [ValueId; 3]) {
        let [start, stop, step] = bounds.map(|bound| self.range(bound));
        if step.least > 0 {
            self.set_range(index, Range { least: start.least, most: stop.most.saturating_sub(1) });
        } else if step.most < 0 {
            self.set_range(index, Range { least: stop.least.saturating_add(1), most: start.most });
        }
    }

    pub(super) fn is_integer(&self, value: ValueId) -> bool {
        self.is_scalar(value) && !self.dtype(value).is_float()
    }

    /// The ranges of values.
    pub(super) fn ranges_of(&self, values: &[ValueId]) -> Vec<Range> {
        values.iter().map(|value| self.range(*value)).collect()
    }

    /// The results of a branch are those of one region or of the other.
    pub(super) fn set_branch_ranges(&mut self, results: &[ValueId], then: &[Range], otherwise: &[Range]) {
        for (result, (one, other)) in results.iter().zip(then.iter().zip(otherwise)) {
            if self.is_integer(*result) {
                self.set_range(*result, one.or(*other));
            }
        }
    }
}

/// True, false or unknown.
const fn decided(is_true: bool, is_false: bool) -> Option<bool> {
    match (is_true, is_false) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

const fn opposite(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
        CompareOp::Lt => CompareOp::Ge,
        CompareOp::Ge => CompareOp::Lt,
        CompareOp::Gt => CompareOp::Le,
        CompareOp::Le => CompareOp::Gt,
    }
}
