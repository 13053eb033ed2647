//! The values that a block captures from the blocks around it.

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{Block, Builder, Op, ValueId};

use crate::activity::callees_of;

/// The values that a block uses and does not bind (its free variables), in the order of their numbers,
/// including those that the functions it calls capture.
pub(crate) fn free_values(builder: &Builder, block: &Block) -> BTreeSet<ValueId> {
    let surveys: BTreeMap<usize, Survey> = callees_of(builder, &block.nodes)
        .into_iter()
        .filter_map(|callee| Some((callee, Survey::of(builder.body(callee)?))))
        .collect();
    let mut captures: BTreeMap<usize, BTreeSet<ValueId>> =
        surveys.iter().map(|(callee, survey)| (*callee, &survey.uses - &survey.binds)).collect();
    loop {
        let mut has_grown = false;
        for (caller, survey) in &surveys {
            let passed = survey.passed(&captures);
            let own = captures.entry(*caller).or_default();
            has_grown |= !passed.is_subset(own);
            own.extend(passed);
        }
        if !has_grown {
            break;
        }
    }
    let survey = Survey::of(block);
    let mut free = &survey.uses - &survey.binds;
    free.extend(survey.passed(&captures));
    free
}

#[derive(Default)]
struct Survey {
    binds: BTreeSet<ValueId>,
    uses: BTreeSet<ValueId>,
    calls: BTreeSet<usize>,
}

impl Survey {
    fn of(block: &Block) -> Self {
        let mut survey = Self::default();
        survey.block(block);
        survey
    }

    fn block(&mut self, block: &Block) {
        self.binds.extend(&block.params);
        self.uses.extend(&block.results);
        for node in &block.nodes {
            self.binds.extend(&node.results);
            self.uses.extend(&node.operands);
            if let Op::Call(call) = &node.op {
                self.calls.insert(call.callee);
            }
            node.regions.iter().for_each(|region| self.block(region));
        }
    }

    /// The values that the functions called here capture.
    fn passed(&self, captures: &BTreeMap<usize, BTreeSet<ValueId>>) -> BTreeSet<ValueId> {
        let captured = self.calls.iter().filter_map(|callee| captures.get(callee)).flatten().copied();
        captured.filter(|value| !self.binds.contains(value)).collect()
    }
}
