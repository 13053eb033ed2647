//! Inner functions that write variables of enclosing functions are marked at their definition.
//!
//! ```python
//! def bump():                @ag__.writes_nonlocal
//!     nonlocal count    →    def bump():
//!     count += 1                 nonlocal count
//!                                count += 1
//! ```
//!
//! The state of a staged block holds the variables of its own function. A call of `bump` in a block of
//! another function writes a variable that is not in that state; by the mark, the operators know its cell.

use std::collections::HashSet;

use ag_syntax::tree::{NodeId, Stmt, StmtKind};
use ag_syntax::visit::mutable::walk_stmt;
use ag_syntax::visit::{Visitor, VisitorMut, walk_stmt as walk_statement};

use crate::context::Conversion;

/// Decorates the functions inside the one that is converted.
pub(crate) fn announce(body: &mut [Stmt], conversion: &mut Conversion) {
    let mut writers = Writers { found: HashSet::new(), around: Vec::new() };
    body.iter().for_each(|stmt| writers.visit_stmt(stmt));
    for outermost in body.iter() {
        writers.found.remove(&outermost.id);
    }
    let mut pass = Announce { writers: writers.found, conversion };
    body.iter_mut().for_each(|stmt| pass.visit_stmt(stmt));
}

/// The functions with a `nonlocal` in them or in a function inside.
struct Writers {
    found: HashSet<NodeId>,
    around: Vec<NodeId>,
}

impl<'a> Visitor<'a> for Writers {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(_) => {
                self.around.push(stmt.id);
                walk_statement(self, stmt);
                self.around.pop();
            }
            StmtKind::Nonlocal(_) => self.found.extend(&self.around),
            _ => walk_statement(self, stmt),
        }
    }
}

struct Announce<'a> {
    writers: HashSet<NodeId>,
    conversion: &'a mut Conversion,
}

impl VisitorMut for Announce<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        if matches!(stmt.kind, StmtKind::ClassDef(_)) {
            return;
        }
        walk_stmt(self, stmt);
        let (id, span) = (stmt.id, stmt.span);
        if let StmtKind::FunctionDef(def) = &mut stmt.kind
            && self.writers.contains(&id)
        {
            let operators = self.conversion.operators.clone();
            let b = self.conversion.builder(span);
            def.decorators.push(b.attribute(b.name(operators), "writes_nonlocal"));
        }
    }
}
