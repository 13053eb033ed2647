//! Lists, and arrays of unknown sizes, at run time: a cell (descriptor) in planned memory, and the values
//! that it owns on the heap.
//!
//! ```text
//! x = list_make empty      cell of x: {data, length 0, capacity}
//! y = list_append x, 1.5   x is dead: the cell of x is that of y, one value longer
//!                          x lives: the values are first copied into another cell
//! ```
//!
//! - A cell is to a list what its memory is to an array: the plan decides which values share a cell, when it
//!   may be changed in place and when it is copied. Two cells never share values.
//! - A cell that is overwritten keeps its allocation: a steady loop does not allocate.
//! - A cell has its own place in the arena (`arena.rs`) and is empty before a run. After it, however it
//!   ended, it is emptied; its memory is kept for the next run, within a limit.
//! - The values of a list of lists are cells, each with values of its own. They are made when they are first
//!   needed, also past the length: a list that shrinks and grows again keeps the memory of its lists.
//! - The cell of an array also has its sizes; its length is the number of elements.
//! - A list whose first values are taken off starts further on in its memory, and moves to its start when it
//!   has no room left behind.
//! - A result's cell may be lent memory by the caller. It grows out of that as out of its own, which it
//!   frees.
//! - Capacities are in bytes, so that a cell may hold lists of different types one after another.

use std::alloc::{Layout, dealloc, realloc};
use std::ptr::{NonNull, null_mut};

use ag_ir::{Failure, Type};

use crate::memory::ALIGNMENT;

/// The highest rank of an array of unknown sizes.
pub(crate) const MOST_SIZES: usize = 8;

/// A list or an array in memory, as generated code reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// The values, one after the other.
    pub(crate) data: *mut u8,
    /// The number of values.
    pub(crate) length: usize,
    /// Bytes allocated from `data` on; 0 if the memory is borrowed.
    pub(crate) capacity: usize,
    /// Bytes allocated before `data`, of values that were taken off in front.
    pub(crate) front: usize,
    /// Whether the memory was lent to be filled: it is neither freed nor moved here.
    pub(crate) is_lent: bool,
    /// The sizes, if it is an array.
    pub(crate) sizes: [usize; MOST_SIZES],
    /// The number of initialised cells at `data`, if it is a list of lists: its greatest length so far.
    pub(crate) inner: usize,
}

/// How the values of a list are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// How deep lists nest in the values: 0 for plain bytes, 1 for cells of lists of bytes.
    pub(crate) depth: u16,
    /// Bytes of each innermost value.
    pub(crate) bytes: usize,
}

impl Element {
    /// Values of this many bytes.
    pub(crate) const fn flat(bytes: usize) -> Self {
        Self { depth: 0, bytes }
    }

    /// How values of a type are stored; none if their sizes are unknown.
    pub(crate) fn of(ty: &Type) -> Option<Self> {
        match ty {
            Type::Tensor(tensor) => {
                Some(Self::flat(tensor.sizes()?.iter().product::<usize>() * tensor.dtype.size()))
            }
            Type::List(inner) => {
                let Self { depth, bytes } = Self::of(inner)?;
                Some(Self { depth: depth.checked_add(1)?, bytes })
            }
        }
    }

    /// Bytes from one value to the next.
    pub(crate) const fn stride(self) -> usize {
        if self.depth == 0 { self.bytes } else { CELL_BYTES }
    }

    /// The element type of the inner lists.
    pub(crate) const fn inner(self) -> Self {
        Self { depth: self.depth.saturating_sub(1), bytes: self.bytes }
    }

    /// Encoded as one number, which generated code passes to the runtime.
    pub(crate) const fn code(self) -> i64 {
        (self.bytes as i64) | ((self.depth as i64) << DEPTH_SHIFT)
    }

    pub(crate) const fn from_code(code: u64) -> Self {
        Self { depth: (code >> DEPTH_SHIFT) as u16, bytes: (code & ((1 << DEPTH_SHIFT) - 1)) as usize }
    }
}

/// The bytes of a value fit in this many bits.
const DEPTH_SHIFT: u32 = 48;

/// Bytes of a cell.
pub(crate) const CELL_BYTES: usize = size_of::<Cell>();
/// Where generated code finds the values, the length and the capacity.
pub(crate) const DATA: i32 = std::mem::offset_of!(Cell, data) as i32;
/// See [`DATA`].
pub(crate) const LENGTH: i32 = std::mem::offset_of!(Cell, length) as i32;
/// See [`DATA`].
pub(crate) const CAPACITY: i32 = std::mem::offset_of!(Cell, capacity) as i32;
/// Where generated code finds the size of the first axis of an array.
pub(crate) const SIZES: i32 = std::mem::offset_of!(Cell, sizes) as i32;

/// The least bytes of an allocation.
const LEAST_BYTES: usize = 64;

#[cfg(test)]
thread_local! {
    /// The bytes that the lists of this thread own.
    pub(crate) static LIVE_BYTES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl Cell {
    /// An empty list, which owns nothing.
    pub(crate) const EMPTY: Self = Self {
        data: null_mut(),
        length: 0,
        capacity: 0,
        front: 0,
        is_lent: false,
        sizes: [0; MOST_SIZES],
        inner: 0,
    };

    /// A list of borrowed values, to be read only.
    pub(crate) const fn borrowed(data: *const u8, length: usize) -> Self {
        Self { data: data.cast_mut(), length, ..Self::EMPTY }
    }

    /// A borrowed array, to be read only.
    pub(crate) fn borrowed_array(data: *const u8, sizes: &[usize]) -> Self {
        let mut cell = Self::borrowed(data, sizes.iter().product());
        cell.sizes.iter_mut().zip(sizes).for_each(|(slot, size)| *slot = *size);
        cell
    }

    /// Makes it the cell of an array of these sizes, with uninitialised elements.
    pub(crate) fn make_array(&mut self, sizes: &[usize], element_bytes: usize) -> Result<(), Failure> {
        let count = sizes.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
        let Some(count) = count else { return Err(Failure::OutOfMemory { bytes: usize::MAX }) };
        // Allocates also for an empty array, so that the pointer is valid.
        self.reserve_about(count.saturating_mul(element_bytes).max(1))?;
        self.length = count;
        self.sizes[..sizes.len()].copy_from_slice(sizes);
        Ok(())
    }

    /// Discards the values. The memory is kept.
    pub(crate) fn clear(&mut self) {
        self.length = 0;
        self.data = self.data.wrapping_sub(self.front);
        self.capacity += self.front;
        self.front = 0;
    }

    /// As [`Self::reserve`], but may discard the values.
    pub(crate) fn reserve_about(&mut self, bytes: usize) -> Result<(), Failure> {
        if bytes > self.capacity {
            self.free();
        }
        self.reserve(bytes)
    }

    /// Makes room for `bytes` bytes and keeps the values. The capacity at least doubles, so that appending
    /// takes constant time on average.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), Failure> {
        if bytes <= self.capacity {
            return Ok(());
        }
        if self.front >= self.capacity && bytes <= self.front + self.capacity && self.front > 0 {
            // As much was taken off in front as is moved now, so this too is constant on average.
            let (from, used) = (self.data, self.capacity);
            self.data = from.wrapping_sub(self.front);
            // SAFETY: both are of the memory that was allocated here, and do not meet.
            unsafe { std::ptr::copy_nonoverlapping(from, self.data, used) };
            self.capacity += self.front;
            self.front = 0;
            return Ok(());
        }
        let wanted = bytes.max(self.capacity.saturating_mul(2)).max(LEAST_BYTES);
        let out_of_memory = || Failure::OutOfMemory { bytes: wanted };
        let layout = Layout::from_size_align(wanted, ALIGNMENT).map_err(|_| out_of_memory())?;
        let may_move = self.capacity > 0 && self.front == 0 && !self.is_lent;
        // SAFETY: the size is not zero; what there is was allocated here with that capacity.
        let data = unsafe {
            if may_move {
                realloc(self.data, Layout::from_size_align_unchecked(self.capacity, ALIGNMENT), wanted)
            } else {
                std::alloc::alloc(layout)
            }
        };
        let data = NonNull::new(data).ok_or_else(out_of_memory)?.as_ptr();
        if may_move {
            #[cfg(test)]
            LIVE_BYTES.with(|live| live.set(live.get() - self.capacity));
        } else if self.capacity > 0 {
            // SAFETY: the new memory is larger than what there is, and another.
            unsafe { std::ptr::copy_nonoverlapping(self.data, data, self.capacity) };
        }
        if !may_move {
            self.release();
        }
        #[cfg(test)]
        LIVE_BYTES.with(|live| live.set(live.get() + wanted));
        (self.data, self.capacity, self.front, self.is_lent) = (data, wanted, 0, false);
        Ok(())
    }

    /// Takes the first value off: the others stay where they are.
    pub(crate) fn take_first(&mut self, bytes: usize) {
        self.data = self.data.wrapping_add(bytes);
        self.capacity -= bytes;
        self.front += bytes;
        self.length -= 1;
    }

    /// One value more, in front; false if no room is left there by values that were taken off.
    pub(crate) fn step_back(&mut self, bytes: usize) -> bool {
        if bytes == 0 || self.front < bytes {
            return false;
        }
        self.data = self.data.wrapping_sub(bytes);
        self.capacity += bytes;
        self.front -= bytes;
        self.length += 1;
        true
    }

    /// Frees its memory, of which the cell still tells.
    fn release(&self) {
        let bytes = self.front + self.capacity;
        if bytes > 0 && !self.is_lent {
            #[cfg(test)]
            LIVE_BYTES.with(|live| live.set(live.get() - bytes));
            let start = self.data.wrapping_sub(self.front);
            // SAFETY: allocated in `reserve`, as many bytes.
            unsafe { dealloc(start, Layout::from_size_align_unchecked(bytes, ALIGNMENT)) };
        }
    }

    /// Appends values that are plain bytes.
    ///
    /// # Safety
    /// `from` points to `count` values of that many bytes, outside of this list.
    pub(crate) unsafe fn extend(
        &mut self,
        from: *const u8,
        count: usize,
        element_bytes: usize,
    ) -> Result<(), Failure> {
        let (used, more) = (self.length * element_bytes, count.saturating_mul(element_bytes));
        self.reserve(used.saturating_add(more))?;
        if more > 0 {
            // SAFETY: there is room, just made; the rest is the caller's.
            unsafe { std::ptr::copy_nonoverlapping(from, self.data.add(used), more) };
        }
        self.length += count;
        Ok(())
    }

    /// The cell after the last list of a list of lists. It may hold an earlier list, whose memory is reused.
    pub(crate) fn cell_at_end(&mut self) -> Result<*mut Self, Failure> {
        if self.length >= self.inner {
            self.reserve((self.inner + 1).saturating_mul(CELL_BYTES))?;
            // SAFETY: there is room for one cell more, just made.
            unsafe { self.data.cast::<Self>().add(self.inner).write(Self::EMPTY) };
            self.inner += 1;
        }
        // SAFETY: there are `inner` cells, which are more than the length.
        Ok(unsafe { self.data.cast::<Self>().add(self.length) })
    }

    /// Appends copies of values of any element type.
    ///
    /// # Safety
    /// `from` points to `count` values of that type, outside of this list.
    pub(crate) unsafe fn extend_with(
        &mut self,
        from: *const u8,
        count: usize,
        element: Element,
    ) -> Result<(), Failure> {
        if element.depth == 0 {
            // SAFETY: the caller's.
            return unsafe { self.extend(from, count, element.bytes) };
        }
        for number in 0..count {
            let to = self.cell_at_end()?;
            // SAFETY: the caller's; the cell is one of this list.
            unsafe { (*to).copy_from(&*from.cast::<Self>().add(number), element.inner())? };
            self.length += 1;
        }
        Ok(())
    }

    /// Makes it a copy of another list.
    ///
    /// # Safety
    /// Both are lists with that element type.
    pub(crate) unsafe fn copy_from(&mut self, from: &Self, element: Element) -> Result<(), Failure> {
        self.clear();
        // SAFETY: the caller's; two cells do not share values.
        unsafe { self.extend_with(from.data, from.length, element) }
    }

    /// The cells of a list of lists.
    ///
    /// # Safety
    /// The cell is a list of lists.
    pub(crate) unsafe fn cells(&mut self) -> &mut [Self] {
        if self.inner == 0 {
            return &mut [];
        }
        // SAFETY: `inner` cells have been initialised.
        unsafe { std::slice::from_raw_parts_mut(self.data.cast(), self.inner) }
    }

    /// Frees the values that it owns.
    pub(crate) fn free(&mut self) {
        // SAFETY: only a list of lists has any.
        unsafe { self.cells() }.iter_mut().for_each(Self::free);
        self.release();
        *self = Self::EMPTY;
    }
}

/// A list, or an array of unknown sizes, that a run returns; the caller owns it.
#[derive(Debug)]
pub struct ListResult {
    pub(crate) cell: Cell,
    pub(crate) element_bytes: usize,
}

// SAFETY: it owns its values like a Vec.
unsafe impl Send for ListResult {}

impl ListResult {
    /// An empty list for a run to fill. `element_bytes` are those of a value, or of an element of an array.
    #[must_use]
    pub const fn new(element_bytes: usize) -> Self {
        Self { cell: Cell::EMPTY, element_bytes }
    }

    /// Lends memory for the values, which a run uses if they fit into it.
    ///
    /// # Safety
    /// The memory is aligned to the elements, and nobody else uses it while this exists.
    pub unsafe fn lend(&mut self, memory: &mut [u8]) {
        self.cell.free();
        self.cell.data = memory.as_mut_ptr();
        self.cell.capacity = memory.len();
        self.cell.is_lent = true;
    }

    /// Whether the values are in the memory that was lent.
    #[must_use]
    pub const fn is_lent(&self) -> bool {
        self.cell.is_lent && self.cell.front == 0
    }

    /// The sizes of an array of this rank.
    #[must_use]
    pub fn sizes(&self, rank: usize) -> &[usize] {
        &self.cell.sizes[..rank.min(MOST_SIZES)]
    }

    /// How many values there are.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.cell.length
    }

    /// The values, one after the other.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        let bytes = self.cell.length * self.element_bytes;
        if bytes == 0 {
            return &[];
        }
        // SAFETY: the cell owns that many bytes, all of which have been written.
        unsafe { std::slice::from_raw_parts(self.cell.data, bytes) }
    }
}

impl Drop for ListResult {
    fn drop(&mut self) {
        self.cell.free();
    }
}
