//! Lowering of f-strings and t-strings: the whole text, and the parts as literals and interpolations.
//!
//! `f"a{{{x!r:>{w}}"` has the parts `"a{"` and `x` with conversion `r` and the specification `">"`,
//! `w`. A literal part is a Python string literal by itself: doubled braces are single again and the
//! quotes fit.

use std::sync::Arc;

use ruff_python_ast::{self as ast, StringFlags};
use ruff_text_size::Ranged;

use super::{Lowering, span};
use crate::literal::string_literal;
use crate::tree::{FString, FStringPart};

/// The quotes and prefix of the literal text of an f-string.
#[derive(Clone, Copy)]
struct Quoting<'a> {
    /// `"`, `'`, `"""` or `'''`.
    quotes: &'a str,
    is_raw: bool,
}

impl Lowering<'_> {
    pub(super) fn fstring(&mut self, node: &ast::ExprFString) -> FString {
        let mut parts = Vec::new();
        for part in &node.value {
            match part {
                ast::FStringPart::Literal(literal) => parts.push(FStringPart::Literal(self.text(literal))),
                ast::FStringPart::FString(fstring) => {
                    let quoting = Quoting {
                        quotes: fstring.flags.quote_str(),
                        is_raw: fstring.flags.prefix().is_raw(),
                    };
                    parts.extend(self.parts(&fstring.elements, quoting));
                }
            }
        }
        FString { text: self.text(node), parts, is_template: false }
    }

    pub(super) fn tstring(&mut self, node: &ast::ExprTString) -> FString {
        let mut parts = Vec::new();
        for tstring in node.value.as_slice() {
            let quoting =
                Quoting { quotes: tstring.flags.quote_str(), is_raw: tstring.flags.prefix().is_raw() };
            parts.extend(self.parts(&tstring.elements, quoting));
        }
        FString { text: self.text(node), parts, is_template: true }
    }

    fn parts(
        &mut self,
        elements: &ast::InterpolatedStringElements,
        quoting: Quoting<'_>,
    ) -> Vec<FStringPart> {
        elements
            .iter()
            .map(|element| match element {
                ast::InterpolatedStringElement::Literal(literal) => {
                    FStringPart::Literal(self.literal_part(literal, quoting))
                }
                ast::InterpolatedStringElement::Interpolation(element) => {
                    self.interpolation(element, quoting)
                }
            })
            .collect()
    }

    fn interpolation(&mut self, element: &ast::InterpolatedElement, quoting: Quoting<'_>) -> FStringPart {
        let debug = element.debug_text.as_ref().map(|text| string_literal(&without_comments(text.as_str())));
        let spec = element.format_spec.as_deref();
        // `{x=}` shows the repr, unless it has a conversion or a format.
        let conversion = match element.conversion.to_char() {
            None if debug.is_some() && spec.is_none() => Some('r'),
            conversion => conversion,
        };
        FStringPart::Interpolation {
            value: self.expr(&element.expression),
            conversion,
            spec: spec.map(|spec| self.parts(&spec.elements, quoting)),
            debug,
        }
    }

    /// The literal text between interpolations as a literal of its own.
    ///
    /// The parser's decoded value is used if it is exact. If the text has escapes, it is copied instead: an
    /// escaped surrogate (`\ud800`) cannot be in a Rust string.
    fn literal_part(
        &self,
        literal: &ast::InterpolatedStringLiteralElement,
        quoting: Quoting<'_>,
    ) -> Arc<str> {
        let written = span(literal.range()).text(self.source);
        if quoting.is_raw || !written.contains('\\') {
            return string_literal(&literal.value.replace("\r\n", "\n"));
        }
        let quotes = quoting.quotes;
        let mut text = written.replace("{{", "{").replace("}}", "}");
        // `f"""say "{x}"` has the part `say "`, whose last quote would end the literal too early.
        let is_escaped = text.bytes().rev().skip(1).take_while(|byte| *byte == b'\\').count() % 2 == 1;
        if quotes.len() == 3 && text.ends_with(&quotes[..1]) && !is_escaped {
            text.insert(text.len() - 1, '\\');
        }
        format!("{quotes}{text}{quotes}").into()
    }
}

/// The text of `{x = }` as CPython keeps it: comments are left out, their line breaks stay.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut open_quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, open_quote) {
            ('#', None) => {
                let is_over = characters.by_ref().any(|character| character == '\n');
                kept.extend(is_over.then_some('\n'));
                continue;
            }
            ('\'' | '"', None) => open_quote = Some(character),
            ('\\', Some(_)) => {
                kept.push(character);
                kept.extend(characters.next());
                continue;
            }
            (_, Some(quote)) if character == quote => open_quote = None,
            _ => {}
        }
        kept.push(character);
    }
    kept
}
