//! What generated code calls, and what it is called with.
//!
//! All of these are `extern "C"` and answer with a status: 0 to go on, anything else to leave. The
//! reason is kept in the [`RunContext`]. A panic of a kernel or of the host does not cross
//! generated code: it is caught here and resumed when the code has returned.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ag_ir::{Failure, Host, ListFailure, LocationId, RunError};

use crate::plan::KernelEntry;

/// Failures that generated code finds itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub(crate) enum FailureCode {
    /// With index, axis and size.
    Index = 1,
    /// A checked integer left 64 bits.
    Overflow = 2,
    /// An integer raised to a negative power.
    NegativePower = 3,
    /// A list read past its end.
    ListGet = 4,
    /// A list written past its end.
    ListSet = 5,
    /// The last of an empty list.
    ListPop = 6,
}

/// How a run ended early.
pub(crate) enum Ending {
    /// A failure to report.
    Failed(RunError),
    /// A panic to resume.
    Panicked(Box<dyn Any + Send>),
}

/// The state of a run.
pub(crate) struct RunContext<'r> {
    /// The function's kernels.
    pub(crate) kernels: &'r [KernelEntry],
    /// The world outside.
    pub(crate) host: &'r mut dyn Host,
    /// Set when a status says to leave.
    pub(crate) ending: Option<Ending>,
}

/// Runs kernel `number`.
///
/// # Safety
/// Called by generated code: `context` is the run's, `operands` as many pointers as the kernel
/// takes, as it wants them.
pub(crate) unsafe extern "C" fn run_kernel(
    context: *mut RunContext<'_>,
    number: u64,
    operands: *const *mut u8,
) -> i32 {
    // SAFETY: generated code passes the context that it was given; nothing else uses it meanwhile.
    let context = unsafe { &mut *context };
    let Some(entry) = context.kernels.get(number as usize) else { return 1 };
    let host = &mut *context.host;
    let result = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the plan made the kernel and its operands for each other.
        unsafe {
            let operands = std::slice::from_raw_parts(operands, entry.operand_count);
            entry.kernel.run(operands, host)
        }
    }));
    let ending = match result {
        Ok(Ok(())) => return 0,
        Ok(Err(stopped)) => Ending::Failed(RunError {
            failure: stopped.failure,
            location: stopped.location.or(entry.location),
        }),
        Err(payload) => Ending::Panicked(payload),
    };
    context.ending = Some(ending);
    1
}

/// Asks the host whether to go on, in a loop at this location (none if negative).
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn poll(context: *mut RunContext<'_>, location: i64) -> i32 {
    // SAFETY: as in `run_kernel`.
    let context = unsafe { &mut *context };
    let host = &mut *context.host;
    let ending = match catch_unwind(AssertUnwindSafe(|| host.poll())) {
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => {
            let location = u32::try_from(location).ok().map(LocationId);
            Ending::Failed(RunError { failure: Failure::Host(error), location })
        }
        Err(payload) => Ending::Panicked(payload),
    };
    context.ending = Some(ending);
    1
}

/// Keeps a failure: code, location (none if negative), and three numbers.
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn fail(
    context: *mut RunContext<'_>,
    code: i64,
    location: i64,
    index: i64,
    axis: i64,
    size: i64,
) {
    // SAFETY: as in `run_kernel`.
    let context = unsafe { &mut *context };
    let failure = if code == FailureCode::Index as i64 {
        Failure::Index { index, axis: axis as usize, size: size as usize }
    } else if code == FailureCode::NegativePower as i64 {
        Failure::NegativePower
    } else if code == FailureCode::ListGet as i64 {
        ListFailure::Get.into()
    } else if code == FailureCode::ListSet as i64 {
        ListFailure::Set.into()
    } else if code == FailureCode::ListPop as i64 {
        ListFailure::Pop.into()
    } else {
        Failure::Overflow
    };
    let location = u32::try_from(location).ok().map(LocationId);
    context.ending = Some(Ending::Failed(RunError { failure, location }));
}

/// Copies bytes unless they are where they should be.
///
/// # Safety
/// Both are valid for so many bytes.
pub(crate) unsafe extern "C" fn copy_bytes(to: *mut u8, from: *const u8, bytes: u64) {
    if to.cast_const() != from {
        // SAFETY: the caller's.
        unsafe { std::ptr::copy(from, to, bytes as usize) };
    }
}
