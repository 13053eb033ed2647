//! The Cranelift types of scalars.

use ag_ir::DType;
use cranelift_codegen::ir::{Type, types};

/// The type of a scalar.
pub(crate) const fn scalar_type(dtype: DType) -> Type {
    match dtype {
        DType::Bool | DType::U8 => types::I8,
        DType::I32 => types::I32,
        DType::I64 => types::I64,
        DType::F32 => types::F32,
        DType::F64 => types::F64,
    }
}
