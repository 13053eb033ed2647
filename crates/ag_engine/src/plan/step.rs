//! The output of planning: the step of each node and the place of each array, as code generation reads them.

use ag_ir::{LocationId, Store, ValueId};
use cranelift_codegen::entity::PrimaryMap;

use super::ids::{KernelId, LoopId, MemoryId, SlotId};

use crate::lists::Element;

/// A piece of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// At this offset of the arena.
    Arena(usize),
    /// The memory of a result of the function.
    Output(usize),
}

/// The place (buffer assignment) of an array that a node makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In memory of its own.
    Memory(MemoryId),
    /// Where a slot of a loop points.
    Slot(LoopId, SlotId),
    /// In the memory of another value.
    Same(ValueId),
    /// Behind the last value of a list, where room is made for it.
    End(ValueId, Put),
    /// At the top of a tape, where room is made for it.
    Top(u32, Put),
}

/// What is put into a list or on a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Put {
    /// Bytes of the value.
    pub(crate) bytes: usize,
    /// The location of the node that puts it there.
    pub(crate) location: Option<LocationId>,
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
    pub(crate) kernel: KernelId,
    /// The operands, results and scratch that it is called with.
    pub(crate) operands: Vec<Operand>,
    /// A value that is first copied to the result's place.
    pub(crate) copied: Option<ValueId>,
}

/// One scalar index into a leading axis, with what its bounds check and the address need.
#[derive(Clone, Debug)]
pub(crate) struct ScalarIndex {
    /// The index.
    pub(crate) index: ValueId,
    /// The axis, for the message of a failed bounds check.
    pub(crate) axis: usize,
    /// The size of the axis.
    pub(crate) size: usize,
    /// Bytes from one element of the axis to the next.
    pub(crate) stride: usize,
}

/// Scalar indices into the leading axes of an array in a cell.
#[derive(Clone, Debug)]
pub(crate) struct CellIndex {
    /// The array that is read; for an update, the array before it.
    pub(crate) array: ValueId,
    /// The indices.
    pub(crate) indices: Vec<ValueId>,
    /// Bytes of the element or sub-array at the indices.
    pub(crate) bytes: usize,
}

/// The step (instruction) that a node becomes.
#[derive(Debug)]
pub(crate) enum Step {
    /// No code: the node runs as part of another one, or its result is never made.
    Nothing,
    /// Scalar arithmetic.
    Scalar,
    /// A literal array at this offset of the constants.
    Constant(usize),
    /// A call of a kernel.
    Kernel(KernelStep),
    /// A view of the operand that starts some bytes further on; a scalar result is loaded from there.
    View {
        /// The operand.
        base: ValueId,
        /// Bytes.
        offset: usize,
    },
    /// A view of consecutive elements of the first axis.
    SliceView {
        /// The operand.
        base: ValueId,
        /// The start. Its `size` is the number of valid starts: the axis' size less the slice's, plus 1.
        start: ScalarIndex,
        /// The size of the axis, for the message of a failed bounds check.
        size: usize,
    },
    /// Reads one element, or sub-array, at indices of leading axes.
    Element {
        /// The operand.
        base: ValueId,
        /// The indices.
        indices: Vec<ScalarIndex>,
    },
    /// The operand with one element, or sub-array, at indices of leading axes replaced or added to.
    StoreElement {
        /// The new value.
        value: ValueId,
        /// The indices.
        indices: Vec<ScalarIndex>,
        /// The operand, if it has to be copied to the result first.
        copied: Option<ValueId>,
        /// Bytes written.
        bytes: usize,
        /// How it is written.
        store: Store,
    },
    /// Reads one element, or sub-array, at indices of leading axes of an array in a cell.
    CellElement(CellIndex),
    /// An array in a cell with one element, or sub-array, at indices of leading axes replaced or added to.
    CellStore {
        /// The new value.
        value: ValueId,
        /// The element or sub-array that is written.
        index: CellIndex,
        /// The operand, if it has to be copied to the result first.
        copied: Option<ValueId>,
        /// How it is written.
        store: Store,
    },
    /// The size of an axis of an array in a cell.
    Size(usize),
    /// The elements of an array in a cell, after a kernel has checked its sizes.
    Contents(KernelStep),
    /// A list op of a few instructions.
    List(ListStep),
    /// A kernel that fails the run unless its first operand is true.
    Check(KernelStep),
    /// A push to a tape or a pop from one.
    Tape {
        /// Whether the value that is pushed is at the top of the tape already.
        is_there: bool,
    },
    /// A call of a function of the graph, with the arguments whose memory its results take over.
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

/// How a loop carries arrays from one iteration to the next.
#[derive(Debug)]
pub(crate) struct LoopPlan {
    /// Number of the loop.
    pub(crate) id: LoopId,
    /// All slots: first those of the array carries, then the spare ones.
    pub(crate) slots: PrimaryMap<SlotId, SlotStart>,
    /// For each carry, its slot; none for scalars.
    pub(crate) carries: Vec<Option<SlotId>>,
    /// Values that are copied to slots at the end of the body.
    pub(crate) copies: Vec<(ValueId, SlotId)>,
    /// Carries whose results are in one of two slots.
    pub(crate) trades: Vec<Trade>,
    /// For each slot, the slot whose pointer it has in the next iteration; of a trade, if its result is in the
    /// spare slot.
    pub(crate) next: PrimaryMap<SlotId, SlotId>,
    /// The rows that run side by side, where iterations are rows.
    pub(crate) rows: Option<RowsPlan>,
}

/// A carry whose result is in its own slot or in its spare slot, which then become each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trade {
    /// The result of the body.
    pub(crate) result: ValueId,
    /// The slot of the carry.
    pub(crate) own: SlotId,
    /// The other slot.
    pub(crate) spare: SlotId,
}

/// The rows of a `for` loop that run side by side, but for those that the loop has to run.
#[derive(Debug)]
pub(crate) struct RowsPlan {
    /// Number of the kernel.
    pub(crate) kernel: KernelId,
    /// The kernel's operands: values, then the slots that are written, then scratch.
    pub(crate) reads: Vec<ValueId>,
    /// Slots.
    pub(crate) writes: Vec<SlotId>,
    /// Scratch.
    pub(crate) scratch: MemoryId,
}

/// A donated argument: a result of the call takes over its memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Donated {
    /// The number of the argument.
    pub(crate) argument: usize,
    /// The number of the result.
    pub(crate) result: usize,
    /// The argument, if it has to be copied to the result first.
    pub(crate) copied: Option<ValueId>,
}

/// A list op that needs no kernel.
#[derive(Debug)]
pub(crate) struct ListStep {
    /// What the op does with the list.
    pub(crate) access: ListAccess,
    /// The type of the list's values.
    pub(crate) element: Element,
    /// The operand, if the op changes the list and the operand has to be copied to the result first.
    pub(crate) copied: Option<ValueId>,
    /// Whether the value that is appended is behind the last one already.
    pub(crate) is_there: bool,
}

/// What a [`ListStep`] does with the list that is the node's first operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListAccess {
    /// Reads its length.
    Length,
    /// Reads the value at an index.
    Get,
    /// Replaces the value at an index.
    Set,
    /// Appends a value.
    Append,
    /// Removes and returns the last value.
    Pop,
    /// Does one of these with the inner list at an index of a list of lists.
    Inner(InnerAccess),
}

/// What a [`ListStep`] does with an inner list of a list of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InnerAccess {
    /// See [`ListAccess::Length`].
    Length,
    /// See [`ListAccess::Get`].
    Get,
    /// See [`ListAccess::Set`].
    Set,
    /// See [`ListAccess::Append`].
    Append,
    /// See [`ListAccess::Pop`].
    Pop,
}
