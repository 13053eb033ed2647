//! What may run twice: blocks whose second run does what the first did, and nothing that others see.
//!
//! What prints, or appends to a log, is left out of the second run. What draws random numbers, takes from an iterator,
//! or writes to what is around, is refused.

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::{Diagnostic, Span};
use ag_syntax::tree::{Expr, ExprKind, Name, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, VisitorMut, mutable, walk_expr, walk_stmt};

use crate::activity::INSERTING;
use crate::aliases::{Aliases, Writes, changed_by_method};
use crate::callee::Callee;
use crate::functions::Definition;
use crate::jumps::may_break;
use crate::kinds::{Kinds, makes_list};
use crate::name_sets::IntoSet;
use crate::normal::{Outcome, refusal};
use crate::program::{Again, Block, Head, Node, Op, bound, each_node};
use crate::sources::Surroundings;
use crate::variables::{bound_in, dotted, read_by, read_in, root_of};

/// Looks at statements that will run twice.
pub(crate) struct Repeated<'r, 's> {
    around: &'s Surroundings<'r>,
    logs: &'s BTreeSet<Name>,
    /// Whether the second run follows at once, with what the first has written.
    is_at_once: bool,
    refused: Option<Diagnostic>,
    /// The functions in it that were looked at, too.
    inside: BTreeSet<Span>,
}

impl<'r, 's> Repeated<'r, 's> {
    pub(crate) fn new(around: &'s Surroundings<'r>, logs: &'s BTreeSet<Name>) -> Self {
        Self { around, logs, is_at_once: false, refused: None, inside: BTreeSet::new() }
    }

    /// Where nothing is restored before the second run.
    pub(crate) fn at_once(self) -> Self {
        Self { is_at_once: true, ..self }
    }

    /// Refuses statements that may do something else when they run again.
    pub(crate) fn require(mut self, body: &[Stmt]) -> Outcome<()> {
        self.visit_body(body);
        self.refused.map_or(Ok(()), Err)
    }

    fn refuse(&mut self, span: Span, what: &str) {
        let message = format!("{what}, in what the backward pass runs again");
        let help = "do it outside of what is checkpointed, and pass on what comes of it";
        self.refused.get_or_insert_with(|| refusal(span, message, help));
    }

    fn called(&mut self, expr: &Expr, func: &Expr) {
        let reason = match (root_of(func), dotted(func), &func.kind) {
            _ if let Some(path) = self.around.method_path(func) => {
                self.around.resolver.changes_when_repeated(&path)
            }
            (Some(root), Some(path), _) if !self.around.is_local(root) => {
                self.around.resolver.changes_when_repeated(&path)
            }
            (_, _, ExprKind::Attribute { attr, .. }) => {
                self.around.resolver.method_changes_when_repeated(attr)
            }
            (_, _, ExprKind::Lambda { .. }) => None,
            _ if let Some(definition) = self.around.functions.definition(func) => {
                return self.called_inside(definition);
            }
            // A parameter for which the callers give a function that is known.
            (_, _, ExprKind::Name { name, .. }) if let Some(path) = self.around.functions.outside(name) => {
                self.around.resolver.changes_when_repeated(&path)
            }
            _ => Some("is called, a function that a variable holds".to_owned()),
        };
        if let Some(reason) = reason {
            let name = dotted(func).unwrap_or_else(|| "this".to_owned());
            self.refuse(expr.span, &format!("`{name}` {reason}"));
        }
    }

    /// A function of the function's own does what its text says.
    fn called_inside(&mut self, definition: &Definition) {
        if self.inside.insert(definition.def.name_span) {
            let mut own = Repeated { refused: None, inside: self.inside.clone(), ..*self };
            own.visit_body(&definition.def.body);
            self.refused = self.refused.take().or(own.refused);
        }
    }

    fn target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => {
                if let Some(root) = root_of(target).filter(|root| !self.around.is_local(root)) {
                    let what = format!("`{root}`, which is not the function's own, is written");
                    self.refuse(target.span, &what);
                }
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                elements.iter().for_each(|element| self.target(element));
            }
            _ => {}
        }
    }
}

impl<'a> Visitor<'a> for Repeated<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Expr(Expr { kind: ExprKind::Call { func, args, keywords }, .. })
                if is_effect(func, self.around, Some(self.logs)) =>
            {
                args.iter().for_each(|arg| self.visit_expr(arg));
                keywords.iter().for_each(|keyword| self.visit_expr(&keyword.value));
                return;
            }
            StmtKind::Assign { targets, .. } => targets.iter().for_each(|target| self.target(target)),
            StmtKind::AugAssign { target, .. }
            | StmtKind::AnnAssign { target, .. }
            | StmtKind::For { target, .. } => self.target(target),
            StmtKind::Delete(targets) => targets.iter().for_each(|target| self.target(target)),
            StmtKind::With { items, body, .. } => {
                let is_injected = items.iter().any(|item| {
                    matches!(&item.context.kind, ExprKind::Call { func, .. }
                        if matches!(self.around.callee(func), Callee::GradOf))
                });
                if is_injected {
                    if may_break(body) {
                        self.refuse(stmt.span, "a `grad_of` block leaves the loop of the backward pass");
                    }
                    return;
                }
                items.iter().for_each(|item| self.visit_expr(&item.context));
                self.visit_body(body);
                return;
            }
            StmtKind::Global(_) | StmtKind::Nonlocal(_) => {
                self.refuse(stmt.span, "a variable around is bound")
            }
            StmtKind::Import(_) | StmtKind::ImportFrom { .. } => {
                self.refuse(stmt.span, "a module is imported")
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Call { func, args, keywords } => {
                self.called(expr, func);
                if let Callee::Function(function) = self.around.called(func, args, keywords) {
                    let (written, taken) = self.around.written_arguments(&function, (func, args, keywords));
                    if self.is_at_once && !(written.is_empty() && taken.is_empty()) {
                        self.refuse(expr.span, "what a call is given is written");
                    }
                    let outside = written.iter().filter_map(|(value, _)| root_of(value));
                    if let Some(name) = outside.into_iter().find(|name| !self.around.is_local(name)).cloned()
                    {
                        let what = format!("`{name}`, which is not the function's own, may be written");
                        self.refuse(expr.span, &what);
                    }
                }
                for keyword in keywords.iter().filter(|keyword| keyword.name.as_deref() == Some("out")) {
                    if root_of(&keyword.value).is_some_and(|root| !self.around.is_local(root)) {
                        self.refuse(expr.span, "an array that is not the function's own is written");
                    }
                }
            }
            ExprKind::Await(_) | ExprKind::Yield(_) | ExprKind::YieldFrom(_) => {
                self.refuse(expr.span, "the function is left");
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// What statements iterate over and do not make: an iterator among it would be empty the second time.
pub(crate) fn iterated(body: &[Stmt], around: &Surroundings<'_>) -> Vec<Expr> {
    let mut found = Iterated { around, bound: bound_in(body), found: Vec::new() };
    found.visit_body(body);
    found.found
}

struct Iterated<'i, 'r> {
    around: &'i Surroundings<'r>,
    bound: Vec<Name>,
    found: Vec<Expr>,
}

impl Iterated<'_, '_> {
    fn add(&mut self, expr: &Expr) {
        let is_path = dotted(expr).is_some() && root_of(expr).is_some_and(|root| !self.bound.contains(root));
        if is_path && !self.found.iter().any(|one| dotted(one) == dotted(expr)) {
            self.found.push(expr.clone());
        }
    }
}

impl<'a> Visitor<'a> for Iterated<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let StmtKind::For { iter, .. } = &stmt.kind {
            self.add(iter);
        }
        walk_stmt(self, stmt);
    }

    fn visit_comprehension(&mut self, comprehension: &'a ag_syntax::tree::Comprehension) {
        self.add(&comprehension.iter);
        ag_syntax::visit::walk_comprehension(self, comprehension);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Call { func, args, keywords } = &expr.kind
            && let Some(path) = dotted(func)
            && root_of(func).is_some_and(|root| !self.around.is_local(root))
            && self.around.resolver.iterates(&path)
        {
            args.iter()
                .chain(keywords.iter().map(|keyword| &keyword.value))
                .for_each(|given| self.add(given));
        }
        walk_expr(self, expr);
    }
}

/// Whether a statement that calls this has an effect alone: `print(…)`, or `log.append(…)` of a list from outside.
fn is_effect(func: &Expr, around: &Surroundings<'_>, logs: Option<&BTreeSet<Name>>) -> bool {
    match &func.kind {
        ExprKind::Name { name, .. } => &**name == "print" && !around.is_local(name),
        ExprKind::Attribute { value, attr, .. } => {
            INSERTING.contains(&&**attr)
                && matches!(&value.kind, ExprKind::Name { name, .. }
                    if !around.is_local(name) && logs.is_none_or(|logs| logs.contains(name)))
        }
        _ => false,
    }
}

/// Leaves out the statements that have an effect alone, and those that fill these lists.
pub(crate) fn without_effects(body: &mut Vec<Stmt>, around: &Surroundings<'_>, filled: &BTreeSet<Name>) {
    struct Quiet<'q, 'r>(&'q Surroundings<'r>, &'q BTreeSet<Name>);
    impl VisitorMut for Quiet<'_, '_> {
        fn visit_body(&mut self, body: &mut Vec<Stmt>) {
            mutable::walk_body(self, body);
            body.retain(|stmt| match &stmt.kind {
                _ if filling(stmt).is_some_and(|(list, _)| self.1.contains(list)) => false,
                StmtKind::Expr(Expr { kind: ExprKind::Call { func, .. }, .. }) => {
                    !is_effect(func, self.0, None)
                }
                // Their heads are computed again, which does nothing: an empty loop is run for its variables.
                StmtKind::If { body, orelse, .. } => !(body.is_empty() && orelse.is_empty()),
                _ => true,
            });
        }
        fn visit_stmt(&mut self, stmt: &mut Stmt) {
            ag_syntax::visit::mutable::walk_stmt(self, stmt);
            let nothing = Stmt { kind: StmtKind::Pass, ..stmt.clone() };
            // `finally: log.append(x)`
            if let StmtKind::Try { handlers, finalbody, .. } = &mut stmt.kind
                && handlers.is_empty()
                && finalbody.is_empty()
            {
                finalbody.push(nothing);
            }
            if let StmtKind::If { test, body, orelse } = &mut stmt.kind
                && body.is_empty()
                && !orelse.is_empty()
            {
                let operand = Box::new(test.clone());
                test.kind = ExprKind::Unary { op: ag_syntax::tree::UnaryOp::Not, operand };
                *body = std::mem::take(orelse);
            }
        }
    }
    Quiet(around, filled).visit_body(body);
}

/// Notes the variables of whose arrays a block that runs again begins with a copy.
///
/// # Arguments
///
/// * `arrays`, `holders`: those that may hold arrays that are written, and those of which items are bound anew.
pub(crate) fn note_written(block: &mut Block, arrays: &BTreeSet<Name>, holders: &BTreeSet<Name>) {
    for node in block {
        if let Node::Again(again) = node {
            again.written = arrays.union(holders).cloned().into_set();
            again.holders.clone_from(holders);
            again.filled = only_filled(&again.block);
        }
        node.blocks_mut().into_iter().for_each(|inner| note_written(inner, arrays, holders));
    }
}

/// The lists from outside of a block to which it appends, and which it does not read.
fn only_filled(block: &Block) -> BTreeSet<Name> {
    let (mut filled, mut others) = (BTreeSet::new(), bound(block));
    each_node(block, &mut |node| {
        let stmt = match node {
            Node::Plain { stmt, .. } | Node::Op(Op { forward: stmt, .. }) => stmt,
            Node::If(choice) => return others.extend(read_in(&choice.test)),
            Node::Loop(looped) => match &looped.head {
                Head::While(head) | Head::For { iter: head, .. } => return others.extend(read_in(head)),
            },
            Node::Injected { body, .. } => return others.extend(body.iter().flat_map(read_by)),
            _ => return,
        };
        match filling(stmt) {
            Some((list, args)) => {
                filled.insert(list.clone());
                others.extend(args.iter().flat_map(read_in));
            }
            None => others.extend(read_by(stmt)),
        }
    });
    filled.retain(|name| !others.contains(name));
    filled
}

/// The list and the arguments of `list.append(value)`.
fn filling(stmt: &Stmt) -> Option<(&Name, &[Expr])> {
    let StmtKind::Expr(Expr { kind: ExprKind::Call { func, args, .. }, .. }) = &stmt.kind else {
        return None;
    };
    let ExprKind::Attribute { value, attr, .. } = &func.kind else { return None };
    match &value.kind {
        ExprKind::Name { name, .. } if &**attr == "append" => Some((name, args)),
        _ => None,
    }
}

/// Notes what a block that runs again begins with copies of, for the second run to do as the first did.
///
/// Where it writes into an array or a list of those around it, it begins both times with that as it was. It is a copy,
/// which no other name that the block begins with may stand for.
pub(crate) fn note_own_copies(
    block: &mut Block,
    aliases: &Aliases,
    kinds: &Kinds,
    around: &Surroundings<'_>,
) {
    for node in block {
        if let Node::Again(again) = node {
            own_copies(again, aliases, kinds, around);
        }
        for inner in node.blocks_mut() {
            note_own_copies(inner, aliases, kinds, around);
        }
    }
}

fn own_copies(again: &mut Again, aliases: &Aliases, kinds: &Kinds, around: &Surroundings<'_>) {
    let arrays: BTreeSet<Name> = again.written.difference(&again.holders).cloned().into_set();
    for (name, is_list) in writes_of(&again.block, around) {
        // What fills a list of its own writes into nothing else.
        if again.filled.contains(&name) || (!again.reads.contains(&name) && is_own_list(&again.block, &name))
        {
            continue;
        }
        let shared = again.reads.iter().filter(|one| aliases.may_share(one, &name));
        // Which of them have objects in common is asked where the block begins: each has a copy of its own.
        let shared: Vec<Name> = shared.cloned().collect();
        if !arrays.contains(&name) && (is_list || again.holders.contains(&name)) {
            // What a list holds, its methods do not write.
            let others: BTreeSet<Name> =
                shared.iter().filter(|one| !arrays.contains(*one)).cloned().into_set();
            again.written.extend(others.iter().cloned());
            again.holders.extend(others);
            let objects = shared.into_iter().filter(|one| !kinds.is_numeric(one)).collect();
            note_apart(&mut again.apart, objects);
            continue;
        }
        again.written.extend(shared.iter().cloned());
        note_apart(&mut again.parts_apart, shared);
    }
}

/// Each of some names, and those after it.
fn note_apart(apart: &mut BTreeMap<Name, BTreeSet<Name>>, names: Vec<Name>) {
    for (index, name) in names.iter().enumerate().take(names.len().saturating_sub(1)) {
        apart.entry(name.clone()).or_default().extend(names[index + 1..].iter().cloned());
    }
}

/// Whether a variable is a list that the block has made, wherever it binds it.
fn is_own_list(block: &Block, name: &Name) -> bool {
    let (mut made, mut others) = (false, false);
    each_node(block, &mut |node| {
        if node.binds().contains(name) {
            let is_made = matches!(node, Node::Op(op) if makes_list(op));
            made |= is_made;
            others |= !is_made;
        }
    });
    made && !others
}

/// The variables into whose objects a block writes, and whether by a method of lists.
fn writes_of(block: &Block, around: &Surroundings<'_>) -> Vec<(Name, bool)> {
    let mut found = Vec::new();
    each_node(block, &mut |node| match node {
        Node::Op(op) => {
            let named = op.back.before.iter().chain(&op.back.after);
            let visit = |changes: &mut Changes<'_, '_>| {
                changes.visit_stmt(&op.forward);
                named.for_each(|(_, value)| changes.visit_expr(value));
            };
            found.extend(Changes::of(visit, around));
            found.extend(op.writes().map(|name| (name.clone(), false)));
        }
        Node::Plain { stmt, .. } => {
            let mut writes = Writes::new(around);
            writes.visit_stmt(stmt);
            let local = writes.found.into_iter().filter(|name| around.is_local(name));
            found.extend(Changes::of(|changes| changes.visit_stmt(stmt), around));
            found.extend(local.map(|name| (name, false)));
        }
        Node::If(choice) => {
            found.extend(Changes::of(|changes| changes.visit_expr(&choice.test), around));
        }
        Node::Loop(looped) => match &looped.head {
            Head::While(head) | Head::For { iter: head, .. } => {
                found.extend(Changes::of(|changes| changes.visit_expr(head), around));
            }
        },
        _ => {}
    });
    found
}

/// The variables whose methods change them: `xs.append(x)`.
struct Changes<'w, 'r> {
    around: &'w Surroundings<'r>,
    found: Vec<Name>,
}

impl<'w, 'r> Changes<'w, 'r> {
    fn of(visit: impl FnOnce(&mut Self), around: &'w Surroundings<'r>) -> Vec<(Name, bool)> {
        let mut changes = Self { around, found: Vec::new() };
        visit(&mut changes);
        let local = changes.found.into_iter().filter(|name| around.is_local(name));
        local.map(|name| (name, true)).collect()
    }
}

impl<'a> Visitor<'a> for Changes<'_, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Call { func, .. } = &expr.kind
            && let Some((value, _)) = changed_by_method(func, self.around)
        {
            self.found.extend(root_of(value).cloned());
        }
        walk_expr(self, expr);
    }
}
