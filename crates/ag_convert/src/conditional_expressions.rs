//! `a if c else b` becomes a call of an operator with lazy branches.
//!
//! ```python
//! a if c else b        ag__.if_exp(c, lambda: a, lambda: b)
//! ```

use ag_syntax::tree::{Expr, ExprKind};

use crate::context::Conversion;
use crate::lazy::{can_be_lazy, operand};

/// Rewrites one expression.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let ExprKind::IfExp { test, body, orelse } = &mut expr.kind else { return };
    let id = expr.id;
    if !can_be_lazy(id, [&**body, &**orelse].into_iter(), conversion) {
        return;
    }
    let nothing = conversion.builder(expr.span).none();
    let take = |part: &mut Expr| std::mem::replace(part, nothing.clone());
    let (test, body, orelse) = (take(test), take(body), take(orelse));
    let args = [test, operand(id, 0, body, conversion), operand(id, 1, orelse, conversion)];
    *expr = conversion.call(expr.span, "if_exp", args);
}
