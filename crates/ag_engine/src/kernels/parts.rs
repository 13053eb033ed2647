//! What [`super::quick`] does with vectors, compiled for each set of their instructions.

macro_rules! parts {
    ($(#[$about:meta])* $name:ident, $features:literal) => {
        $(#[$about])*
        pub(super) mod $name {
            use ag_ir::Host;

            use super::super::KernelResult;
            use super::super::effort::count_work;
            use super::super::lanes::Lanes;
            use super::super::networks;
            use super::super::quick::{Ordered, by_library};

            /// The vectors of the longest network.
            const LONGEST: usize = 16;
            /// How many elements are looked at for NaN before one ends it.
            const PIECE: usize = 1 << 10;
            /// How many vectors are parted before the next are read.
            const AT_ONCE: usize = 4;
            /// How many elements are looked at for one to part at; fewer of a shorter piece.
            const SAMPLE: usize = 64;
            /// How far beyond the wanted ranks a piece is parted, in elements of a sample.
            const BEYOND: usize = 2;
            /// The length from which on a piece has a large sample.
            const LONG: usize = 4096;

            /// What is parted, and where to.
            pub(crate) struct Parts<'a, T> {
                /// The elements, and where all are in the end.
                pub(crate) elements: &'a mut [T],
                /// As much room. A piece is in one of both, and its greater elements go to the other one, to
                /// the places that are theirs in the end.
                pub(crate) other: &'a mut [T],
                /// Asked now and then.
                pub(crate) host: &'a mut dyn Host,
            }

            /// Elements that stand together.
            #[derive(Clone, Copy)]
            pub(crate) struct Piece {
                /// The rank of the first one, which is its place too.
                pub(crate) first: usize,
                /// How many there are.
                pub(crate) count: usize,
                /// Whether they are in the other room.
                pub(crate) is_apart: bool,
            }

            impl<T: Ordered> Parts<'_, T> {
                /// Where a piece is, and its places in the other one of both rooms.
                fn places(&mut self, piece: Piece) -> (*mut T, *mut T) {
                    let range = piece.first..piece.first + piece.count;
                    let both = (self.elements[range.clone()].as_mut_ptr(), self.other[range].as_mut_ptr());
                    if piece.is_apart { (both.1, both.0) } else { both }
                }

                /// Moves a piece to where its elements are in the end.
                fn bring(&mut self, piece: Piece) {
                    if piece.is_apart {
                        let range = piece.first..piece.first + piece.count;
                        self.elements[range.clone()].copy_from_slice(&self.other[range]);
                    }
                }

                /// Sorts a piece, or only as far as the wanted ranks need it.
                ///
                /// # Safety
                /// The processor has the instructions.
                #[target_feature(enable = $features)]
                pub(crate) unsafe fn part<V: Lanes<Element = T>>(
                    &mut self,
                    piece: Piece,
                    ranks: Option<&[usize]>,
                    depth: u32,
                ) -> KernelResult {
                    let (mut piece, mut ranks, mut depth) = (piece, ranks, depth);
                    loop {
                        let Piece { first, count, is_apart } = piece;
                        if ranks.is_some_and(<[usize]>::is_empty) {
                            self.bring(piece);
                            return Ok(());
                        }
                        let (from, to) = self.places(piece);
                        if count <= 2 * LONGEST * V::COUNT {
                            // SAFETY: the caller's; there are so many elements, and the piece is not too long.
                            unsafe { short::<V>(from, if is_apart { to } else { from }, count) };
                            return Ok(());
                        }
                        if depth == 0 {
                            self.bring(piece);
                            return by_library(&mut self.elements[first..first + count], first, ranks, self.host);
                        }
                        depth -= 1;
                        // SAFETY: the caller's; there are so many elements, and as much room.
                        let (pivot, mut kept) = unsafe {
                            let pivot = element_of_sample::<V>(from, count, first, ranks);
                            (pivot, part_at::<V, false>(from, to, count, pivot))
                        };
                        let is_greatest = kept == count;
                        if is_greatest {
                            // SAFETY: the caller's; there are so many elements, and as much room.
                            kept = unsafe { part_at::<V, true>(from, to, count, pivot) };
                        }
                        count_work(count / 2, self.host)?;
                        let after = Piece { first: first + kept, count: count - kept, is_apart: !is_apart };
                        let cut =
                            ranks.map(|ranks| ranks.split_at(ranks.partition_point(|rank| *rank < first + kept)));
                        if is_greatest {
                            // They are all equal.
                            self.bring(after);
                        } else {
                            // SAFETY: the caller's.
                            unsafe { self.part::<V>(after, cut.map(|cut| cut.1), depth)? };
                        }
                        (piece.count, ranks) = (kept, cut.map(|cut| cut.0));
                    }
                }
            }

            /// Whether an element is not equal to itself.
            ///
            /// # Safety
            /// The processor has the instructions.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn has_nan<T: Ordered>(elements: &[T]) -> bool {
                elements.chunks(PIECE).any(|piece| piece.iter().fold(false, |has, one| has | (*one != *one)))
            }

            /// Moves the elements above the pivot, or those that are not below it, to the last of as many other
            /// places, and the others to the first of their own. Returns how many others there are.
            ///
            /// # Safety
            /// The processor has the instructions, and there are so many elements and other places.
            #[target_feature(enable = $features)]
            unsafe fn part_at<V: Lanes<Element: Ordered>, const WITH_EQUAL: bool>(
                start: *mut V::Element,
                apart: *mut V::Element,
                count: usize,
                pivot: V::Element,
            ) -> usize {
                // SAFETY: elements that stay are written over those that have been read. No more are moved than
                // have been read, so that a vector that is written below them is within their places.
                unsafe {
                    let (mut low, mut high, mut read) = (start, apart.add(count), 0);
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
                    low.offset_from_unsigned(start)
                }
            }

            /// The element of a sample to part at: the middle one, or one a little beyond where the wanted ranks are,
            /// if these are all near an end.
            ///
            /// # Safety
            /// The processor has the instructions, and there are so many elements.
            #[target_feature(enable = $features)]
            unsafe fn element_of_sample<V: Lanes<Element: Ordered>>(
                elements: *const V::Element,
                count: usize,
                first: usize,
                ranks: Option<&[usize]>,
            ) -> V::Element {
                let wanted = if count >= LONG { SAMPLE } else { SAMPLE / 4 };
                // Odd steps, so that a period of the elements is not one of the sample.
                let step = (count / wanted - 1) | 1;
                let mut sample = [V::Element::GREATEST; SAMPLE];
                // SAFETY: the caller's; the sample is within the elements, and not longer than a network.
                unsafe {
                    for (number, one) in sample[..wanted].iter_mut().enumerate() {
                        *one = elements.add(number * step + step / 2).read();
                    }
                    let start = sample.as_mut_ptr();
                    short::<V>(start, start, wanted);
                }
                let place = |rank: usize| (rank - first).min(count) * wanted / count;
                let ends = ranks.and_then(|ranks| Some([place(*ranks.first()?), place(*ranks.last()?)]));
                sample[match ends {
                    Some([_, most]) if most + BEYOND < wanted / 2 => most + BEYOND,
                    Some([least, _]) if least > wanted / 2 + BEYOND => least - BEYOND,
                    _ => wanted / 2,
                }]
            }

            /// Sorts a short piece, which may be moved: at most twice [`LONGEST`] vectors.
            ///
            /// # Safety
            /// The processor has the instructions, and there are so many elements in both places.
            #[target_feature(enable = $features)]
            unsafe fn short<V: Lanes<Element: Ordered>>(from: *const V::Element, to: *mut V::Element, count: usize) {
                // SAFETY: the caller's.
                unsafe {
                    match count.div_ceil(V::COUNT) {
                        0 => {}
                        1 => single::<V, 1>(from, to, count),
                        2 => single::<V, 2>(from, to, count),
                        3..=4 => single::<V, 4>(from, to, count),
                        5..=8 => single::<V, 8>(from, to, count),
                        9..=16 => single::<V, LONGEST>(from, to, count),
                        17..=24 => double::<V, 8>(from, to, count),
                        _ => double::<V, LONGEST>(from, to, count),
                    }
                }
            }

            /// Sorts at most `N` vectors.
            ///
            /// # Safety
            /// The processor has the instructions, and there are so many elements in both places.
            #[inline(never)]
            #[target_feature(enable = $features)]
            unsafe fn single<V: Lanes<Element: Ordered>, const N: usize>(
                from: *const V::Element,
                to: *mut V::Element,
                count: usize,
            ) {
                // SAFETY: the caller's.
                unsafe {
                    let mut vectors = loaded::<V, N>(from, count);
                    networks::sort(&mut vectors);
                    store(&vectors, to, count);
                }
            }

            /// Sorts [`LONGEST`] vectors and at most `N` more.
            ///
            /// # Safety
            /// That of [`single`].
            #[target_feature(enable = $features)]
            unsafe fn double<V: Lanes<Element: Ordered>, const N: usize>(
                from: *const V::Element,
                to: *mut V::Element,
                count: usize,
            ) {
                let half = LONGEST * V::COUNT;
                // SAFETY: the caller's.
                unsafe {
                    single::<V, LONGEST>(from, to, half);
                    single::<V, N>(from.add(half), to.add(half), count - half);
                    let mut high = loaded::<V, N>(to.add(half), count - half);
                    let mut low = loaded::<V, LONGEST>(to, half);
                    networks::merge_shorter(&mut low, &mut high);
                    store(&low, to, half);
                    store(&high, to.add(half), count - half);
                }
            }

            /// Vectors of elements; lanes for which there are none are the greatest.
            ///
            /// # Safety
            /// That of [`single`].
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn loaded<V: Lanes<Element: Ordered>, const N: usize>(from: *const V::Element, count: usize) -> [V; N] {
                let (whole, rest) = (count / V::COUNT, count % V::COUNT);
                // SAFETY: the caller's.
                unsafe {
                    let mut vectors = [V::splat(V::Element::GREATEST); N];
                    for (number, vector) in vectors.iter_mut().enumerate() {
                        let start = from.wrapping_add(number * V::COUNT);
                        if number < whole {
                            *vector = V::load(start);
                        } else if number == whole && rest > 0 {
                            *vector = vector.load_first(start, rest);
                        }
                    }
                    vectors
                }
            }

            /// Writes the first elements of vectors.
            ///
            /// # Safety
            /// That of [`single`].
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn store<V: Lanes<Element: Ordered>, const N: usize>(vectors: &[V; N], to: *mut V::Element, count: usize) {
                let (whole, rest) = (count / V::COUNT, count % V::COUNT);
                // SAFETY: the caller's.
                unsafe {
                    for (number, vector) in vectors.iter().enumerate() {
                        let start = to.wrapping_add(number * V::COUNT);
                        if number < whole {
                            vector.store(start);
                        } else if number == whole && rest > 0 {
                            vector.store_first(start, rest);
                        }
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
