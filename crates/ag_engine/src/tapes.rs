//! Tapes of a run: a forward pass pushes values on them, and its backward pass pops them in reverse order.
//!
//! ```text
//! push:  top + bytes > end?  no: the value is written at `top`, four instructions
//!                            yes: the next chunk, twice as large as the last one
//! pop:   top == base?        no: the value is read below `top`
//!                            yes: back to the chunk before
//! ```
//!
//! - A tape is a stack of chunks; generated code sees only the last. A value is in one chunk, and is never
//!   moved. It may be made there, and read there until something is pushed again (`plan/stays.rs`).
//! - Empty chunks are reused by any tape of the run, and some are kept for the next run.
//! - All values of a tape have one type, see [`numbers`]. Unknown sizes are pushed after the data that they
//!   describe: the elements of an array and then its sizes, the values of a list and then its length.

use std::collections::BTreeMap;
use std::ptr::null_mut;

use ag_ir::{Block, Failure, Function, Op, Type};

use crate::error::CompileError;
use crate::memory::AlignedBytes;

/// Bytes of the first chunk of a tape.
const FIRST: usize = 4 << 10;
/// The most bytes of a chunk, except for a larger value.
const MOST: usize = 8 << 20;
/// The most bytes of chunks that are kept between runs.
pub(crate) const KEPT: usize = 64 << 20;
/// Sizes and lengths are words.
pub(crate) const WORD: usize = size_of::<usize>();

/// A tape; generated code reads and writes the first fields.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Tape {
    /// The address of the next value.
    top: *mut u8,
    /// The start of the last chunk.
    base: *mut u8,
    /// The end of the last chunk.
    end: *mut u8,
    /// The last chunk.
    chunk: AlignedBytes,
    /// The chunks before it, each with its top.
    full: Vec<(AlignedBytes, *mut u8)>,
}

// SAFETY: it owns its chunks, and its pointers lead into them.
unsafe impl Send for Tape {}

/// Bytes from one tape to the next.
pub(crate) const TAPE_BYTES: usize = size_of::<Tape>();
/// The offsets at which generated code finds the top, the base and the end.
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
    /// Empty tapes.
    pub(crate) fn new(count: usize) -> Self {
        Self { tapes: (0..count).map(|_| Tape::EMPTY).collect(), spare: Vec::new() }
    }

    /// The address of the first tape, for generated code.
    pub(crate) fn pointer(&mut self) -> *mut Tape {
        self.tapes.as_mut_ptr()
    }

    /// Empties the tapes, for another run. Chunks are kept, up to [`KEPT`] bytes.
    pub(crate) fn clear(&mut self) {
        for tape in &mut self.tapes {
            self.spare.push(std::mem::replace(&mut tape.chunk, AlignedBytes::NONE));
            self.spare.extend(tape.full.drain(..).map(|(chunk, _)| chunk));
            tape.point_to_chunk();
        }
        let mut kept = 0;
        self.spare.retain(|chunk| {
            let fits = chunk.len() > 0 && kept + chunk.len() <= KEPT;
            kept += if fits { chunk.len() } else { 0 };
            fits
        });
    }

    /// Starts a new chunk for a tape whose last chunk has too little room; returns its address.
    pub(crate) fn grow(&mut self, number: usize, bytes: usize) -> Result<*mut u8, Failure> {
        let tape = &mut self.tapes[number];
        let wanted = tape.chunk.len().saturating_mul(2).clamp(FIRST, MOST).max(bytes);
        // Prefer the chunk that was used last, if it is large enough.
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

    /// Returns to the previous chunk; false if there is none.
    pub(crate) fn shrink(&mut self, number: usize) -> bool {
        let tape = &mut self.tapes[number];
        let Some((chunk, top)) = tape.full.pop() else { return false };
        self.spare.push(std::mem::replace(&mut tape.chunk, chunk));
        tape.point_to_chunk();
        tape.top = top;
        true
    }

    /// Pushes `bytes` uninitialised bytes and returns their address.
    pub(crate) fn push(&mut self, number: usize, bytes: usize) -> Result<*mut u8, Failure> {
        let tape = &self.tapes[number];
        let room = tape.end.addr() - tape.top.addr();
        let top = if bytes > room { self.grow(number, bytes)? } else { tape.top };
        self.tapes[number].top = top.wrapping_add(bytes);
        Ok(top)
    }

    /// Pops `bytes` bytes and returns their address; they are valid until the next push.
    pub(crate) fn pop(&mut self, number: usize, bytes: usize) -> Result<*mut u8, Failure> {
        let tape = &self.tapes[number];
        let found = tape.top != tape.base || bytes == 0 || self.shrink(number);
        let tape = &mut self.tapes[number];
        if !found || tape.top.addr() - tape.base.addr() < bytes {
            return Err(empty());
        }
        tape.top = tape.top.wrapping_sub(bytes);
        Ok(tape.top)
    }

    /// The bytes on a tape.
    pub(crate) fn bytes(&self, number: usize) -> usize {
        self.tapes[number].chunks().map(|(_, bytes)| bytes).sum()
    }

    /// Passes what is on a tape to `take`, from the bottom to the top, and empties it.
    pub(crate) fn empty(
        &mut self,
        number: usize,
        mut take: impl FnMut(*const u8, usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.tapes[number].chunks().try_for_each(|(from, bytes)| take(from, bytes))?;
        while self.shrink(number) {}
        let tape = &mut self.tapes[number];
        tape.top = tape.base;
        Ok(())
    }

    pub(crate) fn push_word(&mut self, number: usize, word: usize) -> Result<(), Failure> {
        let at = self.push(number, WORD)?;
        // SAFETY: there is room, and it is aligned, because only whole words are pushed on such a tape.
        unsafe { at.cast::<usize>().write(word) };
        Ok(())
    }

    pub(crate) fn pop_word(&mut self, number: usize) -> Result<usize, Failure> {
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

    /// The used parts of the chunks, the oldest first: where each starts, and its bytes.
    fn chunks(&self) -> impl Iterator<Item = (*const u8, usize)> {
        let full = self.full.iter().map(|(chunk, top)| (chunk.pointer(), top.addr()));
        let last = (self.base.cast_const(), self.top.addr());
        full.chain([last]).map(|(base, top)| (base, top - base.addr()))
    }

    fn point_to_chunk(&mut self) {
        self.base = self.chunk.pointer_mut();
        self.top = self.base;
        self.end = self.base.wrapping_add(self.chunk.len());
    }
}

/// The failure of a graph that pops more than it pushed, which no pass makes.
pub(crate) fn empty() -> Failure {
    Failure::Check {
        error: "RuntimeError".into(),
        message: "a value is taken from an empty tape".into(),
        site: None,
        values: Vec::new(),
    }
}

/// The numbers of a graph's tapes, in ascending order.
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
    types: &mut BTreeMap<u32, Option<&'f Type>>,
) -> Result<(), CompileError> {
    for node in &block.nodes {
        let used = match &node.op {
            Op::TapePush(tape) => Some((*tape, function.ty(node.operands[0]))),
            Op::TapePop(pop) => Some((pop.tape, &pop.ty)),
            Op::TapeSave(tape) | Op::TapeLoad(tape) => {
                types.entry(*tape).or_insert(None);
                None
            }
            _ => None,
        };
        if let Some((tape, ty)) = used
            && let known = *types.entry(tape).or_insert(None).get_or_insert(ty)
            && known != ty
        {
            let message = format!("tape {tape} has values of type {known} and {ty}");
            return Err(CompileError::new(message, node.location));
        }
        node.regions.iter().try_for_each(|region| collect(function, region, types))?;
    }
    Ok(())
}
