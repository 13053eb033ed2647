//! The names of draws in the text form.
//!
//! Every op has one lower-case word as its name: `add`, `floor_div`, `argmax`, `cumsum`, `dynamic_slice`. All
//! are distinct, so the word alone identifies the op. Those of the regular families are in `op/table.rs`, the
//! others in `op/forms.rs`.

use crate::random::Draw;

/// Implements the list of variants and their names for an enum of plain variants.
macro_rules! named {
    ($type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        impl $type {
            /// All of them, in order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word in the text form.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),*
                }
            }

            /// The op with this word.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|op| op.name() == name)
            }
        }
    };
}

named!(Draw {
    Uniform = "random_uniform",
    Normal = "random_normal",
    Exponential = "random_exponential",
    Integers = "random_integers",
});
