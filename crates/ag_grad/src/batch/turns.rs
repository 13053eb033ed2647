//! The order of the two branches of a batched `if`, when rows take both.
//!
//! ```text
//! if %test { call f  push %a tape=0 } else { push %b tape=0 }      // the rows that end here push last
//! if %test { pop tape=0  call f' } else { pop tape=0 }             // so they have to pop first
//! ```
//!
//! A single row runs only one branch. With many rows, both branches may push on one tape, one on top of the
//! other, as happens where a recursion ends. So the branches that pop must run in the opposite order of those
//! that pushed. Values that one branch both pushes and pops do not matter.

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{Block, Node, Op};

use super::varying::{Seen, Varying};

/// The order of the branches, by tape.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    /// Whether the branch for the false rows pushes first on a tape.
    is_else_first: BTreeMap<u32, bool>,
    /// Whether no order satisfies all tapes.
    pub(super) is_impossible: bool,
}

/// The tapes that both branches of an `if` push on, and those that both pop.
struct Touched {
    pushes: BTreeSet<u32>,
    pops: BTreeSet<u32>,
}

/// Pairs of tapes whose orders must be equal, or opposite.
type Ties = BTreeMap<u32, Vec<(u32, bool)>>;

impl Varying {
    /// Finds the order of the branches of a region and of all that it calls.
    pub(super) fn find_turns(&mut self, region: &Block) {
        let mut ties = Ties::new();
        self.tie(region, &mut ties);
        for body in self.bodies.values() {
            self.tie(body, &mut ties);
        }
        let mut turns = Turns::default();
        for first in ties.keys() {
            let mut waiting = vec![(*first, turns.is_else_first.get(first).copied().unwrap_or(false))];
            while let Some((tape, is_else_first)) = waiting.pop() {
                match turns.is_else_first.insert(tape, is_else_first) {
                    Some(before) => turns.is_impossible |= before != is_else_first,
                    None => waiting.extend(
                        ties[&tape].iter().map(|(other, is_opposite)| (*other, is_else_first ^ is_opposite)),
                    ),
                }
            }
        }
        self.turns = turns;
    }

    /// Whether the `else` branch of an `if` runs first.
    pub(super) fn is_else_first(&self, node: &Node) -> bool {
        let Touched { pushes, pops } = self.touched(node);
        let pushed = pushes.first().and_then(|tape| self.turns.is_else_first.get(tape));
        let popped = pops.first().and_then(|tape| self.turns.is_else_first.get(tape));
        pushed.copied().or_else(|| popped.map(|is_else_first| !is_else_first)).unwrap_or(false)
    }

    fn tie(&self, block: &Block, ties: &mut Ties) {
        for node in &block.nodes {
            if node.op == Op::If {
                let Touched { pushes, pops } = self.touched(node);
                let all: Vec<(u32, bool)> = pushes
                    .iter()
                    .map(|tape| (*tape, false))
                    .chain(pops.iter().map(|tape| (*tape, true)))
                    .collect();
                for (one, pops_one) in &all {
                    let others = all.iter().map(|(other, pops_other)| (*other, pops_one != pops_other));
                    ties.entry(*one).or_default().extend(others.filter(|(other, _)| other != one));
                }
            }
            node.regions.iter().for_each(|region| self.tie(region, ties));
        }
    }

    /// The tapes on which both branches push, and from which both pop.
    fn touched(&self, node: &Node) -> Touched {
        let mut branches = node.regions.iter().map(|region| {
            let mut seen = Seen::default();
            seen.block(region);
            let mut touched = Touched { pushes: seen.pushes, pops: seen.pops };
            for callee in &seen.callees {
                let Some((pushes, pops)) = self.tapes_of.get(callee) else { continue };
                touched.pushes.extend(pushes);
                touched.pops.extend(pops);
            }
            touched
        });
        let (Some(then), Some(otherwise)) = (branches.next(), branches.next()) else {
            return Touched { pushes: BTreeSet::new(), pops: BTreeSet::new() };
        };
        let (pushes, pops) = (&then.pushes & &otherwise.pushes, &then.pops & &otherwise.pops);
        Touched { pushes: &pushes - &pops, pops: &pops - &pushes }
    }
}
