//! Memory at an aligned address.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;

/// The alignment of all memory that the engine allocates, and of each piece of an arena.
pub(crate) const ALIGNMENT: usize = 64;

/// Owned bytes, aligned for vectors, uninitialised unless copied from others.
#[derive(Debug)]
pub(crate) struct AlignedBytes {
    pointer: NonNull<u8>,
    layout: Option<Layout>,
}

// SAFETY: it owns its bytes like a Vec; shared references only read the address.
unsafe impl Send for AlignedBytes {}
// SAFETY: as above.
unsafe impl Sync for AlignedBytes {}

impl AlignedBytes {
    /// No bytes.
    pub(crate) const NONE: Self = Self { pointer: NonNull::<Line>::dangling().cast(), layout: None };

    /// Allocates `bytes` bytes; none if memory is short.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        if bytes == 0 {
            return Some(Self::NONE);
        }
        let layout = Layout::from_size_align(bytes, ALIGNMENT).ok()?;
        // SAFETY: the size is not zero.
        let pointer = NonNull::new(unsafe { alloc(layout) })?;
        Some(Self { pointer, layout: Some(layout) })
    }

    /// An aligned copy.
    pub(crate) fn copy_of(bytes: &[u8]) -> Option<Self> {
        let copy = Self::new(bytes.len())?;
        // SAFETY: the copy is as long and new.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), copy.pointer.as_ptr(), bytes.len()) };
        Some(copy)
    }

    /// The number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.layout.map_or(0, |layout| layout.size())
    }

    /// The address.
    pub(crate) const fn pointer(&self) -> *const u8 {
        self.pointer.as_ptr().cast_const()
    }

    /// The address, to write to.
    pub(crate) const fn pointer_mut(&mut self) -> *mut u8 {
        self.pointer.as_ptr()
    }
}

/// A type whose dangling pointer is aligned.
#[repr(align(64))]
struct Line;

impl Drop for AlignedBytes {
    fn drop(&mut self) {
        if let Some(layout) = self.layout {
            // SAFETY: allocated in `new` with this layout.
            unsafe { dealloc(self.pointer.as_ptr(), layout) };
        }
    }
}
