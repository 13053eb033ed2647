//! Templates: Python text with placeholders, made into nodes.
//!
//! ```
//! use ag_syntax::{Binding, Builder, Template, parse_module, unparse};
//!
//! let template = Template::new("while not flag and test:\n    body\n");
//!
//! let mut module = parse_module("x > 0\nx -= 1\n").unwrap();
//! let b = Builder::new(&mut module.ids, module.body[0].span);
//! let body = vec![module.body[1].clone()];
//! let made = template.quote(
//!     b,
//!     [
//!         ("flag", Binding::name("did_break")),
//!         ("test", Binding::Expr(b.name("x"))),
//!         ("body", Binding::Stmts(body)),
//!     ],
//! );
//! assert_eq!(unparse(&made).text, "while not did_break and x:\n    x -= 1\n");
//! ```
//!
//! Nodes of the template get fresh ids and the builder's origin. A binding keeps its ids and spans the first
//! time that its placeholder is replaced, and is copied with fresh ids from the second time on.
//!
//! A placeholder is replaced wherever it is a variable: in expressions, as the name of a definition or
//! parameter, in `global` and `nonlocal`; not where it is an attribute or a keyword.

use crate::build::Builder;
use crate::copy::set_context;
use crate::parse::parse_module;
use crate::tree::{
    Context, ExceptHandler, Expr, ExprKind, Keyword, MatchCase, Name, Param, Pattern, Stmt, StmtKind,
    TypeParam,
};
use crate::visit::{VisitorMut, mutable};

/// The replacement of a placeholder.
#[derive(Clone, Debug)]
pub enum Binding {
    /// A name, anywhere a variable may be.
    Name(Name),
    /// An expression; if the placeholder is a target, the expression becomes one.
    Expr(Expr),
    /// Statements, where the placeholder is a statement of its own.
    Stmts(Vec<Stmt>),
}

impl Binding {
    /// A name.
    pub fn name(name: impl Into<Name>) -> Self {
        Self::Name(name.into())
    }
}

/// A parsed template.
#[derive(Clone, Debug)]
pub struct Template {
    body: Vec<Stmt>,
}

impl Template {
    /// Parses a template.
    ///
    /// # Panics
    ///
    /// If the text is not Python: templates are part of the program, not of its input.
    #[must_use]
    pub fn new(text: &str) -> Self {
        match parse_module(text) {
            Ok(module) => Self { body: module.body },
            Err(error) => panic!("template {text:?}: {}", error.message),
        }
    }

    /// A template of statements that are there.
    #[must_use]
    pub fn of(body: Vec<Stmt>) -> Self {
        Self { body }
    }

    /// Statements from the template.
    ///
    /// # Panics
    ///
    /// If a placeholder is not in the template, or its binding cannot be in its place: mistakes of the caller
    /// that every use shows.
    #[must_use]
    pub fn quote<'n>(
        &self,
        builder: Builder<'_>,
        bindings: impl IntoIterator<Item = (&'n str, Binding)>,
    ) -> Vec<Stmt> {
        let bindings = bindings.into_iter().map(|(name, binding)| Slot { name, binding, uses: 0 }).collect();
        let mut substitution = Substitution { builder, bindings, fstrings: 0 };
        let mut body = self.body.clone();
        substitution.visit_body(&mut body);
        for slot in &substitution.bindings {
            assert!(slot.uses > 0, "the template has no placeholder `{}`", slot.name);
        }
        body
    }

    /// The expression of a template that is one expression.
    ///
    /// # Panics
    ///
    /// As [`quote`](Self::quote), and if the template is something else.
    #[must_use]
    pub fn quote_expr<'n>(
        &self,
        builder: Builder<'_>,
        bindings: impl IntoIterator<Item = (&'n str, Binding)>,
    ) -> Expr {
        let mut body = self.quote(builder, bindings);
        match (body.pop(), body.is_empty()) {
            (Some(Stmt { kind: StmtKind::Expr(expr), .. }), true) => expr,
            _ => panic!("the template is not one expression"),
        }
    }
}

/// A placeholder, and how often it has been replaced.
struct Slot<'n> {
    name: &'n str,
    binding: Binding,
    uses: usize,
}

struct Substitution<'b, 'n> {
    builder: Builder<'b>,
    bindings: Vec<Slot<'n>>,
    /// The number of enclosing f-strings.
    fstrings: usize,
}

impl<'n> Substitution<'_, 'n> {
    /// The placeholder of this name, counted as used.
    fn slot(&mut self, name: &str) -> Option<&Slot<'n>> {
        let slot = self.bindings.iter_mut().find(|slot| slot.name == name)?;
        assert!(self.fstrings == 0, "the placeholder `{name}` stands in an f-string, whose text is copied");
        slot.uses += 1;
        Some(slot)
    }

    /// Replaces the name of a definition, a parameter or a declaration.
    fn rename(&mut self, name: &mut Name) {
        if let Some(slot) = self.slot(name) {
            match &slot.binding {
                Binding::Name(bound) => *name = bound.clone(),
                _ => panic!("the placeholder `{name}` can be a name only"),
            }
        }
    }

    /// The expression for a placeholder in a context.
    fn expr_for(&mut self, name: &str, context: Context) -> Option<Expr> {
        let builder = self.builder;
        let slot = self.slot(name)?;
        let mut expr = match &slot.binding {
            Binding::Name(bound) => return Some(builder.name_in(bound.clone(), context)),
            Binding::Expr(expr) if slot.uses == 1 => expr.clone(),
            Binding::Expr(expr) => builder.copy_expr(expr),
            Binding::Stmts(_) => panic!("statements are bound to `{name}`, which stands in an expression"),
        };
        set_context(&mut expr, context);
        Some(expr)
    }

    /// The statements for a statement that is a placeholder bound to statements.
    fn stmts_for(&mut self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let builder = self.builder;
        let StmtKind::Expr(Expr { kind: ExprKind::Name { name, .. }, .. }) = &stmt.kind else { return None };
        let is_stmts = |slot: &Slot<'_>| slot.name == &**name && matches!(slot.binding, Binding::Stmts(_));
        if !self.bindings.iter().any(is_stmts) {
            return None;
        }
        let slot = self.slot(name)?;
        match &slot.binding {
            Binding::Stmts(body) if slot.uses == 1 => Some(body.clone()),
            Binding::Stmts(body) => Some(builder.copy_body(body)),
            _ => None,
        }
    }
}

impl VisitorMut for Substitution<'_, '_> {
    fn visit_body(&mut self, body: &mut Vec<Stmt>) {
        for mut stmt in std::mem::take(body) {
            if let Some(bound) = self.stmts_for(&stmt) {
                body.extend(bound);
            } else {
                self.visit_stmt(&mut stmt);
                body.push(stmt);
            }
        }
    }

    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        stmt.id = self.builder.id();
        stmt.span = self.builder.origin();
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => {
                def.name_span = self.builder.origin();
                self.rename(&mut def.name);
            }
            StmtKind::ClassDef(def) => self.rename(&mut def.name),
            StmtKind::Global(names) | StmtKind::Nonlocal(names) => {
                for name in names {
                    self.rename(name);
                }
            }
            _ => {}
        }
        mutable::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Name { name, context } = &expr.kind
            && let Some(bound) = self.expr_for(name, *context)
        {
            *expr = bound;
            return;
        }
        expr.id = self.builder.id();
        expr.span = self.builder.origin();
        let is_fstring = matches!(expr.kind, ExprKind::FString(_));
        self.fstrings += usize::from(is_fstring);
        mutable::walk_expr(self, expr);
        self.fstrings -= usize::from(is_fstring);
    }

    fn visit_param(&mut self, param: &mut Param) {
        param.id = self.builder.id();
        param.span = self.builder.origin();
        self.rename(&mut param.name);
        mutable::walk_param(self, param);
    }

    fn visit_pattern(&mut self, pattern: &mut Pattern) {
        pattern.span = self.builder.origin();
        mutable::walk_pattern(self, pattern);
    }

    fn visit_type_param(&mut self, param: &mut TypeParam) {
        param.span = self.builder.origin();
        mutable::walk_type_param(self, param);
    }

    fn visit_handler(&mut self, handler: &mut ExceptHandler) {
        handler.span = self.builder.origin();
        if let Some(name) = &mut handler.name {
            self.rename(name);
        }
        mutable::walk_handler(self, handler);
    }

    fn visit_match_case(&mut self, case: &mut MatchCase) {
        case.span = self.builder.origin();
        mutable::walk_match_case(self, case);
    }

    fn visit_keyword(&mut self, keyword: &mut Keyword) {
        keyword.span = self.builder.origin();
        mutable::walk_keyword(self, keyword);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use ag_errors::Span;

    use super::*;
    use crate::tree::{NodeId, NodeIds};
    use crate::visit::{Visitor, walk_expr, walk_stmt};
    use crate::{unparse, unparse_expr};

    /// Ids and spans of all statements and expressions.
    #[derive(Default)]
    struct Nodes(Vec<(NodeId, Span)>);

    impl<'a> Visitor<'a> for Nodes {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            self.0.push((stmt.id, stmt.span));
            walk_stmt(self, stmt);
        }

        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0.push((expr.id, expr.span));
            walk_expr(self, expr);
        }
    }

    #[test]
    fn names_are_replaced_where_variables_stand() {
        let template = Template::new(
            "def name(item):\n    nonlocal state\n    state = item.state\n    return f(state=state)\n",
        );
        let mut ids = NodeIds::default();
        let bindings = [
            ("name", Binding::name("loop_body")),
            ("item", Binding::name("i")),
            ("state", Binding::name("x")),
        ];
        let made = template.quote(Builder::new(&mut ids, Span::default()), bindings);
        assert_eq!(
            unparse(&made).text,
            "def loop_body(i):\n    nonlocal x\n    x = i.state\n    return f(state=x)\n"
        );
    }

    #[test]
    fn an_expression_becomes_a_target() {
        let mut module = parse_module("a, *b[i].c = 0\n").unwrap();
        let StmtKind::Expr(target) = parse_module("a, *b[i].c").unwrap().body.remove(0).kind else {
            panic!()
        };
        let b = Builder::new(&mut module.ids, Span::default());
        let made = Template::new("target = 0").quote(b, [("target", Binding::Expr(target))]);
        let (StmtKind::Assign { targets: made, .. }, StmtKind::Assign { targets: parsed, .. }) =
            (&made[0].kind, &module.body[0].kind)
        else {
            panic!()
        };
        let contexts = |expr: &Expr| format!("{expr:?}").matches("Store").count();
        assert_eq!(unparse_expr(&made[0]), "(a, *b[i].c)");
        assert_eq!(contexts(&made[0]), contexts(&parsed[0]));
    }

    #[test]
    fn ids_stay_distinct_and_spans_tell_the_origin() {
        let source = "x[0] + 1\n";
        let mut module = parse_module(source).unwrap();
        let StmtKind::Expr(value) = module.body.remove(0).kind else { panic!() };
        let origin = Span::new(90, 91);
        let b = Builder::new(&mut module.ids, origin);
        let bindings = [("value", Binding::Expr(value.clone()))];
        let made = Template::new("y = value\nz = f(value)\n").quote(b, bindings);
        let mut nodes = Nodes::default();
        nodes.visit_body(&made);
        let ids: BTreeSet<NodeId> = nodes.0.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids.len(), nodes.0.len());
        assert!(ids.contains(&value.id));
        let at_origin = nodes.0.iter().filter(|(_, span)| *span == origin).count();
        // Two assignments, two targets, `f` and its call.
        assert_eq!((at_origin, nodes.0.len()), (6, 6 + 2 * 5));
    }

    #[test]
    fn no_statements_leave_a_block_that_parses() {
        let mut ids = NodeIds::default();
        let b = Builder::new(&mut ids, Span::default());
        let made = Template::new("if test:\n    body\n").quote(b, [("body", Binding::Stmts(Vec::new()))]);
        assert_eq!(unparse(&made).text, "if test:\n    pass\n");
    }

    #[test]
    fn an_expression_template() {
        let mut ids = NodeIds::default();
        let b = Builder::new(&mut ids, Span::default());
        let made = Template::new("ag__.not_(x)").quote_expr(b, [("x", Binding::name("flag"))]);
        assert_eq!(unparse_expr(&made), "ag__.not_(flag)");
    }

    #[test]
    #[should_panic(expected = "no placeholder `missing`")]
    fn a_placeholder_must_exist() {
        let mut ids = NodeIds::default();
        let b = Builder::new(&mut ids, Span::default());
        let _ = Template::new("x").quote(b, [("missing", Binding::name("y"))]);
    }
}
