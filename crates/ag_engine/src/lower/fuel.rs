//! Asking the host, in loops, whether to go on.
//!
//! Loops burn *fuel*, a number in a register: as much as they work. When it is used up, which takes about a
//! millisecond, the host is asked. A counted loop burns that of many iterations at once, a *stretch*, so that its
//! iterations have one comparison, as they would without asking:
//!
//! ```text
//! for i in range(n):     end = min(n, 2097152); fuel -= end
//!     out[i] = i         body:     out[i] = i; i += 1; if i != end → body
//!                        if i != n: end = min(n, i + 2097152); fuel -= end - i; if fuel < 0: ask; → body
//! ```

use ag_ir::{LocationId, Op, ValueId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::cold_call::ColdCall;
use super::lowerer::{FUEL, Lowerer};
use crate::plan::ids::BlockId;
use crate::plan::step::Step;

/// The guessed size of an array of unknown sizes, so that a loop on such arrays asks the host often enough.
const EXPECTED_BYTES: usize = 64 << 10;

/// An iteration of this much work calls a kernel, which takes far longer than to burn its fuel.
const KERNEL_WORK: i64 = 16;

/// The longest step of a loop that has stretches.
const LONG_STEP: i64 = 1 << 20;

/// When a counted loop asks.
pub(super) enum Asking {
    /// Once, before it: the whole loop is as short as a stretch.
    Once { work: i64 },
    /// Between stretches of so many iterations; the index ends a stretch when it has this value.
    Stretches { work: i64, iterations: i64, step: i64, end: Variable },
    /// In each iteration.
    EachTime { work: i64 },
}

impl Lowerer<'_, '_> {
    /// When a loop asks whose iterations do this work; their number and the step of the index, if known.
    pub(super) fn asking_of(&mut self, work: i64, count: Option<i64>, step: Option<i64>) -> Asking {
        if let Some(work) = count.and_then(|count| count.checked_mul(work)).filter(|work| *work <= FUEL) {
            return Asking::Once { work };
        }
        match step.filter(|step| *step != 0 && (-LONG_STEP..=LONG_STEP).contains(step)) {
            Some(step) if work < KERNEL_WORK => {
                let end = self.builder.declare_var(types::I64);
                Asking::Stretches { work, iterations: (FUEL / work).max(1), step, end }
            }
            _ => Asking::EachTime { work },
        }
    }

    /// Before a loop of `count` iterations over indices from `first` to `end`, which it does not reach.
    pub(super) fn ask_before(
        &mut self,
        asking: &Asking,
        [first, end]: [Value; 2],
        count: Value,
        location: Option<LocationId>,
    ) {
        match asking {
            Asking::Once { work } => self.burn_fuel(*work, location),
            Asking::Stretches { step, .. } => {
                let way = match step.abs() {
                    1 => count,
                    length => self.builder.ins().imul_imm_s(count, length),
                };
                self.begin_stretch(asking, [first, end], way, location);
            }
            Asking::EachTime { .. } => {}
        }
    }

    /// Goes on with the next iteration, the index of which is `following`, or behind the loop if that is its end.
    pub(super) fn ask_between(
        &mut self,
        asking: &Asking,
        [following, end]: [Value; 2],
        again: (Block, Vec<BlockArg>),
        exit: (Block, Vec<BlockArg>),
        location: Option<LocationId>,
    ) {
        let Asking::Stretches { end: end_of_stretch, step, .. } = *asking else {
            let goes_on = self.builder.ins().icmp(IntCC::NotEqual, following, end);
            self.builder.ins().brif(goes_on, again.0, &again.1, exit.0, &exit.1);
            return;
        };
        let (ended, next_stretch) = (self.builder.create_block(), self.builder.create_block());
        let here = self.builder.use_var(end_of_stretch);
        let goes_on = self.builder.ins().icmp(IntCC::NotEqual, following, here);
        self.builder.ins().brif(goes_on, again.0, &again.1, ended, &[]);
        self.builder.switch_to_block(ended);
        let is_whole = self.builder.ins().icmp(IntCC::Equal, following, end);
        self.builder.set_cold_block(next_stretch);
        self.builder.ins().brif(is_whole, exit.0, &exit.1, next_stretch, &[]);
        self.builder.switch_to_block(next_stretch);
        let way = match step > 0 {
            true => self.builder.ins().isub(end, following),
            false => self.builder.ins().isub(following, end),
        };
        self.begin_stretch(asking, [following, end], way, location);
        self.set_cold();
        self.builder.ins().jump(again.0, &again.1);
    }

    /// Sets the end of the stretch that begins with an index, and burns its fuel. It is `way` to the end of the loop,
    /// an unsigned number: it may be more than half of all.
    fn begin_stretch(
        &mut self,
        asking: &Asking,
        [index, end]: [Value; 2],
        way: Value,
        location: Option<LocationId>,
    ) {
        let Asking::Stretches { work, iterations, step, end: end_of_stretch } = *asking else { return };
        let span = iterations * step.abs();
        let is_last = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, way, span);
        let far = self.builder.ins().iadd_imm_s(index, iterations * step);
        let here = self.builder.ins().select(is_last, end, far);
        self.builder.def_var(end_of_stretch, here);
        let span = self.int(types::I64, span);
        let steps = self.builder.ins().select(is_last, way, span);
        let steps = match step.abs() {
            1 => steps,
            length => self.builder.ins().udiv_imm_u(steps, length),
        };
        let work = self.builder.ins().imul_imm_s(steps, work);
        let fuel = self.builder.use_var(self.fuel);
        let left = self.builder.ins().isub(fuel, work);
        self.ask_if_out(left, location);
    }

    /// Subtracts work from the fuel, and asks the host whether to go on when it is used up.
    pub(super) fn burn_fuel(&mut self, work: i64, location: Option<LocationId>) {
        let fuel = self.builder.use_var(self.fuel);
        let left = self.builder.ins().iadd_imm_s(fuel, -work);
        self.ask_if_out(left, location);
    }

    /// Asks the host whether to go on if less than no fuel is left.
    fn ask_if_out(&mut self, left: Value, location: Option<LocationId>) {
        self.builder.def_var(self.fuel, left);
        let is_out = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0);
        let (asking, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(asking);
        self.builder.ins().brif(is_out, asking, &[], next, &[]);
        self.builder.switch_to_block(asking);
        let location = self.location(location);
        self.call_coldly(ColdCall::Poll, &[location]);
        self.set_cold();
        let full = self.int(types::I64, FUEL);
        self.builder.def_var(self.fuel, full);
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(next);
    }

    /// Puts the current block behind the code that runs often.
    fn set_cold(&mut self) {
        if let Some(block) = self.builder.current_block() {
            self.builder.set_cold_block(block);
        }
    }

    /// The bytes of an array; a guess if its sizes are unknown.
    fn expected_bytes(&self, value: ValueId) -> usize {
        if self.tree.function.ty(value).has_unknown_sizes() { EXPECTED_BYTES } else { self.bytes(value) }
    }

    /// Estimates the work of a block's own nodes, in iterations of an empty loop.
    pub(super) fn weight(&self, block: BlockId) -> i64 {
        let mut weight = 1_i64;
        for (index, step) in self.plan.steps[block].iter().enumerate() {
            let node = self.tree.node(block, index);
            let all = |values: &[ValueId]| values.iter().map(|value| self.expected_bytes(*value)).sum();
            let bytes: usize = match step {
                // A `keep` stores a pointer and a number, whatever the size of its operand.
                Step::Kernel(_) if matches!(node.op, Op::Keep(_)) => continue,
                Step::Kernel(_) => all(&node.operands),
                Step::Tape { .. } => all(&node.operands) + all(&node.results),
                // Whatever the size of the array, one element of it is written.
                Step::StoreElement { copied: None, .. } => continue,
                Step::StoreElement { .. } => all(&node.operands),
                _ => continue,
            };
            weight = weight.saturating_add(KERNEL_WORK + (bytes / 32) as i64);
        }
        weight.min(FUEL)
    }
}
