//! Chooses the step that each node becomes.

use ag_ir::{DType, Node, Op, Store, ValueId};

use super::ids::BlockId;
use super::planner::Planner;
use super::stays::Destination;
use super::step::{KernelStep, Operand, ScalarIndex, Step};
use crate::error::CompileError;
use crate::kernels::effects::{AskHost, CheckFailed, Keep, Print, Shown, ShownValue};
use crate::kernels::partition::Partition;
use crate::kernels::sort::Sort;
use crate::kernels::table::{self, Given, Made, Writes};
use crate::kernels::view::View;
use crate::kernels::{Kernel, layout};

impl Planner<'_> {
    pub(super) fn plan_node(&mut self, block: BlockId, index: usize) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        if self.fusion.is_part(block, index) {
            return Ok(Step::Nothing);
        }
        if let [result] = node.results[..]
            && (self.fusion.views[result].is_some()
                || self.fusion.masks[result].is_some()
                || self.fusion.orders[result])
        {
            return Ok(Step::Nothing);
        }
        self.touch_operands(block, index);
        if let Some(product) = self.fusion.products.get(&(block, index)).cloned() {
            return Ok(self.plan_added_product(&product, block, index));
        }
        match &node.op {
            Op::MulAddMod => Ok(Step::Scalar),
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
            Op::TapePush(tape) => {
                let is_there = self.is_put(node.operands[0], Destination::Tape(*tape, index));
                Ok(Step::Tape { is_there })
            }
            Op::TapeLoad(_) => Ok(Step::Tape { is_there: false }),
            Op::TapePop(_) | Op::TapeSave(_) => {
                let result = node.results[0];
                if self.views[result] {
                    self.reside_outside(result);
                } else if !self.is_scalar(result) {
                    self.place(result, &[], block, index);
                }
                Ok(Step::Tape { is_there: false })
            }
            Op::If => self.plan_if(block, index),
            Op::While | Op::For => self.plan_loop(block, index),
            Op::Call(call) => Ok(self.plan_call(call.callee, block, index)),
            Op::Check(check) => {
                let shown = self.shown(&node.operands[1..]);
                let kernel = CheckFailed { check: check.clone(), shown };
                Ok(Step::Check(self.effect(node, kernel, &node.operands[1..], &[])))
            }
            Op::Callback(callback) => {
                let kernel = AskHost { callback: callback.clone(), shown: self.shown(&node.operands) };
                for result in &node.results {
                    if !self.is_scalar(*result) {
                        self.place(*result, &node.operands, block, index);
                    }
                }
                Ok(Step::Kernel(self.effect(node, kernel, &node.operands, &node.results)))
            }
            Op::Print { site } => {
                let kernel = Print { site: *site, shown: self.shown(&node.operands) };
                Ok(Step::Kernel(self.effect(node, kernel, &node.operands, &[])))
            }
            Op::Keep(slot) => {
                let shown = ShownValue::of(self.function.ty(node.operands[0]));
                let kernel = Keep { slot: *slot, shown };
                Ok(Step::Kernel(self.effect(node, kernel, &node.operands, &[])))
            }
            Op::KeepEnd(_) => Ok(Step::Nothing),
            Op::List(op) => self.plan_list(op, block, index),
            _ if self.has_cells(node) => self.plan_sized(block, index),
            Op::Reduce { .. } => self.plan_reductions(block, index),
            Op::Constant(constant) => Ok(self.plan_constant(node.results[0], constant)),
            Op::Dot(_) => {
                let (left, left_view) = self.view_of(node.operands[0]);
                let (right, right_view) = self.view_of(node.operands[1]);
                if self.function.tensor(left).dtype == DType::Bool {
                    return Err(CompileError::new("dot is not defined on bool", node.location));
                }
                self.plan_row(&[left, right], Some(&[left_view, right_view]), block, index)
            }
            Op::Gather { .. } if self.fusion.orders[node.operands[1]] => {
                let (dtype, sizes) = self.dtype_and_sizes(node.operands[0]);
                let kernel = Sort::new(dtype, &sizes, 0, self.isa);
                let scratch = kernel.scratch_bytes();
                Ok(self.plan_kernel(Box::new(kernel), &node.operands[..1], scratch, block, index))
            }
            Op::Partition { axis, ranks } | Op::ArgPartition { axis, ranks }
                if let Some(head) = self.fusion.heads[node.results[0]]
                    && !self.is_in_cell(node.operands[0]) =>
            {
                let (dtype, sizes) = self.dtype_and_sizes(node.operands[0]);
                let gives_places = matches!(node.op, Op::ArgPartition { .. });
                let kernel = Partition::new(dtype, &sizes, (*axis, ranks), gives_places, self.isa);
                let scratch = kernel.scratch_bytes();
                let kernel = Box::new(kernel.with_head(head));
                Ok(self.plan_kernel(kernel, &node.operands, scratch, block, index))
            }
            Op::Concatenate(_) if self.fusion.groups[block][index].len() > 1 => {
                Ok(self.plan_joined(block, index))
            }
            Op::Gather { axis, count } => self.plan_gather(block, index, *axis, *count),
            Op::Scatter { axis, count, store } => self.plan_scatter(block, index, (*axis, *count), *store),
            Op::Reshape(_) => self.plan_view(block, index, &View::dense(&self.sizes(node.results[0]))),
            Op::Broadcast(_) => {
                let (sizes, result) = (self.sizes(node.operands[0]), self.sizes(node.results[0]));
                self.plan_view(block, index, &View::broadcast(&sizes, &result))
            }
            Op::Transpose(permutation) => {
                let sizes = self.sizes(node.operands[0]);
                self.plan_view(block, index, &View::transposed(&sizes, permutation))
            }
            Op::Slice { start, step, .. } => {
                let (sizes, result) = (self.sizes(node.operands[0]), self.sizes(node.results[0]));
                self.plan_view(block, index, &View::sliced(&sizes, start, step, &result))
            }
            Op::DynamicSlice { axis, size } => self.plan_dynamic_slice(block, index, *axis, *size),
            // All others have a row in the kernel table, or cannot be compiled.
            op => match table::writes(op) {
                Some(_) => self.plan_row(&node.operands, None, block, index),
                None => Err(CompileError::new(format!("{op:?} is not compiled"), node.location)),
            },
        }
    }

    /// Calls the kernel that the table has for this node. `views` says how the operands lie in memory; none
    /// if all are dense.
    pub(super) fn plan_row(
        &mut self,
        values: &[ValueId],
        views: Option<&[View]>,
        block: BlockId,
        index: usize,
    ) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let refusal = || CompileError::new(format!("{:?} is not compiled", node.op), node.location);
        if !table::numbers(&node.op, values.len()).is_empty() {
            return Err(refusal());
        }
        let dtypes: Vec<DType> = values.iter().map(|value| self.function.tensor(*value).dtype).collect();
        let sizes: Vec<Vec<usize>> = values.iter().map(|value| self.sizes(*value)).collect();
        let sizes: Vec<&[usize]> = sizes.iter().map(Vec::as_slice).collect();
        let (result, isa) = (self.sizes(node.results[0]), self.isa);
        let given = Given { dtypes: &dtypes, sizes: &sizes, views, result: &result, number: &|_| 0, isa };
        let Made { kernel, scratch } = table::kernel(&node.op, &given).ok_or_else(refusal)?;
        match table::writes(&node.op).ok_or_else(refusal)? {
            Writes::Result => Ok(self.plan_kernel(kernel, values, scratch, block, index)),
            Writes::First => Ok(self.plan_update(kernel, block, index)),
        }
    }

    /// A kernel that updates the first operand: in place if that operand dies here, else in a copy.
    pub(super) fn plan_update(&mut self, kernel: Box<dyn Kernel>, block: BlockId, index: usize) -> Step {
        let node = self.tree.node(block, index);
        let (x, others, result) = (node.operands[0], &node.operands[1..], node.results[0]);
        let copied = self.place_update(result, x, others, block, index);
        let mut operands = vec![Operand::Result(result)];
        operands.extend(others.iter().copied().map(Operand::Value));
        Step::Kernel(self.kernel_step(kernel, operands, copied, node.location))
    }

    /// Extends the live ranges of the node's operands to this node, also those of its fused members and
    /// views.
    fn touch_operands(&mut self, block: BlockId, index: usize) {
        let position = self.tree.blocks[block].starts[index];
        for member in self.fusion.groups[block][index].clone() {
            for operand in &self.tree.node(block, member).operands {
                let (base, _) = self.view_of(*operand);
                self.touch(base, block, position);
                if let Some(mask) = self.fusion.masks[*operand] {
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

    fn effect(
        &mut self,
        node: &Node,
        kernel: impl Kernel + 'static,
        values: &[ValueId],
        results: &[ValueId],
    ) -> KernelStep {
        let mut operands: Vec<Operand> = values.iter().copied().map(Operand::Value).collect();
        operands.extend(results.iter().copied().map(Operand::Result));
        self.kernel_step(Box::new(kernel), operands, None, node.location)
    }

    /// A kernel with the given operands, scratch, and a new place for the node's result.
    pub(super) fn plan_kernel(
        &mut self,
        kernel: Box<dyn Kernel>,
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
        Step::Kernel(self.kernel_step(kernel, operands, None, node.location))
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

    /// The node's indices as scalar indices of leading axes, or none if they are arrays.
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

    fn plan_gather(
        &mut self,
        block: BlockId,
        index: usize,
        axis: usize,
        count: usize,
    ) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let (x, result) = (node.operands[0], node.results[0]);
        let (dtype, sizes) = self.dtype_and_sizes(x);
        let indices = &node.operands[1..=count];
        if let Some(indices) = self.scalar_indices(&sizes, dtype.size(), axis, indices) {
            if !self.is_scalar(result) {
                self.reside_with(result, x, false);
            }
            return Ok(Step::Element { base: x, indices });
        }
        self.plan_row(&node.operands, None, block, index)
    }

    fn plan_scatter(
        &mut self,
        block: BlockId,
        index: usize,
        (axis, count): (usize, usize),
        store: Store,
    ) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let (x, value, result) = (node.operands[0], node.operands[1], node.results[0]);
        let (dtype, sizes) = self.dtype_and_sizes(x);
        let indices = &node.operands[2..2 + count];
        let bytes = layout::count(&sizes[axis + count..]) * dtype.size();
        if self.bytes(value) == bytes
            && let Some(indices) = self.scalar_indices(&sizes, dtype.size(), axis, indices)
        {
            let copied = self.place_update(result, x, &node.operands[1..], block, index);
            return Ok(Step::StoreElement { value, indices, copied, bytes, store });
        }
        self.plan_row(&node.operands, None, block, index)
    }

    /// Places the result of an update over the updated operand if that dies here. Returns the operand if it
    /// has to be copied to the result instead.
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
