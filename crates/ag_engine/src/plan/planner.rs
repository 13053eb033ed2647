//! The state of planning a function.

use ag_ir::{Function, LocationId, Type, ValueId};
use cranelift_codegen::entity::PrimaryMap;

use super::arena::Piece;
use super::donation::Donations;
use super::fuse::{self, Fusion};
use super::ids::{AliasClassId, BODY, BlockId, KernelId, LoopId, MemoryId, SlotId};
use super::stays::Destination;
use super::step::{KernelStep, Operand, Place, SlotStart, Step};
use super::tree::Tree;
use crate::error::CompileError;
use crate::isa::Isa;
use crate::kernels::contract::{Access, Content, OperandRule};
use crate::kernels::{Kernel, KernelEntry};
use crate::lists::{CELL_BYTES, Element};
use crate::values::ValueMap;

/// A preferred place (coalescing preference) for the result of a node: there it needs no copy later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// In the memory of a result of the function.
    Output(usize),
    /// In the slot of a carry, or a spare one.
    Carry(LoopId, usize),
    /// Where a list or a tape will hold it.
    Put(Destination),
}

/// An alias class: values that may share memory.
#[derive(Debug, Default)]
pub(super) struct AliasClass {
    pub(super) members: Vec<ValueId>,
    pub(super) is_writable: bool,
    pub(super) slot: Option<(LoopId, SlotId)>,
}

/// The memory that an array value may be in (its alias set).
#[derive(Clone, Debug, Default)]
pub(super) struct Residence {
    pub(super) classes: Vec<AliasClassId>,
    pub(super) memory: Vec<MemoryId>,
    /// Whether the value starts at the first byte of its slot or piece, as a slice may not.
    pub(super) is_whole: bool,
}

/// A loop whose body is being planned.
#[derive(Debug, Default)]
pub(super) struct OpenLoop {
    pub(super) block: BlockId,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) slots: PrimaryMap<SlotId, SlotStart>,
    pub(super) slot_classes: PrimaryMap<SlotId, AliasClassId>,
    pub(super) slot_rooms: PrimaryMap<SlotId, Room>,
    /// For each carry, its slot; none for scalars.
    pub(super) carries: Vec<Option<SlotId>>,
    /// For each carry, its spare slot (second buffer), if it needs one.
    pub(super) spares: Vec<Option<SlotId>>,
    pub(super) memory: Vec<MemoryId>,
}

/// A request for memory, which the plan meets once it knows all of them. Its live range grows while planning
/// goes on.
#[derive(Clone, Copy, Debug)]
pub(super) enum MemoryRequest {
    Arena {
        piece: Piece,
        home: BlockId,
    },
    /// The cell of a list, which is never shared with anything else.
    Cell,
    Output(usize),
}

/// The class of buffer that a value needs. Two slots may trade pointers only if they have the same room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// An array of this many bytes.
    Bytes(usize),
    /// A cell (descriptor). The number is how deep lists nest inside this list: 0 for a list of arrays or
    /// scalars, and for an array of unknown sizes.
    Cell(u16),
}

/// The state of planning.
pub(super) struct Planner<'f> {
    pub(super) function: &'f Function,
    pub(super) tree: Tree<'f>,
    pub(super) fusion: Fusion,
    pub(super) isa: Isa,
    pub(super) steps: PrimaryMap<BlockId, Vec<Step>>,
    pub(super) places: ValueMap<Option<Place>>,
    pub(super) kernels: PrimaryMap<KernelId, KernelEntry>,
    pub(super) constants: Vec<u8>,
    pub(super) requests: PrimaryMap<MemoryId, MemoryRequest>,
    pub(super) classes: PrimaryMap<AliasClassId, AliasClass>,
    pub(super) residences: ValueMap<Residence>,
    pub(super) hints: ValueMap<Option<Hint>>,
    /// The values that are read from lists and tapes without being copied.
    pub(super) views: ValueMap<bool>,
    pub(super) loops: PrimaryMap<LoopId, OpenLoop>,
    /// The donations of all functions of the graph.
    pub(super) donations: &'f Donations,
    /// The donations of this function: for each result, the parameter whose memory it takes over.
    pub(super) taken: &'f [Option<usize>],
    pub(super) staged: Vec<Option<MemoryId>>,
}

impl Planner<'_> {
    pub(super) fn plan_function(&mut self) -> Result<(), CompileError> {
        self.reside_params();
        for (number, result) in self.function.body.results.iter().enumerate() {
            let hint = &mut self.hints[*result];
            let is_taken = self.taken.get(number).is_some_and(Option::is_some);
            if hint.is_none() && !is_taken {
                *hint = Some(Hint::Output(number));
            }
        }
        self.plan_block(BODY)?;
        for result in &self.function.body.results {
            self.touch(*result, BODY, usize::MAX);
        }
        self.stage_results();
        Ok(())
    }

    pub(super) fn plan_block(&mut self, block: BlockId) -> Result<(), CompileError> {
        self.pass_hints_back(block);
        for index in 0..self.tree.blocks[block].block.nodes.len() {
            let step = self.plan_node(block, index)?;
            self.steps[block].push(step);
        }
        Ok(())
    }

    pub(super) fn sizes(&self, value: ValueId) -> Vec<usize> {
        fuse::sizes_of(self.function, value)
    }

    pub(super) fn is_scalar(&self, value: ValueId) -> bool {
        self.function.ty(value).is_scalar()
    }

    /// A call of a kernel. `copied` is a value that is copied to the result's place before the call.
    pub(super) fn kernel_step(
        &mut self,
        kernel: Box<dyn Kernel>,
        operands: Vec<Operand>,
        copied: Option<ValueId>,
        location: Option<LocationId>,
    ) -> KernelStep {
        let rules = operands.iter().map(|operand| self.rule_of(*operand, &operands)).collect();
        let kernel = self.kernels.push(KernelEntry { kernel, operands: rules, location });
        KernelStep { kernel, operands, copied }
    }

    /// What a kernel assumes about one of its operands: its size, its form, and how it is accessed.
    pub(super) fn rule_of(&self, operand: Operand, all: &[Operand]) -> OperandRule {
        let (value, access) = match operand {
            Operand::Scratch(memory) => {
                return match self.requests[memory] {
                    MemoryRequest::Arena { piece, .. } => OperandRule::scratch(piece.bytes),
                    MemoryRequest::Cell | MemoryRequest::Output(_) => OperandRule::scratch(CELL_BYTES),
                };
            }
            Operand::Value(value) => (value, Access::Read),
            Operand::Result(value) => (value, self.access_of(value, all)),
        };
        match self.function.ty(value) {
            Type::List(inner) => OperandRule::cell(Content::ListCell(Element::of(inner)), access),
            Type::Tensor(ty) if ty.has_unknown_sizes() => {
                OperandRule::cell(Content::ArrayCell(ty.rank(), ty.dtype.size()), access)
            }
            Type::Tensor(ty) => OperandRule::elements(self.bytes(value), ty.dtype.size(), access),
        }
    }

    /// How a result is written: over an operand if the plan placed it there, else to memory of its own.
    fn access_of(&self, result: ValueId, all: &[Operand]) -> Access {
        let Some(Place::Same(other)) = self.places[result] else { return Access::Write };
        let is_other = |operand: &Operand| matches!(operand, Operand::Value(value) if *value == other);
        all.iter().position(is_other).map_or(Access::Write, Access::WriteOver)
    }
}
