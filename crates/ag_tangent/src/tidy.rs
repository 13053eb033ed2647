//! Tidy-up: what a reader would not have written goes away.
//!
//! * assignments whose value nothing reads, where computing it has no effect: `xs.pop()` stays without its name;
//! * names that are read once, in the next statement.

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::{
    Context, Expr, ExprKind, FunctionDef, Keyword, Name, NameMap, NodeId, Param, Stmt, StmtKind,
};
use ag_syntax::visit::{Visitor, VisitorMut, walk_expr, walk_stmt};

use crate::callee::Callee;
use crate::each::each_inner;
use crate::flatten::is_literal;
use crate::persistent::Set;
use crate::sources::Surroundings;
use crate::variables::{read_by, read_in};

/// Removes assignments to variables that nothing reads; the comment of one goes to the next statement that stays.
pub(crate) fn remove_dead(
    body: &mut Vec<Stmt>,
    around: &Surroundings<'_>,
    comments: &mut BTreeMap<NodeId, String>,
) {
    remove_dead_before(body, around, Set::new(), comments);
}

/// The same, where variables are read after the statements.
pub(crate) fn remove_dead_before(
    body: &mut Vec<Stmt>,
    around: &Surroundings<'_>,
    live: Set<Name>,
    comments: &mut BTreeMap<NodeId, String>,
) {
    loop {
        let mut sweep = Sweep {
            around,
            live: live.clone(),
            closed: read_by_functions(body),
            finals: Vec::new(),
            lost: Lost::default(),
            loops: Vec::new(),
            heads: BTreeMap::new(),
            met: 0,
            comments: Some(comments),
            removes: true,
        };
        sweep.block(body);
        // What a function reads that has gone, nothing may read.
        if sweep.closed.is_empty() || sweep.closed == read_by_functions(body) {
            return;
        }
    }
}

/// The names that functions in statements read: when, is not known.
pub(crate) fn read_by_functions(body: &[Stmt]) -> BTreeSet<Name> {
    struct Functions(BTreeSet<Name>);
    impl<'a> Visitor<'a> for Functions {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match &stmt.kind {
                // One that calls itself only is not read.
                StmtKind::FunctionDef(def) => {
                    let read = def.body.iter().flat_map(read_by);
                    self.0.extend(read.filter(|name| *name != def.name));
                }
                StmtKind::ClassDef(_) => self.0.extend(read_by(stmt)),
                _ => walk_stmt(self, stmt),
            }
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            match &expr.kind {
                ExprKind::Lambda { body, .. } => self.0.extend(read_in(body)),
                ExprKind::Generator { .. } => self.0.extend(read_in(expr)),
                _ => walk_expr(self, expr),
            }
        }
    }
    let mut functions = Functions(BTreeSet::new());
    functions.visit_body(body);
    functions.0
}

/// The variables that are read in statements before they are bound there, where `live` are read after them.
///
/// # Arguments
///
/// * `is_tidied`: whether the statements are without those whose value nothing reads.
pub(crate) fn live_before(
    body: &[Stmt],
    around: &Surroundings<'_>,
    live: Set<Name>,
    is_tidied: bool,
) -> Set<Name> {
    let mut sweep = Sweep {
        around,
        live,
        closed: read_by_functions(body),
        finals: Vec::new(),
        lost: Lost::default(),
        loops: Vec::new(),
        heads: BTreeMap::new(),
        met: 0,
        comments: None,
        removes: is_tidied,
    };
    sweep.block(&mut body.to_vec());
    sweep.live
}

struct Sweep<'s, 'r> {
    comments: Option<&'s mut BTreeMap<NodeId, String>>,
    around: &'s Surroundings<'r>,
    /// Whether statements go whose value nothing reads.
    removes: bool,
    /// The variables that are read later.
    live: Set<Name>,
    /// The variables that functions read.
    closed: BTreeSet<Name>,
    /// For each `finally` around, what it and those around it read: a statement in its `try` may go there.
    finals: Vec<Set<Name>>,
    /// In a `try`: what of that may be missing in `live` since the last statement.
    lost: Lost,
    /// For each loop around: what is live where `break` goes, and where `continue` goes.
    loops: Vec<(Set<Name>, Set<Name>)>,
    /// By the number of a loop, what is live where its iterations begin, as far as it is known: a loop in a loop is met
    /// again.
    heads: BTreeMap<usize, Set<Name>>,
    /// How many loops were met; those that are met again count as before.
    met: usize,
}

/// What the names that are live may have lost.
#[derive(Default)]
struct Lost {
    names: Vec<Name>,
    /// Whether it may be any name.
    all: bool,
}

impl Sweep<'_, '_> {
    fn block(&mut self, body: &mut Vec<Stmt>) {
        let mut kept = Vec::with_capacity(body.len());
        for mut stmt in std::mem::take(body).into_iter().rev() {
            self.keep_finals();
            if self.stmt(&mut stmt) {
                kept.push(stmt);
            } else if let (Some(comments), Some(next)) = (&mut self.comments, kept.last())
                && let Some(comment) = comments.remove(&stmt.id)
            {
                comments.entry(next.id).or_insert(comment);
            }
        }
        kept.reverse();
        *body = kept;
    }

    /// What a `finally` around reads is live before and after each statement of its `try`.
    fn keep_finals(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        let Some(finals) = self.finals.last() else { return };
        if lost.all {
            self.live.add_all(finals);
        } else {
            self.live.extend(lost.names.into_iter().filter(|name| finals.contains(name)));
        }
    }

    /// A name is bound: its value before is not read.
    fn kill(&mut self, name: &Name) {
        if self.live.remove(name) && !self.finals.is_empty() {
            self.lost.names.push(name.clone());
        }
    }

    /// The statements after this one are not those that follow it in the text.
    fn leave(&mut self, live: Set<Name>) {
        self.live = live;
        self.lost.all = true;
    }

    /// Whether a statement stays.
    fn stmt(&mut self, stmt: &mut Stmt) -> bool {
        match &mut stmt.kind {
            StmtKind::Assign { targets, value } => {
                let names: Vec<Name> = targets.iter().flat_map(names_in).collect();
                let is_plain = targets.iter().all(is_plain_target);
                if self.removes
                    && is_plain
                    && !names.iter().any(|name| self.is_live(name))
                    && self.is_pure(value)
                {
                    return false;
                }
                let is_read = !is_plain || names.iter().any(|name| self.is_live(name));
                if self.removes && !is_read && pops(value) {
                    self.live.extend(read_in(value));
                    if let StmtKind::Assign { value, .. } = std::mem::replace(&mut stmt.kind, StmtKind::Pass)
                    {
                        stmt.kind = StmtKind::Expr(value);
                    }
                    return true;
                }
                if is_plain {
                    names.iter().for_each(|name| self.kill(name));
                } else {
                    self.live.extend(targets.iter().flat_map(read_in));
                    self.live.extend(targets.iter().filter_map(crate::variables::root_of).cloned());
                }
                self.live.extend(read_in(value));
            }
            StmtKind::AugAssign { target, value, .. } => {
                if let ExprKind::Name { name, .. } = &target.kind
                    && self.removes
                    && !self.is_live(name)
                    && self.is_count(target, value)
                {
                    return false;
                }
                self.live.extend(read_in(value));
                self.live.extend(read_in(target));
                self.live.extend(crate::variables::root_of(target).cloned());
            }
            StmtKind::Expr(value) => {
                if let Some(list) = appended_list(value)
                    && self.removes
                    && is_stack(list)
                    && !self.live.contains(list)
                {
                    return false;
                }
                self.live.extend(read_in(value));
            }
            StmtKind::FunctionDef(def)
                if self.removes && !self.is_live(&def.name) && is_mere_definition(def) =>
            {
                return false;
            }
            StmtKind::If { test, body, orelse } => {
                let after = self.live.clone();
                self.block(body);
                let then = std::mem::replace(&mut self.live, after);
                self.block(orelse);
                self.live.add_all(&then);
                if self.removes && body.is_empty() && orelse.is_empty() && self.is_pure(test) {
                    return false;
                }
                self.live.extend(read_in(test));
            }
            StmtKind::For { .. } | StmtKind::While { .. } => return self.looped(stmt),
            StmtKind::With { items, body, .. } => {
                self.block(body);
                for item in items {
                    self.live.extend(read_in(&item.context));
                }
            }
            StmtKind::Try { body, handlers, orelse, finalbody, .. }
                if handlers.is_empty() && orelse.is_empty() =>
            {
                // What stands in it stays: where an exception leaves it is not looked at.
                let removes = std::mem::replace(&mut self.removes, false);
                self.block(finalbody);
                self.keep_finals();
                self.finals.push(self.live.clone());
                self.block(body);
                self.finals.pop();
                self.removes = removes;
            }
            StmtKind::Break => {
                if let Some((after, _)) = self.loops.last() {
                    self.leave(after.clone());
                }
            }
            StmtKind::Continue => {
                if let Some((_, head)) = self.loops.last() {
                    self.leave(head.clone());
                }
            }
            StmtKind::Return(value) => {
                self.leave(value.iter().flat_map(read_in).collect());
            }
            _ => {
                // Whatever a statement binds, a path may go around it.
                self.live.extend(read_by(stmt));
            }
        }
        true
    }

    fn is_live(&self, name: &Name) -> bool {
        self.live.contains(name) || self.closed.contains(name)
    }

    fn looped(&mut self, stmt: &mut Stmt) -> bool {
        let after = self.live.clone();
        let head_reads = match &stmt.kind {
            StmtKind::For { iter: head, .. } | StmtKind::While { test: head, .. } => read_in(head),
            _ => Vec::new(),
        };
        let targets: Vec<Name> = match &stmt.kind {
            StmtKind::For { target, .. } => names_in(target),
            _ => Vec::new(),
        };
        let mut head = after.clone();
        head.extend(head_reads.iter().cloned());
        self.met += 1;
        let number = self.met;
        if let Some(known) = self.heads.get(&number) {
            head.add_all(known);
        }
        let (StmtKind::For { body, .. } | StmtKind::While { body, .. }) = &mut stmt.kind else { return true };
        // What the start of an iteration needs, its end has to leave.
        loop {
            let mut trial = body.clone();
            self.met = number;
            self.live.clone_from(&head);
            self.loops.push((after.clone(), head.clone()));
            self.block(&mut trial);
            self.loops.pop();
            let mut next = head.clone();
            let mut first = self.live.clone();
            targets.iter().filter(|name| !head.contains(name)).for_each(|name| {
                first.remove(name);
            });
            next.add_all(&first);
            if next == head {
                *body = trial;
                break;
            }
            head = next;
        }
        self.heads.insert(number, head.clone());
        self.drop_index(stmt, &after);
        self.live.add_all(&after);
        self.live.extend(head_reads);
        targets.iter().for_each(|name| self.kill(name));
        self.live.add_all(&head);
        true
    }

    /// `for i, x in enumerate(xs)`, where nothing reads `i`, is `for x in xs`.
    fn drop_index(&self, stmt: &mut Stmt, after: &Set<Name>) {
        if let StmtKind::For { target, iter, .. } = &mut stmt.kind
            && let ExprKind::Tuple { elements, .. } = &target.kind
            && let [Expr { kind: ExprKind::Name { name: index, .. }, .. }, item] = elements.as_slice()
            && let ExprKind::Call { func, args, keywords } = &iter.kind
            && let ([values], true) = (args.as_slice(), keywords.is_empty())
            && matches!(&func.kind, ExprKind::Name { name, .. } if &**name == "enumerate" && !self.around.is_local(name))
            && !matches!(values.kind, ExprKind::Starred { .. })
            && self.removes
            && !(self.is_live(index) || after.contains(index))
        {
            (**target, *iter) = (item.clone(), values.clone());
        }
    }

    /// `steps += 1` of numbers that nothing reads.
    fn is_count(&self, target: &Expr, value: &Expr) -> bool {
        matches!(&target.kind, ExprKind::Name { name, .. } if name.starts_with("steps"))
            && self.is_pure(value)
    }

    /// Whether computing a value has no effect.
    fn is_pure(&self, value: &Expr) -> bool {
        let mut search = Effects { around: self.around, found: false };
        search.visit_expr(value);
        !search.found
    }
}

/// Whether a definition does nothing but bind its name.
fn is_mere_definition(def: &FunctionDef) -> bool {
    def.decorators.is_empty()
        && def.params.iter().all(|param| param.annotation.is_none() && !computes_default(param))
}

fn computes_default(param: &Param) -> bool {
    let is_simple = |default: &Expr| is_literal(default) || matches!(default.kind, ExprKind::Name { .. });
    param.default.as_ref().is_some_and(|default| !is_simple(default))
}

/// Finds what may have an effect.
struct Effects<'e, 'r> {
    around: &'e Surroundings<'r>,
    found: bool,
}

impl<'a> Visitor<'a> for Effects<'_, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Call { func, keywords, .. } => {
                let is_helper = crate::variables::dotted(func).is_some_and(|path| {
                    path.starts_with("tangent.")
                        && !matches!(&*path, "tangent.take" | "tangent.add_at" | "tangent.add_item")
                });
                let is_pop = matches!(&func.kind, ExprKind::Attribute { value, attr, .. }
                    if &**attr == "pop" && crate::variables::dotted(value).is_some_and(|name| is_stack(&name)));
                let has_rule = matches!(self.around.callee(func), Callee::Primitive { .. });
                let is_slice = matches!(&func.kind, ExprKind::Name { name, .. } if &**name == "slice");
                // A key may do anything.
                let option = |keyword: &Keyword| matches!(keyword.name.as_deref(), Some("out" | "key"));
                let writes = keywords.iter().any(option);
                self.found |= writes || !(is_helper || is_pop || is_slice || has_rule);
            }
            // Its body runs when it is called.
            ExprKind::Lambda { .. } => return,
            ExprKind::Named { .. } | ExprKind::Await(_) | ExprKind::Yield(_) | ExprKind::YieldFrom(_) => {
                self.found = true;
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// Whether a name is that of a list that the forward pass fills for the backward pass.
fn is_stack(name: &str) -> bool {
    name.contains("_values") || name.contains("_starts")
}

/// Whether a value is an item that `list.pop()` takes out: nothing has to read it.
fn pops(value: &Expr) -> bool {
    let ExprKind::Call { func, .. } = &value.kind else { return false };
    matches!(&func.kind, ExprKind::Attribute { value, attr, .. }
        if &**attr == "pop" && matches!(value.kind, ExprKind::Name { .. }))
}

/// The list of `list.append(value)`.
fn appended_list(value: &Expr) -> Option<&Name> {
    let ExprKind::Call { func, .. } = &value.kind else { return None };
    let ExprKind::Attribute { value, attr, .. } = &func.kind else { return None };
    match &value.kind {
        ExprKind::Name { name, .. } if &**attr == "append" => Some(name),
        _ => None,
    }
}

fn is_plain_target(target: &Expr) -> bool {
    match &target.kind {
        ExprKind::Name { .. } => true,
        ExprKind::Tuple { elements, .. } => elements.iter().all(is_plain_target),
        _ => false,
    }
}

fn names_in(target: &Expr) -> Vec<Name> {
    match &target.kind {
        ExprKind::Name { name, .. } => vec![name.clone()],
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
            elements.iter().flat_map(names_in).collect()
        }
        ExprKind::Starred { value, .. } => names_in(value),
        _ => Vec::new(),
    }
}

/// Puts values into the next statement, where their names are read once and there only.
///
/// # Arguments
///
/// * `made`: the names that the transformation has made; those of the user stay.
/// * `comments`: comments above statements, which move with them.
pub(crate) fn inline(
    body: &mut Vec<Stmt>,
    made: &dyn Fn(&Name) -> bool,
    comments: &mut BTreeMap<NodeId, String>,
) {
    let mut uses = Uses::default();
    uses.visit_body(body);
    let mut inliner = Inliner { made, uses, comments };
    inliner.block(body);
}

/// How many names, literals and operators a line may have: about what a person writes in one.
const LARGEST: usize = 24;

/// How many of these a statement has with a value put into it.
fn size(stmt: &Stmt, value: &Expr) -> usize {
    let mut size = 0;
    let mut count = |expr: &Expr| {
        each_inner(expr, &mut |_| {
            size += 1;
            true
        });
    };
    count(value);
    match &stmt.kind {
        StmtKind::Assign { value, .. }
        | StmtKind::AugAssign { value, .. }
        | StmtKind::Expr(value)
        | StmtKind::Return(Some(value)) => count(value),
        _ => {}
    }
    size
}

/// How often each name is read and bound.
#[derive(Default)]
struct Uses {
    read: NameMap<usize>,
    bound: NameMap<usize>,
}

impl<'a> Visitor<'a> for Uses {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let StmtKind::AugAssign { target, .. } = &stmt.kind
            && let ExprKind::Name { name, .. } = &target.kind
        {
            *self.read.entry(name.clone()).or_default() += 1;
        }
        ag_syntax::visit::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Name { name, context } = &expr.kind {
            let counts = if *context == Context::Load { &mut self.read } else { &mut self.bound };
            *counts.entry(name.clone()).or_default() += 1;
        }
        walk_expr(self, expr);
    }
}

struct Inliner<'i> {
    made: &'i dyn Fn(&Name) -> bool,
    uses: Uses,
    comments: &'i mut BTreeMap<NodeId, String>,
}

impl Inliner<'_> {
    fn block(&mut self, body: &mut Vec<Stmt>) {
        let mut made: Vec<Stmt> = Vec::new();
        for mut stmt in std::mem::take(body) {
            match &mut stmt.kind {
                StmtKind::If { body, orelse, .. } => {
                    self.block(body);
                    self.block(orelse);
                }
                StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::With { body, .. } => {
                    self.block(body)
                }
                StmtKind::Try { body, finalbody, .. } => {
                    self.block(body);
                    self.block(finalbody);
                }
                _ => {}
            }
            while let Some(previous) = made.pop_if(|previous| self.may_go(previous, &mut stmt)) {
                let id = previous.id;
                put_into(&mut stmt, previous);
                if let Some(comment) = self.comments.remove(&id) {
                    self.comments.insert(stmt.id, comment);
                }
            }
            made.push(stmt);
        }
        *body = made;
    }

    /// Whether a statement is an assignment whose value may stand in the next one.
    fn may_go(&self, stmt: &Stmt, next: &mut Stmt) -> bool {
        let StmtKind::Assign { targets, value } = &stmt.kind else { return false };
        let [Expr { kind: ExprKind::Name { name, .. }, .. }] = targets.as_slice() else { return false };
        let once = |counts: &NameMap<usize>| counts.get(name) == Some(&1);
        if !((self.made)(name) && once(&self.uses.read) && once(&self.uses.bound)) {
            return false;
        }
        // What a pass has taken out, and keeps, is explained by its name.
        if matches!(&next.kind, StmtKind::Return(Some(given)) if matches!(given.kind, ExprKind::Tuple { .. }))
            && pops(value)
        {
            return false;
        }
        size(next, value) <= LARGEST
            && read_first(next).is_some_and(|value| {
                let mut order = Order { name, state: None };
                order.visit_expr(value);
                order.state == Some(true)
            })
    }
}

/// The expression of a statement that is evaluated before all else in it.
fn read_first(stmt: &mut Stmt) -> Option<&mut Expr> {
    match &mut stmt.kind {
        StmtKind::Assign { value, targets } if targets.iter().all(is_plain_target) => Some(value),
        StmtKind::Expr(value) | StmtKind::Return(Some(value)) => Some(value),
        StmtKind::AugAssign { value, target, .. } if matches!(target.kind, ExprKind::Name { .. }) => {
            Some(value)
        }
        _ => None,
    }
}

/// Puts the value of an assignment where the next statement reads its name.
fn put_into(stmt: &mut Stmt, assignment: Stmt) {
    let StmtKind::Assign { targets, value } = assignment.kind else { return };
    if let ([Expr { kind: ExprKind::Name { name, .. }, .. }], Some(target)) =
        (targets.as_slice(), read_first(stmt))
    {
        Put { name, value: Some(value) }.visit_expr(target);
    }
}

/// Looks what is evaluated before a name is read.
struct Order<'n> {
    name: &'n Name,
    /// Whether the name was met first, or something else that computes.
    state: Option<bool>,
}

impl<'a> Visitor<'a> for Order<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if self.state.is_some() {
            return;
        }
        match &expr.kind {
            ExprKind::Name { name, .. } => {
                if name == self.name {
                    self.state = Some(true);
                }
            }
            // These do not evaluate their parts once and in order.
            ExprKind::Lambda { .. }
            | ExprKind::ListComp { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::Generator { .. }
            | ExprKind::IfExp { .. }
            | ExprKind::BoolOp { .. }
            | ExprKind::FString(_)
            | ExprKind::Compare { .. } => self.state = Some(false),
            _ => {
                walk_expr(self, expr);
                let computes = matches!(
                    expr.kind,
                    ExprKind::Call { .. }
                        | ExprKind::Binary { .. }
                        | ExprKind::Subscript { .. }
                        | ExprKind::Named { .. }
                );
                if computes && self.state.is_none() {
                    self.state = Some(false);
                }
            }
        }
    }
}

struct Put<'p> {
    name: &'p Name,
    /// It is read once.
    value: Option<Expr>,
}

impl VisitorMut for Put<'_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        let is_it = matches!(&expr.kind, ExprKind::Name { name, .. } if name == self.name);
        match self.value.take_if(|_| is_it) {
            Some(value) => *expr = value,
            None => ag_syntax::visit::mutable::walk_expr(self, expr),
        }
    }
}
