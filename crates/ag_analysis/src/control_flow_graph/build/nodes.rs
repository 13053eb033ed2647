//! The nodes and edges of the graph that is being built, and the jumps through the enclosing constructs.

use ag_errors::Span;
use ag_syntax::tree::{Name, NodeId};

use crate::activity::{Activity, ActivityReader, Variables};
use crate::control_flow_graph::BranchPoint;
use crate::control_flow_graph::labels::{Choice, EdgeKind, Labels};
use crate::dataflow::Graph;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Jump {
    Break,
    Continue,
    Return,
    Raise,
}

/// An enclosing construct of the current statement, as far as jumps and exceptions are concerned.
pub(super) enum Frame {
    Loop {
        head: u32,
        breaks: Vec<u32>,
    },
    /// Exceptions go to this node.
    Guard {
        dispatch: u32,
    },
    /// Exceptions and jumps go through this node.
    Finally {
        entry: u32,
        jumps: Vec<Jump>,
    },
}

pub(super) struct Builder<'a> {
    pub(super) reader: ActivityReader<'a>,
    pub(super) variables: &'a Variables,
    pub(super) guards: &'a dyn Fn(NodeId) -> Vec<Name>,
    pub(super) graph: Graph,
    pub(super) activities: Vec<Activity>,
    pub(super) statements: Vec<Option<NodeId>>,
    pub(super) branches: Vec<BranchPoint>,
    pub(super) frames: Vec<Frame>,
    /// The open ends: the nodes that the next node follows.
    pub(super) ends: Vec<u32>,
    pub(super) exit: u32,
    /// The labels for a drawing; none if there will be none.
    pub(super) labels: Option<Labels>,
}

impl Builder<'_> {
    pub(super) fn edge(&mut self, from: u32, to: u32, kind: EdgeKind) {
        self.graph.add_edge(from, to);
        if let Some(labels) = &mut self.labels {
            labels.edges.insert((from, to, kind));
        }
    }

    /// Notes that a node represents a part of its statement.
    pub(super) fn place(&mut self, node: u32, span: Span) {
        if let Some(labels) = &mut self.labels {
            labels.places.insert(node, span);
        }
    }

    /// Notes that a node leads to the nodes made since then if its test has this outcome, else to others.
    pub(super) fn choice(&mut self, node: u32, outcome: bool) {
        let end = u32::try_from(self.graph.len()).unwrap_or(u32::MAX);
        if let Some(labels) = &mut self.labels {
            labels.choices.insert(node, Choice { first: node + 1, end, outcome });
        }
    }

    /// Adds a statement that no analysis is interested in; it has a node only in a drawing.
    pub(super) fn idle_node(&mut self, statement: NodeId) {
        if self.labels.is_some() {
            self.node(Some(statement));
        }
    }

    /// Adds a node without predecessors, with the activity that the reader has found.
    pub(super) fn loose_node(&mut self, statement: Option<NodeId>) -> u32 {
        let activity = self.reader.take();
        self.activities.push(activity);
        self.statements.push(statement);
        self.graph.add_node()
    }

    /// Adds a node after the open ends, with the activity that the reader has found, and its exception edge.
    pub(super) fn node(&mut self, statement: Option<NodeId>) -> u32 {
        let node = self.loose_node(statement);
        self.connect_ends(node);
        self.ends = vec![node];
        if statement.is_some() {
            self.add_exception_edge(node);
        } else if let Some(around) = self.exception_target() {
            // A join cannot raise, so this edge is not drawn.
            self.graph.add_edge(node, around);
        }
        node
    }

    pub(super) fn add_exception_edge(&mut self, node: u32) {
        if let Some(around) = self.exception_target() {
            self.edge(node, around, EdgeKind::Exception);
        }
    }

    /// The node that handles an exception raised here, if one in the function does.
    pub(super) fn exception_target(&mut self) -> Option<u32> {
        self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Loop { .. } => None,
            Frame::Guard { dispatch } => Some(*dispatch),
            Frame::Finally { entry, jumps } => {
                if !jumps.contains(&Jump::Raise) {
                    jumps.push(Jump::Raise);
                }
                Some(*entry)
            }
        })
    }

    pub(super) fn connect_ends(&mut self, node: u32) {
        for end in std::mem::take(&mut self.ends) {
            self.edge(end, node, EdgeKind::Ordinary);
        }
    }

    /// Makes the open ends follow a jump.
    pub(super) fn jump(&mut self, jump: Jump) {
        let ends = std::mem::take(&mut self.ends);
        let kind = if jump == Jump::Raise { EdgeKind::Exception } else { EdgeKind::Ordinary };
        let mut target = self.exit;
        for frame in self.frames.iter_mut().rev() {
            target = match frame {
                Frame::Loop { breaks, .. } if jump == Jump::Break => {
                    breaks.extend(ends);
                    return;
                }
                Frame::Loop { head, .. } if jump == Jump::Continue => *head,
                Frame::Guard { dispatch } if jump == Jump::Raise => *dispatch,
                Frame::Finally { entry, jumps } => {
                    if !jumps.contains(&jump) {
                        jumps.push(jump);
                    }
                    *entry
                }
                _ => continue,
            };
            break;
        }
        for end in ends {
            self.edge(end, target, kind);
        }
    }

    /// Makes some nodes follow several jumps; the open ends stay as they are.
    pub(super) fn jumps(&mut self, from: &[u32], jumps: &[Jump]) {
        let ends = std::mem::take(&mut self.ends);
        for jump in jumps {
            self.ends = from.to_vec();
            self.jump(*jump);
        }
        self.ends = ends;
    }
}
