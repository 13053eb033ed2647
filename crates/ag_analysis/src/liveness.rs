//! Liveness: which variables may still be read.
//!
//! ```text
//! x = 1        live before: –      live after: x
//! y = x + 1    live before: x      live after: y
//! return y     live before: y
//! ```
//!
//! Exception edges count: a variable that a handler reads is live all through the `try`. A variable is live
//! everywhere if something that outlives its statement captures it, or if it is declared `global` or
//! `nonlocal`: code outside may read it.

use crate::bit_set::BitSet;
use crate::control_flow_graph::ControlFlowGraph;
use crate::dataflow::{Direction, Point, Problem};

/// The live variables at the requested points.
#[derive(Debug)]
pub struct Liveness {
    /// Before each node, if requested.
    pub before: Vec<Option<BitSet>>,
    /// After each node, if requested.
    pub after: Vec<Option<BitSet>>,
}

/// Solves liveness. `always` are live at every point; `is_wanted` says where facts are kept.
#[must_use]
pub fn liveness(
    graph: &ControlFlowGraph,
    always: &BitSet,
    is_wanted: impl Fn(u32, Point) -> bool,
) -> Liveness {
    let problem = Problem {
        graph: &graph.graph,
        direction: Direction::Backward,
        boundary: graph.exit,
        initial: always,
        transfer: |node: u32, set: &mut BitSet| {
            let activity = &graph.activities[node as usize];
            for variable in activity.writes.iter().chain(&activity.unbinds) {
                set.remove(*variable);
            }
            for (variable, _) in &activity.reads {
                set.insert(*variable);
            }
        },
    };
    let count = graph.graph.len();
    let mut facts = Liveness { before: vec![None; count], after: vec![None; count] };
    problem.solve().walk(|node, point, set| {
        if is_wanted(node, point) {
            let mut set = set.clone();
            set.union_with(always);
            let list = if point == Point::Before { &mut facts.before } else { &mut facts.after };
            list[node as usize] = Some(set);
        }
    });
    facts
}
