//! `argsort` along an axis: stable, ascending, NaN after everything else.
//!
//! ```text
//! 2.5 0.5 2.5      the key of each element, less the least, above its number, is an integer:
//! 9|0 0|1 9|2      these are sorted as numbers, all of which differ
//! 0|1 9|0 9|2  ->  1 0 2
//! ```
//!
//! Where a key and a number are longer than 64 bits, the key loses its last ones. Elements whose shortened
//! keys are equal are then sorted once more, by what the keys have lost, which is no longer than a number.

use ag_ir::{DType, Host};

use super::effort::in_pieces;
use super::keys::Keyed;
use super::lines::Lines;
use super::quick;
use super::{Kernel, KernelResult, Stopped};
use crate::isa::Isa;

/// Operands: the array, the positions (`i64`, of the same shape), scratch: an integer for each element of a
/// line, and what is parted of them.
#[derive(Debug)]
pub(crate) struct ArgSort {
    dtype: DType,
    lines: Lines,
    isa: Isa,
}

/// How many bits of a sorted integer are the number, and whether the others are the whole key.
struct Sorted {
    bits: u32,
    is_whole: bool,
}

impl Sorted {
    fn number(&self, word: i64) -> usize {
        (word & !(-1 << self.bits)) as usize
    }
}

/// The instructions and workspace of a sort.
struct Sorter<'a> {
    other: &'a mut [i64],
    isa: Isa,
    host: &'a mut dyn Host,
}

impl Sorter<'_> {
    /// Sorts numbers from 0 on by keys. Integers of both are left in order.
    fn sort(&mut self, words: &mut [i64], key: impl Fn(usize) -> u64) -> Result<Sorted, Box<Stopped>> {
        let (mut least, mut greatest) = (u64::MAX, 0);
        in_pieces(words.len(), 1, self.host, |piece| {
            for key in piece.map(&key) {
                (least, greatest) = (least.min(key), greatest.max(key));
            }
            Ok(())
        })?;
        let bits = (u64::BITS - (words.len().saturating_sub(1) as u64).leading_zeros()).max(1);
        let lost =
            (u64::BITS - greatest.wrapping_sub(least).leading_zeros() + bits).saturating_sub(u64::BITS);
        in_pieces(words.len(), 2, self.host, |piece| {
            for (word, number) in words[piece.clone()].iter_mut().zip(piece) {
                let packed = (((key(number) - least) >> lost) << bits) | number as u64;
                *word = (packed ^ (1 << 63)).cast_signed();
            }
            Ok(())
        })?;
        quick::sort(words, self.other, self.isa, self.host)?;
        Ok(Sorted { bits, is_whole: lost == 0 })
    }

    /// The places of a line's elements, in order.
    fn order<T: Keyed>(&mut self, line: &[T], places: &mut [i64], words: &mut [i64]) -> KernelResult {
        let sorted = self.sort(words, |number| line[number].key())?;
        in_pieces(line.len(), 1, self.host, |piece| {
            for (place, word) in places[piece.clone()].iter_mut().zip(&words[piece]) {
                *place = sorted.number(*word).cast_signed() as i64;
            }
            Ok(())
        })?;
        if sorted.is_whole {
            return Ok(());
        }
        let mut start = 0;
        while start < words.len() {
            let first = words[start] >> sorted.bits;
            let same = words[start + 1..].iter().take_while(|word| *word >> sorted.bits == first).count();
            let run = start..start + 1 + same;
            let (places, words) = (&mut places[run.clone()], &mut words[run.clone()]);
            if !places.is_sorted_by_key(|place| line[*place as usize].key()) {
                let sorted = self.sort(words, |number| line[places[number] as usize].key())?;
                if sorted.is_whole {
                    words.iter_mut().for_each(|word| *word = places[sorted.number(*word)]);
                    places.copy_from_slice(words);
                } else {
                    // A line of more elements than half of the bits can count.
                    places.sort_by_key(|place| line[*place as usize].key());
                }
            }
            start = run.end;
        }
        Ok(())
    }
}

impl ArgSort {
    /// The kernel for an array of these sizes.
    pub(crate) fn new(dtype: DType, sizes: &[usize], axis: usize, isa: Isa) -> Self {
        Self { dtype, lines: Lines::new(sizes, axis), isa }
    }

    /// The workspace that a run needs: some, so that there is an address.
    pub(crate) fn scratch_bytes(&self) -> usize {
        2 * self.lines.size().max(1) * size_of::<i64>()
    }

    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as<T: Keyed>(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (count, size) = (self.lines.count(), self.lines.size());
        // SAFETY: sizes are those of the operands (K2), and the result is apart (K4). Scratch is of the size
        // that was asked for, aligned (K3) and apart; what it holds is written before it is read, and any
        // bits are an integer.
        let (operand, result, room) = unsafe {
            (
                std::slice::from_raw_parts(operands[0].cast::<T>(), count),
                std::slice::from_raw_parts_mut(operands[1].cast::<i64>(), count),
                std::slice::from_raw_parts_mut(operands[2].cast::<i64>(), 2 * size),
            )
        };
        let (words, other) = room.split_at_mut(size);
        self.lines.each((operand, result), (T::default(), 0), host, |line, places, host| {
            Sorter { other, isa: self.isa, host }.order(line, places, words)
        })
    }
}

impl Kernel for ArgSort {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's (K1 to K8).
        unsafe {
            match self.dtype {
                DType::F64 => self.run_as::<f64>(operands, host),
                DType::F32 => self.run_as::<f32>(operands, host),
                DType::I64 => self.run_as::<i64>(operands, host),
                DType::I32 => self.run_as::<i32>(operands, host),
                DType::U8 | DType::Bool => self.run_as::<u8>(operands, host),
            }
        }
    }
}
