//! `except` around assignments, stores, `append`, and a `return`, of values with derivatives.
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
//! has to do the same twice. Of several statements each is asked, and done, where those before it have not raised: what
//! was written before a failure stays written. What a store may raise is asked of a copy (`tried.rs`). All else in a `try`
//! with handlers stays, and is refused where it has derivatives.

use ag_syntax::Builder;
use ag_syntax::tree::{CompareOp, Name, Stmt, StmtKind};

use crate::match_statements::blocks_mut;
use crate::naming::Naming;
use crate::normal::{Outcome, refusal};
use crate::repeated::Repeated;
use crate::sources::Surroundings;
use crate::tried::Tried;
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
        body: Vec<Stmt>,
        naming: &mut Naming,
        is_meant: &dyn Fn(&Stmt) -> bool,
    ) -> Vec<Stmt> {
        let mut made = Vec::with_capacity(body.len());
        for mut stmt in body {
            let is_meant_here = matches!(stmt.kind, StmtKind::Try { .. }) && is_meant(&stmt);
            for block in blocks_mut(&mut stmt) {
                *block = self.block(std::mem::take(block), naming, is_meant);
            }
            match self.tried_in(&stmt).filter(|_| is_meant_here) {
                Some(parts) => self.rewrite(stmt, parts, naming, &mut made),
                None => made.push(stmt),
            }
        }
        made
    }

    /// What the statements of a `try` with handlers may raise, if it can be rewritten.
    fn tried_in(&self, stmt: &Stmt) -> Option<Vec<Tried>> {
        let StmtKind::Try { body, handlers, is_star: false, .. } = &stmt.kind else { return None };
        // A handler that raises says which exception it handled.
        if handlers.is_empty() || handlers.iter().any(|handler| raises(&handler.body)) {
            return None;
        }
        let takes_all = handlers.iter().any(|handler| {
            let named = handler.kind.as_ref().map(ag_syntax::unparse_expr);
            named.is_none_or(|named| named.contains("BaseException"))
        });
        body.iter()
            .map(|one| {
                let mut tried = Tried::of(self.b.at(one.span), one)?;
                if takes_all {
                    tried.ask_before(self.b.at(one.span), one)?;
                }
                Some(tried)
            })
            .collect()
    }

    fn rewrite(&mut self, mut stmt: Stmt, parts: Vec<Tried>, naming: &mut Naming, made: &mut Vec<Stmt>) {
        let b = self.b.at(stmt.span);
        let StmtKind::Try { body, handlers, orelse, finalbody, .. } = &mut stmt.kind else { return };
        let handled = naming.fresh("handled");
        let is_handled = |number: i64| b.compare(b.name(handled.clone()), CompareOp::Eq, b.int(number));
        made.push(b.assign_name(handled.clone(), b.int(0)));
        let tried = std::mem::take(body);
        self.tried.extend(parts.iter().flat_map(|part| part.repeated.iter().cloned()));
        let mut last = std::mem::take(orelse);
        let ending = std::mem::take(finalbody);
        let mut handling: Vec<Stmt> = Vec::new();
        let mut number = i64::try_from(handlers.len()).unwrap_or(i64::MAX);
        let count = tried.len();
        if count == 1 {
            handling = tried.iter().cloned().chain(std::mem::take(&mut last)).collect();
        }
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
            handling = vec![b.if_stmt(is_handled(number), then, handling)];
            number -= 1;
        }
        // Where one of several has raised, those before it are done, and those after it are not.
        for (one, part) in tried.into_iter().zip(parts).rev() {
            let mut asked = stmt.clone();
            if let StmtKind::Try { body, .. } = &mut asked.kind {
                *body = part.asked;
            }
            let rest = std::mem::take(&mut last);
            last = part.guard.into_iter().chain([asked]).collect();
            if count > 1 {
                let then = std::iter::once(one).chain(rest).collect();
                last.push(b.if_stmt(is_handled(0), then, Vec::new()));
            }
        }
        last.append(&mut handling);
        if ending.is_empty() {
            made.append(&mut last);
        } else {
            made.push(b.stmt(StmtKind::Try {
                body: last,
                handlers: Vec::new(),
                orelse: Vec::new(),
                finalbody: ending,
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
        let logs = logs_of(body);
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

fn raises(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::Raise { .. }) || crate::jumps::blocks_of(stmt).into_iter().any(raises)
    })
}
