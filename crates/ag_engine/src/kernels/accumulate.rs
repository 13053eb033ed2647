//! The loops of reductions, compiled for each set of vector instructions.
//!
//! A reduction step sees its operand as `[outer, reduced, inner]`. With `inner == 1` it reduces rows: in many
//! vector lanes that are combined at the end, and long rows pairwise, so that float sums keep their
//! precision. Otherwise it adds whole rows to each other, in blocks.

use ag_ir::{DType, ReduceOp};

use super::elementwise::Number;
use crate::isa::Isa;

/// One reduction step. Arguments: result `[outer, inner]`, operand `[outer, reduced, inner]`, the three
/// sizes.
///
/// # Safety
/// Both are dense and aligned, of these sizes, and do not overlap.
pub(crate) type StepFn = unsafe fn(*mut u8, *const u8, usize, usize, usize);

/// An associative operation with a neutral element.
trait Fold {
    type Element: Number;
    const START: Self::Element;
    fn fold(a: Self::Element, b: Self::Element) -> Self::Element;
}

macro_rules! folds {
    ($($name:ident($start:expr) |$a:ident, $b:ident| $body:expr;)*) => {$(
        struct $name<T>(std::marker::PhantomData<T>);
        impl<T: Number> Fold for $name<T> {
            type Element = T;
            const START: T = $start;
            #[inline(always)]
            fn fold($a: T, $b: T) -> T {
                $body
            }
        }
    )*};
}

folds! {
    Sum(T::ZERO) |a, b| a.add(b);
    Prod(T::ONE) |a, b| a.mul(b);
    Max(T::LOWEST) |a, b| a.maximum(b);
    Min(T::HIGHEST) |a, b| a.minimum(b);
    All(T::ONE) |a, b| a.minimum(b);
}

const LANES: usize = 32;
/// Rows shorter than this are reduced without lanes.
const SHORT: usize = 24;
/// Rows up to this length are reduced in one go, longer ones in halves.
const BLOCK: usize = 1024;

/// Reduces a dense row.
#[inline(always)]
fn row_block<F: Fold>(row: &[F::Element]) -> F::Element {
    if row.len() < SHORT {
        // Combining lanes would take longer than the row.
        return row.iter().fold(F::START, |total, value| F::fold(total, *value));
    }
    let mut lanes = [F::START; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = F::fold(*lane, *value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane = F::fold(*lane, *value);
    }
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] = F::fold(lanes[lane], lanes[lane + width]);
        }
    }
    lanes[0]
}

#[inline(always)]
fn row<F: Fold>(row: &[F::Element]) -> F::Element {
    if row.len() <= BLOCK {
        return row_block::<F>(row);
    }
    // The levels are a binary counter of reduced blocks: level n holds the total of 2^n of them. This is
    // pairwise reduction without recursion, which would keep the compiler from vectorising the loop as a
    // whole.
    let mut levels = [F::START; 64];
    let mut filled = 0_u64;
    for block in row.chunks(BLOCK) {
        let mut value = row_block::<F>(block);
        let mut level = 0;
        while filled & (1 << level) != 0 {
            value = F::fold(levels[level], value);
            filled &= !(1 << level);
            level += 1;
        }
        levels[level] = value;
        filled |= 1 << level;
    }
    let mut total = F::START;
    for (level, value) in levels.iter().enumerate() {
        if filled & (1 << level) != 0 {
            total = F::fold(*value, total);
        }
    }
    total
}

/// Columns reduced together; rows per block, and blocks per group.
const COLUMNS: usize = 128;
const ROWS: usize = 64;

#[inline(always)]
fn fold_lanes<F: Fold>(lanes: &mut [F::Element], values: &[F::Element]) {
    for (lane, value) in lanes.iter_mut().zip(values) {
        *lane = F::fold(*lane, *value);
    }
}

/// Adds up rows that lie `inner` apart: rows to blocks, blocks to groups, groups to the result.
#[inline(always)]
fn columns<F: Fold>(result: &mut [F::Element], operand: &[F::Element], reduced: usize, inner: usize) {
    let width = result.len();
    result.fill(F::START);
    let mut group = [F::START; COLUMNS];
    let mut start = 0;
    while start < reduced {
        let end = reduced.min(start + ROWS);
        let mut block = [F::START; COLUMNS];
        for line in start..end {
            fold_lanes::<F>(&mut block[..width], &operand[line * inner..line * inner + width]);
        }
        fold_lanes::<F>(&mut group[..width], &block[..width]);
        if end == reduced || (end / ROWS).is_multiple_of(ROWS) {
            fold_lanes::<F>(result, &group[..width]);
            group = [F::START; COLUMNS];
        }
        start = end;
    }
}

/// # Safety
/// That of [`StepFn`].
#[inline(always)]
unsafe fn step<F: Fold>(result: *mut u8, operand: *const u8, outer: usize, reduced: usize, inner: usize) {
    // SAFETY: the caller's promise is that of StepFn.
    let (result, operand) = unsafe {
        (
            std::slice::from_raw_parts_mut(result.cast::<F::Element>(), outer * inner),
            std::slice::from_raw_parts(operand.cast::<F::Element>(), outer * reduced * inner),
        )
    };
    if inner == 1 {
        for (index, result) in result.iter_mut().enumerate() {
            *result = row::<F>(&operand[index * reduced..(index + 1) * reduced]);
        }
        return;
    }
    for index in 0..outer {
        let operand = &operand[index * reduced * inner..(index + 1) * reduced * inner];
        let result = &mut result[index * inner..(index + 1) * inner];
        for (number, result) in result.chunks_mut(COLUMNS).enumerate() {
            // With nothing to reduce there is no operand to point into.
            columns::<F>(result, operand.get(number * COLUMNS..).unwrap_or(&[]), reduced, inner);
        }
    }
}

/// # Safety
/// That of [`StepFn`].
unsafe fn step_base<F: Fold>(
    result: *mut u8,
    operand: *const u8,
    outer: usize,
    reduced: usize,
    inner: usize,
) {
    // SAFETY: the caller's.
    unsafe { step::<F>(result, operand, outer, reduced, inner) }
}

/// # Safety
/// That of [`StepFn`], and the processor has the instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn step_avx2<F: Fold>(
    result: *mut u8,
    operand: *const u8,
    outer: usize,
    reduced: usize,
    inner: usize,
) {
    // SAFETY: the caller's.
    unsafe { step::<F>(result, operand, outer, reduced, inner) }
}

/// # Safety
/// That of [`StepFn`], and the processor has the instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
unsafe fn step_avx512<F: Fold>(
    result: *mut u8,
    operand: *const u8,
    outer: usize,
    reduced: usize,
    inner: usize,
) {
    // SAFETY: the caller's.
    unsafe { step::<F>(result, operand, outer, reduced, inner) }
}

fn version<F: Fold>(isa: Isa) -> StepFn {
    match isa {
        Isa::Base => step_base::<F>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => step_avx2::<F>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => step_avx512::<F>,
        #[cfg(not(target_arch = "x86_64"))]
        _ => step_base::<F>,
    }
}

fn of_type<T: Number>(op: ReduceOp, isa: Isa) -> StepFn {
    match op {
        ReduceOp::Sum => version::<Sum<T>>(isa),
        ReduceOp::Prod => version::<Prod<T>>(isa),
        ReduceOp::Max | ReduceOp::Any => version::<Max<T>>(isa),
        ReduceOp::Min => version::<Min<T>>(isa),
        ReduceOp::All => version::<All<T>>(isa),
    }
}

/// The loop of a reduction step. `any` and `all` are the larger and smaller of bytes 0 and 1.
pub(crate) fn step_function(op: ReduceOp, dtype: DType, isa: Isa) -> StepFn {
    match dtype {
        DType::F64 => of_type::<f64>(op, isa),
        DType::F32 => of_type::<f32>(op, isa),
        DType::I64 => of_type::<i64>(op, isa),
        DType::I32 => of_type::<i32>(op, isa),
        DType::U8 | DType::Bool => of_type::<u8>(op, isa),
    }
}
