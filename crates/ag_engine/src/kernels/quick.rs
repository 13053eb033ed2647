//! Sorting and selecting by exchanging: long pieces are parted at an element of them, short ones go through a
//! sorting network.
//!
//! ```text
//! 5 3 8 1 9 2 7     parted at 5:  5 3 1 2 | 8 9 7     what is not above it, what is
//! 5 3 1 2           a short piece: a network of compared vectors
//! ```
//!
//! - Zeros of both signs compare equal, and any of them may take the place of another: the caller sees to their
//!   order. None of the elements is NaN.
//! - A selection goes on only in the pieces that hold a wanted rank.
//! - What parts badly too often is sorted by the library, whose worst case is bounded.

use ag_ir::Host;

use super::KernelResult;
use super::effort::count_work;
#[cfg(target_arch = "x86_64")]
use super::lanes::{self, Lanes};
use crate::isa::Isa;

/// An element that is compared, and is not NaN.
pub(super) trait Ordered: Copy + PartialOrd + 'static {
    /// No element is greater.
    const GREATEST: Self;
    /// The vector of such elements.
    #[cfg(target_arch = "x86_64")]
    type Lanes: Lanes<Element = Self>;
}

macro_rules! ordered {
    ($($element:ty => $greatest:expr, $lanes:ident;)*) => {$(
        impl Ordered for $element {
            const GREATEST: Self = $greatest;
            #[cfg(target_arch = "x86_64")]
            type Lanes = lanes::$lanes;
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
        let mut parts = vectors::Parts { other, host };
        // SAFETY: the processor has the set (K10), and there is room for the elements.
        return unsafe { parts.part::<T::Lanes>(elements, 0, ranks, depth) };
    }
    let _ = (other, isa);
    by_library(elements, 0, ranks, host)
}

fn by_library<T: Ordered>(
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

#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::*;

    /// The most vectors of a network.
    const LONGEST: usize = 16;
    /// The most elements of a network.
    const MOST: usize = LONGEST * 8;
    /// How many vectors are parted before the next are read.
    const AT_ONCE: usize = 4;
    /// How many elements are looked at for one to part at; fewer of a shorter piece.
    const SAMPLE: usize = 64;
    /// The length from which on a piece has a large sample.
    const LONG: usize = 4096;

    /// What is needed while elements are parted.
    pub(super) struct Parts<'a, T> {
        /// Room for the elements that are moved to the end of a piece.
        pub(super) other: &'a mut [T],
        /// Asked now and then.
        pub(super) host: &'a mut dyn Host,
    }

    impl<T: Ordered> Parts<'_, T> {
        /// Sorts a piece whose first element has this rank, or only as far as the wanted ranks need it.
        ///
        /// # Safety
        /// The processor has AVX2, and there is [`room`] for the piece.
        #[target_feature(enable = "avx2")]
        pub(super) unsafe fn part<V: Lanes<Element = T>>(
            &mut self,
            elements: &mut [T],
            first: usize,
            ranks: Option<&[usize]>,
            depth: u32,
        ) -> KernelResult {
            let (mut elements, mut ranks, mut depth) = (elements, ranks, depth);
            loop {
                if ranks.is_some_and(<[usize]>::is_empty) {
                    return Ok(());
                }
                if elements.len() <= LONGEST * V::COUNT {
                    // SAFETY: the caller's; the piece is no longer than a network.
                    unsafe { short::<V>(elements) };
                    return Ok(());
                }
                if depth == 0 {
                    return by_library(elements, first, ranks, self.host);
                }
                depth -= 1;
                // SAFETY: the caller's.
                let pivot = unsafe { middle::<V>(elements) };
                // SAFETY: the caller's.
                let mut end = unsafe { self.part_at::<V, false>(elements, pivot) };
                let is_greatest = end == elements.len();
                if is_greatest {
                    // SAFETY: the caller's.
                    end = unsafe { self.part_at::<V, true>(elements, pivot) };
                }
                count_work(elements.len() / 2, self.host)?;
                let (before, after) = elements.split_at_mut(end);
                let cut =
                    ranks.map(|ranks| ranks.split_at(ranks.partition_point(|rank| *rank < first + end)));
                if !is_greatest {
                    // SAFETY: the caller's.
                    unsafe { self.part::<V>(after, first + end, cut.map(|cut| cut.1), depth)? };
                }
                (elements, ranks) = (before, cut.map(|cut| cut.0));
            }
        }

        /// Moves the elements above the pivot, or those that are not below it, behind the others. Returns how
        /// many others there are.
        ///
        /// # Safety
        /// That of [`Self::part`].
        #[target_feature(enable = "avx2")]
        unsafe fn part_at<V: Lanes<Element = T>, const WITH_EQUAL: bool>(
            &mut self,
            elements: &mut [T],
            pivot: T,
        ) -> usize {
            let (count, room) = (elements.len(), self.other.len());
            let start = elements.as_mut_ptr();
            // SAFETY: elements that stay are written over those that have been read; the others are written from
            // the end of their room on, and at most a vector more than there are elements.
            unsafe {
                let end = self.other.as_mut_ptr().add(room);
                let (mut low, mut high, mut read) = (start, end, 0);
                let wall = V::splat(pivot);
                let bits = |vector: V| {
                    if WITH_EQUAL { !wall.above(vector) & ((1 << V::COUNT) - 1) } else { vector.above(wall) }
                };
                while read + AT_ONCE * V::COUNT <= count {
                    let mut vectors = [wall; AT_ONCE];
                    for (number, vector) in vectors.iter_mut().enumerate() {
                        *vector = V::load(start.add(read + number * V::COUNT));
                    }
                    for vector in vectors {
                        let mask = bits(vector);
                        let moved = usize::from(COUNTS[mask]);
                        let split = vector.split(mask);
                        split.store(low);
                        split.store(high.sub(V::COUNT));
                        low = low.add(V::COUNT - moved);
                        high = high.sub(moved);
                    }
                    read += AT_ONCE * V::COUNT;
                }
                for number in read..count {
                    let element = start.add(number).read();
                    if if WITH_EQUAL { element >= pivot } else { element > pivot } {
                        high = high.sub(1);
                        high.write(element);
                    } else {
                        low.write(element);
                        low = low.add(1);
                    }
                }
                let kept = low.offset_from_unsigned(start);
                std::ptr::copy_nonoverlapping(high, low, count - kept);
                kept
            }
        }
    }

    /// How many bits each mask has.
    static COUNTS: [u8; 256] = {
        let mut counts = [0; 256];
        let mut mask = 0;
        while mask < 256 {
            counts[mask] = (mask as u8).count_ones() as u8;
            mask += 1;
        }
        counts
    };

    /// The middle element of a sample.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[target_feature(enable = "avx2")]
    unsafe fn middle<V: Lanes<Element: Ordered>>(elements: &[V::Element]) -> V::Element {
        let wanted = if elements.len() >= LONG { SAMPLE } else { SAMPLE / 4 };
        let mut sample = [elements[0]; SAMPLE];
        // Odd steps, so that a period of the elements is not one of the sample.
        let step = (elements.len() / wanted - 1) | 1;
        for (number, one) in sample[..wanted].iter_mut().enumerate() {
            *one = elements[number * step + step / 2];
        }
        // SAFETY: the caller's; no network is shorter than a sample.
        unsafe { short::<V>(&mut sample[..wanted]) };
        sample[wanted / 2]
    }

    /// Sorts a short piece: at most [`LONGEST`] vectors.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[target_feature(enable = "avx2")]
    unsafe fn short<V: Lanes<Element: Ordered>>(elements: &mut [V::Element]) {
        let count = elements.len();
        // SAFETY: the caller's.
        unsafe {
            match count.div_ceil(V::COUNT) {
                0 => {}
                1 => padded::<V, 1>(elements),
                2 => padded::<V, 2>(elements),
                3..=4 => padded::<V, 4>(elements),
                5..=8 => padded::<V, 8>(elements),
                _ => padded::<V, LONGEST>(elements),
            }
        }
    }

    /// Sorts at most `N` vectors.
    ///
    /// # Safety
    /// The processor has AVX2, and there are no more elements.
    #[target_feature(enable = "avx2")]
    unsafe fn padded<V: Lanes<Element: Ordered>, const N: usize>(elements: &mut [V::Element]) {
        let mut room = [V::Element::GREATEST; MOST];
        room[..elements.len()].copy_from_slice(elements);
        // SAFETY: the room is of the most vectors that there are.
        unsafe {
            let mut vectors = [V::splat(V::Element::GREATEST); N];
            for (number, vector) in vectors.iter_mut().enumerate() {
                *vector = V::load(room.as_ptr().add(number * V::COUNT));
            }
            network(&mut vectors);
            for (number, vector) in vectors.iter().enumerate() {
                vector.store(room.as_mut_ptr().add(number * V::COUNT));
            }
        }
        elements.copy_from_slice(&room[..elements.len()]);
    }

    /// Compares vectors with each other, in this order: the greater lanes go to the second one.
    macro_rules! compared {
        ($vectors:ident; $($low:literal $high:literal),*) => {$(
            let (low, high) = ($vectors[$low], $vectors[$high]);
            ($vectors[$low], $vectors[$high]) = (low.min(high), low.max(high));
        )*};
    }

    /// Sorts each column of vectors: Batcher's networks.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn columns<V: Lanes, const N: usize>(vectors: &mut [V; N]) {
        // SAFETY: the caller's.
        unsafe {
            match N {
                4 => {
                    compared!(vectors;
            0 1, 2 3, 0 2, 1 3, 1 2);
                }
                8 => {
                    compared!(vectors;
            0 1, 2 3, 0 2, 1 3, 1 2, 4 5, 6 7, 4 6, 5 7, 5 6, 0 4, 2 6, 2 4, 1 5, 3 7, 3 5, 1 2, 3 4, 5 6);
                }
                16 => {
                    compared!(vectors;
            0 1, 2 3, 0 2, 1 3, 1 2, 4 5, 6 7, 4 6, 5 7, 5 6, 0 4, 2 6, 2 4, 1 5, 3 7, 3 5, 1 2, 3 4, 5 6,
            8 9, 10 11, 8 10, 9 11, 9 10, 12 13, 14 15, 12 14, 13 15, 13 14, 8 12, 10 14, 10 12, 9 13,
            11 15, 11 13, 9 10, 11 12, 13 14, 0 8, 4 12, 4 8, 2 10, 6 14, 6 10, 2 4, 6 8, 10 12, 1 9, 5 13,
            5 9, 3 11, 7 15, 7 11, 3 5, 7 9, 11 13, 1 2, 3 4, 5 6, 7 8, 9 10, 11 12, 13 14);
                }
                _ => {}
            }
        }
    }

    /// Sorts vectors: first the columns, which are turned to rows, then merges two of these, then four, …
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn network<V: Lanes, const N: usize>(vectors: &mut [V; N]) {
        let mut half = 1;
        // SAFETY: the caller's.
        unsafe {
            if N >= V::COUNT {
                columns(vectors);
                half = N / V::COUNT;
                vectors.chunks_exact_mut(V::COUNT).for_each(|square| V::turn(square));
                let rows = *vectors;
                for (number, row) in rows.into_iter().enumerate() {
                    vectors[number % V::COUNT * half + number / V::COUNT] = row;
                }
            } else {
                vectors.iter_mut().for_each(|vector| *vector = vector.sorted());
            }
        }
        while half < N {
            let mut start = 0;
            while start < N {
                let mut turned = [vectors[0]; LONGEST];
                for number in 0..half {
                    // SAFETY: the caller's.
                    turned[number] = unsafe { vectors[start + 2 * half - 1 - number].reversed() };
                }
                for number in 0..half {
                    let (one, other) = (vectors[start + number], turned[number]);
                    // SAFETY: the caller's.
                    unsafe {
                        vectors[start + number] = one.min(other);
                        vectors[start + half + number] = one.max(other);
                    }
                }
                start += 2 * half;
            }
            let mut distance = half / 2;
            while distance > 0 {
                for number in 0..N {
                    if number & distance == 0 {
                        let (one, other) = (vectors[number], vectors[number + distance]);
                        // SAFETY: the caller's.
                        unsafe {
                            vectors[number] = one.min(other);
                            vectors[number + distance] = one.max(other);
                        }
                    }
                }
                distance /= 2;
            }
            for vector in vectors.iter_mut() {
                // SAFETY: the caller's.
                *vector = unsafe { vector.merged() };
            }
            half *= 2;
        }
    }
}
