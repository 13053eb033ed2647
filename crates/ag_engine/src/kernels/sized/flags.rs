//! Masks, as bytes.

/// Eight flags that are true.
pub(super) const ALL_TRUE: u64 = u64::from_ne_bytes([1; 8]);
/// Elements that may be written after the last one that is found.
pub(super) const SPARE: usize = 16;

/// How many flags are true.
pub(super) fn count_true(flags: &[u8]) -> usize {
    // Sums of so many fit a byte, of which a vector has many.
    let sum = |block: &[u8]| block.iter().fold(0_u8, |sum, flag| sum + u8::from(*flag != 0));
    flags.chunks(128).map(|block| usize::from(sum(block))).sum()
}
