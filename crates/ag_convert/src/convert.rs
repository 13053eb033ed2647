//! Converts a located function to text.

use std::collections::HashSet;

use ag_analysis::Scopes;
use ag_errors::{Diagnostic, Severity, SourceMap, catalogue};
use ag_syntax::tree::{FunctionDef, Module, Name, NodeId, NodeIds, Stmt, StmtKind};
use ag_syntax::{Builder, FreshNames, Located, LocatedKind, unparse};

use crate::context::{Conversion, Names};
use crate::convertible::{Search, async_reason};
use crate::frames::FrameCalls;
use crate::generators::Walk;
use crate::{frames, generators, pipeline, private_names, stepping, wrapper};

/// Options of a conversion.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The order in which `locals()` shows the variables of functions, if it matters.
    pub variable_orders: Vec<VariableOrder>,
    /// Whether Python's operators become calls, which may convert the methods that they call.
    pub spells_operators: bool,
    /// Whether a generator function becomes its walk, a function that calls an operator for each item.
    pub walk: Walk,
}

impl Options {
    /// Options with orders of variables.
    #[must_use]
    pub fn with_variable_orders(variable_orders: Vec<VariableOrder>) -> Self {
        Self { variable_orders, ..Self::default() }
    }

    /// Also with calls for Python's operators.
    #[must_use]
    pub fn with_spelled_operators(self, spells_operators: bool) -> Self {
        Self { spells_operators, ..self }
    }

    /// Also for the walk of a generator function.
    #[must_use]
    pub fn with_walk(self, walk: Walk) -> Self {
        Self { walk, ..self }
    }
}

/// The variables of a code object.
#[derive(Clone, Debug)]
pub struct VariableOrder {
    /// `co_name`.
    pub function: String,
    /// `co_varnames`, `co_cellvars` and `co_freevars`.
    pub names: Vec<String>,
}

/// A converted function.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The module's text: one factory.
    pub text: String,
    /// From ranges of the text to the user's source.
    pub source_map: SourceMap,
    /// The name of the function in the text.
    pub function_name: Name,
    /// The name of the operators in the text: the factory's first parameter, `ag__` unless the user has such
    /// a name.
    pub operators_name: Name,
    /// The names of the functions that the conversion made, the factory first. They appear in `co_qualname`
    /// of the text's code objects, but not in the user's program.
    pub generated_functions: Vec<Name>,
    /// The factory's parameters after the operators: the function's free variables.
    pub free_variables: Vec<Name>,
    /// Notes for the user: nested functions that stay as written.
    pub notes: Vec<Diagnostic>,
}

/// Converts the function at `located`.
///
/// # Errors
///
/// A `not-convertible` diagnostic with the reason, for generators, coroutines, and functions that look at
/// their own frame in a way that cannot be handled.
pub fn convert(
    module: &Module,
    located: &Located<'_>,
    options: &Options,
) -> Result<Converted, Vec<Diagnostic>> {
    let span = located.kind.span();
    let around = module.body.iter().find(|stmt| stmt.span.contains(span));
    let mut scopes = Scopes::of_function(around.map(std::slice::from_ref).unwrap_or_default(), span);
    let id = match located.kind {
        LocatedKind::Def { stmt, .. } => stmt.id,
        LocatedKind::Lambda { expr, .. } => expr.id,
    };
    let (Some(scope), Some(around)) = (scopes.of_node(id), around) else {
        let message = "the function is not part of the module";
        return Err(vec![Diagnostic::error(ag_errors::catalogue::SOURCE_NOT_FOUND, span, message)]);
    };
    let mut search = Search::new(&scopes, scope, options.walk);
    let reason = match located.kind {
        LocatedKind::Def { def, .. } if def.is_async => Some(async_reason(span)),
        LocatedKind::Def { def, .. } => search.in_body(&def.body),
        LocatedKind::Lambda { body, expr, .. } => search.in_lambda(expr, body),
    };
    if let Some(reason) = reason {
        return Err(vec![reason.to_diagnostic()]);
    }
    let left_as_written = std::mem::take(&mut search.left_as_written);
    let frame_calls: HashSet<NodeId> = search.frame_calls.drain(..).collect();
    let notes =
        search.notes.drain(..).map(|note| Diagnostic { severity: Severity::Warning, ..note }).collect();

    let free_variables = scopes.free_variables(scope);
    let mut ids = module.ids.clone();
    let mut body = vec![bare_statement(&mut ids, located.kind, id)];
    let mut names = FreshNames::of(&body);
    free_variables.iter().for_each(|name| names.reserve(name.clone()));
    let mut names = Names::new(names);
    let operators = names.fresh("ag__");
    let mut step = None;
    if options.walk == Walk::OfSteps {
        if !frame_calls.is_empty() {
            let message = "the generator looks at its own variables";
            return Err(vec![Diagnostic::error(catalogue::NOT_CONVERTIBLE, span, message)]);
        }
        let mut around = around.clone();
        let stepped = stepping::rewrite(&mut around, id, &operators, &scopes, &mut ids, &mut names)
            .map_err(|refusal| vec![refusal])?;
        if let StmtKind::FunctionDef(def) = &stepped.definition.kind {
            let kind = LocatedKind::Def { def, stmt: &stepped.definition };
            body = vec![bare_statement(&mut ids, kind, id)];
        }
        scopes = Scopes::of_function(std::slice::from_ref(&around), span);
        step = Some((stepped.step, stepped.node));
    } else if !frame_calls.is_empty() {
        let mut around = around.clone();
        let (orders, operators) = (&options.variable_orders, &operators);
        let calls = FrameCalls { calls: &frame_calls, scopes: &scopes, orders, operators, root: id };
        let rewritten = frames::rewrite(&mut around, &calls, &mut ids, &mut names);
        if let Some(kind) = rewritten.as_ref().and_then(|rewritten| rewritten.kind()) {
            body = vec![bare_statement(&mut ids, kind, id)];
            scopes = Scopes::of_function(std::slice::from_ref(&around), span);
        }
    }
    let scope = scopes.of_node(id).unwrap_or(scope);
    if let Some(class) = located.classes.last() {
        private_names::mangle(&mut body, class);
    }
    let is_walk = matches!(options.walk, Walk::OfLoop | Walk::OfManager);
    let mut conversion = Conversion {
        ids,
        names,
        operators,
        scopes,
        left_as_written,
        pinned: Default::default(),
        taken_back: Default::default(),
        keeps_returns: Default::default(),
        walk: is_walk.then_some(id),
        guards: Default::default(),
        functions: Default::default(),
        lazy_comprehensions: Default::default(),
        binding_chains: Default::default(),
        binding_operands: Default::default(),
        spells_operators: options.spells_operators,
        passed_on: HashSet::new(),
        step: step.as_ref().map(|(_, node)| *node),
        generated_functions: step.into_iter().map(|(name, _)| name).collect(),
    };
    if is_walk && let Some(Stmt { kind: StmtKind::FunctionDef(def), .. }) = body.first_mut() {
        if options.walk == Walk::OfLoop {
            conversion.passed_on = generators::passed_on(&def.body);
        }
        generators::lower(&mut def.body, options.walk, generators::Around::Nothing, &mut conversion);
    }
    let function_name = name_function(&mut body, scope, &mut conversion);
    pipeline::run(&mut body, &mut conversion);
    let body = wrapper::wrap(body, &function_name, &free_variables, span, &mut conversion);
    let unparsed = unparse(&body);
    Ok(Converted {
        text: unparsed.text,
        source_map: unparsed.source_map,
        function_name,
        operators_name: conversion.operators,
        generated_functions: conversion.generated_functions,
        free_variables,
        notes,
    })
}

/// The name that a lambda is bound to until all names are known.
const PLACEHOLDER: &str = "_";

/// The function as a statement, without defaults and annotations, which the loader takes from the user's
/// function.
fn bare_statement(ids: &mut NodeIds, located: LocatedKind<'_>, id: NodeId) -> Stmt {
    match located {
        LocatedKind::Def { def, stmt } => {
            let def = FunctionDef {
                decorators: Vec::new(),
                type_params: Vec::new(),
                params: wrapper::bare(&def.params),
                returns: None,
                body: def.body.clone(),
                name: def.name.clone(),
                name_span: def.name_span,
                is_async: false,
            };
            Stmt { id, span: stmt.span, kind: StmtKind::FunctionDef(Box::new(def)) }
        }
        LocatedKind::Lambda { params, body, expr } => {
            let b = Builder::new(ids, expr.span);
            let mut lambda = b.lambda_with(wrapper::bare(params), body.clone());
            lambda.id = id;
            b.assign_name(PLACEHOLDER, lambda)
        }
    }
}

/// Gives the function a name that does not hide a global that it uses, such as itself.
fn name_function(body: &mut [Stmt], scope: ag_analysis::ScopeId, conversion: &mut Conversion) -> Name {
    match body.first_mut().map(|stmt| &mut stmt.kind) {
        Some(StmtKind::FunctionDef(def)) => {
            if conversion.scopes.has_global_use(scope, &def.name) {
                def.name = conversion.names.fresh(&def.name.clone());
            }
            def.name.clone()
        }
        Some(StmtKind::Assign { targets, .. }) => {
            let name = conversion.names.fresh("lambda_function");
            for target in targets {
                if let ag_syntax::tree::ExprKind::Name { name: target, .. } = &mut target.kind {
                    *target = name.clone();
                }
            }
            name
        }
        _ => "function".into(),
    }
}
