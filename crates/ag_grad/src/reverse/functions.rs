//! Reverse mode of calls: a backward function for each called function, so that recursion works.
//!
//! ```text
//! function f(x) { …; y = call f, …; tape_push …; return z }
//! function backward f(dz, dw) { … = tape_pop …; dy, dw = call backward f, …; …; return dx, dw }
//! ```
//!
//! - `w` is a captured value: its adjoint is passed through all calls and accumulated.
//! - A parameter that a recursion passes on unchanged, such as weights, is first turned into a captured
//!   value.
//! - The forward function is a copy of the user's, which may have other callers: the copy saves the values
//!   that its backward function asks for.

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{Block, Builder, Call, Node, Op, Type, ValueId};

use super::Reverse;
use crate::activity::callees_of;
use crate::adjoints::Adjoints;
use crate::captures::free_values;
use crate::error::GradientError;
use crate::inline::rename_uses;

/// The backward function of a forward one.
#[derive(Clone, Debug)]
pub(super) struct BackwardFunction {
    /// Its number.
    number: usize,
    /// The positions of the forward function's results that have adjoints: the first parameters of the
    /// backward function.
    results: Vec<usize>,
    /// The positions of the forward function's parameters that have adjoints: the first results of the
    /// backward function.
    params: Vec<usize>,
    /// Captured values of the forward function whose adjoints the backward function takes and returns.
    around: Vec<ValueId>,
}

impl Reverse<'_> {
    /// Makes the nodes call copies of their callees, which the pass may change. A parameter that all calls of
    /// a recursion pass on unchanged becomes a captured value of the copies.
    pub(super) fn own_functions(&mut self, nodes: &mut [Node]) {
        let mut known = BTreeMap::new();
        self.own_calls(nodes, &mut known);
    }

    fn own_calls(&mut self, nodes: &mut [Node], known: &mut BTreeMap<Constants, BTreeMap<usize, usize>>) {
        for node in nodes {
            if let Op::Call(call) = &node.op
                && self.is_function_active(call.callee)
            {
                let constants = constants_of(self.builder, call.callee, &node.operands);
                let copies = match known.get(&constants) {
                    Some(copies) if copies.contains_key(&call.callee) => copies.clone(),
                    _ => {
                        let copies = self.copied_functions(call.callee, &constants);
                        known.insert(constants.clone(), copies.clone());
                        copies
                    }
                };
                retarget(std::slice::from_mut(node), &copies, &constants);
            }
            // A scope is computed again as a whole, and then gets functions of its own.
            if !matches!(node.op, Op::Scope(_)) {
                node.regions.iter_mut().for_each(|region| self.own_calls(&mut region.nodes, known));
            }
        }
    }

    /// Copies a function and those that it calls; returns the number of each copy.
    fn copied_functions(&mut self, callee: usize, constants: &Constants) -> BTreeMap<usize, usize> {
        let reached: Vec<usize> = reached_from(self.builder, callee)
            .into_iter()
            .filter(|one| self.is_function_active(*one))
            .collect();
        let copies: BTreeMap<usize, usize> = reached
            .iter()
            .map(|one| {
                let name = self.builder.name_of(*one).unwrap_or_default();
                (*one, self.builder.declare(name))
            })
            .collect();
        for (one, number) in &copies {
            let Some(body) = self.builder.body(*one).cloned() else { continue };
            let (mut copy, renamed) = self.builder.copy(&body);
            for (value, copied) in renamed {
                self.activity.add_copy(value, copied);
            }
            let around: BTreeMap<ValueId, ValueId> = (0..copy.params.len())
                .filter_map(|place| Some((copy.params[place], *constants.get(&(*one, place))?)))
                .collect();
            copy.params.retain(|param| !around.contains_key(param));
            rename_uses(&mut copy, &around);
            retarget(&mut copy.nodes, &copies, constants);
            self.builder.define(*number, copy);
        }
        copies
    }

    fn is_function_active(&self, callee: usize) -> bool {
        let Some(body) = self.builder.body(callee) else { return false };
        if body.results.iter().any(|result| self.activity.is_active(*result)) {
            return true;
        }
        let callees = callees_of(self.builder, &body.nodes);
        let inner = callees.iter().filter_map(|inner| self.builder.body(*inner));
        inner.chain([body]).any(|body| self.has_active_tape(&body.nodes))
    }

    pub(super) fn reverse_call(&mut self, node: &Node, adjoints: &mut Adjoints) -> Result<(), GradientError> {
        let Op::Call(call) = &node.op else { return Ok(()) };
        let backward = self.backward_function(call.callee)?;
        let mut operands = Vec::new();
        for place in &backward.results {
            operands.push(self.adjoint_or_zeros(node.results[*place], adjoints)?);
        }
        for value in &backward.around {
            operands.push(self.adjoint_or_zeros(*value, adjoints)?);
        }
        let given = backward.params.iter().map(|place| node.operands[*place]);
        let given: Vec<ValueId> = given.chain(backward.around.iter().copied()).collect();
        let results: Vec<Type> =
            given.iter().map(|value| self.builder.function().ty(*value).clone()).collect();
        let call = Op::Call(Call { callee: backward.number, results });
        let results = self.builder.emit(call, &operands, node.location)?;
        let (of_params, around) = results.split_at(backward.params.len());
        for (value, adjoint) in backward.around.iter().zip(around) {
            adjoints.set(*value, *adjoint);
        }
        for (value, adjoint) in given.iter().zip(of_params) {
            if self.activity.is_active(*value) {
                adjoints.add(self.builder, *value, *adjoint)?;
            }
        }
        Ok(())
    }

    /// The backward function of a forward one, made when it is first needed. A recursion refers to it while
    /// it is being made.
    fn backward_function(&mut self, callee: usize) -> Result<BackwardFunction, GradientError> {
        if let Some(known) = self.functions.get(&callee) {
            return Ok(known.clone());
        }
        let mut body = self.builder.body(callee).cloned().unwrap_or_default();
        let name = self.builder.name_of(callee).unwrap_or_default();
        let active = |values: &[ValueId]| -> Vec<usize> {
            (0..values.len()).filter(|place| self.activity.is_active(values[*place])).collect()
        };
        let (results, params) = (active(&body.results), active(&body.params));
        let around = free_values(self.builder, &body)
            .into_iter()
            .filter(|value| self.activity.is_active(*value))
            .collect();
        let number = self.builder.declare(format!("backward {name}"));
        let backward = BackwardFunction { number, results, params, around };
        self.functions.insert(callee, backward.clone());
        let made = self.backward_block(&mut body, &backward);
        self.builder.define(callee, body);
        self.builder.define(number, made?);
        Ok(backward)
    }

    fn backward_block(
        &mut self,
        body: &mut Block,
        backward: &BackwardFunction,
    ) -> Result<Block, GradientError> {
        self.builder.open();
        self.frames.enter(body);
        let mut adjoints = Adjoints::default();
        let made = self.inside_function(body, backward, &mut adjoints);
        let mut block = self.builder.close(made.clone().unwrap_or_default());
        self.frames.leave(self.builder, body, &mut block);
        made.map(|_| block)
    }

    fn inside_function(
        &mut self,
        body: &mut Block,
        backward: &BackwardFunction,
        adjoints: &mut Adjoints,
    ) -> Result<Vec<ValueId>, GradientError> {
        let mut param_like = |like: ValueId| {
            let ty = self.builder.function().ty(like).clone();
            self.builder.param(ty)
        };
        let seeds: Vec<ValueId> =
            backward.results.iter().map(|place| param_like(body.results[*place])).collect();
        for value in &backward.around {
            let param = param_like(*value);
            adjoints.set(*value, param);
        }
        for (place, seed) in backward.results.iter().zip(seeds) {
            adjoints.add(self.builder, body.results[*place], seed)?;
        }
        self.walk(&mut body.nodes, adjoints)?;
        let params = backward.params.iter().map(|place| body.params[*place]);
        let ends: Vec<ValueId> = params.chain(backward.around.iter().copied()).collect();
        ends.into_iter().map(|value| self.adjoint_or_zeros(value, adjoints)).collect()
    }
}

/// Parameters that have the same outer value in all calls, by function and position.
type Constants = BTreeMap<(usize, usize), ValueId>;

/// Finds the parameters that have the same outer value in all calls that a call leads to.
fn constants_of(builder: &Builder, callee: usize, operands: &[ValueId]) -> Constants {
    let mut found: BTreeMap<(usize, usize), Option<ValueId>> =
        operands.iter().enumerate().map(|(place, operand)| ((callee, place), Some(*operand))).collect();
    let reached = reached_from(builder, callee);
    loop {
        let before = found.clone();
        for caller in &reached {
            let Some(body) = builder.body(*caller) else { continue };
            let mut bound = BTreeSet::new();
            bound_in(body, &mut bound);
            let params: BTreeMap<ValueId, usize> =
                body.params.iter().enumerate().map(|(place, param)| (*param, place)).collect();
            // An argument of a call is a parameter of the calling function, or a value captured by it.
            let passed = |operand: &ValueId| match params.get(operand) {
                Some(place) => before.get(&(*caller, *place)).copied(),
                None if bound.contains(operand) => Some(None),
                None => Some(Some(*operand)),
            };
            calls_in(&body.nodes, &mut |call, operands| {
                for (place, operand) in operands.iter().enumerate() {
                    let Some(value) = passed(operand) else { continue };
                    let slot = found.entry((call.callee, place)).or_insert(value);
                    if *slot != value {
                        *slot = None;
                    }
                }
            });
        }
        if found == before {
            return found.into_iter().filter_map(|(place, value)| Some((place, value?))).collect();
        }
    }
}

/// A function and those that it calls, directly or indirectly.
fn reached_from(builder: &Builder, callee: usize) -> BTreeSet<usize> {
    let mut reached = builder.body(callee).map(|body| callees_of(builder, &body.nodes)).unwrap_or_default();
    reached.insert(callee);
    reached
}

fn calls_in(nodes: &[Node], tell: &mut impl FnMut(&Call, &[ValueId])) {
    for node in nodes {
        if let Op::Call(call) = &node.op {
            tell(call, &node.operands);
        }
        node.regions.iter().for_each(|region| calls_in(&region.nodes, tell));
    }
}

fn bound_in(block: &Block, bound: &mut BTreeSet<ValueId>) {
    bound.extend(&block.params);
    for node in &block.nodes {
        bound.extend(&node.results);
        node.regions.iter().for_each(|region| bound_in(region, bound));
    }
}

/// Redirects calls to the copies, without the arguments that are no longer parameters.
fn retarget(nodes: &mut [Node], copies: &BTreeMap<usize, usize>, constants: &Constants) {
    for node in nodes {
        if let Op::Call(call) = &mut node.op
            && let Some(copy) = copies.get(&call.callee)
        {
            let callee = std::mem::replace(&mut call.callee, *copy);
            let mut place = 0;
            node.operands.retain(|_| {
                place += 1;
                !constants.contains_key(&(callee, place - 1))
            });
        }
        // A scope is computed again as a whole, and then gets functions of its own.
        if !matches!(node.op, Op::Scope(_)) {
            node.regions.iter_mut().for_each(|region| retarget(&mut region.nodes, copies, constants));
        }
    }
}
