//! Steps of nodes on arrays whose sizes are unknown until the run.
//!
//! Such an array is in a cell (descriptor: address, length, capacity, sizes), which the plan treats like the
//! cell of a list: carries trade cells, and a copy copies the elements that the cell owns. A result gets a
//! cell of its own, except where a node updates an array, or appends to it, that is dead afterwards.

use ag_ir::{Node, Op, TensorType, ValueId};

use super::ids::{BlockId, MemoryId};
use super::planner::{Planner, Room};
use super::step::{CellIndex, Operand, Step};
use crate::error::CompileError;
use crate::kernels::Kernel;
use crate::kernels::sized::{
    Append, Compress, Fit, Form, FromList, Nonzero, Place, Reshaped, RowsInRange, SizedKernel, SizedOp,
    SortedLine, ToCell, ToList, WithShape,
};
use crate::kernels::table::{self, Writes};

impl Planner<'_> {
    /// Whether a value is an array in a cell.
    pub(super) fn is_in_cell(&self, value: ValueId) -> bool {
        self.function.ty(value).has_unknown_sizes()
    }

    /// Whether an operand or a result of a node is in a cell.
    pub(super) fn has_cells(&self, node: &Node) -> bool {
        node.operands.iter().chain(&node.results).any(|value| self.is_in_cell(*value))
    }

    /// The form in which a kernel gets an operand: dense memory, or a cell.
    pub(super) fn form_of(&self, value: ValueId) -> Place {
        let tensor = self.function.tensor(value);
        let form = match tensor.sizes() {
            Some(sizes) => Form::Memory(sizes),
            None => Form::Cell(tensor.rank()),
        };
        Place { dtype: tensor.dtype, form }
    }

    pub(super) fn plan_sized(&mut self, block: BlockId, index: usize) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let (first, result) = (node.operands[0], node.results[0]);
        if let Some(mask) = node.operands.get(1).and_then(|index| self.fusion.masks[*index]) {
            return Ok(self.plan_compress(mask, block, index));
        }
        if node.operands.get(1).is_some_and(|order| self.fusion.orders[*order]) {
            let work = SortedLine { dtype: self.function.tensor(first).dtype, isa: self.isa };
            return self.plan_fitted(work, &[first], block, index);
        }
        match &node.op {
            Op::WithShape(declared) => {
                let kernel = WithShape { array: self.form_of(first), declared: declared.clone() };
                if !self.is_in_cell(first) {
                    let kernel = ToCell(self.form_of(first));
                    return Ok(self.plan_simple(kernel, block, index));
                }
                if self.is_in_cell(result) {
                    // The result is the same cell, after the kernel has checked its sizes.
                    self.place_in(result, first);
                    let operands = vec![Operand::Value(first), Operand::Result(result)];
                    let step = self.kernel_step(Box::new(kernel), operands, None, node.location);
                    return Ok(Step::Kernel(step));
                }
                self.reside_with(result, first, false);
                let operands = vec![Operand::Value(first)];
                Ok(Step::Contents(self.kernel_step(Box::new(kernel), operands, None, node.location)))
            }
            Op::Nonzero => {
                let kernel = Nonzero(self.form_of(first));
                Ok(self.plan_simple(kernel, block, index))
            }
            Op::SliceRange { axis: 0 } => {
                let kernel = RowsInRange { array: self.form_of(first), result: self.form_of(result) };
                Ok(self.plan_simple(kernel, block, index))
            }
            Op::Concatenate(0) if self.may_take_over(first, &node.operands[1..], block, index) => {
                self.place_in(result, first);
                let others = node.operands[1..].iter().map(|value| self.form_of(*value)).collect();
                let kernel = Append { array: self.form_of(first), others };
                let mut operands = vec![Operand::Result(result)];
                operands.extend(node.operands[1..].iter().copied().map(Operand::Value));
                let step = self.kernel_step(Box::new(kernel), operands, None, node.location);
                Ok(Step::Kernel(step))
            }
            Op::Reshape(_)
                if self.is_in_cell(result)
                    && self.may_take_over(first, &node.operands[1..], block, index) =>
            {
                self.place_in(result, first);
                let work = Reshaped { op: node.op.clone(), operand_count: node.operands.len() };
                let forms = node.operands.iter().map(|value| self.form_of(*value)).collect();
                let kernel = SizedKernel::new(work, forms, Some(self.form_of(result)));
                let mut operands: Vec<Operand> = node.operands.iter().copied().map(Operand::Value).collect();
                operands.push(Operand::Result(result));
                let step = self.kernel_step(Box::new(kernel), operands, None, node.location);
                Ok(Step::Kernel(step))
            }
            Op::Gather { axis: 0, .. } if self.cell_index(first, &node.operands[1..]).is_some() => {
                let picked = self.cell_index(first, &node.operands[1..]);
                if !self.is_scalar(result) {
                    self.reside_with(result, first, false);
                }
                Ok(picked.map_or(Step::Nothing, Step::CellElement))
            }
            Op::Scatter { axis: 0, store, .. } if self.stored_index(node).is_some() => {
                let store = *store;
                let (value, stored) = (node.operands[1], self.stored_index(node));
                let copied = self.place_update(result, first, &node.operands[1..], block, index);
                Ok(stored.map_or(Step::Nothing, |index| Step::CellStore { value, index, copied, store }))
            }
            // All others have a row in the kernel table, or cannot be compiled.
            op => match table::writes(op) {
                Some(Writes::First) => Ok(self.plan_sized_update(block, index)),
                Some(Writes::Result) => {
                    let dtypes = node.operands.iter().map(|value| self.function.tensor(*value).dtype);
                    let work = SizedOp { op: op.clone(), dtypes: dtypes.collect(), isa: self.isa };
                    self.plan_fitted(work, &node.operands, block, index)
                }
                None => Err(CompileError::new(format!("{op:?} is not compiled"), node.location)),
            },
        }
    }

    /// Scalar indices into the leading axes of an array in a cell, if the sizes of the other axes are known.
    fn cell_index(&self, array: ValueId, indices: &[ValueId]) -> Option<CellIndex> {
        let tensor = self.function.tensor(array);
        let picked = TensorType::new(tensor.dtype, tensor.shape.get(indices.len()..)?.to_vec());
        let bytes = picked.sizes()?.iter().product::<usize>() * tensor.dtype.size();
        let fits = self.is_in_cell(array) && indices.iter().all(|index| self.is_scalar(*index));
        fits.then(|| CellIndex { array, indices: indices.to_vec(), bytes })
    }

    /// The same for an update, if the new value is as large as the element or sub-array that it replaces.
    fn stored_index(&self, node: &Node) -> Option<CellIndex> {
        let index = self.cell_index(node.operands[0], &node.operands[2..])?;
        let value = node.operands[1];
        (!self.is_in_cell(value) && self.bytes(value) == index.bytes).then_some(index)
    }

    /// A kernel that keeps the elements of the first operand where a mask is true.
    fn plan_compress(&mut self, mask: ValueId, block: BlockId, index: usize) -> Step {
        let node = self.tree.node(block, index);
        let (array, result) = (node.operands[0], node.results[0]);
        self.place(result, &[array, mask], block, index);
        let kernel =
            Compress { array: self.form_of(array), mask: self.form_of(mask), result: self.form_of(result) };
        let operands = vec![Operand::Value(array), Operand::Value(mask), Operand::Result(result)];
        Step::Kernel(self.kernel_step(Box::new(kernel), operands, None, node.location))
    }

    /// Whether the result of a node may take over the cell of an operand.
    fn may_take_over(&self, operand: ValueId, others: &[ValueId], block: BlockId, index: usize) -> bool {
        matches!(self.room(operand), Room::Cell(0))
            && self.residences[operand].is_whole
            && self.can_overwrite(operand, others, block, index)
    }

    /// A kernel that is built in the run, once the sizes are known.
    pub(super) fn plan_fitted(
        &mut self,
        work: impl Fit + 'static,
        values: &[ValueId],
        block: BlockId,
        index: usize,
    ) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        if values.len() + 2 > crate::kernels::sized::MOST_OPERANDS {
            return Err(CompileError::new(
                "more arrays of unknown size than one node can take",
                node.location,
            ));
        }
        let result = node.results[0];
        let forms = values.iter().map(|value| self.form_of(*value)).collect();
        let needs_scratch = work.needs_scratch();
        let kernel = SizedKernel::new(work, forms, Some(self.form_of(result)));
        if !self.is_scalar(result) {
            self.place(result, values, block, index);
        }
        let mut operands: Vec<Operand> = values.iter().copied().map(Operand::Value).collect();
        operands.push(Operand::Result(result));
        if needs_scratch {
            operands.push(Operand::Scratch(self.scratch_cell(block, index)));
        }
        let step = self.kernel_step(Box::new(kernel), operands, None, node.location);
        Ok(Step::Kernel(step))
    }

    fn scratch_cell(&mut self, block: BlockId, index: usize) -> MemoryId {
        let position = self.tree.blocks[block].starts[index];
        self.new_memory(Room::Cell(0), block, position, position)
    }

    /// A kernel whose operands are those of the node, followed by its results.
    fn plan_simple(&mut self, kernel: impl Kernel + 'static, block: BlockId, index: usize) -> Step {
        let node = self.tree.node(block, index);
        for result in &node.results {
            if !self.is_scalar(*result) {
                self.place(*result, &node.operands, block, index);
            }
        }
        let mut operands: Vec<Operand> = node.operands.iter().copied().map(Operand::Value).collect();
        operands.extend(node.results.iter().copied().map(Operand::Result));
        Step::Kernel(self.kernel_step(Box::new(kernel), operands, None, node.location))
    }

    fn plan_sized_update(&mut self, block: BlockId, index: usize) -> Step {
        let node = self.tree.node(block, index);
        let dtypes = node.operands.iter().map(|value| self.function.tensor(*value).dtype).collect();
        let work = SizedOp { op: node.op.clone(), dtypes, isa: self.isa };
        let forms = node.operands.iter().map(|value| self.form_of(*value)).collect();
        self.plan_update(Box::new(SizedKernel::new(work, forms, None)), block, index)
    }

    /// Stacks a list of arrays to one array with a row for each, which takes over the list's memory if that
    /// dies here.
    pub(super) fn plan_from_list(&mut self, block: BlockId, index: usize) -> Step {
        let node = self.tree.node(block, index);
        let element = self.function.ty(node.operands[0]).element().and_then(|ty| ty.tensor());
        let row = element.and_then(TensorType::sizes).unwrap_or_default();
        let (list, result) = (node.operands[0], node.results[0]);
        let kernel = FromList { row, element_size: self.function.tensor(result).dtype.size() };
        if !self.may_take_over(list, &[], block, index) {
            return self.plan_simple(kernel, block, index);
        }
        self.place_in(result, list);
        let operands = vec![Operand::Value(list), Operand::Result(result)];
        Step::Kernel(self.kernel_step(Box::new(kernel), operands, None, node.location))
    }

    /// Splits an array into a list of its rows.
    pub(super) fn plan_to_list(&mut self, block: BlockId, index: usize) -> Step {
        let array = self.form_of(self.tree.node(block, index).operands[0]);
        self.plan_simple(ToList { array }, block, index)
    }
}
