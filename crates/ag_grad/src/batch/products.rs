//! Batched products, decompositions and random draws.
//!
//! ```text
//! dot of rows f64[3] and f64[3], both batched     the batch is a batch axis of the product
//! dot of rows f64[3] and %w: f64[3, 4]            the batch is a free axis: one product of matrices
//! ```

use ag_ir::{BinaryOp, Dim, DotAxes, Draw, Node, Op, Store, ValueId};

use super::{Arg, Batcher};
use crate::emit;
use crate::error::GradientError;

/// Axis numbers of a batch, for those of one row.
fn shifted(axes: &[usize]) -> Vec<usize> {
    axes.iter().map(|axis| axis + 1).collect()
}

impl Batcher<'_> {
    pub(super) fn dot(&mut self, axes: &DotAxes, left: Arg, right: Arg) -> Result<ValueId, GradientError> {
        let mut wanted = axes.clone();
        if left.is_batched {
            wanted.left_batch = shifted(&axes.left_batch);
            wanted.left_contract = shifted(&axes.left_contract);
        }
        if right.is_batched {
            wanted.right_batch = shifted(&axes.right_batch);
            wanted.right_contract = shifted(&axes.right_contract);
        }
        let stacked = axes.left_batch.len();
        if left.is_batched && right.is_batched {
            wanted.left_batch.insert(0, 0);
            wanted.right_batch.insert(0, 0);
        }
        let product = self.emit(Op::Dot(wanted), &[left.value, right.value])?;
        match (left.is_batched, right.is_batched) {
            (true, true) => Ok(product),
            (true, false) => self.fronted(product, stacked),
            // The rows of the product are the free axes of the left operand.
            (false, _) => {
                let free = left.rank - stacked - axes.left_contract.len();
                self.fronted(product, stacked + free)
            }
        }
    }

    /// Ops that accept stacks of matrices, or of pairs of rows.
    pub(super) fn stacks(&mut self, op: &Op, args: &[Arg]) -> Result<ValueId, GradientError> {
        let operands: Vec<ValueId> = args.iter().map(|arg| self.rows_of(*arg)).collect::<Result<_, _>>()?;
        self.emit(op.clone(), &operands)
    }

    /// What has no form for many at once runs row by row: random draws whose key, counter or bounds differ, and
    /// remainders of ints of more than 64 bits.
    pub(super) fn row_by_row(
        &mut self,
        node: &Node,
        op: &Op,
        args: &[Arg],
    ) -> Result<ValueId, GradientError> {
        let sizes: Vec<ValueId> = match op {
            Op::Random { draw: Draw::Integers, shape, .. } => {
                let (bounds, skipped) = (args[2], usize::from(args[2].is_batched));
                let open: Vec<usize> = (0..shape.len()).filter(|axis| shape[*axis] == Dim::Unknown).collect();
                open.into_iter().map(|axis| self.size_of(bounds.value, axis + skipped)).collect()
            }
            Op::Random { .. } if args[2..].iter().any(|size| size.is_batched) => {
                return self.refuse_at_once("random: rows would have different sizes");
            }
            Op::Random { .. } => args[2..].iter().map(|size| size.value).collect(),
            // A number.
            _ => Vec::new(),
        };
        let sizes = [&self.open_count()[..], &sizes].concat();
        let ty = self.types(node.results[0])[0].clone();
        let all = self.zeros(&ty, &sizes)?;
        let (start, stop, step) = (self.integer(0), self.count(), self.integer(1));
        self.builder.open();
        let row = self.builder.param(ag_ir::Type::scalar(ag_ir::DType::I64));
        let filled = self.builder.param(ty.into());
        let mut operands = Vec::new();
        for arg in args {
            operands.push(if arg.is_batched { self.picked(&[arg.value], row)?[0] } else { arg.value });
        }
        let drawn = self.emit(op.clone(), &operands)?;
        let filled =
            self.emit(Op::Scatter { axis: 0, count: 1, store: Store::Replace }, &[filled, drawn, row])?;
        let body = self.builder.close(vec![filled]);
        Ok(self.emit_with(Op::For, &[start, stop, step, all], vec![body])?[0])
    }

    pub(super) fn plus(&mut self, left: ValueId, right: ValueId) -> Result<ValueId, GradientError> {
        self.integers(BinaryOp::Add, left, right)
    }

    pub(super) fn minus(&mut self, left: ValueId, right: ValueId) -> Result<ValueId, GradientError> {
        self.integers(BinaryOp::Sub, left, right)
    }

    pub(super) fn times(&mut self, left: ValueId, right: ValueId) -> Result<ValueId, GradientError> {
        self.integers(BinaryOp::Mul, left, right)
    }

    /// Arithmetic on indices, lengths and masks.
    pub(super) fn integers(
        &mut self,
        op: BinaryOp,
        left: ValueId,
        right: ValueId,
    ) -> Result<ValueId, GradientError> {
        Ok(emit::one(self.builder, Op::Binary(op, ag_ir::Overflow::Wrap), &[left, right])?)
    }

    pub(super) fn compare(
        &mut self,
        op: ag_ir::CompareOp,
        left: ValueId,
        right: ValueId,
    ) -> Result<ValueId, GradientError> {
        Ok(emit::one(self.builder, Op::Compare(op), &[left, right])?)
    }
}
