//! What Python itself walks over, to unpack it: the operators are told, since how far an iterator has come may be
//! known in the run only.
//!
//! ```python
//! a, *rest = it          a, *rest = ag__.walked(it)
//! (a, b), c = pairs      (a, b), c = ag__.walked(pairs, 2)
//! y = (x, *it)           y = (x, *ag__.walked(it))
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
        if let StmtKind::Assign { targets, value } = &mut stmt.kind
            && let Some(target) = targets.iter().max_by_key(|target| depth(target))
        {
            walked_into(target, value, self.conversion);
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
pub(crate) fn walked_into(target: &Expr, value: &mut Expr, conversion: &mut Conversion) {
    let levels = depth(target);
    if levels == 0 {
        return;
    }
    if let (
        ExprKind::Tuple { elements: targets, .. } | ExprKind::List { elements: targets, .. },
        ExprKind::Tuple { elements: values, .. } | ExprKind::List { elements: values, .. },
    ) = (&target.kind, &mut value.kind)
        && targets.len() == values.len()
        && !targets.iter().chain(values.iter()).any(is_starred)
    {
        targets.iter().zip(values).for_each(|(target, value)| walked_into(target, value, conversion));
        return;
    }
    let is_known = match value.kind {
        ExprKind::Tuple { .. } | ExprKind::List { .. } => levels == 1,
        ExprKind::Constant { .. } => true,
        _ => is_operator(value, conversion),
    };
    if !is_known {
        wrap(value, levels, conversion);
    }
}

/// Rewrites `*values` of one call or display.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let elements = match &mut expr.kind {
        ExprKind::Call { args, .. } => args,
        ExprKind::Tuple { elements, context: Context::Load } | ExprKind::Set(elements) => elements,
        _ => return,
    };
    for element in elements {
        if let ExprKind::Starred { value, .. } = &mut element.kind
            && !matches!(value.kind, ExprKind::Tuple { .. } | ExprKind::List { .. })
            && !is_operator(value, conversion)
        {
            wrap(value, 1, conversion);
        }
    }
}

fn is_starred(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Starred { .. })
}

/// Whether an expression is a call of an operator, such as `ag__.frame_arguments(…)`.
fn is_operator(expr: &Expr, conversion: &Conversion) -> bool {
    let ExprKind::Call { func, .. } = &expr.kind else { return false };
    let ExprKind::Attribute { value, .. } = &func.kind else { return false };
    matches!(&value.kind, ExprKind::Name { name, .. } if *name == conversion.operators)
}

fn wrap(value: &mut Expr, levels: i64, conversion: &mut Conversion) {
    let span = value.span;
    let b = conversion.builder(span);
    let inner = std::mem::replace(value, b.none());
    let mut args = vec![inner];
    if levels > 1 {
        args.push(b.int(levels));
    }
    *value = conversion.call(span, "walked", args);
}
