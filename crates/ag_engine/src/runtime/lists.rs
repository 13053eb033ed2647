//! Lists, and arrays whose sizes only the run knows, as generated code copies, grows and frees them.

use ag_ir::Failure;

use super::context::{RunContext, status_of};
use crate::kernels::effort;
use crate::lists::{Cell, Element};

/// Makes the list at `to` one of the same values as the list at `from`.
///
/// # Safety
/// Called by generated code: `context` is the run's, the cells are lists of values of that code.
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
        to.length = 0;
        let copied = to.reserve(bytes).and_then(|()| copy(context, from.data, to.data, bytes));
        to.length = from.length;
        copied
    };
    // SAFETY: the caller's.
    unsafe { status_of(context, location, work) }
}

/// Makes the array at `to` one of the same elements as the array at `from`.
///
/// # Safety
/// As for [`copy_list`], of arrays.
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

/// Copies bytes, and asks now and then whether to go on.
///
/// # Safety
/// `context` is the run's; both are valid for so many bytes and do not overlap.
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

/// Adds a list at the end of a list of lists, whose values are of that code.
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

/// Makes cells those of empty lists, whatever was there.
///
/// # Safety
/// Called by generated code: there is memory of so many cells.
pub(crate) unsafe extern "C" fn open_cells(first: *mut Cell, count: u64) {
    for number in 0..count as usize {
        // SAFETY: the caller's.
        unsafe { first.add(number).write(Cell::EMPTY) };
    }
}

/// Frees the lists in cells.
///
/// # Safety
/// As for [`open_cells`], which has been called for them.
pub(crate) unsafe extern "C" fn free_cells(first: *mut Cell, count: u64) {
    for number in 0..count as usize {
        // SAFETY: the caller's.
        unsafe { (*first.add(number)).free() };
    }
}

/// Makes room for one value more than there are.
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
