//! Literals are copied; this module decides which of them need parentheses.

use crate::tree::{ConstantKind, Expr, ExprKind};

/// Whether an expression is a string of adjacent literals on several lines: outside brackets, it
/// needs parentheses of its own.
pub(super) fn is_on_several_lines(expr: &Expr) -> bool {
    let text = match &expr.kind {
        ExprKind::Constant { kind: ConstantKind::Str | ConstantKind::Bytes, text } => text,
        ExprKind::FString(fstring) => &fstring.text,
        _ => return false,
    };
    text.contains('\n') && !is_one_string(text)
}

/// Whether the text is a single string literal, as far as this can be decided without parsing f-strings: an
/// f-string that contains its own quotes is not recognised, which costs a pair of parentheses.
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
