//! The clock of a profile: the processor's counter of time, and how long one of its ticks is.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The shortest time over which the length of a tick is measured.
const LEAST_MEASURED: Duration = Duration::from_millis(2);

/// The present time, in ticks.
#[inline(always)]
pub(crate) fn now() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of the architecture has the instruction.
    unsafe {
        std::arch::x86_64::_rdtsc()
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_nanos() as u64
    }
}

/// The first moment that both clocks were read.
fn start() -> (Instant, u64) {
    static START: OnceLock<(Instant, u64)> = OnceLock::new();
    *START.get_or_init(|| (Instant::now(), now()))
}

/// Begins to measure how long a tick is.
pub(crate) fn begin() {
    start();
}

/// The nanoseconds of a tick.
pub(crate) fn nanoseconds_per_tick() -> f64 {
    let (began, first) = start();
    loop {
        let passed = began.elapsed();
        let ticks = now().saturating_sub(first);
        if passed >= LEAST_MEASURED && ticks > 0 {
            return passed.as_nanos() as f64 / ticks as f64;
        }
        std::hint::spin_loop();
    }
}
