//! Counts the work of kernels, so that the host is asked now and then whether to go on (Ctrl-C).
//!
//! ```text
//! x = np.sort(x)          10⁸ elements, many seconds: a kernel counts what it does, piece by piece,
//!     ^ Ctrl-C            and the host is asked every few milliseconds
//! ```
//!
//! - One unit of work is about a nanosecond: an element moved, or some elements added up. The count decides
//!   only how often the clock is read; the clock decides how often the host is asked.
//! - The count is per thread, so that a loop over kernels of a millisecond each asks as often as one kernel
//!   of a second. The loop itself asks by its number of iterations.
//! - A kernel that stops in the middle may leave memory half written. The run then fails, and nobody reads
//!   it.

use std::cell::Cell;
use std::time::{Duration, Instant};

use ag_ir::{Failure, Host, HostError};

use super::{KernelResult, Stopped};

/// Work between two readings of the clock: a fraction of a millisecond, or ten for slow elements.
const BETWEEN_LOOKS: usize = 1 << 19;
/// Time between two questions to the host, which may have to wait for the interpreter's lock (GIL).
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(10);
/// Less work than this is not counted.
const LITTLE: usize = 1 << 10;
/// The work of one piece, for a kernel that can stop anywhere.
pub(crate) const PIECE: usize = 1 << 18;

thread_local! {
    /// Work since the last reading of the clock.
    static DONE: Cell<usize> = const { Cell::new(0) };
    /// When the host was last asked.
    static ASKED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Counts work that was done.
///
/// # Errors
/// What the host raises, if it was asked.
#[inline]
pub(crate) fn count_work(work: usize, host: &mut dyn Host) -> KernelResult {
    if work < LITTLE {
        return Ok(());
    }
    count_progress(work, host).map_err(|error| Stopped::new(Failure::Host(error)))
}

/// As [`count_work`], for code that computes outside of kernels and is told of its progress.
///
/// # Errors
/// What the host raises, if it was asked.
pub(crate) fn count_progress(work: usize, host: &mut dyn Host) -> Result<(), HostError> {
    let done = DONE.get().saturating_add(work);
    if done < BETWEEN_LOOKS {
        DONE.set(done);
        return Ok(());
    }
    DONE.set(0);
    let now = Instant::now();
    if ASKED.get().is_some_and(|asked| now.duration_since(asked) < BETWEEN_QUESTIONS) {
        return Ok(());
    }
    let answer = host.poll();
    // The time that the host took does not count.
    ASKED.set(Some(Instant::now()));
    answer
}

/// Calls `piece` for parts of `0 .. count`, and asks the host between them. An element takes about `each`
/// nanoseconds.
///
/// # Errors
/// What the host raises between two pieces, or a piece.
#[inline]
pub(crate) fn in_pieces(
    count: usize,
    weight: usize,
    host: &mut dyn Host,
    mut piece: impl FnMut(std::ops::Range<usize>) -> KernelResult,
) -> KernelResult {
    let step = (PIECE / weight.max(1)).max(1);
    let mut start = 0;
    while start < count {
        let end = count.min(start.saturating_add(step));
        piece(start..end)?;
        count_work((end - start).saturating_mul(weight), host)?;
        start = end;
    }
    Ok(())
}

/// Copies bytes.
///
/// # Safety
/// Both are valid for `bytes` bytes and do not overlap; if `bytes` is 0, they may be any pointers.
///
/// # Errors
/// What the host raises.
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize, host: &mut dyn Host) -> KernelResult {
    in_pieces(bytes.div_ceil(8), 1, host, |piece| {
        let (start, end) = (piece.start * 8, bytes.min(piece.end * 8));
        // SAFETY: the caller's; the piece is within (K9).
        unsafe { std::ptr::copy_nonoverlapping(from.add(start), to.add(start), end - start) };
        Ok(())
    })
}
