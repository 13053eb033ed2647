//! The transposes of products of matrices and of solutions of linear systems.

use ag_ir::{Dim, DotAxes, Node, Op, ValueId};

use super::super::Emitted;
use super::super::extents::Extent;
use super::super::reductions;
use super::{Done, Transposer};

/// The axes of an operand of a product: batch, free, contracted.
struct Side<'a> {
    batch: &'a [usize],
    free: Vec<usize>,
    contract: &'a [usize],
}

impl<'a> Side<'a> {
    fn new(rank: usize, batch: &'a [usize], contract: &'a [usize]) -> Self {
        let is_free = |axis: &usize| !batch.contains(axis) && !contract.contains(axis);
        Self { batch, free: (0..rank).filter(is_free).collect(), contract }
    }
}

impl Transposer<'_, '_> {
    pub(super) fn dot(&mut self, axes: &DotAxes, node: &Node, adjoint: ValueId) -> Done {
        let [left, right] = node.operands[..] else { return Ok(()) };
        let rank = |value: ValueId| self.site.shape(value).len();
        let l = Side::new(rank(left), &axes.left_batch, &axes.left_contract);
        let r = Side::new(rank(right), &axes.right_batch, &axes.right_contract);
        let (rows, columns) = (l.batch.len(), l.batch.len() + l.free.len());
        if self.wants(left) {
            let taken: Vec<usize> = (columns..columns + r.free.len()).collect();
            let back = DotAxes {
                left_batch: (0..rows).collect(),
                right_batch: r.batch.to_vec(),
                left_contract: taken,
                right_contract: r.free.clone(),
            };
            let part = self.site.emit(Op::Dot(back), &[adjoint, right])?;
            // The axes of the part: batch, the left's free axes, the right's contracted ones in ascending
            // order.
            let place = placed(&l, &r, rows, rows + l.free.len());
            self.give_placed(left, part, &place, &self.batch_extents(node, l.batch))?;
        }
        if self.wants(right) {
            let back = DotAxes {
                left_batch: l.batch.to_vec(),
                right_batch: (0..rows).collect(),
                left_contract: l.free.clone(),
                right_contract: (rows..columns).collect(),
            };
            let part = self.site.emit(Op::Dot(back), &[left, adjoint])?;
            // The axes of the part: batch, the left's contracted axes in ascending order, the right's free
            // ones.
            let place = placed(&r, &l, rows + l.contract.len(), rows);
            self.give_placed(right, part, &place, &self.batch_extents(node, r.batch))?;
        }
        Ok(())
    }

    /// The adjoint of a line is that of its products with shifts of the other, which is read from its end;
    /// that of the other one is as the op itself.
    pub(super) fn correlation(&mut self, before: usize, node: &Node, adjoint: ValueId) -> Done {
        let [x, y] = node.operands[..] else { return Ok(()) };
        let last = |value: ValueId| self.site.shape(value).last().and_then(|size| size.known());
        let (Some(n), Some(m), Some(size)) = (last(x), last(y), last(adjoint)) else {
            return self.site.refuse("how long its lines are depends on data");
        };
        // The first sums may begin before all of their products.
        let empty = (before + 1).saturating_sub(m);
        if self.wants(x) && empty < size {
            let axis = self.site.shape(y).len() - 1;
            let turned = reductions::reversed(self.site, y, axis)?;
            let sums = self.without_first(adjoint, empty, size)?;
            let before = (m + empty).saturating_sub(before + 1);
            let part = self.site.emit(Op::Correlate { before, size: n }, &[sums, turned])?;
            self.give(x, part)?;
        }
        if self.wants(y) {
            let part = self.site.emit(Op::Correlate { before, size: m }, &[x, adjoint])?;
            self.give(y, part)?;
        }
        Ok(())
    }

    /// The elements of lines of this size after the first few.
    fn without_first(&mut self, lines: ValueId, count: usize, size: usize) -> Emitted {
        if count == 0 {
            return Ok(lines);
        }
        let mut shape = self.site.shape(lines);
        let (last, rank) = (shape.len() - 1, shape.len());
        shape[last] = Dim::Known(size - count);
        let mut start = vec![0; rank];
        start[last] = i64::try_from(count).unwrap_or(i64::MAX);
        self.site.emit(Op::Slice { start, size: shape, step: vec![1; rank] }, &[lines])
    }

    /// The batch axes of an operand, with the batch's sizes in the result.
    fn batch_extents(&self, node: &Node, batch: &[usize]) -> Vec<(usize, Extent)> {
        let extents = self.extents(node.results[0]);
        batch.iter().copied().zip(extents).collect()
    }

    /// Adds to the adjoint of an operand. Axis `place[a]` of the part is axis `a` of the operand; the batch
    /// axes have these sizes.
    fn give_placed(
        &mut self,
        operand: ValueId,
        part: ValueId,
        place: &[usize],
        batch: &[(usize, Extent)],
    ) -> Done {
        let is_in_order = place.iter().enumerate().all(|(axis, from)| axis == *from);
        let part = if is_in_order { part } else { self.site.emit(Op::Transpose(place.to_vec()), &[part])? };
        let mut extents = self.extents(operand);
        for (axis, extent) in batch {
            extents[*axis] = extent.clone();
        }
        let part = self.summed(part, &extents, operand)?;
        self.give(operand, part)
    }

    /// Solves `Aᵀ x = b` with the factors of `A`.
    pub(super) fn solution(&mut self, node: &Node, adjoint: ValueId) -> Done {
        let [factors, side] = node.operands[..] else { return Ok(()) };
        let part: Emitted = super::super::matrices::transposed_solution(self.site, factors, adjoint);
        self.give(side, part?)
    }
}

/// For each axis of an operand, the axis of its part. The free axes start at `free`; those of the contracted
/// axes, in ascending order of the other operand's, at `contracted`.
fn placed(mine: &Side<'_>, other: &Side<'_>, free: usize, contracted: usize) -> Vec<usize> {
    let rank = mine.batch.len() + mine.free.len() + mine.contract.len();
    let position = |list: &[usize], axis: usize| list.iter().position(|one| *one == axis);
    (0..rank)
        .map(|axis| {
            if let Some(number) = position(mine.batch, axis) {
                return number;
            }
            if let Some(number) = position(&mine.free, axis) {
                return free + number;
            }
            let pair = position(mine.contract, axis).map(|number| other.contract[number]);
            let before = other.contract.iter().filter(|one| Some(**one) < pair).count();
            contracted + before
        })
        .collect()
}
