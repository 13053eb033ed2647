//! Gather and scatter: reading and writing an array at index arrays.

use ag_ir::{DType, Failure, Host};

use super::effort::{self, count_work};
use super::layout;
use super::strided::MAXIMUM_RANK;
use super::{Kernel, KernelResult, Stopped};

/// How many chunks are visited before their work is counted.
const BETWEEN: usize = 1 << 10;

/// Visits the positions of an array that index arrays choose; shared by [`Gather`], [`Scatter`] and
/// `scatter_add`.
#[derive(Debug)]
pub(crate) struct Indexing {
    axis: usize,
    /// Product of the sizes before the indexed axes.
    before: usize,
    /// Bytes of a chunk, one element or sub-array: the product of the sizes after the indexed axes.
    chunk: usize,
    /// Sizes of the indexed axes.
    indexed: Vec<usize>,
    /// The indices' common shape.
    shape: Vec<usize>,
    /// Element types of the indices.
    dtypes: Vec<DType>,
    /// Strides of each index array along the common shape.
    strides: Vec<Vec<isize>>,
}

impl Indexing {
    /// Indexing of an array of these sizes at `axis` by arrays of these types and sizes.
    pub(crate) fn new(
        sizes: &[usize],
        element_size: usize,
        axis: usize,
        shape: &[usize],
        indices: &[(DType, Vec<usize>)],
    ) -> Self {
        let after = axis + indices.len();
        Self {
            axis,
            before: layout::count(&sizes[..axis]),
            chunk: layout::count(&sizes[after..]) * element_size,
            indexed: sizes[axis..after].to_vec(),
            shape: shape.to_vec(),
            dtypes: indices.iter().map(|(dtype, _)| *dtype).collect(),
            strides: indices
                .iter()
                .map(|(_, sizes)| layout::broadcast_strides(sizes, &layout::dense_strides(sizes), shape))
                .collect(),
        }
    }

    /// Calls `visit` with the position in the indices' common shape and the position in the indexed axes of
    /// the array, both counted in chunks.
    ///
    /// # Safety
    /// `indices` point to arrays of the types and sizes that the constructor was given.
    pub(super) unsafe fn walk(
        &self,
        indices: &[*mut u8],
        host: &mut dyn Host,
        mut visit: impl FnMut(usize, usize),
    ) -> KernelResult {
        let count = layout::count(&self.shape);
        let mut index = [0_usize; MAXIMUM_RANK];
        for position in 0..count {
            let mut place = 0;
            for (number, size) in self.indexed.iter().copied().enumerate() {
                let strides = &self.strides[number];
                let offset: isize = index[..self.shape.len()]
                    .iter()
                    .zip(strides)
                    .map(|(index, stride)| index.cast_signed() * stride)
                    .sum();
                // SAFETY: the strides stay within the index array (K9).
                let given = unsafe { read_index(indices[number], self.dtypes[number], offset) };
                let wrapped = if given < 0 { given.wrapping_add(size as i64) } else { given };
                match usize::try_from(wrapped) {
                    Ok(inside) if inside < size => place = place * size + inside,
                    _ => {
                        let axis = self.axis + number;
                        return Err(Stopped::new(Failure::Index { index: given, axis, size }));
                    }
                }
            }
            visit(position, place);
            if position % BETWEEN == BETWEEN - 1 {
                count_work(BETWEEN * self.work(), host)?;
            }
            layout::advance::<0>(&mut index[..self.shape.len()], &self.shape, [], &mut []);
        }
        count_work(count % BETWEEN * self.work(), host)
    }

    /// About how long a visit takes, in nanoseconds.
    const fn work(&self) -> usize {
        self.before * (4 + self.chunk / 8)
    }

    /// Whether one dense array of `i64` indexes the first axis.
    pub(super) fn is_plain(&self) -> bool {
        self.before == 1
            && self.dtypes[..] == [DType::I64]
            && self.strides[0] == layout::dense_strides(&self.shape)
    }

    /// [`Self::walk`] where it [is plain](Self::is_plain).
    ///
    /// # Safety
    /// That of [`Self::walk`].
    #[inline(always)]
    pub(super) unsafe fn walk_plain(
        &self,
        indices: &[*mut u8],
        host: &mut dyn Host,
        mut visit: impl FnMut(usize, usize),
    ) -> KernelResult {
        let (count, size) = (layout::count(&self.shape), self.indexed[0]);
        let given = if count == 0 {
            &[][..]
        } else {
            // SAFETY: the caller's: a dense array of `count` indices (K2).
            unsafe { std::slice::from_raw_parts(indices[0].cast::<i64>(), count) }
        };
        effort::in_pieces(count, self.work(), host, |piece| {
            let first = piece.start;
            for (position, index) in given[piece].iter().enumerate() {
                let wrapped = if *index < 0 { index.wrapping_add(size as i64) } else { *index };
                if wrapped as u64 >= size as u64 {
                    return Err(Stopped::new(Failure::Index { index: *index, axis: self.axis, size }));
                }
                visit(first + position, wrapped as usize);
            }
            Ok(())
        })
    }

    fn positions(&self) -> usize {
        layout::count(&self.shape)
    }

    pub(super) fn places(&self) -> usize {
        layout::count(&self.indexed)
    }

    /// Bytes of a chunk: one element or sub-array.
    pub(super) const fn chunk(&self) -> usize {
        self.chunk
    }

    /// The product of the sizes before the indexed axes.
    pub(super) const fn before(&self) -> usize {
        self.before
    }
}

/// # Safety
/// Element `offset` of `indices` is readable.
unsafe fn read_index(indices: *const u8, dtype: DType, offset: isize) -> i64 {
    // SAFETY: the caller's.
    unsafe {
        match dtype {
            DType::I64 => indices.cast::<i64>().offset(offset).read(),
            DType::I32 => i64::from(indices.cast::<i32>().offset(offset).read()),
            _ => i64::from(indices.offset(offset).read()),
        }
    }
}

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
        let (chunk, places, positions) = (indexing.chunk, indexing.places(), indexing.positions());
        if indexing.is_plain() {
            // SAFETY: places are compared with the sizes (K9) of what the operands are (K2).
            return unsafe {
                let indices = &operands[1..];
                // With a constant size, the copy is inlined without a branch.
                match chunk {
                    8 => indexing.walk_plain(indices, host, |to, from| {
                        copy_chunk(x.add(from * 8), result.add(to * 8), 8)
                    }),
                    _ => indexing.walk_plain(indices, host, |to, from| {
                        copy_chunk(x.add(from * chunk), result.add(to * chunk), chunk);
                    }),
                }
            };
        }
        // SAFETY: places are compared with the sizes (K9) of what the operands are (K2).
        unsafe {
            indexing.walk(&operands[1..], host, |position, place| {
                for before in 0..indexing.before {
                    copy_chunk(
                        x.add((before * places + place) * chunk),
                        result.add((before * positions + position) * chunk),
                        chunk,
                    );
                }
            })
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
        let (chunk, places) = (indexing.chunk, indexing.places());
        if indexing.is_plain() && self.values.is_dense {
            // SAFETY: places are compared with the sizes (K9) of what the operands are (K2).
            return unsafe {
                let indices = &operands[2..];
                match chunk {
                    8 => indexing
                        .walk_plain(indices, host, |from, to| copy_chunk(v.add(from * 8), x.add(to * 8), 8)),
                    _ => indexing.walk_plain(indices, host, |from, to| {
                        copy_chunk(v.add(from * chunk), x.add(to * chunk), chunk);
                    }),
                }
            };
        }
        // SAFETY: places are compared with the sizes (K9) of what the operands are (K2).
        unsafe {
            indexing.walk(&operands[2..], host, |position, place| {
                for before in 0..indexing.before {
                    let to = x.add((before * places + place) * chunk);
                    self.values.write_chunk(v, before, position, to, chunk);
                }
            })
        }
    }
}
