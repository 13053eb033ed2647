//! The product of two matrices, as sizes and strides.

/// Sizes and strides (in elements: per row, per column) of a product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    /// Rows of left and result.
    pub(crate) rows: usize,
    /// Columns of left, rows of right.
    pub(crate) inner: usize,
    /// Columns of right and result.
    pub(crate) columns: usize,
    /// Strides of left.
    pub(crate) left: [isize; 2],
    /// Strides of right.
    pub(crate) right: [isize; 2],
    /// Whether the product is added to what is in the memory of the result.
    pub(crate) adds: bool,
}

impl Matrix {
    /// The product of the transposed operands in the other order, whose result is this one's
    /// transposed; for vectors the two lie alike in memory.
    pub(super) const fn transposed(&self) -> Self {
        Self {
            rows: self.columns,
            inner: self.inner,
            columns: self.rows,
            left: [self.right[1], self.right[0]],
            right: [self.left[1], self.left[0]],
            adds: self.adds,
        }
    }
}

/// A product of some rows: sizes, left, right, result (dense; overwritten or added to), room.
///
/// # Safety
/// Operands are readable as sizes and strides say and aligned; the result is writable and
/// overlaps neither; room is writable for as many bytes as was asked for.
pub(crate) type MatrixFn = unsafe fn(&Matrix, *const u8, *const u8, *mut u8, *mut u8);
