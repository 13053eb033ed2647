//! Reductions over any axes: one step for each group of neighbouring axes.
//!
//! `sum(x, axis=(0, 2))` of `[a, b, c]` is two steps: the last axis, then the first.

use ag_ir::{DType, Host, ReduceOp};

use super::accumulate::{Folds, folds_of, folds_of_products};
use super::effort::count_work;
use super::layout;
use super::map_reduce::{Mapped, Pieces, Read, Room, Source, Stored, Targets};
use super::ordered_reduce::Ordered;
use super::tile::TileProgram;
use super::{Kernel, KernelResult, scratch};
use crate::isa::Isa;

/// Operands: the array, or those of the group that makes it; a result for each reduction; scratch for what
/// lies between the steps.
#[derive(Debug)]
pub(crate) struct Reduce {
    folds: Vec<Folds>,
    /// The same, of the elements of the first step; or of their factors.
    taking: Vec<Folds>,
    element_size: usize,
    /// Sizes `[outer, reduced, inner]` of each step.
    steps: Vec<[usize; 3]>,
    /// What makes the array, if it is not stored.
    map: Option<TileProgram>,
    /// How many operands come before the results.
    arrays: usize,
    /// The sum or product in the order of the elements, which takes the place of all these steps.
    ordered: Option<Ordered>,
}

/// How many elements are reduced between two questions to the host. A power of two, so that a row is cut
/// where pairwise reduction cuts it anyway.
const PIECE: usize = 1 << 21;
/// The least rows of a piece, so that the partial results are small beside the operand.
const LEAST_ROWS: usize = 64;

impl Reduce {
    /// Reductions, at most [`super::map_reduce::MOST_TOGETHER`], of an array of these sizes over these axes.
    pub(crate) fn new(ops: &[ReduceOp], dtype: DType, sizes: &[usize], axes: &[usize], isa: Isa) -> Self {
        let ordered = match ops {
            [op] if isa == Isa::Exact => Ordered::new(*op, dtype, sizes, axes),
            _ => None,
        };
        let mut sizes = sizes.to_vec();
        let mut steps = Vec::new();
        let mut last = sizes.len();
        while last > 0 {
            let axis = last - 1;
            if !axes.contains(&axis) {
                last -= 1;
                continue;
            }
            let mut first = axis;
            while first > 0 && axes.contains(&(first - 1)) {
                first -= 1;
            }
            let reduced = layout::count(&sizes[first..=axis]);
            steps.push([layout::count(&sizes[..first]), reduced, layout::count(&sizes[axis + 1..])]);
            sizes[first..=axis].fill(1);
            last = first;
        }
        if steps.is_empty() {
            steps.push([layout::count(&sizes), 1, 1]);
        }
        let folds: Vec<Folds> = ops.iter().map(|op| folds_of(*op, dtype, isa)).collect();
        Self {
            taking: folds.clone(),
            folds,
            element_size: dtype.size(),
            steps,
            map: None,
            arrays: 1,
            ordered,
        }
    }

    /// The same of what a group makes, from so many operands.
    pub(crate) fn of_group(self, program: TileProgram, arrays: usize) -> Self {
        Self { map: Some(program), arrays, ..self }
    }

    /// The same sum of the products of elements whose factors a group makes; none if there is no such loop.
    pub(crate) fn of_factors(
        self,
        program: TileProgram,
        arrays: usize,
        dtype: DType,
        isa: Isa,
    ) -> Option<Self> {
        let taking = vec![folds_of_products(dtype, isa)?];
        program.has_long_tiles().then(|| Self { taking, ..self.of_group(program, arrays) })
    }

    /// Bytes for the results between the steps.
    pub(crate) fn scratch_bytes(&self) -> usize {
        if let Some(ordered) = &self.ordered {
            return ordered.scratch_bytes();
        }
        let between = &self.steps[..self.steps.len() - 1];
        let elements: usize = between.iter().map(|[outer, _, inner]| outer * inner).sum();
        elements * self.element_size * self.folds.len()
    }
}

impl Kernel for Reduce {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (arrays, others) = operands.split_at(self.arrays);
        let (results, scratch) = others.split_at(self.folds.len());
        let scratch = scratch.first().copied().unwrap_or(std::ptr::null_mut());
        if let Some(ordered) = &self.ordered {
            // SAFETY: the caller's (K1, K2).
            return unsafe { ordered.run(arrays[0], results[0], scratch, host) };
        }
        let is_last = self.steps.len() == 1;
        let first = if is_last { targets(results) } else { self.places(scratch, self.steps[0]) };
        // SAFETY: the caller's (K1, K2): the array is of the first step's sizes, and so are the targets.
        unsafe {
            self.first_step(arrays, first, host)?;
            if !is_last {
                let used = self.bytes_of(self.steps[0]) * self.folds.len();
                self.other_steps(first, results, scratch.add(used), host)?;
            }
        }
        Ok(())
    }
}

fn targets(places: &[*mut u8]) -> Targets {
    Targets(std::array::from_fn(|number| places.get(number).copied().unwrap_or(std::ptr::null_mut())))
}

impl Reduce {
    const fn bytes_of(&self, [outer, _, inner]: [usize; 3]) -> usize {
        outer * inner * self.element_size
    }

    /// Places for the results of a step, one after the other.
    fn places(&self, at: *mut u8, sizes: [usize; 3]) -> Targets {
        Targets(std::array::from_fn(|number| match self.folds.get(number) {
            Some(_) => at.wrapping_add(number * self.bytes_of(sizes)),
            None => std::ptr::null_mut(),
        }))
    }

    /// # Safety
    /// The arrays are the operand, or those of the group; the targets hold the results of the step.
    unsafe fn first_step(&self, arrays: &[*mut u8], to: Targets, host: &mut dyn Host) -> KernelResult {
        let (element_size, sizes) = (self.element_size, self.steps[0]);
        // SAFETY: the caller's.
        unsafe {
            let stored = match &self.map {
                Some(program) => program.stored_factors().map(|factors| factors.map(|number| arrays[number])),
                None => Some([arrays[0]; 2]),
            };
            if let ([folds], Some(from)) = (&self.taking[..], stored) {
                let from = from.map(<*mut u8>::cast_const);
                return self.step(to, &mut Stored { from, folds: *folds, element_size }, sizes, host);
            }
            match &self.map {
                Some(program) => self.mapped(program, arrays, to, host),
                None => self.together(arrays[0], to, host),
            }
        }
    }

    /// The first step of what a group makes. Not a part of others, which need less of the stack.
    ///
    /// # Safety
    /// That of [`Self::first_step`].
    #[inline(never)]
    unsafe fn mapped(
        &self,
        program: &TileProgram,
        arrays: &[*mut u8],
        to: Targets,
        host: &mut dyn Host,
    ) -> KernelResult {
        let (taking, folds, element_size) = (&self.taking[..], &self.folds[..], self.element_size);
        let mut room = Room::new();
        let mut maker = Mapped { program, operands: arrays, element_size, room: &mut room, done: 0 };
        // SAFETY: the caller's.
        unsafe {
            maker.begin();
            let mut pieces = Pieces { maker, taking, folds, element_size };
            self.step(to, &mut pieces, self.steps[0], host)?;
            count_work(pieces.maker.done, host)
        }
    }

    /// The first step of several reductions of a stored array.
    ///
    /// # Safety
    /// That of [`Self::first_step`].
    #[inline(never)]
    unsafe fn together(&self, array: *const u8, to: Targets, host: &mut dyn Host) -> KernelResult {
        let (taking, folds, element_size) = (&self.taking[..], &self.folds[..], self.element_size);
        let maker = Read { from: array, element_size };
        // SAFETY: the caller's.
        unsafe { self.step(to, &mut Pieces { maker, taking, folds, element_size }, self.steps[0], host) }
    }

    /// The steps after the first, for each reduction.
    ///
    /// # Safety
    /// The results of the first step are at `from`; scratch has room for those between.
    unsafe fn other_steps(
        &self,
        from: Targets,
        results: &[*mut u8],
        mut scratch: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        for ((folds, from), result) in self.folds.iter().zip(from.0).zip(results) {
            let mut from = from.cast_const();
            for (number, sizes) in self.steps.iter().copied().enumerate().skip(1) {
                let is_last = number + 1 == self.steps.len();
                let to = if is_last { *result } else { scratch };
                let element_size = self.element_size;
                let mut source = Stored { from: [from; 2], folds: *folds, element_size };
                // SAFETY: the steps' sizes follow from the operand's (K9); scratch has room for all (K2).
                unsafe {
                    self.step(targets(&[to]), &mut source, sizes, host)?;
                    if !is_last {
                        scratch = scratch.add(self.bytes_of(sizes));
                    }
                }
                from = to;
            }
        }
        Ok(())
    }

    /// One step, in pieces.
    ///
    /// # Safety
    /// That of [`Source::reduce`].
    unsafe fn step(
        &self,
        to: Targets,
        source: &mut impl Source,
        [outer, reduced, inner]: [usize; 3],
        host: &mut dyn Host,
    ) -> KernelResult {
        let block = reduced * inner;
        if outer * block <= PIECE {
            // SAFETY: the caller's.
            return unsafe { source.reduce(to, 0, [outer, reduced, inner], host) };
        }
        let mut first = 0;
        while first < outer {
            let count = (PIECE / block.max(1)).clamp(1, outer - first);
            let to = to.plus(first * inner * self.element_size);
            // SAFETY: within both (K9).
            unsafe {
                if count == 1 {
                    self.long(to, source, first * block, [reduced, inner], host)?;
                } else {
                    source.reduce(to, first * block, [count, reduced, inner], host)?;
                }
            }
            first += count;
        }
        Ok(())
    }

    /// Reduces `[reduced, inner]` in pieces, then reduces their results.
    ///
    /// # Safety
    /// That of [`Source::reduce`].
    unsafe fn long(
        &self,
        to: Targets,
        source: &mut impl Source,
        first: usize,
        [reduced, inner]: [usize; 2],
        host: &mut dyn Host,
    ) -> KernelResult {
        let rows = (PIECE / inner.max(1)).next_power_of_two().max(LEAST_ROWS);
        if reduced <= rows {
            // SAFETY: the caller's.
            return unsafe { source.reduce(to, first, [1, reduced, inner], host) };
        }
        let (row_bytes, pieces) = (inner * self.element_size, reduced.div_ceil(rows));
        // Bytes that are aligned to any element, for each reduction.
        let room = (pieces * row_bytes).div_ceil(8) * 8;
        let mut partial = scratch(0_u64, room / 8 * self.folds.len())?;
        let partial = partial.as_mut_ptr().cast::<u8>();
        let between = Targets(std::array::from_fn(|number| partial.wrapping_add(number * room)));
        for number in 0..pieces {
            let (start, count) = (number * rows, rows.min(reduced - number * rows));
            let to = between.plus(number * row_bytes);
            // SAFETY: within both (K9).
            unsafe { source.reduce(to, first + start * inner, [1, count, inner], host)? };
        }
        for ((folds, between), to) in self.folds.iter().zip(between.0).zip(to.0) {
            // SAFETY: as many rows as were written (K9).
            unsafe { (folds.step)(to, between, between, 1, pieces, inner) };
        }
        Ok(())
    }
}
