//! The first step: collects the names that every scope binds, reads and declares.

use std::collections::{BTreeMap, HashMap};

use ag_errors::Span;
use ag_syntax::mangled;
use ag_syntax::tree::{
    Alias, ClassDef, Comprehension, Context, ExceptHandler, Expr, ExprKind, FunctionDef, Name, NodeId,
    Params, Pattern, PatternKind, Stmt, StmtKind, TypeParam,
};
use ag_syntax::visit::{Visitor, walk_expr, walk_handler, walk_pattern, walk_stmt};

use super::{Scope, ScopeId, ScopeKind, Scopes, Symbol};

pub(super) fn collect(body: &[Stmt], focus: Option<Span>) -> Scopes {
    let mut collector = Collector {
        focus,
        scopes: Scopes { scopes: Vec::new(), by_node: HashMap::new() },
        current: ScopeId(0),
        private_class: None,
    };
    collector.open(ScopeKind::Module, None, None);
    collector.visit_body(body);
    collector.close(ScopeId(0));
    collector.scopes
}

struct Collector {
    /// The function of interest: bodies that neither enclose it nor lie in it are skipped.
    focus: Option<Span>,
    scopes: Scopes,
    current: ScopeId,
    private_class: Option<Name>,
}

impl Collector {
    fn open(&mut self, kind: ScopeKind, node: Option<NodeId>, parent: Option<ScopeId>) -> ScopeId {
        let id = ScopeId(u32::try_from(self.scopes.scopes.len()).unwrap_or(u32::MAX));
        let private_class = self.private_class.clone();
        let symbols = BTreeMap::new();
        self.scopes.scopes.push(Scope { kind, parent, end: id, private_class, symbols });
        if let Some(node) = node {
            self.scopes.by_node.insert(node, id);
        }
        self.current = id;
        id
    }

    fn close(&mut self, id: ScopeId) {
        let end = ScopeId(u32::try_from(self.scopes.scopes.len()).unwrap_or(u32::MAX));
        self.scopes.scopes[id.0 as usize].end = end;
    }

    /// Visits code in a new scope inside the current one.
    fn inside(&mut self, kind: ScopeKind, node: Option<NodeId>, visit: impl FnOnce(&mut Self)) {
        let around = self.current;
        let id = self.open(kind, node, Some(around));
        visit(self);
        self.close(id);
        self.current = around;
    }

    fn symbol_in(&mut self, scope: ScopeId, name: &Name) -> &mut Symbol {
        let scope = &mut self.scopes.scopes[scope.0 as usize];
        let name = match scope.private_class.as_deref().and_then(|class| mangled(name, class)) {
            Some(mangled) => mangled.into(),
            None => name.clone(),
        };
        scope.symbols.entry(name).or_default()
    }

    fn symbol(&mut self, name: &Name) -> &mut Symbol {
        self.symbol_in(self.current, name)
    }

    fn bind(&mut self, name: &Name) {
        self.symbol(name).is_bound = true;
    }

    fn read(&mut self, name: &Name) {
        self.symbol(name).is_read = true;
        // `super()` finds its class in a cell.
        let kind = self.scopes.scope(self.current).kind;
        let is_function = !matches!(kind, ScopeKind::Module | ScopeKind::Class);
        if &**name == "super" && is_function {
            self.symbol(&"__class__".into()).is_read = true;
        }
    }

    fn defaults_and_annotations(&mut self, params: &Params) {
        for param in params.iter() {
            if let Some(default) = &param.default {
                self.visit_expr(default);
            }
            if let Some(annotation) = &param.annotation {
                self.visit_expr(annotation);
            }
        }
    }

    fn bind_params(&mut self, params: &Params) {
        for param in params.iter() {
            let symbol = self.symbol(&param.name);
            symbol.is_bound = true;
            symbol.is_parameter = true;
        }
    }

    /// Visits code inside the scope of type parameters, if there are any.
    fn generic(&mut self, type_params: &[TypeParam], visit: impl FnOnce(&mut Self)) {
        if type_params.is_empty() {
            visit(self);
            return;
        }
        self.inside(ScopeKind::TypeParams, None, |this| {
            for param in type_params {
                this.bind(&param.name);
                this.visit_type_param(param);
            }
            visit(this);
        });
    }

    /// Whether a definition is irrelevant to the function of interest.
    fn is_elsewhere(&self, span: Span) -> bool {
        self.focus.is_some_and(|focus| !span.contains(focus) && !focus.contains(span))
    }

    fn function_def(&mut self, node: NodeId, span: Span, def: &FunctionDef) {
        for decorator in &def.decorators {
            self.visit_expr(decorator);
        }
        self.bind(&def.name);
        self.generic(&def.type_params, |this| {
            this.defaults_and_annotations(&def.params);
            if let Some(returns) = &def.returns {
                this.visit_expr(returns);
            }
            if this.is_elsewhere(span) {
                return;
            }
            this.inside(ScopeKind::Function, Some(node), |this| {
                this.bind_params(&def.params);
                this.visit_body(&def.body);
            });
        });
    }

    fn class_def(&mut self, node: NodeId, span: Span, def: &ClassDef) {
        for decorator in &def.decorators {
            self.visit_expr(decorator);
        }
        self.bind(&def.name);
        self.generic(&def.type_params, |this| {
            for base in &def.bases {
                this.visit_expr(base);
            }
            for keyword in &def.keywords {
                this.visit_expr(&keyword.value);
            }
            if this.is_elsewhere(span) {
                return;
            }
            let around = this.private_class.replace(def.name.clone());
            this.inside(ScopeKind::Class, Some(node), |this| this.visit_body(&def.body));
            this.private_class = around;
        });
    }

    fn comprehension(&mut self, node: NodeId, kind: ScopeKind, parts: (&[&Expr], &[Comprehension])) {
        let (elements, generators) = parts;
        if let Some(first) = generators.first() {
            self.visit_expr(&first.iter);
        }
        self.inside(kind, Some(node), |this| {
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

    /// `:=` binds in the nearest scope that is not a comprehension; the scopes between use the name.
    fn bind_named(&mut self, name: &Name) {
        let mut scope = self.current;
        loop {
            let kind = self.scopes.scope(scope).kind;
            match self.scopes.scope(scope).parent {
                Some(parent) if matches!(kind, ScopeKind::Comprehension | ScopeKind::Generator) => {
                    let symbol = self.symbol_in(scope, name);
                    symbol.is_bound = true;
                    symbol.is_declared_nonlocal = true;
                    scope = parent;
                }
                _ => break,
            }
        }
        self.symbol_in(scope, name).is_bound = true;
    }

    fn bind_aliases(&mut self, aliases: &[Alias]) {
        for alias in aliases {
            let name = alias.asname.clone().unwrap_or_else(|| match alias.name.split_once('.') {
                Some((package, _)) => package.into(),
                None => alias.name.clone(),
            });
            self.bind(&name);
        }
    }
}

impl Visitor<'_> for Collector {
    fn visit_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(def) => self.function_def(stmt.id, stmt.span, def),
            StmtKind::ClassDef(def) => self.class_def(stmt.id, stmt.span, def),
            StmtKind::TypeAlias { name, type_params, value } => {
                self.visit_expr(name);
                self.generic(type_params, |this| {
                    this.inside(ScopeKind::TypeParams, Some(stmt.id), |this| this.visit_expr(value));
                });
            }
            // `(x): int` binds nothing.
            StmtKind::AnnAssign { target, annotation, value: None, simple: false }
                if matches!(target.kind, ExprKind::Name { .. }) =>
            {
                self.visit_expr(annotation);
            }
            StmtKind::Import(aliases) | StmtKind::ImportFrom { names: aliases, .. } => {
                self.bind_aliases(aliases);
            }
            StmtKind::Global(names) => {
                for name in names {
                    self.symbol(name).is_declared_global = true;
                }
            }
            StmtKind::Nonlocal(names) => {
                for name in names {
                    self.symbol(name).is_declared_nonlocal = true;
                }
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name { name, context } => match context {
                Context::Load => self.read(name),
                Context::Store => self.bind(name),
                Context::Del => {
                    let symbol = self.symbol(name);
                    symbol.is_bound = true;
                    symbol.is_deleted = true;
                }
            },
            ExprKind::Named { target, value } => {
                self.visit_expr(value);
                if let ExprKind::Name { name, .. } = &target.kind {
                    self.bind_named(name);
                }
            }
            ExprKind::Lambda { params, body } => {
                self.defaults_and_annotations(params);
                self.inside(ScopeKind::Lambda, Some(expr.id), |this| {
                    this.bind_params(params);
                    this.visit_expr(body);
                });
            }
            ExprKind::ListComp { element, generators } | ExprKind::SetComp { element, generators } => {
                self.comprehension(expr.id, ScopeKind::Comprehension, (&[element], generators));
            }
            ExprKind::DictComp { key, value, generators } => {
                self.comprehension(expr.id, ScopeKind::Comprehension, (&[key, value], generators));
            }
            ExprKind::Generator { element, generators } => {
                self.comprehension(expr.id, ScopeKind::Generator, (&[element], generators));
            }
            _ => walk_expr(self, expr),
        }
    }

    fn visit_handler(&mut self, handler: &ExceptHandler) {
        if let Some(name) = &handler.name {
            self.bind(name);
        }
        walk_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &Pattern) {
        if let PatternKind::Mapping { rest: Some(name), .. }
        | PatternKind::Star(Some(name))
        | PatternKind::As { name: Some(name), .. } = &pattern.kind
        {
            self.bind(name);
        }
        walk_pattern(self, pattern);
    }
}
