//! `and`, `or`, `not`, `in`, `not in` become calls of operators; operands after the first are lazy.
//!
//! ```python
//! a and b and c        ag__.and_(a, lambda: b, lambda: c)
//! not a                ag__.not_(a)
//! a in b               ag__.in_(a, b)
//! ```
//!
//! An operand that binds a name by `:=` becomes a function (`lazy.rs`).

use ag_syntax::tree::{BoolOp, CompareOp, Expr, ExprKind, UnaryOp};

use crate::context::Conversion;
use crate::lazy::{can_be_lazy, chain};

/// Rewrites one expression.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let (id, span) = (expr.id, expr.span);
    let (operator, args) = match &mut expr.kind {
        ExprKind::BoolOp { op, values } if can_be_lazy(id, values.iter().skip(1), conversion) => {
            let operator = match op {
                BoolOp::And => "and_",
                BoolOp::Or => "or_",
            };
            (operator, chain(id, std::mem::take(values), conversion))
        }
        ExprKind::Unary { op: UnaryOp::Not, operand } => {
            let nothing = conversion.builder(span).none();
            ("not_", vec![std::mem::replace(&mut **operand, nothing)])
        }
        ExprKind::Compare { left, ops, comparators } => {
            let operator = match ops[..] {
                [CompareOp::In] => "in_",
                [CompareOp::NotIn] => "not_in",
                _ => return,
            };
            let nothing = conversion.builder(span).none();
            let mut args = vec![std::mem::replace(&mut **left, nothing)];
            args.append(comparators);
            (operator, args)
        }
        _ => return,
    };
    *expr = conversion.call(span, operator, args);
}
