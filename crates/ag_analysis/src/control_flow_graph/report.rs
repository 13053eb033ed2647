//! The results of all analyses of one function, by node and by statement, for people who write
//! transformations.
//!
//! ```text
//! while n:          node n2 `while n:`   reads n               live in n
//!     n -= 1        statement `while`    reads n, modifies n   live in n, live out –
//! ```
//!
//! A statement reads and modifies whatever its blocks do too; live out of it are the variables that are live
//! where control goes on after it. Definitions and unbound reads are those of its own nodes. A statement in a
//! `finally` appears in the graph twice; its facts are united.

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::Span;
use ag_syntax::tree::{Name, NodeId, Stmt};

use super::ControlFlowGraph;
use super::build::build_labelled;
use super::draw::Drawing;
use super::labels::{EdgeKind, Extent, Labels};
use crate::activity::{Activity, Variable, Variables};
use crate::bit_set::BitSet;
use crate::dataflow::{Direction, Point, Problem};
use crate::liveness::{Liveness, liveness};
use crate::reaching_definitions::unbound_reads;
use crate::scopes::Scopes;

/// A place that binds a variable: a statement, or none for the parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// The variable.
    pub name: Name,
    /// The place of its statement.
    pub span: Option<Span>,
}

/// Facts about a node of the graph.
#[derive(Clone, Debug)]
pub struct NodeReport {
    /// Its number in the drawing.
    pub number: u32,
    /// The line of source that it represents; `start`, `end`, or nothing for a node that joins paths.
    pub text: String,
    /// The place of its statement.
    pub span: Option<Span>,
    /// The successors, with the reason for each edge.
    pub successors: Vec<(u32, Option<&'static str>)>,
    /// Its facts.
    pub facts: Facts,
}

/// Facts about a statement with its blocks.
#[derive(Clone, Debug)]
pub struct StatementReport {
    /// Its place.
    pub span: Span,
    /// Its facts.
    pub facts: Facts,
}

/// The effects of code on variables, and the data-flow facts before and after it.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Qualified names that it may read.
    pub reads: BTreeSet<String>,
    /// Qualified names that it may assign or delete.
    pub modifies: BTreeSet<String>,
    /// Variables that may be read from where it starts.
    pub live_in: BTreeSet<Name>,
    /// Variables that may be read from where it ends.
    pub live_out: BTreeSet<Name>,
    /// Variables it reads that may be unbound there.
    pub unbound: BTreeSet<Name>,
    /// The definitions that may reach its start.
    pub definitions: BTreeSet<Definition>,
}

/// The analyses of a function.
#[derive(Clone, Debug)]
pub struct ControlFlowReport {
    /// The graph, drawn.
    pub drawing: String,
    /// The drawn nodes by number.
    pub nodes: Vec<NodeReport>,
    /// The statements in the order of the source.
    pub statements: Vec<StatementReport>,
}

/// Analyses a function's body, whose spans are positions in `source`.
#[must_use]
pub fn report_control_flow(
    body: &[Stmt],
    scopes: &Scopes,
    variables: &Variables,
    source: &str,
) -> ControlFlowReport {
    let (graph, labels) = build_labelled(body, scopes, variables);
    let drawing = Drawing::new(&graph, &labels, source);
    let reporter = Reporter::new(&graph, &labels, scopes, variables);
    let mut statements: Vec<StatementReport> = Vec::new();
    let mut extents: Vec<&Extent> = labels.extents.iter().collect();
    extents.sort_by_key(|extent| (extent.span.start, std::cmp::Reverse(extent.span.end), extent.first));
    for extent in extents {
        let facts = reporter.statement(extent);
        match statements.last_mut().filter(|last| last.span == extent.span) {
            Some(last) => last.facts.unite(facts),
            None => statements.push(StatementReport { span: extent.span, facts }),
        }
    }
    ControlFlowReport { drawing: drawing.text(), nodes: reporter.nodes(&drawing), statements }
}

impl Facts {
    fn unite(&mut self, other: Self) {
        self.reads.extend(other.reads);
        self.modifies.extend(other.modifies);
        self.live_in.extend(other.live_in);
        self.live_out.extend(other.live_out);
        self.unbound.extend(other.unbound);
        self.definitions.extend(other.definitions);
    }
}

struct Reporter<'a> {
    graph: &'a ControlFlowGraph,
    labels: &'a Labels,
    variables: &'a Variables,
    spans: BTreeMap<NodeId, Span>,
    live: Liveness,
    unbound: Vec<Option<BitSet>>,
    definitions: Vec<BTreeSet<Definition>>,
}

impl<'a> Reporter<'a> {
    fn new(
        graph: &'a ControlFlowGraph,
        labels: &'a Labels,
        scopes: &'a Scopes,
        variables: &'a Variables,
    ) -> Self {
        let captures = scopes.captures(variables.function);
        let mut always_live = set_of(variables, &captures.used);
        let deleted_inside = set_of(variables, &captures.deleted);
        let mut unbound_at_entry = BitSet::new(variables.len());
        let mut parameters = Vec::new();
        for (variable, name) in variables.iter() {
            let symbol = scopes.scope(variables.function).symbols.get(name);
            if symbol.is_some_and(|symbol| symbol.is_parameter) {
                parameters.push(variable);
            } else if variables.is_own(variable) {
                unbound_at_entry.insert(variable);
            } else {
                always_live.insert(variable);
            }
        }
        let live = liveness(graph, &always_live, |_, _| true);
        let unbound = unbound_reads(graph, variables, &unbound_at_entry, &deleted_inside, |_, point| {
            point == Point::Before
        });
        let spans = labels.extents.iter().map(|extent| (extent.statement, extent.span)).collect();
        let definitions = definitions_before(graph, variables, &parameters, &spans);
        Self { graph, labels, variables, spans, live, unbound: unbound.before, definitions }
    }

    fn names(&self, set: Option<&BitSet>) -> BTreeSet<Name> {
        set.into_iter().flat_map(BitSet::iter).map(|variable| self.variables.name(variable).clone()).collect()
    }

    fn node(&self, node: u32) -> Facts {
        let at = node as usize;
        let activity = &self.graph.activities[at];
        let is_unbound =
            |variable: &Variable| self.unbound[at].as_ref().is_some_and(|set| set.contains(*variable));
        let read = activity.reads.iter().map(|(variable, _)| *variable);
        Facts {
            reads: activity.read_names.iter().map(ToString::to_string).collect(),
            modifies: activity.modified_names.iter().map(ToString::to_string).collect(),
            live_in: self.names(self.live.before[at].as_ref()),
            live_out: self.names(self.live.after[at].as_ref()),
            unbound: read.filter(is_unbound).map(|variable| self.variables.name(variable).clone()).collect(),
            definitions: self.definitions[at].clone(),
        }
    }

    fn nodes(&self, drawing: &Drawing<'_>) -> Vec<NodeReport> {
        let (edges, reached) = drawing.edges();
        let text = |node: u32| match drawing.line(node) {
            Some(line) => line.to_owned(),
            None if node == self.graph.entry => "start".to_owned(),
            None if node == self.graph.exit => "end".to_owned(),
            None => String::new(),
        };
        (0..)
            .zip(&self.graph.statements)
            .filter(|(node, statement)| reached.contains(node) || statement.is_some())
            .map(|(node, statement)| NodeReport {
                number: node,
                text: text(node),
                span: statement.and_then(|id| self.spans.get(&id)).copied(),
                successors: edges
                    .iter()
                    .filter(|(from, ..)| *from == node)
                    .map(|(_, to, label)| (*to, *label))
                    .collect(),
                facts: self.node(node),
            })
            .collect()
    }

    fn statement(&self, extent: &Extent) -> Facts {
        let own = |node: &u32| self.graph.statements[*node as usize] == Some(extent.statement);
        let mut facts = Facts::default();
        for node in extent.first..extent.end {
            let mut node_facts = self.node(node);
            if !own(&node) {
                node_facts.unbound.clear();
            }
            (node_facts.live_in, node_facts.live_out) = Default::default();
            node_facts.definitions.clear();
            facts.unite(node_facts);
        }
        let mut starts = self.ways(&extent.before, |to| (extent.first..extent.end).contains(&to));
        if starts.is_empty() {
            // It has no predecessors: it starts with its own first node.
            starts.extend((extent.first..extent.end).find(own));
        }
        for node in starts {
            facts.live_in.extend(self.names(self.live.before[node as usize].as_ref()));
            facts.definitions.extend(self.definitions[node as usize].iter().cloned());
        }
        facts.live_out = self.live_out(extent);
        facts
    }

    /// The variables that are live after a statement. If it ends in one node, those after that node over any
    /// edge, as the conversion uses them.
    fn live_out(&self, extent: &Extent) -> BTreeSet<Name> {
        let is_join = |node: &u32| self.graph.statements[*node as usize].is_none();
        let after = |node: u32| self.names(self.live.after[node as usize].as_ref());
        match extent.ends.as_slice() {
            _ if extent.end - extent.first == 1 => return after(extent.first),
            [end] if is_join(end) => return after(*end),
            _ => {}
        }
        let leaves = self.ways(&extent.ends, |to| !(extent.first..extent.end).contains(&to));
        if leaves.is_empty() {
            let own = |node: &u32| self.graph.statements[*node as usize] == Some(extent.statement);
            return (extent.first..extent.end).rev().find(own).map(after).unwrap_or_default();
        }
        let before = |node: &u32| self.names(self.live.before[*node as usize].as_ref());
        leaves.iter().flat_map(before).collect()
    }

    /// The successors of some nodes without exception edges.
    fn ways(&self, from: &[u32], is_wanted: impl Fn(u32) -> bool) -> BTreeSet<u32> {
        let edges = |node: &u32| {
            let range = (*node, 0, EdgeKind::Ordinary)..=(*node, u32::MAX, EdgeKind::Exception);
            self.labels.edges.range(range)
        };
        let ordinary = from.iter().flat_map(edges).filter(|(_, _, kind)| *kind == EdgeKind::Ordinary);
        ordinary.map(|(_, to, _)| *to).filter(|to| is_wanted(*to)).collect()
    }
}

fn set_of(variables: &Variables, names: &[Name]) -> BitSet {
    let mut set = BitSet::new(variables.len());
    for variable in names.iter().filter_map(|name| variables.get(name)) {
        set.insert(variable);
    }
    set
}

/// The definitions that may reach each node.
fn definitions_before(
    graph: &ControlFlowGraph,
    variables: &Variables,
    parameters: &[Variable],
    spans: &BTreeMap<NodeId, Span>,
) -> Vec<BTreeSet<Definition>> {
    let mut all: Vec<(u32, Variable)> = parameters.iter().map(|variable| (graph.entry, *variable)).collect();
    for (node, activity) in (0..).zip(&graph.activities) {
        let binds: BTreeSet<Variable> = activity.writes.iter().chain(&activity.may_writes).copied().collect();
        all.extend(binds.into_iter().map(|variable| (node, variable)));
    }
    let mut by_variable: Vec<Vec<u32>> = vec![Vec::new(); variables.len()];
    let mut by_node: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut initial = BitSet::new(all.len());
    for (number, (node, variable)) in (0..).zip(&all) {
        by_variable[*variable as usize].push(number);
        by_node.entry(*node).or_default().push(number);
        if *node == graph.entry {
            initial.insert(number);
        }
    }
    let transfer = |node: u32, set: &mut BitSet| {
        let activity: &Activity = &graph.activities[node as usize];
        for variable in activity.writes.iter().chain(&activity.unbinds) {
            by_variable[*variable as usize].iter().for_each(|number| set.remove(*number));
        }
        by_node.get(&node).into_iter().flatten().for_each(|number| set.insert(*number));
    };
    let problem = Problem {
        graph: &graph.graph,
        direction: Direction::Forward,
        boundary: graph.entry,
        initial: &initial,
        transfer,
    };
    let mut found = vec![BTreeSet::new(); graph.graph.len()];
    problem.solve().walk(|node, point, set| {
        if point == Point::Before {
            found[node as usize] = set
                .iter()
                .map(|number| {
                    let (at, variable) = all[number as usize];
                    let span = graph.statements[at as usize].and_then(|id| spans.get(&id)).copied();
                    Definition { name: variables.name(variable).clone(), span }
                })
                .collect();
        }
    });
    found
}
