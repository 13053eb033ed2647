//! Single ops on arrays in cells: they use the kernels of the table, made for the sizes of the run.

use ag_ir::{DType, Failure, Host, LocationId, Op, sizes_of_result};

use super::fit::{Fit, Fitted};
use crate::isa::Isa;
use crate::kernels::sort::Sort;
use crate::kernels::table::{self, Given, Made, Writes};
use crate::kernels::{Kernel, KernelResult};

/// An op of the table, on operands of these types.
#[derive(Debug)]
pub(crate) struct SizedOp {
    /// The op.
    pub(crate) op: Op,
    /// Element types of the operands.
    pub(crate) dtypes: Vec<DType>,
    /// The vector instructions to use.
    pub(crate) isa: Isa,
}

impl Fit for SizedOp {
    fn fit(
        &self,
        sizes: &[&[usize]],
        number: &dyn Fn(usize) -> i64,
    ) -> Result<Fitted, (Failure, Option<LocationId>)> {
        let result = sizes_of_result(&self.op, sizes, number).map_err(|failure| (failure, None))?;
        let (dtypes, isa) = (&self.dtypes[..], self.isa);
        let given = Given { dtypes, sizes, views: None, result: &result, number, isa };
        let Some(Made { kernel, scratch }) = table::kernel(&self.op, &given) else {
            return Err((Failure::Fault(format!("{} has no kernel", self.op.name()).into()), None));
        };
        let is_new = table::writes(&self.op) == Some(Writes::Result);
        Ok(Fitted { result: is_new.then_some(result), kernel, scratch })
    }

    fn needs_scratch(&self) -> bool {
        table::needs_scratch(&self.op)
    }

    fn numbers(&self) -> std::ops::Range<usize> {
        table::numbers(&self.op, self.dtypes.len())
    }
}

/// A reshape whose result takes over the cell of its operand: only the sizes in the cell change.
#[derive(Debug)]
pub(crate) struct Reshaped {
    pub(crate) op: Op,
    /// The number of operands: the array and the sizes that only the run knows.
    pub(crate) operand_count: usize,
}

impl Fit for Reshaped {
    fn fit(
        &self,
        sizes: &[&[usize]],
        number: &dyn Fn(usize) -> i64,
    ) -> Result<Fitted, (Failure, Option<LocationId>)> {
        let result = sizes_of_result(&self.op, sizes, number).map_err(|failure| (failure, None))?;
        Ok(Fitted { result: Some(result), kernel: Box::new(Nothing), scratch: 0 })
    }

    fn numbers(&self) -> std::ops::Range<usize> {
        1..self.operand_count
    }
}

/// Leaves the elements where they are.
struct Nothing;

impl Kernel for Nothing {
    unsafe fn run(&self, _: &[*mut u8], _: &mut dyn Host) -> KernelResult {
        Ok(())
    }
}

/// A line that is sorted.
#[derive(Debug)]
pub(crate) struct SortedLine {
    /// Its element type.
    pub(crate) dtype: DType,
    /// The vector instructions to use.
    pub(crate) isa: Isa,
}

impl Fit for SortedLine {
    fn fit(
        &self,
        sizes: &[&[usize]],
        _: &dyn Fn(usize) -> i64,
    ) -> Result<Fitted, (Failure, Option<LocationId>)> {
        let kernel = Sort::new(self.dtype, sizes[0], 0, self.isa);
        let scratch = kernel.scratch_bytes();
        Ok(Fitted { result: Some(sizes[0].to_vec()), kernel: Box::new(kernel), scratch })
    }

    fn needs_scratch(&self) -> bool {
        true
    }
}
