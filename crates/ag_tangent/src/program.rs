//! The normal form of a function: blocks of steps, each of which does one thing with active variables.
//!
//! ```text
//! y = np.sin(x) * w + c        sin_x = np.sin(x)
//!                              product = sin_x * w
//!                              y = product + c
//! ```
//!
//! What has no derivative stays as the user has written it, in one piece.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ag_errors::Span;
use ag_syntax::tree::{BinaryOp, Expr, ExprKind, Name, Stmt, StmtKind};

use crate::callee::{Rule, SplitNames};
use crate::persistent::Set;
use crate::variables::bound_by;
use crate::written_arguments::WriteKind;

/// Statements in order.
pub(crate) type Block = Vec<Node>;

/// A statement of the normal form.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "most nodes are operations, which are the largest")]
pub(crate) enum Node {
    /// Code without a derivative, as written; the names that it binds.
    Plain { stmt: Stmt, site: usize, binds: Vec<Name>, saves: Vec<Save> },
    /// One operation with active operands.
    Op(Op),
    /// A choice.
    If(If),
    /// A loop.
    Loop(Loop),
    /// `with …:` around a block.
    With { header: Stmt, body: Block, binds: Vec<Name> },
    /// `try: … finally: …`.
    Finally { stmt: Stmt, body: Block, last: Block },
    /// `break` or `continue`, which ends its block.
    Exit {
        stmt: Stmt,
        site: usize,
        is_break: bool,
        /// The lists that keep that what follows a statement around did not run.
        skipped: Vec<Name>,
        saves: Vec<Save>,
    },
    /// A block that the backward pass runs again: of it, only what it begins with is kept.
    Again(Again),
    /// `with grad_of(x) as dx:`, whose body runs in the backward pass (paper, §2.2).
    Injected { span: Span, pairs: Vec<(Name, Name)>, body: Vec<Stmt> },
}

/// A value that the forward pass keeps for the backward pass, because its variable is bound anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Save {
    /// The variable.
    pub(crate) name: Name,
    /// The variable or list that keeps it.
    pub(crate) kept: Name,
    /// Whether it is a list, with a value for each time.
    pub(crate) is_stack: bool,
    /// Whether a copy is kept, because the array is written in place.
    pub(crate) is_copy: bool,
    /// Whether that is a copy of objects, dicts and lists, and arrays are kept as they are.
    pub(crate) of_holders: bool,
}

/// A block that the backward pass runs again.
#[derive(Clone, Debug)]
pub(crate) struct Again {
    pub(crate) span: Span,
    pub(crate) site: usize,
    pub(crate) block: Block,
    /// The variable that says whether a `break` has left the loop that it is.
    pub(crate) flag: Option<Name>,
    /// The variables that both runs, and the backward pass of the block, read as they are where it begins.
    pub(crate) reads: BTreeSet<Name>,
    /// The variables of `reads` whose arrays are written in place: each run has its own copy.
    pub(crate) written: BTreeSet<Name>,
    /// Those of them that are objects or dicts of which attributes, or items by key, are bound anew.
    pub(crate) holders: BTreeSet<Name>,
    /// By such a variable, those that it begins with and that may have an object in common with it.
    pub(crate) apart: BTreeMap<Name, BTreeSet<Name>>,
    /// The same of arrays and lists, and what these hold.
    pub(crate) parts_apart: BTreeMap<Name, BTreeSet<Name>>,
    /// What is kept where it begins.
    pub(crate) saves: Vec<Save>,
    /// Lists from around it that it fills and does not read: the second run leaves that out.
    pub(crate) filled: BTreeSet<Name>,
    /// The variables that hold, while it runs again, what it began with.
    pub(crate) starts: BTreeMap<Name, Name>,
}

impl Again {
    pub(crate) fn of(span: Span, site: usize, block: Block) -> Self {
        Self {
            span,
            site,
            block,
            flag: None,
            reads: BTreeSet::new(),
            written: BTreeSet::new(),
            holders: BTreeSet::new(),
            apart: BTreeMap::new(),
            parts_apart: BTreeMap::new(),
            filled: BTreeSet::new(),
            saves: Vec::new(),
            starts: BTreeMap::new(),
        }
    }
}

/// A block that may run or not, and what it keeps when it ends.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) block: Block,
    pub(crate) saves: Vec<Save>,
    /// The variables whose adjoints its backward pass leaves as zeros, made from what they are where it begins.
    pub(crate) zeros: Vec<Name>,
    /// The variables that are bound on every path to its beginning.
    pub(crate) definite: Set<Name>,
}

impl Branch {
    pub(crate) fn of(block: Block) -> Self {
        Self { block, saves: Vec::new(), zeros: Vec::new(), definite: Set::new() }
    }
}

/// `if test: then else: orelse`.
#[derive(Clone, Debug)]
pub(crate) struct If {
    pub(crate) span: Span,
    pub(crate) site: usize,
    pub(crate) test: Expr,
    /// The variable that keeps which branch ran.
    pub(crate) taken: Name,
    /// In a loop, the list that keeps it for each time.
    pub(crate) stack: Option<Name>,
    pub(crate) then: Branch,
    pub(crate) orelse: Branch,
    /// Whether the test holds whenever it is reached: the block is what follows statements that may leave.
    pub(crate) is_rest: bool,
    /// Whether its block tells of a write, which there was none of where the test does not hold.
    pub(crate) is_telling: bool,
    /// The place of that write.
    pub(crate) told_at: Option<usize>,
    /// The variables that know of the write already.
    pub(crate) knowing: BTreeSet<Name>,
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) span: Span,
    pub(crate) site: usize,
    pub(crate) head: Head,
    pub(crate) body: Branch,
    /// The variable that counts its iterations, for the backward pass.
    pub(crate) count: Name,
    /// Whether a `break` may leave it.
    pub(crate) may_break: bool,
    pub(crate) saves: LoopSaves,
}

/// What a loop keeps for its backward pass, beside what its body does.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopSaves {
    /// Before the loop.
    pub(crate) before: Vec<Save>,
    /// At the start of each iteration: the targets of a `for`.
    pub(crate) targets: Vec<Save>,
    /// Whether the backward pass goes over the range itself, in reverse.
    pub(crate) is_mirrored: bool,
    /// Whether the iterations are counted.
    pub(crate) is_counted: bool,
    /// The variables whose adjoints begin as zeros, made from what they are after the loop.
    pub(crate) zeros: Vec<Name>,
    /// The variables that are bound on every path to its end.
    pub(crate) definite: Set<Name>,
}

/// What a loop goes over.
#[derive(Clone, Debug)]
pub(crate) enum Head {
    /// `while test`.
    While(Expr),
    /// `for target in iter`; the target is not rebound in the body.
    For {
        target: Expr,
        iter: Expr,
        /// What the iterable is for the backward pass.
        over: Over,
    },
}

/// The iterable of a `for`.
#[derive(Clone, Debug)]
pub(crate) enum Over {
    /// `range(…)` of names and literals: the backward pass goes over it in reverse.
    Range,
    /// An active variable: its items are active, unless it is a dict, whose items are keys. The index of the backward pass.
    Items { base: Name, target: Name, index: Name, may_be_dict: bool },
    /// Anything else, whose items have no derivative.
    Plain,
}

/// One operation.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    /// The span of the user's statement.
    pub(crate) span: Span,
    pub(crate) site: usize,
    /// What the forward pass runs.
    pub(crate) forward: Stmt,
    /// What it does.
    pub(crate) kind: OpKind,
    /// Its backward pass.
    pub(crate) back: Step,
    /// What is kept before it.
    pub(crate) saves: Vec<Save>,
    /// What has to hold of what it binds.
    pub(crate) beside: Option<Box<Beside>>,
    /// Whether it tells another name of an array what was written into that.
    pub(crate) is_telling: bool,
    /// Whether what it binds is there already: `row = a[0]`, which tells `row` of a write.
    pub(crate) is_same: bool,
    /// Whether it is `target = source` where nothing reads `source` later: a name that was made for this.
    pub(crate) is_move: bool,
    /// How many of the last elements of a tuple the text does not have: objects that a function writes to.
    pub(crate) hidden: usize,
    /// Of `a[...] = b` of what a callee has written to `a`, or to a copy of it: how it writes.
    pub(crate) whole: Option<WriteKind>,
}

/// What has to hold of what an operation binds, because a name is read after another has changed an array in place:
/// that `x += v` and `t = x[i]` bind numbers, and that `y = f(x)` binds no array of `x`.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    /// What is changed in place.
    pub(crate) changed: Name,
    /// What is read after that.
    pub(crate) read: Name,
    /// For a call, what it is given.
    pub(crate) given: Vec<Name>,
}

/// The backward pass of an operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// Names for what the backward pass reads and that has none: assigned before the operation.
    pub(crate) before: Vec<(Name, Expr)>,
    /// The same, after it.
    pub(crate) after: Vec<(Name, Expr)>,
    /// The variables whose adjoints it reads.
    pub(crate) reads: Vec<Name>,
    /// Values that its parts share: targets and values.
    pub(crate) shared: Vec<(Expr, Expr)>,
    /// What it adds to adjoints.
    pub(crate) parts: Vec<Part>,
    /// The variables whose adjoints it uses up.
    pub(crate) clears: Vec<Name>,
    /// The variables that it reads, as they are before the operation.
    pub(crate) needs_before: Vec<Name>,
    /// The variables that it reads, as they are after it.
    pub(crate) needs_after: Vec<Name>,
}

/// A contribution to an adjoint.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// `bx = bx + value`; whether `value` is a new array, which nothing else holds.
    Add { to: Name, value: Expr, is_new: bool },
    /// `bx[index] += value`; whether the value is a number or an array, and no list.
    AddAt { to: Name, index: Box<Expr>, value: Expr, is_number: bool, may_be_dict: bool },
    /// `by = by + value`, where `value` reads an element of the adjoint of `from`, which then is zero, in
    /// the form of what was there: of `from[index] = y`. The zeros have the form of what was there.
    Take { from: Name, index: Box<Expr>, to: Option<(Name, Expr)>, zeros: Box<Expr> },
    /// `bx = value`, computed from itself: of `x *= y`.
    Become { to: Name, value: Expr },
    /// `by = by + bxs.pop()`: of `xs.append(y)`.
    PopFrom { from: Name, to: Option<Name> },
    /// `bxs.append(by)`: of `y = xs.pop()`.
    PushTo { to: Name, from: Name },
    /// `[ba, bb]` for the targets of an unpacking of `to`; zeros for those that have none, in the form of the variables
    /// that are the same.
    Pack { to: Name, from: Vec<Option<Name>>, same: Vec<(Name, Name)> },
}

/// An operand.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// An active variable.
    Active(Name),
    /// An expression without a derivative.
    Plain(Expr),
}

/// The kinds of operation.
#[derive(Clone, Debug)]
pub(crate) enum OpKind {
    /// `result = f(operands)` by a rule; the operands by the names of the rule's parameters.
    Rule { rule: Arc<Rule>, result: Name, operands: Vec<(Name, Argument)> },
    /// `target = source`.
    Copy { target: Name, source: Name },
    /// `target = base[index]`.
    Index { target: Name, base: Name, index: Expr },
    /// `target = (elements)`, `[elements]`, `{keys: elements}`.
    Display { target: Name, elements: Vec<Operand>, keys: Option<Vec<Expr>> },
    /// `targets = source`.
    Unpack {
        targets: Vec<Option<Name>>,
        source: Name,
        /// Targets that the text does not have, and the variables that are the same objects.
        same: Vec<(Name, Name)>,
    },
    /// `base[index] = value`.
    Store { base: Name, index: Expr, value: Operand },
    /// `base[index] op= value`; `before` keeps the element where `op` needs it.
    AugStore { base: Name, index: Expr, op: BinaryOp, value: Operand },
    /// `target op= value`, by the rule of `op`.
    Augment { target: Name, op: BinaryOp, value: Operand },
    /// `list.append(value)`.
    Append { list: Name, value: Operand },
    /// `target = list.pop()`.
    Pop { list: Name, target: Name },
    /// `target, saved = forward(…)` of a user's function, by its parameters; the names of their tangents.
    Call {
        target: Name,
        saved: Name,
        names: Box<SplitNames>,
        active: Vec<(Name, Name)>,
        tangents: Vec<Name>,
        /// Whether the result is a new object, which holds the arguments.
        makes_object: bool,
        /// The variables of whose arrays it has copies, which it writes to.
        copied: Vec<Name>,
        /// The objects, dicts and lists that it writes to itself, and how.
        changed: Vec<Changed>,
        /// Whether the result is what it has written to these copies, and nothing else.
        gives_copies: bool,
        /// How often the result, or its first item, is a pair, and writes to its first are nothing to the second.
        passes: u32,
        /// Whether that is a new object, which holds the arguments.
        is_maker: bool,
        /// The variables without a derivative whose objects it writes to.
        written: BTreeSet<Name>,
    },
    /// `target = value`, whose value has no derivative: the adjoint ends here.
    Constant { target: Name },
}

/// An object, a dict or a list that a call writes to.
#[derive(Clone, Debug)]
pub(crate) struct Changed {
    pub(crate) name: Name,
    pub(crate) kind: WriteKind,
    /// Whether the result may be it, or hold it.
    pub(crate) is_shown: bool,
}

/// What a parameter of a rule is bound to.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    /// One operand.
    One(Operand),
    /// The operands of `*args`.
    Many(Vec<Operand>),
}

impl Argument {
    /// The operands.
    pub(crate) fn operands(&self) -> &[Operand] {
        match self {
            Self::One(operand) => std::slice::from_ref(operand),
            Self::Many(operands) => operands,
        }
    }

    /// The variables with a derivative among the operands.
    pub(crate) fn active(&self) -> impl Iterator<Item = &Name> {
        self.operands().iter().filter_map(|operand| match operand {
            Operand::Active(name) => Some(name),
            Operand::Plain(_) => None,
        })
    }
}

impl Op {
    /// An operation with its backward pass.
    pub(crate) fn of(span: Span, site: usize, forward: Stmt, kind: OpKind, back: Step) -> Self {
        Self {
            span,
            site,
            forward,
            kind,
            back,
            saves: Vec::new(),
            beside: None,
            is_telling: false,
            is_same: false,
            is_move: false,
            hidden: 0,
            whole: None,
        }
    }

    /// `add_at` or `add_item` if it is `tangent.add_at(bx, i, by)` of generated code or `np.add.at(x, i, y)`, and not
    /// `bx[i] += by`.
    pub(crate) fn adding_helper(&self) -> Option<&'static str> {
        let (OpKind::AugStore { .. }, StmtKind::Expr(call)) = (&self.kind, &self.forward.kind) else {
            return None;
        };
        let ExprKind::Call { func, .. } = &call.kind else { return None };
        let (ExprKind::Attribute { attr: name, .. } | ExprKind::Name { name, .. }) = &func.kind else {
            return None;
        };
        Some(if &**name == "add_item" { "add_item" } else { "add_at" })
    }

    /// Visits the variables that it binds.
    pub(crate) fn each_bound<'o>(&'o self, visit: &mut dyn FnMut(&'o Name)) {
        match &self.kind {
            OpKind::Rule { result: target, .. }
            | OpKind::Copy { target, .. }
            | OpKind::Index { target, .. }
            | OpKind::Display { target, .. }
            | OpKind::Pop { target, .. }
            | OpKind::Augment { target, .. }
            | OpKind::Constant { target } => visit(target),
            OpKind::Call { target, saved, .. } => [target, saved].into_iter().for_each(visit),
            OpKind::Unpack { targets, .. } => targets.iter().flatten().for_each(visit),
            OpKind::Store { .. } | OpKind::AugStore { .. } | OpKind::Append { .. } => {}
        }
    }

    /// The variables that it binds.
    pub(crate) fn binds(&self) -> Vec<Name> {
        let mut names = Vec::new();
        self.each_bound(&mut |name| names.push(name.clone()));
        names
    }

    /// Visits the variables that it binds, and the names that its backward pass has for what it reads.
    pub(crate) fn each_bound_in_all<'o>(&'o self, visit: &mut dyn FnMut(&'o Name)) {
        self.each_bound(visit);
        self.back.before.iter().chain(&self.back.after).for_each(|(name, _)| visit(name));
    }

    /// Whether it changes what is in a list or a dict, as `ys.sort()` and `del d[k]` do, and no call has done so.
    pub(crate) fn changes_whole(&self) -> bool {
        self.whole.is_some_and(WriteKind::is_container) && !matches!(self.forward.kind, StmtKind::Pass)
    }

    /// Whether it makes a list longer or shorter.
    pub(crate) fn grows(&self) -> bool {
        matches!(self.kind, OpKind::Append { .. } | OpKind::Pop { .. })
    }

    /// The variable whose object it may write in place.
    pub(crate) fn writes(&self) -> Option<&Name> {
        match &self.kind {
            OpKind::Store { base: written, .. }
            | OpKind::AugStore { base: written, .. }
            | OpKind::Append { list: written, .. }
            | OpKind::Pop { list: written, .. }
            | OpKind::Augment { target: written, .. } => Some(written),
            _ => None,
        }
    }
}

impl Node {
    /// The blocks in it, in order.
    pub(crate) fn blocks(&self) -> Vec<&Block> {
        match self {
            Self::If(choice) => vec![&choice.then.block, &choice.orelse.block],
            Self::Loop(looped) => vec![&looped.body.block],
            Self::With { body, .. } => vec![body],
            Self::Again(again) => vec![&again.block],
            Self::Finally { body, last, .. } => vec![body, last],
            Self::Plain { .. } | Self::Op(_) | Self::Exit { .. } | Self::Injected { .. } => Vec::new(),
        }
    }

    /// The blocks in it, in order, to be changed.
    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Self::If(choice) => vec![&mut choice.then.block, &mut choice.orelse.block],
            Self::Loop(looped) => vec![&mut looped.body.block],
            Self::With { body, .. } => vec![body],
            Self::Again(again) => vec![&mut again.block],
            Self::Finally { body, last, .. } => vec![body, last],
            Self::Plain { .. } | Self::Op(_) | Self::Exit { .. } | Self::Injected { .. } => Vec::new(),
        }
    }

    /// Visits the variables that it binds itself, those of its blocks left out.
    pub(crate) fn each_bound<'n>(&'n self, visit: &mut dyn FnMut(&'n Name)) {
        match self {
            Self::Plain { binds, .. } | Self::With { binds, .. } => binds.iter().for_each(visit),
            Self::Op(op) => op.each_bound_in_all(visit),
            Self::If(choice) => visit(&choice.taken),
            Self::Loop(looped) => {
                if let Head::For { target, .. } = &looped.head {
                    each_target(target, visit);
                }
                visit(&looped.count);
            }
            Self::Again(_) | Self::Finally { .. } | Self::Exit { .. } | Self::Injected { .. } => {}
        }
    }

    /// The variables that it binds itself, those of its blocks left out.
    pub(crate) fn binds(&self) -> Vec<Name> {
        let mut names = Vec::new();
        self.each_bound(&mut |name| names.push(name.clone()));
        names
    }
}

/// Visits the nodes of a block and of the blocks in it, in order.
pub(crate) fn each_node<'b>(block: &'b Block, visit: &mut dyn FnMut(&'b Node)) {
    for node in block {
        visit(node);
        node.blocks().into_iter().for_each(|inner| each_node(inner, visit));
    }
}

/// The variables that a block binds.
pub(crate) fn bound(block: &Block) -> BTreeSet<Name> {
    let mut names = BTreeSet::new();
    each_node(block, &mut |node| {
        node.each_bound(&mut |name| {
            names.insert(name.clone());
        });
    });
    names
}

/// The variables that a block binds, those of an unpacking that have no derivative too.
pub(crate) fn bound_in_text(block: &Block) -> BTreeSet<Name> {
    let mut names = bound(block);
    each_node(block, &mut |node| {
        if let Node::Op(Op { kind: OpKind::Unpack { .. }, forward, .. }) = node {
            names.extend(bound_by(forward));
        }
    });
    names
}

impl Loop {
    /// The variables that the head binds.
    pub(crate) fn targets(&self) -> Vec<Name> {
        let mut names = Vec::new();
        if let Head::For { target, .. } = &self.head {
            each_target(target, &mut |name| names.push(name.clone()));
        }
        names
    }
}

/// Visits the variables of a target.
fn each_target<'e>(target: &'e Expr, visit: &mut dyn FnMut(&'e Name)) {
    match &target.kind {
        ExprKind::Name { name, .. } => visit(name),
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
            elements.iter().for_each(|element| each_target(element, visit));
        }
        ExprKind::Starred { value, .. } => each_target(value, visit),
        _ => {}
    }
}
