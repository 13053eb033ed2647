//! Joins branches on one condition.
//!
//! ```text
//! %4: f64[] = if %1 then { A } else { B }              %4: f64[], %6: f64[] = if %1 then { A; D } else { B; C }
//! %5: bool[] = logical_not %1                     →
//! %6: f64[] = if %5 then { C } else { D }
//! ```
//!
//! The second branch may use results of the first. What is between the two moves, before the joined branch or
//! after it, and so must be pure. A `break` becomes the two branches: what is after it in the body runs only if
//! there was none.

use std::collections::{HashMap, HashSet};

use ag_ir::{Block, Function, Node, Op, ValueId};

use crate::replace::Replacements;
use crate::truths::Truths;

/// The most nodes between two branches that are joined.
const MOST_BETWEEN: usize = 16;

pub(crate) fn run(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let truths = Truths::of(&body, function);
    Joining { function, truths }.block(&mut body);
    function.body = body;
}

struct Joining<'a> {
    function: &'a Function,
    truths: Truths,
}

impl Joining<'_> {
    fn block(&self, block: &mut Block) {
        let mut kept: Vec<Node> = Vec::with_capacity(block.nodes.len());
        // Where the last branch on a condition is.
        let mut places: HashMap<ValueId, usize> = HashMap::new();
        for node in std::mem::take(&mut block.nodes) {
            if node.op != Op::If {
                kept.push(node);
                continue;
            }
            let condition = self.truths.plain(node.operands[0]).0;
            let first = places.get(&condition).copied();
            let place = match first.filter(|first| self.can_join(&kept[*first..], &node)) {
                Some(first) => {
                    // What is behind the first branch may move.
                    places.retain(|_, place| *place < first);
                    self.join(&mut kept, first, node)
                }
                None => {
                    kept.push(node);
                    kept.len() - 1
                }
            };
            places.insert(condition, place);
        }
        block.nodes = kept;
        for node in &mut block.nodes {
            node.regions.iter_mut().for_each(|region| self.block(region));
        }
    }

    /// Whether a branch can be joined with the first of these nodes.
    fn can_join(&self, nodes: &[Node], second: &Node) -> bool {
        let between = &nodes[1..];
        between.len() <= MOST_BETWEEN
            && between.iter().all(|node| node.is_pure(self.function))
            && !needs(second, &dependents(nodes).1)
    }

    /// Joins a branch with the one at a place; returns the place of both.
    fn join(&self, nodes: &mut Vec<Node>, first: usize, mut second: Node) -> usize {
        let is_later = dependents(&nodes[first..]).0;
        let mut rest = nodes.split_off(first).into_iter();
        let Some(mut joined) = rest.next() else { return first };
        let (late, early): (Vec<_>, Vec<_>) = rest.zip(is_later).partition(|(_, is_later)| *is_later);
        let is_same = self.truths.plain(joined.operands[0]).1 == self.truths.plain(second.operands[0]).1;
        if !is_same {
            second.regions.reverse();
        }
        for (region, other) in joined.regions.iter_mut().zip(&mut second.regions) {
            let mut inside = Replacements::default();
            inside.add_all(&joined.results, &region.results);
            inside.apply(other);
            region.nodes.append(&mut other.nodes);
            region.results.append(&mut other.results);
        }
        joined.results.append(&mut second.results);
        nodes.extend(early.into_iter().map(|(node, _)| node));
        let place = nodes.len();
        nodes.push(joined);
        nodes.extend(late.into_iter().map(|(node, _)| node));
        place
    }
}

/// Which of the nodes after the first need its results, and the results of those nodes.
fn dependents(nodes: &[Node]) -> (Vec<bool>, HashSet<ValueId>) {
    let mut own: HashSet<ValueId> = nodes[0].results.iter().copied().collect();
    let mut later = HashSet::new();
    let mut is_later = Vec::new();
    for node in &nodes[1..] {
        let depends = needs(node, &own);
        is_later.push(depends);
        if depends {
            own.extend(&node.results);
            later.extend(node.results.iter().copied());
        }
    }
    (is_later, later)
}

/// Whether a node, or one inside it, reads one of these values.
fn needs(node: &Node, values: &HashSet<ValueId>) -> bool {
    let any = |ids: &[ValueId]| ids.iter().any(|id| values.contains(id));
    any(&node.operands)
        || node
            .regions
            .iter()
            .any(|region| any(&region.results) || region.nodes.iter().any(|node| needs(node, values)))
}
