//! Assigns offsets in the arena to pieces of memory (static buffer allocation).
//!
//! Each piece has a live range, an interval of positions. Pieces whose live ranges meet do not overlap;
//! others may. Large pieces are placed first, each at the lowest free offset.

use crate::memory::ALIGNMENT;

/// A piece of memory to be placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Size.
    pub(crate) bytes: usize,
    /// First position at which it is written.
    pub(crate) start: usize,
    /// Last position at which it is read.
    pub(crate) end: usize,
}

/// More than any allocation can hold.
const MOST: usize = isize::MAX.cast_unsigned();

/// The offset of each piece, and the bytes of the whole arena. These are [`MOST`] if no memory can hold it;
/// the run then fails to allocate it.
pub(crate) fn assign(pieces: &[Piece]) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|number| (std::cmp::Reverse(pieces[*number].bytes), *number));
    let mut offsets = vec![0_usize; pieces.len()];
    let mut placed: Vec<usize> = Vec::new();
    let mut total = 0_usize;
    for number in order {
        let piece = pieces[number];
        let size = piece.bytes.next_multiple_of(ALIGNMENT);
        let mut offset = 0_usize;
        // `placed` is sorted by offset, so one pass finds the first gap.
        for other in &placed {
            let neighbour = pieces[*other];
            if neighbour.end < piece.start || piece.end < neighbour.start {
                continue;
            }
            if offsets[*other] >= offset.saturating_add(size) {
                break;
            }
            let end = offsets[*other].saturating_add(neighbour.bytes.next_multiple_of(ALIGNMENT));
            offset = offset.max(end);
        }
        offsets[number] = offset;
        total = total.max(offset.saturating_add(size));
        let at = placed.partition_point(|other| offsets[*other] <= offset);
        placed.insert(at, number);
    }
    (offsets, total.min(MOST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reuses_what_is_dead() {
        let piece = |bytes, start, end| Piece { bytes, start, end };
        let (offsets, total) = assign(&[piece(100, 0, 1), piece(100, 2, 3), piece(64, 1, 2)]);
        assert_eq!(offsets, [0, 0, 128]);
        assert_eq!(total, 192);
    }

    proptest! {
        #[test]
        fn neighbours_in_time_are_apart(
            given in prop::collection::vec((0_usize..500, 0_usize..20, 0_usize..8), 1..40)
        ) {
            let pieces: Vec<Piece> = given
                .into_iter()
                .map(|(bytes, start, length)| Piece { bytes, start, end: start + length })
                .collect();
            let (offsets, total) = assign(&pieces);
            for (i, a) in pieces.iter().enumerate() {
                prop_assert!(offsets[i] + a.bytes <= total && offsets[i].is_multiple_of(ALIGNMENT));
                for (j, b) in pieces.iter().enumerate().skip(i + 1) {
                    let meet = a.start <= b.end && b.start <= a.end;
                    let apart = offsets[i] + a.bytes <= offsets[j] || offsets[j] + b.bytes <= offsets[i];
                    prop_assert!(!meet || apart || a.bytes == 0 || b.bytes == 0);
                }
            }
        }
    }
}
