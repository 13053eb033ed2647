//! Which elements index arrays choose.

use ag_ir::{DType, Failure, Host};

use super::effort::count_work;
use super::layout;
use super::strided::MAXIMUM_RANK;
use super::{KernelResult, Stopped};
use crate::isa::Isa;

/// How many positions are looked at together.
const BLOCK: usize = 512;
/// So few positions need little room.
const FEW: usize = 8;
/// How many positions of short rows are visited before their work is counted.
const BETWEEN: usize = 1 << 10;

/// Visits the positions of an array that index arrays choose; shared by `gather`, `scatter` and
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
    /// The indices' common shape; axes along which all of them step evenly are one.
    shape: Vec<usize>,
    /// Element types of the indices.
    dtypes: Vec<DType>,
    /// How each index array is joined with those before it.
    joins: Vec<JoinFn>,
    /// Strides of each index array along the common shape.
    strides: Vec<Vec<isize>>,
}

/// An index, with those from the end counted from the start. Out of range it is no less than the size.
#[inline(always)]
fn wrapped(given: i64, size: usize) -> usize {
    given.wrapping_add((given >> 63) & size as i64) as usize
}

/// Joins the indices of one axis with those of the axes before it: `places * size + index`. Arguments: the
/// indices, the elements between two of them, the size of the axis, the places. Returns whether all are within
/// the axis.
///
/// # Safety
/// The indices are readable for so many elements at this stride, and apart from the places.
type JoinFn = unsafe fn(*const u8, isize, usize, &mut [usize]) -> bool;

/// # Safety
/// That of [`JoinFn`].
#[inline(always)]
unsafe fn join<T: Copy + Into<i64>, const IS_FIRST: bool>(
    given: *const u8,
    stride: isize,
    size: usize,
    places: &mut [usize],
) -> bool {
    let given = given.cast::<T>();
    // Its sign says whether an index, or the distance of one from the last, was negative.
    let mut signs = 0;
    let mut put = |place: &mut usize, given: T| {
        let index = wrapped(given.into(), size);
        signs |= index | size.wrapping_sub(1).wrapping_sub(index);
        *place = if IS_FIRST { index } else { place.wrapping_mul(size).wrapping_add(index) };
    };
    // SAFETY: the caller's.
    unsafe {
        match stride {
            0 => {
                let given = given.read();
                places.iter_mut().for_each(|place| put(place, given));
            }
            1 => {
                let given = std::slice::from_raw_parts(given, places.len());
                places.iter_mut().zip(given).for_each(|(place, given)| put(place, *given));
            }
            _ => {
                for (number, place) in places.iter_mut().enumerate() {
                    put(place, given.offset(number.cast_signed() * stride).read());
                }
            }
        }
    }
    signs.cast_signed() >= 0
}

macro_rules! version {
    ($name:ident $(, $features:literal)?) => {
        /// # Safety
        /// That of [`JoinFn`], and the processor has the instructions.
        $(#[cfg(target_arch = "x86_64")] #[target_feature(enable = $features)])?
        unsafe fn $name<T: Copy + Into<i64>, const IS_FIRST: bool>(
            given: *const u8,
            stride: isize,
            size: usize,
            places: &mut [usize],
        ) -> bool {
            // SAFETY: the caller's.
            unsafe { join::<T, IS_FIRST>(given, stride, size, places) }
        }
    };
}

version!(join_base);
version!(join_avx512, "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl");

fn version<T: Copy + Into<i64>, const IS_FIRST: bool>(isa: Isa) -> JoinFn {
    match isa {
        // Those of 256 bits compare no wide integers faster.
        Isa::Exact | Isa::Base => join_base::<T, IS_FIRST>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => join_base::<T, IS_FIRST>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => join_avx512::<T, IS_FIRST>,
        #[cfg(not(target_arch = "x86_64"))]
        _ => join_base::<T, IS_FIRST>,
    }
}

fn of_axis<const IS_FIRST: bool>(dtype: DType, isa: Isa) -> JoinFn {
    match dtype {
        DType::I64 => version::<i64, IS_FIRST>(isa),
        DType::I32 => version::<i32, IS_FIRST>(isa),
        // Type inference has rejected the others. So few numbers choose from small arrays only.
        _ => join_base::<u8, IS_FIRST>,
    }
}

impl Indexing {
    /// Indexing of an array of these sizes at `axis` by arrays of these types and sizes.
    pub(crate) fn new(
        sizes: &[usize],
        element_size: usize,
        axis: usize,
        shape: &[usize],
        indices: &[(DType, Vec<usize>)],
        isa: Isa,
    ) -> Self {
        let after = axis + indices.len();
        let strides: Vec<Vec<isize>> = indices
            .iter()
            .map(|(_, sizes)| layout::broadcast_strides(sizes, &layout::dense_strides(sizes), shape))
            .collect();
        let joins = indices.iter().enumerate().map(|(number, (dtype, _))| match number {
            0 => of_axis::<true>(*dtype, isa),
            _ => of_axis::<false>(*dtype, isa),
        });
        let (shape, strides) =
            layout::collapse(shape, &strides.iter().map(Vec::as_slice).collect::<Vec<_>>());
        Self {
            axis,
            before: layout::count(&sizes[..axis]),
            chunk: layout::count(&sizes[after..]) * element_size,
            indexed: sizes[axis..after].to_vec(),
            shape,
            dtypes: indices.iter().map(|(dtype, _)| *dtype).collect(),
            joins: joins.collect(),
            strides,
        }
    }

    /// Calls `visit` for blocks of positions, with the first one in the indices' common shape, and the
    /// positions in the indexed axes of the array, both counted in chunks.
    ///
    /// # Safety
    /// `indices` point to arrays of the types and sizes that the constructor was given.
    #[inline(always)]
    pub(super) unsafe fn blocks(
        &self,
        indices: &[*mut u8],
        host: &mut dyn Host,
        visit: impl FnMut(usize, &[usize]),
    ) -> KernelResult {
        match self.positions() {
            0 => Ok(()),
            // SAFETY: the caller's.
            1..=FEW => unsafe { self.blocks_in(&mut [0; FEW], indices, host, visit) },
            // SAFETY: the caller's.
            _ => unsafe { self.blocks_in(&mut [0; BLOCK], indices, host, visit) },
        }
    }

    /// As [`Self::blocks`], each in this room.
    ///
    /// # Safety
    /// That of [`Self::blocks`].
    #[inline(always)]
    unsafe fn blocks_in(
        &self,
        room: &mut [usize],
        indices: &[*mut u8],
        host: &mut dyn Host,
        mut visit: impl FnMut(usize, &[usize]),
    ) -> KernelResult {
        let (row, outer) = self.shape.split_last().map_or((1, &[][..]), |(row, outer)| (*row, outer));
        let mut index = [0_usize; MAXIMUM_RANK];
        let index = &mut index[..outer.len()];
        let (mut first, mut uncounted, block) = (0, 0, room.len());
        loop {
            for start in (0..row).step_by(block) {
                let places = &mut room[..block.min(row - start)];
                // SAFETY: the caller's.
                if !unsafe { self.join_all(indices, index, start, places) } {
                    // SAFETY: the caller's.
                    return Err(unsafe { self.failure(indices, index, start, places.len()) });
                }
                visit(first, places);
                first += places.len();
                uncounted += places.len();
                if uncounted >= BETWEEN {
                    count_work(std::mem::take(&mut uncounted) * self.work(), host)?;
                }
            }
            if !layout::advance::<0>(index, outer, [], &mut []) {
                return count_work(uncounted * self.work(), host);
            }
        }
    }

    /// As [`Self::blocks`], one position after the other.
    ///
    /// # Safety
    /// That of [`Self::blocks`].
    #[inline(always)]
    pub(super) unsafe fn walk(
        &self,
        indices: &[*mut u8],
        host: &mut dyn Host,
        mut visit: impl FnMut(usize, usize),
    ) -> KernelResult {
        // SAFETY: the caller's.
        unsafe {
            self.blocks(indices, host, |first, places| {
                for (number, place) in places.iter().enumerate() {
                    visit(first + number, *place);
                }
            })
        }
    }

    /// The offset of an index array at a position in the common shape.
    fn offset(&self, number: usize, outer: &[usize], start: usize) -> isize {
        let strides = &self.strides[number];
        let inner = start.cast_signed() * strides.last().copied().unwrap_or(0);
        inner + outer.iter().zip(strides).map(|(index, stride)| index.cast_signed() * stride).sum::<isize>()
    }

    /// The positions that all index arrays choose, from a position of a row on; whether all are within the
    /// array.
    ///
    /// # Safety
    /// That of [`Self::blocks`].
    unsafe fn join_all(
        &self,
        indices: &[*mut u8],
        outer: &[usize],
        start: usize,
        places: &mut [usize],
    ) -> bool {
        let mut is_within = true;
        for (number, size) in self.indexed.iter().copied().enumerate() {
            let (given, offset) = (indices[number].cast_const(), self.offset(number, outer, start));
            let stride = self.strides[number].last().copied().unwrap_or(0);
            let offset = offset * self.dtypes[number].size().cast_signed();
            // SAFETY: the strides stay within the index array (K9).
            is_within &= unsafe { self.joins[number](given.offset(offset), stride, size, places) };
        }
        is_within
    }

    /// The failure of the first index out of range, from a position of a row on.
    ///
    /// # Safety
    /// That of [`Self::blocks`].
    #[cold]
    unsafe fn failure(
        &self,
        indices: &[*mut u8],
        outer: &[usize],
        start: usize,
        count: usize,
    ) -> Box<Stopped> {
        for position in start..start + count {
            for (number, size) in self.indexed.iter().copied().enumerate() {
                let offset = self.offset(number, outer, position);
                // SAFETY: the strides stay within the index array (K9).
                let index = unsafe { read_index(indices[number], self.dtypes[number], offset) };
                if wrapped(index, size) >= size {
                    return Stopped::new(Failure::Index { index, axis: self.axis + number, size });
                }
            }
        }
        unreachable!("an index is out of range")
    }

    /// About how long a visit takes, in nanoseconds.
    const fn work(&self) -> usize {
        self.before * (4 + self.chunk / 8)
    }

    /// How many chunks are visited for each index before the axes.
    pub(super) fn positions(&self) -> usize {
        layout::count(&self.shape)
    }

    /// How many chunks there are along the indexed axes.
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
