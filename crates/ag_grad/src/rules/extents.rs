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
use std::convert::Infallible;

use ag_ir::{
    Decomposition, Dim, Function, Node, ResultRule, Shape, SizeDomain, SizeRule, ValueId, ValueRule,
    sizes_by_rule,
};

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
        match node.op.results().sizes() {
            Some(SizeRule::Reshape(_) | SizeRule::Count) => {}
            Some(_) | None => self.learn(function, node),
        }
    }

    /// Learns the sizes of a node's result.
    pub(super) fn learn(&mut self, function: &Function, node: &Node) {
        let [result] = node.results[..] else { return };
        let rule = match node.op.results() {
            ResultRule::Array(_, rule) => rule,
            ResultRule::Values([ValueRule::First]) => return self.same(function, result, node.operands[0]),
            ResultRule::Size(axis) => return self.number(function, result, node.operands[0], axis),
            // The sizes of these are new ones.
            ResultRule::Length
            | ResultRule::Positions
            | ResultRule::Values(_)
            | ResultRule::Types(_)
            | ResultRule::ListOf(_)
            | ResultRule::ListOfRows
            | ResultRule::Stack(_)
            | ResultRule::If
            | ResultRule::While
            | ResultRule::For
            | ResultRule::Scope => return,
        };
        let Some(ty) = function.ty(result).tensor().filter(|ty| ty.has_unknown_sizes()) else { return };
        let operands = node.operands.iter().map(|value| self.of(function, *value)).collect();
        let Ok(mut extents) = sizes_by_rule(rule, &mut OfNode { sizes: self, node, result, operands });
        for (extent, dim) in extents.iter_mut().zip(&ty.shape) {
            if let Dim::Known(size) = dim {
                *extent = Extent::Known(*size);
            }
        }
        self.values.insert(result, extents);
    }
}

/// The sizes of a node's operands, and of the array that it returns.
struct OfNode<'a> {
    sizes: &'a Sizes<'a>,
    node: &'a Node,
    result: ValueId,
    operands: Vec<Vec<Extent>>,
}

impl SizeDomain for OfNode<'_> {
    type Size = Extent;
    type Failure = Infallible;

    fn operand_count(&self) -> usize {
        self.operands.len()
    }

    fn rank(&self, operand: usize) -> usize {
        self.operands[operand].len()
    }

    fn size(&self, operand: usize, axis: usize) -> Extent {
        self.operands[operand][axis].clone()
    }

    fn known(&mut self, size: usize) -> Extent {
        Extent::Known(size)
    }

    fn joined(&mut self, _: usize, one: Extent, other: Extent) -> Result<Extent, Infallible> {
        Ok(one.joined(&other))
    }

    fn agreed(&mut self, one: Extent, _: Extent) -> Extent {
        one
    }

    fn number(&mut self, operand: usize, _: usize) -> Result<Extent, Infallible> {
        Ok(self.sizes.said(self.node.operands[operand]))
    }

    fn count(&mut self) -> Extent {
        self.sizes.said(self.node.operands[0])
    }

    fn reshaped(&mut self, shape: &Shape) -> Result<Vec<Extent>, Infallible> {
        let mut numbers = self.node.operands[1..].iter();
        let size = |dim: &Dim| match dim {
            Dim::Known(size) => Some(Extent::Known(*size)),
            Dim::Unknown => numbers.next().map(|number| self.sizes.said(*number)),
        };
        Ok(shape.iter().filter_map(size).collect())
    }

    fn range(&mut self, _: usize) -> Result<Extent, Infallible> {
        let operands = &self.node.operands;
        Ok(Extent::Open(BTreeSet::from([Atom::Range([operands[1], operands[2], operands[3]])])))
    }

    fn sum(&mut self, axis: usize) -> Result<Extent, Infallible> {
        Ok(Extent::axis(self.result, axis))
    }

    fn parts(&mut self, _: Decomposition, axis: usize, _: [Extent; 2]) -> Extent {
        Extent::axis(self.result, axis)
    }
}
