//! What a profiled run measures: the time of each unit, counters of blocks, sizes that only the run knows.
//!
//! Generated code calls [`tick`] at the end of a unit. The time since the last tick is the unit's. What the tick
//! takes itself is not: its end is read as well, and what is left, the call and two readings of the clock, is
//! measured beforehand and taken off.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use ag_ir::{Type, ValueId};

use super::clock::now;
use super::layout::{Layout, MEASURING, RESULTS, SETUP, Work};
use super::work::Extent;
use crate::lists::Cell;

/// The time of a unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Time {
    /// In ticks of the clock.
    pub(crate) ticks: u64,
    /// How often it ended.
    pub(crate) count: u64,
}

/// An execution of a unit, in ticks of the clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) unit: u32,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// What one run has measured so far.
#[derive(Debug)]
pub(crate) struct Meter {
    /// When the last tick ended.
    last: u64,
    /// When the run began.
    began: u64,
    /// When its first step began.
    pub(crate) first: u64,
    pub(crate) times: Vec<Time>,
    /// The first executions, as many as there is room for.
    pub(crate) spans: Vec<Span>,
    most_spans: usize,
    /// How many executions there was no room for.
    pub(crate) left_out: u64,
    /// How often each block has run; generated code adds to them.
    counters: Box<[AtomicU64]>,
    layout: Layout,
    /// The work of steps whose sizes only the run knows.
    pub(crate) found: Vec<Work>,
    sizes: HashMap<ValueId, Vec<usize>>,
    /// Ticks of the clock that an empty unit takes.
    empty: u64,
}

impl Meter {
    /// A meter without units, for a graph of so many blocks.
    pub(crate) fn new(blocks: usize) -> Box<Self> {
        Box::new(Self {
            last: 0,
            began: 0,
            first: 0,
            times: Vec::new(),
            spans: Vec::new(),
            most_spans: 0,
            left_out: 0,
            counters: (0..blocks).map(|_| AtomicU64::new(0)).collect(),
            layout: Layout::new(blocks),
            found: Vec::new(),
            sizes: HashMap::new(),
            empty: 0,
        })
    }

    /// The address of the counter of a block.
    pub(crate) fn counter(&self, block: usize) -> *const AtomicU64 {
        &raw const self.counters[block]
    }

    /// Sets the units, when the code is generated, and finds out what an empty one takes.
    pub(crate) fn set_layout(&mut self, layout: Layout) {
        self.layout = layout;
    }

    /// Finds out what an empty unit takes; the function ends one twice.
    pub(crate) fn calibrate(&mut self, mut end_twice: impl FnMut(*mut Self)) {
        self.empty = u64::MAX;
        for _ in 0..256 {
            self.begin(0);
            end_twice(self);
            self.empty = self.empty.min(self.times[SETUP].ticks);
        }
    }

    pub(crate) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Forgets the last run, and begins one of which so many executions are noted.
    pub(crate) fn begin(&mut self, most_spans: usize) {
        self.times = vec![Time::default(); self.layout.units.len()];
        self.found = vec![Work::default(); self.layout.steps.len()];
        self.spans = Vec::with_capacity(most_spans);
        self.most_spans = most_spans;
        self.left_out = 0;
        self.counters.iter().for_each(|counter| counter.store(0, Ordering::Relaxed));
        self.began = now();
        self.last = self.began;
        self.first = self.began;
    }

    /// The ticks of the clock from the beginning of the graph to its end, measuring included.
    pub(crate) const fn ticks_of_graph(&self) -> u64 {
        self.last.saturating_sub(self.first)
    }

    /// How often each block has run.
    pub(crate) fn runs(&self) -> Vec<u64> {
        self.layout.runs(|block| self.counters[block].load(Ordering::Relaxed))
    }

    /// The ticks of the clock that a unit took itself.
    pub(crate) fn ticks_of(&self, unit: usize) -> u64 {
        let Time { ticks, count } = self.times[unit];
        if unit == MEASURING { 0 } else { ticks.saturating_sub(count.saturating_mul(self.empty)) }
    }

    /// The ticks of the clock that the units took together.
    pub(crate) fn ticks_of_all(&self) -> u64 {
        (RESULTS..self.times.len()).map(|unit| self.ticks_of(unit)).sum()
    }

    fn note(&mut self, unit: usize, number: usize, cell: &Cell) {
        let (value, ty) = &self.layout.units[unit].noted[number];
        let sizes = match ty {
            Type::Tensor(tensor) => cell.sizes[..tensor.rank()].to_vec(),
            Type::List(_) => vec![cell.length],
        };
        self.sizes.insert(*value, sizes);
    }

    /// Adds up the work of an execution of a unit whose sizes have been noted.
    fn add_work(&mut self, unit: usize, function: usize) {
        let unit = &self.layout.units[unit];
        for step in unit.first..unit.first + unit.count {
            let entry = &self.layout.steps[step];
            if entry.work.is_some() {
                continue;
            }
            // What a group makes on the way has the sizes of what it makes in the end.
            let last = unit.noted.last().and_then(|(value, _)| self.sizes.get(value));
            let extent = |value: ValueId| {
                let ty = self.layout.types[function].get(&value)?;
                let found = self.sizes.get(&value).or_else(|| ty.tensor().and(last));
                Extent::of(ty, found.map(Vec::as_slice))
            };
            let work = entry.task.work(&extent).unwrap_or_default();
            self.found[step] = self.found[step].and(work);
        }
    }
}

/// Ends an execution of a unit.
///
/// # Safety
/// `meter` is the run's; nothing else uses it meanwhile.
pub(crate) unsafe extern "C" fn tick(meter: *mut Meter, unit: u64) {
    let end = now();
    // SAFETY: the caller's.
    let meter = unsafe { &mut *meter };
    let Some(time) = meter.times.get_mut(unit as usize) else { return };
    time.ticks += end.saturating_sub(meter.last);
    time.count += 1;
    if unit as usize == SETUP {
        // Calibration ends it twice; a run once.
        meter.first = end;
    } else if unit as usize != MEASURING {
        if meter.spans.len() < meter.most_spans {
            meter.spans.push(Span { unit: unit as u32, start: meter.last, end });
        } else {
            meter.left_out += 1;
        }
    }
    meter.last = now();
}

/// Notes the sizes that are in a cell, before or after a unit.
///
/// # Safety
/// As for [`tick`]; the cell is one.
pub(crate) unsafe extern "C" fn note(meter: *mut Meter, unit: u64, number: u64, cell: *const Cell) {
    // SAFETY: the caller's.
    unsafe { (*meter).note(unit as usize, number as usize, &*cell) };
}

/// Adds up the work of a unit whose sizes have been noted.
///
/// # Safety
/// As for [`tick`].
pub(crate) unsafe extern "C" fn add_work(meter: *mut Meter, unit: u64, function: u64) {
    // SAFETY: the caller's.
    unsafe { (*meter).add_work(unit as usize, function as usize) };
}
