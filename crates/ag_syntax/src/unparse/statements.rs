//! Writing statements.

use super::Emitter;
use super::precedence::{Precedence, binary_text};
use crate::tree::{
    Alias, ClassDef, ExceptHandler, Expr, ExprKind, FunctionDef, MatchCase, Name, Stmt, StmtKind, TypeParam,
    TypeParamKind, WithItem,
};

impl Emitter<'_> {
    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        if let Some(comment) = self.comments.and_then(|comments| comments.get(&stmt.id)) {
            self.indent();
            self.push(&format!("# {comment}\n"));
        }
        self.indent();
        self.mapped(stmt.span, |emitter| emitter.stmt_kind(stmt));
    }

    fn stmt_kind(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(def) => self.function_def(def),
            StmtKind::ClassDef(def) => self.class_def(def),
            StmtKind::For { target, iter, body, orelse, is_async } => {
                self.push(if *is_async { "async for " } else { "for " });
                self.tuple_or_expr(target);
                self.push(" in ");
                self.tuple_or_expr(iter);
                self.block(body);
                self.clause("else", orelse);
            }
            StmtKind::While { test, body, orelse } => {
                self.push("while ");
                self.named_or_expr(test);
                self.block(body);
                self.clause("else", orelse);
            }
            StmtKind::If { test, body, orelse } => self.if_stmt("if ", test, body, orelse),
            StmtKind::With { items, body, is_async } => {
                self.push(if *is_async { "async with " } else { "with " });
                self.with_items(items);
                self.block(body);
            }
            StmtKind::Match { subject, cases } => {
                self.push("match ");
                self.expr(subject, Precedence::Test);
                self.push(":\n");
                self.indentation += 1;
                for case in cases {
                    self.match_case(case);
                }
                self.indentation -= 1;
            }
            StmtKind::Try { body, handlers, orelse, finalbody, is_star } => {
                self.push("try");
                self.block(body);
                for handler in handlers {
                    self.handler(handler, *is_star);
                }
                self.clause("else", orelse);
                self.clause("finally", finalbody);
            }
            _ => {
                self.simple_stmt(stmt);
                self.push("\n");
            }
        }
    }

    fn simple_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Return(value) => {
                self.push("return");
                if let Some(value) = value {
                    self.push(" ");
                    self.tuple_or_expr(value);
                }
            }
            StmtKind::Delete(targets) => {
                self.push("del ");
                self.separated(targets, |emitter, target| emitter.expr(target, Precedence::Test));
            }
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    self.tuple_or_expr(target);
                    self.push(" = ");
                }
                self.tuple_or_yield(value);
            }
            StmtKind::AugAssign { target, op, value } => {
                self.expr(target, Precedence::Atom);
                self.push(" ");
                self.push(binary_text(*op));
                self.push("= ");
                self.tuple_or_yield(value);
            }
            StmtKind::AnnAssign { target, annotation, value, simple } => {
                let is_name = matches!(target.kind, ExprKind::Name { .. });
                if is_name && !simple {
                    self.bracketed("(", ")", |emitter| emitter.expr(target, Precedence::Atom));
                } else {
                    self.expr(target, Precedence::Atom);
                }
                self.push(": ");
                self.expr(annotation, Precedence::Test);
                if let Some(value) = value {
                    self.push(" = ");
                    self.tuple_or_yield(value);
                }
            }
            StmtKind::TypeAlias { name, type_params, value } => {
                self.push("type ");
                self.expr(name, Precedence::Atom);
                self.type_params(type_params);
                self.push(" = ");
                self.expr(value, Precedence::Test);
            }
            StmtKind::Raise { exc, cause } => {
                self.push("raise");
                if let Some(exc) = exc {
                    self.push(" ");
                    self.expr(exc, Precedence::Test);
                }
                if let Some(cause) = cause {
                    self.push(" from ");
                    self.expr(cause, Precedence::Test);
                }
            }
            StmtKind::Assert { test, msg } => {
                self.push("assert ");
                self.expr(test, Precedence::Test);
                if let Some(msg) = msg {
                    self.push(", ");
                    self.expr(msg, Precedence::Test);
                }
            }
            StmtKind::Expr(value) => self.tuple_or_yield(value),
            _ => self.names_stmt(stmt),
        }
    }

    /// The statements that hold names only.
    fn names_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Import(aliases) => {
                self.push("import ");
                self.aliases(aliases);
            }
            StmtKind::ImportFrom { module, names, level } => {
                self.push("from ");
                self.push(&".".repeat(*level as usize));
                if let Some(module) = module {
                    self.push(module);
                }
                self.push(" import ");
                self.aliases(names);
            }
            StmtKind::Global(names) => self.names("global ", names),
            StmtKind::Nonlocal(names) => self.names("nonlocal ", names),
            StmtKind::Break => self.push("break"),
            StmtKind::Continue => self.push("continue"),
            _ => self.push("pass"),
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.indentation {
            self.push("    ");
        }
    }

    /// `:` and an indented block; an empty one is `pass`.
    fn block(&mut self, body: &[Stmt]) {
        self.push(":\n");
        self.indentation += 1;
        for stmt in body {
            self.stmt(stmt);
        }
        if body.is_empty() {
            self.indent();
            self.push("pass\n");
        }
        self.indentation -= 1;
    }

    /// `else` or `finally` with its block, if there is anything in it.
    fn clause(&mut self, keyword: &str, body: &[Stmt]) {
        if !body.is_empty() {
            self.indent();
            self.push(keyword);
            self.block(body);
        }
    }

    fn if_stmt(&mut self, keyword: &str, test: &Expr, body: &[Stmt], orelse: &[Stmt]) {
        self.push(keyword);
        self.named_or_expr(test);
        self.block(body);
        match orelse {
            [Stmt { kind: StmtKind::If { test, body, orelse }, span, .. }] => {
                self.indent();
                self.mapped(*span, |emitter| emitter.if_stmt("elif ", test, body, orelse));
            }
            _ => self.clause("else", orelse),
        }
    }

    fn decorators(&mut self, decorators: &[Expr]) {
        for decorator in decorators {
            self.push("@");
            self.named_or_expr(decorator);
            self.push("\n");
            self.indent();
        }
    }

    fn function_def(&mut self, def: &FunctionDef) {
        self.decorators(&def.decorators);
        self.push(if def.is_async { "async def " } else { "def " });
        self.push(&def.name);
        self.type_params(&def.type_params);
        self.bracketed("(", ")", |emitter| emitter.params(&def.params));
        if let Some(returns) = &def.returns {
            self.push(" -> ");
            self.expr(returns, Precedence::Test);
        }
        self.block(&def.body);
    }

    fn class_def(&mut self, def: &ClassDef) {
        self.decorators(&def.decorators);
        self.push("class ");
        self.push(&def.name);
        self.type_params(&def.type_params);
        if !def.bases.is_empty() || !def.keywords.is_empty() {
            self.bracketed("(", ")", |emitter| emitter.arguments(&def.bases, &def.keywords));
        }
        self.block(&def.body);
    }

    fn type_params(&mut self, params: &[TypeParam]) {
        if params.is_empty() {
            return;
        }
        self.bracketed("[", "]", |emitter| {
            emitter.separated(params, |emitter, param| {
                emitter.push(match param.kind {
                    TypeParamKind::TypeVar => "",
                    TypeParamKind::TypeVarTuple => "*",
                    TypeParamKind::ParamSpec => "**",
                });
                emitter.push(&param.name);
                if let Some(bound) = &param.bound {
                    emitter.push(": ");
                    emitter.expr(bound, Precedence::Test);
                }
                if let Some(default) = &param.default {
                    emitter.push(" = ");
                    emitter.expr(default, Precedence::Test);
                }
            });
        });
    }

    fn with_items(&mut self, items: &[WithItem]) {
        match items {
            // `with (a, b):` would be two items.
            [WithItem { context, target: None }] if Precedence::of(context) == Precedence::Tuple => {
                self.bracketed("(", ")", |emitter| emitter.expr(context, Precedence::Test));
            }
            _ => self.separated(items, |emitter, item| {
                emitter.expr(&item.context, Precedence::Test);
                if let Some(target) = &item.target {
                    emitter.push(" as ");
                    emitter.expr(target, Precedence::Test);
                }
            }),
        }
    }

    fn match_case(&mut self, case: &MatchCase) {
        self.indent();
        self.push("case ");
        self.pattern(&case.pattern);
        if let Some(guard) = &case.guard {
            self.push(" if ");
            self.named_or_expr(guard);
        }
        self.block(&case.body);
    }

    fn handler(&mut self, handler: &ExceptHandler, is_star: bool) {
        self.indent();
        self.push(if is_star { "except*" } else { "except" });
        if let Some(kind) = &handler.kind {
            self.push(" ");
            self.expr(kind, Precedence::Test);
        }
        if let Some(name) = &handler.name {
            self.push(" as ");
            self.push(name);
        }
        self.block(&handler.body);
    }

    fn aliases(&mut self, aliases: &[Alias]) {
        self.separated(aliases, |emitter, alias| {
            emitter.push(&alias.name);
            if let Some(name) = &alias.asname {
                emitter.push(" as ");
                emitter.push(name);
            }
        });
    }

    fn names(&mut self, keyword: &str, names: &[Name]) {
        self.push(keyword);
        self.separated(names, |emitter, name| emitter.push(name));
    }
}
