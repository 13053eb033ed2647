//! Forward mode of scopes: checkpoints, and custom rules of the user.

use ag_ir::{Node, Scope, ValueId};

use super::Forward;
use crate::error::GradientError;
use crate::inline::{Effects, identity, inlined};
use crate::ruled::refuse_closures;

impl Forward<'_> {
    pub(super) fn forward_scope(&mut self, node: &Node, scope: Scope) -> Result<(), GradientError> {
        match scope {
            Scope::Checkpoint | Scope::MemoryLimit(_) => self.forward_checkpoint(node),
            Scope::CustomVjp | Scope::CustomJvp if self.varied_among(&node.operands).is_empty() => {
                refuse_closures(self.builder, &self.activity, node, &node.regions[..1])?;
                self.builder.push(node.clone());
                Ok(())
            }
            Scope::CustomVjp => Err(no_forward_rule(node)),
            Scope::CustomJvp => self.forward_custom(node),
            Scope::VjpRule(derivative) | Scope::JvpRule(derivative) if derivative != self.derivative => {
                self.builder.push(node.clone());
                for (given, result) in node.operands.iter().zip(&node.results) {
                    if let Some(tangent) = self.tangents.get(given).copied() {
                        self.tangents.insert(*result, tangent);
                    }
                }
                Ok(())
            }
            Scope::VjpRule(_) if self.varied_among(&node.results).is_empty() => {
                self.builder.push(node.clone());
                Ok(())
            }
            Scope::VjpRule(_) => Err(no_forward_rule(node)),
            Scope::JvpRule(_) => {
                self.builder.push(node.clone());
                let operands = &node.operands[node.results.len()..];
                let tangents = self.tangents_by_rule(node, operands, Effects::Dropped)?;
                self.bind_smooth(node, &tangents[node.results.len()..]);
                Ok(())
            }
        }
    }

    /// Forward mode saves nothing, so it need not compute anything again.
    fn forward_checkpoint(&mut self, node: &Node) -> Result<(), GradientError> {
        if self.varied_among(&node.results).is_empty() {
            self.builder.push(node.clone());
            return Ok(());
        }
        let Some(region) = node.regions.first() else { return Ok(()) };
        for (param, operand) in region.params.iter().zip(&node.operands) {
            self.node(&identity(*operand, *param))?;
        }
        self.nodes(&region.nodes)?;
        for (result, inner) in node.results.iter().zip(&region.results) {
            self.node(&identity(*inner, *result))?;
        }
        Ok(())
    }

    /// The values and the tangents come from the user's rule, which runs instead of the function.
    fn forward_custom(&mut self, node: &Node) -> Result<(), GradientError> {
        refuse_closures(self.builder, &self.activity, node, &node.regions[1..])?;
        let found = self.tangents_by_rule(node, &node.operands, Effects::Kept)?;
        let (values, tangents) = found.split_at(node.results.len());
        for (value, result) in values.iter().zip(&node.results) {
            self.builder.push(identity(*value, *result));
        }
        self.bind_smooth(node, tangents);
        Ok(())
    }

    /// The results of the user's rule: values, then tangents.
    fn tangents_by_rule(
        &mut self,
        node: &Node,
        operands: &[ValueId],
        effects: Effects,
    ) -> Result<Vec<ValueId>, GradientError> {
        let mut arguments = operands.to_vec();
        for operand in operands {
            if self.builder.function().ty(*operand).has_tangent() {
                arguments.push(self.tangent_or_zeros(*operand)?);
            }
        }
        let region = &node.regions[1];
        let rule = inlined(self.builder, region, effects, &arguments, |_| false, |_, value| value)?;
        rule.nodes.into_iter().for_each(|node| self.builder.push(node));
        Ok(rule.results)
    }

    /// Notes the tangents of the results that have some.
    fn bind_smooth(&mut self, node: &Node, tangents: &[ValueId]) {
        let function = self.builder.function();
        let smooth = node.results.iter().filter(|result| function.ty(**result).has_tangent());
        self.tangents.extend(smooth.copied().zip(tangents.iter().copied()));
    }
}

/// The error for a function with a rule for reverse mode only.
pub(crate) fn no_forward_rule(node: &Node) -> GradientError {
    let message = "forward mode through a function of ag.custom_vjp, which has a rule for reverse mode only";
    let help = "give it a rule by `ag.custom_jvp`, which serves both modes";
    GradientError::new(message, node.location).with_help(help).of_code("AG143")
}
