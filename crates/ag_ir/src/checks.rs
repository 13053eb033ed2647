//! Whether a process checks its own work.

use std::sync::OnceLock;

/// Whether graphs are verified after each pass, generated code before it runs, and the operands of kernels at each
/// call: in builds with debug assertions, and in any other build with `AUTOGRAPH_CHECKS=1`, as `make rust-test` sets it.
///
/// ```
/// assert_eq!(ag_ir::checks_itself(), ag_ir::checks_itself());
/// ```
#[must_use]
pub fn checks_itself() -> bool {
    static IS_ASKED: OnceLock<bool> = OnceLock::new();
    let asked = || std::env::var("AUTOGRAPH_CHECKS").is_ok_and(|value| value == "1");
    cfg!(debug_assertions) || *IS_ASKED.get_or_init(asked)
}
