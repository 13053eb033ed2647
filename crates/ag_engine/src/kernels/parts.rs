//! What [`super::quick`] does with vectors, compiled for each set of their instructions.

/// Compares vectors with each other, in this order: the greater lanes go to the second one.
macro_rules! compared {
    ($vectors:ident; $($low:literal $high:literal),*) => {$(
        let (low, high) = ($vectors[$low], $vectors[$high]);
        ($vectors[$low], $vectors[$high]) = (low.min(high), low.max(high));
    )*};
}

macro_rules! parts {
    ($(#[$about:meta])* $name:ident, $features:literal) => {
        $(#[$about])*
        pub(super) mod $name {
            use ag_ir::Host;

            use super::super::KernelResult;
            use super::super::effort::count_work;
            use super::super::lanes::Lanes;
            use super::super::quick::{Ordered, by_library};

            /// The most vectors of a network.
            const LONGEST: usize = 16;
            /// The most elements of a vector.
            const WIDEST: usize = 16;
            /// How many vectors are parted before the next are read.
            const AT_ONCE: usize = 4;
            /// How many elements are looked at for one to part at; fewer of a shorter piece.
            const SAMPLE: usize = 64;
            /// How far beyond the wanted ranks a piece is parted, in elements of a sample.
            const BEYOND: usize = 2;
            /// The length from which on a piece has a large sample.
            const LONG: usize = 4096;

            /// What is needed while elements are parted.
            pub(crate) struct Parts<'a, T> {
                /// Room for the elements that are moved to the end of a piece.
                pub(crate) other: &'a mut [T],
                /// Asked now and then.
                pub(crate) host: &'a mut dyn Host,
            }

            impl<T: Ordered> Parts<'_, T> {
                /// Sorts a piece whose first element has this rank, or only as far as the wanted ranks need
                /// it.
                ///
                /// # Safety
                /// The processor has the instructions, and there is room for the piece (`quick::room`).
                #[target_feature(enable = $features)]
                pub(crate) unsafe fn part<V: Lanes<Element = T>>(
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
                        let pivot = unsafe { element_of_sample::<V>(elements, first, ranks) };
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

                /// Moves the elements above the pivot, or those that are not below it, behind the others.
                /// Returns how many others there are.
                ///
                /// # Safety
                /// That of [`Self::part`].
                #[target_feature(enable = $features)]
                unsafe fn part_at<V: Lanes<Element = T>, const WITH_EQUAL: bool>(
                    &mut self,
                    elements: &mut [T],
                    pivot: T,
                ) -> usize {
                    let (count, room) = (elements.len(), self.other.len());
                    let start = elements.as_mut_ptr();
                    // SAFETY: elements that stay are written over those that have been read; the others are
                    // written from the end of their room on, and at most a vector more than there are
                    // elements.
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
                                let moved = mask.count_ones() as usize;
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

            /// The element of a sample to part at: the middle one, or one a little beyond where the wanted ranks are,
            /// if these are all near an end.
            ///
            /// # Safety
            /// The processor has the instructions.
            #[target_feature(enable = $features)]
            unsafe fn element_of_sample<V: Lanes<Element: Ordered>>(
                elements: &[V::Element],
                first: usize,
                ranks: Option<&[usize]>,
            ) -> V::Element {
                let wanted = if elements.len() >= LONG { SAMPLE } else { SAMPLE / 4 };
                let mut sample = [elements[0]; SAMPLE];
                // Odd steps, so that a period of the elements is not one of the sample.
                let step = (elements.len() / wanted - 1) | 1;
                for (number, one) in sample[..wanted].iter_mut().enumerate() {
                    *one = elements[number * step + step / 2];
                }
                // SAFETY: the caller's; no network is shorter than a sample.
                unsafe { short::<V>(&mut sample[..wanted]) };
                let place = |rank: usize| (rank - first).min(elements.len()) * wanted / elements.len();
                let ends = ranks.and_then(|ranks| Some([place(*ranks.first()?), place(*ranks.last()?)]));
                sample[match ends {
                    Some([_, most]) if most + BEYOND < wanted / 2 => most + BEYOND,
                    Some([least, _]) if least > wanted / 2 + BEYOND => least - BEYOND,
                    _ => wanted / 2,
                }]
            }

            /// Sorts a short piece: at most [`LONGEST`] vectors.
            ///
            /// # Safety
            /// The processor has the instructions.
            #[target_feature(enable = $features)]
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
            /// The processor has the instructions, and there are no more elements.
            #[target_feature(enable = $features)]
            unsafe fn padded<V: Lanes<Element: Ordered>, const N: usize>(elements: &mut [V::Element]) {
                let count = elements.len();
                let (whole, rest) = elements.split_at_mut(count / V::COUNT * V::COUNT);
                let mut last = [V::Element::GREATEST; WIDEST];
                last[..rest.len()].copy_from_slice(rest);
                // SAFETY: whole vectors are within the elements (K9), the last one is within its room.
                unsafe {
                    let mut vectors = [V::splat(V::Element::GREATEST); N];
                    for (number, vector) in vectors.iter_mut().enumerate() {
                        let (start, end) = (number * V::COUNT, (number + 1) * V::COUNT);
                        if end <= count {
                            *vector = V::load(whole.as_ptr().add(start));
                        } else if start < count {
                            *vector = V::load(last.as_ptr());
                        }
                    }
                    network(&mut vectors);
                    for (number, vector) in vectors.iter().enumerate() {
                        let (start, end) = (number * V::COUNT, (number + 1) * V::COUNT);
                        if end <= count {
                            vector.store(whole.as_mut_ptr().add(start));
                        } else if start < count {
                            vector.store(last.as_mut_ptr());
                        }
                    }
                }
                rest.copy_from_slice(&last[..rest.len()]);
            }

            /// Sorts each column of vectors: Batcher's networks.
            ///
            /// # Safety
            /// The processor has the instructions.
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

            /// Sorts vectors: first the columns, which are turned to rows, then merges two of these, then
            /// four, …
            ///
            /// All indices are known to the compiler, which keeps the vectors in registers.
            ///
            /// # Safety
            /// The processor has the instructions.
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
                    if half == 1 {
                        merge::<V, N, 1>(vectors);
                    }
                    if half <= 2 {
                        merge::<V, N, 2>(vectors);
                    }
                    if half <= 4 {
                        merge::<V, N, 4>(vectors);
                    }
                    merge::<V, N, 8>(vectors);
                }
            }

            /// Merges sorted pieces of `HALF` vectors, two at a time.
            ///
            /// # Safety
            /// The processor has the instructions.
            #[inline(always)]
            unsafe fn merge<V: Lanes, const N: usize, const HALF: usize>(vectors: &mut [V; N]) {
                if HALF >= N {
                    return;
                }
                for piece in vectors.chunks_exact_mut(2 * HALF) {
                    let mut turned = [piece[0]; HALF];
                    for number in 0..HALF {
                        // SAFETY: the caller's.
                        turned[number] = unsafe { piece[2 * HALF - 1 - number].reversed() };
                    }
                    for number in 0..HALF {
                        let (one, other) = (piece[number], turned[number]);
                        // SAFETY: the caller's.
                        unsafe { (piece[number], piece[HALF + number]) = (one.min(other), one.max(other)) };
                    }
                }
                // SAFETY: the caller's.
                unsafe {
                    if HALF > 4 {
                        compare_apart::<V, N, 4>(vectors);
                    }
                    if HALF > 2 {
                        compare_apart::<V, N, 2>(vectors);
                    }
                    if HALF > 1 {
                        compare_apart::<V, N, 1>(vectors);
                    }
                    for number in 0..N {
                        vectors[number] = vectors[number].merged();
                    }
                }
            }

            /// Compares vectors at a distance: the greater lanes go to the later ones.
            ///
            /// # Safety
            /// The processor has the instructions.
            #[inline(always)]
            unsafe fn compare_apart<V: Lanes, const N: usize, const DISTANCE: usize>(vectors: &mut [V; N]) {
                for piece in vectors.chunks_exact_mut(2 * DISTANCE) {
                    for number in 0..DISTANCE {
                        let (one, other) = (piece[number], piece[number + DISTANCE]);
                        // SAFETY: the caller's.
                        unsafe { (piece[number], piece[number + DISTANCE]) = (one.min(other), one.max(other)) };
                    }
                }
            }
        }
    };
}

parts!(
    /// With AVX2.
    avx2, "avx2,popcnt"
);
parts!(
    /// With AVX-512.
    avx512, "avx2,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
);
