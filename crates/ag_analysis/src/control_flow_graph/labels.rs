//! What a drawing of the graph needs beside it: what edges are for, and what nodes stand for.
//!
//! The analyses unite facts over edges whatever they are for, so only a graph that is built to be
//! drawn has labels.

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::Span;
use ag_syntax::tree::NodeId;

/// Why control takes an edge. One edge of the graph may be there for both reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EdgeKind {
    /// The statement has run.
    Ordinary,
    /// It raised.
    Exception,
}

/// The two ways on from a test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The nodes of one way.
    pub(super) first: u32,
    /// The node after those.
    pub(super) end: u32,
    /// What the test says for that way.
    pub(super) outcome: bool,
}

/// The nodes of a statement, its blocks included. A statement in a `finally` has two extents.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// The statement.
    pub(super) statement: NodeId,
    /// Where it stands.
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
    /// The nodes that choose.
    pub(super) choices: BTreeMap<u32, Choice>,
    /// The text of nodes that stand for a part of their statement.
    pub(super) places: BTreeMap<u32, Span>,
    /// The nodes of each statement, in the order of the source, outer ones last.
    pub(super) extents: Vec<Extent>,
}

impl Labels {
    /// What to write at an edge.
    pub(super) fn text(&self, from: u32, to: u32, kind: EdgeKind) -> Option<&'static str> {
        if kind == EdgeKind::Exception {
            return Some("exception");
        }
        let choice = self.choices.get(&from)?;
        let is_outcome = ((choice.first..choice.end).contains(&to)) == choice.outcome;
        Some(if is_outcome { "true" } else { "false" })
    }
}
