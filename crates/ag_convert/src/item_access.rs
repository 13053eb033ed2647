//! Items and attributes: stores, updates and deletions of both, loads of items.
//!
//! ```python
//! x[i] = v            ag__.set_item(x, i, v)
//! x[f()] = g()        value = g()
//!                     ag__.set_item(x, f(), value)
//! x[1:] += v          ag__.update_item(x, ag__.slice(1, None, None), 'iadd', lambda: v)
//! o.a = v             ag__.set_attr(o, 'a', v)
//! del x[i], y         ag__.del_item(x, i)
//!                     del y
//! x[i], i = v         item, item_1 = v
//!                     ag__.set_item(x, i, item)
//!                     i = item_1
//! y = x[i]            y = ag__.get_item(x, i)
//! n: int = 1          n = 1
//! ```
//!
//! CPython evaluates the value before the target; the value is stored in a variable first if the difference
//! could be observed. Annotations of variables are never evaluated in a function; they are dropped, since a
//! block could not declare an annotated variable `nonlocal`.

use ag_syntax::tree::{
    BinaryOp, ConstantKind, Context, Expr, ExprKind, NodeId, Stmt, StmtKind, UnaryOp, WithItem,
};
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::{walk_body, walk_stmt};

use crate::context::{Conversion, Function};
use crate::lazy::has_walrus;

/// Rewrites stores, updates and deletions.
pub(crate) fn rewrite_stores(body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    Stores { conversion, function: None }.visit_body(body);
}

/// Rewrites a load: `x[i]`.
pub(crate) fn rewrite_load(expr: &mut Expr, conversion: &mut Conversion) {
    let span = expr.span;
    if let ExprKind::Subscript { value, index, context: Context::Load } = &mut expr.kind {
        let nothing = conversion.builder(span).none();
        let value = std::mem::replace(&mut **value, nothing.clone());
        let index = index_value(std::mem::replace(&mut **index, nothing), conversion);
        *expr = conversion.call(span, "get_item", [value, index]);
    }
}

/// An index as a value: slices become calls.
fn index_value(index: Expr, conversion: &mut Conversion) -> Expr {
    let span = index.span;
    match index.kind {
        ExprKind::Slice { lower, upper, step } => {
            let bounds = [lower, upper, step].map(|bound| match bound {
                Some(bound) => *bound,
                None => conversion.builder(span).none(),
            });
            conversion.call(span, "slice", bounds)
        }
        ExprKind::Tuple { elements, context } => {
            let elements = elements.into_iter().map(|element| index_value(element, conversion)).collect();
            Expr { id: index.id, span, kind: ExprKind::Tuple { elements, context } }
        }
        kind => Expr { id: index.id, span, kind },
    }
}

/// Whether a store to the target needs an operator.
fn has_place(target: &Expr) -> bool {
    match &target.kind {
        ExprKind::Subscript { .. } | ExprKind::Attribute { .. } => true,
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => elements.iter().any(has_place),
        ExprKind::Starred { value, .. } => has_place(value),
        _ => false,
    }
}

/// The function of the `operator` module for `target op= value`.
pub(crate) fn in_place_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "iadd",
        BinaryOp::Sub => "isub",
        BinaryOp::Mult => "imul",
        BinaryOp::MatMult => "imatmul",
        BinaryOp::Div => "itruediv",
        BinaryOp::Mod => "imod",
        BinaryOp::Pow => "ipow",
        BinaryOp::LShift => "ilshift",
        BinaryOp::RShift => "irshift",
        BinaryOp::BitOr => "ior",
        BinaryOp::BitXor => "ixor",
        BinaryOp::BitAnd => "iand",
        BinaryOp::FloorDiv => "ifloordiv",
    }
}

struct Stores<'a> {
    conversion: &'a mut Conversion,
    function: Option<NodeId>,
}

impl Stores<'_> {
    fn function(&self) -> Option<&Function> {
        self.conversion.functions.get(&self.function?)
    }

    /// Whether nobody can observe if it is evaluated earlier or later: literals, and bound variables that
    /// nothing else can assign.
    fn is_stable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant { .. } => true,
            ExprKind::Unary { op: UnaryOp::USub, operand } => {
                matches!(
                    operand.kind,
                    ExprKind::Constant { kind: ConstantKind::Int | ConstantKind::Float, .. }
                )
            }
            ExprKind::Name { name, .. } => self.function().is_some_and(|function| {
                let facts = &function.facts;
                facts.variables.get(name).is_some_and(|variable| {
                    facts.variables.is_own(variable)
                        && !facts.captured.contains(variable)
                        && !facts.unbound_reads.contains(&expr.id)
                })
            }),
            ExprKind::Tuple { elements, .. } => elements.iter().all(|element| self.is_stable(element)),
            ExprKind::Slice { lower, upper, step } => {
                [lower, upper, step].into_iter().flatten().all(|bound| self.is_stable(bound))
            }
            _ => false,
        }
    }

    fn is_stable_place(&self, target: &Expr) -> bool {
        match &target.kind {
            ExprKind::Subscript { value, index, .. } => self.is_stable(value) && self.is_stable(index),
            ExprKind::Attribute { value, .. } => self.is_stable(value),
            _ => false,
        }
    }

    /// Stores a value that is already evaluated, or that may be evaluated together with the target.
    fn store(&mut self, stmt: &Stmt, target: Expr, value: Expr, depth: usize, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let call = match target.kind {
            ExprKind::Subscript { value: object, index, .. } => {
                let index = index_value(*index, self.conversion);
                self.conversion.call(span, "set_item", [*object, index, value])
            }
            ExprKind::Attribute { value: object, attr, .. } => {
                let name = self.conversion.builder(span).string(&attr);
                self.conversion.call(span, "set_attr", [*object, name, value])
            }
            ExprKind::Tuple { mut elements, context } if elements.iter().any(has_place) => {
                let stores = self.name_elements(&mut elements, depth);
                let b = self.conversion.builder(target.span);
                out.push(b.at(span).assign(b.expr(ExprKind::Tuple { elements, context }), value));
                return self.store_each(stmt, stores, depth, out);
            }
            ExprKind::List { mut elements, context } if elements.iter().any(has_place) => {
                let stores = self.name_elements(&mut elements, depth);
                let b = self.conversion.builder(target.span);
                out.push(b.at(span).assign(b.expr(ExprKind::List { elements, context }), value));
                return self.store_each(stmt, stores, depth, out);
            }
            _ => {
                out.push(self.conversion.builder(span).assign(target, value));
                return;
            }
        };
        out.push(self.conversion.builder(span).expr_stmt(call));
    }

    /// Replaces the elements from the first that needs an operator on by variables; returns the stores that
    /// remain.
    fn name_elements(&mut self, elements: &mut [Expr], depth: usize) -> Vec<(Expr, Expr)> {
        let first = elements.iter().position(has_place).unwrap_or(elements.len());
        let mut stores = Vec::new();
        for (number, element) in elements[first..].iter_mut().enumerate() {
            // Nested tuples use their own names; 16 apart is one more than anyone writes.
            let name = self.conversion.names.temporary("item", depth * 16 + number);
            let b = self.conversion.builder(element.span);
            let place = match &mut element.kind {
                ExprKind::Starred { value, .. } => &mut **value,
                _ => element,
            };
            let target = std::mem::replace(place, b.name_store(name.clone()));
            stores.push((target, b.name(name)));
        }
        stores
    }

    fn store_each(&mut self, stmt: &Stmt, stores: Vec<(Expr, Expr)>, depth: usize, out: &mut Vec<Stmt>) {
        for (target, value) in stores {
            self.store(stmt, target, value, depth + 1, out);
        }
    }

    /// `targets = value`.
    fn assign(&mut self, stmt: &Stmt, mut targets: Vec<Expr>, value: Expr, out: &mut Vec<Stmt>) {
        if targets.len() == 1
            && let Some(target) = targets.pop()
        {
            let is_place = matches!(target.kind, ExprKind::Subscript { .. } | ExprKind::Attribute { .. });
            // `xs[(n := 1)] = n` and `xs[n] = (n := 1)` depend on the order.
            let is_free = !has_walrus(&target) && !has_walrus(&value);
            if !is_place || is_free && (self.is_stable(&value) || self.is_stable_place(&target)) {
                self.store(stmt, target, value, 0, out);
                return;
            }
            targets.push(target);
        }
        let name = self.conversion.names.temporary("value", 0);
        let b = self.conversion.builder(value.span);
        let named = b.name(name.clone());
        out.push(b.at(stmt.span).assign_name(name, value));
        for target in targets {
            let value = Expr { id: self.conversion.builder(named.span).id(), ..named.clone() };
            self.store(stmt, target, value, 0, out);
        }
    }

    /// `target op= value` on an item or attribute.
    fn update(&mut self, stmt: &Stmt, target: Expr, op: BinaryOp, value: Expr, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let b = self.conversion.builder(span);
        let (op, value) = (b.string(in_place_name(op)), b.at(value.span).lambda(value));
        let call = match target.kind {
            ExprKind::Subscript { value: object, index, .. } => {
                let index = index_value(*index, self.conversion);
                self.conversion.call(span, "update_item", [*object, index, op, value])
            }
            ExprKind::Attribute { value: object, attr, .. } => {
                let name = self.conversion.builder(span).string(&attr);
                self.conversion.call(span, "update_attr", [*object, name, op, value])
            }
            _ => return,
        };
        out.push(self.conversion.builder(span).expr_stmt(call));
    }

    fn delete(&mut self, stmt: &Stmt, target: Expr, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let call = match target.kind {
            ExprKind::Subscript { value: object, index, .. } => {
                let index = index_value(*index, self.conversion);
                self.conversion.call(span, "del_item", [*object, index])
            }
            ExprKind::Attribute { value: object, attr, .. } => {
                let name = self.conversion.builder(span).string(&attr);
                self.conversion.call(span, "del_attr", [*object, name])
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                for element in elements {
                    self.delete(stmt, element, out);
                }
                return;
            }
            _ => {
                out.push(self.conversion.builder(span).stmt(StmtKind::Delete(vec![target])));
                return;
            }
        };
        out.push(self.conversion.builder(span).expr_stmt(call));
    }

    /// Replaces the target of a head (`for`, `with`) that needs an operator by a variable, which is stored to
    /// the target at the start of the body.
    fn store_in_body(&mut self, stmt: &Stmt, target: &mut Expr, body: &mut Vec<Stmt>, number: usize) {
        let name = self.conversion.names.temporary("item", number);
        let b = self.conversion.builder(target.span);
        let (stored, read) = (b.name_store(name.clone()), b.name(name));
        let target = std::mem::replace(target, stored);
        let mut start = Vec::new();
        self.store(stmt, target, read, 1, &mut start);
        body.splice(0..0, start);
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        let origin = Stmt { id: stmt.id, span: stmt.span, kind: StmtKind::Pass };
        match stmt.kind {
            StmtKind::Assign { targets, value } if targets.iter().any(has_place) => {
                self.assign(&origin, targets, value, out);
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => {
                self.assign(&origin, vec![*target], value, out);
            }
            StmtKind::AnnAssign { target, value: None, .. } if !has_place(&target) => {}
            StmtKind::AugAssign { target, op, value } if has_place(&target) && !has_walrus(&value) => {
                self.update(&origin, *target, op, value, out);
            }
            StmtKind::Delete(targets) => {
                for target in targets {
                    self.delete(&origin, target, out);
                }
            }
            StmtKind::For { ref mut target, ref mut body, .. } if has_place(target) => {
                self.store_in_body(&origin, target, body, 0);
                out.push(stmt);
            }
            StmtKind::With { items, body, is_async: false }
                if items.iter().any(|item| item.target.as_ref().is_some_and(has_place)) =>
            {
                out.push(self.with(&origin, items, body));
            }
            _ => out.push(stmt),
        }
    }

    /// `with a as x.y, b: body` is `with a as item: x.y = item; with b: body`.
    fn with(&mut self, stmt: &Stmt, items: Vec<WithItem>, mut body: Vec<Stmt>) -> Stmt {
        let mut inner: Vec<WithItem> = Vec::new();
        for mut item in items.into_iter().rev() {
            if let Some(target) = item.target.as_mut().filter(|target| has_place(target)) {
                if !inner.is_empty() {
                    inner.reverse();
                    let items = std::mem::take(&mut inner);
                    let kind = StmtKind::With { items, body: std::mem::take(&mut body), is_async: false };
                    body = vec![self.conversion.builder(stmt.span).stmt(kind)];
                }
                self.store_in_body(stmt, target, &mut body, 0);
            }
            inner.push(item);
        }
        inner.reverse();
        Stmt { kind: StmtKind::With { items: inner, body, is_async: false }, ..stmt.clone() }
    }
}

impl VisitorMut for Stores<'_> {
    fn visit_body(&mut self, body: &mut Vec<Stmt>) {
        let stmts = std::mem::take(body);
        for stmt in stmts {
            self.stmt(stmt, body);
        }
        walk_body(self, body);
    }

    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => {
                if !self.conversion.left_as_written.contains(&stmt.id) {
                    let around = self.function.replace(stmt.id);
                    self.visit_body(&mut def.body);
                    self.function = around;
                }
            }
            StmtKind::ClassDef(_) => {}
            _ => walk_stmt(self, stmt),
        }
    }

    /// Expressions hold no statements.
    fn visit_expr(&mut self, _: &mut Expr) {}
}
