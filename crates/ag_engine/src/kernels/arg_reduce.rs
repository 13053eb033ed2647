//! `argmax` and `argmin` along an axis: the first best element; a NaN wins.
//!
//! A row is read twice: [`super::accumulate`] finds what is best in each piece, and the first piece with the
//! best of all is searched for it; so are several short rows together. Columns are compared row by row.

use ag_ir::{DType, Host, ReduceOp};

use super::accumulate::{StepFn, folds_of};
use super::effort::{count_work, in_pieces};
use super::elementwise::Number;
use super::layout;
use super::{Kernel, KernelResult, Stopped, scratch};
use crate::isa::Isa;

/// How many elements of a row are compared before one is looked for among them.
const PIECE: usize = 1 << 10;
/// How many elements are compared with the best one at a time.
const LONG: usize = 64;
/// Of those that hold it, how many again.
const SHORT: usize = 8;

/// The most rows that are reduced before they are searched, and the most elements of them: the first cache holds
/// these.
const ROWS: usize = 64;
const ELEMENTS: usize = 2 * PIECE;

/// How many blocks are reduced before their work is counted.
const BLOCKS: usize = 1 << 10;

/// Operands: the array `[outer, reduced, inner]`, the result `i64[outer, inner]`.
#[derive(Debug)]
pub(crate) struct ArgReduce {
    best: StepFn,
    is_maximum: bool,
    isa: Isa,
    dtype: DType,
    outer: usize,
    reduced: usize,
    inner: usize,
}

/// Whether an element takes the place of the best one before it.
#[inline(always)]
fn is_better<T: Number, const IS_MAXIMUM: bool>(value: T, best: T) -> bool {
    let is_beyond = if IS_MAXIMUM { value <= best } else { value >= best };
    !is_beyond & !best.is_nan()
}

/// The place of the first element of a row that equals the best of them; 0 if there is none.
#[inline(always)]
fn place_of<T: Number, const IS_MAXIMUM: bool>(row: &[T], best: T) -> usize {
    if best.is_nan() {
        return row.iter().position(|value| value.is_nan()).unwrap_or(0);
    }
    // Loops: the closures of adapters need not be parts of this function, and would have plain instructions.
    let mut start = 0;
    for block in row.as_chunks().0 {
        if has_best::<T, IS_MAXIMUM>(block, best) {
            break;
        }
        start += LONG;
    }
    for block in row[start..].as_chunks().0 {
        if has(block, best) {
            break;
        }
        start += SHORT;
    }
    start + row[start..].iter().position(|value| *value == best).unwrap_or(0)
}

/// The places of the best elements of rows of a length.
#[inline(always)]
fn places_of<T: Number, const IS_MAXIMUM: bool>(rows: &[T], length: usize, best: &[T], places: &mut [i64]) {
    for ((row, best), place) in rows.chunks_exact(length).zip(best).zip(places) {
        *place = place_of::<T, IS_MAXIMUM>(row, *best).cast_signed() as i64;
    }
}

/// Whether a block holds a number. It is compared without branches.
#[inline(always)]
fn has<T: Number>(block: &[T; SHORT], number: T) -> bool {
    block.iter().fold(false, |is_in, one| is_in | (*one == number))
}

/// Whether a long block holds the best number of its row: whether one of the best of its lanes is it. Choosing the
/// better takes one instruction, and a comparison two.
#[inline(always)]
fn has_best<T: Number, const IS_MAXIMUM: bool>(block: &[T; LONG], best: T) -> bool {
    let mut lanes = [if IS_MAXIMUM { T::LOWEST } else { T::HIGHEST }; SHORT];
    for values in block.as_chunks::<SHORT>().0 {
        for (lane, value) in lanes.iter_mut().zip(values) {
            let is_better = if IS_MAXIMUM { *value > *lane } else { *value < *lane };
            *lane = if is_better { *value } else { *lane };
        }
    }
    has(&lanes, best)
}

/// Compares a row with the best elements of the rows before it.
#[inline(always)]
fn compare_row<T: Number, const IS_MAXIMUM: bool>(row: &[T], best: &mut [T], places: &mut [i64], index: i64) {
    for ((value, best), place) in row.iter().zip(best).zip(places) {
        let is_better = is_better::<T, IS_MAXIMUM>(*value, *best);
        *best = if is_better { *value } else { *best };
        *place = if is_better { index } else { *place };
    }
}

macro_rules! versions {
    ($($name:ident<T $(, const $constant:ident: bool)?>($($operand:ident: $type:ty),*), $body:ident;)*) => {$(
        /// The loop for a set of instructions that the processor has.
        #[inline]
        fn $name<T: Number $(, const $constant: bool)?>(isa: Isa, $($operand: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            unsafe fn avx2<T: Number $(, const $constant: bool)?>($($operand: $type),*) {
                $body::<T $(, $constant)?>($($operand),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
            unsafe fn avx512<T: Number $(, const $constant: bool)?>($($operand: $type),*) {
                $body::<T $(, $constant)?>($($operand),*)
            }
            match isa {
                Isa::Exact | Isa::Base => $body::<T $(, $constant)?>($($operand),*),
                // SAFETY: the processor has the set (K10).
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => unsafe { avx2::<T $(, $constant)?>($($operand),*) },
                // Each version is code: integers are as fast as memory without the widest.
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 if !T::IS_FLOAT => unsafe { avx2::<T $(, $constant)?>($($operand),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => unsafe { avx512::<T $(, $constant)?>($($operand),*) },
                #[cfg(not(target_arch = "x86_64"))]
                _ => $body::<T $(, $constant)?>($($operand),*),
            }
        }
    )*};
}

versions! {
    find<T, const IS_MAXIMUM: bool>(rows: &[T], length: usize, best: &[T], places: &mut [i64]), places_of;
    compare<T, const IS_MAXIMUM: bool>(row: &[T], best: &mut [T], places: &mut [i64], index: i64), compare_row;
}

impl ArgReduce {
    /// The kernel for an array of these sizes.
    pub(crate) fn new(op: ReduceOp, dtype: DType, sizes: &[usize], axis: usize, isa: Isa) -> Self {
        Self {
            best: folds_of(op, dtype, isa).step,
            is_maximum: op == ReduceOp::Max,
            isa,
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
        if self.is_maximum {
            self.run_on::<T, true>(operand, result, host)
        } else {
            self.run_on::<T, false>(operand, result, host)
        }
    }

    fn run_on<T: Number, const IS_MAXIMUM: bool>(
        &self,
        operand: &[T],
        result: &mut [i64],
        host: &mut dyn Host,
    ) -> KernelResult {
        let blocks = operand.chunks((self.reduced * self.inner).max(1));
        if self.inner != 1 {
            let mut best = scratch(T::ZERO, self.inner)?;
            for (number, (block, places)) in blocks.zip(result.chunks_mut(self.inner.max(1))).enumerate() {
                self.places_in_columns::<T, IS_MAXIMUM>(block, &mut best, places, host)?;
                self.count_block(number, host)?;
            }
            return Ok(());
        }
        if self.reduced <= PIECE {
            return self.places_in_rows::<T, IS_MAXIMUM>(operand, result, host);
        }
        for (row, result) in blocks.zip(result) {
            *result = self.place_in_row::<T, IS_MAXIMUM>(row, host)?;
        }
        Ok(())
    }

    /// The places of the best elements of dense rows that are no longer than a piece.
    fn places_in_rows<T: Number, const IS_MAXIMUM: bool>(
        &self,
        operand: &[T],
        result: &mut [i64],
        host: &mut dyn Host,
    ) -> KernelResult {
        let mut best = [T::ZERO; ROWS];
        let together = (ELEMENTS / self.reduced.max(1)).clamp(1, ROWS);
        let groups = operand.chunks((together * self.reduced).max(1)).zip(result.chunks_mut(together));
        for (rows, places) in groups {
            let (found, values) = (best.as_mut_ptr().cast(), rows.as_ptr().cast());
            // SAFETY: both are dense and aligned: so many rows, and room for a number of each.
            unsafe { (self.best)(found, values, values, places.len(), self.reduced, 1) };
            find::<T, IS_MAXIMUM>(self.isa, rows, self.reduced, &best, places);
            count_work(rows.len().max(4 * places.len()), host)?;
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
    fn places_in_columns<T: Number, const IS_MAXIMUM: bool>(
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
                compare::<T, IS_MAXIMUM>(self.isa, row, best, places, index.cast_signed() as i64);
            }
            Ok(())
        })
    }

    /// The place of the best element of a dense row of several pieces.
    fn place_in_row<T: Number, const IS_MAXIMUM: bool>(
        &self,
        row: &[T],
        host: &mut dyn Host,
    ) -> Result<i64, Box<Stopped>> {
        let Some(mut best) = row.first().copied() else { return Ok(0) };
        let mut first = 0;
        for (number, piece) in row.chunks(PIECE).enumerate() {
            let (mut found, values) = (T::ZERO, piece.as_ptr().cast());
            // SAFETY: both are dense and aligned: a row and a number of the element type.
            unsafe { (self.best)((&raw mut found).cast(), values, values, 1, piece.len(), 1) };
            if is_better::<T, IS_MAXIMUM>(found, best) {
                (best, first) = (found, number * PIECE);
            }
            count_work(piece.len(), host)?;
        }
        let mut place = [0];
        let rest = &row[first..];
        find::<T, IS_MAXIMUM>(self.isa, rest, rest.len(), &[best], &mut place);
        Ok(first.cast_signed() as i64 + place[0])
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
