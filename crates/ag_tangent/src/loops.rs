//! The normal form of loops: what they go over has a name, or is gone over by index.
//!
//! ```text
//! for a, b in zip(xs, ys):        for i in range(min(len(xs), len(ys))):
//!     s += a * b                      a = xs[i]
//!                                     b = ys[i]
//!                                     s += a * b
//! ```

use ag_errors::Span;
use ag_syntax::tree::{BinaryOp, Expr, ExprKind, Name, Stmt, StmtKind};

use crate::jumps::may_break;
use crate::normal::{Former, Outcome, refusal};
use crate::program::{Block, Branch, Head, Loop, LoopSaves as Saves, Node, Over};
use crate::sources::Surroundings;
use crate::variables::{bound_by, bound_in, root_of, roots_of};

impl Former<'_, '_> {
    pub(crate) fn looped(&mut self, stmt: &Stmt, head: Head, body: &[Stmt], made: &mut Block) -> Outcome<()> {
        let count = self.naming.fresh("steps");
        self.around.locals.borrow_mut().insert(count.clone());
        let may_break = may_break(body);
        self.depth += 1;
        let body = Branch::of(self.block(body)?);
        self.depth -= 1;
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
            {
                let index = self.new_index();
                Over::Items { base: base.clone(), target: target.clone(), index }
            }
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
        if let ExprKind::Call { func, args, keywords } = &iter.kind
            && keywords.is_empty()
            && let ExprKind::Name { name: function, .. } = &func.kind
            && !self.around.is_local(function)
            && matches!(&**function, "zip" | "enumerate" | "reversed")
        {
            return self.for_indexed(stmt, (target, function, args), body, made);
        }
        let name = self.naming.fresh("items");
        self.assign(&name, iter, made)?;
        self.for_loop(stmt, target, &b.name(name), body, made)
    }

    /// Iterates over indices where the items come from several sequences.
    pub(crate) fn for_indexed(
        &mut self,
        stmt: &Stmt,
        (target, function, args): (&Expr, &Name, &[Expr]),
        body: &[Stmt],
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(stmt.span);
        let mut sequences = Vec::new();
        for arg in args {
            if let ExprKind::Name { name, .. } = &arg.kind {
                require_same_length(stmt.span, name, body)?;
            }
            let is_kept = matches!(&arg.kind, ExprKind::Name { name, .. } if !bound_in(body).contains(name));
            if is_kept {
                sequences.push(arg.clone());
                continue;
            }
            if matches!(arg.kind, ExprKind::Starred { .. })
                || !(self.is_active(arg) || is_range(self.around, arg))
            {
                return Err(refusal(
                    arg.span,
                    format!("`{function}` goes over this and over values with derivatives"),
                    "assign it to a variable first, a list or an array",
                ));
            }
            let name = self.naming.fresh("items");
            if self.is_active(arg) {
                self.assign(&name, arg, made)?;
            } else {
                made.push(self.plain(b.assign_name(name.clone(), arg.clone())));
            }
            sequences.push(b.name(name));
        }
        let index = self.new_index();
        let length = |one: &Expr| b.call(b.name("len"), [one.clone()]);
        let at = |one: &Expr, index: Expr| b.subscript(one.clone(), index);
        let (iter, item) = match (&**function, sequences.as_slice()) {
            ("enumerate", [one]) => {
                (length(one), b.tuple([b.name(index.clone()), at(one, b.name(index.clone()))]))
            }
            ("reversed", [one]) => {
                let last = b.int(1);
                let from_end = b.expr(ExprKind::Binary {
                    left: Box::new(length(one)),
                    op: BinaryOp::Sub,
                    right: Box::new(last),
                });
                let mirrored = b.expr(ExprKind::Binary {
                    left: Box::new(from_end),
                    op: BinaryOp::Sub,
                    right: Box::new(b.name(index.clone())),
                });
                (length(one), at(one, mirrored))
            }
            ("zip", [one]) => (length(one), b.tuple([at(one, b.name(index.clone()))])),
            ("zip", several) if !several.is_empty() => {
                let shortest = b.call(b.name("min"), several.iter().map(length));
                (shortest, b.tuple(several.iter().map(|one| at(one, b.name(index.clone())))))
            }
            _ => {
                return Err(refusal(
                    stmt.span,
                    format!("`{function}` with these arguments"),
                    "go over indices: `for i in range(len(xs))`",
                ));
            }
        };
        let head = Head::For {
            target: b.name_store(index),
            iter: b.call(b.name("range"), [iter]),
            over: Over::Range,
        };
        let first = b.assign(target.clone(), item);
        let whole: Vec<Stmt> = std::iter::once(first).chain(body.iter().cloned()).collect();
        self.looped(stmt, head, &whole, made)
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

    /// The index of a loop.
    pub(crate) fn new_index(&mut self) -> Name {
        let index = self.naming.fresh("i");
        self.indices.push(index.clone());
        self.around.locals.borrow_mut().insert(index.clone());
        index
    }
}

/// Refuses a loop over a list whose length the loop changes.
fn require_same_length(span: Span, list: &Name, body: &[Stmt]) -> Outcome<()> {
    struct Changes<'n>(&'n Name, bool);
    impl<'a> ag_syntax::visit::Visitor<'a> for Changes<'_> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let ExprKind::Call { func, .. } = &expr.kind
                && let ExprKind::Attribute { value, attr, .. } = &func.kind
                && crate::aliases::CHANGING.contains(&&**attr)
            {
                self.1 |= root_of(value) == Some(self.0);
            }
            ag_syntax::visit::walk_expr(self, expr);
        }
    }
    let mut changes = Changes(list, false);
    ag_syntax::visit::Visitor::visit_body(&mut changes, body);
    if !changes.1 {
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
