//! The statements of a `try` with handlers, each asked and done where those before it have not raised; those of branches
//! and loops in it, too.
//!
//! ```text
//! try:                            handled = 0
//!     for v in xs:                try:
//!         if v < 0:                   tangent.evaluated(xs)
//!             raise ValueError    except ValueError:
//!         s = s + f(v)                handled = 1
//! except ValueError:              if handled == 0:
//!     s = 0.0                         for v in xs:
//!                                         try:
//!                                             tangent.evaluated(not v < 0)
//!                                         …
//!                                         if handled != 0:
//!                                             break
//! ```

use ag_syntax::Builder;
use ag_syntax::tree::{CompareOp, Context, Expr, ExprKind, Name, Stmt, StmtKind};

use crate::adjoints::helper;
use crate::naming::Naming;
use crate::tried::Tried;
use crate::variables::dotted;

/// Rewrites the statements of one `try`.
pub(crate) struct TriedBlocks<'t> {
    /// Finds the place of a statement.
    pub(crate) b: Builder<'t>,
    /// The `try` whose handlers only say which of them it was.
    pub(crate) handling: &'t Stmt,
    /// The variable that says it.
    pub(crate) handled: &'t Name,
    /// Whether a handler takes all exceptions.
    pub(crate) takes_all: bool,
    /// Whether a statement is a `try` in this one that was rewritten, and has no more to do than to ask.
    pub(crate) is_asking: &'t dyn Fn(&Stmt) -> bool,
    /// Names variables for what is unpacked.
    pub(crate) naming: &'t mut Naming,
    /// What is evaluated twice.
    pub(crate) repeated: Vec<Stmt>,
}

impl TriedBlocks<'_> {
    /// The statements of a block, and what follows if none of them raises; none if one cannot be asked.
    pub(crate) fn block(&mut self, body: &[Stmt], rest: Vec<Stmt>) -> Option<Vec<Stmt>> {
        body.iter().rev().try_fold(rest, |rest, one| self.stmt(one, rest))
    }

    /// What asks of the only statement of a `try`, which is done where its handlers are not.
    pub(crate) fn alone(&mut self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        let mut made = self.block(body, Vec::new())?;
        made.pop();
        Some(made)
    }

    fn stmt(&mut self, one: &Stmt, rest: Vec<Stmt>) -> Option<Vec<Stmt>> {
        let b = self.b.at(one.span);
        if let Some(mut tried) = Tried::of(b, one) {
            if self.takes_all {
                tried.ask_before(b, one)?;
            }
            self.repeated.extend(tried.repeated);
            let then = std::iter::once(one.clone()).chain(rest).collect();
            return Some(tried.guard.into_iter().chain(self.asked(b, tried.asked, then)).collect());
        }
        match &one.kind {
            // `a, b = value` may raise where it is unpacked.
            StmtKind::Assign { targets, value }
                if let [target] = targets.as_slice()
                    && let ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } =
                        &target.kind =>
            {
                let mut names = Vec::new();
                for element in elements {
                    let ExprKind::Name { name, .. } = &element.kind else { return None };
                    names.push(b.name_store(self.naming.fresh(&format!("tried_{name}"))));
                }
                self.repeated.push(one.clone());
                let unpacked = helper(b, "tried_items", [value.clone()]);
                let asked = b.assign(b.tuple_in(names, Context::Store), unpacked);
                let then = std::iter::once(one.clone()).chain(rest).collect();
                Some(self.asked(b, vec![asked], then))
            }
            StmtKind::If { test, body, orelse } => {
                let done =
                    b.if_stmt(test.clone(), self.block(body, Vec::new())?, self.block(orelse, Vec::new())?);
                let asked = self.truth(b, test);
                Some(self.asked(b, vec![asked], self.followed(b, done, rest)))
            }
            StmtKind::For { target, iter, body, orelse, is_async: false, .. } => {
                self.repeated.push(b.expr_stmt(iter.clone()));
                let mut body = self.block(body, Vec::new())?;
                body.push(self.leave(b));
                let mut done = b.for_stmt((**target).clone(), iter.clone(), body);
                if let StmtKind::For { orelse: last, .. } = &mut done.kind {
                    *last = self.block(orelse, Vec::new())?;
                }
                let asked = b.expr_stmt(helper(b, "evaluated", [iter.clone()]));
                Some(self.asked(b, vec![asked], self.followed(b, done, rest)))
            }
            StmtKind::While { test, body, orelse } if orelse.is_empty() => {
                let stop = b.if_stmt(b.not(test.clone()), vec![b.stmt(StmtKind::Break)], Vec::new());
                let asked = self.truth(b, test);
                let mut looped = self.asked(b, vec![asked], Vec::new());
                looped.extend([self.leave(b), stop]);
                looped.extend(self.block(body, Vec::new())?);
                looped.push(self.leave(b));
                Some(self.followed(b, b.while_stmt(b.bool(true), looped), rest))
            }
            // What raises does nothing else, and what was rewritten does no more than to ask.
            StmtKind::Raise { exc: Some(_), .. } => Some(self.asked(b, vec![one.clone()], Vec::new())),
            StmtKind::Try { .. } if (self.is_asking)(one) => Some(self.asked(b, vec![one.clone()], rest)),
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) => Some(vec![one.clone()]),
            // A guard, whose refusal no handler takes.
            StmtKind::Expr(Expr { kind: ExprKind::Call { func, .. }, .. })
                if dotted(func).as_deref() == Some("tangent.require_rebound") =>
            {
                Some(std::iter::once(one.clone()).chain(rest).collect())
            }
            StmtKind::Pass => Some(if rest.is_empty() { vec![one.clone()] } else { rest }),
            _ => None,
        }
    }

    /// Statements under the handlers, and what is done if they do not raise.
    fn asked(&self, b: Builder<'_>, asked: Vec<Stmt>, then: Vec<Stmt>) -> Vec<Stmt> {
        let mut asking = self.handling.clone();
        if let StmtKind::Try { body, .. } = &mut asking.kind {
            *body = asked;
        }
        std::iter::once(asking).chain(self.unless_handled(b, then)).collect()
    }

    /// A statement in which some may raise, and what follows if none does.
    fn followed(&self, b: Builder<'_>, done: Stmt, rest: Vec<Stmt>) -> Vec<Stmt> {
        std::iter::once(done).chain(self.unless_handled(b, rest)).collect()
    }

    fn unless_handled(&self, b: Builder<'_>, then: Vec<Stmt>) -> Option<Stmt> {
        let test = b.compare(b.name(self.handled.clone()), CompareOp::Eq, b.int(0));
        (!then.is_empty()).then(|| b.if_stmt(test, then, Vec::new()))
    }

    fn leave(&self, b: Builder<'_>) -> Stmt {
        let test = b.compare(b.name(self.handled.clone()), CompareOp::NotEq, b.int(0));
        b.if_stmt(test, vec![b.stmt(StmtKind::Break)], Vec::new())
    }

    /// Asks for the truth of a test, which may raise as the test does.
    fn truth(&mut self, b: Builder<'_>, test: &Expr) -> Stmt {
        self.repeated.push(b.expr_stmt(test.clone()));
        let is_truth = matches!(test.kind, ExprKind::Unary { op: ag_syntax::tree::UnaryOp::Not, .. });
        let test = if is_truth { test.clone() } else { b.not(test.clone()) };
        b.expr_stmt(helper(b, "evaluated", [test]))
    }
}
