//! Private names are written mangled, because the converted text is outside of the class.
//!
//! ```python
//! # in class Stack                         # converted
//! def push(self, __x):                     def push(self, _Stack__x):
//!     self.__items.append(__x)                 self._Stack__items.append(_Stack__x)
//! ```
//!
//! Classes inside the function mangle the names in their bodies themselves. CPython leaves the names
//! of keyword arguments and of attributes in class patterns alone, and so does this pass.

use ag_syntax::mangled;
use ag_syntax::tree::{
    Alias, ExceptHandler, Expr, ExprKind, Name, Param, Pattern, PatternKind, Stmt, StmtKind, TypeParam,
};
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::{
    walk_expr, walk_handler, walk_param, walk_pattern, walk_stmt, walk_type_param,
};

/// Mangles the private names of a function in `class`.
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

    /// In a class, `import __a` looks for the module by the mangled name, too.
    fn alias(&self, alias: &mut Alias) {
        self.name(&mut alias.name);
        self.optional(&mut alias.asname);
    }
}

impl VisitorMut for Mangler<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => self.name(&mut def.name),
            StmtKind::ClassDef(def) => {
                // The class' name is bound mangled; its body and `__qualname__` are not touched.
                self.name(&mut def.name);
                for expr in def.decorators.iter_mut().chain(&mut def.bases) {
                    self.visit_expr(expr);
                }
                for keyword in &mut def.keywords {
                    self.visit_expr(&mut keyword.value);
                }
                return;
            }
            StmtKind::Import(aliases) => aliases.iter_mut().for_each(|alias| self.alias(alias)),
            StmtKind::ImportFrom { module, names, .. } => {
                self.optional(module);
                names.iter_mut().for_each(|alias| self.alias(alias));
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

    fn visit_handler(&mut self, handler: &mut ExceptHandler) {
        self.optional(&mut handler.name);
        walk_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &mut Pattern) {
        match &mut pattern.kind {
            PatternKind::Mapping { rest: name, .. }
            | PatternKind::Star(name)
            | PatternKind::As { name, .. } => self.optional(name),
            _ => {}
        }
        walk_pattern(self, pattern);
    }
}
