//! General products (`dot` with batch and contracted axes), as a batch of matrix products.
//!
//! The axes of each operand fall into three groups: batch, free, contracted. A group that steps evenly
//! through memory becomes one axis with one stride, and the product reads the operand in place: row-major,
//! transposed or otherwise. An operand with an uneven group is packed first.

mod matrix;
mod narrow;
mod ordered;
mod shape;
mod simd;
mod skinny;

use ag_ir::{DType, DotAxes, Host};

use self::matrix::Method;
use self::shape::Matrix;
use super::layout::{self, dense_strides};
use super::strided::StridedCopy;
use super::view::View;
use super::{Kernel, KernelResult, Stopped};
use crate::isa::Isa;

/// One operand of a product.
#[derive(Debug)]
struct Side {
    /// The copy to dense `[batch, rows, columns]` that comes first, if needed.
    packing: Option<StridedCopy>,
    bytes: usize,
    offset: isize,
    batch: Vec<isize>,
    rows: isize,
    columns: isize,
}

impl Side {
    /// The operand with these groups of axes as rows and columns.
    fn new(view: &View, batch: &[usize], rows: &[usize], columns: &[usize], element_size: usize) -> Self {
        let element = element_size.cast_signed();
        let (_, batch_strides) = view.group(batch);
        let single = |axes: &[usize]| {
            let (sizes, strides) = view.group(axes);
            let (merged, strides) = layout::collapse(&sizes, &[&strides]);
            match merged.len() {
                0 => Some(1),
                1 => Some(strides[0][0]),
                _ => None,
            }
        };
        if let (Some(rows), Some(columns)) = (single(rows), single(columns)) {
            let batch = batch_strides.iter().map(|stride| stride * element).collect();
            return Self { packing: None, bytes: 0, offset: view.offset * element, batch, rows, columns };
        }
        let order = [batch, rows, columns].concat();
        let (sizes, strides) = view.group(&order);
        let dense = dense_strides(&sizes);
        let columns_count: usize = columns.iter().map(|axis| view.sizes[*axis]).product();
        Self {
            packing: Some(StridedCopy::new(element_size, &sizes, &strides, &dense)),
            bytes: layout::count(&sizes) * element_size,
            offset: view.offset * element,
            batch: dense[..batch.len()].iter().map(|stride| stride * element).collect(),
            rows: columns_count.cast_signed(),
            columns: 1,
        }
    }
}

impl Side {
    /// Bytes for the packed operand.
    const fn room(&self) -> usize {
        self.bytes.next_multiple_of(64)
    }
}

/// Operands: left, right, result, room for packed operands.
#[derive(Debug)]
pub(crate) struct Dot {
    left: Side,
    right: Side,
    batch: Vec<usize>,
    /// Bytes of one product of the batch.
    result_bytes: usize,
    method: Method,
}

impl Dot {
    /// The product of operands with these views.
    pub(crate) fn new(dtype: DType, axes: &DotAxes, left: &View, right: &View, isa: Isa) -> Self {
        let free = |view: &View, batch: &[usize], contract: &[usize]| -> Vec<usize> {
            (0..view.sizes.len()).filter(|axis| !batch.contains(axis) && !contract.contains(axis)).collect()
        };
        let left_free = free(left, &axes.left_batch, &axes.left_contract);
        let right_free = free(right, &axes.right_batch, &axes.right_contract);
        let size_of = |view: &View, axes: &[usize]| layout::count(&view.group(axes).0);
        let element_size = dtype.size();
        let (rows, columns) = (size_of(left, &left_free), size_of(right, &right_free));
        let inner = size_of(left, &axes.left_contract);
        let left_side = Side::new(left, &axes.left_batch, &left_free, &axes.left_contract, element_size);
        let right_side = Side::new(right, &axes.right_batch, &axes.right_contract, &right_free, element_size);
        let shape = Matrix {
            adds: false,
            sums: !axes.left_contract.is_empty(),
            rows,
            inner,
            columns,
            left: [left_side.rows, left_side.columns],
            right: [right_side.rows, right_side.columns],
        };
        Self {
            batch: left.group(&axes.left_batch).0,
            result_bytes: rows * columns * element_size,
            method: matrix::method_for(dtype, &shape, isa),
            left: left_side,
            right: right_side,
        }
    }

    /// The same product, added to the result's memory.
    pub(crate) const fn added(mut self) -> Self {
        self.method.shape.adds = true;
        self
    }

    /// Bytes needed to pack operands.
    pub(crate) fn scratch_bytes(&self) -> usize {
        self.left.room() + self.right.room() + self.method.room
    }
}

/// Packs an operand if it needs it; returns the pointer to read.
///
/// # Safety
/// `operand` is readable as the view said, `room` writable for the side's bytes.
unsafe fn pack(
    side: &Side,
    operand: *const u8,
    room: *mut u8,
    host: &mut dyn Host,
) -> Result<*const u8, Box<Stopped>> {
    // SAFETY: the caller's.
    unsafe {
        let start = operand.offset(side.offset);
        match &side.packing {
            Some(copy) => {
                copy.run(start, room, host)?;
                Ok(room.cast_const())
            }
            None => Ok(start),
        }
    }
}

impl Kernel for Dot {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let room = operands.get(3).copied().unwrap_or(std::ptr::null_mut());
        // SAFETY: room holds both packed operands (K2); the steps stay within the operands (K9).
        unsafe {
            let left = pack(&self.left, operands[0], room, host)?;
            let right = pack(&self.right, operands[1], room.wrapping_add(self.left.room()), host)?;
            let mut result = operands[2];
            let last_room = room.wrapping_add(self.left.room() + self.right.room());
            if layout::count(&self.batch) == 0 {
                return Ok(());
            }
            let mut index = [0_usize; super::strided::MAXIMUM_RANK];
            let index = &mut index[..self.batch.len()];
            let mut offsets = [0_isize; 2];
            loop {
                let (mut left, mut right) = (left.offset(offsets[0]), right.offset(offsets[1]));
                if self.method.swaps {
                    std::mem::swap(&mut left, &mut right);
                }
                self.method.run(left, right, result, last_room, host)?;
                result = result.add(self.result_bytes);
                let strides: [&[isize]; 2] = [&self.left.batch, &self.right.batch];
                if !layout::advance(index, &self.batch, strides, &mut offsets) {
                    return Ok(());
                }
            }
        }
    }
}
