//! New NumPy arrays, in memory that is aligned for vectors and used again.
//!
//! NumPy asks `malloc` for memory. It is aligned to 16 bytes: each vector of 64 bytes then lies on two lines of the
//! cache, and a kernel that reads and writes a result takes up to half as long again. And what is freed at the
//! end of the heap goes back to the system, so that a loop whose results take some megabytes gets new pages in
//! each iteration, which may take ten times as long as the run. NumPy lets a thread choose the functions that
//! allocate (NEP 49), and each array keeps those that it was made with.

use std::collections::VecDeque;
use std::ffi::{c_char, c_int, c_void};
use std::sync::{Mutex, PoisonError};

use numpy::npyffi::{PY_ARRAY_API, npy_intp};
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyCapsule;

use crate::operands::few;

/// A line of the cache, and a vector of the widest registers. The header of a block takes as many bytes.
const ALIGNMENT: usize = 64;
/// Smaller arrays are not worth the choice, which takes 0.1 µs.
const LARGE: usize = 32 << 10;
/// Memory that is worth huge pages, where the system has them on demand only: NumPy's limit.
#[cfg(target_os = "linux")]
const HUGE: usize = 4 << 20;
/// The least page.
#[cfg(target_os = "linux")]
const PAGE: usize = 4 << 10;
/// The freed blocks that are kept, and their bytes: what `malloc` may keep at the end of its heap.
const MOST_BLOCKS: usize = 16;
const MOST_BYTES: usize = 64 << 20;

/// What stands before the first element of an array.
#[derive(Clone, Copy)]
struct Header {
    /// The memory as `malloc` gave it.
    start: *mut c_void,
    /// The bytes from the first element on.
    room: usize,
}

/// The aligned memory of an array, behind its header.
#[derive(Clone, Copy)]
struct Block(*mut c_void);

// SAFETY: a block in the list of free ones belongs to nobody else.
unsafe impl Send for Block {}

impl Block {
    /// A new block with room for some bytes.
    fn new(bytes: usize) -> Option<Self> {
        // SAFETY: any size will do. The first element is behind a whole header, and its room is within the block.
        unsafe {
            let start = libc::malloc(bytes.checked_add(2 * ALIGNMENT)?);
            if start.is_null() {
                return None;
            }
            want_huge_pages(start, bytes);
            let behind = start.wrapping_byte_add(ALIGNMENT);
            let first = behind.byte_add(behind.align_offset(ALIGNMENT));
            first.cast::<Header>().sub(1).write(Header { start, room: bytes });
            Some(Self(first))
        }
    }

    fn header(self) -> Header {
        // SAFETY: each block has been made by `new`, and lives until `free`.
        unsafe { self.0.cast::<Header>().sub(1).read() }
    }

    fn free(self) {
        // SAFETY: `malloc` has returned it; whoever frees a block has no other copy of it.
        unsafe { libc::free(self.header().start) }
    }
}

/// Asks for huge pages, as NumPy does: new memory then has one fault for 512 pages, and a table of pages that the
/// processor can hold.
#[cfg(target_os = "linux")]
fn want_huge_pages(start: *mut c_void, bytes: usize) {
    if bytes >= HUGE {
        let first = start.wrapping_byte_add(start.addr().wrapping_neg() % PAGE);
        // SAFETY: these are whole pages of the block, and advice changes nothing of what is in them.
        unsafe { libc::madvise(first, (bytes - PAGE) & !(PAGE - 1), libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn want_huge_pages(_start: *mut c_void, _bytes: usize) {}

/// Blocks that have been freed, the oldest first.
static FREE: Mutex<VecDeque<Block>> = Mutex::new(VecDeque::new());

/// A block with room for some bytes, which may have been used before.
fn take(bytes: usize) -> Option<Block> {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    let fits = |block: &Block| (bytes..=bytes.saturating_add(bytes / 4)).contains(&block.header().room);
    let found = free.iter().rposition(fits).and_then(|at| free.remove(at));
    drop(free);
    found.or_else(|| Block::new(bytes))
}

/// Keeps a block for the next array that needs as much room, instead of the oldest ones.
fn give_back(block: Block) {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    free.push_back(block);
    let mut bytes: usize = free.iter().map(|block| block.header().room).sum();
    while free.len() > MOST_BLOCKS || bytes > MOST_BYTES {
        let Some(oldest) = free.pop_front() else { break };
        bytes -= oldest.header().room;
        oldest.free();
    }
}

/// `PyDataMem_Handler` of NumPy's C interface.
#[repr(C)]
struct Handler {
    name: [c_char; 127],
    version: u8,
    context: *mut c_void,
    malloc: unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void,
    calloc: unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void,
    realloc: unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void, *mut c_void, usize),
}

// SAFETY: nothing writes to it, and the context is null.
unsafe impl Sync for Handler {}

/// `mem_handler`, the name of the capsules that NumPy takes.
const CAPSULE: &std::ffi::CStr = c"mem_handler";

const fn handler_name() -> [c_char; 127] {
    let text = b"autograph_aligned";
    let mut name = [0; 127];
    let mut at = 0;
    while at < text.len() {
        name[at] = text[at] as c_char;
        at += 1;
    }
    name
}

static HANDLER: Handler = Handler {
    name: handler_name(),
    version: 1,
    context: std::ptr::null_mut(),
    malloc: allocate,
    calloc: allocate_zeroed,
    realloc: reallocate,
    free: release,
};

/// Memory of `size` bytes, aligned, or null.
unsafe extern "C" fn allocate(_: *mut c_void, size: usize) -> *mut c_void {
    take(size).map_or(std::ptr::null_mut(), |block| block.0)
}

unsafe extern "C" fn allocate_zeroed(context: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let Some(bytes) = count.checked_mul(size) else { return std::ptr::null_mut() };
    // SAFETY: the block has room for so many bytes.
    unsafe {
        let made = allocate(context, bytes);
        if !made.is_null() {
            made.cast::<u8>().write_bytes(0, bytes);
        }
        made
    }
}

unsafe extern "C" fn reallocate(context: *mut c_void, memory: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: NumPy gives what one of these functions has returned; both blocks have room for what is copied.
    unsafe {
        let made = allocate(context, size);
        if !memory.is_null() && !made.is_null() {
            let kept = Block(memory).header().room.min(size);
            made.cast::<u8>().copy_from_nonoverlapping(memory.cast(), kept);
            give_back(Block(memory));
        }
        made
    }
}

unsafe extern "C" fn release(_: *mut c_void, memory: *mut c_void, _: usize) {
    if !memory.is_null() {
        give_back(Block(memory));
    }
}

/// `PyDataMem_SetHandler`: takes a capsule for this thread, and returns a new reference to the one before.
type SetHandler = unsafe extern "C" fn(*mut ffi::PyObject) -> *mut ffi::PyObject;
/// Its place in the table of NumPy's C interface, since NumPy 1.22.
const SET_HANDLER: usize = 304;

/// The way to have NumPy allocate by [`HANDLER`].
struct Choice {
    set: SetHandler,
    handler: Py<PyAny>,
}

impl Choice {
    fn new(py: Python<'_>) -> PyResult<Self> {
        let table =
            py.import("numpy._core._multiarray_umath")?.getattr("_ARRAY_API")?.cast_into::<PyCapsule>()?;
        // SAFETY: the table lives as long as NumPy, which is never unloaded, and has this function at this place
        // in every NumPy that the package takes. The handler lives for ever, as does its name; a new reference or
        // null with an error is returned.
        unsafe {
            let set = table.pointer_checked(None)?.cast::<SetHandler>().add(SET_HANDLER).read();
            let handler = (&raw const HANDLER).cast_mut().cast();
            let handler =
                Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(handler, CAPSULE.as_ptr(), None))?;
            Ok(Self { set, handler: handler.unbind() })
        }
    }

    /// What `make` returns while this thread's arrays are aligned.
    fn while_set<T>(&self, py: Python<'_>, make: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        // SAFETY: the capsule is a handler's, as is the one that NumPy returns.
        let set = |handler: &Bound<'_, PyAny>| unsafe {
            Bound::from_owned_ptr_or_err(py, (self.set)(handler.as_ptr()))
        };
        let before = set(self.handler.bind(py))?;
        let made = make();
        set(&before)?;
        made
    }
}

/// A new, uninitialised NumPy array, as [`empty_array`] makes it.
#[pyfunction]
pub(crate) fn new_array<'py>(
    sizes: Vec<usize>,
    dtype: &Bound<'py, PyArrayDescr>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    empty_array(dtype, &sizes)
}

/// A new, uninitialised NumPy array; its memory must be written before anybody sees it.
pub(crate) fn empty_array<'py>(
    dtype: &Bound<'py, PyArrayDescr>,
    sizes: &[usize],
) -> PyResult<Bound<'py, PyUntypedArray>> {
    static CHOICE: PyOnceLock<Choice> = PyOnceLock::new();
    let py = dtype.py();
    let bytes = sizes.iter().try_fold(dtype.itemsize(), |bytes, size| bytes.checked_mul(*size));
    if bytes.is_none_or(|bytes| bytes < LARGE) {
        return plain_array(dtype, sizes);
    }
    CHOICE.get_or_try_init(py, || Choice::new(py))?.while_set(py, || plain_array(dtype, sizes))
}

fn plain_array<'py>(
    dtype: &Bound<'py, PyArrayDescr>,
    sizes: &[usize],
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = dtype.py();
    let mut dimensions = few(sizes.iter().map(|size| *size as npy_intp));
    let rank = c_int::try_from(sizes.len())?;
    // SAFETY: NumPy reads `rank` dimensions and takes over one reference to the dtype; it returns a
    // new reference to an array, or null with an exception set.
    unsafe {
        let made =
            PY_ARRAY_API.PyArray_Empty(py, rank, dimensions.as_mut_ptr(), dtype.clone().into_dtype_ptr(), 0);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked())
    }
}
