//! The codes of all diagnostics, in one table.
//!
//! A code is never used again for something else. `AG0xx` are said at conversion, `AG1xx` while a
//! function is staged, `AG2xx` when a graph runs.

/// One line of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code, such as `AG001`.
    pub code: &'static str,
    /// A short name, such as `syntax-error`.
    pub slug: &'static str,
    /// What it means, in one line.
    pub meaning: &'static str,
}

macro_rules! define_catalogue {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $slug:literal, $meaning:literal;)*) => {
        $(
            #[doc = concat!("`", $code, "` ", $slug, ": ", $meaning, ".")]
            $(#[$doc])*
            pub const $name: &str = $code;
        )*

        /// All codes, in order.
        pub const CATALOGUE: &[Entry] = &[
            $(Entry { code: $code, slug: $slug, meaning: $meaning },)*
        ];
    };
}

define_catalogue! {
    SYNTAX_ERROR = "AG001", "syntax-error", "the source does not parse";
    SOURCE_NOT_FOUND = "AG002", "source-not-found", "the source of a function cannot be found";
    SOURCE_CHANGED = "AG003", "source-changed", "the source no longer matches the running code";
    AMBIGUOUS_SOURCE = "AG004", "ambiguous-source", "several places of the source could be the function";
    TOO_LARGE = "AG005", "too-large", "the source is too long or nested too deeply";
    NOT_CONVERTIBLE = "AG010", "not-convertible", "the function uses what conversion cannot express";
}

/// The line of a code, if the catalogue has it.
#[must_use]
pub fn lookup(code: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_rise_and_are_well_formed() {
        for pair in CATALOGUE.windows(2) {
            assert!(pair[0].code < pair[1].code, "{} before {}", pair[0].code, pair[1].code);
        }
        for entry in CATALOGUE {
            assert_eq!(entry.code.len(), 5);
            assert!(entry.code.starts_with("AG"));
            assert!(entry.code[2..].bytes().all(|byte| byte.is_ascii_digit()));
            assert!(entry.slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        }
    }

    #[test]
    fn slugs_differ() {
        let mut slugs: Vec<_> = CATALOGUE.iter().map(|entry| entry.slug).collect();
        slugs.sort_unstable();
        slugs.dedup();
        assert_eq!(slugs.len(), CATALOGUE.len());
    }

    #[test]
    fn lookup_finds_by_code() {
        assert_eq!(lookup(SOURCE_CHANGED).map(|entry| entry.slug), Some("source-changed"));
        assert_eq!(lookup("AG999"), None);
    }
}
