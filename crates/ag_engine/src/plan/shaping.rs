//! Nodes that move elements without changing them.

use ag_ir::{Op, ValueId};

use super::planner::Planner;
use super::step::{KernelStep, Operand, ScalarIndex, Step};
use super::tree::BlockId;
use crate::error::CompileError;
use crate::kernels::layout::{broadcast_strides, collapse, count, dense_strides};
use crate::kernels::slice::{Copies, Dynamic, Part, slice_view};
use crate::kernels::strided::StridedCopy;
use crate::kernels::view::View;

impl Planner<'_> {
    pub(super) fn plan_shaping(&mut self, block: BlockId, index: usize) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        match &node.op {
            Op::Reshape(_) => Ok(self.plan_view(block, index, &View::dense(&self.sizes(node.results[0])))),
            Op::Broadcast(_) => {
                let (sizes, result) = (self.sizes(node.operands[0]), self.sizes(node.results[0]));
                let strides = broadcast_strides(&sizes, &dense_strides(&sizes), &result);
                Ok(self.plan_view(block, index, &View { sizes: result, strides, offset: 0 }))
            }
            Op::Transpose(permutation) => {
                let dense = dense_strides(&self.sizes(node.operands[0]));
                let strides = permutation.iter().map(|axis| dense[*axis]).collect();
                let sizes = self.sizes(node.results[0]);
                Ok(self.plan_view(block, index, &View { sizes, strides, offset: 0 }))
            }
            Op::Slice { start, step, .. } => {
                let (offset, strides) = slice_view(&self.sizes(node.operands[0]), start, step);
                let sizes = self.sizes(node.results[0]);
                Ok(self.plan_view(block, index, &View { sizes, strides, offset }))
            }
            Op::UpdateSlice { start, step } => {
                let (x, value, result) = (node.operands[0], node.operands[1], node.results[0]);
                let (offset, strides) = slice_view(&self.sizes(x), start, step);
                let sizes = self.sizes(value);
                let element = self.function.tensor(x).dtype.size();
                let copy = StridedCopy::new(element, &sizes, &dense_strides(&sizes), &strides);
                let copied = self.place_update(result, x, &[value], block, index);
                let part = Part { from: (0, 0), to: (1, offset * element.cast_signed()), copy };
                let operands = vec![Operand::Value(value), Operand::Result(result)];
                let kernel = self.add_kernel(Copies(vec![part]), 2, node.location);
                Ok(Step::Kernel(KernelStep { kernel, operands, copied }))
            }
            Op::DynamicSlice { axis, size } => Ok(self.plan_dynamic_slice(block, index, *axis, *size)),
            Op::DynamicUpdateSlice { axis } => Ok(self.plan_dynamic_update(block, index, *axis)),
            Op::Concatenate(axis) => Ok(self.plan_concatenate(block, index, *axis)),
            op => Err(CompileError::new(format!("{op:?} is not compiled"), node.location)),
        }
    }

    /// The operand seen through a view: the operand's memory if the view is dense, else a copy.
    fn plan_view(&mut self, block: BlockId, index: usize, view: &View) -> Step {
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
            return Step::View { base, offset: 0 };
        }
        if is_dense && !self.is_scalar(base) {
            if !self.is_scalar(result) {
                let is_whole = self.bytes(base) == self.bytes(result);
                self.reside_with(result, base, is_whole);
            }
            return Step::View { base, offset: offset.cast_unsigned() };
        }
        let copy = StridedCopy::new(element, &view.sizes, &view.strides, &dense_strides(&view.sizes));
        let part = Part { from: (0, offset), to: (1, 0), copy };
        self.plan_kernel(Copies(vec![part]), &[base], 0, block, index)
    }

    fn plan_dynamic_slice(&mut self, block: BlockId, index: usize, axis: usize, taken: usize) -> Step {
        let node = self.tree.node(block, index);
        let (base, start, result) = (node.operands[0], node.operands[1], node.results[0]);
        let (dtype, sizes) = self.dtype_and_sizes(base);
        let strides = dense_strides(&sizes);
        let stride = strides[axis].unsigned_abs() * dtype.size();
        if count(&sizes[..axis]) == 1 && taken <= sizes[axis] {
            self.reside_with(result, base, false);
            let start = ScalarIndex { index: start, axis, size: sizes[axis] - taken + 1, stride };
            return Step::SliceView { base, start, size: sizes[axis] };
        }
        let result_sizes = self.sizes(result);
        let kernel = Dynamic {
            copy: StridedCopy::new(dtype.size(), &result_sizes, &strides, &dense_strides(&result_sizes)),
            is_update: false,
            stride: stride.cast_signed(),
            axis,
            size: sizes[axis],
            taken,
        };
        self.plan_kernel(kernel, &node.operands, 0, block, index)
    }

    fn plan_dynamic_update(&mut self, block: BlockId, index: usize, axis: usize) -> Step {
        let node = self.tree.node(block, index);
        let (x, value, start) = (node.operands[0], node.operands[1], node.operands[2]);
        let result = node.results[0];
        let (dtype, sizes) = self.dtype_and_sizes(x);
        let value_sizes = self.sizes(value);
        let strides = dense_strides(&sizes);
        let kernel = Dynamic {
            copy: StridedCopy::new(dtype.size(), &value_sizes, &dense_strides(&value_sizes), &strides),
            is_update: true,
            stride: strides[axis] * dtype.size().cast_signed(),
            axis,
            size: sizes[axis],
            taken: value_sizes[axis],
        };
        let copied = self.place_update(result, x, &[value], block, index);
        let operands = vec![Operand::Value(value), Operand::Value(start), Operand::Result(result)];
        let kernel = self.add_kernel(kernel, 3, node.location);
        Step::Kernel(KernelStep { kernel, operands, copied })
    }

    fn plan_concatenate(&mut self, block: BlockId, index: usize, axis: usize) -> Step {
        let node = self.tree.node(block, index);
        let result = node.results[0];
        let (dtype, result_sizes) = self.dtype_and_sizes(result);
        let strides = dense_strides(&result_sizes);
        let mut at = 0;
        let mut parts = Vec::new();
        for (number, operand) in node.operands.iter().enumerate() {
            let sizes = self.sizes(*operand);
            let copy = StridedCopy::new(dtype.size(), &sizes, &dense_strides(&sizes), &strides);
            let offset = at * strides[axis] * dtype.size().cast_signed();
            parts.push(Part { from: (number, 0), to: (node.operands.len(), offset), copy });
            at += sizes[axis].cast_signed();
        }
        let operands: Vec<ValueId> = node.operands.clone();
        self.plan_kernel(Copies(parts), &operands, 0, block, index)
    }
}
