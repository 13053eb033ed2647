//! Calls, and the functions that are called: who owns the memory of what is handed over.

use super::ids::{BODY, BlockId};
use super::planner::{Planner, Residence, Wanted};
use super::step::{Donated, Step};

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

    /// Results that may be in the memory of a parameter, or of a result, which gets another: they are copied
    /// elsewhere first.
    pub(super) fn stage_results(&mut self) {
        let body = &self.function.body;
        self.staged = vec![None; body.results.len()];
        for (number, result) in body.results.iter().enumerate() {
            if !self.is_scalar(*result) && (self.is_in_taken(number) || self.is_in_output(number)) {
                self.staged[number] = Some(self.new_memory(self.room(*result), BODY, usize::MAX, usize::MAX));
            }
        }
    }

    /// Whether a result that is to come to the memory of a parameter may be in that of another.
    fn is_in_taken(&self, number: usize) -> bool {
        let body = &self.function.body;
        let Some(own) = self.taken.get(number).copied().flatten() else { return false };
        let mut others = self.taken.iter().flatten().filter(|other| **other != own);
        others.any(|other| self.share_memory(body.results[number], body.params[*other]))
    }

    /// Whether a result may be in the memory of another, and is not that one.
    fn is_in_output(&self, number: usize) -> bool {
        let results = &self.function.body.results;
        let memory = &self.residences[results[number]].memory;
        memory.iter().any(|memory| match self.wanted[*memory] {
            Wanted::Output(other) => other != number && results[other] != results[number],
            Wanted::Arena { .. } | Wanted::Cell => false,
        })
    }
}
