//! Calls of functions that write variables around them, taken out of the expressions that they stand in.
//!
//! ```text
//! y = s * step(x) + s             s_before = s
//!                                 step_value, s = step(x, s=s)
//!                                 y = s_before * step_value + s
//! ```
//!
//! What Python evaluates before the call, and the call may change, is kept.

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::{Diagnostic, Span};
use ag_syntax::tree::{
    CompareOp, ConstantKind, Context, ExceptHandler, Expr, ExprKind, FunctionDef, Keyword, Name, Stmt,
    StmtKind,
};
use ag_syntax::visit::{Visitor, VisitorMut, walk_expr, walk_stmt};
use ag_syntax::{Binding, Builder, FreshNames, Template};

use crate::adjoints::helper;
use crate::jumps::{falls_through, may_leave};
use crate::match_statements::blocks_mut;
use crate::nonlocals::Shares;
use crate::normal::{Outcome, refusal};
use crate::variables::{dotted, read_by};

/// Rewrites the calls of functions that share variables, and these functions.
pub(crate) struct SharedCalls<'a, 's> {
    pub(crate) b: Builder<'a>,
    pub(crate) fresh: FreshNames,
    pub(crate) sharing: &'s BTreeMap<Name, Shares>,
    /// Whether what is looked at stands in a `try` that goes on after a failure.
    pub(crate) is_tried: bool,
    /// Whether it is in a function that gives its failure.
    pub(crate) gives_failure: bool,
    /// The functions that are called there, and what gives their failure, instead of raising it.
    pub(crate) tried: BTreeMap<Name, Name>,
}

impl SharedCalls<'_, '_> {
    /// The statements of the function around.
    pub(crate) fn whole(&mut self, mut body: Vec<Stmt>) -> Outcome<Vec<Stmt>> {
        Readers { b: self.b, sharing: self.sharing, depth: 0 }.visit_body(&mut body);
        let plain = body.clone();
        let mut made = self.block(body, None)?;
        self.add_tried(&plain, &mut made)?;
        Ok(made)
    }

    /// The statements of a block.
    ///
    /// # Arguments
    ///
    /// * `around`: what the function around shares, if it returns variables.
    fn block(&mut self, body: Vec<Stmt>, around: Option<&Shares>) -> Outcome<Vec<Stmt>> {
        let mut made = Vec::new();
        for stmt in body {
            self.stmt(stmt, around, &mut made)?;
        }
        Ok(made)
    }

    fn stmt(&mut self, mut stmt: Stmt, around: Option<&Shares>, made: &mut Vec<Stmt>) -> Outcome<()> {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => {
                self.definition(def)?;
                made.push(stmt);
                return Ok(());
            }
            StmtKind::Expr(Expr { kind: ExprKind::Call { .. }, .. }) | StmtKind::Assign { .. } => {
                return self.statement(stmt, made);
            }
            StmtKind::AnnAssign { value: Some(value), target, .. }
                if matches!(target.kind, ExprKind::Name { .. }) =>
            {
                self.taken_out(span, value, made)?;
            }
            // The variable is read before what is added.
            StmtKind::AugAssign { target, value, .. } if matches!(&target.kind, ExprKind::Name { name, .. } if !self.is_written(name)) =>
            {
                self.taken_out(span, value, made)?;
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.taken_out(span, value, made)?;
                }
                if let Some(shares) = around {
                    *value = Some(self.returned(span, value.take(), shares));
                }
                made.push(stmt);
                return Ok(());
            }
            StmtKind::If { test, .. } => self.taken_out(span, test, made)?,
            // `while add(x) < 5: …` is `while True: value = add(x); if not value < 5: break; …`.
            StmtKind::While { test, body, orelse } if orelse.is_empty() && self.meets(test) => {
                let mut first = Vec::new();
                self.taken_out(span, test, &mut first)?;
                let b = self.b.at(span);
                let test = std::mem::replace(test, b.bool(true));
                let leave = b.if_stmt(b.not(test), vec![b.stmt(StmtKind::Break)], Vec::new());
                let rest = self.block(std::mem::take(body), around)?;
                body.extend(first.into_iter().chain([leave]).chain(rest));
                made.push(stmt);
                return Ok(());
            }
            StmtKind::For { iter, target, is_async: false, .. } => {
                self.require_none(target)?;
                self.taken_out(span, iter, made)?;
            }
            StmtKind::Match { subject, .. } => self.taken_out(span, subject, made)?,
            StmtKind::Try { body, handlers, finalbody, .. }
                if !handlers.is_empty() || self.sees_failure(finalbody) =>
            {
                if may_leave(finalbody) || handlers.iter().any(|one| takes_more(one.kind.as_ref())) {
                    self.require_none_tried(body)?;
                }
                let is_around = std::mem::replace(&mut self.is_tried, true);
                *body = self.block(std::mem::take(body), around)?;
                self.is_tried = is_around;
                for block in blocks_mut(&mut stmt).into_iter().skip(1) {
                    *block = self.block(std::mem::take(block), around)?;
                }
                self.require_no_other(&stmt)?;
                made.push(stmt);
                return Ok(());
            }
            _ => {}
        }
        for block in blocks_mut(&mut stmt) {
            *block = self.block(std::mem::take(block), around)?;
        }
        self.require_no_other(&stmt)?;
        made.push(stmt);
        Ok(())
    }

    /// `f(x)`, and `y = f(x)`.
    fn statement(&mut self, mut stmt: Stmt, made: &mut Vec<Stmt>) -> Outcome<()> {
        let b = self.b.at(stmt.span);
        match &mut stmt.kind {
            StmtKind::Expr(value) => {
                if let Some(name) = self.called(value) {
                    let shares = &self.sharing[&name];
                    let wish = format!("{name}_value");
                    let target = shares.gives.then(|| self.fresh.fresh(&wish));
                    let call = self.call(b.origin(), &name, value, made)?;
                    self.bind(b, target, (&name, shares), call, made);
                    return Ok(());
                }
                self.taken_out(b.origin(), value, made)?;
            }
            StmtKind::Assign { targets, value } => {
                targets.iter().try_for_each(|target| self.require_none(target))?;
                if let [Expr { kind: ExprKind::Name { name: target, .. }, .. }] = targets.as_slice()
                    && let Some(name) = self.called(value)
                    && !self.is_written(target)
                    && self.sharing[&name].gives
                {
                    let target = target.clone();
                    let call = self.call(b.origin(), &name, value, made)?;
                    self.bind(b, Some(target), (&name, &self.sharing[&name]), call, made);
                    return Ok(());
                }
                self.taken_out(b.origin(), value, made)?;
            }
            _ => {}
        }
        made.push(stmt);
        Ok(())
    }

    /// `target, total = call`.
    ///
    /// In a `try` that is `failed, target, total = call`, and `raise failed` after it: what the function has written
    /// before it fails stays written.
    fn bind(
        &mut self,
        b: Builder<'_>,
        target: Option<Name>,
        (name, shares): (&Name, &Shares),
        mut call: Expr,
        made: &mut Vec<Stmt>,
    ) {
        let failed = self.is_tried.then(|| self.fresh.fresh("failed"));
        if failed.is_some()
            && let ExprKind::Call { func, .. } = &mut call.kind
        {
            let fresh = &mut self.fresh;
            let tried = self.tried.entry(name.clone());
            **func = b.name(tried.or_insert_with(|| fresh.fresh(&format!("{name}_tried"))).clone());
        }
        let names: Vec<&Name> = failed.iter().chain(&target).chain(&shares.written).collect();
        made.push(match names.as_slice() {
            [] => b.expr_stmt(call),
            [only] => b.assign_name((*only).clone(), call),
            all => {
                let targets = all.iter().map(|name| b.name_store((*name).clone()));
                b.assign(b.tuple_in(targets, Context::Store), call)
            }
        });
        if let Some(failed) = failed {
            let has_failed = b.compare(b.name(failed.clone()), CompareOp::IsNot, b.none());
            let raise = b.stmt(StmtKind::Raise { exc: Some(b.name(failed)), cause: None });
            made.push(b.if_stmt(has_failed, vec![raise], Vec::new()));
        }
    }

    /// Adds the functions that give their failure.
    ///
    /// ```text
    /// def add_tried(v, *, total):
    ///     try:
    ///         total = total + root(v)
    ///         return None, total
    ///     except BaseException as failed:
    ///         return failed, total
    /// ```
    fn add_tried(&mut self, plain: &[Stmt], made: &mut Vec<Stmt>) -> Outcome<()> {
        let mut done = BTreeSet::new();
        while let Some((name, tried)) = self.tried.iter().find(|(name, _)| !done.contains(*name)) {
            let (name, tried) = (name.clone(), tried.clone());
            done.insert(name.clone());
            let is_it = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::FunctionDef(def) if def.name == name);
            let Some(stmt) = plain.iter().find(|stmt| is_it(stmt)) else {
                let message = format!("`{name}` is called in a `try`, and is defined in a branch or a loop");
                return Err(refusal(
                    self.b.origin(),
                    message,
                    "define it before, at the level of the function",
                ));
            };
            let StmtKind::FunctionDef(def) = &stmt.kind else { continue };
            let mut def = FunctionDef { name: tried, ..(**def).clone() };
            let shares = self.sharing[&name].clone();
            self.rebind(&mut def.body, &shares.written);
            (self.is_tried, self.gives_failure) = (true, true);
            let body = self.block(std::mem::take(&mut def.body), Some(&shares));
            (self.is_tried, self.gives_failure) = (false, false);
            let mut body = body?;
            undeclare(&mut body, &shares.taken);
            let b = self.b.at(def.name_span);
            let failed = self.fresh.fresh("failed");
            let given = |value: Expr, own: Option<Expr>| {
                let written = shares.written.iter().map(|name| b.name(name.clone()));
                b.return_value(b.tuple(std::iter::once(value).chain(own).chain(written)))
            };
            if falls_through(&body) {
                body.push(given(b.none(), shares.gives.then(|| b.none())));
            }
            let nothing = shares.gives.then(|| b.constant(ConstantKind::Float, "0.0"));
            let handler = ExceptHandler {
                span: def.name_span,
                kind: Some(b.name("BaseException")),
                name: Some(failed.clone()),
                // It is kept apart from what has derivatives beside it.
                body: vec![given(helper(b, "caught", [b.name(failed)]), nothing)],
            };
            def.body = vec![b.stmt(StmtKind::Try {
                body,
                handlers: vec![handler],
                orelse: Vec::new(),
                finalbody: Vec::new(),
                is_star: false,
            })];
            def.params.keyword_only.extend(shares.taken.iter().map(|name| b.param(name.clone())));
            let place = made.iter().position(is_it).unwrap_or_default();
            made.insert(place + 1, self.b.at(stmt.span).stmt(StmtKind::FunctionDef(Box::new(def))));
        }
        Ok(())
    }

    /// `total = total + v` for `total += v`, of what is not changed in place.
    fn rebind(&self, body: &mut Vec<Stmt>, names: &BTreeSet<Name>) {
        let mut made = Vec::with_capacity(body.len());
        for mut stmt in std::mem::take(body) {
            let b = self.b.at(stmt.span);
            if let StmtKind::AugAssign { target, op, value } = &stmt.kind
                && let ExprKind::Name { name, .. } = &target.kind
                && names.contains(name)
            {
                let guard = helper(b, "require_rebound", [b.name(name.clone()), b.string(name)]);
                let (left, right) = (Box::new(b.name(name.clone())), Box::new(value.clone()));
                let total = b.expr(ExprKind::Binary { left, op: *op, right });
                made.extend([b.expr_stmt(guard), b.assign_name(name.clone(), total)]);
                continue;
            }
            for block in blocks_mut(&mut stmt) {
                self.rebind(block, names);
            }
            made.push(stmt);
        }
        *body = made;
    }

    /// A call with what it is given, after the calls that stand in its arguments.
    fn call(&mut self, span: Span, name: &Name, call: &Expr, made: &mut Vec<Stmt>) -> Outcome<Expr> {
        let b = self.b.at(span);
        let mut call = call.clone();
        if let ExprKind::Call { args, keywords, .. } = &mut call.kind {
            let given = args.iter_mut().chain(keywords.iter_mut().map(|keyword| &mut keyword.value));
            self.in_order(span, given.collect(), made)?;
            let taken = self.sharing[name].taken.iter();
            keywords.extend(taken.map(|variable| b.keyword(variable.clone(), b.name(variable.clone()))));
        }
        Ok(call)
    }

    /// Takes the calls out of an expression.
    fn taken_out(&mut self, span: Span, expr: &mut Expr, made: &mut Vec<Stmt>) -> Outcome<()> {
        if !self.meets(expr) {
            return Ok(());
        }
        let b = self.b.at(span);
        if let Some(name) = self.called(expr) {
            let shares = &self.sharing[&name];
            let call = self.call(span, &name, expr, made)?;
            let target = shares.gives.then(|| self.fresh.fresh(&format!("{name}_value")));
            *expr = target.as_ref().map_or_else(|| b.none(), |target| b.name(target.clone()));
            self.bind(b, target, (&name, shares), call, made);
            return Ok(());
        }
        let parts = match &mut expr.kind {
            ExprKind::Binary { left, right, .. } => vec![&mut **left, &mut **right],
            ExprKind::Compare { left, comparators, .. } if comparators.len() == 1 => {
                std::iter::once(&mut **left).chain(comparators).collect()
            }
            ExprKind::Unary { operand: one, .. }
            | ExprKind::Attribute { value: one, .. }
            | ExprKind::Starred { value: one, .. } => vec![&mut **one],
            ExprKind::Subscript { value, index, .. } => vec![&mut **value, &mut **index],
            ExprKind::Slice { lower, upper, step } => {
                [lower, upper, step].into_iter().flatten().map(|one| &mut **one).collect()
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                elements.iter_mut().collect()
            }
            ExprKind::Dict(items) => {
                items.iter_mut().flat_map(|(key, value)| key.iter_mut().chain([value])).collect()
            }
            ExprKind::Call { func, args, keywords } => {
                let values = keywords.iter_mut().map(|keyword| &mut keyword.value);
                std::iter::once(&mut **func).chain(args).chain(values).collect()
            }
            // Of these the first is evaluated always, and the others maybe.
            ExprKind::IfExp { test, body, orelse } => {
                for other in [&**body, &**orelse] {
                    self.require_none(other)?;
                }
                vec![&mut **test]
            }
            ExprKind::BoolOp { values, .. } => {
                values[1..].iter().try_for_each(|other| self.require_none(other))?;
                values.iter_mut().take(1).collect()
            }
            // `[add(v) for v in xs]` is a loop that appends.
            ExprKind::ListComp { element, generators } if generators.iter().all(|one| !one.is_async) => {
                let items = self.fresh.fresh("items");
                let append = b.call(b.attribute(b.name(items.clone()), "append"), [(**element).clone()]);
                let mut body = vec![b.expr_stmt(append)];
                let mut bound = Vec::new();
                for one in generators.iter().rev() {
                    for condition in one.conditions.iter().rev() {
                        body = vec![b.if_stmt(condition.clone(), body, Vec::new())];
                    }
                    bound.extend(crate::variables::bound_by(&b.assign(one.target.clone(), b.none())));
                    body = vec![b.for_stmt(one.target.clone(), one.iter.clone(), body)];
                }
                // The variables of a comprehension are its own.
                let names: Vec<(Name, Name)> =
                    bound.iter().map(|name| (name.clone(), self.fresh.fresh(name))).collect();
                let bindings = names.iter().map(|(name, new)| (&**name, Binding::name(new.clone())));
                let body = Template::of(body).quote(b, bindings);
                made.push(b.assign_name(items.clone(), b.list([])));
                made.extend(self.block(body, None)?);
                *expr = b.name(items);
                return Ok(());
            }
            _ => return self.require_none(expr),
        };
        self.in_order(span, parts, made)
    }

    /// Takes the calls out of expressions that are evaluated one after the other.
    fn in_order(&mut self, span: Span, mut parts: Vec<&mut Expr>, made: &mut Vec<Stmt>) -> Outcome<()> {
        let Some(last) = parts.iter().rposition(|part| self.meets(part)) else { return Ok(()) };
        for (index, part) in parts.iter_mut().take(last + 1).enumerate() {
            if self.meets(part) {
                self.taken_out(span, part, made)?;
            }
            if index < last {
                self.keep(span, part, made);
            }
        }
        Ok(())
    }

    /// Keeps the value of an expression that is evaluated before a call.
    fn keep(&mut self, span: Span, part: &mut Expr, made: &mut Vec<Stmt>) {
        let b = self.b.at(span);
        let wish = match &mut part.kind {
            ExprKind::Constant { .. } => return,
            ExprKind::Name { name, .. } if !self.is_written(name) => return,
            ExprKind::Name { name, .. } => format!("{name}_before"),
            ExprKind::Starred { value, .. } => return self.keep(span, value, made),
            ExprKind::Slice { lower, upper, step } => {
                for one in [lower, upper, step].into_iter().flatten() {
                    self.keep(span, one, made);
                }
                return;
            }
            // A function, or what it is found in.
            ExprKind::Attribute { value, .. } if dotted(value).is_some() => {
                return self.keep(span, value, made);
            }
            _ => "value".to_owned(),
        };
        let kept = self.fresh.fresh(&wish);
        let value = std::mem::replace(part, b.name(kept.clone()));
        made.push(b.assign_name(kept, value));
    }

    /// A function that is given variables, and returns them; the calls in any other.
    fn definition(&mut self, def: &mut FunctionDef) -> Outcome<()> {
        let shares = self.sharing.get(&def.name).cloned();
        for stmt in &def.body {
            self.require_none_inside(stmt)?;
        }
        let around = (self.is_tried, self.gives_failure);
        (self.is_tried, self.gives_failure) = (false, false);
        let returns = shares.as_ref().filter(|shares| !shares.written.is_empty());
        def.body = self.block(std::mem::take(&mut def.body), returns)?;
        (self.is_tried, self.gives_failure) = around;
        let Some(shares) = &shares else { return Ok(()) };
        undeclare(&mut def.body, &shares.taken);
        let b = self.b.at(def.name_span);
        def.params.keyword_only.extend(shares.taken.iter().map(|name| b.param(name.clone())));
        if !shares.written.is_empty() && falls_through(&def.body) {
            let span = def.body.last().map_or(def.name_span, |stmt| stmt.span);
            let value = self.returned(span, None, shares);
            def.body.push(self.b.at(span).return_value(value));
        }
        Ok(())
    }

    /// What a function returns: its own value, and the variables.
    fn returned(&self, span: Span, value: Option<Expr>, shares: &Shares) -> Expr {
        let b = self.b.at(span);
        let own = shares.gives.then(|| value.unwrap_or_else(|| b.none()));
        let failed = self.gives_failure.then(|| b.none());
        let mut all: Vec<Expr> = failed
            .into_iter()
            .chain(own)
            .chain(shares.written.iter().map(|name| b.name(name.clone())))
            .collect();
        if all.len() == 1 { all.remove(0) } else { b.tuple(all) }
    }

    /// The function that an expression calls, if it writes variables.
    fn called(&self, expr: &Expr) -> Option<Name> {
        let ExprKind::Call { func, .. } = &expr.kind else { return None };
        let ExprKind::Name { name, .. } = &func.kind else { return None };
        self.sharing.get(name).filter(|shares| !shares.written.is_empty()).map(|_| name.clone())
    }

    fn is_written(&self, name: &Name) -> bool {
        self.sharing.values().any(|shares| shares.written.contains(name))
    }

    fn meets(&self, expr: &Expr) -> bool {
        self.first_use(|uses| uses.visit_expr(expr)).is_some()
    }

    fn first_use(&self, visit: impl FnOnce(&mut Uses<'_>)) -> Option<Use> {
        let mut uses = Uses { sharing: self.sharing, found: None };
        visit(&mut uses);
        uses.found
    }

    fn require_none(&self, expr: &Expr) -> Outcome<()> {
        self.first_use(|uses| uses.visit_expr(expr)).map_or(Ok(()), |found| Err(self.refused(&found)))
    }

    /// Refuses a use of a function in a statement of which the expressions are left.
    fn require_no_other(&self, stmt: &Stmt) -> Outcome<()> {
        let found = self.first_use(|uses| match &stmt.kind {
            StmtKind::FunctionDef(_) => {}
            StmtKind::AugAssign { target, value, .. } => {
                uses.visit_expr(target);
                uses.visit_expr(value);
            }
            StmtKind::While { test, .. } => uses.visit_expr(test),
            StmtKind::With { items, .. } => items.iter().for_each(|item| uses.visit_expr(&item.context)),
            StmtKind::Match { cases, .. } => {
                cases.iter().filter_map(|case| case.guard.as_ref()).for_each(|guard| uses.visit_expr(guard));
            }
            // What of these stands in other statements has been seen to.
            StmtKind::If { .. } | StmtKind::For { .. } => {}
            StmtKind::Try { handlers, .. } => {
                handlers.iter().filter_map(|one| one.kind.as_ref()).for_each(|typ| uses.visit_expr(typ));
            }
            StmtKind::AnnAssign { target, .. } => uses.visit_expr(target),
            _ => uses.visit_stmt(stmt),
        });
        found.map_or(Ok(()), |found| Err(self.refused(&found)))
    }

    /// Whether a `finally` reads what a call that fails has written, or goes on after it.
    fn sees_failure(&self, last: &[Stmt]) -> bool {
        let is_shared = |name: &Name| self.sharing.values().any(|shares| shares.taken.contains(name));
        let is_called = self.first_use(|uses| uses.visit_body(last)).is_some();
        may_leave(last) || is_called || last.iter().flat_map(read_by).any(|name| is_shared(&name))
    }

    /// Refuses calls in a `try` that goes on after it has failed: what was written before is in the function.
    fn require_none_tried(&self, body: &[Stmt]) -> Outcome<()> {
        let found = self.first_use(|uses| uses.visit_body(body));
        let Some(Use { span, name, .. }) = found else { return Ok(()) };
        let message = format!(
            "`{name}` writes a variable of the function around, in a `try` whose `finally` leaves it or that handles more than an `Exception`"
        );
        Err(refusal(span, message, "write `except Exception`, or call it before or after the `try`"))
    }

    /// Refuses uses in functions, lambdas and classes that are in a nested function.
    fn require_none_inside(&self, stmt: &Stmt) -> Outcome<()> {
        struct Inside<'c, 'a, 's>(&'c SharedCalls<'a, 's>, Outcome<()>);
        impl<'t> Visitor<'t> for Inside<'_, '_, '_> {
            fn visit_stmt(&mut self, stmt: &'t Stmt) {
                if !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_)) {
                    return walk_stmt(self, stmt);
                }
                let found = self.0.first_use(|uses| uses.visit_stmt(stmt));
                if let (Some(found), true) = (found, self.1.is_ok()) {
                    self.1 = Err(self.0.refused(&found));
                }
            }
        }
        let mut inside = Inside(self, Ok(()));
        inside.visit_stmt(stmt);
        inside.1
    }

    fn refused(&self, Use { span, name, is_called }: &Use) -> Diagnostic {
        let shares = &self.sharing[name];
        let variable = shares.written.first().or_else(|| shares.taken.first()).unwrap_or(name);
        let verb = if shares.written.is_empty() { "reads" } else { "writes" };
        let what = format!("`{name}` {verb} `{variable}`, which is shared by `nonlocal`");
        if *is_called {
            let message = format!("{what}, and is called where that cannot be followed");
            let help = format!("call it in a statement of its own, `value = {name}(…)`, and read `value`");
            return refusal(*span, message, &help);
        }
        let help = "call it where the variable is, or let it return what it computes";
        refusal(*span, format!("{what}, and is used otherwise than called"), help)
    }
}

/// A use of a function.
struct Use {
    span: Span,
    name: Name,
    is_called: bool,
}

/// Finds the first use of one of some functions that is not one given what it reads.
struct Uses<'n> {
    sharing: &'n BTreeMap<Name, Shares>,
    found: Option<Use>,
}

impl<'a> Visitor<'a> for Uses<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Call { func, args, keywords } if self.is_given(func, keywords) => {
                let values = keywords.iter().map(|keyword| &keyword.value);
                args.iter().chain(values).for_each(|value| self.visit_expr(value));
            }
            ExprKind::Call { func, .. } if matches!(&func.kind, ExprKind::Name { name, .. } if self.sharing.contains_key(name)) =>
            {
                walk_expr(self, expr);
                self.found
                    .iter_mut()
                    .filter(|one| one.span == func.span)
                    .for_each(|one| one.is_called = true);
            }
            ExprKind::Name { name, context: Context::Load } if self.sharing.contains_key(name) => {
                self.found.get_or_insert_with(|| Use {
                    span: expr.span,
                    name: name.clone(),
                    is_called: false,
                });
            }
            _ => walk_expr(self, expr),
        }
    }
}

impl Uses<'_> {
    /// Whether a function that writes nothing is given what it reads.
    fn is_given(&self, func: &Expr, keywords: &[Keyword]) -> bool {
        let ExprKind::Name { name, .. } = &func.kind else { return false };
        self.sharing.get(name).is_some_and(|shares| {
            let names: Vec<&Name> = keywords.iter().filter_map(|keyword| keyword.name.as_ref()).collect();
            shares.written.is_empty() && shares.taken.iter().all(|taken| names.contains(&taken))
        })
    }
}

/// Gives the functions that only read variables what they read, but in lambdas and comprehensions.
struct Readers<'a, 's> {
    b: Builder<'a>,
    sharing: &'s BTreeMap<Name, Shares>,
    depth: usize,
}

impl VisitorMut for Readers<'_, '_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &stmt.kind {
            StmtKind::ClassDef(_) => {}
            StmtKind::FunctionDef(_) if self.depth > 0 => {}
            StmtKind::FunctionDef(_) => {
                self.depth += 1;
                ag_syntax::visit::mutable::walk_stmt(self, stmt);
                self.depth -= 1;
            }
            _ => ag_syntax::visit::mutable::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        if matches!(
            expr.kind,
            ExprKind::Lambda { .. }
                | ExprKind::ListComp { .. }
                | ExprKind::SetComp { .. }
                | ExprKind::DictComp { .. }
                | ExprKind::Generator { .. }
        ) {
            return;
        }
        ag_syntax::visit::mutable::walk_expr(self, expr);
        let b = self.b.at(expr.span);
        if let ExprKind::Call { func, keywords, .. } = &mut expr.kind
            && let ExprKind::Name { name, .. } = &func.kind
            && let Some(shares) = self.sharing.get(name).filter(|shares| shares.written.is_empty())
        {
            keywords.extend(shares.taken.iter().map(|name| b.keyword(name.clone(), b.name(name.clone()))));
        }
    }
}

/// Takes names out of the `nonlocal` statements of a function, not of those in it.
fn undeclare(body: &mut Vec<Stmt>, names: &BTreeSet<Name>) {
    for stmt in body.iter_mut() {
        if let StmtKind::Nonlocal(declared) = &mut stmt.kind {
            declared.retain(|name| !names.contains(name));
        }
        blocks_mut(stmt).into_iter().for_each(|block| undeclare(block, names));
    }
    let is_empty = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Nonlocal(names) if names.is_empty());
    body.retain(|stmt| !is_empty(stmt));
}

/// Whether a handler takes what is no `Exception`.
fn takes_more(kind: Option<&Expr>) -> bool {
    let others = ["BaseException", "KeyboardInterrupt", "SystemExit", "GeneratorExit"];
    kind.map(ag_syntax::unparse_expr).is_none_or(|named| others.iter().any(|one| named.contains(one)))
}
