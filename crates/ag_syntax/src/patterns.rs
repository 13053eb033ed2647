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

use std::collections::BTreeSet;

use ag_errors::Span;

use crate::build::Builder;
use crate::tree::{BoolOp, CompareOp, Expr, ExprKind, MatchCase, Name, Pattern, PatternKind, Stmt};
use crate::unparse::unparse_expr;
use crate::visit::{Visitor, walk_expr, walk_pattern};

/// What becomes of patterns that ask a value for its structure.
pub trait Structure {
    /// Why a pattern cannot be lowered.
    type Refusal;

    /// A variable that the function does not have yet.
    fn variable(&mut self, wish: &str) -> Name;

    /// Whether a name is a variable that nothing but the function's own statements binds: where they do not, it
    /// may be read again.
    fn is_own(&self, name: &str) -> bool;

    /// Whether a variable is surely bound, as a parameter is, so that a read of it cannot raise.
    fn is_bound(&self, name: &str) -> bool;

    /// What runs before statements that may bind a variable, which is then read only where they have.
    fn unbind(&mut self, b: Builder<'_>, name: &Name) -> Option<Stmt>;

    /// Such a read.
    fn bound(&mut self, b: Builder<'_>, name: &Name) -> Expr;

    /// `[a, *b]`: the way to its elements.
    ///
    /// # Errors
    ///
    /// Why it cannot be lowered.
    fn sequence(
        &mut self,
        b: Builder<'_>,
        value: &Expr,
        elements: &[Pattern],
    ) -> Result<Parts, Self::Refusal>;

    /// `{key: a, **rest}`: the way to its values; the last part is what `rest` is bound to, if it is there.
    ///
    /// # Errors
    ///
    /// Why it cannot be lowered.
    fn mapping(
        &mut self,
        b: Builder<'_>,
        value: &Expr,
        items: (&[Expr], &[Pattern]),
        has_rest: bool,
    ) -> Result<Parts, Self::Refusal>;

    /// `Class(a, name=b)`: the way to its attributes, the positional ones first.
    ///
    /// # Errors
    ///
    /// Why it cannot be lowered.
    fn class(
        &mut self,
        b: Builder<'_>,
        value: &Expr,
        class: &Expr,
        attributes: (&[Pattern], &[(Name, Pattern)]),
    ) -> Result<Parts, Self::Refusal>;
}

/// The way to the parts of a value.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// What comes before all of them.
    pub steps: Vec<Step>,
    /// The parts in the order of their patterns.
    pub parts: Vec<Part>,
}

/// A part of a value.
#[derive(Clone, Debug)]
pub struct Part {
    /// What comes before it.
    pub before: Option<Step>,
    /// The part; it is evaluated once for each pattern that looks at it, and once for each name.
    pub value: Expr,
}

/// A step on the way to a match.
#[derive(Clone, Debug)]
pub enum Step {
    /// There is no match unless this holds.
    Test(Expr),
    /// What runs if all tests before it have held.
    Run(Stmt),
}

impl Step {
    fn into_run(self) -> Option<Stmt> {
        match self {
            Self::Test(_) => None,
            Self::Run(stmt) => Some(stmt),
        }
    }
}

/// Whether a pattern is `_` or `*_`.
#[must_use]
pub fn is_wildcard(pattern: &Pattern) -> bool {
    matches!(pattern.kind, PatternKind::As { pattern: None, name: None } | PatternKind::Star(None))
}

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

/// How a pattern matches.
#[derive(Default)]
struct Way {
    steps: Vec<Step>,
    /// What is bound to which names, at the end.
    captures: Vec<Capture>,
    /// Variables that only some of the steps bind.
    maybe_bound: Vec<Name>,
}

/// A name that a pattern binds, and to what.
#[derive(Clone)]
struct Capture {
    span: Span,
    name: Name,
    value: Expr,
}

impl Way {
    fn capture(&mut self, span: Span, name: Option<&Name>, value: Expr) {
        self.captures.extend(name.map(|name| Capture { span, name: name.clone(), value }));
    }

    /// The tests, if there is nothing else to do.
    fn tests(&self) -> Option<Vec<Expr>> {
        let test = |step: &Step| match step {
            Step::Test(test) => Some(test.clone()),
            Step::Run(_) => None,
        };
        self.steps.iter().map(test).collect()
    }
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

/// Patterns.
impl<S: Structure> Lowering<'_, '_, S> {
    fn pattern(&mut self, pattern: &Pattern, subject: &Subject, way: &mut Way) -> Result<(), S::Refusal> {
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

/// Whether a pattern looks at elements only, so that what holds them need not be there.
fn looks_at_elements(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Sequence(_) => true,
        PatternKind::Or(patterns) => patterns.iter().all(looks_at_elements),
        _ => is_wildcard(pattern),
    }
}

/// `first and second`, if there are any.
fn all_of(b: Builder<'_>, mut tests: Vec<Expr>) -> Option<Expr> {
    if tests.len() > 1 { Some(b.bool_op(BoolOp::And, tests)) } else { tests.pop() }
}

/// Steps, each in the tests before it, and at their end `end`.
fn nested(b: Builder<'_>, steps: Vec<Step>, end: Vec<Stmt>) -> Vec<Stmt> {
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
