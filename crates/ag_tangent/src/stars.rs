//! The normal form of `*` and `**`: arguments, items and parameters by name.
//!
//! ```text
//! y = f(x, *rest)             w, b = rest                 # of `def f(x, w, b)`
//!                             y = f(x, w, b)
//!
//! y = f(x, w, b)              args = (w, b)               # of `def f(x, *args)`
//!                             y = f(x, *args)
//!
//! y = f(x, **p)               y = f(x, w=p["w"], b=p["b"])
//!
//! xs = [*a, b]                xs = tangent.concat(list(a), [b])
//!
//! a, *b = xs                  items = list(xs)
//!                             a = items[0]
//!                             b = items[1:]
//! ```

use ag_errors::Span;
use ag_syntax::Builder;
use ag_syntax::tree::{
    CompareOp, Comprehension, ConstantKind, Context, Expr, ExprKind, Keyword, Name, Stmt, StmtKind,
};

use crate::adjoints::helper;
use crate::callee::{Parameters, Rule};
use crate::flatten::is_simple;
use crate::normal::{Former, Outcome, operand_expr, refusal};
use crate::program::Block;

/// The arguments of a call: those of parameters with names, and what `*args` and `**kwargs` take.
pub(crate) struct GivenArguments {
    pub(crate) positional: Vec<Expr>,
    pub(crate) rest: Option<Expr>,
    pub(crate) keywords: Vec<Keyword>,
    pub(crate) options: Option<Expr>,
}

/// A function that is called, for messages, and its parameters.
type Called<'p> = (&'p str, &'p Parameters);

impl Former<'_, '_> {
    /// The arguments of a call of a function of the user's.
    pub(crate) fn given_arguments(
        &mut self,
        (function, parameters): Called<'_>,
        span: Span,
        (args, keywords): (&[&Expr], &[Keyword]),
        made: &mut Block,
    ) -> Outcome<GivenArguments> {
        let b = self.b.at(span);
        let (mut positional, mut keywords) = (spliced(args), spliced_keywords(b, keywords));
        let first = positional.iter().position(is_starred).unwrap_or(positional.len());
        let doubles = keywords.iter().filter(|keyword| keyword.name.is_none());
        let has_options = doubles.clone().any(|keyword| self.is_active(&keyword.value));
        let is_active = positional[first..].iter().any(|one| self.is_active(one));
        let has_items = first < positional.len().min(parameters.positional) && (is_active || has_options);
        if has_options && doubles.count() > 1 {
            return Err(refusal(span, "several `**` in a call with derivatives", "merge them: `{**p, **q}`"));
        }
        let free = &parameters.names[first.min(parameters.positional)..parameters.positional];
        let is_given = |name: &String| keywords.iter().any(|keyword| keyword.name.as_deref() == Some(name));
        let is_exact = !free.iter().any(|name| is_given(name) || parameters.default_of(name).is_some());
        if has_items && is_exact && !has_options {
            positional =
                self.unpacked_arguments(positional, first, free, parameters.vararg.is_some(), made)?;
        } else if has_items || has_options {
            return self.found_arguments(
                (function, parameters),
                span,
                (positional, keywords),
                has_items,
                made,
            );
        }
        let mut rest = None;
        if parameters.vararg.is_some() && positional.len() > parameters.positional {
            let more = positional.split_off(parameters.positional);
            match more.iter().any(|one| self.is_active(one)) {
                true => rest = Some(b.tuple(more)),
                false => positional.extend(more),
            }
        }
        let options = self.taken_options(parameters, &mut keywords);
        Ok(GivenArguments { positional, rest, keywords, options })
    }

    /// The dict of the keywords that `**kwargs` takes, if one of them has a derivative.
    fn taken_options(&self, parameters: &Parameters, keywords: &mut Vec<Keyword>) -> Option<Expr> {
        parameters.kwarg.as_ref()?;
        let is_taken = |keyword: &Keyword| !keyword.name.as_ref().is_some_and(|name| parameters.has(name));
        let taken: Vec<Keyword> = keywords.iter().filter(|keyword| is_taken(keyword)).cloned().collect();
        if !taken.iter().any(|keyword| self.is_active(&keyword.value)) {
            return None;
        }
        keywords.retain(|keyword| !is_taken(keyword));
        // A new dict needs no copy.
        if let [Keyword { name: None, value: value @ Expr { kind: ExprKind::DictComp { .. }, .. }, .. }] =
            taken.as_slice()
        {
            return Some(value.clone());
        }
        let b = self.b.at(self.span);
        let item = |keyword: Keyword| (keyword.name.map(|name| b.string(&name)), keyword.value);
        Some(b.expr(ExprKind::Dict(taken.into_iter().map(item).collect())))
    }

    /// The arguments of a call in which only the values of `*` or `**` say which parameters they are of: each
    /// parameter is looked for, as Python does.
    ///
    /// ```text
    /// y = f(*xs, **p)             tangent.require_arguments("f", ("a", "b"), xs, p)
    ///                             y = f(xs[0] if len(xs) > 0 else p["a"] if "a" in p else 2.0, ...)
    /// ```
    fn found_arguments(
        &mut self,
        (function, parameters): Called<'_>,
        span: Span,
        (mut positional, mut keywords): (Vec<Expr>, Vec<Keyword>),
        has_items: bool,
        made: &mut Block,
    ) -> Outcome<GivenArguments> {
        let b = self.b.at(span);
        let star = positional.iter().position(is_starred).unwrap_or(positional.len());
        let first = match has_items || parameters.vararg.is_some() {
            true => star.min(parameters.positional),
            false => positional.len(),
        };
        let more = positional.split_off(first);
        self.evaluate(&mut positional[..star.min(first)], made)?;
        let (items, mut rest) = match (has_items, more.is_empty()) {
            (true, _) => (Some(self.items_of(b, more, made)?), None),
            (false, true) => (None, None),
            (false, false) => (None, Some(self.held(&b.tuple(more), "rest", made)?)),
        };
        let place = keywords.iter().position(|keyword| keyword.name.is_none());
        // What stands to the left of `**p` is evaluated before.
        for keyword in &mut keywords[..place.unwrap_or(0)] {
            self.evaluate(std::slice::from_mut(&mut keyword.value), made)?;
        }
        let options = match place.map(|place| keywords.remove(place)) {
            Some(double) => Some(self.held(&double.value, "options", made)?),
            None => None,
        };
        let is_given = |name: &str| keywords.iter().any(|keyword| keyword.name.as_deref() == Some(name));
        let named: Vec<&String> = parameters.names.iter().filter(|name| parameters.has(name)).collect();
        let open = named.iter().skip(first).filter(|name| !is_given(name));
        let by_position = parameters.names[..parameters.positional].iter().skip(first);
        let by_position: Vec<&String> = by_position.take_while(|name| !is_given(name)).collect();
        let takes_more = parameters.vararg.is_some() && first + by_position.len() == parameters.positional;
        let mut guard = vec![
            b.string(function),
            b.tuple(by_position.iter().map(|name| b.string(name))),
            items.clone().unwrap_or_else(|| b.tuple([])),
            options.clone().unwrap_or_else(|| b.expr(ExprKind::Dict(Vec::new()))),
            b.tuple(open.clone().map(|name| b.string(name))),
        ];
        let given = named.iter().take(first).map(|name| name.as_str());
        let given = given.chain(keywords.iter().filter_map(|keyword| keyword.name.as_deref()));
        guard.push(b.tuple(given.filter(|_| options.is_some()).map(|name| b.string(name))));
        guard.push(b.bool(takes_more));
        guard.push(b.bool(parameters.kwarg.is_some()));
        let guard = self.plain(b.expr_stmt(helper(b, "require_arguments", guard)));
        made.push(guard);
        let mut found = Vec::new();
        for name in open {
            let item = items.as_ref().zip(by_position.iter().position(|one| one == name));
            if let Some(value) = found_argument(b, name, parameters, item, options.as_ref()) {
                let Some(value) = value else {
                    let message = format!("`{name}` of `{function}` has a default that is no literal");
                    return Err(refusal(span, message, "write the arguments out"));
                };
                found.push(b.keyword(name.as_str(), value));
            }
        }
        // Arguments by position stand before those of `*args`.
        while found.first().is_some_and(|keyword| {
            parameters.names[..parameters.positional].get(positional.len()).map(String::as_str)
                == keyword.name.as_deref()
        }) {
            positional.push(found.remove(0).value);
        }
        keywords.splice(0..0, found);
        if let (Some(items), true) = (items, takes_more) {
            let lower = i64::try_from(by_position.len()).unwrap_or(i64::MAX);
            let slice = ExprKind::Slice { lower: Some(Box::new(b.int(lower))), upper: None, step: None };
            rest = Some(b.subscript(b.call(b.name("tuple"), [items]), b.expr(slice)));
        }
        if let (Some(_), Some(options)) = (&parameters.kwarg, options) {
            let others = self.other_options(b, &options, &named);
            keywords.push(Keyword { span, name: None, value: others });
        }
        let options = self.taken_options(parameters, &mut keywords);
        Ok(GivenArguments { positional, rest, keywords, options })
    }

    /// `{key: options[key] for key in options if key not in ("a", "b")}`.
    fn other_options(&mut self, b: Builder<'_>, options: &Expr, named: &[&String]) -> Expr {
        let key = self.naming.fresh("key");
        self.around.locals.borrow_mut().insert(key.clone());
        let names = b.tuple(named.iter().map(|name| b.string(name)));
        let generator = Comprehension {
            target: b.name_store(key.clone()),
            iter: helper(b, "keys", [options.clone()]),
            conditions: vec![b.compare(b.name(key.clone()), CompareOp::NotIn, names)],
            is_async: false,
        };
        b.expr(ExprKind::DictComp {
            key: Box::new(b.name(key.clone())),
            value: Box::new(b.subscript(options.clone(), b.name(key))),
            generators: vec![generator],
        })
    }

    /// Evaluates what stands to the left of what is evaluated next.
    fn evaluate(&mut self, args: &mut [Expr], made: &mut Block) -> Outcome<()> {
        for arg in args {
            if !is_simple(arg) {
                let given = self.operand(arg, made)?;
                let given = operand_expr(self.b.at(arg.span), &given);
                *arg = if is_simple(&given) { given } else { self.kept(&given, made)? };
            }
        }
        Ok(())
    }

    /// A variable that holds the items of `*xs` and of the arguments after it.
    fn items_of(&mut self, b: Builder<'_>, more: Vec<Expr>, made: &mut Block) -> Outcome<Expr> {
        match more.as_slice() {
            [Expr { kind: ExprKind::Starred { value, .. }, .. }] => {
                let items = self.held(&self.iterated(value), "items", made)?;
                self.require_sequence(&items, value, made);
                Ok(items)
            }
            _ => self.held(&b.tuple(more), "items", made),
        }
    }

    /// `f(a, *xs)`, where `xs` has an item for each parameter in `missing`: `b, c = xs` and `f(a, b, c)`; the items
    /// after these are those of `*args`.
    fn unpacked_arguments(
        &mut self,
        mut args: Vec<Expr>,
        first: usize,
        missing: &[String],
        has_rest: bool,
        made: &mut Block,
    ) -> Outcome<Vec<Expr>> {
        self.evaluate(&mut args[..first], made)?;
        let span = args[first].span;
        let b = self.b.at(span);
        let more = args.split_off(first);
        let whole = match more.as_slice() {
            [Expr { kind: ExprKind::Starred { value, .. }, .. }] => (**value).clone(),
            _ => b.tuple(more),
        };
        let mut names: Vec<Name> = missing.iter().map(|name| self.naming.fresh(name)).collect();
        let mut targets: Vec<Expr> = names.iter().map(|name| b.name_store(name.clone())).collect();
        if has_rest {
            let rest = self.naming.fresh("rest");
            targets.push(b.expr(ExprKind::Starred {
                value: Box::new(b.name_store(rest.clone())),
                context: Context::Store,
            }));
            names.push(rest);
        }
        names.iter().for_each(|name| self.declare(name));
        self.unpack(span, &targets, &whole, made)?;
        let last = names.len() - usize::from(has_rest);
        args.extend(names.drain(..last).map(|name| b.name(name)));
        args.extend(names.into_iter().map(|rest| b.starred(b.name(rest))));
        Ok(args)
    }

    /// A variable that holds a value.
    fn held(&mut self, value: &Expr, wish: &str, made: &mut Block) -> Outcome<Expr> {
        if matches!(value.kind, ExprKind::Name { .. }) {
            return Ok(value.clone());
        }
        let b = self.b.at(value.span);
        let name = self.naming.fresh(wish);
        if self.is_active(value) {
            self.assign(&name, value, made)?;
        } else {
            let node = self.plain(b.assign_name(name.clone(), value.clone()));
            made.push(node);
        }
        Ok(b.name(name))
    }

    /// The arguments of a function with a rule: `np.hypot(*xs)` is `x1, x2 = xs` and `np.hypot(x1, x2)`.
    pub(crate) fn spread_of_rule(
        &mut self,
        (rule, words): (&Rule, &str),
        has_receiver: bool,
        (args, keywords): (&[Expr], &[Keyword]),
        made: &mut Block,
    ) -> Outcome<(Vec<Expr>, Vec<Keyword>)> {
        let b = self.b.at(self.span);
        let keywords = spliced_keywords(b, keywords);
        let args = spliced(&args.iter().collect::<Vec<_>>());
        if let Some(double) = keywords.iter().find(|keyword| keyword.name.is_none()) {
            return Err(refusal(
                double.span,
                format!("`**` in a call of {words}"),
                "write the arguments out",
            ));
        }
        let Some(first) = args.iter().position(is_starred) else { return Ok((args, keywords)) };
        let params = &rule.template.params;
        let named =
            params.positional_only.iter().chain(&params.positional).skip(1 + usize::from(has_receiver));
        if params.vararg.is_some() && named.clone().count() <= first {
            let rest = self.rest_of_rule(args, named.count(), made)?;
            return Ok((rest, keywords));
        }
        let needed: Vec<String> = named
            .clone()
            .filter(|param| param.default.is_none())
            .filter(|param| !keywords.iter().any(|keyword| keyword.name.as_ref() == Some(&param.name)))
            .map(|param| param.name.to_string())
            .collect();
        if needed.len() <= first || params.vararg.is_some() && needed.len() < named.count() {
            return Err(refusal(
                args[first].span,
                format!("`*` in a call of {words}"),
                "write the arguments out",
            ));
        }
        let has_rest = params.vararg.is_some();
        Ok((self.unpacked_arguments(args, first, &needed[first..], has_rest, made)?, keywords))
    }

    /// The arguments of a function with a rule that takes any number: of `max(x, *xs)` one, `*items`.
    fn rest_of_rule(&mut self, mut args: Vec<Expr>, named: usize, made: &mut Block) -> Outcome<Vec<Expr>> {
        if !args[named..].iter().any(|one| self.is_active(one)) {
            return Ok(args);
        }
        let more = args.split_off(named);
        let b = self.b.at(more[0].span);
        self.evaluate(&mut args, made)?;
        let items = self.items_of(b, more, made)?;
        args.push(b.starred(items));
        Ok(args)
    }

    /// `[*a, b]`, `(a, *b)`.
    pub(crate) fn starred_display(&mut self, value: &Expr, elements: &[Expr]) -> Expr {
        let b = self.b.at(value.span);
        let is_list = matches!(value.kind, ExprKind::List { .. });
        let display = |items: Vec<Expr>| if is_list { b.list(items) } else { b.tuple(items) };
        let (mut parts, mut last) = (Vec::new(), Vec::new());
        for element in spliced(&elements.iter().collect::<Vec<_>>()) {
            match element.kind {
                ExprKind::Starred { value, .. } => {
                    if !last.is_empty() {
                        parts.push(display(std::mem::take(&mut last)));
                    }
                    parts.push(b.call(b.name(if is_list { "list" } else { "tuple" }), [*value]));
                }
                _ => last.push(element),
            }
        }
        if !last.is_empty() || parts.is_empty() {
            parts.push(display(last));
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_else(|| display(Vec::new()));
        parts.fold(first, |whole, part| helper(b, "concat", [whole, part]))
    }

    /// `a, *b, c = xs`.
    pub(crate) fn starred_unpack(
        &mut self,
        span: Span,
        elements: &[Expr],
        value: &Expr,
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(span);
        let first = elements.iter().position(is_starred).unwrap_or(elements.len());
        let items = self.naming.fresh("items");
        let whole = b.call(b.name("list"), [value.clone()]);
        self.assign(&items, &whole, made)?;
        let least = i64::try_from(elements.len() - 1).unwrap_or(i64::MAX);
        let guard = helper(b, "require_items", [b.name(items.clone()), b.int(least)]);
        let guard = self.plain(b.expr_stmt(guard));
        made.push(guard);
        let item = |index: Expr| b.subscript(b.name(items.clone()), index);
        for (place, element) in elements.iter().enumerate() {
            let from_start = i64::try_from(place).unwrap_or(i64::MAX);
            let from_end = from_start - least - 1;
            let (target, index) = match &element.kind {
                ExprKind::Starred { value, .. } => {
                    let upper = (from_end < -1).then(|| Box::new(b.int(from_end + 1)));
                    let lower = Some(Box::new(b.int(from_start)));
                    (&**value, b.expr(ExprKind::Slice { lower, upper, step: None }))
                }
                _ if place < first => (element, b.int(from_start)),
                _ => (element, b.int(from_end)),
            };
            let value = item(index);
            self.assign_target(target, &value, made)?;
        }
        Ok(())
    }
}

/// The value of a parameter that `*` or `**` may give, or its default, and nothing if that is no literal; none if it
/// is left to the call.
fn found_argument(
    b: Builder<'_>,
    name: &str,
    parameters: &Parameters,
    item: Option<(&Expr, usize)>,
    options: Option<&Expr>,
) -> Option<Option<Expr>> {
    if item.is_none() && options.is_none() {
        return None;
    }
    let default = parameters.default_of(name).map(|text| text.and_then(|text| literal(b, text)));
    let key = b.string(name);
    let mut found = match (default, options) {
        (Some(None), _) => return Some(None),
        (Some(Some(default)), None) => Some(default),
        (Some(Some(default)), Some(options)) => {
            let value = b.subscript(options.clone(), key.clone());
            Some(b.if_exp(b.compare(key, CompareOp::In, options.clone()), value, default))
        }
        (None, Some(options)) => Some(b.subscript(options.clone(), key)),
        (None, None) => None,
    };
    if let Some((items, place)) = item {
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        let value = b.subscript(items.clone(), b.int(place));
        let length = b.call(b.name("len"), [items.clone()]);
        found = Some(match found {
            Some(other) => b.if_exp(b.compare(length, CompareOp::Gt, b.int(place)), value, other),
            None => value,
        });
    }
    found.map(Some)
}

/// A literal by its text.
pub(crate) fn literal(b: Builder<'_>, text: &str) -> Option<Expr> {
    fn copied(b: Builder<'_>, value: &Expr) -> Option<Expr> {
        match &value.kind {
            ExprKind::Constant { kind, text } => Some(b.constant(*kind, text)),
            ExprKind::Unary { op, operand } => Some(b.unary(*op, copied(b, operand)?)),
            ExprKind::Tuple { elements, .. } => {
                let elements: Option<Vec<Expr>> = elements.iter().map(|one| copied(b, one)).collect();
                Some(b.tuple(elements?))
            }
            _ => None,
        }
    }
    match ag_syntax::parse_module(text).ok()?.body.as_slice() {
        [Stmt { kind: StmtKind::Expr(value), .. }] => copied(b, value),
        _ => None,
    }
}

pub(crate) fn is_starred(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Starred { .. })
}

/// Arguments or items with those of `*(a, b)` and `*[a, b]` among them.
fn spliced(args: &[&Expr]) -> Vec<Expr> {
    let mut found = Vec::new();
    for arg in args {
        if let ExprKind::Starred { value, .. } = &arg.kind
            && let ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } = &value.kind
        {
            found.extend(spliced(&elements.iter().collect::<Vec<_>>()));
        } else {
            found.push((*arg).clone());
        }
    }
    found
}

/// Keywords with those of `**{"a": b}` and `**dict(a=b)` among them.
fn spliced_keywords(b: Builder<'_>, keywords: &[Keyword]) -> Vec<Keyword> {
    let mut found = Vec::new();
    for keyword in keywords {
        let items: Option<Vec<Keyword>> = match (&keyword.name, &keyword.value.kind) {
            (None, ExprKind::Dict(items)) => items
                .iter()
                .map(|(key, value)| match key.as_ref().map(|key| &key.kind) {
                    Some(ExprKind::Constant { kind: ConstantKind::Str, text }) => {
                        let name = text.trim_matches(['"', '\'']);
                        let is_name = name.chars().all(|letter| letter == '_' || letter.is_alphanumeric());
                        (is_name && text.len() == name.len() + 2).then(|| b.keyword(name, value.clone()))
                    }
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        match items {
            Some(items) => found.extend(items),
            None => found.push(keyword.clone()),
        }
    }
    found
}
