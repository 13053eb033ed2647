//! The graph: a function with blocks of nodes in order. Control flow is nodes with regions.

use std::sync::Arc;

use crate::op::Op;
use crate::types::{DType, TensorType, Type};

/// Number of a value in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// Number of a source location in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationId(pub u32);

/// A place in the user's source. Lines count from 1, columns are byte offsets from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// File name, as the code object has it.
    pub file: Arc<str>,
    /// Name of the user's function.
    pub function: Arc<str>,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last.
    pub end_column: u32,
    /// The call of the user's function, if another function of the user called it.
    pub caller: Option<LocationId>,
}

/// A graph that can be run: parameters, one block, results, and the functions that it calls.
///
/// Only the main function of a graph holds functions; they call each other and themselves by their number in
/// it. A function does not use values of another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// The name of the user's function.
    pub name: Arc<str>,
    /// The values, by [`ValueId`].
    pub values: Vec<Value>,
    /// Where nodes come from, by [`LocationId`].
    pub locations: Vec<SourceLocation>,
    /// The body, whose parameters and results are those of the function.
    pub body: Block,
    /// The functions that [`crate::Op::Call`] calls, by number.
    pub functions: Vec<Function>,
    /// Descriptions of what the host does at each site, by number: `print('x =', {0})`, where `{0}` stands
    /// for the first value passed to the host. Only the main function has them; they may be missing.
    pub sites: Vec<Arc<str>>,
    /// Whether the numbers of the interpreter are asked for, to the bit: sums in the order of the graph, and
    /// gradients of what was recorded. Of a graph, that of the main function counts. The text form has it not.
    pub is_exact: bool,
}

/// A value of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its type.
    pub ty: Type,
    /// The user's variable that it was first bound to, for readers.
    pub name: Option<Arc<str>>,
    /// Whether it was made for a derivative, for readers of profiles. The text form has it not.
    pub is_derivative: bool,
}

impl Value {
    /// A value without a name.
    #[must_use]
    pub const fn new(ty: Type) -> Self {
        Self { ty, name: None, is_derivative: false }
    }
}

/// Nodes in order, with parameters and results. A region of a control-flow node is a block; its
/// nodes may use values of the blocks around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// Values that the block receives.
    pub params: Vec<ValueId>,
    /// The nodes, in order of execution.
    pub nodes: Vec<Node>,
    /// Values that the block yields.
    pub results: Vec<ValueId>,
}

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The operation.
    pub op: Op,
    /// The values that it reads.
    pub operands: Vec<ValueId>,
    /// The values that it defines.
    pub results: Vec<ValueId>,
    /// The regions of a control-flow op.
    pub regions: Vec<Block>,
    /// Its location in the user's source.
    pub location: Option<LocationId>,
}

impl Function {
    /// The type of a value.
    ///
    /// # Panics
    /// If the value is not of this function.
    #[must_use]
    pub fn ty(&self, value: ValueId) -> &Type {
        &self.values[value.0 as usize].ty
    }

    /// The type of a value that must be an array, as the verifier has checked for operands of array ops.
    ///
    /// # Panics
    /// If the value is not of this function, or is no array.
    #[must_use]
    pub fn tensor(&self, value: ValueId) -> &TensorType {
        match self.ty(value) {
            Type::Tensor(tensor) => tensor,
            other => unreachable!("%{} is a {other} where an array is needed", value.0),
        }
    }

    /// The element type of a value, if it is an array.
    ///
    /// # Panics
    /// If the value is not of this function.
    #[must_use]
    pub fn dtype_of(&self, value: ValueId) -> Option<DType> {
        self.ty(value).tensor().map(|tensor| tensor.dtype)
    }

    /// A new value of this type.
    pub fn new_value(&mut self, ty: Type) -> ValueId {
        let id = ValueId(u32::try_from(self.values.len()).unwrap_or(u32::MAX));
        self.values.push(Value::new(ty));
        id
    }
}
