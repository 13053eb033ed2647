//! Which units the code of a profiled graph has, the steps in each, and how the runs of a block are counted.

use std::collections::HashMap;

use ag_ir::{LocationId, Op, Type, ValueId};

use super::work::{self, Extent};

/// A block of a function of the graph, by its number among all blocks of the graph.
pub(crate) type BlockNumber = usize;

/// How often a block has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// As its counter says.
    Counted,
    /// As often as the block around it, less often than this one: the other branch.
    Rest(BlockNumber, BlockNumber),
    /// As often as the block around it and this one together: the test of a loop with this body.
    Both(BlockNumber, BlockNumber),
}

/// What a step computes and moves.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The op.
    pub(crate) op: Op,
    /// Its operands and results.
    pub(crate) operands: Vec<ValueId>,
    pub(crate) results: Vec<ValueId>,
    /// The arrays that it reads from memory, and those that it writes.
    pub(crate) read: Vec<ValueId>,
    pub(crate) written: Vec<ValueId>,
    /// Values that are copied in each execution.
    pub(crate) copied: Vec<ValueId>,
    /// Bytes that are read and written besides.
    pub(crate) bytes: [u64; 2],
}

/// What one execution of a step computes and moves, or all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Floating-point operations.
    pub(crate) operations: u64,
    /// Bytes read.
    pub(crate) read: u64,
    /// Bytes written.
    pub(crate) written: u64,
}

impl Work {
    /// So many times the work.
    pub(crate) const fn times(self, count: u64) -> Self {
        let Self { operations, read, written } = self;
        Self {
            operations: operations.saturating_mul(count),
            read: read.saturating_mul(count),
            written: written.saturating_mul(count),
        }
    }

    /// Both together.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            operations: self.operations.saturating_add(other.operations),
            read: self.read.saturating_add(other.read),
            written: self.written.saturating_add(other.written),
        }
    }
}

impl Task {
    /// The work of one execution, where values have these extents; none if one that matters is not known.
    pub(crate) fn work(&self, extent: &dyn Fn(ValueId) -> Option<Extent>) -> Option<Work> {
        let all = |values: &[ValueId]| values.iter().map(|value| extent(*value)).collect::<Option<Vec<_>>>();
        let (operands, results) = (all(&self.operands)?, all(&self.results)?);
        let mut total = Work {
            operations: work::operations(&self.op, &operands, &results),
            read: self.bytes[0],
            written: self.bytes[1],
        };
        let bytes_of = |value: &ValueId| extent(*value).map_or(0, |extent| extent.bytes());
        let result = results.first().map_or(0, Extent::bytes);
        for value in &self.read {
            let is_first = self.operands.first() == Some(value);
            total.read +=
                if is_first && work::reads_result_only(&self.op) { result } else { bytes_of(value) };
        }
        for value in &self.written {
            let second = operands.get(1).filter(|_| work::writes_second_only(&self.op));
            total.written += second.map_or_else(|| bytes_of(value), Extent::bytes);
        }
        for value in &self.copied {
            let bytes = bytes_of(value);
            (total.read, total.written) = (total.read + bytes, total.written + bytes);
        }
        Some(total)
    }
}

/// A step in the code.
#[derive(Clone, Debug)]
pub(crate) struct StepEntry {
    /// The block that it stands in.
    pub(crate) block: BlockNumber,
    /// Its place, or that of a step near it.
    pub(crate) location: Option<LocationId>,
    /// The types of its operands and results, for readers.
    pub(crate) types: String,
    /// Whether it was made for a derivative.
    pub(crate) is_derivative: bool,
    /// The estimated time of an execution, to share the time of a unit.
    pub(crate) weight: f64,
    /// What it does.
    pub(crate) task: Task,
    /// The work of one execution; none if only the run knows its sizes.
    pub(crate) work: Option<Work>,
    /// The work of one execution of a block besides: copies between the iterations of a loop.
    pub(crate) work_of_block: Option<(BlockNumber, Work)>,
}

/// Steps between two ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unit {
    /// The first of its steps, and how many there are.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// The values whose sizes its work depends on, if only the run knows them, and their types.
    pub(crate) noted: Vec<(ValueId, Type)>,
    /// The light functions that it calls, whose time is in its own.
    called: Vec<usize>,
}

/// The number of the unit that is the time of measuring itself.
pub(crate) const MEASURING: usize = 0;
/// The number of the unit that is before the steps of the graph: no part of it.
pub(crate) const SETUP: usize = 1;
/// The number of the unit that moves the results of the graph to their places.
pub(crate) const RESULTS: usize = 2;

/// The units of a graph.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) steps: Vec<StepEntry>,
    pub(crate) units: Vec<Unit>,
    /// How many blocks each function has, as far as they have been met.
    pub(crate) blocks: Vec<usize>,
    /// How the runs of each block are counted.
    pub(crate) counts: Vec<Count>,
    /// The types of values whose sizes only the run knows, by function and value, for work that is computed in
    /// the run.
    pub(crate) types: Vec<HashMap<ValueId, Type>>,
    /// The unit that starts with a node, by its block and its number in that: code may be generated twice.
    known: HashMap<(BlockNumber, usize), usize>,
    /// The unit of the steps of each light function.
    functions: HashMap<usize, usize>,
}

impl Layout {
    /// A layout of a graph whose functions have so many blocks together.
    pub(crate) fn new(blocks: usize) -> Self {
        Self {
            steps: Vec::new(),
            units: vec![Unit::default(); RESULTS + 1],
            blocks: Vec::new(),
            counts: vec![Count::Counted; blocks],
            types: Vec::new(),
            known: HashMap::new(),
            functions: HashMap::new(),
        }
    }

    /// The number of the first block of a function.
    pub(crate) fn blocks_before(&self, function: usize) -> BlockNumber {
        self.blocks.iter().take(function).sum()
    }

    /// The unit that starts with this node, if it has been met before.
    pub(crate) fn known(&self, block: BlockNumber, index: usize) -> Option<usize> {
        self.known.get(&(block, index)).copied()
    }

    /// Adds a unit of these steps.
    pub(crate) fn add(
        &mut self,
        (block, index): (BlockNumber, usize),
        steps: Vec<StepEntry>,
        noted: Vec<(ValueId, Type)>,
    ) -> usize {
        let number = self.units.len();
        self.units.push(Unit { first: self.steps.len(), count: steps.len(), noted, called: Vec::new() });
        self.steps.extend(steps);
        self.known.insert((block, index), number);
        number
    }

    /// Notes the light functions that a unit calls; it may have the steps of one itself.
    pub(crate) fn set_called(&mut self, unit: usize, function: Option<usize>, called: Vec<usize>) {
        self.units[unit].called = called;
        self.functions.extend(function.map(|function| (function, unit)));
    }

    /// The units that share their time: for each, the first of those that call a light function in common.
    pub(crate) fn groups(&self) -> Vec<usize> {
        let mut group: Vec<usize> = (0..self.units.len()).collect();
        loop {
            let before = group.clone();
            for (number, unit) in self.units.iter().enumerate() {
                for other in unit.called.iter().filter_map(|function| self.functions.get(function)) {
                    let least = group[number].min(group[*other]);
                    (group[number], group[*other]) = (least, least);
                }
            }
            if group == before {
                return group;
            }
        }
    }

    /// How often each block has run, from the counters.
    pub(crate) fn runs(&self, counter: impl Fn(BlockNumber) -> u64) -> Vec<u64> {
        let mut runs = Vec::with_capacity(self.counts.len());
        for (block, count) in self.counts.iter().enumerate() {
            // A block comes after the one around it.
            runs.push(match count {
                Count::Counted => counter(block),
                Count::Rest(around, other) => runs[*around] - counter(*other).min(runs[*around]),
                Count::Both(around, body) => runs[*around] + counter(*body),
            });
        }
        runs
    }
}
