//! Tests of the identity or the class of a value become calls of operators, since a staged value has another
//! class and identity.
//!
//! ```python
//! a is b              ag__.is_(a, b)
//! a is not b          ag__.is_not(a, b)
//! a.__class__         ag__.class_of(a)
//! a.__traceback__     ag__.traceback_of(a)
//! raise a             raise ag__.raised(a)
//! raise a from b      raise ag__.raised(a, b)
//! case None:          case ag__.IsNone():
//! case True:          case ag__.IsTrue():
//! ```
//!
//! This pass also runs in generators and other functions that stay as written: Python would get a wrong
//! answer there.

use ag_syntax::tree::{
    CompareOp, ConstantKind, Context, Expr, ExprKind, Param, Pattern, PatternKind, Stmt, StmtKind,
};
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::{walk_expr, walk_pattern, walk_stmt};

use crate::context::Conversion;

/// Runs the pass.
pub(crate) fn rewrite(body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    Identities { conversion }.visit_body(body);
}

struct Identities<'a> {
    conversion: &'a mut Conversion,
}

impl Identities<'_> {
    fn expression(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let nothing = self.conversion.builder(span).none();
        match &mut expr.kind {
            ExprKind::Compare { left, ops, comparators } => {
                let operator = match ops[..] {
                    [CompareOp::Is] => "is_",
                    [CompareOp::IsNot] => "is_not",
                    _ => return,
                };
                let mut args = vec![std::mem::replace(&mut **left, nothing)];
                args.append(comparators);
                *expr = self.conversion.call(span, operator, args);
            }
            ExprKind::Attribute { value, attr, context: Context::Load } => {
                let operator = match &**attr {
                    "__class__" => "class_of",
                    "__traceback__" => "traceback_of",
                    _ => return,
                };
                let value = std::mem::replace(&mut **value, nothing);
                *expr = self.conversion.call(span, operator, [value]);
            }
            _ => {}
        }
    }
}

impl VisitorMut for Identities<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::ClassDef(def) => {
                def.decorators.iter_mut().chain(&mut def.bases).for_each(|expr| self.visit_expr(expr));
                def.keywords.iter_mut().for_each(|keyword| self.visit_expr(&mut keyword.value));
            }
            StmtKind::FunctionDef(def) => {
                def.decorators.iter_mut().for_each(|decorator| self.visit_expr(decorator));
                self.visit_params(&mut def.params);
                self.visit_body(&mut def.body);
            }
            StmtKind::AnnAssign { target, value, .. } => {
                if let Some(value) = value {
                    self.visit_expr(value);
                }
                self.visit_expr(target);
            }
            StmtKind::TypeAlias { .. } => {}
            StmtKind::Raise { exc: Some(exc), cause } => {
                self.visit_expr(exc);
                let span = exc.span;
                let mut args = vec![std::mem::replace(exc, self.conversion.builder(span).none())];
                if let Some(mut cause) = cause.take() {
                    self.visit_expr(&mut cause);
                    args.push(cause);
                }
                *exc = self.conversion.call(span, "raised", args);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    /// Annotations are not evaluated here.
    fn visit_param(&mut self, _: &mut Param) {}

    fn visit_expr(&mut self, expr: &mut Expr) {
        if matches!(&expr.kind, ExprKind::FString(string) if string.is_template) {
            return;
        }
        walk_expr(self, expr);
        self.expression(expr);
    }

    fn visit_pattern(&mut self, pattern: &mut Pattern) {
        walk_pattern(self, pattern);
        let PatternKind::Singleton(Expr { kind: ExprKind::Constant { kind, .. }, .. }) = &pattern.kind else {
            return;
        };
        let class = match kind {
            ConstantKind::None => "IsNone",
            ConstantKind::True => "IsTrue",
            ConstantKind::False => "IsFalse",
            _ => return,
        };
        let operators = self.conversion.operators.clone();
        let b = self.conversion.builder(pattern.span);
        let class = b.attribute(b.name(operators), class);
        pattern.kind = PatternKind::Class { class, patterns: Vec::new(), keywords: Vec::new() };
    }
}
