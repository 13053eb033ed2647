//! `argmax` and `argmin` along an axis: the first best element; a NaN wins.
//!
//! A row is read twice: [`super::accumulate`] finds what is best in each piece, and the first piece with the best
//! of all is searched for it. Columns are compared row by row.

use ag_ir::{DType, Host, ReduceOp};

use super::accumulate::{StepFn, step_function};
use super::effort::{count_work, in_pieces};
use super::elementwise::Number;
use super::layout;
use super::{Kernel, KernelResult, Stopped, scratch};
use crate::isa::Isa;

/// How many elements of a row are compared before one is looked for among them.
const PIECE: usize = 1 << 10;
/// How many elements are compared with the best one at a time.
const BLOCK: usize = 64;

/// How many blocks are reduced before their work is counted.
const BLOCKS: usize = 1 << 10;

/// Operands: the array `[outer, reduced, inner]`, the result `i64[outer, inner]`.
#[derive(Debug)]
pub(crate) struct ArgReduce {
    best: StepFn,
    is_maximum: bool,
    dtype: DType,
    outer: usize,
    reduced: usize,
    inner: usize,
}

impl ArgReduce {
    /// The kernel for an array of these sizes.
    pub(crate) fn new(op: ReduceOp, dtype: DType, sizes: &[usize], axis: usize, isa: Isa) -> Self {
        Self {
            best: step_function(op, dtype, isa),
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
        result.fill(0);
        let blocks = operand.chunks((self.reduced * self.inner).max(1));
        if self.inner != 1 {
            let mut best = scratch(T::ZERO, self.inner)?;
            for (number, (block, places)) in blocks.zip(result.chunks_mut(self.inner.max(1))).enumerate() {
                self.places_in_columns(block, &mut best, places, host)?;
                self.count_block(number, host)?;
            }
            return Ok(());
        }
        for (number, (row, result)) in blocks.zip(result).enumerate() {
            *result = self.place_in_row(row, host)?;
            self.count_block(number, host)?;
        }
        Ok(())
    }

    /// Counts the work of many blocks: one may be too little to count.
    fn count_block(&self, number: usize, host: &mut dyn Host) -> KernelResult {
        if number % BLOCKS != BLOCKS - 1 {
            return Ok(());
        }
        count_work(BLOCKS * (self.reduced * self.inner).clamp(4, PIECE), host)
    }

    /// The places of the best elements of the columns of a dense block.
    fn places_in_columns<T: Number>(
        &self,
        block: &[T],
        best: &mut [T],
        places: &mut [i64],
        host: &mut dyn Host,
    ) -> KernelResult {
        best.copy_from_slice(&block[..self.inner]);
        in_pieces(self.reduced, self.inner, host, |piece| {
            for index in piece {
                let row = &block[index * self.inner..(index + 1) * self.inner];
                for ((value, best), place) in row.iter().zip(&mut *best).zip(&mut *places) {
                    let is_better = self.is_better(*value, *best);
                    *best = if is_better { *value } else { *best };
                    *place = if is_better { index.cast_signed() as i64 } else { *place };
                }
            }
            Ok(())
        })
    }

    /// Whether an element takes the place of the best one before it.
    #[inline(always)]
    fn is_better<T: Number>(&self, value: T, best: T) -> bool {
        let is_beyond = if self.is_maximum { value > best } else { value < best };
        is_beyond || (value.is_nan() && !best.is_nan())
    }

    /// The place of the best element of a dense row.
    fn place_in_row<T: Number>(&self, row: &[T], host: &mut dyn Host) -> Result<i64, Box<Stopped>> {
        let Some(mut best) = row.first().copied() else { return Ok(0) };
        let mut first = 0;
        for (number, piece) in row.chunks(PIECE).enumerate() {
            let mut found = T::ZERO;
            // SAFETY: both are dense and aligned: a row and a number of the element type.
            unsafe { (self.best)((&raw mut found).cast(), piece.as_ptr().cast(), 1, piece.len(), 1) };
            if self.is_better(found, best) {
                (best, first) = (found, number * PIECE);
            }
            if piece.len() == PIECE {
                count_work(PIECE, host)?;
            }
        }
        let is_best = |value: &T| *value == best || (best.is_nan() && value.is_nan());
        // Whole blocks first, which compare without branches.
        let blocks = row[first..].chunks(BLOCK);
        let skipped = blocks.take_while(|block| !block.iter().fold(false, |is_in, one| is_in | is_best(one)));
        let start = first + BLOCK * skipped.count();
        let place = row[start..].iter().position(is_best).unwrap_or(0);
        Ok((start + place).cast_signed() as i64)
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
