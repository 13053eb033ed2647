//! The memory of a run: that of the arrays, which the plan has laid out, then the cells of lists.
//!
//! An arena is kept between runs, and so is what its cells own, up to [`KEPT`] bytes: a list that grows to
//! the same length in each run allocates in the first one only, and writes to pages that the process has
//! already.

use crate::lists::{CELL_BYTES, Cell};
use crate::memory::AlignedBytes;

/// The most bytes that the cells of an arena own between runs.
const KEPT: usize = 64 << 20;

/// The memory of one run at a time.
#[derive(Debug)]
pub(crate) struct Arena {
    bytes: AlignedBytes,
    /// Where the cells start.
    first_cell: usize,
}

impl Arena {
    /// Allocates `bytes` bytes, with cells from `first_cell` on; none if memory is short.
    pub(crate) fn new(bytes: usize, first_cell: usize) -> Option<Self> {
        let mut arena = Self { bytes: AlignedBytes::new(bytes)?, first_cell };
        let (first, count) = arena.cell_memory();
        for number in 0..count {
            // SAFETY: the plan has put so many cells there, aligned, and nothing else.
            unsafe { first.add(number).write(Cell::EMPTY) };
        }
        Some(arena)
    }

    /// The address.
    pub(crate) const fn pointer_mut(&mut self) -> *mut u8 {
        self.bytes.pointer_mut()
    }

    /// Empties the cells after a run, however it ended. Those that are kept own memory, but hold no values.
    pub(crate) fn clear(&mut self) {
        let mut kept = 0_usize;
        for cell in self.cells() {
            let owned = cell.front + cell.capacity;
            if cell.inner > 0 || owned == 0 || kept.saturating_add(owned) > KEPT {
                cell.free();
                continue;
            }
            kept += owned;
            cell.clear();
            *cell = Cell { data: cell.data, capacity: cell.capacity, ..Cell::EMPTY };
        }
    }

    fn cell_memory(&mut self) -> (*mut Cell, usize) {
        let count = (self.bytes.len() - self.first_cell) / CELL_BYTES;
        (self.bytes.pointer_mut().wrapping_add(self.first_cell).cast(), count)
    }

    fn cells(&mut self) -> &mut [Cell] {
        let (first, count) = self.cell_memory();
        if count == 0 {
            return &mut [];
        }
        // SAFETY: so many cells are there since `new`, and no run uses them now.
        unsafe { std::slice::from_raw_parts_mut(first, count) }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.cells().iter_mut().for_each(Cell::free);
    }
}
