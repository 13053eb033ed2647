//! The definitions and lambdas in the text of a function, and how they are used there.

use std::collections::{BTreeMap, BTreeSet};

use ag_analysis::{ScopeId, Scopes};
use ag_errors::Span;
use ag_syntax::tree::{Context, Expr, ExprKind, FunctionDef, Name, Param, Params, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, VisitorMut, walk_expr, walk_stmt};
use ag_syntax::{Builder, FreshNames};

use crate::flatten::is_literal;
use crate::variables::dotted;

/// A nested function as it stands in the text.
pub(crate) struct Candidate {
    /// Its name, unless it is a lambda that has none.
    pub(crate) name: Option<Name>,
    pub(crate) def: FunctionDef,
    pub(crate) span: Span,
    pub(crate) scope: ScopeId,
    /// Variables that keep its defaults, by parameter.
    pub(crate) defaults: Vec<(Name, Name)>,
}

/// Gives variables to defaults that are computed.
pub(crate) struct Defaults<'a> {
    pub(crate) b: Builder<'a>,
    pub(crate) fresh: FreshNames,
    pub(crate) kept: BTreeMap<Span, Vec<(Name, Name)>>,
}

impl VisitorMut for Defaults<'_> {
    fn visit_body(&mut self, body: &mut Vec<Stmt>) {
        for mut stmt in std::mem::take(body) {
            match &mut stmt.kind {
                StmtKind::FunctionDef(def) => {
                    let wish = def.name.clone();
                    for param in parameters_of(&mut def.params) {
                        let Some(default) = param.default.as_mut().filter(|default| !is_literal(default))
                        else {
                            continue;
                        };
                        let b = self.b.at(default.span);
                        let variable = self.fresh.fresh(&format!("{wish}_{}", param.name));
                        let value = std::mem::replace(default, b.name(variable.clone()));
                        body.push(b.assign_name(variable.clone(), value));
                        self.kept.entry(stmt.span).or_default().push((param.name.clone(), variable));
                    }
                }
                StmtKind::ClassDef(_) => {}
                _ => ag_syntax::visit::mutable::walk_stmt(self, &mut stmt),
            }
            body.push(stmt);
        }
    }

    fn visit_expr(&mut self, _: &mut Expr) {}
}

/// The parameters that may have defaults.
pub(crate) fn parameters_of(params: &mut Params) -> impl Iterator<Item = &mut Param> {
    params.positional_only.iter_mut().chain(&mut params.positional).chain(&mut params.keyword_only)
}

/// Finds the functions in the text of another, and other names for functions.
pub(crate) struct Search<'s, 'a> {
    pub(crate) b: Builder<'a>,
    pub(crate) scopes: &'s Scopes,
    pub(crate) found: Vec<Candidate>,
    /// Names that are bound to what other names stand for, or to what a call of these gives.
    pub(crate) others: Vec<(Name, String, bool)>,
}

impl Search<'_, '_> {
    fn lambda(&mut self, name: Option<&Name>, (params, body): (&Params, &Expr), expr: &Expr) {
        let Some(scope) = self.scopes.of_node(expr.id) else { return };
        if params.iter().any(|param| param.default.as_ref().is_some_and(|default| !is_literal(default))) {
            return;
        }
        let b = self.b.at(body.span);
        let wish: Name = name.map_or_else(|| "lambda".into(), Clone::clone);
        let made = b.function_def(wish, params.clone(), vec![b.return_value(body.clone())]);
        if let StmtKind::FunctionDef(mut def) = made.kind {
            def.name_span = expr.span;
            let (span, defaults) = (expr.span, Vec::new());
            self.found.push(Candidate { name: name.cloned(), def: *def, span, scope, defaults });
        }
    }
}

impl<'a> Visitor<'a> for Search<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(def) => {
                if let Some(scope) = self.scopes.of_node(stmt.id) {
                    let mut own = (**def).clone();
                    crate::front::without_docstring(&mut own);
                    let name = Some(def.name.clone());
                    self.found.push(Candidate {
                        name,
                        def: own,
                        span: stmt.span,
                        scope,
                        defaults: Vec::new(),
                    });
                }
            }
            StmtKind::ClassDef(_) => {}
            StmtKind::Assign { targets, value } => match (targets.as_slice(), &value.kind) {
                ([Expr { kind: ExprKind::Name { name, .. }, .. }], ExprKind::Lambda { params, body }) => {
                    self.lambda(Some(name), (params, body), value);
                }
                ([Expr { kind: ExprKind::Name { name, .. }, .. }], _) => {
                    let (named, is_called) = match &value.kind {
                        ExprKind::Call { func, .. } => (&**func, true),
                        _ => (value, false),
                    };
                    if let Some(path) = dotted(named) {
                        self.others.push((name.clone(), path, is_called));
                    }
                    walk_stmt(self, stmt);
                }
                _ => walk_stmt(self, stmt),
            },
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Lambda { params, body } => self.lambda(None, (params, body), expr),
            _ => walk_expr(self, expr),
        }
    }
}

/// Finds the functions that are used otherwise than called or given to a call.
pub(crate) struct Uses<'u> {
    pub(crate) spans: &'u BTreeSet<Span>,
    pub(crate) names: BTreeSet<Name>,
    pub(crate) lambdas: BTreeSet<Span>,
}

impl<'a> Visitor<'a> for Uses<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, value }
                if matches!(value.kind, ExprKind::Lambda { .. }) && self.spans.contains(&value.span) =>
            {
                targets.iter().for_each(|target| self.visit_expr(target));
                walk_expr(self, value);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name { name, context: Context::Load } => {
                self.names.insert(name.clone());
            }
            ExprKind::Lambda { .. } => {
                self.lambdas.insert(expr.span);
                walk_expr(self, expr);
            }
            ExprKind::Call { func, args, keywords } => {
                let given = args.iter().chain(keywords.iter().map(|keyword| &keyword.value));
                for one in std::iter::once(&**func).chain(given) {
                    match &one.kind {
                        ExprKind::Name { .. } => {}
                        ExprKind::Lambda { .. } => walk_expr(self, one),
                        _ => self.visit_expr(one),
                    }
                }
            }
            _ => walk_expr(self, expr),
        }
    }
}
