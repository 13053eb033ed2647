//! Lists, dicts, sets and generators that the function makes: the operators learn of them, since writing to an
//! object that the call made itself is nobody else's business, and writing to another is.
//!
//! ```python
//! history = []                   history = ag__.created([])
//! table = {k: [] for k in x}     table = ag__.created({k: ag__.created([]) for k in x})
//! zeros = [0.0] * n              zeros = ag__.created(ag__.created([0.0]) * n)
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
        | ExprKind::DictComp { .. }
        | ExprKind::Generator { .. } => true,
        // `[0.0] * n` is a new list too.
        ExprKind::Binary { left, right, .. } => is_created(left, conversion) || is_created(right, conversion),
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

/// Whether an expression is what this pass made.
fn is_created(expr: &Expr, conversion: &Conversion) -> bool {
    let ExprKind::Call { func, .. } = &expr.kind else { return false };
    let ExprKind::Attribute { value, attr, .. } = &func.kind else { return false };
    let is_operator = matches!(&value.kind, ExprKind::Name { name, .. } if *name == conversion.operators);
    is_operator && matches!(&**attr, "created" | "list_comprehension")
}
