//! `argsort` along an axis: stable, ascending, NaN after everything else.

use ag_ir::{DType, Host};

use super::effort::{count_work, in_pieces};
use super::layout;
use super::radix::{self, Entry, Keyed};
use super::{Kernel, KernelResult};

/// How many elements of short lines are sorted before their work is counted.
const BETWEEN: usize = 1 << 10;

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
    unsafe fn run_as<T: Keyed>(
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
                std::slice::from_raw_parts_mut(result.cast::<i64>(), count),
            )
        };
        if u32::try_from(self.size).is_ok() {
            self.lines(operand, result, |place| place as u32, i64::from, host)
        } else {
            self.lines(operand, result, |place| place as i64, |place| place, host)
        }
    }

    /// Sorts all lines. `P` is the smallest integer type that holds the positions.
    fn lines<T: Keyed, P: Copy + Default>(
        &self,
        operand: &[T],
        result: &mut [i64],
        narrow: impl Fn(usize) -> P,
        wide: impl Fn(P) -> i64,
        host: &mut dyn Host,
    ) -> KernelResult {
        let (mut entries, mut other) = (radix::room::<T, P>(self.size)?, radix::room::<T, P>(self.size)?);
        in_pieces(self.size, 1, host, |piece| {
            other.resize(piece.end, Entry::default());
            Ok(())
        })?;
        let mut sorted = 0;
        for outer in 0..self.outer {
            for inner in 0..self.inner {
                let at = |position: usize| (outer * self.size + position) * self.inner + inner;
                entries.clear();
                in_pieces(self.size, 1, host, |piece| {
                    let entry = |place: usize| Entry { key: operand[at(place)].key(), place: narrow(place) };
                    entries.extend(piece.map(entry));
                    Ok(())
                })?;
                radix::sort(&mut entries, &mut other, host)?;
                in_pieces(self.size, 1, host, |piece| {
                    for position in piece {
                        result[at(position)] = wide(entries[position].place);
                    }
                    Ok(())
                })?;
                // One short line is too little work to count.
                sorted += self.size;
                if sorted >= BETWEEN {
                    count_work(sorted * 16, host)?;
                    sorted = 0;
                }
            }
        }
        Ok(())
    }
}

impl Kernel for ArgSort {
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
