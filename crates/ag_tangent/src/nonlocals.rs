//! Functions that write variables of the function around them, by `nonlocal`: such a variable is given to them, and
//! they return it.
//!
//! ```text
//! total = 0.0                         total = 0.0
//! def add(v):                         def add(v, *, total):
//!     nonlocal total                      total = total + v
//!     total = total + v                   return total
//! add(x)                              total = add(x, total=total)
//! ```
//!
//! That is the same as long as such a function is only called, where its variables are at hand. Functions that these
//! call, and that read the variables, are given them too.

use std::collections::{BTreeMap, BTreeSet};

use ag_analysis::{Resolution, ScopeId, Scopes};
use ag_errors::Span;
use ag_syntax::tree::{Expr, ExprKind, FunctionDef, Name, Stmt, StmtKind};
use ag_syntax::visit::VisitorMut;
use ag_syntax::{Builder, FreshNames};

use crate::closures::irregular;
use crate::counters::{Counting, are_counters};
use crate::each::each_stmt;
use crate::jumps::blocks_of;
use crate::name_sets::IntoSet;
use crate::normal::{Outcome, refusal};
use crate::shared_calls::SharedCalls;
use crate::variables::{bound_in, surely_bound_by, times_bound};

/// How a function shares variables of the function around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shares {
    /// Those that it is given.
    pub(crate) taken: BTreeSet<Name>,
    /// Those that it returns.
    pub(crate) written: BTreeSet<Name>,
    /// Whether it returns a value of its own.
    pub(crate) gives: bool,
}

/// A nested function as it stands in the text.
struct Nested<'t> {
    def: &'t FunctionDef,
    span: Span,
    /// The variables and functions of the function around that it reads or writes.
    met: BTreeSet<Name>,
    written: BTreeSet<Name>,
}

/// Gives the variables that nested functions write to these, and lets them return them.
///
/// # Errors
///
/// A function writes a variable that is no counter, and is used otherwise than called.
pub(crate) fn written_by_nonlocal(b: Builder<'_>, def: &mut FunctionDef) -> Outcome<()> {
    if !def.body.iter().any(has_nonlocal) {
        return Ok(());
    }
    let mut new = def.clone();
    define_lambdas(b, &mut new);
    match lowered(b, &mut new) {
        Ok(()) => *def = new,
        // What counts has no derivative, and may be counted anywhere.
        Err(_) if are_counters(def, &shared_by(b, def)) => {}
        Err(refused) => return Err(refused),
    }
    Ok(())
}

/// `g = lambda v: add(v)`, which calls a function that writes a variable, is a definition.
fn define_lambdas(b: Builder<'_>, def: &mut FunctionDef) {
    let times = times_bound(&def.body);
    let mut writers: BTreeSet<Name> = BTreeSet::new();
    loop {
        // Those that write, and those that call these.
        let more = def.body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::FunctionDef(inner) if !writers.contains(&inner.name) => {
                let calls = || crate::variables::read_by(stmt).iter().any(|name| writers.contains(name));
                (has_nonlocal(stmt) || calls()).then(|| inner.name.clone())
            }
            _ => None,
        });
        let more: Vec<Name> = more.collect();
        if more.is_empty() {
            break;
        }
        writers.extend(more);
    }
    for stmt in &mut def.body {
        let StmtKind::Assign { targets, value } = &stmt.kind else { continue };
        if let ([Expr { kind: ExprKind::Name { name, .. }, .. }], ExprKind::Lambda { params, body }) =
            (targets.as_slice(), &value.kind)
            && times.get(name) == Some(&1)
            && params.iter().all(|param| param.default.is_none())
            && crate::variables::read_in(body).iter().any(|read| writers.contains(read))
        {
            let b = b.at(stmt.span);
            *stmt = b.function_def(name.clone(), (**params).clone(), vec![b.return_value((**body).clone())]);
        }
    }
}

/// The variables of a function that scopes in it write.
fn shared_by(b: Builder<'_>, def: &FunctionDef) -> BTreeSet<Name> {
    let whole = b.stmt(StmtKind::FunctionDef(Box::new(def.clone())));
    let scopes = Scopes::of(std::slice::from_ref(&whole));
    scopes.of_node(whole.id).map(|own| written_in(&scopes, own)).unwrap_or_default()
}

/// The variables of a function that are bound in functions in it: `:=` of a comprehension runs where it stands.
fn written_in(scopes: &Scopes, own: ScopeId) -> BTreeSet<Name> {
    scopes.captures(own).written.into_iter().into_set()
}

fn lowered(b: Builder<'_>, def: &mut FunctionDef) -> Outcome<()> {
    let whole = b.stmt(StmtKind::FunctionDef(Box::new(def.clone())));
    let scopes = Scopes::of(std::slice::from_ref(&whole));
    let Some(own) = scopes.of_node(whole.id) else { return Ok(()) };
    let variables = written_in(&scopes, own);
    if variables.is_empty() {
        return Ok(());
    }
    let mut nested = Vec::new();
    nested_in(&def.body, &scopes, own, &mut nested);
    let sharing = sharing(&nested, &variables)?;
    require_definitions(def, &nested, &sharing)?;
    require_bound(def, &sharing)?;
    let is_counter = |name: &&Name| are_counters(def, &BTreeSet::from([(*name).clone()]));
    let counters: BTreeSet<Name> = variables.iter().filter(is_counter).cloned().into_set();
    Counting { b, counters: &counters }.visit_body(&mut def.body);
    let fresh = FreshNames::of(std::slice::from_ref(&whole));
    let (is_tried, gives_failure, tried) = (false, false, BTreeMap::new());
    let mut calls = SharedCalls { b, fresh, sharing: &sharing, is_tried, gives_failure, tried };
    def.body = calls.whole(std::mem::take(&mut def.body))?;
    Ok(())
}

/// The definitions in the blocks of a function, and not those in them.
fn nested_in<'t>(body: &'t [Stmt], scopes: &Scopes, own: ScopeId, found: &mut Vec<Nested<'t>>) {
    for stmt in body {
        if let StmtKind::FunctionDef(def) = &stmt.kind
            && let Some(scope) = scopes.of_node(stmt.id)
        {
            let free = scopes.free_variables(scope).into_iter();
            let met: BTreeSet<Name> =
                free.filter(|name| scopes.resolve_name(scope, name) == Resolution::Free(own)).into_set();
            let declared = declared_in(&def.body);
            let written = met.intersection(&declared).cloned().into_set();
            found.push(Nested { def, span: stmt.span, met, written });
        }
        blocks_of(stmt).into_iter().for_each(|block| nested_in(block, scopes, own, found));
    }
}

/// Which functions are given which variables: those that write them, those that call these, and what they call.
fn sharing(nested: &[Nested<'_>], variables: &BTreeSet<Name>) -> Outcome<BTreeMap<Name, Shares>> {
    let mut all: BTreeMap<Name, Shares> = BTreeMap::new();
    for one in nested {
        let shares = all.entry(one.def.name.clone()).or_default();
        shares.taken.extend(one.met.intersection(variables).cloned());
        shares.written.extend(one.written.intersection(variables).cloned());
        shares.gives |= gives_value(&one.def.body);
    }
    loop {
        let before = all.clone();
        for one in nested {
            for called in one.met.iter().filter_map(|name| before.get(name)) {
                let Some(shares) = all.get_mut(&one.def.name) else { continue };
                shares.taken.extend(called.taken.iter().cloned());
                shares.written.extend(called.written.iter().cloned());
            }
        }
        let count = |all: &BTreeMap<Name, Shares>| -> usize {
            all.values().map(|one| one.taken.len() + one.written.len()).sum()
        };
        if count(&before) == count(&all) {
            break;
        }
    }
    let mut given: BTreeSet<Name> =
        all.iter().filter(|(_, shares)| !shares.written.is_empty()).map(|(name, _)| name.clone()).into_set();
    loop {
        let callers = nested.iter().filter(|one| given.contains(&one.def.name));
        let met: BTreeSet<Name> = callers.flat_map(|one| one.met.iter().cloned()).into_set();
        let more = all.iter().filter(|(name, shares)| met.contains(*name) && !shares.taken.is_empty());
        let more: Vec<Name> =
            more.map(|(name, _)| name.clone()).filter(|name| !given.contains(name)).collect();
        if more.is_empty() {
            break;
        }
        given.extend(more);
    }
    all.retain(|name, _| given.contains(name));
    Ok(all)
}

/// Refuses definitions that cannot be given more.
fn require_definitions(
    def: &FunctionDef,
    nested: &[Nested<'_>],
    sharing: &BTreeMap<Name, Shares>,
) -> Outcome<()> {
    let times = times_bound(&def.body);
    for one in nested {
        let met = one.met.iter().chain([&one.def.name]).filter_map(|name| sharing.get(name));
        let bound = bound_in(&one.def.body);
        let is_own = |name: &&Name| {
            !one.met.contains(*name)
                && (bound.contains(name) || one.def.params.iter().any(|param| param.name == **name))
        };
        if let Some(variable) = met.flat_map(|shares| &shares.taken).find(is_own) {
            let message =
                format!("`{}` has a `{variable}` of its own, and calls what shares that", one.def.name);
            return Err(refusal(one.span, message, "use another name for one of the two"));
        }
    }
    for one in nested.iter().filter(|one| sharing.contains_key(&one.def.name)) {
        let name = &one.def.name;
        let words = match irregular(one.def) {
            Some(words) => words,
            None if times.get(name) != Some(&1) => "a function whose name is bound more than once".to_owned(),
            None if deletes(&one.def.body, &sharing[name].taken) => "a function that deletes it".to_owned(),
            None => continue,
        };
        let variable = sharing[name].taken.first().cloned().unwrap_or_else(|| name.clone());
        let message = format!("`{name}` shares `{variable}`, which is written by `nonlocal`, and is {words}");
        return Err(refusal(
            one.span,
            message,
            "let it return what it computes, and bind that where it is called",
        ));
    }
    Ok(())
}

/// Refuses a call before the variables are bound: they could not be given.
fn require_bound(def: &FunctionDef, sharing: &BTreeMap<Name, Shares>) -> Outcome<()> {
    let taken: BTreeSet<Name> = sharing.values().flat_map(|shares| shares.taken.iter().cloned()).into_set();
    let mut bound: BTreeSet<Name> = def.params.iter().map(|param| param.name.clone()).into_set();
    for stmt in &def.body {
        let is_definition = matches!(&stmt.kind, StmtKind::FunctionDef(_));
        let meets = crate::variables::read_by(stmt).iter().any(|name| sharing.contains_key(name));
        if meets && !is_definition {
            if let Some(name) = taken.iter().find(|name| !bound.contains(*name)) {
                let message =
                    format!("`{name}` is written by `nonlocal` before the function around has bound it");
                return Err(refusal(stmt.span, message, &format!("bind it first: `{name} = 0.0`")));
            }
            break;
        }
        bound.extend(surely_bound_by(stmt));
    }
    Ok(())
}

fn has_nonlocal(stmt: &Stmt) -> bool {
    !declared_in(std::slice::from_ref(stmt)).is_empty()
}

/// The names that `nonlocal` statements have, those of functions in it included.
pub(crate) fn declared_in(body: &[Stmt]) -> BTreeSet<Name> {
    let mut declared = BTreeSet::new();
    each_stmt(body, &mut |stmt| {
        if let StmtKind::Nonlocal(names) = &stmt.kind {
            declared.extend(names.iter().cloned());
        }
        true
    });
    declared
}

/// Whether a function returns a value, not those in it.
fn gives_value(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Return(value) => value.is_some(),
        _ => blocks_of(stmt).into_iter().any(gives_value),
    })
}

/// Whether statements unbind one of these names, as `except … as name` does too.
fn deletes(body: &[Stmt], names: &BTreeSet<Name>) -> bool {
    body.iter().any(|stmt| {
        let unbinds = match &stmt.kind {
            StmtKind::Delete(targets) => targets
                .iter()
                .any(|target| matches!(&target.kind, ExprKind::Name { name, .. } if names.contains(name))),
            StmtKind::Try { handlers, .. } => {
                handlers.iter().any(|handler| handler.name.as_ref().is_some_and(|name| names.contains(name)))
            }
            StmtKind::ClassDef(_) => {
                bound_in(std::slice::from_ref(stmt)).iter().any(|name| names.contains(name))
            }
            _ => false,
        };
        unbinds || blocks_of(stmt).into_iter().any(|block| deletes(block, names))
    })
}
