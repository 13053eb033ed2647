//! Names of variables, attributes and parameters.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A name as written. Cheap to clone, and cheap to compare: its order is that of its text.
///
/// Passes keep what they know by name, so names are compared more than anything else is done. A name has its first
/// bytes as two numbers, with which most comparisons end.
///
/// ```
/// use ag_syntax::tree::Name;
///
/// let name: Name = "gradient_of_x_1".into();
/// assert_eq!(&*name, "gradient_of_x_1");
/// assert!(name < "gradient_of_x_10".into());
/// ```
#[derive(Clone)]
pub struct Name(Arc<Text>);

struct Text {
    /// The first bytes, the first one highest; zeros where there are none.
    head: [u64; 2],
    text: Box<str>,
}

/// How many bytes `head` has.
const HEAD: usize = 16;

impl Name {
    fn of(text: Box<str>) -> Self {
        let mut bytes = [0; HEAD];
        let count = text.len().min(HEAD);
        bytes[..count].copy_from_slice(&text.as_bytes()[..count]);
        let whole = u128::from_be_bytes(bytes);
        Self(Arc::new(Text { head: [(whole >> 64) as u64, whole as u64], text }))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        let (one, other) = (&*self.0, &*other.0);
        for place in 0..2 {
            if one.head[place] != other.head[place] {
                return if one.head[place] < other.head[place] { Ordering::Less } else { Ordering::Greater };
            }
        }
        // "a" and "a\0" begin alike too.
        match one.text.len() <= HEAD && other.text.len() <= HEAD {
            true => one.text.len().cmp(&other.text.len()),
            false => one.text.cmp(&other.text),
        }
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        let (one, other) = (&*self.0, &*other.0);
        one.head == other.head
            && one.text.len() == other.text.len()
            && (one.text.len() <= HEAD || one.text == other.text)
    }
}

impl Eq for Name {}

/// As that of its text, by which it is found in maps: its bytes, and one that no text has. Those of a short name are
/// in `head`, so that its text is not read, which is elsewhere in memory.
impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Text { head, text } = &*self.0;
        if text.len() > HEAD {
            return text.hash(state);
        }
        let bytes = (u128::from(head[0]) << 64 | u128::from(head[1])).to_be_bytes();
        state.write(&bytes[..text.len()]);
        state.write_u8(0xff);
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, formatter)
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::of(text.into())
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self::of(text.into())
    }
}

impl From<&String> for Name {
    fn from(text: &String) -> Self {
        Self::of(text.as_str().into())
    }
}

impl From<Name> for Arc<str> {
    fn from(name: Name) -> Self {
        (*name).into()
    }
}

/// What is known by name, to be asked for: its order means nothing.
pub type NameMap<V> = HashMap<Name, V, BuildHasherDefault<TextHasher>>;

/// Names, to be asked for: their order means nothing.
pub type NameSet = HashSet<Name, BuildHasherDefault<TextHasher>>;

/// A hash of short texts, the same in each run, that takes less time than to look a name up in a sorted map.
#[derive(Clone, Debug, Default)]
pub struct TextHasher(u64);

impl TextHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for TextHasher {
    fn write(&mut self, mut bytes: &[u8]) {
        while let Some((word, rest)) = bytes.split_first_chunk() {
            self.add(u64::from_le_bytes(*word));
            bytes = rest;
        }
        if !bytes.is_empty() {
            self.add(bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
    }

    /// What ends a text.
    fn write_u8(&mut self, byte: u8) {
        self.add(u64::from(byte));
    }

    /// The low bits depend on all of the text.
    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_text() {
        let long = "a_name_of_twenty_two_x";
        let parts: Vec<String> = (0..=long.len()).map(|end| long[..end].to_owned()).collect();
        let ends = ["", "\0", "\0\0", "0", "9", "_", "a", "é", "\u{10ffff}"];
        let texts: Vec<String> =
            parts.iter().flat_map(|part| ends.iter().map(move |end| format!("{part}{end}"))).collect();
        for one in &texts {
            for other in &texts {
                let (name, second): (Name, Name) = (one.into(), other.into());
                assert_eq!(name.cmp(&second), one.cmp(other), "{one:?} {other:?}");
                assert_eq!(name == second, one == other, "{one:?} {other:?}");
            }
        }
    }

    /// Maps whose keys are names are asked for texts.
    #[test]
    fn the_hash_is_that_of_the_text() {
        use std::hash::{BuildHasher, RandomState};
        let long = "a_name_of_more_than_thirty_two_bytes_é";
        let state = RandomState::new();
        for end in (0..=long.len()).filter(|end| long.is_char_boundary(*end)) {
            let (text, name) = (&long[..end], Name::from(&long[..end]));
            let [mut one, mut other] = [TextHasher::default(), TextHasher::default()];
            text.hash(&mut one);
            name.hash(&mut other);
            assert_eq!(one.finish(), other.finish(), "{text}");
            assert_eq!(state.hash_one(text), state.hash_one(&name), "{text}");
        }
    }

    #[test]
    fn names_that_differ_in_their_last_figures_have_hashes_of_their_own() {
        let hash = |text: String| {
            let mut hasher = TextHasher::default();
            Name::from(text).hash(&mut hasher);
            hasher.finish()
        };
        let hashes: Vec<u64> = (0..10_000).map(|number| hash(format!("value_{number}"))).collect();
        for shift in [0, 50] {
            let places: HashSet<u64> = hashes.iter().map(|hash| (hash >> shift) & 0x3fff).collect();
            // Of 10,000 numbers below 16,384 that are drawn at random, 7,500 differ.
            assert!(places.len() > 7_000, "{shift}: {}", places.len());
        }
    }
}
