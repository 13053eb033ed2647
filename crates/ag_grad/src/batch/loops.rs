//! Batched loops that rows leave at different times: each iteration runs on the rows that have not left.
//!
//! ```text
//! while test(%x) { body }                     // of one row
//!
//! %rows: i64[?] = nonzero test(%x)
//! while %rows, %all, %own test { size of %rows > 0 } body {
//!   %own = body(%own)
//!   if not all of test(%own) { put %own into %all; go on with those whose test holds }
//! }
//! ```

use ag_ir::{Block, Node, Op, Overflow, UnaryOp, ValueId};

use super::Batcher;
use super::working::{State, Working};
use crate::error::GradientError;

impl Batcher<'_> {
    pub(super) fn while_loop(&mut self, node: &Node) -> Result<(), GradientError> {
        let [test, body] = &node.regions[..] else { return self.refuse("while: it has two regions") };
        let are_batched = self.varying.are_batched(self.instance, &body.params);
        if self.varying.is_batched(self.instance, test.results[0]) {
            if self.is_faster_alone(node) {
                return self.loop_alone(node);
            }
            return self.while_by_rows(node, test, body);
        }
        let operands = self.all_leaves(&node.operands, &are_batched)?;
        let mark = self.enter();
        self.builder.open();
        self.bind_params(&test.params, &are_batched)?;
        self.nodes(test)?;
        let goes_on = self.same(test.results[0])?;
        let test = self.builder.close(vec![goes_on]);
        self.leave(mark);
        self.builder.open();
        self.bind_params(&body.params, &are_batched)?;
        self.nodes(body)?;
        let results = self.all_leaves(&body.results, &are_batched)?;
        let body = self.builder.close(results);
        self.leave(mark);
        let results = self.emit_with(Op::While, &operands, vec![test, body])?;
        self.bind_all(&node.results, &are_batched, &results)
    }

    fn while_by_rows(&mut self, node: &Node, test: &Block, body: &Block) -> Result<(), GradientError> {
        let mark = self.enter();
        let params = [&test.params[..], &body.params];
        let working = self.working(&[test, body], &node.operands, &params, &body.results)?;
        let carries = Self::changing(&working, &node.operands);
        let all = self.all_leaves(&carries, &vec![true; carries.len()])?;
        let mask = self.still_in(&working, test, &all)?;
        let picks = self.emit(Op::Nonzero, &[mask])?;
        let start = self.started(&working, all, picks)?;

        self.builder.open();
        let state = self.state_params(&working);
        let goes_on = self.is_at_work(&state)?;
        let test_region = self.builder.close(vec![goes_on]);

        self.builder.open();
        let state = self.state_params(&working);
        let next = self.worked(&working, test, body, state)?;
        let body_region = self.builder.close(next.flat());
        self.leave(mark);
        let results = self.emit_with(Op::While, &start.flat(), vec![test_region, body_region])?;
        let results = working.state(&results).all;
        self.bind_all(&Self::changing(&working, &node.results), &vec![true; carries.len()], &results)?;
        self.bind_kept(&working, &node.results, &node.operands)
    }

    /// The active rows for which the loop's test is true.
    fn still_in(
        &mut self,
        working: &Working,
        test: &Block,
        carries: &[ValueId],
    ) -> Result<ValueId, GradientError> {
        let mark = self.enter();
        let params = Self::changing(working, &test.params);
        self.bind_all(&params, &vec![true; params.len()], carries)?;
        self.nodes(test)?;
        let mask = self.in_rows(test.results[0])?[0];
        self.leave(mark);
        Ok(mask)
    }

    /// Emits one iteration; returns the state after it.
    fn worked(
        &mut self,
        working: &Working,
        test: &Block,
        body: &Block,
        state: State,
    ) -> Result<State, GradientError> {
        let mark = self.enter();
        self.push_rows(state.picks);
        self.bind_used(working, &state)?;
        let params = Self::changing(working, &body.params);
        self.bind_all(&params, &vec![true; params.len()], &state.own)?;
        self.nodes(body)?;
        let own = self.own_leaves(working, &Self::changing(working, &body.results))?;
        let mask = self.still_in(working, test, &own)?;
        self.pop_rows();
        self.leave(mark);
        let state = State { own, ..state };
        let some_leave = self.any_not(mask)?;
        let before = state.clone();
        let next = |batcher: &mut Self| {
            let all = batcher.updated(working, &state)?;
            let left = batcher.emit(Op::Nonzero, &[mask])?;
            let picks = batcher.picked(&[state.picks], left)?[0];
            let (own, used) = (batcher.picked(&state.own, left)?, batcher.picked(&state.used, left)?);
            Ok(State { picks, all, own, used })
        };
        self.state_if(working, some_leave, next, before)
    }

    /// Whether a mask is false for any row.
    pub(super) fn any_not(&mut self, mask: ValueId) -> Result<ValueId, GradientError> {
        let no = self.emit(Op::Unary(UnaryOp::LogicalNot, Overflow::Wrap), &[mask])?;
        self.any(no)
    }
}
