//! Variables that only count: what they are bound to is made of literals and of each other, and has no derivative.

use std::collections::BTreeSet;

use ag_syntax::Builder;
use ag_syntax::tree::{Context, Expr, ExprKind, FunctionDef, Name, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, VisitorMut, walk_expr, walk_stmt};

/// Whether these variables of a function, which functions in it write, have no derivative wherever they are bound.
pub(crate) fn are_counters(def: &FunctionDef, variables: &BTreeSet<Name>) -> bool {
    if def.params.iter().any(|param| variables.contains(&param.name)) {
        return false;
    }
    let mut bindings = Bindings { variables, holds: true };
    bindings.visit_body(&def.body);
    bindings.holds
}

struct Bindings<'n> {
    variables: &'n BTreeSet<Name>,
    holds: bool,
}

impl Bindings<'_> {
    fn is_counter(&self, target: &Expr) -> bool {
        matches!(&target.kind, ExprKind::Name { name, .. } if self.variables.contains(name))
    }

    fn counts(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Constant { .. } => true,
            ExprKind::Name { name, .. } => self.variables.contains(name),
            ExprKind::Binary { left, right, .. } => self.counts(left) && self.counts(right),
            ExprKind::Unary { operand, .. } => self.counts(operand),
            ExprKind::Compare { left, comparators, .. } => {
                self.counts(left) && comparators.iter().all(|one| self.counts(one))
            }
            _ => false,
        }
    }
}

impl<'a> Visitor<'a> for Bindings<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, value } if targets.iter().all(|target| self.is_counter(target)) => {
                self.holds &= self.counts(value);
                self.visit_expr(value);
                return;
            }
            StmtKind::AugAssign { target, value, .. } if self.is_counter(target) => {
                self.holds &= self.counts(value);
                self.visit_expr(value);
                return;
            }
            StmtKind::FunctionDef(def) => self.holds &= !self.variables.contains(&def.name),
            StmtKind::ClassDef(def) => self.holds &= !self.variables.contains(&def.name),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        // Any other place that binds one.
        if let ExprKind::Name { name, context: Context::Store | Context::Del } = &expr.kind {
            self.holds &= !self.variables.contains(name);
        }
        walk_expr(self, expr);
    }
}

/// Writes `n = n + 1` for `n += 1`, which is the same for a number, and writes into nothing.
pub(crate) struct Counting<'a, 'n> {
    pub(crate) b: Builder<'a>,
    pub(crate) counters: &'n BTreeSet<Name>,
}

impl VisitorMut for Counting<'_, '_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        let b = self.b.at(stmt.span);
        match &stmt.kind {
            StmtKind::AugAssign { target, op, value } => {
                if let ExprKind::Name { name, .. } = &target.kind
                    && self.counters.contains(name)
                {
                    let (left, right) = (Box::new(b.name(name.clone())), Box::new(value.clone()));
                    let total = b.expr(ExprKind::Binary { left, op: *op, right });
                    *stmt = b.assign_name(name.clone(), total);
                }
            }
            _ => ag_syntax::visit::mutable::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, _: &mut Expr) {}
}
