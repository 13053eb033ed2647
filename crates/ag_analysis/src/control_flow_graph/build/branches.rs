//! Branches and loops: `if`, `while`, `for`.

use ag_syntax::tree::{ConstantKind, Expr, ExprKind, NodeId, Stmt};
use ag_syntax::visit::Visitor;

use super::nodes::{Builder, Frame};
use crate::control_flow_graph::BranchPoint;

impl Builder<'_> {
    /// Notes the nodes of a statement's blocks, once they are built.
    fn branch(&mut self, statement: NodeId, head: u32, first: u32, is_loop: bool) {
        let end = u32::try_from(self.graph.len()).unwrap_or(u32::MAX);
        let leave = self.node(None);
        let around = self.exception_target();
        self.branches.push(BranchPoint { statement, head, first, end, leave, around, is_loop });
    }

    pub(super) fn if_stmt(&mut self, statement: NodeId, test: &Expr, body: &[Stmt], orelse: &[Stmt]) {
        self.reader.visit_expr(test);
        let head = self.node(Some(statement));
        self.body(body);
        self.choice(head, true);
        let mut ends = std::mem::replace(&mut self.ends, vec![head]);
        self.body(orelse);
        ends.append(&mut self.ends);
        self.ends = ends;
        self.branch(statement, head, head + 1, false);
    }

    fn guard_reads(&mut self, statement: NodeId) {
        let mut reads = Vec::new();
        for name in (self.guards)(statement) {
            if let Some(variable) = self.variables.get(&name) {
                reads.push((variable, statement));
                self.reader.read_name(&name);
            }
        }
        let found = self.reader.take();
        if let Some(last) = self.activities.last_mut() {
            last.reads.extend(reads);
            last.read_names.extend(found.read_names);
        }
    }

    pub(super) fn while_stmt(&mut self, statement: NodeId, test: &Expr, body: &[Stmt], orelse: &[Stmt]) {
        self.reader.visit_expr(test);
        let head = self.node(Some(statement));
        self.guard_reads(statement);
        // A guard that is tested before each iteration may end the loop too.
        let is_endless = matches!(test.kind, ExprKind::Constant { kind: ConstantKind::True, .. })
            && (self.guards)(statement).is_empty();
        self.loop_blocks(statement, head, is_endless, body, orelse);
    }

    pub(super) fn for_stmt(
        &mut self,
        statement: NodeId,
        head: (&Expr, &Expr),
        body: &[Stmt],
        orelse: &[Stmt],
    ) {
        let (target, iter) = head;
        self.reader.visit_expr(iter);
        let start = self.node(Some(statement));
        self.place(start, iter.span);
        // The head takes an item or leaves the loop; only if it takes an item is the target bound.
        let head = self.node(Some(statement));
        self.guard_reads(statement);
        self.reader.visit_expr(target);
        let bind = self.node(Some(statement));
        debug_assert_eq!(bind, head + 1, "the head comes before what it binds");
        self.place(bind, target.span);
        self.loop_blocks(statement, head, false, body, orelse);
    }

    fn loop_blocks(
        &mut self,
        statement: NodeId,
        head: u32,
        is_endless: bool,
        body: &[Stmt],
        orelse: &[Stmt],
    ) {
        self.frames.push(Frame::Loop { head, breaks: Vec::new() });
        self.body(body);
        self.choice(head, true);
        self.connect_ends(head);
        let Some(Frame::Loop { breaks, .. }) = self.frames.pop() else { return };
        if !is_endless {
            self.ends = vec![head];
        }
        self.body(orelse);
        self.ends.extend(breaks);
        self.branch(statement, head, head, true);
    }
}
