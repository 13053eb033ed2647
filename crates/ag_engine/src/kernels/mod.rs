//! Kernels: what generated code calls for arrays.
//!
//! A kernel is made when a graph is compiled and all shapes are known; running it takes only pointers. For
//! shapes that are unknown until the run, it is made then, see `sized`.
//!
//! What a kernel assumes about its operands is on the page `docs/kernels.md`; its rules K1 to K10 are cited
//! where code relies on them. Unless a kernel says otherwise, operands are dense arrays in C order, aligned
//! to their elements, in the order of the node's operands, followed by the result.

pub(crate) mod accumulate;
mod ahead;
pub(crate) mod arg_reduce;
pub(crate) mod arg_sort;
mod chained;
pub(crate) mod chains;
pub(crate) mod contract;
pub(crate) mod correlate;
pub(crate) mod cumulative;
pub(crate) mod dot;
pub(crate) mod effects;
pub(crate) mod effort;
pub(crate) mod elementwise;
pub(crate) mod fourier;
pub(crate) mod gather;
pub(crate) mod indexing;
pub(crate) mod instructions;
pub(crate) mod iota;
mod keys;
#[cfg(target_arch = "x86_64")]
mod lanes;
pub(crate) mod layout;
mod lines;
pub(crate) mod lists;
pub(crate) mod load;
pub(crate) mod map_reduce;
pub(crate) mod matrices;
#[cfg(target_arch = "x86_64")]
mod networks;
mod ordered_reduce;
pub(crate) mod partition;
#[cfg(target_arch = "x86_64")]
mod parts;
mod quick;
pub(crate) mod random;
pub(crate) mod reduce;
pub(crate) mod rows;
pub(crate) mod scatter_add;
pub(crate) mod search;
mod search_table;
pub(crate) mod sized;
pub(crate) mod slice;
pub(crate) mod sort;
pub(crate) mod strided;
pub(crate) mod table;
pub(crate) mod tile;
mod turn;
pub(crate) mod view;
#[cfg(target_arch = "x86_64")]
mod wide_lanes;

use ag_ir::{Failure, Host, LocationId};

use self::contract::OperandRule;

/// How a kernel fails.
#[derive(Debug)]
pub(crate) struct Stopped {
    /// The reason.
    pub(crate) failure: Failure,
    /// The location of the node that failed, if it is another than the one the kernel was called for.
    pub(crate) location: Option<LocationId>,
}

impl Stopped {
    /// A failure of the node that the kernel was called for.
    pub(crate) fn new(failure: Failure) -> Box<Self> {
        Box::new(Self { failure, location: None })
    }
}

/// The result of a kernel. The error is boxed, so that success is returned in one register.
pub(crate) type KernelResult = Result<(), Box<Stopped>>;

/// Allocates `count` copies of a value as workspace.
pub(crate) fn scratch<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Box<Stopped>> {
    let mut values = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    values.try_reserve_exact(count).map_err(|_| Stopped::new(Failure::OutOfMemory { bytes }))?;
    values.resize(count, value);
    Ok(values)
}

/// A compiled array operation.
pub(crate) trait Kernel: Send + Sync {
    /// Runs the kernel.
    ///
    /// # Safety
    /// Rules K1 to K8 of `docs/kernels.md`: `operands` point to the arrays that the kernel was made for.
    /// Operands are readable, results writable, of the right sizes and aligned; a result overlaps an operand
    /// only if the kernel was made for that.
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult;

    /// The slot of a `keep`, which generated code does not run but notes, in case the run fails; none for
    /// others.
    fn slot(&self) -> Option<u32> {
        None
    }

    /// The current value of a `keep`'s operand.
    ///
    /// # Safety
    /// As for [`Kernel::run`], of its one operand.
    unsafe fn kept(&self, _operand: *mut u8) -> Option<ag_ir::Array> {
        None
    }
}

/// A kernel of a compiled function.
pub(crate) struct KernelEntry {
    /// The kernel.
    pub(crate) kernel: Box<dyn Kernel>,
    /// What it assumes about each of its operands.
    pub(crate) operands: Vec<OperandRule>,
    /// The source location of its node.
    pub(crate) location: Option<LocationId>,
}
