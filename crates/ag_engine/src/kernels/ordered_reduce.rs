//! Sums and products of floats in the order of the interpreter: elements one after the other, in double precision.

use ag_ir::{DType, Host, ReduceOp};

use super::KernelResult;
use super::effort::count_work;
use super::elementwise::Float;
use super::layout::count;

/// The most elements between two questions to the host.
const PIECE: usize = 1 << 20;

/// A sum or product over axes.
#[derive(Debug)]
pub(super) struct Ordered {
    is_product: bool,
    dtype: DType,
    /// Sizes of the operand.
    sizes: Vec<usize>,
    /// For each axis, the distance of the results of neighbours; 0 if it is reduced.
    strides: Vec<usize>,
    results: usize,
}

impl Ordered {
    /// The reduction of an array of these sizes over these axes; none if its order does not matter.
    pub(super) fn new(op: ReduceOp, dtype: DType, sizes: &[usize], axes: &[usize]) -> Option<Self> {
        if !dtype.is_float() || !matches!(op, ReduceOp::Sum | ReduceOp::Prod) {
            return None;
        }
        let (mut strides, mut results) = (vec![0; sizes.len()], 1);
        for axis in (0..sizes.len()).rev().filter(|axis| !axes.contains(axis)) {
            strides[axis] = results;
            results *= sizes[axis];
        }
        Some(Self { is_product: op == ReduceOp::Prod, dtype, sizes: sizes.to_vec(), strides, results })
    }

    /// Bytes for the results as doubles.
    pub(super) const fn scratch_bytes(&self) -> usize {
        self.results * size_of::<f64>()
    }

    /// Runs the reduction.
    ///
    /// # Safety
    /// The operand, the result and the scratch are of the sizes that this was made for (K2), and apart (K4).
    pub(super) unsafe fn run(
        &self,
        from: *const u8,
        to: *mut u8,
        scratch: *mut u8,
        host: &mut dyn Host,
    ) -> KernelResult {
        // SAFETY: the caller's.
        unsafe {
            match self.dtype {
                DType::F32 => self.reduce::<f32>(from.cast(), to.cast(), scratch.cast(), host),
                _ => self.reduce::<f64>(from.cast(), to.cast(), scratch.cast(), host),
            }
        }
    }

    /// # Safety
    /// That of [`Self::run`].
    unsafe fn reduce<T: Float>(
        &self,
        from: *const T,
        to: *mut T,
        totals: *mut f64,
        host: &mut dyn Host,
    ) -> KernelResult {
        if self.results == 0 {
            return Ok(());
        }
        let elements = count(&self.sizes);
        // SAFETY: the caller's: so many elements are there (K2), and totals are written before they are read (K7).
        let (from, to, totals) = unsafe {
            std::ptr::write_bytes(totals, 0, self.results);
            (
                // A pointer to no elements may be anything.
                if elements == 0 { &[] } else { std::slice::from_raw_parts(from, elements) },
                std::slice::from_raw_parts_mut(to, self.results),
                std::slice::from_raw_parts_mut(totals, self.results),
            )
        };
        totals.fill(if self.is_product { 1.0 } else { 0.0 });
        let [outer @ .., row] = &self.sizes[..] else {
            let start = totals[0];
            to[0] = T::of_double(if self.is_product {
                start * from[0].double()
            } else {
                start + from[0].double()
            });
            return Ok(());
        };
        let step = self.strides[outer.len()];
        let mut done = 0;
        for (number, elements) in from.chunks_exact((*row).max(1)).enumerate() {
            let (mut place, mut left) = (0, number);
            for axis in (0..outer.len()).rev() {
                place += left % outer[axis] * self.strides[axis];
                left /= outer[axis];
            }
            if self.is_product {
                add_row(&mut totals[place..], step, elements, |total, value| total * value);
            } else {
                add_row(&mut totals[place..], step, elements, |total, value| total + value);
            }
            done += elements.len();
            if done >= PIECE {
                count_work(std::mem::take(&mut done), host)?;
            }
        }
        for (to, total) in to.iter_mut().zip(totals) {
            *to = T::of_double(*total);
        }
        count_work(done, host)
    }
}

/// Joins a row with totals, all with the first or each with its own.
#[inline(always)]
fn add_row<T: Float>(totals: &mut [f64], step: usize, row: &[T], join: impl Fn(f64, f64) -> f64) {
    if step == 0 {
        totals[0] = row.iter().fold(totals[0], |total, element| join(total, element.double()));
    } else {
        for (total, element) in totals.iter_mut().zip(row) {
            *total = join(*total, element.double());
        }
    }
}
