//! Chained comparisons: an operator evaluates every operand once, from left to right, and no further than
//! needed.
//!
//! ```python
//! a < f() < b          ag__.compare(a, 'lt', lambda: f(), 'lt', lambda: b)
//! a < b                a < b
//! ```

use ag_syntax::tree::{CompareOp, Expr, ExprKind};

use crate::context::Conversion;
use crate::lazy::{can_be_lazy, operand};

/// Rewrites one expression.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let (id, span) = (expr.id, expr.span);
    let ExprKind::Compare { left, ops, comparators } = &mut expr.kind else { return };
    if ops.len() < 2 || !can_be_lazy(id, comparators.iter(), conversion) {
        return;
    }
    let nothing = conversion.builder(span).none();
    let mut args = vec![std::mem::replace(&mut **left, nothing)];
    for (position, (op, right)) in ops.iter().zip(std::mem::take(comparators)).enumerate() {
        args.push(conversion.builder(span).string(operator_name(*op)));
        args.push(operand(id, position, right, conversion));
    }
    *expr = conversion.call(span, "compare", args);
}

/// The name of the comparison in the `operator` module; `in` and `not in` have names of their own.
pub(crate) fn operator_name(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "eq",
        CompareOp::NotEq => "ne",
        CompareOp::Lt => "lt",
        CompareOp::LtE => "le",
        CompareOp::Gt => "gt",
        CompareOp::GtE => "ge",
        CompareOp::Is => "is_",
        CompareOp::IsNot => "is_not",
        CompareOp::In => "in_",
        CompareOp::NotIn => "not_in",
    }
}
