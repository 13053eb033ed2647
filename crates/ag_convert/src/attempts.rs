//! `try` and `with` tell the operators that an exception raised in their block may be caught.
//!
//! ```python
//! try:                        try:
//!     x = f()                     with ag__.attempt():
//! except E:             →             x = f()
//!     x = 0                   except E:
//!                                 x = 0
//!
//! with open(p) as f:    →     with ag__.entered(open(p)) as f:
//! ```
//!
//! A staged operation that may fail does so when the graph runs, after the `try` has been left. So the
//! recorder must know that it is inside one. Neither `attempt` nor `entered` catches anything, and jumps pass
//! through both. `async with` cannot occur: coroutines stay as written.

use ag_errors::Span;
use ag_syntax::tree::{ExceptHandler, Expr, Stmt, StmtKind, WithItem};
use ag_syntax::unparse_expr;
use ag_syntax::visit::VisitorMut;
use ag_syntax::visit::mutable::walk_stmt;

use crate::context::Conversion;
use crate::pinning::{holds_jump, is_only_read};
use crate::regions::{blocks, blocks_mut};

/// The deepest nesting of blocks (`try`, `with`, loops, handlers) that CPython accepts.
const MOST_BLOCKS: usize = 20;

/// Runs the pass.
pub(crate) fn rewrite(body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    Attempts { conversion }.visit_body(body);
}

/// Whether the blocks of a body, with those that this pass adds, nest too deeply.
pub(crate) fn nests_too_deeply(body: &[Stmt]) -> bool {
    block_depth(body) > MOST_BLOCKS
}

/// The deepest nesting of blocks. Loops count, though most become functions with a count of their own.
fn block_depth(body: &[Stmt]) -> usize {
    let depth = |stmt: &Stmt| match &stmt.kind {
        StmtKind::For { .. } | StmtKind::While { .. } => 1 + deepest_block(stmt),
        StmtKind::With { items, .. } => items.len() + deepest_block(stmt),
        StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
            // One whose jump moves behind it stands in another `try`.
            let around = if holds_jump(finalbody) { 3 } else { usize::from(!finalbody.is_empty()) };
            // A handler is a block that clears its name, around another one that makes the name undefined.
            let in_handler = |handler: &ExceptHandler| 3 + block_depth(&handler.body);
            let handlers = handlers.iter().map(in_handler).max().unwrap_or(0);
            let inner = (2 + block_depth(body)).max(handlers).max(block_depth(orelse));
            around + inner.max(block_depth(finalbody))
        }
        _ => deepest_block(stmt),
    };
    body.iter().map(depth).max().unwrap_or(0)
}

fn deepest_block(stmt: &Stmt) -> usize {
    blocks(stmt).into_iter().map(block_depth).max().unwrap_or(0)
}

/// Writes `with a, b:` as `with a:` around `with b:`.
pub(crate) fn split(body: &mut [Stmt], conversion: &mut Conversion) {
    for stmt in body {
        for block in blocks_mut(stmt) {
            split(block, conversion);
        }
        let StmtKind::With { items, body, is_async: false } = &mut stmt.kind else { continue };
        while items.len() > 1 {
            let Some(item) = items.pop() else { break };
            let span = item.context.span;
            let kind = StmtKind::With { items: vec![item], body: std::mem::take(body), is_async: false };
            body.push(conversion.builder(span).stmt(kind));
        }
    }
}

/// The clause for which Python runs a `try`, as the user writes it; nothing if a jump or its depth is why.
fn why_left(handlers: &[ExceptHandler], is_star: bool) -> Option<String> {
    let word = if is_star { "except*" } else { "except" };
    let mut kinds = handlers.iter().filter_map(|handler| handler.kind.as_ref());
    let found = kinds.find(|kind| is_star || !is_only_read(kind))?;
    Some(format!("{word} {}", unparse_expr(found)))
}

struct Attempts<'a> {
    conversion: &'a mut Conversion,
}

impl VisitorMut for Attempts<'_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::FunctionDef(_) if self.conversion.left_as_written.contains(&stmt.id) => return,
            StmtKind::ClassDef(_) => return,
            _ => walk_stmt(self, stmt),
        }
        match &mut stmt.kind {
            // The operator that another `try` becomes knows by itself that it is one.
            StmtKind::Try { body, handlers, is_star, .. } if self.conversion.pinned.contains(&stmt.id) => {
                let why = why_left(handlers, *is_star);
                // Its position is that of the word `try`, so that no tracer visits a line of the user twice.
                let start = stmt.span.start;
                let span = Span::new(start, (start + 3).min(stmt.span.end));
                let why = why.map(|text| self.conversion.builder(span).string(&text));
                let manager = self.conversion.call(span, "attempt", why);
                let items = vec![WithItem { context: manager, target: None }];
                let kind = StmtKind::With { items, body: std::mem::take(body), is_async: false };
                body.push(self.conversion.builder(span).stmt(kind));
            }
            StmtKind::With { items, is_async: false, .. } if self.conversion.pinned.contains(&stmt.id) => {
                for item in items {
                    let span = item.context.span;
                    let placeholder = self.conversion.builder(span).none();
                    let manager = std::mem::replace(&mut item.context, placeholder);
                    item.context = self.conversion.call(span, "entered", [manager]);
                }
            }
            _ => {}
        }
    }

    /// Expressions hold no statements.
    fn visit_expr(&mut self, _: &mut Expr) {}
}
