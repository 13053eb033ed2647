//! Finds loops whose iterations are rows that can run side by side, see [`crate::kernels::rows`].
//!
//! ```text
//! for %row in 0 .. n:              reads elements of the row, computes numbers, in `while` loops too, and
//!     %x = gather %xs, %row        writes an element of the row to each array that it carries
//!     …
//!     yield scatter %all, %y, %row
//! ```
//!
//! Rows have to be numbers, and their ops such as have one result whatever computes them: the row's own loop, which
//! is generated too, gives the same bits. How many rows there are, and how long the arrays, may be known in the run
//! only: the kernel runs the rows that all arrays have, and leaves the others to the loop.

use std::collections::BTreeMap;

use ag_ir::{BinaryOp, Block, Cost, DType, Node, Op, Rounding, Store, UnaryOp, ValueId};

use super::ids::{BlockId, SlotId};
use super::planner::{Planner, Room};
use super::step::{LoopPlan, Operand, RowsPlan, ScalarIndex, Step};
use crate::kernels::KernelEntry;
use crate::kernels::chains::Linked;
use crate::kernels::contract::{Access, OperandRule};
use crate::kernels::elementwise::{can_fail, function_of, sides_of};
use crate::kernels::instructions::{FailureKind, Instruction, Source};
use crate::kernels::rows::parts::{Carry, Column, End, Given, Held, Length, Listed, Part, Uniform, Whiles};
use crate::kernels::rows::{LEAST_ROWS, MOST_REGISTERS, Rows};

/// Instructions that run one after the other, by their number among all such lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct List(usize);

/// The values of a `while` loop that stand for those around it.
#[derive(Default)]
struct Inside {
    of: BTreeMap<ValueId, usize>,
    held: Vec<Held>,
}

/// What is found of a loop.
struct Recipe<'p, 'f> {
    planner: &'p Planner<'f>,
    /// The block of the loop's body.
    body: BlockId,
    /// The registers of values.
    of: BTreeMap<ValueId, usize>,
    inside: Option<Inside>,
    /// Bytes of an element of each register.
    sizes: Vec<usize>,
    uniforms: Vec<Uniform>,
    /// The kernel's operands.
    operands: Vec<ValueId>,
    reads: Vec<Column>,
    /// The lists, and by whom each register is read: a list, or something else.
    lists: Vec<Vec<Instruction>>,
    uses: Vec<(usize, Option<List>)>,
    parts: Vec<Part<List>>,
    /// The value that is written for each carry.
    written: Vec<Option<usize>>,
}

impl Planner<'_> {
    /// The rows of a `for` loop, if they can run side by side.
    pub(super) fn plan_rows(&mut self, block: BlockId, index: usize, plan: &LoopPlan) -> Option<RowsPlan> {
        let node = self.tree.node(block, index);
        let [body] = self.tree.blocks[block].regions[index][..] else { return None };
        if !matches!(node.op, Op::For) {
            return None;
        }
        let bound = |number: usize| self.literal(node.operands[number]);
        let (start, stop, step) = (usize::try_from(bound(0)?).ok()?, bound(1), bound(2)?);
        let slots: Vec<SlotId> = plan.carries.iter().copied().collect::<Option<_>>()?;
        let stays = slots.iter().all(|slot| plan.next[*slot] == *slot) && plan.copies.is_empty();
        let is_few = |stop: i64| stop.saturating_sub(start as i64) < LEAST_ROWS as i64;
        if step != 1 || slots.is_empty() || !stays || stop.is_some_and(is_few) {
            return None;
        }
        let mut recipe = Recipe {
            planner: self,
            body,
            of: BTreeMap::new(),
            inside: None,
            sizes: Vec::new(),
            uniforms: Vec::new(),
            operands: Vec::new(),
            reads: Vec::new(),
            lists: vec![Vec::new()],
            uses: Vec::new(),
            parts: Vec::new(),
            written: vec![None; slots.len()],
        };
        recipe.rows()?;
        let end = match stop {
            Some(stop) => End::Known(stop),
            None => End::Operand(recipe.operand(node.operands[1])),
        };
        let (kernel, reads) = recipe.finish(start, end)?;
        let bytes = kernel.scratch_bytes();
        let mut rules: Vec<OperandRule> =
            reads.iter().map(|value| self.rule_of(Operand::Value(*value), &[])).collect();
        for carry in &node.operands[3..] {
            rules.push(OperandRule { access: Access::Write, ..self.rule_of(Operand::Value(*carry), &[]) });
        }
        rules.push(OperandRule::scratch(bytes));
        let entry = KernelEntry { kernel: Box::new(kernel), operands: rules, location: node.location };
        let kernel = self.kernels.push(entry);
        let (starts, ends) = (self.tree.blocks[block].starts[index], self.tree.blocks[block].ends[index]);
        let scratch = self.new_memory(Room::Bytes(bytes), block, starts, ends);
        Some(RowsPlan { kernel, reads, writes: slots, scratch })
    }

    /// The integer that a value is known to be.
    fn literal(&self, value: ValueId) -> Option<i64> {
        let (block, index) = self.tree.maker(value)?;
        match &self.tree.node(block, index).op {
            Op::Constant(constant) if constant.dtype == DType::I64 => {
                constant.bytes[..].try_into().ok().map(i64::from_ne_bytes)
            }
            _ => None,
        }
    }
}

impl<'f> Recipe<'_, 'f> {
    /// Goes through the loop's body. None if it has something that rows cannot have.
    fn rows(&mut self) -> Option<()> {
        let tree = &self.planner.tree;
        let block: &'f Block = tree.blocks[self.body].block;
        for (index, node) in block.nodes.iter().enumerate() {
            match &self.planner.steps[self.body][index] {
                Step::Element { base, indices } if self.is_of_row(indices) => self.element(node, *base)?,
                Step::CellElement(index) if self.is_row(&index.indices) => self.element(node, index.array)?,
                Step::StoreElement { value, indices, copied: None, bytes, store: Store::Replace }
                    if self.is_of_row(indices) =>
                {
                    self.store(node, *value, *bytes)?;
                }
                Step::CellStore { value, index, copied: None, store: Store::Replace }
                    if self.is_row(&index.indices) =>
                {
                    self.store(node, *value, index.bytes)?;
                }
                Step::Loop(_) if matches!(node.op, Op::While) => {
                    self.end_of_list();
                    let [test, body] = tree.blocks[self.body].regions[index][..] else { return None };
                    self.whiles(node, [test, body])?;
                    self.lists.push(Vec::new());
                }
                _ => self.number(self.body, index)?,
            }
        }
        self.end_of_list();
        Some(())
    }

    /// Makes the instructions since the last loop a part.
    fn end_of_list(&mut self) {
        let list = List(self.lists.len() - 1);
        self.parts.push(Part::Straight(list));
    }

    /// The kernel, and the values that it is called with.
    fn finish(self, start: usize, end: End) -> Option<(Rows, Vec<ValueId>)> {
        let mut writes = Vec::new();
        let carries = &self.planner.tree.blocks[self.body].block.params[1..];
        for ((number, written), carry) in self.written.iter().enumerate().zip(carries) {
            let register = (*written)?;
            let operand = self.operands.len() + number;
            let length = self.length(*carry)?;
            writes.push(Column { operand, register, size: self.sizes[register], length });
        }
        let listed = |list: List| -> Listed {
            let by_others = self.uses.iter().filter(|(_, by)| *by != Some(list));
            (self.lists[list.0].clone(), by_others.fold(0, |set, (register, _)| set | 1 << register))
        };
        let parts = self.parts.iter().map(|part| match part {
            Part::Straight(list) => Part::Straight(listed(*list)),
            Part::While(Whiles { carries, held, test, goes_on, body }) => Part::While(Whiles {
                carries: carries.clone(),
                held: held.clone(),
                test: listed(*test),
                goes_on: *goes_on,
                body: listed(*body),
            }),
        });
        let parts = parts.collect();
        let columns = [self.reads, writes];
        let rows = Rows::new((start, end), columns, self.uniforms, parts, self.sizes.len());
        Some((rows, self.operands))
    }

    fn new_register(&mut self, size: usize) -> Option<usize> {
        self.sizes.push(size);
        (self.sizes.len() <= MOST_REGISTERS).then_some(self.sizes.len() - 1)
    }

    fn is_uniform(&self, register: usize) -> bool {
        self.uniforms.iter().any(|uniform| uniform.register == register)
    }

    fn size_of(&self, value: ValueId) -> usize {
        self.planner.function.tensor(value).dtype.size()
    }

    /// The register of a value, which has to be a number.
    fn register(&mut self, value: ValueId) -> Option<usize> {
        if !self.planner.is_scalar(value) {
            return None;
        }
        if let Some(inside) = &self.inside
            && let Some(own) = inside.of.get(&value)
        {
            return Some(*own);
        }
        let size = self.size_of(value);
        let Some(register) = self.of.get(&value).copied() else {
            return self.outside(value, size);
        };
        if self.inside.is_none() || self.is_uniform(register) {
            return Some(register);
        }
        let own = self.new_register(size)?;
        self.uses.push((register, None));
        let inside = self.inside.as_mut()?;
        inside.held.push(Held { from: register, own, size });
        inside.of.insert(value, own);
        Some(own)
    }

    /// A number from before the loop.
    fn outside(&mut self, value: ValueId, size: usize) -> Option<usize> {
        let tree = &self.planner.tree;
        let mut block = tree.defining_block(value);
        // What the loop itself defines is known by now, but for its index and for what it carries.
        loop {
            if block == self.body {
                return None;
            }
            let Some((parent, _)) = tree.blocks[block].parent else { break };
            block = parent;
        }
        let operand = self.operand(value);
        self.uniform(value, Given::Operand(operand, size), size)
    }

    fn uniform(&mut self, value: ValueId, from: Given, size: usize) -> Option<usize> {
        let register = self.new_register(size)?;
        self.uniforms.push(Uniform { from, register });
        self.of.insert(value, register);
        Some(register)
    }

    /// Defines a value.
    fn define(&mut self, value: ValueId, register: usize) {
        match &mut self.inside {
            Some(inside) => drop(inside.of.insert(value, register)),
            None => drop(self.of.insert(value, register)),
        }
    }

    /// Whether the only index is that of the row.
    fn is_row(&self, indices: &[ValueId]) -> bool {
        indices == &self.planner.tree.blocks[self.body].block.params[..1]
    }

    /// The same for an array in memory.
    fn is_of_row(&self, indices: &[ScalarIndex]) -> bool {
        matches!(indices, [only] if self.is_row(&[only.index]))
    }

    /// How many elements an array of one axis has.
    fn length(&self, array: ValueId) -> Option<Length> {
        match self.planner.function.tensor(array).shape[..] {
            [only] => Some(only.known().map_or(Length::InCell, Length::Known)),
            _ => None,
        }
    }

    /// The number of an operand of the kernel.
    fn operand(&mut self, value: ValueId) -> usize {
        let known = self.operands.iter().position(|operand| *operand == value);
        known.unwrap_or_else(|| {
            self.operands.push(value);
            self.operands.len() - 1
        })
    }

    /// An element of the row, of an array that the loop does not carry.
    fn element(&mut self, node: &Node, base: ValueId) -> Option<()> {
        let result = node.results[0];
        let (size, length) = (self.size_of(result), self.length(base)?);
        if self.planner.tree.defining_block(base) == self.body {
            return None;
        }
        let (operand, register) = (self.operand(base), self.new_register(size)?);
        self.reads.push(Column { operand, register, size, length });
        self.define(result, register);
        Some(())
    }

    /// Writes an element of the row to an array that the loop carries.
    fn store(&mut self, node: &Node, value: ValueId, bytes: usize) -> Option<()> {
        let block = self.planner.tree.blocks[self.body].block;
        let size = self.size_of(value);
        let carry = block.params[1..].iter().position(|param| *param == node.operands[0])?;
        if bytes != size || block.results[carry] != node.results[0] {
            return None;
        }
        let register = self.register(value)?;
        self.uses.push((register, None));
        self.written[carry] = Some(register);
        Some(())
    }

    /// An op of numbers, or a branch of such.
    fn number(&mut self, block: BlockId, index: usize) -> Option<()> {
        let node = self.planner.tree.node(block, index);
        match (&self.planner.steps[block][index], &node.op) {
            (Step::Scalar, Op::Constant(constant)) => {
                let bytes = constant.bytes.clone();
                let size = bytes.len();
                self.uniform(node.results[0], Given::Literal(bytes.to_vec()), size).map(drop)
            }
            (Step::Scalar, op) => {
                let register = self.instruction(op, &node.operands, node.results[0])?;
                self.define(node.results[0], register);
                Some(())
            }
            (Step::If, _) => self.branch(node, &self.planner.tree.blocks[block].regions[index].clone()),
            _ => None,
        }
    }

    /// Both sides of a branch, and for each result the one that counts. If a side fails that does not count, the row
    /// runs alone.
    fn branch(&mut self, node: &Node, regions: &[BlockId]) -> Option<()> {
        let [then, otherwise] = regions else { return None };
        for region in [then, otherwise] {
            let nodes = &self.planner.tree.blocks[*region].block.nodes;
            let is_cheap = |node: &Node| matches!(node.op, Op::Constant(_)) || node.op.cost() == Cost::Least;
            // What is not cheap is not computed for rows that do not take it.
            if !nodes.iter().all(is_cheap) {
                return None;
            }
            self.numbers(*region)?;
        }
        let results = |region: &BlockId| &self.planner.tree.blocks[*region].block.results;
        let sides: Vec<(ValueId, ValueId)> =
            results(then).iter().copied().zip(results(otherwise).iter().copied()).collect();
        for (result, (yes, no)) in node.results.iter().zip(sides) {
            let register = self.instruction(&Op::Select, &[node.operands[0], yes, no], *result)?;
            self.define(*result, register);
        }
        Some(())
    }

    /// All nodes of a region, which are numbers.
    fn numbers(&mut self, region: BlockId) -> Option<()> {
        (0..self.planner.steps[region].len()).try_for_each(|index| self.number(region, index))
    }

    /// Adds an instruction to the open list, and returns the register of its result.
    fn instruction(&mut self, op: &Op, operands: &[ValueId], result: ValueId) -> Option<usize> {
        let dtype = self.planner.function.tensor(operands[usize::from(matches!(op, Op::Select))]).dtype;
        if !runs_side_by_side(op, dtype) {
            return None;
        }
        let (mut sources, mut source_sizes) = ([Source::Register(0); 3], [1; 3]);
        let list = List(self.lists.len() - 1);
        for place in 0..3 {
            let operand = operands.get(place).copied().unwrap_or(operands[0]);
            let register = self.register(operand)?;
            self.uses.push((register, Some(list)));
            (sources[place], source_sizes[place]) = (Source::Register(register), self.sizes[register]);
        }
        let isa = self.planner.isa;
        let target = self.new_register(self.size_of(result))?;
        self.lists[list.0].push(Instruction {
            function: function_of(op, dtype, isa)?,
            sides: sides_of(op, dtype, isa),
            linked: Linked::of(op, dtype, isa),
            sources,
            source_sizes,
            target: Some(target),
            failure: can_fail(op, dtype).then_some((FailureKind::Overflow, None)),
        });
        Some(target)
    }

    /// A `while` loop of numbers.
    fn whiles(&mut self, node: &Node, [test, body]: [BlockId; 2]) -> Option<()> {
        let tree = &self.planner.tree;
        let mut carries = Vec::new();
        let mut inits = Vec::new();
        for operand in &node.operands {
            let init = self.register(*operand)?;
            self.uses.push((init, None));
            inits.push(init);
        }
        let mut inside = Inside::default();
        for (number, init) in inits.into_iter().enumerate() {
            let size = self.sizes[init];
            let (own, end) = (self.new_register(size)?, self.new_register(size)?);
            for region in [test, body] {
                inside.of.insert(tree.blocks[region].block.params[number], own);
            }
            self.uses.push((own, None));
            carries.push(Carry { init, own, next: None, end, size });
        }
        self.inside = Some(inside);
        let tested = self.list_of(test)?;
        let goes_on = self.register(tree.blocks[test].block.results[0])?;
        self.uses.push((goes_on, None));
        let made = self.list_of(body)?;
        if !self.has_division([test, body]) {
            return None;
        }
        let mut taken = Vec::new();
        for (number, result) in tree.blocks[body].block.results.iter().enumerate() {
            if *result == tree.blocks[body].block.params[number] {
                continue;
            }
            let next = self.made_in(made, *result, &taken)?;
            taken.push(next);
            self.uses.push((next, None));
            carries[number].next = Some(next);
        }
        let held = self.inside.take()?.held;
        if self.is_uniform(goes_on) {
            return None;
        }
        for (result, carry) in node.results.iter().zip(&carries) {
            self.define(*result, carry.end);
        }
        self.parts.push(Part::While(Whiles { carries, held, test: tested, goes_on, body: made }));
        Some(())
    }

    /// Whether one of these regions divides, or takes a root: where rows leave at different times, a loop of other
    /// arithmetic takes less time in the registers of one row.
    fn has_division(&self, regions: [BlockId; 2]) -> bool {
        let divides = |node: &Node| {
            let is_slow = matches!(node.op, Op::Binary(BinaryOp::Div, _) | Op::Unary(UnaryOp::Sqrt, _));
            is_slow && self.planner.function.tensor(node.results[0]).dtype.is_float()
        };
        regions.iter().any(|region| self.planner.tree.blocks[*region].block.nodes.iter().any(divides))
    }

    /// A list of all instructions of a region.
    fn list_of(&mut self, region: BlockId) -> Option<List> {
        self.lists.push(Vec::new());
        self.numbers(region)?;
        Some(List(self.lists.len() - 1))
    }

    /// The register of a value that the last list makes, and that is not taken: a copy, if need be.
    fn made_in(&mut self, list: List, value: ValueId, taken: &[usize]) -> Option<usize> {
        let register = self.register(value)?;
        let is_made = self.lists[list.0].iter().any(|made| made.target == Some(register));
        if is_made && !taken.contains(&register) {
            return Some(register);
        }
        let dtype = self.planner.function.tensor(value).dtype;
        self.instruction(&Op::Cast(dtype), &[value], value)
    }
}

/// Whether an op has the same result, whatever computes it, and takes less time of many numbers at once.
fn runs_side_by_side(op: &Op, dtype: DType) -> bool {
    match op {
        Op::Binary(BinaryOp::Maximum | BinaryOp::Minimum, _) => true,
        Op::Binary(BinaryOp::Mul, _) => dtype.is_float(),
        Op::Binary(op, _) => op.rounding() == Rounding::Alike,
        Op::Unary(op, _) => op.rounding() == Rounding::Alike,
        Op::Compare(_) | Op::Select => true,
        // What a float becomes that no integer is, depends on who asks.
        Op::Cast(to) => to.is_float() || !dtype.is_float(),
        _ => false,
    }
}
