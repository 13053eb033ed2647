//! The plan of a function: what each node becomes and where each array lives.
//!
//! Planning walks the function once. Every array value gets a pointer when the code runs; the plan
//! says where that pointer comes from. Memory is a set of *tokens*: two values that share a token
//! may share memory. A node may overwrite an operand if all values of its tokens are dead
//! afterwards, so `x = x * 2` in a loop works in place, and `y = x` before it does not.
//!
//! A loop has *slots*: pointers that are its parameters. An array carry starts in its own slot;
//! what the body makes for it goes back into that slot if the old value is dead, else into a spare
//! one, and the next iteration permutes pointers. `a, b = b, a` moves no element.

pub(crate) mod arena;
pub(crate) mod calls;
pub(crate) mod donation;
mod elementwise;
pub(crate) mod fuse;
pub(crate) mod lists;
mod loops;
mod memory;
mod nodes;
mod products;
mod shaping;
pub(crate) mod sized;
pub(crate) mod tree;

use ag_ir::{Function, LocationId, ValueId};

use self::arena::{ALIGNMENT, Piece};
use self::calls::Donated;
use self::donation::Donations;
use self::fuse::Fusion;
use self::lists::ListStep;
use self::tree::{BlockId, Tree};
use crate::error::CompileError;
use crate::isa::Isa;
use crate::kernels::Kernel;
use crate::lists::CELL_BYTES;

/// Number of a piece of memory.
pub(crate) type MemoryId = usize;
/// Number of a loop.
pub(crate) type LoopId = usize;

/// A piece of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// At this offset of the arena.
    Arena(usize),
    /// The memory of a result of the function.
    Output(usize),
}

/// Where an array that a node makes is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a piece of memory.
    Memory(MemoryId),
    /// Where a slot of a loop points.
    Slot(LoopId, usize),
    /// Where another value is.
    Same(ValueId),
}

/// An operand of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    /// A value; a scalar is put into memory for the call.
    Value(ValueId),
    /// The node's result, at its place; a scalar is loaded after the call.
    Result(ValueId),
    /// Memory for the call only.
    Scratch(MemoryId),
}

/// A call of a kernel.
#[derive(Debug)]
pub(crate) struct KernelStep {
    /// Number of the kernel.
    pub(crate) kernel: usize,
    /// What it gets.
    pub(crate) operands: Vec<Operand>,
    /// A value that is first copied to the result's place.
    pub(crate) copied: Option<ValueId>,
}

/// Indices of leading axes by scalars: each index with the axis' size and the bytes from one
/// element of the axis to the next.
#[derive(Clone, Debug)]
pub(crate) struct ScalarIndex {
    /// The index.
    pub(crate) index: ValueId,
    /// The axis, for the message.
    pub(crate) axis: usize,
    /// The size of the axis.
    pub(crate) size: usize,
    /// Bytes from one to the next.
    pub(crate) stride: usize,
}

/// Indices of leading axes of an array in a cell by scalars.
#[derive(Clone, Debug)]
pub(crate) struct CellIndex {
    /// The array that is read, or was before it was changed.
    pub(crate) array: ValueId,
    /// The indices.
    pub(crate) indices: Vec<ValueId>,
    /// Bytes of what they pick.
    pub(crate) bytes: usize,
}

/// What becomes of an element that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    /// It is the new value.
    Replace,
    /// The new value is added to it.
    Add,
}

/// What a node becomes.
#[derive(Debug)]
pub(crate) enum Step {
    /// Nothing: it is part of another, or never made.
    Nothing,
    /// Scalar arithmetic.
    Scalar,
    /// A literal array, at this offset of the constants.
    Constant(usize),
    /// A kernel.
    Kernel(KernelStep),
    /// The operand itself, some bytes on; a scalar result is loaded from there.
    View {
        /// The operand.
        base: ValueId,
        /// Bytes.
        offset: usize,
    },
    /// Consecutive elements of the first axis from a start on.
    SliceView {
        /// The operand.
        base: ValueId,
        /// The start; the size of its axis is that of the last possible start, plus 1.
        start: ScalarIndex,
        /// The size of the axis, for the message.
        size: usize,
    },
    /// One element, or sub-array, of leading axes.
    Element {
        /// The operand.
        base: ValueId,
        /// The indices.
        indices: Vec<ScalarIndex>,
    },
    /// The operand with one element, or sub-array, of leading axes replaced.
    StoreElement {
        /// The new value.
        value: ValueId,
        /// The indices.
        indices: Vec<ScalarIndex>,
        /// The operand, if it has to be copied to the result first.
        copied: Option<ValueId>,
        /// Bytes written.
        bytes: usize,
        /// How.
        write: Write,
    },
    /// One element, or sub-array, of leading axes of an array in a cell.
    CellElement(CellIndex),
    /// An array in a cell with one element, or sub-array, of leading axes replaced.
    CellStore {
        /// The new value.
        value: ValueId,
        /// Which.
        index: CellIndex,
        /// The operand, if it has to be copied to the result first.
        copied: Option<ValueId>,
        /// How it is written.
        write: Write,
    },
    /// The size of an axis of an array in a cell.
    Size(usize),
    /// The elements of an array in a cell, after a kernel has looked at its sizes.
    Contents(KernelStep),
    /// A list is read or changed by a few instructions.
    List(ListStep),
    /// Fails by way of a kernel unless its first operand holds.
    Check(KernelStep),
    /// A value is put on a tape, or taken off one.
    Tape,
    /// A call of another function, or of this one, with the arguments whose memory results take over.
    Call(Vec<Donated>),
    /// A branch.
    If,
    /// A loop.
    Loop(LoopPlan),
}

/// Where a slot points when the loop starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SlotStart {
    /// To a value that nobody else needs.
    Move(ValueId),
    /// To memory into which a value is copied.
    Copy(ValueId, MemoryId),
    /// To memory that is written before it is read.
    Fresh(MemoryId),
}

/// The array carries of a loop.
#[derive(Debug, Default)]
pub(crate) struct LoopPlan {
    /// Number of the loop.
    pub(crate) id: LoopId,
    /// The slots; those of the array carries first.
    pub(crate) slots: Vec<SlotStart>,
    /// For each carry its slot, none for scalars.
    pub(crate) carries: Vec<Option<usize>>,
    /// Values copied to slots at the end of the body.
    pub(crate) copies: Vec<(ValueId, usize)>,
    /// The slot that each slot takes over for the next iteration.
    pub(crate) next: Vec<usize>,
}

/// A kernel of a compiled function.
pub(crate) struct KernelEntry {
    /// The kernel.
    pub(crate) kernel: Box<dyn Kernel>,
    /// How many operands it gets.
    pub(crate) operand_count: usize,
    /// Where its node comes from.
    pub(crate) location: Option<LocationId>,
}

/// The plan.
pub(crate) struct Plan {
    /// For each block and node.
    pub(crate) steps: Vec<Vec<Step>>,
    /// For each value that a node makes in memory.
    pub(crate) places: Vec<Option<Place>>,
    /// The kernels.
    pub(crate) kernels: Vec<KernelEntry>,
    /// Literal arrays.
    pub(crate) constants: Vec<u8>,
    /// All pieces of memory.
    pub(crate) memory: Vec<Memory>,
    /// Bytes of the arena, the cells of lists included.
    pub(crate) arena_bytes: usize,
    /// Where in the arena the cells of lists start; they take the rest of it.
    pub(crate) first_cell: usize,
    /// For each result the parameter whose memory it takes over.
    pub(crate) taken: Vec<Option<usize>>,
    /// For each result the memory where it has to wait until others have been copied.
    pub(crate) staged: Vec<Option<MemoryId>>,
}

/// Where the result of a node should rather be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hint {
    /// In the memory of a result of the function.
    Output(usize),
    /// In the slot of a carry, or a spare one.
    Carry(LoopId, usize),
}

/// Values that share memory.
#[derive(Debug, Default)]
struct Token {
    members: Vec<ValueId>,
    is_writable: bool,
    slot: Option<(LoopId, usize)>,
}

/// What is known of an array value's memory.
#[derive(Clone, Debug, Default)]
struct Residence {
    tokens: Vec<usize>,
    memory: Vec<MemoryId>,
    /// Whether it starts where its slot or piece starts.
    is_whole: bool,
}

/// A loop being planned.
#[derive(Debug, Default)]
struct OpenLoop {
    block: BlockId,
    start: usize,
    end: usize,
    slots: Vec<SlotStart>,
    slot_tokens: Vec<usize>,
    slot_rooms: Vec<Room>,
    /// The slots of array carries, by carry.
    carries: Vec<Option<usize>>,
    /// Spare slots, by carry.
    spares: Vec<Option<usize>>,
    memory: Vec<MemoryId>,
}

/// A piece of memory while lifetimes are still growing.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    Arena {
        piece: Piece,
        home: BlockId,
    },
    /// The cell of a list, which is never shared with anything else.
    Cell,
    Output(usize),
}

/// What memory is for. What is moved to where something else was has the same room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    /// An array of so many bytes.
    Bytes(usize),
    /// The cell of a list: of one of lists, how deep they are.
    Cell(u16),
}

/// The state of planning.
struct Planner<'f> {
    function: &'f Function,
    tree: Tree<'f>,
    fusion: Fusion,
    isa: Isa,
    steps: Vec<Vec<Step>>,
    places: Vec<Option<Place>>,
    kernels: Vec<KernelEntry>,
    constants: Vec<u8>,
    wanted: Vec<Wanted>,
    tokens: Vec<Token>,
    residences: Vec<Residence>,
    hints: Vec<Option<Hint>>,
    loops: Vec<OpenLoop>,
    /// Those of all functions.
    donations: &'f Donations,
    /// Those of this one.
    taken: &'f [Option<usize>],
    staged: Vec<Option<MemoryId>>,
}

/// Plans a function: the main one, or the one of this number.
pub(crate) fn plan<'f>(
    function: &'f Function,
    number: Option<usize>,
    donations: &'f Donations,
    isa: Isa,
) -> Result<(Plan, Tree<'f>), CompileError> {
    let mut tree = Tree::new(function);
    let fusion = Fusion::decide(&mut tree);
    let values = function.values.len();
    let steps = tree.blocks.iter().map(|entry| Vec::with_capacity(entry.block.nodes.len())).collect();
    let mut planner = Planner {
        function,
        tree,
        fusion,
        isa,
        steps,
        places: vec![None; values],
        kernels: Vec::new(),
        constants: Vec::new(),
        wanted: Vec::new(),
        tokens: Vec::new(),
        residences: vec![Residence::default(); values],
        hints: vec![None; values],
        loops: Vec::new(),
        donations,
        taken: number.map_or(&[], |number| donations.of_function(number)),
        staged: Vec::new(),
    };
    planner.plan_function()?;
    let mut pieces = Vec::new();
    let mut numbers = Vec::new();
    for wanted in &planner.wanted {
        numbers.push(pieces.len());
        if let Wanted::Arena { piece, .. } = wanted {
            pieces.push(*piece);
        }
    }
    let (offsets, arena_bytes) = arena::assign(&pieces);
    let first_cell = arena_bytes.next_multiple_of(ALIGNMENT);
    let mut arena_bytes = first_cell;
    let memory = planner
        .wanted
        .iter()
        .zip(numbers)
        .map(|(wanted, number)| match wanted {
            Wanted::Arena { .. } => Memory::Arena(offsets[number]),
            Wanted::Cell => {
                arena_bytes += CELL_BYTES;
                Memory::Arena(arena_bytes - CELL_BYTES)
            }
            Wanted::Output(output) => Memory::Output(*output),
        })
        .collect();
    let plan = Plan {
        steps: planner.steps,
        places: planner.places,
        kernels: planner.kernels,
        constants: planner.constants,
        memory,
        arena_bytes,
        first_cell,
        taken: planner.taken.to_vec(),
        staged: planner.staged,
    };
    Ok((plan, planner.tree))
}

impl Planner<'_> {
    fn plan_function(&mut self) -> Result<(), CompileError> {
        self.reside_params();
        for (number, result) in self.function.body.results.iter().enumerate() {
            let hint = &mut self.hints[result.0 as usize];
            let is_taken = self.taken.get(number).is_some_and(Option::is_some);
            if hint.is_none() && !is_taken {
                *hint = Some(Hint::Output(number));
            }
        }
        self.plan_block(0)?;
        for result in &self.function.body.results {
            self.touch(*result, 0, usize::MAX);
        }
        self.stage_results();
        Ok(())
    }

    fn plan_block(&mut self, block: BlockId) -> Result<(), CompileError> {
        self.pass_hints_back(block);
        for index in 0..self.tree.blocks[block].block.nodes.len() {
            let step = self.plan_node(block, index)?;
            self.steps[block].push(step);
        }
        Ok(())
    }

    fn sizes(&self, value: ValueId) -> Vec<usize> {
        fuse::sizes_of(self.function, value)
    }

    fn is_scalar(&self, value: ValueId) -> bool {
        self.function.ty(value).is_scalar()
    }

    fn add_kernel(
        &mut self,
        kernel: impl Kernel + 'static,
        operand_count: usize,
        location: Option<LocationId>,
    ) -> usize {
        self.kernels.push(KernelEntry { kernel: Box::new(kernel), operand_count, location });
        self.kernels.len() - 1
    }
}
