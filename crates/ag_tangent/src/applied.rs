//! `map` and `functools.partial`, written as the calls that they make.
//!
//! ```text
//! sum(map(lambda v: v * s, xs))       sum((v * s for v in xs))
//! g = partial(f, a, k=b)              g_args = a
//! y = g(x)                            g_k = b
//!                                     y = f(g_args, x, k=g_k)
//! ```
//!
//! A `map` stands in a call or in a loop that goes over it at once. A `partial` is bound once, and called.

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::{
    Comprehension, Context, Expr, ExprKind, FunctionDef, Keyword, Name, Params, Stmt, StmtKind,
};
use ag_syntax::{Builder, FreshNames};

use crate::callee::{Callee, Resolver};
use crate::each::{each_expr, each_expr_mut, each_stmt};
use crate::match_statements::blocks_mut;
use crate::nonlocals::declared_in;
use crate::stars::is_starred;
use crate::variables::{bound_in, bound_in_comprehensions, dotted, root_of, times_bound};

/// Rewrites the calls of `map` and `partial` in a function.
pub(crate) fn called_as_written(b: Builder<'_>, def: &mut FunctionDef, resolver: &dyn Resolver) {
    let mut locals: BTreeSet<Name> = bound_in(&def.body).into_iter().collect();
    locals.extend(bound_in_comprehensions(&def.body));
    locals.extend(def.params.iter().map(|param| param.name.clone()));
    let mut calls = Calls { b, resolver, locals, fresh: None, partials: BTreeMap::new() };
    let mut is_met = false;
    each_expr(&def.body, &mut |expr| {
        if let ExprKind::Call { func, .. } = &expr.kind {
            is_met |= matches!(calls.calls(func), Some(Callee::Map | Callee::Partial));
        }
        true
    });
    if !is_met {
        return;
    }
    let whole = b.stmt(StmtKind::FunctionDef(Box::new(def.clone())));
    calls.fresh = Some(FreshNames::of(std::slice::from_ref(&whole)));
    let times = times_bound(&def.body);
    let rebound = declared_in(&def.body);
    let is_param = |name: &Name| def.params.iter().any(|param| param.name == *name);
    let is_once = |name: &&Name| {
        let count = times.get(*name).copied().unwrap_or_default() + usize::from(is_param(name));
        count == 1 && !rebound.contains(*name)
    };
    let once: BTreeSet<Name> = calls.locals.iter().filter(is_once).cloned().collect();
    let mut body = Vec::with_capacity(def.body.len());
    let all = std::mem::take(&mut def.body);
    for stmt in all.iter().cloned() {
        match calls.partial_of(&stmt).filter(|(name, ..)| times.get(name) == Some(&1)) {
            Some(partial)
                if is_only_called(&all, &partial.0) && is_kept(&partial.1, &calls.locals, &once) =>
            {
                calls.bind(&stmt, partial, &mut body);
            }
            _ => body.push(stmt),
        }
    }
    calls.rewrite(&mut body);
    def.body = body;
}

/// What a partial calls: the function, its first arguments, and those by name.
type Partial = (Name, Expr, Vec<Expr>, Vec<Keyword>);

struct Calls<'r> {
    b: Builder<'r>,
    resolver: &'r dyn Resolver,
    locals: BTreeSet<Name>,
    fresh: Option<FreshNames>,
    partials: BTreeMap<Name, (Expr, Vec<Expr>, Vec<Keyword>)>,
}

impl Calls<'_> {
    fn calls(&self, func: &Expr) -> Option<Callee> {
        let path = dotted(func)?;
        let is_outside = root_of(func).is_some_and(|root| !self.locals.contains(root));
        (is_outside && (path.ends_with("map") || path.ends_with("partial")))
            .then(|| self.resolver.named(&path))
    }

    fn fresh(&mut self, wish: &str) -> Name {
        self.fresh.as_mut().map_or_else(|| wish.into(), |fresh| fresh.fresh(wish))
    }

    /// The partial that a statement binds.
    fn partial_of(&self, stmt: &Stmt) -> Option<Partial> {
        let StmtKind::Assign { targets, value } = &stmt.kind else { return None };
        let [Expr { kind: ExprKind::Name { name, .. }, .. }] = targets.as_slice() else { return None };
        let ExprKind::Call { func, args, keywords } = &value.kind else { return None };
        let is_written = !args.iter().any(is_starred) && keywords.iter().all(|one| one.name.is_some());
        let (Some(Callee::Partial), Some((function, first)), true) =
            (self.calls(func), args.split_first(), is_written)
        else {
            return None;
        };
        dotted(function)?;
        Some((name.clone(), function.clone(), first.to_vec(), keywords.clone()))
    }

    /// Binds what a partial holds; its calls read that.
    fn bind(&mut self, stmt: &Stmt, (name, function, args, keywords): Partial, body: &mut Vec<Stmt>) {
        let b = self.b.at(stmt.span);
        let mut keep = |calls: &mut Self, wish: &str, value: Expr| {
            let kept = calls.fresh(&format!("{name}_{wish}"));
            body.push(b.assign_name(kept.clone(), value));
            b.name(kept)
        };
        let args = args.into_iter().map(|one| keep(self, "argument", one)).collect();
        let keywords = keywords
            .into_iter()
            .map(|one| {
                let wish = one.name.clone().unwrap_or_else(|| "option".into());
                let value = keep(self, &wish, one.value.clone());
                Keyword { value, ..one }
            })
            .collect();
        self.partials.insert(name, (function, args, keywords));
    }

    /// `(f(v) for v in xs)` for `map(f, xs)`.
    fn mapped(&mut self, expr: &Expr) -> Option<Expr> {
        let ExprKind::Call { func, args, keywords } = &expr.kind else { return None };
        let (function, values) = args.split_first()?;
        if !matches!(self.calls(func), Some(Callee::Map))
            || !keywords.is_empty()
            || values.iter().any(is_starred)
        {
            return None;
        }
        let b = self.b.at(expr.span);
        let (names, element): (Vec<Name>, Expr) = match &function.kind {
            ExprKind::Lambda { params, body }
                if params.iter().all(|param| param.default.is_none())
                    && params.vararg.is_none()
                    && params.kwarg.is_none()
                    && params.keyword_only.is_empty()
                    && params.iter().count() == values.len() =>
            {
                (params.iter().map(|param| param.name.clone()).collect(), (**body).clone())
            }
            _ => {
                dotted(function)?;
                let names: Vec<Name> = values.iter().map(|_| self.fresh("item")).collect();
                let given = names.iter().map(|name| b.name(name.clone()));
                let element = b.call(function.clone(), given.collect::<Vec<_>>());
                (names, element)
            }
        };
        let target = match names.as_slice() {
            [one] => b.name_store(one.clone()),
            all => b.tuple_in(all.iter().map(|one| b.name_store(one.clone())), Context::Store),
        };
        let iter = match values {
            [] => return None,
            [one] => one.clone(),
            all => b.call(b.name("zip"), all.to_vec()),
        };
        let generators = vec![Comprehension { target, iter, conditions: Vec::new(), is_async: false }];
        Some(b.expr(ExprKind::Generator { element: Box::new(element), generators }))
    }

    fn replace(&mut self, expr: &mut Expr) {
        if let Some(generator) = self.mapped(expr) {
            *expr = generator;
        }
    }
}

impl Calls<'_> {
    /// Rewrites what goes over a `map` at once, and calls of partials.
    fn rewrite(&mut self, body: &mut Vec<Stmt>) {
        self.rewrite_loops(body);
        each_expr_mut(body, &mut |expr| {
            match &mut expr.kind {
                ExprKind::Call { func, args, .. } if dotted(func).is_some() => {
                    args.iter_mut().for_each(|arg| self.replace(arg));
                }
                ExprKind::ListComp { generators, .. }
                | ExprKind::Generator { generators, .. }
                | ExprKind::DictComp { generators, .. } => {
                    generators.iter_mut().for_each(|one| self.replace(&mut one.iter));
                }
                _ => {}
            }
            if let ExprKind::Call { func, args, keywords } = &mut expr.kind
                && let ExprKind::Name { name, .. } = &func.kind
                && let Some((function, first, options)) = self.partials.get(name)
            {
                let b = self.b.at(func.span);
                let more = std::mem::take(args);
                *args = first.iter().map(|one| b.copy_expr(one)).chain(more).collect();
                // What a call gives by name is in the place of what the partial has.
                let is_given = |one: &&Keyword| !keywords.iter().any(|other| other.name == one.name);
                let kept: Vec<Keyword> = options.iter().filter(is_given).cloned().collect();
                keywords.splice(0..0, kept);
                **func = b.copy_expr(function);
            }
        });
    }

    fn rewrite_loops(&mut self, body: &mut [Stmt]) {
        for stmt in body {
            if let StmtKind::For { iter, .. } = &mut stmt.kind {
                self.replace(iter);
            }
            if let StmtKind::FunctionDef(def) = &mut stmt.kind {
                self.rewrite_loops(&mut def.body);
            }
            blocks_mut(stmt).into_iter().for_each(|block| self.rewrite_loops(block));
        }
    }
}

/// Whether what a partial is made of is the same function where the partial is called: no variable that is bound
/// anew, nor what an object holds.
fn is_kept(function: &Expr, locals: &BTreeSet<Name>, once: &BTreeSet<Name>) -> bool {
    match (&function.kind, root_of(function)) {
        (ExprKind::Name { name, .. }, _) => !locals.contains(name) || once.contains(name),
        (_, Some(root)) => !locals.contains(root),
        _ => false,
    }
}

/// Whether a variable is read where it is called, and nowhere else, and no function has one of this name.
fn is_only_called(body: &[Stmt], name: &Name) -> bool {
    let is_it = |expr: &Expr| matches!(&expr.kind, ExprKind::Name { name: one, .. } if one == name);
    let has = |params: &Params| params.iter().any(|param| param.name == *name);
    let (mut holds, mut called) = (true, Vec::new());
    each_stmt(body, &mut |stmt| {
        if let StmtKind::FunctionDef(def) = &stmt.kind {
            holds &= !has(&def.params) && !times_bound(&def.body).contains_key(name);
        }
        true
    });
    each_expr(body, &mut |expr| {
        match &expr.kind {
            ExprKind::Lambda { params, .. } => holds &= !has(params),
            ExprKind::Call { func, args, keywords } if is_it(func) => {
                holds &= !args.iter().any(is_starred) && keywords.iter().all(|one| one.name.is_some());
                called.push(func.id);
            }
            ExprKind::Name { context: Context::Load, .. } if is_it(expr) => {
                holds &= called.contains(&expr.id);
            }
            _ => {}
        }
        true
    });
    holds
}
