//! Copies the elements at true flags, or the positions of true flags, with the compress instructions of
//! AVX-512.
//!
//! ```text
//! flags  1 0 0 1 1 0 1 0      one vector of lanes, one instruction
//! lanes  a b c d e f g h  →   a d e g
//! ```
//!
//! Each store writes a whole vector: there must be room for [`super::flags::SPARE`] more elements than true
//! flags.

use std::arch::x86_64::{
    _mm512_add_epi64, _mm512_loadu_epi32, _mm512_loadu_epi64, _mm512_loadu_si512,
    _mm512_maskz_compress_epi32, _mm512_maskz_compress_epi64, _mm512_set_epi64, _mm512_set1_epi64,
    _mm512_storeu_epi32, _mm512_storeu_epi64, _mm512_test_epi8_mask,
};

/// How many flags are read at a time.
pub(super) const BLOCK: usize = 64;

/// A block of flags as a bit mask.
///
/// # Safety
/// The processor has the instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn mask_of(block: &[u8; BLOCK]) -> u64 {
    // SAFETY: a block is a vector of bytes.
    let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
    _mm512_test_epi8_mask(bytes, bytes)
}

/// Copies elements of eight bytes at true flags; returns the address after the last.
///
/// # Safety
/// `from` has as many elements as there are flags, `to` has the room that the module asks for, and the
/// processor has the instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt")]
pub(super) unsafe fn words(blocks: &[[u8; BLOCK]], mut from: *const u64, mut to: *mut u64) -> *mut u64 {
    for block in blocks {
        // SAFETY: the caller's.
        unsafe {
            let mask = mask_of(block);
            if mask != 0 {
                for part in 0..8 {
                    let chosen = (mask >> (8 * part)) as u8;
                    let lanes = _mm512_loadu_epi64(from.add(8 * part).cast());
                    _mm512_storeu_epi64(to.cast(), _mm512_maskz_compress_epi64(chosen, lanes));
                    to = to.add(chosen.count_ones() as usize);
                }
            }
            from = from.add(BLOCK);
        }
    }
    to
}

/// As [`words`], for elements of four bytes.
///
/// # Safety
/// That of [`words`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt")]
pub(super) unsafe fn halves(blocks: &[[u8; BLOCK]], mut from: *const u32, mut to: *mut u32) -> *mut u32 {
    for block in blocks {
        // SAFETY: the caller's.
        unsafe {
            let mask = mask_of(block);
            if mask != 0 {
                for part in 0..4 {
                    let chosen = (mask >> (16 * part)) as u16;
                    let lanes = _mm512_loadu_epi32(from.add(16 * part).cast());
                    _mm512_storeu_epi32(to.cast(), _mm512_maskz_compress_epi32(chosen, lanes));
                    to = to.add(chosen.count_ones() as usize);
                }
            }
            from = from.add(BLOCK);
        }
    }
    to
}

/// Writes the positions of true flags, counted from `first`; returns the address after the last.
///
/// # Safety
/// `to` has the room that the module asks for, and the processor has the instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt")]
pub(super) unsafe fn numbers(blocks: &[[u8; BLOCK]], first: i64, mut to: *mut i64) -> *mut i64 {
    let mut lanes = _mm512_add_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), _mm512_set1_epi64(first));
    for block in blocks {
        // SAFETY: the caller's.
        let mask = unsafe { mask_of(block) };
        if mask == 0 {
            lanes = _mm512_add_epi64(lanes, _mm512_set1_epi64(BLOCK as i64));
            continue;
        }
        for part in 0..8 {
            let chosen = (mask >> (8 * part)) as u8;
            // SAFETY: the caller's.
            unsafe {
                _mm512_storeu_epi64(to, _mm512_maskz_compress_epi64(chosen, lanes));
                to = to.add(chosen.count_ones() as usize);
            }
            lanes = _mm512_add_epi64(lanes, _mm512_set1_epi64(8));
        }
    }
    to
}
