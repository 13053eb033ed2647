//! Tapes: drops pushes of values that nobody needs from a tape.
//!
//! ```text
//! for %0, %1, %2 body(%3: i64[]) {           for %0, %1, %2 body(%3: i64[]) {
//!   %4: f64[] = sin %8                         yield
//!   tape_push %4 tape=0                      }
//!   tape_push %9 tape=1                 →
//!   yield
//! }
//! for %0, %1, %2 body(%5: i64[]) {           for %0, %1, %2 body(%5: i64[]) {
//!   %6: f64[] = tape_pop tape=1                print %9 site=1
//!   %7: f64[] = tape_pop tape=0                yield
//!   print %6 site=1                          }
//!   yield
//! }
//! ```
//!
//! - A tape is live if a popped value is used. A tape that is not live loses its pushes and pops, and
//!   everything that only they needed, which may include another tape.
//! - If all pushes on a tape are of one value, its pops are replaced by that value: a literal, or a value
//!   that the main function binds once a run.
//! - All functions of a graph share one tape, so this pass runs on graphs.

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{Block, Constant, Function, Node, Op, ValueId};

use crate::dead_code::{self, Liveness};
use crate::replace::Replacements;

pub(crate) fn run(graph: &mut Function) {
    let mut functions = std::mem::take(&mut graph.functions);
    let mut all: Vec<&mut Function> = std::iter::once(&mut *graph).chain(&mut functions).collect();
    if all.iter().any(|function| holds_tape(&function.body)) {
        let live = live_tapes(&all);
        all.iter_mut().for_each(|function| dead_code::run_with_tapes(function, &live));
        let uniform = uniform_tapes(&all);
        all.iter_mut().for_each(|function| take_values(function, &uniform));
    }
    graph.functions = functions;
}

fn holds_tape(block: &Block) -> bool {
    let mut nodes = block.nodes.iter();
    nodes.any(|node| number(&node.op).is_some() || node.regions.iter().any(holds_tape))
}

/// The tape that a node puts values on or takes them from.
const fn number(op: &Op) -> Option<u32> {
    match op {
        Op::TapePush(tape) | Op::TapeSave(tape) | Op::TapeLoad(tape) => Some(*tape),
        Op::TapePop(pop) => Some(pop.tape),
        _ => None,
    }
}

fn each_node<'f>(block: &'f Block, visit: &mut impl FnMut(&'f Node)) {
    for node in &block.nodes {
        visit(node);
        node.regions.iter().for_each(|region| each_node(region, visit));
    }
}

/// The tapes of which a value is needed: starts with none, and adds tapes until nothing changes.
fn live_tapes(functions: &[&mut Function]) -> BTreeSet<u32> {
    let mut live = BTreeSet::new();
    loop {
        let before = live.len();
        for function in functions {
            live = Liveness::of_tapes(function, live);
        }
        if live.len() == before {
            return live;
        }
    }
}

/// The one value that is pushed on a tape.
#[derive(Clone, Debug, PartialEq)]
enum Only {
    Constant(Constant),
    /// A value that the body of the main function binds at this node; none for a parameter.
    Bound(ValueId, Option<usize>),
}

/// The tapes on which only one value is pushed.
fn uniform_tapes(functions: &[&mut Function]) -> BTreeMap<u32, Only> {
    let mut found: BTreeMap<u32, Option<Only>> = BTreeMap::new();
    for (number, function) in functions.iter().enumerate() {
        let values = values_of(function, number == 0);
        each_node(&function.body, &mut |node| {
            let (tape, value) = match node.op {
                Op::TapePush(tape) => (tape, values.get(&node.operands[0]).cloned()),
                // The values are in the bytes, or are needed as bytes.
                Op::TapeSave(tape) | Op::TapeLoad(tape) => (tape, None),
                _ => return,
            };
            let only = found.entry(tape).or_insert_with(|| value.clone());
            if *only != value {
                *only = None;
            }
        });
    }
    let mut uniform: BTreeMap<u32, Only> =
        found.into_iter().filter_map(|(tape, only)| Some((tape, only?))).collect();
    // A value of the main function must be bound before the tape is popped.
    for (number, function) in functions.iter().enumerate() {
        for (index, node) in function.body.nodes.iter().enumerate() {
            let mut visit = |node: &Node| {
                if let Op::TapePop(pop) = &node.op
                    && let Some(Only::Bound(_, at)) = uniform.get(&pop.tape)
                    && (number > 0 || at.is_some_and(|at| at >= index))
                {
                    uniform.remove(&pop.tape);
                }
            };
            visit(node);
            node.regions.iter().for_each(|region| each_node(region, &mut visit));
        }
    }
    uniform
}

/// The literals of a function; for the main function, also the values that are bound once a run.
fn values_of(function: &Function, is_main: bool) -> BTreeMap<ValueId, Only> {
    let mut values = BTreeMap::new();
    if is_main {
        let params = function.body.params.iter().map(|param| (*param, Only::Bound(*param, None)));
        values.extend(params);
        for (index, node) in function.body.nodes.iter().enumerate() {
            let results = node.results.iter();
            values.extend(results.map(|result| (*result, Only::Bound(*result, Some(index)))));
        }
    }
    each_node(&function.body, &mut |node| {
        if let Op::Constant(constant) = &node.op {
            values.insert(node.results[0], Only::Constant(constant.clone()));
        }
    });
    values
}

/// Replaces the pops of such tapes by their value.
fn take_values(function: &mut Function, uniform: &BTreeMap<u32, Only>) {
    if uniform.is_empty() {
        return;
    }
    let mut replacements = Replacements::default();
    take_values_in(&mut function.body, uniform, &mut replacements);
    replacements.apply(&mut function.body);
}

fn take_values_in(block: &mut Block, uniform: &BTreeMap<u32, Only>, replacements: &mut Replacements) {
    block.nodes.retain_mut(|node| {
        node.regions.iter_mut().for_each(|region| take_values_in(region, uniform, replacements));
        let Some(only) = number(&node.op).and_then(|tape| uniform.get(&tape)) else { return true };
        match (&node.op, only) {
            (Op::TapePop(_), Only::Constant(constant)) => {
                node.op = Op::Constant(constant.clone());
                true
            }
            (Op::TapePop(_), Only::Bound(value, _)) => {
                replacements.add(node.results[0], *value);
                false
            }
            // The pushes are not needed any more.
            (_, Only::Constant(_) | Only::Bound(..)) => false,
        }
    });
}
