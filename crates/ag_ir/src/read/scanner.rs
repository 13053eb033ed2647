//! The scanner: takes the tokens of a text one by one, and knows their positions.

use super::{Read, ReadError};
use crate::write::is_plain;

/// A position in a text. Blanks and `//` comments before a token are skipped.
pub(super) struct Scanner<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut scanner = Self { text, position: 0 };
        scanner.skip_blanks();
        scanner
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or("")
    }

    fn advance(&mut self, bytes: usize) {
        self.position += bytes;
        self.skip_blanks();
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            let comment = if rest[blanks..].starts_with("//") {
                rest[blanks..].find('\n').unwrap_or(rest.len() - blanks)
            } else {
                0
            };
            self.position += blanks + comment;
            if comment == 0 {
                return;
            }
        }
    }

    /// The position of the next token, to report an error there.
    pub(super) const fn here(&self) -> usize {
        self.position
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn fault(&self, message: impl Into<String>) -> ReadError {
        self.fault_at(self.position, message)
    }

    pub(super) fn fault_at(&self, position: usize, message: impl Into<String>) -> ReadError {
        let before = self.text.get(..position).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ReadError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }

    /// An error that says what was expected and what was found.
    pub(super) fn expected(&self, what: &str) -> ReadError {
        let piece: String = self.rest().chars().take_while(|character| is_plain(*character)).collect();
        let found = match (piece.is_empty(), self.peek()) {
            (false, _) => format!("`{piece}`"),
            (true, Some(character)) => format!("`{character}`"),
            (true, None) => "the end of the text".to_owned(),
        };
        self.fault(format!("expected {what}, found {found}"))
    }

    pub(super) fn at(&self, symbol: &str) -> bool {
        self.rest().starts_with(symbol)
    }

    /// Takes a symbol if it stands here.
    pub(super) fn take(&mut self, symbol: &str) -> bool {
        let found = self.at(symbol);
        if found {
            self.advance(symbol.len());
        }
        found
    }

    pub(super) fn symbol(&mut self, symbol: &str) -> Read<()> {
        if self.take(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    /// The plain characters that stand here.
    fn plain(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(|character| !is_plain(character)).unwrap_or(rest.len())]
    }

    pub(super) fn at_keyword(&self, keyword: &str) -> bool {
        self.plain() == keyword
    }

    pub(super) fn keyword(&mut self, keyword: &str) -> Read<()> {
        if !self.at_keyword(keyword) {
            return Err(self.expected(&format!("`{keyword}`")));
        }
        self.advance(keyword.len());
        Ok(())
    }

    /// A name, plain or quoted.
    pub(super) fn word(&mut self, what: &str) -> Read<String> {
        if self.at("\"") {
            return self.quoted();
        }
        let word = self.plain();
        if word.is_empty() {
            return Err(self.expected(what));
        }
        self.advance(word.len());
        Ok(word.to_owned())
    }

    /// A whole number without a sign. Blanks after it are skipped, but not the `.name` of a value.
    pub(super) fn number<T: std::str::FromStr>(&mut self, what: &str) -> Read<T> {
        let rest = self.rest();
        let digits = &rest[..rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len())];
        if digits.is_empty() {
            return Err(self.expected(what));
        }
        let Ok(number) = digits.parse() else { return Err(self.fault(format!("{digits} is too large"))) };
        self.position += digits.len();
        if !self.at(".") {
            self.skip_blanks();
        }
        Ok(number)
    }

    /// Whether a symbol follows without a blank, after [`Self::number`].
    pub(super) fn at_directly(&self, symbol: &str) -> bool {
        self.at(symbol)
    }

    pub(super) fn name_after_dot(&mut self) -> Read<String> {
        self.position += 1;
        self.word("a value's name")
    }

    /// The characters of a number with sign, point and exponent, or of one in hexadecimal.
    pub(super) fn numeral(&mut self) -> Read<&'a str> {
        let rest = self.rest();
        let mut before = ' ';
        let end = rest.find(|character: char| {
            let sign = matches!(character, '-' | '+') && matches!(before, ' ' | 'e');
            before = character;
            !(sign || character == '.' || character.is_ascii_alphanumeric())
        });
        let numeral = &rest[..end.unwrap_or(rest.len())];
        if numeral.is_empty() {
            return Err(self.expected("a number"));
        }
        self.advance(numeral.len());
        Ok(numeral)
    }

    pub(super) fn quoted(&mut self) -> Read<String> {
        let start = self.position;
        if !self.at("\"") {
            return Err(self.expected("a quoted text"));
        }
        let mut result = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((offset, character)) = characters.next() {
            match character {
                '"' => {
                    self.advance(offset + 1);
                    return Ok(result);
                }
                '\\' => match characters.next() {
                    Some((_, 'n')) => result.push('\n'),
                    Some((_, plain @ ('"' | '\\'))) => result.push(plain),
                    Some((_, 'u')) => {
                        let digits: String = characters
                            .by_ref()
                            .map(|(_, digit)| digit)
                            .skip_while(|digit| *digit == '{')
                            .take_while(|digit| *digit != '}')
                            .collect();
                        match u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32) {
                            Some(escaped) => result.push(escaped),
                            None => return Err(self.fault_at(start, "a faulty \\u{…} in a quoted text")),
                        }
                    }
                    _ => return Err(self.fault_at(start, "an unknown escape in a quoted text")),
                },
                other => result.push(other),
            }
        }
        Err(self.fault_at(start, "a quoted text does not end"))
    }

    pub(super) fn end(&self) -> Read<()> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.expected("the end of the text")) }
    }
}
