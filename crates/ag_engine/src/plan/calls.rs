//! Calls, and the functions that are called: who owns the memory of what is handed over.

use ag_ir::ValueId;

use super::tree::BlockId;
use super::{Planner, Residence, Step};

/// An argument whose memory a result of the call takes over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Donated {
    /// Its number.
    pub(crate) argument: usize,
    /// The number of the result.
    pub(crate) result: usize,
    /// The argument, if it has to be copied to the result first.
    pub(crate) copied: Option<ValueId>,
}

impl Planner<'_> {
    pub(super) fn plan_call(&mut self, callee: usize, block: BlockId, index: usize) -> Step {
        let node = self.tree.node(block, index);
        let donations = self.donations;
        let taken = donations.of_function(callee);
        let mut donated = Vec::new();
        for (number, result) in node.results.iter().enumerate() {
            if self.is_scalar(*result) {
                continue;
            }
            let Some(argument) = taken.get(number).copied().flatten() else {
                self.place(*result, &node.operands, block, index);
                continue;
            };
            let mut others = node.operands.clone();
            let given = others.remove(argument);
            let copied = self.place_update(*result, given, &others, block, index);
            donated.push(Donated { argument, result: number, copied });
        }
        Step::Call(donated)
    }

    /// The parameters: this function's to write where a result takes over their memory.
    pub(super) fn reside_params(&mut self) {
        for (number, param) in self.function.body.params.iter().enumerate() {
            let token = self.new_token(self.taken.contains(&Some(number)), None);
            self.reside(*param, Residence { tokens: vec![token], memory: Vec::new(), is_whole: true });
        }
    }

    /// Results that are to come to the memory of a parameter, and may be in that of another which gets one
    /// too: these are copied elsewhere first.
    pub(super) fn stage_results(&mut self) {
        let body = &self.function.body;
        self.staged = vec![None; body.results.len()];
        for (number, result) in body.results.iter().enumerate() {
            let Some(own) = self.taken.get(number).copied().flatten() else { continue };
            let meets = self
                .taken
                .iter()
                .flatten()
                .any(|other| *other != own && self.share_memory(*result, body.params[*other]));
            if meets {
                self.staged[number] = Some(self.new_memory(self.room(*result), 0, usize::MAX, usize::MAX));
            }
        }
    }
}
