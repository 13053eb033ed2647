//! Why there is no derivative.

use std::fmt;

use ag_ir::{InferError, LocationId};

/// Why a gradient cannot be taken, in terms of the user's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradientError {
    /// One line, which names the op.
    pub message: String,
    /// Where the op comes from.
    pub location: Option<LocationId>,
    /// What to change, where it is something else than to give a rule.
    pub help: Option<&'static str>,
}

impl GradientError {
    pub(crate) fn new(message: impl Into<String>, location: Option<LocationId>) -> Self {
        Self { message: message.into(), location, help: None }
    }

    pub(crate) fn with_help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }
}

impl fmt::Display for GradientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for GradientError {}

/// A rule emitted what does not fit: a fault of the rule, which shows as a refusal.
impl From<InferError> for GradientError {
    fn from(error: InferError) -> Self {
        Self::new(error.0, None)
    }
}
