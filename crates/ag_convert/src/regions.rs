//! Walks over the code that is converted: not class bodies, generators, `async def`, annotations, patterns.

use std::collections::HashSet;

use ag_syntax::tree::{Expr, ExprKind, NodeId, Params, Pattern, Stmt, StmtKind};
use ag_syntax::visit::{VisitorMut, mutable};

/// The blocks of a statement that belong to the same function.
pub(crate) fn blocks_mut(stmt: &mut Stmt) -> Vec<&mut Vec<Stmt>> {
    match &mut stmt.kind {
        StmtKind::For { body, orelse, .. }
        | StmtKind::While { body, orelse, .. }
        | StmtKind::If { body, orelse, .. } => vec![body, orelse],
        StmtKind::With { body, .. } => vec![body],
        StmtKind::Match { cases, .. } => cases.iter_mut().map(|case| &mut case.body).collect(),
        StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
            let mut blocks = vec![body];
            blocks.extend(handlers.iter_mut().map(|handler| &mut handler.body));
            blocks.extend([orelse, finalbody]);
            blocks
        }
        _ => Vec::new(),
    }
}

/// The blocks of a statement that belong to the same function.
pub(crate) fn blocks(stmt: &Stmt) -> Vec<&[Stmt]> {
    match &stmt.kind {
        StmtKind::For { body, orelse, .. }
        | StmtKind::While { body, orelse, .. }
        | StmtKind::If { body, orelse, .. } => vec![body, orelse],
        StmtKind::With { body, .. } => vec![body],
        StmtKind::Match { cases, .. } => cases.iter().map(|case| &*case.body).collect(),
        StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
            let mut blocks: Vec<&[Stmt]> = vec![body];
            blocks.extend(handlers.iter().map(|handler| &*handler.body));
            blocks.extend([&**orelse, &**finalbody]);
            blocks
        }
        _ => Vec::new(),
    }
}

/// Calls `see` with every function that is converted, inner ones first.
pub(crate) fn each_function(
    body: &mut [Stmt],
    left: &HashSet<NodeId>,
    see: &mut dyn FnMut(NodeId, &mut Vec<Stmt>),
) {
    for stmt in body {
        let id = stmt.id;
        if let StmtKind::FunctionDef(def) = &mut stmt.kind {
            if !left.contains(&id) {
                each_function(&mut def.body, left, see);
                see(id, &mut def.body);
            }
            continue;
        }
        for block in blocks_mut(stmt) {
            each_function(block, left, see);
        }
    }
}

/// Rewrites every expression that is converted, inner ones first.
pub(crate) fn each_expression(body: &mut Vec<Stmt>, left: &HashSet<NodeId>, see: &mut dyn FnMut(&mut Expr)) {
    Rewriter { left, see }.visit_body(body);
}

struct Rewriter<'a> {
    left: &'a HashSet<NodeId>,
    see: &'a mut dyn FnMut(&mut Expr),
}

impl Rewriter<'_> {
    fn defaults(&mut self, params: &mut Params) {
        let Params { positional_only, positional, keyword_only, .. } = params;
        for param in positional_only.iter_mut().chain(positional).chain(keyword_only) {
            if let Some(default) = &mut param.default {
                self.visit_expr(default);
            }
        }
    }
}

impl VisitorMut for Rewriter<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => {
                for decorator in &mut def.decorators {
                    self.visit_expr(decorator);
                }
                self.defaults(&mut def.params);
                if !self.left.contains(&stmt.id) {
                    self.visit_body(&mut def.body);
                }
            }
            StmtKind::ClassDef(def) => {
                for expr in def.decorators.iter_mut().chain(&mut def.bases) {
                    self.visit_expr(expr);
                }
                for keyword in &mut def.keywords {
                    self.visit_expr(&mut keyword.value);
                }
            }
            StmtKind::AnnAssign { target, value, .. } => {
                if let Some(value) = value {
                    self.visit_expr(value);
                }
                self.visit_expr(target);
            }
            StmtKind::TypeAlias { .. } => {}
            _ => mutable::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Lambda { params, body } => {
                self.defaults(params);
                if !self.left.contains(&expr.id) {
                    self.visit_expr(body);
                }
            }
            // The parts of a template are objects that another function reads: they stay as they are.
            ExprKind::FString(string) if string.is_template => {}
            _ => mutable::walk_expr(self, expr),
        }
        (self.see)(expr);
    }

    fn visit_pattern(&mut self, _: &mut Pattern) {}
}
