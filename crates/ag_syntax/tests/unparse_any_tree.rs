//! Any tree that a pass may build is written as text that parses to the same tree.

#![allow(clippy::unwrap_used)]

use ag_errors::Span;
use ag_syntax::tree::{
    BinaryOp, BoolOp, CompareOp, Comprehension, ConstantKind, Context, Expr, ExprKind, Keyword, NodeId,
    Param, Params, Stmt, StmtKind, UnaryOp, WithItem,
};
use ag_syntax::visit::{VisitorMut, mutable};
use ag_syntax::{parse_module, set_context, unparse};
use proptest::prelude::*;

fn expr(kind: ExprKind) -> Expr {
    Expr { id: NodeId(0), span: Span::default(), kind }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { id: NodeId(0), span: Span::default(), kind }
}

fn constant(kind: ConstantKind, text: &str) -> Expr {
    expr(ExprKind::Constant { kind, text: text.into() })
}

fn name(name: &str) -> Expr {
    expr(ExprKind::Name { name: name.into(), context: Context::Load })
}

fn leaf() -> impl Strategy<Value = Expr> {
    prop_oneof![
        prop::sample::select(vec!["a", "b", "match", "type", "case", "_"]).prop_map(name),
        Just(constant(ConstantKind::Int, "1")),
        Just(constant(ConstantKind::Int, "0xe")),
        Just(constant(ConstantKind::Float, "1e5")),
        Just(constant(ConstantKind::Complex, "2.j")),
        Just(constant(ConstantKind::Str, "'s' \"t\"")),
        Just(constant(ConstantKind::Str, "'s'\n't'")),
        Just(constant(ConstantKind::Ellipsis, "...")),
        Just(constant(ConstantKind::None, "None")),
        Just(expr(ExprKind::Yield(None))),
    ]
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    prop::sample::select(vec![
        Add, Sub, Mult, MatMult, Div, Mod, Pow, LShift, RShift, BitOr, BitXor, BitAnd, FloorDiv,
    ])
}

fn compare_op() -> impl Strategy<Value = CompareOp> {
    use CompareOp::*;
    prop::sample::select(vec![Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn])
}

fn param(name: &str, default: Option<Expr>) -> Param {
    Param { id: NodeId(0), span: Span::default(), name: name.into(), annotation: None, default }
}

fn starred(value: Expr) -> Expr {
    expr(ExprKind::Starred { value: Box::new(value), context: Context::Load })
}

fn comprehension(iter: Expr, condition: Option<Expr>, target: Expr) -> Vec<Comprehension> {
    vec![Comprehension { target, iter, conditions: condition.into_iter().collect(), is_async: false }]
}

/// Something that can be assigned to.
fn target(value: Expr) -> impl Strategy<Value = Expr> {
    let attribute =
        ExprKind::Attribute { value: Box::new(value.clone()), attr: "x".into(), context: Context::Load };
    let index = Box::new(expr(ExprKind::Tuple { elements: vec![value.clone()], context: Context::Load }));
    let subscript = ExprKind::Subscript { value: Box::new(value), index, context: Context::Load };
    let single = prop::sample::select(vec![name("t"), expr(attribute), expr(subscript)]);
    let several = prop::collection::vec(single.clone(), 1..3);
    prop_oneof![
        2 => single,
        1 => several.prop_map(|elements| expr(ExprKind::Tuple { elements, context: Context::Load })),
    ]
    .prop_map(|mut target| {
        set_context(&mut target, Context::Store);
        target
    })
}

/// Kinds with operators.
fn operators(inner: impl Strategy<Value = Expr> + Clone + 'static) -> BoxedStrategy<ExprKind> {
    let boxed = || inner.clone().prop_map(Box::new);
    let several = || prop::collection::vec(inner.clone(), 2..4);
    prop_oneof![
        (prop::sample::select(vec![BoolOp::And, BoolOp::Or]), several())
            .prop_map(|(op, values)| ExprKind::BoolOp { op, values }),
        boxed().prop_map(|value| ExprKind::Named { target: Box::new(store("n")), value }),
        (boxed(), binary_op(), boxed()).prop_map(|(left, op, right)| ExprKind::Binary { left, op, right }),
        (prop::sample::select(vec![UnaryOp::Invert, UnaryOp::Not, UnaryOp::UAdd, UnaryOp::USub]), boxed())
            .prop_map(|(op, operand)| ExprKind::Unary { op, operand }),
        (boxed(), boxed(), boxed()).prop_map(|(test, body, orelse)| ExprKind::IfExp { test, body, orelse }),
        (boxed(), prop::collection::vec((compare_op(), inner.clone()), 1..3)).prop_map(|(left, rest)| {
            let (ops, comparators) = rest.into_iter().unzip();
            ExprKind::Compare { left, ops, comparators }
        }),
        boxed().prop_map(ExprKind::Await),
        boxed().prop_map(|value| ExprKind::Yield(Some(value))),
        boxed().prop_map(ExprKind::YieldFrom),
        (prop::option::of(inner.clone()), boxed()).prop_map(|(default, body)| {
            let positional = vec![param("p", default)];
            ExprKind::Lambda { params: Box::new(Params { positional, ..Params::default() }), body }
        }),
    ]
    .boxed()
}

fn store(text: &str) -> Expr {
    expr(ExprKind::Name { name: text.into(), context: Context::Store })
}

/// Kinds with brackets.
fn brackets(inner: impl Strategy<Value = Expr> + Clone + 'static) -> BoxedStrategy<ExprKind> {
    let boxed = || inner.clone().prop_map(Box::new);
    let element = || prop_oneof![4 => inner.clone(), 1 => inner.clone().prop_map(starred)];
    let elements = || prop::collection::vec(element(), 0..3);
    let generators = || {
        (inner.clone(), prop::option::of(inner.clone()), inner.clone().prop_flat_map(target))
            .prop_map(|(iter, condition, target)| comprehension(iter, condition, target))
    };
    let keyword = (prop::option::of(Just("k".into())), inner.clone()).prop_map(|(name, value)| Keyword {
        span: Span::default(),
        name,
        value,
    });
    let slice = prop::option::of(boxed());
    prop_oneof![
        (boxed(), elements(), prop::collection::vec(keyword, 0..2))
            .prop_map(|(func, args, keywords)| ExprKind::Call { func, args, keywords }),
        boxed().prop_map(|value| ExprKind::Attribute { value, attr: "x".into(), context: Context::Load }),
        (boxed(), boxed()).prop_map(|(value, index)| ExprKind::Subscript {
            value,
            index,
            context: Context::Load
        }),
        (boxed(), slice.clone(), slice.clone(), slice).prop_map(|(value, lower, upper, step)| {
            let index = Box::new(expr(ExprKind::Slice { lower, upper, step }));
            ExprKind::Subscript { value, index, context: Context::Load }
        }),
        elements().prop_map(|elements| ExprKind::Tuple { elements, context: Context::Load }),
        elements().prop_map(|elements| ExprKind::List { elements, context: Context::Load }),
        prop::collection::vec(element(), 1..3).prop_map(ExprKind::Set),
        prop::collection::vec((prop::option::of(inner.clone()), inner.clone()), 0..3)
            .prop_map(ExprKind::Dict),
        (boxed(), generators()).prop_map(|(element, generators)| ExprKind::ListComp { element, generators }),
        (boxed(), generators()).prop_map(|(element, generators)| ExprKind::SetComp { element, generators }),
        (boxed(), generators()).prop_map(|(element, generators)| ExprKind::Generator { element, generators }),
        (boxed(), boxed(), generators()).prop_map(|(key, value, generators)| ExprKind::DictComp {
            key,
            value,
            generators
        }),
    ]
    .boxed()
}

fn any_expr() -> impl Strategy<Value = Expr> + Clone {
    leaf().prop_recursive(5, 24, 3, |inner| {
        prop_oneof![operators(inner.clone()), brackets(inner)].prop_map(expr)
    })
}

fn any_stmt() -> impl Strategy<Value = Stmt> {
    let value = any_expr;
    let place = || any_expr().prop_flat_map(target);
    let body = || vec![stmt(StmtKind::Pass)];
    prop_oneof![
        value().prop_map(StmtKind::Expr),
        prop::option::of(value()).prop_map(StmtKind::Return),
        (prop::collection::vec(place(), 1..3), value())
            .prop_map(|(targets, value)| StmtKind::Assign { targets, value }),
        (value(), value()).prop_map(|(annotation, value)| {
            StmtKind::AnnAssign {
                target: Box::new(store("t")),
                annotation: Box::new(annotation),
                value: Some(value),
                simple: true,
            }
        }),
        (value(), binary_op()).prop_map(|(value, op)| StmtKind::AugAssign {
            target: Box::new(store("t")),
            op,
            value
        }),
        (value(), prop::option::of(value())).prop_map(|(test, msg)| StmtKind::Assert { test, msg }),
        (value(), prop::option::of(value()))
            .prop_map(|(exc, cause)| StmtKind::Raise { exc: Some(exc), cause }),
        (place(), value()).prop_map(move |(target, iter)| {
            StmtKind::For {
                target: Box::new(target),
                iter,
                body: body(),
                orelse: Vec::new(),
                is_async: false,
            }
        }),
        value().prop_map(move |test| StmtKind::While { test, body: body(), orelse: body() }),
        value().prop_map(move |test| StmtKind::If { test, body: body(), orelse: body() }),
        prop::collection::vec((value(), prop::option::of(place())), 1..3).prop_map(move |items| {
            let items = items.into_iter().map(|(context, target)| WithItem { context, target }).collect();
            StmtKind::With { items, body: body(), is_async: false }
        }),
    ]
    .prop_map(stmt)
}

/// Makes all ids and spans equal, so that trees can be compared by their debug text.
struct Erase;

impl VisitorMut for Erase {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        (stmt.id, stmt.span) = (NodeId(0), Span::default());
        mutable::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        (expr.id, expr.span) = (NodeId(0), Span::default());
        mutable::walk_expr(self, expr);
    }

    fn visit_param(&mut self, param: &mut Param) {
        (param.id, param.span) = (NodeId(0), Span::default());
        mutable::walk_param(self, param);
    }

    fn visit_keyword(&mut self, keyword: &mut Keyword) {
        keyword.span = Span::default();
        mutable::walk_keyword(self, keyword);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tree_survives(stmt in any_stmt()) {
        let text = unparse(std::slice::from_ref(&stmt)).text;
        let parsed = parse_module(&text);
        prop_assert!(parsed.is_ok(), "{}\n{:?}", text, parsed.err());
        let mut body = parsed.unwrap().body;
        Erase.visit_body(&mut body);
        prop_assert_eq!(body.len(), 1, "{}", &text);
        prop_assert_eq!(format!("{:?}", body[0]), format!("{stmt:?}"), "{}", text);
    }
}
