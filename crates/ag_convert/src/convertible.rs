//! Decides what can be converted, and gives the reason if something cannot.
//!
//! Generators and coroutines stay as written; the walk of a generator function is converted (`generators.rs`). A function that looks at its own frame (`locals()`, `eval`,
//! `exec`, `vars()`, `dir()`) would see the blocks that conversion makes: such calls are collected, and
//! `frames.rs` gives them a view of the user's variables. In a comprehension these calls see another frame in
//! every version of Python, and in a lambda two of them may share a dict: then the function stays as written.
//! So does a function that asks for frame objects (`sys._getframe()`).

use std::collections::HashSet;

use ag_analysis::{Resolution, ScopeId, ScopeKind, Scopes};
use ag_errors::{Diagnostic, Span, catalogue};
use ag_syntax::tree::{Comprehension, Expr, ExprKind, Keyword, Name, NodeId, Params, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, walk_expr, walk_stmt};

use crate::attempts::nests_too_deeply;
use crate::generators::{Walk, cleans_up, yielded};
use crate::stepping::yields;
use crate::template_strings::TemplateNames;

/// The reason why a function stays as written.
pub(crate) struct Reason {
    span: Span,
    message: String,
    /// Whether the function would see how the conversion stores variables of other functions.
    looks_at_frame: bool,
}

impl Reason {
    pub(crate) fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::error(catalogue::NOT_CONVERTIBLE, self.span, self.message.clone())
            .with_help("it runs as written; a staged value must not reach it")
    }
}

/// Searches one function, and the functions inside it, for reasons.
pub(crate) struct Search<'a> {
    scopes: &'a Scopes,
    /// The current scope.
    scope: ScopeId,
    /// The function that may yield: the one that is converted, if its walk is.
    yields_in: Option<ScopeId>,
    /// What becomes of that function.
    walk: Walk,
    /// How many `try` and `with` are around.
    guards: usize,
    /// The innermost function, if it is a lambda.
    lambda: Option<NodeId>,
    /// Whether the walk is in a method of a nested class, which stays as written anyway.
    is_in_class: bool,
    reason: Option<Reason>,
    /// The calls that look at the frame of a function.
    pub(crate) frame_calls: Vec<NodeId>,
    /// The lambdas that hold such a call.
    looking_lambdas: HashSet<NodeId>,
    /// The functions and lambdas inside that stay as written.
    pub(crate) left_as_written: HashSet<NodeId>,
    /// The reasons why those stay.
    pub(crate) notes: Vec<Diagnostic>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(scopes: &'a Scopes, scope: ScopeId, walk: Walk) -> Self {
        Self {
            scopes,
            scope,
            yields_in: (walk != Walk::No).then_some(scope),
            walk,
            guards: 0,
            lambda: None,
            is_in_class: false,
            reason: None,
            frame_calls: Vec::new(),
            looking_lambdas: HashSet::new(),
            left_as_written: HashSet::new(),
            notes: Vec::new(),
        }
    }

    /// The reason why a body cannot be converted, if there is one.
    pub(crate) fn in_body(&mut self, body: &[Stmt]) -> Option<Reason> {
        self.function_body(body);
        self.reason.take()
    }

    /// The reason why a lambda's body cannot be converted, if there is one.
    pub(crate) fn in_lambda(&mut self, lambda: &Expr, body: &Expr) -> Option<Reason> {
        self.lambda = Some(lambda.id);
        self.visit_expr(body);
        self.reason.take()
    }

    fn function_body(&mut self, body: &[Stmt]) {
        self.visit_body(body);
        if let Some(first) = body.first().filter(|_| nests_too_deeply(body)) {
            self.found(first.span, "its blocks nest too deeply");
        }
    }

    /// A class body stays as written, and so do its methods; only their calls are collected.
    fn class_body(&mut self, class: NodeId, body: &[Stmt]) {
        let reason = self.reason.take();
        let around = (self.scope, self.lambda.take(), std::mem::replace(&mut self.is_in_class, true));
        self.scope = self.scopes.of_node(class).unwrap_or(self.scope);
        self.visit_body(body);
        (self.scope, self.lambda, self.is_in_class) = around;
        self.reason = reason.or(self.reason.take().filter(|reason| reason.looks_at_frame));
    }

    /// A comprehension; its first iterable belongs to the enclosing scope.
    fn comprehension(&mut self, node: NodeId, elements: &[&Expr], generators: &[Comprehension]) {
        let Some(first) = generators.first() else { return };
        self.visit_expr(&first.iter);
        let inner = self.scopes.of_node(node).unwrap_or(self.scope);
        let around = std::mem::replace(&mut self.scope, inner);
        for (index, generator) in generators.iter().enumerate() {
            if index > 0 {
                self.visit_expr(&generator.iter);
            }
            self.visit_expr(&generator.target);
            generator.conditions.iter().for_each(|condition| self.visit_expr(condition));
        }
        elements.iter().for_each(|element| self.visit_expr(element));
        self.scope = around;
    }

    fn found(&mut self, span: Span, message: impl Into<String>) {
        if self.reason.is_none() {
            self.reason = Some(Reason { span, message: message.into(), looks_at_frame: false });
        }
    }

    /// Searches a nested function, whose reasons are its own.
    fn inside(&mut self, node: NodeId, is_async: Option<Reason>, visit: impl FnOnce(&mut Self)) {
        let around = (self.scope, self.reason.take());
        let calls_before = self.frame_calls.len();
        self.scope = self.scopes.of_node(node).unwrap_or(self.scope);
        visit(self);
        let mut reason = self.reason.take().or(is_async);
        let function = std::mem::replace(&mut self.scope, around.0);
        self.reason = around.1;
        if reason.as_ref().is_some_and(|reason| reason.looks_at_frame) {
            self.frame_calls.truncate(calls_before);
            // Its frame would show how the conversion stores the captured variables.
            if !self.scopes.free_variables(function).is_empty() {
                self.reason = self.reason.take().or(reason.take());
            }
        }
        if let Some(reason) = reason.filter(|_| !self.is_in_class) {
            self.left_as_written.insert(node);
            self.notes.push(reason.to_diagnostic());
        }
    }

    /// Collects a call that looks at the frame, or notes it as a reason.
    fn call(&mut self, expr: &Expr, func: &Expr, args: &[Expr], keywords: &[Keyword]) {
        if let Some(name) = frame_walker(func) {
            self.found(expr.span, format!("`{name}` looks at the frames of the calls around"));
            return;
        }
        let ExprKind::Name { name, .. } = &func.kind else { return };
        let may_be_empty = args.iter().all(|arg| matches!(arg.kind, ExprKind::Starred { .. }));
        let looks_at_frame = match &**name {
            "eval" | "exec" => true,
            "locals" | "vars" | "dir" => may_be_empty,
            _ => false,
        };
        if !looks_at_frame || self.scopes.resolve_name(self.scope, name) != Resolution::Global {
            return;
        }
        let place = match self.scopes.scope(self.scope).kind {
            ScopeKind::Class => return,
            ScopeKind::Comprehension => " in a comprehension",
            ScopeKind::Generator => " in a generator expression",
            _ if !keywords.is_empty() => " with keywords",
            _ if self.lambda.is_some_and(|lambda| !self.looking_lambdas.insert(lambda)) => {
                " twice in a lambda"
            }
            _ => {
                self.frame_calls.push(expr.id);
                return;
            }
        };
        if self.reason.is_none() {
            let message = format!("`{name}`{place} looks at the function's own variables");
            self.reason = Some(Reason { span: expr.span, message, looks_at_frame: true });
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
                let around = self.lambda.take();
                self.inside(stmt.id, is_async, |this| this.function_body(&def.body));
                self.lambda = around;
            }
            StmtKind::ClassDef(def) => {
                for expr in def.decorators.iter().chain(&def.bases) {
                    self.visit_expr(expr);
                }
                for keyword in &def.keywords {
                    self.visit_expr(&keyword.value);
                }
                self.class_body(stmt.id, &def.body);
            }
            // The value is evaluated later, in a frame of its own.
            StmtKind::TypeAlias { .. } => {}
            StmtKind::ImportFrom { names, .. } if names.iter().any(|alias| &*alias.name == "*") => {
                self.found(stmt.span, "`import *` binds unknown names");
            }
            StmtKind::Try { body, finalbody, .. } if self.walk == Walk::OfLoop && cleans_up(stmt) => {
                self.visit_body(body);
                self.guards += 1;
                self.visit_body(finalbody);
                self.guards -= 1;
            }
            StmtKind::Try { finalbody, is_star: false, .. }
                if self.walk == Walk::OfLoop && !finalbody.iter().any(yields) =>
            {
                walk_stmt(self, stmt);
            }
            StmtKind::With { .. } if self.walk == Walk::OfLoop => walk_stmt(self, stmt),
            StmtKind::Try { .. } | StmtKind::With { .. } => {
                self.guards += 1;
                walk_stmt(self, stmt);
                self.guards -= 1;
            }
            _ if self.yields_in == Some(self.scope) && self.walk.takes(stmt, self.guards) => {
                if let StmtKind::Assign { targets, .. } = &stmt.kind {
                    targets.iter().for_each(|target| self.visit_expr(target));
                }
                yielded(stmt).into_iter().for_each(|value| self.visit_expr(value));
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Lambda { params, body } => {
                self.visit_params(params);
                let around = self.lambda.replace(expr.id);
                self.inside(expr.id, None, |this| this.visit_expr(body));
                self.lambda = around;
                return;
            }
            ExprKind::ListComp { element, generators }
            | ExprKind::SetComp { element, generators }
            | ExprKind::Generator { element, generators } => {
                return self.comprehension(expr.id, &[element], generators);
            }
            ExprKind::DictComp { key, value, generators } => {
                return self.comprehension(expr.id, &[key, value], generators);
            }
            ExprKind::Yield(_) | ExprKind::YieldFrom(_) => {
                self.found(expr.span, "the function is a generator")
            }
            ExprKind::Await(_) => self.found(expr.span, "the function is a coroutine"),
            ExprKind::FString(template) if template.is_template && !self.is_in_class => {
                let class = self.scopes.scope(self.scope).private_class.as_deref();
                if class.is_some_and(|class| TemplateNames::of(template).have_private(class)) {
                    self.found(expr.span, "the template string shows a private name");
                }
            }
            ExprKind::Call { func, args, keywords } => self.call(expr, func, args, keywords),
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

/// The name of a function that returns frame objects, which in converted code are not the user's.
fn frame_walker(func: &Expr) -> Option<&Name> {
    let (name, module) = match &func.kind {
        ExprKind::Name { name, .. } => (name, None),
        ExprKind::Attribute { value, attr, .. } => (attr, Some(value)),
        _ => return None,
    };
    let is_inspect = module
        .is_some_and(|module| matches!(&module.kind, ExprKind::Name { name, .. } if &**name == "inspect"));
    let gives_frames = match &**name {
        "_getframe" | "_getframemodulename" | "currentframe" => true,
        "stack" => is_inspect,
        _ => false,
    };
    gives_frames.then_some(name)
}

/// The reason why a function as a whole cannot be converted.
pub(crate) fn async_reason(span: Span) -> Reason {
    Reason { span, message: "the function is a coroutine".into(), looks_at_frame: false }
}
