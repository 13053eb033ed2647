//! The site of a rule: its node, and its access to values of the forward pass.

use ag_ir::{Builder, Dim, LocationId, Node, Op, TensorType, Type, ValueId};

use crate::emit;
use crate::error::GradientError;

/// Access to values of the forward pass. Asking for a value makes the forward pass save it.
pub(crate) trait Primals {
    /// The value that stands here for a value of the forward pass.
    fn value(&mut self, builder: &mut Builder, value: ValueId) -> ValueId;

    /// The value, an `i64[]`, that stands here for the size of an axis of a value of the forward pass.
    fn size(&mut self, builder: &mut Builder, value: ValueId, axis: usize) -> ValueId;
}

/// Forward mode: all values are at hand.
#[derive(Debug)]
pub(crate) struct AtHand;

impl Primals for AtHand {
    fn value(&mut self, _: &mut Builder, value: ValueId) -> ValueId {
        value
    }

    fn size(&mut self, builder: &mut Builder, value: ValueId, axis: usize) -> ValueId {
        emit::size(builder, value, axis)
    }
}

/// A node and the place where its rule emits.
pub(crate) struct Site<'a> {
    pub(crate) builder: &'a mut Builder,
    pub(crate) primals: &'a mut dyn Primals,
    pub(crate) node: &'a Node,
}

impl Site<'_> {
    /// The value that stands here for an operand.
    pub(crate) fn operand(&mut self, number: usize) -> ValueId {
        self.primals.value(self.builder, self.node.operands[number])
    }

    /// The value that stands here for a result.
    pub(crate) fn result(&mut self, number: usize) -> ValueId {
        self.primals.value(self.builder, self.node.results[number])
    }

    /// The type of an operand; asking for it saves nothing.
    pub(crate) fn operand_type(&self, number: usize) -> Type {
        self.builder.function().ty(self.node.operands[number]).clone()
    }

    /// The unknown sizes of a value of the forward pass, as `i64[]`, in order.
    pub(crate) fn open_sizes(&mut self, value: ValueId) -> Vec<ValueId> {
        let Some(TensorType { shape, .. }) = self.builder.function().ty(value).tensor().cloned() else {
            return Vec::new();
        };
        let open = (0..shape.len()).filter(|axis| shape[*axis] == Dim::Unknown);
        open.map(|axis| self.primals.size(self.builder, value, axis)).collect()
    }

    /// Zeros of the type and the sizes of a value of the forward pass.
    pub(crate) fn zeros_like(&mut self, value: ValueId) -> Result<ValueId, GradientError> {
        match self.builder.function().ty(value).clone() {
            Type::Tensor(ty) => {
                let sizes = self.open_sizes(value);
                emit::filled(self.builder, &ty, &sizes, 0.0)
            }
            Type::List(_) => {
                let list = self.primals.value(self.builder, value);
                self.emit(Op::List(ag_ir::ListOp::Zeros), &[list])
            }
        }
    }

    /// Emits a node at the location of the rule's node; returns its first result.
    pub(crate) fn emit(&mut self, op: Op, operands: &[ValueId]) -> Result<ValueId, GradientError> {
        let name = self.node.op.name();
        let location = self.location();
        let emitted = self.builder.emit(op, operands, location);
        let results = emitted
            .map_err(|error| GradientError::new(format!("derivative of {name}: {error}"), location))?;
        results.first().copied().ok_or_else(|| GradientError::new(format!("{name} gives nothing"), location))
    }

    pub(crate) fn location(&self) -> Option<LocationId> {
        self.node.location
    }

    /// The error that there is no derivative.
    pub(crate) fn refuse<T>(&self, why: &str) -> Result<T, GradientError> {
        Err(GradientError::new(format!("{}: {why}", self.node.op.name()), self.location()))
    }
}
