//! Which variables show one object, at a point of a program.

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::Name;

/// What is shared at a point of the program.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Pairs of variables: what is written into the object of the first is seen through the second.
    seen: BTreeMap<(Name, Name), Origin>,
    /// The lists and dicts that may have one array twice.
    pub(crate) doubled: BTreeSet<Name>,
    /// The variables whose arrays another name has written.
    pub(crate) stale: BTreeMap<Name, BTreeSet<Write>>,
}

/// Whether two names have one object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// As far as is known.
    Always,
    /// Only if what was bound at these places is what a guard there refuses: `t = a[i]` an array, `y = f(a)` an array
    /// that `f` was given.
    Guarded(BTreeSet<usize>),
}

impl Origin {
    /// That of a pair which two paths have.
    fn or(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Guarded(mut sites), Self::Guarded(more)) => {
                sites.extend(more);
                Self::Guarded(sites)
            }
            _ => Self::Always,
        }
    }

    /// That of a pair which needs both.
    pub(crate) fn and(&self, other: &Self) -> Self {
        if *self == Self::Always { other.clone() } else { self.clone() }
    }
}

/// A write in place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Write {
    /// The name by which it wrote.
    pub(crate) by: Name,
    /// The place of the operation.
    pub(crate) site: usize,
    /// Whether it is `x += v`, which binds numbers anew.
    pub(crate) is_augmented: bool,
    /// Whether the two names have one object.
    pub(crate) origin: Origin,
}

/// Variables, with whether they have the object.
type Names = Vec<(Name, Origin)>;

impl Shared {
    pub(crate) fn join(&mut self, other: Self) {
        for ((one, two), origin) in other.seen {
            self.pair(one, two, origin);
        }
        self.doubled.extend(other.doubled);
        for (name, writes) in other.stale {
            self.stale.entry(name).or_default().extend(writes);
        }
    }

    /// What is written into the object of the first is seen through the second from now on.
    pub(crate) fn pair(&mut self, one: Name, two: Name, origin: Origin) {
        if one == two {
            return;
        }
        let known = self.seen.remove(&(one.clone(), two.clone()));
        let origin = known.map_or_else(|| origin.clone(), |known| known.or(&origin));
        self.seen.insert((one, two), origin);
    }

    /// The variables through which what is written into `name` is seen.
    pub(crate) fn readers(&self, name: &Name) -> Names {
        let pairs = self.seen.iter().filter(|((writer, _), _)| writer == name);
        pairs.map(|((_, reader), origin)| (reader.clone(), origin.clone())).collect()
    }

    /// The variables whose objects `name` shows: it is one of them, or holds it.
    pub(crate) fn writers(&self, name: &Name) -> Names {
        let pairs = self.seen.iter().filter(|((_, reader), _)| reader == name);
        pairs.map(|((writer, _), origin)| (writer.clone(), origin.clone())).collect()
    }

    /// A variable is bound to what may be the memory of others: `row = a[0]`.
    ///
    /// It may be any object that these show. A list that holds one of these sees what is written into the
    /// variable, and a new item of that list is nothing to the variable.
    pub(crate) fn bind(&mut self, name: &Name, sources: &BTreeSet<Name>, origin: &Origin) {
        let mut same = Names::new();
        for source in sources {
            same.push((source.clone(), origin.clone()));
            same.extend(self.writers(source).into_iter().map(|(one, further)| (one, origin.and(&further))));
        }
        self.bind_to(name, same, Names::new());
    }

    /// A variable is bound to the object of another: `b = a`.
    pub(crate) fn alias(&mut self, name: &Name, source: &Name) {
        if name == source {
            return;
        }
        let (writers, readers) = (self.writers(source), self.readers(source));
        self.unbind(name);
        for (writer, origin) in writers.into_iter().filter(|(writer, _)| writer != name) {
            self.pair(writer, name.clone(), origin);
        }
        for (reader, origin) in readers.into_iter().filter(|(reader, _)| reader != name) {
            self.pair(name.clone(), reader, origin);
        }
        self.pair(name.clone(), source.clone(), Origin::Always);
        self.pair(source.clone(), name.clone(), Origin::Always);
    }

    /// A variable is bound to an item of a list, which is not the list: `last = xs.pop()`.
    pub(crate) fn bind_item(&mut self, name: &Name, list: &Name, origin: &Origin) {
        let also = |(one, further): (Name, Origin)| (one, origin.and(&further));
        let items: Names = self.writers(list).into_iter().map(also).collect();
        let mut holders: Names = self.readers(list).into_iter().map(also).collect();
        holders.push((list.clone(), origin.clone()));
        self.bind_to(name, items, holders);
    }

    /// A variable is bound to what may be one of `same`; what is written into it is seen through `readers` too.
    fn bind_to(&mut self, name: &Name, same: Names, mut readers: Names) {
        for (one, origin) in &same {
            readers
                .extend(self.readers(one).into_iter().map(|(other, further)| (other, origin.and(&further))));
        }
        readers.extend(same.iter().cloned());
        self.unbind(name);
        for (other, origin) in same {
            self.pair(other, name.clone(), origin);
        }
        for (other, origin) in readers {
            self.pair(name.clone(), other, origin);
        }
    }

    /// A variable is bound to an object that no other has.
    pub(crate) fn unbind(&mut self, name: &Name) {
        self.seen.retain(|(one, other), _| one != name && other != name);
        self.stale.remove(name);
        self.doubled.remove(name);
    }

    /// A list or dict holds an object from now on: what is written into that is seen through the list, and a new
    /// item of the list is nothing to the object, nor to what the list held before.
    pub(crate) fn hold(&mut self, name: &Name, source: &Name) {
        let is_held = |one: &Name| self.seen.contains_key(&(one.clone(), name.clone()));
        let mut writers = self.writers(source);
        writers.push((source.clone(), Origin::Always));
        if writers.iter().any(|(one, _)| is_held(one)) || self.doubled.contains(source) {
            self.doubled.insert(name.clone());
        }
        let mut holders = self.readers(name);
        holders.push((name.clone(), Origin::Always));
        for (holder, held_by) in &holders {
            for (writer, origin) in &writers {
                self.pair(writer.clone(), holder.clone(), origin.and(held_by));
            }
        }
    }

    /// A new container has the items of another, which need no names: what is written into one of these is seen
    /// through both.
    pub(crate) fn bind_items(&mut self, name: &Name, source: &Name, site: usize) {
        let mut writers = self.writers(source);
        let mut readers = self.readers(source);
        readers.push((source.clone(), Origin::Always));
        self.unbind(name);
        let items: Name = format!("*{site}").into();
        for (reader, origin) in readers {
            self.pair(items.clone(), reader, origin);
        }
        writers.push((items, Origin::Always));
        for (writer, origin) in writers {
            self.pair(writer, name.clone(), origin);
        }
    }
}
