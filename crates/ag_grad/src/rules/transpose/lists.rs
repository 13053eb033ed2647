//! The transposes of list ops.
//!
//! ```text
//! ys = xs.append(x)      the adjoint of ys without its last value is that of xs; that value is that of x
//! x = xs[i]              the adjoint of xs, at i, += that of x
//! ```

use ag_ir::{Block, ListOp, Node, Op, Type, ValueId};

use super::super::Emitted;
use super::indexing::Base;
use super::{Done, Transposer};
use crate::emit;
use crate::error::GradientError;

impl Transposer<'_, '_> {
    pub(super) fn list(&mut self, op: &ListOp, node: &Node, adjoints: &[Option<ValueId>]) -> Done {
        match op {
            ListOp::Pop => return self.popped(ListOp::Append, &[], node, adjoints),
            ListOp::PopIn => return self.popped(ListOp::AppendIn, &node.operands[1..2], node, adjoints),
            _ => {}
        }
        let Some(adjoint) = adjoints[0] else { return Ok(()) };
        let operands = &node.operands;
        match op {
            ListOp::Make(_) => {
                for (number, value) in operands.iter().enumerate() {
                    if self.wants(*value) {
                        let index = self.integer(i64::try_from(number).unwrap_or(i64::MAX));
                        let part = self.list_op(ListOp::Get, &[adjoint, index])?;
                        self.give(*value, part)?;
                    }
                }
                Ok(())
            }
            ListOp::Append => self.appended(ListOp::Pop, &[adjoint], operands),
            ListOp::AppendIn => self.appended(ListOp::PopIn, &[adjoint, operands[1]], operands),
            ListOp::Get | ListOp::GetIn => self.read(op, operands, adjoint),
            ListOp::Set | ListOp::SetIn => self.written(op, operands, adjoint),
            ListOp::Insert => self.inserted(operands, adjoint),
            ListOp::Delete => self.deleted(operands, adjoint),
            ListOp::Concatenate => self.joined(operands, adjoint),
            ListOp::Slice => self.sliced(operands, adjoint),
            ListOp::Reverse => {
                let part = self.list_op(ListOp::Reverse, &[adjoint])?;
                self.give(operands[0], part)
            }
            ListOp::Stack { .. } => {
                let part = self.list_op(ListOp::Unstack, &[adjoint])?;
                self.give(operands[0], part)
            }
            ListOp::Unstack => {
                let size = self.site.shape(operands[0])[0].known();
                let part = self.list_op(ListOp::Stack { size }, &[adjoint])?;
                self.give(operands[0], part)
            }
            ListOp::Flatten => self.flattened(operands[0], adjoint),
            ListOp::Length | ListOp::LengthIn | ListOp::Zeros | ListOp::Pop | ListOp::PopIn => {
                self.site.refuse("a part of its derivative is not linear")
            }
        }
    }

    /// The transpose of an append pops from the end of the adjoint.
    fn appended(&mut self, pop: ListOp, taken: &[ValueId], operands: &[ValueId]) -> Done {
        let location = self.site.location();
        let results = self.site.builder.emit(Op::List(pop), taken, location)?;
        self.give(operands[0], results[0])?;
        self.give(operands[operands.len() - 1], results[1])
    }

    fn list_op(&mut self, op: ListOp, operands: &[ValueId]) -> Emitted {
        self.site.emit(Op::List(op), operands)
    }

    fn integer(&mut self, number: i64) -> ValueId {
        emit::integer(self.site.builder, number)
    }

    /// The list of the program that an operand stands for; asking for it makes it available.
    fn program_list(&mut self, value: ValueId) -> Emitted {
        match self.program_value(value) {
            Some(value) => Ok(self.site.primals.value(self.site.builder, value)),
            None => self.site.refuse("the length of a part of its derivative is not known"),
        }
    }

    /// The adjoint of a list so far, or new zeros.
    fn list_base(&mut self, value: ValueId) -> Result<Base, GradientError> {
        let Some(value) = self.program_value(value) else {
            return self.site.refuse("the length of a part of its derivative is not known");
        };
        Ok(match self.adjoints.get(value) {
            Some(value) => Base { value, is_zero: false },
            None => Base { value: self.site.zeros_like(value)?, is_zero: true },
        })
    }

    /// Stores the updated adjoint of a list.
    fn settle_list(&mut self, value: ValueId, total: ValueId) {
        if let Some(value) = self.program_value(value) {
            self.adjoints.set(value, total);
        }
    }

    /// The transpose of a pop appends to the adjoint; `places` are the indices of the inner list, if it is in
    /// a list.
    fn popped(
        &mut self,
        append: ListOp,
        places: &[ValueId],
        node: &Node,
        adjoints: &[Option<ValueId>],
    ) -> Done {
        let program = self.site.node.results.clone();
        let mut given = Vec::new();
        for (number, adjoint) in adjoints.iter().enumerate() {
            given.push(match adjoint {
                Some(adjoint) => *adjoint,
                None => self.site.zeros_like(program[number])?,
            });
        }
        let part = self.list_op(append, &[&given[..1], places, &given[1..]].concat())?;
        self.give(node.operands[0], part)
    }

    fn read(&mut self, op: &ListOp, operands: &[ValueId], adjoint: ValueId) -> Done {
        if !self.wants(operands[0]) {
            return Ok(());
        }
        let write = if *op == ListOp::Get { ListOp::Set } else { ListOp::SetIn };
        let base = self.list_base(operands[0])?;
        let at = &operands[1..];
        let sum = if base.is_zero {
            adjoint
        } else {
            let before = self.list_op(op.clone(), &[&[base.value], at].concat())?;
            emit::sum(self.site.builder, before, adjoint)?
        };
        let total = self.list_op(write, &[&[base.value], at, &[sum]].concat())?;
        self.settle_list(operands[0], total);
        Ok(())
    }

    fn written(&mut self, op: &ListOp, operands: &[ValueId], adjoint: ValueId) -> Done {
        let (value, at) = (operands[operands.len() - 1], &operands[1..operands.len() - 1]);
        let read = if *op == ListOp::Set { ListOp::Get } else { ListOp::GetIn };
        let part = self.list_op(read.clone(), &[&[adjoint], at].concat())?;
        self.give(value, part)?;
        if self.wants(operands[0]) {
            let zeros = self.zeros_of_replaced(read, operands, part)?;
            let rest = self.list_op(op.clone(), &[&[adjoint], at, &[zeros]].concat())?;
            self.give(operands[0], rest)?;
        }
        Ok(())
    }

    /// Zeros for an element that was replaced, which may have had other sizes than the new one:
    /// `rows[i] = rows[i][1:]`.
    fn zeros_of_replaced(&mut self, read: ListOp, operands: &[ValueId], part: ValueId) -> Emitted {
        let is_sized = match self.function().ty(part) {
            Type::Tensor(tensor) => !tensor.has_unknown_sizes(),
            Type::List(_) => false,
        };
        if is_sized {
            return emit::zeros_like(self.site.builder, part);
        }
        let list = self.program_list(operands[0])?;
        let at = &operands[1..operands.len() - 1];
        let replaced = self.list_op(read, &[&[list], at].concat())?;
        emit::zeros_like(self.site.builder, replaced)
    }

    /// An index out of range means the start or the end.
    fn inserted(&mut self, operands: &[ValueId], adjoint: ValueId) -> Done {
        let [list, index, value] = operands[..] else { return Ok(()) };
        let length = self.list_op(ListOp::Length, &[adjoint])?;
        let (zero, one) = (self.integer(0), self.integer(1));
        let last = self.site.sub(length, one)?;
        let at = self.site.binary(ag_ir::BinaryOp::Maximum, index, zero)?;
        let at = self.site.binary(ag_ir::BinaryOp::Minimum, at, last)?;
        let part = self.list_op(ListOp::Get, &[adjoint, at])?;
        self.give(value, part)?;
        if self.wants(list) {
            let rest = self.list_op(ListOp::Delete, &[adjoint, at])?;
            self.give(list, rest)?;
        }
        Ok(())
    }

    fn deleted(&mut self, operands: &[ValueId], adjoint: ValueId) -> Done {
        let [list, index] = operands[..] else { return Ok(()) };
        let element = self.function().ty(list).element().cloned();
        let zeros = match element {
            Some(Type::Tensor(ty)) => emit::filled(self.site.builder, &ty, &[], 0.0)?,
            _ => {
                let list = self.program_list(list)?;
                let value = self.list_op(ListOp::Get, &[list, index])?;
                emit::zeros_like(self.site.builder, value)?
            }
        };
        let part = self.list_op(ListOp::Insert, &[adjoint, index, zeros])?;
        self.give(list, part)
    }

    fn joined(&mut self, operands: &[ValueId], adjoint: ValueId) -> Done {
        let [left, right] = operands[..] else { return Ok(()) };
        let end = self.list_op(ListOp::Length, &[adjoint])?;
        // For `values += [x]`, the right list is the short one.
        let added = self.program_list(right)?;
        let added = self.list_op(ListOp::Length, &[added])?;
        let (zero, one, middle) = (self.integer(0), self.integer(1), self.site.sub(end, added)?);
        for (operand, start, stop) in [(left, zero, middle), (right, middle, end)] {
            if self.wants(operand) {
                let part = self.list_op(ListOp::Slice, &[adjoint, start, stop, one])?;
                self.give(operand, part)?;
            }
        }
        Ok(())
    }

    /// `for k, x in enumerate(adjoint): base[start + k * step] += x`
    fn sliced(&mut self, operands: &[ValueId], adjoint: ValueId) -> Done {
        let [list, start, _, step] = operands[..] else { return Ok(()) };
        if !self.wants(list) {
            return Ok(());
        }
        let base = self.list_base(list)?.value;
        let count = self.list_op(ListOp::Length, &[adjoint])?;
        let total = self.counted(count, &[base], |this, index, carries| {
            let distance = this.site.mul(index, step)?;
            let place = this.site.add(start, distance)?;
            let value = this.list_op(ListOp::Get, &[adjoint, index])?;
            let before = this.list_op(ListOp::Get, &[carries[0], place])?;
            let sum = emit::sum(this.site.builder, before, value)?;
            Ok(vec![this.list_op(ListOp::Set, &[carries[0], place, sum])?])
        })?;
        self.settle_list(list, total[0]);
        Ok(())
    }

    /// Splits the adjoint into as many values for each inner list as it has.
    ///
    /// ```text
    /// for i in range(len(base)): base[i] = adjoint[first : first + len(base[i])]; first += len(base[i])
    /// ```
    fn flattened(&mut self, list: ValueId, adjoint: ValueId) -> Done {
        if !self.wants(list) {
            return Ok(());
        }
        let program = self.program_list(list)?;
        let zeros = self.list_op(ListOp::Zeros, &[program])?;
        let (count, first) = (self.list_op(ListOp::Length, &[zeros])?, self.integer(0));
        let total = self.counted(count, &[zeros, first], |this, index, carries| {
            let one = this.integer(1);
            let length = this.list_op(ListOp::LengthIn, &[carries[0], index])?;
            let stop = this.site.add(carries[1], length)?;
            let values = this.list_op(ListOp::Slice, &[adjoint, carries[1], stop, one])?;
            Ok(vec![this.list_op(ListOp::Set, &[carries[0], index, values])?, stop])
        })?;
        self.give(list, total[0])
    }

    /// Emits `for index in range(count)` with carried values.
    fn counted(
        &mut self,
        count: ValueId,
        carries: &[ValueId],
        body: impl FnOnce(&mut Self, ValueId, &[ValueId]) -> Result<Vec<ValueId>, GradientError>,
    ) -> Result<Vec<ValueId>, GradientError> {
        let (start, step) = (self.integer(0), self.integer(1));
        let types: Vec<Type> = carries.iter().map(|value| self.function().ty(*value).clone()).collect();
        let builder = &mut *self.site.builder;
        builder.open();
        let index = builder.param(Type::scalar(ag_ir::DType::I64));
        let carried: Vec<ValueId> = types.into_iter().map(|ty| builder.param(ty)).collect();
        let results = body(self, index, &carried);
        let region: Block =
            self.site.builder.close(results.as_ref().map_or_else(|_| Vec::new(), Clone::clone));
        results?;
        let operands = [&[start, count, step], carries].concat();
        let location = self.site.location();
        Ok(self.site.builder.emit_with_regions(Op::For, &operands, vec![region], location)?)
    }
}
