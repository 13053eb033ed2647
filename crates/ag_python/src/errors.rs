//! Rendering of errors for Python, by the same renderer as for diagnostics.

use ag_errors::{Diagnostic, SourceLine, Span, Style, catalogue, render_snippet};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Renders an error with its source line, as the converter renders its own.
///
/// `place` is line, column and column after the last, columns in bytes; `text` is the line; `label` stands
/// beside the place.
#[pyfunction]
#[pyo3(name = "render_error", signature = (code, message, help, file, place, text, label=None))]
pub(crate) fn render_error(
    code: &str,
    message: String,
    help: Option<String>,
    file: &str,
    place: (u32, u32, u32),
    text: &str,
    label: Option<String>,
) -> PyResult<String> {
    let Some(entry) = catalogue::lookup(code) else {
        return Err(PyValueError::new_err(format!("no code {code} in the catalogue")));
    };
    let mut diagnostic = Diagnostic::error(entry.code, Span::default(), message);
    diagnostic.help = help;
    diagnostic.label = label.unwrap_or_default();
    let (line, column, end_column) = place;
    let place = SourceLine { file, line, column, end_column, text };
    Ok(render_snippet(&diagnostic, place, Style::Plain))
}

/// The catalogue: code, short name and meaning of each diagnostic.
#[pyfunction]
pub(crate) fn error_catalogue() -> Vec<(&'static str, &'static str, &'static str)> {
    catalogue::CATALOGUE.iter().map(|entry| (entry.code, entry.slug, entry.meaning)).collect()
}
