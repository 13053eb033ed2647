//! The normal form of calls: of functions with rules, and of the user's own.

use ag_errors::{Diagnostic, Span, catalogue};
use ag_syntax::tree::{Expr, ExprKind, Keyword, Name};

use crate::callee::{Callee, Rule, SplitNames, UserFunction};
use crate::flatten::variant;
use crate::normal::{Former, Outcome, operand_expr, refusal};
use crate::program::{Argument, Block, OpKind, Operand};
use crate::variables::dotted;
use crate::written_arguments::WritingCall;

impl Former<'_, '_> {
    /// `target = func(args)`.
    pub(crate) fn call(
        &mut self,
        target: &Name,
        value: &Expr,
        (func, args, keywords): (&Expr, &[Expr], &[Keyword]),
        made: &mut Block,
    ) -> Outcome<()> {
        if self.dict_call(target, (func, args, keywords), made)?
            || self.ordering_call(target, (func, args, keywords), made)?
        {
            return Ok(());
        }
        if let Some(named) = self.of_named_list(value, made)? {
            return self.assign(target, &named, made);
        }
        if self.container_value(target, value, made)? {
            return Ok(());
        }
        if dotted(func).as_deref() == Some("tangent.reordered") {
            self.reordered.insert(target.clone());
        }
        let callee = self.around.called(func, args, keywords);
        let receiver = match &func.kind {
            ExprKind::Attribute { value, .. } if self.around.is_method(func) => Some(&**value),
            _ => None,
        };
        let words = dotted(func).map_or_else(|| "this call".to_owned(), |path| format!("`{path}`"));
        if self.replaced(target, (&callee, value), (func, args, keywords), made)? {
            return Ok(());
        }
        match (&callee, receiver, &func.kind) {
            (Callee::Record(record), ..) => self.record(target, (record, value), (func, args, keywords), made),
            (Callee::Function(function), ..) => {
                self.user_call(target, value, function, (func, args, keywords), made)
            }
            (_, Some(Expr { kind: ExprKind::Name { name: list, .. }, .. }), ExprKind::Attribute { attr, .. })
                if &**attr == "pop" && args.is_empty() && self.has_derivative(list) =>
            {
                let forward = self.b.at(self.span).assign_name(target.clone(), value.clone());
                self.push(made, forward, OpKind::Pop { list: list.clone(), target: target.clone() });
                Ok(())
            }
            (Callee::Endless(name), ..) => Err(refusal(
                value.span,
                format!("functions are given to `{name}` without an end: each call makes a new one"),
                "give it the same function in each call, and what changes as an argument",
            )),
            (Callee::Primitive { .. }, ..) => self.primitive_call(target, value, (&callee, &words), receiver, made),
            (Callee::Other(what), _, ExprKind::Name { name, .. }) if self.around.functions.unknown.contains_key(name) => {
                Err(crate::normal::unknown_function(value.span, name, what))
            }
            (Callee::Other(what), ..) => Err(Diagnostic::error(
                catalogue::DERIVATIVE_RULE,
                value.span,
                format!("{words} is {what}: its derivative is not known"),
            )
            .with_help(match what.as_str() {
                "a method of an unknown class" => crate::flatten::OF_UNKNOWN_CLASS,
                _ => "call a function of NumPy or one of your own by its name, or give it a rule: `@tangent.adjoint(…)`",
            })),
            _ => Err(refusal(value.span, format!("{words} is called with values that have derivatives"), "")),
        }
    }

    /// A call of a function with a rule; a method's receiver is its first operand.
    fn primitive_call(
        &mut self,
        target: &Name,
        value: &Expr,
        (callee, words): (&Callee, &str),
        receiver: Option<&Expr>,
        made: &mut Block,
    ) -> Outcome<()> {
        let ExprKind::Call { func, args, keywords } = &value.kind else { return Ok(()) };
        let rule = self.rule(value, callee, words)?;
        let (args, keywords) =
            self.spread_of_rule((&rule, words), receiver.is_some(), (args, keywords), made)?;
        // `max(*xs)`: the operand is `xs`.
        let rest = args.last().and_then(|last| match &last.kind {
            ExprKind::Starred { value, .. } if self.is_active(value) => Some(&**value),
            _ => None,
        });
        let given = args.iter().take(args.len() - usize::from(rest.is_some())).chain(rest);
        let exprs: Vec<&Expr> =
            receiver.into_iter().chain(given).chain(keywords.iter().map(|keyword| &keyword.value)).collect();
        // The helpers of generated code know objects.
        if !dotted(func).is_some_and(|path| path.starts_with("tangent.")) {
            exprs.iter().try_for_each(|expr| self.require_no_object(expr))?;
        }
        let operands = self.operands(&exprs, made)?;
        let b = self.b.at(self.span);
        let mut texts = operands.iter().map(|operand| operand_expr(b, operand));
        let mut func = (**func).clone();
        if receiver.is_some()
            && let ExprKind::Attribute { value, .. } = &mut func.kind
            && let Some(text) = texts.next()
        {
            **value = text;
        }
        let mut positional: Vec<Expr> = texts.by_ref().take(args.len()).collect();
        if let (Some(_), Some(items)) = (rest, positional.last_mut()) {
            *items = b.starred(items.clone());
        }
        let named = keywords.iter().zip(texts).map(|(keyword, value)| Keyword { value, ..keyword.clone() });
        let forward = b.assign_name(target.clone(), b.call_with(func, positional, named.collect()));
        let count = args.len() + usize::from(receiver.is_some());
        let help =
            "write the call with the arguments that the rule has, or give it a rule: `@tangent.adjoint(…)`";
        let given = (operands, count, rest.is_some(), keywords.as_slice());
        let operands = bind(&rule, (value.span, words, help), given)?;
        let rule = variant(self.around.resolver, rule, &operands);
        self.push(made, forward, OpKind::Rule { rule, result: target.clone(), operands });
        Ok(())
    }

    /// The arguments of a function of the user's, to which functions are given as they are.
    fn arguments(&mut self, exprs: &[&Expr], made: &mut Block) -> Outcome<Vec<Operand>> {
        let is_function = |expr: &&&Expr| self.around.functions.nested(expr).is_some();
        let values: Vec<&Expr> = exprs.iter().filter(|expr| !is_function(expr)).copied().collect();
        let functions: Vec<bool> = exprs.iter().map(|expr| is_function(&expr)).collect();
        let mut operands = self.operands(&values, made)?.into_iter();
        let given = exprs.iter().zip(functions).filter_map(|(expr, is_function)| {
            if is_function { Some(Operand::Plain((*expr).clone())) } else { operands.next() }
        });
        Ok(given.collect())
    }

    /// `fib(n, {})` is `items = {}` and `fib(n, items)`, where the function writes to it.
    fn name_new_containers(
        &mut self,
        function: &UserFunction,
        (names, exprs): (&[Name], &[&Expr]),
        operands: &mut [Operand],
        made: &mut Block,
    ) -> Outcome<()> {
        if !function.may_write {
            return Ok(());
        }
        for ((name, expr), operand) in names.iter().zip(exprs).zip(operands) {
            let is_empty = match &expr.kind {
                ExprKind::Dict(items) => items.is_empty(),
                ExprKind::List { elements, .. } => elements.is_empty(),
                _ => false,
            };
            if is_empty && self.around.resolver.writes(function).has(name) {
                let items = self.naming.fresh("items");
                self.assign(&items, expr, made)?;
                *operand = Operand::Active(items);
            }
        }
        Ok(())
    }

    /// A call of a function of the user's, or a property.
    pub(crate) fn user_call(
        &mut self,
        target: &Name,
        value: &Expr,
        function: &UserFunction,
        (func, args, keywords): (&Expr, &[Expr], &[Keyword]),
        made: &mut Block,
    ) -> Outcome<()> {
        let is_dropped = std::mem::take(&mut self.drops_result);
        let Some(parameters) = &function.parameters else {
            let message = format!("the parameters of `{}` are not known", function.name);
            return Err(refusal(value.span, message, "call a function by its name"));
        };
        let args = self.around.arguments(function, func, args);
        let given =
            self.given_arguments((&function.name, parameters), value.span, (&args, keywords), made)?;
        let b = self.b.at(self.span);
        let positional = parameters.names.iter().take(parameters.positional).map(String::as_str);
        let mut names: Vec<&str> = positional.take(given.positional.len()).collect();
        names.resize(given.positional.len(), "");
        names.extend(given.rest.iter().filter_map(|_| parameters.vararg.as_deref()));
        names.extend(given.keywords.iter().map(|keyword| keyword.name.as_deref().unwrap_or_default()));
        names.extend(given.options.iter().filter_map(|_| parameters.kwarg.as_deref()));
        // What it takes from around, and defaults that its definition has computed.
        let defaults = function.defaults.iter().filter(|(name, _)| !names.contains(&&**name));
        let taken: Vec<Keyword> = defaults
            .chain(&function.captured)
            .map(|(name, variable)| b.keyword(name.clone(), b.name(variable.clone())))
            .collect();
        names.extend(taken.iter().filter_map(|keyword| keyword.name.as_deref()));
        let exprs: Vec<&Expr> = given
            .positional
            .iter()
            .chain(&given.rest)
            .chain(given.keywords.iter().map(|keyword| &keyword.value))
            .chain(&given.options)
            .chain(taken.iter().map(|keyword| &keyword.value))
            .collect();
        let order_of: Vec<Name> = names.iter().map(|name| (*name).into()).collect();
        let mut operands = self.arguments(&exprs, made)?;
        self.name_new_containers(function, (&order_of, &exprs), &mut operands, made)?;
        let mut active: Vec<(Name, Name)> = names
            .iter()
            .zip(&operands)
            .filter_map(|(parameter, operand)| match operand {
                Operand::Active(name) => Some(((*parameter).into(), name.clone())),
                Operand::Plain(_) => None,
            })
            .collect();
        active.sort_by_key(|(parameter, _)| parameters.names.iter().position(|one| **one == **parameter));
        let order: Vec<Name> = active.iter().map(|(parameter, _)| parameter.clone()).collect();
        let names = if self.is_forward {
            let name = self.around.resolver.tangent_name(function, &order);
            SplitNames { forward: name.clone(), backward: name }
        } else {
            self.around.resolver.split_names(function, &order)
        };
        let mut texts = operands.iter().map(|operand| operand_expr(b, operand));
        let mut positional: Vec<Expr> = texts.by_ref().take(given.positional.len()).collect();
        positional.extend(given.rest.iter().zip(texts.by_ref()).map(|(_, rest)| b.starred(rest)));
        let mut named: Vec<Keyword> = (given.keywords.iter().zip(texts.by_ref()))
            .map(|(keyword, value)| Keyword { value, ..keyword.clone() })
            .collect();
        named.extend(given.options.iter().zip(texts.by_ref()).map(|(_, value)| Keyword {
            span: value.span,
            name: None,
            value,
        }));
        named.extend(taken.iter().zip(texts).map(|(keyword, value)| Keyword { value, ..keyword.clone() }));
        let called = b.call_with(b.name(&*names.forward), positional, named);
        let values: Vec<(&Name, &Expr)> = order_of.iter().zip(exprs.iter().copied()).collect();
        let is_shown = |parameter: &Name| {
            let value = values.iter().find(|(one, _)| *one == parameter).map(|(_, value)| &value.kind);
            !matches!(value, Some(ExprKind::Binary { .. } | ExprKind::Unary { .. }))
        };
        let plain: Vec<(Name, &Expr)> = values
            .iter()
            .zip(&operands)
            .filter(|(_, operand)| matches!(operand, Operand::Plain(_)))
            .map(|((parameter, value), _)| ((*parameter).clone(), *value))
            .collect();
        let written = self.written_plainly(function, &plain)?;
        let writing = self.writing_call(function, target, &active, &is_shown);
        let result = writing.as_ref().map_or(target, |call| &call.whole).clone();
        let (copied, changed) = writing.as_ref().map(WritingCall::of_call).unwrap_or_default();
        let saved = self.naming.fresh(&format!("saved_{result}"));
        let stores = [b.name_store(result.clone()), b.name_store(saved.clone())];
        let forward = b.assign(b.tuple_in(stores, ag_syntax::tree::Context::Store), called);
        let tangents = order.iter().map(|name| UserFunction::tangent_of(name, &parameters.names)).collect();
        self.push(
            made,
            forward,
            OpKind::Call {
                target: result,
                saved,
                names: Box::new(names),
                active,
                tangents,
                makes_object: function.makes_object,
                passes: function.passes,
                is_maker: function.is_maker,
                copied,
                changed,
                gives_copies: writing.as_ref().is_some_and(|call| call.writes.gives_arrays()),
                written,
            },
        );
        writing.map_or(Ok(()), |call| self.write_back((target, is_dropped), &call, made))
    }
}

/// Binds the operands of an operator or of an attribute to the parameters of its rule.
pub(crate) fn bind_operands(
    rule: &Rule,
    span: Span,
    words: &str,
    operands: Vec<Operand>,
) -> Outcome<Vec<(Name, Argument)>> {
    let count = operands.len();
    let help =
        "give it a rule with a parameter for the result, and one for each operand: `@tangent.adjoint(…)`";
    if let Some(rest) = &rule.template.params.vararg {
        let message = format!("the rule of {words} has `*{}` in place of its operands", rest.name);
        return Err(Diagnostic::error(catalogue::DERIVATIVE_RULE, span, message).with_help(help));
    }
    bind(rule, (span, words, help), (operands, count, false, &[]))
}

/// Binds operands to the parameters of a rule, as Python binds arguments.
fn bind(
    rule: &Rule,
    (span, words, help): (Span, &str, &str),
    (operands, positional, has_rest, keywords): (Vec<Operand>, usize, bool, &[Keyword]),
) -> Outcome<Vec<(Name, Argument)>> {
    let refuse =
        |message: String| Err(Diagnostic::error(catalogue::DERIVATIVE_RULE, span, message).with_help(help));
    let params = &rule.template.params;
    let names: Vec<&Name> =
        params.positional_only.iter().chain(&params.positional).skip(1).map(|param| &param.name).collect();
    let mut bound: Vec<(Name, Argument)> = Vec::with_capacity(operands.len());
    let mut rest = operands.into_iter();
    let mut many = Vec::new();
    for (index, operand) in rest.by_ref().take(positional).enumerate() {
        match (names.get(index), &params.vararg) {
            (Some(name), _) => bound.push(((*name).clone(), Argument::One(operand))),
            (None, Some(_)) => many.push(operand),
            (None, None) => {
                let (count, end) = (names.len(), if names.len() == 1 { "" } else { "s" });
                return refuse(format!("the rule of {words} takes {count} argument{end}"));
            }
        }
    }
    if let Some(param) = &params.vararg {
        let rest = many.pop_if(|_| has_rest).map(Argument::One);
        bound.push((param.name.clone(), rest.unwrap_or(Argument::Many(many))));
    }
    for (keyword, operand) in keywords.iter().zip(rest) {
        let known = keyword.name.as_ref().filter(|name| {
            names.contains(name) || params.keyword_only.iter().any(|param| param.name == **name)
        });
        match known {
            Some(name) if !bound.iter().any(|(one, _)| one == name) => {
                bound.push((name.clone(), Argument::One(operand)));
            }
            _ => {
                let option = keyword.name.as_deref().unwrap_or("**");
                return refuse(format!("the rule of {words} has no argument `{option}`"));
            }
        }
    }
    let is_bound = |name: &Name| bound.iter().any(|(one, _)| one == name);
    let all = params.positional_only.iter().chain(&params.positional).skip(1).chain(&params.keyword_only);
    if let Some(missing) = all.into_iter().find(|p| p.default.is_none() && !is_bound(&p.name)) {
        return refuse(format!("{words} is called without `{}`, which its rule has", missing.name));
    }
    Ok(bound)
}
