//! Builds the graph in one walk over the statements, with a stack of the enclosing constructs.

use ag_errors::Span;
use ag_syntax::tree::{
    Alias, ExceptHandler, Expr, ExprKind, MatchCase, Name, NodeId, Pattern, PatternKind, Stmt, StmtKind,
    WithItem,
};
use ag_syntax::visit::{Visitor, walk_pattern};

use super::labels::{Choice, EdgeKind, Extent, Labels};
use super::{BranchPoint, ControlFlowGraph};
use crate::activity::{Activity, ActivityReader, Variable, Variables};
use crate::dataflow::Graph;
use crate::scopes::Scopes;

/// `finally` blocks nested deeper than this appear in the graph once, not twice: otherwise their number would
/// double with every level.
const DEEPEST_COPIED_FINALLY: usize = 3;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Jump {
    Break,
    Continue,
    Return,
    Raise,
}

/// An enclosing construct of the current statement, as far as jumps and exceptions are concerned.
enum Frame {
    Loop {
        head: u32,
        breaks: Vec<u32>,
    },
    /// Exceptions go to this node.
    Guard {
        dispatch: u32,
    },
    /// Exceptions and jumps go through this node.
    Finally {
        entry: u32,
        jumps: Vec<Jump>,
    },
}

struct Builder<'a> {
    reader: ActivityReader<'a>,
    variables: &'a Variables,
    guards: &'a dyn Fn(NodeId) -> Vec<Name>,
    graph: Graph,
    activities: Vec<Activity>,
    statements: Vec<Option<NodeId>>,
    branches: Vec<BranchPoint>,
    frames: Vec<Frame>,
    /// The open ends: the nodes that the next node follows.
    ends: Vec<u32>,
    exit: u32,
    /// The labels for a drawing; none if there will be none.
    labels: Option<Labels>,
}

impl Builder<'_> {
    fn edge(&mut self, from: u32, to: u32, kind: EdgeKind) {
        self.graph.add_edge(from, to);
        if let Some(labels) = &mut self.labels {
            labels.edges.insert((from, to, kind));
        }
    }

    /// Notes that a node represents a part of its statement.
    fn place(&mut self, node: u32, span: Span) {
        if let Some(labels) = &mut self.labels {
            labels.places.insert(node, span);
        }
    }

    /// Notes that a node leads to the nodes made since then if its test has this outcome, else to others.
    fn choice(&mut self, node: u32, outcome: bool) {
        let end = u32::try_from(self.graph.len()).unwrap_or(u32::MAX);
        if let Some(labels) = &mut self.labels {
            labels.choices.insert(node, Choice { first: node + 1, end, outcome });
        }
    }

    /// Adds a statement that no analysis is interested in; it has a node only in a drawing.
    fn idle_node(&mut self, statement: NodeId) {
        if self.labels.is_some() {
            self.node(Some(statement));
        }
    }

    /// Adds a node without predecessors, with the activity that the reader has found.
    fn loose_node(&mut self, statement: Option<NodeId>) -> u32 {
        let activity = self.reader.take();
        self.activities.push(activity);
        self.statements.push(statement);
        self.graph.add_node()
    }

    /// Adds a node after the open ends, with the activity that the reader has found, and its exception edge.
    fn node(&mut self, statement: Option<NodeId>) -> u32 {
        let node = self.loose_node(statement);
        self.connect_ends(node);
        self.ends = vec![node];
        if statement.is_some() {
            self.add_exception_edge(node);
        } else if let Some(around) = self.exception_target() {
            // A join cannot raise, so this edge is not drawn.
            self.graph.add_edge(node, around);
        }
        node
    }

    fn add_exception_edge(&mut self, node: u32) {
        if let Some(around) = self.exception_target() {
            self.edge(node, around, EdgeKind::Exception);
        }
    }

    /// The node that handles an exception raised here, if one in the function does.
    fn exception_target(&mut self) -> Option<u32> {
        self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Loop { .. } => None,
            Frame::Guard { dispatch } => Some(*dispatch),
            Frame::Finally { entry, jumps } => {
                if !jumps.contains(&Jump::Raise) {
                    jumps.push(Jump::Raise);
                }
                Some(*entry)
            }
        })
    }

    fn connect_ends(&mut self, node: u32) {
        for end in std::mem::take(&mut self.ends) {
            self.edge(end, node, EdgeKind::Ordinary);
        }
    }

    /// Makes the open ends follow a jump.
    fn jump(&mut self, jump: Jump) {
        let ends = std::mem::take(&mut self.ends);
        let kind = if jump == Jump::Raise { EdgeKind::Exception } else { EdgeKind::Ordinary };
        let mut target = self.exit;
        for frame in self.frames.iter_mut().rev() {
            target = match frame {
                Frame::Loop { breaks, .. } if jump == Jump::Break => {
                    breaks.extend(ends);
                    return;
                }
                Frame::Loop { head, .. } if jump == Jump::Continue => *head,
                Frame::Guard { dispatch } if jump == Jump::Raise => *dispatch,
                Frame::Finally { entry, jumps } => {
                    if !jumps.contains(&jump) {
                        jumps.push(jump);
                    }
                    *entry
                }
                _ => continue,
            };
            break;
        }
        for end in ends {
            self.edge(end, target, kind);
        }
    }

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

    /// Notes the nodes of a statement's blocks, once they are built.
    fn branch(&mut self, statement: NodeId, head: u32, first: u32, is_loop: bool) {
        let end = u32::try_from(self.graph.len()).unwrap_or(u32::MAX);
        let leave = self.node(None);
        self.branches.push(BranchPoint { statement, head, first, end, leave, is_loop });
    }

    fn if_stmt(&mut self, statement: NodeId, test: &Expr, body: &[Stmt], orelse: &[Stmt]) {
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

    fn while_stmt(&mut self, statement: NodeId, test: &Expr, body: &[Stmt], orelse: &[Stmt]) {
        self.reader.visit_expr(test);
        let head = self.node(Some(statement));
        self.guard_reads(statement);
        // A guard that is tested before each iteration may end the loop too.
        let is_endless =
            matches!(test.kind, ExprKind::Constant { kind: ag_syntax::tree::ConstantKind::True, .. })
                && (self.guards)(statement).is_empty();
        self.loop_blocks(statement, head, is_endless, body, orelse);
    }

    fn for_stmt(&mut self, statement: NodeId, head: (&Expr, &Expr), body: &[Stmt], orelse: &[Stmt]) {
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

    fn with_stmt(&mut self, statement: NodeId, items: &[WithItem], body: &[Stmt]) {
        let mut leaves = Vec::new();
        for item in items {
            self.reader.visit_expr(&item.context);
            self.node(Some(statement));
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
    }

    fn match_stmt(&mut self, statement: NodeId, subject: &Expr, cases: &[MatchCase]) {
        self.reader.visit_expr(subject);
        self.node(Some(statement));
        let mut ends = Vec::new();
        for case in cases {
            let mut captures = PatternReader { captures: Vec::new(), values: Vec::new() };
            captures.visit_pattern(&case.pattern);
            for value in captures.values {
                self.reader.visit_expr(value);
            }
            let pattern = self.node(Some(statement));
            self.place(pattern, case.span);
            for name in captures.captures {
                self.reader.bind(name);
            }
            let bind = self.node(Some(statement));
            self.place(bind, case.pattern.span);
            let mut failures = if is_irrefutable(&case.pattern) { Vec::new() } else { vec![pattern] };
            let mut test = None;
            if let Some(guard) = &case.guard {
                self.reader.visit_expr(guard);
                let guarded = self.node(Some(statement));
                self.place(guarded, guard.span);
                failures.push(guarded);
                test = Some(guarded);
            } else if !failures.is_empty() {
                debug_assert_ne!(bind, pattern, "a failed match binds nothing");
            }
            self.body(&case.body);
            if !is_irrefutable(&case.pattern) {
                self.choice(pattern, true);
            }
            if let Some(test) = test {
                self.choice(test, true);
            }
            ends.append(&mut self.ends);
            self.ends = failures;
        }
        self.ends.append(&mut ends);
        self.node(None);
    }

    fn try_stmt(&mut self, statement: NodeId, blocks: &TryBlocks<'_>, finalbody: &[Stmt]) {
        if finalbody.is_empty() {
            self.try_except(statement, blocks);
            return;
        }
        let depth = self.frames.iter().filter(|frame| matches!(frame, Frame::Finally { .. })).count();
        let entry = self.loose_node(None);
        self.frames.push(Frame::Finally { entry, jumps: Vec::new() });
        self.node(None);
        self.try_except(statement, blocks);
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

    /// Makes some nodes follow several jumps; the open ends stay as they are.
    fn jumps(&mut self, from: &[u32], jumps: &[Jump]) {
        let ends = std::mem::take(&mut self.ends);
        for jump in jumps {
            self.ends = from.to_vec();
            self.jump(*jump);
        }
        self.ends = ends;
    }

    fn try_except(&mut self, statement: NodeId, blocks: &TryBlocks<'_>) {
        if blocks.handlers.is_empty() {
            self.body(blocks.body);
            self.body(blocks.orelse);
            return;
        }
        let dispatch = self.loose_node(None);
        self.frames.push(Frame::Guard { dispatch });
        self.node(Some(statement));
        self.body(blocks.body);
        self.frames.pop();
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

/// The blocks of a `try`, without its `finally`.
struct TryBlocks<'a> {
    body: &'a [Stmt],
    handlers: &'a [ExceptHandler],
    orelse: &'a [Stmt],
    is_star: bool,
}

/// Whether a pattern matches everything.
fn is_irrefutable(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::As { pattern: None, .. } => true,
        PatternKind::As { pattern: Some(inner), .. } => is_irrefutable(inner),
        PatternKind::Or(patterns) => patterns.iter().any(is_irrefutable),
        _ => false,
    }
}

/// The names a pattern binds and the expressions it reads.
struct PatternReader<'a> {
    captures: Vec<&'a Name>,
    values: Vec<&'a Expr>,
}

impl<'a> Visitor<'a> for PatternReader<'a> {
    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let PatternKind::Mapping { rest: Some(name), .. }
        | PatternKind::Star(Some(name))
        | PatternKind::As { name: Some(name), .. } = &pattern.kind
        {
            self.captures.push(name);
        }
        walk_pattern(self, pattern);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.values.push(expr);
    }
}
