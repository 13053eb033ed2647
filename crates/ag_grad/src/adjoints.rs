//! The adjoints that the backward pass has accumulated so far.

use std::collections::BTreeMap;

use ag_ir::{Builder, ValueId};

use crate::emit;
use crate::error::GradientError;

/// The adjoints so far, by the value of the forward pass. A value without an entry has a zero adjoint.
///
/// Each region has its own layer: the adjoints that it finds of outer values are its results.
#[derive(Debug)]
pub(crate) struct Adjoints {
    layers: Vec<BTreeMap<ValueId, ValueId>>,
}

impl Default for Adjoints {
    fn default() -> Self {
        Self { layers: vec![BTreeMap::new()] }
    }
}

impl Adjoints {
    /// The adjoint so far.
    pub(crate) fn get(&self, value: ValueId) -> Option<ValueId> {
        self.layers.iter().rev().find_map(|layer| layer.get(&value)).copied()
    }

    /// Removes the adjoint of a value of the innermost block, when it is complete.
    pub(crate) fn take(&mut self, value: ValueId) -> Option<ValueId> {
        self.innermost().remove(&value)
    }

    /// Replaces the adjoint, for a rule that has added to it in place.
    pub(crate) fn set(&mut self, value: ValueId, total: ValueId) {
        self.innermost().insert(value, total);
    }

    /// Adds to the adjoint of a value.
    pub(crate) fn add(
        &mut self,
        builder: &mut Builder,
        value: ValueId,
        part: ValueId,
    ) -> Result<(), GradientError> {
        let total = match self.get(value) {
            Some(before) => emit::sum(builder, before, part)?,
            None => part,
        };
        self.set(value, total);
        Ok(())
    }

    /// Enters a region.
    pub(crate) fn enter(&mut self) {
        self.layers.push(BTreeMap::new());
    }

    /// Leaves a region; returns the adjoints that it has found.
    pub(crate) fn leave(&mut self) -> BTreeMap<ValueId, ValueId> {
        self.layers.pop().unwrap_or_default()
    }

    fn innermost(&mut self) -> &mut BTreeMap<ValueId, ValueId> {
        if self.layers.is_empty() {
            self.layers.push(BTreeMap::new());
        }
        let last = self.layers.len() - 1;
        &mut self.layers[last]
    }
}
