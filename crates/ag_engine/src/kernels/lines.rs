//! Lines along an axis, one after the other, as dense memory.
//!
//! ```text
//! axis 0 of [1000, 300]: sixteen columns are copied to sixteen lines, worked on, and copied back
//! ```

use ag_ir::Host;

use super::effort::count_work;
use super::layout;
use super::{KernelResult, scratch};

/// How many neighbouring columns are copied together.
const TOGETHER: usize = 16;
/// How many elements of short lines are done before their work is counted.
const BETWEEN: usize = 1 << 10;

/// The lines of an array along an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    outer: usize,
    size: usize,
    inner: usize,
}

impl Lines {
    /// The lines of an array of these sizes.
    pub(crate) fn new(sizes: &[usize], axis: usize) -> Self {
        Self {
            outer: layout::count(&sizes[..axis]),
            size: sizes[axis],
            inner: layout::count(&sizes[axis + 1..]),
        }
    }

    /// The number of elements of a line.
    pub(crate) fn size(self) -> usize {
        self.size
    }

    /// The number of elements of the array.
    pub(crate) fn count(self) -> usize {
        self.outer * self.size * self.inner
    }

    /// Makes each line of the result of the line of the operand. Both are of the array's sizes.
    ///
    /// # Errors
    /// What the host or the work on a line raises.
    pub(crate) fn each<T: Copy, R: Copy>(
        self,
        (operand, result): (&[T], &mut [R]),
        (from, to): (T, R),
        host: &mut dyn Host,
        mut work: impl FnMut(&[T], &mut [R], &mut dyn Host) -> KernelResult,
    ) -> KernelResult {
        if self.count() == 0 {
            return Ok(());
        }
        let mut done = 0;
        let mut count = |lines: usize, host: &mut dyn Host| {
            done += lines * self.size;
            if done < BETWEEN {
                return Ok(());
            }
            count_work(std::mem::take(&mut done) * 8, host)
        };
        if self.inner == 1 {
            for (from, to) in operand.chunks_exact(self.size).zip(result.chunks_exact_mut(self.size)) {
                work(from, to, host)?;
                count(1, host)?;
            }
            return Ok(());
        }
        let together = TOGETHER.min(self.inner);
        let (mut lines, mut made) =
            (scratch(from, together * self.size)?, scratch(to, together * self.size)?);
        let block = self.size * self.inner;
        for (operand, result) in operand.chunks_exact(block).zip(result.chunks_exact_mut(block)) {
            for first in (0..self.inner).step_by(TOGETHER) {
                let width = TOGETHER.min(self.inner - first);
                for (place, row) in operand.chunks_exact(self.inner).enumerate() {
                    for (column, element) in row[first..first + width].iter().enumerate() {
                        lines[column * self.size + place] = *element;
                    }
                }
                let both = lines.chunks_exact(self.size).zip(made.chunks_exact_mut(self.size));
                for (from, to) in both.take(width) {
                    work(from, to, host)?;
                }
                for (place, row) in result.chunks_exact_mut(self.inner).enumerate() {
                    for (column, element) in row[first..first + width].iter_mut().enumerate() {
                        *element = made[column * self.size + place];
                    }
                }
                count(width, host)?;
            }
        }
        Ok(())
    }
}
