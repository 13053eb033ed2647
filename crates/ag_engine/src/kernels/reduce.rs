//! Reductions over any axes: one step for each group of neighbouring axes.
//!
//! `sum(x, axis=(0, 2))` of `[a, b, c]` is two steps: the last axis, then the first.

use ag_ir::{DType, Host, ReduceOp};

use super::accumulate::{StepFn, step_function};
use super::layout;
use super::{Kernel, KernelResult};
use crate::isa::Isa;

/// Operands: the array, the result, room for what lies between the steps.
#[derive(Debug)]
pub(crate) struct Reduce {
    function: StepFn,
    element_size: usize,
    /// Sizes `[outer, reduced, inner]` of each step.
    steps: Vec<[usize; 3]>,
}

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

    /// Bytes needed between the steps.
    pub(crate) fn scratch_bytes(&self) -> usize {
        let between = &self.steps[..self.steps.len() - 1];
        between.iter().map(|[outer, _, inner]| outer * inner * self.element_size).sum()
    }
}

impl Kernel for Reduce {
    unsafe fn run(&self, operands: &[*mut u8], _: &mut dyn Host) -> KernelResult {
        let mut from = operands[0].cast_const();
        let mut scratch = operands.get(2).copied().unwrap_or(std::ptr::null_mut());
        for (number, [outer, reduced, inner]) in self.steps.iter().copied().enumerate() {
            let is_last = number + 1 == self.steps.len();
            let to = if is_last { operands[1] } else { scratch };
            // SAFETY: the steps' sizes follow from the operand's; scratch has room for all.
            unsafe {
                (self.function)(to, from, outer, reduced, inner);
                if !is_last {
                    scratch = scratch.add(outer * inner * self.element_size);
                }
            }
            from = to;
        }
        Ok(())
    }
}
