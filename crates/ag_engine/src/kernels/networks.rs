//! Networks that sort a few vectors of elements: which lanes are compared is known to the compiler, which keeps
//! the vectors in registers.
//!
//! ```text
//! 3 1                  1 0                1 2 3   pieces merged,
//! 2 0   each column →  2 1   turned to →  0 1 4   two at a time  →  0 1 1 2 3 4
//! 1 4   in order       3 4   rows
//! ```
//!
//! A merge reverses the second of two sorted pieces, so that both together rise and then fall, and compares what
//! is half, a quarter, … of them apart (Batcher 1968).

use super::lanes::Lanes;

/// Compares vectors with each other, in this order: the greater lanes go to the second one.
macro_rules! compared {
    ($vectors:ident; $($low:literal $high:literal),*) => {$(
        let (low, high) = ($vectors[$low], $vectors[$high]);
        ($vectors[$low], $vectors[$high]) = (low.min(high), low.max(high));
    )*};
}

/// Sorts each column of vectors: Batcher's networks.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
unsafe fn columns<V: Lanes, const N: usize>(vectors: &mut [V; N]) {
    // SAFETY: the caller's.
    unsafe {
        match N {
            4 => {
                compared!(vectors;
                    0 1, 2 3, 0 2, 1 3, 1 2);
            }
            8 => {
                compared!(vectors;
                    0 1, 2 3, 0 2, 1 3, 1 2, 4 5, 6 7, 4 6, 5 7, 5 6, 0 4, 2 6, 2 4, 1 5, 3 7, 3 5, 1 2, 3 4, 5 6);
            }
            16 => {
                compared!(vectors;
                    0 1, 2 3, 0 2, 1 3, 1 2, 4 5, 6 7, 4 6, 5 7, 5 6, 0 4, 2 6, 2 4, 1 5, 3 7, 3 5, 1 2, 3 4, 5 6,
                    8 9, 10 11, 8 10, 9 11, 9 10, 12 13, 14 15, 12 14, 13 15, 13 14, 8 12, 10 14, 10 12, 9 13,
                    11 15, 11 13, 9 10, 11 12, 13 14, 0 8, 4 12, 4 8, 2 10, 6 14, 6 10, 2 4, 6 8, 10 12, 1 9, 5 13,
                    5 9, 3 11, 7 15, 7 11, 3 5, 7 9, 11 13, 1 2, 3 4, 5 6, 7 8, 9 10, 11 12, 13 14);
            }
            _ => {}
        }
    }
}

/// Sorts vectors: first the columns, which are turned to rows, then merges two of these, then four, …
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
pub(super) unsafe fn sort<V: Lanes, const N: usize>(vectors: &mut [V; N]) {
    let mut half = 1;
    // SAFETY: the caller's.
    unsafe {
        if N >= V::COUNT {
            columns(vectors);
            half = N / V::COUNT;
            for square in vectors.chunks_exact_mut(V::COUNT) {
                V::turn(square);
            }
            let rows = *vectors;
            for (number, row) in rows.into_iter().enumerate() {
                vectors[number % V::COUNT * half + number / V::COUNT] = row;
            }
        } else {
            for vector in vectors.iter_mut() {
                *vector = vector.sorted();
            }
        }
        if half == 1 {
            merge::<V, N, 1>(vectors);
        }
        if half <= 2 {
            merge::<V, N, 2>(vectors);
        }
        if half <= 4 {
            merge::<V, N, 4>(vectors);
        }
        merge::<V, N, 8>(vectors);
    }
}

/// Merges sorted pieces of `HALF` vectors, two at a time.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
unsafe fn merge<V: Lanes, const N: usize, const HALF: usize>(vectors: &mut [V; N]) {
    if HALF >= N {
        return;
    }
    // SAFETY: the caller's.
    unsafe {
        for piece in vectors.chunks_exact_mut(2 * HALF) {
            let (low, high) = piece.split_at_mut(HALF);
            compare_reversed::<V, HALF>(low, high);
        }
        rise::<V, N, HALF>(vectors);
    }
}

/// Compares sorted vectors with as many others from the last to the first: the lesser lanes of both go to `low`,
/// the greater ones to `high`. Each of these rises and then falls, or a rotation of it does.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
unsafe fn compare_reversed<V: Lanes, const N: usize>(low: &mut [V], high: &mut [V]) {
    let mut turned = [high[0]; N];
    for number in 0..N {
        // SAFETY: the caller's.
        turned[number] = unsafe { high[N - 1 - number].reversed() };
    }
    for number in 0..N {
        let (one, other) = (low[number], turned[number]);
        // SAFETY: the caller's.
        unsafe { (low[number], high[number]) = (one.min(other), one.max(other)) };
    }
}

/// Sorts pieces of `LENGTH` vectors each of which rises and then falls, or a rotation of which does.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
unsafe fn rise<V: Lanes, const N: usize, const LENGTH: usize>(vectors: &mut [V; N]) {
    // SAFETY: the caller's.
    unsafe {
        if LENGTH > 8 {
            compare_apart::<V, N, 8>(vectors);
        }
        if LENGTH > 4 {
            compare_apart::<V, N, 4>(vectors);
        }
        if LENGTH > 2 {
            compare_apart::<V, N, 2>(vectors);
        }
        if LENGTH > 1 {
            compare_apart::<V, N, 1>(vectors);
        }
        for vector in vectors.iter_mut() {
            *vector = vector.merged();
        }
    }
}

/// Compares vectors at a distance: the greater lanes go to the later ones.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
unsafe fn compare_apart<V: Lanes, const N: usize, const DISTANCE: usize>(vectors: &mut [V; N]) {
    for piece in vectors.chunks_exact_mut(2 * DISTANCE) {
        for number in 0..DISTANCE {
            let (one, other) = (piece[number], piece[number + DISTANCE]);
            // SAFETY: the caller's.
            unsafe { (piece[number], piece[number + DISTANCE]) = (one.min(other), one.max(other)) };
        }
    }
}

/// Merges two sorted pieces, of which the second one is not longer: the least elements go to the first one.
///
/// Were the second one filled up to the length of the first one with elements that nothing exceeds, all before
/// the last `N` vectors of the first one would be compared with these, and stay.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
pub(super) unsafe fn merge_shorter<V: Lanes, const M: usize, const N: usize>(
    low: &mut [V; M],
    high: &mut [V; N],
) {
    // SAFETY: the caller's.
    unsafe {
        compare_reversed::<V, N>(&mut low[M - N..], high);
        rise::<V, M, M>(low);
        rise::<V, N, N>(high);
    }
}
