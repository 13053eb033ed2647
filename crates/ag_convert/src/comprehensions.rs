//! List comprehensions and generator expressions become operators, so that one over a staged
//! iterable is a staged loop.
//!
//! ```python
//! [f(v) for v in xs]                    ag__.list_comprehension(xs, lambda v: f(v))
//! (a * b for a, b in zip(x, y) if a)    ag__.generator(zip(x, y), lambda a, b: a * b, lambda a, b: a)
//! ```
//!
//! What a lambda could not do as a comprehension does stays as written: several `for`s, targets
//! other than names, `:=`, `await`, `yield`, and functions made inside, which would each have a
//! variable of their own where Python gives them one in common.

use std::collections::HashSet;

use ag_syntax::tree::{Comprehension, Expr, ExprKind, Name, NodeId, Param, Params, Stmt};
use ag_syntax::visit::{Visitor, walk_expr};

use crate::context::Conversion;

const MOST_TARGETS: usize = 3;

/// The comprehensions that can be operators.
pub(crate) fn find(body: &[Stmt]) -> HashSet<NodeId> {
    let mut search = Search(HashSet::new());
    body.iter().for_each(|stmt| search.visit_stmt(stmt));
    search.0
}

struct Search(HashSet<NodeId>);

impl<'a> Visitor<'a> for Search {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let ExprKind::ListComp { element, generators } | ExprKind::Generator { element, generators } =
            &expr.kind
            && let [generator] = &generators[..]
            && targets(&generator.target).is_some()
            && !generator.is_async
            && generator.conditions.len() <= 1
            && is_plain(element)
            && generator.conditions.iter().all(is_plain)
        {
            self.0.insert(expr.id);
        }
        walk_expr(self, expr);
    }
}

/// The names that a target binds: one, or a few of a tuple.
fn targets(target: &Expr) -> Option<Vec<Name>> {
    let elements = match &target.kind {
        ExprKind::Name { name, .. } => return Some(vec![name.clone()]),
        ExprKind::Tuple { elements, .. } => elements,
        _ => return None,
    };
    let names: Vec<Name> = elements
        .iter()
        .filter_map(|element| match &element.kind {
            ExprKind::Name { name, .. } => Some(name.clone()),
            _ => None,
        })
        .collect();
    let are_distinct = names.iter().collect::<HashSet<_>>().len() == names.len();
    ((2..=MOST_TARGETS).contains(&names.len()) && names.len() == elements.len() && are_distinct)
        .then_some(names)
}

/// Whether an expression means the same in a lambda.
fn is_plain(expr: &Expr) -> bool {
    struct Check(bool);
    impl<'a> Visitor<'a> for Check {
        fn visit_expr(&mut self, expr: &'a Expr) {
            match &expr.kind {
                ExprKind::Lambda { .. }
                | ExprKind::Generator { .. }
                | ExprKind::ListComp { .. }
                | ExprKind::SetComp { .. }
                | ExprKind::DictComp { .. }
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

fn looks_at_its_frame(callee: &Expr) -> bool {
    let ExprKind::Name { name, .. } = &callee.kind else { return false };
    matches!(&**name, "locals" | "vars" | "dir" | "eval" | "exec" | "super" | "globals" | "breakpoint")
}

/// Rewrites one expression.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    if !conversion.lazy_comprehensions.contains(&expr.id) {
        return;
    }
    let (operator, element, generators) = match &mut expr.kind {
        ExprKind::ListComp { element, generators } => ("list_comprehension", element, generators),
        ExprKind::Generator { element, generators } => ("generator", element, generators),
        _ => return,
    };
    let Some(Comprehension { target, iter, conditions, .. }) = generators.pop() else { return };
    let Some(names) = targets(&target) else { return };
    let nothing = conversion.builder(expr.span).none();
    let element = std::mem::replace(&mut **element, nothing);
    let mut args = vec![iter];
    for body in std::iter::once(element).chain(conditions) {
        args.push(lambda(&names, &target, body, expr.id, conversion));
    }
    *expr = conversion.call(expr.span, operator, args);
}

/// `lambda names: body`, with the comprehension's id: its names are looked up in that scope.
fn lambda(names: &[Name], target: &Expr, body: Expr, scope: NodeId, conversion: &mut Conversion) -> Expr {
    let span = body.span;
    let positional = names
        .iter()
        .map(|name| Param {
            id: conversion.ids.fresh(),
            span: target.span,
            name: name.clone(),
            annotation: None,
            default: None,
        })
        .collect();
    let params = Params { positional, ..Params::default() };
    Expr { id: scope, span, kind: ExprKind::Lambda { params: Box::new(params), body: Box::new(body) } }
}
