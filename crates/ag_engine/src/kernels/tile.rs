//! Fused element-wise chains, run tile by tile.
//!
//! `exp(x - m) * s` over a million elements is one [`TileProgram`] (fused loop, strip-mined) of three
//! instructions. Each runs over a tile of some hundred elements, so that the values between them stay in the
//! first level of cache, and the cost of dispatching an instruction is shared by a tile.
//!
//! An operand that is not read as it is, because it is repeated or strided, is copied to a register for each
//! tile. Where its elements follow each other for a whole tile, it is read in place; where they are one element,
//! sums and products read that alone. Long rows are cut into tiles of their own for that.
//!
//! Invariants: the result of an instruction is not in the memory of its operands (the loops rely on it to be
//! vectorised). Only if the program says so (`is_in_place`), an operand is the result's own memory: where the
//! last instruction reads it, a loop made for that computes the result, or it is made in a register and copied.

use std::mem::MaybeUninit;

use ag_ir::Host;

use super::ahead::LEAST_FAR;
use super::chained::{Piece, pieces};
use super::effort::count_work;
use super::instructions::{Instruction, Source, failure};
use super::layout;
use super::load::{Load, WalkedLoad, copy_rows};
use super::{Kernel, KernelResult, Stopped};

/// Bytes of all registers of a program together, on the stack of the kernel. They suffice for the longest
/// group (`plan/fuse.rs`) with tiles of 64 elements.
const REGISTER_BYTES: usize = 48 << 10;
/// How many elements are computed before their work is counted; some milliseconds for the slowest functions.
pub(super) const MOST_DONE: usize = 1 << 18;
/// Most elements of a tile.
const LONGEST_TILE: usize = 1024;
/// Most registers, which have at least 64 elements each.
const MOST_REGISTERS: usize = REGISTER_BYTES / 8 / 64;
/// A set of registers is a number of 128 bits.
const _: () = assert!(MOST_REGISTERS <= 128);
/// Rows shorter than this share a tile.
const LEAST_ROW: usize = 256;

/// A fused chain.
#[derive(Debug)]
pub(crate) struct TileProgram {
    count: usize,
    tile: usize,
    /// Elements of a row: in each, the elements of every load are evenly apart. None if rows are short.
    row: Option<usize>,
    register_count: usize,
    pieces: Vec<Piece>,
    /// How many instructions the pieces are made of.
    length: usize,
    splats: Vec<Load>,
    loads: Vec<WalkedLoad>,
    register_size: usize,
    result: usize,
    result_size: usize,
    is_in_place: bool,
    /// Whether the result is too large for the caches.
    is_far: bool,
    /// The two values that the program makes in the place of their product, if it does.
    factors: Option<[Source; 2]>,
    /// The registers of loads that need not be filled where all their elements are one.
    lone: u128,
}

impl TileProgram {
    /// A program over a result of these sizes. Operand number `result` is the result.
    pub(crate) fn new(
        sizes: &[usize],
        instructions: Vec<Instruction>,
        loads: Vec<Load>,
        register_count: usize,
        (result, result_size): (usize, usize),
        is_in_place: bool,
    ) -> Self {
        // One more register for a result that is made in place.
        let per_register = REGISTER_BYTES / (register_count + 1) / 8;
        let tile = (per_register / 64 * 64).clamp(64, LONGEST_TILE);
        let never_steps =
            |load: &Load| load.strides.iter().zip(sizes).all(|(stride, size)| *stride == 0 || *size == 1);
        let (splats, walked): (Vec<Load>, Vec<Load>) = loads.into_iter().partition(never_steps);
        let loads: Vec<WalkedLoad> = walked.into_iter().map(|load| WalkedLoad::new(load, sizes)).collect();
        // Each is of some of the last axes, so that the least divides the others.
        let row = loads.iter().filter_map(|load| load.row()).min();
        let row = row.filter(|row| *row >= LEAST_ROW);
        let loaded = splats.iter().map(|load| load.register).chain(loads.iter().map(|load| load.register));
        let lone = lone_registers(&instructions, loaded);
        let is_far = layout::count(sizes) * result_size >= LEAST_FAR;
        Self {
            count: layout::count(sizes),
            tile,
            row,
            register_count,
            length: instructions.len(),
            pieces: pieces(instructions, 0, is_far),
            splats,
            loads,
            register_size: tile * 8,
            result,
            result_size,
            is_in_place,
            is_far,
            factors: None,
            lone,
        }
    }

    /// The same program, of instructions that all have registers, which makes two values.
    pub(crate) fn making(self, factors: [Source; 2]) -> Self {
        let lone = factors.iter().fold(self.lone, |lone, factor| match factor {
            Source::Register(register) => lone & !(1 << register),
            Source::Memory(_) => lone,
        });
        Self { factors: Some(factors), lone, ..self }
    }
}

/// The registers among these that instructions read only where they can read one element.
fn lone_registers(instructions: &[Instruction], loaded: impl Iterator<Item = usize>) -> u128 {
    let mut lone = loaded.fold(0_u128, |lone, register| lone | 1 << register);
    for instruction in instructions {
        let mut has_one = false;
        for (place, source) in instruction.sources.iter().enumerate() {
            let Source::Register(register) = *source else { continue };
            // Unused operands repeat the first.
            if place == 2 && *source == instruction.sources[0] && instruction.sides[1].splat.is_some() {
                continue;
            }
            let is_lone = lone & (1 << register) != 0;
            if is_lone && (place == 2 || has_one || instruction.sides[1 - place].splat.is_none()) {
                lone &= !(1 << register);
            }
            has_one |= is_lone;
        }
    }
    lone
}

/// The registers of a run.
#[repr(align(64))]
pub(super) struct Registers {
    memory: MaybeUninit<[u8; REGISTER_BYTES + 64]>,
    /// Where the value of each register is: there, or in an operand that is read in place.
    places: [MaybeUninit<*mut u8>; MOST_REGISTERS],
}

impl Registers {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self { memory: MaybeUninit::uninit(), places: [MaybeUninit::uninit(); MOST_REGISTERS] }
    }

    /// The memory of a register.
    #[inline(always)]
    fn memory(&mut self, offset: usize) -> *mut u8 {
        self.memory.as_mut_ptr().cast::<u8>().wrapping_add(offset)
    }
}

impl Kernel for TileProgram {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let mut registers = Registers::new();
        // SAFETY: the caller's (K1, K2).
        unsafe { self.begin(operands, &mut registers) };
        let (mut start, mut done) = (0, 0);
        while start < self.count {
            let count = self.tile_at(start, self.count - start);
            done += self.work(count);
            if done > MOST_DONE {
                count_work(done, host)?;
                done = 0;
            }
            // SAFETY: the caller's (K2, K3), and registers hold a tile each.
            unsafe {
                let to = operands[self.result].add(start * self.result_size);
                self.run_tile(operands, &mut registers, to, start, count)?;
            }
            start += count;
        }
        count_work(done, host)
    }
}

impl TileProgram {
    /// The work of so many elements.
    pub(super) const fn work(&self, count: usize) -> usize {
        count * self.length
    }

    /// The elements of the tile that begins at an element, if so many are wanted.
    #[inline(always)]
    fn tile_at(&self, start: usize, wanted: usize) -> usize {
        let in_row = match self.row {
            // Parts of a row are of about one length.
            Some(row) => {
                let left = row - start % row;
                left.div_ceil(left.div_ceil(self.tile)).next_multiple_of(64).min(left)
            }
            None => wanted,
        };
        in_row.min(wanted).min(self.tile)
    }

    /// Makes registers ready, and copies the operands that are the same for each tile.
    ///
    /// # Safety
    /// That of [`Kernel::run`].
    #[inline]
    pub(super) unsafe fn begin(&self, operands: &[*mut u8], registers: &mut Registers) {
        for number in 0..self.register_count {
            registers.places[number] = MaybeUninit::new(registers.memory(number * self.register_size));
        }
        let longest = self.tile.min(self.count);
        for splat in &self.splats {
            // SAFETY: a splat reads one element; the register holds a tile.
            unsafe {
                let from = operands[splat.operand].offset(splat.offset * splat.element_size.cast_signed());
                if self.lone & (1 << splat.register) != 0 {
                    registers.places[splat.register] = MaybeUninit::new(from);
                    continue;
                }
                let to = registers.memory(splat.register * self.register_size);
                copy_rows(from, to, [1, longest], [0, 0], splat.element_size);
            }
        }
    }

    /// Elements of a tile.
    pub(super) const fn tile(&self) -> usize {
        self.tile
    }

    /// Whether tiles are as long as they can be, which is a power of two.
    pub(super) const fn has_long_tiles(&self) -> bool {
        self.tile == LONGEST_TILE
    }

    /// Whether two values are made in the place of their product.
    pub(super) const fn makes_factors(&self) -> bool {
        self.factors.is_some()
    }

    /// The numbers of the operands that are multiplied, if they are read as they are.
    pub(super) const fn stored_factors(&self) -> Option<[usize; 2]> {
        match self.factors {
            Some([Source::Memory(one), Source::Memory(other)]) if self.length == 0 => Some([one, other]),
            _ => None,
        }
    }

    /// Computes elements `start .. start + count` of two values, and returns where they are.
    ///
    /// # Safety
    /// That of [`Self::make`]; there is no more than a tile.
    #[inline]
    pub(super) unsafe fn make_factors(
        &self,
        operands: &[*mut u8],
        registers: &mut Registers,
        start: usize,
        count: usize,
    ) -> Result<[*const u8; 2], Box<Stopped>> {
        let nowhere = registers.memory(0);
        if count == 0 {
            return Ok([nowhere.cast_const(); 2]);
        }
        // SAFETY: the caller's: no instruction writes to the result.
        unsafe {
            self.run_tile(operands, registers, nowhere, start, count)?;
            let factors = self.factors.unwrap_or([Source::Register(0); 2]);
            Ok(factors.map(|factor| match factor {
                Source::Register(register) => registers.places[register].assume_init().cast_const(),
                Source::Memory(operand) => operands[operand].add(start * self.result_size).cast_const(),
            }))
        }
    }

    /// Computes elements `start .. start + count` of the result, and writes them to another place than the
    /// result's.
    ///
    /// # Safety
    /// That of [`Kernel::run`], but for the result; the registers have begun; `to` holds `count` elements and
    /// is apart; the elements lie within the result.
    #[inline]
    pub(super) unsafe fn make(
        &self,
        operands: &[*mut u8],
        registers: &mut Registers,
        to: *mut u8,
        start: usize,
        count: usize,
    ) -> KernelResult {
        let mut made = 0;
        while made < count {
            let piece = self.tile_at(start + made, count - made);
            // SAFETY: the caller's; the tile is within (K9).
            unsafe {
                self.run_tile(operands, registers, to.add(made * self.result_size), start + made, piece)?
            };
            made += piece;
        }
        Ok(())
    }

    /// Computes a tile of the result at `to`.
    ///
    /// # Safety
    /// That of [`Self::make`]; the tile is no longer than a register.
    #[inline]
    unsafe fn run_tile(
        &self,
        operands: &[*mut u8],
        registers: &mut Registers,
        to: *mut u8,
        start: usize,
        count: usize,
    ) -> KernelResult {
        let mut elements = self.lone;
        for load in &self.loads {
            let register = registers.memory(load.register * self.register_size);
            let is_lone = self.lone & (1 << load.register) != 0;
            // SAFETY: the load's strides stay within the operand (K9); the register holds a tile.
            let place = unsafe {
                match load.element(operands[load.operand], start, count).filter(|_| is_lone) {
                    Some(element) => element,
                    None => {
                        elements &= !(1 << load.register);
                        load.run(operands[load.operand], register, start, count)
                    }
                }
            };
            registers.places[load.register] = MaybeUninit::new(place);
        }
        let last_register = registers.memory(REGISTER_BYTES - self.register_size);
        let mut is_copied = false;
        for piece in &self.pieces {
            let at = |source: Source, size: usize| {
                // SAFETY: the registers have begun; the tile is within dense operands.
                unsafe {
                    match source {
                        Source::Register(register) => registers.places[register].assume_init().cast_const(),
                        Source::Memory(operand) => operands[operand].add(start * size).cast_const(),
                    }
                }
            };
            // SAFETY: sources and target lie in registers or within dense operands of `count`
            // elements from `start` on; the registers have begun.
            unsafe {
                let instruction = match piece {
                    Piece::One(instruction) => instruction,
                    Piece::Chain(chain) => {
                        let (to, is_apart) = match chain.target {
                            Some(register) => (registers.places[register].assume_init(), chain.is_apart),
                            None => (to, !self.is_in_place),
                        };
                        chain.run(to, count, (is_apart, self.is_far), elements, at);
                        continue;
                    }
                };
                let place = |source: usize| at(instruction.sources[source], instruction.source_sizes[source]);
                let (a, b, c) = (place(0), place(1), place(2));
                let element = if elements == 0 { None } else { instruction.element(elements) };
                let (function, target) = match instruction.target {
                    Some(register) => {
                        (instruction.with_element(element), registers.places[register].assume_init())
                    }
                    None if self.is_in_place => instruction.last(element, to, [a, b, c], last_register),
                    None => (instruction.with_element(element), to),
                };
                is_copied = target == last_register;
                let has_failed = function(target, a, b, c, count);
                if has_failed && let Some((kind, location)) = instruction.failure {
                    let failure = failure(kind, [a, b], count);
                    return Err(Box::new(Stopped { failure, location }));
                }
            }
        }
        if is_copied {
            // SAFETY: the last register holds the tile's result; the tile is within (K9).
            unsafe {
                std::ptr::copy_nonoverlapping(last_register, to, count * self.result_size);
            }
        }
        Ok(())
    }
}
