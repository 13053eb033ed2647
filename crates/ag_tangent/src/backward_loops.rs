//! The backward pass of a loop, whose iterations begin with the adjoints that the one before leaves.
//!
//! ```text
//! for i in range(n):              bw = tangent.zeros_like(w)
//!     x = x * w                   for i in reversed(range(n)):
//!                                     x = x_values.pop()
//!                                     bw = bw + bx * x            # a sum: there was an iteration before
//!                                     bx = bx * w
//! ```
//!
//! It is written until what an iteration begins with is what it leaves. A loop in a loop is written as often for each time
//! that the loop around it is, so what was found is kept: loops in loops cost what loops after loops do.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ag_syntax::tree::{Expr, ExprKind, Name, Stmt};

use crate::forms_kept::Place;
use crate::normal::Outcome;
use crate::program::{Block, Head, Loop, Node, Over, Part, each_node};
use crate::reverse::{Adjoints, Passes};

/// Which adjoints have a value, and whether it is their own, of those that a loop has to do with.
type Values = Vec<(Name, bool)>;

/// A loop, and which of its adjoints have a value where its backward pass begins.
pub(crate) type Met = (usize, Values);

/// With which adjoints iterations begin.
#[derive(Default)]
pub(crate) struct Entries {
    /// By the place of a loop, the variables whose adjoints its backward pass reads or changes.
    variables: BTreeMap<usize, Rc<BTreeSet<Name>>>,
    /// What was found for a loop that was met so.
    found: BTreeMap<Met, Values>,
}

impl Entries {
    /// How a loop is met. What it has nothing to do with is nothing to it.
    fn met(&mut self, looped: &Loop, state: &Adjoints) -> Met {
        let variables = self.variables.entry(looped.site).or_insert_with(|| Rc::new(variables_of(looped)));
        (looped.site, values(variables, state))
    }

    fn known(&self, met: &Met) -> Option<&Values> {
        self.found.get(met)
    }

    fn note(&mut self, met: Met, entry: &Adjoints) {
        if let Some(variables) = self.variables.get(&met.0) {
            self.found.insert(met, values(variables, entry));
        }
    }
}

fn values(variables: &BTreeSet<Name>, state: &Adjoints) -> Values {
    variables.iter().filter_map(|name| Some((name.clone(), *state.get(name)?))).collect()
}

/// The variables whose adjoints the backward pass of a loop reads or changes.
fn variables_of(looped: &Loop) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    of_head(looped, &mut found);
    each_node(&looped.body.block, &mut |node| match node {
        Node::Op(op) => {
            found.extend(op.back.reads.iter().chain(&op.back.clears).cloned());
            op.back.parts.iter().for_each(|part| of_part(part, &mut found));
        }
        Node::Loop(inner) => of_head(inner, &mut found),
        Node::Injected { pairs, .. } => found.extend(pairs.iter().map(|(variable, _)| variable.clone())),
        _ => {}
    });
    found
}

fn of_head(looped: &Loop, found: &mut BTreeSet<Name>) {
    if let Head::For { over: Over::Items { base, target, .. }, .. } = &looped.head {
        found.extend([base.clone(), target.clone()]);
    }
}

fn of_part(part: &Part, found: &mut BTreeSet<Name>) {
    match part {
        Part::Add { to, .. } | Part::AddAt { to, .. } | Part::Become { to, .. } => {
            found.insert(to.clone());
        }
        Part::Take { from, to, .. } => {
            found.insert(from.clone());
            found.extend(to.iter().map(|(name, _)| name.clone()));
        }
        Part::PopFrom { from, to } => {
            found.insert(from.clone());
            found.extend(to.clone());
        }
        Part::PushTo { to, from } => found.extend([to.clone(), from.clone()]),
        Part::Pack { to, from, .. } => {
            found.insert(to.clone());
            found.extend(from.iter().flatten().cloned());
        }
    }
}

impl Passes<'_, '_> {
    pub(crate) fn backward_loop(
        &mut self,
        looped: &mut Loop,
        state: &mut Adjoints,
        out: &mut Vec<Stmt>,
    ) -> Outcome<()> {
        // What the body writes into is copied before the loop, and not in each iteration.
        let mut written = written_into(&looped.body.block);
        if let Head::For { over: Over::Items { base, .. }, .. } = &looped.head {
            written.push(base.clone());
        }
        for name in written {
            if state.get(&name) == Some(&false) {
                self.own(&name, state, out);
            }
        }
        let met = self.entries.met(looped, state);
        let mut entry = state.clone();
        if let Some(known) = self.entries.known(&met) {
            known.iter().for_each(|(name, owned)| entry.insert(name.clone(), *owned));
        }
        let noted = self.forms.noted.len();
        let (mut body, end) = loop {
            self.last = None;
            self.forms.noted.truncate(noted);
            let mut end = entry.clone();
            let mut body = Vec::new();
            self.restore(&looped.saves.targets, &mut body);
            body.extend(self.branch(&mut looped.body, &mut end)?);
            self.item(looped, &mut end, &mut body);
            let before = entry.clone();
            for (name, known, owned) in before.differences(&end) {
                if let Some(owned) = owned {
                    entry.insert(name, known.unwrap_or(true) && owned);
                }
            }
            if entry == before {
                break (body, end);
            }
        };
        self.entries.note(met, &entry);
        looped.saves.zeros.clear();
        for (name, ..) in entry.differences(state).into_iter().filter(|(.., known)| known.is_none()) {
            let saves = &mut looped.saves;
            let noted = (&saves.definite, &mut saves.zeros);
            out.push(self.zeros_of(&name, Place::Behind(looped.site), noted));
        }
        looped.body.zeros.clear();
        for (name, ..) in entry.differences(&end).into_iter().filter(|(.., known)| known.is_none()) {
            let branch = &mut looped.body;
            let noted = (&branch.definite, &mut branch.zeros);
            body.push(self.zeros_of(&name, Place::Iteration(looped.site), noted));
        }
        *state = entry;
        if !body.is_empty() {
            out.push(self.backward_head(looped, body));
        }
        self.restore(&looped.saves.before, out);
        self.last = None;
        Ok(())
    }

    /// The adjoint of `target = base[i]`, which the head of a loop over active items is.
    fn item(&mut self, looped: &Loop, state: &mut Adjoints, out: &mut Vec<Stmt>) {
        let Head::For { over: Over::Items { base, target, index, may_be_dict }, .. } = &looped.head else {
            return;
        };
        if !state.contains_key(target) {
            return;
        }
        self.b = self.b.at(looped.span);
        let value = self.b.name(self.adjoint(target));
        let is_number = self.kinds.is_numeric(target);
        let index = self.b.name(index.clone());
        let part = Part::AddAt {
            to: base.clone(),
            index: Box::new(index),
            value,
            is_number,
            may_be_dict: *may_be_dict,
        };
        self.part(&part, state, out);
        state.remove(target);
    }

    fn backward_head(&mut self, looped: &Loop, body: Vec<Stmt>) -> Stmt {
        let b = self.b.at(looped.span);
        let range = |argument: Expr| b.call(b.name("range"), [argument]);
        let reversed = |argument: Expr| b.call(b.name("reversed"), [argument]);
        let count = b.name(looped.count.clone());
        match &looped.head {
            Head::For { target, iter, .. } if looped.saves.is_mirrored => {
                let iter = if looped.saves.is_counted {
                    let upper = Some(Box::new(count));
                    b.subscript(b.copy_expr(iter), b.expr(ExprKind::Slice { lower: None, upper, step: None }))
                } else {
                    b.copy_expr(iter)
                };
                b.for_stmt(b.copy_expr(target), reversed(iter), body)
            }
            Head::For { over: Over::Items { index, .. }, .. } => {
                b.for_stmt(b.name_store(index.clone()), reversed(range(count)), body)
            }
            _ => b.for_stmt(b.name_store("_"), range(count), body),
        }
    }
}

/// The variables whose adjoints the backward pass of a block writes into in place.
fn written_into(block: &Block) -> Vec<Name> {
    let mut found = Vec::new();
    each_node(block, &mut |node| {
        let Node::Op(op) = node else { return };
        found.extend(op.back.parts.iter().filter_map(|part| match part {
            Part::AddAt { to, .. } | Part::PushTo { to, .. } => Some(to.clone()),
            Part::Take { from, .. } | Part::PopFrom { from, .. } => Some(from.clone()),
            Part::Add { .. } | Part::Become { .. } | Part::Pack { .. } => None,
        }));
    });
    found
}
