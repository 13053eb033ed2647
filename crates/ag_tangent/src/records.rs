//! Records: frozen dataclasses and named tuples, whose objects are what they are given, and `replace` of these.
//!
//! ```text
//! state = State(h, c)             bstate is {"h": ..., "c": ...}, of a named tuple (..., ...)
//! replace(state, h=v)             the same of `v` and `state.c`
//! ```

use ag_syntax::tree::{Expr, ExprKind, Keyword, Name};

use crate::callee::{Callee, Parameters, Record};
use crate::normal::{Former, Outcome, operand_expr, refusal};
use crate::program::{Block, OpKind, Operand};
use crate::stars::{is_starred, literal};

impl Former<'_, '_> {
    /// `target = State(h, c)`.
    pub(crate) fn record(
        &mut self,
        target: &Name,
        (record, value): (&Record, &Expr),
        (func, args, keywords): (&Expr, &[Expr], &[Keyword]),
        made: &mut Block,
    ) -> Outcome<()> {
        let Record { parameters, .. } = record;
        let is_spread = args.iter().any(is_starred) || keywords.iter().any(|keyword| keyword.name.is_none());
        let is_known = |keyword: &Keyword| keyword.name.as_ref().is_some_and(|name| parameters.has(name));
        if is_spread || args.len() > parameters.positional || !keywords.iter().all(is_known) {
            let message = "the fields of this object are not written out";
            return Err(refusal(value.span, message, "write each field, `State(h=h, c=c)`"));
        }
        let exprs: Vec<&Expr> = args.iter().chain(keywords.iter().map(|keyword| &keyword.value)).collect();
        let operands = self.operands(&exprs, made)?;
        let b = self.b.at(self.span);
        let mut texts = operands.iter().map(|operand| operand_expr(b, operand));
        let positional: Vec<Expr> = texts.by_ref().take(args.len()).collect();
        let named = keywords.iter().zip(texts).map(|(keyword, value)| Keyword { value, ..keyword.clone() });
        let forward = b.call_with(func.clone(), positional, named.collect());
        let names = parameters.names.iter().take(args.len()).map(String::as_str);
        let names = names.chain(keywords.iter().filter_map(|keyword| keyword.name.as_deref()));
        let given: Vec<(String, Operand)> = names.map(ToOwned::to_owned).zip(operands).collect();
        let mut fields = Vec::new();
        for name in &parameters.names {
            let found = given.iter().find(|(one, _)| one == name).map(|(_, operand)| operand.clone());
            fields.push(match found {
                Some(operand) => operand,
                None => self.default_field(parameters, name, value)?,
            });
        }
        self.push_record(target, record, (forward, fields), made);
        Ok(())
    }

    fn default_field(&self, parameters: &Parameters, name: &str, value: &Expr) -> Outcome<Operand> {
        let b = self.b.at(self.span);
        let text = parameters.default_of(name).flatten().and_then(|text| literal(b, text));
        text.map(Operand::Plain).ok_or_else(|| {
            let message = format!("the field `{name}` is not given, and its default is no literal");
            refusal(value.span, message, "give the field")
        })
    }

    fn push_record(
        &mut self,
        target: &Name,
        record: &Record,
        (forward, elements): (Expr, Vec<Operand>),
        made: &mut Block,
    ) {
        let b = self.b.at(self.span);
        let key = |(name, place): (&String, i64)| if record.is_tuple { b.int(place) } else { b.string(name) };
        let keys = record.parameters.names.iter().zip(0_i64..).map(key).collect();
        let kind = OpKind::Display { target: target.clone(), elements, keys: Some(keys) };
        self.push(made, b.assign_name(target.clone(), forward), kind);
    }

    /// `replace(state, h=v)`, `state._replace(h=v)`; whether the call is one of these.
    pub(crate) fn replaced(
        &mut self,
        target: &Name,
        (callee, value): (&Callee, &Expr),
        (func, args, keywords): (&Expr, &[Expr], &[Keyword]),
        made: &mut Block,
    ) -> Outcome<bool> {
        let object = match (callee, &func.kind, args) {
            (Callee::Replace, _, [object]) if !is_starred(object) => object,
            (_, ExprKind::Attribute { value: object, attr, .. }, []) if &**attr == "_replace" => object,
            _ => return Ok(false),
        };
        let path = self.around.path(object);
        let Some(Callee::Record(record)) = path.map(|path| self.around.resolver.attribute(&path, "[fields]"))
        else {
            let message = "`replace` of an object whose class is not known";
            return Err(refusal(value.span, message, "say its class in an annotation of the parameter"));
        };
        let is_field = |keyword: &Keyword| {
            keyword
                .name
                .as_ref()
                .is_some_and(|name| record.parameters.names.iter().any(|one| **one == **name))
        };
        if !keywords.iter().all(is_field) {
            let message = "the fields that are replaced are not written out";
            return Err(refusal(value.span, message, "write each field, `replace(state, h=h)`"));
        }
        let exprs: Vec<&Expr> =
            std::iter::once(object).chain(keywords.iter().map(|keyword| &keyword.value)).collect();
        let mut operands = self.operands(&exprs, made)?;
        let b = self.b.at(self.span);
        // It is read more than once.
        let whole = match operands.remove(0) {
            Operand::Plain(value) => self.kept(&value, made)?,
            Operand::Active(name) => b.name(name),
        };
        let own: Vec<Expr> = if args.is_empty() { Vec::new() } else { vec![whole.clone()] };
        let texts = operands.iter().map(|operand| operand_expr(b, operand));
        let named = keywords.iter().zip(texts).map(|(keyword, value)| Keyword { value, ..keyword.clone() });
        let called = if own.is_empty() { b.attribute(whole.clone(), "_replace") } else { func.clone() };
        let forward = b.call_with(called, own, named.collect());
        let mut fields = Vec::new();
        for name in &record.parameters.names {
            let given = keywords.iter().position(|keyword| keyword.name.as_deref() == Some(name));
            fields.push(match given {
                Some(place) => operands[place].clone(),
                None if self.is_active(&whole) => {
                    let kept = self.naming.fresh(name);
                    let operand = self.b.at(self.span).attribute(whole.clone(), name.as_str());
                    self.record_field(&kept, &whole, (&record, name), operand, made);
                    Operand::Active(kept)
                }
                None => Operand::Plain(b.attribute(whole.clone(), name.as_str())),
            });
        }
        self.push_record(target, &record, (forward, fields), made);
        Ok(true)
    }

    /// `name = state.h`.
    fn record_field(
        &mut self,
        name: &Name,
        whole: &Expr,
        (record, field): (&Record, &str),
        value: Expr,
        made: &mut Block,
    ) {
        let b = self.b.at(self.span);
        let ExprKind::Name { name: base, .. } = &whole.kind else { return };
        self.declare(name);
        let place = record.parameters.names.iter().position(|one| one == field).unwrap_or_default();
        let place = i64::try_from(place).unwrap_or_default();
        let index = if record.is_tuple { b.int(place) } else { b.string(field) };
        let kind = OpKind::Index { target: name.clone(), base: base.clone(), index };
        self.push(made, b.assign_name(name.clone(), value), kind);
    }
}
