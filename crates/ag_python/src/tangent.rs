//! Derivatives as source, for Python: the rules, what names stand for, and the generated text.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use ag_errors::Span;
use ag_syntax::tree::{BinaryOp, Name, UnaryOp};
use ag_syntax::{FunctionQuery, LocatedKind, find_function};
use ag_tangent::{
    Callee, Function, Given, GivenFunction, Gives, Level, Motion, Options, Parameters, PatternNames,
    Receiver, Record, Resolver, Rule, SplitNames, UserFunction, WriteKind, Writes, check_rule,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::convert::ParsedModule;

/// Name, qualified name, first line, a position in a lambda, parameters: what finds a code object's source.
type Query = (String, String, u32, Option<(u32, u32, u32, u32)>, Vec<String>);

/// A rule: the quoted function, parsed.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct TangentRule(Arc<Rule>);

#[pymethods]
impl TangentRule {
    /// The rule that a function quotes.
    #[new]
    fn new(
        module: &ParsedModule,
        query: Query,
        is_elementwise: bool,
        is_view: bool,
        has_variants: bool,
        forms: Vec<String>,
    ) -> PyResult<Self> {
        let (name, qualname, first_line, lambda_position, parameters) = query;
        let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let query = FunctionQuery {
            name: &name,
            qualname: &qualname,
            first_line,
            lambda_position,
            parameters: &parameters,
        };
        let located = find_function(module.module(), module.text(), &query)
            .map_err(|error| module.refusal(&error.to_diagnostic()))?;
        match located.kind {
            LocatedKind::Def { def, .. } => {
                check_rule(def).map_err(|diagnostic| module.refusal(&diagnostic))?;
                let forms = forms.into_iter().map(Name::from).collect();
                Ok(Self(Arc::new(Rule {
                    template: def.clone(),
                    is_elementwise,
                    is_view,
                    has_variants,
                    forms,
                })))
            }
            LocatedKind::Lambda { .. } => Err(PyTypeError::new_err("a rule is a function, not a lambda")),
        }
    }

    /// The number of the rule, which is the same for the same rule.
    #[getter]
    fn identity(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

/// Asks Python what names stand for.
struct PythonResolver<'py> {
    object: Bound<'py, PyAny>,
    /// The first exception that Python raised.
    error: RefCell<Option<PyErr>>,
    /// What Python has answered.
    known: RefCell<HashMap<&'static str, HashMap<String, Callee>>>,
    forms: RefCell<HashMap<(String, usize), bool>>,
    writes: RefCell<HashMap<usize, Writes>>,
    held: RefCell<HashMap<String, String>>,
}

impl PythonResolver<'_> {
    fn ask(&self, method: &'static str, argument: &str) -> Callee {
        if let Some(known) = self.known.borrow().get(method).and_then(|known| known.get(argument)) {
            return known.clone();
        }
        let answer = self.object.call_method1(method, (argument,)).and_then(|answer| callee(&answer));
        let answer = answer.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            Callee::Other("unknown".to_owned())
        });
        self.known.borrow_mut().entry(method).or_default().insert(argument.to_owned(), answer.clone());
        answer
    }

    fn reason(&self, method: &str, name: &str) -> Option<String> {
        let answer = self.object.call_method1(method, (name,)).and_then(|answer| answer.extract());
        answer.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            None
        })
    }

    fn names(&self, method: &str, function: &UserFunction, active: &[Name]) -> (String, String) {
        let active: Vec<String> = active.iter().map(ToString::to_string).collect();
        let answer =
            self.object.call_method1(method, (function.key, active)).and_then(|answer| answer.extract());
        answer.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            (function.name.clone(), function.name.clone())
        })
    }
}

impl Resolver for PythonResolver<'_> {
    fn named(&self, dotted: &str) -> Callee {
        self.ask("named", dotted)
    }

    fn binary(&self, op: BinaryOp) -> Callee {
        self.ask("operator", binary_name(op))
    }

    fn unary(&self, op: UnaryOp) -> Callee {
        self.ask("operator", unary_name(op))
    }

    fn member(&self, name: &str) -> Callee {
        self.ask("member", name)
    }

    fn variant(&self, rule: &Arc<Rule>, literals: &[(Name, String)]) -> Option<Arc<Rule>> {
        let literals: Vec<(String, String)> =
            literals.iter().map(|(name, text)| (name.to_string(), text.clone())).collect();
        let given = TangentRule(Arc::clone(rule));
        let answer =
            self.object.call_method1("variant", (given, literals)).and_then(|answer| self::rule(&answer));
        answer.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            None
        })
    }

    fn reads_form_only(&self, dotted: &str, position: usize) -> bool {
        let key = (dotted.to_owned(), position);
        if let Some(known) = self.forms.borrow().get(&key) {
            return *known;
        }
        let answer = self.object.call_method1("reads_form_only", (dotted, position));
        let answer = answer.and_then(|answer| answer.extract()).unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            false
        });
        self.forms.borrow_mut().insert(key, answer);
        answer
    }

    fn attribute(&self, path: &str, name: &str) -> Callee {
        self.ask("attribute", &format!("{path}.{name}"))
    }

    fn class_name(&self, path: &str) -> String {
        let answer = self.object.call_method1("class_name", (path,)).and_then(|answer| answer.extract());
        answer.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            String::new()
        })
    }

    fn behind(&self, class: &str, path: &str, name: &str) -> Option<String> {
        self.reason("behind", &format!("{class} {path} {name}"))
    }

    fn held(&self, path: &str) -> String {
        if let Some(known) = self.held.borrow().get(path) {
            return known.clone();
        }
        let answer = self.object.call_method1("held", (path,)).and_then(|answer| answer.extract());
        let answer: String = answer.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            String::new()
        });
        self.held.borrow_mut().insert(path.to_owned(), answer.clone());
        answer
    }

    fn view_of(&self, function: &UserFunction) -> Option<(Vec<String>, String)> {
        let answer = self.object.call_method1("view_of", (function.key,));
        answer.and_then(|answer| answer.extract()).unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            None
        })
    }

    fn pattern_names(&self, dotted: &str) -> Option<PatternNames> {
        let answer = self.object.call_method1("pattern_names", (dotted,)).and_then(|answer| answer.extract());
        let names: Option<(Vec<String>, Vec<String>)> = answer.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            None
        });
        names.map(|(positional, all)| PatternNames { positional, all })
    }

    fn nested(&self, level: usize, name: &str, span: Span, line: u32) -> UserFunction {
        let answer = self.object.call_method1("nested", (level, name, (span.start, span.end), line));
        answer.and_then(|answer| user_function(&answer)).unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            UserFunction { name: name.to_owned(), ..UserFunction::default() }
        })
    }

    fn specialised(
        &self,
        function: &UserFunction,
        given: &[Given],
    ) -> Option<(UserFunction, Vec<Vec<String>>)> {
        let given: Vec<_> = given
            .iter()
            .map(|one| {
                let (key, path, is_object) = match &one.function {
                    GivenFunction::Key(key) => (Some(*key), "", false),
                    GivenFunction::Named(path) => (None, path.as_str(), false),
                    GivenFunction::Object(path) => (None, path.as_str(), true),
                };
                let parameters = one.parameters.clone().map(to_python);
                (one.parameter.clone(), key, path, is_object, parameters, one.captured.clone())
            })
            .collect();
        let answer = self.object.call_method1("specialised", (function.key, given)).and_then(|answer| {
            if answer.is_none() {
                return Ok(None);
            }
            Ok(Some((user_function(&answer.get_item(0)?)?, answer.get_item(1)?.extract()?)))
        });
        answer.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            None
        })
    }

    fn changes_when_repeated(&self, dotted: &str) -> Option<String> {
        self.reason("changes_when_repeated", dotted)
    }

    fn iterates(&self, dotted: &str) -> bool {
        let answer = self.object.call_method1("iterates", (dotted,)).and_then(|answer| answer.extract());
        answer.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            false
        })
    }

    fn method_changes_when_repeated(&self, name: &str) -> Option<String> {
        self.reason("method_changes_when_repeated", name)
    }

    fn split_names(&self, function: &UserFunction, active: &[Name]) -> SplitNames {
        let (forward, backward) = self.names("split_names", function, active);
        SplitNames { forward, backward }
    }

    fn writes(&self, function: &UserFunction) -> Writes {
        if let Some(known) = self.writes.borrow().get(&function.key) {
            return known.clone();
        }
        let answer = self.object.call_method1("writes", (function.key,)).and_then(|answer| answer.extract());
        let answer = answer.map(writes).unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            Writes::default()
        });
        self.writes.borrow_mut().insert(function.key, answer.clone());
        answer
    }

    fn tangent_name(&self, function: &UserFunction, active: &[Name]) -> String {
        self.names("tangent_names", function, active).0
    }
}

/// What Python answers: ("rule", adjoint, tangent), ("constant",), ("function", key, name, parameters),
/// ("grad_of",), ("checkpoint",), ("add_at",) or ("other", words).
fn callee(answer: &Bound<'_, PyAny>) -> PyResult<Callee> {
    let kind: String = answer.get_item(0)?.extract()?;
    Ok(match kind.as_str() {
        "rule" => {
            Callee::Primitive { adjoint: rule(&answer.get_item(1)?)?, tangent: rule(&answer.get_item(2)?)? }
        }
        "constant" => Callee::NonDifferentiable,
        "function" => Callee::Function(user_function(answer)?),
        "field" => Callee::Field,
        "item" => Callee::Item(answer.get_item(1)?.extract()?),
        "record" => Callee::Record(Arc::new(Record {
            parameters: parameters(answer.get_item(1)?.extract()?),
            is_tuple: answer.get_item(2)?.extract()?,
        })),
        "replace" => Callee::Replace,
        "map" => Callee::Map,
        "partial" => Callee::Partial,
        "grad_of" => Callee::GradOf,
        "checkpoint" => Callee::Checkpoint,
        "add_at" => Callee::AddAt,
        _ => Callee::Other(answer.get_item(1)?.extract()?),
    })
}

/// Names, number of positional ones, those with defaults and these, `args`, `kwargs`: `Parameters` of `instances.py`.
type PythonParameters = (Vec<String>, usize, Vec<(String, Option<String>)>, Option<String>, Option<String>);

fn parameters((names, positional, optional, vararg, kwarg): PythonParameters) -> Parameters {
    Parameters { names, positional, optional, vararg, kwarg }
}

fn to_python(of: Parameters) -> PythonParameters {
    (of.names, of.positional, of.optional, of.vararg, of.kwarg)
}

/// What Python answers: ("function", key, name, parameters, whether it may write, what it takes from around, what its
/// first argument is, how often it is a pass, whether of what makes an object).
fn user_function(answer: &Bound<'_, PyAny>) -> PyResult<UserFunction> {
    let captured: Vec<(String, String)> = answer.get_item(5)?.extract()?;
    let receiver: String = answer.get_item(6)?.extract()?;
    Ok(UserFunction {
        key: answer.get_item(1)?.extract()?,
        name: answer.get_item(2)?.extract()?,
        parameters: answer.get_item(3)?.extract::<Option<PythonParameters>>()?.map(parameters),
        may_write: answer.get_item(4)?.extract()?,
        captured: captured.into_iter().map(|(inner, outer)| (inner.into(), outer.into())).collect(),
        defaults: Vec::new(),
        receiver: match receiver.as_str() {
            "object" => Receiver::Object,
            "property" => Receiver::Property,
            "itself" | "class" => Receiver::Itself,
            _ => Receiver::None,
        },
        makes_object: receiver == "class",
        passes: answer.get_item(7)?.extract()?,
        is_maker: answer.get_item(8)?.extract()?,
    })
}

fn rule(answer: &Bound<'_, PyAny>) -> PyResult<Option<Arc<Rule>>> {
    let rule: Option<PyRef<'_, TangentRule>> = answer.extract()?;
    Ok(rule.map(|rule| Arc::clone(&rule.0)))
}

/// The functions of `operator`.
fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mult => "mul",
        BinaryOp::MatMult => "matmul",
        BinaryOp::Div => "truediv",
        BinaryOp::Mod => "mod",
        BinaryOp::Pow => "pow",
        BinaryOp::LShift => "lshift",
        BinaryOp::RShift => "rshift",
        BinaryOp::BitOr => "or_",
        BinaryOp::BitXor => "xor",
        BinaryOp::BitAnd => "and_",
        BinaryOp::FloorDiv => "floordiv",
    }
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Invert => "invert",
        UnaryOp::Not => "not_",
        UnaryOp::UAdd => "pos",
        UnaryOp::USub => "neg",
    }
}

/// How a derivative is to be: `wrt`, the name of the function or of its two halves, and the options.
#[derive(FromPyObject)]
pub(crate) struct DerivativeOptions {
    wrt: Vec<String>,
    names: Vec<String>,
    preserve_result: bool,
    value_first: bool,
    check_dims: bool,
    optimized: bool,
    has_default_seed: bool,
    is_seed_fixed: bool,
    is_callee: bool,
    is_again: bool,
    may_write: bool,
    is_forward: bool,
    writes: Option<PythonWrites>,
    levels: Vec<DefinitionLevel>,
}

/// The parameters that a function writes to, and how: `"+"`, `"[]"`, `"append"`, `"."`, `".."` and
/// `"..[]"` for items, items of what it holds, and arrays there, `"?"`; what it returns: `""` for nothing, `"="` for a value, or a parameter; the parameters that this may show.
type PythonWrites = (Vec<(String, String)>, String, Vec<String>);

fn writes((parameters, gives, shown): PythonWrites) -> Writes {
    let kind = |text: &str| match text {
        "+" => WriteKind::Augmented,
        "[]" => WriteKind::Array,
        "append" => WriteKind::List,
        "." => WriteKind::Items,
        ".." => WriteKind::Parts,
        "..[]" => WriteKind::Inside,
        _ => WriteKind::Other,
    };
    let gives = match gives.as_str() {
        "" => Gives::Nothing,
        "=" => Gives::Value,
        name => Gives::Parameter(name.into()),
    };
    let parameters = parameters.into_iter().map(|(name, text)| (name.into(), kind(&text))).collect();
    Writes { parameters, gives, shown: shown.into_iter().map(Name::from).collect() }
}

fn writes_to_python(of: Writes) -> PythonWrites {
    let text = |kind| match kind {
        WriteKind::Augmented => "+",
        WriteKind::Array => "[]",
        WriteKind::List => "append",
        WriteKind::Items => ".",
        WriteKind::Parts => "..",
        WriteKind::Inside => "..[]",
        WriteKind::Other => "?",
    };
    let gives = match of.gives {
        Gives::Nothing => String::new(),
        Gives::Value => "=".to_owned(),
        Gives::Parameter(name) => name.to_string(),
    };
    let parameters = of.parameters.into_iter();
    let parameters = parameters.map(|(name, kind)| (name.to_string(), text(kind).to_owned())).collect();
    (parameters, gives, of.shown.iter().map(ToString::to_string).collect())
}

/// A definition on the way to the one that is differentiated.
#[derive(FromPyObject)]
struct DefinitionLevel {
    span: Option<(u32, u32)>,
    given: Vec<String>,
    objects: Vec<String>,
    containers: Vec<String>,
    is_constructor: bool,
    extra: Vec<String>,
}

/// A generated function: name, text, the lines of the user's file, the line with which the backward pass begins, and
/// of each derivative in it the user's line, the operation and the variables that it reads; the variables that are
/// objects of known classes.
type Written = (String, String, Vec<u32>, u32, Vec<(u32, String, Vec<String>)>, Vec<(String, String)>);

/// Asks the generator about a function.
fn with_generator<T>(
    module: &ParsedModule,
    query: Query,
    resolver: Bound<'_, PyAny>,
    options: DerivativeOptions,
    ask: impl FnOnce(&Function<'_>, &dyn Resolver, &Options, bool) -> T,
) -> PyResult<T> {
    let (name, qualname, first_line, lambda_position, parameters) = query;
    let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
    let query = FunctionQuery {
        name: &name,
        qualname: &qualname,
        first_line,
        lambda_position,
        parameters: &parameters,
    };
    let located = find_function(module.module(), module.text(), &query)
        .map_err(|error| module.refusal(&error.to_diagnostic()))?;
    let function = Function { module: module.module(), source: module.text(), located };
    let is_forward = options.is_forward;
    let options = generator_options(options);
    let resolver = PythonResolver {
        object: resolver,
        error: RefCell::default(),
        known: RefCell::default(),
        forms: RefCell::default(),
        writes: RefCell::default(),
        held: RefCell::default(),
    };
    let found = ask(&function, &resolver, &options, is_forward);
    resolver.error.into_inner().map_or(Ok(found), Err)
}

fn generator_options(options: DerivativeOptions) -> Options {
    let mut names = options.names.into_iter();
    let motion = match (names.next(), names.next()) {
        (Some(forward), Some(backward)) => Motion::Split(forward, backward),
        (name, _) => Motion::Joint(name.unwrap_or_default()),
    };
    Options {
        wrt: options.wrt,
        motion,
        preserve_result: options.preserve_result,
        value_first: options.value_first,
        check_dims: options.check_dims,
        optimized: options.optimized,
        has_default_seed: options.has_default_seed,
        is_seed_fixed: options.is_seed_fixed,
        is_callee: options.is_callee,
        is_again: options.is_again,
        may_write: options.may_write,
        writes: options.writes.map(writes),
        looks_for_writes: false,
        levels: options
            .levels
            .into_iter()
            .map(|level| Level {
                span: level.span.map(|(start, end)| Span::new(start, end)),
                given: level.given,
                objects: level.objects,
                containers: level.containers,
                is_constructor: level.is_constructor,
                extra: level.extra,
            })
            .collect(),
    }
}

/// The functions of the derivative of a function.
#[pyfunction]
pub(crate) fn tangent_derivative(
    module: &ParsedModule,
    query: Query,
    resolver: Bound<'_, PyAny>,
    options: DerivativeOptions,
) -> PyResult<Vec<Written>> {
    let generated =
        with_generator(module, query, resolver, options, |function, resolver, options, is_forward| {
            let write = if is_forward { ag_tangent::forward } else { ag_tangent::reverse };
            write(function, resolver, options)
        })?;
    let generated = generated.map_err(|diagnostic| module.refusal(&diagnostic))?;
    Ok(generated
        .into_iter()
        .map(|one| {
            let derivatives =
                one.derivatives.into_iter().map(|it| (it.line, it.operation, it.reads)).collect();
            (one.name, one.text, one.lines, one.backward, derivatives, one.objects)
        })
        .collect())
}

/// What a function does to its arguments.
#[pyfunction]
pub(crate) fn tangent_writes(
    module: &ParsedModule,
    query: Query,
    resolver: Bound<'_, PyAny>,
    options: DerivativeOptions,
) -> PyResult<PythonWrites> {
    let found = with_generator(module, query, resolver, options, |function, resolver, options, _| {
        ag_tangent::writes(function, resolver, options)
    })?;
    Ok(writes_to_python(found))
}
