//! The transposes of reading, writing and joining parts of arrays.
//!
//! ```text
//! y = x[i]     the adjoint of x, at i, += that of y     // in place: `s += x[i]` in a loop costs the
//!                                                       // elements read, not the array
//! ```

use ag_ir::{CompareOp, DType, Dim, Node, Op, Store, TensorType, ValueId};

use super::super::Emitted;
use super::{Done, Transposer};
use crate::emit;

/// An adjoint that is updated in place.
pub(super) struct Base {
    pub(super) value: ValueId,
    /// Whether it is new, and so all zeros.
    pub(super) is_zero: bool,
}

impl Transposer<'_, '_> {
    pub(super) fn moved(&mut self, node: &Node, adjoint: ValueId) -> Done {
        match &node.op {
            Op::Slice { start, size, step } => self.slice(node, adjoint, start, size, step),
            Op::SliceRange { axis } => {
                let [x, start, _, step] = node.operands[..] else { return Ok(()) };
                let count = emit::size(self.site.builder, adjoint, *axis);
                let places = self.site.emit(Op::IotaTo(DType::I64), &[count])?;
                let places = self.site.mul(places, step)?;
                let places = self.site.add(places, start)?;
                self.scattered(x, adjoint, *axis, &[places])
            }
            Op::DynamicSlice { axis, size } => {
                let [x, start] = node.operands[..] else { return Ok(()) };
                if !self.wants(x) {
                    return Ok(());
                }
                let base = self.base(x)?;
                let block = Op::DynamicSlice { axis: *axis, size: *size };
                let part = self.joined_with(&base, adjoint, |site| site.emit(block, &[base.value, start]))?;
                let total =
                    self.site.emit(Op::DynamicUpdateSlice { axis: *axis }, &[base.value, part, start])?;
                self.settle(x, total);
                Ok(())
            }
            Op::Gather { axis, .. } => self.scattered(node.operands[0], adjoint, *axis, &node.operands[1..]),
            Op::UpdateSlice { start, step } => self.updated(node, adjoint, start, step),
            Op::DynamicUpdateSlice { axis } => self.updated_block(node, adjoint, *axis),
            Op::Scatter { axis, count, store } => match store {
                Store::Replace => self.scatter(node, adjoint, (*axis, *count)),
                Store::Add => {
                    self.give(node.operands[0], adjoint)?;
                    self.written_part(node, adjoint, (*axis, *count), None)
                }
            },
            Op::Concatenate(axis) => self.concatenated(node, adjoint, *axis),
            _ => self.site.refuse("a part of its derivative is not linear"),
        }
    }

    /// The adjoint of a value so far, or new zeros.
    fn base(&mut self, value: ValueId) -> Result<Base, crate::GradientError> {
        let program_value = self.program_value(value);
        let before = match program_value {
            Some(value) => self.adjoints.get(value),
            None => self.found.get(&value).copied(),
        };
        if let Some(value) = before {
            return Ok(Base { value, is_zero: false });
        }
        let zeros = match program_value {
            Some(value) => self.site.zeros_like(value)?,
            None => {
                let (ty, sizes) = (self.function().tensor(value).clone(), self.open_sizes(value)?);
                emit::filled(self.site.builder, &ty, &sizes, 0.0)?
            }
        };
        Ok(Base { value: zeros, is_zero: true })
    }

    /// Stores the updated adjoint of a value.
    fn settle(&mut self, value: ValueId, total: ValueId) {
        match self.program_value(value) {
            Some(value) => self.adjoints.set(value, total),
            None => drop(self.found.insert(value, total)),
        }
    }

    /// Adds a part to the previous adjoint.
    fn joined_with(
        &mut self,
        base: &Base,
        part: ValueId,
        read: impl FnOnce(&mut crate::site::Site<'_>) -> Emitted,
    ) -> Emitted {
        if base.is_zero {
            return Ok(part);
        }
        let before = read(self.site)?;
        self.site.add(before, part)
    }

    /// Adds `part` to the adjoint of `x` at indices.
    fn scattered(&mut self, x: ValueId, part: ValueId, axis: usize, places: &[ValueId]) -> Done {
        if !self.wants(x) {
            return Ok(());
        }
        let base = self.base(x)?;
        let operands = [&[base.value, part], places].concat();
        let total =
            self.site.emit(Op::Scatter { axis, count: places.len(), store: Store::Add }, &operands)?;
        self.settle(x, total);
        Ok(())
    }

    fn slice(&mut self, node: &Node, adjoint: ValueId, start: &[i64], size: &[Dim], step: &[i64]) -> Done {
        let x = node.operands[0];
        if !self.wants(x) {
            return Ok(());
        }
        let shape = self.site.shape(x);
        if shape.contains(&Dim::Unknown) || size.contains(&Dim::Unknown) {
            return self.slice_of_open(x, adjoint, start, size, step);
        }
        let base = self.base(x)?;
        let read = node.op.clone();
        let part = self.joined_with(&base, adjoint, |site| site.emit(read, &[base.value]))?;
        let write = Op::UpdateSlice { start: start.to_vec(), step: step.to_vec() };
        let total = self.site.emit(write, &[base.value, part])?;
        self.settle(x, total);
        Ok(())
    }

    /// The transpose of a slice axis by axis, if some axes have unknown sizes and are taken as a whole.
    fn slice_of_open(
        &mut self,
        x: ValueId,
        adjoint: ValueId,
        start: &[i64],
        size: &[Dim],
        step: &[i64],
    ) -> Done {
        let shape = self.site.shape(x);
        let is_whole = |axis: &usize| start[*axis] == 0 && step[*axis] == 1 && size[*axis] == shape[*axis];
        let parts: Vec<usize> = (0..shape.len()).filter(|axis| !is_whole(axis)).collect();
        let Some((last, others)) = parts.split_last() else { return self.give(x, adjoint) };
        let mut part = adjoint;
        for axis in others {
            let places = self.places(start[*axis], size[*axis], step[*axis])?;
            let mut wider = self.site.shape(part);
            wider[*axis] = shape[*axis];
            let mut sizes = Vec::new();
            for (position, dim) in wider.iter().enumerate() {
                if *dim == Dim::Unknown {
                    sizes.push(if position == *axis {
                        self.size(x, position)?
                    } else {
                        emit::size(self.site.builder, part, position)
                    });
                }
            }
            let ty = TensorType::new(self.site.dtype(part), wider);
            let zeros = emit::filled(self.site.builder, &ty, &sizes, 0.0)?;
            part = self
                .site
                .emit(Op::Scatter { axis: *axis, count: 1, store: Store::Add }, &[zeros, part, places])?;
        }
        let places = self.places(start[*last], size[*last], step[*last])?;
        self.scattered(x, part, *last, &[places])
    }

    /// `start + step * arange(size)`
    fn places(&mut self, start: i64, size: Dim, step: i64) -> Emitted {
        let size = size.known().unwrap_or(0);
        let places = self.site.emit(Op::Iota { dtype: DType::I64, size }, &[])?;
        let (start, step) = (emit::integer(self.site.builder, start), emit::integer(self.site.builder, step));
        let places = self.site.mul(places, step)?;
        self.site.add(places, start)
    }

    fn updated(&mut self, node: &Node, adjoint: ValueId, start: &[i64], step: &[i64]) -> Done {
        let [x, part] = node.operands[..] else { return Ok(()) };
        if self.wants(part) {
            let size = self.site.shape(part);
            let read = Op::Slice { start: start.to_vec(), size, step: step.to_vec() };
            let value = self.site.emit(read, &[adjoint])?;
            self.give(part, value)?;
        }
        if self.wants(x) {
            let ty = self.function().tensor(part).clone();
            let zeros = emit::filled(self.site.builder, &ty, &[], 0.0)?;
            let rest = self.site.emit(node.op.clone(), &[adjoint, zeros])?;
            self.give(x, rest)?;
        }
        Ok(())
    }

    fn updated_block(&mut self, node: &Node, adjoint: ValueId, axis: usize) -> Done {
        let [x, part, start] = node.operands[..] else { return Ok(()) };
        if self.wants(part) {
            let value = match self.site.shape(part)[axis] {
                Dim::Known(size) => self.site.emit(Op::DynamicSlice { axis, size }, &[adjoint, start])?,
                Dim::Unknown => {
                    let size = self.size(part, axis)?;
                    let (stop, step) = (self.site.add(start, size)?, emit::integer(self.site.builder, 1));
                    self.site.emit(Op::SliceRange { axis }, &[adjoint, start, stop, step])?
                }
            };
            self.give(part, value)?;
        }
        if self.wants(x) {
            let (ty, sizes) = (self.function().tensor(part).clone(), self.open_sizes(part)?);
            let zeros = emit::filled(self.site.builder, &ty, &sizes, 0.0)?;
            let rest = self.site.emit(node.op.clone(), &[adjoint, zeros, start])?;
            self.give(x, rest)?;
        }
        Ok(())
    }

    /// If an element is written several times, only the last write has an adjoint.
    fn scatter(&mut self, node: &Node, adjoint: ValueId, (axis, count): (usize, usize)) -> Done {
        let (x, places) = (node.operands[0], node.operands[2..].to_vec());
        if self.wants(node.operands[1]) {
            let winners = self.winners(x, adjoint, (axis, count), &places)?;
            self.written_part(node, adjoint, (axis, count), winners)?;
        }
        if self.wants(x) {
            let zero = self.site.number(adjoint, 0.0)?;
            let rest = self.site.emit(node.op.clone(), &[&[adjoint, zero], &places[..]].concat())?;
            self.give(x, rest)?;
        }
        Ok(())
    }

    /// The adjoint of a written value: the adjoint at its indices, without elements that were overwritten
    /// later.
    fn written_part(
        &mut self,
        node: &Node,
        adjoint: ValueId,
        (axis, count): (usize, usize),
        winners: Option<ValueId>,
    ) -> Done {
        let written = node.operands[1];
        if !self.wants(written) {
            return Ok(());
        }
        let read = Op::Gather { axis, count };
        let operands = [&[adjoint], &node.operands[2..]].concat();
        let mut part = self.site.emit(read.clone(), &operands)?;
        // The sizes of the result of the read, from the array written to and the indices.
        let array = node.operands[0];
        let read = Node {
            op: read,
            operands: [&[array], &node.operands[2..]].concat(),
            results: vec![part],
            regions: Vec::new(),
            location: None,
        };
        self.sizes.learn(self.site.builder.function(), &read);
        let from = self.extents(part);
        if let Some(winners) = winners {
            let zero = self.site.number(part, 0.0)?;
            part = self.site.choose(winners, part, zero)?;
        }
        let part = self.summed(part, &from, written)?;
        self.give(written, part)
    }

    /// A mask of the indices that are the last to name their element, in a shape that broadcasts with the
    /// read elements; none if all indices are sure to differ.
    fn winners(
        &mut self,
        x: ValueId,
        adjoint: ValueId,
        (axis, count): (usize, usize),
        places: &[ValueId],
    ) -> Result<Option<ValueId>, crate::GradientError> {
        let shapes: Vec<Vec<Dim>> = places.iter().map(|place| self.site.shape(*place)).collect();
        let shapes: Vec<&[Dim]> = shapes.iter().map(Vec::as_slice).collect();
        let shape = ag_ir::broadcast_shapes(&shapes)?;
        if shape.iter().all(|dim| *dim == Dim::Known(1)) {
            return Ok(None);
        }
        // Number the indices, write the numbers where they point to, and read them back.
        let mut table_shape = self.site.shape(x);
        let rest = table_shape.split_off(axis + count).len();
        let table_shape = table_shape.split_off(axis);
        let table_sizes: Vec<ValueId> = (0..count)
            .filter(|place| table_shape[*place] == Dim::Unknown)
            .map(|place| emit::size(self.site.builder, adjoint, axis + place))
            .collect();
        let table = TensorType::new(DType::I64, table_shape);
        let table = emit::filled(self.site.builder, &table, &table_sizes, 0.0)?;
        let sample = self.site.emit(Op::Gather { axis: 0, count }, &[&[table], places].concat())?;
        let numbers = self.numbered(sample)?;
        let written = self.site.emit(
            Op::Scatter { axis: 0, count, store: Store::Replace },
            &[&[table, numbers], places].concat(),
        )?;
        let read = self.site.emit(Op::Gather { axis: 0, count }, &[&[written], places].concat())?;
        let wins = self.site.compare(CompareOp::Eq, read, numbers)?;
        let (mut wide, sizes) = (self.site.shape(wins), emit::open_sizes(self.site.builder, wins));
        wide.extend(std::iter::repeat_n(Dim::Known(1), rest));
        Ok(Some(self.site.emit(Op::Reshape(wide), &[&[wins], &sizes[..]].concat())?))
    }

    /// 0, 1, 2, … in the shape of an array.
    fn numbered(&mut self, like: ValueId) -> Emitted {
        let shape = self.site.shape(like);
        let mut count = emit::integer(self.site.builder, 1);
        for axis in 0..shape.len() {
            let size = emit::size(self.site.builder, like, axis);
            count = emit::arithmetic(self.site.builder, ag_ir::BinaryOp::Mul, count, size);
        }
        let numbers = self.site.emit(Op::IotaTo(DType::I64), &[count])?;
        let sizes = emit::open_sizes(self.site.builder, like);
        self.site.emit(Op::Reshape(shape), &[&[numbers], &sizes[..]].concat())
    }

    fn concatenated(&mut self, node: &Node, adjoint: ValueId, axis: usize) -> Done {
        let total = self.site.shape(adjoint);
        let mut known = Some(0_usize);
        let mut start = None;
        for (number, operand) in node.operands.iter().enumerate() {
            let size = self.site.shape(*operand)[axis];
            if self.wants(*operand) {
                let part = match (known, size, total[axis]) {
                    (Some(first), Dim::Known(size), Dim::Known(_)) => {
                        let (mut starts, mut sizes) = (vec![0; total.len()], total.clone());
                        starts[axis] = i64::try_from(first).unwrap_or(i64::MAX);
                        sizes[axis] = Dim::Known(size);
                        let slice = Op::Slice { start: starts, size: sizes, step: vec![1; total.len()] };
                        self.site.emit(slice, &[adjoint])?
                    }
                    _ => {
                        let first = self.start(known, start)?;
                        self.block(adjoint, axis, first, *operand)?
                    }
                };
                self.give(*operand, part)?;
            }
            if number + 1 == node.operands.len() {
                break;
            }
            match (known, size) {
                (Some(before), Dim::Known(size)) => known = before.checked_add(size),
                _ => {
                    let before = self.start(known, start)?;
                    let size = self.size(*operand, axis)?;
                    start = Some(self.site.add(before, size)?);
                    known = None;
                }
            }
        }
        Ok(())
    }

    fn start(&mut self, known: Option<usize>, start: Option<ValueId>) -> Emitted {
        let known =
            || emit::integer(self.site.builder, known.and_then(|one| i64::try_from(one).ok()).unwrap_or(0));
        Ok(start.unwrap_or_else(known))
    }

    /// A block of an axis from a start on, as long as `like`.
    fn block(&mut self, x: ValueId, axis: usize, start: ValueId, like: ValueId) -> Emitted {
        if let Dim::Known(size) = self.site.shape(like)[axis] {
            return self.site.emit(Op::DynamicSlice { axis, size }, &[x, start]);
        }
        let size = self.size(like, axis)?;
        let (stop, step) = (self.site.add(start, size)?, emit::integer(self.site.builder, 1));
        self.site.emit(Op::SliceRange { axis }, &[x, start, stop, step])
    }
}
