//! What the code of a profiled graph does besides: it ends units, and counts the runs of blocks.
//!
//! - Light steps (`light.rs`) that follow each other in a block are one unit; a loop of nothing else is one as a
//!   whole, and so is a call of a function of nothing else.
//! - The runs of its blocks are counted in registers, and added to memory after it.

use std::sync::atomic::AtomicU64;

use ag_ir::{Cost, ListOp, LocationId, Op, Type, ValueId};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::cold_call::ColdCall;
use super::light::Steps;
use super::lowerer::{Lowerer, flags};
use crate::error::CompileError;
use crate::plan::ids::{BODY, BlockId};
use crate::plan::step::{KernelStep, Operand, Place, SlotStart, Step};
use crate::profile::layout::{MEASURING, StepEntry, Task, Work};
use crate::profile::work::Extent;

/// The most blocks of a loop whose runs are counted in registers.
const MOST_REGISTERS: usize = 24;

/// The numbers of the functions, the main one being 0, that steps call.
fn callees_of(entries: &[StepEntry]) -> Vec<usize> {
    let mut called: Vec<usize> = entries
        .iter()
        .filter_map(|entry| if let Op::Call(call) = &entry.task.op { Some(call.callee + 1) } else { None })
        .collect();
    called.sort_unstable();
    called.dedup();
    called
}

impl Lowerer<'_, '_> {
    /// Whether the steps of the block that is generated are measured, and not only counted.
    pub(super) fn measures_units(&self) -> bool {
        self.probe.as_ref().is_some_and(|probe| probe.registers.is_none())
    }

    /// A block with a call at the end of each unit.
    pub(super) fn lower_in_units(&mut self, block: BlockId) -> Result<(), CompileError> {
        let mut run = None;
        let count = self.plan.steps[block].len();
        for index in 0..count {
            if self.is_light(block, index) && !self.has_unit(block, index) {
                run.get_or_insert(index);
                // Nothing within it is a unit.
                self.set_registers(Some(Vec::new()));
                self.lower_step(block, index)?;
                self.set_registers(None);
            } else {
                if let Some(first) = run.take() {
                    self.end_unit(block, first..index);
                }
                self.lower_unit(block, index)?;
            }
            self.note_range(self.tree.node(block, index));
        }
        if let Some(first) = run {
            self.end_unit(block, first..count);
        }
        Ok(())
    }

    fn set_registers(&mut self, registers: Option<Vec<(BlockId, Variable)>>) {
        if let Some(probe) = &mut self.probe {
            probe.registers = registers;
        }
    }

    /// A step that is a unit, or contains some.
    fn lower_unit(&mut self, block: BlockId, index: usize) -> Result<(), CompileError> {
        match &self.plan.steps[block][index] {
            Step::Loop(_) if self.is_light(block, index) => {
                self.count_in_registers(block, index);
                self.lower_step(block, index)?;
                self.store_registers();
                self.end_unit(block, index..index + 1);
                Ok(())
            }
            Step::If | Step::Loop(_) => self.lower_step(block, index),
            _ => {
                let unit = self.unit(block, index..index + 1);
                self.note_sizes(unit, false)?;
                self.lower_step(block, index)?;
                if let Some(unit) = unit {
                    self.tick(unit);
                }
                self.note_sizes(unit, true)
            }
        }
    }

    /// Whether a step is a unit of its own even if it is light: it may take long.
    fn has_unit(&self, block: BlockId, index: usize) -> bool {
        match &self.plan.steps[block][index] {
            Step::Loop(_) | Step::Call(_) => true,
            Step::If => self.tree.blocks[block].regions[index]
                .iter()
                .any(|region| (0..self.plan.steps[*region].len()).any(|index| self.has_unit(*region, index))),
            _ => false,
        }
    }

    fn is_light(&self, block: BlockId, index: usize) -> bool {
        let Some(probe) = &self.probe else { return false };
        let functions = &probe.measured.light;
        Steps { plan: self.plan, tree: self.tree, functions }.is_light(block, index)
    }

    fn is_in_cell(&self, value: ValueId) -> bool {
        Steps { plan: self.plan, tree: self.tree, functions: &[] }.is_in_cell(value)
    }

    /// Begins a function that is called. The time of a light one is that of the units that call it.
    pub(super) fn enter_function(&mut self) {
        let Some(probe) = &self.probe else { return };
        let is_light = probe.measured.light.get(probe.function.wrapping_sub(1)).copied().unwrap_or(false);
        let number = probe.number(BODY);
        if !is_light {
            return;
        }
        let mut entries = Vec::new();
        for index in 0..self.plan.steps[BODY].len() {
            self.entries(BODY, index, &mut entries);
        }
        let Some(probe) = &mut self.probe else { return };
        let called = callees_of(&entries);
        let unit = probe.measured.layout.add((number, usize::MAX), entries, Vec::new());
        probe.measured.layout.set_called(unit, Some(probe.function), called);
        probe.registers = Some(Vec::new());
    }

    /// Ends a unit of these steps of a block.
    fn end_unit(&mut self, block: BlockId, steps: std::ops::Range<usize>) {
        if let Some(unit) = self.unit(block, steps) {
            self.tick(unit);
        }
    }

    /// Ends a part of a loop that moves its carries.
    pub(super) fn end_part_of_loop(&mut self, block: BlockId, index: usize) {
        if self.measures_units() {
            self.end_unit(block, index..index + 1);
        }
    }

    /// Ends a unit that has no steps: what is before them, or what moves the results of the graph to their places.
    pub(super) fn end_unit_outside(&mut self, unit: usize) {
        if self.probe.is_some() {
            self.tick(unit);
        }
    }

    fn tick(&mut self, unit: usize) {
        let unit = self.int(types::I64, unit as i64);
        self.measure(ColdCall::Tick, &[unit]);
    }

    /// Calls a function of the meter. It keeps all registers: the code around it uses them as it would without.
    fn measure(&mut self, call: ColdCall, arguments: &[Value]) {
        let Some(probe) = &self.probe else { return };
        let (address, calls) = (probe.measured.meter.addr(), probe.measured.calls);
        let meter = self.int(types::I64, address.cast_signed() as i64);
        if let Some(calls) = calls {
            self.call_keeping(calls, call, &[&[meter], arguments].concat());
        }
    }

    /// The unit of these steps of a block; none if they have no code.
    fn unit(&mut self, block: BlockId, steps: std::ops::Range<usize>) -> Option<usize> {
        let probe = self.probe.as_ref()?;
        let at = (probe.number(block), steps.start);
        if let Some(known) = probe.measured.layout.known(at.0, at.1) {
            return Some(known);
        }
        let mut entries = Vec::new();
        for index in steps.clone() {
            self.entries(block, index, &mut entries);
        }
        if entries.iter().all(|entry| entry.weight == 0.0) {
            return None;
        }
        let noted = if steps.len() == 1 { self.noted(block, steps.start) } else { Vec::new() };
        let probe = self.probe.as_mut()?;
        let is_light = |callee: &usize| probe.measured.light.get(callee - 1).copied().unwrap_or(false);
        let called: Vec<usize> = callees_of(&entries).into_iter().filter(is_light).collect();
        let unit = probe.measured.layout.add(at, entries, noted);
        probe.measured.layout.set_called(unit, None, called);
        Some(unit)
    }

    /// The values of a step whose sizes are in cells, operands first.
    fn noted(&self, block: BlockId, index: usize) -> Vec<(ValueId, Type)> {
        let node = self.tree.node(block, index);
        let given = match &self.plan.steps[block][index] {
            Step::Kernel(step) | Step::Contents(step) => {
                let values = step.operands.iter().filter_map(|operand| match operand {
                    Operand::Value(value) => Some(*value),
                    Operand::Result(_) | Operand::Scratch(_) => None,
                });
                values.collect()
            }
            Step::List(_) | Step::CellStore { .. } | Step::Tape { .. } => node.operands.clone(),
            _ => Vec::new(),
        };
        let mut noted: Vec<(ValueId, Type)> = Vec::new();
        for value in given.iter().chain(&node.results).filter(|value| self.is_in_cell(**value)) {
            if noted.iter().all(|(other, _)| other != value) {
                noted.push((*value, self.tree.function.ty(*value).clone()));
            }
        }
        noted
    }

    /// Notes the sizes of a unit's operands before it, or those of its results after it.
    fn note_sizes(&mut self, unit: Option<usize>, is_after: bool) -> Result<(), CompileError> {
        let (Some(unit), Some(probe)) = (unit, &self.probe) else { return Ok(()) };
        let (noted, function) = (probe.measured.layout.units[unit].noted.clone(), probe.function);
        if noted.is_empty() {
            return Ok(());
        }
        let code = self.int(types::I64, unit as i64);
        for (number, (value, _)) in noted.iter().enumerate() {
            // What has no code yet is a result; a value that a kernel has sorted in place has its old cell.
            if self.values[*value].is_none() || is_after != self.is_made_by(unit, *value) {
                continue;
            }
            let (cell, number) = (self.get(*value)?, self.int(types::I64, number as i64));
            self.measure(ColdCall::Note, &[code, number, cell]);
        }
        if is_after {
            let function = self.int(types::I64, function as i64);
            self.measure(ColdCall::AddWork, &[code, function]);
        }
        self.tick(MEASURING);
        Ok(())
    }

    /// Whether a step of a unit makes a value.
    fn is_made_by(&self, unit: usize, value: ValueId) -> bool {
        let Some(probe) = &self.probe else { return false };
        let unit = &probe.measured.layout.units[unit];
        let steps = &probe.measured.layout.steps[unit.first..unit.first + unit.count];
        steps.iter().any(|step| step.task.results.contains(&value))
    }

    /// The entries of a step: of all nodes that run in it.
    fn entries(&mut self, block: BlockId, index: usize, entries: &mut Vec<StepEntry>) {
        let plan = self.plan;
        let step = &plan.steps[block][index];
        if matches!(step, Step::Nothing) {
            return;
        }
        if let Step::Kernel(kernel) | Step::Contents(kernel) = step {
            let members = plan.fusion.groups[block][index].clone();
            let mut read: Vec<ValueId> = kernel.operands.iter().filter_map(read_by).collect();
            for member in members {
                let tasks = self.task_of_member((block, member), kernel, &mut read, member == index);
                entries.push(self.entry(block, member, self.weight_of_kernel(block, member), tasks));
            }
            return;
        }
        let (task, weight) = (self.task(block, index), self.weight_of_step(block, index));
        let mut entry = self.entry(block, index, weight, task);
        if let Step::Loop(plan) = step {
            let copies = plan.copies.iter().map(|(value, _)| self.bytes(*value) as u64).sum();
            let body = self.tree.blocks[block].regions[index].last().copied();
            let number = body.and_then(|body| self.probe.as_ref().map(|probe| probe.number(body)));
            entry.work_of_block =
                number.map(|body| (body, Work { operations: 0, read: copies, written: copies }));
        }
        entries.push(entry);
        if self.is_light(block, index) {
            for region in self.tree.blocks[block].regions[index].clone() {
                for inner in 0..plan.steps[region].len() {
                    self.entries(region, inner, entries);
                }
            }
        }
    }

    fn entry(&mut self, block: BlockId, index: usize, weight: f64, task: Task) -> StepEntry {
        let function = self.tree.function;
        let known = |value: ValueId| Extent::of(function.ty(value), None);
        let work = if task.operands.is_empty() && task.results.is_empty() {
            Some(task.work(&known).unwrap_or_default())
        } else {
            task.work(&known)
        };
        if work.is_none()
            && let Some(probe) = &mut self.probe
        {
            let all = task.operands.iter().chain(&task.results).chain(&task.read).chain(&task.copied);
            let types = all.map(|value| (*value, function.ty(*value).clone()));
            probe.measured.layout.types[probe.function].extend(types);
        }
        let node = self.tree.node(block, index);
        let result = node.results.first();
        let types = |values: &[ValueId]| {
            values.iter().map(|value| function.ty(*value).to_string()).collect::<Vec<_>>().join(", ")
        };
        let types = format!("{} -> {}", types(&node.operands), types(&node.results));
        StepEntry {
            block: self.probe.as_ref().map_or(0, |probe| probe.number(block)),
            location: self.place_of(block, index),
            types: types.trim().to_owned(),
            is_derivative: result.is_some_and(|result| function.values[result.0 as usize].is_derivative),
            weight,
            task,
            work,
            work_of_block: None,
        }
    }

    /// The place of a node: its own, or that of a node near it.
    fn place_of(&self, block: BlockId, index: usize) -> Option<LocationId> {
        let entry = &self.tree.blocks[block];
        let (before, after) = entry.block.nodes.split_at(index + 1);
        let near = before.iter().rev().chain(after).find_map(|node| node.location);
        near.or_else(|| entry.parent.and_then(|(block, index)| self.place_of(block, index)))
    }

    /// What a node does that runs in a kernel. `read` are the operands of the kernel that no node before it
    /// has read.
    fn task_of_member(
        &self,
        (block, member): (BlockId, usize),
        kernel: &KernelStep,
        read: &mut Vec<ValueId>,
        is_last: bool,
    ) -> Task {
        let node = self.tree.node(block, member);
        let views = &self.plan.fusion.views;
        let reads = |value: &ValueId| {
            node.operands.iter().any(|operand| {
                operand == value || views[*operand].as_ref().is_some_and(|view| view.base == *value)
            })
        };
        let (here, left): (Vec<_>, Vec<_>) = read.drain(..).partition(|value| is_last || reads(value));
        *read = left;
        let written = kernel.operands.iter().filter_map(|operand| match operand {
            Operand::Result(value) if node.results.contains(value) => Some(*value),
            _ => None,
        });
        // The array that is a list's memory is not copied.
        let is_taken_over = |value: &ValueId| {
            !matches!(self.plan.places[*value], Some(Place::Memory(_) | Place::Slot(..) | Place::End(..)))
        };
        let moves_nothing = match &node.op {
            Op::Print { .. } | Op::Callback(_) | Op::Check(_) | Op::Keep(_) | Op::KeepEnd(_) => true,
            Op::List(ListOp::Stack { .. }) => node.results.iter().all(is_taken_over),
            _ => false,
        };
        Task {
            op: node.op.clone(),
            operands: node.operands.clone(),
            results: node.results.clone(),
            read: if moves_nothing { Vec::new() } else { self.in_memory(here) },
            written: if moves_nothing { Vec::new() } else { self.in_memory(written.collect()) },
            copied: kernel.copied.filter(|_| is_last).into_iter().collect(),
            bytes: [0; 2],
        }
    }

    fn in_memory(&self, values: Vec<ValueId>) -> Vec<ValueId> {
        values.into_iter().filter(|value| !self.is_scalar(*value)).collect()
    }

    /// What a step does that is no kernel.
    fn task(&self, block: BlockId, index: usize) -> Task {
        let node = self.tree.node(block, index);
        let mut task = Task {
            op: node.op.clone(),
            operands: node.operands.clone(),
            results: node.results.clone(),
            read: Vec::new(),
            written: Vec::new(),
            copied: Vec::new(),
            bytes: [0; 2],
        };
        let scalar = |value: ValueId| if self.is_scalar(value) { self.bytes(value) as u64 } else { 0 };
        match &self.plan.steps[block][index] {
            Step::View { base, .. } if !self.is_scalar(*base) => task.bytes[0] = scalar(node.results[0]),
            Step::Element { .. } | Step::CellElement(_) => task.bytes[0] = scalar(node.results[0]),
            Step::StoreElement { copied, bytes, store, .. } => {
                task.copied.extend(copied);
                task.bytes = self.moved_bytes(node.operands[1], *bytes, *store);
            }
            Step::CellStore { copied, index, store, .. } => {
                task.copied.extend(copied);
                task.bytes = self.moved_bytes(node.operands[1], index.bytes, *store);
            }
            Step::List(step) => {
                task.copied.extend(step.copied);
                let moved = step.element.bytes as u64;
                let puts = node.op.name().contains("append") || node.op.name().contains("set");
                match (puts, node.results.last()) {
                    (true, _) if step.is_there || step.element.depth > 0 => {}
                    (true, _) => task.bytes[1] = moved,
                    (false, Some(result)) => task.bytes[0] = scalar(*result).min(moved),
                    (false, None) => {}
                }
            }
            Step::Tape { is_there } => {
                let known =
                    node.operands.iter().chain(&node.results).filter(|value| !self.is_in_cell(**value));
                let moved = known.map(|value| self.bytes(*value) as u64).sum();
                let is_view = node
                    .results
                    .first()
                    .is_some_and(|result| !self.is_scalar(*result) && self.plan.places[*result].is_none());
                if !is_there && !is_view {
                    task.bytes = [moved; 2];
                }
            }
            Step::Loop(plan) => {
                task.copied.extend(plan.slots.values().filter_map(|start| match start {
                    SlotStart::Copy(value, _) => Some(*value),
                    SlotStart::Move(_) | SlotStart::Fresh(_) => None,
                }));
                // The operands of a loop and its results are no work of its own.
                (task.operands, task.results) = (Vec::new(), Vec::new());
            }
            Step::Call(donated) => {
                task.copied.extend(donated.iter().filter_map(|donated| donated.copied));
                (task.operands, task.results) = (Vec::new(), Vec::new());
            }
            Step::If => (task.operands, task.results) = (Vec::new(), Vec::new()),
            _ => {}
        }
        task
    }

    /// Bytes read and written by a store of `bytes` bytes of a value.
    fn moved_bytes(&self, value: ValueId, bytes: usize, store: ag_ir::Store) -> [u64; 2] {
        let read = if self.is_scalar(value) { 0 } else { bytes };
        let old = if store == ag_ir::Store::Add { bytes } else { 0 };
        [(read + old) as u64, bytes as u64]
    }

    /// The estimated time of an execution of a light step, in additions.
    fn weight_of_step(&self, block: BlockId, index: usize) -> f64 {
        let node = self.tree.node(block, index);
        match &self.plan.steps[block][index] {
            Step::Nothing | Step::Constant(_) | Step::View { .. } => 0.0,
            // It looks at the stack and counts.
            Step::Call(_) => 12.0,
            Step::Scalar => self.weight_of_op(&node.op),
            Step::StoreElement { bytes, .. } => 2.0 + *bytes as f64 / 32.0,
            Step::List(_) | Step::Tape { .. } => 4.0,
            Step::Element { .. } | Step::CellElement(_) | Step::CellStore { .. } => 2.0,
            _ => 1.0,
        }
    }

    /// The estimated time of a node in a kernel, in additions.
    fn weight_of_kernel(&self, block: BlockId, index: usize) -> f64 {
        let node = self.tree.node(block, index);
        let elements = |value: Option<&ValueId>| {
            let extent = value.and_then(|value| Extent::of(self.tree.function.ty(*value), None));
            extent.map_or(1.0, |extent| (extent.elements() as f64).max(1.0))
        };
        match &node.op {
            Op::Reduce { .. } => elements(node.operands.first()),
            op => self.weight_of_op(op).max(1.0) * elements(node.results.first()),
        }
    }

    fn weight_of_op(&self, op: &Op) -> f64 {
        match (op, op.cost()) {
            (Op::Constant(_), _) => 0.0,
            (_, Cost::Least) => 1.0,
            (_, Cost::Small) => 4.0,
            (_, Cost::More) => 15.0,
        }
    }

    /// Counts the runs of the blocks of a loop, which is one unit, in registers.
    fn count_in_registers(&mut self, block: BlockId, index: usize) {
        let mut inside = Vec::new();
        self.blocks_in(block, index, &mut inside);
        if inside.len() > MOST_REGISTERS {
            inside.clear();
        }
        let mut registers = Vec::new();
        for block in inside {
            let register = self.builder.declare_var(types::I64);
            let zero = self.int(types::I64, 0);
            self.builder.def_var(register, zero);
            registers.push((block, register));
        }
        self.set_registers(Some(registers));
    }

    /// The blocks inside a node.
    fn blocks_in(&self, block: BlockId, index: usize, inside: &mut Vec<BlockId>) {
        for region in &self.tree.blocks[block].regions[index] {
            inside.push(*region);
            for inner in 0..self.plan.steps[*region].len() {
                self.blocks_in(*region, inner, inside);
            }
        }
    }

    fn store_registers(&mut self) {
        let Some(registers) = self.probe.as_mut().and_then(|probe| probe.registers.take()) else { return };
        for (block, register) in registers {
            let count = self.builder.use_var(register);
            self.count_runs(block, count);
        }
    }

    /// Counts a run of a block.
    pub(super) fn count_run(&mut self, block: BlockId) {
        if self.probe.is_some() {
            let one = self.int(types::I64, 1);
            self.count_runs(block, one);
        }
    }

    /// Counts a run of a block if a condition holds.
    pub(super) fn count_if(&mut self, block: BlockId, condition: Value) {
        if self.probe.is_some() {
            let one = self.builder.ins().uextend(types::I64, condition);
            self.count_runs(block, one);
        }
    }

    /// Counts so many runs of a block.
    pub(super) fn count_runs(&mut self, block: BlockId, count: Value) {
        let Some(probe) = &self.probe else { return };
        let registers = probe.registers.iter().flatten();
        let register =
            registers.clone().find(|(counted, _)| *counted == block).map(|(_, register)| *register);
        if let Some(register) = register {
            let before = self.builder.use_var(register);
            let after = self.builder.ins().iadd(before, count);
            self.builder.def_var(register, after);
            return;
        }
        // SAFETY: the meter lives as long as the code, and only its counter's address is taken here.
        let counter: *const AtomicU64 = unsafe { (*probe.measured.meter).counter(probe.number(block)) };
        let counter = self.int(types::I64, counter.addr().cast_signed() as i64);
        let before = self.load(types::I64, counter, 0);
        let after = self.builder.ins().iadd(before, count);
        self.builder.ins().store(flags(), after, counter, 0);
    }
}

/// The value that an operand of a kernel reads.
const fn read_by(operand: &Operand) -> Option<ValueId> {
    match operand {
        Operand::Value(value) => Some(*value),
        Operand::Result(_) | Operand::Scratch(_) => None,
    }
}
