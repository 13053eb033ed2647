//! Sets of names from iterators.

use std::collections::BTreeSet;

use ag_syntax::tree::Name;

/// What gives names.
///
/// `collect` makes a list of them and sorts that, by code that is made anew for each kind of iterator.
pub(crate) trait IntoSet: Iterator<Item = Name> + Sized {
    /// The set of the names.
    fn into_set(self) -> BTreeSet<Name> {
        let mut set = BTreeSet::new();
        self.for_each(|name| {
            set.insert(name);
        });
        set
    }
}

impl<I: Iterator<Item = Name>> IntoSet for I {}
