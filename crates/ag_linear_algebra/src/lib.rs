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
//! The same of complex matrices, `complex_lu` and so on, take and give real ones of twice the size: see
//! `embedding`. Values and numbers of rows occur twice. Only the real part of the diagonal is read where only
//! the lower triangle is. As LAPACK's are, the diagonal of `R` is real, and so are the first elements of
//! eigenvectors, and of the right vectors of a tall matrix and the left ones of a wide one.
//!
//! No decomposition fails. If a matrix has none, the numbers show it (a zero pivot, a zero on the diagonal,
//! NaN), and the front end checks for them. Elements of `f32` are computed in double precision.
//!
//! The work on large matrices is that of products (`products`), of triangular systems (`triangular`), of
//! blocks of reflections (`orthogonal`) and of many rotations at a time (`turns`); `vectors` has rows of
//! numbers.
//!
//! Memory is proportional to the matrix and its parts: for a matrix with 100,000 rows and 3 columns, the thin
//! parts (`qr`, `svd`) never need a square of 100,000.

mod bidiagonal;
mod embedding;
mod factors;
mod number;
mod orthogonal;
mod products;
mod quotients;
mod room;
mod spectra;
mod triangular;
mod tridiagonal;
mod turns;
mod vectors;

use factors::solve_lu;
use number::Number;
use room::{Room, copied, list_for, room_for, some_numbers, widened, zeros};

/// The error of a host, for which a decomposition stops.
pub type HostError = Box<dyn std::any::Any + Send>;

/// Why there is no result.
#[derive(Debug)]
pub enum Failure {
    /// There was no memory to work in.
    OutOfMemory {
        /// The bytes that were asked for.
        bytes: usize,
    },
    /// The caller stopped it.
    Host(HostError),
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

/// A callback that receives the work done, in nanoseconds; an error stops the decomposition.
///
/// A decomposition may take minutes, and the user may interrupt it.
pub type Progress<'p> = dyn FnMut(usize) -> Result<(), HostError> + 'p;

/// The computed numbers, or a failure if it was stopped or memory is short.
type Answer<N = f64> = Result<Room<N>, Failure>;

macro_rules! decompositions {
    ($($kind:ident = $name:literal,)*) => {
        /// A kind of decomposition; see the table above.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Decomposition {
            $($kind,)*
        }

        impl Decomposition {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Its name in the text of a graph.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// The kind with this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.name() == name)
            }
        }
    };
}

decompositions! {
    Lu = "lu",
    Cholesky = "cholesky",
    Qr = "qr",
    CompleteQr = "complete_qr",
    Svd = "svd",
    FullSvd = "full_svd",
    SingularValues = "singular_values",
    Eigh = "eigh",
    Eigenvalues = "eigenvalues",
    ComplexLu = "complex_lu",
    ComplexCholesky = "complex_cholesky",
    ComplexQr = "complex_qr",
    ComplexCompleteQr = "complex_complete_qr",
    ComplexSvd = "complex_svd",
    ComplexFullSvd = "complex_full_svd",
    ComplexSingularValues = "complex_singular_values",
    ComplexEigh = "complex_eigh",
    ComplexEigenvalues = "complex_eigenvalues",
}

/// A part of a decomposition.
#[derive(Clone, Copy)]
enum Part {
    /// A matrix with these numbers of rows and columns.
    Matrix(usize, usize),
    /// So many values.
    Values(usize),
    /// So many numbers of rows.
    Places(usize),
}

impl Part {
    const fn length(self) -> usize {
        match self {
            Self::Matrix(rows, columns) => rows.saturating_mul(columns),
            Self::Values(count) | Self::Places(count) => count,
        }
    }
}

impl Decomposition {
    /// The kind for real matrices, whose parts are of the same sizes; and whether this is it.
    #[must_use]
    pub const fn of_reals(self) -> (Self, bool) {
        let kind = match self {
            Self::ComplexLu => Self::Lu,
            Self::ComplexCholesky => Self::Cholesky,
            Self::ComplexQr => Self::Qr,
            Self::ComplexCompleteQr => Self::CompleteQr,
            Self::ComplexSvd => Self::Svd,
            Self::ComplexFullSvd => Self::FullSvd,
            Self::ComplexSingularValues => Self::SingularValues,
            Self::ComplexEigh => Self::Eigh,
            Self::ComplexEigenvalues => Self::Eigenvalues,
            _ => return (self, true),
        };
        (kind, false)
    }

    /// Whether it takes square matrices only.
    #[must_use]
    pub const fn is_of_square(self) -> bool {
        matches!(self.of_reals().0, Self::Lu | Self::Cholesky | Self::Eigh | Self::Eigenvalues)
    }

    /// How many rows, and columns, of a matrix stand for one of its elements' rows.
    #[must_use]
    pub const fn block(self) -> usize {
        if self.of_reals().1 { 1 } else { 2 }
    }

    /// Whether a matrix that it takes may have so many rows or columns.
    #[must_use]
    pub const fn takes(self, size: usize) -> bool {
        size.is_multiple_of(self.block())
    }

    /// The parts of the decomposition of an `m × n` matrix by this kind for real matrices.
    fn parts(self, m: usize, n: usize) -> Vec<Part> {
        let k = m.min(n);
        match self.of_reals().0 {
            Self::Lu => vec![Part::Matrix(n, n), Part::Places(n)],
            Self::Cholesky => vec![Part::Matrix(n, n)],
            Self::Qr => vec![Part::Matrix(m, k), Part::Matrix(k, n)],
            Self::CompleteQr => vec![Part::Matrix(m, m), Part::Matrix(m, n)],
            Self::Svd => vec![Part::Matrix(m, k), Part::Values(k), Part::Matrix(k, n)],
            Self::FullSvd => vec![Part::Matrix(m, m), Part::Values(k), Part::Matrix(n, n)],
            Self::SingularValues => vec![Part::Values(k)],
            Self::Eigh => vec![Part::Values(n), Part::Matrix(n, n)],
            _ => vec![Part::Values(n)],
        }
    }

    /// The number of elements in the parts of an `m × n` matrix together; `usize::MAX` if it overflows.
    #[must_use]
    pub fn length(self, m: usize, n: usize) -> usize {
        self.parts(m, n).into_iter().fold(0, |sum, part| sum.saturating_add(part.length()))
    }

    /// Decomposes one `m × n` matrix.
    fn of(self, m: usize, n: usize, matrix: Room<f64>, progress: &mut Progress<'_>) -> Answer {
        let (kind, is_real) = self.of_reals();
        if is_real {
            return kind.of_numbers(m, n, matrix, progress);
        }
        let (m, n) = (m / 2, n / 2);
        let numbers = kind.of_numbers(m, n, embedding::complex_of(2 * n, &matrix)?, progress)?;
        embedding::embedded(&kind.parts(m, n), &numbers)
    }

    /// Decomposes one matrix by a kind for real matrices.
    fn of_numbers<N: Number>(
        self,
        m: usize,
        n: usize,
        matrix: Room<N>,
        progress: &mut Progress<'_>,
    ) -> Answer<N> {
        match self {
            Self::Cholesky => factors::cholesky(n, &matrix, progress),
            Self::Qr => orthogonal::qr(m, n, m.min(n), matrix, progress),
            Self::CompleteQr => orthogonal::qr(m, n, m, matrix, progress),
            Self::Svd => spectra::svd(m, n, false, matrix, progress),
            Self::FullSvd => spectra::svd(m, n, true, matrix, progress),
            Self::SingularValues => spectra::singular_values(m, n, matrix, progress),
            Self::Eigh => spectra::eigh(n, &matrix, progress),
            Self::Eigenvalues => spectra::eigenvalues(n, &matrix, progress),
            _ => {
                let (mut numbers, order) = factors::lu(n, matrix, progress)?;
                numbers.extend(order.into_iter().map(|row| N::real(row as f64)));
                Ok(numbers)
            }
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
            for (to, from) in row.iter_mut().zip(self.of(m, n, matrix, progress)?.iter()) {
                *to = T::narrow(*from);
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
        for (to, from) in solution.iter_mut().zip(solve_lu(n, columns, &lu, &side, progress)?.iter()) {
            *to = T::narrow(*from);
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
