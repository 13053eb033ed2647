//! Batching (`vmap`): vectorises a region over all rows of its batched operands.
//!
//! ```text
//! (%0: f64[]) { %1: f64[] = sum %0 * %c }       %1: f64[n] = mul %x, %c       // all rows at once
//!
//! if %test { log %0 } else { %0 }               %rows = nonzero %test         // rows that take it
//!                                               log (gather %x, %rows)        // no other row
//!                                               … put back where they come from
//! ```
//!
//! - A batched value has the batch as axis 0, followed by the axes of a row. A value that is the same for all
//!   rows is not repeated until an op needs it.
//! - Control flow that differs between rows runs on the rows concerned only (`control`, `loops`), never on
//!   all rows with a select afterwards: code that a row does not reach cannot fail for it.
//! - A list of each row is stored as an array of values and an array of lengths (`lists`, `ragged`): rows may
//!   have lists of different lengths.
//! - A region that cannot be vectorised runs row by row (`one_by_one`), and so does a loop of numbers where
//!   that is faster (`loops_alone`).
//! - An analysis finds the batched values before anything is emitted (`varying`).

mod calls;
mod control;
mod effects;
mod elementwise;
mod indexing;
mod lists;
mod loops;
mod loops_alone;
mod one_by_one;
mod products;
mod ragged;
mod ranges;
mod reordering;
mod rows;
mod scopes;
mod shapes;
mod tapes;
mod turns;
mod varying;
mod working;

use std::collections::BTreeMap;

use ag_ir::{Batching, Block, Builder, LocationId, Node, Op, Type, ValueId};

use self::rows::{Entry, Rows};
use self::varying::Varying;
use crate::emit;
use crate::error::GradientError;

/// An operand of a batched function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The value.
    pub value: ValueId,
    /// Whether axis 0 of it is the batch; for a list, axis 0 of each value in it.
    pub is_batched: bool,
}

/// Vectorises `region` over the rows of its batched operands, in the innermost open block. The region was
/// recorded with the types of single rows as parameters: `f64[3]` if the operand is `f64[n, 3]` or
/// `f64[?, 3]`. It may use outer values, which are the same for all rows. All batched operands have the same
/// number of rows.
///
/// Returns each result, and whether it is batched: then its axis 0 is the batch.
///
/// # Errors
/// If the region has effects that rows cannot have, such as printing: see the message. Nothing has been
/// emitted then.
pub fn vmap(
    builder: &mut Builder,
    region: &Block,
    operands: &[Operand],
) -> Result<Vec<(ValueId, bool)>, GradientError> {
    if region.params.len() != operands.len() {
        let (wanted, given) = (region.params.len(), operands.len());
        return Err(GradientError::new(format!("vmap: {wanted} parameters and {given} operands"), None));
    }
    let flags: Vec<bool> = operands.iter().map(|operand| operand.is_batched).collect();
    let varying = Varying::of(builder, region, &flags);
    let has_effects = varying.has_effects;
    let before = builder.mark();
    if !has_effects && varying.has_other_lengths(builder) {
        let result = Batcher::new(builder, varying, operands).one_by_one(region, operands);
        if result.is_err() {
            builder.roll_back(before);
        }
        return result;
    }
    let mut batcher = Batcher::new(builder, varying.clone(), operands);
    let mut result = batcher.at_once(region, operands);
    if result.is_err() && batcher.is_uneven && !has_effects {
        let location = batcher.location;
        builder.roll_back(before);
        let mut alone = Batcher::new(builder, varying, operands);
        alone.location = location; // What cannot be done at once is what may fail.
        result = alone.one_by_one(region, operands);
    }
    if result.is_err() {
        builder.roll_back(before);
    }
    result
}

/// An operand of an op of arrays.
#[derive(Clone, Copy, Debug)]
struct Arg {
    value: ValueId,
    is_batched: bool,
    /// The rank of a row.
    rank: usize,
}

/// The state of batching one region and the functions that it calls.
struct Batcher<'a> {
    builder: &'a mut Builder,
    varying: Varying,
    /// The instance whose nodes are being batched.
    instance: usize,
    /// The batched counterparts of the region's values.
    values: BTreeMap<ValueId, Entry>,
    /// The entries that the latest changes have replaced, to be restored.
    undo: Vec<(ValueId, Option<Entry>)>,
    /// The active rows of each level, the outermost first.
    rows: Vec<Rows>,
    /// The tapes that replace each tape.
    tapes: BTreeMap<u32, Vec<u32>>,
    /// The numbers of batched functions, by instance and number of rows.
    copies: BTreeMap<(usize, Option<usize>), usize>,
    location: Option<LocationId>,
    /// Whether the region cannot be vectorised, and so runs row by row.
    is_uneven: bool,
}

impl<'a> Batcher<'a> {
    fn new(builder: &'a mut Builder, varying: Varying, operands: &[Operand]) -> Self {
        let rows = Rows::of_operands(builder, operands);
        Self {
            builder,
            varying,
            instance: 0,
            values: BTreeMap::new(),
            undo: Vec::new(),
            rows: vec![rows],
            tapes: BTreeMap::new(),
            copies: BTreeMap::new(),
            location: None,
            is_uneven: false,
        }
    }

    /// Vectorises the region.
    fn at_once(
        &mut self,
        region: &Block,
        operands: &[Operand],
    ) -> Result<Vec<(ValueId, bool)>, GradientError> {
        if self.varying.turns.is_impossible {
            return self.refuse_at_once("if: values of several rows would be mixed up on a tape");
        }
        for (param, operand) in region.params.iter().zip(operands) {
            self.enter_with(*param, *operand)?;
        }
        self.nodes(region)?;
        let mut left = Vec::new();
        for result in &region.results {
            // What a result fails for is shown where the program makes it.
            let maker = region.nodes.iter().find(|node| node.results.contains(result));
            self.location = maker.and_then(|node| node.location);
            left.push(self.leave_with(*result)?);
        }
        self.location = None;
        Ok(left)
    }

    /// Binds a parameter of the region.
    fn enter_with(&mut self, param: ValueId, operand: Operand) -> Result<(), GradientError> {
        if !operand.is_batched {
            self.bind_same(param, operand.value);
            return Ok(());
        }
        let leaves = match self.builder.function().ty(operand.value) {
            Type::Tensor(_) => vec![operand.value],
            Type::List(_) => self.list_of_batches(operand.value)?,
        };
        self.bind(param, leaves)
    }

    /// Returns a result of the region, and whether it is batched.
    fn leave_with(&mut self, result: ValueId) -> Result<(ValueId, bool), GradientError> {
        if !self.is_batched(result) {
            return Ok((self.same(result)?, false));
        }
        let leaves = self.in_rows(result)?;
        match self.builder.function().ty(result).clone() {
            Type::Tensor(_) => Ok((leaves[0], true)),
            Type::List(element) => Ok((self.batches_of_list(&element, &leaves)?, true)),
        }
    }

    /// Batches nodes, in order.
    fn nodes(&mut self, block: &Block) -> Result<(), GradientError> {
        for node in &block.nodes {
            let around = self.location;
            self.location = node.location.or(around);
            let first = self.builder.function().values.len();
            self.node(node)?;
            let values = &self.builder.function().values;
            if node.results.first().is_some_and(|result| values[result.0 as usize].is_derivative) {
                self.builder.mark_derivative(first);
            }
            self.location = around;
        }
        Ok(())
    }

    fn node(&mut self, node: &Node) -> Result<(), GradientError> {
        match &node.op {
            Op::If => self.branches(node),
            Op::While => self.while_loop(node),
            Op::For => self.for_loop(node),
            Op::Scope(scope) => self.scope(node, *scope),
            Op::Call(call) => self.call(node, call),
            Op::TapePush(tape) => self.tape_push(node, *tape),
            Op::TapePop(pop) => self.tape_pop(node, pop),
            Op::TapeLoad(tape) => self.tape_load(node, *tape),
            Op::TapeSave(tape) => self.tape_save(node, *tape),
            _ if !node.operands.iter().any(|operand| self.is_batched(*operand)) => self.as_it_is(node),
            Op::Check(check) => self.check(node, check),
            Op::Print { .. } => self.print(node),
            Op::Keep(_) | Op::KeepEnd(_) => self.refuse("keep: what is written differs between rows"),
            Op::Callback(_) => self.refuse("callback: it is not run for each row"),
            Op::Identity(_) => self.identity(node),
            Op::List(op) => self.list(node, op),
            op => {
                let args: Vec<Arg> =
                    node.operands.iter().map(|operand| self.arg(*operand)).collect::<Result<_, _>>()?;
                match self.array(node, op, &args)? {
                    Rule::Rows(value) => self.bind(node.results[0], vec![value]),
                    Rule::Same(value) => {
                        self.bind_same(node.results[0], value);
                        Ok(())
                    }
                }
            }
        }
    }

    /// Emits a node that is the same for all rows.
    fn as_it_is(&mut self, node: &Node) -> Result<(), GradientError> {
        let operands: Vec<ValueId> =
            node.operands.iter().map(|operand| self.same(*operand)).collect::<Result<_, _>>()?;
        let results = self.emit_all(node.op.clone(), &operands)?;
        for (result, value) in node.results.iter().zip(results) {
            self.bind_same(*result, value);
        }
        Ok(())
    }

    /// The result is batched if an operand is; a list has several leaves.
    fn identity(&mut self, node: &Node) -> Result<(), GradientError> {
        let operands = node.operands.iter().map(|operand| self.in_rows(*operand));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let copies = (0..operands[0].len())
            .map(|leaf| {
                let leaves: Vec<ValueId> = operands.iter().map(|leaves| leaves[leaf]).collect();
                self.emit(node.op.clone(), &leaves)
            })
            .collect::<Result<Vec<_>, _>>()?;
        self.bind(node.results[0], copies)
    }

    /// An op on arrays, at least one of which is batched.
    fn array(&mut self, node: &Node, op: &Op, args: &[Arg]) -> Result<Rule, GradientError> {
        let value = match op.batching() {
            Batching::Elementwise => self.elementwise(op, args)?,
            Batching::AlongAxes => self.along_axes(op, args[0])?,
            Batching::Stacks => self.stacks(op, args)?,
            Batching::RowByRow => self.row_by_row(node, op, args)?,
            Batching::Own => return self.array_of_own(op, args),
            Batching::Uneven => {
                return self.refuse_at_once(&format!("{}: rows would have different sizes", op.name()));
            }
            Batching::Refused => return self.refuse(&format!("{}: it is not done for rows", op.name())),
        };
        Ok(Rule::Rows(value))
    }

    /// An op on arrays with its own batching rule.
    fn array_of_own(&mut self, op: &Op, args: &[Arg]) -> Result<Rule, GradientError> {
        let value = match (op, args) {
            (Op::Size(axis), [x]) => return Ok(Rule::Same(self.emit(Op::Size(axis + 1), &[x.value])?)),
            (Op::WithShape(wanted), [x]) => self.with_shape(wanted, *x)?,
            (Op::Broadcast(shape), [x, sizes @ ..]) => self.broadcast(shape, *x, sizes)?,
            (Op::Reshape(shape), [x, sizes @ ..]) => self.reshape_rows(shape, *x, sizes)?,
            (Op::Transpose(permutation), [x]) => self.transpose(permutation, *x)?,
            (Op::Slice { start, size, step }, [x]) => self.slice(start, size, step, *x)?,
            (Op::SliceRange { axis }, [x, bounds @ ..]) => self.slice_range(*axis, *x, bounds)?,
            (Op::UpdateSlice { start, step }, [x, v]) => self.update_slice(start, step, *x, *v)?,
            (Op::Concatenate(axis), parts) => self.concatenate(*axis, parts)?,
            (Op::DynamicSlice { axis, size }, [x, start]) => self.dynamic_slice(*axis, *size, *x, *start)?,
            (Op::DynamicUpdateSlice { axis }, [x, v, start]) => {
                self.dynamic_update_slice(*axis, *x, *v, *start)?
            }
            (Op::Gather { axis, count }, [x, picks @ ..]) => self.gather(*axis, *count, *x, picks)?,
            (Op::Scatter { axis, count, store }, [x, v, picks @ ..]) => {
                self.scatter(*store, (*axis, *count), *x, *v, picks)?
            }
            (Op::Dot(axes), [left, right]) => self.dot(axes, *left, *right)?,
            _ => unreachable!("{} of {} operands has no rule of its own", op.name(), args.len()),
        };
        Ok(Rule::Rows(value))
    }

    /// Emits a node; returns its results.
    fn emit_all(&mut self, op: Op, operands: &[ValueId]) -> Result<Vec<ValueId>, GradientError> {
        self.emit_with(op, operands, Vec::new())
    }

    fn emit_with(
        &mut self,
        op: Op,
        operands: &[ValueId],
        regions: Vec<Block>,
    ) -> Result<Vec<ValueId>, GradientError> {
        let name = op.name();
        let emitted = self.builder.emit_with_regions(op, operands, regions, self.location);
        emitted.map_err(|error| GradientError::new(format!("vmap of {name}: {error}"), self.location))
    }

    /// Emits a node with one result.
    fn emit(&mut self, op: Op, operands: &[ValueId]) -> Result<ValueId, GradientError> {
        let name = op.name();
        let results = self.emit_all(op, operands)?;
        results
            .first()
            .copied()
            .ok_or_else(|| GradientError::new(format!("vmap of {name}: it gives nothing"), self.location))
    }

    fn integer(&mut self, number: i64) -> ValueId {
        emit::integer(self.builder, number)
    }

    fn size_of(&mut self, value: ValueId, axis: usize) -> ValueId {
        emit::size(self.builder, value, axis)
    }

    /// The error for a region that cannot be vectorised; it then runs row by row.
    fn refuse_at_once<T>(&mut self, why: &str) -> Result<T, GradientError> {
        self.is_uneven = true;
        self.refuse(why)
    }

    fn refuse<T>(&self, why: &str) -> Result<T, GradientError> {
        Err(GradientError::new(format!("vmap: {why}"), self.location))
    }
}

/// The result of a batching rule.
enum Rule {
    /// A batch of results.
    Rows(ValueId),
    /// A result that is the same for all rows.
    Same(ValueId),
}
