//! `return` becomes an assignment to a variable, and the function gets one exit.
//!
//! ```python
//! def f(x):                 def f(x):
//!     if x > 0:                 if x > 0:
//!         return x     →            return_value = x
//!     return -x                 else:
//!                                   return_value = -x
//!                               return return_value
//!
//! def f(xs):                def f(xs):
//!     for x in xs:              did_return = False
//!         if x > 0:    →        return_value = ag__.Undefined('return_value')
//!             return x          for x in xs:           # asked before each item: not did_return
//!                                   if x > 0:
//!                                       return_value = x
//!                                       did_return = True
//!                               return ag__.ret(return_value, did_return)    # `True` where each path returns
//!
//! def f(p):                 def f(p):
//!     with open(p) as x:        return_value = None
//!         return x.read()  →    with open(p) as x:
//!                                   return_value = x.read()
//!                               return return_value
//! ```
//!
//! Invariant: afterwards a function has one `return`, at its end, or it keeps them all.

use ag_syntax::tree::{Expr, Name, NodeId, Stmt, StmtKind};

use crate::context::Conversion;
use crate::jumps::{
    self, Jump, any_jump, has_jump, move_rest_into_branches, never_falls_through, replace_jumps,
};
use crate::regions::{blocks, blocks_mut};

/// Runs the pass on one function.
pub(crate) fn lower(function: NodeId, body: &mut Vec<Stmt>, conversion: &mut Conversion) {
    if conversion.keeps_returns.contains(&function) || !any_jump(body, Jump::Return) {
        return;
    }
    move_rest_into_branches(body, Jump::Return, conversion);
    let is_last_only = |body: &[Stmt]| {
        let returns = body.iter().filter(|stmt| has_jump(stmt, Jump::Return)).count();
        returns == 1 && matches!(body.last(), Some(Stmt { kind: StmtKind::Return(_), .. }))
    };
    if is_last_only(body) {
        return;
    }
    let span = body
        .iter()
        .rev()
        .find(|stmt| has_jump(stmt, Jump::Return))
        .map_or_else(ag_errors::Span::default, |stmt| stmt.span);
    let value = conversion.fresh_variable(function, "return_value");
    if all_at_end(body) {
        // If a `with` swallows an exception, or a handler or a `match` without a matching case ends, control
        // falls off the end.
        let has_default = body.last().is_some_and(leaves_holder);
        assign_at_end(body, &value, span, has_default, conversion);
        if has_default {
            let start = usize::from(has_docstring(body));
            body.insert(start, assign(span, &value, None, conversion));
        }
        let b = conversion.builder(span);
        body.push(b.return_value(b.name(value)));
        return;
    }
    let always_returns = never_falls_through(body);
    let flag = conversion.fresh_variable(function, "did_return");
    replace_jumps(body, Jump::Return, &flag, conversion, &mut |jump, conversion| {
        let span = jump.span;
        let StmtKind::Return(result) = jump.kind else { return Vec::new() };
        // The value first: an enclosing `with` may swallow its exception, and then nothing is returned.
        vec![assign(span, &value, result, conversion), conversion.set_flag(span, &flag, true)]
    });
    let start = usize::from(has_docstring(body));
    let unset = if conversion.walk == Some(function) {
        assign(span, &value, None, conversion) // It returns nothing else.
    } else {
        conversion.set_undefined(span, &value)
    };
    body.splice(start..start, [conversion.set_flag(span, &flag, false), unset]);
    let b = conversion.builder(span);
    let did_return = if always_returns { b.bool(true) } else { b.name(flag) };
    let args = [b.name(value), did_return];
    let result = conversion.call(span, "ret", args);
    body.push(conversion.builder(span).return_value(result));
}

/// Whether the first statement is a docstring.
pub(crate) fn has_docstring(body: &[Stmt]) -> bool {
    use ag_syntax::tree::{ConstantKind, ExprKind};
    let Some(Stmt { kind: StmtKind::Expr(expr), .. }) = body.first() else { return false };
    matches!(expr.kind, ExprKind::Constant { kind: ConstantKind::Str, .. })
}

fn assign(span: ag_errors::Span, name: &Name, value: Option<Expr>, conversion: &mut Conversion) -> Stmt {
    let b = conversion.builder(span);
    let value = value.unwrap_or_else(|| b.none());
    b.assign_name(name.clone(), value)
}

/// Whether every `return` is at the end of a path through the function's `if`s.
fn all_at_end(block: &[Stmt]) -> bool {
    let Some((last, before)) = block.split_last() else { return true };
    if any_jump(before, Jump::Return) {
        return false;
    }
    match &last.kind {
        StmtKind::If { body, orelse, .. } => all_at_end(body) && all_at_end(orelse),
        StmtKind::With { body, .. } => all_at_end(body),
        StmtKind::Match { cases, .. } => cases.iter().all(|case| all_at_end(&case.body)),
        // An `else` would run after the body.
        StmtKind::Try { body, handlers, orelse, .. } => {
            (orelse.is_empty() || !any_jump(body, Jump::Return))
                && [body, orelse].into_iter().all(|block| all_at_end(block))
                && handlers.iter().all(|handler| all_at_end(&handler.body))
        }
        StmtKind::Return(_) => true,
        _ => !has_jump(last, Jump::Return),
    }
}

/// Whether a `return` at the function's end leaves a `with`, `match` or `try`.
fn leaves_holder(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::With { .. } | StmtKind::Match { .. } | StmtKind::Try { .. } => has_jump(stmt, Jump::Return),
        StmtKind::If { body, orelse, .. } => {
            [body, orelse].into_iter().filter_map(|block| block.last()).any(leaves_holder)
        }
        _ => false,
    }
}

/// Has the handlers of a `try` begin with `return_value = None`, where they may drop a `return`; so may a `with`.
fn take_back(stmt: &mut Stmt, name: &Name, conversion: &mut Conversion) {
    if !conversion.taken_back.contains(&stmt.id) {
        return;
    }
    let span = stmt.span;
    match &mut stmt.kind {
        StmtKind::Try { handlers, .. } => {
            for handler in handlers {
                handler.body.insert(0, assign(handler.span, name, None, conversion));
            }
        }
        StmtKind::With { body, .. } => {
            let undo = assign(span, name, None, conversion);
            jumps::take_back(body, undo, conversion);
        }
        _ => {}
    }
}

/// Assigns the value at every end of the block; where control falls off, `None`, unless that is the default.
fn assign_at_end(
    block: &mut Vec<Stmt>,
    name: &Name,
    span: ag_errors::Span,
    has_default: bool,
    conversion: &mut Conversion,
) {
    match block.pop() {
        Some(Stmt { kind: StmtKind::Return(value), span, .. }) => {
            block.push(assign(span, name, value, conversion));
        }
        Some(mut stmt) if has_jump(&stmt, Jump::Return) => {
            let span = stmt.span;
            let is_left = |index: usize, stmt: &Stmt| {
                // The end of a `finally` is not the end of the function.
                !matches!(&stmt.kind, StmtKind::Try { handlers, .. } if index == handlers.len() + 2)
            };
            let count = blocks(&stmt).len();
            let ends: Vec<bool> = (0..count).map(|index| is_left(index, &stmt)).collect();
            for (inner, is_end) in blocks_mut(&mut stmt).into_iter().zip(ends) {
                if is_end {
                    assign_at_end(inner, name, span, has_default, conversion);
                }
            }
            take_back(&mut stmt, name, conversion);
            block.push(stmt);
        }
        last => {
            block.extend(last);
            if !has_default && !never_falls_through(block) {
                block.push(assign(span, name, None, conversion));
            }
        }
    }
}
