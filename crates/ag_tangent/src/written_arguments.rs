//! Functions that write to their arguments. The derivative of one writes to copies, and gives what is in them at its
//! end; its caller writes that to the arguments, as if the statements of the function stood there:
//!
//! ```text
//! def scale(row, s):          def scale(row, s):
//!     row /= s                    row = tangent.own_copy(row, "row")
//!                                 row /= s
//!                                 return row
//!
//! scale(a[i], s)              row = a[i]
//!                             new_row = scale(row, s)
//!                             row[...] = new_row
//! ```

use std::collections::BTreeSet;

use ag_errors::Span;
use ag_syntax::Builder;
use ag_syntax::tree::{ConstantKind, Expr, ExprKind, FunctionDef, Name, Stmt, StmtKind};
use ag_syntax::visit::VisitorMut;

use crate::callee::UserFunction;
use crate::each::each_stmt;
use crate::jumps::falls_through;
use crate::normal::{Former, Outcome, refusal};
use crate::program::{Block, Changed, Node, OpKind, Operand};
use crate::variables::{augmented_in, root_of, times_bound};

/// What a function does to its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writes {
    /// The parameters whose objects it may write to.
    pub parameters: Vec<(Name, WriteKind)>,
    /// What it returns.
    pub gives: Gives,
    /// Those of them that are no arrays and that the result may be, or hold.
    pub shown: Vec<Name>,
}

/// How a function writes to an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WriteKind {
    /// By `x += v` alone, which writes to an array and binds a number anew.
    Augmented,
    /// Into an array.
    Array,
    /// By `append` to a list alone.
    List,
    /// By binding attributes of an object, or items of a dict or list, anew: what it holds is not written.
    Items,
    /// By binding those of it, or of objects, dicts and lists that it holds, anew: arrays are not written.
    Parts,
    /// Into arrays that an object, a dict or a list holds, or as by `Parts`.
    Inside,
    /// In another way, or by a function that is not known.
    Other,
}

impl WriteKind {
    /// That of two writes to one parameter.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (one, two) if one == two => one,
            (Self::Other, _) | (_, Self::Other) => Self::Other,
            (Self::Augmented | Self::Array, Self::Augmented | Self::Array) => Self::Array,
            (Self::List | Self::Items, Self::List | Self::Items) => Self::Items,
            (Self::List | Self::Items | Self::Parts, Self::List | Self::Items | Self::Parts) => Self::Parts,
            _ => Self::Inside,
        }
    }

    /// Whether what is written is an object, a dict or a list, which a callee writes to as the user's function does.
    pub(crate) fn is_container(self) -> bool {
        matches!(self, Self::Items | Self::Parts | Self::Inside)
    }

    /// Whether the function has a copy of what it writes to.
    pub(crate) fn is_copied(self) -> bool {
        matches!(self, Self::Augmented | Self::Array | Self::List)
    }
}

/// What a function returns, beside what it writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Gives {
    /// `None`.
    #[default]
    Nothing,
    /// A value.
    Value,
    /// The parameter of this name, which it writes to.
    Parameter(Name),
}

impl Writes {
    /// What is known of a function of which nothing is.
    pub(crate) fn unknown(parameters: &[Name]) -> Self {
        let parameters = parameters.iter().map(|name| (name.clone(), WriteKind::Other)).collect();
        Self { parameters, gives: Gives::Value, shown: Vec::new() }
    }

    /// Whether a caller gets the copies of arrays alone, and nothing that it has given.
    pub(crate) fn gives_arrays(&self) -> bool {
        let are_arrays =
            self.parameters.iter().all(|(_, kind)| matches!(kind, WriteKind::Augmented | WriteKind::Array));
        self.gives != Gives::Value && are_arrays
    }

    /// Those that are objects, dicts or lists, which the function writes to itself.
    pub(crate) fn objects(&self) -> Vec<Name> {
        let objects = self.parameters.iter().filter(|(_, kind)| kind.is_container());
        objects.map(|(name, _)| name.clone()).collect()
    }

    /// How many are such.
    pub(crate) fn containers(&self) -> usize {
        self.objects().len()
    }

    /// Those of which the function has a copy that it returns.
    pub(crate) fn copied(&self) -> Vec<Name> {
        let copied = self.parameters.iter().filter(|(_, kind)| kind.is_copied());
        copied.map(|(name, _)| name.clone()).collect()
    }

    /// Those that are arrays or numbers.
    pub(crate) fn arrays(&self) -> Vec<Name> {
        let is_array = |kind: &WriteKind| matches!(kind, WriteKind::Augmented | WriteKind::Array);
        let arrays = self.parameters.iter().filter(|(_, kind)| is_array(kind));
        arrays.map(|(name, _)| name.clone()).collect()
    }

    /// Those that are arrays and are not bound to anything else.
    pub(crate) fn arrays_in(&self, def: &FunctionDef) -> impl Iterator<Item = Name> {
        let arrays = self.parameters.iter().filter(|(_, kind)| *kind == WriteKind::Array);
        arrays.map(|(name, _)| name).filter(|name| !is_rebound(def, name)).cloned()
    }

    /// How it writes to a parameter; none if it does not.
    pub(crate) fn kind(&self, parameter: &str) -> Option<WriteKind> {
        self.parameters.iter().find(|(name, _)| **name == *parameter).map(|(_, kind)| *kind)
    }

    /// Whether it may write to a parameter.
    pub(crate) fn has(&self, parameter: &str) -> bool {
        self.kind(parameter).is_some()
    }

    /// The arrays that it writes to where these parameters have derivatives: it has copies of these.
    pub(crate) fn to_arrays(&self, active: &[Name]) -> Self {
        let is_own = |(name, kind): &&(Name, WriteKind)| *kind != WriteKind::Other && active.contains(name);
        let mut parameters: Vec<(Name, WriteKind)> = self.parameters.iter().filter(is_own).cloned().collect();
        parameters.sort_by_key(|(_, kind)| kind.is_container());
        let gives = match &self.gives {
            Gives::Parameter(name) if !parameters.iter().any(|(one, _)| one == name) => Gives::Value,
            gives => gives.clone(),
        };
        Self { parameters, gives, shown: self.shown.clone() }
    }
}

/// What a function returns.
///
/// # Arguments
///
/// * `written`: the parameters that it writes to.
pub(crate) fn given_by(def: &FunctionDef, written: &[(Name, WriteKind)]) -> Gives {
    let returns = returns_of(&def.body);
    let is_none = |value: &Expr| matches!(&value.kind, ExprKind::Constant { kind: ConstantKind::None, .. });
    let values: Vec<&Expr> = returns.iter().flatten().filter(|value| !is_none(value)).collect();
    let is_always = values.len() == returns.len() && !falls_through(&def.body);
    let name = |value: &Expr| match &value.kind {
        ExprKind::Name { name, .. } => Some(name.clone()),
        _ => None,
    };
    match values.first().map(|value| name(value)) {
        None => Gives::Nothing,
        Some(Some(first))
            if is_always
                && values.iter().all(|value| name(value).as_ref() == Some(&first))
                && written.iter().any(|(one, _)| *one == first)
                && !is_rebound(def, &first) =>
        {
            Gives::Parameter(first)
        }
        Some(_) => Gives::Value,
    }
}

/// Whether no result of a function may be a list that it is given: `return len(xs) * v`, and not `return ys`.
///
/// # Arguments
///
/// * `others`: the parameters that are other values, each apart from the list.
pub(crate) fn gives_no_list(def: &FunctionDef, others: &[&Name]) -> bool {
    fn is_other(value: &Expr, others: &[&Name]) -> bool {
        match &value.kind {
            ExprKind::Binary { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Compare { .. }
            | ExprKind::Constant { .. }
            | ExprKind::Subscript { .. } => true,
            ExprKind::Name { name, .. } => others.contains(&name),
            ExprKind::Tuple { elements, .. } => elements.iter().all(|one| is_other(one, others)),
            ExprKind::Call { func, .. } => {
                let path = crate::variables::dotted(func).unwrap_or_default();
                path.starts_with("np.") || matches!(&*path, "len" | "sum" | "float" | "int" | "abs")
            }
            _ => false,
        }
    }
    let returns = returns_of(&def.body);
    returns.iter().flatten().all(|value| is_other(value, others))
}

/// Whether a parameter is bound to something else than it is given, but for `x += v`.
pub(crate) fn is_rebound(def: &FunctionDef, name: &Name) -> bool {
    times_bound(&def.body).get(name) != augmented_in(&def.body).get(name)
}

/// The values of the `return` statements of a function, and not of those in it.
fn returns_of(body: &[Stmt]) -> Vec<Option<Expr>> {
    let mut returns = Vec::new();
    each_stmt(body, &mut |stmt| {
        if let StmtKind::Return(value) = &stmt.kind {
            returns.push(value.clone());
        }
        !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_))
    });
    returns
}

/// Lets a function return what is in the arrays that it writes to, after what it returns itself.
pub(crate) fn return_written(b: Builder<'_>, def: &mut FunctionDef, writes: &Writes) {
    let mut starts = Vec::new();
    let mut values = Vec::new();
    for (name, kind) in &writes.parameters {
        let b = b.at(def.name_span);
        let mut own = name.clone();
        if is_rebound(def, name) {
            // The array is what the caller has given, whatever its name is bound to later.
            own = format!("{name}_given").into();
            starts.push(b.assign_name(own.clone(), b.name(name.clone())));
        }
        if *kind == WriteKind::List {
            // What it appends is what its caller appends.
            let length: Name = format!("{name}_length").into();
            let count = b.call(b.name("len"), [b.name(own.clone())]);
            starts.push(b.assign_name(length.clone(), count));
            let lower = Some(Box::new(b.name(length)));
            let slice = b.expr(ExprKind::Slice { lower, upper: None, step: None });
            values.push(b.subscript(b.name(own), slice));
        } else {
            values.push(b.name(own));
        }
    }
    let gives_value = writes.gives == Gives::Value;
    let has_containers = writes.containers() > 0;
    let mut returning = Returning { b, values: &values, gives_value, has_containers };
    def.body.iter_mut().for_each(|stmt| returning.visit_stmt(stmt));
    if falls_through(&def.body) {
        let last = def.body.last().map_or(def.name_span, |stmt| stmt.span);
        let value = returning.value(None, last);
        def.body.push(b.at(last).return_value(value));
    }
    def.body.splice(0..0, starts);
}

struct Returning<'a, 'n> {
    b: Builder<'a>,
    values: &'n [Expr],
    gives_value: bool,
    has_containers: bool,
}

impl Returning<'_, '_> {
    fn value(&self, own: Option<Expr>, span: Span) -> Expr {
        let b = self.b.at(span);
        let own = self.gives_value.then(|| own.unwrap_or_else(|| b.none()));
        let written = self.values.iter().map(|value| b.copy_expr(value));
        let mut items: Vec<Expr> = own.into_iter().chain(written).collect();
        if items.len() == 1 && !self.has_containers { items.remove(0) } else { b.tuple(items) }
    }
}

impl VisitorMut for Returning<'_, '_> {
    fn visit_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Return(value) => *value = Some(self.value(value.take(), stmt.span)),
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {}
            _ => ag_syntax::visit::mutable::walk_stmt(self, stmt),
        }
    }
}

/// Takes the objects that a function writes to out of the text of what it returns: the caller has them.
///
/// ```text
/// return y, self          return y        # the adjoint of the result is that of both
/// ```
pub(crate) fn hide_containers(b: Builder<'_>, block: &mut Block, result: &Name, writes: &Writes) {
    let count = writes.containers();
    if count == 0 {
        return;
    }
    for node in block {
        if let Node::Op(op) = node
            && let OpKind::Display { target, elements, .. } = &op.kind
            && target == result
            && let StmtKind::Assign { value, .. } = &mut op.forward.kind
            && let ExprKind::Tuple { elements: items, .. } = &mut value.kind
        {
            op.hidden = count;
            items.truncate(elements.len() - count);
            let b = b.at(op.span);
            match items.len() {
                0 => *value = b.none(),
                1 => *value = items.remove(0),
                _ => {}
            }
        }
        node.blocks_mut().into_iter().for_each(|inner| hide_containers(b, inner, result, writes));
    }
}

/// A call of a function that writes to arguments.
pub(crate) struct WritingCall {
    /// What it writes where.
    pub(crate) writes: Writes,
    /// The variables, in the order of the parameters, and whether anything reads them after the call.
    pub(crate) variables: Vec<(Name, bool)>,
    /// The variables that get what is in the copies at its end.
    pub(crate) new: Vec<Name>,
    /// What the call gives: what is returned and what is written.
    pub(crate) whole: Name,
}

impl WritingCall {
    /// The variables of whose arrays the callee has copies, and those to which it writes itself.
    pub(crate) fn of_call(&self) -> (Vec<Name>, Vec<Changed>) {
        let (mut copied, mut changed) = (Vec::new(), Vec::new());
        for ((parameter, kind), (name, _)) in self.writes.parameters.iter().zip(&self.variables) {
            let name = name.clone();
            if kind.is_container() {
                let is_shown = self.writes.shown.contains(parameter);
                changed.push(Changed { name, kind: *kind, is_shown });
            } else {
                copied.push(name);
            }
        }
        (copied, changed)
    }
}

impl Former<'_, '_> {
    /// What a call writes to arrays with derivatives; none if it writes to none.
    ///
    /// # Arguments
    ///
    /// * `active`: the parameters with derivatives, and their variables.
    /// * `shown`: whether a parameter is given what is no new array.
    pub(crate) fn writing_call(
        &mut self,
        function: &UserFunction,
        target: &Name,
        active: &[(Name, Name)],
        shown: &dyn Fn(&Name) -> bool,
    ) -> Option<WritingCall> {
        if !function.may_write {
            return None;
        }
        let parameters: Vec<Name> = active.iter().map(|(parameter, _)| parameter.clone()).collect();
        let writes = self.around.resolver.writes(function).to_arrays(&parameters);
        if writes.parameters.is_empty() {
            return None;
        }
        let (mut variables, mut new) = (Vec::new(), Vec::new());
        for (parameter, _) in &writes.parameters {
            let Some((_, variable)) = active.iter().find(|(one, _)| one == parameter) else { continue };
            variables.push((variable.clone(), shown(parameter)));
            new.push(self.naming.fresh(&format!("new_{variable}")));
            if !self.own.contains(variable) {
                self.parts.insert(variable.clone());
            }
        }
        let whole = match (&writes.gives, new.as_slice()) {
            (Gives::Nothing | Gives::Parameter(_), [only]) if writes.containers() == 0 => only.clone(),
            _ => self.naming.fresh(&format!("{target}_and_written")),
        };
        Some(WritingCall { writes, variables, new, whole })
    }

    /// Writes to the arguments of a call what it has written to copies, and binds its result.
    pub(crate) fn write_back(
        &mut self,
        (target, is_dropped): (&Name, bool),
        call: &WritingCall,
        made: &mut Block,
    ) -> Outcome<()> {
        let WritingCall { writes, variables, new, whole } = call;
        let b = self.b.at(self.span);
        // `y = f(y)`, where `f` writes to `y` and gives something else: what is written goes into the old `y`.
        let is_given = writes.gives == Gives::Value;
        let is_rebound = is_given && variables.iter().any(|(variable, _)| variable == target);
        let given = if is_rebound { self.naming.fresh(&format!("next_{target}")) } else { target.clone() };
        if !new.contains(whole) {
            let own = is_given.then_some(&given);
            let targets: Vec<&Name> = own.into_iter().chain(new).collect();
            targets.iter().for_each(|name| self.declare(name));
            let shown = &targets[..targets.len() - writes.containers()];
            let value = b.name(whole.clone());
            let forward = match shown {
                [] => b.pass(),
                [only] if shown.len() < targets.len() => b.assign_name((*only).clone(), value),
                _ => {
                    let stores = shown.iter().map(|name| b.name_store((*name).clone()));
                    b.assign(b.tuple_in(stores, ag_syntax::tree::Context::Store), value)
                }
            };
            let changed = writes.parameters.iter().zip(variables).zip(new);
            let changed = changed.filter(|(((_, kind), _), _)| kind.is_container());
            let same = changed.map(|((_, (variable, _)), new)| (new.clone(), variable.clone())).collect();
            let targets = targets.into_iter().map(|name| Some(name.clone())).collect();
            self.push(made, forward, OpKind::Unpack { targets, source: whole.clone(), same });
        }
        if writes.gives == Gives::Nothing && !is_dropped {
            self.assign(target, &b.none(), made)?;
        }
        for (((parameter, kind), (variable, is_shown)), new) in
            writes.parameters.iter().zip(variables).zip(new)
        {
            let is_result = writes.gives == Gives::Parameter(parameter.clone()) && !is_dropped;
            let is_array = *kind != WriteKind::Augmented || self.numbers.is_array(variable);
            if kind.is_container() {
                self.write_object((variable, *kind), new, made)?;
                if is_result {
                    self.assign(target, &b.name(variable.clone()), made)?;
                }
                continue;
            }
            // A number is bound anew, in the function.
            let mut orelse = Vec::new();
            if is_result && !is_array && *is_shown {
                self.assign(target, &b.name(new.clone()), &mut orelse)?;
            }
            let mut then = Vec::new();
            if *kind == WriteKind::List {
                self.extend(variable, &b.name(new.clone()), &mut then)?;
            } else if *is_shown {
                self.write_whole(variable, new, &mut then)?;
            }
            if is_result {
                let given = if *is_shown || *kind == WriteKind::List { variable } else { new };
                self.assign(target, &b.name(given.clone()), &mut then)?;
            }
            if is_array || !is_shown {
                made.append(&mut then);
                continue;
            }
            if self.numbers.contains(variable) {
                made.append(&mut orelse);
                continue;
            }
            let array = b.attribute(b.name("np"), "ndarray");
            let test = b.call(b.name("isinstance"), [b.name(variable.clone()), array]);
            self.push_choice(self.span, &test, then, orelse, made);
        }
        if is_rebound { self.assign(target, &b.name(given), made) } else { Ok(()) }
    }

    /// `variable[...] = new`, and the statements that tell other names of it.
    fn write_whole(&mut self, variable: &Name, new: &Name, made: &mut Block) -> Outcome<()> {
        let b = self.b.at(self.span);
        let everything = || b.constant(ConstantKind::Ellipsis, "...");
        let mut target = b.subscript(b.name(variable.clone()), everything());
        ag_syntax::set_context(&mut target, ag_syntax::tree::Context::Store);
        let forward = b.assign(target, b.name(new.clone()));
        let value = Operand::Active(new.clone());
        let from = made.len();
        self.push(made, forward, OpKind::Store { base: variable.clone(), index: everything(), value });
        if let Some(Node::Op(op)) = made.last_mut() {
            op.whole = Some(WriteKind::Array);
        }
        self.tell_writes(from, made)
    }

    /// What the callee has written to the object `variable`, which is known by `new`: the text has nothing for it.
    fn write_object(
        &mut self,
        (variable, kind): (&Name, WriteKind),
        new: &Name,
        made: &mut Block,
    ) -> Outcome<()> {
        let b = self.b.at(self.span);
        let index = b.constant(ConstantKind::Ellipsis, "...");
        let forward = b.pass();
        let value = Operand::Active(new.clone());
        let from = made.len();
        self.push(made, forward, OpKind::Store { base: variable.clone(), index, value });
        if let Some(Node::Op(op)) = made.last_mut() {
            op.whole = Some(kind);
        }
        self.tell_writes(from, made)
    }

    /// Whether a call is there for what it writes, and all of that is known.
    pub(crate) fn is_written_back(&self, function: &UserFunction) -> bool {
        function.may_write && {
            let writes = self.around.resolver.writes(function);
            let is_known = writes.parameters.iter().all(|(_, kind)| *kind != WriteKind::Other);
            is_known && !(writes.parameters.is_empty() && writes.gives == Gives::Nothing)
        }
    }

    /// The variables without a derivative that a call writes to itself.
    ///
    /// # Arguments
    ///
    /// * `given`: the parameters, and what they are given.
    pub(crate) fn written_plainly(
        &self,
        function: &UserFunction,
        given: &[(Name, &Expr)],
    ) -> Outcome<BTreeSet<Name>> {
        let mut found = BTreeSet::new();
        if !function.may_write {
            return Ok(found);
        }
        let writes = self.around.resolver.writes(function);
        for (parameter, value) in given {
            let Some(root) = root_of(value).filter(|_| writes.has(parameter)) else { continue };
            // The class whose object is made.
            if function.makes_object && &**parameter == "cls" {
                continue;
            }
            if !self.around.is_local(root) {
                let message =
                    format!("`{}` writes to `{root}`, which is no variable of the function", function.name);
                return Err(refusal(value.span, message, "return what it computes"));
            }
            found.insert(root.clone());
        }
        Ok(found)
    }
}
