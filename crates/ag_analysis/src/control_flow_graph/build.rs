//! Builds the graph in one walk over the statements, with a stack of the enclosing constructs.

mod branches;
mod cases;
mod exceptions;
mod nodes;

use ag_syntax::tree::{Alias, Expr, ExprKind, Name, NodeId, Stmt, StmtKind};
use ag_syntax::visit::Visitor;

use self::exceptions::TryBlocks;
use self::nodes::{Builder, Jump};
use super::ControlFlowGraph;
use super::labels::{Extent, Labels};
use crate::activity::{Activity, ActivityReader, Variable, Variables};
use crate::dataflow::Graph;
use crate::scopes::Scopes;

pub(super) fn build<'a>(
    body: &[Stmt],
    reader: ActivityReader<'a>,
    variables: &'a Variables,
    guards: &'a dyn Fn(NodeId) -> Vec<Name>,
) -> ControlFlowGraph {
    build_with(body, reader, variables, guards, None).0
}

/// Builds the graph for drawing: every statement has a node, and every edge a label.
pub(super) fn build_labelled(
    body: &[Stmt],
    scopes: &Scopes,
    variables: &Variables,
) -> (ControlFlowGraph, Labels) {
    let reader = ActivityReader::new(scopes, variables).with_qualified_names();
    let (graph, labels) = build_with(body, reader, variables, &|_| Vec::new(), Some(Labels::default()));
    (graph, labels.unwrap_or_default())
}

fn build_with<'a>(
    body: &[Stmt],
    reader: ActivityReader<'a>,
    variables: &'a Variables,
    guards: &'a dyn Fn(NodeId) -> Vec<Name>,
    labels: Option<Labels>,
) -> (ControlFlowGraph, Option<Labels>) {
    let mut builder = Builder {
        reader,
        variables,
        guards,
        graph: Graph::default(),
        activities: Vec::new(),
        statements: Vec::new(),
        branches: Vec::new(),
        frames: Vec::new(),
        ends: Vec::new(),
        exit: 0,
        labels,
    };
    builder.exit = builder.loose_node(None);
    let entry = builder.node(None);
    builder.body(body);
    builder.connect_ends(builder.exit);
    let Builder { graph, activities, statements, branches, exit, labels, .. } = builder;
    (ControlFlowGraph { graph, activities, statements, entry, exit, branches }, labels)
}

impl Builder<'_> {
    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            if self.labels.is_some() {
                self.stmt_with_extent(stmt);
            } else {
                self.stmt(stmt);
            }
        }
    }

    /// Adds a statement and notes its nodes.
    fn stmt_with_extent(&mut self, stmt: &Stmt) {
        let count = |graph: &Graph| u32::try_from(graph.len()).unwrap_or(u32::MAX);
        let (first, before) = (count(&self.graph), self.ends.clone());
        self.stmt(stmt);
        let (end, ends) = (count(&self.graph), self.ends.clone());
        if let Some(labels) = &mut self.labels {
            let (statement, span) = (stmt.id, stmt.span);
            labels.extents.push(Extent { statement, span, first, end, before, ends });
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { test, body, orelse } => self.if_stmt(stmt.id, test, body, orelse),
            StmtKind::While { test, body, orelse } => self.while_stmt(stmt.id, test, body, orelse),
            StmtKind::For { target, iter, body, orelse, .. } => {
                self.for_stmt(stmt.id, (target, iter), body, orelse);
            }
            StmtKind::With { items, body, .. } => self.with_stmt(stmt.id, items, body),
            StmtKind::Match { subject, cases } => self.match_stmt(stmt.id, subject, cases),
            StmtKind::Try { body, handlers, orelse, finalbody, is_star } => {
                let blocks = TryBlocks { body, handlers, orelse, is_star: *is_star };
                self.try_stmt(stmt.id, &blocks, finalbody);
            }
            StmtKind::Break => {
                self.idle_node(stmt.id);
                self.jump(Jump::Break);
            }
            StmtKind::Continue => {
                self.idle_node(stmt.id);
                self.jump(Jump::Continue);
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.reader.visit_expr(value);
                }
                self.node(Some(stmt.id));
                self.jump(Jump::Return);
            }
            StmtKind::Raise { .. } => {
                self.reader.visit_stmt(stmt);
                self.node(Some(stmt.id));
                self.jump(Jump::Raise);
            }
            StmtKind::Delete(targets) => {
                for target in targets {
                    self.reader.visit_expr(target);
                    self.node(Some(stmt.id));
                }
            }
            StmtKind::Import(aliases) | StmtKind::ImportFrom { names: aliases, .. } => {
                self.import(stmt.id, aliases);
            }
            StmtKind::AugAssign { target, value, .. } => {
                // A name is read before it is written.
                if let (ExprKind::Name { name, .. }, Some(variable)) = (&target.kind, self.variable(target)) {
                    let mut activity = Activity { reads: vec![(variable, target.id)], ..Activity::default() };
                    self.reader.augmented(target);
                    self.reader.visit_expr(value);
                    self.reader.bind(name);
                    let found = self.reader.take();
                    activity.reads.extend(found.reads);
                    let node = self.node(Some(stmt.id));
                    self.activities[node as usize] = Activity { reads: activity.reads, ..found };
                } else {
                    self.reader.visit_stmt(stmt);
                    self.node(Some(stmt.id));
                }
            }
            StmtKind::AnnAssign { target, value: None, .. }
                if matches!(target.kind, ExprKind::Name { .. }) =>
            {
                self.idle_node(stmt.id);
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => {
                self.reader.visit_expr(value);
                self.reader.visit_expr(target);
                self.node(Some(stmt.id));
            }
            StmtKind::Assert { test, msg } => {
                self.reader.visit_expr(test);
                let head = self.node(Some(stmt.id));
                if let Some(msg) = msg {
                    // The message is evaluated only if the assertion fails.
                    let test = std::mem::take(&mut self.ends);
                    self.reader.visit_expr(msg);
                    self.ends.clone_from(&test);
                    let failure = self.node(Some(stmt.id));
                    self.place(failure, msg.span);
                    self.choice(head, false);
                    self.jump(Jump::Raise);
                    self.ends = test;
                }
            }
            StmtKind::Global(_) | StmtKind::Nonlocal(_) | StmtKind::Pass => self.idle_node(stmt.id),
            _ => {
                self.reader.visit_stmt(stmt);
                self.node(Some(stmt.id));
            }
        }
    }

    fn variable(&self, target: &Expr) -> Option<Variable> {
        match &target.kind {
            ExprKind::Name { name, .. } => self.variables.get(name),
            _ => None,
        }
    }

    fn import(&mut self, statement: NodeId, aliases: &[Alias]) {
        for alias in aliases {
            let name = match &alias.asname {
                Some(name) => name,
                None => alias.name.split('.').next().unwrap_or(&alias.name),
            };
            self.reader.bind(name);
            self.node(Some(statement));
        }
    }
}
