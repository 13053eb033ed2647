//! Batched branches: each branch runs on the rows that take it, and not at all if there are none.
//!
//! ```text
//! %y: f64[] = if %test { %1 = log %x yield %1 } else { yield %x }          // of one row
//!
//! %any: bool[] = any %test
//! %1: f64[n] = if %any {
//!   %rows: i64[?] = nonzero %test
//!   %x1: f64[?] = gather %x, %rows
//!   %2: f64[?] = log %x1
//!   %3: f64[n] = scatter %zeros, %2, %rows
//!   yield %3
//! } else { yield %zeros }
//! …                                    // the other rows are put in the same way into %1
//! ```
//!
//! If both branches use one tape, `turns` decides which of them runs first.

use ag_ir::{Block, Node, Op, Type, UnaryOp, ValueId};

use super::Batcher;
use super::rows::leaf_types;
use crate::emit;
use crate::error::GradientError;

/// The results that a branch fills in: those for the rows of the other branch, and whether it had any rows.
struct Before {
    any: ValueId,
    leaves: Vec<Vec<ValueId>>,
}

impl Batcher<'_> {
    pub(super) fn branches(&mut self, node: &Node) -> Result<(), GradientError> {
        let are_batched = self.varying.are_batched(self.instance, &node.results);
        if self.is_batched(node.operands[0]) {
            return self.branches_by_rows(node, &are_batched);
        }
        let test = self.same(node.operands[0])?;
        let mut regions = Vec::new();
        for region in &node.regions {
            let mark = self.enter();
            self.builder.open();
            self.nodes(region)?;
            let results = self.all_leaves(&region.results, &are_batched)?;
            regions.push(self.builder.close(results));
            self.leave(mark);
        }
        let results = self.emit_with(Op::If, &[test], regions)?;
        self.bind_all(&node.results, &are_batched, &results)
    }

    fn branches_by_rows(&mut self, node: &Node, are_batched: &[bool]) -> Result<(), GradientError> {
        let mask = self.in_rows(node.operands[0])?[0];
        let no = self.emit(Op::Unary(UnaryOp::LogicalNot, ag_ir::Overflow::Wrap), &[mask])?;
        let batched: Vec<usize> = (0..are_batched.len()).filter(|number| are_batched[*number]).collect();
        let mut branches = [(mask, &node.regions[0]), (no, &node.regions[1])];
        if self.varying.is_else_first(node) {
            branches.reverse();
        }
        let [one, other] = branches;
        let first = self.branch(node, one, &batched, None)?;
        let both = self.branch(node, other, &batched, Some(&first))?;
        for (number, leaves) in batched.into_iter().zip(both.leaves) {
            self.bind(node.results[number], leaves)?;
        }
        for number in (0..are_batched.len()).filter(|number| !are_batched[*number]) {
            // Both branches yield this outer value.
            let value = self.same(node.regions[0].results[number])?;
            self.bind_same(node.results[number], value);
        }
        Ok(())
    }

    /// Runs a branch on its rows, and scatters its results to their rows.
    fn branch(
        &mut self,
        node: &Node,
        (mask, region): (ValueId, &Block),
        batched: &[usize],
        before: Option<&Before>,
    ) -> Result<Before, GradientError> {
        let any = self.any(mask)?;
        let types: Vec<Type> =
            batched.iter().map(|number| self.builder.function().ty(node.results[*number]).clone()).collect();
        let mark = self.enter();
        self.builder.open();
        let picks = self.take_rows(mask)?;
        self.nodes(region)?;
        let mut rows = Vec::new();
        for number in batched {
            rows.push(self.in_rows(region.results[*number])?);
        }
        self.pop_rows();
        let mut written = Vec::new();
        for (position, (ty, rows)) in types.iter().zip(&rows).enumerate() {
            let base = match before {
                Some(before) => self.base(ty, before.any, &before.leaves[position], rows)?,
                None => self.empty_like(ty, rows)?,
            };
            written.extend(self.put(ty, &base, picks, rows)?);
        }
        self.leave(mark);
        let then = self.builder.close(written);
        self.builder.open();
        let mut kept = Vec::new();
        for (position, ty) in types.iter().enumerate() {
            match before {
                Some(before) => kept.extend(&before.leaves[position]),
                None => kept.extend(self.empty(ty)?),
            }
        }
        let otherwise = self.builder.close(kept);
        let mut results = self.emit_with(Op::If, &[any], vec![then, otherwise])?.into_iter();
        let leaves =
            types.iter().map(|ty| results.by_ref().take(leaf_types(ty, &[]).len()).collect()).collect();
        Ok(Before { any, leaves })
    }

    /// The array that rows are scattered into: the results of the other rows, or zeros if there are none.
    pub(super) fn base(
        &mut self,
        ty: &Type,
        any: ValueId,
        before: &[ValueId],
        rows: &[ValueId],
    ) -> Result<Vec<ValueId>, GradientError> {
        if !ty.has_unknown_sizes() {
            return Ok(before.to_vec());
        }
        self.builder.open();
        let then = self.builder.close(before.to_vec());
        self.builder.open();
        let zeros = self.empty_like(ty, rows)?;
        let otherwise = self.builder.close(zeros);
        self.emit_with(Op::If, &[any], vec![then, otherwise])
    }

    /// Zeros for all active rows, with the sizes of some rows.
    pub(super) fn empty_like(&mut self, ty: &Type, rows: &[ValueId]) -> Result<Vec<ValueId>, GradientError> {
        let mut leaves = Vec::new();
        for (wanted, row) in leaf_types(ty, &[self.dim()]).iter().zip(rows) {
            let open = (1..wanted.rank()).filter(|axis| wanted.shape[*axis] == ag_ir::Dim::Unknown);
            let mut sizes = self.open_count();
            sizes.extend(open.map(|axis| emit::size(self.builder, *row, axis)));
            leaves.push(self.zeros(wanted, &sizes)?);
        }
        Ok(leaves)
    }

    /// Zeros for all active rows; unknown sizes are 0.
    pub(super) fn empty(&mut self, ty: &Type) -> Result<Vec<ValueId>, GradientError> {
        let mut leaves = Vec::new();
        for wanted in leaf_types(ty, &[self.dim()]) {
            let open = wanted.shape[1..].iter().filter(|dim| **dim == ag_ir::Dim::Unknown).count();
            let mut sizes = self.open_count();
            let zero = self.integer(0);
            sizes.extend(std::iter::repeat_n(zero, open));
            leaves.push(self.zeros(&wanted, &sizes)?);
        }
        Ok(leaves)
    }
}
