//! Why a graph cannot be compiled.

use std::fmt;

use ag_ir::LocationId;

/// A refusal, with the node it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// One line.
    pub message: String,
    /// The node.
    pub location: Option<LocationId>,
}

impl CompileError {
    /// A refusal about a node.
    pub(crate) fn new(message: impl Into<String>, location: Option<LocationId>) -> Self {
        Self { message: message.into(), location }
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CompileError {}
