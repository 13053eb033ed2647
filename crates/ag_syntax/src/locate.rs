//! Finds the `def` or `lambda` that a code object was compiled from.
//!
//! CPython stores of a function its name, its first line, its parameters and, for every instruction, a range
//! of the source. Together they identify one place of the text or none. If two places fit equally well, or
//! the place does not fit any more, that is an error: nothing is guessed.
//!
//! ```
//! use ag_syntax::{FunctionQuery, LocatedKind, find_function, parse_module};
//!
//! let source = "f, g = lambda x: x + 1, lambda x: x + 2\n";
//! let module = parse_module(source).unwrap();
//! let query = FunctionQuery {
//!     name: "<lambda>",
//!     qualname: "<lambda>",
//!     first_line: 1,
//!     lambda_position: Some((1, 34, 1, 39)), // of an instruction of g
//!     parameters: &["x"],
//! };
//! let located = find_function(&module, source, &query).unwrap();
//! let LocatedKind::Lambda { body, .. } = located.kind else { panic!() };
//! assert_eq!(body.span.text(source), "x + 2");
//! ```

mod scopes;

use ag_errors::{Diagnostic, LineColumn, LineIndex, Span, catalogue};

use crate::names::mangled;
use crate::tree::{Expr, FunctionDef, Module, Name, Param, Params, Stmt};
use scopes::{Candidate, Finder};

/// The properties of a code object by which its source is found.
#[derive(Clone, Copy, Debug)]
pub struct FunctionQuery<'q> {
    /// `co_name`.
    pub name: &'q str,
    /// `co_qualname`; empty if it is not known.
    pub qualname: &'q str,
    /// `co_firstlineno`: the line of the first decorator, else of `def`; for a lambda, of `lambda`.
    pub first_line: u32,
    /// Line, column, end line, end column (lines from 1, columns in bytes from 0) of any instruction of a
    /// lambda's body, from `co_positions()`. It distinguishes several lambdas on one line.
    pub lambda_position: Option<(u32, u32, u32, u32)>,
    /// The parameters in the order of `co_varnames`: positional ones, keyword-only ones, `*args`,
    /// `**kwargs`; private names mangled, as there.
    pub parameters: &'q [&'q str],
}

/// The place a code object was compiled from.
#[derive(Clone, Debug)]
pub struct Located<'m> {
    /// The definition.
    pub kind: LocatedKind<'m>,
    /// The names of the enclosing classes, innermost last: for private names and `super()`.
    pub classes: Vec<Name>,
    /// Whether it is in a function, lambda or comprehension.
    pub has_enclosing_function: bool,
    /// Whether it is directly in the body of a class.
    pub is_directly_in_class: bool,
}

/// A `def` or a `lambda`.
#[derive(Clone, Copy, Debug)]
pub enum LocatedKind<'m> {
    /// A `def`.
    Def {
        /// The definition.
        def: &'m FunctionDef,
        /// The statement that holds it.
        stmt: &'m Stmt,
    },
    /// A `lambda`.
    Lambda {
        /// Its parameters.
        params: &'m Params,
        /// Its body.
        body: &'m Expr,
        /// The whole expression.
        expr: &'m Expr,
    },
}

impl<'m> LocatedKind<'m> {
    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &'m Params {
        match self {
            Self::Def { def, .. } => &def.params,
            Self::Lambda { params, .. } => params,
        }
    }

    /// The whole definition's place.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Def { stmt, .. } => stmt.span,
            Self::Lambda { expr, .. } => expr.span,
        }
    }
}

/// The reason why no place was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocateError {
    /// The source has changed: something else is at the place of the code object.
    Changed {
        /// The line that was searched, or as much of it as the text has.
        span: Span,
        /// The property that does not fit.
        reason: String,
    },
    /// Several places fit equally well.
    Ambiguous {
        /// All of them.
        spans: Vec<Span>,
    },
}

impl LocateError {
    /// The error as a diagnostic for the user.
    #[must_use]
    pub fn to_diagnostic(&self) -> Diagnostic {
        match self {
            Self::Changed { span, reason } => {
                let message = format!("the source no longer matches the running code: {reason}");
                Diagnostic::error(catalogue::SOURCE_CHANGED, *span, message)
                    .with_help("load the module again, so that the code and its source agree")
            }
            Self::Ambiguous { spans } => {
                let span = spans.iter().copied().reduce(Span::join).unwrap_or_default();
                let message = format!("{} lambdas here could be the function", spans.len());
                Diagnostic::error(catalogue::AMBIGUOUS_SOURCE, span, message)
                    .with_help("put the lambdas on lines of their own, or use `def`")
            }
        }
    }
}

/// Finds the definition that `query` was compiled from. `source` is the text of `module`.
///
/// # Errors
///
/// [`LocateError::Changed`] if nothing at the line fits name, qualified name, parameters and
/// position; [`LocateError::Ambiguous`] if several lambdas do.
pub fn find_function<'m>(
    module: &'m Module,
    source: &str,
    query: &FunctionQuery<'_>,
) -> Result<Located<'m>, LocateError> {
    let lines = LineIndex::new(source);
    let line = line_span(&lines, source, query.first_line);
    let changed = |reason: String| LocateError::Changed { span: line, reason };
    if query.first_line == 0 || lines.line_start(query.first_line).is_none() {
        return Err(changed(format!("it has no line {}", query.first_line)));
    }
    let mut found = Finder::candidates(module, line);
    let is_lambda = query.name == "<lambda>";
    found.retain(|candidate| candidate.is_lambda() == is_lambda && candidate.name() == query.name);
    if found.is_empty() {
        let what = if is_lambda { "lambda".into() } else { format!("`def {}`", query.name) };
        return Err(changed(format!("there is no {what} at line {}", query.first_line)));
    }
    found.retain(|candidate| {
        query.qualname.is_empty() || candidate.qualname == without_inlined(query.qualname)
    });
    if found.is_empty() {
        return Err(changed(format!("`{}` does not start at line {}", query.qualname, query.first_line)));
    }
    found.retain(|candidate| parameter_names(candidate) == query.parameters);
    if found.is_empty() {
        let parameters = query.parameters.join(", ");
        return Err(changed(format!("the parameters at line {} are not ({parameters})", query.first_line)));
    }
    if let (true, Some(position)) = (is_lambda, query.lambda_position) {
        found = innermost_around(found, position_span(&lines, position));
        if found.is_empty() {
            return Err(changed(format!("no lambda of line {} holds the running code", query.first_line)));
        }
    }
    match found.len() {
        1 => Ok(found.swap_remove(0).located),
        _ => Err(LocateError::Ambiguous {
            spans: found.iter().map(|found| found.located.kind.span()).collect(),
        }),
    }
}

/// The bytes of a line without its end.
fn line_span(lines: &LineIndex, source: &str, line: u32) -> Span {
    let end_of_text = u32::try_from(source.len()).unwrap_or(u32::MAX);
    let start = lines.line_start(line).unwrap_or(end_of_text);
    let next = lines.line_start(line.saturating_add(1)).unwrap_or(end_of_text).max(start);
    let text = Span::new(start, next).text(source).trim_end_matches(['\n', '\r']);
    Span::new(start, start + u32::try_from(text.len()).unwrap_or(0))
}

fn position_span(lines: &LineIndex, (line, column, end_line, end_column): (u32, u32, u32, u32)) -> Span {
    Span::new(
        lines.offset(LineColumn { line, column }),
        lines.offset(LineColumn { line: end_line, column: end_column }),
    )
}

/// The candidates whose body contains `position`, without those that enclose others: the position of an
/// instruction of an outer lambda is never in the body of an inner one.
fn innermost_around(mut found: Vec<Candidate<'_>>, position: Span) -> Vec<Candidate<'_>> {
    let body = |candidate: &Candidate<'_>| match candidate.located.kind {
        LocatedKind::Lambda { body, .. } => body.span,
        LocatedKind::Def { stmt, .. } => stmt.span,
    };
    found.retain(|candidate| body(candidate).contains(position));
    let bodies: Vec<Span> = found.iter().map(body).collect();
    found.retain(|candidate| {
        let own = body(candidate);
        !bodies.iter().any(|other| *other != own && own.contains(*other))
    });
    found
}

/// A qualified name without the scopes that have no name in the text, or that only some versions have:
/// `f.<locals>.<listcomp>.<lambda>` of 3.11 is `f.<locals>.<lambda>` in 3.12, and a lambda in the type
/// parameters of `f` is in `<generic parameters of f>`.
fn without_inlined(qualname: &str) -> String {
    let is_left_out = |scope: &&str| {
        matches!(*scope, "<listcomp>" | "<setcomp>" | "<dictcomp>")
            || scope.starts_with("<generic parameters of ")
    };
    qualname.split('.').filter(|scope| !is_left_out(scope)).collect::<Vec<_>>().join(".")
}

/// The names of the parameters in the order of `co_varnames`, mangled.
fn parameter_names(candidate: &Candidate<'_>) -> Vec<String> {
    let class = candidate.located.classes.last();
    let Params { positional_only, positional, vararg, keyword_only, kwarg } = candidate.located.kind.params();
    let all = positional_only.iter().chain(positional).chain(keyword_only).chain(vararg).chain(kwarg);
    let name = |param: &Param| match class.and_then(|class| mangled(&param.name, class)) {
        Some(mangled) => mangled,
        None => param.name.to_string(),
    };
    all.map(name).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::parse_module;

    /// The text that a query finds, or the code of the refusal.
    fn find(source: &str, query: &FunctionQuery<'_>) -> String {
        let module = parse_module(source).unwrap();
        match find_function(&module, source, query) {
            Ok(located) => located.kind.span().text(source).to_owned(),
            Err(error) => error.to_diagnostic().code.to_owned(),
        }
    }

    fn lambda(first_line: u32, position: Option<(u32, u32, u32, u32)>) -> FunctionQuery<'static> {
        let qualname = "<lambda>";
        FunctionQuery { name: qualname, qualname, first_line, lambda_position: position, parameters: &[] }
    }

    #[test]
    fn equal_lambdas_are_never_guessed() {
        let source = "pair = (lambda: 0), (lambda: 0)\n";
        assert_eq!(find(source, &lambda(1, None)), "AG004");
        assert_eq!(find(source, &lambda(1, Some((1, 16, 1, 17)))), "lambda: 0");
        assert_eq!(find(source, &lambda(1, Some((1, 0, 1, 4)))), "AG003");
    }

    #[test]
    fn nested_lambdas_differ_by_qualified_name_or_position() {
        let source = "f = lambda: lambda: 'inner'\n";
        let inner = FunctionQuery { qualname: "<lambda>.<locals>.<lambda>", ..lambda(1, None) };
        assert_eq!(find(source, &inner), "lambda: 'inner'");
        assert_eq!(find(source, &lambda(1, None)), "lambda: lambda: 'inner'");
        let unknown = FunctionQuery { qualname: "", ..lambda(1, Some((1, 20, 1, 27))) };
        assert_eq!(find(source, &unknown), "lambda: 'inner'");
        let unknown = FunctionQuery { qualname: "", ..lambda(1, Some((1, 12, 1, 27))) };
        assert_eq!(find(source, &unknown), "lambda: lambda: 'inner'");
    }

    #[test]
    fn a_stale_source_is_refused() {
        let source = "def f(a, b):\n    return a\n";
        let query = FunctionQuery {
            name: "f",
            qualname: "f",
            first_line: 1,
            lambda_position: None,
            parameters: &["a", "b"],
        };
        assert_eq!(find(source, &query), source.trim_end());
        assert_eq!(find(source, &FunctionQuery { first_line: 2, ..query }), "AG003");
        assert_eq!(find(source, &FunctionQuery { first_line: 99, ..query }), "AG003");
        assert_eq!(find(source, &FunctionQuery { first_line: 0, ..query }), "AG003");
        assert_eq!(find(source, &FunctionQuery { name: "g", ..query }), "AG003");
        assert_eq!(find(source, &FunctionQuery { qualname: "C.f", ..query }), "AG003");
        assert_eq!(find(source, &FunctionQuery { parameters: &["a"], ..query }), "AG003");
    }

    #[test]
    fn classes_and_functions_around_are_known() {
        let source = "
class Outer:
    class _Inner:
        @decorator(
            1)
        @property
        def method(self, __private, *rest, only=1, **more):
            return lambda: self
";
        let module = parse_module(source).unwrap();
        let query = FunctionQuery {
            name: "method",
            qualname: "Outer._Inner.method",
            first_line: 4,
            lambda_position: None,
            parameters: &["self", "_Inner__private", "only", "rest", "more"],
        };
        let located = find_function(&module, source, &query).unwrap();
        assert_eq!(located.classes, ["Outer".into(), "_Inner".into()]);
        assert!(located.is_directly_in_class && !located.has_enclosing_function);
        let query = FunctionQuery { qualname: "Outer._Inner.method.<locals>.<lambda>", ..lambda(8, None) };
        let located = find_function(&module, source, &query).unwrap();
        assert_eq!(located.classes, ["Outer".into(), "_Inner".into()]);
        assert!(!located.is_directly_in_class && located.has_enclosing_function);
    }

    #[test]
    fn comprehensions_of_all_versions() {
        let source = "def f():\n    return [lambda: i for i in ()]\n";
        for qualname in ["f.<locals>.<listcomp>.<lambda>", "f.<locals>.<lambda>"] {
            let query = FunctionQuery { qualname, ..lambda(2, None) };
            assert_eq!(find(source, &query), "lambda: i");
        }
        let source = "g = (lambda: i for i in ())\n";
        let query = FunctionQuery { qualname: "<genexpr>.<lambda>", ..lambda(1, None) };
        assert_eq!(find(source, &query), "lambda: i");
    }
}
