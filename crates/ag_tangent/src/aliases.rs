//! Names that may be one array anywhere in a function, and the arrays that it writes in place.

use std::collections::{BTreeMap, BTreeSet};

use ag_syntax::tree::{ConstantKind, Context, Expr, ExprKind, Name, Stmt, StmtKind};
use ag_syntax::visit::{Visitor, walk_expr, walk_stmt};

use crate::callee::Callee;
use crate::handlers::names_of_caught;
use crate::kinds::Kinds;
use crate::name_sets::IntoSet;
use crate::numbers::Numbers;
use crate::program::{Block, Head, Node, Op, OpKind, Operand, Over, each_node};
use crate::sources::Surroundings;
use crate::variables::root_of;
use crate::written_arguments::WriteKind;

/// Methods that change what they are called on.
pub(crate) const CHANGING: [&str; 17] = [
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "clear",
    "sort",
    "reverse",
    "fill",
    "put",
    "resize",
    "itemset",
    "partition",
    "update",
    "setdefault",
    "popitem",
    "setflags",
];

/// What a method of a list, a dict or an array changes, and its name; none if a class of the user's has that method.
pub(crate) fn changed_by_method<'e>(
    func: &'e Expr,
    around: &Surroundings<'_>,
) -> Option<(&'e Expr, &'e Name)> {
    let ExprKind::Attribute { value, attr, .. } = &func.kind else { return None };
    let is_changing = CHANGING.contains(&&**attr) && !matches!(around.callee(func), Callee::Function(_));
    is_changing.then_some((&**value, attr))
}

/// Which names may share memory.
pub(crate) struct Aliases {
    parents: BTreeMap<Name, Name>,
}

impl Aliases {
    /// The aliases of a function.
    pub(crate) fn of(block: &Block, around: &Surroundings<'_>, kinds: &Kinds) -> Self {
        let mut aliases = Self { parents: BTreeMap::new() };
        aliases.block(block, around);
        each_node(block, &mut |node| {
            if let Node::Op(op) = node
                && let Some(source) = kinds.source_of_items(op)
            {
                op.binds().iter().for_each(|target| aliases.join(target, source));
            }
        });
        aliases
    }

    fn root(&self, name: &Name) -> Name {
        let mut name = name.clone();
        while let Some(parent) = self.parents.get(&name) {
            name = parent.clone();
        }
        name
    }

    fn join(&mut self, one: &Name, other: &Name) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            self.parents.insert(one, other);
        }
    }

    /// Whether two names may share memory.
    pub(crate) fn may_share(&self, one: &Name, other: &Name) -> bool {
        self.root(one) == self.root(other)
    }

    fn block(&mut self, block: &Block, around: &Surroundings<'_>) {
        for node in block {
            match node {
                Node::Plain { stmt, binds, .. } => self.plain(stmt, binds, around),
                Node::Op(op) => self.op(op),
                Node::If(choice) => {
                    self.block(&choice.then.block, around);
                    self.block(&choice.orelse.block, around);
                }
                Node::Loop(looped) => {
                    if let Head::For { iter, over, .. } = &looped.head
                        && !matches!(over, Over::Range)
                    {
                        for target in looped.targets() {
                            shared(iter, around).iter().for_each(|source| self.join(&target, source));
                        }
                    }
                    self.block(&looped.body.block, around);
                }
                Node::With { body, .. } => self.block(body, around),
                Node::Again(again) => self.block(&again.block, around),
                Node::Finally { body, last, .. } => {
                    self.block(body, around);
                    self.block(last, around);
                }
                Node::Exit { .. } | Node::Injected { .. } => {}
            }
        }
    }

    fn plain(&mut self, stmt: &Stmt, binds: &[Name], around: &Surroundings<'_>) {
        let sources = match &stmt.kind {
            StmtKind::Assign { value, .. } => shared(value, around),
            StmtKind::Expr(_) | StmtKind::AugAssign { .. } => return,
            _ => crate::variables::read_by(stmt).into_iter().filter(|name| around.is_local(name)).into_set(),
        };
        for bound in objects_bound(stmt, binds, around) {
            sources.iter().for_each(|source| self.join(bound, source));
        }
    }

    fn op(&mut self, op: &Op) {
        match &op.kind {
            OpKind::Copy { target, source } | OpKind::Index { target, base: source, .. } => {
                self.join(target, source)
            }
            OpKind::Rule { rule, result, operands } if rule.is_view => {
                for (_, argument) in operands.iter().filter(|(name, _)| !rule.forms.contains(name)) {
                    argument.active().for_each(|operand| self.join(result, operand));
                }
            }
            OpKind::Display { target, elements, .. } => {
                elements.iter().for_each(|element| self.operand(target, element));
            }
            OpKind::Unpack { targets, source, .. } => {
                targets.iter().flatten().for_each(|target| self.join(target, source));
            }
            OpKind::Append { list, value } => self.operand(list, value),
            OpKind::Pop { list, target } => self.join(target, list),
            OpKind::Call { target, active, copied, gives_copies, .. } => {
                let is_given = |name: &Name| !(*gives_copies || copied.contains(name));
                let others = active.iter().filter(|(_, argument)| is_given(argument));
                others.for_each(|(_, argument)| self.join(target, argument));
            }
            _ => {}
        }
    }

    fn operand(&mut self, target: &Name, operand: &Operand) {
        if let Operand::Active(name) = operand {
            self.join(target, name);
        }
    }
}

/// The variables whose memory the value of an expression may be.
pub(crate) fn shared(value: &Expr, around: &Surroundings<'_>) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    match &value.kind {
        ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => {
            found.extend(root_of(value).filter(|name| around.is_local(name)).cloned());
        }
        ExprKind::Call { func, args, keywords } => match around.called(func, args, keywords) {
            Callee::Function(function) => {
                args.iter().for_each(|arg| found.extend(shared(arg, around)));
                keywords.iter().for_each(|keyword| found.extend(shared(&keyword.value, around)));
                found.extend(around.taken(&function));
            }
            Callee::NonDifferentiable => {}
            Callee::Primitive { adjoint: Some(rule), .. } if !rule.is_view && !makes_container(func) => {}
            _ => {
                args.iter().for_each(|arg| found.extend(shared(arg, around)));
                if let ExprKind::Attribute { value, .. } = &func.kind {
                    found.extend(shared(value, around));
                }
            }
        },
        ExprKind::IfExp { body, orelse, .. } => {
            found.extend(shared(body, around));
            found.extend(shared(orelse, around));
        }
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
            elements.iter().for_each(|element| found.extend(shared(element, around)));
        }
        _ => {}
    }
    found
}

/// Of the variables that a statement binds, those that may be objects: not the number of a handler, in a `try`.
pub(crate) fn objects_bound<'n>(
    stmt: &'n Stmt,
    binds: &'n [Name],
    around: &Surroundings<'_>,
) -> impl Iterator<Item = &'n Name> {
    let is_try = matches!(stmt.kind, StmtKind::Try { .. });
    let numbers = is_try.then(|| Numbers::of(std::slice::from_ref(stmt), &[], around));
    let caught = names_of_caught(stmt);
    let is_number = move |name: &Name| numbers.as_ref().is_some_and(|numbers| numbers.contains(name));
    binds.iter().filter(move |name| !is_number(name) && !caught.contains(name))
}

/// The variables whose memory a call is given.
pub(crate) fn given(op: &Op, around: &Surroundings<'_>) -> BTreeSet<Name> {
    let StmtKind::Assign { value, .. } = &op.forward.kind else { return BTreeSet::new() };
    let ExprKind::Call { args, keywords, .. } = &value.kind else { return BTreeSet::new() };
    args.iter()
        .chain(keywords.iter().map(|keyword| &keyword.value))
        .flat_map(|arg| shared(arg, around))
        .into_set()
}

/// Whether a call makes a new container of the items of its argument.
pub(crate) fn makes_container(func: &Expr) -> bool {
    matches!(&func.kind, ExprKind::Name { name, .. }
        if matches!(&**name, "list" | "tuple" | "sorted" | "dict"))
}

/// The variables whose objects a function may write in place.
#[derive(Debug, Default)]
pub(crate) struct WrittenVariables {
    /// Those that may be, or hold, an array or a list that is written.
    pub(crate) arrays: BTreeSet<Name>,
    /// The others: of an object or a dict, attributes or items by key are bound anew, and arrays stay as they are.
    pub(crate) holders: BTreeSet<Name>,
    /// All of which attributes, or items by key, are bound anew.
    pub(crate) keyed: BTreeSet<Name>,
    /// All that may be lists or dicts that have other items later, or the same in another order.
    pub(crate) resized: BTreeSet<Name>,
}

/// The variables whose objects the function may write in place.
pub(crate) fn written_variables(
    body: &[Stmt],
    block: &Block,
    around: &Surroundings<'_>,
    (aliases, numbers): (&Aliases, &Numbers),
) -> WrittenVariables {
    let mut writes = Writes::new(around);
    writes.visit_body(body);
    let resized = resized(block, aliases);
    writes.keyed.extend(resized.iter().cloned());
    let mut names = crate::program::bound(block);
    names.extend(around.locals.borrow().iter().cloned());
    let sharing = |found: &BTreeSet<Name>| -> BTreeSet<Name> {
        let written: Vec<&Name> = found.iter().filter(|name| !numbers.contains(name)).collect();
        names
            .iter()
            .filter(|name| written.iter().any(|written| aliases.may_share(name, written)))
            .cloned()
            .into_set()
    };
    let arrays = sharing(&writes.arrays);
    let holders = sharing(&writes.found).difference(&arrays).cloned().into_set();
    WrittenVariables { arrays, holders, keyed: sharing(&writes.keyed), resized: sharing(&resized) }
}

/// The containers that have other items later: by `del d[k]` and `ys.sort()`, by what a callee does to them, and, where
/// another name is told of it, by `append` and `pop`.
fn resized(block: &Block, aliases: &Aliases) -> BTreeSet<Name> {
    let (mut found, mut grown) = (BTreeSet::new(), BTreeSet::new());
    // The names that are told, and the lists that other names are bound to.
    let (mut told, mut copied) = (BTreeSet::new(), BTreeSet::new());
    each_node(block, &mut |node| {
        let Node::Op(op) = node else { return };
        match &op.kind {
            OpKind::Store { base, .. } if op.whole.is_some_and(WriteKind::is_container) => {
                found.insert(base.clone());
            }
            OpKind::Store { value: Operand::Active(value), .. } if op.is_telling => {
                told.insert(value.clone());
            }
            _ if op.is_telling => told.extend(op.binds()),
            // `p = e`, which has told of it in a derivative that is differentiated again.
            OpKind::Copy { source, .. } => {
                copied.insert(source.clone());
            }
            _ if op.grows() => grown.extend(op.writes().cloned()),
            _ => {}
        }
    });
    grown.retain(|list| copied.contains(list) || told.iter().any(|name| aliases.may_share(name, list)));
    found.extend(grown);
    found
}

/// Finds writes in the user's text.
pub(crate) struct Writes<'w, 'r> {
    pub(crate) around: &'w Surroundings<'r>,
    /// All that is written.
    pub(crate) found: BTreeSet<Name>,
    /// That of which not only attributes, or items by key, are bound anew.
    arrays: BTreeSet<Name>,
    /// That of which attributes, or items by key, are bound anew.
    keyed: BTreeSet<Name>,
}

impl<'w, 'r> Writes<'w, 'r> {
    pub(crate) fn new(around: &'w Surroundings<'r>) -> Self {
        let empty = BTreeSet::new;
        Self { around, found: empty(), arrays: empty(), keyed: empty() }
    }

    /// Whether a target is an item of a list or a dict, and not a part of an array.
    fn is_item(&self, base: &Expr, index: &Expr) -> bool {
        match &base.kind {
            ExprKind::Name { name, .. } => self.around.is_item(name, index),
            // `self.items[k]`, of which the class says what it is.
            _ => is_key(index) || self.around.is_container(base) && !crate::variables::has_slice(index),
        }
    }

    /// Notes a write into an array.
    fn write(&mut self, name: Option<&Name>) {
        self.found.extend(name.cloned());
        self.arrays.extend(name.cloned());
    }

    /// Notes a write to an argument of a call.
    fn written_by_call(&mut self, name: &Name, kind: WriteKind) {
        if kind.is_container() {
            self.keyed.insert(name.clone());
        }
        match kind {
            WriteKind::Items | WriteKind::Parts | WriteKind::List => {
                self.found.insert(name.clone());
            }
            _ => self.write(Some(name)),
        }
    }
}

impl<'a> Visitor<'a> for Writes<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let StmtKind::AugAssign { target, .. } = &stmt.kind {
            self.write(root_of(target));
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        // `a[0], a[1] = …`, `for a[0] in …`; `del c[0]` is of no array.
        match &expr.kind {
            ExprKind::Subscript { value, index, context: Context::Store, .. }
                if !self.is_item(value, index) =>
            {
                self.write(root_of(expr));
            }
            ExprKind::Subscript { context: Context::Store | Context::Del, .. }
            | ExprKind::Attribute { context: Context::Store | Context::Del, .. } => {
                self.found.extend(root_of(expr).cloned());
                self.keyed.extend(root_of(expr).cloned());
            }
            _ => {}
        }
        if let ExprKind::Call { func, args, keywords } = &expr.kind {
            let changed = changed_by_method(func, self.around);
            if let Some((value, attr)) = changed {
                let kind = match &**attr {
                    "update" | "setdefault" => WriteKind::Items,
                    "append" | "extend" | "insert" | "pop" | "popitem" | "remove" | "clear" => {
                        WriteKind::List
                    }
                    _ => WriteKind::Array,
                };
                root_of(value).into_iter().for_each(|name| self.written_by_call(name, kind));
            }
            for keyword in keywords.iter().filter(|keyword| keyword.name.as_deref() == Some("out")) {
                self.write(root_of(&keyword.value));
            }
            // A function that is not differentiated may write to what it is given; a list only holds it.
            match self.around.called(func, args, keywords) {
                Callee::Other(_) if !is_builtin(func) && changed.is_none() => {
                    let given = args.iter().chain(keywords.iter().map(|keyword| &keyword.value));
                    given.filter_map(root_of).for_each(|name| self.write(Some(name)));
                }
                Callee::Function(function) => {
                    let (given, around) = self.around.written_arguments(&function, (func, args, keywords));
                    for (value, kind) in given {
                        root_of(value).into_iter().for_each(|name| self.written_by_call(name, kind));
                    }
                    around.iter().for_each(|(name, kind)| self.written_by_call(name, *kind));
                }
                _ => {}
            }
        }
        walk_expr(self, expr);
    }
}

/// Whether an index is a string: the key of a dict, or the attribute of an object.
pub(crate) fn is_key(index: &Expr) -> bool {
    matches!(&index.kind, ExprKind::Constant { kind: ConstantKind::Str, .. })
}

/// Builtins without rules, which write to nothing.
pub(crate) fn is_builtin(func: &Expr) -> bool {
    matches!(&func.kind, ExprKind::Name { name, .. }
        if matches!(&**name, "zip" | "enumerate" | "reversed" | "list" | "tuple" | "dict" | "sorted" | "set" | "map" | "filter" | "iter" | "next"))
}
