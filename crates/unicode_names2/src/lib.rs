//! The characters that `"\N{BULLET}"` names.
//!
//! The parser asks a crate of this name, which is a table of 0.8 MB, a twentieth of the whole extension module. Python has
//! such a table too, and the one that counts: that of the interpreter that compiled the program. This crate
//! takes the other's place (`[patch.crates-io]`) and asks whom it is told to.

use std::sync::OnceLock;

/// Finds the character of a name.
pub type Lookup = fn(&str) -> Option<char>;

static LOOKUP: OnceLock<Lookup> = OnceLock::new();

/// Says whom to ask. The first one is asked from then on.
pub fn ask(lookup: Lookup) {
    LOOKUP.get_or_init(|| lookup);
}

/// The character of this name; none if there is no such, or if nobody is there to be asked.
#[must_use]
pub fn character(name: &str) -> Option<char> {
    LOOKUP.get().and_then(|lookup| lookup(name))
}

#[cfg(test)]
mod tests {
    use super::{ask, character};

    #[test]
    fn the_first_is_asked() {
        assert_eq!(character("BULLET"), None);
        ask(|name| (name == "BULLET").then_some('•'));
        ask(|_| Some('?'));
        assert_eq!(character("BULLET"), Some('•'));
        assert_eq!(character("BULLETS"), None);
    }
}
