//! `partition` and `argpartition` along an axis: the element at each wanted rank is where sorting puts it.
//!
//! ```text
//! partition [5 1 4 2 3] at rank 1  ->  1 | 2 | 5 4 3     what goes before the rank, it, what goes after it
//! ```
//!
//! Ranks cut the sorted line into runs: what lies before, between and after them, and each of them. The
//! elements of a run are in the order in which they stand in the line; which of several equal elements is in
//! which run is that order too. So the result does not depend on how the elements of the ranks are found.

use std::any::TypeId;
use std::hint::select_unpredictable;

use ag_ir::{DType, Host};

use super::effort::{count_work, in_pieces};
use super::lines::Lines;
use super::quick;
use super::sort::{Sorted, numbers_first};
use super::{Kernel, KernelResult};
use crate::isa::Isa;

/// How many elements are compared before they are moved.
const PIECE: usize = 1 << 10;

/// Operands: the array, the result of the same shape, scratch: a line twice, and what is parted of it.
#[derive(Debug)]
pub(crate) struct Partition {
    dtype: DType,
    lines: Lines,
    /// Ascending and distinct; all within a line.
    ranks: Vec<usize>,
    gives_places: bool,
    /// How many elements of a line are read by others: not more are made.
    head: usize,
    isa: Isa,
}

/// The runs of one line.
struct Runs<'a, T> {
    ranks: &'a [usize],
    /// The distinct elements at the ranks, without NaN.
    walls: Vec<T>,
    /// The run between two walls, before the first and after the last.
    between: Vec<usize>,
    /// The rank that the next element gets that equals a wall; the last is that of a NaN.
    next: Vec<usize>,
    /// Where the next element of each run goes.
    ends: Vec<usize>,
}

impl<'a, T: Sorted> Runs<'a, T> {
    /// The runs, given the numbers of a line, of which those at ranks are where they belong.
    fn new(ranks: &'a [usize], numbers: &[T]) -> Self {
        let (mut walls, mut next): (Vec<T>, Vec<usize>) = (Vec::new(), Vec::new());
        let (mut between, mut ends) = (vec![0], vec![0]);
        let mut start = 0;
        for (number, rank) in ranks.iter().enumerate() {
            ends.extend([*rank, rank + 1]);
            let Some(wall) = numbers.get(*rank).copied() else { continue };
            if walls.last().is_none_or(|last| *last < wall) {
                // What is less stands before the rank; what equals the wall before it is no less.
                let less = numbers[start..*rank].iter().filter(|one| **one < wall).count();
                next.push(start + less);
                walls.push(wall);
                between.push(0);
                start = *rank;
            }
            between[walls.len()] = 2 * (number + 1);
        }
        next.push(numbers.len());
        Self { ranks, walls, between, next, ends }
    }

    /// Says of elements between which walls they are: 0, 2, 4, …; or which wall they equal: 1, 3, 5, …; NaN
    /// is after all of them.
    fn kinds(&self, elements: &[T], kinds: &mut [u32]) {
        kinds.fill(0);
        for wall in &self.walls {
            for (kind, one) in kinds.iter_mut().zip(elements) {
                *kind += u32::from(*wall < *one) + u32::from(*wall <= *one);
            }
        }
        if T::HAS_TWO_ZEROS {
            let last = 2 * self.walls.len() as u32 + 1;
            for (kind, one) in kinds.iter_mut().zip(elements) {
                *kind = if one.goes_last() { last } else { *kind };
            }
        }
    }

    /// The run of the next element that equals a wall, or is NaN.
    #[cold]
    fn run_of_equal(&mut self, kind: usize) -> usize {
        let rank = self.next[kind];
        self.next[kind] += 1;
        let before = self.ranks.partition_point(|one| *one < rank);
        2 * before + usize::from(self.ranks.get(before) == Some(&rank))
    }

    /// Calls `put` with the number of each element and its place.
    #[inline(always)]
    fn each(&mut self, elements: &[T], first: usize, mut put: impl FnMut(usize, usize)) {
        let mut kinds = [0; PIECE];
        for (piece, elements) in elements.chunks(PIECE).enumerate() {
            if let (1, [wall]) = (self.ranks.len(), &self.walls[..])
                && elements.iter().fold(true, |differ, one| differ & ((*one < *wall) | (*wall < *one)))
            {
                let [mut low, _, mut high] = *self.ends else { continue };
                for (number, one) in elements.iter().enumerate() {
                    let is_high = *wall < *one;
                    put(first + piece * PIECE + number, select_unpredictable(is_high, high, low));
                    low += usize::from(!is_high);
                    high += usize::from(is_high);
                }
                (self.ends[0], self.ends[2]) = (low, high);
                continue;
            }
            self.kinds(elements, &mut kinds[..elements.len()]);
            for (number, kind) in kinds[..elements.len()].iter().enumerate() {
                let half = *kind as usize / 2;
                let run = if *kind % 2 == 0 { self.between[half] } else { self.run_of_equal(half) };
                put(first + piece * PIECE + number, self.ends[run]);
                self.ends[run] += 1;
            }
        }
    }
}

/// Elements as those that are compared, if they are of one type.
fn as_sorted<T: 'static, S: 'static>(elements: &[T]) -> Option<&[S]> {
    // SAFETY: the types are the same.
    (TypeId::of::<T>() == TypeId::of::<S>())
        .then(|| unsafe { std::slice::from_raw_parts(elements.as_ptr().cast::<S>(), elements.len()) })
}

impl Partition {
    /// The kernel for an array of these sizes; ranks beyond an axis are left out.
    pub(crate) fn new(
        dtype: DType,
        sizes: &[usize],
        (axis, ranks): (usize, &[usize]),
        gives_places: bool,
        isa: Isa,
    ) -> Self {
        let mut ranks: Vec<usize> = ranks.iter().copied().filter(|rank| *rank < sizes[axis]).collect();
        ranks.sort_unstable();
        ranks.dedup();
        Self { dtype, lines: Lines::new(sizes, axis), ranks, gives_places, head: sizes[axis], isa }
    }

    /// The same, of which only so many first elements of each line are read.
    pub(crate) fn with_head(self, head: usize) -> Self {
        Self { head, ..self }
    }

    /// The workspace that a run needs: some, so that there is an address.
    pub(crate) fn scratch_bytes(&self) -> usize {
        // Bytes are compared as integers of four.
        3 * self.lines.size().max(1) * self.dtype.size().max(4)
    }

    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as<T: Copy + Default + 'static, S: Sorted + From<T>>(
        &self,
        operand: *const u8,
        result: *mut u8,
        scratch: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        let size = self.lines.size();
        // SAFETY: scratch is of the size that was asked for (K2), aligned (K3) and apart (K4); what it holds
        // is written before it is read, and any bits are an element.
        let room = unsafe { std::slice::from_raw_parts_mut(scratch.cast::<S>(), 3 * size) };
        let count = self.lines.count();
        // SAFETY: sizes are those of the operands (K2).
        let operand = unsafe { std::slice::from_raw_parts(operand.cast::<T>(), count) };
        if self.gives_places {
            // SAFETY: as above, and the result is apart (K4).
            let result = unsafe { std::slice::from_raw_parts_mut(result.cast::<i64>(), count) };
            self.each::<T, S, i64>((operand, result), room, |place, _| place.cast_signed() as i64, host)
        } else {
            // SAFETY: as above.
            let result = unsafe { std::slice::from_raw_parts_mut(result.cast::<T>(), count) };
            self.each::<T, S, T>((operand, result), room, |_, one| one, host)
        }
    }

    fn each<T: Copy + Default + 'static, S: Sorted + From<T>, R: Copy + Default>(
        &self,
        both: (&[T], &mut [R]),
        room: &mut [S],
        give: impl Fn(usize, T) -> R,
        host: &mut dyn Host,
    ) -> KernelResult {
        let (size, ranks) = (self.lines.size(), &self.ranks[..]);
        let (line, room) = room.split_at_mut(size);
        let (parted, other) = room.split_at_mut(size);
        self.lines.each(both, (T::default(), R::default()), host, |from, to, host| {
            let line = match as_sorted::<T, S>(from) {
                Some(line) => line,
                None => {
                    line.iter_mut().zip(from).for_each(|(one, from)| *one = S::from(*from));
                    &*line
                }
            };
            let numbers = numbers_first(line, parted, self.isa);
            let numbers = &mut parted[..numbers];
            let wanted = ranks.partition_point(|rank| *rank < numbers.len());
            quick::select(numbers, other, &ranks[..wanted], self.isa, host)?;
            let mut runs = Runs::new(ranks, numbers);
            // What is above the element at this rank goes behind the elements that are read.
            let last = ranks.iter().find(|rank| **rank + 1 >= self.head).and_then(|rank| numbers.get(*rank));
            let Some(last) = last.filter(|_| self.head < size) else {
                return in_pieces(size, 2, host, |piece| {
                    let first = piece.start;
                    runs.each(&line[piece], first, |number, place| to[place] = give(number, from[number]));
                    Ok(())
                });
            };
            let head = &mut to[..self.head];
            for (number, piece) in line.chunks(PIECE).enumerate() {
                if piece.iter().fold(false, |is_read, one| is_read | (*one <= *last)) {
                    runs.each(piece, number * PIECE, |number, place| {
                        if let Some(to) = head.get_mut(place) {
                            *to = give(number, from[number]);
                        }
                    });
                }
            }
            count_work(size, host)
        })
    }
}

impl Kernel for Partition {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (operand, result, scratch) = (operands[0], operands[1], operands[2]);
        // SAFETY: the caller's (K1 to K8).
        unsafe {
            match self.dtype {
                DType::F64 => self.run_as::<f64, f64>(operand, result, scratch, host),
                DType::F32 => self.run_as::<f32, f32>(operand, result, scratch, host),
                DType::I64 => self.run_as::<i64, i64>(operand, result, scratch, host),
                DType::I32 => self.run_as::<i32, i32>(operand, result, scratch, host),
                DType::U8 | DType::Bool => self.run_as::<u8, i32>(operand, result, scratch, host),
            }
        }
    }
}
