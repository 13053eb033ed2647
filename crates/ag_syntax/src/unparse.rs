//! Writes a tree as text, with a source map.
//!
//! Indentation is four spaces; each statement has its own line; parentheses are written only where the
//! grammar needs them. Literals and f-strings are copied from their text, so nothing in them is lost. Every
//! statement and expression leaves a mapping from its generated range to its span.
//!
//! ```
//! let source = "x = ( -1 )**2 if  a else(b,\n  c)";
//! let module = ag_syntax::parse_module(source).unwrap();
//! let unparsed = ag_syntax::unparse(&module.body);
//! assert_eq!(unparsed.text, "x = (-1) ** 2 if a else (b, c)\n");
//! let origin = unparsed.source_map.origin(ag_errors::Span::new(24, 30)).unwrap();
//! assert_eq!(origin.text(source), "(b,\n  c)");
//! ```
//!
//! The contract: for every tree that the parser makes, CPython parses the text to the same `ast`.
//! Generated ranges agree with those that CPython gives its nodes: parentheses belong to tuples and
//! generator expressions, and to nothing else. An empty block is written `pass`, so that a pass may
//! remove all statements of one.

mod expressions;
mod literals;
mod patterns;
mod precedence;
mod statements;

use std::collections::BTreeMap;

use ag_errors::{Mapping, SourceMap, Span};

use crate::tree::{Expr, NodeId, Stmt};
use precedence::Precedence;

/// Generated text and its source map.
#[derive(Clone, Debug)]
pub struct Unparsed {
    /// The text; every statement ends with a newline.
    pub text: String,
    /// From ranges of the text to spans of the tree.
    pub source_map: SourceMap,
}

/// Writes statements.
#[must_use]
pub fn unparse(body: &[Stmt]) -> Unparsed {
    let mut emitter = Emitter::default();
    for stmt in body {
        emitter.stmt(stmt);
    }
    Unparsed { text: emitter.text, source_map: SourceMap::new(emitter.mappings) }
}

/// Writes statements with comments above some of them.
///
/// ```
/// let module = ag_syntax::parse_module("y = x * x").unwrap();
/// let comments = [(module.body[0].id, "The square.".to_owned())].into();
/// assert_eq!(ag_syntax::unparse_commented(&module.body, &comments).text, "# The square.\ny = x * x\n");
/// ```
#[must_use]
pub fn unparse_commented(body: &[Stmt], comments: &BTreeMap<NodeId, String>) -> Unparsed {
    let mut emitter = Emitter { comments: Some(comments), ..Emitter::default() };
    for stmt in body {
        emitter.stmt(stmt);
    }
    Unparsed { text: emitter.text, source_map: SourceMap::new(emitter.mappings) }
}

/// Writes one expression, as it would stand on the right of `=`.
#[must_use]
pub fn unparse_expr(expr: &Expr) -> String {
    let mut emitter = Emitter::default();
    emitter.expr(expr, Precedence::Test);
    emitter.text
}

/// The text so far.
#[derive(Default)]
struct Emitter<'c> {
    text: String,
    /// Comments above statements.
    comments: Option<&'c BTreeMap<NodeId, String>>,
    mappings: Vec<Mapping>,
    /// Levels of indentation.
    indentation: usize,
    /// How many brackets are open: inside them, line breaks mean nothing.
    open_brackets: usize,
}

impl Emitter<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn position(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    /// Writes a node that represents `origin`. Mappings are added outermost first.
    fn mapped(&mut self, origin: Span, write: impl FnOnce(&mut Self)) {
        let index = self.mappings.len();
        let start = self.position();
        self.mappings.push(Mapping { generated: Span::new(start, start), origin });
        write(self);
        // A statement ends before its newline.
        let end = self.position() - u32::from(self.text.ends_with('\n'));
        self.mappings[index].generated.end = end;
    }

    /// Writes something between brackets.
    fn bracketed(&mut self, open: &str, close: &str, write: impl FnOnce(&mut Self)) {
        self.push(open);
        self.open_brackets += 1;
        write(self);
        self.open_brackets -= 1;
        self.push(close);
    }

    /// Writes items with `, ` between them.
    fn separated<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            write(self, item);
        }
    }
}
