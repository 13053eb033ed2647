//! Vectors of floats, as chains use them: one interface, three sets of instructions.
//!
//! The functions are always inlined into loops that are compiled for the instruction set. Called from
//! elsewhere they would be slow or, on a processor without the set, undefined.

use crate::kernels::elementwise::Float;

/// A vector of floats.
pub(super) trait Lanes: Copy {
    /// The element.
    type Element: Float;
    /// How many elements.
    const LANES: usize;
    /// All the same.
    ///
    /// # Safety
    /// The processor has the instructions; this holds for all functions here.
    unsafe fn splat(value: Self::Element) -> Self;
    /// The elements at a pointer.
    ///
    /// # Safety
    /// As for [`Self::splat`], and the elements are readable.
    unsafe fn load(from: *const Self::Element) -> Self;
    /// The first `count < LANES` elements at a pointer, then zeros.
    ///
    /// # Safety
    /// As for [`Self::splat`], and those elements are readable.
    unsafe fn load_first(from: *const Self::Element, count: usize) -> Self;
    /// Writes all elements.
    ///
    /// # Safety
    /// As for [`Self::splat`], and the place is writable.
    unsafe fn store(self, to: *mut Self::Element);
    /// Writes the first `count < LANES` elements.
    ///
    /// # Safety
    /// As for [`Self::splat`], and so much of the place is writable.
    unsafe fn store_first(self, to: *mut Self::Element, count: usize);
    /// `self + other`.
    ///
    /// # Safety
    /// As for [`Self::splat`].
    unsafe fn plus(self, other: Self) -> Self;
    /// `self - other`.
    ///
    /// # Safety
    /// As for [`Self::splat`].
    unsafe fn minus(self, other: Self) -> Self;
    /// `self * other`.
    ///
    /// # Safety
    /// As for [`Self::splat`].
    unsafe fn times(self, other: Self) -> Self;
    /// `self / other`.
    ///
    /// # Safety
    /// As for [`Self::splat`].
    unsafe fn over(self, other: Self) -> Self;
    /// `-self`.
    ///
    /// # Safety
    /// As for [`Self::splat`].
    unsafe fn negated(self) -> Self;
    /// `abs(self)`.
    ///
    /// # Safety
    /// As for [`Self::splat`].
    unsafe fn magnitude(self) -> Self;
    /// `sqrt(self)`.
    ///
    /// # Safety
    /// As for [`Self::splat`].
    unsafe fn root(self) -> Self;
}

/// Numbers themselves: the compiler makes vectors of several where it can.
macro_rules! numbers {
    ($t:ty) => {
        impl Lanes for $t {
            type Element = $t;
            const LANES: usize = 1;
            #[inline(always)]
            unsafe fn splat(value: $t) -> Self {
                value
            }
            #[inline(always)]
            unsafe fn load(from: *const $t) -> Self {
                // SAFETY: the caller's.
                unsafe { from.read() }
            }
            #[inline(always)]
            unsafe fn load_first(_: *const $t, _: usize) -> Self {
                0.0
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $t) {
                // SAFETY: the caller's.
                unsafe { to.write(self) }
            }
            #[inline(always)]
            unsafe fn store_first(self, _: *mut $t, _: usize) {}
            #[inline(always)]
            unsafe fn plus(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            unsafe fn minus(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            unsafe fn times(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            unsafe fn over(self, other: Self) -> Self {
                self / other
            }
            #[inline(always)]
            unsafe fn negated(self) -> Self {
                -self
            }
            #[inline(always)]
            unsafe fn magnitude(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            unsafe fn root(self) -> Self {
                self.sqrt()
            }
        }
    };
}

numbers!(f32);
numbers!(f64);

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::Lanes;

    macro_rules! vector {
        (
            $vector:ty, $t:ty, $lanes:literal, $splat:ident, $load:ident, $store:ident, $add:ident, $sub:ident,
            $mul:ident, $div:ident, $sqrt:ident, $xor:ident, $without:ident,
            |$from:ident, $to:ident, $value:ident, $count:ident| $first:expr, $put:expr
        ) => {
            impl Lanes for $vector {
                type Element = $t;
                const LANES: usize = $lanes;
                #[inline(always)]
                unsafe fn splat(value: $t) -> Self {
                    // SAFETY: the caller's.
                    unsafe { $splat(value) }
                }
                #[inline(always)]
                unsafe fn load(from: *const $t) -> Self {
                    // SAFETY: the caller's.
                    unsafe { $load(from) }
                }
                #[inline(always)]
                unsafe fn load_first($from: *const $t, $count: usize) -> Self {
                    // SAFETY: the caller's; lanes that are not asked for are not read (K9).
                    unsafe { $first }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $t) {
                    // SAFETY: the caller's.
                    unsafe { $store(to, self) }
                }
                #[inline(always)]
                unsafe fn store_first(self, $to: *mut $t, $count: usize) {
                    let $value = self;
                    // SAFETY: the caller's; lanes that are not asked for are not written (K9).
                    unsafe { $put }
                }
                #[inline(always)]
                unsafe fn plus(self, other: Self) -> Self {
                    // SAFETY: the caller's.
                    unsafe { $add(self, other) }
                }
                #[inline(always)]
                unsafe fn minus(self, other: Self) -> Self {
                    // SAFETY: the caller's.
                    unsafe { $sub(self, other) }
                }
                #[inline(always)]
                unsafe fn times(self, other: Self) -> Self {
                    // SAFETY: the caller's.
                    unsafe { $mul(self, other) }
                }
                #[inline(always)]
                unsafe fn over(self, other: Self) -> Self {
                    // SAFETY: the caller's.
                    unsafe { $div(self, other) }
                }
                #[inline(always)]
                unsafe fn negated(self) -> Self {
                    // SAFETY: the caller's.
                    unsafe { $xor($splat(-0.0), self) }
                }
                #[inline(always)]
                unsafe fn magnitude(self) -> Self {
                    // SAFETY: the caller's.
                    unsafe { $without($splat(-0.0), self) }
                }
                #[inline(always)]
                unsafe fn root(self) -> Self {
                    // SAFETY: the caller's.
                    unsafe { $sqrt(self) }
                }
            }
        };
    }

    vector!(
        __m512d,
        f64,
        8,
        _mm512_set1_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_add_pd,
        _mm512_sub_pd,
        _mm512_mul_pd,
        _mm512_div_pd,
        _mm512_sqrt_pd,
        _mm512_xor_pd,
        _mm512_andnot_pd,
        |from, to, value, count| _mm512_maskz_loadu_pd(((1_u32 << count) - 1) as __mmask8, from),
        _mm512_mask_storeu_pd(to, ((1_u32 << count) - 1) as __mmask8, value)
    );
    vector!(
        __m512,
        f32,
        16,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_add_ps,
        _mm512_sub_ps,
        _mm512_mul_ps,
        _mm512_div_ps,
        _mm512_sqrt_ps,
        _mm512_xor_ps,
        _mm512_andnot_ps,
        |from, to, value, count| _mm512_maskz_loadu_ps(((1_u32 << count) - 1) as __mmask16, from),
        _mm512_mask_storeu_ps(to, ((1_u32 << count) - 1) as __mmask16, value)
    );
    vector!(
        __m256d,
        f64,
        4,
        _mm256_set1_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_add_pd,
        _mm256_sub_pd,
        _mm256_mul_pd,
        _mm256_div_pd,
        _mm256_sqrt_pd,
        _mm256_xor_pd,
        _mm256_andnot_pd,
        |from, to, value, count| _mm256_maskload_pd(
            from,
            _mm256_loadu_si256(MASK_64.as_ptr().add(4 - count).cast())
        ),
        _mm256_maskstore_pd(to, _mm256_loadu_si256(MASK_64.as_ptr().add(4 - count).cast()), value)
    );
    vector!(
        __m256,
        f32,
        8,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_add_ps,
        _mm256_sub_ps,
        _mm256_mul_ps,
        _mm256_div_ps,
        _mm256_sqrt_ps,
        _mm256_xor_ps,
        _mm256_andnot_ps,
        |from, to, value, count| _mm256_maskload_ps(
            from,
            _mm256_loadu_si256(MASK_32.as_ptr().add(8 - count).cast())
        ),
        _mm256_maskstore_ps(to, _mm256_loadu_si256(MASK_32.as_ptr().add(8 - count).cast()), value)
    );

    /// Masks: from element `lanes - count` on, the first `count` lanes are on.
    static MASK_32: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
    static MASK_64: [i64; 8] = [-1, -1, -1, -1, 0, 0, 0, 0];
}
