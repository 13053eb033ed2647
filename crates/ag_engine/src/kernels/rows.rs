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
//! of its block have left. Such a row runs from its start. The loop ends when there is no such row any more.
//!
//! Invariant: ops of rows have no effects, so that running a row twice, or one too many, changes nothing.

use ag_ir::Host;

use super::chained::{Piece, pieces};
use super::effort::count_work;
use super::instructions::{Instruction, Source};
use super::{Kernel, KernelResult};

/// Rows of a block.
const BLOCK: usize = 256;
/// Where words of scratch are: the row that the loop has to run, and the words of [`Left`].
const NEXT: usize = 0;
const CURSOR: usize = 1;
const LEFT: usize = 2;
const TAKEN: usize = 3;
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

/// Elements that are read or written for each row, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// The kernel's operand.
    pub(crate) operand: usize,
    pub(crate) register: usize,
    /// Bytes of an element.
    pub(crate) size: usize,
}

/// A value that is the same for all rows.
#[derive(Clone, Debug)]
pub(crate) struct Uniform {
    pub(crate) from: Given,
    pub(crate) register: usize,
}

/// Where a value that is the same for all rows is.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    /// A scalar operand of so many bytes.
    Operand(usize, usize),
    /// A literal.
    Literal(Vec<u8>),
}

/// A carry of a loop in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carry {
    /// What it starts with, what it is in an iteration, what the body makes of it, if it does, and what it is
    /// in the end.
    pub(crate) init: usize,
    pub(crate) own: usize,
    pub(crate) next: Option<usize>,
    pub(crate) end: usize,
    /// Bytes of an element.
    pub(crate) size: usize,
}

/// A value from before a loop that it reads: a copy, which moves with the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) from: usize,
    pub(crate) own: usize,
    pub(crate) size: usize,
}

/// A `while` loop in a row.
#[derive(Debug)]
pub(crate) struct Whiles<T> {
    pub(crate) carries: Vec<Carry>,
    pub(crate) held: Vec<Held>,
    pub(crate) test: T,
    /// The register of what the test says.
    pub(crate) goes_on: usize,
    pub(crate) body: T,
}

/// A part of what is done for a row.
#[derive(Debug)]
pub(crate) enum Part<T> {
    Straight(T),
    While(Whiles<T>),
}

/// Instructions, with the registers that others read too.
pub(crate) type Listed = (Vec<Instruction>, u128);

/// Pieces, and how many instructions they are.
type Ready = (Vec<Piece>, usize);

/// The kernel. Operands: those of the columns and scalars, then scratch, see [`Rows::scratch_bytes`].
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) bounds: [usize; 2],
    reads: Vec<Column>,
    writes: Vec<Column>,
    uniforms: Vec<Uniform>,
    /// The registers of those.
    are_uniform: u128,
    parts: Vec<Part<Ready>>,
    registers: usize,
}

/// The rows of a block that the loop has to run.
struct Left<'a> {
    rows: &'a mut [u64],
    count: usize,
}

impl Left<'_> {
    fn add(&mut self, row: u64) {
        // A row that two loops leave is there twice, until they are put in order.
        match self.rows.get_mut(self.count) {
            Some(place) => {
                *place = row;
                self.count += 1;
            }
            None => self.add_all(),
        }
    }

    fn add_all(&mut self) {
        for (number, row) in self.rows.iter_mut().enumerate() {
            *row = number as u64;
        }
        self.count = self.rows.len();
    }

    /// Puts rows in order, each once, and returns how many there are.
    fn finish(self) -> usize {
        let rows = &mut self.rows[..self.count];
        rows.sort_unstable();
        let mut kept = 0;
        for number in 0..rows.len() {
            if kept == 0 || rows[kept - 1] != rows[number] {
                rows[kept] = rows[number];
                kept += 1;
            }
        }
        kept
    }
}

impl Rows {
    pub(crate) fn new(
        bounds: [usize; 2],
        [reads, writes]: [Vec<Column>; 2],
        uniforms: Vec<Uniform>,
        parts: Vec<Part<Listed>>,
        registers: usize,
    ) -> Self {
        let ready = |(listed, kept): Listed| {
            let length = listed.len();
            (pieces(listed, kept), length)
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
        Self { bounds, reads, writes, uniforms, are_uniform, parts, registers }
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
            words.add(CURSOR).write(self.bounds[0] as u64);
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
            places[column.register] = unsafe { operands[column.operand].add(first * column.size) };
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
                let to = operands[column.operand].add(first * column.size);
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
                    unsafe { chain.run(to, count, true, self.are_uniform, |source, _| at(source)) };
                }
            }
        }
        true
    }
}

/// The rows of a block in a loop. Those that have left stay in their lanes, where what is computed is of no use,
/// until a quarter of the lanes is such; then the others are moved together.
struct LanesOfLoop<'a> {
    /// The row of each lane.
    rows: &'a mut [u64],
    /// Whether the row of a lane is still in the loop: bytes 0 and 1.
    alive: [u8; BLOCK],
    /// How many lanes there are, and how many rows in the loop.
    width: usize,
    live: usize,
}

impl<'a> LanesOfLoop<'a> {
    fn new(rows: &'a mut [u64]) -> Self {
        for (number, row) in rows.iter_mut().enumerate() {
            *row = number as u64;
        }
        let width = rows.len();
        let mut alive = [0; BLOCK];
        alive[..width].fill(1);
        Self { rows, alive, width, live: width }
    }

    /// Puts away the rows whose test says that they leave.
    ///
    /// # Safety
    /// Places are of registers that hold a block.
    unsafe fn end_of_iteration(&mut self, whiles: &Whiles<Ready>, places: &mut [*mut u8]) {
        let mut leaving = [0_u16; BLOCK];
        // SAFETY: the caller's: the register has room for more than so many bytes, which have been written.
        let going = unsafe { &*places[whiles.goes_on].cast::<[u8; BLOCK]>() };
        if self.live == self.rows.len() && self.none_goes_on(going) {
            // All rows of the block leave at once: what they have is where it is in the end.
            for carry in &whiles.carries {
                places.swap(carry.own, carry.end);
            }
            self.live = 0;
            return;
        }
        let gone = self.leaving(going, &mut leaving);
        if gone == 0 {
            return;
        }
        for carry in &whiles.carries {
            let (own, end) = (places[carry.own], places[carry.end]);
            // SAFETY: the caller's.
            unsafe {
                match carry.size {
                    1 => put::<u8>(own, end, &leaving[..gone], self.rows),
                    4 => put::<u32>(own.cast(), end.cast(), &leaving[..gone], self.rows),
                    _ => put::<u64>(own.cast(), end.cast(), &leaving[..gone], self.rows),
                }
            }
        }
        self.live -= gone;
        if 4 * self.live <= 3 * self.width && self.live > 0 {
            // SAFETY: the caller's.
            unsafe { self.close_ranks(whiles, places) };
        }
    }

    /// Whether no row goes on, where none has left before.
    fn none_goes_on(&self, going: &[u8; BLOCK]) -> bool {
        going[..self.width].iter().fold(0, |any, goes| any | *goes) == 0
    }

    /// Finds the lanes whose rows leave, and notes that they do. What the test says of other lanes is of no use.
    fn leaving(&mut self, going: &[u8; BLOCK], leaving: &mut [u16; BLOCK]) -> usize {
        let words = self.width.div_ceil(8);
        let (alive, going) =
            (&mut self.alive.as_chunks_mut::<8>().0[..words], &going.as_chunks::<8>().0[..words]);
        let left =
            |alive: &[u8; 8], going: &[u8; 8]| u64::from_le_bytes(*alive) & !u64::from_le_bytes(*going);
        if alive.iter().zip(going).fold(0, |all, (alive, going)| all | left(alive, going)) == 0 {
            return 0;
        }
        let mut gone = 0;
        for (word, (alive, going)) in alive.iter_mut().zip(going).enumerate() {
            let mut left = left(alive, going);
            *alive = (u64::from_le_bytes(*alive) & !left).to_le_bytes();
            while left != 0 {
                leaving[gone] = (word * 8 + left.trailing_zeros() as usize / 8) as u16;
                gone += 1;
                left &= left - 1;
            }
        }
        gone
    }

    /// Moves the rows that are in the loop together, with what they have and read.
    ///
    /// # Safety
    /// That of [`Self::end_of_iteration`].
    unsafe fn close_ranks(&mut self, whiles: &Whiles<Ready>, places: &[*mut u8]) {
        let mut from = [0_u16; BLOCK];
        let mut kept = 0;
        for (lane, alive) in self.alive[..self.width].iter().enumerate() {
            // No more are kept than lanes before this one.
            from[kept] = lane as u16;
            kept += usize::from(*alive);
        }
        let from = &from[..kept];
        let owned = whiles.carries.iter().map(|carry| (carry.own, carry.size));
        for (own, size) in owned.chain(whiles.held.iter().map(|held| (held.own, held.size))) {
            let own = places[own];
            // SAFETY: the caller's.
            unsafe {
                match size {
                    1 => together::<u8>(own, from),
                    4 => together::<u32>(own.cast(), from),
                    _ => together::<u64>(own.cast(), from),
                }
            }
        }
        // SAFETY: these are the rows of lanes.
        unsafe { together::<u64>(self.rows.as_mut_ptr(), from) };
        self.alive[..kept].fill(1);
        self.alive[kept..].fill(0);
        self.width = kept;
    }

    /// Leaves the rows that are still in the loop to the loop of the code.
    fn leave_to(&self, left: &mut Left<'_>) {
        if self.live == 0 {
            return;
        }
        for (row, alive) in self.rows.iter().zip(&self.alive[..self.width]) {
            if *alive != 0 {
                left.add(*row);
            }
        }
    }
}

/// Writes what rows have that leave to where it is in the end.
///
/// # Safety
/// Registers hold a block, of which lanes and rows are numbers.
unsafe fn put<T: Copy>(own: *const T, end: *mut T, leaving: &[u16], rows: &[u64]) {
    for lane in leaving {
        let lane = usize::from(*lane);
        // SAFETY: the caller's.
        unsafe { end.add(rows[lane] as usize).write(own.add(lane).read()) };
    }
}

/// Moves elements to the start, in their order.
///
/// # Safety
/// The elements are there; the places ascend.
unsafe fn together<T: Copy>(elements: *mut T, from: &[u16]) {
    for (number, lane) in from.iter().enumerate() {
        // SAFETY: the caller's; an element goes to where it is, or before that.
        unsafe { elements.add(number).write(elements.add(usize::from(*lane)).read()) };
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
                if cursor >= self.bounds[1] {
                    words.add(NEXT).write(self.bounds[1] as u64);
                    return Ok(());
                }
                let count = BLOCK.min(self.bounds[1] - cursor);
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
        self.bounds[0] + (end - self.bounds[0] - 1) / BLOCK * BLOCK
    }
}
