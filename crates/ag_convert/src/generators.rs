//! The walk of a generator function: its body as a function in which a `yield` runs whatever the item is for.
//!
//! ```python
//! def positives(xs):           def positives(xs):
//!     for x in xs:                 for x in xs:
//!         if x > 0:        →           if x > 0:
//!             yield x                      if ag__.yielded(x):
//!                                              return
//! ```
//!
//! A generator stops at a `yield` until it is asked for the next item. Whoever walks over all of it, in a `for`
//! or in `sum`, does something with an item and then asks: the same order of statements as here, without a
//! frame that stops. The operator tells whether whoever walks has had enough. Who asks for the next item sends
//! nothing, so `x = yield v` is `x = None` after the item. A `yield` whose value is used otherwise, or in a `finally`,
//! has no such form: `convertible.rs` says so. Python closes a generator that nobody refers to any more, and runs its
//! `finally` then: `ag__.yielded_in_try` asks whether that is where the walk returns. What else stands around a `yield`
//! sees how a loop is left: `ag__.yielded_to_end` asks whether it takes all items, and raises nothing.
//!
//! The generator of a context manager is not dropped. What its `with` holds runs where it yields, and what that
//! raises is raised there, as `contextmanager` has it:
//!
//! ```python
//! @contextmanager
//! def scaled(x):               def scaled(x):
//!     try:                         try:
//!         yield x          →           ag__.yielded(x)
//!     finally:                     finally:
//!         print("end")                 print("end")
//! ```

use std::collections::{HashMap, HashSet};

use ag_syntax::FreshNames;
use ag_syntax::tree::{Expr, ExprKind, Name, NodeId, Stmt, StmtKind};

use crate::context::Conversion;
use crate::regions::{blocks, blocks_mut};

/// What becomes of a generator function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Walk {
    /// It stays as written.
    #[default]
    No,
    /// It runs whatever each item is for.
    OfLoop,
    /// It runs what a `with` holds where it yields.
    OfManager,
    /// It becomes a function that takes a step, and keeps its variables (`stepping.rs`).
    OfSteps,
}

impl Walk {
    /// Whether a statement may be a `yield`, with so many `try` and `with` around it.
    pub(crate) fn takes(self, stmt: &Stmt, guards: usize) -> bool {
        let kind = match &stmt.kind {
            StmtKind::Expr(Expr { kind, .. }) => kind,
            StmtKind::Assign { value: Expr { kind: kind @ ExprKind::Yield(_), .. }, .. } => kind,
            _ => return false,
        };
        match kind {
            ExprKind::Yield(_) => self == Self::OfManager || guards == 0,
            ExprKind::YieldFrom(_) => matches!(self, Self::OfLoop | Self::OfSteps) && guards == 0,
            _ => false,
        }
    }
}

/// What a statement yields, if it is a `yield`, or binds the value of one; nothing for a bare one.
pub(crate) fn yielded(stmt: &Stmt) -> Option<&Expr> {
    match &stmt.kind {
        StmtKind::Assign { value: Expr { kind: ExprKind::Yield(value), .. }, .. } => value.as_deref(),
        StmtKind::Expr(Expr { kind: ExprKind::Yield(value), .. }) => value.as_deref(),
        StmtKind::Expr(Expr { kind: ExprKind::YieldFrom(value), .. }) => Some(value),
        _ => None,
    }
}

/// Whether a statement is a `try` with a `finally` alone, from which nothing jumps: it runs where a generator is left.
pub(crate) fn cleans_up(stmt: &Stmt) -> bool {
    let StmtKind::Try { handlers, orelse, finalbody, .. } = &stmt.kind else { return false };
    handlers.is_empty() && orelse.is_empty() && !finalbody.iter().any(jumps)
}

fn jumps(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue)
        || blocks(stmt).into_iter().flatten().any(jumps)
}

/// The loops `for v in items: yield v` of a body, which are `yield from items` if nothing else names their variable.
pub(crate) fn passed_on(body: &[Stmt]) -> HashSet<NodeId> {
    let mut loops: HashMap<Name, Vec<NodeId>> = HashMap::new();
    let mut rest = body.to_vec();
    take_passed_on(&mut rest, &mut loops);
    if loops.is_empty() {
        return HashSet::new();
    }
    let named = FreshNames::of(&rest);
    loops.into_iter().filter(|(name, _)| !named.is_used(name)).flat_map(|(_, loops)| loops).collect()
}

/// Leaves only what such loops walk over.
fn take_passed_on(body: &mut [Stmt], loops: &mut HashMap<Name, Vec<NodeId>>) {
    for stmt in body {
        if let StmtKind::For { target, iter, body, orelse, is_async: false } = &stmt.kind
            && let ExprKind::Name { name, .. } = &target.kind
            && let [Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Yield(Some(value)), .. }), .. }] =
                &**body
            && matches!(&value.kind, ExprKind::Name { name: given, .. } if given == name)
            && orelse.is_empty()
        {
            loops.entry(name.clone()).or_default().push(stmt.id);
            stmt.kind = StmtKind::Expr(iter.clone());
        }
        blocks_mut(stmt).into_iter().for_each(|block| take_passed_on(block, loops));
    }
}

/// What stands around a `yield`, and may see how the loop over the items is left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Around {
    Nothing,
    /// A `try` whose `finally` runs there.
    Finally,
    /// A `with` or handlers: the loop has to take all items.
    Handlers,
}

impl Around {
    /// What stands around the statements inside of one.
    fn inside(self, stmt: &Stmt) -> Self {
        match stmt.kind {
            StmtKind::Try { .. } if cleans_up(stmt) && self == Self::Nothing => Self::Finally,
            StmtKind::Try { .. } if cleans_up(stmt) => self,
            StmtKind::Try { .. } | StmtKind::With { .. } => Self::Handlers,
            _ => self,
        }
    }

    /// The operator for `yield` or `yield from` there.
    fn operator(self, operator: &str) -> String {
        let suffix = match self {
            Self::Nothing => "",
            Self::Finally => "_in_try",
            Self::Handlers => "_to_end",
        };
        format!("{operator}{suffix}")
    }
}

/// Replaces the statements of a body that yield.
pub(crate) fn lower(body: &mut Vec<Stmt>, walk: Walk, around: Around, conversion: &mut Conversion) {
    let statements = std::mem::take(body);
    for mut stmt in statements {
        let span = stmt.span;
        match stmt.kind {
            StmtKind::Expr(Expr { kind: ExprKind::Yield(value), span, .. }) => {
                let span = value.as_ref().map_or(span, |value| value.span);
                let value = value.map_or_else(|| conversion.builder(span).none(), |value| *value);
                body.push(item(value, span, walk, around, conversion));
            }
            StmtKind::Assign {
                targets,
                value: Expr { kind: ExprKind::Yield(value), span: of_yield, .. },
            } => {
                let of_item = value.as_ref().map_or(of_yield, |value| value.span);
                let value = value.map_or_else(|| conversion.builder(of_item).none(), |value| *value);
                body.push(item(value, of_item, walk, around, conversion));
                stmt.kind = StmtKind::Assign { targets, value: conversion.builder(of_yield).none() };
                body.push(stmt);
            }
            StmtKind::For { iter, .. } if conversion.passed_on.contains(&stmt.id) => {
                body.push(items_of(iter, span, around, conversion));
            }
            StmtKind::Expr(Expr { kind: ExprKind::YieldFrom(items), .. }) => {
                body.push(items_of(*items, span, around, conversion));
            }
            // The value is that of the `StopIteration`, which no walk asks for.
            StmtKind::Return(Some(value)) => {
                let b = conversion.builder(span);
                body.extend([b.expr_stmt(value), nothing(span, conversion)]);
            }
            _ => {
                let around = around.inside(&stmt);
                for block in blocks_mut(&mut stmt) {
                    lower(block, walk, around, conversion);
                }
                body.push(stmt);
            }
        }
    }
}

/// `if ag__.yielded(value): return`; what a `with` holds wants no second item.
fn item(value: Expr, span: ag_errors::Span, walk: Walk, around: Around, conversion: &mut Conversion) -> Stmt {
    let around = if walk == Walk::OfLoop { around } else { Around::Nothing };
    let test = conversion.call(span, &around.operator("yielded"), [value]);
    if walk == Walk::OfManager || around == Around::Handlers {
        return conversion.builder(span).expr_stmt(test);
    }
    let done = nothing(span, conversion);
    conversion.builder(span).if_stmt(test, vec![done], Vec::new())
}

/// `if ag__.yielded_from(items): return`.
fn items_of(items: Expr, span: ag_errors::Span, around: Around, conversion: &mut Conversion) -> Stmt {
    let test = conversion.call(span, &around.operator("yielded_from"), [items]);
    if around == Around::Handlers {
        return conversion.builder(span).expr_stmt(test);
    }
    let done = nothing(span, conversion);
    conversion.builder(span).if_stmt(test, vec![done], Vec::new())
}

fn nothing(span: ag_errors::Span, conversion: &mut Conversion) -> Stmt {
    let b = conversion.builder(span);
    let none = b.none();
    conversion.builder(span).return_value(none)
}
