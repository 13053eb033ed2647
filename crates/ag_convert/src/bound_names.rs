//! The names that a block's own statements bind.

use std::collections::BTreeSet;

use ag_syntax::tree::{
    Alias, Context, ExceptHandler, Expr, ExprKind, Name, Pattern, PatternKind, Stmt, StmtKind,
};
use ag_syntax::visit::{Visitor, walk_expr, walk_handler, walk_pattern, walk_stmt};

/// The names that a block's own statements bind, without those of nested functions.
pub(crate) struct BoundNames {
    names: BTreeSet<Name>,
    is_comprehension: bool,
}

impl BoundNames {
    pub(crate) fn of_body(body: &[Stmt]) -> BTreeSet<Name> {
        let mut bound = Self { names: BTreeSet::new(), is_comprehension: false };
        bound.visit_body(body);
        bound.names
    }

    pub(crate) fn of_expr(expr: &Expr) -> BTreeSet<Name> {
        let mut bound = Self { names: BTreeSet::new(), is_comprehension: false };
        bound.visit_expr(expr);
        bound.names
    }

    fn aliases(&mut self, aliases: &[Alias]) {
        for alias in aliases {
            let name = match &alias.asname {
                Some(name) => name.clone(),
                None => alias.name.split('.').next().unwrap_or(&alias.name).into(),
            };
            self.names.insert(name);
        }
    }
}

impl<'t> Visitor<'t> for BoundNames {
    fn visit_stmt(&mut self, stmt: &'t Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(def) => {
                self.names.insert(def.name.clone());
                for expr in &def.decorators {
                    self.visit_expr(expr);
                }
                self.visit_params(&def.params);
            }
            StmtKind::ClassDef(def) => {
                self.names.insert(def.name.clone());
                for expr in def.decorators.iter().chain(&def.bases) {
                    self.visit_expr(expr);
                }
                for keyword in &def.keywords {
                    self.visit_expr(&keyword.value);
                }
            }
            StmtKind::Import(aliases) | StmtKind::ImportFrom { names: aliases, .. } => self.aliases(aliases),
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Name { context: Context::Load, .. } => {}
            ExprKind::Name { name, .. } => {
                if !self.is_comprehension {
                    self.names.insert(name.clone());
                }
            }
            ExprKind::Named { target, value } => {
                self.visit_expr(value);
                if let ExprKind::Name { name, .. } = &target.kind {
                    self.names.insert(name.clone());
                }
            }
            ExprKind::Lambda { params, .. } => self.visit_params(params),
            ExprKind::ListComp { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::Generator { .. } => {
                let around = std::mem::replace(&mut self.is_comprehension, true);
                walk_expr(self, expr);
                self.is_comprehension = around;
            }
            _ => walk_expr(self, expr),
        }
    }

    fn visit_handler(&mut self, handler: &'t ExceptHandler) {
        self.names.extend(handler.name.clone());
        walk_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'t Pattern) {
        if let PatternKind::Mapping { rest: Some(name), .. }
        | PatternKind::Star(Some(name))
        | PatternKind::As { name: Some(name), .. } = &pattern.kind
        {
            self.names.insert(name.clone());
        }
        walk_pattern(self, pattern);
    }
}
