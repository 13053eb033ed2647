//! What a node becomes, and where arrays are: the words in which the plan speaks to code generation.

use ag_ir::ValueId;
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

/// Where an array that a node makes is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a piece of memory.
    Memory(MemoryId),
    /// Where a slot of a loop points.
    Slot(LoopId, SlotId),
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
    pub(crate) kernel: KernelId,
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
#[derive(Debug)]
pub(crate) struct LoopPlan {
    /// Number of the loop.
    pub(crate) id: LoopId,
    /// The slots; those of the array carries first.
    pub(crate) slots: PrimaryMap<SlotId, SlotStart>,
    /// For each carry its slot, none for scalars.
    pub(crate) carries: Vec<Option<SlotId>>,
    /// Values copied to slots at the end of the body.
    pub(crate) copies: Vec<(ValueId, SlotId)>,
    /// The slot that each slot takes over for the next iteration.
    pub(crate) next: PrimaryMap<SlotId, SlotId>,
}

/// An argument whose memory a result of the call takes over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Donated {
    /// Its number.
    pub(crate) argument: usize,
    /// The number of the result.
    pub(crate) result: usize,
    /// The argument, if it has to be copied to the result first.
    pub(crate) copied: Option<ValueId>,
}

/// A list op that is a few instructions.
#[derive(Debug)]
pub(crate) struct ListStep {
    /// What is done.
    pub(crate) access: ListAccess,
    /// What the values are.
    pub(crate) element: Element,
    /// For a change: the operand, if it has to be copied to the result first.
    pub(crate) copied: Option<ValueId>,
}

/// What a [`ListStep`] does with the list that is the node's first operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListAccess {
    /// Reads its length.
    Length,
    /// Reads the value at an index.
    Get,
    /// Replaces it.
    Set,
    /// Adds one at the end.
    Append,
    /// Takes the last.
    Pop,
    /// The same with the list at an index of a list of lists.
    Inner(InnerAccess),
}

/// What is done with a list in a list.
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
