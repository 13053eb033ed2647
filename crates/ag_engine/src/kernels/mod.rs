//! Kernels: what generated code calls for arrays.
//!
//! A kernel is made when a graph is compiled and knows all shapes; running it takes pointers only. Where
//! only the run knows the shapes it is made then, see `sized`.
//! What it counts on of them is on the page `docs/kernels.md`, whose rules K1 to K10 are named where it does.
//! Unless a kernel says otherwise, operands are dense arrays in C order, aligned to their
//! elements, in the order of the node's operands, followed by the result.

pub(crate) mod accumulate;
pub(crate) mod arg_reduce;
pub(crate) mod arg_sort;
pub(crate) mod contract;
pub(crate) mod cumulative;
pub(crate) mod dot;
pub(crate) mod effects;
pub(crate) mod effort;
pub(crate) mod elementwise;
pub(crate) mod fourier;
pub(crate) mod gather;
pub(crate) mod iota;
pub(crate) mod layout;
pub(crate) mod lists;
pub(crate) mod matrices;
pub(crate) mod radix;
pub(crate) mod random;
pub(crate) mod reduce;
pub(crate) mod scatter_add;
pub(crate) mod sized;
pub(crate) mod slice;
pub(crate) mod sort;
pub(crate) mod strided;
pub(crate) mod table;
pub(crate) mod tile;
pub(crate) mod view;

use ag_ir::{Failure, Host, LocationId};

use self::contract::OperandRule;

/// How a kernel fails.
#[derive(Debug)]
pub(crate) struct Stopped {
    /// Why.
    pub(crate) failure: Failure,
    /// The node, if it is another than the one the kernel was called for.
    pub(crate) location: Option<LocationId>,
}

impl Stopped {
    /// A failure of the node that the kernel was called for.
    pub(crate) fn new(failure: Failure) -> Box<Self> {
        Box::new(Self { failure, location: None })
    }
}

/// How a kernel ends. Boxed, so that the usual answer is one register.
pub(crate) type KernelResult = Result<(), Box<Stopped>>;

/// So many equal values to work in, if there is memory for them.
pub(crate) fn scratch<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Box<Stopped>> {
    let mut values = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    values.try_reserve_exact(count).map_err(|_| Stopped::new(Failure::OutOfMemory { bytes }))?;
    values.resize(count, value);
    Ok(values)
}

/// A compiled array operation.
pub(crate) trait Kernel: Send + Sync {
    /// Runs it.
    ///
    /// # Safety
    /// Rules K1 to K8 of `docs/kernels.md`: `operands` point to what the kernel's constructor was told,
    /// operands readable, results writable, of the right sizes, aligned, and a result overlaps an operand only
    /// where the constructor was told so.
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult;

    /// The slot of a kernel that is not run, but keeps its operand for the case that the run fails.
    fn slot(&self) -> Option<u32> {
        None
    }

    /// What it keeps.
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
    /// What it counts on of each of its operands.
    pub(crate) operands: Vec<OperandRule>,
    /// Where its node comes from.
    pub(crate) location: Option<LocationId>,
}
