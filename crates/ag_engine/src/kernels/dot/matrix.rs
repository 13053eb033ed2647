//! Products of two matrices with any strides into a dense one: chooses the method.

use ag_ir::{DType, Host};

use super::shape::{Matrix, MatrixFn};
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2F32, Avx2F64, Avx512F32, Avx512F64};
use super::simd::{Base, Simd};
use super::{narrow, ordered, skinny};
use crate::isa::Isa;
use crate::kernels::KernelResult;
use crate::kernels::effort::count_work;
use crate::kernels::elementwise::Number;

/// How a product is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    /// The function.
    function: Pieces,
    /// Sizes and strides that the function is called with.
    pub(crate) shape: Matrix,
    /// Whether it is called with the operands swapped.
    pub(crate) swaps: bool,
    /// Bytes of workspace that it needs.
    pub(crate) room: usize,
    /// Size of an element.
    element_size: usize,
}

/// The function of a product, and how the product is cut into pieces of some milliseconds.
#[derive(Clone, Copy, Debug)]
enum Pieces {
    /// Pieces are some rows of the result.
    Rows(MatrixFn),
    /// Pieces are blocks along all three axes; those along the inner axis are summed.
    Blocks(BlockFn),
}

/// Computes a block of a large product. Arguments: sizes and strides, left, right, result, elements from one
/// row of the result to the next, whether to add to the result.
///
/// # Safety
/// That of [`MatrixFn`], with a result that is not dense.
type BlockFn = unsafe fn(&Matrix, *const u8, *const u8, *mut u8, usize, bool);

/// The most multiplications of a large product that is not cut: thirty milliseconds.
const PIECE: usize = 1 << 29;
/// The same for skinny and integer products, which are slower.
const SMALL_PIECE: usize = 1 << 23;
/// The largest block of a large product: rows, inner, columns. It takes some hundredths of a second with wide
/// vectors. Each block packs its operands anew, which takes little time if its sides are long.
const BLOCK: [usize; 3] = [1024, 512, 2048];

impl Method {
    /// Runs the product.
    ///
    /// # Safety
    /// That of [`MatrixFn`].
    ///
    /// # Errors
    /// What the host raises when it is asked whether to go on.
    pub(crate) unsafe fn run(
        &self,
        left: *const u8,
        right: *const u8,
        result: *mut u8,
        room: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        // SAFETY: the caller's.
        unsafe {
            match self.function {
                Pieces::Rows(function) => self.by_rows(function, (left, right), result, room, host),
                Pieces::Blocks(function) => self.by_blocks(function, (left, right), result, host),
            }
        }
    }

    /// # Safety
    /// That of [`MatrixFn`].
    unsafe fn by_rows(
        &self,
        function: MatrixFn,
        (left, right): (*const u8, *const u8),
        result: *mut u8,
        room: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        let shape = &self.shape;
        let row = shape.inner.saturating_mul(shape.columns);
        if shape.rows.saturating_mul(row) <= SMALL_PIECE {
            // SAFETY: the caller's.
            unsafe { function(shape, left, right, result, room) };
            return count_work(shape.rows * row / 4, host);
        }
        // Rounded up to whole register blocks of every method, unless that takes too long.
        let wanted = (SMALL_PIECE / row.max(1)).max(1);
        let step = wanted.next_multiple_of(if wanted < 64 { 8 } else { 64 });
        for first in (0..shape.rows).step_by(step) {
            let rows = step.min(shape.rows - first);
            let from = first.cast_signed() * shape.left[0] * self.element_size.cast_signed();
            // SAFETY: the rows are within both (K9).
            unsafe {
                let to = result.add(first * shape.columns * self.element_size);
                function(&Matrix { rows, ..*shape }, left.offset(from), right, to, room);
            }
            count_work(rows.saturating_mul(row) / 4, host)?;
        }
        Ok(())
    }

    /// # Safety
    /// That of [`MatrixFn`].
    unsafe fn by_blocks(
        &self,
        function: BlockFn,
        (left, right): (*const u8, *const u8),
        result: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        let shape = &self.shape;
        let work = shape.rows.saturating_mul(shape.inner).saturating_mul(shape.columns);
        if work <= PIECE {
            // SAFETY: the caller's.
            unsafe { function(shape, left, right, result, shape.columns, shape.adds) };
            return count_work(work / 16, host);
        }
        let [most_rows, most_inner, most_columns] = BLOCK;
        let element = self.element_size.cast_signed();
        for row in (0..shape.rows).step_by(most_rows) {
            let rows = most_rows.min(shape.rows - row);
            for column in (0..shape.columns).step_by(most_columns) {
                let columns = most_columns.min(shape.columns - column);
                for k in (0..shape.inner).step_by(most_inner) {
                    let inner = most_inner.min(shape.inner - k);
                    let [row, column, start] = [row, column, k].map(usize::cast_signed);
                    let from_left = (row * shape.left[0] + start * shape.left[1]) * element;
                    let from_right = (start * shape.right[0] + column * shape.right[1]) * element;
                    let to = (row * shape.columns.cast_signed() + column) * element;
                    // SAFETY: the block is within all (K9).
                    unsafe {
                        let (left, right) = (left.offset(from_left), right.offset(from_right));
                        let block = Matrix { rows, inner, columns, ..*shape };
                        function(&block, left, right, result.offset(to), shape.columns, k > 0 || shape.adds);
                    }
                    count_work(rows * inner * columns / 16, host)?;
                }
            }
        }
        Ok(())
    }
}

/// Least elements of an axis along which vectors run.
const LONG: usize = 32;
/// Most columns of a skinny product.
const FEW_COLUMNS: usize = 32;
/// Most rows that are packed for a skinny product.
const LONGEST_PACKED: usize = 1 << 18;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Both operands are contiguous along the inner axis.
    Dots,
    /// As dots, after the right operand is transposed.
    PackedDots,
    Tall,
    Rows,
    /// The inner axis has one element.
    Outer,
    /// A vector times a matrix of a few columns.
    Narrow,
    /// A matrix of a few columns times a vector.
    Short,
    Large,
}

fn way_for(shape: &Matrix) -> Way {
    if shape.inner == 1 && shape.rows > 1 && shape.columns > 1 && shape.right[1] == 1 {
        return Way::Outer;
    }
    if shape.columns > FEW_COLUMNS || shape.columns == 0 || shape.rows == 0 {
        return Way::Large;
    }
    let is_dense = |[size, stride]: [usize; 2]| narrow::FEW.contains(&size) && stride == size;
    if shape.columns == 1
        && shape.inner >= LONG
        && shape.left[0] == 1
        && shape.right[0] == 1
        && is_dense([shape.rows, shape.left[1].unsigned_abs()])
    {
        return Way::Narrow;
    }
    if shape.columns == 1
        && shape.rows >= LONG
        && shape.left[1] == 1
        && is_dense([shape.inner, shape.left[0].unsigned_abs()])
    {
        return Way::Short;
    }
    // The stride of an axis of size 1 does not matter.
    let left_rows = shape.left[1] == 1 || shape.inner == 1;
    let left_columns = shape.left[0] == 1 || shape.rows == 1;
    let right_rows = shape.right[1] == 1 || shape.columns == 1;
    let right_columns = shape.right[0] == 1 || shape.inner == 1;
    let is_long = shape.inner >= LONG;
    if left_rows && right_columns && is_long {
        Way::Dots
    } else if left_columns && shape.rows >= 4 {
        Way::Tall
    } else if left_rows && is_long && shape.rows >= 16 && shape.inner <= LONGEST_PACKED {
        Way::PackedDots
    } else if right_rows {
        Way::Rows
    } else {
        Way::Large
    }
}

/// The method for matrices of this type and shape.
pub(crate) fn method_for(dtype: DType, shape: &Matrix, isa: Isa) -> Method {
    let swaps = shape.rows == 1 && shape.columns > 1;
    let turned = if swaps { shape.transposed() } else { *shape };
    let way = way_for(&turned);
    let room = if way == Way::PackedDots { turned.inner * turned.columns * dtype.size() } else { 0 };
    let element_size = dtype.size();
    let plain = |function| Method { function, shape: *shape, swaps: false, room: 0, element_size };
    match (isa, dtype) {
        (Isa::Exact, DType::F64) => return plain(Pieces::Rows(ordered::product::<f64>)),
        (Isa::Exact, DType::F32) => return plain(Pieces::Rows(ordered::product::<f32>)),
        _ => {}
    }
    let function = match dtype {
        DType::F64 => float_function::<f64>(way, F64_VERSIONS, isa),
        DType::F32 => float_function::<f32>(way, F32_VERSIONS, isa),
        DType::I64 => return plain(Pieces::Rows(integers::<i64>)),
        DType::I32 => return plain(Pieces::Rows(integers::<i32>)),
        DType::U8 | DType::Bool => return plain(Pieces::Rows(integers::<u8>)),
    };
    if way == Way::Large {
        plain(function)
    } else {
        Method { function, shape: turned, swaps, room, element_size }
    }
}

/// For each instruction set, the functions dots, packed dots, tall, rows, outer, narrow, short.
type Versions = [[MatrixFn; 7]; 3];

fn float_function<T: Number>(way: Way, versions: Versions, isa: Isa) -> Pieces {
    let of_isa = match isa {
        Isa::Exact | Isa::Base => versions[0],
        Isa::Avx2 => versions[1],
        Isa::Avx512 => versions[2],
    };
    match way {
        Way::Dots => Pieces::Rows(of_isa[0]),
        Way::PackedDots => Pieces::Rows(of_isa[1]),
        Way::Tall => Pieces::Rows(of_isa[2]),
        Way::Rows => Pieces::Rows(of_isa[3]),
        Way::Outer => Pieces::Rows(of_isa[4]),
        Way::Narrow => Pieces::Rows(of_isa[5]),
        Way::Short => Pieces::Rows(of_isa[6]),
        Way::Large => Pieces::Blocks(large::<T>),
    }
}

macro_rules! versions {
    ($name:ident, $simd:ty, $block:literal $(, $feature:literal)?) => {
        mod $name {
            use super::*;

            type Element = <$simd as Simd>::Element;

            /// # Safety
            /// That of [`MatrixFn`], and the processor has the instructions.
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn dots(m: &Matrix, left: *const u8, right: *const u8, to: *mut u8, _: *mut u8) {
                let right = (right.cast::<Element>(), m.right[1]);
                // SAFETY: the caller's.
                unsafe { skinny::dots::<$simd, $block>(m, left.cast(), right, to.cast()) }
            }

            /// # Safety
            /// As [`dots`].
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn packed(m: &Matrix, left: *const u8, right: *const u8, to: *mut u8, room: *mut u8) {
                // SAFETY: the caller's.
                unsafe {
                    pack_transposed::<Element>(m, right.cast(), room.cast());
                    let right = (room.cast_const().cast::<Element>(), m.inner.cast_signed());
                    skinny::dots::<$simd, $block>(m, left.cast(), right, to.cast());
                }
            }

            /// # Safety
            /// As [`dots`].
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn tall(m: &Matrix, left: *const u8, right: *const u8, to: *mut u8, _: *mut u8) {
                // SAFETY: the caller's.
                unsafe { skinny::tall::<$simd, $block>(m, left.cast(), right.cast(), to.cast()) }
            }

            /// # Safety
            /// As [`dots`].
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn rows(m: &Matrix, left: *const u8, right: *const u8, to: *mut u8, _: *mut u8) {
                // SAFETY: the caller's.
                unsafe { skinny::rows::<$simd>(m, left.cast(), right.cast(), to.cast()) }
            }

            /// # Safety
            /// As [`dots`].
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn outer(m: &Matrix, left: *const u8, right: *const u8, to: *mut u8, _: *mut u8) {
                // SAFETY: the caller's.
                unsafe { skinny::outer::<Element>(m, left.cast(), right.cast(), to.cast()) }
            }

            /// # Safety
            /// As [`dots`], with a shape of [`narrow::of_vector`].
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn of_vector(m: &Matrix, left: *const u8, right: *const u8, to: *mut u8, _: *mut u8) {
                // SAFETY: the caller's.
                unsafe { narrow::of_vector::<$simd>(m, left.cast(), right.cast(), to.cast()) }
            }

            /// # Safety
            /// As [`dots`], with a shape of [`narrow::by_vector`].
            $(#[target_feature(enable = $feature)])?
            pub(super) unsafe fn by_vector(m: &Matrix, left: *const u8, right: *const u8, to: *mut u8, _: *mut u8) {
                // SAFETY: the caller's.
                unsafe { narrow::by_vector::<$simd>(m, left.cast(), right.cast(), to.cast()) }
            }

            pub(super) const ALL: [MatrixFn; 7] = [dots, packed, tall, rows, outer, of_vector, by_vector];
        }
    };
}

versions!(base_f32, Base<f32>, 2);
versions!(base_f64, Base<f64>, 2);
#[cfg(target_arch = "x86_64")]
versions!(avx2_f32, Avx2F32, 2, "avx2,fma");
#[cfg(target_arch = "x86_64")]
versions!(avx2_f64, Avx2F64, 2, "avx2,fma");
#[cfg(target_arch = "x86_64")]
versions!(avx512_f32, Avx512F32, 4, "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl");
#[cfg(target_arch = "x86_64")]
versions!(avx512_f64, Avx512F64, 4, "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl");

#[cfg(target_arch = "x86_64")]
const F32_VERSIONS: Versions = [base_f32::ALL, avx2_f32::ALL, avx512_f32::ALL];
#[cfg(target_arch = "x86_64")]
const F64_VERSIONS: Versions = [base_f64::ALL, avx2_f64::ALL, avx512_f64::ALL];
#[cfg(not(target_arch = "x86_64"))]
const F32_VERSIONS: Versions = [base_f32::ALL; 3];
#[cfg(not(target_arch = "x86_64"))]
const F64_VERSIONS: Versions = [base_f64::ALL; 3];

/// Copies the right operand, `[inner, columns]`, to dense `[columns, inner]`.
///
/// # Safety
/// `right` is readable as the shape says, `room` writable for as many elements.
#[inline(always)]
unsafe fn pack_transposed<T: Number>(shape: &Matrix, right: *const T, room: *mut T) {
    for column in 0..shape.columns {
        for k in 0..shape.inner {
            let offset = k.cast_signed() * shape.right[0] + column.cast_signed() * shape.right[1];
            // SAFETY: the caller's.
            unsafe { room.add(column * shape.inner + k).write(right.offset(offset).read()) };
        }
    }
}

/// Large float products: the `gemm` crate.
///
/// # Safety
/// That of [`BlockFn`].
unsafe fn large<T: Number>(
    shape: &Matrix,
    left: *const u8,
    right: *const u8,
    result: *mut u8,
    result_stride: usize,
    is_added: bool,
) {
    // SAFETY: the caller's promise is what gemm asks for.
    unsafe {
        gemm::gemm(
            shape.rows,
            shape.columns,
            shape.inner,
            result.cast::<T>(),
            1,
            result_stride.cast_signed(),
            is_added,
            left.cast::<T>(),
            shape.left[1],
            shape.left[0],
            right.cast::<T>(),
            shape.right[1],
            shape.right[0],
            if is_added { T::ONE } else { T::ZERO },
            T::ONE,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

/// Integer products, wrapping: sums scaled rows of the right operand.
///
/// # Safety
/// That of [`MatrixFn`].
unsafe fn integers<T: Number>(
    shape: &Matrix,
    left: *const u8,
    right: *const u8,
    result: *mut u8,
    _: *mut u8,
) {
    let (left, right) = (left.cast::<T>(), right.cast::<T>());
    // SAFETY: the result is dense and of this size (K2).
    let result = unsafe { std::slice::from_raw_parts_mut(result.cast::<T>(), shape.rows * shape.columns) };
    if !shape.adds {
        result.fill(T::ZERO);
    }
    if shape.columns == 0 {
        return;
    }
    for (row, result) in result.chunks_exact_mut(shape.columns).enumerate() {
        for inner in 0..shape.inner {
            let offset = row.cast_signed() * shape.left[0] + inner.cast_signed() * shape.left[1];
            // SAFETY: within the operand (K2, K9).
            let factor = unsafe { left.offset(offset).read() };
            let line = inner.cast_signed() * shape.right[0];
            for (column, result) in result.iter_mut().enumerate() {
                // SAFETY: within the operand (K2, K9).
                let value = unsafe { right.offset(line + column.cast_signed() * shape.right[1]).read() };
                *result = result.add(factor.mul(value));
            }
        }
    }
}
