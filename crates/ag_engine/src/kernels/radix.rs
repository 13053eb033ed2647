//! Radix sort: stable, and equally fast for every initial order.
//!
//! ```text
//! 3.0  -1.0  NaN  -0.0      elements
//! c008 400f  ffff 8000 …    keys: unsigned integers that have the elements' order
//! ```
//!
//! - An element becomes a key: an integer with its sign bit flipped, a float with the usual bit trick. 0.0
//!   and -0.0 have one key, and all NaN have the last: elements that compare equal stay in order.
//! - Long lines are sorted by digits of eleven bits, the lowest first; a digit that all keys share is
//!   skipped. Short lines are sorted by comparisons.

use ag_ir::{Failure, Host};

use super::effort::{count_work, in_pieces};
use super::{KernelResult, Stopped};

/// A key.
pub(crate) trait Key: Copy + Ord + Default {
    /// The number of digits.
    const DIGITS: usize;
    /// The digit of this number; digit 0 is the lowest.
    fn digit(self, number: usize) -> usize;
}

const DIGIT_BITS: usize = 11;
const RADIX: usize = 1 << DIGIT_BITS;
/// Shorter lines are sorted by comparisons.
const SHORT: usize = 1500;

macro_rules! keys {
    ($($key:ty),*) => {$(
        impl Key for $key {
            const DIGITS: usize = (<$key>::BITS as usize).div_ceil(DIGIT_BITS);
            #[inline(always)]
            fn digit(self, number: usize) -> usize {
                (self >> (number * DIGIT_BITS)) as usize % RADIX
            }
        }
    )*};
}

keys!(u8, u32, u64);

/// An element that has a key.
pub(crate) trait Keyed: Copy {
    /// The key.
    type Key: Key + 'static;
    /// The key of an element.
    fn key(self) -> Self::Key;
}

macro_rules! integer_keys {
    ($($element:ty => $key:ty, $turned:expr;)*) => {$(
        impl Keyed for $element {
            type Key = $key;
            #[inline(always)]
            fn key(self) -> $key {
                self as $key ^ $turned
            }
        }
    )*};
}

integer_keys! {
    u8 => u8, 0;
    i32 => u32, 1 << 31;
    i64 => u64, 1 << 63;
}

macro_rules! float_keys {
    ($($element:ty => $key:ty;)*) => {$(
        impl Keyed for $element {
            type Key = $key;
            #[inline(always)]
            fn key(self) -> $key {
                const SIGN: $key = 1 << (<$key>::BITS - 1);
                let bits = if self == 0.0 { 0 } else { self.to_bits() };
                let turned = if bits & SIGN == 0 { bits ^ SIGN } else { !bits };
                if self.is_nan() { <$key>::MAX } else { turned }
            }
        }
    )*};
}

float_keys! {
    f32 => u32;
    f64 => u64;
}

/// One entry of a sort: the key of an element, and a value that moves with it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry<K, P> {
    /// The key.
    pub(crate) key: K,
    /// The position of the element, as a rule.
    pub(crate) place: P,
}

/// Sorts entries by their keys; equal keys stay in order. `other` is workspace of the same length.
///
/// # Errors
/// What the host raises.
pub(crate) fn sort<K: Key, P: Copy>(
    entries: &mut Vec<Entry<K, P>>,
    other: &mut Vec<Entry<K, P>>,
    host: &mut dyn Host,
) -> KernelResult {
    if entries.len() < SHORT {
        entries.sort_by_key(|entry| entry.key);
        return count_work(entries.len() * 16, host);
    }
    let mut counts = vec![[0_usize; RADIX]; K::DIGITS];
    in_pieces(entries.len(), 2, host, |piece| {
        for entry in &entries[piece] {
            for (number, counts) in counts.iter_mut().enumerate() {
                counts[entry.key.digit(number)] += 1;
            }
        }
        Ok(())
    })?;
    for (number, counts) in counts.iter_mut().enumerate() {
        if counts[entries[0].key.digit(number)] == entries.len() {
            continue;
        }
        let mut next = 0;
        for count in counts.iter_mut() {
            (*count, next) = (next, next + *count);
        }
        in_pieces(entries.len(), 4, host, |piece| {
            for entry in &entries[piece] {
                let place = &mut counts[entry.key.digit(number)];
                other[*place] = *entry;
                *place += 1;
            }
            Ok(())
        })?;
        std::mem::swap(entries, other);
    }
    Ok(())
}

/// Allocates the entries of a line.
pub(super) fn room<T: Keyed, P>(count: usize) -> Result<Vec<Entry<T::Key, P>>, Box<Stopped>> {
    let mut line = Vec::new();
    let bytes = count.saturating_mul(size_of::<Entry<T::Key, P>>());
    line.try_reserve_exact(count).map_err(|_| Stopped::new(Failure::OutOfMemory { bytes }))?;
    Ok(line)
}
