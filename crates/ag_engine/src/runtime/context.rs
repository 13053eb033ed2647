//! The state of a run, and how a run ends early.

use std::any::Any;
use std::collections::BTreeMap;
use std::mem::offset_of;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ag_ir::{Array, Failure, Host, LocationId, RunError};

use crate::kernels::KernelEntry;
use crate::memory::AlignedBytes;
use crate::stack::StackLimits;
use crate::tapes::{Tape, Tapes};

/// The failures that generated code detects itself, without a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub(crate) enum FailureCode {
    /// An index out of bounds; its numbers are index, axis and size.
    Index = 1,
    /// A checked integer left 64 bits.
    Overflow = 2,
    /// An integer raised to a negative power.
    NegativePower = 3,
    /// A list read past its end.
    ListGet = 4,
    /// A list written past its end.
    ListSet = 5,
    /// A pop from an empty list.
    ListPop = 6,
}

/// The state of a run. Generated code reads and writes the first fields, at the offsets [`STACK_LIMIT`],
/// [`FUEL`], [`TAPES`], [`KEPT`], [`STATUS`] and [`FAILING`].
#[repr(C)]
pub(crate) struct RunContext<'r> {
    /// A call is made only while the stack pointer is above this.
    pub(crate) stack_limit: usize,
    /// How many calls may be made until the host is asked whether to go on.
    pub(crate) fuel: i64,
    /// The first of the tapes.
    pub(crate) first_tape: *mut Tape,
    /// The first of the slots for kept values.
    pub(crate) first_kept: *mut KeptPlace,
    /// The status of a call that has no result; see `lower/cold_call.rs`.
    pub(crate) status: i32,
    /// What [`super::calls::fail`] makes a failure of.
    pub(super) failing: FailingNumbers,
    /// The real end of the stack. `stack_limit` is nearer at first, so that the run can tell afterwards that
    /// it went deep.
    pub(crate) last_stack: usize,
    /// The arenas of the calls that are running, innermost last.
    pub(crate) arenas: Vec<AlignedBytes>,
    /// The bytes of all arenas.
    pub(crate) arena_bytes: usize,
    /// The tapes.
    pub(crate) tapes: Tapes,
    /// The function's kernels.
    pub(crate) kernels: &'r [KernelEntry],
    /// The address ranges that operands may lie in, if calls of kernels are checked.
    pub(crate) buffers: Vec<Range<usize>>,
    /// The host, which prints, calls back and may stop the run.
    pub(crate) host: &'r mut dyn Host,
    /// The kept scalars, by slot: the values that an error reports if the run fails.
    pub(super) kept_scalars: BTreeMap<u32, Array>,
    /// Where each other kept value is, by slot.
    kept: Vec<KeptPlace>,
    /// The failure of the run; set before a status other than 0 is returned.
    pub(crate) ending: Option<RunError>,
}

/// A failure as generated code writes it.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(super) struct FailingNumbers {
    /// A [`FailureCode`].
    pub(super) code: i64,
    /// The location, none if negative.
    pub(super) location: i64,
    /// Of an index that is out of bounds: itself, the axis, and the axis's size.
    pub(super) index: i64,
    pub(super) axis: i64,
    pub(super) size: i64,
}

/// Where the operand of a `keep` is, whose value an error reports if the run fails. Generated code writes it.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct KeptPlace {
    /// The pointer to the operand.
    pub(crate) operand: *mut u8,
    /// The number of the `keep`'s kernel plus 1; 0 if nothing is kept yet.
    pub(crate) kernel: u64,
}

impl KeptPlace {
    const NONE: Self = Self { operand: std::ptr::null_mut(), kernel: 0 };
}

/// How many calls run before the host is asked whether to go on; about a millisecond.
pub(super) const MOST_CALLS: i64 = 1 << 18;

/// The offset of [`RunContext::first_kept`].
pub(crate) const KEPT: i32 = offset_of!(RunContext<'_>, first_kept) as i32;
/// The offset of [`RunContext::status`].
pub(crate) const STATUS: i32 = offset_of!(RunContext<'_>, status) as i32;
/// The offset of [`RunContext::failing`]: its numbers of 8 bytes are in the order of the fields.
pub(crate) const FAILING: i32 = offset_of!(RunContext<'_>, failing) as i32;
/// The offset of [`RunContext::stack_limit`].
pub(crate) const STACK_LIMIT: i32 = offset_of!(RunContext<'_>, stack_limit) as i32;
/// The offset of [`RunContext::fuel`].
pub(crate) const FUEL: i32 = offset_of!(RunContext<'_>, fuel) as i32;
/// The offset of [`RunContext::first_tape`].
pub(crate) const TAPES: i32 = offset_of!(RunContext<'_>, first_tape) as i32;

impl<'r> RunContext<'r> {
    /// The state at the start of a run on a stack that ends at these addresses.
    pub(crate) fn new(
        kernels: &'r [KernelEntry],
        host: &'r mut dyn Host,
        limits: StackLimits,
        mut tapes: Tapes,
    ) -> Self {
        let slots = kernels.iter().filter_map(|entry| entry.kernel.slot()).max();
        let mut kept = vec![KeptPlace::NONE; slots.map_or(0, |slot| slot as usize + 1)];
        Self {
            first_kept: kept.as_mut_ptr(),
            kept,
            first_tape: tapes.pointer(),
            tapes,
            stack_limit: limits.first,
            fuel: MOST_CALLS,
            status: 0,
            failing: FailingNumbers::default(),
            last_stack: limits.last,
            arenas: Vec::new(),
            arena_bytes: 0,
            kernels,
            buffers: Vec::new(),
            host,
            kept_scalars: BTreeMap::new(),
            ending: None,
        }
    }

    pub(super) fn stop(&mut self, failure: Failure, location: i64) {
        let location = u32::try_from(location).ok().map(LocationId);
        self.end(RunError::new(failure, location));
    }

    /// Ends the run with a failure. Copies the kept values now: their memory is freed when the code returns.
    pub(crate) fn end(&mut self, mut error: RunError) {
        error.kept.extend(std::mem::take(&mut self.kept_scalars));
        for place in &self.kept {
            let entry = usize::try_from(place.kernel).ok().and_then(|number| number.checked_sub(1));
            let Some(entry) = entry.and_then(|number| self.kernels.get(number)) else { continue };
            // SAFETY: a kept value is alive at every node that may fail: a later use extends its live range,
            // a write that follows or `keep_end`.
            let value = unsafe { entry.kernel.kept(place.operand) };
            error.kept.extend(entry.kernel.slot().zip(value));
        }
        self.ending = Some(error);
    }
}

/// The result of the work; a panic becomes a failure.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(fault(&*payload)))
}

/// The failure for a panic with this payload.
pub(super) fn fault(payload: &(dyn Any + Send)) -> Failure {
    let words = payload.downcast_ref::<&str>().copied();
    let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    Failure::Fault(words.unwrap_or("a panic without words").into())
}

/// Does work for generated code and returns the status. `location` is that of the node, none if negative.
///
/// # Safety
/// `context` is the run's, and nothing else uses it when the work is done.
pub(crate) unsafe fn status_of(
    context: *mut RunContext<'_>,
    location: i64,
    work: impl FnOnce() -> Result<(), Failure>,
) -> i32 {
    let Err(failure) = caught(work) else { return 0 };
    // SAFETY: the caller's.
    unsafe { (*context).stop(failure, location) };
    1
}

/// Does work for generated code and returns the pointer that it makes, or null if it fails.
///
/// # Safety
/// As for [`status_of`].
pub(crate) unsafe fn pointer_of(
    context: *mut RunContext<'_>,
    location: i64,
    work: impl FnOnce() -> Result<*mut u8, Failure>,
) -> *mut u8 {
    caught(work).unwrap_or_else(|failure| {
        // SAFETY: the caller's.
        unsafe { (*context).stop(failure, location) };
        std::ptr::null_mut()
    })
}
