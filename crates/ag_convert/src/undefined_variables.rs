//! Variables that may be unbound hold `Undefined`, and are checked where they are read.
//!
//! ```python
//! def f(c):                 def f(c):
//!     if c:                     x = ag__.Undefined('x')
//!         x = 1        →        if c:
//!     return x                      x = 1
//!                               return ag__.ld(x)
//! ```
//!
//! Only variables that several blocks of converted statements share need it, and only reads that may see them
//! unbound are checked. `ag__.ld_free` is for reads from inner functions, for which CPython has another
//! error. `del` and the end of `except E as x` make a variable undefined again.
//!
//! A lambda has no statement that could make its own variables undefined. If an operator's operand reads one,
//! Python's error is translated to that of the lambda:
//!
//! ```python
//! lambda: (y := 1 if c else y)    lambda: (y := ag__.if_exp(c, lambda: 1, lambda: ag__.ld_own(lambda: y)))
//! ```

use std::collections::HashSet;

use ag_analysis::{Resolution, Scope, ScopeId, ScopeKind};
use ag_errors::Span;
use ag_syntax::mangled;
use ag_syntax::tree::{
    Comprehension, Context, ExceptHandler, Expr, ExprKind, Name, NodeId, Params, Stmt, StmtKind,
};
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::{walk_body, walk_expr, walk_stmt};

use crate::context::Conversion;
use crate::homes::Uses;
use crate::lazy::lazy;
use crate::template_strings::TemplateNames;

/// Runs the pass.
pub(crate) fn rewrite(body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    let mut reified = Vec::new();
    for (node, function) in &conversion.functions {
        if !function.reified.is_empty() {
            reified.push((function.scope, *node));
        }
    }
    if !reified.is_empty() || conversion.scopes.iter().any(is_lambda_with_variables) {
        Checks { conversion, reified, scope: None, is_in_operand: false }.visit_body(body);
    }
}

fn is_lambda_with_variables(scope: &Scope) -> bool {
    scope.kind == ScopeKind::Lambda
        && scope.symbols.values().any(|symbol| symbol.is_bound && !symbol.is_parameter)
}

/// How a read is checked.
enum Check {
    Plain,
    Local,
    /// In a comprehension, which is a function before CPython 3.12 and inlined from then on.
    Inlined,
    Free,
    /// In an operator's operand, for a variable of the enclosing lambda.
    Own,
}

struct Checks<'a> {
    conversion: &'a mut Conversion,
    /// Functions with reified variables.
    reified: Vec<(ScopeId, NodeId)>,
    scope: Option<ScopeId>,
    /// Whether the walk is in a lambda that the conversion has made.
    is_in_operand: bool,
}

impl Checks<'_> {
    /// The function that owns a name here, if it is one of its reified variables.
    fn owner(&self, name: &str) -> Option<(ScopeId, NodeId)> {
        let scope = self.scope?;
        let scopes = &self.conversion.scopes;
        let class = scopes.scope(scope).private_class.as_deref();
        let mangled = class.and_then(|class| mangled(name, class));
        let name = mangled.as_deref().unwrap_or(name);
        let owner = match scopes.resolve_name(scope, name) {
            Resolution::Local | Resolution::Cell => scope,
            Resolution::Free(owner) => owner,
            Resolution::Global => return None,
        };
        let found = *self.reified.iter().find(|(scope, _)| *scope == owner)?;
        self.conversion.functions[&found.1].reified.contains(name).then_some(found)
    }

    /// Whether a name is bound by `:=` in the lambda around the current operand.
    fn is_own_of_lambda(&self, name: &str) -> bool {
        let Some(scope) = self.scope.filter(|_| self.is_in_operand) else { return false };
        let scope = self.conversion.scopes.scope(scope);
        is_lambda_with_variables(scope)
            && scope.symbols.get(name).is_some_and(|symbol| symbol.is_bound && !symbol.is_parameter)
    }

    fn check(&self, name: &str, id: NodeId) -> Check {
        if self.is_own_of_lambda(name) {
            return Check::Own;
        }
        let Some((owner, node)) = self.owner(name) else { return Check::Plain };
        if self.conversion.functions[&node].facts.unbound_reads.contains(&id) {
            return self.kind_of_read(owner);
        }
        let (mut scope, mut is_of_step) = (self.scope, false);
        while let Some(current) = scope.filter(|current| *current != owner) {
            let around = self.conversion.scopes.scope(current);
            if !matches!(around.kind, ScopeKind::Comprehension | ScopeKind::Class) && !self.is_step(current) {
                return Check::Free;
            }
            is_of_step |= self.is_step(current);
            scope = around.parent;
        }
        if is_of_step { Check::Local } else { Check::Plain }
    }

    /// Whether a scope is that of a generator's steps, to whose user the variables are its own.
    fn is_step(&self, scope: ScopeId) -> bool {
        self.conversion.step.is_some_and(|step| self.conversion.scopes.of_node(step) == Some(scope))
    }

    /// The kind of error that CPython raises for a read here of a variable of `owner`.
    fn kind_of_read(&self, owner: ScopeId) -> Check {
        let mut check = Check::Local;
        let mut scope = self.scope;
        while let Some(current) = scope.filter(|current| *current != owner) {
            let around = self.conversion.scopes.scope(current);
            match around.kind {
                ScopeKind::Comprehension => check = Check::Inlined,
                _ if self.is_step(current) => {}
                _ => return Check::Free,
            }
            scope = around.parent;
        }
        check
    }

    /// `ag__.ld(name)`, if a check is needed.
    fn checked(&mut self, name: &Name, id: NodeId, span: Span) -> Option<Expr> {
        let operator = match self.check(name, id) {
            Check::Plain => return None,
            Check::Local => "ld",
            Check::Inlined => "ld_inlined",
            Check::Free => "ld_free",
            Check::Own => "ld_own",
        };
        let read = Expr {
            id: self.conversion.builder(span).id(),
            span,
            kind: ExprKind::Name { name: name.clone(), context: Context::Load },
        };
        let read = if operator == "ld_own" { lazy(read, self.conversion) } else { read };
        Some(self.conversion.call(span, operator, [read]))
    }

    fn check_statement(&mut self, target: &Expr) -> Option<Stmt> {
        let ExprKind::Name { name, .. } = &target.kind else { return None };
        let check = self.checked(name, target.id, target.span)?;
        Some(self.conversion.builder(target.span).expr_stmt(check))
    }

    fn inside(&mut self, node: NodeId, visit: impl FnOnce(&mut Self)) {
        let around = (self.scope, self.is_in_operand);
        let scope = self.conversion.scopes.of_node(node);
        self.is_in_operand = scope.is_none();
        self.scope = scope.or(self.scope);
        visit(self);
        (self.scope, self.is_in_operand) = around;
    }

    fn defaults(&mut self, params: &mut Params) {
        let Params { positional_only, positional, keyword_only, .. } = params;
        for param in positional_only.iter_mut().chain(positional).chain(keyword_only) {
            if let Some(default) = &mut param.default {
                self.visit_expr(default);
            }
        }
    }

    fn comprehension(&mut self, node: NodeId, elements: &mut [&mut Expr], generators: &mut [Comprehension]) {
        if let Some(first) = generators.first_mut() {
            self.visit_expr(&mut first.iter);
        }
        self.inside(node, |this| {
            for (index, generator) in generators.iter_mut().enumerate() {
                if index > 0 {
                    this.visit_expr(&mut generator.iter);
                }
                generator.conditions.iter_mut().for_each(|condition| this.visit_expr(condition));
            }
            elements.iter_mut().for_each(|element| this.visit_expr(element));
        });
    }

    fn delete(&mut self, stmt: &Stmt, targets: Vec<Expr>, out: &mut Vec<Stmt>) {
        for target in targets {
            match &target.kind {
                ExprKind::Name { name, .. } if self.owner(name).is_some() => {
                    out.extend(self.check_statement(&target));
                    out.push(self.conversion.set_undefined(stmt.span, name));
                }
                _ => out.push(self.conversion.builder(stmt.span).stmt(StmtKind::Delete(vec![target]))),
            }
        }
    }
}

impl VisitorMut for Checks<'_> {
    fn visit_body(&mut self, body: &mut Vec<Stmt>) {
        let stmts = std::mem::take(body);
        for stmt in stmts {
            let origin = Stmt { id: stmt.id, span: stmt.span, kind: StmtKind::Pass };
            match stmt.kind {
                StmtKind::Delete(targets) => self.delete(&origin, targets, body),
                StmtKind::AugAssign { ref target, .. } => {
                    body.extend(self.check_statement(target));
                    body.push(stmt);
                }
                _ => body.push(stmt),
            }
        }
        walk_body(self, body);
    }

    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => {
                def.decorators.iter_mut().for_each(|decorator| self.visit_expr(decorator));
                self.defaults(&mut def.params);
                self.inside(stmt.id, |this| this.visit_body(&mut def.body));
            }
            StmtKind::ClassDef(def) => {
                def.decorators.iter_mut().chain(&mut def.bases).for_each(|expr| self.visit_expr(expr));
                def.keywords.iter_mut().for_each(|keyword| self.visit_expr(&mut keyword.value));
                self.inside(stmt.id, |this| this.visit_body(&mut def.body));
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Name { name, context: Context::Load } => {
                let name = name.clone();
                if let Some(check) = self.checked(&name, expr.id, expr.span) {
                    *expr = check;
                }
            }
            ExprKind::FString(template) if template.is_template => {
                let reads = TemplateNames::of(template).reads;
                let mut values: Vec<Expr> =
                    reads.iter().filter_map(|(name, id, span)| self.checked(name, *id, *span)).collect();
                if !values.is_empty() {
                    let b = self.conversion.builder(expr.span);
                    let last = b.int(i64::try_from(values.len()).unwrap_or(i64::MAX));
                    let placeholder = b.none();
                    values.push(std::mem::replace(expr, placeholder));
                    let b = self.conversion.builder(expr.span);
                    *expr = b.subscript(b.tuple(values), last);
                }
            }
            ExprKind::Lambda { params, body } => {
                self.defaults(params);
                let of_comprehension = !params.positional.is_empty();
                self.inside(expr.id, |this| {
                    this.is_in_operand &= !of_comprehension;
                    this.visit_expr(body);
                });
            }
            ExprKind::ListComp { element, generators }
            | ExprKind::SetComp { element, generators }
            | ExprKind::Generator { element, generators } => {
                self.comprehension(expr.id, &mut [element], generators);
            }
            ExprKind::DictComp { key, value, generators } => {
                self.comprehension(expr.id, &mut [key, value], generators);
            }
            _ => walk_expr(self, expr),
        }
    }

    /// ```python
    /// except E as x:             except E as caught:
    ///     body             →         x = caught
    ///                                try:
    ///                                    body
    ///                                finally:
    ///                                    x = ag__.Undefined('x')
    /// ```
    fn visit_handler(&mut self, handler: &mut ExceptHandler) {
        if let Some(kind) = &mut handler.kind {
            self.visit_expr(kind);
        }
        self.visit_body(&mut handler.body);
        let Some(name) = handler.name.clone() else { return };
        if self.owner(&name).is_none() {
            return;
        }
        let caught = self.conversion.names.fresh("caught");
        handler.name = Some(caught.clone());
        let undefined = self.conversion.set_undefined(handler.span, &name);
        let b = self.conversion.builder(handler.span);
        let bind = b.assign_name(name, b.name(caught));
        let body = b.stmt(StmtKind::Try {
            body: std::mem::take(&mut handler.body),
            handlers: Vec::new(),
            orelse: Vec::new(),
            finalbody: vec![undefined],
            is_star: false,
        });
        handler.body = vec![bind, body];
    }
}

/// `x, y = ag__.Undefined('x'), ag__.Undefined('y')`.
pub(crate) fn bind_undefined(names: &[Name], span: Span, conversion: &mut Conversion) -> Option<Stmt> {
    if let [name] = names {
        return Some(conversion.set_undefined(span, name));
    }
    let mut values = Vec::new();
    for name in names {
        let text = conversion.builder(span).string(name);
        values.push(conversion.call(span, "Undefined", [text]));
    }
    let b = conversion.builder(span);
    let targets: Vec<Expr> = names.iter().map(|name| b.name_store(name.clone())).collect();
    (!names.is_empty()).then(|| b.assign(b.tuple_in(targets, Context::Store), b.tuple(values)))
}

/// The variables of a function that hold `Undefined` where Python has them unbound.
pub(crate) fn reified(
    facts: &ag_analysis::FunctionFacts,
    uses: &Uses<'_>,
    is_operator: &dyn Fn(NodeId) -> bool,
) -> HashSet<Name> {
    // A variable that only the function itself uses is unbound as in CPython, which raises the error itself.
    let is_left_to_python = |variable: u32| !uses.is_shared(variable) && uses.is_bound_by_function(variable);
    let unbound = facts.unbound_variables.iter().filter(|variable| facts.variables.is_own(*variable));
    let checked = unbound.filter(|variable| !is_left_to_python(*variable));
    // Reads in inner functions are not among those; an operator may leave their variables unbound.
    let read_inside =
        |variable: &u32| facts.captured.contains(*variable) && facts.variables.is_own(*variable);
    let deleted = uses.deleted().filter(read_inside);
    let operators = facts.branches.iter().filter(|(statement, _)| is_operator(**statement));
    let states = operators.flat_map(|(statement, branch)| {
        let unbound = |variable: &u32| branch.unbound.contains(*variable) && read_inside(variable);
        facts.state(*statement).0.into_iter().filter(unbound).collect::<Vec<_>>()
    });
    let all = checked.chain(deleted).chain(states);
    all.map(|variable| facts.variables.name(variable).clone()).collect()
}
