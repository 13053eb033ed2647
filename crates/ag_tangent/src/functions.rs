//! Functions that a function has for itself: nested definitions and lambdas, other names for functions, and parameters
//! for which its callers are known to give functions.
//!
//! A nested function is differentiated as one of its own, to which the variables that it takes from around are given:
//!
//! ```text
//! def f(x, w):
//!     def layer(h):                   def layer_forward(h, *, w): …
//!         return h * w
//!     return layer(x)                 y, saved_y = layer_forward(x, w=w)
//! ```
//!
//! Python reads such a variable when the function is called, and so does the call. A function that goes elsewhere than
//! into calls could be called when its variables are others: it has no derivative unless it takes none from around.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ag_errors::{LineIndex, Span};
use ag_syntax::Builder;
use ag_syntax::tree::{Expr, ExprKind, FunctionDef, Name, Stmt, StmtKind};

use crate::callee::{Level, Resolver, UserFunction};
use crate::closures::Finder;
use crate::jumps::{blocks_of, falls_through};
use crate::normal::{Outcome, refusal};
use crate::object_paths::note_held;
use crate::variables::times_bound;

/// The functions that the names and lambdas of a function stand for.
#[derive(Clone, Default)]
pub(crate) struct Functions {
    pub(crate) definitions: BTreeMap<Span, Rc<Definition>>,
    pub(crate) names: BTreeMap<Name, Known>,
    /// Variables that are objects of known classes: the class, or the variable itself, as the resolver knows it.
    pub(crate) objects: BTreeMap<Name, String>,
    /// Variables that are lists or dicts: what they hold, as the resolver knows it.
    pub(crate) containers: BTreeMap<Name, String>,
    /// Those of them that are parameters: the lists and dicts of the caller.
    pub(crate) given_containers: BTreeSet<Name>,
    /// By nested function, the class of which it makes an object.
    pub(crate) gives: BTreeMap<Name, String>,
    /// Of nested functions that are not known, what they are.
    pub(crate) unknown: BTreeMap<Name, String>,
}

/// What a name stands for.
#[derive(Clone)]
pub(crate) enum Known {
    /// A nested function.
    Definition(Span),
    /// What is bound once, to another name: `act = np.tanh`.
    Other(String),
    /// A parameter, for which the callers give a function that is known.
    Given,
}

/// A nested function, with parameters for what it takes from around.
pub(crate) struct Definition {
    /// Its text.
    pub(crate) def: FunctionDef,
    /// What its calls call.
    pub(crate) function: UserFunction,
    /// What its names stand for in it.
    pub(crate) visible: Functions,
}

impl Functions {
    /// The functions of a definition, and of those in it on the way to the one that is wanted.
    ///
    /// # Arguments
    ///
    /// * `levels`: the definition itself, then the nested ones, from outside in.
    ///
    /// # Returns
    ///
    /// The innermost definition, and its functions.
    pub(crate) fn along(
        b: Builder<'_>,
        source: &str,
        mut def: FunctionDef,
        levels: &[Level],
        resolver: &dyn Resolver,
    ) -> Outcome<(FunctionDef, Self)> {
        let lines = LineIndex::new(source);
        let mut visible = Self::default();
        for (index, level) in levels.iter().enumerate() {
            if index > 0 {
                let Some(inner) = level.span.and_then(|span| visible.definitions.get(&span)).cloned() else {
                    return Err(refusal(def.name_span, "this function is not found again", ""));
                };
                def = inner.def.clone();
                visible = inner.visible.clone();
            }
            let own = def.params.iter().next().map(|param| param.name.clone());
            if level.is_constructor {
                def = crate::constructors::making(b, def)?;
            }
            def.params.keyword_only.extend(level.extra.iter().map(|name| b.param(name.as_str())));
            let times = times_bound(&def.body);
            for name in &level.given {
                if times.contains_key(name.as_str()) {
                    let message = format!("`{name}` is given a function, and is bound to something else too");
                    return Err(refusal(def.name_span, message, "use two variables"));
                }
                visible.names.insert(name.as_str().into(), Known::Given);
            }
            let is_parameter = |name: &str| def.params.iter().any(|param| &*param.name == name);
            for name in &level.objects {
                let bound = times.get(name.as_str()).copied().unwrap_or_default();
                if bound + usize::from(is_parameter(name)) == 1 {
                    visible.objects.insert(name.as_str().into(), name.clone());
                }
            }
            for name in &level.containers {
                if is_parameter(name) && !times.contains_key(name.as_str()) {
                    visible.containers.insert(name.as_str().into(), name.clone());
                    visible.given_containers.insert(name.as_str().into());
                }
            }
            if source.contains("super") {
                crate::super_calls::called_by_class(b, &mut def, own, (resolver, &visible))?;
            }
            crate::applied::called_as_written(b, &mut def, resolver);
            crate::chosen_functions::called_by_choice(b, &mut def, resolver);
            crate::nonlocals::written_by_nonlocal(b, &mut def)?;
            let given = level.objects.iter().chain(&level.containers);
            let given: Vec<Name> = given.map(|name| name.as_str().into()).collect();
            note_held(&def, &given, resolver, &mut visible);
            crate::operators::called_by_operators(b, &mut def, resolver, &visible);
            crate::view_calls::views_of_calls(b, &mut def, resolver, &visible);
            visible = Finder { b, lines: &lines, resolver, level: index, outer: visible }.find(&mut def);
        }
        Ok((def, visible))
    }

    /// Whether a name stands for a function.
    pub(crate) fn contains(&self, name: &Name) -> bool {
        self.names.contains_key(name)
    }

    /// The nested function that an expression stands for.
    pub(crate) fn nested(&self, expr: &Expr) -> Option<&UserFunction> {
        self.definition(expr).map(|found| &found.function)
    }

    /// Whether a call of a nested function gives a tuple, on each path through it.
    pub(crate) fn gives_tuple(&self, call: &Expr) -> bool {
        let ExprKind::Call { func, .. } = &call.kind else { return false };
        let Some(found) = self.definition(func) else { return false };
        let is_tuple = |value: &Expr| matches!(value.kind, ExprKind::Tuple { .. });
        !falls_through(&found.def.body) && values_returned(&found.def.body).into_iter().all(is_tuple)
    }

    pub(crate) fn definition(&self, expr: &Expr) -> Option<&Definition> {
        let span = match &expr.kind {
            ExprKind::Name { name, .. } => match self.names.get(name)? {
                Known::Definition(span) => *span,
                _ => return None,
            },
            ExprKind::Lambda { .. } => expr.span,
            _ => return None,
        };
        self.definitions.get(&span).map(|found| &**found)
    }

    /// The dotted name by which the resolver knows what a name stands for.
    pub(crate) fn outside(&self, name: &Name) -> Option<String> {
        match self.names.get(name)? {
            Known::Other(dotted) => Some(dotted.clone()),
            Known::Given => Some(name.to_string()),
            Known::Definition(_) => None,
        }
    }
}

/// The values that a function returns, not those of functions in it.
pub(crate) fn values_returned(body: &[Stmt]) -> Vec<&Expr> {
    body.iter()
        .flat_map(|stmt| match &stmt.kind {
            StmtKind::Return(value) => value.iter().collect(),
            _ => blocks_of(stmt).into_iter().flat_map(values_returned).collect::<Vec<&Expr>>(),
        })
        .collect()
}

impl Functions {
    /// Says of each definition what the names that it takes stand for in it.
    pub(crate) fn link(mut self, around: &Self) -> Self {
        let linked: Vec<(Span, Functions)> =
            self.definitions.iter().map(|(span, one)| (*span, self.seen_from(one, around))).collect();
        for (span, visible) in linked {
            if let Some(one) = self.definitions.get(&span) {
                let Definition { def, function, .. } = &**one;
                let one = Definition { def: def.clone(), function: function.clone(), visible };
                self.definitions.insert(span, Rc::new(one));
            }
        }
        self
    }

    fn seen_from(&self, one: &Definition, around: &Self) -> Self {
        let here: BTreeMap<&Name, &Name> =
            one.function.captured.iter().map(|(param, variable)| (variable, param)).collect();
        let mut seen = Self::default();
        for (variable, param) in &here {
            if let Some(path) = around.objects.get(*variable).filter(|_| variable == param) {
                seen.objects.insert((*param).clone(), path.clone());
            }
            if let Some(path) = around.containers.get(*variable).filter(|_| variable == param) {
                seen.containers.insert((*param).clone(), path.clone());
                seen.given_containers.insert((*param).clone());
            }
            let Some(known) = around.names.get(*variable) else { continue };
            if let Known::Definition(span) = known
                && let Some(other) = self.definitions.get(span)
            {
                let renamed =
                    |name: &Name| here.get(name).map_or_else(|| name.clone(), |param| (*param).clone());
                let mut function = other.function.clone();
                function.captured.iter_mut().for_each(|(_, variable)| *variable = renamed(variable));
                function.defaults.iter_mut().for_each(|(_, variable)| *variable = renamed(variable));
                let other = Definition { def: other.def.clone(), function, visible: Self::default() };
                seen.definitions.insert(*span, Rc::new(other));
            }
            seen.names.insert((*param).clone(), known.clone());
        }
        seen
    }
}
