//! Analyses of a function's variables: scopes, control flow, definitions, liveness.
//!
//! They run once for each function, after jumps have been lowered; facts are stored by node id.

mod activity;
mod bit_set;
mod control_flow_graph;
pub mod dataflow;
mod function_facts;
mod liveness;
mod qualified_names;
mod reaching_definitions;
mod scopes;

pub use activity::{Activity, ActivityReader, Variable, Variables};
pub use bit_set::BitSet;
pub use control_flow_graph::{
    BranchPoint, ControlFlowGraph, ControlFlowReport, Definition, Facts, NodeReport, StatementReport,
    draw_control_flow, report_control_flow,
};
pub use function_facts::{BranchFacts, FunctionFacts};
pub use liveness::{Liveness, liveness};
pub use qualified_names::QualifiedName;
pub use reaching_definitions::{UnboundReads, unbound_reads};
pub use scopes::{Captures, Resolution, Scope, ScopeId, ScopeKind, Scopes, Symbol};
