//! Fused element-wise chains, run tile by tile.
//!
//! `exp(x - m) * s` over a million elements is one [`TileProgram`] (fused loop, strip-mined) of three
//! instructions. Each runs over a tile of some hundred elements, so that the values between them stay in the
//! first level of cache, and the cost of dispatching an instruction is shared by a tile.
//!
//! Invariants: the result of an instruction is not in the memory of its operands (the loops rely on it to be
//! vectorised). Only if the program says so (`is_in_place`), an operand is the result's own memory: then the
//! last result is made in a register and copied.

use ag_ir::{Failure, Host, LocationId};

use super::effort::count_work;
use super::elementwise::TileFn;
use super::layout;
use super::strided::MAXIMUM_RANK;
use super::{Kernel, KernelResult, Stopped};

/// Bytes of all registers of a program together, on the stack of the kernel. They suffice for the longest
/// group (`plan/fuse.rs`) with tiles of 64 elements.
const REGISTER_BYTES: usize = 48 << 10;
/// How many elements are computed before their work is counted; some milliseconds for the slowest functions.
const MOST_DONE: usize = 1 << 18;
/// Most elements of a tile.
const LONGEST_TILE: usize = 1024;

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A register.
    Register(usize),
    /// A dense operand of the whole shape, read in place.
    Memory(usize),
}

/// One element-wise function over a tile.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    /// The loop.
    pub(crate) function: TileFn,
    /// Operands; unused ones repeat the first.
    pub(crate) sources: [Source; 3],
    /// Sizes of the operands' elements.
    pub(crate) source_sizes: [usize; 3],
    /// The register for the result. None, only for the last instruction: it writes the program's result.
    pub(crate) target: Option<usize>,
    /// How it can fail, and the location of the node that it stands for.
    pub(crate) failure: Option<(FailureKind, Option<LocationId>)>,
}

/// How an instruction fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// A checked integer left 64 bits.
    Overflow,
    /// An integer raised to a negative power.
    NegativePower,
    /// Of a checked integer power: a negative exponent, or overflow.
    Power,
}

/// An operand that is copied to a register for each tile, because it is repeated or strided; a scalar is
/// copied once.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// Number of the operand.
    pub(crate) operand: usize,
    /// The register.
    pub(crate) register: usize,
    /// Size of an element.
    pub(crate) element_size: usize,
    /// Elements from the operand's start to its first element.
    pub(crate) offset: isize,
    /// Strides in elements along the axes of the result, 0 where it is repeated.
    pub(crate) strides: Vec<isize>,
}

/// A fused chain.
#[derive(Debug)]
pub(crate) struct TileProgram {
    count: usize,
    tile: usize,
    instructions: Vec<Instruction>,
    splats: Vec<Load>,
    loads: Vec<WalkedLoad>,
    register_size: usize,
    result: usize,
    result_size: usize,
    is_in_place: bool,
}

/// A load whose axes are merged as far as its strides allow.
#[derive(Debug)]
struct WalkedLoad {
    operand: usize,
    register: usize,
    element_size: usize,
    offset: isize,
    sizes: Vec<usize>,
    strides: Vec<isize>,
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
        let loads = walked
            .into_iter()
            .map(|load| {
                let (sizes, mut strides) = layout::collapse(sizes, &[&load.strides]);
                WalkedLoad {
                    operand: load.operand,
                    register: load.register,
                    element_size: load.element_size,
                    offset: load.offset,
                    sizes,
                    strides: strides.swap_remove(0),
                }
            })
            .collect();
        Self {
            count: layout::count(sizes),
            tile,
            instructions,
            splats,
            loads,
            register_size: tile * 8,
            result,
            result_size,
            is_in_place,
        }
    }
}

#[repr(align(64))]
struct Registers(std::mem::MaybeUninit<[u8; REGISTER_BYTES + 64]>);

impl Kernel for TileProgram {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let mut registers = Registers(std::mem::MaybeUninit::uninit());
        let base = registers.0.as_mut_ptr().cast::<u8>();
        let longest = self.tile.min(self.count);
        for splat in &self.splats {
            // SAFETY: a splat reads one element; the register holds a tile.
            unsafe {
                let from = operands[splat.operand].offset(splat.offset * splat.element_size.cast_signed());
                let to = base.add(splat.register * self.register_size);
                copy_run(from, to, longest, 0, splat.element_size);
            }
        }
        let (mut start, mut done) = (0, 0);
        while start < self.count {
            let count = self.tile.min(self.count - start);
            done += count * self.instructions.len();
            if done > MOST_DONE {
                count_work(done, host)?;
                done = 0;
            }
            for load in &self.loads {
                // SAFETY: the load's strides stay within the operand (K9); the register holds a tile.
                unsafe {
                    load.run(
                        operands[load.operand],
                        base.add(load.register * self.register_size),
                        start,
                        count,
                    );
                }
            }
            // SAFETY: the caller's (K2, K3), and registers hold a tile each.
            unsafe { self.run_tile(operands, base, start, count)? };
            start += count;
        }
        count_work(done, host)
    }
}

impl TileProgram {
    /// # Safety
    /// That of [`Kernel::run`]; `base` holds the registers; the tile lies within the result.
    #[inline]
    unsafe fn run_tile(
        &self,
        operands: &[*mut u8],
        base: *mut u8,
        start: usize,
        count: usize,
    ) -> KernelResult {
        let last_register = REGISTER_BYTES - self.register_size;
        for instruction in &self.instructions {
            // SAFETY: sources and target lie in registers or within dense operands of `count`
            // elements from `start` on.
            unsafe {
                let place = |source: usize| match instruction.sources[source] {
                    Source::Register(register) => base.add(register * self.register_size).cast_const(),
                    Source::Memory(operand) => {
                        operands[operand].add(start * instruction.source_sizes[source]).cast_const()
                    }
                };
                let (a, b, c) = (place(0), place(1), place(2));
                let target = match instruction.target {
                    Some(register) => base.add(register * self.register_size),
                    None if self.is_in_place => base.add(last_register),
                    None => operands[self.result].add(start * self.result_size),
                };
                let has_failed = (instruction.function)(target, a, b, c, count);
                if has_failed && let Some((kind, location)) = instruction.failure {
                    let failure = failure(kind, [a, b], count);
                    return Err(Box::new(Stopped { failure, location }));
                }
            }
        }
        if self.is_in_place {
            // SAFETY: the last register holds the tile's result; the tile is within (K9).
            unsafe {
                std::ptr::copy_nonoverlapping(
                    base.add(last_register),
                    operands[self.result].add(start * self.result_size),
                    count * self.result_size,
                );
            }
        }
        Ok(())
    }
}

/// The reason why an instruction failed: for powers, the first failing element decides.
///
/// # Safety
/// For checked powers both operands are `count` readable `i64`s.
unsafe fn failure(kind: FailureKind, [bases, exponents]: [*const u8; 2], count: usize) -> Failure {
    match kind {
        FailureKind::Overflow => return Failure::Overflow,
        FailureKind::NegativePower => return Failure::NegativePower,
        FailureKind::Power => {}
    }
    for i in 0..count {
        // SAFETY: the caller's.
        let (base, exponent) =
            unsafe { (bases.cast::<i64>().add(i).read(), exponents.cast::<i64>().add(i).read()) };
        if exponent < 0 {
            return Failure::NegativePower;
        }
        if power_overflows(base, exponent) {
            return Failure::Overflow;
        }
    }
    Failure::NegativePower
}

fn power_overflows(base: i64, exponent: i64) -> bool {
    match u32::try_from(exponent) {
        Ok(exponent) => base.checked_pow(exponent).is_none(),
        Err(_) => !(-1..=1).contains(&base),
    }
}

impl WalkedLoad {
    /// Copies elements `start .. start + count`, counted in C order, to a register.
    ///
    /// # Safety
    /// The strides stay within `operand`; `register` holds `count` elements.
    #[inline]
    unsafe fn run(&self, operand: *const u8, register: *mut u8, start: usize, count: usize) {
        let element = self.element_size.cast_signed();
        let rank = self.sizes.len();
        let mut index = [0_usize; MAXIMUM_RANK];
        let mut rest = start;
        let mut position = self.offset;
        for axis in (0..rank).rev() {
            index[axis] = rest % self.sizes[axis];
            rest /= self.sizes[axis];
            position += index[axis].cast_signed() * self.strides[axis];
        }
        let (inner, step) = (self.sizes[rank - 1], self.strides[rank - 1]);
        let mut done = 0;
        while done < count {
            let run = (inner - index[rank - 1]).min(count - done);
            // SAFETY: the caller's.
            unsafe {
                copy_run(
                    operand.offset(position * element),
                    register.add(done * self.element_size),
                    run,
                    step,
                    self.element_size,
                );
            }
            done += run;
            // To the start of the next run.
            position -= index[rank - 1].cast_signed() * step;
            index[rank - 1] = 0;
            let mut offsets = [position];
            layout::advance(&mut index[..rank - 1], &self.sizes[..rank - 1], [&self.strides], &mut offsets);
            position = offsets[0];
        }
    }
}

/// Copies a run of elements `step` elements apart to a dense place.
///
/// # Safety
/// The run is readable, `to` writable, both aligned.
#[inline]
unsafe fn copy_run(from: *const u8, to: *mut u8, count: usize, step: isize, element_size: usize) {
    // SAFETY: the caller's.
    unsafe {
        match element_size {
            1 => typed_run::<u8>(from, to, count, step),
            4 => typed_run::<u32>(from, to, count, step),
            _ => typed_run::<u64>(from, to, count, step),
        }
    }
}

/// # Safety
/// That of [`copy_run`].
#[inline]
unsafe fn typed_run<T: Copy>(from: *const u8, to: *mut u8, count: usize, step: isize) {
    let (from, to) = (from.cast::<T>(), to.cast::<T>());
    // SAFETY: the caller's.
    unsafe {
        match step {
            0 => std::slice::from_raw_parts_mut(to, count).fill(from.read()),
            1 if count <= 32 => {
                // A call of memcpy would cost more than such a short row.
                for i in 0..count {
                    to.add(i).write(from.add(i).read());
                }
            }
            1 => std::ptr::copy_nonoverlapping(from, to, count),
            _ => {
                for i in 0..count {
                    to.add(i).write(from.offset(i.cast_signed() * step).read());
                }
            }
        }
    }
}
