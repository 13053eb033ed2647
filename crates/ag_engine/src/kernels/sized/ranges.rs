//! `x[start:stop:step]` along the first axis, with bounds of the run.
//!
//! The bounds of a slice in a loop are others in each iteration. A kernel that is made for them would be made
//! each time, which takes longer than to copy a few elements: this one reads them.

use ag_ir::{Host, Op, sizes_of_result};

use super::fit::Place;
use crate::kernels::effort::in_pieces;
use crate::kernels::layout::{count, dense_strides};
use crate::kernels::strided::StridedCopy;
use crate::kernels::{Kernel, KernelResult, Stopped};

/// Copies rows. Operands: the array, start, stop, step, the result.
pub(crate) struct RowsInRange {
    pub(crate) array: Place,
    pub(crate) result: Place,
}

impl Kernel for RowsInRange {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let [array, start, stop, step, result] = *operands else { return Ok(()) };
        // SAFETY: the array is as the place says (K2, K5), the bounds are numbers (K3).
        let ((from, sizes), [start, stop, step]) = unsafe {
            (self.array.read(array), [start, stop, step].map(|number| number.cast::<i64>().read()))
        };
        let bound = |operand: usize| [0, start, stop, step][operand];
        let shape = sizes_of_result(&Op::SliceRange { axis: 0 }, &[sizes, &[], &[], &[]], &bound)
            .map_err(Stopped::new)?;
        // SAFETY: nobody else has the cell of the result (K4, K8).
        let to = unsafe { self.result.make(result, &shape) }.map_err(Stopped::new)?;
        let element = self.array.dtype.size();
        let row = element * count(&sizes[1..]);
        if count(&shape) == 0 {
            return Ok(());
        }
        // SAFETY: the rule says that the start is in range, and so are as many rows from there by `step` (K9).
        let first = unsafe { from.add(start as usize * row) };
        if step == 1 {
            return in_pieces(shape[0], row, host, |piece| {
                // SAFETY: as above; the result has room for as many rows, and is apart.
                unsafe {
                    let (from, to) = (first.add(piece.start * row), to.add(piece.start * row));
                    to.copy_from_nonoverlapping(from, piece.len() * row);
                }
                Ok(())
            });
        }
        let mut strides = dense_strides(sizes);
        strides[0] = strides[0].wrapping_mul(step as isize);
        let copy = StridedCopy::new(element, &shape, &strides, &dense_strides(&shape));
        // SAFETY: as above.
        unsafe { copy.run(first, to, host) }
    }
}
