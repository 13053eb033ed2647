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

use std::collections::BTreeSet;

use ag_syntax::Builder;
use ag_syntax::tree::{CompareOp, Expr, ExprKind, Name, NodeId, Stmt, StmtKind};

use crate::adjoints::helper;
use crate::each::each_expr;
use crate::match_statements::blocks_mut;
use crate::naming::Naming;
use crate::normal::{Outcome, refusal};
use crate::repeated::Repeated;
use crate::sources::Surroundings;
use crate::tried::Tried;
use crate::tried_blocks::TriedBlocks;
use crate::variables::{dotted, logs_of};

/// Rewrites `try` statements with handlers.
pub(crate) struct Handlers<'a> {
    b: Builder<'a>,
    /// What is evaluated twice.
    tried: Vec<Stmt>,
    /// The `try` statements that were rewritten: what is left of them asks.
    asking: BTreeSet<NodeId>,
}

impl<'a> Handlers<'a> {
    pub(crate) fn new(b: Builder<'a>) -> Self {
        Self { b, tried: Vec::new(), asking: BTreeSet::new() }
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
            let is_tried = is_meant_here && Self::is_handling(&stmt) && !self.asking.contains(&stmt.id);
            match is_tried.then(|| self.rewritten(&stmt, naming)).flatten() {
                Some(others) => made.extend(others),
                None => made.push(stmt),
            }
        }
        made
    }

    /// Whether a `try` with handlers may be rewritten, as far as its handlers go.
    fn is_handling(stmt: &Stmt) -> bool {
        let StmtKind::Try { handlers, is_star: false, .. } = &stmt.kind else { return false };
        // A handler that raises says which exception it handled.
        !handlers.is_empty() && !handlers.iter().any(|handler| raises(&handler.body))
    }

    /// The statements that stand for a `try`; none if one of its own cannot be asked.
    fn rewritten(&mut self, stmt: &Stmt, naming: &mut Naming) -> Option<Vec<Stmt>> {
        let b = self.b.at(stmt.span);
        let mut handling = stmt.clone();
        let StmtKind::Try { body, handlers, orelse, finalbody, .. } = &mut handling.kind else { return None };
        let takes_all = handlers.iter().any(|handler| {
            let named = handler.kind.as_ref().map(ag_syntax::unparse_expr);
            named.is_none_or(|named| named.contains("BaseException"))
        });
        let tried = std::mem::take(body);
        let mut last = std::mem::take(orelse);
        let ending = std::mem::take(finalbody);
        let handled = naming.fresh("handled");
        let is_handled = |number: i64| b.compare(b.name(handled.clone()), CompareOp::Eq, b.int(number));
        // Of one statement its own place is where nothing was handled.
        let alone = match tried.as_slice() {
            [one] => Tried::of(self.b.at(one.span), one),
            _ => None,
        };
        let is_alone = alone.is_some();
        let mut handled_now: Vec<Stmt> = Vec::new();
        if is_alone {
            handled_now = tried.iter().cloned().chain(std::mem::take(&mut last)).collect();
        }
        let mut number = i64::try_from(handlers.len()).unwrap_or(i64::MAX);
        for handler in handlers.iter_mut().rev() {
            let mut first = vec![b.assign_name(handled.clone(), b.int(number))];
            let mut then = std::mem::take(&mut handler.body);
            if let Some(name) = &handler.name {
                // Python unbinds it after the handler.
                let kept: Name = naming.fresh(&format!("{name}_caught"));
                let caught = if is_text_only(&then, name) { "caught" } else { "caught_plain" };
                first.push(b.assign_name(kept.clone(), helper(b, caught, [b.name(name.clone())])));
                then.insert(0, b.assign_name(name.clone(), b.name(kept)));
            }
            handler.body = first;
            handled_now = vec![b.if_stmt(is_handled(number), then, handled_now)];
            number -= 1;
        }
        let mut blocks = TriedBlocks {
            b: self.b,
            handling: &handling,
            handled: &handled,
            takes_all,
            is_asking: &|one| self.asking.contains(&one.id),
            naming,
            repeated: Vec::new(),
        };
        let mut done = if is_alone { blocks.alone(&tried)? } else { blocks.block(&tried, last)? };
        let repeated = blocks.repeated;
        self.tried.extend(repeated);
        self.asking.insert(stmt.id);
        done.append(&mut handled_now);
        let mut made = vec![b.assign_name(handled.clone(), b.int(0))];
        if ending.is_empty() {
            made.append(&mut done);
        } else {
            made.push(b.stmt(StmtKind::Try {
                body: done,
                handlers: Vec::new(),
                orelse: Vec::new(),
                finalbody: ending,
                is_star: false,
            }));
        }
        Some(made)
    }

    /// Whether any was rewritten.
    pub(crate) fn has_tried(&self) -> bool {
        !self.tried.is_empty()
    }

    /// Refuses what may do something else when it is evaluated again.
    pub(crate) fn require_repeatable(&self, body: &[Stmt], around: &Surroundings<'_>) -> Outcome<()> {
        let logs = logs_of(body);
        for stmt in &self.tried {
            if Repeated::new(around, &logs).at_once().require(std::slice::from_ref(stmt)).is_err() {
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

/// Whether a handler reads no more of an exception than its class and its words: `str(e)`, `f"{e}"`, `raise … from e`.
fn is_text_only(body: &[Stmt], name: &Name) -> bool {
    let (mut is_text, mut read) = (true, Vec::new());
    each_expr(body, &mut |expr| match &expr.kind {
        ExprKind::Name { .. } => {
            is_text &= !is_name(expr, name) || read.contains(&expr.id);
            true
        }
        ExprKind::Call { func, args, .. } => {
            let is_reader = matches!(&func.kind, ExprKind::Name { name, .. }
                if matches!(&**name, "str" | "repr" | "print" | "type" | "isinstance"));
            read.extend(args.iter().filter(|_| is_reader).map(|arg| arg.id));
            true
        }
        ExprKind::FString(_) => false,
        _ => true,
    });
    is_text
}

fn is_name(expr: &Expr, wanted: &Name) -> bool {
    matches!(&expr.kind, ExprKind::Name { name, .. } if name == wanted)
}

/// The names that a `try` that only asks gives an exception, of which nothing with a derivative is read.
pub(crate) fn names_of_caught(stmt: &Stmt) -> Vec<&Name> {
    let StmtKind::Try { handlers, .. } = &stmt.kind else { return Vec::new() };
    let mut found = Vec::new();
    for handler in handlers {
        for one in &handler.body {
            if let StmtKind::Assign { targets, value } = &one.kind
                && let [Expr { kind: ExprKind::Name { name, .. }, .. }] = targets.as_slice()
                && let ExprKind::Call { func, .. } = &value.kind
                && matches!(dotted(func).as_deref(), Some("tangent.caught" | "tangent.caught_plain"))
            {
                found.push(name);
                found.extend(&handler.name);
            }
        }
    }
    found
}
