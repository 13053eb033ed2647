//! Dense copies of arrays with any strides, such as arguments need. NumPy's go element by element through memory where
//! axes are turned; these go block by block.

use ag_ir::{Array, Host, HostError};

use crate::kernels::layout::dense_strides;
use crate::kernels::strided::StridedCopy;

/// A copy is not interrupted, as NumPy's are not.
struct Uninterrupted;

impl Host for Uninterrupted {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        Ok(())
    }

    fn poll(&mut self) -> Result<(), HostError> {
        Ok(())
    }
}

/// Copies an array in C order. Strides are in elements, which have 1, 4 or 8 bytes.
///
/// # Safety
/// The elements that the strides reach from `from` are readable and aligned. `to` has as many, is aligned to them, and is
/// apart.
pub unsafe fn copy_dense(element: usize, sizes: &[usize], strides: &[isize], from: *const u8, to: &mut [u8]) {
    debug_assert_eq!(to.len(), sizes.iter().product::<usize>() * element);
    let copy = StridedCopy::new(element, sizes, strides, &dense_strides(sizes));
    // SAFETY: the caller's. The host never stops it.
    let _ = unsafe { copy.run(from, to.as_mut_ptr(), &mut Uninterrupted) };
}
