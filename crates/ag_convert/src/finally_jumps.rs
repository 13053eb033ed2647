//! A jump out of a `finally` moves behind its `try`, since it also drops the exception or jump in progress.
//!
//! ```python
//! while True:                    while True:
//!     try:                           has_left = False
//!         y = f()                    try:
//!     finally:                           try:
//!         if c:             →                y = f()
//!             break                      finally:
//!                                            did_leave = False
//!                                            if c:
//!                                                did_leave = True
//!                                            has_left = did_leave
//!                                    except:
//!                                        if not has_left:
//!                                            raise
//!                                    if has_left:
//!                                        break
//! ```
//!
//! Jumps out of the other blocks of such a `try` move behind it too: the `finally` may take their place. What raises
//! in the `finally` itself comes before `has_left` is set. The text means the same as Python's, however its
//! statements are run then.
//!
//! Invariant: afterwards no `finally` has a jump that leaves it.

use ag_errors::Span;
use ag_syntax::tree::{BoolOp, ExceptHandler, Name, NodeId, Stmt, StmtKind};

use crate::context::Conversion;
use crate::jumps::{Jump, any_jump, guarded, has_jump, take_back};
use crate::pinning::{holds_jump, taken_back_in};
use crate::regions::blocks_mut;

/// Runs the pass on one function.
pub(crate) fn lower(function: NodeId, body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    for mut stmt in std::mem::take(body) {
        for block in blocks_mut(&mut stmt) {
            lower(function, block, conversion);
        }
        match &mut stmt.kind {
            StmtKind::Try { finalbody, .. } if holds_jump(finalbody) => {
                let last = std::mem::take(finalbody);
                body.extend(moved_behind(function, stmt, last, conversion));
            }
            _ => body.push(stmt),
        }
    }
}

/// Jumps of one kind that leave a block.
struct Leaving {
    jump: Jump,
    flag: Name,
    /// What they return.
    value: Option<Name>,
    span: Span,
}

/// The statements for a `try` without its `finally`, and that.
fn moved_behind(function: NodeId, stmt: Stmt, mut last: Vec<Stmt>, conversion: &mut Conversion) -> Vec<Stmt> {
    let span = Span::new(stmt.span.start, (stmt.span.start + 3).min(stmt.span.end));
    let mut guarded = match stmt.kind {
        StmtKind::Try { body, handlers, .. } if handlers.is_empty() => body,
        _ => vec![stmt],
    };
    conversion.taken_back.extend(taken_back_in(&guarded));
    conversion.taken_back.extend(taken_back_in(&last));
    let before = leave_by_flags(function, &mut guarded, conversion);
    let behind = leave_by_flags(function, &mut last, conversion);
    let has_left = conversion.fresh_variable(function, "has_left");
    let mut made = vec![conversion.set_flag(span, &has_left, false)];
    made.extend(before.iter().map(|one| conversion.set_flag(span, &one.flag, false)));
    let reset: Vec<Stmt> = behind.iter().map(|one| conversion.set_flag(one.span, &one.flag, false)).collect();
    last.splice(0..0, reset);
    let b = conversion.builder(behind.first().map_or(span, |one| one.span));
    let flags: Vec<_> = behind.iter().map(|one| b.name(one.flag.clone())).collect();
    let any = if behind.len() > 1 {
        b.bool_op(BoolOp::Or, flags)
    } else {
        flags.into_iter().next().unwrap_or_else(|| b.bool(false))
    };
    last.push(b.assign_name(has_left.clone(), any));
    let b = conversion.builder(span);
    let inner = b.stmt(StmtKind::Try {
        body: guarded,
        handlers: Vec::new(),
        orelse: Vec::new(),
        finalbody: last,
        is_star: false,
    });
    let again = b.stmt(StmtKind::Raise { exc: None, cause: None });
    let handler = ExceptHandler {
        span,
        kind: None,
        name: None,
        body: vec![b.if_stmt(b.not(b.name(has_left.clone())), vec![again], Vec::new())],
    };
    made.push(b.stmt(StmtKind::Try {
        body: vec![inner],
        handlers: vec![handler],
        orelse: Vec::new(),
        finalbody: Vec::new(),
        is_star: false,
    }));
    let in_place = chain(before, Vec::new(), conversion);
    let jumps = match behind.len() {
        1 => behind.into_iter().map(|one| jump_of(&one, conversion)).collect(),
        _ => chain(behind, Vec::new(), conversion),
    };
    let b = conversion.builder(span);
    made.push(b.if_stmt(b.name(has_left), jumps, in_place));
    made
}

/// `if did_break: break`, `elif did_return: return value`.
fn chain(leavings: Vec<Leaving>, otherwise: Vec<Stmt>, conversion: &mut Conversion) -> Vec<Stmt> {
    leavings.into_iter().rev().fold(otherwise, |rest, one| {
        let jump = jump_of(&one, conversion);
        let b = conversion.builder(one.span);
        vec![b.if_stmt(b.name(one.flag), vec![jump], rest)]
    })
}

fn jump_of(leaving: &Leaving, conversion: &mut Conversion) -> Stmt {
    let b = conversion.builder(leaving.span);
    match leaving.jump {
        Jump::Break => b.stmt(StmtKind::Break),
        Jump::Continue => b.stmt(StmtKind::Continue),
        Jump::Return => b.return_value(leaving.value.clone().map_or_else(|| b.none(), |name| b.name(name))),
    }
}

/// Replaces the jumps that leave a block by flags.
fn leave_by_flags(function: NodeId, block: &mut Vec<Stmt>, conversion: &mut Conversion) -> Vec<Leaving> {
    let mut found = Vec::new();
    for jump in [Jump::Break, Jump::Continue, Jump::Return] {
        let Some(first) = block.iter().find(|stmt| has_jump(stmt, jump)) else { continue };
        let span = first.span;
        let flag = conversion.fresh_variable(function, "did_leave");
        let value = (jump == Jump::Return).then(|| conversion.fresh_variable(function, "left_value"));
        let leaving =
            Leaving { jump, flag, value, span: Span::new(span.start, (span.start + 3).min(span.end)) };
        replace(block, &leaving, false, conversion);
        found.push(leaving);
    }
    found
}

/// Replaces them in a block, which may be in a loop that they leave as well: that loop has a `break` then.
fn replace(block: &mut Vec<Stmt>, leaving: &Leaving, is_in_loop: bool, conversion: &mut Conversion) {
    let Some(index) = block.iter().position(|stmt| has_jump(stmt, leaving.jump)) else { return };
    let mut rest = block.split_off(index + 1);
    let Some(mut stmt) = block.pop() else { return };
    let span = stmt.span;
    let (mut is_loop, mut is_jump) = (false, false);
    match &mut stmt.kind {
        StmtKind::Return(value) => {
            let b = conversion.builder(span);
            let value = value.take().unwrap_or_else(|| b.none());
            block.extend(leaving.value.clone().map(|name| b.assign_name(name, value)));
            is_jump = true;
        }
        StmtKind::Break | StmtKind::Continue => is_jump = true,
        StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
            if leaving.jump == Jump::Return {
                replace(body, leaving, true, conversion);
            }
            replace(orelse, leaving, is_in_loop, conversion);
            is_loop = true;
        }
        StmtKind::With { body, .. } => {
            replace(body, leaving, is_in_loop, conversion);
            if conversion.taken_back.contains(&stmt.id) {
                let dropped = conversion.set_flag(span, &leaving.flag, false);
                take_back(body, dropped, conversion);
            }
        }
        StmtKind::Try { body, handlers, orelse, .. } => {
            let body_may_jump = any_jump(body, leaving.jump);
            replace(body, leaving, is_in_loop, conversion);
            for handler in handlers {
                replace(&mut handler.body, leaving, is_in_loop, conversion);
                if body_may_jump && conversion.taken_back.contains(&stmt.id) {
                    handler.body.insert(0, conversion.set_flag(handler.span, &leaving.flag, false));
                }
            }
            replace(orelse, leaving, is_in_loop, conversion);
            if body_may_jump && !is_in_loop && !orelse.is_empty() {
                let rest = std::mem::take(orelse);
                orelse.push(guarded(&leaving.flag, rest, span, conversion));
            }
        }
        _ => {
            for inner in blocks_mut(&mut stmt) {
                replace(inner, leaving, is_in_loop, conversion);
            }
        }
    }
    if is_jump {
        block.push(conversion.set_flag(span, &leaving.flag, true));
        if is_in_loop {
            block.push(conversion.builder(span).stmt(StmtKind::Break));
        }
        return;
    }
    block.push(stmt);
    replace(&mut rest, leaving, is_in_loop, conversion);
    if !is_in_loop {
        if !rest.is_empty() {
            block.push(guarded(&leaving.flag, rest, span, conversion));
        }
        return;
    }
    if is_loop {
        let b = conversion.builder(leaving.span);
        block.push(b.if_stmt(b.name(leaving.flag.clone()), vec![b.stmt(StmtKind::Break)], Vec::new()));
    }
    block.extend(rest);
}
