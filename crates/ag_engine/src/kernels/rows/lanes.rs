//! The rows of a block that are in a loop, which leave it at different times.

use super::parts::{BLOCK, Left, Ready, Whiles};

/// The rows of a block in a loop. Those that have left stay in their lanes, where what is computed is of no use,
/// until a quarter of the lanes is such; then the others are moved together.
pub(super) struct LanesOfLoop<'a> {
    /// The row of each lane.
    rows: &'a mut [u64],
    /// Whether the row of a lane is still in the loop: bytes 0 and 1.
    alive: [u8; BLOCK],
    /// How many lanes there are, and how many rows in the loop.
    pub(super) width: usize,
    pub(super) live: usize,
}

impl<'a> LanesOfLoop<'a> {
    pub(super) fn new(rows: &'a mut [u64]) -> Self {
        for (number, row) in rows.iter_mut().enumerate() {
            *row = number as u64;
        }
        let width = rows.len();
        let mut alive = [0; BLOCK];
        alive[..width].fill(1);
        Self { rows, alive, width, live: width }
    }

    /// Puts away the rows whose test says that they leave.
    ///
    /// # Safety
    /// Places are of registers that hold a block.
    pub(super) unsafe fn end_of_iteration(&mut self, whiles: &Whiles<Ready>, places: &mut [*mut u8]) {
        let mut leaving = [0_u16; BLOCK];
        // SAFETY: the caller's: the register has room for more than so many bytes, which have been written.
        let going = unsafe { &*places[whiles.goes_on].cast::<[u8; BLOCK]>() };
        if self.live == self.rows.len() && self.none_goes_on(going) {
            // All rows of the block leave at once: what they have is where it is in the end.
            for carry in &whiles.carries {
                places.swap(carry.own, carry.end);
            }
            self.live = 0;
            return;
        }
        let gone = self.leaving(going, &mut leaving);
        if gone == 0 {
            return;
        }
        for carry in &whiles.carries {
            let (own, end) = (places[carry.own], places[carry.end]);
            // SAFETY: the caller's.
            unsafe {
                match carry.size {
                    1 => put::<u8>(own, end, &leaving[..gone], self.rows),
                    4 => put::<u32>(own.cast(), end.cast(), &leaving[..gone], self.rows),
                    _ => put::<u64>(own.cast(), end.cast(), &leaving[..gone], self.rows),
                }
            }
        }
        self.live -= gone;
        if 4 * self.live <= 3 * self.width && self.live > 0 {
            // SAFETY: the caller's.
            unsafe { self.close_ranks(whiles, places) };
        }
    }

    /// Whether no row goes on, where none has left before.
    fn none_goes_on(&self, going: &[u8; BLOCK]) -> bool {
        going[..self.width].iter().fold(0, |any, goes| any | *goes) == 0
    }

    /// Finds the lanes whose rows leave, and notes that they do. What the test says of other lanes is of no use.
    fn leaving(&mut self, going: &[u8; BLOCK], leaving: &mut [u16; BLOCK]) -> usize {
        let words = self.width.div_ceil(8);
        let (alive, going) =
            (&mut self.alive.as_chunks_mut::<8>().0[..words], &going.as_chunks::<8>().0[..words]);
        let left =
            |alive: &[u8; 8], going: &[u8; 8]| u64::from_le_bytes(*alive) & !u64::from_le_bytes(*going);
        if alive.iter().zip(going).fold(0, |all, (alive, going)| all | left(alive, going)) == 0 {
            return 0;
        }
        let mut gone = 0;
        for (word, (alive, going)) in alive.iter_mut().zip(going).enumerate() {
            let mut left = left(alive, going);
            *alive = (u64::from_le_bytes(*alive) & !left).to_le_bytes();
            while left != 0 {
                leaving[gone] = (word * 8 + left.trailing_zeros() as usize / 8) as u16;
                gone += 1;
                left &= left - 1;
            }
        }
        gone
    }

    /// Moves the rows that are in the loop together, with what they have and read.
    ///
    /// # Safety
    /// That of [`Self::end_of_iteration`].
    unsafe fn close_ranks(&mut self, whiles: &Whiles<Ready>, places: &[*mut u8]) {
        let mut from = [0_u16; BLOCK];
        let mut kept = 0;
        for (lane, alive) in self.alive[..self.width].iter().enumerate() {
            // No more are kept than lanes before this one.
            from[kept] = lane as u16;
            kept += usize::from(*alive);
        }
        let from = &from[..kept];
        let owned = whiles.carries.iter().map(|carry| (carry.own, carry.size));
        for (own, size) in owned.chain(whiles.held.iter().map(|held| (held.own, held.size))) {
            let own = places[own];
            // SAFETY: the caller's.
            unsafe {
                match size {
                    1 => together::<u8>(own, from),
                    4 => together::<u32>(own.cast(), from),
                    _ => together::<u64>(own.cast(), from),
                }
            }
        }
        // SAFETY: these are the rows of lanes.
        unsafe { together::<u64>(self.rows.as_mut_ptr(), from) };
        self.alive[..kept].fill(1);
        self.alive[kept..].fill(0);
        self.width = kept;
    }

    /// Leaves the rows that are still in the loop to the loop of the code.
    pub(super) fn leave_to(&self, left: &mut Left<'_>) {
        if self.live == 0 {
            return;
        }
        for (row, alive) in self.rows.iter().zip(&self.alive[..self.width]) {
            if *alive != 0 {
                left.add(*row);
            }
        }
    }
}

/// Writes what rows have that leave to where it is in the end.
///
/// # Safety
/// Registers hold a block, of which lanes and rows are numbers.
unsafe fn put<T: Copy>(own: *const T, end: *mut T, leaving: &[u16], rows: &[u64]) {
    for lane in leaving {
        let lane = usize::from(*lane);
        // SAFETY: the caller's.
        unsafe { end.add(rows[lane] as usize).write(own.add(lane).read()) };
    }
}

/// Moves elements to the start, in their order.
///
/// # Safety
/// The elements are there; the places ascend.
unsafe fn together<T: Copy>(elements: *mut T, from: &[u16]) {
    for (number, lane) in from.iter().enumerate() {
        // SAFETY: the caller's; an element goes to where it is, or before that.
        unsafe { elements.add(number).write(elements.add(usize::from(*lane)).read()) };
    }
}
