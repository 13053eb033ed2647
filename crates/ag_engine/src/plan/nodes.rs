//! What each node becomes.

use ag_ir::{DType, Node, Op, ValueId};

use super::planner::Planner;
use super::step::{KernelStep, Operand, ScalarIndex, Step, Write};
use super::tree::BlockId;
use crate::error::CompileError;
use crate::kernels::arg_reduce::ArgReduce;
use crate::kernels::arg_sort::ArgSort;
use crate::kernels::cumulative::Cumulative;
use crate::kernels::dot::Dot;
use crate::kernels::effects::{AskHost, CheckFailed, Keep, Print, Shown, ShownValue};
use crate::kernels::fourier::Fourier;
use crate::kernels::gather::{Gather, Indexing, Scatter, ScatterValues};
use crate::kernels::iota::Iota;
use crate::kernels::matrices::{Decompose, SolveLu};
use crate::kernels::random::Random;
use crate::kernels::reduce::Reduce;
use crate::kernels::scatter_add::ScatterAdd;
use crate::kernels::sort::Sort;
use crate::kernels::{Kernel, layout};

impl Planner<'_> {
    pub(super) fn plan_node(&mut self, block: BlockId, index: usize) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        if self.fusion.is_part(block, index) {
            return Ok(Step::Nothing);
        }
        if let [result] = node.results[..]
            && (self.fusion.views[result.0 as usize].is_some()
                || self.fusion.masks[result.0 as usize].is_some()
                || self.fusion.orders[result.0 as usize])
        {
            return Ok(Step::Nothing);
        }
        self.touch_operands(block, index);
        if let Some(product) = self.fusion.products.get(&(block, index)).cloned() {
            return Ok(self.plan_added_product(&product, block, index));
        }
        match &node.op {
            op if op.is_elementwise() => {
                if self.is_scalar(node.results[0]) {
                    return Ok(Step::Scalar);
                }
                self.plan_group(block, index)
            }
            Op::Size(axis) => Ok(Step::Size(*axis)),
            Op::Identity(_) | Op::Scope(_) => {
                let message = format!("{} is for gradients: `ag_optimize` drops it", node.op.name());
                Err(CompileError::new(message, node.location))
            }
            Op::TapePush(_) => Ok(Step::Tape),
            Op::TapePop(_) => {
                if !self.is_scalar(node.results[0]) {
                    self.place(node.results[0], &[], block, index);
                }
                Ok(Step::Tape)
            }
            Op::If => self.plan_if(block, index),
            Op::While | Op::For => self.plan_loop(block, index),
            Op::Call(call) => Ok(self.plan_call(call.callee, block, index)),
            Op::Check(check) => {
                let shown = self.shown(&node.operands[1..]);
                let kernel = CheckFailed { check: check.clone(), shown };
                Ok(Step::Check(self.effect(node, kernel, &node.operands[1..])))
            }
            Op::Callback(callback) => {
                let kernel = AskHost { callback: callback.clone(), shown: self.shown(&node.operands) };
                for result in &node.results {
                    if !self.is_scalar(*result) {
                        self.place(*result, &node.operands, block, index);
                    }
                }
                let mut step = self.effect(node, kernel, &node.operands);
                step.operands.extend(node.results.iter().copied().map(Operand::Result));
                self.kernels[step.kernel].operand_count = step.operands.len();
                Ok(Step::Kernel(step))
            }
            Op::Print { site } => {
                let kernel = Print { site: *site, shown: self.shown(&node.operands) };
                Ok(Step::Kernel(self.effect(node, kernel, &node.operands)))
            }
            Op::Keep(slot) => {
                let shown = ShownValue::of(self.function.ty(node.operands[0]));
                let kernel = Keep { slot: *slot, shown };
                Ok(Step::Kernel(self.effect(node, kernel, &node.operands)))
            }
            Op::KeepEnd(_) => Ok(Step::Nothing),
            Op::List(op) => self.plan_list(op, block, index),
            _ if self.has_cells(node) => self.plan_sized(block, index),
            Op::Constant(constant) => Ok(self.plan_constant(node.results[0], constant)),
            Op::Iota { dtype, size } => {
                Ok(self.plan_kernel(Iota { dtype: *dtype, size: *size }, &[], 0, block, index))
            }
            Op::Reduce { op, axes, .. } => {
                let (dtype, sizes) = self.dtype_and_sizes(node.operands[0]);
                let kernel = Reduce::new(*op, dtype, &sizes, axes, self.isa);
                let scratch = kernel.scratch_bytes();
                Ok(self.plan_kernel(kernel, &node.operands, scratch, block, index))
            }
            Op::ArgReduce { op, axis } => {
                let (dtype, sizes) = self.dtype_and_sizes(node.operands[0]);
                let kernel = ArgReduce::new(*op, dtype, &sizes, *axis);
                Ok(self.plan_kernel(kernel, &node.operands, 0, block, index))
            }
            Op::ArgSort(axis) => {
                let (dtype, sizes) = self.dtype_and_sizes(node.operands[0]);
                let kernel = ArgSort::new(dtype, &sizes, *axis);
                Ok(self.plan_kernel(kernel, &node.operands, 0, block, index))
            }
            Op::Cumulative { op, axis } => {
                let (dtype, sizes) = self.dtype_and_sizes(node.operands[0]);
                let kernel = Cumulative::new(*op, dtype, &sizes, *axis);
                Ok(self.plan_kernel(kernel, &node.operands, 0, block, index))
            }
            Op::Dot(axes) => {
                let (left, left_view) = self.view_of(node.operands[0]);
                let (right, right_view) = self.view_of(node.operands[1]);
                let dtype = self.function.tensor(left).dtype;
                if dtype == DType::Bool {
                    return Err(CompileError::new("dot is not defined on bool", node.location));
                }
                let kernel = Dot::new(dtype, axes, &left_view, &right_view, self.isa);
                let scratch = kernel.scratch_bytes();
                Ok(self.plan_kernel(kernel, &[left, right], scratch, block, index))
            }
            Op::Decompose(kind) => {
                let (dtype, sizes) = self.dtype_and_sizes(node.operands[0]);
                let (stack, size) = matrices_of(&sizes);
                let kernel = Decompose { kind: *kind, dtype, count: layout::count(stack), size };
                Ok(self.plan_kernel(kernel, &node.operands, 0, block, index))
            }
            Op::SolveLu => {
                let (dtype, sizes) = self.dtype_and_sizes(node.operands[1]);
                let (stack, size) = matrices_of(&sizes);
                let kernel = SolveLu { dtype, count: layout::count(stack), size };
                Ok(self.plan_kernel(kernel, &node.operands, 0, block, index))
            }
            Op::Fourier { is_inverse } => {
                let (dtype, sizes) = self.dtype_and_sizes(node.operands[0]);
                let kernel = Fourier::new(*is_inverse, dtype, &sizes);
                Ok(self.plan_kernel(kernel, &node.operands, 0, block, index))
            }
            Op::Random { draw, dtype, .. } => {
                let count = layout::count(&self.sizes(node.results[0]));
                let kernel = Random { draw: *draw, dtype: *dtype, count };
                Ok(self.plan_kernel(kernel, &node.operands, 0, block, index))
            }
            Op::Gather { .. } if self.fusion.orders[node.operands[1].0 as usize] => {
                let (dtype, sizes) = self.dtype_and_sizes(node.operands[0]);
                let kernel = Sort { dtype, size: layout::count(&sizes) };
                Ok(self.plan_kernel(kernel, &node.operands[..1], 0, block, index))
            }
            Op::Gather { axis, count } => Ok(self.plan_gather(block, index, *axis, *count)),
            Op::Scatter { axis, count } => Ok(self.plan_scatter(block, index, *axis, *count, Write::Replace)),
            Op::ScatterAdd { axis, count } => Ok(self.plan_scatter(block, index, *axis, *count, Write::Add)),
            _ => self.plan_shaping(block, index),
        }
    }

    /// Operands live up to here; those of a group and of views too.
    fn touch_operands(&mut self, block: BlockId, index: usize) {
        let position = self.tree.blocks[block].starts[index];
        for member in self.fusion.groups[block][index].clone() {
            for operand in &self.tree.node(block, member).operands {
                let (base, _) = self.view_of(*operand);
                self.touch(base, block, position);
                if let Some(mask) = self.fusion.masks[operand.0 as usize] {
                    self.touch(mask, block, position);
                }
            }
        }
    }

    pub(super) fn dtype_and_sizes(&self, value: ValueId) -> (DType, Vec<usize>) {
        (self.function.tensor(value).dtype, self.sizes(value))
    }

    fn shown(&self, values: &[ValueId]) -> Shown {
        values.iter().map(|value| ShownValue::of(self.function.ty(*value))).collect()
    }

    fn effect(&mut self, node: &Node, kernel: impl Kernel + 'static, values: &[ValueId]) -> KernelStep {
        let operands: Vec<Operand> = values.iter().copied().map(Operand::Value).collect();
        let kernel = self.add_kernel(kernel, operands.len(), node.location);
        KernelStep { kernel, operands, copied: None }
    }

    /// A kernel with the operands given, the node's result at a new place, and scratch.
    pub(super) fn plan_kernel(
        &mut self,
        kernel: impl Kernel + 'static,
        values: &[ValueId],
        scratch: usize,
        block: BlockId,
        index: usize,
    ) -> Step {
        let node = self.tree.node(block, index);
        let result = node.results[0];
        if !self.is_scalar(result) {
            self.place(result, values, block, index);
        }
        let mut operands: Vec<Operand> = values.iter().copied().map(Operand::Value).collect();
        operands.push(Operand::Result(result));
        if scratch > 0 {
            operands.push(Operand::Scratch(self.scratch(scratch, block, index)));
        }
        let kernel = self.add_kernel(kernel, operands.len(), node.location);
        Step::Kernel(KernelStep { kernel, operands, copied: None })
    }

    fn plan_constant(&mut self, result: ValueId, constant: &ag_ir::Constant) -> Step {
        if self.is_scalar(result) {
            return Step::Scalar;
        }
        let offset = self.constants.len().next_multiple_of(64);
        self.constants.resize(offset, 0);
        self.constants.extend_from_slice(&constant.bytes);
        self.reside_outside(result);
        Step::Constant(offset)
    }

    /// The indices as scalars of leading axes, if that is what they are.
    fn scalar_indices(
        &self,
        sizes: &[usize],
        element_size: usize,
        axis: usize,
        indices: &[ValueId],
    ) -> Option<Vec<ScalarIndex>> {
        let leads = sizes[..axis].iter().all(|size| *size == 1);
        let are_scalars = indices.iter().all(|index| self.is_scalar(*index));
        (leads && are_scalars).then(|| {
            indices
                .iter()
                .enumerate()
                .map(|(number, index)| ScalarIndex {
                    index: *index,
                    axis: axis + number,
                    size: sizes[axis + number],
                    stride: layout::count(&sizes[axis + number + 1..]) * element_size,
                })
                .collect()
        })
    }

    fn indexing(&self, x: ValueId, axis: usize, shape: &[usize], indices: &[ValueId]) -> Indexing {
        let (dtype, sizes) = self.dtype_and_sizes(x);
        let indices: Vec<_> = indices.iter().map(|index| self.dtype_and_sizes(*index)).collect();
        Indexing::new(&sizes, dtype.size(), axis, shape, &indices)
    }

    /// The common shape of index arrays.
    fn common_shape(&self, indices: &[ValueId]) -> Vec<usize> {
        let all: Vec<Vec<usize>> = indices.iter().map(|index| self.sizes(*index)).collect();
        let rank = all.iter().map(Vec::len).max().unwrap_or(0);
        (0..rank)
            .map(|axis| {
                let along =
                    |sizes: &Vec<usize>| (axis + sizes.len()).checked_sub(rank).map_or(1, |own| sizes[own]);
                all.iter().map(along).find(|size| *size != 1).unwrap_or(1)
            })
            .collect()
    }

    fn plan_gather(&mut self, block: BlockId, index: usize, axis: usize, count: usize) -> Step {
        let node = self.tree.node(block, index);
        let (x, result) = (node.operands[0], node.results[0]);
        let (dtype, sizes) = self.dtype_and_sizes(x);
        let indices = &node.operands[1..=count];
        if let Some(indices) = self.scalar_indices(&sizes, dtype.size(), axis, indices) {
            if !self.is_scalar(result) {
                self.reside_with(result, x, false);
            }
            return Step::Element { base: x, indices };
        }
        let shape = self.common_shape(indices);
        let kernel = Gather(self.indexing(x, axis, &shape, indices));
        self.plan_kernel(kernel, &node.operands, 0, block, index)
    }

    fn plan_scatter(
        &mut self,
        block: BlockId,
        index: usize,
        axis: usize,
        count: usize,
        write: Write,
    ) -> Step {
        let node = self.tree.node(block, index);
        let (x, value, result) = (node.operands[0], node.operands[1], node.results[0]);
        let (dtype, sizes) = self.dtype_and_sizes(x);
        let indices = &node.operands[2..2 + count];
        let copied = self.place_update(result, x, &node.operands[1..], block, index);
        let bytes = layout::count(&sizes[axis + count..]) * dtype.size();
        if self.bytes(value) == bytes
            && let Some(indices) = self.scalar_indices(&sizes, dtype.size(), axis, indices)
        {
            return Step::StoreElement { value, indices, copied, bytes, write };
        }
        let shape = self.common_shape(indices);
        let values = ScatterValues::new(&sizes, dtype.size(), (axis, count), &shape, &self.sizes(value));
        let indexing = self.indexing(x, axis, &shape, indices);
        let mut operands = vec![Operand::Result(result)];
        operands.extend(node.operands[1..].iter().copied().map(Operand::Value));
        let kernel = match write {
            Write::Replace => self.add_kernel(Scatter { indexing, values }, operands.len(), node.location),
            Write::Add => {
                let kernel = ScatterAdd::new(indexing, values, dtype, self.isa);
                self.add_kernel(kernel, operands.len(), node.location)
            }
        };
        Step::Kernel(KernelStep { kernel, operands, copied })
    }

    /// Places the result of an update over what is updated if that dies, else says what to copy.
    pub(super) fn place_update(
        &mut self,
        result: ValueId,
        x: ValueId,
        others: &[ValueId],
        block: BlockId,
        index: usize,
    ) -> Option<ValueId> {
        if self.can_overwrite(x, others, block, index) {
            self.place_in(result, x);
            return None;
        }
        let operands = [&[x], others].concat();
        self.place(result, &operands, block, index);
        Some(x)
    }
}

/// The sizes of a stack of matrices, and those of each.
fn matrices_of(sizes: &[usize]) -> (&[usize], (usize, usize)) {
    match sizes {
        [stack @ .., m, n] => (stack, (*m, *n)),
        _ => (sizes, (1, 1)),
    }
}
