//! The transposes of the nodes that rules emit: from the adjoint of a result to those of the operands.
//!
//! ```text
//! y = a * x         adjoint of x: a * that of y
//! y = broadcast x   adjoint of x: the sum of that of y over the axes along which x was broadcast
//! y = x[i]          adjoint of x: what it was, with that of y added at i
//! ```
//!
//! - Operands that do not depend on a tangent are available: they were emitted before.
//! - An adjoint has the type and the sizes of its value. If it is unknown until the run whether an axis was
//!   broadcast, the emitted sum handles both cases.

mod indexing;
mod lists;
mod products;

use std::collections::{BTreeMap, BTreeSet};

use ag_ir::{
    BinaryOp, CompareOp, Dim, Function, Node, Op, ReduceOp, Type, UnaryOp, ValueId, WithShape, shape_text,
};

use super::extents::{Atom, Extent, Sizes};
use super::{Emitted, reductions};
use crate::adjoints::Adjoints;
use crate::emit;
use crate::error::GradientError;
use crate::site::Site;

/// The stand-in for the tangent of an operand while a rule emits its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placeholder {
    /// The number of the operand.
    pub(super) operand: usize,
    /// Whether its adjoint is wanted.
    pub(super) is_wanted: bool,
}

type Done = Result<(), GradientError>;

/// Transposes the nodes of one rule.
pub(super) struct Transposer<'a, 's> {
    site: &'a mut Site<'s>,
    adjoints: &'a mut Adjoints,
    placeholders: BTreeMap<ValueId, Placeholder>,
    sizes: Sizes<'a>,
    /// Values that the rule has emitted and that depend on no tangent.
    emitted: BTreeSet<ValueId>,
    /// Values between the placeholders and the tangents of the results.
    between: BTreeSet<ValueId>,
    /// Their adjoints so far.
    found: BTreeMap<ValueId, ValueId>,
}

impl<'a, 's> Transposer<'a, 's> {
    pub(super) fn new(
        site: &'a mut Site<'s>,
        adjoints: &'a mut Adjoints,
        placeholders: BTreeMap<ValueId, Placeholder>,
        sizes: Sizes<'a>,
        (linear, emitted): (&[Node], BTreeSet<ValueId>),
    ) -> Self {
        let between = linear.iter().flat_map(|node| node.results.iter().copied()).collect();
        Self { site, adjoints, placeholders, sizes, emitted, between, found: BTreeMap::new() }
    }

    /// Computes the adjoints of the operands from those of the results.
    pub(super) fn run(
        mut self,
        linear: &[Node],
        tangents: &[Option<ValueId>],
        given: &[Option<ValueId>],
    ) -> Done {
        for (tangent, adjoint) in tangents.iter().zip(given) {
            if let (Some(tangent), Some(adjoint)) = (tangent, adjoint) {
                self.give(*tangent, *adjoint)?;
            }
        }
        for node in linear.iter().rev() {
            let adjoints: Vec<Option<ValueId>> =
                node.results.iter().map(|result| self.found.remove(result)).collect();
            if adjoints.iter().any(Option::is_some) {
                self.node(node, &adjoints)?;
            }
        }
        Ok(())
    }

    fn function(&self) -> &Function {
        self.site.builder.function()
    }

    fn extents(&self, value: ValueId) -> Vec<Extent> {
        self.sizes.of(self.function(), value)
    }

    /// Whether a value depends on a tangent whose adjoint is wanted.
    fn wants(&self, value: ValueId) -> bool {
        let placeholder = self.placeholders.get(&value);
        placeholder.map_or_else(|| self.between.contains(&value), |one| one.is_wanted)
    }

    /// The operand whose tangent a placeholder stands for.
    fn program_value(&self, value: ValueId) -> Option<ValueId> {
        self.placeholders.get(&value).map(|one| self.site.node.operands[one.operand])
    }

    /// Adds to the adjoint of a value.
    fn give(&mut self, value: ValueId, part: ValueId) -> Done {
        if !self.wants(value) {
            return Ok(());
        }
        let part = self.of_type_of(part, value)?;
        if let Some(value) = self.program_value(value) {
            return self.adjoints.add(self.site.builder, value, part);
        }
        let total = match self.found.get(&value) {
            Some(before) => emit::sum(self.site.builder, *before, part)?,
            None => part,
        };
        self.found.insert(value, total);
        Ok(())
    }

    /// Checks that a value has the sizes in the type of another, and gives it that type.
    fn of_type_of(&mut self, value: ValueId, other: ValueId) -> Emitted {
        let wanted = self.function().ty(other).clone();
        match &wanted {
            Type::Tensor(wanted) if self.function().tensor(value).shape != wanted.shape => {
                let shape = wanted.shape.clone();
                let message =
                    format!("the adjoint of an array of shape {} has another shape", shape_text(&shape));
                self.site.emit(Op::WithShape(WithShape { shape, message: message.into() }), &[value])
            }
            _ => Ok(value),
        }
    }

    /// The size of an axis as an `i64[]`.
    fn size(&mut self, value: ValueId, axis: usize) -> Emitted {
        let atoms = match &self.extents(value)[axis] {
            Extent::Known(size) => {
                return Ok(emit::integer(self.site.builder, i64::try_from(*size).unwrap_or(i64::MAX)));
            }
            Extent::Open(atoms) => atoms.clone(),
        };
        if let Some(value) = self.program_value(value) {
            return Ok(self.site.primals.size(self.site.builder, value, axis));
        }
        let mut size = None;
        for atom in atoms {
            let next = self.atom(atom)?;
            size = Some(match size {
                None => next,
                Some(size) => {
                    let one = emit::integer(self.site.builder, 1);
                    let stretches = self.site.compare(CompareOp::Eq, size, one)?;
                    self.site.choose(stretches, next, size)?
                }
            });
        }
        Ok(size.unwrap_or_else(|| emit::integer(self.site.builder, 1)))
    }

    fn atom(&mut self, atom: Atom) -> Emitted {
        match atom {
            Atom::Number(number) => Ok(self.at_hand(number)),
            Atom::Range([start, stop, step]) => {
                let (start, stop, step) = (self.at_hand(start), self.at_hand(stop), self.at_hand(step));
                // Rounds up: minus the floor of the negated quotient.
                let distance = self.site.sub(start, stop)?;
                let count = self.site.binary(BinaryOp::FloorDiv, distance, step)?;
                let count = self.site.neg(count)?;
                let zero = emit::integer(self.site.builder, 0);
                self.site.binary(BinaryOp::Maximum, count, zero)
            }
            Atom::Axis(value, _) if self.between.contains(&value) => {
                self.site.refuse("the size of a part of its derivative is not known")
            }
            Atom::Axis(value, axis) if self.emitted.contains(&value) => {
                Ok(emit::size(self.site.builder, value, axis))
            }
            Atom::Axis(value, axis) => Ok(self.site.primals.size(self.site.builder, value, axis)),
        }
    }

    /// The value that stands here for an integer that the rule has emitted, or that belongs to the program.
    fn at_hand(&mut self, number: ValueId) -> ValueId {
        if self.emitted.contains(&number) {
            return number;
        }
        self.site.primals.value(self.site.builder, number)
    }

    /// The unknown sizes of a value.
    fn open_sizes(&mut self, value: ValueId) -> Result<Vec<ValueId>, GradientError> {
        let shape = self.site.shape(value);
        let open = (0..shape.len()).filter(|axis| shape[*axis] == Dim::Unknown);
        open.map(|axis| self.size(value, axis)).collect()
    }

    fn node(&mut self, node: &Node, adjoints: &[Option<ValueId>]) -> Done {
        if let Op::List(op) = &node.op {
            return self.list(op, node, adjoints);
        }
        let Some(adjoint) = adjoints[0] else { return Ok(()) };
        match &node.op {
            Op::Unary(UnaryOp::Neg, _) => {
                let part = self.site.neg(adjoint)?;
                self.give(node.operands[0], part)
            }
            Op::Binary(op, _) => self.binary(*op, node, adjoint),
            Op::Select => self.select(node, adjoint),
            Op::Cast(_) => {
                let dtype = self.site.dtype(node.operands[0]);
                let part = self.site.emit(Op::Cast(dtype), &[adjoint])?;
                self.give(node.operands[0], part)
            }
            Op::Identity(_) | Op::WithShape(_) => self.give(node.operands[0], adjoint),
            Op::Broadcast(_) => self.give_summed(node, node.operands[0], adjoint),
            Op::Reshape(_) => {
                let part = self.reshaped(adjoint, node.operands[0])?;
                self.give(node.operands[0], part)
            }
            Op::Transpose(permutation) => {
                let mut back = vec![0; permutation.len()];
                for (axis, from) in permutation.iter().enumerate() {
                    back[*from] = axis;
                }
                let part = self.site.emit(Op::Transpose(back), &[adjoint])?;
                self.give(node.operands[0], part)
            }
            Op::Reduce { op: ReduceOp::Sum, axes, keepdims } => {
                let part = self.spread(adjoint, node.operands[0], axes, *keepdims)?;
                self.give(node.operands[0], part)
            }
            Op::Cumulative { op: ReduceOp::Sum, axis } => {
                let turned = reductions::reversed(self.site, adjoint, *axis)?;
                let sums = self.site.emit(node.op.clone(), &[turned])?;
                let part = reductions::reversed(self.site, sums, *axis)?;
                self.give(node.operands[0], part)
            }
            Op::Fourier { is_inverse } => {
                let part = self.site.emit(Op::Fourier { is_inverse: !is_inverse }, &[adjoint])?;
                self.give(node.operands[0], part)
            }
            Op::Dot(axes) => self.dot(axes, node, adjoint),
            Op::Correlate { before, .. } => self.correlation(*before, node, adjoint),
            Op::SolveLu => self.solution(node, adjoint),
            _ => self.moved(node, adjoint),
        }
    }

    fn binary(&mut self, op: BinaryOp, node: &Node, adjoint: ValueId) -> Done {
        let [left, right] = node.operands[..] else { return Ok(()) };
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                self.give_summed(node, left, adjoint)?;
                if op == BinaryOp::Add || !self.wants(right) {
                    return self.give_summed(node, right, adjoint);
                }
                // Sum first: then there are fewer elements to negate.
                let from = self.extents(node.results[0]);
                let part = self.summed(adjoint, &from, right)?;
                let part = self.site.neg(part)?;
                self.give(right, part)
            }
            BinaryOp::Mul => {
                for (operand, factor) in [(left, right), (right, left)] {
                    if self.wants(operand) {
                        let part = self.site.mul(adjoint, factor)?;
                        self.give_summed(node, operand, part)?;
                    }
                }
                Ok(())
            }
            BinaryOp::Div => {
                let part = self.site.div(adjoint, right)?;
                self.give_summed(node, left, part)
            }
            _ => self.site.refuse("a part of its derivative is not linear"),
        }
    }

    fn select(&mut self, node: &Node, adjoint: ValueId) -> Done {
        let [test, left, right] = node.operands[..] else { return Ok(()) };
        let zero = self.site.number(adjoint, 0.0)?;
        if self.wants(left) {
            let part = self.site.choose(test, adjoint, zero)?;
            self.give_summed(node, left, part)?;
        }
        if self.wants(right) {
            let part = self.site.choose(test, zero, adjoint)?;
            self.give_summed(node, right, part)?;
        }
        Ok(())
    }

    /// Adds to the adjoint of an operand that was broadcast to a node's result; `part` has the result's
    /// sizes.
    fn give_summed(&mut self, node: &Node, operand: ValueId, part: ValueId) -> Done {
        if !self.wants(operand) {
            return Ok(());
        }
        let from = self.extents(node.results[0]);
        let part = self.summed(part, &from, operand)?;
        self.give(operand, part)
    }

    /// Sums over the axes along which a value was broadcast to these sizes.
    fn summed(&mut self, x: ValueId, from: &[Extent], value: ValueId) -> Emitted {
        let to = self.extents(value);
        let offset = from.len() - to.len();
        let from_of = |axis: usize| &from[offset + axis];
        let is_one = |axis: &usize| to[*axis] == Extent::Known(1) && *from_of(*axis) != Extent::Known(1);
        let ones: Vec<usize> = (0..to.len()).filter(is_one).map(|axis| offset + axis).collect();
        let doubtful: Vec<usize> = (0..to.len())
            .filter(|axis| matches!(to[*axis], Extent::Open(_)) && to[*axis] != *from_of(*axis))
            .collect();
        let mut x = x;
        if !ones.is_empty() {
            x = self.site.total(x, ones, true)?;
        }
        if offset > 0 {
            x = self.site.total(x, (0..offset).collect(), false)?;
        }
        if doubtful.is_empty() { Ok(x) } else { self.summed_if_broadcast(x, value, &doubtful) }
    }

    /// Sums over axes that may have been broadcast, from `m` to `n` elements: reshapes to `n / m` by `m` and
    /// sums over the first.
    fn summed_if_broadcast(&mut self, x: ValueId, value: ValueId, doubtful: &[usize]) -> Emitted {
        let (mut shape, mut sizes, mut axes) = (Vec::new(), Vec::new(), Vec::new());
        for (axis, dim) in self.site.shape(x).into_iter().enumerate() {
            let size = emit::size(self.site.builder, x, axis);
            if doubtful.contains(&axis) {
                let narrow = self.size(value, axis)?;
                axes.push(shape.len());
                shape.extend([Dim::Unknown, Dim::Unknown]);
                sizes.extend([emit::arithmetic(self.site.builder, BinaryOp::FloorDiv, size, narrow), narrow]);
            } else {
                shape.push(dim);
                sizes.push(size);
            }
        }
        let split = reductions::resized(self.site, x, &shape, &sizes)?;
        self.site.total(split, axes, false)
    }

    /// Reshapes elements to the shape of another value.
    fn reshaped(&mut self, x: ValueId, value: ValueId) -> Emitted {
        let (shape, sizes) = (self.site.shape(value), self.open_sizes(value)?);
        self.site.emit(Op::Reshape(shape), &[&[x], &sizes[..]].concat())
    }

    /// The adjoint of a sum over axes: each element gets the adjoint of its sum.
    fn spread(&mut self, x: ValueId, value: ValueId, axes: &[usize], keepdims: bool) -> Emitted {
        let (shape, sizes) = (self.site.shape(value), self.open_sizes(value)?);
        let mut x = x;
        // The remaining axes align at the right by themselves.
        let is_leading = axes.iter().enumerate().all(|(place, axis)| place == *axis);
        if !keepdims && !is_leading {
            let (mut kept, mut kept_sizes, mut number) = (shape.clone(), Vec::new(), 0);
            for (axis, dim) in kept.iter_mut().enumerate() {
                let is_open = *dim == Dim::Unknown;
                if axes.contains(&axis) {
                    *dim = Dim::Known(1);
                } else if is_open {
                    kept_sizes.push(sizes[number]);
                }
                number += usize::from(is_open);
            }
            x = self.site.emit(Op::Reshape(kept), &[&[x], &kept_sizes[..]].concat())?;
        }
        self.site.emit(Op::Broadcast(shape), &[&[x], &sizes[..]].concat())
    }
}
