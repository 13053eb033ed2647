//! Kernels for arrays in cells that move elements, and have no counterpart for known sizes.

use ag_ir::{DType, Host, ListFailure, Op, WithShape as Declared, sizes_of_result};

use super::fit::{Form, Place};
use super::flags::{ALL_TRUE, SPARE, count_true};
#[cfg(target_arch = "x86_64")]
use super::packed;
use crate::isa::Isa;
use crate::kernels::effort::{self, count_work, in_pieces};
use crate::kernels::layout::count;
use crate::kernels::{Kernel, KernelResult, Stopped};
use crate::lists::{Cell, MOST_SIZES};

/// The indices of the true elements. Operands: the array, a cell for each axis.
pub(crate) struct Nonzero(pub(crate) Place);

impl Kernel for Nonzero {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the operands are as the place says (K2, K5); a bool is a byte (K7).
        let (flags, sizes) = unsafe {
            let (data, sizes) = self.0.read(operands[0]);
            (elements(data, count(sizes)), sizes)
        };
        let found = count_true(flags);
        for (axis, cell) in operands[1..].iter().copied().enumerate() {
            // SAFETY: nobody else has the cells of the results (K4, K8).
            let cell = unsafe { &mut *cell.cast::<Cell>() };
            // Room for some more: a write past the last element happens before it is known whether it stays.
            cell.make_array(&[found + SPARE], DType::I64.size()).map_err(Stopped::new)?;
            (cell.length, cell.sizes[0]) = (found, found);
            // SAFETY: there is room for as many as there are true elements, and some (K9).
            unsafe {
                write_indices(flags, (sizes[axis], count(&sizes[axis + 1..])), cell.data.cast(), host)?
            };
        }
        Ok(())
    }
}

/// Writes, for each true flag, its index along an axis of this size; `inner` flags share an index.
///
/// # Safety
/// `to` has room for [`SPARE`] indices more than there are true flags.
unsafe fn write_indices(
    flags: &[u8],
    (size, inner): (usize, usize),
    mut to: *mut i64,
    host: &mut dyn Host,
) -> KernelResult {
    if flags.is_empty() {
        return Ok(());
    }
    if inner == 1 {
        return flags.chunks_exact(size).try_for_each(|row| {
            in_pieces(size, 1, host, |piece| {
                let first = piece.start as i64;
                // SAFETY: the caller's.
                to = unsafe { write_row(&row[piece], first, to) };
                Ok(())
            })
        });
    }
    for (number, block) in flags.chunks_exact(inner).enumerate() {
        let found = block.iter().filter(|flag| **flag != 0).count();
        // SAFETY: the caller's.
        unsafe {
            std::slice::from_raw_parts_mut(to, found).fill((number % size) as i64);
            to = to.add(found);
        }
        count_work(inner, host)?;
    }
    Ok(())
}

/// Writes the positions of the true flags, counted from `index`; returns the address after the last.
///
/// # Safety
/// As for [`write_indices`].
unsafe fn write_row(flags: &[u8], mut index: i64, mut to: *mut i64) -> *mut i64 {
    #[cfg(target_arch = "x86_64")]
    let flags = if Isa::current() == Isa::Avx512 {
        let (blocks, rest) = flags.as_chunks::<{ packed::BLOCK }>();
        // SAFETY: the caller's, and the processor has the instructions (K10).
        to = unsafe { packed::numbers(blocks, index, to) };
        index += (flags.len() - rest.len()) as i64;
        rest
    } else {
        flags
    };
    let (eights, rest) = flags.as_chunks::<8>();
    for eight in eights {
        match u64::from_ne_bytes(*eight) {
            // Masks often have long runs of one value.
            0 => {}
            ALL_TRUE => {
                for offset in 0..8 {
                    // SAFETY: the caller's.
                    unsafe { to.add(offset).write(index + offset as i64) };
                }
                // SAFETY: the caller's.
                to = unsafe { to.add(8) };
            }
            _ => {
                for (offset, flag) in eight.iter().enumerate() {
                    // SAFETY: the caller's. There is no branch, which the processor could not predict.
                    unsafe {
                        to.write(index + offset as i64);
                        to = to.add(usize::from(*flag != 0));
                    }
                }
            }
        }
        index += 8;
    }
    for flag in rest {
        // SAFETY: the caller's.
        unsafe {
            to.write(index);
            to = to.add(usize::from(*flag != 0));
        }
        index += 1;
    }
    to
}

/// # Safety
/// `length` bytes are readable at `data`.
unsafe fn elements<'a>(data: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's.
    unsafe { std::slice::from_raw_parts(data, length) }
}

/// Fails unless an array has the sizes that the op declares. Operands: the array.
pub(crate) struct WithShape {
    pub(crate) array: Place,
    pub(crate) declared: Declared,
}

impl Kernel for WithShape {
    unsafe fn run(&self, operands: &[*mut u8], _: &mut dyn Host) -> KernelResult {
        // SAFETY: the operand is as the place says (K2, K5).
        let (_, sizes) = unsafe { self.array.read(operands[0]) };
        let holds =
            self.declared.shape.iter().zip(sizes).all(|(dim, size)| dim.known().is_none_or(|k| k == *size));
        if holds {
            return Ok(());
        }
        let op = Op::WithShape(self.declared.clone());
        sizes_of_result(&op, &[sizes], &|_| 0).map(|_| ()).map_err(Stopped::new)
    }
}

/// Copies an array in memory to a cell. Operands: the array, the cell.
pub(crate) struct ToCell(pub(crate) Place);

impl Kernel for ToCell {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the operands are so (K2), the result is a cell of its own (K4, K5).
        unsafe {
            let (data, sizes) = self.0.read(operands[0]);
            let cell = &mut *operands[1].cast::<Cell>();
            cell.make_array(sizes, self.0.dtype.size()).map_err(Stopped::new)?;
            let bytes = count(sizes) * self.0.dtype.size();
            effort::copy(data, cell.data, bytes, host)
        }
    }
}

/// Stacks the values of a list to the rows of an array. Operands: the list, the cell of the array. If they
/// are one cell, the array takes over the list's memory.
pub(crate) struct FromList {
    /// Sizes of each value.
    pub(crate) row: Vec<usize>,
    pub(crate) element_size: usize,
}

impl Kernel for FromList {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (list, result) = (operands[0].cast::<Cell>(), operands[1].cast::<Cell>());
        // SAFETY: the operands are so (K2); the result is a cell of its own (K4, K5), or that of a list which
        // nobody else reads.
        unsafe {
            let (from, rows) = ((*list).data, (*list).length);
            let mut sizes = [rows; MOST_SIZES];
            let Some(row) = sizes.get_mut(1..=self.row.len()) else { return Ok(()) };
            row.copy_from_slice(&self.row);
            let (sizes, cell) = (&sizes[..=self.row.len()], &mut *result);
            // The values of a list are where the elements of the array are: it has room for them.
            cell.make_array(sizes, self.element_size).map_err(Stopped::new)?;
            if list == result {
                return Ok(());
            }
            effort::copy(from, cell.data, count(sizes) * self.element_size, host)
        }
    }
}

/// Splits an array into a list of its rows. Operands: the cell of the array, the list.
pub(crate) struct ToList {
    pub(crate) array: Place,
}

impl Kernel for ToList {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the operands are so (K2), the result is a cell of its own (K4, K5).
        unsafe {
            let (data, sizes) = self.array.read(operands[0]);
            let list = &mut *operands[1].cast::<Cell>();
            list.clear();
            let [rows, row @ ..] = sizes else { return Err(Stopped::new(ListFailure::Get.into())) };
            let bytes = rows * count(row) * self.array.dtype.size();
            list.reserve(bytes).map_err(Stopped::new)?;
            effort::copy(data, list.data, bytes, host)?;
            list.length = *rows;
        }
        Ok(())
    }
}

/// Appends arrays to one in a cell along the first axis, in place. Operands: the cell, then the other arrays.
pub(crate) struct Append {
    pub(crate) array: Place,
    pub(crate) others: Vec<Place>,
}

impl Kernel for Append {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the operands are so (K2, K5); the others are not in the cell (K4).
        unsafe { self.append(operands, host) }
    }
}

impl Append {
    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn append(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let Form::Cell(rank) = self.array.form else { return Ok(()) };
        let element = self.array.dtype.size();
        // SAFETY: the caller's.
        let mut sizes = unsafe { (&(*operands[0].cast::<Cell>()).sizes)[..rank].to_owned() };
        let mut given: Vec<&[usize]> = Vec::with_capacity(operands.len());
        given.push(&sizes);
        for (place, operand) in self.others.iter().zip(&operands[1..]) {
            // SAFETY: the caller's.
            given.push(unsafe { place.read(*operand) }.1);
        }
        let joined = sizes_of_result(&Op::Concatenate(0), &given, &|_| 0).map_err(Stopped::new)?;
        let mut used = count(&sizes) * element;
        sizes.copy_from_slice(&joined);
        // SAFETY: the caller's.
        let cell = unsafe { &mut *operands[0].cast::<Cell>() };
        cell.reserve(count(&sizes) * element).map_err(Stopped::new)?;
        cell.length = count(&sizes);
        cell.sizes[..rank].copy_from_slice(&sizes);
        for (place, operand) in self.others.iter().zip(&operands[1..]) {
            // SAFETY: there is room, just made (K9); the rest is the caller's.
            unsafe {
                let (data, sizes) = place.read(*operand);
                let bytes = count(sizes) * element;
                effort::copy(data, cell.data.add(used), bytes, host)?;
                used += bytes;
            }
        }
        Ok(())
    }
}
