//! The graph as a Mermaid flowchart, for documentation and for finding faults.
//!
//! ```text
//! while n:          flowchart TD
//!     n -= 1            n0(["end"])
//!                       n1(["start"])
//!                       n2{"while n:"}
//!                       n3["n -= 1"]
//!                       n1 --> n2
//!                       n2 -->|true| n3
//!                       n2 -->|false| n0
//!                       n3 --> n2
//! ```
//!
//! The text depends only on the source. Nodes that only join paths are not drawn, unless several edges leave
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use ag_errors::Span;
use ag_syntax::tree::{NodeId, Stmt};

use super::ControlFlowGraph;
use super::build::build_labelled;
use super::labels::{EdgeKind, Labels};
use crate::activity::Variables;
use crate::scopes::Scopes;

/// Draws the control flow of a function's body, whose spans are positions in `source`.
#[must_use]
pub fn draw_control_flow(body: &[Stmt], scopes: &Scopes, variables: &Variables, source: &str) -> String {
    let (graph, labels) = build_labelled(body, scopes, variables);
    Drawing::new(&graph, &labels, source).text()
}

/// From, to, label.
pub(super) type DrawnEdge = (u32, u32, Option<&'static str>);

pub(super) struct Drawing<'a> {
    graph: &'a ControlFlowGraph,
    labels: &'a Labels,
    statements: BTreeMap<NodeId, Span>,
    source: &'a str,
}

impl<'a> Drawing<'a> {
    pub(super) fn new(graph: &'a ControlFlowGraph, labels: &'a Labels, source: &'a str) -> Self {
        let statements = labels.extents.iter().map(|extent| (extent.statement, extent.span)).collect();
        Self { graph, labels, statements, source }
    }
}

impl Drawing<'_> {
    pub(super) fn text(&self) -> String {
        let (edges, reached) = self.edges();
        let mut text = String::from("flowchart TD\n");
        for node in 0..u32::try_from(self.graph.graph.len()).unwrap_or(u32::MAX) {
            if reached.contains(&node) || self.graph.statements[node as usize].is_some() {
                // Writing to a string does not fail.
                let _ = writeln!(text, "    n{node}{}", self.shape(node));
            }
        }
        for (from, to, label) in edges {
            let _ = match label {
                Some("exception") => writeln!(text, "    n{from} -.->|exception| n{to}"),
                Some(label) => writeln!(text, "    n{from} -->|{label}| n{to}"),
                None => writeln!(text, "    n{from} --> n{to}"),
            };
        }
        text
    }

    /// The edges between drawn nodes in the order of their nodes, and the nodes that the entry leads to.
    pub(super) fn edges(&self) -> (Vec<DrawnEdge>, BTreeSet<u32>) {
        let mut reached = BTreeSet::from([self.graph.entry, self.graph.exit]);
        let dead = (0..).zip(&self.graph.statements).filter(|(_, statement)| statement.is_some());
        let mut waiting: Vec<u32> = dead.map(|(node, _)| node).chain([self.graph.entry]).collect();
        let mut seen: BTreeSet<u32> = waiting.iter().copied().collect();
        let mut edges = Vec::new();
        while let Some(from) = waiting.pop() {
            for (to, kind) in self.ways_on(from) {
                let label = self.labels.text(from, to, kind);
                let (to, label) = self.past_joins(to, label);
                // Order: true, false, exception last.
                let rank = ["true", "false", "exception"].iter().position(|text| Some(*text) == label);
                edges.push((from, rank, to, label));
                reached.insert(to);
                if seen.insert(to) {
                    waiting.push(to);
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        (edges.into_iter().map(|(from, _, to, label)| (from, to, label)).collect(), reached)
    }

    fn ways_on(&self, from: u32) -> impl Iterator<Item = (u32, EdgeKind)> {
        let edges =
            self.labels.edges.range((from, 0, EdgeKind::Ordinary)..=(from, u32::MAX, EdgeKind::Exception));
        edges.map(|(_, to, kind)| (*to, *kind))
    }

    /// The target of an edge after nodes with one successor are skipped; a label on the way is kept.
    fn past_joins(&self, to: u32, label: Option<&'static str>) -> (u32, Option<&'static str>) {
        let (mut to, mut label) = (to, label);
        // Every cycle has a statement in it, so this ends.
        while self.graph.statements[to as usize].is_none() && to != self.graph.exit {
            let mut ways = self.ways_on(to);
            let (Some((next, kind)), None) = (ways.next(), ways.next()) else { break };
            label = label.or(self.labels.text(to, next, kind));
            to = next;
        }
        (to, label)
    }

    /// The first line of the source that a node represents; none for a node that joins paths.
    pub(super) fn line(&self, node: u32) -> Option<&str> {
        let statement = self.graph.statements[node as usize].and_then(|id| self.statements.get(&id));
        let span = self.labels.places.get(&node).or(statement)?;
        let text = self.source.get(span.start as usize..span.end as usize).unwrap_or_default();
        text.lines().next().map(str::trim_end)
    }

    fn shape(&self, node: u32) -> String {
        if node == self.graph.entry {
            return "([\"start\"])".into();
        }
        if node == self.graph.exit {
            return "([\"end\"])".into();
        }
        let Some(line) = self.line(node) else { return "((\" \"))".into() };
        let line = escaped(line);
        if self.labels.choices.contains_key(&node) {
            format!("{{\"{line}\"}}")
        } else {
            format!("[\"{line}\"]")
        }
    }
}

/// A line, escaped so that Mermaid shows it unchanged.
fn escaped(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for character in line.trim_end().chars() {
        match character {
            '"' => text.push_str("#quot;"),
            '#' => text.push_str("#35;"),
            '&' => text.push_str("#amp;"),
            '<' => text.push_str("#lt;"),
            '>' => text.push_str("#gt;"),
            '`' => text.push_str("#96;"),
            _ => text.push(character),
        }
    }
    text
}
