//! What a run of a graph spends where: time, bytes and floating-point operations of each step.
//!
//! ```text
//! x = a @ w             tick 1  kernel                  the time since the last tick is unit 1's
//! for i in range(n):    tick 2  a loop of scalars       one unit: a tick in it would take longer than it
//!     s += y[i] * i             its blocks are counted  its time is shared among its steps by estimate
//! ```
//!
//! - A graph is compiled a second time, with calls of [`meter::tick`] between its *units*: a kernel, a run of
//!   instructions between kernels, a whole loop without kernels. The ordinary code has none of it.
//! - How often a block runs is counted in registers, and by the number of iterations where a loop knows it. What
//!   a step computes and moves follows from its sizes ([`work`]).
//! - The time that a tick itself takes is measured and told apart ([`meter`]).

pub(crate) mod clock;
pub(crate) mod layout;
pub(crate) mod meter;
mod report;
pub(crate) mod work;

pub use self::report::{Event, Profile, StepProfile, UnitProfile};
