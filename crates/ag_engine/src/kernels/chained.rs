//! The pieces of a tile program: an instruction, or several that a chain runs as one.
//!
//! ```text
//! r1 = mul x, c      │
//! r2 = add r1, up    │ one chain: x · c + up + down
//! r1 = add r2, down  │
//! ```
//!
//! Instructions that follow each other are a chain, if each reads what the one before it made and nothing else does.

use std::mem::MaybeUninit;

use super::chains::{ChainFn, Link, Linked, MOST_STEPS, Step};
use super::instructions::{Instruction, Source};

/// What runs at once over a tile.
#[derive(Debug)]
pub(super) enum Piece {
    One(Instruction),
    Chain(Chain),
}

/// Instructions that run as a chain.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) machine: ChainFn,
    /// What is done, and with what, if with anything.
    pub(super) steps: Vec<(Link, Option<Source>)>,
    pub(super) element_size: usize,
    /// The register for the result; none if it is the program's.
    pub(super) target: Option<usize>,
    /// Whether no step reads the register for the result.
    pub(super) is_apart: bool,
}

impl Chain {
    /// Runs it over a tile. `at` is where a source is; those in registers of `elements` are one element. What
    /// follows the tile in memory is asked for ahead if it is far.
    ///
    /// # Safety
    /// The sources are readable and the result is writable, for `count` elements; the result is the memory of a
    /// source only if it is said not to be apart.
    #[inline]
    pub(super) unsafe fn run(
        &self,
        to: *mut u8,
        count: usize,
        (is_apart, is_far): (bool, bool),
        elements: u128,
        at: impl Fn(Source, usize) -> *const u8,
    ) {
        let mut steps = [const { MaybeUninit::<Step>::uninit() }; MOST_STEPS];
        for (step, (link, source)) in steps.iter_mut().zip(&self.steps) {
            let is_element =
                matches!(*source, Some(Source::Register(register)) if elements & (1 << register) != 0);
            let at = source.map_or(std::ptr::null(), |source| at(source, self.element_size));
            step.write(Step { link: *link, is_element, at });
        }
        // SAFETY: the caller's; so many steps are written, which are no more than there is room for.
        unsafe { (self.machine)(to, steps.as_ptr().cast(), self.steps.len(), count, is_apart, is_far) };
    }
}

/// The pieces of a program. What is in the registers of `kept`, a set of bits, is read by others too.
///
/// Where memory is far, one instruction is a chain too: it asks for that ahead.
pub(super) fn pieces(instructions: Vec<Instruction>, kept: u128, is_far: bool) -> Vec<Piece> {
    let least = if is_far { 1 } else { 2 };
    let mut pieces = Vec::new();
    let mut rest = &instructions[..];
    while let Some(first) = rest.first() {
        let (steps, length) = longest(rest, kept);
        match (first.linked, length) {
            (Some(linked), _) if length >= least => {
                let target = rest[length - 1].target;
                let reads = |step: &(Link, Option<Source>)| {
                    target.is_some_and(|target| step.1 == Some(Source::Register(target)))
                };
                pieces.push(Piece::Chain(Chain {
                    machine: linked.machine,
                    is_apart: !steps.iter().any(reads),
                    steps,
                    element_size: first.source_sizes[0],
                    target,
                }));
            }
            _ => pieces.push(Piece::One(first.clone())),
        }
        rest = &rest[length..];
    }
    pieces
}

/// The steps of the longest chain that begins with the first instruction, and of how many it is.
fn longest(instructions: &[Instruction], kept: u128) -> (Vec<(Link, Option<Source>)>, usize) {
    let Some(linked) = instructions[0].linked else { return (Vec::new(), 1) };
    let [first, second, _] = instructions[0].sources;
    let operand = linked.second.is_some().then_some(second);
    let mut steps = vec![(Link::Load, Some(first)), (linked.first, operand)];
    let mut length = 1;
    while steps.len() < MOST_STEPS
        && let Some(next) = instructions.get(length)
        && let Some(own) = next.linked.filter(|own| own.is_double == linked.is_double)
        && let Some(made) = instructions[length - 1].target
        && let Some(step) = step(next, own, made)
        && kept & (1 << made) == 0
        && !is_read(&instructions[length + 1..], next, made)
    {
        steps.push(step);
        length += 1;
    }
    (steps, length)
}

/// What an instruction does to the value of a chain that would be in this register.
fn step(next: &Instruction, linked: Linked, made: usize) -> Option<(Link, Option<Source>)> {
    let [first, second, _] = next.sources;
    let value = Source::Register(made);
    match linked.second {
        None => (first == value).then_some((linked.first, None)),
        Some(_) if first == value && second == value => linked.both.map(|both| (both, None)),
        Some(_) if first == value => Some((linked.first, Some(second))),
        Some(from_second) => (second == value).then_some((from_second, Some(first))),
    }
}

/// Whether later instructions read what is in a register, unless `next` or one of them writes it before.
fn is_read(later: &[Instruction], next: &Instruction, register: usize) -> bool {
    if next.target == Some(register) {
        return false;
    }
    for instruction in later {
        if instruction.sources.contains(&Source::Register(register)) {
            return true;
        }
        if instruction.target == Some(register) {
            return false;
        }
    }
    false
}
