//! Statements and tests that have nothing to do with derivatives, and stay as the user has written them.

use ag_syntax::tree::{Context, Expr, ExprKind, Stmt, StmtKind};

use crate::activity::INSERTING;
use crate::callee::Callee;
use crate::jumps::may_leave;
use crate::normal::{Former, Outcome, refusal};
use crate::variables::{bound_by, read_by, root_of, roots_of};

impl Former<'_, '_> {
    /// Whether a statement has nothing to do with derivatives, and may stay as it is.
    pub(crate) fn is_plain(&self, stmt: &Stmt) -> bool {
        let is_bound = bound_by(stmt).iter().any(|name| self.has_derivative(name));
        let mut search = Search { former: self, found: false };
        ag_syntax::visit::Visitor::visit_stmt(&mut search, stmt);
        !is_bound && !search.found && !may_leave(std::slice::from_ref(stmt))
    }

    /// Refuses a test that does more than compute a value without a derivative.
    pub(crate) fn require_plain_test(&self, test: &Expr) -> Outcome<()> {
        let mut search = Search { former: self, found: false };
        ag_syntax::visit::Visitor::visit_expr(&mut search, test);
        if search.found {
            return Err(refusal(
                test.span,
                "a test assigns a value with a derivative",
                "assign it before the statement",
            ));
        }
        Ok(())
    }

    /// Refuses what may write to values with derivatives where this is not seen.
    pub(crate) fn require_harmless(&self, stmt: &Stmt) -> Outcome<()> {
        if let StmtKind::FunctionDef(def) = &stmt.kind
            && self.around.functions.contains(&def.name)
        {
            return Ok(());
        }
        if matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_))
            && let Some(name) = read_by(stmt).into_iter().find(|name| self.has_derivative(name))
        {
            return Err(refusal(
                stmt.span,
                format!("a function defined here reads `{name}`, which has a derivative"),
                "give it to the function as an argument",
            ));
        }
        Ok(())
    }
}

/// Finds what a statement does with derivatives beside binding variables.
struct Search<'s, 'a, 'f> {
    former: &'s Former<'a, 'f>,
    found: bool,
}

impl<'a> ag_syntax::visit::Visitor<'a> for Search<'_, '_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let written = match &stmt.kind {
            StmtKind::Assign { targets, .. } => targets.iter().collect(),
            StmtKind::AugAssign { target, .. } => vec![&**target],
            _ => Vec::new(),
        };
        let value = match &stmt.kind {
            StmtKind::Assign { value, .. } | StmtKind::AugAssign { value, .. } => Some(value),
            _ => None,
        };
        let is_active = value.is_some_and(|value| self.former.is_active(value));
        let writes = written.into_iter().flat_map(roots_of).any(|name| {
            self.former.has_derivative(&name) || (is_active && !self.former.around.is_local(&name))
        });
        let drops = match &stmt.kind {
            StmtKind::Expr(Expr { kind: ExprKind::Call { func, args, keywords }, .. }) => {
                // What a list without a derivative holds has none that is used.
                let is_list = matches!(&func.kind, ExprKind::Attribute { value, attr, .. }
                    if INSERTING.contains(&&**attr)
                        && matches!(&value.kind, ExprKind::Name { name, .. }
                            if !self.former.has_derivative(name)
                                && (self.former.around.is_local(name) || self.former.logs.contains(name))));
                let is_known =
                    is_list || matches!(self.former.around.callee(func), Callee::NonDifferentiable);
                let values = args.iter().chain(keywords.iter().map(|keyword| &keyword.value));
                let receiver = match &func.kind {
                    ExprKind::Attribute { value, .. } => Some(&**value),
                    _ => None,
                };
                let written = match self.former.around.called(func, args, keywords) {
                    Callee::Function(function) => {
                        self.former.around.written_arguments(&function, (func, args, keywords)).1
                    }
                    _ => Vec::new(),
                };
                !is_known
                    && (values.chain(receiver).any(|value| self.former.is_active(value))
                        || written.iter().any(|(name, _)| self.former.has_derivative(name)))
            }
            StmtKind::With { items, .. } => items.iter().any(|item| match &item.context.kind {
                ExprKind::Call { func, .. } => matches!(self.former.around.callee(func), Callee::GradOf),
                _ => false,
            }),
            StmtKind::Return(_) | StmtKind::Delete(_) => {
                read_by(stmt).iter().any(|name| self.former.has_derivative(name))
                    || matches!(stmt.kind, StmtKind::Return(_))
            }
            _ => false,
        };
        self.found |= writes || drops;
        if !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_)) {
            ag_syntax::visit::walk_stmt(self, stmt);
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        // `y[0], y[1] = …`, `for y[0] in …`, `del y[0]`
        if let ExprKind::Subscript { context: Context::Store | Context::Del, .. }
        | ExprKind::Attribute { context: Context::Store | Context::Del, .. } = &expr.kind
        {
            self.found |= root_of(expr).is_some_and(|name| self.former.has_derivative(name));
        }
        if let ExprKind::Named { target, value } = &expr.kind {
            self.found |= root_of(target).is_some_and(|name| self.former.has_derivative(name));
            self.found |= self.former.is_active(value);
        }
        ag_syntax::visit::walk_expr(self, expr);
    }
}
