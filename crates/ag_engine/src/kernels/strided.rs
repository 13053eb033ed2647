//! Copies between arrays with any strides: what `transpose`, `broadcast`, slices, updates and
//! `concatenate` come down to.

use super::layout;

/// A copy of a block of elements from one strided place to another.
#[derive(Debug)]
pub(crate) struct StridedCopy {
    element_size: usize,
    /// Outer sizes, without the inner axis.
    outer: Vec<usize>,
    inner: usize,
    from_outer: Vec<isize>,
    to_outer: Vec<isize>,
    from_inner: isize,
    to_inner: isize,
    is_empty: bool,
}

impl StridedCopy {
    /// The copy of a block of these sizes; strides are in elements.
    pub(crate) fn new(element_size: usize, sizes: &[usize], from: &[isize], to: &[isize]) -> Self {
        let (mut outer, strides) = layout::collapse(sizes, &[from, to]);
        let bytes = |stride: &isize| stride * element_size.cast_signed();
        let mut from_outer: Vec<isize> = strides[0].iter().map(bytes).collect();
        let mut to_outer: Vec<isize> = strides[1].iter().map(bytes).collect();
        let unit = element_size.cast_signed();
        let inner = outer.pop().unwrap_or(1);
        let from_inner = from_outer.pop().unwrap_or(unit);
        let to_inner = to_outer.pop().unwrap_or(unit);
        let is_empty = sizes.contains(&0);
        Self { element_size, outer, inner, from_outer, to_outer, from_inner, to_inner, is_empty }
    }

    /// Copies.
    ///
    /// # Safety
    /// The elements that the strides reach from `from` are readable and those from `to` writable;
    /// they do not overlap, and are aligned.
    pub(crate) unsafe fn run(&self, from: *const u8, to: *mut u8) {
        if self.is_empty {
            return;
        }
        let mut index = [0_usize; MAXIMUM_RANK];
        let index = &mut index[..self.outer.len()];
        let mut offsets = [0_isize; 2];
        loop {
            // SAFETY: offsets stay within the block that the caller vouches for.
            unsafe { self.copy_run(from.offset(offsets[0]), to.offset(offsets[1])) };
            if !layout::advance(index, &self.outer, [&self.from_outer, &self.to_outer], &mut offsets) {
                return;
            }
        }
    }

    /// # Safety
    /// That of [`Self::run`], for one run along the inner axis.
    #[inline]
    unsafe fn copy_run(&self, from: *const u8, to: *mut u8) {
        let unit = self.element_size.cast_signed();
        // SAFETY: the caller's.
        unsafe {
            if self.from_inner == unit && self.to_inner == unit {
                std::ptr::copy_nonoverlapping(from, to, self.inner * self.element_size);
                return;
            }
            match self.element_size {
                1 => run_of::<u8>(from, to, self.inner, self.from_inner, self.to_inner),
                4 => run_of::<u32>(from, to, self.inner, self.from_inner, self.to_inner),
                _ => run_of::<u64>(from, to, self.inner, self.from_inner, self.to_inner),
            }
        }
    }
}

/// More axes than this are refused when a graph is compiled; NumPy's limit is 64.
pub(crate) const MAXIMUM_RANK: usize = 64;

/// # Safety
/// That of [`StridedCopy::run`], for one run along the inner axis.
#[inline]
unsafe fn run_of<T: Copy>(from: *const u8, to: *mut u8, count: usize, from_step: isize, to_step: isize) {
    // SAFETY: the caller's.
    unsafe {
        if from_step == 0 {
            let value = from.cast::<T>().read();
            for i in 0..count.cast_signed() {
                to.offset(i * to_step).cast::<T>().write(value);
            }
        } else {
            for i in 0..count.cast_signed() {
                to.offset(i * to_step).cast::<T>().write(from.offset(i * from_step).cast::<T>().read());
            }
        }
    }
}
