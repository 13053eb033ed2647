//! Lists, dicts, sets and generators that the function creates: the operators are told, since writing to an
//! object that the call created itself has no effect outside, while writing to another object has.
//!
//! ```python
//! history = []                   history = ag__.created([])
//! table = {k: [] for k in x}     table = ag__.created({k: ag__.created([]) for k in x})
//! zeros = [0.0] * n              zeros = ag__.created(ag__.created([0.0]) * n)
//! more = [a, *xs, b]             more = ag__.with_element(ag__.with_elements(ag__.created([a]), xs), b)
//! both = {1: a, k: b, **d}       both = ag__.dict_display((1, a), (k, b), (d,))
//! some = {1, k}                  some = ag__.set_display(1, k)
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
    if let Some((operator, parts)) = open_parts(expr, conversion) {
        *expr = conversion.call(span, operator, parts);
        return;
    }
    let placeholder = conversion.builder(span).none();
    let mut made = std::mem::replace(expr, placeholder);
    let rest = starred_rest(&mut made);
    made = conversion.call(span, "created", [made]);
    // Each iterable is iterated before the next element is evaluated, as in CPython; it may be staged.
    for element in rest {
        let (operator, value) = match element {
            Expr { kind: ExprKind::Starred { value, .. }, .. } => ("with_elements", *value),
            element => ("with_element", element),
        };
        made = conversion.call(span, operator, [made, value]);
    }
    *expr = made;
}

/// The operator and the parts of a dict or set display with a key that only the run may know: one that is no literal,
/// or in `**values`. An item of a dict becomes a pair, and `**values` a tuple of one.
fn open_parts(expr: &mut Expr, conversion: &mut Conversion) -> Option<(&'static str, Vec<Expr>)> {
    match &mut expr.kind {
        ExprKind::Dict(items) if !items.iter().all(|(key, _)| key.as_ref().is_some_and(is_literal)) => {
            let items = std::mem::take(items).into_iter();
            let parts = items.map(|(key, value)| {
                let b = conversion.builder(value.span);
                b.tuple(key.into_iter().chain([value]))
            });
            Some(("dict_display", parts.collect()))
        }
        ExprKind::Set(elements) if !elements.iter().all(is_literal) => {
            Some(("set_display", std::mem::take(elements)))
        }
        _ => None,
    }
}

fn is_literal(key: &Expr) -> bool {
    match &key.kind {
        ExprKind::Constant { .. } => true,
        ExprKind::Tuple { elements, .. } => elements.iter().all(is_literal),
        ExprKind::Unary { operand, .. } => is_literal(operand),
        _ => false,
    }
}

fn is_starred(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Starred { .. })
}

/// Removes the elements from the first `*values` on from a list display.
fn starred_rest(display: &mut Expr) -> Vec<Expr> {
    let ExprKind::List { elements, .. } = &mut display.kind else { return Vec::new() };
    match elements.iter().position(is_starred) {
        Some(first) => elements.split_off(first),
        None => Vec::new(),
    }
}

/// Whether an expression was made by this pass.
fn is_created(expr: &Expr, conversion: &Conversion) -> bool {
    let ExprKind::Call { func, .. } = &expr.kind else { return false };
    let ExprKind::Attribute { value, attr, .. } = &func.kind else { return false };
    let is_operator = matches!(&value.kind, ExprKind::Name { name, .. } if *name == conversion.operators);
    is_operator && matches!(&**attr, "created" | "list_comprehension" | "with_element" | "with_elements")
}
