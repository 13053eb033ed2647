//! The steps of a generator function: a function that goes on where it has stopped, and keeps its variables.
//!
//! ```python
//! def positives(xs):           def positives(xs):
//!     for x in xs:                 at, each = 0, ag__.Source()
//!         if x > 0:                def step():
//!             yield x                  nonlocal at, values, place, x, item
//!                                      now, at = at, -1
//!                                      if now == -1: return False
//!                                      if now == 0: values, place = ag__.asked(each, xs), 0
//!                                      while now == 1 or now == 0 and ag__.advanced(each, values, place):
//!                                          if now == 0: x, place = ag__.taken(each, values, place), place + 1
//!                                          if now == 1 or now == 0 and x > 0:
//!                                              if now == 0: item, at = x, 1; return True
//!                                              if now == 1: now = 0
//!                                      return False
//!                                  return step, lambda: item, 'at'
//! ```
//!
//! Each `yield` has a number, which `at` keeps: 0 before the first statement, -1 when the generator has ended, by
//! an exception too. A call goes on after that `yield`: `now` is its number until it is found, and 0 afterwards. The
//! blocks keep their form, so `break` and `continue` stay, and an `if` or loop around the `yield` is entered without
//! its test. A walk (`generators.rs`) has no such variables, but runs once and to its end; these steps may be taken
//! from several places, and after a loop that a test on data has left.

use ag_analysis::Scopes;
use ag_errors::{Diagnostic, Span, catalogue};
use ag_syntax::Builder;
use ag_syntax::tree::{BoolOp, CompareOp, Expr, ExprKind, Name, NodeId, NodeIds, Stmt, StmtKind};

use crate::context::Names;
use crate::generators::{Walk, yielded};
use crate::regions::{blocks, blocks_mut};

/// A function whose definition was rewritten.
pub(crate) struct Stepped {
    /// The definition.
    pub(crate) definition: Stmt,
    /// The name of the function that takes a step.
    pub(crate) step: Name,
    /// That function.
    pub(crate) node: NodeId,
}

/// Rewrites a generator function in the top-level statement around it.
///
/// # Errors
///
/// A `not-convertible` diagnostic where a `yield` stands in a `match`, or the function calls `super()`.
pub(crate) fn rewrite(
    around: &mut Stmt,
    function: NodeId,
    operators: &Name,
    scopes: &Scopes,
    ids: &mut NodeIds,
    names: &mut Names,
) -> Result<Stepped, Diagnostic> {
    let span = around.span;
    let (Some(stmt), Some(scope)) = (definition(around, function), scopes.of_node(function)) else {
        return Err(refusal(span, "the function is not part of the module"));
    };
    let span = stmt.span;
    let StmtKind::FunctionDef(def) = &mut stmt.kind else {
        return Err(refusal(span, "only a function made by `def` has steps"));
    };
    let symbols = &scopes.scope(scope).symbols;
    if symbols.contains_key("super") || symbols.contains_key("__class__") {
        return Err(refusal(span, "the generator asks for the class around it"));
    }
    let own = symbols
        .iter()
        .filter(|(_, one)| one.is_bound && !one.is_declared_global && !one.is_declared_nonlocal);
    let variables: Vec<(Name, bool)> = own.map(|(name, one)| (name.clone(), one.is_parameter)).collect();
    let [at, now, item, step] = ["at", "now", "item", "step"].map(|wish| names.fresh(wish));
    let (count, sources, made) = (0, Vec::new(), Vec::new());
    let mut steps = Steps { ids, names, operators, at, now, item, count, sources, made, refused: None };
    let body = steps.block(std::mem::take(&mut def.body));
    if let Some(refused) = steps.refused {
        return Err(refused);
    }
    let node;
    (def.body, node) = steps.function(span, step.clone(), body, &variables);
    Ok(Stepped { definition: stmt.clone(), step, node })
}

/// The definition of a function in a statement.
fn definition(stmt: &mut Stmt, function: NodeId) -> Option<&mut Stmt> {
    if stmt.id == function {
        return Some(stmt);
    }
    let find = |stmt| definition(stmt, function);
    if !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_)) {
        return blocks_mut(stmt).into_iter().flatten().find_map(find);
    }
    match &mut stmt.kind {
        StmtKind::FunctionDef(def) => def.body.iter_mut().find_map(find),
        StmtKind::ClassDef(def) => def.body.iter_mut().find_map(find),
        _ => None,
    }
}

fn refusal(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(catalogue::NOT_CONVERTIBLE, span, message)
        .with_help("it runs as written; a staged value must not reach it")
}

/// The numbers of the `yield`s in a block: those after the first number, up to the second.
type Numbers = (i64, i64);

struct Steps<'a> {
    ids: &'a mut NodeIds,
    names: &'a mut Names,
    operators: &'a Name,
    at: Name,
    now: Name,
    item: Name,
    /// How many `yield`s have a number.
    count: i64,
    /// The variables of what the loops walk over.
    sources: Vec<Name>,
    /// Other variables that were made.
    made: Vec<Name>,
    refused: Option<Diagnostic>,
}

impl Steps<'_> {
    fn builder(&mut self, span: Span) -> Builder<'_> {
        Builder::new(self.ids, span)
    }

    fn operator(&mut self, span: Span, operator: &str, args: Vec<Expr>) -> Expr {
        let operators = self.operators.clone();
        let b = self.builder(span);
        b.call(b.attribute(b.name(operators), operator), args)
    }

    /// `now == number`.
    fn is_now(&mut self, span: Span, number: i64) -> Expr {
        let now = self.now.clone();
        let b = self.builder(span);
        b.compare(b.name(now), CompareOp::Eq, b.int(number))
    }

    /// Whether a call goes on inside of a block; nothing if no `yield` is there.
    fn is_inside(&mut self, span: Span, (before, last): Numbers) -> Option<Expr> {
        if last <= before + 1 {
            return (last > before).then(|| self.is_now(span, last));
        }
        let now = self.now.clone();
        let b = self.builder(span);
        let [from, to] = [b.int(before + 1), b.int(last)];
        Some(b.expr(ExprKind::Compare {
            left: Box::new(from),
            ops: vec![CompareOp::LtE, CompareOp::LtE],
            comparators: vec![b.name(now), to],
        }))
    }

    /// `inside or now == 0 and test`.
    fn entered(&mut self, span: Span, numbers: Numbers, test: Option<Expr>) -> Expr {
        let fresh = self.is_now(span, 0);
        let inside = self.is_inside(span, numbers);
        let b = self.builder(span);
        let fresh = match test {
            Some(test) => b.bool_op(BoolOp::And, [fresh, test]),
            None => fresh,
        };
        match inside {
            Some(inside) => b.bool_op(BoolOp::Or, [inside, fresh]),
            None => fresh,
        }
    }

    /// The statements of a block; those before a `yield` run only in the call that comes from above.
    fn block(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let (mut made, mut plain) = (Vec::new(), Vec::new());
        for mut stmt in stmts {
            if !yields(&stmt) {
                if matches!(stmt.kind, StmtKind::Global(_) | StmtKind::Nonlocal(_)) {
                    made.push(stmt);
                } else {
                    self.returns(&mut stmt);
                    plain.push(stmt);
                }
                continue;
            }
            self.stmt(stmt, &mut plain, &mut made);
        }
        made.append(&mut plain);
        made
    }

    /// `if now == 0: …` around what was collected.
    fn flush(&mut self, span: Span, plain: &mut Vec<Stmt>, made: &mut Vec<Stmt>) {
        if !plain.is_empty() {
            let test = self.is_now(span, 0);
            let plain = std::mem::take(plain);
            made.push(self.builder(span).if_stmt(test, plain, Vec::new()));
        }
    }

    fn stmt(&mut self, stmt: Stmt, plain: &mut Vec<Stmt>, made: &mut Vec<Stmt>) {
        let span = stmt.span;
        let before = self.count;
        match stmt.kind {
            StmtKind::Expr(Expr { kind: ExprKind::YieldFrom(items), .. }) => {
                let name = self.names.fresh("one");
                self.made.push(name.clone());
                let b = self.builder(span);
                let one = b.expr(ExprKind::Yield(Some(Box::new(b.name(name.clone())))));
                let body = vec![b.expr_stmt(one)];
                let walk = b.for_stmt(b.name_store(name), *items, body);
                self.stmt(walk, plain, made);
            }
            StmtKind::Expr(Expr { kind: ExprKind::Yield(value), .. }) => {
                self.give(span, value.map(|value| *value), plain, made);
                self.go_on(span, None, made);
            }
            StmtKind::Assign { targets, value: Expr { kind: ExprKind::Yield(value), .. } } => {
                self.give(span, value.map(|value| *value), plain, made);
                self.go_on(span, Some(targets), made);
            }
            StmtKind::If { test, body, orelse } => {
                self.flush(span, plain, made);
                let body = self.block(body);
                let middle = self.count;
                let orelse = self.block(orelse);
                let whole = self.entered(span, (before, self.count), None);
                let test = self.entered(test.span, (before, middle), Some(test));
                let inner = self.builder(span).if_stmt(test, body, orelse);
                made.push(self.builder(span).if_stmt(whole, vec![inner], Vec::new()));
            }
            StmtKind::While { test, body, orelse } => {
                self.flush(span, plain, made);
                self.walk(span, before, test, (Vec::new(), body), orelse, made);
            }
            StmtKind::For { target, iter, body, orelse, is_async: false } => {
                let [source, values, place] = ["each", "values", "place"].map(|wish| self.names.fresh(wish));
                self.sources.push(source.clone());
                self.made.extend([values.clone(), place.clone()]);
                let of = iter.span;
                let source_read = self.builder(of).name(source.clone());
                let walked = self.operator(of, "asked", vec![source_read, iter]);
                let b = self.builder(of);
                plain.push(b.assign_name(values.clone(), walked));
                plain.push(b.assign_name(place.clone(), b.int(0)));
                self.flush(span, plain, made);
                let read =
                    |b: Builder<'_>| [&source, &values, &place].map(|name| b.name(name.clone())).to_vec();
                let arguments = read(self.builder(of));
                let test = self.operator(of, "advanced", arguments);
                let arguments = read(self.builder(of));
                let taken = self.operator(of, "taken", arguments);
                let b = self.builder(target.span);
                let next = b.expr(ExprKind::Binary {
                    left: Box::new(b.name(place.clone())),
                    op: ag_syntax::tree::BinaryOp::Add,
                    right: Box::new(b.int(1)),
                });
                let moves = b.assign_name(place.clone(), next);
                let item = self.names.fresh("one");
                self.made.push(item.clone());
                let b = self.builder(target.span);
                let first = vec![b.assign_name(item.clone(), taken), moves, b.assign(*target, b.name(item))];
                self.walk(span, before, test, (first, body), orelse, made);
            }
            _ => {
                self.refused = Some(refusal(span, "a `yield` stands in a statement that cannot go on"));
            }
        }
    }

    /// A loop; `first` are statements that each iteration begins with.
    fn walk(
        &mut self,
        span: Span,
        before: i64,
        test: Expr,
        (mut first, body): (Vec<Stmt>, Vec<Stmt>),
        orelse: Vec<Stmt>,
        made: &mut Vec<Stmt>,
    ) {
        let of_test = test.span;
        let mut whole = Vec::new();
        self.flush(span, &mut first, &mut whole);
        let body = self.block(body);
        whole.extend(body);
        let middle = self.count;
        let test = self.entered(of_test, (before, middle), Some(test));
        let orelse = self.block(orelse);
        let outer = self.entered(span, (before, self.count), None);
        let b = self.builder(span);
        let inner = b.stmt(StmtKind::While { test, body: whole, orelse });
        made.push(b.if_stmt(outer, vec![inner], Vec::new()));
    }

    /// `if now == 0: item = value; at = number; return True`.
    fn give(&mut self, span: Span, value: Option<Expr>, plain: &mut Vec<Stmt>, made: &mut Vec<Stmt>) {
        self.count += 1;
        let (number, at, item) = (self.count, self.at.clone(), self.item.clone());
        let b = self.builder(span);
        let value = value.unwrap_or_else(|| b.none());
        plain.push(b.at(value.span).assign_name(item, value));
        plain.push(b.assign_name(at, b.int(number)));
        plain.push(b.return_value(b.bool(true)));
        self.flush(span, plain, made);
    }

    /// `if now == number: now = 0`, and what a `yield` gives to whoever is sent nothing.
    fn go_on(&mut self, span: Span, targets: Option<Vec<Expr>>, made: &mut Vec<Stmt>) {
        let (test, now) = (self.is_now(span, self.count), self.now.clone());
        let b = self.builder(span);
        let mut body = vec![b.assign_name(now, b.int(0))];
        if let Some(targets) = targets {
            body.push(b.stmt(StmtKind::Assign { targets, value: b.none() }));
        }
        made.push(b.if_stmt(test, body, Vec::new()));
    }

    /// Makes each `return` of a statement one of `False`.
    fn returns(&mut self, stmt: &mut Stmt) {
        for block in blocks_mut(stmt) {
            for one in block {
                self.returns(one);
            }
        }
        let span = stmt.span;
        if let StmtKind::Return(value) = &mut stmt.kind {
            let value = value.take();
            let b = self.builder(span);
            let end = b.return_value(b.bool(false));
            let Some(value) = value else {
                *stmt = end;
                return;
            };
            // The value belongs to the `StopIteration`, which nobody asks for.
            let both = vec![b.expr_stmt(value), end];
            *stmt = b.if_stmt(b.bool(true), both, Vec::new());
        }
    }

    /// The body of the function: its variables, and the step.
    fn function(
        mut self,
        span: Span,
        step: Name,
        body: Vec<Stmt>,
        variables: &[(Name, bool)],
    ) -> (Vec<Stmt>, NodeId) {
        let (at, now, item) = (self.at.clone(), self.now.clone(), self.item.clone());
        let b = self.builder(span);
        let mut made = vec![b.assign_name(at.clone(), b.int(0))];
        for source in std::mem::take(&mut self.sources) {
            let value = self.operator(span, "Source", Vec::new());
            made.push(self.builder(span).assign_name(source, value));
        }
        let ended = self.is_now(span, -1);
        let of_place = at.clone();
        let mut unbound: Vec<Name> = std::mem::take(&mut self.made);
        unbound.push(item.clone());
        let is_local = variables.iter().filter(|(_, is_parameter)| !is_parameter);
        unbound.extend(is_local.map(|(name, _)| name.clone()));
        let parameters = variables.iter().filter(|(_, is_parameter)| *is_parameter);
        let kept = std::iter::once(at.clone())
            .chain(unbound.iter().cloned())
            .chain(parameters.map(|(name, _)| name.clone()));
        let kept: Vec<Name> = kept.collect();
        let b = self.builder(span);
        let mut steps = vec![
            b.nonlocal(kept),
            b.assign_name(now, b.name(at.clone())),
            b.assign_name(at, b.int(-1)),
            b.if_stmt(ended, vec![b.return_value(b.bool(false))], Vec::new()),
        ];
        steps.extend(body);
        steps.push(b.return_value(b.bool(false)));
        let function = b.function_def(step.clone(), b.params(Vec::<Name>::new()), steps);
        let node = function.id;
        made.push(function);
        made.push(b.return_value(b.tuple([b.name(step), b.lambda(b.name(item)), b.string(&of_place)])));
        // Not reached: it makes them variables of this function.
        made.extend(unbound.into_iter().map(|name| b.assign_name(name, b.none())));
        (made, node)
    }
}

/// Whether a `yield` is in a statement.
pub(crate) fn yields(stmt: &Stmt) -> bool {
    Walk::OfSteps.takes(stmt, 0) && (yielded(stmt).is_some() || is_bare(stmt))
        || blocks(stmt).into_iter().flatten().any(yields)
}

/// Whether a statement is a `yield` without a value, or binds the value of such.
fn is_bare(stmt: &Stmt) -> bool {
    let (StmtKind::Expr(value) | StmtKind::Assign { value, .. }) = &stmt.kind else { return false };
    matches!(value.kind, ExprKind::Yield(None))
}
