//! Writes in place that only one of two names would tell its adjoint, point by point of a program.
//!
//! ```text
//! row = a[0]
//! row[0] = 2.0        # writes to `a` too
//! return a.sum()      # refused: the adjoint of `a` does not know
//! ```

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::{Diagnostic, Span, catalogue};
use ag_syntax::tree::{ConstantKind, Expr, ExprKind, Name, Stmt, StmtKind};
use ag_syntax::visit::Visitor;

use crate::aliases::{Writes, shared};
use crate::kinds::Kinds;
use crate::lifetimes::{last_met, place};
use crate::normal::Outcome;
use crate::program::{Beside, Block, Head, Loop, Node, Op, OpKind, Operand, Over};
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
pub(crate) fn require_seen_writes(
    block: &Block,
    around: &Surroundings<'_>,
    (active, kinds): (&BTreeSet<Name>, &Kinds),
    (result, arguments): (&Name, &[Name]),
) -> Outcome<Checked> {
    let mut walk = Walk::new(around, active, kinds, arguments);
    walk.dying = last_met(block, Some(result));
    walk.block(block)?;
    walk.read(result, block_span(block))?;
    let gives_one_twice = walk.now.doubled.contains(result);
    Ok(Checked { guards: walk.guards, apart: walk.apart, gives_one_twice })
}

/// What has to hold when a program runs.
#[derive(Default)]
pub(crate) struct Checked {
    /// By the place of `x += v` and `t = x[i]`, what has to be a number there, because another name is read later.
    pub(crate) guards: BTreeMap<usize, Beside>,
    /// By the place of a call, each variable to whose array it writes, and the arguments that may be that array.
    pub(crate) apart: BTreeMap<usize, BTreeMap<Name, BTreeSet<Name>>>,
    /// Whether the result is a tuple that may have one array twice.
    pub(crate) gives_one_twice: bool,
}

/// The parameters to whose objects a function writes, and how.
pub(crate) fn written_parameters(
    block: &Block,
    around: &Surroundings<'_>,
    (active, kinds): (&BTreeSet<Name>, &Kinds),
    parameters: &[Name],
) -> BTreeMap<Name, WriteKind> {
    let mut walk = Walk::new(around, active, kinds, parameters);
    walk.dying = last_met(block, None);
    walk.unseen = Some(Told::new());
    walk.found = Some(BTreeMap::new());
    // What is refused is refused when its derivative is written.
    let _ = walk.block(block);
    walk.found.unwrap_or_default()
}

/// The writes after which a variable is read that may show them: all that [`require_seen_writes`] refuses or guards.
pub(crate) fn unseen_writes(
    block: &Block,
    around: &Surroundings<'_>,
    (active, kinds): (&BTreeSet<Name>, &Kinds),
    (result, arguments): (&Name, &[Name]),
) -> Told {
    let mut walk = Walk::new(around, active, kinds, arguments);
    walk.dying = last_met(block, Some(result));
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
    /// By place, what is known where an iteration begins.
    heads: BTreeMap<usize, Shared>,
    /// Operations that are right for numbers only.
    guards: BTreeMap<usize, Beside>,
    /// By the places where variables are bound to elements of others, these variables.
    elements: BTreeMap<usize, Name>,
    /// The statements of writes, by place.
    writes: BTreeMap<usize, Span>,
    /// Where they are looked for only: the writes that a variable does not know of which is read.
    unseen: Option<Told>,
    /// By the place of a call, the arguments that may be one array of which it writes one.
    apart: BTreeMap<usize, BTreeMap<Name, BTreeSet<Name>>>,
    /// The places of calls of the user's functions.
    calls: BTreeSet<usize>,
    /// Where they are looked for only: the parameters that are written.
    found: Option<BTreeMap<Name, WriteKind>>,
    /// By place, the variables that are met there for the last time.
    dying: BTreeMap<usize, Vec<Name>>,
}

/// What stands for the object that the caller has given, whatever a parameter is bound to later.
fn argument(name: &Name) -> Name {
    format!("@{name}").into()
}

impl<'s, 'r> Walk<'s, 'r> {
    fn new(
        around: &'s Surroundings<'r>,
        active: &'s BTreeSet<Name>,
        kinds: &'s Kinds,
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
            found: None,
            dying: BTreeMap::new(),
        }
    }

    fn read(&mut self, name: &Name, span: Span) -> Outcome<()> {
        let writes = self.now.unknown_to(name);
        writes.into_iter().try_for_each(|write| self.read_after(name, write, span))
    }

    /// A variable is read after a write to what may be its array.
    fn read_after(&mut self, name: &Name, write: Write, span: Span) -> Outcome<()> {
        let Write { by, site, is_augmented, origin } = write;
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
        for (given, origin) in self.given(written) {
            let calls = self.calls_between(&origin);
            match (&mut self.found, calls) {
                (Some(found), None) => {
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
                self.now.readers(written).into_iter().map(|(one, _)| one).collect();
            shown.extend(self.now.writers(written).into_iter().map(|(one, _)| one));
            let times = active.iter().filter(|(_, name)| name == written).count();
            // Of two that are written, one asks.
            let others = active.iter().map(|(_, name)| name).filter(|name| !copied[..place].contains(name));
            let others: BTreeSet<Name> = others
                .filter(|name| shown.contains(*name) || *name == written && times > 1)
                .cloned()
                .collect();
            if !others.is_empty() {
                self.apart.entry(op.site).or_default().insert(written.clone(), others);
            }
        }
    }

    fn block(&mut self, block: &Block) -> Outcome<()> {
        for node in block {
            if self.is_left {
                break;
            }
            self.node(node)?;
            let dying = place(node).and_then(|place| self.dying.get(&place));
            dying.into_iter().flatten().for_each(|name| self.now.unbind(name));
        }
        Ok(())
    }

    fn node(&mut self, node: &Node) -> Outcome<()> {
        match node {
            Node::Plain { stmt, binds, .. } => {
                let mut writes = Writes { around: self.around, found: BTreeSet::new() };
                // What a function that is defined here writes, its calls write.
                if !matches!(&stmt.kind, StmtKind::FunctionDef(def) if self.around.functions.contains(&def.name))
                {
                    writes.visit_stmt(stmt);
                }
                for written in &writes.found {
                    self.require_own(written, plain_kind(stmt, written), stmt.span)?;
                }
                if self.found.is_some() && writes.found.iter().any(|written| binds.contains(written)) {
                    // `for row in a: row *= 2`
                    for name in crate::variables::read_by(stmt) {
                        self.require_own(&name, WriteKind::Other, stmt.span)?;
                    }
                }
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
                binds.iter().for_each(|name| self.now.bind(name, &sources, &Origin::Always));
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
            looped.targets().iter().for_each(|name| self.now.bind(name, &sources, &Origin::Always));
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
        if let Some(written) = op.writes() {
            self.writes.insert(op.site, op.span);
            if let (OpKind::Augment { .. }, false) = (&op.kind, self.found.is_some()) {
                // A number is bound anew.
                if let Some((given, _)) = self.given(written).into_iter().next() {
                    let beside = Beside { changed: written.clone(), read: given, given: Vec::new() };
                    self.guards.insert(op.site, beside);
                }
            } else {
                self.require_own(written, kind_of(op), op.span)?;
            }
            self.require_apart(op, written)?;
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
            // A list that grows is nothing to the numbers and arrays in it.
            let is_growing = op.grows();
            let stale: Vec<(Name, Origin)> = seen_by
                .into_iter()
                .filter(|(name, _)| self.active.contains(name))
                .filter(|(name, _)| !(is_growing && self.kinds.is_numeric(name)))
                .collect();
            let is_augmented = matches!(op.kind, OpKind::Augment { .. });
            for (name, origin) in stale {
                // What is written by item is no number.
                let is_array = |sites: &BTreeSet<usize>| {
                    sites.iter().any(|site| self.elements.get(site) == Some(written))
                };
                let origin = match origin {
                    Origin::Guarded(sites) if !is_augmented && is_array(&sites) => Origin::Always,
                    origin => origin,
                };
                let write = Write { by: written.clone(), site: op.site, is_augmented, origin };
                self.now.note(name, write);
            }
        }
        let held = |operand: &Operand| match operand {
            Operand::Active(name) => Some(name.clone()),
            Operand::Plain(_) => None,
        };
        let (always, guarded) = (Origin::Always, Origin::Guarded(BTreeSet::from([op.site])));
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
            OpKind::Index { target, base, .. } if self.kinds.is_list(base) => {
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
                let viewed = viewed.flat_map(|(_, argument)| argument.active()).cloned().collect();
                self.now.bind(result, &viewed, &always);
            }
            OpKind::Call { target, makes_object: true, .. } => {
                self.now.unbind(target);
                operands(op).iter().for_each(|element| self.now.hold(target, element));
            }
            OpKind::Call { target, copied, gives_copies, written, .. } => {
                for name in written {
                    self.require_own(name, WriteKind::Other, op.span)?;
                }
                self.calls.insert(op.site);
                self.require_apart_arguments(op);
                let mut given = crate::aliases::given(op, self.around);
                given.retain(|name| !(*gives_copies || copied.contains(name)));
                self.now.bind(target, &given, &guarded);
            }
            OpKind::Display { target, .. } => {
                self.now.unbind(target);
                operands(op).iter().for_each(|element| self.now.hold(target, element));
            }
            OpKind::Unpack { targets, source } => {
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
                let is_array = is_everything(index) || self.kinds.is_array(base);
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

/// How an operation writes.
fn kind_of(op: &Op) -> WriteKind {
    match &op.kind {
        OpKind::Augment { .. } => WriteKind::Augmented,
        OpKind::Append { .. } => WriteKind::List,
        OpKind::Store { index, .. } | OpKind::AugStore { index, .. } if !is_key(index) => WriteKind::Array,
        _ => WriteKind::Other,
    }
}

/// Whether an index is a string: the key of a dict, or the attribute of an object.
fn is_key(index: &Expr) -> bool {
    matches!(&index.kind, ExprKind::Constant { kind: ConstantKind::Str, .. })
}

fn is_everything(index: &Expr) -> bool {
    matches!(&index.kind, ExprKind::Constant { kind: ConstantKind::Ellipsis, .. })
}

/// How a statement without a derivative writes to the object of a variable.
fn plain_kind(stmt: &Stmt, written: &Name) -> WriteKind {
    let is_item = |target: &Expr| match &target.kind {
        ExprKind::Subscript { value, index, .. } => {
            matches!(&value.kind, ExprKind::Name { name, .. } if name == written) && !is_key(index)
        }
        _ => false,
    };
    match &stmt.kind {
        StmtKind::AugAssign { target, .. } if is_item(target) => WriteKind::Array,
        StmtKind::AugAssign { target: Expr { kind: ExprKind::Name { .. }, .. }, .. } => WriteKind::Augmented,
        StmtKind::Assign { targets, .. } if targets.iter().any(is_item) => WriteKind::Array,
        _ => WriteKind::Other,
    }
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
