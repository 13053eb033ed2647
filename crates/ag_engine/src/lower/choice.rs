//! Small branches without jumps: both are computed, then one is chosen.
//!
//! `n // 2 if n % 2 == 0 else 3 * n + 1` is a shift, a multiply-add and a conditional move; a jump
//! would be guessed wrong half of the time. A check in a branch (`3 * n + 1` leaves 64 bits) counts
//! only if that branch is the one chosen.

use ag_ir::{BinaryOp, Node, Op, UnaryOp, ValueId};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::Lowerer;
use crate::error::CompileError;
use crate::plan::Step;

/// Most nodes, literals aside, of a branch that is computed without need.
const FEW_NODES: usize = 4;

impl Lowerer<'_, '_> {
    /// Whether a region is a few instructions that neither trap nor have effects.
    pub(super) fn is_cheap(&self, region: usize) -> bool {
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
            Op::Constant(_) | Op::Compare(_) | Op::Select => true,
            Op::Unary(op, _) => {
                matches!(op, UnaryOp::Neg | UnaryOp::Abs | UnaryOp::BitNot | UnaryOp::LogicalNot)
            }
            Op::Binary(BinaryOp::FloorDiv | BinaryOp::Mod, _) => {
                let is_power = |number: i64| number > 0 && number & (number - 1) == 0;
                self.literal(node.operands[1], nodes).is_some_and(is_power)
            }
            Op::Binary(op, _) => matches!(
                op,
                BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
                    | BinaryOp::Maximum
                    | BinaryOp::Minimum
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
            ),
            _ => false,
        }
    }

    /// The number that a value is known to be, here or by a literal among the nodes.
    fn literal(&self, value: ValueId, nodes: &[Node]) -> Option<i64> {
        let among = nodes.iter().find(|node| node.results.contains(&value)).and_then(|node| match &node.op {
            Op::Constant(constant) => constant.bytes[..].try_into().ok().map(i64::from_ne_bytes),
            _ => None,
        });
        self.known.get(&value).copied().or(among)
    }

    /// Computes both regions and chooses.
    pub(super) fn lower_choice(
        &mut self,
        node: &Node,
        condition: Value,
        [then, otherwise]: [usize; 2],
    ) -> Result<(), CompileError> {
        let outer = self.guard;
        let opposite = self.builder.ins().bxor_imm_s(condition, 1);
        let mut results = Vec::new();
        for (region, guard) in [(then, condition), (otherwise, opposite)] {
            self.guard = Some(match outer {
                Some(outer) => self.builder.ins().band(outer, guard),
                None => guard,
            });
            self.lower_block(region)?;
            results.push(self.get_all(&self.tree.blocks[region].block.results)?);
        }
        self.guard = outer;
        for (number, result) in node.results.iter().enumerate() {
            let chosen = self.builder.ins().select(condition, results[0][number], results[1][number]);
            self.set(*result, chosen);
        }
        Ok(())
    }
}
