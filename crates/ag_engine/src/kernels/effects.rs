//! Kernels with effects outside of the graph: `print`, `check`, callbacks and `keep`.

use ag_ir::{Array, Callback, Check, DType, Failure, Host, TensorType, Type, run_callback};

use super::layout;
use super::{Kernel, KernelResult, Stopped};
use crate::lists::Cell;

/// The types of the values that an effect passes to the host.
pub(crate) type Shown = Vec<ShownValue>;

/// The type of a value that an effect passes to the host.
pub(crate) struct ShownValue {
    dtype: DType,
    /// The sizes; for a list, those of each of its values.
    sizes: Vec<usize>,
    is_list: bool,
    /// The rank of an array in a cell; none if the array is in plain memory.
    cell_rank: Option<usize>,
}

impl ShownValue {
    pub(crate) fn of(ty: &Type) -> Self {
        let (tensor, is_list) = match ty {
            Type::Tensor(tensor) => (Some(tensor), false),
            Type::List(element) => (element.tensor(), true),
        };
        // The verifier has rejected lists of lists.
        let tensor = tensor.cloned().unwrap_or_else(|| TensorType::scalar(DType::Bool));
        let cell_rank = tensor.has_unknown_sizes().then_some(tensor.rank());
        Self { dtype: tensor.dtype, sizes: tensor.sizes().unwrap_or_default(), is_list, cell_rank }
    }
}

/// # Safety
/// `operands` point to readable arrays of these types and sizes.
unsafe fn arrays(shown: &Shown, operands: &[*mut u8]) -> Vec<Array> {
    // SAFETY: the caller's.
    shown.iter().zip(operands).map(|(shown, operand)| unsafe { array(shown, *operand) }).collect()
}

/// # Safety
/// `operand` points to a readable array of this type and sizes.
unsafe fn array(shown: &ShownValue, operand: *mut u8) -> Array {
    let ShownValue { dtype, sizes, is_list, cell_rank } = shown;
    let (mut sizes, mut data) = (sizes.clone(), operand.cast_const());
    if *is_list {
        // SAFETY: the caller's: this is the cell of a list (K2).
        let cell = unsafe { operand.cast::<Cell>().read() };
        sizes.insert(0, cell.length);
        data = cell.data.cast_const();
    }
    if let Some(rank) = cell_rank {
        // SAFETY: the caller's: this is the cell of an array (K2).
        let cell = unsafe { operand.cast::<Cell>().read() };
        sizes = cell.sizes[..*rank].to_vec();
        data = cell.data.cast_const();
    }
    let length = layout::count(&sizes) * dtype.size();
    let bytes = if length == 0 {
        Vec::new()
    } else {
        // SAFETY: the caller's.
        unsafe { std::slice::from_raw_parts(data, length) }.to_vec()
    };
    Array { dtype: *dtype, sizes, bytes }
}

/// Operands: the values.
pub(crate) struct Print {
    /// The number that the host knows this `print` by.
    pub(crate) site: u32,
    /// The values' types.
    pub(crate) shown: Shown,
}

impl Kernel for Print {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's (K1 to K8).
        let values = unsafe { arrays(&self.shown, operands) };
        host.print(self.site, &values).map_err(|error| Stopped::new(Failure::Host(error)))
    }
}

/// Operands: the values, then the results.
pub(crate) struct AskHost {
    /// The callback.
    pub(crate) callback: Callback,
    /// The values' types.
    pub(crate) shown: Shown,
}

impl Kernel for AskHost {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (values, places) = operands.split_at(self.shown.len());
        // SAFETY: the caller's (K1 to K8).
        let values = unsafe { arrays(&self.shown, values) };
        let results = run_callback(host, &self.callback, &values)
            .map_err(|error| Stopped::new(Failure::Host(error)))?;
        for ((result, place), ty) in results.iter().zip(places).zip(&self.callback.results) {
            let mut place = *place;
            if ty.has_unknown_sizes() {
                // SAFETY: the caller's: this is a cell for the result (K2, K4).
                let cell = unsafe { &mut *place.cast::<Cell>() };
                cell.make_array(&result.sizes, result.dtype.size()).map_err(Stopped::new)?;
                place = cell.data;
            }
            // SAFETY: the place has room for an array of the result's type (K2), which was compared.
            unsafe { std::ptr::copy_nonoverlapping(result.bytes.as_ptr(), place, result.bytes.len()) };
        }
        Ok(())
    }
}

/// Operand: a value that an error reports in a slot if the run fails later.
pub(crate) struct Keep {
    /// The slot.
    pub(crate) slot: u32,
    /// The value's type.
    pub(crate) shown: ShownValue,
}

impl Kernel for Keep {
    unsafe fn run(&self, _: &[*mut u8], _: &mut dyn Host) -> KernelResult {
        Ok(())
    }

    fn slot(&self) -> Option<u32> {
        Some(self.slot)
    }

    unsafe fn kept(&self, operand: *mut u8) -> Option<Array> {
        // SAFETY: the caller's.
        Some(unsafe { array(&self.shown, operand) })
    }
}

/// Fails the run; called when a check does not hold. Operands: the values of the message.
pub(crate) struct CheckFailed {
    /// The check, with the error that it raises.
    pub(crate) check: Check,
    /// The values' types.
    pub(crate) shown: Shown,
}

impl Kernel for CheckFailed {
    unsafe fn run(&self, operands: &[*mut u8], _: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's (K1 to K8).
        let values = unsafe { arrays(&self.shown, operands) };
        Err(Stopped::new(Failure::Check {
            error: self.check.error.clone(),
            message: self.check.message.clone(),
            site: self.check.site,
            values,
        }))
    }
}
