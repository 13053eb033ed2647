//! A table indexed by the values of a function.

use std::ops::{Index, IndexMut};

use ag_ir::{Function, ValueId};

/// One item for each value of a function.
#[derive(Clone, Debug)]
pub(crate) struct ValueMap<T>(Vec<T>);

impl<T: Clone> ValueMap<T> {
    /// A table with the same item for all values.
    pub(crate) fn of(function: &Function, each: T) -> Self {
        Self(vec![each; function.values.len()])
    }
}

impl<T> ValueMap<T> {
    /// The same values with other items.
    pub(crate) fn map<U>(&self, item: impl FnMut(&T) -> U) -> ValueMap<U> {
        ValueMap(self.0.iter().map(item).collect())
    }

    /// All values, each with its item.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ValueId, &T)> {
        self.0.iter().enumerate().map(|(number, of)| (ValueId(number as u32), of))
    }
}

impl<T> Index<ValueId> for ValueMap<T> {
    type Output = T;

    fn index(&self, value: ValueId) -> &T {
        &self.0[value.0 as usize]
    }
}

impl<T> IndexMut<ValueId> for ValueMap<T> {
    fn index_mut(&mut self, value: ValueId) -> &mut T {
        &mut self.0[value.0 as usize]
    }
}
