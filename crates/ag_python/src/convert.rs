//! Conversion for Python: a parsed file, and the converted text of one of its functions.

use std::sync::Arc;

use ag_convert::{Options, VariableOrder, Walk};
use ag_errors::{Diagnostic, LineColumn, LineIndex, SourceMap, Span};
use ag_syntax::tree::{Expr, Module, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, walk_stmt};
use ag_syntax::{FunctionQuery, Located, LocatedKind, find_function};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::location_table::{Position, Run, read, write};

pyo3::create_exception!(
    _core,
    DiagnosticError,
    PyException,
    "A refusal: code, message, help or None, (line, column, end line, end column)."
);

fn diagnostic_error(diagnostic: &Diagnostic, lines: &LineIndex) -> PyErr {
    let start = lines.line_column(diagnostic.span.start);
    let end = lines.line_column(diagnostic.span.end);
    DiagnosticError::new_err((
        diagnostic.code,
        diagnostic.message.clone(),
        diagnostic.help.clone(),
        (start.line, start.column, end.line, end.column),
    ))
}

/// Parses a file.
#[pyfunction]
pub(crate) fn parse(text: String) -> PyResult<ParsedModule> {
    let lines = LineIndex::new(&text);
    let module = ag_syntax::parse_module(&text).map_err(|error| diagnostic_error(&error, &lines))?;
    Ok(ParsedModule { text, lines: Arc::new(lines), module })
}

/// A parsed file, from which functions are converted.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct ParsedModule {
    text: String,
    lines: Arc<LineIndex>,
    module: Module,
}

#[pymethods]
impl ParsedModule {
    /// The text of the file as the unparser writes it.
    fn unparse(&self) -> String {
        ag_syntax::unparse(&self.module.body).text
    }

    /// The names that the file imports at module level.
    #[getter]
    fn imports(&self) -> Vec<String> {
        let mut names = Vec::new();
        imports(&self.module.body, &mut names);
        names
    }

    /// Converts the function of a code object.
    #[allow(clippy::too_many_arguments)]
    fn convert(
        &self,
        name: &str,
        qualname: &str,
        first_line: u32,
        lambda_position: Option<(u32, u32, u32, u32)>,
        parameters: Vec<String>,
        variable_orders: Vec<(String, Vec<String>)>,
        spells_operators: bool,
        walk: Option<&str>,
    ) -> PyResult<ConvertedText> {
        let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let query = FunctionQuery { name, qualname, first_line, lambda_position, parameters: &parameters };
        let refuse = |diagnostic: &Diagnostic| diagnostic_error(diagnostic, &self.lines);
        let located = find_function(&self.module, &self.text, &query)
            .map_err(|error| refuse(&error.to_diagnostic()))?;
        let orders = variable_orders.into_iter().map(|(function, names)| VariableOrder { function, names });
        let options = Options::with_variable_orders(orders.collect())
            .with_spelled_operators(spells_operators)
            .with_walk(match walk {
                None => Walk::No,
                Some("loop") => Walk::OfLoop,
                Some("steps") => Walk::OfSteps,
                Some(_) => Walk::OfManager,
            });
        let converted = ag_convert::convert(&self.module, &located, &options).map_err(|diagnostics| {
            diagnostics.first().map_or_else(|| DiagnosticError::new_err(()), refuse)
        })?;
        Ok(ConvertedText {
            original: self.original(&located),
            original_class: located.classes.last().map(ToString::to_string),
            generated_lines: LineIndex::new(&converted.text),
            lines: Arc::clone(&self.lines),
            text: converted.text,
            source_map: converted.source_map,
            function_name: converted.function_name.to_string(),
            generated_functions: converted.generated_functions.iter().map(ToString::to_string).collect(),
        })
    }
}

/// The names that `import` statements of a module bind, outside of functions and classes.
fn imports(body: &[Stmt], names: &mut Vec<String>) {
    struct Imports<'n>(&'n mut Vec<String>);
    impl<'a> Visitor<'a> for Imports<'_> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match &stmt.kind {
                StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {}
                StmtKind::Import(aliases) | StmtKind::ImportFrom { names: aliases, .. } => {
                    self.0.extend(aliases.iter().map(|alias| match &alias.asname {
                        Some(name) => name.to_string(),
                        None => alias.name.split('.').next().unwrap_or_default().to_owned(),
                    }));
                }
                _ => walk_stmt(self, stmt),
            }
        }
        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut search = Imports(names);
    body.iter().for_each(|stmt| search.visit_stmt(stmt));
}

impl ParsedModule {
    fn original(&self, located: &Located<'_>) -> String {
        let (start, end) = match located.kind {
            LocatedKind::Def { stmt, .. } => {
                let start = stmt.span.start as usize;
                (self.text[..start].rfind('\n').map_or(0, |newline| newline + 1), stmt.span.end)
            }
            LocatedKind::Lambda { expr, .. } => (expr.span.start as usize, expr.span.end),
        };
        self.text.get(start..end as usize).unwrap_or_default().to_owned()
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn lines(&self) -> &LineIndex {
        &self.lines
    }

    pub(crate) fn module(&self) -> &Module {
        &self.module
    }

    /// A diagnostic in this file, as a Python exception.
    pub(crate) fn refusal(&self, diagnostic: &Diagnostic) -> PyErr {
        diagnostic_error(diagnostic, &self.lines)
    }
}

/// The converted text of one function, with the map back to the user's source.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct ConvertedText {
    #[pyo3(get)]
    text: String,
    /// The function as the user wrote it: a lambda's expression, or the lines of a `def`.
    #[pyo3(get)]
    original: String,
    /// The enclosing class, whose private names the function uses.
    #[pyo3(get)]
    original_class: Option<String>,
    /// Name of the inner function.
    #[pyo3(get)]
    function_name: String,
    /// Names of the functions that the conversion made, the factory first.
    #[pyo3(get)]
    generated_functions: Vec<String>,
    source_map: SourceMap,
    generated_lines: LineIndex,
    lines: Arc<LineIndex>,
}

#[pymethods]
impl ConvertedText {
    /// The location table of a code object compiled from the text, translated to positions in the user's
    /// source, and its first line.
    fn relocate(&self, table: &[u8], first_line: u32) -> (u32, Vec<u8>) {
        let runs: Vec<Run> = read(table, first_line)
            .into_iter()
            .map(|run| Run {
                units: run.units,
                position: run.position.and_then(|position| self.origin(position)),
            })
            .collect();
        let first = runs.iter().filter_map(|run| run.position).map(|position| position.line).min();
        let first = first.unwrap_or(1);
        (first, write(&runs, first))
    }

    /// All mappings as (generated start, generated end, origin start, origin end), in bytes.
    fn mappings(&self) -> Vec<(u32, u32, u32, u32)> {
        let flat = |mapping: &ag_errors::Mapping| {
            (mapping.generated.start, mapping.generated.end, mapping.origin.start, mapping.origin.end)
        };
        self.source_map.mappings().iter().map(flat).collect()
    }
}

impl ConvertedText {
    /// The user's position for the first instruction of a function, which stands for the start of its first
    /// line.
    fn origin_of_line(&self, line: u32) -> Option<Position> {
        let start = self.generated_lines.offset(LineColumn { line, column: 0 });
        let rest = self.text.get(start as usize..)?;
        let indent = u32::try_from(rest.len() - rest.trim_start_matches(' ').len()).unwrap_or(0);
        let origin = self.source_map.origin(Span::new(start + indent, start + indent))?;
        let line = self.lines.line_column(origin.start).line;
        Some(Position { line, end_line: line, columns: Some((0, 0)) })
    }

    /// The user's position for a position in the generated text.
    fn origin(&self, position: Position) -> Option<Position> {
        if position.columns == Some((0, 0)) {
            return self.origin_of_line(position.line);
        }
        let (start_column, end_column) = position.columns.unwrap_or((0, 0));
        let at = |line, column| self.generated_lines.offset(LineColumn { line, column });
        let start = at(position.line, start_column);
        let end = at(position.end_line, end_column).max(start);
        let origin = self.source_map.origin(Span::new(start, end))?;
        let (first, last) = (self.lines.line_column(origin.start), self.lines.line_column(origin.end));
        let columns = position.columns.map(|_| (first.column, last.column));
        Some(Position { line: first.line, end_line: last.line, columns })
    }
}
