//! Compiled graphs that measure themselves, for Python.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ag_engine::{Busy, Input, Output, Profile};
use ag_ir::{Block, Function, Host, Op, RunError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::executable::run_code;

/// Runs the code of a graph: the ordinary one, or one that measures itself.
pub(crate) trait Code: Sync {
    fn run(
        &self,
        inputs: &[Input<'_>],
        outputs: &mut [Output<'_>],
        host: &mut dyn Host,
    ) -> Result<(), RunError>;
}

impl Code for ag_engine::Executable {
    fn run(
        &self,
        inputs: &[Input<'_>],
        outputs: &mut [Output<'_>],
        host: &mut dyn Host,
    ) -> Result<(), RunError> {
        Self::run(self, inputs, outputs, host)
    }
}

/// A run that is measured, and what it has found.
pub(crate) struct Measuring<'e> {
    engine: &'e ag_engine::ProfiledExecutable,
    most_events: usize,
    found: Mutex<Option<Result<Profile, Busy>>>,
}

impl<'e> Measuring<'e> {
    pub(crate) const fn new(executable: &'e ProfiledExecutable, most_events: usize) -> Self {
        Self { engine: &executable.engine, most_events, found: Mutex::new(None) }
    }

    /// What the run has found. An error if another one was under way.
    pub(crate) fn found(self) -> PyResult<Measured> {
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        match found {
            Some(Ok(profile)) => Ok(measured(profile)),
            _ => Err(PyRuntimeError::new_err("a profile of this function is being made already")),
        }
    }
}

impl Code for Measuring<'_> {
    fn run(
        &self,
        inputs: &[Input<'_>],
        outputs: &mut [Output<'_>],
        host: &mut dyn Host,
    ) -> Result<(), RunError> {
        let note = |found| *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        match self.engine.run(inputs, outputs, host, self.most_events) {
            Ok(ran) => ran.map(|profile| note(Ok(profile))),
            Err(busy) => {
                note(Err(busy));
                Ok(())
            }
        }
    }
}

/// A step: number of its location, op, types, whether it is of a derivative, executions, nanoseconds, operations,
/// bytes read and written.
type Step = (Option<u32>, String, String, bool, u64, f64, u64, u64, u64);
/// A unit: its first step, the one after its last, the first unit that it shares its time with, executions,
/// nanoseconds.
type Unit = (usize, usize, usize, u64, f64);
/// An execution of a unit: the unit, when it began and when it ended, in nanoseconds.
type Event = (usize, f64, f64);
/// Steps, units, events, how many events are left out, and the nanoseconds of the graph, of its results and of
/// the measuring.
pub(crate) type Measured = (Vec<Step>, Vec<Unit>, Vec<Event>, u64, (f64, f64, f64));

fn measured(profile: Profile) -> Measured {
    let steps = profile.steps.into_iter().map(|step| {
        let location = step.location.map(|location| location.0);
        let work = (step.operations, step.read, step.written);
        let times = (step.executions, step.nanoseconds);
        (location, step.op, step.types, step.is_derivative, times.0, times.1, work.0, work.1, work.2)
    });
    let units = profile
        .units
        .into_iter()
        .map(|unit| (unit.steps.start, unit.steps.end, unit.group, unit.executions, unit.nanoseconds));
    let events = profile.events.into_iter().map(|event| (event.unit, event.start, event.end));
    let times = (profile.nanoseconds, profile.results, profile.measuring);
    (steps.collect(), units.collect(), events.collect(), profile.left_out, times)
}

/// A place: file, function, line, column, last line, column after the last, and the number of the place that
/// called the function.
type Place = (String, String, u32, u32, u32, u32, Option<u32>);

/// A graph compiled to measure what its steps spend.
#[pyclass(module = "autograph._core", frozen)]
pub(crate) struct ProfiledExecutable {
    function: Arc<Function>,
    engine: ag_engine::ProfiledExecutable,
}

impl ProfiledExecutable {
    /// Optimises a function and compiles it.
    pub(crate) fn compile(py: Python<'_>, function: &Arc<Function>) -> PyResult<Self> {
        let compiled = py.detach(|| {
            let optimised = ag_optimize::optimize(Function::clone(function));
            ag_engine::ProfiledExecutable::compile(&optimised)
        });
        let engine = compiled.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Self { function: Arc::clone(function), engine })
    }
}

#[pymethods]
impl ProfiledExecutable {
    /// As `Executable.run`; also returns what the run has measured. At most so many executions of units are
    /// told one by one.
    fn run<'py>(
        &self,
        py: Python<'py>,
        inputs: Vec<Bound<'py, PyAny>>,
        outputs: Vec<Bound<'py, PyAny>>,
        show: Py<PyAny>,
        most_events: usize,
    ) -> PyResult<(Bound<'py, PyList>, Measured)> {
        let code = Measuring::new(self, most_events);
        let results = run_code(py, &self.function, &code, inputs, outputs, show)?;
        Ok((results, code.found()?))
    }

    /// The places of the graph, by number.
    fn places(&self) -> Vec<Place> {
        let places = self.function.locations.iter().map(|place| {
            (
                place.file.to_string(),
                place.function.to_string(),
                place.line,
                place.column,
                place.end_line,
                place.end_column,
                place.caller.map(|caller| caller.0),
            )
        });
        places.collect()
    }

    /// How often each op of each place was recorded, as in a loop that is unrolled.
    fn recordings(&self) -> Vec<BTreeMap<String, u64>> {
        let mut counts = vec![BTreeMap::new(); self.function.locations.len()];
        for function in std::iter::once(&*self.function).chain(&self.function.functions) {
            count_nodes(function, &function.body, &mut counts);
        }
        counts
    }
}

fn count_nodes(function: &Function, block: &Block, counts: &mut [BTreeMap<String, u64>]) {
    for node in &block.nodes {
        let is_derivative =
            node.results.first().is_some_and(|result| function.values[result.0 as usize].is_derivative);
        if let Some(count) = node.location.and_then(|location| counts.get_mut(location.0 as usize))
            && !is_derivative
            && !matches!(node.op, Op::Constant(_) | Op::Identity(_) | Op::Keep(_) | Op::KeepEnd(_))
        {
            *count.entry(node.op.name()).or_default() += 1;
        }
        node.regions.iter().for_each(|region| count_nodes(function, region, counts));
    }
}
