//! The way to a match: tests and what runs between them, and what names are bound to at its end.

use std::collections::BTreeSet;

use ag_errors::Span;

use super::structure::{Parts, Step, Structure, is_wildcard};
use super::{Lowering, Subject};
use crate::build::Builder;
use crate::tree::{BoolOp, CompareOp, Expr, Name, Pattern, PatternKind, Stmt};
use crate::unparse::unparse_expr;

/// How a pattern matches.
#[derive(Default)]
pub(super) struct Way {
    pub(super) steps: Vec<Step>,
    /// What is bound to which names, at the end.
    pub(super) captures: Vec<Capture>,
    /// Variables that only some of the steps bind.
    pub(super) maybe_bound: Vec<Name>,
}

/// A name that a pattern binds, and to what.
#[derive(Clone)]
pub(super) struct Capture {
    pub(super) span: Span,
    pub(super) name: Name,
    pub(super) value: Expr,
}

impl Way {
    fn capture(&mut self, span: Span, name: Option<&Name>, value: Expr) {
        self.captures.extend(name.map(|name| Capture { span, name: name.clone(), value }));
    }

    /// The tests, if there is nothing else to do.
    pub(super) fn tests(&self) -> Option<Vec<Expr>> {
        let test = |step: &Step| match step {
            Step::Test(test) => Some(test.clone()),
            Step::Run(_) => None,
        };
        self.steps.iter().map(test).collect()
    }
}

/// Patterns.
impl<S: Structure> Lowering<'_, '_, S> {
    pub(super) fn pattern(
        &mut self,
        pattern: &Pattern,
        subject: &Subject,
        way: &mut Way,
    ) -> Result<(), S::Refusal> {
        let b = self.b.at(pattern.span);
        let value = match (&pattern.kind, subject) {
            (PatternKind::Or(patterns), _) => return self.alternatives(b, patterns, subject, way),
            (PatternKind::Sequence(patterns), Subject::Elements(values)) => {
                return self.elements(b, patterns, values, way);
            }
            (_, Subject::Elements(_)) => return Ok(()),
            (_, Subject::Value(value)) => b.copy_expr(value),
        };
        let (parts, patterns): (_, Vec<&Pattern>) = match &pattern.kind {
            PatternKind::Value(expected) => {
                way.steps.push(Step::Test(b.compare(value, CompareOp::Eq, expected.clone())));
                return Ok(());
            }
            PatternKind::Singleton(expected) => {
                way.steps.push(Step::Test(b.compare(value, CompareOp::Is, expected.clone())));
                return Ok(());
            }
            PatternKind::As { pattern: inner, name } => {
                if let Some(inner) = inner {
                    self.pattern(inner, subject, way)?;
                }
                way.capture(pattern.span, name.as_ref(), value);
                return Ok(());
            }
            PatternKind::Star(name) => {
                way.capture(pattern.span, name.as_ref(), value);
                return Ok(());
            }
            PatternKind::Sequence(elements) => {
                (self.structure.sequence(b, &value, elements)?, elements.iter().collect())
            }
            PatternKind::Mapping { keys, patterns, rest } => {
                let mut found = self.structure.mapping(b, &value, (keys, patterns), rest.is_some())?;
                let last = rest.as_ref().and_then(|rest| Some((rest, found.parts.pop()?)));
                self.parts(found, patterns.iter(), way)?;
                if let Some((rest, part)) = last {
                    way.steps.extend(part.before);
                    way.capture(pattern.span, Some(rest), part.value);
                }
                return Ok(());
            }
            PatternKind::Class { class, patterns, keywords } => {
                let found = self.structure.class(b, &value, class, (patterns, keywords))?;
                (found, patterns.iter().chain(keywords.iter().map(|(_, pattern)| pattern)).collect())
            }
            PatternKind::Or(_) => return Ok(()),
        };
        self.parts(parts, patterns.into_iter(), way)
    }

    /// Matches the parts of a value, one after the other.
    fn parts<'p>(
        &mut self,
        found: Parts,
        patterns: impl Iterator<Item = &'p Pattern>,
        way: &mut Way,
    ) -> Result<(), S::Refusal> {
        way.steps.extend(found.steps);
        for (part, pattern) in found.parts.into_iter().zip(patterns) {
            if !is_wildcard(pattern) {
                way.steps.extend(part.before);
                self.pattern(pattern, &Subject::Value(part.value), way)?;
            }
        }
        Ok(())
    }

    /// `(a, *b)` of a tuple or list that the program writes down.
    fn elements(
        &mut self,
        b: Builder<'_>,
        patterns: &[Pattern],
        values: &[Expr],
        way: &mut Way,
    ) -> Result<(), S::Refusal> {
        let star = patterns.iter().position(|one| matches!(one.kind, PatternKind::Star(_)));
        let fits = match star {
            Some(_) => values.len() + 1 >= patterns.len(),
            None => values.len() == patterns.len(),
        };
        if !fits {
            way.steps.push(Step::Test(b.bool(false)));
            return Ok(());
        }
        let mut values = values.iter();
        let starred = values.len() + 1 - patterns.len();
        for (index, pattern) in patterns.iter().enumerate() {
            let value = if star == Some(index) {
                let b = b.at(pattern.span);
                b.list(values.by_ref().take(starred).map(|one| b.copy_expr(one)))
            } else {
                let Some(value) = values.next() else { break };
                value.clone()
            };
            self.pattern(pattern, &Subject::Value(value), way)?;
        }
        Ok(())
    }

    /// `a | b`. Where the alternatives bind names to parts of different places, each binds them to variables:
    ///
    /// ```python
    /// case (0, n) | (n, 0):       either = False
    ///                             if first == 0:
    ///                                 n_1 = second
    ///                                 either = True
    ///                             if not either:
    ///                                 if second == 0:
    ///                                     n_1 = first
    ///                                     either = True
    ///                             …                           # if `either`, then `n = n_1`
    /// ```
    fn alternatives(
        &mut self,
        b: Builder<'_>,
        patterns: &[Pattern],
        subject: &Subject,
        way: &mut Way,
    ) -> Result<(), S::Refusal> {
        let mut ways = Vec::new();
        for pattern in patterns {
            let mut one = Way::default();
            self.pattern(pattern, subject, &mut one)?;
            ways.push(one);
        }
        let tests: Option<Vec<Vec<Expr>>> = ways.iter().map(Way::tests).collect();
        let first = ways.first().map(captured).unwrap_or_default();
        if let Some(tests) = tests
            && ways.iter().all(|one| captured(one) == first)
        {
            let tests = tests.into_iter().map(|tests| all_of(b, tests).unwrap_or_else(|| b.bool(true)));
            way.steps.push(Step::Test(b.bool_op(BoolOp::Or, tests)));
            way.captures.extend(ways.into_iter().next().map(|one| one.captures).into_iter().flatten());
            return Ok(());
        }
        let either = self.structure.variable("either");
        way.steps.push(Step::Run(b.assign_name(either.clone(), b.bool(false))));
        let mut variables: Vec<(Name, Name)> = Vec::new();
        for Capture { span, name, .. } in ways.first().map(|one| one.captures.clone()).unwrap_or_default() {
            let variable = self.structure.variable(&name);
            let value = self.structure.bound(b.at(span), &variable);
            way.capture(span, Some(&name), value);
            way.maybe_bound.push(variable.clone());
            variables.push((name, variable));
        }
        for (index, one) in ways.into_iter().enumerate() {
            let mut end = Vec::new();
            for (name, variable) in &variables {
                let own = one.captures.iter().find(|own| own.name == *name);
                end.extend(own.map(|own| b.at(own.span).assign_name(variable.clone(), own.value.clone())));
            }
            end.push(b.assign_name(either.clone(), b.bool(true)));
            let mut made = nested(b, one.steps, end);
            if index > 0 {
                made = vec![b.if_stmt(b.not(b.name(either.clone())), made, Vec::new())];
            }
            way.steps.extend(made.into_iter().map(Step::Run));
            way.maybe_bound.extend(one.maybe_bound);
        }
        way.steps.push(Step::Test(b.name(either)));
        Ok(())
    }
}

/// What a way binds to which names, as text.
fn captured(way: &Way) -> BTreeSet<(Name, String)> {
    way.captures.iter().map(|one| (one.name.clone(), unparse_expr(&one.value))).collect()
}

/// `first and second`, if there are any.
pub(super) fn all_of(b: Builder<'_>, mut tests: Vec<Expr>) -> Option<Expr> {
    if tests.len() > 1 { Some(b.bool_op(BoolOp::And, tests)) } else { tests.pop() }
}

/// Steps, each in the tests before it, and at their end `end`.
pub(super) fn nested(b: Builder<'_>, steps: Vec<Step>, end: Vec<Stmt>) -> Vec<Stmt> {
    let mut made = Vec::new();
    let mut steps = steps.into_iter().peekable();
    while let Some(step) = steps.next() {
        match step {
            Step::Run(stmt) => made.push(stmt),
            Step::Test(test) => {
                let span = test.span;
                let mut tests = vec![test];
                while let Some(Step::Test(test)) = steps.next_if(|next| matches!(next, Step::Test(_))) {
                    tests.push(test);
                }
                let inner = nested(b, steps.collect(), end);
                made.extend(all_of(b.at(span), tests).map(|test| b.if_stmt(test, inner, Vec::new())));
                return made;
            }
        }
    }
    made.extend(end);
    made
}
