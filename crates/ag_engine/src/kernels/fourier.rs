//! Fast Fourier transforms. A row of `n` complex numbers is two rows: the real parts, then the imaginary
//! parts.
//!
//! `rustfft` makes a transform for any length. Transforms are cached for the process, by length. Between rows, the
//! host may interrupt.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use ag_ir::{DType, Failure, Host};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};

use super::{Kernel, KernelResult, Stopped};

static DOUBLE_TRANSFORMS: LazyLock<Mutex<FftPlanner<f64>>> = LazyLock::new(|| Mutex::new(FftPlanner::new()));
static SINGLE_TRANSFORMS: LazyLock<Mutex<FftPlanner<f32>>> = LazyLock::new(|| Mutex::new(FftPlanner::new()));

/// Numbers transformed between two questions to the host: some milliseconds.
const NUMBERS_BETWEEN_POLLS: usize = 1 << 18;

fn transform<T: FftNum>(
    planner: &Mutex<FftPlanner<T>>,
    size: usize,
    direction: FftDirection,
) -> Arc<dyn Fft<T>> {
    planner.lock().unwrap_or_else(PoisonError::into_inner).plan_fft(size, direction)
}

/// A transform of `f32` or `f64`.
enum Transform {
    Single(Arc<dyn Fft<f32>>),
    Double(Arc<dyn Fft<f64>>),
}

/// Operands: the pairs of rows, the result of the same shape, scratch: a row of complex numbers, and what its
/// transform needs.
pub(crate) struct Fourier {
    transform: Transform,
    /// How many pairs of rows.
    count: usize,
    /// How many numbers in a row.
    size: usize,
}

impl Fourier {
    /// The kernel for an array of these sizes, of which the last two are 2 and the length of a row.
    pub(crate) fn new(is_inverse: bool, dtype: DType, sizes: &[usize]) -> Self {
        let direction = if is_inverse { FftDirection::Inverse } else { FftDirection::Forward };
        let size = sizes.last().copied().unwrap_or(0);
        let transform = match dtype {
            DType::F32 => Transform::Single(transform(&SINGLE_TRANSFORMS, size, direction)),
            _ => Transform::Double(transform(&DOUBLE_TRANSFORMS, size, direction)),
        };
        let count = sizes.iter().take(sizes.len().saturating_sub(2)).product();
        Self { transform, count, size }
    }

    /// How much scratch it needs.
    pub(crate) fn scratch_bytes(&self) -> usize {
        let (needed, number) = match &self.transform {
            Transform::Single(fft) => (fft.get_inplace_scratch_len(), size_of::<Complex<f32>>()),
            Transform::Double(fft) => (fft.get_inplace_scratch_len(), size_of::<Complex<f64>>()),
        };
        (self.size + needed) * number
    }

    /// # Safety
    /// That of [`Kernel::run`], for operands of this type.
    unsafe fn run_as<T: FftNum>(
        &self,
        fft: &dyn Fft<T>,
        operands: &[*mut u8],
        host: &mut dyn Host,
    ) -> KernelResult {
        let (size, elements) = (self.size, self.count * 2 * self.size);
        if elements == 0 {
            return Ok(());
        }
        // SAFETY: sizes are those of the operands (K2), which do not overlap (K4); scratch is of the size that was asked
        // for (K2) and aligned (K3), and what it holds are some numbers.
        let (given, made, scratch) = unsafe {
            (
                std::slice::from_raw_parts(operands[0].cast::<T>(), elements),
                std::slice::from_raw_parts_mut(operands[1].cast::<T>(), elements),
                std::slice::from_raw_parts_mut(
                    operands[2].cast::<Complex<T>>(),
                    size + fft.get_inplace_scratch_len(),
                ),
            )
        };
        let (numbers, room) = scratch.split_at_mut(size);
        let mut done = 0;
        for (from, to) in given.chunks_exact(2 * size).zip(made.chunks_exact_mut(2 * size)) {
            let (real, imaginary) = from.split_at(size);
            for ((number, a), b) in numbers.iter_mut().zip(real).zip(imaginary) {
                *number = Complex::new(*a, *b);
            }
            fft.process_with_scratch(numbers, room);
            let (real, imaginary) = to.split_at_mut(size);
            for ((number, a), b) in numbers.iter().zip(real).zip(imaginary) {
                (*a, *b) = (number.re, number.im);
            }
            done += size;
            if done >= NUMBERS_BETWEEN_POLLS {
                done = 0;
                host.poll().map_err(|error| Stopped::new(Failure::Host(error)))?;
            }
        }
        Ok(())
    }
}

impl Kernel for Fourier {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's (K1 to K8).
        unsafe {
            match &self.transform {
                Transform::Single(fft) => self.run_as(&**fft, operands, host),
                Transform::Double(fft) => self.run_as(&**fft, operands, host),
            }
        }
    }
}
