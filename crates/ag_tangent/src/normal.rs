//! The normal form of statements; that of expressions is in `flatten.rs`.

use std::collections::BTreeSet;

use ag_errors::{Diagnostic, Span, catalogue};
use ag_syntax::Builder;
use ag_syntax::tree::{BinaryOp, Expr, ExprKind, Name, Stmt, StmtKind, WithItem};

use crate::callee::Callee;
use crate::container_methods::REARRANGING;
use crate::jumps::{falls_through, may_leave};
use crate::naming::Naming;
use crate::numbers::Numbers;
use crate::program::{Block, Branch, Head, If, Node, Op, OpKind, Operand, Step};
use crate::segments::Segmented;
use crate::sources::Surroundings;
use crate::variables::{bound_by, root_of, surely_bound_by};
use crate::views::{Known, Told};

/// What cannot be done, located.
pub(crate) type Outcome<T> = Result<T, Diagnostic>;

/// A refusal of a statement or expression.
pub(crate) fn refusal(span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    let refused = Diagnostic::error(catalogue::DERIVATIVE_SOURCE, span, message);
    if help.is_empty() { refused } else { refused.with_help(help) }
}

/// Brings a function into normal form.
pub(crate) struct Former<'a, 'f> {
    pub(crate) numbers: &'f Numbers,
    pub(crate) around: &'f Surroundings<'f>,
    pub(crate) active: &'f BTreeSet<Name>,
    pub(crate) b: Builder<'a>,
    pub(crate) naming: &'f mut Naming,
    pub(crate) result: Name,
    /// The active variables, temporary ones included.
    pub(crate) temporaries: BTreeSet<Name>,
    /// The variables that the user's text binds.
    pub(crate) own: BTreeSet<Name>,
    /// Lists from outside that the function appends to and does not read.
    pub(crate) logs: BTreeSet<Name>,
    /// How many loops are around.
    pub(crate) depth: usize,
    /// For statements around that may leave their block: the list that keeps whether what follows ran, and the
    /// number of loops around.
    pub(crate) markers: Vec<(Name, usize)>,
    /// For statements around that may return, the flag that says that they did.
    pub(crate) returns: Vec<Name>,
    /// Indices that it has made.
    pub(crate) indices: Vec<Name>,
    /// Lists and arrays that it has made.
    pub(crate) sequences: BTreeSet<Name>,
    /// The loops that run again in segments.
    pub(crate) segmented: &'f Segmented,
    /// Variables that it has made and that hold a range, or a list of ranges.
    pub(crate) ranges: BTreeSet<Name>,
    /// The span of the user's statement at hand.
    pub(crate) span: Span,
    /// How many places have been numbered.
    pub(crate) sites: usize,
    /// Whether the derivative is one in forward mode.
    pub(crate) is_forward: bool,
    /// What is known at the point at hand, and the writes that are told to other names of the memory.
    pub(crate) known: Known,
    pub(crate) told: &'f Told,
    /// What it has made of the part of a container that a store writes to.
    pub(crate) parts: BTreeSet<Name>,
    /// Whether nothing reads the result of the call that comes next.
    pub(crate) drops_result: bool,
    /// Whether the write that is told of may be one into arrays that an object holds.
    pub(crate) tells_inside: bool,
    /// Whether it makes the statements that tell of a write, and whether that was of a list which has got longer or
    /// shorter.
    pub(crate) is_telling: bool,
    pub(crate) is_growing: bool,
    /// Whether it was one that a callee may have made longer or shorter.
    pub(crate) may_resize: bool,
    /// The places of writes in the middle of a statement that have been told.
    pub(crate) told_sites: BTreeSet<usize>,
    /// The variables that hold the items of a list in another order.
    pub(crate) reordered: BTreeSet<Name>,
}

impl Former<'_, '_> {
    /// Whether a variable has a derivative.
    pub(crate) fn has_derivative(&self, name: &Name) -> bool {
        self.active.contains(name) || self.temporaries.contains(name)
    }

    /// Whether the value of an expression has a derivative.
    pub(crate) fn is_active(&self, expr: &Expr) -> bool {
        let mut is_active = false;
        self.around.sources(expr, &mut |name| is_active = is_active || self.has_derivative(name));
        is_active
    }

    /// The normal form of a block.
    pub(crate) fn block(&mut self, body: &[Stmt]) -> Outcome<Block> {
        let mut made = Vec::new();
        for (index, stmt) in body.iter().enumerate() {
            let rest = &body[index + 1..];
            let leaves = may_leave(std::slice::from_ref(stmt));
            if let StmtKind::If { test, body: then, orelse } = &stmt.kind
                && leaves
                && !rest.is_empty()
                && !(falls_through(then) && falls_through(orelse))
            {
                // What follows runs in one of the branches only.
                let (mut then, mut orelse) = (then.clone(), orelse.clone());
                if falls_through(&orelse) {
                    orelse.extend_from_slice(rest);
                } else if falls_through(&then) {
                    then.extend_from_slice(rest);
                }
                self.span = stmt.span;
                self.choice(stmt, test, &then, &orelse, &mut made)?;
                return Ok(made);
            }
            let must_know = !rest.is_empty() || self.depth > 0;
            if leaves
                && must_know
                && falls_through(std::slice::from_ref(stmt))
                && !self.tail_falls_one_way(stmt)
            {
                if self.depth > 0 {
                    self.rest(stmt, rest, &mut made)?;
                } else {
                    self.unless_returned(stmt, rest, &mut made)?;
                }
                return Ok(made);
            }
            for stmt in self.one_by_one(stmt) {
                let from = made.len();
                self.stmt(&stmt, &mut made)?;
                self.tell_writes(from, &mut made)?;
            }
            if !falls_through(std::slice::from_ref(stmt)) {
                break;
            }
        }
        Ok(made)
    }

    /// Whether the end of a statement is reached through one branch only, in which what follows can be put.
    fn tail_falls_one_way(&self, stmt: &Stmt) -> bool {
        let StmtKind::If { body, orelse, .. } = &stmt.kind else { return false };
        falls_through(body) != falls_through(orelse)
    }

    /// A statement that may leave its block in the middle, and what follows it:
    ///
    /// ```text
    /// if a:                   if a: …             # where it leaves: went_on_values.append(False)
    ///     if b: break         went_on_values.append(True)
    ///     c()                 d()
    /// d()                                         # in the backward pass `if went_on_values.pop():`
    /// ```
    fn rest(&mut self, stmt: &Stmt, rest: &[Stmt], made: &mut Block) -> Outcome<()> {
        let b = self.b.at(stmt.span);
        let went_on = self.naming.fresh("went_on");
        let stack = self.naming.fresh("went_on_values");
        self.around.locals.borrow_mut().insert(stack.clone());
        self.markers.push((stack.clone(), self.depth));
        self.stmt(stmt, made)?;
        self.markers.pop();
        let then = Branch::of(self.block(rest)?);
        let test = b.name(went_on.clone());
        let (site, orelse, stack) = (self.site(), Branch::of(Vec::new()), Some(stack));
        made.push(Node::If(If {
            span: stmt.span,
            site,
            test,
            taken: went_on,
            stack,
            then,
            orelse,
            is_rest: true,
            is_telling: false,
            told_at: None,
            knowing: BTreeSet::new(),
        }));
        Ok(())
    }

    /// A statement that may return in the middle, outside of loops, and what follows it:
    ///
    /// ```text
    /// if a:                       returned = False
    ///     if b: return x          if a: …             # `y = x; returned = True`
    ///     c()                     if not returned:
    /// d()                             d()
    /// ```
    fn unless_returned(&mut self, stmt: &Stmt, rest: &[Stmt], made: &mut Block) -> Outcome<()> {
        let b = self.b.at(stmt.span);
        let returned = self.naming.fresh("returned");
        let start = self.plain(b.assign_name(returned.clone(), b.bool(false)));
        made.push(start);
        self.returns.push(returned.clone());
        self.stmt(stmt, made)?;
        self.returns.pop();
        let then = self.block(rest)?;
        self.push_choice(stmt.span, &b.not(b.name(returned)), then, Vec::new(), made);
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt, made: &mut Block) -> Outcome<()> {
        self.span = stmt.span;
        if self.is_plain(stmt) {
            self.require_harmless(stmt)?;
            made.push(self.plain(stmt.clone()));
            return Ok(());
        }
        if self.written_by_call(stmt, made)? {
            return Ok(());
        }
        match &stmt.kind {
            StmtKind::Return(value) => self.returned(stmt, value.as_ref(), made),
            StmtKind::Assign { targets, value } => self.assigned(targets, value, made),
            StmtKind::AnnAssign { target, value: Some(value), .. } => {
                self.assigned(std::slice::from_ref(target), value, made)
            }
            StmtKind::AugAssign { target, op, value } => self.augmented(stmt, target, *op, value, made),
            StmtKind::If { test, body, orelse } => self.choice(stmt, test, body, orelse, made),
            StmtKind::While { test, body, .. } if self.hoisted(test).is_some() => {
                self.assigning_while(stmt, test, body, made)
            }
            StmtKind::While { test, body, .. } => {
                let head = Head::While(test.clone());
                self.require_plain_test(test)?;
                self.looped(stmt, head, body, made)
            }
            StmtKind::For { target, iter, body, is_async: false, .. }
                if !self.is_forward && self.segmented.contains_key(&stmt.id) =>
            {
                self.segmented_loop(stmt, (target, iter), body, made)
            }
            StmtKind::For { target, iter, body, is_async: false, .. } => {
                self.for_loop(stmt, target, iter, body, made)
            }
            StmtKind::With { items, body, is_async: false } => self.with(stmt, items, body, made),
            StmtKind::Try { body, handlers, orelse, finalbody, .. }
                if handlers.is_empty() && orelse.is_empty() =>
            {
                let (body, last) = (self.block(body)?, self.block(finalbody)?);
                made.push(Node::Finally { stmt: stmt.clone(), body, last });
                Ok(())
            }
            StmtKind::Break | StmtKind::Continue => {
                let is_break = matches!(stmt.kind, StmtKind::Break);
                let site = self.site();
                let markers = self.markers.iter().filter(|(_, depth)| *depth == self.depth);
                let skipped = markers.map(|(stack, _)| stack.clone()).collect();
                made.push(Node::Exit { stmt: stmt.clone(), site, is_break, skipped, saves: Vec::new() });
                Ok(())
            }
            StmtKind::Expr(value) => self.expression(stmt, value, made),
            // `x: float` binds nothing, and a program that runs does not read what it has deleted.
            StmtKind::AnnAssign { value: None, .. } => Ok(()),
            StmtKind::Delete(targets)
                if targets.iter().all(|one| matches!(one.kind, ExprKind::Name { .. })) =>
            {
                Ok(())
            }
            StmtKind::Delete(targets) => {
                for target in targets {
                    let is_name = matches!(target.kind, ExprKind::Name { .. });
                    if !is_name && !self.deleted_item(target, made)? {
                        return Err(not_expressible(target.span, &stmt.kind));
                    }
                }
                Ok(())
            }
            StmtKind::Raise { .. } => {
                made.push(self.plain(stmt.clone()));
                Ok(())
            }
            StmtKind::FunctionDef(def) if let Some(what) = self.around.functions.unknown.get(&def.name) => {
                Err(unknown_function(stmt.span, &def.name, what))
            }
            kind => Err(not_expressible(stmt.span, kind)),
        }
    }

    fn returned(&mut self, stmt: &Stmt, value: Option<&Expr>, made: &mut Block) -> Outcome<()> {
        let Some(value) = value else {
            return Err(refusal(
                stmt.span,
                "the function returns nothing that has a derivative",
                "return a number or an array",
            ));
        };
        if !matches!(&value.kind, ExprKind::Name { name, .. } if *name == self.result) {
            let target = self.result.clone();
            self.assign(&target, value, made)?;
        }
        for returned in self.returns.clone() {
            let b = self.b.at(stmt.span);
            let flag = self.plain(b.assign_name(returned, b.bool(true)));
            made.push(flag);
        }
        Ok(())
    }

    fn choice(
        &mut self,
        stmt: &Stmt,
        test: &Expr,
        then: &[Stmt],
        orelse: &[Stmt],
        made: &mut Block,
    ) -> Outcome<()> {
        let hoisted = self.hoisted(test);
        let test = match &hoisted {
            Some((assigned, test)) => {
                self.stmt(assigned, made)?;
                test
            }
            None => test,
        };
        self.require_plain_test(test)?;
        let before = self.known.clone();
        let mut then = self.block(then)?;
        let after = std::mem::replace(&mut self.known, before);
        let mut orelse = self.block(orelse)?;
        self.join_known(after, &mut then, &mut orelse);
        self.push_choice(stmt.span, test, then, orelse, made);
        Ok(())
    }

    pub(crate) fn push_choice(
        &mut self,
        span: Span,
        test: &Expr,
        then: Block,
        orelse: Block,
        made: &mut Block,
    ) {
        let taken = self.naming.fresh("taken");
        let stack = (self.depth > 0).then(|| self.naming.fresh("taken_values"));
        let (then, orelse) = (Branch::of(then), Branch::of(orelse));
        let site = self.site();
        self.around.locals.borrow_mut().extend(stack.iter().chain([&taken]).cloned());
        made.push(Node::If(If {
            span,
            site,
            test: test.clone(),
            taken,
            stack,
            then,
            orelse,
            is_rest: false,
            is_telling: self.is_telling,
            told_at: None,
            knowing: BTreeSet::new(),
        }));
    }

    fn with(&mut self, stmt: &Stmt, items: &[WithItem], body: &[Stmt], made: &mut Block) -> Outcome<()> {
        let is_injected = |item: &WithItem| match &item.context.kind {
            ExprKind::Call { func, .. } => matches!(self.around.callee(func), Callee::GradOf),
            _ => false,
        };
        if items.iter().any(is_injected) {
            return self.injected(stmt, items, body, made);
        }
        if let Some(item) = items.iter().find(|item| self.is_active(&item.context)) {
            return Err(refusal(
                item.context.span,
                "a context manager is made of values with derivatives",
                "",
            ));
        }
        let targets = items.iter().filter_map(|item| item.target.as_ref());
        let binds: Vec<Name> = targets.filter_map(root_of).cloned().collect();
        self.known.definite.extend(binds.iter().cloned());
        let body = self.block(body)?;
        made.push(Node::With { header: stmt.clone(), body, binds });
        Ok(())
    }

    /// `with grad_of(x) as dx, grad_of(y) as dy:` (paper, Listing 4).
    fn injected(&mut self, stmt: &Stmt, items: &[WithItem], body: &[Stmt], made: &mut Block) -> Outcome<()> {
        let mut pairs = Vec::new();
        for item in items {
            match (&item.context.kind, &item.target) {
                (
                    ExprKind::Call { args, .. },
                    Some(Expr { kind: ExprKind::Name { name: derivative, .. }, .. }),
                ) if matches!(args.as_slice(), [Expr { kind: ExprKind::Name { .. }, .. }]) => {
                    let variable = root_of(&args[0]).cloned().unwrap_or_else(|| derivative.clone());
                    pairs.push((variable, derivative.clone()));
                }
                _ => {
                    return Err(refusal(
                        item.context.span,
                        "`grad_of` takes one variable, and needs a name for its gradient",
                        "write `with grad_of(x) as dx:`",
                    ));
                }
            }
        }
        if !crate::jumps::falls_through(body) && !crate::jumps::may_break(body)
            || crate::jumps::has_return(body)
        {
            return Err(refusal(
                stmt.span,
                "a `grad_of` block returns",
                "leave it by its end, or a loop by `break`",
            ));
        }
        made.push(Node::Injected { span: stmt.span, pairs, body: body.to_vec() });
        Ok(())
    }

    fn expression(&mut self, stmt: &Stmt, value: &Expr, made: &mut Block) -> Outcome<()> {
        // A derivative that is differentiated again: `tangent.add_at(bx, i, by)` is `bx[i] += by`.
        if let ExprKind::Call { func, args, .. } = &value.kind
            && matches!(self.around.callee(func), Callee::AddAt)
            && let [Expr { kind: ExprKind::Name { name: base, .. }, .. }, index, value] = args.as_slice()
        {
            let operands = self.operands(&[value], made)?;
            let b = self.b.at(stmt.span);
            let index = self.simple_index(index, made)?;
            let given = [b.name(base.clone()), index.clone(), operand_expr(b, &operands[0])];
            let forward = b.expr_stmt(b.call((**func).clone(), given));
            let [value] = operands.try_into().unwrap_or_else(|_| unreachable!("one operand was given"));
            self.push(
                made,
                forward,
                OpKind::AugStore { base: base.clone(), index, op: BinaryOp::Add, value },
            );
            return Ok(());
        }
        self.note_asked_container(value);
        if let Some(named) = self.of_named_list(value, made)? {
            return self.expression(stmt, &named, made);
        }
        if let ExprKind::Call { func, args, keywords } = &value.kind
            && let ExprKind::Attribute { value: list, attr, .. } = &func.kind
            // The user's classes may have methods of these names.
            && !self.around.is_object(list)
            && let ExprKind::Name { name: list, .. } = &list.kind
            && self.has_derivative(list)
            && keywords.is_empty()
        {
            match (&**attr, args.as_slice()) {
                ("append", [one]) if !matches!(one.kind, ExprKind::Starred { .. }) => {
                    let one = self.operand(one, made)?;
                    let b = self.b.at(stmt.span);
                    let append = b.attribute(b.name(list.clone()), "append");
                    let forward = b.expr_stmt(b.call(append, [operand_expr(b, &one)]));
                    self.push(made, forward, OpKind::Append { list: list.clone(), value: one });
                    return Ok(());
                }
                ("extend", [values]) if !matches!(values.kind, ExprKind::Starred { .. }) => {
                    return self.extend(list, values, made);
                }
                ("pop", []) => {
                    let target = self.naming.fresh("popped");
                    return self.assign(&target, value, made);
                }
                _ => {}
            }
        }
        if self.container_statement(value, made)? {
            return Ok(());
        }
        if let ExprKind::Call { func, args, keywords } = &value.kind
            && let Callee::Function(function) = self.around.called(func, args, keywords)
            && self.is_written_back(&function)
        {
            let target = self.naming.fresh(&format!("{}_gives", function.name));
            self.drops_result = true;
            return self.assign(&target, value, made);
        }
        if self.is_writer(value) {
            return Err(refusal(
                stmt.span,
                "this call writes to values with derivatives in place",
                "compute a new value and assign it, or write by `a[i] = v`",
            ));
        }
        Err(refusal(
            stmt.span,
            "the result of this call is dropped, and what it does to values with derivatives is not known",
            "assign its result to a variable",
        ))
    }

    /// `log.append(v)` for `self.log.append(v)`, after `log = self.log`.
    pub(crate) fn of_named_list(&mut self, call: &Expr, made: &mut Block) -> Outcome<Option<Expr>> {
        let ExprKind::Call { func, .. } = &call.kind else { return Ok(None) };
        let ExprKind::Attribute { value: list, attr, .. } = &func.kind else { return Ok(None) };
        let is_part = matches!(list.kind, ExprKind::Attribute { .. } | ExprKind::Subscript { .. })
            || self.is_default(list);
        let is_ours = root_of(list).is_some_and(|root| self.has_derivative(root));
        let is_method = matches!(&**attr, "append" | "extend") || REARRANGING.contains(&&**attr);
        let is_object = self.around.is_object(list);
        if !(is_part && is_ours && is_method) || is_object {
            return Ok(None);
        }
        let base = self.written_base(list, made)?;
        Ok(Some(self.with_named_list(call, list, base)))
    }

    /// Whether a call is there for what it writes: `y.sort()`, `np.copyto(y, x)`, `out=y`.
    fn is_writer(&self, value: &Expr) -> bool {
        let ExprKind::Call { func, args, keywords } = &value.kind else { return false };
        let name = match &func.kind {
            ExprKind::Attribute { attr, .. } => &**attr,
            _ => "",
        };
        let writes = match self.around.called(func, args, keywords) {
            Callee::Function(function) => function.may_write,
            _ => false,
        };
        writes
            || crate::aliases::changed_by_method(func, self.around).is_some()
            || matches!(name, "copyto" | "putmask" | "place" | "shuffle" | "at" | "fill_diagonal")
            || keywords.iter().any(|keyword| keyword.name.as_deref() == Some("out"))
    }

    /// `(y := x * x) > 1` is `y = x * x` and `y > 1`, where the assignment is evaluated first; `xs.pop() > 1` is
    /// `popped = xs.pop()` and `popped > 1`.
    pub(crate) fn hoisted(&mut self, test: &Expr) -> Option<(Stmt, Expr)> {
        let first = match &test.kind {
            ExprKind::Compare { left, .. } => &**left,
            _ => test,
        };
        let b = self.b.at(test.span);
        let (name, assigned) = match &first.kind {
            ExprKind::Named { target, value } => {
                let name = root_of(target).filter(|name| self.has_derivative(name))?.clone();
                (name, b.assign((**target).clone(), (**value).clone()))
            }
            ExprKind::Call { .. } if self.is_pop(first) => {
                let name = self.naming.fresh("popped");
                self.declare(&name);
                (name.clone(), b.assign_name(name, first.clone()))
            }
            _ => return None,
        };
        let mut rest = test.clone();
        match &mut rest.kind {
            ExprKind::Compare { left, .. } => **left = b.name(name.clone()),
            _ => rest = b.name(name.clone()),
        }
        Some((assigned, rest))
    }

    /// A statement without a derivative.
    pub(crate) fn plain(&mut self, stmt: Stmt) -> Node {
        let binds = bound_by(&stmt);
        self.known.definite.extend(surely_bound_by(&stmt));
        binds.iter().for_each(|name| {
            self.around.locals.borrow_mut().insert(name.clone());
        });
        self.forget_views(&binds);
        // `k[...] = 1`, where `a[k]` is a view.
        if let StmtKind::Assign { targets, .. } = &stmt.kind {
            self.forget_views(&targets.iter().filter_map(root_of).cloned().collect::<Vec<_>>());
        }
        Node::Plain { stmt, site: self.site(), binds, saves: Vec::new() }
    }

    /// The number of a place.
    pub(crate) fn site(&mut self) -> usize {
        self.sites += 1;
        self.sites
    }

    /// Notes a variable with a derivative.
    pub(crate) fn declare(&mut self, name: &Name) {
        if self.temporaries.insert(name.clone()) {
            self.around.locals.borrow_mut().insert(name.clone());
        }
    }

    /// Adds an operation.
    pub(crate) fn push(&mut self, made: &mut Block, mut forward: Stmt, mut kind: OpKind) {
        // `x = np.exp(x)`: a rule that reads the result and the operand needs both; `x = x[::-1]` adds into the
        // adjoint that it reads.
        let reads_result = match &kind {
            OpKind::Rule { rule, .. } => self.is_forward || rule.reads_result(),
            OpKind::Call { .. } | OpKind::Index { .. } | OpKind::Display { .. } => true,
            _ => false,
        };
        if reads_result
            && let OpKind::Rule { result, .. }
            | OpKind::Call { target: result, .. }
            | OpKind::Index { target: result, .. }
            | OpKind::Display { target: result, .. } = &mut kind
            && let StmtKind::Assign { targets, value } = &mut forward.kind
            && crate::variables::read_in(value).contains(result)
        {
            let target = result.clone();
            let new = self.naming.fresh(&format!("next_{target}"));
            *result = new.clone();
            let rename = |expr: &mut Expr| {
                if let ExprKind::Name { name, .. } = &mut expr.kind
                    && *name == target
                {
                    *name = new.clone();
                }
            };
            for one in targets {
                match &mut one.kind {
                    ExprKind::Tuple { elements, .. } => elements.iter_mut().for_each(rename),
                    _ => rename(one),
                }
            }
            self.push(made, forward, kind);
            let b = self.b.at(self.span);
            let copy = b.assign_name(target.clone(), b.name(new.clone()));
            self.push(made, copy, OpKind::Copy { target, source: new });
            mark_move(made);
            return;
        }
        let site = self.site();
        let mut op = Op::of(self.span, site, forward, kind, Step::default());
        op.is_telling = self.is_telling;
        op.is_same = self.is_made_again(&op);
        self.note_views(&op);
        op.each_bound(&mut |name| {
            self.declare(name);
            self.known.definite.add(name.clone());
        });
        made.push(Node::Op(op));
    }
}

/// Notes that the copy which was made last is the only one to read its source.
pub(crate) fn mark_move(made: &mut Block) {
    if let Some(Node::Op(op)) = made.last_mut() {
        op.is_move = matches!(op.kind, OpKind::Copy { .. });
    }
}

/// What stands for an operand in the text.
pub(crate) fn operand_expr(b: Builder<'_>, operand: &Operand) -> Expr {
    match operand {
        Operand::Active(name) => b.name(name.clone()),
        Operand::Plain(value) => value.clone(),
    }
}

/// A refusal of a function that the function at hand defines.
pub(crate) fn unknown_function(span: Span, name: &Name, what: &str) -> Diagnostic {
    let message = format!("`{name}` is {what}: its derivative is not known");
    refusal(span, message, "give it what it reads as arguments, let it return what it computes, and call it")
}

fn not_expressible(span: Span, kind: &StmtKind) -> Diagnostic {
    let (what, help) = match kind {
        StmtKind::Try { .. } => (
            "`except` around statements with derivatives that are no assignments, stores or `append`, or whose handler raises",
            "leave in the `try` the assignments that may fail, or test for the failure before it happens",
        ),
        StmtKind::Delete(_) => ("`del` of a value with a derivative", "leave it out"),
        StmtKind::FunctionDef(_) => {
            ("a nested function of values with derivatives", "define it outside, and pass what it needs")
        }
        _ => ("this statement handles values with derivatives", ""),
    };
    refusal(span, what, help)
}
