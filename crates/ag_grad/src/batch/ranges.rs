//! Batched `for` loops whose ranges differ between rows: a row is active at the indices of its own range.
//!
//! ```text
//! for i in range(%n) { body }                 // of one row
//!
//! for i in range(0, max of %n) carries %rows, %all, %own {
//!   if not the same rows as before have i { put %own into %all; take those that have i }
//!   %own = body(%own)
//! }
//! ```
//!
//! So rows are aligned by the index, not by the number of iterations done. The backward pass of a `while` is
//! a `for` that counts down from a number that differs between rows; in iteration `k` it meets the rows of
//! the forward iteration `k`, whose values are on top of the tapes.

use ag_ir::{
    BinaryOp, Block, CompareOp, DType, Node, Op, Overflow, ReduceOp, TensorType, Type, UnaryOp, ValueId,
};

use super::working::{State, Working};
use super::{Arg, Batcher};
use crate::emit;
use crate::error::GradientError;

/// The bounds of a loop that differ between rows.
struct Bounds {
    start: Arg,
    stop: Arg,
    step: ValueId,
    is_up: ValueId,
}

impl Batcher<'_> {
    pub(super) fn for_loop(&mut self, node: &Node) -> Result<(), GradientError> {
        let ([body], Some((bounds, carries))) = (&node.regions[..], node.operands.split_at_checked(3)) else {
            return self.refuse("for: it has bounds and one region");
        };
        let start = self.arg(bounds[0])?;
        let stop = self.arg(bounds[1])?;
        let step = self.arg(bounds[2])?;
        if step.is_batched {
            return self.refuse_at_once("for: rows step differently through a range");
        }
        if start.is_batched || stop.is_batched {
            if self.is_faster_alone(node) {
                return self.loop_alone(node);
            }
            let bounds = Bounds { start, stop, step: step.value, is_up: step.value };
            return self.for_by_rows(node, body, carries, bounds);
        }
        let (index, params) = (body.params[0], &body.params[1..]);
        let are_batched = self.varying.are_batched(self.instance, params);
        let mut operands = vec![start.value, stop.value, step.value];
        operands.extend(self.all_leaves(carries, &are_batched)?);
        let mark = self.enter();
        self.builder.open();
        let place = self.builder.param(Type::scalar(DType::I64));
        self.bind_same(index, place);
        self.bind_params(params, &are_batched)?;
        self.nodes(body)?;
        let results = self.all_leaves(&body.results, &are_batched)?;
        let region = self.builder.close(results);
        self.leave(mark);
        let results = self.emit_with(Op::For, &operands, vec![region])?;
        self.bind_all(&node.results, &are_batched, &results)
    }

    fn for_by_rows(
        &mut self,
        node: &Node,
        body: &Block,
        carries: &[ValueId],
        bounds: Bounds,
    ) -> Result<(), GradientError> {
        let mark = self.enter();
        let params = &body.params[1..];
        let working = self.working(&[body], carries, &[params], &body.results)?;
        let changing = Self::changing(&working, carries);
        let all = self.all_leaves(&changing, &vec![true; changing.len()])?;
        let mut operands = vec![bounds.start.value, bounds.stop.value, bounds.step];
        let bounds = self.union(bounds, &mut operands)?;
        // No row is active before the first index.
        let nobody = self.nobody()?;
        let picks = self.emit(Op::Nonzero, &[nobody])?;
        let start = self.started(&working, all, picks)?;
        operands.push(nobody);
        operands.extend(start.flat());

        self.builder.open();
        let place = self.builder.param(Type::scalar(DType::I64));
        let before = self.builder.param(Type::new(DType::Bool, self.batched(&[])));
        let state = self.state_params(&working);
        let mask = self.takes_part(&bounds, place)?;
        let state = self.changed_over(&working, state, (before, mask))?;
        let state = if bounds.start.is_batched {
            // If starts differ between rows, no row may be active at some indices.
            let any = self.is_at_work(&state)?;
            let kept = state.clone();
            self.state_if(&working, any, |batcher| batcher.went_round(&working, body, place, state), kept)?
        } else {
            self.went_round(&working, body, place, state)?
        };
        let region = self.builder.close([&[mask], &state.flat()[..]].concat());
        let results = self.emit_with(Op::For, &operands, vec![region])?;
        let state = working.state(&results[1..]);
        let all = self.updated(&working, &state)?;
        self.leave(mark);
        self.bind_all(&Self::changing(&working, &node.results), &vec![true; changing.len()], &all)?;
        self.bind_kept(&working, &node.results, carries)
    }

    /// A mask that is false for all rows.
    fn nobody(&mut self) -> Result<ValueId, GradientError> {
        let ty = TensorType::new(DType::Bool, self.batched(&[]));
        let sizes = self.open_count();
        self.zeros(&ty, &sizes)
    }

    /// Switches the active rows of a loop to those of a mask; returns the new state.
    fn changed_over(
        &mut self,
        working: &Working,
        state: State,
        (before, mask): (ValueId, ValueId),
    ) -> Result<State, GradientError> {
        let differs = self.integers(BinaryOp::BitXor, before, mask)?;
        let any = self.any(differs)?;
        let kept = state.clone();
        let change = |batcher: &mut Self| {
            let all = batcher.updated(working, &state)?;
            let picks = batcher.emit(Op::Nonzero, &[mask])?;
            batcher.started(working, all, picks)
        };
        self.state_if(working, any, change, kept)
    }

    /// Emits one iteration of the active rows; returns the state after it.
    fn went_round(
        &mut self,
        working: &Working,
        body: &Block,
        place: ValueId,
        state: State,
    ) -> Result<State, GradientError> {
        let mark = self.enter();
        self.push_rows(state.picks);
        self.bind_same(body.params[0], place);
        self.bind_used(working, &state)?;
        let params = Self::changing(working, &body.params[1..]);
        self.bind_all(&params, &vec![true; params.len()], &state.own)?;
        self.nodes(body)?;
        let own = self.own_leaves(working, &Self::changing(working, &body.results))?;
        self.pop_rows();
        self.leave(mark);
        Ok(State { own, ..state })
    }

    /// The smallest range with the indices of all rows; empty if no row has any.
    fn union(&mut self, bounds: Bounds, range: &mut [ValueId]) -> Result<Bounds, GradientError> {
        let Bounds { start, stop, step, .. } = bounds;
        let zero = self.integer(0);
        let is_up = self.compare(CompareOp::Gt, step, zero)?;
        let (below, above) = (
            self.compare(CompareOp::Lt, start.value, stop.value)?,
            self.compare(CompareOp::Gt, start.value, stop.value)?,
        );
        let is_open = self.select(is_up, below, above)?;
        let (least, most) = (self.integer(i64::MIN), self.integer(i64::MAX));
        let bound = |batcher: &mut Self, value: ValueId, is_least: bool| {
            let (op, other) = if is_least { (ReduceOp::Min, most) } else { (ReduceOp::Max, least) };
            let own = batcher.select(is_open, value, other)?;
            // If there are no rows, there is no minimum.
            let other = batcher.with_axes(other, 0, 1)?;
            let all = batcher.emit(Op::Concatenate(0), &[own, other])?;
            batcher.over_all(op, all)
        };
        let (first, last) = (bound(self, start.value, true)?, bound(self, stop.value, false)?);
        let (first_down, last_down) = (bound(self, start.value, false)?, bound(self, stop.value, true)?);
        // Without any index the bounds above are the neutral elements: too far apart to be subtracted, which
        // the backward loop does.
        let any = self.any(is_open)?;
        let (first, last) = (self.select(is_up, first, first_down)?, self.select(is_up, last, last_down)?);
        range[0] = self.select(any, first, zero)?;
        range[1] = self.select(any, last, zero)?;
        if start.is_batched {
            // If starts differ between rows, every index may occur.
            range[2] = self.emit(Op::Unary(UnaryOp::Sign, Overflow::Wrap), &[step])?;
        }
        Ok(Bounds { start, stop, step, is_up })
    }

    /// The rows whose range has an index.
    fn takes_part(&mut self, bounds: &Bounds, index: ValueId) -> Result<ValueId, GradientError> {
        let (start, stop) = (bounds.start.value, bounds.stop.value);
        let between = |batcher: &mut Self, first: CompareOp, last: CompareOp| {
            let (one, other) = (batcher.compare(first, index, start)?, batcher.compare(last, index, stop)?);
            batcher.integers(BinaryOp::BitAnd, one, other)
        };
        let up = between(self, CompareOp::Ge, CompareOp::Lt)?;
        let down = between(self, CompareOp::Le, CompareOp::Gt)?;
        let mask = self.select(bounds.is_up, up, down)?;
        if !bounds.start.is_batched {
            return Ok(mask);
        }
        let distance = self.minus(index, start)?;
        let left = self.integers(BinaryOp::Mod, distance, bounds.step)?;
        let zero = self.integer(0);
        let is_met = self.compare(CompareOp::Eq, left, zero)?;
        self.integers(BinaryOp::BitAnd, mask, is_met)
    }

    pub(super) fn select(
        &mut self,
        test: ValueId,
        yes: ValueId,
        no: ValueId,
    ) -> Result<ValueId, GradientError> {
        Ok(emit::one(self.builder, Op::Select, &[test, yes, no])?)
    }
}
