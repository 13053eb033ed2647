//! Python's operators become calls, for programs in which they call methods of the user that are to be converted.
//!
//! ```python
//! a + b                 ag__.operated('add', a, b)
//! -a                    ag__.operated('neg', a)
//! (r, c) == goal        ag__.operated('eq', (r, c), goal)
//! x += a                x = ag__.operated('iadd', x, a)
//! p.length              ag__.get_attr(p, 'length')
//! ```
//!
//! Most programs need no such calls, and their text has none: [`crate::Options::spells_operators`] asks for them.

use ag_syntax::tree::{BinaryOp, CompareOp, Context, Expr, ExprKind, Stmt, StmtKind, UnaryOp};

use crate::comparisons::operator_name;
use crate::context::Conversion;
use crate::item_access::in_place_name;
use crate::regions::{blocks_mut, each_function};

/// Rewrites one expression.
pub(crate) fn rewrite(expr: &mut Expr, conversion: &mut Conversion) {
    let span = expr.span;
    let nothing = conversion.builder(span).none();
    let (operator, name, operands) = match &mut expr.kind {
        ExprKind::Binary { left, op, right } => {
            let operands = [left, right].map(|side| std::mem::replace(&mut **side, nothing.clone()));
            ("operated", binary_name(*op), operands.into())
        }
        ExprKind::Unary { op, operand } if *op != UnaryOp::Not && !is_literal(operand) => {
            ("operated", unary_name(*op), vec![std::mem::replace(&mut **operand, nothing)])
        }
        ExprKind::Compare { left, ops, comparators } => match ops[..] {
            [op] if !matches!(op, CompareOp::Is | CompareOp::IsNot | CompareOp::In | CompareOp::NotIn) => {
                let mut operands = vec![std::mem::replace(&mut **left, nothing)];
                operands.append(comparators);
                ("operated", operator_name(op), operands)
            }
            _ => return,
        },
        ExprKind::Attribute { value, attr, context: Context::Load } if !is_operators(value, conversion) => {
            let name = conversion.builder(span).string(attr);
            let owner = std::mem::replace(&mut **value, nothing);
            *expr = conversion.call(span, "get_attr", [owner, name]);
            return;
        }
        _ => return,
    };
    let name = conversion.builder(span).string(name);
    *expr = conversion.call(span, operator, std::iter::once(name).chain(operands));
}

/// Rewrites augmented assignments to variables.
pub(crate) fn rewrite_updates(body: &mut [Stmt], conversion: &mut Conversion) {
    let left = conversion.left_as_written.clone();
    each_function(body, &left, &mut |_, body| updates_in(body, conversion));
}

fn updates_in(body: &mut [Stmt], conversion: &mut Conversion) {
    for stmt in body {
        if let StmtKind::AugAssign { target, op, value } = &mut stmt.kind
            && let ExprKind::Name { name, .. } = &target.kind
        {
            let (name, op) = (name.clone(), in_place_name(*op));
            let nothing = conversion.builder(stmt.span).none();
            let value = std::mem::replace(value, nothing);
            let b = conversion.builder(stmt.span);
            let operands = [b.string(op), b.at(target.span).name(name.clone()), value];
            let updated = conversion.call(stmt.span, "operated", operands);
            stmt.kind = conversion.builder(stmt.span).assign_name(name, updated).kind;
        }
        for block in blocks_mut(stmt) {
            updates_in(block, conversion);
        }
    }
}

/// Whether an operand is a number of the program: `-1`.
fn is_literal(operand: &Expr) -> bool {
    matches!(operand.kind, ExprKind::Constant { .. })
}

/// Whether a value is `ag__`.
fn is_operators(value: &Expr, conversion: &Conversion) -> bool {
    matches!(&value.kind, ExprKind::Name { name, .. } if *name == conversion.operators)
}

/// The function of the `operator` module.
fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::BitOr => "or_",
        BinaryOp::BitAnd => "and_",
        _ => in_place_name(op).trim_start_matches('i'),
    }
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Invert => "invert",
        UnaryOp::Not => "not_",
        UnaryOp::UAdd => "pos",
        UnaryOp::USub => "neg",
    }
}
