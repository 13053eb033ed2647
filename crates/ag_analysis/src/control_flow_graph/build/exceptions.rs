//! What catches exceptions, or runs whether there are some or not: `with`, `try`.

use ag_syntax::tree::{ExceptHandler, NodeId, Stmt, WithItem};
use ag_syntax::visit::Visitor;

use super::nodes::{Builder, Frame, Jump};
use crate::activity::Variable;
use crate::control_flow_graph::BranchPoint;

/// `finally` blocks nested deeper than this appear in the graph once, not twice: otherwise their number would
/// double with every level.
const DEEPEST_COPIED_FINALLY: usize = 3;

/// The blocks of a `try`, without its `finally`.
pub(super) struct TryBlocks<'a> {
    pub(super) body: &'a [Stmt],
    pub(super) handlers: &'a [ExceptHandler],
    pub(super) orelse: &'a [Stmt],
    pub(super) is_star: bool,
}

impl Builder<'_> {
    pub(super) fn with_stmt(&mut self, statement: NodeId, items: &[WithItem], body: &[Stmt]) {
        let (mut leaves, mut head) = (Vec::new(), 0);
        let around = self.exception_target();
        for item in items {
            self.reader.visit_expr(&item.context);
            self.node(Some(statement));
            head = self.next_node() + 1;
            let dispatch = self.loose_node(None);
            self.frames.push(Frame::Guard { dispatch });
            leaves.push(dispatch);
            if let Some(target) = &item.target {
                self.node(None);
                self.reader.visit_expr(target);
            }
            self.node(Some(statement));
        }
        self.body(body);
        for leave in leaves.into_iter().rev() {
            self.frames.pop();
            // `__exit__` lets the exception pass, or swallows it.
            self.add_exception_edge(leave);
            self.ends.push(leave);
            self.node(None);
        }
        let leave = self.next_node() - 1;
        self.branches.push(BranchPoint {
            statement,
            head,
            first: head,
            end: leave,
            leave,
            around,
            is_loop: true,
        });
    }

    pub(super) fn try_stmt(&mut self, statement: NodeId, blocks: &TryBlocks<'_>, finalbody: &[Stmt]) {
        let around = self.exception_target();
        let (first, mut heads) = (self.next_node(), Vec::new());
        self.try_finally(statement, blocks, finalbody, &mut heads);
        let leave = self.next_node() - 1;
        let end = leave;
        for head in heads {
            self.branches.push(BranchPoint { statement, head, first, end, leave, around, is_loop: true });
        }
    }

    /// The number of the node that is made next.
    fn next_node(&self) -> u32 {
        u32::try_from(self.graph.len()).unwrap_or(u32::MAX)
    }

    /// Builds the blocks of a `try`, and a node after them; notes the nodes where the blocks start.
    fn try_finally(
        &mut self,
        statement: NodeId,
        blocks: &TryBlocks<'_>,
        finalbody: &[Stmt],
        heads: &mut Vec<u32>,
    ) {
        if finalbody.is_empty() {
            self.try_except(statement, blocks, heads);
            return;
        }
        let depth = self.frames.iter().filter(|frame| matches!(frame, Frame::Finally { .. })).count();
        let entry = self.loose_node(None);
        self.frames.push(Frame::Finally { entry, jumps: Vec::new() });
        heads.extend([entry, self.node(None)]);
        self.try_except(statement, blocks, heads);
        let Some(Frame::Finally { jumps, .. }) = self.frames.pop() else { return };
        if depth < DEEPEST_COPIED_FINALLY {
            let normal = std::mem::replace(&mut self.ends, vec![entry]);
            self.body_of_frame_around(finalbody);
            let abrupt = std::mem::replace(&mut self.ends, normal);
            self.jumps(&abrupt, &jumps);
            self.body_of_frame_around(finalbody);
        } else {
            self.ends.push(entry);
            self.body_of_frame_around(finalbody);
            let ends = self.ends.clone();
            self.jumps(&ends, &jumps);
        }
        self.node(None);
    }

    /// Adds a block that the frame just left does not guard. Its exceptions go to the enclosing frame, from
    /// its first statement on.
    fn body_of_frame_around(&mut self, body: &[Stmt]) {
        if !body.is_empty() && !self.ends.is_empty() {
            self.node(None);
        }
        self.body(body);
    }

    fn try_except(&mut self, statement: NodeId, blocks: &TryBlocks<'_>, heads: &mut Vec<u32>) {
        if blocks.handlers.is_empty() {
            self.body(blocks.body);
            self.body(blocks.orelse);
            return;
        }
        let dispatch = self.loose_node(None);
        self.frames.push(Frame::Guard { dispatch });
        heads.extend([dispatch, self.node(Some(statement))]);
        self.body(blocks.body);
        self.frames.pop();
        if !blocks.orelse.is_empty() && !self.ends.is_empty() {
            heads.push(self.next_node());
        }
        self.body_of_frame_around(blocks.orelse);
        let mut ends = std::mem::replace(&mut self.ends, vec![dispatch]);
        self.node(None);
        for handler in blocks.handlers {
            let before = self.handler(statement, handler);
            if let Some(head) = before {
                self.choice(head, true);
            }
            ends.extend(&self.ends);
            if !blocks.is_star {
                self.ends.clear();
            }
            self.ends.extend(before);
        }
        self.jump(Jump::Raise);
        self.ends = ends;
        self.node(None);
    }

    /// Builds a handler; returns the node that is left if its class does not match.
    fn handler(&mut self, statement: NodeId, handler: &ExceptHandler) -> Option<u32> {
        if let Some(kind) = &handler.kind {
            self.reader.visit_expr(kind);
        }
        let head = self.node(Some(statement));
        self.place(head, handler.span);
        let unmatched = handler.kind.as_ref().map(|_| head);
        let Some(name) = &handler.name else {
            self.body(&handler.body);
            return unmatched;
        };
        self.reader.bind(name);
        let bind = self.node(Some(statement));
        self.place(bind, handler.span);
        // The name is unbound however the block is left.
        let unbinds: Vec<Variable> = self.variables.get(name).into_iter().collect();
        let entry = self.loose_node(None);
        self.activities[entry as usize].unbinds.clone_from(&unbinds);
        self.frames.push(Frame::Finally { entry, jumps: Vec::new() });
        self.node(None);
        self.body(&handler.body);
        if let Some(Frame::Finally { entry, jumps }) = self.frames.pop() {
            self.jumps(&[entry], &jumps);
        }
        let unbind = self.node(None);
        self.activities[unbind as usize].unbinds = unbinds;
        unmatched
    }
}
