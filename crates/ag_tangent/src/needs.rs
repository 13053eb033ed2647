//! What the backward pass of an operation reads: it gets a name, is copied, or only its form is kept.

use std::collections::BTreeSet;

use ag_syntax::Builder;
use ag_syntax::tree::{Expr, ExprKind, Name, Stmt, StmtKind};
use ag_syntax::visit::VisitorMut;

use crate::adjoints::{Adjoints, helper};
use crate::callee::Resolver;
use crate::flatten::is_literal;
use crate::naming::Naming;
use crate::program::{Argument, Op, OpKind, Operand, Part, Step};
use crate::sources::FACTS;
use crate::variables::{dotted, read_in, root_of};

impl Adjoints<'_, '_> {
    /// Gives names to operands that the backward pass reads and that are no names:
    ///
    /// ```text
    /// y = x * np.cos(c)           cos_c = np.cos(c)
    ///                             y = x * cos_c
    /// ```
    pub(crate) fn name_operands(&mut self, op: &mut Op, step: &mut Step, b: Builder<'_>) {
        let OpKind::Rule { operands, .. } = &op.kind else { return };
        for (_, argument) in operands {
            let given: Vec<&Operand> = match argument {
                Argument::One(operand) => vec![operand],
                Argument::Many(operands) => operands.iter().collect(),
            };
            for operand in given {
                let Operand::Plain(value) = operand else { continue };
                if is_literal(value) || matches!(value.kind, ExprKind::Name { .. }) {
                    continue;
                }
                let text = ag_syntax::unparse_expr(value);
                let mut named = Named { text: &text, name: None, b, naming: self.naming, value };
                named.step(step);
                if let Some(name) = named.name {
                    self.around.locals.borrow_mut().insert(name.clone());
                    let mut forward =
                        Named { text: &text, name: Some(name.clone()), b, naming: self.naming, value };
                    forward.visit_stmt(&mut op.forward);
                    // `x * w[1:]`, where `w` is written later.
                    let names = crate::aliases::shared(value, self.around);
                    let is_written = names.iter().any(|name| self.written.arrays.contains(name));
                    let value = if is_written { helper(b, "copy", [value.clone()]) } else { value.clone() };
                    step.before.push((name, value));
                }
            }
        }
    }

    /// Copies what the backward pass needs of arrays that are written in place.
    pub(crate) fn copy_written(&mut self, op: &Op, step: &mut Step, b: Builder<'_>) {
        if self.written.arrays.is_empty() && self.written.holders.is_empty() {
            return;
        }
        let bound = op.binds();
        for name in self.read(step) {
            let Some(copying) = self.copying(&name) else { continue };
            let mut copied =
                Copied { resolver: self.around.resolver, name: &name, new: None, b, naming: self.naming };
            copied.step(step);
            if let Some(new) = copied.new {
                self.around.locals.borrow_mut().insert(new.clone());
                let copy = helper(b, copying, [b.name(name.clone())]);
                let list = if is_after(op, &bound, &name) { &mut step.after } else { &mut step.before };
                list.push((new, copy));
            }
        }
    }

    /// Gives a callee copies of what is written in place later, and keeps a copy of its result: it keeps both for its
    /// own backward pass.
    ///
    /// ```text
    /// y = f(a)            a_copy = tangent.copy(a)
    /// a[0] = 2.0          y, saved_y = f_forward(a_copy)
    ///                     a[0] = 2.0
    /// ```
    pub(crate) fn copy_arguments(&mut self, op: &mut Op, step: &mut Step, b: Builder<'_>) {
        let OpKind::Call {
            target,
            saved,
            copied,
            changed,
            gives_copies,
            written,
            makes_object,
            passes,
            is_maker,
            ..
        } = &op.kind
        else {
            return;
        };
        // What it writes to may hold an argument from now on, and no copy of it: `seen_writes.rs` refuses what a copy
        // would be for.
        if !changed.is_empty() {
            return;
        }
        if *makes_object || *is_maker {
            // It holds what it is given, and no copy of that: what it keeps is copied. Of lists and objects a
            // constructor keeps the form; its pass is a function as any.
            let given = crate::aliases::given(op, self.around);
            let copying = given.iter().chain([target]).filter_map(|name| self.copying(name));
            let copying = copying.filter(|copying| *is_maker || *copying == "copy");
            // `copy` copies what `copy_containers` does, too.
            if let Some(copying) = copying.min_by_key(|name| name.len()) {
                step.after.push((saved.clone(), helper(b, copying, [b.name(saved.clone())])));
            }
            return;
        }
        let StmtKind::Assign { value, .. } = &mut op.forward.kind else { return };
        let ExprKind::Call { args, keywords, .. } = &mut value.kind else { return };
        let mut copies = Vec::new();
        for value in args.iter_mut().chain(keywords.iter_mut().map(|keyword| &mut keyword.value)) {
            let names = crate::aliases::shared(value, self.around);
            let copying = names.iter().filter_map(|name| self.copying(name));
            // `copy` copies what `copy_containers` does, too.
            let Some(copying) = copying.min_by_key(|name| name.len()) else { continue };
            // What it writes to it copies itself, or writes to this object.
            let is_own = matches!(&value.kind, ExprKind::Name { name, .. } if copied.contains(name));
            if is_own || names.iter().any(|name| written.contains(name)) {
                continue;
            }
            let wish =
                root_of(value).map_or_else(|| "argument_copy".to_owned(), |name| format!("{name}_copy"));
            let new = self.naming.fresh(&wish);
            self.around.locals.borrow_mut().insert(new.clone());
            let given = std::mem::replace(value, b.name(new.clone()));
            step.before.push((new.clone(), helper(b, copying, [given])));
            if let Some(beside) = &mut op.beside {
                beside.given.retain(|name| !names.contains(name));
                beside.given.push(new.clone());
            }
            copies.push(new);
        }
        if *gives_copies {
            return;
        }
        let owning = match self.copying(target) {
            Some("copy") => "own",
            // What a pass keeps, the caller does not write to.
            Some(_) if *passes == 0 => "own_containers",
            _ => return,
        };
        let copies = b.tuple(copies.into_iter().map(|name| b.name(name)));
        let passes = (*passes > 0).then(|| b.int(i64::from(*passes)));
        let args = [b.name(target.clone()), copies].into_iter().chain(passes);
        step.after.push((target.clone(), helper(b, owning, args)));
    }

    /// The helper that copies of a variable what is written in place; none if nothing of it is.
    fn copying(&self, name: &Name) -> Option<&'static str> {
        if self.numbers.contains(name) {
            return None;
        }
        if self.written.arrays.contains(name) {
            return Some("copy");
        }
        let may_hold = self.written.holders.contains(name) && !self.kinds.is_numeric(name);
        may_hold.then_some("copy_containers")
    }

    /// Keeps the form of what a loop binds anew, where nothing but that is read:
    ///
    /// ```text
    /// y = x * w           x_form = tangent.form(x)        # no memory, and no value that may be written
    ///                     y = x * w
    ///                     bx = tangent.unbroadcast(by * w, x_form)
    /// ```
    pub(crate) fn keep_forms(&mut self, op: &Op, step: &mut Step, b: Builder<'_>) {
        let is_store = matches!(op.kind, OpKind::Store { .. });
        if self.rebound.is_empty()
            && self.written.arrays.is_empty()
            && self.written.holders.is_empty()
            && !is_store
        {
            return;
        }
        let bound = op.binds();
        for name in self.read(step) {
            // A list that an object is given gets other items by a name of the caller's.
            let is_given = is_store && self.around.functions.given_containers.contains(&name);
            let is_written =
                self.written.arrays.contains(&name) || self.written.holders.contains(&name) || is_given;
            if !(self.rebound.contains(&name) || is_written)
                || step.before.iter().chain(&step.after).any(|(known, _)| *known == name)
            {
                continue;
            }
            let mut formed =
                Formed { resolver: self.around.resolver, name: &name, new: None, has_others: false, b };
            let mut trial = step.clone();
            let wish = self.naming.fresh(&format!("{name}_form"));
            formed.new = Some(wish.clone());
            let mut replaced = false;
            each_value(&mut trial, &mut |value| {
                let before = ag_syntax::unparse_expr(value);
                formed.visit_expr(value);
                replaced |= before != ag_syntax::unparse_expr(value);
            });
            if formed.has_others || !replaced {
                continue;
            }
            *step = trial;
            self.around.locals.borrow_mut().insert(wish.clone());
            let form = helper(b, "form", [b.name(name.clone())]);
            let list = if is_after(op, &bound, &name) { &mut step.after } else { &mut step.before };
            list.push((wish, form));
        }
    }

    /// The variables of the function that a backward pass reads.
    pub(crate) fn read(&self, step: &Step) -> BTreeSet<Name> {
        let mut exprs: Vec<&Expr> = step.shared.iter().map(|(_, value)| value).collect();
        let mut names = BTreeSet::new();
        for part in &step.parts {
            match part {
                Part::Add { value, .. } | Part::Become { value, .. } => exprs.push(value),
                Part::AddAt { index, value, to, .. } => {
                    exprs.extend([index, value]);
                    names.insert(to.clone());
                }
                Part::Take { from, index, to, zeros } => {
                    exprs.extend([&**index, zeros]);
                    names.insert(from.clone());
                    exprs.extend(to.iter().map(|(_, value)| value));
                }
                Part::PopFrom { from, .. } => {
                    names.insert(from.clone());
                }
                Part::PushTo { to, from } => {
                    names.extend([to.clone(), from.clone()]);
                }
                Part::Pack { to, from, same } => {
                    let is_own = |name: &&Name| !same.iter().any(|(one, _)| one == *name);
                    names.extend(from.iter().flatten().filter(is_own).cloned());
                    let is_read = from.contains(&None) || self.kinds.may_be_array(to);
                    names.extend(is_read.then(|| to.clone()));
                }
            }
        }
        names.extend(exprs.into_iter().flat_map(read_in).filter(|name| self.around.is_local(name)));
        names
    }

    pub(crate) fn find_needs(&self, op: &Op, step: &mut Step) {
        let bound = op.binds();
        let before: BTreeSet<&Name> = step.before.iter().map(|(name, _)| name).collect();
        let mut needs = (Vec::new(), Vec::new());
        for name in self.read(step) {
            let is_named_after = step.after.iter().any(|(after, _)| *after == name);
            if is_named_after || before.contains(&name) || is_after(op, &bound, &name) {
                needs.1.push(name);
            } else {
                needs.0.push(name);
            }
        }
        (step.needs_before, step.needs_after) = needs;
    }
}

/// Replaces an operand in a statement by a name.
pub(crate) fn name_in(stmt: &mut Stmt, value: &Expr, name: &Name, b: Builder<'_>) {
    let text = ag_syntax::unparse_expr(value);
    let mut unused = Naming::default();
    let mut named = Named { text: &text, name: Some(name.clone()), b, naming: &mut unused, value };
    named.visit_stmt(stmt);
}

/// Replaces an expression, wherever it stands in another, by a name.
pub(crate) fn name_in_expr(expr: &mut Expr, value: &Expr, name: &Name, b: Builder<'_>) {
    let text = ag_syntax::unparse_expr(value);
    let mut unused = Naming::default();
    Named { text: &text, name: Some(name.clone()), b, naming: &mut unused, value }.visit_expr(expr);
}

/// Replaces an expression, wherever it stands in a backward pass, by a name.
struct Named<'n, 'a> {
    text: &'n str,
    name: Option<Name>,
    b: Builder<'a>,
    naming: &'n mut Naming,
    value: &'n Expr,
}

/// Replaces a variable by the name of its copy, where its values are read and not its shape alone.
struct Copied<'n, 'a> {
    resolver: &'n dyn Resolver,
    name: &'n Name,
    new: Option<Name>,
    b: Builder<'a>,
    naming: &'n mut Naming,
}

/// Replaces a variable by the name of its form, where only that is read.
struct Formed<'n, 'a> {
    resolver: &'n dyn Resolver,
    name: &'n Name,
    new: Option<Name>,
    /// Whether its values are read too.
    has_others: bool,
    b: Builder<'a>,
}

impl Named<'_, '_> {
    fn step(&mut self, step: &mut Step) {
        each_value(step, &mut |value| self.visit_expr(value));
    }
}

impl Copied<'_, '_> {
    fn step(&mut self, step: &mut Step) {
        each_value(step, &mut |value| self.visit_expr(value));
    }
}

impl VisitorMut for Named<'_, '_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        if std::mem::discriminant(&expr.kind) == std::mem::discriminant(&self.value.kind)
            && ag_syntax::unparse_expr(expr) == self.text
        {
            let naming = &mut *self.naming;
            let name = self.name.get_or_insert_with(|| naming.of_expr(self.value)).clone();
            *expr = self.b.name(name);
            return;
        }
        ag_syntax::visit::mutable::walk_expr(self, expr);
    }
}

impl VisitorMut for Copied<'_, '_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Call { func, args, keywords } => {
                let path = dotted(func).unwrap_or_default();
                for (position, arg) in args.iter_mut().enumerate() {
                    if !self.resolver.reads_form_only(&path, position) {
                        self.visit_expr(arg);
                    }
                }
                keywords.iter_mut().for_each(|keyword| self.visit_expr(&mut keyword.value));
                if !matches!(func.kind, ExprKind::Name { .. }) {
                    self.visit_expr(func);
                }
            }
            ExprKind::Attribute { attr, .. } if FACTS.contains(&&**attr) => {}
            ExprKind::Name { name, .. } if name == self.name => {
                let (naming, old) = (&mut *self.naming, self.name);
                let new = self.new.get_or_insert_with(|| naming.fresh(&format!("{old}_copy"))).clone();
                *expr = self.b.name(new);
            }
            _ => ag_syntax::visit::mutable::walk_expr(self, expr),
        }
    }
}

impl VisitorMut for Formed<'_, '_> {
    fn visit_expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Call { func, args, keywords } => {
                let path = dotted(func).unwrap_or_default();
                for (position, arg) in args.iter_mut().enumerate() {
                    let is_own = matches!(&arg.kind, ExprKind::Name { name, .. } if name == self.name);
                    match (&self.new, is_own && self.resolver.reads_form_only(&path, position)) {
                        (Some(new), true) => *arg = self.b.name(new.clone()),
                        _ => self.visit_expr(arg),
                    }
                }
                keywords.iter_mut().for_each(|keyword| self.visit_expr(&mut keyword.value));
                self.visit_expr(func);
            }
            ExprKind::Name { name, .. } if name == self.name => self.has_others = true,
            _ => ag_syntax::visit::mutable::walk_expr(self, expr),
        }
    }
}

/// Whether a backward pass reads a variable as the operation leaves it.
fn is_after(op: &Op, bound: &[Name], name: &Name) -> bool {
    match &op.kind {
        // `x *= y`, where `x` had another shape.
        OpKind::Augment { .. } => false,
        // `x = x * y`: a rule that reads both `x` is given two names for them.
        OpKind::Rule { rule, .. } => rule.reads_result() && bound.contains(name),
        _ => bound.contains(name),
    }
}

/// Visits the values of a backward pass.
fn each_value(step: &mut Step, visit: &mut dyn FnMut(&mut Expr)) {
    step.shared.iter_mut().for_each(|(_, value)| visit(value));
    for part in &mut step.parts {
        match part {
            Part::Add { value, .. } | Part::Become { value, .. } => visit(value),
            Part::AddAt { index, value, .. } => {
                visit(index);
                visit(value);
            }
            Part::Take { index, to, zeros, .. } => {
                visit(index);
                visit(zeros);
                if let Some((_, value)) = to {
                    visit(value);
                }
            }
            Part::PopFrom { .. } | Part::PushTo { .. } | Part::Pack { .. } => {}
        }
    }
}
