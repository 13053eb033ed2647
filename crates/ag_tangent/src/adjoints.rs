//! The backward pass of each operation: what it adds to which adjoint, and which variables it reads for that.

use std::collections::BTreeSet;

use ag_syntax::Builder;
use ag_syntax::tree::{BinaryOp, ConstantKind, Context, Expr, ExprKind, Name, UnaryOp};

use crate::aliases::{WrittenVariables, is_key};
use crate::callee::Callee;
use crate::calls::bind_operands;
use crate::flatten::operator_text;
use crate::kinds::Kinds;
use crate::naming::Naming;
use crate::normal::Outcome;
use crate::numbers::Numbers;
use crate::program::{Argument, Block, Node, Op, OpKind, Operand, Part, Step, bound, each_node};
use crate::quoted::{Quoted, Quoting};
use crate::shapes::Reduced;
use crate::sources::Surroundings;
use crate::variables::dotted;

/// Writes the backward pass of every operation.
pub(crate) struct Adjoints<'a, 'p> {
    pub(crate) b: Builder<'a>,
    pub(crate) naming: &'p mut Naming,
    pub(crate) around: &'p Surroundings<'p>,
    pub(crate) reduced: &'p Reduced,
    /// The variables whose objects are written in place: what is needed of their arrays is copied where it is used.
    pub(crate) written: &'p WrittenVariables,
    pub(crate) numbers: &'p Numbers,
    pub(crate) kinds: &'p Kinds,
    /// The variables that the loops around bind anew.
    pub(crate) rebound: BTreeSet<Name>,
    /// The variables of whose items the adjoint may be none: an item is added by a helper.
    pub(crate) reformed: BTreeSet<Name>,
}

/// The variables that are told of writes to objects, dicts or lists in them.
pub(crate) fn reformed(block: &Block, kinds: &Kinds, written: &WrittenVariables) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    each_node(block, &mut |node| {
        if let Node::Op(op) = node
            && let OpKind::Store { base, .. } = &op.kind
            && tells_of_holder(op, kinds, written)
        {
            found.insert(base.clone());
        }
    });
    found
}

fn tells_of_holder(op: &Op, kinds: &Kinds, written: &WrittenVariables) -> bool {
    let OpKind::Store { index, value: Operand::Active(value), .. } = &op.kind else { return false };
    let has_others = written.resized.contains(value) || kinds.is_grown(value);
    let is_holder = has_others || is_key(index) && written.keyed.contains(value);
    op.is_telling && is_holder && !(kinds.is_numeric(value) || kinds.is_array(value))
}

impl Adjoints<'_, '_> {
    /// The backward passes of a block.
    pub(crate) fn block(&mut self, block: &mut Block) -> Outcome<()> {
        block.iter_mut().try_for_each(|node| match node {
            Node::Op(op) => self.op(op),
            Node::If(choice) => {
                self.block(&mut choice.then.block)?;
                self.block(&mut choice.orelse.block)
            }
            Node::Loop(looped) => {
                let mut rebound = bound(&looped.body.block);
                rebound.extend(looped.targets());
                rebound.extend(self.rebound.iter().cloned());
                let around = std::mem::replace(&mut self.rebound, rebound);
                let done = self.block(&mut looped.body.block);
                self.rebound = around;
                done
            }
            Node::With { body, .. } => self.block(body),
            Node::Again(again) => {
                let around = std::mem::take(&mut self.rebound);
                let done = self.block(&mut again.block);
                self.rebound = around;
                done
            }
            Node::Finally { body, last, .. } => {
                self.block(body)?;
                self.block(last)
            }
            Node::Plain { .. } | Node::Exit { .. } | Node::Injected { .. } => Ok(()),
        })
    }

    fn op(&mut self, op: &mut Op) -> Outcome<()> {
        let b = self.b.at(op.span);
        let mut step = self.step(op, b)?;
        self.name_operands(op, &mut step, b);
        self.copy_written(op, &mut step, b);
        self.copy_arguments(op, &mut step, b);
        self.keep_forms(op, &mut step, b);
        self.find_needs(op, &mut step);
        op.back = step;
        Ok(())
    }

    fn step(&mut self, op: &Op, b: Builder<'_>) -> Outcome<Step> {
        let adjoint = |naming: &mut Naming, name: &Name| b.name(naming.derivative(name));
        let mut step = Step::default();
        match &op.kind {
            OpKind::Rule { rule, result, operands } => {
                let quoted = Quoting::new(b, self.naming, rule, result.clone(), operands).quote()?;
                step.reads.push(result.clone());
                step.clears.push(result.clone());
                self.contributions(op, quoted, operands, &mut step);
            }
            OpKind::Copy { target, source } => {
                step.reads.push(target.clone());
                step.clears.push(target.clone());
                let value = adjoint(self.naming, target);
                step.parts.push(Part::Add { to: source.clone(), value, is_new: false });
            }
            OpKind::Index { target, base, index } => {
                step.reads.push(target.clone());
                step.clears.push(target.clone());
                let value = adjoint(self.naming, target);
                if adds_axes(index) {
                    let shape = b.call(b.attribute(b.name("np"), "shape"), [b.name(base.clone())]);
                    let value = b.call(b.attribute(b.name("np"), "reshape"), [value, shape]);
                    let value = helper(b, "in_form", [value, b.name(base.clone())]);
                    step.parts.push(Part::Add { to: base.clone(), value, is_new: false });
                    return Ok(step);
                }
                let is_number = self.kinds.is_numeric(target) || self.numbers.is_array(base);
                let is_number = is_number && !self.reformed.contains(base);
                step.parts.push(Part::AddAt {
                    to: base.clone(),
                    index: Box::new(index.clone()),
                    value,
                    is_number,
                    may_be_dict: false,
                });
            }
            OpKind::Display { target, elements, keys } => {
                step.reads.push(target.clone());
                step.clears.push(target.clone());
                let whole = adjoint(self.naming, target);
                for (index, element) in elements.iter().enumerate() {
                    let Operand::Active(to) = element else { continue };
                    let key = keys
                        .as_ref()
                        .map_or_else(|| b.int(i64::try_from(index).unwrap_or(0)), |keys| keys[index].clone());
                    let value = b.subscript(whole.clone(), key);
                    step.parts.push(Part::Add { to: to.clone(), value, is_new: false });
                }
            }
            OpKind::Unpack { targets, source, same } => {
                step.reads.extend(targets.iter().flatten().cloned());
                step.clears.extend(targets.iter().flatten().cloned());
                step.parts.push(Part::Pack { to: source.clone(), from: targets.clone(), same: same.clone() });
            }
            OpKind::Store { base, value: Operand::Active(new), .. } if op.whole.is_some() => {
                step.reads.push(base.clone());
                step.clears.push(base.clone());
                let value = adjoint(self.naming, base);
                step.parts.push(Part::Add { to: new.clone(), value, is_new: false });
            }
            OpKind::Store { base, index, value } => {
                step.reads.push(base.clone());
                let to = match value {
                    Operand::Active(name) => {
                        let value = unbroadcast(b, self.stored(base, index, b), name);
                        Some((name.clone(), value))
                    }
                    Operand::Plain(_) => None,
                };
                // What the base had before is what is told of, in a form that it has no more: there is no adjoint of it.
                let zeros = match self.tells_of_holder(op) {
                    true => self.untold_at(base, index, value, b),
                    false => self.zeros_at(base, index, b),
                };
                step.parts.push(Part::Take {
                    from: base.clone(),
                    index: Box::new(index.clone()),
                    to,
                    zeros: Box::new(zeros),
                });
            }
            OpKind::AugStore { base, index, op: operator, value } => {
                step.reads.push(base.clone());
                if let Some(name) = op.adding_helper() {
                    let taken = if name == "add_item" { "taken_item" } else { "taken_at" };
                    self.add_at((base, index), value, taken, b, &mut step);
                } else {
                    self.aug_store((base, index), *operator, value, b, &mut step)?;
                }
            }
            OpKind::Augment { target, op: operator, value } => {
                step.reads.push(target.clone());
                self.augment(op, (target, value), *operator, b, &mut step)?;
            }
            OpKind::Append { list, value } => {
                step.reads.push(list.clone());
                let to = match value {
                    Operand::Active(name) => Some(name.clone()),
                    Operand::Plain(_) => None,
                };
                step.parts.push(Part::PopFrom { from: list.clone(), to });
            }
            OpKind::Pop { list, target } => {
                step.reads.push(list.clone());
                step.clears.push(target.clone());
                step.parts.push(Part::PushTo { to: list.clone(), from: target.clone() });
            }
            OpKind::Call { target, saved, names, active, .. } => {
                step.reads.push(target.clone());
                step.clears.push(target.clone());
                let arguments = [b.name(saved.clone()), adjoint(self.naming, target)];
                let called = b.call(b.name(&*names.backward), arguments);
                self.spread(called, active.iter().map(|(_, name)| name.clone()).collect(), b, &mut step);
            }
            OpKind::Constant { target } => {
                step.reads.push(target.clone());
                step.clears.push(target.clone());
            }
        }
        Ok(step)
    }

    /// Whether an operation tells an object, a dict or a list of writes to such a one in it: `self.log = log`.
    fn tells_of_holder(&self, op: &Op) -> bool {
        tells_of_holder(op, self.kinds, self.written)
    }

    /// `bx, bw = backward(saved, by)`.
    fn spread(&mut self, called: Expr, to: Vec<Name>, b: Builder<'_>, step: &mut Step) {
        if let [only] = to.as_slice() {
            step.parts.push(Part::Add { to: only.clone(), value: called, is_new: false });
            return;
        }
        let mut names = Vec::new();
        for variable in to {
            let adjoint = self.naming.derivative(&variable);
            let part = self.naming.fresh(&format!("{adjoint}_part"));
            names.push(b.name_store(part.clone()));
            step.parts.push(Part::Add { to: variable, value: b.name(part), is_new: false });
        }
        step.shared.push((b.tuple_in(names, Context::Store), called));
    }

    /// The contributions that a rule makes.
    fn contributions(&mut self, op: &Op, quoted: Quoted, operands: &[(Name, Argument)], step: &mut Step) {
        let b = self.b.at(op.span);
        step.shared.extend(quoted.shared);
        // A vector that grows has room for four, of which most operations have one.
        step.parts.reserve_exact(quoted.contributions.len());
        for (parameter, value) in quoted.contributions {
            let Some((_, argument)) = operands.iter().find(|(name, _)| *name == parameter) else { continue };
            match argument {
                Argument::One(Operand::Active(to)) => {
                    let is_reduced = self.reduced.get(&op.site).is_some_and(|names| names.contains(to));
                    // Lists are added item by item, and not by `+`.
                    let is_new = !is_reduced && is_new(&value) && !self.kinds.is_list(to);
                    let value = if is_reduced { unbroadcast(b, value, to) } else { value };
                    // A rule may give an array for what the program has as a list, and pops from.
                    let value = if self.kinds.is_list(to) { b.call(b.name("list"), [value]) } else { value };
                    step.parts.push(Part::Add { to: to.clone(), value, is_new });
                }
                Argument::One(Operand::Plain(_)) => {}
                Argument::Many(operands) => {
                    let list = self.naming.fresh("parts");
                    step.shared.push((b.name_store(list.clone()), value));
                    for (index, operand) in operands.iter().enumerate() {
                        let Operand::Active(to) = operand else { continue };
                        let index = b.int(i64::try_from(index).unwrap_or(0));
                        let value = b.subscript(b.name(list.clone()), index);
                        step.parts.push(Part::Add { to: to.clone(), value, is_new: false });
                    }
                }
            }
        }
    }

    /// `tangent.copy(ba[i])`: the adjoint of an element, which is about to be written.
    ///
    /// Of an element that an index has twice, what is written last stays: `tangent.written_last`.
    fn taken(&mut self, base: &Name, index: &Expr, b: Builder<'_>) -> Expr {
        let base = b.name(self.naming.derivative(base));
        if !self.numbers.is_basic(index) {
            return helper(b, "written_last", [base, index_value(b, index)]);
        }
        helper(b, "copy", [b.subscript(base, index.clone())])
    }

    /// The same of `a[i] = v`, where `a` may be an array of integers, through which nothing passes.
    fn stored(&mut self, base: &Name, index: &Expr, b: Builder<'_>) -> Expr {
        if self.numbers.is_float_array(base) {
            return self.taken(base, index, b);
        }
        let adjoint = b.name(self.naming.derivative(base));
        helper(b, "stored", [adjoint, index_value(b, index), b.name(base.clone())])
    }

    /// What the adjoint of an element is before the element was written: that of a list may have been of another form.
    fn zeros_at(&mut self, base: &Name, index: &Expr, b: Builder<'_>) -> Expr {
        if self.numbers.is_array(base) {
            return zero(b);
        }
        if self.kinds.is_numeric(base) {
            let element = b.subscript(b.name(self.naming.derivative(base)), index.clone());
            return helper(b, "zeros_like", [element]);
        }
        helper(b, "zeros_at", [b.name(base.clone()), index_value(b, index)])
    }

    /// What an adjoint has at a place whose item was told: none, or zeros where the item may be a part of an array.
    fn untold_at(&self, base: &Name, index: &Expr, value: &Operand, b: Builder<'_>) -> Expr {
        let is_list = matches!(value, Operand::Active(name) if self.kinds.is_grown(name));
        match is_list || is_key(index) {
            true => b.none(),
            false => helper(b, "untold_at", [b.name(base.clone()), index_value(b, index)]),
        }
    }

    /// `tangent.add_at(bx, i, by)`: an element that the index has twice got both values.
    fn add_at(
        &mut self,
        (base, index): (&Name, &Expr),
        value: &Operand,
        taken: &str,
        b: Builder<'_>,
        step: &mut Step,
    ) {
        let Operand::Active(to) = value else { return };
        let adjoint = b.name(self.naming.derivative(base));
        let element = helper(b, taken, [adjoint, index.clone(), b.name(to.clone())]);
        step.parts.push(Part::Add { to: to.clone(), value: element, is_new: false });
    }

    /// `a[i] op= v`.
    fn aug_store(
        &mut self,
        (base, index): (&Name, &Expr),
        op: BinaryOp,
        value: &Operand,
        b: Builder<'_>,
        step: &mut Step,
    ) -> Outcome<()> {
        // `xs[0] += v` of a list may make an array of a number.
        let may_reform = !(self.numbers.is_array(base) || self.kinds.is_numeric(base));
        let zeros = self.zeros_at(base, index, b);
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            let to = if let Operand::Active(to) = value {
                // `d[0] += 0.5` of an array of integers stores a whole number.
                let element = self.stored(base, index, b);
                let element = if op == BinaryOp::Sub { b.unary(UnaryOp::USub, element) } else { element };
                Some((to.clone(), unbroadcast(b, element, to)))
            } else {
                None
            };
            if may_reform {
                let element = b.subscript(b.name(self.naming.derivative(base)), index.clone());
                let zeros = helper(b, "unbroadcast", [element, zeros]);
                step.parts.push(Part::Take {
                    from: base.clone(),
                    index: Box::new(index.clone()),
                    to,
                    zeros: Box::new(zeros),
                });
            } else if let Some((to, value)) = to {
                step.parts.push(Part::Add { to, value, is_new: false });
            }
            return Ok(());
        }
        // The element as it was and as it is have names: a rule may read both.
        let (old, new) = (self.naming.fresh("element"), self.naming.fresh("element"));
        for name in [&old, &new] {
            self.around.locals.borrow_mut().insert(name.clone());
        }
        let element = helper(b, "copy", [b.subscript(b.name(base.clone()), index.clone())]);
        let taken = self.stored(base, index, b);
        let adjoint = self.naming.derivative(&new);
        let operands = vec![Operand::Active(old.clone()), value.clone()];
        let (quoted, first) = self.quote_operator(op, new.clone(), operands, b)?;
        step.shared.push((b.name_store(adjoint), taken));
        step.shared.extend(quoted.shared);
        step.parts.push(Part::Take {
            from: base.clone(),
            index: Box::new(index.clone()),
            to: None,
            zeros: Box::new(zeros.clone()),
        });
        for (parameter, contribution) in quoted.contributions {
            if parameter == first {
                let contribution = if may_reform {
                    helper(b, "unbroadcast", [contribution, zeros.clone()])
                } else {
                    contribution
                };
                step.parts.push(Part::AddAt {
                    to: base.clone(),
                    index: Box::new(index.clone()),
                    value: contribution,
                    is_number: true,
                    may_be_dict: false,
                });
            } else if let Operand::Active(to) = value {
                let contribution = unbroadcast(b, contribution, to);
                step.parts.push(Part::Add { to: to.clone(), value: contribution, is_new: false });
            }
        }
        let read = self.read(step);
        if read.contains(&old) {
            step.before.push((old, element.clone()));
        }
        if read.contains(&new) {
            step.after.push((new, element));
        }
        Ok(())
    }

    /// `x op= v`.
    fn augment(
        &mut self,
        whole: &Op,
        (target, value): (&Name, &Operand),
        op: BinaryOp,
        b: Builder<'_>,
        step: &mut Step,
    ) -> Outcome<()> {
        let (old, new) =
            (self.naming.fresh(&format!("{target}_before")), self.naming.fresh(&format!("{target}_after")));
        let adjoint = self.naming.derivative(target);
        for name in [&old, &new] {
            self.around.locals.borrow_mut().insert(name.clone());
            self.naming.call_derivative(name, adjoint.clone());
        }
        let operands = vec![Operand::Active(old.clone()), value.clone()];
        let (quoted, first) = self.quote_operator(op, new.clone(), operands, b)?;
        step.shared.extend(quoted.shared);
        let reduced = self.reduced.get(&whole.site);
        let is_reduced = |name: &Name| reduced.is_some_and(|names| names.contains(name));
        let mut own = None;
        for (parameter, contribution) in quoted.contributions {
            if parameter == first {
                let reduced = is_reduced(target);
                own = Some(if reduced { unbroadcast(b, contribution, target) } else { contribution });
            } else if let Operand::Active(to) = value {
                let contribution =
                    if is_reduced(to) { unbroadcast(b, contribution, to) } else { contribution };
                step.parts.push(Part::Add { to: to.clone(), value: contribution, is_new: false });
            }
        }
        // `x *= x`: both contributions are to one adjoint.
        let is_itself = matches!(value, Operand::Active(name) if name == target);
        if is_itself {
            let parts = std::mem::take(&mut step.parts).into_iter().filter_map(|part| match part {
                Part::Add { value, .. } => Some(value),
                _ => None,
            });
            own = own.into_iter().chain(parts).reduce(|left, right| {
                b.expr(ExprKind::Binary { left: Box::new(left), op: BinaryOp::Add, right: Box::new(right) })
            });
        }
        if let Some(value) = own {
            step.parts.push(Part::Become { to: target.clone(), value });
        }
        let read = self.read(step);
        let copy = helper(b, "copy", [b.name(target.clone())]);
        if read.contains(&old) {
            step.before.push((old, copy.clone()));
        }
        if read.contains(&new) {
            step.after.push((new, copy));
        }
        Ok(())
    }

    /// The rule of an operator for these operands; the name of the parameter for the first.
    fn quote_operator(
        &mut self,
        op: BinaryOp,
        result: Name,
        operands: Vec<Operand>,
        b: Builder<'_>,
    ) -> Outcome<(Quoted, Name)> {
        let Callee::Primitive { adjoint: Some(rule), .. } = self.around.resolver.binary(op) else {
            return Err(crate::normal::refusal(
                b.origin(),
                "this operator has no rule for derivatives",
                "write it out",
            ));
        };
        let words = format!("`{}=`", operator_text(op));
        let operands = bind_operands(&rule, b.origin(), &words, operands)?;
        let rule = crate::flatten::variant(self.around.resolver, rule, &operands);
        let quoted = Quoting::new(b, self.naming, &rule, result.clone(), &operands).quote()?;
        // Each of the two operands has a parameter.
        let first = operands.into_iter().next().map(|(name, _)| name);
        Ok((quoted, first.unwrap_or(result)))
    }
}

/// `tangent.name(arguments)`.
pub(crate) fn helper(b: Builder<'_>, name: &str, arguments: impl IntoIterator<Item = Expr>) -> Expr {
    b.call(b.attribute(b.name("tangent"), name), arguments)
}

/// `tangent.unbroadcast(value, x)`.
fn unbroadcast(b: Builder<'_>, value: Expr, like: &Name) -> Expr {
    helper(b, "unbroadcast", [value, b.name(like.clone())])
}

/// An index as a value: `a[1:]` has `slice(1, None)`.
pub(crate) fn index_value(b: Builder<'_>, index: &Expr) -> Expr {
    match &index.kind {
        ExprKind::Slice { lower, upper, step } => {
            let part =
                |part: &Option<Box<Expr>>| part.as_ref().map_or_else(|| b.none(), |part| (**part).clone());
            let mut parts = vec![part(lower), part(upper)];
            if step.is_some() {
                parts.push(part(step));
            }
            b.call(b.name("slice"), parts)
        }
        ExprKind::Tuple { elements, .. } => b.tuple(elements.iter().map(|element| index_value(b, element))),
        _ => index.clone(),
    }
}

/// Whether an index only adds axes, `x[..., None]`: of an array or a number, and of no list or dict.
fn adds_axes(index: &Expr) -> bool {
    let parts = match &index.kind {
        ExprKind::Tuple { elements, .. } => elements.as_slice(),
        _ => std::slice::from_ref(index),
    };
    let is =
        |part: &Expr, of: ConstantKind| matches!(&part.kind, ExprKind::Constant { kind, .. } if *kind == of);
    parts.iter().all(|part| is(part, ConstantKind::None) || is(part, ConstantKind::Ellipsis))
        && parts.iter().any(|part| is(part, ConstantKind::Ellipsis))
}

/// Whether the value of an expression is a new object, which nothing else holds.
pub(crate) fn is_new(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Binary { .. } => true,
        ExprKind::Unary { op, .. } => *op == UnaryOp::USub,
        ExprKind::Call { func, .. } => matches!(
            dotted(func).as_deref(),
            Some(
                "np.dot"
                    | "np.outer"
                    | "np.where"
                    | "np.matmul"
                    | "np.zeros"
                    | "np.zeros_like"
                    | "tangent.zeros_like"
                    | "tangent.unreduce"
            )
        ),
        _ => false,
    }
}

/// `0.0`.
pub(crate) fn zero(b: Builder<'_>) -> Expr {
    b.constant(ConstantKind::Float, "0.0")
}
