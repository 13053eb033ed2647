//! `return` in loops, and `else` of loops, by flags and `break`; what follows a choice that may leave its block.
//!
//! ```text
//! for a in xs:                    returned = False
//!     if a > 0:                   for a in xs:
//!         return a                    if a > 0:
//! return 0.0                              y = a
//!                                         returned = True
//!                                         break
//!                                 if returned:
//!                                     return y
//!                                 return 0.0
//! ```

use ag_syntax::Builder;
use ag_syntax::tree::{Name, Stmt, StmtKind};

use crate::naming::Naming;

/// Whether the end of these statements may be reached.
pub(crate) fn falls_through(body: &[Stmt]) -> bool {
    body.iter().all(|stmt| match &stmt.kind {
        StmtKind::Return(_) | StmtKind::Raise { .. } | StmtKind::Break | StmtKind::Continue => false,
        StmtKind::If { body, orelse, .. } => falls_through(body) || falls_through(orelse),
        StmtKind::With { body, .. } => falls_through(body),
        StmtKind::Try { body, finalbody, handlers, .. } => {
            (falls_through(body) || !handlers.is_empty()) && falls_through(finalbody)
        }
        _ => true,
    })
}

/// Whether these statements may leave their block: by `return`, or by `break` or `continue` of a loop around.
pub(crate) fn may_leave(body: &[Stmt]) -> bool {
    has_return(body) || has_jump(body, |kind| matches!(kind, StmtKind::Break | StmtKind::Continue))
}

/// Whether a `break` of this loop's body leaves it.
pub(crate) fn may_break(body: &[Stmt]) -> bool {
    has_jump(body, |kind| matches!(kind, StmtKind::Break))
}

/// Whether a jump of the loop around is in these statements, not in loops inside of them.
fn has_jump(body: &[Stmt], is_jump: fn(&StmtKind) -> bool) -> bool {
    body.iter().any(|stmt| {
        is_jump(&stmt.kind)
            || match &stmt.kind {
                StmtKind::For { orelse, .. } | StmtKind::While { orelse, .. } => has_jump(orelse, is_jump),
                _ => blocks_of(stmt).into_iter().any(|block| has_jump(block, is_jump)),
            }
    })
}

/// Whether these statements return.
pub(crate) fn has_return(body: &[Stmt]) -> bool {
    body.iter()
        .any(|stmt| matches!(stmt.kind, StmtKind::Return(_)) || blocks_of(stmt).into_iter().any(has_return))
}

/// The blocks of a compound statement, those of definitions left out.
pub(crate) fn blocks_of(stmt: &Stmt) -> Vec<&[Stmt]> {
    match &stmt.kind {
        StmtKind::For { body, orelse, .. }
        | StmtKind::While { body, orelse, .. }
        | StmtKind::If { body, orelse, .. } => vec![body, orelse],
        StmtKind::With { body, .. } => vec![body],
        StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
            let mut blocks: Vec<&[Stmt]> = vec![body, orelse, finalbody];
            blocks.extend(handlers.iter().map(|handler| handler.body.as_slice()));
            blocks
        }
        StmtKind::Match { cases, .. } => cases.iter().map(|case| case.body.as_slice()).collect(),
        _ => Vec::new(),
    }
}

/// Rewrites returns in loops and the `else` of loops.
pub(crate) struct Jumps<'a, 'n> {
    pub(crate) b: Builder<'a>,
    pub(crate) naming: &'n mut Naming,
    pub(crate) result: Name,
    /// The flag that says that the function has returned, once one is needed.
    returned: Option<Name>,
}

impl<'a, 'n> Jumps<'a, 'n> {
    pub(crate) fn new(b: Builder<'a>, naming: &'n mut Naming, result: Name) -> Self {
        Self { b, naming, result, returned: None }
    }

    /// The statements of a block without such jumps.
    pub(crate) fn block(&mut self, body: Vec<Stmt>, is_in_loop: bool) -> Vec<Stmt> {
        let mut made = Vec::with_capacity(body.len());
        for stmt in body {
            self.stmt(stmt, is_in_loop, &mut made);
        }
        made
    }

    fn stmt(&mut self, mut stmt: Stmt, is_in_loop: bool, made: &mut Vec<Stmt>) {
        match &mut stmt.kind {
            StmtKind::Return(value) if is_in_loop => {
                let b = self.b.at(stmt.span);
                let value = value.take().unwrap_or_else(|| b.none());
                made.push(b.assign_name(self.result.clone(), value));
                made.push(b.assign_name(self.returned(), b.bool(true)));
                made.push(b.stmt(StmtKind::Break));
                return;
            }
            StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                let b = self.b.at(stmt.span);
                let returns = has_return(body);
                if returns && !is_in_loop {
                    made.push(b.assign_name(self.returned(), b.bool(false)));
                }
                *body = self.block(std::mem::take(body), true);
                let otherwise = self.block(std::mem::take(orelse), is_in_loop);
                let after = self.after_loop(body, otherwise, b, made);
                made.push(stmt);
                if returns {
                    let returned = b.name(self.returned());
                    let leave = if is_in_loop {
                        b.stmt(StmtKind::Break)
                    } else {
                        b.return_value(b.name(self.result.clone()))
                    };
                    made.push(b.if_stmt(returned, vec![leave], Vec::new()));
                }
                made.extend(after);
                return;
            }
            StmtKind::If { body, orelse, .. } => {
                *body = self.block(std::mem::take(body), is_in_loop);
                *orelse = self.block(std::mem::take(orelse), is_in_loop);
            }
            StmtKind::With { body, .. } => *body = self.block(std::mem::take(body), is_in_loop),
            // No jump leaves it, see `match_statements.rs`.
            StmtKind::Match { cases, .. } => {
                for case in cases {
                    case.body = self.block(std::mem::take(&mut case.body), is_in_loop);
                }
            }
            StmtKind::Try { body, orelse, finalbody, .. } => {
                *body = self.block(std::mem::take(body), is_in_loop);
                *orelse = self.block(std::mem::take(orelse), is_in_loop);
                *finalbody = self.block(std::mem::take(finalbody), is_in_loop);
            }
            _ => {}
        }
        made.push(stmt);
    }

    /// `else` of a loop: what runs where no `break` has left it.
    fn after_loop(
        &mut self,
        body: &mut Vec<Stmt>,
        otherwise: Vec<Stmt>,
        b: Builder<'_>,
        made: &mut Vec<Stmt>,
    ) -> Vec<Stmt> {
        if otherwise.is_empty() || !may_break(body) {
            return otherwise;
        }
        let broke = self.naming.fresh("broke");
        made.push(b.assign_name(broke.clone(), b.bool(false)));
        mark_block(body, &broke, b);
        vec![b.if_stmt(b.not(b.name(broke)), otherwise, Vec::new())]
    }

    fn returned(&mut self) -> Name {
        let naming = &mut *self.naming;
        self.returned.get_or_insert_with(|| naming.fresh("returned")).clone()
    }
}

/// Puts `broke = True` before each `break` of the loop around, in the blocks of a statement.
fn mark_breaks(stmt: &mut Stmt, broke: &Name, b: Builder<'_>) {
    match &mut stmt.kind {
        StmtKind::If { body, orelse, .. } => {
            mark_block(body, broke, b);
            mark_block(orelse, broke, b);
        }
        StmtKind::With { body, .. } => mark_block(body, broke, b),
        StmtKind::Try { body, orelse, finalbody, .. } => {
            mark_block(body, broke, b);
            mark_block(orelse, broke, b);
            mark_block(finalbody, broke, b);
        }
        _ => {}
    }
}

pub(crate) fn mark_block(body: &mut Vec<Stmt>, broke: &Name, b: Builder<'_>) {
    for mut stmt in std::mem::take(body) {
        if matches!(stmt.kind, StmtKind::Break) {
            body.push(b.at(stmt.span).assign_name(broke.clone(), b.bool(true)));
        }
        mark_breaks(&mut stmt, broke, b);
        body.push(stmt);
    }
}
