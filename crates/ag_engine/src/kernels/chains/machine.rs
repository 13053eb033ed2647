//! Runs a chain over many elements.

use super::lanes::Lanes;
use super::link::Link;
use crate::isa::Isa;
use crate::kernels::ahead::ask_for;
use crate::kernels::elementwise::Number;

/// Vectors that go through a chain together: enough to hide how long an op takes, and few enough to be in
/// registers of the smallest set.
const TOGETHER: usize = 8;

/// How far ahead of what a chain computes its memory is asked for, where it is far: as many bytes as come from
/// memory in the time that a chain of some steps takes for so many.
const AHEAD: usize = 4096;

/// A step of a chain: what is done, and with which elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) link: Link,
    /// Whether the operand is one element.
    pub(crate) is_element: bool,
    /// The operand; of links that have none, anything.
    pub(crate) at: *const u8,
}

/// Runs a chain of steps, the first of which is a load, over `count` elements. Arguments: result, steps, their
/// number, count, whether the result is apart from the operands, and whether their memory is far: not in the caches.
///
/// # Safety
/// Operands of the steps are readable and the result is writable, for `count` elements; the result overlaps an
/// operand only if it starts where that does, and is said not to be apart.
pub(crate) type ChainFn = unsafe extern "C" fn(*mut u8, *const Step, usize, usize, bool, bool);

/// Asks for the memory of `G` vectors that are [`AHEAD`] of a place, which may be none: to be written, or read.
///
/// A vector of the smallest set is a part of a line of the cache, which is asked for several times then.
#[inline(always)]
fn ask_ahead<V: Lanes, const G: usize, const IS_WRITTEN: bool>(at: *const V::Element) {
    for number in 0..G {
        ask_for::<IS_WRITTEN>(at.cast::<u8>().wrapping_add(AHEAD + number * size_of::<V>()));
    }
}

/// The elements `at` of an operand.
///
/// # Safety
/// They are readable: a vector, or `count` elements if they are a part of one.
#[inline(always)]
unsafe fn loaded<V: Lanes, const IS_PART: bool>(at: *const V::Element, count: usize) -> V {
    // SAFETY: the caller's.
    unsafe { if IS_PART { V::load_first(at, count) } else { V::load(at) } }
}

/// Runs `G` vectors from element `start` on through a chain, or `count` elements of one.
///
/// # Safety
/// That of [`ChainFn`], for these elements.
#[inline(always)]
unsafe fn group<V: Lanes, const G: usize, const IS_PART: bool>(
    to: *mut V::Element,
    steps: &[Step],
    start: usize,
    count: usize,
    is_far: bool,
) {
    // SAFETY: the caller's.
    unsafe {
        if is_far {
            ask_ahead::<V, G, true>(to.wrapping_add(start));
        }
        let mut values = [V::splat(V::Element::ZERO); G];
        for step in steps {
            let at = step.at.cast::<V::Element>();
            /// Does this to each vector, with the operand's.
            macro_rules! each {
                (|$value:ident, $other:ident| $made:expr) => {
                    if step.is_element {
                        let $other = V::splat(at.read());
                        for value in &mut values {
                            let $value = *value;
                            *value = $made;
                        }
                    } else {
                        if is_far {
                            ask_ahead::<V, G, false>(at.wrapping_add(start));
                        }
                        for (number, value) in values.iter_mut().enumerate() {
                            let $other = loaded::<V, IS_PART>(at.add(start + number * V::LANES), count);
                            let $value = *value;
                            *value = $made;
                        }
                    }
                };
                (|$value:ident| $made:expr) => {
                    for value in &mut values {
                        let $value = *value;
                        *value = $made;
                    }
                };
            }
            match step.link {
                Link::Load => each!(|_value, other| other),
                Link::Add => each!(|value, other| value.plus(other)),
                Link::Sub => each!(|value, other| value.minus(other)),
                Link::SubFrom => each!(|value, other| other.minus(value)),
                Link::Mul => each!(|value, other| value.times(other)),
                Link::Div => each!(|value, other| value.over(other)),
                Link::DivInto => each!(|value, other| other.over(value)),
                Link::Square => each!(|value| value.times(value)),
                Link::Neg => each!(|value| value.negated()),
                Link::Abs => each!(|value| value.magnitude()),
                Link::Sqrt => each!(|value| value.root()),
            }
        }
        for (number, value) in values.into_iter().enumerate() {
            let to = to.add(start + number * V::LANES);
            if IS_PART {
                value.store_first(to, count);
            } else {
                value.store(to);
            }
        }
    }
}

/// # Safety
/// That of [`ChainFn`].
#[inline(always)]
unsafe fn run<V: Lanes>(
    to: *mut u8,
    steps: *const Step,
    length: usize,
    count: usize,
    is_apart: bool,
    is_far: bool,
) {
    let to = to.cast::<V::Element>();
    // SAFETY: the caller's; each group is within the elements.
    unsafe {
        let steps = std::slice::from_raw_parts(steps, length);
        let whole = TOGETHER * V::LANES;
        let mut start = 0;
        while start + whole <= count {
            group::<V, TOGETHER, false>(to, steps, start, 0, is_far);
            start += whole;
        }
        if start == count {
            return;
        }
        // The last elements once more: their operands are still what they were.
        if is_apart && count > whole {
            group::<V, TOGETHER, false>(to, steps, count - whole, 0, false);
            return;
        }
        while start + V::LANES <= count {
            group::<V, 1, false>(to, steps, start, 0, false);
            start += V::LANES;
        }
        if start < count {
            group::<V, 1, true>(to, steps, start, count - start, false);
        }
    }
}

macro_rules! versions {
    ($($(#[$features:meta])? $name:ident => $vector:ty;)*) => {$(
        /// # Safety
        /// That of [`ChainFn`], and the processor has the instructions.
        $(#[$features])?
        unsafe extern "C" fn $name(
            to: *mut u8,
            steps: *const Step,
            length: usize,
            count: usize,
            is_apart: bool,
            is_far: bool,
        ) {
            // SAFETY: the caller's.
            unsafe { run::<$vector>(to, steps, length, count, is_apart, is_far) }
        }
    )*};
}

versions! {
    base_f32 => f32;
    base_f64 => f64;
}

#[cfg(target_arch = "x86_64")]
versions! {
    #[target_feature(enable = "avx2,fma")]
    avx2_f32 => std::arch::x86_64::__m256;
    #[target_feature(enable = "avx2,fma")]
    avx2_f64 => std::arch::x86_64::__m256d;
    #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    avx512_f32 => std::arch::x86_64::__m512;
    #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    avx512_f64 => std::arch::x86_64::__m512d;
}

/// The machine for an instruction set that the processor has.
pub(crate) fn chain_fn(is_double: bool, isa: Isa) -> ChainFn {
    match (isa, is_double) {
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx2, false) => avx2_f32,
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx2, true) => avx2_f64,
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx512, false) => avx512_f32,
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx512, true) => avx512_f64,
        (_, false) => base_f32,
        (_, true) => base_f64,
    }
}
