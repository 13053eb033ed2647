//! Random numbers, drawn by the algorithms of `ag_ir`.

use ag_ir::{DType, Draw, Host, fill_random, fill_random_integers};

use super::effort::in_pieces;
use super::{Kernel, KernelResult};

/// Operands: key, counter, then for integers the two bounds of each element, for others the sizes if they are
/// unknown, and the result.
pub(crate) struct Random {
    /// The distribution.
    pub(crate) draw: Draw,
    /// The element type of the numbers.
    pub(crate) dtype: DType,
    /// The number of elements.
    pub(crate) count: usize,
}

impl Kernel for Random {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: key and counter are scalars (K2, K3).
        let (key, counter) = unsafe { (*operands[0].cast::<i64>(), *operands[1].cast::<i64>()) };
        // A number depends only on key, counter and position, so pieces need no state.
        in_pieces(self.count, 32, host, |piece| {
            let (first, count) = (piece.start, piece.len());
            let counter = counter.wrapping_add(first as i64);
            // SAFETY: bounds and result are arrays of so many elements (K2), and the result is apart (K4).
            unsafe {
                match (self.dtype, operands) {
                    (DType::I64, [_, _, low, high, result]) => fill_random_integers(
                        key,
                        counter,
                        std::slice::from_raw_parts(low.cast::<i64>().add(first), count),
                        std::slice::from_raw_parts(high.cast::<i64>().add(first), count),
                        std::slice::from_raw_parts_mut(result.cast::<i64>().add(first), count),
                    ),
                    (DType::F32, [.., result]) => {
                        let values = std::slice::from_raw_parts_mut(result.cast::<f32>().add(first), count);
                        fill_random(self.draw, key, counter, values);
                    }
                    (_, [.., result]) => {
                        let values = std::slice::from_raw_parts_mut(result.cast::<f64>().add(first), count);
                        fill_random(self.draw, key, counter, values);
                    }
                    (_, []) => {}
                }
            }
            Ok(())
        })
    }
}
