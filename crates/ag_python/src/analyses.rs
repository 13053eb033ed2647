//! The analyses of a function for Python: plain values, with positions as in `ast`.

use ag_analysis::{Definition, Facts, ScopeId, Scopes, Symbol, Variables, report_control_flow};
use ag_errors::Span;
use ag_syntax::tree::{NodeIds, Stmt};
use ag_syntax::{Builder, FunctionQuery, Located, LocatedKind, find_function as locate};
use pyo3::prelude::*;

use crate::convert::ParsedModule;

/// Line, column, end line, end column; columns in bytes.
type Position = (u32, u32, u32, u32);
/// Lists of names: reads, modifies, live in, live out, may be unbound. And definitions: name, position of the
/// statement.
type FactLists = (Vec<Vec<String>>, Vec<(String, Option<Position>)>);
/// A node: number, text, position of the statement, successors with the reason for the edge, facts.
type Node = (u32, String, Option<Position>, Vec<(u32, Option<&'static str>)>, FactLists);

/// The position of the definition that a code object was compiled from.
#[pyfunction]
pub(crate) fn find_function(
    module: &ParsedModule,
    name: &str,
    qualname: &str,
    first_line: u32,
    lambda_position: Option<Position>,
    parameters: Vec<String>,
) -> PyResult<Position> {
    let located = located(module, name, qualname, first_line, lambda_position, &parameters)?;
    Ok(position(module, located.kind.span()))
}

/// The analyses of a function.
#[pyclass(module = "autograph._core", frozen, get_all)]
pub(crate) struct FunctionAnalysis {
    drawing: String,
    nodes: Vec<Node>,
    statements: Vec<(Position, FactLists)>,
    /// Each name, with the scope that owns it, and whether it is a parameter.
    names: Vec<(String, &'static str, bool)>,
}

/// Analyses the function of a code object.
#[pyfunction]
pub(crate) fn analyse_function(
    module: &ParsedModule,
    name: &str,
    qualname: &str,
    first_line: u32,
    lambda_position: Option<Position>,
    parameters: Vec<String>,
) -> PyResult<FunctionAnalysis> {
    let located = located(module, name, qualname, first_line, lambda_position, &parameters)?;
    let scopes = Scopes::of(&module.module().body);
    let mut ids: NodeIds = module.module().ids.clone();
    let returned: Stmt;
    let (id, body) = match located.kind {
        LocatedKind::Def { def, stmt } => (stmt.id, def.body.as_slice()),
        LocatedKind::Lambda { body, expr, .. } => {
            returned = Builder::new(&mut ids, body.span).return_value(body.clone());
            (expr.id, std::slice::from_ref(&returned))
        }
    };
    let Some(scope) = scopes.of_node(id) else {
        let message = "the function is not part of the module";
        let diagnostic = ag_errors::Diagnostic::error(
            ag_errors::catalogue::SOURCE_NOT_FOUND,
            located.kind.span(),
            message,
        );
        return Err(module.refusal(&diagnostic));
    };
    let variables = Variables::of(&scopes, scope);
    let report = report_control_flow(body, &scopes, &variables, module.text());
    let nodes = report.nodes.into_iter().map(|node| {
        let statement = node.span.map(|span| position(module, span));
        (node.number, node.text, statement, node.successors, lists(module, node.facts))
    });
    let statements = report.statements.into_iter();
    Ok(FunctionAnalysis {
        nodes: nodes.collect(),
        statements: statements
            .map(|statement| (position(module, statement.span), lists(module, statement.facts)))
            .collect(),
        drawing: report.drawing,
        names: names(&scopes, scope),
    })
}

fn located<'m>(
    module: &'m ParsedModule,
    name: &str,
    qualname: &str,
    first_line: u32,
    lambda_position: Option<Position>,
    parameters: &[String],
) -> PyResult<Located<'m>> {
    let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
    let query = FunctionQuery { name, qualname, first_line, lambda_position, parameters: &parameters };
    locate(module.module(), module.text(), &query).map_err(|error| module.refusal(&error.to_diagnostic()))
}

fn position(module: &ParsedModule, span: Span) -> Position {
    let (start, end) = (module.lines().line_column(span.start), module.lines().line_column(span.end));
    (start.line, start.column, end.line, end.column)
}

fn lists(module: &ParsedModule, facts: Facts) -> FactLists {
    let texts = |names: std::collections::BTreeSet<ag_syntax::tree::Name>| {
        names.iter().map(ToString::to_string).collect::<Vec<String>>()
    };
    let definition = |definition: Definition| {
        (definition.name.to_string(), definition.span.map(|span| position(module, span)))
    };
    (
        vec![
            facts.reads.into_iter().collect(),
            facts.modifies.into_iter().collect(),
            texts(facts.live_in),
            texts(facts.live_out),
            texts(facts.unbound),
        ],
        facts.definitions.into_iter().map(definition).collect(),
    )
}

/// Every name of a scope, with the scope that owns it, and whether it is a parameter.
fn names(scopes: &Scopes, scope: ScopeId) -> Vec<(String, &'static str, bool)> {
    use ag_analysis::Resolution::{Cell, Free, Global, Local};
    let kind = |symbol: &Symbol| match symbol.resolution {
        Local => "local",
        Cell => "cell",
        Free(_) if symbol.is_declared_nonlocal => "nonlocal",
        Free(_) => "free",
        Global => "global",
    };
    let symbols = scopes.scope(scope).symbols.iter();
    symbols.map(|(name, symbol)| (name.to_string(), kind(symbol), symbol.is_parameter)).collect()
}
