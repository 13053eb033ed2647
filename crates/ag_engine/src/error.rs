//! Why a graph cannot be compiled.

use std::fmt;

use ag_ir::LocationId;

/// The reason why a graph is refused, and the node that is responsible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// The message, one line.
    pub message: String,
    /// The location of the node.
    pub location: Option<LocationId>,
}

impl CompileError {
    /// An error about a node.
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
