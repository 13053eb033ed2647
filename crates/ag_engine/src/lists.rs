//! Lists of a run, and arrays whose sizes only the run knows: a cell in planned memory, and the values
//! it owns outside of it.
//!
//! ```text
//! x = list_make empty      cell of x: {data, length 0, capacity}
//! y = list_append x, 1.5   x is dead: the cell of x is that of y, one value longer
//!                          x lives: the values are first copied into another cell
//! ```
//!
//! - A cell is to a list what its memory is to an array: the plan says which values share one, when
//!   it may be changed in place and when it is copied. Two cells never share values.
//! - A cell that is written again keeps the memory it has: a steady loop does not allocate.
//! - A cell has a home of its own, zeroed before a run; after it, however it ended, the values of
//!   all cells are freed.
//! - The values of a list of lists are cells, each with values of its own. They are made when they are first
//!   needed, also past the length: a list that shrinks and grows again keeps the memory of its lists.
//! - The cell of an array has its sizes too; its length is the number of its elements.
//! - Capacities are in bytes, so that a cell may hold lists of different types one after another.

use std::alloc::{Layout, dealloc, realloc};
use std::ptr::{NonNull, null_mut};

use ag_ir::{Failure, Type};

use crate::memory::ALIGNMENT;

/// An array whose sizes only the run knows has at most so many dimensions.
pub(crate) const MOST_SIZES: usize = 8;

/// A list or an array in memory, as generated code reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// The values, one after the other.
    pub(crate) data: *mut u8,
    /// How many.
    pub(crate) length: usize,
    /// Bytes that `data` has room for; none if it belongs to somebody else.
    pub(crate) capacity: usize,
    /// Of an array, its sizes.
    pub(crate) sizes: [usize; MOST_SIZES],
    /// Of a list of lists, how many cells there are in `data`: as many as the list was long at most.
    pub(crate) inner: usize,
}

/// What the values of a list are in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// How many lists deep: 0 for bytes, 1 for cells of lists of bytes.
    pub(crate) depth: u16,
    /// Bytes of each value at the bottom.
    pub(crate) bytes: usize,
}

impl Element {
    /// Arrays of so many bytes.
    pub(crate) const fn flat(bytes: usize) -> Self {
        Self { depth: 0, bytes }
    }

    /// What values of a type are in memory, if they all take the same room.
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

    /// What the lists hold that are the values.
    pub(crate) const fn inner(self) -> Self {
        Self { depth: self.depth.saturating_sub(1), bytes: self.bytes }
    }

    /// As one number for generated code to hand over.
    pub(crate) const fn code(self) -> i64 {
        (self.bytes as i64) | ((self.depth as i64) << DEPTH_SHIFT)
    }

    pub(crate) const fn from_code(code: u64) -> Self {
        Self { depth: (code >> DEPTH_SHIFT) as u16, bytes: (code & ((1 << DEPTH_SHIFT) - 1)) as usize }
    }
}

/// No memory has more bytes than this many bits can say.
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

/// The least that is allocated.
const LEAST_BYTES: usize = 64;

#[cfg(test)]
thread_local! {
    /// What the lists of this thread own.
    pub(crate) static LIVE_BYTES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl Cell {
    /// A list of nothing, which owns nothing.
    pub(crate) const EMPTY: Self =
        Self { data: null_mut(), length: 0, capacity: 0, sizes: [0; MOST_SIZES], inner: 0 };

    /// Values that belong to somebody else, to read only.
    pub(crate) const fn borrowed(data: *const u8, length: usize) -> Self {
        Self { data: data.cast_mut(), length, ..Self::EMPTY }
    }

    /// An array that belongs to somebody else, to read only.
    pub(crate) fn borrowed_array(data: *const u8, sizes: &[usize]) -> Self {
        let mut cell = Self::borrowed(data, sizes.iter().product());
        cell.sizes.iter_mut().zip(sizes).for_each(|(slot, size)| *slot = *size);
        cell
    }

    /// Makes it the cell of an array of these sizes, whose elements are to be written.
    pub(crate) fn make_array(&mut self, sizes: &[usize], element_bytes: usize) -> Result<(), Failure> {
        let count = sizes.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
        let Some(count) = count else { return Err(Failure::OutOfMemory { bytes: usize::MAX }) };
        // Memory also for no elements, so that there always is a pointer to some.
        self.reserve_about(count.saturating_mul(element_bytes).max(1))?;
        self.length = count;
        self.sizes[..sizes.len()].copy_from_slice(sizes);
        Ok(())
    }

    /// As [`Self::reserve`], where the values that there are need not stay.
    pub(crate) fn reserve_about(&mut self, bytes: usize) -> Result<(), Failure> {
        if bytes > self.capacity {
            self.free();
        }
        self.reserve(bytes)
    }

    /// Makes room for so many bytes; the values stay. Twice as many as before at least, so that
    /// appending one by one costs the same for each.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), Failure> {
        if bytes <= self.capacity {
            return Ok(());
        }
        let wanted = bytes.max(self.capacity.saturating_mul(2)).max(LEAST_BYTES);
        let out_of_memory = || Failure::OutOfMemory { bytes: wanted };
        let layout = Layout::from_size_align(wanted, ALIGNMENT).map_err(|_| out_of_memory())?;
        // SAFETY: the size is not zero; what there is was allocated here with that capacity.
        let data = unsafe {
            if self.capacity == 0 {
                std::alloc::alloc(layout)
            } else {
                let old = Layout::from_size_align_unchecked(self.capacity, ALIGNMENT);
                realloc(self.data, old, wanted)
            }
        };
        self.data = NonNull::new(data).ok_or_else(out_of_memory)?.as_ptr();
        #[cfg(test)]
        LIVE_BYTES.with(|live| live.set(live.get() + wanted - self.capacity));
        self.capacity = wanted;
        Ok(())
    }

    /// Adds values.
    ///
    /// # Safety
    /// `from` is `count` values of so many bytes each, and outside of this list.
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

    /// The cell behind the last list of a list of lists; its length is what it was before.
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

    /// Adds copies of values, whatever they are.
    ///
    /// # Safety
    /// `from` is `count` such values, and outside of this list.
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

    /// Makes it a list of the same values.
    ///
    /// # Safety
    /// Both are lists of such values.
    pub(crate) unsafe fn copy_from(&mut self, from: &Self, element: Element) -> Result<(), Failure> {
        self.length = 0;
        // SAFETY: the caller's; two cells do not share values.
        unsafe { self.extend_with(from.data, from.length, element) }
    }

    /// The cells of a list of lists.
    ///
    /// # Safety
    /// It is one.
    pub(crate) unsafe fn cells(&mut self) -> &mut [Self] {
        if self.inner == 0 {
            return &mut [];
        }
        // SAFETY: so many have been made.
        unsafe { std::slice::from_raw_parts_mut(self.data.cast(), self.inner) }
    }

    /// Gives back what it owns.
    pub(crate) fn free(&mut self) {
        // SAFETY: only a list of lists has any.
        unsafe { self.cells() }.iter_mut().for_each(Self::free);
        if self.capacity > 0 {
            #[cfg(test)]
            LIVE_BYTES.with(|live| live.set(live.get() - self.capacity));
            // SAFETY: allocated in `reserve` with this capacity.
            unsafe { dealloc(self.data, Layout::from_size_align_unchecked(self.capacity, ALIGNMENT)) };
        }
        *self = Self::EMPTY;
    }
}

/// A list, or an array of sizes that only the run knows, that a run gives; it belongs to the caller.
#[derive(Debug)]
pub struct ListResult {
    pub(crate) cell: Cell,
    pub(crate) element_bytes: usize,
}

// SAFETY: it owns its values like a Vec.
unsafe impl Send for ListResult {}

impl ListResult {
    /// An empty list of values of so many bytes each, to be filled by a run; for an array, of elements.
    #[must_use]
    pub const fn new(element_bytes: usize) -> Self {
        Self { cell: Cell::EMPTY, element_bytes }
    }

    /// The sizes of an array with so many dimensions.
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
