//! `argmax` and `argmin` along an axis: the first best element; a NaN wins.
//!
//! A row is read twice: [`super::accumulate`] finds what is best in each piece, and the first piece with the
//! best of all is searched for it. Columns are compared row by row.

use ag_ir::{DType, Host, ReduceOp};

use super::accumulate::{StepFn, folds_of};
use super::effort::{count_work, in_pieces};
use super::elementwise::Number;
use super::layout;
use super::{Kernel, KernelResult, Stopped, scratch};
use crate::isa::Isa;

/// How many elements of a row are compared before one is looked for among them.
const PIECE: usize = 1 << 10;
/// How many elements are compared with the best one at a time; of those that hold it, how many again.
const BLOCKS_OF: [usize; 2] = [64, 8];

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

/// The place of the first element of a row that equals another; 0 if there is none.
#[inline(always)]
fn place_of<T: Number>(row: &[T], wanted: T) -> usize {
    if wanted.is_nan() {
        return row.iter().position(|value| value.is_nan()).unwrap_or(0);
    }
    let [long, short] = BLOCKS_OF;
    let start = skipped(row, wanted, long);
    let start = start + skipped(&row[start..], wanted, short);
    start + row[start..].iter().position(|value| *value == wanted).unwrap_or(0)
}

/// How many elements come before the first block that holds a number, or that is shorter than the others. A
/// block is compared without branches.
#[inline(always)]
fn skipped<T: Number>(row: &[T], wanted: T, block: usize) -> usize {
    let blocks = row.chunks_exact(block);
    blocks.take_while(|block| !block.iter().fold(false, |is_in, one| is_in | (*one == wanted))).count()
        * block
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
    ($($name:ident<T $(, const $constant:ident: bool)?>($($operand:ident: $type:ty),*) $(-> $result:ty)?, $body:ident;)*) => {$(
        /// The loop for a set of instructions that the processor has.
        #[inline]
        fn $name<T: Number $(, const $constant: bool)?>(isa: Isa, $($operand: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            unsafe fn avx2<T: Number $(, const $constant: bool)?>($($operand: $type),*) $(-> $result)? {
                $body::<T $(, $constant)?>($($operand),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
            unsafe fn avx512<T: Number $(, const $constant: bool)?>($($operand: $type),*) $(-> $result)? {
                $body::<T $(, $constant)?>($($operand),*)
            }
            match isa {
                Isa::Exact | Isa::Base => $body::<T $(, $constant)?>($($operand),*),
                // SAFETY: the processor has the set (K10).
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => unsafe { avx2::<T $(, $constant)?>($($operand),*) },
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
    find<T>(row: &[T], wanted: T) -> usize, place_of;
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
        for (number, (row, result)) in blocks.zip(result).enumerate() {
            *result = self.place_in_row::<T, IS_MAXIMUM>(row, host)?;
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

    /// The place of the best element of a dense row.
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
            if piece.len() == PIECE {
                count_work(PIECE, host)?;
            }
        }
        Ok((first + find(self.isa, &row[first..], best)).cast_signed() as i64)
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
