//! What code is generated from.

use crate::plan::Plan;
use crate::plan::tree::Tree;

/// One function of a graph, planned. The main function comes first.
pub(crate) struct Part<'f> {
    /// The plan, whose kernels have been taken out.
    pub(crate) plan: Plan,
    /// Its blocks.
    pub(crate) tree: Tree<'f>,
    /// Its literal arrays.
    pub(crate) constants: *const u8,
    /// The number of its first kernel among those of the graph.
    pub(crate) first_kernel: usize,
    /// How many operands a kernel of it has at most.
    pub(crate) most_operands: usize,
    /// The numbers of the graph's tapes, ascending.
    pub(crate) tapes: &'f [u32],
}
