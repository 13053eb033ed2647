//! Sets of small numbers: one bit for each.

/// A set of numbers below a fixed width.
///
/// ```
/// use ag_analysis::BitSet;
///
/// let mut set = BitSet::new(70);
/// set.insert(3);
/// set.insert(69);
/// assert_eq!(set.iter().collect::<Vec<_>>(), [3, 69]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `width`.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self { words: vec![0; width.div_ceil(64)] }
    }

    /// The empty set of the same width.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self { words: vec![0; self.words.len()] }
    }

    /// Adds a number.
    pub fn insert(&mut self, number: u32) {
        self.words[number as usize / 64] |= 1 << (number % 64);
    }

    /// Removes a number.
    pub fn remove(&mut self, number: u32) {
        self.words[number as usize / 64] &= !(1 << (number % 64));
    }

    /// Whether the number is in the set.
    #[must_use]
    pub fn contains(&self, number: u32) -> bool {
        self.words[number as usize / 64] & (1 << (number % 64)) != 0
    }

    /// Adds all of `other`; returns whether the set has changed.
    pub fn union_with(&mut self, other: &Self) -> bool {
        let mut has_changed = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            has_changed |= *more & !*word != 0;
            *word |= more;
        }
        has_changed
    }

    /// Keeps only the numbers that `other` has too.
    pub fn intersect_with(&mut self, other: &Self) {
        for (word, mask) in self.words.iter_mut().zip(&other.words) {
            *word &= mask;
        }
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The numbers, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.words.iter().zip(0_u32..).flat_map(|(word, index)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    index * 64 + bit
                })
            })
        })
    }
}
