//! Reaching definitions, for one question: which reads may find their variable unbound.
//!
//! Only one kind of definition is tracked: "unbound". It holds at the start, and `del x` and the end of
//! `except E as x` make it again.
//!
//! ```text
//! if c:
//!     x = 1
//! print(x)      may be unbound
//! x = 2
//! print(x)      bound
//! ```

use std::collections::HashSet;

use ag_syntax::tree::NodeId;

use crate::activity::Variables;
use crate::bit_set::BitSet;
use crate::control_flow_graph::ControlFlowGraph;
use crate::dataflow::{Direction, Point, Problem};

/// Where variables may be unbound.
#[derive(Debug)]
pub struct UnboundReads {
    /// The expressions that may read an unbound variable.
    pub reads: HashSet<NodeId>,
    /// The variables they read.
    pub variables: BitSet,
    /// The variables that may be unbound before each node, if requested.
    pub before: Vec<Option<BitSet>>,
    /// The variables that may be unbound after each node, if requested.
    pub after: Vec<Option<BitSet>>,
}

/// Solves for unbound variables.
///
/// `at_entry` are the variables that start unbound; `always` are those that other functions may unbind at any
/// time.
#[must_use]
pub fn unbound_reads(
    graph: &ControlFlowGraph,
    variables: &Variables,
    at_entry: &BitSet,
    always: &BitSet,
    is_wanted: impl Fn(u32, Point) -> bool,
) -> UnboundReads {
    let problem = Problem {
        graph: &graph.graph,
        direction: Direction::Forward,
        boundary: graph.entry,
        initial: at_entry,
        transfer: |node: u32, set: &mut BitSet| {
            let activity = &graph.activities[node as usize];
            for variable in &activity.writes {
                set.remove(*variable);
            }
            for variable in &activity.unbinds {
                if variables.is_own(*variable) {
                    set.insert(*variable);
                }
            }
        },
    };
    let count = graph.graph.len();
    let mut found = UnboundReads {
        reads: HashSet::new(),
        variables: BitSet::new(variables.len()),
        before: vec![None; count],
        after: vec![None; count],
    };
    problem.solve().walk(|node, point, set| {
        if point == Point::Before {
            for (variable, read) in &graph.activities[node as usize].reads {
                if set.contains(*variable) || always.contains(*variable) {
                    found.reads.insert(*read);
                    found.variables.insert(*variable);
                }
            }
        }
        if is_wanted(node, point) {
            let mut set = set.clone();
            set.union_with(always);
            let list = if point == Point::Before { &mut found.before } else { &mut found.after };
            list[node as usize] = Some(set);
        }
    });
    found
}
