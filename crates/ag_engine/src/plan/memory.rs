//! Alias classes, live ranges, and the places of new arrays.

use ag_ir::{ListOp, Node, Op, Type, ValueId};

use super::arena::Piece;
use super::ids::{AliasClassId, BlockId, LoopId, MemoryId, SlotId};
use super::planner::{AliasClass, Hint, MemoryRequest, Planner, Residence, Room};
use super::stays::Destination;
use super::step::{Place, Put, SlotStart};
use crate::lists::Element;

impl Planner<'_> {
    /// Gives a literal, or a value on a tape, an alias class of its own that must not be written.
    pub(super) fn reside_outside(&mut self, value: ValueId) {
        let class = self.new_class(false, None);
        self.reside(value, Residence { classes: vec![class], memory: Vec::new(), is_whole: true });
    }

    /// Notes the memory that a value is in.
    pub(super) fn reside(&mut self, value: ValueId, residence: Residence) {
        for class in &residence.classes {
            self.classes[*class].members.push(value);
        }
        self.residences[value] = residence;
    }

    /// Notes that a view lies in the memory of another value.
    pub(super) fn reside_with(&mut self, value: ValueId, base: ValueId, is_whole: bool) {
        let mut residence = self.residences[base].clone();
        residence.is_whole &= is_whole;
        self.reside(value, residence);
    }

    pub(super) fn new_class(&mut self, is_writable: bool, slot: Option<(LoopId, SlotId)>) -> AliasClassId {
        self.classes.push(AliasClass { members: Vec::new(), is_writable, slot })
    }

    /// The room (buffer class) that a value needs.
    pub(super) fn room(&self, value: ValueId) -> Room {
        match self.function.ty(value) {
            Type::List(inner) => Room::Cell(Element::of(inner).map_or(0, |element| element.depth)),
            Type::Tensor(ty) if ty.has_unknown_sizes() => Room::Cell(0),
            Type::Tensor(_) => Room::Bytes(self.bytes(value)),
        }
    }

    /// New memory in the arena that is in use from `start` to `end`, or longer.
    pub(super) fn new_memory(&mut self, room: Room, home: BlockId, start: usize, end: usize) -> MemoryId {
        self.requests.push(match room {
            Room::Bytes(bytes) => MemoryRequest::Arena { piece: Piece { bytes, start, end }, home },
            Room::Cell(_) => MemoryRequest::Cell,
        })
    }

    pub(super) fn output_memory(&mut self, output: usize) -> MemoryId {
        self.requests.push(MemoryRequest::Output(output))
    }

    /// Scratch (workspace) for one node.
    pub(super) fn scratch(&mut self, bytes: usize, block: BlockId, index: usize) -> MemoryId {
        let position = self.tree.blocks[block].starts[index];
        self.new_memory(Room::Bytes(bytes), block, position, position)
    }

    /// Extends the live ranges of a value's memory to a position.
    pub(super) fn touch(&mut self, value: ValueId, block: BlockId, position: usize) {
        for number in 0..self.residences[value].memory.len() {
            let memory = self.residences[value].memory[number];
            self.keep(memory, block, position);
        }
    }

    pub(super) fn keep(&mut self, memory: MemoryId, block: BlockId, position: usize) {
        if let MemoryRequest::Arena { piece, home } = &mut self.requests[memory] {
            piece.end = piece.end.max(self.tree.end_of_use(*home, block, position));
        }
    }

    /// Whether node `index` may overwrite memory of these alias classes: the function may write it, and no
    /// value in it is read later.
    pub(super) fn is_free_after(&self, classes: &[AliasClassId], block: BlockId, index: usize) -> bool {
        !classes.is_empty()
            && classes.iter().all(|class| {
                let class = &self.classes[*class];
                class.is_writable
                    && class.members.iter().all(|member| !self.tree.is_live_after(*member, block, index))
            })
    }

    pub(super) fn share_memory(&self, a: ValueId, b: ValueId) -> bool {
        let (a, b) = (&self.residences[a].classes, &self.residences[b].classes);
        a.iter().any(|class| b.contains(class))
    }

    /// Whether node `index` may write its result over `operand`. None of `others`, its other operands, may
    /// share memory with it.
    pub(super) fn can_overwrite(
        &self,
        operand: ValueId,
        others: &[ValueId],
        block: BlockId,
        index: usize,
    ) -> bool {
        self.is_free_after(&self.residences[operand].classes, block, index)
            && others.iter().all(|other| !self.share_memory(operand, *other))
    }

    /// Places a result in the memory of an operand.
    pub(super) fn place_in(&mut self, result: ValueId, operand: ValueId) {
        self.places[result] = Some(Place::Same(operand));
        self.reside_with(result, operand, true);
    }

    /// Finds a place for a result that overlaps no operand of its node.
    pub(super) fn place(&mut self, result: ValueId, operands: &[ValueId], block: BlockId, index: usize) {
        match self.hints[result] {
            Some(Hint::Output(output)) if self.is_output_free(output, operands, block, index) => {
                let memory = self.output_memory(output);
                return self.place_in_memory(result, memory);
            }
            Some(Hint::Carry(number, carry)) => {
                let slot = self.slot_for(number, carry, operands, block, index);
                let class = self.loops[number].slot_classes[slot];
                // The spare slot may hold an operand of this node.
                if self.is_free_for(class, operands, block, index) {
                    self.places[result] = Some(Place::Slot(number, slot));
                    let residence = Residence { classes: vec![class], memory: Vec::new(), is_whole: true };
                    return self.reside(result, residence);
                }
            }
            Some(Hint::Put(destination)) if self.can_put(destination, operands, block, index) => {
                return self.place_at(result, destination, block);
            }
            Some(Hint::Output(_) | Hint::Put(_)) | None => {}
        }
        let position = self.tree.blocks[block].starts[index];
        let memory = self.new_memory(self.room(result), block, position, position);
        self.place_in_memory(result, memory);
    }

    /// Whether a node may make its result where a list or a tape will hold it. Making room may move the list:
    /// no view of it is read by the node or later.
    fn can_put(&self, destination: Destination, operands: &[ValueId], block: BlockId, index: usize) -> bool {
        let Destination::List(list, put_at) = destination else { return true };
        let classes = &self.residences[list].classes;
        let members = || classes.iter().flat_map(|class| &self.classes[*class].members);
        let is_view = |member: &ValueId| self.function.ty(*member) != self.function.ty(list);
        self.residences[list].is_whole
            && self.is_free_after(classes, block, put_at)
            && !operands.iter().any(|operand| self.share_memory(*operand, list))
            && !members().any(|member| is_view(member) && self.tree.is_live_after(*member, block, index))
    }

    /// Places a result where a list or a tape will hold it.
    fn place_at(&mut self, result: ValueId, destination: Destination, block: BlockId) {
        let put = |node| Put { bytes: self.bytes(result), location: self.tree.node(block, node).location };
        match destination {
            Destination::List(list, node) => {
                self.places[result] = Some(Place::End(list, put(node)));
                self.reside_with(result, list, false);
            }
            Destination::Tape(tape, node) => {
                self.places[result] = Some(Place::Top(tape, put(node)));
                self.reside_outside(result);
            }
        }
    }

    /// Whether a node puts a value where it is already.
    pub(super) fn is_put(&self, value: ValueId, destination: Destination) -> bool {
        let is_placed = matches!(self.places[value], Some(Place::End(..) | Place::Top(..)));
        is_placed && self.hints[value] == Some(Hint::Put(destination))
    }

    /// Whether a node may write memory of this alias class: nothing in it is read by the node or later.
    fn is_free_for(&self, class: AliasClassId, operands: &[ValueId], block: BlockId, index: usize) -> bool {
        let is_read = operands.iter().any(|operand| self.residences[*operand].classes.contains(&class));
        !is_read && self.is_free_after(&[class], block, index)
    }

    /// Whether a value is in the memory of a result of the function.
    pub(super) fn lies_in_output(&self, value: ValueId, output: usize) -> bool {
        let mut memory = self.residences[value].memory.iter().map(|memory| &self.requests[*memory]);
        memory.any(|request| matches!(request, MemoryRequest::Output(other) if *other == output))
    }

    /// Whether all values in the memory of a result of the function are dead, and not read by this node.
    fn is_output_free(&self, output: usize, operands: &[ValueId], block: BlockId, index: usize) -> bool {
        let mut values = self.residences.iter().filter(|(value, _)| self.lies_in_output(*value, output));
        values.all(|(value, _)| {
            !self.tree.is_live_after(value, block, index)
                && !operands.iter().any(|operand| self.share_memory(*operand, value))
        })
    }

    fn place_in_memory(&mut self, result: ValueId, memory: MemoryId) {
        let class = self.new_class(true, None);
        self.places[result] = Some(Place::Memory(memory));
        self.reside(result, Residence { classes: vec![class], memory: vec![memory], is_whole: true });
    }

    /// The carry's own slot if the value in it is dead and not read by this node, else its spare slot.
    fn slot_for(
        &mut self,
        number: LoopId,
        carry: usize,
        operands: &[ValueId],
        block: BlockId,
        index: usize,
    ) -> SlotId {
        if let Some(own) = self.loops[number].carries[carry] {
            let class = self.loops[number].slot_classes[own];
            if self.is_free_for(class, operands, block, index) {
                return own;
            }
        }
        self.spare_slot(number, carry)
    }

    /// The spare slot of a carry, made when it is first wanted.
    pub(super) fn spare_slot(&mut self, number: LoopId, carry: usize) -> SlotId {
        if let Some(spare) = self.loops[number].spares[carry] {
            return spare;
        }
        let open = &self.loops[number];
        let (block, start, end) = (open.block, open.start, open.end);
        let room = open.carries[carry].map_or(Room::Bytes(0), |own| open.slot_rooms[own]);
        let memory = self.new_memory(room, block, start, end);
        let slot = self.loops[number].slots.next_key();
        let class = self.new_class(true, Some((number, slot)));
        let open = &mut self.loops[number];
        open.slots.push(SlotStart::Fresh(memory));
        open.slot_classes.push(class);
        open.slot_rooms.push(room);
        open.memory.push(memory);
        open.spares[carry] = Some(slot);
        slot
    }

    /// Copies a result's hint to the operand whose memory the result takes over.
    pub(super) fn pass_hints_back(&mut self, block: BlockId) {
        let nodes = &self.tree.blocks[block].block.nodes;
        for (index, node) in nodes.iter().enumerate().rev() {
            for (operand, result) in self.taken_over(node, block, index) {
                if self.tree.defining_block(operand) == block
                    && !self.tree.blocks[block].block.params.contains(&operand)
                    && self.hints[operand].is_none()
                    && !matches!(self.hints[result], Some(Hint::Put(_)))
                    && self.room(operand) == self.room(result)
                {
                    self.hints[operand] = self.hints[result];
                }
            }
        }
    }

    /// Operands that die at a node, each with the result that takes over its memory.
    fn taken_over(&self, node: &Node, block: BlockId, index: usize) -> Vec<(ValueId, ValueId)> {
        let pairs = if let Op::Call(call) = &node.op {
            let taken = self.donations.of_function(call.callee);
            let results = node.results.iter().zip(taken);
            let pair =
                |(result, taken): (&ValueId, &Option<usize>)| Some((node.operands[(*taken)?], *result));
            results.filter_map(pair).collect()
        } else if let Some(product) = self.fusion.products.get(&(block, index)) {
            vec![(product.sum, node.results[0])]
        } else if node.op.updates_first() || matches!(node.op, Op::List(ListOp::Stack { size: None })) {
            vec![(node.operands[0], node.results[0])]
        } else if matches!(node.op, Op::While | Op::For) {
            let carries = &node.operands[node.operands.len() - node.results.len()..];
            carries
                .iter()
                .copied()
                .zip(node.results.iter().copied())
                .filter(|(init, _)| !self.is_scalar(*init))
                .collect()
        } else {
            Vec::new()
        };
        let is_free = |(operand, _): &(ValueId, ValueId)| {
            matches!(node.op, Op::Reshape(_)) || !self.tree.is_live_after(*operand, block, index)
        };
        pairs.into_iter().filter(is_free).collect()
    }
}
