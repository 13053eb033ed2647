//! Functions that generated code calls: to run kernels, to check calls, to ask the host and to fail.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ag_ir::{Failure, ListFailure, LocationId, RunError};

use super::context::{FailingNumbers, FailureCode, MOST_CALLS, RunContext, fault, pointer_of, status_of};
use crate::kernels::contract::broken_rule;
use crate::memory::AlignedBytes;
use crate::stack;

/// Runs kernel `number`.
///
/// # Safety
/// Called by generated code: `context` is the run's, and `operands` are as many pointers as the kernel takes,
/// in the forms that its [`OperandRule`](crate::kernels::contract::OperandRule)s say.
pub(crate) unsafe extern "C" fn run_kernel(
    context: *mut RunContext<'_>,
    number: u64,
    operands: *const *mut u8,
) -> i32 {
    // SAFETY: generated code passes the context that it was given; nothing else uses it meanwhile.
    let context = unsafe { &mut *context };
    let Some(entry) = context.kernels.get(number as usize) else { return 1 };
    if let Some(slot) = entry.kernel.slot() {
        // A scalar lives in a register and is in memory only during this call, so its value is copied now.
        // SAFETY: the plan made the kernel and its operands for each other; a kernel with a slot has one operand.
        let value = unsafe { entry.kernel.kept(*operands) };
        context.kept_scalars.extend(value.map(|value| (slot, value)));
        return 0;
    }
    let host = &mut *context.host;
    let result = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the plan made the kernel and its operands for each other.
        unsafe {
            let operands = std::slice::from_raw_parts(operands, entry.operands.len());
            entry.kernel.run(operands, host)
        }
    }));
    let (failure, location) = match result {
        Ok(Ok(())) => return 0,
        Ok(Err(stopped)) => (stopped.failure, stopped.location.or(entry.location)),
        Err(payload) => (fault(&*payload), entry.location),
    };
    context.end(RunError::new(failure, location));
    1
}

/// Runs kernel `number` after checking that its operands obey the rules of `docs/kernels.md`.
///
/// # Safety
/// That of [`run_kernel`].
pub(crate) unsafe extern "C" fn run_checked_kernel(
    context: *mut RunContext<'_>,
    number: u64,
    operands: *const *mut u8,
) -> i32 {
    // SAFETY: as in `run_kernel`.
    let (broken, location) = unsafe {
        let context = &*context;
        let Some(entry) = context.kernels.get(number as usize) else { return 1 };
        let operands = std::slice::from_raw_parts(operands, entry.operands.len());
        (broken_rule(&entry.operands, operands, &context.buffers), entry.location)
    };
    let Some(words) = broken else {
        // SAFETY: the caller's.
        return unsafe { run_kernel(context, number, operands) };
    };
    let failure = Failure::Fault(format!("a kernel's memory breaks rule {words}").into());
    // SAFETY: as in `run_kernel`.
    unsafe { (*context).end(RunError::new(failure, location)) };
    1
}

/// Asks the host whether to go on, in a loop at this location (none if negative).
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn poll(context: *mut RunContext<'_>, location: i64) -> i32 {
    // SAFETY: as in `run_kernel`.
    unsafe { status_of(context, location, || Ok((*context).host.poll()?)) }
}

/// Asks the host whether to go on making calls.
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn poll_calls(context: *mut RunContext<'_>, location: i64) -> i32 {
    // SAFETY: as in `run_kernel`; the reference ends before `poll` has its own.
    unsafe { (*context).fuel = MOST_CALLS };
    // SAFETY: the caller's promise.
    unsafe { poll(context, location) }
}

/// Called when a call would go beyond the stack limit: moves the limit if there is more stack, or fails.
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn deepen(context: *mut RunContext<'_>, stack: u64, location: i64) -> i32 {
    // SAFETY: as in `run_kernel`.
    let context = unsafe { &mut *context };
    context.stack_limit = context.last_stack;
    if stack as usize > context.last_stack {
        return 0;
    }
    context.stop(Failure::Recursion, location);
    1
}

/// Allocates the arena of a call, in use until [`pop_arena`]; null if that fails. Arenas of a failed run are
/// freed with the context.
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn push_arena(
    context: *mut RunContext<'_>,
    bytes: u64,
    location: i64,
) -> *mut u8 {
    let work = || {
        // SAFETY: as in `run_kernel`.
        let context = unsafe { &mut *context };
        let bytes = bytes as usize;
        if context.arena_bytes.saturating_add(bytes) > stack::most_memory() {
            return Err(Failure::Recursion);
        }
        let out_of_memory = || Failure::OutOfMemory { bytes };
        context.arenas.try_reserve(1).map_err(|_| out_of_memory())?;
        let mut arena = AlignedBytes::new(bytes).ok_or_else(out_of_memory)?;
        let pointer = arena.pointer_mut();
        context.arena_bytes += bytes;
        context.arenas.push(arena);
        Ok(pointer)
    };
    // SAFETY: as in `run_kernel`.
    unsafe { pointer_of(context, location, work) }
}

/// Frees the last arena that was pushed.
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn pop_arena(context: *mut RunContext<'_>) {
    // SAFETY: as in `run_kernel`.
    let context = unsafe { &mut *context };
    if let Some(arena) = context.arenas.pop() {
        context.arena_bytes -= arena.len();
    }
}

/// Ends the run with the failure whose numbers the code has written into the context.
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn fail(context: *mut RunContext<'_>) {
    // SAFETY: as in `run_kernel`.
    let context = unsafe { &mut *context };
    let FailingNumbers { code, location, index, axis, size } = context.failing;
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
    context.stop(failure, location);
}

/// Notes the location of a call that a failing run leaves, for the traceback.
///
/// # Safety
/// Called by generated code: `context` is the run's.
pub(crate) unsafe extern "C" fn leave_call(context: *mut RunContext<'_>, location: i64) {
    // SAFETY: as in `run_kernel`.
    let context = unsafe { &mut *context };
    if let (Some(error), Ok(location)) = (&mut context.ending, u32::try_from(location)) {
        error.calls.push(LocationId(location));
    }
}

/// Copies bytes unless source and destination are the same.
///
/// # Safety
/// `to` and `from` are valid for `bytes` bytes.
pub(crate) unsafe extern "C" fn copy_bytes(to: *mut u8, from: *const u8, bytes: u64) {
    if to.cast_const() != from {
        // SAFETY: the caller's.
        unsafe { std::ptr::copy(from, to, bytes as usize) };
    }
}

/// [`ag_ir::mul_add_mod`], of ints that leave 64 bits on the way.
pub(crate) extern "C" fn mul_add_mod(a: i64, b: i64, c: i64, m: i64) -> i64 {
    ag_ir::mul_add_mod(a, b, c, m)
}
