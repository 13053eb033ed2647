//! Kernels for arrays whose sizes are unknown until the run.
//!
//! ```text
//! %2: f64[?] = mul %0, %1      operands: the cells of %0 and %1, the cell of %2
//!     sizes seen before?       the kernel that was made for them runs again
//!     new ones                 NumPy's rule says whether they fit; a kernel is made for them, and kept
//! ```
//!
//! A kernel knows all sizes when it is made. Making one takes less than a microsecond, so here it is made in
//! the run, once the sizes are known. The last few are cached: a loop over arrays of one size makes its
//! kernel once.
//!
//! Operands: those of the node, its results, and a cell for scratch if the op may need some. An array with an
//! unknown size is in a cell (see `lists.rs`), others are in plain memory.

mod compress;
mod fit;
mod flags;
mod group;
mod moves;
mod ops;
#[cfg(target_arch = "x86_64")]
mod packed;
mod ranges;

use std::sync::{Arc, Mutex, PoisonError};

use ag_ir::Host;

pub(crate) use self::compress::Compress;
pub(crate) use self::fit::{Fit, Fitted, Form, Place};
pub(crate) use self::group::{Assembly, Group, Leaf, Member, Origin};
pub(crate) use self::moves::{Append, FromList, Nonzero, ToCell, ToList, WithShape};
pub(crate) use self::ops::{Reshaped, SizedOp, SortedLine};
pub(crate) use self::ranges::RowsInRange;
use super::{Kernel, KernelResult, Stopped};
use crate::lists::Cell;

/// The most operands of a kernel here.
pub(crate) const MOST_OPERANDS: usize = 96;
/// How many kernels, for different sizes, a node caches.
const KEPT: usize = 4;

/// The kernel of a node; caches the kernels that were made for sizes.
pub(crate) struct SizedKernel<F> {
    work: F,
    operands: Vec<Place>,
    result: Option<Place>,
    /// The kernels made last, with the sizes and numbers that they were made for.
    recent: Mutex<Vec<(Vec<usize>, Arc<Fitted>)>>,
}

impl<F: Fit> SizedKernel<F> {
    /// A kernel for operands and a result of these forms.
    pub(crate) fn new(work: F, operands: Vec<Place>, result: Option<Place>) -> Self {
        Self { work, operands, result, recent: Mutex::new(Vec::new()) }
    }

    /// The kernel for these sizes and numbers.
    fn fitted(&self, sizes: &[&[usize]], number: &dyn Fn(usize) -> i64) -> Result<Arc<Fitted>, Box<Stopped>> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let cells =
            || self.operands.iter().zip(sizes).filter(|(place, _)| matches!(place.form, Form::Cell(_)));
        let mut wanted = cells().flat_map(|(_, sizes)| sizes.iter().copied()).collect::<Key>();
        self.work.numbers().for_each(|operand| wanted.push(number(operand) as usize));
        if let Some(at) = recent.iter().position(|(key, _)| *key == wanted.slice()) {
            return Ok(Arc::clone(&recent[at].1));
        }
        let made = self.work.fit(sizes, number);
        let fitted = Arc::new(made.map_err(|(failure, location)| Box::new(Stopped { failure, location }))?);
        if recent.len() == KEPT {
            recent.remove(0);
        }
        recent.push((wanted.slice().to_vec(), Arc::clone(&fitted)));
        Ok(fitted)
    }
}

/// The cache key of a kernel: sizes and numbers. It is on the stack if they are few.
struct Key {
    few: [usize; 16],
    count: usize,
    many: Vec<usize>,
}

impl Key {
    fn push(&mut self, number: usize) {
        if self.count < self.few.len() {
            self.few[self.count] = number;
            self.count += 1;
            return;
        }
        if self.many.is_empty() {
            self.many.extend_from_slice(&self.few);
        }
        self.many.push(number);
    }

    fn slice(&self) -> &[usize] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }
}

impl FromIterator<usize> for Key {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut key = Self { few: [0; 16], count: 0, many: Vec::new() };
        numbers.into_iter().for_each(|number| key.push(number));
        key
    }
}

impl<F: Fit> Kernel for SizedKernel<F> {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let mut pointers = [std::ptr::null_mut::<u8>(); MOST_OPERANDS];
        let mut sizes: [&[usize]; MOST_OPERANDS] = [&[]; MOST_OPERANDS];
        let count = self.operands.len();
        for (number, (place, operand)) in self.operands.iter().zip(operands).enumerate() {
            // SAFETY: the operands are as the places say (K2, K5).
            (pointers[number], sizes[number]) = unsafe { place.read(*operand) };
        }
        // SAFETY: called for integer operands only (K2, K3).
        let number = |operand: usize| unsafe { operands[operand].cast::<i64>().read() };
        let fitted = self.fitted(&sizes[..count], &number)?;
        let mut last = count;
        if let (Some(place), Some(sizes)) = (&self.result, &fitted.result) {
            // SAFETY: as above; the result overlaps no operand (K4).
            pointers[last] = unsafe { place.make(operands[count], sizes) }.map_err(Stopped::new)?;
            last += 1;
        }
        if fitted.scratch > 0 {
            // SAFETY: the operand after the result is a cell for scratch (K1, K2).
            let cell = unsafe { &mut *operands[operands.len() - 1].cast::<Cell>() };
            cell.reserve(fitted.scratch).map_err(Stopped::new)?;
            pointers[last] = cell.data;
            last += 1;
        }
        // SAFETY: the kernel was made for these sizes (K2); cells say what they hold (K5).
        unsafe { fitted.kernel.run(&pointers[..last], host) }
    }
}
