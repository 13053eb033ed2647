//! The normal form of assignments: one target, one value.

use std::borrow::Cow;

use ag_errors::Span;
use ag_syntax::Builder;

use ag_syntax::tree::{BinaryOp, Context, Expr, ExprKind, Name, Stmt, StmtKind};

use crate::callee::Callee;
use crate::normal::{Former, Outcome, mark_move, operand_expr, refusal};
use crate::program::{Block, OpKind, Operand};
use crate::stars::is_starred;
use crate::variables::root_of;

impl Former<'_, '_> {
    pub(crate) fn assigned(&mut self, targets: &[Expr], value: &Expr, made: &mut Block) -> Outcome<()> {
        let [target] = targets else {
            // `a = b = value`: from left to right.
            let whole = self.naming.of_expr(value);
            self.assign(&whole, value, made)?;
            let whole = self.b.at(value.span).name(whole);
            return targets.iter().try_for_each(|target| self.assign_target(target, &whole, made));
        };
        if let (ExprKind::Tuple { elements, .. }, ExprKind::Tuple { elements: values, .. }) =
            (&target.kind, &value.kind)
            && elements.len() == values.len()
            && !elements.iter().chain(values).any(|one| matches!(one.kind, ExprKind::Starred { .. }))
        {
            return self.assign_each(elements, values, made);
        }
        self.assign_target(target, value, made)
    }

    /// `a, b = b, a + b`: all values, then all targets.
    pub(crate) fn assign_each(&mut self, targets: &[Expr], values: &[Expr], made: &mut Block) -> Outcome<()> {
        let mut held = Vec::new();
        for (index, value) in values.iter().enumerate() {
            if matches!(value.kind, ExprKind::Constant { .. }) {
                held.push(value.clone());
                continue;
            }
            let name = match root_of(&targets[index]) {
                Some(target) => self.naming.fresh(&format!("next_{target}")),
                None => self.naming.of_expr(value),
            };
            if self.is_active(value) {
                self.assign(&name, value, made)?;
            } else {
                let b = self.b.at(value.span);
                let node = self.plain(b.assign_name(name.clone(), value.clone()));
                made.push(node);
            }
            held.push(self.b.at(value.span).name(name));
        }
        for (target, value) in targets.iter().zip(&held) {
            self.assign_target(target, value, made)?;
            if matches!(target.kind, ExprKind::Name { .. }) {
                mark_move(made);
            }
        }
        Ok(())
    }

    pub(crate) fn assign_target(&mut self, target: &Expr, value: &Expr, made: &mut Block) -> Outcome<()> {
        if let Some(name) = root_of(target).filter(|name| !self.around.is_local(name)) {
            return Err(refusal(
                target.span,
                format!(
                    "a value with a derivative is written to `{name}`, which is no variable of the function"
                ),
                "return it",
            ));
        }
        if self.reordered_store(target, value, made)? {
            return Ok(());
        }
        match &target.kind {
            ExprKind::Name { name, .. } if !self.has_derivative(name) => {
                let b = self.b.at(self.span);
                let node = self.plain(b.assign_name(name.clone(), value.clone()));
                made.push(node);
                Ok(())
            }
            ExprKind::Name { name, .. } => self.assign(name, value, made),
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                self.unpack(target.span, elements, value, made)
            }
            ExprKind::Subscript { value: base, index, .. } => {
                let value = match index.kind {
                    ExprKind::Slice { .. } => self.items(base, value, made)?,
                    _ => self.operand(value, made)?,
                };
                let base_name = self.written_base(base, made)?;
                let index = self.simple_index(index, made)?;
                let b = self.b.at(self.span);
                let forward = b.assign(store(b, &base_name, &index), operand_expr(b, &value));
                self.push(made, forward, OpKind::Store { base: base_name, index, value });
                Ok(())
            }
            ExprKind::Attribute { value: object, attr, .. } => {
                let value = self.operand(value, made)?;
                let base = self.written_object(target, object, attr, made)?;
                let b = self.b.at(self.span);
                let mut field = b.attribute(b.name(base.clone()), attr.clone());
                ag_syntax::set_context(&mut field, Context::Store);
                let forward = b.assign(field, operand_expr(b, &value));
                self.push(made, forward, OpKind::Store { base, index: b.string(attr), value });
                Ok(())
            }
            _ => Err(refusal(target.span, "a value with a derivative is assigned to this", "use a variable")),
        }
    }

    /// The items that are written to a slice: `v` of `xs[1:] = v`. Of a dict, a list takes the keys.
    fn items(&mut self, base: &Expr, value: &Expr, made: &mut Block) -> Outcome<Operand> {
        let operand = self.operand(&self.iterated(value), made)?;
        if let Operand::Active(name) = &operand
            && !root_of(base).is_some_and(|base| self.numbers.is_array(base))
        {
            let items = self.b.at(value.span).name(name.clone());
            self.require_sequence(&items, value, made);
        }
        Ok(operand)
    }

    /// `part, part_1 = ys[1], ys[0]`, `ys[0] = part`, `ys[1] = part_1` for `ys[0], ys[1] = ys[1], ys[0]`: Python assigns
    /// one after the other, and each write is told to the other names before the next.
    pub(crate) fn one_by_one<'s>(&mut self, stmt: &'s Stmt) -> Vec<Cow<'s, Stmt>> {
        let StmtKind::Assign { targets, value } = &stmt.kind else { return vec![Cow::Borrowed(stmt)] };
        let is_name = |one: &Expr| matches!(one.kind, ExprKind::Name { .. });
        let elements = match targets.as_slice() {
            [Expr { kind: ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. }, .. }]
                if !(elements.iter().all(is_name)
                    || elements.iter().any(is_starred)
                    || self.is_plain(stmt)) =>
            {
                elements
            }
            _ => return vec![Cow::Borrowed(stmt)],
        };
        let b = self.b.at(stmt.span);
        let first = elements.iter().position(|one| !is_name(one)).unwrap_or_default();
        let (mut stores, mut later) = (Vec::new(), Vec::new());
        for (index, element) in elements.iter().enumerate() {
            if index < first {
                stores.push(element.clone());
                continue;
            }
            let part = self.naming.fresh("part");
            self.declare(&part);
            stores.push(b.name_store(part.clone()));
            later.push(Cow::Owned(b.assign(element.clone(), b.name(part))));
        }
        let unpacked = b.assign(b.tuple_in(stores, Context::Store), value.clone());
        std::iter::once(Cow::Owned(unpacked)).chain(later).collect()
    }

    pub(crate) fn unpack(
        &mut self,
        span: Span,
        elements: &[Expr],
        value: &Expr,
        made: &mut Block,
    ) -> Outcome<()> {
        self.require_no_object(value)?;
        if elements.iter().any(is_starred) {
            return self.starred_unpack(span, elements, value, made);
        }
        let b = self.b.at(span);
        let source = match self.operand(&self.iterated(value), made)? {
            Operand::Active(name) => {
                self.require_sequence(&b.name(name.clone()), value, made);
                name
            }
            Operand::Plain(value) => {
                let name = self.naming.of_expr(&value);
                self.declare(&name);
                let forward = b.assign_name(name.clone(), value);
                self.push(made, forward, OpKind::Constant { target: name.clone() });
                name
            }
        };
        let bound: Vec<&Name> = elements.iter().filter_map(root_of).collect();
        let source = if bound.contains(&&source) {
            let copy = self.naming.fresh("parts");
            let b = self.b.at(span);
            let value = b.name(source);
            self.assign(&copy, &value, made)?;
            copy
        } else {
            source
        };
        let (mut targets, mut stores, mut later) = (Vec::new(), Vec::new(), Vec::new());
        for element in elements {
            match &element.kind {
                ExprKind::Name { name, .. } => {
                    targets.push(self.has_derivative(name).then(|| name.clone()));
                    stores.push(element.clone());
                }
                _ => {
                    let name = self.naming.fresh("part");
                    self.declare(&name);
                    targets.push(Some(name.clone()));
                    stores.push(self.b.at(element.span).name_store(name.clone()));
                    later.push((element.clone(), name));
                }
            }
        }
        let b = self.b.at(self.span);
        let forward = b.assign(b.tuple_in(stores, Context::Store), b.name(source.clone()));
        self.push(made, forward, OpKind::Unpack { targets, source, same: Vec::new() });
        for (element, name) in later {
            let value = self.b.at(element.span).name(name);
            self.assign_target(&element, &value, made)?;
        }
        Ok(())
    }

    pub(crate) fn augmented(
        &mut self,
        stmt: &Stmt,
        target: &Expr,
        op: BinaryOp,
        value: &Expr,
        made: &mut Block,
    ) -> Outcome<()> {
        if let (ExprKind::List { .. } | ExprKind::ListComp { .. }, BinaryOp::Add, ExprKind::Name { name, .. }) =
            (&value.kind, op, &target.kind)
            && self.numbers.is_list(target)
        {
            return self.extend(name, value, made);
        }
        if let (BinaryOp::BitOr, ExprKind::Name { name, .. }) = (op, &target.kind)
            && self.numbers.is_dict(target)
        {
            return self.update(name, Some(value), &[], made);
        }
        if matches!(value.kind, ExprKind::List { .. } | ExprKind::ListComp { .. }) {
            return Err(refusal(stmt.span, "a list is extended by `+=`", "use `append` for each element"));
        }
        if let Some(name) = root_of(target).filter(|name| !self.around.is_local(name)) {
            return Err(refusal(
                target.span,
                format!(
                    "a value with a derivative is written to `{name}`, which is no variable of the function"
                ),
                "return it",
            ));
        }
        self.require_no_object(target)?;
        self.require_no_object(value)?;
        let value = self.operand(value, made)?;
        match &target.kind {
            ExprKind::Name { name, .. } => {
                let b = self.b.at(stmt.span);
                let forward = b.stmt(StmtKind::AugAssign {
                    target: Box::new(b.name_store(name.clone())),
                    op,
                    value: operand_expr(b, &value),
                });
                self.push(made, forward, OpKind::Augment { target: name.clone(), op, value });
            }
            ExprKind::Subscript { value: base, index, .. } => {
                let base = self.written_base(base, made)?;
                let index = self.simple_index(index, made)?;
                let b = self.b.at(stmt.span);
                let forward = b.stmt(StmtKind::AugAssign {
                    target: Box::new(store(b, &base, &index)),
                    op,
                    value: operand_expr(b, &value),
                });
                self.push(made, forward, OpKind::AugStore { base, index, op, value });
            }
            // `m.w += v` is `w = m.w; w += v; m.w = w`.
            ExprKind::Attribute { value: object, attr, .. } => {
                let base = self.written_object(target, object, attr, made)?;
                let own = attribute_target(self.b.at(target.span), &base, attr);
                let target = &own;
                let name = self.naming.fresh(attr);
                let b = self.b.at(stmt.span);
                self.assign(&name, &b.attribute(b.name(base), attr.clone()), made)?;
                let forward = b.stmt(StmtKind::AugAssign {
                    target: Box::new(b.name_store(name.clone())),
                    op,
                    value: operand_expr(b, &value),
                });
                self.push(made, forward, OpKind::Augment { target: name.clone(), op, value });
                self.assign_target(target, &b.name(name), made)?;
            }
            _ => {
                return Err(refusal(
                    target.span,
                    "a value with a derivative is assigned to this",
                    "use a variable",
                ));
            }
        }
        Ok(())
    }

    /// The variable of an object whose attribute is written.
    fn written_object(
        &mut self,
        target: &Expr,
        object: &Expr,
        name: &Name,
        made: &mut Block,
    ) -> Outcome<Name> {
        match (&object.kind, self.around.field(object, name)) {
            (ExprKind::Name { name, .. }, Some(Callee::Field)) => Ok(name.clone()),
            // `net.cell.h = v` is `cell = net.cell; cell.h = v`.
            (ExprKind::Attribute { .. } | ExprKind::Subscript { .. }, Some(Callee::Field))
                if self.is_active(object) =>
            {
                let part = self.naming.of_expr(object);
                self.assign(&part, object, made)?;
                self.parts.insert(part.clone());
                Ok(part)
            }
            _ => Err(refusal(
                target.span,
                "a value with a derivative is stored in an attribute of an object whose class is not known",
                "make the object in the function, or say its class in an annotation of the parameter",
            )),
        }
    }

    /// The variable that a store writes to: `row` of `row = a[i]; row[j] = v` for `a[i][j] = v`.
    pub(crate) fn written_base(&mut self, base: &Expr, made: &mut Block) -> Outcome<Name> {
        self.require_no_object(base)?;
        if let ExprKind::Name { name, .. } = &base.kind {
            return Ok(name.clone());
        }
        // What has no variable at its root, no analysis has seen: `(v := a[0])[0] = x`, `f(a)[0] = x`.
        if root_of(base).is_none() {
            return Err(refusal(
                base.span,
                "a part of what this gives is written",
                "assign it to a variable, and write to that",
            ));
        }
        let part = self.naming.of_expr(base);
        self.assign(&part, base, made)?;
        self.parts.insert(part.clone());
        self.note_container(&part, base, made);
        Ok(part)
    }

    /// A derivative that is differentiated again asks `tangent.require_class(m, dict)`: items of `m` are bound anew.
    pub(crate) fn note_asked_container(&mut self, call: &Expr) {
        let ExprKind::Call { func, args, .. } = &call.kind else { return };
        if let [
            Expr { kind: ExprKind::Name { name: part, .. }, .. },
            Expr { kind: ExprKind::Name { name: kind, .. }, .. },
        ] = args.as_slice()
            && matches!(&**kind, "list" | "dict")
            && crate::variables::dotted(func).as_deref() == Some("tangent.require_class")
        {
            self.around.items.borrow_mut().insert(part.clone());
        }
    }

    /// `tangent.require_class(m, dict)` for `m = self.m`, of which the class says that it is a dict.
    fn note_container(&mut self, part: &Name, value: &Expr, made: &mut Block) {
        let Some(kind) = self.around.container_kind(value).filter(|_| !self.is_telling) else { return };
        let b = self.b.at(self.span);
        let guard = crate::adjoints::helper(b, "require_class", [b.name(part.clone()), b.name(kind)]);
        let node = self.plain(b.expr_stmt(guard));
        made.push(node);
        self.around.items.borrow_mut().insert(part.clone());
    }
}

/// `base.attr` as a target.
fn attribute_target(b: Builder<'_>, base: &Name, attr: &Name) -> Expr {
    let mut target = b.attribute(b.name(base.clone()), attr.clone());
    ag_syntax::set_context(&mut target, Context::Store);
    target
}

fn store(b: Builder<'_>, base: &Name, index: &Expr) -> Expr {
    let mut target = b.subscript(b.name(base.clone()), index.clone());
    ag_syntax::set_context(&mut target, Context::Store);
    target
}
