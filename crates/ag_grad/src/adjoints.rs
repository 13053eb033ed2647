//! Adjoints of values, as far as the backward pass has come.

use std::collections::BTreeMap;

use ag_ir::{Builder, ValueId};

use crate::emit;
use crate::error::GradientError;

/// What the backward pass has found so far, by the value of the forward pass. What has no entry is zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Adjoints {
    found: BTreeMap<ValueId, ValueId>,
}

impl Adjoints {
    /// The adjoint so far.
    pub(crate) fn get(&self, value: ValueId) -> Option<ValueId> {
        self.found.get(&value).copied()
    }

    /// The adjoint, which nothing is added to any more.
    pub(crate) fn take(&mut self, value: ValueId) -> Option<ValueId> {
        self.found.remove(&value)
    }

    /// What the adjoint is now, all in all: a rule that has added to it in place.
    pub(crate) fn set(&mut self, value: ValueId, total: ValueId) {
        self.found.insert(value, total);
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
}
