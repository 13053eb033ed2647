//! Which values depend on others in any way, not only differentiably, and whether an effect does.

use std::collections::BTreeSet;

use ag_ir::{Block, Builder, Effect, Node, Op, ValueId};

use crate::activity::{callees_of, first_carry};

/// What depends on the values that an analysis began with.
#[derive(Debug)]
pub(crate) struct Dependence<'a> {
    builder: &'a Builder,
    values: BTreeSet<ValueId>,
    tapes: BTreeSet<u32>,
    /// The functions that are called or not, depending on the values.
    functions: BTreeSet<usize>,
    effect: Option<Node>,
}

impl<'a> Dependence<'a> {
    /// Finds what depends on values in a region, until nothing new is found.
    pub(crate) fn on(builder: &'a Builder, region: &Block, values: &[ValueId]) -> Self {
        let mut found = Self {
            builder,
            values: values.iter().copied().collect(),
            tapes: BTreeSet::new(),
            functions: BTreeSet::new(),
            effect: None,
        };
        let callees = callees_of(builder, &region.nodes);
        loop {
            let before = found.count();
            found.nodes(&region.nodes, false);
            for callee in &callees {
                let Some(body) = builder.body(*callee) else { continue };
                found.nodes(&body.nodes, found.functions.contains(callee));
            }
            if found.count() == before {
                return found;
            }
        }
    }

    pub(crate) fn has(&self, value: ValueId) -> bool {
        self.values.contains(&value)
    }

    /// The first effect that happens, or is what it is, depending on the values.
    pub(crate) const fn effect(&self) -> Option<&Node> {
        self.effect.as_ref()
    }

    fn count(&self) -> usize {
        self.values.len() + self.tapes.len() + self.functions.len()
    }

    fn has_any(&self, values: &[ValueId]) -> bool {
        values.iter().any(|value| self.has(*value))
    }

    fn flow(&mut self, from: &[ValueId], to: &[ValueId]) {
        for (from, to) in from.iter().zip(to) {
            if self.has(*from) {
                self.values.insert(*to);
            }
        }
    }

    fn nodes(&mut self, nodes: &[Node], is_under: bool) {
        nodes.iter().for_each(|node| self.node(node, is_under));
    }

    /// `is_under`: whether the node runs depends on the values.
    fn node(&mut self, node: &Node, is_under: bool) {
        let any = self.has_any(&node.operands);
        match &node.op {
            Op::If => {
                let is_by = self.has(node.operands[0]);
                for region in &node.regions {
                    self.nodes(&region.nodes, is_under || is_by);
                    self.flow(&region.results, &node.results);
                }
                self.mark_if(is_by, &node.results);
            }
            Op::While | Op::For => self.turns(node, is_under),
            Op::Scope(_) => {
                let Some(region) = node.regions.first() else { return };
                self.flow(&node.operands, &region.params);
                self.nodes(&region.nodes, is_under);
                self.flow(&region.results, &node.results);
            }
            Op::Call(call) => {
                if is_under {
                    self.functions.insert(call.callee);
                }
                let Some(body) = self.builder.body(call.callee) else { return };
                self.flow(&node.operands, &body.params);
                self.flow(&body.results, &node.results);
            }
            Op::TapePush(tape) if any => {
                self.tapes.insert(*tape);
            }
            Op::TapePop(pop) => self.mark_if(self.tapes.contains(&pop.tape), &node.results),
            op => {
                let has_effect =
                    matches!(op, Op::Check(_)) || matches!(op.effect(), Effect::Host | Effect::Keep);
                if has_effect && (any || is_under) && self.effect.is_none() {
                    self.effect = Some(node.clone());
                }
                self.mark_if(any, &node.results);
            }
        }
    }

    fn turns(&mut self, node: &Node, is_under: bool) {
        let first = first_carry(node);
        let mut is_by = self.has_any(&node.operands[..first]);
        let carries = &node.operands[first..];
        if let [test, _] = &node.regions[..] {
            self.flow(carries, &test.params);
            self.nodes(&test.nodes, is_under);
            is_by |= self.has_any(&test.results);
        }
        let Some(body) = node.regions.last() else { return };
        let params = &body.params[body.params.len() - node.results.len()..];
        self.flow(carries, params);
        self.mark_if(is_by, &body.params);
        self.nodes(&body.nodes, is_under || is_by);
        self.flow(&body.results, params);
        if let [test, _] = &node.regions[..] {
            self.flow(params, &test.params);
        }
        self.flow(params, &node.results);
    }

    fn mark_if(&mut self, holds: bool, values: &[ValueId]) {
        if holds {
            self.values.extend(values);
        }
    }
}
