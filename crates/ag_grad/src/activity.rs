//! Activity analysis: which values have a derivative that is needed.
//!
//! ```text
//! %2 = sin %1          // active
//! %3 = mul %2, %9      // active; %9 is not varied: it does not depend on %1
//! %4 = cos %1          // not useful: the output does not depend on it
//! vjp of %3 with respect to %1
//! ```
//!
//! - A value is *varied* if it depends differentiably on the values that one differentiates with respect to;
//!   it is *useful* if an output depends differentiably on it. Only a value that is both (*active*) has an
//!   adjoint.
//! - Loops, functions and tapes are visited until nothing new is found (a fixed point). The result for a
//!   function is shared by all calls: a value that one call makes varied is varied in all.

use std::collections::BTreeSet;
use std::sync::Arc;

use ag_ir::{Block, Builder, Identity, LocationId, Node, Op, Scope, Type, ValueId};

use crate::error::GradientError;
use crate::rules::has_derivative;

/// The values and tapes that are varied, and those that are useful.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activity {
    varied: Marks,
    useful: Marks,
}

#[derive(Clone, Debug, Default)]
struct Marks {
    values: BTreeSet<ValueId>,
    tapes: BTreeSet<u32>,
    has_grown: bool,
}

impl Marks {
    fn mark(&mut self, value: ValueId) {
        self.has_grown |= self.values.insert(value);
    }

    fn mark_tape(&mut self, tape: u32) {
        self.has_grown |= self.tapes.insert(tape);
    }

    fn has(&self, value: ValueId) -> bool {
        self.values.contains(&value)
    }

    fn has_any(&self, values: &[ValueId]) -> bool {
        values.iter().any(|value| self.has(*value))
    }
}

impl Activity {
    /// Finds the values that depend on `wrt`; all values count as useful.
    pub(crate) fn of_inputs(builder: &Builder, nodes: &[Node], wrt: &[ValueId], derivative: u32) -> Self {
        let mut activity = Self::default();
        wrt.iter().for_each(|value| activity.varied.mark(*value));
        let callees = callees_of(builder, nodes);
        loop {
            activity.varied.has_grown = false;
            Varied { builder, derivative, marks: &mut activity.varied }.nodes(nodes);
            for callee in &callees {
                let Some(body) = builder.body(*callee) else { continue };
                Varied { builder, derivative, marks: &mut activity.varied }.nodes(&body.nodes);
            }
            if !activity.varied.has_grown {
                return activity;
            }
        }
    }

    /// Finds the values that depend on `wrt`, and those that `outputs` depend on.
    pub(crate) fn between(
        builder: &Builder,
        nodes: &[Node],
        wrt: &[ValueId],
        outputs: &[ValueId],
        derivative: u32,
    ) -> Self {
        let mut activity = Self::of_inputs(builder, nodes, wrt, derivative);
        outputs.iter().for_each(|value| activity.useful.mark(*value));
        let callees = callees_of(builder, nodes);
        loop {
            activity.useful.has_grown = false;
            Useful { builder, derivative, marks: &mut activity.useful }.nodes(nodes);
            for callee in &callees {
                let Some(body) = builder.body(*callee) else { continue };
                Useful { builder, derivative, marks: &mut activity.useful }.nodes(&body.nodes);
            }
            if !activity.useful.has_grown {
                return activity;
            }
        }
    }

    pub(crate) fn is_varied(&self, value: ValueId) -> bool {
        self.varied.has(value)
    }

    /// Whether a value has an adjoint.
    pub(crate) fn is_active(&self, value: ValueId) -> bool {
        self.varied.has(value) && self.useful.has(value)
    }

    pub(crate) fn is_tape_varied(&self, tape: u32) -> bool {
        self.varied.tapes.contains(&tape)
    }

    /// Whether the values on a tape have adjoints.
    pub(crate) fn is_tape_active(&self, tape: u32) -> bool {
        self.varied.tapes.contains(&tape) && self.useful.tapes.contains(&tape)
    }

    /// Marks a copy of a value as the value is marked.
    pub(crate) fn add_copy(&mut self, of: ValueId, copy: ValueId) {
        for marks in [&mut self.varied, &mut self.useful] {
            if marks.has(of) {
                marks.mark(copy);
            }
        }
    }
}

/// The functions that nodes call, directly or indirectly, by number.
pub(crate) fn callees_of(builder: &Builder, nodes: &[Node]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = Vec::new();
    calls_in(nodes, &mut open);
    while let Some(callee) = open.pop() {
        if found.insert(callee)
            && let Some(body) = builder.body(callee)
        {
            calls_in(&body.nodes, &mut open);
        }
    }
    found
}

/// Refuses nodes that call a function which is still being recorded: its derivative is not known yet.
///
/// # Errors
/// At the call.
pub(crate) fn refuse_unfinished(builder: &Builder, nodes: &[Node]) -> Result<(), GradientError> {
    let callees = callees_of(builder, nodes);
    let bodies = callees.iter().filter_map(|callee| builder.body(*callee));
    let mut found = None;
    let blocks = std::iter::once(nodes).chain(bodies.map(|body| &body.nodes[..]));
    blocks.for_each(|nodes| found = found.take().or_else(|| unfinished_call(builder, nodes)));
    match found {
        None => Ok(()),
        Some((name, location)) => {
            let message = format!(
                "a derivative of a call of `{name}`, in `{name}` itself, to a depth that only the run knows"
            );
            let help = "pass the depth as a plain number, or take the derivative outside of the recursion";
            Err(GradientError::new(message, location).with_help(help))
        }
    }
}

/// The name of a function without a body that one of the nodes calls for results with derivatives.
fn unfinished_call(builder: &Builder, nodes: &[Node]) -> Option<(Arc<str>, Option<LocationId>)> {
    nodes.iter().find_map(|node| match &node.op {
        Op::Call(call) if call.results.iter().any(Type::has_tangent) => {
            let is_finished = builder.body(call.callee).is_some_and(|body| !body.results.is_empty());
            (!is_finished).then(|| (builder.name_of(call.callee).unwrap_or_default(), node.location))
        }
        _ => node.regions.iter().find_map(|region| unfinished_call(builder, &region.nodes)),
    })
}

fn calls_in(nodes: &[Node], found: &mut Vec<usize>) {
    for node in nodes {
        if let Op::Call(call) = &node.op {
            found.push(call.callee);
        }
        node.regions.iter().for_each(|region| calls_in(&region.nodes, found));
    }
}

/// The number of the operand that is a loop's first carry.
pub(crate) fn first_carry(node: &Node) -> usize {
    node.operands.len() - node.results.len()
}

/// The body of a loop, and the number of the parameter that is the first carry.
pub(crate) fn loop_body(node: &Node) -> Option<(&Block, usize)> {
    let body = node.regions.last()?;
    Some((body, body.params.len() - node.results.len()))
}

/// The forward analysis.
struct Varied<'a> {
    builder: &'a Builder,
    derivative: u32,
    marks: &'a mut Marks,
}

impl Varied<'_> {
    fn flow(&mut self, from: &[ValueId], to: &[ValueId]) {
        for (from, to) in from.iter().zip(to) {
            if self.marks.has(*from) {
                self.reach(*to);
            }
        }
    }

    fn reach(&mut self, value: ValueId) {
        if self.builder.function().ty(value).has_tangent() {
            self.marks.mark(value);
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    fn node(&mut self, node: &Node) {
        match &node.op {
            Op::If => {
                for region in &node.regions {
                    self.nodes(&region.nodes);
                    self.flow(&region.results, &node.results);
                }
            }
            Op::While | Op::For => {
                let Some((body, offset)) = loop_body(node) else { return };
                self.flow(&node.operands[first_carry(node)..], &body.params[offset..]);
                self.nodes(&body.nodes);
                self.flow(&body.results, &body.params[offset..]);
                self.flow(&body.params[offset..], &node.results);
            }
            Op::Call(call) => {
                let Some(body) = self.builder.body(call.callee) else { return };
                let (params, results) = (body.params.clone(), body.results.clone());
                self.flow(&node.operands, &params);
                self.flow(&results, &node.results);
            }
            Op::Scope(Scope::Checkpoint | Scope::MemoryLimit(_)) => {
                let Some(body) = node.regions.first() else { return };
                self.flow(&node.operands, &body.params);
                self.nodes(&body.nodes);
                self.flow(&body.results, &node.results);
            }
            Op::TapePush(tape) if self.marks.has_any(&node.operands) => self.marks.mark_tape(*tape),
            Op::TapePop(pop) if self.marks.tapes.contains(&pop.tape) => {
                node.results.iter().for_each(|result| self.reach(*result));
            }
            Op::Scope(Scope::VjpRule(derivative) | Scope::JvpRule(derivative)) => {
                let (given, of_rule) = node.operands.split_at(node.results.len());
                if *derivative != self.derivative {
                    self.flow(given, &node.results);
                } else if self.marks.has_any(smooth_operands(node, of_rule)) {
                    node.results.iter().for_each(|result| self.reach(*result));
                }
            }
            Op::Identity(Identity::Held(derivative)) if *derivative == self.derivative => {}
            Op::TapePush(_) | Op::TapePop(_) | Op::Identity(Identity::StopGradient) => {}
            Op::Identity(Identity::WithSlope) => self.flow(&node.operands[1..], &node.results),
            op if has_own_derivative(op) && self.marks.has_any(&node.operands) => {
                node.results.iter().for_each(|result| self.reach(*result));
            }
            _ => {}
        }
    }
}

/// The operands of a rule's node whose adjoints or tangents the rule is about, among those after its results.
pub(crate) fn smooth_operands<'a>(node: &Node, of_rule: &'a [ValueId]) -> &'a [ValueId] {
    match (&node.op, &node.regions[..]) {
        (Op::Scope(Scope::VjpRule(_)), [_, backward]) => &of_rule[..backward.results.len()],
        _ => of_rule,
    }
}

/// Whether the results of a node without regions may depend differentiably on its operands. A callback
/// counts: its derivative is then refused with an error.
fn has_own_derivative(op: &Op) -> bool {
    has_derivative(op)
}

/// The backward analysis.
struct Useful<'a> {
    builder: &'a Builder,
    derivative: u32,
    marks: &'a mut Marks,
}

impl Useful<'_> {
    fn flow(&mut self, from: &[ValueId], to: &[ValueId]) {
        for (from, to) in from.iter().zip(to) {
            if self.marks.has(*from) {
                self.reach(*to);
            }
        }
    }

    fn reach(&mut self, value: ValueId) {
        if self.builder.function().ty(value).has_tangent() {
            self.marks.mark(value);
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        nodes.iter().rev().for_each(|node| self.node(node));
    }

    fn node(&mut self, node: &Node) {
        match &node.op {
            Op::If => {
                for region in &node.regions {
                    self.flow(&node.results, &region.results);
                    self.nodes(&region.nodes);
                }
            }
            Op::While | Op::For => {
                let Some((body, offset)) = loop_body(node) else { return };
                // The loop may run no iteration, or an iteration may yield a carry unchanged.
                self.flow(&node.results, &body.params[offset..]);
                self.flow(&body.params[offset..], &body.results);
                self.nodes(&body.nodes);
                self.flow(&body.params[offset..], &node.operands[first_carry(node)..]);
            }
            Op::Call(call) => {
                let Some(body) = self.builder.body(call.callee) else { return };
                let (params, results) = (body.params.clone(), body.results.clone());
                self.flow(&node.results, &results);
                self.flow(&params, &node.operands);
            }
            Op::Scope(Scope::Checkpoint | Scope::MemoryLimit(_)) => {
                let Some(body) = node.regions.first() else { return };
                self.flow(&node.results, &body.results);
                self.nodes(&body.nodes);
                self.flow(&body.params, &node.operands);
            }
            Op::TapePush(tape) if self.marks.tapes.contains(tape) => {
                node.operands.iter().for_each(|operand| self.reach(*operand));
            }
            Op::TapePop(pop) if self.marks.has_any(&node.results) => self.marks.mark_tape(pop.tape),
            Op::Scope(Scope::VjpRule(derivative) | Scope::JvpRule(derivative)) => {
                let (given, of_rule) = node.operands.split_at(node.results.len());
                if *derivative != self.derivative {
                    self.flow(&node.results, given);
                } else if self.marks.has_any(&node.results) {
                    smooth_operands(node, of_rule).iter().for_each(|operand| self.reach(*operand));
                }
            }
            Op::Identity(Identity::Held(derivative)) if *derivative == self.derivative => {}
            Op::TapePush(_) | Op::TapePop(_) | Op::Identity(Identity::StopGradient) => {}
            Op::Identity(Identity::WithSlope) => self.flow(&node.results, &node.operands[1..]),
            op if has_own_derivative(op) && self.marks.has_any(&node.results) => {
                node.operands.iter().for_each(|operand| self.reach(*operand));
            }
            _ => {}
        }
    }
}
