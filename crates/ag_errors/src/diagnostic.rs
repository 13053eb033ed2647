//! The diagnostics with which every crate reports what it refuses.

use crate::span::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program is refused.
    Error,
    /// The program runs, but the user should know.
    Warning,
}

/// A refusal or a warning about a place in the user's program.
///
/// Every diagnostic has a code from the catalogue, a place, one line that says why and, if there is a remedy,
/// what to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Code of the catalogue, such as `AG012`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The place in the user's source.
    pub span: Span,
    /// One line: what is wrong, in terms of the user's program.
    pub message: String,
    /// Short text beside the underlined place; empty for none.
    pub label: String,
    /// What to change.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error with a code of the catalogue at `span`.
    #[must_use]
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            span,
            message: message.into(),
            label: String::new(),
            help: None,
        }
    }

    /// The same diagnostic with a text beside the underlined place.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same diagnostic with a remedy.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
