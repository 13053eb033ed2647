//! Which variables a piece of code reads, writes and unbinds.
//!
//! ```text
//! x, y[i] = f(x)      reads f? (global: not a variable), x, y, i     writes x
//! del z               reads z (it must be bound)                      unbinds z
//! a and (b := 1)      reads a                                         may write b
//! [k * v for v in w]  reads k, w                                      (v is the comprehension's)
//! lambda: k           nothing: it has not run yet
//! ```
//!
//! A variable here is a name that the function owns, or that it declares `global` or `nonlocal` and assigns.
//!
//! A reader can also collect the qualified names that are read and modified, globals included. Only direct
//! modifications count, as in section 7.1 of the AutoGraph paper:
//!
//! ```text
//! a.b[i] = c          reads a, a.b, i, c        modifies a.b[i]
//! a.b += c            reads a, a.b, c           modifies a.b
//! a.append(c)         reads a, a.append, c      (what a method does is not known)
//! ```

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use ag_syntax::mangled;
use ag_syntax::tree::{
    Comprehension, Context, Expr, ExprKind, FunctionDef, Name, NodeId, Params, Stmt, StmtKind,
};
use ag_syntax::visit::{Visitor, walk_expr, walk_stmt};

use crate::qualified_names::QualifiedName;
use crate::scopes::{Resolution, ScopeId, ScopeKind, Scopes};

/// Number of a variable in its function.
pub type Variable = u32;

/// The variables of a function, numbered in the order of their names.
#[derive(Clone, Debug)]
pub struct Variables {
    /// The function.
    pub function: ScopeId,
    names: Vec<Name>,
    index: HashMap<Name, Variable>,
    own: Vec<bool>,
}

impl Variables {
    /// The variables of the function that makes `function`.
    #[must_use]
    pub fn of(scopes: &Scopes, function: ScopeId) -> Self {
        let mut variables = Self { function, names: Vec::new(), index: HashMap::new(), own: Vec::new() };
        for (name, symbol) in &scopes.scope(function).symbols {
            let is_own = matches!(symbol.resolution, Resolution::Local | Resolution::Cell);
            let is_declared = symbol.is_declared_global || symbol.is_declared_nonlocal;
            if is_own || (is_declared && symbol.is_bound) {
                let number = Variable::try_from(variables.names.len()).unwrap_or(Variable::MAX);
                variables.index.insert(name.clone(), number);
                variables.names.push(name.clone());
                variables.own.push(is_own);
            }
        }
        variables
    }

    /// The number of variables.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of a variable.
    #[must_use]
    pub fn name(&self, variable: Variable) -> &Name {
        &self.names[variable as usize]
    }

    /// The variable of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Variable> {
        self.index.get(name).copied()
    }

    /// Whether the function owns it; else it is declared `global` or `nonlocal`.
    #[must_use]
    pub fn is_own(&self, variable: Variable) -> bool {
        self.own[variable as usize]
    }

    /// All variables, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (Variable, &Name)> {
        (0..).zip(&self.names)
    }
}

/// The effect of a piece of code on variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// The variables read, with the expression that reads.
    pub reads: Vec<(Variable, NodeId)>,
    /// Variables that are bound after the code has run.
    pub writes: Vec<Variable>,
    /// Variables that may be bound by the code.
    pub may_writes: Vec<Variable>,
    /// Variables that are unbound after the code has run.
    pub unbinds: Vec<Variable>,
    /// Qualified names that the code may read; none unless the reader collects them.
    pub read_names: BTreeSet<QualifiedName>,
    /// Qualified names that the code may assign or delete; none unless the reader collects them.
    pub modified_names: BTreeSet<QualifiedName>,
}

/// Reads the activity of pieces of one function.
#[derive(Debug)]
pub struct ActivityReader<'a> {
    scopes: &'a Scopes,
    variables: &'a Variables,
    /// The scope the walk is in: the function, a comprehension, or a class body.
    current: ScopeId,
    /// The number of enclosing constructs that may skip the current code.
    conditions: u32,
    collects_qualified_names: bool,
    found: Activity,
}

impl<'a> ActivityReader<'a> {
    /// A reader for a function.
    #[must_use]
    pub fn new(scopes: &'a Scopes, variables: &'a Variables) -> Self {
        Self {
            scopes,
            variables,
            current: variables.function,
            conditions: 0,
            collects_qualified_names: false,
            found: Activity::default(),
        }
    }

    /// Makes it collect qualified names too, which cost more than variables.
    #[must_use]
    pub fn with_qualified_names(mut self) -> Self {
        self.collects_qualified_names = true;
        self
    }

    /// Returns what was found since the last call.
    pub fn take(&mut self) -> Activity {
        std::mem::take(&mut self.found)
    }

    /// Binds a name without an expression: an import, a definition, a capture.
    pub fn bind(&mut self, name: &str) {
        if let Some(variable) = self.lookup(name) {
            let list = if self.conditions == 0 { &mut self.found.writes } else { &mut self.found.may_writes };
            list.push(variable);
            if self.collects_qualified_names {
                let name = QualifiedName::variable(self.variables.name(variable));
                self.found.modified_names.insert(name);
            }
        }
    }

    /// The target of `target op= value` is read before it is assigned.
    pub(crate) fn augmented(&mut self, target: &Expr) {
        self.qualified_name(target, Context::Load);
    }

    /// Reads a variable without an expression.
    pub(crate) fn read_name(&mut self, name: &Name) {
        if self.collects_qualified_names {
            self.found.read_names.insert(QualifiedName::variable(name));
        }
    }

    /// Visits the parts of a `def` that run where it stands: decorators, defaults, annotations.
    pub fn definition(&mut self, def: &FunctionDef) {
        for decorator in &def.decorators {
            self.visit_expr(decorator);
        }
        self.visit_params(&def.params);
        if let Some(returns) = &def.returns {
            self.visit_expr(returns);
        }
        self.bind(&def.name);
    }

    fn lookup(&self, name: &str) -> Option<Variable> {
        if self.current == self.variables.function {
            return self.variables.get(name);
        }
        let name = self.mangled_here(name);
        match self.scopes.resolve_name(self.current, &name) {
            Resolution::Free(owner) if owner == self.variables.function => self.variables.get(&name),
            _ => None,
        }
    }

    /// The name as it is in the current scope: a private name is mangled.
    fn mangled_here<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let class = self.scopes.scope(self.current).private_class.as_deref();
        class.and_then(|class| mangled(name, class)).map_or(Cow::Borrowed(name), Cow::Owned)
    }

    /// Whether the name belongs to the function, not to a scope inside it such as a comprehension.
    fn is_seen_by_function(&self, name: &str) -> bool {
        let function = self.variables.function;
        if self.current == function {
            return true;
        }
        let owner = match self.scopes.resolve_name(self.current, &self.mangled_here(name)) {
            Resolution::Local | Resolution::Cell => self.current,
            Resolution::Free(owner) => owner,
            Resolution::Global => return true,
        };
        !(owner > function && owner < self.scopes.scope(function).end)
    }

    /// Notes an expression that may be a qualified name.
    fn qualified_name(&mut self, expr: &Expr, context: Context) {
        if !self.collects_qualified_names {
            return;
        }
        let Some(name) = QualifiedName::of(expr) else { return };
        if name.support().into_iter().all(|variable| self.is_seen_by_function(variable)) {
            let list = match context {
                Context::Load => &mut self.found.read_names,
                Context::Store | Context::Del => &mut self.found.modified_names,
            };
            list.insert(name);
        }
    }

    fn name(&mut self, name: &str, context: Context, id: NodeId) {
        let Some(variable) = self.lookup(name) else { return };
        match context {
            Context::Load => self.found.reads.push((variable, id)),
            Context::Store => self.bind(name),
            Context::Del => {
                self.found.reads.push((variable, id));
                self.found.unbinds.push(variable);
            }
        }
    }

    /// Visits code that may not run.
    fn conditionally(&mut self, visit: impl FnOnce(&mut Self)) {
        self.conditions += 1;
        visit(self);
        self.conditions -= 1;
    }

    /// Visits code that runs at once, in its own scope.
    fn inside(&mut self, node: NodeId, visit: impl FnOnce(&mut Self)) {
        let around = self.current;
        self.current = self.scopes.of_node(node).unwrap_or(around);
        self.conditionally(visit);
        self.current = around;
    }

    fn comprehension(&mut self, node: NodeId, elements: &[&Expr], generators: &[Comprehension]) {
        let Some(first) = generators.first() else { return };
        self.visit_expr(&first.iter);
        self.inside(node, |this| {
            for (index, generator) in generators.iter().enumerate() {
                if index > 0 {
                    this.visit_expr(&generator.iter);
                }
                this.visit_expr(&generator.target);
                for condition in &generator.conditions {
                    this.visit_expr(condition);
                }
            }
            for element in elements {
                this.visit_expr(element);
            }
        });
    }
}

impl<'a> Visitor<'a> for ActivityReader<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name { name, context } => {
                self.qualified_name(expr, *context);
                self.name(name, *context, expr.id);
            }
            ExprKind::Attribute { context, .. } | ExprKind::Subscript { context, .. } => {
                self.qualified_name(expr, *context);
                walk_expr(self, expr);
            }
            ExprKind::Lambda { params, .. } => self.visit_params(params),
            ExprKind::ListComp { element, generators } | ExprKind::SetComp { element, generators } => {
                self.comprehension(expr.id, &[element], generators);
            }
            ExprKind::DictComp { key, value, generators } => {
                self.comprehension(expr.id, &[key, value], generators);
            }
            ExprKind::Generator { generators, .. } => {
                if let Some(first) = generators.first() {
                    self.visit_expr(&first.iter);
                }
            }
            ExprKind::BoolOp { values, .. } => {
                self.visit_expr(&values[0]);
                self.conditionally(|this| values[1..].iter().for_each(|value| this.visit_expr(value)));
            }
            ExprKind::IfExp { test, body, orelse } => {
                self.visit_expr(test);
                self.conditionally(|this| {
                    this.visit_expr(body);
                    this.visit_expr(orelse);
                });
            }
            ExprKind::Compare { left, comparators, .. } => {
                self.visit_expr(left);
                self.visit_expr(&comparators[0]);
                self.conditionally(|this| {
                    comparators[1..].iter().for_each(|operand| this.visit_expr(operand));
                });
            }
            ExprKind::Named { target, value } => {
                self.visit_expr(value);
                if let ExprKind::Name { name, .. } = &target.kind {
                    // In a comprehension, `:=` binds the function's variable, not the comprehension's own.
                    let is_comprehension = self.scopes.scope(self.current).kind == ScopeKind::Comprehension;
                    let around = self.current;
                    if is_comprehension {
                        self.current = self.variables.function;
                    }
                    self.bind(name);
                    self.current = around;
                }
            }
            _ => walk_expr(self, expr),
        }
    }

    /// A statement of a class body, which runs where the class stands.
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(def) => self.definition(def),
            StmtKind::ClassDef(def) => {
                for expr in def.decorators.iter().chain(&def.bases) {
                    self.visit_expr(expr);
                }
                for keyword in &def.keywords {
                    self.visit_expr(&keyword.value);
                }
                self.inside(stmt.id, |this| this.visit_body(&def.body));
                self.bind(&def.name);
            }
            StmtKind::TypeAlias { name, .. } => self.visit_expr(name),
            StmtKind::AugAssign { target, .. } => {
                self.augmented(target);
                walk_stmt(self, stmt);
            }
            // `a.b: int` reads `a` and assigns nothing.
            StmtKind::AnnAssign { target, annotation, value: None, .. } => {
                walk_expr(self, target);
                self.visit_expr(annotation);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_params(&mut self, params: &'a Params) {
        for param in params.iter() {
            for part in [&param.default, &param.annotation].into_iter().flatten() {
                self.visit_expr(part);
            }
        }
    }
}
