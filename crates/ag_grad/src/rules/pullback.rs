//! Adjoints from the tangent rule: the rule's nodes are emitted separately, and those that depend on a
//! tangent are transposed.
//!
//! ```text
//! %2: f64[] = sin %0
//!                                aside, of a tangent %t
//! %3: f64[] = cos %0             // depends on no tangent: emitted as it stands
//! %4: f64[] = mul %t, %3         // transposed: the adjoint of %t is that of %4 times %3
//! ```

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{Builder, Derivative, Node, ValueId};

use super::extents::Sizes;
use super::transpose::{Placeholder, Transposer};
use crate::adjoints::Adjoints;
use crate::error::GradientError;
use crate::site::{Primals, Site};

pub(super) fn pullback(
    site: &mut Site<'_>,
    adjoints: &mut Adjoints,
    is_active: &dyn Fn(usize) -> bool,
    known: &Sizes<'_>,
) -> Result<(), GradientError> {
    let node = site.node;
    let given: Vec<Option<ValueId>> = node.results.iter().map(|result| adjoints.get(*result)).collect();
    let has_tangent: Vec<bool> =
        (0..node.operands.len()).map(|n| site.operand_type(n).has_tangent()).collect();
    let is_wanted: Vec<bool> = (0..node.operands.len()).map(|n| has_tangent[n] && is_active(n)).collect();
    if given.iter().all(Option::is_none) || !is_wanted.contains(&true) || !super::has_derivative(&node.op) {
        return Ok(());
    }
    let mut placeholders = BTreeMap::new();
    let mut tangents = vec![None; node.operands.len()];
    site.builder.open();
    // Also operands whose adjoints are not wanted get a placeholder then, so that no zeros have to be emitted
    // for them.
    let moves_operands = node.op.derivative() == Derivative::Moved;
    for operand in 0..node.operands.len() {
        if is_wanted[operand] || (has_tangent[operand] && moves_operands) {
            let value = site.builder.param(site.operand_type(operand));
            placeholders.insert(value, Placeholder { operand, is_wanted: is_wanted[operand] });
            tangents[operand] = Some(value);
        }
    }
    let mut noted = NotedPrimals { inner: &mut *site.primals, values: Vec::new(), sizes: Vec::new() };
    let mut aside = Site { builder: &mut *site.builder, primals: &mut noted, node };
    let emitted = super::tangent(&mut aside, &tangents);
    let NotedPrimals { values, sizes: numbers, .. } = noted;
    let nodes = site.builder.close(Vec::new()).nodes;
    let emitted = emitted?;

    let mut sizes = Sizes::after(known);
    let function = site.builder.function();
    sizes.learn_forward(function, node);
    for (value, placeholder) in &placeholders {
        sizes.same(function, *value, node.operands[placeholder.operand]);
    }
    for (here, forward) in values {
        sizes.same(function, here, forward);
    }
    for (here, forward, axis) in numbers {
        sizes.number(function, here, forward, axis);
    }
    let (linear, others) = separate(site.builder, nodes, &placeholders, &mut sizes);
    Transposer::new(site, adjoints, placeholders, sizes, (&linear, others)).run(&linear, &emitted, &given)
}

/// Emits the nodes that depend on no tangent; returns the other nodes, and the emitted values.
fn separate(
    builder: &mut Builder,
    nodes: Vec<Node>,
    placeholders: &BTreeMap<ValueId, Placeholder>,
    sizes: &mut Sizes<'_>,
) -> (Vec<Node>, BTreeSet<ValueId>) {
    let mut depends: BTreeSet<ValueId> = placeholders.keys().copied().collect();
    let (mut linear, mut others) = (Vec::new(), BTreeSet::new());
    for node in nodes {
        sizes.learn(builder.function(), &node);
        if node.operands.iter().any(|operand| depends.contains(operand)) {
            depends.extend(&node.results);
            linear.push(node);
        } else {
            others.extend(&node.results);
            builder.push(node);
        }
    }
    (linear, others)
}

/// Notes the values and sizes that a rule asked for.
struct NotedPrimals<'a> {
    inner: &'a mut dyn Primals,
    /// Pairs of a stand-in and the value that it stands for.
    values: Vec<(ValueId, ValueId)>,
    /// The stand-in of a size, with the value and the axis.
    sizes: Vec<(ValueId, ValueId, usize)>,
}

impl Primals for NotedPrimals<'_> {
    fn value(&mut self, builder: &mut Builder, value: ValueId) -> ValueId {
        let here = self.inner.value(builder, value);
        self.values.push((here, value));
        here
    }

    fn size(&mut self, builder: &mut Builder, value: ValueId, axis: usize) -> ValueId {
        let here = self.inner.size(builder, value, axis);
        self.sizes.push((here, value, axis));
        here
    }
}
