//! What running a graph needs from outside, and how it fails. The interpreter and the engine share
//! it, so that one can be checked against the other.

use std::sync::Arc;

use crate::function::LocationId;
use crate::op::Callback;
use crate::types::{DType, Type};

/// A value outside a graph: elements in C order, native byte order.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Element type.
    pub dtype: DType,
    /// Dimensions.
    pub sizes: Vec<usize>,
    /// The elements.
    pub bytes: Vec<u8>,
}

/// The world around a running graph.
pub trait Host {
    /// Shows the values of a `print` node.
    ///
    /// # Errors
    /// What the host raises; the run stops with [`Failure::Host`].
    fn print(&mut self, site: u32, values: &[Array]) -> Result<(), HostError>;

    /// Runs what a `callback` node asks for; gives its results.
    ///
    /// # Errors
    /// What the host raises; the run stops with [`Failure::Host`].
    fn call(&mut self, site: u32, values: &[Array]) -> Result<Vec<Array>, HostError> {
        let _ = values;
        Err(Box::new(format!("this host has nothing to run for callback {site}")))
    }

    /// Asked now and then in long loops.
    ///
    /// # Errors
    /// When the run should stop, such as on Ctrl-C.
    fn poll(&mut self) -> Result<(), HostError> {
        Ok(())
    }
}

/// What a host gave for a `callback` node is not of the types that the node says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongResults;

/// The results of a `callback` node: as many elements of the types that the node says.
///
/// # Errors
/// What the host raised, or [`WrongResults`] for it.
pub fn run_callback(host: &mut dyn Host, node: &Callback, values: &[Array]) -> Result<Vec<Array>, HostError> {
    let mut results = host.call(node.site, values)?;
    if results.len() != node.results.len() {
        return Err(Box::new(WrongResults));
    }
    for (ty, array) in node.results.iter().zip(&mut results) {
        let Type::Tensor(ty) = ty else { return Err(Box::new(WrongResults)) };
        // Where all sizes are known, their number of elements says enough.
        let sizes = ty.sizes().or_else(|| ty.fits(&array.sizes).then(|| array.sizes.clone()));
        let Some(sizes) = sizes else { return Err(Box::new(WrongResults)) };
        let length = sizes.iter().product::<usize>() * ty.dtype.size();
        if array.dtype != ty.dtype || array.bytes.len() != length {
            return Err(Box::new(WrongResults));
        }
        array.sizes = sizes;
    }
    Ok(results)
}

/// What a host raises; carried through the run untouched.
pub type HostError = Box<dyn std::any::Any + Send>;

/// Why a run stopped.
#[derive(Debug)]
pub struct RunError {
    /// What went wrong.
    pub failure: Failure,
    /// The node.
    pub location: Option<LocationId>,
    /// The calls of the graph that were under way, innermost first.
    pub calls: Vec<LocationId>,
    /// By slot, what an [`crate::Op::Keep`] kept last.
    pub kept: Vec<(u32, Array)>,
}

impl RunError {
    /// A failure of a node, in no call and with nothing kept.
    #[must_use]
    pub const fn new(failure: Failure, location: Option<LocationId>) -> Self {
        Self { failure, location, calls: Vec::new(), kept: Vec::new() }
    }
}

/// The ways in which a run fails.
#[derive(Debug)]
pub enum Failure {
    /// A [`crate::Op::Check`] did not hold.
    Check {
        /// Exception class.
        error: Arc<str>,
        /// Message.
        message: Arc<str>,
        /// The host's number.
        site: Option<u32>,
        /// The node's values.
        values: Vec<Array>,
    },
    /// An index out of range.
    Index {
        /// The index, as the user gave it.
        index: i64,
        /// The axis.
        axis: usize,
        /// The size of the axis.
        size: usize,
    },
    /// A checked integer left 64 bits.
    Overflow,
    /// An integer raised to a negative power.
    NegativePower,
    /// Calls nested deeper than there is memory for.
    Recursion,
    /// The host raised.
    Host(HostError),
    /// Memory for a value could not be had.
    OutOfMemory {
        /// How many bytes were asked for.
        bytes: usize,
    },
    /// A fault of ours: code that the run called panicked, with these words.
    Fault(Arc<str>),
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}
