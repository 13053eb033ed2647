//! All analysis results about one function that the passes use.

use std::collections::{BTreeMap, HashSet};

use ag_syntax::tree::{Name, NodeId, Stmt};

use crate::activity::{Variable, Variables};
use crate::bit_set::BitSet;
use crate::control_flow_graph::{BranchPoint, ControlFlowGraph};
use crate::dataflow::Point;
use crate::liveness::liveness;
use crate::reaching_definitions::unbound_reads;
use crate::scopes::{ScopeId, Scopes};

/// Facts about an `if`, `while`, `for`, `with` or `try`.
#[derive(Clone, Debug)]
pub struct BranchFacts {
    /// The variables that its blocks may assign or unbind, directly or through functions they call.
    pub modified: BitSet,
    /// The variables that are live where its blocks start; for a loop, also before its test.
    pub live_in: BitSet,
    /// The variables that are live after it, however it ends.
    pub live_out: BitSet,
    /// The variables that may be unbound where its blocks start.
    pub unbound: BitSet,
}

/// Facts about a function.
#[derive(Debug)]
pub struct FunctionFacts {
    /// Its variables.
    pub variables: Variables,
    /// Variables captured by something that may outlive its statement.
    pub captured: BitSet,
    /// Facts about every `if`, `while`, `for`, `with` and `try`.
    pub branches: BTreeMap<NodeId, BranchFacts>,
    /// Name expressions (and targets of `+=`) that may find their variable unbound.
    pub unbound_reads: HashSet<NodeId>,
    /// The variables that these read.
    pub unbound_variables: BitSet,
}

impl FunctionFacts {
    /// Analyses the body of a function.
    ///
    /// `guards` are further names that a loop reads before each iteration.
    #[must_use]
    pub fn of(
        body: &[Stmt],
        scopes: &Scopes,
        function: ScopeId,
        guards: &dyn Fn(NodeId) -> Vec<Name>,
    ) -> Self {
        let variables = Variables::of(scopes, function);
        let graph = ControlFlowGraph::of(body, scopes, &variables, guards);
        let captures = scopes.captures(function);
        let captured = set_of(&variables, &captures.used);
        let written_inside = set_of(&variables, &captures.written);
        let deleted_inside = set_of(&variables, &captures.deleted);
        let mut always_live = captured.clone();
        let mut unbound_at_entry = BitSet::new(variables.len());
        for (variable, name) in variables.iter() {
            let symbol = scopes.scope(function).symbols.get(name);
            if !variables.is_own(variable) {
                always_live.insert(variable);
            } else if !symbol.is_some_and(|symbol| symbol.is_parameter) {
                unbound_at_entry.insert(variable);
            }
        }
        let wanted = WantedPoints::of(&graph);
        let live = liveness(&graph, &always_live, |node, point| wanted.has(node, point));
        let unbound = unbound_reads(&graph, &variables, &unbound_at_entry, &deleted_inside, |node, point| {
            wanted.has(node, point)
        });
        let mut branches = BTreeMap::new();
        for branch in &graph.branches {
            let point = wanted.start(branch);
            let at = |facts: &(&Vec<Option<BitSet>>, &Vec<Option<BitSet>>), node: u32, point: Point| {
                let list = if point == Point::Before { facts.0 } else { facts.1 };
                list[node as usize].clone().unwrap_or_else(|| BitSet::new(variables.len()))
            };
            let live = (&live.before, &live.after);
            let unbound = (&unbound.before, &unbound.after);
            // `while (x := f()) > 0: g(x)`: the body reads the variable that the test binds, and nobody reads
            // it before.
            let mut live_in = at(&live, branch.head, Point::After);
            live_in.union_with(&at(&live, branch.head, point));
            // A handler around it reads what it has bound when something in it fails.
            let mut live_out = at(&live, branch.leave, Point::Before);
            if let Some(around) = branch.around {
                live_out.union_with(&at(&live, around, Point::Before));
            }
            let facts = BranchFacts {
                modified: modified(&graph, branch, &written_inside),
                live_in,
                live_out,
                unbound: at(&unbound, branch.head, point),
            };
            merge(&mut branches, branch.statement, facts);
        }
        let (unbound_reads, unbound_variables) = (unbound.reads, unbound.variables);
        Self { variables, captured, branches, unbound_reads, unbound_variables }
    }

    /// The state of a statement: first the variables that are live after it, then the others; and the number
    /// of the first.
    #[must_use]
    pub fn state(&self, statement: NodeId) -> (Vec<Variable>, usize) {
        let Some(facts) = self.branches.get(&statement) else { return (Vec::new(), 0) };
        let is_output = |variable: &Variable| facts.live_out.contains(*variable);
        let mut state: Vec<Variable> = facts.modified.iter().filter(is_output).collect();
        let outputs = state.len();
        let is_input = |variable: &Variable| facts.live_in.contains(*variable) && !is_output(variable);
        state.extend(facts.modified.iter().filter(is_input));
        (state, outputs)
    }
}

fn set_of(variables: &Variables, names: &[Name]) -> BitSet {
    let mut set = BitSet::new(variables.len());
    for variable in names.iter().filter_map(|name| variables.get(name)) {
        set.insert(variable);
    }
    set
}

fn modified(graph: &ControlFlowGraph, branch: &BranchPoint, written_inside: &BitSet) -> BitSet {
    let mut set = written_inside.clone();
    for activity in &graph.activities[branch.first as usize..branch.end as usize] {
        for variable in activity.writes.iter().chain(&activity.may_writes).chain(&activity.unbinds) {
            set.insert(*variable);
        }
    }
    set
}

/// A statement in a `finally` appears in the graph twice: unites its facts.
fn merge(branches: &mut BTreeMap<NodeId, BranchFacts>, statement: NodeId, facts: BranchFacts) {
    if let Some(known) = branches.get_mut(&statement) {
        known.modified.union_with(&facts.modified);
        known.live_in.union_with(&facts.live_in);
        known.live_out.union_with(&facts.live_out);
        known.unbound.union_with(&facts.unbound);
    } else {
        branches.insert(statement, facts);
    }
}

/// The program points whose facts are kept.
struct WantedPoints {
    before: Vec<bool>,
    after: Vec<bool>,
}

impl WantedPoints {
    fn of(graph: &ControlFlowGraph) -> Self {
        let count = graph.graph.len();
        let mut wanted = Self { before: vec![false; count], after: vec![false; count] };
        for branch in &graph.branches {
            wanted.before[branch.leave as usize] = true;
            if let Some(around) = branch.around {
                wanted.before[around as usize] = true;
            }
            wanted.after[branch.head as usize] = true;
            if wanted.start(branch) == Point::Before {
                wanted.before[branch.head as usize] = true;
            }
        }
        wanted
    }

    /// The point where the blocks of a statement start: after the test of an `if`, at the head of a loop.
    fn start(&self, branch: &BranchPoint) -> Point {
        if branch.is_loop { Point::Before } else { Point::After }
    }

    fn has(&self, node: u32, point: Point) -> bool {
        match point {
            Point::Before => self.before[node as usize],
            Point::After => self.after[node as usize],
        }
    }
}
