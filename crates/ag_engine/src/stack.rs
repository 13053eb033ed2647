//! The stack on which graphs with calls run: our own, large, and committed as it is used.
//!
//! ```text
//! the thread's stack:   … Executable::run ─┐              ┌─ host.print, host.poll
//! our stack:                               └─ main ─ f ─ f ─ f ─ …        → limit
//! ```
//!
//! - A recursion of a million levels takes some hundred megabytes, which no thread's stack has.
//! - Generated code compares the stack pointer with a limit before each call. Beyond the limit there
//!   is room for kernels, which are not counted.
//! - The host is called on the thread's own stack: it may look where it is, as CPython does.
//! - A stack that was used deeply is given back after the run; another is kept for the next one.

use std::sync::OnceLock;

use ag_ir::{Array, Host, HostError};
use corosensei::stack::{DefaultStack, Stack as _};
use corosensei::{CoroutineResult, ScopedCoroutine, Yielder};

/// The most that a stack may grow to, if the machine has four times as much.
const LARGEST: usize = 1 << 30;
/// Less than this is no stack.
const SMALLEST: usize = 8 << 20;
/// What is left for kernels at the end.
const RESERVE: usize = 2 << 20;
/// A run that stays within this is not deep.
const SHALLOW: usize = 256 << 10;

/// Where a stack ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackLimits {
    /// Where a run begins to be deep.
    pub(crate) first: usize,
    /// Where no call is made any more.
    pub(crate) last: usize,
}

impl StackLimits {
    /// For code that makes no calls.
    pub(crate) const NONE: Self = Self { first: 0, last: 0 };
}

/// A stack.
pub(crate) struct Stack(DefaultStack);

impl Stack {
    /// A new one, if there is memory for it.
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

    /// Where it ends.
    pub(crate) fn limits(&self) -> StackLimits {
        let (base, limit) = (self.0.base().get(), self.0.limit().get());
        StackLimits { first: base - SHALLOW, last: limit + RESERVE }
    }

    /// Runs code on it, with a host that calls `host` on the stack from which this is called.
    pub(crate) fn run(&mut self, host: &mut dyn Host, code: impl FnOnce(&mut dyn Host) -> i32) -> i32 {
        let body = |yielder: &Yielder<(), ()>, ()| code(&mut OutsideHost { host, yielder });
        let coroutine = ScopedCoroutine::with_stack(&mut self.0, body);
        coroutine.scope(|mut coroutine| match coroutine.as_mut().resume(()) {
            CoroutineResult::Return(status) => status,
            CoroutineResult::Yield(()) => 1,
        })
    }
}

/// The most memory that the calls of a run may take, for their stack and again for their arrays.
pub(crate) fn most_memory() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| (machine_memory().unwrap_or(LARGEST) / 4).clamp(SMALLEST, LARGEST))
}

/// The machine's memory, where it says so.
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

/// What is called on the other stack of the same thread.
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
