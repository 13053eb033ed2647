//! Branches and loops, as Cranelift blocks with parameters.

use ag_ir::{LocationId, Op, ValueId};
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Type, Value, types};

use super::fuel::Asking;
use super::lowerer::Lowerer;
use super::scalar_type::scalar_type;
use crate::error::CompileError;
use crate::plan::ids::BlockId;
use crate::plan::step::{LoopPlan, SlotStart};

pub(super) fn args(values: &[Value]) -> Vec<BlockArg> {
    values.iter().copied().map(BlockArg::Value).collect()
}

/// A loop being generated. Its blocks take as parameters, in this order: slots, scalar carries, and the index
/// of a `for` loop.
pub(super) struct LoopShape<'a> {
    pub(super) plan: &'a LoopPlan,
    /// The carries that are scalars, but for the one that is the test.
    pub(super) scalars: Vec<usize>,
    /// The carry that says whether there is a next iteration, if that is all that the test looks at: it is true
    /// in the body and false after the loop.
    pub(super) test: Option<usize>,
    pub(super) location: Option<LocationId>,
    /// The node, by its block and number.
    pub(super) node: (BlockId, usize),
}

impl Lowerer<'_, '_> {
    fn code_type(&self, value: ValueId) -> Type {
        if self.is_scalar(value) { scalar_type(self.dtype(value)) } else { types::I64 }
    }

    pub(super) fn lower_if(&mut self, block: BlockId, index: usize) -> Result<(), CompileError> {
        let tree = self.tree;
        let node = tree.node(block, index);
        let condition = self.get(node.operands[0])?;
        let [then, otherwise] = tree.blocks[block].regions[index][..] else {
            return Err(CompileError::new("`if` has two regions", node.location));
        };
        if self.is_cheap(then) && self.is_cheap(otherwise) {
            return self.lower_choice(node, condition, [then, otherwise]);
        }
        let (then_block, else_block) = (self.builder.create_block(), self.builder.create_block());
        let merge = self.builder.create_block();
        for result in &node.results {
            let ty = self.code_type(*result);
            self.builder.append_block_param(merge, ty);
        }
        self.builder.ins().brif(condition, then_block, &[], else_block, &[]);
        let mut ranges = Vec::new();
        for (start, region) in [(then_block, then), (else_block, otherwise)] {
            self.builder.switch_to_block(start);
            if region == then {
                self.count_run(then);
            }
            let mark = self.ranges.mark();
            self.assume(node.operands[0], region == then);
            self.lower_block(region)?;
            ranges.push(self.ranges_of(&tree.blocks[region].block.results));
            self.ranges.forget(mark);
            let results = self.get_all(&tree.blocks[region].block.results)?;
            self.builder.ins().jump(merge, &args(&results));
        }
        self.builder.switch_to_block(merge);
        for (number, result) in node.results.iter().enumerate() {
            let param = self.builder.block_params(merge)[number];
            self.set(*result, param);
        }
        self.set_branch_ranges(&node.results, &ranges[0], &ranges[1]);
        Ok(())
    }

    pub(super) fn get_all(&self, values: &[ValueId]) -> Result<Vec<Value>, CompileError> {
        values.iter().map(|value| self.get(*value)).collect()
    }

    pub(super) fn lower_loop(
        &mut self,
        block: BlockId,
        index: usize,
        plan: &LoopPlan,
    ) -> Result<(), CompileError> {
        let node = self.tree.node(block, index);
        let slots = self.start_slots(plan, node.location)?;
        if plan.slots.values().any(|start| matches!(start, SlotStart::Copy(..))) {
            self.end_part_of_loop(block, index);
        }
        let scalars: Vec<usize> =
            (0..plan.carries.len()).filter(|carry| plan.carries[*carry].is_none()).collect();
        if matches!(node.op, Op::For) {
            return self.lower_for(block, index, plan, &scalars, slots);
        }
        self.lower_while(block, index, plan, scalars, slots)
    }

    /// The pointers that the slots start with. Copies an initial value that must not be changed in place.
    fn start_slots(
        &mut self,
        plan: &LoopPlan,
        location: Option<LocationId>,
    ) -> Result<Vec<Value>, CompileError> {
        let mut slots = Vec::new();
        for start in plan.slots.values() {
            slots.push(match start {
                SlotStart::Move(value) => self.get(*value)?,
                SlotStart::Copy(value, memory) => {
                    let (to, from) = (self.memory(*memory), self.get(*value)?);
                    self.copy_value(*value, to, from, location)?;
                    to
                }
                SlotStart::Fresh(memory) => self.memory(*memory),
            });
        }
        Ok(slots)
    }

    /// A block with one parameter for each value of a loop's state.
    pub(super) fn state_block(&mut self, state: &[Value]) -> Block {
        let block = self.builder.create_block();
        for value in state {
            let ty = self.builder.func.dfg.value_type(*value);
            self.builder.append_block_param(block, ty);
        }
        block
    }

    /// Binds the carries of a loop, but for the test, to the parameters of a region, or the results of the node.
    pub(super) fn bind(&mut self, shape: &LoopShape<'_>, state: &[Value], values: &[ValueId]) {
        let slots = shape.plan.slots.len();
        for (carry, value) in values.iter().enumerate() {
            let code = match shape.plan.carries[carry] {
                Some(slot) => state[slot.index()],
                None if shape.test == Some(carry) => continue,
                None => {
                    let at = shape.scalars.iter().position(|scalar| *scalar == carry).unwrap_or(0);
                    state[slots + at]
                }
            };
            self.set(*value, code);
        }
    }

    /// The state for the next iteration, at the end of the body.
    pub(super) fn next_state(
        &mut self,
        shape: &LoopShape<'_>,
        state: &[Value],
        results: &[ValueId],
    ) -> Result<Vec<Value>, CompileError> {
        for (value, slot) in &shape.plan.copies {
            let from = self.get(*value)?;
            self.copy_value(*value, state[slot.index()], from, shape.location)?;
        }
        if !shape.plan.copies.is_empty() {
            self.end_part_of_loop(shape.node.0, shape.node.1);
        }
        let mut next: Vec<Value> = shape.plan.next.values().map(|slot| state[slot.index()]).collect();
        for trade in &shape.plan.trades {
            let result = self.get(trade.result)?;
            let (own, spare) = (state[trade.own.index()], state[trade.spare.index()]);
            let stays = self.builder.ins().icmp(IntCC::Equal, result, own);
            next[trade.own.index()] = result;
            next[trade.spare.index()] = self.builder.ins().select(stays, spare, own);
        }
        for carry in &shape.scalars {
            next.push(self.get(results[*carry])?);
        }
        Ok(next)
    }

    fn lower_for(
        &mut self,
        block: BlockId,
        index: usize,
        plan: &LoopPlan,
        scalars: &[usize],
        slots: Vec<Value>,
    ) -> Result<(), CompileError> {
        let tree = self.tree;
        let node = tree.node(block, index);
        let [body] = tree.blocks[block].regions[index][..] else {
            return Err(CompileError::new("`for` has one region", node.location));
        };
        let [start, stop, step] = [0, 1, 2].map(|number| self.get(node.operands[number]));
        let (start, stop, step) = (start?, stop?, step?);
        let known_step = self.known.get(&node.operands[2]).copied();
        let count = self.iterations(start, stop, step, known_step);
        // Where the index is after the last iteration: no number of steps less than `count` leads there.
        let end = if known_step == Some(1) {
            stop
        } else {
            let way = self.builder.ins().imul(count, step);
            self.builder.ins().iadd(start, way)
        };
        let shape = LoopShape {
            plan,
            scalars: scalars.to_vec(),
            test: None,
            location: node.location,
            node: (block, index),
        };
        self.count_runs(body, count);
        self.reserve(body, plan, &slots, count);
        let mut state = slots;
        for carry in scalars {
            state.push(self.get(node.operands[3 + carry])?);
        }
        // What measures itself runs each row as an iteration.
        let rows = plan.rows.as_ref().filter(|_| self.probe.is_none());
        let (first, runs) = match rows {
            Some(rows) => {
                let first = self.first_row(rows, &state)?;
                (first, self.builder.ins().icmp(IntCC::NotEqual, first, stop))
            }
            None => (start, count),
        };
        state.push(first);
        let asking = match rows {
            Some(_) => Asking::EachTime { work: self.weight(body) },
            None => {
                let count = self.known_iterations(&node.operands[..3]);
                self.asking_of(self.weight(body), count, known_step)
            }
        };
        self.ask_before(&asking, [first, end], count, node.location);
        let (body_block, exit) = (self.state_block(&state), self.state_block(&state));
        self.builder.ins().brif(runs, body_block, &args(&state), exit, &args(&state));
        self.builder.switch_to_block(body_block);
        let inside = self.builder.block_params(body_block).to_vec();
        self.slots.insert(plan.id, inside[..plan.slots.len()].to_vec());
        if let Asking::EachTime { work } = asking {
            self.burn_fuel(work, node.location);
        }
        let region = tree.blocks[body].block;
        let current = inside[inside.len() - 1];
        self.set(region.params[0], current);
        self.set_index_range(region.params[0], [0, 1, 2].map(|number| node.operands[number]));
        let carries = &node.operands[3..];
        let all = self.set_carry_ranges(carries, (&region.params[1..], &region.results), None);
        self.bind(&shape, &inside, &region.params[1..]);
        self.lower_block(body)?;
        let mut next = self.next_state(&shape, &inside, &region.results)?;
        let following = match rows {
            Some(rows) => self.next_row(rows, &inside)?,
            None => self.builder.ins().iadd(current, step),
        };
        next.push(following);
        let again = (body_block, args(&next));
        self.ask_between(&asking, [following, end], again, (exit, args(&next)), node.location);
        self.builder.switch_to_block(exit);
        let state = self.builder.block_params(exit).to_vec();
        self.bind(&shape, &state, &node.results);
        self.set_result_ranges(&node.results, (carries, &region.results), &all);
        Ok(())
    }

    /// `len(range(start, stop, step))`, without leaving 64 bits: distances are unsigned.
    fn iterations(&mut self, start: Value, stop: Value, step: Value, known_step: Option<i64>) -> Value {
        let zero = self.int(types::I64, 0);
        let up = self.builder.ins().isub(stop, start);
        if known_step == Some(1) {
            let runs = self.builder.ins().icmp(IntCC::SignedLessThan, start, stop);
            return self.builder.ins().select(runs, up, zero);
        }
        let down = self.builder.ins().isub(start, stop);
        let rises = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, step, 0);
        let opposite = self.builder.ins().ineg(step);
        let distance = self.builder.ins().select(rises, up, down);
        let stride = self.builder.ins().select(rises, step, opposite);
        let goes_up = self.builder.ins().icmp(IntCC::SignedLessThan, start, stop);
        let goes_down = self.builder.ins().icmp(IntCC::SignedLessThan, stop, start);
        let goes = self.builder.ins().select(rises, goes_up, goes_down);
        // A step of 0 would divide by 0; it makes no iterations.
        let is_zero = self.builder.ins().icmp_imm_s(IntCC::Equal, step, 0);
        let one = self.int(types::I64, 1);
        let stride = self.builder.ins().select(is_zero, one, stride);
        let last = self.builder.ins().iadd_imm_s(distance, -1);
        let quotient = self.builder.ins().udiv(last, stride);
        let count = self.builder.ins().iadd_imm_s(quotient, 1);
        let count = self.builder.ins().select(goes, count, zero);
        self.builder.ins().select(is_zero, zero, count)
    }

    /// `len(range(start, stop, step))` of literals.
    fn known_iterations(&self, bounds: &[ValueId]) -> Option<i64> {
        let known = |number: usize| self.known.get(&bounds[number]).copied();
        let (start, stop, step) = (known(0)?, known(1)?, known(2)?);
        let (way, step) = if step < 0 {
            (start.checked_sub(stop)?, step.checked_neg()?)
        } else {
            (stop.checked_sub(start)?, step)
        };
        Some(if way <= 0 || step == 0 { 0 } else { (way - 1) / step + 1 })
    }
}
