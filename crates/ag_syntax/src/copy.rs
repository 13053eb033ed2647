//! Copies of nodes with fresh ids, and changes of context.

use crate::build::Builder;
use crate::tree::{Context, Expr, ExprKind, Param, Stmt};
use crate::visit::{VisitorMut, mutable};

impl Builder<'_> {
    /// A copy of an expression: fresh ids, the same spans.
    #[must_use]
    pub fn copy_expr(self, expr: &Expr) -> Expr {
        let mut copy = expr.clone();
        Renumber(self).visit_expr(&mut copy);
        copy
    }

    /// A copy of a block: fresh ids, the same spans.
    #[must_use]
    pub fn copy_body(self, body: &[Stmt]) -> Vec<Stmt> {
        let mut copy = body.to_vec();
        Renumber(self).visit_body(&mut copy);
        copy
    }
}

/// Gives every node a fresh id.
struct Renumber<'a>(Builder<'a>);

impl VisitorMut for Renumber<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        stmt.id = self.0.id();
        mutable::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        expr.id = self.0.id();
        mutable::walk_expr(self, expr);
    }

    fn visit_param(&mut self, param: &mut Param) {
        param.id = self.0.id();
        mutable::walk_param(self, param);
    }
}

/// Sets whether an expression is read, written or deleted. `a, *b[i]` as a target has the context in `a`, the
/// tuple, the star and the subscript, but not in `b` and `i`.
pub fn set_context(expr: &mut Expr, to: Context) {
    match &mut expr.kind {
        ExprKind::Name { context, .. }
        | ExprKind::Attribute { context, .. }
        | ExprKind::Subscript { context, .. } => *context = to,
        ExprKind::Starred { value, context } => {
            *context = to;
            set_context(value, to);
        }
        ExprKind::List { elements, context } | ExprKind::Tuple { elements, context } => {
            *context = to;
            for element in elements {
                set_context(element, to);
            }
        }
        _ => {}
    }
}
