//! Backward functions: a recursion goes back through its calls.
//!
//! ```text
//! function f(x) { …; y = call f, …; tape_push …; return z }
//! function backward f(dz, dw) { … = tape_pop …; dy, dw = call backward f, …; …; return dx, dw }
//! ```
//!
//! - `w` is a value around the function: its adjoint is passed through all calls and added to.
//! - The forward function is a copy of the user's, which others may call too: it saves what its backward
//!   function asks for.

use std::collections::BTreeMap;

use ag_ir::{Block, Call, Node, Op, Type, ValueId};

use super::Reverse;
use crate::activity::callees_of;
use crate::adjoints::Adjoints;
use crate::captures::free_values;
use crate::error::GradientError;

/// The backward function of a forward one.
#[derive(Clone, Debug)]
pub(super) struct BackwardFunction {
    /// Its number.
    number: usize,
    /// The results of the forward function that have adjoints, by place: its first parameters.
    results: Vec<usize>,
    /// The parameters of the forward function that have adjoints, by place: its first results.
    params: Vec<usize>,
    /// Values around the forward function whose adjoints it is given, and gives.
    around: Vec<ValueId>,
}

impl Reverse<'_> {
    /// Has the nodes call copies of the functions that they call, which are ours to change.
    pub(super) fn own_functions(&mut self, nodes: &mut [Node]) {
        let callees: Vec<usize> = callees_of(self.builder, nodes)
            .into_iter()
            .filter(|callee| self.is_function_active(*callee))
            .collect();
        let copies: BTreeMap<usize, usize> = callees
            .iter()
            .map(|callee| {
                let name = self.builder.name_of(*callee).unwrap_or_default();
                (*callee, self.builder.declare(name))
            })
            .collect();
        for (callee, number) in &copies {
            let Some(body) = self.builder.body(*callee).cloned() else { continue };
            let (mut copy, renamed) = self.builder.copy(&body);
            for (value, copied) in renamed {
                self.activity.add_copy(value, copied);
            }
            retarget(&mut copy.nodes, &copies);
            self.builder.define(*number, copy);
        }
        retarget(nodes, &copies);
    }

    fn is_function_active(&self, callee: usize) -> bool {
        let results = self.builder.body(callee).map(|body| &body.results[..]).unwrap_or_default();
        results.iter().any(|result| self.activity.is_active(*result))
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

    /// The backward function of a forward one, which is made when it is first needed. A recursion needs
    /// it while it is being made.
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

fn retarget(nodes: &mut [Node], copies: &BTreeMap<usize, usize>) {
    for node in nodes {
        if let Op::Call(call) = &mut node.op
            && let Some(copy) = copies.get(&call.callee)
        {
            call.callee = *copy;
        }
        // A scope is computed again as a whole, and has functions of its own then.
        if !matches!(node.op, Op::Scope(_)) {
            node.regions.iter_mut().for_each(|region| retarget(&mut region.nodes, copies));
        }
    }
}
