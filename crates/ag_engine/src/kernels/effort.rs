//! Work that kernels have done since the host was asked whether to go on.
//!
//! ```text
//! x = np.sort(x)          10⁸ elements, many seconds: a kernel counts what it does, piece by piece,
//!     ^ Ctrl-C            and the host is asked every few milliseconds
//! ```
//!
//! - What is counted is about a nanosecond: an element moved, some elements added up. It decides how often
//!   the clock is read, no more; the clock decides how often the host is asked.
//! - It is counted for the thread, so that a loop over kernels of a millisecond each asks as often as one
//!   kernel of a second. The loop itself asks by the number of its iterations.
//! - A kernel that leaves in the middle leaves memory that may be half written. The run fails then, and
//!   nobody reads it.

use std::cell::Cell;
use std::time::{Duration, Instant};

use ag_ir::{Failure, Host, HostError};

use super::{KernelResult, Stopped};

/// So much is done between two looks at the clock; a fraction of a millisecond, for slow elements ten.
const BETWEEN_LOOKS: usize = 1 << 19;
/// So long is the host not asked again: it may have to wait for the interpreter's lock.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(10);
/// Less than this is not counted.
const LITTLE: usize = 1 << 10;
/// A kernel that can stop anywhere does so much at a time.
pub(crate) const PIECE: usize = 1 << 18;

thread_local! {
    /// What was done since the last look at the clock.
    static DONE: Cell<usize> = const { Cell::new(0) };
    /// When the host was asked.
    static ASKED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Counts work that was done.
///
/// # Errors
/// What the host raises, if it was asked.
#[inline]
pub(crate) fn spend(work: usize, host: &mut dyn Host) -> KernelResult {
    if work < LITTLE {
        return Ok(());
    }
    ask(work, host).map_err(|error| Stopped::new(Failure::Host(error)))
}

/// As [`spend`], for code that knows no kernels.
///
/// # Errors
/// What the host raises, if it was asked.
pub(crate) fn ask(work: usize, host: &mut dyn Host) -> Result<(), HostError> {
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
    // What the host did meanwhile took its own time.
    ASKED.set(Some(Instant::now()));
    answer
}

/// Calls `piece` for `0 .. count`, piece by piece; an element takes about so many nanoseconds.
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
        spend((end - start).saturating_mul(weight), host)?;
        start = end;
    }
    Ok(())
}

/// Copies bytes.
///
/// # Safety
/// Both are valid for so many bytes and do not overlap; of no bytes they may be anything.
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
