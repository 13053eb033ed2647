//! `while` loops: the test is made before the loop and again at the end of the body (loop inversion), so that an
//! iteration has one jump.
//!
//! `while i >= 0 and xs[i] > x` ends its body with a branch, whose result is the test. Then each side of the
//! branch jumps on its own (jump threading): `i >= 0` leads out of the loop without being tested again.

use ag_ir::ValueId;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::control_flow::{LoopShape, args};
use super::lowerer::Lowerer;
use crate::error::CompileError;
use crate::plan::ids::BlockId;
use crate::plan::step::{LoopPlan, Step};

/// A test of at most this many nodes is made in two places.
const SHORT_TEST: usize = 12;

/// A `while` loop being generated.
struct While<'a> {
    shape: LoopShape<'a>,
    /// The region of the test, and that of the body.
    test: BlockId,
    body: BlockId,
    /// Where the body begins, and what follows the loop.
    start: Block,
    exit: Block,
}

impl Lowerer<'_, '_> {
    pub(super) fn lower_while(
        &mut self,
        block: BlockId,
        index: usize,
        plan: &LoopPlan,
        mut scalars: Vec<usize>,
        slots: Vec<Value>,
    ) -> Result<(), CompileError> {
        let tree = self.tree;
        let node = tree.node(block, index);
        let [test, body] = tree.blocks[block].regions[index][..] else {
            return Err(CompileError::new("`while` has two regions", node.location));
        };
        let goes_on = tree.blocks[test].block.results[0];
        let test_params = &tree.blocks[test].block.params;
        let inside = tree.blocks[body].block;
        let test_carry = test_params.iter().position(|param| *param == goes_on);
        let is_plain = self.plan.steps[test].iter().all(|step| matches!(step, Step::Nothing));
        let known_test = test_carry.filter(|_| is_plain);
        scalars.retain(|carry| Some(*carry) != known_test);
        let mut state = slots;
        for carry in &scalars {
            state.push(self.get(node.operands[*carry])?);
        }
        let shape =
            LoopShape { plan, scalars, test: known_test, location: node.location, node: (block, index) };
        let all = self.set_carry_ranges(&node.operands, (&inside.params, &inside.results), test_carry);
        for (param, range) in test_params.iter().zip(&all) {
            self.set_range(*param, *range);
        }
        let is_short = self.plan.steps[test].len() <= SHORT_TEST
            && self.plan.steps[test].iter().all(|step| matches!(step, Step::Scalar | Step::Nothing));
        let (start, exit) = (self.state_block(&state), self.state_block(&state));
        let head = if is_short { None } else { Some(self.state_block(&state)) };
        let whole = While { shape, test, body, start, exit };
        if let Some(head) = head {
            self.builder.ins().jump(head, &args(&state));
            self.builder.switch_to_block(head);
            state = self.builder.block_params(head).to_vec();
            self.slots.insert(plan.id, state[..plan.slots.len()].to_vec());
        }
        self.test_and_branch(&whole, &node.operands, &state)?;
        self.builder.switch_to_block(start);
        let state = self.builder.block_params(start).to_vec();
        self.slots.insert(plan.id, state[..plan.slots.len()].to_vec());
        self.burn_fuel(self.weight(body), node.location);
        self.count_run(body);
        self.bind(&whole.shape, &state, &inside.params);
        self.set_test(&whole.shape, &inside.params, true);
        self.narrow_params(goes_on, test_params, &inside.params);
        match head {
            Some(head) => {
                self.lower_block(body)?;
                let next = self.next_state(&whole.shape, &state, &inside.results)?;
                self.builder.ins().jump(head, &args(&next));
            }
            None => self.lower_body(&whole, &state)?,
        }
        self.builder.switch_to_block(exit);
        let state = self.builder.block_params(exit).to_vec();
        self.bind(&whole.shape, &state, &node.results);
        self.set_test(&whole.shape, &node.results, false);
        self.set_result_ranges(&node.results, (&node.operands, &inside.results), &all);
        Ok(())
    }

    /// Binds the carry that is the test.
    fn set_test(&mut self, shape: &LoopShape<'_>, values: &[ValueId], goes_on: bool) {
        if let Some(carry) = shape.test {
            let known = self.int(types::I8, i64::from(goes_on));
            self.set(values[carry], known);
        }
    }

    /// Makes the test of carries with this state, the values of which are `carried`, and enters the body or leaves
    /// the loop.
    fn test_and_branch(
        &mut self,
        whole: &While<'_>,
        carried: &[ValueId],
        state: &[Value],
    ) -> Result<(), CompileError> {
        let goes_on = match whole.shape.test {
            Some(carry) => self.get(carried[carry])?,
            None => {
                let region = self.tree.blocks[whole.test].block;
                self.bind(&whole.shape, state, &region.params);
                self.lower_block(whole.test)?;
                self.get(region.results[0])?
            }
        };
        self.builder.ins().brif(goes_on, whole.start, &args(state), whole.exit, &args(state));
        Ok(())
    }

    /// The body and the test after it.
    fn lower_body(&mut self, whole: &While<'_>, state: &[Value]) -> Result<(), CompileError> {
        let tree = self.tree;
        let results = &tree.blocks[whole.body].block.results;
        let Some(last) = self.last_branch(whole) else {
            self.lower_block(whole.body)?;
            let next = self.next_state(&whole.shape, state, results)?;
            return self.test_and_branch(whole, results, &next);
        };
        let branch = tree.node(whole.body, last);
        self.lower_steps(whole.body, last)?;
        let condition = self.get(branch.operands[0])?;
        let regions = &tree.blocks[whole.body].regions[last];
        let sides = [self.builder.create_block(), self.builder.create_block()];
        self.builder.ins().brif(condition, sides[0], &[], sides[1], &[]);
        let mut ranges = Vec::new();
        for (number, side) in sides.into_iter().enumerate() {
            self.builder.switch_to_block(side);
            let mark = self.ranges.mark();
            self.assume(branch.operands[0], number == 0);
            self.lower_block(regions[number])?;
            let made = &tree.blocks[regions[number]].block.results;
            ranges.push(self.ranges_of(made));
            self.ranges.forget(mark);
            for (result, value) in branch.results.iter().zip(self.get_all(made)?) {
                self.set(*result, value);
            }
            let next = self.next_state(&whole.shape, state, results)?;
            let at = branch.results.iter().position(|result| Some(*result) == self.test_of(whole));
            let known = at.and_then(|at| match made[at] == branch.operands[0] {
                true => Some(number == 0),
                false => self.bool_of(made[at]),
            });
            match known {
                Some(true) => self.builder.ins().jump(whole.start, &args(&next)),
                Some(false) => self.builder.ins().jump(whole.exit, &args(&next)),
                None => {
                    self.test_and_branch(whole, results, &next)?;
                    continue;
                }
            };
        }
        self.set_branch_ranges(&branch.results, &ranges[0], &ranges[1]);
        Ok(())
    }

    /// What the body makes of the carry that is the test.
    fn test_of(&self, whole: &While<'_>) -> Option<ValueId> {
        whole.shape.test.map(|carry| self.tree.blocks[whole.body].block.results[carry])
    }

    /// The place of the branch that the body ends with, if the test is a result of it.
    fn last_branch(&self, whole: &While<'_>) -> Option<usize> {
        let goes_on = self.test_of(whole)?;
        let steps = &self.plan.steps[whole.body];
        let last = steps.iter().rposition(|step| !matches!(step, Step::Nothing))?;
        let node = self.tree.node(whole.body, last);
        // What is measured has one end.
        let is_one = self.probe.is_none()
            && matches!(steps[last], Step::If)
            && node.results.contains(&goes_on)
            // What is copied at the end would be copied by the code of both sides.
            && whole.shape.plan.copies.is_empty()
            // Small sides are computed without a jump.
            && !self.tree.blocks[whole.body].regions[last].iter().all(|region| self.is_cheap(*region));
        is_one.then_some(last)
    }
}
