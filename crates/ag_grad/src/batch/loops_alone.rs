//! Batched loops of numbers that rows leave at different times: each row runs through the loop alone, where
//! that is faster than to run an iteration of all rows at once.
//!
//! ```text
//! %y: f64[] = while %x test { … } body { … }          // of one row
//!
//! %y: f64[n] = for 0, n, 1, %zeros body(%row, %all: f64[n]) {
//!   %x1: f64[] = gather %x, %row
//!   %y1: f64[] = while %x1 test { … } body { … }      // as it was
//!   yield scatter %all, %y1, %row
//! }
//! ```
//!
//! An iteration of numbers takes a few instructions. One of arrays calls a kernel for each op, and moves the
//! rows that go on to other places when others leave; branches in it move them again. It pays where functions
//! are computed that have vector code, in many rows. The rows of a loop of other numbers run side by side where the
//! engine finds that they can.

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{Block, Cost, Dim, Effect, Node, Op, Rounding, Store, Type, ValueId};

use super::Batcher;
use super::varying::Seen;
use crate::error::GradientError;

/// The number of rows that is expected where only the run knows it.
const EXPECTED_ROWS: usize = 256;

/// What a function takes that has vector code, as `sin`.
const FUNCTION: [f64; 3] = [6.0, 0.8, 40.0];

/// Estimated nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Time {
    /// Of an iteration of one row alone.
    alone: f64,
    /// Of an iteration of all rows at once: for each row, and for whatever number of rows.
    each: f64,
    fixed: f64,
}

impl Time {
    /// Adds a loop without what its nodes take: rows that leave it are put away, and those that stay are
    /// moved, `moved` nanoseconds each.
    fn add_loop(&mut self, carries: usize, moved: f64) {
        let carries = carries as f64;
        self.add([0.3, moved * carries, 150.0 * carries]);
    }

    fn add(&mut self, [alone, each, fixed]: [f64; 3]) {
        self.alone += alone;
        self.each += each;
        self.fixed += fixed;
    }

    /// Adds a node and what is in its regions. False if the node cannot be run for a row alone, or is not one
    /// of numbers.
    fn add_node(&mut self, node: &Node, types: &impl Fn(ValueId) -> Type) -> bool {
        let is_number = |value: &ValueId| types(*value).tensor().is_some_and(|ty| ty.rank() == 0);
        let is_array = |value: &ValueId| types(*value).tensor().is_some();
        if !node.results.iter().all(is_number) || !node.operands.iter().all(is_array) {
            return false;
        }
        let is_float =
            node.results.iter().any(|value| types(*value).tensor().is_some_and(|ty| ty.dtype.is_float()));
        match &node.op {
            Op::Call(_) | Op::Scope(_) | Op::Identity(_) => return false,
            Op::If => self.add([0.5, 4.0 * node.results.len() as f64, 1500.0]),
            Op::While => self.add_loop(node.results.len(), 2.0),
            // The rows that have an index are found in each iteration.
            Op::For => self.add_loop(node.results.len(), 5.0),
            Op::Constant(_) => {}
            op if op.effect() != Effect::None => return false,
            Op::Unary(op, _) if is_float && op.rounding() != Rounding::Alike => self.add(FUNCTION),
            Op::Binary(op, _) if is_float && op.rounding() != Rounding::Alike => self.add(FUNCTION),
            op if op.cost() == Cost::More => self.add([1.5, 0.6, 40.0]),
            _ => self.add([0.4, 0.2, 40.0]),
        }
        node.regions.iter().all(|region| self.add_block(region, types))
    }

    fn add_block(&mut self, block: &Block, types: &impl Fn(ValueId) -> Type) -> bool {
        block.nodes.iter().all(|node| self.add_node(node, types))
    }
}

impl Batcher<'_> {
    /// Whether the rows run through a loop faster one after the other than at once.
    pub(super) fn is_faster_alone(&self, node: &Node) -> bool {
        let function = self.builder.function();
        let types = |value: ValueId| function.ty(value).clone();
        let mut time = Time::default();
        if !time.add_node(node, &types) {
            return false;
        }
        let rows = match self.dim() {
            Dim::Known(rows) => rows,
            Dim::Unknown => EXPECTED_ROWS,
        } as f64;
        time.alone * rows <= time.each.mul_add(rows, time.fixed)
    }

    /// Emits a loop over the rows, in which the node is as it was.
    pub(super) fn loop_alone(&mut self, node: &Node) -> Result<(), GradientError> {
        let are_batched = self.varying.are_batched(self.instance, &node.results);
        let batched: Vec<ValueId> =
            node.results.iter().zip(&are_batched).filter(|(_, is)| **is).map(|(value, _)| *value).collect();
        let mut operands = vec![self.integer(0), self.count(), self.integer(1)];
        let mut types = Vec::new();
        for result in &batched {
            let ty = self.builder.function().ty(*result).clone();
            operands.extend(self.empty(&ty)?);
            types.extend(self.types(*result).into_iter().map(Type::from));
        }
        let values = self.used_in_rows(node)?;

        let mark = self.enter();
        self.builder.open();
        let row = self.builder.param(Type::scalar(ag_ir::DType::I64));
        let all: Vec<ValueId> = types.into_iter().map(|ty| self.builder.param(ty)).collect();
        for (value, leaf) in values {
            let own = self.picked(&[leaf], row)?[0];
            self.bind_same(value, own);
        }
        let own = self.as_it_was(node)?;
        let own = own.iter().zip(&are_batched).filter(|(_, is)| **is).map(|(value, _)| *value);
        let scatter = Op::Scatter { axis: 0, count: 1, store: Store::Replace };
        let written = all
            .into_iter()
            .zip(own)
            .map(|(all, own)| self.emit(scatter.clone(), &[all, own, row]))
            .collect::<Result<Vec<_>, _>>()?;
        let body = self.builder.close(written);
        self.leave(mark);
        let results = self.emit_with(Op::For, &operands, vec![body])?;
        for (result, all) in batched.into_iter().zip(results) {
            self.bind(result, vec![all])?;
        }
        // A carry that is the same for all rows does not change.
        let carries = &node.operands[node.operands.len() - node.results.len()..];
        for ((result, carry), is_batched) in node.results.iter().zip(carries).zip(are_batched) {
            if !is_batched {
                self.alias(*result, *carry)?;
            }
        }
        Ok(())
    }

    /// The values of the blocks around it that a node uses and that differ between rows, with their leaves.
    fn used_in_rows(&mut self, node: &Node) -> Result<Vec<(ValueId, ValueId)>, GradientError> {
        let mut seen = Seen::default();
        node.regions.iter().for_each(|region| seen.block(region));
        let inside = seen.uses.into_iter().filter(|value| !seen.binds.contains(value));
        let used: BTreeSet<ValueId> = node.operands.iter().copied().chain(inside).collect();
        let used: Vec<ValueId> = used.into_iter().filter(|value| self.is_batched(*value)).collect();
        used.into_iter().map(|value| Ok((value, self.in_rows(value)?[0]))).collect()
    }

    /// Emits a copy of a node for values that are bound to those of one row.
    fn as_it_was(&mut self, node: &Node) -> Result<Vec<ValueId>, GradientError> {
        let operands =
            node.operands.iter().map(|operand| self.same(*operand)).collect::<Result<Vec<_>, _>>()?;
        let mut regions = Vec::new();
        for region in &node.regions {
            let mut seen = Seen::default();
            seen.block(region);
            let mut renamed = BTreeMap::new();
            for value in seen.uses.difference(&seen.binds) {
                renamed.insert(*value, self.same(*value)?);
            }
            regions.push(self.builder.copy_with(region, renamed).0);
        }
        self.emit_with(node.op.clone(), &operands, regions)
    }
}
