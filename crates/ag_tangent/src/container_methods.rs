//! Methods of lists and dicts that take items out, put them in between or in order, or bind several at once.
//!
//! ```text
//! ys.sort()                       places = tangent.sorted_places(ys)
//!                                 reordered = tangent.reordered(ys, places)
//!                                 ys[:] = reordered
//!
//! y = d.pop("a")                  y = d["a"]
//!                                 rest = tangent.without(d, "a")
//!                                 del d["a"]
//! ```
//!
//! What is in the container after the call is computed first, by a helper with a rule; the adjoint of the container
//! then is that of this value. The forward pass changes the object itself.

use ag_syntax::tree::{CompareOp, ConstantKind, Context, Expr, ExprKind, Keyword, Name, Stmt, UnaryOp};

use crate::adjoints::helper;
use crate::callee::Callee;
use crate::flatten::is_simple;
use crate::normal::{Former, Outcome, operand_expr};
use crate::program::{Block, Node, OpKind, Operand};
use crate::stars::is_starred;
use crate::written_arguments::WriteKind;

/// The methods that are calls of their own, whatever they give.
pub(crate) const REARRANGING: [&str; 9] =
    ["clear", "insert", "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update"];

/// A call of a method of a list or a dict.
struct Method<'e> {
    of: Name,
    name: &'e str,
    args: &'e [Expr],
    keywords: &'e [Keyword],
}

impl Former<'_, '_> {
    /// `ys.insert(i, v)`, `d.update(q)`; whether the call is one of these.
    pub(crate) fn container_statement(&mut self, call: &Expr, made: &mut Block) -> Outcome<bool> {
        let Some(method) = self.container_method(call) else { return Ok(false) };
        let b = self.b.at(self.span);
        let list = || b.name(method.of.clone());
        match (method.name, method.args, method.keywords) {
            ("insert", [index, value], []) => {
                let index = self.fixed(index, made)?;
                let append = b.call(b.attribute(list(), "append"), [value.clone()]);
                let appended = self.block(&[b.expr_stmt(append)])?;
                self.told_sites.extend(appended.iter().filter_map(|node| match node {
                    Node::Op(op) if op.grows() => Some(op.site),
                    _ => None,
                }));
                made.extend(appended);
                let places = helper(b, "insertion_places", [list(), index]);
                self.reorder(&method.of, places, made)?;
            }
            ("reverse", [], []) if !self.numbers.is_array(&method.of) => {
                let places = helper(b, "reversed_places", [list()]);
                self.reorder(&method.of, places, made)?;
            }
            ("sort", [], options) if !self.numbers.is_array(&method.of) => {
                let path = b.attribute(b.name("tangent"), "sorted_places");
                let places = b.call_with(path, [list()], options.to_vec());
                self.reorder(&method.of, places, made)?;
            }
            ("clear", [], []) if !self.numbers.is_array(&method.of) => {
                self.clear(&method.of, call, made)?;
            }
            ("update", [] | [_], keywords) if !method.args.iter().any(is_starred) => {
                self.update(&method.of, method.args.first(), keywords, made)?;
            }
            ("setdefault", [_] | [_, _], []) => {
                self.set_default(&method, made)?;
            }
            ("pop", [_] | [_, _], []) | ("popitem", [], []) => {
                let popped = self.naming.fresh("popped");
                self.assign(&popped, call, made)?;
            }
            ("remove", [value], []) => {
                let value = operand_expr(b, &self.operand(value, made)?);
                let place = self.found_place(helper(b, "place_of", [list(), value]), "place", made);
                let rest = self.without((&method.of, &place), made)?;
                self.delete((&method.of, &place), &rest, made)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `y = d.pop(k)`, `y = d.setdefault(k, v)`; whether the call is one of these.
    pub(crate) fn container_value(&mut self, target: &Name, call: &Expr, made: &mut Block) -> Outcome<bool> {
        let Some(method) = self.container_method(call) else { return Ok(false) };
        let b = self.b.at(self.span);
        match (method.name, method.args, method.keywords) {
            ("setdefault", [_] | [_, _], []) => {
                let key = self.set_default(&method, made)?;
                self.assign(target, &b.subscript(b.name(method.of.clone()), key), made)?;
            }
            // The last item, as without an index.
            ("pop", [index], [])
                if is_minus_one(index) && self.numbers.is_list(&b.name(method.of.clone())) =>
            {
                let pop = b.call(b.attribute(b.name(method.of.clone()), "pop"), []);
                self.assign(target, &pop, made)?;
            }
            ("pop", [index], []) => {
                let index = self.fixed(index, made)?;
                self.taken_out(target, (&method.of, &index), made)?;
            }
            ("popitem", [], []) => {
                let last = helper(b, "last_key", [b.name(method.of.clone())]);
                let (key, item) = (self.found_place(last, "key", made), self.naming.fresh("popped"));
                self.taken_out(&item, (&method.of, &key), made)?;
                self.assign(target, &b.tuple([key, b.name(item)]), made)?;
            }
            ("pop", [key, default], []) => {
                let key = self.fixed(key, made)?;
                let default = operand_expr(b, &self.operand(default, made)?);
                let test = b.compare(b.copy_expr(&key), CompareOp::In, b.name(method.of.clone()));
                let (mut then, mut orelse) = (Vec::new(), Vec::new());
                let before = self.known.clone();
                self.taken_out(target, (&method.of, &key), &mut then)?;
                let after = std::mem::replace(&mut self.known, before);
                self.assign(target, &default, &mut orelse)?;
                self.join_known(after, &mut then, &mut orelse);
                self.push_choice(self.span, &test, then, orelse, made);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `del ys[i]`, of a list or a dict; whether it is one.
    pub(crate) fn deleted_item(&mut self, target: &Expr, made: &mut Block) -> Outcome<bool> {
        let ExprKind::Subscript { value, index, .. } = &target.kind else { return Ok(false) };
        if self.around.is_object(value) {
            return Ok(false);
        }
        let base = self.written_base(value, made)?;
        if !self.has_derivative(&base) || self.numbers.is_array(&base) {
            return Ok(false);
        }
        let index = self.fixed(index, made)?;
        let rest = self.without((&base, &index), made)?;
        self.delete((&base, &index), &rest, made)?;
        Ok(true)
    }

    /// Whether an expression is `d.setdefault(k, [])`, which gives the list in `d`.
    pub(crate) fn is_default(&self, value: &Expr) -> bool {
        self.container_method(value).is_some_and(|method| method.name == "setdefault")
    }

    /// `ys[:] = reordered` of a derivative that is differentiated again; whether it is that.
    pub(crate) fn reordered_store(&mut self, target: &Expr, value: &Expr, made: &mut Block) -> Outcome<bool> {
        let ExprKind::Subscript { value: list, index, .. } = &target.kind else { return Ok(false) };
        let (ExprKind::Name { name: list, .. }, ExprKind::Name { name: new, .. }) = (&list.kind, &value.kind)
        else {
            return Ok(false);
        };
        let is_whole = matches!(index.kind, ExprKind::Slice { lower: None, upper: None, step: None });
        if !(is_whole && self.reordered.contains(new) && self.has_derivative(list)) {
            return Ok(false);
        }
        let b = self.b.at(self.span);
        self.changed_whole(list, new, b.assign(target.clone(), b.name(new.clone())), made)?;
        Ok(true)
    }

    /// The method of a list or a dict with a derivative that a call calls.
    fn container_method<'e>(&self, call: &'e Expr) -> Option<Method<'e>> {
        let ExprKind::Call { func, args, keywords } = &call.kind else { return None };
        let ExprKind::Attribute { value: object, attr, .. } = &func.kind else { return None };
        let ExprKind::Name { name, .. } = &object.kind else { return None };
        let is_ours = self.has_derivative(name) && self.around.field(object, attr).is_none();
        let is_known = REARRANGING.contains(&&**attr) && !self.around.is_object(object);
        (is_ours && is_known).then(|| Method { of: name.clone(), name: attr, args, keywords })
    }

    /// A call of a method of a list with the name of that; and its arguments, which may read it, and cannot change what
    /// it is an attribute of: `log.append(log.pop() * v)` for `self.log.append(self.log.pop() * v)`.
    pub(crate) fn with_named_list(&self, call: &Expr, list: &Expr, base: Name) -> Expr {
        let (mut named, text) = (call.clone(), ag_syntax::unparse_expr(list));
        let ExprKind::Call { func, args, .. } = &mut named.kind else { return named };
        if let ExprKind::Attribute { value, .. } = &mut func.kind {
            **value = self.b.at(list.span).name(base.clone());
        }
        if args.iter().all(|arg| self.leaves_attributes(arg, &text)) {
            let b = self.b.at(list.span);
            args.iter_mut().for_each(|arg| crate::needs::name_in_expr(arg, list, &base, b));
        }
        named
    }

    /// Whether an expression binds no attribute anew: it calls functions with rules, and methods of a list alone.
    fn leaves_attributes(&self, value: &Expr, list: &str) -> bool {
        match &value.kind {
            ExprKind::Name { .. } | ExprKind::Constant { .. } => true,
            // A property is a call.
            ExprKind::Attribute { value: object, .. } => {
                !matches!(self.around.callee(value), Callee::Function(_))
                    && self.leaves_attributes(object, list)
            }
            ExprKind::Unary { operand, .. } => self.leaves_attributes(operand, list),
            ExprKind::Subscript { value, index, .. } => {
                self.leaves_attributes(value, list) && self.leaves_attributes(index, list)
            }
            ExprKind::Binary { left, right, .. } => {
                self.leaves_attributes(left, list) && self.leaves_attributes(right, list)
            }
            ExprKind::Call { func, args, keywords } => {
                let is_of_list = matches!(&func.kind, ExprKind::Attribute { value, .. }
                    if ag_syntax::unparse_expr(value) == list);
                let is_known = is_of_list
                    || matches!(
                        self.around.callee(func),
                        Callee::Primitive { .. } | Callee::NonDifferentiable
                    );
                is_known && keywords.is_empty() && args.iter().all(|arg| self.leaves_attributes(arg, list))
            }
            _ => false,
        }
    }

    /// A variable that keeps what a helper has found.
    fn found_place(&mut self, value: Expr, wish: &str, made: &mut Block) -> Expr {
        let b = self.b.at(self.span);
        let name = self.naming.fresh(wish);
        self.around.locals.borrow_mut().insert(name.clone());
        let node = self.plain(b.assign_name(name.clone(), value));
        made.push(node);
        b.name(name)
    }

    /// An index or a key with the value that it has now: `len(ys)` is another one when `ys` has changed.
    fn fixed(&mut self, index: &Expr, made: &mut Block) -> Outcome<Expr> {
        let mut new = index.clone();
        match &mut new.kind {
            ExprKind::Constant { .. } | ExprKind::Name { .. } => {}
            ExprKind::Unary { operand, .. } if matches!(operand.kind, ExprKind::Constant { .. }) => {}
            ExprKind::Slice { lower, upper, step } => {
                for part in [lower, upper, step].into_iter().flatten() {
                    **part = self.fixed(part, made)?;
                }
            }
            _ if is_simple(index) => new = self.kept(index, made)?,
            _ => new = self.simple_index(index, made)?,
        }
        Ok(new)
    }

    /// `ys[:] = [ys[place] for place in places]`.
    fn reorder(&mut self, list: &Name, places: Expr, made: &mut Block) -> Outcome<()> {
        let b = self.b.at(self.span);
        let name = self.naming.fresh("places");
        let node = self.plain(b.assign_name(name.clone(), places));
        made.push(node);
        let new = self.naming.fresh("reordered");
        self.assign(&new, &helper(b, "reordered", [b.name(list.clone()), b.name(name)]), made)?;
        let everything = b.expr(ExprKind::Slice { lower: None, upper: None, step: None });
        let mut whole = b.subscript(b.name(list.clone()), everything);
        ag_syntax::set_context(&mut whole, Context::Store);
        self.changed_whole(list, &new, b.assign(whole, b.name(new.clone())), made)
    }

    /// `c.clear()`: what the items are given later does not go back to them.
    fn clear(&mut self, of: &Name, call: &Expr, made: &mut Block) -> Outcome<()> {
        let b = self.b.at(self.span);
        let new = self.naming.fresh("cleared");
        self.assign(&new, &helper(b, "cleared", [b.name(of.clone())]), made)?;
        self.changed_whole(of, &new, b.expr_stmt(call.clone()), made)
    }

    /// `target = c[index]`, and takes it out of `c`.
    fn taken_out(&mut self, target: &Name, (base, index): (&Name, &Expr), made: &mut Block) -> Outcome<()> {
        let b = self.b.at(self.span);
        if !self.numbers.is_dict(&b.name(base.clone())) {
            // `pop` says so in other words than an index does.
            let place = crate::adjoints::index_value(b, index);
            let node = self.plain(b.expr_stmt(helper(b, "require_item", [b.name(base.clone()), place])));
            made.push(node);
        }
        // `y = y.pop(0)` leaves what is in the list alone.
        let is_rebound = target == base;
        let popped = if is_rebound { self.naming.fresh("popped") } else { target.clone() };
        self.assign(&popped, &b.subscript(b.name(base.clone()), index.clone()), made)?;
        let rest = self.without((base, index), made)?;
        self.delete((base, index), &rest, made)?;
        if is_rebound { self.assign(target, &b.name(popped), made) } else { Ok(()) }
    }

    fn without(&mut self, (base, index): (&Name, &Expr), made: &mut Block) -> Outcome<Name> {
        let b = self.b.at(self.span);
        let rest = self.naming.fresh("rest");
        let index = crate::adjoints::index_value(b, index);
        self.assign(&rest, &helper(b, "without", [b.name(base.clone()), index]), made)?;
        Ok(rest)
    }

    fn delete(&mut self, (base, index): (&Name, &Expr), rest: &Name, made: &mut Block) -> Outcome<()> {
        let b = self.b.at(self.span);
        let mut item = b.subscript(b.name(base.clone()), index.clone());
        ag_syntax::set_context(&mut item, Context::Del);
        self.changed_whole(base, rest, b.stmt(ag_syntax::tree::StmtKind::Delete(vec![item])), made)
    }

    /// A statement that leaves in `base` what `new` has.
    fn changed_whole(&mut self, base: &Name, new: &Name, forward: Stmt, made: &mut Block) -> Outcome<()> {
        let index = self.b.at(self.span).constant(ConstantKind::Ellipsis, "...");
        let from = made.len();
        let value = Operand::Active(new.clone());
        self.push(made, forward, OpKind::Store { base: base.clone(), index, value });
        if let Some(Node::Op(op)) = made.last_mut() {
            op.whole = Some(WriteKind::Items);
        }
        self.tell_writes(from, made)
    }

    /// `d[k] = q[k]` for each of `d.update(q)`, and `d["a"] = x` of `d.update(a=x)`.
    pub(crate) fn update(
        &mut self,
        dict: &Name,
        given: Option<&Expr>,
        keywords: &[Keyword],
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(self.span);
        let named = keywords
            .iter()
            .map(|keyword| (keyword.name.as_ref().map(|name| b.string(name)), keyword.value.clone()));
        let first = given.map(|given| match &given.kind {
            ExprKind::Dict(items) => items.clone(),
            _ => vec![(None, given.clone())],
        });
        let items: Vec<(Option<Expr>, Expr)> = first.unwrap_or_default().into_iter().chain(named).collect();
        // All are computed before the first is bound.
        let mut values = Vec::new();
        for (key, value) in items {
            let key = key.map(|key| self.fixed(&key, made)).transpose()?;
            let name = self.naming.fresh(if key.is_some() { "value" } else { "given" });
            let value = match &value.kind {
                ExprKind::Constant { .. } => value,
                _ => {
                    self.bind(&name, b.assign_name(name.clone(), value.clone()), &value, made)?;
                    b.name(name)
                }
            };
            values.push((key, value));
        }
        for (key, value) in values {
            let body = match key {
                Some(key) => b.assign(stored_item(b.subscript(b.name(dict.clone()), key)), value),
                None => {
                    let key = self.naming.fresh("key");
                    self.around.locals.borrow_mut().insert(key.clone());
                    let keys = helper(b, "keys", [b.copy_expr(&value)]);
                    let item = stored_item(b.subscript(b.name(dict.clone()), b.name(key.clone())));
                    let store = b.assign(item, b.subscript(value, b.name(key.clone())));
                    b.for_stmt(b.name_store(key), keys, vec![store])
                }
            };
            made.extend(self.block(&[body])?);
        }
        Ok(())
    }

    /// `if k not in d: d[k] = v`; the key.
    fn set_default(&mut self, method: &Method<'_>, made: &mut Block) -> Outcome<Expr> {
        let b = self.b.at(self.span);
        let dict = || b.name(method.of.clone());
        let Some((key, rest)) = method.args.split_first() else { return Ok(b.none()) };
        let default = rest.first().cloned().unwrap_or_else(|| b.none());
        let key = self.fixed(key, made)?;
        let is_new = matches!(&default.kind, ExprKind::List { elements, .. } if elements.is_empty())
            || matches!(&default.kind, ExprKind::Dict(items) if items.is_empty())
            || matches!(default.kind, ExprKind::Constant { .. });
        let value = if is_new {
            default
        } else {
            let name = self.naming.fresh("default");
            self.bind(&name, b.assign_name(name.clone(), default.clone()), &default, made)?;
            b.name(name)
        };
        let store = b.assign(stored_item(b.subscript(dict(), b.copy_expr(&key))), value);
        let test = b.compare(b.copy_expr(&key), CompareOp::NotIn, dict());
        made.extend(self.block(&[b.if_stmt(test, vec![store], Vec::new())])?);
        Ok(key)
    }
}

fn is_minus_one(index: &Expr) -> bool {
    matches!(&index.kind, ExprKind::Unary { op: UnaryOp::USub, operand }
        if matches!(&operand.kind, ExprKind::Constant { text, .. } if &**text == "1"))
}

fn stored_item(mut item: Expr) -> Expr {
    ag_syntax::set_context(&mut item, Context::Store);
    item
}
