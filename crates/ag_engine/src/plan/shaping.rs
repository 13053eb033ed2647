//! Steps of nodes that move elements without changing them.

use super::ids::BlockId;
use super::planner::Planner;
use super::step::{ScalarIndex, Step};
use crate::error::CompileError;
use crate::kernels::layout::{collapse, count, dense_strides};
use crate::kernels::view::View;

impl Planner<'_> {
    /// The operand seen through a view: no copy if the view is dense, else a kernel.
    pub(super) fn plan_view(
        &mut self,
        block: BlockId,
        index: usize,
        view: &View,
    ) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let (base, result) = (node.operands[0], node.results[0]);
        let element = self.function.tensor(base).dtype.size();
        let (_, merged) = collapse(&view.sizes, &[&view.strides]);
        let is_dense = match merged[0][..] {
            [] => true,
            [stride] => stride == 1,
            _ => false,
        } && !view.sizes.contains(&0);
        let offset = view.offset * element.cast_signed();
        if self.is_scalar(base) && self.is_scalar(result) {
            return Ok(Step::View { base, offset: 0 });
        }
        if is_dense && !self.is_scalar(base) {
            if !self.is_scalar(result) {
                let is_whole = self.bytes(base) == self.bytes(result);
                self.reside_with(result, base, is_whole);
            }
            return Ok(Step::View { base, offset: offset.cast_unsigned() });
        }
        self.plan_row(&node.operands, None, block, index)
    }

    pub(super) fn plan_dynamic_slice(
        &mut self,
        block: BlockId,
        index: usize,
        axis: usize,
        taken: usize,
    ) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let (base, start, result) = (node.operands[0], node.operands[1], node.results[0]);
        let (dtype, sizes) = self.dtype_and_sizes(base);
        let strides = dense_strides(&sizes);
        let stride = strides[axis].unsigned_abs() * dtype.size();
        if count(&sizes[..axis]) == 1 && taken <= sizes[axis] {
            self.reside_with(result, base, false);
            let start = ScalarIndex { index: start, axis, size: sizes[axis] - taken + 1, stride };
            return Ok(Step::SliceView { base, start, size: sizes[axis] });
        }
        self.plan_row(&node.operands, None, block, index)
    }
}
