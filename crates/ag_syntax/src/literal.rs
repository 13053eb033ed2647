//! Writing values as Python literals.

use std::fmt::Write;
use std::sync::Arc;

/// `text` as a Python string literal, quoted as `repr` would.
///
/// ```
/// assert_eq!(&*ag_syntax::string_literal("it's"), r#""it's""#);
/// assert_eq!(&*ag_syntax::string_literal("a\n'\"\\"), r#"'a\n\'"\\'"#);
/// ```
#[must_use]
pub fn string_literal(text: &str) -> Arc<str> {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push(quote);
    for character in text.chars() {
        match character {
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            '\\' => literal.push_str("\\\\"),
            _ if character == quote => literal.extend(['\\', quote]),
            _ if character.is_ascii_control() => {
                // Writing to a string does not fail.
                let _ = write!(literal, "\\x{:02x}", character as u32);
            }
            _ => literal.push(character),
        }
    }
    literal.push(quote);
    literal.into()
}
