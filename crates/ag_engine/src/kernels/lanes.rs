//! Vectors of elements that are compared and moved together: what [`super::quick`] sorts with.
//!
//! ```text
//! [3 1 4 1]   step at distance 1    [1 3 1 4]     each pair in order
//! [1 3 1 4]   mirrored, distance 2  [1 1 3 4]     compared with the same lane of the reversed vector
//! [5 2 7 1]   split at 4            [2 1 5 7]     what is not above 4 first
//! ```

use core::arch::x86_64::*;
use std::mem::MaybeUninit;

/// The most lanes of a vector.
const WIDEST: usize = 16;

/// A vector of elements, none of which is NaN. The processor has AVX2 wherever a method is called.
pub(super) trait Lanes: Copy {
    /// The element.
    type Element: Copy + PartialOrd;
    /// How many elements there are.
    const COUNT: usize;
    /// # Safety
    /// `from` is readable for `COUNT` elements.
    unsafe fn load(from: *const Self::Element) -> Self;
    /// # Safety
    /// `to` is writable for `COUNT` elements.
    unsafe fn store(self, to: *mut Self::Element);
    /// The vector with elements in its first lanes, fewer than there are lanes.
    /// # Safety
    /// `from` is readable for `count` elements.
    #[inline(always)]
    unsafe fn load_first(self, from: *const Self::Element, count: usize) -> Self {
        // SAFETY: the caller's; the lanes are written before they are read, and `count` of them are fewer.
        unsafe {
            let mut lanes: [MaybeUninit<Self::Element>; WIDEST] = [const { MaybeUninit::uninit() }; WIDEST];
            let start = lanes.as_mut_ptr().cast();
            self.store(start);
            std::ptr::copy_nonoverlapping(from, start, count);
            Self::load(start)
        }
    }
    /// Writes the first lanes, fewer than there are.
    /// # Safety
    /// `to` is writable for `count` elements.
    #[inline(always)]
    unsafe fn store_first(self, to: *mut Self::Element, count: usize) {
        // SAFETY: as in `load_first`.
        unsafe {
            let mut lanes: [MaybeUninit<Self::Element>; WIDEST] = [const { MaybeUninit::uninit() }; WIDEST];
            let start = lanes.as_mut_ptr().cast();
            self.store(start);
            std::ptr::copy_nonoverlapping(start.cast_const(), to, count);
        }
    }
    /// # Safety
    /// The processor has AVX2.
    unsafe fn splat(element: Self::Element) -> Self;
    /// The lesser of each two lanes.
    /// # Safety
    /// The processor has AVX2.
    unsafe fn min(self, other: Self) -> Self;
    /// The greater of each two lanes.
    /// # Safety
    /// The processor has AVX2.
    unsafe fn max(self, other: Self) -> Self;
    /// A bit for each lane that is greater than that of the other vector.
    /// # Safety
    /// The processor has AVX2.
    unsafe fn above(self, other: Self) -> usize;
    /// The lanes whose bit is not set, then those whose bit is.
    /// # Safety
    /// The processor has AVX2.
    unsafe fn split(self, bits: usize) -> Self;
    /// The lanes from the last to the first.
    /// # Safety
    /// The processor has AVX2.
    unsafe fn reversed(self) -> Self;
    /// As many vectors as there are lanes, whose columns become rows.
    /// # Safety
    /// The processor has AVX2.
    unsafe fn turn(rows: &mut [Self]);
    /// The lanes in order.
    /// # Safety
    /// The processor has AVX2.
    unsafe fn sorted(self) -> Self;
    /// The lanes in order, if they rise and then fall, or a rotation of them does.
    /// # Safety
    /// The processor has AVX2.
    unsafe fn merged(self) -> Self;
}

/// For each mask of `N` lanes, of `8 / N` words each: the words in the order of [`Lanes::split`].
const fn table<const N: usize, const MASKS: usize>() -> [[i32; 8]; MASKS] {
    let width = 8 / N;
    let mut rows = [[0; 8]; MASKS];
    let mut mask = 0;
    while mask < MASKS {
        let (mut at, mut wanted) = (0, 0);
        while wanted < 2 {
            let mut lane = 0;
            while lane < N {
                if (mask >> lane) & 1 == wanted {
                    let mut word = 0;
                    while word < width {
                        rows[mask][at] = (lane * width + word) as i32;
                        (at, word) = (at + 1, word + 1);
                    }
                }
                lane += 1;
            }
            wanted += 1;
        }
        mask += 1;
    }
    rows
}

static OF_FOUR: [[i32; 8]; 16] = table::<4, 16>();
static OF_EIGHT: [[i32; 8]; 256] = table::<8, 256>();

/// Moves of four lanes of two words, on vectors as words.
mod of_four {
    use super::*;

    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn split(words: __m256, bits: usize) -> __m256 {
        // SAFETY: the caller's; there are as many rows as masks of four lanes.
        unsafe {
            let places = _mm256_loadu_si256(OF_FOUR[bits & 15].as_ptr().cast());
            _mm256_permutevar8x32_ps(words, places)
        }
    }

    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn reversed(words: __m256) -> __m256 {
        // SAFETY: the caller's.
        unsafe { _mm256_castpd_ps(_mm256_permute4x64_pd::<0b00_01_10_11>(_mm256_castps_pd(words))) }
    }

    /// Lane `i` becomes lane `i ^ 2`.
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn two_apart(words: __m256) -> __m256 {
        // SAFETY: the caller's.
        unsafe { _mm256_permute2f128_ps::<1>(words, words) }
    }

    /// Lane `i` becomes lane `i ^ 1`.
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn one_apart(words: __m256) -> __m256 {
        // SAFETY: the caller's.
        unsafe { _mm256_permute_ps::<0b01_00_11_10>(words) }
    }

    /// The columns of a square.
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn turned(rows: [__m256; 4]) -> [__m256; 4] {
        // SAFETY: the caller's.
        unsafe {
            let [a, b, c, d] = rows.map(|row| _mm256_castps_pd(row));
            let (low, high) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (under, over) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            let columns = [
                _mm256_permute2f128_pd::<0x20>(low, under),
                _mm256_permute2f128_pd::<0x20>(high, over),
                _mm256_permute2f128_pd::<0x31>(low, under),
                _mm256_permute2f128_pd::<0x31>(high, over),
            ];
            columns.map(|column| _mm256_castpd_ps(column))
        }
    }
}

/// Moves of eight lanes of a word.
mod of_eight {
    use super::*;

    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn split(words: __m256, bits: usize) -> __m256 {
        // SAFETY: the caller's; there are as many rows as masks of eight lanes.
        unsafe {
            let places = _mm256_loadu_si256(OF_EIGHT[bits & 255].as_ptr().cast());
            _mm256_permutevar8x32_ps(words, places)
        }
    }

    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn reversed(words: __m256) -> __m256 {
        // SAFETY: the caller's.
        unsafe { reversed_in_fours(_mm256_permute2f128_ps::<1>(words, words)) }
    }

    /// Lane `i` becomes lane `i ^ 3`.
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn reversed_in_fours(words: __m256) -> __m256 {
        // SAFETY: the caller's.
        unsafe { _mm256_permute_ps::<0b00_01_10_11>(words) }
    }

    /// Lane `i` becomes lane `i ^ 4`.
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn four_apart(words: __m256) -> __m256 {
        // SAFETY: the caller's.
        unsafe { _mm256_permute2f128_ps::<1>(words, words) }
    }

    /// Lane `i` becomes lane `i ^ 2`.
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn two_apart(words: __m256) -> __m256 {
        // SAFETY: the caller's.
        unsafe { _mm256_permute_ps::<0b01_00_11_10>(words) }
    }

    /// Lane `i` becomes lane `i ^ 1`.
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn one_apart(words: __m256) -> __m256 {
        // SAFETY: the caller's.
        unsafe { _mm256_permute_ps::<0b10_11_00_01>(words) }
    }

    /// The columns of a square.
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(super) unsafe fn turned(rows: [__m256; 8]) -> [__m256; 8] {
        // SAFETY: the caller's.
        unsafe {
            let mut columns = rows;
            // Pairs of columns of two rows, of four rows, of eight.
            for two in 0..4 {
                let (one, other) = (rows[2 * two], rows[2 * two + 1]);
                columns[2 * two] = _mm256_unpacklo_ps(one, other);
                columns[2 * two + 1] = _mm256_unpackhi_ps(one, other);
            }
            let rows = columns;
            for four in 0..2 {
                for part in 0..2 {
                    let (one, other) = (rows[4 * four + part], rows[4 * four + part + 2]);
                    columns[4 * four + 2 * part] = _mm256_shuffle_ps::<0b01_00_01_00>(one, other);
                    columns[4 * four + 2 * part + 1] = _mm256_shuffle_ps::<0b11_10_11_10>(one, other);
                }
            }
            let rows = columns;
            for column in 0..4 {
                let (one, other) = (rows[column], rows[column + 4]);
                columns[column] = _mm256_permute2f128_ps::<0x20>(one, other);
                columns[column + 4] = _mm256_permute2f128_ps::<0x31>(one, other);
            }
            columns
        }
    }
}

/// The vectors. A network is a list of steps: what each lane is compared with, and which words get the greater
/// one of the two.
macro_rules! lanes {
    ($(
        $(#[$about:meta])*
        $name:ident of $element:ty, $vector:ty, $count:literal, $moves:ident;
        words $words:path, $of_words:path;
        load $load:path;
        store $store:path;
        splat $splat:path;
        min |$x0:ident, $y0:ident| $min:expr;
        max |$x1:ident, $y1:ident| $max:expr;
        above |$x2:ident, $y2:ident| $above:expr;
        sorted $(($sorting:ident, $sorting_mask:literal))*;
        merged $(($merging:ident, $merging_mask:literal))*;
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(super) struct $name($vector);

        impl Lanes for $name {
            type Element = $element;
            const COUNT: usize = $count;
            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                // SAFETY: the caller's.
                unsafe { Self($load(from.cast())) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                // SAFETY: the caller's.
                unsafe { $store(to.cast(), self.0) }
            }
            #[inline(always)]
            unsafe fn splat(element: $element) -> Self {
                // SAFETY: the caller's.
                unsafe { Self($splat(element)) }
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                let ($x0, $y0) = (self.0, other.0);
                // SAFETY: the caller's.
                unsafe { Self($min) }
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                let ($x1, $y1) = (self.0, other.0);
                // SAFETY: the caller's.
                unsafe { Self($max) }
            }
            #[inline(always)]
            unsafe fn above(self, other: Self) -> usize {
                let ($x2, $y2) = (self.0, other.0);
                // SAFETY: the caller's.
                unsafe { $above as usize }
            }
            #[inline(always)]
            unsafe fn split(self, bits: usize) -> Self {
                // SAFETY: the caller's.
                unsafe { Self($of_words($moves::split($words(self.0), bits))) }
            }
            #[inline(always)]
            unsafe fn reversed(self) -> Self {
                // SAFETY: the caller's.
                unsafe { Self($of_words($moves::reversed($words(self.0)))) }
            }
            #[inline(always)]
            unsafe fn turn(rows: &mut [Self]) {
                let Ok(rows) = <&mut [Self; $count]>::try_from(rows) else { return };
                // SAFETY: the caller's.
                unsafe { *rows = $moves::turned(rows.map(|row| $words(row.0))).map(|row| Self($of_words(row))) };
            }
            #[inline(always)]
            unsafe fn sorted(self) -> Self {
                let one = self;
                // SAFETY: the caller's.
                unsafe {
                    $(
                        let other = Self($of_words($moves::$sorting($words(one.0))));
                        let (low, high) = ($words(one.min(other).0), $words(one.max(other).0));
                        let one = Self($of_words(_mm256_blend_ps::<$sorting_mask>(low, high)));
                    )*
                    one
                }
            }
            #[inline(always)]
            unsafe fn merged(self) -> Self {
                let one = self;
                // SAFETY: the caller's.
                unsafe {
                    $(
                        let other = Self($of_words($moves::$merging($words(one.0))));
                        let (low, high) = ($words(one.min(other).0), $words(one.max(other).0));
                        let one = Self($of_words(_mm256_blend_ps::<$merging_mask>(low, high)));
                    )*
                    one
                }
            }
        }
    )*};
}

lanes! {
    /// Four doubles.
    F64 of f64, __m256d, 4, of_four;
        words _mm256_castpd_ps, _mm256_castps_pd;
        load _mm256_loadu_pd;
        store _mm256_storeu_pd;
        splat _mm256_set1_pd;
        min |x, y| _mm256_min_pd(x, y);
        max |x, y| _mm256_max_pd(x, y);
        above |x, y| _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(x, y));
        sorted (one_apart, 0b1100_1100) (reversed, 0b1111_0000) (one_apart, 0b1100_1100);
        merged (two_apart, 0b1111_0000) (one_apart, 0b1100_1100);

    /// Four integers of 64 bits.
    I64 of i64, __m256i, 4, of_four;
        words _mm256_castsi256_ps, _mm256_castps_si256;
        load _mm256_loadu_si256;
        store _mm256_storeu_si256;
        splat _mm256_set1_epi64x;
        min |x, y| _mm256_blendv_epi8(x, y, _mm256_cmpgt_epi64(x, y));
        max |x, y| _mm256_blendv_epi8(y, x, _mm256_cmpgt_epi64(x, y));
        above |x, y| _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(x, y)));
        sorted (one_apart, 0b1100_1100) (reversed, 0b1111_0000) (one_apart, 0b1100_1100);
        merged (two_apart, 0b1111_0000) (one_apart, 0b1100_1100);

    /// Eight singles.
    F32 of f32, __m256, 8, of_eight;
        words core::convert::identity, core::convert::identity;
        load _mm256_loadu_ps;
        store _mm256_storeu_ps;
        splat _mm256_set1_ps;
        min |x, y| _mm256_min_ps(x, y);
        max |x, y| _mm256_max_ps(x, y);
        above |x, y| _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(x, y));
        sorted (one_apart, 0b1010_1010) (reversed_in_fours, 0b1100_1100) (one_apart, 0b1010_1010)
            (reversed, 0b1111_0000) (two_apart, 0b1100_1100) (one_apart, 0b1010_1010);
        merged (four_apart, 0b1111_0000) (two_apart, 0b1100_1100) (one_apart, 0b1010_1010);

    /// Eight integers of 32 bits.
    I32 of i32, __m256i, 8, of_eight;
        words _mm256_castsi256_ps, _mm256_castps_si256;
        load _mm256_loadu_si256;
        store _mm256_storeu_si256;
        splat _mm256_set1_epi32;
        min |x, y| _mm256_min_epi32(x, y);
        max |x, y| _mm256_max_epi32(x, y);
        above |x, y| _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(x, y)));
        sorted (one_apart, 0b1010_1010) (reversed_in_fours, 0b1100_1100) (one_apart, 0b1010_1010)
            (reversed, 0b1111_0000) (two_apart, 0b1100_1100) (one_apart, 0b1010_1010);
        merged (four_apart, 0b1111_0000) (two_apart, 0b1100_1100) (one_apart, 0b1010_1010);
}
