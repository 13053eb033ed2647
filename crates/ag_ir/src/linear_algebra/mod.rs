//! Decompositions of matrices, written once: the reference interpreter and the engine call the same
//! code, so both give the same bits.
//!
//! A decomposition of an `m × n` matrix gives its parts one after the other, each in C order, as one
//! row of numbers; `min(m, n)` is `k` in the table. A stack of matrices gives a stack of rows.
//!
//! | kind | parts | meaning |
//! | --- | --- | --- |
//! | `lu` | `n·n`, `n` | `L` below the diagonal of `U`; the row that stands in each place |
//! | `cholesky` | `n·n` | lower triangle; zeros from the first column whose pivot is not positive |
//! | `qr` | `m·k`, `k·n` | LAPACK's signs: the diagonal of `R` may be negative |
//! | `complete_qr` | `m·m`, `m·n` | the same with a square `Q` |
//! | `svd` | `m·k`, `k`, `k·n` | singular values descend |
//! | `full_svd` | `m·m`, `k`, `n·n` | the same with square factors |
//! | `singular_values` | `k` | |
//! | `eigh` | `n`, `n·n` | of the lower triangle; eigenvalues ascend |
//! | `eigenvalues` | `n` | the same without vectors |
//!
//! Nothing fails: where a matrix has no decomposition the numbers say so (a zero pivot, a zero on the
//! diagonal, NaN), and the front end checks for it. Elements of `f32` are computed in double precision.

mod factors;
mod orthogonal;
mod spectra;

use factors::solve_lu;

use crate::run::HostError;

/// Told of work that was done, in some nanoseconds; an error says to stop.
///
/// A decomposition takes minutes, and a person may want an end of it: see `Host::poll`.
pub type Progress<'p> = dyn FnMut(usize) -> Result<(), HostError> + 'p;

/// Numbers, unless it was stopped.
type Answer = Result<Vec<f64>, HostError>;

/// What a matrix is taken apart into; see the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Decomposition {
    Lu,
    Cholesky,
    Qr,
    CompleteQr,
    Svd,
    FullSvd,
    SingularValues,
    Eigh,
    Eigenvalues,
}

impl Decomposition {
    /// Whether it takes square matrices only.
    #[must_use]
    pub const fn is_of_square(self) -> bool {
        matches!(self, Self::Lu | Self::Cholesky | Self::Eigh | Self::Eigenvalues)
    }

    /// How many numbers the parts of an `m × n` matrix have together.
    #[must_use]
    pub fn length(self, m: usize, n: usize) -> usize {
        let k = m.min(n);
        match self {
            Self::Lu | Self::Eigh => n * n + n,
            Self::Cholesky => n * n,
            Self::Qr => (m + n) * k,
            Self::CompleteQr => m * m + m * n,
            Self::Svd => (m + n + 1) * k,
            Self::FullSvd => m * m + k + n * n,
            Self::SingularValues => k,
            Self::Eigenvalues => n,
        }
    }

    /// Takes one `m × n` matrix apart.
    fn of(self, m: usize, n: usize, matrix: &[f64], progress: &mut Progress<'_>) -> Answer {
        match self {
            Self::Lu => factors::lu(n, matrix, progress),
            Self::Cholesky => factors::cholesky(n, matrix, progress),
            Self::Qr => orthogonal::qr(m, n, m.min(n), matrix, progress),
            Self::CompleteQr => orthogonal::qr(m, n, m, matrix, progress),
            Self::Svd => spectra::svd(m, n, false, matrix, progress),
            Self::FullSvd => spectra::svd(m, n, true, matrix, progress),
            Self::SingularValues => spectra::singular_values(m, n, matrix, progress),
            Self::Eigh => spectra::eigh(n, matrix, progress),
            Self::Eigenvalues => spectra::eigenvalues(n, matrix, progress),
        }
    }

    /// Takes a stack of `m × n` matrices apart, into a stack of rows.
    ///
    /// # Errors
    /// What `progress` says.
    pub fn of_all<T: Element>(
        self,
        (m, n): (usize, usize),
        matrices: &[T],
        rows: &mut [T],
        progress: &mut Progress<'_>,
    ) -> Result<(), HostError> {
        let length = self.length(m, n);
        if length == 0 {
            return Ok(());
        }
        for (number, row) in rows.chunks_exact_mut(length).enumerate() {
            let matrix: Vec<f64> =
                matrices[number * m * n..(number + 1) * m * n].iter().map(|one| one.wide()).collect();
            for (to, from) in row.iter_mut().zip(self.of(m, n, &matrix, progress)?) {
                *to = T::narrow(from);
            }
        }
        Ok(())
    }
}

/// Solves `A x = b` for stacks: `lus` are rows of [`Decomposition::Lu`] of `n × n` matrices, each `b`
/// and `x` an `n × columns` matrix.
///
/// # Errors
/// What `progress` says.
pub fn solve_all<T: Element>(
    (n, columns): (usize, usize),
    lus: &[T],
    sides: &[T],
    solutions: &mut [T],
    progress: &mut Progress<'_>,
) -> Result<(), HostError> {
    let (length, count) = (Decomposition::Lu.length(n, n), n * columns);
    if count == 0 {
        return Ok(());
    }
    for (number, solution) in solutions.chunks_exact_mut(count).enumerate() {
        let lu: Vec<f64> = lus[number * length..(number + 1) * length].iter().map(|one| one.wide()).collect();
        let side: Vec<f64> =
            sides[number * count..(number + 1) * count].iter().map(|one| one.wide()).collect();
        for (to, from) in solution.iter_mut().zip(solve_lu(n, columns, &lu, &side, progress)?) {
            *to = T::narrow(from);
        }
    }
    Ok(())
}

/// An element of a matrix.
pub trait Element: Copy {
    /// Bits of the significand.
    const DIGITS: u32;
    /// In double precision.
    fn wide(self) -> f64;
    /// Rounded to this type.
    fn narrow(value: f64) -> Self;
}

impl Element for f64 {
    const DIGITS: u32 = Self::MANTISSA_DIGITS;

    fn wide(self) -> f64 {
        self
    }
    fn narrow(value: f64) -> Self {
        value
    }
}

impl Element for f32 {
    const DIGITS: u32 = Self::MANTISSA_DIGITS;

    fn wide(self) -> f64 {
        f64::from(self)
    }
    fn narrow(value: f64) -> Self {
        value as Self
    }
}
