//! Sorting and selecting by exchanging: long pieces are parted at an element of them, short ones go through a
//! sorting network.
//!
//! ```text
//! 5 3 8 1 9 2 7     parted at 5:  5 3 1 2 | 8 9 7     what is not above it, what is
//! 5 3 1 2           a short piece: a network of compared vectors
//! ```
//!
//! - Zeros of both signs compare equal, and any of them may take the place of another: the caller sees to
//!   their order. None of the elements is NaN.
//! - A selection goes on only in the pieces that hold a wanted rank.
//! - What parts badly too often is sorted by the library, whose worst case is bounded.

use ag_ir::Host;

use super::KernelResult;
use super::effort::count_work;
#[cfg(target_arch = "x86_64")]
use super::lanes::{self, Lanes};
#[cfg(target_arch = "x86_64")]
use super::{parts, wide_lanes};
use crate::isa::Isa;

/// An element that is compared, and is not NaN.
pub(super) trait Ordered: Copy + PartialOrd + 'static {
    /// No element is greater.
    const GREATEST: Self;
    /// The vector of such elements with AVX2.
    #[cfg(target_arch = "x86_64")]
    type Lanes: Lanes<Element = Self>;
    /// The vector of such elements with AVX-512.
    #[cfg(target_arch = "x86_64")]
    type WideLanes: Lanes<Element = Self>;
}

macro_rules! ordered {
    ($($element:ty => $greatest:expr, $lanes:ident;)*) => {$(
        impl Ordered for $element {
            const GREATEST: Self = $greatest;
            #[cfg(target_arch = "x86_64")]
            type Lanes = lanes::$lanes;
            #[cfg(target_arch = "x86_64")]
            type WideLanes = wide_lanes::$lanes;
        }
    )*};
}

ordered! {
    f64 => f64::INFINITY, F64;
    f32 => f32::INFINITY, F32;
    i64 => i64::MAX, I64;
    i32 => i32::MAX, I32;
}

/// Whether an element is NaN.
pub(super) fn has_nan<T: Ordered>(elements: &[T], isa: Isa) -> bool {
    // SAFETY: the processor has the set (K10).
    #[cfg(target_arch = "x86_64")]
    unsafe {
        if isa == Isa::Avx512 {
            return parts::avx512::has_nan(elements);
        }
        if isa == Isa::Avx2 {
            return parts::avx2::has_nan(elements);
        }
    }
    let _ = isa;
    #[expect(clippy::eq_op, reason = "NaN is not")]
    elements.iter().any(|one| *one != *one)
}

/// Sorts elements. `other` is workspace: as many elements.
///
/// # Errors
/// What the host raises.
pub(super) fn sort<T: Ordered>(
    elements: &mut [T],
    other: &mut [T],
    isa: Isa,
    host: &mut dyn Host,
) -> KernelResult {
    part(elements, other, None, isa, host)
}

/// Moves elements so that those at these ascending ranks are there where sorting puts them, with none that is
/// greater before and none that is less after them.
///
/// # Errors
/// What the host raises.
pub(super) fn select<T: Ordered>(
    elements: &mut [T],
    other: &mut [T],
    ranks: &[usize],
    isa: Isa,
    host: &mut dyn Host,
) -> KernelResult {
    part(elements, other, Some(ranks), isa, host)
}

fn part<T: Ordered>(
    elements: &mut [T],
    other: &mut [T],
    ranks: Option<&[usize]>,
    isa: Isa,
    host: &mut dyn Host,
) -> KernelResult {
    #[cfg(target_arch = "x86_64")]
    if isa >= Isa::Avx2 && other.len() >= elements.len() {
        let depth = 2 * elements.len().max(1).ilog2() + 8;
        let (first, count, is_apart) = (0, elements.len(), false);
        // SAFETY: the processor has the set (K10).
        return unsafe {
            if isa == Isa::Avx512 {
                let piece = parts::avx512::Piece { first, count, is_apart };
                parts::avx512::Parts { elements, other, host }.part::<T::WideLanes>(piece, ranks, depth)
            } else {
                let piece = parts::avx2::Piece { first, count, is_apart };
                parts::avx2::Parts { elements, other, host }.part::<T::Lanes>(piece, ranks, depth)
            }
        };
    }
    let _ = (other, isa);
    by_library(elements, 0, ranks, host)
}

/// As [`part`], without vectors.
pub(super) fn by_library<T: Ordered>(
    elements: &mut [T],
    first: usize,
    ranks: Option<&[usize]>,
    host: &mut dyn Host,
) -> KernelResult {
    let compare = |x: &T, y: &T| x.partial_cmp(y).unwrap_or(std::cmp::Ordering::Equal);
    match ranks {
        None => elements.sort_unstable_by(compare),
        Some(ranks) => {
            // The first rank parts what the second one is looked for in.
            let mut start = 0;
            for rank in ranks.iter().map(|rank| rank - first) {
                if (start..elements.len()).contains(&rank) {
                    elements[start..].select_nth_unstable_by(rank - start, compare);
                    start = rank + 1;
                }
            }
        }
    }
    count_work(elements.len() * 16, host)
}
