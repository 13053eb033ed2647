//! Labels that a drawing of the graph needs: the reason for each edge, and the text of each node.
//!
//! The analyses unite facts over edges for any reason, so labels are made only for a graph to be drawn.

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::Span;
use ag_syntax::tree::NodeId;

/// The reason for an edge. One edge of the graph may have both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EdgeKind {
    /// The statement has run normally.
    Ordinary,
    /// It has raised an exception.
    Exception,
}

/// The two branches of a test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The first node of one branch.
    pub(super) first: u32,
    /// The node after its last one.
    pub(super) end: u32,
    /// The outcome of the test that leads to this branch.
    pub(super) outcome: bool,
}

/// The nodes of a statement, its blocks included. A statement in a `finally` has two extents.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// The statement.
    pub(super) statement: NodeId,
    /// Its place in the source.
    pub(super) span: Span,
    /// Its first node.
    pub(super) first: u32,
    /// The node after its last one.
    pub(super) end: u32,
    /// The nodes that lead to it.
    pub(super) before: Vec<u32>,
    /// The nodes from which control goes on after it.
    pub(super) ends: Vec<u32>,
}

/// The labels of a graph.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// All edges.
    pub(super) edges: BTreeSet<(u32, u32, EdgeKind)>,
    /// The nodes that are tests.
    pub(super) choices: BTreeMap<u32, Choice>,
    /// The source ranges of nodes that represent a part of their statement.
    pub(super) places: BTreeMap<u32, Span>,
    /// The nodes of each statement, in the order of the source, outer ones last.
    pub(super) extents: Vec<Extent>,
}

impl Labels {
    /// The label of an edge.
    pub(super) fn text(&self, from: u32, to: u32, kind: EdgeKind) -> Option<&'static str> {
        if kind == EdgeKind::Exception {
            return Some("exception");
        }
        let choice = self.choices.get(&from)?;
        let is_outcome = ((choice.first..choice.end).contains(&to)) == choice.outcome;
        Some(if is_outcome { "true" } else { "false" })
    }
}
