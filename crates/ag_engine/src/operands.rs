//! The operands of a run: inputs and outputs, whose memory belongs to the caller.

use std::fmt;
use std::marker::PhantomData;

use ag_ir::{DType, TensorType};

use crate::lists::{CELL_BYTES, ListResult};

/// Why an array cannot be an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperandError {
    /// The message, one line.
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

/// An array to write (elements in C order, aligned, possibly uninitialised), or a list to fill.
#[derive(Debug)]
pub struct Output<'a> {
    dtype: DType,
    sizes: &'a [usize],
    pointer: *mut u8,
    form: OutputForm,
    life: PhantomData<&'a mut [u8]>,
}

/// The form in which the caller gives an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputForm {
    Array,
    List,
    /// An array with this rank, whose sizes the run determines.
    Sized(usize),
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

    pub(crate) const fn sizes(&self) -> &[usize] {
        self.sizes
    }

    pub(crate) const fn given(&self) -> Given<'a> {
        Given { dtype: self.dtype, sizes: self.sizes, form: Form::Input }
    }
}

impl<'a> Output<'a> {
    /// An array in memory.
    ///
    /// # Errors
    /// If the bytes are too few or too many, or not aligned to the element type.
    pub fn new(dtype: DType, sizes: &'a [usize], bytes: &'a mut [u8]) -> Result<Self, OperandError> {
        check_memory(dtype, sizes, bytes.as_ptr(), bytes.len())?;
        Ok(Self { dtype, sizes, pointer: bytes.as_mut_ptr(), form: OutputForm::Array, life: PhantomData })
    }

    /// A list of values of this type; the run determines its length.
    ///
    /// # Errors
    /// If the list was made for values of another size.
    pub fn list(dtype: DType, sizes: &'a [usize], list: &'a mut ListResult) -> Result<Self, OperandError> {
        if list.element_bytes != sizes.iter().product::<usize>() * dtype.size() {
            return Err(OperandError { message: format!("a list of values other than {dtype}{sizes:?}") });
        }
        let pointer = (&raw mut list.cell).cast();
        Ok(Self { dtype, sizes, pointer, form: OutputForm::List, life: PhantomData })
    }

    /// An array of this rank, whose sizes the run determines.
    ///
    /// # Errors
    /// If the memory was made for elements of another size.
    pub fn sized(dtype: DType, rank: usize, array: &'a mut ListResult) -> Result<Self, OperandError> {
        if array.element_bytes != dtype.size() {
            return Err(OperandError { message: format!("an array of elements other than {dtype}") });
        }
        let pointer = (&raw mut array.cell).cast();
        Ok(Self { dtype, sizes: &[], pointer, form: OutputForm::Sized(rank), life: PhantomData })
    }

    pub(crate) const fn pointer(&mut self) -> *mut u8 {
        self.pointer
    }

    pub(crate) const fn given(&self) -> Given<'a> {
        let form = match self.form {
            OutputForm::Array => Form::Output,
            OutputForm::List => Form::List,
            OutputForm::Sized(rank) => Form::Sized(rank),
        };
        Given { dtype: self.dtype, sizes: self.sizes, form }
    }
}

/// The type of an operand; for a list, that of its values.
#[derive(Debug)]
pub(crate) struct OperandType {
    pub(crate) ty: TensorType,
    pub(crate) is_list: bool,
}

impl OperandType {
    /// Whether it is an array with an unknown size.
    pub(crate) fn is_sized(&self) -> bool {
        !self.is_list && self.ty.has_unknown_sizes()
    }

    /// Bytes at the pointer that generated code gets.
    pub(crate) fn bytes(&self) -> usize {
        if self.is_cell() {
            return CELL_BYTES;
        }
        self.ty.sizes().map_or(0, |sizes| sizes.iter().product::<usize>() * self.ty.dtype.size())
    }

    /// Whether generated code gets it in a cell: a list, or an array with an unknown size.
    pub(crate) fn is_cell(&self) -> bool {
        self.is_list || self.is_sized()
    }
}

/// An operand of a call, before it is checked.
pub(crate) struct Given<'g> {
    dtype: DType,
    sizes: &'g [usize],
    form: Form,
}

/// The form in which the caller gives an operand.
enum Form {
    /// An array to read, which may be one of the values of a list.
    Input,
    /// An array to write.
    Output,
    /// A list to fill; the sizes are those of each value.
    List,
    /// An array of this rank, whose sizes the run determines.
    Sized(usize),
}

/// Checks the operands of a call against the types of the function.
pub(crate) fn check<'g>(
    what: &str,
    wanted: &[OperandType],
    given: impl ExactSizeIterator<Item = Given<'g>>,
) -> Result<(), OperandError> {
    if wanted.len() != given.len() {
        let message = format!("the function has {} {what}s, {} were given", wanted.len(), given.len());
        return Err(OperandError { message });
    }
    for (number, (wanted, given)) in wanted.iter().zip(given).enumerate() {
        let Given { dtype, sizes, form } = given;
        let fits = match (wanted.is_list, form) {
            (false, Form::Input) | (true, Form::List) => wanted.ty.fits(sizes),
            (false, Form::Output) => !wanted.is_sized() && wanted.ty.fits(sizes),
            (false, Form::Sized(rank)) => wanted.is_sized() && wanted.ty.rank() == rank,
            (true, Form::Input) => sizes.split_first().is_some_and(|(_, row)| wanted.ty.fits(row)),
            (true, Form::Output | Form::Sized(_)) | (false, Form::List) => false,
        };
        if wanted.ty.dtype != dtype || !fits {
            let message = format!("{what} {number} is {}, not {dtype}{sizes:?}", wanted.ty);
            return Err(OperandError { message });
        }
    }
    Ok(())
}
