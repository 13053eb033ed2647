//! Where to stop between the iterations of a loop, so that as few as possible are computed again.
//!
//! ```text
//! 10 units, 3 states may wait:        state 0 ──────→ 4 ────→ 7 ──→ 9     units 9, then 8, 7, … are reversed
//! ```
//!
//! - With `waiting` states, and each unit computed at most `times` times more, one can go back through
//!   `binomial(waiting + times, waiting)` units, and no plan through more (Griewank, Achieving Logarithmic
//!   Growth of Temporal and Spatial Complexity in Reverse Automatic Differentiation, 1992; Griewank and
//!   Walther, Algorithm 799: Revolve, 2000).
//! - The units after the stop then need one state less, those before it one time less.

use ag_ir::{BinaryOp, Builder, CompareOp, DType, Op, Type, ValueId};

use crate::emit;
use crate::error::GradientError;

/// How many units to compute before the next waiting state, an `i64[]`: at least one, and not all.
pub(super) fn units_before_stop(
    builder: &mut Builder,
    units: ValueId,
    waiting: ValueId,
) -> Result<ValueId, GradientError> {
    let [times, most] = least_times(builder, units, waiting)?;
    let mut integers = Integers { builder };
    let (one, both) = (integers.number(1), integers.of(BinaryOp::Add, waiting, times));
    // binomial(n - 1, k - 1) is binomial(n, k) * k / n, and binomial(n - 1, k) is binomial(n, k) * (n - k) / n.
    let after = integers.scaled(most, waiting, both);
    let before = integers.scaled(most, times, both);
    let fewer = integers.of(BinaryOp::Sub, times, one);
    let around = integers.of(BinaryOp::Sub, both, one);
    let least_before = integers.scaled(before, fewer, around);
    let rest = integers.of(BinaryOp::Sub, units, after);
    let stop = integers.of(BinaryOp::Maximum, rest, least_before);
    let stop = integers.of(BinaryOp::Maximum, stop, one);
    let last = integers.of(BinaryOp::Sub, units, one);
    Ok(integers.of(BinaryOp::Minimum, stop, last))
}

/// The least number of times, at least one, that so many units take, and `binomial(waiting + times, waiting)`.
fn least_times(
    builder: &mut Builder,
    units: ValueId,
    waiting: ValueId,
) -> Result<[ValueId; 2], GradientError> {
    let one = emit::integer(builder, 1);
    let first = emit::arithmetic(builder, BinaryOp::Add, waiting, one);
    let integer = Type::scalar(DType::I64);
    builder.open();
    let [_, most] = [0, 1].map(|_| builder.param(integer.clone()));
    let is_less = emit::one(builder, Op::Compare(CompareOp::Lt), &[most, units])?;
    let test = builder.close(vec![is_less]);
    builder.open();
    let [times, most] = [0, 1].map(|_| builder.param(integer.clone()));
    let mut integers = Integers { builder };
    let times = integers.of(BinaryOp::Add, times, one);
    let both = integers.of(BinaryOp::Add, waiting, times);
    let most = integers.scaled(most, both, times);
    let body = builder.close(vec![times, most]);
    let found = builder.emit_with_regions(Op::While, &[one, first], vec![test, body], None)?;
    Ok([found[0], found[1]])
}

/// Integer arithmetic in the graph.
struct Integers<'a> {
    builder: &'a mut Builder,
}

impl Integers<'_> {
    fn number(&mut self, number: i64) -> ValueId {
        emit::integer(self.builder, number)
    }

    fn of(&mut self, op: BinaryOp, left: ValueId, right: ValueId) -> ValueId {
        emit::arithmetic(self.builder, op, left, right)
    }

    /// `value * by // over`; `over` is at least one.
    fn scaled(&mut self, value: ValueId, by: ValueId, over: ValueId) -> ValueId {
        let product = self.of(BinaryOp::Mul, value, by);
        let one = self.number(1);
        let over = self.of(BinaryOp::Maximum, over, one);
        self.of(BinaryOp::FloorDiv, product, over)
    }
}
