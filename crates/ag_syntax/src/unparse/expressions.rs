//! Writing expressions.

use super::Emitter;
use super::literals::is_on_several_lines;
use super::precedence::{Precedence, binary_text, compare_text, unary_text};
use crate::tree::{BoolOp, Comprehension, ConstantKind, Expr, ExprKind, Keyword, Param, Params};

impl Emitter<'_> {
    /// Writes an expression in a place whose precedence level is `at_least`.
    pub(super) fn expr(&mut self, expr: &Expr, at_least: Precedence) {
        let is_broken = self.open_brackets == 0 && is_on_several_lines(expr);
        if Precedence::of(expr) >= at_least && !is_broken {
            self.mapped(expr.span, |emitter| emitter.expr_kind(expr));
        } else if let ExprKind::Tuple { elements, .. } = &expr.kind {
            self.mapped(expr.span, |emitter| {
                emitter.bracketed("(", ")", |emitter| emitter.tuple_elements(elements));
            });
        } else {
            self.bracketed("(", ")", |emitter| emitter.mapped(expr.span, |emitter| emitter.expr_kind(expr)));
        }
    }

    /// Writes an expression where a tuple needs no parentheses: `return *a, b`, `for x, y in …`.
    pub(super) fn tuple_or_expr(&mut self, expr: &Expr) {
        let is_tuple = matches!(expr.kind, ExprKind::Tuple { .. });
        self.expr(expr, if is_tuple { Precedence::Tuple } else { Precedence::Test });
    }

    /// Writes an expression where neither a tuple nor `yield` needs parentheses: `x = yield`, `x = 1, 2`.
    pub(super) fn tuple_or_yield(&mut self, expr: &Expr) {
        self.expr(expr, Precedence::Tuple);
    }

    /// Writes an expression where `:=` needs no parentheses: `if x := f():`.
    pub(super) fn named_or_expr(&mut self, expr: &Expr) {
        let is_named = matches!(expr.kind, ExprKind::Named { .. });
        self.expr(expr, if is_named { Precedence::Named } else { Precedence::Test });
    }

    fn expr_kind(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::BoolOp { op, values } => self.bool_op(*op, values),
            ExprKind::Named { target, value } => {
                self.expr(target, Precedence::Atom);
                self.push(" := ");
                self.expr(value, Precedence::Test);
            }
            ExprKind::Binary { left, op, right } => {
                let (left_level, right_level) = Precedence::of_operands(*op);
                self.expr(left, left_level);
                self.push(" ");
                self.push(binary_text(*op));
                self.push(" ");
                self.expr(right, right_level);
            }
            ExprKind::Unary { op, operand } => {
                self.push(unary_text(*op));
                self.expr(operand, Precedence::of(expr));
            }
            ExprKind::Lambda { params, body } => {
                self.push("lambda");
                if !params.is_empty() {
                    self.push(" ");
                }
                self.params(params);
                self.push(": ");
                self.expr(body, Precedence::Test);
            }
            ExprKind::IfExp { test, body, orelse } => {
                self.expr(body, Precedence::Or);
                self.push(" if ");
                self.expr(test, Precedence::Or);
                self.push(" else ");
                self.expr(orelse, Precedence::Test);
            }
            ExprKind::Await(value) => {
                self.push("await ");
                self.expr(value, Precedence::Atom);
            }
            ExprKind::Yield(None) => self.push("yield"),
            ExprKind::Yield(Some(value)) => {
                self.push("yield ");
                self.tuple_or_expr(value);
            }
            ExprKind::YieldFrom(value) => {
                self.push("yield from ");
                self.expr(value, Precedence::Test);
            }
            ExprKind::Compare { left, ops, comparators } => {
                self.expr(left, Precedence::BitOr);
                for (op, comparator) in ops.iter().zip(comparators) {
                    self.push(" ");
                    self.push(compare_text(*op));
                    self.push(" ");
                    self.expr(comparator, Precedence::BitOr);
                }
            }
            ExprKind::Tuple { elements, .. } if !elements.is_empty() => self.tuple_elements(elements),
            _ => self.atom(expr),
        }
    }

    fn atom(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name { name, .. } => self.push(name),
            ExprKind::Constant { text, .. } => self.push(text),
            ExprKind::FString(fstring) => self.push(&fstring.text),
            ExprKind::Call { func, args, keywords } => {
                self.expr(func, Precedence::Atom);
                self.call_arguments(args, keywords);
            }
            ExprKind::Attribute { value, attr, .. } => {
                self.expr(value, Precedence::Atom);
                // `1.real` would be read as a float.
                if matches!(value.kind, ExprKind::Constant { kind: ConstantKind::Int, .. }) {
                    self.push(" ");
                }
                self.push(".");
                self.push(attr);
            }
            ExprKind::Subscript { value, index, .. } => {
                self.expr(value, Precedence::Atom);
                self.bracketed("[", "]", |emitter| emitter.tuple_or_expr(index));
            }
            ExprKind::Starred { value, .. } => {
                self.push("*");
                self.expr(value, Precedence::BitOr);
            }
            ExprKind::Slice { lower, upper, step } => self.slice(lower, upper, step),
            _ => self.display(expr),
        }
    }

    /// Displays and comprehensions.
    fn display(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::List { elements, .. } => self.bracketed("[", "]", |emitter| emitter.elements(elements)),
            // An empty set has no display; this one is a set, and nothing is evaluated to make it.
            ExprKind::Set(elements) if elements.is_empty() => self.push("{*()}"),
            ExprKind::Set(elements) => self.bracketed("{", "}", |emitter| emitter.elements(elements)),
            ExprKind::Tuple { elements, .. } => {
                self.bracketed("(", ")", |emitter| emitter.elements(elements))
            }
            ExprKind::Dict(items) => self.bracketed("{", "}", |emitter| {
                emitter.separated(items, |emitter, (key, value)| match key {
                    Some(key) => emitter.key_value(key, value),
                    None => {
                        emitter.push("**");
                        emitter.expr(value, Precedence::BitOr);
                    }
                });
            }),
            ExprKind::ListComp { element, generators } => {
                self.bracketed("[", "]", |emitter| emitter.comprehension(element, generators));
            }
            ExprKind::SetComp { element, generators } => {
                self.bracketed("{", "}", |emitter| emitter.comprehension(element, generators));
            }
            ExprKind::Generator { element, generators } => {
                self.bracketed("(", ")", |emitter| emitter.comprehension(element, generators));
            }
            ExprKind::DictComp { key, value, generators } => self.bracketed("{", "}", |emitter| {
                emitter.key_value(key, value);
                emitter.generators(generators);
            }),
            _ => {}
        }
    }

    fn bool_op(&mut self, op: BoolOp, values: &[Expr]) {
        // `(a and b) and c` is not `a and b and c`: an operand at the operator's own level needs parentheses.
        let (text, operand) = match op {
            BoolOp::And => (" and ", Precedence::Not),
            BoolOp::Or => (" or ", Precedence::And),
        };
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.push(text);
            }
            self.expr(value, operand);
        }
    }

    fn elements(&mut self, elements: &[Expr]) {
        self.separated(elements, |emitter, element| emitter.expr(element, Precedence::Test));
    }

    fn tuple_elements(&mut self, elements: &[Expr]) {
        self.elements(elements);
        if elements.len() == 1 {
            self.push(",");
        }
    }

    fn key_value(&mut self, key: &Expr, value: &Expr) {
        self.expr(key, Precedence::Test);
        self.push(": ");
        self.expr(value, Precedence::Test);
    }

    fn slice(&mut self, lower: &Option<Box<Expr>>, upper: &Option<Box<Expr>>, step: &Option<Box<Expr>>) {
        if let Some(lower) = lower {
            self.expr(lower, Precedence::Test);
        }
        self.push(":");
        if let Some(upper) = upper {
            self.expr(upper, Precedence::Test);
        }
        if let Some(step) = step {
            self.push(":");
            self.expr(step, Precedence::Test);
        }
    }

    fn comprehension(&mut self, element: &Expr, generators: &[Comprehension]) {
        self.expr(element, Precedence::Test);
        self.generators(generators);
    }

    fn generators(&mut self, generators: &[Comprehension]) {
        for generator in generators {
            self.push(if generator.is_async { " async for " } else { " for " });
            self.tuple_or_expr(&generator.target);
            self.push(" in ");
            self.expr(&generator.iter, Precedence::Or);
            for condition in &generator.conditions {
                self.push(" if ");
                self.expr(condition, Precedence::Or);
            }
        }
    }

    /// `(args, keywords)` of a call; a lone generator expression shares its parentheses.
    fn call_arguments(&mut self, args: &[Expr], keywords: &[Keyword]) {
        match args {
            [generator] if keywords.is_empty() && matches!(generator.kind, ExprKind::Generator { .. }) => {
                self.expr(generator, Precedence::Atom);
            }
            _ => self.bracketed("(", ")", |emitter| emitter.arguments(args, keywords)),
        }
    }

    /// Arguments of a call or a class: positional ones first, as they are evaluated.
    pub(super) fn arguments(&mut self, args: &[Expr], keywords: &[Keyword]) {
        self.elements(args);
        if !args.is_empty() && !keywords.is_empty() {
            self.push(", ");
        }
        self.separated(keywords, |emitter, keyword| {
            match &keyword.name {
                Some(name) => {
                    emitter.push(name);
                    emitter.push("=");
                }
                None => emitter.push("**"),
            }
            emitter.expr(&keyword.value, Precedence::Test);
        });
    }

    /// `a, /, b=1, *args, c, **kwargs`.
    pub(super) fn params(&mut self, params: &Params) {
        let Params { positional_only, positional, vararg, keyword_only, kwarg } = params;
        let mut items = Vec::new();
        items.extend(positional_only.iter().map(ParamItem::Plain));
        if !positional_only.is_empty() {
            items.push(ParamItem::Marker("/"));
        }
        items.extend(positional.iter().map(ParamItem::Plain));
        match vararg {
            Some(vararg) => items.push(ParamItem::Starred("*", vararg)),
            None if !keyword_only.is_empty() => items.push(ParamItem::Marker("*")),
            None => {}
        }
        items.extend(keyword_only.iter().map(ParamItem::Plain));
        items.extend(kwarg.iter().map(|kwarg| ParamItem::Starred("**", kwarg)));
        self.separated(items, |emitter, item| match item {
            ParamItem::Marker(marker) => emitter.push(marker),
            ParamItem::Plain(param) => emitter.param(param),
            ParamItem::Starred(stars, param) => {
                emitter.push(stars);
                emitter.param(param);
            }
        });
    }

    fn param(&mut self, param: &Param) {
        self.push(&param.name);
        if let Some(annotation) = &param.annotation {
            self.push(": ");
            self.expr(annotation, Precedence::Test);
        }
        if let Some(default) = &param.default {
            self.push(if param.annotation.is_some() { " = " } else { "=" });
            self.expr(default, Precedence::Test);
        }
    }
}

/// An item of a parameter list.
enum ParamItem<'a> {
    Marker(&'static str),
    Plain(&'a Param),
    Starred(&'static str, &'a Param),
}
