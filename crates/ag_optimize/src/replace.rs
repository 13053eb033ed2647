//! Replacements of values: a pass notes here which value to use for the result of a dropped node.

use std::collections::HashMap;

use ag_ir::{Block, Node, ValueId};

/// The value to use in place of each replaced one.
#[derive(Debug, Default)]
pub(crate) struct Replacements {
    to: HashMap<ValueId, ValueId>,
}

impl Replacements {
    /// Uses `new` in place of `old` from now on.
    pub(crate) fn add(&mut self, old: ValueId, new: ValueId) {
        let new = self.resolve(new);
        if old != new {
            self.to.insert(old, new);
        }
    }

    pub(crate) fn add_all(&mut self, old: &[ValueId], new: &[ValueId]) {
        for (old, new) in old.iter().zip(new) {
            self.add(*old, *new);
        }
    }

    /// The value to use in place of this one.
    pub(crate) fn resolve(&self, mut id: ValueId) -> ValueId {
        while let Some(next) = self.to.get(&id) {
            id = *next;
        }
        id
    }

    pub(crate) fn resolve_all(&self, ids: &mut [ValueId]) {
        for id in ids {
            *id = self.resolve(*id);
        }
    }

    /// Replaces all uses in a block and its regions.
    pub(crate) fn apply(&self, block: &mut Block) {
        if self.to.is_empty() {
            return;
        }
        for node in &mut block.nodes {
            self.apply_to_node(node);
        }
        self.resolve_all(&mut block.results);
    }

    fn apply_to_node(&self, node: &mut Node) {
        self.resolve_all(&mut node.operands);
        for region in &mut node.regions {
            self.apply(region);
        }
    }
}
