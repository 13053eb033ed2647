//! Operands that may not run and bind names by `:=` become functions before their statement.
//!
//! ```python
//!                                  def operand():
//! if a and (x := f(a)):     →          nonlocal x
//!                                      return (x := f(a))
//!                                  if_stmt(ag__.and_(a, ag__.binding(operand, ('x',))), …)
//! ```
//!
//! The operator gets the names, since a staged one merges them as it does the variables of an `if`.

use std::collections::BTreeSet;

use ag_syntax::tree::{Expr, ExprKind, Name, Stmt};
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::walk_expr;

use super::Extraction;
use crate::bound_names::BoundNames;
use crate::homes::Block;

/// The name of these functions.
pub(super) const OPERAND: &str = "operand";

impl Extraction<'_> {
    /// Turns operands in a statement's own expressions into functions.
    pub(super) fn operands_of(&mut self, stmt: &mut Stmt, out: &mut Vec<Stmt>) {
        if !self.conversion.binding_operands.is_empty() {
            Operands { extraction: self, out }.visit_stmt(stmt);
        }
    }

    /// Turns operands in an expression into functions.
    pub(super) fn operands_in(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        if !self.conversion.binding_operands.is_empty() {
            Operands { extraction: self, out }.visit_expr(expr);
        }
    }

    /// Writes an expression as a function; returns an expression that reads its name, and the names that it
    /// binds for others.
    pub(super) fn function_of_expression(
        &mut self,
        (wish, block): (&'static str, Block),
        value: Expr,
        out: &mut Vec<Stmt>,
    ) -> (Expr, BTreeSet<Name>) {
        let span = value.span;
        let around = std::mem::take(&mut self.bound_by_operands);
        let bound = BoundNames::of_expr(&value);
        let mut body = vec![self.conversion.builder(span).return_value(value)];
        let declared = self.block_with_names(&mut body, block, span);
        let mut names = std::mem::replace(&mut self.bound_by_operands, around);
        names.extend(bound);
        names.retain(|name| !self.is_local_to(block, name));
        self.bound_by_operands.extend(names.iter().cloned());
        (self.function_of(wish, Vec::new(), (body, declared), &[], span, out), names)
    }

    /// `ag__.binding(function, names)`, or the function alone if nobody else reads the names that it binds.
    pub(super) fn binding(&mut self, (function, names): (Expr, BTreeSet<Name>)) -> Expr {
        if names.is_empty() {
            return function;
        }
        let span = function.span;
        let b = self.conversion.builder(span);
        let names = b.tuple(names.iter().map(|name| b.string(name)).collect::<Vec<_>>());
        self.conversion.call(span, "binding", [function, names])
    }
}

/// Rewrites the expressions of one statement, but not those of nested statements.
struct Operands<'a, 'b> {
    extraction: &'a mut Extraction<'b>,
    out: &'a mut Vec<Stmt>,
}

impl VisitorMut for Operands<'_, '_> {
    fn visit_body(&mut self, _: &mut Vec<Stmt>) {}

    fn visit_expr(&mut self, expr: &mut Expr) {
        let block = self.extraction.conversion.binding_operands.remove(&expr.id);
        let (Some(block), ExprKind::Lambda { body, .. }) = (block, &mut expr.kind) else {
            walk_expr(self, expr);
            return;
        };
        let nothing = self.extraction.conversion.builder(body.span).none();
        let value = std::mem::replace(&mut **body, nothing);
        let function = self.extraction.function_of_expression((OPERAND, block), value, self.out);
        *expr = self.extraction.binding(function);
    }
}
