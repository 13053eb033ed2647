//! Types of a graph's values, for Python.
//!
//! ```text
//! f64[3]         ("float64", [3])
//! f64[?, 3]      ("float64", [None, 3])
//! list<f64[3]>   ("list", ("float64", [3]))
//! ```

use ag_ir::{DType, Dim, Shape, Type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Reads a dtype by its NumPy name.
pub(crate) fn dtype_named(name: &str) -> PyResult<DType> {
    match name {
        "bool" => Ok(DType::Bool),
        "uint8" => Ok(DType::U8),
        "int32" => Ok(DType::I32),
        "int64" => Ok(DType::I64),
        "float32" => Ok(DType::F32),
        "float64" => Ok(DType::F64),
        _ => Err(PyValueError::new_err(format!("no graph type for dtype {name}"))),
    }
}

/// The NumPy name of a dtype.
pub(crate) const fn numpy_name(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::U8 => "uint8",
        DType::I32 => "int32",
        DType::I64 => "int64",
        DType::F32 => "float32",
        DType::F64 => "float64",
    }
}

/// A dtype that Python passes by its NumPy name.
pub(crate) struct DTypeName(pub(crate) DType);

impl FromPyObject<'_, '_> for DTypeName {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        dtype_named(given.extract()?).map(Self)
    }
}

/// A type that Python passes or receives.
pub(crate) struct GraphType(pub(crate) Type);

/// A shape from sizes; `None` is an unknown one.
pub(crate) fn shape_of(sizes: &[Option<usize>]) -> Shape {
    sizes.iter().map(|size| size.map_or(Dim::Unknown, Dim::Known)).collect()
}

/// The deepest nesting of lists in a type, so that reading one ends.
const DEEPEST: usize = 100;

fn read(given: &Bound<'_, PyAny>, depth: usize) -> PyResult<Type> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err("lists nest too deep"));
    }
    let (kind, rest): (String, Bound<'_, PyAny>) = given.extract()?;
    if kind == "list" {
        return Ok(Type::list_of(read(&rest, depth + 1)?));
    }
    let sizes: Vec<Option<usize>> = rest.extract()?;
    Ok(Type::new(dtype_named(&kind)?, shape_of(&sizes)))
}

fn write<'py>(ty: &Type, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
    match ty {
        Type::Tensor(tensor) => {
            let sizes: Vec<Option<usize>> = tensor.shape.iter().map(|dim| dim.known()).collect();
            (numpy_name(tensor.dtype), sizes).into_pyobject(py)
        }
        Type::List(element) => ("list", write(element, py)?).into_pyobject(py),
    }
}

impl FromPyObject<'_, '_> for GraphType {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        read(&given, 0).map(Self)
    }
}

impl<'py> IntoPyObject<'py> for GraphType {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        write(&self.0, py)
    }
}
