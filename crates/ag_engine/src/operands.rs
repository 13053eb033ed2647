//! What a run takes and gives: arrays that belong to the caller.

use std::fmt;
use std::marker::PhantomData;

use ag_ir::DType;

/// Why an array cannot be an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperandError {
    /// One line.
    pub message: String,
}

impl fmt::Display for OperandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for OperandError {}

/// An array to read: elements in C order, aligned.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    dtype: DType,
    sizes: &'a [usize],
    bytes: &'a [u8],
}

/// An array to write: elements in C order, aligned. It may be uninitialised.
#[derive(Debug)]
pub struct Output<'a> {
    dtype: DType,
    sizes: &'a [usize],
    pointer: *mut u8,
    life: PhantomData<&'a mut [u8]>,
}

fn check_memory(dtype: DType, sizes: &[usize], pointer: *const u8, bytes: usize) -> Result<(), OperandError> {
    let wanted = sizes.iter().try_fold(dtype.size(), |bytes, size| bytes.checked_mul(*size));
    if wanted != Some(bytes) {
        let message = format!("an array {dtype}{sizes:?} has {bytes} bytes");
        return Err(OperandError { message });
    }
    if bytes > 0 && !pointer.addr().is_multiple_of(dtype.size()) {
        return Err(OperandError { message: format!("an array {dtype}{sizes:?} is not aligned") });
    }
    Ok(())
}

impl<'a> Input<'a> {
    /// An array in memory. Elements of `bool` are bytes 0 and 1.
    ///
    /// # Errors
    /// If the bytes are too few or too many, or not aligned to the element type.
    pub fn new(dtype: DType, sizes: &'a [usize], bytes: &'a [u8]) -> Result<Self, OperandError> {
        check_memory(dtype, sizes, bytes.as_ptr(), bytes.len())?;
        Ok(Self { dtype, sizes, bytes })
    }

    pub(crate) const fn pointer(&self) -> *const u8 {
        self.bytes.as_ptr()
    }

    pub(crate) const fn dtype(&self) -> DType {
        self.dtype
    }

    pub(crate) const fn sizes(&self) -> &[usize] {
        self.sizes
    }
}

impl<'a> Output<'a> {
    /// An array in memory.
    ///
    /// # Errors
    /// If the bytes are too few or too many, or not aligned to the element type.
    pub fn new(dtype: DType, sizes: &'a [usize], bytes: &'a mut [u8]) -> Result<Self, OperandError> {
        check_memory(dtype, sizes, bytes.as_ptr(), bytes.len())?;
        Ok(Self { dtype, sizes, pointer: bytes.as_mut_ptr(), life: PhantomData })
    }

    pub(crate) const fn pointer(&mut self) -> *mut u8 {
        self.pointer
    }

    pub(crate) const fn dtype(&self) -> DType {
        self.dtype
    }

    pub(crate) const fn sizes(&self) -> &[usize] {
        self.sizes
    }
}

/// Compares the operands given with those of the function.
pub(crate) fn check<'g>(
    what: &str,
    wanted: &[(DType, Vec<usize>)],
    given: impl ExactSizeIterator<Item = (DType, &'g [usize])>,
) -> Result<(), OperandError> {
    if wanted.len() != given.len() {
        let message = format!("the function has {} {what}s, {} were given", wanted.len(), given.len());
        return Err(OperandError { message });
    }
    for (number, (wanted, given)) in wanted.iter().zip(given).enumerate() {
        if wanted.0 != given.0 || wanted.1 != given.1 {
            let message =
                format!("{what} {number} is {}{:?}, not {}{:?}", wanted.0, wanted.1, given.0, given.1);
            return Err(OperandError { message });
        }
    }
    Ok(())
}
