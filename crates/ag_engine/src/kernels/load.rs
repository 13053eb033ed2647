//! How a tile program reads operands that are repeated or strided: in place where their elements follow each
//! other for a whole tile, else from a register to which they are copied.

use super::layout;
use super::strided::MAXIMUM_RANK;

/// Runs longer than this are copied by `memcpy`, or filled as memory.
const LEAST_COPY: usize = 64;

/// An operand that is copied to a register for each tile, because it is repeated or strided; a scalar is
/// copied once.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// Number of the operand.
    pub(crate) operand: usize,
    /// The register.
    pub(crate) register: usize,
    /// Size of an element.
    pub(crate) element_size: usize,
    /// Elements from the operand's start to its first element.
    pub(crate) offset: isize,
    /// Strides in elements along the axes of the result, 0 where it is repeated.
    pub(crate) strides: Vec<isize>,
}

/// A load whose axes are merged as far as its strides allow.
#[derive(Debug)]
pub(super) struct WalkedLoad {
    pub(super) operand: usize,
    pub(super) register: usize,
    element_size: usize,
    offset: isize,
    sizes: Vec<usize>,
    strides: Vec<isize>,
}

impl WalkedLoad {
    /// The load of an operand of a result of these sizes.
    pub(super) fn new(load: Load, sizes: &[usize]) -> Self {
        let (sizes, mut strides) = layout::collapse(sizes, &[&load.strides]);
        let Load { operand, register, element_size, offset, .. } = load;
        Self { operand, register, element_size, offset, sizes, strides: strides.swap_remove(0) }
    }

    /// How many elements are evenly apart; none if there is one only.
    pub(super) fn row(&self) -> Option<usize> {
        self.sizes.last().copied()
    }

    /// Where the one element is that is all of `start .. start + count`, if they are one.
    ///
    /// # Safety
    /// That of [`Self::run`].
    #[inline]
    pub(super) unsafe fn element(&self, operand: *mut u8, start: usize, count: usize) -> Option<*mut u8> {
        let last = self.sizes.len() - 1;
        let inner = self.sizes[last];
        if self.strides[last] != 0 || inner - start % inner < count {
            return None;
        }
        let (mut rest, mut position) = (start / inner, self.offset);
        for axis in (0..last).rev() {
            position += (rest % self.sizes[axis]).cast_signed() * self.strides[axis];
            rest /= self.sizes[axis];
        }
        // SAFETY: the caller's.
        Some(unsafe { operand.offset(position * self.element_size.cast_signed()) })
    }

    /// Copies elements `start .. start + count`, counted in C order, to a register, and returns where they
    /// are: there, or in the operand, if they follow each other in it.
    ///
    /// # Safety
    /// The strides stay within `operand`; `register` holds `count` elements.
    #[inline]
    pub(super) unsafe fn run(
        &self,
        operand: *mut u8,
        register: *mut u8,
        start: usize,
        count: usize,
    ) -> *mut u8 {
        let element = self.element_size.cast_signed();
        let rank = self.sizes.len();
        let mut index = [0_usize; MAXIMUM_RANK];
        let mut rest = start;
        let mut position = self.offset;
        for axis in (0..rank).rev() {
            index[axis] = rest % self.sizes[axis];
            rest /= self.sizes[axis];
            position += index[axis].cast_signed() * self.strides[axis];
        }
        let (inner, step) = (self.sizes[rank - 1], self.strides[rank - 1]);
        if step == 1 && inner - index[rank - 1] >= count {
            // SAFETY: the caller's.
            return unsafe { operand.offset(position * element) };
        }
        let mut done = 0;
        while done < count {
            // Whole rows that are evenly apart, or a part of one.
            let first = index[rank - 1];
            let run = (inner - first).min(count - done);
            let rows = if rank > 1 && run == inner {
                (self.sizes[rank - 2] - index[rank - 2]).min((count - done) / inner)
            } else {
                1
            };
            let apart = if rows > 1 { self.strides[rank - 2] } else { 0 };
            // SAFETY: the caller's.
            unsafe {
                let (from, to) = (operand.offset(position * element), register.add(done * self.element_size));
                copy_rows(from, to, [rows, run], [apart, step], self.element_size);
            }
            done += rows * run;
            // To the start of the next row.
            position += (rows.cast_signed() - 1) * apart - first.cast_signed() * step;
            index[rank - 1] = 0;
            if rank > 1 {
                index[rank - 2] += rows - 1;
            }
            let mut offsets = [position];
            layout::advance(&mut index[..rank - 1], &self.sizes[..rank - 1], [&self.strides], &mut offsets);
            position = offsets[0];
        }
        register
    }
}

/// Copies rows that are evenly apart to a dense place.
///
/// # Safety
/// The rows are readable, `to` writable, all aligned.
#[inline]
pub(super) unsafe fn copy_rows(
    from: *const u8,
    to: *mut u8,
    sizes: [usize; 2],
    strides: [isize; 2],
    element_size: usize,
) {
    // SAFETY: the caller's.
    unsafe {
        match element_size {
            1 => typed_rows::<u8>(from.cast(), to.cast(), sizes, strides),
            4 => typed_rows::<u32>(from.cast(), to.cast(), sizes, strides),
            _ => typed_rows::<u64>(from.cast(), to.cast(), sizes, strides),
        }
    }
}

/// # Safety
/// That of [`copy_rows`].
#[inline]
unsafe fn typed_rows<T: Copy>(
    from: *const T,
    to: *mut T,
    [rows, count]: [usize; 2],
    [apart, step]: [isize; 2],
) {
    // SAFETY: the caller's; there are as many elements in a row as the function is for.
    unsafe {
        match count {
            2 => short_rows::<T, 2>(from, to.cast(), rows, [apart, step]),
            3 => short_rows::<T, 3>(from, to.cast(), rows, [apart, step]),
            4 => short_rows::<T, 4>(from, to.cast(), rows, [apart, step]),
            _ => long_rows(from, to, [rows, count], [apart, step]),
        }
    }
}

/// Copies rows of any length.
///
/// # Safety
/// That of [`copy_rows`].
#[inline]
unsafe fn long_rows<T: Copy>(
    from: *const T,
    to: *mut T,
    [rows, count]: [usize; 2],
    [apart, step]: [isize; 2],
) {
    for row in 0..rows {
        // SAFETY: the caller's.
        unsafe {
            let (from, to) = (from.offset(row.cast_signed() * apart), to.add(row * count));
            match step {
                0 if count <= LEAST_COPY => {
                    let value = from.read();
                    short_run(to, count, |_| [value; 8], |_| [value; 4], |_| value);
                }
                1 if count <= LEAST_COPY => short_run(
                    to,
                    count,
                    |start| from.add(start).cast::<[T; 8]>().read(),
                    |start| from.add(start).cast::<[T; 4]>().read(),
                    |place| from.add(place).read(),
                ),
                _ => typed_run(from, to, count, step),
            }
        }
    }
}

/// Copies rows of so few elements that a loop over each would take longer than the copy: points in a plane or
/// in space, colours. The first two cases are a row and a column that are repeated.
///
/// # Safety
/// That of [`copy_rows`], with rows of `COUNT` elements.
#[inline]
unsafe fn short_rows<T: Copy, const COUNT: usize>(
    from: *const T,
    to: *mut [T; COUNT],
    rows: usize,
    [apart, step]: [isize; 2],
) {
    // SAFETY: the caller's.
    unsafe {
        let to = std::slice::from_raw_parts_mut(to, rows);
        match [apart, step] {
            [0, 1] => to.fill(from.cast::<[T; COUNT]>().read()),
            [1, 0] => {
                for (to, value) in to.iter_mut().zip(std::slice::from_raw_parts(from, rows)) {
                    *to = [*value; COUNT];
                }
            }
            _ => {
                for (row, to) in to.iter_mut().enumerate() {
                    let from = from.offset(row.cast_signed() * apart);
                    *to = std::array::from_fn(|column| from.offset(column.cast_signed() * step).read());
                }
            }
        }
    }
}

/// Writes a short run, for which a call of `memcpy` would cost more than the copy: eight elements at a time, or four, the
/// last of them again with some before. The functions give so many elements from some place on.
///
/// # Safety
/// `to` is writable for `count` elements.
#[inline(always)]
unsafe fn short_run<T: Copy>(
    to: *mut T,
    count: usize,
    eight: impl Fn(usize) -> [T; 8],
    four: impl Fn(usize) -> [T; 4],
    one: impl Fn(usize) -> T,
) {
    // SAFETY: the caller's.
    unsafe {
        if count >= 8 {
            for start in (0..count - 7).step_by(8) {
                to.add(start).cast::<[T; 8]>().write(eight(start));
            }
            to.add(count - 8).cast::<[T; 8]>().write(eight(count - 8));
        } else if count >= 4 {
            to.cast::<[T; 4]>().write(four(0));
            to.add(count - 4).cast::<[T; 4]>().write(four(count - 4));
        } else {
            for place in 0..count {
                to.add(place).write(one(place));
            }
        }
    }
}

/// Copies a run of elements `step` elements apart to a dense place.
///
/// # Safety
/// The run is readable, `to` writable, both aligned.
#[inline]
unsafe fn typed_run<T: Copy>(from: *const T, to: *mut T, count: usize, step: isize) {
    // SAFETY: the caller's.
    unsafe {
        match step {
            0 => std::slice::from_raw_parts_mut(to, count).fill(from.read()),
            1 => std::ptr::copy_nonoverlapping(from, to, count),
            _ => {
                for i in 0..count {
                    to.add(i).write(from.offset(i.cast_signed() * step).read());
                }
            }
        }
    }
}
