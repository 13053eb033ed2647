//! Loops whose gradient may save so much: halves of the iterations are gone back through one after the other.
//!
//! ```text
//! function back(state, first, count, adjoints) {
//!   if count <= fit { the iterations from `state` on, saved, and back through them }
//!   else { half = count // 2
//!          middle = the first half of the iterations, from `state` on, nothing saved
//!          adjoints = back(middle, first + half, count - half, adjoints)
//!          return back(state, first, half, adjoints) } }
//! ```
//!
//! - `fit` is how many iterations can be saved beside the states that wait, one for each time that the
//!   iterations are halved. It is computed when the graph runs, from the sizes of then.
//! - Each halving computes the iterations once more: `log2(count / fit)` times in all (Griewank 1992 does with
//!   less, where the number of iterations is known before).

use ag_ir::{BinaryOp, Block, Call, DType, Dim, Node, Op, Scope, TensorType, Type, UnaryOp, ValueId};

use super::Reverse;
use crate::activity::{first_carry, loop_body};
use crate::adjoints::Adjoints;
use crate::captures::free_values;
use crate::emit;
use crate::error::GradientError;
use crate::inline::{identity, rename_uses};
use crate::site::Primals;

/// A loop as the backward pass sees it: everything around it is at hand.
struct Limited {
    /// The bounds of a `for`; a `while` has none, and its iterations no index.
    bounds: Option<[ValueId; 3]>,
    /// Parameters are the index, if there is one, and the carries.
    body: Block,
    /// What the carries start with.
    start: Vec<ValueId>,
    /// The carries that have adjoints, by place.
    active: Vec<usize>,
    /// Values around the loop that have adjoints.
    around: Vec<ValueId>,
    /// How many iterations there are.
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
        // The operands that are values around the loop, and what stands for them here.
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

    /// How many iterations the loop of a scope does; a `while` is made to count, and gives it as one more
    /// result of the scope.
    fn iterations_of(&mut self, node: &mut Node) -> Option<ValueId> {
        let region = &mut node.regions[0];
        if !matches!(region.nodes[0].op, Op::While) {
            return None;
        }
        let inner = self.count_iterations(&mut region.nodes, 0);
        // What counts is of the scope, and not of the block around it.
        let outer = self.builder.function_mut().new_value(Type::scalar(DType::I64));
        region.results.push(inner);
        node.results.push(outer);
        self.frames.bind(outer);
        Some(outer)
    }

    /// The loop, which was not made to count, with what stands in the backward pass for the values around it.
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

    /// Calls the function that goes back through the iterations; gives the adjoints of the carries at the
    /// start, and of what is around.
    fn back_through(
        &mut self,
        limited: &Limited,
        bytes: u64,
        seeds: Vec<ValueId>,
        location: Option<ag_ir::LocationId>,
    ) -> Result<Vec<ValueId>, GradientError> {
        let number = self.builder.declare("backward halves");
        let types = |reverse: &Self, values: &[ValueId]| -> Vec<Type> {
            values.iter().map(|value| reverse.builder.function().ty(*value).clone()).collect()
        };
        let fit = self.builder.function_mut().new_value(Type::scalar(DType::I64));
        let (state_types, seed_types) = (types(self, &limited.start), types(self, &seeds));
        self.builder.open();
        let state: Vec<ValueId> = state_types.into_iter().map(|ty| self.builder.param(ty)).collect();
        let [first, count] = [0, 1].map(|_| self.builder.param(Type::scalar(DType::I64)));
        let given: Vec<ValueId> = seed_types.iter().map(|ty| self.builder.param(ty.clone())).collect();
        let fits = emit::one(self.builder, Op::Compare(ag_ir::CompareOp::Le), &[count, fit])?;
        self.builder.open();
        let leaf = self.saved_iterations(limited, &state, first, count, &given);
        let leaf_block = self.builder.close(leaf.clone().map(|(results, _)| results).unwrap_or_default());
        self.builder.open();
        let call = Op::Call(Call { callee: number, results: seed_types });
        let halves = self.two_halves(limited, &call, &state, [first, count], &given);
        let halves_block = self.builder.close(halves.clone().unwrap_or_default());
        let results = match (&leaf, &halves) {
            (Ok(_), Ok(_)) => {
                let regions = vec![leaf_block, halves_block];
                self.builder.emit_with_regions(Op::If, &[fits], regions, location)?
            }
            _ => Vec::new(),
        };
        let block = self.builder.close(results);
        let (_, each) = leaf?;
        halves?;
        self.builder.define(number, block);
        let computed = self.iterations_that_fit(limited, bytes, each, location)?;
        self.builder.push(identity(computed, fit));
        let zero = emit::integer(self.builder, 0);
        let operands = [&limited.start[..], &[zero, limited.count], &seeds].concat();
        Ok(self.builder.emit(call, &operands, location)?)
    }

    /// A loop over some of the iterations, with values of its own.
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

    /// Iterations that are saved, and gone back through; gives the adjoints, and what each iteration saves
    /// in bytes, if that is known.
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
        let found = self.backward(&mut nodes, &wrt, &outputs);
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

    /// A body that is computed again when it is gone back through, so that an iteration saves its carries.
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

    /// The bytes that an iteration of a loop puts on tapes, if all sizes are known.
    fn saved_by(&self, nodes: &[Node]) -> Option<u64> {
        let body = nodes.iter().find_map(|node| matches!(node.op, Op::For).then(|| &node.regions[0]))?;
        let pushed = body.nodes.iter().filter(|node| matches!(node.op, Op::TapePush(_)));
        pushed.map(|node| known_bytes(self.builder.function().ty(node.operands[0]))).sum()
    }

    fn two_halves(
        &mut self,
        limited: &Limited,
        call: &Op,
        state: &[ValueId],
        [first, count]: [ValueId; 2],
        given: &[ValueId],
    ) -> Result<Vec<ValueId>, GradientError> {
        let two = emit::integer(self.builder, 2);
        let half = emit::arithmetic(self.builder, BinaryOp::FloorDiv, count, two);
        let rest = emit::arithmetic(self.builder, BinaryOp::Sub, count, half);
        let (node, middle) = self.iterations(limited, state, first, half);
        self.builder.push(node);
        let later = emit::arithmetic(self.builder, BinaryOp::Add, first, half);
        let operands = [&middle[..], &[later, rest], given].concat();
        let adjoints = self.builder.emit(call.clone(), &operands, None)?;
        let operands = [state, &[first, half], &adjoints].concat();
        Ok(self.builder.emit(call.clone(), &operands, None)?)
    }

    /// `max(1, (limit - state * ceil(log2(count))) // each)`
    fn iterations_that_fit(
        &mut self,
        limited: &Limited,
        bytes: u64,
        each: Option<u64>,
        location: Option<ag_ir::LocationId>,
    ) -> Result<ValueId, GradientError> {
        let known: Option<u64> =
            limited.start.iter().map(|value| known_bytes(self.builder.function().ty(*value))).sum();
        if let (Some(state), Some(least)) = (known, each.or(known))
            && state + least > bytes
        {
            let message = format!(
                "a memory_limit of {bytes} bytes is less than the {} that the gradient of one iteration needs",
                state + least
            );
            let error = GradientError::new(message, location);
            return Err(error.with_help("raise the limit"));
        }
        let state = self.bytes_of(&limited.start);
        let each = match each {
            Some(each) => emit::integer(self.builder, i64::try_from(each).unwrap_or(i64::MAX)),
            None => state,
        };
        let count = emit::one(self.builder, Op::Cast(DType::F64), &[limited.count])?;
        let one = emit::scalar(self.builder, DType::F64, 1.0)?;
        let count = emit::arithmetic(self.builder, BinaryOp::Maximum, count, one);
        let depth = emit::unary(self.builder, UnaryOp::Log2, count);
        let depth = emit::unary(self.builder, UnaryOp::Ceil, depth);
        let depth = emit::one(self.builder, Op::Cast(DType::I64), &[depth])?;
        let waiting = emit::arithmetic(self.builder, BinaryOp::Mul, state, depth);
        let limit = emit::integer(self.builder, i64::try_from(bytes).unwrap_or(i64::MAX));
        let left = emit::arithmetic(self.builder, BinaryOp::Sub, limit, waiting);
        let one = emit::integer(self.builder, 1);
        let each = emit::arithmetic(self.builder, BinaryOp::Maximum, each, one);
        let fit = emit::arithmetic(self.builder, BinaryOp::FloorDiv, left, each);
        Ok(emit::arithmetic(self.builder, BinaryOp::Maximum, fit, one))
    }

    /// How many bytes values have, as the graph runs. Of a list it is not told.
    fn bytes_of(&mut self, values: &[ValueId]) -> ValueId {
        let mut total = emit::integer(self.builder, 0);
        for value in values {
            let Some(TensorType { dtype, shape }) = self.builder.function().ty(*value).tensor().cloned()
            else {
                continue;
            };
            let known: usize = shape.iter().filter_map(|dim| dim.known()).product::<usize>() * dtype.size();
            let mut bytes = emit::integer(self.builder, i64::try_from(known).unwrap_or(i64::MAX));
            for axis in (0..shape.len()).filter(|axis| shape[*axis] == Dim::Unknown) {
                let size = emit::size(self.builder, *value, axis);
                bytes = emit::arithmetic(self.builder, BinaryOp::Mul, bytes, size);
            }
            total = emit::arithmetic(self.builder, BinaryOp::Add, total, bytes);
        }
        total
    }
}

const fn is_call(node: &Node) -> bool {
    matches!(node.op, Op::Call(_))
}

/// The size of a value, if its type says it.
fn known_bytes(ty: &Type) -> Option<u64> {
    let tensor = ty.tensor()?;
    let count: usize = tensor.sizes()?.iter().product();
    u64::try_from(count * tensor.dtype.size()).ok()
}
