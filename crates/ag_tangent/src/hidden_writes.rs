//! Writes in place inside of expressions that have no derivative, which no backward pass would know of.
//!
//! ```text
//! if filled(x) > 3:           # `filled` writes to `x`
//!     print(xs.pop())
//! ```

use std::collections::BTreeSet;

use ag_errors::Span;
use ag_syntax::tree::{Expr, ExprKind, Keyword, Name, StmtKind};
use ag_syntax::visit::{Visitor, walk_expr};

use crate::aliases::{changed_by_method, shared};
use crate::callee::Callee;
use crate::normal::{Outcome, refusal};
use crate::program::{Argument, Block, Head, Node, Op, OpKind, Operand, Over, each_node};
use crate::sources::Surroundings;

/// Refuses what may write to values with derivatives, but for statements that are differentiated.
pub(crate) fn require_no_hidden_writes(
    block: &Block,
    around: &Surroundings<'_>,
    active: &BTreeSet<Name>,
) -> Outcome<()> {
    let mut search = Search { around, active, found: None, all: BTreeSet::new() };
    each_node(block, &mut |node| search.node(node));
    let Some((span, name)) = search.found else { return Ok(()) };
    let message = format!("this call may write to `{name}`, and its value has no derivative");
    Err(refusal(span, message, "call it in a statement of its own, or give it a copy"))
}

/// The variables that such expressions may write to.
pub(crate) fn hidden_writes(
    block: &Block,
    around: &Surroundings<'_>,
    active: &BTreeSet<Name>,
) -> BTreeSet<Name> {
    let mut search = Search { around, active, found: None, all: BTreeSet::new() };
    each_node(block, &mut |node| search.node(node));
    search.all
}

struct Search<'s, 'r> {
    around: &'s Surroundings<'r>,
    active: &'s BTreeSet<Name>,
    found: Option<(Span, Name)>,
    all: BTreeSet<Name>,
}

impl Search<'_, '_> {
    fn node(&mut self, node: &Node) {
        match node {
            // What a function that is defined here writes, its calls write.
            Node::Plain { stmt, .. } => {
                if !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_)) {
                    self.visit_stmt(stmt);
                }
            }
            Node::If(choice) => self.visit_expr(&choice.test),
            Node::Loop(looped) => match &looped.head {
                Head::While(test) => self.visit_expr(test),
                Head::For { iter, over, .. } if !matches!(over, Over::Items { .. }) => self.visit_expr(iter),
                Head::For { .. } => {}
            },
            Node::With { header, .. } => {
                if let StmtKind::With { items, .. } = &header.kind {
                    items.iter().for_each(|item| self.visit_expr(&item.context));
                }
            }
            Node::Op(op) => plain_parts(op).into_iter().for_each(|part| self.visit_expr(part)),
            Node::Finally { .. } | Node::Exit { .. } | Node::Injected { .. } | Node::Again(_) => {}
        }
    }

    /// The variables whose objects a call may write to.
    fn written(&self, func: &Expr, args: &[Expr], keywords: &[Keyword]) -> BTreeSet<Name> {
        let out = keywords.iter().filter(|keyword| keyword.name.as_deref() == Some("out"));
        let mut written: Vec<&Expr> = out.map(|keyword| &keyword.value).collect();
        let mut names = BTreeSet::new();
        match self.around.called(func, args, keywords) {
            Callee::Function(function) if function.may_write => {
                let (given, around) = self.around.written_arguments(&function, (func, args, keywords));
                written.extend(given.into_iter().map(|(value, _)| value));
                names.extend(around.into_iter().map(|(name, _)| name));
            }
            _ => written.extend(changed_by_method(func, self.around).map(|(value, _)| value)),
        }
        names.extend(written.into_iter().flat_map(|value| shared(value, self.around)));
        names
    }
}

impl<'a> Visitor<'a> for Search<'_, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Call { func, args, keywords } = &expr.kind {
            let names = self.written(func, args, keywords);
            let name = names.iter().find(|name| self.active.contains(*name)).cloned();
            self.all.extend(names);
            self.found = self.found.take().or_else(|| Some((expr.span, name?)));
        }
        walk_expr(self, expr);
    }
}

/// The expressions without a derivative that an operation evaluates.
fn plain_parts(op: &Op) -> Vec<&Expr> {
    fn plain(operand: &Operand) -> Option<&Expr> {
        match operand {
            Operand::Plain(value) => Some(value),
            Operand::Active(_) => None,
        }
    }
    match &op.kind {
        OpKind::Rule { operands, .. } => operands
            .iter()
            .flat_map(|(_, argument)| match argument {
                Argument::One(operand) => plain(operand).into_iter().collect::<Vec<_>>(),
                Argument::Many(operands) => operands.iter().filter_map(plain).collect(),
            })
            .collect(),
        OpKind::Index { index, .. } => vec![index],
        OpKind::Display { elements, .. } => elements.iter().filter_map(plain).collect(),
        OpKind::Store { index, value, .. } | OpKind::AugStore { index, value, .. } => {
            plain(value).into_iter().chain([index]).collect()
        }
        OpKind::Augment { value, .. } | OpKind::Append { value, .. } => plain(value).into_iter().collect(),
        OpKind::Copy { .. }
        | OpKind::Unpack { .. }
        | OpKind::Pop { .. }
        | OpKind::Call { .. }
        | OpKind::Constant { .. } => Vec::new(),
    }
}
