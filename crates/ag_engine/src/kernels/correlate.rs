//! `correlate`: sums of products of a line with shifts of another.
//!
//! ```text
//! [1 2 3 4] with [10 1]     12 = 1*10 + 2*1    23 = 2*10 + 3*1    34    40: the last 1 has nothing to multiply
//! ```
//!
//! Neighbouring sums are computed at once, each product of the second line with a vector of the first. The
//! products of a sum are added one after the other, in parts of [`PART`], whatever the block that it is in.
//! Booleans are bits: 64 sums are one word, until all of them are true.

use ag_ir::{DType, Host};

use super::effort::{count_work, in_pieces};
use super::elementwise::Number;
use super::layout;
use super::{Kernel, KernelResult, scratch};
use crate::isa::Isa;

/// How many sums are computed at once.
const WIDTH: usize = 32;
/// How many products are added before they are added to others.
const PART: usize = 256;
/// The bits of a word.
const BITS: usize = 64;

/// The sizes of a correlation.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// The elements of a line.
    n: usize,
    /// The elements of a line of shifts.
    m: usize,
    /// How far the first sum is before the first element.
    before: usize,
    /// How many sums a line has.
    size: usize,
}

/// Computes sums of a line. Arguments: the line, the other one, the first sum, the number of the first, their
/// count.
///
/// # Safety
/// All are dense and aligned; the lines are of the shape's sizes, the sums within them and apart.
type SumFn = unsafe fn(Shape, *const u8, *const u8, *mut u8, usize, usize);

/// Operands: the lines, the lines of shifts, the sums.
#[derive(Debug)]
pub(crate) struct Correlate {
    /// None for booleans.
    sum: Option<SumFn>,
    element_size: usize,
    /// How many lines.
    count: usize,
    shape: Shape,
}

/// Adds products of a factor with those elements that are there: of the sums of a block, whose first one
/// begins at `at - before`.
#[inline(always)]
fn add_inside<T: Number>(x: &[T], factor: T, at: usize, before: usize, sums: &mut [T]) {
    let first = before.saturating_sub(at).min(sums.len());
    let last = (x.len() + before).saturating_sub(at).min(sums.len());
    if first < last {
        let elements = &x[at + first - before..at + last - before];
        for (sum, element) in sums[first..last].iter_mut().zip(elements) {
            *sum = sum.add(element.mul(factor));
        }
    }
}

/// Adds products to the sums of a whole block, where all elements are there.
#[inline(always)]
fn add_all<T: Number>(x: &[T], factors: &[T], sums: &mut [T; WIDTH]) {
    let mut total = *sums;
    for (elements, factor) in x.windows(WIDTH).zip(factors) {
        let Some(elements) = elements.first_chunk::<WIDTH>() else { return };
        // The count is known to the compiler, which keeps the sums in registers.
        for number in 0..WIDTH {
            total[number] = total[number].add(elements[number].mul(*factor));
        }
    }
    *sums = total;
}

/// # Safety
/// That of [`SumFn`].
#[inline(always)]
unsafe fn sum<T: Number>(shape: Shape, x: *const u8, y: *const u8, to: *mut u8, first: usize, count: usize) {
    let Shape { n, m, before, .. } = shape;
    // SAFETY: the caller's.
    let (x, y, to) = unsafe {
        (
            std::slice::from_raw_parts(x.cast::<T>(), n),
            std::slice::from_raw_parts(y.cast::<T>(), m),
            std::slice::from_raw_parts_mut(to.cast::<T>(), count),
        )
    };
    for (number, to) in to.chunks_mut(WIDTH).enumerate() {
        let (first, width) = (first + number * WIDTH, to.len());
        let last = first + width - 1;
        let mut total = [T::ZERO; WIDTH];
        for start in (0..m).step_by(PART) {
            let end = m.min(start + PART);
            let place = |bound: usize, sum: usize| bound.saturating_sub(sum).clamp(start, end);
            // From the first to the last factor that has an element for any sum, and those that have one for
            // all.
            let (some, all) = (place(before, last), place(before, first));
            let (until_all, until_some) = (place(n + before, last), place(n + before, first));
            let (all, until_all) = if width == WIDTH { (all, until_all.max(all)) } else { (end, end) };
            let mut part = [T::ZERO; WIDTH];
            (some..all.min(until_some)).for_each(|factor| {
                add_inside(x, y[factor], first + factor, before, &mut part[..width]);
            });
            if all < until_all {
                add_all(&x[first + all - before..], &y[all..until_all], &mut part);
            }
            (until_all..until_some).for_each(|factor| {
                add_inside(x, y[factor], first + factor, before, &mut part[..width]);
            });
            total.iter_mut().zip(part).for_each(|(total, part)| *total = total.add(part));
        }
        to.copy_from_slice(&total[..width]);
    }
}

macro_rules! version {
    ($name:ident $(, $features:literal)?) => {
        /// # Safety
        /// That of [`SumFn`], and the processor has the instructions.
        $(#[cfg(target_arch = "x86_64")] #[target_feature(enable = $features)])?
        unsafe fn $name<T: Number>(
            shape: Shape,
            x: *const u8,
            y: *const u8,
            to: *mut u8,
            first: usize,
            count: usize,
        ) {
            // SAFETY: the caller's.
            unsafe { sum::<T>(shape, x, y, to, first, count) }
        }
    };
}

version!(sum_base);
version!(sum_avx2, "avx2,fma");
version!(sum_avx512, "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl");

fn version<T: Number>(isa: Isa) -> SumFn {
    match isa {
        Isa::Exact | Isa::Base => sum_base::<T>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => sum_avx2::<T>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => sum_avx512::<T>,
        #[cfg(not(target_arch = "x86_64"))]
        _ => sum_base::<T>,
    }
}

/// Sets the bits of true elements, the first of which is that of this number.
fn pack(elements: &[u8], first: usize, words: &mut [u64]) {
    for (number, element) in elements.iter().enumerate() {
        let bit = first + number;
        words[bit / BITS] |= u64::from(*element) << (bit % BITS);
    }
}

/// The bits of a word of sums: for each, whether one of the words from it on and one of the others have a bit
/// in common. `done` are bits that nobody asks for.
fn meet(words: &[u64], others: &[u64], done: u64) -> u64 {
    let mut found = done;
    for (pair, other) in words.windows(2).zip(others) {
        let mut left = *other;
        while left != 0 {
            let shift = left.trailing_zeros();
            left &= left - 1;
            // A shift by as many bits as there are is none.
            found |= (pair[0] >> shift) | (pair[1] << 1 << (u64::BITS - 1 - shift));
            if found == u64::MAX {
                return found;
            }
        }
    }
    found
}

impl Correlate {
    /// The kernel for lines of these sizes.
    pub(crate) fn new(
        dtype: DType,
        (before, size): (usize, usize),
        x: &[usize],
        y: &[usize],
        isa: Isa,
    ) -> Self {
        let sum = match dtype {
            DType::F64 => Some(version::<f64>(isa)),
            DType::F32 => Some(version::<f32>(isa)),
            DType::I64 => Some(version::<i64>(isa)),
            DType::I32 => Some(version::<i32>(isa)),
            DType::U8 => Some(version::<u8>(isa)),
            DType::Bool => None,
        };
        let last = |sizes: &[usize]| sizes.last().copied().unwrap_or(1);
        Self {
            sum,
            element_size: dtype.size(),
            count: layout::count(&x[..x.len().saturating_sub(1)]),
            shape: Shape { n: last(x), m: last(y), before, size },
        }
    }

    /// Whether there is a true product, for each sum of a line.
    fn meetings(&self, x: &[u8], y: &[u8], to: &mut [u8], host: &mut dyn Host) -> KernelResult {
        let Shape { n, m, before, size } = self.shape;
        // As far as the last sum reaches, and a word more for the shifts.
        let reached = size + m;
        let mut words = scratch(0_u64, reached / BITS + 3)?;
        let mut others = scratch(0_u64, m.div_ceil(BITS))?;
        pack(&x[..n.min(reached.saturating_sub(before))], before, &mut words);
        pack(y, 0, &mut others);
        count_work(n + m, host)?;
        in_pieces(size.div_ceil(BITS), m.max(BITS), host, |piece| {
            for word in piece {
                let to = &mut to[word * BITS..size.min((word + 1) * BITS)];
                let done = if to.len() < BITS { u64::MAX << to.len() } else { 0 };
                let found = meet(&words[word..], &others, done);
                to.iter_mut().enumerate().for_each(|(bit, to)| *to = (found >> bit) as u8 & 1);
            }
            Ok(())
        })
    }
}

impl Kernel for Correlate {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (shape, unit) = (self.shape, self.element_size);
        let Shape { n, m, size, .. } = shape;
        for line in 0..self.count {
            // SAFETY: sizes are those of the operands (K2).
            let (x, y, to) = unsafe {
                (
                    operands[0].add(line * n * unit).cast_const(),
                    operands[1].add(line * m * unit).cast_const(),
                    operands[2].add(line * size * unit),
                )
            };
            let Some(sum) = self.sum else {
                // SAFETY: as above; the sums are apart (K4).
                let (x, y, to) = unsafe {
                    (
                        std::slice::from_raw_parts(x, n),
                        std::slice::from_raw_parts(y, m),
                        std::slice::from_raw_parts_mut(to, size),
                    )
                };
                self.meetings(x, y, to, host)?;
                continue;
            };
            in_pieces(size, 1 + m / 8, host, |piece| {
                // SAFETY: as above, aligned (K3); the piece is within the line (K9).
                unsafe { sum(shape, x, y, to.add(piece.start * unit), piece.start, piece.len()) };
                Ok(())
            })?;
        }
        Ok(())
    }
}
