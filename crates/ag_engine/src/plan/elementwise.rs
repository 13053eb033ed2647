//! Groups of element-wise nodes become tile programs.

use ag_ir::{BinaryOp, Op, Overflow, ValueId};

use super::tree::BlockId;
use super::{KernelStep, Operand, Planner, Step};
use crate::error::CompileError;
use crate::kernels::dot::View;
use crate::kernels::elementwise::{can_fail, function_of};
use crate::kernels::layout::{broadcast_strides, dense_strides};
use crate::kernels::tile::{FailureKind, Instruction, Load, Source, TileProgram};

/// A program being built.
struct Assembly {
    result_sizes: Vec<usize>,
    operands: Vec<ValueId>,
    /// Leaves that were seen: the value and where it is read.
    leaves: Vec<(ValueId, Source)>,
    loads: Vec<Load>,
    instructions: Vec<Instruction>,
    register_count: usize,
    free: Vec<usize>,
    /// Registers of the group's values.
    made: Vec<(ValueId, usize)>,
}

impl Planner<'_> {
    /// The group that runs at node `index`.
    pub(super) fn plan_group(&mut self, block: BlockId, index: usize) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let result = node.results[0];
        let members = self.fusion.groups[block][index].clone();
        let mut assembly = Assembly {
            result_sizes: self.sizes(result),
            operands: Vec::new(),
            leaves: Vec::new(),
            loads: Vec::new(),
            instructions: Vec::new(),
            register_count: 0,
            free: Vec::new(),
            made: Vec::new(),
        };
        // Leaves first: their registers are filled before the first instruction.
        for member in &members {
            for operand in &self.tree.node(block, *member).operands {
                let is_made =
                    members.iter().any(|other| self.tree.node(block, *other).results[0] == *operand);
                if !is_made {
                    self.add_leaf(&mut assembly, *operand);
                }
            }
        }
        for member in &members {
            self.add_instruction(&mut assembly, block, *member, *member == index)?;
        }
        let overwritten = self.overwritten_operand(&assembly, result, block, index);
        match overwritten {
            Some(operand) => self.place_in(result, operand),
            None => self.place(result, &assembly.operands.clone(), block, index),
        }
        // A hint may lead to the slot of an operand's twin; only the same pointer is in place.
        let program = TileProgram::new(
            &assembly.result_sizes,
            assembly.instructions,
            assembly.loads,
            assembly.register_count,
            (assembly.operands.len(), self.function.tensor(result).dtype.size()),
            overwritten.is_some(),
        );
        let mut operands: Vec<Operand> = assembly.operands.iter().copied().map(Operand::Value).collect();
        operands.push(Operand::Result(result));
        let kernel = self.add_kernel(program, operands.len(), node.location);
        Ok(Step::Kernel(KernelStep { kernel, operands, copied: None }))
    }

    /// What a value is read from, and how.
    pub(super) fn view_of(&self, value: ValueId) -> (ValueId, View) {
        match &self.fusion.views[value.0 as usize] {
            Some(lazy) => (lazy.base, lazy.view.clone()),
            None => (value, View::dense(&self.sizes(value))),
        }
    }

    fn add_leaf(&self, assembly: &mut Assembly, value: ValueId) {
        if assembly.leaves.iter().any(|(leaf, _)| *leaf == value) {
            return;
        }
        let (base, view) = self.view_of(value);
        let strides = broadcast_strides(&view.sizes, &view.strides, &assembly.result_sizes);
        let operand = assembly.operands.iter().position(|operand| *operand == base).unwrap_or_else(|| {
            assembly.operands.push(base);
            assembly.operands.len() - 1
        });
        let dense = dense_strides(&assembly.result_sizes);
        let is_dense = view.offset == 0
            && !self.is_scalar(base)
            && strides
                .iter()
                .zip(&dense)
                .zip(&assembly.result_sizes)
                .all(|((stride, dense), size)| stride == dense || *size == 1);
        let source = if is_dense {
            Source::Memory(operand)
        } else {
            let register = assembly.register_count;
            assembly.register_count += 1;
            let element_size = self.function.tensor(value).dtype.size();
            assembly.loads.push(Load { operand, register, element_size, offset: view.offset, strides });
            Source::Register(register)
        };
        assembly.leaves.push((value, source));
    }

    fn add_instruction(
        &self,
        assembly: &mut Assembly,
        block: BlockId,
        index: usize,
        is_last: bool,
    ) -> Result<(), CompileError> {
        let node = self.tree.node(block, index);
        let typed = if matches!(node.op, Op::Select) { 1 } else { 0 };
        let dtype = self.function.tensor(node.operands[typed]).dtype;
        let function = function_of(&node.op, dtype, self.isa).ok_or_else(|| {
            CompileError::new(format!("{:?} is not defined on {dtype}", node.op), node.location)
        })?;
        let mut sources = [Source::Register(0); 3];
        let mut source_sizes = [1; 3];
        for place in 0..3 {
            let operand = node.operands.get(place).copied().unwrap_or(node.operands[0]);
            let made =
                assembly.made.iter().find(|(value, _)| *value == operand).map(|(_, register)| *register);
            let leaf = assembly.leaves.iter().find(|(leaf, _)| *leaf == operand).map(|(_, source)| *source);
            sources[place] = made.map(Source::Register).or(leaf).unwrap_or(Source::Register(0));
            source_sizes[place] = self.function.tensor(operand).dtype.size();
        }
        let target = if is_last {
            None
        } else {
            Some(assembly.free.pop().unwrap_or_else(|| {
                assembly.register_count += 1;
                assembly.register_count - 1
            }))
        };
        // A value of the group is used once, here; its register is free for the next instruction,
        // but not for this one.
        for operand in &node.operands {
            if let Some(at) = assembly.made.iter().position(|(value, _)| value == operand) {
                assembly.free.push(assembly.made.swap_remove(at).1);
            }
        }
        if let Some(register) = target {
            assembly.made.push((node.results[0], register));
        }
        let kind = match node.op {
            Op::Binary(BinaryOp::Pow, Overflow::Check) => FailureKind::Power,
            Op::Binary(BinaryOp::Pow, Overflow::Wrap) => FailureKind::NegativePower,
            _ => FailureKind::Overflow,
        };
        let failure = can_fail(&node.op, dtype).then_some((kind, node.location));
        assembly.instructions.push(Instruction { function, sources, source_sizes, target, failure });
        Ok(())
    }

    /// An operand that is read dense, is as large as the result, and dies here.
    fn overwritten_operand(
        &self,
        assembly: &Assembly,
        result: ValueId,
        block: BlockId,
        index: usize,
    ) -> Option<ValueId> {
        if matches!(self.hints[result.0 as usize], Some(super::Hint::Output(_))) {
            return None;
        }
        let element_size = self.function.tensor(result).dtype.size();
        assembly.leaves.iter().find_map(|(leaf, source)| {
            let Source::Memory(number) = source else { return None };
            let base = assembly.operands[*number];
            let is_strided_too = assembly.loads.iter().any(|load| load.operand == *number);
            let others: Vec<ValueId> =
                assembly.operands.iter().copied().filter(|operand| *operand != base).collect();
            let fits = self.function.tensor(*leaf).dtype.size() == element_size
                && self.bytes(base) == self.bytes(result)
                && !is_strided_too;
            (fits && self.can_overwrite(base, &others, block, index)).then_some(base)
        })
    }
}
