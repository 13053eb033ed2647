//! Vectors of floats for the product kernels: one interface, three sets of instructions.
//!
//! The functions are always inlined into loops that are compiled for the instruction set. Called from
//! elsewhere they would be slow or, on a processor without the set, undefined.

/// A vector of floats.
pub(super) trait Simd: Copy {
    /// The element.
    type Element: crate::kernels::elementwise::Number;
    /// How many elements.
    const LANES: usize;
    /// All zero.
    ///
    /// # Safety
    /// The processor has the instructions; this holds for all functions here.
    unsafe fn zero() -> Self;
    /// All the same.
    ///
    /// # Safety
    /// As for [`Self::zero`].
    unsafe fn splat(value: Self::Element) -> Self;
    /// The elements at a pointer.
    ///
    /// # Safety
    /// As for [`Self::zero`], and the elements are readable.
    unsafe fn load(from: *const Self::Element) -> Self;
    /// The first `count < LANES` elements at a pointer, then zeros.
    ///
    /// # Safety
    /// As for [`Self::zero`], and those elements are readable.
    unsafe fn load_first(from: *const Self::Element, count: usize) -> Self;
    /// Writes all elements.
    ///
    /// # Safety
    /// As for [`Self::zero`], and the place is writable.
    unsafe fn store(self, to: *mut Self::Element);
    /// `self * b + c`.
    ///
    /// # Safety
    /// As for [`Self::zero`].
    unsafe fn multiply_add(self, b: Self, c: Self) -> Self;
    /// The sum of the elements.
    ///
    /// # Safety
    /// As for [`Self::zero`].
    unsafe fn sum(self) -> Self::Element;
}

/// Plain arrays, which the compiler vectorises as it can.
#[derive(Clone, Copy)]
pub(super) struct Base<T>([T; 4]);

macro_rules! base {
    ($t:ty) => {
        impl Simd for Base<$t> {
            type Element = $t;
            const LANES: usize = 4;
            #[inline(always)]
            unsafe fn zero() -> Self {
                Self([0.0; 4])
            }
            #[inline(always)]
            unsafe fn splat(value: $t) -> Self {
                Self([value; 4])
            }
            #[inline(always)]
            unsafe fn load(from: *const $t) -> Self {
                // SAFETY: the caller's.
                Self(unsafe { from.cast::<[$t; 4]>().read() })
            }
            #[inline(always)]
            unsafe fn load_first(from: *const $t, count: usize) -> Self {
                let mut lanes = [0.0; 4];
                for (number, lane) in lanes.iter_mut().enumerate().take(count) {
                    // SAFETY: the caller's.
                    *lane = unsafe { from.add(number).read() };
                }
                Self(lanes)
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $t) {
                // SAFETY: the caller's.
                unsafe { to.cast::<[$t; 4]>().write(self.0) }
            }
            #[inline(always)]
            unsafe fn multiply_add(self, b: Self, c: Self) -> Self {
                let mut lanes = c.0;
                for ((lane, a), b) in lanes.iter_mut().zip(self.0).zip(b.0) {
                    *lane += a * b;
                }
                Self(lanes)
            }
            #[inline(always)]
            unsafe fn sum(self) -> $t {
                (self.0[0] + self.0[2]) + (self.0[1] + self.0[3])
            }
        }
    };
}

base!(f32);
base!(f64);

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2F32, Avx2F64, Avx512F32, Avx512F64};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::Simd;

    macro_rules! vector {
        (
            $name:ident, $vector:ty, $t:ty, $lanes:literal, $zero:ident, $splat:ident, $load:ident, $store:ident,
            $fma:ident, |$from:ident, $count:ident| $first:expr, |$v:ident| $sum:expr
        ) => {
            #[derive(Clone, Copy)]
            pub(in super::super) struct $name($vector);

            impl Simd for $name {
                type Element = $t;
                const LANES: usize = $lanes;
                #[inline(always)]
                unsafe fn zero() -> Self {
                    // SAFETY: the caller's.
                    Self(unsafe { $zero() })
                }
                #[inline(always)]
                unsafe fn splat(value: $t) -> Self {
                    // SAFETY: the caller's.
                    Self(unsafe { $splat(value) })
                }
                #[inline(always)]
                unsafe fn load(from: *const $t) -> Self {
                    // SAFETY: the caller's.
                    Self(unsafe { $load(from) })
                }
                #[inline(always)]
                unsafe fn load_first($from: *const $t, $count: usize) -> Self {
                    // SAFETY: the caller's; lanes that are not asked for are not read (K9).
                    Self(unsafe { $first })
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $t) {
                    // SAFETY: the caller's.
                    unsafe { $store(to, self.0) }
                }
                #[inline(always)]
                unsafe fn multiply_add(self, b: Self, c: Self) -> Self {
                    // SAFETY: the caller's.
                    Self(unsafe { $fma(self.0, b.0, c.0) })
                }
                #[inline(always)]
                unsafe fn sum(self) -> $t {
                    let $v = self.0;
                    // SAFETY: the caller's.
                    unsafe { $sum }
                }
            }
        };
    }

    vector!(
        Avx512F32,
        __m512,
        f32,
        16,
        _mm512_setzero_ps,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_fmadd_ps,
        |from, count| _mm512_maskz_loadu_ps(((1_u32 << count) - 1) as __mmask16, from),
        |v| _mm512_reduce_add_ps(v)
    );
    vector!(
        Avx512F64,
        __m512d,
        f64,
        8,
        _mm512_setzero_pd,
        _mm512_set1_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_fmadd_pd,
        |from, count| _mm512_maskz_loadu_pd(((1_u32 << count) - 1) as __mmask8, from),
        |v| _mm512_reduce_add_pd(v)
    );
    vector!(
        Avx2F32,
        __m256,
        f32,
        8,
        _mm256_setzero_ps,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_fmadd_ps,
        |from, count| _mm256_maskload_ps(from, _mm256_loadu_si256(MASK_32.as_ptr().add(8 - count).cast())),
        |v| {
            let half = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
            let pair = _mm_add_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_add_ss(pair, _mm_shuffle_ps::<1>(pair, pair)))
        }
    );
    vector!(
        Avx2F64,
        __m256d,
        f64,
        4,
        _mm256_setzero_pd,
        _mm256_set1_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_fmadd_pd,
        |from, count| _mm256_maskload_pd(from, _mm256_loadu_si256(MASK_64.as_ptr().add(4 - count).cast())),
        |v| {
            let half = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd::<1>(v));
            _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)))
        }
    );

    /// Masks: from element `lanes - count` on, the first `count` lanes are on.
    static MASK_32: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
    static MASK_64: [i64; 8] = [-1, -1, -1, -1, 0, 0, 0, 0];
}
