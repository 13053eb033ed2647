//! `sorted`, `max` and `min` with a key or a default, and `reversed`: the places of the items are found by a helper
//! without a derivative, and the items are taken from there.
//!
//! ```text
//! y = max(xs, key=f, default=d)       items = list(xs)
//!                                     if len(items) > 0:
//!                                         place = tangent.largest_place(items, key=f)
//!                                         y = items[place]
//!                                     else:
//!                                         y = d
//! ```

use ag_syntax::tree::{CompareOp, Expr, ExprKind, Keyword, Name};

use crate::adjoints::helper;
use crate::normal::{Former, Outcome, operand_expr};
use crate::program::Block;
use crate::stars::is_starred;

/// Functions of Python's that go over an argument once, and keep no iterator.
const GOING_OVER: [&str; 6] = ["list", "tuple", "sum", "sorted", "max", "min"];

impl Former<'_, '_> {
    /// Whether a call is one of these; binds what it gives.
    pub(crate) fn ordering_call(
        &mut self,
        target: &Name,
        (func, args, keywords): (&Expr, &[Expr], &[Keyword]),
        made: &mut Block,
    ) -> Outcome<bool> {
        let ExprKind::Name { name, .. } = &func.kind else { return Ok(false) };
        if self.around.is_local(name) || self.around.functions.contains(name) || args.iter().any(is_starred) {
            return Ok(false);
        }
        if GOING_OVER.contains(&&**name)
            && let Some(items) = args.first().and_then(|first| self.reversed_items(first))
        {
            let b = self.b.at(self.span);
            let rest = args[1..].iter().cloned();
            let call = b.call_with(func.clone(), std::iter::once(items).chain(rest), keywords.to_vec());
            self.assign(target, &call, made)?;
            return Ok(true);
        }
        let option = |wanted: &str| {
            keywords.iter().find(|one| one.name.as_deref() == Some(wanted)).map(|one| one.value.clone())
        };
        let (key, default) = (option("key"), option("default"));
        let known = keywords.iter().all(|one| {
            matches!((&**name, one.name.as_deref()), (_, Some("key")) | ("sorted", Some("reverse")))
                || matches!((&**name, one.name.as_deref()), ("max" | "min", Some("default")))
        });
        if !known || key.is_none() && default.is_none() {
            return Ok(false);
        }
        match (&**name, args) {
            ("sorted", [items]) => self.sorted_items(target, items, keywords, made)?,
            ("max" | "min", [items]) => self.extreme(target, name, items, (key, default), made)?,
            ("max" | "min", [_, _, ..]) if default.is_none() => {
                let items = self.b.at(self.span).list(args.iter().cloned());
                self.extreme(target, name, &items, (key, None), made)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `list(xs)[::-1]` of `reversed(xs)`.
    fn reversed_items(&self, value: &Expr) -> Option<Expr> {
        let ExprKind::Call { func, args, keywords } = &value.kind else { return None };
        let ExprKind::Name { name, .. } = &func.kind else { return None };
        let [items] = args.as_slice() else { return None };
        let is_reversed = &**name == "reversed" && !self.around.is_local(name) && keywords.is_empty();
        if !is_reversed || is_starred(items) || !self.is_active(items) {
            return None;
        }
        let b = self.b.at(value.span);
        let step = Some(Box::new(b.unary(ag_syntax::tree::UnaryOp::USub, b.int(1))));
        let whole = b.call(b.name("list"), [items.clone()]);
        Some(b.subscript(whole, b.expr(ExprKind::Slice { lower: None, upper: None, step })))
    }

    /// The items as a list, and a name for it.
    fn listed(&mut self, items: &Expr, made: &mut Block) -> Outcome<Name> {
        let b = self.b.at(self.span);
        let name = self.naming.fresh("items");
        let whole = match items.kind {
            ExprKind::List { .. } | ExprKind::ListComp { .. } => items.clone(),
            _ => b.call(b.name("list"), [items.clone()]),
        };
        self.sequences.insert(name.clone());
        self.bind(&name, b.assign_name(name.clone(), whole.clone()), &whole, made)?;
        Ok(name)
    }

    /// `name = tangent.helper(items, key=…)`, which has no derivative.
    fn places(
        &mut self,
        wish: &str,
        by: &str,
        items: &Name,
        options: Vec<Keyword>,
        made: &mut Block,
    ) -> Name {
        let b = self.b.at(self.span);
        let name = self.naming.fresh(wish);
        let path = b.attribute(b.name("tangent"), by);
        let call = b.call_with(path, [b.name(items.clone())], options);
        let node = self.plain(b.assign_name(name.clone(), call));
        self.indices.push(name.clone());
        made.push(node);
        name
    }

    fn sorted_items(
        &mut self,
        target: &Name,
        items: &Expr,
        options: &[Keyword],
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(self.span);
        let items = self.listed(items, made)?;
        let places = self.places("places", "sorted_places", &items, options.to_vec(), made);
        self.assign(target, &helper(b, "reordered", [b.name(items), b.name(places)]), made)
    }

    fn extreme(
        &mut self,
        target: &Name,
        name: &str,
        items: &Expr,
        (key, default): (Option<Expr>, Option<Expr>),
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(self.span);
        let items = self.listed(items, made)?;
        let by = if name == "max" { "largest_place" } else { "smallest_place" };
        let options: Vec<Keyword> = key.into_iter().map(|key| b.keyword("key", key)).collect();
        let default = match default {
            Some(default) => Some(operand_expr(b, &self.operand(&default, made)?)),
            None => None,
        };
        let before = self.known.clone();
        let mut then = Vec::new();
        let place = self.places("place", by, &items, options, &mut then);
        self.assign(target, &b.subscript(b.name(items.clone()), b.name(place)), &mut then)?;
        let Some(default) = default else {
            made.append(&mut then);
            return Ok(());
        };
        let after = std::mem::replace(&mut self.known, before);
        let mut orelse = Vec::new();
        self.assign(target, &default, &mut orelse)?;
        self.join_known(after, &mut then, &mut orelse);
        let count = b.call(b.name("len"), [b.name(items)]);
        let test = b.compare(count, CompareOp::Gt, b.int(0));
        self.push_choice(self.span, &test, then, orelse, made);
        Ok(())
    }
}
