//! The normal form of loops: what they go over has a name, or is gone over by index.
//!
//! ```text
//! for a, b in zip(xs, ys):        for i in range(min(len(xs), len(ys))):
//!     s += a * b                      a = xs[i]
//!                                     b = ys[i]
//!                                     s += a * b
//! ```

use ag_errors::Span;
use ag_syntax::tree::{BinaryOp, ConstantKind, Expr, ExprKind, Keyword, Name, Stmt, StmtKind};

use crate::adjoints::helper;
use crate::callee::Callee;
use crate::each::each_expr;
use crate::jumps::may_break;
use crate::normal::{Former, Outcome, refusal};
use crate::program::{Block, Branch, Head, Loop, LoopSaves as Saves, Node, Over};
use crate::sources::Surroundings;
use crate::variables::{bound_by, bound_in, root_of, roots_of};

impl Former<'_, '_> {
    pub(crate) fn looped(&mut self, stmt: &Stmt, head: Head, body: &[Stmt], made: &mut Block) -> Outcome<()> {
        let count = self.naming.fresh("steps");
        self.around.locals.borrow_mut().insert(count.clone());
        let body = &*self.with_few_jumps(stmt.span, body);
        let may_break = may_break(body);
        if let Head::For { target, .. } = &head {
            self.forget_views(&bound_by(&self.b.assign(target.clone(), self.b.none())));
        }
        self.forget_views_in_loop(body);
        let before = self.known.clone();
        if let Head::For { target, .. } = &head {
            self.known.definite.extend(roots_of(target));
        }
        self.depth += 1;
        let body = Branch::of(self.block(body)?);
        self.depth -= 1;
        self.known = before;
        let (site, saves) = (self.site(), Saves::default());
        made.push(Node::Loop(Loop { span: stmt.span, site, head, body, count, may_break, saves }));
        Ok(())
    }

    pub(crate) fn for_loop(
        &mut self,
        stmt: &Stmt,
        target: &Expr,
        iter: &Expr,
        body: &[Stmt],
        made: &mut Block,
    ) -> Outcome<()> {
        self.require_no_object(iter)?;
        if self.for_over_dict(stmt, (target, iter), body, made)? {
            return Ok(());
        }
        let b = self.b.at(stmt.span);
        let iter = &self.iterated(iter);
        let rebound = bound_in(body);
        let targets = bound_by(&b.assign(target.clone(), b.none()));
        let is_bound = roots_of(target).iter().any(|name| self.has_derivative(name));
        let is_item = is_bound && self.is_active(iter);
        let is_rebound = targets.iter().any(|name| rebound.contains(name)) || (is_bound && !is_item);
        let (head_target, mut first) = (target.clone(), Vec::new());
        let (head_target, body_first) =
            if is_rebound || (is_item && !matches!(target.kind, ExprKind::Name { .. })) {
                let name = self.naming.fresh("item");
                if is_item {
                    self.declare(&name);
                }
                first.push(b.assign(target.clone(), b.name(name.clone())));
                (b.name_store(name), first)
            } else {
                (head_target, Vec::new())
            };
        if let (true, ExprKind::Name { name, .. }) = (is_item, &target.kind)
            && (self.told.iter().any(|(_, written)| written == name)
                || self.around.functions.objects.contains_key(name))
        {
            // What is written into an item is told by its index; what an object is, is asked where it is read.
            return self.for_indexed(stmt, (target, iter), body, made);
        }
        if let (true, ExprKind::Name { name: base, .. }) = (is_item, &iter.kind) {
            require_same_length(stmt.span, base, body)?;
            if rebound.contains(base) {
                // The iterator keeps what the name was bound to.
                return self.for_over_value(stmt, target, iter, body, made);
            }
        }
        let over = if is_item {
            let (ExprKind::Name { name: base, .. }, ExprKind::Name { name: target, .. }) =
                (&iter.kind, &head_target.kind)
            else {
                return self.for_over_value(stmt, target, iter, body, made);
            };
            let may_be_dict = !self.is_sequence(iter);
            Over::Items { base: base.clone(), target: target.clone(), index: self.new_index(), may_be_dict }
        } else if is_range(self.around, iter)
            || matches!(&iter.kind, ExprKind::Name { name, .. } if self.ranges.contains(name))
        {
            Over::Range
        } else {
            Over::Plain
        };
        let whole: Vec<Stmt> = body_first.into_iter().chain(body.iter().cloned()).collect();
        let head = Head::For { target: head_target, iter: iter.clone(), over };
        self.looped(stmt, head, &whole, made)
    }

    /// `for a, b in zip(xs, ys)`, `for i, a in enumerate(xs)`, `for a in 2 * xs`.
    pub(crate) fn for_over_value(
        &mut self,
        stmt: &Stmt,
        target: &Expr,
        iter: &Expr,
        body: &[Stmt],
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(stmt.span);
        if self.iterator(iter).is_some() {
            return self.for_indexed(stmt, (target, iter), body, made);
        }
        let name = self.naming.fresh("items");
        if self.is_sequence(iter) {
            self.sequences.insert(name.clone());
        }
        self.assign(&name, iter, made)?;
        self.for_loop(stmt, target, &b.name(name), body, made)
    }

    /// Iterates over indices where the items come from several sequences.
    pub(crate) fn for_indexed(
        &mut self,
        stmt: &Stmt,
        (target, iter): (&Expr, &Expr),
        body: &[Stmt],
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(stmt.span);
        let index = self.new_index();
        let mut checks = Vec::new();
        let (length, item) = self.indexed(iter, (&index, body), made, &mut checks)?;
        let head = Head::For {
            target: b.name_store(index),
            iter: b.call(b.name("range"), [length]),
            over: Over::Range,
        };
        let first = b.assign(target.clone(), item);
        let whole: Vec<Stmt> = std::iter::once(first).chain(body.iter().cloned()).collect();
        self.looped(stmt, head, &whole, made)?;
        made.extend(checks.into_iter().map(|check| self.plain(b.expr_stmt(check))));
        Ok(())
    }

    /// How many items an iteration gives, and the one at `index`; `checks` run after the loop.
    fn indexed(
        &mut self,
        iter: &Expr,
        (index, body): (&Name, &[Stmt]),
        made: &mut Block,
        checks: &mut Vec<Expr>,
    ) -> Outcome<(Expr, Expr)> {
        let b = self.b.at(iter.span);
        let here = b.name(index.clone());
        let length = |one: &Expr| b.call(b.name("len"), [one.clone()]);
        let difference = |left: Expr, right: Expr| {
            b.expr(ExprKind::Binary { left: Box::new(left), op: BinaryOp::Sub, right: Box::new(right) })
        };
        let Some((function, args, keywords)) = self.iterator(iter) else {
            let values = self.indexed_values(iter, body, made)?;
            return Ok((length(&values), b.subscript(values, here)));
        };
        match (function, args, keywords) {
            ("enumerate", [values], [] | [Keyword { .. }]) | ("enumerate", [values, _], [])
                if keywords.iter().all(|keyword| keyword.name.as_deref() == Some("start")) =>
            {
                let (count, item) = self.indexed(values, (index, body), made, checks)?;
                let start = args.get(1).or(keywords.first().map(|keyword| &keyword.value));
                let number = match start {
                    Some(start) => {
                        let first = self.naming.fresh("start");
                        made.push(self.plain(b.assign_name(first.clone(), start.clone())));
                        let (left, right) = (Box::new(b.name(first)), Box::new(here));
                        b.expr(ExprKind::Binary { left, op: BinaryOp::Add, right })
                    }
                    None => here,
                };
                Ok((count, b.tuple([number, item])))
            }
            ("reversed", [values], []) if self.iterator(values).is_none() => {
                let values = self.indexed_values(values, body, made)?;
                let place = difference(difference(length(&values), b.int(1)), here);
                Ok((length(&values), b.subscript(values, place)))
            }
            ("zip", several, _)
                if !several.is_empty()
                    && let Some(is_strict) = strictness(keywords, body)
                    && !(is_strict && several.iter().any(|one| self.iterator(one).is_some())) =>
            {
                let mut parts = Vec::new();
                for one in several {
                    parts.push(self.indexed(one, (index, body), made, checks)?);
                }
                let (mut counts, items): (Vec<Expr>, Vec<Expr>) = parts.into_iter().unzip();
                if is_strict {
                    checks.push(helper(b, "require_same_lengths", counts.clone()));
                }
                let count = match counts.len() {
                    1 => counts.remove(0),
                    _ => b.call(b.name("min"), counts),
                };
                Ok((count, b.tuple(items)))
            }
            _ => Err(refusal(
                iter.span,
                format!("`{function}` with these arguments"),
                "go over indices: `for i in range(len(xs))`",
            )),
        }
    }

    /// The function, the arguments and the keywords of `zip(…)`, `enumerate(…)` and `reversed(…)`.
    fn iterator<'e>(&self, iter: &'e Expr) -> Option<(&'e str, &'e [Expr], &'e [Keyword])> {
        let ExprKind::Call { func, args, keywords } = &iter.kind else { return None };
        let ExprKind::Name { name, .. } = &func.kind else { return None };
        let is_known = matches!(&**name, "zip" | "enumerate" | "reversed") && !self.around.is_local(name);
        is_known.then_some((&**name, args.as_slice(), keywords.as_slice()))
    }

    /// A variable that holds what an iteration goes over, and that the body does not bind.
    fn indexed_values(&mut self, values: &Expr, body: &[Stmt], made: &mut Block) -> Outcome<Expr> {
        let values = &self.iterated(values);
        let b = self.b.at(values.span);
        if let ExprKind::Name { name, .. } = &values.kind {
            require_same_length(values.span, name, body)?;
            if !bound_in(body).contains(name) {
                self.require_sequence(values, values, made);
                return Ok(values.clone());
            }
        }
        // What a function of the user's gives is asked when it runs.
        let is_given = matches!(&values.kind, ExprKind::Call { func, args, keywords }
            if matches!(self.around.called(func, args, keywords), Callee::Function(_)));
        // So is what a slice gives, which is no iterator.
        let is_slice = matches!(&values.kind, ExprKind::Subscript { index, .. }
            if matches!(index.kind, ExprKind::Slice { .. }));
        let is_given = is_given || is_slice;
        let is_known =
            self.is_active(values) || is_given || is_range(self.around, values) || self.is_sequence(values);
        if matches!(values.kind, ExprKind::Starred { .. }) || !is_known {
            return Err(refusal(
                values.span,
                "an iteration goes over this and over values with derivatives",
                "assign it to a variable first, a list or an array",
            ));
        }
        let name = self.naming.fresh("items");
        if self.is_active(values) {
            self.assign(&name, values, made)?;
            self.require_sequence(&b.name(name.clone()), values, made);
        } else {
            made.push(self.plain(b.assign_name(name.clone(), values.clone())));
            if is_given {
                self.require_sequence(&b.name(name.clone()), values, made);
            }
        }
        Ok(b.name(name))
    }

    /// `while (y := x * y) < 5: …` is `while True: y = x * y; if not y < 5: break; …`.
    pub(crate) fn assigning_while(
        &mut self,
        stmt: &Stmt,
        test: &Expr,
        body: &[Stmt],
        made: &mut Block,
    ) -> Outcome<()> {
        let Some((assigned, test)) = self.hoisted(test) else { return Ok(()) };
        let b = self.b.at(stmt.span);
        let leave = b.if_stmt(b.not(test), vec![b.stmt(StmtKind::Break)], Vec::new());
        let whole: Vec<Stmt> = [assigned, leave].into_iter().chain(body.iter().cloned()).collect();
        self.looped(stmt, Head::While(b.bool(true)), &whole, made)
    }

    /// What an iteration over a value goes over: of what is visibly a dict with derivatives, `tangent.keys(p)`.
    pub(crate) fn iterated(&self, value: &Expr) -> Expr {
        match self.numbers.is_dict(value) && self.is_active(value) {
            true => helper(self.b.at(value.span), "keys", [value.clone()]),
            false => value.clone(),
        }
    }

    /// Whether a value is known to be no dict.
    fn is_sequence(&self, value: &Expr) -> bool {
        self.numbers.is_sequence(value, self.around)
            || self.around.functions.gives_tuple(value)
            || matches!(&value.kind, ExprKind::Name { name, .. } if self.sequences.contains(name))
    }

    /// `tangent.require_sequence(items, "xs")` for `items = xs`, unless it is known that `xs` is no dict: a dict gives
    /// its keys for items, and they have no index.
    pub(crate) fn require_sequence(&mut self, items: &Expr, written: &Expr, made: &mut Block) {
        if self.is_sequence(items) {
            return;
        }
        if !self.is_sequence(written) {
            let b = self.b.at(written.span);
            let text = b.string(&ag_syntax::unparse_expr(written));
            let node = self.plain(b.expr_stmt(helper(b, "require_sequence", [items.clone(), text])));
            made.push(node);
        }
        // A name of the user's may be bound again.
        if let ExprKind::Name { name, .. } = &items.kind
            && root_of(written) != Some(name)
        {
            self.sequences.insert(name.clone());
        }
    }

    /// The index of a loop.
    pub(crate) fn new_index(&mut self) -> Name {
        let index = self.naming.fresh("i");
        self.indices.push(index.clone());
        self.around.locals.borrow_mut().insert(index.clone());
        index
    }
}

/// Whether `zip(…, strict=True)` is to raise where the lengths differ: after the iterations that all have. `None` for
/// what is not known before the run, or where the loop may leave before it is found.
fn strictness(keywords: &[Keyword], body: &[Stmt]) -> Option<bool> {
    match keywords {
        [] => Some(false),
        [Keyword { name: Some(name), value, .. }] if &**name == "strict" => match value.kind {
            ExprKind::Constant { kind: ConstantKind::False, .. } => Some(false),
            ExprKind::Constant { kind: ConstantKind::True, .. } if !may_break(body) => Some(true),
            _ => None,
        },
        _ => None,
    }
}

/// Refuses a loop over a list whose length the loop changes.
fn require_same_length(span: Span, list: &Name, body: &[Stmt]) -> Outcome<()> {
    let mut changes = false;
    each_expr(body, &mut |expr| {
        if let ExprKind::Call { func, .. } = &expr.kind
            && let ExprKind::Attribute { value, attr, .. } = &func.kind
            && crate::aliases::CHANGING.contains(&&**attr)
        {
            changes |= root_of(value) == Some(list);
        }
        true
    });
    if !changes {
        return Ok(());
    }
    Err(refusal(span, format!("the loop over `{list}` changes it"), "loop over a copy, or over indices"))
}

/// Whether an expression is `range(…)` of names, attributes and literals.
fn is_range(around: &Surroundings<'_>, iter: &Expr) -> bool {
    let ExprKind::Call { func, args, keywords } = &iter.kind else { return false };
    let is_range =
        matches!(&func.kind, ExprKind::Name { name, .. } if &**name == "range" && !around.is_local(name));
    is_range && keywords.is_empty() && args.iter().all(crate::flatten::is_simple)
}
