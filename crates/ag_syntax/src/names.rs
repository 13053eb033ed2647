//! Names: fresh ones, and the mangling of private ones.

use crate::tree::{
    Alias, ExceptHandler, Expr, ExprKind, FunctionDef, Keyword, Name, NameMap, NameSet, Param, Pattern,
    PatternKind, Stmt, StmtKind, TypeParam,
};
use crate::visit::{
    Visitor, walk_expr, walk_function_def, walk_handler, walk_keyword, walk_param, walk_pattern, walk_stmt,
    walk_type_param,
};

/// Generates names that nothing in a tree uses.
///
/// ```
/// use ag_syntax::{FreshNames, parse_module};
///
/// let module = parse_module("did_break = x.item").unwrap();
/// let mut names = FreshNames::of(&module.body);
/// assert_eq!(&*names.fresh("did_break"), "did_break_1");
/// assert_eq!(&*names.fresh("did_break"), "did_break_2");
/// assert_eq!(&*names.fresh("get_state"), "get_state");
/// assert_eq!(&*names.fresh("get_state"), "get_state_1");
/// ```
#[derive(Clone, Debug, Default)]
pub struct FreshNames {
    used: NameSet,
    /// By wish, the last suffix that was given.
    suffixes: NameMap<usize>,
}

impl FreshNames {
    /// Collects every name in `body`: variables, parameters, definitions, imports, attributes, keywords.
    /// (Attributes and keywords cannot clash; but the generated text is easier to read if fresh names differ
    /// from them too.)
    #[must_use]
    pub fn of(body: &[Stmt]) -> Self {
        let mut names = Self::default();
        names.visit_body(body);
        names
    }

    /// Collects every name in a function, its own too.
    #[must_use]
    pub fn of_function(def: &FunctionDef) -> Self {
        let mut names = Self::default();
        names.reserve(def.name.clone());
        walk_function_def(&mut names, def);
        names
    }

    /// Marks a name as used.
    pub fn reserve(&mut self, name: impl Into<Name>) {
        self.used.insert(name.into());
    }

    /// Whether the name is used.
    #[must_use]
    pub fn is_used(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// Returns `wish`, or `wish_1`, `wish_2`, …: the first that is not used, and marks it as used.
    pub fn fresh(&mut self, wish: &str) -> Name {
        let mut name: Name = wish.into();
        if self.used.insert(name.clone()) {
            return name;
        }
        let suffix = self.suffixes.entry(name.clone()).or_default();
        loop {
            *suffix += 1;
            name = format!("{wish}_{suffix}").into();
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }

    fn reserve_alias(&mut self, alias: &Alias) {
        for part in alias.name.split('.') {
            self.reserve(part);
        }
        if let Some(name) = &alias.asname {
            self.reserve(name.clone());
        }
    }
}

impl<'a> Visitor<'a> for FreshNames {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(def) => self.reserve(def.name.clone()),
            StmtKind::ClassDef(def) => self.reserve(def.name.clone()),
            StmtKind::Import(aliases) | StmtKind::ImportFrom { names: aliases, .. } => {
                for alias in aliases {
                    self.reserve_alias(alias);
                }
            }
            StmtKind::Global(names) | StmtKind::Nonlocal(names) => self.used.extend(names.iter().cloned()),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Name { name, .. } | ExprKind::Attribute { attr: name, .. } = &expr.kind {
            self.reserve(name.clone());
        }
        walk_expr(self, expr);
    }

    fn visit_param(&mut self, param: &'a Param) {
        self.reserve(param.name.clone());
        walk_param(self, param);
    }

    fn visit_type_param(&mut self, param: &'a TypeParam) {
        self.reserve(param.name.clone());
        walk_type_param(self, param);
    }

    fn visit_keyword(&mut self, keyword: &'a Keyword) {
        self.used.extend(keyword.name.clone());
        walk_keyword(self, keyword);
    }

    fn visit_handler(&mut self, handler: &'a ExceptHandler) {
        self.used.extend(handler.name.clone());
        walk_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        match &pattern.kind {
            PatternKind::Mapping { rest: name, .. }
            | PatternKind::Star(name)
            | PatternKind::As { name, .. } => {
                self.used.extend(name.clone());
            }
            PatternKind::Class { keywords, .. } => {
                self.used.extend(keywords.iter().map(|(name, _)| name.clone()));
            }
            _ => {}
        }
        walk_pattern(self, pattern);
    }
}

/// The name that CPython uses for a private name inside a class: `__x` in `class _C` is `_C__x`.
///
/// `class` is the innermost enclosing class. Names that end in two underscores, that have a dot
/// (imports), or stand in a class of underscores only are left alone.
///
/// ```
/// assert_eq!(ag_syntax::mangled("__x", "_C").as_deref(), Some("_C__x"));
/// assert_eq!(ag_syntax::mangled("__x__", "C"), None);
/// ```
#[must_use]
pub fn mangled(name: &str, class: &str) -> Option<String> {
    let is_private = name.starts_with("__") && !name.ends_with("__") && !name.contains('.');
    let class = class.trim_start_matches('_');
    (is_private && !class.is_empty()).then(|| format!("_{class}{name}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::parse_module;

    #[test]
    fn every_kind_of_name_is_known() {
        let source = "
@decorator
def function(only, /, positional=default, *args: annotation, keyword, **kwargs) -> returns:
    global g1
    nonlocal n1
class Class(Base, metaclass=Meta): pass
import module.sub as alias
from package import item
try: pass
except Error as caught: pass
match subject:
    case {'k': v1, **rest}: pass
    case Point(a1=[first, *others]) as whole: pass
[element for element in source if (walrus := 1)]
lambda inner: f'{interpolated:{width}}'
type Alias[T: Bound] = value.attribute
";
        let names = FreshNames::of(&parse_module(source).unwrap().body);
        let expected = "decorator function only positional default args annotation keyword kwargs returns g1 n1 \
            Class Base metaclass Meta module sub alias package item Error caught subject v1 rest Point a1 first \
            others whole element source walrus inner interpolated width Alias T Bound value attribute";
        for name in expected.split_whitespace().filter(|name| *name != "package") {
            assert!(names.is_used(name), "{name}");
        }
    }

    #[test]
    fn mangling_follows_cpython() {
        let cases = [
            ("__x", "C", Some("_C__x")),
            ("__x", "__C", Some("_C__x")),
            ("__x", "___", None),
            ("_x", "C", None),
        ];
        for (name, class, expected) in cases {
            assert_eq!(mangled(name, class).as_deref(), expected, "{name} in {class}");
        }
        assert_eq!(mangled("__a.b", "C"), None);
        assert_eq!(mangled("__x_", "C").as_deref(), Some("_C__x_"));
    }
}
