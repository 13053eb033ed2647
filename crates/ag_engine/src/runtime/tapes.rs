//! The tape operations that generated code does by calls: growing a tape, and values of unknown size.

use ag_ir::Failure;

use super::context::{RunContext, pointer_of, status_of};
use super::lists::copy;
use crate::lists::{Cell, Element, MOST_SIZES};
use crate::tapes::{WORD, empty};

/// Makes room for `bytes` bytes at the top of a tape and returns their address; null if memory is short.
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn grow(
    context: *mut RunContext<'_>,
    tape: u64,
    bytes: u64,
    location: i64,
) -> *mut u8 {
    // SAFETY: generated code passes the context that it was given; nothing else uses it meanwhile.
    unsafe { pointer_of(context, location, || (*context).tapes.grow(tape as usize, bytes as usize)) }
}

/// Returns to the previous chunk of a tape when the current one is empty.
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn shrink(context: *mut RunContext<'_>, tape: u64, location: i64) -> i32 {
    // SAFETY: as in `grow`.
    unsafe {
        let work = || if (*context).tapes.shrink(tape as usize) { Ok(()) } else { Err(empty()) };
        status_of(context, location, work)
    }
}

/// Pushes the array in a cell on a tape. `form` is its [`array_code`].
///
/// # Safety
/// Called by generated code: `context` is the run's, and the cell is an array of that form.
pub(crate) unsafe extern "C" fn push_array(
    context: *mut RunContext<'_>,
    tape: u64,
    cell: *const Cell,
    form: u64,
    location: i64,
) -> i32 {
    let (rank, element_bytes) = array_form(form);
    // SAFETY: the caller's; nobody else uses the tapes meanwhile.
    let work = || unsafe {
        let (number, cell) = (tape as usize, &*cell);
        push_bytes(context, number, cell.data, cell.length * element_bytes)?;
        cell.sizes[..rank].iter().try_for_each(|size| (*context).tapes.push_word(number, *size))
    };
    // SAFETY: the caller's.
    unsafe { status_of(context, location, work) }
}

/// Pops an array off a tape, into a cell.
///
/// # Safety
/// As for [`push_array`].
pub(crate) unsafe extern "C" fn pop_array(
    context: *mut RunContext<'_>,
    tape: u64,
    cell: *mut Cell,
    form: u64,
    location: i64,
) -> i32 {
    // SAFETY: the caller's.
    let work = || unsafe { take_array(context, tape as usize, &mut *cell, array_form(form)) };
    // SAFETY: the caller's.
    unsafe { status_of(context, location, work) }
}

/// # Safety
/// That of [`pop_array`].
unsafe fn take_array(
    context: *mut RunContext<'_>,
    number: usize,
    cell: &mut Cell,
    (rank, element_bytes): (usize, usize),
) -> Result<(), Failure> {
    let mut sizes = [0; MOST_SIZES];
    for size in sizes[..rank].iter_mut().rev() {
        // SAFETY: the caller's.
        *size = unsafe { (*context).tapes.pop_word(number)? };
    }
    cell.make_array(&sizes[..rank], element_bytes)?;
    // SAFETY: the cell has room for so many elements, just made.
    unsafe { pop_bytes(context, number, cell.data, cell.length * element_bytes) }
}

/// Pushes the list in a cell on a tape; `element` is the code of its element type.
///
/// # Safety
/// Called by generated code: `context` is the run's, and the cell is a list of that type.
pub(crate) unsafe extern "C" fn push_list(
    context: *mut RunContext<'_>,
    tape: u64,
    cell: *const Cell,
    element: u64,
    location: i64,
) -> i32 {
    // SAFETY: the caller's.
    let work = || unsafe { put_list(context, tape as usize, &*cell, Element::from_code(element)) };
    // SAFETY: the caller's.
    unsafe { status_of(context, location, work) }
}

/// Pops a list off a tape, into a cell.
///
/// # Safety
/// As for [`push_list`].
pub(crate) unsafe extern "C" fn pop_list(
    context: *mut RunContext<'_>,
    tape: u64,
    cell: *mut Cell,
    element: u64,
    location: i64,
) -> i32 {
    // SAFETY: the caller's.
    let work = || unsafe { take_list(context, tape as usize, &mut *cell, Element::from_code(element)) };
    // SAFETY: the caller's.
    unsafe { status_of(context, location, work) }
}

/// Empties a tape into a cell, an array of bytes.
///
/// # Safety
/// Called by generated code: `context` is the run's, and the cell is an `u8[?]`.
pub(crate) unsafe extern "C" fn save(
    context: *mut RunContext<'_>,
    tape: u64,
    cell: *mut Cell,
    _form: u64,
    location: i64,
) -> i32 {
    // SAFETY: the caller's; nobody else uses the tapes and the cell meanwhile.
    let work = || unsafe {
        let (number, cell) = (tape as usize, &mut *cell);
        let (count, mut at) = ((*context).tapes.bytes(number), 0);
        cell.make_array(&[count], 1)?;
        (*context).tapes.empty(number, |from, bytes| {
            let copied = copy(context, from, cell.data.add(at), bytes);
            at += bytes;
            copied
        })
    };
    // SAFETY: the caller's.
    unsafe { status_of(context, location, work) }
}

/// Puts the bytes that [`save`] has made on a tape.
///
/// # Safety
/// As for [`save`].
pub(crate) unsafe extern "C" fn load(
    context: *mut RunContext<'_>,
    tape: u64,
    cell: *const Cell,
    _form: u64,
    location: i64,
) -> i32 {
    // SAFETY: the caller's; there is room, just made.
    let work = || unsafe {
        let (cell, number) = (&*cell, tape as usize);
        if cell.length == 0 {
            return Ok(());
        }
        let to = (*context).tapes.push(number, cell.length)?;
        copy(context, cell.data, to, cell.length)
    };
    // SAFETY: the caller's.
    unsafe { status_of(context, location, work) }
}

/// # Safety
/// That of [`push_list`].
unsafe fn put_list(
    context: *mut RunContext<'_>,
    number: usize,
    cell: &Cell,
    element: Element,
) -> Result<(), Failure> {
    // SAFETY: the caller's: the list has so many values, which are lists unless they are bytes.
    unsafe {
        if element.depth == 0 {
            push_bytes(context, number, cell.data, cell.length * element.bytes)?;
        } else {
            for at in 0..cell.length {
                put_list(context, number, &*cell.data.cast::<Cell>().add(at), element.inner())?;
            }
        }
        (*context).tapes.push_word(number, cell.length)
    }
}

/// # Safety
/// That of [`pop_list`].
unsafe fn take_list(
    context: *mut RunContext<'_>,
    number: usize,
    cell: &mut Cell,
    element: Element,
) -> Result<(), Failure> {
    // SAFETY: the caller's; nobody else uses the cell meanwhile.
    unsafe {
        let length = (*context).tapes.pop_word(number)?;
        cell.clear();
        if element.depth == 0 {
            cell.reserve(length.saturating_mul(element.bytes))?;
            pop_bytes(context, number, cell.data, length * element.bytes)?;
            cell.length = length;
            return Ok(());
        }
        while cell.length < length {
            cell.cell_at_end()?;
            cell.length += 1;
        }
        // The last inner list was pushed last.
        for inner in cell.cells()[..length].iter_mut().rev() {
            take_list(context, number, inner, element.inner())?;
        }
        Ok(())
    }
}

/// Pushes bytes on a tape, padded to whole words.
///
/// # Safety
/// `context` is the run's; `bytes` bytes are readable at `from`.
unsafe fn push_bytes(
    context: *mut RunContext<'_>,
    number: usize,
    from: *const u8,
    bytes: usize,
) -> Result<(), Failure> {
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: the caller's; there is room, just made.
    unsafe {
        let to = (*context).tapes.push(number, bytes.next_multiple_of(WORD))?;
        copy(context, from, to, bytes)
    }
}

/// Pops bytes off a tape that [`push_bytes`] has pushed.
///
/// # Safety
/// `context` is the run's; `bytes` bytes are writable at `to`.
unsafe fn pop_bytes(
    context: *mut RunContext<'_>,
    number: usize,
    to: *mut u8,
    bytes: usize,
) -> Result<(), Failure> {
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: the caller's; what was taken off is there until the next push.
    unsafe {
        let from = (*context).tapes.pop(number, bytes.next_multiple_of(WORD))?;
        copy(context, from, to, bytes)
    }
}

/// The rank and the bytes of an element of an array, as one number for generated code.
pub(crate) const fn array_code(rank: usize, element_bytes: usize) -> i64 {
    ((rank << 8) | element_bytes) as i64
}

const fn array_form(code: u64) -> (usize, usize) {
    ((code >> 8) as usize, (code & 0xFF) as usize)
}
