//! `break` and the `else` of loops become a flag.
//!
//! ```python
//! for x in xs:              did_break = False
//!     if f(x):              for x in xs:               # asked before each item: not did_break
//!         break        →        if f(x):
//!     g(x)                          did_break = True
//! else:                         else:
//!     h()                           g(x)
//!                           if not did_break:
//!                               h()
//! ```
//!
//! Invariant: afterwards no loop but a pinned one has a `break` or an `else`.

use ag_syntax::tree::{NodeId, Stmt, StmtKind};

use crate::context::Conversion;
use crate::jumps::{Around, Jump, any_jump, each_loop, move_rest_into_branches, replace_jumps};

/// Runs the pass on one function.
pub(crate) fn lower(function: NodeId, body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    each_loop(function, body, conversion, lower_loop);
}

fn lower_loop(function: NodeId, stmt: &mut Stmt, conversion: &mut Conversion) -> Around {
    let (StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. }) = &mut stmt.kind else {
        return (Vec::new(), Vec::new());
    };
    let after = std::mem::take(orelse);
    if !any_jump(body, Jump::Break) {
        // Without a `break` the `else` always runs.
        return (Vec::new(), after);
    }
    let flag = conversion.fresh_variable(function, "did_break");
    move_rest_into_branches(body, Jump::Break, conversion);
    replace_jumps(body, Jump::Break, &flag, conversion, &mut |jump, conversion| {
        vec![conversion.set_flag(jump.span, &flag, true)]
    });
    conversion.guards.entry(stmt.id).or_default().push(flag.clone());
    let before = vec![conversion.set_flag(stmt.span, &flag, false)];
    let Some(first) = after.first() else { return (before, after) };
    let b = conversion.builder(first.span);
    (before, vec![b.if_stmt(b.not(b.name(flag)), after, Vec::new())])
}
