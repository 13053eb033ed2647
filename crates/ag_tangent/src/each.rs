//! All statements or expressions of a text, for what needs no state but a closure: one walk for all of them.

use ag_syntax::tree::{Expr, Stmt};
use ag_syntax::visit::{Visitor, VisitorMut, mutable, walk_expr, walk_stmt};

/// Visits the expressions of statements, and those in them where `visit` says so.
pub(crate) fn each_expr<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(&'a Expr) -> bool) {
    Each { stmt: &mut |_| true, expr: visit }.visit_body(body);
}

/// The same, of the statements that `enters` says.
pub(crate) fn each_shallow<'a>(
    body: &'a [Stmt],
    enters: &dyn Fn(&'a Stmt) -> bool,
    visit: &mut dyn FnMut(&'a Expr) -> bool,
) {
    Each { stmt: &mut |stmt| enters(stmt), expr: visit }.visit_body(body);
}

/// The same of one expression.
pub(crate) fn each_inner<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr) -> bool) {
    Each { stmt: &mut |_| true, expr: visit }.visit_expr(expr);
}

/// Visits statements, and those in them where `visit` says so, those of functions and classes too.
pub(crate) fn each_stmt<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt) -> bool) {
    Each { stmt: visit, expr: &mut |_| false }.visit_body(body);
}

/// Visits the expressions of statements to change them, and then those in them.
pub(crate) fn each_expr_mut(body: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Expr)) {
    EachMut(visit).visit_body(body);
}

struct Each<'f, 'a> {
    stmt: &'f mut dyn FnMut(&'a Stmt) -> bool,
    expr: &'f mut dyn FnMut(&'a Expr) -> bool,
}

impl<'a> Visitor<'a> for Each<'_, 'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if (self.stmt)(stmt) {
            walk_stmt(self, stmt);
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if (self.expr)(expr) {
            walk_expr(self, expr);
        }
    }
}

struct EachMut<'f>(&'f mut dyn FnMut(&mut Expr));

impl VisitorMut for EachMut<'_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        (self.0)(expr);
        mutable::walk_expr(self, expr);
    }
}
