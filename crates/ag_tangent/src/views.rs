//! Views: what is written by one of the names of an array is told to the others, whose adjoints do not know.
//!
//! ```text
//! row = a[i]                  row = a[i]
//! row /= 2.0                  row /= 2.0
//!                             if tangent.is_view(row, a, i):      # a number is bound anew
//!                                 a[i] = row                      # writes what is there
//! ```
//!
//! A view is a base and the expression that made it of that. The names between two writes are a tree: a write goes up
//! to the base of what is written, and down to the other views of it, which are made again. That this tells every name
//! that is read later is not taken for granted: `seen_writes.rs` looks for those that were not told, and refuses them.

use std::collections::BTreeSet;
use std::rc::Rc;

use ag_errors::Span;
use ag_syntax::Builder;
use ag_syntax::tree::{ConstantKind, Context, Expr, ExprKind, Name, Stmt, StmtKind};

use crate::adjoints::{helper, index_value};
use crate::chosen_views::Path;
use crate::normal::{Former, Outcome};
use crate::persistent::Set;
use crate::program::{Block, Node, Op, OpKind, Operand};
use crate::variables::{augmented_in, dotted, has_slice, read_in, root_of, times_bound};
use crate::written_arguments::WriteKind;

/// The statements whose writes are told, and the variables that they write to.
pub(crate) type Told = BTreeSet<(Span, Name)>;

/// What is known at a point of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The views at hand.
    pub(crate) views: Vec<Rc<View>>,
    /// The variables that are bound on every path to it.
    pub(crate) definite: Set<Name>,
}

/// A variable that may show the memory of another.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) name: Name,
    pub(crate) base: Name,
    /// What it was bound to.
    value: Expr,
    kind: ViewKind,
    /// The branches that have made it one; none if all have.
    pub(crate) path: Path,
}

#[derive(Clone, Debug)]
enum ViewKind {
    /// `b = a`.
    Same,
    /// `b = a[index]`.
    Item(Expr),
    /// `a = [b]`, `a[index] = b`: of a list or dict, and not of an array, which copies.
    Held(Expr),
    /// `b = a.w` of an object.
    Field(Name),
    /// `b = a.T`.
    Transposed,
    /// `b = a.reshape(...)`, `b = a.ravel()`.
    Reshaped,
}

impl View {
    /// What an operation binds, if it may be a view.
    fn of(op: &Op) -> Option<Self> {
        let StmtKind::Assign { value, .. } = &op.forward.kind else { return None };
        let (name, base, kind) = match &op.kind {
            OpKind::Copy { target, source } => (target, source, ViewKind::Same),
            OpKind::Index { target, base, index } => {
                let kind = match &value.kind {
                    ExprKind::Attribute { attr, .. } => ViewKind::Field(attr.clone()),
                    _ => ViewKind::Item(index.clone()),
                };
                (target, base, kind)
            }
            OpKind::Rule { result, .. } => {
                let (base, kind) = shaped(value)?;
                (result, base, kind)
            }
            _ => return None,
        };
        let is_found_again = match &kind {
            ViewKind::Item(index) => is_stable(index),
            _ => true,
        };
        let (name, base) = (name.clone(), base.clone());
        (name != base && is_found_again).then(|| Self {
            name,
            base,
            value: value.clone(),
            kind,
            path: Path::default(),
        })
    }

    fn mentions(&self, name: &Name) -> bool {
        self.name == *name || read_in(&self.value).contains(name)
    }

    /// It, where these branches have made it.
    pub(crate) fn on(&self, path: Path) -> Self {
        Self { path, ..self.clone() }
    }

    /// Whether not all branches have made it one.
    fn is_chosen(&self) -> bool {
        self.path != Path::default()
    }

    /// Whether two are one, made at one place.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let is_one = self.name == other.name && self.base == other.base && self.value.id == other.value.id;
        is_one && self.path == other.path
    }

    /// The base gets what was written into the view.
    fn up(&self, b: Builder<'_>) -> Stmt {
        let view = b.name(self.name.clone());
        let everything = || b.constant(ConstantKind::Ellipsis, "...");
        let (index, value) = match &self.kind {
            ViewKind::Same => return b.assign_name(self.base.clone(), view),
            ViewKind::Item(index) | ViewKind::Held(index) => (b.copy_expr(index), view),
            ViewKind::Field(attr) => {
                let mut field = b.attribute(b.name(self.base.clone()), attr.clone());
                ag_syntax::set_context(&mut field, Context::Store);
                return b.assign(field, view);
            }
            ViewKind::Transposed => (everything(), b.attribute(view, "T")),
            ViewKind::Reshaped => {
                let shape = b.call(b.attribute(b.name("np"), "shape"), [b.name(self.base.clone())]);
                (everything(), b.call(b.attribute(b.name("np"), "reshape"), [view, shape]))
            }
        };
        let mut target = b.subscript(b.name(self.base.clone()), index);
        ag_syntax::set_context(&mut target, Context::Store);
        b.assign(target, value)
    }

    /// The view is made again of its base.
    pub(crate) fn down(&self, b: Builder<'_>) -> Stmt {
        b.assign_name(self.name.clone(), b.copy_expr(&self.value))
    }

    /// Whether it shows the memory of its base now.
    ///
    /// # Arguments
    ///
    /// * `is_inside`: whether arrays that it holds may have been written.
    fn test(&self, b: Builder<'_>, is_inside: bool) -> Expr {
        let names = [b.name(self.name.clone()), b.name(self.base.clone())];
        match &self.kind {
            ViewKind::Field(attr) => {
                let more = is_inside.then(|| b.bool(true));
                helper(b, "is_attribute", names.into_iter().chain([b.string(attr)]).chain(more))
            }
            ViewKind::Same => helper(b, "is_still", [b.name(self.name.clone()), b.copy_expr(&self.value)]),
            ViewKind::Held(index) => helper(b, "is_held", names.into_iter().chain([index_value(b, index)])),
            ViewKind::Item(index) if !has_slice(index) => {
                helper(b, "is_view", names.into_iter().chain([index_value(b, index)]))
            }
            _ => helper(b, "is_view", names),
        }
    }
}

/// The variable of `a.T`, `a.reshape(...)` and `a.ravel()`, also by functions.
fn shaped(value: &Expr) -> Option<(&Name, ViewKind)> {
    if let ExprKind::Attribute { value: base, attr, .. } = &value.kind {
        let ExprKind::Name { name, .. } = &base.kind else { return None };
        return (&**attr == "T").then_some((name, ViewKind::Transposed));
    }
    let ExprKind::Call { func, args, keywords } = &value.kind else { return None };
    let ExprKind::Attribute { value: owner, attr, .. } = &func.kind else { return None };
    if !args.iter().chain(keywords.iter().map(|keyword| &keyword.value)).all(is_stable) {
        return None;
    }
    let is_numpy = root_of(owner).is_some_and(|root| matches!(&**root, "np" | "numpy"));
    let base = if is_numpy { args.first()? } else { &**owner };
    let ExprKind::Name { name, .. } = &base.kind else { return None };
    matches!(&**attr, "reshape" | "ravel").then_some((name, ViewKind::Reshaped))
}

/// Whether an expression has the same value as long as its variables are not bound anew: `i + 1`, and not `len(xs)`.
fn is_stable(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name { .. } | ExprKind::Constant { .. } => true,
        ExprKind::Attribute { value, attr, .. } => {
            matches!(&**attr, "shape" | "ndim" | "size") && is_stable(value)
        }
        ExprKind::Unary { operand, .. } => is_stable(operand),
        ExprKind::Binary { left, right, .. } => is_stable(left) && is_stable(right),
        ExprKind::Tuple { elements, .. } => elements.iter().all(is_stable),
        ExprKind::Subscript { value, index, .. } => {
            matches!(value.kind, ExprKind::Attribute { .. }) && is_stable(value) && is_stable(index)
        }
        ExprKind::Slice { lower, upper, step } => {
            [lower, upper, step].into_iter().flatten().all(|one| is_stable(one))
        }
        ExprKind::Call { func, args, .. } => {
            matches!(dotted(func).as_deref(), Some("np.shape" | "np.ndim" | "np.size"))
                && args.iter().all(is_stable)
        }
        _ => false,
    }
}

/// Whether an operation makes a record.
fn is_call(op: &Op) -> bool {
    matches!(&op.forward.kind, StmtKind::Assign { value, .. } if matches!(value.kind, ExprKind::Call { .. }))
}

/// Whether an index is one of arrays and slices of lists, and no key: `1:`, `...`.
fn is_of_array(index: &Expr) -> bool {
    has_slice(index) || matches!(&index.kind, ExprKind::Constant { kind: ConstantKind::Ellipsis, .. })
}

/// The place of the operation that has written to a variable last: that of the call where a callee has.
fn writing_site(made: &Block, name: &Name) -> Option<usize> {
    let writes = |op: &&Op| match &op.kind {
        OpKind::Call { changed, .. } => changed.iter().any(|one| one.name == *name),
        _ => {
            let is_of_call = op.whole.is_some_and(WriteKind::is_container) && !op.changes_whole();
            op.writes() == Some(name) && !is_of_call
        }
    };
    let ops = made.iter().rev().filter_map(|node| match node {
        Node::Op(op) => Some(op),
        _ => None,
    });
    ops.into_iter().find(writes).map(|op| op.site)
}

/// Says of the choices that tell of a write where that is.
///
/// # Arguments
///
/// * `knowing`: the variables that have been told before, if other items are there after the write.
fn note_write(block: &mut Block, site: Option<usize>, knowing: Option<&BTreeSet<Name>>) {
    let mut knowing = knowing.cloned();
    for node in block {
        match node {
            Node::If(choice) => {
                choice.told_at = site;
                choice.knowing = knowing.clone().unwrap_or_default();
            }
            Node::Op(op) => {
                let names = op.binds().into_iter().chain(op.writes().cloned());
                knowing.iter_mut().for_each(|knowing| knowing.extend(names.clone()));
            }
            _ => {}
        }
        node.blocks_mut().into_iter().for_each(|inner| note_write(inner, site, knowing.as_ref()));
    }
}

impl Former<'_, '_> {
    /// Notes what an operation binds.
    pub(crate) fn note_views(&mut self, op: &Op) {
        if self.is_telling || self.told.is_empty() {
            return;
        }
        // `row /= s` writes to an array, and a number that it binds is no view.
        if !matches!(op.kind, OpKind::Augment { .. }) {
            self.forget_views(&op.binds());
        }
        // A global may be bound anew by any call.
        let is_ours = |view: &View| match &view.kind {
            ViewKind::Item(index) => read_in(index).iter().all(|name| self.around.is_local(name)),
            _ => true,
        };
        // A field of a record is not bound anew.
        let is_bound_once =
            |view: &View| matches!(view.kind, ViewKind::Field(_)) && self.around.is_record(&view.base);
        let found = View::of(op).filter(is_ours).filter(|view| !is_bound_once(view));
        self.known.views.extend(found.map(Rc::new));
        self.note_items(op);
    }

    /// Notes what a list or dict holds: `w` of `p = [w, b]` and of `p["w"] = w` is `p[0]`, and `p["w"]`.
    fn note_items(&mut self, op: &Op) {
        let b = self.b.at(op.span);
        let items: Vec<(Name, Expr)> = match &op.kind {
            OpKind::Display { target, .. } if self.around.is_record(target) || is_call(op) => return,
            OpKind::Display { elements, keys, .. } => {
                let places = (0_i64..).map(|place| b.int(place));
                let indices: Vec<Expr> =
                    keys.clone().unwrap_or_else(|| places.take(elements.len()).collect());
                let named = |(element, index): (&Operand, Expr)| match element {
                    Operand::Active(name) => Some((name.clone(), index)),
                    Operand::Plain(_) => None,
                };
                elements.iter().zip(indices).filter_map(named).collect()
            }
            OpKind::Store { index, value: Operand::Active(name), .. } => vec![(name.clone(), index.clone())],
            _ => return,
        };
        let field = match &op.forward.kind {
            StmtKind::Assign { targets, .. } => match targets.first().map(|target| &target.kind) {
                Some(ExprKind::Attribute { attr, .. }) => Some(attr.clone()),
                _ => None,
            },
            _ => None,
        };
        let Some(container) = op.writes().or(op.binds().first()).cloned() else { return };
        for (name, index) in items {
            let is_ours = read_in(&index).iter().all(|name| self.around.is_local(name));
            // `b = a[1]; a[0] = b`: an array copies, and what a list has twice is found by the test of the first.
            let is_known = self.known.views.iter().any(|view| view.name == name && view.base == container);
            if name == container || is_known || is_of_array(&index) || !(is_stable(&index) && is_ours) {
                continue;
            }
            let base = b.name(container.clone());
            let (value, kind) = match &field {
                Some(attr) => (b.attribute(base, attr.clone()), ViewKind::Field(attr.clone())),
                None => (b.subscript(base, index.clone()), ViewKind::Held(index)),
            };
            let base = container.clone();
            self.known.views.push(Rc::new(View { name, base, value, kind, path: Path::default() }));
        }
    }

    /// Forgets views of which a variable is bound anew.
    pub(crate) fn forget_views(&mut self, bound: &[Name]) {
        if !self.is_telling {
            self.known.views.retain(|view| !bound.iter().any(|name| view.mentions(name)));
        }
    }

    /// Forgets the views of which an iteration binds a variable anew: `row /= s` writes to what `row` is.
    pub(crate) fn forget_views_in_loop(&mut self, body: &[Stmt]) {
        let augmented = augmented_in(body);
        let bound = times_bound(body);
        self.known.views.retain(|view| {
            !bound.iter().any(|(name, times)| {
                let is_array = *name == view.name || *name == view.base;
                let is_augmented = is_array && augmented.get(name) == Some(times);
                view.mentions(name) && !is_augmented
            })
        });
    }

    /// Tells the writes of the operations that a statement was made into.
    pub(crate) fn tell_writes(&mut self, from: usize, made: &mut Block) -> Outcome<()> {
        if self.is_telling || self.told.is_empty() {
            return Ok(());
        }
        let written: Vec<(Name, bool)> = made[from..]
            .iter()
            .filter_map(|node| match node {
                // What a callee has written was told where it was written back.
                Node::Op(op) if op.whole.is_some() && from != made.len() - 1 => None,
                Node::Op(op) if self.told_sites.contains(&op.site) => None,
                Node::Op(op) => {
                    let name = op.writes()?;
                    let is_shown = self.own.contains(name) || self.parts.contains(name);
                    let is_told = is_shown && self.told.contains(&(op.span, name.clone()));
                    is_told.then(|| (name.clone(), op.grows()))
                }
                _ => None,
            })
            .collect();
        let is_inside = |node: &Node| matches!(node, Node::Op(op) if op.whole == Some(WriteKind::Inside));
        self.tells_inside = made[from..].iter().any(is_inside);
        let is_of_call = |node: &Node| matches!(node, Node::Op(op) if op.whole == Some(WriteKind::Items));
        for (name, is_growing) in written {
            self.is_growing = is_growing;
            // What a callee has written to a list may have made it longer.
            let is_list = !self.around.functions.objects.contains_key(&name);
            self.may_resize = is_list && made[from..].iter().any(is_of_call);
            let told = self.tellings(&name, &[], &Path::default());
            self.is_telling = true;
            let block = self.block(&told);
            self.is_telling = false;
            let at = writing_site(made, &name);
            let has_others = made
                .iter()
                .any(|node| matches!(node, Node::Op(op) if Some(op.site) == at && op.changes_whole()));
            let knowing = has_others.then(|| BTreeSet::from([name.clone()]));
            let mut block = block?;
            note_write(&mut block, at, knowing.as_ref());
            made.extend(block);
        }
        Ok(())
    }

    /// The statements that tell the bases and the views of a variable what was written into it, but for those that know.
    ///
    /// # Arguments
    ///
    /// * `path`: what has decided that these statements run.
    pub(crate) fn tellings(&self, written: &Name, knowing: &[Name], path: &Path) -> Vec<Stmt> {
        let mut known = knowing.to_vec();
        known.push(written.clone());
        let mut told = Vec::new();
        let mut chosen: Vec<BTreeSet<Name>> = Vec::new();
        for view in &self.known.views {
            if self.told_by(view, &known).is_none() || path.excludes(&view.path) {
                continue;
            }
            if path.open(&view.path).is_none() {
                told.extend(self.telling(view, &known, path));
            } else if let Some(ends) = self.ends_of(view, &known)
                && !chosen.contains(&ends)
            {
                told.extend(self.telling_chosen(&ends, &known, path));
                chosen.push(ends);
            }
        }
        told
    }

    /// The other end of a view of what was written, the last of those that know, if it has to be told.
    pub(crate) fn told_by<'v>(&self, view: &'v View, known: &[Name]) -> Option<&'v Name> {
        let written = known.last()?;
        let other = if view.name == *written { &view.base } else { &view.name };
        let is_told = self.has_derivative(&view.base)
            && self.has_derivative(&view.name)
            && (view.name == *written || view.base == *written && !self.is_passing(view))
            // Zeros for a list on another path would have another length.
            && !((self.is_growing || self.may_resize) && view.is_chosen());
        (is_told && !known.contains(other)).then_some(other)
    }

    /// The statements that tell one end of a view what was written into the other.
    pub(crate) fn telling(&self, view: &View, known: &[Name], path: &Path) -> Vec<Stmt> {
        let b = self.b.at(self.span);
        let is_up = known.last() == Some(&view.name);
        let (first, next) = if is_up { (view.up(b), &view.base) } else { (view.down(b), &view.name) };
        let mut body = Vec::new();
        if is_up {
            self.make_again(next, known, path, &mut body);
        }
        body.push(first);
        body.extend(self.tellings(next, known, path));
        match self.is_certain(view) {
            true => body,
            false => vec![b.if_stmt(view.test(b, self.tells_inside), body, Vec::new())],
        }
    }

    /// Whether nothing reads a view after the statement that made it: an operand, `a[0]` of `a[0] * x`.
    pub(crate) fn is_passing(&self, view: &View) -> bool {
        let mut parts = self.known.views.iter().filter(|other| other.base == view.name);
        let is_kept = self.own.contains(&view.name) || self.parts.contains(&view.name);
        !(is_kept || matches!(view.kind, ViewKind::Same)) && parts.all(|part| self.is_passing(part))
    }

    /// Whether an operation binds a view to what it is already.
    pub(crate) fn is_made_again(&self, op: &Op) -> bool {
        let is_end = |view: &Rc<View>, name: &Name| view.name == *name || view.base == *name;
        let is_told = |name: &Name| self.known.views.iter().any(|view| is_end(view, name));
        self.is_telling && op.writes().is_none() && op.binds().iter().all(is_told)
    }

    /// Whether a view is known to show the memory of its base: it is a part of a new array, or the list that grows.
    fn is_certain(&self, view: &View) -> bool {
        if self.is_growing && matches!(view.kind, ViewKind::Same) {
            return true;
        }
        self.numbers.is_array(&view.base)
            && match &view.kind {
                ViewKind::Same | ViewKind::Transposed => true,
                ViewKind::Item(index) => has_slice(index) && self.numbers.is_basic(index),
                ViewKind::Reshaped | ViewKind::Field(_) | ViewKind::Held(_) => false,
            }
    }
}
