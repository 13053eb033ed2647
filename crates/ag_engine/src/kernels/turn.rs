//! Copies that turn two axes, block by block, so that neither side steps through memory alone.

/// Rows and columns of a block, which are read and written while they are in the cache.
const BLOCK: usize = 8;
/// Rows that are written together.
const ROWS: usize = 64;

/// How the elements of a matrix lie: those of a column follow each other where they are read, those of a row
/// where they are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Elements from one column to the next, where they are read.
    pub(super) from: isize,
    /// Elements from one row to the next, where they are written.
    pub(super) to: isize,
}

impl Turn {
    /// Copies the matrix.
    ///
    /// # Safety
    /// The elements are readable at `from` and writable at `to`, aligned, and do not overlap.
    pub(super) unsafe fn run<T: Copy>(&self, from: *const T, to: *mut T) {
        for top in (0..self.rows).step_by(ROWS) {
            let bottom = self.rows.min(top + ROWS);
            for left in (0..self.columns).step_by(BLOCK) {
                for row in (top..bottom).step_by(BLOCK) {
                    let (rows, columns) = (BLOCK.min(bottom - row), BLOCK.min(self.columns - left));
                    // SAFETY: the caller's; the block is within the matrix (K9).
                    unsafe {
                        let from = from.offset(row.cast_signed() + left.cast_signed() * self.from);
                        let to = to.offset(row.cast_signed() * self.to + left.cast_signed());
                        if rows == BLOCK && columns == BLOCK {
                            self.block(from, to, BLOCK, BLOCK);
                        } else {
                            self.block(from, to, rows, columns);
                        }
                    }
                }
            }
        }
    }

    /// # Safety
    /// That of [`Self::run`], of so many rows and columns.
    #[inline(always)]
    unsafe fn block<T: Copy>(&self, from: *const T, to: *mut T, rows: usize, columns: usize) {
        for row in 0..rows.cast_signed() {
            for column in 0..columns.cast_signed() {
                // SAFETY: the caller's.
                unsafe {
                    to.offset(row * self.to + column).write(from.offset(row + column * self.from).read())
                };
            }
        }
    }
}
