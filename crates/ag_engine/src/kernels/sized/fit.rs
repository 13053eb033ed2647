//! How a kernel is made for sizes that only the run knows, and the forms of its operands.

use ag_ir::{DType, Failure, LocationId};

use crate::kernels::Kernel;
use crate::lists::Cell;

/// The form in which an operand is passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In memory, with these sizes.
    Memory(Vec<usize>),
    /// In a cell, with this rank.
    Cell(usize),
}

/// The type and form of an operand or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Element type.
    pub(crate) dtype: DType,
    /// The form in which it is passed.
    pub(crate) form: Form,
}

impl Place {
    /// The elements and sizes of an operand.
    ///
    /// # Safety
    /// `operand` has the type and form of this place.
    pub(super) unsafe fn read(&self, operand: *mut u8) -> (*mut u8, &[usize]) {
        match &self.form {
            Form::Memory(sizes) => (operand, sizes),
            Form::Cell(rank) => {
                // SAFETY: the caller's; nobody writes the cell while its sizes are read (K8).
                let cell = unsafe { &*operand.cast::<Cell>() };
                (cell.data, &cell.sizes[..*rank])
            }
        }
    }

    /// The memory for a result. If it is in a cell, allocates it and stores the sizes there.
    ///
    /// # Safety
    /// That of [`Self::read`]; nobody else has the cell.
    pub(super) unsafe fn make(&self, result: *mut u8, sizes: &[usize]) -> Result<*mut u8, Failure> {
        match &self.form {
            Form::Memory(_) => Ok(result),
            Form::Cell(_) => {
                // SAFETY: the caller's.
                let cell = unsafe { &mut *result.cast::<Cell>() };
                cell.make_array(sizes, self.dtype.size())?;
                Ok(cell.data)
            }
        }
    }
}

/// An op that makes kernels for given sizes.
pub(crate) trait Fit: Send + Sync {
    /// A kernel for operands of these sizes; `number` reads an operand that is an `i64`.
    ///
    /// # Errors
    /// If the sizes do not fit: the failure, and the location of the node if it is another one.
    fn fit(
        &self,
        sizes: &[&[usize]],
        number: &dyn Fn(usize) -> i64,
    ) -> Result<Fitted, (Failure, Option<LocationId>)>;

    /// Whether some of its kernels need scratch.
    fn needs_scratch(&self) -> bool {
        false
    }

    /// The range of operands whose integer values the kernel depends on too.
    fn numbers(&self) -> std::ops::Range<usize> {
        0..0
    }
}

/// A kernel that was made for certain sizes.
pub(crate) struct Fitted {
    /// The sizes of the result; none for an update, whose result is an operand.
    pub(crate) result: Option<Vec<usize>>,
    /// The kernel, whose operands are those of the node, result, scratch.
    pub(crate) kernel: Box<dyn Kernel>,
    /// Bytes of scratch.
    pub(crate) scratch: usize,
}
