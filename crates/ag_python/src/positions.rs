//! Source positions of code objects: reading one, and giving converted code the user's.

use pyo3::prelude::*;

use crate::location_table::position_at;

/// Line, column, end line and end column of the instruction at a byte offset of a code object
/// (`f_lasti`), from its `co_linetable` and `co_firstlineno`. Columns are byte offsets, and -1
/// where they are not known.
#[pyfunction]
pub(crate) fn position(table: &[u8], first_line: u32, instruction: u32) -> Option<(u32, i64, u32, i64)> {
    let position = position_at(table, first_line, instruction)?;
    let (column, end_column) = match position.columns {
        Some((start, end)) => (i64::from(start), i64::from(end)),
        None => (-1, -1),
    };
    Some((position.line, column, position.end_line, end_column))
}
