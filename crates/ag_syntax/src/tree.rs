//! The tree: Python's statements and expressions as the passes see them.
//!
//! It follows CPython's `ast` in names and shape, so that the documentation of `ast` serves for both. There
//! are three differences: every node has an id, by which analyses store facts, and a span in the user's
//! source; and literals keep their source text, so that nothing is lost when they are written back. An `elif`
//! is an `If` in the `orelse` of another, as in `ast`.

use std::sync::Arc;

use ag_errors::Span;

pub use crate::name::{Name, NameMap, NameSet, TextHasher};

/// Number of a node in its tree. Passes that make nodes draw new ids from [`NodeIds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Generates fresh node ids.
#[derive(Clone, Debug, Default)]
pub struct NodeIds {
    pub(crate) next: u32,
}

impl NodeIds {
    /// An id that no other node of this tree has.
    pub fn fresh(&mut self) -> NodeId {
        let id = NodeId(self.next);
        self.next += 1;
        id
    }

    /// The number of ids generated; every id is below this.
    #[must_use]
    pub fn count(&self) -> usize {
        self.next as usize
    }
}

/// A parsed file.
#[derive(Clone, Debug)]
pub struct Module {
    /// The statements.
    pub body: Vec<Stmt>,
    /// The ids generated so far.
    pub ids: NodeIds,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its id.
    pub id: NodeId,
    /// Its place in the user's source; a decorated definition starts at its first decorator.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// The kinds of statement, named as in `ast`.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are those of `ast`, shown by the Python above each kind")]
pub enum StmtKind {
    /// `def` and `async def`.
    FunctionDef(Box<FunctionDef>),
    /// `class`.
    ClassDef(Box<ClassDef>),
    /// `return value`.
    Return(Option<Expr>),
    /// `del targets`.
    Delete(Vec<Expr>),
    /// `targets = value`, several targets for `a = b = value`.
    Assign { targets: Vec<Expr>, value: Expr },
    /// `target op= value`.
    AugAssign { target: Box<Expr>, op: BinaryOp, value: Expr },
    /// `target: annotation = value`. `simple` is false for `(x): int`.
    AnnAssign { target: Box<Expr>, annotation: Box<Expr>, value: Option<Expr>, simple: bool },
    /// `type name[type_params] = value`.
    TypeAlias { name: Expr, type_params: Vec<TypeParam>, value: Box<Expr> },
    /// `for target in iter: body else: orelse`.
    For { target: Box<Expr>, iter: Expr, body: Vec<Stmt>, orelse: Vec<Stmt>, is_async: bool },
    /// `while test: body else: orelse`.
    While { test: Expr, body: Vec<Stmt>, orelse: Vec<Stmt> },
    /// `if test: body else: orelse`.
    If { test: Expr, body: Vec<Stmt>, orelse: Vec<Stmt> },
    /// `with items: body`.
    With { items: Vec<WithItem>, body: Vec<Stmt>, is_async: bool },
    /// `match subject: cases`.
    Match { subject: Expr, cases: Vec<MatchCase> },
    /// `raise exc from cause`.
    Raise { exc: Option<Expr>, cause: Option<Expr> },
    /// `try` with its clauses; `is_star` for `except*`.
    Try {
        body: Vec<Stmt>,
        handlers: Vec<ExceptHandler>,
        orelse: Vec<Stmt>,
        finalbody: Vec<Stmt>,
        is_star: bool,
    },
    /// `assert test, msg`.
    Assert { test: Expr, msg: Option<Expr> },
    /// `import names`.
    Import(Vec<Alias>),
    /// `from module import names`, `level` dots.
    ImportFrom { module: Option<Name>, names: Vec<Alias>, level: u32 },
    /// `global names`.
    Global(Vec<Name>),
    /// `nonlocal names`.
    Nonlocal(Vec<Name>),
    /// An expression as a statement.
    Expr(Expr),
    /// `pass`.
    Pass,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
}

/// `def name(params): body`.
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// The name.
    pub name: Name,
    /// The place of the name.
    pub name_span: Span,
    /// Decorators, outermost first.
    pub decorators: Vec<Expr>,
    /// `def f[T]`.
    pub type_params: Vec<TypeParam>,
    /// The parameters.
    pub params: Params,
    /// `-> returns`.
    pub returns: Option<Expr>,
    /// The body.
    pub body: Vec<Stmt>,
    /// Whether it is `async def`.
    pub is_async: bool,
}

/// `class name(bases, keywords): body`.
#[derive(Clone, Debug)]
pub struct ClassDef {
    /// The name.
    pub name: Name,
    /// Decorators, outermost first.
    pub decorators: Vec<Expr>,
    /// `class C[T]`.
    pub type_params: Vec<TypeParam>,
    /// Bases, starred ones included.
    pub bases: Vec<Expr>,
    /// Keyword arguments such as `metaclass=`.
    pub keywords: Vec<Keyword>,
    /// The body.
    pub body: Vec<Stmt>,
}

/// The parameters of a function or lambda.
#[derive(Clone, Debug, Default)]
pub struct Params {
    /// Before `/`.
    pub positional_only: Vec<Param>,
    /// Ordinary ones.
    pub positional: Vec<Param>,
    /// `*args`.
    pub vararg: Option<Param>,
    /// After `*`.
    pub keyword_only: Vec<Param>,
    /// `**kwargs`.
    pub kwarg: Option<Param>,
}

impl Params {
    /// Whether there are no parameters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// All parameters in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &Param> {
        let Self { positional_only, positional, vararg, keyword_only, kwarg } = self;
        positional_only.iter().chain(positional).chain(vararg).chain(keyword_only).chain(kwarg)
    }
}

/// One parameter. `vararg` and `kwarg` never have a default.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its id.
    pub id: NodeId,
    /// Its place.
    pub span: Span,
    /// The name.
    pub name: Name,
    /// `: annotation`.
    pub annotation: Option<Expr>,
    /// `= default`.
    pub default: Option<Expr>,
}

/// One of `[T: bound = default, *Ts, **P]`.
#[derive(Clone, Debug)]
pub struct TypeParam {
    /// Its place.
    pub span: Span,
    /// The name.
    pub name: Name,
    /// Which of the three.
    pub kind: TypeParamKind,
    /// `: bound`, for a plain type variable.
    pub bound: Option<Expr>,
    /// `= default` (3.13).
    pub default: Option<Expr>,
}

/// The kinds of type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeParamKind {
    /// `T`.
    TypeVar,
    /// `*Ts`.
    TypeVarTuple,
    /// `**P`.
    ParamSpec,
}

/// `context as target`.
#[derive(Clone, Debug)]
pub struct WithItem {
    /// The context expression.
    pub context: Expr,
    /// The target that it is bound to.
    pub target: Option<Expr>,
}

/// `except kind as name: body`.
#[derive(Clone, Debug)]
pub struct ExceptHandler {
    /// Its place.
    pub span: Span,
    /// The classes caught.
    pub kind: Option<Expr>,
    /// The name bound.
    pub name: Option<Name>,
    /// The body.
    pub body: Vec<Stmt>,
}

/// `name as asname` of an import.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Dotted name.
    pub name: Name,
    /// The name bound, if given.
    pub asname: Option<Name>,
}

/// `case pattern if guard: body`.
#[derive(Clone, Debug)]
pub struct MatchCase {
    /// Its place.
    pub span: Span,
    /// The pattern.
    pub pattern: Pattern,
    /// `if guard`.
    pub guard: Option<Expr>,
    /// The body.
    pub body: Vec<Stmt>,
}

/// A pattern of `match`.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: PatternKind,
}

/// The kinds of pattern, named as in `ast`.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are those of `ast`, shown by the Python above each kind")]
pub enum PatternKind {
    /// A value compared with `==`.
    Value(Expr),
    /// `None`, `True` or `False`.
    Singleton(Expr),
    /// `[a, *rest]`.
    Sequence(Vec<Pattern>),
    /// `{key: pattern, **rest}`.
    Mapping { keys: Vec<Expr>, patterns: Vec<Pattern>, rest: Option<Name> },
    /// `Class(a, b, name=c)`.
    Class { class: Expr, patterns: Vec<Pattern>, keywords: Vec<(Name, Pattern)> },
    /// `*rest`, or `*_` for none.
    Star(Option<Name>),
    /// `pattern as name`, `name`, or `_` when both are none.
    As { pattern: Option<Box<Pattern>>, name: Option<Name> },
    /// `a | b`.
    Or(Vec<Pattern>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its id.
    pub id: NodeId,
    /// Its place in the user's source, parentheses around it not included.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// The kinds of expression, named as in `ast`.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are those of `ast`, shown by the Python above each kind")]
pub enum ExprKind {
    /// `a and b and c`.
    BoolOp { op: BoolOp, values: Vec<Expr> },
    /// `target := value`.
    Named { target: Box<Expr>, value: Box<Expr> },
    /// `left op right`.
    Binary { left: Box<Expr>, op: BinaryOp, right: Box<Expr> },
    /// `op operand`.
    Unary { op: UnaryOp, operand: Box<Expr> },
    /// `lambda params: body`.
    Lambda { params: Box<Params>, body: Box<Expr> },
    /// `body if test else orelse`.
    IfExp { test: Box<Expr>, body: Box<Expr>, orelse: Box<Expr> },
    /// `{key: value, **mapping}`; the key is none for `**mapping`.
    Dict(Vec<(Option<Expr>, Expr)>),
    /// `{a, b}`.
    Set(Vec<Expr>),
    /// `[element for …]`.
    ListComp { element: Box<Expr>, generators: Vec<Comprehension> },
    /// `{element for …}`.
    SetComp { element: Box<Expr>, generators: Vec<Comprehension> },
    /// `{key: value for …}`.
    DictComp { key: Box<Expr>, value: Box<Expr>, generators: Vec<Comprehension> },
    /// `(element for …)`.
    Generator { element: Box<Expr>, generators: Vec<Comprehension> },
    /// `await value`.
    Await(Box<Expr>),
    /// `yield value`.
    Yield(Option<Box<Expr>>),
    /// `yield from value`.
    YieldFrom(Box<Expr>),
    /// `left op comparator op comparator`.
    Compare { left: Box<Expr>, ops: Vec<CompareOp>, comparators: Vec<Expr> },
    /// `func(args, keywords)`; `args` may hold `Starred`, a keyword without a name is `**value`.
    Call { func: Box<Expr>, args: Vec<Expr>, keywords: Vec<Keyword> },
    /// An f-string (or a t-string of 3.14), adjacent literals included.
    FString(Box<FString>),
    /// A literal, by its source text.
    Constant { kind: ConstantKind, text: Arc<str> },
    /// `value.attr`.
    Attribute { value: Box<Expr>, attr: Name, context: Context },
    /// `value[index]`.
    Subscript { value: Box<Expr>, index: Box<Expr>, context: Context },
    /// `*value`.
    Starred { value: Box<Expr>, context: Context },
    /// A name.
    Name { name: Name, context: Context },
    /// `[a, b]`.
    List { elements: Vec<Expr>, context: Context },
    /// `a, b`.
    Tuple { elements: Vec<Expr>, context: Context },
    /// `lower:upper:step`, inside a subscript only.
    Slice { lower: Option<Box<Expr>>, upper: Option<Box<Expr>>, step: Option<Box<Expr>> },
}

/// Whether a name is read, written or deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Read.
    Load,
    /// Written.
    Store,
    /// Deleted.
    Del,
}

/// The kind of a literal. Strings and bytes keep adjacent literals in one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantKind {
    /// `None`.
    None,
    /// `True`.
    True,
    /// `False`.
    False,
    /// `...`.
    Ellipsis,
    /// An integer.
    Int,
    /// A floating-point number.
    Float,
    /// An imaginary number.
    Complex,
    /// A string.
    Str,
    /// Bytes.
    Bytes,
}

/// An f-string: its source text, and its parts for the analyses and passes.
///
/// The unparser copies `text`; a pass that changes a part replaces the whole node.
#[derive(Clone, Debug)]
pub struct FString {
    /// The source text, adjacent literals included.
    pub text: Arc<str>,
    /// The parts in order, adjacent literals included.
    pub parts: Vec<FStringPart>,
    /// Whether it is a t-string.
    pub is_template: bool,
}

/// One part of an f-string.
#[derive(Clone, Debug)]
pub enum FStringPart {
    /// Literal text, as a Python string literal that evaluates to it.
    Literal(Arc<str>),
    /// `{value!conversion:spec}`.
    Interpolation {
        /// The expression.
        value: Expr,
        /// `r`, `s` or `a`.
        conversion: Option<char>,
        /// The parts of the format specification, if there is one.
        spec: Option<Vec<FStringPart>>,
        /// The text printed before the value for `{value=}`, as a Python string literal.
        debug: Option<Arc<str>>,
    },
}

/// `for target in iter if condition …`.
#[derive(Clone, Debug)]
pub struct Comprehension {
    /// The target.
    pub target: Expr,
    /// The iterable.
    pub iter: Expr,
    /// The conditions.
    pub conditions: Vec<Expr>,
    /// Whether it is `async for`.
    pub is_async: bool,
}

/// `name=value`, or `**value` without a name.
#[derive(Clone, Debug)]
pub struct Keyword {
    /// Its place.
    pub span: Span,
    /// The name.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// `and`, `or`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BoolOp {
    And,
    Or,
}

/// Binary operators, named as in `ast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mult,
    MatMult,
    Div,
    Mod,
    Pow,
    LShift,
    RShift,
    BitOr,
    BitXor,
    BitAnd,
    FloorDiv,
}

/// Unary operators, named as in `ast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum UnaryOp {
    Invert,
    Not,
    UAdd,
    USub,
}

/// Comparison operators, named as in `ast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum CompareOp {
    Eq,
    NotEq,
    Lt,
    LtE,
    Gt,
    GtE,
    Is,
    IsNot,
    In,
    NotIn,
}
