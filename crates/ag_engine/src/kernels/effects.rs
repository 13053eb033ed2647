//! `print`, `check` and callbacks: what leaves a running graph.

use ag_ir::{Array, Callback, Check, DType, Failure, Host, run_callback};

use super::layout;
use super::{Kernel, KernelResult, Stopped};

/// The values that an effect shows: element types and sizes of the operands.
pub(crate) type Shown = Vec<(DType, Vec<usize>)>;

/// # Safety
/// `operands` point to readable arrays of these types and sizes.
unsafe fn arrays(shown: &Shown, operands: &[*mut u8]) -> Vec<Array> {
    shown
        .iter()
        .zip(operands)
        .map(|((dtype, sizes), operand)| {
            // SAFETY: the caller's.
            let bytes = unsafe {
                std::slice::from_raw_parts(operand.cast_const(), layout::count(sizes) * dtype.size())
            };
            Array { dtype: *dtype, sizes: sizes.clone(), bytes: bytes.to_vec() }
        })
        .collect()
}

/// Operands: the values.
pub(crate) struct Print {
    /// The host's number.
    pub(crate) site: u32,
    /// The values' types.
    pub(crate) shown: Shown,
}

impl Kernel for Print {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's promise.
        let values = unsafe { arrays(&self.shown, operands) };
        host.print(self.site, &values).map_err(|error| Stopped::new(Failure::Host(error)))
    }
}

/// Operands: the values, then the results.
pub(crate) struct AskHost {
    /// What the host is asked for.
    pub(crate) callback: Callback,
    /// The values' types.
    pub(crate) shown: Shown,
}

impl Kernel for AskHost {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (values, places) = operands.split_at(self.shown.len());
        // SAFETY: the caller's promise.
        let values = unsafe { arrays(&self.shown, values) };
        let results = run_callback(host, &self.callback, &values)
            .map_err(|error| Stopped::new(Failure::Host(error)))?;
        for (result, place) in results.iter().zip(places) {
            // SAFETY: the place has room for an array of the result's type, which was compared.
            unsafe { std::ptr::copy_nonoverlapping(result.bytes.as_ptr(), *place, result.bytes.len()) };
        }
        Ok(())
    }
}

/// Run when a check did not hold: always fails. Operands: the values.
pub(crate) struct CheckFailed {
    /// What it raises.
    pub(crate) check: Check,
    /// The values' types.
    pub(crate) shown: Shown,
}

impl Kernel for CheckFailed {
    unsafe fn run(&self, operands: &[*mut u8], _: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's promise.
        let values = unsafe { arrays(&self.shown, operands) };
        Err(Stopped::new(Failure::Check {
            error: self.check.error.clone(),
            message: self.check.message.clone(),
            site: self.check.site,
            values,
        }))
    }
}
