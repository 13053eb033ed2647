//! CPython's location table (3.11 and later): which source position each instruction has.
//!
//! A code object keeps it in `co_linetable`. Entries cover runs of instructions; an entry is a
//! byte `1 kkkk lll` (kind `k`, length `l + 1` code units) and what the kind needs. See
//! `Objects/locations.md` of CPython. Nothing else in CPython says where code comes from, so
//! rewriting this table is what makes tracebacks, debuggers and coverage show the user's text.

/// The position of one run of instructions. Columns are byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) end_line: u32,
    /// First column and column after the last, if known.
    pub(crate) columns: Option<(u32, u32)>,
}

/// A run of code units and its position; none for instructions without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) units: u32,
    pub(crate) position: Option<Position>,
}

const NO_COLUMNS: u8 = 13;
const LONG: u8 = 14;
const NONE: u8 = 15;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte
    }

    /// Six bits a byte, lowest first; bit 6 says that more follows.
    fn varint(&mut self) -> Option<u32> {
        let mut value = 0_u32;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x3f).checked_shl(shift)?;
            if byte & 0x40 == 0 {
                return Some(value);
            }
            shift += 6;
        }
    }

    fn signed_varint(&mut self) -> Option<i64> {
        let value = self.varint()?;
        let magnitude = i64::from(value >> 1);
        Some(if value & 1 == 1 { -magnitude } else { magnitude })
    }
}

/// Reads a table. A malformed one ends early, which CPython never makes.
pub(crate) fn read(table: &[u8], first_line: u32) -> Vec<Run> {
    let mut reader = Reader { bytes: table, at: 0 };
    let mut line = i64::from(first_line);
    let mut runs = Vec::new();
    while let Some(run) = read_run(&mut reader, &mut line) {
        runs.push(run);
    }
    runs
}

fn read_run(reader: &mut Reader<'_>, line: &mut i64) -> Option<Run> {
    let head = reader.byte()?;
    let units = u32::from(head & 7) + 1;
    let kind = (head >> 3) & 15;
    let mut end_delta = 0;
    let columns = match kind {
        NONE => return Some(Run { units, position: None }),
        LONG => {
            *line += reader.signed_varint()?;
            end_delta = reader.varint()?;
            let (start, end) = (reader.varint()?, reader.varint()?);
            (start > 0 && end > 0).then(|| (start - 1, end - 1))
        }
        NO_COLUMNS => {
            *line += reader.signed_varint()?;
            None
        }
        10..=12 => {
            *line += i64::from(kind - 10);
            Some((u32::from(reader.byte()?), u32::from(reader.byte()?)))
        }
        _ => {
            let second = reader.byte()?;
            let start = u32::from(kind) * 8 + u32::from(second >> 4);
            Some((start, start + u32::from(second & 15)))
        }
    };
    let line = u32::try_from(*line).ok()?;
    Some(Run { units, position: Some(Position { line, end_line: line + end_delta, columns }) })
}

/// Writes a table for a code object whose first line is `first_line`.
pub(crate) fn write(runs: &[Run], first_line: u32) -> Vec<u8> {
    let mut table = Vec::new();
    let mut line = i64::from(first_line);
    for run in runs {
        let mut units = run.units;
        while units > 0 {
            let length = units.min(8);
            write_run(&mut table, length, run.position, &mut line);
            units -= length;
        }
    }
    table
}

fn write_run(table: &mut Vec<u8>, units: u32, position: Option<Position>, line: &mut i64) {
    let mut head = |kind: u8| table.push(0x80 | (kind << 3) | u8::try_from(units - 1).unwrap_or(7));
    let Some(position) = position else {
        head(NONE);
        return;
    };
    let delta = i64::from(position.line) - *line;
    *line = i64::from(position.line);
    match position.columns {
        Some((start, end)) => {
            head(LONG);
            write_signed_varint(table, delta);
            write_varint(table, position.end_line.saturating_sub(position.line));
            write_varint(table, start + 1);
            write_varint(table, end + 1);
        }
        None => {
            head(NO_COLUMNS);
            write_signed_varint(table, delta);
        }
    }
}

fn write_varint(table: &mut Vec<u8>, mut value: u32) {
    while value >= 0x40 {
        table.push(0x40 | u8::try_from(value & 0x3f).unwrap_or(0));
        value >>= 6;
    }
    table.push(u8::try_from(value).unwrap_or(0));
}

fn write_signed_varint(table: &mut Vec<u8>, value: i64) {
    let magnitude = u32::try_from(value.unsigned_abs()).unwrap_or(0) << 1;
    write_varint(table, if value < 0 { magnitude | 1 } else { magnitude });
}

/// The positions of the instructions at these byte offsets (`f_lasti`), in any order.
pub(crate) fn positions_at(table: &[u8], first_line: u32, instructions: &[u32]) -> Vec<Option<Position>> {
    let mut order: Vec<usize> = (0..instructions.len()).collect();
    order.sort_unstable_by_key(|at| instructions[*at]);
    let mut wanted = order.into_iter().peekable();
    let mut found = vec![None; instructions.len()];
    let (mut reader, mut line) = (Reader { bytes: table, at: 0 }, i64::from(first_line));
    let mut after = 0;
    while wanted.peek().is_some()
        && let Some(run) = read_run(&mut reader, &mut line)
    {
        after += run.units * 2;
        while let Some(at) = wanted.next_if(|at| instructions[*at] < after) {
            found[at] = run.position;
        }
    }
    found
}
