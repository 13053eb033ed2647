//! Decompositions and linear systems of stacks of matrices, by the algorithms of `ag_linear_algebra`.

use ag_ir::{DType, Decomposition, Element, Host, solve_all};

use super::effort::count_progress;
use super::{Kernel, KernelResult, Stopped};

/// Operands: the matrices, the parts.
pub(crate) struct Decompose {
    /// The kind of decomposition.
    pub(crate) kind: Decomposition,
    /// `f32` or `f64`.
    pub(crate) dtype: DType,
    /// How many matrices.
    pub(crate) count: usize,
    /// Rows and columns of each matrix.
    pub(crate) size: (usize, usize),
}

impl Decompose {
    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as<T: Element>(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (m, n) = self.size;
        // SAFETY: sizes are those of the operands (K2), which do not overlap (K4).
        let (matrices, parts) = unsafe {
            (
                std::slice::from_raw_parts(operands[0].cast::<T>(), self.count * m * n),
                std::slice::from_raw_parts_mut(operands[1].cast::<T>(), self.count * self.kind.length(m, n)),
            )
        };
        self.kind
            .of_all(self.size, matrices, parts, &mut |work| count_progress(work, host))
            .map_err(|failure| Stopped::new(failure.into()))
    }
}

impl Kernel for Decompose {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's (K1 to K8).
        unsafe {
            match self.dtype {
                DType::F32 => self.run_as::<f32>(operands, host),
                _ => self.run_as::<f64>(operands, host),
            }
        }
    }
}

/// Operands: the triangular factors, the right sides, the solutions.
pub(crate) struct SolveLu {
    /// `f32` or `f64`.
    pub(crate) dtype: DType,
    /// How many systems.
    pub(crate) count: usize,
    /// Unknowns and right sides of each system.
    pub(crate) size: (usize, usize),
}

impl SolveLu {
    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as<T: Element>(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let (n, columns) = self.size;
        let elements = self.count * n * columns;
        // SAFETY: sizes are those of the operands (K2), which do not overlap (K4).
        let (lus, sides, solutions) = unsafe {
            (
                std::slice::from_raw_parts(
                    operands[0].cast::<T>(),
                    self.count * Decomposition::Lu.length(n, n),
                ),
                std::slice::from_raw_parts(operands[1].cast::<T>(), elements),
                std::slice::from_raw_parts_mut(operands[2].cast::<T>(), elements),
            )
        };
        solve_all((n, columns), lus, sides, solutions, &mut |work| count_progress(work, host))
            .map_err(|failure| Stopped::new(failure.into()))
    }
}

impl Kernel for SolveLu {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's (K1 to K8).
        unsafe {
            match self.dtype {
                DType::F32 => self.run_as::<f32>(operands, host),
                _ => self.run_as::<f64>(operands, host),
            }
        }
    }
}
