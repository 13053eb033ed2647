//! Sorts lines: the elements, without the order that sorts them.
//!
//! - NaN go last, as they stand in the line. Zeros of both signs are equal: they are sorted with the others, and
//!   then read from the line again, in the order in which they stand there.
//! - Elements of eight bits are counted instead.

use ag_ir::{DType, Host};

use super::effort::in_pieces;
use super::lines::Lines;
use super::quick::{self, Ordered};
use super::{Kernel, KernelResult};
use crate::isa::Isa;

/// Operands: the array, the result of the same shape, scratch for the elements that are parted.
#[derive(Debug)]
pub(crate) struct Sort {
    dtype: DType,
    lines: Lines,
    isa: Isa,
}

/// An element of a line, which may be NaN.
pub(super) trait Sorted: Ordered {
    /// Any element.
    const ZERO: Self;
    /// Whether elements that differ may be equal.
    const HAS_TWO_ZEROS: bool;
    /// Whether it is NaN, which goes last.
    fn goes_last(self) -> bool;
}

macro_rules! sorted {
    ($($element:ty: $zero:literal, $is_float:literal, $goes_last:expr;)*) => {$(
        impl Sorted for $element {
            const ZERO: Self = $zero;
            const HAS_TWO_ZEROS: bool = $is_float;
            #[inline(always)]
            fn goes_last(self) -> bool {
                let goes_last: fn(Self) -> bool = $goes_last;
                goes_last(self)
            }
        }
    )*};
}

sorted! {
    f64: 0.0, true, |one| one.is_nan();
    f32: 0.0, true, |one| one.is_nan();
    i64: 0, false, |_| false;
    i32: 0, false, |_| false;
}

/// Copies a line, with NaN after everything else. Returns how many others there are.
pub(super) fn numbers_first<T: Sorted>(line: &[T], to: &mut [T], isa: Isa) -> usize {
    if !T::HAS_TWO_ZEROS || !quick::has_nan(line, isa) {
        to.copy_from_slice(line);
        return line.len();
    }
    let mut numbers = 0;
    for one in line.iter().filter(|one| !one.goes_last()) {
        to[numbers] = *one;
        numbers += 1;
    }
    line.iter().filter(|one| one.goes_last()).zip(&mut to[numbers..]).for_each(|(one, to)| *to = *one);
    numbers
}

/// Sorts a line. `other` is workspace.
fn sort_line<T: Sorted>(
    line: &[T],
    to: &mut [T],
    other: &mut [T],
    isa: Isa,
    host: &mut dyn Host,
) -> KernelResult {
    let numbers = numbers_first(line, to, isa);
    let numbers = &mut to[..numbers];
    quick::sort(numbers, other, isa, host)?;
    if T::HAS_TWO_ZEROS {
        let first = numbers.partition_point(|one| *one < T::ZERO);
        let count = numbers[first..].partition_point(|one| *one <= T::ZERO);
        if count > 0 {
            let zeros = line.iter().filter(|one| **one == T::ZERO);
            numbers[first..first + count].iter_mut().zip(zeros).for_each(|(to, zero)| *to = *zero);
        }
    }
    Ok(())
}

/// Sorts a line by counting.
fn count_line(line: &[u8], to: &mut [u8], host: &mut dyn Host) -> KernelResult {
    let mut counts = [0_usize; 256];
    in_pieces(line.len(), 1, host, |piece| {
        line[piece].iter().for_each(|one| counts[usize::from(*one)] += 1);
        Ok(())
    })?;
    let mut start = 0;
    for (element, count) in (0..=u8::MAX).zip(counts) {
        to[start..start + count].fill(element);
        start += count;
    }
    Ok(())
}

impl Sort {
    /// The kernel for an array of these sizes.
    pub(crate) fn new(dtype: DType, sizes: &[usize], axis: usize, isa: Isa) -> Self {
        Self { dtype, lines: Lines::new(sizes, axis), isa }
    }

    /// The workspace that a run needs: some, so that there is an address.
    pub(crate) fn scratch_bytes(&self) -> usize {
        self.lines.size().max(1) * self.dtype.size()
    }

    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as<T: Sorted>(
        &self,
        operand: *const u8,
        result: *mut u8,
        scratch: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        let count = self.lines.count();
        // SAFETY: sizes are those of the operands (K2), and the result is apart (K4).
        let both = unsafe {
            (
                std::slice::from_raw_parts(operand.cast::<T>(), count),
                std::slice::from_raw_parts_mut(result.cast::<T>(), count),
            )
        };
        // SAFETY: scratch is of the size that was asked for (K2), aligned (K3) and apart (K4); what it holds is
        // written before it is read, and any bits are an element.
        let other = unsafe { std::slice::from_raw_parts_mut(scratch.cast::<T>(), self.lines.size()) };
        self.lines
            .each(both, (T::ZERO, T::ZERO), host, |line, to, host| sort_line(line, to, other, self.isa, host))
    }

    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as_bytes(&self, operand: *const u8, result: *mut u8, host: &mut dyn Host) -> KernelResult {
        let count = self.lines.count();
        // SAFETY: sizes are those of the operands (K2), and the result is apart (K4).
        let both = unsafe {
            (std::slice::from_raw_parts(operand, count), std::slice::from_raw_parts_mut(result, count))
        };
        self.lines.each(both, (0, 0), host, count_line)
    }
}

impl Kernel for Sort {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (operand, result, scratch) = (operands[0], operands[1], operands[2]);
        // SAFETY: the caller's (K1 to K8).
        unsafe {
            match self.dtype {
                DType::F64 => self.run_as::<f64>(operand, result, scratch, host),
                DType::F32 => self.run_as::<f32>(operand, result, scratch, host),
                DType::I64 => self.run_as::<i64>(operand, result, scratch, host),
                DType::I32 => self.run_as::<i32>(operand, result, scratch, host),
                DType::U8 | DType::Bool => self.run_as_bytes(operand, result, host),
            }
        }
    }
}
