//! List ops that move many values; generated code does the others itself.
//!
//! For an op that changes a list, the operand is the cell of the result: the plan has copied the list there,
//! unless it can be changed in place.

use ag_ir::{Failure, Host, ListFailure};

use super::effort::{self, count_work, in_pieces};
use super::{Kernel, KernelResult, Stopped};
use crate::lists::{Cell, Element};

/// The op, with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// `values…, result`: makes a list of this many values.
    Make(usize),
    /// `index, value, result`.
    Insert,
    /// `index, result`.
    Delete,
    /// `other, result`: appends the other list's values.
    Concatenate,
    /// `list, start, stop, step, result`.
    Slice,
    /// `result`.
    Reverse,
    /// `list, array`: copies a list of this many values into the rows of an array.
    Stack(usize),
    /// `list`: checks that a list has this many values, which an array shares.
    Count(usize),
    /// `array, result`: splits an array of this many rows into a list.
    Unstack(usize),
    /// `list of lists, result`.
    Flatten,
    /// `list, result`.
    Zeros,
}

/// A list op on values of one type; for a list of lists, the values are lists.
pub(crate) struct ListKernel {
    pub(crate) change: Change,
    pub(crate) element: Element,
}

impl Kernel for ListKernel {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let Some((result, others)) = operands.split_last() else { return Ok(()) };
        // SAFETY: the operands are those of the change (K1, K2); see its variants.
        unsafe { self.change(others, *result, host) }
    }
}

impl ListKernel {
    /// # Safety
    /// The operands are those of the op; the result is a cell of its own or, for a stack, the array.
    unsafe fn change(&self, others: &[*mut u8], result: *mut u8, host: &mut dyn Host) -> KernelResult {
        let (element, bytes) = (self.element, self.element.stride());
        // SAFETY: the caller's; where it is read, that operand is an integer (K2).
        let integer = |operand: usize| unsafe { others[operand].cast::<i64>().read() };
        // SAFETY: the caller's; where it is read, that operand is a list (K2, K5).
        let list = |operand: usize| unsafe { others[operand].cast::<Cell>().read() };
        let cell = result.cast::<Cell>();
        // SAFETY: the caller's: the result is the array of a stack, else a cell that nobody else uses
        // meanwhile; values have `bytes` bytes, and do not lie in the list that they are put into.
        unsafe {
            match self.change {
                Change::Make(count) => {
                    (*cell).clear();
                    (*cell).reserve(count.saturating_mul(bytes)).map_err(Stopped::new)?;
                    let mut values = others[..count].iter();
                    values.try_for_each(|value| (*cell).extend_with(*value, 1, element)).map_err(Stopped::new)
                }
                Change::Unstack(count) => {
                    (*cell).clear();
                    extend(&mut *cell, others[0], count, element, host)
                }
                Change::Concatenate => {
                    let other = list(0);
                    extend(&mut *cell, other.data, other.length, element, host)
                }
                Change::Insert => {
                    insert(&mut *cell, integer(0), others[1], element).map_err(Stopped::new)?;
                    count_work((*cell).length * bytes / 8, host)
                }
                Change::Delete => {
                    let moved = delete(&mut *cell, integer(0), element).map_err(Stopped::new)?;
                    count_work(moved * bytes / 8, host)
                }
                Change::Slice => {
                    slice(&mut *cell, &list(0), [integer(1), integer(2), integer(3)], element, host)
                }
                Change::Reverse => reverse(&mut *cell, element, host),
                Change::Flatten => flatten(&mut *cell, list(0), element.inner(), host),
                Change::Zeros => zeros(&mut *cell, &list(0), element, host),
                Change::Count(size) => check_count((*cell).length, size),
                Change::Stack(size) => stack(&list(0), size, result, bytes, host),
            }
        }
    }
}

/// [`Cell::extend_with`], piece by piece.
///
/// # Safety
/// That of [`Cell::extend_with`].
unsafe fn extend(
    cell: &mut Cell,
    from: *const u8,
    count: usize,
    element: Element,
    host: &mut dyn Host,
) -> KernelResult {
    let bytes = element.stride();
    if element.depth > 0 {
        return in_pieces(count, 1 + bytes / 8, host, |piece| {
            // SAFETY: the caller's; the piece is within (K9).
            let added =
                unsafe { cell.extend_with(from.wrapping_add(piece.start * bytes), piece.len(), element) };
            added.map_err(Stopped::new)
        });
    }
    let (used, more) = (cell.length * bytes, count.saturating_mul(bytes));
    cell.reserve(used.saturating_add(more)).map_err(Stopped::new)?;
    // SAFETY: there is room, just made (K9); the rest is the caller's.
    unsafe { effort::copy(from, cell.data.wrapping_add(used), more, host)? };
    cell.length += count;
    Ok(())
}

/// Fails unless a list is as long as the axis that it is stacked to.
fn check_count(length: usize, size: usize) -> KernelResult {
    if length == size {
        return Ok(());
    }
    Err(Stopped::new(ListFailure::Stack { size, length }.into()))
}

/// # Safety
/// The list's values have `bytes` bytes, and the array has room for `size` of them.
unsafe fn stack(list: &Cell, size: usize, array: *mut u8, bytes: usize, host: &mut dyn Host) -> KernelResult {
    check_count(list.length, size)?;
    // SAFETY: the caller's.
    unsafe { effort::copy(list.data, array, size * bytes, host) }
}

/// Concatenates all lists of a list of lists; `element` is the type of the inner lists' values.
///
/// # Safety
/// The inner lists' values have that type.
unsafe fn flatten(cell: &mut Cell, mut lists: Cell, element: Element, host: &mut dyn Host) -> KernelResult {
    cell.clear();
    // SAFETY: the caller's; `lists` is a copy of a cell, which is only read (K5).
    unsafe {
        let length = lists.length;
        lists.cells()[..length].iter().try_for_each(|one| extend(cell, one.data, one.length, element, host))
    }
}

/// A list of as many zeros as another list has values; for a list of lists, recursively.
///
/// # Safety
/// The values of both lists have the type `element`.
unsafe fn zeros(cell: &mut Cell, from: &Cell, element: Element, host: &mut dyn Host) -> KernelResult {
    cell.clear();
    if element.depth > 0 {
        for at in 0..from.length {
            let inner = cell.cell_at_end().map_err(Stopped::new)?;
            cell.length += 1;
            // SAFETY: the caller's; the inner cell is one of this list (K5).
            unsafe { zeros(&mut *inner, &*from.data.cast::<Cell>().add(at), element.inner(), host)? };
        }
        return count_work(from.length, host);
    }
    let bytes = from.length * element.bytes;
    cell.reserve(bytes).map_err(Stopped::new)?;
    if bytes > 0 {
        // SAFETY: there is room, just made (K9).
        unsafe { std::ptr::write_bytes(cell.data, 0, bytes) };
    }
    cell.length = from.length;
    count_work(bytes / 8, host)
}

/// # Safety
/// The list's values have the type `element`; `value` is one more, outside of the list.
unsafe fn insert(cell: &mut Cell, index: i64, value: *const u8, element: Element) -> Result<(), Failure> {
    let bytes = element.bytes;
    let place = usize::try_from(index.max(0)).unwrap_or(usize::MAX).min(cell.length);
    if element.depth > 0 {
        // SAFETY: the caller's; the new list is appended, and then moved to its index.
        unsafe {
            cell.extend_with(value, 1, element)?;
            let length = cell.length;
            cell.cells()[place..length].rotate_right(1);
        }
        return Ok(());
    }
    if place == 0 && cell.step_back(bytes) {
        // SAFETY: there was room in front (K9); the rest is the caller's.
        unsafe { std::ptr::copy_nonoverlapping(value, cell.data, bytes) };
        return Ok(());
    }
    cell.reserve((cell.length + 1).saturating_mul(bytes))?;
    if bytes > 0 {
        // SAFETY: there is room for one more (K9).
        unsafe {
            let at = cell.data.add(place * bytes);
            std::ptr::copy(at, at.add(bytes), (cell.length - place) * bytes);
            std::ptr::copy_nonoverlapping(value, at, bytes);
        }
    }
    cell.length += 1;
    Ok(())
}

/// Returns how many values were moved.
///
/// # Safety
/// The list's values have the type `element`.
unsafe fn delete(cell: &mut Cell, index: i64, element: Element) -> Result<usize, Failure> {
    let bytes = element.bytes;
    let place = usize::try_from(index).ok().filter(|place| *place < cell.length).ok_or(ListFailure::Set)?;
    if element.depth > 0 {
        let length = cell.length;
        // SAFETY: the caller's.
        unsafe { cell.cells()[place..length].rotate_left(1) };
    } else if place == 0 {
        cell.take_first(bytes);
        return Ok(0);
    } else if bytes > 0 {
        // SAFETY: the place is one of the list (K5, K9).
        unsafe {
            let at = cell.data.add(place * bytes);
            std::ptr::copy(at.add(bytes), at, (cell.length - place - 1) * bytes);
        }
    }
    cell.length -= 1;
    Ok(cell.length - place)
}

/// How many values are copied before their work is counted.
const BETWEEN: usize = 1 << 10;

/// Copies the values at `range(start, stop, step)` of another list.
///
/// # Safety
/// The values of both lists have the type `element`.
unsafe fn slice(
    cell: &mut Cell,
    from: &Cell,
    [start, stop, step]: [i64; 3],
    element: Element,
    host: &mut dyn Host,
) -> KernelResult {
    let bytes = element.stride();
    if step == 0 {
        return Err(Stopped::new(ListFailure::Step.into()));
    }
    cell.clear();
    let mut index = start;
    while if step > 0 { index < stop } else { index > stop } {
        let place = usize::try_from(index).ok().filter(|place| *place < from.length);
        let place = place.ok_or_else(|| Stopped::new(ListFailure::Get.into()))?;
        if step == 1 {
            // The rest of a slice with step 1 is copied at once.
            let count = usize::try_from(stop - index).unwrap_or(usize::MAX);
            if count > from.length - place {
                return Err(Stopped::new(ListFailure::Get.into()));
            }
            // SAFETY: so many follow (K9).
            return unsafe { extend(cell, from.data.wrapping_add(place * bytes), count, element, host) };
        }
        // SAFETY: the place is one of the list (K5, K9).
        let added = unsafe { cell.extend_with(from.data.wrapping_add(place * bytes), 1, element) };
        added.map_err(Stopped::new)?;
        if cell.length.is_multiple_of(BETWEEN) {
            count_work(BETWEEN * (4 + bytes / 8), host)?;
        }
        let Some(next) = index.checked_add(step) else { break };
        index = next;
    }
    Ok(())
}

/// # Safety
/// The list's values have the type `element`.
unsafe fn reverse(cell: &mut Cell, element: Element, host: &mut dyn Host) -> KernelResult {
    let (data, length, bytes) = (cell.data, cell.length, element.bytes);
    if element.depth > 0 {
        // SAFETY: the caller's.
        unsafe { cell.cells()[..length].reverse() };
        return count_work(length, host);
    }
    in_pieces(length / 2, 1 + bytes / 8, host, |piece| {
        for place in piece {
            let (one, other) = (place * bytes, (length - 1 - place) * bytes);
            // SAFETY: the list has so many values (K5), and nobody else has (K8); these are two of them.
            unsafe {
                if bytes == 8 {
                    std::ptr::swap(data.add(one).cast::<u64>(), data.add(other).cast::<u64>());
                } else {
                    std::ptr::swap_nonoverlapping(data.add(one), data.add(other), bytes);
                }
            }
        }
        Ok(())
    })
}
