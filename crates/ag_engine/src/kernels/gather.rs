//! Gather and scatter: reading and writing an array at index arrays.

use ag_ir::Host;

use super::indexing::Indexing;
use super::layout;
use super::{Kernel, KernelResult};

/// Copies a chunk; short ones without a call.
///
/// # Safety
/// Both are valid for `bytes` bytes, do not overlap, and are aligned to the element.
#[inline(always)]
unsafe fn copy_chunk(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's.
    unsafe {
        match bytes {
            8 => to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned()),
            4 => to.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned()),
            1 => to.write(from.read()),
            _ => std::ptr::copy_nonoverlapping(from, to, bytes),
        }
    }
}

/// Operands: x, the indices, the result.
#[derive(Debug)]
pub(crate) struct Gather(pub(crate) Indexing);

impl Kernel for Gather {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let indexing = &self.0;
        let (x, result) = (operands[0].cast_const(), operands[operands.len() - 1]);
        let (chunk, places, positions) = (indexing.chunk(), indexing.places(), indexing.positions());
        // SAFETY: places are compared with the sizes (K9) of what the operands are (K2).
        unsafe {
            let copy = |first: usize, chosen: &[usize], chunk: usize| {
                for before in 0..indexing.before() {
                    let (x, result) =
                        (x.add(before * places * chunk), result.add((before * positions + first) * chunk));
                    for (number, place) in chosen.iter().enumerate() {
                        copy_chunk(x.add(place * chunk), result.add(number * chunk), chunk);
                    }
                }
            };
            let indices = &operands[1..];
            // With a constant size, the copy is inlined without a branch.
            match chunk {
                8 => indexing.blocks(indices, host, |first, chosen| copy(first, chosen, 8)),
                4 => indexing.blocks(indices, host, |first, chosen| copy(first, chosen, 4)),
                _ => indexing.blocks(indices, host, |first, chosen| copy(first, chosen, chunk)),
            }
        }
    }
}

/// Operands: x, which is changed in place, v, the indices.
///
/// An index out of range fails the run, so nobody sees the chunks that were written before it.
#[derive(Debug)]
pub(crate) struct Scatter {
    /// The walk.
    pub(crate) indexing: Indexing,
    /// Strides of v in bytes over `[before, common shape…, after…]`, merged to three: before,
    /// position (by table) and whether a chunk of v is dense.
    pub(crate) values: ScatterValues,
}

/// How the values of a scatter are read: `v` broadcasts to the gather's shape.
#[derive(Debug)]
pub(crate) struct ScatterValues {
    element_size: usize,
    /// Sizes before, of the common shape, after.
    before: Vec<usize>,
    after: Vec<usize>,
    shape: Vec<usize>,
    strides: Vec<isize>,
    is_dense: bool,
}

impl ScatterValues {
    /// Values of sizes `value` for a scatter into `sizes` at `axis` by `count` indices of a common
    /// shape.
    pub(crate) fn new(
        sizes: &[usize],
        element_size: usize,
        (axis, count): (usize, usize),
        shape: &[usize],
        value: &[usize],
    ) -> Self {
        let gathered: Vec<usize> = [&sizes[..axis], shape, &sizes[axis + count..]].concat();
        let strides = layout::broadcast_strides(value, &layout::dense_strides(value), &gathered);
        Self {
            element_size,
            before: sizes[..axis].to_vec(),
            after: sizes[axis + count..].to_vec(),
            shape: shape.to_vec(),
            is_dense: strides == layout::dense_strides(&gathered),
            strides,
        }
    }

    /// Offset in elements of position `position` of a group of axes, with these strides.
    fn offset_of(mut position: usize, sizes: &[usize], strides: &[isize]) -> isize {
        let mut offset = 0;
        for (size, stride) in sizes.iter().zip(strides).rev() {
            offset += (position % size).cast_signed() * stride;
            position /= size;
        }
        offset
    }

    /// Whether there is one value for all places.
    pub(super) fn is_one(&self) -> bool {
        self.strides.iter().all(|stride| *stride == 0)
    }

    /// Whether the values are as many as the places.
    pub(super) const fn is_dense(&self) -> bool {
        self.is_dense
    }

    /// Where the values for a chunk start, in elements, and whether they are contiguous.
    pub(super) fn start_of(&self, before: usize, position: usize, chunk: usize) -> (isize, bool) {
        if self.is_dense {
            let count = layout::count(&self.shape);
            return (((before * count + position) * chunk).cast_signed(), true);
        }
        let (first, rest) = self.strides.split_at(self.before.len());
        let middle = &rest[..self.shape.len()];
        let start =
            Self::offset_of(before, &self.before, first) + Self::offset_of(position, &self.shape, middle);
        (start, false)
    }

    /// The offset of the value for an element of a chunk.
    pub(super) fn offset_in_chunk(&self, number: usize) -> isize {
        Self::offset_of(number, &self.after, &self.strides[self.before.len() + self.shape.len()..])
    }

    /// # Safety
    /// `v` is readable with the sizes that the constructor was given; `to` is writable for a chunk.
    unsafe fn write_chunk(&self, v: *const u8, before: usize, position: usize, to: *mut u8, chunk: usize) {
        let element = self.element_size;
        let (start, is_dense) = self.start_of(before, position, chunk / element);
        if is_dense {
            // SAFETY: the caller's.
            unsafe { copy_chunk(v.offset(start * element.cast_signed()), to, chunk) };
            return;
        }
        for number in 0..chunk / element {
            let offset = start + self.offset_in_chunk(number);
            // SAFETY: the caller's; strides stay within v (K9).
            unsafe {
                copy_chunk(v.offset(offset * element.cast_signed()), to.add(number * element), element)
            };
        }
    }
}

impl Kernel for Scatter {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let indexing = &self.indexing;
        let (x, v) = (operands[0], operands[1].cast_const());
        let (chunk, places) = (indexing.chunk(), indexing.places());
        if indexing.before() == 1 && self.values.is_dense {
            // SAFETY: places are compared with the sizes (K9) of what the operands are (K2).
            return unsafe {
                let indices = &operands[2..];
                match chunk {
                    8 => {
                        indexing.walk(indices, host, |from, to| copy_chunk(v.add(from * 8), x.add(to * 8), 8))
                    }
                    _ => indexing.walk(indices, host, |from, to| {
                        copy_chunk(v.add(from * chunk), x.add(to * chunk), chunk);
                    }),
                }
            };
        }
        // SAFETY: places are compared with the sizes (K9) of what the operands are (K2).
        unsafe {
            indexing.walk(&operands[2..], host, |position, place| {
                for before in 0..indexing.before() {
                    let to = x.add((before * places + place) * chunk);
                    self.values.write_chunk(v, before, position, to, chunk);
                }
            })
        }
    }
}
