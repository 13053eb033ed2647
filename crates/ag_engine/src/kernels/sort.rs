//! Sorts a line directly, instead of gathering it at its `argsort`.
//!
//! ```text
//! %1: i64[9] = argsort %0 axis=0     used once, here
//! %2: f64[9] = gather %0, %1 axis=0  the keys of %0 are sorted, and made elements again
//! ```
//!
//! Different elements that share a key (zeros of both signs, all NaN) are read from the line again, in the
//! order in which they stand there.

use ag_ir::{DType, Host};

use super::effort::in_pieces;
use super::radix::{self, Entry, Keyed};
use super::{Kernel, KernelResult};

/// Operands: the line, the result.
#[derive(Debug)]
pub(crate) struct Sort {
    /// Element type.
    pub(crate) dtype: DType,
    /// The number of elements.
    pub(crate) size: usize,
}

impl Sort {
    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as<T: Keyed>(
        &self,
        operand: *const u8,
        result: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        if self.size == 0 {
            return Ok(());
        }
        // SAFETY: sizes are those of the operands (K2), and the result is apart (K4).
        let (line, result) = unsafe {
            (
                std::slice::from_raw_parts(operand.cast::<T>(), self.size),
                std::slice::from_raw_parts_mut(result.cast::<T>(), self.size),
            )
        };
        let (mut entries, mut other) = (radix::room::<T, ()>(self.size)?, radix::room::<T, ()>(self.size)?);
        in_pieces(self.size, 1, host, |piece| {
            other.resize(piece.end, Entry::default());
            entries.extend(line[piece].iter().map(|one| Entry { key: one.key(), place: () }));
            Ok(())
        })?;
        radix::sort(&mut entries, &mut other, host)?;
        in_pieces(self.size, 1, host, |piece| {
            for (to, entry) in result[piece.clone()].iter_mut().zip(&entries[piece]) {
                *to = T::element(entry.key);
            }
            Ok(())
        })?;
        for key in T::SHARED {
            let first = entries.partition_point(|entry| entry.key < *key);
            let end = entries.partition_point(|entry| entry.key <= *key);
            if first < end {
                let mut same = line.iter().filter(|one| one.key() == *key);
                result[first..end].iter_mut().zip(&mut same).for_each(|(to, one)| *to = *one);
            }
        }
        Ok(())
    }
}

impl Kernel for Sort {
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
