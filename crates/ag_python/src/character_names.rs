//! The characters that `"\N{BULLET}"` names: those of the interpreter that compiled the program.

use pyo3::prelude::*;

/// The character of a name, as `unicodedata.lookup` finds it; none where that raises.
pub(crate) fn character(name: &str) -> Option<char> {
    Python::attach(|py| {
        let lookup = py.import("unicodedata").and_then(|module| module.getattr("lookup")).ok()?;
        lookup.call1((name,)).and_then(|found| found.extract::<char>()).ok()
    })
}
