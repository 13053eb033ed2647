//! What variables stand for, as far as the text says: objects of known classes, lists and dicts, and what is in these.
//!
//! ```text
//! cell = Cell(w)                      Cell
//! net.cell                            net.cell
//! layers = [Layer(w), Layer(v)]       Layer.[*]       a list of them
//! for layer in layers:                Layer           an item: `[]` takes away the `[*]`
//! for layer in self.layers:           self.layers.[]
//! state = step(state)                 step.()         what a function gives
//! ```
//!
//! The resolver says what a path stands for. What is in a list and what a function gives is asked when it runs.

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::{BinaryOp, Comprehension, Expr, ExprKind, FunctionDef, Name, Stmt, StmtKind, UnaryOp};
use ag_syntax::visit::{Visitor, walk_expr, walk_stmt};

use crate::callee::{Callee, Resolver};
use crate::functions::{Functions, values_returned};
use crate::jumps::falls_through;
use crate::name_sets::IntoSet;
use crate::operators::method_of;
use crate::variables::{bound_by, bound_in, dotted, has_slice, root_of, times_bound};

/// A list of which nothing is known, and a dict.
const LIST: &str = "[*]";
const DICT: &str = "{*}";

/// Finds the paths of expressions.
pub(crate) struct Paths<'p> {
    pub(crate) resolver: &'p dyn Resolver,
    pub(crate) functions: &'p Functions,
    /// Whether a name is a variable of the function.
    pub(crate) is_local: &'p dyn Fn(&Name) -> bool,
}

impl Paths<'_> {
    /// The path of what an expression gives, if that is known to be an object, a list or a dict.
    pub(crate) fn of(&self, value: &Expr) -> Option<String> {
        let path = self.found(value)?;
        (!self.resolver.held(&path).is_empty()).then_some(path)
    }

    fn found(&self, value: &Expr) -> Option<String> {
        match &value.kind {
            ExprKind::Name { name, .. } => {
                let functions = self.functions;
                functions.objects.get(name).or_else(|| functions.containers.get(name)).cloned()
            }
            ExprKind::Attribute { value, attr, .. } => Some(format!("{}.{attr}", self.of(value)?)),
            ExprKind::Subscript { value, index, .. } if has_slice(index) => self.of(value),
            ExprKind::Subscript { value, .. } => {
                let path = self.of(value)?;
                match self.resolver.held(&path).starts_with("object") {
                    true => Some(format!("{path}.__getitem__.()")),
                    false => self.item(&path),
                }
            }
            ExprKind::List { elements, .. } => Some(self.holding(elements, LIST)),
            ExprKind::ListComp { element, .. } => Some(self.holding(std::slice::from_ref(element), LIST)),
            ExprKind::Dict(items) => {
                let values: Vec<Expr> = items.iter().map(|(_, value)| value.clone()).collect();
                Some(self.holding(&values, DICT))
            }
            ExprKind::DictComp { value, .. } => Some(self.holding(std::slice::from_ref(value), DICT)),
            ExprKind::IfExp { body, orelse, .. } => {
                let (one, other) = (self.of(body)?, self.of(orelse)?);
                (self.resolver.held(&one) == self.resolver.held(&other)).then_some(one)
            }
            ExprKind::Binary { left, op, right } => self.binary(left, *op, right),
            ExprKind::Unary { op: UnaryOp::USub, operand } => {
                self.of(operand).map(|path| format!("{path}.__neg__.()"))
            }
            ExprKind::Call { func, args, .. } => self.call(func, args),
            _ => None,
        }
    }

    fn binary(&self, left: &Expr, op: BinaryOp, right: &Expr) -> Option<String> {
        let method = method_of(op);
        match self.of(left) {
            Some(path) if self.resolver.held(&path).starts_with("object") => {
                Some(format!("{path}.{method}.()"))
            }
            Some(path) => matches!(op, BinaryOp::Add | BinaryOp::Mult)
                .then_some(path)
                .filter(|path| self.resolver.held(path).starts_with("list")),
            None => {
                let path = self.of(right).filter(|path| self.resolver.held(path).starts_with("object"))?;
                Some(format!("{path}.{}.()", method.replacen("__", "__r", 1)))
            }
        }
    }

    fn call(&self, func: &Expr, args: &[Expr]) -> Option<String> {
        if let ExprKind::Attribute { value, attr, .. } = &func.kind
            && let Some(path) = self.of(value)
        {
            return match (&**attr, self.resolver.held(&path).starts_with("object")) {
                ("_replace", true) => Some(path),
                (_, true) => Some(format!("{path}.{attr}.()")),
                ("copy", false) => Some(path),
                ("pop", false) => self.item(&path),
                _ => None,
            };
        }
        let root = root_of(func)?;
        if (self.is_local)(root) || self.functions.contains(root) {
            return self
                .functions
                .gives
                .get(root)
                .filter(|_| matches!(func.kind, ExprKind::Name { .. }))
                .cloned();
        }
        let path = dotted(func)?;
        match (path.as_str(), args) {
            ("list" | "sorted", [] | [_]) => {
                let of = args.first().and_then(|one| self.of(one));
                return Some(
                    of.filter(|of| self.resolver.held(of).starts_with("list")).unwrap_or(LIST.into()),
                );
            }
            ("dict", [] | [_]) => {
                let of = args.first().and_then(|one| self.of(one));
                return Some(
                    of.filter(|of| self.resolver.held(of).starts_with("dict")).unwrap_or(DICT.into()),
                );
            }
            _ => {}
        }
        match self.resolver.named(&path) {
            Callee::Function(function) if function.makes_object => Some(path),
            Callee::Record(_) => Some(path),
            Callee::Replace => args.first().and_then(|object| self.of(object)),
            Callee::Function(_) => Some(format!("{path}.()")),
            _ => None,
        }
    }

    /// That of a list or dict of these elements.
    fn holding(&self, elements: &[Expr], mark: &str) -> String {
        let paths: Option<Vec<String>> = elements.iter().map(|one| self.of(one)).collect();
        match paths.unwrap_or_default().split_first() {
            Some((first, rest))
                if rest.iter().all(|one| self.resolver.held(one) == self.resolver.held(first)) =>
            {
                format!("{first}.{mark}")
            }
            _ => mark.to_owned(),
        }
    }

    /// That of an item of a list or a dict.
    fn item(&self, path: &str) -> Option<String> {
        if path == LIST || path == DICT {
            return None;
        }
        let inner = path.strip_suffix(".[*]").or_else(|| path.strip_suffix(".{*}"));
        match inner {
            Some(inner) => Some(inner.to_owned()),
            None if self.resolver.held(path).starts_with("object") => None,
            None => Some(format!("{path}.[]")),
        }
    }

    /// That of what an iteration gives.
    fn iterated(&self, iter: &Expr) -> Option<String> {
        match &iter.kind {
            ExprKind::Call { func, args, .. } => match (&func.kind, args.as_slice()) {
                (ExprKind::Name { name, .. }, [values])
                    if matches!(&**name, "reversed" | "list" | "sorted" | "tuple")
                        && !(self.is_local)(name) =>
                {
                    self.iterated(values)
                }
                (ExprKind::Attribute { value, attr, .. }, []) if &**attr == "values" => {
                    self.of(value).and_then(|path| self.item(&path))
                }
                _ => self.list_item(iter),
            },
            ExprKind::Tuple { elements, .. } => self.item(&self.holding(elements, LIST)),
            _ => self.list_item(iter),
        }
    }

    /// Of a dict, an iteration gives the keys.
    fn list_item(&self, iter: &Expr) -> Option<String> {
        let path = self.of(iter).filter(|path| self.resolver.held(path).starts_with("list"))?;
        self.item(&path)
    }
}

/// What a variable is bound to.
#[derive(Clone, Copy)]
enum Source<'t> {
    Value(&'t Expr),
    /// What an iteration over this gives.
    Item(&'t Expr),
    /// A value of this dict.
    Of(&'t Expr),
    /// `xs += ys`: a list stays what it is, and an object is what its method gives.
    Grown(BinaryOp, &'t Expr),
    Other,
}

/// What each variable is bound to, and what is put into it.
#[derive(Default)]
struct Bindings<'t> {
    sources: BTreeMap<Name, Vec<Source<'t>>>,
    put: BTreeMap<Name, Vec<&'t Expr>>,
}

impl<'t> Bindings<'t> {
    fn bind(&mut self, target: &'t Expr, source: Source<'t>) {
        match (&target.kind, source) {
            (ExprKind::Name { name, .. }, _) => self.sources.entry(name.clone()).or_default().push(source),
            (ExprKind::Subscript { value, .. }, Source::Value(item)) => {
                if let ExprKind::Name { name, .. } = &value.kind {
                    self.put.entry(name.clone()).or_default().push(item);
                }
            }
            (ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. }, _) => {
                let parts = parts_of(source, elements.len());
                for (index, element) in elements.iter().enumerate() {
                    self.bind(element, parts.get(index).copied().unwrap_or(Source::Other));
                }
            }
            (ExprKind::Starred { value, .. }, _) => self.bind(value, Source::Other),
            _ => {}
        }
    }

    fn generators(&mut self, generators: &'t [Comprehension]) {
        generators.iter().for_each(|one| self.bind(&one.target, Source::Item(&one.iter)));
    }
}

/// What the parts of a target are bound to: `a, b = x, y`, `for i, a in enumerate(xs)`, `for k, a in d.items()`.
fn parts_of(source: Source<'_>, count: usize) -> Vec<Source<'_>> {
    let iter = match source {
        Source::Value(value) => {
            return match &value.kind {
                ExprKind::Tuple { elements, .. } if elements.len() == count => {
                    elements.iter().map(Source::Value).collect()
                }
                _ => Vec::new(),
            };
        }
        Source::Item(iter) => iter,
        _ => return Vec::new(),
    };
    let ExprKind::Call { func, args, .. } = &iter.kind else { return Vec::new() };
    match &func.kind {
        ExprKind::Name { name, .. } if &**name == "enumerate" => {
            args.first().map_or_else(Vec::new, |values| vec![Source::Other, Source::Item(values)])
        }
        ExprKind::Name { name, .. } if &**name == "zip" => args.iter().map(Source::Item).collect(),
        ExprKind::Attribute { value, attr, .. } if &**attr == "items" => {
            vec![Source::Other, Source::Of(value)]
        }
        _ => Vec::new(),
    }
}

impl<'t> Visitor<'t> for Bindings<'t> {
    fn visit_stmt(&mut self, stmt: &'t Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|target| self.bind(target, Source::Value(value)));
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => self.bind(target, Source::Value(value)),
            StmtKind::AugAssign { target, op, value } => self.bind(target, Source::Grown(*op, value)),
            StmtKind::For { target, iter, .. } => self.bind(target, Source::Item(iter)),
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {
                for name in bound_by(stmt) {
                    self.sources.entry(name).or_default().push(Source::Other);
                }
                return;
            }
            StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::Expr(_) | StmtKind::Return(_) => {}
            // What they bind besides is bound by the statements in them, and means nothing for these.
            _ => {
                let inner: Vec<Name> = crate::jumps::blocks_of(stmt).into_iter().flat_map(bound_in).collect();
                for name in bound_by(stmt).into_iter().filter(|name| !inner.contains(name)) {
                    self.sources.entry(name).or_default().push(Source::Other);
                }
            }
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Lambda { .. } => return,
            ExprKind::Named { target, value } => self.bind(target, Source::Value(value)),
            ExprKind::ListComp { generators, .. }
            | ExprKind::SetComp { generators, .. }
            | ExprKind::DictComp { generators, .. }
            | ExprKind::Generator { generators, .. } => self.generators(generators),
            ExprKind::Call { func, args, .. } => {
                if let (ExprKind::Attribute { value, attr, .. }, Some(item)) = (&func.kind, args.last())
                    && matches!(&**attr, "append" | "insert" | "setdefault")
                    && let ExprKind::Name { name, .. } = &value.kind
                {
                    self.put.entry(name.clone()).or_default().push(item);
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// Notes which variables of a definition are objects, lists or dicts, wherever they are bound.
///
/// # Arguments
///
/// * `given`: the parameters of which the resolver knows this.
pub(crate) fn note_held(
    def: &FunctionDef,
    given: &[Name],
    resolver: &dyn Resolver,
    functions: &mut Functions,
) {
    let mut bindings = Bindings::default();
    bindings.visit_body(&def.body);
    if !may_hold(&bindings) && given.is_empty() && functions.objects.is_empty() {
        return;
    }
    let parameters: BTreeSet<&Name> = def.params.iter().map(|param| &param.name).collect();
    let mut locals: BTreeSet<Name> = bound_in(&def.body).into_iter().into_set();
    locals.extend(parameters.iter().map(|name| (*name).clone()));
    locals.extend(bindings.sources.keys().cloned());
    note_given(&def.body, (resolver, &locals), functions);
    let mut held = Held { resolver, locals, bindings, known: BTreeMap::new(), out: BTreeSet::new() };
    for name in parameters {
        match given.contains(name) {
            true => held.known.insert(name.clone(), name.to_string()),
            false => held.out.insert(name.clone()).then(String::new),
        };
    }
    // What generated code says of its variables holds wherever they are bound.
    for name in given.iter().filter(|name| !def.params.iter().any(|param| param.name == **name)) {
        held.bindings.sources.remove(name);
        let path = name.to_string();
        let is_object = resolver.held(&path).starts_with("object");
        let names = if is_object { &mut functions.objects } else { &mut functions.containers };
        names.insert(name.clone(), path);
    }
    held.find(functions);
    for (name, path) in held.known {
        let what = resolver.held(&path);
        if held.bindings.sources.contains_key(&name) && what.starts_with("object") {
            functions.objects.insert(name, path);
        } else if held.bindings.sources.contains_key(&name) && !what.is_empty() {
            functions.given_containers.remove(&name);
            functions.containers.insert(name, path);
        }
    }
}

/// Notes which nested functions make an object of a class, wherever they return.
fn note_given(
    body: &[Stmt],
    (resolver, locals): (&dyn Resolver, &BTreeSet<Name>),
    functions: &mut Functions,
) {
    let times = times_bound(body);
    for stmt in body {
        let StmtKind::FunctionDef(def) = &stmt.kind else { continue };
        if times.get(&def.name) != Some(&1) || falls_through(&def.body) {
            continue;
        }
        let mut inner: BTreeSet<Name> = bound_in(&def.body).into_iter().into_set();
        inner.extend(def.params.iter().map(|param| param.name.clone()));
        let made = |value: &Expr| {
            let ExprKind::Call { func, .. } = &value.kind else { return None };
            let path = dotted(func)?;
            root_of(func).filter(|root| !(inner.contains(*root) || locals.contains(*root)))?;
            let callee = resolver.named(&path);
            let is_made = matches!(&callee, Callee::Function(function) if function.makes_object)
                || matches!(callee, Callee::Record(_));
            is_made.then_some(path)
        };
        let paths: Option<Vec<String>> = values_returned(&def.body).into_iter().map(made).collect();
        if let Some((first, rest)) = paths.unwrap_or_default().split_first()
            && rest.iter().all(|one| one == first)
        {
            functions.gives.insert(def.name.clone(), first.clone());
        }
    }
}

/// Whether there is anything to find.
fn may_hold(bindings: &Bindings<'_>) -> bool {
    bindings.sources.values().flatten().any(|source| match source {
        Source::Value(value) => matches!(
            value.kind,
            ExprKind::List { .. }
                | ExprKind::ListComp { .. }
                | ExprKind::Dict(_)
                | ExprKind::DictComp { .. }
                | ExprKind::Call { .. }
                | ExprKind::Binary { .. }
        ),
        _ => false,
    })
}

struct Held<'r, 't> {
    resolver: &'r dyn Resolver,
    locals: BTreeSet<Name>,
    bindings: Bindings<'t>,
    known: BTreeMap<Name, String>,
    /// Those of which it is known that they are something else.
    out: BTreeSet<Name>,
}

impl Held<'_, '_> {
    /// First each variable is what one of its bindings says, and then not if another says something else.
    fn find(&mut self, functions: &Functions) {
        let mut all = functions.clone();
        let names: Vec<Name> = self.bindings.sources.keys().cloned().collect();
        loop {
            let mut is_new = false;
            for name in &names {
                if self.out.contains(name) {
                    continue;
                }
                let path = self.paths(&all, name).into_iter().flatten().flatten().next();
                let path = path.map(|path| self.with_items(&all, name, path));
                if path.is_some() && path != self.known.get(name).cloned() && !self.known.contains_key(name)
                    || path.as_ref().is_some_and(|path| self.is_better(name, path))
                {
                    let path = path.unwrap_or_default();
                    self.note(&mut all, name, Some(path));
                    is_new = true;
                }
            }
            if !is_new {
                break;
            }
        }
        loop {
            let wrong =
                names.iter().find(|name| self.known.contains_key(*name) && !self.is_always(&all, name));
            let Some(name) = wrong.cloned() else { break };
            self.out.insert(name.clone());
            self.note(&mut all, &name, None);
        }
    }

    /// Whether a path says what is in a list of which only that it is one is known.
    fn is_better(&self, name: &Name, path: &str) -> bool {
        self.known.get(name).is_some_and(|known| matches!(known.as_str(), LIST | DICT) && known != path)
    }

    fn note(&mut self, all: &mut Functions, name: &Name, path: Option<String>) {
        all.objects.remove(name);
        all.containers.remove(name);
        self.known.remove(name);
        if let Some(path) = path {
            let is_object = self.resolver.held(&path).starts_with("object");
            let names = if is_object { &mut all.objects } else { &mut all.containers };
            names.insert(name.clone(), path.clone());
            self.known.insert(name.clone(), path);
        }
    }

    /// For each binding of a variable its path: none for `xs += ys`.
    fn paths(&self, all: &Functions, name: &Name) -> Vec<Option<Option<String>>> {
        let is_local = |name: &Name| self.locals.contains(name);
        let paths = Paths { resolver: self.resolver, functions: all, is_local: &is_local };
        let of = |source: &Source<'_>| match source {
            Source::Value(value) => Some(paths.of(value)),
            Source::Item(iter) => Some(paths.iterated(iter)),
            Source::Of(dict) => Some(paths.of(dict).and_then(|path| paths.item(&path))),
            Source::Grown(op, right) => match all.objects.get(name) {
                Some(path) if !method_of(*op).is_empty() && paths.of(right).is_some() => {
                    Some(Some(format!("{path}.{}.()", method_of(*op))))
                }
                _ => None,
            },
            Source::Other => Some(None),
        };
        self.bindings.sources[name].iter().map(of).collect()
    }

    /// A list or dict that begins empty holds what is put into it.
    fn with_items(&self, all: &Functions, name: &Name, path: String) -> String {
        let is_local = |name: &Name| self.locals.contains(name);
        let paths = Paths { resolver: self.resolver, functions: all, is_local: &is_local };
        let put = self.bindings.put.get(name).into_iter().flatten();
        let first = || put.clone().find_map(|item| paths.of(item));
        match path.as_str() {
            LIST | DICT => first().map_or(path.clone(), |item| format!("{item}.{path}")),
            _ => path,
        }
    }

    fn is_always(&self, all: &Functions, name: &Name) -> bool {
        let known = self.resolver.held(&self.known[name]);
        let kind = known.split(':').next().unwrap_or_default().to_owned();
        self.paths(all, name).into_iter().all(|path| match path {
            None => kind == "list",
            Some(None) => false,
            Some(Some(path)) => {
                let other = self.resolver.held(&path);
                // What is in a list is asked where it is read.
                if kind == "object" { other == known } else { other.split(':').next() == Some(kind.as_str()) }
            }
        })
    }
}
