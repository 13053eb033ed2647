//! Masks as arrays of bytes, 0 or 1.

/// Eight true flags.
pub(super) const ALL_TRUE: u64 = u64::from_ne_bytes([1; 8]);
/// How many elements may be written past the last one that is kept.
pub(super) const SPARE: usize = 16;

/// How many flags are true.
pub(super) fn count_true(flags: &[u8]) -> usize {
    // The sum of 128 flags fits in a byte, so a vector adds many at once.
    let sum = |block: &[u8]| block.iter().fold(0_u8, |sum, flag| sum + u8::from(*flag != 0));
    flags.chunks(128).map(|block| usize::from(sum(block))).sum()
}
