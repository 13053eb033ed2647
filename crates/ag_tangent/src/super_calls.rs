//! `super()` in methods of objects of known classes, as the class that it finds.
//!
//! ```text
//! super().__init__(w)             Base.__init__(self, w)
//! super().area                    Base.area.fget(self)        # where `area` is a property
//! super().scale                   Base.scale
//! ```
//!
//! What is behind a class, is asked of the class of the object: the resolver knows it, and a name for what it finds.

use ag_errors::Span;
use ag_syntax::Builder;
use ag_syntax::tree::{Expr, ExprKind, FunctionDef, Name, Stmt, StmtKind};
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::{walk_expr, walk_stmt};

use crate::callee::{Callee, Resolver};
use crate::functions::Functions;
use crate::normal::{Outcome, refusal};
use crate::variables::dotted;

/// Writes what `super()` finds in a definition by the name of its class.
///
/// # Arguments
///
/// * `own`: what the definition calls its object.
pub(crate) fn called_by_class(
    b: Builder<'_>,
    def: &mut FunctionDef,
    own: Option<Name>,
    (resolver, functions): (&dyn Resolver, &Functions),
) -> Outcome<()> {
    if !matches!(resolver.named("super"), Callee::Other(_)) {
        return Ok(()); // It is a function of the user's.
    }
    let mut supers = Supers { b, own, resolver, functions, is_inner: false, refused: None };
    supers.visit_body(&mut def.body);
    match supers.refused {
        Some((span, message, help)) => Err(refusal(span, message, help)),
        None => Ok(()),
    }
}

struct Supers<'a> {
    b: Builder<'a>,
    own: Option<Name>,
    resolver: &'a dyn Resolver,
    functions: &'a Functions,
    /// Whether it is in a function of its own, where `super()`, and a name, may have another object.
    is_inner: bool,
    /// The first that is not known: its place, what to say of it, and a remedy.
    refused: Option<(Span, String, &'static str)>,
}

impl Supers<'_> {
    /// The class behind which `super()` looks, and its object; none if an expression is no such call.
    fn of(&self, expr: &Expr) -> Option<(String, Option<Name>)> {
        let ExprKind::Call { func, args, keywords } = &expr.kind else { return None };
        let is_super = matches!(&func.kind, ExprKind::Name { name, .. } if &**name == "super");
        if !is_super || !keywords.is_empty() {
            return None;
        }
        let (class, object) = match args.as_slice() {
            [] => ("__class__".to_owned(), self.own.clone()),
            [class, Expr { kind: ExprKind::Name { name, .. }, .. }] => (dotted(class)?, Some(name.clone())),
            _ => return None,
        };
        Some((class, object.filter(|_| !self.is_inner)))
    }

    /// What the resolver says of `super().name`: its manner and its name; the object.
    fn found(&mut self, expr: &Expr) -> Option<(String, String, Name)> {
        let ExprKind::Attribute { value, attr, .. } = &expr.kind else { return None };
        let (class, object) = self.of(value)?;
        let path = object.as_ref().and_then(|object| self.functions.objects.get(object));
        let (Some(object), Some(path)) = (&object, path) else {
            self.refuse(
                expr.span,
                format!("what `super().{attr}` is, is not known here: its object is of no known class"),
                "call it in the method itself, by a statement, and make the object in the function that is differentiated, or say its class in an annotation",
            );
            return None;
        };
        let found = self.resolver.behind(&class, path, attr).unwrap_or_default();
        let Some((manner, name)) = found.split_once(' ') else {
            self.refuse(
                expr.span,
                format!("what `super().{attr}` is, is not known here: it is no method, property or constant of a class that has a name"),
                "name the class: `Base.area(self, x)`, and use a method or a function in place of a class method",
            );
            return None;
        };
        Some((manner.to_owned(), name.to_owned(), object.clone()))
    }

    fn refuse(&mut self, span: Span, message: String, help: &'static str) {
        self.refused.get_or_insert((span, message, help));
    }

    fn named(&self, span: Span, dotted: &str) -> Expr {
        let b = self.b.at(span);
        let mut parts = dotted.split('.');
        let first = b.name(parts.next().unwrap_or_default());
        parts.fold(first, |value, part| b.attribute(value, part))
    }

    /// What an expression is, if it is what `super()` finds.
    fn written(&mut self, expr: &Expr) -> Option<Expr> {
        let b = self.b.at(expr.span);
        if let ExprKind::Call { func, args, keywords } = &expr.kind
            && let Some((manner, name, object)) = self.found(func)
        {
            if manner == "nothing" && !(args.is_empty() && keywords.is_empty()) {
                self.refuse(
                    expr.span,
                    format!("`{name}`, which `super()` finds, takes no arguments and does nothing"),
                    "leave the arguments out: `super().__init__()`",
                );
            }
            let func = self.named(func.span, &name);
            let own = (manner == "method" || manner == "nothing").then(|| b.name(object.clone()));
            let func = if manner == "property" { b.call(func, [b.name(object)]) } else { func };
            return Some(b.call_with(func, own.into_iter().chain(args.iter().cloned()), keywords.clone()));
        }
        let (manner, name, object) = self.found(expr)?;
        let named = self.named(expr.span, &name);
        match manner.as_str() {
            "property" => Some(b.call(named, [b.name(object)])),
            "value" => Some(named),
            _ => None,
        }
    }

    /// Whether a statement is `super().__init__()` where no class behind has one that does something.
    fn does_nothing(&mut self, stmt: &Stmt) -> bool {
        let StmtKind::Expr(Expr { kind: ExprKind::Call { func, args, keywords }, .. }) = &stmt.kind else {
            return false;
        };
        args.is_empty()
            && keywords.is_empty()
            && self.found(func).is_some_and(|(manner, ..)| manner == "nothing")
    }
}

impl VisitorMut for Supers<'_> {
    fn visit_body(&mut self, body: &mut Vec<Stmt>) {
        let first = body.first().map(|stmt| stmt.span);
        body.retain(|stmt| !self.does_nothing(stmt));
        if let Some(span) = first.filter(|_| body.is_empty()) {
            body.push(self.b.at(span).pass());
        }
        body.iter_mut().for_each(|stmt| self.visit_stmt(stmt));
    }

    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        let around = self.is_inner;
        self.is_inner |= matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_));
        walk_stmt(self, stmt);
        self.is_inner = around;
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        if let Some(made) = self.written(expr) {
            *expr = made;
        }
        if self.of(expr).is_some() {
            self.refuse(
                expr.span,
                "`super()` is used as a value here".to_owned(),
                "call what it finds where it stands: `super().area(x)`",
            );
        }
        let around = self.is_inner;
        self.is_inner |= matches!(
            expr.kind,
            ExprKind::Lambda { .. }
                | ExprKind::Generator { .. }
                | ExprKind::ListComp { .. }
                | ExprKind::SetComp { .. }
                | ExprKind::DictComp { .. }
        );
        walk_expr(self, expr);
        self.is_inner = around;
    }
}
