//! Copies go: `bz = by; bx = bz * 2` is `bx = by * 2`.

use std::collections::BTreeMap;

use ag_syntax::tree::{Context, Expr, ExprKind, Name, NameMap, NodeId, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, VisitorMut, walk_expr, walk_stmt};

use crate::variables::bound_by;

/// Replaces names that are bound once, to another name, where they are read before that one is bound anew.
///
/// # Arguments
///
/// * `made`: the names that the transformation has made; those of the user stay.
/// * `comments`: comments above statements, which stay in their places.
pub(crate) fn remove_copies(
    body: &mut Vec<Stmt>,
    made: &dyn Fn(&Name) -> bool,
    comments: &mut BTreeMap<NodeId, String>,
) {
    let mut counts = Counts::default();
    counts.visit_body(body);
    block(body, made, &counts, comments);
}

/// How often each name is read and bound.
#[derive(Default)]
struct Counts {
    read: NameMap<usize>,
    bound: NameMap<usize>,
}

impl<'a> Visitor<'a> for Counts {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        // What is written into is not a mere reading.
        if let StmtKind::AugAssign { target, .. } = &stmt.kind
            && let Some(name) = crate::variables::root_of(target)
        {
            *self.bound.entry(name.clone()).or_default() += 2;
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name { name, context: Context::Load } => {
                *self.read.entry(name.clone()).or_default() += 1
            }
            ExprKind::Name { name, .. } => *self.bound.entry(name.clone()).or_default() += 1,
            ExprKind::Subscript { value, context: Context::Store | Context::Del, .. } => {
                if let Some(name) = crate::variables::root_of(value) {
                    *self.bound.entry(name.clone()).or_default() += 2;
                }
            }
            // A method or a helper may write to it.
            ExprKind::Call { func, args, .. } => {
                let is_writer = match &func.kind {
                    ExprKind::Attribute { attr, .. } => {
                        matches!(&**attr, "append" | "pop" | "add_at" | "add_item" | "take")
                    }
                    _ => false,
                };
                if is_writer {
                    let written = args.iter().chain([&**func]).filter_map(crate::variables::root_of);
                    for name in written {
                        *self.bound.entry(name.clone()).or_default() += 2;
                    }
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

fn block(
    body: &mut Vec<Stmt>,
    made: &dyn Fn(&Name) -> bool,
    counts: &Counts,
    comments: &mut BTreeMap<NodeId, String>,
) {
    for stmt in body.iter_mut() {
        match &mut stmt.kind {
            StmtKind::If { body, orelse, .. } => {
                block(body, made, counts, comments);
                block(orelse, made, counts, comments);
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::With { body, .. } => {
                block(body, made, counts, comments);
            }
            StmtKind::Try { body, finalbody, .. } => {
                block(body, made, counts, comments);
                block(finalbody, made, counts, comments);
            }
            _ => {}
        }
    }
    join_targets(body, made, counts);
    let mut stays = vec![true; body.len()];
    for index in 0..body.len() {
        let copy = copied(&body[index]).filter(|(name, _)| made(name) && counts.bound.get(name) == Some(&1));
        if let Some((name, source)) = copy
            && replace(&mut body[index + 1..], &name, &source, counts.read.get(&name).copied().unwrap_or(0))
        {
            stays[index] = false;
            if let (Some(comment), Some(next)) = (comments.remove(&body[index].id), body.get(index + 1)) {
                comments.entry(next.id).or_insert(comment);
            }
        }
    }
    let mut stays = stays.into_iter();
    body.retain(|_| stays.next().unwrap_or(true));
}

/// `a_part, b_part = f(x); a = a_part; b = b_part` is `a, b = f(x)`.
fn join_targets(body: &mut Vec<Stmt>, made: &dyn Fn(&Name) -> bool, counts: &Counts) {
    let mut index = 0;
    while index < body.len() {
        join_nested(body, index, made, counts);
        let mut end = index + 1;
        let mut renamed = Vec::new();
        for part in parts_of(&body[index]) {
            let is_single = counts.bound.get(&part) == Some(&1) && counts.read.get(&part) == Some(&1);
            match body.get(end).and_then(copied) {
                Some((name, source)) if source == part && is_single && made(&part) => {
                    renamed.push((part, name));
                    end += 1;
                }
                _ => break,
            }
        }
        if let StmtKind::Assign { targets, .. } = &mut body[index].kind {
            for (part, name) in &renamed {
                targets.iter_mut().for_each(|target| Renamed { name: part, source: name }.visit_expr(target));
            }
        }
        body.drain(index + 1..end);
        index += 1;
    }
}

/// `both, saved = f(x); y, z = both` is `(y, z), saved = f(x)`.
fn join_nested(body: &mut Vec<Stmt>, index: usize, made: &dyn Fn(&Name) -> bool, counts: &Counts) {
    let is_single = |name: &Name| counts.bound.get(name) == Some(&1) && counts.read.get(name) == Some(&1);
    let Some(Stmt { kind: StmtKind::Assign { targets, value }, .. }) = body.get(index + 1) else { return };
    let ([Expr { kind: ExprKind::Tuple { elements, .. }, .. }], ExprKind::Name { name, .. }) =
        (targets.as_slice(), &value.kind)
    else {
        return;
    };
    let is_plain = elements.iter().all(|one| matches!(one.kind, ExprKind::Name { .. }));
    if !(is_plain && made(name) && is_single(name) && parts_of(&body[index]).contains(name)) {
        return;
    }
    let (name, inner) = (name.clone(), targets[0].clone());
    if let StmtKind::Assign { targets, .. } = &mut body[index].kind
        && let [Expr { kind: ExprKind::Tuple { elements, .. }, .. }] = targets.as_mut_slice()
    {
        let is_it = |one: &&mut Expr| matches!(&one.kind, ExprKind::Name { name: part, .. } if *part == name);
        if let Some(part) = elements.iter_mut().find(is_it) {
            *part = inner;
            body.remove(index + 1);
        }
    }
}

/// The names of a tuple that a statement assigns to.
fn parts_of(stmt: &Stmt) -> Vec<Name> {
    let StmtKind::Assign { targets, .. } = &stmt.kind else { return Vec::new() };
    let [Expr { kind: ExprKind::Tuple { elements, .. }, .. }] = targets.as_slice() else { return Vec::new() };
    elements.iter().filter_map(crate::variables::root_of).cloned().collect()
}

/// The names of `name = source`.
fn copied(stmt: &Stmt) -> Option<(Name, Name)> {
    let StmtKind::Assign { targets, value } = &stmt.kind else { return None };
    match (targets.as_slice(), &value.kind) {
        ([Expr { kind: ExprKind::Name { name, .. }, .. }], ExprKind::Name { name: source, .. }) => {
            Some((name.clone(), source.clone()))
        }
        _ => None,
    }
}

/// Replaces all readings of a name, if they come before its source is bound anew.
fn replace(rest: &mut [Stmt], name: &Name, source: &Name, reads: usize) -> bool {
    let mut found = 0;
    let mut last = 0;
    for (index, stmt) in rest.iter().enumerate() {
        if found == reads {
            break;
        }
        let mut readings = Readings { name, source, count: 0, is_written: false };
        readings.visit_stmt(stmt);
        found += readings.count;
        if readings.count > 0 {
            last = index + 1;
        }
        if bound_by(stmt).contains(source) || readings.is_written {
            // The value of an assignment is read before its target is bound.
            let is_simple = matches!(stmt.kind, StmtKind::Assign { .. }) && !readings.is_written;
            if readings.count > 0 && !is_simple {
                return false;
            }
            break;
        }
    }
    if found != reads || reads == 0 {
        return false;
    }
    let mut renamed = Renamed { name, source };
    rest[..last].iter_mut().for_each(|stmt| renamed.visit_stmt(stmt));
    true
}

/// How often a statement reads a name, and whether it writes into its source.
struct Readings<'n> {
    name: &'n Name,
    source: &'n Name,
    count: usize,
    is_written: bool,
}

impl<'a> Visitor<'a> for Readings<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let StmtKind::AugAssign { target, .. } = &stmt.kind
            && crate::variables::root_of(target) == Some(self.source)
        {
            self.is_written = true;
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name { name, context: Context::Load } if name == self.name => self.count += 1,
            ExprKind::Subscript { value, context: Context::Store | Context::Del, .. } => {
                self.is_written |= crate::variables::root_of(value) == Some(self.source);
            }
            ExprKind::Call { func, args, .. } => {
                let roots = || args.iter().chain([&**func]).filter_map(crate::variables::root_of);
                let is_writer = matches!(&func.kind, ExprKind::Attribute { attr, .. }
                    if matches!(&**attr, "append" | "pop" | "add_at" | "add_item" | "take"));
                self.is_written |= is_writer && roots().any(|name| name == self.source);
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

struct Renamed<'n> {
    name: &'n Name,
    source: &'n Name,
}

impl VisitorMut for Renamed<'_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Name { name, .. } = &mut expr.kind
            && name == self.name
        {
            *name = self.source.clone();
        }
        ag_syntax::visit::mutable::walk_expr(self, expr);
    }
}
