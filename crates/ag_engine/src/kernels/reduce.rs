//! Reductions over any axes: one step for each group of neighbouring axes.
//!
//! `sum(x, axis=(0, 2))` of `[a, b, c]` is two steps: the last axis, then the first.

use ag_ir::{DType, Host, ReduceOp};

use super::accumulate::{StepFn, step_function};
use super::effort::count_work;
use super::layout;
use super::{Kernel, KernelResult, scratch};
use crate::isa::Isa;

/// Operands: the array, the result, scratch for what lies between the steps.
#[derive(Debug)]
pub(crate) struct Reduce {
    function: StepFn,
    element_size: usize,
    /// Sizes `[outer, reduced, inner]` of each step.
    steps: Vec<[usize; 3]>,
}

/// How many elements are reduced between two questions to the host. A power of two, so that a row is cut
/// where pairwise reduction cuts it anyway.
const PIECE: usize = 1 << 21;
/// The least rows of a piece, so that the partial results are small beside the operand.
const LEAST_ROWS: usize = 64;

impl Reduce {
    /// The reduction of an array of these sizes over these axes.
    pub(crate) fn new(op: ReduceOp, dtype: DType, sizes: &[usize], axes: &[usize], isa: Isa) -> Self {
        let mut sizes = sizes.to_vec();
        let mut steps = Vec::new();
        let mut last = sizes.len();
        while last > 0 {
            let axis = last - 1;
            if !axes.contains(&axis) {
                last -= 1;
                continue;
            }
            let mut first = axis;
            while first > 0 && axes.contains(&(first - 1)) {
                first -= 1;
            }
            let reduced = layout::count(&sizes[first..=axis]);
            steps.push([layout::count(&sizes[..first]), reduced, layout::count(&sizes[axis + 1..])]);
            sizes[first..=axis].fill(1);
            last = first;
        }
        if steps.is_empty() {
            steps.push([layout::count(&sizes), 1, 1]);
        }
        Self { function: step_function(op, dtype, isa), element_size: dtype.size(), steps }
    }

    /// Bytes for the results between the steps.
    pub(crate) fn scratch_bytes(&self) -> usize {
        let between = &self.steps[..self.steps.len() - 1];
        between.iter().map(|[outer, _, inner]| outer * inner * self.element_size).sum()
    }
}

impl Kernel for Reduce {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let mut from = operands[0].cast_const();
        let mut scratch = operands.get(2).copied().unwrap_or(std::ptr::null_mut());
        for (number, [outer, reduced, inner]) in self.steps.iter().copied().enumerate() {
            let is_last = number + 1 == self.steps.len();
            let to = if is_last { operands[1] } else { scratch };
            // SAFETY: the steps' sizes follow from the operand's (K9); scratch has room for all (K2).
            unsafe {
                self.step(to, from, [outer, reduced, inner], host)?;
                if !is_last {
                    scratch = scratch.add(outer * inner * self.element_size);
                }
            }
            from = to;
        }
        Ok(())
    }
}

impl Reduce {
    /// One step, in pieces.
    ///
    /// # Safety
    /// That of [`StepFn`].
    unsafe fn step(
        &self,
        to: *mut u8,
        from: *const u8,
        [outer, reduced, inner]: [usize; 3],
        host: &mut dyn Host,
    ) -> KernelResult {
        let block = reduced * inner;
        if outer * block <= PIECE {
            // SAFETY: the caller's.
            unsafe { (self.function)(to, from, outer, reduced, inner) };
            return count_work(outer * block, host);
        }
        let mut first = 0;
        while first < outer {
            let count = (PIECE / block.max(1)).clamp(1, outer - first);
            // SAFETY: within both (K9).
            unsafe {
                let to = to.add(first * inner * self.element_size);
                let from = from.add(first * block * self.element_size);
                if count == 1 {
                    self.long(to, from, [reduced, inner], host)?;
                } else {
                    (self.function)(to, from, count, reduced, inner);
                    count_work(count * block, host)?;
                }
            }
            first += count;
        }
        Ok(())
    }

    /// Reduces `[reduced, inner]` in pieces, then reduces their results.
    ///
    /// # Safety
    /// That of [`StepFn`].
    unsafe fn long(
        &self,
        to: *mut u8,
        from: *const u8,
        [reduced, inner]: [usize; 2],
        host: &mut dyn Host,
    ) -> KernelResult {
        let rows = (PIECE / inner.max(1)).next_power_of_two().max(LEAST_ROWS);
        if reduced <= rows {
            // SAFETY: the caller's.
            unsafe { (self.function)(to, from, 1, reduced, inner) };
            return count_work(reduced * inner, host);
        }
        let row_bytes = inner * self.element_size;
        // Bytes that are aligned to any element.
        let mut partial = scratch(0_u64, (reduced.div_ceil(rows) * row_bytes).div_ceil(8))?;
        let between = partial.as_mut_ptr().cast::<u8>();
        for number in 0..reduced.div_ceil(rows) {
            let (start, count) = (number * rows, rows.min(reduced - number * rows));
            // SAFETY: within both (K9).
            unsafe {
                (self.function)(
                    between.add(number * row_bytes),
                    from.add(start * row_bytes),
                    1,
                    count,
                    inner,
                );
            }
            count_work(count * inner, host)?;
        }
        // SAFETY: as many rows as were written (K9).
        unsafe { (self.function)(to, between, 1, reduced.div_ceil(rows), inner) };
        Ok(())
    }
}
