//! What a statement of a `try` may raise, asked without doing it:
//!
//! ```text
//! y = f(x)                tangent.evaluated(f(x))
//! a[i] = v                tangent.tried_store(v, a, i)                    # into a copy of `a`
//! x += v                  tangent.tried_in_place(x, v, "iadd")            # of a copy of `x`
//! xs.append(v)            tangent.evaluated(v)                            # a list takes whatever it is given
//! cell.h = v              tangent.evaluated(v)                            # so does an attribute
//! ```
//!
//! What is written to has to be a list, a dict, an array or an object of which that is true: that is required before the
//! `try`, or else the handler would get it.

use ag_syntax::Builder;
use ag_syntax::tree::{BinaryOp, Expr, ExprKind, Stmt, StmtKind};

use crate::adjoints::{helper, index_value};
use crate::operators::method_of;

/// How to ask whether a statement raises.
pub(crate) struct Tried {
    /// What is required of what it writes to.
    pub(crate) guard: Option<Stmt>,
    /// The statements that raise what it raises.
    pub(crate) asked: Vec<Stmt>,
    /// What is evaluated twice.
    pub(crate) repeated: Vec<Stmt>,
}

impl Tried {
    /// That of a statement; none if it cannot be asked.
    pub(crate) fn of(b: Builder<'_>, stmt: &Stmt) -> Option<Self> {
        match &stmt.kind {
            StmtKind::Assign { targets, value } if targets.iter().all(is_name) => {
                Some(Self::value(b, stmt, value))
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } if is_name(target) => {
                Some(Self::value(b, stmt, value))
            }
            StmtKind::Return(Some(value)) => Some(Self::value(b, stmt, value)),
            StmtKind::Assign { targets, value } => match targets.as_slice() {
                [target] => Self::store(b, target, value),
                _ => None,
            },
            StmtKind::AugAssign { target, op, value } => Self::augmented(b, target, *op, value),
            StmtKind::Expr(call) => Self::append(b, call),
            _ => None,
        }
    }

    /// Asks before a `try` that takes all exceptions what would be refused in it, as `x += v` of a class; none if that
    /// is not known before it.
    pub(crate) fn ask_before(&mut self, b: Builder<'_>, stmt: &Stmt) -> Option<()> {
        let StmtKind::AugAssign { target, op, .. } = &stmt.kind else { return Some(()) };
        let symbol = b.string(&symbol_of(*op));
        is_name(target).then(|| {
            self.guard = Some(b.expr_stmt(helper(b, "copied_to_change", [read(b, target), symbol])));
        })
    }

    /// A statement that raises what its value raises.
    fn value(b: Builder<'_>, stmt: &Stmt, value: &Expr) -> Self {
        Self { guard: None, asked: vec![evaluated(b, value)], repeated: vec![stmt.clone()] }
    }

    /// `a[i] = v`, `d[k] = v`, `cell.h = v`.
    fn store(b: Builder<'_>, target: &Expr, value: &Expr) -> Option<Self> {
        let base = base_of(target)?;
        let asked = match &target.kind {
            ExprKind::Subscript { value: base, index, .. } => {
                b.expr_stmt(helper(b, "tried_store", [value.clone(), read(b, base), index_value(b, index)]))
            }
            _ => evaluated(b, value),
        };
        Some(Self {
            guard: Some(required(b, base)),
            asked: vec![asked],
            repeated: evaluations(b, target, value),
        })
    }

    /// `x += v`, `a[i] += v`, `cell.h += v`.
    fn augmented(b: Builder<'_>, target: &Expr, op: BinaryOp, value: &Expr) -> Option<Self> {
        let guard = match is_name(target) {
            true => None,
            false => Some(required(b, base_of(target)?)),
        };
        let symbol = b.string(&symbol_of(op));
        let asked = match &target.kind {
            // The item is read before the value.
            ExprKind::Subscript { value: base, index, .. } => {
                let tried = [read(b, base), index_value(b, index), value.clone(), symbol];
                vec![evaluated(b, &read(b, target)), b.expr_stmt(helper(b, "tried_item", tried))]
            }
            _ => vec![b.expr_stmt(helper(b, "tried_in_place", [read(b, target), value.clone(), symbol]))],
        };
        Some(Self { guard, asked, repeated: evaluations(b, target, value) })
    }

    /// `xs.append(v)`.
    fn append(b: Builder<'_>, call: &Expr) -> Option<Self> {
        let ExprKind::Call { func, args, keywords } = &call.kind else { return None };
        let ExprKind::Attribute { value: base, attr, .. } = &func.kind else { return None };
        let ([value], [], "append") = (args.as_slice(), keywords.as_slice(), &**attr) else { return None };
        if crate::stars::is_starred(value) || !is_path(base) {
            return None;
        }
        let guard = Some(b.expr_stmt(helper(b, "require_list", [read(b, base)])));
        Some(Self { guard, asked: vec![evaluated(b, value)], repeated: vec![b.expr_stmt(value.clone())] })
    }
}

/// What the module `operator` calls an operator that changes its operand: `iadd`.
fn symbol_of(op: BinaryOp) -> String {
    let method = match op {
        BinaryOp::LShift => "lshift",
        BinaryOp::RShift => "rshift",
        BinaryOp::BitAnd => "and",
        BinaryOp::BitOr => "or",
        BinaryOp::BitXor => "xor",
        _ => method_of(op).trim_matches('_'),
    };
    format!("i{method}")
}

fn evaluated(b: Builder<'_>, value: &Expr) -> Stmt {
    b.expr_stmt(helper(b, "evaluated", [value.clone()]))
}

fn required(b: Builder<'_>, base: &Expr) -> Stmt {
    b.expr_stmt(helper(b, "require_storable", [read(b, base)]))
}

/// What a store evaluates: its value, and its index.
fn evaluations(b: Builder<'_>, target: &Expr, value: &Expr) -> Vec<Stmt> {
    let index = match &target.kind {
        ExprKind::Subscript { index, .. } => Some(index_value(b, index)),
        _ => None,
    };
    index.into_iter().chain([value.clone()]).map(|value| b.expr_stmt(value)).collect()
}

/// What a store writes to, if reading it raises nothing that the `try` would handle.
fn base_of(target: &Expr) -> Option<&Expr> {
    let (ExprKind::Subscript { value, .. } | ExprKind::Attribute { value, .. }) = &target.kind else {
        return None;
    };
    is_path(value).then_some(&**value)
}

fn is_name(target: &Expr) -> bool {
    matches!(target.kind, ExprKind::Name { .. })
}

/// Whether an expression is a name, or an attribute of one.
fn is_path(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Attribute { value, .. } => is_name(value),
        _ => is_name(value),
    }
}

/// A target, as it is read.
fn read(b: Builder<'_>, target: &Expr) -> Expr {
    let mut value = b.copy_expr(target);
    ag_syntax::set_context(&mut value, ag_syntax::tree::Context::Load);
    value
}
