//! What a call calls: found by the object that a name stands for, never by the name itself.

use std::sync::Arc;

use ag_errors::Span;
use ag_syntax::tree::{BinaryOp, Expr, ExprKind, FunctionDef, Name, Param, Params, UnaryOp};

use crate::each::each_expr;
use crate::flatten::is_literal;
use crate::written_arguments::Writes;

/// A rule of the paper's notation (§3, Listing 5): the quoted function, which is never run.
///
/// ```python
/// def multiply(z, x1, x2):
///     d[x1] = d[z] * x2
///     d[x2] = d[z] * x1
/// ```
#[derive(Debug)]
pub struct Rule {
    /// The quoted function: its first parameter is the result, the others are the operands.
    pub template: FunctionDef,
    /// Whether the result has the broadcast shape of its operands.
    pub is_elementwise: bool,
    /// Whether the result may be a view of an operand.
    pub is_view: bool,
    /// The parameters of which the function reads the class, shape and dtype only: they have no derivative.
    pub forms: Vec<Name>,
    /// Whether other rules hold for calls whose arguments are literals, or have known ranks.
    pub has_variants: bool,
}

impl Rule {
    /// Whether the rule reads the result of the call, and not its derivative alone.
    pub(crate) fn reads_result(&self) -> bool {
        let Some(first) = self.template.params.iter().next() else { return false };
        let mut is_read = false;
        each_expr(&self.template.body, &mut |expr| {
            let is_derivative = matches!(&expr.kind, ExprKind::Subscript { value, .. }
                if matches!(&value.kind, ExprKind::Name { name, .. } if &**name == "d"));
            is_read |= matches!(&expr.kind, ExprKind::Name { name, .. } if *name == first.name);
            !is_derivative
        });
        is_read
    }
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function with rules: for reverse and for forward mode, where it has them.
    Primitive {
        /// The rule for adjoints.
        adjoint: Option<Arc<Rule>>,
        /// The rule for tangents.
        tangent: Option<Arc<Rule>>,
    },
    /// A function whose result carries no derivative.
    NonDifferentiable,
    /// A function of the user's, which is differentiated too.
    Function(UserFunction),
    /// `tangent.grad_of` (paper, §2.2).
    GradOf,
    /// `tangent.checkpoint`, of the range of a loop.
    Checkpoint,
    /// `tangent.add_at` or `tangent.add_item`, a statement of generated code.
    AddAt,
    /// A class whose objects are what they are given.
    Record(Arc<Record>),
    /// `dataclasses.replace`.
    Replace,
    /// `map`.
    Map,
    /// `functools.partial`.
    Partial,
    /// A field of a named tuple, by its place.
    Item(usize),
    /// Something else, in words: "a class".
    Other(String),
    /// An attribute of an object that is no method of its class.
    Field,
    /// A function of the user's that is given a function which differs in each call, and so on without an end.
    Endless(String),
}

/// A frozen dataclass, or a named tuple.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its fields, as parameters.
    pub parameters: Parameters,
    /// Whether it is a tuple.
    pub is_tuple: bool,
}

/// A function of the user's.
#[derive(Clone, Debug, Default)]
pub struct UserFunction {
    /// Which one it is.
    pub key: usize,
    /// Its name.
    pub name: String,
    /// Its parameters, where they are known.
    pub parameters: Option<Parameters>,
    /// Whether it may write to its arguments.
    pub may_write: bool,
    /// The parameters that stand for variables of the function around, last of all, and these variables.
    pub captured: Vec<(Name, Name)>,
    /// Parameters whose defaults are computed where it is defined, and the variables that keep them.
    pub defaults: Vec<(Name, Name)>,
    /// What its first argument is, if that is no argument of the call.
    pub receiver: Receiver,
    /// Whether it makes an object, which holds what it is given.
    pub makes_object: bool,
    /// How often it is a generated function that gives two values, where writes to the first are nothing to the
    /// second: of one that is made of such a one, the first has two again.
    pub passes: u32,
    /// Whether it is a generated function whose first value is a new object, which holds what it is given.
    pub is_maker: bool,
}

/// The parameters of a function of the user's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// All of them, positional ones first; `*args` and `**kwargs` without their stars.
    pub names: Vec<String>,
    /// How many are positional.
    pub positional: usize,
    /// Those with a default, and its text where that is a literal.
    pub optional: Vec<(String, Option<String>)>,
    /// `args` of `*args`.
    pub vararg: Option<String>,
    /// `kwargs` of `**kwargs`.
    pub kwarg: Option<String>,
}

impl Parameters {
    /// Those of a definition.
    pub(crate) fn of(params: &Params) -> Self {
        let name = |param: &Param| param.name.to_string();
        let positional = || params.positional_only.iter().chain(&params.positional);
        let ordinary = || positional().chain(&params.keyword_only);
        let optional = |param: &Param| {
            let text = |default: &Expr| is_literal(default).then(|| ag_syntax::unparse_expr(default));
            param.default.as_ref().map(|default| (name(param), text(default)))
        };
        Self {
            names: ordinary().chain(&params.vararg).chain(&params.kwarg).map(name).collect(),
            positional: positional().count(),
            optional: ordinary().filter_map(optional).collect(),
            vararg: params.vararg.as_ref().map(name),
            kwarg: params.kwarg.as_ref().map(name),
        }
    }

    /// The text of a default, if there is one, which may be no literal.
    pub(crate) fn default_of(&self, name: &str) -> Option<Option<&str>> {
        let found = self.optional.iter().find(|(one, _)| one == name)?;
        Some(found.1.as_deref())
    }

    /// Whether a keyword names one: all but `*args` and `**kwargs`.
    pub(crate) fn has(&self, name: &str) -> bool {
        let is = |star: &Option<String>| star.as_deref() == Some(name);
        self.names.iter().any(|one| one == name) && !is(&self.vararg) && !is(&self.kwarg)
    }
}

/// The first argument of a method, in `object.method(x)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Receiver {
    /// It is no method.
    #[default]
    None,
    /// `object`, whose method it is.
    Object,
    /// What is called: `object(x)`, or a class.
    Itself,
    /// `object`, of which it is a property: `object.area`.
    Property,
}

/// A definition on the way to the one that is differentiated.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// Its place, if it is in another function.
    pub span: Option<Span>,
    /// The parameters for which its callers give functions that are known.
    pub given: Vec<String>,
    /// The parameters that are objects of known classes.
    pub objects: Vec<String>,
    /// Those that are lists and dicts.
    pub containers: Vec<String>,
    /// Whether it is the `__init__` of a class, which makes an object.
    pub is_constructor: bool,
    /// More parameters: the variables that these functions take from around.
    pub extra: Vec<String>,
}

/// A function that is given to a call.
#[derive(Clone, Debug)]
pub struct Given {
    /// The parameter.
    pub parameter: String,
    /// Which one it is.
    pub function: GivenFunction,
    /// Its parameters, where they are known.
    pub parameters: Option<Parameters>,
    /// Those of them that stand for variables around.
    pub captured: Vec<String>,
}

/// Which function is given.
#[derive(Clone, Debug)]
pub enum GivenFunction {
    /// That of a [`UserFunction`] with this key.
    Key(usize),
    /// What a dotted name stands for.
    Named(String),
    /// An object of a known class, as in [`Resolver::attribute`].
    Object(String),
}

impl UserFunction {
    /// The variables of the function around that it takes.
    pub(crate) fn taken(&self) -> impl Iterator<Item = Name> {
        self.captured.iter().chain(&self.defaults).map(|(_, variable)| variable.clone())
    }

    /// What a derivative in forward mode calls the tangent of a parameter: `dx`, or `dx_1` where that is another
    /// parameter, or the tangent of one.
    pub(crate) fn tangent_of(parameter: &str, parameters: &[String]) -> Name {
        let mut taken = parameters.to_vec();
        for one in parameters {
            let mut wish = format!("d{one}");
            let mut number = 0;
            while taken.contains(&wish) {
                number += 1;
                wish = format!("d{one}_{number}");
            }
            if one == parameter {
                return wish.into();
            }
            taken.push(wish);
        }
        format!("d{parameter}").into()
    }
}

/// What class patterns may ask of the objects of a class.
#[derive(Clone, Debug, Default)]
pub struct PatternNames {
    /// What their positional parts are; an empty name stands for the object itself, as in `float(x)`.
    pub positional: Vec<String>,
    /// The attributes that all objects have.
    pub all: Vec<String>,
}

/// The names of the two halves of a derivative in split motion.
#[derive(Clone, Debug)]
pub struct SplitNames {
    /// The forward pass: gives the result, and what the backward pass reads.
    pub forward: String,
    /// The backward pass: takes that and the adjoint of the result.
    pub backward: String,
}

/// Finds the objects that names stand for.
pub trait Resolver {
    /// What a dotted name from outside of the function stands for: `np.sum`, `layer`.
    fn named(&self, dotted: &str) -> Callee;
    /// A binary operator.
    fn binary(&self, op: BinaryOp) -> Callee;
    /// A unary operator.
    fn unary(&self, op: UnaryOp) -> Callee;
    /// A method or attribute of arrays: `sum` of `x.sum()`.
    fn member(&self, name: &str) -> Callee;
    /// The rule for a call with these literals among its arguments, by parameter: `x ** 2` has a rule of its own.
    fn variant(&self, rule: &Arc<Rule>, literals: &[(Name, String)]) -> Option<Arc<Rule>>;
    /// Whether a function reads of an argument the class, shape and dtype only.
    fn reads_form_only(&self, dotted: &str, position: usize) -> bool;
    /// An attribute of an object: `path` names its class, or a parameter that is one of [`Level::objects`], and then
    /// attributes.
    fn attribute(&self, path: &str, name: &str) -> Callee;
    /// The name of an object's class, as the text of the function may have it.
    fn class_name(&self, path: &str) -> String;
    /// What `super().name` finds behind a class in a method of an object: its manner, which is `method`, `property`,
    /// `value`, or `nothing` for a method that takes nothing and does nothing, and a dotted name for it.
    fn behind(&self, class: &str, path: &str, name: &str) -> Option<String>;
    /// What a path stands for (`object_paths.rs`): `object:…`, `list:…` or `dict:…`, the same for the same; empty if that
    /// is not known.
    fn held(&self, path: &str) -> String;
    /// The parameters of a function that returns a part of one of these and does nothing else, and the text of that.
    fn view_of(&self, function: &UserFunction) -> Option<(Vec<String>, String)>;
    /// What a class pattern may ask of objects of a class that is not of the function; none if that is not known.
    fn pattern_names(&self, dotted: &str) -> Option<PatternNames>;
    /// A function that is defined in another, at this line: `level` counts the definitions around.
    fn nested(&self, level: usize, name: &str, span: Span, line: u32) -> UserFunction;
    /// A function for some of whose parameters functions are given; for each of these the names of the parameters that
    /// it has got for what they take from around.
    ///
    /// None if functions are given to functions without an end.
    fn specialised(
        &self,
        function: &UserFunction,
        given: &[Given],
    ) -> Option<(UserFunction, Vec<Vec<String>>)>;
    /// Why a call of what a dotted name stands for may do something else when it runs again, in words; none if it
    /// does the same.
    fn changes_when_repeated(&self, dotted: &str) -> Option<String>;
    /// Whether a call of what a dotted name stands for may iterate over an argument.
    fn iterates(&self, dotted: &str) -> bool;
    /// Why a call of a method of this name may do something else, where only that is known.
    fn method_changes_when_repeated(&self, name: &str) -> Option<String>;
    /// The names of the halves of a function's derivative in some of its parameters.
    fn split_names(&self, function: &UserFunction, active: &[Name]) -> SplitNames;
    /// What a function does to its arguments.
    fn writes(&self, function: &UserFunction) -> Writes;
    /// The name of a function's derivative in forward mode.
    fn tangent_name(&self, function: &UserFunction, active: &[Name]) -> String;
}
