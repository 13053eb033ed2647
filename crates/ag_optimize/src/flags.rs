//! Flags: a `bool` that a loop carries, and that is the same at the start of each iteration.
//!
//! ```text
//! %4: bool[], %5: bool[] = while %1, %2 test(%6: bool[], %7: bool[]) {       // %2 is false: did_break
//!   yield %6
//! } body(%8: bool[], %9: bool[]) {
//!   ...
//!   %11: bool[] = if %10 then { yield %1 } else { yield %9 }                  // yields %2
//!   %12: bool[] = logical_not %11
//!   yield %12, %11
//! }
//! ```
//!
//! The loop goes on only if `%12` is true, so `%11` is false then, as `%2` is. [`crate::fold`] makes `%10` of the
//! `if`. So do a `break`, a `continue` and an early `return` in a loop cost their own test, and no other.

use std::collections::HashMap;

use ag_ir::{Block, Function, Node, Op, ValueId};

use crate::replace::Replacements;
use crate::truths::Truths;

pub(crate) fn run(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let truths = Truths::of(&body, function);
    loops(&mut body, &truths);
    function.body = body;
}

fn loops(block: &mut Block, truths: &Truths) {
    for node in &mut block.nodes {
        if node.op == Op::While {
            use_start(node, truths);
        }
        node.regions.iter_mut().for_each(|region| loops(region, truths));
    }
}

/// Uses the value that a flag starts with in the body.
fn use_start(node: &mut Node, truths: &Truths) {
    let known = known_of_results(node, truths);
    let body = &mut node.regions[1];
    let mut inside = Replacements::default();
    for (carry, start) in node.operands.iter().enumerate() {
        let Some(truth) = truths.literal(*start) else { continue };
        let result = body.results[carry];
        let is_kept = result == body.params[carry]
            || truths.literal(result) == Some(truth)
            || known.get(&result) == Some(&truth);
        if is_kept {
            inside.add(body.params[carry], *start);
        }
    }
    inside.apply(body);
}

/// What is known of the results of the body if there is another iteration.
fn known_of_results(node: &Node, truths: &Truths) -> HashMap<ValueId, bool> {
    let [test, body] = &node.regions[..] else { return HashMap::new() };
    let mut known = HashMap::new();
    for (value, truth) in truths.implied(test.results[0], true) {
        if let Some(carry) = test.params.iter().position(|param| *param == value) {
            known.extend(truths.implied(body.results[carry], truth));
        }
    }
    known
}
