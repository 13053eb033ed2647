//! Calls of functions with rules of the user, where a derivative goes through them.
//!
//! ```text
//! %9 = custom_vjp %2 primal … forward(%4) { … yield %5, %6 } backward(%7, %8) …
//!
//! %4 = held %2 derivative=1; …; %9 = vjp_rule %5, %2, %6 derivative=1 … backward(%7, %8) …
//! ```
//!
//! - Where an operand is varied, the rule runs in place of the function, with its effects: the value of the
//!   call is what the rule gives. It runs once, whatever number of times the derivative is pulled back.
//! - The derivative with this number uses the rule (`vjp_rule`, `jvp_rule`). Others, around it, see the nodes of
//!   the rule, and differentiate these.
//! - A rule gives the derivative by the operands. What else it uses must not depend on what the derivative is
//!   taken of: that part of the derivative would be lost.

use std::collections::BTreeMap;

use ag_ir::{Block, Builder, Identity, ListOp, Node, Op, Scope, ValueId};

use crate::activity::{Activity, callees_of, refuse_unfinished};
use crate::captures::free_values;
use crate::dependence::Dependence;
use crate::error::GradientError;
use crate::inline::{Effects, inlined, without_effects};
use crate::{Range, emit};

/// Prepares the calls in a range for its derivative with respect to `wrt`. Does nothing the second time.
///
/// # Errors
/// If a rule cannot be used; the nodes of the range are then unchanged.
pub fn apply_rules(builder: &mut Builder, range: Range, wrt: &[ValueId]) -> Result<(), GradientError> {
    let Some(mut taken) = builder.take_out(range.first, range.last) else {
        return Err(GradientError::new("a derivative of what is not being recorded here", None));
    };
    let mut made = refuse_unfinished(builder, &taken.nodes);
    if made.is_ok() && has_calls(builder, &taken.nodes) {
        let derivative = range.first.0;
        let activity = Activity::of_inputs(builder, &taken.nodes, wrt, derivative);
        let mut ruled = Ruled { builder, activity, derivative, functions: BTreeMap::new() };
        made = ruled.nodes(taken.nodes.clone()).map(|nodes| taken.nodes = nodes);
    }
    builder.put_back(taken);
    made
}

/// Whether there are calls of functions with rules among nodes, or among those of functions that they call.
fn has_calls(builder: &Builder, nodes: &[Node]) -> bool {
    let callees = callees_of(builder, nodes);
    let bodies = callees.iter().filter_map(|callee| builder.body(*callee));
    are_among(nodes) || bodies.into_iter().any(|body| are_among(&body.nodes))
}

fn are_among(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node.op {
        Op::Scope(Scope::CustomVjp | Scope::CustomJvp) => true,
        _ => node.regions.iter().any(|region| are_among(&region.nodes)),
    })
}

struct Ruled<'a> {
    builder: &'a mut Builder,
    activity: Activity,
    derivative: u32,
    /// The copies of functions, which other callers call too, by the number of the original.
    functions: BTreeMap<usize, usize>,
}

impl Ruled<'_> {
    fn nodes(&mut self, nodes: Vec<Node>) -> Result<Vec<Node>, GradientError> {
        self.builder.open();
        let made = nodes.into_iter().try_for_each(|node| self.node(node));
        let block = self.builder.close(Vec::new());
        made.map(|()| block.nodes)
    }

    fn node(&mut self, mut node: Node) -> Result<(), GradientError> {
        match &mut node.op {
            Op::Scope(Scope::CustomVjp | Scope::CustomJvp) => return self.call(node),
            Op::Call(call) => call.callee = self.function(call.callee)?,
            // Its rule belongs to another derivative.
            Op::Scope(Scope::VjpRule(_) | Scope::JvpRule(_)) => {}
            _ => {
                for region in &mut node.regions {
                    region.nodes = self.nodes(std::mem::take(&mut region.nodes))?;
                }
            }
        }
        self.builder.push(node);
        Ok(())
    }

    /// The function to call instead of a function: a copy, if there are calls to prepare in it.
    fn function(&mut self, callee: usize) -> Result<usize, GradientError> {
        if let Some(known) = self.functions.get(&callee) {
            return Ok(*known);
        }
        let Some(body) = self.builder.body(callee).cloned() else { return Ok(callee) };
        if !has_calls(self.builder, &body.nodes) {
            return Ok(callee);
        }
        let (mut copy, renamed) = self.builder.copy(&body);
        for (value, copied) in renamed {
            self.activity.add_copy(value, copied);
        }
        let name = self.builder.name_of(callee).unwrap_or_default();
        let number = self.builder.declare(name);
        self.functions.insert(callee, number);
        copy.nodes = self.nodes(copy.nodes)?;
        self.builder.define(number, copy);
        Ok(number)
    }

    fn call(&mut self, node: Node) -> Result<(), GradientError> {
        if !node.operands.iter().any(|operand| self.activity.is_varied(*operand)) {
            refuse_closures(self.builder, &self.activity, &node, &node.regions[..1])?;
            self.builder.push(node);
            return Ok(());
        }
        refuse_closures(self.builder, &self.activity, &node, &node.regions[1..])?;
        if node.op == Op::Scope(Scope::CustomVjp) { self.by_vjp(node) } else { self.by_jvp(node) }
    }

    fn by_vjp(&mut self, mut node: Node) -> Result<(), GradientError> {
        let held = self.held(&node.operands)?;
        let found = self.run(&node.regions[1], &held)?;
        let (values, residuals) = found.split_at(node.results.len());
        let operands = [values, &self.smooth(&node.operands), residuals].concat();
        let backward = node.regions.swap_remove(2);
        self.push_rule(Scope::VjpRule(self.derivative), &node, operands, backward);
        Ok(())
    }

    fn by_jvp(&mut self, mut node: Node) -> Result<(), GradientError> {
        let mut tangent = node.regions.swap_remove(1);
        self.refuse_effects_of_tangents(&node, &tangent)?;
        let mut arguments = self.held(&node.operands)?;
        for operand in self.smooth(&node.operands) {
            arguments.push(emit::zeros_like(self.builder, operand)?);
        }
        let mut found = self.run(&tangent, &arguments)?;
        found.truncate(node.results.len());
        without_effects(&mut tangent)?;
        let operands = [&found[..], &node.operands].concat();
        self.push_rule(Scope::JvpRule(self.derivative), &node, operands, tangent);
        Ok(())
    }

    /// Copies of values that are constants in this derivative.
    fn held(&mut self, values: &[ValueId]) -> Result<Vec<ValueId>, GradientError> {
        let held = |value: &ValueId| match self.activity.is_varied(*value) {
            true => Ok(emit::one(self.builder, Op::Identity(Identity::Held(self.derivative)), &[*value])?),
            false => Ok(*value),
        };
        values.iter().map(held).collect()
    }

    fn smooth(&self, values: &[ValueId]) -> Vec<ValueId> {
        let function = self.builder.function();
        values.iter().copied().filter(|value| function.ty(*value).has_tangent()).collect()
    }

    /// Emits the nodes of a rule; returns its results.
    fn run(&mut self, rule: &Block, arguments: &[ValueId]) -> Result<Vec<ValueId>, GradientError> {
        let found = inlined(self.builder, rule, Effects::Kept, arguments, |_| false, |_, value| value)?;
        found.nodes.into_iter().for_each(|node| self.builder.push(node));
        Ok(found.results)
    }

    fn push_rule(&mut self, scope: Scope, call: &Node, operands: Vec<ValueId>, rule: Block) {
        self.builder.open();
        let mut params = Vec::new();
        for operand in &operands {
            let ty = self.builder.function().ty(*operand).clone();
            params.push(self.builder.param(ty));
        }
        params.truncate(call.results.len());
        let primal = self.builder.close(params);
        self.builder.push(Node {
            op: Op::Scope(scope),
            operands,
            results: call.results.clone(),
            regions: vec![primal, rule],
            location: call.location,
        });
    }

    /// Reverse mode has no tangents: it transposes what is computed of them.
    fn refuse_effects_of_tangents(&self, node: &Node, rule: &Block) -> Result<(), GradientError> {
        let tangents = &rule.params[node.operands.len()..];
        let dependence = Dependence::on(self.builder, rule, tangents);
        if let Some(effect) = dependence.effect() {
            let message = "reverse mode through a rule of ag.custom_jvp that prints or checks a tangent";
            let help = "print and check what does not depend on tangents, or use forward mode";
            return Err(GradientError::new(message, effect.location).with_help(help).of_code("AG146"));
        }
        let values = &rule.results[..node.results.len()];
        if let Some(value) = values.iter().find(|value| dependence.has(**value)) {
            let message = "a rule of ag.custom_jvp returns a value that depends on a tangent";
            let from = rule.nodes.iter().find(|node| node.results.contains(value));
            return Err(GradientError::new(message, from.unwrap_or(node).location).of_code("AG146"));
        }
        Ok(())
    }
}

/// Refuses regions that use values around them which the derivative is taken of.
///
/// # Errors
/// At the node that uses the value.
pub(crate) fn refuse_closures(
    builder: &Builder,
    activity: &Activity,
    node: &Node,
    regions: &[Block],
) -> Result<(), GradientError> {
    let which = if node.op == Op::Scope(Scope::CustomVjp) { "custom_vjp" } else { "custom_jvp" };
    for region in regions {
        let mut region = region.clone();
        without_sizes(&mut region);
        let free = free_values(builder, &region);
        let Some(value) = free.into_iter().find(|value| activity.is_varied(*value)) else { continue };
        let message = format!(
            "a function of ag.{which} uses a value around it that the derivative is taken of, which is none of its arguments"
        );
        let location = user_of(&region.nodes, value).unwrap_or(node).location;
        let help =
            "pass the value to the function as an argument, so that its rule can give the derivative by it";
        return Err(GradientError::new(message, location).with_help(help).of_code("AG146"));
    }
    Ok(())
}

/// Removes what asks for the sizes of values only.
fn without_sizes(block: &mut Block) {
    block.nodes.retain(|node| !matches!(node.op, Op::Size(_) | Op::List(ListOp::Length | ListOp::Zeros)));
    for node in &mut block.nodes {
        node.regions.iter_mut().for_each(without_sizes);
    }
}

/// The first node that has a value as an operand.
fn user_of(nodes: &[Node], value: ValueId) -> Option<&Node> {
    nodes.iter().find_map(|node| match node.operands.contains(&value) {
        true => Some(node),
        false => node.regions.iter().find_map(|region| user_of(&region.nodes, value)),
    })
}
