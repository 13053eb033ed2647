//! Reverse mode of loops with a memory limit: binomial checkpointing.
//!
//! ```text
//! function back(state, first, count, waiting, adjoints) {
//!   if count <= fit { the iterations from `state` on, saved, and back through them }
//!   else { before = fit * the units before the next stop       // see `binomial`
//!          middle = so many iterations, from `state` on, nothing saved
//!          adjoints = back(middle, first + before, count - before, waiting - 1, adjoints)
//!          return back(state, first, before, waiting, adjoints) } }
//! ```
//!
//! - `fit` iterations are saved at a time, a unit; `waiting` is how many states there may be at a time. They are
//!   computed in the run, from the actual sizes: the limit is for both of them, half for each.
//! - The number of iterations is known: a `while` has counted them on the way forward.

use ag_ir::{BinaryOp, Block, Call, CompareOp, DType, Node, Op, Scope, Type, ValueId};

use super::binomial::units_before_stop;
use super::{Reverse, limits};
use crate::activity::{first_carry, loop_body};
use crate::adjoints::Adjoints;
use crate::captures::free_values;
use crate::emit;
use crate::error::GradientError;
use crate::inline::{identity, rename_uses};
use crate::site::Primals;

/// A loop in the backward pass; all outer values are at hand.
struct Limited {
    /// The bounds of a `for`; none for a `while`, whose iterations have no index.
    bounds: Option<[ValueId; 3]>,
    /// The body; its parameters are the index, if there is one, and the carries.
    body: Block,
    /// The initial values of the carries.
    start: Vec<ValueId>,
    /// The positions of the carries that have adjoints.
    active: Vec<usize>,
    /// Outer values that have adjoints.
    around: Vec<ValueId>,
    /// The number of iterations.
    count: ValueId,
}

impl Reverse<'_> {
    pub(super) fn reverse_limited(
        &mut self,
        nodes: &mut Vec<Node>,
        at: usize,
        bytes: u64,
        adjoints: &mut Adjoints,
    ) -> Result<(), GradientError> {
        let is_one_loop =
            matches!(&nodes[at].regions[0].nodes[..], [only] if matches!(only.op, Op::While | Op::For));
        if !is_one_loop {
            return self.reverse_checkpoint(nodes, at, adjoints);
        }
        let node = nodes[at].clone();
        let count = self.iterations_of(&mut nodes[at]);
        let given: Vec<(ValueId, ValueId)> =
            node.operands.iter().copied().zip(node.regions[0].params.iter().copied()).collect();
        let limited = self.seen_from_behind(&node, count, &given)?;
        let results = &node.regions[0].nodes.last().map(|inner| inner.results.clone()).unwrap_or_default();
        let outer = |inner: ValueId| {
            let place = node.regions[0].results.iter().position(|result| *result == inner);
            place.map(|place| node.results[place])
        };
        let mut seeds = Vec::new();
        for carry in &limited.active {
            let found = outer(results[*carry]).and_then(|result| adjoints.get(result));
            seeds.push(match found {
                Some(adjoint) => self.typed(adjoint, limited.start[*carry])?,
                None => emit::zeros_like(self.builder, limited.start[*carry])?,
            });
        }
        // Operands that the loop uses as outer values, and the values that stand for them here.
        for value in &limited.around {
            let known = given.iter().find(|(operand, _)| self.frames.value(self.builder, *operand) == *value);
            let total = known.and_then(|(operand, _)| adjoints.get(*operand));
            seeds.push(match total {
                Some(adjoint) => self.typed(adjoint, *value)?,
                None => emit::zeros_like(self.builder, *value)?,
            });
        }
        let found = self.back_through(&limited, bytes, seeds, node.location)?;
        let (of_start, of_around) = found.split_at(limited.active.len());
        for (value, adjoint) in limited.around.iter().zip(of_around) {
            let known = given.iter().find(|(operand, _)| self.frames.value(self.builder, *operand) == *value);
            if let Some((operand, _)) = known {
                adjoints.set(*operand, *adjoint);
            }
        }
        for (carry, adjoint) in limited.active.iter().zip(of_start) {
            let start = limited.start[*carry];
            let known = given.iter().find(|(operand, _)| self.frames.value(self.builder, *operand) == start);
            if let Some((operand, _)) = known
                && self.activity.is_active(*operand)
            {
                adjoints.add(self.builder, *operand, *adjoint)?;
            }
        }
        Ok(())
    }

    fn typed(&mut self, value: ValueId, like: ValueId) -> Result<ValueId, GradientError> {
        let ty = self.builder.function().ty(like).clone();
        emit::with_type(self.builder, value, &ty)
    }

    /// The number of iterations of the loop of a scope. A `while` gets a counter, which becomes one more
    /// result of the scope.
    fn iterations_of(&mut self, node: &mut Node) -> Option<ValueId> {
        let region = &mut node.regions[0];
        if !matches!(region.nodes[0].op, Op::While) {
            return None;
        }
        let inner = self.count_iterations(&mut region.nodes, 0);
        // The counter belongs to the scope, not to the block around it.
        let outer = self.builder.function_mut().new_value(Type::scalar(DType::I64));
        region.results.push(inner);
        node.results.push(outer);
        self.frames.bind(outer);
        Some(outer)
    }

    /// The loop without a counter, with the values of the backward pass that stand for outer values.
    fn seen_from_behind(
        &mut self,
        node: &Node,
        count: Option<ValueId>,
        given: &[(ValueId, ValueId)],
    ) -> Result<Limited, GradientError> {
        let mut region = node.regions[0].clone();
        let mut names = std::collections::BTreeMap::new();
        for (operand, param) in given {
            names.insert(*param, self.frames.value(self.builder, *operand));
        }
        for value in free_values(self.builder, &node.regions[0]) {
            names.insert(value, self.frames.value(self.builder, value));
        }
        rename_uses(&mut region, &names);
        let is_active = |value: ValueId| self.activity.is_active(value);
        let looped = node.regions[0].nodes.last().cloned();
        let (Some(before), Some(inner)) = (looped, region.nodes.pop()) else {
            return Err(GradientError::new("a loop that is none", node.location));
        };
        let Some((old_body, offset)) = loop_body(&before) else {
            return Err(GradientError::new("a loop that is none", node.location));
        };
        let states = before.results.len();
        let active: Vec<usize> = (0..states)
            .filter(|carry| is_active(old_body.params[offset + carry]) || is_active(before.results[*carry]))
            .collect();
        let around: Vec<ValueId> = free_values(self.builder, old_body)
            .into_iter()
            .filter(|value| is_active(*value))
            .map(|value| names.get(&value).copied().unwrap_or(value))
            .collect();
        let first = first_carry(&inner);
        let start: Vec<ValueId> = inner.operands[first..].to_vec();
        let bounds = (offset == 1).then(|| [inner.operands[0], inner.operands[1], inner.operands[2]]);
        let body = inner.regions.last().cloned().unwrap_or_default();
        let count = match (count, bounds) {
            (Some(count), _) => self.frames.value(self.builder, count),
            (None, Some(bounds)) => self.count_of(bounds),
            (None, None) => emit::integer(self.builder, 0),
        };
        Ok(Limited { bounds, body, start, active, around, count })
    }

    /// Calls the function that reverses the iterations; returns the adjoints of the initial carries and of
    /// outer values.
    fn back_through(
        &mut self,
        limited: &Limited,
        bytes: u64,
        seeds: Vec<ValueId>,
        location: Option<ag_ir::LocationId>,
    ) -> Result<Vec<ValueId>, GradientError> {
        let (state_types, seed_types) = (self.types_of(&limited.start), self.types_of(&seeds));
        // Separate functions, so that their arrays are allocated only while one of them runs.
        let (back, each) = self.saved_function(limited, &state_types, &seed_types)?;
        let ahead = self.unsaved_function(limited, &state_types)?;
        let number = self.builder.declare("backward units");
        let again = Op::Call(Call { callee: number, results: seed_types.clone() });
        let fit = self.builder.function_mut().new_value(Type::scalar(DType::I64));
        self.builder.open();
        let (state, [first, count]) = self.entered(&state_types);
        let waiting = self.builder.param(Type::scalar(DType::I64));
        let given: Vec<ValueId> = seed_types.iter().map(|ty| self.builder.param(ty.clone())).collect();
        let fits = emit::one(self.builder, Op::Compare(CompareOp::Le), &[count, fit])?;
        self.builder.open();
        let operands = [&state[..], &[first, count], &given].concat();
        let results = self.builder.emit(back, &operands, location)?;
        let leaf = self.builder.close(results);
        self.builder.open();
        let unit = Unit { ahead: &ahead, again: &again, fit };
        let results = self.two_parts(&unit, &state, [first, count, waiting], &given)?;
        let parts = self.builder.close(results);
        let results = self.builder.emit_with_regions(Op::If, &[fits], vec![leaf, parts], location)?;
        let block = self.builder.close(results);
        self.builder.define(number, block);
        let (computed, states) =
            self.iterations_that_fit(&limited.start, limited.count, bytes, each, location)?;
        self.builder.push(identity(computed, fit));
        let zero = emit::integer(self.builder, 0);
        let operands = [&limited.start[..], &[zero, limited.count, states], &seeds].concat();
        Ok(self.builder.emit(again, &operands, location)?)
    }

    fn types_of(&self, values: &[ValueId]) -> Vec<Type> {
        values.iter().map(|value| self.builder.function().ty(*value).clone()).collect()
    }

    /// Adds parameters to the innermost block: a state, the number of an iteration, and the number of
    /// iterations.
    fn entered(&mut self, state: &[Type]) -> (Vec<ValueId>, [ValueId; 2]) {
        let state = state.iter().map(|ty| self.builder.param(ty.clone())).collect();
        (state, [0, 1].map(|_| self.builder.param(Type::scalar(DType::I64))))
    }

    /// A function that runs iterations, saves them and reverses them. Returns a call of it, and the bytes
    /// that each iteration saves, if they are known.
    fn saved_function(
        &mut self,
        limited: &Limited,
        state: &[Type],
        seeds: &[Type],
    ) -> Result<(Op, Option<u64>), GradientError> {
        let callee = self.builder.declare("backward iterations");
        self.builder.open();
        let (state, [first, count]) = self.entered(state);
        let given: Vec<ValueId> = seeds.iter().map(|ty| self.builder.param(ty.clone())).collect();
        let found = self.saved_iterations(limited, &state, first, count, &given);
        let block = self.builder.close(found.clone().map(|(results, _)| results).unwrap_or_default());
        let (_, each) = found?;
        self.builder.define(callee, block);
        Ok((Op::Call(Call { callee, results: seeds.to_vec() }), each))
    }

    /// A function that runs iterations and saves nothing; returns a call of it.
    fn unsaved_function(&mut self, limited: &Limited, state: &[Type]) -> Result<Op, GradientError> {
        let callee = self.builder.declare("forward iterations");
        self.builder.open();
        let (entries, [first, count]) = self.entered(state);
        let (node, results) = self.iterations(limited, &entries, first, count);
        self.builder.push(node);
        let block = self.builder.close(results);
        self.builder.define(callee, block);
        Ok(Op::Call(Call { callee, results: state.to_vec() }))
    }

    /// A loop over some of the iterations, with new values.
    fn iterations(
        &mut self,
        limited: &Limited,
        state: &[ValueId],
        first: ValueId,
        count: ValueId,
    ) -> (Node, Vec<ValueId>) {
        let (mut body, _) = self.builder.copy(&limited.body);
        let bounds = match limited.bounds {
            Some([start, _, step]) => {
                let distance = emit::arithmetic(self.builder, BinaryOp::Mul, first, step);
                let from = emit::arithmetic(self.builder, BinaryOp::Add, start, distance);
                let length = emit::arithmetic(self.builder, BinaryOp::Mul, count, step);
                [from, emit::arithmetic(self.builder, BinaryOp::Add, from, length), step]
            }
            None => {
                let index = self.builder.function_mut().new_value(Type::scalar(DType::I64));
                body.params.insert(0, index);
                [emit::integer(self.builder, 0), count, emit::integer(self.builder, 1)]
            }
        };
        let results: Vec<ValueId> = state
            .iter()
            .map(|value| {
                let ty = self.builder.function().ty(*value).clone();
                self.builder.function_mut().new_value(ty)
            })
            .collect();
        let operands = bounds.iter().chain(state).copied().collect();
        let node =
            Node { op: Op::For, operands, results: results.clone(), regions: vec![body], location: None };
        (node, results)
    }

    /// Iterations that are saved and reversed; returns the adjoints, and the bytes that each iteration saves,
    /// if they are known.
    fn saved_iterations(
        &mut self,
        limited: &Limited,
        state: &[ValueId],
        first: ValueId,
        count: ValueId,
        given: &[ValueId],
    ) -> Result<(Vec<ValueId>, Option<u64>), GradientError> {
        let mut own = |value: ValueId| {
            let ty = self.builder.function().ty(value).clone();
            let new = self.builder.function_mut().new_value(ty);
            (new, identity(value, new))
        };
        let (entries, mut nodes): (Vec<ValueId>, Vec<Node>) = state.iter().map(|value| own(*value)).unzip();
        let (around, more): (Vec<ValueId>, Vec<Node>) =
            limited.around.iter().map(|value| own(*value)).unzip();
        nodes.extend(more);
        let (mut looped, results) = self.iterations(limited, &entries, first, count);
        let names = limited.around.iter().copied().zip(around.iter().copied()).collect();
        rename_uses(&mut looped.regions[0], &names);
        let is_simple = looped.regions[0].nodes.iter().all(|node| node.regions.is_empty() && !is_call(node));
        if !is_simple {
            let body = std::mem::take(&mut looped.regions[0]);
            looped.regions[0] = self.computed_again(body);
        }
        nodes.push(looped);
        let wrt: Vec<ValueId> = limited.active.iter().map(|carry| entries[*carry]).chain(around).collect();
        let outputs: Vec<(ValueId, ValueId)> =
            limited.active.iter().zip(given).map(|(carry, seed)| (results[*carry], *seed)).collect();
        self.builder.open();
        let around = std::mem::replace(&mut self.spares_memory, true);
        let found = self.backward(&mut nodes, &wrt, &outputs);
        self.spares_memory = around;
        let block = self.builder.close(Vec::new());
        let each = if is_simple { self.saved_by(&nodes) } else { None };
        nodes.into_iter().chain(block.nodes).for_each(|node| self.builder.push(node));
        let mut totals = Vec::new();
        for (place, (value, adjoint)) in wrt.iter().zip(found?).enumerate() {
            let is_carry = place < limited.active.len();
            let part = match adjoint {
                Some(adjoint) => self.typed(adjoint, *value)?,
                None if is_carry => emit::zeros_like(self.builder, *value)?,
                None => {
                    totals.push(given[place]);
                    continue;
                }
            };
            totals.push(if is_carry { part } else { emit::sum(self.builder, given[place], part)? });
        }
        Ok((totals, each))
    }

    /// Wraps a body in a checkpoint, so that an iteration saves only its carries.
    fn computed_again(&mut self, body: Block) -> Block {
        let bound: Vec<ValueId> = body.nodes.iter().flat_map(|node| &node.results).copied().collect();
        let block = Block { params: Vec::new(), nodes: body.nodes, results: bound.clone() };
        let smooth: Vec<ValueId> = free_values(self.builder, &block)
            .into_iter()
            .filter(|value| self.builder.function().ty(*value).has_tangent())
            .collect();
        let (region, _) = self.builder.copy(&Block { params: smooth.clone(), ..block });
        let scope = Node {
            op: Op::Scope(Scope::Checkpoint),
            operands: smooth,
            results: bound,
            regions: vec![region],
            location: None,
        };
        Block { params: body.params, nodes: vec![scope], results: body.results }
    }

    /// The bytes that an iteration of a loop pushes on tapes, if all sizes are known.
    fn saved_by(&self, nodes: &[Node]) -> Option<u64> {
        let body = nodes.iter().find_map(|node| matches!(node.op, Op::For).then(|| &node.regions[0]))?;
        let pushed = body.nodes.iter().filter(|node| matches!(node.op, Op::TapePush(_)));
        pushed.map(|node| limits::known_bytes(self.builder.function().ty(node.operands[0]))).sum()
    }

    /// The iterations after the next stop, and then those before it.
    fn two_parts(
        &mut self,
        unit: &Unit<'_>,
        state: &[ValueId],
        [first, count, waiting]: [ValueId; 3],
        given: &[ValueId],
    ) -> Result<Vec<ValueId>, GradientError> {
        let builder = &mut *self.builder;
        let one = emit::integer(builder, 1);
        let last = emit::arithmetic(builder, BinaryOp::Sub, count, one);
        let whole = emit::arithmetic(builder, BinaryOp::FloorDiv, last, unit.fit);
        let units = emit::arithmetic(builder, BinaryOp::Add, whole, one);
        let stop = units_before_stop(builder, units, waiting)?;
        let before = emit::arithmetic(builder, BinaryOp::Mul, stop, unit.fit);
        let after = emit::arithmetic(builder, BinaryOp::Sub, count, before);
        let operands = [state, &[first, before]].concat();
        let middle = builder.emit(unit.ahead.clone(), &operands, None)?;
        let later = emit::arithmetic(builder, BinaryOp::Add, first, before);
        let fewer = emit::arithmetic(builder, BinaryOp::Sub, waiting, one);
        let operands = [&middle[..], &[later, after, fewer], given].concat();
        let adjoints = builder.emit(unit.again.clone(), &operands, None)?;
        let operands = [state, &[first, before, waiting], &adjoints].concat();
        Ok(builder.emit(unit.again.clone(), &operands, None)?)
    }
}

/// What the parts of the iterations have in common.
struct Unit<'a> {
    /// A call that computes iterations and saves nothing.
    ahead: &'a Op,
    /// A call that goes back through iterations.
    again: &'a Op,
    /// How many iterations are saved at a time.
    fit: ValueId,
}

const fn is_call(node: &Node) -> bool {
    matches!(node.op, Op::Call(_))
}
