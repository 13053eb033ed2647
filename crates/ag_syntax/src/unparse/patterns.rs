//! Writing the patterns of `match`.

use super::Emitter;
use super::precedence::Precedence;
use crate::tree::{Name, Pattern, PatternKind};

impl Emitter<'_> {
    /// Writes a pattern where `a | b` and `a as b` need no parentheses.
    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Value(value) | PatternKind::Singleton(value) => self.expr(value, Precedence::Sum),
            PatternKind::Sequence(patterns) => self.bracketed("[", "]", |emitter| emitter.patterns(patterns)),
            PatternKind::Mapping { keys, patterns, rest } => {
                self.bracketed("{", "}", |emitter| {
                    emitter.separated(keys.iter().zip(patterns), |emitter, (key, pattern)| {
                        emitter.expr(key, Precedence::Sum);
                        emitter.push(": ");
                        emitter.pattern(pattern);
                    });
                    if let Some(rest) = rest {
                        emitter.push(if keys.is_empty() { "**" } else { ", **" });
                        emitter.push(rest);
                    }
                });
            }
            PatternKind::Class { class, patterns, keywords } => {
                self.expr(class, Precedence::Atom);
                self.bracketed("(", ")", |emitter| {
                    emitter.patterns(patterns);
                    if !patterns.is_empty() && !keywords.is_empty() {
                        emitter.push(", ");
                    }
                    emitter.separated(keywords, |emitter, (name, pattern)| {
                        emitter.push(name);
                        emitter.push("=");
                        emitter.pattern(pattern);
                    });
                });
            }
            PatternKind::Star(name) => {
                self.push("*");
                self.capture(name.as_ref());
            }
            PatternKind::As { pattern: None, name } => self.capture(name.as_ref()),
            PatternKind::As { pattern: Some(pattern), name } => {
                if matches!(pattern.kind, PatternKind::As { pattern: Some(_), .. }) {
                    self.bracketed("(", ")", |emitter| emitter.pattern(pattern));
                } else {
                    self.pattern(pattern);
                }
                self.push(" as ");
                self.capture(name.as_ref());
            }
            PatternKind::Or(alternatives) => {
                for (index, alternative) in alternatives.iter().enumerate() {
                    if index > 0 {
                        self.push(" | ");
                    }
                    self.closed_pattern(alternative);
                }
            }
        }
    }

    /// Writes a pattern as an alternative of `|`.
    fn closed_pattern(&mut self, pattern: &Pattern) {
        match pattern.kind {
            PatternKind::Or(_) | PatternKind::As { pattern: Some(_), .. } => {
                self.bracketed("(", ")", |emitter| emitter.pattern(pattern));
            }
            _ => self.pattern(pattern),
        }
    }

    fn patterns(&mut self, patterns: &[Pattern]) {
        self.separated(patterns, Self::pattern);
    }

    fn capture(&mut self, name: Option<&Name>) {
        self.push(name.map_or("_", |name| name));
    }
}
