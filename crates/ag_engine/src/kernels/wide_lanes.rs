//! The vectors of [`super::lanes`] with AVX-512: twice as many elements.
//!
//! All moves are permutations of words whose tables are made here; lane `i` of a moved vector is lane `i ^
//! k`.

use core::arch::x86_64::*;

use super::lanes::Lanes;

/// The words of the lanes `i ^ k`, for `LANES` lanes.
const fn exchanged<const LANES: usize>(k: usize) -> [i32; 16] {
    let width = 16 / LANES;
    let mut words = [0; 16];
    let mut word = 0;
    while word < 16 {
        words[word] = (((word / width) ^ k) * width + word % width) as i32;
        word += 1;
    }
    words
}

/// The words of a square's rows after blocks at this distance have changed places: those of the earlier row
/// and of the later row. Words from 16 on are of the later row.
const fn turned<const LANES: usize>(distance: usize) -> [[i32; 16]; 2] {
    let (width, moved) = (16 / LANES, exchanged::<LANES>(distance));
    let mut rows = [[0; 16]; 2];
    let mut word = 0;
    while word < 16 {
        let is_later = (word / width) & distance != 0;
        rows[0][word] = if is_later { 16 + moved[word] } else { word as i32 };
        rows[1][word] = if is_later { 16 + word as i32 } else { moved[word] };
        word += 1;
    }
    rows
}

/// For each mask of eight lanes, the lanes in the order of [`Lanes::split`], a byte each.
static OF_EIGHT: [u64; 256] = {
    let mut rows = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut at, mut wanted) = (0, 0);
        while wanted < 2 {
            let mut lane = 0;
            while lane < 8 {
                if (mask >> lane) & 1 == wanted {
                    rows[mask] |= (lane as u64) << (8 * at);
                    at += 1;
                }
                lane += 1;
            }
            wanted += 1;
        }
        mask += 1;
    }
    rows
};

/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn permuted(words: __m512, places: &[i32; 16]) -> __m512 {
    // SAFETY: the caller's; there is a vector of places.
    unsafe { _mm512_permutexvar_ps(_mm512_loadu_si512(places.as_ptr().cast()), words) }
}

/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn split_of_eight(words: __m512, bits: usize) -> __m512 {
    // SAFETY: the caller's; there are as many rows as masks of eight lanes.
    unsafe {
        let places = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(OF_EIGHT[bits & 255].cast_signed()));
        _mm512_castpd_ps(_mm512_permutexvar_pd(places, _mm512_castps_pd(words)))
    }
}

/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn split_of_sixteen(words: __m512, bits: usize) -> __m512 {
    let mask = bits as __mmask16;
    // As many bits as the mask has, from the highest down.
    let last = !(0xffff_u32 >> mask.count_ones()) as __mmask16;
    // SAFETY: the caller's.
    unsafe {
        let (first, others) = (_mm512_maskz_compress_ps(!mask, words), _mm512_maskz_compress_ps(mask, words));
        _mm512_mask_expand_ps(first, last, others)
    }
}

/// The vectors. A network is a list of steps: what each lane is compared with, and which lanes get the
/// greater one.
macro_rules! wide_lanes {
    ($(
        $(#[$about:meta])*
        $name:ident of $element:ty, $vector:ty, $count:literal, $split:ident;
        words $words:path, $of_words:path;
        load $load:path;
        store $store:path;
        first $load_first:path, $store_first:path;
        splat $splat:path;
        blend $blend:path;
        min $min:path;
        max $max:path;
        above |$x:ident, $y:ident| $above:expr;
        turned $($distance:literal)*;
        sorted $(($sorting:literal, $sorting_mask:literal))*;
        merged $(($merging:literal, $merging_mask:literal))*;
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(super) struct $name($vector);

        impl $name {
            /// Compares each lane `i` with lane `i ^ K`; lanes of the mask get the greater one.
            /// # Safety
            /// The processor has AVX-512.
            #[inline(always)]
            unsafe fn step<const K: usize>(self, mask: u16) -> Self {
                // SAFETY: the caller's.
                unsafe {
                    let other = $of_words(permuted($words(self.0), const { &exchanged::<$count>(K) }));
                    Self($blend(mask as _, $min(self.0, other), $max(self.0, other)))
                }
            }

            /// Exchanges blocks of the rows of a square.
            /// # Safety
            /// The processor has AVX-512.
            #[inline(always)]
            unsafe fn exchange<const DISTANCE: usize>(rows: &mut [Self; $count]) {
                let [early, late] = const { &turned::<$count>(DISTANCE) };
                for number in 0..$count {
                    if number & DISTANCE != 0 {
                        continue;
                    }
                    // SAFETY: the caller's; there are vectors of places.
                    unsafe {
                        let (early, late) = (
                            _mm512_loadu_si512(early.as_ptr().cast()),
                            _mm512_loadu_si512(late.as_ptr().cast()),
                        );
                        let (one, other) = ($words(rows[number].0), $words(rows[number + DISTANCE].0));
                        rows[number] = Self($of_words(_mm512_permutex2var_ps(one, early, other)));
                        rows[number + DISTANCE] = Self($of_words(_mm512_permutex2var_ps(one, late, other)));
                    }
                }
            }
        }

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
            unsafe fn load_first(self, from: *const $element, count: usize) -> Self {
                // SAFETY: the caller's; lanes that are not of the mask are not read.
                unsafe { Self($load_first(self.0, ((1_u32 << count) - 1) as _, from.cast())) }
            }
            #[inline(always)]
            unsafe fn store_first(self, to: *mut $element, count: usize) {
                // SAFETY: the caller's; lanes that are not of the mask are not written.
                unsafe { $store_first(to.cast(), ((1_u32 << count) - 1) as _, self.0) }
            }
            #[inline(always)]
            unsafe fn splat(element: $element) -> Self {
                // SAFETY: the caller's.
                unsafe { Self($splat(element)) }
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                // SAFETY: the caller's.
                unsafe { Self($min(self.0, other.0)) }
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                // SAFETY: the caller's.
                unsafe { Self($max(self.0, other.0)) }
            }
            #[inline(always)]
            unsafe fn above(self, other: Self) -> usize {
                let ($x, $y) = (self.0, other.0);
                // SAFETY: the caller's.
                unsafe { $above as usize }
            }
            #[inline(always)]
            unsafe fn split(self, bits: usize) -> Self {
                // SAFETY: the caller's.
                unsafe { Self($of_words($split($words(self.0), bits))) }
            }
            #[inline(always)]
            unsafe fn reversed(self) -> Self {
                // SAFETY: the caller's.
                unsafe { Self($of_words(permuted($words(self.0), const { &exchanged::<$count>($count - 1) }))) }
            }
            #[inline(always)]
            unsafe fn turn(rows: &mut [Self]) {
                let Ok(rows) = <&mut [Self; $count]>::try_from(rows) else { return };
                // SAFETY: the caller's.
                unsafe { $(Self::exchange::<$distance>(rows);)* }
            }
            #[inline(always)]
            unsafe fn sorted(self) -> Self {
                // SAFETY: the caller's.
                unsafe { self$(.step::<$sorting>($sorting_mask))* }
            }
            #[inline(always)]
            unsafe fn merged(self) -> Self {
                // SAFETY: the caller's.
                unsafe { self$(.step::<$merging>($merging_mask))* }
            }
        }
    )*};
}

wide_lanes! {
    /// Eight doubles.
    F64 of f64, __m512d, 8, split_of_eight;
        words _mm512_castpd_ps, _mm512_castps_pd;
        load _mm512_loadu_pd;
        store _mm512_storeu_pd;
        first _mm512_mask_loadu_pd, _mm512_mask_storeu_pd;
        splat _mm512_set1_pd;
        blend _mm512_mask_blend_pd;
        min _mm512_min_pd;
        max _mm512_max_pd;
        above |x, y| _mm512_cmp_pd_mask::<_CMP_GT_OQ>(x, y);
        turned 1 2 4;
        sorted (1, 0xaa) (3, 0xcc) (1, 0xaa) (7, 0xf0) (2, 0xcc) (1, 0xaa);
        merged (4, 0xf0) (2, 0xcc) (1, 0xaa);

    /// Eight integers of 64 bits.
    I64 of i64, __m512i, 8, split_of_eight;
        words _mm512_castsi512_ps, _mm512_castps_si512;
        load _mm512_loadu_si512;
        store _mm512_storeu_si512;
        first _mm512_mask_loadu_epi64, _mm512_mask_storeu_epi64;
        splat _mm512_set1_epi64;
        blend _mm512_mask_blend_epi64;
        min _mm512_min_epi64;
        max _mm512_max_epi64;
        above |x, y| _mm512_cmpgt_epi64_mask(x, y);
        turned 1 2 4;
        sorted (1, 0xaa) (3, 0xcc) (1, 0xaa) (7, 0xf0) (2, 0xcc) (1, 0xaa);
        merged (4, 0xf0) (2, 0xcc) (1, 0xaa);

    /// Sixteen singles.
    F32 of f32, __m512, 16, split_of_sixteen;
        words core::convert::identity, core::convert::identity;
        load _mm512_loadu_ps;
        store _mm512_storeu_ps;
        first _mm512_mask_loadu_ps, _mm512_mask_storeu_ps;
        splat _mm512_set1_ps;
        blend _mm512_mask_blend_ps;
        min _mm512_min_ps;
        max _mm512_max_ps;
        above |x, y| _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, y);
        turned 1 2 4 8;
        sorted (1, 0xaaaa) (3, 0xcccc) (1, 0xaaaa) (7, 0xf0f0) (2, 0xcccc) (1, 0xaaaa)
            (15, 0xff00) (4, 0xf0f0) (2, 0xcccc) (1, 0xaaaa);
        merged (8, 0xff00) (4, 0xf0f0) (2, 0xcccc) (1, 0xaaaa);

    /// Sixteen integers of 32 bits.
    I32 of i32, __m512i, 16, split_of_sixteen;
        words _mm512_castsi512_ps, _mm512_castps_si512;
        load _mm512_loadu_si512;
        store _mm512_storeu_si512;
        first _mm512_mask_loadu_epi32, _mm512_mask_storeu_epi32;
        splat _mm512_set1_epi32;
        blend _mm512_mask_blend_epi32;
        min _mm512_min_epi32;
        max _mm512_max_epi32;
        above |x, y| _mm512_cmpgt_epi32_mask(x, y);
        turned 1 2 4 8;
        sorted (1, 0xaaaa) (3, 0xcccc) (1, 0xaaaa) (7, 0xf0f0) (2, 0xcccc) (1, 0xaaaa)
            (15, 0xff00) (4, 0xf0f0) (2, 0xcccc) (1, 0xaaaa);
        merged (8, 0xff00) (4, 0xf0f0) (2, 0xcccc) (1, 0xaaaa);
}
