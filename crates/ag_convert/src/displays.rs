//! Lists, dicts and sets that the function makes: the operators learn of them, since writing to an
//! object that the call made itself is nobody else's business, and writing to another is.
//!
//! ```python
//! history = []                   history = ag__.created([])
//! table = {k: [] for k in x}     table = ag__.created({k: ag__.created([]) for k in x})
//! ```

use ag_syntax::tree::{Context, Expr, ExprKind};

use crate::context::Conversion;

/// Rewrites one expression.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let makes_an_object = match &expr.kind {
        ExprKind::List { context, .. } => *context == Context::Load,
        ExprKind::Dict(_)
        | ExprKind::Set(_)
        | ExprKind::ListComp { .. }
        | ExprKind::SetComp { .. }
        | ExprKind::DictComp { .. } => true,
        _ => false,
    };
    if !makes_an_object {
        return;
    }
    let span = expr.span;
    let placeholder = conversion.builder(span).none();
    let made = std::mem::replace(expr, placeholder);
    *expr = conversion.call(span, "created", [made]);
}
