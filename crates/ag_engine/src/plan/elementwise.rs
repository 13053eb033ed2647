//! Turns groups of element-wise nodes (fusions) into tile programs (fused loops).

use ag_ir::{BinaryOp, DType, Fails, LocationId, Op, ValueId};

use super::ids::BlockId;
use super::planner::{Hint, Planner};
use super::step::{Operand, Step};
use crate::error::CompileError;
use crate::kernels::chains::Linked;
use crate::kernels::elementwise::{function_of, sides_of};
use crate::kernels::instructions::{FailureKind, Source};
use crate::kernels::sized::{Assembly, Group, Leaf, Member, Origin};
use crate::kernels::view::View;

/// A group and the values that it reads.
#[derive(Default)]
pub(super) struct Assembled {
    pub(super) group: Group,
    /// The arrays that the kernel is called with; several leaves may be views of one.
    pub(super) operands: Vec<ValueId>,
    /// The values of the group's leaves, then the results of its nodes.
    pub(super) leaves: Vec<ValueId>,
    made: Vec<ValueId>,
}

impl Planner<'_> {
    /// The kernel of the group that runs at node `index`.
    pub(super) fn plan_group(&mut self, block: BlockId, index: usize) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let result = node.results[0];
        let read = self.group_of(block, &self.fusion.groups[block][index], result)?;
        if self.is_in_cell(result) || read.operands.iter().any(|operand| self.is_in_cell(*operand)) {
            return self.plan_fitted(read.group, &read.operands, block, index);
        }
        let sizes = self.sizes(result);
        let views: Vec<View> = read.leaves.iter().map(|leaf| self.view_of(*leaf).1).collect();
        let assembly = read.group.assemble(&views, &sizes);
        let overwritten = self.overwritten_operand(&read, &assembly, result, block, index);
        match overwritten {
            Some(operand) => self.place_in(result, operand),
            None => self.place(result, &read.operands, block, index),
        }
        // A hint may place the result in the same slot as some operand; only `overwritten` guarantees the
        // same pointer.
        let program = read.group.program(assembly, &sizes, overwritten.is_some());
        let mut operands: Vec<Operand> = read.operands.iter().copied().map(Operand::Value).collect();
        operands.push(Operand::Result(result));
        Ok(Step::Kernel(self.kernel_step(Box::new(program), operands, None, node.location)))
    }

    /// The group of these nodes, the last of which makes the result; of none, it is a copy of the result.
    pub(super) fn group_of(
        &self,
        block: BlockId,
        members: &[usize],
        result: ValueId,
    ) -> Result<Assembled, CompileError> {
        let mut read = Assembled::default();
        for member in members {
            for operand in &self.tree.node(block, *member).operands {
                let is_made =
                    members.iter().any(|other| self.tree.node(block, *other).results[0] == *operand);
                if !is_made {
                    self.add_leaf(&mut read, *operand);
                }
            }
        }
        for member in members {
            let node = self.tree.node(block, *member);
            self.add_member(&mut read, &node.op, &node.operands, node.results[0], node.location)?;
        }
        let dtype = self.function.tensor(result).dtype;
        if members.is_empty() {
            self.add_leaf(&mut read, result);
            self.add_member(&mut read, &Op::Cast(dtype), &[result], result, None)?;
        }
        read.group.operand_count = read.operands.len();
        read.group.result_size = dtype.size();
        Ok(read)
    }

    /// The value whose memory holds this one, and the view to read it with.
    pub(super) fn view_of(&self, value: ValueId) -> (ValueId, View) {
        match &self.fusion.views[value] {
            Some(lazy) => (lazy.base, lazy.view.clone()),
            None => (value, View::dense(&self.sizes(value))),
        }
    }

    fn add_leaf(&self, read: &mut Assembled, value: ValueId) {
        if read.leaves.contains(&value) {
            return;
        }
        let (base, view) = match &self.fusion.views[value] {
            Some(lazy) => (lazy.base, Some(lazy.view.clone())),
            None => (value, None),
        };
        let operand = read.operands.iter().position(|operand| *operand == base).unwrap_or_else(|| {
            read.operands.push(base);
            read.operands.len() - 1
        });
        let element_size = self.function.tensor(value).dtype.size();
        read.leaves.push(value);
        read.group.leaves.push(Leaf { operand, element_size, is_scalar: self.is_scalar(base), view });
    }

    fn add_member(
        &self,
        read: &mut Assembled,
        op: &Op,
        operands: &[ValueId],
        result: ValueId,
        location: Option<LocationId>,
    ) -> Result<(), CompileError> {
        let typed = if matches!(op, Op::Select) { 1 } else { 0 };
        let dtype = self.function.tensor(operands[typed]).dtype;
        let function = function_of(op, dtype, self.isa)
            .ok_or_else(|| CompileError::new(format!("{op:?} is not defined on {dtype}"), location))?;
        let mut sources = [Origin::Leaf(0); 3];
        let mut source_sizes = [1; 3];
        for place in 0..3 {
            let operand = operands.get(place).copied().unwrap_or(operands[0]);
            let made = read.made.iter().position(|value| *value == operand).map(Origin::Member);
            let leaf = read.leaves.iter().position(|leaf| *leaf == operand).map(Origin::Leaf);
            sources[place] = made.or(leaf).unwrap_or(Origin::Leaf(0));
            source_sizes[place] = self.function.tensor(operand).dtype.size();
        }
        let (failure, arity) = (failure_of(op, dtype), operands.len());
        let sides = sides_of(op, dtype, self.isa);
        let linked = Linked::of(op, dtype, self.isa);
        let member = Member { function, sides, linked, sources, arity, source_sizes, failure, location };
        read.group.members.push(member);
        read.made.push(result);
        Ok(())
    }

    /// An operand that the result may overwrite: it is read dense, is as large as the result, and dies here.
    fn overwritten_operand(
        &self,
        read: &Assembled,
        assembly: &Assembly,
        result: ValueId,
        block: BlockId,
        index: usize,
    ) -> Option<ValueId> {
        if matches!(self.hints[result], Some(Hint::Output(_) | Hint::Put(_))) {
            return None;
        }
        let element_size = self.function.tensor(result).dtype.size();
        read.leaves.iter().zip(&assembly.sources).find_map(|(leaf, source)| {
            let Source::Memory(number) = source else { return None };
            let base = read.operands[*number];
            let is_strided_too = assembly.loads.iter().any(|load| load.operand == *number);
            let others: Vec<ValueId> =
                read.operands.iter().copied().filter(|operand| *operand != base).collect();
            let fits = self.function.tensor(*leaf).dtype.size() == element_size
                && self.bytes(base) == self.bytes(result)
                && !is_strided_too;
            (fits && self.can_overwrite(base, &others, block, index)).then_some(base)
        })
    }
}

/// How an element-wise op on elements of this type fails.
fn failure_of(op: &Op, dtype: DType) -> Option<FailureKind> {
    match op.fails() {
        Fails::Never => None,
        // An integer op that may fail without an overflow check is a power with a negative exponent.
        Fails::OfIntegers => dtype.is_integer().then_some(FailureKind::NegativePower),
        // The other failures are overflows; a power may fail in both ways.
        Fails::May if matches!(op, Op::Binary(BinaryOp::Pow, _)) => Some(FailureKind::Power),
        Fails::May => Some(FailureKind::Overflow),
    }
}
