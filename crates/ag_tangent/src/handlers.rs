//! `except` around one assignment, or one `return`, of values with derivatives.
//!
//! ```text
//! try:                            handled = 0
//!     y = np.linalg.inv(a)        try:
//! except LinAlgError:                 tangent.evaluated(np.linalg.inv(a))
//!     y = a                   →   except LinAlgError:
//!                                     handled = 1
//!                                 if handled == 1:
//!                                     y = a
//!                                 else:
//!                                     y = np.linalg.inv(a)
//! ```
//!
//! What is assigned is evaluated twice: once to see whether it raises, and where it does not, with its derivative. So it
//! has to do the same twice. All else in a `try` with handlers stays, and is refused where it has derivatives.

use ag_syntax::Builder;
use ag_syntax::tree::{CompareOp, Expr, ExprKind, Name, Stmt, StmtKind};

use crate::adjoints::helper;
use crate::match_statements::blocks_mut;
use crate::naming::Naming;
use crate::normal::{Outcome, refusal};
use crate::repeated::Repeated;
use crate::sources::Surroundings;
use crate::variables::logs_of;

/// Rewrites `try` statements with handlers.
pub(crate) struct Handlers<'a> {
    b: Builder<'a>,
    /// What is evaluated twice.
    tried: Vec<Stmt>,
}

impl<'a> Handlers<'a> {
    pub(crate) fn new(b: Builder<'a>) -> Self {
        Self { b, tried: Vec::new() }
    }

    /// The statements of a block without the `try` statements that are meant, as far as these can be rewritten.
    pub(crate) fn block(
        &mut self,
        body: &[Stmt],
        naming: &mut Naming,
        is_meant: &dyn Fn(&Stmt) -> bool,
    ) -> Vec<Stmt> {
        let mut made = Vec::new();
        for stmt in body {
            let is_meant_here = is_meant(stmt);
            let mut stmt = stmt.clone();
            for block in blocks_mut(&mut stmt) {
                *block = self.block(block, naming, is_meant);
            }
            match tried_value(&stmt).cloned().filter(|_| is_meant_here) {
                Some(value) => self.rewrite(stmt, value, naming, &mut made),
                None => made.push(stmt),
            }
        }
        made
    }

    fn rewrite(&mut self, mut stmt: Stmt, value: Expr, naming: &mut Naming, made: &mut Vec<Stmt>) {
        let b = self.b.at(stmt.span);
        let StmtKind::Try { body, handlers, orelse, finalbody, .. } = &mut stmt.kind else { return };
        let handled = naming.fresh("handled");
        made.push(b.assign_name(handled.clone(), b.int(0)));
        let mut otherwise = std::mem::replace(body, vec![b.expr_stmt(helper(b, "evaluated", [value]))]);
        self.tried.extend(body.iter().cloned());
        otherwise.append(orelse);
        let mut number = i64::try_from(handlers.len()).unwrap_or(i64::MAX);
        for handler in handlers.iter_mut().rev() {
            let mut first = vec![b.assign_name(handled.clone(), b.int(number))];
            let mut then = std::mem::take(&mut handler.body);
            if let Some(name) = &handler.name {
                // Python unbinds it after the handler.
                let kept: Name = naming.fresh(&format!("{name}_caught"));
                first.push(b.assign_name(kept.clone(), b.name(name.clone())));
                then.insert(0, b.assign_name(name.clone(), b.name(kept)));
            }
            handler.body = first;
            let test = b.compare(b.name(handled.clone()), CompareOp::Eq, b.int(number));
            otherwise = vec![b.if_stmt(test, then, otherwise)];
            number -= 1;
        }
        let last = std::mem::take(finalbody);
        let mut rest = vec![stmt];
        rest.append(&mut otherwise);
        if last.is_empty() {
            made.append(&mut rest);
        } else {
            made.push(b.stmt(StmtKind::Try {
                body: rest,
                handlers: Vec::new(),
                orelse: Vec::new(),
                finalbody: last,
                is_star: false,
            }));
        }
    }

    /// Whether any was rewritten.
    pub(crate) fn has_tried(&self) -> bool {
        !self.tried.is_empty()
    }

    /// Refuses what may do something else when it is evaluated again.
    pub(crate) fn require_repeatable(&self, body: &[Stmt], around: &Surroundings<'_>) -> Outcome<()> {
        let logs = logs_of(body).into_iter().collect();
        for stmt in &self.tried {
            if Repeated::new(around, &logs).require(std::slice::from_ref(stmt)).is_err() {
                return Err(refusal(
                    stmt.span,
                    "`except` around what may do something else when it is evaluated again",
                    "draw, print or write before the `try`, and leave in it what may fail",
                ));
            }
        }
        Ok(())
    }
}

/// The value that a `try` with handlers is around, if it can be rewritten.
fn tried_value(stmt: &Stmt) -> Option<&Expr> {
    let StmtKind::Try { body, handlers, is_star: false, .. } = &stmt.kind else { return None };
    // A handler that raises says which exception it handled.
    if handlers.is_empty() || handlers.iter().any(|handler| raises(&handler.body)) {
        return None;
    }
    let is_name = |target: &Expr| matches!(target.kind, ExprKind::Name { .. });
    match body.as_slice() {
        [Stmt { kind: StmtKind::Assign { targets, value }, .. }] if targets.iter().all(is_name) => {
            Some(value)
        }
        [Stmt { kind: StmtKind::AnnAssign { target, value: Some(value), .. }, .. }] if is_name(target) => {
            Some(value)
        }
        [Stmt { kind: StmtKind::Return(Some(value)), .. }] => Some(value),
        _ => None,
    }
}

fn raises(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::Raise { .. }) || crate::jumps::blocks_of(stmt).into_iter().any(raises)
    })
}
