//! Positions in source text.

/// A half-open range of byte offsets into one source text.
///
/// Offsets count UTF-8 bytes, as CPython's code positions and the parser do. Every node of the
/// tree carries one; a node that a pass makes carries the span of what it was made from, so that
/// positions survive conversion without a separate bookkeeping step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether `other` lies inside this span.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The text the span covers.
    #[must_use]
    pub fn text(self, source: &str) -> &str {
        &source[self.start as usize..self.end as usize]
    }
}

/// A position for people and for CPython: lines count from 1, columns are byte offsets from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, counted from 1.
    pub line: u32,
    /// Column in bytes, counted from 0.
    pub column: u32,
}

/// The line starts of one text; turns offsets into lines and back.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Reads the line starts of `text`. Lines end at `\n`, `\r\n` or `\r`, as in Python.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (offset, byte) in bytes.iter().enumerate() {
            let ends_line = *byte == b'\n' || (*byte == b'\r' && bytes.get(offset + 1) != Some(&b'\n'));
            if ends_line {
                starts.push(u32::try_from(offset + 1).unwrap_or(u32::MAX));
            }
        }
        Self { starts }
    }

    /// The line and column of a byte offset.
    #[must_use]
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        LineColumn { line: u32::try_from(line + 1).unwrap_or(u32::MAX), column: offset - self.starts[line] }
    }

    /// The byte offset of a line and column; past the last line it is the end of the text.
    #[must_use]
    pub fn offset(&self, position: LineColumn) -> u32 {
        let line = (position.line.max(1) - 1) as usize;
        self.starts.get(line).or(self.starts.last()).map_or(0, |start| start.saturating_add(position.column))
    }

    /// The offset at which a line (counted from 1) starts, if the text has that line.
    #[must_use]
    pub fn line_start(&self, line: u32) -> Option<u32> {
        self.starts.get((line.max(1) - 1) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_python() {
        let text = "a\r\nbc\rd\n\ne";
        let index = LineIndex::new(text);
        let lines: Vec<u32> = (0..5).filter_map(|line| index.line_start(line + 1)).collect();
        assert_eq!(lines, [0, 3, 6, 8, 9]);
        assert_eq!(index.line_start(6), None);
    }

    #[test]
    fn offsets_and_positions_are_inverse() {
        let text = "größe = 1\nwenn\n";
        let index = LineIndex::new(text);
        for offset in 0..u32::try_from(text.len()).unwrap_or(0) {
            assert_eq!(index.offset(index.line_column(offset)), offset);
        }
        assert_eq!(index.line_column(12), LineColumn { line: 2, column: 0 });
        assert_eq!(index.offset(LineColumn { line: 1, column: u32::MAX }), u32::MAX);
    }

    #[test]
    fn spans_join_and_hold() {
        let (a, b) = (Span::new(2, 4), Span::new(7, 9));
        assert_eq!(a.join(b), Span::new(2, 9));
        assert!(a.join(b).contains(b) && !a.contains(b));
        assert_eq!(a.text("abcdef"), "cd");
    }
}
