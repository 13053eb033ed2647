//! Which variables show one object, at a point of a program.

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::Name;

/// What is shared at a point of the program.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Pairs of variables: what is written into the object of the first is seen through the second.
    pub(crate) seen: BTreeSet<(Name, Name)>,
    /// The variables whose arrays another name has written.
    pub(crate) stale: BTreeMap<Name, Write>,
    /// Variables that are elements of others, `t = x[i]`, with the places where they were bound.
    pub(crate) elements: BTreeMap<Name, BTreeSet<usize>>,
    /// Variables that some path binds otherwise.
    pub(crate) others: BTreeSet<Name>,
}

/// A write in place.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Write {
    /// The name by which it wrote.
    pub(crate) by: Name,
    /// The place of the operation.
    pub(crate) site: usize,
    /// Whether it is `x += v`, which binds numbers anew.
    pub(crate) is_augmented: bool,
}

impl Shared {
    pub(crate) fn join(&mut self, other: Self) {
        let is_shared = |state: &Self, name: &Name| state.seen.iter().any(|(one, _)| one == name);
        let names = self.elements.keys().chain(other.elements.keys());
        let bound_otherwise = |name: &&Name| {
            [&*self, &other].iter().any(|state| !state.elements.contains_key(*name) && is_shared(state, name))
        };
        let others: BTreeSet<Name> = names.filter(bound_otherwise).cloned().collect();
        self.others.extend(others);
        self.others.extend(other.others);
        for (name, sites) in other.elements {
            self.elements.entry(name).or_default().extend(sites);
        }
        self.seen.extend(other.seen);
        for (name, write) in other.stale {
            if self.stale.get(&name).is_none_or(|known| known.is_augmented) {
                self.stale.insert(name, write);
            }
        }
    }

    /// The variables through which what is written into `name` is seen.
    pub(crate) fn readers(&self, name: &Name) -> BTreeSet<Name> {
        self.seen.iter().filter(|(writer, _)| writer == name).map(|(_, reader)| reader.clone()).collect()
    }

    /// The variables whose objects `name` shows: it is one of them, or holds it.
    pub(crate) fn writers(&self, name: &Name) -> BTreeSet<Name> {
        self.seen.iter().filter(|(_, reader)| reader == name).map(|(writer, _)| writer.clone()).collect()
    }

    /// A variable is bound to what may be the memory of others: `row = a[0]`.
    ///
    /// It may be any object that these show. A list that holds one of these sees what is written into the
    /// variable, and a new item of that list is nothing to the variable.
    pub(crate) fn bind(&mut self, name: &Name, sources: &BTreeSet<Name>) {
        let mut same: BTreeSet<Name> = sources.iter().flat_map(|source| self.writers(source)).collect();
        same.extend(sources.iter().cloned());
        self.bind_to(name, same, BTreeSet::new());
    }

    /// A variable is bound to an item of a list, which is not the list: `last = xs.pop()`.
    pub(crate) fn bind_item(&mut self, name: &Name, list: &Name) {
        let items = self.writers(list);
        let mut holders = self.readers(list);
        holders.insert(list.clone());
        self.bind_to(name, items, holders);
    }

    /// A variable is bound to what may be one of `same`; what is written into it is seen through `readers` too.
    fn bind_to(&mut self, name: &Name, same: BTreeSet<Name>, mut readers: BTreeSet<Name>) {
        readers.extend(same.iter().flat_map(|one| self.readers(one)));
        readers.extend(same.iter().cloned());
        self.seen.retain(|(one, other)| one != name && other != name);
        self.stale.remove(name);
        for other in same.into_iter().filter(|other| other != name) {
            self.seen.insert((other, name.clone()));
        }
        for other in readers.into_iter().filter(|other| other != name) {
            self.seen.insert((name.clone(), other));
        }
    }

    /// A list or dict holds an object from now on: what is written into that is seen through the list, and a new
    /// item of the list is nothing to the object, nor to what the list held before.
    pub(crate) fn hold(&mut self, name: &Name, source: &Name) {
        let writers: BTreeSet<Name> = self.writers(source).into_iter().chain([source.clone()]).collect();
        let holders: BTreeSet<Name> = self.readers(name).into_iter().chain([name.clone()]).collect();
        for holder in &holders {
            for writer in writers.iter().filter(|writer| *writer != holder) {
                self.seen.insert((writer.clone(), holder.clone()));
            }
        }
    }

    /// A new container has the items of another, which need no names: what is written into one of these is seen
    /// through both.
    pub(crate) fn bind_items(&mut self, name: &Name, source: &Name, site: usize) {
        let mut writers = self.writers(source);
        let mut readers = self.readers(source);
        readers.insert(source.clone());
        self.bind(name, &BTreeSet::new());
        let items: Name = format!("*{site}").into();
        readers.into_iter().for_each(|reader| {
            self.seen.insert((items.clone(), reader));
        });
        writers.insert(items);
        writers.into_iter().filter(|writer| writer != name).for_each(|writer| {
            self.seen.insert((writer, name.clone()));
        });
    }
}
