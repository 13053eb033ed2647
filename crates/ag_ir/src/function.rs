//! The graph: a function of blocks of nodes in order; control flow is nodes with regions.

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
}

/// A graph that can be run: parameters, one block, results, and the functions that it calls.
///
/// Only the main function of a graph has functions; those call each other and themselves by their
/// number among the main one's. A function does not use values of another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// Its name, the user's function's.
    pub name: Arc<str>,
    /// What each value is, by [`ValueId`].
    pub values: Vec<Value>,
    /// Where nodes come from, by [`LocationId`].
    pub locations: Vec<SourceLocation>,
    /// Parameters are the block's, results are the block's.
    pub body: Block,
    /// What [`crate::Op::Call`] calls, by number.
    pub functions: Vec<Function>,
    /// What the host does at each site, in words, by number: `print('x =', {0})`, where `{0}` stands for
    /// the first value that it is handed. Only the main function has them; without, they are unknown.
    pub sites: Vec<Arc<str>>,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its type.
    pub ty: Type,
    /// The user's variable it was first bound to, for reading.
    pub name: Option<Arc<str>>,
}

/// Nodes in order, with parameters and results. A region of a control-flow node is a block; its
/// nodes may use values of the blocks around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// Values the block is entered with.
    pub params: Vec<ValueId>,
    /// The nodes, in order of execution.
    pub nodes: Vec<Node>,
    /// Values the block ends with.
    pub results: Vec<ValueId>,
}

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it does.
    pub op: Op,
    /// What it takes.
    pub operands: Vec<ValueId>,
    /// What it gives.
    pub results: Vec<ValueId>,
    /// The regions of a control-flow op.
    pub regions: Vec<Block>,
    /// Where it comes from.
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

    /// The type of a value that is an array, as operands of array ops are: the verifier has seen to it.
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
        self.values.push(Value { ty, name: None });
        id
    }
}
