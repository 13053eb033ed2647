//! Products of two matrices with any strides into a dense one.

use ag_ir::DType;

use crate::isa::Isa;
use crate::kernels::elementwise::Number;

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
}

/// A product: sizes, left, right, result (dense, overwritten).
///
/// # Safety
/// Operands are readable as sizes and strides say and aligned; the result is writable and
/// overlaps neither.
pub(crate) type MatrixFn = unsafe fn(&Matrix, *const u8, *const u8, *mut u8);

/// The product for matrices of this type and shape.
pub(crate) fn function_for(dtype: DType, _shape: &Matrix, _isa: Isa) -> MatrixFn {
    match dtype {
        DType::F64 => large::<f64>,
        DType::F32 => large::<f32>,
        DType::I64 => plain::<i64>,
        DType::I32 => plain::<i32>,
        DType::U8 | DType::Bool => plain::<u8>,
    }
}

/// Large float products: the `gemm` crate.
///
/// # Safety
/// That of [`MatrixFn`].
unsafe fn large<T: Number>(shape: &Matrix, left: *const u8, right: *const u8, result: *mut u8) {
    // SAFETY: the caller's promise is what gemm asks for; the result is dense.
    unsafe {
        gemm::gemm(
            shape.rows,
            shape.columns,
            shape.inner,
            result.cast::<T>(),
            1,
            shape.columns.cast_signed(),
            false,
            left.cast::<T>(),
            shape.left[1],
            shape.left[0],
            right.cast::<T>(),
            shape.right[1],
            shape.right[0],
            T::ZERO,
            T::ONE,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

/// Integer products, wrapping: rows of the right operand are added up.
///
/// # Safety
/// That of [`MatrixFn`].
unsafe fn plain<T: Number>(shape: &Matrix, left: *const u8, right: *const u8, result: *mut u8) {
    let (left, right) = (left.cast::<T>(), right.cast::<T>());
    // SAFETY: the result is dense and of this size.
    let result = unsafe { std::slice::from_raw_parts_mut(result.cast::<T>(), shape.rows * shape.columns) };
    result.fill(T::ZERO);
    if shape.columns == 0 {
        return;
    }
    for (row, result) in result.chunks_exact_mut(shape.columns).enumerate() {
        for inner in 0..shape.inner {
            let offset = row.cast_signed() * shape.left[0] + inner.cast_signed() * shape.left[1];
            // SAFETY: within the operand.
            let factor = unsafe { left.offset(offset).read() };
            let line = inner.cast_signed() * shape.right[0];
            for (column, result) in result.iter_mut().enumerate() {
                // SAFETY: within the operand.
                let value = unsafe { right.offset(line + column.cast_signed() * shape.right[1]).read() };
                *result = result.add(factor.mul(value));
            }
        }
    }
}
