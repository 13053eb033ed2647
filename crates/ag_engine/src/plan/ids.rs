//! Typed indices for the parts of a plan.

use cranelift_codegen::entity::entity_impl;

/// A block of a function, in order of appearance; the body is the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BlockId(u32);
entity_impl!(BlockId, "block");

/// The body of a function.
pub(crate) const BODY: BlockId = BlockId(0);

impl Default for BlockId {
    fn default() -> Self {
        BODY
    }
}

/// A loop, in order of appearance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// A slot of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SlotId(u32);
entity_impl!(SlotId, "slot");

/// A piece of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct MemoryId(u32);
entity_impl!(MemoryId, "memory");

/// An alias class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct AliasClassId(u32);
entity_impl!(AliasClassId, "class");

/// A kernel of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct KernelId(u32);
entity_impl!(KernelId, "kernel");
