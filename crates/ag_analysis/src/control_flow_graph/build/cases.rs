//! `match`: each case is tried where the one before it fails.

use ag_syntax::tree::{Expr, MatchCase, Name, NodeId, Pattern, PatternKind};
use ag_syntax::visit::{Visitor, walk_pattern};

use super::nodes::Builder;

impl Builder<'_> {
    pub(super) fn match_stmt(&mut self, statement: NodeId, subject: &Expr, cases: &[MatchCase]) {
        self.reader.visit_expr(subject);
        self.node(Some(statement));
        let mut ends = Vec::new();
        for case in cases {
            let mut captures = PatternReader { captures: Vec::new(), values: Vec::new() };
            captures.visit_pattern(&case.pattern);
            for value in captures.values {
                self.reader.visit_expr(value);
            }
            let pattern = self.node(Some(statement));
            self.place(pattern, case.span);
            for name in captures.captures {
                self.reader.bind(name);
            }
            let bind = self.node(Some(statement));
            self.place(bind, case.pattern.span);
            let mut failures = if is_irrefutable(&case.pattern) { Vec::new() } else { vec![pattern] };
            let mut test = None;
            if let Some(guard) = &case.guard {
                self.reader.visit_expr(guard);
                let guarded = self.node(Some(statement));
                self.place(guarded, guard.span);
                failures.push(guarded);
                test = Some(guarded);
            } else if !failures.is_empty() {
                debug_assert_ne!(bind, pattern, "a failed match binds nothing");
            }
            self.body(&case.body);
            if !is_irrefutable(&case.pattern) {
                self.choice(pattern, true);
            }
            if let Some(test) = test {
                self.choice(test, true);
            }
            ends.append(&mut self.ends);
            self.ends = failures;
        }
        self.ends.append(&mut ends);
        self.node(None);
    }
}

/// Whether a pattern matches everything.
fn is_irrefutable(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::As { pattern: None, .. } => true,
        PatternKind::As { pattern: Some(inner), .. } => is_irrefutable(inner),
        PatternKind::Or(patterns) => patterns.iter().any(is_irrefutable),
        _ => false,
    }
}

/// The names a pattern binds and the expressions it reads.
struct PatternReader<'a> {
    captures: Vec<&'a Name>,
    values: Vec<&'a Expr>,
}

impl<'a> Visitor<'a> for PatternReader<'a> {
    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let PatternKind::Mapping { rest: Some(name), .. }
        | PatternKind::Star(Some(name))
        | PatternKind::As { name: Some(name), .. } = &pattern.kind
        {
            self.captures.push(name);
        }
        walk_pattern(self, pattern);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.values.push(expr);
    }
}
