//! Cells (descriptors) of lists and of arrays of unknown sizes: how generated code copies, grows and frees
//! them.

use ag_ir::Failure;

use super::context::{RunContext, status_of};
use crate::kernels::effort;
use crate::lists::{Cell, Element};

/// Copies the list at `from` to the cell at `to`.
///
/// # Safety
/// Called by generated code: `context` is the run's, and the cells are lists whose element type has the code
/// `element`.
pub(crate) unsafe extern "C" fn copy_list(
    context: *mut RunContext<'_>,
    to: *mut Cell,
    from: *const Cell,
    element: u64,
    location: i64,
) -> i32 {
    if to.cast_const() == from {
        return 0;
    }
    // SAFETY: the caller's; two cells do not share values.
    let work = || unsafe {
        let (to, from, element) = (&mut *to, &*from, Element::from_code(element));
        if element.depth > 0 {
            return to.copy_from(from, element);
        }
        let bytes = from.length * element.bytes;
        to.clear();
        let copied = to.reserve(bytes).and_then(|()| copy(context, from.data, to.data, bytes));
        to.length = from.length;
        copied
    };
    // SAFETY: the caller's.
    unsafe { status_of(context, location, work) }
}

/// Copies the array at `from` to the cell at `to`.
///
/// # Safety
/// As for [`copy_list`]; the cells are arrays.
pub(crate) unsafe extern "C" fn copy_array(
    context: *mut RunContext<'_>,
    to: *mut Cell,
    from: *const Cell,
    element_bytes: u64,
    location: i64,
) -> i32 {
    if to.cast_const() == from {
        return 0;
    }
    let bytes = element_bytes as usize;
    // SAFETY: the caller's; two cells do not share elements.
    let work = || unsafe {
        let (to, from) = (&mut *to, &*from);
        to.reserve_about((from.length * bytes).max(1))?;
        (to.length, to.sizes) = (from.length, from.sizes);
        copy(context, from.data, to.data, from.length * bytes)
    };
    // SAFETY: the caller's.
    unsafe { status_of(context, location, work) }
}

/// Copies bytes, and now and then asks the host whether to go on.
///
/// # Safety
/// `context` is the run's; `from` and `to` are valid for `bytes` bytes and do not overlap.
pub(crate) unsafe fn copy(
    context: *mut RunContext<'_>,
    from: *const u8,
    to: *mut u8,
    bytes: usize,
) -> Result<(), Failure> {
    // SAFETY: the caller's; nobody else uses the host meanwhile.
    let copied = unsafe { effort::copy(from, to, bytes, &mut *(*context).host) };
    copied.map_err(|stopped| stopped.failure)
}

/// Appends a copy of a list to a list of lists.
///
/// # Safety
/// As for [`copy_list`].
pub(crate) unsafe extern "C" fn append_list(
    context: *mut RunContext<'_>,
    to: *mut Cell,
    value: *const Cell,
    element: u64,
    location: i64,
) -> i32 {
    // SAFETY: the caller's; a list is not in itself.
    let work = || unsafe { (*to).extend_with(value.cast(), 1, Element::from_code(element)) };
    // SAFETY: the caller's.
    unsafe { status_of(context, location, work) }
}

/// Initialises cells as empty lists, whatever is in the memory.
///
/// # Safety
/// Called by generated code: `first` points to memory for `count` cells.
pub(crate) unsafe extern "C" fn open_cells(first: *mut Cell, count: u64) {
    for number in 0..count as usize {
        // SAFETY: the caller's.
        unsafe { first.add(number).write(Cell::EMPTY) };
    }
}

/// Frees the lists in cells.
///
/// # Safety
/// As for [`open_cells`], which has initialised the cells.
pub(crate) unsafe extern "C" fn free_cells(first: *mut Cell, count: u64) {
    for number in 0..count as usize {
        // SAFETY: the caller's.
        unsafe { (*first.add(number)).free() };
    }
}

/// The most bytes that a loop makes room for when it starts.
const MOST_RESERVED: usize = 1 << 30;

/// Makes room for the values that a loop is going to append. If memory is short, or so much that the loop may
/// fail before it needs it, the list grows while the loop runs.
///
/// # Safety
/// Called by generated code: the cell is a list whose values have `bytes` bytes.
pub(crate) unsafe extern "C" fn reserve(cell: *mut Cell, count: u64, bytes: u64) {
    // SAFETY: the caller's.
    let cell = unsafe { &mut *cell };
    let wanted = cell.length.saturating_add(count as usize).saturating_mul(bytes as usize);
    if wanted <= MOST_RESERVED {
        // The list is as it was if this fails.
        let _ = cell.reserve(wanted);
    }
}

/// Makes room for one more value.
///
/// # Safety
/// As for [`copy_list`].
pub(crate) unsafe extern "C" fn make_room(
    context: *mut RunContext<'_>,
    cell: *mut Cell,
    bytes: u64,
    location: i64,
) -> i32 {
    // SAFETY: the caller's.
    unsafe { status_of(context, location, || (*cell).reserve(bytes as usize)) }
}
