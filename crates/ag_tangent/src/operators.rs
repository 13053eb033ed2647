//! Operators, items and properties of objects of known classes, as the calls of methods that they are.
//!
//! ```text
//! u + w                           u.__add__(w)
//! table[i] = v                    table.__setitem__(i, v)
//! box.w = v                       Box.w.fset(box, v)          # where `w` is a property
//! ```

use ag_syntax::tree::{BinaryOp, ConstantKind, Expr, ExprKind, FunctionDef, Name, Stmt, StmtKind, UnaryOp};
use ag_syntax::visit::VisitorMut;
use ag_syntax::{Builder, FreshNames};

use crate::callee::{Callee, Receiver, Resolver};
use crate::functions::Functions;
use crate::name_sets::IntoSet;
use crate::object_paths::Paths;
use crate::variables::{bound_in, has_slice};

/// Writes the operators of objects in a definition as calls.
pub(crate) fn called_by_operators(
    b: Builder<'_>,
    def: &mut FunctionDef,
    resolver: &dyn Resolver,
    functions: &Functions,
) {
    if functions.objects.is_empty() {
        return;
    }
    let mut locals = bound_in(&def.body).into_iter().into_set();
    locals.extend(def.params.iter().map(|param| param.name.clone()));
    let is_local = |name: &Name| locals.contains(name);
    let paths = Paths { resolver, functions, is_local: &is_local };
    let fresh = FreshNames::of_function(def);
    let mut body = std::mem::take(&mut def.body);
    Operators { b, paths, fresh }.visit_body(&mut body);
    def.body = body;
}

/// The method of a binary operator.
pub(crate) fn method_of(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "__add__",
        BinaryOp::Sub => "__sub__",
        BinaryOp::Mult => "__mul__",
        BinaryOp::MatMult => "__matmul__",
        BinaryOp::Div => "__truediv__",
        BinaryOp::Mod => "__mod__",
        BinaryOp::Pow => "__pow__",
        BinaryOp::FloorDiv => "__floordiv__",
        _ => "",
    }
}

struct Operators<'a, 'p> {
    b: Builder<'a>,
    paths: Paths<'p>,
    fresh: FreshNames,
}

impl Operators<'_, '_> {
    /// Whether an object has a method that can be called by its name.
    fn has(&self, object: &Expr, method: &str) -> bool {
        !method.is_empty()
            && self.paths.of(object).is_some_and(|path| {
                matches!(self.paths.resolver.attribute(&path, method),
                    Callee::Function(function) if function.receiver == Receiver::Object)
            })
    }

    fn method(&self, object: Expr, name: &str, args: Vec<Expr>) -> Expr {
        let b = self.b.at(object.span);
        b.call(b.attribute(object, name), args)
    }

    /// `Box.w.fset`, if `w` is a property of the object that is set by a function of the user's.
    fn setter(&self, object: &Expr, name: &Name) -> Option<Expr> {
        let path = self.paths.of(object)?;
        let class = self.paths.resolver.class_name(&path);
        let is_property = matches!(self.paths.resolver.attribute(&path, name),
            Callee::Function(function) if function.receiver == Receiver::Property);
        if !is_property || class.is_empty() || class.contains('.') {
            return None;
        }
        let dotted = format!("{class}.{name}.fset");
        matches!(self.paths.resolver.named(&dotted), Callee::Function(_)).then(|| {
            let b = self.b.at(object.span);
            b.attribute(b.attribute(b.name(class), name.clone()), "fset")
        })
    }

    /// What a statement is, if it writes an item or a property of an object.
    fn written(&mut self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let b = self.b.at(stmt.span);
        match &stmt.kind {
            StmtKind::Assign { targets, value } => match targets.as_slice() {
                [target] => Some(vec![self.set(b, target, value.clone())?]),
                _ => None,
            },
            StmtKind::AugAssign { target, op, value } => {
                let (mut read, first) = ((**target).clone(), self.fresh.fresh("updated"));
                ag_syntax::set_context(&mut read, ag_syntax::tree::Context::Load);
                if let ExprKind::Name { name, .. } = &target.kind {
                    // Without `__iadd__`, `u += w` is `u = u + w`.
                    let in_place = method_of(*op).replacen("__", "__i", 1);
                    if !self.paths.functions.objects.contains_key(name) || self.has(&read, &in_place) {
                        return None;
                    }
                    let (left, op, right) = (Box::new(read), *op, Box::new(value.clone()));
                    return Some(vec![
                        b.assign_name(name.clone(), b.expr(ExprKind::Binary { left, op, right })),
                    ]);
                }
                let last = self.set(b, target, b.name(first.clone()))?;
                let target = b.name_store(first.clone());
                let middle = StmtKind::AugAssign { target: Box::new(target), op: *op, value: value.clone() };
                Some(vec![b.assign_name(first, read), b.stmt(middle), last])
            }
            _ => None,
        }
    }

    fn set(&self, b: Builder<'_>, target: &Expr, value: Expr) -> Option<Stmt> {
        let call = match &target.kind {
            ExprKind::Subscript { value: object, index, .. }
                if self.has(object, "__setitem__") && !has_slice(index) =>
            {
                self.method((**object).clone(), "__setitem__", vec![(**index).clone(), value])
            }
            ExprKind::Attribute { value: object, attr, .. } => {
                let setter = self.setter(object, attr)?;
                b.call(setter, [(**object).clone(), value])
            }
            _ => return None,
        };
        Some(b.expr_stmt(call))
    }
}

impl VisitorMut for Operators<'_, '_> {
    fn visit_body(&mut self, body: &mut Vec<Stmt>) {
        for stmt in std::mem::take(body) {
            for mut stmt in self.written(&stmt).unwrap_or_else(|| vec![stmt]) {
                self.visit_stmt(&mut stmt);
                body.push(stmt);
            }
        }
    }

    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        if !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_)) {
            ag_syntax::visit::mutable::walk_stmt(self, stmt);
        }
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        if matches!(expr.kind, ExprKind::Lambda { .. }) {
            return;
        }
        ag_syntax::visit::mutable::walk_expr(self, expr);
        let is_number = |one: &Expr| {
            matches!(one.kind, ExprKind::Constant { kind: ConstantKind::Int | ConstantKind::Float, .. })
        };
        let made = match &expr.kind {
            ExprKind::Binary { left, op, right } => {
                let (own, other) = (method_of(*op), method_of(*op).replacen("__", "__r", 1));
                if self.has(left, own) {
                    self.method((**left).clone(), own, vec![(**right).clone()])
                } else if is_number(left) && self.has(right, &other) {
                    self.method((**right).clone(), &other, vec![(**left).clone()])
                } else {
                    return;
                }
            }
            ExprKind::Unary { op: UnaryOp::USub, operand } if self.has(operand, "__neg__") => {
                self.method((**operand).clone(), "__neg__", Vec::new())
            }
            ExprKind::Subscript { value, index, context: ag_syntax::tree::Context::Load }
                if self.has(value, "__getitem__") && !has_slice(index) =>
            {
                self.method((**value).clone(), "__getitem__", vec![(**index).clone()])
            }
            _ => return,
        };
        *expr = made;
    }
}
