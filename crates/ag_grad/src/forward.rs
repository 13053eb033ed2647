//! Forward mode: computes the tangents of values next to the values (`jvp`).
//!
//! ```text
//! %2 = sin %1                            %2 = sin %1; %3 = cos %1; %4 = mul %d1, %3
//! %5 = while %2 … body(%6) {       →     %5, %7 = while %2, %4 … body(%6, %8) {
//!   … yield … }                            … yield …, … }
//! ```
//!
//! The nodes are emitted again in their place, each followed by the nodes of its tangents. A loop also
//! carries the tangents of its carries, a branch also yields those of its results, and a called function gets
//! a version that takes and returns tangents.

pub(crate) mod scopes;

use std::collections::BTreeMap;

use ag_ir::{Block, Builder, Call, Identity, Node, Op, TapePop, Type, ValueId};

use crate::activity::{Activity, first_carry, loop_body, refuse_unfinished};
use crate::error::GradientError;
use crate::inline::again;
use crate::reverse::no_rule_for_a_callback;
use crate::ruled::apply_rules;
use crate::site::{AtHand, Site};
use crate::{Range, emit, rules};

/// Emits the tangents of `outputs`, from those of `wrt`: pairs of a value and its tangent. Returns none for a
/// zero tangent. If the tangents were recorded before the range (`is_before`), the range is changed in place;
/// else it is computed again at the end of the innermost open block.
///
/// # Errors
/// If an op on the way has no derivative; the nodes of the range are then unchanged.
pub fn jvp(
    builder: &mut Builder,
    range: Range,
    is_before: bool,
    wrt: &[(ValueId, ValueId)],
    outputs: &[ValueId],
) -> Result<Vec<Option<ValueId>>, GradientError> {
    let first = builder.function().values.len();
    let tangents = tangents_of(builder, range, is_before, wrt, outputs);
    builder.mark_derivative(first);
    tangents
}

fn tangents_of(
    builder: &mut Builder,
    range: Range,
    is_before: bool,
    wrt: &[(ValueId, ValueId)],
    outputs: &[ValueId],
) -> Result<Vec<Option<ValueId>>, GradientError> {
    let derivative = range.first.0;
    if !is_before {
        apply_rules(builder, range, &wrt.iter().map(|(value, _)| *value).collect::<Vec<_>>())?;
    }
    let Some(mut taken) = builder.take_out(range.first, range.last) else {
        return Err(GradientError::new("a derivative of what is not being recorded here", None));
    };
    if !is_before || !builder.is_innermost(&taken) {
        let nodes = taken.nodes.clone();
        builder.put_back(taken);
        let (nodes, names) = again(builder, nodes)?;
        let named = |value: &ValueId| names.get(value).copied().unwrap_or(*value);
        let wrt: Vec<(ValueId, ValueId)> =
            wrt.iter().map(|(value, tangent)| (named(value), *tangent)).collect();
        let outputs: Vec<ValueId> = outputs.iter().map(named).collect();
        let (block, tangents) = pushed_forward(builder, &nodes, &wrt, derivative)?;
        block.nodes.into_iter().for_each(|node| builder.push(node));
        return Ok(outputs.iter().map(|output| tangents.get(output).copied()).collect());
    }
    let found = refuse_unfinished(builder, &taken.nodes)
        .and_then(|()| pushed_forward(builder, &taken.nodes, wrt, derivative));
    let found = found.map(|(block, tangents)| {
        taken.nodes = block.nodes;
        outputs.iter().map(|output| tangents.get(output).copied()).collect()
    });
    builder.put_back(taken);
    found
}

/// The nodes with those of their tangents added, and the tangent of each value.
fn pushed_forward(
    builder: &mut Builder,
    nodes: &[Node],
    wrt: &[(ValueId, ValueId)],
    derivative: u32,
) -> Result<(Block, BTreeMap<ValueId, ValueId>), GradientError> {
    let inputs: Vec<ValueId> = wrt.iter().map(|(value, _)| *value).collect();
    let activity = Activity::of_inputs(builder, nodes, &inputs, derivative);
    let mut forward = Forward {
        builder,
        derivative,
        activity,
        tangents: wrt.iter().copied().collect(),
        functions: BTreeMap::new(),
        tapes: BTreeMap::new(),
    };
    forward.builder.open();
    let walked = forward.nodes(nodes);
    let tangents = forward.tangents;
    let block = builder.close(Vec::new());
    walked.map(|()| (block, tangents))
}

struct Forward<'a> {
    builder: &'a mut Builder,
    /// The number of the derivative, whose rules of the user are used.
    derivative: u32,
    activity: Activity,
    /// The tangents by value; a value without one has a zero tangent.
    tangents: BTreeMap<ValueId, ValueId>,
    /// The versions of functions with tangents, by the number of the original function.
    functions: BTreeMap<usize, TangentFunction>,
    /// The tapes of tangents, by the tape whose values they belong to.
    tapes: BTreeMap<u32, u32>,
}

/// A function that takes and returns tangents after its values.
#[derive(Clone, Debug)]
struct TangentFunction {
    number: usize,
    /// The positions of the parameters and the results that have tangents.
    params: Vec<usize>,
    results: Vec<usize>,
}

impl Forward<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Result<(), GradientError> {
        nodes.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &Node) -> Result<(), GradientError> {
        match &node.op {
            Op::If => self.forward_if(node),
            Op::While | Op::For => self.forward_loop(node),
            Op::Call(call) => self.forward_call(node, call),
            Op::Scope(scope) => self.forward_scope(node, *scope),
            Op::TapePush(tape) => {
                self.builder.push(node.clone());
                if self.activity.is_tape_varied(*tape) {
                    let tangent = self.tangent_or_zeros(node.operands[0])?;
                    let tape = self.tape_of_tangents(*tape);
                    self.builder.emit(Op::TapePush(tape), &[tangent], None)?;
                }
                Ok(())
            }
            Op::TapePop(pop) => {
                self.builder.push(node.clone());
                if self.activity.is_tape_varied(pop.tape) {
                    let pop = TapePop { tape: self.tape_of_tangents(pop.tape), ty: pop.ty.clone() };
                    let tangent = emit::one(self.builder, Op::TapePop(pop), &[])?;
                    self.tangents.insert(node.results[0], tangent);
                }
                Ok(())
            }
            Op::Identity(Identity::Held(derivative)) if *derivative == self.derivative => {
                self.builder.push(node.clone());
                Ok(())
            }
            Op::Identity(Identity::Plain | Identity::Saved | Identity::Held(_)) => {
                self.builder.push(node.clone());
                if let Some(tangent) = self.tangents.get(&node.operands[0]).copied() {
                    self.tangents.insert(node.results[0], tangent);
                }
                Ok(())
            }
            Op::Callback(_) if node.results.iter().any(|result| self.activity.is_varied(*result)) => {
                Err(no_rule_for_a_callback(node))
            }
            _ => self.primitive(node),
        }
    }

    fn primitive(&mut self, node: &Node) -> Result<(), GradientError> {
        self.builder.push(node.clone());
        if !node.results.iter().any(|result| self.activity.is_varied(*result)) {
            return Ok(());
        }
        let tangents: Vec<Option<ValueId>> =
            node.operands.iter().map(|operand| self.tangents.get(operand).copied()).collect();
        if tangents.iter().all(Option::is_none) {
            return Ok(());
        }
        let mut site = Site { builder: self.builder, primals: &mut AtHand, node };
        let found = rules::tangent(&mut site, &tangents)?;
        for (result, tangent) in node.results.iter().zip(found) {
            if let Some(tangent) = tangent {
                self.tangents.insert(*result, tangent);
            }
        }
        Ok(())
    }

    fn tape_of_tangents(&mut self, tape: u32) -> u32 {
        let builder = &mut *self.builder;
        *self.tapes.entry(tape).or_insert_with(|| builder.new_tape())
    }

    fn tangent_or_zeros(&mut self, value: ValueId) -> Result<ValueId, GradientError> {
        let ty = self.builder.function().ty(value).clone();
        match self.tangents.get(&value).copied() {
            Some(tangent) => emit::with_type(self.builder, tangent, &ty),
            None => emit::zeros_like(self.builder, value),
        }
    }

    fn varied_among(&self, values: &[ValueId]) -> Vec<usize> {
        (0..values.len()).filter(|place| self.activity.is_varied(values[*place])).collect()
    }

    /// Notes which results of an emitted node are tangents.
    fn bind_tangents(&mut self, node: &Node, varied: &[usize], tangents: &[ValueId]) {
        for (place, tangent) in varied.iter().zip(tangents) {
            self.tangents.insert(node.results[*place], *tangent);
        }
    }

    /// Emits a node with the results of another and further results of these types; returns those.
    fn extended(
        &mut self,
        node: &Node,
        op: Op,
        operands: Vec<ValueId>,
        regions: Vec<Block>,
        more: Vec<Type>,
    ) -> Vec<ValueId> {
        let more: Vec<ValueId> =
            more.into_iter().map(|ty| self.builder.function_mut().new_value(ty)).collect();
        let results = node.results.iter().chain(&more).copied().collect();
        self.builder.push(Node { op, operands, results, regions, location: node.location });
        more
    }

    fn types_of(&self, values: &[ValueId], places: &[usize]) -> Vec<Type> {
        places.iter().map(|place| self.builder.function().ty(values[*place]).clone()).collect()
    }

    fn forward_if(&mut self, node: &Node) -> Result<(), GradientError> {
        let varied = self.varied_among(&node.results);
        let mut regions = Vec::new();
        for region in &node.regions {
            self.builder.open();
            let results =
                self.nodes(&region.nodes).and_then(|()| self.with_tangents(&region.results, &varied));
            regions.push(self.builder.close(results.clone().unwrap_or_default()));
            results?;
        }
        let types = self.types_of(&node.results, &varied);
        let tangents = self.extended(node, Op::If, node.operands.clone(), regions, types);
        self.bind_tangents(node, &varied, &tangents);
        Ok(())
    }

    /// Values, followed by the tangents of some of them.
    fn with_tangents(&mut self, values: &[ValueId], places: &[usize]) -> Result<Vec<ValueId>, GradientError> {
        let mut all = values.to_vec();
        for place in places {
            all.push(self.tangent_or_zeros(values[*place])?);
        }
        Ok(all)
    }

    fn forward_loop(&mut self, node: &Node) -> Result<(), GradientError> {
        let Some((body, offset)) = loop_body(node) else { return Ok(()) };
        let varied = self.varied_among(&body.params[offset..]);
        let mut operands = node.operands.clone();
        for place in &varied {
            operands.push(self.tangent_or_zeros(node.operands[first_carry(node) + place])?);
        }
        let types = self.types_of(&body.params[offset..], &varied);
        let mut regions = Vec::new();
        for (number, region) in node.regions.iter().enumerate() {
            let is_test = number + 1 < node.regions.len();
            self.builder.open();
            for (place, ty) in varied.iter().zip(&types) {
                let tangent = self.builder.param(ty.clone());
                self.tangents.insert(region.params[if is_test { 0 } else { offset } + place], tangent);
            }
            let results = self.nodes(&region.nodes).and_then(|()| {
                if is_test {
                    Ok(region.results.clone())
                } else {
                    self.with_tangents(&region.results, &varied)
                }
            });
            let mut block = self.builder.close(results.clone().unwrap_or_default());
            results?;
            block.params = region.params.iter().chain(&block.params).copied().collect();
            regions.push(block);
        }
        let tangents = self.extended(node, node.op.clone(), operands, regions, types);
        self.bind_tangents(node, &varied, &tangents);
        Ok(())
    }

    fn forward_call(&mut self, node: &Node, call: &Call) -> Result<(), GradientError> {
        if self.varied_among(&node.results).is_empty() {
            self.builder.push(node.clone());
            return Ok(());
        }
        let function = self.tangent_function(call.callee)?;
        let operands = self.with_tangents(&node.operands, &function.params)?;
        let types = self.types_of(&node.results, &function.results);
        let results = call.results.iter().cloned().chain(types.iter().cloned()).collect();
        let op = Op::Call(Call { callee: function.number, results });
        let tangents = self.extended(node, op, operands, Vec::new(), types);
        self.bind_tangents(node, &function.results, &tangents);
        Ok(())
    }

    fn tangent_function(&mut self, callee: usize) -> Result<TangentFunction, GradientError> {
        if let Some(known) = self.functions.get(&callee) {
            return Ok(known.clone());
        }
        let original = self.builder.body(callee).cloned().unwrap_or_default();
        let (body, renamed) = self.builder.copy(&original);
        for (value, copy) in renamed {
            self.activity.add_copy(value, copy);
        }
        let name = self.builder.name_of(callee).unwrap_or_default();
        let number = self.builder.declare(format!("tangent {name}"));
        let (params, results) = (self.varied_among(&body.params), self.varied_among(&body.results));
        let function = TangentFunction { number, params, results };
        self.functions.insert(callee, function.clone());
        self.builder.open();
        for place in &function.params {
            let ty = self.builder.function().ty(body.params[*place]).clone();
            let tangent = self.builder.param(ty);
            self.tangents.insert(body.params[*place], tangent);
        }
        let made =
            self.nodes(&body.nodes).and_then(|()| self.with_tangents(&body.results, &function.results));
        let mut block = self.builder.close(made.clone().unwrap_or_default());
        block.params = body.params.iter().chain(&block.params).copied().collect();
        made?;
        self.builder.define(number, block);
        Ok(function)
    }
}
