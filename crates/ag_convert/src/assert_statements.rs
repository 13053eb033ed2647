//! `assert` becomes an operator; the message stays lazy.
//!
//! ```python
//! assert x > 0, f(x)   ag__.assert_stmt(x > 0, lambda: f(x))
//! ```
//!
//! An `assert` whose message binds a name by `:=` stays as written.

use std::collections::HashSet;

use ag_syntax::tree::{NodeId, Stmt, StmtKind};

use crate::context::Conversion;
use crate::lazy::{has_walrus, lazy};
use crate::regions::blocks_mut;

/// Runs the pass.
pub(crate) fn rewrite(body: &mut [Stmt], left: &HashSet<NodeId>, conversion: &mut Conversion) {
    for stmt in body {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::FunctionDef(def) => {
                if !left.contains(&stmt.id) {
                    rewrite(&mut def.body, left, conversion);
                }
            }
            StmtKind::Assert { test, msg } if !msg.as_ref().is_some_and(has_walrus) => {
                let nothing = conversion.builder(span).none();
                let tested = test.span; // CPython raises at the test, which may begin on a later line.
                let mut args = vec![std::mem::replace(test, nothing)];
                args.extend(msg.take().map(|msg| lazy(msg, conversion)));
                let call = conversion.call(tested, "assert_stmt", args);
                stmt.kind = StmtKind::Expr(call);
            }
            _ => {
                for block in blocks_mut(stmt) {
                    rewrite(block, left, conversion);
                }
            }
        }
    }
}
