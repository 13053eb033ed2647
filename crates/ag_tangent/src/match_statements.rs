//! `match` becomes `if` where values with derivatives are around, or where a jump leaves it.
//!
//! ```text
//! match xs:                       if tangent.is_sequence(xs) and len(xs) == 2:
//!     case [a, b]:                    a = xs[0]
//!         y = a * b          →        b = xs[1]
//!     case _:                         y = a * b
//!         y = 0.0                 else:
//!                                     y = 0.0
//! ```
//!
//! `ag_syntax::lower_match` says how. The parts of a value are written as what they are, `xs[0]`, `p["k"]`, `c.radius`:
//! derivatives are known of these. All other `match` statements stay as the user has written them.

use std::collections::BTreeSet;

use ag_errors::Diagnostic;
use ag_syntax::tree::{
    BinaryOp, CompareOp, Comprehension, Context, Expr, ExprKind, Name, Pattern, PatternKind, Stmt, StmtKind,
};
use ag_syntax::{Builder, Part, Parts, Step, Structure, lower_match};

use crate::callee::{Callee, Resolver};
use crate::each::each_stmt;
use crate::functions::Functions;
use crate::jumps::may_leave;
use crate::name_sets::IntoSet;
use crate::naming::Naming;
use crate::normal::{Outcome, refusal};
use crate::variables::{bound_by, bound_in, dotted, read_by, root_of, times_bound};

/// Lowers `match` statements of a function.
pub(crate) struct Matches<'a, 'r> {
    b: Builder<'a>,
    resolver: &'r dyn Resolver,
    /// The variables of the function, and those of them that functions in it write.
    locals: BTreeSet<Name>,
    written_inside: BTreeSet<Name>,
    /// The variables that one pattern binds, and nothing else.
    captured_once: BTreeSet<Name>,
}

impl<'a, 'r> Matches<'a, 'r> {
    pub(crate) fn new(
        b: Builder<'a>,
        resolver: &'r dyn Resolver,
        parameters: &[Name],
        body: &[Stmt],
    ) -> Self {
        let mut captured = Captured::default();
        ag_syntax::visit::Visitor::visit_body(&mut captured, body);
        let times = times_bound(body);
        captured.0.retain(|name| times.get(name) == Some(&1) && !parameters.contains(name));
        let declared = declared_outside(body);
        Self {
            b,
            resolver,
            locals: bound_in(body).into_iter().chain(parameters.iter().cloned()).into_set(),
            written_inside: declared,
            captured_once: captured.0,
        }
    }

    /// Those that jumps leave, before jumps are rewritten.
    pub(crate) fn left_by_jumps(&self, body: Vec<Stmt>, naming: &mut Naming) -> Outcome<Vec<Stmt>> {
        self.block(body, naming, &|stmt| may_leave(std::slice::from_ref(stmt)))
    }

    /// Those that read or bind a value with a derivative; whether there are any.
    pub(crate) fn of_active(
        &self,
        body: Vec<Stmt>,
        active: &BTreeSet<Name>,
        naming: &mut Naming,
    ) -> Outcome<(Vec<Stmt>, bool)> {
        let is_active = |stmt: &Stmt| meets(stmt, active);
        if !holds(&body, &is_active) {
            return Ok((body, false));
        }
        Ok((self.block(body, naming, &is_active)?, true))
    }

    /// Notes the classes of what variables of lowered statements hold: `subject = Point(x, y)`, `case Point() as p`.
    pub(crate) fn note_objects(&self, body: &[Stmt], functions: &mut Functions) {
        for stmt in body {
            if let StmtKind::Assign { targets, value } = &stmt.kind
                && let [Expr { kind: ExprKind::Name { name, .. }, .. }] = targets.as_slice()
                && self.is_of_pattern(name)
                && let Some(path) = self.class_of(value, functions)
            {
                functions.objects.insert(name.clone(), path);
            }
            for block in crate::jumps::blocks_of(stmt) {
                self.note_objects(block, functions);
            }
        }
    }

    /// Whether a variable is bound by one pattern only, or holds a subject.
    fn is_of_pattern(&self, name: &Name) -> bool {
        !self.locals.contains(name) || self.captured_once.contains(name)
    }

    /// The name by which the resolver knows the class of an object.
    fn class_of(&self, value: &Expr, functions: &Functions) -> Option<String> {
        match &value.kind {
            ExprKind::Name { name, .. } => functions.objects.get(name).cloned(),
            ExprKind::Attribute { value, attr, .. } => {
                Some(format!("{}.{attr}", self.class_of(value, functions)?))
            }
            ExprKind::Call { func, .. } => {
                let path =
                    dotted(func).filter(|_| root_of(func).is_some_and(|root| !self.locals.contains(root)))?;
                let makes_object =
                    matches!(self.resolver.named(&path), Callee::Function(one) if one.makes_object);
                makes_object.then_some(path)
            }
            _ => None,
        }
    }

    fn block(
        &self,
        body: Vec<Stmt>,
        naming: &mut Naming,
        is_meant: &dyn Fn(&Stmt) -> bool,
    ) -> Outcome<Vec<Stmt>> {
        let mut made = Vec::with_capacity(body.len());
        for mut stmt in body {
            for block in blocks_mut(&mut stmt) {
                *block = self.block(std::mem::take(block), naming, is_meant)?;
            }
            match &stmt.kind {
                StmtKind::Match { subject, cases } if is_meant(&stmt) => {
                    let mut plain = Plain { of: self, naming };
                    made.extend(lower_match(self.b.at(stmt.span), &mut plain, subject, cases)?);
                }
                _ => made.push(stmt),
            }
        }
        Ok(made)
    }
}

/// Whether a statement reads or binds one of these variables.
pub(crate) fn meets(stmt: &Stmt, active: &BTreeSet<Name>) -> bool {
    read_by(stmt).iter().chain(&bound_by(stmt)).any(|name| active.contains(name))
}

/// Whether a `match` of this kind is in a body.
fn holds(body: &[Stmt], is_meant: &dyn Fn(&Stmt) -> bool) -> bool {
    body.iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::Match { .. }) && is_meant(stmt)
            || crate::jumps::blocks_of(stmt).into_iter().any(|block| holds(block, is_meant))
    })
}

/// The blocks of a compound statement, those of definitions left out.
pub(crate) fn blocks_mut(stmt: &mut Stmt) -> Vec<&mut Vec<Stmt>> {
    match &mut stmt.kind {
        StmtKind::For { body, orelse, .. }
        | StmtKind::While { body, orelse, .. }
        | StmtKind::If { body, orelse, .. } => vec![body, orelse],
        StmtKind::With { body, .. } => vec![body],
        StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
            let mut blocks = vec![body, orelse, finalbody];
            blocks.extend(handlers.iter_mut().map(|handler| &mut handler.body));
            blocks
        }
        StmtKind::Match { cases, .. } => cases.iter_mut().map(|case| &mut case.body).collect(),
        _ => Vec::new(),
    }
}

/// The names that patterns bind.
#[derive(Default)]
struct Captured(BTreeSet<Name>);

impl<'a> ag_syntax::visit::Visitor<'a> for Captured {
    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let PatternKind::As { name: Some(name), .. } = &pattern.kind {
            self.0.insert(name.clone());
        }
        ag_syntax::visit::walk_pattern(self, pattern);
    }
}

/// The names that functions in a body declare `nonlocal` or `global`, and the body itself.
fn declared_outside(body: &[Stmt]) -> BTreeSet<Name> {
    let mut declared = BTreeSet::new();
    each_stmt(body, &mut |stmt| {
        if let StmtKind::Global(names) | StmtKind::Nonlocal(names) = &stmt.kind {
            declared.extend(names.iter().cloned());
        }
        true
    });
    declared
}

/// Structure, in plain Python.
struct Plain<'m, 'a, 'r> {
    of: &'m Matches<'a, 'r>,
    naming: &'m mut Naming,
}

impl Structure for Plain<'_, '_, '_> {
    type Refusal = Diagnostic;

    fn variable(&mut self, wish: &str) -> Name {
        self.naming.fresh(wish)
    }

    fn is_own(&self, name: &str) -> bool {
        self.of.locals.contains(name) && !self.of.written_inside.contains(name)
    }

    /// A derivative is that of a program that has bound what it reads.
    fn is_bound(&self, name: &str) -> bool {
        self.is_own(name)
    }

    fn unbind(&mut self, _: Builder<'_>, _: &Name) -> Option<Stmt> {
        None
    }

    fn bound(&mut self, b: Builder<'_>, name: &Name) -> Expr {
        b.name(name.clone())
    }

    fn sequence(&mut self, b: Builder<'_>, value: &Expr, elements: &[Pattern]) -> Outcome<Parts> {
        let star = elements.iter().position(|one| matches!(one.kind, PatternKind::Star(_)));
        let length = || b.call(b.name("len"), [b.copy_expr(value)]);
        let from_end = |places: usize| {
            let (left, right) = (Box::new(length()), Box::new(count(b, places)));
            b.expr(ExprKind::Binary { left, op: BinaryOp::Sub, right })
        };
        let mut steps = vec![Step::Test(asked(b, "is_sequence", value))];
        let least = elements.len() - usize::from(star.is_some());
        if star.is_none() || least > 0 {
            let op = if star.is_none() { CompareOp::Eq } else { CompareOp::GtE };
            steps.push(Step::Test(b.compare(length(), op, count(b, least))));
        }
        let part = |index: usize| match star {
            Some(star) if index == star => {
                let after = elements.len() - index - 1;
                let lower = (index > 0).then(|| Box::new(count(b, index)));
                let upper = (after > 0).then(|| Box::new(from_end(after)));
                let all = b.call(b.name("list"), [b.copy_expr(value)]);
                if lower.is_none() && upper.is_none() {
                    return all;
                }
                b.subscript(all, b.expr(ExprKind::Slice { lower, upper, step: None }))
            }
            Some(star) if index > star => b.subscript(b.copy_expr(value), from_end(elements.len() - index)),
            _ => b.subscript(b.copy_expr(value), count(b, index)),
        };
        let parts = (0..elements.len()).map(|index| Part { before: None, value: part(index) });
        Ok(Parts { steps, parts: parts.collect() })
    }

    fn mapping(
        &mut self,
        b: Builder<'_>,
        value: &Expr,
        (keys, _): (&[Expr], &[Pattern]),
        has_rest: bool,
    ) -> Outcome<Parts> {
        if keys.len() > 1
            && let Some(key) = keys.iter().find(|key| matches!(key.kind, ExprKind::Attribute { .. }))
        {
            let message = "a mapping pattern with several keys, one of them a name";
            return Err(refusal(key.span, message, "write the key as a literal, or use `if`"));
        }
        let mut steps = vec![Step::Test(asked(b, "is_mapping", value))];
        let mut parts = Vec::new();
        for key in keys {
            steps.push(Step::Test(b.compare(key.clone(), CompareOp::In, b.copy_expr(value))));
            parts.push(b.subscript(b.copy_expr(value), b.copy_expr(key)));
        }
        if has_rest {
            parts.push(self.rest(b, value, keys));
        }
        let parts = parts.into_iter().map(|value| Part { before: None, value });
        Ok(Parts { steps, parts: parts.collect() })
    }

    fn class(
        &mut self,
        b: Builder<'_>,
        value: &Expr,
        class: &Expr,
        (positional, keywords): (&[Pattern], &[(Name, Pattern)]),
    ) -> Outcome<Parts> {
        let test = b.call(b.name("isinstance"), [b.copy_expr(value), class.clone()]);
        let mut steps = vec![Step::Test(test)];
        let path =
            dotted(class).filter(|_| root_of(class).is_some_and(|root| !self.of.locals.contains(root)));
        let known = path.and_then(|path| self.of.resolver.pattern_names(&path)).unwrap_or_default();
        if positional.len() > known.positional.len() {
            let message = "the class of this pattern does not say, or not to this derivative, which attributes these are";
            return Err(refusal(b.origin(), message, "name the attributes: `Point(x=a)`"));
        }
        let mut parts = Vec::new();
        for name in known
            .positional
            .iter()
            .take(positional.len())
            .map(String::as_str)
            .chain(keywords.iter().map(|(name, _)| &**name))
        {
            if name.is_empty() {
                parts.push(b.copy_expr(value));
                continue;
            }
            if !known.all.iter().any(|one| one == name) {
                let test = b.call(b.name("hasattr"), [b.copy_expr(value), b.string(name)]);
                steps.push(Step::Test(test));
            }
            parts.push(b.attribute(b.copy_expr(value), name));
        }
        let parts = parts.into_iter().map(|value| Part { before: None, value });
        Ok(Parts { steps, parts: parts.collect() })
    }
}

impl Plain<'_, '_, '_> {
    /// `{key: item for key, item in p.items() if key not in ("k",)}`.
    fn rest(&mut self, b: Builder<'_>, value: &Expr, keys: &[Expr]) -> Expr {
        let (key, item) = (self.naming.fresh("key"), self.naming.fresh("item"));
        let items = b.call(b.attribute(b.copy_expr(value), "items"), []);
        let target = b.tuple_in([b.name_store(key.clone()), b.name_store(item.clone())], Context::Store);
        let known = b.tuple(keys.iter().map(|key| b.copy_expr(key)));
        let conditions = match keys {
            [] => Vec::new(),
            _ => vec![b.compare(b.name(key.clone()), CompareOp::NotIn, known)],
        };
        b.expr(ExprKind::DictComp {
            key: Box::new(b.name(key)),
            value: Box::new(b.name(item)),
            generators: vec![Comprehension { target, iter: items, conditions, is_async: false }],
        })
    }
}

/// `tangent.is_sequence(value)`.
fn asked(b: Builder<'_>, helper: &str, value: &Expr) -> Expr {
    b.call(b.attribute(b.name("tangent"), helper), [b.copy_expr(value)])
}

fn count(b: Builder<'_>, count: usize) -> Expr {
    b.int(i64::try_from(count).unwrap_or(i64::MAX))
}
