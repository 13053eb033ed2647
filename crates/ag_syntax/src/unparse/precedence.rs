//! How tightly expressions bind.

use crate::tree::{BinaryOp, BoolOp, CompareOp, Expr, ExprKind, UnaryOp};

/// Precedence levels of the grammar, loosest first. An expression needs no parentheses in a place of its own
/// level or of a looser one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    /// `name := value`.
    Named,
    /// `a, b`.
    Tuple,
    /// `yield a`.
    Yield,
    /// `a if b else c`, `lambda: a`.
    Test,
    /// `a or b`.
    Or,
    /// `a and b`.
    And,
    /// `not a`.
    Not,
    /// `a < b`.
    Compare,
    /// `a | b`.
    BitOr,
    /// `a ^ b`.
    BitXor,
    /// `a & b`.
    BitAnd,
    /// `a << b`.
    Shift,
    /// `a + b`.
    Sum,
    /// `a * b`.
    Term,
    /// `-a`.
    Factor,
    /// `a ** b`.
    Power,
    /// `await a`.
    Await,
    /// Names, literals, calls, anything in brackets.
    Atom,
}

impl Precedence {
    /// The level of an expression.
    pub(super) fn of(expr: &Expr) -> Self {
        match &expr.kind {
            ExprKind::Named { .. } => Self::Named,
            ExprKind::Tuple { elements, .. } if !elements.is_empty() => Self::Tuple,
            ExprKind::Yield(_) | ExprKind::YieldFrom(_) => Self::Yield,
            ExprKind::IfExp { .. } | ExprKind::Lambda { .. } => Self::Test,
            ExprKind::BoolOp { op: BoolOp::Or, .. } => Self::Or,
            ExprKind::BoolOp { op: BoolOp::And, .. } => Self::And,
            ExprKind::Unary { op: UnaryOp::Not, .. } => Self::Not,
            ExprKind::Unary { .. } => Self::Factor,
            ExprKind::Compare { .. } => Self::Compare,
            ExprKind::Binary { op, .. } => Self::of_binary(*op),
            ExprKind::Await(_) => Self::Await,
            _ => Self::Atom,
        }
    }

    /// The level of a binary operator.
    pub(super) fn of_binary(op: BinaryOp) -> Self {
        match op {
            BinaryOp::BitOr => Self::BitOr,
            BinaryOp::BitXor => Self::BitXor,
            BinaryOp::BitAnd => Self::BitAnd,
            BinaryOp::LShift | BinaryOp::RShift => Self::Shift,
            BinaryOp::Add | BinaryOp::Sub => Self::Sum,
            BinaryOp::Mult | BinaryOp::MatMult | BinaryOp::Div | BinaryOp::Mod | BinaryOp::FloorDiv => {
                Self::Term
            }
            BinaryOp::Pow => Self::Power,
        }
    }

    /// The levels of the operands of a binary operator: `a - (b - c)` keeps its parentheses, `(a - b) - c`
    /// does not; `**` is right-associative, and binds less tightly than a sign on its right.
    pub(super) fn of_operands(op: BinaryOp) -> (Self, Self) {
        match Self::of_binary(op) {
            Self::BitOr => (Self::BitOr, Self::BitXor),
            Self::BitXor => (Self::BitXor, Self::BitAnd),
            Self::BitAnd => (Self::BitAnd, Self::Shift),
            Self::Shift => (Self::Shift, Self::Sum),
            Self::Sum => (Self::Sum, Self::Term),
            Self::Term => (Self::Term, Self::Factor),
            _ => (Self::Await, Self::Factor),
        }
    }
}

/// The text of a binary operator.
pub(super) fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mult => "*",
        BinaryOp::MatMult => "@",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
        BinaryOp::Pow => "**",
        BinaryOp::LShift => "<<",
        BinaryOp::RShift => ">>",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::FloorDiv => "//",
    }
}

/// The text of a comparison operator.
pub(super) fn compare_text(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::NotEq => "!=",
        CompareOp::Lt => "<",
        CompareOp::LtE => "<=",
        CompareOp::Gt => ">",
        CompareOp::GtE => ">=",
        CompareOp::Is => "is",
        CompareOp::IsNot => "is not",
        CompareOp::In => "in",
        CompareOp::NotIn => "not in",
    }
}

/// The text of a unary operator.
pub(super) fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Invert => "~",
        UnaryOp::Not => "not ",
        UnaryOp::UAdd => "+",
        UnaryOp::USub => "-",
    }
}
