//! `searchsorted` of many integers in a line of a small range: by a table of that range.
//!
//! ```text
//! line 3 4 4 7          number    below  3  4  5  6  7  above
//!                       table         0  0  1  3  3  3  4       for 4: 1, for 9: 4
//! ```

use ag_ir::DType;

/// A line of fewer elements is halved as fast.
const FEW: usize = 8;
/// So many elements at least are looked for: a table costs some time.
const MANY: usize = 256;
/// The most entries: 4 MB.
const MOST: usize = 1 << 20;
/// The entries beside those of the range: what is below all, and what is above all.
const BESIDE: usize = 2;

/// How many entries a table has room for; none if lines of these sizes are halved whatever is in them.
pub(super) fn entries(dtype: DType, size: usize, wanted: usize) -> usize {
    let is_wide_integer = matches!(dtype, DType::I64 | DType::I32);
    if is_wide_integer && size > FEW && wanted >= MANY && size < u32::MAX as usize {
        wanted.min(MOST)
    } else {
        0
    }
}

/// The places of the numbers of a range in a line.
pub(super) struct Table<'a> {
    first: i64,
    places: &'a [u32],
}

impl<'a> Table<'a> {
    /// The table of a line; none if its range has more numbers than the room has entries, or if the line does
    /// not ascend.
    pub(super) fn of_line<T: Copy + Into<i64>, const COUNTS_EQUAL: bool>(
        line: &[T],
        room: &'a mut [u32],
    ) -> Option<Self> {
        let (first, last): (i64, i64) = ((*line.first()?).into(), (*line.last()?).into());
        // The distance of two numbers of 64 bits is a number of 64 bits without a sign.
        let range = usize::try_from(last.checked_sub(first)?).ok()?.checked_add(1 + BESIDE)?;
        let places = room.get_mut(..range)?;
        let (mut filled, mut before) = (1, first);
        places[0] = 0;
        for (place, one) in line.iter().enumerate() {
            let one = (*one).into();
            if one < before || one > last {
                return None;
            }
            before = one;
            let entry = 1 + one.abs_diff(first) as usize;
            // Numbers up to this one, which itself is not counted among those less than it.
            let end = if COUNTS_EQUAL { entry } else { entry + 1 };
            if filled < end {
                places[filled..end].fill(place as u32);
                filled = end;
            }
        }
        places[filled..].fill(line.len() as u32);
        Some(Self { first, places })
    }

    /// Looks numbers up.
    pub(super) fn look_up<T: Copy + Into<i64>>(&self, wanted: &[T], found: &mut [i64]) {
        let above = self.places.len() as u64 - 1;
        for (found, one) in found.iter_mut().zip(wanted) {
            let one = (*one).into();
            let entry = (one.wrapping_sub(self.first) as u64).saturating_add(1).min(above);
            let entry = if one < self.first { 0 } else { entry };
            *found = i64::from(self.places[entry as usize]);
        }
    }
}
