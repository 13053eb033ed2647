//! The names that a piece of a function reads and binds.

use std::collections::BTreeSet;

use ag_syntax::tree::{
    Comprehension, Context, ExceptHandler, Expr, ExprKind, Name, NameMap, Pattern, PatternKind, Stmt,
    StmtKind,
};
use ag_syntax::visit::{Visitor, walk_expr, walk_handler, walk_pattern, walk_stmt};

use crate::each::{each_expr, each_stmt};
use crate::jumps::falls_through;
use crate::name_sets::IntoSet;

/// The names that statements bind in their own scope, in the order of the text.
pub(crate) fn bound_in(body: &[Stmt]) -> Vec<Name> {
    let mut bound = Bound::default();
    bound.visit_body(body);
    bound.names
}

/// The names that a pattern binds.
pub(crate) fn captured_by(pattern: &Pattern) -> Vec<Name> {
    let mut bound = Bound::default();
    bound.visit_pattern(pattern);
    bound.names
}

/// How often statements bind each of their names.
pub(crate) fn times_bound(body: &[Stmt]) -> NameMap<usize> {
    let mut bound = Bound::default();
    bound.visit_body(body);
    bound.times
}

/// The names that a statement binds.
pub(crate) fn bound_by(stmt: &Stmt) -> Vec<Name> {
    bound_in(std::slice::from_ref(stmt))
}

/// The names that a statement binds on every path to its end.
pub(crate) fn surely_bound_by(stmt: &Stmt) -> BTreeSet<Name> {
    let of = |body: &[Stmt]| body.iter().flat_map(surely_bound_by).into_set();
    match &stmt.kind {
        StmtKind::If { body, orelse, .. } => match (falls_through(body), falls_through(orelse)) {
            (true, true) => of(body).intersection(&of(orelse)).cloned().into_set(),
            (true, false) => of(body),
            (false, _) => of(orelse),
        },
        StmtKind::With { items, body, .. } => {
            let targets = items.iter().filter_map(|item| item.target.as_ref()).flat_map(roots_of);
            targets.chain(of(body)).into_set()
        }
        StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
            let tried = if handlers.is_empty() {
                of(body).into_iter().chain(of(orelse)).into_set()
            } else {
                BTreeSet::new()
            };
            of(finalbody).into_iter().chain(tried).into_set()
        }
        StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Match { .. } => BTreeSet::new(),
        _ => bound_by(stmt).into_iter().into_set(),
    }
}

/// The lists of other modules or functions that statements append to, and do not read.
pub(crate) fn logs_of(body: &[Stmt]) -> BTreeSet<Name> {
    #[derive(Default)]
    struct Logs {
        appended: Vec<Name>,
        read: Vec<Name>,
    }
    impl<'a> Visitor<'a> for Logs {
        fn visit_expr(&mut self, expr: &'a Expr) {
            match &expr.kind {
                ExprKind::Call { func, args, .. } => match &func.kind {
                    ExprKind::Attribute { value, attr, .. } if &**attr == "append" => {
                        match &value.kind {
                            ExprKind::Name { name, .. } => self.appended.push(name.clone()),
                            _ => self.visit_expr(value),
                        }
                        args.iter().for_each(|arg| self.visit_expr(arg));
                    }
                    _ => walk_expr(self, expr),
                },
                ExprKind::Name { name, context: Context::Load } => self.read.push(name.clone()),
                _ => walk_expr(self, expr),
            }
        }
    }
    let mut logs = Logs::default();
    logs.visit_body(body);
    if logs.appended.is_empty() {
        return BTreeSet::new();
    }
    let read = logs.read.into_iter().into_set();
    logs.appended.into_iter().filter(|name| !read.contains(name)).into_set()
}

/// The lists from which statements take the last items.
pub(crate) fn emptied_by(body: &[Stmt]) -> BTreeSet<Name> {
    let mut emptied = BTreeSet::new();
    each_expr(body, &mut |expr| {
        if let ExprKind::Call { func, .. } = &expr.kind
            && let ExprKind::Attribute { value, attr, .. } = &func.kind
            && let ExprKind::Name { name, .. } = &value.kind
            && &**attr == "pop"
        {
            emptied.insert(name.clone());
        }
        true
    });
    emptied
}

/// The names that comprehensions in statements bind for themselves.
pub(crate) fn bound_in_comprehensions(body: &[Stmt]) -> Vec<Name> {
    struct Inner(Vec<Name>);
    impl<'a> Visitor<'a> for Inner {
        fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
            let mut bound = Bound::default();
            bound.visit_expr(&comprehension.target);
            self.0.extend(bound.names);
            ag_syntax::visit::walk_comprehension(self, comprehension);
        }
    }
    let mut inner = Inner(Vec::new());
    inner.visit_body(body);
    inner.0
}

/// The names that an expression reads, those of functions in it included.
pub(crate) fn read_in(expr: &Expr) -> Vec<Name> {
    let mut read = Read(Vec::new());
    read.visit_expr(expr);
    read.0
}

/// The names that a statement reads, those of functions in it included.
pub(crate) fn read_by(stmt: &Stmt) -> Vec<Name> {
    let mut read = Read(Vec::new());
    read.visit_stmt(stmt);
    if let StmtKind::AugAssign { target, .. } = &stmt.kind {
        read.0.extend(root_of(target).cloned());
    }
    read.0
}

/// The variables at the roots of a target.
pub(crate) fn roots_of(target: &Expr) -> Vec<Name> {
    match &target.kind {
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
            elements.iter().flat_map(roots_of).collect()
        }
        _ => root_of(target).cloned().into_iter().collect(),
    }
}

/// The variable at the root of `x`, `x[i]`, `x.a.b`, `x.f()[i]`.
pub(crate) fn root_of(expr: &Expr) -> Option<&Name> {
    match &expr.kind {
        ExprKind::Name { name, .. } => Some(name),
        ExprKind::Attribute { value, .. }
        | ExprKind::Subscript { value, .. }
        | ExprKind::Starred { value, .. } => root_of(value),
        // `x.reshape(2, 2)[0]`
        ExprKind::Call { func, .. } if matches!(func.kind, ExprKind::Attribute { .. }) => root_of(func),
        _ => None,
    }
}

/// The text of a dotted name: `np.linalg.norm`.
pub(crate) fn dotted(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name { name, .. } => Some(name.to_string()),
        ExprKind::Attribute { value, attr, .. } => {
            let mut path = dotted(value)?;
            path.push('.');
            path.push_str(attr);
            Some(path)
        }
        _ => None,
    }
}

#[derive(Default)]
struct Bound {
    names: Vec<Name>,
    times: NameMap<usize>,
    /// How many scopes of comprehensions are around.
    inner: usize,
}

impl Bound {
    fn add(&mut self, name: &Name) {
        let times = self.times.entry(name.clone()).or_default();
        *times += 1;
        if *times == 1 {
            self.names.push(name.clone());
        }
    }
}

impl<'a> Visitor<'a> for Bound {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(def) => self.add(&def.name),
            StmtKind::ClassDef(def) => self.add(&def.name),
            StmtKind::Import(aliases) | StmtKind::ImportFrom { names: aliases, .. } => {
                for alias in aliases {
                    let first: Name = alias.name.split('.').next().unwrap_or_default().into();
                    self.add(alias.asname.as_ref().unwrap_or(&first));
                }
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Lambda { .. } => {}
            // `:=` in a comprehension binds outside of it.
            ExprKind::Named { target, value } => {
                let inner = std::mem::take(&mut self.inner);
                self.visit_expr(target);
                self.inner = inner;
                self.visit_expr(value);
            }
            ExprKind::Name { name, context: Context::Store | Context::Del } if self.inner == 0 => {
                self.add(name);
            }
            _ => walk_expr(self, expr),
        }
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.inner += 1;
        self.visit_expr(&comprehension.target);
        self.inner -= 1;
        self.visit_expr(&comprehension.iter);
        for condition in &comprehension.conditions {
            self.visit_expr(condition);
        }
    }

    fn visit_handler(&mut self, handler: &'a ExceptHandler) {
        if let Some(name) = &handler.name {
            self.add(name);
        }
        walk_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let PatternKind::Mapping { rest: Some(name), .. }
        | PatternKind::Star(Some(name))
        | PatternKind::As { name: Some(name), .. } = &pattern.kind
        {
            self.add(name);
        }
        walk_pattern(self, pattern);
    }
}

struct Read(Vec<Name>);

impl<'a> Visitor<'a> for Read {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Name { name, context: Context::Load } = &expr.kind
            && !self.0.contains(name)
        {
            self.0.push(name.clone());
        }
        walk_expr(self, expr);
    }
}

/// How often statements bind names by `x op= v`.
pub(crate) fn augmented_in(body: &[Stmt]) -> NameMap<usize> {
    let mut augmented = NameMap::default();
    each_stmt(body, &mut |stmt| {
        if let StmtKind::AugAssign { target, .. } = &stmt.kind
            && let ExprKind::Name { name, .. } = &target.kind
        {
            *augmented.entry(name.clone()).or_default() += 1;
        }
        !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_))
    });
    augmented
}

/// Whether an index gives an array of an array, a view, and no number: `1:`, `:, 0`.
pub(crate) fn has_slice(index: &Expr) -> bool {
    match &index.kind {
        ExprKind::Slice { .. } => true,
        ExprKind::Tuple { elements, .. } => elements.iter().any(has_slice),
        _ => false,
    }
}
