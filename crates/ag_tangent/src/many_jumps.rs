//! Loops with many jumps one after the other: flags in place of branches in branches.
//!
//! ```text
//! for a in xs:                    for a in xs:
//!     if f(a):                        has_left = False
//!         x = x * a                   if f(a):
//!         continue                        x = x * a
//!     x = np.sin(x)                       has_left = True
//!     if g(a):                        if not has_left:
//!         break                           x = np.sin(x)
//!     x = x * 2.0                         if g(a):
//!                                             has_broken = True
//!                                             has_left = True
//!                                     if not has_left:
//!                                         x = x * 2.0
//!                                     if has_broken:
//!                                         break
//! ```
//!
//! What follows a jump is put into a branch otherwise, which is what a person would write for a few of them. The text
//! of many would grow with their square, and Python takes no more than a hundred blocks in each other.

use std::borrow::Cow;

use ag_errors::Span;
use ag_syntax::Builder;
use ag_syntax::tree::{Name, Stmt, StmtKind};

use crate::jumps::{may_break, may_leave};
use crate::normal::Former;

/// How many statements of a loop that may jump are put into each other.
const NESTED: usize = 24;

impl Former<'_, '_> {
    /// The body of a loop, with flags where many of its statements may jump.
    pub(crate) fn with_few_jumps<'s>(&mut self, span: Span, body: &'s [Stmt]) -> Cow<'s, [Stmt]> {
        let jumping = body.iter().filter(|stmt| may_leave(std::slice::from_ref(*stmt)));
        if jumping.count() <= NESTED || !body.iter().all(is_choice_of_jumps) {
            return Cow::Borrowed(body);
        }
        let flags = Flags {
            b: self.b.at(span),
            left: self.naming.fresh("has_left"),
            broken: may_break(body).then(|| self.naming.fresh("has_broken")),
        };
        let Flags { b, left, broken } = &flags;
        let mut made = vec![b.assign_name(left.clone(), b.bool(false))];
        made.extend(broken.iter().map(|name| b.assign_name(name.clone(), b.bool(false))));
        made.extend(flags.block(body));
        let leave = |name: &Name| b.if_stmt(b.name(name.clone()), vec![b.stmt(StmtKind::Break)], Vec::new());
        made.extend(broken.as_ref().map(leave));
        Cow::Owned(made)
    }
}

/// Whether the jumps of a statement stand in branches only: what a `try` or a `with` does when it is left stays.
fn is_choice_of_jumps(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::If { body, orelse, .. } => body.iter().chain(orelse).all(is_choice_of_jumps),
        StmtKind::Break | StmtKind::Continue => true,
        _ => !may_leave(std::slice::from_ref(stmt)),
    }
}

struct Flags<'a> {
    b: Builder<'a>,
    /// Says that the rest of the iteration does not run.
    left: Name,
    /// Says that the loop ends with it.
    broken: Option<Name>,
}

impl Flags<'_> {
    /// The statements of a block without its jumps; what follows one that may jump asks whether it has.
    fn block(&self, body: &[Stmt]) -> Vec<Stmt> {
        let (mut made, mut part) = (Vec::new(), Vec::new());
        let mut may_have_left = false;
        for stmt in body {
            let b = self.b.at(stmt.span);
            let leaves = may_leave(std::slice::from_ref(stmt));
            let is_jump = matches!(stmt.kind, StmtKind::Break | StmtKind::Continue);
            match &stmt.kind {
                StmtKind::Break | StmtKind::Continue => {
                    let broken = self.broken.iter().filter(|_| matches!(stmt.kind, StmtKind::Break));
                    let set =
                        broken.chain([&self.left]).map(|flag| b.assign_name(flag.clone(), b.bool(true)));
                    part.extend(set);
                }
                StmtKind::If { test, body, orelse } if leaves => {
                    part.push(b.if_stmt(test.clone(), self.block(body), self.block(orelse)));
                }
                _ => part.push(stmt.clone()),
            }
            if leaves {
                self.end(&mut part, may_have_left, &mut made);
                may_have_left = true;
            }
            if is_jump {
                return made;
            }
        }
        self.end(&mut part, may_have_left, &mut made);
        made
    }

    /// `if not has_left: part`
    fn end(&self, part: &mut Vec<Stmt>, may_have_left: bool, made: &mut Vec<Stmt>) {
        let part = std::mem::take(part);
        match part.first() {
            Some(first) if may_have_left => {
                let b = self.b.at(first.span);
                made.push(b.if_stmt(b.not(b.name(self.left.clone())), part, Vec::new()));
            }
            _ => made.extend(part),
        }
    }
}
