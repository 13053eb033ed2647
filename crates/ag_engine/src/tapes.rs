//! Tapes of a run: what a forward pass puts there for its backward pass, which takes it off again.
//!
//! ```text
//! push:  top + bytes > end?  no: the value is written at `top`, four instructions
//!                            yes: the next chunk, twice as large as the last one
//! pop:   top == base?        no: the value is read below `top`
//!                            yes: back to the chunk before
//! ```
//!
//! - A tape is a stack of chunks, of which generated code knows the last. A value is in one chunk; what
//!   is on a tape is never moved.
//! - Chunks that have become empty are kept for the next that is needed, by any tape of the run, and some
//!   for the next run.
//! - All values of a tape have one type, see [`numbers`]. What has a size of its own is below it: the elements
//!   of an array and then its sizes, the values of a list and then how many they are.

use std::collections::BTreeMap;
use std::ptr::null_mut;

use ag_ir::{Block, Failure, Function, Op, Type};

use crate::context::{RunContext, pointer_of, status_of};
use crate::error::CompileError;
use crate::lists::{Cell, Element, MOST_SIZES, copy};
use crate::memory::AlignedBytes;

/// The first chunk of a tape.
const FIRST: usize = 4 << 10;
/// Chunks grow up to this.
const MOST: usize = 8 << 20;
/// So many bytes of chunks are kept between runs.
pub(crate) const KEPT: usize = 64 << 20;
/// Sizes and lengths are words.
const WORD: usize = size_of::<usize>();

/// A tape; generated code reads and writes the first fields.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Tape {
    /// Where the next value comes.
    top: *mut u8,
    /// Where the chunk starts.
    base: *mut u8,
    /// Where the chunk ends.
    end: *mut u8,
    /// The chunk.
    chunk: AlignedBytes,
    /// Those before, each with its top.
    full: Vec<(AlignedBytes, *mut u8)>,
}

/// Bytes from one tape to the next.
pub(crate) const TAPE_BYTES: usize = size_of::<Tape>();
/// Where generated code finds the top, the base and the end.
pub(crate) const TOP: i32 = std::mem::offset_of!(Tape, top) as i32;
/// See [`TOP`].
pub(crate) const BASE: i32 = std::mem::offset_of!(Tape, base) as i32;
/// See [`TOP`].
pub(crate) const END: i32 = std::mem::offset_of!(Tape, end) as i32;

/// The tapes of a run.
#[derive(Debug)]
pub(crate) struct Tapes {
    tapes: Vec<Tape>,
    /// Chunks that are not in use.
    spare: Vec<AlignedBytes>,
}

impl Tapes {
    /// So many, with chunks to begin with.
    pub(crate) fn new(count: usize, spare: Vec<AlignedBytes>) -> Self {
        Self { tapes: (0..count).map(|_| Tape::EMPTY).collect(), spare }
    }

    /// The first, for generated code.
    pub(crate) fn pointer(&mut self) -> *mut Tape {
        self.tapes.as_mut_ptr()
    }

    /// The chunks, as far as they are worth keeping.
    pub(crate) fn into_spare(mut self) -> Vec<AlignedBytes> {
        for tape in self.tapes {
            self.spare.push(tape.chunk);
            self.spare.extend(tape.full.into_iter().map(|(chunk, _)| chunk));
        }
        self.spare.retain(|chunk| chunk.len() > 0);
        let mut kept = 0;
        self.spare.retain(|chunk| {
            let fits = kept + chunk.len() <= KEPT;
            kept += if fits { chunk.len() } else { 0 };
            fits
        });
        self.spare
    }

    /// Makes room for so many bytes at the top of a tape, which has too little.
    fn grow(&mut self, number: usize, bytes: usize) -> Result<*mut u8, Failure> {
        let tape = &mut self.tapes[number];
        let wanted = tape.chunk.len().saturating_mul(2).clamp(FIRST, MOST).max(bytes);
        // The chunk that was used last, if it will do.
        let spare = self.spare.iter().rposition(|chunk| chunk.len() >= bytes);
        let chunk = match spare {
            Some(at) => self.spare.remove(at),
            None => AlignedBytes::new(wanted).ok_or(Failure::OutOfMemory { bytes: wanted })?,
        };
        let before = std::mem::replace(&mut tape.chunk, chunk);
        if tape.top == tape.base {
            self.spare.extend(Some(before).filter(|chunk| chunk.len() > 0));
        } else {
            tape.full.push((before, tape.top));
        }
        tape.point_to_chunk();
        Ok(tape.top)
    }

    /// Goes back to the chunk before. Says whether there is one.
    fn shrink(&mut self, number: usize) -> bool {
        let tape = &mut self.tapes[number];
        let Some((chunk, top)) = tape.full.pop() else { return false };
        self.spare.push(std::mem::replace(&mut tape.chunk, chunk));
        tape.point_to_chunk();
        tape.top = top;
        true
    }

    /// Room for so many bytes on a tape, which is taken.
    fn push(&mut self, number: usize, bytes: usize) -> Result<*mut u8, Failure> {
        let tape = &self.tapes[number];
        let room = tape.end.addr() - tape.top.addr();
        let top = if bytes > room { self.grow(number, bytes)? } else { tape.top };
        self.tapes[number].top = top.wrapping_add(bytes);
        Ok(top)
    }

    /// The last so many bytes of a tape, which are there until the next push.
    fn pop(&mut self, number: usize, bytes: usize) -> Result<*mut u8, Failure> {
        let tape = &self.tapes[number];
        let found = tape.top != tape.base || bytes == 0 || self.shrink(number);
        let tape = &mut self.tapes[number];
        if !found || tape.top.addr() - tape.base.addr() < bytes {
            return Err(empty());
        }
        tape.top = tape.top.wrapping_sub(bytes);
        Ok(tape.top)
    }

    fn push_word(&mut self, number: usize, word: usize) -> Result<(), Failure> {
        let at = self.push(number, WORD)?;
        // SAFETY: there is room, aligned: all that is put on such a tape are whole words.
        unsafe { at.cast::<usize>().write(word) };
        Ok(())
    }

    fn pop_word(&mut self, number: usize) -> Result<usize, Failure> {
        // SAFETY: a word was put there: all values of a tape have one type.
        self.pop(number, WORD).map(|at| unsafe { at.cast::<usize>().read() })
    }
}

impl Tape {
    const EMPTY: Self = Self {
        top: null_mut(),
        base: null_mut(),
        end: null_mut(),
        chunk: AlignedBytes::NONE,
        full: Vec::new(),
    };

    fn point_to_chunk(&mut self) {
        self.base = self.chunk.pointer_mut();
        self.top = self.base;
        self.end = self.base.wrapping_add(self.chunk.len());
    }
}

/// A graph that takes more from a tape than it has put there is not one that we make.
fn empty() -> Failure {
    Failure::Check {
        error: "RuntimeError".into(),
        message: "a value is taken from an empty tape".into(),
        site: None,
        values: Vec::new(),
    }
}

/// The numbers of a graph's tapes, ascending.
///
/// # Errors
/// If values of several types are on one tape.
pub(crate) fn numbers(graph: &Function) -> Result<Vec<u32>, CompileError> {
    let mut types = BTreeMap::new();
    for function in std::iter::once(graph).chain(&graph.functions) {
        collect(function, &function.body, &mut types)?;
    }
    Ok(types.into_keys().collect())
}

fn collect<'f>(
    function: &'f Function,
    block: &'f Block,
    types: &mut BTreeMap<u32, &'f Type>,
) -> Result<(), CompileError> {
    for node in &block.nodes {
        let used = match &node.op {
            Op::TapePush(tape) => Some((*tape, function.ty(node.operands[0]))),
            Op::TapePop(pop) => Some((pop.tape, &pop.ty)),
            _ => None,
        };
        if let Some((tape, ty)) = used
            && *types.entry(tape).or_insert(ty) != ty
        {
            let message = format!("tape {tape} has values of type {} and {ty}", types[&tape]);
            return Err(CompileError::new(message, node.location));
        }
        node.regions.iter().try_for_each(|region| collect(function, region, types))?;
    }
    Ok(())
}

/// Makes room for so many bytes at the top of a tape; null if there is none.
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

/// Goes back to the chunk before, since this one is empty.
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

/// Puts an array of so many dimensions on a tape, from a cell.
///
/// # Safety
/// Called by generated code: `context` is the run's, the cell that of such an array.
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

/// Takes an array off a tape, into a cell.
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

/// Puts a list, whose values are of that code, on a tape.
///
/// # Safety
/// Called by generated code: `context` is the run's, the cell that of such a list.
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

/// Takes a list off a tape, into a cell.
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
        cell.length = 0;
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
        // The last was put there last.
        for inner in cell.cells()[..length].iter_mut().rev() {
            take_list(context, number, inner, element.inner())?;
        }
        Ok(())
    }
}

/// Puts bytes on a tape, filled up to whole words.
///
/// # Safety
/// `context` is the run's; so many bytes are readable.
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

/// Takes bytes off a tape that [`push_bytes`] has put there.
///
/// # Safety
/// `context` is the run's; so many bytes are writable.
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

/// The dimensions of an array and the bytes of an element, as one number for generated code.
pub(crate) const fn array_code(rank: usize, element_bytes: usize) -> i64 {
    ((rank << 8) | element_bytes) as i64
}

const fn array_form(code: u64) -> (usize, usize) {
    ((code >> 8) as usize, (code & 0xFF) as usize)
}
