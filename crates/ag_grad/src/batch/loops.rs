//! Loops that rows leave at different times: an iteration runs on the rows that are still in.
//!
//! ```text
//! while test(%x) { body }                     // of one row
//!
//! %rows: i64[?] = nonzero test(%x)
//! while %x, %rows test { size of %rows > 0 } body {
//!   body and test of gather %x, %rows
//!   … scatter to %x; the rows whose test holds go on
//! }
//! ```
//!
//! A `for` whose bounds differ between rows runs over all indices that any row has, and a row takes part
//! at those of its own. So rows are aligned by the index and not by how often they have gone round: the
//! backward pass of a `while` is a `for` that counts down from what differs between rows, and meets in
//! iteration `k` the rows of the forward iteration `k`, whose values are on top of the tapes.

use ag_ir::{BinaryOp, Block, CompareOp, DType, Node, Op, ReduceOp, Type, UnaryOp, ValueId};

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
    pub(super) fn while_loop(&mut self, node: &Node) -> Result<(), GradientError> {
        let [test, body] = &node.regions[..] else { return self.refuse("while: it has two regions") };
        let are_batched = self.varying.are_batched(self.instance, &body.params);
        if self.varying.is_batched(self.instance, test.results[0]) {
            return self.while_by_rows(node, test, body, &are_batched);
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

    fn while_by_rows(
        &mut self,
        node: &Node,
        test: &Block,
        body: &Block,
        are_batched: &[bool],
    ) -> Result<(), GradientError> {
        let mut operands = self.all_leaves(&node.operands, are_batched)?;
        let mark = self.enter();
        self.bind_all(&test.params, are_batched, &operands)?;
        self.nodes(test)?;
        let mask = self.in_rows(test.results[0])?[0];
        self.leave(mark);
        operands.push(self.emit(Op::Nonzero, &[mask])?);
        let rows_type = Type::new(DType::I64, vec![ag_ir::Dim::Unknown]);

        self.builder.open();
        for ty in self.all_types(&body.params, are_batched) {
            self.builder.param(ty);
        }
        let picks = self.builder.param(rows_type.clone());
        let (count, zero) = (self.size_of(picks, 0), self.integer(0));
        let goes_on = self.compare(CompareOp::Gt, count, zero)?;
        let test_region = self.builder.close(vec![goes_on]);

        self.builder.open();
        let params = self.bind_params(&body.params, are_batched)?;
        let picks = self.builder.param(rows_type);
        self.push_rows(picks);
        self.nodes(body)?;
        let rows = self.all_leaves(&body.results, are_batched)?;
        self.bind_all(&test.params, are_batched, &rows)?;
        self.nodes(test)?;
        let mask = self.in_rows(test.results[0])?[0];
        let left = self.emit(Op::Nonzero, &[mask])?;
        self.pop_rows();
        let mut results = self.put_all(body, &body.params, are_batched, picks, (&params, &rows))?;
        results.push(self.picked(&[picks], left)?[0]);
        self.leave(mark);
        let body_region = self.builder.close(results);
        let results = self.emit_with(Op::While, &operands, vec![test_region, body_region])?;
        self.bind_all(&node.results, are_batched, &results)
    }

    /// The carries after an iteration of some rows.
    fn put_all(
        &mut self,
        body: &Block,
        carries: &[ValueId],
        are_batched: &[bool],
        picks: ValueId,
        (before, rows): (&[ValueId], &[ValueId]),
    ) -> Result<Vec<ValueId>, GradientError> {
        let (mut results, mut at) = (Vec::new(), 0);
        for (number, carry) in carries.iter().enumerate() {
            let end = at + self.width(*carry, are_batched[number]);
            if body.results[number] == *carry {
                results.extend(&before[at..end]);
            } else if are_batched[number] {
                let ty = self.builder.function().ty(*carry).clone();
                results.extend(self.put(&ty, &before[at..end], picks, &rows[at..end])?);
            } else {
                results.extend(&rows[at..end]);
            }
            at = end;
        }
        Ok(results)
    }

    pub(super) fn for_loop(&mut self, node: &Node) -> Result<(), GradientError> {
        let ([body], Some((bounds, carries))) = (&node.regions[..], node.operands.split_at_checked(3)) else {
            return self.refuse("for: it has bounds and one region");
        };
        let (index, params) = (body.params[0], &body.params[1..]);
        let are_batched = self.varying.are_batched(self.instance, params);
        let start = self.arg(bounds[0])?;
        let stop = self.arg(bounds[1])?;
        let step = self.arg(bounds[2])?;
        if step.is_batched {
            return self.refuse_at_once("for: rows step differently through a range");
        }
        let by_rows = start.is_batched || stop.is_batched;
        let bounds = Bounds { start, stop, step: step.value, is_up: step.value };
        let mut operands = vec![start.value, stop.value, step.value];
        let bounds = if by_rows { self.union(bounds, &mut operands)? } else { bounds };
        operands.extend(self.all_leaves(carries, &are_batched)?);
        let mark = self.enter();
        self.builder.open();
        let place = self.builder.param(Type::scalar(DType::I64));
        self.bind_same(index, place);
        let entered = self.bind_params(params, &are_batched)?;
        let results = if by_rows {
            let mask = self.takes_part(&bounds, place)?;
            self.turn(body, &are_batched, mask, &entered, start.is_batched)?
        } else {
            self.nodes(body)?;
            self.all_leaves(&body.results, &are_batched)?
        };
        let region = self.builder.close(results);
        self.leave(mark);
        let results = self.emit_with(Op::For, &operands, vec![region])?;
        self.bind_all(&node.results, &are_batched, &results)
    }

    /// An iteration of the rows for which a mask holds; there may be none if `is_sparse`.
    fn turn(
        &mut self,
        body: &Block,
        are_batched: &[bool],
        mask: ValueId,
        entered: &[ValueId],
        is_sparse: bool,
    ) -> Result<Vec<ValueId>, GradientError> {
        let mark = self.enter();
        let any = if is_sparse { Some(self.any(mask)?) } else { None };
        if is_sparse {
            self.builder.open();
        }
        let picks = self.take_rows(mask)?;
        self.nodes(body)?;
        let rows = self.all_leaves(&body.results, are_batched)?;
        self.pop_rows();
        let results = self.put_all(body, &body.params[1..], are_batched, picks, (entered, &rows))?;
        self.leave(mark);
        let Some(any) = any else { return Ok(results) };
        let then = self.builder.close(results);
        self.builder.open();
        let otherwise = self.builder.close(entered.to_vec());
        self.emit_with(Op::If, &[any], vec![then, otherwise])
    }

    /// The range of all indices that any row has; nothing if none has.
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
            // Without rows there is no least one.
            let other = batcher.with_axes(other, 0, 1)?;
            let all = batcher.emit(Op::Concatenate(0), &[own, other])?;
            batcher.over_all(op, all)
        };
        let (first, last) = (bound(self, start.value, true)?, bound(self, stop.value, false)?);
        let (first_down, last_down) = (bound(self, start.value, false)?, bound(self, stop.value, true)?);
        range[0] = self.select(is_up, first, first_down)?;
        range[1] = self.select(is_up, last, last_down)?;
        if start.is_batched {
            // Rows that start anywhere have any index.
            range[2] = self.emit(Op::Unary(UnaryOp::Sign, ag_ir::Overflow::Wrap), &[step])?;
        }
        Ok(Bounds { start, stop, step, is_up })
    }

    /// The rows that have an index.
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
