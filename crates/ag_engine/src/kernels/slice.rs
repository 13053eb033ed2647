//! Slices, updates, transposition, broadcasting and joining, as strided copies.
//!
//! A kernel here is a list of copies between operands; [`Dynamic`] has a start that is known only
//! when it runs.

use ag_ir::{Failure, Host};

use super::strided::StridedCopy;
use super::{Kernel, KernelResult, Stopped};

/// One copy of a [`Copies`] kernel.
#[derive(Debug)]
pub(crate) struct Part {
    /// The operand read, and the byte offset in it.
    pub(crate) from: (usize, isize),
    /// The operand written, and the byte offset in it.
    pub(crate) to: (usize, isize),
    /// The copy.
    pub(crate) copy: StridedCopy,
}

/// Copies, one after the other.
#[derive(Debug)]
pub(crate) struct Copies(pub(crate) Vec<Part>);

impl Kernel for Copies {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        for part in &self.0 {
            let (from, to) = (operands[part.from.0], operands[part.to.0]);
            // SAFETY: offsets and strides stay within the operands (K2, K9), as the constructor was told.
            unsafe { part.copy.run(from.offset(part.from.1), to.offset(part.to.1), host)? };
        }
        Ok(())
    }
}

/// A copy between two operands, one of which is read or written from a start along an axis that only the run
/// knows. For `dynamic_slice` the operands are x, start, result; for `dynamic_update_slice`, in place: x, v,
/// start.
#[derive(Debug)]
pub(crate) struct Dynamic {
    /// The copy.
    pub(crate) copy: StridedCopy,
    /// Whether the start is in the written operand.
    pub(crate) is_update: bool,
    /// Bytes from one index of the axis to the next.
    pub(crate) stride: isize,
    /// The axis.
    pub(crate) axis: usize,
    /// The size of the axis.
    pub(crate) size: usize,
    /// The size of the slice along the axis.
    pub(crate) taken: usize,
}

impl Kernel for Dynamic {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let [first, second, third] = *operands else { return Ok(()) };
        let (from, start, to) = if self.is_update { (second, third, first) } else { (first, second, third) };
        // SAFETY: the start is an i64 (K2, K3).
        let start = unsafe { start.cast::<i64>().read() };
        let is_inside = usize::try_from(start)
            .is_ok_and(|start| start.checked_add(self.taken).is_some_and(|end| end <= self.size));
        if !is_inside {
            return Err(Stopped::new(Failure::Index { index: start, axis: self.axis, size: self.size }));
        }
        let offset = start as isize * self.stride;
        let (from_offset, to_offset) = if self.is_update { (0, offset) } else { (offset, 0) };
        // SAFETY: the start was compared (K9).
        unsafe { self.copy.run(from.offset(from_offset), to.offset(to_offset), host) }
    }
}
