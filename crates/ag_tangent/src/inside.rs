//! What is inside of a statement or an expression, for any visitor: one code for all of them, where each would have
//! its own otherwise.

use ag_syntax::tree::{Expr, Stmt};
use ag_syntax::visit::{self, Visitor, VisitorMut, mutable};

/// Visits what is inside of a statement.
pub(crate) fn walk_stmt<'a>(visitor: &mut dyn Visitor<'a>, stmt: &'a Stmt) {
    visit::walk_stmt(visitor, stmt);
}

/// Visits what is inside of an expression.
pub(crate) fn walk_expr<'a>(visitor: &mut dyn Visitor<'a>, expr: &'a Expr) {
    visit::walk_expr(visitor, expr);
}

/// Visits what is inside of a statement, and may change it.
pub(crate) fn walk_stmt_mut(visitor: &mut dyn VisitorMut, stmt: &mut Stmt) {
    mutable::walk_stmt(visitor, stmt);
}

/// Visits what is inside of an expression, and may change it.
pub(crate) fn walk_expr_mut(visitor: &mut dyn VisitorMut, expr: &mut Expr) {
    mutable::walk_expr(visitor, expr);
}

/// For a visitor of expressions: it goes into statements as all do.
macro_rules! statements {
    ($lifetime:lifetime) => {
        fn visit_stmt(&mut self, stmt: &$lifetime ag_syntax::tree::Stmt) {
            crate::inside::walk_stmt(self, stmt);
        }
    };
    () => {
        fn visit_stmt(&mut self, stmt: &mut ag_syntax::tree::Stmt) {
            crate::inside::walk_stmt_mut(self, stmt);
        }
    };
}

/// For a visitor of statements: it goes into expressions as all do.
macro_rules! expressions {
    ($lifetime:lifetime) => {
        fn visit_expr(&mut self, expr: &$lifetime ag_syntax::tree::Expr) {
            crate::inside::walk_expr(self, expr);
        }
    };
    () => {
        fn visit_expr(&mut self, expr: &mut ag_syntax::tree::Expr) {
            crate::inside::walk_expr_mut(self, expr);
        }
    };
}

pub(crate) use {expressions, statements};
