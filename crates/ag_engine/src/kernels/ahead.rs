//! Asks for memory before it is read or written, so that it is in the caches then.

/// Arrays of so many bytes are taken to be far: not in the caches, as programs use other memory between two calls.
/// (The second cache of today's processors has one or two megabytes.)
pub(super) const LEAST_FAR: usize = 1 << 20;

/// Asks for the line at a place, which may be anywhere: to be written, or read.
#[inline(always)]
pub(super) fn ask_for<const IS_WRITTEN: bool>(place: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint; every processor of the architecture has it.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};
        if IS_WRITTEN {
            _mm_prefetch::<_MM_HINT_ET0>(place.cast());
        } else {
            _mm_prefetch::<_MM_HINT_T0>(place.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
