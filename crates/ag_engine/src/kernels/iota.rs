//! `0, 1, 2, …` of an element type. Wraps in `u8`, as NumPy's conversion does.

use ag_ir::{DType, Host};

use super::effort::in_pieces;
use super::{Kernel, KernelResult};

/// Operands: maybe the size, the result.
#[derive(Debug)]
pub(crate) struct Iota {
    /// Element type.
    pub(crate) dtype: DType,
    /// The number of elements.
    pub(crate) size: usize,
}

/// # Safety
/// `result` is writable for `count` aligned elements.
unsafe fn fill<T>(
    result: *mut u8,
    count: usize,
    host: &mut dyn Host,
    number: impl Fn(usize) -> T,
) -> KernelResult {
    in_pieces(count, 1, host, |piece| {
        for index in piece {
            // SAFETY: the caller's.
            unsafe { result.cast::<T>().add(index).write(number(index)) };
        }
        Ok(())
    })
}

impl Kernel for Iota {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let result = operands[operands.len() - 1];
        // SAFETY: the caller's (K1 to K8).
        unsafe {
            match self.dtype {
                DType::F64 => fill(result, self.size, host, |i| i as f64),
                DType::F32 => fill(result, self.size, host, |i| i as f32),
                DType::I64 => fill(result, self.size, host, |i| i as i64),
                DType::I32 => fill(result, self.size, host, |i| i as i32),
                DType::U8 => fill(result, self.size, host, |i| i as u8),
                DType::Bool => fill(result, self.size, host, |i| u8::from(i != 0)),
            }
        }
    }
}
