//! `argmax` and `argmin` along an axis: the first best element; a NaN wins.

use ag_ir::{DType, Host, ReduceOp};

use super::effort::{count_work, in_pieces};
use super::elementwise::Number;
use super::layout;
use super::{Kernel, KernelResult};

/// How many rows are reduced before their work is counted.
const ROWS: usize = 1 << 10;

/// Operands: the array `[outer, reduced, inner]`, the result `i64[outer, inner]`.
#[derive(Debug)]
pub(crate) struct ArgReduce {
    is_maximum: bool,
    dtype: DType,
    outer: usize,
    reduced: usize,
    inner: usize,
}

impl ArgReduce {
    /// The kernel for an array of these sizes.
    pub(crate) fn new(op: ReduceOp, dtype: DType, sizes: &[usize], axis: usize) -> Self {
        Self {
            is_maximum: op == ReduceOp::Max,
            dtype,
            outer: layout::count(&sizes[..axis]),
            reduced: sizes[axis],
            inner: layout::count(&sizes[axis + 1..]),
        }
    }

    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as<T: Number>(
        &self,
        operand: *const u8,
        result: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        // SAFETY: sizes are those of the operands (K2), and the result is apart (K4).
        let (operand, result) = unsafe {
            (
                std::slice::from_raw_parts(operand.cast::<T>(), self.outer * self.reduced * self.inner),
                std::slice::from_raw_parts_mut(result.cast::<i64>(), self.outer * self.inner),
            )
        };
        for (position, result) in result.iter_mut().enumerate() {
            let (outer, inner) = (position / self.inner, position % self.inner);
            let start = outer * self.reduced * self.inner + inner;
            let mut best = T::ZERO;
            *result = 0;
            in_pieces(self.reduced, 1, host, |piece| {
                for index in piece {
                    let value = operand[start + index * self.inner];
                    let is_better = if self.is_maximum { value > best } else { value < best };
                    if index == 0 || is_better || (value.is_nan() && !best.is_nan()) {
                        best = value;
                        *result = index.cast_signed() as i64;
                    }
                    if best.is_nan() {
                        break;
                    }
                }
                Ok(())
            })?;
            // One short row is too little work to count.
            if position % ROWS == ROWS - 1 {
                count_work(ROWS * self.reduced.max(4), host)?;
            }
        }
        Ok(())
    }
}

impl Kernel for ArgReduce {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (operand, result) = (operands[0], operands[1]);
        // SAFETY: the caller's (K1 to K8).
        unsafe {
            match self.dtype {
                DType::F64 => self.run_as::<f64>(operand, result, host),
                DType::F32 => self.run_as::<f32>(operand, result, host),
                DType::I64 => self.run_as::<i64>(operand, result, host),
                DType::I32 => self.run_as::<i32>(operand, result, host),
                DType::U8 | DType::Bool => self.run_as::<u8>(operand, result, host),
            }
        }
    }
}
