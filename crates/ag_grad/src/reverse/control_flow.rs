//! Reverse mode of branches and loops.

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{BinaryOp, Block, Constant, DType, Dim, Node, Op, Overflow, Scope, Type, UnaryOp, ValueId};

use super::Reverse;
use super::stacked::{Rows, Stacks};
use crate::activity::{first_carry, loop_body};
use crate::adjoints::Adjoints;
use crate::captures::free_values;
use crate::emit;
use crate::error::GradientError;
use crate::site::Primals;

impl Reverse<'_> {
    /// A backward `if` runs the reverse of the branch that was taken; the other leaves the adjoints as they
    /// are.
    pub(super) fn reverse_if(
        &mut self,
        node: &mut Node,
        adjoints: &mut Adjoints,
    ) -> Result<(), GradientError> {
        let test = self.frames.value(self.builder, node.operands[0]);
        let seeds: Vec<(usize, ValueId)> = (node.results.iter().enumerate())
            .filter_map(|(number, result)| Some((number, adjoints.get(*result)?)))
            .collect();
        let mut branches: Vec<(Block, BTreeMap<ValueId, ValueId>)> = Vec::new();
        for region in &mut node.regions {
            self.builder.open();
            self.frames.enter(region);
            adjoints.enter();
            let walked = self.branch(region, &seeds, adjoints);
            let mut found = adjoints.leave();
            let mut block = self.builder.close(Vec::new());
            found.retain(|value, _| !self.frames.is_bound_here(*value));
            self.frames.leave(self.builder, region, &mut block);
            walked?;
            branches.push((block, found));
        }
        let reached: BTreeSet<ValueId> =
            branches.iter().flat_map(|(_, found)| found.keys()).copied().collect();
        let mut regions = Vec::new();
        for (block, found) in branches {
            self.builder.reopen(block);
            let results: Result<Vec<ValueId>, GradientError> = reached
                .iter()
                .map(|value| match found.get(value) {
                    Some(adjoint) => self.typed_like(*adjoint, *value),
                    None => self.adjoint_or_zeros(*value, adjoints),
                })
                .collect();
            regions.push(self.builder.close(results.clone().unwrap_or_default()));
            results?;
        }
        let results = self.builder.emit_with_regions(Op::If, &[test], regions, node.location)?;
        for (value, adjoint) in reached.into_iter().zip(results) {
            adjoints.set(value, adjoint);
        }
        Ok(())
    }

    fn branch(
        &mut self,
        region: &mut Block,
        seeds: &[(usize, ValueId)],
        adjoints: &mut Adjoints,
    ) -> Result<(), GradientError> {
        for (number, adjoint) in seeds {
            let result = region.results[*number];
            if self.activity.is_active(result) {
                adjoints.add(self.builder, result, *adjoint)?;
            }
        }
        self.walk(&mut region.nodes, adjoints)
    }

    /// A backward loop runs the reverse of each iteration, from the last to the first.
    pub(super) fn reverse_loop(
        &mut self,
        nodes: &mut Vec<Node>,
        at: usize,
        adjoints: &mut Adjoints,
    ) -> Result<(), GradientError> {
        let (at, bounds, rows) = match nodes[at].op {
            Op::While => {
                let count = self.count_iterations(nodes, at);
                let length = self.frames.value(self.builder, count);
                let rows = Rows { count: Dim::Unknown, length, range: None, is_known_ahead: false };
                (at + 1, self.counted_down(length), rows)
            }
            _ => {
                let (bounds, rows) = self.reversed_bounds(nodes, at);
                (at, bounds, rows)
            }
        };
        let node = &mut nodes[at];
        let Some((body, offset)) = loop_body(node) else { return Ok(()) };
        let is_active = |carry: &usize| {
            let (param, result) = (body.params[offset + carry], node.results[*carry]);
            self.activity.is_active(param) || self.activity.is_active(result)
        };
        let carries: Vec<usize> = (0..node.results.len()).filter(is_active).collect();
        let around: Vec<ValueId> = free_values(self.builder, body)
            .into_iter()
            .filter(|value| self.activity.is_active(*value))
            .collect();
        let mut starts = Vec::new();
        for carry in &carries {
            starts.push(self.adjoint_or_zeros(node.results[*carry], adjoints)?);
        }
        for value in &around {
            starts.push(self.adjoint_or_zeros(*value, adjoints)?);
        }
        let first = first_carry(node);
        let entries: Vec<ValueId> = carries.iter().map(|carry| node.operands[first + carry]).collect();
        let location = node.location;
        let Some(body) = node.regions.last_mut() else { return Ok(()) };
        let region = BackwardBody { carries: &carries, offset, around: &around, starts: &starts, rows };
        let (block, kept, stacks) = self.backward_body(body, &region, adjoints)?;
        let empty = self.empty_stacks(&stacks)?;
        let carried = starts.iter().take(carries.len());
        let operands: Vec<ValueId> = bounds
            .iter()
            .chain(carried)
            .copied()
            .chain(kept.iter().map(|place| starts[carries.len() + place]))
            .chain(empty)
            .collect();
        let results = self.builder.emit_with_regions(Op::For, &operands, vec![block], location)?;
        let (results, rest) = results.split_at(carries.len());
        let (totals, filled) = rest.split_at(kept.len());
        for (place, total) in kept.iter().zip(totals) {
            adjoints.set(around[*place], *total);
        }
        self.add_products(&stacks, filled, adjoints)?;
        for (entry, result) in entries.into_iter().zip(results) {
            if self.activity.is_active(entry) {
                adjoints.add(self.builder, entry, *result)?;
            }
        }
        self.stack_ahead(nodes, at, &stacks)
    }

    /// The body of a backward loop. Its parameters are the index, the adjoints of the carries, those of outer
    /// values, and stacks. Keeps only the outer values that an iteration adds to; returns their positions.
    fn backward_body(
        &mut self,
        body: &mut Block,
        region: &BackwardBody<'_>,
        adjoints: &mut Adjoints,
    ) -> Result<(Block, Vec<usize>, Stacks), GradientError> {
        let BackwardBody { carries, offset, starts, rows, .. } = *region;
        self.builder.open();
        let index = self.builder.param(Type::scalar(DType::I64));
        let params: Vec<ValueId> = starts
            .iter()
            .map(|start| {
                let ty = self.builder.function().ty(*start).clone();
                self.builder.param(ty)
            })
            .collect();
        self.builder.open();
        let row = self.row(index, rows.range);
        let first = self.builder.close(Vec::new()).nodes;
        let mut stacks = Stacks::new(rows, row, params.clone());
        self.frames.enter(body);
        if offset == 1 {
            self.frames.give(body.params[0], index);
        }
        let ended = self.backward_results(body, region, &params, &mut stacks, adjoints);
        let (results, kept) = ended.clone().unwrap_or_default();
        let mut block = self.builder.close(results);
        stacks.drop_replaced(&mut block);
        let of_carries = params.iter().take(carries.len());
        let of_kept = kept.iter().map(|place| params[carries.len() + place]);
        block.params =
            [index].into_iter().chain(of_carries.copied()).chain(of_kept).chain(stacks.params()).collect();
        self.frames.leave(self.builder, body, &mut block);
        block.nodes.splice(0..0, first);
        ended?;
        Ok((block, kept, stacks))
    }

    /// The results of the body of a backward loop, and the positions of the outer values among them.
    fn backward_results(
        &mut self,
        body: &mut Block,
        region: &BackwardBody<'_>,
        params: &[ValueId],
        stacks: &mut Stacks,
        adjoints: &mut Adjoints,
    ) -> Result<(Vec<ValueId>, Vec<usize>), GradientError> {
        let BackwardBody { carries, around, rows, .. } = *region;
        let around = around.iter().zip(&params[carries.len()..]);
        let is_repeated = rows.count.known().is_none_or(|count| count > 1);
        let keeps_order = self.builder.function().is_exact;
        let may_stack =
            is_repeated && !keeps_order && !self.spares_memory && !asks_for_less_memory(&body.nodes);
        adjoints.enter();
        for (value, param) in around.clone() {
            adjoints.set(*value, *param);
        }
        let walked = self.iteration(body, region, params, adjoints);
        let found = adjoints.leave();
        let mut results = walked?;
        let found = around.map(|(value, param)| (*value, *param, found.get(value).copied()));
        let totals = self.totals(found, may_stack, stacks)?;
        let (kept, of_kept): (Vec<usize>, Vec<ValueId>) = totals.into_iter().unzip();
        results.extend(of_kept);
        results.extend(self.write_rows(stacks)?);
        Ok((results, kept))
    }

    /// The adjoints of outer values to which an iteration adds, with the positions of the values. `found` are the
    /// values, the adjoints before an iteration and those after it.
    fn totals(
        &mut self,
        found: impl Iterator<Item = (ValueId, ValueId, Option<ValueId>)>,
        may_stack: bool,
        stacks: &mut Stacks,
    ) -> Result<Vec<(usize, ValueId)>, GradientError> {
        let mut totals = Vec::new();
        for (place, (value, param, total)) in found.enumerate() {
            let Some(total) = total.filter(|total| *total != param) else { continue };
            let left =
                if may_stack { self.without_products(value, (param, total), stacks)? } else { Some(total) };
            if let Some(left) = left {
                totals.push((place, self.typed_like(left, value)?));
            }
        }
        Ok(totals)
    }

    /// The reverse of one iteration; returns the adjoints of its parameters.
    fn iteration(
        &mut self,
        body: &mut Block,
        region: &BackwardBody<'_>,
        params: &[ValueId],
        adjoints: &mut Adjoints,
    ) -> Result<Vec<ValueId>, GradientError> {
        for (carry, param) in region.carries.iter().zip(params) {
            let end = body.results[*carry];
            if self.activity.is_active(end) {
                adjoints.add(self.builder, end, *param)?;
            }
        }
        self.walk(&mut body.nodes, adjoints)?;
        region
            .carries
            .iter()
            .map(|carry| self.adjoint_or_zeros(body.params[region.offset + carry], adjoints))
            .collect()
    }

    /// Adds a counter to a `while` and returns the number of iterations. Inserts a node before the loop.
    pub(super) fn count_iterations(&mut self, nodes: &mut Vec<Node>, at: usize) -> ValueId {
        let integer =
            |builder: &mut ag_ir::Builder| builder.function_mut().new_value(Type::scalar(DType::I64));
        let [zero, one, tested, before, after, count] = std::array::from_fn(|_| integer(self.builder));
        let constant = |number: i64, result| Node {
            op: Op::Constant(Constant {
                dtype: DType::I64,
                sizes: Vec::new(),
                bytes: number.to_ne_bytes().as_slice().into(),
            }),
            operands: Vec::new(),
            results: vec![result],
            regions: Vec::new(),
            location: None,
        };
        let node = &mut nodes[at];
        node.operands.push(zero);
        node.results.push(count);
        if let [test, body] = &mut node.regions[..] {
            test.params.push(tested);
            body.params.push(before);
            body.nodes.push(constant(1, one));
            body.nodes.push(Node {
                op: Op::Binary(BinaryOp::Add, Overflow::Wrap),
                operands: vec![before, one],
                results: vec![after],
                regions: Vec::new(),
                location: None,
            });
            body.results.push(after);
        }
        nodes.insert(at, constant(0, zero));
        self.frames.bind(zero);
        self.frames.bind(count);
        count
    }

    /// `range(count - 1, -1, -1)`
    fn counted_down(&mut self, count: ValueId) -> [ValueId; 3] {
        let one = emit::integer(self.builder, 1);
        let minus_one = emit::integer(self.builder, -1);
        [emit::arithmetic(self.builder, BinaryOp::Sub, count, one), minus_one, minus_one]
    }

    /// `len(range(start, stop, step))`
    pub(super) fn count_of(&mut self, [start, stop, step]: [ValueId; 3]) -> ValueId {
        let builder = &mut *self.builder;
        let sign = emit::unary(builder, UnaryOp::Sign, step);
        let distance = emit::arithmetic(builder, BinaryOp::Sub, stop, start);
        let distance = emit::arithmetic(builder, BinaryOp::Add, distance, step);
        let distance = emit::arithmetic(builder, BinaryOp::Sub, distance, sign);
        let count = emit::arithmetic(builder, BinaryOp::FloorDiv, distance, step);
        let zero = emit::integer(builder, 0);
        emit::arithmetic(builder, BinaryOp::Maximum, count, zero)
    }

    /// `reversed(range(start, stop, step))`, and the rows that the iterations of the loop write.
    fn reversed_bounds(&mut self, nodes: &[Node], at: usize) -> ([ValueId; 3], Rows) {
        let bounds = [0, 1, 2].map(|operand| nodes[at].operands[operand]);
        let [start, stop, step] = bounds.map(|bound| self.frames.value(self.builder, bound));
        let length = self.count_of([start, stop, step]);
        let builder = &mut *self.builder;
        let one = emit::integer(builder, 1);
        let steps = emit::arithmetic(builder, BinaryOp::Sub, length, one);
        let distance = emit::arithmetic(builder, BinaryOp::Mul, steps, step);
        let last = emit::arithmetic(builder, BinaryOp::Add, start, distance);
        let before = emit::arithmetic(builder, BinaryOp::Sub, start, step);
        let back = emit::unary(builder, UnaryOp::Neg, step);
        let known = bounds.map(|bound| self.integer(nodes, bound));
        let is_row = known[0] == Some(0) && known[2] == Some(1);
        let count = match known {
            [Some(start), Some(stop), Some(step)] => known_count(start, stop, step),
            _ => None,
        };
        let count = count.map_or(Dim::Unknown, Dim::Known);
        let range = (!is_row).then_some([start, step]);
        ([last, before, back], Rows { count, length, range, is_known_ahead: true })
    }
}

/// `len(range(start, stop, step))`
fn known_count(start: i64, stop: i64, step: i64) -> Option<usize> {
    let distance = stop.checked_sub(start)?.checked_add(step)?.checked_sub(step.signum())?;
    usize::try_from(distance.checked_div(step)?.max(0)).ok()
}

/// Whether a part of the nodes is computed again in the backward pass, to save memory.
fn asks_for_less_memory(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| {
        matches!(node.op, Op::Scope(Scope::Checkpoint | Scope::MemoryLimit(_)))
            || node.regions.iter().any(|region| asks_for_less_memory(&region.nodes))
    })
}

/// The inputs from which the body of a backward loop is made.
#[derive(Clone, Copy)]
struct BackwardBody<'a> {
    /// The positions of the carries that have adjoints.
    carries: &'a [usize],
    /// The number of the parameter of the forward body that is its first carry.
    offset: usize,
    /// Outer values that have adjoints.
    around: &'a [ValueId],
    /// The initial adjoints, of the carries and then of the outer values.
    starts: &'a [ValueId],
    /// The rows that the iterations write.
    rows: Rows,
}
