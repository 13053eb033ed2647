//! Copies between arrays with any strides, as `transpose`, `broadcast`, slices, updates and `concatenate`
//! need.

use ag_ir::Host;

use super::effort::{self, count_work};
use super::turn::Turn;
use super::{KernelResult, layout};

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
    /// The last of the outer axes and the inner one, if it is along the former that elements follow each
    /// other where they are read.
    turn: Option<Turn>,
}

/// Axes shorter than this are not worth a turn.
const LEAST_TURNED: usize = 4;

impl StridedCopy {
    /// The copy of a block of these sizes; strides are in elements.
    pub(crate) fn new(element_size: usize, sizes: &[usize], from: &[isize], to: &[isize]) -> Self {
        let (mut outer, mut strides) = layout::collapse(sizes, &[from, to]);
        let turn = turned(&mut outer, &mut strides);
        let bytes = |stride: &isize| stride * element_size.cast_signed();
        let mut from_outer: Vec<isize> = strides[0].iter().map(bytes).collect();
        let mut to_outer: Vec<isize> = strides[1].iter().map(bytes).collect();
        let unit = element_size.cast_signed();
        let inner = outer.pop().unwrap_or(1);
        let from_inner = from_outer.pop().unwrap_or(unit);
        let to_inner = to_outer.pop().unwrap_or(unit);
        let is_empty = sizes.contains(&0);
        Self { element_size, outer, inner, from_outer, to_outer, from_inner, to_inner, is_empty, turn }
    }

    /// Copies.
    ///
    /// # Safety
    /// The elements that the strides reach from `from` are readable and those from `to` writable;
    /// they do not overlap, and are aligned.
    ///
    /// # Errors
    /// What the host raises when it is asked whether to go on.
    pub(crate) unsafe fn run(&self, from: *const u8, to: *mut u8, host: &mut dyn Host) -> KernelResult {
        if self.is_empty {
            return Ok(());
        }
        let each = self.turn.map_or(self.inner, |turn| turn.rows * turn.columns);
        let mut index = [0_usize; MAXIMUM_RANK];
        let index = &mut index[..self.outer.len()];
        let mut offsets = [0_isize; 2];
        let mut copied = 0;
        loop {
            // SAFETY: offsets stay within the block that the caller vouches for (K9).
            unsafe {
                let (from, to) = (from.offset(offsets[0]), to.offset(offsets[1]));
                if let Some(turn) = &self.turn {
                    self.copy_turned(turn, from, to, host)?;
                } else if self.inner > effort::PIECE {
                    self.copy_long_run(from, to, host)?;
                } else {
                    self.copy_run(from, to, self.inner);
                }
            }
            copied += each;
            if copied > effort::PIECE {
                count_work(copied, host)?;
                copied = 0;
            }
            if !layout::advance(index, &self.outer, [&self.from_outer, &self.to_outer], &mut offsets) {
                return count_work(copied, host);
            }
        }
    }

    /// Copies a matrix, some columns after the others.
    ///
    /// # Safety
    /// That of [`Self::run`], for one matrix.
    unsafe fn copy_turned(
        &self,
        turn: &Turn,
        from: *const u8,
        to: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        effort::in_pieces(turn.columns, turn.rows, host, |piece| {
            let (first, unit) = (piece.start.cast_signed(), self.element_size.cast_signed());
            let part = Turn { columns: piece.len(), ..*turn };
            // SAFETY: the caller's.
            unsafe {
                let (from, to) = (from.offset(first * turn.from * unit), to.offset(first * unit));
                match self.element_size {
                    1 => part.run::<u8>(from, to),
                    4 => part.run::<u32>(from.cast(), to.cast()),
                    _ => part.run::<u64>(from.cast(), to.cast()),
                }
            }
            Ok(())
        })
    }

    /// # Safety
    /// As for [`Self::copy_run`].
    unsafe fn copy_long_run(&self, from: *const u8, to: *mut u8, host: &mut dyn Host) -> KernelResult {
        effort::in_pieces(self.inner, 1, host, |piece| {
            let start = piece.start.cast_signed();
            // SAFETY: the caller's.
            unsafe {
                let (from, to) = (from.offset(start * self.from_inner), to.offset(start * self.to_inner));
                self.copy_run(from, to, piece.len());
            }
            Ok(())
        })
    }

    /// # Safety
    /// That of [`Self::run`], for so many elements along the inner axis.
    #[inline]
    unsafe fn copy_run(&self, from: *const u8, to: *mut u8, count: usize) {
        let unit = self.element_size.cast_signed();
        // SAFETY: the caller's.
        unsafe {
            if self.from_inner == unit && self.to_inner == unit {
                std::ptr::copy_nonoverlapping(from, to, count * self.element_size);
                return;
            }
            match self.element_size {
                1 => run_of::<u8>(from, to, count, self.from_inner, self.to_inner),
                4 => run_of::<u32>(from, to, count, self.from_inner, self.to_inner),
                _ => run_of::<u64>(from, to, count, self.from_inner, self.to_inner),
            }
        }
    }
}

/// Takes the axes of a turn out of the sizes and strides of a copy, if it is one.
fn turned(sizes: &mut Vec<usize>, strides: &mut [Vec<isize>]) -> Option<Turn> {
    let [from, to] = strides else { return None };
    let last = sizes.len().checked_sub(1)?;
    let axis = from[..last].iter().rposition(|stride| *stride == 1)?;
    let is_worth = to[last] == 1 && from[last] != 1 && from[last] != 0;
    if !is_worth || sizes[axis] < LEAST_TURNED || sizes[last] < LEAST_TURNED {
        return None;
    }
    let turn = Turn { rows: sizes[axis], columns: sizes[last], from: from[last], to: to[axis] };
    for axis in [last, axis] {
        sizes.remove(axis);
        from.remove(axis);
        to.remove(axis);
    }
    // What is left is an inner axis of one turn.
    sizes.push(1);
    from.push(1);
    to.push(1);
    Some(turn)
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
