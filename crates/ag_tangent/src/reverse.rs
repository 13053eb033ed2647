//! The forward pass and the backward pass as statements (paper, §3).
//!
//! The backward pass goes through the blocks in reverse. On the way it is known which adjoints have a value: the
//! first contribution is an assignment and not a sum, and an adjoint that nothing contributes to costs nothing. Where
//! paths meet on which this differs, the adjoint begins as zeros.

use std::collections::BTreeMap;

use ag_syntax::Builder;
use ag_syntax::tree::{BinaryOp, Context, Expr, ExprKind, Name, NodeId, Stmt, StmtKind, UnaryOp};

use crate::adjoints::helper;
use crate::backward_loops::Entries;
use crate::forms_kept::{KeptForms, Place};
use crate::kinds::Kinds;
use crate::naming::Naming;
use crate::normal::{Outcome, refusal};
use crate::numbers::Numbers;
use crate::persistent::{Map, Set};
use crate::program::{Beside, Block, Branch, Head, If, Loop, Node, Op, OpKind, Part, Save};
use crate::sources::Surroundings;
use crate::variables::bound_in;

/// By variable: its adjoint has a value, and whether no other name may hold the same array.
pub(crate) type Adjoints = Map<Name, bool>;

/// Writes the two passes.
pub(crate) struct Passes<'a, 'p> {
    pub(crate) b: Builder<'a>,
    pub(crate) naming: &'p mut Naming,
    pub(crate) source: &'p str,
    /// Whether what nothing reads is left out.
    pub(crate) optimized: bool,
    /// The function.
    pub(crate) whole: ag_errors::Span,
    pub(crate) around: &'p Surroundings<'p>,
    /// The name of what the function returns.
    pub(crate) result: &'p Name,
    pub(crate) numbers: &'p Numbers,
    pub(crate) kinds: &'p Kinds,
    /// Comments above statements.
    pub(crate) comments: BTreeMap<NodeId, String>,
    /// By place: the statement, the operation, and the variables that its derivative reads.
    pub(crate) derived: BTreeMap<usize, (ag_errors::Span, String, Vec<Name>)>,
    /// The user's statement whose backward pass was written last.
    pub(crate) last: Option<ag_errors::Span>,
    /// What was found of loops.
    pub(crate) entries: Entries,
    /// The forms of objects for zeros, and the place at hand.
    pub(crate) forms: KeptForms,
    pub(crate) place: Option<Place>,
}

impl Passes<'_, '_> {
    // The forward pass

    /// The statements of the forward pass.
    pub(crate) fn forward(&mut self, block: &Block, is_in_loop: bool) -> Vec<Stmt> {
        let mut out = Vec::new();
        for node in block {
            self.forward_node(node, is_in_loop, &mut out);
        }
        out
    }

    fn forward_node(&mut self, node: &Node, is_in_loop: bool, out: &mut Vec<Stmt>) {
        match node {
            Node::Plain { stmt, saves, .. } => {
                self.b = self.b.at(stmt.span);
                self.keep(saves, out);
                out.push(stmt.clone());
            }
            Node::Exit { stmt, saves, skipped, .. } => {
                self.b = self.b.at(stmt.span);
                self.keep(saves, out);
                let b = self.b;
                out.extend(skipped.iter().map(|stack| append(b, stack, b.bool(false))));
                out.push(stmt.clone());
            }
            Node::Op(op) => {
                self.b = self.b.at(op.span);
                self.keep(&op.saves, out);
                let b = self.b;
                let guard = guard_of(b, op);
                let is_first = !matches!(op.kind, OpKind::Index { .. } | OpKind::Call { .. });
                out.extend(guard.clone().filter(|_| is_first));
                let named = |(name, value): &(Name, Expr)| b.assign_name(name.clone(), b.copy_expr(value));
                out.extend(op.back.before.iter().map(named));
                out.extend(has_text(&op.forward).then(|| op.forward.clone()));
                out.extend(guard.filter(|_| !is_first));
                out.extend(
                    op.back.after.iter().map(|(name, value)| b.assign_name(name.clone(), b.copy_expr(value))),
                );
            }
            Node::If(choice) => self.forward_choice(choice, is_in_loop, out),
            Node::Loop(looped) => self.forward_loop(looped, is_in_loop, out),
            Node::With { header, body, .. } => {
                let mut stmt = header.clone();
                if let StmtKind::With { body: inner, .. } = &mut stmt.kind {
                    *inner = self.forward(body, is_in_loop);
                }
                out.push(stmt);
            }
            Node::Finally { stmt, body, last } => {
                let mut stmt = stmt.clone();
                if let StmtKind::Try { body: inner, finalbody, .. } = &mut stmt.kind {
                    *inner = self.forward(body, is_in_loop);
                    *finalbody = self.forward(last, is_in_loop);
                }
                out.push(stmt);
            }
            Node::Again(again) => {
                self.b = self.b.at(again.span);
                let objects = again.apart.iter().map(|one| ("require_no_common_object", one));
                let parts = again.parts_apart.iter().map(|one| ("require_apart_again", one));
                for (required, (name, others)) in objects.chain(parts) {
                    let others = self.b.tuple(others.iter().map(|other| self.b.name(other.clone())));
                    let given = [self.b.name(name.clone()), others, self.b.string(name)];
                    out.push(self.b.expr_stmt(helper(self.b, required, given)));
                }
                self.keep(&again.saves, out);
                out.extend(self.first_run(again));
            }
            Node::Injected { .. } => {}
        }
    }

    fn forward_choice(&mut self, choice: &If, is_in_loop: bool, out: &mut Vec<Stmt>) {
        let b = self.b.at(choice.span);
        if choice.is_rest {
            out.extend(choice.stack.iter().map(|stack| append(b, stack, b.bool(true))));
            out.extend(self.forward_branch(&choice.then, is_in_loop));
            return;
        }
        let test = match &choice.test.kind {
            // A flag that was made here is a truth value.
            ExprKind::Name { name, .. } if !self.numbers.is_variable(name) => choice.test.clone(),
            _ => truth(b, &choice.test),
        };
        out.push(b.assign_name(choice.taken.clone(), test));
        out.extend(choice.stack.iter().map(|stack| append(b, stack, b.name(choice.taken.clone()))));
        let then = self.forward_branch(&choice.then, is_in_loop);
        let orelse = self.forward_branch(&choice.orelse, is_in_loop);
        let taken = b.name(choice.taken.clone());
        out.push(match then.is_empty() {
            true if !orelse.is_empty() => b.if_stmt(b.not(taken), orelse, Vec::new()),
            _ => b.if_stmt(taken, then, orelse),
        });
    }

    fn forward_branch(&mut self, branch: &Branch, is_in_loop: bool) -> Vec<Stmt> {
        let mut out = self.forward(&branch.block, is_in_loop);
        self.keep(&branch.saves, &mut out);
        out
    }

    fn forward_loop(&mut self, looped: &Loop, is_in_loop: bool, out: &mut Vec<Stmt>) {
        let b = self.b.at(looped.span);
        self.b = b;
        self.keep(&looped.saves.before, out);
        if !is_in_loop {
            out.extend(
                crate::saved::stacks_of(looped).into_iter().map(|name| b.assign_name(name, b.list([]))),
            );
        }
        let mut body = Vec::new();
        if looped.saves.is_counted {
            out.push(b.assign_name(looped.count.clone(), b.int(0)));
            body.push(b.stmt(StmtKind::AugAssign {
                target: Box::new(b.name_store(looped.count.clone())),
                op: BinaryOp::Add,
                value: b.int(1),
            }));
        }
        self.keep(&looped.saves.targets, &mut body);
        body.extend(self.forward_branch(&looped.body, true));
        out.push(match &looped.head {
            Head::While(test) => b.while_stmt(test.clone(), body),
            Head::For { target, iter, .. } => b.for_stmt(target.clone(), iter.clone(), body),
        });
    }

    fn keep(&self, saves: &[Save], out: &mut Vec<Stmt>) {
        for save in saves {
            let value = self.b.name(save.name.clone());
            let copying = if save.of_holders { "copy_containers" } else { "copy" };
            let value = if save.is_copy { helper(self.b, copying, [value]) } else { value };
            out.push(if save.is_stack {
                append(self.b, &save.kept, value)
            } else {
                self.b.assign_name(save.kept.clone(), value)
            });
        }
    }

    pub(crate) fn restore(&self, saves: &[Save], out: &mut Vec<Stmt>) {
        for save in saves {
            let kept = self.b.name(save.kept.clone());
            let value = if save.is_stack { self.b.call(self.b.attribute(kept, "pop"), []) } else { kept };
            out.push(self.b.assign_name(save.name.clone(), value));
        }
    }

    // The backward pass

    /// The statements of the backward pass; notes in the blocks where adjoints begin as zeros.
    pub(crate) fn backward(&mut self, block: &mut Block, state: &mut Adjoints) -> Outcome<Vec<Stmt>> {
        let mut out = Vec::new();
        for node in block.iter_mut().rev() {
            match node {
                Node::Plain { saves, stmt, .. } | Node::Exit { saves, stmt, .. } => {
                    self.b = self.b.at(stmt.span);
                    self.restore(saves, &mut out);
                }
                Node::Op(op) => self.backward_op(op, state, &mut out),
                Node::If(choice) => self.backward_choice(choice, state, &mut out)?,
                Node::Loop(looped) => self.backward_loop(looped, state, &mut out)?,
                Node::With { body, .. } => out.extend(self.backward(body, state)?),
                Node::Finally { body, last, .. } => {
                    out.extend(self.backward(last, state)?);
                    out.extend(self.backward(body, state)?);
                }
                Node::Again(again) => self.backward_again(again, state, &mut out)?,
                Node::Injected { span, pairs, body } => self.injected(*span, pairs, body, state, &mut out)?,
            }
        }
        Ok(out)
    }

    /// A comment with the user's statement above the first line of its backward pass.
    fn explain(&mut self, span: ag_errors::Span, out: &[Stmt], from: usize) {
        if self.last == Some(span) {
            return;
        }
        if let Some(first) = out.get(from) {
            let text = span.text(self.source).lines().next().unwrap_or_default().trim_end();
            self.comments.insert(first.id, format!("Grad of: {text}"));
            self.last = Some(span);
        }
    }

    pub(crate) fn adjoint(&mut self, variable: &Name) -> Name {
        self.naming.derivative(variable)
    }

    /// The name of the form that a variable has at a place, if it changes.
    fn form_at(&mut self, place: Place, variable: &Name) -> Option<Name> {
        let form = self.forms.name(place, variable, self.naming)?;
        self.around.locals.borrow_mut().insert(form.clone());
        Some(form)
    }

    /// Zeros in the form that a variable has at a place.
    fn zeros(&mut self, variable: &Name, place: Option<Place>) -> Stmt {
        let adjoint = self.adjoint(variable);
        let form = place.and_then(|place| self.form_at(place, variable));
        let like = self.b.name(form.unwrap_or_else(|| variable.clone()));
        self.b.assign_name(adjoint, helper(self.b, "zeros_like", [like]))
    }

    /// Zeros of a variable, noted in `noted`; a number where a path may not have bound it, and no items of a list that is
    /// filled and emptied.
    pub(crate) fn zeros_of(
        &mut self,
        variable: &Name,
        place: Place,
        (definite, noted): (&Set<Name>, &mut Vec<Name>),
    ) -> Stmt {
        if definite.contains(variable) {
            if !self.forms.of.contains(variable) {
                noted.push(variable.clone());
            }
            return self.zeros(variable, Some(place));
        }
        let adjoint = self.adjoint(variable);
        // What was filled has been emptied here, or was never made.
        let zero = match self.kinds.is_tape(variable) {
            true => self.b.list([]),
            false => crate::adjoints::zero(self.b),
        };
        self.b.assign_name(adjoint, zero)
    }

    fn backward_op(&mut self, op: &Op, state: &mut Adjoints, out: &mut Vec<Stmt>) {
        self.b = self.b.at(op.span);
        self.place = Some(Place::Operation(op.site));
        let from = out.len();
        let is_list =
            op.back.parts.iter().any(|part| matches!(part, Part::PopFrom { .. } | Part::PushTo { .. }));
        let is_reached = is_list || op.back.reads.iter().any(|name| state.contains_key(name));
        let restores_first = op.saves.iter().any(|save| op.back.needs_before.contains(&save.name));
        if restores_first || !is_reached {
            self.restore(&op.saves, out);
        }
        if is_reached {
            let reads = op.back.needs_before.iter().chain(&op.back.needs_after).cloned().collect();
            self.derived.insert(op.site, (op.span, operation(&op.forward), reads));
            let shared =
                op.back.shared.iter().map(|(target, value)| self.b.assign(target.clone(), value.clone()));
            out.extend(shared);
            let mut own: Vec<(Name, Expr, bool)> = Vec::new();
            for (to, value, is_new) in sums(self.b, &op.back.parts) {
                if op.back.clears.contains(&to) {
                    // `y = np.dot(y, y)`: both contributions read the adjoint that the first would assign.
                    match own.iter_mut().find(|(known, ..)| *known == to) {
                        Some((_, sum, is_sum_new)) => {
                            *sum = added(self.b, sum.clone(), value, is_new && *is_sum_new);
                            *is_sum_new = true;
                        }
                        None => own.push((to, value, is_new)),
                    }
                } else {
                    self.add(&to, value, is_new, state, out);
                }
            }
            op.back.parts.iter().for_each(|part| self.part(part, state, out));
            op.back.clears.iter().for_each(|name| {
                state.remove(name);
            });
            for (to, value, is_new) in own {
                self.add(&to, value, is_new, state, out);
            }
            if !restores_first {
                self.restore(&op.saves, out);
            }
        }
        self.place = None;
        self.explain(op.span, out, from);
    }

    /// `bx = bx + value`, or what is shorter.
    fn add(&mut self, to: &Name, value: Expr, is_new: bool, state: &mut Adjoints, out: &mut Vec<Stmt>) {
        let b = self.b;
        let adjoint = self.adjoint(to);
        let stmt = match state.get(to) {
            None => {
                state.insert(to.clone(), is_new);
                b.assign_name(adjoint, value)
            }
            Some(true) if is_new => b.stmt(StmtKind::AugAssign {
                target: Box::new(b.name_store(adjoint)),
                op: BinaryOp::Add,
                value,
            }),
            Some(_) => {
                state.insert(to.clone(), true);
                let sum = added(b, b.name(adjoint.clone()), value, is_new);
                b.assign_name(adjoint, sum)
            }
        };
        out.push(stmt);
    }

    /// Makes sure that an adjoint has a value of its own, which may be written.
    pub(crate) fn own(&mut self, variable: &Name, state: &mut Adjoints, out: &mut Vec<Stmt>) {
        let adjoint = self.adjoint(variable);
        match state.get(variable) {
            Some(true) => {}
            Some(false) => {
                out.push(self.b.assign_name(adjoint.clone(), helper(self.b, "copy", [self.b.name(adjoint)])))
            }
            None => {
                let zeros = self.zeros(variable, self.place);
                out.push(zeros);
            }
        }
        state.insert(variable.clone(), true);
    }

    /// Whether a list whose items change has no adjoint yet.
    fn is_without(&self, list: &Name, state: &Adjoints) -> bool {
        !state.contains_key(list) && self.forms.of.contains(list)
    }

    pub(crate) fn part(&mut self, part: &Part, state: &mut Adjoints, out: &mut Vec<Stmt>) {
        let b = self.b;
        match part {
            Part::Add { .. } => {}
            Part::AddAt { to, index, value, is_number, may_be_dict } => {
                self.own(to, state, out);
                let base = b.name(self.adjoint(to));
                out.push(if *is_number && !may_be_dict && self.numbers.is_basic(index) {
                    let mut target = b.subscript(base, (**index).clone());
                    ag_syntax::set_context(&mut target, Context::Store);
                    b.stmt(StmtKind::AugAssign {
                        target: Box::new(target),
                        op: BinaryOp::Add,
                        value: value.clone(),
                    })
                } else {
                    let index = crate::adjoints::index_value(b, index);
                    let adding = if *may_be_dict { "add_item" } else { "add_at" };
                    b.expr_stmt(helper(b, adding, [base, index, value.clone()]))
                });
            }
            Part::Take { from, index, to, zeros } => {
                if !state.contains_key(from) {
                    return;
                }
                self.own(from, state, out);
                if let Some((to, value)) = to {
                    self.add(to, value.clone(), false, state, out);
                }
                let mut target = b.subscript(b.name(self.adjoint(from)), (**index).clone());
                ag_syntax::set_context(&mut target, Context::Store);
                out.push(b.assign(target, (**zeros).clone()));
            }
            Part::Become { to, value } => {
                let adjoint = self.adjoint(to);
                let is_same = matches!(&value.kind, ExprKind::Name { name, .. } if *name == adjoint);
                if !is_same {
                    out.push(b.assign_name(adjoint, value.clone()));
                    state.insert(to.clone(), false);
                }
            }
            // Nothing that is read later of a list that is filled and emptied anew.
            Part::PopFrom { from, .. } if self.is_without(from, state) => {}
            Part::PopFrom { from, to } => {
                self.own(from, state, out);
                let list = b.name(self.adjoint(from));
                let popped = b.call(b.attribute(list, "pop"), []);
                match to {
                    Some(to) => self.add(to, popped, false, state, out),
                    None => out.push(b.expr_stmt(popped)),
                }
            }
            Part::PushTo { to, from } if self.is_without(to, state) => {
                // The zeros are of the form before, which has the item.
                self.own(to, state, out);
                if state.contains_key(from) {
                    let last = b.unary(ag_syntax::tree::UnaryOp::USub, b.int(1));
                    let mut item = b.subscript(b.name(self.adjoint(to)), last);
                    ag_syntax::set_context(&mut item, ag_syntax::tree::Context::Store);
                    out.push(b.assign(item, helper(b, "copy", [b.name(self.adjoint(from))])));
                }
            }
            Part::PushTo { to, from } => {
                self.own(to, state, out);
                let value = match state.contains_key(from) {
                    true => helper(b, "copy", [b.name(self.adjoint(from))]),
                    false => helper(b, "zeros_like", [b.name(from.clone())]),
                };
                let append = b.attribute(b.name(self.adjoint(to)), "append");
                out.push(b.expr_stmt(b.call(append, [value])));
            }
            Part::Pack { to, from, same } => {
                let mut elements = Vec::new();
                for (index, name) in (0_i64..).zip(from) {
                    elements.push(match name {
                        Some(name) if state.contains_key(name) => b.name(self.adjoint(name)),
                        Some(name) => {
                            let same = same.iter().find(|(one, _)| one == name);
                            let like = same.map_or(name, |(_, variable)| variable).clone();
                            let form = self.place.filter(|_| same.is_some());
                            let form = form.and_then(|place| self.form_at(place, &like));
                            helper(b, "zeros_like", [b.name(form.unwrap_or(like))])
                        }
                        None => helper(b, "zeros_like", [b.subscript(b.name(to.clone()), b.int(index))]),
                    });
                }
                let elements = b.list(elements);
                let value = match self.kinds.may_be_array(to) {
                    true => helper(b, "items_like", [elements, b.name(to.clone())]),
                    false => elements,
                };
                self.add(to, value, false, state, out);
            }
        }
    }

    pub(crate) fn branch(&mut self, branch: &mut Branch, state: &mut Adjoints) -> Outcome<Vec<Stmt>> {
        let mut out = Vec::new();
        self.restore(&branch.saves, &mut out);
        out.extend(self.backward(&mut branch.block, state)?);
        Ok(out)
    }

    fn backward_choice(&mut self, choice: &mut If, state: &mut Adjoints, out: &mut Vec<Stmt>) -> Outcome<()> {
        let mut other = state.clone();
        let mut then = self.branch(&mut choice.then, state)?;
        let mut orelse = self.branch(&mut choice.orelse, &mut other)?;
        choice.then.zeros.clear();
        choice.orelse.zeros.clear();
        // Of what is told of a write an adjoint begins in the form before it.
        let (site, told_at, knowing) = (choice.site, choice.told_at, choice.knowing.clone());
        let place = |name: &Name, is_first| match told_at {
            Some(site) if !knowing.contains(name) => Place::Operation(site),
            _ => Place::Branch(site, is_first),
        };
        let differing = state.differences(&other);
        for (name, own, of_other) in differing {
            match (own, of_other) {
                (Some(owned), None) => {
                    let branch = &mut choice.orelse;
                    orelse.push(self.zeros_of(
                        &name,
                        place(&name, false),
                        (&branch.definite, &mut branch.zeros),
                    ));
                    state.insert(name, owned);
                }
                (None, Some(owned)) => {
                    let branch = &mut choice.then;
                    then.push(self.zeros_of(
                        &name,
                        place(&name, true),
                        (&branch.definite, &mut branch.zeros),
                    ));
                    state.insert(name, owned);
                }
                // One that only one branch owns is owned by none.
                _ => state.insert(name, false),
            }
        }
        let b = self.b.at(choice.span);
        let taken = match &choice.stack {
            Some(stack) => b.call(b.attribute(b.name(stack.clone()), "pop"), []),
            None => b.name(choice.taken.clone()),
        };
        match (then.is_empty(), orelse.is_empty()) {
            // A list is emptied as it was filled.
            (true, true) => out.extend(choice.stack.iter().map(|_| b.expr_stmt(taken.clone()))),
            (true, false) => out.push(b.if_stmt(b.not(taken), orelse, Vec::new())),
            _ => out.push(b.if_stmt(taken, then, orelse)),
        }
        self.last = None;
        Ok(())
    }

    /// The user's code in the backward pass, with the adjoint for `dx`.
    fn injected(
        &mut self,
        span: ag_errors::Span,
        pairs: &[(Name, Name)],
        body: &[Stmt],
        state: &mut Adjoints,
        out: &mut Vec<Stmt>,
    ) -> Outcome<()> {
        self.b = self.b.at(span);
        let from = out.len();
        let mut bindings = Vec::new();
        for (variable, derivative) in pairs {
            self.own(variable, state, out);
            bindings.push((derivative.clone(), self.adjoint(variable)));
        }
        let bound = bound_in(body);
        if let Some(name) = bound.iter().find(|name| !pairs.iter().any(|(_, derivative)| derivative == *name))
            && self.numbers.is_variable(name)
        {
            let message = format!("`{name}`, a variable of the function, is assigned in its backward pass");
            return Err(refusal(span, message, "use another name in the `grad_of` block"));
        }
        out.extend(rename(self.b, body, &bindings));
        self.explain(span, out, from);
        Ok(())
    }
}

/// What an operation requires of what it binds: `tangent.require_number(t, "x", "t")`.
pub(crate) fn guard_of(b: Builder<'_>, op: &Op) -> Option<Stmt> {
    let Beside { changed, read, given } = op.beside.as_deref()?;
    let names = [b.string(changed), b.string(read)];
    let target = b.name(op.binds().first()?.clone());
    let required = match op.kind {
        OpKind::Call { .. } => {
            let given = b.tuple(given.iter().map(|name| b.name(name.clone())));
            helper(b, "require_apart", [target, given].into_iter().chain(names))
        }
        _ => helper(b, "require_number", [target].into_iter().chain(names)),
    };
    Some(b.expr_stmt(required))
}

/// The text of what an operation computes, or does.
fn operation(stmt: &Stmt) -> String {
    match &stmt.kind {
        StmtKind::Assign { targets, value }
            if targets
                .iter()
                .all(|one| matches!(one.kind, ExprKind::Name { .. } | ExprKind::Tuple { .. })) =>
        {
            ag_syntax::unparse_expr(value)
        }
        _ => ag_syntax::unparse(std::slice::from_ref(stmt)).text.trim_end().to_owned(),
    }
}

/// Whether a statement does anything.
pub(crate) fn has_text(stmt: &Stmt) -> bool {
    !matches!(stmt.kind, StmtKind::Pass)
}

/// `stack.append(value)`.
fn append(b: Builder<'_>, stack: &Name, value: Expr) -> Stmt {
    b.expr_stmt(b.call(b.attribute(b.name(stack.clone()), "append"), [value]))
}

/// What a test is, as a value that stays what it is: `bool(xs)` of a list that changes later.
fn truth(b: Builder<'_>, test: &Expr) -> Expr {
    match &test.kind {
        ExprKind::Compare { .. } | ExprKind::Unary { op: UnaryOp::Not, .. } | ExprKind::Constant { .. } => {
            test.clone()
        }
        ExprKind::Call { func, .. }
            if crate::variables::dotted(func).is_some_and(|path| {
                matches!(
                    &*path,
                    "tangent.is_view" | "tangent.is_held" | "tangent.is_still" | "tangent.is_attribute"
                )
            }) =>
        {
            test.clone()
        }
        _ => b.call(b.name("bool"), [test.clone()]),
    }
}

/// Statements with other names for variables.
fn rename(b: Builder<'_>, body: &[Stmt], names: &[(Name, Name)]) -> Vec<Stmt> {
    struct Rename<'n>(&'n [(Name, Name)]);
    impl ag_syntax::visit::VisitorMut for Rename<'_> {
        fn visit_expr(&mut self, expr: &mut Expr) {
            if let ExprKind::Name { name, .. } = &mut expr.kind
                && let Some((_, new)) = self.0.iter().find(|(old, _)| old == name)
            {
                *name = new.clone();
            }
            ag_syntax::visit::mutable::walk_expr(self, expr);
        }
    }
    let mut body = b.copy_body(body);
    ag_syntax::visit::VisitorMut::visit_body(&mut Rename(names), &mut body);
    body
}

/// The sum of two adjoints, of which either may be a list where the second is not known to be a new array.
fn added(b: Builder<'_>, one: Expr, other: Expr, is_new: bool) -> Expr {
    if !is_new {
        return helper(b, "add_grad", [one, other]);
    }
    b.expr(ExprKind::Binary { left: Box::new(one), op: BinaryOp::Add, right: Box::new(other) })
}

/// The contributions to each adjoint, summed: `by * x + by * x`.
fn sums(b: Builder<'_>, parts: &[Part]) -> Vec<(Name, Expr, bool)> {
    let mut sums: Vec<(Name, Expr, bool)> = Vec::new();
    for part in parts {
        let Part::Add { to, value, is_new } = part else { continue };
        if let Some((_, sum, sum_is_new)) = sums.iter_mut().find(|(name, ..)| name == to)
            && *is_new
            && *sum_is_new
        {
            let left = Box::new(sum.clone());
            *sum = b.expr(ExprKind::Binary { left, op: BinaryOp::Add, right: Box::new(value.clone()) });
            continue;
        }
        sums.push((to.clone(), value.clone(), *is_new));
    }
    sums
}
