//! `continue` becomes a branch, or a flag where branches do not suffice.
//!
//! ```python
//! for x in xs:              for x in xs:
//!     if f(x):         →        if not f(x):
//!         continue                  g(x)
//!     g(x)
//!
//! for x in xs:              for x in xs:
//!     if f(x):                  did_continue = False
//!         if g(x):     →        if f(x):
//!             continue              if g(x):
//!         h(x)                          did_continue = True
//!     k(x)                          else:
//!                                       h(x)
//!                               if not did_continue:
//!                                   k(x)
//! ```
//!
//! Invariant: afterwards no loop but a pinned one has a `continue`.

use ag_syntax::tree::{NodeId, Stmt, StmtKind};

use crate::context::Conversion;
use crate::jumps::{
    Around, Jump, any_jump, drop_empty_branches, each_loop, has_jump, move_rest_into_branches, replace_jumps,
};

/// Runs the pass on one function.
pub(crate) fn lower(function: NodeId, body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    each_loop(function, body, conversion, lower_loop);
}

fn lower_loop(function: NodeId, stmt: &mut Stmt, conversion: &mut Conversion) -> Around {
    let nothing_around = (Vec::new(), Vec::new());
    let (StmtKind::For { body, .. } | StmtKind::While { body, .. }) = &mut stmt.kind else {
        return nothing_around;
    };
    if !any_jump(body, Jump::Continue) {
        return nothing_around;
    }
    move_rest_into_branches(body, Jump::Continue, conversion);
    drop_at_end(body);
    drop_empty_branches(body, conversion);
    if any_jump(body, Jump::Continue) {
        let flag = conversion.fresh_variable(function, "did_continue");
        replace_jumps(body, Jump::Continue, &flag, conversion, &mut |jump, conversion| {
            vec![conversion.set_flag(jump.span, &flag, true)]
        });
        body.insert(0, conversion.set_flag(stmt.span, &flag, false));
    }
    nothing_around
}

/// Drops `continue`s that end the body anyway.
fn drop_at_end(block: &mut Vec<Stmt>) {
    // Statements after one that may jump will be guarded, so the end of the block is the end of the body.
    let jumps = block.iter().filter(|stmt| has_jump(stmt, Jump::Continue)).count();
    let Some(last) = block.last_mut() else { return };
    match &mut last.kind {
        StmtKind::Continue => {
            block.pop();
        }
        StmtKind::If { body, orelse, .. } if jumps > 0 => {
            drop_at_end(body);
            drop_at_end(orelse);
        }
        StmtKind::With { body, .. } if jumps > 0 => drop_at_end(body),
        StmtKind::Match { cases, .. } if jumps > 0 => {
            cases.iter_mut().for_each(|case| drop_at_end(&mut case.body));
        }
        StmtKind::Try { body, handlers, orelse, .. } if jumps > 0 => {
            // An `else` would run after the body of the `try`.
            if orelse.is_empty() {
                drop_at_end(body);
            }
            handlers.iter_mut().for_each(|handler| drop_at_end(&mut handler.body));
            drop_at_end(orelse);
        }
        _ => {}
    }
}
