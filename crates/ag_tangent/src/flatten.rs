//! The normal form of expressions: one operation at a time, in the order in which Python evaluates.

use std::sync::Arc;

use ag_errors::{Diagnostic, catalogue};
use ag_syntax::tree::{BinaryOp, Expr, ExprKind, Name, Stmt, UnaryOp};

use crate::adjoints::helper;
use crate::callee::{Callee, Receiver, Resolver, Rule};
use crate::calls::bind_operands;
use crate::normal::{Former, Outcome, operand_expr, refusal};
use crate::program::{Argument, Block, OpKind, Operand};
use crate::stars::is_starred;
use crate::variables::root_of;

/// Whether an expression may be written again later, for the same value while its variables are the same.
pub(crate) fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name { .. } | ExprKind::Constant { .. } => true,
        ExprKind::Attribute { value, .. } => is_simple(value),
        ExprKind::Unary { operand, .. } => is_simple(operand),
        ExprKind::Binary { left, right, .. } => is_simple(left) && is_simple(right),
        ExprKind::Tuple { elements, .. } => elements.iter().all(is_simple),
        ExprKind::Subscript { value, index, .. } => {
            matches!(&value.kind, ExprKind::Attribute { attr, .. } if &**attr == "shape") && is_simple(index)
        }
        ExprKind::Slice { lower, upper, step } => {
            [lower, upper, step].into_iter().flatten().all(|one| is_simple(one))
        }
        ExprKind::Call { func, args, keywords } => {
            matches!(&func.kind, ExprKind::Name { name, .. } if matches!(&**name, "len" | "min" | "max" | "slice"))
                && keywords.is_empty()
                && args.iter().all(is_simple)
        }
        _ => false,
    }
}

/// Whether an expression is made of literals only.
pub(crate) fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant { .. } => true,
        ExprKind::Unary { operand, .. } => is_literal(operand),
        ExprKind::Tuple { elements, .. } => elements.iter().all(is_literal),
        _ => false,
    }
}

impl Former<'_, '_> {
    /// The operand that an expression is, after the operations that compute it.
    pub(crate) fn operand(&mut self, expr: &Expr, made: &mut Block) -> Outcome<Operand> {
        if !self.is_active(expr) {
            return Ok(Operand::Plain(expr.clone()));
        }
        if let ExprKind::Name { name, .. } = &expr.kind
            && !self.around.functions.contains(name)
        {
            return Ok(Operand::Active(name.clone()));
        }
        let name = self.naming.of_expr(expr);
        self.assign(&name, expr, made)?;
        Ok(Operand::Active(name))
    }

    /// The operands that several expressions are, evaluated from left to right.
    pub(crate) fn operands(&mut self, exprs: &[&Expr], made: &mut Block) -> Outcome<Vec<Operand>> {
        let is_name = |expr: &Expr| matches!(expr.kind, ExprKind::Name { .. });
        let last = exprs.iter().rposition(|expr| !is_name(expr) && self.is_active(expr)).unwrap_or(0);
        let mut operands = Vec::new();
        for (index, expr) in exprs.iter().enumerate() {
            let operand = self.operand(expr, made)?;
            operands.push(match operand {
                // What stands to the left of an operation is evaluated before it.
                Operand::Plain(value) if index < last && !is_simple(&value) => {
                    Operand::Plain(self.kept(&value, made)?)
                }
                operand => operand,
            });
        }
        Ok(operands)
    }

    /// A variable that keeps the value of an expression without a derivative.
    pub(crate) fn kept(&mut self, value: &Expr, made: &mut Block) -> Outcome<Expr> {
        let b = self.b.at(value.span);
        if let ExprKind::Starred { value, .. } = &value.kind {
            return Ok(b.starred(self.kept(value, made)?));
        }
        let name = self.naming.of_expr(value);
        if self.is_pop(value) {
            self.assign(&name, value, made)?;
        } else {
            let node = self.plain(b.assign_name(name.clone(), value.clone()));
            made.push(node);
        }
        Ok(b.name(name))
    }

    /// Whether an expression takes the last item of a list of values with derivatives: that list is shorter then.
    pub(crate) fn is_pop(&self, value: &Expr) -> bool {
        let ExprKind::Call { func, args, .. } = &value.kind else { return false };
        let ExprKind::Attribute { value: list, attr, .. } = &func.kind else { return false };
        let is_list = || !self.around.is_object(list);
        let is_ours = root_of(list).is_some_and(|name| self.has_derivative(name));
        args.is_empty() && &**attr == "pop" && is_ours && is_list()
    }

    /// An index that may be written again: what is no simple expression in it gets a name.
    pub(crate) fn simple_index(&mut self, index: &Expr, made: &mut Block) -> Outcome<Expr> {
        if is_simple(index) {
            return Ok(index.clone());
        }
        let mut new = index.clone();
        match &mut new.kind {
            ExprKind::Tuple { elements, .. } => {
                for element in elements {
                    *element = self.simple_index(element, made)?;
                }
            }
            ExprKind::Slice { lower, upper, step } => {
                for part in [lower, upper, step].into_iter().flatten() {
                    **part = self.simple_index(part, made)?;
                }
            }
            ExprKind::Starred { .. } => {
                return Err(refusal(index.span, "`*` in an index", "write the index out"));
            }
            _ => new = self.kept(index, made)?,
        }
        Ok(new)
    }

    /// `target = value`.
    pub(crate) fn assign(&mut self, target: &Name, value: &Expr, made: &mut Block) -> Outcome<()> {
        self.declare(target);
        let b = self.b.at(self.span);
        let bind = |value: Expr| b.assign_name(target.clone(), value);
        if !self.is_active(value) {
            self.push(made, bind(value.clone()), OpKind::Constant { target: target.clone() });
            return Ok(());
        }
        let operands: &[&Expr] = match &value.kind {
            ExprKind::Binary { left, right, .. } => &[&**left, &**right],
            ExprKind::Unary { operand: one, .. } | ExprKind::Subscript { value: one, .. } => &[&**one],
            _ => &[],
        };
        operands.iter().try_for_each(|operand| self.require_no_object(operand))?;
        if self.around.functions.nested(value).is_some() {
            return Err(refusal(
                value.span,
                "a function that reads values with derivatives is given to what is not differentiated by its source",
                "call it, or give it to a function of your own that does",
            ));
        }
        match &value.kind {
            ExprKind::Name { name, .. } => {
                let kind = OpKind::Copy { target: target.clone(), source: name.clone() };
                self.push(made, bind(value.clone()), kind);
            }
            ExprKind::Named { target: inner, value } => {
                self.assign_target(inner, value, made)?;
                let inner = root_of(inner).map(|name| b.name(name.clone()));
                return inner.map_or(Ok(()), |inner| self.assign(target, &inner, made));
            }
            ExprKind::Binary { left, op, right } if let Some(call) = self.of_lists(left, *op, right) => {
                self.assign(target, &call, made)?;
            }
            ExprKind::Binary { left, op, right } if let Some(joined) = self.of_dicts(left, *op, right) => {
                self.assign(target, &joined, made)?;
            }
            ExprKind::Binary { left, op, right } => {
                let callee = self.around.resolver.binary(*op);
                let operands = self.operands(&[left, right], made)?;
                let [left, right] = [operand_expr(b, &operands[0]), operand_expr(b, &operands[1])];
                let op = *op;
                let forward = b.expr(ExprKind::Binary { left: Box::new(left), op, right: Box::new(right) });
                let words = format!("`{}`", operator_text(op));
                self.primitive(target, value, (&callee, &words), bind(forward), operands, made)?;
            }
            ExprKind::Unary { op, operand } => {
                let callee = self.around.resolver.unary(*op);
                let operands = self.operands(&[operand], made)?;
                let forward = b.unary(*op, operand_expr(b, &operands[0]));
                let words = if *op == UnaryOp::USub { "`-`" } else { "this operator" };
                self.primitive(target, value, (&callee, words), bind(forward), operands, made)?;
            }
            ExprKind::Attribute { value: object, attr, .. }
                if let Some(found) = self.around.field(object, attr) =>
            {
                self.field(target, value, (object, attr), found, made)?;
            }
            ExprKind::Attribute { value: object, attr, .. } => {
                let callee = self.around.resolver.member(attr);
                let operands = self.operands(&[object], made)?;
                let forward = b.attribute(operand_expr(b, &operands[0]), attr.clone());
                let words = format!("the attribute `{attr}`");
                self.primitive(target, value, (&callee, &words), bind(forward), operands, made)?;
            }
            ExprKind::Subscript { value: base, index, .. } => {
                let Operand::Active(base) = self.operand(base, made)? else {
                    return Err(refusal(value.span, "an element of this", ""));
                };
                let index = self.simple_index(index, made)?;
                let forward = bind(b.subscript(b.name(base.clone()), index.clone()));
                self.push(made, forward, OpKind::Index { target: target.clone(), base, index });
                self.require_known_class(target, value, made);
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                self.display(target, value, elements, None, made)?;
            }
            ExprKind::Dict(items) => {
                if items.iter().any(|(key, _)| key.is_none()) {
                    return self.merged(target, items, made);
                }
                let keys: Option<Vec<Expr>> = items.iter().map(|(key, _)| key.clone()).collect();
                let values: Vec<Expr> = items.iter().map(|(_, value)| value.clone()).collect();
                let Some(keys) = keys.filter(|keys| keys.iter().all(is_simple)) else {
                    return Err(refusal(
                        value.span,
                        "a computed key in a dict of values with derivatives",
                        "write the items out",
                    ));
                };
                self.display(target, value, &values, Some(keys), made)?;
            }
            ExprKind::IfExp { test, body, orelse } => {
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                let before = self.known.clone();
                self.assign(target, body, &mut then)?;
                let after = std::mem::replace(&mut self.known, before);
                self.assign(target, orelse, &mut otherwise)?;
                self.join_known(after, &mut then, &mut otherwise);
                self.push_choice(value.span, test, then, otherwise, made);
            }
            ExprKind::ListComp { element, generators } | ExprKind::Generator { element, generators } => {
                self.comprehension(target, (None, element), generators, made)?;
            }
            ExprKind::DictComp { key, value, generators } => {
                self.comprehension(target, (Some(key), value), generators, made)?;
            }
            ExprKind::Call { func, args, keywords } => {
                let is_dropped = self.drops_result;
                self.call(target, value, (func, args, keywords), made)?;
                if !is_dropped {
                    self.require_known_class(target, value, made);
                }
            }
            _ => {
                return Err(refusal(
                    value.span,
                    "this expression has no derivative that can be written as source",
                    "compute it by assignments",
                ));
            }
        }
        Ok(())
    }

    /// `tangent.require_class(layer, Layer)` for what is read as an object of a known class, of a list, of an attribute or
    /// of a result, where nothing but the text says what is in these.
    fn require_known_class(&mut self, target: &Name, value: &Expr, made: &mut Block) {
        let own = self.around.functions.objects.get(target).cloned();
        let Some(path) = own.or_else(|| self.around.read_object(value)).filter(|_| !self.is_telling) else {
            return;
        };
        let class = self.around.resolver.class_name(&path);
        if !class.is_empty() {
            self.around.read.borrow_mut().insert(target.clone(), path.clone());
        }
        let is_made = matches!(&value.kind, ExprKind::Call { .. }) && !path.ends_with(".()");
        if is_made || class.is_empty() {
            return;
        }
        let b = self.b.at(self.span);
        let class = if class.contains('.') { b.string(&class) } else { b.name(class) };
        let guard = helper(b, "require_class", [b.name(target.clone()), class]);
        let node = self.plain(b.expr_stmt(guard));
        made.push(node);
    }

    /// Refuses an operator or an item of an object: these are methods, `__add__` or `__getitem__`.
    pub(crate) fn require_no_object(&self, value: &Expr) -> Outcome<()> {
        if !self.around.is_object(value) {
            return Ok(());
        }
        Err(refusal(
            value.span,
            "an operator, an item or a loop of an object, which its class defines",
            "call the method, or read an attribute",
        ))
    }

    /// `target = object.name`, of an object of a known class.
    fn field(
        &mut self,
        target: &Name,
        value: &Expr,
        (object, name): (&Expr, &Name),
        found: Callee,
        made: &mut Block,
    ) -> Outcome<()> {
        match found {
            Callee::Field | Callee::Item(_) => {
                let Operand::Active(base) = self.operand(object, made)? else {
                    return Err(refusal(value.span, "an attribute of this", ""));
                };
                let b = self.b.at(self.span);
                let forward = b.assign_name(target.clone(), b.attribute(b.name(base.clone()), name.clone()));
                let index = match found {
                    Callee::Item(place) => b.int(i64::try_from(place).unwrap_or_default()),
                    _ => b.string(name),
                };
                self.push(made, forward, OpKind::Index { target: target.clone(), base, index });
                self.require_known_class(target, value, made);
                Ok(())
            }
            Callee::Function(function) if function.receiver == Receiver::Property => {
                self.user_call(target, value, &function, (value, &[], &[]), made)
            }
            _ => Err(refusal(
                value.span,
                format!("the attribute `{name}` is {}, and no value of the object", words_of(&found)),
                "read it as an attribute that `__init__` sets, or call a function",
            )),
        }
    }

    fn display(
        &mut self,
        target: &Name,
        value: &Expr,
        elements: &[Expr],
        keys: Option<Vec<Expr>>,
        made: &mut Block,
    ) -> Outcome<()> {
        if elements.iter().any(is_starred) {
            let joined = self.starred_display(value, elements);
            return self.assign(target, &joined, made);
        }
        let operands = self.operands(&elements.iter().collect::<Vec<_>>(), made)?;
        let b = self.b.at(self.span);
        let mut forward = value.clone();
        let exprs = operands.iter().map(|operand| operand_expr(b, operand));
        match &mut forward.kind {
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => *elements = exprs.collect(),
            ExprKind::Dict(items) => {
                items.iter_mut().zip(exprs).for_each(|((_, value), new)| *value = new);
            }
            _ => {}
        }
        let kind = OpKind::Display { target: target.clone(), elements: operands, keys };
        self.push(made, b.assign_name(target.clone(), forward), kind);
        Ok(())
    }

    /// An operation with a rule.
    fn primitive(
        &mut self,
        target: &Name,
        value: &Expr,
        (callee, words): (&Callee, &str),
        forward: Stmt,
        operands: Vec<Operand>,
        made: &mut Block,
    ) -> Outcome<()> {
        let rule = self.rule(value, callee, words)?;
        let operands = bind_operands(&rule, value.span, words, operands)?;
        let rule = variant(self.around.resolver, rule, &operands);
        self.push(made, forward, OpKind::Rule { rule, result: target.clone(), operands });
        Ok(())
    }

    /// The rule of what is called.
    pub(crate) fn rule(&self, value: &Expr, callee: &Callee, words: &str) -> Outcome<Arc<Rule>> {
        let found = match callee {
            Callee::Primitive { adjoint, tangent } => {
                if self.is_forward {
                    tangent
                } else {
                    adjoint
                }
            }
            _ => &None,
        };
        let (mode, decorator) =
            if self.is_forward { ("forward", "tangent_of") } else { ("reverse", "adjoint") };
        found.clone().ok_or_else(|| {
            let help = match &value.kind {
                ExprKind::Attribute { .. } => OF_UNKNOWN_CLASS.to_owned(),
                _ => format!("give it one: `@tangent.{decorator}(…)`"),
            };
            let message = format!("{words} has no rule for derivatives in {mode} mode");
            Diagnostic::error(catalogue::DERIVATIVE_RULE, value.span, message).with_help(help)
        })
    }
}

/// What to do where the class of an object is not known, of which an attribute is read or a method is called.
pub(crate) const OF_UNKNOWN_CLASS: &str = "make the object in the function, or say its class in an annotation; of \
    objects of several classes make a list for each class, and objects that hold one another put into a list";

/// What an attribute is, for messages.
fn words_of(found: &Callee) -> &str {
    match found {
        Callee::Function(_) => "a method",
        Callee::Other(words) => words,
        _ => "something else",
    }
}

/// The rule for the literals among the operands.
pub(crate) fn variant(resolver: &dyn Resolver, rule: Arc<Rule>, operands: &[(Name, Argument)]) -> Arc<Rule> {
    if !rule.has_variants {
        return rule;
    }
    let literals: Vec<(Name, String)> = operands
        .iter()
        .filter_map(|(name, argument)| match argument {
            Argument::One(Operand::Plain(value)) if is_literal(value) => {
                Some((name.clone(), ag_syntax::unparse_expr(value)))
            }
            _ => None,
        })
        .collect();
    resolver.variant(&rule, &literals).unwrap_or(rule)
}

pub(crate) fn operator_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mult => "*",
        BinaryOp::MatMult => "@",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
        BinaryOp::Pow => "**",
        BinaryOp::FloorDiv => "//",
        BinaryOp::LShift => "<<",
        BinaryOp::RShift => ">>",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
    }
}
