//! The values that the backward pass gets from the forward pass, block by block.
//!
//! ```text
//! for … body(i, x) {                    for … backward(i', dx) {
//!   a = exp x                             p = tape_pop tape=0          // a
//!   b = mul a, 2                    →     …
//!   tape_push a tape=0                    dx' = mul dx, p
//!   yield b }                             yield dx' }
//! ```
//!
//! - A frame represents a block of the forward pass. A value that the backward pass asks for is pushed on a
//!   tape at the end of that block, and popped at the start of the corresponding backward block. Nothing else
//!   is saved.
//! - A value that is cheap to compute from saved values is computed again. For a view of a smaller value, the
//!   smaller value is saved.
//! - The block in which a derivative is taken is *at hand*: its values are used directly.

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{Block, Builder, Cost, DType, Dim, Node, Op, TapePop, TensorType, Type, ValueId};

use crate::emit;
use crate::site::Primals;

/// The frames of the enclosing blocks, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    stack: Vec<Frame>,
}

#[derive(Debug, Default)]
struct Frame {
    /// Whether the backward pass can use the values of the block directly.
    is_at_hand: bool,
    /// The values that the block binds.
    bound: BTreeSet<ValueId>,
    /// The values of the backward pass that stand for values of the block.
    known: BTreeMap<ValueId, ValueId>,
    /// The values that were asked for and must come from the forward pass.
    wanted: BTreeSet<ValueId>,
    /// Values whose rows the forward block stacks: what stands for the stack, and the row.
    stacked: BTreeMap<ValueId, (ValueId, ValueId)>,
    /// The sizes of axes that were asked for.
    sizes: BTreeMap<(ValueId, usize), ValueId>,
}

impl Primals for Frames {
    fn value(&mut self, builder: &mut Builder, value: ValueId) -> ValueId {
        for frame in self.stack.iter_mut().rev() {
            if let Some(known) = frame.known.get(&value) {
                return *known;
            }
            if frame.bound.contains(&value) {
                if frame.is_at_hand {
                    return value;
                }
                let ty = builder.function().ty(value).clone();
                let stand_in = builder.function_mut().new_value(ty);
                frame.known.insert(value, stand_in);
                frame.wanted.insert(value);
                return stand_in;
            }
        }
        value
    }

    fn size(&mut self, builder: &mut Builder, value: ValueId, axis: usize) -> ValueId {
        if builder.function().tensor(value).shape[axis].known().is_some() {
            return emit::size(builder, value, axis);
        }
        for frame in self.stack.iter_mut().rev() {
            if let Some(known) = frame.known.get(&value) {
                return emit::size(builder, *known, axis);
            }
            if frame.bound.contains(&value) {
                if frame.is_at_hand {
                    return emit::size(builder, value, axis);
                }
                return *frame
                    .sizes
                    .entry((value, axis))
                    .or_insert_with(|| builder.function_mut().new_value(Type::scalar(DType::I64)));
            }
        }
        emit::size(builder, value, axis)
    }
}

impl Frames {
    /// Enters nodes whose values the backward pass can use directly.
    pub(crate) fn enter_at_hand(&mut self, nodes: &[Node]) {
        let bound = nodes.iter().flat_map(|node| &node.results).copied().collect();
        self.stack.push(Frame { is_at_hand: true, bound, ..Frame::default() });
    }

    /// Leaves nodes that were entered with [`Self::enter_at_hand`].
    pub(crate) fn leave_at_hand(&mut self) {
        self.stack.pop();
    }

    /// Enters a region or a function.
    pub(crate) fn enter(&mut self, block: &Block) {
        let results = block.nodes.iter().flat_map(|node| &node.results);
        let bound = block.params.iter().chain(results).copied().collect();
        self.stack.push(Frame { bound, ..Frame::default() });
    }

    /// Notes a new value that the innermost block binds.
    pub(crate) fn bind(&mut self, value: ValueId) {
        if let Some(frame) = self.stack.last_mut() {
            frame.bound.insert(value);
        }
    }

    /// Whether the innermost block binds a value.
    pub(crate) fn is_bound_here(&self, value: ValueId) -> bool {
        self.stack.last().is_some_and(|frame| frame.bound.contains(&value))
    }

    /// Whether the backward pass can use the values of the innermost block directly.
    pub(crate) fn is_at_hand(&self) -> bool {
        self.stack.last().is_none_or(|frame| frame.is_at_hand)
    }

    /// Notes the value of the backward pass that stands for a value of the innermost block.
    pub(crate) fn give(&mut self, value: ValueId, stand_in: ValueId) {
        if let Some(frame) = self.stack.last_mut() {
            frame.known.insert(value, stand_in);
        }
    }

    /// The value of the innermost block for which this one stands, if it has to be saved.
    pub(crate) fn saved(&self, stand_in: ValueId) -> Option<ValueId> {
        let frame = self.stack.last()?;
        let mut asked = frame.wanted.iter().chain(frame.stacked.keys());
        asked.find(|value| frame.known.get(value) == Some(&stand_in)).copied()
    }

    /// Notes that the innermost block, the body of a loop, does not push a value on a tape, but stacks it:
    /// the loop gives the stack, and the backward body reads this row of it. Returns what stands for the
    /// stack in the backward pass.
    pub(crate) fn stack(
        &mut self,
        builder: &mut Builder,
        value: ValueId,
        stack: ValueId,
        row: ValueId,
    ) -> ValueId {
        if let [.., around, _] = &mut self.stack[..] {
            around.bound.insert(stack);
        }
        let seen = self.value(builder, stack);
        if let Some(frame) = self.stack.last_mut() {
            frame.wanted.remove(&value);
            frame.stacked.insert(value, (seen, row));
        }
        seen
    }

    /// Leaves a region or a function: makes the forward block save the values that the backward one has asked
    /// for.
    pub(crate) fn leave(&mut self, builder: &mut Builder, forward: &mut Block, backward: &mut Block) {
        let Some(mut frame) = self.stack.pop() else { return };
        let definitions: BTreeMap<ValueId, usize> = forward
            .nodes
            .iter()
            .enumerate()
            .flat_map(|(number, node)| node.results.iter().map(move |result| (*result, number)))
            .collect();
        let again = recomputed(builder, &mut frame, &forward.nodes, &definitions);
        let mut prologue = Vec::new();
        for (value, (stack, row)) in &frame.stacked {
            row_of(builder, (*stack, *row), frame.known[value], &mut prologue);
        }
        for value in frame.wanted.clone() {
            if !definitions.get(&value).is_some_and(|number| again.contains(number)) {
                let stand_in = frame.known[&value];
                on_tape(builder, value, stand_in, forward, &mut prologue);
            }
        }
        for number in again {
            let node = self.clone_of(builder, &mut frame, &forward.nodes[number]);
            prologue.push(node);
        }
        for ((value, axis), stand_in) in frame.sizes {
            let size = Node {
                op: Op::Size(axis),
                operands: vec![value],
                results: vec![stand_in],
                regions: Vec::new(),
                location: None,
            };
            if let Some(known) = frame.known.get(&value) {
                prologue.push(Node { operands: vec![*known], ..size });
            } else {
                let saved = builder.function_mut().new_value(Type::scalar(DType::I64));
                forward.nodes.push(Node { results: vec![saved], ..size });
                on_tape(builder, saved, stand_in, forward, &mut prologue);
            }
        }
        backward.nodes.splice(0..0, prologue);
    }

    /// Copies a node of the forward block, to be computed again in the backward one.
    fn clone_of(&mut self, builder: &mut Builder, frame: &mut Frame, node: &Node) -> Node {
        let operands = node
            .operands
            .iter()
            .map(|operand| frame.known.get(operand).copied().unwrap_or_else(|| self.value(builder, *operand)))
            .collect();
        let results = node
            .results
            .iter()
            .map(|result| {
                frame.known.get(result).copied().unwrap_or_else(|| {
                    let ty = builder.function().ty(*result).clone();
                    builder.function_mut().new_value(ty)
                })
            })
            .collect();
        Node { op: node.op.clone(), operands, results, regions: Vec::new(), location: node.location }
    }
}

/// Pushes a value at the end of the forward block, and pops it at the start of the backward one.
fn on_tape(
    builder: &mut Builder,
    value: ValueId,
    stand_in: ValueId,
    forward: &mut Block,
    prologue: &mut Vec<Node>,
) {
    let tape = builder.new_tape();
    let node = |op, operands, results| Node { op, operands, results, regions: Vec::new(), location: None };
    forward.nodes.push(node(Op::TapePush(tape), vec![value], vec![]));
    let pop = TapePop { tape, ty: builder.function().ty(value).clone() };
    prologue.push(node(Op::TapePop(pop), vec![], vec![stand_in]));
}

/// `stack[row]`
fn row_of(
    builder: &mut Builder,
    (stack, row): (ValueId, ValueId),
    stand_in: ValueId,
    prologue: &mut Vec<Node>,
) {
    let TensorType { dtype, shape } = builder.function().tensor(stand_in).clone();
    let block = TensorType::new(dtype, [vec![Dim::Known(1)], shape.clone()].concat());
    let block = builder.function_mut().new_value(Type::Tensor(block));
    let node = |op, operands, results| Node { op, operands, results, regions: Vec::new(), location: None };
    prologue.push(node(Op::DynamicSlice { axis: 0, size: 1 }, vec![stack, row], vec![block]));
    prologue.push(node(Op::Reshape(shape), vec![block], vec![stand_in]));
}

/// The numbers of the nodes that are computed again instead of being saved. Marks their operands as wanted.
fn recomputed(
    builder: &mut Builder,
    frame: &mut Frame,
    nodes: &[Node],
    definitions: &BTreeMap<ValueId, usize>,
) -> BTreeSet<usize> {
    let mut again = BTreeSet::new();
    // Later nodes first, so that their operands are wanted before those nodes are visited.
    for (number, node) in nodes.iter().enumerate().rev() {
        if !node.results.iter().any(|result| frame.wanted.contains(result)) {
            continue;
        }
        let from_here: Vec<ValueId> =
            node.operands.iter().copied().filter(|operand| frame.bound.contains(operand)).collect();
        let is_at_hand = |operand: &ValueId| {
            frame.known.contains_key(operand)
                || definitions.get(operand).is_some_and(|number| is_free(&nodes[*number].op))
        };
        let is_smaller = is_view(builder, node);
        if !(is_smaller || (node.op.cost() != Cost::More && from_here.iter().all(is_at_hand))) {
            continue;
        }
        again.insert(number);
        for operand in from_here {
            frame.known.entry(operand).or_insert_with(|| {
                frame.wanted.insert(operand);
                let ty = builder.function().ty(operand).clone();
                builder.function_mut().new_value(ty)
            });
        }
    }
    again
}

/// Whether an op has no operands, and so costs nothing to repeat.
pub(crate) const fn is_free(op: &Op) -> bool {
    matches!(op, Op::Constant(_) | Op::Iota { .. })
}

/// Whether a node is only a view of its operand, and not a smaller one.
pub(crate) fn is_view(builder: &Builder, node: &Node) -> bool {
    match &node.op {
        op if is_free(op) => true,
        Op::Broadcast(_) | Op::Reshape(_) | Op::Transpose(_) | Op::WithShape(_) => true,
        Op::Identity(_) => true,
        Op::Cast(to) => {
            builder.function().dtype_of(node.operands[0]).is_some_and(|from| from.size() <= to.size())
        }
        _ => false,
    }
}
