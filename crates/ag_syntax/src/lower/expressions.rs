//! Lowering of expressions and operators.

use ag_errors::catalogue;
use ruff_python_ast as ast;
use ruff_text_size::Ranged;

use super::{Lowering, context, span};
use crate::tree::{
    BinaryOp, BoolOp, CompareOp, Comprehension, ConstantKind, Expr, ExprKind, Keyword, Params, UnaryOp,
};

impl Lowering<'_> {
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        let id = self.ids.fresh();
        match self.nested(expr.range(), |lowering| lowering.expr_kind(expr)) {
            Some(kind) => Expr { id, span: span(expr.range()), kind },
            None => self.placeholder(expr.range()),
        }
    }

    pub(super) fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    pub(super) fn optional_expr(&mut self, expr: Option<&ast::Expr>) -> Option<Expr> {
        expr.map(|expr| self.expr(expr))
    }

    fn boxed(&mut self, expr: &ast::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    fn optional_boxed(&mut self, expr: Option<&ast::Expr>) -> Option<Box<Expr>> {
        expr.map(|expr| self.boxed(expr))
    }

    fn expr_kind(&mut self, expr: &ast::Expr) -> ExprKind {
        match expr {
            ast::Expr::BoolOp(node) => {
                let op = match node.op {
                    ast::BoolOp::And => BoolOp::And,
                    ast::BoolOp::Or => BoolOp::Or,
                };
                ExprKind::BoolOp { op, values: self.exprs(&node.values) }
            }
            ast::Expr::Named(node) => {
                ExprKind::Named { target: self.boxed(&node.target), value: self.boxed(&node.value) }
            }
            ast::Expr::BinOp(node) => ExprKind::Binary {
                left: self.boxed(&node.left),
                op: binary_op(node.op),
                right: self.boxed(&node.right),
            },
            ast::Expr::UnaryOp(node) => {
                ExprKind::Unary { op: unary_op(node.op), operand: self.boxed(&node.operand) }
            }
            ast::Expr::Lambda(node) => {
                let params = node.parameters.as_deref().map(|params| self.params(params));
                ExprKind::Lambda {
                    params: Box::new(params.unwrap_or_else(Params::default)),
                    body: self.boxed(&node.body),
                }
            }
            ast::Expr::If(node) => ExprKind::IfExp {
                test: self.boxed(&node.test),
                body: self.boxed(&node.body),
                orelse: self.boxed(&node.orelse),
            },
            ast::Expr::Compare(node) => ExprKind::Compare {
                left: self.boxed(&node.left),
                ops: node.ops.iter().copied().map(compare_op).collect(),
                comparators: self.exprs(&node.comparators),
            },
            ast::Expr::Call(node) => ExprKind::Call {
                func: self.boxed(&node.func),
                args: self.call_args(&node.arguments),
                keywords: self.keywords(&node.arguments.keywords),
            },
            ast::Expr::Await(node) => ExprKind::Await(self.boxed(&node.value)),
            ast::Expr::Yield(node) => ExprKind::Yield(self.optional_boxed(node.value.as_deref())),
            ast::Expr::YieldFrom(node) => ExprKind::YieldFrom(self.boxed(&node.value)),
            ast::Expr::Attribute(node) => ExprKind::Attribute {
                value: self.boxed(&node.value),
                attr: self.name(node.attr.as_str()),
                context: context(node.ctx),
            },
            ast::Expr::Subscript(node) => ExprKind::Subscript {
                value: self.boxed(&node.value),
                index: self.boxed(&node.slice),
                context: context(node.ctx),
            },
            ast::Expr::Starred(node) => {
                ExprKind::Starred { value: self.boxed(&node.value), context: context(node.ctx) }
            }
            ast::Expr::Name(node) => {
                ExprKind::Name { name: self.name(node.id.as_str()), context: context(node.ctx) }
            }
            ast::Expr::Slice(node) => ExprKind::Slice {
                lower: self.optional_boxed(node.lower.as_deref()),
                upper: self.optional_boxed(node.upper.as_deref()),
                step: self.optional_boxed(node.step.as_deref()),
            },
            display => self.display_kind(display),
        }
    }

    /// Positional arguments. A lone generator expression has the call's parentheses, as in CPython.
    fn call_args(&mut self, arguments: &ast::Arguments) -> Vec<Expr> {
        let mut args = self.exprs(&arguments.args);
        if let ([ast::Expr::Generator(generator)], [arg]) = (&*arguments.args, &mut *args)
            && !generator.parenthesized
        {
            arg.span = span(arguments.range);
        }
        args
    }

    /// Displays (`[…]`, `{…}`, tuples) and comprehensions.
    fn display_kind(&mut self, expr: &ast::Expr) -> ExprKind {
        match expr {
            ast::Expr::Dict(node) => {
                let lower =
                    |item: &ast::DictItem| (self.optional_expr(item.key.as_ref()), self.expr(&item.value));
                ExprKind::Dict(node.items.iter().map(lower).collect())
            }
            ast::Expr::Set(node) => ExprKind::Set(self.exprs(&node.elts)),
            ast::Expr::List(node) => {
                ExprKind::List { elements: self.exprs(&node.elts), context: context(node.ctx) }
            }
            ast::Expr::Tuple(node) => {
                ExprKind::Tuple { elements: self.exprs(&node.elts), context: context(node.ctx) }
            }
            ast::Expr::ListComp(node) => ExprKind::ListComp {
                element: self.boxed(&node.elt),
                generators: self.comprehensions(&node.generators),
            },
            ast::Expr::SetComp(node) => ExprKind::SetComp {
                element: self.boxed(&node.elt),
                generators: self.comprehensions(&node.generators),
            },
            ast::Expr::Generator(node) => ExprKind::Generator {
                element: self.boxed(&node.elt),
                generators: self.comprehensions(&node.generators),
            },
            ast::Expr::DictComp(node) => {
                let key = match node.key.as_deref() {
                    Some(key) => self.boxed(key),
                    None => {
                        let message = "`**` in a dictionary comprehension is not supported";
                        self.refuse(catalogue::SYNTAX_ERROR, node.range(), message);
                        Box::new(self.placeholder(node.range()))
                    }
                };
                ExprKind::DictComp {
                    key,
                    value: self.boxed(&node.value),
                    generators: self.comprehensions(&node.generators),
                }
            }
            literal => self.literal_kind(literal),
        }
    }

    /// Literals, by their source text.
    fn literal_kind(&mut self, expr: &ast::Expr) -> ExprKind {
        let kind = match expr {
            ast::Expr::FString(node) => return ExprKind::FString(Box::new(self.fstring(node))),
            ast::Expr::TString(node) => return ExprKind::FString(Box::new(self.tstring(node))),
            ast::Expr::StringLiteral(_) => ConstantKind::Str,
            ast::Expr::BytesLiteral(_) => ConstantKind::Bytes,
            ast::Expr::NumberLiteral(node) => match node.value {
                ast::Number::Int(_) => ConstantKind::Int,
                ast::Number::Float(_) => ConstantKind::Float,
                ast::Number::Complex { .. } => ConstantKind::Complex,
            },
            ast::Expr::BooleanLiteral(node) if node.value => ConstantKind::True,
            ast::Expr::BooleanLiteral(_) => ConstantKind::False,
            ast::Expr::NoneLiteral(_) => ConstantKind::None,
            ast::Expr::EllipsisLiteral(_) => ConstantKind::Ellipsis,
            other => {
                self.refuse(catalogue::SYNTAX_ERROR, other.range(), "this expression is not Python");
                ConstantKind::None
            }
        };
        ExprKind::Constant { kind, text: self.text(expr) }
    }

    pub(super) fn keywords(&mut self, keywords: &[ast::Keyword]) -> Vec<Keyword> {
        let lower = |keyword: &ast::Keyword| Keyword {
            span: span(keyword.range()),
            name: self.optional_name(keyword.arg.as_ref()),
            value: self.expr(&keyword.value),
        };
        keywords.iter().map(lower).collect()
    }

    fn comprehensions(&mut self, comprehensions: &[ast::Comprehension]) -> Vec<Comprehension> {
        let lower = |comprehension: &ast::Comprehension| Comprehension {
            target: self.expr(&comprehension.target),
            iter: self.expr(&comprehension.iter),
            conditions: self.exprs(&comprehension.ifs),
            is_async: comprehension.is_async,
        };
        comprehensions.iter().map(lower).collect()
    }
}

pub(super) fn binary_op(op: ast::Operator) -> BinaryOp {
    match op {
        ast::Operator::Add => BinaryOp::Add,
        ast::Operator::Sub => BinaryOp::Sub,
        ast::Operator::Mult => BinaryOp::Mult,
        ast::Operator::MatMult => BinaryOp::MatMult,
        ast::Operator::Div => BinaryOp::Div,
        ast::Operator::Mod => BinaryOp::Mod,
        ast::Operator::Pow => BinaryOp::Pow,
        ast::Operator::LShift => BinaryOp::LShift,
        ast::Operator::RShift => BinaryOp::RShift,
        ast::Operator::BitOr => BinaryOp::BitOr,
        ast::Operator::BitXor => BinaryOp::BitXor,
        ast::Operator::BitAnd => BinaryOp::BitAnd,
        ast::Operator::FloorDiv => BinaryOp::FloorDiv,
    }
}

fn unary_op(op: ast::UnaryOp) -> UnaryOp {
    match op {
        ast::UnaryOp::Invert => UnaryOp::Invert,
        ast::UnaryOp::Not => UnaryOp::Not,
        ast::UnaryOp::UAdd => UnaryOp::UAdd,
        ast::UnaryOp::USub => UnaryOp::USub,
    }
}

fn compare_op(op: ast::CmpOp) -> CompareOp {
    match op {
        ast::CmpOp::Eq => CompareOp::Eq,
        ast::CmpOp::NotEq => CompareOp::NotEq,
        ast::CmpOp::Lt => CompareOp::Lt,
        ast::CmpOp::LtE => CompareOp::LtE,
        ast::CmpOp::Gt => CompareOp::Gt,
        ast::CmpOp::GtE => CompareOp::GtE,
        ast::CmpOp::Is => CompareOp::Is,
        ast::CmpOp::IsNot => CompareOp::IsNot,
        ast::CmpOp::In => CompareOp::In,
        ast::CmpOp::NotIn => CompareOp::NotIn,
    }
}
