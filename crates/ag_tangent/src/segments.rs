//! Loops that run again in segments: `for i in tangent.checkpoint(range(n)):`.
//!
//! ```text
//! for i in tangent.checkpoint(range(n)):          parts = tangent.segments(range(n))
//!     x = np.sin(x)                               for part in parts:
//!                                                     for i in part:          # runs again
//!                                                         x = np.sin(x)
//! ```

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::{Expr, ExprKind, FunctionDef, Keyword, Name, NodeId, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, VisitorMut, walk_expr};

use crate::adjoints::helper;
use crate::callee::{Callee, Resolver};
use crate::jumps::{mark_block, may_break};
use crate::name_sets::IntoSet;
use crate::normal::{Former, Outcome, refusal};
use crate::program::{Again, Block, Branch, Head, Loop, LoopSaves, Node, Over};
use crate::repeated::{Repeated, iterated};
use crate::variables::{bound_in, dotted, root_of};

/// By loop: after how many iterations it keeps what it carries, where that is given.
pub(crate) type Segmented = BTreeMap<NodeId, Option<Expr>>;

/// Takes `tangent.checkpoint` out of a function, whose loops then go over their ranges.
pub(crate) fn taken_out(
    def: &mut FunctionDef,
    parameters: &[Name],
    resolver: &dyn Resolver,
) -> Outcome<Segmented> {
    let mut locals: BTreeSet<Name> = bound_in(&def.body).into_iter().into_set();
    locals.extend(parameters.iter().cloned());
    let mut taken = Taken { resolver, locals, found: Segmented::new(), refused: None };
    taken.visit_body(&mut def.body);
    let mut rest = Rest(&taken, None);
    rest.visit_body(&def.body);
    match taken.refused.clone().or(rest.1) {
        Some(refused) => Err(refused),
        None => Ok(taken.found),
    }
}

struct Taken<'t> {
    resolver: &'t dyn Resolver,
    locals: BTreeSet<Name>,
    found: Segmented,
    refused: Option<ag_errors::Diagnostic>,
}

impl Taken<'_> {
    /// The arguments of a call of `tangent.checkpoint`.
    fn arguments<'e>(&self, expr: &'e Expr) -> Option<(&'e [Expr], &'e [Keyword])> {
        let ExprKind::Call { func, args, keywords } = &expr.kind else { return None };
        let path = dotted(func)?;
        let is_outside = root_of(func).is_some_and(|root| !self.locals.contains(root));
        (is_outside && matches!(self.resolver.named(&path), Callee::Checkpoint)).then_some((args, keywords))
    }

    /// The range of a loop, and the number of iterations.
    fn range(&self, iter: &Expr) -> Option<Result<(Expr, Option<Expr>), ag_errors::Diagnostic>> {
        let (args, keywords) = self.arguments(iter)?;
        let is_range = |expr: &Expr| {
            matches!(&expr.kind, ExprKind::Call { func, keywords, .. }
                if keywords.is_empty() && matches!(&func.kind, ExprKind::Name { name, .. }
                    if &**name == "range" && !self.locals.contains(name)))
        };
        let every = match (args, keywords) {
            ([_], []) => None,
            ([_], [Keyword { name: Some(name), value, .. }]) if &**name == "every" => Some(value.clone()),
            _ => {
                let help = "write `tangent.checkpoint(range(n))` or `tangent.checkpoint(range(n), every=k)`";
                return Some(Err(refusal(iter.span, "these are not the arguments of `checkpoint`", help)));
            }
        };
        Some(match args {
            [range] if is_range(range) => Ok((range.clone(), every)),
            _ => Err(refusal(
                iter.span,
                "`checkpoint` of what is no `range`: the items cannot be had again",
                "loop over indices: `for i in tangent.checkpoint(range(len(xs)))`",
            )),
        })
    }
}

impl VisitorMut for Taken<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::For { iter, .. } = &mut stmt.kind
            && let Some(range) = self.range(iter)
        {
            match range {
                Ok((range, every)) => {
                    *iter = range;
                    self.found.insert(stmt.id, every);
                }
                Err(refused) => {
                    self.refused.get_or_insert(refused);
                }
            }
        }
        ag_syntax::visit::mutable::walk_stmt(self, stmt);
    }

    // No expression holds a statement.
    fn visit_expr(&mut self, _: &mut Expr) {}
}

/// What is left: `tangent.checkpoint(range(n))` that is no head of a loop.
struct Rest<'t>(&'t Taken<'t>, Option<ag_errors::Diagnostic>);

impl<'a> Visitor<'a> for Rest<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Some(Ok(_)) = self.0.range(expr) {
            let message = "`checkpoint` of a range is said in the head of a `for` statement";
            let help = "write `for i in tangent.checkpoint(range(n)):`";
            self.1.get_or_insert(refusal(expr.span, message, help));
        }
        walk_expr(self, expr);
    }
}

impl Former<'_, '_> {
    /// A loop in segments, of which each runs again in the backward pass.
    pub(crate) fn segmented_loop(
        &mut self,
        stmt: &Stmt,
        (target, iter): (&Expr, &Expr),
        body: &[Stmt],
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(stmt.span);
        Repeated::new(self.around, &self.logs).require(body)?;
        self.require_repeatable(body, made);
        let every = self.segmented.get(&stmt.id).cloned().flatten();
        let (parts, part) = (self.naming.fresh("parts"), self.naming.fresh("part"));
        let split = helper(b, "segments", std::iter::once(iter.clone()).chain(every));
        let node = self.plain(b.assign_name(parts.clone(), split));
        made.push(node);
        let mut body = body.to_vec();
        let left = may_break(&body).then(|| self.naming.fresh("left"));
        if let Some(left) = &left {
            let node = self.plain(b.assign_name(left.clone(), b.bool(false)));
            made.push(node);
            mark_block(&mut body, left, b);
        }
        self.ranges.extend([parts.clone(), part.clone()]);
        self.around.locals.borrow_mut().insert(part.clone());

        // What is around the segment is nothing to its second run.
        let (depth, markers) = (std::mem::take(&mut self.depth), std::mem::take(&mut self.markers));
        let mut inner = Vec::new();
        let done = self.for_loop(stmt, target, &b.name(part.clone()), &body, &mut inner);
        (self.depth, self.markers) = (depth, markers);
        done?;

        let again = Again { flag: left.clone(), ..Again::of(stmt.span, self.site(), inner) };
        let mut segment = vec![Node::Again(again)];
        if let Some(left) = left {
            self.depth += 1;
            let leave = b.if_stmt(b.name(left), vec![b.stmt(StmtKind::Break)], Vec::new());
            let rest = self.block(&[leave]);
            self.depth -= 1;
            segment.extend(rest?);
            return self.push_segments(stmt, (part, parts), segment, true, made);
        }
        self.push_segments(stmt, (part, parts), segment, false, made)
    }

    /// `tangent.require_repeatable(items, "items")`: what will be iterated over twice.
    pub(crate) fn require_repeatable(&mut self, body: &[Stmt], made: &mut Block) {
        for items in iterated(body, self.around) {
            let known = root_of(&items).is_some_and(|name| {
                self.has_derivative(name) || self.numbers.contains(name) || self.ranges.contains(name)
            });
            if !known {
                let b = self.b.at(items.span);
                let name = b.string(&dotted(&items).unwrap_or_default());
                let guard = b.expr_stmt(helper(b, "require_repeatable", [b.copy_expr(&items), name]));
                let node = self.plain(guard);
                made.push(node);
            }
        }
    }

    fn push_segments(
        &mut self,
        stmt: &Stmt,
        (part, parts): (Name, Name),
        segment: Block,
        may_break: bool,
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(stmt.span);
        let count = self.naming.fresh("steps");
        self.around.locals.borrow_mut().insert(count.clone());
        let head = Head::For { target: b.name_store(part), iter: b.name(parts), over: Over::Range };
        made.push(Node::Loop(Loop {
            span: stmt.span,
            site: self.site(),
            head,
            body: Branch::of(segment),
            count,
            may_break,
            saves: LoopSaves::default(),
        }));
        Ok(())
    }
}
