//! `cumsum` and `cumprod` along an axis.

use ag_ir::{DType, Host, ReduceOp};

use super::elementwise::Number;
use super::layout;
use super::{Kernel, KernelResult};

/// Operands: the array, the result of the same shape.
#[derive(Debug)]
pub(crate) struct Cumulative {
    is_sum: bool,
    dtype: DType,
    outer: usize,
    size: usize,
    inner: usize,
}

impl Cumulative {
    /// The kernel for an array of these sizes.
    pub(crate) fn new(op: ReduceOp, dtype: DType, sizes: &[usize], axis: usize) -> Self {
        Self {
            is_sum: op == ReduceOp::Sum,
            dtype,
            outer: layout::count(&sizes[..axis]),
            size: sizes[axis],
            inner: layout::count(&sizes[axis + 1..]),
        }
    }

    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as<T: Number>(&self, operand: *const u8, result: *mut u8) {
        let count = self.outer * self.size * self.inner;
        // SAFETY: sizes are those of the operands.
        let (operand, result) = unsafe {
            (
                std::slice::from_raw_parts(operand.cast::<T>(), count),
                std::slice::from_raw_parts_mut(result.cast::<T>(), count),
            )
        };
        for position in 0..count {
            let is_first = (position / self.inner).is_multiple_of(self.size);
            let value = operand[position];
            result[position] = if is_first {
                value
            } else if self.is_sum {
                result[position - self.inner].add(value)
            } else {
                result[position - self.inner].mul(value)
            };
        }
    }
}

impl Kernel for Cumulative {
    unsafe fn run(&self, operands: &[*mut u8], _: &mut dyn Host) -> KernelResult {
        let (operand, result) = (operands[0], operands[1]);
        // SAFETY: the caller's promise.
        unsafe {
            match self.dtype {
                DType::F64 => self.run_as::<f64>(operand, result),
                DType::F32 => self.run_as::<f32>(operand, result),
                DType::I64 => self.run_as::<i64>(operand, result),
                DType::I32 => self.run_as::<i32>(operand, result),
                DType::U8 | DType::Bool => self.run_as::<u8>(operand, result),
            }
        }
        Ok(())
    }
}
