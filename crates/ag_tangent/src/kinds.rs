//! What a variable is, as far as the text says: a number or an array, or a list.

use std::collections::BTreeSet;

use ag_syntax::tree::{ExprKind, Name, StmtKind};

use crate::arrays::surely_arrays;
use crate::lifetimes::read_at;
use crate::name_sets::IntoSet;
use crate::program::{Argument, Block, Node, Op, OpKind, Operand, each_node};
use crate::sources::Surroundings;

/// The kinds of the variables of a function.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    numeric: BTreeSet<Name>,
    lists: BTreeSet<Name>,
    /// Those that are bound to displays and results of functions of the user's alone.
    results: BTreeSet<Name>,
    /// Those that are arrays or numbers wherever they are bound.
    arrays: BTreeSet<Name>,
    /// The lists that grow or are emptied.
    grown: BTreeSet<Name>,
    /// The lists that begin empty and of which nothing is used but `append` and `pop`: what a pass keeps for another.
    tapes: BTreeSet<Name>,
}

impl Kinds {
    /// The kinds that hold wherever a variable is bound: a name that is a list here and an array there is neither.
    ///
    /// # Arguments
    ///
    /// * `own`: the parameters that are arrays or numbers, of which the function makes copies where it begins.
    pub(crate) fn of(block: &Block, parameters: &[Name], own: &[Name], around: &Surroundings<'_>) -> Self {
        let mut found = Self { arrays: surely_arrays(block, parameters, own, around), ..Self::default() };
        found.numeric.extend(own.iter().cloned());
        let mut others: BTreeSet<Name> = parameters.iter().cloned().into_set();
        let mut copies: Vec<(Name, Name)> = Vec::new();
        let is_result = |node: &Node| {
            matches!(node, Node::Op(Op { kind: OpKind::Call { .. } | OpKind::Display { .. }, .. }))
        };
        let mut results = BTreeSet::new();
        each_node(block, &mut |node| {
            results.extend(is_result(node).then(|| node.binds()).into_iter().flatten())
        });
        results.retain(|name| !parameters.contains(name));
        if !results.is_empty() {
            each_node(block, &mut |node| {
                node.each_bound(&mut |name| {
                    if !is_result(node) {
                        results.remove(name);
                    }
                });
            });
        }
        found.results = results;
        each_node(block, &mut |node| match node {
            Node::Op(Op { kind: OpKind::Append { list, .. }, .. }) => {
                found.grown.insert(list.clone());
                others.extend(node.binds());
            }
            Node::Op(Op { kind: OpKind::Pop { list, .. }, .. }) => {
                found.grown.insert(list.clone());
                others.extend(node.binds());
            }
            Node::Op(Op { kind: OpKind::Copy { target, source }, .. }) => {
                copies.push((target.clone(), source.clone()));
            }
            Node::Op(op) if makes_list(op) => found.lists.extend(op.binds()),
            node => {
                node.each_bound(&mut |name| {
                    others.insert(name.clone());
                });
                if let Node::Op(op) = node {
                    found.numeric.extend(arithmetic(op).cloned());
                }
            }
        });
        // A copy of a list is one.
        let may_be_lists = |lists: &BTreeSet<Name>| {
            let copied = copies.iter().filter(|(_, source)| lists.contains(source));
            lists.iter().cloned().chain(copied.map(|(target, _)| target.clone())).into_set()
        };
        let mut ever = found.lists.clone();
        while may_be_lists(&ever) != ever {
            ever = may_be_lists(&ever);
        }
        found.numeric.retain(|name| !ever.contains(name));
        found.lists = ever;
        loop {
            let is_list = |name: &Name| {
                let others_copied =
                    copies.iter().any(|(target, source)| target == name && !found.lists.contains(source));
                !others.contains(name) && !others_copied
            };
            let kept: BTreeSet<Name> = found.lists.iter().filter(|name| is_list(name)).cloned().into_set();
            if kept == found.lists {
                found.tapes = tapes(block, &found.lists);
                return found;
            }
            found.lists = kept;
        }
    }

    /// Whether a variable is an operand or a result of arithmetic, element by element, and never a list.
    pub(crate) fn is_numeric(&self, name: &Name) -> bool {
        self.numeric.contains(name)
    }

    /// Whether a variable may be an array, as far as the text says.
    pub(crate) fn may_be_array(&self, name: &Name) -> bool {
        !(self.lists.contains(name) || self.results.contains(name))
    }

    /// Whether a variable is an array or a number, which has no other object in it.
    pub(crate) fn is_array(&self, name: &Name) -> bool {
        self.arrays.contains(name)
    }

    /// The operand of an operation that makes a new container of the items of another: `list(xs)`, `xs.copy()` of a
    /// list.
    pub(crate) fn source_of_items<'o>(&self, op: &'o Op) -> Option<&'o Name> {
        let OpKind::Rule { operands, .. } = &op.kind else { return None };
        let StmtKind::Assign { value, .. } = &op.forward.kind else { return None };
        let ExprKind::Call { func, .. } = &value.kind else { return None };
        let (_, Argument::One(Operand::Active(source))) = operands.first()? else { return None };
        let makes_container = match &func.kind {
            ExprKind::Attribute { attr, .. } if &**attr == "copy" => self.is_list(source),
            _ => crate::aliases::makes_container(func),
        };
        makes_container.then_some(source)
    }

    /// Whether a variable is a list that grows, or that is emptied.
    pub(crate) fn is_grown(&self, name: &Name) -> bool {
        self.grown.contains(name)
    }

    /// Whether a variable is a list that is filled and emptied, and nothing else.
    pub(crate) fn is_tape(&self, name: &Name) -> bool {
        self.tapes.contains(name)
    }

    /// Whether a variable is a list.
    pub(crate) fn is_list(&self, name: &Name) -> bool {
        self.lists.contains(name)
    }
}

/// Of lists those that are filled and emptied, and nothing else.
fn tapes(block: &Block, lists: &BTreeSet<Name>) -> BTreeSet<Name> {
    let mut tapes = lists.clone();
    if tapes.is_empty() {
        return tapes;
    }
    each_node(block, &mut |node| {
        let mut used = read_at(node);
        match node {
            Node::Op(Op { kind: OpKind::Append { list, value }, .. }) => {
                let is_own = matches!(value, Operand::Active(name) if name == list);
                used.retain(|name| is_own || name != list);
            }
            Node::Op(Op { kind: OpKind::Pop { list, .. }, .. }) => used.retain(|name| name != list),
            Node::Op(op) if makes_list(op) && !makes_empty(op) => used.extend(op.binds()),
            _ => {}
        }
        used.iter().for_each(|name| {
            tapes.remove(name);
        });
    });
    tapes
}

/// Whether an operation is `xs = []`.
fn makes_empty(op: &Op) -> bool {
    matches!(&op.forward.kind, StmtKind::Assign { value, .. }
        if matches!(&value.kind, ExprKind::List { elements, .. } if elements.is_empty()))
}

/// Whether an operation makes a list: `xs = []`, `xs = [a, b]`.
pub(crate) fn makes_list(op: &Op) -> bool {
    matches!(op.kind, OpKind::Constant { .. } | OpKind::Display { .. })
        && matches!(&op.forward.kind, StmtKind::Assign { value, .. }
            if matches!(value.kind, ExprKind::List { .. } | ExprKind::ListComp { .. }))
}

/// The variables with which an operation computes element by element.
fn arithmetic(op: &Op) -> impl Iterator<Item = &Name> {
    let (result, operands): (Option<&Name>, &[(Name, Argument)]) = match &op.kind {
        OpKind::Rule { rule, result, operands } if rule.is_elementwise => (Some(result), operands),
        _ => (None, &[]),
    };
    let operands = operands.iter().filter_map(|(_, argument)| match argument {
        Argument::One(Operand::Active(name)) => Some(name),
        _ => None,
    });
    operands.chain(result)
}
