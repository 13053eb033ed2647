//! What Python itself walks over, to unpack it: the operators are told, since how far an iterator has come may be
//! known in the run only.
//!
//! ```python
//! a, b = it              a, b = ag__.walked(it)
//! a, *rest = it          a, rest = ag__.spread(it, 1, 0)
//! (a, b), c = pairs      (a, b), c = ag__.walked(pairs, 2)
//! x = a, b = it          x = a, b = ag__.kept(it)
//! y = (x, *it)           y = ag__.tuple_display((x,), ag__.starred(it))
//! f(*it)                 f(*ag__.walked(it))
//! ```

use ag_syntax::tree::{Context, Expr, ExprKind, Stmt, StmtKind};
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::walk_stmt;

use crate::context::Conversion;

/// Rewrites the values of assignments to several targets.
pub(crate) fn rewrite_unpacked(body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    Unpacked { conversion }.visit_body(body);
}

struct Unpacked<'a> {
    conversion: &'a mut Conversion,
}

impl VisitorMut for Unpacked<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::Assign { targets, value } = &mut stmt.kind {
            if let [target] = targets.as_mut_slice() {
                walked_into(target, value, self.conversion);
            } else {
                kept(targets, value, self.conversion);
            }
        }
        walk_stmt(self, stmt);
    }
}

/// How many levels of an object a target unpacks.
fn depth(target: &Expr) -> i64 {
    match &target.kind {
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
            1 + elements.iter().map(depth).max().unwrap_or(0)
        }
        ExprKind::Starred { value, .. } => depth(value),
        _ => 0,
    }
}

/// Wraps the parts of a value that a target unpacks; a display has its items already.
pub(crate) fn walked_into(target: &mut Expr, value: &mut Expr, conversion: &mut Conversion) {
    let levels = depth(target);
    if levels == 0 || is_known(target, value, levels, conversion) {
        return;
    }
    match spread(target) {
        Some((before, after)) => wrap(value, "spread", &[before, after], levels, conversion),
        None => wrap(value, "walked", &[], levels, conversion),
    }
}

/// As [`walked_into`], of a value that is bound to several targets: it stays the object that it is.
fn kept(targets: &[Expr], value: &mut Expr, conversion: &mut Conversion) {
    let Some(target) = targets.iter().max_by_key(|target| depth(target)) else { return };
    let levels = depth(target);
    if levels > 0 && !is_known(target, value, levels, conversion) {
        wrap(value, "kept", &[], levels, conversion);
    }
}

/// Makes the starred variable of a target one that gets a list; how many targets stand before and after it.
fn spread(target: &mut Expr) -> Option<(i64, i64)> {
    let (ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. }) = &mut target.kind else {
        return None;
    };
    let place = elements.iter().position(is_starred)?;
    let counts = (place.try_into().ok()?, (elements.len() - place - 1).try_into().ok()?);
    let one = elements.get_mut(place)?;
    let ExprKind::Starred { value, .. } = &one.kind else { return None };
    if depth(value) > 0 {
        return None;
    }
    *one = (**value).clone();
    Some(counts)
}

/// Whether a target unpacks what is there already.
fn is_known(target: &Expr, value: &Expr, levels: i64, conversion: &Conversion) -> bool {
    if let (
        ExprKind::Tuple { elements: targets, .. } | ExprKind::List { elements: targets, .. },
        ExprKind::Tuple { elements: values, .. } | ExprKind::List { elements: values, .. },
    ) = (&target.kind, &value.kind)
        && targets.len() == values.len()
        && !targets.iter().chain(values.iter()).any(is_starred)
    {
        let mut parts = targets.iter().zip(values).map(|(target, value)| (target, value, depth(target)));
        return parts.all(|(target, value, depth)| depth == 0 || is_known(target, value, depth, conversion));
    }
    match &value.kind {
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
            levels == 1 && !(elements.iter().any(is_starred) && has_starred(target))
        }
        ExprKind::Constant { .. } => true,
        _ => is_operator(value, conversion),
    }
}

/// Rewrites `*values` of one call or display.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let span = expr.span;
    match &mut expr.kind {
        ExprKind::Call { args, .. } => rewrite_starred(args, conversion),
        // The index of `x[1:2, *rest]`.
        ExprKind::Tuple { elements, .. } if elements.iter().any(is_slice) => {
            rewrite_starred(elements, conversion);
        }
        ExprKind::Tuple { elements, context: Context::Load } if elements.iter().any(is_starred) => {
            let parts = parts(std::mem::take(elements), conversion);
            *expr = conversion.call(span, "tuple_display", parts);
        }
        ExprKind::Set(elements) if elements.iter().any(is_starred) => {
            let parts = parts(std::mem::take(elements), conversion);
            *expr = conversion.call(span, "set_of", parts);
        }
        _ => {}
    }
}

fn rewrite_starred(elements: &mut [Expr], conversion: &mut Conversion) {
    for element in elements {
        if let ExprKind::Starred { value, .. } = &mut element.kind
            && !matches!(value.kind, ExprKind::Tuple { .. } | ExprKind::List { .. })
            && !is_operator(value, conversion)
        {
            wrap(value, "walked", &[], 1, conversion);
        }
    }
}

/// The elements of a display as tuples: those between `*values`, and each of these.
fn parts(elements: Vec<Expr>, conversion: &mut Conversion) -> Vec<Expr> {
    let mut parts: Vec<Expr> = Vec::new();
    let mut is_open = false;
    for element in elements {
        let span = element.span;
        if let ExprKind::Starred { value, .. } = element.kind {
            parts.push(conversion.call(span, "starred", [*value]));
            is_open = false;
            continue;
        }
        if is_open && let Some(Expr { kind: ExprKind::Tuple { elements, .. }, .. }) = parts.last_mut() {
            elements.push(element);
        } else {
            parts.push(conversion.builder(span).tuple([element]));
            is_open = true;
        }
    }
    parts
}

fn is_starred(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Starred { .. })
}

fn has_starred(target: &Expr) -> bool {
    let (ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. }) = &target.kind else {
        return false;
    };
    elements.iter().any(is_starred)
}

fn is_slice(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Slice { .. })
}

/// Whether an expression is a call of an operator, such as `ag__.frame_arguments(…)`.
fn is_operator(expr: &Expr, conversion: &Conversion) -> bool {
    let ExprKind::Call { func, .. } = &expr.kind else { return false };
    let ExprKind::Attribute { value, .. } = &func.kind else { return false };
    matches!(&value.kind, ExprKind::Name { name, .. } if *name == conversion.operators)
}

fn wrap(value: &mut Expr, operator: &str, counts: &[i64], levels: i64, conversion: &mut Conversion) {
    let span = value.span;
    let b = conversion.builder(span);
    let inner = std::mem::replace(value, b.none());
    let mut args = vec![inner];
    args.extend(counts.iter().map(|count| b.int(*count)));
    if levels > 1 {
        args.push(b.int(levels));
    }
    *value = conversion.call(span, operator, args);
}
