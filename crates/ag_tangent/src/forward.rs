//! Forward mode: beside each operation, the one that gives the tangent of its result.
//!
//! ```text
//! y = np.sin(x) * w           sin_x = np.sin(x)
//!                             dsin_x = np.cos(x) * dx
//!                             y = sin_x * w
//!                             dy = dsin_x * w
//! ```

use ag_syntax::Builder;
use ag_syntax::tree::{BinaryOp, ConstantKind, Context, Expr, ExprKind, Name, Stmt, StmtKind};

use crate::adjoints::helper;
use crate::aliases::WrittenVariables;
use crate::callee::Callee;
use crate::calls::bind_operands;
use crate::flatten::is_literal;
use crate::flatten::operator_text;
use crate::naming::Naming;
use crate::normal::Outcome;
use crate::numbers::Numbers;
use crate::program::{Argument, Block, Head, Loop, Node, Op, OpKind, Operand, Over};
use crate::quoted::Quoting;
use crate::shapes::Reduced;
use crate::sources::Surroundings;
use crate::written_arguments::WriteKind;

/// Writes a function in forward mode.
pub(crate) struct Tangents<'a, 'p> {
    pub(crate) b: Builder<'a>,
    pub(crate) naming: &'p mut Naming,
    pub(crate) around: &'p Surroundings<'p>,
    pub(crate) reduced: &'p Reduced,
    pub(crate) numbers: &'p Numbers,
    /// The variables whose arrays are written in place.
    pub(crate) written: &'p WrittenVariables,
    /// Whether a caller may write what the function returns.
    pub(crate) is_callee: bool,
}

impl Tangents<'_, '_> {
    /// The statements of a block with those of the tangents.
    pub(crate) fn block(&mut self, block: &Block) -> Outcome<Vec<Stmt>> {
        let mut out = Vec::new();
        for node in block {
            self.node(node, &mut out)?;
        }
        Ok(out)
    }

    fn node(&mut self, node: &Node, out: &mut Vec<Stmt>) -> Outcome<()> {
        match node {
            Node::Plain { stmt, .. } | Node::Exit { stmt, .. } => out.push(stmt.clone()),
            Node::Op(op) => self.op(op, out)?,
            Node::If(choice) => {
                let b = self.b.at(choice.span);
                let then = self.block(&choice.then.block)?;
                if choice.is_rest {
                    out.extend(then);
                } else {
                    let orelse = self.block(&choice.orelse.block)?;
                    out.push(b.if_stmt(choice.test.clone(), then, orelse));
                }
            }
            Node::Loop(looped) => self.looped(looped, out)?,
            Node::Again(again) => out.extend(self.block(&again.block)?),
            Node::With { header, body, .. } => {
                let mut stmt = header.clone();
                if let StmtKind::With { body: inner, .. } = &mut stmt.kind {
                    *inner = self.block(body)?;
                }
                out.push(stmt);
            }
            Node::Finally { stmt, body, last } => {
                let mut stmt = stmt.clone();
                if let StmtKind::Try { body: inner, finalbody, .. } = &mut stmt.kind {
                    *inner = self.block(body)?;
                    *finalbody = self.block(last)?;
                }
                out.push(stmt);
            }
            // There is no backward pass that the block could be put into.
            Node::Injected { .. } => {}
        }
        Ok(())
    }

    /// A loop over active items goes over their tangents beside them.
    fn looped(&mut self, looped: &Loop, out: &mut Vec<Stmt>) -> Outcome<()> {
        let b = self.b.at(looped.span);
        let mut body = self.block(&looped.body.block)?;
        out.push(match &looped.head {
            Head::While(test) => b.while_stmt(test.clone(), body),
            Head::For { target, iter, over: Over::Items { base, target: item, index, may_be_dict } } => {
                let tangents = b.name(self.naming.derivative(base));
                let own = if *may_be_dict {
                    helper(b, "taken_item", [tangents, b.name(index.clone()), b.name(item.clone())])
                } else {
                    b.subscript(tangents, b.name(index.clone()))
                };
                body.insert(0, b.assign_name(self.naming.derivative(item), own));
                let pair = b.tuple_in([b.name_store(index.clone()), target.clone()], Context::Store);
                b.for_stmt(pair, b.call(b.name("enumerate"), [iter.clone()]), body)
            }
            Head::For { target, iter, .. } => b.for_stmt(target.clone(), iter.clone(), body),
        });
        Ok(())
    }

    fn tangent(&mut self, name: &Name) -> Expr {
        self.b.name(self.naming.derivative(name))
    }

    fn set(&mut self, name: &Name, value: Expr) -> Stmt {
        let tangent = self.naming.derivative(name);
        self.b.assign_name(tangent, value)
    }

    /// The tangent of an operand; zeros for one that has none.
    fn of_operand(&mut self, operand: &Operand) -> Expr {
        match operand {
            Operand::Active(name) => self.tangent(name),
            Operand::Plain(value) => helper(self.b, "zeros_like", [value.clone()]),
        }
    }

    fn op(&mut self, op: &Op, out: &mut Vec<Stmt>) -> Outcome<()> {
        self.b = self.b.at(op.span);
        let b = self.b;
        let guard = crate::reverse::guard_of(b, op);
        if !matches!(op.kind, OpKind::Index { .. } | OpKind::Call { .. }) {
            out.extend(guard.clone());
        }
        match &op.kind {
            OpKind::Rule { rule, result, operands } => {
                let mut forward = op.forward.clone();
                let operands = &self.evaluated_once(operands, &mut forward, out);
                out.push(forward);
                let is_reduced = self.reduced.get(&op.site).is_some_and(|names| !names.is_empty());
                let value = self.quoted(rule, result, operands, out)?;
                let value =
                    if is_reduced { helper(b, "broadcast", [value, b.name(result.clone())]) } else { value };
                // A new array has a tangent of its own, which may be written: `b = a.copy()`.
                let is_shared = !rule.is_view && !crate::adjoints::is_new(&value);
                let value = if is_shared && (self.is_callee || !self.written.arrays.is_empty()) {
                    helper(b, "copy", [value])
                } else if is_shared && self.written.holders.contains(result) {
                    helper(b, "copy_containers", [value])
                } else {
                    value
                };
                let stmt = self.set(result, value);
                out.push(stmt);
            }
            OpKind::Copy { target, source } => {
                out.push(op.forward.clone());
                let value = self.tangent(source);
                let stmt = self.set(target, value);
                out.push(stmt);
            }
            OpKind::Index { target, base, index } => {
                out.push(op.forward.clone());
                let base = self.tangent(base);
                let stmt = self.set(target, b.subscript(base, index.clone()));
                out.push(stmt);
                out.extend(guard);
            }
            OpKind::Display { target, elements, keys } => {
                out.push(op.forward.clone());
                let tangents: Vec<Expr> = elements.iter().map(|element| self.of_operand(element)).collect();
                let StmtKind::Assign { value, .. } = &op.forward.kind else { return Ok(()) };
                let mut display = value.clone();
                match &mut display.kind {
                    ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                        *elements = tangents
                    }
                    ExprKind::Dict(items) => {
                        items.iter_mut().zip(tangents).for_each(|((_, value), tangent)| *value = tangent);
                    }
                    _ => {}
                }
                if let (ExprKind::Call { .. }, Some(keys)) = (&value.kind, keys) {
                    display = record_of(b, elements.iter().map(|one| self.of_operand(one)).collect(), keys);
                }
                if op.hidden > 0 {
                    let tangents =
                        elements.iter().map(|element| self.of_operand(element)).collect::<Vec<_>>();
                    display = b.tuple(tangents);
                }
                let stmt = self.set(target, b.copy_expr(&display));
                out.push(stmt);
            }
            OpKind::Unpack { targets, source, .. } => {
                out.extend(crate::reverse::has_text(&op.forward).then(|| op.forward.clone()));
                let value = self.tangent(source);
                let stores: Vec<Expr> = targets
                    .iter()
                    .map(|target| match target {
                        Some(name) => b.name_store(self.naming.derivative(name)),
                        None => b.name_store("_"),
                    })
                    .collect();
                out.push(b.assign(b.tuple_in(stores, Context::Store), value));
            }
            OpKind::Store { base, index, value } => {
                let value = self.of_operand(value);
                out.push(op.forward.clone());
                if op.whole.is_some_and(WriteKind::is_container) {
                    // What a callee has written is there.
                    if !op.changes_whole() {
                        out.pop();
                    }
                    let stmt = self.set(base, value);
                    out.push(stmt);
                    return Ok(());
                }
                let target = self.element(base, index);
                let value = if op.whole.is_some() { value } else { self.storable(value, base) };
                out.push(b.assign(target, value));
            }
            OpKind::AugStore { base, index, op: operator, value } => {
                self.aug_store(op, (base, index), *operator, value, out)?;
            }
            OpKind::Augment { target, op: operator, value } => {
                self.augment(op, target, *operator, value, out)?
            }
            OpKind::Append { list, value } => {
                let value = self.of_operand(value);
                out.push(op.forward.clone());
                let append = b.attribute(self.tangent(list), "append");
                out.push(b.expr_stmt(b.call(append, [value])));
            }
            OpKind::Pop { list, target } => {
                out.push(op.forward.clone());
                let pop = b.attribute(self.tangent(list), "pop");
                let stmt = self.set(target, b.call(pop, []));
                out.push(stmt);
            }
            OpKind::Call { target, active, tangents: names, .. } => {
                let mut stmt = op.forward.clone();
                let tangents: Vec<Expr> = active.iter().map(|(_, name)| self.tangent(name)).collect();
                if let StmtKind::Assign { targets, value } = &mut stmt.kind {
                    let own = b.name_store(self.naming.derivative(target));
                    *targets = vec![b.tuple_in([b.name_store(target.clone()), own], Context::Store)];
                    if let ExprKind::Call { keywords, .. } = &mut value.kind {
                        for (name, tangent) in names.iter().zip(tangents) {
                            keywords.push(b.keyword(name.clone(), tangent));
                        }
                    }
                }
                out.push(stmt);
                out.extend(guard);
            }
            OpKind::Constant { target } => {
                out.push(op.forward.clone());
                let is_empty = matches!(&op.forward.kind, StmtKind::Assign { value, .. }
                    if matches!(&value.kind, ExprKind::List { elements, .. } if elements.is_empty()));
                let zeros = helper(b, "zeros_like", [b.name(target.clone())]);
                let stmt = self.set(target, if is_empty { b.list([]) } else { zeros });
                out.push(stmt);
            }
        }
        Ok(())
    }

    /// Operands that are computed get names: they are read twice, and evaluated once.
    fn evaluated_once(
        &mut self,
        operands: &[(Name, Argument)],
        forward: &mut Stmt,
        out: &mut Vec<Stmt>,
    ) -> Vec<(Name, Argument)> {
        let mut named = operands.to_vec();
        for (_, argument) in &mut named {
            let given: Vec<&mut Operand> = match argument {
                Argument::One(operand) => vec![operand],
                Argument::Many(operands) => operands.iter_mut().collect(),
            };
            for operand in given {
                let Operand::Plain(value) = operand else { continue };
                if crate::flatten::is_simple(value) || is_literal(value) {
                    continue;
                }
                let name = self.naming.of_expr(value);
                self.around.locals.borrow_mut().insert(name.clone());
                crate::needs::name_in(forward, value, &name, self.b);
                out.push(self.b.assign_name(name.clone(), value.clone()));
                *operand = Operand::Plain(self.b.name(name));
            }
        }
        named
    }

    /// The sum of what a rule says.
    fn quoted(
        &mut self,
        rule: &crate::callee::Rule,
        result: &Name,
        operands: &[(Name, Argument)],
        out: &mut Vec<Stmt>,
    ) -> Outcome<Expr> {
        let b = self.b;
        let quoted = Quoting::new(b, self.naming, rule, result.clone(), operands).quote()?;
        out.extend(quoted.shared.into_iter().map(|(target, value)| b.assign(target, value)));
        let sum = quoted.contributions.into_iter().map(|(_, value)| value).reduce(|left, right| {
            // Values as they are may be lists, which `+` does not add.
            let may_be_list = |value: &Expr| match &value.kind {
                ExprKind::Name { .. } => true,
                ExprKind::Call { func, .. } => {
                    crate::variables::dotted(func).is_some_and(|name| name == "tangent.constant_in")
                }
                _ => false,
            };
            if !rule.is_elementwise && (may_be_list(&left) || may_be_list(&right)) {
                return helper(b, "add_grad", [left, right]);
            }
            b.expr(ExprKind::Binary { left: Box::new(left), op: BinaryOp::Add, right: Box::new(right) })
        });
        Ok(sum.unwrap_or_else(|| helper(b, "zeros_like", [b.name(result.clone())])))
    }

    fn element(&mut self, base: &Name, index: &Expr) -> Expr {
        let mut target = self.b.subscript(self.tangent(base), index.clone());
        ag_syntax::set_context(&mut target, Context::Store);
        target
    }

    /// The tangent of what is stored in an array, which may be one of integers.
    fn storable(&self, value: Expr, base: &Name) -> Expr {
        if self.numbers.is_float_array(base) {
            return value;
        }
        helper(self.b, "storable", [value, self.b.name(base.clone())])
    }

    fn aug_store(
        &mut self,
        op: &Op,
        (base, index): (&Name, &Expr),
        operator: BinaryOp,
        value: &Operand,
        out: &mut Vec<Stmt>,
    ) -> Outcome<()> {
        let b = self.b;
        if matches!(operator, BinaryOp::Add | BinaryOp::Sub) {
            out.push(op.forward.clone());
            if let (Operand::Active(name), Some(adding)) = (value, op.adding_helper()) {
                let given = [self.tangent(base), index.clone(), self.tangent(name)];
                out.push(b.expr_stmt(helper(b, adding, given)));
            } else if let Operand::Active(name) = value {
                let value = self.tangent(name);
                let value = self.storable(value, base);
                let target = self.element(base, index);
                out.push(b.stmt(StmtKind::AugAssign { target: Box::new(target), op: operator, value }));
            }
            return Ok(());
        }
        let (old, new) = (self.naming.fresh("element"), self.naming.fresh("element"));
        let element = helper(b, "copy", [b.subscript(b.name(base.clone()), index.clone())]);
        out.push(b.assign_name(old.clone(), element.clone()));
        let own = b.subscript(self.tangent(base), index.clone());
        let stmt = self.set(&old, own);
        out.push(stmt);
        out.push(op.forward.clone());
        out.push(b.assign_name(new.clone(), element));
        let value = self.by_operator(operator, &old, value, &new, out)?;
        let value = self.storable(value, base);
        let target = self.element(base, index);
        out.push(b.assign(target, value));
        Ok(())
    }

    fn augment(
        &mut self,
        op: &Op,
        target: &Name,
        operator: BinaryOp,
        value: &Operand,
        out: &mut Vec<Stmt>,
    ) -> Outcome<()> {
        let b = self.b;
        let old = self.naming.fresh(&format!("{target}_before"));
        out.push(b.assign_name(old.clone(), helper(b, "copy", [b.name(target.clone())])));
        let own = self.tangent(target);
        let stmt = self.set(&old, own);
        out.push(stmt);
        out.push(op.forward.clone());
        // `x *= x`
        let value = match value {
            Operand::Active(name) if name == target => &Operand::Active(old.clone()),
            value => value,
        };
        let value = self.by_operator(operator, &old, value, target, out)?;
        let stmt = self.set(target, helper(b, "broadcast", [value, b.name(target.clone())]));
        out.push(stmt);
        Ok(())
    }

    fn by_operator(
        &mut self,
        op: BinaryOp,
        old: &Name,
        value: &Operand,
        new: &Name,
        out: &mut Vec<Stmt>,
    ) -> Outcome<Expr> {
        let Callee::Primitive { tangent: Some(rule), .. } = self.around.resolver.binary(op) else {
            return Err(crate::normal::refusal(
                self.b.origin(),
                "this operator has no rule for derivatives",
                "write it out",
            ));
        };
        let words = format!("`{}=`", operator_text(op));
        let given = vec![Operand::Active(old.clone()), value.clone()];
        let operands = bind_operands(&rule, self.b.origin(), &words, given)?;
        let rule = crate::flatten::variant(self.around.resolver, rule, &operands);
        self.quoted(&rule, new, &operands, out)
    }
}

/// The tangent of a record: a dict by its fields, or a tuple.
fn record_of(b: Builder<'_>, tangents: Vec<Expr>, keys: &[Expr]) -> Expr {
    let is_string = |key: &Expr| matches!(key.kind, ExprKind::Constant { kind: ConstantKind::Str, .. });
    if !keys.iter().all(is_string) {
        return b.tuple(tangents);
    }
    b.expr(ExprKind::Dict(keys.iter().cloned().map(Some).zip(tangents).collect()))
}
