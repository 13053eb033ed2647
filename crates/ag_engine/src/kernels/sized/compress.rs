//! `x[mask]`: copies the elements at the true elements of a mask, without making indices.
//!
//! ```text
//! %2: i64[?] = nonzero %1            used once, here
//! %3: f64[?] = gather %0, %2 axis=0  one pass over mask and array
//! ```

use ag_ir::{Failure, Host};

use super::fit::Place;
use super::flags::{ALL_TRUE, SPARE, count_true};
#[cfg(target_arch = "x86_64")]
use super::packed;
use crate::isa::Isa;
use crate::kernels::effort::in_pieces;
use crate::kernels::layout::count;
use crate::kernels::{Kernel, KernelResult, Stopped};

/// Operands: the array, the mask, the cell of the result.
pub(crate) struct Compress {
    pub(crate) array: Place,
    pub(crate) mask: Place,
    pub(crate) result: Place,
}

impl Kernel for Compress {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the operands are as the places say (K2), the result is a cell of its own (K4, K5).
        unsafe { self.compress(operands, host) }
    }
}

impl Compress {
    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn compress(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's; a bool is a byte (K7).
        let (from, sizes, flags) = unsafe {
            let ((from, sizes), (flags, [length, ..])) =
                (self.array.read(operands[0]), self.mask.read(operands[1]))
            else {
                return Ok(());
            };
            let flags: &[u8] = if *length == 0 { &[] } else { std::slice::from_raw_parts(flags, *length) };
            (from, sizes, flags)
        };
        let [rows, row @ ..] = sizes else { return Ok(()) };
        let outside = flags.iter().skip(*rows).position(|flag| *flag != 0);
        if let Some(after) = outside {
            let index = (rows + after) as i64;
            return Err(Stopped::new(Failure::Index { index, axis: 0, size: *rows }));
        }
        let flags = &flags[..flags.len().min(*rows)];
        let found = count_true(flags);
        let chunk = count(row) * self.array.dtype.size();
        let mut made = Vec::with_capacity(sizes.len());
        // Room for some more: a write past the last element happens before it is known whether it stays.
        made.push(found + SPARE);
        made.extend_from_slice(row);
        // SAFETY: the caller's.
        unsafe {
            let to = self.result.make(operands[2], &made).map_err(Stopped::new)?;
            let cell = &mut *operands[2].cast::<crate::lists::Cell>();
            (cell.sizes[0], cell.length) = (found, found * count(row));
            let mut to = to;
            in_pieces(flags.len(), 1 + chunk / 8, host, |piece| {
                let from = from.add(piece.start * chunk);
                let flags = &flags[piece];
                to = match chunk {
                    8 => copy_words(flags, from.cast(), to.cast()).cast(),
                    4 => copy_halves(flags, from.cast(), to.cast()).cast(),
                    1 => copy_true::<u8>(flags, from, to),
                    _ => copy_runs(flags, from, to, chunk),
                };
                Ok(())
            })
        }
    }
}

macro_rules! copies {
    ($($name:ident($element:ty) => $packed:ident;)*) => {$(
        /// Copies the elements of this type at true flags, with the fastest instructions of the processor.
        ///
        /// # Safety
        /// That of [`copy_true`]; `to` has room for [`SPARE`] more elements than flags are true.
        unsafe fn $name(flags: &[u8], from: *const $element, to: *mut $element) -> *mut $element {
            #[cfg(target_arch = "x86_64")]
            if Isa::current() == Isa::Avx512 {
                let (blocks, rest) = flags.as_chunks::<{ packed::BLOCK }>();
                // SAFETY: the caller's, and the processor has the instructions (K10).
                return unsafe {
                    let to = packed::$packed(blocks, from, to);
                    copy_true(rest, from.add(flags.len() - rest.len()), to)
                };
            }
            // SAFETY: the caller's.
            unsafe { copy_true(flags, from, to) }
        }
    )*};
}

copies! {
    copy_words(u64) => words;
    copy_halves(u32) => halves;
}

/// Copies the elements at true flags; returns the address after the last.
///
/// # Safety
/// `from` has as many elements as there are flags, `to` has room for one more than flags are true.
unsafe fn copy_true<T: Copy>(flags: &[u8], mut from: *const T, mut to: *mut T) -> *mut T {
    let (eights, rest) = flags.as_chunks::<8>();
    for eight in eights {
        // SAFETY: the caller's. There is no branch, which the processor could not predict.
        unsafe {
            match u64::from_ne_bytes(*eight) {
                0 => {}
                ALL_TRUE => {
                    std::ptr::copy_nonoverlapping(from, to, 8);
                    to = to.add(8);
                }
                _ => {
                    for (offset, flag) in eight.iter().enumerate() {
                        to.write(from.add(offset).read());
                        to = to.add(usize::from(*flag != 0));
                    }
                }
            }
            from = from.add(8);
        }
    }
    for flag in rest {
        // SAFETY: the caller's.
        unsafe {
            to.write(from.read());
            to = to.add(usize::from(*flag != 0));
            from = from.add(1);
        }
    }
    to
}

/// Copies rows of `chunk` bytes at true flags; neighbouring rows are copied together.
///
/// # Safety
/// That of [`copy_true`].
unsafe fn copy_runs(flags: &[u8], from: *const u8, mut to: *mut u8, chunk: usize) -> *mut u8 {
    let mut index = 0;
    while index < flags.len() {
        let run = flags[index..].iter().take_while(|flag| **flag != 0).count();
        // SAFETY: the caller's.
        unsafe {
            std::ptr::copy_nonoverlapping(from.add(index * chunk), to, run * chunk);
            to = to.add(run * chunk);
        }
        index += run + 1;
    }
    to
}
