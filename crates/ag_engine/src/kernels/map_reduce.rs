//! Reductions of what is made piece by piece: an element-wise group runs where its result is reduced, and
//! several reductions of one operand read it once.
//!
//! ```text
//! sum((a - b) ** 2)     a tile of a - b, whose squares are added up while it is in the cache
//! ```
//!
//! Pieces are cut where [`super::accumulate`] cuts anyway, so that the result has the same bits as that of
//! the array, had it been stored.

use std::mem::MaybeUninit;

use ag_ir::Host;

use super::accumulate::{BLOCK, Folds, ROWS};
use super::effort::count_work;
use super::tile::{MOST_DONE, Registers, TileProgram};
use super::{KernelResult, Stopped};

/// The most reductions of one pass.
pub(crate) const MOST_TOGETHER: usize = 4;
/// Bytes of a piece: of blocks of the largest elements.
const PIECE_BYTES: usize = 2 * BLOCK * 8;
/// The most columns that are reduced together: no more than a tile has.
const COLUMNS: usize = 1024;

/// Where the results of several reductions go; those that are not there are null.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets(pub(super) [*mut u8; MOST_TOGETHER]);

impl Targets {
    /// The places some bytes further on.
    pub(super) fn plus(self, bytes: usize) -> Self {
        Self(self.0.map(|to| to.wrapping_add(bytes)))
    }
}

/// What is reduced.
pub(super) trait Source {
    /// Reduces the elements `[outer, reduced, inner]` from number `first` on.
    ///
    /// # Safety
    /// The elements are there; each target of a reduction holds `[outer, inner]`, and is apart.
    unsafe fn reduce(
        &mut self,
        to: Targets,
        first: usize,
        sizes: [usize; 3],
        host: &mut dyn Host,
    ) -> KernelResult;
}

/// An array that one reduction reads, with the same again or the factors of its elements.
pub(super) struct Stored {
    pub(super) from: [*const u8; 2],
    pub(super) folds: Folds,
    pub(super) element_size: usize,
}

impl Source for Stored {
    unsafe fn reduce(
        &mut self,
        to: Targets,
        first: usize,
        [outer, reduced, inner]: [usize; 3],
        host: &mut dyn Host,
    ) -> KernelResult {
        // SAFETY: the caller's.
        unsafe {
            let [from, factors] = self.from.map(|from| from.add(first * self.element_size));
            (self.folds.step)(to.0[0], from, factors, outer, reduced, inner);
        }
        count_work(outer * reduced * inner, host)
    }
}

/// Rows of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Where they are; and where the factors of their elements are, or the rows again.
    at: [*const u8; 2],
    /// How many elements one begins after the one before it.
    stride: usize,
}

/// Makes pieces of an array.
pub(super) trait Maker {
    /// The most elements of a piece, which is a power of two of blocks.
    fn most(&self) -> usize;

    /// The most rows of a piece that do not follow each other.
    fn most_rows(&self, width: usize) -> usize {
        self.most() / width
    }

    /// `rows` rows of `width` elements, of which the first begins at element `start`; each begins `stride`
    /// elements after the one before it.
    ///
    /// # Safety
    /// The elements are there, and no more than [`Self::most`].
    unsafe fn rows(
        &mut self,
        start: usize,
        rows: usize,
        width: usize,
        stride: usize,
        host: &mut dyn Host,
    ) -> Result<Part, Box<Stopped>>;
}

/// Pieces of an array in memory.
pub(super) struct Read {
    pub(super) from: *const u8,
    pub(super) element_size: usize,
}

impl Maker for Read {
    fn most(&self) -> usize {
        PIECE_BYTES / self.element_size
    }

    unsafe fn rows(
        &mut self,
        start: usize,
        rows: usize,
        width: usize,
        stride: usize,
        host: &mut dyn Host,
    ) -> Result<Part, Box<Stopped>> {
        count_work(rows * width, host)?;
        // SAFETY: the caller's.
        let at = unsafe { self.from.add(start * self.element_size) };
        Ok(Part { at: [at; 2], stride })
    }
}

/// Memory for a piece that is made, and for the registers with which it is.
#[repr(align(64))]
pub(super) struct Room {
    registers: Registers,
    piece: MaybeUninit<[u8; PIECE_BYTES]>,
}

impl Room {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self { registers: Registers::new(), piece: MaybeUninit::uninit() }
    }
}

/// Pieces of the result of an element-wise group, or of the factors that it is made of.
pub(super) struct Mapped<'a> {
    pub(super) program: &'a TileProgram,
    pub(super) operands: &'a [*mut u8],
    pub(super) element_size: usize,
    pub(super) room: &'a mut Room,
    /// The work since the last that was counted.
    pub(super) done: usize,
}

impl Mapped<'_> {
    /// Makes registers ready.
    ///
    /// # Safety
    /// The operands are those of the program.
    pub(super) unsafe fn begin(&mut self) {
        // SAFETY: the caller's.
        unsafe { self.program.begin(self.operands, &mut self.room.registers) };
    }
}

impl Maker for Mapped<'_> {
    fn most(&self) -> usize {
        if self.program.makes_factors() { self.program.tile() } else { PIECE_BYTES / self.element_size }
    }

    fn most_rows(&self, width: usize) -> usize {
        if self.program.makes_factors() { 1 } else { self.most() / width }
    }

    #[inline]
    unsafe fn rows(
        &mut self,
        start: usize,
        rows: usize,
        width: usize,
        stride: usize,
        host: &mut dyn Host,
    ) -> Result<Part, Box<Stopped>> {
        self.done += self.program.work(rows * width) + rows * width;
        if self.done > MOST_DONE {
            count_work(self.done, host)?;
            self.done = 0;
        }
        let registers = &mut self.room.registers;
        // Rows that follow each other are one run.
        let (runs, length) = if stride == width { (1, rows * width) } else { (rows, width) };
        if self.program.makes_factors() {
            // SAFETY: the caller's: it asks for one run, which is no longer than a tile.
            let at = unsafe { self.program.make_factors(self.operands, registers, start, length)? };
            return Ok(Part { at, stride: width });
        }
        let to = self.room.piece.as_mut_ptr().cast::<u8>();
        for run in 0..runs {
            // SAFETY: the caller's, and a piece holds them all.
            unsafe {
                let to = to.add(run * length * self.element_size);
                self.program.make(self.operands, registers, to, start + run * stride, length)?;
            }
        }
        Ok(Part { at: [to; 2], stride: width })
    }
}

/// What is reduced piece by piece.
pub(super) struct Pieces<'a, M> {
    pub(super) maker: M,
    /// What the elements of a piece are combined with.
    pub(super) taking: &'a [Folds],
    /// What the results of pieces are combined with.
    pub(super) folds: &'a [Folds],
    pub(super) element_size: usize,
}

impl<M: Maker> Source for Pieces<'_, M> {
    unsafe fn reduce(
        &mut self,
        to: Targets,
        first: usize,
        [outer, reduced, inner]: [usize; 3],
        host: &mut dyn Host,
    ) -> KernelResult {
        let (most, block) = (self.maker.most(), reduced * inner);
        let together = if block > most { 1 } else { most / block.max(1) };
        for index in (0..outer).step_by(together) {
            let count = together.min(outer - index);
            let (to, first) = (to.plus(index * inner * self.element_size), first + index * block);
            // SAFETY: the caller's; the elements are those of some of the rows or columns (K9).
            unsafe {
                if block <= most {
                    let Part { at: [piece, factors], .. } =
                        self.maker.rows(first, 1, count * block, count * block, host)?;
                    for (folds, to) in self.taking.iter().zip(to.0) {
                        (folds.step)(to, piece, factors, count, reduced, inner);
                    }
                } else if inner == 1 {
                    self.long_row(to, first, reduced, host)?;
                } else {
                    self.columns(to, first, [reduced, inner], host)?;
                }
            }
        }
        Ok(())
    }
}

impl<M: Maker> Pieces<'_, M> {
    /// Reduces a row that is longer than a piece: pieces are some power of two of blocks, and combined
    /// pairwise.
    ///
    /// # Safety
    /// That of [`Source::reduce`].
    unsafe fn long_row(
        &mut self,
        to: Targets,
        first: usize,
        count: usize,
        host: &mut dyn Host,
    ) -> KernelResult {
        let most = self.maker.most();
        // As in `accumulate::row`, from the level of a piece on.
        let mut levels = [[0_u64; 64]; MOST_TOGETHER];
        let mut filled = 0_u64;
        for start in (0..count / most * most).step_by(most) {
            // SAFETY: the caller's.
            let part = unsafe { self.maker.rows(first + start, 1, most, most, host)? };
            for (number, levels) in levels[..self.folds.len()].iter_mut().enumerate() {
                let mut value = self.total(number, part, most);
                let mut level = 0;
                while filled & (1 << level) != 0 {
                    value = self.joined(number, levels[level], value);
                    level += 1;
                }
                levels[level] = value;
            }
            filled += 1;
        }
        let rest = count % most;
        // SAFETY: the caller's.
        let part = unsafe { self.maker.rows(first + count - rest, 1, rest, rest, host)? };
        for (number, levels) in levels[..self.folds.len()].iter().enumerate() {
            let mut total = self.total(number, part, rest);
            for (level, value) in levels.iter().enumerate() {
                if filled & (1 << level) != 0 {
                    total = self.joined(number, *value, total);
                }
            }
            // SAFETY: the caller's; a target holds an element.
            unsafe {
                std::ptr::copy_nonoverlapping((&raw const total).cast(), to.0[number], self.element_size);
            }
        }
        Ok(())
    }

    /// The result of a part of a row, in the first bytes of a word.
    fn total(&self, number: usize, part: Part, count: usize) -> u64 {
        let mut total = 0_u64;
        let [piece, factors] = part.at;
        // SAFETY: a part is of so many elements, and a word holds one.
        unsafe { (self.taking[number].step)((&raw mut total).cast(), piece, factors, 1, count, 1) };
        total
    }

    /// What two results are together.
    fn joined(&self, number: usize, mut first: u64, second: u64) -> u64 {
        let second = (&raw const second).cast();
        // SAFETY: each is a word that holds an element.
        unsafe { (self.folds[number].fold)((&raw mut first).cast(), second, second, 1, 1, 1) };
        first
    }

    /// Reduces `[reduced, inner]`, some columns after the others: rows to blocks, blocks to groups, groups to
    /// the result, as in `accumulate::columns`.
    ///
    /// # Safety
    /// That of [`Source::reduce`].
    unsafe fn columns(
        &mut self,
        to: Targets,
        first: usize,
        [reduced, inner]: [usize; 2],
        host: &mut dyn Host,
    ) -> KernelResult {
        // Filled for each reduction that there is.
        let mut block = [const { MaybeUninit::<[u64; COLUMNS]>::uninit() }; MOST_TOGETHER];
        let mut group = [const { MaybeUninit::<[u64; COLUMNS]>::uninit() }; MOST_TOGETHER];
        for column in (0..inner).step_by(COLUMNS) {
            let width = COLUMNS.min(inner - column);
            let to = to.plus(column * self.element_size);
            let held = if width == inner { self.maker.most() / width } else { self.maker.most_rows(width) };
            // SAFETY: the caller's; `block` and `group` have room for the columns.
            unsafe {
                for (number, folds) in self.folds.iter().enumerate() {
                    (folds.fill)(to.0[number], width);
                    (folds.fill)(block[number].as_mut_ptr().cast(), width);
                    (folds.fill)(group[number].as_mut_ptr().cast(), width);
                }
                let mut row = 0;
                while row < reduced {
                    let rows = held.min(reduced - row);
                    let start = first + row * inner + column;
                    let part = self.maker.rows(start, rows, width, inner, host)?;
                    let mut taken = 0;
                    while taken < rows {
                        let count = (ROWS - row % ROWS).min(rows - taken);
                        row += count;
                        let at = part.at.map(|at| at.add(taken * part.stride * self.element_size));
                        taken += count;
                        for (number, (taking, folds)) in self.taking.iter().zip(self.folds).enumerate() {
                            let block = block[number].as_mut_ptr().cast::<u8>();
                            let group = group[number].as_mut_ptr().cast::<u8>();
                            (taking.fold)(block, at[0], at[1], count, width, part.stride);
                            if !row.is_multiple_of(ROWS) && row < reduced {
                                continue;
                            }
                            (folds.fold)(group, block, block, 1, width, width);
                            (folds.fill)(block, width);
                            if row == reduced || (row / ROWS).is_multiple_of(ROWS) {
                                (folds.fold)(to.0[number], group, group, 1, width, width);
                                (folds.fill)(group, width);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
