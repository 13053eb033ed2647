//! The list of passes.

use std::collections::HashSet;

use ag_analysis::FunctionFacts;
use ag_syntax::tree::{Expr, Name, NodeId, Stmt};

use crate::context::{Conversion, Function};
use crate::homes::{Block, Homes, Uses};
use crate::regions::{each_expression, each_function};
use crate::{
    assert_statements, attempts, break_statements, calls, comparisons, comprehensions,
    conditional_expressions, continue_statements, control_flow, displays, finally_jumps, identities,
    item_access, joined_strings, logical_expressions, match_statements, nonlocal_writes, pinning,
    return_statements, spelled_operators, undefined_variables, walks,
};

/// A pass over one expression, after its parts.
pub(crate) type ExpressionPass = fn(&mut Expr, &mut Conversion);
/// A pass over the body of one function, inner functions before outer ones.
pub(crate) type FunctionPass = fn(NodeId, &mut Vec<Stmt>, &mut Conversion);

/// Replaces jumps by flags. The flags are ordinary variables: the analyses run afterwards.
pub(crate) const JUMPS: [FunctionPass; 3] =
    [break_statements::lower, continue_statements::lower, return_statements::lower];

/// Replaces expressions by calls of operators.
pub(crate) const EXPRESSIONS: [ExpressionPass; 9] = [
    walks::rewrite,
    calls::rewrite,
    item_access::rewrite_load,
    comparisons::rewrite,
    logical_expressions::rewrite,
    conditional_expressions::rewrite,
    joined_strings::rewrite,
    comprehensions::rewrite,
    displays::rewrite,
];

/// Runs all passes.
pub(crate) fn run(body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    let left = conversion.left_as_written.clone();
    each_function(body, &left, &mut |function, body| {
        match_statements::lower(function, body, conversion);
        attempts::split(body, conversion);
        finally_jumps::lower(function, body, conversion);
    });
    pinning::pin(body, conversion);
    for pass in JUMPS {
        each_function(body, &left, &mut |function, body| pass(function, body, conversion));
    }
    analyse(body, &left, conversion);
    conversion.lazy_comprehensions = comprehensions::find(body);
    calls::write_out_super(body, conversion);
    item_access::rewrite_stores(body, conversion);
    walks::rewrite_unpacked(body, conversion);
    attempts::rewrite(body, conversion);
    identities::rewrite(body, conversion);
    for pass in EXPRESSIONS {
        each_expression(body, &left, &mut |expr| pass(expr, conversion));
    }
    if conversion.spells_operators {
        each_expression(body, &left, &mut |expr| spelled_operators::rewrite(expr, conversion));
    }
    assert_statements::rewrite(body, &left, conversion);
    undefined_variables::rewrite(body, conversion);
    if conversion.spells_operators {
        spelled_operators::rewrite_updates(body, conversion);
    }
    nonlocal_writes::announce(body, conversion);
    control_flow::rewrite(body, conversion);
}

/// Analyses every function once.
fn analyse(body: &mut [Stmt], left: &HashSet<NodeId>, conversion: &mut Conversion) {
    each_function(body, left, &mut |id, body| {
        let Some(scope) = conversion.scopes.of_node(id) else { return };
        pinning::pin_deep(body, 0, &mut conversion.pinned);
        let symbols = &conversion.scopes.scope(scope).symbols;
        let is_of_others = |name: &str| {
            symbols.get(name).is_some_and(|symbol| symbol.is_declared_global || symbol.is_declared_nonlocal)
        };
        pinning::pin_deletes(body, &is_of_others, &mut conversion.pinned);
        let guards = |id: NodeId| conversion.guards.get(&id).cloned().unwrap_or_default();
        let facts = FunctionFacts::of(body, &conversion.scopes, scope, &guards);
        let is_operator = |id: NodeId| facts.branches.contains_key(&id) && !conversion.pinned.contains(&id);
        let symbols = &conversion.scopes.scope(scope).symbols;
        let parameters: HashSet<Name> =
            symbols.iter().filter(|(_, symbol)| symbol.is_parameter).map(|(name, _)| name.clone()).collect();
        let states = |id: NodeId| {
            let name = |variable| facts.variables.name(variable).clone();
            is_operator(id).then(|| facts.state(id).0.into_iter().map(name).collect())
        };
        let uses = Uses::of(body, &facts, &states);
        let mut reified = undefined_variables::reified(&facts, &uses, &is_operator);
        let homes = Homes::of(&uses, &facts, &reified, &parameters);
        // A captured variable that starts as `Undefined` may be read before it is bound, whatever the
        // statements say: its only assignment may be unreachable.
        let is_captured = |name: &&Name| {
            facts.variables.get(name).is_some_and(|variable| facts.captured.contains(variable))
        };
        reified.extend(homes.to_bind_at(Block::Function).filter(is_captured).cloned());
        conversion.binding_chains.extend(uses.binding());
        drop(uses);
        conversion.functions.insert(id, Function { scope, facts, homes, reified });
    });
}
