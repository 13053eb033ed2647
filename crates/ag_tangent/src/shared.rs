//! Which variables show one object, at a point of a program.

use std::collections::BTreeSet;

use ag_syntax::tree::Name;

use crate::persistent::{Map, Set};
use crate::written_arguments::WriteKind;

/// What is shared at a point of the program.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Shared {
    /// By variable, those through which what is written into its object is seen.
    readers: Map<Name, Map<Name, Origin>>,
    /// The same the other way round: by variable, those whose objects it shows.
    writers: Map<Name, Set<Name>>,
    /// The lists and dicts that may have one array twice.
    pub(crate) doubled: Set<Name>,
    /// The variables whose arrays another name has written.
    stale: Map<Name, Set<Write>>,
}

/// Whether two names have one object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Write {
    /// The name by which it wrote.
    pub(crate) by: Name,
    /// The place of the operation.
    pub(crate) site: usize,
    /// Whether it is `x += v`, which binds numbers anew.
    pub(crate) is_augmented: bool,
    /// How it wrote, if it bound items of an object, a dict or a list anew, or wrote into these.
    pub(crate) of_items: Option<WriteKind>,
    /// Whether the two names have one object.
    pub(crate) origin: Origin,
}

/// Variables, with whether they have the object.
type Names = Vec<(Name, Origin)>;

impl Shared {
    pub(crate) fn join(&mut self, other: &Self) {
        for (writer, own, theirs) in self.readers.differences(&other.readers) {
            let (own, theirs) = (own.unwrap_or_default(), theirs.unwrap_or_default());
            for (reader, _, origin) in own.differences(&theirs) {
                if let Some(origin) = origin {
                    self.pair(writer.clone(), reader, origin);
                }
            }
        }
        self.doubled.add_all(&other.doubled);
        for (name, own, theirs) in self.stale.differences(&other.stale) {
            let mut writes = own.unwrap_or_default();
            writes.add_all(&theirs.unwrap_or_default());
            self.stale.insert(name, writes);
        }
    }

    /// What is written into the object of the first is seen through the second from now on.
    pub(crate) fn pair(&mut self, one: Name, two: Name, origin: Origin) {
        if one == two {
            return;
        }
        let mut readers = self.readers.get(&one).cloned().unwrap_or_default();
        let known = readers.get(&two).cloned();
        readers.insert(two.clone(), known.map_or_else(|| origin.clone(), |known| known.or(&origin)));
        let mut writers = self.writers.get(&two).cloned().unwrap_or_default();
        writers.add(one.clone());
        self.readers.insert(one, readers);
        self.writers.insert(two, writers);
    }

    /// Whether what is written into the object of the first is seen through the second.
    pub(crate) fn shows(&self, one: &Name, two: &Name) -> bool {
        self.readers.get(one).is_some_and(|readers| readers.contains_key(two))
    }

    /// The variables through which what is written into `name` is seen.
    pub(crate) fn readers(&self, name: &Name) -> Names {
        let readers = self.readers.get(name).into_iter().flat_map(Map::entries);
        readers.map(|(reader, origin)| (reader.clone(), origin.clone())).collect()
    }

    /// The variables whose objects `name` shows: it is one of them, or holds it.
    pub(crate) fn writers(&self, name: &Name) -> Names {
        let writers = self.writers.get(name).into_iter().flat_map(Set::keys);
        let with_origin =
            |writer: &Name| Some((writer.clone(), self.readers.get(writer)?.get(name)?.clone()));
        writers.filter_map(with_origin).collect()
    }

    /// The writes to its array by other names that a variable does not know of.
    pub(crate) fn unknown_to(&self, name: &Name) -> Vec<Write> {
        self.stale.get(name).into_iter().flat_map(Set::keys).cloned().collect()
    }

    /// Another name has written to the array of a variable.
    pub(crate) fn note(&mut self, name: Name, write: Write) {
        let mut writes = self.stale.get(&name).cloned().unwrap_or_default();
        writes.add(write);
        self.stale.insert(name, writes);
    }

    /// `a[i] = row`, where `row` is a view of `a` and was written: `a` knows from now on what `row` knows.
    pub(crate) fn tell(&mut self, base: &Name, view: &Name) {
        let known = self.unknown_to(view);
        let stays = |write: &Write| known.iter().any(|other| other.site == write.site);
        if self.stale.contains_key(base) {
            self.stale.insert(base.clone(), self.unknown_to(base).into_iter().filter(stays).collect());
        }
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
        // What stands for the object that a caller has given is the list, and no item of it.
        let is_item = |(one, _): &(Name, Origin)| !one.starts_with(['@', '#', '%']);
        let items: Names = self.writers(list).into_iter().filter(is_item).map(also).collect();
        let mut holders: Names = self.readers(list).into_iter().map(also).collect();
        holders.push((list.clone(), origin.clone()));
        self.bind_to(name, items, holders);
    }

    /// A variable may be an object that another holds, too, and is not that other: the result of a method.
    pub(crate) fn may_hold(&mut self, name: &Name, holder: &Name, origin: &Origin) {
        let items = self.writers(holder).into_iter().filter(|(one, _)| !one.starts_with(['@', '#', '%']));
        for (one, further) in items.collect::<Names>() {
            self.pair(one.clone(), name.clone(), origin.and(&further));
            self.pair(name.clone(), one, origin.and(&further));
        }
        for (one, further) in self.readers(holder) {
            self.pair(name.clone(), one, origin.and(&further));
        }
        self.pair(name.clone(), holder.clone(), origin.clone());
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
        for (reader, _) in self.readers(name) {
            if let Some(mut writers) = self.writers.get(&reader).cloned() {
                writers.remove(name);
                put(&mut self.writers, reader, writers);
            }
        }
        for (writer, _) in self.writers(name) {
            if let Some(mut readers) = self.readers.get(&writer).cloned() {
                readers.remove(name);
                put(&mut self.readers, writer, readers);
            }
        }
        self.readers.remove(name);
        self.writers.remove(name);
        self.stale.remove(name);
        self.doubled.remove(name);
    }

    /// A list or dict holds an object from now on: what is written into that is seen through the list, and a new
    /// item of the list is nothing to the object, nor to what the list held before.
    pub(crate) fn hold(&mut self, name: &Name, source: &Name) {
        let is_held = |one: &Name| self.shows(one, name);
        let mut writers = self.writers(source);
        writers.push((source.clone(), Origin::Always));
        if writers.iter().any(|(one, _)| is_held(one)) || self.doubled.contains(source) {
            self.doubled.add(name.clone());
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

/// Puts what a variable is paired with; a variable without any is not there.
fn put<V: Clone + PartialEq>(pairs: &mut Map<Name, Map<Name, V>>, name: Name, others: Map<Name, V>) {
    if others.is_empty() {
        pairs.remove(&name);
    } else {
        pairs.insert(name, others);
    }
}
