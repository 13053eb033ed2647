//! Running a graph: the host that it needs, and the ways in which it fails. The interpreter and the engine
//! share these, so that one can be checked against the other.

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

/// The environment of a running graph: it prints, runs callbacks, and may stop the run.
pub trait Host {
    /// Shows the values of a `print` node.
    ///
    /// # Errors
    /// What the host raises; the run stops with [`Failure::Host`].
    fn print(&mut self, site: u32, values: &[Array]) -> Result<(), HostError>;

    /// Runs the code of a `callback` node and returns its results.
    ///
    /// # Errors
    /// What the host raises; the run stops with [`Failure::Host`].
    fn call(&mut self, site: u32, values: &[Array]) -> Result<Vec<Array>, HostError> {
        let _ = values;
        Err(Box::new(format!("this host has nothing to run for callback {site}")))
    }

    /// Called now and then in long loops.
    ///
    /// # Errors
    /// If the run should stop, for example on Ctrl-C.
    fn poll(&mut self) -> Result<(), HostError> {
        Ok(())
    }
}

/// The results that a host returned for a `callback` node are not of the types of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongResults;

/// Runs a `callback` node and checks that its results are of the types of the node.
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
        // If all sizes are known, the number of elements is enough to check.
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

/// The error of a host; the run passes it on untouched.
pub type HostError = ag_linear_algebra::HostError;

/// The error of a run.
#[derive(Debug)]
pub struct RunError {
    /// The failure.
    pub failure: Failure,
    /// The location of the node.
    pub location: Option<LocationId>,
    /// The locations of the active calls of the graph, innermost first.
    pub calls: Vec<LocationId>,
    /// The values that an [`crate::Op::Keep`] kept last, by slot.
    pub kept: Vec<(u32, Array)>,
}

impl RunError {
    /// The error for a failure of a node, without calls and kept values.
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
        /// The host's number for the statement.
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
    /// Calls are nested deeper than memory allows.
    Recursion,
    /// The host raised.
    Host(HostError),
    /// A value could not be allocated.
    OutOfMemory {
        /// How many bytes were asked for.
        bytes: usize,
    },
    /// An internal fault: code that the run called panicked with this message.
    Fault(Arc<str>),
}

impl From<ag_linear_algebra::Failure> for Failure {
    fn from(failure: ag_linear_algebra::Failure) -> Self {
        match failure {
            ag_linear_algebra::Failure::OutOfMemory { bytes } => Self::OutOfMemory { bytes },
            ag_linear_algebra::Failure::Host(error) => Self::Host(error),
        }
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}
