//! Calls that look at the function's own variables (`locals()`, `eval`, …) get a view of them.
//!
//! ```python
//! def f(a):                       def f(a):
//!     b = a                           frame = ag__.Frame()
//!     print(locals())        →        b = a
//!     return eval('a + b')            print(ag__.frame_locals(locals, frame, a=lambda: a, b=lambda: b))
//!                                     return eval(*ag__.frame_arguments(eval, frame, 'a + b', a=…, b=…))
//! ```
//!
//! The frame of converted code holds more than the user's function does (flags, blocks), and its variables
//! may hold `Undefined`. The view names exactly what CPython would show: the function's own and free
//! variables, each read by a lambda, which raises if the variable is unbound. The rewriting precedes the
//! analyses, which so see an ordinary use of every variable in these lambdas.
//!
//! `frame` represents the frame: before Python 3.13 all calls in a frame share one dict. A lambda can have
//! only one such call (`convertible.rs`), so there the frame is made in place. Class bodies are not
//! rewritten: the frame of a class body is its own, also in the converted text.

use std::collections::HashSet;

use ag_analysis::{ScopeId, Scopes};
use ag_errors::Span;
use ag_syntax::tree::{Expr, ExprKind, Keyword, Name, NodeId, NodeIds, Stmt, StmtKind};
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::{walk_expr, walk_stmt};
use ag_syntax::{Builder, LocatedKind};

use crate::context::Names;
use crate::convert::VariableOrder;
use crate::return_statements::has_docstring;

/// The definition of the function that is converted, rewritten.
pub(crate) enum Rewritten {
    /// A `def`.
    Def(Stmt),
    /// A `lambda`.
    Lambda(Expr),
}

impl Rewritten {
    /// The same as a located function.
    pub(crate) fn kind(&self) -> Option<LocatedKind<'_>> {
        match self {
            Self::Def(stmt) => {
                let StmtKind::FunctionDef(def) = &stmt.kind else { return None };
                Some(LocatedKind::Def { def, stmt })
            }
            Self::Lambda(expr) => {
                let ExprKind::Lambda { params, body } = &expr.kind else { return None };
                Some(LocatedKind::Lambda { params, body, expr })
            }
        }
    }
}

/// The inputs of the rewriting.
pub(crate) struct FrameCalls<'a> {
    /// The calls.
    pub(crate) calls: &'a HashSet<NodeId>,
    /// The scopes before the rewriting.
    pub(crate) scopes: &'a Scopes,
    /// The order in which CPython shows variables.
    pub(crate) orders: &'a [VariableOrder],
    /// The operators' name.
    pub(crate) operators: &'a Name,
    /// The function that is converted.
    pub(crate) root: NodeId,
}

/// Rewrites the calls in the top-level statement around a function; returns the function.
pub(crate) fn rewrite(
    around: &mut Stmt,
    calls: &FrameCalls<'_>,
    ids: &mut NodeIds,
    names: &mut Names,
) -> Option<Rewritten> {
    let mut pass = Frames { calls, ids, names, owner: None, rewritten: None };
    pass.visit_stmt(around);
    pass.rewritten
}

/// The function that contains a call.
struct Owner {
    scope: ScopeId,
    /// The name of its code object.
    name: Name,
    is_lambda: bool,
    /// The variable that holds its frame, once one is needed.
    frame: Option<Name>,
}

struct Frames<'a> {
    calls: &'a FrameCalls<'a>,
    ids: &'a mut NodeIds,
    names: &'a mut Names,
    owner: Option<Owner>,
    rewritten: Option<Rewritten>,
}

impl Frames<'_> {
    fn inside(&mut self, node: NodeId, name: &Name, is_lambda: bool, visit: impl FnOnce(&mut Self)) {
        let Some(scope) = self.calls.scopes.of_node(node) else { return };
        let owner = Owner { scope, name: name.clone(), is_lambda, frame: None };
        let around = self.owner.replace(owner);
        visit(self);
        self.owner = around;
    }

    /// `ag__.operator(args)`.
    fn operator(&mut self, span: Span, operator: &str, args: Vec<Expr>, keywords: Vec<Keyword>) -> Expr {
        let b = Builder::new(self.ids, span);
        b.call_with(b.attribute(b.name(self.calls.operators.clone()), operator), args, keywords)
    }

    /// `name=lambda: name` for every variable of the function, in CPython's order.
    fn variables(&mut self, span: Span) -> Vec<Keyword> {
        let Some(owner) = &self.owner else { return Vec::new() };
        let scopes = self.calls.scopes;
        let mut names = scopes.local_variables(owner.scope);
        names.extend(scopes.free_variables(owner.scope));
        let fits = |order: &&VariableOrder| {
            order.function == *owner.name
                && names.iter().all(|name| order.names.iter().any(|n| **n == **name))
        };
        if let Some(order) = self.calls.orders.iter().find(fits) {
            names.sort_by_key(|name| order.names.iter().position(|n| **n == **name));
        }
        let b = Builder::new(self.ids, span);
        names.into_iter().map(|name| b.keyword(name.clone(), b.lambda(b.name(name)))).collect()
    }

    /// The variable of the frame; in a lambda, an expression that makes a frame.
    fn frame(&mut self, span: Span) -> Expr {
        match &mut self.owner {
            Some(owner) if !owner.is_lambda => {
                let frame = owner.frame.get_or_insert_with(|| self.names.fresh("frame")).clone();
                Builder::new(self.ids, span).name(frame)
            }
            _ => self.operator(span, "Frame", Vec::new(), Vec::new()),
        }
    }

    fn call(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let frame = self.frame(span);
        let variables = self.variables(span);
        let ExprKind::Call { func, args, .. } = &mut expr.kind else { return };
        let ExprKind::Name { name, .. } = &func.kind else { return };
        let function = Builder::new(self.ids, func.span).name(name.clone());
        let operator = match &**name {
            "eval" | "exec" => "frame_arguments",
            "dir" => "frame_dir",
            _ => "frame_locals",
        };
        let mut operands = vec![function, frame];
        operands.append(args);
        let made = self.operator(span, operator, operands, variables);
        if operator == "frame_arguments" {
            // The code runs in the user's frame, so that its `__future__` imports apply.
            args.push(Builder::new(self.ids, span).starred(made));
        } else {
            *expr = made;
        }
    }
}

impl VisitorMut for Frames<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        let (id, span) = (stmt.id, stmt.span);
        let StmtKind::FunctionDef(def) = &mut stmt.kind else {
            return walk_stmt(self, stmt);
        };
        def.decorators.iter_mut().for_each(|decorator| self.visit_expr(decorator));
        self.visit_params(&mut def.params);
        self.inside(id, &def.name.clone(), false, |this| {
            this.visit_body(&mut def.body);
            let frame = this.owner.as_mut().and_then(|owner| owner.frame.take());
            if let Some(frame) = frame {
                let made = this.operator(span, "Frame", Vec::new(), Vec::new());
                let start = usize::from(has_docstring(&def.body));
                def.body.insert(start, Builder::new(this.ids, span).assign_name(frame, made));
            }
        });
        if id == self.calls.root {
            self.rewritten = Some(Rewritten::Def(stmt.clone()));
        }
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        let id = expr.id;
        if let ExprKind::Lambda { params, body } = &mut expr.kind {
            self.visit_params(params);
            self.inside(id, &"<lambda>".into(), true, |this| this.visit_expr(body));
            if id == self.calls.root {
                self.rewritten = Some(Rewritten::Lambda(expr.clone()));
            }
            return;
        }
        walk_expr(self, expr);
        if self.calls.calls.contains(&id) {
            self.call(expr);
        }
    }
}
