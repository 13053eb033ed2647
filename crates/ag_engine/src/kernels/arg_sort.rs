//! `argsort` along an axis: stable, ascending, NaN after everything else.

use std::cmp::Ordering;

use ag_ir::{DType, Host};

use super::layout;
use super::{Kernel, KernelResult};

/// Operands: the array, the positions (`i64`, of the same shape).
#[derive(Debug)]
pub(crate) struct ArgSort {
    dtype: DType,
    outer: usize,
    size: usize,
    inner: usize,
}

impl ArgSort {
    /// The kernel for an array of these sizes.
    pub(crate) fn new(dtype: DType, sizes: &[usize], axis: usize) -> Self {
        Self {
            dtype,
            outer: layout::count(&sizes[..axis]),
            size: sizes[axis],
            inner: layout::count(&sizes[axis + 1..]),
        }
    }

    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as<T: Copy>(&self, operand: *const u8, result: *mut u8, order: fn(&T, &T) -> Ordering) {
        let count = self.outer * self.size * self.inner;
        // SAFETY: sizes are those of the operands.
        let (operand, result) = unsafe {
            (
                std::slice::from_raw_parts(operand.cast::<T>(), count),
                std::slice::from_raw_parts_mut(result.cast::<i64>(), count),
            )
        };
        let mut line: Vec<(T, i64)> = Vec::with_capacity(self.size);
        for outer in 0..self.outer {
            for inner in 0..self.inner {
                let at = |position: usize| (outer * self.size + position) * self.inner + inner;
                line.clear();
                line.extend((0..self.size).map(|position| (operand[at(position)], position as i64)));
                line.sort_by(|one, other| order(&one.0, &other.0));
                for (position, (_, from)) in line.iter().enumerate() {
                    result[at(position)] = *from;
                }
            }
        }
    }
}

/// Ascending, NaN last; `-0.0` and `0.0` are equal.
fn order_f64(one: &f64, other: &f64) -> Ordering {
    one.partial_cmp(other).unwrap_or_else(|| one.is_nan().cmp(&other.is_nan()))
}

fn order_f32(one: &f32, other: &f32) -> Ordering {
    one.partial_cmp(other).unwrap_or_else(|| one.is_nan().cmp(&other.is_nan()))
}

impl Kernel for ArgSort {
    unsafe fn run(&self, operands: &[*mut u8], _: &mut dyn Host) -> KernelResult {
        let (operand, result) = (operands[0], operands[1]);
        // SAFETY: the caller's promise.
        unsafe {
            match self.dtype {
                DType::F64 => self.run_as::<f64>(operand, result, order_f64),
                DType::F32 => self.run_as::<f32>(operand, result, order_f32),
                DType::I64 => self.run_as::<i64>(operand, result, i64::cmp),
                DType::I32 => self.run_as::<i32>(operand, result, i32::cmp),
                DType::U8 | DType::Bool => self.run_as::<u8>(operand, result, u8::cmp),
            }
        }
        Ok(())
    }
}
