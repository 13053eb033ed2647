//! Diagnostics: messages to the user with a place in the source, and their rendering.
//!
//! This crate is below all others: spans, line indices, diagnostics with codes, and the source map from
//! generated text to the user's own. Nothing here knows Python's grammar or tensors.

pub mod catalogue;
mod diagnostic;
mod render;
mod source_map;
mod span;

pub use diagnostic::{Diagnostic, Severity};
pub use render::{SourceLine, Style, render, render_snippet};
pub use source_map::{Mapping, SourceMap};
pub use span::{LineColumn, LineIndex, Span};
