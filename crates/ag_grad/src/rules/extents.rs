//! Sizes of values as far as the graph knows them: which axes are sure to have equal sizes.
//!
//! ```text
//! %2: f64[?] = sin %0          // as long as %0
//! %3: f64[?, ?] = mul %2, %1   // the last axis: as %0, or as %1 where that is 1
//! ```
//!
//! The transpose of a broadcast is a sum. If types say `?` on both sides, this module says whether there may
//! be anything to sum.

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{Dim, Function, Node, Op, SizeRule, ValueId};

/// The size of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    Known(usize),
    /// The size that these sizes broadcast to.
    Open(BTreeSet<Atom>),
}

/// An unknown size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Atom {
    /// The size of an axis of a value.
    Axis(ValueId, usize),
    /// The value of an `i64[]`.
    Number(ValueId),
    /// The length of `range(start, stop, step)`.
    Range([ValueId; 3]),
}

impl Extent {
    fn axis(value: ValueId, axis: usize) -> Self {
        Self::Open(BTreeSet::from([Atom::Axis(value, axis)]))
    }

    fn joined(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Known(1), size) | (size, Self::Known(1)) => size.clone(),
            (Self::Known(size), _) | (_, Self::Known(size)) => Self::Known(*size),
            (Self::Open(one), Self::Open(more)) => Self::Open(one.union(more).copied().collect()),
        }
    }
}

/// What is known of the sizes of values.
#[derive(Debug, Default)]
pub(crate) struct Sizes<'a> {
    values: BTreeMap<ValueId, Vec<Extent>>,
    numbers: BTreeMap<ValueId, Extent>,
    /// Sizes that were known before, in another table.
    before: Option<&'a Sizes<'a>>,
}

impl<'a> Sizes<'a> {
    /// A table that extends another one.
    pub(super) fn after(before: &'a Sizes<'a>) -> Self {
        Self { before: Some(before), ..Self::default() }
    }

    fn learned(&self, value: ValueId) -> Option<&Vec<Extent>> {
        self.values.get(&value).or_else(|| self.before?.learned(value))
    }

    /// The sizes of an array.
    pub(super) fn of(&self, function: &Function, value: ValueId) -> Vec<Extent> {
        if let Some(extents) = self.learned(value) {
            return extents.clone();
        }
        let Some(ty) = function.ty(value).tensor() else { return Vec::new() };
        let each = ty.shape.iter().enumerate();
        each.map(|(axis, dim)| dim.known().map_or_else(|| Extent::axis(value, axis), Extent::Known)).collect()
    }

    /// Notes that one value has the sizes of another.
    pub(super) fn same(&mut self, function: &Function, value: ValueId, other: ValueId) {
        let extents = self.of(function, other);
        self.values.insert(value, extents);
    }

    /// Notes that an `i64[]` is the size of an axis.
    pub(super) fn number(&mut self, function: &Function, number: ValueId, value: ValueId, axis: usize) {
        let extent = self.of(function, value)[axis].clone();
        self.numbers.insert(number, extent);
    }

    fn said(&self, number: ValueId) -> Extent {
        if let Some(extent) = self.numbers.get(&number) {
            return extent.clone();
        }
        match self.before {
            Some(before) => before.said(number),
            None => Extent::Open(BTreeSet::from([Atom::Number(number)])),
        }
    }

    /// Learns from a node of the program, whose integer operands for sizes may be negative.
    pub(crate) fn learn_forward(&mut self, function: &Function, node: &Node) {
        if !matches!(node.op, Op::Reshape(_) | Op::IotaTo(_)) {
            self.learn(function, node);
        }
    }

    /// Learns the sizes of a node's result.
    pub(super) fn learn(&mut self, function: &Function, node: &Node) {
        let [result] = node.results[..] else { return };
        if let Op::Size(axis) = node.op {
            return self.number(function, result, node.operands[0], axis);
        }
        let Some(ty) = function.ty(result).tensor() else { return };
        let Some(mut extents) = self.of_result(function, node, result) else { return };
        for (extent, dim) in extents.iter_mut().zip(&ty.shape) {
            if let Dim::Known(size) = dim {
                *extent = Extent::Known(*size);
            }
        }
        self.values.insert(result, extents);
    }

    fn of_result(&self, function: &Function, node: &Node, result: ValueId) -> Option<Vec<Extent>> {
        let operand = |number: usize| self.of(function, node.operands[number]);
        match node.op.size_rule() {
            SizeRule::Operand(number) => return Some(operand(number)),
            SizeRule::Broadcast => {
                return Some(joined(node.operands.iter().map(|value| self.of(function, *value))));
            }
            SizeRule::Numbers(_) | SizeRule::Own => {}
        }
        Some(match &node.op {
            Op::Broadcast(shape) | Op::Reshape(shape) => {
                let mut numbers = node.operands[1..].iter();
                let each = shape.iter();
                each.map(|dim| match dim {
                    Dim::Known(size) => Some(Extent::Known(*size)),
                    Dim::Unknown => numbers.next().map(|number| self.said(*number)),
                })
                .collect::<Option<_>>()?
            }
            Op::IotaTo(_) => vec![self.said(node.operands[0])],
            Op::Transpose(permutation) => {
                let extents = operand(0);
                permutation.iter().map(|axis| extents[*axis].clone()).collect()
            }
            // A part of an axis has a known size, or a new one.
            Op::Slice { .. } | Op::DynamicSlice { .. } => operand(0),
            Op::SliceRange { axis } => {
                let mut extents = operand(0);
                let range = node.operands[1..].try_into().ok()?;
                extents[*axis] = Extent::Open(BTreeSet::from([Atom::Range(range)]));
                extents
            }
            Op::Concatenate(axis) => {
                let mut extents = operand(0);
                extents[*axis] = Extent::axis(result, *axis);
                extents
            }
            Op::Gather { axis, count } => {
                let extents = operand(0);
                let picked = joined(node.operands[1..].iter().map(|value| self.of(function, *value)));
                [&extents[..*axis], &picked, &extents[axis + count..]].concat()
            }
            Op::Reduce { axes, keepdims, .. } => {
                let extents = operand(0).into_iter().enumerate();
                extents
                    .filter(|(axis, _)| *keepdims || !axes.contains(axis))
                    .map(|(axis, extent)| if axes.contains(&axis) { Extent::Known(1) } else { extent })
                    .collect()
            }
            Op::Dot(axes) => {
                let (left, right) = (operand(0), operand(1));
                let batch = axes.left_batch.iter().zip(&axes.right_batch);
                let mut extents: Vec<Extent> = batch.map(|(l, r)| left[*l].joined(&right[*r])).collect();
                let is_free = |axis: &usize, batch: &[usize], contract: &[usize]| {
                    !batch.contains(axis) && !contract.contains(axis)
                };
                let rows =
                    (0..left.len()).filter(|axis| is_free(axis, &axes.left_batch, &axes.left_contract));
                extents.extend(rows.map(|axis| left[axis].clone()));
                let columns =
                    (0..right.len()).filter(|axis| is_free(axis, &axes.right_batch, &axes.right_contract));
                extents.extend(columns.map(|axis| right[axis].clone()));
                extents
            }
            // Each size is a new one.
            _ => return None,
        })
    }
}

/// The sizes that arrays broadcast to.
fn joined(all: impl Iterator<Item = Vec<Extent>>) -> Vec<Extent> {
    let mut result: Vec<Extent> = Vec::new();
    for extents in all {
        let (longer, shorter) =
            if extents.len() > result.len() { (extents, result) } else { (result, extents) };
        result = longer;
        let offset = result.len() - shorter.len();
        for (slot, extent) in result[offset..].iter_mut().zip(&shorter) {
            *slot = slot.joined(extent);
        }
    }
    result
}
