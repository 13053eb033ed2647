//! Calls become calls of an operator, which converts the function that is called.
//!
//! ```python
//! f(a, k=c)            ag__.converted_call(f, a, k=c)
//! f(a, *b, **c)        ag__.callee(f)(a, *b, **c)
//! super().m(x)         ag__.converted_call(super(__class__, self).m, x)
//! globals()            globals()
//! eval(s)              eval(*ag__.frame_arguments(eval, frame, s, …))
//! ```

use std::collections::HashMap;

use ag_analysis::{Resolution, ScopeId};
use ag_syntax::tree::{Expr, ExprKind, Name, NodeId, Params, Stmt, StmtKind};
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::{walk_expr, walk_stmt};

use crate::context::Conversion;

/// Rewrites one call.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let ExprKind::Call { func, args, keywords } = &mut expr.kind else { return };
    let span = func.span;
    let is_ours = match &func.kind {
        ExprKind::Attribute { value, .. } => {
            matches!(&value.kind, ExprKind::Name { name, .. } if *name == conversion.operators)
        }
        // Only this pass adds `__class__` to a `super` call of the user.
        ExprKind::Name { name, .. } if &**name == "super" => {
            matches!(args.first(), Some(Expr { kind: ExprKind::Name { name, .. }, .. }) if &**name == "__class__")
        }
        // These look at the frame of their caller, which must be the user's.
        ExprKind::Name { name, .. } => &**name == "globals" || is_given_a_view(args, conversion),
        _ => false,
    };
    if is_ours {
        return;
    }
    if matches!(&func.kind, ExprKind::Name { name, .. } if &**name == "breakpoint") {
        // `breakpoint` stops in the frame of its caller, if it may.
        let nothing = conversion.builder(span).none();
        let callee = std::mem::replace(&mut **func, nothing);
        **func = conversion.call(span, "in_frame", [callee]);
        return;
    }
    let unpacks = args.iter().any(|arg| matches!(arg.kind, ExprKind::Starred { .. }))
        || keywords.iter().any(|keyword| keyword.name.is_none());
    let operators = conversion.operators.clone();
    let b = conversion.builder(span);
    let operator = b.attribute(b.name(operators), if unpacks { "callee" } else { "converted_call" });
    let callee = std::mem::replace(&mut **func, operator);
    if unpacks {
        let operator = std::mem::replace(&mut **func, conversion.builder(span).none());
        **func = conversion.builder(span).call(operator, [callee]);
    } else {
        args.insert(0, callee);
    }
}

/// Whether the arguments are `*ag__.frame_arguments(…)`, with which `eval` runs its code in the user's frame.
fn is_given_a_view(args: &[Expr], conversion: &Conversion) -> bool {
    let Some(Expr { kind: ExprKind::Starred { value, .. }, .. }) = args.first() else { return false };
    let ExprKind::Call { func, .. } = &value.kind else { return false };
    let ExprKind::Attribute { value, attr, .. } = &func.kind else { return false };
    matches!(&value.kind, ExprKind::Name { name, .. } if *name == conversion.operators)
        && &**attr == "frame_arguments"
}

/// Writes out the arguments of `super()`, which it would look for in its caller's frame.
pub(crate) fn write_out_super(body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    let mut pass = Super { conversion, first: None, scope: None, cache: HashMap::new() };
    pass.visit_body(body);
}

struct Super<'a> {
    conversion: &'a mut Conversion,
    /// The first parameter of the enclosing function.
    first: Option<Name>,
    scope: Option<ScopeId>,
    cache: HashMap<ScopeId, bool>,
}

impl Super<'_> {
    /// Whether `super` and `__class__` have their usual meaning here.
    fn is_known(&mut self) -> bool {
        let Some(scope) = self.scope else { return false };
        let scopes = &self.conversion.scopes;
        *self.cache.entry(scope).or_insert_with(|| {
            scopes.resolve_name(scope, "super") == Resolution::Global
                && matches!(scopes.resolve_name(scope, "__class__"), Resolution::Free(_))
        })
    }

    fn inside(&mut self, node: NodeId, params: &Params, visit: impl FnOnce(&mut Self)) {
        let first = params.positional_only.iter().chain(&params.positional).next();
        let around = (self.first.take(), self.scope);
        self.first = first.map(|param| param.name.clone());
        self.scope = self.conversion.scopes.of_node(node);
        visit(self);
        (self.first, self.scope) = around;
    }
}

impl VisitorMut for Super<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => {
                if !self.conversion.left_as_written.contains(&stmt.id) {
                    let params = def.params.clone();
                    self.inside(stmt.id, &params, |this| this.visit_body(&mut def.body));
                }
            }
            StmtKind::ClassDef(_) => {}
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Lambda { params, body } = &mut expr.kind {
            if !self.conversion.left_as_written.contains(&expr.id) {
                self.inside(expr.id, params, |this| this.visit_expr(body));
            }
            return;
        }
        walk_expr(self, expr);
        let ExprKind::Call { func, args, keywords } = &mut expr.kind else { return };
        let is_super = matches!(&func.kind, ExprKind::Name { name, .. } if &**name == "super");
        if !(is_super && args.is_empty() && keywords.is_empty() && self.is_known()) {
            return;
        }
        if let Some(first) = self.first.clone() {
            let b = self.conversion.builder(expr.span);
            args.extend([b.name("__class__"), b.name(first)]);
        }
    }
}
