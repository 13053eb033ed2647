//! Comprehensions and generator expressions become calls of operators, so that one over a staged
//! iterable is a staged loop.
//!
//! ```python
//! [f(v) for v in xs]                    ag__.list_comprehension(xs, lambda v: f(v))
//! (a * b for a, b in zip(x, y) if a)    ag__.generator(zip(x, y), lambda a, b: a * b, lambda a, b: a)
//! [a for i, (a, b) in pairs]            ag__.list_comprehension(
//!                                           pairs, lambda i, a, b, *, ag__target=(None, (None, None)): a)
//! [a * b for a in x if a for b in y]    ag__.nested_list_comprehension(
//!                                           x, lambda a: ag__.inner(y, lambda b: a * b), lambda a: a)
//! ```
//!
//! Those of sets and dicts are `set_comprehension` and `dict_comprehension`, which take any number of `for`s and
//! `if`s; the element of a dict's is the pair of key and value. Where there are several `for`s or `if`s the operators are `nested_list_comprehension` and
//! `nested_generator`.
//!
//! A comprehension stays as written if lambdas could not express it: targets other than names, `:=`, `await`,
//! `yield`, and nested functions and generators, which would capture one variable each where Python gives
//! them a common one. A generator that the call around it consumes (`any(any(v > t for v in r) for r in m)`)
//! captures it no longer than that.

use std::collections::HashSet;

use ag_syntax::tree::{Comprehension, Expr, ExprKind, Name, NodeId, Param, Params, Stmt};
use ag_syntax::visit::{Visitor, walk_expr};

use crate::context::Conversion;

/// The most targets in one tuple, as `unpacked.py` takes them apart.
const MOST_TARGETS: usize = 6;
/// How deep tuples of targets may be in others.
const DEEPEST: usize = 3;

/// The comprehensions that can become calls of operators.
pub(crate) fn find(body: &[Stmt]) -> HashSet<NodeId> {
    let mut search = Search(HashSet::new());
    body.iter().for_each(|stmt| search.visit_stmt(stmt));
    search.0
}

struct Search(HashSet<NodeId>);

impl<'a> Visitor<'a> for Search {
    fn visit_expr(&mut self, expr: &'a Expr) {
        let can_be_operator = match &expr.kind {
            ExprKind::ListComp { element, generators } | ExprKind::Generator { element, generators } => {
                are_plain(element, generators)
            }
            ExprKind::SetComp { element, generators } => are_plain(element, generators),
            ExprKind::DictComp { key, value, generators } => {
                are_plain(key, generators) && are_plain(value, generators)
            }
            _ => false,
        };
        if can_be_operator {
            self.0.insert(expr.id);
        }
        walk_expr(self, expr);
    }
}

/// Whether a comprehension has one `for` and at most one `if`.
fn is_simple(generators: &[Comprehension]) -> bool {
    matches!(generators, [generator] if generator.conditions.len() <= 1)
}

/// Whether the parts of a comprehension mean the same in lambdas, one inside the other.
fn are_plain(element: &Expr, generators: &[Comprehension]) -> bool {
    let mut names_of_later: Vec<Name> = Vec::new();
    is_plain(element)
        && generators.iter().enumerate().rev().all(|(level, generator)| {
            // `[a for a in x if b for b in y]`: a variable of the comprehension that is not bound yet, and
            // in a lambda a variable of somebody else.
            let is_plain_here = |expr: &Expr| is_plain(expr) && !reads_any(expr, &names_of_later);
            let conditions_are_plain = generator.conditions.iter().all(is_plain_here);
            let Some(names) = targets(&generator.target) else { return false };
            names_of_later.extend(names);
            let reads_its_own = || reads_any(&generator.iter, &names_of_later);
            let is_first = level == 0;
            conditions_are_plain
                && !generator.is_async
                && (is_first || (is_plain(&generator.iter) && !reads_its_own()))
        })
}

/// Whether an expression reads one of the names.
fn reads_any(expr: &Expr, names: &[Name]) -> bool {
    struct Find<'n>(&'n [Name], bool);
    impl<'a> Visitor<'a> for Find<'_> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let ExprKind::Name { name, .. } = &expr.kind {
                self.1 |= self.0.contains(name);
            }
            walk_expr(self, expr);
        }
    }
    let mut find = Find(names, false);
    find.visit_expr(expr);
    find.1
}

/// The names that a target binds: one, or those of a tuple, and of tuples in it.
fn targets(target: &Expr) -> Option<Vec<Name>> {
    fn collect(target: &Expr, depth: usize, names: &mut Vec<Name>) -> Option<()> {
        match &target.kind {
            ExprKind::Name { name, .. } => names.push(name.clone()),
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. }
                if depth < DEEPEST && (1..=MOST_TARGETS).contains(&elements.len()) =>
            {
                elements.iter().try_for_each(|element| collect(element, depth + 1, names))?;
            }
            _ => return None,
        }
        Some(())
    }
    let mut names = Vec::new();
    collect(target, 0, &mut names)?;
    Some(names)
}

/// Whether the number of its names says what a target is: a name, or a pair or three of them.
fn is_flat(target: &Expr) -> bool {
    let is_name = |target: &Expr| matches!(target.kind, ExprKind::Name { .. });
    match &target.kind {
        ExprKind::Tuple { elements, .. } => matches!(elements.len(), 2 | 3) && elements.iter().all(is_name),
        _ => is_name(target),
    }
}

/// The form of a target: `None` for a name, and a tuple for a tuple: `a, (b, c)` is `(None, (None, None))`.
fn form(target: &Expr, conversion: &mut Conversion) -> Expr {
    let elements = match &target.kind {
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => elements,
        _ => return conversion.builder(target.span).none(),
    };
    let parts: Vec<Expr> = elements.iter().map(|element| form(element, conversion)).collect();
    conversion.builder(target.span).tuple(parts)
}

/// Whether an expression means the same in a lambda.
fn is_plain(expr: &Expr) -> bool {
    struct Check(bool);
    impl<'a> Visitor<'a> for Check {
        fn visit_expr(&mut self, expr: &'a Expr) {
            match &expr.kind {
                ExprKind::Call { func, args, keywords } if self.0 && consumes(func) => {
                    for arg in args {
                        match &arg.kind {
                            ExprKind::Generator { .. } => walk_expr(self, arg),
                            _ => self.visit_expr(arg),
                        }
                    }
                    keywords.iter().for_each(|keyword| self.visit_expr(&keyword.value));
                }
                ExprKind::Lambda { .. }
                | ExprKind::Generator { .. }
                | ExprKind::Named { .. }
                | ExprKind::Await(_)
                | ExprKind::Yield(_)
                | ExprKind::YieldFrom(_) => self.0 = false,
                ExprKind::Call { func, .. } if looks_at_its_frame(func) => self.0 = false,
                _ if self.0 => walk_expr(self, expr),
                _ => {}
            }
        }
    }
    let mut check = Check(true);
    check.visit_expr(expr);
    check.0
}

/// Whether a callee walks over a generator before it returns: then it does not matter that the generator captures
/// a variable of its own.
fn consumes(callee: &Expr) -> bool {
    let ExprKind::Name { name, .. } = &callee.kind else { return false };
    matches!(
        &**name,
        "all" | "any" | "dict" | "frozenset" | "list" | "max" | "min" | "set" | "sorted" | "sum" | "tuple"
    )
}

fn looks_at_its_frame(callee: &Expr) -> bool {
    let ExprKind::Name { name, .. } = &callee.kind else { return false };
    matches!(&**name, "locals" | "vars" | "dir" | "eval" | "exec" | "super" | "globals" | "breakpoint")
}

/// Rewrites one expression.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    if !conversion.lazy_comprehensions.contains(&expr.id) {
        return;
    }
    let span = expr.span;
    let (operator, element, generators) = match &mut expr.kind {
        ExprKind::ListComp { element, generators } if !is_simple(generators) => {
            ("nested_list_comprehension", element, generators)
        }
        ExprKind::ListComp { element, generators } => ("list_comprehension", element, generators),
        ExprKind::Generator { element, generators } if !is_simple(generators) => {
            ("nested_generator", element, generators)
        }
        ExprKind::Generator { element, generators } => ("generator", element, generators),
        ExprKind::SetComp { element, generators } => ("set_comprehension", element, generators),
        ExprKind::DictComp { key, value, generators } => {
            let builder = conversion.builder(span);
            let taken = [&mut *key, value].map(|part| std::mem::replace(&mut **part, builder.none()));
            **key = builder.tuple(taken);
            ("dict_comprehension", key, generators)
        }
        _ => return,
    };
    let (scope, levels) = (expr.id, std::mem::take(generators));
    let nothing = conversion.builder(span).none();
    let mut body = std::mem::replace(&mut **element, nothing);
    for (level, Comprehension { target, iter, conditions, .. }) in levels.into_iter().enumerate().rev() {
        let Some(names) = targets(&target) else { return };
        let mut args = vec![iter, lambda(&names, &target, body, scope, conversion)];
        for condition in conditions {
            args.push(lambda(&names, &target, condition, scope, conversion));
        }
        body = conversion.call(span, if level == 0 { operator } else { "inner" }, args);
    }
    *expr = body;
}

/// `lambda names: body`, with the id of the comprehension, in whose scope its names are looked up; with the form of
/// the target, if the names do not say it: `lambda a, b, c, *, ag__target=(None, (None, None)): body`.
fn lambda(names: &[Name], target: &Expr, body: Expr, scope: NodeId, conversion: &mut Conversion) -> Expr {
    let span = body.span;
    let form = (!is_flat(target)).then(|| form(target, conversion));
    let mut param = |name: Name, default: Option<Expr>| Param {
        id: conversion.ids.fresh(),
        span: target.span,
        name,
        annotation: None,
        default,
    };
    // Of two equal names, `for _, _, x in rows`, the last one is bound.
    let is_bound_again = |place: usize, name: &Name| names.iter().skip(place + 1).any(|later| later == name);
    let mut params = Params::default();
    for (place, name) in names.iter().enumerate() {
        let unused = is_bound_again(place, name).then(|| format!("ag__unused_{place}").into());
        params.positional.push(param(unused.unwrap_or_else(|| name.clone()), None));
    }
    if let Some(form) = form {
        params.keyword_only.push(param("ag__target".into(), Some(form)));
    }
    Expr { id: scope, span, kind: ExprKind::Lambda { params: Box::new(params), body: Box::new(body) } }
}
