//! Calls that give a part of what they are given, where that part is written: the call is what its function returns.
//!
//! ```text
//! def pick(a, i):                 row = pick(m, 1)            row = m[1]
//!     return a[i]                 row *= 2.0                  row *= 2.0
//! ```
//!
//! So the write is told to `m`, as `views.rs` tells it.

use std::collections::BTreeSet;

use ag_syntax::tree::{Expr, ExprKind, FunctionDef, Keyword, Name, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, VisitorMut};
use ag_syntax::{Binding, Builder, Template};

use crate::callee::{Callee, Receiver, Resolver};
use crate::flatten::is_simple;
use crate::functions::Functions;
use crate::name_sets::IntoSet;
use crate::object_paths::Paths;
use crate::variables::{bound_in, dotted, read_in, root_of};

/// Puts what such functions return in the place of their calls.
pub(crate) fn views_of_calls(
    b: Builder<'_>,
    def: &mut FunctionDef,
    resolver: &dyn Resolver,
    functions: &Functions,
) {
    let mut locals = bound_in(&def.body).into_iter().into_set();
    locals.extend(def.params.iter().map(|param| param.name.clone()));
    let is_local = |name: &Name| locals.contains(name);
    let paths = Paths { resolver, functions, is_local: &is_local };
    let mut written = Written { paths: &paths, found: BTreeSet::new() };
    written.visit_body(&def.body);
    let written = written.found;
    if !written.is_empty() {
        let mut body = std::mem::take(&mut def.body);
        Inlining { b, paths: &paths, written: &written }.visit_body(&mut body);
        def.body = body;
    }
}

/// The variables that are written in place.
struct Written<'p> {
    paths: &'p Paths<'p>,
    found: BTreeSet<Name>,
}

impl<'a> Visitor<'a> for Written<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let StmtKind::AugAssign { target, .. } = &stmt.kind {
            self.found.extend(root_of(target).cloned());
        }
        ag_syntax::visit::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Subscript { context: ag_syntax::tree::Context::Store, .. } => {
                self.found.extend(root_of(expr).cloned());
            }
            ExprKind::Call { func, args, .. } => {
                if let ExprKind::Attribute { value, attr, .. } = &func.kind
                    && crate::aliases::CHANGING.contains(&&**attr)
                {
                    self.found.extend(root_of(value).cloned());
                }
                if matches!(self.paths.callee(func), Some(Callee::Function(function)) if function.may_write) {
                    self.found.extend(args.iter().filter_map(root_of).cloned());
                }
            }
            _ => {}
        }
        ag_syntax::visit::walk_expr(self, expr);
    }
}

struct Inlining<'a, 'p> {
    b: Builder<'a>,
    paths: &'p Paths<'p>,
    written: &'p BTreeSet<Name>,
}

impl Inlining<'_, '_> {
    /// What the function of a call returns, of the arguments of the call.
    fn returned(&self, call: &Expr) -> Option<Expr> {
        let ExprKind::Call { func, args, keywords } = &call.kind else { return None };
        let Some(Callee::Function(function)) = self.paths.callee(func) else { return None };
        let (names, text) = self.paths.resolver.view_of(&function)?;
        let receiver = match (function.receiver, &func.kind) {
            (Receiver::Object, ExprKind::Attribute { value, .. }) => Some(&**value),
            (Receiver::None, _) => None,
            _ => return None,
        };
        let positional: Vec<&Expr> = receiver.into_iter().chain(args).collect();
        let named = |keyword: &Keyword| keyword.name.clone().map(|name| (name, keyword.value.clone()));
        let mut given: Vec<(Name, Expr)> =
            names.iter().map(|name| name.as_str().into()).zip(positional.iter().copied().cloned()).collect();
        given.extend(keywords.iter().map(named).collect::<Option<Vec<(Name, Expr)>>>()?);
        let is_each = names.iter().all(|name| given.iter().filter(|(one, _)| **one == **name).count() == 1);
        if !is_each || given.len() != names.len() || !given.iter().all(|(_, value)| is_simple(value)) {
            return None;
        }
        let module = ag_syntax::parse_module(&text).ok()?;
        let [Stmt { kind: StmtKind::Expr(value), .. }] = module.body.as_slice() else { return None };
        let read = read_in(value);
        let bindings = given.iter().filter(|(name, _)| read.contains(name));
        let bindings = bindings.map(|(name, value)| (&**name, Binding::Expr(value.clone())));
        Some(Template::of(module.body.clone()).quote_expr(self.b.at(call.span), bindings))
    }
}

impl VisitorMut for Inlining<'_, '_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => return,
            StmtKind::Assign { targets, value } => {
                let bound: Vec<&Name> = match targets.as_slice() {
                    [Expr { kind: ExprKind::Tuple { elements, .. }, .. }] => {
                        elements.iter().filter_map(root_of).collect()
                    }
                    [target] => root_of(target).into_iter().collect(),
                    _ => Vec::new(),
                };
                if bound.iter().any(|name| self.written.contains(*name))
                    && let Some(returned) = self.returned(value)
                {
                    *value = returned;
                }
            }
            _ => {}
        }
        ag_syntax::visit::mutable::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, _: &mut Expr) {}
}

impl Paths<'_> {
    /// What a call of a function outside, or of a method of a known class, calls.
    fn callee(&self, func: &Expr) -> Option<Callee> {
        if let ExprKind::Attribute { value, attr, .. } = &func.kind
            && let Some(path) = self.of(value)
        {
            return Some(self.resolver.attribute(&path, attr));
        }
        let root = root_of(func).filter(|root| !(self.is_local)(root) && !self.functions.contains(root))?;
        let path = dotted(func)?;
        (!root.is_empty()).then(|| self.resolver.named(&path))
    }
}
