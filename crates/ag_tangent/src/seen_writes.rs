//! Writes in place that only one of two names would tell its adjoint, point by point of a program.
//!
//! ```text
//! row = a[0]
//! row[0] = 2.0        # writes to `a` too
//! return a.sum()      # refused: the adjoint of `a` does not know
//! ```

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::{Diagnostic, Span, catalogue};
use ag_syntax::tree::{ConstantKind, Expr, ExprKind, Name, StmtKind};
use ag_syntax::visit::Visitor;

use crate::aliases::{Writes, objects_bound, shared};
use crate::kinds::Kinds;
use crate::lifetimes::{Ends, last_met, place};
use crate::name_sets::IntoSet;
use crate::normal::Outcome;
use crate::program::{Beside, Block, Head, Loop, Node, Op, OpKind, Operand, Over};
use crate::seen_objects::{containers, counts, plain_kind};
use crate::seen_passes::Pass;
use crate::shared::{Origin, Shared, Write};
use crate::sources::Surroundings;
use crate::variables::{has_slice, root_of};
use crate::views::Told;
use crate::written_arguments::WriteKind;

/// Refuses a program that reads a variable after its memory was written by another name.
///
/// # Arguments
///
/// * `active`, `kinds`: the variables that have a derivative, and what is known of them.
/// * `arguments`: the parameters whose objects the caller has, and which must not be written.
/// * `objects`: the parameters that are objects, dicts or lists to which the function writes.
pub(crate) fn require_seen_writes(
    block: &Block,
    around: &Surroundings<'_>,
    (active, kinds, ends): (&BTreeSet<Name>, &Kinds, &Ends),
    (result, arguments, objects): (&Name, &[Name], &[Name]),
) -> Outcome<Checked> {
    let mut walk = Walk::new(around, (active, kinds, ends), arguments);
    for name in objects {
        walk.now.pair(name.clone(), format!("%{name}").into(), Origin::Always);
    }
    walk.block(block)?;
    walk.read(result, block_span(block))?;
    let gives_one_twice = walk.now.doubled.contains(result);
    Ok(Checked { guards: walk.guards, apart: walk.apart, gives_one_twice })
}

/// By the place of an operation, each variable to whose object it writes, and how, if that is no array; and the others
/// that may be that object.
pub(crate) type Apart = BTreeMap<usize, BTreeMap<(Name, Option<WriteKind>), BTreeSet<Name>>>;

/// What has to hold when a program runs.
#[derive(Default)]
pub(crate) struct Checked {
    /// By the place of `x += v` and `t = x[i]`, what has to be a number there, because another name is read later.
    pub(crate) guards: BTreeMap<usize, Beside>,
    /// What may not be one object.
    pub(crate) apart: Apart,
    /// Whether the result is a tuple that may have one array twice.
    pub(crate) gives_one_twice: bool,
}

/// The parameters to whose objects a function writes, and how; those that its result may be, or hold.
///
/// # Arguments
///
/// * `result`: what it returns, a tuple whose first item is the result of the function.
pub(crate) fn written_parameters(
    block: &Block,
    around: &Surroundings<'_>,
    (active, kinds): (&BTreeSet<Name>, &Kinds),
    (result, parameters): (&Name, &[Name]),
) -> (BTreeMap<Name, WriteKind>, BTreeSet<Name>) {
    let ends = last_met(block, None);
    let mut walk = Walk::new(around, (active, kinds, &ends), parameters);
    walk.unseen = Some(Told::new());
    walk.found = Some(BTreeMap::new());
    walk.containers = containers(block, around);
    walk.result = Some(result.clone());
    // What is refused is refused when its derivative is written.
    let _ = walk.block(block);
    let (is_known, shown) = walk.shown;
    let shown = if is_known { shown } else { parameters.iter().cloned().into_set() };
    (walk.found.unwrap_or_default(), shown)
}

/// The writes after which a variable is read that may show them: all that [`require_seen_writes`] refuses or guards.
pub(crate) fn unseen_writes(
    block: &Block,
    around: &Surroundings<'_>,
    (active, kinds, ends): (&BTreeSet<Name>, &Kinds, &Ends),
    (result, arguments): (&Name, &[Name]),
) -> Told {
    let mut walk = Walk::new(around, (active, kinds, ends), arguments);
    walk.unseen = Some(Told::new());
    // What is refused for another reason is refused later.
    let _ = walk.block(block).and_then(|()| walk.read(result, block_span(block)));
    walk.unseen.unwrap_or_default()
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

pub(crate) struct Walk<'s, 'r> {
    pub(crate) around: &'s Surroundings<'r>,
    /// The variables that have a derivative.
    pub(crate) active: &'s BTreeSet<Name>,
    pub(crate) kinds: &'s Kinds,
    pub(crate) now: Shared,
    /// Whether the point is never reached.
    pub(crate) is_left: bool,
    /// For each loop around, what is known where it is left, and where an iteration ends in the middle.
    pub(crate) exits: Vec<(Shared, Shared)>,
    /// By place, what is known where an iteration begins.
    pub(crate) heads: BTreeMap<usize, Shared>,
    /// Operations that are right for numbers only.
    pub(crate) guards: BTreeMap<usize, Beside>,
    /// By the places where variables are bound to elements of others, these variables.
    pub(crate) elements: BTreeMap<usize, Name>,
    /// The statements of writes, by place.
    pub(crate) writes: BTreeMap<usize, Span>,
    /// Where they are looked for only: the writes that a variable does not know of which is read.
    pub(crate) unseen: Option<Told>,
    /// What may not be one object.
    pub(crate) apart: Apart,
    /// The places of calls of the user's functions.
    pub(crate) calls: BTreeSet<usize>,
    /// By variable, those that hold it, or are bound to the same object, anywhere.
    pub(crate) holders: BTreeMap<Name, BTreeSet<Name>>,
    /// Names of what callees have written to objects, which the text does not have.
    pub(crate) unnamed: BTreeSet<Name>,
    /// The pairs that passes give.
    pub(crate) passes: BTreeMap<Name, Pass>,
    /// Where they are looked for only: the parameters that are written.
    pub(crate) found: Option<BTreeMap<Name, WriteKind>>,
    /// By place, the variables that are met there for the last time.
    pub(crate) dying: &'s Ends,
    /// Where writes are looked for only: what is no array, and the name of the result.
    pub(crate) containers: BTreeSet<Name>,
    pub(crate) result: Option<Name>,
    /// Whether its result was met, and the parameters that it shows.
    pub(crate) shown: (bool, BTreeSet<Name>),
    pub(crate) arguments: Vec<Name>,
}

/// What stands for the object that the caller has given, whatever a parameter is bound to later.
pub(crate) fn argument(name: &Name) -> Name {
    format!("@{name}").into()
}

impl<'s, 'r> Walk<'s, 'r> {
    fn new(
        around: &'s Surroundings<'r>,
        (active, kinds, dying): (&'s BTreeSet<Name>, &'s Kinds, &'s Ends),
        arguments: &[Name],
    ) -> Self {
        let mut now = Shared::default();
        for name in arguments {
            let given = argument(name);
            now.pair(name.clone(), given.clone(), Origin::Always);
            now.pair(given, name.clone(), Origin::Always);
        }
        Self {
            around,
            active,
            kinds,
            now,
            is_left: false,
            exits: Vec::new(),
            heads: BTreeMap::new(),
            guards: BTreeMap::new(),
            elements: BTreeMap::new(),
            writes: BTreeMap::new(),
            unseen: None,
            apart: BTreeMap::new(),
            calls: BTreeSet::new(),
            holders: BTreeMap::new(),
            unnamed: BTreeSet::new(),
            passes: BTreeMap::new(),
            found: None,
            dying,
            containers: BTreeSet::new(),
            result: None,
            shown: (false, BTreeSet::new()),
            arguments: arguments.to_vec(),
        }
    }

    fn read(&mut self, name: &Name, span: Span) -> Outcome<()> {
        let writes = self.now.unknown_to(name);
        writes.into_iter().try_for_each(|write| self.read_after(name, write, span))
    }

    /// A variable is read after a write to what may be its array.
    fn read_after(&mut self, name: &Name, write: Write, span: Span) -> Outcome<()> {
        if self.unnamed.contains(name) {
            return Ok(());
        }
        let Write { by, site, is_augmented, of_items, origin } = write;
        let is_guarded = matches!(origin, Origin::Guarded(_))
            || matches!(of_items, Some(WriteKind::Parts | WriteKind::Inside));
        match of_items {
            // Whether it is that object, or holds it, is asked where that is written.
            Some(WriteKind::Items) if is_guarded && self.unseen.is_some() => return Ok(()),
            Some(kind) if is_guarded && self.unseen.is_none() => {
                let names = self.apart.entry(site).or_default().entry((by, Some(kind))).or_default();
                names.insert(name.clone());
                return Ok(());
            }
            _ => {}
        }
        if let (Some(unseen), Some(span)) = (&mut self.unseen, self.writes.get(&site)) {
            unseen.insert((*span, by));
            return Ok(());
        }
        let beside = Beside { changed: by.clone(), read: name.clone(), given: Vec::new() };
        match origin {
            Origin::Guarded(sites) => {
                for site in sites {
                    self.guards.entry(site).or_insert_with(|| beside.clone());
                }
                return Ok(());
            }
            Origin::Always if is_augmented => {
                self.guards.insert(site, beside);
                return Ok(());
            }
            Origin::Always => {}
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
    fn given(&self, name: &Name) -> Vec<(Name, Origin)> {
        let readers = self.now.readers(name).into_iter();
        readers.filter_map(|(reader, origin)| Some((reader.strip_prefix('@')?.into(), origin))).collect()
    }

    /// The calls that may have given one the other; none if two names may have one object in another way.
    fn calls_between(&self, origin: &Origin) -> Option<Vec<usize>> {
        match origin {
            Origin::Guarded(sites) if sites.is_subset(&self.calls) => Some(sites.iter().copied().collect()),
            _ => None,
        }
    }

    /// Refuses a write to what the caller has given to a callee: the caller's adjoints would not know.
    fn require_own(&mut self, written: &Name, kind: WriteKind, span: Span) -> Outcome<()> {
        self.require_own_unless(written, (kind, false, None), span)
    }

    /// The same; whether it is `n += 1`, for which is asked that `n` is a number where it is one of what an object holds;
    /// the place, where it is asked whether another name has the object.
    fn require_own_unless(
        &mut self,
        written: &Name,
        (kind, counts, site): (WriteKind, bool, Option<usize>),
        span: Span,
    ) -> Outcome<()> {
        for (given, origin) in self.given(written) {
            if let (Origin::Guarded(_), Some(site)) = (&origin, site)
                && self.is_other_object(written, kind, &given)
            {
                if !self.kinds.is_numeric(&given) && self.found.is_none() {
                    let names = self.apart.entry(site).or_default();
                    names.entry((written.clone(), Some(kind))).or_default().insert(given);
                }
                continue;
            }
            let calls = self.calls_between(&origin);
            match (&mut self.found, calls) {
                (Some(found), None) => {
                    let kind = match (*written == given, self.containers.contains(&given), kind) {
                        // What the parameter holds is written, and not the parameter itself.
                        (false, _, WriteKind::Items | WriteKind::Parts | WriteKind::List) => WriteKind::Parts,
                        (false, true, WriteKind::Augmented) if counts => WriteKind::Items,
                        (false, true, WriteKind::Array | WriteKind::Augmented) => WriteKind::Inside,
                        (_, _, kind) => kind,
                    };
                    let known = found.entry(given).or_insert(kind);
                    *known = kind.and(*known);
                }
                (Some(_), Some(_)) => {}
                (None, Some(sites)) => {
                    let beside = Beside { changed: written.clone(), read: given, given: Vec::new() };
                    for site in sites {
                        self.guards.entry(site).or_insert_with(|| beside.clone());
                    }
                }
                (None, None) => {
                    let message = format!(
                        "`{written}` is written in place, and is `{given}` of the caller or of a module"
                    );
                    let help = format!("write to a copy, `{written} = {written}.copy()`, and return it");
                    return Err(Diagnostic::error(catalogue::SHARED_WRITE, span, message).with_help(help));
                }
            }
        }
        Ok(())
    }

    /// The arguments of a call that may be an array to which it writes.
    fn require_apart_arguments(&mut self, op: &Op) {
        let OpKind::Call { active, copied, .. } = &op.kind else { return };
        for (place, written) in copied.iter().enumerate() {
            let mut shown: BTreeSet<Name> =
                self.now.readers(written).into_iter().map(|(one, _)| one).into_set();
            shown.extend(self.now.writers(written).into_iter().map(|(one, _)| one));
            let times = active.iter().filter(|(_, name)| name == written).count();
            // Of two that are written, one asks.
            let others = active.iter().map(|(_, name)| name).filter(|name| !copied[..place].contains(name));
            let others: BTreeSet<Name> = others
                .filter(|name| shown.contains(*name) || *name == written && times > 1)
                .cloned()
                .into_set();
            if !others.is_empty() {
                self.apart.entry(op.site).or_default().insert((written.clone(), None), others);
            }
        }
        self.require_other_objects(op);
    }

    fn block(&mut self, block: &Block) -> Outcome<()> {
        for node in block {
            if self.is_left {
                break;
            }
            self.node(node)?;
            let Some(site) = place(node) else { continue };
            let dying = self.dying.get(&site).cloned().unwrap_or_default();
            dying.iter().for_each(|name| self.forget(name, site));
        }
        Ok(())
    }

    fn node(&mut self, node: &Node) -> Outcome<()> {
        match node {
            Node::Plain { stmt, binds, site, .. } => {
                let mut writes = Writes::new(self.around);
                // What a function that is defined here writes, its calls write.
                if !matches!(&stmt.kind, StmtKind::FunctionDef(def) if self.around.functions.contains(&def.name))
                {
                    writes.visit_stmt(stmt);
                }
                for written in &writes.found {
                    self.require_own(written, plain_kind(stmt, written, self.around), stmt.span)?;
                }
                if self.found.is_some() && writes.found.iter().any(|written| binds.contains(written)) {
                    // `for row in a: row *= 2`
                    for name in crate::variables::read_by(stmt) {
                        self.require_own(&name, WriteKind::Other, stmt.span)?;
                    }
                }
                let mut sources = match &stmt.kind {
                    StmtKind::Assign { value, .. } => shared(value, self.around),
                    StmtKind::Expr(_) | StmtKind::AugAssign { .. } => return Ok(()),
                    _ => crate::variables::read_by(stmt)
                        .into_iter()
                        .filter(|name| self.around.is_local(name))
                        .into_set(),
                };
                if let StmtKind::Assign { value, .. } = &stmt.kind {
                    sources.extend(self.outside(value).map(|outside| argument(&outside)));
                }
                for name in objects_bound(stmt, binds, self.around) {
                    self.keep(name, *site);
                    self.now.bind(name, &sources, &Origin::Always);
                }
            }
            Node::Op(op) => self.op(op)?,
            // Where the test does not hold, there was no such write.
            Node::If(choice) if choice.is_telling => {
                self.block(&choice.then.block)?;
                self.block(&choice.orelse.block)?;
            }
            Node::If(choice) => {
                let before = self.now.clone();
                self.block(&choice.then.block)?;
                let then = std::mem::replace(&mut self.now, before);
                let then_left = std::mem::take(&mut self.is_left);
                self.block(&choice.orelse.block)?;
                match (then_left, self.is_left) {
                    (false, true) => self.now = then,
                    (false, false) => self.now.join(&then),
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
                    exits.join(&self.now);
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
        // A loop in a loop begins with what it has found before.
        if let Some(known) = self.heads.get(&looped.site) {
            self.now.join(known);
        }
        loop {
            let start = self.now.clone();
            let sources = match &looped.head {
                Head::For { iter, over, .. } if !matches!(over, Over::Range) => shared(iter, self.around),
                _ => BTreeSet::new(),
            };
            for name in looped.targets() {
                self.keep(&name, looped.site);
                self.now.bind(&name, &sources, &Origin::Always);
            }
            if let Head::For { over: Over::Items { base, .. }, .. } = &looped.head {
                self.read(base, looped.span)?;
            }
            self.block(&looped.body.block)?;
            if std::mem::take(&mut self.is_left) {
                self.now = start.clone();
            }
            self.now.join(&start);
            if let Some((_, continues)) = self.exits.last() {
                self.now.join(continues);
            }
            if self.now == start {
                break;
            }
        }
        self.heads.insert(looped.site, self.now.clone());
        if let Some((breaks, _)) = self.exits.pop() {
            self.now.join(&breaks);
        }
        Ok(())
    }

    /// Refuses `xs[0] *= 2` of a list that may have its array at another place too.
    fn require_apart(&self, op: &Op, written: &Name) -> Outcome<()> {
        let is_item = matches!(&op.kind, OpKind::AugStore { index, .. } if !has_slice(index));
        if !(is_item && self.now.doubled.contains(written)) {
            return Ok(());
        }
        let message =
            format!("an item of `{written}` is changed in place, and `{written}` may have it twice");
        let help = "assign a new value, `xs[i] = xs[i] * y`, or put copies into the list";
        Err(Diagnostic::error(catalogue::SHARED_WRITE, op.span, message).with_help(help))
    }

    fn op(&mut self, op: &Op) -> Outcome<()> {
        if let (true, OpKind::Store { base, value: Operand::Active(view), .. }) = (op.is_telling, &op.kind) {
            self.read(view, op.span)?;
            self.now.tell(base, view);
            return Ok(());
        }
        // `row = a[0]` where `row` may be `a[0]`: it is what it was, and knows what `a` knows, which may not be all.
        if op.is_telling
            && let [source] = operands(op).as_slice()
            && let [target] = op.binds().as_slice()
            && self.now.shows(source, target)
        {
            self.now.tell(target, source);
            return Ok(());
        }
        for name in operands(op) {
            self.read(&name, op.span)?;
        }
        self.note_holders(op);
        if let Some(written) = op.writes() {
            self.writes.insert(op.site, op.span);
            if let (OpKind::Augment { .. }, false) = (&op.kind, self.found.is_some()) {
                // A number is bound anew.
                if let Some((given, _)) = self.given(written).into_iter().next() {
                    let beside = Beside { changed: written.clone(), read: given, given: Vec::new() };
                    self.guards.insert(op.site, beside);
                }
            } else {
                let site = op
                    .whole
                    .map_or_else(|| self.is_item_store(op), WriteKind::is_container)
                    .then_some(op.site);
                self.require_own_unless(written, (self.kind_of(op), counts(op), site), op.span)?;
            }
            let of = self.now.readers(written).into_iter();
            if let Some(object) = of.filter_map(|(one, _)| Some(one.strip_prefix('%')?.into())).next()
                && counts(op)
                && *written != object
            {
                let beside = Beside { changed: written.clone(), read: object, given: Vec::new() };
                self.guards.insert(op.site, beside);
            }
            self.require_apart(op, written)?;
            self.require_not_kept(op, written)?;
            let mut seen_by = self.now.readers(written);
            // `xs[0] *= 2` writes into the array that the list has there.
            if matches!(&op.kind, OpKind::AugStore { index, .. } if !has_slice(index)) {
                for (item, origin) in self.now.writers(written) {
                    let also = |(name, further): (Name, Origin)| (name, origin.and(&further));
                    seen_by.extend(self.now.readers(&item).into_iter().map(also));
                    seen_by.push((item, origin));
                }
                seen_by.retain(|(name, _)| name != written);
            }
            // What a callee has written into is anything that the object holds.
            if matches!(op.whole, Some(WriteKind::Parts | WriteKind::Inside)) {
                for (item, origin) in self.now.writers(written) {
                    let also = |(name, further): (Name, Origin)| (name, origin.and(&further));
                    seen_by.extend(self.now.readers(&item).into_iter().map(also));
                    seen_by.push((item, origin));
                }
                let new = operands(op);
                seen_by.retain(|(name, _)| name != written && !new.contains(name));
            }
            // A list that grows is nothing to the numbers and arrays in it.
            let is_growing = op.grows();
            let stale: Vec<(Name, Origin)> = seen_by
                .into_iter()
                .filter(|(name, _)| self.active.contains(name))
                .filter(|(name, _)| !(is_growing && self.kinds.is_numeric(name)))
                .collect();
            let is_augmented = matches!(op.kind, OpKind::Augment { .. });
            let of_items = Some(self.kind_of(op)).filter(|kind| kind.is_container() && !is_growing);
            for (name, origin) in stale {
                // What holds it has to know; an array is no object.
                let of_items = of_items.filter(|_| !self.is_held(written, &name));
                let is_array_safe = matches!(of_items, Some(WriteKind::Items | WriteKind::Parts));
                if is_array_safe && self.kinds.is_numeric(&name) {
                    continue;
                }
                // What is written by item is no number.
                let is_array = |sites: &BTreeSet<usize>| {
                    sites.iter().any(|site| self.elements.get(site) == Some(written))
                };
                let origin = match origin {
                    Origin::Guarded(sites) if !is_augmented && of_items.is_none() && is_array(&sites) => {
                        Origin::Always
                    }
                    origin => origin,
                };
                let write = Write { by: written.clone(), site: op.site, is_augmented, of_items, origin };
                self.now.note(name, write);
            }
        }
        let held = |operand: &Operand| match operand {
            Operand::Active(name) => Some(name.clone()),
            Operand::Plain(_) => None,
        };
        let (always, guarded) = (Origin::Always, Origin::Guarded(BTreeSet::from([op.site])));
        op.binds().iter().for_each(|name| self.keep(name, op.site));
        match &op.kind {
            OpKind::Copy { target, source } => {
                let is_doubled = self.now.doubled.contains(source);
                self.now.alias(target, source);
                if is_doubled {
                    self.now.doubled.add(target.clone());
                }
                if op.is_move {
                    self.now.unbind(source);
                }
            }
            OpKind::Index { target, base, index } if self.kinds.is_list(base) && has_slice(index) => {
                self.now.bind_items(target, base, op.site);
            }
            OpKind::Index { target, base, index }
                if self.kinds.is_list(base) || self.around.is_item(base, index) =>
            {
                self.elements.insert(op.site, target.clone());
                self.now.bind_item(target, base, &guarded);
            }
            OpKind::Index { target, base, index } if has_slice(index) => {
                self.now.bind(target, &BTreeSet::from([base.clone()]), &always);
            }
            OpKind::Index { target, base, .. } => {
                self.elements.insert(op.site, target.clone());
                self.now.bind(target, &BTreeSet::from([base.clone()]), &guarded);
            }
            OpKind::Pop { target, list } => self.now.bind_item(target, list, &always),
            OpKind::Rule { result, .. } if self.kinds.source_of_items(op).is_some() => {
                if let Some(source) = self.kinds.source_of_items(op) {
                    self.now.bind_items(result, source, op.site);
                }
            }
            OpKind::Rule { rule, result, operands } if rule.is_view => {
                let viewed = operands.iter().filter(|(parameter, _)| !rule.forms.contains(parameter));
                let viewed = viewed.flat_map(|(_, argument)| argument.active()).cloned().into_set();
                self.now.bind(result, &viewed, &always);
            }
            OpKind::Call { target, makes_object: true, .. } => {
                self.now.unbind(target);
                self.held_by_new(op).iter().for_each(|element| self.now.hold(target, element));
            }
            OpKind::Call { target, copied, changed, gives_copies, written, .. } => {
                for name in written {
                    self.require_own(name, WriteKind::Other, op.span)?;
                }
                self.calls.insert(op.site);
                self.require_apart_arguments(op);
                self.keep_arguments(op);
                let mut given = crate::aliases::given(op, self.around);
                given.retain(|name| !(*gives_copies || copied.contains(name)));
                given.retain(|name| !changed.iter().any(|one| one.name == *name && !one.is_shown));
                self.note_pass(op, &given);
                for one in changed.iter().filter(|one| !one.is_shown) {
                    self.now.may_hold(target, &one.name, &guarded);
                }
            }
            OpKind::Display { target, elements, .. } => {
                self.note_shown(target, elements);
                self.now.unbind(target);
                operands(op).iter().for_each(|element| self.now.hold(target, element));
            }
            OpKind::Unpack { targets, source, .. } if self.passes.contains_key(source) => {
                if let Some(pass) = self.passes.get(source).cloned() {
                    self.unpack_pass(pass, targets, source);
                }
            }
            OpKind::Unpack { targets, source, same } => {
                self.unnamed.extend(same.iter().map(|(name, _)| name.clone()));
                let source = BTreeSet::from([source.clone()]);
                targets.iter().flatten().for_each(|target| self.now.bind(target, &source, &always));
            }
            OpKind::Append { list, value } => {
                if let Some(value) = held(value) {
                    self.now.hold(list, &value);
                }
            }
            // A list or dict holds the value; an array has copied it, and nothing else has all its items at `...`.
            OpKind::Store { base, index, value } => {
                // What has a list for its index is an array.
                let is_array = is_everything(index)
                    || self.kinds.is_array(base)
                    || matches!(index.kind, ExprKind::List { .. });
                if let (Some(value), false) = (held(value), is_array) {
                    self.now.hold(base, &value);
                }
            }
            OpKind::Augment { .. } | OpKind::AugStore { .. } => {}
            OpKind::Constant { target } => {
                self.now.unbind(target);
                if let StmtKind::Assign { value, .. } = &op.forward.kind
                    && let Some(outside) = self.outside(value)
                {
                    self.now.bind(target, &BTreeSet::from([argument(&outside)]), &always);
                }
            }
            _ => op.binds().iter().for_each(|name| self.now.unbind(name)),
        }
        Ok(())
    }
}

fn is_everything(index: &Expr) -> bool {
    matches!(&index.kind, ExprKind::Constant { kind: ConstantKind::Ellipsis, .. })
}

/// The active variables that an operation reads.
pub(crate) fn operands(op: &Op) -> Vec<Name> {
    let active = |operand: &Operand| match operand {
        Operand::Active(name) => Some(name.clone()),
        Operand::Plain(_) => None,
    };
    match &op.kind {
        OpKind::Rule { operands, .. } => {
            operands.iter().flat_map(|(_, argument)| argument.active().cloned()).collect()
        }
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
