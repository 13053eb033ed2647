//! Names for unknown sizes (symbolic dimensions): sizes with one name are equal in every run.
//!
//! ```text
//! %1: f64[?] = sin %0                    %0 s0, %1 s0
//! %3: f64[?] = iota_to %2     %3 s1
//! %4: f64[?] = add %0, %3                %4 s2: what has one element is repeated
//! %5: i64[?], %6: i64[?] = nonzero %9    %5 s3, %6 s3
//! ```
//!
//! - A name states only what follows from the ops: sizes with two names may be equal too. There is no
//!   arithmetic of sizes, except that sums of the same sizes are equal.
//! - A loop carry keeps its size if the body returns it with that size, which is first assumed and then
//!   checked. A carry that does not keep it has separate names in the loop and after it.
//! - A value in a loop is a new one in each iteration; its name stands for its size in one iteration.

use std::collections::BTreeMap;

use crate::function::{Block, Function, Node, ValueId};
use crate::op::{DotAxes, ListOp, Op, SizeRule};
use crate::random::Draw;
use crate::types::Dim;

/// The names of the sizes of a function's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeNames {
    numbers: BTreeMap<(ValueId, usize), usize>,
}

impl SizeNames {
    /// The name of the size of an axis, `s0`; none if the size is known, or the value has no such axis.
    #[must_use]
    pub fn name(&self, value: ValueId, axis: usize) -> Option<String> {
        self.numbers.get(&(value, axis)).map(|number| format!("s{number}"))
    }
}

/// Names the unknown sizes of a valid function. The first in the text is `s0`.
#[must_use]
pub fn size_names(function: &Function) -> SizeNames {
    let mut namer = Namer {
        function,
        sizes: vec![Vec::new(); function.values.len()],
        numbers: BTreeMap::new(),
        keys: BTreeMap::new(),
    };
    namer.own(&function.body.params);
    namer.block(&function.body);
    let mut names = SizeNames::default();
    let mut known = BTreeMap::new();
    namer.number(&function.body, &mut known, &mut names);
    names
}

/// A size, as far as the graph knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    /// A number, even if the type does not say it.
    Known(usize),
    /// The size of this number.
    Named(usize),
}

/// The definition of a size: equal keys mean equal sizes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// The size of an axis of a value of which no more is known.
    Axis(ValueId, usize),
    /// The integer value of a scalar, or 0 if that is negative.
    Number(ValueId),
    /// The number of true elements of a value.
    Count(ValueId),
    /// The length of a list.
    Length(ValueId),
    /// The length of `range(start, stop, step)`.
    Range([ValueId; 3]),
    /// The sum of sizes, in their order.
    Sum(Vec<Size>),
}

struct Namer<'a> {
    function: &'a Function,
    /// The sizes of each array.
    sizes: Vec<Vec<Size>>,
    /// Integer scalars that are known to be sizes.
    numbers: BTreeMap<ValueId, Size>,
    keys: BTreeMap<Key, usize>,
}

impl Namer<'_> {
    fn named(&mut self, key: Key) -> Size {
        let next = self.keys.len();
        Size::Named(*self.keys.entry(key).or_insert(next))
    }

    fn of(&self, value: ValueId) -> &[Size] {
        &self.sizes[value.0 as usize]
    }

    fn dims(&self, value: ValueId) -> &[Dim] {
        self.function.ty(value).tensor().map_or(&[], |tensor| &tensor.shape)
    }

    /// The size of one axis, if no more is known than its type says.
    fn axis(&mut self, value: ValueId, axis: usize) -> Size {
        match self.dims(value)[axis] {
            Dim::Known(size) => Size::Known(size),
            Dim::Unknown => self.named(Key::Axis(value, axis)),
        }
    }

    /// Gives values new sizes.
    fn own(&mut self, values: &[ValueId]) {
        for value in values {
            let sizes = (0..self.dims(*value).len()).map(|axis| self.axis(*value, axis)).collect();
            self.sizes[value.0 as usize] = sizes;
        }
    }

    /// Gives a value these sizes; a size that its type knows takes precedence.
    fn set(&mut self, value: ValueId, sizes: &[Size]) {
        let known = |(dim, size): (&Dim, &Size)| dim.known().map_or(*size, Size::Known);
        let sizes = self.dims(value).iter().zip(sizes).map(known).collect();
        self.sizes[value.0 as usize] = sizes;
    }

    fn number_of(&mut self, value: ValueId) -> Size {
        match self.numbers.get(&value) {
            Some(size) => *size,
            None => self.named(Key::Number(value)),
        }
    }

    fn block(&mut self, block: &Block) {
        for node in &block.nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        let operands = &node.operands;
        match (&node.op, node.op.size_rule()) {
            (Op::Identity(_), _) => {
                let sizes = self.of(operands[0]).to_vec();
                self.set(node.results[0], &sizes);
                if let Some(size) = self.numbers.get(&operands[0]).copied() {
                    self.numbers.insert(node.results[0], size);
                }
            }
            (_, SizeRule::Operand(number)) => {
                let sizes = self.of(operands[number]).to_vec();
                self.set(node.results[0], &sizes);
            }
            (_, SizeRule::Broadcast) => {
                let sizes = self.broadcast(node.results[0], 0, operands);
                self.set(node.results[0], &sizes);
            }
            (op, SizeRule::Numbers(_) | SizeRule::Own) => self.by_own_rule(op, node),
        }
    }

    fn by_own_rule(&mut self, op: &Op, node: &Node) {
        let operands = &node.operands;
        match op {
            Op::If => self.branches(node),
            Op::While => self.turns(node, operands, 0),
            Op::For => self.turns(node, &operands[3..], 1),
            Op::Scope(_) => self.scope(node),
            Op::Size(axis) => {
                let size = self.of(operands[0])[*axis];
                self.numbers.insert(node.results[0], size);
            }
            Op::List(op) => self.list(op, node),
            Op::Nonzero => {
                let size = self.named(Key::Count(operands[0]));
                node.results.iter().for_each(|result| self.set(*result, &[size]));
            }
            Op::Constant(_)
            | Op::Iota { .. }
            | Op::Call(_)
            | Op::Callback(_)
            | Op::TapePop(_)
            | Op::TapePush(_)
            | Op::Check(_)
            | Op::Print { .. }
            | Op::Keep(_)
            | Op::KeepEnd(_) => self.own(&node.results),
            Op::IotaTo(_)
            | Op::Broadcast(_)
            | Op::Reshape(_)
            | Op::Transpose(_)
            | Op::Slice { .. }
            | Op::SliceRange { .. }
            | Op::DynamicSlice { .. }
            | Op::Gather { .. }
            | Op::Concatenate(_)
            | Op::Reduce { .. }
            | Op::ArgReduce { .. }
            | Op::Dot(_)
            | Op::Decompose(_)
            | Op::Random { .. } => {
                let sizes = self.of_array(op, node);
                self.set(node.results[0], &sizes);
            }
            Op::WithShape(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(_)
            | Op::Select
            | Op::Cast(_)
            | Op::UpdateSlice { .. }
            | Op::DynamicUpdateSlice { .. }
            | Op::Scatter { .. }
            | Op::ScatterAdd { .. }
            | Op::ArgSort(_)
            | Op::Cumulative { .. }
            | Op::SolveLu
            | Op::Fourier { .. }
            | Op::Identity(_) => unreachable!("{} has a size rule", op.name()),
        }
    }

    /// The sizes of the array that an op returns.
    fn of_array(&mut self, op: &Op, node: &Node) -> Vec<Size> {
        let (operands, result) = (&node.operands, node.results[0]);
        let first = operands.first().map(|first| self.of(*first).to_vec()).unwrap_or_default();
        match op {
            Op::IotaTo(_) => vec![self.number_of(operands[0])],
            Op::Broadcast(_) => self.counted(result, &operands[1..]),
            // A negative one stands for the remaining size.
            Op::Reshape(_) => self.counted_if_sizes(result, &operands[1..]),
            Op::Random { draw: Draw::Integers, .. } => self.of(operands[2]).to_vec(),
            Op::Random { draw: Draw::Uniform | Draw::Normal | Draw::Exponential, .. } => {
                self.counted(result, &operands[2..])
            }
            Op::Transpose(axes) => axes.iter().map(|axis| first[*axis]).collect(),
            // A slice takes the whole of an axis of unknown size.
            Op::Slice { .. } => first,
            Op::SliceRange { axis } => {
                let size = self.named(Key::Range([operands[1], operands[2], operands[3]]));
                with_axis(first, *axis, size)
            }
            Op::DynamicSlice { axis, size } => with_axis(first, *axis, Size::Known(*size)),
            Op::Gather { axis, count } => {
                let rank = self.dims(result).len() + count - first.len();
                let indexed = self.broadcast_to(result, *axis, rank, &operands[1..]);
                [&first[..*axis], &indexed, &first[axis + count..]].concat()
            }
            Op::Concatenate(axis) => {
                let mut parts: Vec<Size> = operands.iter().map(|operand| self.of(*operand)[*axis]).collect();
                parts.retain(|size| *size != Size::Known(0));
                parts.sort_unstable();
                let sum = if let [only] = parts[..] { only } else { self.named(Key::Sum(parts)) };
                with_axis(first, *axis, sum)
            }
            Op::Reduce { axes, keepdims, .. } => {
                let size = |(axis, size): (usize, &Size)| match axes.contains(&axis) {
                    true => keepdims.then_some(Size::Known(1)),
                    false => Some(*size),
                };
                first.iter().enumerate().filter_map(size).collect()
            }
            Op::ArgReduce { axis, .. } => [&first[..*axis], &first[axis + 1..]].concat(),
            Op::Dot(axes) => self.product(axes, node),
            Op::Decompose(_) => {
                let stack = first.len() - 2;
                [&first[..stack], &[self.axis(result, stack)]].concat()
            }
            other => unreachable!("{} has no rule for an array", other.name()),
        }
    }

    /// The sizes that arrays broadcast to, for the axes of the result from `start` on.
    fn broadcast(&mut self, result: ValueId, start: usize, operands: &[ValueId]) -> Vec<Size> {
        let rank = self.dims(result).len() - start;
        self.broadcast_to(result, start, rank, operands)
    }

    fn broadcast_to(
        &mut self,
        result: ValueId,
        start: usize,
        rank: usize,
        operands: &[ValueId],
    ) -> Vec<Size> {
        let mut sizes = Vec::with_capacity(rank);
        for position in 0..rank {
            let from_end = rank - position;
            let mut found: Vec<Size> = operands
                .iter()
                .filter_map(|operand| self.of(*operand).iter().rev().nth(from_end - 1).copied())
                .filter(|size| *size != Size::Known(1))
                .collect();
            found.sort_unstable();
            found.dedup();
            sizes.push(match found[..] {
                [] => Size::Known(1),
                // A known size is sorted first; the others equal it, or are 1.
                [only] | [only @ Size::Known(_), ..] => only,
                [Size::Named(_), ..] => self.axis(result, start + position),
            });
        }
        sizes
    }

    /// The sizes of a result, with an integer operand for each size that the type does not know.
    fn counted(&mut self, result: ValueId, numbers: &[ValueId]) -> Vec<Size> {
        let mut numbers = numbers.iter();
        let dims = self.dims(result).to_vec();
        let size = |dim: &Dim| match dim {
            Dim::Known(size) => Some(Size::Known(*size)),
            Dim::Unknown => numbers.next().map(|number| self.number_of(*number)),
        };
        dims.iter().filter_map(size).collect()
    }

    /// As [`Self::counted`], but an integer operand counts only if it is known to be a size: others may be
    /// negative.
    fn counted_if_sizes(&mut self, result: ValueId, numbers: &[ValueId]) -> Vec<Size> {
        let mut numbers = numbers.iter();
        let mut sizes = Vec::new();
        for axis in 0..self.dims(result).len() {
            let number = if self.dims(result)[axis] == Dim::Unknown { numbers.next() } else { None };
            let known = number.and_then(|number| self.numbers.get(number)).copied();
            sizes.push(known.unwrap_or_else(|| self.axis(result, axis)));
        }
        sizes
    }

    fn product(&mut self, axes: &DotAxes, node: &Node) -> Vec<Size> {
        let (left, right) = (self.of(node.operands[0]).to_vec(), self.of(node.operands[1]).to_vec());
        let mut sizes = Vec::new();
        for (l, r) in axes.left_batch.iter().zip(&axes.right_batch) {
            sizes.push(match (left[*l], right[*r]) {
                (one, other) if one == other => one,
                (Size::Known(1), other) | (other, Size::Known(1)) => other,
                (known @ Size::Known(_), Size::Named(_)) | (Size::Named(_), known @ Size::Known(_)) => known,
                (Size::Known(_), Size::Known(_)) | (Size::Named(_), Size::Named(_)) => {
                    self.axis(node.results[0], sizes.len())
                }
            });
        }
        let free = |sizes: &[Size], batch: &[usize], contract: &[usize]| -> Vec<Size> {
            let is_free = |axis: &usize| !batch.contains(axis) && !contract.contains(axis);
            (0..sizes.len()).filter(is_free).map(|axis| sizes[axis]).collect()
        };
        sizes.extend(free(&left, &axes.left_batch, &axes.left_contract));
        sizes.extend(free(&right, &axes.right_batch, &axes.right_contract));
        sizes
    }

    fn list(&mut self, op: &ListOp, node: &Node) {
        self.own(&node.results);
        match op {
            ListOp::Length => {
                let size = self.named(Key::Length(node.operands[0]));
                self.numbers.insert(node.results[0], size);
            }
            ListOp::Stack { .. } => {
                let (rows, own) =
                    (self.named(Key::Length(node.operands[0])), self.of(node.results[0]).to_vec());
                self.set(node.results[0], &with_axis(own, 0, rows));
            }
            // They return lists, or values of a list, whose sizes are known.
            ListOp::Make(_)
            | ListOp::Append
            | ListOp::Pop
            | ListOp::Get
            | ListOp::Set
            | ListOp::Insert
            | ListOp::Delete
            | ListOp::Concatenate
            | ListOp::Slice
            | ListOp::Reverse
            | ListOp::Unstack
            | ListOp::GetIn
            | ListOp::SetIn
            | ListOp::AppendIn
            | ListOp::PopIn
            | ListOp::LengthIn
            | ListOp::Flatten
            | ListOp::Zeros => {}
        }
    }

    fn branches(&mut self, node: &Node) {
        node.regions.iter().for_each(|region| self.block(region));
        for (number, result) in node.results.iter().enumerate() {
            let ways: Vec<Vec<Size>> =
                node.regions.iter().map(|region| self.of(region.results[number]).to_vec()).collect();
            let sizes: Vec<Size> = (0..self.dims(*result).len())
                .map(|axis| match ways.iter().all(|way| way[axis] == ways[0][axis]) {
                    true => ways[0][axis],
                    false => self.axis(*result, axis),
                })
                .collect();
            self.set(*result, &sizes);
        }
    }

    /// A loop; its regions take `before` other parameters in front of the carries.
    fn turns(&mut self, node: &Node, carries: &[ValueId], before: usize) {
        let entered: Vec<Vec<Size>> = carries.iter().map(|carry| self.of(*carry).to_vec()).collect();
        let mut keeps: Vec<Vec<bool>> = entered.iter().map(|sizes| vec![true; sizes.len()]).collect();
        loop {
            for region in &node.regions {
                self.own(&region.params[..before]);
                self.enter(&region.params[before..], &entered, &keeps);
                self.block(region);
            }
            let Some(body) = node.regions.last() else { return };
            let mut is_settled = true;
            for ((result, sizes), keeps) in body.results.iter().zip(&entered).zip(&mut keeps) {
                for (axis, keeps) in keeps.iter_mut().enumerate().filter(|(_, keeps)| **keeps) {
                    *keeps = self.of(*result)[axis] == sizes[axis];
                    is_settled &= *keeps;
                }
            }
            if is_settled {
                return self.enter(&node.results, &entered, &keeps);
            }
        }
    }

    /// Gives values the sizes with which a loop was entered, where it keeps them.
    fn enter(&mut self, values: &[ValueId], entered: &[Vec<Size>], keeps: &[Vec<bool>]) {
        for ((value, sizes), keeps) in values.iter().zip(entered).zip(keeps) {
            let sizes: Vec<Size> = (0..sizes.len())
                .map(|axis| if keeps[axis] { sizes[axis] } else { self.axis(*value, axis) })
                .collect();
            self.set(*value, &sizes);
        }
    }

    /// The first region runs in place; the others are for gradients, and their parameters get new sizes.
    fn scope(&mut self, node: &Node) {
        for (number, region) in node.regions.iter().enumerate() {
            self.own(&region.params);
            if number == 0 {
                for (param, operand) in region.params.iter().zip(&node.operands) {
                    let sizes = self.of(*operand).to_vec();
                    self.set(*param, &sizes);
                }
            }
            self.block(region);
        }
        let given = node.regions.first().map_or(&[][..], |primal| &primal.results);
        for (result, given) in node.results.iter().zip(given) {
            let sizes = self.of(*given).to_vec();
            self.set(*result, &sizes);
        }
    }

    /// Numbers the names in the order of the text.
    fn number(&self, block: &Block, known: &mut BTreeMap<Size, usize>, names: &mut SizeNames) {
        self.number_values(&block.params, known, names);
        for node in &block.nodes {
            self.number_values(&node.results, known, names);
            node.regions.iter().for_each(|region| self.number(region, known, names));
        }
    }

    fn number_values(&self, values: &[ValueId], known: &mut BTreeMap<Size, usize>, names: &mut SizeNames) {
        for value in values {
            let open = self.dims(*value).iter().enumerate().filter(|(_, dim)| **dim == Dim::Unknown);
            for (axis, _) in open {
                let next = known.len();
                let number = *known.entry(self.of(*value)[axis]).or_insert(next);
                names.numbers.insert((*value, axis), number);
            }
        }
    }
}

fn with_axis(mut sizes: Vec<Size>, axis: usize, size: Size) -> Vec<Size> {
    sizes[axis] = size;
    sizes
}
