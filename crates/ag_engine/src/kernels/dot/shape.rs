//! The sizes and strides of a product of two matrices.

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
    /// Whether the product is added to the result's memory.
    pub(crate) adds: bool,
    /// Whether an axis is contracted: a sum that starts at 0 would lose the sign of -0.0.
    pub(crate) sums: bool,
}

impl Matrix {
    /// The product of the transposed operands in the other order. Its result is the transpose of this one's;
    /// for vectors, both are the same in memory.
    pub(super) const fn transposed(&self) -> Self {
        Self {
            rows: self.columns,
            inner: self.inner,
            columns: self.rows,
            left: [self.right[1], self.right[0]],
            right: [self.left[1], self.left[0]],
            adds: self.adds,
            sums: self.sums,
        }
    }
}

/// Computes some rows of a product. Arguments: sizes and strides, left, right, result (dense; overwritten or
/// added to), workspace.
///
/// # Safety
/// Operands are aligned and readable as sizes and strides say; the result is writable and overlaps neither;
/// the workspace is writable for the bytes that the method needs.
pub(crate) type MatrixFn = unsafe fn(&Matrix, *const u8, *const u8, *mut u8, *mut u8);
