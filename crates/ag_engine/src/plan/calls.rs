//! Calls of functions of the graph: who owns the memory of arguments and results.

use super::ids::{BODY, BlockId};
use super::planner::{MemoryRequest, Planner, Residence};
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

    /// Gives each parameter an alias class. The function may write a parameter only if a result takes over its
    /// memory.
    pub(super) fn reside_params(&mut self) {
        for (number, param) in self.function.body.params.iter().enumerate() {
            let class = self.new_class(self.taken.contains(&Some(number)), None);
            self.reside(*param, Residence { classes: vec![class], memory: Vec::new(), is_whole: true });
        }
    }

    /// Finds the results that may lie in memory which another result is written to: they wait elsewhere (a
    /// parallel move).
    pub(super) fn stage_results(&mut self) {
        let body = &self.function.body;
        self.staged = vec![None; body.results.len()];
        for (number, result) in body.results.iter().enumerate() {
            if !self.is_scalar(*result) && (self.is_in_taken(number) || self.is_in_output(number)) {
                self.staged[number] = Some(self.new_memory(self.room(*result), BODY, usize::MAX, usize::MAX));
            }
        }
    }

    /// Whether a result that takes over one parameter's memory may lie in the memory of another such
    /// parameter.
    fn is_in_taken(&self, number: usize) -> bool {
        let body = &self.function.body;
        let Some(own) = self.taken.get(number).copied().flatten() else { return false };
        let mut others = self.taken.iter().flatten().filter(|other| **other != own);
        others.any(|other| self.share_memory(body.results[number], body.params[*other]))
    }

    /// Whether a result may lie in the memory of another result.
    fn is_in_output(&self, number: usize) -> bool {
        let results = &self.function.body.results;
        let memory = &self.residences[results[number]].memory;
        memory.iter().any(|memory| match self.requests[*memory] {
            MemoryRequest::Output(other) => other != number && results[other] != results[number],
            MemoryRequest::Arena { .. } | MemoryRequest::Cell => false,
        })
    }
}
