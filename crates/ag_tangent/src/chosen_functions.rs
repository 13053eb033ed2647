//! Functions that are chosen when the program runs: a call of what a variable holds is that of one of the functions that
//! it may hold.
//!
//! ```text
//! f = np.sin if x > 0 else np.cos         f = np.sin if x > 0 else np.cos
//! y = f(x)                                y = np.sin(x) if f is np.sin else np.cos(x)
//! ```
//!
//! So it is for the items of lists, tuples and dicts of functions that are bound once and only read by item:
//! `fs[i](x)`, `for f in fs`.

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::Builder;
use ag_syntax::tree::{CompareOp, Context, Expr, ExprKind, FunctionDef, Name, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, VisitorMut, walk_expr, walk_stmt};

use crate::callee::{Callee, Resolver};
use crate::each::each_inner;
use crate::flatten::is_simple;
use crate::name_sets::IntoSet;
use crate::nonlocals::declared_in;
use crate::variables::{bound_in_comprehensions, dotted, root_of, times_bound};

/// The functions that variables may hold, or that lists and dicts hold.
#[derive(Default)]
struct Chosen {
    functions: BTreeMap<Name, Vec<Expr>>,
    /// How often each is bound in this way.
    times: BTreeMap<Name, usize>,
    containers: BTreeMap<Name, Vec<Expr>>,
}

/// Writes calls of variables that hold one of several functions as calls of these.
pub(crate) fn called_by_choice(b: Builder<'_>, def: &mut FunctionDef, resolver: &dyn Resolver) {
    let times = times_bound(&def.body);
    let inner = bound_in_comprehensions(&def.body).into_iter().into_set();
    let mut locals: BTreeSet<Name> = times.keys().cloned().into_set();
    locals.extend(inner.iter().cloned());
    locals.extend(def.params.iter().map(|param| param.name.clone()));
    let mut finder = Finder { resolver, locals: &locals, chosen: Chosen::default(), dicts: BTreeSet::new() };
    finder.visit_body(&def.body);
    let mut chosen = finder.chosen;
    // A function in it may bind one by `nonlocal`.
    let shared = declared_in(&def.body);
    let is_parameter =
        |name: &Name| shared.contains(name) || def.params.iter().any(|param| param.name == *name);
    chosen.containers.retain(|name, _| times.get(name) == Some(&1) && !is_parameter(name));
    let mut reads = Reads { containers: &chosen.containers, others: BTreeSet::new() };
    reads.visit_body(&def.body);
    let others = reads.others;
    chosen.containers.retain(|name, _| !others.contains(name));
    // `for f in fs` of a list that is something else too.
    let of_lists = std::mem::take(&mut chosen.functions);
    for (name, found) in of_lists {
        let bound = chosen.times.get(&name).copied().unwrap_or_default();
        let is_known = times.get(&name) == Some(&bound) && !is_parameter(&name) && !inner.contains(&name);
        let mut all: Vec<Expr> = Vec::new();
        let mut is_whole = true;
        for one in found {
            match &one.kind {
                ExprKind::Name { name, .. } if locals.contains(name) => match chosen.containers.get(name) {
                    Some(items) => all.extend(items.iter().cloned()),
                    None => is_whole = false,
                },
                _ => all.push(one),
            }
        }
        if is_known && is_whole {
            chosen.functions.insert(name, all);
        }
    }
    // What is bound once, to one function, is known.
    chosen.functions.retain(|name, found| distinct(found).len() > 1 || times.get(name) != Some(&1));
    if !(chosen.functions.is_empty() && chosen.containers.is_empty()) {
        Calls { b, chosen: &chosen }.visit_body(&mut def.body);
    }
}

fn distinct(found: &[Expr]) -> Vec<Expr> {
    let mut all: Vec<Expr> = Vec::new();
    for one in found {
        if !all.iter().any(|other| dotted(other) == dotted(one)) {
            all.push(one.clone());
        }
    }
    all
}

struct Finder<'f> {
    resolver: &'f dyn Resolver,
    locals: &'f BTreeSet<Name>,
    chosen: Chosen,
    dicts: BTreeSet<Name>,
}

impl Finder<'_> {
    /// The functions that an expression may be: `np.sin`, `np.sin if t else np.cos`.
    fn functions_of(&self, value: &Expr) -> Option<Vec<Expr>> {
        match &value.kind {
            ExprKind::IfExp { body, orelse, .. } => {
                let mut all = self.functions_of(body)?;
                all.extend(self.functions_of(orelse)?);
                Some(all)
            }
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                let path = dotted(value)?;
                let is_ours = root_of(value).is_some_and(|root| self.locals.contains(root));
                let is_function = !is_ours
                    && match self.resolver.named(&path) {
                        Callee::Function(function) => !function.makes_object,
                        Callee::Primitive { .. } | Callee::NonDifferentiable => true,
                        _ => false,
                    };
                is_function.then(|| vec![value.clone()])
            }
            _ => None,
        }
    }

    fn items_of(&self, value: &Expr) -> Option<Vec<Expr>> {
        let items: Vec<&Expr> = match &value.kind {
            ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => elements.iter().collect(),
            ExprKind::Dict(items) if items.iter().all(|(key, _)| key.is_some()) => {
                items.iter().map(|(_, value)| value).collect()
            }
            _ => return None,
        };
        let mut all = Vec::new();
        for item in items {
            all.extend(self.functions_of(item)?);
        }
        (!all.is_empty()).then_some(all)
    }

    fn note(&mut self, name: &Name, found: Vec<Expr>) {
        *self.chosen.times.entry(name.clone()).or_default() += 1;
        self.chosen.functions.entry(name.clone()).or_default().extend(found);
    }
}

impl<'a> Visitor<'a> for Finder<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => return,
            StmtKind::Assign { targets, value } => {
                if let [Expr { kind: ExprKind::Name { name, .. }, .. }] = targets.as_slice() {
                    if let Some(found) = self.functions_of(value) {
                        self.note(name, found);
                    } else if let Some(items) = self.items_of(value) {
                        if matches!(value.kind, ExprKind::Dict(_)) {
                            self.dicts.insert(name.clone());
                        }
                        self.chosen.containers.insert(name.clone(), items);
                    } else if let ExprKind::Subscript { value, .. } = &value.kind
                        && matches!(value.kind, ExprKind::Name { .. })
                    {
                        self.note(name, vec![(**value).clone()]);
                    }
                }
            }
            StmtKind::For { target, iter, is_async: false, .. } => {
                if let ExprKind::Name { name, .. } = &target.kind {
                    match &iter.kind {
                        // The items of a dict are its keys.
                        ExprKind::Name { name: items, .. } if !self.dicts.contains(items) => {
                            self.note(name, vec![iter.clone()]);
                        }
                        ExprKind::Dict(_) => {}
                        _ => {
                            if let Some(items) = self.items_of(iter) {
                                self.note(name, items);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }
}

/// Finds lists and dicts of functions that are used otherwise than read by item, or gone over.
struct Reads<'c> {
    containers: &'c BTreeMap<Name, Vec<Expr>>,
    others: BTreeSet<Name>,
}

impl<'a> Visitor<'a> for Reads<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let StmtKind::For { target, iter, body, orelse, .. } = &stmt.kind
            && matches!(&iter.kind, ExprKind::Name { name, .. } if self.containers.contains_key(name))
        {
            self.visit_expr(target);
            self.visit_body(body);
            self.visit_body(orelse);
            return;
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Subscript { value, index, context: Context::Load }
                if matches!(value.kind, ExprKind::Name { .. }) =>
            {
                self.visit_expr(index);
            }
            ExprKind::Call { func, args, .. }
                if matches!(&func.kind, ExprKind::Name { name, .. } if &**name == "len")
                    && matches!(args.as_slice(), [Expr { kind: ExprKind::Name { .. }, .. }]) => {}
            ExprKind::Name { name, context: Context::Load } => {
                self.others.insert(name.clone());
            }
            _ => walk_expr(self, expr),
        }
    }
}

struct Calls<'a, 'c> {
    b: Builder<'a>,
    chosen: &'c Chosen,
}

impl Calls<'_, '_> {
    /// The functions that a call may call.
    fn candidates(&self, func: &Expr) -> Option<Vec<Expr>> {
        let found = match &func.kind {
            ExprKind::Name { name, .. } => self.chosen.functions.get(name)?,
            ExprKind::Subscript { value, index, .. } if is_simple(index) => match &value.kind {
                ExprKind::Name { name, .. } => self.chosen.containers.get(name)?,
                _ => return None,
            },
            _ => return None,
        };
        Some(distinct(found))
    }
}

impl VisitorMut for Calls<'_, '_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        if !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_)) {
            ag_syntax::visit::mutable::walk_stmt(self, stmt);
        }
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        if matches!(expr.kind, ExprKind::Lambda { .. }) {
            return;
        }
        ag_syntax::visit::mutable::walk_expr(self, expr);
        let b = self.b.at(expr.span);
        let ExprKind::Call { func, args, keywords } = &expr.kind else { return };
        let Some(candidates) = self.candidates(func) else { return };
        // A lambda is known by its place, and would stand in several.
        let given = args.iter().chain(keywords.iter().map(|keyword| &keyword.value));
        if given.into_iter().any(has_lambda) {
            return;
        }
        let mut calls = candidates.into_iter().rev().map(|one| {
            let mut call = b.copy_expr(expr);
            if let ExprKind::Call { func, .. } = &mut call.kind {
                **func = b.copy_expr(&one);
            }
            (one, call)
        });
        let Some((_, last)) = calls.next() else { return };
        let whole = calls.fold(last, |orelse, (one, call)| {
            b.if_exp(b.compare(b.copy_expr(func), CompareOp::Is, one), call, orelse)
        });
        *expr = whole;
    }
}

fn has_lambda(value: &Expr) -> bool {
    let mut has_lambda = false;
    each_inner(value, &mut |expr| {
        has_lambda |= matches!(expr.kind, ExprKind::Lambda { .. } | ExprKind::Named { .. });
        true
    });
    has_lambda
}
