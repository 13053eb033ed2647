//! Pinning: which statements keep their Python form.
//!
//! A `with`, a `match` and the clauses of a `try` can be left by a flag as well as by a jump; jumps out of a
//! `finally` have been moved behind it (`finally_jumps.rs`). But leaving a `with` or a `finally` may raise, and what
//! catches this on the way drops the jump. A handler takes the flag back:
//!
//! ```python
//! try:
//!     with lock:         # its exit may raise E
//!         return 1
//! except E:
//!     pass               # did_return = False
//! return 2
//! ```
//!
//! So does what a `with` around another one holds, since its manager may swallow the exception:
//!
//! ```python
//! with a:
//!     try:
//!         with b:
//!             return 1   # did_return = True
//!     except:
//!         did_return = False
//!         raise
//! ```
//!
//! All jumps to a pinned loop, or beyond one, stay too; and if one `return` stays, all do.
//!
//! Blocks become nested functions, and CPython refuses more than a hundred levels of indentation. A
//! function whose jumps would nest too deeply keeps them all, and an `if` or loop too deep inside
//! others (as in a long chain of `elif`) stays Python.

use std::collections::HashSet;

use ag_syntax::tree::{Expr, ExprKind, NodeId, Stmt, StmtKind};

use crate::context::Conversion;
use crate::jumps::{Jump, any_jump};
use crate::regions::{blocks, each_function};

/// The deepest nesting of blocks.
const DEEPEST: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Branch,
    LoopBody,
    LoopElse,
    Holder,
}

/// A statement that a jump leaves.
#[derive(Clone, Copy)]
struct Step {
    statement: NodeId,
    kind: Kind,
    /// Whether it may catch an exception of the block that contains the jump, and go on after it.
    may_catch: bool,
    /// Whether leaving it may raise.
    may_raise: bool,
}

struct JumpPath {
    is_return: bool,
    /// The statements from the target (a loop is included) down to the jump.
    path: Vec<Step>,
}

impl JumpPath {
    /// The `try` and `with` statements that may drop the jump, when an exception comes on its way.
    fn taken_back_by(&self) -> impl Iterator<Item = NodeId> + '_ {
        let raises = self.path.iter().rposition(|step| step.may_raise).unwrap_or(0);
        self.path[..raises].iter().filter(|step| step.may_catch).map(|step| step.statement)
    }
}

/// Finds the pinned statements of all functions.
pub(crate) fn pin(body: &mut [Stmt], conversion: &mut Conversion) {
    let (pinned, keeps_returns) = (&mut conversion.pinned, &mut conversion.keeps_returns);
    let taken_back = &mut conversion.taken_back;
    each_function(body, &conversion.left_as_written, &mut |function, body| {
        let mut jumps = Vec::new();
        find_jumps(body, &mut Vec::new(), &mut jumps);
        if depth_when_lowered(body) > DEEPEST {
            pinned.extend(jumps.iter().flat_map(|jump| jump.path.iter().map(|step| step.statement)));
            keeps_returns.insert(function);
        }
        if pin_jumps(&jumps, pinned) {
            keeps_returns.insert(function);
        }
        taken_back.extend(jumps.iter().flat_map(JumpPath::taken_back_by));
    });
}

/// The `try` and `with` statements of a block that may drop a jump out of it.
pub(crate) fn taken_back_in(block: &[Stmt]) -> Vec<NodeId> {
    let mut jumps = Vec::new();
    find_jumps(block, &mut Vec::new(), &mut jumps);
    jumps.iter().flat_map(JumpPath::taken_back_by).collect()
}

/// Pins the statements that nest too deeply. Jumps have been lowered.
pub(crate) fn pin_deep(body: &[Stmt], depth: usize, pinned: &mut HashSet<NodeId>) {
    for stmt in body {
        let is_branch = matches!(
            stmt.kind,
            StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::While { .. }
                | StmtKind::With { .. }
                | StmtKind::Try { .. }
        );
        if (is_branch && depth >= DEEPEST) || is_left_to_python(stmt) {
            pinned.insert(stmt.id);
        }
        for block in blocks(stmt) {
            pin_deep(block, depth + 1, pinned);
        }
    }
}

/// Whether Python runs a `try`: `except*` takes groups apart, and a recording asks for the classes of handlers before
/// anything is raised, and more than once.
fn is_left_to_python(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Try { handlers, is_star, .. } => {
            *is_star || !handlers.iter().filter_map(|one| one.kind.as_ref()).all(is_only_read)
        }
        _ => false,
    }
}

/// Whether evaluating the classes of a handler reads, and calls no function.
pub(crate) fn is_only_read(kind: &Expr) -> bool {
    match &kind.kind {
        ExprKind::Name { .. } | ExprKind::Constant { .. } => true,
        ExprKind::Attribute { value, .. }
        | ExprKind::Starred { value, .. }
        | ExprKind::Unary { operand: value, .. } => is_only_read(value),
        ExprKind::Tuple { elements, .. } => elements.iter().all(is_only_read),
        ExprKind::Binary { left, right, .. } => is_only_read(left) && is_only_read(right),
        ExprKind::Subscript { value, index, .. } => is_only_read(value) && is_only_read(index),
        ExprKind::Slice { lower, upper, step } => {
            [lower, upper, step].into_iter().flatten().all(|bound| is_only_read(bound))
        }
        ExprKind::IfExp { test, body, orelse } => {
            [test, body, orelse].into_iter().all(|one| is_only_read(one))
        }
        ExprKind::BoolOp { values, .. } => values.iter().all(is_only_read),
        ExprKind::Compare { left, comparators, .. } => {
            is_only_read(left) && comparators.iter().all(is_only_read)
        }
        _ => false,
    }
}

/// Pins the branches and loops that `del` a variable of another function: reads there do not know the marker
/// for "unbound". Returns whether there is such a `del`.
pub(crate) fn pin_deletes(
    body: &[Stmt],
    is_of_others: &dyn Fn(&str) -> bool,
    pinned: &mut HashSet<NodeId>,
) -> bool {
    let is_deleted = |target: &Expr| match &target.kind {
        ExprKind::Name { name, .. } => is_of_others(name),
        _ => false,
    };
    let mut found = false;
    for stmt in body {
        let deletes = match &stmt.kind {
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => continue,
            StmtKind::Delete(targets) => targets.iter().any(is_deleted),
            _ => {
                let inside = blocks(stmt).into_iter().map(|block| pin_deletes(block, is_of_others, pinned));
                inside.fold(false, |any, one| any | one)
            }
        };
        if deletes {
            pinned.insert(stmt.id);
        }
        found |= deletes;
    }
    found
}

/// The nesting of blocks after lowering: the statements after an `if` that may jump move into it, or into a
/// guard.
fn depth_when_lowered(body: &[Stmt]) -> usize {
    let (mut deepest, mut here) = (0, 0);
    for stmt in body {
        let inner = blocks(stmt).into_iter().map(depth_when_lowered).max();
        deepest = deepest.max(here + inner.map_or(0, |inner| inner + 1));
        here += usize::from(holds_jump(std::slice::from_ref(stmt)));
    }
    deepest.max(here)
}

fn find_jumps(body: &[Stmt], path: &mut Vec<Step>, jumps: &mut Vec<JumpPath>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Return(_) => jumps.push(JumpPath { is_return: true, path: path.clone() }),
            StmtKind::Break | StmtKind::Continue => {
                let target = path.iter().rposition(|step| step.kind == Kind::LoopBody).unwrap_or(0);
                jumps.push(JumpPath { is_return: false, path: path[target..].to_vec() });
            }
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {}
            _ => {
                for (index, block) in blocks(stmt).into_iter().enumerate() {
                    path.push(step(stmt, index));
                    find_jumps(block, path, jumps);
                    path.pop();
                }
            }
        }
    }
}

/// A statement that a jump in its block of this number leaves.
fn step(stmt: &Stmt, block: usize) -> Step {
    let (mut may_catch, mut may_raise) = (false, false);
    let kind = match &stmt.kind {
        // A flag leaves them as well as a jump, without an exception.
        StmtKind::If { .. } | StmtKind::Match { .. } => Kind::Branch,
        StmtKind::With { is_async: false, .. } => {
            (may_catch, may_raise) = (true, true);
            Kind::Branch
        }
        StmtKind::Try { handlers, finalbody, .. } if !holds_jump(finalbody) => {
            (may_catch, may_raise) = (block == 0 && !handlers.is_empty(), !finalbody.is_empty());
            Kind::Branch
        }
        StmtKind::For { is_async: false, .. } | StmtKind::While { .. } if block == 0 => Kind::LoopBody,
        StmtKind::For { is_async: false, .. } | StmtKind::While { .. } => Kind::LoopElse,
        _ => Kind::Holder,
    };
    Step { statement: stmt.id, kind, may_catch, may_raise }
}

/// Whether a jump leaves the block.
pub(crate) fn holds_jump(block: &[Stmt]) -> bool {
    [Jump::Break, Jump::Continue, Jump::Return].into_iter().any(|jump| any_jump(block, jump))
}

/// Pins until nothing changes; returns whether returns stay.
fn pin_jumps(jumps: &[JumpPath], pinned: &mut HashSet<NodeId>) -> bool {
    let mut is_pinned: Vec<bool> = vec![false; jumps.len()];
    let mut returns_stay = false;
    loop {
        let mut has_changed = false;
        for (index, jump) in jumps.iter().enumerate() {
            let stays = |step: &Step| match step.kind {
                Kind::Holder => true,
                Kind::Branch => false,
                Kind::LoopBody | Kind::LoopElse => pinned.contains(&step.statement),
            };
            let stays = jump.path.iter().any(stays);
            if !is_pinned[index] && (stays || (jump.is_return && returns_stay)) {
                is_pinned[index] = true;
                has_changed = true;
                returns_stay |= jump.is_return;
                pinned.extend(jump.path.iter().map(|step| step.statement));
            }
        }
        if !has_changed {
            return returns_stay;
        }
    }
}
