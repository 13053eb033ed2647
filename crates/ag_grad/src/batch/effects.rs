//! Batched checks and prints: a check fails if it fails for any row, with the values of the first such row; a
//! print of what differs between rows prints once for each row, in their order.
//!
//! ```text
//! print %0, %1                              // %1 is the same for all rows
//!
//! for %row in range(%n) { print (gather %0, %row), %1 }
//! ```

use ag_ir::{Check, DType, Node, Op, ReduceOp, Type, UnaryOp, ValueId};

use super::Batcher;
use crate::emit;
use crate::error::GradientError;

impl Batcher<'_> {
    pub(super) fn check(&mut self, node: &Node, check: &Check) -> Result<(), GradientError> {
        let Some((ok, values)) = node.operands.split_first() else {
            return self.refuse("check: it needs a condition");
        };
        let mask = if self.is_batched(*ok) { Some(self.in_rows(*ok)?[0]) } else { None };
        let all = match mask {
            Some(mask) => self.over_all(ReduceOp::All, mask)?,
            None => self.same(*ok)?,
        };
        if !values.iter().any(|value| self.is_batched(*value)) {
            let mut operands = vec![all];
            for value in values {
                operands.push(self.same(*value)?);
            }
            self.emit_all(Op::Check(check.clone()), &operands)?;
            return Ok(());
        }
        let mark = self.enter();
        self.builder.open();
        let then = self.builder.close(Vec::new());
        self.builder.open();
        let row = match mask {
            Some(mask) => {
                let fails = self.emit(Op::Unary(UnaryOp::LogicalNot, ag_ir::Overflow::Wrap), &[mask])?;
                self.first_row(fails)?
            }
            None => self.integer(0),
        };
        let mut operands = vec![emit::scalar(self.builder, DType::Bool, 0.0)?];
        for value in values {
            operands.push(self.of_row(*value, row)?);
        }
        self.emit_all(Op::Check(check.clone()), &operands)?;
        let otherwise = self.builder.close(Vec::new());
        self.leave(mark);
        self.emit_with(Op::If, &[all], vec![then, otherwise])?;
        Ok(())
    }

    pub(super) fn print(&mut self, node: &Node) -> Result<(), GradientError> {
        let bounds = [self.integer(0), self.count(), self.integer(1)];
        let mark = self.enter();
        self.builder.open();
        let row = self.builder.param(Type::scalar(DType::I64));
        let mut operands = Vec::new();
        for value in &node.operands {
            operands.push(self.of_row(*value, row)?);
        }
        self.emit_all(node.op.clone(), &operands)?;
        let body = self.builder.close(Vec::new());
        self.leave(mark);
        self.emit_with(Op::For, &bounds, vec![body]).map(|_| ())
    }

    /// The value of one row.
    fn of_row(&mut self, value: ValueId, row: ValueId) -> Result<ValueId, GradientError> {
        if !self.is_batched(value) {
            return self.same(value);
        }
        let leaves = self.in_rows(value)?;
        let own = self.picked(&leaves, row)?;
        match self.builder.function().ty(value).clone() {
            Type::Tensor(_) => Ok(own[0]),
            Type::List(element) => self.one_list(&element, &own),
        }
    }
}
