//! What a profiled run has found, for whoever asked for it.

use std::ops::Range;

use ag_ir::LocationId;

use super::clock::nanoseconds_per_tick;
use super::layout::{RESULTS, Work};
use super::meter::{Meter, Span};

/// What a run of a graph spent where.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The steps, by unit.
    pub steps: Vec<StepProfile>,
    /// The units: steps whose time was measured together.
    pub units: Vec<UnitProfile>,
    /// The executions of units, in order, as many as were asked for.
    pub events: Vec<Event>,
    /// How many executions are not among the events.
    pub left_out: u64,
    /// Nanoseconds of all units, and of moving the results to their places.
    pub nanoseconds: f64,
    /// Nanoseconds of moving the results to their places.
    pub results: f64,
    /// Nanoseconds that the measuring took besides.
    pub measuring: f64,
}

/// What a step spent in a run.
#[derive(Clone, Debug)]
pub struct StepProfile {
    /// Its place in the user's source, or that of a step near it.
    pub location: Option<LocationId>,
    /// The name of its op.
    pub op: String,
    /// The types of its operands and results: `f64[3], f64[] -> f64[3]`.
    pub types: String,
    /// Whether it was made for a derivative.
    pub is_derivative: bool,
    /// How often it ran.
    pub executions: u64,
    /// Its time; an estimated share if its unit has other steps.
    pub nanoseconds: f64,
    /// Floating-point operations.
    pub operations: u64,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
}

/// What a unit spent in a run.
#[derive(Clone, Debug)]
pub struct UnitProfile {
    /// Its steps.
    pub steps: Range<usize>,
    /// The first of the units that it shares its time with: they call functions in common.
    pub group: usize,
    /// How often it ran.
    pub executions: u64,
    /// Its time.
    pub nanoseconds: f64,
}

/// An execution of a unit.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The number of the unit.
    pub unit: usize,
    /// When it began, in nanoseconds since the run began.
    pub start: f64,
    /// When it ended.
    pub end: f64,
}

impl Profile {
    /// What a meter has measured.
    pub(crate) fn of(meter: &Meter) -> Self {
        let rate = nanoseconds_per_tick();
        let (layout, runs) = (meter.layout(), meter.runs());
        let mut profile = Self {
            steps: Vec::with_capacity(layout.steps.len()),
            units: Vec::with_capacity(layout.units.len()),
            events: Vec::with_capacity(meter.spans.len()),
            left_out: meter.left_out,
            nanoseconds: meter.ticks_of_all() as f64 * rate,
            results: meter.ticks_of(RESULTS) as f64 * rate,
            measuring: meter.ticks_of_graph().saturating_sub(meter.ticks_of_all()) as f64 * rate,
        };
        let groups = layout.groups();
        let weight_of = |step: usize| {
            let entry = &layout.steps[step];
            entry.weight * runs[entry.block] as f64
        };
        // Time and weight of all units of a group.
        let mut whole = vec![(0.0, 0.0); layout.units.len()];
        for (number, unit) in layout.units.iter().enumerate() {
            let (time, weight) = &mut whole[groups[number]];
            *time += meter.ticks_of(number) as f64 * rate;
            *weight += (unit.first..unit.first + unit.count).map(weight_of).sum::<f64>();
        }
        for (number, unit) in layout.units.iter().enumerate().skip(RESULTS + 1) {
            let (time, all) = whole[groups[number]];
            let first = profile.steps.len();
            for step in unit.first..unit.first + unit.count {
                let entry = &layout.steps[step];
                let executions = runs[entry.block];
                let own = entry.work.map_or(meter.found[step], |work| work.times(executions));
                let besides =
                    entry.work_of_block.map_or(Work::default(), |(block, work)| work.times(runs[block]));
                let Work { operations, read, written } = own.and(besides);
                profile.steps.push(StepProfile {
                    location: entry.location,
                    op: entry.task.op.name(),
                    types: entry.types.clone(),
                    is_derivative: entry.is_derivative,
                    executions,
                    nanoseconds: if all > 0.0 { time * weight_of(step) / all } else { 0.0 },
                    operations,
                    read,
                    written,
                });
            }
            profile.units.push(UnitProfile {
                steps: first..profile.steps.len(),
                group: groups[number] - (RESULTS + 1),
                executions: meter.times[number].count,
                nanoseconds: meter.ticks_of(number) as f64 * rate,
            });
        }
        let since = |time: u64| time.saturating_sub(meter.first) as f64 * rate;
        let measured = meter.spans.iter().filter(|span| span.unit as usize > RESULTS);
        profile.events.extend(measured.map(|Span { unit, start, end }| Event {
            unit: *unit as usize - (RESULTS + 1),
            start: since(*start),
            end: since(*end),
        }));
        profile
    }
}
