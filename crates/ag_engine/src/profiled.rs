//! A graph compiled to measure itself.

use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::Instant;

use ag_ir::{Function, Host, RunError};

use crate::code::Asked;
use crate::error::CompileError;
use crate::executable::Executable;
use crate::isa::Isa;
use crate::lower::{Measured, blocks_of};
use crate::operands::{Input, Output};
use crate::profile::layout::{MEASURING, SETUP};
use crate::profile::meter::Meter;
use crate::profile::{Profile, clock};

/// A function compiled to measure what each of its steps spends. Its results are those of an [`Executable`].
pub struct ProfiledExecutable {
    executable: Executable,
    meter: Mutex<Owned>,
}

/// The meter that the code writes to.
struct Owned(*mut Meter);

// SAFETY: a meter is plain memory, and whoever has it is alone with it.
unsafe impl Send for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: it was made from a box, and no code runs any more.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// Another run that measures is under way, and this one would disturb it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

impl ProfiledExecutable {
    /// Compiles a function.
    ///
    /// # Errors
    /// As [`Executable::compile`].
    pub fn compile(function: &Function) -> Result<Self, CompileError> {
        Self::compile_for(function, Isa::of(function))
    }

    pub(crate) fn compile_for(function: &Function, isa: Isa) -> Result<Self, CompileError> {
        clock::begin();
        let blocks = blocks_of(function);
        let meter = Owned(Box::into_raw(Meter::new(blocks)));
        let mut asked = Asked { measured: Some(Measured::new(blocks, meter.0)), ..Asked::default() };
        let executable = Executable::compile_with(function, isa, &mut asked)?;
        if let Some(Measured { layout, calls, .. }) = asked.measured {
            let two_ticks = calls.and_then(|calls| calls.two_ticks);
            // SAFETY: nothing else uses the meter; it has units of these numbers.
            unsafe {
                (*meter.0).set_layout(layout);
                (*meter.0).calibrate(|meter| {
                    two_ticks.iter().for_each(|ticks| ticks(meter, MEASURING as u64, SETUP as u64))
                });
            }
        }
        Ok(Self { executable, meter: Mutex::new(meter) })
    }

    /// Runs the function as [`Executable::run`] does, and tells what it spent where. At most so many executions
    /// of units are told one by one.
    ///
    /// # Errors
    /// If another run is under way, as when the host that it calls runs it. In the inner result, what the graph
    /// raises.
    pub fn run(
        &self,
        inputs: &[Input<'_>],
        outputs: &mut [Output<'_>],
        host: &mut dyn Host,
        most_events: usize,
    ) -> Result<Result<Profile, RunError>, Busy> {
        let mut meter = match self.meter.try_lock() {
            Ok(meter) => meter,
            Err(TryLockError::Poisoned(poisoned)) => PoisonError::into_inner(poisoned),
            Err(TryLockError::WouldBlock) => return Err(Busy),
        };
        let entered = Instant::now();
        // SAFETY: the lock is held: only the code uses the meter too, and it does not run yet.
        unsafe { (*meter.0).begin(most_events) };
        let began = Instant::now();
        let ran = self.executable.run(inputs, outputs, host);
        let ended = Instant::now();
        // SAFETY: as above; the code does not run any more.
        let measured = unsafe { &*meter.0 };
        Ok(ran.map(|()| {
            let mut profile = Profile::of(measured);
            let around = (began - entered) + ended.elapsed();
            profile.measuring += around.as_nanos() as f64;
            profile
        }))
    }
}
