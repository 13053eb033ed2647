//! What the carries of loops can be, which says what the indices made of them can be (see `value_ranges.rs`).
//!
//! ```text
//! j = i - 1                           // 0 <= j <= n - 2
//! while j >= 0 and x[j] > v:          // the body: j <= n - 2, since it only falls, and j >= 0
//!     j -= 1
//! ```
//!
//! - A carry to which an iteration adds constants only, whichever branches it takes, goes one way, or both
//!   ways by no more than the iterations of a run: nobody waits for 2^60 of them (a quarter of a nanosecond
//!   each is nine years).
//! - In the body a carry is what it was before the loop, where the test held then, or what an iteration has
//!   made, where the test held after it.

use std::collections::HashMap;

use ag_ir::{BinaryOp, Op, ValueId};

use super::lowerer::Lowerer;
use super::ranges::Range;

/// No run makes more iterations.
const MOST_ITERATIONS: i64 = 1 << 60;

impl Lowerer<'_, '_> {
    /// The ranges of the carries of a loop: `carries` before it, `params` and `results` of its body. `test`
    /// is the number of the carry that says whether the loop goes on.
    pub(super) fn set_carry_ranges(
        &mut self,
        carries: &[ValueId],
        (params, results): (&[ValueId], &[ValueId]),
        test: Option<usize>,
    ) -> Vec<Range> {
        let range = |carry: usize| self.carry_range(carries[carry], params[carry], results[carry]);
        let all: Vec<Range> = (0..carries.len()).map(range).collect();
        let mark = self.ranges.mark();
        if let Some(test) = test {
            self.assume(carries[test], true);
        }
        let first = self.ranges_of(carries);
        self.ranges.forget(mark);
        for (result, range) in results.iter().zip(&all) {
            if self.ranges.get(*result).is_none() && self.is_integer(*result) {
                self.ranges.narrow(*result, *range);
            }
        }
        if let Some(test) = test {
            self.assume(results[test], true);
        }
        let later = self.ranges_of(results);
        self.ranges.forget(mark);
        for (carry, param) in params.iter().enumerate() {
            if self.is_integer(*param) {
                self.set_range(*param, all[carry].and(first[carry].or(later[carry])));
            }
        }
        all
    }

    /// Of a carry after a loop: it is what it was, or what the last iteration made. `all` is what
    /// `set_carry_ranges` gave.
    pub(super) fn set_result_ranges(
        &mut self,
        results: &[ValueId],
        (carries, last): (&[ValueId], &[ValueId]),
        all: &[Range],
    ) {
        for (number, result) in results.iter().enumerate() {
            if self.is_integer(*result) {
                let range = self.range(carries[number]).or(self.range(last[number]));
                self.set_range(*result, all[number].and(range));
            }
        }
    }

    /// What a test that holds says of a loop's carries says it of the parameters of its body.
    pub(super) fn narrow_params(&mut self, test: ValueId, of_test: &[ValueId], of_body: &[ValueId]) {
        let mark = self.ranges.mark();
        self.assume(test, true);
        let ranges = self.ranges_of(of_test);
        self.ranges.forget(mark);
        for (param, range) in of_body.iter().zip(ranges) {
            if self.is_integer(*param) {
                self.set_range(*param, self.range(*param).and(range));
            }
        }
    }

    /// What a carry can be at any time.
    fn carry_range(&self, carry: ValueId, param: ValueId, result: ValueId) -> Range {
        if !self.is_integer(param) {
            return Range::ALL;
        }
        let (start, within) = (self.range(carry), Range::of(self.dtype(param)));
        let Some((down, up)) = self.change(result, param, &mut HashMap::new()) else { return within };
        let far = |step: i64| i128::from(step) * i128::from(MOST_ITERATIONS);
        let (least, most) =
            (i128::from(start.least) + far(down.min(0)), i128::from(start.most) + far(up.max(0)));
        Range::between(least, most, within).unwrap_or(within)
    }

    /// The least and the most that is added to `param` to make a value, if that is constants only; in each
    /// iteration of loops within, too.
    fn change(
        &self,
        value: ValueId,
        param: ValueId,
        known: &mut HashMap<ValueId, Option<(i64, i64)>>,
    ) -> Option<(i64, i64)> {
        if value == param {
            return Some((0, 0));
        }
        if let Some(change) = known.get(&value) {
            return *change;
        }
        // Nothing is known of a value that is looked at while it is looked at.
        known.insert(value, None);
        let change = self.change_of_node(value, param, known);
        known.insert(value, change);
        change
    }

    fn change_of_node(
        &self,
        value: ValueId,
        param: ValueId,
        known: &mut HashMap<ValueId, Option<(i64, i64)>>,
    ) -> Option<(i64, i64)> {
        let node = self.maker(value)?;
        let number = node.results.iter().position(|result| *result == value)?;
        let plus = |(down, up): (i64, i64), (least, most): (i64, i64)| {
            Some((down.checked_add(least)?, up.checked_add(most)?))
        };
        let widest = |one: (i64, i64), other: (i64, i64)| (one.0.min(other.0), one.1.max(other.1));
        match &node.op {
            Op::Binary(BinaryOp::Add, _) => {
                let [a, b] = [node.operands[0], node.operands[1]];
                let (from, by) = match self.literal_of(b) {
                    Some(by) => (a, by),
                    None => (b, self.literal_of(a)?),
                };
                plus(self.change(from, param, known)?, (by, by))
            }
            Op::Binary(BinaryOp::Sub, _) => {
                let by = self.literal_of(node.operands[1])?.checked_neg()?;
                plus(self.change(node.operands[0], param, known)?, (by, by))
            }
            Op::Select => {
                let one = self.change(node.operands[1], param, known)?;
                Some(widest(one, self.change(node.operands[2], param, known)?))
            }
            Op::If => {
                let one = self.change(node.regions[0].results[number], param, known)?;
                Some(widest(one, self.change(node.regions[1].results[number], param, known)?))
            }
            Op::While | Op::For => {
                let is_for = usize::from(node.op == Op::For);
                let body = node.regions.last()?;
                let start = self.change(node.operands[number + 3 * is_for], param, known)?;
                let inner = body.params[number + is_for];
                let (down, up) = self.change(body.results[number], inner, &mut HashMap::new())?;
                plus(start, (down.min(0), up.max(0)))
            }
            _ => None,
        }
    }
}
