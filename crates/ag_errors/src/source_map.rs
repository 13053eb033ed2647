//! The source map: the place in the user's source for each range of generated text.

use crate::span::Span;

/// A generated range and the user's range that it represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Range in the generated text.
    pub generated: Span,
    /// Range in the user's source.
    pub origin: Span,
}

/// The mappings of one generated text.
///
/// Mappings nest as the tree does: two of them are disjoint or one holds the other. They are kept
/// outermost first (by start, then by descending end).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    mappings: Vec<Mapping>,
    /// For each mapping, the innermost one that contains it; itself if there is none.
    around: Vec<u32>,
}

impl SourceMap {
    /// Builds the map from mappings in any order.
    #[must_use]
    pub fn new(mut mappings: Vec<Mapping>) -> Self {
        mappings.sort_by_key(|m| (m.generated.start, std::cmp::Reverse(m.generated.end)));
        let mut around: Vec<u32> = Vec::with_capacity(mappings.len());
        for (index, mapping) in (0_u32..).zip(&mappings) {
            let mut holder = index;
            let mut candidate = index.checked_sub(1);
            while let Some(at) = candidate {
                if mappings[at as usize].generated.contains(mapping.generated) {
                    holder = at;
                    break;
                }
                candidate = Some(around[at as usize]).filter(|outer| *outer != at);
            }
            around.push(holder);
        }
        Self { mappings, around }
    }

    /// All mappings, outermost first.
    #[must_use]
    pub fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    /// The user's range for a generated range: that of the node with exactly this range, else of the
    /// innermost node that contains it.
    #[must_use]
    pub fn origin(&self, generated: Span) -> Option<Span> {
        let after = self.mappings.partition_point(|m| m.generated.start <= generated.start);
        let mut candidate = u32::try_from(after).ok()?.checked_sub(1)?;
        loop {
            let mapping = self.mappings[candidate as usize];
            if mapping.generated.contains(generated) {
                return Some(mapping.origin);
            }
            let outer = self.around[candidate as usize];
            if outer == candidate {
                return None;
            }
            candidate = outer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_mapping_answers() {
        let mapping = |start, end, origin| Mapping {
            generated: Span::new(start, end),
            origin: Span::new(origin, origin + 1),
        };
        let map =
            SourceMap::new(vec![mapping(4, 6, 2), mapping(0, 10, 0), mapping(4, 6, 3), mapping(7, 9, 4)]);
        let origin = |start, end| map.origin(Span::new(start, end)).map(|span| span.start);
        assert_eq!(origin(4, 6), Some(3), "of equal ranges the one entered last, the inner one");
        assert_eq!(origin(5, 6), Some(3));
        assert_eq!(origin(5, 8), Some(0));
        assert_eq!(origin(7, 8), Some(4));
        assert_eq!(origin(9, 11), None);
    }
}
