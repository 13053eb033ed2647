//! The loops of reductions, compiled for each set of vector instructions.
//!
//! A reduction step sees its operand as `[outer, reduced, inner]`. With `inner == 1` it reduces rows: in many
//! vector lanes that are combined at the end, and long rows pairwise, so that float sums keep their
//! precision. Otherwise it adds whole rows to each other, in blocks.
//!
//! The order in which elements are combined is that of the sizes alone. [`super::map_reduce`] takes the same
//! steps on pieces, as they are made.

use std::mem::MaybeUninit;

use ag_ir::{DType, ReduceOp};

use super::elementwise::Number;
use crate::isa::Isa;

/// One reduction step. Arguments: result `[outer, inner]`, operand `[outer, reduced, inner]`, the same again
/// or the factors of its elements, the three sizes.
///
/// # Safety
/// All are dense and aligned, of these sizes, and the result is apart.
pub(crate) type StepFn = unsafe fn(*mut u8, *const u8, *const u8, usize, usize, usize);

/// Combines rows with a row, in their order. Arguments: the row, the first of the others, the same again or
/// the first of their factors, how many these are, the elements of a row, and the elements from the start of
/// one to that of the next.
///
/// # Safety
/// All rows are dense, aligned and within their memory; the row that is written is apart.
pub(crate) type FoldFn = unsafe fn(*mut u8, *const u8, *const u8, usize, usize, usize);

/// Fills elements with what changes nothing.
///
/// # Safety
/// So many elements are writable, and aligned.
pub(crate) type FillFn = unsafe fn(*mut u8, usize);

/// The loops of a reduction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folds {
    /// A whole step.
    pub(crate) step: StepFn,
    /// Some rows of a step.
    pub(crate) fold: FoldFn,
    /// The start of a step.
    pub(crate) fill: FillFn,
}

/// An associative operation with a neutral element.
trait Fold {
    type Element: Number;
    const START: Self::Element;
    /// Whether [`Self::quick`] does the same, but for NaN, whatever the order.
    const IS_EXTREME: bool = false;
    fn fold(a: Self::Element, b: Self::Element) -> Self::Element;
    /// As [`Self::fold`], of numbers.
    #[inline(always)]
    fn quick(a: Self::Element, b: Self::Element) -> Self::Element {
        Self::fold(a, b)
    }
    /// What is combined, of two operands.
    #[inline(always)]
    fn taken(a: Self::Element, _: Self::Element) -> Self::Element {
        a
    }
}

macro_rules! folds {
    ($($name:ident($start:expr) |$a:ident, $b:ident| $body:expr $(, extreme $quick:expr)? $(, of $taken:expr)?;)*) => {$(
        struct $name<T>(std::marker::PhantomData<T>);
        impl<T: Number> Fold for $name<T> {
            type Element = T;
            const START: T = $start;
            #[inline(always)]
            fn fold($a: T, $b: T) -> T {
                $body
            }
            $(
                const IS_EXTREME: bool = true;
                #[inline(always)]
                fn quick($a: T, $b: T) -> T {
                    $quick
                }
            )?
            $(
                #[inline(always)]
                fn taken($a: T, $b: T) -> T {
                    $taken
                }
            )?
        }
    )*};
}

// The first of two that compare equal stays, as it does where NaN counts.
folds! {
    Sum(T::ZERO) |a, b| a.add(b);
    SumOfProducts(T::ZERO) |a, b| a.add(b), of a.mul(b);
    Prod(T::ONE) |a, b| a.mul(b);
    Max(T::LOWEST) |a, b| a.maximum(b), extreme if b > a { b } else { a };
    Min(T::HIGHEST) |a, b| a.minimum(b), extreme if b < a { b } else { a };
    All(T::ONE) |a, b| a.minimum(b), extreme if b < a { b } else { a };
}

const LANES: usize = 32;
/// Rows shorter than this are reduced without lanes.
const SHORT: usize = 24;
/// The bytes in all vector registers of any processor.
const BASE_REGISTERS: usize = 16 * 16;
/// Rows up to this length are reduced in one go, longer ones in halves.
pub(super) const BLOCK: usize = 1024;
/// The bytes of a row that the nearest cache holds. Blocks of longer rows are read one after the other: two at
/// a time, a page apart, come from the next cache at half of its speed (Zen 5).
const NEAR: usize = 32 << 10;
/// The blocks of a long row that are reduced by one call.
const BLOCKS: usize = 64;

/// Reduces a dense row, in lanes.
#[inline(always)]
fn row_block<F: Fold>(row: &[F::Element], factors: &[F::Element]) -> F::Element {
    let values = || row.iter().zip(factors).map(|(a, b)| F::taken(*a, *b));
    if row.len() < SHORT {
        // Combining lanes would take longer than the row.
        return values().fold(F::START, F::fold);
    }
    if size_of::<F::Element>() == 1 {
        // Sums and products of bytes wrap, and so have no order. They are rare: one plain loop does.
        return if F::IS_EXTREME { extreme_byte::<F>(row) } else { values().fold(F::START, F::fold) };
    }
    if F::IS_EXTREME {
        let (value, has_nan) = extreme::<F>(row);
        if !has_nan {
            return value;
        }
    }
    let mut lanes = [F::START; LANES];
    let (chunks, others) = (row.chunks_exact(LANES), factors.chunks_exact(LANES));
    let (rest, other_rest) = (chunks.remainder(), others.remainder());
    for (chunk, others) in chunks.zip(others) {
        fold_lanes::<F>(&mut lanes, chunk, others);
    }
    fold_lanes::<F>(&mut lanes, rest, other_rest);
    total_of_lanes(&mut lanes, F::fold)
}

#[inline(always)]
fn total_of_lanes<T: Number, const N: usize>(lanes: &mut [T; N], fold: impl Fn(T, T) -> T) -> T {
    let mut width = N;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] = fold(lanes[lane], lanes[lane + width]);
        }
    }
    lanes[0]
}

/// The extreme of a row, and whether there is a NaN in it; then the extreme may be wrong.
#[inline(always)]
fn extreme<F: Fold>(row: &[F::Element]) -> (F::Element, bool) {
    let mut lanes = [F::START; LANES];
    let mut odd = [F::START; LANES / 2];
    let mut take = |chunk: &[F::Element]| {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = F::quick(*lane, *value);
        }
        for half in chunk.chunks(LANES / 2) {
            for (odd, value) in odd.iter_mut().zip(half) {
                *odd = if value.is_nan() { *value } else { *odd };
            }
        }
    };
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    chunks.for_each(&mut take);
    take(rest);
    let has_nan = odd.iter().fold(false, |has_nan, odd| has_nan | odd.is_nan());
    (total_of_lanes(&mut lanes, F::quick), has_nan)
}

/// The values of [`row_block`] of two blocks of full length, which are reduced side by side: one waits for the
/// last addition less if there are others to make.
#[inline(always)]
fn two_blocks<F: Fold>(row: &[F::Element], factors: &[F::Element]) -> [F::Element; 2] {
    let mut lanes = [[F::START; LANES]; 2];
    let [(first, second), (first_factors, second_factors)] =
        [row, factors].map(|values| values.split_at(values.len() / 2));
    let chunks = first.chunks_exact(LANES).zip(second.chunks_exact(LANES));
    let factors = first_factors.chunks_exact(LANES).zip(second_factors.chunks_exact(LANES));
    for ((first, second), (first_factors, second_factors)) in chunks.zip(factors) {
        fold_lanes::<F>(&mut lanes[0], first, first_factors);
        fold_lanes::<F>(&mut lanes[1], second, second_factors);
    }
    lanes.map(|mut lanes| total_of_lanes(&mut lanes, F::fold))
}

/// The extreme of a row of bytes, of which a vector holds more than [`LANES`].
#[inline(always)]
fn extreme_byte<F: Fold>(row: &[F::Element]) -> F::Element {
    let mut lanes = [F::START; 8 * LANES];
    let chunks = row.chunks_exact(8 * LANES);
    let rest = chunks.remainder();
    for chunk in chunks.chain([rest]) {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = F::quick(*lane, *value);
        }
    }
    total_of_lanes(&mut lanes, F::quick)
}

/// Reduces a row of several blocks. `step` reduces one: it is the function that this is a part of, which holds
/// the code for a block already.
#[inline(always)]
fn long_row<F: Fold, const REGISTERS: usize>(
    row: &[F::Element],
    factors: &[F::Element],
    step: StepFn,
) -> F::Element {
    // The levels are a binary counter of reduced blocks: level n holds the total of 2^n of them. This is
    // pairwise reduction without recursion, which would keep the compiler from vectorising the loop as a
    // whole.
    let mut levels = [F::START; 64];
    let mut filled = 0_u64;
    let mut add = |mut value: F::Element| {
        let mut level = 0;
        while filled & (1 << level) != 0 {
            value = F::fold(levels[level], value);
            filled &= !(1 << level);
            level += 1;
        }
        levels[level] = value;
        filled |= 1 << level;
    };
    // The lanes of two blocks fit in half of the registers.
    let size = size_of::<F::Element>();
    let is_paired = !F::IS_EXTREME && size > 1 && 4 * LANES * size <= REGISTERS && size_of_val(row) <= NEAR;
    let paired = if is_paired { row.len() / (2 * BLOCK) * (2 * BLOCK) } else { 0 };
    let [(pairs, rest), (pair_factors, rest_factors)] = [row, factors].map(|values| values.split_at(paired));
    for (pair, factors) in pairs.chunks_exact(2 * BLOCK).zip(pair_factors.chunks_exact(2 * BLOCK)) {
        two_blocks::<F>(pair, factors).into_iter().for_each(&mut add);
    }
    if F::IS_EXTREME && REGISTERS > BASE_REGISTERS {
        // Nearly as fast as memory: a call would be seen. Without wide vectors it is not, and the code is half.
        for (block, factors) in rest.chunks(BLOCK).zip(rest_factors.chunks(BLOCK)) {
            add(row_block::<F>(block, factors));
        }
    } else {
        // The blocks are rows; the last of them may be shorter.
        let mut totals = [F::START; BLOCKS];
        let (mut values, mut factors) = (rest, rest_factors);
        while !values.is_empty() {
            let length = values.len().min(BLOCK);
            let count = (values.len() / length).min(BLOCKS);
            let (to, from, with) =
                (totals.as_mut_ptr().cast(), values.as_ptr().cast(), factors.as_ptr().cast());
            // SAFETY: so many rows, and as many results, which are apart.
            unsafe { step(to, from, with, count, length, 1) };
            totals[..count].iter().copied().for_each(&mut add);
            (values, factors) = (&values[count * length..], &factors[count * length..]);
        }
    }
    let mut total = F::START;
    for (level, value) in levels.iter().enumerate() {
        if filled & (1 << level) != 0 {
            total = F::fold(*value, total);
        }
    }
    total
}

/// Columns reduced together; of many rows more, so that each is read in one go.
const COLUMNS: usize = 128;
const MORE_COLUMNS: usize = 1024;
/// Rows per block, and blocks per group.
pub(super) const ROWS: usize = 64;

#[inline(always)]
fn fold_lanes<F: Fold>(lanes: &mut [F::Element], values: &[F::Element], factors: &[F::Element]) {
    for ((lane, value), factor) in lanes.iter_mut().zip(values).zip(factors) {
        *lane = F::fold(*lane, F::taken(*value, *factor));
    }
}

/// As [`fold_lanes`], of values that have been combined.
#[inline(always)]
fn join_lanes<F: Fold>(lanes: &mut [F::Element], values: &[F::Element]) {
    for (lane, value) in lanes.iter_mut().zip(values) {
        *lane = F::fold(*lane, *value);
    }
}

/// Four rows of `width` elements, of which the first begins at `first`.
#[inline(always)]
fn four_lines<T>(from: &[T], first: usize, stride: usize, width: usize) -> [&[T]; 4] {
    [0, 1, 2, 3].map(|number| &from[first + number * stride..first + number * stride + width])
}

/// Folds rows into lanes, in their order; the first of them begins the slices, each is `stride` after the one before
/// it. Lanes are read and written once for some rows.
#[inline(always)]
fn fold_rows_into<F: Fold>(
    lanes: &mut [F::Element],
    values: &[F::Element],
    factors: &[F::Element],
    count: usize,
    stride: usize,
) {
    let width = lanes.len();
    let mut row = 0;
    while row + 4 <= count {
        let [lines, others] = [values, factors].map(|from| four_lines(from, row * stride, stride, width));
        for (column, lane) in lanes.iter_mut().enumerate() {
            *lane = (0..4).fold(*lane, |value, line| {
                F::fold(value, F::taken(lines[line][column], others[line][column]))
            });
        }
        row += 4;
    }
    for row in row..count {
        let line = row * stride..row * stride + width;
        fold_lanes::<F>(lanes, &values[line.clone()], &factors[line]);
    }
}

/// Adds up rows that lie `inner` apart: rows to blocks, blocks to groups, groups to the result. `fold` folds the
/// rows of a block.
#[inline(always)]
fn columns<F: Fold>(
    result: &mut [F::Element],
    operand: &[F::Element],
    factors: &[F::Element],
    [reduced, inner]: [usize; 2],
    fold: FoldFn,
) {
    let width = result.len();
    result.fill(F::START);
    let mut room = [const { MaybeUninit::<[F::Element; MORE_COLUMNS]>::uninit() }; 2];
    let [block, group] = room.each_mut().map(|room| {
        let first = room.as_mut_ptr().cast::<F::Element>();
        // SAFETY: there is room for more columns than there are; those that are there are filled first.
        unsafe {
            (0..width).for_each(|place| first.add(place).write(F::START));
            std::slice::from_raw_parts_mut(first, width)
        }
    });
    let mut start = 0;
    while start < reduced {
        let end = reduced.min(start + ROWS);
        let at = start * inner;
        let length = (end - start - 1) * inner + width;
        let [rows, others] = [operand, factors].map(|values| values[at..at + length].as_ptr().cast());
        // SAFETY: so many rows of `width` elements are there; the block is apart.
        unsafe { fold(block.as_mut_ptr().cast(), rows, others, end - start, width, inner) };
        join_lanes::<F>(group, block);
        block.fill(F::START);
        if end == reduced || (end / ROWS).is_multiple_of(ROWS) {
            join_lanes::<F>(result, group);
            group.fill(F::START);
        }
        start = end;
    }
}

/// # Safety
/// That of [`StepFn`].
#[inline(always)]
unsafe fn step<F: Fold, const REGISTERS: usize>(
    result: *mut u8,
    operand: *const u8,
    factors: *const u8,
    outer: usize,
    reduced: usize,
    inner: usize,
    (itself, fold): (StepFn, FoldFn),
) {
    let count = outer * reduced * inner;
    // SAFETY: the caller's promise is that of StepFn.
    let (result, operand, factors) = unsafe {
        (
            std::slice::from_raw_parts_mut(result.cast::<F::Element>(), outer * inner),
            std::slice::from_raw_parts(operand.cast::<F::Element>(), count),
            std::slice::from_raw_parts(factors.cast::<F::Element>(), count),
        )
    };
    if inner == 1 {
        let line = |index: usize| index * reduced..(index + 1) * reduced;
        // The extreme of bytes has no order.
        if reduced <= BLOCK || (F::IS_EXTREME && size_of::<F::Element>() == 1) {
            for (index, result) in result.iter_mut().enumerate() {
                *result = row_block::<F>(&operand[line(index)], &factors[line(index)]);
            }
        } else {
            for (index, result) in result.iter_mut().enumerate() {
                *result = long_row::<F, REGISTERS>(&operand[line(index)], &factors[line(index)], itself);
            }
        }
        return;
    }
    for index in 0..outer {
        let block = index * reduced * inner..(index + 1) * reduced * inner;
        let (operand, factors) = (&operand[block.clone()], &factors[block]);
        let result = &mut result[index * inner..(index + 1) * inner];
        let is_wide = inner > COLUMNS && reduced >= ROWS;
        let together = if is_wide { MORE_COLUMNS } else { COLUMNS };
        for (number, result) in result.chunks_mut(together).enumerate() {
            // With nothing to reduce there is no operand to point into.
            let from = |values: &'_ [F::Element]| values.len().min(number * together);
            let (operand, factors) = (&operand[from(operand)..], &factors[from(factors)..]);
            columns::<F>(result, operand, factors, [reduced, inner], fold);
        }
    }
}

/// # Safety
/// That of [`FoldFn`].
#[inline(always)]
unsafe fn fold_rows<F: Fold, const REGISTERS: usize>(
    total: *mut u8,
    rows: *const u8,
    factors: *const u8,
    count: usize,
    width: usize,
    stride: usize,
) {
    if count == 0 {
        return;
    }
    let mut first = 0;
    while first < width {
        let columns = MORE_COLUMNS.min(width - first);
        // SAFETY: the caller's.
        unsafe {
            let total = std::slice::from_raw_parts_mut(total.cast::<F::Element>().add(first), columns);
            let length = (count - 1) * stride + columns;
            let from =
                |rows: *const u8| std::slice::from_raw_parts(rows.cast::<F::Element>().add(first), length);
            fold_rows_into::<F>(total, from(rows), from(factors), count, stride);
        }
        first += columns;
    }
}

/// # Safety
/// That of [`FillFn`].
unsafe fn fill<F: Fold>(to: *mut u8, count: usize) {
    // SAFETY: the caller's.
    unsafe { std::slice::from_raw_parts_mut(to.cast::<F::Element>(), count) }.fill(F::START);
}

// The number is that of the bytes in all vector registers. In brackets: what else the body calls.
macro_rules! versions {
    ($($body:ident: $base:ident $(($($of_base:ident),*))?, $avx2:ident $(($($of_avx2:ident),*))?, $avx512:ident $(($($of_avx512:ident),*))?;)*) => {$(
        /// # Safety
        /// That of its body.
        unsafe fn $base<F: Fold>(to: *mut u8, from: *const u8, with: *const u8, a: usize, b: usize, c: usize) {
            // SAFETY: the caller's.
            unsafe { $body::<F, BASE_REGISTERS>(to, from, with, a, b, c $(, ($($of_base::<F>),*))?) }
        }

        /// # Safety
        /// That of its body, and the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        unsafe fn $avx2<F: Fold>(to: *mut u8, from: *const u8, with: *const u8, a: usize, b: usize, c: usize) {
            // SAFETY: the caller's.
            unsafe { $body::<F, { 16 * 32 }>(to, from, with, a, b, c $(, ($($of_avx2::<F>),*))?) }
        }

        /// # Safety
        /// That of its body, and the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
        unsafe fn $avx512<F: Fold>(to: *mut u8, from: *const u8, with: *const u8, a: usize, b: usize, c: usize) {
            // SAFETY: the caller's.
            unsafe { $body::<F, { 32 * 64 }>(to, from, with, a, b, c $(, ($($of_avx512::<F>),*))?) }
        }
    )*};
}

versions! {
    fold_rows: fold_base, fold_avx2, fold_avx512;
    step: step_base(step_base, fold_base), step_avx2(step_avx2, fold_avx2), step_avx512(step_avx512, fold_avx512);
}

fn version<F: Fold>(isa: Isa) -> Folds {
    let (step, fold): (StepFn, FoldFn) = match isa {
        Isa::Exact | Isa::Base => (step_base::<F>, fold_base::<F>),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => (step_avx2::<F>, fold_avx2::<F>),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => (step_avx512::<F>, fold_avx512::<F>),
        #[cfg(not(target_arch = "x86_64"))]
        _ => (step_base::<F>, fold_base::<F>),
    };
    Folds { step, fold, fill: fill::<F> }
}

/// The instructions for a reduction that is as fast as memory without the widest: each version is code. Products are
/// rare, and those of any instructions.
fn narrower(isa: Isa) -> Isa {
    if isa == Isa::Avx512 { Isa::Avx2 } else { isa }
}

fn of_type<T: Number>(op: ReduceOp, isa: Isa) -> Folds {
    match op {
        ReduceOp::Sum => version::<Sum<T>>(isa),
        ReduceOp::Prod => version::<Prod<T>>(Isa::Base),
        ReduceOp::Max | ReduceOp::Any => version::<Max<T>>(isa),
        ReduceOp::Min | ReduceOp::All => version::<Min<T>>(isa),
    }
}

/// Of bytes, and of bools. Sums and products are those of any instructions: they are rare.
fn of_bytes(op: ReduceOp, isa: Isa) -> Folds {
    let isa = narrower(isa);
    match op {
        ReduceOp::Sum => version::<Sum<u8>>(Isa::Base),
        ReduceOp::Prod => version::<Prod<u8>>(Isa::Base),
        ReduceOp::Max | ReduceOp::Any => version::<Max<u8>>(isa),
        ReduceOp::Min => version::<Min<u8>>(isa),
        ReduceOp::All => version::<All<u8>>(isa),
    }
}

/// The loops of a sum of products; none for elements that are no numbers.
pub(crate) fn folds_of_products(dtype: DType, isa: Isa) -> Option<Folds> {
    match dtype {
        DType::F64 => Some(version::<SumOfProducts<f64>>(isa)),
        DType::F32 => Some(version::<SumOfProducts<f32>>(isa)),
        DType::I64 => Some(version::<SumOfProducts<i64>>(Isa::Base)),
        DType::I32 => Some(version::<SumOfProducts<i32>>(Isa::Base)),
        DType::U8 | DType::Bool => None,
    }
}

/// The loops of a reduction. `any` and `all` are the larger and smaller of bytes 0 and 1.
pub(crate) fn folds_of(op: ReduceOp, dtype: DType, isa: Isa) -> Folds {
    match dtype {
        DType::F64 => of_type::<f64>(op, isa),
        DType::F32 => of_type::<f32>(op, isa),
        DType::I64 => of_type::<i64>(op, narrower(isa)),
        DType::I32 => of_type::<i32>(op, narrower(isa)),
        DType::U8 | DType::Bool => of_bytes(op, isa),
    }
}
