//! Copying literals.

use super::Emitter;

impl Emitter {
    /// Copies the text of a literal, adjacent strings included. Where adjacent strings stand on
    /// several lines outside brackets, they need parentheses.
    pub(super) fn literal(&mut self, text: &str) {
        if self.open_brackets == 0 && text.contains('\n') && !is_one_string(text) {
            self.bracketed("(", ")", |emitter| emitter.push(text));
        } else {
            self.push(text);
        }
    }
}

/// Whether the text is a single string literal, as far as can be seen without parsing f-strings:
/// an f-string that holds its own quotes is not recognised, which costs a pair of parentheses.
fn is_one_string(text: &str) -> bool {
    let literal = text.trim_start_matches(|character: char| character.is_ascii_alphabetic());
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| literal.starts_with(quotes));
    let Some(quotes) = quotes else { return false };
    let mut rest = &literal[quotes.len()..];
    while let Some(offset) = rest.find(['\\', '"', '\'']) {
        rest = &rest[offset..];
        if let Some(after) = rest.strip_prefix('\\') {
            rest = after.chars().next().map_or("", |escaped| &after[escaped.len_utf8()..]);
        } else if let Some(after) = rest.strip_prefix(quotes) {
            return after.is_empty();
        } else {
            rest = &rest[1..];
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_one_string;

    #[test]
    fn one_string_or_several() {
        for one in
            ["'a'", "rb\"\"\"a\n\"b\"\n\"\"\"", "'a\\\nb'", "'\\\\'", "\"'\"", "''", "\"\"\"\\\"\"\"\""]
        {
            assert!(is_one_string(one), "{one}");
        }
        for several in ["'a' 'b'", "'a'\n'b'", "'''a''' 'b'", "'' ''", "'\\\\' 'a'"] {
            assert!(!is_one_string(several), "{several}");
        }
    }
}
