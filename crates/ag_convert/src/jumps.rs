//! The functions that the three jump passes share.

use ag_errors::Span;
use ag_syntax::tree::{ExceptHandler, Expr, ExprKind, Name, NodeId, Stmt, StmtKind, UnaryOp};
use ag_syntax::visit::{Visitor, walk_expr};

use crate::context::Conversion;
use crate::regions::{blocks, blocks_mut};

/// A kind of jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Jump {
    Break,
    Continue,
    Return,
}

/// Whether a statement is a jump of this kind, or contains one that leaves it.
pub(crate) fn has_jump(stmt: &Stmt, jump: Jump) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) => jump == Jump::Return,
        StmtKind::Break => jump == Jump::Break,
        StmtKind::Continue => jump == Jump::Continue,
        StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => false,
        StmtKind::For { orelse, .. } | StmtKind::While { orelse, .. } if jump != Jump::Return => {
            any_jump(orelse, jump)
        }
        _ => blocks(stmt).into_iter().any(|block| any_jump(block, jump)),
    }
}

/// Whether a block contains a jump of this kind that leaves it.
pub(crate) fn any_jump(block: &[Stmt], jump: Jump) -> bool {
    block.iter().any(|stmt| has_jump(stmt, jump))
}

/// Whether control never reaches the end of a block.
pub(crate) fn never_falls_through(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Raise { .. } => true,
        StmtKind::If { body, orelse, .. } => never_falls_through(body) && never_falls_through(orelse),
        _ => false,
    })
}

/// Moves the statements after an `if` that jumps in one branch into the other branch:
///
/// ```python
/// if c:                if c:
///     continue    →        continue
/// f()                  else:
///                          f()
/// ```
///
/// Afterwards such a jump is at the end of its branch, where it often needs no flag. A last `return` of few
/// operations moves into both branches if a `return` deeper in one of them may run before it:
///
/// ```python
/// if c:                if c:
///     if d:                if d:
///         return x    →        return x
/// return y                 return y
///                      else:
///                          return y
/// ```
pub(crate) fn move_rest_into_branches(block: &mut Vec<Stmt>, jump: Jump, conversion: &mut Conversion) {
    if let Some(end) = block.iter().position(is_jump) {
        block.truncate(end + 1);
    }
    let is_candidate = |stmt: &Stmt| {
        let StmtKind::If { body, orelse, .. } = &stmt.kind else { return false };
        let leaves = |block: &[Stmt]| any_jump(block, jump) && never_falls_through(block);
        !conversion.pinned.contains(&stmt.id) && (leaves(body) || leaves(orelse))
    };
    if let Some(index) = block.iter().position(is_candidate) {
        let rest = block.split_off(index + 1);
        if let Some(Stmt { kind: StmtKind::If { body, orelse, .. }, .. }) = block.last_mut() {
            if !never_falls_through(body) {
                body.extend(rest);
            } else if !never_falls_through(orelse) {
                orelse.extend(rest);
            }
        }
    } else if jump == Jump::Return {
        copy_return_into_branches(block, conversion);
    }
    for stmt in block {
        let is_pinned = conversion.pinned.contains(&stmt.id);
        match &mut stmt.kind {
            StmtKind::If { body, orelse, .. } if !is_pinned => {
                move_rest_into_branches(body, jump, conversion);
                move_rest_into_branches(orelse, jump, conversion);
            }
            StmtKind::With { body, .. } => move_rest_into_branches(body, jump, conversion),
            StmtKind::Match { .. } | StmtKind::Try { .. } if !is_pinned => {
                for inner in blocks_mut(stmt) {
                    move_rest_into_branches(inner, jump, conversion);
                }
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. }
                if jump == Jump::Return && !is_pinned =>
            {
                move_rest_into_branches(body, jump, conversion);
            }
            _ => {}
        }
    }
}

/// Moves a `return` behind an `if` with a `return` in it to each end of the branches of that `if`.
fn copy_return_into_branches(block: &mut Vec<Stmt>, conversion: &mut Conversion) {
    let [.., before, Stmt { kind: StmtKind::Return(value), span, .. }] = block.as_slice() else { return };
    let is_if = matches!(before.kind, StmtKind::If { .. }) && !conversion.pinned.contains(&before.id);
    if !is_if || !has_jump(before, Jump::Return) || !value.as_ref().is_none_or(may_be_copied) {
        return;
    }
    let span = *span;
    let Some(last) = block.pop() else { return };
    if let Some(Stmt { kind: StmtKind::If { body, orelse, .. }, .. }) = block.last_mut() {
        for branch in [body, orelse] {
            if !never_falls_through(branch) {
                branch.extend(conversion.builder(span).copy_body(std::slice::from_ref(&last)));
            }
        }
    }
}

/// Whether the text may have an expression twice: it is short, and what is known of its parts is known by name.
fn may_be_copied(value: &Expr) -> bool {
    const MOST_PARTS: usize = 16;
    struct Parts(usize);
    impl<'t> Visitor<'t> for Parts {
        fn visit_expr(&mut self, expr: &'t Expr) {
            self.0 += match expr.kind {
                ExprKind::Lambda { .. }
                | ExprKind::Named { .. }
                | ExprKind::ListComp { .. }
                | ExprKind::SetComp { .. }
                | ExprKind::DictComp { .. }
                | ExprKind::Generator { .. }
                | ExprKind::Await(_)
                | ExprKind::Yield(_)
                | ExprKind::YieldFrom(_) => MOST_PARTS + 1,
                _ => 1,
            };
            walk_expr(self, expr);
        }
    }
    let mut parts = Parts(0);
    parts.visit_expr(value);
    parts.0 <= MOST_PARTS
}

fn is_jump(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Raise { .. })
}

/// Replaces the jumps of a block by `set`, and guards the statements after one that may have jumped:
/// `if not flag: rest`.
pub(crate) fn replace_jumps(
    block: &mut Vec<Stmt>,
    jump: Jump,
    flag: &Name,
    conversion: &mut Conversion,
    set: &mut dyn FnMut(Stmt, &mut Conversion) -> Vec<Stmt>,
) {
    let Some(index) = block.iter().position(|stmt| has_jump(stmt, jump)) else { return };
    let mut rest = block.split_off(index + 1);
    let Some(mut stmt) = block.pop() else { return };
    if is_jump(&stmt) {
        block.extend(set(stmt, conversion));
        return;
    }
    let span = stmt.span;
    match &mut stmt.kind {
        StmtKind::If { body, orelse, .. } => {
            replace_jumps(body, jump, flag, conversion, set);
            replace_jumps(orelse, jump, flag, conversion, set);
        }
        StmtKind::With { body, .. } => {
            replace_jumps(body, jump, flag, conversion, set);
            if conversion.taken_back.contains(&stmt.id) {
                let dropped = conversion.set_flag(span, flag, false);
                take_back(body, dropped, conversion);
            }
        }
        StmtKind::Match { cases, .. } => {
            for case in cases {
                replace_jumps(&mut case.body, jump, flag, conversion, set);
            }
        }
        // No jump leaves the `finally` of a `try` that is not pinned.
        StmtKind::Try { body, handlers, orelse, .. } => {
            let body_may_jump = any_jump(body, jump);
            replace_jumps(body, jump, flag, conversion, set);
            for handler in handlers {
                replace_jumps(&mut handler.body, jump, flag, conversion, set);
                if body_may_jump && conversion.taken_back.contains(&stmt.id) {
                    handler.body.insert(0, conversion.set_flag(handler.span, flag, false));
                }
            }
            replace_jumps(orelse, jump, flag, conversion, set);
            if body_may_jump && !orelse.is_empty() {
                let rest = std::mem::take(orelse);
                orelse.push(guarded(flag, rest, span, conversion));
            }
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
            replace_jumps(body, jump, flag, conversion, set);
            conversion.guards.entry(stmt.id).or_default().push(flag.clone());
        }
        _ => {}
    }
    block.push(stmt);
    if !rest.is_empty() {
        replace_jumps(&mut rest, jump, flag, conversion, set);
        block.push(guarded(flag, rest, span, conversion));
    }
}

/// Has a body undo a jump where it is left by an exception, which the manager around it may swallow.
pub(crate) fn take_back(body: &mut Vec<Stmt>, undo: Stmt, conversion: &mut Conversion) {
    let span = undo.span;
    let again = conversion.builder(span).stmt(StmtKind::Raise { exc: None, cause: None });
    let handler = ExceptHandler { span, kind: None, name: None, body: vec![undo, again] };
    let kind = StmtKind::Try {
        body: std::mem::take(body),
        handlers: vec![handler],
        orelse: Vec::new(),
        finalbody: Vec::new(),
        is_star: false,
    };
    body.push(conversion.builder(span).stmt(kind));
}

/// `if not flag: rest`.
pub(crate) fn guarded(flag: &Name, rest: Vec<Stmt>, span: Span, conversion: &mut Conversion) -> Stmt {
    let span = rest.first().map_or(span, |stmt| stmt.span);
    let b = conversion.builder(span);
    b.if_stmt(b.not(b.name(flag.clone())), rest, Vec::new())
}

/// Turns `if c: else: rest` into `if not c: rest`.
pub(crate) fn drop_empty_branches(block: &mut [Stmt], conversion: &mut Conversion) {
    for stmt in block {
        for inner in blocks_mut(stmt) {
            drop_empty_branches(inner, conversion);
        }
        let StmtKind::If { test, body, orelse } = &mut stmt.kind else { continue };
        if body.is_empty() && !orelse.is_empty() {
            std::mem::swap(body, orelse);
            let b = conversion.builder(test.span);
            let old = std::mem::replace(test, b.none());
            *test = match old.kind {
                ExprKind::Unary { op: UnaryOp::Not, operand } => *operand,
                kind => b.not(ag_syntax::tree::Expr { id: old.id, span: old.span, kind }),
            };
        }
    }
}

/// Statements to put before and after a loop.
pub(crate) type Around = (Vec<Stmt>, Vec<Stmt>);

/// Calls `see` with every loop of a function that is not pinned, and the function, inner loops first. `see`
/// returns the statements to put before and after the loop.
pub(crate) fn each_loop(
    function: NodeId,
    block: &mut Vec<Stmt>,
    conversion: &mut Conversion,
    see: fn(NodeId, &mut Stmt, &mut Conversion) -> Around,
) {
    let mut index = 0;
    while index < block.len() {
        let stmt = &mut block[index];
        for inner in blocks_mut(stmt) {
            each_loop(function, inner, conversion, see);
        }
        let is_loop = matches!(stmt.kind, StmtKind::For { is_async: false, .. } | StmtKind::While { .. });
        if is_loop && !conversion.pinned.contains(&stmt.id) {
            let (before, after) = see(function, stmt, conversion);
            let (before_count, after_count) = (before.len(), after.len());
            if after_count > 0 {
                block.splice(index + 1..index + 1, after);
            }
            if before_count > 0 {
                block.splice(index..index, before);
            }
            index += before_count + after_count;
        }
        index += 1;
    }
}
