//! Steps of list ops, and the cells (descriptors) that lists live in.
//!
//! The plan treats the cell of a list like the memory of an array. A value that is read out of a list is
//! copied if the list is changed while the value is still in use; see `stays`.

use ag_ir::{ListOp, Type, ValueId};

use super::ids::BlockId;
use super::planner::Planner;
use super::stays::Destination;
use super::step::{InnerAccess, ListAccess, ListStep, Operand, Step};
use crate::error::CompileError;
use crate::kernels::Kernel;
use crate::kernels::lists::{Change, ListKernel};
use crate::lists::Element;

impl Planner<'_> {
    /// Bytes of a value in memory; for a list or an array of unknown sizes, those of its cell.
    pub(super) fn bytes(&self, value: ValueId) -> usize {
        match self.function.ty(value) {
            Type::List(_) => crate::lists::CELL_BYTES,
            Type::Tensor(tensor) if tensor.has_unknown_sizes() => crate::lists::CELL_BYTES,
            Type::Tensor(tensor) => self.sizes(value).iter().product::<usize>() * tensor.dtype.size(),
        }
    }

    pub(super) fn plan_list(
        &mut self,
        op: &ListOp,
        block: BlockId,
        index: usize,
    ) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let result = node.results[0];
        let list = if matches!(op, ListOp::Make(_) | ListOp::Unstack) { result } else { node.operands[0] };
        let Some(element) = self.function.ty(list).element().and_then(Element::of) else {
            return Err(CompileError::new("a list of what has no size is not compiled", node.location));
        };
        let short = |access, copied| Ok(Step::List(ListStep { access, element, copied, is_there: false }));
        let kernel = |change| ListKernel { change, element };
        let boxed = |change| -> Box<dyn Kernel> { Box::new(kernel(change)) };
        let others = node.operands.get(1..).unwrap_or_default();
        match op {
            ListOp::Length => short(ListAccess::Length, None),
            ListOp::Get => {
                self.place_read(result, list, &node.operands, block, index);
                short(ListAccess::Get, None)
            }
            ListOp::Set => short(ListAccess::Set, self.place_update(result, list, others, block, index)),
            ListOp::Append if self.is_put(others[0], Destination::List(list, index)) => {
                // The value shares the list's memory, but not that of its values.
                let is_there = self.can_overwrite(list, &[], block, index);
                let copied =
                    self.place_update(result, list, if is_there { &[] } else { others }, block, index);
                Ok(Step::List(ListStep { access: ListAccess::Append, element, copied, is_there }))
            }
            ListOp::Append => {
                short(ListAccess::Append, self.place_update(result, list, others, block, index))
            }
            ListOp::Pop => {
                let copied = self.place_update(result, list, &[], block, index);
                self.place_read(node.results[1], result, &[result], block, index);
                short(ListAccess::Pop, copied)
            }
            ListOp::LengthIn => short(ListAccess::Inner(InnerAccess::Length), None),
            ListOp::GetIn => {
                if !self.is_scalar(result) {
                    self.place(result, &node.operands, block, index);
                }
                short(ListAccess::Inner(InnerAccess::Get), None)
            }
            ListOp::SetIn | ListOp::AppendIn => {
                let copied = self.place_update(result, list, others, block, index);
                let access = if *op == ListOp::SetIn { InnerAccess::Set } else { InnerAccess::Append };
                short(ListAccess::Inner(access), copied)
            }
            ListOp::PopIn => {
                let copied = self.place_update(result, list, &[], block, index);
                if !self.is_scalar(node.results[1]) {
                    self.place(node.results[1], &node.results[..1], block, index);
                }
                short(ListAccess::Inner(InnerAccess::Pop), copied)
            }
            ListOp::Flatten => Ok(self.plan_kernel(boxed(Change::Flatten), &node.operands, 0, block, index)),
            ListOp::Make(_) => {
                let kernel = boxed(Change::Make(node.operands.len()));
                Ok(self.plan_kernel(kernel, &node.operands, 0, block, index))
            }
            ListOp::Unstack if self.is_in_cell(node.operands[0]) => Ok(self.plan_to_list(block, index)),
            ListOp::Unstack => {
                let count = self.sizes(node.operands[0]).first().copied().unwrap_or(0);
                Ok(self.plan_kernel(boxed(Change::Unstack(count)), &node.operands, 0, block, index))
            }
            ListOp::Stack { size: Some(size) } if self.views[result] => {
                self.reside_with(result, list, false);
                let operands = vec![Operand::Value(list)];
                let kernel = boxed(Change::Count(*size));
                Ok(Step::Contents(self.kernel_step(kernel, operands, None, node.location)))
            }
            ListOp::Stack { size: Some(size) } => {
                Ok(self.plan_kernel(boxed(Change::Stack(*size)), &node.operands, 0, block, index))
            }
            ListOp::Stack { size: None } => Ok(self.plan_from_list(block, index)),
            ListOp::Zeros => Ok(self.plan_kernel(boxed(Change::Zeros), &node.operands, 0, block, index)),
            ListOp::Slice => Ok(self.plan_kernel(boxed(Change::Slice), &node.operands, 0, block, index)),
            ListOp::Insert => Ok(self.plan_change(kernel(Change::Insert), block, index)),
            ListOp::Delete => Ok(self.plan_change(kernel(Change::Delete), block, index)),
            ListOp::Concatenate => Ok(self.plan_change(kernel(Change::Concatenate), block, index)),
            ListOp::Reverse => Ok(self.plan_change(kernel(Change::Reverse), block, index)),
        }
    }

    /// Places a value that is read from a list: it stays there if it can, else it is copied.
    fn place_read(
        &mut self,
        value: ValueId,
        list: ValueId,
        operands: &[ValueId],
        block: BlockId,
        index: usize,
    ) {
        if self.views[value] {
            self.reside_with(value, list, false);
        } else if !self.is_scalar(value) {
            self.place(value, operands, block, index);
        }
    }

    /// A kernel that changes the list in the first operand.
    fn plan_change(&mut self, kernel: ListKernel, block: BlockId, index: usize) -> Step {
        let node = self.tree.node(block, index);
        let (list, others, result) = (node.operands[0], &node.operands[1..], node.results[0]);
        let copied = self.place_update(result, list, others, block, index);
        let mut operands: Vec<Operand> = others.iter().copied().map(Operand::Value).collect();
        operands.push(Operand::Result(result));
        Step::Kernel(self.kernel_step(Box::new(kernel), operands, copied, node.location))
    }
}
