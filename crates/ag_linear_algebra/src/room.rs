//! The memory that a decomposition works in. Large pieces are kept for the next one of the thread: memory
//! that is new from the system costs as much as the work on a matrix of a few hundred rows.

use std::ops::{Deref, DerefMut};

use crate::Failure;
use crate::number::Number;
use crate::{Answer, Element};

/// Numbers in memory that is kept when they are no longer needed.
pub(crate) struct Room<N: Number>(Vec<N>);

/// Smaller pieces are not kept, and neither are more bytes or pieces than these together.
const LEAST_BYTES: usize = 16 << 10;
const MOST_BYTES: usize = 16 << 20;
const MOST_PIECES: usize = 16;

impl<N: Number> Deref for Room<N> {
    type Target = Vec<N>;

    fn deref(&self) -> &Vec<N> {
        &self.0
    }
}

impl<N: Number> DerefMut for Room<N> {
    fn deref_mut(&mut self) -> &mut Vec<N> {
        &mut self.0
    }
}

impl<N: Number> Default for Room<N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<N: Number> Drop for Room<N> {
    fn drop(&mut self) {
        let bytes_of = |piece: &Vec<N>| piece.capacity() * size_of::<N>();
        if bytes_of(&self.0) < LEAST_BYTES {
            return;
        }
        let piece = std::mem::take(&mut self.0);
        N::with_pieces(|kept| {
            let bytes: usize = kept.iter().map(bytes_of).sum();
            if kept.len() < MOST_PIECES && bytes + bytes_of(&piece) <= MOST_BYTES {
                kept.push(piece);
            }
        });
    }
}

/// Room for `count` numbers.
pub(crate) fn room_for<N: Number>(count: usize) -> Answer<N> {
    let mut piece = piece_for(count)?;
    piece.clear();
    Ok(piece)
}

/// A piece of memory for `count` numbers, in which old ones may be.
fn piece_for<N: Number>(count: usize) -> Answer<N> {
    let bytes = count.saturating_mul(size_of::<N>());
    let mut piece = Room::default();
    if bytes >= LEAST_BYTES {
        N::with_pieces(|kept| {
            // The smallest that is large enough.
            let enough = kept.iter().enumerate().filter(|(_, one)| one.capacity() >= count);
            if let Some(place) = enough.min_by_key(|(_, one)| one.capacity()).map(|(place, _)| place) {
                piece.0 = kept.swap_remove(place);
            }
        });
    }
    let missing = count.saturating_sub(piece.len());
    piece.try_reserve_exact(missing).map_err(|_| Failure::OutOfMemory { bytes })?;
    Ok(piece)
}

/// So many zeros.
pub(crate) fn zeros<N: Number>(count: usize) -> Answer<N> {
    let mut numbers = room_for(count)?;
    numbers.resize(count, N::ZERO);
    Ok(numbers)
}

/// So many numbers, whatever they are.
pub(crate) fn some_numbers<N: Number>(count: usize) -> Answer<N> {
    let mut numbers = piece_for(count)?;
    numbers.resize(count, N::ZERO);
    Ok(numbers)
}

/// A copy.
pub(crate) fn copied<N: Number>(numbers: &[N]) -> Answer<N> {
    let mut copy = room_for(numbers.len())?;
    copy.extend_from_slice(numbers);
    Ok(copy)
}

/// The elements in double precision.
pub(crate) fn widened<T: Element>(elements: &[T]) -> Answer {
    let mut numbers = room_for(elements.len())?;
    numbers.extend(elements.iter().map(|one| one.wide()));
    Ok(numbers)
}

/// An empty list with room for `count` of anything.
pub(crate) fn list_for<T>(count: usize) -> Result<Vec<T>, Failure> {
    let mut list = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    list.try_reserve_exact(count).map_err(|_| Failure::OutOfMemory { bytes })?;
    Ok(list)
}
