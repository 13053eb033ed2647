//! The normal form of what programs do with lists and dicts, in words that the rest knows: items by key and index,
//! `append`, loops.
//!
//! ```text
//! for name, w in params.items():      for name in tangent.keys(params):
//!     s += np.sum(w)                      w = params[name]
//!                                         s += np.sum(w)
//!
//! xs.extend(ys)                       items = list(ys)
//!                                     for item in items:
//!                                         xs.append(item)
//! ```

use ag_syntax::tree::{BinaryOp, CompareOp, Comprehension, Expr, ExprKind, Keyword, Name, Stmt};
use ag_syntax::{Binding, Template};

use crate::adjoints::helper;
use crate::flatten::is_simple;
use crate::normal::{Former, Outcome, operand_expr, refusal};
use crate::program::{Block, OpKind, Operand};
use crate::variables::bound_in;

impl Former<'_, '_> {
    /// The object whose method a call without arguments calls: `p` of `p.items()`.
    fn receiver<'e>(&self, call: &'e Expr) -> Option<(&'e Expr, &'e Name)> {
        let ExprKind::Call { func, args, keywords } = &call.kind else { return None };
        let ExprKind::Attribute { value, attr, .. } = &func.kind else { return None };
        let is_plain = args.is_empty() && keywords.is_empty();
        (is_plain && self.around.is_method(func) && self.around.field(value, attr).is_none())
            .then_some((&**value, attr))
    }

    /// `for key, value in p.items()`; whether the loop is over a dict's method.
    pub(crate) fn for_over_dict(
        &mut self,
        stmt: &Stmt,
        (target, iter): (&Expr, &Expr),
        body: &[Stmt],
        made: &mut Block,
    ) -> Outcome<bool> {
        let Some((object, method)) = self.receiver(iter) else { return Ok(false) };
        if !matches!(&**method, "items" | "values" | "keys") || !self.is_active(object) {
            return Ok(false);
        }
        let b = self.b.at(stmt.span);
        let base = match &object.kind {
            ExprKind::Name { name, .. } if !bound_in(body).contains(name) => name.clone(),
            _ => {
                let name = self.naming.fresh("items");
                self.assign(&name, object, made)?;
                name
            }
        };
        let keys = helper(b, "keys", [b.name(base.clone())]);
        let item = |key: Expr| b.subscript(b.name(base.clone()), key);
        let (key, first) = match (&**method, &target.kind) {
            ("keys", _) => (target.clone(), None),
            ("items", ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. })
                if matches!(elements.as_slice(), [Expr { kind: ExprKind::Name { .. }, .. }, _]) =>
            {
                let mut read = elements[0].clone();
                ag_syntax::set_context(&mut read, ag_syntax::tree::Context::Load);
                (elements[0].clone(), Some(b.assign(elements[1].clone(), item(read))))
            }
            _ => {
                let key = self.naming.fresh("key");
                self.around.locals.borrow_mut().insert(key.clone());
                let read = || b.name(key.clone());
                let value = item(read());
                let value = if &**method == "items" { b.tuple([read(), value]) } else { value };
                (b.name_store(key.clone()), Some(b.assign(target.clone(), value)))
            }
        };
        let whole: Vec<Stmt> = first.into_iter().chain(body.iter().cloned()).collect();
        self.for_loop(stmt, &key, &keys, &whole, made)?;
        Ok(true)
    }

    /// `target = p.get(key, default)`, `dict(a=x)`; whether the call is one of these.
    pub(crate) fn dict_call(
        &mut self,
        target: &Name,
        (func, args, keywords): (&Expr, &[Expr], &[Keyword]),
        made: &mut Block,
    ) -> Outcome<bool> {
        let b = self.b.at(self.span);
        match &func.kind {
            ExprKind::Name { name, .. }
                if &**name == "dict"
                    && !self.around.is_local(name)
                    && args.is_empty()
                    && keywords.iter().all(|keyword| keyword.name.is_some()) =>
            {
                let names = keywords.iter().filter_map(|keyword| keyword.name.as_ref());
                let items =
                    names.zip(keywords).map(|(name, keyword)| (Some(b.string(name)), keyword.value.clone()));
                let display = b.expr(ExprKind::Dict(items.collect()));
                self.assign(target, &display, made)?;
                Ok(true)
            }
            ExprKind::Attribute { value: object, attr, .. }
                if matches!(&**attr, "values" | "items")
                    && args.is_empty()
                    && keywords.is_empty()
                    && !self.own.contains(target)
                    && self.is_active(object)
                    && self.around.field(object, attr).is_none() =>
            {
                let Operand::Active(base) = self.operand(object, made)? else { return Ok(false) };
                let key = self.naming.fresh("key");
                self.around.locals.borrow_mut().insert(key.clone());
                let item = b.subscript(b.name(base.clone()), b.name(key.clone()));
                let element = if &**attr == "items" { b.tuple([b.name(key.clone()), item]) } else { item };
                let generator = Comprehension {
                    target: b.name_store(key),
                    iter: helper(b, "keys", [b.name(base)]),
                    conditions: Vec::new(),
                    is_async: false,
                };
                self.comprehension(target, (None, &element), &[generator], made)?;
                Ok(true)
            }
            ExprKind::Attribute { value: object, attr, .. }
                if &**attr == "get"
                    && keywords.is_empty()
                    && matches!(args.len(), 1 | 2)
                    && self.is_active(object)
                    && self.around.field(object, attr).is_none() =>
            {
                let Operand::Active(base) = self.operand(object, made)? else { return Ok(false) };
                let key = self.simple_index(&args[0], made)?;
                let default = match args.get(1) {
                    Some(default) => operand_expr(b, &self.operand(default, made)?),
                    None => b.none(),
                };
                let found = b.subscript(b.name(base.clone()), key.clone());
                let chosen = b.if_exp(b.compare(key, CompareOp::In, b.name(base)), found, default);
                self.assign(target, &chosen, made)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// `{**p, key: value}`: a copy, and then its items.
    pub(crate) fn merged(
        &mut self,
        target: &Name,
        items: &[(Option<Expr>, Expr)],
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(self.span);
        let dict = self.naming.fresh("items");
        self.declare(&dict);
        let empty = b.assign_name(dict.clone(), b.expr(ExprKind::Dict(Vec::new())));
        self.push(made, empty, OpKind::Constant { target: dict.clone() });
        for (key, value) in items {
            let (key, value) = match key {
                Some(key) => (key.clone(), value.clone()),
                None => {
                    let given = self.naming.fresh("given");
                    let binding = b.assign_name(given.clone(), value.clone());
                    self.bind(&given, binding, value, made)?;
                    let key = self.naming.fresh("key");
                    self.around.locals.borrow_mut().insert(key.clone());
                    let item = |name: &Name| b.subscript(b.name(name.clone()), b.name(key.clone()));
                    let body = vec![b.assign(stored(item(&dict)), item(&given))];
                    let keys = helper(b, "keys", [b.name(given.clone())]);
                    made.extend(self.block(&[b.for_stmt(b.name_store(key.clone()), keys, body)])?);
                    continue;
                }
            };
            let key = self.simple_index(&key, made)?;
            let item = stored(b.subscript(b.name(dict.clone()), key));
            self.assign_target(&item, &value, made)?;
        }
        let copy = b.assign_name(target.clone(), b.name(dict.clone()));
        self.push(made, copy, OpKind::Copy { target: target.clone(), source: dict });
        Ok(())
    }

    /// Binds a name to a value with or without a derivative.
    pub(crate) fn bind(&mut self, name: &Name, binding: Stmt, value: &Expr, made: &mut Block) -> Outcome<()> {
        if self.is_active(value) {
            return self.assign(name, value, made);
        }
        let node = self.plain(binding);
        made.push(node);
        Ok(())
    }

    /// `xs.extend(values)`, `xs += [a, b]`.
    pub(crate) fn extend(&mut self, list: &Name, values: &Expr, made: &mut Block) -> Outcome<()> {
        let b = self.b.at(self.span);
        if let ExprKind::List { elements, .. } = &values.kind
            && elements.iter().all(is_simple)
        {
            // All are computed before the first is appended.
            for element in elements {
                let append = b.attribute(b.name(list.clone()), "append");
                made.extend(self.block(&[b.expr_stmt(b.call(append, [element.clone()]))])?);
            }
            return Ok(());
        }
        let (items, item) = (self.naming.fresh("items"), self.naming.fresh("item"));
        let whole = match values.kind {
            ExprKind::List { .. } | ExprKind::ListComp { .. } => values.clone(),
            _ => b.call(b.name("list"), [values.clone()]),
        };
        self.sequences.insert(items.clone());
        self.bind(&items, b.assign_name(items.clone(), whole.clone()), &whole, made)?;
        if self.has_derivative(&items) {
            self.declare(&item);
        }
        let append = b.attribute(b.name(list.clone()), "append");
        let body = vec![b.expr_stmt(b.call(append, [b.name(item.clone())]))];
        let looped = b.for_stmt(b.name_store(item), b.name(items), body);
        made.extend(self.block(&[looped])?);
        Ok(())
    }

    /// `[f(x) for x in xs if x > 0]` is a loop that appends, `{k: f(k) for k in ks}` one that stores.
    pub(crate) fn comprehension(
        &mut self,
        target: &Name,
        (key, element): (Option<&Expr>, &Expr),
        generators: &[Comprehension],
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(self.span);
        let items = self.naming.fresh("items");
        self.declare(&items);
        let whole = || b.name(items.clone());
        let (empty, mut body) = match key {
            None => {
                let append = b.call(b.attribute(whole(), "append"), [element.clone()]);
                (b.list([]), vec![b.expr_stmt(append)])
            }
            Some(key) if is_simple(key) => {
                let item = stored(b.subscript(whole(), key.clone()));
                (b.expr(ExprKind::Dict(Vec::new())), vec![b.assign(item, element.clone())])
            }
            Some(key) => {
                return Err(refusal(key.span, "a computed key in a comprehension", "write the loop out"));
            }
        };
        let mut bound = Vec::new();
        for generator in generators.iter().rev() {
            for condition in generator.conditions.iter().rev() {
                body = vec![b.if_stmt(condition.clone(), body, Vec::new())];
            }
            bound.extend(crate::variables::bound_by(&b.assign(generator.target.clone(), b.none())));
            body = vec![b.for_stmt(generator.target.clone(), generator.iter.clone(), body)];
        }
        // The variables of a comprehension are its own.
        let shared: Vec<Name> = bound.iter().filter(|name| self.own.contains(*name)).cloned().collect();
        let names: Vec<(Name, Name)> =
            shared.iter().map(|name| (name.clone(), self.naming.fresh(name))).collect();
        for (name, new) in &names {
            if self.has_derivative(name) {
                self.declare(new);
            }
        }
        if !names.is_empty() {
            let bindings = names.iter().map(|(name, new)| (&**name, Binding::name(new.clone())));
            body = Template::of(body).quote(b, bindings);
        }
        let empty = b.assign_name(items.clone(), empty);
        self.push(made, empty, OpKind::Constant { target: items.clone() });
        made.extend(self.block(&body)?);
        if key.is_none() && !self.own.contains(target) {
            self.sequences.insert(target.clone());
        }
        let copy = b.assign_name(target.clone(), b.name(items.clone()));
        self.push(made, copy, OpKind::Copy { target: target.clone(), source: items });
        Ok(())
    }

    /// `p | q` of what is visibly a dict: `{**p, **q}`.
    pub(crate) fn of_dicts(&self, left: &Expr, op: BinaryOp, right: &Expr) -> Option<Expr> {
        let is_union = op == BinaryOp::BitOr && (self.numbers.is_dict(left) || self.numbers.is_dict(right));
        let items = || vec![(None, left.clone()), (None, right.clone())];
        is_union.then(|| self.b.at(self.span).expr(ExprKind::Dict(items())))
    }

    /// `xs + ys`, `xs * n` of lists: calls of helpers that require lists, and have rules.
    pub(crate) fn of_lists(&self, left: &Expr, op: BinaryOp, right: &Expr) -> Option<Expr> {
        let is_sequence =
            |value: &Expr| matches!(value.kind, ExprKind::Tuple { .. }) || self.numbers.is_list(value);
        let (left_is, right_is) = (is_sequence(left), is_sequence(right));
        let b = self.b.at(self.span);
        match op {
            BinaryOp::Add if left_is || right_is => Some(helper(b, "concat", [left.clone(), right.clone()])),
            BinaryOp::Mult if left_is => Some(helper(b, "repeated", [left.clone(), right.clone()])),
            BinaryOp::Mult if right_is => Some(helper(b, "repeated", [right.clone(), left.clone()])),
            _ => None,
        }
    }
}

/// An item as a target.
fn stored(mut item: Expr) -> Expr {
    ag_syntax::set_context(&mut item, ag_syntax::tree::Context::Store);
    item
}
