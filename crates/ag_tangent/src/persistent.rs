//! Sets and maps of which a branch has its own for what it changes, and not for what is in them.
//!
//! What is known at a point of a program is as large as the program. A branch begins with a copy, and where two branches
//! meet their copies are joined: both cost here what the branches have changed.
//!
//! It is a treap: a tree by the order of its keys, and a heap by a hash of them. One set of keys is one tree, however it
//! came about, so two trees are gone through side by side, and what they share is found by its address.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use ag_syntax::tree::TextHasher;

/// A map, in the order of its keys.
#[derive(Clone, Debug)]
pub(crate) struct Map<K, V>(Link<K, V>);

/// A set, in its order.
pub(crate) type Set<K> = Map<K, ()>;

type Link<K, V> = Option<Rc<Node<K, V>>>;

/// What two maps have for a key of which they say different things.
type Difference<K, V> = (K, Option<V>, Option<V>);

#[derive(Clone, Debug)]
struct Node<K, V> {
    key: K,
    value: V,
    /// That of the key: nothing below has a higher one.
    rank: u64,
    left: Link<K, V>,
    right: Link<K, V>,
}

impl<K: Ord, V> Node<K, V> {
    /// Whether it stands above another key: by its rank, and of equal ones by the key.
    fn is_above(&self, rank: u64, key: &K) -> bool {
        (self.rank, key) > (rank, &self.key)
    }
}

fn rank_of(key: &impl Hash) -> u64 {
    let mut hasher = TextHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

fn is_same<K, V>(one: &Link<K, V>, other: &Link<K, V>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: Ord + Hash + Clone, V: Clone + PartialEq> Map<K, V> {
    pub(crate) fn new() -> Self {
        Self(None)
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        let mut link = &self.0;
        while let Some(node) = link {
            link = match key.cmp(&node.key) {
                Ordering::Equal => return Some(&node.value),
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
            };
        }
        None
    }

    pub(crate) fn contains_key(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        // What it has already leaves it the tree that it shares.
        if self.get(&key) != Some(&value) {
            let rank = rank_of(&key);
            insert(&mut self.0, key, value, rank);
        }
    }

    /// Whether the key was there.
    pub(crate) fn remove(&mut self, key: &K) -> bool {
        let is_known = self.contains_key(key);
        if is_known {
            remove(&mut self.0, key);
        }
        is_known
    }

    /// The keys and values, by keys.
    pub(crate) fn entries(&self) -> Entries<'_, K, V> {
        let mut entries = Entries { above: Vec::new() };
        entries.descend(&self.0);
        entries
    }

    /// The keys, in their order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.entries().map(|(key, _)| key)
    }

    /// Where the two differ: what each has, by keys.
    pub(crate) fn differences(&self, other: &Self) -> Vec<Difference<K, V>> {
        let mut found = Vec::new();
        differences(&self.0, &other.0, &mut found);
        found
    }

    /// Takes over what the other has beside; of what both have it keeps its own.
    pub(crate) fn add_all(&mut self, other: &Self) {
        self.0 = union(&self.0, &other.0);
    }

    /// Keeps the keys that the other has too.
    pub(crate) fn keep_common(&mut self, other: &Self) {
        self.0 = intersection(&self.0, &other.0);
    }
}

impl<K: Ord + Hash + Clone> Set<K> {
    pub(crate) fn contains(&self, key: &K) -> bool {
        self.contains_key(key)
    }

    pub(crate) fn add(&mut self, key: K) {
        self.insert(key, ());
    }
}

impl<K: Ord + Hash + Clone> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        keys.into_iter().for_each(|key| self.add(key));
    }
}

impl<K: Ord + Hash + Clone> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Self::new();
        set.extend(keys);
        set
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        is_equal(&self.0, &other.0)
    }
}

impl<K: Eq, V: Eq> Eq for Map<K, V> {}

fn is_equal<K: PartialEq, V: PartialEq>(one: &Link<K, V>, other: &Link<K, V>) -> bool {
    match (one, other) {
        _ if is_same(one, other) => true,
        (Some(one), Some(other)) => {
            one.key == other.key
                && one.value == other.value
                && is_equal(&one.left, &other.left)
                && is_equal(&one.right, &other.right)
        }
        _ => false,
    }
}

/// The entries of a map, by keys.
pub(crate) struct Entries<'m, K, V> {
    /// The nodes whose left parts have been given.
    above: Vec<&'m Node<K, V>>,
}

impl<'m, K, V> Entries<'m, K, V> {
    fn descend(&mut self, mut link: &'m Link<K, V>) {
        while let Some(node) = link {
            self.above.push(node);
            link = &node.left;
        }
    }
}

impl<'m, K, V> Iterator for Entries<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.above.pop()?;
        self.descend(&node.right);
        Some((&node.key, &node.value))
    }
}

fn insert<K: Ord + Hash + Clone, V: Clone>(link: &mut Link<K, V>, key: K, value: V, rank: u64) {
    match link {
        Some(node) if node.key == key => Rc::make_mut(node).value = value,
        Some(node) if node.is_above(rank, &key) => {
            let is_left = key < node.key;
            let node = Rc::make_mut(node);
            insert(if is_left { &mut node.left } else { &mut node.right }, key, value, rank);
        }
        _ => {
            let (left, _, right) = split(link, &key);
            *link = Some(Rc::new(Node { key, value, rank, left, right }));
        }
    }
}

/// Takes away a key that is there.
fn remove<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: &K) {
    let Some(node) = link else { return };
    match key.cmp(&node.key) {
        Ordering::Equal => *link = merged(&node.left, &node.right),
        Ordering::Less => remove(&mut Rc::make_mut(node).left, key),
        Ordering::Greater => remove(&mut Rc::make_mut(node).right, key),
    }
}

/// One tree of two, of which all keys of the first come before those of the second.
fn merged<K: Ord + Clone, V: Clone>(left: &Link<K, V>, right: &Link<K, V>) -> Link<K, V> {
    match (left, right) {
        (None, other) | (other, None) => other.clone(),
        (Some(one), Some(other)) if one.is_above(other.rank, &other.key) => {
            with_parts(one, one.left.clone(), merged(&one.right, right))
        }
        (Some(_), Some(other)) => with_parts(other, merged(left, &other.left), other.right.clone()),
    }
}

/// A node with other nodes below it; the node itself, if they are those that it has.
fn with_parts<K: Clone, V: Clone>(node: &Rc<Node<K, V>>, left: Link<K, V>, right: Link<K, V>) -> Link<K, V> {
    if is_same(&node.left, &left) && is_same(&node.right, &right) {
        return Some(node.clone());
    }
    let (key, value) = (node.key.clone(), node.value.clone());
    Some(Rc::new(Node { key, value, rank: node.rank, left, right }))
}

/// What comes before a key, what the tree has for it, and what comes after it.
fn split<K: Ord + Clone, V: Clone>(link: &Link<K, V>, key: &K) -> (Link<K, V>, Option<V>, Link<K, V>) {
    let Some(node) = link else { return (None, None, None) };
    match key.cmp(&node.key) {
        Ordering::Equal => (node.left.clone(), Some(node.value.clone()), node.right.clone()),
        Ordering::Less => {
            let (before, value, after) = split(&node.left, key);
            (before, value, with_parts(node, after, node.right.clone()))
        }
        Ordering::Greater => {
            let (before, value, after) = split(&node.right, key);
            (with_parts(node, node.left.clone(), before), value, after)
        }
    }
}

fn union<K: Ord + Clone, V: Clone>(one: &Link<K, V>, other: &Link<K, V>) -> Link<K, V> {
    match (one, other) {
        _ if is_same(one, other) => one.clone(),
        (None, only) | (only, None) => only.clone(),
        (Some(first), Some(second)) if first.key != second.key && second.is_above(first.rank, &first.key) => {
            let (before, _, after) = split(one, &second.key);
            with_parts(second, union(&before, &second.left), union(&after, &second.right))
        }
        (Some(first), Some(second)) => {
            let (before, after) = beside(second, other, &first.key);
            with_parts(first, union(&first.left, &before), union(&first.right, &after))
        }
    }
}

fn intersection<K: Ord + Clone, V: Clone>(one: &Link<K, V>, other: &Link<K, V>) -> Link<K, V> {
    match (one, other) {
        _ if is_same(one, other) => one.clone(),
        (None, _) | (_, None) => None,
        (Some(first), Some(second)) if first.key == second.key => {
            let left = intersection(&first.left, &second.left);
            with_parts(first, left, intersection(&first.right, &second.right))
        }
        (Some(first), Some(second)) if first.is_above(second.rank, &second.key) => {
            // What stands above the root of a tree is not in it.
            let (before, _, after) = split(other, &first.key);
            merged(&intersection(&first.left, &before), &intersection(&first.right, &after))
        }
        (Some(_), Some(second)) => {
            let (before, _, after) = split(one, &second.key);
            merged(&intersection(&before, &second.left), &intersection(&after, &second.right))
        }
    }
}

/// What a tree has before and after a key that stands above it, or at its root.
fn beside<K: Ord + Clone, V: Clone>(
    root: &Node<K, V>,
    link: &Link<K, V>,
    key: &K,
) -> (Link<K, V>, Link<K, V>) {
    if root.key == *key {
        return (root.left.clone(), root.right.clone());
    }
    let (before, _, after) = split(link, key);
    (before, after)
}

fn differences<K: Ord + Clone, V: Clone + PartialEq>(
    one: &Link<K, V>,
    other: &Link<K, V>,
    found: &mut Vec<Difference<K, V>>,
) {
    match (one, other) {
        _ if is_same(one, other) => {}
        (Some(first), second)
            if second
                .as_ref()
                .is_none_or(|second| first.key == second.key || first.is_above(second.rank, &second.key)) =>
        {
            let (before, value, after) = split(other, &first.key);
            differences(&first.left, &before, found);
            if value.as_ref() != Some(&first.value) {
                found.push((first.key.clone(), Some(first.value.clone()), value));
            }
            differences(&first.right, &after, found);
        }
        (_, Some(second)) => {
            let (before, value, after) = split(one, &second.key);
            differences(&before, &second.left, found);
            found.push((second.key.clone(), value, Some(second.value.clone())));
            differences(&after, &second.right, found);
        }
        (_, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Numbers that look random and are the same in each run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    type Both = (Map<u64, u64>, BTreeMap<u64, u64>);

    fn changed((mut map, mut known): Both, numbers: &mut Numbers, times: usize) -> Both {
        for _ in 0..times {
            let (key, value) = (numbers.below(60), numbers.below(3));
            if value == 0 {
                assert_eq!(map.remove(&key), known.remove(&key).is_some());
            } else {
                map.insert(key, value);
                known.insert(key, value);
            }
        }
        (map, known)
    }

    fn entries(map: &Map<u64, u64>) -> Vec<(u64, u64)> {
        map.entries().map(|(key, value)| (*key, *value)).collect()
    }

    #[test]
    fn it_is_a_map() {
        let mut numbers = Numbers(1);
        for _ in 0..300 {
            let common = changed((Map::new(), BTreeMap::new()), &mut numbers, 50);
            let (one, known) = changed(common.clone(), &mut numbers, 9);
            let (other, known_too) = changed(common, &mut numbers, 9);
            assert_eq!(entries(&one), known.clone().into_iter().collect::<Vec<_>>());
            assert_eq!(one == other, known == known_too);
            let mut all = one.clone();
            all.add_all(&other);
            let mut known_all = known_too.clone();
            known_all.extend(known.clone());
            assert_eq!(entries(&all), known_all.into_iter().collect::<Vec<_>>());
            let mut common = one.clone();
            common.keep_common(&other);
            let known_common = known.iter().filter(|(key, _)| known_too.contains_key(*key));
            assert_eq!(entries(&common), known_common.map(|(key, value)| (*key, *value)).collect::<Vec<_>>());
            let mut keys: Vec<u64> = known.keys().chain(known_too.keys()).copied().collect();
            keys.sort_unstable();
            keys.dedup();
            let differing = keys.into_iter().map(|key| (key, known.get(&key), known_too.get(&key)));
            let differing = differing.filter(|(_, one, other)| one != other);
            let differing: Vec<_> = differing.map(|(key, a, b)| (key, a.copied(), b.copied())).collect();
            assert_eq!(one.differences(&other), differing);
        }
    }

    #[test]
    fn one_content_is_one_tree() {
        let (up, down): (Set<u64>, Set<u64>) = ((0..500).collect(), (0..500).rev().collect());
        assert!(up == down);
        let mut joined = up.clone();
        joined.add_all(&down);
        assert!(is_same(&joined.0, &up.0), "a union that adds nothing is what it was");
        joined.keep_common(&down);
        assert!(is_same(&joined.0, &up.0), "and so is an intersection that takes nothing away");
        let mut back = up.clone();
        back.add(900);
        back.remove(&900);
        assert!(back == up);
    }
}
