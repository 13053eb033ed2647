//! With which form the adjoint of an object, a dict or a list begins whose attributes or items are bound anew.
//!
//! ```text
//! cell.h = x                  cell.h = x
//! y = cell.h * 2              cell_form = tangent.form(cell)      # `h` is what `x` is
//! cell.h = np.ones(3)         y = cell.h * 2
//!                             cell.h = np.ones(3)
//!                             bcell = tangent.zeros_like(cell_form)
//! ```
//!
//! The backward pass says where adjoints begin as zeros; there the forward pass keeps the form.

use std::collections::{BTreeMap, BTreeSet};

use ag_errors::Span;
use ag_syntax::Builder;
use ag_syntax::tree::{Name, Stmt};

use crate::adjoints::helper;
use crate::naming::Naming;
use crate::program::{Block, Node, Op, OpKind, Step};

/// Where an adjoint begins as zeros, by the number of the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// At an operation.
    Operation(usize),
    /// Where a branch begins, and whether it is the first of two.
    Branch(usize, bool),
    /// Where an iteration begins.
    Iteration(usize),
    /// Behind a loop.
    Behind(usize),
}

/// The forms that are kept for zeros.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptForms {
    /// The variables that may be objects, dicts or lists whose items are bound anew.
    pub(crate) of: BTreeSet<Name>,
    /// The names of forms.
    names: BTreeMap<(Place, Name), Name>,
    /// Those that are read.
    pub(crate) noted: Vec<(Place, Name)>,
}

impl KeptForms {
    /// Those of these variables.
    pub(crate) fn new(of: BTreeSet<Name>) -> Self {
        Self { of, ..Self::default() }
    }

    /// The name of the form of a variable at a place; none if its form does not change.
    pub(crate) fn name(&mut self, place: Place, variable: &Name, naming: &mut Naming) -> Option<Name> {
        if !self.of.contains(variable) {
            return None;
        }
        let key = (place, variable.clone());
        if !self.noted.contains(&key) {
            self.noted.push(key.clone());
        }
        let wish = format!("{variable}_form");
        Some(self.names.entry(key).or_insert_with(|| naming.fresh(&wish)).clone())
    }

    /// Lets the forward pass keep the forms that are read.
    pub(crate) fn keep(&self, b: Builder<'_>, block: &mut Block) {
        if self.noted.is_empty() {
            return;
        }
        for mut node in std::mem::take(block) {
            let mut behind = Vec::new();
            match &mut node {
                Node::Op(op) => {
                    for (variable, form) in self.at(Place::Operation(op.site)) {
                        let value = helper(b.at(op.span), "form", [b.at(op.span).name(variable)]);
                        op.back.before.push((form.clone(), value));
                        op.back.needs_after.push(form);
                    }
                }
                Node::If(choice) => {
                    let (site, span) = (choice.site, choice.span);
                    self.begin(b, Place::Branch(site, true), span, &mut choice.then.block);
                    self.begin(b, Place::Branch(site, false), span, &mut choice.orelse.block);
                }
                Node::Loop(looped) => {
                    let (site, span) = (looped.site, looped.span);
                    self.begin(b, Place::Iteration(site), span, &mut looped.body.block);
                    behind = self.operations(b, Place::Behind(site), span);
                }
                _ => {}
            }
            node.blocks_mut().into_iter().for_each(|inner| self.keep(b, inner));
            block.push(node);
            block.append(&mut behind);
        }
    }

    fn at(&self, place: Place) -> Vec<(Name, Name)> {
        let here = self.noted.iter().filter(|(one, _)| *one == place);
        here.filter_map(|key| Some((key.1.clone(), self.names.get(key)?.clone()))).collect()
    }

    fn begin(&self, b: Builder<'_>, place: Place, span: Span, block: &mut Block) {
        block.splice(0..0, self.operations(b, place, span));
    }

    /// `x_form = tangent.form(x)`, which the backward pass reads.
    fn operations(&self, b: Builder<'_>, place: Place, span: Span) -> Vec<Node> {
        let b = b.at(span);
        let kept = |(variable, form): (Name, Name)| {
            let forward: Stmt = b.assign_name(form.clone(), helper(b, "form", [b.name(variable)]));
            let back = Step { needs_after: vec![form.clone()], ..Step::default() };
            let kind = OpKind::Constant { target: form };
            Node::Op(Op::of(span, usize::MAX / 4, forward, kind, back))
        };
        self.at(place).into_iter().map(kept).collect()
    }
}
