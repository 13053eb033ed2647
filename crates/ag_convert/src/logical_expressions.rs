//! `and`, `or`, `not`, `in`, `not in` become operators; operands after the first stay lazy.
//!
//! ```python
//! a and b and c        ag__.and_(a, lambda: b, lambda: c)
//! not a                ag__.not_(a)
//! a in b               ag__.in_(a, b)
//! ```
//!
//! A chain that binds a name by `:=` after its first operand stays as written: a lambda would make the
//! name its own.

use ag_syntax::tree::{BoolOp, CompareOp, Expr, ExprKind, UnaryOp};

use crate::context::Conversion;
use crate::lazy::{chain, has_walrus};

/// Rewrites one expression.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let span = expr.span;
    let (operator, args) = match &mut expr.kind {
        ExprKind::BoolOp { op, values } if !values.iter().skip(1).any(has_walrus) => {
            let operator = match op {
                BoolOp::And => "and_",
                BoolOp::Or => "or_",
            };
            (operator, chain(std::mem::take(values), conversion))
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
