//! Lazy operands, which the operator evaluates itself: `lambda: operand`.
//!
//! An operand that binds a name by `:=` becomes a function (see `control_flow/operands.rs`) if its expression
//! is in a function; in a lambda or a comprehension the expression stays as written.

use ag_syntax::tree::{Expr, ExprKind, NodeId};
use ag_syntax::visit::{Visitor, walk_expr};

use crate::context::Conversion;
use crate::homes::Block;

/// `lambda: operand`.
pub(crate) fn lazy(operand: Expr, conversion: &mut Conversion) -> Expr {
    conversion.builder(operand.span).lambda(operand)
}

/// A lazy operand of an expression: number `position` of those that may not run.
pub(crate) fn operand(of: NodeId, position: usize, operand: Expr, conversion: &mut Conversion) -> Expr {
    let binds = binds_names(&operand, conversion);
    let lambda = lazy(operand, conversion);
    if binds {
        conversion.binding_operands.insert(lambda.id, Block::Operand(of, position));
    }
    lambda
}

/// Whether the operands of an expression can become lambdas or functions.
pub(crate) fn can_be_lazy<'a>(
    expr: NodeId,
    mut operands: impl Iterator<Item = &'a Expr>,
    conversion: &Conversion,
) -> bool {
    conversion.binding_chains.contains(&expr) || !operands.any(|operand| binds_names(operand, conversion))
}

/// The operands of a chain: the first is always evaluated and stays as it is, the others are lazy.
pub(crate) fn chain(of: NodeId, operands: Vec<Expr>, conversion: &mut Conversion) -> Vec<Expr> {
    let mut operands = operands.into_iter();
    let mut args: Vec<Expr> = operands.by_ref().take(1).collect();
    args.extend(operands.enumerate().map(|(position, one)| operand(of, position, one, conversion)));
    args
}

/// Whether an expression binds a name by `:=`, which in a lambda would be local to it.
pub(crate) fn has_walrus(expr: &Expr) -> bool {
    Search::of(expr, &|_| false)
}

/// Whether an expression, or an operand of it that will be a function, binds a name by `:=`.
pub(crate) fn binds_names(expr: &Expr, conversion: &Conversion) -> bool {
    Search::of(expr, &|lambda| conversion.binding_operands.contains_key(&lambda))
}

struct Search<'s> {
    has_walrus: bool,
    is_operand: &'s dyn Fn(NodeId) -> bool,
}

impl<'s> Search<'s> {
    fn of(expr: &Expr, is_operand: &'s dyn Fn(NodeId) -> bool) -> bool {
        let mut search = Self { has_walrus: false, is_operand };
        search.visit_expr(expr);
        search.has_walrus
    }
}

impl<'a> Visitor<'a> for Search<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Named { .. } => self.has_walrus = true,
            ExprKind::Lambda { params, .. } => {
                self.has_walrus |= (self.is_operand)(expr.id);
                self.visit_params(params);
            }
            _ if self.has_walrus => {}
            _ => walk_expr(self, expr),
        }
    }
}
