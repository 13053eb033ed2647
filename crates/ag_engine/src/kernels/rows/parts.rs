//! What is done for each row: the elements that it reads and writes, its instructions and loops.

use crate::kernels::chained::Piece;
use crate::kernels::instructions::Instruction;
use crate::lists::Cell;

/// Rows of a block.
pub(super) const BLOCK: usize = 256;

/// Elements that are read or written for each row, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// The kernel's operand.
    pub(crate) operand: usize,
    pub(crate) register: usize,
    /// Bytes of an element.
    pub(crate) size: usize,
    /// How many elements there are.
    pub(crate) length: Length,
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Length {
    Known(usize),
    /// The operand is a cell, which says it.
    InCell,
}

/// Where rows end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Known(i64),
    /// What an operand says, an `i64`.
    Operand(usize),
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
pub(super) type Ready = (Vec<Piece>, usize);

/// The rows of a block that the loop has to run.
pub(super) struct Left<'a> {
    pub(super) rows: &'a mut [u64],
    pub(super) count: usize,
}

impl Left<'_> {
    pub(super) fn add(&mut self, row: u64) {
        // A row that two loops leave is there twice, until they are put in order.
        match self.rows.get_mut(self.count) {
            Some(place) => {
                *place = row;
                self.count += 1;
            }
            None => self.add_all(),
        }
    }

    pub(super) fn add_all(&mut self) {
        for (number, row) in self.rows.iter_mut().enumerate() {
            *row = number as u64;
        }
        self.count = self.rows.len();
    }

    /// Puts rows in order, each once, and returns how many there are.
    pub(super) fn finish(self) -> usize {
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

impl Column {
    /// The first element.
    ///
    /// # Safety
    /// That of [`Kernel::run`].
    pub(super) unsafe fn elements(&self, operands: &[*mut u8]) -> *mut u8 {
        let operand = operands[self.operand];
        match self.length {
            Length::Known(_) => operand,
            // SAFETY: the caller's (K5).
            Length::InCell => unsafe { (*operand.cast::<Cell>()).data },
        }
    }
}
