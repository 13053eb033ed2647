//! `searchsorted`: how many elements of a sorted line are less than those wanted, or not greater.
//!
//! ```text
//! [1 3 3 7] for 3, 8     left 4: look at the second    3 < 3 no    3 < 8: skip two
//!                        left 2: look at the first     1 < 3: skip one    3 < 8: skip one
//!                        left 1                        3 < 3 no: 1    7 < 8: 4
//! ```
//!
//! Many elements are looked for at once, in the same steps: none waits for the memory of another, and no
//! branch depends on what is found. NaN is the greatest. Many integers in a small range are looked up in a table
//! of it, see [`super::search_table`].

use std::hint::select_unpredictable;

use ag_ir::{DType, Host};

use super::effort::in_pieces;
use super::elementwise::Number;
use super::layout;
use super::search_table::{Table, entries};
use super::{Kernel, KernelResult};
use crate::isa::Isa;

/// How many elements are looked for at once.
const TOGETHER: usize = 64;

/// Looks for elements in a line. Arguments: the line and its size, the elements, the places, their number.
///
/// # Safety
/// All are dense and aligned, of these sizes; the places overlap nothing else.
type SearchFn = unsafe fn(*const u8, usize, *const u8, *mut i64, usize);

/// Operands: the sorted lines, the lines of elements, the places of the same shape, scratch for a table.
#[derive(Debug)]
pub(crate) struct Search {
    search: SearchFn,
    dtype: DType,
    counts_equal: bool,
    /// How many entries a table has room for; none if there is no table.
    entries: usize,
    /// How many lines.
    count: usize,
    /// The size of a sorted line.
    size: usize,
    /// How many elements are looked for in a line.
    wanted: usize,
}

/// Whether a place is behind an element of the sorted line.
#[inline(always)]
fn is_behind<T: Number, const COUNTS_EQUAL: bool>(one: T, wanted: T) -> bool {
    if COUNTS_EQUAL { (wanted >= one) | wanted.is_nan() } else { !((one >= wanted) | one.is_nan()) }
}

/// # Safety
/// That of [`SearchFn`].
#[inline(always)]
unsafe fn search<T: Number, const COUNTS_EQUAL: bool>(
    line: *const u8,
    size: usize,
    wanted: *const u8,
    places: *mut i64,
    count: usize,
) {
    // SAFETY: the caller's.
    let (line, wanted, places) = unsafe {
        (
            std::slice::from_raw_parts(line.cast::<T>(), size),
            std::slice::from_raw_parts(wanted.cast::<T>(), count),
            std::slice::from_raw_parts_mut(places, count),
        )
    };
    for (wanted, places) in wanted.chunks(TOGETHER).zip(places.chunks_mut(TOGETHER)) {
        // In memory of its own: nothing says that the places do not overlap the line.
        let mut found = [0; TOGETHER];
        match <[T; TOGETHER]>::try_from(wanted) {
            Ok(wanted) => halve::<T, COUNTS_EQUAL>(line, &wanted, &mut found),
            Err(_) => halve::<T, COUNTS_EQUAL>(line, wanted, &mut found[..wanted.len()]),
        }
        places.iter_mut().zip(found).for_each(|(place, found)| *place = found.cast_signed());
    }
}

/// Finds the places of some elements, given zeros.
#[inline(always)]
fn halve<T: Number, const COUNTS_EQUAL: bool>(line: &[T], wanted: &[T], places: &mut [u64]) {
    let mut left = line.len();
    while left > 0 {
        // The last step looks at the one element that is left.
        let half = if left == 1 { 1 } else { left / 2 };
        for (place, wanted) in places.iter_mut().zip(wanted) {
            // SAFETY: what is before the place and what is left are no more than the line (K9).
            let one = unsafe { *line.get_unchecked(*place as usize + half - 1) };
            *place += select_unpredictable(is_behind::<T, COUNTS_EQUAL>(one, *wanted), half as u64, 0);
        }
        left -= half;
    }
}

macro_rules! version {
    ($name:ident $(, $features:literal)?) => {
        /// # Safety
        /// That of [`SearchFn`], and the processor has the instructions.
        $(#[cfg(target_arch = "x86_64")] #[target_feature(enable = $features)])?
        unsafe fn $name<T: Number, const COUNTS_EQUAL: bool>(
            line: *const u8,
            size: usize,
            wanted: *const u8,
            places: *mut i64,
            count: usize,
        ) {
            // SAFETY: the caller's.
            unsafe { search::<T, COUNTS_EQUAL>(line, size, wanted, places, count) }
        }
    };
}

version!(search_base);
version!(search_avx2, "avx2,fma");
version!(search_avx512, "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl");

fn version<T: Number, const COUNTS_EQUAL: bool>(isa: Isa) -> SearchFn {
    match isa {
        Isa::Exact | Isa::Base => search_base::<T, COUNTS_EQUAL>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => search_avx2::<T, COUNTS_EQUAL>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => search_avx512::<T, COUNTS_EQUAL>,
        #[cfg(not(target_arch = "x86_64"))]
        _ => search_base::<T, COUNTS_EQUAL>,
    }
}

fn of_type<T: Number>(counts_equal: bool, isa: Isa) -> SearchFn {
    if counts_equal { version::<T, true>(isa) } else { version::<T, false>(isa) }
}

impl Search {
    /// The kernel for a search in lines of these sizes for lines of those.
    pub(crate) fn new(counts_equal: bool, dtype: DType, ordered: &[usize], x: &[usize], isa: Isa) -> Self {
        let search = match dtype {
            DType::F64 => of_type::<f64>(counts_equal, isa),
            DType::F32 => of_type::<f32>(counts_equal, isa),
            DType::I64 => of_type::<i64>(counts_equal, isa),
            DType::I32 => of_type::<i32>(counts_equal, isa),
            DType::U8 | DType::Bool => of_type::<u8>(counts_equal, isa),
        };
        let last = |sizes: &[usize]| sizes.last().copied().unwrap_or(1);
        let (size, wanted) = (last(ordered), last(x));
        Self {
            search,
            dtype,
            counts_equal,
            entries: entries(dtype, size, wanted),
            count: layout::count(&x[..x.len().saturating_sub(1)]),
            size,
            wanted,
        }
    }

    /// The scratch that the kernel needs.
    pub(crate) const fn scratch_bytes(&self) -> usize {
        self.entries * size_of::<u32>()
    }

    /// Looks for the elements of all lines, in a table of a line where there is one.
    ///
    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_by_table<T: Copy + Into<i64>>(
        &self,
        operands: &[*mut u8],
        host: &mut dyn Host,
    ) -> KernelResult {
        // SAFETY: sizes are those of the operands (K2), aligned (K3); the result and the scratch are apart (K4).
        let (lines, wanted, places, room) = unsafe {
            (
                std::slice::from_raw_parts(operands[0].cast::<T>(), self.count * self.size),
                std::slice::from_raw_parts(operands[1].cast::<T>(), self.count * self.wanted),
                std::slice::from_raw_parts_mut(operands[2].cast::<i64>(), self.count * self.wanted),
                std::slice::from_raw_parts_mut(operands[3].cast::<u32>(), self.entries),
            )
        };
        let all = wanted.chunks(self.wanted).zip(places.chunks_mut(self.wanted));
        for (number, (line, (wanted, places))) in lines.chunks(self.size).zip(all).enumerate() {
            let table = if self.counts_equal {
                Table::of_line::<T, true>(line, room)
            } else {
                Table::of_line::<T, false>(line, room)
            };
            let Some(table) = table else {
                // SAFETY: the caller's.
                unsafe { self.halve_line(operands, number, host)? };
                continue;
            };
            in_pieces(self.wanted, 1, host, |piece| {
                table.look_up(&wanted[piece.clone()], &mut places[piece]);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Looks for the elements of a line by halving.
    ///
    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn halve_line(&self, operands: &[*mut u8], line: usize, host: &mut dyn Host) -> KernelResult {
        let (lines, wanted, places) = (operands[0], operands[1], operands[2].cast::<i64>());
        let (element_size, weight) = (self.dtype.size(), 1 + self.size.checked_ilog2().unwrap_or(0) as usize);
        in_pieces(self.wanted, weight, host, |piece| {
            let first = line * self.wanted + piece.start;
            // SAFETY: sizes are those of the operands (K2), aligned (K3), and the result is apart (K4).
            unsafe {
                (self.search)(
                    lines.add(line * self.size * element_size),
                    self.size,
                    wanted.add(first * element_size),
                    places.add(first),
                    piece.len(),
                );
            }
            Ok(())
        })
    }
}

impl Kernel for Search {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's (K1 to K8).
        unsafe {
            match self.dtype {
                _ if self.entries == 0 => {}
                DType::I64 => return self.run_by_table::<i64>(operands, host),
                DType::I32 => return self.run_by_table::<i32>(operands, host),
                DType::U8 | DType::Bool | DType::F64 | DType::F32 => {}
            }
        }
        // SAFETY: the caller's.
        (0..self.count).try_for_each(|line| unsafe { self.halve_line(operands, line, host) })
    }
}
