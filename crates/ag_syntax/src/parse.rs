//! Parses source text to a tree.
//!
//! ```
//! let module = ag_syntax::parse_module("x = 1 +  2\n").unwrap();
//! assert_eq!(module.body[0].span.text("x = 1 +  2\n"), "x = 1 +  2");
//! ```
//!
//! The grammar is that of the newest released Python that the parser knows (3.14). Syntax that the running
//! interpreter does not accept has been refused by it before.

use ag_errors::{Diagnostic, Span, catalogue};
use ruff_python_ast::PythonVersion;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};

use crate::lower::Lowering;
use crate::tree::Module;

/// Parses a file.
///
/// # Errors
///
/// A `syntax-error` diagnostic at the first place that does not parse; a `too-large` one for a text
/// past 4 GiB or nested too deeply for the passes, which are recursive.
pub fn parse_module(source: &str) -> Result<Module, Diagnostic> {
    if u32::try_from(source.len()).is_err() {
        let message = "the source is longer than 4 GiB";
        return Err(Diagnostic::error(catalogue::TOO_LARGE, Span::default(), message));
    }
    let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::PY314);
    let parsed = parse_unchecked(source, options);
    if let Some(error) = parsed.errors().first() {
        return Err(syntax_error(error.range(), &error.error.to_string()));
    }
    if let Some(error) = parsed.unsupported_syntax_errors().first() {
        return Err(syntax_error(error.range(), &error.to_string()));
    }
    let Some(module) = parsed.try_into_module() else {
        return Err(syntax_error(TextRange::default(), "not a module"));
    };
    Lowering::new(source).module(module.syntax())
}

/// The diagnostic for a place that does not parse.
fn syntax_error(range: TextRange, message: &str) -> Diagnostic {
    let span = Span::new(range.start().to_u32(), range.end().to_u32());
    Diagnostic::error(catalogue::SYNTAX_ERROR, span, message)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::parse_module;
    use crate::tree::{ConstantKind, ExprKind, FStringPart, StmtKind};

    /// The kind of the single expression statement of `source`.
    fn expression(source: &str) -> ExprKind {
        match parse_module(source).unwrap().body.remove(0).kind {
            StmtKind::Expr(expr) => expr.kind,
            other => panic!("not an expression: {other:?}"),
        }
    }

    /// The parts of an f-string, literals by their text, interpolations in angle brackets.
    fn parts(source: &str) -> Vec<String> {
        fn show(part: &FStringPart, source: &str) -> String {
            match part {
                FStringPart::Literal(text) => text.to_string(),
                FStringPart::Interpolation { value, conversion, spec, debug } => {
                    let spec = spec
                        .as_ref()
                        .map(|spec| spec.iter().map(|part| show(part, source)).collect::<Vec<_>>());
                    format!("<{} {conversion:?} {spec:?} {debug:?}>", value.span.text(source))
                }
            }
        }
        match expression(source) {
            ExprKind::FString(fstring) => fstring.parts.iter().map(|part| show(part, source)).collect(),
            other => panic!("not an f-string: {other:?}"),
        }
    }

    #[test]
    fn literals_keep_their_text() {
        let ExprKind::Constant { kind, text } = expression("('a'\n  \"b\")") else { panic!() };
        assert_eq!((kind, &*text), (ConstantKind::Str, "'a'\n  \"b\""));
        let ExprKind::Constant { kind, text } = expression("0x_FF") else { panic!() };
        assert_eq!((kind, &*text), (ConstantKind::Int, "0x_FF"));
    }

    #[test]
    fn elif_is_a_nested_if_that_starts_at_elif() {
        let source = "if a:\n    b\nelif c:\n    d\nelse:\n    e\n";
        let module = parse_module(source).unwrap();
        let StmtKind::If { orelse, .. } = &module.body[0].kind else { panic!() };
        assert_eq!(orelse.len(), 1);
        assert_eq!(orelse[0].span.text(source), "elif c:\n    d\nelse:\n    e");
        let StmtKind::If { orelse, .. } = &orelse[0].kind else { panic!() };
        assert_eq!(orelse[0].span.text(source), "e");
    }

    #[test]
    fn fstring_parts() {
        assert_eq!(
            parts(r#"f"a{{{x!r:>{w}}""#),
            ["'a{'", r#"<x Some('r') Some(["'>'", "<w None None None>"]) None>"#]
        );
        assert_eq!(parts(r#"'p' f"it's" rf'\d{x}'"#), ["'p'", "\"it's\"", "'\\\\d'", "<x None None None>"]);
        assert_eq!(parts(r"f'\ud800{x}'"), [r"'\ud800'", "<x None None None>"]);
        assert_eq!(parts("f\"\"\"\\n\"{x}\"\"\""), ["\"\"\"\\n\\\"\"\"\"", "<x None None None>"]);
        assert_eq!(parts("f'{x = }'"), [r#"<x Some('r') None Some("'x = '")>"#]);
        let commented = parts("f'{x == \"#\" = # why\n}'");
        assert!(commented[0].ends_with(r##"Some("'x == \"#\" = \\n'")>"##), "{}", commented[0]);
        assert_eq!(parts("f'{x=:3}'"), [r#"<x None Some(["'3'"]) Some("'x='")>"#]);
    }

    #[test]
    fn a_syntax_error_is_located() {
        let error = parse_module("x = 1\ny = = 2\n").unwrap_err();
        assert_eq!((error.code, error.span.start), ("AG001", 10));
        let error = parse_module("lazy import os\n").unwrap_err();
        assert_eq!(error.code, "AG001");
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = |depth: usize| format!("{}x\n", "-".repeat(depth));
        for source in [deep(900), format!("{}{}\n", "[".repeat(900), "]".repeat(900))] {
            assert_eq!(crate::unparse(&parse_module(&source).unwrap().body).text, source);
        }
        assert_eq!(parse_module(&deep(1100)).unwrap_err().code, "AG005");
        let sum = format!("{}x\n", "x + ".repeat(5000));
        assert_eq!(parse_module(&sum).unwrap_err().code, "AG005");
    }

    #[test]
    fn ids_are_distinct_and_counted() {
        let module = parse_module("def f(a, b=1):\n    return a + b\n").unwrap();
        assert_eq!(module.ids.count(), 8);
    }
}
