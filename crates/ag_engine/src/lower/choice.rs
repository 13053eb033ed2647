//! Small branches without jumps (if-conversion): both are computed, then one result is selected.
//!
//! `n // 2 if n % 2 == 0 else 3 * n + 1` is a shift, a multiply-add and a conditional move; a jump
//! would be guessed wrong half of the time. A check in a branch (`3 * n + 1` leaves 64 bits) counts
//! only if that branch is the one chosen.

use ag_ir::{BinaryOp, Cost, Node, Op, ValueId};
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};

use super::checks::{Check, Checks};
use super::lowerer::Lowerer;
use crate::error::CompileError;
use crate::plan::ids::BlockId;
use crate::plan::step::Step;

/// The most nodes, without literals, of a branch that is computed whether it is taken or not.
const FEW_NODES: usize = 4;

impl Lowerer<'_, '_> {
    /// Whether a region is a few instructions that neither trap nor have effects.
    pub(super) fn is_cheap(&self, region: BlockId) -> bool {
        let block = self.tree.blocks[region].block;
        let is_scalar =
            self.plan.steps[region].iter().all(|step| matches!(step, Step::Scalar | Step::Nothing));
        let work = block.nodes.iter().filter(|node| !matches!(node.op, Op::Constant(_)));
        is_scalar
            && block.results.iter().all(|result| self.is_scalar(*result))
            && block.nodes.iter().all(|node| self.is_cheap_node(node, &block.nodes))
            && work.count() <= FEW_NODES
    }

    fn is_cheap_node(&self, node: &Node, nodes: &[Node]) -> bool {
        match &node.op {
            Op::Constant(_) => true,
            Op::Binary(BinaryOp::FloorDiv | BinaryOp::Mod, _) => {
                let is_power = |number: i64| number > 0 && number & (number - 1) == 0;
                self.literal(node.operands[1], nodes).is_some_and(is_power)
            }
            op => op.cost() == Cost::Least,
        }
    }

    /// The integer that a value is known to be, from earlier code or a literal among `nodes`.
    fn literal(&self, value: ValueId, nodes: &[Node]) -> Option<i64> {
        let among = nodes.iter().find(|node| node.results.contains(&value)).and_then(|node| match &node.op {
            Op::Constant(constant) => constant.bytes[..].try_into().ok().map(i64::from_ne_bytes),
            _ => None,
        });
        self.known.get(&value).copied().or(among)
    }

    /// Computes both regions, then selects the results of one.
    pub(super) fn lower_choice(
        &mut self,
        node: &Node,
        condition: Value,
        [then, otherwise]: [BlockId; 2],
    ) -> Result<(), CompileError> {
        let (mut results, mut ranges) = (Vec::new(), Vec::new());
        self.count_if(then, condition);
        for (region, is_then) in [(then, true), (otherwise, false)] {
            self.collected = Some(Checks::default());
            let mark = self.ranges.mark();
            self.assume(node.operands[0], is_then);
            self.lower_block(region)?;
            ranges.push(self.ranges_of(&self.tree.blocks[region].block.results));
            self.ranges.forget(mark);
            let checks = self.collected.take().unwrap_or_default();
            self.fail_if_chosen(&checks.all, condition, is_then);
            results.push(self.get_all(&self.tree.blocks[region].block.results)?);
        }
        let chosen = self.choose(condition, &results[0], &results[1]);
        for (result, value) in node.results.iter().zip(chosen) {
            self.set(*result, value);
        }
        self.set_branch_ranges(&node.results, &ranges[0], &ranges[1]);
        Ok(())
    }

    /// Selects the values of one branch or of the other.
    ///
    /// Integers use a conditional move. The processor has none for floats, so a float takes a jump; all
    /// values that are selected along with a float take the same jump, so that the condition is tested once.
    fn choose(&mut self, condition: Value, then: &[Value], otherwise: &[Value]) -> Vec<Value> {
        let has_float = then.iter().any(|value| self.builder.func.dfg.value_type(*value).is_float());
        if then.len() < 2 || !has_float {
            let pairs = then.iter().zip(otherwise);
            return pairs.map(|(yes, no)| self.builder.ins().select(condition, *yes, *no)).collect();
        }
        let next = self.builder.create_block();
        for value in then {
            let kind = self.builder.func.dfg.value_type(*value);
            self.builder.append_block_param(next, kind);
        }
        let arguments =
            |values: &[Value]| values.iter().map(|value| BlockArg::Value(*value)).collect::<Vec<_>>();
        let (yes, no) = (arguments(then), arguments(otherwise));
        self.builder.ins().brif(condition, next, &yes, next, &no);
        self.builder.switch_to_block(next);
        self.builder.block_params(next).to_vec()
    }

    /// Fails if any overflow of the chosen branch happened: one test for all, and if that holds, which branch was
    /// chosen, then a search for the first.
    fn fail_if_chosen(&mut self, checks: &[Check], condition: Value, is_then: bool) {
        let mut needed = checks.iter().filter(|check| !check.is_covered).map(|check| check.is_outside);
        let Some(mut any) = needed.next() else { return };
        for other in needed {
            any = self.builder.ins().bor(any, other);
        }
        let [asking, failing, next] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(asking);
        self.builder.set_cold_block(failing);
        self.builder.ins().brif(any, asking, &[], next, &[]);
        self.builder.switch_to_block(asking);
        let (then, otherwise) = if is_then { (failing, next) } else { (next, failing) };
        self.builder.ins().brif(condition, then, &[], otherwise, &[]);
        self.builder.switch_to_block(failing);
        for check in checks {
            self.overflow_if(check.is_outside, check.location);
        }
        self.builder.ins().jump(self.leave, &[]);
        self.builder.switch_to_block(next);
    }
}
