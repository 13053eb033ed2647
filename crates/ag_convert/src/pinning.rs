//! Which statements keep their Python form because of a jump.
//!
//! A jump out of a `with`, `try` or `match` cannot become a flag: leaving is part of what these
//! statements mean. It stays a jump, and every statement between it and its target stays Python:
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

use std::collections::HashSet;

use ag_syntax::tree::{NodeId, Stmt, StmtKind};

use crate::context::Conversion;
use crate::regions::{blocks, each_function};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Branch,
    LoopBody,
    LoopElse,
    Holder,
}

struct Jump {
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
        if pin_jumps(&jumps, pinned) {
            keeps_returns.insert(function);
        }
    });
}

fn find_jumps(body: &[Stmt], path: &mut Vec<(NodeId, Kind)>, jumps: &mut Vec<Jump>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Return(_) => jumps.push(Jump { is_return: true, path: path.clone() }),
            StmtKind::Break | StmtKind::Continue => {
                let target = path.iter().rposition(|(_, kind)| *kind == Kind::LoopBody).unwrap_or(0);
                jumps.push(Jump { is_return: false, path: path[target..].to_vec() });
            }
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {}
            _ => {
                let kinds = match &stmt.kind {
                    StmtKind::If { .. } => [Kind::Branch, Kind::Branch],
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
fn pin_jumps(jumps: &[Jump], pinned: &mut HashSet<NodeId>) -> bool {
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
