//! Activity: which variables depend on what is differentiated with respect to, and reach the result.
//!
//! Both directions matter (*varied* and *useful*): a derivative is computed of what is both. The analysis goes by
//! the names of one function; where two names may be one array that is written, what holds for one holds for the
//! other.

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::{Expr, ExprKind, Keyword, Name, Stmt, StmtKind, WithItem};
use ag_syntax::visit::{Visitor, walk_expr, walk_stmt};

use crate::aliases::{Writes, changed_by_method};
use crate::callee::Callee;
use crate::name_sets::IntoSet;
use crate::nonlocals::declared_in;
use crate::sources::Surroundings;
use crate::variables::{captured_by, root_of};

/// The methods by which a program puts values into a list.
pub(crate) const INSERTING: [&str; 3] = ["append", "extend", "insert"];

/// The active variables of a function.
///
/// # Arguments
///
/// * `wrt`: the parameters that are differentiated with respect to.
/// * `result`: the name that stands for what the function returns.
pub(crate) fn active_variables(
    body: &[Stmt],
    around: &Surroundings<'_>,
    wrt: &[Name],
    result: &Name,
) -> BTreeSet<Name> {
    let mut flow = Flow {
        around,
        result,
        written: writes_of(body, around),
        to: BTreeMap::new(),
        shares: Vec::new(),
        injected: Vec::new(),
    };
    flow.visit_body(body);
    flow.seen_writes();
    // The gradient of what a `grad_of` block names is computed, whatever it depends on.
    let named = flow.injected.iter().chain(wrt).cloned().collect::<Vec<_>>();
    let varied = reached(&flow.to, &named);
    let mut from: Edges = BTreeMap::new();
    for (source, targets) in &flow.to {
        for target in targets {
            from.entry(target.clone()).or_default().insert(source.clone());
        }
    }
    let useful = reached(&from, std::slice::from_ref(result));
    varied.intersection(&useful).cloned().into_set()
}

type Edges = BTreeMap<Name, BTreeSet<Name>>;

fn reached(edges: &Edges, from: &[Name]) -> BTreeSet<Name> {
    let mut found: BTreeSet<Name> = BTreeSet::new();
    let mut rest = from.to_vec();
    while let Some(name) = rest.pop() {
        if found.insert(name.clone()) {
            rest.extend(edges.get(&name).into_iter().flatten().cloned());
        }
    }
    found
}

/// The variables whose objects statements may write in place.
fn writes_of(body: &[Stmt], around: &Surroundings<'_>) -> BTreeSet<Name> {
    let mut writes = Writes::new(around);
    writes.visit_body(body);
    writes.found
}

/// What flows from which variable into which.
struct Flow<'s, 'r> {
    around: &'s Surroundings<'r>,
    result: &'s Name,
    /// The variables whose objects may be written in place.
    written: BTreeSet<Name>,
    to: Edges,
    /// Which variables may be, or hold, an object of which: `row` and `a` of `row = a[0]`.
    shares: Vec<(Name, Name)>,
    /// The variables of `grad_of` blocks.
    injected: Vec<Name>,
}

impl Flow<'_, '_> {
    fn sources(&self, expr: &Expr) -> BTreeSet<Name> {
        let mut found = BTreeSet::new();
        self.around.sources(expr, &mut |name| {
            found.insert(name.clone());
        });
        found
    }

    /// `target = value`, from these sources.
    fn edges(&mut self, value: &Expr, sources: &BTreeSet<Name>, target: &Name) {
        let shares = may_share(value);
        self.shares.extend(copied(value).map(|source| (target.clone(), source)));
        for source in sources {
            self.to.entry(source.clone()).or_default().insert(target.clone());
            if shares {
                self.shares.push((target.clone(), source.clone()));
            }
        }
    }

    /// `b = a[1:]`: what is written to one is written to the other, and to all that either may be.
    fn seen_writes(&mut self) {
        let mut beside: Edges = BTreeMap::new();
        for (one, other) in &self.shares {
            beside.entry(one.clone()).or_default().insert(other.clone());
            beside.entry(other.clone()).or_default().insert(one.clone());
        }
        let seen = reached(&beside, &self.written.iter().cloned().collect::<Vec<_>>());
        for (target, source) in &self.shares {
            if seen.contains(target) {
                self.to.entry(target.clone()).or_default().insert(source.clone());
            }
        }
    }

    /// A call that may write to its arguments: what one of them is may be written to the others.
    fn may_write(&mut self, func: &Expr, args: &[Expr], keywords: &[Keyword]) {
        let mut taken = Vec::new();
        let mut written: Vec<Name> = Vec::new();
        let is_writer = match self.around.called(func, args, keywords) {
            Callee::Function(function) => {
                taken.extend(self.around.taken(&function));
                let (given, around) = self.around.written_arguments(&function, (func, args, keywords));
                written.extend(given.into_iter().filter_map(|(value, _)| root_of(value)).cloned());
                written.extend(around.into_iter().map(|(name, _)| name));
                false
            }
            Callee::Other(_) => !crate::aliases::is_builtin(func),
            _ => false,
        };
        let out = keywords.iter().filter(|keyword| keyword.name.as_deref() == Some("out"));
        written.extend(out.filter_map(|keyword| root_of(&keyword.value)).cloned());
        // `tangent.add_at(bx, i, by)` of a derivative that is differentiated again.
        if matches!(self.around.callee(func), Callee::AddAt) {
            written.extend(args.first().and_then(root_of).cloned());
        }
        let receiver = match &func.kind {
            ExprKind::Attribute { value, .. } if self.around.is_method(func) => Some(&**value),
            _ => None,
        };
        let values: Vec<&Expr> =
            args.iter().chain(keywords.iter().map(|keyword| &keyword.value)).chain(receiver).collect();
        if is_writer {
            written.extend(values.iter().filter_map(|value| root_of(value)).cloned());
        }
        if matches!(func.kind, ExprKind::Name { .. }) {
            written.extend(root_of(func).cloned());
        }
        written.retain(|name| self.around.is_local(name));
        // A list only holds what it is given.
        let is_holder = changed_by_method(func, self.around).is_some();
        if !is_holder {
            self.written.extend(written.iter().cloned());
        }
        let sources = values.into_iter().flat_map(|value| self.sources(value)).chain(taken);
        for source in sources.collect::<Vec<_>>() {
            self.to.entry(source).or_default().extend(written.iter().cloned());
        }
    }

    fn assigned(&mut self, target: &Expr, value: &Expr) {
        let sources = self.sources(value);
        self.assigned_from(target, value, &sources);
    }

    fn assigned_from(&mut self, target: &Expr, value: &Expr, sources: &BTreeSet<Name>) {
        match &target.kind {
            // `f = lambda y: y * w`: what it takes, its calls take.
            ExprKind::Name { name, .. } if self.around.functions.contains(name) => {}
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                elements.iter().for_each(|element| self.assigned_from(element, value, sources));
            }
            _ => {
                if let Some(name) = root_of(target).cloned() {
                    self.edges(value, sources, &name);
                }
            }
        }
    }
}

impl<'a> Visitor<'a> for Flow<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|target| self.assigned(target, value))
            }
            StmtKind::AnnAssign { target, value: Some(value), .. }
            | StmtKind::AugAssign { target, value, .. }
            | StmtKind::For { target, iter: value, .. } => self.assigned(target, value),
            StmtKind::Match { subject, cases } => {
                let sources = self.sources(subject);
                for name in cases.iter().flat_map(|case| captured_by(&case.pattern)) {
                    self.edges(subject, &sources, &name);
                }
            }
            StmtKind::Return(Some(value)) => {
                let (sources, result) = (self.sources(value), self.result.clone());
                self.edges(value, &sources, &result);
            }
            StmtKind::FunctionDef(def) if self.around.functions.contains(&def.name) => return,
            StmtKind::FunctionDef(def) => {
                let read = def.body.iter().flat_map(crate::variables::read_by);
                let read: Vec<Name> = read.filter(|name| self.around.is_local(name)).collect();
                // What the function writes, by `nonlocal` or in place, depends on what it reads.
                let mut written = writes_of(&def.body, self.around);
                written.extend(declared_in(&def.body));
                let written = written.into_iter().filter(|name| self.around.is_local(name));
                let written: Vec<Name> = written.collect();
                let name = def.name.clone();
                for read in read {
                    self.to.entry(read).or_default().extend(written.iter().chain([&name]).cloned());
                }
                // What a call gives it may be in what it writes.
                self.to.entry(name).or_default().extend(written);
                return;
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_with_item(&mut self, item: &'a WithItem) {
        if let ExprKind::Call { func, args, .. } = &item.context.kind
            && matches!(self.around.callee(func), Callee::GradOf)
        {
            self.injected.extend(args.iter().filter_map(root_of).cloned());
            return;
        }
        if let Some(target) = &item.target {
            self.assigned(target, &item.context);
        }
        self.visit_expr(&item.context);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Named { target, value } => self.assigned(target, value),
            ExprKind::Call { func, args, keywords } => {
                self.may_write(func, args, keywords);
                if let ([base, _, value], Callee::AddAt) = (args.as_slice(), self.around.callee(func)) {
                    self.assigned(base, value);
                }
                if let ExprKind::Attribute { value, attr, .. } = &func.kind
                    && INSERTING.contains(&&**attr)
                    && let Some(list) = root_of(value).filter(|name| self.around.is_local(name)).cloned()
                {
                    for arg in args {
                        let sources = self.sources(arg);
                        self.edges(arg, &sources, &list);
                    }
                }
            }
            ExprKind::ListComp { generators, .. }
            | ExprKind::SetComp { generators, .. }
            | ExprKind::Generator { generators, .. }
            | ExprKind::DictComp { generators, .. } => {
                generators.iter().for_each(|generator| self.assigned(&generator.target, &generator.iter));
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// The list of `xs.copy()`, which has the same items.
fn copied(value: &Expr) -> Option<Name> {
    let ExprKind::Call { func, .. } = &value.kind else { return None };
    let ExprKind::Attribute { value, attr, .. } = &func.kind else { return None };
    (&**attr == "copy").then(|| root_of(value).cloned()).flatten()
}

/// Whether the value of an expression may be, or hold, an object of one of its variables.
fn may_share(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Binary { .. }
        | ExprKind::Unary { .. }
        | ExprKind::Compare { .. }
        | ExprKind::FString(_)
        | ExprKind::Constant { .. } => false,
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => elements.iter().any(may_share),
        _ => true,
    }
}
