//! Which variables the derivative of an expression comes from.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::{
    BinaryOp, Comprehension, Expr, ExprKind, FStringPart, Keyword, Name, NameSet, Params, UnaryOp,
};

use crate::callee::{Callee, Given, GivenFunction, Receiver, Resolver, UserFunction};
use crate::functions::Functions;
use crate::object_paths::Paths;
use crate::stars::is_starred;
use crate::variables::{dotted, read_in, root_of};
use crate::written_arguments::WriteKind;

/// Attributes of arrays that have no derivative.
pub(crate) const FACTS: [&str; 7] = ["shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides"];

/// Arguments that a call writes to, and how.
pub(crate) type WrittenArguments<'e> = Vec<(&'e Expr, WriteKind)>;

/// The function that is differentiated: its variables, and what its other names stand for.
pub(crate) struct Surroundings<'r> {
    pub(crate) resolver: &'r dyn Resolver,
    /// The functions that it defines, or is given.
    pub(crate) functions: Functions,
    /// The objects of whose classes something was asked.
    pub(crate) classes: RefCell<BTreeSet<Name>>,
    /// Temporary variables that are lists or dicts which objects hold.
    pub(crate) items: RefCell<BTreeSet<Name>>,
    /// Temporary variables that are objects of known classes.
    pub(crate) read: RefCell<BTreeMap<Name, String>>,
    /// Parameters and variables of the function, temporary ones included.
    pub(crate) locals: RefCell<NameSet>,
}

impl Surroundings<'_> {
    /// Whether a name is a variable of the function.
    pub(crate) fn is_local(&self, name: &Name) -> bool {
        self.locals.borrow().contains(name)
    }

    /// What a call calls.
    pub(crate) fn callee(&self, func: &Expr) -> Callee {
        if let Some(function) = self.functions.nested(func) {
            return Callee::Function(function.clone());
        }
        if let ExprKind::Name { name, .. } = &func.kind
            && let Some(path) = self.functions.outside(name)
        {
            return self.resolver.named(&path);
        }
        if let Some(found) = self.method(func) {
            return found;
        }
        match (root_of(func), dotted(func)) {
            (Some(root), Some(path)) if !self.is_local(root) => self.resolver.named(&path),
            _ => match &func.kind {
                ExprKind::Attribute { attr, .. } => self.resolver.member(attr),
                ExprKind::Name { name, .. } if self.functions.unknown.contains_key(name) => {
                    Callee::Other(self.functions.unknown[name].clone())
                }
                _ => Callee::Other("a function that a variable holds".to_owned()),
            },
        }
    }

    /// The values that a function takes from around; functions among them take theirs themselves.
    pub(crate) fn taken(&self, function: &UserFunction) -> Vec<Name> {
        function.taken().filter(|name| !self.functions.contains(name)).collect()
    }

    /// What `object.name` is, or `object` when it is called.
    fn method(&self, func: &Expr) -> Option<Callee> {
        let path = self.object_path(func);
        let own = match &func.kind {
            ExprKind::Attribute { value, attr, .. } => self.field(value, attr),
            _ => None,
        };
        Some(match own {
            None if self.is_of_value(func) => return None,
            None => self.call_of(&path?),
            Some(Callee::Field) => match self.call_of(&path?) {
                Callee::Function(function) => Callee::Function(function),
                _ => Callee::Other("a function that an object holds".to_owned()),
            },
            Some(Callee::Function(function)) if function.receiver == Receiver::Property => {
                Callee::Other("what a property gives".to_owned())
            }
            Some(found) => found,
        })
    }

    /// The dotted name of a method of an object of a known class, as the resolver knows it.
    pub(crate) fn method_path(&self, func: &Expr) -> Option<String> {
        match &func.kind {
            ExprKind::Attribute { value, attr, .. } => {
                let path = self.object_path(value)?;
                Some(format!("{path}.{attr}"))
            }
            _ => Some(format!("{}.__call__", self.object_path(func)?)),
        }
    }

    /// What a call of an object calls.
    fn call_of(&self, path: &str) -> Callee {
        match self.resolver.attribute(path, "__call__") {
            Callee::Function(function) => {
                Callee::Function(UserFunction { receiver: Receiver::Itself, ..function })
            }
            Callee::Field => Callee::Other("an object that is not called".to_owned()),
            found => found,
        }
    }

    /// What an attribute of an object of a known class is; none if the class is not known.
    pub(crate) fn field(&self, object: &Expr, name: &Name) -> Option<Callee> {
        let path = self.object_path(object)?;
        let is_known = !self.is_value(object, &path);
        is_known.then(|| self.resolver.attribute(&path, name))
    }

    /// Whether an attribute holds what is no object of a known class: an array, a list, a dict.
    fn is_value(&self, object: &Expr, path: &str) -> bool {
        matches!(object.kind, ExprKind::Attribute { .. }) && !self.resolver.held(path).starts_with("object")
    }

    /// Whether it is a method of such a value, `self.w.sum`.
    fn is_of_value(&self, func: &Expr) -> bool {
        let ExprKind::Attribute { value, .. } = &func.kind else { return false };
        self.object_path(value).is_some_and(|path| self.is_value(value, &path))
    }

    /// Whether an expression is an object of a known class, whose operators and items are its class's.
    pub(crate) fn is_object(&self, value: &Expr) -> bool {
        self.object_path(value).is_some_and(|path| {
            !self.resolver.class_name(&path).is_empty()
                && !self.resolver.held(&path).starts_with("object:tuple")
        })
    }

    /// Whether a variable is a record, whose fields are not bound anew.
    pub(crate) fn is_record(&self, name: &Name) -> bool {
        let path = self.functions.objects.get(name);
        path.is_some_and(|path| matches!(self.resolver.attribute(path, "[frozen]"), Callee::Record(_)))
    }

    /// The name by which the resolver knows the class of an object.
    fn object_path(&self, object: &Expr) -> Option<String> {
        match &object.kind {
            ExprKind::Name { name, .. } => {
                let path = self.functions.objects.get(name)?;
                self.classes.borrow_mut().insert(name.clone());
                Some(path.clone())
            }
            ExprKind::Attribute { value, attr, .. } => Some(format!("{}.{attr}", self.object_path(value)?)),
            ExprKind::Subscript { .. } | ExprKind::Call { .. } => {
                self.path(object).filter(|path| self.resolver.held(path).starts_with("object"))
            }
            _ => None,
        }
    }

    /// The class of what an expression reads, if it is known to be an object.
    pub(crate) fn read_object(&self, value: &Expr) -> Option<String> {
        self.object_path(value).filter(|path| self.resolver.held(path).starts_with("object"))
    }

    /// What an expression stands for, as the resolver knows it: an object, a list or a dict.
    pub(crate) fn path(&self, value: &Expr) -> Option<String> {
        let is_local = |name: &Name| self.is_local(name);
        let paths = Paths { resolver: self.resolver, functions: &self.functions, is_local: &is_local };
        paths.of(value)
    }

    /// The path of a list or a dict.
    fn container_path(&self, value: &Expr) -> Option<String> {
        self.path(value).filter(|path| !self.resolver.held(path).starts_with("object"))
    }

    /// Whether an index of a variable is one of a dict or a list that the caller has given, or a key of any dict: what is
    /// there is bound anew, and no array is written.
    pub(crate) fn is_item(&self, base: &Name, index: &Expr) -> bool {
        crate::aliases::is_key(index)
            || (self.functions.given_containers.contains(base) || self.items.borrow().contains(base))
                && !crate::variables::has_slice(index)
    }

    /// `list` or `dict`, where the text or a class says that a value is one.
    pub(crate) fn container_kind(&self, value: &Expr) -> Option<&'static str> {
        let held = self.resolver.held(&self.path(value)?);
        ["list", "dict"].into_iter().find(|kind| held.split(':').next() == Some(kind))
    }

    /// Whether the text or a class says that a value is a list or a dict.
    pub(crate) fn is_container(&self, value: &Expr) -> bool {
        self.container_kind(value).is_some()
    }

    /// The arguments of a call, with the object whose method it calls.
    pub(crate) fn arguments<'e>(
        &self,
        function: &UserFunction,
        func: &'e Expr,
        args: &'e [Expr],
    ) -> Vec<&'e Expr> {
        let receiver = match (function.receiver, &func.kind) {
            (Receiver::Object | Receiver::Property, ExprKind::Attribute { value, .. }) => Some(&**value),
            (Receiver::Itself, _) => Some(func),
            _ => None,
        };
        receiver.into_iter().chain(args).collect()
    }

    /// The arguments that a function of the user's may write to, and such variables that it takes from around, with how
    /// it writes.
    pub(crate) fn written_arguments<'e>(
        &self,
        function: &UserFunction,
        (func, args, keywords): (&'e Expr, &'e [Expr], &'e [Keyword]),
    ) -> (WrittenArguments<'e>, Vec<(Name, WriteKind)>) {
        let (mut found, mut taken) = (Vec::new(), Vec::new());
        let writes = match function.may_write {
            true => self.resolver.writes(function),
            false => return (found, taken),
        };
        let Some(parameters) = &function.parameters else {
            let given = keywords.iter().map(|keyword| &keyword.value);
            let given = self.arguments(function, func, args).into_iter().chain(given);
            return (given.map(|value| (value, WriteKind::Other)).collect(), taken);
        };
        let rest = parameters.vararg.as_deref();
        let mut places = parameters.names[..parameters.positional].iter().map(|name| Some(name.as_str()));
        let mut is_spread = false;
        for value in self.arguments(function, func, args) {
            is_spread |= is_starred(value);
            let place = places.next().unwrap_or(rest);
            if is_spread && !writes.parameters.is_empty() {
                found.push((value, WriteKind::Other));
            } else if let Some(kind) = place.and_then(|name| writes.kind(name)) {
                found.push((value, kind));
            }
        }
        for keyword in keywords {
            let place = match keyword.name.as_deref() {
                Some(name) if parameters.has(name) => Some(name),
                Some(_) => parameters.kwarg.as_deref(),
                None => None,
            };
            match place {
                Some(name) => found.extend(writes.kind(name).map(|kind| (&keyword.value, kind))),
                None if writes.parameters.is_empty() => {}
                None => found.push((&keyword.value, WriteKind::Other)),
            }
        }
        for (parameter, variable) in function.captured.iter().chain(&function.defaults) {
            if let Some(kind) = writes.kind(parameter)
                && !self.functions.contains(variable)
            {
                taken.push((variable.clone(), kind));
            }
        }
        (found, taken)
    }

    /// What a call calls, which is another function for other functions among its arguments:
    /// `solve(lambda y: y * w, x)`.
    pub(crate) fn called(&self, func: &Expr, args: &[Expr], keywords: &[Keyword]) -> Callee {
        let callee = self.callee(func);
        let Callee::Function(function) = &callee else { return callee };
        let (given, variables) = self.given(function, &self.arguments(function, func, args), keywords);
        if given.is_empty() {
            return callee;
        }
        let Some((mut new, extra)) = self.resolver.specialised(function, &given) else {
            return Callee::Endless(function.name.clone());
        };
        new.parameters.clone_from(&function.parameters);
        new.receiver = function.receiver;
        new.makes_object = function.makes_object;
        new.passes = function.passes;
        new.is_maker = function.is_maker;
        new.captured.clone_from(&function.captured);
        new.defaults.clone_from(&function.defaults);
        for (parameters, variables) in extra.into_iter().zip(variables) {
            if let Some(all) = &mut new.parameters {
                all.names.extend(parameters.iter().cloned());
            }
            new.captured.extend(parameters.iter().map(|name| name.as_str().into()).zip(variables));
        }
        Callee::Function(new)
    }

    /// The functions that a call gives, and the variables that they take from around.
    fn given(
        &self,
        function: &UserFunction,
        args: &[&Expr],
        keywords: &[Keyword],
    ) -> (Vec<Given>, Vec<Vec<Name>>) {
        let (mut given, mut variables) = (Vec::new(), Vec::new());
        let Some(parameters) = &function.parameters else { return (given, variables) };
        // Which parameter an argument after `*xs` is of is not known.
        let args = args.iter().copied().take_while(|arg| !is_starred(arg));
        let positional = parameters.names.iter().take(parameters.positional);
        let positional = positional.map(String::as_str).zip(args);
        let named =
            keywords.iter().filter_map(|keyword| keyword.name.as_deref().map(|name| (name, &keyword.value)));
        let named = named.filter(|(name, _)| parameters.has(name));
        for (parameter, value) in positional.chain(named) {
            let Some((function, known)) = self.function_value(value, function) else { continue };
            let (inner, outer): (Vec<Name>, Vec<Name>) = known.captured.into_iter().unzip();
            let captured = inner.iter().map(ToString::to_string).collect();
            let (parameter, parameters) = (parameter.to_owned(), known.parameters);
            given.push(Given { parameter, function, parameters, captured });
            variables.push(outer);
        }
        (given, variables)
    }

    /// The function that an expression is, or the object, list or dict; none if it is not known.
    fn function_value(&self, value: &Expr, to: &UserFunction) -> Option<(GivenFunction, UserFunction)> {
        if let Some(nested) = self.functions.nested(value) {
            // What takes defaults from around is called where these are at hand.
            return nested.defaults.is_empty().then(|| (GivenFunction::Key(nested.key), nested.clone()));
        }
        if let Some(path) = self.object_path(value) {
            return Some((GivenFunction::Object(path), UserFunction::default()));
        }
        // What only reads a list of numbers or arrays does not ask whether it is one.
        if let Some(path) = self.container_path(value)
            && (to.may_write || self.resolver.held(&path).contains("object"))
        {
            return Some((GivenFunction::Object(path), UserFunction::default()));
        }
        let path = match &value.kind {
            ExprKind::Name { name, .. } if self.functions.contains(name) => self.functions.outside(name)?,
            _ => dotted(value).filter(|_| root_of(value).is_some_and(|root| !self.is_local(root)))?,
        };
        let function = match self.resolver.named(&path) {
            Callee::Function(function) => function,
            Callee::Primitive { .. } | Callee::NonDifferentiable => UserFunction::default(),
            _ => return None,
        };
        Some((GivenFunction::Named(path), function))
    }

    /// Whether `func` of a call is a method of a value of the function: `x.sum`.
    pub(crate) fn is_method(&self, func: &Expr) -> bool {
        let ExprKind::Attribute { value, .. } = &func.kind else { return false };
        dotted(value).is_none() || root_of(value).is_some_and(|root| self.is_local(root))
    }

    /// Tells of the variables from which the derivative of `expr` comes, of each as often as it is read.
    pub(crate) fn sources(&self, expr: &Expr, found: &mut dyn FnMut(&Name)) {
        match &expr.kind {
            // A function has the derivatives of what it takes from around.
            ExprKind::Name { .. } | ExprKind::Lambda { .. } if self.functions.nested(expr).is_some() => {
                let function = self.functions.nested(expr);
                function.into_iter().for_each(|function| self.taken(function).iter().for_each(&mut *found));
            }
            ExprKind::Name { name, .. } => {
                if self.is_local(name) && !self.functions.contains(name) {
                    found(name);
                }
            }
            ExprKind::Lambda { params, body } => self.closure(params, body, found),
            ExprKind::Named { value, .. }
            | ExprKind::Starred { value, .. }
            | ExprKind::Subscript { value, .. } => self.sources(value, found),
            ExprKind::Attribute { value, attr, .. } => {
                if !FACTS.contains(&&**attr) || self.field(value, attr).is_some() {
                    self.sources(value, found);
                }
            }
            ExprKind::Unary { op, operand } => {
                if !matches!(op, UnaryOp::Not | UnaryOp::Invert) {
                    self.sources(operand, found);
                }
            }
            ExprKind::Binary { left, op, right } => {
                if !is_integral(*op) {
                    self.sources(left, found);
                    self.sources(right, found);
                }
            }
            ExprKind::IfExp { body, orelse, .. } => {
                self.sources(body, found);
                self.sources(orelse, found);
            }
            ExprKind::BoolOp { values, .. }
            | ExprKind::List { elements: values, .. }
            | ExprKind::Tuple { elements: values, .. }
            | ExprKind::Set(values) => values.iter().for_each(|value| self.sources(value, found)),
            ExprKind::Dict(items) => items.iter().for_each(|(_, value)| self.sources(value, found)),
            ExprKind::ListComp { element, generators }
            | ExprKind::SetComp { element, generators }
            | ExprKind::Generator { element, generators } => self.comprehension(element, generators, found),
            ExprKind::DictComp { value, generators, .. } => self.comprehension(value, generators, found),
            ExprKind::Call { func, args, keywords } => {
                match self.called(func, args, keywords) {
                    Callee::NonDifferentiable => return,
                    Callee::Function(function) => self.taken(&function).iter().for_each(&mut *found),
                    _ => {}
                }
                match &func.kind {
                    ExprKind::Attribute { value, .. } => self.sources(value, found),
                    // `f = x.sum; f()`
                    _ => self.sources(func, found),
                }
                let path = dotted(func).unwrap_or_default();
                for (position, arg) in args.iter().enumerate() {
                    // Only its shape: `tangent.unbroadcast(by, x)`.
                    if !self.resolver.reads_form_only(&path, position) {
                        self.sources(arg, found);
                    }
                }
                keywords.iter().for_each(|keyword| self.sources(&keyword.value, found));
            }
            ExprKind::Await(value) | ExprKind::YieldFrom(value) => self.sources(value, found),
            ExprKind::Yield(value) => value.iter().for_each(|value| self.sources(value, found)),
            // `float(f"{x}")`
            ExprKind::FString(text) => {
                for part in &text.parts {
                    if let FStringPart::Interpolation { value, .. } = part {
                        self.sources(value, found);
                    }
                }
            }
            ExprKind::Compare { .. } | ExprKind::Constant { .. } | ExprKind::Slice { .. } => {}
        }
    }

    /// A lambda carries the derivatives of the variables that it reads.
    fn closure(&self, params: &Params, body: &Expr, found: &mut dyn FnMut(&Name)) {
        let own: Vec<&Name> = params.iter().map(|param| &param.name).collect();
        let read = read_in(body);
        read.iter().filter(|name| self.is_local(name) && !own.contains(name)).for_each(found);
    }

    fn comprehension(&self, element: &Expr, generators: &[Comprehension], found: &mut dyn FnMut(&Name)) {
        // The variables of the comprehension may share names with those around; that makes more active.
        self.sources(element, found);
        generators.iter().for_each(|generator| self.sources(&generator.iter, found));
    }
}

/// Operators whose result is a step function, or a whole number. Of dicts, `|` gives a dict.
fn is_integral(op: BinaryOp) -> bool {
    use BinaryOp::{BitAnd, BitXor, FloorDiv, LShift, RShift};
    matches!(op, FloorDiv | LShift | RShift | BitXor | BitAnd)
}
