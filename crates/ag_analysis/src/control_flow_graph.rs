//! The control-flow graph of one function, with exception edges.
//!
//! A node is a simple statement, or the test or head of a compound one. Every node inside a `try` has an edge
//! to its handlers, and every node inside a `with` has one to the code after it, since `__exit__` may swallow
//! the exception:
//!
//! ```text
//! try:                     enter ──► x = f() ──► y = g() ──► (after)
//!     x = f()                 └────────┴────────────┴──► handler ──► …
//!     y = g()
//! except E: …
//! ```
//!
//! A `finally` block appears in the graph twice, for the normal path and for exceptions and jumps, so that a
//! variable set in the `try` is known to be set after it. The facts of both copies are united.

mod build;
mod draw;
mod labels;
mod report;

pub use draw::draw_control_flow;
pub use report::{ControlFlowReport, Definition, Facts, NodeReport, StatementReport, report_control_flow};

use ag_syntax::tree::{Name, NodeId, Stmt};

use crate::activity::{Activity, ActivityReader, Variables};
use crate::dataflow::Graph;
use crate::scopes::Scopes;

/// The graph of a function's body.
#[derive(Debug)]
pub struct ControlFlowGraph {
    /// The edges.
    pub graph: Graph,
    /// The effect of each node on variables.
    pub activities: Vec<Activity>,
    /// The statement each node belongs to; none for nodes that join paths.
    pub statements: Vec<Option<NodeId>>,
    /// The entry node.
    pub entry: u32,
    /// The exit node, reached by returns, exceptions and the end of the body.
    pub exit: u32,
    /// Every `if`, `while`, `for`, `with` and `try`, once for each copy in the graph; a `try` once for each of its
    /// blocks.
    pub branches: Vec<BranchPoint>,
}

/// The nodes of an `if`, `while`, `for` or `with`, or those of a `try` and one of its blocks.
#[derive(Clone, Copy, Debug)]
pub struct BranchPoint {
    /// The statement.
    pub statement: NodeId,
    /// The test; for a `for`, the head that takes the next item.
    pub head: u32,
    /// The first node of its blocks; for a loop, the head is one of them.
    pub first: u32,
    /// The node after the last node of its blocks.
    pub end: u32,
    /// The node where control goes on after the statement.
    pub leave: u32,
    /// The node that handles an exception raised in it, if one in the function does.
    pub around: Option<u32>,
    /// Whether its blocks start at the head, and not after it: those of a loop, a `with` and a `try`.
    pub is_loop: bool,
}

impl ControlFlowGraph {
    /// The graph of a function's body.
    ///
    /// `guards` are further names that a loop reads before each iteration.
    #[must_use]
    pub fn of(
        body: &[Stmt],
        scopes: &Scopes,
        variables: &Variables,
        guards: &dyn Fn(NodeId) -> Vec<Name>,
    ) -> Self {
        build::build(body, ActivityReader::new(scopes, variables), variables, guards)
    }

    /// The graph with the qualified names that each node reads and modifies.
    #[must_use]
    pub fn with_qualified_names(
        body: &[Stmt],
        scopes: &Scopes,
        variables: &Variables,
        guards: &dyn Fn(NodeId) -> Vec<Name>,
    ) -> Self {
        let reader = ActivityReader::new(scopes, variables).with_qualified_names();
        build::build(body, reader, variables, guards)
    }
}
