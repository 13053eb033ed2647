//! Keys: integers that have the order of elements.
//!
//! ```text
//! 3.0  -1.0  NaN  -0.0      elements
//! c008 400f  ffff 8000 …    keys
//! ```
//!
//! An integer has its sign bit flipped, a float gets the usual bit trick. 0.0 and -0.0 have one key, and all
//! NaN have the last: elements that compare equal have equal keys.

/// An element that has a key.
pub(super) trait Keyed: Copy + Default {
    /// The key.
    fn key(self) -> u64;
}

impl Keyed for u8 {
    #[inline(always)]
    fn key(self) -> u64 {
        u64::from(self)
    }
}

impl Keyed for i32 {
    #[inline(always)]
    fn key(self) -> u64 {
        u64::from(self.cast_unsigned() ^ (1 << 31))
    }
}

impl Keyed for i64 {
    #[inline(always)]
    fn key(self) -> u64 {
        self.cast_unsigned() ^ (1 << 63)
    }
}

macro_rules! float_keys {
    ($($element:ty => $key:ty;)*) => {$(
        impl Keyed for $element {
            #[inline(always)]
            fn key(self) -> u64 {
                const SIGN: $key = 1 << (<$key>::BITS - 1);
                let bits = if self == 0.0 { 0 } else { self.to_bits() };
                let turned = if bits & SIGN == 0 { bits ^ SIGN } else { !bits };
                u64::from(if self.is_nan() { <$key>::MAX } else { turned })
            }
        }
    )*};
}

float_keys! {
    f32 => u32;
    f64 => u64;
}
