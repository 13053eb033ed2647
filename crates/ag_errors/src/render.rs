//! Rendering of diagnostics for the user.
//!
//! ```
//! use ag_errors::{Diagnostic, Span, Style, catalogue, render};
//!
//! let source = "x = 1\ny = = 2\n";
//! let error = Diagnostic::error(catalogue::SYNTAX_ERROR, Span::new(10, 11), "expected an expression")
//!     .with_label("here");
//! let shown = render(&error, "work.py", source, Style::Plain);
//! assert_eq!(shown, "\
//! error[AG001]: expected an expression
//!  --> work.py:2:5
//!   |
//! 2 | y = = 2
//!   |     ^ here");
//! ```
//!
//! A span outside of the text is clipped to it: rendering an error must never fail.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Severity};

/// Plain text or text with terminal colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No escape sequences.
    Plain,
    /// ANSI colours.
    Ansi,
}

/// A place in a file, with the text of its one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The line, counted from 1.
    pub line: u32,
    /// First column, in bytes from 0.
    pub column: u32,
    /// Column after the last, in bytes from 0.
    pub end_column: u32,
    /// The text of the line; empty if it is not known.
    pub text: &'a str,
}

/// Renders a diagnostic with the lines of its source.
#[must_use]
pub fn render(diagnostic: &Diagnostic, file: &str, source: &str, style: Style) -> String {
    let range = range_within(source, diagnostic.span.start, diagnostic.span.end);
    shown(diagnostic, file, 1, source, range, style)
}

/// Renders a diagnostic for which only one line is available, such as an error of the running graph. The
/// diagnostic's own span is ignored.
#[must_use]
pub fn render_snippet(diagnostic: &Diagnostic, place: SourceLine<'_>, style: Style) -> String {
    let text = place.text.lines().next().unwrap_or_default();
    let range = range_within(text, place.column, place.end_column);
    shown(diagnostic, place.file, place.line as usize, text, range, style)
}

fn shown(
    diagnostic: &Diagnostic,
    file: &str,
    first_line: usize,
    text: &str,
    range: Range<usize>,
    style: Style,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let label = (!diagnostic.label.is_empty()).then_some(diagnostic.label.as_str());
    let snippet = Snippet::source(text)
        .path(file)
        .line_start(first_line)
        .annotation(AnnotationKind::Primary.span(range).label(label));
    let mut group = level.primary_title(&diagnostic.message).id(diagnostic.code).element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Ansi => Renderer::styled(),
    };
    renderer.render(&[group])
}

/// The range, clipped to the text and widened to whole characters.
fn range_within(text: &str, start: u32, end: u32) -> Range<usize> {
    let mut start = (start as usize).min(text.len());
    let mut end = (end as usize).clamp(start, text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{NOT_CONVERTIBLE, SYNTAX_ERROR};
    use crate::span::Span;

    const SOURCE: &str = "def f(x):\n    größe = locals()\n    return größe\n";

    fn diagnostic() -> Diagnostic {
        let start = SOURCE.find("locals").map_or(0, |start| u32::try_from(start).unwrap_or(0));
        Diagnostic::error(NOT_CONVERTIBLE, Span::new(start, start + 8), "`locals()` sees the converted code")
            .with_label("called here")
            .with_help("name the variables instead")
    }

    #[test]
    fn plain() {
        let expected = "\
error[AG010]: `locals()` sees the converted code
 --> model.py:2:13
  |
2 |     größe = locals()
  |             ^^^^^^^^ called here
  |
  = help: name the variables instead";
        assert_eq!(render(&diagnostic(), "model.py", SOURCE, Style::Plain), expected);
    }

    #[test]
    fn ansi_is_plain_with_colours() {
        let coloured = render(&diagnostic(), "model.py", SOURCE, Style::Ansi);
        assert!(coloured.contains("\u{1b}["));
        let mut without = String::new();
        let mut characters = coloured.chars();
        while let Some(character) = characters.next() {
            if character == '\u{1b}' {
                // An escape sequence ends at its first letter.
                let _ = characters.find(char::is_ascii_alphabetic);
            } else {
                without.push(character);
            }
        }
        assert_eq!(without, render(&diagnostic(), "model.py", SOURCE, Style::Plain));
    }

    #[test]
    fn a_warning_over_several_lines() {
        let span = Span::new(0, u32::try_from(SOURCE.len() - 1).unwrap_or(0));
        let warning =
            Diagnostic { severity: Severity::Warning, ..Diagnostic::error(NOT_CONVERTIBLE, span, "kept") };
        let expected = "\
warning[AG010]: kept
 --> model.py:1:1
  |
1 | / def f(x):
2 | |     größe = locals()
3 | |     return größe
  | |________________^";
        assert_eq!(render(&warning, "model.py", SOURCE, Style::Plain), expected);
    }

    #[test]
    fn one_line_at_hand() {
        let place = SourceLine {
            file: "train.py",
            line: 120,
            column: 8,
            end_column: 13,
            text: "    y = x[i]  # taken\n",
        };
        let error =
            Diagnostic::error("AG200", Span::default(), "index 12 is out of bounds for axis 0 with size 10");
        let expected = "\
error[AG200]: index 12 is out of bounds for axis 0 with size 10
   --> train.py:120:9
    |
120 |     y = x[i]  # taken
    |         ^^^^^";
        assert_eq!(render_snippet(&error, place, Style::Plain), expected);
    }

    #[test]
    fn no_place_makes_it_fail() {
        for source in ["", "\n", "ö", "a\r\nb\r\n", SOURCE] {
            for (start, end) in [(0, 0), (0, 1), (1, 1), (1, 2), (3, 2), (17, 18), (500, 600), (0, u32::MAX)]
            {
                let error =
                    Diagnostic::error(SYNTAX_ERROR, Span::new(start, end), "wrong").with_label("here");
                let shown = render(&error, "f.py", source, Style::Plain);
                assert!(shown.starts_with("error[AG001]: wrong\n"), "{shown}");
                let place =
                    SourceLine { file: "f.py", line: 0, column: start, end_column: end, text: source };
                let shown = render_snippet(&error, place, Style::Plain);
                assert!(shown.starts_with("error[AG001]: wrong\n"), "{shown}");
            }
        }
    }
}
