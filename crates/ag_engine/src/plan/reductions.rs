//! Reductions that run with what makes their operand, or with others of the same operand.
//!
//! ```text
//! %3: f64[n] = sub %1, %2
//! %4: f64[n] = mul %3, %3          the tiles of %4 are added up where they are made, and %4 is never stored
//! %5: f64 = sum %4
//! %6: f64 = max %4                 the same pass finds the largest of them
//! ```
//!
//! The bits are those of an array that is stored first and then reduced. What can fail by element is stored:
//! a tile of it may be made in another order.

use ag_ir::{BinaryOp, DType, Op, ReduceOp};

use super::fuse::{Fusion, User, is_reduction};
use super::ids::BlockId;
use super::planner::Planner;
use super::step::{Operand, Step};
use super::tree::Tree;
use crate::error::CompileError;
use crate::kernels::map_reduce::MOST_TOGETHER;
use crate::kernels::reduce::Reduce;
use crate::kernels::sized::{Group, Origin};
use crate::values::ValueMap;

impl Fusion {
    /// Finds the reductions of a block that run together: of one operand, over the same axes. All run where
    /// the first of them stands.
    pub(super) fn join_reductions(&mut self, tree: &Tree<'_>, users: &ValueMap<Vec<User>>, block: BlockId) {
        for index in 0..tree.blocks[block].block.nodes.len() {
            let node = tree.node(block, index);
            let Op::Reduce { axes, .. } = &node.op else { continue };
            if !is_reduction(tree, block, index) {
                continue;
            }
            let first = users[node.operands[0]].iter().find_map(|user| match user {
                User::Node(other_block, other) if *other_block == block && *other < index => {
                    let is_alike =
                        matches!(&tree.node(block, *other).op, Op::Reduce { axes: other, .. } if other == axes);
                    let is_open = self.groups[block][*other].len() < MOST_TOGETHER;
                    (is_alike && is_open && self.runs_at[block][*other] == *other).then_some(*other)
                }
                _ => None,
            });
            if let Some(first) = first {
                self.runs_at[block][index] = first;
                self.groups[block][first].push(index);
            }
        }
    }
}

impl Planner<'_> {
    /// The kernel of the reductions that run at node `index`, and of the group that makes their operand.
    pub(super) fn plan_reductions(&mut self, block: BlockId, index: usize) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let operand = node.operands[0];
        let (members, reductions): (Vec<usize>, Vec<usize>) = self.fusion.groups[block][index]
            .iter()
            .partition(|member| self.tree.node(block, **member).op.is_elementwise());
        let ops = |index: &usize| match &self.tree.node(block, *index).op {
            Op::Reduce { op, .. } => Some(*op),
            _ => None,
        };
        let ops: Vec<ReduceOp> = reductions.iter().filter_map(ops).collect();
        let Op::Reduce { axes, .. } = &node.op else {
            return Err(CompileError::new("a reduction was expected", node.location));
        };
        let (dtype, sizes): (DType, Vec<usize>) = self.dtype_and_sizes(operand);
        let mut kernel = Reduce::new(&ops, dtype, &sizes, axes, self.isa);
        let mut values = vec![operand];
        if !members.is_empty() || self.fusion.views[operand].is_some() {
            let mut read = self.group_of(block, &members, operand)?;
            let views: Vec<_> = read.leaves.iter().map(|leaf| self.view_of(*leaf).1).collect();
            values = read.operands;
            let factors =
                if ops == [ReduceOp::Sum] { self.factors(block, &members, &read.group) } else { None };
            let of_factors = factors.and_then(|factors| {
                let product = read.group.members.pop()?;
                let program = read.group.assemble_two(&views, &sizes, factors);
                read.group.members.push(product);
                let kernel = Reduce::new(&ops, dtype, &sizes, axes, self.isa);
                kernel.of_factors(program, values.len(), dtype, self.isa)
            });
            kernel = of_factors.unwrap_or_else(|| {
                let program = read.group.program(read.group.assemble(&views, &sizes), &sizes, false);
                kernel.of_group(program, values.len())
            });
        }
        let mut operands: Vec<Operand> = values.iter().copied().map(Operand::Value).collect();
        // A later result must not go where an earlier one is.
        for reduction in reductions {
            let result = self.tree.node(block, reduction).results[0];
            if !self.is_scalar(result) {
                self.place(result, &values, block, index);
            }
            operands.push(Operand::Result(result));
            values.push(result);
        }
        let scratch = kernel.scratch_bytes();
        if scratch > 0 {
            operands.push(Operand::Scratch(self.scratch(scratch, block, index)));
        }
        Ok(Step::Kernel(self.kernel_step(Box::new(kernel), operands, None, node.location)))
    }

    /// The two values whose product is the result of a group.
    fn factors(&self, block: BlockId, members: &[usize], group: &Group) -> Option<[Origin; 2]> {
        let last = self.tree.node(block, *members.last()?);
        let is_product = matches!(last.op, Op::Binary(BinaryOp::Mul, _));
        is_product
            .then(|| group.members.last().map(|member| [member.sources[0], member.sources[1]]))
            .flatten()
    }
}
