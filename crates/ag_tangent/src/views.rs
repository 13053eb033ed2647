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

use ag_errors::Span;
use ag_syntax::Builder;
use ag_syntax::tree::{ConstantKind, Context, Expr, ExprKind, Name, Stmt, StmtKind};

use crate::adjoints::{helper, index_value};
use crate::normal::{Former, Outcome};
use crate::program::{Block, Node, Op, OpKind, Operand};

use crate::variables::{augmented_in, dotted, has_slice, read_in, root_of, times_bound};
use crate::written_arguments::WriteKind;

/// The statements whose writes are told, and the variables that they write to.
pub(crate) type Told = BTreeSet<(Span, Name)>;

/// A variable that may show the memory of another.
#[derive(Clone, Debug)]
pub(crate) struct View {
    name: Name,
    base: Name,
    /// What it was bound to.
    value: Expr,
    kind: ViewKind,
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
        (name != base && is_found_again).then(|| Self { name, base, value: value.clone(), kind })
    }

    fn mentions(&self, name: &Name) -> bool {
        self.name == *name || read_in(&self.value).contains(name)
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
    fn down(&self, b: Builder<'_>) -> Stmt {
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

/// Whether an index is one of arrays and slices of lists, and no key: `1:`, `...`.
fn is_of_array(index: &Expr) -> bool {
    has_slice(index) || matches!(&index.kind, ExprKind::Constant { kind: ConstantKind::Ellipsis, .. })
}

/// The place of the operation that has written to a variable last: that of the call where a callee has.
fn writing_site(made: &Block, name: &Name) -> Option<usize> {
    let writes = |op: &&Op| match &op.kind {
        OpKind::Call { changed, .. } => changed.iter().any(|one| one.name == *name),
        _ => op.writes() == Some(name) && !op.whole.is_some_and(WriteKind::is_container),
    };
    let ops = made.iter().rev().filter_map(|node| match node {
        Node::Op(op) => Some(op),
        _ => None,
    });
    ops.into_iter().find(writes).map(|op| op.site)
}

/// Says of the choices that tell of a write where that is.
fn note_write(block: &mut Block, site: Option<usize>) {
    for node in block {
        if let Node::If(choice) = node {
            choice.told_at = site;
        }
        node.blocks_mut().into_iter().for_each(|inner| note_write(inner, site));
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
        let found = View::of(op).filter(is_ours);
        self.views.extend(found);
        self.note_items(op);
    }

    /// Notes what a list or dict holds: `w` of `p = [w, b]` and of `p["w"] = w` is `p[0]`, and `p["w"]`.
    fn note_items(&mut self, op: &Op) {
        let b = self.b.at(op.span);
        let items: Vec<(Name, Expr)> = match &op.kind {
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
            let is_known = self.views.iter().any(|view| view.name == name && view.base == container);
            if name == container || is_known || is_of_array(&index) || !(is_stable(&index) && is_ours) {
                continue;
            }
            let base = b.name(container.clone());
            let (value, kind) = match &field {
                Some(attr) => (b.attribute(base, attr.clone()), ViewKind::Field(attr.clone())),
                None => (b.subscript(base, index.clone()), ViewKind::Held(index)),
            };
            self.views.push(View { name, base: container.clone(), value, kind });
        }
    }

    /// Forgets views of which a variable is bound anew.
    pub(crate) fn forget_views(&mut self, bound: &[Name]) {
        if !self.is_telling {
            self.views.retain(|view| !bound.iter().any(|name| view.mentions(name)));
        }
    }

    /// Forgets the views of which an iteration binds a variable anew: `row /= s` writes to what `row` is.
    pub(crate) fn forget_views_in_loop(&mut self, body: &[Stmt]) {
        let augmented = augmented_in(body);
        let bound = times_bound(body);
        self.views.retain(|view| {
            !bound.iter().any(|(name, times)| {
                let is_array = *name == view.name || *name == view.base;
                let is_augmented = is_array && augmented.get(name) == Some(times);
                view.mentions(name) && !is_augmented
            })
        });
    }

    /// Keeps the views that both branches have.
    pub(crate) fn join_views(&mut self, other: &[View]) {
        let is_same = |one: &View, two: &View| {
            one.name == two.name && one.base == two.base && one.value.id == two.value.id
        };
        self.views.retain(|view| other.iter().any(|known| is_same(view, known)));
    }

    /// Tells the writes of the operations that a statement was made into.
    pub(crate) fn tell_writes(&mut self, from: usize, made: &mut Block) -> Outcome<()> {
        if self.is_telling || self.told.is_empty() {
            return Ok(());
        }
        let written: Vec<Name> = made[from..]
            .iter()
            .filter_map(|node| match node {
                // What a callee has written was told where it was written back.
                Node::Op(op) if op.whole.is_some() && from != made.len() - 1 => None,
                Node::Op(op) => op.writes().filter(|name| {
                    let is_shown = self.own.contains(*name) || self.parts.contains(*name);
                    is_shown && self.told.contains(&(op.span, (*name).clone()))
                }),
                _ => None,
            })
            .cloned()
            .collect();
        let is_inside = |node: &Node| matches!(node, Node::Op(op) if op.whole == Some(WriteKind::Inside));
        self.tells_inside = made[from..].iter().any(is_inside);
        for name in written {
            let told = self.tellings(&name, &[]);
            self.is_telling = true;
            let block = self.block(&told);
            self.is_telling = false;
            let at = writing_site(made, &name);
            let mut block = block?;
            note_write(&mut block, at);
            made.extend(block);
        }
        Ok(())
    }

    /// The statements that tell the bases and the views of a variable what was written into it, but for those that know.
    fn tellings(&self, written: &Name, knowing: &[Name]) -> Vec<Stmt> {
        let b = self.b.at(self.span);
        let mut told = Vec::new();
        let known: Vec<Name> = knowing.iter().chain([written]).cloned().collect();
        let mut tell = |view: &View, first: Stmt, next: &Name| {
            let body = std::iter::once(first).chain(self.tellings(next, &known)).collect();
            match self.is_certain(view) {
                true => told.extend::<Vec<Stmt>>(body),
                false => told.push(b.if_stmt(view.test(b, self.tells_inside), body, Vec::new())),
            }
        };
        for view in &self.views {
            if !self.has_derivative(&view.base) || !self.has_derivative(&view.name) {
                continue;
            }
            if view.name == *written && !knowing.contains(&view.base) {
                tell(view, view.up(b), &view.base);
            } else if view.base == *written && !knowing.contains(&view.name) && !self.is_passing(view) {
                tell(view, view.down(b), &view.name);
            }
        }
        told
    }

    /// Whether nothing reads a view after the statement that made it: an operand, `a[0]` of `a[0] * x`.
    fn is_passing(&self, view: &View) -> bool {
        let mut parts = self.views.iter().filter(|other| other.base == view.name);
        let is_kept = self.own.contains(&view.name) || self.parts.contains(&view.name);
        !(is_kept || matches!(view.kind, ViewKind::Same)) && parts.all(|part| self.is_passing(part))
    }

    /// Whether a view is known to show the memory of its base: it is a part of a new array.
    fn is_certain(&self, view: &View) -> bool {
        self.numbers.is_array(&view.base)
            && match &view.kind {
                ViewKind::Same | ViewKind::Transposed => true,
                ViewKind::Item(index) => has_slice(index) && self.numbers.is_basic(index),
                ViewKind::Reshaped | ViewKind::Field(_) | ViewKind::Held(_) => false,
            }
    }
}
