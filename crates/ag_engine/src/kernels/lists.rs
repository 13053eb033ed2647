//! Ops of lists that take their time: all values are moved, or many.
//!
//! Where a list is changed, the operand is the cell of the result, into which the plan has had it
//! copied unless it could be changed in place.

use ag_ir::{Failure, Host, ListFailure};

use super::{Kernel, KernelResult, Stopped};
use crate::lists::{Cell, Element};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// `values…, result`: a list of so many values.
    Make(usize),
    /// `index, value, result`.
    Insert,
    /// `index, result`.
    Delete,
    /// `other, result`: the other's values come after those that are there.
    Concatenate,
    /// `list, start, stop, step, result`.
    Slice,
    /// `result`.
    Reverse,
    /// `list, array`: the list has as many values as the array has rows.
    Stack(usize),
    /// `array, result`: so many rows.
    Unstack(usize),
    /// `list of lists, result`.
    Flatten,
}

/// One of them, on such values; of a list of lists, they are lists.
pub(crate) struct ListKernel {
    pub(crate) change: Change,
    pub(crate) element: Element,
}

impl Kernel for ListKernel {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let Some((result, others)) = operands.split_last() else { return Ok(()) };
        // SAFETY: the plan has chosen the operands for the change; see its variants.
        unsafe { self.change(others, *result) }.map_err(Stopped::new)?;
        if let Change::Stack(_) = self.change {
            return Ok(());
        }
        // SAFETY: all other changes have a cell as their result.
        let length = unsafe { (*result.cast::<Cell>()).length };
        note_moved(length * self.element.stride(), host)
    }
}

/// So many bytes of lists are moved between two questions to the host; some milliseconds. The loops
/// around a list ask by the number of their iterations, which does not know how long a list is.
const MOST_MOVED: usize = 32 << 20;

thread_local! {
    /// Bytes moved on this thread since the host was asked.
    static MOVED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts bytes that were moved, and asks the host now and then whether to go on.
fn note_moved(bytes: usize, host: &mut dyn Host) -> KernelResult {
    let moved = MOVED.get().saturating_add(bytes);
    if moved < MOST_MOVED {
        MOVED.set(moved);
        return Ok(());
    }
    MOVED.set(0);
    host.poll().map_err(|error| Stopped::new(Failure::Host(error)))
}

impl ListKernel {
    /// # Safety
    /// The operands are those of the change, the result is a cell of its own or the array.
    unsafe fn change(&self, others: &[*mut u8], result: *mut u8) -> Result<(), Failure> {
        let (element, bytes) = (self.element, self.element.stride());
        // SAFETY: the caller's; where it is read, that operand is an integer.
        let integer = |operand: usize| unsafe { others[operand].cast::<i64>().read() };
        // SAFETY: the caller's; where it is read, that operand is a list.
        let list = |operand: usize| unsafe { others[operand].cast::<Cell>().read() };
        let cell = result.cast::<Cell>();
        // SAFETY: the caller's: the result is the array of a stack and else a cell, which nobody else
        // uses meanwhile; values are of so many bytes, and not in the list that they are put into.
        unsafe {
            match self.change {
                Change::Make(count) => {
                    (*cell).length = 0;
                    (*cell).reserve(count.saturating_mul(bytes))?;
                    others[..count].iter().try_for_each(|value| (*cell).extend_with(*value, 1, element))
                }
                Change::Unstack(count) => {
                    (*cell).length = 0;
                    (*cell).extend(others[0], count, bytes)
                }
                Change::Concatenate => {
                    let other = list(0);
                    (*cell).extend_with(other.data, other.length, element)
                }
                Change::Insert => insert(&mut *cell, integer(0), others[1], element),
                Change::Delete => delete(&mut *cell, integer(0), element),
                Change::Slice => slice(&mut *cell, &list(0), [integer(1), integer(2), integer(3)], element),
                Change::Reverse => {
                    reverse(&mut *cell, element);
                    Ok(())
                }
                Change::Flatten => flatten(&mut *cell, list(0), element.inner()),
                Change::Stack(size) => stack(&list(0), size, result, bytes),
            }
        }
    }
}

/// # Safety
/// The list's values are of so many bytes, the array has room for `size` of them.
unsafe fn stack(list: &Cell, size: usize, array: *mut u8, bytes: usize) -> Result<(), Failure> {
    if list.length != size {
        return Err(ListFailure::Stack { size, length: list.length }.into());
    }
    if size * bytes > 0 {
        // SAFETY: the caller's.
        unsafe { std::ptr::copy_nonoverlapping(list.data, array, size * bytes) };
    }
    Ok(())
}

/// The values of all lists of a list; they are of `element`.
///
/// # Safety
/// The values of the lists are such.
unsafe fn flatten(cell: &mut Cell, mut lists: Cell, element: Element) -> Result<(), Failure> {
    cell.length = 0;
    // SAFETY: the caller's; `lists` is a copy of a cell, which is only read.
    unsafe {
        let length = lists.length;
        lists.cells()[..length].iter().try_for_each(|one| cell.extend_with(one.data, one.length, element))
    }
}

/// # Safety
/// The list has such values; `value` is another, outside of the list.
unsafe fn insert(cell: &mut Cell, index: i64, value: *const u8, element: Element) -> Result<(), Failure> {
    let bytes = element.bytes;
    let place = usize::try_from(index.max(0)).unwrap_or(usize::MAX).min(cell.length);
    if element.depth > 0 {
        // SAFETY: the caller's; the new list comes to the end first, and then to its place.
        unsafe {
            cell.extend_with(value, 1, element)?;
            let length = cell.length;
            cell.cells()[place..length].rotate_right(1);
        }
        return Ok(());
    }
    cell.reserve((cell.length + 1).saturating_mul(bytes))?;
    if bytes > 0 {
        // SAFETY: there is room for one more.
        unsafe {
            let at = cell.data.add(place * bytes);
            std::ptr::copy(at, at.add(bytes), (cell.length - place) * bytes);
            std::ptr::copy_nonoverlapping(value, at, bytes);
        }
    }
    cell.length += 1;
    Ok(())
}

/// # Safety
/// The list's values are such.
unsafe fn delete(cell: &mut Cell, index: i64, element: Element) -> Result<(), Failure> {
    let bytes = element.bytes;
    let place = usize::try_from(index).ok().filter(|place| *place < cell.length).ok_or(ListFailure::Set)?;
    if element.depth > 0 {
        let length = cell.length;
        // SAFETY: the caller's.
        unsafe { cell.cells()[place..length].rotate_left(1) };
    } else if bytes > 0 {
        // SAFETY: the place is one of the list.
        unsafe {
            let at = cell.data.add(place * bytes);
            std::ptr::copy(at.add(bytes), at, (cell.length - place - 1) * bytes);
        }
    }
    cell.length -= 1;
    Ok(())
}

/// The values at `range(start, stop, step)` of another list.
///
/// # Safety
/// The values of both are such.
unsafe fn slice(
    cell: &mut Cell,
    from: &Cell,
    [start, stop, step]: [i64; 3],
    element: Element,
) -> Result<(), Failure> {
    let bytes = element.stride();
    if step == 0 {
        return Err(ListFailure::Step.into());
    }
    cell.length = 0;
    let mut index = start;
    while if step > 0 { index < stop } else { index > stop } {
        let place = usize::try_from(index).ok().filter(|place| *place < from.length);
        let place = place.ok_or(ListFailure::Get)?;
        if step == 1 {
            // The rest as a whole, as far as there is one.
            let count = usize::try_from(stop - index).unwrap_or(usize::MAX);
            if count > from.length - place {
                return Err(ListFailure::Get.into());
            }
            // SAFETY: so many follow.
            return unsafe { cell.extend_with(from.data.wrapping_add(place * bytes), count, element) };
        }
        // SAFETY: the place is one of the list.
        unsafe { cell.extend_with(from.data.wrapping_add(place * bytes), 1, element)? };
        let Some(next) = index.checked_add(step) else { break };
        index = next;
    }
    Ok(())
}

/// # Safety
/// The list's values are such.
unsafe fn reverse(cell: &mut Cell, element: Element) {
    let bytes = element.bytes;
    if element.depth > 0 {
        let length = cell.length;
        // SAFETY: the caller's.
        unsafe { cell.cells()[..length].reverse() };
        return;
    }
    if bytes == 0 || cell.length == 0 {
        return;
    }
    // SAFETY: the list has so many bytes, and nobody else does.
    let values = unsafe { std::slice::from_raw_parts_mut(cell.data, cell.length * bytes) };
    values.reverse();
    values.chunks_exact_mut(bytes).for_each(<[u8]>::reverse);
}
