//! The stack on which graphs with calls run: large, allocated by the engine, and committed as it is used.
//!
//! ```text
//! the thread's stack:   … Executable::run ─┐              ┌─ host.print, host.poll
//! our stack:                               └─ main ─ f ─ f ─ f ─ …        → limit
//! ```
//!
//! - A recursion of a million levels takes some hundred megabytes, which no thread's stack has.
//! - Generated code compares the stack pointer with a limit before each call. The stack beyond the limit is
//!   reserved for kernels, which do not check it.
//! - The host is called on the thread's own stack, because it may check the stack's bounds, as CPython does.
//! - A stack that was used deeply is freed after the run, so that its memory is returned; any other is kept
//!   for the next run.

use std::sync::OnceLock;

use ag_ir::{Array, Host, HostError};
use corosensei::stack::{DefaultStack, Stack as _};
use corosensei::{CoroutineResult, ScopedCoroutine, Yielder};

/// The largest stack, if the machine has four times as much memory.
const LARGEST: usize = 1 << 30;
/// The smallest stack.
const SMALLEST: usize = 8 << 20;
/// Bytes at the end that are reserved for kernels.
const RESERVE: usize = 2 << 20;
/// A run that stays within this is not deep.
const SHALLOW: usize = 256 << 10;

/// The limits of a stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackLimits {
    /// Below this address, a run counts as deep.
    pub(crate) first: usize,
    /// Below this address, no call is made.
    pub(crate) last: usize,
}

impl StackLimits {
    /// For code that makes no calls.
    pub(crate) const NONE: Self = Self { first: 0, last: 0 };
}

/// A stack.
pub(crate) struct Stack(DefaultStack);

impl Stack {
    /// Allocates a stack; none if memory is short.
    pub(crate) fn new() -> Option<Self> {
        let mut bytes = most_memory();
        loop {
            match DefaultStack::new(bytes) {
                Ok(stack) => return Some(Self(stack)),
                Err(_) if bytes / 2 >= SMALLEST => bytes /= 2,
                Err(_) => return None,
            }
        }
    }

    /// Its limits.
    pub(crate) fn limits(&self) -> StackLimits {
        let (base, limit) = (self.0.base().get(), self.0.limit().get());
        StackLimits { first: base - SHALLOW, last: limit + RESERVE }
    }

    /// Runs code on this stack, with a host whose methods run on the caller's stack.
    pub(crate) fn run(&mut self, host: &mut dyn Host, code: impl FnOnce(&mut dyn Host) -> i32) -> i32 {
        let body = |yielder: &Yielder<(), ()>, ()| code(&mut OutsideHost { host, yielder });
        let coroutine = ScopedCoroutine::with_stack(&mut self.0, body);
        coroutine.scope(|mut coroutine| match coroutine.as_mut().resume(()) {
            CoroutineResult::Return(status) => status,
            CoroutineResult::Yield(()) => 1,
        })
    }
}

/// The most memory of the calls of a run: for their stack, and again for their arenas.
pub(crate) fn most_memory() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| (machine_memory().unwrap_or(LARGEST) / 4).clamp(SMALLEST, LARGEST))
}

/// The machine's memory, if the system tells it.
fn machine_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok()?.checked_mul(1024)
}

/// A host that is called on the thread's own stack.
struct OutsideHost<'h, 'y> {
    host: &'h mut dyn Host,
    yielder: &'y Yielder<(), ()>,
}

/// A value that another stack of the same thread uses.
struct SameThread<T>(T);

// SAFETY: the value is used on the thread that made it only: stacks change, the thread does not.
unsafe impl<T> Send for SameThread<T> {}

impl<T> SameThread<T> {
    fn into_inner(self) -> T {
        self.0
    }
}

impl Host for OutsideHost<'_, '_> {
    fn print(&mut self, site: u32, values: &[Array]) -> Result<(), HostError> {
        let host = SameThread(&mut *self.host);
        self.yielder.on_parent_stack(move || host.into_inner().print(site, values))
    }

    fn call(&mut self, site: u32, values: &[Array]) -> Result<Vec<Array>, HostError> {
        let host = SameThread(&mut *self.host);
        self.yielder.on_parent_stack(move || host.into_inner().call(site, values))
    }

    fn poll(&mut self) -> Result<(), HostError> {
        let host = SameThread(&mut *self.host);
        self.yielder.on_parent_stack(move || host.into_inner().poll())
    }
}
