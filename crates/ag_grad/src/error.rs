//! The errors of derivatives and batching.

use std::fmt;

use ag_ir::{InferError, LocationId};

/// The reason why a gradient cannot be taken, in terms of the user's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradientError {
    /// The message: one line, which names the op.
    pub message: String,
    /// The location of the op.
    pub location: Option<LocationId>,
    /// The remedy, if it is another one than to define a gradient rule.
    pub help: Option<&'static str>,
    /// The code of the catalogue, if it is another one than that of the transformation.
    pub code: Option<&'static str>,
}

impl GradientError {
    pub(crate) fn new(message: impl Into<String>, location: Option<LocationId>) -> Self {
        Self { message: message.into(), location, help: None, code: None }
    }

    pub(crate) fn with_help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }

    /// A wrong use of a rule of the user, or of a function that has one.
    pub(crate) fn of_code(self, code: &'static str) -> Self {
        Self { code: Some(code), ..self }
    }
}

impl fmt::Display for GradientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for GradientError {}

/// A rule emitted a node whose operands do not fit: a fault of the rule, reported as an error.
impl From<InferError> for GradientError {
    fn from(error: InferError) -> Self {
        Self::new(error.0, None)
    }
}
