//! Private names: written mangled, since the converted text stands outside of the class.
//!
//! ```python
//! # in class Stack                         # converted
//! def push(self, __x):                     def push(self, _Stack__x):
//!     self.__items.append(__x)                 self._Stack__items.append(_Stack__x)
//! ```
//!
//! Classes inside the function mangle the names in their bodies themselves.

use ag_syntax::mangled;
use ag_syntax::tree::{
    Alias, ExceptHandler, Expr, ExprKind, Keyword, Name, Param, Pattern, PatternKind, Stmt, StmtKind,
    TypeParam,
};
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::{
    walk_expr, walk_handler, walk_keyword, walk_param, walk_pattern, walk_stmt, walk_type_param,
};

/// Mangles the private names of a function that stands in `class`.
pub(crate) fn mangle(body: &mut Vec<Stmt>, class: &str) {
    Mangler { class }.visit_body(body);
}

struct Mangler<'a> {
    class: &'a str,
}

impl Mangler<'_> {
    fn name(&self, name: &mut Name) {
        if let Some(mangled) = mangled(name, self.class) {
            *name = mangled.into();
        }
    }

    fn optional(&self, name: &mut Option<Name>) {
        if let Some(name) = name {
            self.name(name);
        }
    }

    /// `import __a` binds the mangled name to the module `__a`.
    fn alias(&self, alias: &mut Alias) {
        match &mut alias.asname {
            Some(name) => self.name(name),
            None => alias.asname = mangled(&alias.name, self.class).map(Name::from),
        }
    }
}

impl VisitorMut for Mangler<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => self.name(&mut def.name),
            StmtKind::ClassDef(def) => {
                // The name of the class is bound mangled; its body and `__qualname__` are not ours.
                self.name(&mut def.name);
                for expr in def.decorators.iter_mut().chain(&mut def.bases) {
                    self.visit_expr(expr);
                }
                for keyword in &mut def.keywords {
                    self.visit_keyword(keyword);
                }
                return;
            }
            StmtKind::Import(aliases) | StmtKind::ImportFrom { names: aliases, .. } => {
                aliases.iter_mut().for_each(|alias| self.alias(alias));
            }
            StmtKind::Global(names) | StmtKind::Nonlocal(names) => {
                names.iter_mut().for_each(|name| self.name(name));
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Name { name, .. } | ExprKind::Attribute { attr: name, .. } = &mut expr.kind {
            self.name(name);
        }
        walk_expr(self, expr);
    }

    fn visit_param(&mut self, param: &mut Param) {
        self.name(&mut param.name);
        walk_param(self, param);
    }

    fn visit_type_param(&mut self, param: &mut TypeParam) {
        self.name(&mut param.name);
        walk_type_param(self, param);
    }

    fn visit_keyword(&mut self, keyword: &mut Keyword) {
        self.optional(&mut keyword.name);
        walk_keyword(self, keyword);
    }

    fn visit_handler(&mut self, handler: &mut ExceptHandler) {
        self.optional(&mut handler.name);
        walk_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &mut Pattern) {
        match &mut pattern.kind {
            PatternKind::Mapping { rest: name, .. }
            | PatternKind::Star(name)
            | PatternKind::As { name, .. } => self.optional(name),
            PatternKind::Class { keywords, .. } => keywords.iter_mut().for_each(|(name, _)| self.name(name)),
            _ => {}
        }
        walk_pattern(self, pattern);
    }
}
