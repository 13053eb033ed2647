//! One planned function of a graph, as code generation gets it.

use crate::plan::Plan;
use crate::plan::tree::Tree;

/// One function of a graph, planned. The main function comes first.
pub(crate) struct Part<'f> {
    /// The plan, without its kernels: those of all functions are in one list.
    pub(crate) plan: Plan,
    /// Its blocks.
    pub(crate) tree: Tree<'f>,
    /// Its literal arrays.
    pub(crate) constants: *const u8,
    /// The index of its first kernel in the list of the graph.
    pub(crate) first_kernel: usize,
    /// The largest number of operands of any of its kernels.
    pub(crate) most_operands: usize,
    /// The numbers of the graph's tapes, in ascending order.
    pub(crate) tapes: &'f [u32],
}
