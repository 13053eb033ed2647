//! What the forward pass keeps: the values that the backward pass reads and that the forward pass overwrites, and
//! nothing else (to-be-recorded analysis).
//!
//! ```text
//! for i in range(n):          for i in range(n):
//!     x = x * x                   x_values.append(x)          # read by `bx = 2 * x * bx`
//!                                 x = x * x
//! ```
//!
//! The walk goes forward with the set of variables whose present values the backward pass reads. A variable of the
//! set that is bound anew is kept before; one that only a branch or an iteration knows is kept when that ends.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ag_syntax::tree::{Expr, ExprKind, Name, Stmt, StmtKind};

use crate::flatten::is_simple;
use crate::name_sets::IntoSet;
use crate::naming::Naming;
use crate::persistent::Set;
use crate::program::{Again, Block, Branch, Head, If, Loop, Node, Op, OpKind, Over, Save, bound, each_node};
use crate::sources::Surroundings;
use crate::variables::{read_by, read_in, surely_bound_by};
use crate::written_arguments::WriteKind;

type Names = Set<Name>;

/// What is known at a point of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    /// The variables whose present values the backward pass reads.
    needs: Names,
    /// The variables that are bound on every path.
    definite: Names,
}

impl State {
    fn join(mut self, other: Option<Self>) -> Self {
        if let Some(other) = other {
            self.needs.add_all(&other.needs);
            self.definite.keep_common(&other.definite);
        }
        self
    }
}

/// Decides what is kept.
pub(crate) struct Saver<'n> {
    pub(crate) naming: &'n mut Naming,
    pub(crate) around: &'n Surroundings<'n>,
    /// How often the function binds each variable.
    counts: BTreeMap<Name, usize>,
    kept: Kept,
    /// The lists that get longer or shorter: their lengths are others later.
    resized: BTreeSet<Name>,
    /// What is kept where some path has not bound it.
    unbound: BTreeSet<Name>,
    loops: Vec<Frame>,
    /// By place, what an iteration of a loop begins with, as far as it is known: a loop in a loop is met again.
    heads: BTreeMap<usize, Names>,
    /// Whether the backward pass is a function of its own, which is given what only some paths bind.
    is_split: bool,
}

/// What is kept where, by place and variable.
pub(crate) type Kept = BTreeMap<(usize, Name), Save>;

/// A loop around.
struct Frame {
    bound: Rc<BTreeSet<Name>>,
    definite: Names,
    breaks: Option<State>,
    continues: Option<State>,
}

impl<'n> Saver<'n> {
    /// # Arguments
    ///
    /// * `kept`: what an earlier run has found, whose names are used again.
    pub(crate) fn new(
        naming: &'n mut Naming,
        around: &'n Surroundings<'n>,
        block: &Block,
        kept: Kept,
        is_split: bool,
    ) -> Self {
        let mut counts = BTreeMap::new();
        each_node(block, &mut |node| {
            node.each_bound(&mut |name| *counts.entry(name.clone()).or_default() += 1);
        });
        Self {
            naming,
            around,
            counts,
            kept,
            resized: resized_in(block),
            unbound: BTreeSet::new(),
            loops: Vec::new(),
            heads: BTreeMap::new(),
            is_split,
        }
    }

    /// Notes in the block what is kept where.
    ///
    /// # Arguments
    ///
    /// * `parameters`: the variables that are bound when the function begins.
    ///
    /// # Returns
    ///
    /// What is kept where; the variables that are bound on every path to the end, and those that are kept where some
    /// path has not bound them.
    pub(crate) fn function(
        mut self,
        block: &mut Block,
        parameters: &[Name],
    ) -> (Kept, Names, BTreeSet<Name>) {
        let definite = parameters.iter().cloned().collect();
        let end = self.block(block, Some(State { needs: Names::new(), definite }));
        (self.kept, end.unwrap_or_default().definite, self.unbound)
    }

    fn block(&mut self, block: &mut Block, mut state: Option<State>) -> Option<State> {
        for node in block {
            let Some(now) = state else { break };
            state = self.node(node, now);
        }
        state
    }

    fn node(&mut self, node: &mut Node, mut state: State) -> Option<State> {
        match node {
            Node::Plain { stmt, site, binds, saves } => {
                *saves = self.overwritten(*site, binds, &mut state);
                state.definite.extend(surely_bound_by(stmt));
                Some(state)
            }
            Node::Op(op) => {
                self.op(op, &mut state);
                Some(state)
            }
            Node::If(choice) => self.choice(choice, state),
            Node::Loop(looped) => Some(self.looped(looped, state)),
            Node::With { body, binds, .. } => {
                state.definite.extend(binds.iter().cloned());
                self.block(body, Some(state))
            }
            Node::Finally { body, last, .. } => {
                let state = self.block(body, Some(state));
                self.block(last, state)
            }
            Node::Exit { site, is_break, saves, .. } => {
                if let Some(frame) = self.loops.last() {
                    let (bound, definite) = (frame.bound.clone(), frame.definite.clone());
                    *saves = self.forgotten(*site, &bound, &definite, &mut state);
                }
                if let Some(frame) = self.loops.last_mut() {
                    let exits = if *is_break { &mut frame.breaks } else { &mut frame.continues };
                    *exits = Some(state.join(exits.take()));
                }
                None
            }
            Node::Again(again) => {
                self.again(again, &mut state);
                Some(state)
            }
            Node::Injected { body, pairs, .. } => {
                state.needs.extend(pairs.iter().map(|(name, _)| name.clone()));
                let read = body.iter().flat_map(read_by).filter(|name| self.around.is_local(name));
                state.needs.extend(read);
                Some(state)
            }
        }
    }

    fn op(&mut self, op: &mut Op, state: &mut State) {
        let mut binds = Vec::new();
        op.each_bound_in_all(&mut |name| binds.push(name.clone()));
        state.needs.extend(op.back.needs_before.iter().cloned());
        op.saves = match op.is_same {
            true => Vec::new(),
            false => self.overwritten(op.site, &binds, state),
        };
        state.definite.extend(binds);
        state.needs.extend(op.back.needs_after.iter().cloned());
    }

    /// A block that runs again: what it begins with is kept where it, or what follows, overwrites that. What its own
    /// backward pass reads is kept by the second run.
    fn again(&mut self, again: &mut Again, state: &mut State) {
        let known = state.needs.clone();
        state.needs.extend(again.reads.iter().cloned());
        let binds: Vec<Name> = bound(&again.block).into_iter().collect();
        let is_lost = |name: &&Name| state.needs.contains(*name);
        let lost: Vec<Name> = binds.iter().filter(is_lost).cloned().collect();
        self.note_unbound(&lost, state);
        again.saves = lost.iter().map(|name| self.save_as(again.site, name, ["starts", "start"])).collect();
        lost.iter().for_each(|name| {
            state.needs.remove(name);
        });
        let copied: Vec<Name> =
            again.written.iter().filter(|name| again.reads.contains(*name)).cloned().collect();
        self.note_unbound(&copied, state);
        for name in copied {
            if !known.contains(&name) {
                state.needs.remove(&name);
            }
            if !again.saves.iter().any(|save| save.name == name) {
                again.saves.push(self.save_as(again.site, &name, ["starts", "start"]));
            }
        }
        for save in &mut again.saves {
            save.is_copy = again.written.contains(&save.name);
            save.of_holders = again.holders.contains(&save.name);
        }
        let loops = std::mem::take(&mut self.loops);
        let is_split = std::mem::replace(&mut self.is_split, false);
        let inner = State { needs: Names::new(), definite: state.definite.clone() };
        let end = self.block(&mut again.block, Some(inner));
        (self.loops, self.is_split) = (loops, is_split);
        state.definite.add_all(&end.unwrap_or_default().definite);
    }

    /// Keeps the values that are read and are about to be overwritten.
    fn overwritten(&mut self, site: usize, binds: &[Name], state: &mut State) -> Vec<Save> {
        let lost: Vec<Name> = binds.iter().filter(|name| state.needs.remove(*name)).cloned().collect();
        self.note_unbound(&lost, state);
        lost.iter().map(|name| self.save(site, name)).collect()
    }

    /// Notes what is kept where some path has not bound it.
    fn note_unbound(&mut self, names: &[Name], state: &State) {
        self.unbound.extend(names.iter().filter(|name| !state.definite.contains(*name)).cloned());
    }

    /// Keeps the values that are read and that a block has bound, when the block ends and no path around it is sure
    /// to bind them.
    fn forgotten(
        &mut self,
        site: usize,
        bound: &BTreeSet<Name>,
        definite: &Names,
        state: &mut State,
    ) -> Vec<Save> {
        let is_lost = |name: &&Name| {
            let elsewhere = self.is_split
                || !self.loops.is_empty()
                || self.counts.get(*name).is_some_and(|count| *count > 1);
            state.needs.contains(*name) && !definite.contains(*name) && elsewhere
        };
        let lost: Vec<Name> = bound.iter().filter(is_lost).cloned().collect();
        lost.iter().for_each(|name| {
            state.needs.remove(name);
        });
        self.note_unbound(&lost, state);
        lost.iter().map(|name| self.save(site, name)).collect()
    }

    fn save(&mut self, site: usize, name: &Name) -> Save {
        self.save_as(site, name, ["values", "before"])
    }

    /// The ends of the names of a list and of a variable that keep a value.
    fn save_as(&mut self, site: usize, name: &Name, ends: [&str; 2]) -> Save {
        if let Some(known) = self.kept.get(&(site, name.clone())) {
            return known.clone();
        }
        let is_stack = !self.loops.is_empty();
        let wish = format!("{name}_{}", ends[usize::from(!is_stack)]);
        let kept = self.naming.fresh(&wish);
        self.around.locals.borrow_mut().insert(kept.clone());
        let save = Save { name: name.clone(), kept, is_stack, is_copy: false, of_holders: false };
        self.kept.insert((site, name.clone()), save.clone());
        save
    }

    fn choice(&mut self, choice: &mut If, mut state: State) -> Option<State> {
        if choice.stack.is_none() {
            state.needs.add(choice.taken.clone());
            state.definite.add(choice.taken.clone());
        }
        let then = self.branch(&mut choice.then, 2 * choice.site, state.clone());
        let orelse = self.branch(&mut choice.orelse, 2 * choice.site + 1, state);
        match (then, orelse) {
            (Some(then), other) => Some(then.join(other)),
            (None, other) => other,
        }
    }

    fn branch(&mut self, branch: &mut Branch, site: usize, mut state: State) -> Option<State> {
        branch.definite.clone_from(&state.definite);
        state.needs.extend(branch.zeros.iter().cloned());
        let definite = state.definite.clone();
        let bound = bound(&branch.block);
        branch.saves.clear();
        let mut end = self.block(&mut branch.block, Some(state))?;
        let saves = self.forgotten(usize::MAX - site, &bound, &definite, &mut end);
        note_at_end(branch, saves);
        Some(end)
    }

    fn looped(&mut self, looped: &mut Loop, mut state: State) -> State {
        let body = bound(&looped.body.block);
        let targets: BTreeSet<Name> = looped.targets().into_iter().into_set();
        looped.saves.is_mirrored = self.is_mirrored(looped, &body);
        looped.saves.is_counted = !looped.saves.is_mirrored || looped.may_break;
        let mut head_binds: Vec<Name> = targets.iter().cloned().collect();
        if looped.saves.is_counted {
            head_binds.push(looped.count.clone());
        }
        looped.saves.before = self.overwritten(looped.site, &head_binds, &mut state);
        let bound = Rc::new(body);
        let entry = state.clone();
        let mut head = state;
        if let Some(known) = self.heads.get(&looped.site) {
            head.needs.add_all(known);
        }
        let (end, breaks) = loop {
            self.loops.push(Frame {
                bound: bound.clone(),
                definite: entry.definite.clone(),
                breaks: None,
                continues: None,
            });
            let mut start = head.clone();
            start.definite.extend(targets.iter().cloned());
            start.needs.extend(looped.body.zeros.iter().cloned());
            looped.body.definite.clone_from(&start.definite);
            let end = self.block(&mut looped.body.block, Some(start));
            let end = end.map(|mut end| {
                let site = usize::MAX / 2 - looped.site;
                let saves = self.forgotten(site, &bound, &entry.definite, &mut end);
                looped.body.saves.clear();
                note_at_end(&mut looped.body, saves);
                end
            });
            let frame = self.loops.pop();
            let (breaks, continues) = frame.map_or((None, None), |frame| (frame.breaks, frame.continues));
            let end = match (end, continues) {
                (Some(end), continues) => Some(end.join(continues)),
                (None, continues) => continues,
            };
            let mut next = end.clone().map_or(entry.clone(), |end| entry.clone().join(Some(end)));
            targets.iter().for_each(|name| {
                next.needs.remove(name);
            });
            next.definite = entry.definite.clone();
            if next.needs == head.needs {
                break (end, breaks);
            }
            head = next;
        };
        self.heads.insert(looped.site, head.needs.clone());
        self.keep_targets(looped, &targets, end.as_ref(), breaks.as_ref());
        let mut after = head;
        for state in [end, breaks].into_iter().flatten() {
            after.needs.add_all(&state.needs);
        }
        targets.iter().for_each(|name| {
            after.needs.remove(name);
        });
        after.needs.add_all(&self.needs_of_head(looped));
        if looped.saves.is_counted {
            after.definite.add(looped.count.clone());
        }
        looped.saves.definite.clone_from(&after.definite);
        after
    }

    /// Keeps the targets of a `for` that the backward pass reads and cannot find again.
    fn keep_targets(
        &mut self,
        looped: &mut Loop,
        targets: &BTreeSet<Name>,
        end: Option<&State>,
        breaks: Option<&State>,
    ) {
        looped.saves.targets.clear();
        if looped.saves.is_mirrored {
            return;
        }
        let is_read =
            |name: &&Name| [end, breaks].into_iter().flatten().any(|state| state.needs.contains(*name));
        let read: Vec<Name> = targets.iter().filter(is_read).cloned().collect();
        for name in read {
            let site = usize::MAX / 4 - looped.site;
            let wish = format!("{name}_values");
            let naming = &mut *self.naming;
            let save = self.kept.entry((site, name.clone())).or_insert_with(|| Save {
                name: name.clone(),
                kept: naming.fresh(&wish),
                is_stack: true,
                is_copy: false,
                of_holders: false,
            });
            self.around.locals.borrow_mut().insert(save.kept.clone());
            looped.saves.targets.push(save.clone());
        }
    }

    /// Whether the backward pass can go over the same range in reverse.
    fn is_mirrored(&self, looped: &Loop, body: &BTreeSet<Name>) -> bool {
        let Head::For { iter, over: Over::Range, .. } = &looped.head else { return false };
        let targets = looped.targets();
        arguments(iter).iter().all(|arg| {
            let is_same =
                |name: &Name| !(body.contains(name) || targets.contains(name) || self.resized.contains(name));
            is_simple(arg) && read_in(arg).iter().all(is_same)
        })
    }

    /// The variables that the head of the backward loop reads.
    fn needs_of_head(&self, looped: &Loop) -> Names {
        let mut needs: Names = looped.saves.zeros.iter().cloned().collect();
        if looped.saves.is_counted {
            needs.add(looped.count.clone());
        }
        match &looped.head {
            Head::For { iter, .. } if looped.saves.is_mirrored => {
                needs.extend(read_in(iter).into_iter().filter(|name| self.around.is_local(name)));
            }
            Head::For { over: Over::Items { base, .. }, .. } => {
                needs.add(base.clone());
            }
            _ => {}
        }
        needs
    }
}

/// Notes what a block keeps at its end.
fn note_at_end(branch: &mut Branch, saves: Vec<Save>) {
    if !saves.is_empty() {
        tail(branch).extend(saves);
    }
}

/// Where a block notes what it keeps at its end: in the branch through which its end is reached.
fn tail(branch: &mut Branch) -> &mut Vec<Save> {
    if branch.block.last().is_some_and(ends_inside) {
        let Some(Node::If(choice)) = branch.block.last_mut() else { unreachable!("it was seen above") };
        let inner = if choice.is_rest || leaves(&choice.orelse.block) {
            &mut choice.then
        } else {
            &mut choice.orelse
        };
        return tail(inner);
    }
    &mut branch.saves
}

/// Whether the end of a block is reached, and not through a branch of its last statement alone.
pub(crate) fn has_own_end(block: &Block) -> bool {
    !leaves(block) && !block.last().is_some_and(ends_inside)
}

/// Whether the end of a statement is reached through one of its branches alone.
fn ends_inside(node: &Node) -> bool {
    match node {
        Node::If(choice) => choice.is_rest || leaves(&choice.then.block) != leaves(&choice.orelse.block),
        _ => false,
    }
}

/// Whether the end of a block is never reached.
fn leaves(block: &Block) -> bool {
    block.last().is_some_and(|node| match node {
        Node::Exit { .. } => true,
        Node::If(choice) => !choice.is_rest && leaves(&choice.then.block) && leaves(&choice.orelse.block),
        Node::With { body, .. } => leaves(body),
        Node::Finally { body, last, .. } => leaves(body) || leaves(last),
        _ => false,
    })
}

/// The arguments of `range(…)`; a variable that holds a range itself.
fn arguments(iter: &Expr) -> &[Expr] {
    match &iter.kind {
        ag_syntax::tree::ExprKind::Call { args, .. } => args,
        _ => std::slice::from_ref(iter),
    }
}

/// The lists that a loop fills.
pub(crate) fn stacks_of(looped: &Loop) -> Vec<Name> {
    let (mut taken, mut found) = (Vec::new(), Vec::new());
    stacks_of_loop(looped, &mut taken, &mut found);
    for name in found {
        if !taken.contains(&name) {
            taken.push(name);
        }
    }
    taken
}

fn stacks_of_loop(looped: &Loop, taken: &mut Vec<Name>, found: &mut Vec<Name>) {
    let saves = &looped.saves;
    let own = saves.before.iter().chain(&saves.targets).chain(&looped.body.saves);
    found.extend(stacks(own));
    stacks_in(&looped.body.block, taken, found);
}

/// Those of a block. What runs again fills lists of its own.
fn stacks_in(block: &Block, taken: &mut Vec<Name>, found: &mut Vec<Name>) {
    for node in block {
        match node {
            Node::Plain { saves, .. } | Node::Exit { saves, .. } => found.extend(stacks(saves.iter())),
            Node::Op(op) => found.extend(stacks(op.saves.iter())),
            Node::Again(again) => {
                found.extend(stacks(again.saves.iter()));
                continue;
            }
            Node::If(If { then, orelse, stack, .. }) => {
                taken.extend(stack.iter().cloned());
                found.extend(stacks(then.saves.iter().chain(&orelse.saves)));
            }
            Node::Loop(inner) => {
                stacks_of_loop(inner, taken, found);
                continue;
            }
            Node::With { .. } | Node::Finally { .. } | Node::Injected { .. } => {}
        }
        node.blocks().into_iter().for_each(|inner| stacks_in(inner, taken, found));
    }
}

fn stacks<'s>(saves: impl Iterator<Item = &'s Save>) -> Vec<Name> {
    saves.filter(|save| save.is_stack).map(|save| save.kept.clone()).collect()
}

/// The variables whose lists get longer or shorter, by one of their names.
fn resized_in(block: &Block) -> BTreeSet<Name> {
    let (mut found, mut same) = (BTreeSet::new(), Vec::new());
    each_node(block, &mut |node| match node {
        Node::Op(op) if op.grows() || op.whole.is_some_and(WriteKind::is_container) => {
            found.extend(op.writes().cloned());
        }
        Node::Op(Op { kind: OpKind::Copy { target, source }, .. }) => {
            same.push((target.clone(), source.clone()));
        }
        Node::Plain {
            stmt: Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Call { func, .. }, .. }), .. },
            ..
        } => {
            if let ExprKind::Attribute { value, attr, .. } = &func.kind
                && crate::aliases::CHANGING.contains(&&**attr)
            {
                found.extend(crate::variables::root_of(value).cloned());
            }
        }
        _ => {}
    });
    loop {
        let more: Vec<Name> = same
            .iter()
            .flat_map(|(one, other)| [(one, other), (other, one)])
            .filter(|(one, other)| found.contains(*one) && !found.contains(*other))
            .map(|(_, other)| other.clone())
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}
