//! `a if c else b` becomes an operator with lazy branches.
//!
//! ```python
//! a if c else b        ag__.if_exp(c, lambda: a, lambda: b)
//! ```

use ag_syntax::tree::{Expr, ExprKind};

use crate::context::Conversion;
use crate::lazy::{has_walrus, lazy};

/// Rewrites one expression.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let ExprKind::IfExp { test, body, orelse } = &mut expr.kind else { return };
    if has_walrus(body) || has_walrus(orelse) {
        return;
    }
    let nothing = conversion.builder(expr.span).none();
    let take = |part: &mut Expr| std::mem::replace(part, nothing.clone());
    let (test, body, orelse) = (take(test), take(body), take(orelse));
    let args = [test, lazy(body, conversion), lazy(orelse, conversion)];
    *expr = conversion.call(expr.span, "if_exp", args);
}
