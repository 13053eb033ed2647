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

/// Workspace for elements that are parted: as many elements, and some for whole vectors.
pub(super) const fn room(count: usize) -> usize {
    count + 16
}

/// Sorts elements. `other` is workspace: [`room`] elements.
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
    if isa >= Isa::Avx2 && other.len() >= room(elements.len()) {
        let depth = 2 * elements.len().max(1).ilog2() + 8;
        // SAFETY: the processor has the set (K10), and there is room for the elements.
        return unsafe {
            if isa == Isa::Avx512 {
                parts::avx512::Parts { other, host }.part::<T::WideLanes>(elements, 0, ranks, depth)
            } else {
                parts::avx2::Parts { other, host }.part::<T::Lanes>(elements, 0, ranks, depth)
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
