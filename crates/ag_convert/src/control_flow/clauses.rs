//! `try` and `with` become calls of operators; the blocks of a `try` become one function.
//!
//! ```python
//! try:                          def clauses(clause, caught):
//!     y = f(x)                      nonlocal y
//! except E as e:                    if clause == 0:
//!     y = str(e)          →             y = f(x)
//! else:                             elif clause == 1:
//!     y += 1                            e = caught
//!                                       y = str(e)
//!                                   elif clause == 2:
//!                                       y += 1
//!                               ag__.try_stmt(clauses, (lambda: E,), True, False, ('y',))
//! ```
//!
//! The classes are functions, for Python asks for them when something is raised. The block after the handlers is
//! the `else`, the one after that the `finally`.
//!
//! ```python
//! with m as t:             def with_body(item):
//!     y = f(t)        →        nonlocal y
//!                              t = item
//!                              y = f(t)
//!                          ag__.with_stmt(m, with_body, ('y',))
//! ```

use std::collections::BTreeSet;

use ag_errors::Span;
use ag_syntax::tree::{CompareOp, Expr, Name, Stmt, StmtKind};

use super::{Extraction, OperatorCall};
use crate::homes::Block;
use crate::lazy::lazy;
use crate::regions::blocks_mut;

/// The place of the word `try`, so that no tracer visits a line of the user twice.
pub(super) fn word_of_try(span: Span) -> Span {
    Span::new(span.start, (span.start + 3).min(span.end))
}

impl Extraction<'_> {
    pub(super) fn clauses(&mut self, mut stmt: Stmt, state: &[Name], out: &mut Vec<Stmt>) -> OperatorCall {
        let (id, span) = (stmt.id, word_of_try(stmt.span));
        let names = ["clause", "caught"].map(|wish| self.conversion.names.temporary(wish, 0));
        let mut args = Vec::new();
        if let StmtKind::Try { handlers, orelse, finalbody, .. } = &mut stmt.kind {
            let mut kinds = Vec::new();
            for handler in handlers {
                let kind = handler.kind.take();
                kinds.push(match kind {
                    Some(kind) => lazy(kind, self.conversion),
                    None => self.conversion.builder(span).none(),
                });
                if let Some(name) = handler.name.take() {
                    let b = self.conversion.builder(handler.span);
                    handler.body.insert(0, b.assign_name(name, b.name(names[1].clone())));
                }
            }
            let b = self.conversion.builder(span);
            args = vec![b.tuple(kinds), b.bool(!orelse.is_empty()), b.bool(!finalbody.is_empty())];
        }
        let (mut declared, mut chain) = (BTreeSet::new(), Vec::new());
        for (clause, block) in blocks_mut(&mut stmt).into_iter().enumerate().rev() {
            if block.is_empty() {
                continue;
            }
            declared.extend(self.block_with_names(block, Block::Clause(id, clause), span));
            let b = self.conversion.builder(span);
            let number = b.int(i64::try_from(clause).unwrap_or(i64::MAX));
            let test = b.compare(b.name(names[0].clone()), CompareOp::Eq, number);
            chain = vec![b.if_stmt(test, std::mem::take(block), chain)];
        }
        args.insert(0, self.function_of("clauses", names.to_vec(), (chain, declared), state, span, out));
        ("try_stmt", args)
    }

    /// The target for what a manager gives that the program does not bind.
    pub(super) fn unused_item(&mut self, span: Span) -> Expr {
        let name = self.conversion.names.temporary("item", 0);
        self.conversion.builder(span).name_store(name)
    }
}
