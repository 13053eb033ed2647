//! Writes to objects, dicts and lists, point by point of a program: what holds them, and what callees keep of them.
//!
//! ```text
//! cell = net.cell
//! cell.step(x)        # binds `cell.h` anew: `net`, which holds it, is told; an array that was read before is not
//! ```

use std::collections::BTreeSet;

use ag_errors::{Diagnostic, catalogue};
use ag_syntax::tree::{ConstantKind, Expr, ExprKind, Name, Stmt, StmtKind};

use crate::aliases::is_key;
use crate::name_sets::IntoSet;
use crate::normal::Outcome;
use crate::program::{Beside, Block, Node, Op, OpKind, Operand, each_node};
use crate::seen_writes::{Walk, argument, operands};
use crate::shared::Origin;
use crate::sources::Surroundings;
use crate::variables::root_of;
use crate::written_arguments::WriteKind;

/// The variables that are no arrays: objects of known classes, dicts with keys that are strings, lists that grow.
pub(crate) fn containers(block: &Block, around: &Surroundings<'_>) -> BTreeSet<Name> {
    let mut found: BTreeSet<Name> = around.functions.objects.keys().cloned().into_set();
    found.extend(around.functions.given_containers.iter().cloned());
    each_node(block, &mut |node| {
        let Node::Op(op) = node else { return };
        match &op.kind {
            // What is read of a dict.
            OpKind::Index { base, index, .. }
            | OpKind::Store { base, index, .. }
            | OpKind::AugStore { base, index, .. }
                if is_key(index) || op.whole.is_some_and(WriteKind::is_container) =>
            {
                found.insert(base.clone());
            }
            OpKind::Append { list, .. } | OpKind::Pop { list, .. } => {
                found.insert(list.clone());
            }
            _ => {}
        }
    });
    found
}

impl Walk<'_, '_> {
    /// How an operation writes.
    pub(crate) fn kind_of(&self, op: &Op) -> WriteKind {
        match &op.kind {
            _ if op.whole.is_some() => op.whole.unwrap_or(WriteKind::Other),
            OpKind::Augment { .. } => WriteKind::Augmented,
            OpKind::Append { .. } => WriteKind::List,
            OpKind::Pop { .. } => WriteKind::Items,
            OpKind::Store { base, index, .. } if self.around.is_item(base, index) => WriteKind::Items,
            OpKind::AugStore { base, index, .. } if self.around.is_item(base, index) => WriteKind::Inside,
            OpKind::Store { .. } | OpKind::AugStore { .. } => WriteKind::Array,
            _ => WriteKind::Other,
        }
    }

    /// Whether an operation is `cell.h = v`, `d["h"] = v`, or `ys[i] = v` of a list that is given.
    pub(crate) fn is_item_store(&self, op: &Op) -> bool {
        matches!(&op.kind, OpKind::Store { base, index, .. } if self.around.is_item(base, index))
    }

    /// Whether an object whose items are bound anew is none that the caller has given in all likelihood: that is asked.
    pub(crate) fn is_other_object(&self, written: &Name, kind: WriteKind, given: &Name) -> bool {
        let is_still_given = self.now.readers(&argument(given)).iter().any(|(one, _)| one == given);
        matches!(kind, WriteKind::Items | WriteKind::Parts)
            && self.arguments.contains(given)
            && is_still_given
            && !self.is_held(written, given)
    }

    /// The arguments of a call that may be, or hold, an object to which it writes.
    pub(crate) fn require_other_objects(&mut self, op: &Op) {
        let OpKind::Call { active, changed, .. } = &op.kind else { return };
        for one in changed {
            let mut shown: BTreeSet<Name> =
                self.now.readers(&one.name).into_iter().map(|(one, _)| one).into_set();
            if one.kind != WriteKind::Items {
                shown.extend(self.now.writers(&one.name).into_iter().map(|(one, _)| one));
            }
            if one.kind != WriteKind::Inside {
                shown.retain(|name| !self.kinds.is_numeric(name));
            }
            let times = active.iter().filter(|(_, name)| *name == one.name).count();
            let others = active.iter().map(|(_, name)| name);
            let others: BTreeSet<Name> = others
                .filter(|name| shown.contains(*name) && **name != one.name || **name == one.name && times > 1)
                .cloned()
                .into_set();
            if !others.is_empty() {
                self.apart.entry(op.site).or_default().insert((one.name.clone(), Some(one.kind)), others);
            }
        }
    }

    /// Whether a variable holds what another is.
    pub(crate) fn is_held(&self, name: &Name, by: &Name) -> bool {
        let (mut seen, mut rest) = (BTreeSet::new(), vec![name]);
        while let Some(one) = rest.pop() {
            if one == by {
                return true;
            }
            if seen.insert(one) {
                rest.extend(self.holders.get(one).into_iter().flatten());
            }
        }
        false
    }

    /// Notes what an operation puts where.
    pub(crate) fn note_holders(&mut self, op: &Op) {
        let is_new = matches!(op.kind, OpKind::Call { makes_object: true, .. });
        let held = if is_new { self.held_by_new(op) } else { BTreeSet::new() };
        let mut put = |one: &Name, holder: &Name| {
            self.holders.entry(one.clone()).or_default().insert(holder.clone());
        };
        match &op.kind {
            OpKind::Copy { target, source } => {
                put(target, source);
                put(source, target);
            }
            OpKind::Index { target, base, .. } | OpKind::Pop { target, list: base } => put(target, base),
            OpKind::Display { target, .. } => operands(op).iter().for_each(|one| put(one, target)),
            OpKind::Unpack { targets, source, .. } => {
                targets.iter().flatten().for_each(|target| put(target, source));
            }
            OpKind::Store { base, value: Operand::Active(one), .. }
            | OpKind::Append { list: base, value: Operand::Active(one) }
                if op.whole.is_none() =>
            {
                put(one, base);
            }
            OpKind::Call { target, makes_object: true, .. } => {
                held.iter().for_each(|one| put(one, target));
            }
            _ => {}
        }
    }

    /// What a new object may hold: all that its class is given, also a list that has nothing with a derivative yet.
    pub(crate) fn held_by_new(&self, op: &Op) -> BTreeSet<Name> {
        let mut held = crate::aliases::given(op, self.around);
        held.retain(|name| !self.kinds.is_numeric(name));
        held.extend(operands(op));
        held
    }

    /// A variable is met no more.
    pub(crate) fn forget(&mut self, name: &Name, site: usize) {
        self.keep(name, site);
        self.now.unbind(name);
    }

    /// A variable is bound anew, or met no more. Of an object that two others hold, which do not know of one another, a
    /// name without a variable stays, for each place one:
    ///
    /// ```text
    /// one, other = Log(ys), Log(ys)
    /// ys = []
    /// other.add(x)                        # `one.ys` has it, too
    /// ```
    pub(crate) fn keep(&mut self, name: &Name, site: usize) {
        let readers = self.now.readers(name);
        let are_told = |one: &Name, two: &Name| self.now.shows(one, two) || self.now.shows(two, one);
        let others = |place: usize| readers[place + 1..].iter();
        let is_held_twice = readers
            .iter()
            .enumerate()
            .any(|(place, (one, _))| others(place).any(|(two, _)| !are_told(one, two)));
        if is_held_twice {
            let object: Name = format!("*{name}.{site}").into();
            for (reader, origin) in readers {
                self.now.pair(object.clone(), reader, origin);
            }
        }
    }

    /// Notes that a callee keeps what it is given, of which it has no copy.
    pub(crate) fn keep_arguments(&mut self, op: &Op) {
        let OpKind::Call { active, changed, .. } = &op.kind else { return };
        if changed.is_empty() || self.found.is_some() {
            return;
        }
        for (place, (_, name)) in active.iter().enumerate() {
            // What it writes into it copies where it reads it.
            if !changed.iter().any(|one| one.name == *name && one.kind == WriteKind::Inside) {
                let kept: Name = format!("#{}.{place}", op.site).into();
                self.now.alias(&kept, name);
            }
        }
    }

    /// Refuses a write into an array that a callee keeps:
    ///
    /// ```text
    /// cell.step(x)            # keeps `self.w`, and not a copy of it
    /// cell.w[0] = 1.0
    /// ```
    pub(crate) fn require_not_kept(&mut self, op: &Op, written: &Name) -> Outcome<()> {
        if self.unseen.is_some() {
            return Ok(());
        }
        let is_array =
            matches!(self.kind_of(op), WriteKind::Array | WriteKind::Augmented | WriteKind::Inside);
        // An item of a list or a dict is bound anew.
        let is_container =
            self.kinds.is_list(written) || self.around.functions.containers.contains_key(written);
        let is_list = is_container && !matches!(op.kind, OpKind::AugStore { .. });
        if !is_array || is_list {
            return Ok(());
        }
        let is_inside = self.kind_of(op) == WriteKind::Inside;
        let mut kept = self.now.readers(written);
        if is_inside {
            kept.extend(self.now.writers(written));
        }
        for (mark, origin) in kept.into_iter().filter(|(name, _)| name.starts_with('#')) {
            if is_inside {
                // The variable that was given, if it is still that.
                let is_it =
                    |one: &&(Name, Origin)| self.now.readers(&one.0).iter().any(|(name, _)| *name == mark);
                let readers = self.now.readers(&mark);
                let given = readers.iter().filter(|(one, _)| {
                    self.active.contains(one) && one != written && !self.unnamed.contains(one)
                });
                if let Some((name, _)) = given.clone().find(is_it) {
                    let names = self.apart.entry(op.site).or_default();
                    names.entry((written.clone(), op.whole)).or_default().insert(name.clone());
                    continue;
                }
            }
            let beside = Beside { changed: written.clone(), read: written.clone(), given: Vec::new() };
            match origin {
                Origin::Guarded(sites) if !is_inside => {
                    for site in sites {
                        self.guards.entry(site).or_insert_with(|| beside.clone());
                    }
                }
                Origin::Always if matches!(op.kind, OpKind::Augment { .. }) => {
                    self.guards.insert(op.site, beside);
                }
                _ => {
                    let message = format!(
                        "`{written}` is written in place, after a call that changes an object and was given it"
                    );
                    let help = format!(
                        "compute a new array, `{written} = {written} + ...`, or give the call a copy"
                    );
                    return Err(Diagnostic::error(catalogue::SHARED_WRITE, op.span, message).with_help(help));
                }
            }
        }
        Ok(())
    }

    /// Notes the parameters that the result of the function, the first item of what it returns, may be or hold.
    pub(crate) fn note_shown(&mut self, target: &Name, elements: &[Operand]) {
        if self.result.as_ref() != Some(target) {
            return;
        }
        let own = match elements.first() {
            Some(Operand::Active(own)) => own,
            // A tuple of plain values.
            _ => return self.shown.0 = true,
        };
        self.shown.0 = true;
        // What it holds is no part of it: `return self.h`.
        let shows = |name: &&Name| self.now.readers(&argument(name)).iter().any(|(reader, _)| reader == own);
        let shown: Vec<Name> = self.arguments.iter().filter(shows).cloned().collect();
        self.shown.1.extend(shown);
    }
}

/// How a statement without a derivative writes to the object of a variable.
pub(crate) fn plain_kind(stmt: &Stmt, written: &Name, around: &Surroundings<'_>) -> WriteKind {
    let is_item = |target: &Expr| match &target.kind {
        ExprKind::Subscript { value, index, .. } => {
            matches!(&value.kind, ExprKind::Name { name, .. } if name == written)
                && !around.is_item(written, index)
        }
        _ => false,
    };
    let is_bound_anew = |target: &Expr| match &target.kind {
        ExprKind::Subscript { value, index, .. } => {
            around.is_item(written, index)
                && matches!(&value.kind, ExprKind::Name { name, .. } if name == written)
        }
        ExprKind::Attribute { value, .. } => {
            matches!(&value.kind, ExprKind::Name { name, .. } if name == written)
        }
        _ => false,
    };
    let is_inside = |target: &Expr| {
        let root = root_of(target);
        root == Some(written) && !matches!(target.kind, ExprKind::Name { .. }) && !is_item(target)
    };
    match &stmt.kind {
        StmtKind::Assign { targets, .. } if targets.iter().any(is_bound_anew) => match targets.as_slice() {
            [_] => WriteKind::Items,
            _ => WriteKind::Inside,
        },
        StmtKind::AugAssign { target, .. } if is_bound_anew(target) => WriteKind::Inside,
        StmtKind::Assign { targets, .. } if targets.iter().any(is_inside) => WriteKind::Inside,
        StmtKind::AugAssign { target, .. } if is_inside(target) => WriteKind::Inside,
        StmtKind::AugAssign { target, .. } if is_item(target) => WriteKind::Array,
        StmtKind::AugAssign { target, .. } if matches!(target.kind, ExprKind::Name { .. }) => {
            WriteKind::Augmented
        }
        StmtKind::Assign { targets, .. } if targets.iter().any(is_item) => WriteKind::Array,
        _ => WriteKind::Other,
    }
}

/// Whether an operation is `n += 1`.
pub(crate) fn counts(op: &Op) -> bool {
    matches!(&op.kind, OpKind::Augment { value: Operand::Plain(value), .. } if is_number(value))
}

fn is_number(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Constant { kind: ConstantKind::Int | ConstantKind::Float, .. })
}
