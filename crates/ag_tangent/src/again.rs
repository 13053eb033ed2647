//! Blocks that the backward pass runs again, in place of what their own backward passes read.
//!
//! ```text
//! x_values.append(x)              x = x_values.pop()
//! for i in part:                  for i in part:                          # the second run keeps what it overwrites
//!     x = np.sin(x)                   x_values_1.append(x)
//!                                     x = np.sin(x)
//!                                 for i in reversed(part):
//!                                     x = x_values_1.pop()
//!                                     bx = bx * np.cos(x)
//! ```
//!
//! The first run is the user's code; the second leaves out what prints.

use std::collections::BTreeMap;

use ag_syntax::tree::{Expr, Name, Stmt, StmtKind};

use crate::name_sets::IntoSet;
use crate::normal::Outcome;
use crate::program::{Again, Block, Branch, Head, If, Node, OpKind};
use crate::repeated::without_effects;
use crate::reverse::{Adjoints, Passes, guard_of, has_text};
use crate::tidy;
use crate::variables::{bound_in, read_by};

impl Passes<'_, '_> {
    /// The statements of a block alone, which keep nothing.
    pub(crate) fn first_run(&mut self, again: &Again) -> Vec<Stmt> {
        let mut body = self.alone(&again.block);
        if !self.optimized {
            return body;
        }
        // Variables of the user's may be read later; the others belong to their statements.
        let is_made = |name: &Name| {
            name != self.result && !self.numbers.is_variable(name) && again.flag.as_ref() != Some(name)
        };
        let read = body.iter().flat_map(read_by);
        let live = bound_in(&body).into_iter().chain(read).filter(|name| !is_made(name)).collect();
        let mut comments = BTreeMap::new();
        tidy::remove_dead_before(&mut body, self.around, live, &mut comments);
        tidy::inline(&mut body, &is_made, &mut comments);
        body
    }

    fn alone(&mut self, block: &Block) -> Vec<Stmt> {
        let mut out = Vec::new();
        block.iter().for_each(|node| self.node_alone(node, &mut out));
        out
    }

    fn node_alone(&mut self, node: &Node, out: &mut Vec<Stmt>) {
        match node {
            Node::Plain { stmt, .. } | Node::Exit { stmt, .. } => out.push(stmt.clone()),
            Node::Op(op) => {
                let b = self.b.at(op.span);
                let guard = guard_of(b, op);
                let is_first = !matches!(op.kind, OpKind::Index { .. } | OpKind::Call { .. });
                out.extend(guard.clone().filter(|_| is_first));
                let named = |(name, value): &(Name, Expr)| b.assign_name(name.clone(), b.copy_expr(value));
                out.extend(op.back.before.iter().map(named));
                out.extend(has_text(&op.forward).then(|| op.forward.clone()));
                out.extend(guard.filter(|_| !is_first));
            }
            Node::If(choice) => self.choice_alone(choice, out),
            Node::Loop(looped) => {
                let b = self.b.at(looped.span);
                let body = self.alone(&looped.body.block);
                out.push(match &looped.head {
                    Head::While(test) => b.while_stmt(test.clone(), body),
                    Head::For { target, iter, .. } => b.for_stmt(target.clone(), iter.clone(), body),
                });
            }
            Node::With { header: stmt, body, .. } => {
                let mut stmt = stmt.clone();
                if let StmtKind::With { body: inner, .. } = &mut stmt.kind {
                    *inner = self.alone(body);
                }
                out.push(stmt);
            }
            Node::Finally { stmt, body, last } => {
                let mut stmt = stmt.clone();
                if let StmtKind::Try { body: inner, finalbody, .. } = &mut stmt.kind {
                    (*inner, *finalbody) = (self.alone(body), self.alone(last));
                }
                out.push(stmt);
            }
            Node::Again(again) => out.extend(self.alone(&again.block)),
            Node::Injected { .. } => {}
        }
    }

    fn choice_alone(&mut self, choice: &If, out: &mut Vec<Stmt>) {
        let b = self.b.at(choice.span);
        let mut branch = |branch: &Branch| self.alone(&branch.block);
        let (then, orelse) = (branch(&choice.then), branch(&choice.orelse));
        match (choice.is_rest, then.is_empty(), orelse.is_empty()) {
            (true, ..) => out.extend(then),
            (false, true, false) => out.push(b.if_stmt(b.not(choice.test.clone()), orelse, Vec::new())),
            _ => out.push(b.if_stmt(choice.test.clone(), then, orelse)),
        }
    }

    /// The second run, and the backward pass of what it does; notes what both read of what was before.
    pub(crate) fn backward_again(
        &mut self,
        again: &mut Again,
        state: &mut Adjoints,
        out: &mut Vec<Stmt>,
    ) -> Outcome<()> {
        self.last = None;
        let b = self.b.at(again.span);
        self.b = b;
        let mut ends = Vec::new();
        for save in &again.saves {
            let start = if save.is_stack {
                let naming = &mut *self.naming;
                let name = again.starts.entry(save.name.clone());
                let start = name.or_insert_with(|| naming.fresh(&format!("{}_start", save.name))).clone();
                let popped = b.call(b.attribute(b.name(save.kept.clone()), "pop"), []);
                out.push(b.assign_name(start.clone(), popped));
                start
            } else {
                save.kept.clone()
            };
            out.push(b.assign_name(save.name.clone(), b.name(start.clone())));
            ends.push(b.assign_name(save.name.clone(), b.name(start)));
        }
        let mut runs = self.forward(&again.block, false);
        without_effects(&mut runs, self.around, &again.filled);
        if let Some(first) = runs.first() {
            let lines = || again.span.text(self.source).lines().map(str::trim);
            // Of a function the line after its decorators.
            let head = lines().find(|line| line.starts_with("def ")).filter(|_| again.span == self.whole);
            let text = head.or_else(|| lines().next()).unwrap_or_default();
            self.comments.insert(first.id, format!("Again: {text}"));
        }
        runs.extend(self.backward(&mut again.block, state)?);
        // The adjoints are read later.
        let adjoints = bound_in(&runs).into_iter().filter(|name| !self.around.is_local(name)).collect();
        let read = tidy::live_before(&runs, self.around, adjoints, self.optimized);
        again.reads = read.keys().filter(|name| self.around.is_local(name)).cloned().into_set();
        out.extend(runs);
        // What stands before the block reads the variables as they were.
        out.extend(ends);
        self.last = None;
        Ok(())
    }
}
