//! What can be converted, and why something cannot.
//!
//! Generators and coroutines stay as written, and so does what looks at its own frame: `locals()`,
//! `eval`, `exec`, `vars()`, `dir()` would see the blocks that conversion makes.

use std::collections::HashSet;

use ag_analysis::{Resolution, ScopeId, ScopeKind, Scopes};
use ag_errors::{Diagnostic, Span, catalogue};
use ag_syntax::tree::{Expr, ExprKind, NodeId, Params, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, walk_expr, walk_stmt};

use crate::attempts::nests_too_deeply;

/// Why a function stays as written.
pub(crate) struct Reason {
    span: Span,
    message: String,
}

impl Reason {
    pub(crate) fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::error(catalogue::NOT_CONVERTIBLE, self.span, self.message.clone())
            .with_help("it runs as written; a staged value must not reach it")
    }
}

/// Looks for reasons in one function, and in the functions inside it.
pub(crate) struct Search<'a> {
    scopes: &'a Scopes,
    /// The scope whose names are read.
    scope: ScopeId,
    reason: Option<Reason>,
    /// The functions and lambdas inside that stay as written.
    pub(crate) left_as_written: HashSet<NodeId>,
    /// Why those stay.
    pub(crate) notes: Vec<Diagnostic>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(scopes: &'a Scopes, scope: ScopeId) -> Self {
        Self { scopes, scope, reason: None, left_as_written: HashSet::new(), notes: Vec::new() }
    }

    /// The reason why a body cannot be converted, if there is one.
    pub(crate) fn in_body(&mut self, body: &[Stmt]) -> Option<Reason> {
        self.function_body(body);
        self.reason.take()
    }

    /// The reason why a lambda's body cannot be converted, if there is one.
    pub(crate) fn in_expr(&mut self, body: &Expr) -> Option<Reason> {
        self.visit_expr(body);
        self.reason.take()
    }

    fn function_body(&mut self, body: &[Stmt]) {
        self.visit_body(body);
        if let Some(first) = body.first().filter(|_| nests_too_deeply(body)) {
            self.found(first.span, "its blocks nest too deeply");
        }
    }

    fn found(&mut self, span: Span, message: impl Into<String>) {
        if self.reason.is_none() {
            self.reason = Some(Reason { span, message: message.into() });
        }
    }

    /// Searches a function inside this one; its reasons are its own.
    fn inside(&mut self, node: NodeId, is_async: Option<Reason>, visit: impl FnOnce(&mut Self)) {
        let around = (self.scope, self.reason.take());
        self.scope = self.scopes.of_node(node).unwrap_or(self.scope);
        visit(self);
        if let Some(reason) = self.reason.take().or(is_async) {
            self.left_as_written.insert(node);
            self.notes.push(reason.to_diagnostic());
        }
        (self.scope, self.reason) = around;
    }

    fn call(&mut self, expr: &Expr, func: &Expr, has_arguments: bool) {
        let ExprKind::Name { name, .. } = &func.kind else { return };
        let looks_at_frame = match &**name {
            "locals" | "eval" | "exec" => true,
            "vars" | "dir" => !has_arguments,
            _ => false,
        };
        if looks_at_frame && self.scopes.resolve_name(self.scope, name) == Resolution::Global {
            self.found(expr.span, format!("`{name}` looks at the function's own variables"));
        }
    }
}

impl<'t> Visitor<'t> for Search<'_> {
    fn visit_stmt(&mut self, stmt: &'t Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(def) => {
                for decorator in &def.decorators {
                    self.visit_expr(decorator);
                }
                self.visit_params(&def.params);
                let is_async = def.is_async.then(|| async_reason(stmt.span));
                self.inside(stmt.id, is_async, |this| this.function_body(&def.body));
            }
            StmtKind::ClassDef(def) => {
                for expr in def.decorators.iter().chain(&def.bases) {
                    self.visit_expr(expr);
                }
                for keyword in &def.keywords {
                    self.visit_expr(&keyword.value);
                }
            }
            StmtKind::ImportFrom { names, .. } if names.iter().any(|alias| &*alias.name == "*") => {
                self.found(stmt.span, "`import *` binds unknown names");
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Lambda { params, body } => {
                self.visit_params(params);
                self.inside(expr.id, None, |this| this.visit_expr(body));
                return;
            }
            ExprKind::ListComp { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::Generator { .. } => {
                let around = self.scope;
                self.scope = self.scopes.of_node(expr.id).unwrap_or(around);
                debug_assert_ne!(self.scopes.scope(self.scope).kind, ScopeKind::Module, "inside a function");
                walk_expr(self, expr);
                self.scope = around;
                return;
            }
            ExprKind::Yield(_) | ExprKind::YieldFrom(_) => {
                self.found(expr.span, "the function is a generator")
            }
            ExprKind::Await(_) => self.found(expr.span, "the function is a coroutine"),
            ExprKind::Call { func, args, keywords } => {
                self.call(expr, func, !(args.is_empty() && keywords.is_empty()));
            }
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn visit_params(&mut self, params: &'t Params) {
        for default in params.iter().filter_map(|param| param.default.as_ref()) {
            self.visit_expr(default);
        }
    }
}

/// The reason why a function as a whole cannot be converted.
pub(crate) fn async_reason(span: Span) -> Reason {
    Reason { span, message: "the function is a coroutine".into() }
}
