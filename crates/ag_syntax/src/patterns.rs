//! Lowers `match` to `if` and `elif`.
//!
//! ```python
//! match x:                    if x == 0:
//!     case 0:                     a()
//!         a()                 elif x == 1 or x == 2:
//!     case 1 | 2:        →        b()
//!         b()                 else:
//!     case n if n > 9:            n = x
//!         c(n)                    if n > 9:
//!                                     c(n)
//! ```
//!
//! The subject is evaluated once. Names are bound when all of their pattern has matched, before the guard, and
//! stay bound if that fails. Where a pattern has parts that are there only after a test, or where the guard
//! reads what the pattern binds, a flag keeps the other cases in one place:
//!
//! ```python
//! match x:                    matched = False
//!     case [0, n] if n > 9:   if is_sequence(x, 2):
//!         a(n)                    first, second = x
//!     case _:                     if first == 0:
//!         b()            →            n = second
//!                                     if n > 9:
//!                                         matched = True
//!                             if matched:
//!                                 a(n)
//!                             else:
//!                                 b()
//! ```
//!
//! How a program asks a value for its structure (`is_sequence(x, 2)`) is what a [`Structure`] says: converted code
//! calls operators, the text of a derivative is plain Python.

mod structure;
mod ways;

use std::collections::BTreeSet;

pub use self::structure::{Part, Parts, Step, Structure, is_wildcard};
use self::ways::{Capture, Way, all_of, nested};
use crate::build::Builder;
use crate::tree::{Expr, ExprKind, MatchCase, Name, Pattern, PatternKind, Stmt};
use crate::visit::{Visitor, walk_expr, walk_pattern};

/// The statements that a `match` becomes.
///
/// # Errors
///
/// Why a pattern cannot be lowered.
pub fn lower_match<S: Structure>(
    b: Builder<'_>,
    structure: &mut S,
    subject: &Expr,
    cases: &[MatchCase],
) -> Result<Vec<Stmt>, S::Refusal> {
    let mut lowering = Lowering { b, structure, subjects: BTreeSet::new() };
    let mut made = Vec::new();
    let subject = lowering.subject(subject, cases, &mut made);
    made.extend(lowering.chain(&subject, cases)?);
    Ok(made)
}

/// What a pattern is matched with, as expressions that may be evaluated again.
enum Subject {
    Value(Expr),
    /// The elements of a tuple or list that is never made: `match a, b:`.
    Elements(Vec<Expr>),
}

struct Lowering<'a, 's, S> {
    b: Builder<'a>,
    structure: &'s mut S,
    /// The variables that hold the subject.
    subjects: BTreeSet<Name>,
}

/// The subject, and the cases.
impl<S: Structure> Lowering<'_, '_, S> {
    /// Evaluates the subject. A variable that no pattern and no guard binds is read again instead.
    fn subject(&mut self, subject: &Expr, cases: &[MatchCase], made: &mut Vec<Stmt>) -> Subject {
        let mut bound = Bound::default();
        bound.visit_expr(subject);
        for case in cases {
            bound.visit_pattern(&case.pattern);
            case.guard.iter().for_each(|guard| bound.visit_expr(guard));
        }
        if let ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } = &subject.kind
            && !elements.iter().any(|one| matches!(one.kind, ExprKind::Starred { .. }))
            && cases.iter().all(|case| looks_at_elements(&case.pattern))
        {
            return Subject::Elements(
                elements.iter().map(|one| self.held(one, &bound, false, made)).collect(),
            );
        }
        // A variable that is unbound raises here, if not in the first pattern.
        let is_read = !cases.first().is_some_and(|case| is_wildcard(&case.pattern));
        Subject::Value(self.held(subject, &bound, is_read, made))
    }

    /// An expression that can be evaluated again, for a value that is evaluated once; `is_read` says whether that is
    /// surely done.
    fn held(&mut self, value: &Expr, bound: &Bound, is_read: bool, made: &mut Vec<Stmt>) -> Expr {
        let is_steady = match &value.kind {
            ExprKind::Name { name, .. } => {
                let is_seen = is_read || self.structure.is_bound(name);
                is_seen && self.structure.is_own(name) && !bound.names.contains(name)
            }
            ExprKind::Constant { .. } => true,
            _ => false,
        };
        let b = self.b.at(value.span);
        let held = if is_steady {
            value.clone()
        } else {
            let name = self.structure.variable("subject");
            made.push(b.assign_name(name.clone(), value.clone()));
            b.name(name)
        };
        if let ExprKind::Name { name, .. } = &held.kind {
            self.subjects.insert(name.clone());
        }
        held
    }

    /// The cases as one chain of `if` and `elif`.
    fn chain(&mut self, subject: &Subject, cases: &[MatchCase]) -> Result<Vec<Stmt>, S::Refusal> {
        let Some((case, rest)) = cases.split_first() else { return Ok(Vec::new()) };
        let b = self.b.at(case.span);
        let mut way = Way::default();
        self.pattern(&case.pattern, subject, &mut way)?;
        let mut made: Vec<Stmt> =
            way.maybe_bound.iter().filter_map(|name| self.structure.unbind(b, name)).collect();
        let mut guard = case.guard.clone();
        if way.captures.is_empty() {
            way.steps.extend(guard.take().map(Step::Test));
        }
        let is_test = |step: &Step| matches!(step, Step::Test(_));
        let first = way.steps.iter().position(is_test).unwrap_or(way.steps.len());
        made.extend(way.steps.drain(..first).filter_map(Step::into_run));
        let mut body = case.body.clone();
        let mut captures = self.bind(&way.captures);
        if guard.is_none()
            && let Some(tests) = way.steps.iter().position(|step| !is_test(step))
            && !way.steps[tests..].iter().any(is_test)
        {
            // All tests come first: the rest is the beginning of the body.
            captures.splice(0..0, way.steps.drain(tests..).filter_map(Step::into_run));
        }
        match (way.tests(), guard) {
            (Some(tests), None) => {
                body.splice(0..0, captures);
                match all_of(b.at(case.pattern.span), tests) {
                    Some(test) => made.push(b.if_stmt(test, body, self.chain(subject, rest)?)),
                    None => made.append(&mut body),
                }
            }
            (Some(tests), Some(guard)) if tests.is_empty() => {
                made.append(&mut captures);
                made.push(b.if_stmt(guard, body, self.chain(subject, rest)?));
            }
            (_, guard) if rest.is_empty() => {
                match guard {
                    Some(guard) => captures.push(b.if_stmt(guard, body, Vec::new())),
                    None => captures.append(&mut body),
                }
                made.extend(nested(b, way.steps, captures));
            }
            (_, guard) => {
                let (test, body) = self.flagged(b, (way, guard), body, &mut made);
                made.push(b.if_stmt(test, body, self.chain(subject, rest)?));
            }
        }
        Ok(made)
    }

    /// A flag that says whether a case has matched, and its body, which begins by binding names. Those that the guard
    /// reads are bound for it, and again in the body: no analysis need know that the guard has held there.
    fn flagged(
        &mut self,
        b: Builder<'_>,
        (way, guard): (Way, Option<Expr>),
        mut body: Vec<Stmt>,
        made: &mut Vec<Stmt>,
    ) -> (Expr, Vec<Stmt>) {
        let matched = self.structure.variable("matched");
        let mut end = vec![b.assign_name(matched.clone(), b.bool(true))];
        let mut again = Vec::new();
        for capture in &way.captures {
            if guard.as_ref().is_none_or(|guard| self.leaves(guard, &capture.name)) {
                again.push(self.again(capture, made));
            }
        }
        if let Some(guard) = guard {
            let holds = b.if_stmt(guard, end, Vec::new());
            end = self.bind(&way.captures);
            end.push(holds);
        }
        body.splice(0..0, self.bind(&again));
        made.push(b.assign_name(matched.clone(), b.bool(false)));
        made.extend(nested(b, way.steps, end));
        (b.name(matched), body)
    }

    /// Whether a guard does not bind a name anew.
    fn leaves(&self, guard: &Expr, name: &Name) -> bool {
        let mut bound = Bound::default();
        bound.visit_expr(guard);
        self.structure.is_own(name) && !bound.names.contains(name)
    }

    /// What a name is bound to after the steps to a match.
    fn again(&mut self, capture: &Capture, made: &mut Vec<Stmt>) -> Capture {
        let b = self.b.at(capture.span);
        let mut capture = capture.clone();
        if let ExprKind::Name { name, .. } = &capture.value.kind
            && !self.subjects.contains(name)
        {
            made.extend(self.structure.unbind(b, name));
            capture.value = self.structure.bound(b, name);
        }
        capture
    }

    /// Binds names to what they have matched.
    fn bind(&self, captures: &[Capture]) -> Vec<Stmt> {
        let bind = |Capture { span, name, value }: &Capture| {
            let b = self.b.at(*span);
            b.assign_name(name.clone(), b.copy_expr(value))
        };
        captures.iter().map(bind).collect()
    }
}

/// Whether a pattern looks at elements only, so that what holds them need not be there.
fn looks_at_elements(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Sequence(_) => true,
        PatternKind::Or(patterns) => patterns.iter().all(looks_at_elements),
        _ => is_wildcard(pattern),
    }
}

/// The names that expressions and patterns bind.
#[derive(Default)]
struct Bound {
    names: BTreeSet<Name>,
}

impl<'a> Visitor<'a> for Bound {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Named { target, .. } = &expr.kind
            && let ExprKind::Name { name, .. } = &target.kind
        {
            self.names.insert(name.clone());
        }
        walk_expr(self, expr);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        match &pattern.kind {
            PatternKind::Mapping { rest: name, .. }
            | PatternKind::Star(name)
            | PatternKind::As { name, .. } => self.names.extend(name.clone()),
            _ => {}
        }
        walk_pattern(self, pattern);
    }
}
