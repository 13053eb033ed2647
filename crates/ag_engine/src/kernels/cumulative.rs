//! `cumsum` and `cumprod` along an axis.

use ag_ir::{DType, Host, ReduceOp};

use super::effort::{count_work, in_pieces};
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
    unsafe fn run_as<T: Number>(
        &self,
        operand: *const u8,
        result: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        let count = self.outer * self.size * self.inner;
        // SAFETY: sizes are those of the operands (K2), and the result is apart (K4).
        let (operand, result) = unsafe {
            (
                std::slice::from_raw_parts(operand.cast::<T>(), count),
                std::slice::from_raw_parts_mut(result.cast::<T>(), count),
            )
        };
        if count == 0 {
            return Ok(());
        }
        let block = self.size * self.inner;
        for (from, to) in operand.chunks_exact(block).zip(result.chunks_exact_mut(block)) {
            if self.is_sum {
                accumulate(from, to, self.inner, T::add, host)?;
            } else {
                accumulate(from, to, self.inner, T::mul, host)?;
            }
        }
        Ok(())
    }
}

/// Accumulates along the first axis of `[size, inner]`.
#[inline(always)]
fn accumulate<T: Number>(
    from: &[T],
    to: &mut [T],
    inner: usize,
    join: impl Fn(T, T) -> T,
    host: &mut dyn Host,
) -> KernelResult {
    if inner == 1 {
        let mut total = from[0];
        to[0] = total;
        return in_pieces(from.len() - 1, 1, host, |piece| {
            let (from, to) = (&from[1..][piece.clone()], &mut to[1..][piece]);
            for (value, to) in from.iter().zip(to) {
                total = join(total, *value);
                *to = total;
            }
            Ok(())
        });
    }
    to[..inner].copy_from_slice(&from[..inner]);
    for first in (inner..from.len()).step_by(inner) {
        let (before, after) = to.split_at_mut(first);
        let rows = before[first - inner..].iter().zip(&from[first..first + inner]);
        for (to, (total, value)) in after.iter_mut().zip(rows) {
            *to = join(*total, *value);
        }
        count_work(inner, host)?;
    }
    Ok(())
}

impl Kernel for Cumulative {
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
