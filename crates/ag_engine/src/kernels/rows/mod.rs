//! Rows of a loop that run side by side: each op for a block of rows before the next op.
//!
//! ```text
//! for i in range(n):                          256 rows at once, one op after the other; after each test the
//!     x = a[i]                                rows that leave the loop are put away, and the others moved
//!     while abs(x * x - a[i]) > 1e-10:        together
//!         x = 0.5 * (x + a[i] / x)
//!     y[i] = x
//! ```
//!
//! The kernel is called by the loop that it stands for, and says which row that has to run itself: one that may
//! fail, whose failure has to come after the rows before it; and a row that goes on and on when nearly all others
//! of its block have left. Such a row runs from its start. The loop ends when there is no such row any more. A row
//! that some array does not have is the loop's as well, and fails there.
//!
//! Invariant: ops of rows have no effects, so that running a row twice, or one too many, changes nothing.

mod lanes;
pub(crate) mod parts;

use ag_ir::Host;

use self::lanes::LanesOfLoop;
use self::parts::{BLOCK, Column, End, Given, Left, Length, Listed, Part, Ready, Uniform, Whiles};
use super::chained::{Piece, pieces};
use super::effort::count_work;
use super::instructions::Source;
use super::{Kernel, KernelResult};
use crate::lists::Cell;

/// Fewer rows run one after the other.
pub(crate) const LEAST_ROWS: usize = 24;
/// Where words of scratch are: the row that the loop has to run, the next row, and the words of [`Left`].
const NEXT: usize = 0;
const CURSOR: usize = 1;
const LEFT: usize = 2;
const TAKEN: usize = 3;
/// Where rows end that run side by side, and where all end.
const LIMIT: usize = 4;
const END: usize = 5;
/// Words before the rows that are left to the loop.
const HEAD: usize = 8;
/// What the first word of scratch is before the first call.
pub(crate) const NOT_BEGUN: i64 = -1;
/// The most registers: a set of them is a number of 128 bits.
pub(crate) const MOST_REGISTERS: usize = 96;
/// A loop is no longer run for a block of which so few rows are left, if that has gone on for a while.
const FEW: usize = 4;
/// How many iterations of few rows are no reason yet.
const PATIENCE: usize = 16;
/// Work that is not counted yet.
const MOST_DONE: usize = 1 << 18;

/// The kernel. Operands: those of the columns and scalars, then scratch, see [`Rows::scratch_bytes`].
#[derive(Debug)]
pub(crate) struct Rows {
    start: usize,
    end: End,
    reads: Vec<Column>,
    writes: Vec<Column>,
    uniforms: Vec<Uniform>,
    /// The registers of those.
    are_uniform: u128,
    parts: Vec<Part<Ready>>,
    registers: usize,
}

impl Rows {
    pub(crate) fn new(
        (start, end): (usize, End),
        [reads, writes]: [Vec<Column>; 2],
        uniforms: Vec<Uniform>,
        parts: Vec<Part<Listed>>,
        registers: usize,
    ) -> Self {
        let ready = |(listed, kept): Listed| {
            let length = listed.len();
            (pieces(listed, kept, false), length)
        };
        let parts = parts
            .into_iter()
            .map(|part| match part {
                Part::Straight(listed) => Part::Straight(ready(listed)),
                Part::While(Whiles { carries, held, test, goes_on, body }) => {
                    let (test, body) = (ready(test), ready(body));
                    Part::While(Whiles { carries, held, test, goes_on, body })
                }
            })
            .collect();
        let are_uniform = uniforms.iter().fold(0, |set, uniform| set | 1 << uniform.register);
        Self { start, end, reads, writes, uniforms, are_uniform, parts, registers }
    }

    /// Words of scratch before the memory of registers.
    const fn head(&self) -> usize {
        (HEAD + 2 * BLOCK + self.registers).next_multiple_of(8)
    }

    /// Bytes of scratch; the first eight are set to [`NOT_BEGUN`] before the first call, and say afterwards which row
    /// the loop has to run, or where the rows end.
    pub(crate) const fn scratch_bytes(&self) -> usize {
        (self.head() + self.registers * BLOCK) * 8
    }

    /// Makes registers ready.
    ///
    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn begin(&self, operands: &[*mut u8], words: *mut u64) {
        // SAFETY: the caller's (K1, K2): scratch holds the head and the registers.
        unsafe {
            words.write_bytes(0, self.head() + self.registers * BLOCK);
            let end = self.end(operands);
            words.add(CURSOR).write(self.start as u64);
            words.add(LIMIT).write(self.limit(operands, end) as u64);
            words.add(END).write(end.cast_unsigned());
            let places = words.add(HEAD + 2 * BLOCK).cast::<*mut u8>();
            for register in 0..self.registers {
                places.add(register).write(words.add(self.head() + register * BLOCK).cast());
            }
            for uniform in &self.uniforms {
                let to = places.add(uniform.register).read();
                let (from, size) = match &uniform.from {
                    Given::Operand(operand, size) => (operands[*operand].cast_const(), *size),
                    Given::Literal(bytes) => (bytes.as_ptr(), bytes.len()),
                };
                for row in 0..BLOCK {
                    std::ptr::copy_nonoverlapping(from, to.add(row * size), size);
                }
            }
        }
    }

    /// Where all rows end.
    ///
    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn end(&self, operands: &[*mut u8]) -> i64 {
        match self.end {
            End::Known(end) => end,
            // SAFETY: the caller's (K2): a scalar operand.
            End::Operand(operand) => unsafe { operands[operand].cast::<i64>().read() },
        }
    }

    /// Where rows end that run side by side: where the shortest array ends, or at the start if they are few.
    ///
    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn limit(&self, operands: &[*mut u8], end: i64) -> usize {
        let length = |column: &Column| match column.length {
            Length::Known(length) => length,
            // SAFETY: the caller's (K5).
            Length::InCell => unsafe { (*operands[column.operand].cast::<Cell>()).length },
        };
        let lengths = self.reads.iter().chain(&self.writes).map(length);
        let limit = lengths.fold(usize::try_from(end).unwrap_or(0), usize::min);
        if limit < self.start.saturating_add(LEAST_ROWS) { self.start } else { limit }
    }

    /// Runs the rows of a block, and returns how many of them are left to the loop.
    ///
    /// # Safety
    /// That of [`Kernel::run`], after [`Self::begin`]; the rows are within the bounds.
    unsafe fn block(
        &self,
        operands: &[*mut u8],
        words: *mut u64,
        first: usize,
        count: usize,
        host: &mut dyn Host,
    ) -> Result<usize, Box<super::Stopped>> {
        // SAFETY: the caller's (K2): these parts of scratch are apart.
        let (left, rows, places) = unsafe {
            (
                std::slice::from_raw_parts_mut(words.add(HEAD), count),
                std::slice::from_raw_parts_mut(words.add(HEAD + BLOCK), count),
                std::slice::from_raw_parts_mut(words.add(HEAD + 2 * BLOCK).cast::<*mut u8>(), self.registers),
            )
        };
        let mut left = Left { rows: left, count: 0 };
        for column in &self.reads {
            // SAFETY: the caller's: the rows are there (K9).
            places[column.register] = unsafe { column.elements(operands).add(first * column.size) };
        }
        for part in &self.parts {
            // SAFETY: the caller's: registers hold a block.
            let goes_on = unsafe {
                match part {
                    Part::Straight((pieces, length)) => {
                        count_work(count * length, host)?;
                        self.pieces(pieces, places, count)
                    }
                    Part::While(whiles) => {
                        self.loop_of_block(whiles, places, rows, &mut left, host)?;
                        true
                    }
                }
            };
            if !goes_on {
                left.add_all();
                break;
            }
        }
        for column in &self.writes {
            // SAFETY: the caller's: the rows are there (K9), and results are apart (K4).
            unsafe {
                let to = column.elements(operands).add(first * column.size);
                std::ptr::copy_nonoverlapping(places[column.register].cast_const(), to, count * column.size);
            }
        }
        Ok(left.finish())
    }

    /// Runs a loop for all rows of a block.
    ///
    /// # Safety
    /// Places are of registers that hold a block.
    unsafe fn loop_of_block(
        &self,
        whiles: &Whiles<Ready>,
        places: &mut [*mut u8],
        rows: &mut [u64],
        left: &mut Left<'_>,
        host: &mut dyn Host,
    ) -> KernelResult {
        let mut lanes = LanesOfLoop::new(rows);
        let width = lanes.width;
        let starts = whiles.carries.iter().map(|carry| (carry.init, carry.own, carry.size));
        for (from, own, size) in starts.chain(whiles.held.iter().map(|held| (held.from, held.own, held.size)))
        {
            // SAFETY: the caller's; registers are apart.
            unsafe { std::ptr::copy_nonoverlapping(places[from].cast_const(), places[own], width * size) };
        }
        let ((test, tested), (body, made)) = (&whiles.test, &whiles.body);
        let (mut iterations, mut few, mut done) = (0_usize, 0_usize, 0_usize);
        loop {
            // SAFETY: the caller's; there are so many lanes, of which conditions are bytes 0 and 1 (K7).
            unsafe {
                if !self.pieces(test, places, lanes.width) {
                    break;
                }
                lanes.end_of_iteration(whiles, places);
                iterations += 1;
                few += usize::from(lanes.live <= FEW);
                if lanes.live == 0 || few > PATIENCE + iterations / 4 {
                    break;
                }
                if !self.pieces(body, places, lanes.width) {
                    break;
                }
            }
            for carry in &whiles.carries {
                if let Some(next) = carry.next {
                    places.swap(carry.own, next);
                }
            }
            done += lanes.width * (tested + made + 1);
            if done > MOST_DONE {
                count_work(done, host)?;
                done = 0;
            }
        }
        lanes.leave_to(left);
        count_work(done, host)
    }

    /// Runs pieces for so many rows. False if one fails for some row.
    ///
    /// # Safety
    /// Places are of registers that hold so many rows.
    unsafe fn pieces(&self, pieces: &[Piece], places: &[*mut u8], count: usize) -> bool {
        let at = |source: Source| match source {
            Source::Register(register) => places[register].cast_const(),
            Source::Memory(_) => std::ptr::null(),
        };
        for piece in pieces {
            match piece {
                Piece::One(instruction) => {
                    let [a, b, c] = instruction.sources.map(at);
                    let to = places[instruction.target.unwrap_or(0)];
                    // SAFETY: the caller's; a target is no source.
                    let has_failed = unsafe { (instruction.function)(to, a, b, c, count) };
                    if has_failed && instruction.failure.is_some() {
                        return false;
                    }
                }
                Piece::Chain(chain) => {
                    let to = places[chain.target.unwrap_or(0)];
                    // SAFETY: the caller's; a target is no source.
                    unsafe { chain.run(to, count, (true, false), self.are_uniform, |source, _| at(source)) };
                }
            }
        }
        true
    }
}

impl Kernel for Rows {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let words = operands[operands.len() - 1].cast::<u64>();
        // SAFETY: the caller's (K1 to K3): scratch is aligned to words; what is left of a block is within it.
        unsafe {
            if words.add(NEXT).read().cast_signed() == NOT_BEGUN {
                self.begin(operands, words);
            }
            loop {
                let (cursor, taken) = (words.add(CURSOR).read() as usize, words.add(TAKEN).read());
                if taken < words.add(LEFT).read() {
                    let row = words.add(HEAD + taken as usize).read();
                    words.add(TAKEN).write(taken + 1);
                    // The cursor is behind the block.
                    let first = self.block_before(cursor);
                    words.add(NEXT).write(first as u64 + row);
                    return Ok(());
                }
                let (limit, end) = (words.add(LIMIT).read() as usize, words.add(END).read());
                if cursor >= limit {
                    // The loop runs what is left, one row after the other.
                    let is_left = (cursor as u64).cast_signed() < end.cast_signed();
                    words.add(NEXT).write(if is_left { cursor as u64 } else { end });
                    words.add(CURSOR).write(cursor as u64 + u64::from(is_left));
                    return Ok(());
                }
                let count = BLOCK.min(limit - cursor);
                let left = self.block(operands, words, cursor, count, host)?;
                words.add(LEFT).write(left as u64);
                words.add(TAKEN).write(0);
                words.add(CURSOR).write((cursor + count) as u64);
            }
        }
    }
}

impl Rows {
    /// The first row of the block that ends before this one.
    const fn block_before(&self, end: usize) -> usize {
        self.start + (end - self.start - 1) / BLOCK * BLOCK
    }
}
