//! The operands of a compiled graph: their types, and the memory that a run reads.
//!
//! ```text
//! f(x.T, 0.5)     a float64 array of sizes [3, 4], copied since it is not C-contiguous; the bytes of 0.5
//! ```
//!
//! Invariant: an array is read in place, or from a copy with the layout of `np.ascontiguousarray`.

use ag_engine::{Input, OperandError};
use ag_ir::DType;
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::executable::Executable;
use crate::run::{array_bytes, contiguous_copy};
use crate::signature::fit;

/// A list with one item for each argument, result or axis: mostly few, so that nothing is allocated.
pub(crate) type Few<T> = SmallVec<[T; 6]>;

/// Collects an iterator. `collect` is not inlined here and takes as long as an allocation.
pub(crate) fn few<T>(items: impl Iterator<Item = T>) -> Few<T> {
    let mut few = Few::new();
    for item in items {
        few.push(item);
    }
    few
}

/// The type of an operand.
pub(crate) struct Operand {
    pub(crate) dtype: DType,
    pub(crate) sizes: Sizes,
}

/// The sizes of an operand.
pub(crate) enum Sizes {
    /// All are known; with the bytes of the array.
    Known(Vec<usize>, usize),
    /// Some are unknown until the run.
    Open(Vec<Option<usize>>),
}

/// Memory of one input: an array's own, or a copy of a scalar.
pub(crate) enum Given<'py> {
    Array(Bound<'py, PyUntypedArray>),
    Number(Number),
}

/// The bytes of a number, aligned for every dtype.
#[repr(align(8))]
pub(crate) struct Number([u8; 8]);

impl Operand {
    /// The memory of an argument; none if it does not match, or cannot be copied.
    pub(crate) fn given<'py>(&self, argument: &Bound<'py, PyAny>) -> PyResult<Option<Given<'py>>> {
        match argument.cast_exact::<PyUntypedArray>() {
            Ok(array) => Ok(self.given_array(array)),
            Err(_) => Ok(Some(Given::Number(number(argument, self.dtype)?))),
        }
    }

    /// As [`Self::given`], for an array.
    pub(crate) fn given_array<'py>(&self, array: &Bound<'py, PyUntypedArray>) -> Option<Given<'py>> {
        if !self.sizes.are(array.shape()) {
            return None;
        }
        if array.is_c_contiguous() && array.is_aligned() {
            return Some(Given::Array(array.clone()));
        }
        contiguous_copy(array).ok().map(Given::Array)
    }

    /// The sizes of an array, if some are unknown in the type.
    pub(crate) fn open_sizes(&self, given: &Given<'_>) -> Option<Vec<usize>> {
        match (given, &self.sizes) {
            (Given::Array(array), Sizes::Open(_)) => Some(array.shape().to_vec()),
            _ => None,
        }
    }

    /// The engine's input for an argument of this type; `open` are the sizes, if some are unknown in the
    /// type.
    pub(crate) fn input<'a>(
        &'a self,
        given: &'a Given<'_>,
        open: &mut impl Iterator<Item = &'a Vec<usize>>,
    ) -> Result<Input<'a>, OperandError> {
        let dtype = self.dtype;
        match (given, &self.sizes) {
            (Given::Number(number), _) => Input::new(dtype, &[], &number.0[..dtype.size()]),
            (Given::Array(array), Sizes::Known(sizes, bytes)) => {
                Input::new(dtype, sizes, array_bytes(array, *bytes))
            }
            (Given::Array(array), Sizes::Open(_)) => {
                let sizes = open.next().map_or(&[][..], Vec::as_slice);
                Input::new(dtype, sizes, array_bytes(array, sizes.iter().product::<usize>() * dtype.size()))
            }
        }
    }
}

impl Sizes {
    /// Whether an array of these sizes may be the operand.
    fn are(&self, given: &[usize]) -> bool {
        match self {
            Self::Known(sizes, _) => sizes == given,
            Self::Open(sizes) => fit(sizes, given),
        }
    }
}

/// The types of the inputs and outputs of a compiled graph.
pub(crate) fn operands(executable: &Executable) -> PyResult<(Vec<Operand>, Vec<Operand>)> {
    let function = &executable.function;
    let operand = |value: &ag_ir::ValueId| {
        let tensor = function.ty(*value).tensor();
        let ty = tensor.ok_or_else(|| PyTypeError::new_err("a graph that takes or gives a list"))?;
        let sizes = match ty.sizes() {
            Some(sizes) => {
                let bytes = sizes.iter().product::<usize>() * ty.dtype.size();
                Sizes::Known(sizes, bytes)
            }
            None => Sizes::Open(ty.shape.iter().map(|dim| dim.known()).collect()),
        };
        Ok(Operand { dtype: ty.dtype, sizes })
    };
    let all = |values: &[ag_ir::ValueId]| values.iter().map(operand).collect::<PyResult<Vec<_>>>();
    Ok((all(&function.body.params)?, all(&function.body.results)?))
}

/// The bytes of a scalar argument.
fn number(argument: &Bound<'_, PyAny>, dtype: DType) -> PyResult<Number> {
    let mut bytes = [0; 8];
    match dtype {
        DType::F64 => bytes = argument.extract::<f64>()?.to_ne_bytes(),
        DType::I64 => bytes = argument.extract::<i64>()?.to_ne_bytes(),
        // Every float32 is a float64, so nothing is rounded.
        DType::F32 => bytes[..4].copy_from_slice(&(argument.extract::<f64>()? as f32).to_ne_bytes()),
        DType::I32 => bytes[..4].copy_from_slice(&argument.extract::<i32>()?.to_ne_bytes()),
        DType::U8 => bytes[0] = argument.extract::<u8>()?,
        DType::Bool => bytes[0] = u8::from(argument.is_truthy()?),
    }
    Ok(Number(bytes))
}
