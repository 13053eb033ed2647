//! Steps of branches and loops: which slots hold array carries, and how they move between iterations.

use ag_ir::{Node, Op, ValueId};
use cranelift_codegen::entity::PrimaryMap;

use super::arena::Piece;
use super::ids::{BlockId, LoopId, SlotId};
use super::planner::{Hint, MemoryRequest, OpenLoop, Planner, Residence, Room};
use super::step::{LoopPlan, Place, SlotStart, Step, Trade};
use crate::error::CompileError;

impl Planner<'_> {
    /// Plans both branches. Their arrays stay where they are; each result is a pointer to one or the other.
    pub(super) fn plan_if(&mut self, block: BlockId, index: usize) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let regions = self.tree.blocks[block].regions[index].clone();
        for region in &regions {
            self.wish_for_results(*region, |number| node.results.get(number).copied());
            self.plan_block(*region)?;
        }
        let end = self.tree.blocks[block].ends[index];
        for (number, result) in node.results.iter().enumerate() {
            if self.is_scalar(*result) {
                continue;
            }
            let mut merged = Residence { is_whole: true, ..Residence::default() };
            for region in &regions {
                let from = self.tree.blocks[*region].block.results[number];
                self.touch(from, *region, end);
                let residence = &self.residences[from];
                merged.is_whole &= residence.is_whole;
                merged.classes.extend(&residence.classes);
                merged.memory.extend(&residence.memory);
            }
            merged.classes.sort_unstable();
            merged.classes.dedup();
            merged.memory.sort_unstable();
            merged.memory.dedup();
            self.reside(*result, merged);
        }
        Ok(Step::If)
    }

    /// Copies the hints of a node's results to the values that a region yields.
    fn wish_for_results(&mut self, region: BlockId, result: impl Fn(usize) -> Option<ValueId>) {
        let entry = self.tree.blocks[region].block;
        for (number, from) in entry.results.iter().enumerate() {
            let is_made_here = self.tree.defining_block(*from) == region && !entry.params.contains(from);
            if is_made_here
                && self.hints[*from].is_none()
                && let Some(result) = result(number)
            {
                self.hints[*from] = self.hints[result];
            }
        }
    }

    /// Plans a loop. The carries of `for` come after start, stop and step.
    pub(super) fn plan_loop(&mut self, block: BlockId, index: usize) -> Result<Step, CompileError> {
        let node = self.tree.node(block, index);
        let regions = self.tree.blocks[block].regions[index].clone();
        let (first_operand, first_param) = if matches!(node.op, Op::For) { (3, 1) } else { (0, 0) };
        let inits = &node.operands[first_operand..];
        let number = self.loops.push(OpenLoop {
            block,
            start: self.tree.blocks[block].starts[index],
            end: self.tree.blocks[block].ends[index],
            carries: vec![None; inits.len()],
            spares: vec![None; inits.len()],
            ..OpenLoop::default()
        });
        for (carry, init) in inits.iter().enumerate() {
            if !self.is_scalar(*init) {
                self.open_slot(number, carry, *init, node, &regions, (block, index));
            }
        }
        for (position, region) in regions.iter().enumerate() {
            let entry = self.tree.blocks[*region].block;
            // The test of `while` has the carries only.
            for (carry, param) in entry.params[first_param..].iter().enumerate() {
                if let Some(slot) = self.loops[number].carries[carry] {
                    let class = self.loops[number].slot_classes[slot];
                    self.reside(
                        *param,
                        Residence { classes: vec![class], memory: Vec::new(), is_whole: true },
                    );
                }
            }
            if position + 1 == regions.len() {
                self.wish_for_carries(number, *region);
            }
            self.plan_block(*region)?;
        }
        let body = regions[regions.len() - 1];
        let mut plan = self.close_loop(number, body);
        plan.rows = self.plan_rows(block, index, &plan);
        self.place_loop_results(number, &plan, node);
        Ok(Step::Loop(plan))
    }

    fn open_slot(
        &mut self,
        number: LoopId,
        carry: usize,
        init: ValueId,
        node: &Node,
        regions: &[BlockId],
        (block, index): (BlockId, usize),
    ) {
        let room = self.room(init);
        let (start, end) = (self.loops[number].start, self.loops[number].end);
        self.touch(init, block, start);
        let result = node.results[carry];
        let hint = self.hints[result];
        let is_alone = node.operands.iter().filter(|other| self.share_memory(init, **other)).count() == 1;
        let classes = &self.residences[init].classes;
        let is_used_inside = classes.iter().any(|class| {
            let members = &self.classes[*class].members;
            members.iter().any(|member| regions.iter().any(|region| self.tree.is_used_in(*member, *region)))
        });
        let can_move = is_alone && !is_used_inside && self.is_free_after(classes, block, index);
        let wanted = match hint {
            Some(Hint::Output(output)) => Some(output),
            Some(Hint::Carry(..) | Hint::Put(_)) | None => None,
        };
        // A value that has been made in the memory of the result stays there. If it is still needed, the loop
        // has to work elsewhere.
        let is_there = wanted.is_some_and(|output| self.lies_in_output(init, output));
        let start = if can_move && (wanted.is_none() || is_there) {
            for memory in self.residences[init].memory.clone() {
                self.keep(memory, block, end);
                self.loops[number].memory.push(memory);
            }
            SlotStart::Move(init)
        } else {
            let memory = match wanted {
                Some(output) if !is_there => self.output_memory(output),
                _ => self.new_memory(room, block, start, end),
            };
            self.loops[number].memory.push(memory);
            SlotStart::Copy(init, memory)
        };
        let slot = self.loops[number].slots.next_key();
        let class = self.new_class(true, Some((number, slot)));
        let open = &mut self.loops[number];
        open.slots.push(start);
        open.slot_classes.push(class);
        open.slot_rooms.push(room);
        open.carries[carry] = Some(slot);
    }

    fn wish_for_carries(&mut self, number: LoopId, body: BlockId) {
        let entry = self.tree.blocks[body].block;
        for (carry, result) in entry.results.iter().enumerate() {
            let is_made_here = self.tree.defining_block(*result) == body && !entry.params.contains(result);
            if is_made_here && self.loops[number].carries[carry].is_some() && self.hints[*result].is_none() {
                self.hints[*result] = Some(Hint::Carry(number, carry));
            }
        }
    }

    /// Decides how the body's results get into slots: a result that is in a slot, or in one of a carry's two,
    /// stays there, any other is copied to a spare slot.
    fn close_loop(&mut self, number: LoopId, body: BlockId) -> LoopPlan {
        let results = &self.tree.blocks[body].block.results;
        let end = self.loops[number].end;
        let mut claimed: Vec<Option<SlotId>> = vec![None; results.len()];
        let mut taken: Vec<SlotId> = Vec::new();
        let mut trades = Vec::new();
        for (carry, result) in results.iter().enumerate() {
            let Some(own) = self.loops[number].carries[carry] else { continue };
            self.touch(*result, body, end);
            if let Some(trade) = self.trade(number, results, carry) {
                claimed[carry] = Some(trade.spare);
                taken.extend([trade.own, trade.spare]);
                trades.push(trade);
                continue;
            }
            let residence = &self.residences[*result];
            let [class] = residence.classes[..] else { continue };
            let Some((of, slot)) = self.classes[class].slot else { continue };
            let open = &self.loops[number];
            let fits = of == number && open.slot_rooms[slot] == open.slot_rooms[own];
            if fits && residence.is_whole && !taken.contains(&slot) {
                claimed[carry] = Some(slot);
                taken.push(slot);
            }
        }
        let mut copies = Vec::new();
        for (carry, result) in results.iter().enumerate() {
            if self.loops[number].carries[carry].is_none() || claimed[carry].is_some() {
                continue;
            }
            // The spare slot may hold another carry's result, or be one of several places of this one.
            let is_busy = |planner: &Self, slot: SlotId| {
                let class = planner.loops[number].slot_classes[slot];
                taken.contains(&slot)
                    || results.iter().any(|result| planner.residences[*result].classes.contains(&class))
            };
            let mut slot = self.spare_slot(number, carry);
            if is_busy(self, slot) {
                self.loops[number].spares[carry] = None;
                slot = self.spare_slot(number, carry);
            }
            copies.push((*result, slot));
            claimed[carry] = Some(slot);
            taken.push(slot);
        }
        let next = self.arrange(number, &claimed, &trades);
        self.keep_outputs_apart(number, &next);
        let open = &self.loops[number];
        LoopPlan {
            id: number,
            slots: open.slots.clone(),
            carries: open.carries.clone(),
            copies,
            trades,
            next,
            rows: None,
        }
    }

    /// The two slots of a carry, if the run decides in which of them its result is.
    ///
    /// ```text
    /// if x.max() > 1:      %4 = if %3 then { %5 = matmul %x, %w; yield %5 } else { yield %x }
    ///     x = x @ w        %5 is in the spare slot, %x in the carry's own; %4 is in one of them
    /// ```
    fn trade(&self, number: LoopId, results: &[ValueId], carry: usize) -> Option<Trade> {
        let open = &self.loops[number];
        let (own, spare) = (open.carries[carry]?, open.spares[carry]?);
        let mut classes = [own, spare].map(|slot| open.slot_classes[slot]);
        classes.sort_unstable();
        let result = results[carry];
        let residence = &self.residences[result];
        let is_elsewhere = |(other, value): (usize, &ValueId)| {
            other == carry || !self.residences[*value].classes.iter().any(|class| classes.contains(class))
        };
        let is_trade = residence.is_whole
            && residence.classes == classes
            && open.slot_rooms[own] == open.slot_rooms[spare]
            && results.iter().enumerate().all(is_elsewhere);
        is_trade.then_some(Trade { result, own, spare })
    }

    /// Keeps slots that trade pointers out of the memory of the function's results: which carry is there at
    /// the end depends on the number of iterations. Such slots get memory in the arena instead.
    fn keep_outputs_apart(&mut self, number: LoopId, next: &PrimaryMap<SlotId, SlotId>) {
        for first in next.keys() {
            let mut outputs = Vec::new();
            let mut traders = 0;
            let mut slot = first;
            for _ in 0..next.len() {
                let (memory, is_moved) = match &self.loops[number].slots[slot] {
                    SlotStart::Copy(_, memory) | SlotStart::Fresh(memory) => (vec![*memory], false),
                    SlotStart::Move(init) => (self.residences[*init].memory.clone(), true),
                };
                let room = self.loops[number].slot_rooms[slot];
                for memory in memory {
                    // An array that is moved here may lie in the memory of a list, which stays where it is.
                    if let MemoryRequest::Output(output) = self.requests[memory]
                        && self.room(self.function.body.results[output]) == room
                    {
                        outputs.push((memory, room, is_moved));
                    }
                }
                traders += usize::from(self.loops[number].carries.contains(&Some(slot)));
                slot = next[slot];
                if slot == first {
                    break;
                }
            }
            if traders < 2 {
                continue;
            }
            let open = &self.loops[number];
            let (home, start, end) = (open.block, open.start, open.end);
            for (memory, room, is_moved) in outputs {
                // A value that was there before the loop may have been made anywhere before it.
                let start = if is_moved { 0 } else { start };
                self.requests[memory] = match room {
                    Room::Bytes(bytes) => MemoryRequest::Arena { piece: Piece { bytes, start, end }, home },
                    Room::Cell(_) => MemoryRequest::Cell,
                };
            }
        }
    }

    /// For each slot, the slot whose pointer it gets next. A carry gets the slot that its result is in, a
    /// spare slot gets any left of the same room.
    fn arrange(
        &self,
        number: LoopId,
        claimed: &[Option<SlotId>],
        trades: &[Trade],
    ) -> PrimaryMap<SlotId, SlotId> {
        let open = &self.loops[number];
        let mut next: PrimaryMap<SlotId, Option<SlotId>> = open.slots.keys().map(|_| None).collect();
        let mut left: Vec<SlotId> = open.slots.keys().collect();
        for (carry, slot) in claimed.iter().enumerate() {
            if let (Some(own), Some(slot)) = (open.carries[carry], slot) {
                next[own] = Some(*slot);
                left.retain(|other| other != slot);
            }
        }
        for trade in trades {
            next[trade.spare] = Some(trade.own);
            left.retain(|other| *other != trade.own);
        }
        next.iter()
            .map(|(slot, next)| {
                next.unwrap_or_else(|| {
                    let found =
                        left.iter().position(|other| open.slot_rooms[*other] == open.slot_rooms[slot]);
                    found.map_or(slot, |at| left.remove(at))
                })
            })
            .collect()
    }

    fn place_loop_results(&mut self, number: LoopId, plan: &LoopPlan, node: &Node) {
        for (carry, result) in node.results.iter().enumerate() {
            let Some(slot) = plan.carries[carry] else { continue };
            let memory = self.loops[number].memory.clone();
            // The loop works in place: the result is in the memory of the initial value, so that an enclosing
            // loop recognises its own slot.
            if let SlotStart::Move(init) = plan.slots[slot]
                && plan.next[slot] == slot
            {
                let residence = self.residences[init].clone();
                self.places[*result] = Some(Place::Same(init));
                self.reside(*result, residence);
                continue;
            }
            // Otherwise the result is where one of the slots that trade pointers with this one started.
            let mut classes = vec![self.new_class(true, None)];
            let mut other = slot;
            for _ in 0..plan.next.len() {
                if let SlotStart::Move(init) = plan.slots[other] {
                    classes.extend(&self.residences[init].classes);
                }
                other = plan.next[other];
            }
            classes.sort_unstable();
            classes.dedup();
            self.reside(*result, Residence { classes, memory, is_whole: true });
        }
    }
}
