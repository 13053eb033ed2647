//! Builds nodes: small constructors for the passes.
//!
//! A [`Builder`] gives every node a fresh id and the span of the user's code that it represents. It is
//! `Copy`, and calls of its methods nest:
//!
//! ```
//! use ag_syntax::{Builder, tree::NodeIds};
//!
//! let mut ids = NodeIds::default();
//! let b = Builder::new(&mut ids, ag_errors::Span::new(4, 9));
//! let call = b.call(b.attribute(b.name("ag__"), "not_"), [b.name("flag")]);
//! assert_eq!(call.span, ag_errors::Span::new(4, 9));
//! ```

use std::cell::Cell;

use ag_errors::Span;

use crate::literal::string_literal;
use crate::tree::{
    BoolOp, CompareOp, ConstantKind, Context, Expr, ExprKind, FunctionDef, Keyword, Name, NodeId, NodeIds,
    Param, Params, Stmt, StmtKind, UnaryOp,
};

/// Makes nodes with fresh ids and one origin.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'a> {
    next: &'a Cell<u32>,
    origin: Span,
}

impl<'a> Builder<'a> {
    /// A builder of nodes that represent the user's code at `origin`.
    pub fn new(ids: &'a mut NodeIds, origin: Span) -> Self {
        Self { next: Cell::from_mut(&mut ids.next), origin }
    }

    /// The same ids with another origin.
    #[must_use]
    pub fn at(self, origin: Span) -> Self {
        Self { origin, ..self }
    }

    /// The span of every node that it makes.
    #[must_use]
    pub fn origin(self) -> Span {
        self.origin
    }

    /// A fresh id.
    #[must_use]
    pub fn id(self) -> NodeId {
        let id = self.next.get();
        self.next.set(id + 1);
        NodeId(id)
    }

    /// An expression of any kind.
    #[must_use]
    pub fn expr(self, kind: ExprKind) -> Expr {
        Expr { id: self.id(), span: self.origin, kind }
    }

    /// A statement of any kind.
    #[must_use]
    pub fn stmt(self, kind: StmtKind) -> Stmt {
        Stmt { id: self.id(), span: self.origin, kind }
    }
}

/// Expressions.
impl Builder<'_> {
    /// `name`, read.
    #[must_use]
    pub fn name(self, name: impl Into<Name>) -> Expr {
        self.name_in(name, Context::Load)
    }

    /// `name`, written.
    #[must_use]
    pub fn name_store(self, name: impl Into<Name>) -> Expr {
        self.name_in(name, Context::Store)
    }

    /// `name` in a context.
    #[must_use]
    pub fn name_in(self, name: impl Into<Name>, context: Context) -> Expr {
        self.expr(ExprKind::Name { name: name.into(), context })
    }

    /// `value.attr`, read.
    #[must_use]
    pub fn attribute(self, value: Expr, attr: impl Into<Name>) -> Expr {
        self.expr(ExprKind::Attribute { value: Box::new(value), attr: attr.into(), context: Context::Load })
    }

    /// `value[index]`, read.
    #[must_use]
    pub fn subscript(self, value: Expr, index: Expr) -> Expr {
        self.expr(ExprKind::Subscript {
            value: Box::new(value),
            index: Box::new(index),
            context: Context::Load,
        })
    }

    /// `func(args)`.
    #[must_use]
    pub fn call(self, func: Expr, args: impl IntoIterator<Item = Expr>) -> Expr {
        self.call_with(func, args, Vec::new())
    }

    /// `func(args, keywords)`.
    #[must_use]
    pub fn call_with(self, func: Expr, args: impl IntoIterator<Item = Expr>, keywords: Vec<Keyword>) -> Expr {
        self.expr(ExprKind::Call { func: Box::new(func), args: args.into_iter().collect(), keywords })
    }

    /// `name=value` of a call.
    #[must_use]
    pub fn keyword(self, name: impl Into<Name>, value: Expr) -> Keyword {
        Keyword { span: self.origin, name: Some(name.into()), value }
    }

    /// A literal by its text.
    #[must_use]
    pub fn constant(self, kind: ConstantKind, text: &str) -> Expr {
        self.expr(ExprKind::Constant { kind, text: text.into() })
    }

    /// A string literal with this value.
    #[must_use]
    pub fn string(self, value: &str) -> Expr {
        self.expr(ExprKind::Constant { kind: ConstantKind::Str, text: string_literal(value) })
    }

    /// An integer; a negative one is `-` of a literal, as in the grammar.
    #[must_use]
    pub fn int(self, value: i64) -> Expr {
        let magnitude = self.constant(ConstantKind::Int, &value.unsigned_abs().to_string());
        if value < 0 { self.unary(UnaryOp::USub, magnitude) } else { magnitude }
    }

    /// `True` or `False`.
    #[must_use]
    pub fn bool(self, value: bool) -> Expr {
        if value {
            self.constant(ConstantKind::True, "True")
        } else {
            self.constant(ConstantKind::False, "False")
        }
    }

    /// `None`.
    #[must_use]
    pub fn none(self) -> Expr {
        self.constant(ConstantKind::None, "None")
    }

    /// `(elements,)`, read.
    #[must_use]
    pub fn tuple(self, elements: impl IntoIterator<Item = Expr>) -> Expr {
        self.tuple_in(elements, Context::Load)
    }

    /// `(elements,)` in a context, which the elements must have too.
    #[must_use]
    pub fn tuple_in(self, elements: impl IntoIterator<Item = Expr>, context: Context) -> Expr {
        self.expr(ExprKind::Tuple { elements: elements.into_iter().collect(), context })
    }

    /// `[elements]`, read.
    #[must_use]
    pub fn list(self, elements: impl IntoIterator<Item = Expr>) -> Expr {
        self.expr(ExprKind::List { elements: elements.into_iter().collect(), context: Context::Load })
    }

    /// `lambda: body`.
    #[must_use]
    pub fn lambda(self, body: Expr) -> Expr {
        self.lambda_with(Params::default(), body)
    }

    /// `lambda params: body`.
    #[must_use]
    pub fn lambda_with(self, params: Params, body: Expr) -> Expr {
        self.expr(ExprKind::Lambda { params: Box::new(params), body: Box::new(body) })
    }

    /// `op operand`.
    #[must_use]
    pub fn unary(self, op: UnaryOp, operand: Expr) -> Expr {
        self.expr(ExprKind::Unary { op, operand: Box::new(operand) })
    }

    /// `not operand`.
    #[must_use]
    pub fn not(self, operand: Expr) -> Expr {
        self.unary(UnaryOp::Not, operand)
    }

    /// `a and b`, `a or b`; at least two values.
    #[must_use]
    pub fn bool_op(self, op: BoolOp, values: impl IntoIterator<Item = Expr>) -> Expr {
        self.expr(ExprKind::BoolOp { op, values: values.into_iter().collect() })
    }

    /// `left op right`.
    #[must_use]
    pub fn compare(self, left: Expr, op: CompareOp, right: Expr) -> Expr {
        self.expr(ExprKind::Compare { left: Box::new(left), ops: vec![op], comparators: vec![right] })
    }

    /// `body if test else orelse`.
    #[must_use]
    pub fn if_exp(self, test: Expr, body: Expr, orelse: Expr) -> Expr {
        self.expr(ExprKind::IfExp { test: Box::new(test), body: Box::new(body), orelse: Box::new(orelse) })
    }

    /// `*value` of a call or display.
    #[must_use]
    pub fn starred(self, value: Expr) -> Expr {
        self.expr(ExprKind::Starred { value: Box::new(value), context: Context::Load })
    }
}

/// Statements.
impl Builder<'_> {
    /// `target = value`.
    #[must_use]
    pub fn assign(self, target: Expr, value: Expr) -> Stmt {
        self.stmt(StmtKind::Assign { targets: vec![target], value })
    }

    /// `name = value`.
    #[must_use]
    pub fn assign_name(self, name: impl Into<Name>, value: Expr) -> Stmt {
        self.assign(self.name_store(name), value)
    }

    /// An expression as a statement.
    #[must_use]
    pub fn expr_stmt(self, value: Expr) -> Stmt {
        self.stmt(StmtKind::Expr(value))
    }

    /// `return value`.
    #[must_use]
    pub fn return_value(self, value: Expr) -> Stmt {
        self.stmt(StmtKind::Return(Some(value)))
    }

    /// `if test: body else: orelse`; no `else` for an empty `orelse`.
    #[must_use]
    pub fn if_stmt(self, test: Expr, body: Vec<Stmt>, orelse: Vec<Stmt>) -> Stmt {
        self.stmt(StmtKind::If { test, body, orelse })
    }

    /// `while test: body`.
    #[must_use]
    pub fn while_stmt(self, test: Expr, body: Vec<Stmt>) -> Stmt {
        self.stmt(StmtKind::While { test, body, orelse: Vec::new() })
    }

    /// `for target in iter: body`.
    #[must_use]
    pub fn for_stmt(self, target: Expr, iter: Expr, body: Vec<Stmt>) -> Stmt {
        self.stmt(StmtKind::For { target: Box::new(target), iter, body, orelse: Vec::new(), is_async: false })
    }

    /// `def name(params): body`.
    #[must_use]
    pub fn function_def(self, name: impl Into<Name>, params: Params, body: Vec<Stmt>) -> Stmt {
        self.stmt(StmtKind::FunctionDef(Box::new(FunctionDef {
            name: name.into(),
            name_span: self.origin,
            decorators: Vec::new(),
            type_params: Vec::new(),
            params,
            returns: None,
            body,
            is_async: false,
        })))
    }

    /// A parameter without annotation and default.
    #[must_use]
    pub fn param(self, name: impl Into<Name>) -> Param {
        Param { id: self.id(), span: self.origin, name: name.into(), annotation: None, default: None }
    }

    /// Ordinary parameters without annotations and defaults.
    #[must_use]
    pub fn params<N: Into<Name>>(self, names: impl IntoIterator<Item = N>) -> Params {
        let positional = names.into_iter().map(|name| self.param(name)).collect();
        Params { positional, ..Params::default() }
    }

    /// `nonlocal names`.
    #[must_use]
    pub fn nonlocal(self, names: Vec<Name>) -> Stmt {
        self.stmt(StmtKind::Nonlocal(names))
    }

    /// `global names`.
    #[must_use]
    pub fn global(self, names: Vec<Name>) -> Stmt {
        self.stmt(StmtKind::Global(names))
    }

    /// `pass`.
    #[must_use]
    pub fn pass(self) -> Stmt {
        self.stmt(StmtKind::Pass)
    }
}
