//! Which statements keep their Python form because of a jump.
//!
//! A jump out of a `try` or `match` cannot become a flag: leaving is part of what these statements
//! mean. It stays a jump, and every statement between it and its target stays Python:
//!
//! ```python
//! while True:            # pinned
//!     try:
//!         f()
//!         break          # stays
//!     except E:
//!         if c:          # not pinned
//!             n += 1
//! ```
//!
//! All jumps to a pinned loop, or past one, then stay too; and if one `return` stays, all do.
//!
//! Blocks become nested functions, and CPython refuses more than a hundred levels of indentation. A
//! function whose jumps would nest too deeply keeps them all, and an `if` or loop too deep inside
//! others (as in a long chain of `elif`) stays Python.

use std::collections::HashSet;

use ag_syntax::tree::{NodeId, Stmt, StmtKind};

use crate::context::Conversion;
use crate::jumps::{Jump, has_jump};
use crate::regions::{blocks, each_function};

/// How many blocks may stand in each other.
const DEEPEST: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Branch,
    LoopBody,
    LoopElse,
    Holder,
}

struct JumpPath {
    is_return: bool,
    /// The statements from the target's (a loop's, included) down to the jump.
    path: Vec<(NodeId, Kind)>,
}

/// Finds the pinned statements of all functions.
pub(crate) fn pin(body: &mut [Stmt], conversion: &mut Conversion) {
    let (pinned, keeps_returns) = (&mut conversion.pinned, &mut conversion.keeps_returns);
    each_function(body, &conversion.left_as_written, &mut |function, body| {
        let mut jumps = Vec::new();
        find_jumps(body, &mut Vec::new(), &mut jumps);
        if depth_when_lowered(body) > DEEPEST {
            pinned.extend(jumps.iter().flat_map(|jump| jump.path.iter().map(|(statement, _)| *statement)));
            keeps_returns.insert(function);
        }
        if pin_jumps(&jumps, pinned) {
            keeps_returns.insert(function);
        }
    });
}

/// Pins the statements that stand too deep inside others. Jumps are lowered.
pub(crate) fn pin_deep(body: &[Stmt], depth: usize, pinned: &mut HashSet<NodeId>) {
    for stmt in body {
        let is_branch =
            matches!(stmt.kind, StmtKind::If { .. } | StmtKind::For { .. } | StmtKind::While { .. });
        if is_branch && depth >= DEEPEST {
            pinned.insert(stmt.id);
        }
        for block in blocks(stmt) {
            pin_deep(block, depth + 1, pinned);
        }
    }
}

/// How deep blocks will nest: what follows an `if` that may jump moves into it, or into a guard.
fn depth_when_lowered(body: &[Stmt]) -> usize {
    let (mut deepest, mut here) = (0, 0);
    for stmt in body {
        let inner = blocks(stmt).into_iter().map(depth_when_lowered).max();
        deepest = deepest.max(here + inner.map_or(0, |inner| inner + 1));
        let may_jump = [Jump::Break, Jump::Continue, Jump::Return].iter().any(|jump| has_jump(stmt, *jump));
        here += usize::from(may_jump);
    }
    deepest.max(here)
}

fn find_jumps(body: &[Stmt], path: &mut Vec<(NodeId, Kind)>, jumps: &mut Vec<JumpPath>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Return(_) => jumps.push(JumpPath { is_return: true, path: path.clone() }),
            StmtKind::Break | StmtKind::Continue => {
                let target = path.iter().rposition(|(_, kind)| *kind == Kind::LoopBody).unwrap_or(0);
                jumps.push(JumpPath { is_return: false, path: path[target..].to_vec() });
            }
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {}
            _ => {
                let kinds = match &stmt.kind {
                    // A `with` is left by the end of its body as by a jump, without an exception.
                    StmtKind::If { .. } | StmtKind::With { is_async: false, .. } => {
                        [Kind::Branch, Kind::Branch]
                    }
                    StmtKind::For { is_async: false, .. } | StmtKind::While { .. } => {
                        [Kind::LoopBody, Kind::LoopElse]
                    }
                    _ => [Kind::Holder, Kind::Holder],
                };
                for (index, block) in blocks(stmt).into_iter().enumerate() {
                    path.push((stmt.id, kinds[index.min(1)]));
                    find_jumps(block, path, jumps);
                    path.pop();
                }
            }
        }
    }
}

/// Pins until nothing changes; says whether returns stay.
fn pin_jumps(jumps: &[JumpPath], pinned: &mut HashSet<NodeId>) -> bool {
    let mut is_pinned = vec![false; jumps.len()];
    let mut returns_stay = false;
    loop {
        let mut has_changed = false;
        for (jump, is_pinned) in jumps.iter().zip(&mut is_pinned) {
            let stays = |(statement, kind): &(NodeId, Kind)| match kind {
                Kind::Holder => true,
                Kind::Branch => false,
                Kind::LoopBody | Kind::LoopElse => pinned.contains(statement),
            };
            if !*is_pinned && ((jump.is_return && returns_stay) || jump.path.iter().any(stays)) {
                *is_pinned = true;
                has_changed = true;
                returns_stay |= jump.is_return;
                pinned.extend(jump.path.iter().map(|(statement, _)| *statement));
            }
        }
        if !has_changed {
            return returns_stay;
        }
    }
}
