//! Decompositions of matrices. The reference interpreter and the engine call the same code, so both compute
//! the same bits.
//!
//! A decomposition of an `m × n` matrix returns its parts one after the other, each in C order, as one row of
//! numbers; in the table, `k` is `min(m, n)`. A stack of matrices gives a stack of rows.
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
//! No decomposition fails. If a matrix has none, the numbers show it (a zero pivot, a zero on the diagonal,
//! NaN), and the front end checks for them. Elements of `f32` are computed in double precision.
//!
//! Memory is proportional to the matrix and its parts: for a matrix with 100,000 rows and 3 columns, the thin
//! parts (`qr`, `svd`) never need a square of 100,000.

mod factors;
mod orthogonal;
mod spectra;

use factors::solve_lu;

use crate::run::{Failure, HostError};

/// A callback that receives the work done, in nanoseconds; an error stops the decomposition.
///
/// A decomposition may take minutes, and the user may interrupt it: see `Host::poll`.
pub type Progress<'p> = dyn FnMut(usize) -> Result<(), HostError> + 'p;

/// The computed numbers, or a failure if it was stopped or memory is short.
type Answer = Result<Vec<f64>, Failure>;

/// An empty vector with room for `count` numbers.
fn room_for(count: usize) -> Answer {
    let mut numbers = Vec::new();
    let bytes = count.saturating_mul(size_of::<f64>());
    numbers.try_reserve_exact(count).map_err(|_| Failure::OutOfMemory { bytes })?;
    Ok(numbers)
}

/// A vector of zeros.
fn zeros(count: usize) -> Answer {
    let mut numbers = room_for(count)?;
    numbers.resize(count, 0.0);
    Ok(numbers)
}

/// A copy.
fn copied(numbers: &[f64]) -> Answer {
    let mut copy = room_for(numbers.len())?;
    copy.extend_from_slice(numbers);
    Ok(copy)
}

/// The elements in double precision.
fn widened<T: Element>(elements: &[T]) -> Answer {
    let mut numbers = room_for(elements.len())?;
    numbers.extend(elements.iter().map(|one| one.wide()));
    Ok(numbers)
}

/// A kind of decomposition; see the module.
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

    /// The number of elements in the parts of an `m × n` matrix together; `usize::MAX` if it overflows.
    #[must_use]
    pub fn length(self, m: usize, n: usize) -> usize {
        let k = m.min(n);
        let area = usize::saturating_mul;
        match self {
            Self::Lu | Self::Eigh => area(n, n.saturating_add(1)),
            Self::Cholesky => area(n, n),
            Self::Qr => area(m.saturating_add(n), k),
            Self::CompleteQr => area(m, m.saturating_add(n)),
            Self::Svd => area(m.saturating_add(n).saturating_add(1), k),
            Self::FullSvd => area(m, m).saturating_add(k).saturating_add(area(n, n)),
            Self::SingularValues => k,
            Self::Eigenvalues => n,
        }
    }

    /// Decomposes one `m × n` matrix.
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

    /// Decomposes a stack of `m × n` matrices to a stack of rows.
    ///
    /// # Errors
    /// The error of `progress`, or if there is no memory to work in.
    pub fn of_all<T: Element>(
        self,
        (m, n): (usize, usize),
        matrices: &[T],
        rows: &mut [T],
        progress: &mut Progress<'_>,
    ) -> Result<(), Failure> {
        let length = self.length(m, n);
        if length == 0 {
            return Ok(());
        }
        for (number, row) in rows.chunks_exact_mut(length).enumerate() {
            let matrix = widened(&matrices[number * m * n..(number + 1) * m * n])?;
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
/// The error of `progress`, or if there is no memory to work in.
pub fn solve_all<T: Element>(
    (n, columns): (usize, usize),
    lus: &[T],
    sides: &[T],
    solutions: &mut [T],
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    let (length, count) = (Decomposition::Lu.length(n, n), n * columns);
    if count == 0 {
        return Ok(());
    }
    for (number, solution) in solutions.chunks_exact_mut(count).enumerate() {
        let lu = widened(&lus[number * length..(number + 1) * length])?;
        let side = widened(&sides[number * count..(number + 1) * count])?;
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
    /// The element in double precision.
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
