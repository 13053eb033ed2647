//! Operands that an operator evaluates itself: `lambda: operand`.

use ag_syntax::tree::{Expr, ExprKind};
use ag_syntax::visit::{Visitor, walk_expr};

use crate::context::Conversion;

/// `lambda: operand`.
pub(crate) fn lazy(operand: Expr, conversion: &mut Conversion) -> Expr {
    conversion.builder(operand.span).lambda(operand)
}

/// The operands of a chain: the first as it is, since it is always evaluated, the others lazy.
pub(crate) fn chain(operands: Vec<Expr>, conversion: &mut Conversion) -> Vec<Expr> {
    let mut operands = operands.into_iter();
    let mut args: Vec<Expr> = operands.by_ref().take(1).collect();
    args.extend(operands.map(|operand| lazy(operand, conversion)));
    args
}

/// Whether an expression binds a name by `:=`, which a lambda would make its own.
pub(crate) fn has_walrus(expr: &Expr) -> bool {
    struct Search(bool);
    impl<'a> Visitor<'a> for Search {
        fn visit_expr(&mut self, expr: &'a Expr) {
            match &expr.kind {
                ExprKind::Named { .. } => self.0 = true,
                ExprKind::Lambda { params, .. } => self.visit_params(params),
                _ if self.0 => {}
                _ => walk_expr(self, expr),
            }
        }
    }
    let mut search = Search(false);
    search.visit_expr(expr);
    search.0
}
