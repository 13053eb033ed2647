//! Writes in place that only one of two names would tell its adjoint, point by point of a program.
//!
//! ```text
//! row = a[0]
//! row[0] = 2.0        # writes to `a` too
//! return a.sum()      # refused: the adjoint of `a` does not know
//! ```

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::{Diagnostic, Span, catalogue};
use ag_syntax::tree::{Expr, ExprKind, Name, StmtKind};
use ag_syntax::visit::Visitor;

use crate::aliases::{Writes, shared};
use crate::kinds::Kinds;
use crate::normal::Outcome;
use crate::program::{Argument, Block, Head, Loop, Node, NumberBeside, Op, OpKind, Operand, Over};
use crate::sources::Surroundings;
use crate::variables::root_of;

/// Refuses a program that reads a variable after its memory was written by another name.
///
/// # Returns
///
/// By the place of `x += v` and `t = x[i]`, what has to be a number there, because another name is read later.
///
/// # Arguments
///
/// * `active`, `kinds`: the variables that have a derivative, and what is known of them.
/// * `arguments`: the parameters whose objects the caller has, and which must not be written.
pub(crate) fn require_seen_writes(
    block: &Block,
    around: &Surroundings<'_>,
    (active, kinds): (&BTreeSet<Name>, &Kinds),
    (result, arguments): (&Name, &[Name]),
) -> Outcome<BTreeMap<usize, NumberBeside>> {
    let mut walk = Walk {
        around,
        active,
        kinds,
        now: Shared::default(),
        is_left: false,
        exits: Vec::new(),
        numbers_only: BTreeMap::new(),
        elements: BTreeMap::new(),
    };
    for name in arguments {
        let given = argument(name);
        walk.now.seen.insert((name.clone(), given.clone()));
        walk.now.seen.insert((given, name.clone()));
    }
    walk.block(block)?;
    walk.read(result, block_span(block))?;
    Ok(walk.numbers_only)
}

fn block_span(block: &Block) -> Span {
    let last = block.iter().rev().find_map(|node| match node {
        Node::Op(op) => Some(op.span),
        Node::Loop(looped) => Some(looped.span),
        Node::If(choice) => Some(choice.span),
        _ => None,
    });
    last.unwrap_or_default()
}

/// What is shared at a point of the program.
#[derive(Clone, Default, PartialEq, Eq)]
struct Shared {
    /// Pairs of variables: what is written into the object of the first is seen through the second.
    seen: BTreeSet<(Name, Name)>,
    /// The variables whose arrays another name has written.
    stale: BTreeMap<Name, Write>,
}

/// A write in place.
#[derive(Clone, PartialEq, Eq)]
struct Write {
    /// The name by which it wrote.
    by: Name,
    /// The place of the operation.
    site: usize,
    /// Whether it is `x += v`, which binds numbers anew.
    is_augmented: bool,
}

impl Shared {
    fn join(&mut self, other: Self) {
        self.seen.extend(other.seen);
        for (name, write) in other.stale {
            if self.stale.get(&name).is_none_or(|known| known.is_augmented) {
                self.stale.insert(name, write);
            }
        }
    }

    /// The variables that see what is written into `name`, or the other way round.
    fn partners(&self, name: &Name) -> BTreeSet<Name> {
        let of = |(one, other): &(Name, Name)| match (one == name, other == name) {
            (true, _) => Some(other.clone()),
            (_, true) => Some(one.clone()),
            _ => None,
        };
        self.seen.iter().filter_map(of).collect()
    }

    /// A variable is bound to what may be the memory of others: `row = a[0]`.
    fn bind(&mut self, name: &Name, sources: &BTreeSet<Name>) {
        let mut all: BTreeSet<Name> = sources.iter().flat_map(|source| self.partners(source)).collect();
        all.extend(sources.iter().cloned());
        all.remove(name);
        self.seen.retain(|(one, other)| one != name && other != name);
        self.stale.remove(name);
        for other in all {
            self.seen.insert((name.clone(), other.clone()));
            self.seen.insert((other, name.clone()));
        }
    }

    /// A list or dict holds an object from now on: what is written into that is seen through the list, and a new
    /// item of the list is nothing to the object.
    fn hold(&mut self, name: &Name, source: &Name) {
        let writers =
            self.seen.iter().filter(|(_, seen_by)| seen_by == source).map(|(writer, _)| writer.clone());
        let writers: BTreeSet<Name> = writers.chain([source.clone()]).collect();
        let holders: BTreeSet<Name> = self.partners(name).into_iter().chain([name.clone()]).collect();
        for holder in &holders {
            for writer in writers.iter().filter(|writer| *writer != holder) {
                self.seen.insert((writer.clone(), holder.clone()));
            }
        }
    }
}

struct Walk<'s, 'r> {
    around: &'s Surroundings<'r>,
    /// The variables that have a derivative.
    active: &'s BTreeSet<Name>,
    kinds: &'s Kinds,
    now: Shared,
    /// Whether the point is never reached.
    is_left: bool,
    /// For each loop around, what is known where it is left, and where an iteration ends in the middle.
    exits: Vec<(Shared, Shared)>,
    /// Operations that are right for numbers only.
    numbers_only: BTreeMap<usize, NumberBeside>,
    /// Variables that are elements of others, with the places where they were bound.
    elements: BTreeMap<Name, usize>,
}

/// What stands for the object that the caller has given, whatever a parameter is bound to later.
fn argument(name: &Name) -> Name {
    format!("@{name}").into()
}

impl Walk<'_, '_> {
    fn read(&mut self, name: &Name, span: Span) -> Outcome<()> {
        let Some(Write { by, site, is_augmented }) = self.now.stale.get(name) else { return Ok(()) };
        let (by, read) = (by.clone(), name.clone());
        if *is_augmented {
            self.numbers_only.insert(*site, NumberBeside { number: by.clone(), changed: by, read });
            return Ok(());
        }
        if let Some(site) = self.elements.get(name) {
            self.numbers_only.insert(*site, NumberBeside { number: read.clone(), changed: by, read });
            return Ok(());
        }
        let message =
            format!("`{name}` is read after `{by}`, which may be the same array, was written in place");
        let help = format!("write to a copy, `{by} = {by}.copy()`, or compute a new array");
        Err(Diagnostic::error(catalogue::SHARED_WRITE, span, message).with_help(help))
    }

    /// The variable of a module, or of a function around, whose object a value is, or is in.
    fn outside(&self, value: &Expr) -> Option<Name> {
        let is_read = matches!(
            value.kind,
            ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. }
        );
        root_of(value).filter(|name| is_read && !self.around.is_local(name)).cloned()
    }

    /// What the caller has given, or a module has, that a variable may be.
    fn given(&self, name: &Name) -> Option<Name> {
        let is_given = |(writer, seen_by): &&(Name, Name)| writer == name && seen_by.starts_with('@');
        self.now.seen.iter().find(is_given).map(|(_, given)| given.clone())
    }

    /// Refuses a write to what the caller has given to a callee: the caller's adjoints would not know.
    fn require_own(&self, written: &Name, span: Span) -> Outcome<()> {
        let Some(given) = self.given(written) else { return Ok(()) };
        let message =
            format!("`{written}` is written in place, and is `{}` of the caller or of a module", &given[1..]);
        let help = format!("write to a copy, `{written} = {written}.copy()`, and return it");
        Err(Diagnostic::error(catalogue::SHARED_WRITE, span, message).with_help(help))
    }

    fn block(&mut self, block: &Block) -> Outcome<()> {
        block.iter().try_for_each(|node| if self.is_left { Ok(()) } else { self.node(node) })
    }

    fn node(&mut self, node: &Node) -> Outcome<()> {
        match node {
            Node::Plain { stmt, binds, .. } => {
                let mut writes = Writes { around: self.around, found: BTreeSet::new() };
                writes.visit_stmt(stmt);
                writes.found.iter().try_for_each(|written| self.require_own(written, stmt.span))?;
                let sources = match &stmt.kind {
                    StmtKind::Assign { value, .. } => shared(value, self.around),
                    StmtKind::Expr(_) | StmtKind::AugAssign { .. } => return Ok(()),
                    _ => crate::variables::read_by(stmt)
                        .into_iter()
                        .filter(|name| self.around.is_local(name))
                        .collect(),
                };
                let mut sources = sources;
                if let StmtKind::Assign { value, .. } = &stmt.kind {
                    sources.extend(self.outside(value).map(|outside| argument(&outside)));
                }
                binds.iter().for_each(|name| self.now.bind(name, &sources));
            }
            Node::Op(op) => self.op(op)?,
            Node::If(choice) => {
                let before = self.now.clone();
                self.block(&choice.then.block)?;
                let then = std::mem::replace(&mut self.now, before);
                let then_left = std::mem::take(&mut self.is_left);
                self.block(&choice.orelse.block)?;
                match (then_left, self.is_left) {
                    (false, true) => self.now = then,
                    (false, false) => self.now.join(then),
                    (true, _) => {}
                }
                self.is_left &= then_left;
            }
            Node::Loop(looped) => self.looped(looped)?,
            Node::With { body, .. } => self.block(body)?,
            Node::Again(again) => self.block(&again.block)?,
            Node::Finally { body, last, .. } => {
                self.block(body)?;
                self.block(last)?;
            }
            Node::Exit { is_break, .. } => {
                if let Some((breaks, continues)) = self.exits.last_mut() {
                    let exits = if *is_break { breaks } else { continues };
                    exits.join(self.now.clone());
                }
                self.is_left = true;
            }
            Node::Injected { .. } => {}
        }
        Ok(())
    }

    /// What an iteration writes, the next one reads: until nothing new is found.
    fn looped(&mut self, looped: &Loop) -> Outcome<()> {
        self.exits.push((Shared::default(), Shared::default()));
        loop {
            let start = self.now.clone();
            let sources = match &looped.head {
                Head::For { iter, over, .. } if !matches!(over, Over::Range) => shared(iter, self.around),
                _ => BTreeSet::new(),
            };
            looped.targets().iter().for_each(|name| self.now.bind(name, &sources));
            if let Head::For { over: Over::Items { base, .. }, .. } = &looped.head {
                self.read(base, looped.span)?;
            }
            self.block(&looped.body.block)?;
            if std::mem::take(&mut self.is_left) {
                self.now = start.clone();
            }
            self.now.join(start.clone());
            if let Some((_, continues)) = self.exits.last() {
                self.now.join(continues.clone());
            }
            if self.now == start {
                break;
            }
        }
        if let Some((breaks, _)) = self.exits.pop() {
            self.now.join(breaks);
        }
        Ok(())
    }

    fn op(&mut self, op: &Op) -> Outcome<()> {
        for name in operands(op) {
            self.read(&name, op.span)?;
        }
        if let Some(written) = op.writes() {
            if let OpKind::Augment { .. } = op.kind {
                // A number is bound anew.
                if let Some(given) = self.given(written) {
                    let beside = NumberBeside {
                        number: written.clone(),
                        changed: written.clone(),
                        read: given[1..].into(),
                    };
                    self.numbers_only.insert(op.site, beside);
                }
            } else {
                self.require_own(written, op.span)?;
            }
            let seen_by =
                self.now.seen.iter().filter(|(writer, _)| writer == written).map(|(_, other)| other);
            // A list that grows is nothing to the numbers and arrays in it.
            let is_growing = matches!(op.kind, OpKind::Append { .. } | OpKind::Pop { .. });
            let stale: Vec<Name> = seen_by
                .filter(|name| self.active.contains(*name))
                .filter(|name| !(is_growing && self.kinds.is_numeric(name)))
                .cloned()
                .collect();
            let is_augmented = matches!(op.kind, OpKind::Augment { .. });
            for name in stale {
                let write = Write { by: written.clone(), site: op.site, is_augmented };
                match self.now.stale.get(&name) {
                    // What is refused stays refused.
                    Some(known) if !known.is_augmented => {}
                    _ => {
                        self.now.stale.insert(name, write);
                    }
                }
            }
        }
        let held = |operand: &Operand| match operand {
            Operand::Active(name) => Some(name.clone()),
            Operand::Plain(_) => None,
        };
        op.binds().iter().for_each(|name| {
            self.elements.remove(name);
        });
        if let OpKind::Index { target, .. } = &op.kind {
            self.elements.insert(target.clone(), op.site);
        }
        match &op.kind {
            OpKind::Copy { target, source } | OpKind::Index { target, base: source, .. } => {
                self.now.bind(target, &BTreeSet::from([source.clone()]));
            }
            OpKind::Pop { target, list } => self.now.bind(target, &BTreeSet::from([list.clone()])),
            OpKind::Rule { rule, result, .. } if rule.is_view => {
                self.now.bind(result, &operands(op).into_iter().collect());
            }
            OpKind::Call { target, .. } => self.now.bind(target, &operands(op).into_iter().collect()),
            OpKind::Display { target, .. } => {
                self.now.bind(target, &BTreeSet::new());
                operands(op).iter().for_each(|element| self.now.hold(target, element));
            }
            OpKind::Unpack { targets, source } => {
                let source = BTreeSet::from([source.clone()]);
                targets.iter().flatten().for_each(|target| self.now.bind(target, &source));
            }
            OpKind::Append { list, value } => {
                if let Some(value) = held(value) {
                    self.now.hold(list, &value);
                }
            }
            // A list or dict holds the value; an array has copied it, which is not known here.
            OpKind::Store { base, value, .. } => {
                if let Some(value) = held(value) {
                    self.now.hold(base, &value);
                }
            }
            OpKind::Augment { .. } | OpKind::AugStore { .. } => {}
            OpKind::Constant { target } => {
                self.now.bind(target, &BTreeSet::new());
                if let StmtKind::Assign { value, .. } = &op.forward.kind
                    && let Some(outside) = self.outside(value)
                {
                    self.now.bind(target, &BTreeSet::from([argument(&outside)]));
                }
            }
            _ => op.binds().iter().for_each(|name| self.now.bind(name, &BTreeSet::new())),
        }
        Ok(())
    }
}

/// The active variables that an operation reads.
fn operands(op: &Op) -> Vec<Name> {
    let active = |operand: &Operand| match operand {
        Operand::Active(name) => Some(name.clone()),
        Operand::Plain(_) => None,
    };
    match &op.kind {
        OpKind::Rule { operands, .. } => operands
            .iter()
            .flat_map(|(_, argument)| match argument {
                Argument::One(operand) => active(operand).into_iter().collect::<Vec<_>>(),
                Argument::Many(operands) => operands.iter().filter_map(active).collect(),
            })
            .collect(),
        OpKind::Copy { source, .. } | OpKind::Unpack { source, .. } => vec![source.clone()],
        OpKind::Index { base, .. } => vec![base.clone()],
        OpKind::Display { elements, .. } => elements.iter().filter_map(active).collect(),
        OpKind::Store { base, value, .. } | OpKind::AugStore { base, value, .. } => {
            active(value).into_iter().chain([base.clone()]).collect()
        }
        OpKind::Augment { target, value, .. } => active(value).into_iter().chain([target.clone()]).collect(),
        OpKind::Append { list, value } => active(value).into_iter().chain([list.clone()]).collect(),
        OpKind::Pop { list, .. } => vec![list.clone()],
        OpKind::Call { active, .. } => active.iter().map(|(_, name)| name.clone()).collect(),
        OpKind::Constant { .. } => Vec::new(),
    }
}
