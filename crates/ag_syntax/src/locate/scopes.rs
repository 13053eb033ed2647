//! The definitions that start on a line, with their enclosing scopes.

use ag_errors::Span;

use super::{Located, LocatedKind};
use crate::tree::{Comprehension, Expr, ExprKind, FunctionDef, Module, Name, Stmt, StmtKind};
use crate::visit::{Visitor, walk_comprehension, walk_expr, walk_stmt};

/// A definition that starts on the line.
pub(super) struct Candidate<'m> {
    pub(super) located: Located<'m>,
    /// Its qualified name, without comprehensions, which are inlined since 3.12.
    pub(super) qualname: String,
}

impl Candidate<'_> {
    pub(super) fn is_lambda(&self) -> bool {
        matches!(self.located.kind, LocatedKind::Lambda { .. })
    }

    pub(super) fn name(&self) -> &str {
        match self.located.kind {
            LocatedKind::Def { def, .. } => &def.name,
            LocatedKind::Lambda { .. } => "<lambda>",
        }
    }
}

/// An enclosing scope of the current node.
enum Scope {
    /// A class.
    Class { name: Name, qualname: String },
    /// A function or lambda, with the names it declares `global`.
    Function { qualname: String, globals: Vec<Name> },
    /// A generator expression.
    Generator { qualname: String },
    /// A list, set or dict comprehension, which adds nothing to the qualified names inside.
    Comprehension,
}

/// Walks the statements and expressions that touch the line.
pub(super) struct Finder<'m> {
    line: Span,
    scopes: Vec<Scope>,
    found: Vec<Candidate<'m>>,
}

impl<'m> Finder<'m> {
    /// All definitions of `module` that start on `line`.
    pub(super) fn candidates(module: &'m Module, line: Span) -> Vec<Candidate<'m>> {
        let mut finder = Self { line, scopes: Vec::new(), found: Vec::new() };
        finder.visit_body(&module.body);
        finder.found
    }

    fn touches_line(&self, span: Span) -> bool {
        span.start <= self.line.end && self.line.start <= span.end
    }

    fn starts_on_line(&self, offset: u32) -> bool {
        self.line.start <= offset && offset <= self.line.end
    }

    /// The qualified name of a definition at this place, as CPython's compiler builds it.
    fn qualname(&self, name: &str) -> String {
        let parent = self.scopes.iter().rev().find(|scope| !matches!(scope, Scope::Comprehension));
        match parent {
            None | Some(Scope::Comprehension) => name.to_owned(),
            Some(Scope::Class { qualname, .. } | Scope::Generator { qualname }) => {
                format!("{qualname}.{name}")
            }
            Some(Scope::Function { globals, .. }) if globals.iter().any(|global| **global == *name) => {
                name.to_owned()
            }
            Some(Scope::Function { qualname, .. }) => format!("{qualname}.<locals>.{name}"),
        }
    }

    fn candidate(&mut self, kind: LocatedKind<'m>, qualname: String) {
        let classes = self.scopes.iter().filter_map(|scope| match scope {
            Scope::Class { name, .. } => Some(name.clone()),
            _ => None,
        });
        let located = Located {
            kind,
            classes: classes.collect(),
            has_enclosing_function: self.scopes.iter().any(|scope| !matches!(scope, Scope::Class { .. })),
            is_directly_in_class: matches!(self.scopes.last(), Some(Scope::Class { .. })),
        };
        self.found.push(Candidate { located, qualname });
    }

    fn in_scope(&mut self, scope: Scope, walk: impl FnOnce(&mut Self)) {
        self.scopes.push(scope);
        walk(self);
        self.scopes.pop();
    }

    fn function_def(&mut self, def: &'m FunctionDef, stmt: &'m Stmt) {
        // CPython's first line is that of the first decorator's expression, not of its `@`.
        let first = def.decorators.first().map_or(stmt.span.start, |decorator| decorator.span.start);
        let qualname = self.qualname(&def.name);
        if self.starts_on_line(first) {
            self.candidate(LocatedKind::Def { def, stmt }, qualname.clone());
        }
        for decorator in &def.decorators {
            self.visit_expr(decorator);
        }
        for param in &def.type_params {
            self.visit_type_param(param);
        }
        self.visit_params(&def.params);
        if let Some(returns) = &def.returns {
            self.visit_expr(returns);
        }
        let scope = Scope::Function { qualname, globals: declared_globals(&def.body) };
        self.in_scope(scope, |finder| finder.visit_body(&def.body));
    }

    fn comprehension(&mut self, generators: &'m [Comprehension], scope: Scope, elements: &[&'m Expr]) {
        let Some((first, rest)) = generators.split_first() else { return };
        // The first iterable is evaluated in the enclosing scope.
        self.visit_expr(&first.iter);
        self.in_scope(scope, |finder| {
            finder.visit_expr(&first.target);
            for condition in &first.conditions {
                finder.visit_expr(condition);
            }
            for comprehension in rest {
                walk_comprehension(finder, comprehension);
            }
            for element in elements {
                finder.visit_expr(element);
            }
        });
    }
}

impl<'m> Visitor<'m> for Finder<'m> {
    fn visit_stmt(&mut self, stmt: &'m Stmt) {
        if !self.touches_line(stmt.span) {
            return;
        }
        match &stmt.kind {
            StmtKind::FunctionDef(def) => self.function_def(def, stmt),
            StmtKind::ClassDef(def) => {
                for outside in def.decorators.iter().chain(&def.bases) {
                    self.visit_expr(outside);
                }
                for param in &def.type_params {
                    self.visit_type_param(param);
                }
                for keyword in &def.keywords {
                    self.visit_keyword(keyword);
                }
                let scope = Scope::Class { name: def.name.clone(), qualname: self.qualname(&def.name) };
                self.in_scope(scope, |finder| finder.visit_body(&def.body));
            }
            // The value of `type Alias = value` is a code object of its own, with the name of the alias.
            StmtKind::TypeAlias {
                name: Expr { kind: ExprKind::Name { name, .. }, .. },
                type_params,
                value,
            } => {
                for param in type_params {
                    self.visit_type_param(param);
                }
                let scope = Scope::Function { qualname: self.qualname(name), globals: Vec::new() };
                self.in_scope(scope, |finder| finder.visit_expr(value));
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'m Expr) {
        if !self.touches_line(expr.span) {
            return;
        }
        match &expr.kind {
            ExprKind::Lambda { params, body } => {
                let qualname = self.qualname("<lambda>");
                if self.starts_on_line(expr.span.start) {
                    self.candidate(LocatedKind::Lambda { params, body, expr }, qualname.clone());
                }
                self.visit_params(params);
                let scope = Scope::Function { qualname, globals: Vec::new() };
                self.in_scope(scope, |finder| finder.visit_expr(body));
            }
            ExprKind::ListComp { element, generators } | ExprKind::SetComp { element, generators } => {
                self.comprehension(generators, Scope::Comprehension, &[element]);
            }
            ExprKind::DictComp { key, value, generators } => {
                self.comprehension(generators, Scope::Comprehension, &[key, value]);
            }
            ExprKind::Generator { element, generators } => {
                let scope = Scope::Generator { qualname: self.qualname("<genexpr>") };
                self.comprehension(generators, scope, &[element]);
            }
            _ => walk_expr(self, expr),
        }
    }
}

/// The names that a function declares `global`: a definition of such a name has the bare name as its
/// qualified name.
fn declared_globals(body: &[Stmt]) -> Vec<Name> {
    struct Globals(Vec<Name>);
    impl<'a> Visitor<'a> for Globals {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match &stmt.kind {
                StmtKind::Global(names) => self.0.extend(names.iter().cloned()),
                StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {}
                _ => walk_stmt(self, stmt),
            }
        }

        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut globals = Globals(Vec::new());
    globals.visit_body(body);
    globals.0
}
