//! Lowering of statements, definitions and their parameters.

use ag_errors::catalogue;
use ruff_python_ast as ast;
use ruff_text_size::{Ranged, TextSize};

use super::{Lowering, span};
use crate::lower::expressions::binary_op;
use crate::tree::{
    Alias, ClassDef, ExceptHandler, Expr, FunctionDef, MatchCase, Param, Params, Stmt, StmtKind, TypeParam,
    TypeParamKind, WithItem,
};

impl Lowering<'_> {
    pub(super) fn stmt(&mut self, stmt: &ast::Stmt) -> Stmt {
        let id = self.ids.fresh();
        let kind = self.nested(stmt.range(), |lowering| lowering.stmt_kind(stmt));
        Stmt { id, span: span(stmt.range()), kind: kind.unwrap_or(StmtKind::Pass) }
    }

    fn stmt_kind(&mut self, stmt: &ast::Stmt) -> StmtKind {
        match stmt {
            ast::Stmt::FunctionDef(def) => StmtKind::FunctionDef(Box::new(self.function_def(def))),
            ast::Stmt::ClassDef(def) => StmtKind::ClassDef(Box::new(self.class_def(def))),
            ast::Stmt::Return(node) => StmtKind::Return(self.optional_expr(node.value.as_deref())),
            ast::Stmt::Delete(node) => StmtKind::Delete(self.exprs(&node.targets)),
            ast::Stmt::TypeAlias(node) => StmtKind::TypeAlias {
                name: self.expr(&node.name),
                type_params: self.type_params(node.type_params.as_deref()),
                value: Box::new(self.expr(&node.value)),
            },
            ast::Stmt::Assign(node) => {
                StmtKind::Assign { targets: self.exprs(&node.targets), value: self.expr(&node.value) }
            }
            ast::Stmt::AugAssign(node) => StmtKind::AugAssign {
                target: Box::new(self.expr(&node.target)),
                op: binary_op(node.op),
                value: self.expr(&node.value),
            },
            ast::Stmt::AnnAssign(node) => StmtKind::AnnAssign {
                target: Box::new(self.expr(&node.target)),
                annotation: Box::new(self.expr(&node.annotation)),
                value: self.optional_expr(node.value.as_deref()),
                simple: node.simple,
            },
            ast::Stmt::For(node) => StmtKind::For {
                target: Box::new(self.expr(&node.target)),
                iter: self.expr(&node.iter),
                body: self.body(&node.body),
                orelse: self.body(&node.orelse),
                is_async: node.is_async,
            },
            ast::Stmt::While(node) => StmtKind::While {
                test: self.expr(&node.test),
                body: self.body(&node.body),
                orelse: self.body(&node.orelse),
            },
            ast::Stmt::If(node) => StmtKind::If {
                test: self.expr(&node.test),
                body: self.body(&node.body),
                orelse: self.elif_else(&node.elif_else_clauses, node.range.end()),
            },
            ast::Stmt::With(node) => StmtKind::With {
                items: node.items.iter().map(|item| self.with_item(item)).collect(),
                body: self.body(&node.body),
                is_async: node.is_async,
            },
            ast::Stmt::Match(node) => StmtKind::Match {
                subject: self.expr(&node.subject),
                cases: node.cases.iter().map(|case| self.match_case(case)).collect(),
            },
            ast::Stmt::Try(node) => StmtKind::Try {
                body: self.body(&node.body),
                handlers: node.handlers.iter().map(|handler| self.handler(handler)).collect(),
                orelse: self.body(&node.orelse),
                finalbody: self.body(&node.finalbody),
                is_star: node.is_star,
            },
            simple => self.simple_stmt_kind(simple),
        }
    }

    /// The statements without expressions to bind and without blocks.
    fn simple_stmt_kind(&mut self, stmt: &ast::Stmt) -> StmtKind {
        match stmt {
            ast::Stmt::Raise(node) => StmtKind::Raise {
                exc: self.optional_expr(node.exc.as_deref()),
                cause: self.optional_expr(node.cause.as_deref()),
            },
            ast::Stmt::Assert(node) => {
                StmtKind::Assert { test: self.expr(&node.test), msg: self.optional_expr(node.msg.as_deref()) }
            }
            ast::Stmt::Import(node) => StmtKind::Import(self.aliases(&node.names)),
            ast::Stmt::ImportFrom(node) => StmtKind::ImportFrom {
                module: self.optional_name(node.module.as_ref()),
                names: self.aliases(&node.names),
                level: node.level,
            },
            ast::Stmt::Global(node) => {
                StmtKind::Global(node.names.iter().map(|name| self.name(name.as_str())).collect())
            }
            ast::Stmt::Nonlocal(node) => {
                StmtKind::Nonlocal(node.names.iter().map(|name| self.name(name.as_str())).collect())
            }
            ast::Stmt::Expr(node) => StmtKind::Expr(self.expr(&node.value)),
            ast::Stmt::Pass(_) => StmtKind::Pass,
            ast::Stmt::Break(_) => StmtKind::Break,
            ast::Stmt::Continue(_) => StmtKind::Continue,
            other => {
                self.refuse(catalogue::SYNTAX_ERROR, other.range(), "this statement is not Python");
                StmtKind::Pass
            }
        }
    }

    /// `elif a: … else: …` as the `orelse` of its `if`: one nested `If`, or the `else` block.
    /// The nested `If` spans from `elif` to the end of the whole statement, as in CPython.
    fn elif_else(&mut self, clauses: &[ast::ElifElseClause], end: TextSize) -> Vec<Stmt> {
        let Some((clause, rest)) = clauses.split_first() else { return Vec::new() };
        let Some(test) = &clause.test else { return self.body(&clause.body) };
        let id = self.ids.fresh();
        let range = ruff_text_size::TextRange::new(clause.range.start(), end);
        let kind = self.nested(range, |lowering| StmtKind::If {
            test: lowering.expr(test),
            body: lowering.body(&clause.body),
            orelse: lowering.elif_else(rest, end),
        });
        vec![Stmt { id, span: span(range), kind: kind.unwrap_or(StmtKind::Pass) }]
    }

    fn function_def(&mut self, def: &ast::StmtFunctionDef) -> FunctionDef {
        FunctionDef {
            name: self.name(def.name.as_str()),
            name_span: span(def.name.range()),
            decorators: self.decorators(&def.decorator_list),
            type_params: self.type_params(def.type_params.as_deref()),
            params: self.params(&def.parameters),
            returns: self.optional_expr(def.returns.as_deref()),
            body: self.body(&def.body),
            is_async: def.is_async,
        }
    }

    fn class_def(&mut self, def: &ast::StmtClassDef) -> ClassDef {
        let name = self.name(def.name.as_str());
        let decorators = self.decorators(&def.decorator_list);
        let type_params = self.type_params(def.type_params.as_deref());
        let (bases, keywords) = match def.arguments.as_deref() {
            Some(arguments) => (self.exprs(&arguments.args), self.keywords(&arguments.keywords)),
            None => (Vec::new(), Vec::new()),
        };
        ClassDef { name, decorators, type_params, bases, keywords, body: self.body(&def.body) }
    }

    fn decorators(&mut self, decorators: &[ast::Decorator]) -> Vec<Expr> {
        decorators.iter().map(|decorator| self.expr(&decorator.expression)).collect()
    }

    pub(super) fn params(&mut self, params: &ast::Parameters) -> Params {
        Params {
            positional_only: self.params_with_defaults(&params.posonlyargs),
            positional: self.params_with_defaults(&params.args),
            vararg: params.vararg.as_deref().map(|param| self.param(param, None)),
            keyword_only: self.params_with_defaults(&params.kwonlyargs),
            kwarg: params.kwarg.as_deref().map(|param| self.param(param, None)),
        }
    }

    fn params_with_defaults(&mut self, params: &[ast::ParameterWithDefault]) -> Vec<Param> {
        params.iter().map(|param| self.param(&param.parameter, param.default.as_deref())).collect()
    }

    fn param(&mut self, param: &ast::Parameter, default: Option<&ast::Expr>) -> Param {
        Param {
            id: self.ids.fresh(),
            span: span(param.range()),
            name: self.name(param.name.as_str()),
            annotation: self.optional_expr(param.annotation.as_deref()),
            default: self.optional_expr(default),
        }
    }

    fn type_params(&mut self, params: Option<&ast::TypeParams>) -> Vec<TypeParam> {
        let params = params.map_or(&[][..], |params| &params.type_params);
        params.iter().map(|param| self.type_param(param)).collect()
    }

    fn type_param(&mut self, param: &ast::TypeParam) -> TypeParam {
        let (kind, name, bound, default) = match param {
            ast::TypeParam::TypeVar(node) => {
                (TypeParamKind::TypeVar, &node.name, node.bound.as_deref(), node.default.as_deref())
            }
            ast::TypeParam::TypeVarTuple(node) => {
                (TypeParamKind::TypeVarTuple, &node.name, None, node.default.as_deref())
            }
            ast::TypeParam::ParamSpec(node) => {
                (TypeParamKind::ParamSpec, &node.name, None, node.default.as_deref())
            }
        };
        TypeParam {
            span: span(param.range()),
            name: self.name(name.as_str()),
            kind,
            bound: self.optional_expr(bound),
            default: self.optional_expr(default),
        }
    }

    fn with_item(&mut self, item: &ast::WithItem) -> WithItem {
        WithItem {
            context: self.expr(&item.context_expr),
            target: self.optional_expr(item.optional_vars.as_deref()),
        }
    }

    fn match_case(&mut self, case: &ast::MatchCase) -> MatchCase {
        MatchCase {
            span: span(case.range()),
            pattern: self.pattern(&case.pattern),
            guard: self.optional_expr(case.guard.as_deref()),
            body: self.body(&case.body),
        }
    }

    fn handler(&mut self, handler: &ast::ExceptHandler) -> ExceptHandler {
        let ast::ExceptHandler::ExceptHandler(handler) = handler;
        ExceptHandler {
            span: span(handler.range()),
            kind: self.optional_expr(handler.type_.as_deref()),
            name: self.optional_name(handler.name.as_ref()),
            body: self.body(&handler.body),
        }
    }

    fn aliases(&mut self, aliases: &[ast::Alias]) -> Vec<Alias> {
        let lower = |alias: &ast::Alias| Alias {
            name: self.name(alias.name.as_str()),
            asname: self.optional_name(alias.asname.as_ref()),
        };
        aliases.iter().map(lower).collect()
    }
}
