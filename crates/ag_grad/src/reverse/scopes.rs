//! Reverse mode of scopes: checkpoints, and custom rules of the user.

use std::collections::BTreeMap;

use ag_ir::{Identity, Node, Op, Scope, TapePop, ValueId};

use super::Reverse;
use crate::activity::smooth_operands;
use crate::adjoints::Adjoints;
use crate::emit;
use crate::error::GradientError;
use crate::inline::{Effects, Inlined, inlined};
use crate::site::Primals;

impl Reverse<'_> {
    pub(super) fn reverse_scope(
        &mut self,
        nodes: &mut Vec<Node>,
        at: usize,
        adjoints: &mut Adjoints,
    ) -> Result<(), GradientError> {
        match nodes[at].op {
            Op::Scope(Scope::Checkpoint) => self.reverse_checkpoint(nodes, at, adjoints),
            Op::Scope(Scope::MemoryLimit(bytes)) => self.reverse_limited(nodes, at, bytes, adjoints),
            Op::Scope(Scope::VjpRule(derivative)) if derivative == self.derivative => {
                self.reverse_by_vjp(&nodes[at].clone(), adjoints)
            }
            Op::Scope(Scope::JvpRule(derivative)) if derivative == self.derivative => {
                self.reverse_by_jvp(&nodes[at].clone(), adjoints)
            }
            Op::Scope(Scope::VjpRule(_) | Scope::JvpRule(_)) => {
                let node = nodes[at].clone();
                for (given, result) in node.operands.iter().zip(&node.results) {
                    if let Some(adjoint) = adjoints.get(*result) {
                        adjoints.add(self.builder, *given, adjoint)?;
                    }
                }
                Ok(())
            }
            // Nothing is varied that a rule has not been applied to.
            _ => Ok(()),
        }
    }

    /// The region of a checkpoint is computed again, and then reversed.
    pub(super) fn reverse_checkpoint(
        &mut self,
        nodes: &mut Vec<Node>,
        at: usize,
        adjoints: &mut Adjoints,
    ) -> Result<(), GradientError> {
        let node = nodes[at].clone();
        let mut arguments = Vec::new();
        for operand in &node.operands {
            arguments.push(self.kept(nodes, at, *operand)?);
        }
        let mut region = self.inlined(&node, 0, Effects::Dropped, &arguments)?;
        self.use_saved(&node, &mut region)?;
        let outputs: Vec<(ValueId, ValueId)> = (node.results.iter().zip(&region.results))
            .filter_map(|(result, copy)| Some((*copy, adjoints.get(*result)?)))
            .collect();
        let of_params = node.operands.iter().copied().zip(region.params.iter().copied());
        let reached: Vec<(ValueId, ValueId)> = of_params
            .chain(region.around.iter().map(|(value, copy)| (*value, *copy)))
            .filter(|(value, _)| self.activity.is_active(*value))
            .collect();
        self.through(region.nodes, &reached, &outputs, adjoints)
    }

    /// Puts the saved values into the copy of a checkpoint. What they were computed from is needed for their
    /// adjoints only.
    fn use_saved(&mut self, node: &Node, region: &mut Inlined) -> Result<(), GradientError> {
        let outside: BTreeMap<ValueId, ValueId> =
            region.results.iter().copied().zip(node.results.iter().copied()).collect();
        for inner in &mut region.nodes {
            let (Op::Identity(Identity::Saved), [result]) = (&inner.op, &inner.results[..]) else { continue };
            let Some(saved) = outside.get(result) else { continue };
            let ty = self.builder.function().ty(*result).clone();
            let value = self.frames.value(self.builder, *saved);
            if !ty.has_tangent() {
                inner.op = Op::Identity(Identity::Plain);
                inner.operands = vec![value];
                continue;
            }
            self.builder.open();
            let params = [self.builder.param(ty.clone()), self.builder.param(ty.clone())];
            let primal = self.builder.close(vec![params[0]]);
            self.builder.open();
            let adjoint = self.builder.param(ty);
            let backward = self.builder.close(vec![adjoint]);
            self.saved.push((inner.operands[0], value));
            inner.op = Op::Scope(Scope::VjpRule(self.derivative));
            inner.operands.insert(0, value);
            inner.regions = vec![primal, backward];
        }
        Ok(())
    }

    /// The value that stands for an operand of a region that is computed again. If the values of the forward
    /// pass are at hand, it goes over a tape, so that no pass merges the second computation with the first.
    fn kept(&mut self, nodes: &mut Vec<Node>, at: usize, operand: ValueId) -> Result<ValueId, GradientError> {
        if !self.frames.is_at_hand() || !self.activity.is_active(operand) {
            return Ok(self.frames.value(self.builder, operand));
        }
        let tape = self.builder.new_tape();
        let push = Node {
            op: Op::TapePush(tape),
            operands: vec![operand],
            results: Vec::new(),
            regions: Vec::new(),
            location: None,
        };
        nodes.insert(at + 1, push);
        let ty = self.builder.function().ty(operand).clone();
        Ok(emit::one(self.builder, Op::TapePop(TapePop { tape, ty }), &[])?)
    }

    /// The user's backward rule, given the residuals of the forward rule.
    fn reverse_by_vjp(&mut self, node: &Node, adjoints: &mut Adjoints) -> Result<(), GradientError> {
        let of_rule = &node.operands[node.results.len()..];
        let (operands, residuals) = of_rule.split_at(smooth_operands(node, of_rule).len());
        let mut arguments = Vec::new();
        for residual in residuals {
            arguments.push(self.frames.value(self.builder, *residual));
        }
        for result in &node.results {
            if self.builder.function().ty(*result).has_tangent() {
                arguments.push(self.adjoint_or_zeros(*result, adjoints)?);
            }
        }
        let backward = self.inlined(node, 1, Effects::Kept, &arguments)?;
        backward.nodes.into_iter().for_each(|node| self.builder.push(node));
        for (operand, adjoint) in operands.iter().zip(backward.results) {
            if self.activity.is_active(*operand) {
                adjoints.add(self.builder, *operand, adjoint)?;
            }
        }
        Ok(())
    }

    /// The user's rule for tangents: they are linear in those of the operands, so their reverse gives the
    /// adjoints.
    fn reverse_by_jvp(&mut self, node: &Node, adjoints: &mut Adjoints) -> Result<(), GradientError> {
        let operands = &node.operands[node.results.len()..];
        let mut arguments = Vec::new();
        for operand in operands {
            arguments.push(self.frames.value(self.builder, *operand));
        }
        let builder = &*self.builder;
        let smooth: Vec<ValueId> = operands
            .iter()
            .copied()
            .filter(|operand| builder.function().ty(*operand).has_tangent())
            .collect();
        for operand in &smooth {
            arguments.push(self.zeros_like(*operand)?);
        }
        let region = self.inlined(node, 1, Effects::Dropped, &arguments)?;
        let builder = &*self.builder;
        let results = node.results.iter().filter(|result| builder.function().ty(**result).has_tangent());
        let outputs: Vec<(ValueId, ValueId)> = results
            .zip(&region.results[node.results.len()..])
            .filter_map(|(result, tangent)| Some((*tangent, adjoints.get(*result)?)))
            .collect();
        let tangents = &region.params[operands.len()..];
        let reached: Vec<(ValueId, ValueId)> = (smooth.into_iter().zip(tangents.iter().copied()))
            .filter(|(operand, _)| self.activity.is_active(*operand))
            .collect();
        self.through(region.nodes, &reached, &outputs, adjoints)
    }

    fn inlined(
        &mut self,
        node: &Node,
        region: usize,
        effects: Effects,
        arguments: &[ValueId],
    ) -> Result<Inlined, GradientError> {
        let (frames, activity) = (&mut self.frames, &self.activity);
        inlined(
            self.builder,
            &node.regions[region],
            effects,
            arguments,
            |value| activity.is_active(value),
            |builder, value| frames.value(builder, value),
        )
    }

    /// Emits nodes that only the backward pass computes, then their adjoints. `reached` are values of the
    /// forward pass, with the values that stand for them in the nodes.
    fn through(
        &mut self,
        mut nodes: Vec<Node>,
        reached: &[(ValueId, ValueId)],
        outputs: &[(ValueId, ValueId)],
        adjoints: &mut Adjoints,
    ) -> Result<(), GradientError> {
        let wrt: Vec<ValueId> = reached.iter().map(|(_, copy)| *copy).collect();
        self.builder.open();
        let found = self.backward(&mut nodes, &wrt, outputs);
        let block = self.builder.close(Vec::new());
        nodes.into_iter().chain(block.nodes).for_each(|node| self.builder.push(node));
        for ((value, _), adjoint) in reached.iter().zip(found?) {
            if let Some(adjoint) = adjoint {
                adjoints.add(self.builder, *value, adjoint)?;
            }
        }
        Ok(())
    }
}
