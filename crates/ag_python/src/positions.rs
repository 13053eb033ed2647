//! Source positions of the instructions of code objects.

use pyo3::prelude::*;

use crate::location_table::positions_at;

/// Line, column, end line and end column of each of the instructions at these byte offsets of a code object
/// (`f_lasti`), from its `co_linetable` and `co_firstlineno`.
///
/// Columns are byte offsets, and 0 where they are not known; an instruction without a position is at the
/// first line.
#[pyfunction]
pub(crate) fn positions(table: &[u8], first_line: u32, instructions: Vec<u32>) -> Vec<(u32, u32, u32, u32)> {
    let found = positions_at(table, first_line, &instructions).into_iter();
    found
        .map(|position| match position {
            Some(position) => {
                let (column, end_column) = position.columns.unwrap_or((0, 0));
                (position.line, column, position.end_line, end_column)
            }
            None => (first_line, 0, first_line, 0),
        })
        .collect()
}
