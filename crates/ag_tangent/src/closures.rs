//! Finds the functions that are defined in another: what they take from around, and whether all their uses are known.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ag_analysis::{Resolution, ScopeId, Scopes};
use ag_errors::{LineIndex, Span};
use ag_syntax::tree::{ExprKind, FunctionDef, Name, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, VisitorMut};
use ag_syntax::{Builder, FreshNames};

use crate::callee::{Callee, Parameters, Resolver};
use crate::definitions::{Candidate, Defaults, Search, Uses, parameters_of};
use crate::each::each_shallow;
use crate::functions::{Definition, Functions, Known};
use crate::variables::times_bound;

/// Finds the functions of one definition.
pub(crate) struct Finder<'a, 'f> {
    pub(crate) b: Builder<'a>,
    /// The lines of the file.
    pub(crate) lines: &'f LineIndex,
    pub(crate) resolver: &'f dyn Resolver,
    /// How many definitions are around.
    pub(crate) level: usize,
    /// What is known from around.
    pub(crate) outer: Functions,
}

impl Finder<'_, '_> {
    /// The functions of a definition, whose computed defaults get variables.
    pub(crate) fn find(self, def: &mut FunctionDef) -> Functions {
        let kept = self.keep_defaults(def);
        let whole = self.b.stmt(StmtKind::FunctionDef(Box::new(def.clone())));
        let scopes = Scopes::of(std::slice::from_ref(&whole));
        let Some(own) = scopes.of_node(whole.id) else { return self.outer };
        let times = times_bound(&def.body);
        let is_parameter = |name: &Name| def.params.iter().any(|param| param.name == *name);
        let is_bound_once = |name: &Name| times.get(name) == Some(&1) && !is_parameter(name);
        let mut search = Search { b: self.b, scopes: &scopes, found: Vec::new(), others: Vec::new() };
        search.visit_body(&def.body);
        let Search { found, others, .. } = search;
        let (mut candidates, rebound): (Vec<Candidate>, Vec<Candidate>) =
            found.into_iter().partition(|one| one.name.as_ref().is_none_or(&is_bound_once));
        let rebound: Vec<Name> = rebound.into_iter().filter_map(|one| one.name).collect();
        for one in &mut candidates {
            one.defaults = kept.get(&one.span).cloned().unwrap_or_default();
        }
        let mut names = self.outer.names.clone();
        names
            .retain(|name, _| matches!(scopes.resolve_name(own, name), Resolution::Local | Resolution::Cell));
        let mut objects = self.outer.objects.clone();
        for (name, path, is_called) in &others {
            let is_own = path.split('.').next().is_some_and(|root| {
                matches!(scopes.resolve_name(own, root), Resolution::Local | Resolution::Cell)
            });
            if !is_bound_once(name) || is_own {
                continue;
            }
            match self.resolver.named(path) {
                Callee::Function(function) if *is_called && function.makes_object => {
                    objects.insert(name.clone(), path.clone());
                }
                found if !is_called && is_callable(&found) => {
                    names.insert(name.clone(), Known::Other(path.clone()));
                }
                _ => {}
            }
        }
        // `cell = net.cell`, wherever it is bound.
        for (name, path, is_called) in &others {
            let same = others.iter().filter(|(one, other, called)| one == name && other == path && !called);
            if *is_called || is_parameter(name) || times.get(name) != Some(&same.count()) {
                continue;
            }
            let (root, rest) = path.split_at(path.find('.').unwrap_or(path.len()));
            if let Some(known) = objects.get(root) {
                let path = format!("{known}{rest}");
                if !self.resolver.class_name(&path).is_empty() {
                    objects.insert(name.clone(), path);
                }
            }
        }
        let mut functions = self.known(&scopes, own, &candidates, (names, &objects), &def.body);
        let words = "a function whose name is bound more than once";
        functions.unknown.extend(rebound.into_iter().map(|name| (name, words.to_owned())));
        functions
    }

    /// Keeps defaults that are computed in variables: `def g(a, k=k * 2)` evaluates them once.
    fn keep_defaults(&self, def: &mut FunctionDef) -> BTreeMap<Span, Vec<(Name, Name)>> {
        let fresh = FreshNames::of_function(def);
        let mut defaults = Defaults { b: self.b, fresh, kept: BTreeMap::new() };
        defaults.visit_body(&mut def.body);
        defaults.kept
    }

    /// What the candidates take from around, and which of them are known.
    fn known(
        self,
        scopes: &Scopes,
        own: ScopeId,
        candidates: &[Candidate],
        (mut names, objects): (BTreeMap<Name, Known>, &BTreeMap<Name, String>),
        body: &[Stmt],
    ) -> Functions {
        let written = scopes.captures(own).written;
        let mut unknown: BTreeMap<usize, String> = BTreeMap::new();
        for (index, one) in candidates.iter().enumerate() {
            if let Some(words) = irregular(&one.def).or_else(|| writes(scopes, own, one, &written)) {
                unknown.insert(index, words);
            }
        }
        let mut taken = self.taken(scopes, own, candidates, &names);
        loop {
            let spans: BTreeSet<Span> = candidates
                .iter()
                .enumerate()
                .filter(|(index, _)| !unknown.contains_key(index))
                .map(|(_, one)| one.span)
                .collect();
            let mut uses = Uses { spans: &spans, names: BTreeSet::new(), lambdas: BTreeSet::new() };
            uses.visit_body(body);
            let escapes = |one: &Candidate| match &one.name {
                Some(name) => uses.names.contains(name),
                None => uses.lambdas.contains(&one.span),
            };
            let before = unknown.len();
            for (index, one) in candidates.iter().enumerate() {
                if unknown.contains_key(&index) {
                    continue;
                }
                // What takes a function that is not known is not known.
                let takes_unknown = unknown.keys().find_map(|other| {
                    candidates[*other].name.as_ref().filter(|name| taken[index].contains(*name))
                });
                if let Some(name) = takes_unknown {
                    unknown
                        .insert(index, format!("a function that reads `{name}`, which is not known either"));
                } else if let Some(name) = taken[index].first()
                    && escapes(one)
                {
                    unknown.insert(
                        index,
                        format!("a function that reads `{name}` from around, and is not only called or given to calls"),
                    );
                }
            }
            if unknown.len() == before {
                break;
            }
        }
        let mut words = BTreeMap::new();
        for (index, one) in candidates.iter().enumerate() {
            match (&one.name, unknown.get(&index)) {
                (Some(name), Some(what)) => {
                    words.insert(name.clone(), what.clone());
                }
                (Some(name), None) => {
                    names.insert(name.clone(), Known::Definition(one.span));
                }
                (None, _) => {}
            }
            if unknown.contains_key(&index) {
                taken[index].clear();
            }
        }
        let mut all = Functions {
            definitions: self.outer.definitions.clone(),
            names,
            objects: objects.clone(),
            containers: self.outer.containers.clone(),
            given_containers: self.outer.given_containers.clone(),
            gives: self.outer.gives.clone(),
            unknown: words,
        };
        let plain = all.clone();
        for (index, one) in candidates.iter().enumerate().filter(|(index, _)| !unknown.contains_key(index)) {
            all.definitions.insert(one.span, self.definition(scopes, one, &taken[index]));
        }
        all.link(&plain)
    }

    /// For each candidate, the variables of the function around that it takes, and those that what it calls takes.
    fn taken(
        &self,
        scopes: &Scopes,
        own: ScopeId,
        candidates: &[Candidate],
        names: &BTreeMap<Name, Known>,
    ) -> Vec<BTreeSet<Name>> {
        let mut taken: Vec<BTreeSet<Name>> = candidates
            .iter()
            .map(|one| {
                let free = scopes.free_variables(one.scope).into_iter();
                free.filter(|name| scopes.resolve_name(one.scope, name) == Resolution::Free(own)).collect()
            })
            .collect();
        for names_taken in &mut taken {
            // What a function from further out takes.
            for name in names_taken.clone() {
                if let Some(Known::Definition(span)) = names.get(&name)
                    && let Some(outer) = self.outer.definitions.get(span)
                {
                    names_taken.extend(outer.function.captured.iter().map(|(_, variable)| variable.clone()));
                }
            }
        }
        loop {
            let before = taken.clone();
            for index in 0..taken.len() {
                for (other, one) in candidates.iter().enumerate() {
                    if one.name.as_ref().is_some_and(|name| before[index].contains(name)) {
                        let more = before[other].clone();
                        taken[index].extend(more);
                        taken[index].extend(one.defaults.iter().map(|(_, kept)| kept.clone()));
                    }
                }
            }
            if taken == before {
                return taken;
            }
        }
    }

    /// The function with a parameter for each variable that it takes.
    fn definition(&self, scopes: &Scopes, one: &Candidate, taken: &BTreeSet<Name>) -> Rc<Definition> {
        let mut def = one.def.clone();
        let mut parameters = Parameters::of(&def.params);
        let mut fresh = FreshNames::of_function(&def);
        let is_own = |name: &Name| {
            matches!(scopes.resolve_name(one.scope, name), Resolution::Local | Resolution::Cell)
        };
        let mut captured: Vec<(Name, Name)> = Vec::new();
        for variable in taken {
            let param = if is_own(variable) { fresh.fresh(variable) } else { variable.clone() };
            captured.push((param, variable.clone()));
        }
        for (param, _) in &captured {
            parameters.names.push(param.to_string());
            def.params.keyword_only.push(self.b.param(param.clone()));
        }
        // A default that is kept is given by each call that does not give the argument.
        for param in parameters_of(&mut def.params) {
            if one.defaults.iter().any(|(name, _)| *name == param.name) {
                param.default = None;
            }
        }
        let line = self.lines.line_column(one.span.start).line;
        let mut function = self.resolver.nested(self.level, &def.name, one.span, line);
        function.parameters = Some(parameters);
        function.captured = captured;
        function.defaults.clone_from(&one.defaults);
        Rc::new(Definition { def, function, visible: Functions::default() })
    }
}

/// What a definition is that is no ordinary function.
pub(crate) fn irregular(def: &FunctionDef) -> Option<String> {
    let mut yields = false;
    let is_inner = |stmt: &Stmt| matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_));
    each_shallow(&def.body, &|stmt| !is_inner(stmt), &mut |expr| {
        yields |= matches!(expr.kind, ExprKind::Yield(_) | ExprKind::YieldFrom(_) | ExprKind::Await(_));
        !matches!(expr.kind, ExprKind::Lambda { .. })
    });
    let words = match def {
        _ if !def.decorators.is_empty() => "a function with decorators",
        _ if def.is_async => "an `async` function",
        _ if yields => "a generator",
        _ => return None,
    };
    Some(words.to_owned())
}

/// What a function is of which a variable around is written by `nonlocal`, or is one of a comprehension.
fn writes(scopes: &Scopes, own: ScopeId, one: &Candidate, written: &[Name]) -> Option<String> {
    scopes.free_variables(one.scope).iter().find_map(|name| match scopes.resolve_name(one.scope, name) {
        Resolution::Free(owner) if owner != own => {
            Some(format!("a function that reads `{name}`, the variable of a comprehension"))
        }
        Resolution::Free(_) if written.contains(name) => {
            Some(format!("a function that shares `{name}`, which is written by `nonlocal`"))
        }
        _ => None,
    })
}

fn is_callable(callee: &Callee) -> bool {
    matches!(callee, Callee::Function(_) | Callee::Primitive { .. } | Callee::NonDifferentiable)
}
